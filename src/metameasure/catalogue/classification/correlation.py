"""Pearson's and Spearman's correlation of gold and predicted class values."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, middles, namespace, ratio
from metameasure.catalogue.classification.tables import CONSTANT_GOLD, CONSTANT_OUTPUT, gold, predicted
from metameasure.catalogue.facts import either
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import SAME_ORDER
from metameasure.catalogue.sources import AMIGO_2020, SPEARMAN_1904

_USE = "A run that is off by the same step everywhere still scores 1: it measures order, not hits. "


def product_sum(counts: Array, gold_values: Array, predicted_values: Array) -> Array:
    """Σ_gp x_g y_p c_gp."""
    xp = namespace(counts)
    return xp.sum(gold_values * xp.sum(counts * predicted_values[..., None, :], axis=-1), axis=-1)


def _centred(values: Array, marginal: Array) -> Array:
    """Deviations from the mean over items."""
    xp = namespace(marginal)
    mean = xp.sum(values * marginal, axis=-1) / xp.sum(marginal, axis=-1)
    return values - mean[..., None]


def _correlation(counts: Array, gold_values: Array, predicted_values: Array) -> Array:
    xp = namespace(counts)
    x, y = _centred(gold_values, gold(counts)), _centred(predicted_values, predicted(counts))
    spread = xp.sqrt(xp.sum(x**2 * gold(counts), axis=-1)) * xp.sqrt(xp.sum(y**2 * predicted(counts), axis=-1))
    # Rounding may leave a constant side with a spread that is not quite 0, so it is recognised by counting its classes.
    undefined = either(CONSTANT_GOLD.when(counts), CONSTANT_OUTPUT.when(counts))
    return xp.where(undefined, xp.nan, ratio(product_sum(counts, x, y), spread))


@measure(
    id="pearson",
    asks=SAME_ORDER,
    chance="zero",
    title="Pearson's correlation",
    symbol="r",
    better="higher",
    range=(-1, 1),
    scale="interval",
    aliases=("pearsonr",),
    formula="r = Σ_gp (v_g - ḡ)(v_p - p̄) c_gp / sqrt(Σ_g (v_g - ḡ)² G_g · Σ_p (v_p - p̄)² P_p)",
    source=(AMIGO_2020.at("Section 4.2"),),
    undefined=(CONSTANT_GOLD, CONSTANT_OUTPUT),
    use=_USE + "For class values that are real quantities.",
)
def pearson(counts: Array, *, values: Array) -> Array:
    values = values - namespace(values).mean(values)
    return _correlation(counts, values, values)


@measure(
    id="spearman",
    asks=SAME_ORDER,
    chance="zero",
    title="Spearman's rank correlation",
    symbol="ρ",
    better="higher",
    range=(-1, 1),
    scale="ordinal",
    aliases=("spearmanr",),
    formula="ρ = Pearson's r of the items' ranks on either side, items of one class sharing their mean rank",
    source=(SPEARMAN_1904, AMIGO_2020.at("Section 4.2")),
    undefined=(CONSTANT_GOLD, CONSTANT_OUTPUT),
    use=_USE + "For ordinal classes.",
)
def spearman(counts: Array) -> Array:
    return _correlation(counts, middles(gold(counts)), middles(predicted(counts)))
