"""What people's labels on a part of the items and a judge's on all of them come to: the result, in words, tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from metameasure.core.choices import Sampling
from metameasure.core.errors import UsageError
from metameasure.core.messages import data, legend, note, sentence
from metameasure.core.notes import counted
from metameasure.core.numbers import headed, json_number, number, with_interval
from metameasure.core.scale import Scale
from metameasure.scores.framed import Framed
from metameasure.show.canvas import COLOURS, Axes, Figure
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.sheet import span
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.corrected import Correction, Estimate

MEAN_LABEL, SHARE_OF = "mean label", "share of "
_BELOW_CHART = ["Dots and bars: corrected, with its interval. Each | is what people alone come to."]
_MOST_PAIRS = 15
_ESTIMATES = ("people", "bias", "corrected")
_NUMBERS = ("value", "se", "low", "high")


@dataclass(frozen=True)
class CorrectedLine:
    """One number: of a run, or of a run less another, by a measure; or of all items, what a judge's labels come to."""

    measure: str
    """The measure; ``mean label``, or ``share of`` a class."""
    better: str | None
    run: str
    """The run; of labels themselves, the judge."""
    against: str
    """The other run, of a difference; otherwise empty."""
    found: Correction

    @property
    def name(self) -> str:
        return f"{self.run} - {self.against}" if self.against else self.run

    @property
    def best(self) -> Estimate:
        """The corrected estimate; people's, where nothing is corrected."""
        return self.found.people if math.isnan(self.found.corrected.value) else self.found.corrected

    def columns(self) -> dict[str, Any]:
        """The line as a row for programs."""
        row: dict[str, Any] = {"measure": self.measure, "run": self.run, "against": self.against or None}
        for name in _ESTIMATES:
            estimate: Estimate = getattr(self.found, name)
            row |= {name if part == "value" else f"{name}_{part}": float(getattr(estimate, part)) for part in _NUMBERS}
        return row | {"judge": self.found.judge, "lambda": self.found.weight, "worth": self.found.worth}

    def to_dict(self) -> dict[str, Any]:
        """The line in JSON."""
        found, moments = self.found, self.found.moments
        return {
            "measure": self.measure,
            "run": self.run,
            "against": self.against or None,
            **{name: {part: json_number(getattr(getattr(found, name), part)) for part in _NUMBERS} for name in _ESTIMATES},
            "judge": json_number(found.judge),
            "lambda": json_number(found.weight),
            "worth": json_number(found.worth),
            "moments": None
            if moments is None
            else {name: json_number(getattr(moments, name)) for name in type(moments).__dataclass_fields__},
            **({"why": found.why} if found.why else {}),
        }


