"""The sign test: do differences lie on one side more often than chance has them? It asks nothing of their sizes, so that they may
come from data sets with scales of their own."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

FEWEST = 6
"""With fewer differences not even all on one side reach p = .05."""
_SAME = 1e-12


def sign_test(differences: Sequence[float]) -> float | None:
    """The exact two-sided p-value; differences of 0 say nothing and are left out. None where fewer than six are left.

    >>> sign_test([0.1, 0.2, 0.1, 0.3, 0.1, 0.2]), sign_test([0.1, -0.1, 0.2, 0.1, 0.3, 0.1]), sign_test([0.1] * 5)
    (0.03125, 0.21875, None)
    """
    above = sum(one > _SAME for one in differences)
    number = above + sum(one < -_SAME for one in differences)
    if number < FEWEST:
        return None
    most = max(above, number - above)
    return float(min(1.0, 2 * sum(comb(number, one) for one in range(most, number + 1)) / 2**number))
