"""Items with a distribution over classes each: p, the run's, and g, gold's, which is 1 for the item's class where it has one."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, anywhere, namespace, once
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.quantification.distributions import is_no_distribution
from metameasure.catalogue.questions import PROBABLE


@once
def _sums(probabilities: Array) -> Array:
    return namespace(probabilities).sum(probabilities, axis=-1)


@once
def _absent(probabilities: Array) -> Array:
    """(..., n): whether there is NaN in all classes."""
    xp = namespace(probabilities)
    some = xp.isnan(_sums(probabilities))
    return some & xp.all(xp.isnan(probabilities), axis=-1) if anywhere(some) else some


def there(predicted: Array, gold: Array) -> Array:
    """(..., n): whether an item is there: NaN in all classes of either side, it is not."""
    return ~(_absent(predicted) | _absent(gold))


def _unusable(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    known = there(predicted, gold)
    wrong = known & (is_no_distribution(predicted, _sums(predicted)) | is_no_distribution(gold, _sums(gold)))
    return xp.any(wrong, axis=-1) | ~xp.any(known, axis=-1)


PROBABILITIES = Inputs(
    reads=Reads.PROBABILITIES,
    asks=PROBABLE,
    shape="predicted and gold of shape (..., n, C), probabilities of each item that add up to 1, NaN where there is no item",
    notation="p_ic is the probability that the run gives to class c of item i, g_ic gold's: 1 for the item's class and 0 for the "
    "others, or what people's votes make of it; y_i is the item's class, n the number of items and C that of classes",
    unusable=Undefined("there is no item, or a probability is negative or not finite, or they do not add up to 1", _unusable),
    example=Example(
        text="items that are negative, positive, positive with probabilities (.7, .3), (.4, .6), (.8, .2)",
        arrays=(((0.7, 0.3), (0.4, 0.6), (0.8, 0.2)), ((1.0, 0.0), (0.0, 1.0), (0.0, 1.0))),
        classes=("negative", "positive"),
    ),
)


def mean_over_items(predicted: Array, gold: Array, of_each: Array) -> Array:
    """The mean of a number for each item (..., n), where it is there."""
    xp = namespace(of_each)
    known = there(predicted, gold)
    return mean_of_items(xp.where(known, of_each, xp.nan) if anywhere(~known) else of_each)


def around(value: Array, change: Array, known: Array) -> Array:
    """(..., n): the value, more or less what each item adds to it, so that their mean is the value; NaN where an item is not
    there."""
    xp = namespace(change)
    number = xp.sum(xp.astype(known, change.dtype), axis=-1)[..., None]
    mean = xp.sum(xp.where(known, change, 0.0), axis=-1)[..., None] / number
    return xp.where(known, value[..., None] + (change - mean), xp.nan)


def is_soft(gold: Array) -> Array:
    """(...,): whether gold divides an item among several classes."""
    xp = namespace(gold)
    return xp.any((gold > 0) & (gold < 1), axis=(-2, -1))
