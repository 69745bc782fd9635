"""Ordinal invariance: only the order of the classes counts, not how far apart they are taken to be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from metameasure.catalogue.sources import AMIGO_2020, SAKAI_2021, SAKAI_LQ_2021
from metameasure.properties.comparing import Tables, apart, differ, gold_and_output, looked_at_changes, scored, scored_at_random
from metameasure.properties.distributions import Pairs, gold_and_estimate, random_pairs, scored_pairs, small_pairs
from metameasure.properties.property import Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.spaces import (
    DISTRIBUTIONS_REACH,
    MOST_CLASSES,
    TABLES_REACH,
    Counts,
    Integers,
    table_block,
)
from metameasure.properties.trial import CannotTryError, Trial

_TABLE_2 = AMIGO_2020.at("Table 2")
_ASSUMES = denied(_TABLE_2)
_INVARIANT = claimed(_TABLE_2)
_CHANGES = 8  # about so many of each pair


def moved_values(classes: int) -> list[tuple[float, ...]]:
    """The ranks 1..C under the strictly increasing maps of the paper, 10x + x² and 10 + x³, and under one that is concave."""
    ranks = np.arange(1.0, classes + 1)
    return [tuple(map(float, values)) for values in (10 * ranks + ranks**2, 10 + ranks**3, np.log(ranks))]


@lru_cache(maxsize=64)
def _wider_block(classes: int, items: int, at: int) -> Counts:
    """All tables of one size with an empty class at this position."""
    return _wider(table_block(classes, items).tables, at)


@lru_cache(maxsize=64)
def _wider_places(classes: int, items: int, at: int) -> Integers:
    return table_block(classes + 1, items).place(_wider_block(classes, items, at))


def _wider(tables: Counts, at: int) -> Counts:
    return np.insert(np.insert(tables, at, 0, axis=1), at, 0, axis=2)


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


def _check(trial: Trial) -> None:
    if trial.distance is not None:
        raise CannotTryError("the distances between the classes are the user's: a class inserted among them has none")


def _small(trial: Trial) -> Iterator[Looked]:
    _check(trial)
    for items, classes in trial.table_sizes():
        block = table_block(classes, items)
        first = Tables(tables=block.tables, scores=trial.table_scores(classes, items))
        yield looked_at_changes(first, _small_changes(trial, classes, items), differ, _words)


def _small_changes(trial: Trial, classes: int, items: int) -> Iterator[Tables]:
    for at in range(classes + 1):
        wider = _wider_block(classes, items, at)
        if classes < MOST_CLASSES and not trial.named and trial.scale is None:
            yield Tables(tables=wider, scores=trial.table_scores(classes + 1, items)[_wider_places(classes, items, at)])
        else:
            yield scored(trial, wider, labels=_labels(trial, classes, at), values=_values(trial, at))
    yield from _moved(trial, table_block(classes, items).tables)


def _moved(trial: Trial, tables: Counts) -> Iterator[Tables]:
    if trial.uses_values:
        yield from (scored(trial, tables, values=values) for values in moved_values(tables.shape[-1]))


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    """Each random table with an empty class at one position, and with its values moved."""
    for drawn in scored_at_random(trial, seed, number):
        for at in range(drawn.classes + 1):
            some = drawn.tables[at :: drawn.classes + 1]
            first = Tables(tables=some, scores=drawn.scores[at :: drawn.classes + 1])
            wider = scored(trial, _wider(some, at), labels=_labels(trial, drawn.classes, at), values=_values(trial, at))
            yield looked_at_changes(first, [wider, *_moved(trial, some)], differ, _words)


def _words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    if "values" in second.parts:
        values = ", ".join(f"{value:.4g}" for value in second.parts["values"])
        return f"{gold_and_output(first)} scores {before}; with the class values {values} it scores {after}"
    return f"{gold_and_output(first)} scores {before}; with an empty class inserted, {gold_and_output(second)} scores {after}"


def _small_estimates(trial: Trial) -> Iterator[Looked]:
    _check(trial)
    for steps, classes in trial.distribution_sizes():
        first = small_pairs(trial, classes, steps)
        yield looked_at_changes(first, _changed_estimates(trial, first), differ, _estimate_words)


def _changed_estimates(trial: Trial, first: Pairs) -> Iterator[Pairs]:
    for at in range(first.classes + 1):
        gold, estimate = (np.insert(side, at, 0, axis=1) for side in (first.gold, first.estimate))
        labels, values = _labels(trial, first.classes, at), _values(trial, at)
        yield scored_pairs(trial, gold, estimate, first.steps, labels=labels, values=values)
    if trial.uses_values:
        for values in moved_values(first.classes):
            yield scored_pairs(trial, first.gold, first.estimate, first.steps, values=values)


def _random_estimates(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in random_pairs(trial, seed, number // _CHANGES):
        yield looked_at_changes(first, _changed_estimates(trial, first), differ, _estimate_words)


def _estimate_words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    if "values" in second.parts:
        values = ", ".join(f"{value:.4g}" for value in second.parts["values"])
        return f"{gold_and_estimate(first)} scores {before}; with the class values {values} it scores {after}"
    return f"{gold_and_estimate(first)} scores {before}; with an empty class inserted, {gold_and_estimate(second)} scores {after}"


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
            "counts": Search(_small, TABLES_REACH, _at_random),
            "distributions": Search(_small_estimates, DISTRIBUTIONS_REACH, _random_estimates),
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
