"""Perfect outputs: they have the perfect score, and no other has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from metameasure.catalogue.sources import AMIGO_2020
from metameasure.properties.comparing import Decides, Tables, apart, differ, gold_and_output, looked, scored, scored_at_random
from metameasure.properties.property import Looked, Property, Search, Shown
from metameasure.properties.rankings import (
    MOST_RANKED,
    RANKINGS_REACH,
    Rankings,
    human_and_predicted,
    random_rankings,
    scored_ranks,
    small_rankings,
)
from metameasure.properties.spaces import TABLES_REACH, Counts, Floats, Integers, table_block
from metameasure.properties.trial import Trial


def _decides(trial: Trial, scores: Floats, perfect: Floats, is_perfect: Decides) -> Decides:
    """A perfect output without the perfect score, or another that has it; without a declared one, that does not score worse."""
    if trial.measure.perfect is None:
        return np.asarray(~is_perfect & ~trial.better(perfect, scores))
    return np.where(is_perfect, differ(scores, perfect), ~differ(scores, perfect))


def _wanted(trial: Trial, perfect: Floats) -> Floats:
    """The perfect score of each case: the declared one, or else what a perfect output gets."""
    declared = trial.measure.perfect
    return perfect if declared is None else np.full(len(perfect), float(declared))


def perfect_tables(gold: Counts) -> Counts:
    """The tables of outputs that are all right, for golds of these class sizes."""
    return np.asarray(gold[:, :, None] * np.eye(gold.shape[-1], dtype=gold.dtype))


def _compared(trial: Trial, case: Tables, perfect: Tables) -> Looked:
    perfect = Tables(tables=perfect.tables, scores=_wanted(trial, perfect.scores))
    is_perfect = (case.tables == perfect.tables).all(axis=(1, 2))
    return looked((case, perfect), _decides(trial, case.scores, perfect.scores, is_perfect), _words(gold_and_output))


def _small(trial: Trial) -> Iterator[Looked]:
    for items, classes in trial.table_sizes():
        block, scores = table_block(classes, items), trial.table_scores(classes, items)
        perfect = perfect_tables(block.gold)
        sides = Tables(tables=block.tables, scores=scores), Tables(tables=perfect, scores=scores[block.place(perfect)])
        yield _compared(trial, *sides)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in scored_at_random(trial, seed, number):
        yield _compared(trial, first, scored(trial, perfect_tables(first.tables.sum(axis=2))))


def _compared_ranks(trial: Trial, human: Integers, predicted: Integers) -> Looked:
    case, perfect = scored_ranks(trial, human, predicted), scored_ranks(trial, human, human)
    perfect = Rankings(human=human, predicted=human, scores=_wanted(trial, perfect.scores))
    decides = _decides(trial, case.scores, perfect.scores, _same_order(human, predicted))
    return looked((case, perfect), decides, _words(human_and_predicted))


def _same_order(human: Integers, predicted: Integers) -> Decides:
    """Where both rank all items alike, ties included."""
    signs = [np.sign(ranks[:, :, None] - ranks[:, None, :]) for ranks in (human, predicted)]
    return np.asarray((signs[0] == signs[1]).all(axis=(1, 2)))


def _small_rankings(trial: Trial) -> Iterator[Looked]:
    for items in range(1, MOST_RANKED + 1):
        yield _compared_ranks(trial, *small_rankings(trial, items))


def _random_rankings(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for human, predicted in random_rankings(trial, seed, number):
        yield _compared_ranks(trial, human, predicted)


def _words(said: Callable[[Shown], str]) -> Callable[[Shown, Shown], str]:
    def words(case: Shown, perfect: Shown) -> str:
        has, wanted = apart(case.score, perfect.score)
        if case.parts == perfect.parts:
            return f"{said(case)}, which is perfect, scores {has} and not {wanted}"
        than = "as a perfect output does" if has == wanted else f"and a perfect output {wanted}"
        return f"{said(case)} scores {has}, {than}"

    return words


_RANKS = Search(_small_rankings, RANKINGS_REACH, _random_rankings)

PROPERTIES = (
    Property(
        id="perfect_only",
        title="Perfect at, and only at, a perfect output",
        heading="perfect only",
        holds_if="A perfect output has the declared perfect score, and no other output has it.",
        formula="Eff(s, g) is the perfect score   ⟺   s = g",
        source=(AMIGO_2020.at("Section 4.2"),),
        directed=True,
        searches={"counts": Search(_small, TABLES_REACH, _at_random), "ranks": _RANKS, "order": _RANKS},
        tasks=("classification", "ranking"),
        note="Where no perfect score is declared, because it depends on gold, no other output may score as well as the perfect "
        "one does. In rankings an output is perfect if it ranks all items as the human does, ties included: one that breaks a "
        "tie of the human is another.",
    ),
)
