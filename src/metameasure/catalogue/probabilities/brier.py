"""Brier score: the squared distance between probabilities and what happened."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, select
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.probabilities.items import PROBABILITIES, mean_over_items
from metameasure.catalogue.sources import BRIER_1950, GNEITING_2007

_measure = partial(measure, inputs=PROBABILITIES, better="lower", perfect=None, chance="linear", source=(BRIER_1950.at("Eq. 2"),))


def _squares(predicted: Array, gold: Array) -> Array:
    """Of each item and class, the expected squared distance to 1 where the item is of the class and to 0 elsewhere."""
    return (predicted - gold) ** 2 + gold * (1 - gold)


@_measure(
    id="brier",
    title="Brier score",
    symbol="BS",
    like={"sklearn": "brier_score_loss(scale_by_half=False)"},
    aliases=("brier_score",),
    range=(0, 2),
    headline={"probabilities": 2},
    recommended=(
        Recommendation(
            "probabilities", "secondary", "is strictly proper too, and no single item decides it", GNEITING_2007.at("Section 3")
        ),
    ),
    formula="(1/n) Σ_i Σ_c (p_ic - g_ic)² + g_ic (1 - g_ic)",
    use="As log_loss, for those who do not want single items to decide: no item adds more than 2.",
    note="The sum over all classes, from 0 to 2, as Brier has it; squared_error is that of distributions divided by C. "
    "scikit-learn halves it for two classes unless told otherwise (scale_by_half). With gold of several classes it is the "
    "expected score, whose least value is gold's own spread.",
)
def brier(predicted: Array, gold: Array) -> Array:
    return mean_over_items(predicted, gold, namespace(predicted).sum(_squares(predicted, gold), axis=-1))


@_measure(
    id="brier@LABEL",
    title="Brier score of one class",
    parameter=Labels(several=False),
    symbol="BS@{}",
    like={"sklearn": "brier_score_loss(pos_label=LABEL)"},
    range=(0, 1),
    formula="(1/n) Σ_i (p_ic - g_ic)² + g_ic (1 - g_ic)",
    use="How good the probabilities of one class are: those of all classes add up to brier.",
)
def brier_of_class(predicted: Array, gold: Array, *, chosen: tuple[int, ...]) -> Array:
    of_class = select(_squares(predicted, gold), chosen)
    return mean_over_items(predicted, gold, namespace(predicted).sum(of_class, axis=-1))
