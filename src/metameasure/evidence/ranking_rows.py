"""Rows of rankings by number: gold in one order, whatever the order of its file, and the runs joined to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.messages import Message, say
from metameasure.core.notes import counted
from metameasure.core.problems import MOST_SHOWN
from metameasure.evidence.ranking_columns import Values
from metameasure.evidence.rankings import IN_POOL, NOT_IN_POOL
from metameasure.reading.engine import Frame, fetch
from metameasure.reading.engine import rows as number_of_rows
from metameasure.reading.joining import Names, code_of, filled, first_keys, renumbered
from metameasure.reading.key_faults import NONE, Faults, Found, Key, Keys, Standing, located, nearest, together
from metameasure.reading.options import Holds
from metameasure.reading.ranks import unranked_as_nan, wrong
from metameasure.reading.sources import Source, text_array
from metameasure.statistics.arrays import Booleans, Floats, Integers

APART = ("judge", "ranking")  # what tells rankings of one segment apart


def _one_row(source: Source) -> str:
    """What to do about an item that stands there twice, in the words of its format."""
    return f"keep one row per {source.words.get('segment', 'segment')} and {source.words.get('item', 'item')}"


def coded_gold(keys: Names, rows: Frame, of_gold: Values, placed: Sequence[RunRows]) -> GoldRows:
    """Gold by numbers: where names stand in their order. Documents of gold's topics that some run has retrieved and nobody has
    judged are irrelevant, as in trec_eval."""
    values = [f"value {place}" for place in range(len(of_gold.holds))]
    columns = fetch(rows.select(*map(code_of, keys.of), *values), masks=True)
    numbers, bad = zip(
        *(numbers_in(columns[name], holds) for name, holds in zip(values, of_gold.holds.values(), strict=True)), strict=True
    )
    code, size = {role: filled(columns[code_of(role)]) for role in keys.of}, len(keys.of["item"])
    added = np.zeros((2, 0), np.int64)
    if of_gold.source.graded and placed:
        judged = code["segment"] * size + code["item"]
        retrieved = np.sort(np.concatenate([run.key[run.key >= 0] for run in placed]))  # np.unique is ten times slower
        retrieved = retrieved[np.diff(retrieved, prepend=-1) > 0]
        unjudged = np.ones(len(retrieved), bool)
        place = np.minimum(np.searchsorted(retrieved, judged), max(0, len(retrieved) - 1))  # several times faster than np.isin
        unjudged[place[retrieved[place] == judged] if len(retrieved) else []] = False
        added = np.array(np.divmod(retrieved[unjudged], size))
    nobody = np.zeros(len(code["item"]) + added.shape[1], np.int64)
    apart = {role: np.append(code[role], np.zeros(added.shape[1], np.int64)) if role in code else nobody for role in APART}
    return GoldRows(
        of_gold, keys, np.append(code["segment"], added[0]), np.append(code["item"], added[1]), apart["judge"], apart["ranking"],
        list(numbers), np.any(bad, axis=0), added.shape[1],
    )  # fmt: skip


def numbers_in(column: Any, holds: Holds) -> tuple[Floats, Booleans]:
    """Values, NaN where there is none, and which cells hold something else."""
    numbers = np.asarray(np.ma.filled(column, np.nan), float)
    return numbers, wrong(numbers, np.ma.getmaskarray(column), holds)


def placed_rows(keys: Names, runs: Frame, number: int) -> list[RunRows]:
    """The coded rows of every run by numbers, from one query."""
    had = runs.collect_schema().names()
    apart = [code_of(role) for role in APART if code_of(role) in had]
    columns = [code_of("segment"), code_of("item"), "value 0", *(["run"] if number > 1 else []), *apart]
    arrays = fetch(runs.select(*columns), masks=True)
    rankings = np.column_stack([filled(arrays[name]) for name in apart]) if apart else None
    segment, item = filled(arrays[code_of("segment")]), filled(arrays[code_of("item")])
    key = np.where((segment >= 0) & (item >= 0), segment * len(keys.of["item"]) + item, -1)
    if number == 1:
        return [RunRows(key, arrays["value 0"], rankings)]
    run = np.asarray(arrays["run"], np.int64)
    order = np.argsort(run, kind="stable")
    parts = np.split(order, np.searchsorted(run[order], np.arange(1, number)))
    return [RunRows(key[mine], arrays["value 0"][mine], None if rankings is None else rankings[mine]) for mine in parts]


@dataclass(frozen=True, eq=False)
class RunRows:
    """The rows of one run: segment and item as one number (-1: not among the names), and the value, masked where it is empty;
    and the judge and the ranking that each row is meant for, where gold tells rankings apart and a run does too."""

    key: Integers
    value: Any
    rankings: Integers | None = None


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows in order: by source segment, judge, what the ranking says, item. ``order`` are positions in the rows given.

    ``repeated`` are the rows whose item stands in the same ranking already. ``pairs`` numbers each (source segment, item), by
    which runs are joined; ``pair_keys`` are what the numbers mean.
    """

    sources: tuple[str, ...]
    judges: tuple[str | None, ...]
    starts: Integers
    order: Integers
    items: Integers
    repeated: Integers
    pairs: Integers
    pair_keys: Integers

    @classmethod
    def of_places(cls, sources: tuple[str, ...], starts: Integers, items: Integers) -> Layout:
        """Rows that are in order already, of segments that nobody ranks twice."""
        rows = np.arange(len(items))
        return cls(sources, (None,) * len(sources), starts, rows, items, rows[:0], rows, rows)

    def place(self, keys: Integers) -> Integers:
        """Where segments and items, each two as one number, stand among the pairs; -1 for those that do not."""
        order = np.argsort(keys, kind="stable")  # looking up keys in order is several times faster
        places = np.empty(len(keys), np.int64)
        places[order] = np.minimum(np.searchsorted(self.pair_keys, keys[order]), len(self.pair_keys) - 1)
        return np.where(self.pair_keys[places] == keys, places, -1)


