"""Work in chunks, and bars of progress: trials are given out to any executor of ``concurrent.futures``, and results come in
order, whatever the chunks and the workers."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar, copy_context
from typing import Any, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.statistics.memory import keep_freed_memory
from metameasure.statistics.pieces import NoFingerprintError, Pieces, UnfitPieceError, fingerprint, setting, where_kept

Numbers = TypeVar("Numbers", bound=npt.NDArray[Any])
Part = TypeVar("Part")
_CHUNKS_A_WORKER = 16
_CHUNKS_KEPT = 64
_SILENT_SECONDS, _PAUSE = 2.0, 0.1
_WIDTH = 20


def in_chunks(
    task: Callable[[int, int], Numbers],
    trials: int,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> Numbers:
    """``task(first, count)`` for all trials, stacked. Ctrl-C is obeyed as soon as the running chunks are done."""
    for name, number in (("threads", threads), ("chunk", chunk)):
        if number is not None and number < 1:
            raise UsageError(f"{name} is {number}", hint="choose at least 1")
    workers = threads or os.cpu_count() or 1
    pieces, key = _kept_by(task)
    # Where pieces are kept, they are the same whatever the number of workers.
    size = chunk or max(1, -(-trials // (_CHUNKS_KEPT if pieces else workers * _CHUNKS_A_WORKER)))
    parts = [(first, min(size, trials - first)) for first in range(0, trials, size)]
    arrays = {part: pieces.get(f"{key}-{part[0]}-{part[1]}") for part in parts} if pieces else {}
    keep_freed_memory()
    pool = ThreadPoolExecutor(workers) if executor is None else executor
    found = [part for part in parts if arrays.get(part) is not None]
    again = pool.submit(task, *found[-1]) if found else None
    futures = {part: pool.submit(task, *part) for part in parts if arrays.get(part) is None}
    try:
        if again is not None:
            _check_found([(part, cast("npt.NDArray[Any]", arrays[part])) for part in found], again.result())
        for part, future in in_steps(futures.items(), len(futures), "", lambda _: 1):
            drawn = future.result()
            arrays[part] = drawn
            if pieces:
                pieces.put(f"{key}-{part[0]}-{part[1]}", drawn)
    finally:
        for future in futures.values():
            future.cancel()  # what has not begun, where something went wrong
        if executor is None:
            pool.shutdown()
    return cast("Numbers", np.concatenate([arrays[part] for part in parts]))


def _check_found(found: Sequence[tuple[tuple[int, int], npt.NDArray[Any]]], again: npt.NDArray[Any]) -> None:
    """UnfitPieceError for chunks that were kept, of which the last was done ``again``, and that are not such as the task gives.
    Machines may differ in the last digits, so that is all that may differ."""
    (_, trials), last = found[-1]
    one_a_trial = len(again) == trials
    for (_, count), array in found:
        if array.dtype != again.dtype or array.shape != (count if one_a_trial else len(again), *again.shape[1:]):
            raise UnfitPieceError(f"a piece of it has the type {array.dtype} and the shape {array.shape}")
    if not np.allclose(last, again, rtol=1e-9, atol=1e-9, equal_nan=True):
        raise UnfitPieceError("a piece of it is not what its trials give")


@overload
def drawn_p(reached: int, trials: int) -> float: ...
@overload
def drawn_p(reached: npt.NDArray[np.int64], trials: int) -> npt.NDArray[np.float64]: ...
def drawn_p(reached: Any, trials: int) -> Any:
    """The p-value where so many of the trials that were drawn reach the observed value: (count + 1) / (B + 1), the data
    themselves being one of all ways."""
    return (reached + 1) / (trials + 1)


def check_trials(trials: int) -> None:
    """UsageError for a test without trials."""
    if trials < 1:
        raise UsageError(f"there cannot be {trials} trials", hint="choose at least one")


def blocks(trials: int, cells: int, at_once: int) -> Iterator[tuple[int, int]]:
    """Where each block of trials starts, and how many it has: as many as are done at once, if each of them takes so many
    cells."""
    step = max(1, at_once // max(1, cells))
    for first in range(0, trials, step):
        yield first, min(step, trials - first)


def _kept_by(task: Callable[[int, int], Any]) -> tuple[Pieces | None, str]:
    """Where the chunks of a task are kept, and under which name; nowhere where nothing is kept, or the task has no name."""
    pieces = where_kept()
    with suppress(NoFingerprintError):
        return pieces, fingerprint(task) if pieces else ""
    return None, ""


_SHOWN: ContextVar[bool] = ContextVar("progress is shown", default=True)


def without_progress() -> AbstractContextManager[None]:
    """No bars while this lasts."""
    return setting(_SHOWN, value=False)


@contextmanager
def said_after(seconds: float, text: str) -> Iterator[None]:
    """A line on standard error where this lasts longer, unless no progress is to be shown."""

    def write() -> None:
        if _SHOWN.get():
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    timer = threading.Timer(seconds, copy_context().run, args=(write,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Progress:
    """A bar on a terminal's standard error, with the time left, once a piece of work takes more than two seconds."""

    def __init__(self, steps: int, unit: str = "") -> None:
        self.steps, self.unit, self.done, self.start, self.length = steps, unit, 0, time.monotonic(), 0

    def step(self, steps: int = 1) -> None:
        self.done += steps
        self.show(self.done / self.steps if self.steps else 1.0)

    def show(self, share: float) -> None:
        """How much of it is done."""
        taken = time.monotonic() - self.start
        if taken <= _SILENT_SECONDS or not _SHOWN.get() or not sys.stderr.isatty():
            return
        filled = int(_WIDTH * share)
        text = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {int(100 * share)}%"
        if self.unit and self.steps:
            text += f"  {round(share * self.steps):,} of {self.steps:,} {self.unit}"
        if share > 0:
            text += f"  {duration(taken * (1 - share) / share)} left"
        sys.stderr.write("\r" + text.ljust(self.length))
        sys.stderr.flush()
        self.length = max(self.length, len(text))

    def clear(self) -> None:
        if self.length:
            sys.stderr.write("\r" + " " * self.length + "\r")
            sys.stderr.flush()
            self.length = 0


def duration(seconds: float) -> str:
    """As people say it.

    >>> duration(8.2), duration(200), duration(9000)
    ('8 s', '3 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def in_steps(parts: Iterable[Part], steps: int, unit: str, size: Callable[[Part], int]) -> Iterator[Part]:
    """The parts one after the other, with a bar: so many steps in all, and each part is some of them."""
    progress = Progress(steps, unit)
    try:
        for part in parts:
            yield part
            progress.step(size(part))
    finally:
        progress.clear()


@contextmanager
def watching(steps: Callable[[], int], unit: str, share: Callable[[], float]) -> Iterator[None]:
    """A bar for work that cannot be interrupted. It asks at intervals which share of the work is done (below 0: unknown).
    ``steps`` gives the number of steps in all, and is called once the bar is shown."""
    if not _SHOWN.get() or not sys.stderr.isatty():
        yield
        return
    over = threading.Event()

    def watch() -> None:
        if over.wait(max(0.0, _SILENT_SECONDS)):
            return
        progress = Progress(steps(), unit)
        progress.start -= max(0.0, _SILENT_SECONDS)
        last = 0.0
        while not over.wait(_PAUSE):
            done = share()
            if done < last:  # another query has begun
                progress.start = time.monotonic()
            if done >= 0:
                progress.show(done)
                last = done
        progress.clear()

    watcher = threading.Thread(target=copy_context().run, args=(watch,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
