"""Formats of the field, one file each. A format says how its files are recognised and how their rows become columns; a file of
this folder, or an entry point ``metameasure.formats``, that holds a ``FORMAT`` is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from metameasure.core.offers import offered
from metameasure.reading.files import ENDINGS, Beginning
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source


@dataclass(frozen=True)
class Format:
    """``recognises`` looks at a file's beginning, with the options at hand; ``read`` makes a source of the file, whose columns
    have the names that the options give them. ``title`` is what messages call such a file, as in "this is a TREC run"."""

    name: str
    title: str
    tasks: tuple[str, ...]
    recognises: Callable[[Beginning, ReadOptions], bool]
    read: Callable[[Beginning, ReadOptions, Side, Path], Source]
    sides: tuple[Side, ...] = ("gold", "run")
    """Whose files are of the format where the user names it; those of the other side are looked at."""
    endings: tuple[str, ...] = ()
    """What names of its files may end in, which is no part of what a run is called."""
    holds_no_rows: Callable[[Beginning], str] | None = None
    """What another file of the same program is, which lies beside and has no rows: a summary, or settings. Empty for others."""
    rows_are_in: str = ""
    """Which file to name instead."""
    edition: Callable[[Beginning, bool], tuple[str, Any]] | None = None
    """Of which thing a file is an edition, and which: of several, in a folder or by a pattern, the last is read. ``named``
    where the user names the file itself."""


@cache
def formats() -> dict[str, Format]:
    """All formats, by name."""
    known = [importlib.import_module(f"{__name__}.{module.name}").FORMAT for module in pkgutil.iter_modules(__path__)]
    known += offered("metameasure.formats", "format", (Format,))
    return {format.name: format for format in known}


@cache
def endings() -> tuple[str, ...]:
    """What the names of files end in whose format is known, the longest first. Any other ending is part of a run's name."""
    return tuple(sorted({*ENDINGS, *(one for format in formats().values() for one in format.endings)}, key=len, reverse=True))


def format_names(task: str | None = None) -> list[str]:
    """The names of all formats, or of a task's."""
    return [name for name, format in sorted(formats().items()) if task is None or task in format.tasks]


def holds_outcomes(beginning: Beginning) -> bool:
    """Whether a file is of a format that only outcomes are read from."""
    options = ReadOptions(task="outcomes")
    return any(format.tasks == ("outcomes",) and format.recognises(beginning, options) for format in formats().values())
