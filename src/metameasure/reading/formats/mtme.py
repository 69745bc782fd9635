"""Scores as mt-metrics-eval keeps them: a system and a score a line, with a block of segments for each system, in the same order
and without ids, or one line for each system. The systems are the items, and each metric is a run; people's scores are gold.
``reading/eval_sets.py`` reads the folders that such files lie in."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.core.problems import ProblemsOfFile
from metameasure.core.values import is_finite, number_of
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import NOT_UTF8, Rows, Source, text_array

_ENDINGS = (".seg.score", ".sys.score")
_NONE = "None"
"""What stands for a score that nobody gave."""


@dataclass(frozen=True)
class Blocks:
    """A file of scores: rows (segment, system, score, line) of what has one, and of each system how many segments it has and in
    which line its block ends. A segment is called by its place among those of its system, counted from 1."""

    shown: str
    rows: tuple[tuple[str, str, float, int], ...]
    lengths: Mapping[str, int]
    last: Mapping[str, int]

    @property
    def segments(self) -> int:
        """How many each system has."""
        return max(self.lengths.values(), default=0)

    def source(self, options: ReadOptions, side: Side, systems: Collection[str] | None = None) -> Rows:
        """The scores as a table, of these systems where they are named."""
        kept = [row for row in self.rows if systems is None or row[1] in systems]
        segments, names, scores, lines = zip(*kept, strict=True) if kept else ((), (), (), ())
        columns = options.columns
        values = {columns.segment: text_array(segments), columns.item: text_array(names), columns.score: np.array(scores, float)}
        dropped = sum(n for system, n in self.lengths.items() if systems is None or system in systems) - len(kept)
        said = "{file}: {scores} that nobody gave (None) left out"
        notes = (note("reading", said, file=self.shown, scores=counted(dropped, "score")),) if dropped else ()
        partial = side == "gold" and (dropped > 0 or systems is not None)  # metrics have scores there
        return Rows(self.shown, values, np.array(lines, np.int64), header=False, partial=partial, notes=notes)


def read_blocks(beginning: Beginning) -> Blocks:
    """The file; DataProblems where it is wrong."""
    problems = ProblemsOfFile(beginning.shown)
    seen, last = Counter[str](), dict[str, int]()
    rows: list[tuple[str, str, float, int]] = []
    with beginning.stream() as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as text:
        for line, written in enumerate(text, start=1):
            cells = written.rstrip("\r\n").split("\t")
            if not written.strip():
                continue
            if (wrong := _wrong(cells)) is not None:
                problems.add(line, *wrong)
            system = cells[0]
            seen[system] += 1
            last[system] = line
            score = number_of(cells[-1])
            if score is not None:
                rows.append((str(seen[system]), system, score, line))
    _check_lengths(seen, last, problems)
    problems.raise_any()
    return Blocks(beginning.shown, tuple(rows), seen, last)


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    cells = beginning.line.split("\t")
    return len(cells) == 2 and (
        beginning.name.endswith(_ENDINGS)
        or (options.task == "ranking" and beginning.format in (None, "tsv") and _is_score(cells[1]) and _recurs(beginning))
    )


def _recurs(beginning: Beginning) -> bool:
    """Whether a system has more than one segment: a list of names and numbers may be anything."""
    return len({row[0] for row in beginning.rows}) < len(beginning.rows)


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    return read_blocks(beginning).source(options, side)


def _wrong(cells: Sequence[str]) -> tuple[str, str] | None:
    """What is wrong with a line, and what to do."""
    if len(cells) != 2:
        return f"{counted(len(cells), 'field')} instead of 2", "a line has a system and a score, separated by a tab"
    if "\ufffd" in cells[0]:
        return NOT_UTF8
    if not cells[0].strip():
        return "the line has no system", "a line has a system and a score, separated by a tab"
    return None if _is_score(cells[1]) else (f"'{cells[1]}' is not a finite number", f"a score is a number, or {_NONE}")


def _is_score(cell: str) -> bool:
    return cell.strip() == _NONE or is_finite(cell)


def _check_lengths(seen: Counter[str], last: dict[str, int], problems: ProblemsOfFile) -> None:
    """Systems that have more or fewer segments than most."""
    usual = Counter(seen.values()).most_common(1)[0][0] if seen else 0
    for system, number in seen.items():
        if number != usual:
            example = next(other for other, many in seen.items() if many == usual)
            problems.add(
                last[system],
                say(
                    "system '{system}' has {segments}, but '{example}' has {usual}",
                    system=system,
                    segments=counted(number, "segment"),
                    example=example,
                    usual=usual,
                ),
                "give every system the same segments in the same order",
            )


FORMAT = Format(
    "mtme",
    "a file of scores of systems as mt-metrics-eval keeps them",
    ("ranking",),
    _recognises,
    _read,
    endings=(*_ENDINGS, ".score"),
)
