"""Degradation: an output that says less must not score more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.cases import Tables, drawn_tables, small_tables
from metameasure.properties.comparing import looked, sentence, together
from metameasure.properties.property import Outcome, Property, Search, claimed, denied
from metameasure.properties.spaces import Counts, tables_reach
from metameasure.properties.trial import Trial

_WORDS = sentence("{0[case]} scores {0[score]}; with one label called another, output {1[output]} scores {1[score]}")


def merged(tables: Counts, label: int, into: int) -> Counts:
    """The tables with every output of one label called another."""
    changed = tables.copy()
    changed[:, :, into] += changed[:, :, label]
    changed[:, :, label] = 0
    return changed


def _merged(trial: Trial, tables: Tables, label: int, into: int) -> Outcome:
    used = np.any(tables.tables[:, :, label], axis=1)
    before = tables.some(used)
    after = tables.changed(trial, merged, label, into).some(used) if tables.whole else before.changed(trial, merged, label, into)
    return looked((before, after), trial.better(after.scores, before.scores), _WORDS)


def _small(trial: Trial) -> Iterator[Outcome]:
    for tables in small_tables(trial, 2):
        yield together(_merged(trial, tables, *choice) for choice in permutations(range(tables.classes), 2))


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    """Each random table with one label merged into another."""
    for drawn in drawn_tables(trial, seed, number):
        choices = list(permutations(range(drawn.classes), 2))
        for place, choice in enumerate(choices):
            yield _merged(trial, drawn.some(slice(place, None, len(choices))), *choice)


_SECTION = BERGMAIR_2009.at("Section 5.2")

PROPERTIES = (
    Property(
        id="degradation",
        title="No reward for degradation",
        heading="degradation",
        holds_if="Calling every output of one label by another label never improves the score.",
        formula="l ≠ l'   ⟹   Eff(s with every l called l', g) ≤ Eff(s, g)",
        source=(_SECTION,),
        directed=True,
        searches={"counts": Search(_small, tables_reach, _at_random)},
        note="In the paper's Figure 2 mutual information drops from .0836 to .0574 bits (the .0262 printed in the text is the "
        "size of the drop) while accuracy rises from .44 to .51 and kappa from .1277 to .1434.",
        claims={
            "mutual_information": claimed(_SECTION),
            **dict.fromkeys(("accuracy", "kappa"), denied(_SECTION)),
        },
    ),
)
