"""Order awareness: whether a measure sees the order of the classes at all, and in quantification how far mass is moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations, product

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.properties.comparing import (
    Tables,
    apart,
    differ,
    gold_and_output,
    looked,
    looked_at_changes,
    scored,
    scored_at_random,
    taken,
)
from metameasure.properties.distributions import Pairs, gold_and_estimate, random_pairs, scored_pairs, small_pairs
from metameasure.properties.property import Found, Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.spaces import (
    DISTRIBUTIONS_REACH,
    MOST_CLASSES,
    RANDOM_CLASSES,
    TABLES_REACH,
    Counts,
    Integers,
    table_block,
)
from metameasure.properties.trial import Trial
from metameasure.statistics.resampling import stream


def _orders(classes: int) -> list[tuple[int, ...]]:
    """All orders of the classes but their own; of many classes, each two neighbours exchanged, which all others consist of."""
    if classes <= MOST_CLASSES:
        return list(permutations(range(classes)))[1:]
    return [(*range(at), at + 1, at, *range(at + 2, classes)) for at in range(classes - 1)]


def permuted(tables: Counts, order: tuple[int, ...]) -> Counts:
    """The tables with their classes in another order, on both sides."""
    return tables[:, order][:, :, order]


@lru_cache(maxsize=256)
def _places(classes: int, items: int, order: tuple[int, ...]) -> Integers:
    block = table_block(classes, items)
    return block.place(permuted(block.tables, order))


def _small(trial: Trial) -> Iterator[Looked]:
    for items, classes in trial.table_sizes(2):
        tables = table_block(classes, items).tables
        first = Tables(tables=tables, scores=trial.table_scores(classes, items))
        changes = (_in_order(trial, tables, first.scores, order) for order in _orders(classes))
        yield looked_at_changes(first, changes, differ, _words)


def _in_order(trial: Trial, tables: Counts, scores: np.ndarray, order: tuple[int, ...]) -> Tables:
    """All tables of one size permuted; a class that the measure names keeps its name."""
    classes, items = tables.shape[-1], int(tables[0].sum())
    if trial.named:
        names = trial.labels(classes)
        return scored(trial, permuted(tables, order), labels=tuple(names[place] for place in order))
    places = _places(classes, items, order)
    return taken(tables, scores, places)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in scored_at_random(trial, seed, number):
        order = tuple(np.roll(stream(seed, 41, first.classes).permutation(first.classes), 1).tolist())
        names = trial.labels(first.classes)
        labels = tuple(names[place] for place in order) if trial.named else None
        second = scored(trial, permuted(first.tables, order), labels=labels)
        yield looked((first, second), differ(first.scores, second.scores), _words)


def _words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return f"{gold_and_output(first)} scores {before}; with the classes permuted, {gold_and_output(second)} scores {after}"


def _away(classes: int) -> Iterator[tuple[int, int, int]]:
    """A gold class, another one or itself, and the next one further off on the same side."""
    for gold, near, step in product(range(classes), range(classes), (-1, 1)):
        if 0 <= near + step < classes and (near - gold) * step >= 0:
            yield gold, near, near + step


def point_masses(trial: Trial) -> Looked:
    """Gold and estimate all in one class each: the further apart on either side, the strictly worse. The first case where not."""
    cases = undefined = 0
    for classes in trial.sizes(2, RANDOM_CLASSES):
        scores = trial.distribution_scores(classes, 1)
        for gold, near, far in _away(classes):
            if np.isnan(scores[gold, [near, far]]).any():
                undefined += 1
            elif not trial.better(scores[gold, near], scores[gold, far]):
                return Looked(cases + 1, undefined, against=_not_growing(trial, classes, gold, near, far))
            else:
                cases += 1
    return Looked(cases, undefined)


def _not_growing(trial: Trial, classes: int, gold: int, near: int, far: int) -> Found:
    masses = np.eye(classes, dtype=np.int64)
    side = scored_pairs(trial, masses[[gold, gold]], masses[[near, far]], np.ones(2, np.int64))
    first, second = side.shown(0), side.shown(1)
    before, after = apart(first.score, second.score)
    words = f"{gold_and_estimate(first)} scores {before}; all mass one class further off, {gold_and_estimate(second)}, {after}"
    return Found(1, classes, (first, second), words)


def _small_estimates(trial: Trial) -> Iterator[Looked]:
    """Point masses may show that distance does not count; otherwise a case that changes under permutation is a witness."""
    yield point_masses(trial)
    for steps, classes in trial.distribution_sizes(2):
        first = small_pairs(trial, classes, steps)
        yield looked_at_changes(first, _permuted_pairs(trial, first), differ, _estimate_words)


def _permuted_pairs(trial: Trial, first: Pairs) -> Iterator[Pairs]:
    names = trial.labels(first.classes)
    for order in _orders(first.classes):
        labels = tuple(names[place] for place in order) if trial.named else None
        yield scored_pairs(trial, first.gold[:, order], first.estimate[:, order], first.steps, labels=labels)


def _random_estimates(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in random_pairs(trial, seed, number):
        order = tuple(stream(seed, 43, first.classes).permutation(first.classes).tolist())
        second = scored_pairs(trial, first.gold[:, order], first.estimate[:, order], first.steps)
        yield looked((first, second), differ(first.scores, second.scores), _estimate_words)


def _estimate_words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return f"{gold_and_estimate(first)} scores {before}; with the classes permuted, {gold_and_estimate(second)} scores {after}"


_TABLE_4, _TABLE_7 = SAKAI_2021.at("Table 4, column I"), SAKAI_2021.at("Table 7, column I")

PROPERTIES = (
    Property(
        id="order_aware",
        title="Order awareness",
        heading="order",
        holds_if="There is a case whose score changes when the classes are permuted on both sides. In quantification also: of "
        "point masses, the further the estimate's is from gold's, the strictly worse the score.",
        formula="some s, g and permutation π:   Eff(π(s), π(g)) ≠ Eff(s, g);\n"
        "quantification: and |i - j| < |i - k|, on the same side   ⟹   D(e_i, e_j) < D(e_i, e_k)",
        source=(SAKAI_2021.at("Table 4, column I; Table 7, column I"),),
        some_case=True,
        of_order=True,
        searches={
            "counts": Search(_small, TABLES_REACH, _at_random),
            "distributions": Search(_small_estimates, DISTRIBUTIONS_REACH, _random_estimates),
        },
        note="The distance of Eq. 11 of Sakai (LQ 2021), in rnod_gold and rnadw_gold, ignores order where gold is a point mass.",
        claims={
            **dict.fromkeys(
                ("kappa_linear", "alpha_ordinal", "alpha_interval", "cem_ord", "mae_macro", "mae"), claimed(_TABLE_4)
            ),
            **dict.fromkeys(("f1_macro", "hmpr", "accuracy"), denied(_TABLE_4)),
            **dict.fromkeys(("nmd", "rsnod", "rnod"), claimed(_TABLE_7)),
            **dict.fromkeys(("nvd", "rnss", "jsd"), denied(_TABLE_7)),
        },
    ),
)
