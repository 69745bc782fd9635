"""Accuracy, strict and within a margin."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.tables import rank_distances, total, weighted_sum
from metameasure.catalogue.facts import WORTH, GoldTable
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import WholeNumber
from metameasure.catalogue.sources import AMIGO_2020, BERGMAIR_2009, GAUDETTE_2009, SAKAI_2021


def _near(counts: Array, n: int) -> Array:
    return namespace(counts).astype(rank_distances(counts) <= n, counts.dtype)


def _share_within(counts: Array, n: int) -> Array:
    return ratio(weighted_sum(counts, _near(counts, n)), total(counts))


def _worth(gold_counts: Array, n: int) -> Array:
    """1 for every answer that counts as right."""
    return _near(gold_counts[..., :, None] * gold_counts[..., None, :], n) + 0 * gold_counts[..., :, None]


@measure(
    id="accuracy",
    on_gold=GoldTable(WORTH, lambda gold_counts: _worth(gold_counts, 0)),
    headline={"classification": 7},
    chance="linear",
    title="Accuracy",
    symbol="Accuracy",
    better="higher",
    formula="Accuracy = Σ_g c_gg / N",
    aliases=("f1_micro", "micro_f1", "precision_micro", "recall_micro", "recall_weighted"),
    like={
        "sklearn": (
            "accuracy_score()",
            "f1_score(average='micro')",
            "precision_score(average='micro')",
            "recall_score(average='micro')",
            "recall_score(average='weighted')",
        )
    },
    source=(SAKAI_2021.at("Eq. 10"), BERGMAIR_2009.at("Section 3"), AMIGO_2020.at("Proposition 1")),
    use="For balanced nominal classes. On ordinal classes every error counts the same, however far off, and on unbalanced "
    "ones a run that always answers the largest class looks good: report it beside a measure that sees both.",
    note="On a gold with equally many items in each class it equals cem_nom. With one label an item, F1, precision and recall "
    "averaged over items (micro) are all equal to it, and so is recall weighted by gold's shares.",
)
def accuracy(counts: Array) -> Array:
    return _share_within(counts, 0)


@measure(
    id="accuracy@n",
    on_gold=GoldTable(WORTH, lambda gold_counts, *, n: _worth(gold_counts, n)),
    chance="linear",
    title="Accuracy within n classes",
    symbol="Accuracy@{}",
    better="higher",
    scale="ordinal",
    parameter=WholeNumber("n", minimum=1),
    formula="Accuracy@n = Σ_{|g-p| ≤ n} c_gp / N",
    source=(GAUDETTE_2009, AMIGO_2020.at("Section 4.2")),
    use="Where being off by n steps of the scale is as good as right. It cannot tell a hit from a near miss, and with three "
    "classes and n = 1 it sees only errors from one end to the other.",
    note="Distance is counted in steps along the declared scale, never in class values.",
)
def accuracy_within(counts: Array, *, n: int) -> Array:
    return _share_within(counts, n)
