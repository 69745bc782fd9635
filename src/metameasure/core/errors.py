"""The one family of errors. Each says what is wrong and, in its hint, what to do about it."""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from metameasure.core.messages import Reader, on
from metameasure.core.values import number_of

# What people and programs put before a number: plus and minus, and the hyphens and dashes of Unicode.
_SIGNS = re.compile(r"^[\s+\-\u2010-\u2015\u2212\ufe58\ufe63\uff0b\uff0d]+")


class MetameasureError(Exception):
    """Base of every error that the user can mend. Its text reads ``what is wrong; what to do``."""

    exit_status = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def on(self, reader: Reader) -> str:
        """The text for that reader."""
        return f"{on(self.message, reader)}; {on(self.hint, reader)}" if self.hint else on(self.message, reader)


class DataError(MetameasureError, ValueError):
    """The data is wrong (exit status 1)."""


class UsageError(MetameasureError, ValueError):
    """The call is wrong (exit status 2)."""

    exit_status = 2


class NoRuns(UsageError):
    """There is gold, and nothing to compare with it."""


class UnknownName(UsageError, KeyError):
    """A name that nothing goes by. Also a KeyError, so that registries behave as mappings."""


@contextmanager
def by_others(what: str, hint: str) -> Iterator[None]:
    """Somebody else's code is at work. Whatever it raises, SystemExit included, is a UsageError that says whose code it is; only
    Ctrl-C and errors of the family pass."""
    try:
        yield
    except (MetameasureError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UsageError(f"{what}: {type(error).__name__}{f': {error}' if str(error) else ''}", hint=hint) from error


class MetameasureWarning(UserWarning):
    """Something that a user should know and that does not stop the work."""


def deprecated(message: str, *, stacklevel: int = 3) -> None:
    """Warn the caller that this usage will be removed in 0.4."""
    warnings.warn(f"{message}; the old way goes in 0.4", DeprecationWarning, stacklevel=stacklevel + 1)


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A hint with the nearest candidates, or an empty string where none is near. No number is a slip of another, whatever its
    sign is written with."""
    by_lower = {candidate.lower(): candidate for candidate in candidates if not (_is_number(name) and _is_number(candidate))}
    near = difflib.get_close_matches(name.lower(), list(by_lower), n=3, cutoff=0.6)
    return "did you mean " + " or ".join(_quoted(by_lower[match]) for match in near) + "?" if near else ""


def no_task(name: str, known: Iterable[str]) -> UsageError:
    """The error for a task that is not among those that are known here."""
    known = list(known)
    return UsageError(f"there is no task '{name}'", hint=did_you_mean(name, known) or f"the tasks are {', '.join(known)}")


def _is_number(text: str) -> bool:
    return number_of(_SIGNS.sub("", text)) is not None


def _quoted(name: str) -> str:
    return f'"{name}"' if "'" in name else f"'{name}'"