@dataclass(frozen=True, eq=False)
class GoldRows:
    """Gold, one row per item of a ranking. ``ranking`` tells rankings apart where the source does; otherwise a ranking is all
    that one judge says of a source segment. ``bad`` rows hold something that is no value. The last rows, as many as
    are ``added``, are the segments and items that only runs have."""

    values: Values
    keys: Names
    segment: Integers
    item: Integers
    judge: Integers
    """From 1 on; 0 is nobody."""
    own_ranking: Integers
    """From 1 on; 0 where a row does not say which."""
    numbers: list[Floats]
    bad: Booleans
    added: int

    @property
    def graded(self) -> bool:
        return self.values.source.graded

    @cached_property
    def ranking(self) -> Integers:
        """The rankings by number."""
        judges, rankings = (len(self.keys.of.get(role, "0")) for role in APART)
        by_judge = self.segment * judges + self.judge
        return renumbered(by_judge * rankings + self.own_ranking, len(self.keys.of["segment"]) * judges * rankings)[1]

    @cached_property
    def value(self) -> Floats:
        first = unranked_as_nan(self.numbers[0], self.values.holds[self.values.first])
        if not self.graded:
            return first
        return np.concatenate([np.where(first < 0, IN_POOL, first), np.full(self.added, NOT_IN_POOL)])

    @cached_property
    def beside(self) -> Floats:
        columns = zip(self.numbers[1:], self.values.beside, strict=True)
        rows = [unranked_as_nan(column, self.values.holds[name]) for column, name in columns]
        return np.array(rows).reshape(len(rows), len(self.value))

    @property
    def negative(self) -> int:
        """How many grades count as 0."""
        return int((self.numbers[0] < 0).sum()) if self.graded else 0

    def _keys(self) -> Keys:
        present, columns = self.values.source.columns, self.values.columns
        more = [role for role in ("judge", "ranking") if getattr(columns, role) in present]
        return Keys(("segment", *more, "item"), columns)

    def problems(self) -> Faults:
        """What is wrong with gold: no rows, rows without keys, values that are not numbers, repeated items,
        segments without any rank."""
        source, keys = self.values.source, self._keys()
        if not len(self.bad):
            return [source.problem(0, "there are no items", "it needs one row per segment and item")], 1
        nameless = {"segment": self.segment < 0, "item": self.item < 0}
        problems = together(
            *(keys.empty(source, role, int(lacking.sum())) for role, lacking in nameless.items()),
            self.values.faults(int(self.bad.sum())),
        )
        if any(lacking.any() for lacking in nameless.values()):
            return problems
        layout = self.layout
        again = [self._key(row, keys) for row in layout.repeated[:MOST_SHOWN].tolist()]
        one_row = _one_row(source)
        hint = (
            one_row
            if keys.roles != ("segment", "item") or source.graded
            else say("{one_row}, or name the column of judges ({--judge-column})", one_row=one_row)
        )
        problems = together(problems, keys.repeated(source, again, len(layout.repeated), hint))
        return problems if problems[0] else self._unranked(layout, keys)

    def _key(self, row: int, keys: Keys) -> Key:
        code = {"segment": self.segment, "item": self.item, "judge": self.judge, "ranking": self.own_ranking}
        return tuple(self.keys.of[role][code[role][row]] for role in keys.roles)

    def _unranked(self, layout: Layout, keys: Keys) -> Faults:
        """Rankings that rank nothing."""
        ranked = np.add.reduceat(~np.isnan(self.value[layout.order]), layout.starts[:-1])
        nothing = np.flatnonzero(ranked == 0)
        if not len(nothing):
            return NONE
        heads = layout.order[layout.starts[nothing]]
        empty = {
            self._key(row, keys)[:-1]: layout.sources[place] for row, place in zip(heads.tolist(), nothing.tolist(), strict=True)
        }
        seen: set[Key] = set()

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            key = keys.of(record)[:-1]
            if key not in empty or key in seen:
                return None
            seen.add(key)
            return say("no item of segment '{empty}' is ranked", empty=empty[key])

        said = [say("no item of segment '{source}' is ranked", source=source) for source in empty.values()]
        return located(self.values.source, reason, None, len(nothing), "rank some of its items, or remove it", said)

    @cached_property
    def layout(self) -> Layout:
        """The one order of the same rankings, whatever the order of the file."""
        ranking, item = self.ranking, self.item
        by_ranking = np.argsort(ranking * len(self.keys.of["item"]) + item, kind="stable")
        again = (np.diff(ranking[by_ranking]) == 0) & (np.diff(item[by_ranking]) == 0)
        starts = np.flatnonzero(np.diff(ranking[by_ranking], prepend=-1))
        bounds = np.append(starts, len(item))
        heads = by_ranking[starts]
        segments = self._in_order(heads, by_ranking, bounds)
        sizes = np.diff(bounds)
        place = np.empty(len(segments), np.int64)
        place[segments] = np.arange(len(segments))
        order = by_ranking[np.argsort(np.repeat(place, sizes), kind="stable")]
        keys = self.segment[order] * len(self.keys.of["item"]) + item[order]
        pairs = np.arange(len(keys))
        if (np.diff(keys) <= 0).any():  # where several judges rank a segment
            keys, pairs = np.unique(keys, return_inverse=True)
        sources = [self.keys.of["segment"][code] for code in self.segment[heads[segments]].tolist()]
        judges = [self.keys.of["judge"][code] if code else None for code in self.judge[heads[segments]].tolist()]
        return Layout(
            sources=tuple(sources),
            judges=tuple(judges),
            starts=np.append(0, np.cumsum(sizes[segments])),
            order=order,
            items=item[order],
            repeated=by_ranking[1:][again],
            pairs=pairs,
            pair_keys=keys,
        )

    def names_of(self, places: Integers) -> list[Key]:
        """The first of some segments and items, by name."""
        segments, items = np.divmod(self.layout.pair_keys[places[:MOST_SHOWN]], len(self.keys.of["item"]))
        named = zip(segments.tolist(), items.tolist(), strict=True)
        return [(self.keys.of["segment"][segment], self.keys.of["item"][item]) for segment, item in named]

    def _in_order(self, heads: Integers, by_ranking: Integers, bounds: Integers) -> Integers:
        """Rankings by source and judge; those of one judge on one source by what they say: nothing else tells them apart."""
        source, judge = self.segment[heads], self.judge[heads]
        order = np.lexsort((judge, source))
        same = (np.diff(source[order]) == 0) & (np.diff(judge[order]) == 0)
        if not same.any():
            return order
        said = np.zeros(len(order), np.int64)
        alike = order[np.append(False, same) | np.append(same, False)].tolist()
        content = {}
        for ranking in alike:
            members = by_ranking[bounds[ranking] : bounds[ranking + 1]]
            content[ranking] = (self.item[members].tobytes(), self.value[members].tobytes(), self.beside[:, members].tobytes())
        said[sorted(alike, key=content.__getitem__)] = np.arange(len(alike))
        return np.lexsort((said, judge, source))


