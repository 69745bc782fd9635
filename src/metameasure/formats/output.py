"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metameasure.errors import UsageError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A scratch file beside the wanted one, with its endings, which takes its place once all is written."""
    target = final_target(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".", suffix="".join(target.suffixes))
    except OSError as error:
        raise UsageError(f"cannot write '{target}': {error.strerror}", hint="check the folder") from None
    os.close(handle)
    scratch = Path(name)
    try:
        yield scratch
        scratch.chmod(0o666 & ~_umask())
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """A scratch folder beside the wanted one, which takes its place once all is written. UsageError where there is something
    already."""
    target = Path(path)
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(f"'{target}' exists already", hint="name a new folder, or empty it first")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix="."))
    except OSError as error:
        raise UsageError(f"cannot write '{target}': {error.strerror}", hint="check the folder") from None
    try:
        yield scratch
        scratch.chmod(0o777 & ~_umask())
        scratch.replace(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def final_target(path: str | Path) -> Path:
    """The file that is written where a user names this path: links are followed. UsageError for what is no file."""
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    if target.is_dir():
        raise UsageError(f"'{path}' is a folder", hint="name the file to write")
    if target.exists() and not target.is_file():
        raise UsageError(f"'{path}' is a pipe or a device, not a file", hint="name a file to write")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write '{path}': No such file or directory", hint="check the folder")
    return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
