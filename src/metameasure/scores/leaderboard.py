"""Scores as a leaderboard, in a table and drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.catalogue.facts import Shares
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError
from metameasure.core.messages import anew, caption, note, renamed, run_on, say, sentence
from metameasure.core.notes import counted, first_of, grouped, in_a_row
from metameasure.core.numbers import headed, number, with_interval
from metameasure.scores.run_names import without_prefix
from metameasure.show.canvas import COLOURS, LINES, MARKERS, Axes, Figure
from metameasure.show.lines import line_chart
from metameasure.show.names import is_shown, named
from metameasure.show.points import point_chart
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.sheet import span
from metameasure.show.symbols import marked
from metameasure.show.table import OutputFormat, Table, exact
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.groups import letter_ranges
from metameasure.statistics.rank_correlation import TIE

if TYPE_CHECKING:
    from metameasure.scores.scores import Scores
_MANY_RUNS = 30
"""More of them are drawn upright, without names."""


def leaderboard(scores: Scores, format: OutputFormat) -> Table:
    """Runs from best to worst, for reading."""
    order = [run for run in scores.order() if is_shown(scores.runs[run])]
    table = _table(scores, order, _reading_columns(scores, format), _rank_texts(scores), named)
    return replace(
        table,
        bold=_best(scores, order, format),
        notes=tuple(renamed(said, {one.id: one.called for one in scores.measures if one.called}) for said in _footer(scores)),
        beside=_remarks(scores, order),
        caption=_caption(scores),
        symbols={measure.id: _name(measure, format) for measure in scores.measures if format.paper},
    )


def _caption(scores: Scores) -> str:
    runs, unit = counted(len(scores.runs) - len(scores.baselines), "run"), scores.topic_word
    if len(scores.topics) == 1:
        return say("Scores of {runs}, the best by each measure in bold", runs=runs)
    topics = counted(len(scores.topics), unit)
    return say("Scores of {runs} on {topics}, the best by each measure in bold", runs=runs, topics=topics)


def full_leaderboard(scores: Scores) -> Table:
    """Runs from best to worst, with every number at full precision in its own column."""
    ranks = [text.removesuffix("=") for text in _rank_texts(scores)]
    return _table(scores, scores.order(), _full_columns(scores), ranks)


def ranks_from_best(values: Floats) -> Integers:
    """Ranks along the last axis, 1 for the highest; values within 1e-12 share a rank."""
    return np.asarray(1 + (values[..., None, :] > values[..., :, None] + TIE).sum(axis=-1))


def _table(
    scores: Scores, order: list[int], columns: list[tuple[str, list[str]]], ranks: list[str], called: Callable[[str], str] = str
) -> Table:
    headings = ("rank", "run", *(heading for heading, _ in columns))
    rows = tuple((ranks[run], called(scores.runs[run]), *(cells[run] for _, cells in columns)) for run in order)
    return Table(headings, rows, right=frozenset(headings) - {"run"})


def _remarks(scores: Scores, order: list[int]) -> Table | None:
    """What there is to say of the runs besides, in the order of the leaderboard."""
    remarks = [remark for remark in scores.remarks if remark.words]
    if not remarks:
        return None
    rows = [
        (named(scores.runs[run]), *(anew(remark.words[run]) for remark in remarks))
        for run in order
        if scores.runs[run] not in scores.baselines
    ]
    numbers = frozenset(remark.title for remark in remarks if all(map(_is_number, remark.words)))
    return Table(("run", *(remark.title for remark in remarks)), tuple(rows), right=numbers)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return word == "–"
    return True


def _rank_texts(scores: Scores) -> list[str]:
    """Ranks by the first measure, shared ones marked; baselines are shown where they stand but are not ranked."""
    ranks = scores.own_ranks(0)
    return ["" if rank is None else f"{rank}{'=' if ranks.count(rank) > 1 else ''}" for rank in ranks]


def _name(measure: Measure, format: OutputFormat) -> str:
    return format.symbol(measure.symbol) if format.paper and measure.symbol else measure.called or measure.id or "score"


def _reading_columns(scores: Scores, format: OutputFormat) -> list[tuple[str, list[str]]]:
    averages = scores.averages()
    columns = _possible_ranks(scores)
    for row, measure in enumerate(scores.measures):
        name = _name(measure, format)
        heading = headed(name, measure.better)
        cells = [_with_interval(scores, row, run, averages[row, run]) for run in range(len(scores.runs))]
        columns.append((heading, _lettered(scores, measure, _ranked(scores, row, cells))))
        if scores.are_means and _shows_pooled(scores, row):
            heading = f"{name} {'micro' if scores.micro else 'pooled'}"
            columns.append((heading, [number(value, 3 if scores.intervals else 4) for value in scores.all_as_one()[row]]))
    return columns


def _possible_ranks(scores: Scores) -> list[tuple[str, list[str]]]:
    """The ranks that runs may truly have, where they are asked for."""
    sets = scores.possible_ranks
    return [("may be", [sets.text(run) for run in scores.runs])] if sets else []


def _ranked(scores: Scores, row: int, cells: list[str]) -> list[str]:
    """The cells with the rank by that measure behind them, where ranks are asked for."""
    if not scores.with_ranks:
        return cells
    ranks = [f"({rank})" if rank else "" for rank in scores.own_ranks(row)]
    wide = max(map(len, ranks))
    return [f"{cell} {rank:>{wide}}" for cell, rank in zip(cells, ranks, strict=True)] if wide else cells


def _lettered(scores: Scores, measure: Measure, cells: list[str]) -> list[str]:
    """The cells with the letters of their groups behind them, where there are any."""
    letters = scores.groups.letters.get(measure.id) if scores.groups else None
    if not letters:
        return cells
    wide = max(map(len, letters.values()))
    return [f"{cell} {letters.get(run, ''):{wide}}" for cell, run in zip(cells, scores.runs, strict=True)]


def _shows_pooled(scores: Scores, row: int) -> bool:
    """Beside the first measure; micro averages beside every measure that has one, since they differ from the others."""
    if scores.measures[row].of_all:
        return False
    return not np.isnan(scores.all_as_one()[row]).all() if scores.micro else row == 0 and scores.pooled is not None


def _with_interval(scores: Scores, row: int, run: int, value: float) -> str:
    if scores.measures[row].added_up:
        return number(value, 0)
    if scores.intervals is None:
        return number(value, 4)
    low, high = scores.intervals.shown
    if scores.runs[run] in scores.baselines or math.isnan(value) or math.isnan(low[row, run]):
        return number(value, 3)
    return with_interval(value, low[row, run], high[row, run])


def _full_columns(scores: Scores) -> list[tuple[str, list[str]]]:
    columns: list[tuple[str, list[str]]] = []
    if sets := scores.possible_ranks:
        ends = [sets.of_run(run) for run in scores.runs]
        named = enumerate(("first rank", "last rank"))
        columns += [(name, ["" if one is None else str(one[place]) for one in ends]) for place, name in named]
    for row, measure in enumerate(scores.measures):
        letters = scores.groups.letters.get(measure.id) if scores.groups else None
        intervals = [
            (f"{measure.id} {name} ({what})", [exact(value) for value in end[row]])
            for what, ends in (scores.intervals.by_drawn() if scores.intervals else {}).items()
            for name, end in zip(("low", "high"), ends, strict=True)
        ]
        columns += [
            (measure.id, [exact(value) for value in scores.topic_means()[row]]),
            (f"{measure.id} pooled", [exact(value) for value in scores.all_as_one()[row]]),
            (f"{measure.id} undefined", [str(count) for count in scores.undefined()[row]]),
            *([(f"{measure.id} rank", [exact(rank) for rank in scores.own_ranks(row)])] if scores.with_ranks else []),
            *([] if letters is None else [(f"{measure.id} group", [letters.get(run, "") for run in scores.runs])]),
            *intervals,
        ]
    return columns


def _best(scores: Scores, order: list[int], format: OutputFormat) -> frozenset[tuple[int, str]]:
    """The best score of each measure among the runs: (row, heading), ties included."""
    cells = set()
    for measure, values in zip(scores.measures, np.where(scores.own, scores.oriented(), np.nan)[:, order], strict=True):
        if measure.better is not None and not np.isnan(values).all():
            heading = headed(_name(measure, format), measure.better)
            cells |= {(place, heading) for place in np.flatnonzero(values >= np.nanmax(values) - TIE).tolist()}
    return frozenset(cells)


def _footer(scores: Scores) -> tuple[str, ...]:
    unit = scores.topic_word
    over = counted(len(scores.topics), unit) if len(scores.topics) > 1 else say("one {unit}", unit=unit)
    runs = counted(len(scores.runs) - len(scores.baselines), "run")
    return (
        note(
            "legend",
            "{runs}, {topics}; {averaged}{by}.",
            runs=runs,
            topics=over,
            averaged=_averaged(scores),
            by=_ranked_by(scores),
        ),
        *(_means_over(scores) if scores.average == "topics" else []),
        *([note("legend", "( ): the rank by that measure.")] if scores.with_ranks else []),
        *([scores.possible_ranks.words()] if scores.possible_ranks else []),
        *([scores.groups.words()] if scores.groups and scores.groups.letters else []),
        *(
            [note("legend", "[ ]: {intervals}.", intervals=scores.intervals.words(unit))]
            if scores.intervals and any(scores.intervals.shown_methods(there=True))
            else []
        ),
        *map(sentence, (*scores.notes, *scores.left_out, *scores.remark_notes)),
    )


def _ranked_by(scores: Scores) -> str:
    """Which measure the ranks go by, where there are ranks and several measures."""
    ranked = scores.primary is not None and scores.primary.better is not None and scores.own.sum() > 1
    said = scores.primary and ranked and len(scores.measures) > 1
    return say("; ranked by {measure}", measure=scores.primary.id) if scores.primary and said else ""


def _means_over(scores: Scores) -> list[str]:
    """Which topics means are over, where that is not all of them."""
    unit, all_topics = scores.topic_word, len(scores.topics)
    ids = [measure.id for measure in scores.measures]
    if not scores.own_topics:
        by_used = grouped(zip(scores.used_topics().tolist(), ids, strict=True))
        return [
            note(
                "legend",
                "{measures}: mean over the {topics} on which every run is defined.",
                measures=in_a_row(alike),
                topics=counted(used, unit),
            )
            for used, alike in by_used.items()
            if 0 < used < all_topics
        ]
    defined = all_topics - scores.undefined()
    of_runs = (tuple((run, row[place]) for place, run in enumerate(scores.runs) if row[place] < all_topics) for row in defined)
    by_runs = grouped(zip(of_runs, ids, strict=True))
    return [
        note(
            "legend",
            "{measures}: each run's mean is over the {unit}s on which it is defined itself ({runs}).",
            measures=in_a_row(alike),
            unit=unit,
            runs=_defined_on(runs, len(scores.runs), all_topics),
            topics=all_topics,
        )
        for runs, alike in by_runs.items()
        if runs
    ]


def _defined_on(runs: Sequence[tuple[str, int]], every: int, topics: int) -> str:
    """On how many topics each run is defined; once, where that is the same of all."""
    if len(runs) == every > 1 and len({on for _, on in runs}) == 1:
        return say("{defined} of {all} for each of them", defined=int(runs[0][1]), all=topics)
    return first_of([say("{run} {defined} of {all}", run=run, defined=int(on), all=topics) for run, on in runs], 5)


def _averaged(scores: Scores) -> str:
    if len(scores.topics) == 1:
        return "all items as one"
    if scores.average == "topics":
        if scores.micro:
            return say("means over {units}s (macro)", units=scores.topic_word)
        pooled = "; pooled: all {units}s as one" if not np.isnan(scores.all_as_one()[:1]).all() else ""
        return say("means over {units}s" + pooled, units=scores.topic_word)
    return say("all {units}s as one (micro)" if scores.micro else "all {units}s pooled", units=scores.topic_word)


def leaderboard_chart(scores: Scores, width: float) -> Figure:
    """A panel for each measure, runs from best to worst by the first, with intervals and letters where there are any, and
    baselines set apart below; of parts of a whole, where they are what was asked for, the shares."""
    shared = {measure.shares for measure in scores.measures}
    if len(scores.measures) > 1 and len(shared) == 1 and (shares := shared.pop()):
        return _shares_chart(scores, shares, width)
    order = sorted((run for run in scores.order() if is_shown(scores.runs[run])), key=lambda run: not scores.own[run])
    averages, hollow = scores.averages(), sum(not scores.own[run] for run in order)
    shown = scores.intervals.shown if scores.intervals else None
    panels, lettered = [], False
    for row, measure in enumerate(scores.measures):
        bars = shown and (np.where(scores.own, shown[0][row], np.nan)[order], np.where(scores.own, shown[1][row], np.nan)[order])
        letters = scores.groups.letters.get(measure.id, {}) if scores.groups else {}
        texts = [letter_ranges(letters.get(scores.runs[run], "")) for run in order]
        lettered = lettered or any(texts)
        title = headed(marked(measure.symbol), measure.better, kept=True)
        panels.append(dots(title, averages[row][order], ends=bars, texts=texts if any(texts) else (), hollow=hollow))
    notes = [
        caption("Bars: {level:g%} intervals.", level=scores.intervals.level) if scores.intervals else "",
        caption("Runs that share a letter {alike} by that measure.", alike=scores.groups.shared())
        if lettered and scores.groups
        else "",
        caption("Below the line: baselines.") if hollow and hollow < len(order) else "",
    ]
    names = [named(scores.runs[run]) if scores.own[run] else without_prefix(named(scores.runs[run])) for run in order]
    return row_chart(names, panels, width, apart=hollow, notes=[run_on(notes)])


def measures_chart(scores: Scores, order_by: Measure, width: float) -> Figure:
    """All measures as lines down the runs, ordered from best to worst by one of them: Avramidis (2013), Figure 1. How each line
    goes back and forth is what counts, not where it lies; measures that leave -1 to 1, or are better when lower, have a panel of
    their own."""
    ranks = scores.ranks()[scores.measures.index(order_by)]
    own = [run for run in np.flatnonzero(scores.own).tolist() if is_shown(scores.runs[run])]
    order = sorted(own, key=lambda run: (ranks[run], scores.runs[run]))
    if len(order) > _MANY_RUNS:  # upright, in one panel: names have no room, and the order is what counts
        averages = scores.averages()[:, order]
        series = {marked(measure.symbol): row for measure, row in zip(scores.measures, averages, strict=True)}
        across = say("{runs} from best to worst by {measure}", runs=counted(len(order), "run"), measure=marked(order_by.symbol))
        return line_chart(series, across, width)
    chosen = [measure for measure in scores.measures if measure.better is not None]
    usual = [measure for measure in chosen if _is_usual(measure, scores)]
    parts = [part for part in (usual, [measure for measure in chosen if measure not in usual]) if part]
    panels = [_lines(scores, part, order, order_by) for part in parts]
    handles = [_line(scores, measure, order_by) for measure in chosen]
    labels = [headed(marked(measure.symbol), measure.better) for measure in chosen]
    said = caption("Runs from best to worst by {measure}.", measure=marked(order_by.symbol))
    return row_chart([named(scores.runs[run]) for run in order], panels, width, notes=[said], legend=(handles, labels))


def plane_chart(scores: Scores, plane: str, width: float) -> Figure:
    """Runs as points: one measure across, another up. Bergmair (2009), Section 5.3, puts mutual information beside the entropy of
    gold that it cannot exceed, side by side."""
    names = plane.split(":")
    if len(names) != 2 or names[0] == names[1]:
        raise UsageError(f"the plane is '{plane}'", hint="name two measures, as in gold_entropy:mutual_information")
    rows = [scores.measures.index(scores.measure_called(name)) for name in names]
    averages = scores.averages()
    sides = marked(scores.measures[rows[0]].symbol), marked(scores.measures[rows[1]].symbol)
    bound = [scores.measures[row].base for row in rows] == ["gold_entropy", "mutual_information"]
    notes = ["No run can have more than the entropy of gold: the dashed line, where it is in sight."] if bound else []
    shown = [place for place, run in enumerate(scores.runs) if is_shown(run)]
    names, points = [named(scores.runs[place]) for place in shown], (averages[rows[0]][shown], averages[rows[1]][shown])
    return point_chart(names, points, sides, width, notes, bound=bound)


def _is_usual(measure: Measure, scores: Scores) -> bool:
    low, high = measure.bounds(scores.scale, len(scores.scale) if scores.scale else 1)
    return measure.better == "higher" and low >= -1 and high <= 1


def _line(scores: Scores, measure: Measure, order_by: Measure, values: Any = (), tops: Any = ()) -> Any:
    """The line of a measure; that of the one that runs are ordered by is thick."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - loaded when something is drawn

    number = scores.measures.index(measure)
    look: Any = {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": LINES[number // len(COLOURS) % len(LINES)],
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": 3,
        "linewidth": 2.4 if measure == order_by else 1.0,
    }
    return Line2D(values, tops, **look)


