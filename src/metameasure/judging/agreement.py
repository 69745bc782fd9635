"""The agreement of annotators as a result: coefficients, and a line for each annotator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure.core.choices import AgreementInterval
from metameasure.core.errors import UsageError
from metameasure.core.messages import note, say, sentence
from metameasure.core.notes import counted
from metameasure.core.numbers import json_number
from metameasure.core.scale import Scale
from metameasure.judging.aggregating import CrowdGold
from metameasure.judging.agreement_table import agreement_chart, annotators_table, coefficients_table, gold_table
from metameasure.reading.sources import text_array
from metameasure.show.canvas import Figure
from metameasure.show.frames import frame_of
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.show.write import write_table

_NUMBERS = ("value", "se", "low", "high", "observed", "expected")
_OF_PEOPLE = ("annotator", "items", "value", "low", "high", "without")


@dataclass(frozen=True)
class Coefficient:
    """A coefficient, its standard error and interval; where it is a chance-corrected agreement, the observed agreement and that
    expected by chance. ``undefined_draws`` counts the samples in which it had no value."""

    id: str
    symbol: str
    value: float
    se: float
    low: float
    high: float
    observed: float = math.nan
    expected: float = math.nan
    why: str = ""
    undefined_draws: int = 0


@dataclass(frozen=True)
class AnnotatorLine:
    """One annotator: on so many items that others rated too, the agreement with them, with its interval; what the first
    coefficient would be without this annotator; the share of each class; the agreement with his or her own repeated ratings."""

    annotator: str
    items: int
    value: float
    low: float
    high: float
    without: float
    shares: tuple[float, ...]
    repeated: float = math.nan
    why: str = ""
    """Why there is no agreement with the others, where there is none."""


@dataclass(frozen=True, eq=False)
class Agreement(Signed):
    """Coefficients of agreement, and a line for each annotator where it is known who rated what."""

    caption: ClassVar[str] = "Agreement among annotators"

    scale: Scale
    items: int
    ratings: int
    annotators: int
    coefficients: tuple[Coefficient, ...]
    by_annotator: tuple[AnnotatorLine, ...]
    by_measure: str
    interval: AgreementInterval
    level: float
    units: Literal["items", "clusters"]
    notes: tuple[str, ...] = ()
    trials: int = 0
    seed: int = 0
    gold: CrowdGold | None = None
    """Gold made of the ratings, where that is asked for."""

    def __getitem__(self, id: str) -> Coefficient:
        """A coefficient by its id."""
        for one in self.coefficients:
            if one.id == id:
                return one
        raise UsageError(f"'{id}' is not among the coefficients", hint=f"there are {', '.join(c.id for c in self.coefficients)}")

    @property
    def validity(self) -> dict[str, str]:
        """The methods behind the intervals of the coefficients and of the annotators: docs/validity.md has their error rates."""
        of_lines = "bootstrap" if self.interval == "gwet" else self.interval  # a line is no coefficient that has a variance
        people = {"by_annotator": f"interval/agreement/{of_lines}"} if self.by_annotator else {}
        return {"interval": f"interval/agreement/{self.interval}", **people}

    def in_words(self) -> list[str]:
        first = self.coefficients[0]
        interval = "" if math.isnan(first.low) else say(", interval {low:.3f} to {high:.3f}", low=first.low, high=first.high)
        return [
            note(
                "ratings",
                "{measure} of {ratings} of {items} is {value:.3f}{interval}.",
                measure=first.id,
                ratings=counted(self.ratings, "rating"),
                items=counted(self.items, "item"),
                value=first.value,
                interval=interval,
            ),
            *map(sentence, self.notes),
        ]

    def tables(self, format: OutputFormat) -> list[Table]:
        gold = [] if self.gold is None else [gold_table(self.gold)]
        return [coefficients_table(self, format), *([annotators_table(self)] if self.by_annotator else []), *gold]

    def annotator_columns(self) -> dict[str, Any]:
        """A row for each annotator: agreement with the others, the share of each class, and by the gold that all made, where that
        is asked for, how often right, bias and flag."""
        columns = self._people() | {
            f"share {label}": [one.shares[place] for one in self.by_annotator] for place, label in enumerate(self.scale.labels)
        }
        if self.gold is not None:
            crowd = {one.annotator: one for one in self.gold.annotators}
            for name in ("accuracy", "bias", "bias_low", "bias_high", "flag"):
                columns[name] = [getattr(crowd[one.annotator], name) for one in self.by_annotator]
        return columns

    def save_annotators(self, path: str | Path) -> None:
        """The annotators as a file, one row each."""
        columns = self.annotator_columns()
        if not self.by_annotator:
            raise UsageError("nobody knows who rated what", hint="give ratings with their annotators, not counts")
        arrays = {
            name: text_array(column) if name in ("annotator", "flag") else np.array(column) for name, column in columns.items()
        }
        write_table(arrays, path)

    def full_table(self) -> Table:
        people, coefficients = self._people(), self._columns()
        return Table.of(
            {
                "kind": ["coefficient"] * len(self.coefficients) + ["annotator"] * len(self.by_annotator),
                "name": [*coefficients["id"], *people["annotator"]],
                "items": [self.items] * len(self.coefficients) + people["items"],
                **{name: [*coefficients[name], *people.get(name, [math.nan] * len(self.by_annotator))] for name in _NUMBERS},
                "without": [math.nan] * len(self.coefficients) + people["without"],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "ratings": self.ratings,
            "annotators": self.annotators,
            "classes": list(self.scale.labels),
            "interval": self.interval,
            "level": self.level,
            "units": self.units,
            "validity": self.validity,
            "coefficients": [
                {
                    "id": one.id,
                    **{name: json_number(getattr(one, name)) for name in _NUMBERS},
                    **({"why": one.why} if one.why else {}),
                }
                for one in self.coefficients
            ],
            "by_annotator": [
                {
                    "annotator": one.annotator,
                    "items": one.items,
                    "measure": self.by_measure,
                    **{name: json_number(getattr(one, name)) for name in ("value", "low", "high", "without")},
                    "shares": dict(zip(self.scale.labels, one.shares, strict=True)),
                    **({} if math.isnan(one.repeated) else {"repeated": one.repeated}),
                    **({"why": one.why} if one.why else {}),
                }
                for one in self.by_annotator
            ],
            **({} if self.gold is None else {"aggregated": self.gold.to_dict()}),
            **self.signed_notes(self.notes),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """One row for each coefficient."""
        return frame_of(self._columns(), library)

    def _people(self) -> dict[str, list[Any]]:
        return {name: [getattr(one, name) for one in self.by_annotator] for name in _OF_PEOPLE}

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(one, name) for one in self.coefficients] for name in ("id", *_NUMBERS)}

    def draw(self, width: float) -> Figure:
        return agreement_chart(self, width)