def slots_of(run: RunRows, gold: GoldRows, *, by_ranking: bool) -> tuple[Integers, Booleans, Integers]:
    """What a run has one value for: a segment and item, or where its ranks hold within one ranking, each row of gold.

    The slot of each row of gold, in order; at which slots some judge ranks an item, for only there does a run have to answer; and
    the slots of the run's rows, -1 where gold has none.
    """
    layout = gold.layout
    of_row = np.arange(len(layout.order)) if by_ranking else layout.pairs
    needed = np.zeros(len(of_row) if by_ranking else len(layout.pair_keys), bool)
    needed[of_row[~np.isnan(gold.value[layout.order])]] = True
    if not by_ranking or run.rankings is None:
        return of_row, needed, layout.place(run.key)
    judges, rankings = (len(gold.keys.of.get(role, "0")) for role in APART)
    own = (gold.segment * len(gold.keys.of["item"]) + gold.item)[layout.order] * judges + gold.judge[layout.order]
    own = own * rankings + gold.own_ranking[layout.order]
    judge, ranking = run.rankings.T
    said = np.where((run.key >= 0) & (judge >= 0) & (ranking >= 0), (run.key * judges + judge) * rankings + ranking, -1)
    by_key = np.argsort(own, kind="stable")
    found = by_key[np.minimum(np.searchsorted(own[by_key], said), len(own) - 1)]
    return of_row, needed, np.where(own[found] == said, found, -1)


