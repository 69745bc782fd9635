"""What became of submissions: what was changed, what is right now, and what is left as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metameasure.cleaning.changes import Change, in_kinds, told_together
from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.core.problems import Problem
from metameasure.core.signature import Signature
from metameasure.reading.key_faults import visible
from metameasure.show.table import OutputFormat, Presentable, Table
from metameasure.tasks.checking import facts_of

_MOST_SHOWN = 8
"""Of the changes of a file, where people read them; the log has all."""


@dataclass(frozen=True)
class CleanRun:
    """One submission: the file it was in, the file it is in now, what was changed, and what is still wrong."""

    run: str
    file: str
    written: str
    size: str
    changes: tuple[Change, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "file": self.file,
            "written": self.written,
            "ok": self.ok,
            "items": self.size,
            "changes": [change.facts() for change in self.changes],
            "left": [facts_of(problem) for problem in self.problems],
        }


@dataclass(frozen=True, eq=False)
class Cleaned(Presentable):
    """What was done. ``left_out`` are files of which nothing was made, ``ignored`` those that are no runs: what a system left
    there, and READMEs."""

    caption: ClassVar[str] = "Submissions, cleaned"

    folder: str
    gold: CleanRun | None
    runs: tuple[CleanRun, ...]
    left_out: tuple[Problem, ...]
    ignored: tuple[str, ...]
    made: Signature
    """Of what can be scored now: which data that is."""

    @property
    def ok(self) -> bool:
        """Whether every submission can be scored now."""
        return not self.problems()

    def problems(self) -> list[Problem]:
        """Everything that is left as it was."""
        return [*(problem for run in self.runs for problem in run.problems), *self.left_out]

    def good(self) -> list[str]:
        """The runs that can be scored now."""
        return [run.run for run in self.runs if run.ok]

    def files(self) -> list[CleanRun]:
        """Gold, where there is one, and the runs."""
        return [*([] if self.gold is None else [self.gold]), *self.runs]

    def lines(self) -> list[str]:
        """What was done, in words: of each file the most important."""
        told: list[str] = []
        for one in self.files():
            if one.changes:
                kinds = in_kinds(one.changes)
                told.append(f"{'ok' if one.ok else 'left'}  {one.run}: {counted(len(kinds), 'kind')} of change")
                lines = [line for changes in kinds for line in told_together(changes)]
                told += [f"    {line}" for line in lines[:_MOST_SHOWN]]
                more = len(lines) - _MOST_SHOWN
                told += [f"    ... and {more} more, in {self.folder}/log.txt"] if more > 0 else []
            elif one.ok:
                told.append(f"ok  {one.run}: as it was")
        return [*told, str(self.summary())]

    def summary(self) -> str:
        """How many there are of which kind."""
        changed = sum(run.ok and bool(run.changes) for run in self.runs)
        return say(
            "{runs} can be scored now, {changed} of them changed; {left} cannot.",
            runs=counted(len(self.good()), "submission"),
            changed=changed,
            left=len(self.runs) - len(self.good()) + len({problem.file for problem in self.left_out}),
        )

    def log(self) -> list[str]:
        """Every change by file and line, and everything that is left."""
        done = [change.whole() for one in self.files() for change in one.changes]
        left = [f"left: {problem}" for problem in self.problems()]
        return [*done, *map(visible, left), *(visible(f"ignored: {file}") for file in self.ignored), str(self.summary())]

    def tables(self, format: OutputFormat) -> Sequence[Table]:
        rows = [
            (one.run, "yes" if one.ok else "no", one.size, str(len(one.changes)), "; ".join(map(str, one.problems)))
            for one in self.files()
        ]
        return [Table(("run", "ok", "size", "changes", "left"), tuple(rows), notes=tuple(map(str, self.left_out)))]

    def full_table(self) -> Table:
        rows = [
            (one.run, change.file, line, change.kind, change.column, change.old, change.new)
            for one in self.files()
            for change in one.changes
            for line in change.lines or (0,)
        ]
        names = ("run", "file", "line", "change", "column", "from", "to")
        return Table.of({name: [row[place] or None for row in rows] for place, name in enumerate(names)})

    def to_dict(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "gold": None if self.gold is None else self.gold.to_dict(),
            "runs": [run.to_dict() for run in self.runs],
            "left_out": [facts_of(problem) for problem in self.left_out],
            "ignored": list(self.ignored),
            "notes": [str(self.summary())],
            "findings": [],
            "signature": str(self.made),
            "signature_parts": self.made.parts(),
        }
