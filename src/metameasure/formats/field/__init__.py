"""Formats of the field, one file each. A format says how its files are recognised and how their rows become columns; a file of
this folder, or an entry point ``metameasure.formats``, that holds a ``FORMAT`` is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.files import Beginning, look, table
from metameasure.formats.options import ReadOptions, Side
from metameasure.formats.problems import DataProblems
from metameasure.formats.sources import Source
from metameasure.moved import keep_old_names

keep_old_names()


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


@cache
def formats() -> dict[str, Format]:
    """All formats, by name."""
    found = [importlib.import_module(f"{__name__}.{module.name}").FORMAT for module in pkgutil.iter_modules(__path__)]
    found += [point.load() for point in entry_points(group="metameasure.formats")]
    return {format.name: format for format in found}


def format_names(task: str | None = None) -> list[str]:
    """The names of all formats, or of a task's."""
    return [name for name, format in sorted(formats().items()) if task is None or task in format.tasks]


def open_source(shown: str, path: Path, options: ReadOptions, side: Side, scratch: Path) -> Source:
    """A file as a source: of a format of the field where it is one, by the user's word or by its beginning; otherwise a table.

    DataProblems for a file that cannot be read, or that another task reads.
    """
    beginning = look(shown, path)
    if options.format_in is not None and side in _asked_for(options).sides:
        return _read(_asked_for(options), beginning, options, side, scratch)
    for format in formats().values():
        if format.recognises(beginning, options):
            if options.task not in format.tasks:
                hint = f"add --task {format.tasks[0]}"
                raise DataProblems([beginning.problem(0, f"this is {format.title}", hint)])
            return _read(format, beginning, options, side, scratch)
    found = table(beginning, options, scratch)
    graded = options.task == "ranking" and side == "gold" and options.columns.grade in found.columns
    return replace(found, graded=True) if graded else found


def _read(format: Format, beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    found: Any = format.read(beginning, options, side, scratch)
    source: Source = replace(found, format_name=format.name)
    return source


def _asked_for(options: ReadOptions) -> Format:
    known = format_names(options.task)
    if options.format_in not in known:
        near = did_you_mean(options.format_in or "", known) or f"choose {' or '.join(known)}"
        raise UsageError(f"there is no format '{options.format_in}' for {options.task}", hint=near)
    return formats()[options.format_in]
