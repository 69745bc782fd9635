"""Rankings as flat columns: what every reader of rankings hands over, brought into one order whatever the file's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.formats.columns import Columns
from metameasure.scale import numbers_first

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Texts: TypeAlias = npt.NDArray[np.object_]
Holds = Literal["ranks", "scores"]
FORMATS = ("wmt", "jcml", "trec")
POLICIES = ("drop", "last")


@dataclass(frozen=True)
class RankingOptions:
    """How rankings are read.

    ``gold_are`` and ``runs_are`` say what a column holds where its name does not (``rank`` or ``score``). Scores nearer than
    ``tie_epsilon`` (gold's: ``gold_tie_epsilon``) tie. ``missing`` is what becomes of items of gold that a run lacks: left out
    (``drop``) or behind all others, tied (``last``); by default an error. ``extra`` is what becomes of items that gold lacks:
    ``error`` or ``ignore``; by default an error, but not where gold is of WMT, whose judges see a few systems each.
    """

    columns: Columns = field(default_factory=Columns)
    format_in: str | None = None
    run_columns: tuple[str, ...] = ()
    gold_are: Holds | None = None
    runs_are: Holds | None = None
    tie_epsilon: float = 0.0
    gold_tie_epsilon: float = 0.0
    missing: str | None = None
    extra: str | None = None
    threads: int | None = None
    memory: str | None = None

    def __post_init__(self) -> None:
        choices = {
            "format": (self.format_in, FORMATS),
            "policy for missing items": (self.missing, POLICIES),
            "policy for items that gold lacks": (self.extra, ("error", "ignore")),
            "kind of gold values": (self.gold_are, ("ranks", "scores")),
            "kind of run values": (self.runs_are, ("ranks", "scores")),
        }
        for what, (chosen, known) in choices.items():
            if chosen is not None and chosen not in known:
                raise UsageError(f"there is no {what} '{chosen}'", hint=f"choose {' or '.join(known)}")
        for epsilon in (self.tie_epsilon, self.gold_tie_epsilon):
            if not 0 <= epsilon < np.inf:
                raise UsageError(f"{epsilon} is no distance for ties", hint="give a number from 0 up")
        repeated = [name for name in self.run_columns if self.run_columns.count(name) > 1]
        if repeated:
            raise UsageError(f"the run column '{repeated[0]}' is named twice", hint="name each run once")


@dataclass(frozen=True, eq=False)
class GoldRows:
    """Human judgements, one row per item of a ranking, in the order of the file.

    ``ranking`` numbers the rankings from 0 where the file itself keeps them apart; otherwise a ranking is all that one judge says
    of a source segment. ``judge`` is empty where nobody is named. ``value`` is NaN where an item is not ranked. ``beside`` (runs,
    rows) are the values of runs that stand in the same rows. ``lines`` are there where reading the file has counted them.
    ``graded``: values are grades of a pool of documents, beside which a run may have retrieved others.
    """

    source: Texts
    judge: Texts | None
    ranking: Integers | None
    item: Texts
    value: Floats
    holds: Holds
    beside: Floats
    names: tuple[str, ...] = ()
    beside_hold: Holds = "ranks"
    lines: Integers | None = None
    notes: tuple[str, ...] = ()
    graded: bool = False

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows in order: by source segment, judge, what the ranking says, item. ``order`` are positions in the rows given.

    ``repeated`` are the rows whose item stands in the same ranking already. ``pairs`` numbers each (source segment, item), by
    which runs are joined; ``pair_sources`` and ``pair_items`` are what the numbers mean.
    """

    topics: tuple[str, ...]
    sources: tuple[str, ...]
    judges: tuple[str | None, ...]
    starts: Integers
    order: Integers
    items: Integers
    item_names: tuple[str, ...]
    repeated: Integers
    pairs: Integers
    pair_sources: Texts
    pair_items: Texts


@dataclass(frozen=True, eq=False)
class RankingTables:
    """Rankings ready to be weighed: a segment is one ranking by one judge, its items are ``starts[s]:starts[s + 1]``.

    ``gold`` (items) and ``values`` (runs, items) are as in the files, ranks or scores as ``gold_are`` and ``runs_are`` say; NaN
    is not ranked, or missing where the options allow it. ``items`` are codes into ``item_names``. ``graded`` where gold's scores
    are grades of relevance.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    sources: tuple[str, ...]
    judges: tuple[str | None, ...]
    starts: Integers
    items: Integers
    item_names: tuple[str, ...]
    gold: Floats
    gold_are: Holds
    values: Floats
    runs_are: tuple[Holds, ...]
    options: RankingOptions
    notes: tuple[str, ...] = ()
    graded: bool = False


def texts(values: Sequence[str]) -> Texts:
    """Text as an array of Python's own strings."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def coded(values: Texts) -> tuple[tuple[str, ...], Integers]:
    """The distinct texts in the order people expect, and each text's place among them."""
    listed = values.tolist()
    # Sorted as text first: 'nan' is a number that sorts anywhere.
    names = tuple(sorted(sorted(dict.fromkeys(listed)), key=numbers_first))
    places = {name: place for place, name in enumerate(names)}
    return names, np.fromiter(map(places.__getitem__, listed), np.int64, len(listed))


def laid_out(rows: GoldRows) -> Layout:
    """The one order of the same rankings, whatever the order of the file."""
    source_names, source = coded(rows.source)
    item_names, item = coded(rows.item)
    judge_names, judge = coded(texts([""] * len(rows)) if rows.judge is None else rows.judge)
    ranking = rows.ranking
    if ranking is None:
        ranking = np.unique(source * len(judge_names) + judge, return_inverse=True)[1]
    by_ranking = np.lexsort((item, ranking))
    again = (np.diff(ranking[by_ranking]) == 0) & (np.diff(item[by_ranking]) == 0)
    starts = np.flatnonzero(np.diff(ranking[by_ranking], prepend=-1))
    bounds = np.append(starts, len(rows))
    heads = by_ranking[starts]
    segments = _in_order(rows, source[heads], judge[heads], by_ranking, bounds, item)
    sizes = np.diff(bounds)
    place = np.empty(len(segments), np.int64)
    place[segments] = np.arange(len(segments))
    order = by_ranking[np.argsort(np.repeat(place, sizes), kind="stable")]
    pairs, inverse = np.unique(source[order] * len(item_names) + item[order], return_inverse=True)
    pair_source, pair_item = np.divmod(pairs, len(item_names))
    sources = [source_names[code] for code in source[heads[segments]].tolist()]
    judges = [judge_names[code] or None for code in judge[heads[segments]].tolist()]
    return Layout(
        topics=_topics(sources, judges),
        sources=tuple(sources),
        judges=tuple(judges),
        starts=np.append(0, np.cumsum(sizes[segments])),
        order=order,
        items=item[order],
        item_names=item_names,
        repeated=by_ranking[1:][again],
        pairs=inverse,
        pair_sources=texts(source_names)[pair_source],
        pair_items=texts(item_names)[pair_item],
    )


def _in_order(
    rows: GoldRows, source: Integers, judge: Integers, by_ranking: Integers, bounds: Integers, item: Integers
) -> Integers:
    """Rankings by source and judge; those of one judge on one source by what they say, since nothing else tells them apart."""
    order = np.lexsort((judge, source))
    same = (np.diff(source[order]) == 0) & (np.diff(judge[order]) == 0)
    if not same.any():
        return order
    said = np.zeros(len(order), np.int64)
    alike = order[np.append(False, same) | np.append(same, False)].tolist()
    content = {}
    for ranking in alike:
        members = by_ranking[bounds[ranking] : bounds[ranking + 1]]
        content[ranking] = (item[members].tobytes(), rows.value[members].tobytes(), rows.beside[:, members].tobytes())
    said[sorted(alike, key=content.__getitem__)] = np.arange(len(alike))
    return np.lexsort((said, judge, source))


def _topics(sources: Sequence[str], judges: Sequence[str | None]) -> tuple[str, ...]:
    """A name for each ranking: its source segment; with judges also the judge; and a number where that is not enough."""
    known = any(judges)
    names = [f"{source}/{judge}" if known and judge else source for source, judge in zip(sources, judges, strict=True)]
    times = Counter(names)
    taken, seen = set(times), Counter[str]()
    for place, name in enumerate(names):
        if times[name] == 1:
            continue
        seen[name] += 1
        names[place] = _free(f"{name}#{seen[name]}", taken)
        taken.add(names[place])
    return tuple(names)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name
