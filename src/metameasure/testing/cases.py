"""Cases to try measures on: random ones, and the awkward ones that random draws miss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import Labels
from metameasure.core.errors import UsageError
from metameasure.core.scale import Scale

Counts = npt.NDArray[np.int64]
_MOST_WRITTEN = 64


@dataclass(frozen=True)
class MeasureTrial:
    """A measure, ready to be called, and a batch of cases for it: the arrays that its formula takes."""

    measure: Measure
    arrays: tuple[npt.NDArray[Any], ...]
    scale: Scale | None
    distance: npt.NDArray[np.float64] | None

    def __call__(self, *arrays: Any) -> npt.NDArray[np.float64]:
        scored = self.measure(*(arrays or self.arrays), classes=self.scale, distance=self.distance)
        return np.asarray(scored)

    def cases(self) -> list[tuple[npt.NDArray[Any], ...]]:
        """The cases one by one."""
        return list(zip(*self.arrays, strict=True))

    def each(self, change: Callable[[npt.NDArray[Any]], Any]) -> tuple[Any, ...]:
        """The arrays, each changed."""
        return tuple(change(array) for array in self.arrays)

    def simplest(self, wrong: npt.NDArray[np.bool_], arrays: tuple[npt.NDArray[Any], ...] = ()) -> tuple[int, str]:
        """The place of the smallest of the cases that are ``wrong``, and its input in words."""
        given = arrays or self.arrays
        places = np.flatnonzero(wrong)
        place = int(min(places, key=lambda one: sum(float(np.nansum(np.abs(array[one]))) for array in given)))
        parts = (f"{name} {_written(array[place])}" for name, array in zip(self.measure.inputs.arrays, given, strict=True))
        return place, f"on {', '.join(parts)}"

    def perfect(self) -> tuple[npt.NDArray[Any], ...]:
        """The same gold with an output that is all right."""
        declared = self.measure.inputs.perfect
        return self._usual_perfect() if declared is None else declared(*self.arrays)

    def _usual_perfect(self) -> tuple[npt.NDArray[Any], ...]:
        reads = self.measure.reads
        if reads.task == "outcomes":
            return _all_passed(reads, self.arrays[-1])
        if reads is Reads.CONFIDENCE_ORDER:
            return self.arrays[0], np.where(np.isnan(self.arrays[1]), np.nan, 1.0)
        if reads in (Reads.BELIEF_ORDER, Reads.GRADES, Reads.JUDGEMENTS):
            return -self.arrays[1], self.arrays[1]
        if reads in (Reads.RATINGS, Reads.PERSONS):
            return (_unanimous(self.arrays[0]),)
        if reads.class_axes == 2:
            return self.each(lambda array: np.stack([np.diag(table.sum(axis=1)) for table in array]))
        perfect = (self.arrays[-1],) * len(self.arrays)
        return (self._where_there(perfect[0]), *perfect[1:]) if reads is Reads.SETS else perfect

    def _where_there(self, output: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Another output of the items that the run has."""
        return np.where(np.isnan(self.arrays[0]), np.nan, output)

    def other_outputs(self) -> list[tuple[npt.NDArray[Any], ...]]:
        """The same gold with other outputs of the same items: all right, turned round, and one answer for all of them. None of
        persons, among whom nobody is gold; of cases that a task has declared, those that are all right."""
        first, *gold = self.arrays
        reads = self.measure.reads
        if self.measure.inputs.cases is not None:
            return [self.perfect()]
        if reads.task == "agreement" or reads is Reads.CONFIDENCE_ORDER:
            return []
        if reads.class_axes == 2:
            turned = self.each(lambda array: np.flip(array, axis=-1))
            alike = np.arange(first.shape[-1]) == 0
            return [self.perfect(), turned, self.each(lambda array: np.where(alike, array.sum(axis=-1, keepdims=True), 0))]
        if reads.class_axes == 1:
            others = [np.flip(first, axis=-1), np.broadcast_to(np.arange(first.shape[-1]) == 0, first.shape).astype(float)]
        else:
            others = [-first, np.where(np.isnan(first), np.nan, 1.0)]
        others = [self._where_there(other) for other in others] if reads is Reads.SETS else others
        return [self.perfect(), *((other, *gold) for other in others)]

    def broken(self) -> tuple[float, ...]:
        """Numbers that make a case unusable, wherever they stand. A rank may be negative, or missing."""
        if self.measure.reads.of_classes:
            return (np.nan, -1.0, np.inf)
        return (-np.inf,) if self.measure.reads.arrays == ("ranks", "counts") else (np.inf, -np.inf)

    def empty(self) -> float:
        """What an array that says nothing is full of."""
        return 0.0 if self.measure.reads.of_classes and self.measure.reads is not Reads.SETS else np.nan

    def bounds(self) -> tuple[float, float]:
        """The measure's range on these cases."""
        return self.measure.bounds(self.scale, self.arrays[0].shape[-1])

    def reordered(self, order: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], ...]:
        """The arrays with the classes in another order."""
        taken = self.arrays
        for axis in range(-self.measure.reads.class_axes, 0):
            taken = tuple(np.take(array, order, axis=axis) for array in taken)
        return taken

    def why(self, *arrays: Any) -> dict[str, npt.NDArray[np.bool_]]:
        """Where each of the documented reasons for being undefined holds."""
        why = self.measure.why_undefined(*(arrays or self.arrays), classes=self.scale, distance=self.distance)
        return {reason: np.asarray(cases) for reason, cases in why.items()}

    def reasons(self, *arrays: Any) -> npt.NDArray[np.bool_]:
        """Where one of the documented reasons for being undefined holds."""
        why = self.why(*arrays)
        return np.asarray(np.any(np.stack([np.asarray(cases) for cases in why.values()]), axis=0))


