"""Classes lined up from lowest to highest: sums over lower ones, and where each has its middle."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions


def below(classes: int, like: Array) -> Array:
    """The matrix that sums over lower classes: ``x @ below`` holds, for each class, the sum of x over the classes under it."""
    xp = namespace(like)
    rank = positions(classes, like)
    return xp.astype(rank[:, None] < rank[None, :], like.dtype)


def middles(marginal: Array) -> Array:
    """Where the middle of each class lies when all items are lined up by class, as a share of all of them: its mean rank."""
    xp = namespace(marginal)
    shares = marginal / xp.sum(marginal, axis=-1)[..., None]
    return xp.matmul(shares, below(shares.shape[-1], like=shares)) + shares / 2
