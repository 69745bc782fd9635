"""What a trial comes to, as tables, as a chart and as JSON: the verdict first, then the numbers behind it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.core.messages import Message, caption, data, legend
from metameasure.core.numbers import json_number, number, percent
from metameasure.show.rows import dots, row_chart
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.trials.criteria import FEW_TOPICS, OF_ITEMS, Criteria
from metameasure.trials.verdict import Tried

_TERMINAL = 80


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasureTrial(Signed):
    """The trial of one or several measures of a task. ``beside`` has the criteria of the established measures."""

    caption: ClassVar[str] = "The trial of a measure"

    task: str
    tried: tuple[Tried, ...]
    beside: tuple[Criteria, ...]
    topics: int
    quick: bool
    seed: int

    def __getitem__(self, measure: str) -> Tried:
        return next(one for one in self.tried if one.measure == measure)

    @property
    def reference(self) -> str:
        """The established measure that the others are held against."""
        return self.tried[0].reference

    def verdicts(self) -> list[Message]:
        """A paragraph on each measure."""
        return [one.verdict() for one in self.tried]

    def in_words(self) -> Sequence[str]:
        return self.verdicts()

    def _rows(self) -> list[Criteria]:
        return [*(one.criteria for one in self.tried), *self.beside]

    def _standing(self, measure: str, quality: str) -> float:
        row = self.tried[0].beside.row(measure) or next(one.beside.row(measure) for one in self.tried if one.beside.row(measure))
        return float(getattr(row, quality)) if row else float("nan")

    def to_dict(self) -> dict[str, Any]:
        said = self.verdicts()
        return {
            "task": self.task,
            "reference": self.reference,
            "established": list(self.tried[0].established),
            "measures": [self._told(one) for one in self.tried],
            "criteria": [_criteria(one) for one in self._rows()],
            "topics": self.topics,
            "quick": self.quick,
            "seed": self.seed,
            "notes": [str(one) for one in said],
            "findings": data(said),
            **self.signed(),
        }

    def _told(self, one: Tried) -> dict[str, Any]:
        faults = one.faults()
        row = one.beside.row(one.measure)
        return {
            "id": one.measure,
            "passes": not faults,
            "faults": [{"fault": name, "text": str(message)} for name, message in faults],
            "verdict": str(one.verdict()),
            "properties": {name: verdict.to_dict() for name, verdict in one.properties.items()},
            "mean_tau": json_number(row.mean_tau) if row else None,
            "power": json_number(row.power) if row else None,
            "group": row.group if row else None,
            "contradicts": list(row.contradicts) if row else [],
            "better_beyond_chance": one.stronger(),
        }

    def columns(self) -> dict[str, list[Any]]:
        """A row for each measure, a column for each criterion."""
        rows = self._rows()
        worlds = [*rows[0].right]
        return {
            "measure": [row.measure for row in rows],
            "tried": [str(row.measure in {one.measure for one in self.tried}).lower() for row in rows],
            **{f"right: {world}": [row.right[world].value for row in rows] for world in worlds},
            **{f"sees {seen.kind} (t)": [row.seen[place].t for row in rows] for place, seen in enumerate(rows[0].seen)},
            "constant": [row.constant.value for row in rows],
            "sizes": [row.sizes.value for row in rows],
            "undefined": [row.undefined for row in rows],
            "cost": [row.cost.items if row.cost else None for row in rows],
            "mean_tau": [self._standing(row.measure, "mean_tau") for row in rows],
            "power": [self._standing(row.measure, "power") for row in rows],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """The criteria as a data frame."""
        from metameasure.scores.scores import frame_of  # noqa: PLC0415 - frames load when asked for

        return frame_of(self.columns(), library)

    def full_table(self) -> Table:
        return Table.of(self.columns())

    def tables(self, format: OutputFormat) -> list[Table]:
        return [*([] if format.paper else [self._verdict_table(format)]), self._criteria_table(format), self._seen_table(format)]

    def _verdict_table(self, format: OutputFormat) -> Table:
        said = self.verdicts()
        lines = said if format.wide else [line for one in said for line in textwrap.wrap(str(one), _TERMINAL)]
        return Table(("verdict",), tuple((line,) for line in lines))

    def _criteria_table(self, format: OutputFormat) -> Table:
        rows = self._rows()
        worlds = [*rows[0].right]
        made = tuple(
            (
                measure_name(row.measure, format),
                *(percent(row.right[world].value) for world in worlds),
                number(row.constant.value, sign=True),
                percent(row.undefined),
                _items(row),
                number(self._standing(row.measure, "mean_tau")),
                percent(self._standing(row.measure, "power")),
            )
            for row in rows
        )
        notes = (
            legend(
                "usual to few topics: % of pairs of systems that err in one way, of which the one that errs less comes first."
            ),
            legend(
                "constant: by how much a system that knows something beats the best constant one; classes are of unequal size."
            ),
            legend(
                "undefined: % of topics of a few items. cost: {unit} to find a difference that {reference} finds with {of}.",
                reference=self.reference,
                of=OF_ITEMS,
                unit=rows[0].unit,
            ),
            legend(
                "tau: of rankings by two halves of the topics. power: % of pairs of systems told apart. Both in the usual world."
            ),
            legend("{topics} simulated topics in each world, seed {seed}.", topics=self.topics, seed=self.seed),
            *(self.verdicts() if format.paper else ()),
        )
        return Table(("measure", *worlds, "constant", "undefined", "cost", "tau", "power"), made, notes=notes)

    def _seen_table(self, format: OutputFormat) -> Table:
        rows = self._rows()
        kinds = rows[0].seen
        made = tuple((measure_name(row.measure, format), *(seen.verdict for seen in row.seen)) for row in rows)
        notes = tuple(legend("{kind}: {about}.", kind=seen.kind, about=seen.about) for seen in kinds)
        return Table(("measure", *(seen.kind for seen in kinds)), made, notes=notes)

    def draw(self, width: float) -> Any:
        """The share of pairs of systems that each measure orders rightly, by world."""
        rows = self._rows()
        worlds = [world for world in rows[0].right if world != FEW_TOPICS]
        panels = [dots(world, 100 * np.array([row.right[world].value for row in rows])) for world in worlds]
        said = caption("% of pairs of simulated systems that a measure orders rightly. The first {tried} on trial.",
                       tried="is" if len(self.tried) == 1 else f"{len(self.tried)} are")  # fmt: skip
        return row_chart([symbol_of(row.measure) for row in rows], panels, width, notes=[said])


def _items(row: Criteria) -> str:
    return f"{row.cost.items:.0f}" if row.cost else "–"


def _criteria(row: Criteria) -> dict[str, Any]:
    return {
        "id": row.measure,
        "right": {world: json_number(share.value) for world, share in row.right.items()},
        "sees": {seen.kind: {"verdict": seen.verdict, "t": json_number(seen.t)} for seen in row.seen},
        "constant": json_number(row.constant.value),
        "sizes": json_number(row.sizes.value),
        "undefined": json_number(row.undefined),
        "cost": None
        if row.cost is None
        else {"needed": row.cost.items, "low": row.cost.low, "high": row.cost.high, "of": OF_ITEMS, "unit": row.unit},
    }
