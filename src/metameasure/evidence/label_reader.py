"""Labels in every shape of the interface as a keyed table.

Beside the labels there may be matrices: items down, a column for each run, a file for each thing that runs say of their items.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from metameasure.core.errors import NoRuns, UsageError, did_you_mean
from metameasure.core.lazily import nw
from metameasure.core.messages import option, say
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.values import Kind, nothing
from metameasure.evidence.labels import numbers_of
from metameasure.evidence.side_by_side import LabelColumns, Wide, WideArrays, WideTable, arrays_side_by_side
from metameasure.evidence.wide_query import wide_query
from metameasure.reading.engine import Engine, Frame, Picked, asking, distinct, reading, rows
from metameasure.reading.frames import ClusterFrame, Sequences, is_sequence, labels_in_order, on_this_machine
from metameasure.reading.inputs import GoldAndRuns, check_named, missing_columns, one_source, open_inputs, require
from metameasure.reading.joining import (
    KeyedTable,
    Wanted,
    beside_each_other,
    check_no_ids,
    check_run_columns,
    first_keys,
    joined_later,
    renumbering,
    repeated_keys,
    runs_of,
)
from metameasure.reading.key_faults import Faults, Found, Keys, Standing
from metameasure.reading.options import Columns, ReadOptions
from metameasure.reading.parts import Parts
from metameasure.reading.sources import Rows, Source

ORDERS = ("confidence", "rank", "score", "score_rank")
_OPTIONAL: dict[str, Kind] = {"item": "text", "topic": "text", "weight": "number"}


@dataclass(frozen=True)
class LabelReader:
    """How labels are read: as numbers where they are to be cut into classes; with the columns that order items or without."""

    options: ReadOptions
    label: Kind = "text"
    orders: bool = False
    matrices: Mapping[str, Any] = field(default_factory=dict)
    """Files or frames with a column for each run, by what they hold: ``label``, or one of the columns that order items."""
    ignore_extra: bool = False
    """Whether matrices may have items that gold lacks."""
    declared: frozenset[str] = frozenset()
    """Which of the columns ``cluster`` (in gold) and ``repeat`` (in runs) are declared: nothing is taken for one unasked."""
    gold_is: str = "gold"
    """What messages call the data that runs are joined to."""

    @contextmanager
    def opened(self, gold: Any, runs: Any, *, alone: bool = False) -> Iterator[KeyedTable]:
        """The table, while the files it comes from are needed. ``alone`` takes gold as its own only run."""
        in_memory = not isinstance(gold, str | Path) and is_sequence(gold) and not self.matrices  # which needs no folder
        with nullcontext("") if in_memory else tempfile.TemporaryDirectory(prefix="metameasure-") as scratch, asking():
            yield self.gold_alone(gold, Path(scratch)) if alone else self.table(gold, runs, Path(scratch))

    def table(self, gold: Any, runs: Any, scratch: Path) -> KeyedTable:
        """UsageError for a call that is wrong, DataProblems for files that are."""
        self._check_matrices()
        inputs = self._called(open_inputs(gold, runs, self.options, scratch))
        if isinstance(inputs.gold, Sequences) and any(isinstance(matrix, Mapping) for matrix in self.matrices.values()):
            return self._of_sequences_in_order(inputs.gold)
        opened = {
            role: one_source(matrix, f"the matrix of {role}s", self.options, scratch, "run", plain=True)
            for role, matrix in self.matrices.items()
        }
        labels = opened.pop("label", None)
        table = self.of_inputs(inputs) if labels is None else self._matrix_of_labels(inputs, labels)
        for role, source in opened.items():
            orders = table.orders or (frozenset(),) * len(table.names)
            chosen = bool(self.options.run_columns)
            table = _with_order(replace(table, orders=orders), role, source, chosen=chosen, extra=self.ignore_extra)
        if self.matrices and self.orders:  # every run has the columns, if only empty ones
            lacking = {role: nothing("number") for role in ORDERS if role not in table.runs.collect_schema().names()}
            table = replace(table, runs=table.runs.with_columns(**lacking)) if lacking else table
        return table

    def _called(self, inputs: GoldAndRuns) -> GoldAndRuns:
        """The inputs whose messages call gold what it is."""
        if self.gold_is == "gold":
            return inputs
        runs: Any = (replace(source, words={**source.words, "gold": self.gold_is}) for source in inputs.runs)
        return replace(inputs, runs=tuple(runs))

    def _check_matrices(self) -> None:
        """UsageError for matrices that nobody reads."""
        for role in self.matrices:
            known = ("label", *ORDERS)
            if role not in known:
                raise UsageError(
                    f"there is no matrix of '{role}'", hint=did_you_mean(role, known) or f"choose {', '.join(known)}"
                )
            if role != "label" and not self.orders:
                raise UsageError(
                    say("{matrix} is not for the task classification", matrix=option(f"{role.replace('_', '-')}-matrix")),
                    hint=say("add {--task entailment}"),
                )
            if "repeat" in self.declared:
                raise UsageError(
                    "a matrix has one output of a run for an item", hint=say("leave out {--repeat-column}, or the matrix")
                )

    def of_inputs(self, inputs: GoldAndRuns) -> KeyedTable:
        engine = Engine.of(self.options)
        if inputs.runs:
            return self._long(engine, inputs)
        columns, source = self.options.of_gold().columns, inputs.gold
        if isinstance(source, Sequences):
            return self._of_sequences(engine, source, columns)
        if {columns.run, columns.gold, columns.label} <= set(source.columns):
            return self._stacked(engine, source)
        if columns.gold in source.columns:
            return self._side_by_side(engine, source)
        if isinstance(here := on_this_machine(source), Parts):
            said = "'{folder}' is a folder, and its files have no column '{column}'"
            raise NoRuns(say(said, folder=source.shown, column=columns.gold), hint=here.by_name())
        are_scores = {columns.run, columns.score} <= {*source.columns}
        side_by_side = say("name the runs too, or a table with gold and runs side by side ({--gold-column})")
        raise NoRuns(
            say("there are no runs beside '{file}', and it has no column '{column}'", file=source.shown, column=columns.gold),
            hint="scores are for compare, ranks, report, advise and meta" if are_scores else side_by_side,
        )

    def _of_sequences(self, engine: Engine, source: Sequences, columns: Columns) -> KeyedTable:
        """Plain sequences. Where matrices stand beside them, items go by their number."""
        wide = arrays_side_by_side(source, self.label, columns.gold)
        names, rows = wide.names[1:], wide.source
        if not self.matrices:
            return _named_apart(self._wide(engine, wide, names, rows))
        shared: Wanted = {"gold": (columns.gold, self.label), "item": (columns.item, "text")}
        with_ids = rows.with_ids(columns.item)
        frame = beside_each_other(engine, with_ids, shared, names, self.label, "label")
        return _named_apart(self._joined(engine, frame, names, with_ids, "side by side"))

    def _of_sequences_in_order(self, source: Sequences) -> KeyedTable:
        """Plain sequences, and beside them what the runs say of their items, in sequences too."""
        table = replace(self, matrices={}).of_inputs(GoldAndRuns(source))
        assert isinstance(table, WideTable)  # noqa: S101 - sequences are
        said = {}
        for role, matrix in self.matrices.items():
            if role not in ORDERS or not isinstance(matrix, Mapping):
                hint = "pass {'svm': numbers, ...} for each of " + ", ".join(ORDERS)
                raise UsageError(f"gold is a sequence of labels, but the matrix of {role}s is not sequences by run", hint=hint)
            said[role] = {str(name): numbers_of(values, f"the {role} of '{name}'") for name, values in matrix.items()}
            for name, values in said[role].items():
                if name not in table.names:
                    raise UsageError(
                        say("there is no run '{run}'", run=name),
                        hint=did_you_mean(name, table.names) or say("the runs are {runs}", runs=", ".join(table.names)),
                    )
                if len(values) != table.wide.size:
                    raise UsageError(
                        f"{table.wide.size} gold labels but {len(values)} {role}s of '{name}'",
                        hint="give one per item, in the same order",
                    )
        orders = tuple(frozenset(role for role in said if name in said[role]) for name in table.names)
        return replace(table, orders=orders, said=said)

    def gold_alone(self, gold: Any, scratch: Path) -> KeyedTable:
        """Gold as a run that is right about everything: for what depends on gold alone."""
        source = labels_in_order(gold, "gold") if is_sequence(gold) else one_source(gold, "gold", self.options, scratch)
        check_named(self.options, source)
        name = gold_label_column(source.columns, self.options.of_gold().columns)
        require(source, {"label": name, **self._clusters()})
        shared = {"gold": (name, self.label), **self._optional(source)}
        engine = Engine.of(self.options)
        frame = beside_each_other(engine, source, shared, [name], self.label, "label")
        table = self._joined(engine, frame, ("gold",), source, "stacked")
        columns = replace(table.columns, gold=name, label=name)
        return replace(table, columns=columns, gold_columns=columns)

    def _long(self, engine: Engine, inputs: GoldAndRuns) -> KeyedTable:
        columns, own, gold = self.options.columns, self.options.of_gold().columns, inputs.gold
        gold_label = gold_label_column(gold.columns, own)
        roles = {"item": columns.item, "label": columns.label}
        needed = {own.item, gold_label, *roles.values()}
        problems = missing_columns(gold, {"item": own.item, "label": gold_label, **self._clusters()})
        problems += [problem for source in inputs.runs for problem in missing_columns(source, roles)]
        strangers = all(len(one.columns) > 1 and not needed & {*one.columns} for one in (gold, *inputs.runs))
        if strangers and len(problems) == 1 + len(inputs.runs):
            scores = "{hint}; if each file has the scores of a run, use {metameasure compare --one-file-per run}"
            raise DataProblems([replace(problems[0], hint=say(scores, hint=problems[0].hint))])
        if problems:
            raise DataProblems(sorted(problems))
        self._check_repeats(inputs.runs)
        of_gold = Picked(gold, {"gold": (gold_label, self.label), **self._optional(gold)})
        # What a run is joined by depends on its own columns, whatever runs stand beside it.
        topicless = frozenset(
            place for place, source in enumerate(inputs.runs) if own.topic in gold.columns and columns.topic not in source.columns
        )
        if topicless:
            self._check_topics(engine, of_gold, [inputs.runs[place] for place in sorted(topicless)])
        with_topic = own.topic in gold.columns and len(topicless) < len(inputs.runs)
        keys = ("topic", "item") if with_topic else ("item",)
        picked = [Picked(source, self._of_run(source, keys)) for source in inputs.runs]
        facts = {"columns": columns, "gold_columns": own}
        if not inputs.stacked:
            orders = tuple(self.orders_in(source) for source in inputs.runs)
            topicless = topicless if with_topic else frozenset()
            return joined_later(engine, of_gold, picked, inputs.names, keys, orders=orders, topicless=topicless, **facts)
        (one,) = picked
        frame, names = runs_of(engine, Picked(one.source, {"run": (columns.run, "text"), **one.columns}))
        if not names:
            raise UsageError("there are no runs", hint=say("the column '{column}' is empty", column=columns.run))
        table = joined_later(engine, of_gold, [one], ("run",), keys, **facts)
        _, frame = engine.in_one_place(table.gold, frame, len(names))
        sources, orders = (one.source,) * len(names), (self.orders_in(one.source),) * len(names)
        return replace(table, runs=frame, names=names, run_sources=sources, orders=orders, picked=())

    def _of_run(self, source: Source, keys: Sequence[str]) -> Wanted:
        """What is read of a run; a column of topics that it lacks is empty."""
        columns = self.options.columns
        named = {key: getattr(columns, key) for key in keys}
        of_keys: Wanted = {key: (name if name in source.columns else None, "text") for key, name in named.items()}
        return {**of_keys, "label": (columns.label, self.label), **self._repeat(source), **self._orders(source)}

    def _check_topics(self, engine: Engine, gold: Picked, runs: Sequence[Source]) -> None:
        """DataProblems for runs without topics, where an id alone does not say which item of gold is meant."""
        columns = {role: gold.columns[role] for role in ("item", "topic")}
        with reading([gold.source]):
            pairs = distinct(engine.scan([Picked(gold.source, columns)]).drop("source"), "item", "topic")
            pairs = pairs.filter(~nw.col("item").is_null() & ~nw.col("topic").is_null())
            some, total = repeated_keys(pairs, ("item",))
        if total:
            what = say("there is no column '{topic}'", topic=self.options.columns.topic)
            hint = say("add the column: gold has item '{item}' in several topics", item=some[0][0])
            raise DataProblems([source.problem(source.header_line, what, hint) for source in runs])

    def _stacked(self, engine: Engine, source: Source) -> KeyedTable:
        columns = self.options.of_gold().columns
        roles: Wanted = {
            "run": (columns.run, "text"),
            "gold": (columns.gold, self.label),
            "label": (columns.label, self.label),
            **self._optional(source),
            **self._repeat(source),
            **self._orders(source),
        }
        require(source, self._clusters())
        self._check_repeats([source])
        frame, names = runs_of(engine, Picked(source, roles))
        if not names:
            raise source.error(0, "there are no rows", "it needs one per run and item")
        return self._joined(engine, frame, names, source, "stacked", (self.orders_in(source),) * len(names))

    def _side_by_side(self, engine: Engine, source: Source) -> KeyedTable:
        """Gold and runs in one table. Items need no ids: they go by their place."""
        columns, standard = self.options.of_gold().columns, Columns()
        needed = (
            {}
            if columns.item == standard.item and not self.matrices and not self.declared & {"repeat"}
            else {"item": columns.item}
        )
        problems = missing_columns(source, {**needed, **self._clusters()})
        self._check_repeats([source])
        names = self._run_columns(source, columns, problems)
        optional = self._optional(source)
        if isinstance(source, ClusterFrame) or self.matrices or "repeat" in self.declared:
            shared = {"gold": (columns.gold, self.label), **optional, **self._repeat(source)}
            frame = beside_each_other(engine, source, shared, names, self.label, "label")
            return self._joined(engine, frame, names, source, "side by side")
        if isinstance(source, Rows) and "item" not in optional:
            rows, shared_columns = (
                LabelColumns.of(source),
                {role: name for role, (name, _) in optional.items() if name is not None},
            )
            return self._wide(engine, WideArrays(rows, (columns.gold, *names), shared_columns, self.label), names, rows)
        if "item" not in optional:  # then rows are known by their order
            engine = Engine.of(self.options, ordered=True)
        return self._wide(engine, wide_query(engine, source, columns.gold, names, optional, self.label), names, source)

    def _wide(self, engine: Engine, wide: Wide, names: tuple[str, ...], source: Source) -> WideTable:
        columns = self.options.of_gold().columns
        keys = ("topic", "item") if wide.has("topic") else ("item",)
        sources = (source,) * len(names)
        return WideTable(engine, None, None, names, keys, columns, columns, sources, source, "side by side", wide=wide)

    def _run_columns(self, source: Source, columns: Columns, problems: Sequence[Problem] = ()) -> tuple[str, ...]:
        """The columns that are runs. DataProblems where one is not there, beside other problems of the source."""
        roles = {columns.item, columns.topic, columns.gold, columns.weight, *(getattr(columns, role) for role in self.declared)}
        names = self.options.run_columns or tuple(name for name in source.columns if name not in roles)
        check_run_columns(names, columns.gold)
        if not self.options.run_columns and columns.item not in source.columns:
            check_no_ids(names)
        unknown = [source.no_column(name) for name in names if name not in source.columns]
        if problems or unknown:
            raise DataProblems([*problems, *unknown])
        if not names:
            raise UsageError(f"'{source.shown}' has no column for a run", hint="beside item and gold it needs one per run")
        return names

    def _matrix_of_labels(self, inputs: GoldAndRuns, source: Source) -> KeyedTable:
        """Gold apart, and a column of labels for each run."""
        if inputs.runs:
            raise UsageError("there are files of runs and a matrix of their labels", hint="leave out one or the other")
        columns, own, gold = self.options.columns, self.options.of_gold().columns, inputs.gold
        label = gold_label_column(gold.columns, own)
        problems = missing_columns(gold, {"item": own.item, "label": label, **self._clusters()})
        names = self._run_columns(source, columns, [*problems, *missing_columns(source, {"item": columns.item})])
        keys = ("topic", "item") if own.topic in gold.columns and columns.topic in source.columns else ("item",)
        engine = Engine.of(self.options)
        shared: Wanted = {key: (getattr(columns, key), "text") for key in keys}
        runs = beside_each_other(engine, source, shared, names, self.label, "label")
        with reading([gold]):
            picked = Picked(gold, {"gold": (label, self.label), **self._optional(gold)})
            of_gold, runs = engine.in_one_place(engine.scan([picked]).drop("source"), runs, len(names))
            of_gold = engine.as_gold(of_gold, keys)
        sources = (source,) * len(names)
        return KeyedTable(engine, runs, of_gold, names, keys, columns, replace(own, gold=label), sources, gold, "side by side")

    def _joined(
        self, engine: Engine, frame: Any, names: tuple[str, ...], source: Source, shape: Any, orders: Any = ()
    ) -> KeyedTable:
        """Rows that have gold beside the runs' labels."""
        columns = self.options.of_gold().columns
        keys = ("topic", "item") if columns.topic in source.columns else ("item",)
        return KeyedTable(engine, frame, None, names, keys, columns, columns, (source,) * len(names), source, shape, orders)

    def _optional(self, source: Source) -> dict[str, tuple[str | None, Kind]]:
        """The columns that gold may have: item, topic, weight, and cluster where it is declared."""
        columns = self.options.of_gold().columns
        wanted: dict[str, Kind] = {**_OPTIONAL, **dict.fromkeys(self._clusters(), "text")}
        return {role: (getattr(columns, role), kind) for role, kind in wanted.items() if getattr(columns, role) in source.columns}

    def _clusters(self) -> dict[str, str]:
        """The column that says which items belong together, where it is declared: gold must have it."""
        return {"cluster": self.options.of_gold().columns.cluster} if "cluster" in self.declared else {}

    def _repeat(self, source: Source) -> dict[str, tuple[str | None, Kind]]:
        """The column that tells a run's outputs for one item apart, where it is declared; a run may have one output each."""
        if "repeat" not in self.declared:
            return {}
        name = self.options.columns.repeat
        return {"repeat": (name if name in source.columns else None, "text")}

    def _check_repeats(self, sources: Sequence[Source]) -> None:
        name = self.options.columns.repeat
        if "repeat" in self.declared and not any(name in source.columns for source in sources):
            raise UsageError(say("no run has a column '{column}'", column=name), hint=say("check {--repeat-column}"))

    def _orders(self, source: Source) -> dict[str, tuple[str | None, Kind]]:
        """The columns by which a run orders its items, where they are asked for; empty where the source lacks one."""
        had = self.orders_in(source)
        if not self.orders:
            return {}
        return {role: (getattr(self.options.columns, role) if role in had else None, "number") for role in ORDERS}

    def orders_in(self, source: Source) -> frozenset[str]:
        """Which of the columns that order items are there, where they are asked for. A column that the user names for one role is
        not taken for another by its name."""
        columns, standard = self.options.columns, Columns()
        named = {getattr(columns, role) for role in ORDERS if getattr(columns, role) != getattr(standard, role)}
        return frozenset(
            role
            for role in ORDERS
            if self.orders
            and (name := getattr(columns, role)) in source.columns
            and (name not in named or name != getattr(standard, role))
        )


