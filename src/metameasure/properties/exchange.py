"""Symmetry: gold and output can trade places."""

from __future__ import annotations

from metameasure.catalogue.sources import BERGMAIR_2009, SAKAI_2021, SAKAI_LQ_2021
from metameasure.properties.cases import PAIRS, TABLES, Pairs, Tables, scored_pairs
from metameasure.properties.comparing import looked_for_difference, sentence
from metameasure.properties.property import Outcome, Property, claimed, denied
from metameasure.properties.spaces import Counts
from metameasure.properties.trial import Trial

_WORDS = sentence("{0[case]} scores {0[score]}; exchanged, {1[case]} scores {1[score]}")


def _transposed(tables: Counts) -> Counts:
    return tables.swapaxes(1, 2)


def _exchanged(trial: Trial, first: Tables) -> Outcome:
    return looked_for_difference(first, first.changed(trial, _transposed), _WORDS)


def _exchanged_estimates(trial: Trial, first: Pairs) -> Outcome:
    return looked_for_difference(first, scored_pairs(trial, first.estimate, first.gold, first.steps), _WORDS)


_TABLE_7, _EQUATIONS = SAKAI_2021.at("Table 7, column II"), SAKAI_LQ_2021.at("Section 3")
_FOOTNOTE = (
    "footnote 2 gives conditions under which it is symmetric; the first is false: gold uniform over four classes, estimate "
    "(1, 0, 0, 0) gives OD 1.0625 one way and .375 the other. Equal supports suffice"
)

PROPERTIES = (
    Property(
        id="symmetric",
        title="Symmetry of gold and output",
        heading="symmetric",
        holds_if="Exchanging gold and output changes nothing.",
        formula="Eff(s, g) = Eff(g, s)",
        source=(BERGMAIR_2009.at("Section 5.1"), SAKAI_2021.at("Table 7, column II")),
        searches={"counts": TABLES.search(_exchanged), "distributions": PAIRS.search(_exchanged_estimates)},
        note="Bergmair (2009) expects it of a comparison of two labellings; Sakai (2021, Section 6.4) finds that to compare an "
        "estimate with gold it is not required.",
        claims={
            **dict.fromkeys(("mutual_information", "accuracy", "kappa"), claimed(BERGMAIR_2009.at("Section 5.1"))),
            **dict.fromkeys(("nmd", "rsnod", "nvd", "rnss", "jsd"), claimed(_TABLE_7)),
            "rnod": denied(_TABLE_7),
            "od": denied(_EQUATIONS, _FOOTNOTE),
            **dict.fromkeys(("sod", "adw", "rnadw"), claimed(_EQUATIONS)),
        },
    ),
)
