"""What all answers share: one for each data set, one over all of them; their tables and charts, and those of answers about every
two measures, which papers print as a triangle."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.comparing.comparison import TESTS
from metameasure.core.choices import DrawBy, Test
from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, about, caption, data, note, run_on, say, sentence
from metameasure.core.numbers import json_cell
from metameasure.scores.framed import stacked
from metameasure.scores.scores import Scores
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.rows import Panel, row_chart
from metameasure.show.table import Mark, OutputFormat, Signed, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.groups import complete_linkage

Cell = tuple[str, Mark | None, bool]
USUAL_TEST: Test = "tukey"
"""The test of differences between runs that the papers used."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding(Signed):
    """An answer about measures. Over several data sets, ``data`` has the answer for each, and this is their pooled, averaged or
    total one; otherwise ``data`` is empty."""

    repeats_data: ClassVar[bool] = False
    """Whether the answer over all data sets has the rows of each once more, and is left out of the long table."""
    name: str
    measures: tuple[str, ...]
    notes: tuple[str, ...] = ()
    data: tuple[Self, ...] = ()
    left_out: tuple[Self, ...] = ()
    """The answers without some of the runs, called ``without PATTERN``."""

    @property
    def validity(self) -> dict[str, str]:
        """The methods behind its intervals and p-values, by what they are for: docs/validity.md has their error rates."""
        return {}

    @abstractmethod
    def answer(self) -> dict[str, Any]:
        """This answer in JSON's terms, without those for each data set."""

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """This answer as columns of a long table."""

    def to_dict(self) -> dict[str, Any]:
        said = {"notes": list(self.notes), "findings": data((*self.said(), *self.notes))}
        more = {
            "data": [{"name": part.name} | part.to_dict() for part in self.data],
            "left_out": [{"without": part.name.removeprefix("without ")} | part.to_dict() for part in self.left_out],
        }
        return (
            said
            | self.answer()
            | self.named_methods()
            | {name: answer for name, answer in more.items() if answer}
            | self.signed()
        )

    def named_methods(self) -> dict[str, Any]:
        """The methods in JSON's terms, where there are any."""
        return {"validity": self.validity} if self.validity else {}

    def settled(self) -> dict[str, Any]:
        """What was chosen where nothing was asked for, as a signature has it."""
        return {}

    def said(self) -> list[str]:
        """What the answer comes to, in sentences, where it has any."""
        return []

    def parts(self) -> tuple[Self, ...]:
        """The answers for each data set."""
        return self.data or (self,)

    def blocks(self) -> tuple[Self, ...]:
        """The answers for each data set and, where there are several, the one over all; then those without some of the runs."""
        return (*self.data, self, *self.left_out)

    def title_of(self, block: Finding, title: str) -> str:
        """What a block is called: the title, where it is the one answer about all runs."""
        return title if block is self and not self.data else block.name

    def long(self) -> dict[str, list[Any]]:
        """The columns, those of all data sets under one another with a first column ``data``; the answer over all comes last.
        Those without some of the runs follow, told apart by a column ``without``."""
        if self.left_out:
            left_out = {part.name.removeprefix("without "): part.long() for part in self.left_out}
            return stacked("without", {"": replace(self, left_out=()).long(), **left_out}.items())
        if not self.data:
            return self.columns()
        return stacked("data", ((block.name, block.columns()) for block in (self.data if self.repeats_data else self.blocks())))

    def full_table(self) -> Table:
        return Table.of(self.long())

    def names(self, format: OutputFormat) -> list[str]:
        """The measures as a format writes them."""
        return [measure_name(measure, format) for measure in self.measures]

    def presented(self, format: OutputFormat) -> list[Table]:
        symbols = dict(zip(self.measures, self.names(format), strict=True)) if format.paper else {}
        return [replace(table, symbols=symbols) for table in super().presented(format)]

    def grouped(self, similarity: Floats, threshold: float) -> list[tuple[str, ...]]:
        """Measures of which every two are so similar (complete linkage), the largest group first."""
        groups = sorted(complete_linkage(similarity, threshold), key=lambda group: (-len(group), group))
        return [tuple(self.measures[place] for place in group) for group in groups]

    def below(self, *lines: str) -> tuple[str, ...]:
        """The lines below a table: what explains it, then what has to be said about the data."""
        return (*lines, *map(sentence, self.notes))

    def dot_chart(
        self,
        axis: str,
        width: float,
        panel: Callable[[Any, str], Panel],
        *,
        names: Sequence[str] | None = None,
        blocks: Sequence[Finding] | None = None,
        how: Callable[[Any], str] = lambda _: "",
        notes: Sequence[str] = (),
    ) -> Figure:
        """A panel of dots for each data set and for all of them, or for the answers given. ``panel`` makes one of an answer and
        its title: what the axis shows or, where there are several, the data set; ``how`` adds to it."""
        shown = blocks or self.blocks()
        alone = len(shown) == 1
        titles = [(axis if alone else self.title_of(block, "all runs")) + how(block) for block in shown]
        panels = [panel(block, title) for block, title in zip(shown, titles, strict=True)]
        named = [symbol_of(measure) for measure in self.measures] if names is None else names
        what = [] if alone else [caption("{axis}.", axis=f"{axis[:1].upper()}{axis[1:]}")]
        return row_chart(named, panels, width, notes=[*what, *notes])


