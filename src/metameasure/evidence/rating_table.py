"""Ratings in every shape of the interface, read and audited: long, wide, counts, nested JSON, data frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.errors import UsageError, did_you_mean
from metameasure.evidence.audit import label_fault
from metameasure.evidence.base import positions
from metameasure.evidence.counts import class_codes, sign_notes
from metameasure.evidence.ragged import numbers_within
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.formats.field.alt_test import nested_rows
from metameasure.formats.options import Columns, ReadOptions, Side
from metameasure.formats.problems import DataProblems
from metameasure.formats.sources import Source
from metameasure.messages import Message, say
from metameasure.scale import Classes, Kind, Scale, require, text_of
from metameasure.statistics.arrays import Integers
from metameasure.tables.engine import Engine, Picked, fetch, reading
from metameasure.tables.engine import Kind as ColumnKind
from metameasure.tables.frames import frame_source
from metameasure.tables.inputs import check_named, expand, is_once, listed, missing_columns, open_source, run_names
from metameasure.tables.inputs import require as require_columns
from metameasure.tables.keyed import NONE, Faults, Keys, located, together
from metameasure.values import in_order, is_empty, number_of

_MANY_CLASSES = 1000
_OUTSIDE = -2  # the code of a label that is no class


@dataclass(frozen=True)
class RatingReader:
    """How ratings are read: see the interface's ``--annotator-columns``, ``--counts``, ``--cluster-column``."""

    options: ReadOptions
    classes: Classes | None = None
    kind: Kind | None = None
    annotator_columns: tuple[str, ...] = ()
    counts: bool = False
    declared: frozenset[str] = frozenset()
    """Which of the columns ``cluster`` and ``repeat`` are declared: nothing is taken for one unasked."""

    @property
    def columns(self) -> Columns:
        return self.options.columns

    def people(self, ratings: Any, scratch: Path, *, alone: bool = True) -> Ratings:
        """DataProblems for ratings that are wrong: an item twice for one annotator, a label that is no class. Where the people
        are not ``alone``, a column of repeats may be the judges' only."""
        source = self._source(ratings, "the ratings", scratch, "gold")
        if alone:
            check_named(self.options, source)
        if self.counts:
            return self._counts(source)
        required = {role: name for role, name in self._declared().items() if alone or role != "repeat"}
        # A column of labels is a row for each rating, whatever the column of annotators is called.
        if self._is_long(source) or (self.columns.label in source.columns and not self.annotator_columns):
            require_columns(source, {"item": self.columns.item, "annotator": self.columns.annotator} | required)
            return self._labels(source, self._long_rows(source), strict=True)
        return self._labels(source, self._wide_rows(source, required), strict=True)

    def check_columns(self, ratings: Any, judges: Any, scratch: Path) -> None:
        """DataProblems or UsageError for a column that the user names and neither the ratings nor a judge has."""
        if self.options.named and not is_once([one for one in (ratings, *listed(judges)) if isinstance(one, str | Path)]):
            people = self._source(ratings, "the ratings", scratch, "gold")
            check_named(self.options, people, [source for _, source in self._judge_sources(judges, scratch)])

    def judges(self, judges: Any, scale: Scale, scratch: Path) -> list[tuple[str, Ratings]]:
        """One for each source, by its name: a judge's own labels by item, named by the file; or several judges by name in one of
        them. Labels that are no class are set aside, with their lines."""
        reader = RatingReader(self.options, scale, None, (), declared=self.declared & {"repeat"})
        ratings = []
        for name, source in self._judge_sources(judges, scratch):
            roles = {"item": self.columns.item, "label": self.columns.label}
            if reader._is_long(source):
                require_columns(source, {**roles, "annotator": self.columns.annotator})
                rows = reader._long_rows(source)
            else:
                require_columns(source, roles)
                rows = reader._rows(source, {"label": (self.columns.label, "text")})
                rows["annotator"] = np.full(len(rows["item"]), name, dtype=object)
            ratings.append((name, reader._labels(source, rows, strict=False)))
        return ratings

    def _judge_sources(self, judges: Any, scratch: Path) -> list[tuple[str, Source]]:
        if isinstance(judges, Mapping):
            return [(str(name), self._source(one, f"judge '{name}'", scratch, "run")) for name, one in judges.items()]
        if isinstance(judges, str | Path):
            judges = [judges]
        if not isinstance(judges, list | tuple) or not all(isinstance(one, str | Path) for one in judges):
            raise UsageError("the judges have no names", hint="pass {'gpt': frame, ...}, or paths")
        files = expand(judges, scratch)
        names = run_names([shown for shown, _ in files])
        return [
            (name, open_source(shown, path, self.options, "run", scratch))
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
        return frame_source(ratings, what, scratch)

    def _is_long(self, source: Source) -> bool:
        return not self.annotator_columns and self.columns.annotator in source.columns

    def _declared(self) -> dict[str, str]:
        return {role: getattr(self.columns, role) for role in ("cluster", "repeat") if role in self.declared}

    def _rows(self, source: Source, more: dict[str, tuple[str, ColumnKind]]) -> dict[str, Any]:
        """Columns of the source by role: the item with its topic, the cluster, the repeat, and some others."""
        columns = self.columns
        wanted: dict[str, tuple[str | None, ColumnKind]] = {"item": (columns.item, "text"), **more}
        if columns.topic in source.columns:
            wanted["topic"] = (columns.topic, "text")
        wanted |= {role: (name, "text") for role, name in self._declared().items() if name in source.columns}
        with reading([source]):
            engine = Engine(threads=self.options.threads, memory=self.options.memory, ordered=True)
            return fetch(engine.scan([Picked(source, wanted)]).drop("source"))

    def _long_rows(self, source: Source) -> dict[str, Any]:
        require_columns(source, {"label": self.columns.label})
        return self._rows(source, {"annotator": (self.columns.annotator, "text"), "label": (self.columns.label, "text")})

    def _wide_rows(self, source: Source, required: Mapping[str, str]) -> dict[str, Any]:
        """A row for each item and annotator, from a column for each annotator."""
        columns = self.columns
        problems = missing_columns(source, {"item": columns.item, **required})
        taken = {columns.item, columns.topic, *self._declared().values()}
        names = self.annotator_columns or tuple(name for name in source.columns if name not in taken)
        hint = say("its columns are {names}", names=", ".join(source.columns))
        problems += [
            source.problem(1, say("there is no column '{name}'", name=name), did_you_mean(name, source.columns) or hint)
            for name in names
            if name not in source.columns
        ]
        if problems:
            raise DataProblems(problems)
        if not names:
            raise UsageError(f"'{source.shown}' has no ratings", hint=f"beside '{columns.item}' it needs a column per annotator")
        by_role = self._rows(source, {f"annotator {place}": (name, "text") for place, name in enumerate(names)})
        cells = [by_role.pop(f"annotator {place}") for place in range(len(names))]
        size = len(by_role["item"])
        rows = {role: np.tile(column, len(names)) for role, column in by_role.items()}
        rows["label"] = np.concatenate(cells) if size else np.zeros(0, dtype=object)
        rows["annotator"] = np.repeat(np.array(names, dtype=object), size)
        return rows

    def _keys(self, source: Source) -> Keys:
        roles = ("topic", "item") if self.columns.topic in source.columns else ("item",)
        return Keys((*(("annotator",) if self._is_long(source) else ()), *roles), self.columns)

    def _labels(self, source: Source, rows: dict[str, Any], *, strict: bool) -> Ratings:
        texts = [None if is_empty(text) else text for text in rows["label"].tolist()]
        scale = require(self.classes, {*texts} - {None}, kind=self.kind)
        codes = class_codes(scale, texts)
        code = np.array([codes[text] for text in texts], np.int64)
        wrong_labels = {text for text, one in codes.items() if one == _OUTSIDE}
        outside = self._outside(source, wrong_labels, scale, int((code == _OUTSIDE).sum()))
        wrong = self._wrong_keys(source, rows)
        wrong = together(wrong, outside) if strict else wrong
        if wrong[0]:
            raise DataProblems(*wrong)
        items, topics, item = _items(rows)
        annotators, annotator = _numbered(rows["annotator"].tolist(), sort=False)
        repeat = _numbered(rows["repeat"].tolist())[1] if "repeat" in rows else np.zeros(len(item), np.int64)
        if len(scale) > _MANY_CLASSES:
            scale.check_room(len(items) * len(annotators) * len(scale))
        kept = code >= 0
        self._check_single(source, rows, kept, (annotator, item, repeat))
        labels = _matrix(item[kept], annotator[kept], repeat[kept], code[kept], (len(items), len(annotators)))
        return Ratings(
            scale, items, one_hot(labels[:, :, 0], len(scale)).sum(axis=1), annotators, labels,
            self._clusters(source, rows, item), topics, () if strict else tuple(outside[0]),
            notes=sign_notes(scale, [(source.shown, text, times) for text, times in Counter(texts).items()]),
        )  # fmt: skip

    def _wrong_keys(self, source: Source, rows: dict[str, Any]) -> Faults:
        """Rows without an item, or without an annotator where that is a column."""
        if not len(rows["item"]):
            raise source.error(0, "there are no rows", "it needs one per rating, or one per item")
        keys, roles = self._keys(source), ("item", "topic", *(("annotator",) if self._is_long(source) else ()))
        return together(*(keys.empty(source, role, sum(map(is_empty, rows.get(role, ())))) for role in roles))

    def _outside(self, source: Source, wrong: set[str], scale: Scale, total: int) -> Faults:
        """Labels that are no class, line by line; so many in all."""
        if not wrong:
            return NONE
        cells = [self.columns.label] if self._is_long(source) or not self.annotator_columns else list(self.annotator_columns)
        if self.columns.label not in source.columns and not self.annotator_columns:
            cells = [name for name in source.columns if name not in (self.columns.item, self.columns.topic)]

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            for name in cells:
                cell = record.get(name)
                if not is_empty(cell) and text_of(cell) in wrong:
                    return label_fault(text_of(cell))
            return None

        def hint(what: Message) -> str:
            return did_you_mean(what.parts["label"], scale.labels) or say("the classes are {scale}", scale=scale)

        return located(source, reason, sorted(wrong), total, hint, list(map(label_fault, sorted(wrong))))

    def _check_single(self, source: Source, rows: dict[str, Any], kept: Any, places: tuple[Integers, Integers, Integers]) -> None:
        """DataProblems where an annotator has rated an item twice."""
        annotator, item, repeat = (place[kept] for place in places)
        key = (annotator * (item.max(initial=0) + 1) + item) * (repeat.max(initial=0) + 1) + repeat
        _, first, times = np.unique(key, return_index=True, return_counts=True)
        again = first[times > 1]
        if not len(again):
            return
        chosen = np.flatnonzero(kept)[again]
        keys = self._keys(source)
        named = [tuple(rows[role][row] for role in keys.roles) for row in chosen[:20]]
        hint: str = say("keep one, or name the column that numbers them ({--repeat-column})")
        if "repeat" in self.declared:
            hint = "give each rating of an item by one annotator a number of its own"
        raise DataProblems(*keys.repeated(source, named, int((times[times > 1] - 1).sum()), hint))

    def _clusters(self, source: Source, rows: dict[str, Any], item: Integers) -> Integers | None:
        if "cluster" not in rows:
            return None
        empty = sum(map(is_empty, rows["cluster"]))
        if empty:
            raise DataProblems(*self._keys(source).empty(source, "cluster", empty))
        _, cluster = _numbered(rows["cluster"].tolist())
        clusters = np.zeros(int(item.max(initial=-1)) + 1, dtype=np.int64)
        clusters[item] = cluster
        if np.any(clusters[item] != cluster):
            row = int(np.flatnonzero(clusters[item] != cluster)[0])
            raise source.error(0, say("item '{row}' is in two clusters", row=rows["item"][row]), "give each item one cluster")
        return clusters

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
        rows = self._rows(source, {f"class {place}": (label, "number") for place, label in enumerate(scale.labels)})
        wrong = self._wrong_keys(source, rows)
        cells = np.stack([np.ma.filled(rows[f"class {place}"], np.nan) for place in range(len(scale))], axis=1).astype(float)
        counts = np.where(np.isnan(cells), 0.0, cells)
        bad = self._bad_counts(source, scale.labels)
        if wrong[0] or bad[0]:
            raise DataProblems(*together(wrong, bad))
        items, topics, item = _items(rows)
        if len(items) < len(item):
            keys = self._keys(source)
            first, times = np.unique(item, return_index=True, return_counts=True)[1:]
            named = [tuple(rows[role][row] for role in keys.roles) for row in first[times > 1][:20]]
            raise DataProblems(*keys.repeated(source, named, int((times[times > 1] - 1).sum()), "keep one row per item"))
        ordered = np.empty_like(counts)
        ordered[item] = counts
        return Ratings(scale, items, ordered, cluster=self._clusters(source, rows, item), topic=topics)

    def _bad_counts(self, source: Source, names: Sequence[str]) -> Faults:
        def reason(record: Mapping[str, Any], line: int) -> str | None:
            for name in names:
                cell = record.get(name)
                number = 0.0 if is_empty(cell) else number_of(cell)
                if number is None or not number >= 0 or number % 1:
                    return say("'{cell}' is not a number of ratings", cell=cell)
            return None

        problems = [
            problem for problem in located(source, reason, None, 0, "give whole numbers from 0 up", [])[0] if problem.what
        ]
        return problems, len(problems)


def _items(rows: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...], Integers]:
    """The different items and their topics, where there are any, and the number of each row's item."""
    if "topic" not in rows:
        items, number = _numbered(rows["item"].tolist())
        return items, (), number
    topics, topic = _numbered(rows["topic"].tolist())
    names, item = _numbered(rows["item"].tolist())
    both, number = np.unique(topic * len(names) + item, return_inverse=True)
    place, which = np.divmod(both, max(1, len(names)))
    return tuple(names[one] for one in which), tuple(topics[one] for one in place), number


def _numbered(names: Sequence[Any], *, sort: bool = True) -> tuple[tuple[str, ...], Integers]:
    """The different names, in order of size or alphabet or else as they come, and each name's number."""
    texts = ["" if name is None else str(name) for name in names]
    listed = in_order(set(texts)) if sort else list(dict.fromkeys(texts))
    return tuple(listed), positions(texts, listed)


def _matrix(item: Integers, annotator: Integers, repeat: Integers, code: Integers, size: tuple[int, int]) -> Integers:
    """(items, annotators, repeats): the ratings of an item by one annotator from the first on, -1 where there are fewer."""
    order = np.lexsort((repeat, annotator, item))
    item, annotator, code = item[order], annotator[order], code[order]
    number = numbers_within(item * max(1, size[1]) + annotator)
    labels = np.full((*size, int(number.max(initial=0)) + 1), -1, dtype=np.int64)
    labels[item, annotator, number] = code
    return labels
