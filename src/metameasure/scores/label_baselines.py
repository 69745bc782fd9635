"""Baselines: what an output that does not look at the items would score on this gold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metameasure.catalogue.entailment.orders import score_totals
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.core.choices import Average
from metameasure.core.messages import note
from metameasure.core.notes import in_a_row
from metameasure.evidence.counts import LabelEvidence
from metameasure.evidence.judgements import linear_weights
from metameasure.scores.run_names import PREFIX, check_free
from metameasure.scores.scores import Scores
from metameasure.statistics.arrays import Floats, mean_of_defined
from metameasure.statistics.streams import stream
from metameasure.statistics.work import blocks

RankWeights = Callable[[int], Floats]
"""The weights of the ranks 1 to N, adding up to 1, for any N."""
DRAWS = 1000
_CELLS_AT_ONCE = 2**22
# Ranks are drawn item by item: of very many items fewer draws do, since their scores differ less.
_ITEMS_DRAWN, _FEWEST_DRAWS = 4 * 10**6, 20
_RANKS_IN_CACHE = 2**17


@dataclass(frozen=True)
class Baselines:
    """Their names, scores (measures, topics, baselines), pooled scores and standard errors of the average shown."""

    names: tuple[str, ...]
    """Without the prefix by which they are known."""
    values: Floats
    pooled: Floats
    errors: Floats
    notes: tuple[str, ...]

    @classmethod
    def of(cls, scores: Scores, notes: tuple[str, ...]) -> Baselines:
        """The scores of outputs that were scored as runs are; nothing was drawn for them."""
        pooled = scores.all_as_one()
        return cls(scores.runs, scores.values, pooled, np.zeros(pooled.shape), notes)

    def added_to(self, scores: Scores) -> Scores:
        """The scores, and these behind them, marked as baselines."""
        names = tuple(PREFIX + name for name in self.names)
        check_free(names, scores.runs)
        return replace(
            scores,
            runs=(*scores.runs, *names),
            values=np.concatenate([scores.values, self.values], axis=2),
            pooled=np.concatenate([scores.all_as_one(), self.pooled], axis=1),
            simulated=np.concatenate([np.zeros(scores.all_as_one().shape), self.errors], axis=1),
            baselines=frozenset(names),
            notes=(*scores.notes, *(note for note in self.notes if note not in scores.notes)),
        )


@dataclass(frozen=True)
class _Gold:
    """Gold's items and weights (topics, C), the scorer's arguments, and which average the errors are of."""

    items: Floats
    weights: Floats
    options: dict[str, Any]
    average: Average
    rank_weights: RankWeights

    def score(self, measure: Measure, tables: Floats) -> tuple[Floats, Floats]:
        """Of tables of weights (..., topics, C, C), read as so many items as gold has: each topic's score, and that of all topics
        as one."""
        return self._scored(measure, tables, self.items), self._scored(measure, tables.sum(axis=-3), self.items.sum(axis=0))

    def _scored(self, measure: Measure, tables: Floats, gold: Floats) -> Floats:
        """What an output that orders nothing scores: all its items are tied."""
        if measure.reads is Reads.BELIEF_ORDER:  # where the positive items stand, whatever the labels
            return np.broadcast_to(_tied(measure, gold), tables.shape[:-2])
        if measure.reads is Reads.CONFIDENCE_ORDER:
            # Of tied items only the share that is labelled right matters, so one stands for all.
            total = tables.sum(axis=(-2, -1))
            right = np.trace(tables, axis1=-2, axis2=-1) / np.where(total > 0, total, np.nan)
            return np.asarray(measure(np.ones((*right.shape, 1)), right[..., None]), dtype=float)
        if measure.reads in (Reads.WEIGHTS_BY_RANK, Reads.WEIGHTS_BY_CONFIDENCE):
            whole = tables.sum(axis=(-2, -1), keepdims=True)
            squares = tables * whole / np.maximum(1, gold.sum(axis=-1))[..., None, None]  # of items that weigh the same
            return np.asarray(measure(tables, squares, **self.options), dtype=float)
        return np.asarray(measure(measure.as_read(tables, gold.sum(axis=-1)), **self.options), dtype=float)

    def drawn(self, share: Floats, number: int, rng: np.random.Generator) -> Floats:
        """Tables of labels drawn with these shares. An item has the mean weight of its topic and gold class."""
        each = np.where(self.items > 0, self.weights / np.where(self.items > 0, self.items, 1), 0)
        counts = rng.multinomial(self.items.astype(np.int64), share, size=(number, *self.items.shape)).astype(float)
        return counts * each[..., None]

    def drawn_by_rank(self, share: Floats, number: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Tables of labels drawn with these shares for items in random order, weighted by their rank: those of each topic
        (number, topics, C, C), and of all items in one order (number, C, C)."""
        topics = [_weighted_by_rank(sizes, share, number, rng, self.rank_weights) for sizes in self.items.astype(np.int64)]
        whole = self.items.sum(axis=0).astype(np.int64)
        pooled = topics[0] if len(topics) == 1 else _weighted_by_rank(whole, share, number, rng, self.rank_weights)
        return np.stack(topics, axis=1), pooled


