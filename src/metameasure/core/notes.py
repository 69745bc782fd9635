"""What is said beside a result: a phrase in JSON, a sentence below a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from metameasure.core.messages import Counted, Listed, Message, say, warn
from metameasure.core.numbers import p_alone

Key = TypeVar("Key")
Member = TypeVar("Member")


def counted(number: int, noun: str) -> Counted:
    """``1 run``, ``6 runs``."""
    return Counted(number, noun)


def listed(names: Sequence[str], joint: str = "or", most: int | None = 5) -> Listed:
    """``a, b or c``: the first few names, and how many more there are.

    >>> listed(["a", "b", "c", "d"], "and", most=2)
    'a, b and 2 more'
    """
    return Listed(names, f" {joint} ", most)


def first_of(names: Sequence[str], most: int = 5) -> Listed:
    """``a, b``, or ``a, b and 3 more``: names that stand apart from the sentence, as in brackets."""
    return listed(names, "and", most) if len(names) > most else in_a_row(names)


def in_a_row(names: Sequence[str], between: str = ", ") -> Listed:
    """``a, b, c``."""
    return Listed(names, between, between=between)


CANNOT_DIFFER = "with {many} and {runs} no {two} can differ significantly ({smallest} at best): {more}"
NO_SMALLER_P = "with {many} {test} gives no p-value below {smallest}; {more}"


def too_few(found: str, what: str, least: int | str, data: str = "") -> Message:
    """That what there is of topics, runs or the like does not suffice for what is asked, in a set of data that may have a name.

    >>> str(too_few(counted(2, "run"), "a comparison of measures", 3))
    '2 runs, but a comparison of measures takes at least 3'
    """
    named = {"data": data} if data else {}
    return say(
        ("{data}: " if data else "") + "{found}, but {what} takes at least {least}", found=found, what=what, least=least, **named
    )


def too_few_trials(pairs: int, trials: int, alpha: float, *, otherwise: str = "") -> str:
    """That no p-value of so many pairs, corrected by Holm's method, can be half of alpha, because of the number of trials; empty
    where one can.

    >>> str(too_few_trials(55, 1000, 0.05))
    'With 55 pairs and 1000 trials the smallest corrected p-value of a pair may be 0.055: use trials=2199 or more'
    >>> too_few_trials(55, 2199, 0.05)
    ''
    """
    enough = math.ceil(round(2 * pairs / alpha, 6)) - 1
    if trials >= enough:
        return ""
    corrected = pairs > 1
    return warn(
        "too few trials",
        ("With {pairs} pairs and {trials} trials the smallest corrected" if corrected else "With {trials} trials the smallest")
        + " p-value of a pair may be {least}: use {--trials <enough>} or more{otherwise}",
        **({"pairs": pairs} if corrected else {}),
        trials=trials,
        least=p_alone(pairs / (trials + 1), alpha),
        smallest=pairs / (trials + 1),
        enough=enough,
        otherwise=otherwise,
    )


def grouped(pairs: Iterable[tuple[Key, Member]]) -> dict[Key, list[Member]]:
    """Members by their key, both in the order in which they come.

    >>> grouped([("one", "a"), ("two", "b"), ("one", "c")])
    {'one': ['a', 'c'], 'two': ['b']}
    """
    groups: dict[Key, list[Member]] = {}
    for key, member in pairs:
        groups.setdefault(key, []).append(member)
    return groups
