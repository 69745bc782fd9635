"""What is wrong with data, each problem with its file, line and a hint; all of them at once, up to a limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from metameasure.core.errors import DataError
from metameasure.core.messages import Message, Reader, on, warn
from metameasure.core.notes import counted

MOST_SHOWN = 20
# A cell that fills more than a line of a terminal is shown by its ends.
_ENDS = 30
_LONG = 120


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong. ``line`` is 0 where the problem is the file's, not a line's. ``count`` is how many of its kind the
    file has."""

    file: str
    line: int
    what: str
    hint: str = ""
    count: int = 1

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        what = _shortened(self.what)
        return f"{place}: {what}; {self.hint}" if self.hint else f"{place}: {what}"

    @property
    def kind(self) -> str:
        """What all problems like this one have in common."""
        return self.what.template if isinstance(self.what, Message) else self.what

    def on(self, reader: Reader) -> str:
        """The problem for that reader."""
        return str(replace(self, what=on(_shortened(self.what), reader), hint=on(self.hint, reader)))


def left_out(run: str, problem: Problem) -> Message:
    """What is said of a run that is broken, and left out for it."""
    return warn("broken run left out", "left out, because it is broken: {run} ({problem})", run=run, problem=problem)


def is_left_out(said: str) -> bool:
    """Whether a message says that a broken run is left out."""
    return isinstance(said, Message) and said.kind == "broken run left out"


def _shortened(what: str) -> str:
    """A message without the middle of the longest words that it quotes; names of files stay whole."""
    if not isinstance(what, Message) or len(what) < _LONG:
        return what
    quoted = {name: _shortened(part) if isinstance(part, Message) else str(part) for name, part in what.parts.items()}
    long = {name: part for name, part in quoted.items() if len(part) >= _LONG and name != "file"}
    return what.having(**{name: " ".join(map(_by_its_ends, part.split(" "))) for name, part in long.items()})


def _by_its_ends(word: str) -> str:
    return word if len(word) < _LONG else f"{word[:_ENDS]}…{word[-_ENDS:]}"


class DataProblems(DataError):
    """Everything that is wrong, file by file and line by line. ``total`` counts also what is not listed."""

    def __init__(self, problems: Sequence[Problem], total: int = 0) -> None:
        places = {file: place for place, file in enumerate(dict.fromkeys(problem.file for problem in problems))}
        distinct = dict.fromkeys(problems)
        total -= len(problems) - len(distinct)
        self.problems = tuple(sorted(distinct, key=lambda problem: (places[problem.file], problem.line or math.inf)))
        self.total = max(total, len(self.problems))
        super().__init__(str(self.problems[0]))

    def __str__(self) -> str:
        return self._listed([str(problem) for problem in self.problems[:MOST_SHOWN]])

    def on(self, reader: Reader) -> str:
        return self._listed([problem.on(reader) for problem in self.problems[:MOST_SHOWN]])

    def _listed(self, shown: list[str]) -> str:
        if self.total > len(shown):
            shown.append(f"... and {counted(self.total - len(shown), 'more problem')}")
        return "\n".join(shown)


class Origin:
    """Where data comes from; ``shown`` is how messages call it."""

    shown: str

    def problem(self, line: int, what: str, hint: str = "") -> Problem:
        return Problem(self.shown, line, what, hint)

    def line_shown(self, line: int) -> int | str:
        """How a message about one line names another."""
        return line

    def error(self, line: int, what: str, hint: str) -> DataProblems:
        """A problem that ends the reading, to be raised."""
        return DataProblems([self.problem(line, what, hint)])


@dataclass
class ProblemsOfFile:
    """Problems of one file as they are found: all are counted, the first few kept."""

    shown: str
    problems: list[Problem] = field(default_factory=list)
    total: int = 0

    def add(self, line: int, what: str, hint: str) -> None:
        self.total += 1
        if len(self.problems) < MOST_SHOWN:
            self.problems.append(Problem(self.shown, line, what, hint))

    def raise_any(self) -> None:
        """DataProblems, where there are any."""
        if self.problems:
            raise DataProblems(self.problems, self.total)
