"""The sections of the page, each made from what was gathered; one that has nothing to show says why in a line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from metameasure.advice.advising import Advice, beware
from metameasure.catalogue.explain import range_text
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry, loaded
from metameasure.comparing.comparison import Comparison
from metameasure.comparing.ranks import PossibleRanks
from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, about, names_an_option, note, say, sentence, without_asides
from metameasure.core.notes import counted, grouped, listed
from metameasure.core.numbers import amount, headed, interval, number, p_value
from metameasure.meta.question import Question, questions
from metameasure.meta.unanimous_coverage import Coverage
from metameasure.page.charts import inline_svg
from metameasure.page.gathering import Content
from metameasure.show.grid import NO_MEASURES, Cell, Directions, Grid, Heading, grid_of, heated, shown, spark
from metameasure.show.table import Drawing, Presentable, Signed, Table, output_format
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.base import task_of
from metameasure.tasks.classification.tables import LabelTables
from metameasure.tasks.quantification.tables import DistributionTables
from metameasure.tasks.run_tables import RunTables
from metameasure.version import __version__

_MOST_CELLS = 3000
"""Cells of tables of gold class by predicted class, over all runs; of more, the best runs' only."""
MOST_IN_A_MATRIX = 60
_TOPICS_LISTED = 10
_FILES_SHOWN = _RUNS_SHOWN = _SENTENCES_SHOWN = 8
_SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
_MOST_TABLES = 50
_QUESTIONS = ("similarity", "consistency", "discrimination", "overlap", "contradictions", "coverage", "robustness")
_DRAWN = ("consistency", "discrimination", "coverage")


@dataclass(frozen=True)
class Piece:
    """A piece of a section: a table, a picture, a list of sentences, or the place where the script puts its explorer."""

    kind: Literal["grid", "grids", "picture", "list", "explorer", "significance", "heading"]
    grid: Grid | None = None
    grids: tuple[Grid, ...] = ()
    svg: str = ""
    text: str = ""
    items: tuple[str, ...] = ()
    folded: str = ""
    """What is to be chosen to see it, where it would push more important things out of sight."""


@dataclass(frozen=True)
class Section:
    """A section with an anchor, a title and an opening line."""

    id: str
    title: str
    lead: str
    parts: tuple[Piece, ...] = ()


def sections(content: Content) -> list[Section]:
    """Every section below the answer, in the order of reading."""
    made = [
        _leaderboard(content),
        _runs(content),
        *_slices(content),
        *_explained(content),
        _topics(content),
        _significance(content),
    ]
    return [*made, _measures(content), _definitions(content.defined), _evaluated(content), _citing(content)]


def sections_of(result: Presentable) -> tuple[list[Section], list[Measure]]:
    """All that one result shows: its tables, each under its title or its first heading, and its chart, where it has one; and the
    measures that the tables name, which are defined below them."""
    known = {**loaded(), **default_registry()}
    words = {(sentence,) for sentence in result.in_words()}  # which stand at the top of the page
    tables = [one for one in result.tables(output_format("html")) if not words or not {*one.rows} <= words]
    better = {id: one.better for id, one in known.items()}
    grids = [page_grid(one, f"table-{place}", one.title or one.columns[0], better) for place, one in enumerate(tables)]
    parts = [_grid(one) for one in grids]
    with contextlib.suppress(UsageError):  # it has none
        picture = _picture(result, "chart", "The same as a chart")
        parts += [] if "<image" in picture.svg else [picture]  # a map of cells is a table with colours, which is there
    drawings = [_picture(one, f"figure-{place}", one.title) for place, one in enumerate(result.drawings())]
    parts = [*drawings, *parts]
    if isinstance(result, Signed) and result.made:
        parts.append(Piece("list", items=(f"Signature: {result.signature}",)))
    made = [Section("result", "In detail", "", tuple(parts))]
    named = dict.fromkeys(id for one in grids for id in (*(heading.measure for heading in one.headings), *one.row_measures) if id)
    measures = [known[id] for id in named]
    return [*made, *([_definitions([(one.id, one) for one in measures])] if measures else [])], measures


