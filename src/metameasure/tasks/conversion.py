"""Files of any format, gold's or a run's, written as plain tables with the interface's own names of columns."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.ranking.normalisation import Normalisation, normalise_ranks
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems
from metameasure.core.values import Kind
from metameasure.evidence.base import positions
from metameasure.evidence.distribution_reader import DistributionReader, Unit, shape_of
from metameasure.evidence.outcome_reader import OutcomeReader
from metameasure.evidence.ragged import numbers_within
from metameasure.evidence.ranking_columns import RankingOptions, run_values
from metameasure.evidence.rankings import IN_POOL, Rankings
from metameasure.evidence.set_reader import with_sets
from metameasure.reading.engine import Engine, Picked, fetch, reading
from metameasure.reading.files import File, look
from metameasure.reading.formats import format_names, formats
from metameasure.reading.inputs import check_named, expand, one_source, open_runs, require
from metameasure.reading.options import Columns, ReadOptions, named_columns
from metameasure.reading.ranks import wrong
from metameasure.reading.sources import Rows, Source
from metameasure.scores.files import scores_in
from metameasure.show.write import write_table
from metameasure.tasks.declaration import LABELS, declaration
from metameasure.tasks.gold_or_scores import guessed_task, is_of_another_task
from metameasure.tasks.ranking.task import Ranking

_TEXTS = ("run", "item", "topic", "gold", "label")


@dataclass(frozen=True)
class Converted:
    """What was written, in words, and what to say about it."""

    what: str
    notes: tuple[str, ...] = ()


def convert(
    path: str,
    target: str | Path,
    *,
    task: str | None = None,
    ranks: Normalisation | None = None,
    aspect: str | None = None,
    columns: Mapping[str, str] | None = None,
    format_in: str | None = None,
    filter: str | None = None,
    **rankings: Any,
) -> Converted:
    """Write a file as a table, so that it evaluates to the same numbers. ``rankings`` says how rankings are to be read."""
    columns = columns or {}
    match task or _task_of(path, columns=columns, format_in=format_in):
        case "ranking":
            return _rankings(path, target, ranks, {"columns": columns, "format_in": format_in, **rankings})
        case "outcomes":
            return _outcomes(path, target, columns=columns, format_in=format_in, filter_name=filter)
        case "scores":
            return _scores(path, target, format_in)
        case chosen:
            return _table(path, target, chosen, columns=columns, format_in=format_in, aspect=aspect)


def _task_of(path: str, *, columns: Mapping[str, str], format_in: str | None) -> str:
    """The task whose data a file holds, by its format and its columns; ``scores`` for a file of scores."""
    named = named_columns(columns)
    if format_in in format_names("outcomes") or guessed_task("classification", path, None, {"columns": columns}) == "outcomes":
        return "outcomes"
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        for task in ("classification", "quantification"):
            try:
                source = one_source(path, "the file", ReadOptions(task, named, format_in), Path(scratch))
            except DataProblems as error:
                if is_of_another_task(error):
                    continue
                raise
            return _by_source(source, named)
    return "ranking"


def _by_source(source: Source, columns: Columns) -> str:
    if source.format_name in format_names("ranking") or columns.segment in source.columns:
        return "ranking"
    if {columns.label, columns.gold} & set(source.columns):
        return "classification"
    of_scores = {columns.run, columns.score} <= set(source.columns)
    return "scores" if of_scores or _is_matrix_of_scores(source) else "quantification"


def _is_matrix_of_scores(source: Source) -> bool:
    """Whether a file is a matrix separated by white space, which is one column to whoever looks for commas or tabs."""
    if not isinstance(source, File):
        return False
    return formats()["discpower"].recognises(look(source.shown, source.path), ReadOptions("scores"))


def _table(
    path: str, target: str | Path, task: str, *, columns: Mapping[str, str], format_in: str | None, aspect: str | None
) -> Converted:
    """Write a file of labels or distributions. DataProblems where it cannot be read."""
    tables, named = declaration(task).options.tables, tuple(columns.items())
    options = ReadOptions(tables.task, named_columns(columns), format_in, aspect=aspect, named=named, tables=tables)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        source = one_source(path, "the file", options, Path(scratch))
        check_named(options, source)
        if task == "quantification" and shape_of(source.columns, options.columns) != "labels":
            return _distributions(source, target, options)
        if task == "probabilities" and not {options.columns.label, options.columns.gold} & {*source.columns}:
            return _distributions(source, target, options, "item")
        if task == "multilabel":
            source = with_sets(source, options.columns, None, Engine(ordered=True))
        return _labels(source, target, options.columns)


def _outcomes(
    path: str, target: str | Path, *, columns: Mapping[str, str], format_in: str | None, filter_name: str | None
) -> Converted:
    """Write outcomes as a table with a row for each run, item, measure and repeat."""
    tables, named = declaration("outcomes").options.tables, tuple(columns.items())
    options = ReadOptions(tables.task, named_columns(columns), format_in, named=named, filter=filter_name, tables=tables)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        runs = open_runs(path, None, options, Path(scratch))
        table = OutcomeReader(options).rows(runs)
    write_table(table, target, whole=True)
    return Converted(f"{len(table['score'])} outcomes", runs.notes)


def _labels(source: Source, target: str | Path, columns: Columns) -> Converted:
    present = source.columns
    if not {columns.label, columns.gold} & set(present):
        require(source, {"label": columns.label})
    wanted = _those_in(present, columns, _TEXTS, LABELS.numbers)
    if columns.gold in present and columns.label not in present:  # side by side: every other column is a run
        known = {name for name, _ in wanted.values()}
        wanted |= {name: (name, "text") for name in present if name not in known}
    with reading([source]):
        table = fetch(Engine(ordered=True).scan([Picked(source, wanted)]).drop("source"))
    write_table(table, target, whole=True)
    return Converted(f"{len(next(iter(table.values())))} items", source.notes)


def _those_in(
    present: Sequence[str], columns: Columns, texts: Sequence[str], numbers: Sequence[str]
) -> dict[str, tuple[str | None, Kind]]:
    """The columns of these roles that are there, as text or as numbers."""
    kinds: dict[str, Kind] = {**dict.fromkeys(texts, "text"), **dict.fromkeys(numbers, "number")}
    return {role: (getattr(columns, role), kind) for role, kind in kinds.items() if getattr(columns, role) in present}


def _distributions(source: Source, target: str | Path, options: ReadOptions, unit: Unit = "topic") -> Converted:
    found = DistributionReader(options, None, normalise=True, tolerance=0.0, unit=unit).rows_of(source)
    table = {unit if name == "topic" else name: column for name, column in found.items()}
    if not np.any([run is not None for run in table["run"].tolist()]):
        del table["run"]
    notes = source.notes
    if source.counted:
        notes += (say("votes are written as counts: read them with {--counts}"),)
    write_table(table, target, whole=True)
    return Converted(f"{len(table[unit])} rows of distributions", notes)


def _rankings(path: str, target: str | Path, ranks: Normalisation | None, how: Mapping[str, Any]) -> Converted:
    """Gold's rankings, and the runs that stand beside them; or a run."""
    task = Ranking.on(path, None, how)
    try:
        rankings = task.gold_alone()
    except DataProblems:
        run = _run_of_rankings(path, target, task.read)
        if run is None:
            raise
        return run
    if ranks is not None or rankings.runs or not _as_they_stand(path, target, task.read):
        _write_rankings(rankings, target, ranks)
    return Converted(f"{len(rankings.topics)} rankings of {len(rankings.gold)} items", rankings.notes)


