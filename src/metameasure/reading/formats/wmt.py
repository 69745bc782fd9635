"""Rankings as the organisers of WMT publish them, or predicted ones in the same form: a row per ranking of five systems, or per
pair of systems.

Five-way rows have ``system1Id`` to ``system5Id`` and ``system1rank`` to ``system5rank``; each is a ranking of its own, also where
one judge ranks a segment twice. Pairwise rows (from 2014 on) are put together again by ``rankingID`` where there is one. A rank
of -1 is none; a row without any rank was skipped by its judge and is left out.

A run's ranks hold within their row: those of one system of a segment may differ from row to row, with the systems it is compared
to. Then a row of the run is meant for the row of gold of the same segment and judge, the first for the first and so on.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.core.problems import DataProblems, ProblemsOfFile
from metameasure.reading.files import Beginning, File, table
from metameasure.reading.formats import Format
from metameasure.reading.options import Columns, ReadOptions, Side
from metameasure.reading.ranks import HINTS, read
from metameasure.reading.sources import Record, Rows, Source, text_array

_SYSTEM = re.compile(r"system(\d+)(id|rank)", re.IGNORECASE)
_CONTEXT = ("srclang", "trglang")
_SEGMENT = ("srcindex", "segmentid")
Ranking = dict[str, tuple[float, int]]
"""By item, its rank and the line where it first stands."""


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return {"system1id", "system1rank"} <= {name.strip('"').lower() for name in beginning.cells}


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    """A WMT file's rankings. DataProblems with the lines that are wrong."""
    file = table(beginning, options, scratch)
    columns = _columns(file, options)
    places = _places(file)
    pairwise = len(places) == 2 and "rankingid" in columns
    problems = ProblemsOfFile(file.shown)
    rankings: dict[tuple[str, ...], Ranking] = {}
    times = Counter[tuple[str, ...]]()
    for record in file.sound(problems):
        key = _key(record, columns, problems)
        if key is not None:
            times[key] += 1
            own = record.values[columns["rankingid"]] if pairwise else str(times[key])
            _add(rankings.setdefault((*key, own), {}), _cells(record, places, problems), record.line, problems)
    problems.raise_any()
    if not rankings:
        raise file.error(0, "there are no rankings", "it needs one row per ranking")
    alone = len(places) == 2 and not pairwise
    own = "{file}: each row is a ranking of its own, because there is no column rankingID"
    notes: list[str] = [note("reading", own, file=file.shown)] if alone else []
    return _rows(rankings, file, notes, options, side)


def _columns(file: File, options: ReadOptions) -> dict[str, str]:
    """The file's own name for each column, by its name in lower case; the user's choice of segment and judge counts."""
    names = {name.lower(): name for name in file.columns}
    for default, name, target in (("segment", options.columns.segment, _SEGMENT[0]), ("judge", options.columns.judge, "judgeid")):
        if name not in (default, *file.columns):
            raise DataProblems([file.no_column(name)])
        if name != default:
            names[target] = name
    if not any(name in names for name in _SEGMENT):
        raise file.error(1, "there is no column 'srcIndex' or 'segmentId'", say("choose with {--segment-column}"))
    return names


def _places(file: File) -> list[tuple[str, str]]:
    """The columns of id and rank of each system."""
    by_number: dict[int, dict[str, str]] = {}
    for name in file.columns:
        if match := _SYSTEM.fullmatch(name):
            by_number.setdefault(int(match[1]), {})[match[2].lower()] = name
    problems = [
        file.problem(
            1,
            say("there is no column 'system{number}{part}'", number=number, part="rank" if "id" in parts else "Id"),
            "each system has an id and a rank",
        )
        for number, parts in sorted(by_number.items())
        if len(parts) < 2
    ]
    if problems or not by_number:
        raise DataProblems(problems or [file.no_column("system1Id")])
    return [(parts["id"], parts["rank"]) for _, parts in sorted(by_number.items())]


def _key(record: Record, columns: dict[str, str], problems: ProblemsOfFile) -> tuple[str, ...] | None:
    """Languages, segment and judge of a row."""
    segment = record.values[columns[next(name for name in _SEGMENT if name in columns)]]
    if not segment:
        problems.add(record.line, "the row has no segment", "give every ranking its source segment")
        return None
    judge = record.values[columns["judgeid"]] if "judgeid" in columns else ""
    return (*(record.values[columns[name]] if name in columns else "" for name in _CONTEXT), segment, judge)


