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

Numbers = TypeVar("Numbers", bound=npt.NDArray[Any])
_CHUNKS_A_WORKER = 16
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
        raise UsageError(f"{threads} threads and chunks of {chunk} trials", hint="choose at least one of each")
    workers = threads or os.cpu_count() or 1
    size = chunk or max(1, min(trials, -(-trials // (workers * _CHUNKS_A_WORKER))))
    starts = range(0, trials, size)
    with _executor(executor, workers) as pool:
        futures = [pool.submit(task, first, min(size, trials - first)) for first in starts]
        return cast("Numbers", np.concatenate(list(_in_order(futures))))


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
