"""A counter-based stream of random bits for each trial: word i of trial t of a seed is a function of those three numbers alone.

So a result depends neither on threads, chunks or workers, nor on how many trials follow; and the same words come from NumPy here
and from compiled kernels elsewhere. The words are those of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), each trial with a
start of its own.
"""

from __future__ import annotations

import operator

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)


def mixed(words: Words) -> Words:
    """SplitMix64's finaliser."""
    words = (words ^ (words >> np.uint64(30))) * FIRST
    words = (words ^ (words >> np.uint64(27))) * SECOND
    return words ^ (words >> np.uint64(31))


def trial_keys(seed: int, first: int, count: int) -> Words:
    """Where the streams of trials first, first + 1, ... start."""
    with np.errstate(over="ignore"):
        start = mixed(np.full(1, operator.index(seed) % 2**64, dtype=np.uint64) * GOLDEN + FIRST)
        trials = np.arange(first, first + count, dtype=np.uint64)
        return mixed(start + (trials + np.uint64(1)) * SECOND)


def trial_words(keys: Words, first: int, count: int) -> Words:
    """Words first, first + 1, ... of each stream: (trials, words)."""
    with np.errstate(over="ignore"):
        steps = (np.arange(first, first + count, dtype=np.uint64) + np.uint64(1)) * GOLDEN
        return mixed(keys[:, None] + steps)


def bounded(halves: Words, bound: int) -> npt.NDArray[np.int64]:
    """32 random bits as a whole number under the bound; uneven by less than bound / 2^32."""
    return ((halves * np.uint64(bound)) >> np.uint64(32)).astype(np.int64)
