"""Avramidis (2013), Figure 1: all measures over the experiments, ordered by one of them."""

from __future__ import annotations

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.scores.scores import Scores
from metameasure.show.lines import line_chart
from metameasure.show.table import Drawing


def ordered_lines(name: str, scores: Scores, first: str, why: str) -> Drawing:
    """A line for each measure, upright; the experiments go from the best by the first measure to the worst."""
    names = [one.id for one in scores.measures]
    means = scores.averages()
    order = np.argsort(-means[names.index(first)], kind="stable")
    series = {symbol_of(measure): row[order] for measure, row in zip(names, means, strict=True)}
    across = f"{len(order)} experiments, by descending {symbol_of(first)}"
    return Drawing(name, f"Figure 1: all measures over {across}", lambda width: line_chart(series, across, width, [why]))
