"""The declared classes: which there are, in which order, and what may be assumed about their distances.

A scale is always declared, never inferred from data: labels that a sample happens not to contain, or an
alphabetical order that is not the real one, change most measures silently.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias, get_args

from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.values import MINUS, in_order, is_missing, is_truth, number_of, plainly_signed, repeated, sign_of

Kind = Literal["nominal", "ordinal", "interval"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Classes: TypeAlias = "Scale | str | Sequence[Any] | Mapping[Any, float]"

_INTEGER_RANGE = re.compile(rf"\s*([+{MINUS}-]?\d+)\s*\.\.\s*([+{MINUS}-]?\d+)\s*")
_WHOLE_NUMBER = re.compile(r"[+-]?\d+\.0*")
_MOST_LABELS_SHOWN = 20
_MOST_CLASSES, _MOST_DIGITS = 10_000, 18
_MOST_CELLS = 2**28  # 2 GiB, of which measures need several


@dataclass(frozen=True)
class Scale:
    """Classes from lowest to highest, as text, and the kind of scale they form.

    ``values`` are the classes' positions on an interval scale; on the other kinds they are the ranks 1..C.
    """

    labels: tuple[str, ...]
    kind: Kind = "ordinal"
    values: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"unknown kind of scale '{self.kind}'", hint=f"choose one of {', '.join(KINDS)}")
        if not self.labels:
            raise UsageError("no classes", hint=say("name them from lowest to highest, as in {--classes neg,neu,pos} or -2..2"))
        if not all(label.strip() for label in self.labels):
            raise UsageError("a class has an empty name", hint="is there a comma too many?")
        if twice := repeated(self.labels):
            raise UsageError(f"class '{min(twice)}' is named twice", hint="name each class once")
        self._settle_values()

    def _settle_values(self) -> None:
        ranks = tuple(float(rank) for rank in range(1, len(self.labels) + 1))
        if self.kind != "interval":
            if self.values not in ((), ranks):
                raise UsageError(f"a {self.kind} scale has no class values", hint="declare kind='interval' to give them")
            object.__setattr__(self, "values", ranks)
            return
        values = self.values or tuple(_number(label) for label in self.labels)
        if len(values) != len(self.labels):
            raise UsageError(f"{len(self.labels)} classes but {len(values)} values", hint="give one value per class")
        if not all(math.isfinite(value) for value in values):
            raise UsageError("a class value is not a finite number", hint="give one number per class")
        if any(low >= high for low, high in pairwise(values)):
            raise UsageError("class values do not increase", hint="name the classes from lowest to highest value")
        object.__setattr__(self, "values", tuple(float(value) for value in values))

    @classmethod
    def of(cls, classes: Classes, *, kind: Kind | None = None) -> Scale:
        """A scale from what a user writes.

        >>> Scale.of("-2..2").labels
        ('-2', '-1', '0', '1', '2')
        >>> Scale.of(["neg", "neu", "pos"]).kind
        'ordinal'
        >>> Scale.of({"low": 1, "mid": 2, "high": 5}).values
        (1.0, 2.0, 5.0)
        """
        if isinstance(classes, Scale):
            return classes if kind is None or kind == classes.kind else cls(classes.labels, kind)
        if isinstance(classes, str):
            return _parsed(classes, kind)
        if isinstance(classes, Mapping):
            if kind not in (None, "interval"):
                raise UsageError(f"class values on a {kind} scale", hint="a mapping of class to value is an interval scale")
            return cls(tuple(map(text_of, classes)), "interval", tuple(map(_number, classes.values())))
        if isinstance(classes, set | frozenset):
            raise UsageError("the classes are a set, which has no order", hint="name them from lowest to highest in a list")
        try:
            labels = tuple(text_of(label) for label in classes)
        except DataError:  # a label is missing
            raise
        except (TypeError, ValueError):
            raise UsageError(f"cannot read classes from {classes!r}", hint="give a list such as [1, 2, 3]") from None
        return cls(labels, kind or "ordinal")

    @classmethod
    def parse(cls, text: str, kind: Kind | None) -> Scale:
        """``-2..2``, ``neg,neu,pos``, or ``low=1,mid=2,high=5`` for an interval scale."""
        whole_range = _INTEGER_RANGE.fullmatch(text)
        if whole_range:
            ends = map(plainly_signed, whole_range.groups())
            first, last = (int(end) if len(end) <= _MOST_DIGITS else _MOST_CLASSES**2 for end in ends)
            if abs(last - first) >= _MOST_CLASSES:
                raise UsageError(
                    f"the range has more than {_MOST_CLASSES:,} classes", hint=say("cut numbers into fewer classes with {--bins}")
                )
            step = 1 if first <= last else -1
            return cls(tuple(str(label) for label in range(first, last + step, step)), kind or "ordinal")
        if ".." in text and "," not in text:
            raise UsageError(f"cannot read the range '{text}'", hint="ranges are of whole numbers, as in -2..2")
        parts = [part.strip() for part in text.split(",")]
        if all("=" in part for part in parts):
            if kind not in (None, "interval"):
                raise UsageError(f"class values on a {kind} scale", hint="classes with values are an interval scale")
            pairs = [part.rsplit("=", 1) for part in parts]
            return cls(tuple(label.strip() for label, _ in pairs), "interval", tuple(_number(value) for _, value in pairs))
        return cls(tuple(parts), kind or "ordinal")

    def __len__(self) -> int:
        return len(self.labels)

    def __str__(self) -> str:
        if self.kind == "interval":
            return ",".join(f"{label}={value:g}" for label, value in zip(self.labels, self.values, strict=True))
        return ",".join(self.labels)

    def signed(self) -> tuple[str, ...] | dict[str, str]:
        """What a signature says of the classes: their names, on an interval scale with their values."""
        values = zip(self.labels, self.values, strict=True)
        return {label: repr(value) for label, value in values} if self.kind == "interval" else self.labels

    def check_room(self, cells: int) -> None:
        """UsageError for tables of so many cells that few computers have room for what is computed from them."""
        if cells > _MOST_CELLS:
            raise UsageError(
                f"{len(self):,} classes make tables of {cells:,} cells, more than {_MOST_CELLS:,}",
                hint=say(
                    "are these labels classes at all? Cut numbers into classes with {--bins}, or score fewer topics at once"
                ),
            )

    def find(self, label: Any) -> int | None:
        """The position of a class, counted from 0; None where there is no such class."""
        text = text_of(label)
        if text in self._positions:
            return self._positions[text]
        return next((self._positions[reading] for reading in readings(text) if reading in self._positions), None)

    @cached_property
    def _positions(self) -> dict[str, int]:
        """Of each class by its name, and by the same number with a plain sign where no other class is called so."""
        exact = {label: position for position, label in enumerate(self.labels)}
        return {plainly_signed(label): position for label, position in exact.items()} | exact

    def signed_otherwise(self, label: Any) -> str | None:
        """The class that a label with another sign than the class's (a minus of typography, a plus) is read as; None for other
        labels, and for the class's own name."""
        position = None if label in self.labels else self.find(label)
        if position is None or sign_of(text_of(label)) == sign_of(self.labels[position]):
            return None
        return self.labels[position]

    def index(self, label: Any) -> int:
        """The position of a class, counted from 0; UsageError where there is no such class."""
        position = self.find(label)
        if position is None:
            text = text_of(label)
            raise UsageError(f"there is no class '{text}'", hint=self.near(text))
        return position

    def near(self, label: str) -> str:
        """What to do about a label that is no class: the class that may be meant, or all of them."""
        return did_you_mean(label, self.labels) or say("the classes are {scale}", scale=self)


