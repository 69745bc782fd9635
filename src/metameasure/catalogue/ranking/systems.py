"""A metric beside people: what both say of each system on each segment (..., systems, segments), and how far they agree."""

from __future__ import annotations

import itertools
from functools import partial

from metameasure.catalogue.arrays import Array, constant, mean_of_defined, namespace, ratio, summed
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.measure import Measure, measure
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.questions import METRICS
from metameasure.catalogue.ranking.ranks import places, ranked_by_both, some_infinite
from metameasure.catalogue.sources import FREITAG_2023, KENDALL_1945, SPEARMAN_1904, THOMPSON_2024

_DRAWS = 1000
_MOST_EXACT = 10  # segments up to which all signs are tried
_SAME, _SAME_IN_SINGLE = 1e-9, 1e-5
_AT_ONCE = 100  # draws
_LEVELS = {"system": "systems", "segment": "cells", "item": "systems of a segment"}


def _known(predicted: Array, gold: Array) -> Array:
    """Which cells both have, as 0 or 1."""
    return namespace(predicted, gold).astype(ranked_by_both(predicted, gold), gold.dtype)


def _unusable(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    return xp.any(some_infinite(predicted, gold), axis=-1) | (summed(xp.astype(_systems(predicted, gold), gold.dtype), -1) < 2)


def _systems(predicted: Array, gold: Array) -> Array:
    """Which systems have a cell that both know."""
    return summed(_known(predicted, gold), -1) > 0


SYSTEMS = Inputs(
    asks=METRICS,
    reads=Reads.SYSTEMS,
    shape="predicted and gold of shape (..., systems, segments), scores of which higher is better, NaN where there is none",
    notation="m_is and h_is are what the metric and people say of system i on segment s, a cell; cells that one of them lacks "
    "are left out",
    unusable=Undefined("fewer than two systems, or a score is infinite", _unusable),
    example=Example(
        text="the metric's 9 6 8 4 7 / 7 6 9 3 6 / 3 5 7 5 2 and people's 4 3 5 2 4 / 3 3 4 2 3 / 1 2 4 3 2 (a system each)",
        arrays=(((9, 6, 8, 4, 7), (7, 6, 9, 3, 6), (3, 5, 7, 5, 2)), ((4, 3, 5, 2, 4), (3, 3, 4, 2, 3), (1, 2, 4, 3, 2))),
    ),
)
_measure = partial(measure, inputs=SYSTEMS, better="higher", scale="interval", of_all=True, ties="answer")


def _signs(segments: int) -> list[list[float]]:
    """All ways to sign the segments, or fixed draws of them where there are many."""
    if segments <= _MOST_EXACT:
        return [list(one) for one in itertools.product((1.0, -1.0), repeat=segments)]
    import numpy as np  # noqa: PLC0415 - listing the measures does without

    drawn: list[list[float]] = np.random.default_rng(0).choice((1.0, -1.0), (_DRAWS, segments)).tolist()
    return drawn


def _chances(scores: Array, signs: Array, *, half: bool) -> Array:
    """For every two systems, one before the other, how often the difference of their sums is as high after the signs of segments
    are changed (cases, pairs); ties counted half, or whole."""
    xp = namespace(scores)
    by_segment, observed = xp.permute_dims(scores, (0, 2, 1)), summed(scores, -1)
    slack = (_SAME if scores.dtype == xp.float64 else _SAME_IN_SINGLE) * (
        xp.max(xp.max(xp.abs(scores), axis=-1), axis=-1) * scores.shape[-1] + 1.0
    )[:, None]
    pairs = list(itertools.combinations(range(scores.shape[-2]), 2))
    found = [xp.zeros_like(observed[:, 0]) for _ in pairs]
    for start in range(0, signs.shape[0], _AT_ONCE):
        sums = xp.matmul(signs[start : min(start + _AT_ONCE, signs.shape[0]), :], by_segment)  # (cases, draws, systems)
        for place, (one, other) in enumerate(pairs):
            apart = (sums[:, :, one] - sums[:, :, other]) - (observed[:, one] - observed[:, other])[:, None]
            above, same = apart > slack, xp.abs(apart) <= slack
            counted = xp.astype(above, scores.dtype) + xp.astype(same, scores.dtype) * (0.5 if half else 1.0)
            found[place] = found[place] + summed(counted, -1)
    return xp.stack(found, axis=-1) / signs.shape[0]


@_measure(
    id="spa",
    title="Soft pairwise accuracy: whether a metric is as sure as people which of two systems is better",
    symbol="SPA{}",
    aliases=("soft_pairwise_accuracy",),
    parameter=Options(choices={"compat": ("none", "mtme")}),
    formula="SPA = 1 - (2/(k (k-1))) Σ_{i<j} |p^h_ij - p^m_ij|,   p_ij = P(Σ_s ±d_s > Σ_s d_s) + P(Σ_s ±d_s = Σ_s d_s)/2,   "
    "d = m_i - m_j\nover all signs of the segments, k systems; with compat=mtme p_ij = P(Σ_s ±d_s ≥ Σ_s d_s)",
    source=(THOMPSON_2024,),
    use="To rank metrics by how they rank systems: a metric that is sure where people are not, or the other way round, loses.",
    note=f"With ties counted half it does not depend on the order of the systems; with compat=mtme, as mt-metrics-eval counts "
    f"them, it does. Beyond {_MOST_EXACT} segments {_DRAWS:,} signs are drawn, the same for all metrics. A cell that one side "
    "lacks counts as the mean of its segment.",
)
def spa(predicted: Array, gold: Array, *, compat: str) -> Array:
    xp = namespace(predicted, gold)
    known = _known(predicted, gold)
    signs = constant(_signs(gold.shape[-1]), like=gold)
    systems = xp.astype(_systems(predicted, gold), gold.dtype)
    if gold.shape[-2] < 2:
        return xp.zeros_like(systems[:, 0]) + xp.nan
    mine, theirs = (_chances(_centred(side, known, -2), signs, half=compat == "none") for side in (predicted, gold))
    pairs = itertools.combinations(range(gold.shape[-2]), 2)
    there = xp.stack([systems[:, one] * systems[:, other] for one, other in pairs], axis=-1)
    return 1 - ratio(summed(xp.abs(mine - theirs) * there, -1), summed(there, -1))


def _centred(scores: Array, known: Array, axis: int) -> Array:
    """The scores less their mean along an axis (-2: of their segment), 0 where there is none."""
    xp = namespace(scores)
    filled = xp.where(known > 0, scores, 0.0)
    number = xp.sum(known, axis=axis, keepdims=True)
    return (filled - xp.sum(filled, axis=axis, keepdims=True) / xp.where(number > 0, number, 1.0)) * known


def _correlation(one: Array, other: Array, known: Array) -> Array:
    """Pearson's correlation along the last axis, of what is known; NaN where a side is constant."""
    xp = namespace(one, other)
    centred = [_centred(side, known, -1) for side in (one, other)]
    squares = [summed(side**2, -1) for side in centred]
    scales = [xp.max(xp.abs(xp.where(known > 0, side, 0.0)), axis=-1) for side in (one, other)]
    flat = (squares[0] <= (_SAME * scales[0]) ** 2) | (squares[1] <= (_SAME * scales[1]) ** 2)
    value = ratio(summed(centred[0] * centred[1], -1), xp.sqrt(squares[0]) * xp.sqrt(squares[1]))
    return xp.where(flat, xp.nan, xp.clip(value, -1.0, 1.0))


def _mean_ranks(one: Array, other: Array, known: Array) -> Array:
    """Spearman's correlation: Pearson's of mean ranks."""
    xp = namespace(one, other)
    ranked = []
    for side in (one, other):
        keys = xp.where(known > 0, side, xp.nan)
        first, last = places(xp.reshape(keys, (-1, keys.shape[-1])))
        ranked.append(xp.reshape((first + last) / 2, keys.shape))
    return _correlation(ranked[0], ranked[1], known)


def _tau_b(one: Array, other: Array, known: Array) -> Array:
    """Kendall's tau-b: Pearson's correlation of the signs of all differences."""
    xp = namespace(one, other)
    both = known[..., :, None] * known[..., None, :]
    signs = [xp.sign(xp.where(known > 0, side, 0.0)[..., :, None] - xp.where(known > 0, side, 0.0)[..., None, :]) * both
             for side in (one, other)]  # fmt: skip
    squares = [summed(summed(side**2, -1), -1) for side in signs]
    return ratio(summed(summed(signs[0] * signs[1], -1), -1), xp.sqrt(squares[0] * squares[1]))


def means_of_systems(scores: Array, known: Array) -> Array:
    """The mean of each system over its segments, (cases, systems)."""
    xp = namespace(scores)
    return ratio(summed(xp.where(known > 0, scores, 0.0), -1), summed(known, -1))


def at_level(predicted: Array, gold: Array, level: str) -> tuple[Array, Array, Array]:
    """What is correlated along the last axis: the systems' means, all cells, or a segment's systems; and what is known of it."""
    xp = namespace(predicted, gold)
    known = _known(predicted, gold)
    if level == "system":
        there = xp.astype(summed(known, -1) > 0, gold.dtype)
        return means_of_systems(predicted, known), means_of_systems(gold, known), there
    if level == "item":
        predicted, gold, known = (xp.permute_dims(one, (0, 2, 1)) for one in (predicted, gold, known))
        return predicted, gold, known
    flat = (gold.shape[0], gold.shape[1] * gold.shape[2])
    return xp.reshape(predicted + 0.0 * gold, flat), xp.reshape(gold + 0.0 * predicted, flat), xp.reshape(known, flat)


_CORRELATIONS = {
    "pearson": ("Pearson's correlation", "r", _correlation, (FREITAG_2023,)),
    "spearman": ("Spearman's rank correlation", "ρ", _mean_ranks, (SPEARMAN_1904, FREITAG_2023)),
    "kendall": ("Kendall's tau-b", "τ_b", _tau_b, (KENDALL_1945, FREITAG_2023)),
}
_OVER = {
    "system": "with people over the means of systems",
    "segment": "with people over all cells of systems and segments",
    "item": "with people over the systems of each segment, the mean of all segments",
}


def _declared(name: str, level: str) -> Measure:
    title, symbol, function, source = _CORRELATIONS[name]

    def formula(predicted: Array, gold: Array) -> Array:
        values = function(*at_level(predicted, gold, level))
        return mean_of_defined(values) if level == "item" else values

    def nothing_varies(predicted: Array, gold: Array) -> Array:
        return namespace(gold).isnan(formula(predicted, gold))

    formula.__name__ = formula.__qualname__ = f"{name}_{level}"
    return _measure(
        id=f"{name}@{level}",
        title=f"{title} {_OVER[level]}",
        symbol=f"{symbol}_{level}",
        range=(-1, 1),
        aliases=(name,) if level == "system" else (),
        undefined=(Undefined("constant metric, or people say the same of all", nothing_varies),),
        formula=f"{symbol} of m and h {_OVER[level]}",
        source=source,
        use={
            "system": "To say how well a metric ranks systems; with few systems one of them can decide it.",
            "segment": "To say how well a metric's scores go with people's, wherever they come from.",
            "item": "How well a metric ranks translations of one sentence. Segments where a side is constant are left out.",
        }[level],
    )(formula)


pearson_system, pearson_segment, pearson_item = (_declared("pearson", level) for level in _LEVELS)
spearman_system, spearman_segment, spearman_item = (_declared("spearman", level) for level in _LEVELS)
kendall_system, kendall_item = (_declared("kendall", level) for level in ("system", "item"))