def _weighted_by_rank(sizes: Any, share: Floats, number: int, rng: np.random.Generator, weights: RankWeights) -> Floats:
    """Weights of (gold, label) of so many items of each class: (number, C, C)."""
    classes, items = len(sizes), int(sizes.sum())
    if not items:
        return np.zeros((number, classes, classes))
    narrow = np.min_scalar_type(classes)
    gold = rng.permuted(np.tile(np.repeat(np.arange(classes, dtype=narrow), sizes), (number, 1)), axis=1)
    by_rank, edges = weights(items), np.cumsum(share)[:-1]
    drawn = np.empty((number, classes**2))
    for first, step in blocks(number, items, _RANKS_IN_CACHE):
        some = gold[first : first + step]
        chance, cell = rng.random(some.shape), (np.arange(len(some))[:, None] * classes + some) * classes
        for edge in edges:  # several times faster than a search where classes are few
            cell += chance >= edge
        each = np.broadcast_to(by_rank, cell.shape).ravel()
        drawn[first : first + step] = np.bincount(cell.ravel(), each, len(some) * classes**2).reshape(len(some), -1)
    return drawn.reshape(number, classes, classes)


def _tied(measure: Measure, gold: Floats) -> Floats:
    """The measure of all items tied, from how many gold has of each class (..., C), the first being the positive one."""
    cases = gold.reshape(-1, gold.shape[-1]).astype(np.int64).astype(float)
    values = [float(score_totals(measure, sizes.sum(keepdims=True), sizes[:1])) if sizes.any() else np.nan for sizes in cases]
    return np.reshape(values, gold.shape[:-1])


def label_baselines(
    evidence: LabelEvidence,
    measures: Sequence[Measure],
    *,
    distance: Any,
    average: Average,
    seed: int,
    with_majority: bool = True,
) -> Baselines:
    """Each constant class, the majority class, and random labels, uniform and with gold's distribution.

    Random ones have their expected score: in closed form where the measure allows it, otherwise from 1,000 simulated outputs. To
    measures that read an order a constant output ties all its items, and a random one has them in random order.
    """
    counts, order = evidence.label_counts(), evidence.orders()
    scale, classes = counts.scale, len(counts.scale)
    options = {"classes": scale, "distance": distance}
    rank_weights = linear_weights if order is None else order.series
    gold = _Gold(counts.gold_items.astype(float), counts.gold_tables(), options, average, rank_weights)
    overall = gold.weights.sum(axis=0)
    majority = int(np.argmax(overall))
    answers = [*range(classes), *([majority] if with_majority else [])]
    names = [*(f"always {label}" for label in scale.labels), *(["majority"] if with_majority else [])]
    names += ["random, uniform", "random, as gold"]
    constant = np.stack([gold.weights[:, :, None] * (np.arange(classes) == answer) for answer in answers])
    shares = (np.full(classes, 1 / classes), overall / overall.sum())
    values, pooled, errors = [], [], []
    simulated: dict[str, int] = {}
    ranked = [measure for measure in measures if measure.reads is Reads.COUNTS_BY_RANK]
    others = [measure for measure in measures if measure not in ranked]
    drawn = [_random(others, gold, share, stream(seed, place), counts.weighted) for place, share in enumerate(shares)]
    if ranked:
        by_rank = (_by_rank(ranked, gold, share, stream(seed, place)) for place, share in enumerate(shares))
        drawn = [one | other for one, other in zip(drawn, by_rank, strict=True)]
    for measure in measures:
        random = [scores[measure] for scores in drawn]
        by_topic, together = gold.score(measure, constant)
        values.append(np.stack([*by_topic, *(part.topics for part in random)], axis=1))
        pooled.append([*together, *(part.pooled for part in random)])
        errors.append([*[0.0] * len(answers), *(part.error for part in random)])
        if any(part.draws for part in random):
            simulated[measure.id] = min(part.draws for part in random if part.draws)
    notes = [note("majority class", "the majority class is {label}", label=scale.labels[majority])] if with_majority else []
    if simulated:
        largest = np.nanmax(np.array(errors))
        notes.append(
            note(
                "simulated baselines",
                "random baselines of {measures} are simulated ({draws} draws, standard error at most {standard_error:.2g})",
                measures=in_a_row(list(simulated)),
                draws=min(simulated.values()),
                standard_error=largest,
            )
        )
    return Baselines(tuple(names), np.stack(values), np.array(pooled), np.array(errors), tuple(notes))


