"""What is said beside a result: a phrase in JSON, a sentence below a table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

Key = TypeVar("Key")
Member = TypeVar("Member")
_ADDED = "missing item|missing topic|label|row|topic|negative grade|retrieved document"  # what notes on data count
_OF_A_NUMBER = re.compile(rf"(?P<whose>(.*: )?)(?P<number>[\d,]+) (?P<noun>{_ADDED})s? (?P<rest>.*)")


class Note(str):
    """A note that opens with a word of ours, which its sentence writes with a capital letter. A note that opens with a name (of
    a run, a measure or a file) is plain text: names stay as they are."""

    __slots__ = ()

    @property
    def sentence(self) -> str:
        """The note as it stands below a table."""
        return f"{self[0].upper()}{self[1:]}."


class ReadingNote(Note):
    """A note on how files were read. It is said when they are; what was counted of them, which may be merged, has it not."""

    __slots__ = ()


def sentence(note: str) -> str:
    """A note with its full stop, and with a capital letter where it does not open with a name."""
    return note.sentence if isinstance(note, Note) else f"{note}."


def counted(number: int, noun: str) -> str:
    """``1 run``, ``6 runs``."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def listed(names: Sequence[str], joint: str = "or", most: int | None = 5) -> str:
    """``a, b or c``: the first few names, and how many more there are.

    >>> listed(["a", "b", "c", "d"], "and", most=2)
    'a, b and 2 more'
    """
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joint} {names[-1]}"


def first_of(names: Sequence[str], most: int) -> str:
    """``a, b``, or ``a, b and 3 more``: names that stand apart from the sentence, as in brackets."""
    return listed(names, "and", most) if len(names) > most else ", ".join(names)


def too_few_trials(pairs: int, trials: int, alpha: float, *, otherwise: str = "") -> str:
    """That no p-value of so many pairs, corrected by Holm's method, can be half of alpha, because of the number of trials; empty
    where one can.

    >>> too_few_trials(55, 1000, 0.05)
    'With 55 pairs and 1000 trials the smallest corrected p-value of a pair may be 0.055: use --trials 2199 or more'
    >>> too_few_trials(55, 2199, 0.05)
    ''
    """
    enough = math.ceil(round(2 * pairs / alpha, 6)) - 1
    if trials >= enough:
        return ""
    family, smallest = (f"{pairs} pairs and ", "smallest corrected") if pairs > 1 else ("", "smallest")
    warning = f"With {family}{trials} trials the {smallest} p-value of a pair may be {pairs / (trials + 1):.2g}"
    return f"{warning}: use --trials {enough} or more{otherwise}"


def grouped(pairs: Iterable[tuple[Key, Member]]) -> dict[Key, list[Member]]:
    """What is said of several, with all of whom it is said; all in the order in which it comes.

    >>> grouped([("one", "a"), ("two", "b"), ("one", "c")])
    {'one': ['a', 'c'], 'two': ['b']}
    """
    groups: dict[Key, list[Member]] = {}
    for key, member in pairs:
        groups.setdefault(key, []).append(member)
    return groups


def added_up(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """The notes on two parts of the data: those that count the same of the same run as one, and each of the others once.

    >>> added_up(["a: 1 missing item left out", "b: 2 rows"], ["a: 1,000 missing items left out", "b: 2 rows"])
    ('a: 1,001 missing items left out', 'b: 2 rows')
    """
    numbers: dict[tuple[str, str, str], int] = {}
    said: dict[tuple[str, str, str], str] = {}
    for note in (*first, *second):
        found = _OF_A_NUMBER.fullmatch(note)
        key = (found["whose"], found["noun"], found["rest"]) if found else (note, "", "")
        numbers[key] = numbers.get(key, 0) + (int(found["number"].replace(",", "")) if found else 0)
        whole = f"{key[0]}{counted(numbers[key], key[1])} {key[2]}" if found else note
        said[key] = type(note)(whole)
    return tuple(said.values())
