"""The mean over items of a number that somebody else computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure, measure
from metameasure.catalogue.outcomes.scores_of_items import SCORES
from metameasure.core.choices import Better


def mean_of_items(values: Array) -> Array:
    """The mean over the last axis of what is not NaN."""
    xp = namespace(values)
    known = ~xp.isnan(values)
    items = xp.sum(xp.astype(known, values.dtype), axis=-1)
    return xp.sum(xp.where(known, values, 0.0), axis=-1) / xp.where(items > 0, items, 1.0)


@measure(
    id="mean",
    title="Mean score of the items",
    better="higher",
    range=(-math.inf, math.inf),
    perfect=None,
    inputs=SCORES,
    scale="interval",
    ties="answer",
    chance="linear",
    formula="Σ_i s_i / n",
    source="Miller (2024). Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations, Section 2.",
    use="Scores of items that a harness has computed: accuracy where they are 0 and 1. Measures that the data name are this mean "
    "too, under their own names.",
)
def mean(scores: Array) -> Array:
    return mean_of_items(scores)


@dataclass(frozen=True)
class MeasureOfData(Measure):
    """A measure that the data bring along, under the name that they give it: the mean of its scores."""

    def __reduce__(self) -> tuple[Any, ...]:
        return measure_of_data, (self.template, self.better, self.range, dict(self.headline))

    def __hash__(self) -> int:
        return hash((self.template, self.argument))


def measure_of_data(name: str, better: Better | None, range: Any, headline: Mapping[str, int] | None = None) -> MeasureOfData:
    """The mean of the scores that the data call ``name``."""
    text = f"outcomes of {name}"
    reads = Reads.known.get(text) or Reads(text, ("scores",), "outcomes")
    facts = {field: getattr(mean, field) for field in mean.__dataclass_fields__ if field != "template"}
    own = {"title": name, "notation": name, "better": better, "range": range, "headline": headline or {}}
    return MeasureOfData(name, **facts | own | {"inputs": replace(SCORES, reads=reads)})
