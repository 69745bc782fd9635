"""Files that appear whole or not at all."""

from __future__ import annotations

import os
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
