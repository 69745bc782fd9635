"""What belongs together: complete-linkage groups, and letters for systems that do not differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Booleans = npt.NDArray[np.bool_]


def complete_linkage(similarity: npt.NDArray[np.float64], threshold: float) -> list[list[int]]:
    """Groups in which every two are at least so similar, made by joining the most similar groups first."""
    groups = [[index] for index in range(len(similarity))]
    while True:
        best, pair = threshold, None
        for i in range(len(groups)):
            for j in range(i + 1, len(groups)):
                least = min(similarity[a, b] for a in groups[i] for b in groups[j])
                if least >= best and (pair is None or least > best):
                    best, pair = least, (i, j)
        if pair is None:
            return groups
        i, j = pair
        groups[i] = sorted(groups[i] + groups[j])
        del groups[j]


def compact_letters(differ: Booleans) -> list[str]:
    """Letters for systems in order of their means: two share a letter if and only if they do not differ significantly.

    The insert-and-absorb algorithm of Piepho (2004).
    """
    systems = len(differ)
    columns = [set(range(systems))]
    for i in range(systems):
        for j in range(i + 1, systems):
            if not differ[i, j]:
                continue
            split = [part for column in columns if {i, j} <= column for part in (column - {i}, column - {j})]
            columns = [column for column in columns if not {i, j} <= column] + split
            columns = [
                column
                for place, column in enumerate(columns)
                if not any(column < other or (column == other and place > at) for at, other in enumerate(columns) if at != place)
            ]
    columns = sorted((column for column in columns if column), key=sorted)
    return ["".join(_letter(number) for number, column in enumerate(columns) if system in column) for system in range(systems)]


def _letter(number: int) -> str:
    """a, b, ..., z, then a1, b1, ..."""
    return chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "")