def _written(array: npt.NDArray[Any]) -> str:
    """A case as one would type it; of a large one, its corners."""
    return " ".join(np.array2string(array, separator=", ", threshold=_MOST_WRITTEN, precision=6).split())


def trial(measure: Measure, size: int) -> MeasureTrial:
    """The measure on cases of so many classes or items, its parameter and distances filled in where they are missing."""
    if not measure.reads.of_classes:
        return MeasureTrial(measure.example, cases_of(measure)(size), None, None)
    named: tuple[str, ...] = (measure.argument or ()) if isinstance(measure.parameter, Labels) else ()
    others = (f"class {number}" for number in range(1, size + 1))
    labels = (*named, *(label for label in others if label not in named))[: max(size, len(named))]
    if measure.open:
        measure = measure.at(labels[0]) if isinstance(measure.parameter, Labels) else measure.example
    distance = _distances(len(labels)) if measure.needs_distance else None
    return MeasureTrial(measure, cases_of(measure)(len(labels)), Scale(labels), distance)


def cases_of(measure: Measure) -> Callable[[int], tuple[npt.NDArray[Any], ...]]:
    """What makes cases of what the measure reads. UsageError where nobody has said what they look like."""
    reads, declared = measure.reads, measure.inputs.cases
    known = declared or _CASES.get(reads)
    if known is not None:
        return known
    if len(reads.arrays) == 2 and not reads.of_classes and reads.case_axes == 1:
        return rankings
    raise UsageError(
        f"nothing says on which cases measures of {reads} are to be tried",
        hint="give their Inputs cases=FUNCTION, which makes a batch of their arrays for a number of items or classes",
    )


def _distances(classes: int) -> npt.NDArray[np.float64]:
    upper = np.triu(np.random.default_rng(classes).uniform(0.5, 3, (classes, classes)), 1)
    return np.asarray(upper + upper.T)


