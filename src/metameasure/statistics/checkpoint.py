"""Work that can be interrupted: finished pieces are kept in a file, from which the same work continues (``--resume FILE``).

The file is a ZIP archive: ``about.json`` says which work it belongs to, and each piece is a NumPy array. A new file is
written beside the old one and replaces it, so that a kill at any moment leaves one or the other.
"""

from __future__ import annotations

import json
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import say
from metameasure.core.output import final_target, whole_file
from metameasure.statistics.pieces import UnfitPieceError, keeping
from metameasure.version import __version__

FORMAT = 1
_ABOUT = "about.json"
_SHARE_OF_TIME = 0.1
"""The most of the time that goes into writing the file."""
_ANEW = "name another file with {--resume}, or remove this one to start again"


@dataclass(eq=False)
class Checkpoint:
    """A file of finished pieces of one work, of which ``about`` says all that it depends on."""

    path: Path
    about: Mapping[str, Any]
    pieces: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    written: int = 0
    not_before: float = 0.0

    def get(self, key: str) -> npt.NDArray[Any] | None:
        return self.pieces.get(key)

    def put(self, key: str, piece: npt.NDArray[Any]) -> None:
        """Keep a piece; the file is written as often as that costs little."""
        with self.lock:
            self.pieces[key] = piece
            start = time.monotonic()
            if start >= self.not_before:
                self.write()
                now = time.monotonic()
                self.not_before = now + (now - start) / _SHARE_OF_TIME

    def write(self) -> None:
        """The file with all pieces, whole or not at all."""
        if len(self.pieces) == self.written:
            return
        with whole_file(self.path) as scratch, zipfile.ZipFile(scratch, "w") as archive:
            archive.writestr(_ABOUT, json.dumps(self.about))
            for key, piece in self.pieces.items():
                with archive.open(f"{key}.npy", "w", force_zip64=True) as stream:
                    np.lib.format.write_array(stream, piece, allow_pickle=False)
        self.written = len(self.pieces)


@contextmanager
def resuming(path: str | Path | None, work: str, *, data: str, settings: Mapping[str, Any]) -> Iterator[None]:
    """Pieces of the work are kept in the file, and taken from it where it has them; without a path, nothing is kept.

    UsageError for a file of other work: another command, version, data, seed or other settings. DataError for one that is
    damaged, or no file of ours. Settings are what JSON can hold, and ``data`` is a fingerprint.
    """
    if path is None:
        yield
        return
    facts = {"format": FORMAT, "version": __version__, "work": work, "data": data, "settings": settings}
    about = json.loads(json.dumps(facts, default=str))
    target = final_target(path)
    checkpoint = Checkpoint(target, about)
    if target.exists():
        stored, checkpoint.pieces = _read(path)
        _check(path, stored, about)
        checkpoint.written = len(checkpoint.pieces)
    try:
        with keeping(checkpoint):
            yield
    except UnfitPieceError as error:
        checkpoint.written = len(checkpoint.pieces)  # it is not ours to overwrite
        raise _unreadable(path, error) from None
    finally:
        with checkpoint.lock:
            checkpoint.write()


def _unreadable(path: str | Path, error: Exception | str) -> DataError:
    return DataError(say("{path}: this is not a readable checkpoint ({error})", path=path, error=error), hint=say(_ANEW))


def _read(path: str | Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """What is in a file: what it says about itself, and its pieces. Every byte is covered by a checksum of the archive. No piece
    is compressed, so none takes more room than the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            if any(info.compress_type != zipfile.ZIP_STORED for info in archive.infolist()):
                raise ValueError("it is compressed")  # noqa: TRY301 - as if a library said it
            about = json.loads(archive.read(_ABOUT))
            names = [name for name in archive.namelist() if name != _ABOUT]
            pieces = {name.removesuffix(".npy"): _array(archive, name) for name in names}
    except Exception as error:  # whatever the libraries raise is the file's fault
        raise _unreadable(path, error) from None
    return about if isinstance(about, dict) else {}, pieces


def _array(archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    with archive.open(name) as stream:
        array: npt.NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
        stream.read()  # to the end, where the checksum is compared
    return array


def _check(path: str | Path, stored: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """UsageError where a file belongs to other work than this, DataError where it does not say to which."""
    for name, words in (("format", "metameasure {}"), ("version", "metameasure {}"), ("work", "{}")):
        if stored.get(name) != about[name]:
            shown = "version" if name == "format" else name
            description, wanted = (words.format(one.get(shown)) for one in (stored, about))
            raise UsageError(f"'{path}' is a checkpoint of {description}, and this is {wanted}", hint=say(_ANEW))
    theirs, ours = stored.get("settings"), about["settings"]
    if not isinstance(theirs, dict):
        raise _unreadable(path, "it does not say its settings")
    other = [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]
    if other:
        description = " and ".join(f"{name} {_shown(theirs.get(name))}, not {_shown(ours.get(name))}" for name in other)
        raise UsageError(f"'{path}' is a checkpoint of the same work with {description}", hint=say(_ANEW))
    if stored.get("data") != about["data"]:
        raise UsageError(f"'{path}' is a checkpoint of other data", hint=say(_ANEW))


def _shown(value: Any) -> str:
    return "none" if value is None else ",".join(map(str, value)) if isinstance(value, list) else str(value)
