"""What may follow the ``@`` in a measure's name, and how it is read, printed and handed to the formula."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from metameasure.catalogue.facts import Reads
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.scale import Scale

_SPECIAL = re.compile(r"([\\+,])")


def split_unescaped(text: str, separator: str) -> list[str]:
    r"""The parts between separators, a separator behind a backslash being part of the text. Escapes are kept."""
    return re.findall(rf"(?:\\.|[^{re.escape(separator)}\\]|\\$)+", text)


class Parameter(ABC):
    """One kind of parameter. ``placeholder`` stands for it in a measure's id, as the n in ``accuracy@n``; ``example`` is
    a text that parses."""

    placeholder: str
    example: str
    required: bool = True

    @abstractmethod
    def parse(self, text: str) -> Any:
        """The argument that the text behind the ``@`` stands for; UsageError where it stands for none."""

    def print(self, argument: Any) -> str:
        """The text that parses to the argument."""
        return str(argument)

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        """What the formula is given by name."""
        return dict.fromkeys(self.names(), argument)

    @abstractmethod
    def names(self) -> frozenset[str]:
        """The names in ``settings``."""

    def reads(self, argument: Any, usual: Reads) -> Reads:
        """What of the evidence the measure is computed from with this argument, where without it this would be it."""
        return usual


@dataclass(frozen=True)
class WholeNumber(Parameter):
    """A whole number, given to the formula under its placeholder's name."""

    placeholder: str
    minimum: int = 1

    @property
    def example(self) -> str:  # type: ignore[override]
        return str(self.minimum)

    def parse(self, text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < self.minimum:
            raise UsageError(f"'{text}' is not a whole number from {self.minimum} up")
        return int(text)

    def names(self) -> frozenset[str]:
        return frozenset({self.placeholder})


@dataclass(frozen=True)
class Labels(Parameter):
    """One class, or several joined by ``+``; given to the formula as ``chosen``, their positions in the scale.

    A ``+``, ``,`` or backslash that belongs to a class's name has a backslash before it.
    """

    placeholder: str = "LABEL"
    several: bool = True
    example: str = "positive"

    def parse(self, text: str) -> tuple[str, ...]:
        parts = split_unescaped(text, "+") if self.several else [text]
        labels = tuple(re.sub(r"\\(.)", r"\1", part) for part in parts)
        if not labels or (self.several and "+".join(parts) != text):
            raise UsageError(f"'{text}' does not name classes", hint="join several by '+'; write '\\+' for a plus in a name")
        if len(set(labels)) < len(labels):
            raise UsageError(f"'{text}' names a class twice")
        return labels

    def print(self, argument: Any) -> str:
        return "+".join(_SPECIAL.sub(r"\\\1", label) for label in argument)

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        if scale is None:
            raise UsageError(
                f"class '{argument[0]}' is named, but not which classes there are",
                hint="pass classes=[...], from lowest to highest",
            )
        return {"chosen": tuple(scale.index(label) for label in argument)}

    def names(self) -> frozenset[str]:
        return frozenset({"chosen"})


@dataclass(frozen=True)
class Weighting(Parameter):
    """By what the items are weighted before the formula sees them. A measure with this works without any."""

    choices: tuple[str, ...]
    placeholder: str = "WEIGHTS"
    required: bool = False

    @property
    def example(self) -> str:  # type: ignore[override]
        return self.choices[0]

    def parse(self, text: str) -> str:
        if text not in self.choices:
            choose = f"choose {' or '.join(self.choices)}"
            raise UsageError(f"items cannot be weighted by '{text}'", hint=did_you_mean(text, self.choices) or choose)
        return text

    def names(self) -> frozenset[str]:
        return frozenset()

    def reads(self, argument: Any, usual: Reads) -> Reads:
        return usual if argument is None else Reads.of(f"{usual}@{argument}")


@dataclass(frozen=True)
class Choice(Parameter):
    """One word of several, given to the formula under a name; the first unless another is said. One that is said stays in the
    measure's name, the first too."""

    name: str
    choices: tuple[str, ...]
    required: bool = False

    @property
    def placeholder(self) -> str:  # type: ignore[override]
        return self.name.upper()

    @property
    def example(self) -> str:  # type: ignore[override]
        return self.choices[-1]

    def parse(self, text: str) -> str:
        if text not in self.choices:
            hint = did_you_mean(text, self.choices) or f"choose {', '.join(self.choices)}"
            raise UsageError(f"{self.name} cannot be '{text}'", hint=hint)
        return text

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        return {self.name: argument or self.choices[0]}

    def names(self) -> frozenset[str]:
        return frozenset({self.name})


class Options(Parameter):
    """A whole number and named options, joined by colons: ``ndcg@5:gain=linear``. What is left out has its default.

    ``number`` names the whole number that comes first (``required`` or not); a choice's default is its first value; ``numbers``
    are named numbers above 0, None unless given or with defaults of their own. An option that is given its default stays in the
    measure's name: what is said is nobody else's to decide, and what is left out is.
    """

    may_be_zero: frozenset[str] = frozenset()

    def __init__(
        self,
        *,
        choices: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        number: str = "",
        required: bool = False,
        numbers: Iterable[str] | Mapping[str, float] = (),
    ) -> None:
        self.number, self.required, self.choices = number, required, dict(choices)
        self.numbers: dict[str, float | None] = dict(numbers) if isinstance(numbers, Mapping) else dict.fromkeys(numbers)
        named = [] if required or not (self.choices or self.numbers) else ["NAME=VALUE"]
        self.placeholder = ":".join([*([number] if number else []), *named])
        self.example = "1" if required else "5" if number else self._shown()[0]

    def _key(self) -> tuple[Any, ...]:
        return self.number, self.required, tuple(self.numbers.items()), tuple(self.choices.items()), self.may_be_zero

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and other._key() == self._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _shown(self) -> list[str]:
        return [
            *(f"{name}={'|'.join(values)}" for name, values in self.choices.items()),
            *(f"{name}=NUMBER" for name in self.numbers),
        ]

    def parse(self, text: str) -> tuple[tuple[str, Any], ...] | None:
        settings: dict[str, Any] = {}
        for place, part in enumerate(text.split(":")):
            name, equals, value = part.partition("=")
            if place == 0 and self.number and not equals:
                name, parsed = self.number, self.first_number(part)
            else:
                parsed = self._value(part, name, value)
            if name in settings:
                raise UsageError(f"'{name}' is said twice")
            settings[name] = parsed
        if self.required and self.number and self.number not in settings:
            raise UsageError(f"the {self.number} is missing", hint=f"it comes first, as in '{self.example}:{text}'")
        return self.argument_of(settings)

    def first_number(self, text: str) -> float:
        """The first number in the text; UsageError if the text is not a number."""
        return WholeNumber(self.number).parse(text)

    def argument_of(self, settings: Mapping[str, Any]) -> tuple[tuple[str, Any], ...] | None:
        """The argument that stands for these values, by name."""
        order = (self.number, *self.choices, *self.numbers)
        return tuple((name, settings[name]) for name in order if settings.get(name) is not None) or None

    def _value(self, part: str, name: str, value: str) -> Any:
        if name in self.choices:
            if value not in self.choices[name]:
                raise UsageError(f"{name} cannot be '{value}'", hint=f"choose {' or '.join(self.choices[name])}")
            return value
        if name not in self.numbers or not value:
            takes = ", ".join([*([f"a whole number {self.number}"] if self.number else []), *self._shown()])
            raise UsageError(
                f"cannot read '{part}'", hint=did_you_mean(name, [*self.choices, *self.numbers]) or f"it takes {takes}"
            )
        try:
            number = float(value)
        except ValueError:
            usual = self.numbers[name]
            raise UsageError(f"'{value}' is not a number", hint=f"as in {name}={4 if usual is None else f'{usual:g}'}") from None
        zero = name in self.may_be_zero
        if not (0 < number < math.inf or (zero and number == 0)):
            raise UsageError(f"{name} cannot be {value}", hint="a number from 0 up" if zero else "a number above 0")
        return number

    def _default(self, name: str) -> Any:
        return self.choices[name][0] if name in self.choices else self.numbers.get(name)

    def print(self, argument: Any) -> str:
        return ":".join(_short(value) if name == self.number else f"{name}={_short(value)}" for name, value in argument)

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        return {name: self._default(name) for name in sorted(self.names())} | dict(argument or ())

    def names(self) -> frozenset[str]:
        return frozenset({*([self.number] if self.number else []), *self.choices, *self.numbers})


class Settings(Options):
    """Named numbers from 0 up with defaults: ``oci@beta=0.5:gamma=2``. A measure with these works without any.

    Those in ``positive`` may not be 0.
    """

    def __init__(self, *, positive: tuple[str, ...] = (), **defaults: float) -> None:
        super().__init__(numbers=defaults)
        self.may_be_zero = frozenset(defaults) - frozenset(positive)
        self.placeholder = "NAME=NUMBER"
        self.example = ":".join(f"{name}={value:g}" for name, value in defaults.items())

    def print(self, argument: Any) -> str:
        return ":".join(f"{name}={value!r}" for name, value in argument)


def _short(value: Any) -> str:
    """A number as people write it, where that reads back the same: 4, not 4.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
