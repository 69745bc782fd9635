"""The keyed table: keys, gold's values and each run's values, wherever they come from. What is wrong with keys and values is said
in one voice for every task: file, line, what is wrong, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, TypeVar

import numpy as np

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.options import Columns
from metameasure.formats.problems import MOST_SHOWN, Problem
from metameasure.formats.sources import Source
from metameasure.lazily import nw
from metameasure.messages import Message, say
from metameasure.scale import text_of
from metameasure.tables.engine import Engine, Frame, Kind, Picked, distinct, fetch, reading
from metameasure.tables.inputs import check_names
from metameasure.values import is_missing, repeated

Faults = tuple[list[Problem], int]
"""The problems to show, and how many there are in all."""
NONE: Faults = ([], 0)
Key = tuple[str, ...]
_OF_IDS = re.compile(r"(.*[ _-])?(ids?|items?|index)|unnamed: 0|", re.IGNORECASE)
Record = Mapping[str, Any]
Wanted = Mapping[str, tuple[str | None, Kind]]


def together(*parts: Faults) -> Faults:
    return [problem for problems, _ in parts for problem in problems], sum(total for _, total in parts)


@dataclass(frozen=True)
class Keys:
    """What a row is known by: roles from the outermost in, such as topic and item, and the names of their columns.

    ``run_column`` and ``run`` pick the rows of one run in a source that holds several.
    """

    roles: tuple[str, ...]
    columns: Columns
    run_column: str | None = None

    def of(self, record: Record) -> Key:
        return tuple(_text(record.get(getattr(self.columns, role))) for role in self.roles)

    def name(self, key: Sequence[Any], words: Mapping[str, str]) -> str:
        """A key in words: item 'x' of topic 't'."""
        said = [
            f"{words.get(role, 'class' if role == 'category' else role)} '{visible(_text(part))}'"
            for role, part in zip(self.roles, key, strict=True)
            if role not in ("judge", "ranking")
        ]
        judges = [part for role, part in zip(self.roles, key, strict=True) if role == "judge" and _text(part)]
        return " of ".join(reversed(said)) + "".join(f" by judge '{visible(_text(judge))}'" for judge in judges)

    def is_of(self, record: Record, run: str | None) -> bool:
        """Whether a record belongs to a run; in a source of one run all do."""
        return run is None or self.run_column is None or _text(record.get(self.run_column)) == run

    def repeated(
        self, source: Source, keys: Sequence[Key], total: int, hint: str, run: str | None = None, *, lines: int = MOST_SHOWN
    ) -> Faults:
        """Rows whose key has been there before: ``total`` keys, on so many ``lines`` at most."""
        if not total:
            return NONE
        wanted, seen = {tuple(map(_text, key)) for key in keys}, dict[Key, int]()

        def again(record: Record, line: int) -> Message | None:
            key = self.of(record)
            if key not in wanted or not self.is_of(record, run):
                return None
            first = seen.setdefault(key, line)
            if first == line:
                return None
            where = " (first in line {first})" if first else ""
            return say("{name} again" + where, name=self.name(key, source.words), first=first)

        unlocated = [say("{name} is there more than once", name=self.name(key, source.words)) for key in keys]
        return located(source, again, [key[-1] for key in wanted], total, hint, unlocated, lines=lines)

    def unknown(
        self,
        source: Source,
        keys: Sequence[Key],
        total: int,
        hint: Callable[[Key], str],
        run: str | None = None,
        *,
        lines: int = MOST_SHOWN,
    ) -> Faults:
        """Rows whose key gold does not have, on so many ``lines`` at most."""
        if not total:
            return NONE
        wanted = {tuple(map(_text, key)): hint(key) for key in keys}

        def reason(record: Record, line: int) -> str | None:
            key = self.of(record)
            return (
                say("{name} is not in gold", name=self.name(key, source.words))
                if key in wanted and self.is_of(record, run)
                else None
            )

        unlocated: list[str] = [say("{name} is not in gold", name=self.name(key, source.words)) for key in wanted]
        hints = dict(zip(unlocated, wanted.values(), strict=True))
        problems, number = located(source, reason, [key[-1] for key in wanted], total, "", unlocated, lines=lines)
        return [replace(one, hint=hints[one.what]) for one in problems], number

    def missing(self, source: Source, keys: Sequence[Key], total: int, hint: str, run: str | None = None) -> Faults:
        """Keys of gold that a run lacks."""
        of = f" of run '{run}'" if run is not None else ""
        problems = [
            source.problem(0, say("{name}{of} is missing", name=self.name(key, source.words), of=of), hint) for key in keys
        ]
        return _counted(problems[:MOST_SHOWN], total)

    def empty(self, source: Source, role: str, total: int, run: str | None = None) -> Faults:
        """Rows without a key."""
        if not total:
            return NONE
        column = getattr(self.columns, role)
        word = source.words.get(role, role)
        what = say("the row has no {word}", word=word)

        def reason(record: Record, line: int) -> str | None:
            return what if not _text(record.get(column)) and self.is_of(record, run) else None

        return located(source, reason, [""], total, f"give every row its {word}", [f"{what} ({total} times)"], lines=total)


def _counted(problems: list[Problem], total: int) -> Faults:
    """Problems of one kind, each with how many there are of it."""
    return [replace(one, count=total) for one in problems], total


Said = TypeVar("Said", bound=str)


def located(
    source: Source,
    reason: Callable[[Record, int], Said | None],
    texts: Sequence[str] | None,
    total: int,
    hint: str | Callable[[Said], str],
    unlocated: Sequence[Said],
    *,
    lines: int = MOST_SHOWN,
) -> Faults:
    """The first lines with something wrong, found by a second pass over the source; each of them contains one
    of the ``texts``, the empty text being an empty cell. The pass ends when so many ``lines`` are found. A source without lines
    (a cluster's frame) gets what is known without them."""
    said = hint if callable(hint) else lambda _: hint
    records = source.matching(None if texts is None else list(texts))
    reasons = ((record.line, reason(record.values, record.line)) for record in records)
    faults = islice(((line, what) for line, what in reasons if what), min(lines, MOST_SHOWN))
    problems = [source.problem(line, what, said(what)) for line, what in faults]
    problems = problems or [source.problem(0, what, said(what)) for what in unlocated[:MOST_SHOWN]]
    return _counted(problems, max(total, len(problems)))


def visible(text: str) -> str:
    """A text with what does not show, such as a NUL byte, written out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    """A hint with the nearest of the known names; many names are not gone through."""
    return (did_you_mean(name, known) if len(known) <= 1000 else "") or otherwise


def _text(cell: Any) -> str:
    """A cell as the engine writes it."""
    if isinstance(cell, str):
        return cell
    return "" if is_missing(cell) else text_of(cell)


@dataclass(frozen=True)
class KeyedTable:
    """Runs to be joined to gold, or joined already.

    ``runs`` has ``run`` (a position in ``names``), the keys and the runs' values; ``gold`` the keys, gold's values, and for each
    row a ``place`` and a random ``token``. Where gold already stands beside each value (side by side, stacked) there is no
    ``gold`` frame, and ``runs`` has its columns. ``keys`` are what runs are joined by.
    """

    engine: Engine
    runs: Frame
    gold: Frame | None
    names: tuple[str, ...]
    keys: tuple[str, ...]
    columns: Columns
    gold_columns: Columns
    run_sources: tuple[Source, ...]
    gold_source: Source
    shape: Literal["long", "side by side", "stacked"]
    orders: tuple[frozenset[str], ...] = ()
    """For each run, which of the columns confidence, rank and score it has, where they are asked for."""
    picked: tuple[Picked, ...] = ()
    """For each run what is read of its source, where each has one of its own."""
    matrices: Mapping[str, Source] = field(default_factory=dict)
    """Of the columns confidence, rank and score, those that stand in matrices of their own, a column for each run."""
    topicless: frozenset[int] = frozenset()
    """The runs without a column of topics beside others that have one: their items have the topics that gold gives them."""
    equal_weights: bool = False
    """Whether items have weights only because several outputs of a run share one item's."""

    def __post_init__(self) -> None:
        check_names(self.names)

    @property
    def described(self) -> Frame:
        """The frame that has gold's columns."""
        return self.runs if self.gold is None else self.gold

    def has(self, column: str) -> bool:
        """Whether items have a topic, a weight, ..."""
        return column in self.described.collect_schema().names()

    @property
    def has_items(self) -> bool:
        return "item" in self.runs.collect_schema().names()

    @property
    def repeated(self) -> bool:
        """Whether a run may have several outputs for an item, told apart by a column ``repeat``."""
        return "repeat" in self.runs.collect_schema().names()

    def source(self, run: int | None) -> Source:
        """Where a run comes from, or gold."""
        return self.gold_source if run is None else self.run_sources[run]

    def matrix(self, role: str, run: int) -> Source | None:
        """The matrix that says how a run orders its items, where that does not stand in the run's own source."""
        matrix = self.matrices.get(role)
        return matrix if matrix is not None and self.names[run] in matrix.columns else None

    def one(self, run: int) -> Frame:
        """The rows of one run."""
        return self.runs.filter(nw.col("run") == run)

    def keys_of(self, runs: Sequence[int]) -> Frame:
        """The keys of some runs' rows: ``run``, a position in ``runs``, and the keys. Sources of other runs are not read."""
        if self.picked:
            wanted = [
                Picked(one.source, {key: one.columns[key] for key in self.keys}) for one in map(self.picked.__getitem__, runs)
            ]
            own = self.engine.scan(wanted).rename({"source": "run"})
            topicless = [place for place, run in enumerate(runs) if run in self.topicless]
            return with_topics_of_gold(self.engine, own, self.gold, topicless) if topicless else own
        position = nw.lit(0).cast(nw.Int64)
        for place, run in enumerate(runs):
            position = nw.when(nw.col("run") == run).then(nw.lit(place).cast(nw.Int64)).otherwise(position)
        return self.runs.filter(nw.col("run").is_in(list(runs))).select(position.alias("run"), *self.keys)

    def joined(self, runs: Frame | None = None, how: Literal["left", "inner"] = "left") -> Frame:
        """Runs beside gold."""
        runs = self.runs if runs is None else runs
        if self.gold is None:
            return runs
        return runs.join(self.engine.beside(self.gold, runs), on=list(self.keys), how=how)

    def named(self, run: int | None) -> Keys:
        """What rows of gold or a run are known by, for error messages."""
        columns = self.gold_columns if run is None else self.columns
        return Keys(("item",) if run in self.topicless else self.keys, columns, columns.run if self.shape == "stacked" else None)

    def run_name(self, run: int | None) -> str | None:
        """The name that picks a run's rows in a source of several runs."""
        return self.names[run] if run is not None and self.shape == "stacked" else None

    def reading(self) -> Any:
        """Turns an error of the engine, while its query runs, into ours."""
        return reading([self.gold_source, *self.run_sources, *self.matrices.values()])


def joined_later(
    engine: Engine, gold: Picked, runs: Sequence[Picked], names: Sequence[str], keys: tuple[str, ...], **facts: Any
) -> KeyedTable:
    """A source of gold and one for each run."""
    with reading([gold.source]):
        of_gold = engine.numbered(engine.scan([gold]).drop("source"))
    of_runs = engine.scan(runs).rename({"source": "run"})
    if topicless := facts.get("topicless"):
        of_runs = with_topics_of_gold(engine, of_runs, of_gold, sorted(topicless))
    sources = tuple(one.source for one in runs)
    return KeyedTable(
        engine, of_runs, of_gold, tuple(names), keys, run_sources=sources, gold_source=gold.source, shape="long",
        picked=tuple(runs), **facts,
    )  # fmt: skip


def with_topics_of_gold(engine: Engine, rows: Frame, gold: Frame, topicless: Sequence[int]) -> Frame:
    """Rows of runs, those of some of them with the topic that gold gives their item; an item that gold lacks has an empty one."""
    topics = gold.group_by("item").agg(nw.col("topic").min().alias("topic of gold"))
    joined = rows.join(engine.beside(topics, rows), on="item", how="left")
    found = nw.coalesce(nw.col("topic of gold"), nw.when(~nw.col("item").is_null()).then(nw.lit("")))
    topic = nw.when(nw.col("run").is_in(list(topicless))).then(found).otherwise(nw.col("topic"))
    return joined.with_columns(topic.alias("topic")).drop("topic of gold")


def runs_of(engine: Engine, picked: Picked) -> tuple[Frame, tuple[str, ...]]:
    """A source with a column of runs' names: its rows with runs by number, and the names in the order of those numbers.

    Rows without a name have no number.
    """
    frame = engine.scan([picked]).drop("source")
    with reading([picked.source]):
        listed = fetch(distinct(frame, "run"))["run"]
    names = tuple(sorted(name for name in listed.tolist() if name is not None))
    if not names:
        return frame, ()
    numbered = engine.looked_up(frame, number=("run", names, np.arange(len(names))))
    return numbered.drop("run").rename({"number": "run"}), names


def beside_each_other(engine: Engine, source: Source, shared: Wanted, runs: Sequence[str], kind: Kind, value: str) -> Frame:
    """A source with gold and a column for each run: a row for each run and item, the run's value under one name."""
    # Runs become numbered columns, so that no name of a run can be mistaken for one of ours.
    columns = {**shared, **{f"run {place}": (name, kind) for place, name in enumerate(runs)}}
    with reading([source]):
        wide = engine.kept(engine.scan([Picked(source, columns)]).drop("source"))
    return nw.concat(
        [
            wide.select(*shared, nw.col(f"run {place}").alias(value), nw.lit(place).cast(nw.Int64).alias("run"))
            for place in range(len(runs))
        ]
    )


def check_run_columns(chosen: Sequence[str], gold_column: str) -> None:
    """UsageError for a column that is gold and a run, or a run twice."""
    if twice := repeated(chosen):
        raise UsageError(f"the run column '{twice[0]}' is named twice", hint="name each run once")
    if gold_column in chosen:
        raise UsageError(
            f"the column '{gold_column}' is gold and a run", hint="it would score as perfect: leave it out of the runs"
        )


def check_no_ids(runs: Sequence[str]) -> None:
    """UsageError for a column that is taken for a run, where no column of ids is named, and by its name holds ids."""
    for name in runs:
        if _OF_IDS.fullmatch(name):
            raise UsageError(
                f"the column '{name}' seems to hold the items' ids",
                hint=say("use {--item-column <name>}, or name the runs with {--run-columns}", name=name),
            )
