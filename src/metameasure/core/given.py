"""What is given for an option: checked and read once, where it comes in, and refused in the same words whatever the option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from metameasure.core.errors import MetameasureError, UsageError, did_you_mean
from metameasure.core.messages import OptionName, say
from metameasure.core.notes import listed
from metameasure.core.values import is_truth

if TYPE_CHECKING:
    from metameasure.core.options import Option

Read = Callable[[Any], Any]


def value_of(option: Option, value: Any, argument: str = "") -> Any:
    """The value that a function is given: a choice by its own name, a number or a truth as Python's, a text as it is read.
    UsageError for what the option cannot be."""
    name = OptionName(option.name, argument or option.passed_as)
    if option.choices:
        return chosen(name, dict(option.synonyms).get(value, value) if isinstance(value, str) else value, option.choices)
    if isinstance(value, str) and value in option.words:
        return value
    if option.type in _PLAIN:
        return _plain(option, name, value)
    return read(option, value, name) if isinstance(value, str) and option.type is not str else value


def chosen(name: str, value: Any, choices: Sequence[str]) -> str:
    """The value, where it is one of the choices."""
    if isinstance(value, str) and value in choices:
        return value
    near = did_you_mean(value, choices) if isinstance(value, str) else ""
    raise cannot_be(name, value, f"choose {listed(choices, most=None)}{f'; {near}' if near else ''}")


def read(option: Option, text: str, name: str = "") -> Any:
    """What the text stands for."""
    try:
        return option.type(text)
    except MetameasureError:
        raise
    except ValueError as error:
        raise cannot_be(name or OptionName(option.name, option.passed_as), text, f"give {error}") from None


def cannot_be(name: str, value: Any, hint: str) -> UsageError:
    """The error for a value that an option cannot have; ``hint`` says which it can."""
    if isinstance(value, str | bool | Real):
        written = repr(value) if isinstance(value, str) else str(value)
        return UsageError(say("{option} cannot be {value}", option=name, value=written), hint=hint)
    return UsageError(say("{option} cannot be of type {type}", option=name, type=type(value).__name__), hint=hint)


def _plain(option: Option, name: str, value: Any) -> Any:
    as_python_has_it = _PLAIN[option.type](value)
    too_small = option.least is not None and as_python_has_it is not None and as_python_has_it < option.least
    if as_python_has_it is None or too_small:
        near = did_you_mean(value, option.words) if isinstance(value, str) else ""
        raise cannot_be(name, value, f"give {wanted(option)}{f'; {near}' if near else ''}")
    return as_python_has_it


def wanted(option: Option) -> str:
    """What an option has to be that is a number, or yes or no."""
    if option.type is bool:
        return listed(["True", "False", *map(repr, option.words)])
    least = "" if option.least is None else f" from {option.least} up"
    return f"a {'whole number' if option.type is int else 'number'}{least}"


def _whole(value: Any) -> int | None:
    if isinstance(value, Integral) and not is_truth(value):
        return int(value)
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None


def _number(value: Any) -> float | None:
    return None if is_truth(value) or not isinstance(value, Real) else float(value)


def _truth(value: Any) -> bool | None:
    return bool(value) if is_truth(value) or (isinstance(value, Integral) and value in (0, 1)) else None


_PLAIN: dict[Any, Read] = {int: _whole, float: _number, bool: _truth}