def tables(classes: int) -> Counts:
    """Dense, sparse and tiny tables; empty classes; constant gold, constant outputs, perfect and reversed outputs."""
    rng = np.random.default_rng(classes)
    unit = np.eye(classes)
    drawn = [rng.multinomial(100, rng.dirichlet(np.full(classes**2, 0.5)), size=1)[0] for _ in range(12)]
    drawn += [rng.multinomial(items, np.full(classes**2, 1 / classes**2)) for items in (1, 1, 2, 2, 3, 3, 5, 8)]
    random = [np.reshape(cells, (classes, classes)) for cells in drawn]
    gold = rng.integers(1, 30, classes)
    perfect = np.diag(gold)
    with_empty_class = random[0].copy()
    with_empty_class[rng.integers(classes)] = 0
    constant = [np.outer(gold, unit[column]) for column in {0, classes - 1}]
    of_one_class = [np.outer(unit[row], gold) for row in {0, classes - 1}]
    one_cell = [7 * np.outer(unit[row], unit[column]) for row, column in ((0, 0), (0, classes - 1))]
    awkward = [perfect, perfect[::-1], np.roll(perfect, 1, axis=1), with_empty_class, *constant, *of_one_class, *one_cell]
    return np.stack([*random, *awkward]).astype(np.int64)


