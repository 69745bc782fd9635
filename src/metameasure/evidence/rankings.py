"""Rankings of each segment's items, by humans and by runs: all that a ranking measure needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import added_up, say
from metameasure.core.scale import Scale
from metameasure.core.values import in_order, repeated
from metameasure.evidence.base import (
    Evidence,
    ScoredUnits,
    check_other_runs,
    described,
    digest_of,
    hash_of,
    other_gold,
    positions,
)
from metameasure.evidence.ragged import alike, cells_of
from metameasure.evidence.room import each_row, is_in_file, release
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.work import blocks

_BLOCK_CELLS, _BLOCK_CELLS_OF_FILES = 2**23, 2**20
# What stands for the grade of a document that nobody judged.
IN_POOL, NOT_IN_POOL = -1.0, -2.0


@dataclass(frozen=True, eq=False)
class Rankings(Evidence):
    """Human and predicted ranks. A segment is one ranking by one judge; its items are ``starts[s]:starts[s + 1]``.

    ``topics`` name the segments, ``sources`` the source segments they are of (several judges may rank one), ``judges`` who ranked
    them. ``items`` are codes into ``item_names``. ``gold`` and ``predicted`` (runs, items) are ranks, 1 the best, in whatever way
    their author counts ties; NaN is not ranked. ``gold_scores`` and ``scores`` are what the ranks were made of, higher being
    better, where there were scores (NaN for a run that came with ranks, and for items that were ranked last for want of a score).
    ``graded`` where gold's scores are grades of relevance, as in TREC's qrels; ``judged`` where negative ones say what nobody
    judged, which evidence of earlier versions does not.
    """

    task: ClassVar[str] = "ranking"
    name: ClassVar[str] = "rankings"
    policies: ClassVar[dict[str, str]] = {}
    micro: ClassVar[bool] = True
    scale: ClassVar[None] = None  # type: ignore[misc]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    sources: tuple[str, ...]
    judges: tuple[str | None, ...]
    starts: Integers
    items: Integers
    item_names: tuple[str, ...]
    gold: Floats
    predicted: Floats
    gold_scores: Floats | None = None
    scores: Floats | None = None
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    graded: bool = False
    judged: bool = False
    as_trec_eval: bool = False
    """Whether they are read and scored as by trec_eval."""

    def __post_init__(self) -> None:
        total = len(self.gold)
        for what, names in (("run", self.runs), ("segment", self.topics)):
            twice = repeated(names)
            if twice:
                raise UsageError(f"two {what}s are called '{min(twice)}'", hint=f"give each {what} a name of its own")
        if not self.topics:
            raise DataError("there are no rankings", hint="a segment has at least one item")
        if (
            len(self.starts) != len(self.topics) + 1
            or self.starts[0]
            or self.starts[-1] != total
            or np.diff(self.starts).min() < 1
        ):
            raise UsageError("starts do not divide the items into segments", hint="starts go from 0 up to the number of items")
        shapes = {"items": self.items.shape, "gold_scores": None if self.gold_scores is None else self.gold_scores.shape}
        wide = {"predicted": self.predicted.shape, "scores": None if self.scores is None else self.scores.shape}
        expected = dict.fromkeys(shapes, (total,)) | {name: (len(self.runs), total) for name in wide}
        for name, shape in (shapes | wide).items():
            if shape is not None and shape != expected[name]:
                raise UsageError(f"{name} of shape {shape} instead of {expected[name]}", hint="one value per item, a row per run")
        if {len(self.sources), len(self.judges)} != {len(self.topics)}:
            raise UsageError("sources or judges are not one per segment", hint="give one per segment, None for no judge")
        for ranks in (self.gold, *self.predicted):
            with np.errstate(invalid="ignore"):
                if (ranks < 1).any() or np.isinf(ranks).any():
                    raise DataError("a rank is less than 1 or not finite", hint="1 is the best rank; NaN is not ranked")
            release(self.predicted)

    @property
    def topic_word(self) -> str:
        """What whoever ranked calls what items are ranked for: TREC has topics, machine translation has segments."""
        return "topic" if self.graded or self.as_trec_eval else "segment"

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(
            {"ranks", "ranks@scores", "ranks@gold_scores", "ranks@grades", "ranks@judgements", "order@score", "systems"}
        )

    @cached_property
    def counted_scores(self) -> Floats | None:
        """Gold's scores as they count: what nobody judged as irrelevant."""
        return np.maximum(self.gold_scores, 0.0) if self.graded and self.gold_scores is not None else self.gold_scores

    def lacking(self, reads: str) -> dict[int, str]:
        without = ""
        if reads in ("ranks@gold_scores", "ranks@grades") and self.gold_scores is None:
            without = "gold has ranks, not scores"
        elif reads == "ranks@judgements" and not self.judged:
            without = "this evidence does not say what was judged" if self.graded else "gold has no grades of relevance"
        return dict.fromkeys(range(len(self.runs)), without) if without else {}

    def by_system(self) -> tuple[Floats, Floats]:
        """Scores of runs (runs, systems, segments) and gold's (systems, segments), higher being better, NaN where there is none:
        items are systems here. Ranks count as scores, the lowest highest."""
        cell = self.items, np.repeat(np.arange(len(self.topics)), self.sizes)
        shape = len(self.item_names), len(self.topics)
        gold, predicted = np.full(shape, np.nan), np.full((len(self.runs), *shape), np.nan)
        gold[cell] = -self.gold if self.counted_scores is None else self.counted_scores
        for run in range(len(self.runs)):
            own = None if self.scores is None else self.scores[run]
            predicted[run][cell] = -self.predicted[run] if own is None or np.isnan(own).all() else own
        return predicted, gold

    def scored(self, reads: str) -> ScoredUnits:
        each = each_row(self.predicted)
        number = [int(np.add.reduceat(~np.isnan(ranks), self.starts[:-1]).astype(bool).sum()) for ranks in each]
        return ScoredUnits(np.array(number, dtype=np.int64), len(self.topics), f"{self.topic_word}s")

    def size(self, run: int) -> str:
        return f"{int((~np.isnan(self.predicted[run])).sum())} items of {len(self.topics)} {self.topic_word}s"

    def arrays(
        self, reads: str, cells: Integers, inside: Any, runs: slice = slice(None), *, with_ties: bool = False
    ) -> tuple[Floats, Floats]:
        """Predicted (runs, S, n) and gold (S, n) as a measure reads them, the lowest of ranks being best. ``with_ties`` leaves
        equal scores tied where ranks are as trec_eval's, which have no ties."""
        gold = self.gold
        if reads == "ranks@judgements" and self.gold_scores is not None:
            gold = self.gold_scores
        elif reads in ("ranks@gold_scores", "ranks@grades") and self.counted_scores is not None:
            gold = -self.counted_scores if reads == "ranks@gold_scores" else self.counted_scores
        spread = _spread(self.predicted[runs], cells, inside)
        # With an ε for ties, ranks have the ties that it makes.
        if reads == "ranks@scores" or (with_ties and self.as_trec_eval and "tie_epsilon" not in dict(self.settings)):
            spread = self._negated_scores(spread, cells, inside, runs)
        if reads != "order@score":
            return spread, _spread(gold, cells, inside)
        predicted = np.where(inside & np.isnan(spread), np.inf, spread)  # what a run does not rank has no place
        return predicted, self._relevant(cells, inside)

    def _negated_scores(self, ranks: Floats, cells: Integers, inside: Any, runs: slice) -> Floats:
        """Of runs with scores; the ranks of the others. Items ranked last for want of a score are further behind than any two
        scores are apart, so that no ε ties them with others before it ties all others."""
        if self.scores is None:
            return ranks
        lowest, highest = (ends[runs, None, None] for ends in self._ends_of_scores)
        scored = ~np.isnan(lowest)
        known = np.where(scored, _spread(self.scores[runs], cells, inside), 0.0)
        last = np.isnan(known) & ~np.isnan(ranks)
        return np.where(scored & inside, -np.where(last, 2 * lowest - highest - 1, known), ranks)

    @cached_property
    def _ends_of_scores(self) -> tuple[Floats, Floats]:
        """The lowest and the highest score of each run; NaN where it has none."""
        ends = []
        for scores in self.scores if self.scores is not None else ():
            ends.append((np.fmin.reduce(scores), np.fmax.reduce(scores)))
            release(self.scores)
        bounds: Floats = np.array(ends, dtype=float).reshape(-1, 2)
        return bounds[:, 0], bounds[:, 1]

    def _relevant(self, cells: Integers, inside: Any) -> Floats:
        """1 for items of a grade above 0 or, where there are ranks, for the best of a segment; 0 for the others."""
        if self.graded and self.gold_scores is not None:
            grades = _spread(self.gold_scores, cells, inside)
            return np.where(np.isnan(grades), np.nan, grades > 0)
        ranks = _spread(self.gold, cells, inside)
        best = np.fmin.reduce(ranks, axis=-1, keepdims=True)
        return np.where(np.isnan(ranks), np.nan, ranks == best)

    @cached_property
    def memory(self) -> dict[Any, Any]:
        """What has been computed of these rankings, by what it is: counted once, for scores, intervals, tests and remarks."""
        return {}

    @property
    def sizes(self) -> Integers:
        """How many items each segment has."""
        return np.diff(self.starts)

    def source_codes(self) -> tuple[tuple[str, ...], Integers]:
        """The source segments, in order of their first ranking, and each segment's place among them: to average by source."""
        names = tuple(dict.fromkeys(self.sources))
        return names, positions(self.sources, names)

    def blocks(self) -> Iterator[tuple[Integers, Integers, Any]]:
        """Segments, where their items are, and which cells are inside; never more cells at once than fit well into memory."""
        for size, together in alike(self.sizes):
            most = _BLOCK_CELLS_OF_FILES if is_in_file(self.predicted) else _BLOCK_CELLS
            for first, number in blocks(len(together), size * (len(self.runs) + 1), most):
                segments = together[first : first + number]
                yield segments, *cells_of(self.starts, segments, size)
                release(self.predicted, self.scores)

    def checksum(self) -> str:
        """The same for the same rankings, whatever files they come from and in whatever order segments, items and runs are."""
        segment, item, order = self._order()
        runs = np.argsort(self.runs, kind="stable")
        digest = hash_of([sorted(self.runs), *self._names])
        of_gold = [] if self.counted_scores is None else [self.counted_scores]
        of_runs = [] if self.scores is None else [self.scores[run] for run in runs]
        for array in [segment, item, self.gold, *(self.predicted[run] for run in runs), *of_gold, *of_runs]:
            digest.update(_ordered(array, order))
            release(self.predicted, self.scores)
        return str(digest.hexdigest()[:12])

    @property
    def _names(self) -> tuple[Any, Any]:
        """Segments with their sources and judges, and items, in an order that depends on nothing else."""
        return sorted(zip(self.topics, self.sources, map(str, self.judges), strict=True)), sorted(self.item_names)

    def _order(self) -> tuple[Integers, Integers, Any]:
        """The numbers of segments and items in the order of their names, and the order that these give."""
        segment = np.repeat(places(self.topics), self.sizes)
        item = places(self.item_names)[self.items]
        key = segment * len(self.item_names) + item
        # Rankings without judges are read in this order.
        return segment, item, np.lexsort((self.gold, key)) if (np.diff(key) <= 0).any() else slice(None)

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Of gold's ranks or grades, and of each run's ranks and scores, on the items that are ranked or judged."""
        segment, item, order = self._order()
        facts = hash_of(self._names)
        for array in (segment, item):
            facts.update(_ordered(array, order))
        of_gold = [self.gold] if self.gold_scores is None else [self.gold, self.gold_scores]
        runs = {}
        for place, run in sorted(enumerate(self.runs), key=lambda one: one[1]):
            said = [self.predicted[place]] if self.scores is None else [self.predicted[place], self.scores[place]]
            runs[run] = digest_of((_ordered(array, order) for array in said), after=facts)
            release(self.predicted, self.scores)
        return {"gold": digest_of((_ordered(array, order) for array in of_gold), after=facts), "runs": runs}

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        facts = {name: getattr(self, name) for name in ("sources", "judges", "item_names", "graded", "judged", "as_trec_eval")}
        arrays = {name: getattr(self, name) for name in ("starts", "items", "gold", "predicted", "gold_scores", "scores")}
        return facts, {name: array for name, array in arrays.items() if array is not None}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:  # noqa: ARG003 - there is none
        listed: dict[str, Any] = {name: tuple(facts[name]) for name in ("sources", "judges", "item_names")}
        flags = {name: facts.get(name, False) for name in ("graded", "judged", "as_trec_eval")}
        return cls(**described(facts), **flags, **listed, **arrays)

    def plus(self, other: Self) -> Self:
        self.check_settings(other)
        if (self.gold_scores is None, self.graded, self.judged) != (other.gold_scores is None, other.graded, other.judged):
            raise UsageError("gold has scores in one part and ranks in the other", hint="merge parts of one kind")
        if not {*self.sources} & {*other.sources} and {*self.runs} == {*other.runs}:
            return self._with_segments(other)
        check_other_runs(self, other)
        if self.graded:
            what = "runs on the same topics add documents to each other's lists"
            raise UsageError(what, hint="count the runs of a topic together, and merge parts with other topics")
        if self.item_names != other.item_names or not np.array_equal(self.gold, other.gold, equal_nan=True):
            raise other_gold("segment")
        return replace(
            self,
            runs=(*self.runs, *other.runs),
            predicted=np.concatenate([self.predicted, other.predicted]),
            scores=_both_scores(self, other, range(len(other.runs)), axis=0),
            notes=tuple(dict.fromkeys((*self.notes, *other.notes))),
        )

    def _with_segments(self, other: Self) -> Self:
        """The segments of both, in the order in which they would be read together."""
        same = [other.runs.index(run) for run in self.runs]
        sources = (*self.sources, *other.sources)
        segments = np.argsort(positions(sources, in_order({*sources})), kind="stable")
        names = tuple(in_order({*self.item_names, *other.item_names}))
        coded = [positions(part.item_names, names)[part.items] for part in (self, other)]
        sizes = np.concatenate([self.sizes, other.sizes])
        starts = np.append(0, np.cumsum(sizes))
        order = np.concatenate([np.arange(starts[segment], starts[segment + 1]) for segment in segments.tolist()])

        def both(own: Any, others: Any) -> Any:
            return np.concatenate([own, others], axis=-1)[..., order]

        def listed(own: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple((*own, *others)[segment] for segment in segments.tolist())

        scores = _both_scores(self, other, same, axis=1)
        return replace(
            self,
            topics=listed(self.topics, other.topics),
            sources=listed(self.sources, other.sources),
            judges=listed(self.judges, other.judges),
            starts=np.append(0, np.cumsum(sizes[segments])),
            items=both(*coded),
            item_names=names,
            gold=both(self.gold, other.gold),
            predicted=both(self.predicted, other.predicted[same]),
            gold_scores=None if self.gold_scores is None else both(self.gold_scores, other.gold_scores),
            scores=None if scores is None else scores[:, order],
            notes=added_up(self.notes, other.notes),
        )

    @classmethod
    def of(
        cls,
        gold: Sequence[Sequence[float]],
        runs: Mapping[str, Sequence[Sequence[float]]],
        *,
        topics: Sequence[str] | None = None,
    ) -> Rankings:
        """Ranks as nested lists: gold's, and each run's by name; items go by their position."""
        lengths = [len(ranking) for ranking in gold]
        for name, rankings in runs.items():
            if [len(ranking) for ranking in rankings] != lengths:
                raise DataError(
                    say("run '{run}' has segments of other lengths than gold", run=name),
                    hint="one rank per item of each segment; NaN for none",
                )
        names = tuple(map(str, topics)) if topics is not None else tuple(str(place + 1) for place in range(len(gold)))
        starts = np.append(0, np.cumsum(np.array(lengths, np.int64)))
        return cls(
            runs=tuple(runs),
            topics=names,
            sources=names,
            judges=(None,) * len(names),
            starts=starts,
            items=np.arange(starts[-1]) - np.repeat(starts[:-1], lengths),
            item_names=tuple(str(place + 1) for place in range(max(lengths, default=0))),
            gold=_flat(gold),
            predicted=np.array([_flat(rankings) for rankings in runs.values()]).reshape(len(runs), int(starts[-1])),
        )


def _both_scores(first: Rankings, second: Rankings, runs: Sequence[int], axis: int) -> Floats | None:
    """The runs' scores of two parts; NaN where a part has ranks."""
    if first.scores is None and second.scores is None:
        return None
    parts = [np.full(part.predicted.shape, np.nan) if part.scores is None else part.scores for part in (first, second)]
    return np.concatenate([parts[0], parts[1][list(runs)]], axis=axis)


def _spread(flat: Floats, cells: Integers, inside: Any) -> Floats:
    return np.where(inside, flat[..., cells], np.nan)


def _ordered(array: Any, order: Any) -> Any:
    """Numbers in an order, with one kind of NaN and no negative zero."""
    ordered = array[order].astype("<f8")
    ordered[np.isnan(ordered)] = np.nan
    return ordered + 0.0


def places(names: Sequence[str]) -> Integers:
    """The place of each name among all, sorted."""
    if list(names) == sorted(names):
        return np.arange(len(names))
    places = np.empty(len(names), np.int64)
    places[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return places


def _flat(rankings: Sequence[Sequence[float]]) -> Floats:
    return np.array([rank for ranking in rankings for rank in ranking], dtype=np.float64)
