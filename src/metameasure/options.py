"""Options, declared once: what the command line shows and reads, and what a Python function is given by that name.

A task's options are the fields of a frozen dataclass; the metadata of each field has the declaration. A question about measures
lists the declarations of its options.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metameasure.errors import UsageError
from metameasure.messages import option as flag
from metameasure.messages import say

_METADATA = "option"


@dataclass(frozen=True)
class Key:
    """A key of an option that is a mapping; the command line has an option for each: ``--item-column`` for ``item``."""

    name: str
    what: str
    """What is under the key, for the help."""
    flag: str = ""
    """What the command line calls the key, where that differs."""
    hidden: bool = False

    @property
    def shown(self) -> str:
        """The key as the command line has it."""
        return self.flag or self.name.replace("_", "-")


@dataclass(frozen=True)
class Option:
    """An argument of a function that is an option of a command too. ``type`` reads its text: int, float, bool for a flag, or a
    function."""

    name: str
    """As the command line has it, without the dashes; of a mapping, what comes behind each key."""
    help: str
    type: Callable[[str], Any] = str
    metavar: str | None = None
    least: int | None = None
    repeated: bool = False
    argument: str = ""
    """The argument, if its name differs from the option's."""
    writes: str = ""
    """The method of the answer that writes the file which this option names, where it is that and no argument."""
    choices: tuple[str, ...] = ()
    section: str = ""
    """The section of the help, where it is not that of the task, or the general one."""
    keys: tuple[Key, ...] = ()
    """The keys, where it is a mapping. ``help`` has then a place for what is under a key."""
    is_file: bool = False
    """Whether it names a file that is read."""
    usual: str = ""
    """The value that says the same as leaving it out, where there is one."""
    of_scoring: bool = False
    """Whether it is about scoring, so that it may be said of data that have been read before."""

    @property
    def passed_as(self) -> str:
        """The argument that it is passed as."""
        return self.argument or self.name.replace("-", "_")

    def flags(self, value: Any) -> list[str]:
        """What a line has where it has this value: a flag for each key of a mapping."""
        if not self.keys:
            return [flag(self.name)]
        shown = {key.name: key.shown for key in self.keys}
        return [flag(f"{shown.get(key, key)}-{self.name}") for key in value]


def option(name: str, help: str, type: Callable[[str], Any] = str, *, default: Any = None, **facts: Any) -> Any:
    """A field of a dataclass of options, with its declaration."""
    metadata = {_METADATA: Option(name, help, type, **facts)}
    if "keys" in facts:
        return dataclasses.field(default_factory=dict, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def declared_in(options: type[Any]) -> dict[str, Option]:
    """The declarations in a dataclass of options, by field."""
    return {field.name: field.metadata[_METADATA] for field in dataclasses.fields(options) if _METADATA in field.metadata}


def is_left_out(value: Any) -> bool:
    """Whether an option was not given: None, or no names at all. Arrays and frames have no truth of their own."""
    return value is None or (isinstance(value, tuple | list | dict) and not value)


def names(text: str) -> tuple[str, ...]:
    """A,B as names."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def numbers(text: str) -> tuple[float, ...]:
    """1.5,2.5 as numbers."""
    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise UsageError(f"'{text}' are not numbers", hint=say("as in {--bins 1.5,2.5,3.5}")) from None


SEED = Option("seed", "The seed of the random numbers.", int, least=0)
