"""Labels counted, for all runs in one query, on whatever engine the tables live.

Labels are made ready, joined to gold and audited; then what becomes of items that a run does not answer is settled.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.lazily import nw
from metameasure.core.messages import note, say
from metameasure.core.notes import counted, first_of
from metameasure.core.problems import DataProblems
from metameasure.core.scale import Scale, require
from metameasure.core.values import in_order
from metameasure.evidence.counts import ONE_TOPIC, LabelCounts, collected, sums
from metameasure.evidence.label_audit import OUTSIDE, Audit, refuse_no_labels
from metameasure.evidence.missing import LEFT_OUT, said_of_extra, said_of_missing, stand_ins
from metameasure.evidence.preparing import CountOptions, prepared
from metameasure.evidence.side_by_side import WideArrays, WideTable
from metameasure.evidence.weights import PART, ROUNDED, in_place
from metameasure.reading.engine import Frame, distinct, fetch
from metameasure.reading.joining import KeyedTable
from metameasure.reading.key_faults import together
from metameasure.statistics.arrays import Booleans, Integers

_MOST_SIGNS = 3
_MOST_GROUPS = 1_000_000
"""More groups of rows are brought where they are of many runs or topics, and not where a column has as many labels as rows."""
_MOST_LABELS = 10_000
"""More different ones are no classes: a table of so many by so many would take a gigabyte."""
_SUMS = ("token", "beyond", "gold_beyond", "digest")
# What to do where topics turn out to be something else, by the format that they are read from.
_OTHER_COLUMN = "{--topic-column NAME} reads another column"
_OTHER_ORDER = {
    "semeval": "if a line begins with its topic, add {--format-in evall}",
    "evall": "if a line begins with its item, add {--format-in semeval}",
}


@dataclass(frozen=True)
class GroupedRows:
    """The query's answer: for each group of rows its run, topic, gold and predicted label (None: missing), and sums over it."""

    run: list[Any]
    topic: list[Any]
    gold: list[Any]
    label: list[Any]
    items: Integers
    token: Integers
    beyond: Integers
    gold_beyond: Integers
    digest: Integers
    topicless: Booleans = field(kw_only=True)
    """Whether the rows of a group have no topic."""
    fixed: Integers = field(kw_only=True)
    """The sums of the weights, in their unit."""

    @classmethod
    def of(cls, columns: dict[str, npt.NDArray[Any]]) -> GroupedRows:
        size = len(columns["items"])

        def text(name: str) -> list[Any]:
            if name not in columns:
                return [None] * size
            values: list[Any] = columns[name].tolist()
            return [None if value != value else value for value in values] if columns[name].dtype.kind == "f" else values  # noqa: PLR0124

        def number(name: str) -> Integers:
            column = columns.get(name, nothing)
            if type(column) is np.ndarray and column.dtype == np.int64:
                return column
            return np.asarray(np.nan_to_num(np.ma.filled(column, 0)), dtype=np.int64)

        nothing, topics = np.zeros(size, np.int64), text("topic")
        return cls(
            text("run"),
            [ONE_TOPIC if topic is None else topic for topic in topics],
            text("gold"),
            text("label"),
            number("items"),
            *(number(name) for name in _SUMS),
            topicless=np.array([topic is None for topic in topics], dtype=bool),
            fixed=sum((in_place(name, number(name)) for name in columns if name.startswith(PART)), np.zeros(size, dtype=object)),
        )

    def weights(self, unit: int) -> Integers:
        return self.items if unit == 1 else self.fixed


_NO_GROUPS = GroupedRows.of({"items": np.zeros(0, np.int64)})


def count_tables(tables: KeyedTable, options: CountOptions) -> LabelCounts:
    """The counts of all runs. DataProblems names everything that is wrong; nothing is passed over in silence."""
    return count_prepared(*prepared(tables, options), options)


def count_prepared(tables: KeyedTable, unit: int, options: CountOptions) -> LabelCounts:
    """The counts of tables that are ready."""
    gold, groups = grouped(tables, most_labels=_MOST_LABELS)
    scale = require(options.classes, {*gold.gold, *groups.gold, *groups.label} - {None}, kind=options.kind)
    codes = audited(tables, gold, groups, scale, options)
    counts = _assemble(tables, gold, groups, codes, scale, options, unit)
    said = _reading_notes(tables, counts, options)
    return replace(counts, notes=(*said, *counts.notes)) if said else counts


