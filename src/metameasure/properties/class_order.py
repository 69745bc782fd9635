"""Order awareness: whether a measure sees the order of the classes at all, and in quantification how far mass is moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.properties.cases import (
    Pairs,
    Tables,
    drawn_pairs,
    drawn_tables,
    known_pairs,
    small_pairs,
    small_tables,
)
from metameasure.properties.comparing import found_at, looked_at_changes, sentence
from metameasure.properties.property import DecidingCase, Outcome, Property, Search, claimed, denied
from metameasure.properties.spaces import MOST_CLASSES, RANDOM_CLASSES, distributions_reach, tables_reach
from metameasure.properties.trial import Trial
from metameasure.statistics.streams import stream

Order = tuple[int, ...]
_WORDS = sentence("{0[case]} scores {0[score]}; with the classes permuted, {1[case]} scores {1[score]}")


def _orders(classes: int) -> list[Order]:
    """All orders of the classes but their own; of many classes, each two neighbours exchanged, which all others consist of."""
    if classes <= MOST_CLASSES:
        return list(permutations(range(classes)))[1:]
    return [(*range(at), at + 1, at, *range(at + 2, classes)) for at in range(classes - 1)]


def _permuted(trial: Trial, first: Tables | Pairs, orders: Iterable[Order]) -> Outcome:
    return looked_at_changes(first, (first.in_order(trial, order) for order in orders), _WORDS)


def _small(trial: Trial) -> Iterator[Outcome]:
    yield from (_permuted(trial, first, _orders(first.classes)) for first in small_tables(trial, 2))


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    for first in drawn_tables(trial, seed, number):
        order = np.roll(stream(seed, 41, first.classes).permutation(first.classes), 1)
        yield _permuted(trial, first, [tuple(order.tolist())])


def _away(classes: int) -> Iterator[tuple[int, int, int]]:
    """A gold class, another one or itself, and the next one further off on the same side."""
    for gold, near, step in product(range(classes), range(classes), (-1, 1)):
        if 0 <= near + step < classes and (near - gold) * step >= 0:
            yield gold, near, near + step


def point_masses(trial: Trial) -> Outcome:
    """Gold and estimate all in one class each: the further apart on either side, the strictly worse. The first case where not."""
    cases = undefined = 0
    for classes in trial.sizes(2, RANDOM_CLASSES):
        scores = trial.distribution_scores(classes, 1)
        for gold, near, far in _away(classes):
            if np.isnan(scores[gold, [near, far]]).any():
                undefined += 1
            elif not trial.better(scores[gold, near], scores[gold, far]):
                return Outcome(cases + 1, undefined, against=_not_growing(trial, classes, gold, near, far))
            else:
                cases += 1
    return Outcome(cases, undefined)


def _not_growing(trial: Trial, classes: int, gold: int, near: int, far: int) -> DecidingCase:
    masses = np.eye(classes, dtype=np.int64)
    sides = [known_pairs(trial, masses[[gold]], masses[[one]], 1) for one in (near, far)]
    words = sentence("{0[case]} scores {0[score]}; all mass one class further off, {1[case]}, {1[score]}")
    return found_at(sides, 0, words)


def _small_estimates(trial: Trial) -> Iterator[Outcome]:
    """Point masses may show that distance does not count; otherwise a case that changes under permutation is a witness."""
    yield point_masses(trial)
    yield from (_permuted(trial, first, _orders(first.classes)) for first in small_pairs(trial, 2))


def _random_estimates(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    for first in drawn_pairs(trial, seed, number):
        order = stream(seed, 43, first.classes).permutation(first.classes)
        yield _permuted(trial, first, [tuple(order.tolist())])


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
            "counts": Search(_small, tables_reach, _at_random),
            "distributions": Search(_small_estimates, distributions_reach, _random_estimates),
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