@dataclass(frozen=True)
class Joining:
    """A run being joined to gold: its columns and rows, its name in a source that holds several, and whether it may have items
    that gold lacks, and lack some that gold has."""

    values: Values
    gold: GoldRows
    rows: Frame
    name: str | None
    may_add: bool
    may_lack: bool

    def problems(self, bad: int, again: Integers, outside: int, missing: Integers) -> Faults:
        """Values that are not numbers, repeated items, rows without keys, items that gold lacks, items that the run lacks."""
        source, columns = self.values.source, self.values.columns
        keys = Keys(("segment", "item"), columns, columns.run if self.name is not None else None)
        nameless, lacking = 0, dict[str, int]()
        if outside:
            empty = [nw.col(role).is_null() for role in keys.roles]
            lacking = {role: number_of_rows(self.rows.filter(one)) for role, one in zip(keys.roles, empty, strict=True)}
            nameless = number_of_rows(self.rows.filter(empty[0] | empty[1])) if any(lacking.values()) else 0
        standing = Standing(
            lacking,
            Found(len(again), lambda: self.gold.names_of(np.unique(again))),
            lacking=Found(0 if self.may_lack else len(missing), lambda: self.gold.names_of(missing)),
        )
        hint = say("add it, or choose {--missing drop} or last")
        unknown = outside > nameless and not self.may_add
        return together(
            self.values.faults(bad, lambda record: keys.is_of(record, self.name)),
            standing.problems(keys, source, self.name, again=_one_row(source), lacking=hint),
            self._unknown(keys, outside - nameless) if unknown else NONE,
        )

    def _unknown(self, keys: Keys, total: int) -> Faults:
        """Items that gold lacks, said of the segment where gold does not have that either."""
        known, source = self.gold.keys.of, self.values.source
        listed = self._unknown_keys()
        if not listed:
            what = say("{rows} of rankings that gold does not have", rows=counted(total, "row"))
            return [source.problem(0, what, say("check its judges and rankings, or choose {--extra ignore}"))], 1
        segments = set(known["segment"])
        of_segments = [(segment,) for segment, _ in listed if segment not in segments]
        of_items = [key for key in listed if key[0] in segments]

        def near(key: Key) -> str:
            own = self.gold.item[self.gold.segment == known["segment"].index(key[0])]
            return nearest(
                key[1], [known["item"][item] for item in own.tolist()], say("remove the row, or choose {--extra ignore}")
            )

        outer = Keys(("segment",), keys.columns, keys.run_column)
        here = "check that this run is for this gold"
        there = len(of_segments)
        return together(
            outer.unknown(source, of_segments, there, lambda key: nearest(key[0], known["segment"], here), self.name),
            keys.unknown(source, of_items, total - there, near, self.name) if of_items else ([], total - there),
        )

    def _unknown_keys(self) -> list[Key]:
        """The first rows of the run that gold does not know."""
        keys = self.gold.keys
        known = {
            "segment": text_array([keys.of["segment"][code] for code in self.gold.segment.tolist()]),
            "item": text_array([keys.of["item"][code] for code in self.gold.item.tolist()]),
        }
        sound = self.rows.filter(~nw.col("segment").is_null() & ~nw.col("item").is_null())
        others = sound.join(keys.engine.frame(known, beside=sound), on=["segment", "item"], how="anti")
        return first_keys(others, ("segment", "item"))
