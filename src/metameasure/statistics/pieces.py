"""Finished pieces of long work, kept for a run that is interrupted and resumed.

While ``keeping`` lasts, whoever does a long piece of work asks for it by what it depends on (``kept``). Such a key is made of
values, not of places in the program or in memory: arrays by their bytes, dataclasses by their fields, functions by their names.
So a piece that is found is the piece that would be computed, to the bit. ``statistics/checkpoint.py`` keeps pieces in a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import partial
from types import FunctionType, UnionType
from typing import Any, Literal, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Numbers = TypeVar("Numbers", bound=Array)
Value = TypeVar("Value")


class Pieces(Protocol):
    """Where pieces are kept, by their keys. Several threads may ask at once."""

    def get(self, key: str) -> Array | None: ...
    def put(self, key: str, piece: Array) -> None: ...


_KEPT: ContextVar[Pieces | None] = ContextVar("where pieces of work are kept", default=None)


@contextmanager
def setting(variable: ContextVar[Value], value: Value) -> Iterator[None]:
    """The variable has that value while this lasts."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def keeping(pieces: Pieces | None) -> AbstractContextManager[None]:
    """Pieces of work are kept there while this lasts, or nowhere."""
    return setting(_KEPT, pieces)


def where_kept() -> Pieces | None:
    """Where pieces of work are kept; None where nothing is kept."""
    return _KEPT.get()


@dataclass(frozen=True, eq=False)
class _Memory:
    """Pieces that are kept no longer than the process."""

    pieces: dict[str, Array] = field(default_factory=dict)

    def get(self, key: str) -> Array | None:
        return self.pieces.get(key)

    def put(self, key: str, piece: Array) -> None:
        self.pieces[key] = piece


def sharing() -> AbstractContextManager[None]:
    """Pieces of work that are asked for again while this lasts are done once; those that are kept in a file anyway stay there."""
    return keeping(where_kept() or _Memory())


class UnfitPieceError(ValueError):
    """A piece is not what would be computed: somebody else wrote it. The text says what is wrong with it."""


def kept(
    compute: Callable[[], Numbers], *key: Any, in_parts: bool = False, fits: Callable[[Array], bool] | None = None
) -> Numbers:
    """What ``compute`` gives, which depends on the key alone: computed once, and kept where pieces are kept. Nothing of which it
    is made is kept besides, unless it is to be resumed ``in_parts``. UnfitPieceError where what was kept does not fit."""
    pieces = where_kept()
    if pieces is None:
        return compute()
    named = fingerprint(*key)
    piece = pieces.get(named)
    if piece is None:
        with keeping(pieces if in_parts else None):
            piece = compute()
        pieces.put(named, piece)
    elif fits is not None and not fits(piece):
        raise UnfitPieceError(f"a piece of it has the wrong type ({piece.dtype}), shape {piece.shape} or values")
    return cast("Numbers", piece)


def kept_json(compute: Callable[[], Any], *key: Any, like: Any = Any, in_parts: bool = False) -> Any:
    """The same of what JSON can hold, which is ``like`` a type (see ``is_like``)."""
    if where_kept() is None:
        return compute()
    written = kept(
        lambda: np.frombuffer(json.dumps(compute()).encode(), dtype=np.uint8),
        *key,
        in_parts=in_parts,
        fits=lambda piece: piece.dtype == np.uint8 and piece.ndim == 1,
    )
    try:
        value = json.loads(written.tobytes())
    except (ValueError, RecursionError):
        raise UnfitPieceError("a piece of it is no JSON") from None
    if not is_like(value, like):
        raise UnfitPieceError("a piece of it has other entries than it should")
    return value


def is_like(value: Any, like: Any) -> bool:  # noqa: PLR0911  a case for each kind of type
    """Whether a value from JSON is of a type: a plain one, a union, a list of one, a mapping of names to types, or the fields of
    a dataclass.

    >>> is_like({"a": [1, 2.5]}, {"a": list[float]}), is_like({"a": [True]}, {"a": list[float]})
    (True, False)
    """
    if isinstance(like, Mapping):
        return isinstance(value, dict) and value.keys() == like.keys() and all(is_like(value[name], like[name]) for name in like)
    if is_dataclass(like):
        required = {one.name for one in fields(like) if one.default is MISSING and one.default_factory is MISSING}
        hints = get_type_hints(like)
        known = isinstance(value, dict) and required <= value.keys() <= hints.keys()
        return known and all(is_like(value[name], hints[name]) for name in value)
    if isinstance(like, UnionType):
        return any(is_like(value, one) for one in get_args(like))
    if get_origin(like) is Literal:
        return value in get_args(like)
    if get_origin(like) in (list, tuple):
        return isinstance(value, list) and all(is_like(one, get_args(like)[0]) for one in value)
    if like in (int, float):
        return isinstance(value, int if like is int else (int, float)) and not isinstance(value, bool)
    return like is Any or isinstance(value, dict if get_origin(like) is Mapping else (type(None) if like is None else like))


class NoFingerprintError(TypeError):
    """Something has no value to be known by, such as a function within a function."""


def fingerprint(*values: Any) -> str:
    """The same for the same values, in every process. NoFingerprintError for what has none."""
    digest = hashlib.sha256()
    for value in values:
        _add(digest.update, value)
    return digest.hexdigest()


def _add(update: Callable[[bytes], None], value: Any) -> None:
    """Each value opens with its kind and its size, so that no two lists of values are written alike."""
    match value:
        case None | bool() | int() | float() | str() | np.generic():
            written = f"{type(value).__name__} {value!r}".encode()
            update(f"{len(written)} ".encode() + written)
        case np.ndarray():
            _add_array(update, value)
        case Mapping():
            _add_parts(update, "mapping", [part for pair in value.items() for part in pair])
        case AbstractSet():
            _add_parts(update, "set", sorted(fingerprint(one) for one in value))
        case partial():
            _add_parts(update, "partial", [value.func, value.args, value.keywords])
        case Sequence():
            _add_parts(update, "sequence", value)
        case FunctionType() if value.__closure__ is None and "<" not in value.__qualname__:
            _add_parts(update, "function", [value.__module__, value.__qualname__])
        case _ if is_dataclass(value) and not isinstance(value, type):
            _add_parts(update, type(value).__qualname__, [(one.name, getattr(value, one.name)) for one in fields(value)])
        case _:
            raise NoFingerprintError(f"{type(value).__qualname__} has no fingerprint")


def _add_array(update: Callable[[bytes], None], array: Array) -> None:
    if array.dtype.hasobject:
        _add_parts(update, f"array {array.shape}", array.ravel().tolist())
        return
    update(f"array {array.dtype.str} {array.shape} ".encode())
    update(np.ascontiguousarray(array).tobytes())


def _add_parts(update: Callable[[bytes], None], kind: str, parts: Sequence[Any]) -> None:
    update(f"{kind} {len(parts)} ".encode())
    for part in parts:
        _add(update, part)
