"""What a question says about itself: the command, the documentation and the list of questions are made of it.

A question is a file in this folder with a ``QUESTION`` in it and a function named like its id, which takes scores and options
and returns a ``Finding``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metameasure import meta
from metameasure.catalogue.sources import Citation
from metameasure.comparing.comparison import TESTS
from metameasure.core.options import ALPHA, SEED, THREADS, TRIALS, Option


@dataclass(frozen=True)
class Question:
    """A question about measures: what it asks and why, how it is answered, where that comes from, how to read the answer."""

    module: str
    id: str
    title: str
    asks: str
    why: str
    formula: str
    read: str
    source: tuple[Citation, ...]
    several: str
    options: tuple[Option, ...] = ()
    place: int = 50
    """Its place where questions are listed."""
    call: str = ""
    """What its function is given besides the scores, as in ``, "run a", "run b"``."""
    name: str = ""
    """What the command line calls it, where that is not its id."""

    @property
    def command(self) -> str:
        """What the command line calls it."""
        return self.name or self.id

    @property
    def answer(self) -> Callable[..., Any]:
        """The function that answers it."""
        function: Callable[..., Any] = getattr(sys.modules[self.module], self.id)
        return function

    def default(self, option: Option) -> Any:
        """What an option is unless it is given."""
        known = inspect.signature(self.answer).parameters
        return known[option.passed_as].default if option.passed_as in known else None  # or it selects scores, or writes a file


def questions() -> list[Question]:
    """All questions, in the order of reading."""
    names = [module_info.name for module_info in pkgutil.iter_modules(meta.__path__, f"{meta.__name__}.")]
    modules = [sys.modules.get(name) or importlib.import_module(name) for name in names]
    return sorted((module.QUESTION for module in modules if hasattr(module, "QUESTION")), key=lambda one: (one.place, one.id))


TEST = Option("test", f"The test of differences between runs: {', '.join(TESTS)}.", metavar="TEST")
LEAVE_OUT = Option(
    "leave-out", "Answer once more without these runs, as in 'maj*'. May be repeated.", metavar="PATTERN", repeated=True
)
TEST_OPTIONS = (ALPHA, TRIALS, SEED, THREADS)