def weights(classes: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Those tables of items that weigh from 1 to 3 each, all of a cell the same: sums of the weights, and of their squares."""
    counts = tables(classes).astype(float)
    each = np.random.default_rng(classes).integers(1, 4, counts.shape)
    return counts * each, counts * each**2


def distributions(classes: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Estimates and golds: dense, with empty classes, point masses, equal pairs, uniform, next to equal."""
    rng = np.random.default_rng(classes)
    dense = rng.dirichlet(np.ones(classes), 16)
    sparse = rng.multinomial(4, np.full(classes, 1 / classes), 8) / 4
    points = np.eye(classes)
    uniform = np.full((1, classes), 1 / classes)
    near = dense[:1] * (1 - 1e-9) + uniform * 1e-9
    estimates = [dense[:8], sparse, points, points, uniform, dense[:1], sparse[:1], near]
    golds = [dense[8:], sparse[::-1], points[::-1], np.roll(points, 1, axis=0), dense[:1], dense[:1], sparse[:1], dense[:1]]
    return np.concatenate(estimates), np.concatenate(golds)


def orders(items: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Ranks and what counts: in any order, with ties, all tied, with empty places, with nothing or everything counting."""
    rng = np.random.default_rng(items)
    strict = np.stack([rng.permutation(items) + 1.0 for _ in range(12)])
    tied = rng.integers(1, max(2, items // 2) + 1, (12, items)).astype(float)
    all_tied = np.ones((2, items))
    ranks = np.concatenate([strict, tied, all_tied])
    counts = rng.integers(0, 2, ranks.shape).astype(float)
    counts[:4] = np.array([0.0, 1.0, 0.0, 1.0])[:4, None]
    ranks[4:6, 0] = np.nan
    return ranks, counts


def rankings(items: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Predicted and human ranks: with and without ties, far apart, equal, reversed, all tied, items that the human or nobody
    ranks, one item only."""
    rng = np.random.default_rng(items)
    permuted = rng.permuted(np.tile(np.arange(1.0, items + 1), (16, 1)), axis=1)
    tied = rng.integers(1, max(2, items // 2) + 1, (16, items)).astype(float)
    perfect, same = permuted[:1], np.ones((1, items))
    outputs = [permuted[:8], tied[:8], permuted[:4], perfect, perfect, same, same, tied[:1]]
    golds = [permuted[8:], tied[8:], tied[8:12], perfect, items + 1 - perfect, same, perfect, same]
    predicted, gold = np.concatenate(outputs), 30 * np.concatenate(golds)
    unranked = np.where(rng.random((6, items)) < 0.4, np.nan, gold[:6])
    unranked[:, 0] = gold[:6, 0]
    one = np.where(np.arange(items) == 0, gold[:1], np.nan)
    padding = np.isnan(unranked) & (rng.random((6, items)) < 0.5)
    return (
        np.concatenate([predicted, np.where(padding, np.nan, predicted[:6]), predicted[:1]]),
        np.concatenate([gold, unranked, one]),
    )


def graded(items: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Predicted ranks and grades from 0 up: as ``rankings``, the best having the highest grade, and with nothing relevant."""
    predicted, ranks = rankings(items)
    grades = items - ranks / 30
    return np.concatenate([predicted, predicted[:2]]), np.concatenate([grades, np.zeros((2, items))])


def judged(items: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """As ``graded``, with documents that nobody judged, of the pool and not, and some that were not retrieved."""
    predicted, grades = graded(items)
    rng = np.random.default_rng(items)
    unjudged = np.where(rng.random(grades.shape) < 0.3, rng.integers(-2, 1, grades.shape), grades)
    kept = rng.random(predicted.shape) < 0.8
    kept[:, 0] = True
    return np.concatenate([predicted, np.where(kept, predicted, np.nan)]), np.concatenate([grades, unjudged])


def persons(classes: int) -> Counts:
    """Who put which item where, (cases, items, annotators, C): at random and in near agreement, with and without gaps, all in one
    class, in two, with one rating an item, and in full agreement."""
    rng = np.random.default_rng(classes)
    truth = rng.integers(0, classes, (6, 7, 1))
    noisy = np.where(rng.random((6, 7, 4)) < 0.6, truth, rng.integers(0, classes, (6, 7, 4)))
    random = rng.integers(0, classes, (6, 7, 4))
    same = np.zeros((2, 7, 4), dtype=np.int64)
    same[1] = np.arange(7)[:, None] % classes
    said = np.concatenate([noisy, random, same, noisy[:3], random[:2]])
    mask = rng.random(said.shape) < 0.7
    mask[:6], mask[12:14] = True, True
    mask[-1] = np.arange(4) == np.arange(7)[:, None] % 4
    return np.asarray(np.eye(classes, dtype=np.int64)[said] * mask[..., None])


def item_scores(items: int) -> tuple[npt.NDArray[np.float64]]:
    """Scores of items: 0 and 1, graded, all alike, and with items that have none."""
    rng = np.random.default_rng(items)
    scores = np.concatenate([rng.integers(0, 2, (8, items)), rng.random((8, items)), np.ones((1, items)), np.zeros((1, items))])
    gaps = np.where(rng.random((6, items)) < 0.4, np.nan, scores[:6])
    gaps[:, 0] = scores[:6, 0]
    return (np.concatenate([scores, gaps]).astype(float),)


def passed_samples(items: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How many of an item's samples passed: none, all, some; and items that have none."""
    rng = np.random.default_rng(items)
    samples = rng.integers(1, 9, (16, items)).astype(float)
    passed = rng.integers(0, samples + 1).astype(float)
    passed[0], passed[1] = 0, samples[1]
    gaps = rng.random((4, items)) < 0.4
    gaps[:, 0] = False
    passed[4:8], samples[4:8] = np.where(gaps, np.nan, passed[4:8]), np.where(gaps, np.nan, samples[4:8])
    return passed, samples


def repeats(items: int) -> tuple[npt.NDArray[np.float64], ...]:
    """Up to four outputs of each item, graded, or 0 and 1; all alike, and items that have none."""
    rng = np.random.default_rng(items)
    scores = np.concatenate([rng.integers(0, 2, (8, items, 4)), rng.integers(0, 5, (8, items, 4)) / 4]).astype(float)
    scores[0], scores[1] = 0, 1
    number = rng.integers(2, 5, (16, items))
    number[2:4] = 1
    scores[np.arange(4) >= number[..., None]] = np.nan
    scores[4:8, np.arange(items) % 3 == 1] = np.nan
    pairs = [scores[..., one] == scores[..., other] for one in range(4) for other in range(one)]
    outputs = np.where(np.isnan(scores).all(axis=-1), np.nan, (~np.isnan(scores)).sum(axis=-1))
    filled = np.where(np.isnan(scores), np.inf, scores), np.where(np.isnan(scores), -np.inf, scores)
    lowest, highest, alike = filled[0].min(axis=-1), filled[1].max(axis=-1), np.sum(pairs, axis=0).astype(float)
    lowest, highest, alike = (np.where(np.isnan(outputs), np.nan, one) for one in (lowest, highest, alike))
    return lowest, highest, alike, outputs


def systems(segments: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """What a metric and people say of four systems on each segment: with ties, cells that one of them lacks, and constants."""
    rng = np.random.default_rng(segments)
    people = rng.integers(0, 5, (12, 4, segments)).astype(float)
    metric = people + rng.integers(-2, 3, people.shape).astype(float)
    metric[1], metric[2], people[3] = people[1], 3, 2
    metric[4:6, 0, 0], people[6:8, 1, -1], metric[8, 2] = np.nan, np.nan, np.nan
    return metric, people


def _all_passed(reads: Reads, last: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """The best outcomes of as many items, samples or outputs."""
    right = np.where(np.isnan(last), np.nan, 1.0)
    perfect = {Reads.OUTCOMES: (right,), Reads.SAMPLES: (last, last), Reads.REPEATS: (right, right, last * (last - 1) / 2, last)}
    return perfect[reads]


def probabilities(classes: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """What runs believe of items (cases, items, C), and gold's: with ties, with sure ones, with items that are not there, of one
    class, of one item, and with gold of several classes. No two classes of an item are believed in most."""
    rng = np.random.default_rng(classes)
    believed = rng.dirichlet(np.full(classes, 0.7), (14, 9))
    rough = np.round(believed[:4] * 3) + np.eye(classes)[believed[:4].argmax(axis=-1)]
    believed[:4] = rough / rough.sum(axis=-1, keepdims=True)
    truth = np.eye(classes)[rng.integers(0, classes, (14, 9))]
    truth[4] = np.eye(classes)[0]
    truth[5:8] = rng.dirichlet(np.ones(classes), (3, 9))
    gaps = rng.random((4, 9)) < 0.4
    gaps[:, :2] = False
    gaps[3, 1:] = True
    truth[8:12] = np.where(gaps[..., None], np.nan, truth[8:12])
    sure = np.roll(truth[12:], 1, axis=-1) * 0.4 + truth[12:] * 0.6
    sure[0] = truth[12]
    return np.concatenate([believed[:12], sure]), truth


def sets_of_labels(labels: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Indicators (cases, items, L): sets of one label, of several and of none, alike, of all labels, of labels that gold lacks,
    of items that are not there, and of one item."""
    rng = np.random.default_rng(labels)
    gold = (rng.random((14, 9, labels)) < rng.uniform(0.1, 0.7, (14, 1, labels))).astype(float)
    said = np.where(rng.random(gold.shape) < 0.3, 1 - gold, gold)
    gold[3], said[4], gold[5], said[6] = 0, 0, 1, gold[6]
    gold[7, :, 0], gold[8], said[8] = 0, 0, 0
    gaps = rng.random((4, 9)) < 0.4
    gaps[:, :2] = False
    gaps[3, 1:] = True
    said[9:13] = np.where(gaps[..., None], np.nan, said[9:13])
    return said, gold


def _unanimous(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As many ratings of each item as there are, all in the class that has most; items without a rating stay so."""
    counts = array if array.ndim == 3 else array.sum(axis=2, keepdims=True)
    most = np.eye(array.shape[-1])[counts.argmax(axis=-1)]
    return np.asarray(most * array.sum(axis=-1, keepdims=True))


_CASES: dict[Reads, Callable[[int], tuple[npt.NDArray[Any], ...]]] = {
    **dict.fromkeys((Reads.COUNTS, Reads.COUNTS_BY_RANK, Reads.COUNTS_BY_CONFIDENCE), lambda classes: (tables(classes),)),
    **dict.fromkeys((Reads.WEIGHTS_BY_RANK, Reads.WEIGHTS_BY_CONFIDENCE), weights),
    Reads.DISTRIBUTIONS: distributions,
    **dict.fromkeys((Reads.CONFIDENCE_ORDER, Reads.BELIEF_ORDER), orders),
    **dict.fromkeys((Reads.RANKS, Reads.PREDICTED_SCORES, Reads.GOLD_SCORES), rankings),
    Reads.GRADES: graded,
    Reads.JUDGEMENTS: judged,
    Reads.RATINGS: lambda classes: (persons(classes).sum(axis=2),),
    Reads.PERSONS: lambda classes: (persons(classes),),
    Reads.PREDICTIONS: lambda classes: (np.roll(persons(classes), 1, axis=0), persons(classes)),
    Reads.OUTCOMES: item_scores,
    Reads.SAMPLES: passed_samples,
    Reads.REPEATS: repeats,
    Reads.SYSTEMS: systems,
    Reads.PROBABILITIES: probabilities,
    Reads.SETS: sets_of_labels,
}
