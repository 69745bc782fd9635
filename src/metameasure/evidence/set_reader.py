"""Sets of labels in every shape of the interface: ``a|b`` or a list in a column, a column for each label, or arrays.

Each set that occurs is a class to the reader of labels, which joins and audits them; what its labels are is looked up once for
each set, not for each item.
"""

from __future__ import annotations

import ast
import csv
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import option, say
from metameasure.core.problems import DataProblems
from metameasure.core.scale import Scale, require, text_of
from metameasure.core.values import Kind, is_missing, number_of
from metameasure.evidence.counting import audited, extra_notes, gold_identity, gold_topics, grouped
from metameasure.evidence.counts import ONE_TOPIC, LabelCounts
from metameasure.evidence.label_reader import LabelReader
from metameasure.evidence.label_sets import Indicators, LabelSets, as_one
from metameasure.evidence.missing import said_of_missing
from metameasure.evidence.outputs import Outputs, item_outputs
from metameasure.evidence.preparing import CountOptions, prepared, refuse_weights
from metameasure.evidence.side_by_side import WideTable
from metameasure.reading.engine import Engine, Picked, asking, fetch, reading
from metameasure.reading.frames import is_matrix, is_sequence
from metameasure.reading.inputs import GoldAndRuns, open_inputs
from metameasure.reading.joining import KeyedTable
from metameasure.reading.key_faults import located
from metameasure.reading.options import Columns
from metameasure.reading.sources import Record, Rows, Source, text_array

NOTHING = "[]"
"""A set without labels, as it is written."""
_BETWEEN = "|"
_NOT_LABELS = ("item", "topic", "cluster", "run", "weight")
_NEITHER = 2  # the number of a cell that is neither 0 nor 1


@dataclass(frozen=True)
class SetOptions(CountOptions):
    """How sets of labels are counted."""

    @property
    def policies(self) -> str:
        return say("{--missing drop}, or {--missing empty} for a set without labels")


def labels_in(text: str) -> list[str]:
    """The labels that a text names: ``a|b``, or a list as JSON, Python or a database writes it."""
    text = text.strip()
    if text in ("", NOTHING, "set()", "frozenset()"):
        return []
    if text[0] in "[{(" and text[-1] in "]})":
        return [text_of(label) for label in _listed(text)]
    if text.startswith("frozenset({"):
        return labels_in(text.removeprefix("frozenset(").removesuffix(")"))
    return [part.strip() for part in text.split(_BETWEEN) if part.strip()]


def _listed(text: str) -> Iterable[Any]:
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(text)
        except (ValueError, SyntaxError):
            continue
        if isinstance(found, list | tuple | set) and not any(isinstance(one, list | dict | tuple | set) for one in found):
            return found
        return [text]  # nothing that is a set of labels: the whole text is no class
    return next(csv.reader([text[1:-1]], quotechar="'", skipinitialspace=True))


@dataclass(frozen=True)
class SetScale(Scale):
    """The declared labels, where what is looked for are sets of them: of those that occur, each has a number."""

    numbers: Mapping[int, int] = field(default_factory=dict, compare=False)
    """By the bits of its labels, the number of each set."""
    known: dict[str, int | None] = field(default_factory=dict, compare=False)
    """The bits of the labels that a text names, each read once; None where one of them is not declared."""

    @classmethod
    def among(cls, scale: Scale, texts: Iterable[str]) -> SetScale:
        """The sets that texts stand for, as far as all of their labels are declared."""
        places: dict[str, int | None] = {}
        known = {text: _bits(scale, text, places) for text in texts}
        ordered = sorted({one for one in known.values() if one is not None})
        return cls(scale.labels, "nominal", numbers={found: number for number, found in enumerate(ordered)}, known=known)

    def __len__(self) -> int:
        return len(self.numbers)

    def find(self, label: Any) -> int | None:
        text = str(label)
        if text not in self.known:
            self.known[text] = _bits(Scale(self.labels, "nominal"), text, {})
        found = self.known[text]
        return None if found is None else self.numbers.get(found)

    def signed_otherwise(self, label: Any) -> str | None:
        return None

    def indicators(self) -> Indicators:
        """(sets, L)."""
        width = (len(self.labels) + 7) // 8
        packed = np.frombuffer(b"".join(bits.to_bytes(width, "little") for bits in self.numbers), dtype=np.uint8)
        return np.unpackbits(packed.reshape(-1, width), axis=1, count=len(self.labels), bitorder="little")


def _bits(scale: Scale, text: str, known: dict[str, int | None]) -> int | None:
    """The labels that a text names as bits; None where one of them is not declared. ``known`` are those of labels seen before."""
    bits = 0
    for label in labels_in(text):
        if label not in known:
            place = scale.find(label)
            known[label] = None if place is None else 1 << place
        bit = known[label]
        if bit is None:
            return None
        bits |= bit
    return bits


