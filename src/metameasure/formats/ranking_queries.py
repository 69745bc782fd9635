"""Tables of rankings, read and joined by DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.columns import Columns
from metameasure.formats.engine import column, scan
from metameasure.formats.files import File
from metameasure.formats.labels import require_columns
from metameasure.formats.problems import DataProblems, Problem
from metameasure.formats.queries import reading
from metameasure.formats.ranking_audit import TableColumns, gold_problems, run_problems
from metameasure.formats.ranking_rows import Floats, GoldRows, Holds, Integers, Layout, RankingOptions, Texts, texts
from metameasure.formats.ranking_values import unranked_as_nan, wrong
from metameasure.formats.trec import TrecRows

_STANDARD = Columns()


@dataclass(frozen=True)
class RunRows:
    """A run: its name, and a table on disk or the rows of a TREC file."""

    name: str
    rows: File | TrecRows

    @property
    def shown(self) -> str:
        return self.rows.shown


def gold_columns(file: File, options: RankingOptions, *, alone: bool) -> TableColumns:
    """Which columns of a gold table to read: with runs beside gold where the user names some, or where gold is ``alone``."""
    columns = options.columns
    problems = _missing_keys(file, columns)
    if columns.gold != _STANDARD.gold or columns.gold in file.columns:
        problems += require_columns(file, {"gold": columns.gold})
        first = (columns.gold, options.gold_are or ("scores" if columns.gold == columns.score else "ranks"))
    else:
        first, faults = _rank_or_score(file, options.gold_are, columns)
        problems += faults
    names = options.run_columns
    if not names and alone and columns.gold in file.columns:
        roles = {columns.segment, columns.item, columns.judge, first[0]}
        names = tuple(name for name in file.columns if name not in roles)
    hint = f"its columns are {', '.join(file.columns)}"
    problems += [
        file.problem(1, f"there is no column '{name}'", did_you_mean(name, file.columns) or hint)
        for name in names
        if name not in file.columns
    ]
    if problems:
        raise DataProblems(problems)
    if first[0] in names:
        raise UsageError(f"the column '{first[0]}' is gold and a run", hint="it would score as perfect: leave it out of the runs")
    values = dict([first, *((name, options.runs_are or "ranks") for name in names)])
    return TableColumns(columns.segment, columns.item, columns.judge if columns.judge in file.columns else None, values)


def run_columns(run: RunRows, options: RankingOptions) -> tuple[TableColumns, list[str]]:
    """Which columns of a run's table to read, and what to say about the choice."""
    columns, file = options.columns, run.rows
    if isinstance(file, TrecRows):
        return TableColumns(Columns.segment, Columns.item, None, {Columns.score: "scores"}), []
    held, problems = _rank_or_score(file, options.runs_are, columns)
    problems = _missing_keys(file, columns) + problems
    if problems:
        raise DataProblems(problems)
    both = options.runs_are is None and {columns.rank, columns.score} <= set(file.columns)
    notes = [f"{run.name}: has '{columns.rank}' and '{columns.score}'; the ranks are read"] if both else []
    return TableColumns(columns.segment, columns.item, None, dict([held])), notes


def _missing_keys(file: File, columns: Columns) -> list[Problem]:
    if not file.header:
        hint = f"name the columns, as in {columns.segment}, {columns.item}, {columns.rank}"
        return [file.problem(1, "the first line names no column that is known", hint)]
    return require_columns(file, {"segment": columns.segment, "item": columns.item})


def _rank_or_score(file: File, holds: Holds | None, columns: Columns) -> tuple[tuple[str, Holds], list[Problem]]:
    choices: list[tuple[str, Holds]] = [(columns.rank, "ranks"), (columns.score, "scores")]
    wanted = [choice for choice in choices if holds in (None, choice[1])]
    for choice in wanted:
        if choice[0] in file.columns:
            return choice, []
    if not file.header:
        return wanted[0], []  # said already
    names = "' or '".join(name for name, _ in wanted)
    near = [hint for name, _ in wanted if (hint := did_you_mean(name, file.columns))]
    hint = near[0] if near else f"its columns are {', '.join(file.columns)}: choose with --rank-column or --score-column"
    return wanted[0], [file.problem(1, f"there is no column '{names}'", hint)]


def read_gold_table(connection: duckdb.DuckDBPyConnection, file: File, columns: TableColumns) -> GoldRows:
    """A table of gold, perhaps with runs beside it. DataProblems with the lines that are wrong."""
    keys = [_text(file, columns.segment, "segment"), _text(file, columns.item, "item")]
    if columns.judge:
        keys.append(_text(file, columns.judge, "judge"))
    cells = [part for place, name in enumerate(columns.values) for part in _number(file, name, str(place))]
    with reading([file]):
        found = connection.execute(f"SELECT {', '.join([*keys, *cells])} FROM {scan(connection, [file])}").fetchnumpy()
    if not len(found["segment"]):
        raise DataProblems([file.problem(0, "there are no items", "it needs one row per segment and item")])
    faulty = np.ma.is_masked(found["segment"]) or np.ma.is_masked(found["item"])
    values = []
    for place, holds in enumerate(columns.values.values()):
        numbers, empty = _filled(found[f"number{place}"], np.nan), np.asarray(found[f"empty{place}"], bool)
        faulty |= bool(wrong(numbers, empty, holds).any())
        values.append(unranked_as_nan(numbers, holds))
    if faulty:
        gold_problems(file.shown, file.records(), columns)
    first, *others = columns.values
    return GoldRows(
        np.asarray(found["segment"], object),
        _filled(found["judge"], "").astype(object) if columns.judge else None,
        None,
        np.asarray(found["item"], object),
        values[0],
        columns.values[first],
        np.array(values[1:]).reshape(len(others), len(values[0])),
        names=tuple(others),
        beside_hold=columns.values[others[0]] if others else "ranks",
    )