@lru_cache(maxsize=64)
def _parsed(text: str, kind: Kind | None) -> Scale:
    """What a text stands for, read once: the same one is asked for in every call."""
    return Scale.parse(text, kind)


def text_of(label: Any) -> str:
    """A label as text, so that 1, 1.0, '1' and NumPy's 1 name the same class."""
    if isinstance(label, str):
        return str(label)
    if isinstance(label, bytes):
        return label.decode()
    if is_missing(label):
        raise DataError("a label is missing (None or NaN)", hint="every item needs a label")
    if is_truth(label):
        return str(bool(label))
    with suppress(TypeError):
        return str(operator.index(label))
    try:
        number = float(label)
    except (TypeError, ValueError):
        return str(label)
    return str(int(number)) if number.is_integer() else repr(number)


def readings(text: str) -> tuple[str, ...]:
    """What a label may be called in the scale: itself, ``2`` for ``2.0`` as some tools write it or for ``+2``, ``-2`` for a
    number with the minus of typography, ``True`` for ``true``."""
    plain = plainly_signed(text)
    if _WHOLE_NUMBER.fullmatch(plain):
        return text, plain, plain.partition(".")[0]
    if plain != text:
        return text, plain
    return (text, text.capitalize()) if text in ("true", "false") else (text,)


def require(classes: Classes | None, labels: Iterable[Any], *, kind: Kind | None = None) -> Scale:
    """The declared scale, or an error that shows the labels found, ready to paste."""
    if classes is not None:
        return Scale.of(classes, kind=kind)
    raise UndeclaredClasses(labels)


class UndeclaredClasses(UsageError):
    """The classes were not declared. Carries the labels found, numbers in order, others alphabetically."""

    def __init__(self, labels: Iterable[Any]) -> None:
        self.labels = in_order({text_of(label) for label in labels})
        super().__init__("the classes and their order are never guessed", hint=self._hint())

    def _hint(self) -> str:
        """The labels, ready to paste; too many to be classes are only shown in part."""
        if len(self.labels) <= _MOST_LABELS_SHOWN:
            return say("the labels found are {--classes <labels>}: order them from lowest to highest", labels=list(self.labels))
        numeric = all(number_of(label) is not None for label in self.labels)
        return say(
            "{number} different labels are found ({labels},...): {advice}",
            number=len(self.labels),
            labels=",".join(self.labels[:5]),
            advice=say("cut numbers into classes, as in {--classes 1..5} {--bins 1.5,2.5,3.5,4.5}")
            if numeric
            else "is it the right column?",
        )


def _number(value: Any) -> float:
    number = number_of(value)
    if number is None:
        raise UsageError(f"'{value}' is not a number", hint="an interval scale needs values, as in low=1,mid=2,high=5")
    return number
