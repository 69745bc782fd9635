"""The shuffles of ``kernels.py``, compiled by numba. Word for word the same streams as NumPy's."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from metameasure.statistics.streams import FIRST, GOLDEN, LOW_HALF, SECOND

_HALF, _ONE = np.uint64(32), np.uint64(1)
_TOPICS_DRAWN = 24  # whose words are drawn at once; a multiple of 3


@cache
def kept_in() -> str | None:
    """The folder in which compiled kernels outlive the process. Empty where numba finds one by itself, beside the package or in
    the home folder; or else a folder for temporary files that nobody but this user can write; None where there is none."""
    try:
        numba.njit(cache=True)(_nothing)
    except RuntimeError:
        folder = private_folder(Path(tempfile.gettempdir()))
        return None if folder is None else str(folder)
    return ""


def kept_on_disk() -> bool:
    """Whether compiled kernels outlive the process."""
    return kept_in() is not None


def private_folder(parent: Path) -> Path | None:
    """A folder of this user's own; None where it cannot be made, or somebody else could put files there."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = parent / f"metameasure-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    private = stat.S_ISDIR(status.st_mode) and status.st_uid == user and not status.st_mode & 0o077
    return folder if private or os.name == "nt" else None


def _nothing() -> None:
    """Something to ask numba to keep."""


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled when first called, without Python's lock; kept on disk where there is a place for it."""
    with _keeping_in(kept_in()):
        compiled: Callable[..., Any] = numba.njit(nogil=True, cache=kept_on_disk())(function)
    return compiled


@contextmanager
def _keeping_in(folder: str | None) -> Iterator[None]:
    """Functions that are declared here are kept in the folder. Numba knows of it by a setting of the whole process, which is as
    it was afterwards."""
    if not folder:
        yield
        return
    settings: Any = numba.config
    usual = settings.CACHE_DIR
    settings.CACHE_DIR = folder
    try:
        yield
    finally:
        settings.CACHE_DIR = usual


@jit
def mix(word: Any) -> Any:
    """SplitMix64's finaliser."""
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return word ^ (word >> np.uint64(31))


@jit
def draw(words: Any, key: Any, first: int) -> None:
    """Words first, first + 1, ... of a stream, in a loop of their own, which compilers turn into vector instructions."""
    for place in range(len(words)):
        words[place] = mix(key + np.uint64(first + place + 1) * GOLDEN)


def permuted_ranges(scores: Any, keys: Any, out: Any) -> None:
    """Fisher and Yates's shuffle of each topic's systems, the sums taken on the way. Only what is called is compiled, which takes
    4 seconds for one measure and 8 for several."""
    if scores.shape[2] == 1:
        _ranges_of_one(scores, keys, out)
    else:
        _ranges_of_several(scores, keys, out)


@jit
def _ranges_of_one(scores: Any, keys: Any, out: Any) -> None:
    """One measure, three topics at a time: their shuffles need not wait for each other. Topics of zeros change no sum. Both
    halves of a word are written out: in a loop, they take a fifth longer."""
    topics, systems, _ = scores.shape
    padded = np.zeros((-(-topics // 3) * 3, systems), dtype=np.int64)
    padded[:topics] = scores[:, :, 0]
    a, b, c = np.empty(systems, np.int64), np.empty(systems, np.int64), np.empty(systems, np.int64)
    sums = np.empty(systems, np.int64)
    half = systems // 2  # words for a topic, two draws each
    words = np.empty(_TOPICS_DRAWN * half, np.uint64)
    for trial in range(len(keys)):
        sums[:] = 0
        for topic in range(0, len(padded), 3):
            if topic % _TOPICS_DRAWN == 0:
                draw(words, keys[trial], topic * half)
            for system in range(systems):
                a[system], b[system], c[system] = padded[topic, system], padded[topic + 1, system], padded[topic + 2, system]
            at, bound = np.uint64(topic % _TOPICS_DRAWN * half), np.uint64(systems)
            for _ in range(half):
                x, y, z = words[at], words[at + np.uint64(half)], words[at + np.uint64(2 * half)]
                at += _ONE
                i, j, k = ((x & LOW_HALF) * bound) >> _HALF, ((y & LOW_HALF) * bound) >> _HALF, ((z & LOW_HALF) * bound) >> _HALF
                bound -= _ONE
                sums[bound] += a[i] + b[j] + c[k]
                a[i] = a[bound]
                b[j] = b[bound]
                c[k] = c[bound]
                i, j, k = ((x >> _HALF) * bound) >> _HALF, ((y >> _HALF) * bound) >> _HALF, ((z >> _HALF) * bound) >> _HALF
                bound -= _ONE
                sums[bound] += a[i] + b[j] + c[k]
                a[i] = a[bound]
                b[j] = b[bound]
                c[k] = c[bound]
            if systems % 2:  # of an even number the last draw, with one system left, has done this
                sums[0] += a[0] + b[0] + c[0]
        out[trial, 0] = sums.max() - sums.min()


@jit
def _ranges_of_several(scores: Any, keys: Any, out: Any) -> None:
    """Several measures: rows are shuffled by number, and the sums taken four measures at a time. Zeros fill up the fours."""
    topics, systems, measures = scores.shape
    padded = np.zeros((-(-topics // 3) * 3, systems, -(-measures // 4) * 4), dtype=np.int64)
    padded[:topics, :, :measures] = scores
    a, b, c = np.empty(systems, np.uint64), np.empty(systems, np.uint64), np.empty(systems, np.uint64)
    rows = padded.reshape(-1, padded.shape[2])
    sums = np.empty(padded.shape[1:], np.int64)
    half = systems // 2
    words = np.empty(_TOPICS_DRAWN * half, np.uint64)
    for trial in range(len(keys)):
        sums[:] = 0
        for topic in range(0, len(padded), 3):
            if topic % _TOPICS_DRAWN == 0:
                draw(words, keys[trial], topic * half)
            for system in range(systems):
                a[system] = topic * systems + system
                b[system], c[system] = a[system] + np.uint64(systems), a[system] + np.uint64(2 * systems)
            at, bound = np.uint64(topic % _TOPICS_DRAWN * half), np.uint64(systems)
            for _ in range(half):
                x, y, z = words[at], words[at + np.uint64(half)], words[at + np.uint64(2 * half)]
                at += _ONE
                for u, v, w in ((x & LOW_HALF, y & LOW_HALF, z & LOW_HALF), (x >> _HALF, y >> _HALF, z >> _HALF)):
                    i, j, k = (u * bound) >> _HALF, (v * bound) >> _HALF, (w * bound) >> _HALF
                    bound -= _ONE
                    a[i], a[bound] = a[bound], a[i]
                    b[j], b[bound] = b[bound], b[j]
                    c[k], c[bound] = c[bound], c[k]
            for system in range(systems):
                _add(sums[system], rows[a[system]], rows[b[system]], rows[c[system]])
        for measure in range(measures):
            out[trial, measure] = sums[:, measure].max() - sums[:, measure].min()


@jit
def _add(total: Any, a: Any, b: Any, c: Any) -> None:
    """Three rows added to a fourth, four numbers at a time."""
    for place in range(0, len(total), 4):
        total[place] += a[place] + b[place] + c[place]
        total[place + 1] += a[place + 1] + b[place + 1] + c[place + 1]
        total[place + 2] += a[place + 2] + b[place + 2] + c[place + 2]
        total[place + 3] += a[place + 3] + b[place + 3] + c[place + 3]