@dataclass(frozen=True, eq=False)
class Corrected(Framed):
    """Scores of runs, or means and shares of labels, from people's labels on a part of the items and a judge's on all. ``lines``
    has each number, ``differences`` those of two runs. With sampling unknown nothing is corrected."""

    caption: ClassVar[str] = "Corrected by people's labels"

    scale: Scale
    lines: tuple[CorrectedLine, ...]
    differences: tuple[CorrectedLine, ...]
    sampled: Sampling
    items: int
    labelled: int
    units: str
    level: float
    trials: int
    seed: int
    judge: str = ""
    """The judge, where runs are scored; otherwise each line is of one."""
    notes: tuple[str, ...] = ()
    library: str | None = field(default=None, repr=False)

    def __getitem__(self, key: str | tuple[str, str]) -> Correction:
        """By run (or judge) and measure; by the run alone, by the first measure."""
        run, measure = (key, self.lines[0].measure) if isinstance(key, str) else key
        for line in (*self.lines, *self.differences):
            if line.name == run and line.measure == measure:
                return line.found
        known = dict.fromkeys(line.name for line in (*self.lines, *self.differences))
        raise UsageError(f"there is no '{run}' by '{measure}'", hint=f"there are {', '.join(known)}")

    @property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(line.measure for line in self.lines))

    @property
    def of_runs(self) -> bool:
        """Whether runs are scored; otherwise it is about the labels themselves."""
        return bool(self.judge)

    @property
    def corrects(self) -> bool:
        return self.sampled != "unknown"

    @property
    def validity(self) -> dict[str, str]:
        """The method behind the intervals: docs/validity.md has how often they hold."""
        return {"interval": "interval/corrected"} if self.corrects else {}

    def in_words(self) -> list[str]:
        return [*self._said(), *map(sentence, self.notes)]

    def _said(self) -> Iterator[str]:
        """Which run is better, and what the judge is worth, by the first measure."""
        first = self.lines[0].measure
        for line in self.differences:
            if line.measure == first and _is_clear(line.found.corrected):
                higher, lower = (line.run, line.against) if line.found.corrected.value > 0 else (line.against, line.run)
                better = line.better != "lower"
                yield note(
                    "better run",
                    "{run} is better than {other}: {measure} differs by {difference:.3f} [{low:.3f}, {high:.3f}], corrected.",
                    run=higher if better else lower,
                    other=lower if better else higher,
                    measure=line.measure,
                    difference=line.found.corrected.value,
                    low=line.found.corrected.low,
                    high=line.found.corrected.high,
                )
        for line in self.lines:
            if line.measure == first and not math.isnan(line.found.corrected.low):
                yield _in_words(line, self.labelled)

    def tables(self, format: OutputFormat) -> list[Table]:
        made = [self._table(name, [line for line in self.lines if line.measure == name]) for name in self.measures]
        if not self.of_runs:
            made = [self._table_of_labels()]
        pairs = self._shown_pairs()
        if pairs:
            made.append(self._differences(pairs))
        notes = (self._legend(), *self._explained(), *(() if format.paper else self._said()), *map(sentence, self.notes))
        return [*made[:-1], replace(made[-1], notes=notes)]

    def _table(self, measure: str, lines: Sequence[CorrectedLine]) -> Table:
        heading = headed(measure, lines[0].better)
        return self._of_rows((heading,), [(line.name,) for line in lines], lines, title=f"Corrected {measure}")

    def _table_of_labels(self) -> Table:
        judges = dict.fromkeys(line.run for line in self.lines)
        many = len(judges) > 1
        names = [(line.run, line.measure) if many else (line.measure,) for line in self.lines]
        heading = ("judge", "labels") if many else ("labels",)
        return self._of_rows(heading, names, self.lines, title="Corrected labels")

    def _of_rows(
        self, heading: tuple[str, ...], names: Sequence[tuple[str, ...]], lines: Sequence[CorrectedLine], title: str
    ) -> Table:
        headings = (*heading, "people alone", "judge alone", "its bias", *(("corrected", "worth") if self.corrects else ()))
        rows = tuple((*name, *self._cells(line)) for name, line in zip(names, lines, strict=True))
        return Table(headings, rows, frozenset(headings[len(heading) :]), title=title)

    def _cells(self, line: CorrectedLine) -> tuple[str, ...]:
        found, sign = line.found, bool(line.against)
        cells = (_shown(found.people, sign=sign), number(found.judge, sign=sign), _shown(found.bias, sign=True))
        if not self.corrects:
            return cells
        worth = "" if math.isnan(found.worth) else f"{number(found.worth, 1)} x"
        return (*cells, _shown(found.corrected, sign=sign), worth)

    def _shown_pairs(self) -> list[CorrectedLine]:
        """All differences, where they are few; otherwise those of the best run from each other, by the first measure."""
        if len(self.differences) <= _MOST_PAIRS:
            return list(self.differences)
        best = self.lines[0].run
        first = [line for line in self.differences if line.measure == self.lines[0].measure]
        return [line for line in first if best in (line.run, line.against)]

    def _differences(self, pairs: Sequence[CorrectedLine]) -> Table:
        many = len(self.measures) > 1
        heading = ("difference", *(("measure",) if many else ()))
        names = [(line.name, *((line.measure,) if many else ())) for line in pairs]
        return self._of_rows(heading, names, pairs, title="Differences of runs")

    def _legend(self) -> str:
        how = {"random": "chosen at random", "strata": "chosen at random within strata", "unknown": "chosen in an unknown way"}
        return legend(
            "People labelled {labelled:,} of {items:,} items, {how}; {judge} labelled all of them.",
            labelled=self.labelled,
            items=self.items,
            how=how[self.sampled],
            judge=self.judge or "the judge",
        )

    def _explained(self) -> Iterator[str]:
        yield legend("Its bias: how much more the judge's labels give than people's, on the items that people labelled.")
        if self.corrects:
            yield legend(
                "Corrected: people's value, plus lambda times what the judge's labels give on the other items less what they "
                "give on these. {level:.0%} intervals over {units}, each by itself.",
                level=self.level,
                units=self.units,
            )
            yield legend("Worth: how many times as many labels by people it would take without the judge.")

    def columns(self) -> dict[str, list[Any]]:
        """One row for each number and each difference."""
        rows = [line.columns() for line in (*self.lines, *self.differences)]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def to_dict(self) -> dict[str, Any]:
        of_runs = {
            "task": "classification",
            "topics": 1,
            "judge": self.judge,
            "measures": [{"id": name, "better": self._better(name)} for name in self.measures],
            "runs": [{"run": run, "scores": self._scores(run)} for run in dict.fromkeys(line.run for line in self.lines)],
        }
        return {
            **(of_runs if self.of_runs else {}),
            "classes": list(self.scale.labels),
            "sampled": self.sampled,
            "items": self.items,
            "labelled": self.labelled,
            "units": self.units,
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
            "validity": self.validity,
            "corrected": [line.to_dict() for line in self.lines],
            "differences": [line.to_dict() for line in self.differences],
            "notes": list(self.notes),
            "findings": data((*self.notes, *self._said())),
            **self.signed(),
        }

    def _scores(self, run: str) -> dict[str, Any]:
        return {line.measure: json_number(line.best.value) for line in self.lines if line.run == run}

    def _better(self, measure: str) -> str | None:
        return next(line.better for line in self.lines if line.measure == measure)

    def draw(self, width: float) -> Figure:
        """Corrected values and people's, a panel for each measure; of labels themselves, the share of each class."""
        if self.of_runs:
            names = list(dict.fromkeys(line.run for line in self.lines))
            panels = [self._panel(measure, names) for measure in self.measures]
            return row_chart(names, panels, width, notes=_BELOW_CHART)
        shares = [line for line in self.lines if line.measure.startswith(SHARE_OF)]
        judges = len({line.run for line in shares})
        names = [f"{line.run}: {line.measure}" if judges > 1 else line.measure for line in shares]
        return row_chart(names, [_panel("share", shares)], width, notes=_BELOW_CHART)

    def _panel(self, measure: str, names: Sequence[str]) -> Panel:
        of_runs = {line.run: line for line in self.lines if line.measure == measure}
        return _panel(headed(measure, self._better(measure), kept=True), [of_runs[name] for name in names])


