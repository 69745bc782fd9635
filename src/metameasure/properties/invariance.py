"""Ordinal invariance: only the order of the classes counts, not how far apart they are taken to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np

from metameasure.catalogue.sources import AMIGO_2020, SAKAI_2021, SAKAI_LQ_2021
from metameasure.properties.cases import (
    PAIRS,
    TABLES,
    Pairs,
    Tables,
    all_tables,
    drawn_tables,
    taken,
)
from metameasure.properties.comparing import looked_at_changes, sentence
from metameasure.properties.property import Outcome, Property, ReadableCase, claimed, denied
from metameasure.properties.spaces import MOST_CLASSES, Counts, table_block
from metameasure.properties.trial import CannotTryError, Trial
from metameasure.statistics.arrays import Integers

_TABLE_2 = AMIGO_2020.at("Table 2")
_ASSUMES = denied(_TABLE_2)
_INVARIANT = claimed(_TABLE_2)
_CHANGES = 8  # about so many of each pair


def moved_values(classes: int) -> list[tuple[float, ...]]:
    """The ranks 1..C under the strictly increasing maps of the paper, 10x + x² and 10 + x³, and under one that is concave."""
    ranks = np.arange(1.0, classes + 1)
    return [tuple(map(float, values)) for values in (10 * ranks + ranks**2, 10 + ranks**3, np.log(ranks))]


def _labels(trial: Trial, classes: int, at: int) -> tuple[str, ...] | None:
    """The names of the classes with a new one among them, for measures that go by names."""
    names = trial.labels(classes)
    return (*names[:at], "new", *names[at:]) if trial.named else None


def _values(trial: Trial, at: int) -> tuple[float, ...] | None:
    """Class values that the user declares, with one for the new class: midway, or one step beyond an end."""
    own = trial.own_values
    if not own:
        return None
    new = own[0] - 1 if at == 0 else own[-1] + 1 if at == len(own) else (own[at - 1] + own[at]) / 2
    return (*own[:at], new, *own[at:])


@lru_cache(maxsize=64)
def _wider_places(classes: int, items: int, at: int) -> Integers:
    """Where all tables of one size with an empty class at this position stand among those of one class more."""
    tables = table_block(classes, items).tables
    return table_block(classes + 1, items).place(np.insert(np.insert(tables, at, 0, axis=1), at, 0, axis=2))


def _inserted(trial: Trial, first: Tables | Pairs, at: int) -> Tables | Pairs:
    """The cases with an empty class at this position."""
    if isinstance(first, Tables) and first.whole and first.classes < MOST_CLASSES and not trial.named and trial.scale is None:
        items = int(first.tables[0].sum())
        return taken(all_tables(trial, first.classes + 1, items), _wider_places(first.classes, items, at))

    def wider(cases: Counts, axis: int) -> Counts:
        return np.insert(cases, at, 0, axis=axis)

    return first.along_classes(trial, wider, labels=_labels(trial, first.classes, at), values=_values(trial, at))


def _changed(trial: Trial, first: Tables | Pairs, positions: Iterable[int]) -> Outcome:
    """An empty class at each of these positions in turn; and the class values moved."""
    inserted = (_inserted(trial, first, at) for at in positions)
    maps = moved_values(first.classes) if trial.uses_values else []
    moved = (first.along_classes(trial, lambda cases, _: cases, values=values) for values in maps)
    return looked_at_changes(first, chain(inserted, moved), _words)


def _everywhere(trial: Trial, first: Tables | Pairs) -> Outcome:
    if trial.distance is not None:
        raise CannotTryError("the distances between the classes are the user's: a class inserted among them has none")
    return _changed(trial, first, range(first.classes + 1))


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    """Each random table with an empty class at one position, and with its values moved."""
    for drawn in drawn_tables(trial, seed, number):
        step = drawn.classes + 1
        yield from (_changed(trial, drawn.some(slice(at, None, step)), [at]) for at in range(step))


def _words(first: ReadableCase, second: ReadableCase) -> str:
    moved = "with the class values {1[values]} it scores {1[score]}"
    inserted = "with an empty class inserted, {1[case]} scores {1[score]}"
    return sentence("{0[case]} scores {0[score]}; " + (moved if "values" in second.parts else inserted))(first, second)


_WITH_N = "it is invariant only when distance is counted in ranks among the classes that occur: an empty class between two counts"

_DIVIDED = "the distance is free of equidistance, but the sum is divided by the number of classes less one, empty ones included"

PROPERTIES = (
    Property(
        id="ordinal_invariance",
        title="Ordinal invariance",
        heading="invariance",
        holds_if="The score does not change when an empty class is inserted anywhere in the scale, nor when the class values are "
        "moved by a strictly increasing map.",
        formula="Eff(s, g) = Eff(f(s), f(g)) for every strictly increasing f",
        source=(AMIGO_2020.at("Section 4.1, Property 1"),),
        of_order=True,
        searches={
            "counts": replace(TABLES.search(_everywhere), at_random=_at_random),
            "distributions": PAIRS.search(_everywhere, share=_CHANGES),
        },
        note="The maps tried are 10x + x² and 10 + x³, which are the paper's, and log x. Distances in steps along the declared "
        "scale, as in accuracy@n and oci, change when a class is inserted.",
        claims={
            **dict.fromkeys(("accuracy", "macro_recall", "kappa", "f1_macro", "kendall_b", "spearman", "kendall_a"), _INVARIANT),
            **dict.fromkeys(("reliability", "sensitivity", "reliability_sensitivity_f"), _INVARIANT),
            **dict.fromkeys(("mutual_information", "purity", "inverse_purity", "cem_nom", "cem_ord"), _INVARIANT),
            "accuracy@n": claimed(_TABLE_2, _WITH_N),
            "oci": claimed(_TABLE_2, "Section 4.2 of the same paper says that it lacks invariance, and so it does"),
            **dict.fromkeys(("mae", "mse", "mae_macro", "mse_macro", "threshold_loss", "cosine", "pearson", "cem_int"), _ASSUMES),
            **dict.fromkeys(("kappa_quadratic", "kappa_weighted"), _ASSUMES),
            "kappa_linear": _ASSUMES,
            "alpha_ordinal": claimed(SAKAI_2021.at("Section 7")),
            "nmd": claimed(
                SAKAI_2021.at("Section 7"),
                "NMD does assume equidistance: with an empty class in between, the distance before normalising goes from 1 to 2",
            ),
            "rnod": denied(SAKAI_2021.at("Section 7")),
            **dict.fromkeys(("rnod_gold", "rnadw_gold"), claimed(SAKAI_LQ_2021.at("Eq. 11"), _DIVIDED)),
        },
    ),
)
