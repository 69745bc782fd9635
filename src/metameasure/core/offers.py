"""What installed packages offer: their entry points."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from metameasure.core.errors import MetameasureError, MetameasureWarning, by_others


def offered(group: str, what: str, kinds: tuple[type, ...]) -> Iterator[Any]:
    """What installed packages offer under that name, by the names they give it, of these kinds. A broken package is reported, and
    does not take everything else down with it; ``what`` is what the report calls it."""
    if not _may_be_offered(group):
        return
    from importlib.metadata import entry_points  # noqa: PLC0415 - takes as long as a third of NumPy

    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            with by_others(f"the {what} {entry.value} cannot be loaded", ""):
                loaded = entry.load()
                _check_kind(loaded, kinds)
        except MetameasureError as error:
            warnings.warn(error.message, MetameasureWarning, stacklevel=3)
        else:
            yield loaded


def _check_kind(loaded: Any, kinds: tuple[type, ...]) -> None:
    if not isinstance(loaded, kinds):
        raise TypeError(f"{loaded!r} is no {' or '.join(kind.__name__ for kind in kinds)}")


def _may_be_offered(group: str) -> bool:
    """Whether any installed package may offer something under that name, by a look through the folders of packages."""
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True  # packages are not only in folders
    folders = [Path(folder) for folder in sys.path]
    if any(folder.is_file() for folder in folders):
        return True  # an archive
    return any(group.encode() in text for folder in folders for text in _offers_in(folder))


def _offers_in(folder: Path) -> Iterator[bytes]:
    """What the packages in the folder say that they offer."""
    try:
        infos = [path for path in folder.iterdir() if path.suffix in (".dist-info", ".egg-info")]
    except OSError:
        return
    for info in infos:
        with suppress(OSError):
            yield (info / "entry_points.txt").read_bytes()
