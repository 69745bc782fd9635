"""Deltas of two runs as scatter plots, and the distributions of the topics that differ most: Sakai (LQ 2021), Figures 1 to 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import UsageError
from metameasure.meta.finding import pairs_of
from metameasure.meta.score_deltas import DeltaPair, Deltas
from metameasure.show.canvas import COLOURS, GREY, MARKERS, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_PANELS = 15
_TOPICS_SHOWN = 2


def deltas_chart(found: Deltas) -> Figure:
    """A panel for every two measures (with many, the first and each other one); two more for distributions, if at hand."""
    measures = list(found.measures)
    shown = pairs_of(len(measures))
    if not shown:
        raise UsageError("a chart of pairs of measures needs two of them", hint="evaluate by more measures")
    if len(shown) > _MOST_PANELS:
        shown = [pair for pair in shown if pair[0] == 0][:_MOST_PANELS]
    topics = found.furthest(measures[0], measures[1], _TOPICS_SHOWN) if found.distributions else []
    topics = [topic for topic in topics if "gold" in topic]
    figure, axes = panels(len(shown) + len(topics), 3.4, 3.4)
    by_names = {(pair.first, pair.second): pair for pair in found.pairs}
    for (i, j), place in zip(shown, axes, strict=False):
        _scatter(place, found, by_names[measures[i], measures[j]])
    for topic, place in zip(topics, axes[len(shown) :], strict=False):
        _bars(place, topic, found)
    if found.data:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=8, markerscale=2)
    figure.suptitle(f"Deltas by topic: {found.run_a} (a) less {found.run_b} (b); positive: a is better")
    return figure


def _scatter(axes: Axes, found: Deltas, pair: DeltaPair) -> None:
    several = len(found.parts()) > 1
    for place, part in enumerate(found.parts()):
        x, y = (part.values[part.measures.index(measure)] for measure in (pair.first, pair.second))
        marker, colour = MARKERS[place % len(MARKERS)], COLOURS[place % len(COLOURS)]
        axes.plot(x, y, marker, color=colour, markersize=3, alpha=0.5, markeredgewidth=0, label=part.name if several else None)
    axes.axhline(0, color=GREY, linewidth=0.8, zorder=0)
    axes.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    axes.margins(0.12)
    axes.locator_params(nbins=5)
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    # The two quadrants in which the measures disagree.
    axes.fill_between([left, 0], 0, top, color="#f6e3d3", linewidth=0, zorder=-1)
    axes.fill_between([0, right], bottom, 0, color="#f6e3d3", linewidth=0, zorder=-1)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    box = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1}
    axes.text(0.03, 0.97, str(pair.first_prefers_b), transform=axes.transAxes, ha="left", va="top", bbox=box, weight="bold")
    axes.text(0.97, 0.03, str(pair.first_prefers_a), transform=axes.transAxes, ha="right", va="bottom", bbox=box, weight="bold")
    axes.set_title(f"r = {pair.pearson:.3f} [{pair.low:.3f}, {pair.high:.3f}]", fontsize=9)
    axes.set_xlabel(f"Δ {pair.first}")
    axes.set_ylabel(f"Δ {pair.second}")


def _bars(axes: Axes, topic: dict[str, list[float]], found: Deltas) -> None:
    """Gold's and both runs' distributions over the classes."""
    classes = topic["classes"]
    sides = [("gold", "gold", GREY), ("a", found.run_a, COLOURS[0]), ("b", found.run_b, COLOURS[1])]
    present = [(key, label, colour) for key, label, colour in sides if key in topic]
    width = 0.8 / len(present)
    for place, (key, label, colour) in enumerate(present):
        axes.bar(np.arange(len(classes)) + (place - (len(present) - 1) / 2) * width, topic[key], width, color=colour, label=label)
    axes.set_xticks(range(len(classes)), [str(name) for name in classes])
    axes.set_ylabel("probability")
    axes.set_title(f"topic {topic['topic']}", fontsize=9)
    axes.legend(fontsize=7)