class Joiner:
    """Gold's segments and items in the engine, and runs joined to them one after the other."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, layout: Layout, needed: npt.NDArray[np.bool_]) -> None:
        self.connection, self.layout, self.needed = connection, layout, needed
        places = {"segment": layout.pair_sources, "item": layout.pair_items, "place": np.arange(len(needed))}
        connection.register("keys_of_gold", places)
        connection.execute("CREATE OR REPLACE TEMP TABLE keys AS SELECT * FROM keys_of_gold")
        connection.unregister("keys_of_gold")

    def joined(
        self, run: RunRows, columns: TableColumns, *, extra_allowed: bool, missing_allowed: bool
    ) -> tuple[Floats, int, int]:
        """The run's value for each segment and item, how many gold ranks but the run lacks, and how many rows gold lacks."""
        holds = columns.values[columns.first]
        found = self._fetched(run, columns)
        place: Integers = _filled(found["place"], -1).astype(np.int64)
        numbers, empty = _filled(found["number"], np.nan), np.asarray(found["empty"], bool)
        known = place >= 0
        times = np.bincount(place[known], minlength=len(self.needed))
        lacking = int((self.needed & (times == 0)).sum())
        extra = int((~known).sum())
        faulty = bool(found["nameless"].any()) or bool(wrong(numbers, empty, holds).any()) or bool((times > 1).any())
        if faulty or (extra and not extra_allowed) or (lacking and not missing_allowed):
            self._complain(run, columns, extra_allowed=extra_allowed, missing_allowed=missing_allowed)
        values = np.full(len(self.needed), np.nan)
        values[place[known]] = unranked_as_nan(numbers, holds)[known]
        return values, lacking, extra

    def unjudged(self, runs: Sequence[RunRows]) -> tuple[Texts, Texts]:
        """Segments and items that some run has and gold lacks, of the segments that gold has."""
        gathered: set[tuple[str, str]] = set()
        for run in runs:
            columns = TableColumns(Columns.segment, Columns.item, None, {Columns.score: "scores"})
            query = (
                f"SELECT DISTINCT segment, item FROM ({self._rows(run, columns)}) ANTI JOIN keys USING (segment, item) "
                "WHERE segment IN (SELECT segment FROM keys) ORDER BY ALL"
            )
            gathered.update(self.connection.execute(query).fetchall())
        listed = sorted(gathered)
        return texts([segment for segment, _ in listed]), texts([item for _, item in listed])

    def _fetched(self, run: RunRows, columns: TableColumns) -> dict[str, Any]:
        query = (
            "SELECT place, number, empty, segment IS NULL OR item IS NULL AS nameless "
            f"FROM ({self._rows(run, columns)}) LEFT JOIN keys USING (segment, item)"
        )
        if isinstance(run.rows, TrecRows):
            return dict(self.connection.execute(query).fetchnumpy())
        with reading([run.rows]):
            return dict(self.connection.execute(query).fetchnumpy())

    def _rows(self, run: RunRows, columns: TableColumns) -> str:
        rows = run.rows
        if isinstance(rows, TrecRows):
            self.connection.register("trec_rows", {"segment": rows.topic, "item": rows.document, "number": rows.number})
            return "SELECT segment, item, number, false AS empty FROM trec_rows"
        cells = [_text(rows, columns.segment, "segment"), _text(rows, columns.item, "item"), *_number(rows, columns.first, "")]
        return f"SELECT {', '.join(cells)} FROM {scan(self.connection, [rows])}"

    def _complain(self, run: RunRows, columns: TableColumns, *, extra_allowed: bool, missing_allowed: bool) -> None:
        known: dict[str, dict[str, bool]] = {}
        layout = self.layout
        for segment, item, needed in zip(
            layout.pair_sources.tolist(), layout.pair_items.tolist(), self.needed.tolist(), strict=True
        ):
            known.setdefault(segment, {})[item] = needed
        allowed = {"extra_allowed": extra_allowed, "missing_allowed": missing_allowed}
        run_problems(run.shown, run.rows.records(), columns, known, **allowed)


def _text(file: File, name: str, role: str) -> str:
    return f"NULLIF(CAST({column(file, name)} AS VARCHAR), '') AS {role}"


def _number(file: File, name: str, suffix: str) -> list[str]:
    """The number in a column, and whether nothing stands there."""
    text = f"NULLIF(trim(CAST({column(file, name)} AS VARCHAR), ' ' || chr(9) || chr(10) || chr(13)), '')"
    return [f"TRY_CAST({text} AS DOUBLE) AS number{suffix}", f"{text} IS NULL AS empty{suffix}"]


def _filled(values: Any, stand_in: Any) -> npt.NDArray[Any]:
    return np.ma.filled(values, stand_in) if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
