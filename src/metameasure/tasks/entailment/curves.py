"""Precision against recall down a run's own order, with what chance gives: Bergmair (2009), Section 3.1, on bias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from metameasure.core.messages import caption
from metameasure.evidence.judgements import Judgements
from metameasure.show.canvas import GREY, Figure
from metameasure.show.lines import styled_line
from metameasure.show.sheet import EDGE, Box, Sheet, plot
from metameasure.statistics.arrays import Booleans, Floats

_HIGH = 2.6  # inches
_REACH = 1.96  # standard errors of a 95 % band


@dataclass(frozen=True, eq=False)
class Curve:
    """A run's precision at each recall, where an order of all its items ends; tied items come at once."""

    run: str
    recall: Floats
    precision: Floats


def precision_recall(positive: Booleans, score: Floats) -> tuple[Floats, Floats]:
    """Recall and precision after each group of items with the same score, from the highest down."""
    order = np.argsort(-score, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(score[order]) != 0, True))
    found = np.cumsum(positive[order])[ends]
    return found / max(1, int(positive.sum())), found / (ends + 1.0)


def chance_band(items: int, positive: int, recall: Floats) -> tuple[Floats, Floats]:
    """Between which precisions 95 % of random orders lie at each recall: the positive share of as many items as it takes on
    average, drawn without replacement."""
    share = positive / items
    seen = np.maximum(1.0, recall * items)
    error = np.sqrt(share * (1 - share) / seen * np.maximum(0.0, items - seen) / max(1, items - 1))
    return np.maximum(0.0, share - _REACH * error), np.minimum(1.0, share + _REACH * error)


def curves(evidence: Judgements) -> list[Curve]:
    """Of every run that says how strongly it believes in the positive class, all topics as one."""
    found = []
    for run, items in zip(evidence.runs, evidence.items, strict=True):
        if items is None or items.score is None or not items.answered.any():
            continue
        answered = items.answered
        found.append(Curve(run, *precision_recall(items.gold[answered] == 0, items.score[answered])))
    return found


def add_curves(sheet: Sheet, drawn: Sequence[Curve], items: int, positive: int) -> None:
    """The curves on a sheet, above the band of chance."""
    sheet.add(_HIGH, partial(_draw, drawn, items, positive))
    sheet.explain([styled_line(place) for place in range(len(drawn))], [one.run for one in drawn])
    sheet.write([caption("Grey: 95% of random orders; {positive} of {all} items are positive.", positive=positive, all=items)])


def _draw(drawn: Sequence[Curve], items: int, positive: int, figure: Figure, box: Box) -> None:
    axes = plot(
        box, figure, (EDGE, 0.04, box.width - 2 * EDGE, _HIGH - 0.08), ((0.0, 1.02), (0.0, 1.02)), ("recall", "precision")
    )
    grid = np.linspace(1 / items, 1, 200)
    low, high = chance_band(items, positive, grid)
    axes.fill_between(grid, low, high, color=GREY, alpha=0.35, linewidth=0)
    for place, one in enumerate(drawn):
        axes.add_line(styled_line(place, one.recall, one.precision))