def _write_rankings(rankings: Rankings, path: str | Path, ranks: Normalisation | None) -> None:
    """segment, judge, item, rank, and a column for each run; the format by the ending of the name.

    ``ranks`` says how ties are counted: minimize, floor, ceiling or middle; None leaves ranks as they are. What is not ranked is
    empty. Where a judge has ranked a segment more than once, a column ``ranking`` keeps the rankings apart. Grades of relevance
    stay grades, in a column ``grade``.
    """
    gold, predicted = rankings.gold, rankings.predicted
    if ranks is not None:
        gold, predicted = np.empty_like(gold), np.empty_like(predicted)
        for _, cells, inside in rankings.blocks():
            of_runs, of_gold = rankings.arrays("ranks", cells, inside)
            gold[cells[inside]] = np.asarray(normalise_ranks(of_gold, ranks))[inside]
            predicted[:, cells[inside]] = np.asarray(normalise_ranks(of_runs, ranks))[:, inside]
    sizes = rankings.sizes
    columns: dict[str, Any] = {"segment": np.repeat(np.array(rankings.sources, dtype=object), sizes)}
    if any(judge is not None for judge in rankings.judges):
        columns["judge"] = np.repeat(np.array([judge or "" for judge in rankings.judges], dtype=object), sizes)
    authors = [*zip(rankings.sources, rankings.judges, strict=True)]  # the rankings of one of them stand together
    number = numbers_within(positions(authors, dict.fromkeys(authors))) + 1
    if number.max() > 1:
        columns["ranking"] = np.repeat(number, sizes)
    columns["item"] = np.array(rankings.item_names, dtype=object)[rankings.items]
    if rankings.gold_scores is not None and ranks is None:
        # What runs retrieved and nobody judged is irrelevant in a table, where it has to have some grade.
        known = np.where(rankings.gold_scores < IN_POOL, 0.0, rankings.gold_scores) if rankings.graded else rankings.gold_scores
        columns["grade" if rankings.graded else "score"] = known
    else:
        columns["rank"] = gold
    taken = [name for name in rankings.runs if name in columns]
    if taken:
        raise UsageError(
            say("the run '{run}' has the same name as a column of the table", run=taken[0]), hint="give it another name"
        )
    columns |= dict(zip(rankings.runs, predicted, strict=True))
    write_table(columns, path, whole=True)


