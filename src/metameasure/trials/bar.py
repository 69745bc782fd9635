"""One bar of progress for all that a trial does, with the time left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from metameasure.statistics.work import Progress, without_progress

T = TypeVar("T")


class Bar:
    """A bar of so many steps. What is done in a step shows no bar of its own."""

    def __init__(self, steps: int) -> None:
        self.progress = Progress(steps)

    def of(self, work: Callable[[], T], steps: int = 1) -> T:
        """What the work gives, which is so many steps."""
        try:
            with without_progress():
                done = work()
        except BaseException:
            self.progress.clear()
            raise
        self.progress.step(steps)
        return done
