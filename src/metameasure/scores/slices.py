"""Scores of slices: the items of one subject, language or difficulty each, and how far apart the best and the worst are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.core.messages import Message, legend, sentence, warn
from metameasure.core.notes import counted, first_of
from metameasure.core.numbers import headed, json_number, with_interval
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.gaps import Gap, largest_gap

FEWEST = 10
"""Of fewer items (or topics) a slice is too small to say anything."""
_MOST_NAMED = 10


@dataclass(frozen=True, eq=False)
class Slices:
    """Scores (measures, slices, runs) with the ends of their intervals, and how many items (or topics) each slice has."""

    by: str
    names: tuple[str, ...]
    sizes: Integers
    word: str
    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats
    level: float
    without: int = 0
    """How many items have no value, and so are in no slice."""
    gaps: dict[tuple[int, int], Gap] = field(init=False)

    def __post_init__(self) -> None:
        large = self.sizes >= FEWEST
        found = {}
        for row in range(len(self.measures)):
            for run in range(len(self.runs)):
                value, low, high = (np.where(large, one[row, :, run], np.nan) for one in (self.values, self.low, self.high))
                gap = largest_gap(value, low, high, self.level)
                if gap is not None:
                    found[row, run] = gap
        object.__setattr__(self, "gaps", found)

    @property
    def small(self) -> list[str]:
        """The slices that are too small to say anything."""
        return [name for name, size in zip(self.names, self.sizes.tolist(), strict=True) if size < FEWEST]

    def notes(self) -> list[Message]:
        """What is to be said of them."""
        said: list[Message] = []
        if self.small:
            few = "too small to say anything, with fewer than {fewest} {word}: {names}"
            said.append(warn("small slices", few, fewest=FEWEST, word=self.word, names=first_of(self.small, _MOST_NAMED)))
        if self.without:
            without = counted(self.without, self.word.removesuffix("s"))
            said.append(warn("in no slice", "{without} without a value of {by}, in no slice", by=self.by, without=without))
        return said

    def to_dict(self) -> dict[str, Any]:
        ids = [measure.id for measure in self.measures]
        return {
            "by": self.by,
            "level": self.level,
            "slices": [
                {
                    "slice": name,
                    self.word: int(self.sizes[place]),
                    "too_small": bool(self.sizes[place] < FEWEST),
                    "runs": [
                        {
                            "run": run,
                            "scores": {id: json_number(self.values[row, place, at]) for row, id in enumerate(ids)},
                            "intervals": {
                                id: [json_number(end[row, place, at]) for end in (self.low, self.high)]
                                for row, id in enumerate(ids)
                            },
                        }
                        for at, run in enumerate(self.runs)
                    ],
                }
                for place, name in enumerate(self.names)
            ],
            "gaps": [
                {"measure": ids[row], "run": self.runs[run], **self._gap(row, gap)} for (row, run), gap in self.gaps.items()
            ],
            "notes": [str(one) for one in self.notes()],
        }

    def _gap(self, row: int, gap: Gap) -> dict[str, Any]:
        best, worst = self._ends(row, gap)
        numbers = {"gap": gap.value, "low": gap.low, "high": gap.high}
        return {"best": self.names[best], "worst": self.names[worst], **{name: json_number(one) for name, one in numbers.items()}}

    def _ends(self, row: int, gap: Gap) -> tuple[int, int]:
        """The best and the worst slice."""
        return (gap.lowest, gap.highest) if self.measures[row].better == "lower" else (gap.highest, gap.lowest)

    def tables(self, format: OutputFormat) -> list[Table]:
        """A table of slices for each measure, and below it the gaps."""
        made = []
        for row, measure in enumerate(self.measures):
            first = self.by if len(self.measures) == 1 else f"{headed(measure.id, measure.better)} by {self.by}"
            headings = (first, self.word, *self.runs)
            rows = [
                (name, f"{self.sizes[place]}", *(self._cell(row, place, run) for run in range(len(self.runs))))
                for place, name in enumerate(self.names)
            ]
            title = f"{headed(measure.id, measure.better)} by {self.by}"
            notes = self._explained() if row == len(self.measures) - 1 else ()
            made.append(
                Table(headings, tuple(rows), frozenset(headings[1:]), beside=self._gap_table(row), notes=notes, title=title)
            )
        return made

    def _cell(self, row: int, place: int, run: int) -> str:
        value, low, high = (one[row, place, run] for one in (self.values, self.low, self.high))
        return with_interval(value, low, high)

    def _gap_table(self, row: int) -> Table | None:
        rows = []
        for (own, run), gap in self.gaps.items():
            if own == row:
                best, worst = self._ends(row, gap)
                shown = with_interval(gap.value, gap.low, gap.high)
                rows.append((self.runs[run], self.names[best], self.names[worst], shown))
        return Table(("run", "best", "worst", "gap"), tuple(rows), frozenset({"gap"})) if rows else None

    def _explained(self) -> tuple[str, ...]:
        said = (
            "[ ]: {level:g%} intervals. Of a slice: for it alone. Of the gap: for the largest difference between any two slices "
            "that are not too small, whichever two that truly is."
        )
        return (legend(said, level=self.level), *map(sentence, self.notes()))


def sliced_together(by: str, names: Sequence[str], parts: Sequence[Any], sizes: Sequence[int], word: str, **more: Any) -> Slices:
    """Evaluations of each slice, with intervals, put together. A run that a slice lacks has no score there."""
    runs = tuple(dict.fromkeys(run for part in parts for run in part.runs))
    measures = parts[0].measures
    values, low, high = np.full((3, len(measures), len(parts), len(runs)), np.nan)
    for place, part in enumerate(parts):
        at = [runs.index(run) for run in part.runs]
        values[:, place, at] = part.averages()
        if part.intervals is not None:
            low[:, place, at], high[:, place, at] = part.intervals.shown
    return Slices(by, tuple(names), np.array(sizes, dtype=np.int64), word, measures, runs, values, low, high, **more)
