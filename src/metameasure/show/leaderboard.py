"""Scores as a leaderboard."""

from __future__ import annotations

import math

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.scores.cube import Scores
from metameasure.show.numbers import FULL, exact, number
from metameasure.show.table import Table
from metameasure.statistics.rank_correlation import TIE

_ARROWS = {"higher": " ↑", "lower": " ↓", None: ""}
# Notes that open with a word of ours, not with the name of a run or a measure.
_SENTENCES = ("random", "no interval", "the ", "by chance", "negated", "items'", "scored with", "documents", "rows", "agreement")


def leaderboard(scores: Scores, format: str) -> Table:
    """Runs from best to worst. CSV and TSV have every number at full precision in its own column; the others are for reading."""
    columns = _full_columns(scores) if format in FULL else _reading_columns(scores, symbols=format == "latex")
    order = scores.order()
    ranks = _rank_texts(scores, plain=format in FULL)
    headings = ("rank", "run", *(heading for heading, _ in columns))
    rows = tuple((ranks[run], scores.runs[run], *(cells[run] for _, cells in columns)) for run in order)
    return Table(
        headings,
        rows,
        right=frozenset(headings) - {"run"},
        bold=frozenset() if format in FULL else _best(scores, order),
        notes=() if format in FULL else _footer(scores),
        beside=None if format in FULL else _remarks(scores, order),
    )


def _remarks(scores: Scores, order: list[int]) -> Table | None:
    """What there is to say of the runs besides, in the order of the leaderboard."""
    told = [remark for remark in scores.remarks if remark.words]
    if not told:
        return None
    rows = [
        (scores.runs[run], *(remark.words[run] for remark in told)) for run in order if scores.runs[run] not in scores.baselines
    ]
    numbers = frozenset(remark.title for remark in told if all(map(_is_number, remark.words)))
    return Table(("run", *(remark.title for remark in told)), tuple(rows), right=numbers)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return word == "–"
    return True


def _rank_texts(scores: Scores, *, plain: bool) -> list[str]:
    """Ranks by the first measure, shared ones marked; baselines are shown where they stand but are not ranked."""
    ranks = scores.ranks()[0]
    own = [run for run, name in enumerate(scores.runs) if name not in scores.baselines]
    texts = [""] * len(scores.runs)
    oriented = np.where(np.isnan(scores.oriented()[0]), -math.inf, scores.oriented()[0])
    if all(math.isinf(oriented[run]) for run in own):
        return texts
    for run in own:
        rank = 1 + sum(oriented[other] > oriented[run] + TIE for other in own)
        shared = sum(ranks[other] == ranks[run] for other in own) > 1
        texts[run] = f"{rank}{'=' if shared and not plain else ''}"
    return texts


def _reading_columns(scores: Scores, *, symbols: bool) -> list[tuple[str, list[str]]]:
    averages = scores.averages()
    columns = []
    for row, measure in enumerate(scores.measures):
        name = measure.symbol if symbols else measure.id
        heading = name + _ARROWS[measure.better]
        columns.append((heading, [_with_interval(scores, row, run, averages[row, run]) for run in range(len(scores.runs))]))
        if scores.average == "topics" and len(scores.topics) > 1 and _shows_pooled(scores, row):
            heading = f"{name} micro" if scores.micro else "pooled"
            columns.append((heading, [number(value, 3 if scores.intervals else 4) for value in scores.pooled[row]]))
    return columns


def _shows_pooled(scores: Scores, row: int) -> bool:
    """Beside the first measure; micro averages beside every measure that has one, since they differ from the others."""
    return not np.isnan(scores.pooled[row]).all() if scores.micro else row == 0


def _with_interval(scores: Scores, row: int, run: int, value: float) -> str:
    if scores.intervals is None:
        return number(value, 4)
    text = number(value, 3)
    if scores.runs[run] in scores.baselines or math.isnan(value):
        return text
    low, high = scores.intervals.shown
    if math.isnan(low[row, run]):
        return text
    return f"{text} [{number(low[row, run], 3)}, {number(high[row, run], 3)}]"


def _full_columns(scores: Scores) -> list[tuple[str, list[str]]]:
    means, undefined = scores.topic_means(), scores.undefined()
    columns: list[tuple[str, list[str]]] = []
    for row, measure in enumerate(scores.measures):
        columns.append((measure.id, [exact(value) for value in means[row]]))
        columns.append((f"{measure.id} pooled", [exact(value) for value in scores.pooled[row]]))
        columns.append((f"{measure.id} undefined", [str(count) for count in undefined[row]]))
        columns += _interval_columns(scores, row, measure)
    return columns


def _interval_columns(scores: Scores, row: int, measure: Measure) -> list[tuple[str, list[str]]]:
    if scores.intervals is None:
        return []
    return [
        (f"{measure.id} {name} ({what})", [exact(value) for value in end[row]])
        for what, ends in scores.intervals.by_drawn().items()
        for name, end in zip(("low", "high"), ends, strict=True)
    ]


def _best(scores: Scores, order: list[int]) -> frozenset[tuple[int, str]]:
    """The best score of each measure among the runs: (row, heading), ties included."""
    own = [run for run, name in enumerate(scores.runs) if name not in scores.baselines]
    found = set()
    for row, measure in enumerate(scores.measures):
        values = scores.oriented()[row]
        known = [values[run] for run in own if not math.isnan(values[run])]
        if measure.better is None or not known:
            continue
        best = max(known)
        for heading in (measure.id, measure.symbol):
            found |= {
                (place, heading + _ARROWS[measure.better])
                for place, run in enumerate(order)
                if run in own and values[run] >= best - TIE
            }
    return frozenset(found)


def _footer(scores: Scores) -> tuple[str, ...]:
    own = len(scores.runs) - len(scores.baselines)
    unit = scores.topic_word
    over = f"{len(scores.topics)} {unit}s" if len(scores.topics) > 1 else f"one {unit}"
    lines = [f"{own} run(s), {over}; {_averaged(scores)}."]
    short: dict[int, list[str]] = {}
    for measure, used in zip(scores.measures, scores.common_topics().sum(axis=1).tolist(), strict=True):
        if scores.average == "topics" and used < len(scores.topics):
            short.setdefault(used, []).append(measure.id)
    lines += [f"{', '.join(ids)}: mean over the {used} {unit}(s) on which every run is defined." for used, ids in short.items()]
    if scores.intervals is not None:
        lines.append(f"[ ]: {scores.intervals.words(unit)}.")
    lines += [
        f"{note[0].upper()}{note[1:]}." if note.startswith(_SENTENCES) else f"{note}."
        for note in (*scores.notes, *scores.remark_notes)
    ]
    return (*lines, f"Signature: {scores.signature}")


def _averaged(scores: Scores) -> str:
    if len(scores.topics) == 1:
        return "all items as one"
    if scores.average == "topics":
        return f"means over {scores.topic_word}s" + (" (macro)" if scores.micro else "")
    return "all pairs of items as one (micro)" if scores.micro else f"all {scores.topic_word}s pooled"