def _lines(scores: Scores, measures: list[Measure], order: list[int], order_by: Measure) -> Panel:
    """A line for each measure down the runs."""
    averages = {measure: scores.averages()[scores.measures.index(measure)][order] for measure in measures}

    def draw(axes: Axes, tops: Any) -> None:
        for measure, values in averages.items():
            axes.add_line(_line(scores, measure, order_by, values, tops))

    return Panel("", span(*averages.values()), draw)


def _shares_chart(scores: Scores, shares: Shares, width: float) -> Figure:
    """A bar for each run, cut into its parts."""
    order = [run for run in scores.order() if is_shown(scores.runs[run])]
    parts = scores.topic_means()[:, order]
    greys = [str(0.2 + 0.65 * row / max(1, len(scores.measures) - 1)) for row in range(len(scores.measures))]

    def draw(axes: Axes, tops: Any) -> None:
        left = np.zeros(len(order))
        for grey, part in zip(greys, parts, strict=True):
            axes.barh(tops, part, 0.11, left=left, color=grey, edgecolor="white", linewidth=0.5)
            left = left + np.nan_to_num(part)

    from matplotlib.patches import Patch  # noqa: PLC0415 - loaded when something is drawn

    labels = [shares.part.format(measure.id.partition("@")[2].partition(":")[0]) for measure in scores.measures]
    panel = Panel(shares.of, (0.0, 1.0), draw)
    names = [named(scores.runs[run]) for run in order]
    return row_chart(names, [panel], width, legend=([Patch(color=grey) for grey in greys], labels))
