"""What belongs together: complete-linkage groups, and letters for systems that do not differ."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np

from metameasure.statistics.arrays import Booleans, Floats

_SLACK = 1e-12
_SHORTEST_RANGE = 4


def complete_linkage(similarity: Floats, threshold: float) -> list[list[int]]:
    """Groups in which every two are at least so similar, made by joining the most similar groups first."""
    groups = [[index] for index in range(len(similarity))]
    while True:
        best, pair = threshold, None
        for i, j in combinations(range(len(groups)), 2):
            least = min(similarity[a, b] for a in groups[i] for b in groups[j])
            if least >= best - _SLACK and (pair is None or least > best):
                best, pair = least, (i, j)
        if pair is None:
            return groups
        i, j = pair
        groups[i] = sorted(groups[i] + groups[j])
        del groups[j]


def compact_letters(differ: Booleans) -> list[str]:
    """Letters for systems in order of their means: two share a letter if and only if they do not differ significantly.

    Each pair that does not differ gets into some group of systems no two of which do; groups are grown as large as they get.
    """
    systems = len(differ)
    together = np.zeros((systems, systems), dtype=bool)
    groups: list[list[int]] = []
    for i, j in combinations(range(systems), 2):
        if not differ[i, j] and not together[i, j]:
            groups.append(_grown([i, j], differ))
            together[np.ix_(groups[-1], groups[-1])] = True
    groups = sorted([*groups, *([system] for system in range(systems) if not together[system].any())])
    return ["".join(letter(number) for number, group in enumerate(groups) if system in group) for system in range(systems)]


def single_letters(letters: str) -> list[str]:
    """The letters of a system one by one.

    >>> single_letters("aba1")
    ['a', 'b', 'a1']
    """
    return re.findall(r"[a-z]\d*", letters)


def letter_ranges(letters: str) -> str:
    """Letters for reading: four or more in a row as a range.

    >>> letter_ranges("abcdf"), letter_ranges("yza1b1c1")
    ('a-df', 'y-c1')
    """
    named = single_letters(letters)
    numbers = [ord(name[0]) - ord("a") + 26 * int(name[1:] or 0) for name in named]
    text, start = "", 0
    for place in range(1, len(named) + 1):
        if place == len(named) or numbers[place] != numbers[place - 1] + 1:
            text += f"{named[start]}-{named[place - 1]}" if place - start >= _SHORTEST_RANGE else "".join(named[start:place])
            start = place
    return text


def _grown(group: list[int], differ: Booleans) -> list[int]:
    for system in range(len(differ)):
        if system not in group and not differ[system, group].any():
            group.append(system)
    return sorted(group)


def letter(number: int) -> str:
    """a, b, ..., z, then a1, b1, ..."""
    return chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "")