def page_grid(table: Table, id: str, caption: str, better: Directions = NO_MEASURES) -> Grid:
    """A table that a result shows, without its notes about options of the command line, which say nothing on a page."""
    grid = grid_of(table, id, caption, better)
    return replace(grid, notes=tuple(note for note in grid.notes if not names_an_option(note)))


def _grid(grid: Grid) -> Piece:
    return Piece("grid", grid=grid)


def _grids(result: Presentable, key: str, caption: str, content: Content) -> list[Grid]:
    tables = result.tables(output_format("html"))
    return [page_grid(one, f"{key}-{place}" if place else key, caption, content.better) for place, one in enumerate(tables)]


def _picture(result: Presentable | Drawing, key: str, title: str) -> Piece:
    return Piece("picture", svg=inline_svg(result, key, title), text=title)


def _evaluated(content: Content) -> Section:
    scores = content.scores
    topics = counted(len(scores.topics), scores.topic_word)
    lead = f"{counted(len(content.own), 'run')}, {topics}, {counted(len(scores.measures), 'measure')}."
    facts = [("version", f"metameasure {__version__}"), ("seed", str(content.seed))]
    if scores.task:
        classes = [("classes", f"{', '.join(map(str, scores.scale.labels))} ({scores.scale.kind})")] if scores.scale else []
        facts = [("task", scores.task), *classes, ("average", scores.average), *facts]
    if content.evidence is not None:
        facts.append(("checksum of the data", content.evidence.checksum()))
    facts += content.settings
    headings = (Heading("what"), Heading("value"))
    rows = tuple((Cell(name), Cell(shown(value))) for name, value in facts)
    rows = ((Cell("signature"), Cell(str(content.signature))), *rows)
    parts = [_grid(Grid("settings", "Settings", headings, rows, sortable=False))]
    if content.files:
        listed = tuple((Cell(shown(file.name)), Cell(file.checksum)) for file in content.files)
        grid = Grid("files", "Files read", (Heading("file"), Heading("SHA-256, first 16 digits")), listed)
        folded = f"{counted(len(listed), 'file')} with their checksums" if len(listed) > _FILES_SHOWN else ""
        parts.append(Piece("grid", grid=grid, folded=folded))
    of_intervals = () if scores.intervals is None else scores.intervals.notes  # below the leaderboard
    noted = [*(sentence(one) for one in scores.notes if one not in of_intervals), *(f"{one}." for one in content.warned)]
    if noted:
        parts += [Piece("heading", text="Found on the way"), Piece("list", items=tuple(noted))]
    if content.evidence is None:
        parts.append(
            Piece("list", items=("Made from scores alone: what needs gold and runs is left out, and said where it is.",))
        )
    return Section("evaluated", "What was evaluated", lead, tuple(parts))