@dataclass(frozen=True, eq=False, kw_only=True)
class Tested(Finding):
    """An answer that rests on a test."""

    alpha: float
    trials: int
    seed: int
    test: str = USUAL_TEST

    def test_settings(self) -> dict[str, Any]:
        """How the test was made, for JSON and for answers that rest on this one."""
        return {"alpha": self.alpha, "trials": self.trials, "seed": self.seed, "test": self.test}

    def how_tested(self) -> str:
        """The test in the words of a paper."""
        how = "{how}, alpha = {alpha:g}, B = {trials}, seed {seed}"
        return note("test", how, how=say(TESTS[self.test]), alpha=self.alpha, trials=self.trials, seed=self.seed)


@dataclass(frozen=True, eq=False, kw_only=True)
class RunsTested(Tested):
    """An answer that rests on a test of the differences between runs."""

    draw_by: DrawBy = "data"

    def test_settings(self) -> dict[str, Any]:
        return {**super().test_settings(), "draw_by": self.draw_by}

    def settled(self) -> dict[str, Any]:
        return {"test": self.test, "draw_by": None if self.test == "classical" else self.draw_by}


def json_rows(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Columns as JSON's objects, one a row; a measure is called ``id`` there."""
    names = ["id" if name == "measure" else name for name in columns]
    return [{name: json_cell(cell) for name, cell in zip(names, row, strict=True)} for row in zip(*columns.values(), strict=True)]


def pairs_of(number: int) -> list[tuple[int, int]]:
    """Every two of so many, the first before the second."""
    return list(combinations(range(number), 2))


def all_notes(data: Mapping[str, Scores]) -> tuple[str, ...]:
    """What has to be said about each data set; with its name, where there are several."""
    said = ((name, note) for name, part in data.items() for note in part.left_out)
    return tuple(dict.fromkeys(about(note, data=name) if len(data) > 1 else note for name, note in said))


def not_tested() -> Message:
    """That measures could not be compared over topics."""
    return note("measures apart", "Whether measures differ could not be tested: it takes three topics.")


def triangle(
    finding: Finding, format: OutputFormat, cell: Callable[[Any, int, int], Cell], notes: Sequence[str], legend: str = ""
) -> Table:
    """First measures down and second across, a block for each data set; ``cell`` is a text, its colour, whether it is bold."""
    names = finding.names(format)
    if len(names) == 1:
        notes = ["There is one measure, and nothing to compare it with: evaluate by more of them."]
    headings = ("measure", *names[1:])
    rows: list[tuple[str, ...]] = []
    shown: dict[tuple[int, str], Cell] = {}
    for block in finding.blocks():
        if len(finding.blocks()) > 1:
            rows.append((f"({block.name})", *[""] * (len(names) - 1)))
        for i in range(len(names) - 1):
            cells = [cell(block, i, j) if j > i else ("-", None, False) for j in range(1, len(names))]
            shown |= {(len(rows), heading): one for heading, one in zip(headings[1:], cells, strict=True)}
            rows.append((names[i], *(text for text, _, _ in cells)))
    bold = frozenset(place for place, (_, _, stressed) in shown.items() if stressed)
    marks = {place: mark for place, (_, mark, _) in shown.items() if mark}
    return Table(headings, tuple(rows), frozenset(headings[1:]), bold, finding.below(*notes), marks=marks, legend=legend)


def triangle_chart(
    finding: Any,
    width: float,
    values: Callable[[Any], Floats],
    text: Callable[[float], str],
    what: str,
    groups: Sequence[Sequence[str]] = (),
    alike: str = "",
    scale: tuple[float, float] | None = None,
) -> Figure:
    """A heat map for each data set and one for all, each pair of measures once. ``groups`` of measures that are ``alike`` stand
    together, parted by lines."""
    if len(finding.measures) < 2:
        raise UsageError("a chart of pairs of measures needs two of them", hint="evaluate with more measures")
    grouped = groups or [[measure] for measure in finding.measures]
    order = [finding.measures.index(measure) for group in grouped for measure in group]
    names = [symbol_of(finding.measures[place]) for place in order]
    parted = 1 < len(grouped) < len(names)
    ends = np.cumsum([len(group) for group in grouped])[:-1].tolist() if parted else []
    maps = []
    for block in finding.blocks():
        shown = np.where(np.tri(len(names), k=-1, dtype=bool), values(block)[np.ix_(order, order)], np.nan)[1:, :-1]
        texts = [["" if math.isnan(value) else text(value) for value in row] for row in shown]
        title = finding.title_of(block, "" if len(finding.blocks()) == 1 else "all runs")
        lines = [end - 1 for end in ends if end > 1], [end for end in ends if end < len(names) - 1]
        maps.append(HeatMap(title, shown, names[1:], names[:-1], texts, lines))
    return heat_maps(maps, width, scale=scale, notes=[run_on((what, alike if parted else ""))], number=text)