def _panel(title: str, lines: Sequence[CorrectedLine]) -> Panel:
    estimates = [line.best for line in lines]
    values, low, high = (np.array([getattr(one, name) for one in estimates]) for name in ("value", "low", "high"))
    people = np.array([line.found.people.value for line in lines])

    def alone(axes: Axes, tops: Any) -> None:
        axes.plot(people, tops, "|", color=COLOURS[1], markersize=9)

    return replace(dots(title, values, ends=(low, high), more=alone), ends=span(values, low, high, people))


def _is_clear(estimate: Estimate) -> bool:
    """Whether a difference is not 0."""
    return estimate.low > 0 or estimate.high < 0


def _shown(estimate: Estimate, *, sign: bool = False) -> str:
    return with_interval(estimate.value, estimate.low, estimate.high, sign=sign)


def _in_words(line: CorrectedLine, labelled: int) -> str:
    found = line.found.corrected
    return note(
        "corrected",
        "{run}: {measure} {value:.3f} [{low:.3f}, {high:.3f}], corrected; with the judge the {labels} are as good as {worth:.1f} "
        "times as many.",
        run=line.name,
        measure=line.measure,
        value=found.value,
        low=found.low,
        high=found.high,
        labels=counted(labelled, "label"),
        worth=line.found.worth,
    )
