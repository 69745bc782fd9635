"""A counter-based stream of random bits for each trial: word i of trial t of a seed is a function of those three numbers alone.

So a result depends neither on threads, chunks or workers, nor on how many trials follow; and the same words come from NumPy here
and from compiled kernels elsewhere. The words are those of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), each trial with a
start of its own. Where a distribution of NumPy's is drawn from, its generator starts from one of these words: ``stream``.
"""

from __future__ import annotations

import operator

import numpy as np
import numpy.typing as npt

from metameasure.statistics.arrays import Integers

Words = npt.NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)
# Generators have streams of their own: what they draw must not depend on what trials with the same seed draw.
_OF_GENERATORS = 0x4745_4E45_5241_544F


def mixed(words: Words) -> Words:
    """SplitMix64's finaliser."""
    words = words ^ (words >> np.uint64(30))
    words *= FIRST
    words ^= words >> np.uint64(27)
    words *= SECOND
    words ^= words >> np.uint64(31)
    return words


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


def bounded(halves: Words, bound: int) -> Integers:
    """32 random bits as a whole number under the bound; uneven by less than bound / 2^32."""
    scaled = halves * np.uint64(bound)
    scaled >>= np.uint64(32)
    return scaled.view(np.int64)


def signs(keys: Words, number: int) -> npt.NDArray[np.int8]:
    """-1 or 1, (trials, number): one bit each, the lowest of a word first."""
    words = trial_words(keys, 0, -(-number // 64))
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, count=number, bitorder="little")
    return 1 - 2 * bits.view(np.int8)


def times_drawn(keys: Words, number: int) -> Integers:
    """How often each of so many is drawn when as many are drawn with replacement: (trials, number)."""
    words = trial_words(keys, 0, -(-number // 2))
    halves = words.astype("<u8", copy=False).view("<u4")[:, :number]  # of each word the low one first
    places = bounded(halves.astype(np.uint64), number)
    places += np.arange(len(keys))[:, None] * number
    return np.bincount(places.ravel(), minlength=len(keys) * number).reshape(len(keys), number)


def stream(seed: int, *path: int) -> np.random.Generator:
    """NumPy's generator with a stream of its own for each seed and path, whatever else is drawn before or beside it."""
    key = operator.index(seed) ^ _OF_GENERATORS
    for part in (0, *path):
        key = int(trial_keys(key, part, 1)[0])
    return np.random.Generator(np.random.Philox(key=key))
