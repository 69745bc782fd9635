"""What each item of ratings adds to the sums that coefficients are functions of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.agreement.ratings import coincidences
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.core.scale import Scale
from metameasure.evidence.golds import LeftOut, gold_of
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.evidence.room import release
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.sums import Prior, UnitSums, times_of_kinds
from metameasure.statistics.work import blocks

MOST_CELLS = 2**26  # of evidence in memory
_MOST_CLASSES_OF_A_PRIOR = 40
_PAIR = 2
_ROWS_AT_ONCE = 2**17
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Sample:
    """Ratings made ready for coefficients: what each item, or cluster, adds to the sums that they are functions of."""

    ratings: Ratings
    distance: Any = None
    _kept: dict[Any, Any] = field(default_factory=dict)

    def sums(self, measure: Measure) -> UnitSums:
        """What units add. Items that were rated alike are one kind, unless clusters keep them apart."""
        return self._once(("sums", measure.reads, measure.evidence), lambda: self._made(measure))

    def drawn(self, measure: Measure, trials: int, seed: int) -> Floats:
        """The sums of units drawn with replacement (trials, K): drawn once for all measures that are made of the same."""
        sums = self.sums(measure)
        if trials * len(sums.number) > MOST_CELLS:
            return sums.resampled(trials, seed)
        key = ("times", measure.reads is Reads.PERSONS, trials, seed)
        times = self._once(key, lambda: np.concatenate(list(times_of_kinds(sums.number, trials, seed))))
        return self._once((*key, measure.reads, measure.evidence), lambda: np.asarray(times @ sums.adds))

    def _once(self, key: Any, made: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = made()
        kept: T = self._kept[key]
        return kept

    def _made(self, measure: Measure) -> UnitSums:
        of_persons, classes = measure.reads is Reads.PERSONS, len(self.ratings.scale)
        rows, number = self._rows(of_persons=of_persons)
        adds = self._adds(measure, one_hot(rows, classes) if of_persons else rows)
        if self.ratings.cluster is not None:
            return UnitSums.of_units(adds, self.ratings.cluster)
        return UnitSums(adds, number)

    def _adds(self, measure: Measure, items: npt.NDArray[Any]) -> Floats:
        """What items add to the sums (items, K)."""
        cases = items[:, None]  # every item a case of its own
        if measure.reads is Reads.COUNTS:
            return np.asarray(coincidences(np.asarray(cases, dtype=float)).reshape(len(cases), -1))
        if _of_persons(measure) == "sizes":
            return np.concatenate([self._of_counts(measure, items.sum(axis=1)), items.reshape(len(items), -1)], axis=1)
        return np.asarray(measure.evidence_of(cases, classes=self.ratings.scale))

    def _of_counts(self, measure: Measure, counts: Floats) -> Floats:
        """What counts of items (items, C) add, whoever has rated them: as if one annotator had given all ratings of an item."""
        adds = measure.evidence_of(counts[:, None, None], classes=self.ratings.scale)
        return np.asarray(adds)[:, : -len(self.ratings.scale)]

    @property
    def has_prior(self) -> bool:
        return self.ratings.cluster is None and len(self.ratings.scale) <= _MOST_CLASSES_OF_A_PRIOR

    def prior(self, measure: Measure) -> Prior | None:
        """One item more, with two ratings, which may be any two classes. There is none of persons, of whole clusters, and
        of so many classes that it would be large."""
        classes = len(self.ratings.scale)
        if measure.reads is Reads.PERSONS or not self.has_prior:
            return None
        first, second = np.divmod(np.arange(classes**2), classes)
        return Prior(self._adds(measure, one_hot(np.stack([first, second], axis=1), classes).sum(axis=1)), even_mass(classes))

    def _rows(self, *, of_persons: bool) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """The items' ratings, and how often each occurs."""
        rows = self.ratings.first if of_persons else self.ratings.counts
        if self.ratings.cluster is not None:
            return rows, np.ones(len(rows), dtype=np.int64)
        return self._once(("rows", of_persons), lambda: distinct_rows(rows[some] for some in _slices(len(rows))))

    def value(self, measure: Measure) -> Callable[[Floats], Floats]:
        """The coefficient as a function of the sums (..., K)."""
        scale = self.ratings.scale
        if measure.reads is not Reads.COUNTS:
            return lambda sums: np.asarray(measure.of_evidence(sums, classes=scale), dtype=float)

        of_table = table_value(measure, scale, self.distance)
        return lambda sums: of_table(sums / 2)

    def whole(self, measure: Measure) -> float:
        """The coefficient of all ratings."""
        return float(self.value(measure)(self.sums(measure).total[None])[0])

    def without_each(self, measure: Measure) -> Floats:
        """(annotators,): the coefficient without each of them; NaN where nobody is left to agree. Only what the items that one
        has rated add is computed anew."""
        ratings, totals = self.ratings, self.ratings.counts.sum(axis=1)
        pairs = np.count_nonzero(totals > 1)
        places = range(len(ratings.annotators))
        left = np.array([pairs > np.count_nonzero(totals[ratings.own(place)[0]] == _PAIR) for place in places])
        if measure.reads is not Reads.PERSONS:
            sums = self.sums(measure).total + self._changes(partial(self._adds, measure))
            return np.where(left, self.value(measure)(sums), np.nan)
        without = self._without_person(measure)
        return np.array([without(place) if some else math.nan for place, some in enumerate(left.tolist())])

    def _without_person(self, measure: Measure) -> Callable[[int], float]:
        """What gives the coefficient without an annotator, where it is known who said what."""
        match _of_persons(measure):
            case "sizes":
                return self._without_sizes(measure)
            case "complete":
                return self._without_of_complete(measure)
            case _:
                return lambda place: Sample(self.ratings.without(place), self.distance).whole(measure)

    def _without_sizes(self, measure: Measure) -> Callable[[int], float]:
        value, total = self.value(measure), self.sums(measure).total
        annotators, classes = len(self.ratings.annotators), len(self.ratings.scale)
        sizes = total[-annotators * classes :].reshape(annotators, classes)
        of_counts = total[: -annotators * classes] + self._changes(partial(self._of_counts, measure))

        def without(place: int) -> float:
            sums = np.concatenate([of_counts[place], np.delete(sizes, place, axis=0).ravel()])
            return float(value(sums[None])[0])

        return without

    def _without_of_complete(self, measure: Measure) -> Callable[[int], float]:
        rows = self.nearly_complete
        kinds, number = distinct_rows(rows[some] for some in _slices(len(rows))) if len(rows) else (rows, np.zeros(0, np.int64))

        def without(place: int) -> float:
            others = np.delete(kinds, place, axis=1)
            complete = (others >= 0).all(axis=1)
            return self._of_complete(measure, others[complete], number[complete])

        return without

    def _of_complete(self, measure: Measure, kinds: Integers, number: Integers) -> float:
        """The coefficient of items that all have rated (kinds, annotators), of each kind so many."""
        if not len(kinds):
            return math.nan
        scale = self.ratings.scale
        if self.too_large(measure, *kinds.shape):
            return float(measure(one_hot(np.repeat(kinds, number, axis=0), len(scale)), classes=scale))
        return float(self.value(measure)((number @ self._adds(measure, one_hot(kinds, len(scale))))[None])[0])

    @property
    def complete(self) -> Integers:
        """The ratings (items, annotators) of items that all annotators have rated."""
        rows = self.nearly_complete
        return rows[(rows >= 0).all(axis=1)]

    @property
    def nearly_complete(self) -> Integers:
        """The same of items that all annotators have rated, or all but one; -1 where there is none."""
        return self._once("nearly complete", self._nearly_complete)

    def _nearly_complete(self) -> Integers:
        near = self.ratings.counts.sum(axis=1) >= len(self.ratings.annotators) - 1
        place = np.where(near, np.cumsum(near) - 1, -1)
        return self.ratings.rounds[0].at(place).table(int(near.sum()))

    def too_large(self, measure: Measure, items: int, annotators: int) -> bool:
        """Whether the joint table of all annotators, as Kendall's W needs it for each item, would not fit into memory."""
        cells = (annotators * len(self.ratings.scale)) ** 2
        return measure.base == "kendall_w" and cells * items > MOST_CELLS

    def _changes(self, adds: Callable[[Floats], Floats]) -> Floats:
        """(annotators, K): what the sums change by without each annotator, where counts of items (items, C) add to them."""
        changes = []
        for place in range(len(self.ratings.annotators)):
            (before, own), number = self._rated_by(place)
            after = before - one_hot(own, len(self.ratings.scale))
            changes.append(number @ (adds(after) - adds(before)))
        return np.array(changes)

    def _rated_by(self, place: int) -> tuple[tuple[Floats, npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
        """The kinds of items that an annotator has rated, by all ratings of them (kinds, C) and his or her own (kinds,); and how
        many there are of each."""
        item, label = self.ratings.own(place)
        parts = (np.column_stack([self.ratings.counts[item[some]], label[some]]) for some in _slices(len(item)))
        rows, number = distinct_rows(parts)
        release(self.ratings.counts)
        return (rows[:, :-1], rows[:, -1].astype(np.int64)), number

    def against_others(self, place: int) -> UnitSums:
        """What an annotator's items that somebody else rated too add to the table of the others by the annotator, items of a kind
        together."""
        (counts, own), number = self._rated_by(place)
        several = np.flatnonzero(counts.sum(axis=1) > 1)
        counts, own, scale = counts[several], own[several], self.ratings.scale
        others = gold_of(counts - one_hot(own, len(scale)), "each", scale.values)
        return UnitSums(LeftOut(place, several, others, own).human(), number[several])


def reads_complete(measure: Measure) -> bool:
    """Whether only items that all annotators have rated count."""
    return _of_persons(measure) == "complete"


def _of_persons(measure: Measure) -> str:
    """What is known of a measure's evidence of persons; nothing of what is none."""
    return measure.evidence.persons if measure.reads is Reads.PERSONS and measure.evidence else ""


def even_mass(classes: int) -> Floats:
    """The mass of the prior in each cell of two ratings: 1 in all."""
    return np.full(classes**2, 1 / classes**2)


def _slices(size: int) -> Iterator[slice]:
    """Rows a block at a time."""
    return (slice(first, first + some) for first, some in blocks(max(1, size), 1, _ROWS_AT_ONCE))


def distinct_rows(parts: Iterable[npt.NDArray[Any]]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The different rows (kinds, ...) of arrays one below the other, and how often each occurs."""
    found = [_distinct(rows, np.ones(len(rows))) for rows in parts]
    if len(found) == 1:
        return found[0]
    return _distinct(np.concatenate([rows for rows, _ in found]), np.concatenate([number for _, number in found]))


def _distinct(rows: npt.NDArray[Any], times: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The same of one array, whose rows occur so many ``times``."""
    low = rows.min(initial=0)
    base = int(rows.max(initial=0) - low) + 1
    width = rows.shape[1]
    if base**width < 2**62:  # a number for each row sorts much faster than rows do
        keys = (rows - low).astype(np.int64) @ (base ** np.arange(width, dtype=np.int64))
        _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
        return rows[first], np.bincount(kind, times).astype(np.int64)
    kinds, kind = np.unique(rows, axis=0, return_inverse=True)
    return kinds, np.bincount(kind.ravel(), times).astype(np.int64)


def table_value(measure: Measure, scale: Scale, distance: Any = None) -> Callable[[Floats], Floats]:
    """A measure of C x C tables as a function of flat ones (..., C x C)."""

    def value(flat: Floats) -> Floats:
        tables = flat.reshape(*flat.shape[:-1], len(scale), len(scale))
        return np.asarray(measure(tables, classes=scale, distance=distance), dtype=float)

    return value


def repeated_agreement(ratings: Ratings, place: int) -> float:
    """How often two ratings of one item by the same annotator are the same; NaN where there are none."""
    same = pairs = 0
    for first, second in combinations([one.column(place, ratings.size) for one in ratings.rounds], 2):
        both = (first >= 0) & (second >= 0)
        pairs += int(both.sum())
        same += int((first == second)[both].sum())
    return same / pairs if pairs else math.nan
