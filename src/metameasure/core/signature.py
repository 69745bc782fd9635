"""How a result was made, in one line that can be cited and computed again: ``metameasure reproduce``.

A signature is parts ``name:value`` with bars between them. A value may be a list, ``a,b``, or pairs, ``a=b,c=d``. Names that
come from data are quoted as in addresses of the web, ``%`` and two digits for each byte, so that a signature is plain ASCII
without blanks, bars or quotation marks, and survives a terminal, an e-mail and a shell.
"""

from __future__ import annotations

import hashlib
import math
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.version import __version__

LISTS = frozenset(
    {"classes", "measures", "bins", "properties", "leave_out", "selected", "reference", "judges", "studies", "pairs"}
)
"""The parts that are lists of names or numbers."""
PAIRS = frozenset({"runs", "annotators", "data", "plugin", "numbers", "better", "margin"})
"""The parts that have a value for each of several names."""
DATA = ("gold", "judge", "items", "runs", "annotators", "data")
"""The parts that are digests of data."""
_FIRST, _LAST = ("command",), (*DATA, "digest", "numbers", "version")
_SHORT = frozenset({*DATA, "numbers", "measures"})
USUAL = {"command": "evaluate", "missing": "error", "extra": "error", "undefined": "skip"}
"""What settings are, where a short signature does not say so."""
_PLAIN = frozenset(string.ascii_letters + string.digits + "-._~!#$&()*+/:;<>?@[]^{}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_QUOTED = re.compile(rb"%([0-9A-F]{2})")
_BROKEN_LINE = re.compile(r"\s*[\r\n]\s*")
_DIGITS_OF_DATA, _DIGITS_OF_NUMBERS = 12, 8
# Numbers are cut into steps of 2^-26 of their size. Where one step ends and the next begins is at no number that people meet.
_STEPS, _BETWEEN = 26, 0.381966011250105

Value = str | Sequence[str] | Mapping[str, str]


class Signature(Mapping[str, str]):
    """The parts of a signature by name, as text; ``str()`` is the whole. ``of`` a part is what it stands for.

    Examples
    --------
    >>> made = Signature(task="classification", classes=("a|b", "c"), version="0.3.0")
    >>> str(made)
    'task:classification|classes:a%7Cb,c|version:0.3.0'
    >>> Signature.parse(str(made)) == made, made["classes"], made.of("classes")
    (True, 'a%7Cb,c', ('a|b', 'c'))
    >>> str(made.having(undefined="zero"))
    'task:classification|classes:a%7Cb,c|undefined:zero|version:0.3.0'

    """

    __slots__ = ("_held",)

    def __init__(self, /, **parts: Value | float | None) -> None:
        self._held: dict[str, str] | Callable[[], Signature] = {
            name: _written(value) for name, value in parts.items() if value is not None
        }

    @classmethod
    def later(cls, made: Callable[[], Signature]) -> Signature:
        """One that is made when somebody reads it. What it is made of must not change until then."""
        unmade = cls()
        unmade._held = made
        return unmade

    @property
    def _parts(self) -> dict[str, str]:
        if callable(self._held):
            self._held = dict(self._held())
        return self._held

    @classmethod
    def parse(cls, text: str) -> Signature:
        """A signature from its text, over several lines or not. UsageError if it is not a signature."""
        if not isinstance(text, str):
            raise UsageError(f"a signature cannot be of type {type(text).__name__}", hint=f"copy it whole: {_EXAMPLE}")
        joined = _BROKEN_LINE.sub("", text.strip()).removeprefix("Signature:").strip()
        parts: dict[str, str] = {}
        for piece in joined.split("|"):
            name, colon, value = piece.partition(":")
            if not colon or not _NAME.fullmatch(name):
                raise UsageError(f"'{_shown(piece)}' is no part of a signature", hint=f"copy it whole: {_EXAMPLE}")
            if name in parts:
                raise UsageError(f"the signature says '{name}' twice", hint="copy one signature, whole")
            parts[name] = value
        return cls._of(parts)

    @classmethod
    def _of(cls, parts: Mapping[str, str]) -> Signature:
        made = cls()
        made._held = dict(parts)
        return made

    def having(self, **parts: Value | float | None) -> Signature:
        """Another one with these parts, without those that are None. Settings come first, then data, numbers and version."""
        if callable(self._held):
            return self.later(lambda: self._having(parts))
        return self._having(parts)

    def _having(self, parts: Mapping[str, Value | float | None]) -> Signature:
        written = {name: _written(value) for name, value in parts.items() if value is not None}
        both = {name: value for name, value in self._parts.items() if name not in parts or name in written} | written
        between = (name for name in both if name not in (*_FIRST, *_LAST))
        return self._of({name: both[name] for name in (*_FIRST, *between, *_LAST) if name in both})

    def signed(self) -> Signature:
        """The same with the version that computes it."""
        return self.having(version=__version__)

    def of(self, name: str) -> Any:
        """What a part stands for: a text, a tuple of texts, or a dictionary of them; None where there is no such part."""
        value = self._parts.get(name)
        if value is None:
            return None
        of_pairs = name in PAIRS or (name == "classes" and self.get("kind") == "interval")
        if of_pairs and ("=" in value or not value):
            pairs = (pair.rpartition("=") for pair in value.split(",") if pair)
            return {unquoted(key): unquoted(one) for key, _, one in pairs}
        if name in LISTS:
            return tuple(unquoted(one) for one in value.split(",")) if value else ()
        return unquoted(value)

    def parts(self) -> dict[str, Any]:
        """All of it for JSON: texts, lists and objects, in which names are as they are in the data."""
        return {name: [*held] if isinstance(held := self.of(name), tuple) else held for name in self}

    def short(self) -> Signature:
        """For the foot of a table: one digest for all data, no measures, which the table shows, and no policy that is usual."""
        digests = "|".join(f"{name}:{self._parts[name]}" for name in DATA if name in self._parts)
        kept = {name: value for name, value in self._parts.items() if name not in _SHORT and USUAL.get(name) != value}
        return self._of(kept).having(digest=digest_of_text(digests) if digests else None)

    def __getitem__(self, name: str) -> str:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, text: object) -> bool:
        """Whether there is a part of that name. What has a colon or a bar is no name: it is looked for in the text."""
        return text in self._parts or (isinstance(text, str) and (":" in text or "|" in text) and text in str(self))

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self._parts.items())

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Signature | str) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return self._of, (self._parts,)


