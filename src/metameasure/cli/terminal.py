"""What stands between the program and a terminal: names from files are shown there, and never obeyed."""

from __future__ import annotations

import re
from typing import Any

from metameasure.show.inert import visible

_COLOURS = re.compile(r"(\x1b\[(?:0|33|34)m)")
"""The only escape sequences that are ours: those of tables (``show/formats/plain.py``)."""
_BAR = re.compile(r"\r(?:\[#*\.*\][ \w,.%]*| *\r)")
"""A bar of progress (``statistics/work.py``), which overwrites its own line."""


class Guarded:
    """A stream to a terminal that shows control characters instead of sending them, whatever the format. What goes into a file
    or a pipe passes no guard: there, CSV and TSV hold names as they are."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if _BAR.fullmatch(text):
            return int(self._stream.write(text))
        self._stream.write("".join(part if _COLOURS.fullmatch(part) else visible(part) for part in _COLOURS.split(text)))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guarded(stream: Any) -> Any:
    """The stream, with a guard where it is a terminal's."""
    return Guarded(stream) if stream is not None and stream.isatty() else stream