def _named_apart(table: KeyedTable) -> KeyedTable:
    """The same table, made of sequences, where messages say which run's is wrong."""
    beside: Any = table.gold_source
    return replace(table, run_sources=tuple(replace(beside, shown=f"run '{name}'") for name in table.names))


def gold_label_column(present: tuple[str, ...], columns: Columns) -> str:
    """Where a gold table has its labels: in the column that the user names for gold, or else in ``label``, or in ``gold``."""
    if columns.gold in present and (columns.gold != Columns().gold or columns.label not in present):
        return columns.gold
    return columns.label


def _with_order(table: KeyedTable, role: str, source: Source, *, chosen: bool, extra: bool) -> KeyedTable:
    """The table with what a matrix says of its items: how sure runs are of them, or how strongly they believe in the positive
    class. A run that has no column in it says nothing. ``chosen``: not all columns need be runs; ``extra``: nor all rows items.
    """
    names = _columns_of_runs(table, role, source, chosen=chosen)
    twice = [name for name, had in zip(table.names, table.orders, strict=True) if role in had and name in names]
    if twice:
        raise UsageError(
            say("run '{run}' has a {what} already", run=twice[0], what=role.replace("_", " ")),
            hint=say("leave out {matrix}", matrix=option(f"{role.replace('_', '-')}-matrix")),
        )
    table = table.here()
    shared: Wanted = {key: (getattr(table.columns, key), "text") for key in table.keys}
    matrix = table.engine.here(beside_each_other(table.engine, source, shared, names, "number", "in matrix"), run=len(names))
    problems = _matrix_problems(table, source, matrix.filter(nw.col("run") == 0).select(*table.keys), extra=extra)
    if problems[0]:
        raise DataProblems(*problems)
    # Columns of the matrix by number become the runs of the table by number.
    run = renumbering("run", {number: table.names.index(name) for number, name in enumerate(names)})
    own = table.runs if role in table.runs.collect_schema().names() else table.runs.with_columns(nothing("number").alias(role))
    joined = own.join(matrix.with_columns(run), on=["run", *table.keys], how="left")
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
    hint = say("the runs are {runs}", runs=", ".join(table.names))
    if not chosen:
        problems += [
            source.problem(1, say("there is no run '{run}'", run=name), did_you_mean(name, table.names) or hint)
            for name in present
            if name not in known
        ]
    if not known and not problems:
        problems = [
            source.problem(1, say("there is no column with the {replace}s of a run", replace=role.replace("_", " ")), hint)
        ]
    if problems:
        raise DataProblems(sorted(problems))
    return known


def _matrix_problems(table: KeyedTable, source: Source, own: Frame, *, extra: bool) -> Faults:
    """What is wrong with the items of a matrix: no id, twice, not in gold, or missing."""
    keys, named = list(table.keys), Keys(table.keys, table.columns)
    again, total = repeated_keys(own, keys)
    empty = {key: rows(own.filter(nw.col(key).is_null())) for key in keys}
    problems = Standing(empty, Found(total, lambda: again)).problems(named, source, again="keep one row per item")
    if problems[0]:
        return problems
    gold = distinct(table.described, *keys)
    unknown, missing = own.join(gold, on=keys, how="anti"), gold.join(own, on=keys, how="anti")
    standing = Standing(
        unknown=Found() if extra else Found(rows(unknown), partial(first_keys, unknown, keys)),
        lacking=Found(rows(missing), partial(first_keys, missing, keys)),
    )
    return standing.problems(
        named, source, again="",
        unknown=say("remove the row, or choose {--extra ignore}"),
        lacking="add a row for it; it may be empty for runs that do not answer the item",
    )  # fmt: skip