@dataclass(frozen=True, eq=False)
class _OfColumns(Rows):
    """Rows whose sets stood in a column for each label; the lines are those of the source."""

    source: Source | None = None
    labels: tuple[str, ...] = ()
    under: str = "label"

    def records(self) -> Iterator[Record]:
        assert self.source is not None  # noqa: S101 - it is made of one
        for record in self.source.records():
            given = [name for name in self.labels if _cell(record.values.get(name)) == 1]
            yield Record(record.line, {**record.values, self.under: json.dumps(given)}, record.fault, record.hint)


def _cell(value: Any) -> float | None:
    """1 or 0, of numbers and of true and false; None for anything else."""
    known = {"true": 1.0, "false": 0.0}.get(str(value).strip().lower())
    number = known if known is not None else None if is_missing(value) else number_of(value)
    return number if number in (0, 1) else None


@dataclass(frozen=True)
class SetReader:
    """How sets of labels are read. ``missing`` is what becomes of items that a run lacks."""

    labels: LabelReader
    scale: Scale | None
    count: SetOptions
    named: bool = False
    """Whether the items' names are kept."""

    def read(self, gold: Any, runs: Any, *, alone: bool = False) -> LabelSets:
        """DataProblems for what is wrong. ``alone`` takes gold as its own only run."""
        if is_matrix(gold) or is_sequence(gold):
            return self._of_arrays(gold, {"gold": gold} if alone else runs)
        with self._opened(gold, runs, alone=alone) as tables:
            return self._of_tables(tables)

    @contextmanager
    def _opened(self, gold: Any, runs: Any, *, alone: bool) -> Iterator[KeyedTable]:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch, asking():
            inputs = open_inputs(gold, None if alone else runs, self.labels.options, Path(scratch))
            of_gold, of_runs = self.labels.options.of_gold().columns, self.labels.options.columns
            engine = Engine.of(self.labels.options, ordered=True)
            first = with_sets(inputs.gold, of_gold, self.scale, engine)
            if alone:
                yield self._alone(first, of_gold)
                return
            named: Any = tuple(with_sets(source, of_runs, self.scale, engine) for source in inputs.runs)
            yield self.labels.of_inputs(replace(inputs, gold=first, runs=named))

    def _alone(self, gold: Source, columns: Columns) -> KeyedTable:
        """Gold as a run that is right about everything."""
        label = columns.label if columns.label in gold.columns else columns.gold
        plain = replace(columns, label=label, gold=columns.gold if label != columns.gold else "")
        options = replace(self.labels.options, columns=plain, gold_columns=None)
        return replace(self.labels, options=options).of_inputs(GoldAndRuns(gold, (gold,), ("gold",)))

    def _of_tables(self, tables: KeyedTable) -> LabelSets:
        refuse_weights(tables, "sets of labels")
        ready, _ = prepared(_with_empty_sets(tables.here()), self.count)
        gold, groups = grouped(ready)
        texts = {*gold.gold, *groups.gold, *groups.label} - {None}
        scale = self.scale or require(None, {label for text in texts for label in labels_in(text)})
        stand_in = [(self.count.missing or "").removeprefix("class:")] if self.count.missing not in (None, "drop") else []
        sets = SetScale.among(scale, [*texts, *stand_in])
        codes = audited(ready, gold, groups, sets, self.count)
        topics = gold_topics(gold if ready.gold is not None else groups)
        outputs = item_outputs(ready, _counts_of_none(sets, ready.names, topics), self.count.missing, named=self.named)
        identity = gold_identity(ready, gold, groups, codes)
        parts = (identity(),) if callable(identity) else identity
        found = self._evidence(scale, sets.indicators(), outputs, topics, parts)
        return replace(found, notes=(*dict.fromkeys(ready.notes), *extra_notes(ready, groups), *found.notes))

    def _evidence(
        self, scale: Scale, sets: Indicators, outputs: Outputs, topics: tuple[str, ...], parts: tuple[str, ...]
    ) -> LabelSets:
        order = np.argsort(outputs.topic, kind="stable")
        in_order = bool((np.diff(outputs.topic) >= 0).all())
        said: Any = outputs.labels if in_order else outputs.labels[:, order]  # of very many, a copy is large
        cluster = None if outputs.cluster is None else outputs.cluster[order]
        lacking = np.array([int((own < 0).sum()) for own in said], dtype=np.int64).reshape(-1, 1, 1)
        notes = said_of_missing(outputs.runs, lacking, np.zeros(1, dtype=bool), self.count.missing or "drop")
        return LabelSets(
            Scale(scale.labels, "nominal"), outputs.runs, topics, sets, outputs.gold[order], said, outputs.topic[order], cluster,
            parts, self.settings, tuple(notes), None if outputs.names is None else tuple(map(str, outputs.names[order])),
        )  # fmt: skip

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """What the signature has to say of how they are read."""
        shown = {"missing": "empty"} if self.count.missing == f"class:{NOTHING}" else {}
        return tuple((name, shown.get(name, value)) for name, value in self.count.settings())

    def _of_arrays(self, gold: Any, runs: Any) -> LabelSets:
        """Indicators (items, L), or a set for each item, of gold and of each run: position is the key."""
        if not isinstance(runs, Mapping):
            raise UsageError(f"the runs are {type(runs).__name__}, not sets by run", hint="pass {'svm': sets, ...}")
        if self.count.partitions is not None:
            raise UsageError("partitions need the items' ids", hint="pass data frames with a column 'item'")
        given = {"gold": gold, **{f"run '{name}'": one for name, one in runs.items()}}
        scale = self.scale or require(None, {label for one in given.values() for label in _labels_of(one)})
        made = {name: _indicators(one, scale, name) for name, one in given.items()}
        number = len(made["gold"])
        for name, one in made.items():
            if len(one) != number:
                raise UsageError(
                    f"{number} items of gold but {len(one)} of {name}", hint="give one set per item, in the same order"
                )
        if not number:
            raise UsageError("there are no items", hint="pass a set for each item")
        sets = np.concatenate(list(made.values()))
        places = np.arange(len(sets)).reshape(-1, number)
        found = LabelSets(
            Scale(scale.labels, "nominal"), tuple(map(str, runs)), (ONE_TOPIC,), sets, places[0], places[1:],
            np.zeros(number, dtype=np.int64), settings=self.settings,
        )  # fmt: skip
        return replace(found, parts=(f"{number}:{found.digests()['gold']}",))


