"""Trials by the thousand. Every kernel takes whole-number scores, a seed, and the first trial and number of trials to do, and
gives one row per trial.

The shuffles of ``permuted_ranges`` come compiled by numba and in NumPy, equal to the bit; the compiled ones do not hold Python's
lock while they run. Sums with random signs, or of resampled topics, are matrix products, which NumPy has.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.statistics.arrays import Integers
from metameasure.statistics.streams import LOW_HALF, bounded, signs, times_drawn, trial_keys, trial_words
from metameasure.statistics.work import blocks

Kernel = Literal["auto", "numba", "numpy"]
_CELLS_AT_ONCE = 2**21
_WORTH_LOADING = 2**24  # cells that NumPy does in less than a second, which it takes to load numba
_WORTH_COMPILING = 2**22  # cells of one chunk of trials; NumPy does so many in a fifth of a second, and there may be 32 chunks


def permuted_ranges(scores: Integers, seed: int, first: int, count: int, kernel: Kernel = "auto") -> Integers:
    """Systems permuted within each topic, independently: the largest less the smallest sum over topics, per measure.

    ``scores`` is (topics, systems, measures), and all measures share the permutations; the result is (trials, measures).
    """
    compiled = _compiled(kernel, count * scores.size)
    if compiled is None:
        return _permuted_ranges(scores, seed, first, count)
    out = np.empty((count, scores.shape[-1]), dtype=np.int64)
    compiled.permuted_ranges(np.ascontiguousarray(scores), trial_keys(seed, first, count), out)
    return out


def flipped_sums(scores: Integers, seed: int, first: int, count: int) -> Integers:
    """Each topic's scores with a random sign, the same for all systems, summed: (topics, systems) -> (trials, systems)."""
    return _in_blocks(len(scores), seed, first, count, lambda keys: exact_product(signs(keys, len(scores)), scores))


def resampled_sums(scores: Integers, seed: int, first: int, count: int) -> Integers:
    """As many topics as there are, drawn with replacement, summed: (topics, systems) -> (trials, systems)."""
    return _in_blocks(len(scores), seed, first, count, lambda keys: exact_product(times_drawn(keys, len(scores)), scores))


def exact_product(times: npt.NDArray[np.integer[Any]], values: Integers) -> Integers:
    """The matrix product of whole numbers, to the last digit. Floats hold them exactly up to 2^53, and their products are faster
    by far: so long as no sum gets there, the order of its terms does not matter."""
    largest = float(np.abs(times).sum(axis=1, dtype=np.int64).max(initial=0)) * float(np.abs(values).max(initial=0))
    if largest >= 2**53:
        return np.asarray(times.astype(np.int64) @ values)
    return np.asarray((times.astype(np.float64) @ values.astype(np.float64)).astype(np.int64))


def _in_blocks(trial_cells: int, seed: int, first: int, count: int, one: Callable[[Any], Integers]) -> Integers:
    """Trials a few at a time, so that NumPy's temporaries stay small."""
    some_trials = blocks(count, trial_cells, _CELLS_AT_ONCE)
    return np.concatenate([one(trial_keys(seed, first + start, some)) for start, some in some_trials])


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
            sums[:, place] = np.take_along_axis(left, chosen, axis=2)[:, :, 0].sum(axis=1)
            np.put_along_axis(left, chosen, left[:, :, place : place + 1], axis=2)
        sums[:, 0] = left[:, :, 0].sum(axis=1)
        return np.asarray(sums.max(axis=1) - sums.min(axis=1))

    return _in_blocks(scores.size, seed, first, count, one)


def _compiled(kernel: Kernel, cells: int) -> ModuleType | None:
    """The compiled kernels, loaded when first used; None if NumPy is chosen, where numba is absent or broken, or where
    loading it, or compiling again in each process, would take longer than so many cells."""
    if kernel not in ("auto", "numba", "numpy"):
        raise UsageError(f"there is no kernel '{kernel}'", hint="choose auto, numba or numpy")
    if kernel == "numpy" or (kernel == "auto" and not _worth_loading(cells)):
        return None
    module = _loaded()
    if kernel == "numba" and isinstance(module, Exception):
        raise UsageError(f"numba cannot be used ({module})", hint="leave it out to have one chosen") from None
    if isinstance(module, Exception) or (kernel == "auto" and cells < _WORTH_COMPILING and not module.kept_on_disk()):
        return None
    return module


_so_far = {"by NumPy": 0}


def _worth_loading(cells: int) -> bool:
    """Whether numba is loaded already, or NumPy would have done as much in this process as takes as long."""
    _so_far["by NumPy"] += cells
    return _loaded.cache_info().currsize > 0 or _so_far["by NumPy"] >= _WORTH_LOADING


@cache
def _loaded() -> ModuleType | Exception:
    """The compiled kernels, tried once; or what is wrong with numba, which may be anything."""
    try:
        compiled = importlib.import_module("metameasure.statistics.compiled")
        compiled.mix(np.uint64(1))
    except Exception as error:
        return error
    return compiled
