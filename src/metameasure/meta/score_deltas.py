"""Two runs, topic by topic: do measures agree on which is better, and by how much?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, ClassVar, Unpack

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.catalogue.parameters import split_unescaped
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.core.errors import UsageError
from metameasure.core.messages import caption, legend, say
from metameasure.core.notes import counted
from metameasure.core.numbers import interval, json_number, number
from metameasure.core.options import Option
from metameasure.core.shared_options import VALIDITY
from metameasure.evidence.distributions import Distributions
from metameasure.meta.data import (
    AnyScores,
    Selection,
    chosen_runs,
    data_sets,
    listed_names,
    measures_of,
    names_methods,
    resumable,
    with_scores,
)
from metameasure.meta.finding import Finding, all_notes, json_rows
from metameasure.meta.question import Question
from metameasure.scores.scores import Scores
from metameasure.show.canvas import COLOURS, GREY, MARKERS, Axes, Figure
from metameasure.show.lettering import LINE, shown, wrapped
from metameasure.show.sheet import EDGE, Box, Sheet, plot, span
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.correlation import fisher_interval, pearson
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.declaration import CLASSES


def measure_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of measures as a user writes them: nmd:rnod,nmd:jsd."""
    pairs = tuple(tuple(split_unescaped(part, ":")) for part in split_unescaped(text, ","))
    for pair in pairs:
        if len(pair) != 2 or not all(pair) or pair[0] == pair[1]:
            raise UsageError(
                say("{--pairs} is '{text}'", text=text), hint="two measures with a colon between them, as in nmd:rnod,nmd:jsd"
            )
    return tuple((first, second) for first, second in pairs)


QUESTION = Question(
    __name__,
    id="deltas",
    title="Score deltas of two runs",
    asks="Two runs, topic by topic: where do measures disagree about which is better?",
    why="Those topics show what each of the measures prefers.",
    formula=(
        "delta M(t) = M(run a, t) - M(run b, t), turned so that better is positive\n"
        "wins of a: topics with delta > 0; ties: |delta| <= 1e-12; disagreement: deltas of strictly opposite signs\n"
        "Pearson correlation of two measures' deltas, with the interval tanh(atanh r ± z / sqrt(n - 3))"
    ),
    read=(
        "Two measures that disagree on many topics prefer different kinds of output: look at the topics that differ most. "
        "The paper's deltas are of measures where lower is better, so its signs are the other way round. "
        "For quantification, the distributions of those topics are shown too, where gold, estimates and classes are given; "
        "in Python, distributions=mm.distributions(gold, runs, classes=...)."
    ),
    source=(SAKAI_LQ_2021.at("Section 5.3, Eq. 10, Table 7, Figures 1 to 3"),),
    several="totals, and correlations over the topics of all data sets",
    options=(
        Option("runs", "The two runs, a and b.", metavar="A,B"),
        Option(
            "pairs",
            "Compare and draw these pairs of measures only, the first across and the second up.",
            measure_pairs,
            "X:Y,...",
        ),
        Option("gold", "Gold's distributions, to show on the topics that differ most.", metavar="FILE"),
        Option(
            "estimates",
            "The runs' distributions: a pattern, or repeat the option.",
            metavar="FILE",
            repeated=True,
            doc="The runs' distributions: a list of files or patterns.",
        ),
        replace(CLASSES, help="The classes of the distributions.", doc=""),
        VALIDITY,
    ),
    place=6,
    taken=(
        ("run_a, run_b : str, optional", "The two runs: their names, or patterns that fit one run in each data set."),
        (
            "distributions : Distributions or dict, optional",
            "What scores of quantification were made from, by data set where there are several: shown beside the topics apart.",
        ),
    ),
    call=', "run a", "run b"',
)
_SHOWN = 5
_MOST_PAIRS = 15
_MOST_PANELS = 15
_TOPICS_DRAWN = 2
_PANEL = 1.6  # inches of a panel, at least
_SIDES = {"gold": GREY, "a": COLOURS[0], "b": COLOURS[1]}
_FACTS_OF_PAIRS = ("first", "second", "pearson", "low", "high", "first_prefers_a", "first_prefers_b", "disagree")