def with_sets(source: Source, columns: Columns, scale: Scale | None, engine: Engine) -> Source:
    """The source, with a column of sets instead of a column for each label. DataProblems for cells that are not 0 or 1."""
    if {columns.label, columns.gold} & {*source.columns}:
        return source
    others = [getattr(columns, role) for role in _NOT_LABELS]
    names = tuple(name for name in source.columns if (name not in others if scale is None else scale.find(name) is not None))
    plural = f"{columns.label}s"
    meant = plural in source.columns and (scale is None or scale.find(plural) is None)  # a column of sets, by its usual name
    if meant or not names:
        chosen = option(f"label-column {plural}" if meant else "label-column")
        hint = say("its columns are {names}: choose with {option}", names=", ".join(source.columns), option=chosen)
        what = say("there is no column '{label}', and none for a label", label=columns.label)
        raise DataProblems([source.problem(source.header_line, what, hint)])
    places = {scale.find(name) for name in names} if scale is not None else set()
    absent = [label for place, label in enumerate(scale.labels) if place not in places] if scale is not None else []
    if absent:
        what = say("there is no column for label '{label}'", label=absent[0])
        hint = say("its columns are {names}; where no item has the label, write a column of 0", names=", ".join(source.columns))
        raise DataProblems([source.problem(source.header_line, what, hint)])
    kept = [name for name in source.columns if name not in names and name in others]
    cells_of = [f"label {place}" for place in range(len(names))]
    wanted: dict[str, tuple[str | None, Kind]] = {cell: (name, "score") for cell, name in zip(cells_of, names, strict=True)}
    wanted |= {f"other {place}": (name, "text") for place, name in enumerate(kept)}
    with reading([source]):
        rows = engine.scan([Picked(source, wanted)]).drop("source").with_columns(*map(_by_number, cells_of))
        found = fetch(engine.here(rows, **dict.fromkeys(cells_of, _NEITHER + 1)))
    cells = np.stack([found[cell].astype(np.uint8) for cell in cells_of], axis=1)
    if wrong := int((cells == _NEITHER).any(axis=1).sum()):
        raise DataProblems(*_no_indicators(source, names, wrong))
    values = {name: found[f"other {place}"] for place, name in enumerate(kept)}
    values[columns.label] = _texts(cells, names)
    facts: Any = {"notes": source.notes, "words": source.words}
    return _OfColumns(source.shown, values, source=source, labels=names, under=columns.label, **facts)


def _by_number(cell: str) -> nw.Expr:
    """A cell as a whole number, many of which come from a cluster as one."""
    is_one = nw.when(nw.col(cell) == 1).then(nw.lit(1)).otherwise(nw.lit(_NEITHER))
    return nw.when(nw.col(cell) == 0).then(nw.lit(0)).otherwise(is_one).cast(nw.Int64).alias(cell)


