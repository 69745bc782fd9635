"""Matthews correlation coefficient, for any number of classes."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.kendall import untied_pairs
from metameasure.catalogue.classification.tables import (
    CONSTANT_GOLD,
    CONSTANT_OUTPUT,
    gold,
    hits,
    predicted,
    rank_distances,
    total,
)
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import BEYOND_CHANCE
from metameasure.catalogue.sources import GORODKIN_2004, MATTHEWS_1975


@measure(
    id="mcc",
    asks=BEYOND_CHANCE,
    like={"sklearn": "matthews_corrcoef()"},
    title="Matthews correlation coefficient",
    symbol="MCC",
    better="higher",
    range=(-1, 1),
    chance="zero",
    aliases=("matthews_corrcoef", "matthews_correlation"),
    formula="MCC = Σ_k (N c_kk - G_k P_k) / sqrt((N² - Σ_k G_k²)(N² - Σ_k P_k²))",
    source=(GORODKIN_2004, MATTHEWS_1975),
    undefined=(CONSTANT_GOLD, CONSTANT_OUTPUT),
    use="Nominal classes, balanced or not: a correlation of gold and output, 0 for an output that knows nothing. Blind to order. "
    "scikit-learn says 0 where it is undefined.",
    note="With two classes it is Pearson's r of the two labels. Its numerator is kappa's.",
)
def mcc(counts: Array) -> Array:
    xp = namespace(counts)
    shares = counts / total(counts)[..., None, None]
    other = xp.astype(rank_distances(counts) > 0, counts.dtype)
    # N c_kk - G_k P_k is TP TN - FN FP of class k: sums of what is not negative, which do not cancel when N is large.
    outside = xp.matmul(other, shares)  # of the gold classes other than k
    true_negative, false_positive = xp.sum(outside * other, axis=-1), hits(outside)
    agreement = xp.sum(hits(shares) * true_negative - xp.sum(shares * other, axis=-1) * false_positive, axis=-1)
    return ratio(agreement, 2 * xp.sqrt(untied_pairs(gold(shares))) * xp.sqrt(untied_pairs(predicted(shares))))
