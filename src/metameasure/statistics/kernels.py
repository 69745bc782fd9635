"""Trials by the thousand: each function comes compiled by numba and in NumPy, equal to the bit.

Every kernel takes whole-number scores, a seed, and the first trial and number of trials to do, and gives one row per trial. The
compiled ones do not hold Python's lock while they run.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.statistics.streams import LOW_HALF, bounded, trial_keys, trial_words

Integers = npt.NDArray[np.int64]
Kernel = Literal["auto", "numba", "numpy"]
_CELLS_AT_ONCE = 2**21
_WORTH_COMPILING = 2**22  # cells of one chunk of trials; NumPy does so many in a fifth of a second, and there may be 32 chunks


def permuted_ranges(scores: Integers, seed: int, first: int, count: int, kernel: Kernel = "auto") -> Integers:
    """Systems permuted within each topic, independently: the largest less the smallest sum over topics, per measure.

    ``scores`` is (topics, systems, measures), and all measures share the permutations; the result is (trials, measures).
    """
    return _run("permuted_ranges", _permuted_ranges, scores, (seed, first, count), kernel)


def flipped_sums(scores: Integers, seed: int, first: int, count: int, kernel: Kernel = "auto") -> Integers:
    """Each topic's scores with a random sign, the same for all systems, summed: (topics, systems) -> (trials, systems)."""
    return _run("flipped_sums", _flipped_sums, scores, (seed, first, count), kernel)


def resampled_sums(scores: Integers, seed: int, first: int, count: int, kernel: Kernel = "auto") -> Integers:
    """As many topics as there are, drawn with replacement, summed: (topics, systems) -> (trials, systems)."""
    return _run("resampled_sums", _resampled_sums, scores, (seed, first, count), kernel)


def _run(name: str, twin: Callable[..., Integers], scores: Integers, trials: tuple[int, int, int], kernel: Kernel) -> Integers:
    """The compiled kernel of that name, or its twin in NumPy: one number per trial and entry of the last axis."""
    compiled = _compiled(kernel, trials[2] * scores.size)
    if compiled is None:
        return twin(scores, *trials)
    out = np.empty((trials[2], scores.shape[-1]), dtype=np.int64)
    getattr(compiled, name)(np.ascontiguousarray(scores), trial_keys(*trials), out)
    return out


def _in_blocks(trial_cells: int, seed: int, first: int, count: int, one: Callable[[Any], Integers]) -> Integers:
    """Trials a few at a time, so that NumPy's temporaries stay small."""
    step = max(1, _CELLS_AT_ONCE // max(1, trial_cells))
    return np.concatenate(
        [one(trial_keys(seed, start, min(step, first + count - start))) for start in range(first, first + count, step)]
    )


def _permuted_ranges(scores: Integers, seed: int, first: int, count: int) -> Integers:
    topics, systems, measures = scores.shape
    words_a_topic = systems // 2  # two draws of 32 bits to a word, systems - 1 draws a topic

    def one(keys: Any) -> Integers:
        words = trial_words(keys, 0, topics * words_a_topic).reshape(len(keys), topics, words_a_topic)
        left = np.broadcast_to(scores, (len(keys), *scores.shape)).copy()
        sums = np.zeros((len(keys), systems, measures), dtype=np.int64)
        for step, place in enumerate(range(systems - 1, 0, -1)):
            word = words[:, :, step // 2]
            chosen = bounded(word & LOW_HALF if step % 2 == 0 else word >> np.uint64(32), place + 1)[:, :, None, None]
            picked = np.take_along_axis(left, chosen, axis=2)
            sums[:, place] = picked[:, :, 0].sum(axis=1)
            np.put_along_axis(left, chosen, left[:, :, place : place + 1], axis=2)
        sums[:, 0] = left[:, :, 0].sum(axis=1)
        ranges: Integers = sums.max(axis=1) - sums.min(axis=1)
        return ranges

    return _in_blocks(scores.size, seed, first, count, one)


def _flipped_sums(scores: Integers, seed: int, first: int, count: int) -> Integers:
    topics = len(scores)

    def one(keys: Any) -> Integers:
        words = trial_words(keys, 0, -(-topics // 64))
        bits = (words[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
        signs = 1 - 2 * bits.reshape(len(keys), -1)[:, :topics].astype(np.int64)
        return signs @ scores

    return _in_blocks(topics * 64, seed, first, count, one)


def _resampled_sums(scores: Integers, seed: int, first: int, count: int) -> Integers:
    topics = len(scores)

    def one(keys: Any) -> Integers:
        words = trial_words(keys, 0, -(-topics // 2))
        halves = np.stack([words & LOW_HALF, words >> np.uint64(32)], axis=2).reshape(len(keys), -1)[:, :topics]
        drawn: Integers = scores[bounded(halves, topics)].sum(axis=1)
        return drawn

    return _in_blocks(scores.size, seed, first, count, one)


def _compiled(kernel: Kernel, cells: int) -> ModuleType | None:
    """The compiled kernels, loaded when first used; None where NumPy is asked for, where numba is absent or broken, or where
    compiling anew in each process would take longer than so many cells."""
    if kernel not in ("auto", "numba", "numpy"):
        raise UsageError(f"there is no kernel '{kernel}'", hint="choose auto, numba or numpy")
    if kernel == "numpy":
        return None
    found = _loaded()
    if kernel == "numba" and isinstance(found, Exception):
        raise UsageError(f"numba cannot be used ({found})", hint="leave the choice of kernel to us") from None
    if isinstance(found, Exception) or (kernel == "auto" and cells < _WORTH_COMPILING and not found.kept_on_disk()):
        return None
    return found


@cache
def _loaded() -> ModuleType | Exception:
    """The compiled kernels, tried once; or what is wrong with numba, which may be anything."""
    try:
        compiled = importlib.import_module("metameasure.statistics.compiled")
        compiled.mix(np.uint64(1))
    except Exception as error:
        return error
    return compiled