def _cells(record: Record, places: list[tuple[str, str]], problems: ProblemsOfFile) -> Iterator[tuple[str, float]]:
    for item_column, rank_column in places:
        item = record.values[item_column]
        try:
            rank = read(record.values[rank_column], "ranks")
        except ValueError as error:
            problems.add(record.line, say("{rank_column}: {error}", rank_column=rank_column, error=error.args[0]), HINTS["ranks"])
            continue
        if item:
            yield item, rank
        elif not math.isnan(rank):
            problems.add(
                record.line,
                say(
                    "{rank_column} is {rank:g} but {item_column} is empty",
                    rank_column=rank_column,
                    rank=rank,
                    item_column=item_column,
                ),
                "name the system",
            )


def _add(ranking: Ranking, cells: Iterator[tuple[str, float]], line: int, problems: ProblemsOfFile) -> None:
    """An item that stands in a ranking twice with the same rank counts once; two ranks contradict each other."""
    for item, rank in cells:
        earlier, first = ranking.setdefault(item, (rank, line))
        if (earlier, first) == (rank, line) or math.isnan(rank):
            continue
        if math.isnan(earlier):
            ranking[item] = (rank, line)
        elif earlier != rank:
            what = say(
                "'{item}' has rank {rank:g} and, in the same ranking (line {first}), rank {earlier:g}",
                item=item,
                rank=rank,
                first=first,
                earlier=earlier,
            )
            problems.add(line, what, "keep one of the two")


def _rows(rankings: Mapping[tuple[str, ...], Ranking], file: File, notes: list[str], options: ReadOptions, side: Side) -> Rows:
    kept = [(key, cells) for key, cells in rankings.items() if not all(math.isnan(rank) for rank, _ in cells.values())]
    if not kept:
        raise file.error(0, "no row ranks anything", HINTS["ranks"])
    several = len({key[:2] for key, _ in kept}) > 1
    rows = [
        (f"{'-'.join(languages)}/{segment}" if several else segment, judge or None, number, item, rank, line)
        for (*languages, segment, judge, number), cells in kept
        for item, (rank, line) in cells.items()
    ]
    sources, judges, numbers, items, ranks, lines = zip(*rows, strict=True)
    if several:
        called = "{file}: segments are called LANGUAGES/SEGMENT, because there are several language pairs"
        notes.append(note("reading", called, file=file.shown))
    skipped = len(rankings) - len(kept)
    if skipped:
        left = "{file}: {rankings} without any rank left out"
        notes.append(note("reading", left, file=file.shown, rankings=counted(skipped, "ranking")))
    columns = options.columns
    values = {
        columns.segment: text_array(sources),
        columns.judge: text_array(judges),
        columns.ranking: text_array(numbers),
        columns.item: text_array(items),
        columns.gold if side == "gold" else columns.rank: np.array(ranks),
    }
    ranking_rows = Rows(file.shown, values, lines=np.array(lines, np.int64), partial=side == "gold", notes=tuple(notes))
    return ranking_rows if side == "gold" else _said_once(ranking_rows, columns)


def _said_once(rows: Rows, columns: Columns) -> Rows:
    """A run that gives a system of a segment the same rank in every row, as a table of segments and systems."""
    pairs = [*zip(rows.values[columns.segment].tolist(), rows.values[columns.item].tolist(), strict=True)]
    first: dict[tuple[str, str], int] = {}
    same = [first.setdefault(pair, place) for place, pair in enumerate(pairs)]
    ranks = rows.values[columns.rank]
    if not np.array_equal(ranks, ranks[same], equal_nan=True):
        return rows
    kept = list(first.values())
    values = {name: rows.values[name][kept] for name in (columns.segment, columns.item, columns.rank)}
    return replace(rows, values=values, lines=None if rows.lines is None else rows.lines[kept])


FORMAT = Format("wmt", "a WMT file of rankings", ("ranking",), _recognises, _read, sides=("gold",))
