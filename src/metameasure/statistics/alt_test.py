"""The alternative annotator test (Calderon, Reichart and Dror, ACL 2025), as in the authors' notebook.

On each of an annotator's items the judge and the annotator are compared with the other annotators: whoever is at least as near to
them wins, both on a tie. An annotator can be replaced if he or she wins by less than epsilon more often than the judge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from metameasure.core.choices import Alignment
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.paired import corrected

_SAME = 1e-9


@dataclass(frozen=True)
class AgainstAnnotator:
    """One annotator: on so many items, how often the judge is at least as near to the others (``advantage``), how often both are
    equally near, the mean difference (annotator less judge), and p for its being under epsilon."""

    annotator: int
    items: int
    advantage: float
    ties: float
    difference: float
    p: float
    beaten: bool = False


@dataclass(frozen=True)
class AltTest:
    """The share of annotators whom the judge beats, and the mean over annotators of how often it is at least as near. NaN where
    no annotator has enough items."""

    winning_rate: float
    advantage: float
    ties: float
    by_annotator: tuple[AgainstAnnotator, ...]

    @property
    def passes(self) -> bool:
        return self.winning_rate >= 0.5


_UNTESTED = AltTest(math.nan, math.nan, math.nan, ())


def class_costs(values: Sequence[float], alignment: Alignment) -> Floats:
    """d(x, c) between classes: 1 for another class, or the squared distance."""
    places = np.asarray(values, dtype=float)
    apart: Floats = np.abs(places[:, None] - places[None, :])
    return (apart > 0).astype(float) if alignment == "accuracy" else apart**2


def wins(others: Floats, own: Integers, costs: Floats) -> tuple[Floats, Floats]:
    """For each item and each class that a judge may give it (items, C): whether the judge is at least as near to the others, and
    whether the annotator is. ``others`` (items, C) counts the other annotators' labels, ``own`` (items,) is the annotator's."""
    cost = others @ costs  # d is symmetric
    mine = np.take_along_axis(cost, own[:, None], axis=1)
    return (cost <= mine + _SAME).astype(float), (mine <= cost + _SAME).astype(float)


def one_sided_p(differences: Floats, epsilon: float) -> Floats:
    """The p-values of one-sample t tests that the mean difference (along the last axis) is under epsilon. Where all differences
    are equal: 0 if they are under epsilon, 1 if above it, NaN at epsilon."""
    from scipy.special import stdtr  # noqa: PLC0415 - loaded when first used

    number, mean = differences.shape[-1], differences.mean(axis=-1)
    alike = np.ptp(differences, axis=-1) == 0
    sure = np.where(np.abs(mean - epsilon) < _SAME, np.nan, np.where(mean < epsilon, 0.0, 1.0))
    error = differences.std(axis=-1, ddof=min(1, number - 1)) / math.sqrt(number)  # of a single one, which is alike, none
    return np.where(alike, sure, stdtr(number - 1, (mean - epsilon) / np.where(alike, 1.0, error)))


@dataclass(frozen=True, eq=False)
class Contest:
    """One annotator's items (n,) that somebody else rated too; and for each of them and each class that a judge may give it (n,
    C) whether the judge is at least as near to the others, and whether the annotator is."""

    annotator: int
    item: Integers
    judge_wins: Floats
    human_wins: Floats


def contests(labels: Integers, costs: Floats) -> list[Contest]:
    """What can be said before any judge is known, from annotators' codes (items, annotators), -1 for none."""
    return _contests(labels, _counted(labels, len(costs)), costs, range(labels.shape[1]))


def _counted(labels: Integers, classes: int) -> Floats:
    """(items, C): how many annotators gave an item each class."""
    counts = np.zeros((len(labels), classes))
    for own in labels.T:
        item = np.flatnonzero(own >= 0)
        counts[item, own[item]] += 1
    return counts


