"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metameasure.core.errors import UsageError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A scratch file beside the wanted one, with its endings, which takes its place once all is written. No pattern matches it,
    since its name begins with a dot. A file that is replaced keeps its permissions. What cannot be written is an OSError that
    names the wanted file."""
    target = final_target(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".", suffix="".join(target.suffixes))
    except OSError as error:
        raise UsageError(f"cannot write '{target}': {error.strerror}", hint="check the folder") from None
    os.close(handle)
    scratch = Path(name)
    try:
        yield scratch
        scratch.chmod(_mode(target, 0o666))
        scratch.replace(target)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(scratch)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        scratch.unlink(missing_ok=True)


def check_new_folder(path: str | Path) -> Path:
    """The folder that can be made there: links are followed. UsageError where there is something already."""
    if not str(path):
        raise UsageError("the name of the new folder is empty", hint="name the folder")
    target = _followed(path)
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(f"'{path}' exists already", hint="name a new folder, or empty it first")
    return target


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """A scratch folder beside the wanted one, which takes its place once all is written. Links are followed. UsageError where
    there is something already."""
    target = check_new_folder(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix="."))
    except OSError as error:
        raise UsageError(f"cannot write '{path}': {error.strerror}", hint="check the folder") from None
    try:
        yield scratch
        scratch.chmod(_mode(target, 0o777))
        scratch.replace(target)
    except OSError as error:
        if error.errno is None or not (error.filename is None or str(error.filename).startswith(str(scratch))):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def final_target(path: str | Path) -> Path:
    """The file that is written where a user names this path: links are followed. UsageError for what is no file."""
    if not str(path):
        raise UsageError("the name of a file to write is empty", hint="name the file")
    target = _followed(path)
    if target.is_dir():
        raise UsageError(f"'{path}' is a folder", hint="name the file to write")
    if target.exists() and not target.is_file():
        raise UsageError(f"'{path}' is a pipe or a device, not a file", hint="name a file to write")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write '{path}': No such file or directory", hint="check the folder")
    return target


def real(path: str | Path) -> Path:
    """Where a path leads, links followed as far as they lead anywhere: one that leads to itself is left."""
    return Path(os.path.realpath(path))


def _followed(path: str | Path) -> Path:
    """What is written where a user names this path. UsageError for a link that leads to itself."""
    target = Path(path)
    if not target.is_symlink():
        return target
    target = real(path)
    if target.is_symlink():
        raise UsageError(f"'{path}' is a link that leads to itself", hint="remove it, or choose another name")
    return target


def _mode(target: Path, new: int) -> int:
    """The permissions of what is replaced, or those of what is new."""
    return stat.S_IMODE(target.stat().st_mode) if target.exists() else new & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
