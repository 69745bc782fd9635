"""Whether a Zstandard file is whole. Its engine reads what is there of a file cut short and says nothing."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO

_FRAME, _SKIPPABLE = 0xFD2FB528, 0x184D2A50
_RUN_LENGTH = 1


def is_whole(path: Path) -> bool:
    """Walk over the frames and blocks (RFC 8878, Section 3.1) without decompressing anything."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        while stream.tell() < size:
            try:
                _pass_frame(stream)
            except (struct.error, IndexError):
                return False
        return stream.tell() == size


def _pass_frame(stream: IO[bytes]) -> None:
    (magic,) = struct.unpack("<I", stream.read(4))
    if magic & 0xFFFFFFF0 == _SKIPPABLE:
        (length,) = struct.unpack("<I", stream.read(4))
        stream.seek(length, 1)
        return
    if magic != _FRAME:
        raise IndexError
    descriptor = stream.read(1)[0]
    single, checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
    content_size = (single, 2, 4, 8)[descriptor >> 6]
    stream.seek((1 - single) + (0, 1, 2, 4)[descriptor & 3] + content_size, 1)
    last = False
    while not last:
        low, high = struct.unpack("<HB", stream.read(3))
        header = low | high << 16
        last = bool(header & 1)
        stream.seek(1 if header >> 1 & 3 == _RUN_LENGTH else header >> 3, 1)
    stream.seek(4 * checksum, 1)