def _contests(labels: Integers, counts: Floats, costs: Floats, tested: Iterable[int]) -> list[Contest]:
    """Those of the annotators who are ``tested``; ``counts`` (items, C) are the labels of all who count among the others."""
    several = counts.sum(axis=1) >= 2
    per_annotator = []
    for annotator in tested:
        item = np.flatnonzero(several & (labels[:, annotator] >= 0))
        own = labels[item, annotator]
        per_annotator.append(Contest(annotator, item, *wins(counts[item] - np.eye(len(costs))[own], own, costs)))
    return per_annotator


def alt_test(
    against: Sequence[Contest], judge: Integers, *, epsilon: float = 0.2, minimum: int = 30, level: float = 0.05
) -> AltTest:
    """The test of a judge's codes (items,), -1 for none."""
    met = _met(against, judge[None], epsilon, minimum)
    if not met:
        return _UNTESTED
    beaten = _beaten(met, level)[0]
    verdicts = tuple(
        AgainstAnnotator(one.annotator, one.items, *one.of_judge(0), beaten=won)
        for one, won in zip(met, beaten.tolist(), strict=True)
    )
    advantage, ties = (float(np.mean([getattr(one, name) for one in verdicts])) for name in ("advantage", "ties"))
    return AltTest(float(beaten.mean()), advantage, ties, verdicts)


def rates_and_advantages(
    against: Sequence[Contest], judges: Integers, *, epsilon: float, minimum: int, level: float
) -> tuple[Floats, Floats]:
    """The winning rates and the advantages (judges,) of several judges' codes (judges, items), all for the same items."""
    met = _met(against, judges, epsilon, minimum)
    if not met:
        return np.full(len(judges), np.nan), np.full(len(judges), np.nan)
    return _beaten(met, level).mean(axis=1), np.mean([one.advantage for one in met], axis=0)


@dataclass(frozen=True, eq=False)
class _Met:
    """One annotator as several judges (judges,) met him or her, on the same items."""

    annotator: int
    items: int
    advantage: Floats
    ties: Floats
    difference: Floats
    p: Floats

    def of_judge(self, place: int) -> tuple[float, float, float, float]:
        return float(self.advantage[place]), float(self.ties[place]), float(self.difference[place]), float(self.p[place])


def _met(against: Sequence[Contest], judges: Integers, epsilon: float, minimum: int) -> list[_Met]:
    """Every annotator with enough items that the judges' codes (judges, items) are for."""
    met = []
    for one in against:
        labels = judges[:, one.item]
        rows = np.flatnonzero(labels[0] >= 0)
        if len(rows) < max(2, minimum):
            continue
        judge_wins, human_wins = (won[rows, labels[:, rows]] for won in (one.judge_wins, one.human_wins))
        gaps = human_wins - judge_wins
        means = judge_wins.mean(axis=1), (judge_wins * human_wins).mean(axis=1), gaps.mean(axis=1)
        met.append(_Met(one.annotator, len(rows), *means, one_sided_p(gaps, epsilon)))
    return met


def _beaten(met: Sequence[_Met], level: float) -> Booleans:
    """Whom each judge beats (judges, annotators), corrected for all annotators."""
    return corrected(np.nan_to_num(np.stack([one.p for one in met], axis=1), nan=1.0), "by") <= level


def person_in_its_place(labels: Integers, costs: Floats, *, epsilon: float, minimum: int, level: float = 0.05) -> AltTest:
    """Each person as a judge of the others, on items with three ratings or more; the means over persons."""
    every, tests = _counted(labels, len(costs)), []
    for one in range(labels.shape[1]):
        item = np.flatnonzero(labels[:, one] >= 0)
        here, own = labels[item], labels[item, one]
        shared = np.count_nonzero(here >= 0, axis=0)
        shared[one] = 0
        tested = np.flatnonzero(shared >= max(2, minimum)).tolist()  # no others have enough items in common
        met = _contests(here, every[item] - np.eye(len(costs))[own], costs, tested)
        tests.append(alt_test(met, own, epsilon=epsilon, minimum=minimum, level=level))
    known = [one for one in tests if not math.isnan(one.winning_rate)]
    if not known:
        return _UNTESTED
    rate, advantage, ties = np.mean([(one.winning_rate, one.advantage, one.ties) for one in known], axis=0).tolist()
    return AltTest(rate, advantage, ties, ())
