"""The information contrast model: what gold and output share, less what they do not, each class worth its information."""

from __future__ import annotations

import math

from metameasure.catalogue.arrays import Array, bits_of_share, namespace, ratio, summed
from metameasure.catalogue.classification.mutual_information import gold_entropy
from metameasure.catalogue.classification.tables import CONSTANT_GOLD, gold, hits, predicted, total
from metameasure.catalogue.facts import LOG2_CLASSES
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import INFORMATION
from metameasure.catalogue.sources import AMIGO_2022


def information(gold_counts: Array, items: Array) -> Array:
    """I(c) = -log2 of a class's share of gold; log2 N for a class that gold lacks, as if one item had it."""
    return bits_of_share(namespace(gold_counts).where(gold_counts > 0, gold_counts, 1.0), items[..., None])


@measure(
    id="icm",
    asks=INFORMATION,
    title="Information contrast model",
    symbol="ICM",
    better="higher",
    range=(-math.inf, LOG2_CLASSES),
    perfect=None,
    proportional=False,
    formula="ICM = (1/N) (Σ_g c_gg I(g) - Σ_{g≠p} c_gp (I(g) + I(p))),   I(g) = -log2(G_g/N), and log2 N where G_g = 0",
    source=(AMIGO_2022,),
    use="Where rare classes tell most: a hit earns the information of its class, an error costs that of both. A perfect output "
    "reaches gold_entropy: icm_norm puts it at 1. Blind to order.",
    note="This is ICM of flat classes, one an item; PyEvALL calls it ICM. It reads the table as counts of items, not as "
    "proportions, because a class that gold lacks is worth log2 N.",
)
def icm(counts: Array) -> Array:
    worth = information(gold(counts), total(counts))
    right = hits(counts)
    wrong = (gold(counts) - right) + (predicted(counts) - right)
    return ratio(summed((right - wrong) * worth, -1), total(counts))


@measure(
    id="icm_norm",
    asks=INFORMATION,
    title="Information contrast model, normalised",
    symbol="ICM-Norm",
    better="higher",
    proportional=False,
    formula="ICM-Norm = (ICM / H(G) + 1) / 2, and 0 where that is negative",
    source=(AMIGO_2022,),
    undefined=(CONSTANT_GOLD,),
    use="ICM from 0 to 1: 1 is a perfect output, .5 an output that tells as much as it misleads. All outputs whose ICM is below "
    "-H(G) score 0 alike. Blind to order.",
)
def icm_norm(counts: Array) -> Array:
    xp = namespace(counts)
    of_perfect = gold_entropy.function(counts)
    value = (ratio(icm.function(counts), xp.where(CONSTANT_GOLD.when(counts), 0.0, of_perfect)) + 1) / 2
    return xp.where(value < 0, 0.0, value)
