"""Matrices beside the labels: items down, a column for each run, a file for each thing that runs say of their items."""

from __future__ import annotations

from dataclasses import replace

import narwhals.stable.v2 as nw

from metameasure.errors import UsageError, did_you_mean
from metameasure.evidence.audit import first_keys
from metameasure.formats.problems import DataProblems
from metameasure.formats.sources import Source
from metameasure.tables.engine import Frame, distinct, nothing, rows
from metameasure.tables.inputs import missing_columns
from metameasure.tables.keyed import Found, KeyedTable, Keys, Wanted, beside_each_other, together


def with_order(table: KeyedTable, role: str, source: Source, *, chosen: bool, extra: bool) -> KeyedTable:
    """The table with what a matrix says of its items: how sure runs are of them, or how strongly they believe in the positive
    class. A run that has no column in it says nothing. ``chosen``: not all columns need be runs; ``extra``: nor all rows items.
    """
    names = _columns_of_runs(table, role, source, chosen=chosen)
    twice = [name for name, had in zip(table.names, table.orders, strict=True) if role in had and name in names]
    if twice:
        raise UsageError(
            f"run '{twice[0]}' has a {role.replace('_', ' ')} already", hint=f"leave out --{role.replace('_', '-')}-matrix"
        )
    shared: Wanted = {key: (getattr(table.columns, key), "text") for key in table.keys}
    matrix = beside_each_other(table.engine, source, shared, names, "number", "in matrix")
    problems = _problems(table, source, matrix.filter(nw.col("run") == 0).select(*table.keys), extra=extra)
    if problems[0]:
        raise DataProblems(*problems)
    # Columns of the matrix by number become the runs of the table by number.
    place = nw.lit(table.names.index(names[0])).cast(nw.Int64)
    for number, name in enumerate(names):
        place = nw.when(nw.col("run") == number).then(nw.lit(table.names.index(name)).cast(nw.Int64)).otherwise(place)
    own = table.runs if role in table.runs.collect_schema().names() else table.runs.with_columns(nothing("number").alias(role))
    beside = table.engine.beside(matrix.with_columns(place.alias("run")), own)
    joined = own.join(beside, on=["run", *table.keys], how="left")
    joined = joined.with_columns(nw.coalesce(role, "in matrix").alias(role)).drop("in matrix")
    orders = tuple(had | {role} if name in names else had for name, had in zip(table.names, table.orders, strict=True))
    return replace(table, runs=table.engine.kept(joined), orders=orders, matrices={**table.matrices, role: source})


def _columns_of_runs(table: KeyedTable, role: str, source: Source, *, chosen: bool) -> list[str]:
    """Which columns of a matrix are runs of the table. DataProblems where one is not, or none."""
    columns = table.columns
    roles = {columns.item, columns.topic, columns.gold, columns.weight}
    problems = missing_columns(source, {key: getattr(columns, key) for key in table.keys})
    present = [name for name in source.columns if name not in roles]
    known = [name for name in present if name in table.names]
    hint = f"the runs are {', '.join(table.names)}"
    if not chosen:
        problems += [
            source.problem(1, f"there is no run '{name}'", did_you_mean(name, table.names) or hint)
            for name in present
            if name not in known
        ]
    if not known and not problems:
        problems = [source.problem(1, f"there is no column with the {role.replace('_', ' ')}s of a run", hint)]
    if problems:
        raise DataProblems(sorted(problems))
    return known


def _problems(table: KeyedTable, source: Source, own: Frame, *, extra: bool) -> Found:
    """What is wrong with the items of a matrix: no id, twice, not in gold, or missing."""
    keys, named = list(table.keys), Keys(table.keys, table.columns)
    found = together(*(named.empty(source, key, rows(own.filter(nw.col(key).is_null()))) for key in keys))
    several = own.group_by(*keys).agg(nw.len().alias("times")).filter(nw.col("times") > 1)
    found = together(found, named.repeated(source, first_keys(several, keys), rows(several), "keep one row per item"))
    if found[0]:
        return found
    gold = table.engine.beside(distinct(table.described, *keys), own)
    unknown, missing = own.join(gold, on=keys, how="anti"), gold.join(own, on=keys, how="anti")
    if not extra:
        hint = "remove the row, or choose --extra ignore"
        found = named.unknown(source, first_keys(unknown, keys), rows(unknown), lambda _: hint)
    hint = "add a row for it; it may be empty for runs that do not answer the item"
    return together(found, named.missing(source, first_keys(missing, keys), rows(missing), hint))
