"""What is true of items, and how annotators err, from ratings alone.

A. P. Dawid and A. M. Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied Statistics 28,
1979.

Each annotator has a table of how often each class is called each; the true classes are not known. From shares of the ratings the
tables follow, from these the probabilities of the true classes, and so on. It starts, takes its logarithms and stops as crowd-kit
does, so that both come to the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import Floats, Integers

ITERATIONS, TOLERANCE = 100, 1e-5
_LEAST = 1e-10


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """``posterior`` (items, C): how probable each class is of an item; ``prior`` (C,) how frequent it is; ``errors`` (annotators,
    C, C): how often an annotator calls items of a true class, the last axis, each of the classes."""

    posterior: Floats
    prior: Floats
    errors: Floats
    iterations: int
    converged: bool


def dawid_skene(
    item: Integers, annotator: Integers, label: Integers, sizes: tuple[int, int, int], *, iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> DawidSkene:  # fmt: skip
    """Ratings one by one, each with its item, annotator and label by number; ``sizes`` says how many of each there are. Items
    without a rating have no posterior (NaN)."""
    items, annotators, classes = sizes
    used, code = np.unique(label, return_inverse=True)  # classes that nobody chose are true of nothing
    ratings = _Ratings(item, annotator * len(used) + code, items, annotators, len(used))
    posterior = ratings.shares(code)
    prior, errors = ratings.prior(posterior), ratings.errors(posterior)
    before, made, converged = -np.inf, 0, False
    while made < iterations and not converged:
        made += 1
        posterior = ratings.posterior(prior, errors)
        prior, errors = ratings.prior(posterior), ratings.errors(posterior)
        bound = ratings.bound(posterior, prior, errors)
        converged, before = bound - before < tolerance, bound
    whole, shares, tables = np.zeros((items, classes)), np.zeros(classes), np.zeros((annotators, classes, classes))
    whole[:, used], shares[used] = posterior, prior
    whole[~ratings.rated] = np.nan
    tables[:, used[:, None], used] = errors.reshape(annotators, len(used), len(used))
    return DawidSkene(whole, shares, tables, made, converged)


@dataclass(frozen=True, eq=False)
class _Ratings:
    item: Integers
    said: Integers
    """A number for each rating's annotator and label."""
    items: int
    annotators: int
    classes: int

    @property
    def rated(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.bincount(self.item, minlength=self.items) > 0

    def _by(self, where: Integers, values: Floats, size: int) -> Floats:
        """Values (ratings, C) added up by a number of each rating (size, C)."""
        return np.stack([np.bincount(where, column, minlength=size) for column in values.T], axis=1)

    def shares(self, code: Integers) -> Floats:
        counts = self._by(self.item, np.eye(self.classes)[code], self.items)
        totals = counts.sum(axis=1, keepdims=True)
        return np.asarray(counts / np.where(totals > 0, totals, 1))

    def prior(self, posterior: Floats) -> Floats:
        return np.asarray(posterior[self.rated].mean(axis=0))

    def errors(self, posterior: Floats) -> Floats:
        """(annotators x labels, C): nothing of an annotator is 0 that he or she has said at least once."""
        size = self.annotators * self.classes
        tables = self._by(self.said, posterior[self.item], size)
        tables = np.where((np.bincount(self.said, minlength=size) > 0)[:, None], np.maximum(tables, _LEAST), 0.0)
        totals = tables.reshape(self.annotators, self.classes, self.classes).sum(axis=1, keepdims=True)
        return (tables.reshape(self.annotators, self.classes, -1) / np.where(totals > 0, totals, 1)).reshape(size, -1)

    def posterior(self, prior: Floats, errors: Floats) -> Floats:
        logs = np.log2(np.maximum(prior, _LEAST)) + self._by(self.item, np.log2(errors[self.said]), self.items)
        likely = np.exp2(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True))

    def bound(self, posterior: Floats, prior: Floats, errors: Floats) -> float:
        """What it stops by: the expected log likelihood of a rating with its class, and the entropy of the classes."""
        joint = np.log(errors[self.said]) + np.log(np.maximum(prior, _LEAST))
        known = np.maximum(posterior[self.rated], _LEAST)
        expected = float((posterior[self.item] * joint).sum()) - float((known * np.log(known)).sum())
        return expected / len(self.item)
