"""Ways to write the same ranking down: what rank tied items get."""

from __future__ import annotations

from typing import Any, Literal, get_args

from metameasure.catalogue.arrays import Array, Batch, namespace
from metameasure.catalogue.ranking.ranks import in_order, places
from metameasure.core.errors import UsageError

Normalisation = Literal["floor", "ceiling", "middle", "minimize"]
WAYS: tuple[str, ...] = get_args(Normalisation)


def normalise_ranks(ranks: Any, how: Normalisation = "floor") -> Array:
    """Ranks with another treatment of ties.

    Parameters
    ----------
    ranks : array
        Ranks (..., n): 1 is best, NaN stays NaN.
    how : {'floor', 'ceiling', 'middle', 'minimize'}, default 'floor'
        Tied items share the first of the places they take up (``floor``: 1, 2, 2, 4, 5), the last (``ceiling``: 1, 3, 3, 4,
        5) or the mean of the two (``middle``: 1, 2.5, 2.5, 4, 5); or they take up one place only (``minimize``: 1, 2, 2, 3,
        4).

    Returns
    -------
    array
        The new ranks, in the same shape.

    Raises
    ------
    UsageError
        If there is no such treatment.

    Notes
    -----
    The four ways of Avramidis (2013), Section 3.6; the paper's own example of ``middle`` ends in 3, 4, a slip.

    Examples
    --------
    >>> import metameasure as mm
    >>> mm.normalise_ranks([1, 2, 2, 3], "ceiling").tolist()
    [1.0, 3.0, 3.0, 4.0]

    """
    if how not in WAYS:
        raise UsageError(f"ranks cannot be normalised by '{how}'", hint=f"choose {', '.join(WAYS)}")
    return Batch.of((ranks,), 1).map(lambda block: normalised(block, how))


def normalised(ranks: Array, how: str) -> Array:
    """The same for one block of cases (cases, n)."""
    xp = namespace(ranks)
    if how == "minimize":
        new_ranks = _without_gaps(ranks)
    else:
        first, last = places(ranks)
        new_ranks = {"floor": first, "ceiling": last, "middle": (first + last) / 2}[how]
    return xp.where(xp.isnan(ranks), xp.nan, new_ranks)


def _without_gaps(ranks: Array) -> Array:
    """Which of the groups of ties each item is in, from 1 up."""
    xp = namespace(ranks)
    numbers = xp.broadcast_to(xp.arange(ranks.shape[-1])[None, :], ranks.shape)
    starts, order = in_order(ranks, numbers)
    groups = xp.cumulative_sum(xp.astype(starts, ranks.dtype), axis=-1)
    return xp.take_along_axis(groups, xp.argsort(order, axis=-1), axis=-1)
