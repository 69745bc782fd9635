"""Kendall's tau on rankings of segments: the forms that the WMT metrics tasks used over the years, and Kendall's own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.facts import Example, Reads, Recommendation, Reduction, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.ranking.pairs import (
    NAMES,
    NO_HUMAN_ORDER,
    NO_PAIR,
    PAIRS,
    counted,
    every_pair,
    parts,
)
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import (
    AVRAMIDIS_2013,
    CALLISON_BURCH_2008,
    CALLISON_BURCH_2012,
    DEUTSCH_2023,
    KENDALL_1938,
    KENDALL_1945,
    MA_2018,
    MACHACEK_2013,
    MACHACEK_2014,
)

_FAR = 25.0  # of 100: the difference in human scores below which WMT takes two translations for equally good
_measure = partial(measure, inputs=RANKS, evidence=PAIRS, better="higher", ties="answer")
_MICRO = " Counts of segments add: report the micro average (one tau of all pairs) beside the macro average (mean of segments)."


@_measure(
    id="tau@wmt08",
    title="Share of concordant pairs, as at WMT 2008",
    symbol="τ_wmt08",
    undefined=(NO_HUMAN_ORDER,),
    formula="τ = C / (C + D + T_m)",
    source=(CALLISON_BURCH_2008,),
    use="To compare with results of those years. A share and no correlation: a coin gets .5.",
)
def tau_wmt08(pairs: Array) -> Array:
    concordant, discordant, _, predicted_ties, _ = parts(pairs)
    return ratio(concordant, concordant + discordant + predicted_ties)


@_measure(
    id="tau@wmt12",
    title="Kendall's tau with predicted ties as errors, as at WMT 2012",
    symbol="τ_wmt12",
    range=(-1, 1),
    headline={"ranking": 1},
    recommended=(
        Recommendation(
            "ranking",
            "primary",
            "reads the whole ranking and counts ties of a run as errors",
            AVRAMIDIS_2013.at("Section 3.1"),
            unless=("grades",),
        ),
    ),
    undefined=(NO_HUMAN_ORDER,),
    formula="τ = (C - D - T_m) / (C + D + T_m)",
    source=(AVRAMIDIS_2013.at("Eq. 2"), CALLISON_BURCH_2012),
    use="Where a tie is no answer: each pair that the human orders and the prediction does not is wrong." + _MICRO,
    note="Not 0 but -1 for a constant prediction. It is what RankEval calls tau.",
)
def tau_wmt12(pairs: Array) -> Array:
    concordant, discordant, _, predicted_ties, _ = parts(pairs)
    return ratio(concordant - discordant - predicted_ties, concordant + discordant + predicted_ties)


@_measure(
    id="tau@wmt13",
    title="Kendall's tau without ties, as at WMT 2013",
    symbol="τ_wmt13",
    range=(-1, 1),
    undefined=(Undefined("no pair is ordered by both", lambda pairs: pairs[:, 0] + pairs[:, 1] == 0),),
    formula="τ = (C - D) / (C + D)",
    source=(AVRAMIDIS_2013.at("Eq. 1"), MACHACEK_2013),
    use="To compare with results of that year. A prediction gains by tying all pairs that it is not sure of." + _MICRO,
)
def tau_wmt13(pairs: Array) -> Array:
    return ratio(pairs[:, 0] - pairs[:, 1], pairs[:, 0] + pairs[:, 1])


@_measure(
    id="tau@wmt14",
    title="Kendall's tau with predicted ties as no information, as at WMT 2014",
    symbol="τ_wmt14",
    range=(-1, 1),
    headline={"ranking": 2},
    undefined=(NO_HUMAN_ORDER,),
    formula="τ = (C - D) / (C + D + T_m)",
    source=(MACHACEK_2014,),
    use="Where a tie is neither right nor wrong; the official form from WMT 2014 on." + _MICRO,
)
def tau_wmt14(pairs: Array) -> Array:
    concordant, discordant, _, predicted_ties, _ = parts(pairs)
    return ratio(concordant - discordant, concordant + discordant + predicted_ties)


@_measure(
    id="tau@xties",
    title="Kendall's tau over all pairs, common ties counting as agreement",
    symbol="τ_xties",
    range=(-1, 1),
    undefined=(NO_PAIR,),
    formula="τ = (C - D + T_hm) / (C + D + T_h + T_m + T_hm)",
    source=(MACHACEK_2014,),
    use="Where the prediction should find ties too. tau@eq is stricter: ties of one side alone are errors there." + _MICRO,
)
def tau_xties(pairs: Array) -> Array:
    concordant, discordant, *_, common_ties = parts(pairs)
    return ratio(concordant - discordant + common_ties, every_pair(pairs))


@_measure(
    id="tau@a",
    title="Kendall's tau-a",
    symbol="τ_a",
    range=(-1, 1),
    perfect=None,
    chance="zero",
    undefined=(NO_PAIR,),
    formula="τ_a = (C - D) / (C + D + T_h + T_m + T_hm)",
    source=(KENDALL_1938,),
    use="Where there are no ties, in which case most taus agree. With human ties nothing reaches 1." + _MICRO,
)
def tau_a(pairs: Array) -> Array:
    return ratio(pairs[:, 0] - pairs[:, 1], every_pair(pairs))


def _one_side_is_all_ties(pairs: Array) -> Array:
    concordant, discordant, human_ties, predicted_ties, _ = parts(pairs)
    ordered = concordant + discordant
    return (ordered + predicted_ties == 0) | (ordered + human_ties == 0)


@_measure(
    id="tau@b",
    title="Kendall's tau-b",
    symbol="τ_b",
    range=(-1, 1),
    chance="zero",
    undefined=(Undefined("the human or the prediction puts no two items in different ranks", _one_side_is_all_ties),),
    formula="τ_b = (C - D) / sqrt((C + D + T_m)(C + D + T_h))",
    source=(KENDALL_1945,),
    use="The usual correction for ties, and SciPy's default. It does not ask whether the ties are the same." + _MICRO,
)
def tau_b(pairs: Array) -> Array:
    concordant, discordant, human_ties, predicted_ties, _ = parts(pairs)
    ordered = concordant + discordant
    return ratio(concordant - discordant, namespace(pairs).sqrt((ordered + predicted_ties) * (ordered + human_ties)))


@_measure(
    id="tau@eq",
    title="Kendall's tau over all pairs, ties counting as a third answer",
    symbol="τ_eq",
    range=(-1, 1),
    undefined=(NO_PAIR,),
    formula="τ_eq = (C + T_hm - D - T_h - T_m) / (C + D + T_h + T_m + T_hm)",
    source=(DEUTSCH_2023,),
    use="pairwise_accuracy on the scale of a tau: τ_eq = 2 acc_eq - 1." + _MICRO,
)
def tau_eq(pairs: Array) -> Array:
    return 2 * right(pairs) - 1


def right(pairs: Array) -> Array:
    """The share of pairs on which both agree: better, worse or tied."""
    return ratio(pairs[:, 0] + pairs[:, 4], every_pair(pairs))


def _far_apart(predicted: Array, gold: Array) -> tuple[Array, ...]:
    return counted(predicted, gold, least=_FAR)


@_measure(
    inputs=replace(
        RANKS,
        reads=Reads.GOLD_SCORES,
        shape="predicted ranks and negated human scores of shape (..., n), the lowest being best, NaN where there is none",
        example=Example(
            text="predicted ranks 1, 1, 2, 3 and human scores 90, 50, 60, 40, negated",
            arrays=((1, 1, 2, 3), (-90, -50, -60, -40)),
        ),
    ),
    evidence=Reduction(NAMES, _far_apart, adds=True),
    scale="interval",
    id="tau@darr",
    title="Kendall's tau on relative ranks from direct assessment",
    symbol="τ_daRR",
    range=(-1, 1),
    perfect=1,
    undefined=(
        Undefined("no two items have human scores at least 25 apart", lambda pairs: every_pair(pairs) == 0, of_gold=True),
    ),
    formula="τ = (C - D - T_m) / (C + D + T_m), over pairs whose human scores (0 to 100) differ by 25 or more",
    source=(MA_2018,),
    use="Human scores instead of ranks, given by few judges: pairs closer than 25 points say nothing. Used at WMT from 2017 "
    "on." + _MICRO,
    note="Gold is raw scores with their sign changed, so that the lowest is best as with ranks.",
)
def tau_darr(pairs: Array) -> Array:
    return tau_wmt12.function(pairs)