def _reading_notes(tables: KeyedTable, counts: LabelCounts, options: CountOptions) -> tuple[str, ...]:
    """What there is to say of how the sources were read; and of topics, where they look as if another column were meant."""
    said = dict.fromkeys(tables.notes)
    sizes = counts.gold_items.sum(axis=1)
    alone = int((sizes == 1).sum())
    if options.partitions is None and len(sizes) > 2 and 2 * alone > len(sizes):
        how = _OTHER_ORDER.get(tables.gold_source.format_name, _OTHER_COLUMN)
        other = say(how)
        template = "{alone:,} of {topics:,} topics have one item only; {other}; {--average pooled} takes all items as one topic"
        said[note("reading", template, alone=alone, topics=len(sizes), other=other)] = None
    return tuple(said)


def grouped(tables: KeyedTable, most_labels: int | None = None) -> tuple[GroupedRows, GroupedRows]:
    """Gold's rows and the runs', of tables that are ready: those that are alike together. DataProblems where there are very many
    groups, because a column has more than ``most_labels`` different ones."""
    with tables.reading():
        return _query(tables, most_labels)


def audited(
    tables: KeyedTable, gold: GroupedRows, groups: GroupedRows, scale: Scale | None, options: CountOptions
) -> dict[Any, int]:
    """What each label means, if nothing is wrong: the place of its class, or 0 of any number where labels are numbers, without a
    scale; -1 of None. DataProblems names everything that is wrong."""
    labels = {*gold.gold, *groups.gold, *groups.label} - {None}
    codes = {None: -1, **dict.fromkeys(labels, 0)} if scale is None else class_codes(scale, labels)
    audit = Audit(tables, gold, groups, codes, scale, options)
    wrong = together(audit.gold_problems(), audit.run_problems())
    if wrong[0]:
        raise DataProblems(*wrong)
    return codes


def _query(tables: KeyedTable, most_labels: int | None) -> tuple[GroupedRows, GroupedRows]:
    """Gold's groups (topic, gold) and the runs' groups (run, topic, gold, label)."""
    if isinstance(tables, WideTable):
        return _NO_GROUPS, GroupedRows.of(tables.wide.grouped())
    by = ("run", *_topic(tables), "gold", "label")
    if tables.gold is None:
        runs = tables.runs
        if tables.has_items and tables.engine.is_here(runs):  # on a cluster, stacked rows have a gold of their own
            runs = tables.engine.with_token(runs, [*tables.keys, "gold", *(["weight"] if tables.has("weight") else [])])
        return _NO_GROUPS, _brought(tables, _grouped(runs, by), most_labels)
    totals = _brought(tables, _grouped(tables.gold, (*_topic(tables), "gold")), most_labels)
    if not totals.items.sum():
        return totals, _NO_GROUPS
    joined = tables.joined()
    if tables.repeated:
        shared = nw.col(ROUNDED)
        joined = joined.with_columns((shared / nw.col("outputs") + 0.5).floor().cast(nw.Int64).alias(ROUNDED))
    return totals, _brought(tables, _grouped(joined, by), most_labels)


def _brought(tables: KeyedTable, frame: Frame, most_labels: int | None) -> GroupedRows:
    """Groups of rows, unless there are very many of them because of a column that has no labels."""
    if most_labels is None:
        return GroupedRows.of(fetch(frame))
    found = GroupedRows.of(fetch(frame.head(_MOST_GROUPS + 1)))
    if len(found.items) <= _MOST_GROUPS:
        return found
    different: dict[int | None, set[Any]] = {None: {*found.gold}}
    for run, label in zip(found.run, found.label, strict=True):
        if run is not None:
            different.setdefault(run, set()).add(label)
    refuse_no_labels(tables, different, most_labels)
    return GroupedRows.of(fetch(frame))


def _topic(tables: KeyedTable) -> tuple[str, ...]:
    return ("topic",) if tables.has("topic") else ()


def _grouped(frame: Frame, by: Iterable[str]) -> Frame:
    sums = [name for name in frame.collect_schema().names() if name in _SUMS or name.startswith(PART)]
    grouped = frame.group_by(*by).agg(nw.len().alias("items"), *(nw.col(name).sum() for name in sums))
    return grouped.with_columns(nw.col("items", *sums).cast(nw.Int64))  # engines count and add in types of their own


def class_codes(scale: Scale, labels: Iterable[Any]) -> dict[Any, int]:
    """Each label's class: -1 for None, ``OUTSIDE`` for a label that is not on the scale."""
    codes = {label: scale.find(label) for label in set(labels) - {None}}
    return {None: -1, **{label: OUTSIDE if code is None else code for label, code in codes.items()}}


