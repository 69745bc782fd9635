"""Tables of counts ``c[g, p]``: items whose gold class is g and whose predicted class is p.

Rows gold, columns predicted, as in scikit-learn; Sakai (2021) writes the transpose, c_ij with i predicted.
"""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, once, positions, ratio, reshaped, summed
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.questions import MOST_RIGHT


@once
def gold(counts: Array) -> Array:
    """G, the number of items in each gold class."""
    return summed(counts, -1)


@once
def predicted(counts: Array) -> Array:
    """P, the number of items given each class."""
    return summed(counts, -2)


@once
def total(counts: Array) -> Array:
    """N."""
    return summed(counts, (-2, -1))


@once
def hits(counts: Array) -> Array:
    """The diagonal: the items of each class that were given it."""
    return namespace(counts).linalg.diagonal(counts)


def transposed(counts: Array) -> Array:
    """The table with gold and output in each other's place."""
    return namespace(counts).matrix_transpose(counts)


def weighted_sum(counts: Array, weights: Array) -> Array:
    """The sum of w[g, p] c[g, p] over all cells, the weights being the same for every table."""
    return namespace(counts).matmul(_in_a_row(counts), reshaped(weights, (weights.shape[0] ** 2,)))


@once
def _in_a_row(counts: Array) -> Array:
    """The cells of each table in one axis."""
    return reshaped(counts, (*counts.shape[:-2], counts.shape[-1] ** 2))


@once
def distances(values: Array) -> Array:
    """|v_g - v_p| for each pair of classes."""
    return namespace(values).abs(values[:, None] - values[None, :])


@once
def rank_distances(counts: Array) -> Array:
    """|g - p| for each pair of classes, counted in steps along the scale."""
    return distances(positions(counts.shape[-1], like=counts))


def mean_over_gold_classes(per_class: Array, counts: Array) -> Array:
    """The mean over C+, the gold classes that are not empty (Sakai 2021, Section 3.1)."""
    sizes = gold(counts)
    return ratio(summed(namespace(counts).where(sizes > 0, per_class, 0.0), -1), occupied(sizes))


def weighted_by_gold(per_class: Array, counts: Array) -> Array:
    """The mean over classes, each weighted by its share of gold."""
    sizes = gold(counts)
    return ratio(summed(namespace(counts).where(sizes > 0, sizes * per_class, 0.0), -1), total(counts))


def harmonic_mean(first: Array, second: Array) -> Array:
    """2ab / (a + b), and 0 where both are 0."""
    both = first + second
    return namespace(first, second).where(both == 0, 0.0, ratio(2 * first * second, both))


@once
def occupied(marginal: Array) -> Array:
    """How many classes are not empty. Exact, unlike a variance that rounding keeps from being 0."""
    return summed(namespace(marginal).astype(marginal > 0, marginal.dtype), -1)


def balanced(counts: Array, *, as_items: bool = False) -> Array:
    """The table with every gold class that occurs weighing the same, and the same total; for a formula that counts items, the
    total of as many items as would say as much if classes were of one size: C+² / Σ 1/G_g (Kish's effective number)."""
    xp, sizes = namespace(counts), gold(counts)
    some = sizes > 0
    each = xp.where(some, sizes, 1.0)
    classes = xp.where(xp.any(some, axis=-1), occupied(sizes), 1.0)
    number = classes**2 / (summed(xp.where(some, 1 / each, 0.0), -1) + (total(counts) == 0)) if as_items else total(counts)
    return counts * xp.where(some, (number / classes)[..., None] / each, 0.0)[..., None]


def _unusable(counts: Array) -> Array:
    xp = namespace(counts)
    n = total(counts)
    return ~((xp.min(counts, axis=(-2, -1)) >= 0) & (n > 0) & (n < xp.inf))


TABLES = Inputs(
    asks=MOST_RIGHT,
    reads=Reads.COUNTS,
    shape="counts of shape (..., C, C), rows gold, columns predicted",
    notation="c_gp items of gold class g were given class p; G_g and P_p are the sums over rows and columns, N "
    "the number of items, "
    "C+ the gold classes that occur, v_g the value of class g: its rank 1..C unless the scale gives one",
    unusable=Undefined("there are no items, or counts that are negative or not finite", _unusable),
    example=Example(
        text="gold negative, negative, neutral, positive; output negative, neutral, neutral, positive",
        arrays=(((1, 1, 0), (0, 1, 0), (0, 0, 1)),),
        classes=("negative", "neutral", "positive"),
    ),
)

CONSTANT_OUTPUT = Undefined("the output is constant", lambda counts: occupied(predicted(counts)) < 2)
CONSTANT_GOLD = Undefined("the gold is constant", lambda counts: occupied(gold(counts)) < 2, of_gold=True)
BOTH_CONSTANT = Undefined(
    "gold and output are constant", lambda counts: (occupied(predicted(counts)) < 2) & (occupied(gold(counts)) < 2)
)
ONE_CLASS_ONLY = Undefined(
    "all of gold and all of the output are one and the same class", lambda counts: occupied(gold(counts) + predicted(counts)) < 2
)
ONE_ITEM = Undefined("there are fewer than two items", lambda counts: total(counts) <= 1, of_gold=True)
