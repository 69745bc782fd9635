"""A chart for each kind of result."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import UsageError
from metameasure.meta.discriminative_power import Discrimination
from metameasure.meta.measure_summary import Summary
from metameasure.meta.ranking_similarity import Similarity
from metameasure.meta.score_deltas import Deltas
from metameasure.meta.significance_contradictions import Contradictions
from metameasure.meta.significance_overlap import Overlap
from metameasure.meta.split_consistency import Consistency
from metameasure.meta.topic_robustness import Robustness
from metameasure.meta.unanimous_coverage import Coverage
from metameasure.show.canvas import (
    COLOURS,
    GREY,
    LINES,
    Floats,
    dots,
    heat_map,
    panels,
    rows_high,
)
from metameasure.show.delta_chart import deltas_chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def chart_of(result: object) -> Figure:
    """The result drawn."""
    draw = _CHARTS.get(type(result))
    if draw is None:
        raise UsageError(f"there is no chart of {type(result).__name__}", hint="print it, or convert it by to_frame()")
    figure: Figure = draw(result)
    return figure


def _triangles(
    found: Any, table: Callable[[Any], Floats], text: Callable[[float], str], title: str, ends: tuple[float, float]
) -> Figure:
    """A heat map for each data set and one for all, each pair of measures once."""
    blocks = [*found.data, found]
    names = list(found.measures)
    if len(names) < 2:
        raise UsageError("a chart of pairs of measures needs two of them", hint="evaluate by more measures")
    side = 1.6 + max(1.6, 0.42 * len(names))
    figure, axes = panels(len(blocks), side + 0.12 * max(map(len, names)), side)
    for block, place in zip(blocks, axes, strict=True):
        values = np.where(np.tri(len(names), k=-1, dtype=bool), table(block), np.nan)
        texts = [["" if math.isnan(value) else text(value) for value in row] for row in values]
        heat_map(place, values[1:, :-1], (names[1:], names[:-1]), [row[:-1] for row in texts[1:]], ends)
        place.set_title(block.name if found.data else title)
    if found.data:
        figure.suptitle(title)
    return figure


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1)


def similarity_chart(found: Similarity) -> Figure:
    lowest = min(0.4, *(float(block.tau.min()) for block in (found, *found.data)))
    return _triangles(found, lambda block: block.tau, _short, "Kendall's tau between rankings", (lowest, 1.0))


def overlap_chart(found: Overlap) -> Figure:
    def table(block: Overlap) -> Floats:
        return _square(block, [pair.overlap for pair in block.pairs])

    return _triangles(found, table, lambda value: f"{100 * value:.0f}", "Significance overlap (%)", (0.0, 1.0))


def contradictions_chart(found: Contradictions) -> Figure:
    def table(block: Contradictions) -> Floats:
        return _square(block, [float(len(pair.runs)) for pair in block.pairs])

    most = max(1.0, *(float(len(pair.runs)) for pair in found.pairs)) if found.pairs else 1.0
    return _triangles(found, table, lambda value: f"{value:.0f}", "Significance contradictions", (0.0, most))


def _square(block: Any, values: list[float]) -> Floats:
    """Numbers of every two measures as a symmetric matrix."""
    number = len(block.measures)
    square = np.full((number, number), np.nan)
    upper = np.triu_indices(number, 1)
    square[upper] = values
    square.T[upper] = values
    return square


def consistency_chart(found: Consistency) -> Figure:
    blocks = [*found.data, found]
    figure, axes = panels(len(blocks), 4.2, rows_high(len(found.measures)))
    for block, place in zip(blocks, axes, strict=True):
        dots(place, block.measures, block.mean_tau, texts=[f"beats {k}" if k else "" for k in block.beats()])
        place.set_title(f"{block.name}, {block.how()}" if found.data else f"System ranking consistency, {block.how()}")
        place.set_xlabel("mean tau")
    return figure


def robustness_chart(found: Robustness) -> Figure:
    order = found.order()
    blocks = [*found.data, found]
    figure, axes = panels(len(blocks), 4.2, rows_high(len(order)))
    for block, place in zip(blocks, axes, strict=True):
        dots(place, [found.measures[row] for row in order], block.robustness[order])
        place.set_title(block.name if found.data else "Robustness across topics")
        place.set_xlabel("mean Spearman correlation")
    return figure


def coverage_chart(found: Coverage) -> Figure:
    order = found.order()
    blocks = [*found.data, found]
    figure, axes = panels(len(blocks), 4.4, rows_high(len(order)))
    for block, place in zip(blocks, axes, strict=True):
        low, high = block.ranges()
        names = [found.measures[row] + (" *" if found.measures[row] in found.reference else "") for row in order]
        dots(place, names, block.coverage[order], ends=(low[order], high[order]))
        place.set_title(block.name if found.data else "Coverage (bars: other reference sets)")
        place.set_xlabel("Spearman correlation with UIR")
    return figure


def discrimination_chart(found: Discrimination) -> Figure:
    """Sakai (2021), Figures 1 to 3: p-values of all pairs of runs from the largest down."""
    figure, axes = panels(len(found.parts()), 6.2, 3.6)
    for block, place in zip(found.parts(), axes, strict=True):
        for row, (measure, curve) in enumerate(zip(block.measures, block.curves(), strict=True)):
            x, y = _corners(curve)
            style = LINES[row // len(COLOURS) % len(LINES)] if len(block.measures) > len(COLOURS) else LINES[row % len(LINES)]
            label = f"{measure} ({block.counts[row]})"
            place.plot(x, y, style, color=COLOURS[row % len(COLOURS)], linewidth=1.4, label=label)
        place.axhline(block.alpha, color=GREY, linewidth=0.8)
        place.annotate(
            f"alpha = {block.alpha:g}",
            (0.01, block.alpha),
            xycoords=("axes fraction", "data"),
            ha="left",
            va="bottom",
            fontsize=7,
        )
        place.set_xlabel(f"pairs of runs ({block.pairs}), from the largest p down")
        place.set_ylabel("p")
        place.set_ylim(0, 1.02)
        place.set_xlim(left=0)
        legend: dict[str, Any] = {
            "fontsize": 8,
            "title_fontsize": 8,
            "alignment": "left",
            "loc": "upper left",
            "bbox_to_anchor": (1.0, 1.0),
        }
        place.legend(title="measure\n(significant pairs)", **legend)
        place.set_title(block.name if found.data else "Discriminative power")
    return figure


def _corners(curve: Floats) -> tuple[Floats, Floats]:
    """A curve without the points between equal neighbours: tens of thousands of pairs have a few thousand p-values."""
    keep = np.ones(len(curve), dtype=bool)
    keep[1:-1] = (curve[1:-1] != curve[:-2]) | (curve[1:-1] != curve[2:])
    return np.arange(1.0, len(curve) + 1)[keep], curve[keep]


def summary_chart(found: Summary) -> Figure:
    """The two values that are rated, side by side; measures from the best down, with their groups."""
    rows = found.rows
    names = [f"{row.measure} ({row.group})" for row in rows]
    figure, (left, right) = panels(2, 4.2, rows_high(len(rows)))
    dots(left, names, np.array([row.mean_tau for row in rows]), texts=[row.consistency for row in rows])
    dots(right, names, np.array([100 * row.power for row in rows]), texts=[row.discrimination for row in rows], labelled=False)
    left.set_xlabel("consistency: mean tau")
    right.set_xlabel("discriminative power (%)")
    figure.suptitle("Measures (similarity groups in brackets)")
    return figure


_CHARTS: dict[type, Callable[[Any], Any]] = {
    Similarity: similarity_chart,
    Consistency: consistency_chart,
    Discrimination: discrimination_chart,
    Overlap: overlap_chart,
    Contradictions: contradictions_chart,
    Deltas: deltas_chart,
    Coverage: coverage_chart,
    Robustness: robustness_chart,
    Summary: summary_chart,
}
