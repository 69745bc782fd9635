"""Mutual information of weighted items, less what chance gives."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.mutual_information import CORRECTED, mutual_information
from metameasure.catalogue.classification.tables import TABLES, gold, occupied, predicted, total
from metameasure.catalogue.facts import Example, Inputs, Reads, Recommendation, Undefined
from metameasure.catalogue.measure import NormalInterval, measure
from metameasure.catalogue.questions import INFORMATION
from metameasure.catalogue.sources import BERGMAIR_2009, MILLER_1955


def _unusable(counts: Array, squares: Array) -> Array:
    return TABLES.unusable.when(counts) | TABLES.unusable.when(squares)


def _inputs(reads: Reads) -> Inputs:
    return Inputs(
        asks=INFORMATION,
        reads=reads,
        shape="counts and squares of shape (..., C, C), rows gold, columns predicted: the sum of the items' weights in each "
        "cell, and the sum of their squares",
        notation="c_gp is the weight of the items of gold class g that were given class p, G_g and P_p are its sums over rows "
        "and columns, N the weight of all items; A_p is the sum of the squared weights of the items that were given class p, A "
        "their sum over all items, and r the number of gold classes that occur",
        unusable=Undefined("there are no items, or weights that are negative or not finite", _unusable),
        example=Example(
            text="four items of the weights .4, .3, .2 and .1; gold no, no, maybe, yes; output no, maybe, maybe, yes",
            arrays=(
                ((0.4, 0.3, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.1)),
                ((0.16, 0.09, 0.0), (0.0, 0.04, 0.0), (0.0, 0.0, 0.01)),
            ),
            classes=("no", "maybe", "yes"),
        ),
    )


def chance_of_weighted(counts: Array, squares: Array) -> Array:
    """About how many bits outputs of these weights have where they are shuffled: (r-1) (Σ_p A_p/P_p - A) / (2 ln 2), the weights
    adding up to 1. Of equal weights it is (r-1)(s-1) / (2 N ln 2)."""
    xp = namespace(counts, squares)
    whole = total(counts)
    of_label = xp.sum(squares, axis=-2) / (whole**2)[..., None]
    shares = predicted(counts) / whole[..., None]
    spread = xp.sum(xp.where(shares > 0, ratio(of_label, xp.where(shares > 0, shares, 1.0)), 0.0), axis=-1)
    return (occupied(gold(counts)) - 1) * (spread - xp.sum(of_label, axis=-1)) / (2 * math.log(2))


def _corrected(counts: Array, squares: Array) -> Array:
    return mutual_information.function(counts) - chance_of_weighted(counts, squares)


def _facts(by: str) -> dict[str, Any]:
    plain = mutual_information.at(by)
    return {
        "id": f"{plain.id}:corrected",
        "symbol": f"I^corr(G;L)@{by}",
        "companions": {"entailment": f"gold_entropy@{by}"},
        "interval": NormalInterval(plain, least=0, fewest=6),
    }


_measure = partial(
    measure,
    tasks=("entailment",),
    better="higher",
    range=CORRECTED,
    perfect=None,
    formula="I(G;L) - (r-1) (Σ_p A_p N / P_p - A) / (2 N² ln 2)",
    source=(BERGMAIR_2009.at("Section 5.3"), MILLER_1955),
    use="What the output tells about gold where some items count more, beyond what chance gives: shuffled outputs have about 0 "
    "on average, so that runs can be compared and tested by it, however they weigh their items.",
    note="What is taken off is, to the first order, the mean of mutual_information with the same weights over all ways to deal "
    "out a run's outputs, each with its weight, to the items; where all items weigh the same this is "
    "mutual_information@corrected. It can be below 0, which information cannot be: the data then show none. The interval over "
    "items is the value ± z times the standard deviation of the uncorrected measure over resampled items, cut at 0.",
)


@_measure(
    **_facts("rank"),
    recommended=(
        Recommendation(
            "entailment",
            "secondary",
            "reads how sure runs are, and gives bias and guessing nothing",
            BERGMAIR_2009.at("Section 5.3"),
            where=("confidence",),
            turn=2,
        ),
    ),
    inputs=_inputs(Reads.WEIGHTS_BY_RANK),
    title="Mutual information of items weighted by rank, less what chance gives",
)
def corrected_by_rank(counts: Array, squares: Array) -> Array:
    return _corrected(counts, squares)


@_measure(
    **_facts("confidence"),
    inputs=_inputs(Reads.WEIGHTS_BY_CONFIDENCE),
    title="Mutual information of items weighted by confidence, less what chance gives",
)
def corrected_by_confidence(counts: Array, squares: Array) -> Array:
    return _corrected(counts, squares)
