"""Degradation: an output that says less must not score more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.comparing import (
    Tables,
    apart,
    gold_and_output,
    listed,
    looked,
    scored,
    scored_at_random,
    taken,
    together,
)
from metameasure.properties.property import Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.spaces import (
    TABLES_REACH,
    Counts,
    Floats,
    Integers,
    table_block,
)
from metameasure.properties.trial import Trial


def merged(tables: Counts, label: int, into: int) -> Counts:
    """The tables with every output of one label called another."""
    changed = tables.copy()
    changed[:, :, into] += changed[:, :, label]
    changed[:, :, label] = 0
    return changed


@lru_cache(maxsize=256)
def _merges(classes: int, items: int, label: int, into: int) -> tuple[Integers, Integers]:
    """The places of all tables that use the label, and of what they become."""
    block = table_block(classes, items)
    used = np.flatnonzero(block.tables[:, :, label].any(axis=1))
    return used, block.place(merged(block.tables[used], label, into))


def _small(trial: Trial) -> Iterator[Looked]:
    for items, classes in trial.table_sizes(2):
        tables, scores = table_block(classes, items).tables, trial.table_scores(classes, items)
        yield together(_merged(trial, tables, scores, *choice) for choice in permutations(range(classes), 2))


def _merged(trial: Trial, tables: Counts, scores: Floats, label: int, into: int) -> Looked:
    places = _merges(tables.shape[-1], int(tables[0].sum()), label, into)
    before, after = (taken(tables, scores, at) for at in places)
    return looked((before, after), trial.better(after.scores, before.scores), _words)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    """Each random table with one label merged into another."""
    for drawn in scored_at_random(trial, seed, number):
        choices = list(permutations(range(drawn.classes), 2))
        for place, (label, into) in enumerate(choices):
            some, scores = drawn.tables[place :: len(choices)], drawn.scores[place :: len(choices)]
            used = some[:, :, label].any(axis=1)
            before = Tables(tables=some[used], scores=scores[used])
            after = scored(trial, merged(before.tables, label, into))
            yield looked((before, after), trial.better(after.scores, before.scores), _words)


def _words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    merged_output = listed(second.parts["output"])
    return f"{gold_and_output(first)} scores {before}; with one label called another, output {merged_output} scores {after}"


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
        searches={"counts": Search(_small, TABLES_REACH, _at_random)},
        note="In the paper's Figure 2 mutual information drops from .0836 to .0574 bits (the .0262 printed in the text is the "
        "size of the drop) while accuracy rises from .44 to .51 and kappa from .1277 to .1434.",
        claims={
            "mutual_information": claimed(_SECTION),
            **dict.fromkeys(("accuracy", "kappa"), denied(_SECTION)),
        },
    ),
)
