"""Reliability and Sensitivity: BCubed precision and recall of the order relations between items."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, below, namespace, ratio, ratio_or_zero
from metameasure.catalogue.classification.tables import (
    BOTH_CONSTANT,
    CONSTANT_GOLD,
    CONSTANT_OUTPUT,
    harmonic_mean,
    predicted,
    total,
    transposed,
)
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import SAME_ORDER
from metameasure.catalogue.sources import AMIGO_2013, AMIGO_2020


def _relations_kept(counts: Array) -> Array:
    """For each cell, the items that lie on the same side of it, strictly, in gold and in output."""
    xp = namespace(counts)
    lower = below(counts.shape[-1], like=counts)
    under = xp.matmul(xp.matmul(lower.T, counts), lower)
    over = xp.matmul(xp.matmul(lower, counts), lower.T)
    return under + over


@measure(
    id="reliability",
    asks=SAME_ORDER,
    title="Reliability",
    symbol="R",
    better="higher",
    scale="ordinal",
    formula="R = mean over items d of |{d': output and gold order d, d' alike}| / |{d': output orders d, d'}|",
    source=(AMIGO_2013, AMIGO_2020.at("Section 4.2")),
    undefined=(CONSTANT_OUTPUT,),
    use="The precision half of reliability_sensitivity_f (RepLab 2013): of the order relations that the run "
    "asserts, how many hold. "
    "It measures order, not hits.",
)
def reliability(counts: Array) -> Array:
    """The mean, over the items that the output relates to others, of the share of those relations that gold has too.

    If the output has two classes it relates every item to some other; if it has one, no item, and there is no mean.
    """
    xp = namespace(counts)
    related = total(counts)[..., None] - predicted(counts)
    share = ratio_or_zero(xp.sum(counts * _relations_kept(counts), axis=-2), related)
    return xp.where(CONSTANT_OUTPUT.when(counts), xp.nan, ratio(xp.sum(share, axis=-1), total(counts)))


@measure(
    id="sensitivity",
    asks=SAME_ORDER,
    title="Sensitivity",
    symbol="S",
    better="higher",
    scale="ordinal",
    formula="S = mean over items d of |{d': output and gold order d, d' alike}| / |{d': gold orders d, d'}|",
    source=(AMIGO_2013, AMIGO_2020.at("Section 4.2")),
    undefined=(CONSTANT_GOLD,),
    use="The recall half of reliability_sensitivity_f: of the order relations in gold, how many the run finds.",
)
def sensitivity(counts: Array) -> Array:
    return reliability.function(transposed(counts))


@measure(
    id="reliability_sensitivity_f",
    asks=SAME_ORDER,
    title="F measure of Reliability and Sensitivity",
    symbol="F(R,S)",
    better="higher",
    scale="ordinal",
    formula="F = 2 R S / (R + S), and 0 where one side is constant and the other is not",
    source=(AMIGO_2013, AMIGO_2020.at("Section 4.2")),
    undefined=(BOTH_CONSTANT,),
    use="Order relations between items as the thing to get right; the official measure of RepLab 2013's polarity task.",
)
def reliability_sensitivity_f(counts: Array) -> Array:
    xp = namespace(counts)
    f = harmonic_mean(reliability.function(counts), sensitivity.function(counts))
    one_side_constant = CONSTANT_OUTPUT.when(counts) | CONSTANT_GOLD.when(counts)
    return xp.where(BOTH_CONSTANT.when(counts), xp.nan, xp.where(one_side_constant, 0.0, f))