def _leaderboard(content: Content) -> Section:
    scores, averages, (lows, highs) = content.scores, content.scores.averages(), content.ends
    letters = {
        id: dict(zip(one.runs, one.letters(), strict=True))
        for id, one in content.comparisons.items()
        if one.against is None and one.able
    }
    ranks, order = content.ranks(), scores.order()
    best = [_best_of(content, row) for row in range(len(scores.measures))]

    def score(row: int, run: int) -> Cell:
        letter = letters.get(scores.ids[row], {}).get(scores.runs[run], "")
        ends = interval(lows[row, run], highs[row, run])
        return Cell(number(averages[row, run]), interval=ends, letters=letter, bold=run in best[row])

    lines = _lines(content)
    headings = (
        Heading("rank", right=True),
        Heading("run"),
        *(Heading(headed(one.id, one.better), right=True, measure=one.id, better=one.better or "") for one in scores.measures),
        *([Heading(f"{scores.topic_word}s", sortable=False)] if lines else []),
    )
    rows = tuple(
        (
            Cell(str(ranks.get(run, ""))),
            Cell(shown(scores.runs[run])),
            *(score(row, run) for row in range(len(scores.measures))),
            *([Cell("", path=lines[run])] if lines else []),
        )
        for run in order
    )
    classes = tuple("baseline" if scores.runs[run] in scores.baselines else "" for run in order)
    notes = ["Choose a heading to sort by it. Baselines are shown where they stand, without a rank."] if scores.baselines else [
        "Choose a heading to sort by it."]  # fmt: skip
    if scores.intervals is not None:
        notes += [f"[ ]: {scores.intervals.words(scores.topic_word)}."] if any(scores.intervals.shown_methods(there=True)) else []
        notes += [sentence(without_asides(one)) for one in scores.intervals.notes]
    if letters:
        alike = " or ".join(dict.fromkeys(one.alike for one in content.comparisons.values() if one.able))
        notes.append(f"Letters: by that measure, runs that share a letter {alike}.")
        notes += _of_several(content, list(letters))
    if lines:
        notes.append(
            f"{scores.topic_word.capitalize()}s: scores by {content.primary.id}, those with the highest mean at the left."
        )
    parts = [_grid(Grid("leaderboard", "Runs and their scores", headings, rows, tuple(notes), row_classes=classes, named_by=1))]
    if len(scores.runs) <= MOST_IN_A_MATRIX:
        first = scores.of(scores.measures[:1])
        parts.append(_picture(first, "c-leaderboard", f"Averages by {content.primary.id} with their intervals"))
    return Section("leaderboard", "Leaderboard", f"Ranked by {content.primary.id}.", tuple(parts))


def _of_several(content: Content, ids: Sequence[str]) -> list[str]:
    """What is to be said of tests by several measures: that they are not corrected for each other, and what those by other
    measures than the first cannot do."""
    if len(ids) < 2:
        return []
    uncorrected = "The tests are corrected for the pairs of runs, not for the {number} measures."
    limited = grouped(
        (one, id)
        for id in ids
        if id != content.primary.id
        for one in content.comparisons[id].notes
        if isinstance(one, Message) and one.kind == "limit"
    )
    limits = (sentence(without_asides(about(one, measures=listed(by, "and")))) for one, by in limited.items())
    return [note("measures not corrected", uncorrected, number=len(ids)), *limits]