def codes_in(scale: Scale, gold: Frame, runs: Frame) -> dict[Any, int]:
    """The labels in gold and runs, each with its class; labels that are not on the scale are left out."""
    labels = [*fetch(distinct(gold, "gold"))["gold"], *fetch(distinct(runs, "label"))["label"]]
    return {label: code for label, code in class_codes(scale, labels).items() if code >= 0}


def _assemble(
    tables: KeyedTable,
    gold: GroupedRows,
    groups: GroupedRows,
    codes: dict[Any, int],
    scale: Scale,
    options: CountOptions,
    unit: int,
) -> LabelCounts:
    """Labels are coded, missing answers handled, and equal cells added up."""
    topics = gold_topics(gold if tables.gold is not None else groups)
    place = {topic: position for position, topic in enumerate(topics)}

    def coded(of: GroupedRows) -> Integers:
        columns = (
            [0 if run is None else run for run in of.run],
            [place.get(topic, -1) for topic in of.topic],  # that of a row on an item that gold lacks may be none
            [codes[label] for label in of.gold],
            [codes[label] for label in of.label],
        )
        return np.array(columns, dtype=np.int64).T

    cells, amounts = coded(groups), (groups.items, groups.weights(unit))
    known = (cells[:, 2] >= 0) & (cells[:, 3] >= 0)
    if tables.gold is None:
        first = (cells[:, 0] == 0) & (cells[:, 2] >= 0)  # gold stands beside every run's labels, so any run's will do
        of_gold = (cells[first], *(amount[first] for amount in amounts))
    else:
        of_gold = (coded(gold), gold.items, gold.weights(unit))
    shape = (len(topics), len(scale))
    in_gold = tuple(of_gold[0][:, 1:3].T)
    gold_items = sums(shape, in_gold, of_gold[1])
    gold_weights = gold_items if unit == 1 else sums(shape, in_gold, of_gold[2])
    counts = LabelCounts(
        scale,
        tables.names,
        topics,
        cells[known],
        amounts[0][known],
        amounts[1][known],
        gold_weights,
        gold_items,
        gold_identity(tables, gold, groups, codes),
        unit,
        options.settings(),
        (
            *(_beyond_notes(tables, gold, groups) if options.bins else ()),
            *extra_notes(tables, groups),
            *(() if {*codes} <= {*scale.labels, None} else _signs_of(tables, gold, groups, scale)),
        ),
    )
    if options.missing is not None:
        expected = [gold_items, gold_weights]
        if tables.gold is None:  # what stands in each run's own rows
            expected = [sums((len(tables.names), *shape), tuple(cells[:, :3].T), amount) for amount in amounts]
        return _with_missing(counts, expected, options.missing)
    return collected(counts)


def gold_topics(groups: GroupedRows) -> tuple[str, ...]:
    """The topics of rows that gold has, in order: what a run says of others makes no topic."""
    return tuple(in_order({topic for topic, label in zip(groups.topic, groups.gold, strict=True) if label is not None}))


def gold_identity(
    tables: KeyedTable, gold: GroupedRows, groups: GroupedRows, codes: Mapping[Any, int]
) -> tuple[str] | Callable[[], str]:
    """A name for the items that gold consists of: the same for the same items, whatever the runs; without ids by their places,
    or else by what the runs say of them. It is left to whoever asks where it takes as long as counting them, or brings the items'
    ids from a cluster."""
    if isinstance(tables, WideTable) and isinstance(tables.wide, WideArrays):
        return partial(tables.wide.identity, dict(codes))
    if tables.has_items and not tables.is_here:
        return partial(_read_identity, tables, gold, groups)
    return (_read_identity(tables, gold, groups),)


def _read_identity(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows) -> str:
    with tables.reading():
        return _identity(tables, gold, groups)


def _identity(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows) -> str:
    if tables.gold is not None:
        return f"{int(gold.items.sum())}:{tables.engine.digest(tables.gold, tables.keys)}"
    if not tables.has_items:
        rows = sorted(map(str, zip(groups.run, groups.topic, groups.gold, groups.label, groups.items.tolist(), strict=True)))
        return hashlib.sha256("\n".join([*tables.names, *rows]).encode()).hexdigest()[:16]
    if isinstance(tables, WideTable):
        return str(tables.wide.identity())
    first = [row for row, run in enumerate(groups.run) if run == 0]
    if tables.is_here:
        digest = int(groups.digest[first].sum())
    else:
        digest = tables.engine.digest(tables.one(0), [*tables.keys, "gold", *(["weight"] if tables.has("weight") else [])])
    return f"{int(groups.items[first].sum())}:{digest}"


