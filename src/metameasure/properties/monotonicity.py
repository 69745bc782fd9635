"""Ordinal monotonicity: outputs that move closer to their gold class make the score better."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.sources import AMIGO_2020
from metameasure.properties.cases import Tables, scored, small_tables, taken
from metameasure.properties.comparing import looked, sentence
from metameasure.properties.property import Outcome, Property, Search, claimed, denied
from metameasure.properties.spaces import (
    Counts,
    count_vectors,
    gold_sizes,
    random_tables,
    table_block,
    tables_reach,
)
from metameasure.properties.trial import Trial
from metameasure.statistics.streams import stream

Places = npt.NDArray[np.int32]


def _row_moves(classes: int, gold: int, items: int) -> tuple[Counts, Counts]:
    """For one gold class, all pairs of output rows of which the second is the first with some, or no, items moved closer.

    Items move towards the gold class and not past it, so each side of it by itself: the second row is reached if and only if on
    either side no more items are as far as any class than before.
    """
    rows = count_vectors(classes, items).astype(np.int64)
    below = np.cumsum(rows, axis=1)[:, :gold]
    above = np.cumsum(rows[:, ::-1], axis=1)[:, : classes - 1 - gold]
    farther = np.concatenate([below, above], axis=1)
    before, after = np.nonzero((farther[None, :, :] <= farther[:, None, :]).all(axis=2))
    return rows[before], rows[after]


@lru_cache(maxsize=64)
def closer_moves(classes: int, items: int) -> tuple[Places, Places]:
    """The places of all pairs of tables of one size, no gold class being empty, of which the second is the first with one or
    several outputs moved closer to their gold class; in order."""
    block = table_block(classes, items)
    moves = [np.zeros((2, 0), np.int64)]
    for sizes in gold_sizes(classes, items, empty=False):
        rows = [_row_moves(classes, gold, int(size)) for gold, size in enumerate(sizes)]
        chosen = np.array(list(product(*(range(len(one)) for one, _ in rows))), dtype=np.int64)
        tables = [np.stack([pair[side][chosen[:, gold]] for gold, pair in enumerate(rows)], axis=1) for side in (0, 1)]
        moves.append(np.stack([block.place(one) for one in tables]))
    before, after = np.concatenate(moves, axis=1)
    order = np.lexsort([after, before])
    changed = order[before[order] != after[order]]
    return before[changed].astype(np.int32), after[changed].astype(np.int32)


def _compared(trial: Trial, before: Tables, after: Tables) -> Outcome:
    words = sentence("{0[case]} scores {0[score]}; the closer output {1[output]} scores {1[score]}")
    return looked((before, after), ~trial.better(after.scores, before.scores), words)


def _small(trial: Trial) -> Iterator[Outcome]:
    for tables in small_tables(trial, 2):
        before, after = closer_moves(tables.classes, int(tables.tables[0].sum()))
        yield _compared(trial, taken(tables, before), taken(tables, after))


@lru_cache(maxsize=4)
def _random_moves(number: int, seed: int) -> tuple[tuple[Counts, Counts], ...]:
    """Random tables and each with some outputs moved closer: a few items, or many."""
    batches = []
    for tables in random_tables(number, seed, empty=False):
        classes = tables.shape[-1]
        rng = stream(seed, 21, classes)
        moved = tables.copy()
        share = rng.choice([0.02, 0.2, 0.7], len(tables))
        for gold, far in product(range(classes), range(classes)):
            between = range(far + 1, gold + 1) if far < gold else range(far - 1, gold - 1, -1)
            for near in between:
                leaving = rng.binomial(moved[:, gold, far], share / max(1, len(between)))
                moved[:, gold, far] -= leaving.astype(moved.dtype)
                moved[:, gold, near] += leaving.astype(moved.dtype)
        changed = (moved != tables).any(axis=(1, 2))
        batches.append((tables[changed], moved[changed]))
    return tuple(batches)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    for before, after in _random_moves(number, seed):
        if trial.admits(before):
            yield _compared(trial, scored(trial, before), scored(trial, after))


_TABLE_2 = AMIGO_2020.at("Table 2")
_GROWS, _FAILS = claimed(_TABLE_2), denied(_TABLE_2)
_COSINE = "gold 1, 2: output 2, 4 scores 1, the closer 1, 4 scores .976"

PROPERTIES = (
    Property(
        id="ordinal_monotonicity",
        title="Ordinal monotonicity",
        heading="monotonicity",
        holds_if="Moving any one or several outputs closer to their gold class, from either side and not past it, strictly "
        "improves the score.",
        formula="s ≠ s', and for each item d: s'(d) = s(d), or s'(d) lies between s(d) and g(d)   ⟹   Eff(s', g) > Eff(s, g)",
        condition="no empty gold class",
        source=(AMIGO_2020.at("Section 4.1, Property 2"),),
        directed=True,
        of_order=True,
        searches={"counts": Search(_small, tables_reach, _at_random)},
        note="The paper prints the property from one side only; its Appendix B uses it from the other.",
        claims={
            **dict.fromkeys(("accuracy", "accuracy@n", "macro_recall", "kappa", "f1_macro", "pearson", "kendall_b"), _FAILS),
            **dict.fromkeys(("spearman", "kendall_a", "reliability", "sensitivity", "reliability_sensitivity_f"), _FAILS),
            **dict.fromkeys(("mutual_information", "purity", "inverse_purity", "oci", "cem_nom"), _FAILS),
            **dict.fromkeys(("mae", "mse", "mae_macro", "mse_macro", "threshold_loss", "cem_int", "cem_ord"), _GROWS),
            "kappa_linear": _GROWS,
            "kappa_weighted": _GROWS,
            "kappa_quadratic": claimed(_TABLE_2, "quadratic weighted kappa fails monotonicity"),
            "cosine": claimed(_TABLE_2, _COSINE),
        },
    ),
)