def _lines(content: Content) -> list[str]:
    """Each run's scores by the first measure as a line over the topics, the easiest first; nothing for a baseline, and no lines
    where there are hardly any topics."""
    scores = content.scores
    own = scores.values[0][:, scores.own]
    easy = np.argsort(-np.nan_to_num(_mean_and_spread(own)[0], nan=-np.inf), kind="stable")
    finite = own[np.isfinite(own)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if len(easy) <= 2:
        return []
    lines = scores.values[0][easy].T.tolist()
    return [spark(line, *ends) if is_run else "" for is_run, line in zip(scores.own, lines, strict=True)]


def _best_of(content: Content, measure: int) -> set[int]:
    values = content.scores.oriented()[measure]
    known = [values[run] for run in content.own if np.isfinite(values[run])]
    if content.scores.measures[measure].better is None or not known:
        return set()
    return {run for run in content.own if values[run] >= max(known) - TIE}


def _runs(content: Content) -> Section:
    """What the runs did, by task."""
    parts: list[Piece] = []
    lead = "What each run did."
    if content.evidence is None:
        lead = "This section needs gold and runs; the page was made from scores."
    else:
        parts += task_of(content.evidence).tables(content.evidence).drawn(_OnPage(content))
    beside = content.scores.tables(output_format("html"))[0].beside
    if beside is not None:
        notes = tuple(f"{note}." for note in content.scores.remark_notes)
        grid = page_grid(beside, "remarks", "What else is to be said of the runs")
        parts.append(_grid(replace(grid, notes=(*grid.notes, *notes))))
    if content.against_humans is not None:
        better = {one.id: one.better for one in content.against_humans.measures}
        table = replace(content.against_humans.tables(output_format("html"))[0], beside=None, notes=())
        caption = "How often the item that a run ranks best has each human rank"
        parts.append(_grid(page_grid(table, "humans", caption, better)))
        parts.append(_picture(content.against_humans, "c-humans", caption))
    if content.evidence is not None and not parts:
        lead = "There is nothing more to show of these runs."
    return Section("runs", "The runs", lead, tuple(parts))


def _slices(content: Content) -> list[Section]:
    """Scores of slices, where they are asked for."""
    slices = None if content.scores is None else content.scores.slices
    if slices is None:
        return []
    parts = []
    for place, table in enumerate(slices.tables(output_format("html"))):
        parts.append(_grid(page_grid(replace(table, beside=None), f"slices-{place}", table.title)))
        if table.beside is not None:
            parts.append(_grid(page_grid(table.beside, f"gaps-{place}", "How far apart the best and the worst slice are")))
    return [Section("slices", "Slices", f"The same for the items of each {slices.by}.", tuple(parts))]


def _explained(content: Content) -> list[Section]:
    """The items that made the difference between two runs, where that is asked for."""
    made = content.explained
    if made is None:
        return []
    (table,) = made.tables(output_format("html"))
    first, second = map(shown, made.runs)
    lead = say("What {first} and {second} differ on, and how far that moved the difference.", first=first, second=second)
    unit = f"{made.found.unit}s".capitalize()
    return [Section("explained", f"{unit} that made the difference", lead, (_grid(page_grid(table, "explained", unit)),))]


@dataclass(frozen=True)
class _OnPage:
    """How tables of runs are drawn."""

    content: Content

    def confusions(self, tables: LabelTables) -> Iterator[Piece]:
        return _confusions(self.content, tables)

    def distributions(self, tables: DistributionTables) -> list[Piece]:
        return [_distributions(tables)]

    def plain(self, tables: RunTables) -> Iterator[Piece]:
        each = tables.tables(output_format("html"))
        if len(each) == len(tables.runs):
            each = [each[run] for run in _in_order(self.content, tables.runs)]
        notes = [note for one in each for note in one.notes if not names_an_option(note)]
        kept = each[:_MOST_TABLES]
        left = len(each) - len(kept)
        notes += [f"{counted(left, 'run')} further down are left out."] if left else []
        if notes:
            yield Piece("list", items=tuple(dict.fromkeys(notes)))
        with_beside = [part for one in kept for part in (one, one.beside) if part is not None]
        grids = [
            page_grid(replace(one, notes=(), beside=None), f"tables-{place}", one.title or tables.caption)
            for place, one in enumerate(with_beside)
        ]
        yield from _folded(grids, at_once=_RUNS_SHOWN * len(with_beside) // max(1, len(kept)), runs=len(kept))

    def nothing(self) -> list[Piece]:
        return []


def _confusions(content: Content, tables: LabelTables) -> Iterator[Piece]:
    """A table of gold class by predicted class for each run, the best first, with precision, recall and F1 of each class."""
    labels = [shown(str(label)) for label in tables.scale.labels]
    order = _in_order(content, tables.runs)
    kept = order[: max(1, _MOST_CELLS // len(labels) ** 2)]
    by_class = tables.by_class()
    headings = (
        Heading("gold \\ run"),
        *(Heading(label, right=True) for label in (*labels, *(_SHORT[name] for name in by_class))),
    )

    def row(run: int, gold: int) -> tuple[Cell, ...]:
        counts, total = tables.counts[run, gold], tables.support[run, gold]
        cells = [Cell(amount(cell), heat=round(cell / total, 2) if total else None) for cell in counts.tolist()]
        return Cell(labels[gold]), *cells, *(Cell(number(values[run, gold], 2)) for values in by_class.values())

    grids = [
        Grid(
            f"confusion-{place}",
            shown(tables.runs[run]),
            headings,
            tuple(row(run, gold) for gold in range(len(labels))),
            sortable=False,
        )
        for place, run in enumerate(kept)
    ]
    left = len(order) - len(kept)
    said = "Gold class down, predicted class across, all together; the darker, the larger the share of the gold class."
    yield Piece("heading", text="Gold and predicted classes")
    also = "P, R, F1: precision, recall and F1 of the class."
    yield Piece("list", items=(said, also, *([f"{counted(left, 'run')} further down are left out."] if left else [])))
    yield from _folded(grids, at_once=_RUNS_SHOWN, runs=len(grids))


def _folded(grids: Sequence[Grid], at_once: int, runs: int) -> Iterator[Piece]:
    """Tables of so many runs: those of the first are seen at once, the others are folded away."""
    yield Piece("grids", grids=tuple(grids[:at_once]))
    if len(grids) > at_once:
        yield Piece("grids", grids=tuple(grids[at_once:]), folded=f"The tables of {counted(runs - _RUNS_SHOWN, 'more run')}")


def _in_order(content: Content, runs: Sequence[str]) -> list[int]:
    """The places of these runs, from best to worst."""
    names = [content.scores.runs[run] for run in content.scores.order()]
    return [runs.index(run) for run in names if run in runs]


def _distributions(tables: DistributionTables) -> Piece:
    """Gold's distribution and each run's, all topics as one."""
    headings = (Heading("run"), *(Heading(shown(str(label)), right=True) for label in tables.evidence.scale.labels))
    rows = tuple(
        (Cell(shown(run)), *(Cell(number(share), heat=round(share, 2)) for share in shares.tolist()))
        for run, shares in tables.rows()
    )
    return _grid(Grid("distributions", "Distribution over the classes, all topics as one", headings, rows, sortable=False))


def _topics(content: Content) -> Section:
    scores = content.scores
    word = scores.topic_word
    if len(scores.topics) < 2:
        return Section("topics", f"The {word}s", f"There is one {word}.")
    values = scores.values[0][:, scores.own]
    sign = -1.0 if content.primary.better == "lower" else 1.0
    mean, spread = _mean_and_spread(values)
    hardest = np.argsort(np.where(np.isnan(mean), np.inf, sign * mean), kind="stable")[:_TOPICS_LISTED]
    headings = (Heading(word), Heading(f"mean {content.primary.id}", right=True), Heading("spread of the runs", right=True))
    rows = tuple((Cell(shown(scores.topics[place])), Cell(number(mean[place])), Cell(number(spread[place]))) for place in hardest)
    caption = f"The {len(rows)} hardest {word}s by {content.primary.id}"
    lead = f"Which {word}s are hard, and where two runs differ."
    grid = Grid("hardest", caption, headings, rows, measure=content.primary.id)
    return Section("topics", f"The {word}s", lead, (_grid(grid), Piece("explorer", text=word)))


def _mean_and_spread(values: Any) -> tuple[Any, Any]:
    """Of each row, over what is defined."""
    known = np.isfinite(values)
    count = known.sum(axis=1)
    mean = np.where(count > 0, np.where(known, values, 0).sum(axis=1) / np.maximum(count, 1), np.nan)
    squares = np.where(known, (values - mean[:, None]) ** 2, 0).sum(axis=1)
    return mean, np.where(count > 1, np.sqrt(squares / np.maximum(count - 1, 1)), np.nan)


def _significance(content: Content) -> Section:
    compared = content.comparisons.get(content.primary.id) or next(iter(content.comparisons.values()), None)
    if compared is None:
        reason = content.why_not.get("significance", "there is nothing to compare")
        return Section("significance", "Significance", f"Not tested: {reason}.")
    *words, lead = compared.sentences()
    folded = f"{len(words)} sentences about who outperforms whom" if len(words) > _SENTENCES_SHOWN else ""
    parts = [Piece("list", items=tuple(words), folded=folded)] if words else []
    beside = [sentence(without_asides(one)) for one in compared.notes if one not in content.scores.notes]
    parts += [Piece("list", items=tuple(beside))] if beside else []
    if len(compared.runs) > MOST_IN_A_MATRIX:
        parts.append(Piece("list", items=("The table of all pairs would be too large for a page.",)))
    else:
        parts.append(Piece("significance", grid=_p_grid(compared)))
    if compared.difference_low is not None:
        parts.append(Piece("grid", grid=_difference_grid(compared)))
    return Section("significance", "Significance", lead, (*parts, *_possible_ranks(compared)))


def _possible_ranks(compared: Comparison) -> list[Piece]:
    """Which ranks are real, in words and drawn; nothing where no two runs could have been told apart."""
    if not compared.able:
        return []
    ranks = PossibleRanks(compared)
    title = f"Which ranks by {compared.measure} are real"
    return [Piece("heading", text=title), Piece("list", items=tuple(ranks.in_words())), _picture(ranks, "c-ranks", title)]


def p_texts(compared: Comparison) -> list[list[str]]:
    """The p-value of every two runs, with a star where it is significant."""
    places = range(len(compared.runs))

    def text(row: int, column: int) -> str:
        star = "*" if compared.significant[row, column] else ""
        return "·" if row == column else p_value(compared.p[row, column], compared.alpha) + star

    return [[text(row, column) for column in places] for row in places]


def _p_grid(compared: Comparison) -> Grid:
    """p-values of every two runs; * and shade where significant."""
    texts = p_texts(compared)

    def cell(row: int, column: int) -> Cell:
        return Cell(texts[row][column], heat=0.6 if texts[row][column].endswith("*") else None)

    places = range(len(compared.runs))
    headings = (Heading("run"), *(Heading(str(place + 1), right=True) for place in places))
    rows = tuple((Cell(f"{row + 1} {shown(compared.runs[row])}"), *(cell(row, column) for column in places)) for row in places)
    caption = f"p-values of every two runs by {compared.measure} (*: significant at {compared.alpha:g})"
    return Grid("p-values", caption, headings, rows, sortable=False, measure=compared.measure)


def _difference_grid(compared: Comparison) -> Grid:
    """Every run less the best, with intervals."""
    best = shown(compared.runs[compared.reference])
    headings = (Heading("run"), Heading(f"minus {best}", right=True), Heading("interval", right=True))
    rows = tuple(
        (Cell(shown(run)), Cell(number(gap, 4, sign=True)), Cell(interval(low, high, 4, sign=True)))
        for place, (run, (gap, low, high)) in enumerate(zip(compared.runs, compared.differences(), strict=True))
        if place != compared.reference
    )
    caption = f"Minus {best}, by {compared.measure}, with {compared.level:.0%} intervals: {compared.adjusted()}"
    return Grid("differences", caption, headings, rows, sortable=False, measure=compared.measure)


def _measures(content: Content) -> Section:
    """Which measure to report, and the questions about the measures."""
    title, parts = "About the measures", _advice(content)
    reason = content.why_not.get("measures")
    if reason is not None:
        return Section("measures", title, f"Not computed: {reason}.", tuple(parts))
    whole = content.findings.get("summary")
    parts += [] if whole is None else [*map(_grid, _grids(whole, "summary", "The measures at a glance", content))]
    by_id = {question.id: question for question in questions()}
    for name in _QUESTIONS:
        parts += [Piece("heading", text=by_id[name].title), *_answered(by_id[name], content)]
    parts.append(Piece("heading", text="Formal properties"))
    if content.properties is not None:
        parts += map(_grid, _grids(content.properties, "properties", "Properties found by search", content))
    else:
        said = content.why_not.get("properties")
        usual = "The first columns of the table at the top were found by search; metameasure axioms decides the others."
        parts.append(Piece("list", items=(f"Not searched: {said}." if said else usual,)))
    lead = "How good the measures themselves are, on these runs and topics."
    others = [one.id for one in content.looked_at[len(content.scores.measures) :]]
    lead += f" {listed(others, 'and')} {'is' if len(others) == 1 else 'are'} here for comparison." if others else ""
    return Section("measures", title, lead, tuple(parts))


def _answered(question: Question, content: Content) -> list[Piece]:
    answer = content.findings.get(question.id)
    if answer is None:
        why = content.why_not.get(question.id) or content.why_not.get("summary") or "there is nothing to ask"
        return [Piece("list", items=(f"Not answered: {why}.",))]
    grids = _grids(answer, question.id, question.asks, content)
    if question.id in ("similarity", "overlap"):
        grids = [heated(one, 1 if question.id == "similarity" else 100) for one in grids]
    if isinstance(answer, Coverage):
        grids = [grids[0], *(heated(replace(one, caption="Unanimous improvement ratio"), 1) for one in grids[1:])]
    return [*map(_grid, grids), *([_picture(answer, f"c-{question.id}", question.title)] if question.id in _DRAWN else [])]


def _advice(content: Content) -> list[Piece]:
    """Which measure papers and these data speak for; the runs of the page are ranked by what the organisers chose."""
    heading = Piece("heading", text="Which measure to report")
    if content.advice is None:
        said = f"No advice: {content.why_not.get('advice', 'it was not requested')}."
        return [heading, Piece("list", items=(said,))]
    advice = content.advice
    items = [
        *_spoken_for(advice, content.primary.id),
        *advice.reasons,
        *map(beware, advice.warnings),
    ]
    return [heading, Piece("list", items=tuple(sentence(one) for one in items if not names_an_option(one)))]


def _spoken_for(advice: Advice, ranked_by: str) -> list[str]:
    """What runs are ranked by, and what papers and these data speak for."""
    primary, beside = advice.primary, ""
    if primary is None:
        return [note("ranked by", "the runs are ranked by {measure}", measure=ranked_by), advice.verdict()]
    if advice.secondary is not None:
        beside = say(", with {measure} beside it", measure=advice.secondary.id)
    if primary.id == ranked_by:
        agree = "the runs are ranked by {measure}: papers and these data speak for it{beside}"
        return [note("ranked by", agree, measure=ranked_by, beside=beside)]
    differ = "the runs are ranked by {measure}; papers and these data speak for {other}{beside}"
    return [note("ranked by", differ, measure=ranked_by, other=primary.id, beside=beside)]


def definition(measure: Measure | None, id: str) -> str:
    """A measure in a few words, for whoever points at a number."""
    if measure is None:
        return f"{id}: not a measure of this program; its scores came from a file."
    better = f"{measure.better} is better" if measure.better else "a description of the data"
    return f"{measure.title} ({measure.symbol}); {better}; range {range_text(measure)}. {measure.formula}"


def _defined(id: str, known: Measure | None) -> tuple[str, ...]:
    if known is None:
        return (shown(id), definition(None, id), "", "", "", "")
    undefined, source = "; ".join(case.reason for case in known.undefined), "; ".join(map(str, known.source))
    return (id, f"{known.title} ({known.symbol})", known.formula, range_text(known), undefined, source)


def _definitions(measures: Sequence[tuple[str, Measure | None]]) -> Section:
    headings = tuple(map(Heading, ("measure", "what it is", "formula", "range", "undefined", "source")))
    rows = tuple(tuple(map(Cell, _defined(id, known))) for id, known in measures)
    grid = Grid("definitions", "The measures of this page", headings, rows, sortable=False)
    return Section("definitions", "Definitions", "How every number of this page is defined.", (_grid(grid),))


def _citing(content: Content) -> Section:
    known = [content.known(one) for one in content.scores.measures]
    sources = dict.fromkeys(source.full for one in known if one is not None for source in one.source)
    ids = ", ".join(content.scores.ids)
    signature = f", signature {content.signature}"
    tested = next((one.how() for one in content.comparisons.values()), "")
    significance = f" Significance: {tested}." if tested else ""
    this = f"Scores by {ids} were computed with metameasure {__version__}{signature}.{significance}"
    return Section("citing", "How to cite", this, (Piece("list", items=tuple(sources)),))
