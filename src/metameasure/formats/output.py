"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import glob
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
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"'{target}' is a folder", hint="name the file to write")
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refuse_inputs(target: str | Path, option: str, *inputs: str) -> None:
    """UsageError where an output would replace what is read: a slip of the arguments must not cost a submission."""
    wanted = Path(target).resolve()
    for written in inputs:
        matched = [Path(match) for match in glob.glob(written, recursive=True)] or [Path(written)]  # noqa: PTH207 - as the shell
        if wanted in (path.resolve() for path in matched):
            raise UsageError(f"{option} would overwrite '{target}', which is read", hint="choose another name")
