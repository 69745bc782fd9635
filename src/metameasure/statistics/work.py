"""Trials given out in chunks to any executor of ``concurrent.futures``; results in order, whatever the chunks and the workers."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.statistics.pieces import NoFingerprintError, Pieces, fingerprint, where_kept

Numbers = TypeVar("Numbers", bound=npt.NDArray[Any])
_CHUNKS_A_WORKER = 16
_CHUNKS_KEPT = 64
_SILENT_SECONDS = 1.0


def in_chunks(
    task: Callable[[int, int], Numbers],
    trials: int,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> Numbers:
    """``task(first, count)`` for all trials, stacked. Ctrl-C is obeyed as soon as the running chunks are done."""
    if (threads is not None and threads < 1) or (chunk is not None and chunk < 1):
        raise UsageError(f"{threads} thread(s), chunks of {chunk}", hint="at least one of each")
    workers = threads or os.cpu_count() or 1
    pieces, key = _kept_by(task)
    # Where pieces are kept, they are the same whatever the number of workers.
    size = chunk or max(1, -(-trials // (_CHUNKS_KEPT if pieces else workers * _CHUNKS_A_WORKER)))
    parts = [(first, min(size, trials - first)) for first in range(0, trials, size)]
    found = {part: pieces.get(f"{key}-{part[0]}-{part[1]}") for part in parts} if pieces else {}
    with _executor(executor, workers) as pool:
        futures = {part: pool.submit(task, *part) for part in parts if found.get(part) is None}
        for part, drawn in zip(futures, _in_order(list(futures.values())), strict=True):
            found[part] = drawn
            if pieces:
                pieces.put(f"{key}-{part[0]}-{part[1]}", drawn)
    return cast("Numbers", np.concatenate([found[part] for part in parts]))


def _kept_by(task: Callable[[int, int], Any]) -> tuple[Pieces | None, str]:
    """Where the chunks of a task are kept, and under which name; nowhere where nothing is kept, or the task has no name."""
    pieces = where_kept()
    if pieces is None:
        return None, ""
    try:
        return pieces, fingerprint(task)
    except NoFingerprintError:
        return None, ""


@contextmanager
def _executor(given: Executor | None, workers: int) -> Iterator[Executor]:
    """The user's, which stays open; or threads of our own, which do not outlive the call."""
    if given is not None:
        yield given
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(futures: list[Future[Numbers]]) -> Iterator[Numbers]:
    progress = Progress(len(futures))
    try:
        for future in futures:
            yield future.result()
            progress.step()
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    finally:
        progress.clear()


_SHOWN: ContextVar[bool] = ContextVar("progress is shown", default=True)


@contextmanager
def without_progress() -> Iterator[None]:
    """No bars while this lasts."""
    token = _SHOWN.set(False)
    try:
        yield
    finally:
        _SHOWN.reset(token)


class Progress:
    """A bar on a terminal's standard error, once a piece of work takes more than a second."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done, self.start, self.shown = steps, 0, time.monotonic(), False

    def step(self) -> None:
        self.done += 1
        if _SHOWN.get() and sys.stderr.isatty() and time.monotonic() - self.start > _SILENT_SECONDS:
            filled = 40 * self.done // self.steps
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {100 * self.done // self.steps} %")
            sys.stderr.flush()
            self.shown = True

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * 50 + "\r")
            sys.stderr.flush()
