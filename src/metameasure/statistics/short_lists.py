"""Many short lists at once, compiled by numba: sorting them, counting their pairs, going down them until something satisfies.

Lists lie in memory item by item, (items, cases). Each kernel has a twin in the array API beside the measure that calls it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from metameasure.statistics.compiled import jit

_AT_ONCE = 512  # cases whose lists stay in the first cache


@jit
def exchange(keys: Any, other: Any) -> None:
    """Sort by exchanging neighbours, in place; the other array goes along. Without branches: vector instructions do the work."""
    items, cases = keys.shape
    for first in range(0, cases, _AT_ONCE):
        end = min(first + _AT_ONCE, cases)
        for behind in range(items - 1, 0, -1):
            for place in range(behind):
                low, high = keys[place, first:end], keys[place + 1, first:end]
                low_other, high_other = other[place, first:end], other[place + 1, first:end]
                for case in range(end - first):
                    a, b, x, y = low[case], high[case], low_other[case], high_other[case]
                    wrong = a > b
                    low[case], high[case] = b if wrong else a, a if wrong else b
                    low_other[case], high_other[case] = y if wrong else x, x if wrong else y


@jit
def count_pairs(predicted: Any, gold: Any, epsilon: float, totals: Any) -> None:
    """Pairs on which both agree, that both order, that the prediction orders, that the human orders: (4, cases). Pairs with a
    NaN are in none."""
    items, cases = predicted.shape
    totals[:] = 0
    for item in range(items - 1):
        for other in range(item + 1, items):
            for case in range(cases):
                gap = predicted[item, case] - predicted[other, case]
                gold_gap = gold[item, case] - gold[other, case]
                before, behind = gap < -epsilon, gap > epsilon
                gold_before, gold_behind = gold_gap < 0, gold_gap > 0
                ordered, gold_ordered = before | behind, gold_before | gold_behind
                totals[0, case] += (before & gold_before) | (behind & gold_behind)
                totals[1, case] += ordered & gold_ordered
                totals[2, case] += ordered
                totals[3, case] += gold_ordered


@jit
def expected_stop(satisfied: Any, starts: Any, cut_off: int, out: Any) -> None:
    """The expected reciprocal rank, ties in expectation over tie breaks."""
    items, cases = satisfied.shape
    past = np.empty(items + 1, np.float64)
    for case in range(cases):
        total, going_on, place = 0.0, 1.0, 0
        while place < items:
            before, coming_in, size = place, going_on, 0
            past[0] = 1.0
            while place < items and (size == 0 or not starts[place, case]):
                go_on = 1 - satisfied[place, case]
                going_on *= go_on
                size += 1
                past[size] = 0.0
                for j in range(size, 0, -1):
                    past[j] = ((size - j) * past[j] + j * past[j - 1] * go_on) / size
                place += 1
            for j in range(1, size + 1):
                if before + j <= cut_off:
                    total += coming_in * (past[j - 1] - past[j]) / (before + j)
        out[case] = total
