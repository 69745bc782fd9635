"""Accuracy of three-way and two-way readings, over all and conditioned on one side's label."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from metameasure.catalogue.arrays import Array, constant, namespace, select
from metameasure.catalogue.classification.accuracy import accuracy
from metameasure.catalogue.classification.precision import CLASS_NOWHERE, precision, precision_per_class
from metameasure.catalogue.classification.recall import CLASS_NOT_IN_GOLD, macro_recall, recall, recall_per_class
from metameasure.catalogue.classification.tables import TABLES
from metameasure.catalogue.facts import WORTH, GoldTable, Recommendation, Undefined
from metameasure.catalogue.measure import Measure, measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.sources import BERGMAIR_2009

JUDGEMENTS = replace(
    TABLES,
    first_is_special=True,
    shape="counts of shape (..., C, C), rows gold, columns predicted, the first class being the positive one",
    notation=TABLES.notation + ". The first class is the positive one, △; read two ways, all others are ▽",
)
_BIAS = "Read it beside the baselines: labels given to everything, or at random, score above 0."
_measure = partial(measure, tasks=("entailment",), better="higher", source=(BERGMAIR_2009.at("Section 3"),))


def _merge(counts: Array) -> Array:
    """(C, 2): which classes are △ and ▽."""
    return constant([[1.0, 0.0]] + [[0.0, 1.0]] * (counts.shape[-1] - 1), like=counts)


def two_way(counts: Array) -> Array:
    """The table of △ and ▽: all classes but the first in one."""
    xp, merge = namespace(counts), _merge(counts)
    return xp.matmul(xp.matmul(xp.matrix_transpose(merge), counts), merge)


def _two_way_worth(of: Measure) -> GoldTable:
    """What each answer is worth to a measure that is computed on the table of △ and ▽."""

    def worth(gold_counts: Array, *, chosen: tuple[int, ...] | None = None) -> Array:
        assert of.on_gold is not None  # noqa: S101 - it is declared in this package
        xp, merge = namespace(gold_counts), _merge(gold_counts)
        sides = xp.matmul(gold_counts[..., None, :], merge)[..., 0, :]
        both = of.on_gold.function(sides) if chosen is None else of.on_gold.function(sides, chosen=_side(chosen))
        return xp.matmul(xp.matmul(merge, both), xp.matrix_transpose(merge))

    return GoldTable(WORTH, worth)


def _side(chosen: tuple[int, ...]) -> tuple[int, ...]:
    """△ or ▽, whichever the class belongs to."""
    return tuple(min(position, 1) for position in chosen)


@_measure(
    id="a3",
    on_gold=accuracy.on_gold,
    title="Three-way accuracy",
    symbol="A3",
    chance="linear",
    headline={"entailment": 1},
    recommended=(
        Recommendation(
            "entailment",
            "secondary",
            "is what others report (but rewards bias, so that baselines belong beside it)",
            BERGMAIR_2009.at("Section 6"),
            turn=2,
        ),
    ),
    formula="A3 = Σ_g c_gg / N",
    use="How many labels are right: accuracy, under its name in this task. " + _BIAS,
)
def a3(counts: Array) -> Array:
    return accuracy.function(counts)


@_measure(
    id="a2",
    on_gold=_two_way_worth(accuracy),
    title="Two-way accuracy",
    symbol="A2",
    inputs=JUDGEMENTS,
    chance="linear",
    headline={"entailment": 2},
    formula="A2 = (c_△△ + c_▽▽) / N",
    use="How many labels are right if only the positive class matters. " + _BIAS,
    note="It changes when every judgement is turned into its negation, as positive and negative trade places; a3 does not "
    "(Bergmair 2009, Section 4.2).",
)
def a2(counts: Array) -> Array:
    return accuracy.function(two_way(counts))


@_measure(
    id="a3_macro",
    on_gold=macro_recall.on_gold,
    title="Three-way accuracy, mean over gold classes",
    symbol="A'3",
    chance="linear",
    headline={"entailment": 3},
    formula="A'3 = (1/|C+|) Σ_{g in C+} c_gg / G_g",
    use="A3 as if gold had equally many items of each class: macro_recall, under its name in this task. Any output that does not "
    "look at the items has an expectation of 1/|C+|.",
)
def a3_macro(counts: Array) -> Array:
    return macro_recall.function(counts)


@_measure(
    id="a2_macro",
    on_gold=_two_way_worth(macro_recall),
    title="Two-way accuracy, mean over gold classes",
    symbol="A'2",
    inputs=JUDGEMENTS,
    chance="linear",
    formula="A'2 = (c_△△ / G_△ + c_▽▽ / G_▽) / 2",
    use="A2 as if gold had as many positive items as others.",
)
def a2_macro(counts: Array) -> Array:
    return macro_recall.function(two_way(counts))


@_measure(
    id="a3_given@LABEL",
    on_gold=recall.on_gold,
    title="Three-way accuracy where gold is one class",
    symbol="A'3(L;G,{})",
    chance="linear",
    parameter=Labels(several=False),
    formula="A'3(L;G,g) = c_gg / G_g",
    undefined=(CLASS_NOT_IN_GOLD,),
    use="How much of a gold class the run finds: recall, under its name in this task.",
)
def a3_given(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return recall.function(counts, chosen=chosen)


@_measure(
    id="a2_given@LABEL",
    on_gold=_two_way_worth(recall),
    title="Two-way accuracy where gold is one side",
    symbol="A'2(L;G,{})",
    inputs=JUDGEMENTS,
    chance="linear",
    parameter=Labels(several=False),
    formula="A'2(L;G,g) = c_gg / G_g,   g being △ for the positive class and ▽ for any other",
    undefined=(
        Undefined(
            "gold lacks the side of the chosen class",
            lambda counts, *, chosen: CLASS_NOT_IN_GOLD.when(two_way(counts), chosen=_side(chosen)),
            of_gold=True,
        ),
    ),
    use="How much of the positive class, or of all the others together, the run finds: recall, read two ways.",
)
def a2_given(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return select(recall_per_class(two_way(counts)), _side(chosen))[..., 0]


@_measure(
    id="a3_of@LABEL",
    title="Three-way accuracy where the output is one class",
    symbol="A'3(G;L,{})",
    parameter=Labels(several=False),
    formula="A'3(G;L,p) = c_pp / P_p, and 0 where P_p = 0 < G_p",
    undefined=(CLASS_NOWHERE,),
    use="How far to trust the run when it answers one class: precision, under its name in this task.",
)
def a3_of(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return precision.function(counts, chosen=chosen)


@_measure(
    id="a2_of@LABEL",
    title="Two-way accuracy where the output is one side",
    symbol="A'2(G;L,{})",
    inputs=JUDGEMENTS,
    parameter=Labels(several=False),
    formula="A'2(G;L,p) = c_pp / P_p, and 0 where P_p = 0 < G_p,   p being △ for the positive class and ▽ for any other",
    undefined=(
        Undefined(
            "neither gold nor output has the side of the chosen class",
            lambda counts, *, chosen: CLASS_NOWHERE.when(two_way(counts), chosen=_side(chosen)),
        ),
    ),
    use="How far to trust the run when it answers the positive class, or any other: precision, read two ways.",
)
def a2_of(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return select(precision_per_class(two_way(counts)), _side(chosen))[..., 0]
