"""How far a value that was computed at random may lie from the published one, which was computed at random too.

Each rule stands before any value is seen. Two draws differ by chance with sqrt(2) times the standard error of one; three such
errors are allowed, and the rounding of the print. A difference between runs is significant if p < alpha: where p lies within
that reach of alpha, the other draw may have decided otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from metameasure.comparing.comparison import count_beaten
from metameasure.meta.discriminative_power import Discrimination
from metameasure.meta.significance_overlap import Shared, significance_overlap
from metameasure.meta.split_consistency import Consistency
from metameasure.statistics.arrays import Booleans, Floats

ERRORS = 3
ALPHA, TRIALS = 0.05, 5000
_REACH = f"within {ERRORS} standard errors, of two draws of {TRIALS} permutations, of {ALPHA:g}"


def _reach(alpha: float = ALPHA, trials: int = TRIALS) -> float:
    return ERRORS * math.sqrt(2 * alpha * (1 - alpha) / trials)


def rounding_of(text: str) -> float:
    """How far a number may lie from the print that it rounds to."""
    return float(0.5 * 10.0 ** -len(text.partition(".")[2]))


def _open(p: Floats) -> Booleans:
    """Which p-values another draw may have on the other side of alpha."""
    return np.asarray(np.abs(p - ALPHA) <= _reach())


def of_mean_tau(taus: Floats, text: str) -> dict[str, Any]:
    """Of the mean over random splits."""
    error = ERRORS * math.sqrt(2 * float(taus.var(ddof=1)) / len(taus))
    return {
        "tolerance": error + rounding_of(text),
        "why": f"{ERRORS} standard errors, of two draws of {len(taus)} splits, and rounding of the print",
    }


def of_beaten(found: Consistency, place: int) -> dict[str, Any]:
    """Of how many of the worst measures one beats: as many more or fewer as it would with every open p-value decided alike."""
    beaten = [count_beaten(row[place], place) for row in (found.p < ALPHA - _reach(), found.p < ALPHA + _reach())]
    now = found.beats()[place]
    most = max(abs(one - now) for one in beaten)
    return {"tolerance": float(most), "why": f"as many measures whose p lies {_REACH}"}


def of_significant_pairs(p: Floats) -> dict[str, Any]:
    """Of the number of significant pairs of runs, from p-values (runs, runs)."""
    pairs = p[np.triu_indices(len(p), 1)]
    return {"tolerance": float(_open(pairs).sum()), "why": f"as many pairs whose p lies {_REACH}"}


def of_pooled_power(tested: Discrimination, measure: str) -> dict[str, Any]:
    """Of the percentage of significant pairs over all data sets."""
    open_pairs = sum(of_significant_pairs(part.p[part.measures.index(measure)])["tolerance"] for part in tested.parts())
    return {
        "tolerance": 100 * open_pairs / tested.pairs + 0.05,
        "why": f"the share of pairs whose p lies {_REACH}, and rounding of the print",
    }


def _of_two(tested: Discrimination, measures: Sequence[str]) -> list[Floats]:
    upper = np.triu_indices(len(tested.runs), 1)
    return [np.asarray(tested.p[tested.measures.index(one)][upper]) for one in measures]


def of_overlap(tested: Discrimination, pair: Shared) -> dict[str, Any]:
    """Of the overlap in %: from all open pairs found by both measures to all of them found by one alone."""
    first, second = _of_two(tested, (pair.first, pair.second))
    either = _open(first) | _open(second)
    ones, others = first < ALPHA, second < ALPHA
    sure = ~either
    both, any_of_two = int((ones & others & sure).sum()), int(((ones | others) & sure).sum())
    left = int(either.sum())
    ends = [significance_overlap(0, both + left, any_of_two - both), significance_overlap(left, both, any_of_two - both)]
    apart = max((abs(end - pair.overlap) for end in ends if not math.isnan(end)), default=0.0)
    return {"tolerance": 100 * apart + 0.05, "why": f"as pairs may fall whose p lies {_REACH}, and rounding of the print"}


def of_contradictions(tested: Discrimination, first: str, second: str) -> dict[str, Any]:
    """Of the number of contradictions: pairs of runs in opposite order, of which a p-value is open."""
    one, other = _of_two(tested, (first, second))
    upper = np.triu_indices(len(tested.runs), 1)
    better = tested.better()
    sides = [better[tested.measures.index(name)][upper] for name in (first, second)]
    opposite = sides[0] * sides[1] < 0
    perhaps = (one < ALPHA + _reach()) & (other < ALPHA + _reach())
    count = int((opposite & perhaps & (_open(one) | _open(other))).sum())
    return {"tolerance": float(count), "why": f"as many pairs, in opposite order, of which a p lies {_REACH}"}
