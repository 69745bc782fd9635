"""Runs joined to gold, audited and counted, in one query for all runs, on whatever engine the tables live."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.evidence.audit import Audit
from metameasure.evidence.counts import ONE_TOPIC, LabelCounts, collect, ordered
from metameasure.evidence.missing import Expected, check_extra, check_policy, with_missing
from metameasure.evidence.prepare import (
    CountOptions,
    cut_into_classes,
    deal_into_partitions,
    fixed_point,
    share_between_repeats,
    with_gold_apart,
)
from metameasure.formats.problems import DataProblems
from metameasure.notes import counted
from metameasure.scale import Scale, require
from metameasure.tables.engine import Frame, fetch
from metameasure.tables.keyed import KeyedTable

_SUMS = ("token", "fixed", "beyond", "gold_beyond", "digest")


@dataclass(frozen=True)
class Groups:
    """The query's answer: for each group of rows its run, topic, gold and predicted label (None: missing), and sums over it."""

    run: list[Any]
    topic: list[Any]
    gold: list[Any]
    label: list[Any]
    items: npt.NDArray[np.int64]
    token: npt.NDArray[np.int64]
    fixed: npt.NDArray[np.int64]
    beyond: npt.NDArray[np.int64]
    gold_beyond: npt.NDArray[np.int64]
    digest: npt.NDArray[np.int64]
    topicless: npt.NDArray[np.bool_] = field(kw_only=True)
    """Whether the rows of a group have no topic."""

    @classmethod
    def of(cls, columns: dict[str, npt.NDArray[Any]]) -> Groups:
        size = len(columns["items"])

        def text(name: str) -> list[Any]:
            if name not in columns:
                return [None] * size
            values: list[Any] = columns[name].tolist()
            return [None if value != value else value for value in values] if columns[name].dtype.kind == "f" else values  # noqa: PLR0124

        def number(name: str) -> npt.NDArray[np.int64]:
            found = columns.get(name, np.zeros(size, np.int64))
            return np.asarray(np.nan_to_num(np.ma.filled(found, 0)), dtype=np.int64)

        topics = text("topic")
        return cls(
            text("run"),
            [ONE_TOPIC if topic is None else topic for topic in topics],
            text("gold"),
            text("label"),
            number("items"),
            *(number(name) for name in _SUMS),
            topicless=np.array([topic is None for topic in topics], dtype=bool),
        )

    def weights(self, unit: int) -> npt.NDArray[np.int64]:
        return self.items if unit == 1 else self.fixed


def count_tables(tables: KeyedTable, options: CountOptions) -> LabelCounts:
    """The counts of all runs. DataProblems names everything that is wrong; nothing is passed over in silence."""
    return count_prepared(*prepared(tables, options), options)


def prepared(tables: KeyedTable, options: CountOptions) -> tuple[KeyedTable, int]:
    """The tables ready to be grouped, and the unit of their weights."""
    check_policy(options.missing)
    check_extra(options.extra)
    if options.numeric and options.missing not in (None, "drop"):
        raise UsageError("numbers that a run lacks can only be left out", hint="choose --missing drop")
    with tables.reading():
        tables = share_between_repeats(with_gold_apart(tables, options), options)
        tables = deal_into_partitions(cut_into_classes(tables, options), options)
        return fixed_point(tables)


def count_prepared(tables: KeyedTable, unit: int, options: CountOptions) -> LabelCounts:
    """The counts of tables that are ready."""
    gold, groups = grouped(tables)
    scale = require(options.classes, _labels(gold, groups), kind=options.kind)
    codes = audited(tables, gold, groups, scale, options)
    return _assemble(tables, gold, groups, codes, scale, options, unit)


def grouped(tables: KeyedTable) -> tuple[Groups, Groups]:
    """Gold's rows and the runs', of tables that are ready: those that are alike together."""
    with tables.reading():
        return _query(tables)


def audited(tables: KeyedTable, gold: Groups, groups: Groups, scale: Scale | None, options: CountOptions) -> dict[Any, int]:
    """What each label means, if nothing is wrong: the place of its class, or 0 of any number where labels are numbers, without a
    scale; -1 of None. DataProblems names everything that is wrong."""
    labels = [*gold.gold, *groups.gold, *groups.label]
    codes = {None: -1, **dict.fromkeys(set(labels) - {None}, 0)} if scale is None else class_codes(scale, labels)
    audit = Audit(tables, gold, groups, codes, scale, options)
    of_gold, of_runs = audit.gold_problems(), audit.run_problems()
    if of_gold[0] or of_runs[0]:
        raise DataProblems([*of_gold[0], *of_runs[0]], of_gold[1] + of_runs[1])
    return codes


_NO_GROUPS = {"items": np.zeros(0, np.int64)}


def _query(tables: KeyedTable) -> tuple[Groups, Groups]:
    """Gold's groups (topic, gold) and the runs' groups (run, topic, gold, label)."""
    by = ("run", *_topic(tables), "gold", "label")
    if tables.gold is None:
        runs = tables.runs
        if tables.has_items and tables.engine.is_here(runs):  # on a cluster, stacked rows have a gold of their own
            runs = tables.engine.with_token(runs, [*tables.keys, "gold", *(["weight"] if tables.has("weight") else [])])
        return Groups.of(_NO_GROUPS), Groups.of(fetch(_grouped(runs, by)))
    totals = Groups.of(fetch(_grouped(tables.gold, (*_topic(tables), "gold"))))
    if not totals.items.sum():
        return totals, Groups.of(_NO_GROUPS)
    joined = tables.joined()
    if tables.repeated:
        joined = joined.with_columns((nw.col("fixed") / nw.col("outputs") + 0.5).floor().cast(nw.Int64).alias("fixed"))
    return totals, Groups.of(fetch(_grouped(joined, by)))