def extra_notes(tables: KeyedTable, groups: GroupedRows) -> tuple[str, ...]:
    """Rows on items that gold does not have; the audit has let them pass."""
    if tables.gold is None:
        return ()
    strange = np.array([label is None for label in groups.gold], dtype=bool)
    outside = sums((len(tables.names),), np.array(groups.run, dtype=np.int64)[strange], groups.items[strange])
    each = zip(tables.names, outside.tolist(), strict=True)
    return tuple(said_of_extra(name, number) for name, number in each if number)


def _signs_of(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows, scale: Scale) -> tuple[str, ...]:
    """Labels of gold and runs that are numbers with another sign than their classes."""
    own = zip(groups.run, groups.gold, groups.label, groups.items.tolist(), strict=True)
    said = [(run, label, items) for run, known, label, items in own if known is not None]
    if tables.gold is not None:
        of_gold = list(zip(gold.gold, gold.items.tolist(), strict=True))
    else:
        beside = zip(groups.run, groups.gold, groups.items.tolist(), strict=True)
        of_gold = [(label, items) for run, label, items in beside if run == 0]
    notes = sign_notes(scale, [("gold", label, items) for label, items in of_gold])
    return notes + sign_notes(scale, [(tables.names[run], label, items) for run, label, items in said])


def sign_notes(scale: Scale, labels: Sequence[tuple[str, Any, int]]) -> tuple[str, ...]:
    """How many labels of whom, so often each, are read as a class that is written with another sign."""
    read_as = {label: scale.signed_otherwise(label) for label in {label for _, label, _ in labels} - {None}}
    found: dict[str, Counter[str]] = {}
    for whose, label, number in labels if any(read_as.values()) else ():
        if read_as.get(label) is not None:
            found.setdefault(whose, Counter())[label] += number
    notes = []
    for whose, times in found.items():
        pairs = [say("'{label}' as '{other}'", label=label, other=str(read_as[label])) for label in sorted(times)]
        shown = first_of(pairs, _MOST_SIGNS)
        notes.append(
            note(
                "rows read otherwise",
                "{whose}: {labels} with another sign read as the same number ({shown})",
                whose=whose,
                labels=counted(times.total(), "label"),
                shown=shown,
            )
        )
    return tuple(notes)


def _beyond_notes(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows) -> tuple[str, ...]:
    """Labels beyond the ends of the scale, which the bins have put into the end classes."""
    run = np.array(groups.run, dtype=np.int64)
    per_run = sums((len(tables.names),), run, groups.beyond)
    of_gold = gold.gold_beyond.sum() if tables.gold is not None else groups.gold_beyond[run == 0].sum()
    return tuple(
        note(
            "rows read otherwise",
            "{name}: {labels} beyond the ends of the scale counted in the end classes",
            name=name,
            labels=counted(number, "label"),
        )
        for name, number in zip(("gold", *tables.names), (of_gold, *per_run), strict=True)
        if number
    )


def _with_missing(counts: LabelCounts, expected: Sequence[Integers], policy: str) -> LabelCounts:
    """What each run lacks left out, or counted as answers of a stand-in class; and a note of how many there were. ``expected``
    are the items that each run should have answered and their weights, (topics, C) or (runs, topics, C)."""
    shape, places = (len(counts.runs), *counts.gold.shape), tuple(counts.cells[:, :3].T)
    answers = (sums(shape, places, amount) for amount in (counts.items, counts.weights))
    items, weights = (whole - answered for whole, answered in zip(expected, answers, strict=True))
    stand_in = None if policy in LEFT_OUT else stand_ins(counts.scale, policy)
    either = np.zeros(len(counts.scale), bool) if stand_in is None else stand_in != stand_ins(counts.scale, policy, lower=True)
    counts = replace(counts, notes=(*counts.notes, *said_of_missing(counts.runs, items, either, policy)))
    if stand_in is None:
        return collected(counts)
    absent = np.argwhere(items > 0)

    def filled(answers: Integers) -> LabelCounts:
        at = tuple(absent.T)
        return collected(
            replace(
                counts,
                cells=np.concatenate([counts.cells, np.column_stack([absent, answers[absent[:, 2]]])]),
                items=np.concatenate([counts.items, items[at]]),
                weights=np.concatenate([counts.weights, weights[at]]),
            )
        )

    lower = filled(stand_ins(counts.scale, policy, lower=True)) if items[..., either].any() else None
    return replace(filled(stand_in), lower=lower)