def _with_empty_sets(tables: KeyedTable) -> KeyedTable:
    """A row without labels is a set without labels. Side by side, where an item need not be a run's, it is written as ``[]``."""
    if isinstance(tables, WideTable):
        return tables
    columns = {*tables.runs.collect_schema().names()} & {"gold", "label"}
    runs = tables.runs.with_columns(*(nw.col(name).fill_null(NOTHING) for name in sorted(columns)))
    gold = None if tables.gold is None else tables.gold.with_columns(nw.col("gold").fill_null(NOTHING))
    return replace(tables, runs=runs, gold=gold)


def _counts_of_none(scale: SetScale, runs: tuple[str, ...], topics: tuple[str, ...]) -> LabelCounts:
    """What is known of labels that are not counted: which there are."""
    nothing = np.zeros(0, dtype=np.int64)
    return LabelCounts(scale, runs, topics, np.zeros((0, 4), dtype=np.int64), nothing, nothing, nothing, nothing)


def _texts(cells: Indicators, names: Sequence[str]) -> Any:
    """The set of each row (rows,) as text."""
    _, first, place = np.unique(as_one(cells), return_index=True, return_inverse=True)
    texts = [
        json.dumps([name for name, there in zip(names, cells[row].tolist(), strict=True) if there]) for row in first.tolist()
    ]
    return text_array(texts)[place.ravel()]


def _no_indicators(source: Source, names: Sequence[str], total: int) -> Any:
    def reason(record: Mapping[str, Any], line: int) -> str | None:
        for name in names:
            if _cell(record.get(name)) is None:
                shown = "" if record.get(name) is None else record.get(name)
                return say("label '{name}' is '{value}', neither 0 nor 1", name=name, value=shown)
        return None

    return located(source, reason, None, total, "write 1 where the item has the label, and 0 where it has not",
                   ["a label is neither 0 nor 1"])  # fmt: skip


def _labels_of(given: Any) -> set[str]:
    """The labels that sets in a row name; of indicators, the numbers of their columns."""
    if _are_indicators(given):
        return {str(place) for place in range(np.asarray(given).shape[1])}
    return {label for one in given for label in _set_of(one)}


def _are_indicators(given: Any) -> bool:
    """Whether it is a matrix of numbers: an array, or rows of equal length of 0, 1, true and false."""
    if hasattr(given, "toarray"):
        return True
    if hasattr(given, "ndim"):
        return bool(given.ndim == 2)
    rows = list(given)
    return bool(rows) and all(isinstance(row, list | tuple) for row in rows) and len({len(row) for row in rows}) == 1 and all(
        isinstance(cell, bool | int | float | np.number | np.bool_) and cell in (0, 1) for row in rows for cell in row
    ) and bool(rows[0])  # fmt: skip


def _set_of(given: Any) -> list[str]:
    if isinstance(given, str):
        return labels_in(given)
    if not hasattr(given, "__len__") and is_missing(given):
        raise UsageError("a set of labels is missing (None or NaN)", hint="an item without labels has an empty set")
    try:
        return [text_of(label) for label in given]
    except TypeError:
        raise UsageError(
            f"{given!r} is no set of labels", hint="pass a set, a list or a text such as 'a|b' for each item"
        ) from None


def _indicators(given: Any, scale: Scale, what: str) -> Indicators:
    """(items, L): DataProblems or UsageError for what are no sets of the declared labels."""
    if _are_indicators(given):
        matrix = np.asarray(given.toarray() if hasattr(given, "toarray") else given)
        if matrix.shape[1] != len(scale):
            hint = "give a column for each label, in the order of the classes"
            raise UsageError(f"{what} has {matrix.shape[1]} columns for {len(scale)} labels", hint=hint)
        if matrix.dtype != bool and not ((matrix == 0) | (matrix == 1)).all():
            raise UsageError(
                f"{what} has cells that are neither 0 nor 1", hint="write 1 where an item has the label, and 0 elsewhere"
            )
        return np.ascontiguousarray(matrix, dtype=np.uint8)
    known: dict[str, int] = {label: place for place, label in enumerate(scale.labels)}
    rows, columns = [], []
    number = 0
    for number, one in enumerate(given, 1):
        for label in _set_of(one):
            place = known.get(label, scale.find(label))
            if place is None:
                raise DataProblems([Rows(what, {}).problem(number, say("label '{label}' is not one of the classes", label=label),
                                                           say("the classes are {scale}", scale=scale))])  # fmt: skip
            rows.append(number - 1)
            columns.append(place)
    made = np.zeros((number, len(scale)), dtype=np.uint8)
    made[np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)] = 1
    return made