def _topic(tables: KeyedTable) -> tuple[str, ...]:
    return ("topic",) if tables.has("topic") else ()


def _grouped(frame: Frame, by: Iterable[str]) -> Frame:
    sums = [name for name in _SUMS if name in frame.collect_schema().names()]
    grouped = frame.group_by(*by).agg(nw.len().alias("items"), *(nw.col(name).sum() for name in sums))
    return grouped.with_columns(nw.col("items", *sums).cast(nw.Int64))  # engines count and add in types of their own


def _labels(gold: Groups, groups: Groups) -> set[Any]:
    return {label for label in (*gold.gold, *groups.gold, *groups.label) if label is not None}


def class_codes(scale: Scale, labels: Iterable[Any]) -> dict[Any, int]:
    """Each label's class; -1 for None, -2 for one outside the scale."""
    codes: dict[Any, int] = {None: -1}
    for label in set(labels) - {None}:
        found = scale.find(label)
        codes[label] = -2 if found is None else found
    return codes


def _assemble(
    tables: KeyedTable, gold: Groups, groups: Groups, codes: dict[Any, int], scale: Scale, options: CountOptions, unit: int
) -> LabelCounts:
    """Labels are coded, missing answers handled, and equal cells added up."""
    topics = ordered({*gold.topic, *groups.topic})
    place = {topic: position for position, topic in enumerate(topics)}

    def coded(of: Groups) -> npt.NDArray[np.int64]:
        columns = (
            of.run,
            [place[topic] for topic in of.topic],
            [codes[label] for label in of.gold],
            [codes[label] for label in of.label],
        )
        return np.array([[0 if run is None else run for run in columns[0]], *columns[1:]], dtype=np.int64).T

    cells = coded(groups)
    known = (cells[:, 2] >= 0) & (cells[:, 3] >= 0)
    of_gold = (coded(gold), gold.items, gold.weights(unit))
    if tables.gold is None:
        first = (cells[:, 0] == 0) & (cells[:, 2] >= 0)  # gold stands beside every run's labels, so any run's will do
        of_gold = (cells[first], groups.items[first], groups.weights(unit)[first])
    gold_items, gold_weights = (_marginal(of_gold[0], amount, len(topics), len(scale)) for amount in of_gold[1:])
    counts = LabelCounts(
        scale,
        tables.names,
        topics,
        cells[known],
        groups.items[known],
        groups.weights(unit)[known],
        gold_weights,
        gold_items,
        (_gold_identity(tables, gold, groups),),
        unit,
        options.settings(),
        _beyond_notes(tables, gold, groups) + _extra_notes(tables, groups),
    )
    if options.missing is not None:
        expected = Expected.of_gold(counts)
        if tables.gold is None:
            expected = Expected.of_rows(cells, groups.items, groups.weights(unit), counts)
        counts = with_missing(counts, expected, options.missing)
    return collect(counts)


def _gold_identity(tables: KeyedTable, gold: Groups, groups: Groups) -> str:
    """A name for the items that gold consists of: the same for the same items, whatever the runs; without ids, by what the runs
    say of them."""
    if tables.gold is not None:
        return f"{int(gold.items.sum())}:{tables.engine.digest(tables.gold, tables.keys)}"
    if not tables.has_items:
        rows = sorted(map(str, zip(groups.run, groups.topic, groups.gold, groups.label, groups.items.tolist(), strict=True)))
        return hashlib.sha256("\n".join([*tables.names, *rows]).encode()).hexdigest()[:16]
    first = [row for row, run in enumerate(groups.run) if run == 0]
    return "|".join([f"{int(groups.items[first].sum())}:{int(groups.digest[first].sum())}", *tables.names])


def _marginal(cells: npt.NDArray[np.int64], amounts: npt.NDArray[np.int64], topics: int, classes: int) -> npt.NDArray[np.int64]:
    total = np.zeros((topics, classes), np.int64)
    np.add.at(total, tuple(cells[:, 1:3].T), amounts)
    return total


def _extra_notes(tables: KeyedTable, groups: Groups) -> tuple[str, ...]:
    """Rows on items that gold does not have; the audit has let them pass."""
    if tables.gold is None:
        return ()
    outside = np.zeros(len(tables.names), np.int64)
    strange = np.array([label is None for label in groups.gold], dtype=bool)
    np.add.at(outside, np.array(groups.run, dtype=np.int64)[strange], groups.items[strange])
    return tuple(
        f"{name}: {counted(number, 'row')} on items that gold does not have left out"
        for name, number in zip(tables.names, outside.tolist(), strict=True)
        if number
    )


def _beyond_notes(tables: KeyedTable, gold: Groups, groups: Groups) -> tuple[str, ...]:
    """Labels beyond the ends of the scale, which the bins have put into the end classes."""
    per_run, run = np.zeros(len(tables.names), np.int64), np.array(groups.run, dtype=np.int64)
    np.add.at(per_run, run, groups.beyond)
    of_gold = gold.gold_beyond.sum() if tables.gold is not None else groups.gold_beyond[run == 0].sum()
    return tuple(
        f"{name}: {counted(number, 'label')} beyond the ends of the scale counted in the end classes"
        for name, number in zip(("gold", *tables.names), (of_gold, *per_run), strict=True)
        if number
    )
