"""Constant runs told apart: outputs that always give the same class, each another, and whether they score alike."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009, SAKAI_2021
from metameasure.properties.cases import Cases, drawn_golds, scored, small_golds
from metameasure.properties.comparing import looked_for_difference, sentence, together
from metameasure.properties.property import Outcome, Property, claimed, denied
from metameasure.properties.spaces import Counts, tables_reach
from metameasure.properties.trial import Trial

_PAIRS_A_GOLD = 10  # about so many pairs of constant runs for each gold
_GOLDS = Cases(small_golds, tables_reach, drawn_golds(51, 2, empty=True))


def _constant(gold: Counts, answer: int) -> Counts:
    """The tables of a run that always gives the same class."""
    return np.asarray(gold[:, :, None] * (np.arange(gold.shape[-1]) == answer).astype(gold.dtype))


def _told_apart(trial: Trial, gold: Counts) -> Outcome:
    words = sentence("{0[case]} scores {0[score]}; output {1[output]} scores {1[score]}")
    runs = [scored(trial, _constant(gold, answer)) for answer in range(gold.shape[-1])]
    return together(looked_for_difference(*pair, words) for pair in combinations(runs, 2))


_TABLE_4, _BIAS = SAKAI_2021.at("Table 4, column II"), BERGMAIR_2009.at("Section 5.1")
_TELLS = claimed(_TABLE_4)

PROPERTIES = (
    Property(
        id="constant_runs",
        title="Constant runs told apart",
        heading="constant runs",
        holds_if="There is a gold for which two outputs that always give the same class, each another, score differently.",
        formula="some g and classes k ≠ l:   Eff(always k, g) ≠ Eff(always l, g)",
        source=(SAKAI_2021.at("Table 4, column II"), BERGMAIR_2009.at("Section 5.1")),
        some_case=True,
        searches={"counts": _GOLDS.search(_told_apart, share=_PAIRS_A_GOLD)},
        note="Two papers want opposite things. Sakai (2021, Sections 5.2 to 5.4) counts it for a measure if it can rank such "
        "baselines; Bergmair (2009, Sections 3.1 and 5.1) counts it against one: an output that does not look at the items says "
        "nothing about them, so all such baselines should score alike, as they do by mutual information and kappa.",
        claims={
            "kappa_linear": denied(_TABLE_4),
            **dict.fromkeys(("alpha_ordinal", "alpha_interval", "cem_ord", "mae_macro", "f1_macro", "hmpr", "mae"), _TELLS),
            "accuracy": _TELLS,
            **dict.fromkeys(("mutual_information", "conditional_entropy", "kappa"), denied(_BIAS)),
            **dict.fromkeys(("a3", "a2"), claimed(BERGMAIR_2009.at("Section 3.1"))),
        },
    ),
)