@dataclass(frozen=True)
class _Random:
    topics: Floats
    pooled: float
    error: float = 0.0
    draws: int = 0


def _random(
    measures: Sequence[Measure], gold: _Gold, share: Floats, rng: np.random.Generator, weighted: bool
) -> dict[Measure, _Random]:
    """The expected score of labels drawn with these shares, by each measure; the same draws for all that need them."""
    known = {measure: _in_closed_form(measure, gold, share, weighted) for measure in measures}
    scored: dict[Measure, list[tuple[Floats, Floats]]] = {measure: [] for measure, score in known.items() if score is None}
    for _, some in blocks(DRAWS if scored else 0, gold.items.size * gold.items.shape[1], _CELLS_AT_ONCE):
        tables = gold.drawn(share, some, rng)
        for measure, parts in scored.items():
            parts.append(gold.score(measure, tables))
    drawn = {measure: _summed_up(parts, gold.average) for measure, parts in scored.items()}
    return {measure: score for measure, score in known.items() if score is not None} | drawn


def _in_closed_form(measure: Measure, gold: _Gold, share: Floats, weighted: bool) -> _Random | None:
    """The expected score where the measure allows it, None elsewhere."""
    topics, pooled = gold.score(measure, gold.weights[:, :, None] * share)  # the mean table of such labels
    if measure.chance == "linear":
        return _Random(topics, float(pooled))
    if measure.chance == "zero" and not weighted and not measure.balances:
        # 0 wherever there is a value at all: where gold rules one out, it does so for the expected table too.
        return _Random(np.where(np.isnan(topics), np.nan, 0.0), 0.0 * float(pooled))
    return None


def _by_rank(measures: Sequence[Measure], gold: _Gold, share: Floats, rng: np.random.Generator) -> dict[Measure, _Random]:
    """The same where items weigh as much as their rank says, and the order is random too; the same draws for all measures."""
    items = max(1, int(gold.items.sum()))
    draws = min(DRAWS, max(_FEWEST_DRAWS, _ITEMS_DRAWN // items))
    scored: dict[Measure, list[list[Floats]]] = {measure: [] for measure in measures}
    for _, some in blocks(draws, items, _CELLS_AT_ONCE):
        drawn = gold.drawn_by_rank(share, some, rng)
        for measure, parts in scored.items():
            parts.append([np.asarray(measure(tables, **gold.options), dtype=float) for tables in drawn])
    return {measure: _summed_up(parts, gold.average) for measure, parts in scored.items()}


def _summed_up(parts: Sequence[Sequence[Floats]], average: Average) -> _Random:
    """From the scores of some draws at a time: each topic's, and those of all topics as one."""
    by_topic, whole = (np.concatenate(side) for side in zip(*parts, strict=True))
    error = _standard_error(by_topic if average == "topics" else whole[:, None])
    return _Random(mean_of_defined(by_topic, 0), float(mean_of_defined(whole[:, None], 0)[0]), error, len(whole))


def _standard_error(outcomes: Floats) -> float:
    """Of the mean over topics of the means over draws (draws, topics)."""
    defined = ~np.isnan(outcomes)
    number = np.maximum(1, defined.sum(axis=0))
    spread = np.where(defined, (outcomes - mean_of_defined(outcomes, 0)) ** 2, 0).sum(axis=0) / np.maximum(1, number - 1)
    topics = max(1, int(defined.any(axis=0).sum()))
    return float(np.sqrt((spread / number).sum()) / topics)
