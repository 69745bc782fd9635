"""What a trial comes to, as tables, as a chart and as JSON: the verdict first, then the numbers behind it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.core.messages import Message, caption, data, legend, say
from metameasure.core.notes import grouped, in_a_row
from metameasure.core.numbers import json_number, number, percent
from metameasure.scores.framed import Framed
from metameasure.show.rows import dots, row_chart
from metameasure.show.table import OutputFormat, Table
from metameasure.trials.criteria import FEW_TOPICS, OF_ITEMS, Criteria, Seen, Share
from metameasure.trials.on_data import OnData
from metameasure.trials.verdict import Tried

_TERMINAL = 80


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasureTrial(Framed):
    """The trial of one or several measures of a task. ``beside`` has the criteria of the established measures."""

    caption: ClassVar[str] = "The trial of a measure"

    task: str
    tried: tuple[Tried, ...]
    beside: tuple[Criteria, ...]
    topics: int
    quick: bool
    seed: int
    on_data: OnData | None = None

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
        return [*self.verdicts(), *self.said_of_data()]

    def said_of_data(self) -> list[Message]:
        """How the measures stand on real data, where there are some."""
        if self.on_data is None:
            return []
        return [said for one in self.tried for said in self.on_data.in_words(one.measure, one.reference)]

    def _rows(self) -> list[Criteria]:
        return [*(one.criteria for one in self.tried), *self.beside]

    def _standing(self, measure: str, quality: str) -> float:
        """The consistency or the power of a measure: by its own trial, or by the first beside which it stands."""
        own = [one for one in self.tried if one.measure == measure]
        rows = (one.beside.row(measure) for one in (*own, *self.tried) if one.beside is not None)
        return next((float(getattr(row, quality)) for row in rows if row), float("nan"))

    @property
    def guessing(self) -> bool:
        """Whether those who know nothing guess, as raters do."""
        return self.task == "agreement"

    def to_dict(self) -> dict[str, Any]:
        left_out = [] if self.on_data is None else self.on_data.left_out_in_words()
        said = [*self.verdicts(), *self.said_of_data(), *left_out]
        pairs = [(one.measure, other) for one in self.tried for other in one.established]
        return {
            "task": self.task,
            "reference": self.reference,
            "established": list(self.tried[0].established),
            "kinds": {seen.kind: seen.about for seen in self.tried[0].criteria.seen},
            "measures": [self._told(one) for one in self.tried],
            "criteria": [_criteria(one) for one in self._rows()],
            "topics": self.topics,
            "quick": self.quick,
            "seed": self.seed,
            "notes": [str(one) for one in said],
            "findings": data(said),
            **({} if self.on_data is None else self.on_data.to_dict(pairs)),
            **self.signed(),
        }

    def _told(self, one: Tried) -> dict[str, Any]:
        faults = one.faults()
        row = None if one.beside is None else one.beside.row(one.measure)
        return {
            "id": one.measure,
            "reference": one.reference,
            "passes": not faults,
            "faults": [{"fault": name, "text": str(message)} for name, message in faults],
            "verdict": str(one.verdict()),
            "properties": {name: verdict.to_dict() for name, verdict in one.properties.items()},
            "mean_tau": json_number(row.mean_tau) if row else None,
            "power": json_number(row.power) if row else None,
            "group": row.group if row else None,
            "similarity": {other: json_number(tau) for tau, other in one.similarity()},
            "coverage": json_number(one.covered),
            "contradicts": one.contradicted(),
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
            _without(self.guessing): [_knowing_nothing(row).value for row in rows],
            "sizes": [row.sizes.value for row in rows],
            "prevalence": [row.prevalence.value for row in rows],
            "undefined": [row.undefined.value for row in rows],
            "cost": [row.cost.items if row.cost else None for row in rows],
            "mean_tau": [self._standing(row.measure, "mean_tau") for row in rows],
            "power": [self._standing(row.measure, "power") for row in rows],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        return [
            *([] if format.paper else [self._verdict_table(format)]),
            self._right_table(format),
            self._criteria_table(format),
            self._seen_table(format),
            *([] if self.on_data is None else self.on_data.tables(format)),
            *(_beside_table(one, format) for one in self.tried if one.beside is not None),
            *([] if format.paper else [_properties_table(one) for one in self.tried if one.properties]),
        ]

    def _verdict_table(self, format: OutputFormat) -> Table:
        said = [*self.verdicts(), *self.said_of_data()]
        lines = said if format.wide else [line for one in said for line in textwrap.wrap(str(one), _TERMINAL)]
        return Table(("verdict",), tuple((line,) for line in lines), title="The verdict")

    def _right_table(self, format: OutputFormat) -> Table:
        """How often each measure puts the better system first, by world."""
        rows = self._rows()
        worlds = [*rows[0].right]
        made = tuple((measure_name(row.measure, format), *(percent(row.right[world].value) for world in worlds)) for row in rows)
        said = "% of pairs of {systems} that err in one way, of which the one that errs less comes first."
        notes = (
            legend(said, systems=rows[0].systems),
            legend("few topics: systems are ordered by their means over five topics of a few items."),
            legend("{topics} simulated topics in each world, seed {seed}.", topics=self.topics, seed=self.seed),
            *(self.verdicts() if format.paper else ()),
        )
        return Table(("measure", *worlds), made, notes=notes, right=frozenset(worlds), title="The better one first, by world")

    def _criteria_table(self, format: OutputFormat) -> Table:
        """What else is asked of each measure."""
        rows = self._rows()
        made = tuple(
            (
                measure_name(row.measure, format),
                number(_knowing_nothing(row).value, sign=True),
                number(row.prevalence.value, sign=True),
                percent(row.undefined.value),
                _items(row),
                number(self._standing(row.measure, "mean_tau")),
                percent(self._standing(row.measure, "power")),
            )
            for row in rows
        )
        headings = (_without(self.guessing), "sizes", "undefined", "cost", "tau", "power")
        return Table(
            ("measure", *headings), made, notes=tuple(self._legends()), right=frozenset(headings), title="What else is asked"
        )

    def _legends(self) -> list[Message]:
        """What the columns are."""
        if self.guessing:
            blind = "guessing: what raters score who guess, where one class is large; 0 is corrected for chance."
        else:
            blind = (
                "constant: how much better a system that knows something scores than the best constant one, where classes are of "
                "unequal size."
            )
        sizes = "sizes: how much better the same errors score where classes are of equal size than where they are not."
        standing = (
            "tau: of rankings by two halves of the topics. power: % of pairs of {systems} told apart. Both in the usual world."
        )
        return [
            legend(blind),
            legend(sizes),
            legend("undefined: % of topics of a few items. {costs}.", costs=in_a_row(self._costs(), "; ")),
            legend(standing, systems=self._rows()[0].systems),
        ]

    def _costs(self) -> list[Message]:
        """What the cost is beside: the reference, and another one for the reference itself."""
        unit, references = self._rows()[0].unit, grouped((one.reference, one.measure) for one in self.tried)
        first = say("cost: {unit} to find a difference that {reference} finds with {of}", unit=unit, reference=self.reference,
                    of=OF_ITEMS)  # fmt: skip
        rest = [say("of {measures}, that {reference} finds", measures=in_a_row(measures), reference=reference)
                for reference, measures in references.items() if reference != self.reference]  # fmt: skip
        return [first, *rest]

    def _seen_table(self, format: OutputFormat) -> Table:
        rows = self._rows()
        kinds = rows[0].seen
        made = tuple((measure_name(row.measure, format), *(seen.verdict for seen in row.seen)) for row in rows)
        notes = tuple(legend("{kind}: {about}.", kind=seen.kind, about=seen.about) for seen in kinds)
        headings = ("measure", *(f"{seen.kind} errors" for seen in kinds))
        return Table(headings, made, notes=notes, title="Which errors each measure sees")

    def draw(self, width: float) -> Any:
        """The share of pairs of systems that each measure orders rightly, by world."""
        rows = self._rows()
        worlds = [world for world in rows[0].right if world != FEW_TOPICS]
        panels = [dots(world, 100 * np.array([row.right[world].value for row in rows])) for world in worlds]
        said = caption("% of pairs of simulated {systems} that a measure orders rightly. The first {tried} on trial.",
                       systems=rows[0].systems, tried="is" if len(self.tried) == 1 else f"{len(self.tried)} are")  # fmt: skip
        return row_chart([symbol_of(row.measure) for row in rows], panels, width, notes=[said])


def _without(guessing: bool) -> str:
    """What the score without knowing anything is called."""
    return "guessing" if guessing else "constant"


def _knowing_nothing(row: Criteria) -> Share:
    return row.constant if np.isnan(row.guessing.value) else row.guessing


def _beside_table(one: Tried, format: OutputFormat) -> Table:
    """A measure beside the established ones: what it shares with each, and how each stands."""
    beside, cover = one.beside, one.coverage
    assert beside is not None  # noqa: S101 - asked only where there is one
    opposed = one.contradicted()
    taus = {other: tau for tau, other in one.similarity()}
    covered = {} if cover is None else dict(zip(cover.measures, cover.coverage.tolist(), strict=True))
    standings = {row.measure: row for row in beside.rows}
    better = {*one.stronger()}
    made = tuple(
        (
            measure_name(name, format),
            number(taus[name]) if name in taus else "",
            number(covered.get(name, float("nan"))),
            standings[name].group,
            number(standings[name].mean_tau),
            percent(standings[name].power),
            "yes" if name in opposed else "",
            "yes" if name in better else "",
        )
        for name in (one.measure, *one.established)
    )
    said = (
        legend("like it: tau between its ranking and that of {measure}; groups rank alike.", measure=one.measure),
        legend("coverage: its correlation with what the established measures agree on."),
        legend("tau, power: as above. contradicts: it says the opposite of some pair, both significantly."),
        legend("better: more consistent than {measure}, or more powerful, beyond chance.", measure=one.measure),
    )
    headings = ("measure", "like it", "coverage", "group", "tau", "power", "contradicts", "better")
    numbers = frozenset({"like it", "coverage", "tau", "power"})
    return Table(headings, made, notes=said, right=numbers, title=f"{one.measure} beside the established measures")


def _properties_table(one: Tried) -> Table:
    """The formal properties: whether each holds, and why."""
    held = {True: "yes", False: "no", None: "?"}
    rows = tuple((name, held[verdict.holds], str(verdict.why())) for name, verdict in one.properties.items())
    return Table((f"property of {one.measure}", "holds", "why"), rows, title=f"Formal properties of {one.measure}")


def _items(row: Criteria) -> str:
    return f"{row.cost.items:.0f}" if row.cost else "–"


def _sees(seen: Seen) -> dict[str, Any]:
    return {"verdict": seen.verdict, "t": json_number(seen.t), "effect": json_number(seen.effect)}


def _criteria(row: Criteria) -> dict[str, Any]:
    return {
        "id": row.measure,
        "right": {world: json_number(share.value) for world, share in row.right.items()},
        "sees": {seen.kind: _sees(seen) for seen in row.seen},
        "constant": json_number(row.constant.value),
        "guessing": json_number(row.guessing.value),
        "sizes": json_number(row.sizes.value),
        "prevalence": json_number(row.prevalence.value),
        "sees_order": row.order,
        "undefined": json_number(row.undefined.value),
        "cost": None
        if row.cost is None
        else {"needed": row.cost.items, "low": row.cost.low, "high": row.cost.high, "of": OF_ITEMS, "unit": row.unit},
    }