def _as_they_stand(path: str, target: str | Path, how: RankingOptions) -> bool:
    """Rankings whose file tells apart those of one judge on one segment keep its numbers, by which a run's are matched to gold's.
    False for a file that does not."""
    columns = how.gold_columns or how.columns
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        source = one_source(path, "the file", how, Path(scratch))
        if source.format_name != "wmt" or not isinstance(source, Rows):
            return False
    names = {"segment": columns.segment, "judge": columns.judge, "ranking": columns.ranking, "item": columns.item}
    write_table({role: source.column(name) for role, name in {**names, "rank": columns.gold}.items()}, target, whole=True)
    return True


def _run_of_rankings(path: str, target: str | Path, how: RankingOptions) -> Converted | None:
    """A file of a format of the field that is no gold, as a run: run, segment, judge, ranking, item, and rank or score. None
    where it is no run either."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        try:
            source = one_source(path, "the file", how, Path(scratch), "run")
            values, _ = run_values(source, "the file", how)
        except DataProblems:
            return None
        if not source.format_name:
            return None
        wanted = _those_in(source.columns, how.columns, ("run", "segment", "judge", "ranking", "item"), ("rank", "score"))
        with reading([source]):
            table = fetch(Engine(ordered=True).scan([Picked(source, wanted)]).drop("source"))
            said = fetch(Engine(ordered=True).scan([values.picked()]), masks=True)["value 0"]
        bad = wrong(np.ma.filled(said, np.nan), np.ma.getmaskarray(said), values.holds[values.first])
        if bad.any():
            raise DataProblems(*values.faults(int(bad.sum())))
    write_table(table, target, whole=True)
    return Converted(f"{len(table['item'])} items of a run", source.notes)


def _scores(path: str, target: str | Path, format_in: str | None) -> Converted:
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        (shown, file), *_ = expand([path], Path(scratch))
        table = scores_in(shown, file, Path(scratch), format_in=format_in).long()
    if not any(table["measure"]):
        del table["measure"]
    write_table(table, target)
    return Converted(f"{len(table['score'])} scores")