UNSIGNED = Signature()
"""Of a result that nobody has signed."""
_EXAMPLE = "task:classification|classes:neg,neu,pos|...|version:0.3.0"


def _written(value: Any) -> str:
    """A value as it stands in a signature."""
    if isinstance(value, Mapping):
        return ",".join(f"{quoted(str(name))}={quoted(_plain(one))}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ",".join(quoted(_plain(one)) for one in value)
    return quoted(_plain(value))


def _plain(value: Any) -> str:
    """A number as short as it can be, a truth as a word."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    short = f"{value:g}" if isinstance(value, float) else ""
    return short if short and float(short) == value else str(value)


def quoted(text: str) -> str:
    """A text in letters that mean nothing to a signature, a shell or a terminal.

    >>> quoted("bert --epochs 3"), quoted("naïve|50 %")
    ('bert%20--epochs%203', 'na%C3%AFve%7C50%20%25')
    """
    return "".join(
        char if char in _PLAIN else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass")) for char in text
    )


def unquoted(text: str) -> str:
    """What was quoted."""
    held = _QUOTED.sub(lambda match: bytes([int(match[1], 16)]), text.encode("utf-8", "surrogatepass"))
    try:
        return held.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # a text of another program, in which a percent sign is one
        return text


def _shown(piece: str) -> str:
    return piece if len(piece) <= 40 else f"{piece[:39]}…"


def digest_of_text(text: str) -> str:
    """A short digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS_OF_DATA]


def digest_of_numbers(rows: Iterable[tuple[Any, ...]]) -> str:
    """A short digest of rows of names and numbers, in whatever order they come. Numbers that differ by rounding alone, by less
    than one part in a hundred million, are nearly always the same."""
    lines = sorted(repr(_step(row)) for row in rows)
    return digest_of_text("\n".join(lines))[:_DIGITS_OF_NUMBERS]


def _step(value: Any) -> Any:
    """A name as it is; of a number, the step that it falls into; of a row, those of its parts."""
    if isinstance(value, tuple):
        return tuple(map(_step, value))
    if isinstance(value, str) or value is None:
        return value
    number = float(value)
    if not math.isfinite(number):
        return str(number)
    size = max(0, math.frexp(number / (1 + _BETWEEN))[1])
    return size, math.floor(math.ldexp(number, _STEPS - size) + _BETWEEN)
