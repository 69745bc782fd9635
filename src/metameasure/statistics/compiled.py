"""The kernels of ``kernels.py``, compiled by numba. Word for word the same streams as NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from metameasure.statistics.streams import FIRST, GOLDEN, LOW_HALF, SECOND


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled when first called, without Python's lock; kept on disk where there is a place for it."""
    try:
        compiled: Callable[..., Any] = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # neither the package nor the home folder can be written
        compiled = numba.njit(nogil=True)(function)
    return compiled


@jit
def mix(word: Any) -> Any:
    """SplitMix64's finaliser."""
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return word ^ (word >> np.uint64(31))


@jit
def permuted_ranges(scores: Any, keys: Any, out: Any) -> None:
    """Fisher and Yates's shuffle of each topic's systems, the sums taken on the way."""
    topics, systems, measures = scores.shape
    left = np.empty((systems, measures), dtype=np.int64)
    sums = np.empty((systems, measures), dtype=np.int64)
    for trial in range(len(keys)):
        word = keys[trial]
        sums[:] = 0
        for topic in range(topics):
            left[:] = scores[topic]
            place = systems - 1
            while place > 0:
                word += GOLDEN
                drawn = mix(word)
                for half in range(2):
                    if place > 0:
                        bits = drawn & LOW_HALF if half == 0 else drawn >> np.uint64(32)
                        chosen = np.int64((bits * np.uint64(place + 1)) >> np.uint64(32))
                        for measure in range(measures):
                            sums[place, measure] += left[chosen, measure]
                            left[chosen, measure] = left[place, measure]
                        place -= 1
            for measure in range(measures):
                sums[0, measure] += left[0, measure]
        for measure in range(measures):
            out[trial, measure] = sums[:, measure].max() - sums[:, measure].min()


@jit
def flipped_sums(scores: Any, keys: Any, out: Any) -> None:
    topics, systems = scores.shape
    for trial in range(len(keys)):
        word, bits = keys[trial], np.uint64(0)
        out[trial] = 0
        for topic in range(topics):
            if topic % 64 == 0:
                word += GOLDEN
                bits = mix(word)
            sign = 1 - 2 * np.int64(bits & np.uint64(1))
            bits = bits >> np.uint64(1)
            for system in range(systems):
                out[trial, system] += sign * scores[topic, system]


@jit
def resampled_sums(scores: Any, keys: Any, out: Any) -> None:
    topics, systems = scores.shape
    for trial in range(len(keys)):
        word, drawn = keys[trial], np.uint64(0)
        out[trial] = 0
        for draw in range(topics):
            if draw % 2 == 0:
                word += GOLDEN
                drawn = mix(word)
            chosen = np.int64(((drawn & LOW_HALF) * np.uint64(topics)) >> np.uint64(32))
            drawn = drawn >> np.uint64(32)
            for system in range(systems):
                out[trial, system] += scores[chosen, system]