@dataclass(frozen=True)
class DeltaPair:
    """Two measures: how their deltas go together, and on how many topics they disagree which run is better.

    ``first_prefers_a`` counts the disagreements in which the first measure prefers run a, ``first_prefers_b`` the others.
    """

    first: str
    second: str
    pearson: float
    low: float
    high: float
    first_prefers_a: int
    first_prefers_b: int

    @property
    def disagree(self) -> int:
        return self.first_prefers_a + self.first_prefers_b


@dataclass(frozen=True, eq=False, kw_only=True)
class Deltas(Finding):
    """Differences between two runs (measures, topics), better for run a positive; wins, and how measures go together."""

    caption: ClassVar[str] = QUESTION.title

    repeats_data: ClassVar[bool] = True
    run_a: str
    run_b: str
    topics: tuple[str, ...]
    values: Floats
    pairs: tuple[DeltaPair, ...]
    level: float
    distributions: Distributions | None = None
    chosen: bool = False
    """Whether the pairs are those that somebody asked for."""

    @property
    def validity(self) -> dict[str, str]:
        return {"interval": "interval/meta/deltas"} if self.pairs else {}

    def wins(self) -> Integers:
        """(measures, 3): topics on which a is better, b is better, and ties."""
        a, b = (self.values > TIE).sum(axis=1), (self.values < -TIE).sum(axis=1)
        return np.stack([a, b, self.values.shape[1] - a - b], axis=1)

    def furthest(self, first: str, second: str, number: int = _SHOWN) -> list[dict[str, Any]]:
        """The topics on which two measures' deltas differ most, with every measure's delta; and with the distributions of gold
        and of both runs, where they are at hand."""
        i, j = (self.measures.index(measure) for measure in (first, second))
        apart = self.values[i] - self.values[j]
        order = np.argsort(-np.abs(apart).round(12), kind="stable")[:number]
        return [self._topic(int(place), float(apart[place])) for place in order]

    def _topic(self, place: int, apart: float) -> dict[str, Any]:
        topic = self.topics[place]
        deltas = {measure: json_number(self.values[row, place]) for row, measure in enumerate(self.measures)}
        entry: dict[str, Any] = {"topic": topic, "difference": json_number(apart), "deltas": deltas}
        shown = self.distributions
        if shown is not None and topic in shown.topics:
            row = shown.topics.index(topic)
            entry |= {"classes": list(shown.scale.labels), "gold": shown.gold[row].tolist()}
            sides = [(side, run) for side, run in (("a", self.run_a), ("b", self.run_b)) if run in shown.runs]
            entry |= {side: shown.estimates[shown.runs.index(run), row].tolist() for side, run in sides}
        return entry

    def answer(self) -> dict[str, Any]:
        return {
            "run_a": self.run_a,
            "run_b": self.run_b,
            "topics": len(self.topics),
            "level": self.level,
            "measures": [
                {"id": measure, "a_wins": int(a), "b_wins": int(b), "ties": int(ties)}
                for measure, (a, b, ties) in zip(self.measures, self.wins(), strict=True)
            ],
            "pairs": [
                row | ({} if self.data else {"furthest": self.furthest(row["first"], row["second"])})
                for row in json_rows({name: [getattr(pair, name) for pair in self.pairs] for name in _FACTS_OF_PAIRS})
            ],
        }

    def columns(self) -> dict[str, list[Any]]:
        """The deltas of every topic, a column for each measure."""
        return {"topic": list(self.topics)} | {
            measure: row.tolist() for measure, row in zip(self.measures, self.values, strict=True)
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (LQ 2021), Table 7, then what stands in the boxes of its Figures 1 and 2, then the topics of Figure 3."""
        tables = [self._wins_table(format), self._pairs_table(format)]
        if not self.data and len(self.measures) > 1:
            tables.append(self._furthest_table(format))
        return [table for table in tables if table.rows]

    def _wins_table(self, format: OutputFormat) -> Table:
        names = self.names(format)
        if self.data:
            headings = ("data set", *(f"{name} {side}" for name in names for side in ("a", "b")))
            rows = [(block.name, *map(str, block.wins()[:, :2].ravel())) for block in self.blocks()]
            places = [
                (row, 1 + 2 * place, wins) for row, block in enumerate(self.blocks()) for place, wins in enumerate(block.wins())
            ]
        else:
            headings = ("measure", "a wins", "b wins", "ties")
            rows = [(name, *map(str, wins)) for name, wins in zip(names, self.wins(), strict=True)]
            places = [(row, 1, wins) for row, wins in enumerate(self.wins())]
        bold = frozenset((row, headings[first + int(wins[1] > wins[0])]) for row, first, wins in places if wins[0] != wins[1])
        sides = "a: {first}; b: {second}. On how many of {topics} topics each is better."
        explained = legend(sides, first=self.run_a, second=self.run_b, topics=len(self.topics))
        return Table(headings, tuple(rows), frozenset(headings[1:]), bold, self.below(explained))

    def _pairs_table(self, format: OutputFormat) -> Table:
        headings = ("first", "second", "Pearson", "interval", "disagree", "first: a, second: b", "first: b, second: a")
        names = dict(zip(self.measures, self.names(format), strict=True))
        rows = [
            (
                names[pair.first],
                names[pair.second],
                number(pair.pearson),
                interval(pair.low, pair.high),
                *map(str, (pair.disagree, pair.first_prefers_a, pair.first_prefers_b)),
            )
            for pair in self.pairs[:_MOST_PAIRS]
        ]
        more = len(self.pairs) - len(rows)
        correlated = (
            "Correlation of the deltas over topics ({level:g%} interval, Fisher's z), and topics on which measures disagree."
        )
        notes = (
            legend(correlated, level=self.level),
            *([say("... and {pairs} of measures: {--format json}.", pairs=counted(more, "more pair"))] if more else []),
        )
        return Table(headings, tuple(rows), frozenset(headings[2:]), notes=notes)

    def _furthest_table(self, format: OutputFormat) -> Table:
        """The topics on which the first pair of measures differ most, with distributions where there are any."""
        first, second = self.pairs[0].first, self.pairs[0].second
        topics, names = self.furthest(first, second), self.names(format)
        by_id = dict(zip(self.measures, names, strict=True))
        numbers = (f"{by_id[first]} - {by_id[second]}", *(f"Δ {name}" for name in names))
        sides = ("gold", "a", "b") if any("gold" in entry for entry in topics) else ()
        rows = tuple(
            (
                entry["topic"],
                *(number(delta, sign=True) for delta in (entry["difference"], *entry["deltas"].values())),
                *(" ".join(number(share, 2) for share in entry.get(side, ())) for side in sides),
            )
            for entry in topics
        )
        furthest = "Topics on which {first} and {second} differ most; positive: {run} is better."
        notes = (legend(furthest, first=first, second=second, run=self.run_a),)
        return Table(("topic", *numbers, *sides), rows, frozenset(numbers), notes=notes)

    def draw(self, width: float) -> Figure:
        """A panel for every two measures (with many, the first and each other one): Sakai (LQ 2021), Figures 1 and 2; two more
        for distributions, if they are at hand: Figure 3."""
        topics = self._topics_to_draw() if self.distributions else []
        return self._drawn_together(width, self._pairs_to_draw(), topics)

    def draw_pairs(self, width: float, notes: Sequence[str] = ()) -> Figure:
        """The scatter plots alone: Sakai (LQ 2021), Figures 1 and 2."""
        return self._drawn_together(width, self._pairs_to_draw(), [], notes)

    def draw_topics(self, width: float, notes: Sequence[str] = ()) -> Figure:
        """The distributions alone, on the topics on which the first pair of measures differs most: Figure 3."""
        return self._drawn_together(width, [], self._topics_to_draw(), notes)

    def _pairs_to_draw(self) -> list[DeltaPair]:
        few = self.chosen or len(self.pairs) <= _MOST_PANELS
        pairs = [pair for pair in self.pairs if few or pair.first == self.measures[0]]
        if not pairs:
            raise UsageError("a chart of pairs of measures needs two of them", hint="evaluate with more measures")
        return pairs if self.chosen else pairs[:_MOST_PANELS]

    def _topics_to_draw(self) -> list[dict[str, Any]]:
        topics = self.furthest(self.pairs[0].first, self.pairs[0].second, _TOPICS_DRAWN)
        return [topic for topic in topics if "gold" in topic]

    def _drawn_together(
        self, width: float, pairs: Sequence[DeltaPair], topics: Sequence[dict[str, Any]], notes: Sequence[str] = ()
    ) -> Figure:
        sheet = Sheet(width)
        panels = [*(partial(self._scatter, pair) for pair in pairs), *(partial(self._bars, topic) for topic in topics)]
        across = max(1, min(len(panels), int(width / _PANEL)))
        for start in range(0, len(panels), across):
            sheet.add(width / across + 2 * LINE, partial(_side_by_side, panels[start : start + across], width / across))
        if self.data and pairs:
            sheet.explain([_points(place) for place in range(len(self.data))], [part.name for part in self.data])
        if topics:
            sheet.explain(*_bar_key(topics, self.run_a, self.run_b))
        differences = "Differences by topic: {first} (a) minus {second} (b); positive: a is better."
        said = [caption(differences, first=self.run_a, second=self.run_b)] if pairs else []
        said += [caption("Shaded: the two measures disagree, on so many topics.")] if pairs else []
        sheet.write([*said, *notes])
        return sheet.figure()

    def _scatter(self, pair: DeltaPair, piece: _Piece) -> None:
        values = [part.values[[part.measures.index(pair.first), part.measures.index(pair.second)]] for part in self.parts()]
        (left, right), (bottom, top) = (span(*(one[side] for one in values), around=0.0) for side in (0, 1))
        names = f"Δ {symbol_of(pair.first)}", f"Δ {symbol_of(pair.second)}"
        title = f"r = {number(pair.pearson)}\n{interval(pair.low, pair.high)}"
        axes = piece.axes(title, ((left, right), (bottom, top)), names)
        for place, (x, y) in enumerate(values):
            line = _points(place)
            line.set_data(x, y)
            axes.add_line(line)
        axes.axhline(0, color=GREY, linewidth=0.8, zorder=0)
        axes.axvline(0, color=GREY, linewidth=0.8, zorder=0)
        # The two quadrants in which the measures disagree.
        axes.fill_between([left, 0], 0, top, color="#f6e3d3", linewidth=0, zorder=-1)
        axes.fill_between([0, right], bottom, 0, color="#f6e3d3", linewidth=0, zorder=-1)
        look: Any = {"transform": axes.transAxes, "weight": "bold"}
        look["bbox"] = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1}
        axes.text(0.03, 0.97, str(pair.first_prefers_b), ha="left", va="top", **look)
        axes.text(0.97, 0.03, str(pair.first_prefers_a), ha="right", va="bottom", **look)

    def _bars(self, topic: dict[str, Any], piece: _Piece) -> None:
        """Gold's and both runs' distributions over the classes."""
        classes = [str(name) for name in topic["classes"]]
        present = [(key, colour) for key, colour in _SIDES.items() if key in topic]
        most = max(float(np.max(topic[key])) for key, _ in present)
        first, second = symbol_of(self.pairs[0].first), symbol_of(self.pairs[0].second)
        title = f"topic {topic['topic']}\nΔ{first} - Δ{second} = {number(topic['difference'], sign=True)}"
        axes = piece.axes(title, ((-0.5, len(classes) - 0.5), (0.0, 1.05 * most)), ("class", "probability"))
        width = 0.8 / len(present)
        for place, (key, colour) in enumerate(present):
            left = np.arange(len(classes)) + (place - (len(present) - 1) / 2) * width
            axes.bar(left, topic[key], width, color=colour)
        room = axes.get_position().width * piece.box.width / len(classes)
        axes.set_xticks(range(len(classes)), [wrapped(shown(name), room - 0.03, 1) for name in classes])


@dataclass(frozen=True)
class _Piece:
    """A place for one panel."""

    figure: Figure
    box: Box
    left: float
    wide: float

    def axes(self, title: str, ends: tuple[tuple[float, float], tuple[float, float]], names: tuple[str, str]) -> Axes:
        above = "\n".join(wrapped(shown(line), self.wide - 0.1, 2) for line in title.split("\n"))
        self.box.text(self.figure, above, self.left + self.wide / 2, 0.02, ha="center")
        place = (self.left + EDGE, 2 * LINE + 0.05, self.wide - 2 * EDGE, self.wide - 0.1)
        return plot(self.box, self.figure, place, ends, names)


def _side_by_side(panels: Sequence[Callable[[_Piece], None]], wide: float, figure: Figure, box: Box) -> None:
    for place, panel in enumerate(panels):
        panel(_Piece(figure, box, place * wide, wide))


def _points(place: int) -> Any:
    """How the topics of a data set are drawn."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - loaded when something is drawn

    look: Any = {"marker": MARKERS[place % len(MARKERS)], "color": COLOURS[place % len(COLOURS)]}
    return Line2D([], [], linestyle="", markersize=3, alpha=0.5, markeredgewidth=0, **look)


def _bar_key(topics: Sequence[dict[str, Any]], run_a: str, run_b: str) -> tuple[list[Any], list[str]]:
    from matplotlib.patches import Patch  # noqa: PLC0415 - loaded when something is drawn

    named = {"gold": "gold", "a": run_a, "b": run_b}
    present = [key for key in _SIDES if any(key in topic for topic in topics)]
    return [Patch(color=_SIDES[key]) for key in present], [named[key] for key in present]


@names_methods
@resumable
def deltas(
    scores: AnyScores,
    run_a: str | None = None,
    run_b: str | None = None,
    *,
    level: float = 0.95,
    distributions: Distributions | Mapping[str, Distributions] | None = None,
    gold: Any = None,
    estimates: Any = (),
    classes: Any = None,
    pairs: str | Sequence[tuple[str, str]] | None = None,
    **selection: Unpack[Selection],
) -> Deltas:
    """Per-topic differences between two runs by every measure. Name the runs here, or as ``runs="A,B"``.

    A name may be a pattern that fits one run in each data set, such as ``*_BL-popularity-C``. ``distributions``, the evidence
    that the scores were made from (by data set, where there are several), are shown beside the topics that differ most; or
    ``gold``, ``estimates`` and ``classes`` say where to read them. ``pairs`` are the pairs of measures to compare and draw, as
    ``[("nmd", "rnod")]`` or ``"nmd:rnod"``, the first across and the second up; by default all.
    """
    patterns = [run for run in (run_a, run_b) if run is not None] or listed_names(selection.get("runs"))
    if len(set(patterns)) != len(patterns) or len(patterns) not in (0, 2):
        raise UsageError(say("the runs named are {runs}", runs=", ".join(patterns)), hint=say("name two: {--runs A,B}"))
    selection["runs"] = patterns or None
    data = data_sets(scores, selection)
    shown = distributions or _read(gold, estimates, classes)
    measures = measures_of(data)
    asked = _asked(pairs, measures, selection.get("registry") or default_registry())
    parts = [_one(name, part, _two(name, part, patterns), level, asked, shown) for name, part in data.items()]
    if len(parts) == 1:
        return parts[0]
    same = all((part.run_a, part.run_b) == (parts[0].run_a, parts[0].run_b) for part in parts)
    names = (parts[0].run_a, parts[0].run_b) if same else patterns
    topics = tuple(topic for part in parts for topic in part.topics)
    values = np.concatenate([part.values for part in parts], axis=1)
    more: dict[str, Any] = {"notes": all_notes(data), "data": tuple(parts)}
    return _found("total", measures, names, topics, values, level, asked, **more)


def _asked(
    pairs: str | Sequence[tuple[str, str]] | None, measures: Sequence[str], registry: Registry
) -> tuple[tuple[str, str], ...] | None:
    """The pairs by the names that the measures have here; UsageError for a measure without scores."""
    if pairs is None:
        return None
    given = measure_pairs(pairs) if isinstance(pairs, str) else pairs
    return tuple((with_scores(first, measures, registry), with_scores(second, measures, registry)) for first, second in given)


def _read(gold: Any, estimates: Any, classes: Any) -> Distributions | None:
    """The distributions that the scores of quantification were made of, where they are said to be somewhere."""
    if gold is None and not estimates:
        return None
    if gold is None or not estimates or not classes:
        raise UsageError(say("distributions need {--gold}, {--estimates} and {--classes}"), hint="or leave out all three")
    from metameasure.tasks.quantification.task import distributions  # noqa: PLC0415 - engines load when there is something to read

    return distributions(gold, list(estimates), classes=classes, baselines=True)


def _two(name: str, data: Scores, patterns: Sequence[str]) -> tuple[int, int]:
    """The places of the two runs."""
    if not patterns and len(data.runs) == 2:
        return 0, 1
    matches = [chosen_runs([pattern], data.runs, name) for pattern in patterns]
    if len(matches) != 2 or any(len(one) != 1 for one in matches) or matches[0] == matches[1]:
        fitting = ", ".join(run for one in matches for run in one)
        raise UsageError(f"{name}: two runs are needed, but {fitting or 'none'} given", hint=say("name two: {--runs A,B}"))
    return data.runs.index(matches[0][0]), data.runs.index(matches[1][0])


def _one(
    name: str,
    data: Scores,
    runs: tuple[int, int],
    level: float,
    asked: tuple[tuple[str, str], ...] | None,
    distributions: Distributions | Mapping[str, Distributions] | None,
) -> Deltas:
    oriented = data.oriented_values()
    values = oriented[:, :, runs[0]] - oriented[:, :, runs[1]]
    shown = distributions.get(name) if isinstance(distributions, Mapping) else distributions
    names = [data.runs[run] for run in runs]
    return _found(name, data.ids, names, data.topics, values, level, asked, notes=data.left_out, distributions=shown)


def _found(
    name: str,
    measures: tuple[str, ...],
    runs: Sequence[str],
    topics: tuple[str, ...],
    values: Floats,
    level: float,
    asked: tuple[tuple[str, str], ...] | None,
    **more: Any,
) -> Deltas:
    pairs = _pairs(measures, values, level, asked)
    facts: dict[str, Any] = {"topics": topics, "values": values, "pairs": pairs, "level": level, "chosen": asked is not None}
    return Deltas(name=name, measures=measures, run_a=runs[0], run_b=runs[1], **facts, **more)


def _pairs(
    measures: Sequence[str], values: Floats, level: float, asked: tuple[tuple[str, str], ...] | None
) -> tuple[DeltaPair, ...]:
    of = dict(zip(measures, values, strict=True))
    pairs = []
    for first, second in combinations(measures, 2) if asked is None else asked:
        one, other = of[first], of[second]
        r = pearson(one, other)
        prefers = ((one > TIE) & (other < -TIE)).sum(), ((one < -TIE) & (other > TIE)).sum()
        pairs.append(DeltaPair(first, second, r, *fisher_interval(r, len(one), level), *map(int, prefers)))
    return tuple(pairs)
