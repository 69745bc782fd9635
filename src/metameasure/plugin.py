"""Everything that the file of a measure of your own imports: ``from metameasure.plugin import measure, namespace, ratio``.

    @measure(id="error_rate", title="Error rate", better="lower", formula="1 - Σ_g c_gg / N", source="You (2026). A Paper.")
    def error_rate(counts):
        return 1 - ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))

Functions of measures are written with the array API standard; docs/add-a-measure.md says how.
"""

from metameasure.catalogue.arrays import Array, below, constant, log2_or_zero, middles, namespace, positions, ratio, select
from metameasure.catalogue.classification.tables import (
    BOTH_CONSTANT,
    CONSTANT_GOLD,
    CONSTANT_OUTPUT,
    ONE_CLASS_ONLY,
    ONE_ITEM,
    TABLES,
    distances,
    gold,
    harmonic_mean,
    hits,
    mean_over_gold_classes,
    predicted,
    rank_distances,
    total,
    transposed,
    weighted_sum,
)
from metameasure.catalogue.entailment.orders import BELIEF, CONFIDENCE
from metameasure.catalogue.facts import (
    LOG2_CLASSES,
    SPAN,
    SPAN_SQUARED,
    Bound,
    Evidence,
    Excess,
    Reads,
    Reduction,
    Undefined,
    either,
)
from metameasure.catalogue.measure import Measure, NormalInterval, measure
from metameasure.catalogue.parameters import Labels, Options, Parameter, Settings, WholeNumber
from metameasure.catalogue.quantification.distributions import DISTRIBUTIONS
from metameasure.catalogue.ranking.lists import LISTS
from metameasure.catalogue.ranking.pairs import NO_PAIR, PAIRS
from metameasure.catalogue.ranking.ranks import RANKS, best_ranked, ranked_by_both
from metameasure.catalogue.sources import Citation, Source

__all__ = [
    "BELIEF",
    "BOTH_CONSTANT",
    "CONFIDENCE",
    "CONSTANT_GOLD",
    "CONSTANT_OUTPUT",
    "DISTRIBUTIONS",
    "LISTS",
    "LOG2_CLASSES",
    "NO_PAIR",
    "ONE_CLASS_ONLY",
    "ONE_ITEM",
    "PAIRS",
    "RANKS",
    "SPAN",
    "SPAN_SQUARED",
    "TABLES",
    "Array",
    "Bound",
    "Citation",
    "Evidence",
    "Excess",
    "Labels",
    "Measure",
    "NormalInterval",
    "Options",
    "Parameter",
    "Reads",
    "Reduction",
    "Settings",
    "Source",
    "Undefined",
    "WholeNumber",
    "below",
    "best_ranked",
    "constant",
    "distances",
    "either",
    "gold",
    "harmonic_mean",
    "hits",
    "log2_or_zero",
    "mean_over_gold_classes",
    "measure",
    "middles",
    "namespace",
    "positions",
    "predicted",
    "rank_distances",
    "ranked_by_both",
    "ratio",
    "select",
    "total",
    "transposed",
    "weighted_sum",
]
