"""Cases side by side: scored together, compared, and the first that decides put into words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.properties.property import TOLERANCE, Found, Looked, Shown
from metameasure.properties.spaces import Counts, Floats
from metameasure.properties.trial import Trial

Decides = npt.NDArray[np.bool_]
Words = Callable[..., str]
_MOST_WRITTEN_OUT = 12
_ALL_DIGITS = 17


@dataclass(frozen=True, eq=False, kw_only=True)
class Side(ABC):
    """One side of a comparison: a case in each place, with its score."""

    scores: Floats

    @abstractmethod
    def parts(self, place: int) -> dict[str, Any]:
        """What the case in one place consists of, by name."""

    @abstractmethod
    def items(self) -> npt.NDArray[Any]:
        """How many items each case has."""

    @property
    @abstractmethod
    def classes(self) -> int:
        """How many classes all of them have."""

    def shown(self, place: int) -> Shown:
        return Shown(self.parts(place), float(self.scores[place]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Tables(Side):
    """Tables of counts; or, with ``places``, some of those of one size, taken where they stand and not copied."""

    tables: Counts
    values: tuple[float, ...] | None = None
    places: npt.NDArray[Any] | None = None

    def parts(self, place: int) -> dict[str, Any]:
        gold, output = labels_of(self.tables[place if self.places is None else self.places[place]])
        return {"gold": gold, "output": output} | ({} if self.values is None else {"values": list(self.values)})

    def items(self) -> npt.NDArray[Any]:
        if self.places is not None:
            return np.full(len(self.places), self.tables[0].sum())
        return np.asarray(self.tables.sum(axis=(1, 2)))

    @property
    def classes(self) -> int:
        return int(self.tables.shape[-1])


def taken(tables: Counts, scores: Floats, places: npt.NDArray[Any]) -> Tables:
    """Some of all tables of one size, with their scores."""
    return Tables(tables=tables, scores=np.take(scores, places, mode="clip"), places=places)  # without a look at the bounds


def scored(
    trial: Trial, tables: Counts, *, labels: tuple[str, ...] | None = None, values: tuple[float, ...] | None = None
) -> Tables:
    """Any tables with their scores."""
    return Tables(tables=tables, scores=trial.score(tables, labels=labels, values=values), values=values)


def scored_at_random(trial: Trial, seed: int, number: int) -> Iterator[Tables]:
    """The random tables that may have empty classes, with the scores that are kept."""
    yield from (Tables(tables=tables, scores=scores) for tables, scores in trial.random_scores(number, seed))


def labels_of(table: Counts) -> tuple[list[int], list[int]]:
    """Gold's and the output's labels, 1 to C, item by item."""
    rows, columns = np.nonzero(table)
    repeats = table[rows, columns]
    return np.repeat(rows + 1, repeats).tolist(), np.repeat(columns + 1, repeats).tolist()


def differ(first: Floats, second: Floats) -> Decides:
    """Where two scores are not the same; two that are infinite are."""
    with np.errstate(invalid="ignore"):
        return np.asarray((first != second) & ~(np.abs(first - second) <= TOLERANCE))


def looked(sides: Sequence[Side], decides: Decides, words: Words) -> Looked:
    """What came of comparing the sides place by place. Places with an undefined score do not count; of several that decide, the
    one with the fewest items is shown, and the first of those."""
    undefined = _undefined(sides)
    deciding = np.flatnonzero(decides if undefined is None else decides & ~undefined)
    found = None
    if deciding.size:
        items = sides[0].items()[deciding]
        smallest = deciding[items == items.min()]
        in_order = items.size == 1 or (sides[0].items() == items[0]).all()
        place = int(smallest[0]) if in_order else min(smallest.tolist(), key=lambda one: _order(sides, one))
        found = found_at(sides, place, words)
    left_out = 0 if undefined is None else int(np.count_nonzero(undefined))
    return Looked(len(sides[0].scores) - left_out, left_out, found)


def _undefined(sides: Sequence[Side]) -> Decides | None:
    """Where a score is NaN; None where none is, which a sum tells at once."""
    masks = [np.isnan(side.scores) for side in sides if np.isnan(side.scores.sum())]
    return np.logical_or.reduce(masks) if masks else None


def looked_at_changes(first: Side, changes: Iterable[Side], decides: Callable[[Floats, Floats], Decides], words: Words) -> Looked:
    """The same for several changes of each case: of those that decide the smallest case is shown, with its first change."""
    parts = [looked((first, second), decides(first.scores, second.scores), words) for second in changes]
    found = [(part.found.size[:2], part.found.order[:1], number) for number, part in enumerate(parts) if part.found]
    chosen = parts[min(found)[-1]].found if found else None
    return Looked(sum(part.cases for part in parts), sum(part.undefined for part in parts), chosen)


def together(parts: Iterable[Looked]) -> Looked:
    """Several looks at cases of one size as one: the first in order of those that decide."""
    known = list(parts)
    found = [part.found for part in known if part.found]
    smallest = min(found, key=lambda one: one.size) if found else None
    return Looked(sum(part.cases for part in known), sum(part.undefined for part in known), smallest)


def _order(sides: Sequence[Side], place: int) -> tuple[Any, ...]:
    """What cases of the same size are sorted by: each side's parts, one after the other."""
    return tuple(tuple(tuple(part) for part in side.parts(place).values()) for side in sides)


def found_at(sides: Sequence[Side], place: int, words: Words) -> Found:
    """The case in one place, with its order and in words."""
    cases = tuple(side.shown(place) for side in sides)
    return Found(int(sides[0].items()[place]), sides[0].classes, cases, words(*cases), _order(sides, place))


def listed(labels: Sequence[int]) -> str:
    """Labels as a sentence has them: 1 1 2; or how many there are of each, where there are many."""
    if len(labels) <= _MOST_WRITTEN_OUT:
        return " ".join(map(str, labels))
    runs: list[list[int]] = []
    for label in labels:
        if runs and runs[-1][0] == label:
            runs[-1][1] += 1
        else:
            runs.append([label, 1])
    return " ".join(f"{label}×{times}" for label, times in runs)


def gold_and_output(case: Shown) -> str:
    """Gold 1 2, output 2 4."""
    return f"gold {listed(case.parts['gold'])}, output {listed(case.parts['output'])}"


def apart(*scores: float) -> list[str]:
    """Numbers to as many digits as tell those apart that differ; at least three."""
    for digits in range(3, _ALL_DIGITS):
        texts = [f"{score + 0.0:.{digits}f}" for score in scores]
        if all(
            (one == other) == (score == another or abs(score - another) <= TOLERANCE)
            for one, score in zip(texts, scores, strict=True)
            for other, another in zip(texts, scores, strict=True)
        ):
            return texts
    return [repr(score) for score in scores]
