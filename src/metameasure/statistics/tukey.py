"""Tukey's honestly significant differences: randomised (Sakai 2021, Section 5.2) and classical, both paired by topic."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.notes import counted
from metameasure.core.options import checked
from metameasure.statistics.anova import residual_variance
from metameasure.statistics.arrays import ArrayLike, Floats, Integers
from metameasure.statistics.fixed_point import FixedPoint, fixed_point_less_shared
from metameasure.statistics.kernels import Kernel, permuted_ranges
from metameasure.statistics.studentised_range import studentised_range_quantile, studentised_range_sf
from metameasure.statistics.work import check_trials, in_chunks


def checked_matrix(matrix: ArrayLike) -> Floats:
    """Scores (..., topics, systems), at least two of each and all finite, or a UsageError that says what is wrong."""
    try:
        scores = np.asarray(matrix)
        scores = scores.astype(float, casting="unsafe" if scores.dtype.kind in "biufO" else "safe")
    except (TypeError, ValueError):
        raise UsageError("the scores are not a matrix of numbers", hint="topics down and systems across") from None
    if scores.ndim < 2 or 0 in scores.shape[:-2]:
        raise UsageError(f"scores of {scores.ndim} axes", hint="pass a matrix, topics down and systems across")
    topics, systems = scores.shape[-2:]
    if topics < 2 or systems < 2:
        raise UsageError(
            f"{counted(topics, 'topic')} and {counted(systems, 'system')}", hint="a comparison needs at least two of each"
        )
    if not np.all(np.isfinite(scores)):
        *_, topic, system = np.argwhere(~np.isfinite(scores))[0]
        raise UsageError(
            f"the score of topic {topic + 1}, system {system + 1} is NaN or infinite", hint="leave out that topic or that system"
        )
    return scores


def checked_one_matrix(matrix: ArrayLike, trials: int) -> Floats:
    """One matrix of scores (topics, systems) that a test with so many trials can be made of, or a UsageError."""
    check_trials(trials)
    scores = checked_matrix(matrix)
    if scores.ndim != 2:
        raise UsageError(f"scores of {scores.ndim} axes", hint="pass one matrix, topics down and systems across")
    return scores


@checked
def randomised_tukey_hsd(
    matrix: ArrayLike,
    trials: int = 5000,
    seed: int = 0,
    *,
    add_one: bool = False,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    kernel: Kernel = "auto",
) -> Floats:
    """p-values of the randomised Tukey HSD test for the differences between systems' means over topics.

    Parameters
    ----------
    matrix : array
        Scores (topics, systems); with (measures, topics, systems) all measures share the permutations.
    trials : int, default 5000
        How many permutations.
    seed : int, default 0
        The seed of the random numbers.
    add_one : bool, optional
        Count the observed order among the trials.
    executor : Executor, optional
        Who does the work (default: threads).
    threads : int, optional
        How many threads to use.
    chunk : int, optional
        How many trials are one piece of work. It changes no number.
    kernel : {'auto', 'numba', 'numpy'}, default 'auto'
        The code that permutes. All give the same bits.

    Returns
    -------
    array
        p (systems, systems), or (measures, systems, systems).

    Raises
    ------
    UsageError
        If there are no trials, or the matrix has holes.

    Notes
    -----
    Under the null hypothesis a topic's scores could have come from the systems in any order: in each trial they are permuted
    within each topic, and p is the share of trials whose largest difference between two means reaches the observed one, as in
    Sakai (2021).

    Examples
    --------
    >>> import metameasure as mm
    >>> mm.randomised_tukey_hsd([[0.1, 0.2], [0.3, 0.5], [0.2, 0.6]], trials=100).shape
    (2, 2)

    """
    check_trials(trials)
    scores = checked_matrix(matrix)
    parts = [fixed_point_less_shared(one, len(one)) for one in scores.reshape(-1, *scores.shape[-2:])]
    stacked = np.stack([part.values for part in parts], axis=-1)
    drawn = in_chunks(
        partial(permuted_ranges, stacked, seed, kernel=kernel), trials, executor=executor, threads=threads, chunk=chunk
    )
    p = np.stack([_share_reaching(drawn[:, k], part, add_one=add_one) for k, part in enumerate(parts)])
    return p.reshape(*scores.shape[:-2], *p.shape[1:])


def _share_reaching(ranges: Integers, fixed: FixedPoint, *, add_one: bool) -> Floats:
    """#(d* >= |difference|) / B. Without the tolerance, differences that are equal but for rounding would be missed."""
    sums = fixed.values.sum(axis=0)
    gaps = np.abs(sums[:, None] - sums[None, :]) - fixed.tolerance(len(fixed.values))
    reached = len(ranges) - np.searchsorted(np.sort(ranges), gaps, side="left")
    p: Floats = (reached + add_one) / (len(ranges) + add_one)
    np.fill_diagonal(p, 1.0)
    return p


def critical_difference(residual: float, topics: int, systems: int, alpha: float) -> float:
    """From which difference of two means on the paired Tukey HSD test is significant: q sqrt(V_E2 / n)."""
    q = studentised_range_quantile(1 - alpha, systems, (topics - 1) * (systems - 1))
    return q * float(np.sqrt(residual / topics))


def classical_tukey_hsd(matrix: ArrayLike) -> Floats:
    """p-values (..., systems, systems) of the paired Tukey HSD test: normal residuals of a two-way analysis of variance."""
    scores = checked_matrix(matrix)
    topics, systems = scores.shape[-2:]
    means = scores.mean(axis=-2)
    gaps = np.abs(means[..., :, None] - means[..., None, :])
    error = np.sqrt(residual_variance(scores) / topics)[..., None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(gaps == 0, 0.0, gaps / error)
    return np.where(gaps == 0, 1.0, studentised_range_sf(q, systems, (topics - 1) * (systems - 1)))
