r"""Names from files made harmless where people read them: what would move a cursor, colour a terminal, break a line, turn the
direction of writing or make a drawing unreadable is shown as Python writes it (``\x1b``), and never sent. What is
written to a terminal passes a guard, so that nothing gets past."""

from __future__ import annotations

import re
from typing import Any

LONGEST = 200
"""A longer cell of a table in a terminal, or text of a chart, is cut in the middle. Files and JSON have it whole."""
# Control characters but for line end and tab, marks and overrides of direction, line separators, halves of characters, and what
# no XML may contain. Tab and line end are the business of whoever sets a line.
ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_COLOURS = re.compile(r"(\x1b\[(?:0|33|34)m)")
"""The only escape sequences that are ours: those of tables (``show/formats/plain.py``)."""
_BAR = re.compile(r"\r(?:\[#*\.*\][ \w,.%]*| *\r)")
"""A bar of progress (``statistics/work.py``), which overwrites its own line."""


def visible(text: str) -> str:
    r"""The text with every character that does something shown instead: ``\x1b[31m`` is read, not obeyed."""
    return ACTIVE.sub(lambda match: _written(match[0]), text)


def visible_line(text: str) -> str:
    """The same in one line."""
    return visible(text.replace("\n", " "))


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text that is too long to be read, with an ellipsis for its middle."""
    if len(text) <= longest:
        return text
    tail = longest // 4
    return f"{text[: longest - tail - 1]}…{text[-tail:]}"


def _written(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Guarded:
    """A stream to a terminal that prints control characters in escaped form, whatever the format. What goes into a file
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
