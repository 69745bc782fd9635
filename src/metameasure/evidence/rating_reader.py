"""Ratings in every shape of the interface, read and audited: long, wide, counts, nested JSON, data frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from metameasure.core.choices import RatingShape
from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.scale import Classes, Kind, Scale, require, text_of
from metameasure.core.values import Kind as ColumnKind
from metameasure.core.values import is_empty, number_of
from metameasure.evidence.counting import class_codes, sign_notes
from metameasure.evidence.label_audit import OUTSIDE, label_fault
from metameasure.evidence.rating_rows import RatingRows, Rounds
from metameasure.evidence.ratings import Ratings
from metameasure.evidence.room import NotApartError, Room
from metameasure.reading.coded_rows import CodedRows, NumberedRows
from metameasure.reading.engine import Engine, Picked, reading
from metameasure.reading.formats.alt_test import nested_rows
from metameasure.reading.frames import frame_source
from metameasure.reading.inputs import check_named, expand, is_once, listed, missing_columns, open_source, run_names
from metameasure.reading.inputs import require as require_columns
from metameasure.reading.joining import Places, Wanted, beside_each_other, code_of
from metameasure.reading.key_faults import NONE, Faults, Keys, located, together
from metameasure.reading.options import Columns, ReadOptions, Side
from metameasure.reading.sources import Rows, Source, text_array
from metameasure.statistics.arrays import Booleans, Integers

_MANY_CLASSES = 1000
_MOST_OF_A_TABLE = 2**23  # items, of which each is kept
_OF_A_TABLE = ("rows", "columns")
_GROUPS = frozenset({"cluster", "stratum"})
Read = TypeVar("Read")


@dataclass(frozen=True)
class RatingReader:
    """How ratings are read: see the interface's ``--annotator-columns``, ``--counts``, ``--table``, ``--cluster-column``."""

    options: ReadOptions
    classes: Classes | None = None
    kind: Kind | None = None
    annotator_columns: tuple[str, ...] = ()
    shape: RatingShape = "ratings"
    declared: frozenset[str] = frozenset()
    """Which of the columns ``cluster``, ``stratum`` and ``repeat`` are declared: nothing is taken for one unasked."""
    skip_broken: bool = False
    """Whether judges that are broken are left out."""

    @property
    def columns(self) -> Columns:
        return self.options.columns

    def people(self, ratings: Any, scratch: Path, *, alone: bool = True, grouped: bool = True) -> Ratings:
        """DataProblems for ratings that are wrong: an item twice for one annotator, a label that is no class. Where the people
        are not ``alone``, a column of repeats may be the judges' only; and one of clusters or strata, unless they are ``grouped``
        in their own file. Then a table of items and labels is that of one person."""
        source = self._source(ratings, "the ratings", scratch, "gold")
        if alone:
            check_named(self.options, source)
        if self.shape == "counts":
            return self._counts(source)
        if self.shape == "table":
            return self._table(source)
        others = {*(() if alone else ("repeat",)), *(() if grouped else _GROUPS)}
        required = {role: name for role, name in self._declared().items() if role not in others}
        if not alone and not grouped and self._is_of_one(source):
            return self._labels(source, partial(self._own_rows, source, "people"), strict=True)
        # A column of labels is a row for each rating, whatever the column of annotators is called.
        if self._is_long(source) or (self.columns.label in source.columns and not self.annotator_columns):
            self._require_annotators(source, required)
            return self._labels(source, partial(self._long_rows, source), strict=True)
        names = self._wide_columns(source, required)
        return self._labels(source, partial(self._wide_rows, source, names), strict=True)

    def _require_annotators(self, source: Source, required: Mapping[str, str]) -> None:
        """DataProblems for a column that ratings in rows lack. Labels of which nobody says whose they are may be gold."""
        problems = missing_columns(source, {"item": self.columns.item, "annotator": self.columns.annotator, **required})
        if self.columns.annotator not in source.columns and self.columns.item in source.columns:
            gold = "{hint}; if every item has one label, these are gold labels: score others against them with evaluate"
            problems = [replace(one, hint=say(gold, hint=one.hint)) for one in problems]
        if problems:
            raise DataProblems(problems)

    def check_columns(self, ratings: Any, judges: Any, scratch: Path) -> None:
        """DataProblems or UsageError for a column that the user names and neither the ratings nor a judge has."""
        if self.options.named and not is_once([one for one in (ratings, *listed(judges)) if isinstance(one, str | Path)]):
            people = self._source(ratings, "the ratings", scratch, "gold")
            sources, _ = self._sound(self._judge_sources(judges, scratch))
            check_named(self.options, people, [source for _, source in sources])

    def judges(
        self, judges: Any, scale: Scale, scratch: Path, *, grouped: bool = False
    ) -> tuple[list[tuple[str, Ratings]], dict[str, Problem]]:
        """One for each source, by its name: a judge's own labels by item, named by the file; or several judges by name in one of
        them. Labels that are no class are set aside, with their lines. ``grouped``: clusters and strata are read too. Beside them
        the first problem of each that is left out, because it is broken."""
        groups = self.declared & _GROUPS if grouped else frozenset()
        reader = RatingReader(self.options, scale, None, (), declared=self.declared & {"repeat"} | groups)
        roles = {"item": self.columns.item, "label": self.columns.label}
        roles |= {role: getattr(self.columns, role) for role in groups}

        def labels(name: str, opened: Callable[[], Source]) -> Ratings:
            source = opened()
            if reader._is_long(source):
                require_columns(source, {**roles, "annotator": self.columns.annotator})
                return reader._labels(source, partial(reader._long_rows, source), strict=False)
            require_columns(source, roles)
            return reader._labels(source, partial(reader._own_rows, source, name), strict=False)

        return self._sound([(name, partial(labels, name, opened)) for name, opened in self._judge_sources(judges, scratch)])

    def _sound(self, judges: Sequence[tuple[str, Callable[[], Read]]]) -> tuple[list[tuple[str, Read]], dict[str, Problem]]:
        """What is read of each judge by its name; and of those that are left out, because they are broken, the first problem."""
        read, broken = [], {}
        for name, made in judges:
            try:
                read.append((name, made()))
            except DataProblems as error:
                if not self.skip_broken:
                    raise
                broken[name] = error.problems[0]
        if broken and not read:
            raise DataProblems([*broken.values()])
        return read, broken

    def _judge_sources(self, judges: Any, scratch: Path) -> list[tuple[str, Callable[[], Source]]]:
        """By the name of each judge, what opens its source."""
        if isinstance(judges, Mapping):
            return [(str(name), partial(self._source, one, f"judge '{name}'", scratch, "run")) for name, one in judges.items()]
        if isinstance(judges, str | Path):
            judges = [judges]
        if not isinstance(judges, list | tuple) or not all(isinstance(one, str | Path) for one in judges):
            raise UsageError("the judges have no names", hint="pass {'gpt': frame, ...}, or paths")
        files = expand(judges, scratch)
        names = run_names([shown for shown, _ in files])
        return [
            (name, partial(open_source, shown, path, self.options, "run", scratch))
            for name, (shown, path) in zip(names, files, strict=True)
        ]

    def _source(self, ratings: Any, what: str, scratch: Path, side: Side) -> Source:
        if isinstance(ratings, str | Path):
            (shown, path), *more = expand([ratings], scratch)
            if more:
                raise UsageError(f"'{ratings}' matches {len(more) + 1} files, but {what} are one file", hint="name one file")
            return open_source(shown, path, self.options, side, scratch)
        if (
            isinstance(ratings, Mapping)
            and ratings
            and all(isinstance(one, Mapping | str | int | float | None) for one in ratings.values())
        ):
            return nested_rows(what, ratings, self.columns)
        if self.shape == "table" and isinstance(ratings, np.ndarray | list | tuple):
            return self._array_source(ratings)
        return frame_source(ratings, what, scratch)

    def _own_rows(self, source: Source, name: str, room: Room | None) -> RatingRows:
        """Rows of items and labels, all by one."""
        return RatingRows(self._rows(source, {"label": (self.columns.label, "text")}, room), (name,), None, room)

    def _is_of_one(self, source: Source) -> bool:
        """Whether it has items and labels, and nobody says whose."""
        return self.columns.label in source.columns and not self._is_long(source) and not self.annotator_columns

    def _is_long(self, source: Source) -> bool:
        return not self.annotator_columns and self.columns.annotator in source.columns

    def _declared(self) -> dict[str, str]:
        return {role: getattr(self.columns, role) for role in ("cluster", "stratum", "repeat") if role in self.declared}

    def _wanted(self, source: Source) -> Wanted:
        """What is read of a source beside the labels: the item with its topic, the cluster, the repeat."""
        columns = self.columns
        wanted: dict[str, tuple[str | None, ColumnKind]] = {"item": (columns.item, "text")}
        if columns.topic in source.columns:
            wanted["topic"] = (columns.topic, "text")
        return wanted | {role: (name, "text") for role, name in self._declared().items() if name in source.columns}

    def _engine(self, room: Room | None) -> Engine:
        return Engine(threads=self.options.threads, memory=self.options.memory if room is None else room.for_engine, ordered=True)

    def _rows(self, source: Source, more: Wanted, room: Room | None) -> NumberedRows:
        """Rows of the source by number, with some more columns of text."""
        engine, wanted = self._engine(room), {**self._wanted(source), **more}
        frame = engine.kept(engine.here(engine.scan([Picked(source, wanted)]).drop("source")))
        return NumberedRows.of(
            engine,
            frame,
            [role for role in wanted if role != "annotator"],
            as_they_come=["annotator"] if "annotator" in wanted else [],
            most=_most_names(room, wanted),
        )

    def _long_rows(self, source: Source, room: Room | None) -> RatingRows:
        require_columns(source, {"label": self.columns.label})
        wanted: Wanted = {"annotator": (self.columns.annotator, "text"), "label": (self.columns.label, "text")}
        rows = self._rows(source, wanted, room)
        return RatingRows(rows, tuple(rows.names["annotator"]), code_of("annotator"), room)

    def _wide_columns(self, source: Source, required: Mapping[str, str]) -> tuple[str, ...]:
        """The columns of annotators, one for each."""
        columns = self.columns
        problems = missing_columns(source, {"item": columns.item, **required})
        taken = {columns.item, columns.topic, *self._declared().values()}
        names = self.annotator_columns or tuple(name for name in source.columns if name not in taken)
        problems += [source.no_column(name) for name in names if name not in source.columns]
        if problems:
            raise DataProblems(problems)
        if not names:
            raise UsageError(f"'{source.shown}' has no ratings", hint=f"beside '{columns.item}' it needs a column per annotator")
        return names

    def _wide_rows(self, source: Source, names: tuple[str, ...], room: Room | None) -> RatingRows:
        """A row for each item and annotator, from a column for each annotator."""
        engine, shared = self._engine(room), self._wanted(source)
        frame = engine.here(beside_each_other(engine, source, shared, names, "text", "label"), run=len(names))
        rows = NumberedRows.of(engine, frame, [*shared, "label"], more=("run",), most=_most_names(room, shared))
        return RatingRows(rows, names, "run", room)

    def _keys(self, source: Source) -> Keys:
        roles = ("topic", "item") if self.columns.topic in source.columns else ("item",)
        return Keys((*(("annotator",) if self._is_long(source) else ()), *roles), self.columns)

    def _labels(self, source: Source, rows_in: Callable[[Room | None], RatingRows], *, strict: bool) -> Ratings:
        """Ratings from their rows: a few annotators' at a time where memory is limited, unless something is wrong with them,
        which is said of all at once."""
        with reading([source]):
            if self.options.memory is not None:
                try:
                    return self._arranged(source, rows_in(Room.of(self.options.memory)), strict=strict)
                except (DataProblems, NotApartError):
                    pass
            return self._arranged(source, rows_in(None), strict=strict)

    def _arranged(self, source: Source, blocks: RatingRows, *, strict: bool) -> Ratings:
        texts = [None if is_empty(text) else text for text in blocks.labels]
        scale = require(self.classes, {*texts} - {None}, kind=self.kind)
        codes = class_codes(scale, texts)
        places = np.array([*(codes[text] for text in texts), -1])
        wrong_labels = {text for text, one in codes.items() if one == OUTSIDE}
        outside = partial(self._outside, source, wrong_labels, scale, cells=self._label_cells(source))
        items, topics = blocks.items()
        if len(scale) > _MANY_CLASSES:
            scale.check_room(len(items) * len(blocks.annotators) * len(scale))
        rounds = Rounds(len(blocks.annotators), len(items), len(scale), blocks.within)
        times = np.zeros(len(places), dtype=np.int64)
        groups = {role: np.full(len(items), -1) for role in _GROUPS if role in blocks.rows.names}
        for rows in blocks.each():
            times += np.bincount(rows.code["label"] + 1, minlength=len(places))
            code = places[rows.code["label"]]
            wrong = self._wrong_keys(source, rows)
            if strict and wrong_labels:
                wrong = together(wrong, outside(int((code == OUTSIDE).sum())))
            if wrong[0]:
                raise DataProblems(*wrong)
            item = blocks.item(rows)
            cell, repeats = rounds.cells(rows, item)
            if (again := rounds.add(cell, repeats, code)).any():
                raise self._rated_again(source, rows, cell, again)
            for role, group in groups.items():
                self._put_group(source, rows, item, role, group)
        number = int(times[1:][places[:-1] == OUTSIDE].sum())
        return Ratings(
            scale, items, rounds.counts, blocks.annotators, rounds.all(), groups.get("cluster"), topics,
            () if strict else tuple(outside(number)[0]),
            stratum=groups.get("stratum"), strata=tuple(blocks.rows.names.get("stratum", ())),
            notes=sign_notes(scale, [(source.shown, text, one) for text, one in zip(texts, times[1:].tolist(), strict=True)]),
        )  # fmt: skip

    def _wrong_keys(self, source: Source, rows: CodedRows) -> Faults:
        """Rows without an item, or without an annotator where that is a column."""
        if not rows.size:
            raise source.error(0, "there are no rows", "it needs one per rating, or one per item")
        keys, roles = self._keys(source), ("item", "topic", *(("annotator",) if self._is_long(source) else ()))
        return together(*(keys.empty(source, role, rows.empty(role)) for role in roles))

    def _label_cells(self, source: Source) -> list[str]:
        """The columns of a source that have labels."""
        if self.columns.label not in source.columns and not self.annotator_columns:
            return [name for name in source.columns if name not in (self.columns.item, self.columns.topic)]
        return list(self.annotator_columns) or [self.columns.label]

    def _outside(self, source: Source, wrong: set[str], scale: Scale, total: int, cells: Sequence[str]) -> Faults:
        """Labels that are no class, line by line; so many in all."""
        if not wrong:
            return NONE

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            for name in cells:
                cell = record.get(name)
                if not is_empty(cell) and text_of(cell) in wrong:
                    return label_fault(text_of(cell))
            return None

        known = list(map(label_fault, sorted(wrong)))
        return located(source, reason, sorted(wrong), total, lambda what: scale.near(what.parts["label"]), known)

    def _rated_again(self, source: Source, rows: CodedRows, cell: Integers, again: Booleans) -> DataProblems:
        """That an annotator has rated an item twice."""
        hint: str = say("keep one, or name the column that numbers them ({--repeat-column})")
        if "repeat" in self.declared:
            hint = "give each rating of an item by one annotator a number of its own"
        return self._repeated(source, rows, cell, again, hint)

    def _repeated(self, source: Source, rows: CodedRows, cell: Integers, among: Booleans, hint: str) -> DataProblems:
        """Rows that name what others name already, by their cells."""
        chosen = np.flatnonzero(among)
        _, first = np.unique(cell[chosen], return_index=True)
        keys = self._keys(source)
        named = [tuple(rows.text(role, row) for role in keys.roles) for row in chosen[first[:MOST_SHOWN]].tolist()]
        return DataProblems(*keys.repeated(source, named, len(chosen) - len(first), hint))

    def _put_group(self, source: Source, rows: CodedRows, item: Integers, role: str, groups: Integers) -> None:
        """Note the cluster, or the stratum, of each item (items,), -1 where it is not known yet."""
        if empty := rows.empty(role):
            raise DataProblems(*self._keys(source).empty(source, role, empty))
        group, before = rows.code[role], groups[item]
        groups[item] = group
        two = (groups[item] != group) | ((before >= 0) & (before != group))
        if two.any():
            row = int(np.flatnonzero(two)[0])
            several = "strata" if role == "stratum" else f"{role}s"
            raise source.error(
                0,
                say("item '{row}' is in two {several}", row=rows.text("item", row), several=several),
                say("give each item one {role}", role=role),
            )

    def _counts(self, source: Source) -> Ratings:
        """How many annotators put each item into each class, in a column for each class."""
        columns = self.columns
        taken = {columns.item, columns.topic, *self._declared().values()}
        scale = require(self.classes, [name for name in source.columns if name not in taken], kind=self.kind)
        require_columns(source, {"item": columns.item} | self._declared())
        problems = [
            source.problem(
                1,
                say("there is no column '{label}' for that class", label=label),
                say("its columns are {names}", names=", ".join(source.columns)),
            )
            for label in scale.labels
            if label not in source.columns
        ]
        if problems:
            raise DataProblems(problems)
        engine, values = Engine.of(self.options, ordered=True), [f"class {place}" for place in range(len(scale))]
        with reading([source]):
            shared, numbers = self._wanted(source), zip(values, scale.labels, strict=True)
            picked = Picked(source, {**shared, **{value: (label, "number") for value, label in numbers}})
            frame = engine.kept(engine.here(engine.scan([picked]).drop("source")))
            rows = CodedRows.of(engine, frame, list(shared), more=values)
        wrong = self._wrong_keys(source, rows)
        counts = np.nan_to_num(np.stack([rows.value[value] for value in values], axis=1), copy=False, posinf=np.inf)
        bad = self._bad_counts(source, scale.labels)
        if wrong[0] or bad[0]:
            raise DataProblems(*together(wrong, bad))
        items, topics, item = rows.items()
        again = Places.of_side(item, len(items)).all_times > 1
        if again.any():
            unit = "class" if self.shape == "table" else "item"
            raise self._repeated(source, rows, item, again[item], f"keep one row per {unit}")
        ordered = np.empty_like(counts)
        ordered[item] = counts
        cluster = np.full(len(items), -1) if "cluster" in rows.code else None
        if cluster is not None:
            self._put_group(source, rows, item, "cluster", cluster)
        return Ratings(scale, items, ordered, cluster=cluster, topic=topics)

    def _table(self, source: Source) -> Ratings:
        """Two annotators' table: a row for each class of the first, a column for each of the second, and in the cells how many
        items they put there. A class without a row has no items."""
        scale = require(self.classes, source.columns[1:], kind=self.kind)
        rest = [name for name in source.columns if name not in scale.labels]
        first = self.columns.item if self.columns.item in source.columns else rest[0] if len(rest) == 1 else None
        if first is None:
            what = say("a table of two annotators has one column beside those of the classes, here {number}", number=len(rest))
            raise source.error(1, what, "it holds the first annotator's classes, one in each row")
        options = replace(self.options, columns=replace(self.columns, item=first))
        reader = RatingReader(options, scale, None, shape="table")
        cells = reader._counts(source)
        places = class_codes(scale, cells.items)
        if wrong := {label for label, place in places.items() if place == OUTSIDE}:
            raise DataProblems(*self._outside(source, wrong, scale, len(wrong), [first]))
        number = cells.counts.astype(np.int64)
        size = int(number.sum())
        if not size:
            raise source.error(0, "the table has no items", "its cells are numbers of items")
        if size > _MOST_OF_A_TABLE:
            hint = say("give ratings of at most {most:,} items", most=_MOST_OF_A_TABLE)
            raise source.error(0, say("the table has {size:,} items, too many to keep", size=size), hint)
        rows = np.array([places[label] for label in cells.items])
        labels = np.stack(np.meshgrid(rows, np.arange(len(scale)), indexing="ij"), axis=-1).reshape(-1, 2)
        order = np.lexsort(labels.T[::-1])
        items = np.repeat(labels[order], number.ravel()[order], axis=0)
        names = tuple(map(str, range(1, size + 1)))
        return Ratings.of_labels(scale, names, _OF_A_TABLE, items[:, :, None], is_table=True)

    def _array_source(self, cells: Any) -> Source:
        """An array of C x C as a table. UsageError if it has another shape."""
        array = np.asarray(cells)
        square = array.ndim == 2 and array.shape[0] == array.shape[1]
        scale = require(self.classes, range(1, len(array) + 1) if square else (), kind=self.kind)
        if array.shape != (len(scale), len(scale)) or array.dtype.kind not in "iufb":
            shape = " x ".join(map(str, array.shape))
            raise UsageError(
                f"the table is {shape}, but there are {len(scale)} classes",
                hint="give numbers of items, a row for each class of the first annotator and a column for each of the second",
            )
        columns = {label: array[:, place] for place, label in enumerate(scale.labels)}
        return Rows("the table", {self.columns.item: text_array(scale.labels), **columns})

    def _bad_counts(self, source: Source, names: Sequence[str]) -> Faults:
        def reason(record: Mapping[str, Any], line: int) -> str | None:
            for name in names:
                cell = record.get(name)
                number = 0.0 if is_empty(cell) else number_of(cell)
                if number is None or not number >= 0 or number % 1:
                    return say("'{cell}' is not a number of ratings", cell=cell)
            return None

        problems, _ = located(source, reason, None, 0, "give whole numbers from 0 up", [])
        return problems, len(problems)


def _most_names(room: Room | None, wanted: Wanted) -> int | None:
    """How many names of items may be in memory. With topics, all are: items are known by both."""
    return None if room is None or "topic" in wanted else room.for_names
