"""Joint counts: how many items have the same gold and the same outputs of all runs. That is all that comparing runs item by item
needs, whatever the number of items, and counts of parts add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.scale import Scale
from metameasure.evidence.base import positions
from metameasure.evidence.counting import codes_in
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.items import check_clustered_alike
from metameasure.evidence.outputs import (
    Codes,
    Outputs,
    clusters_of,
    code_type,
    item_outputs,
    topics_of,
    with_stand_ins,
    without_ids,
)
from metameasure.evidence.preparing import gold_apart
from metameasure.evidence.side_by_side import WideTable
from metameasure.reading.engine import Frame, fetch
from metameasure.reading.joining import KeyedTable, filled
from metameasure.statistics.arrays import Integers

_ROLES = ("topic", "weight", "cluster")
_NAMED = ("times", "topic", "gold", "labels", "weight", "cluster", "lower")
# So many bits of a whole number hold the codes of several runs.
_BITS = 62


def joint_outputs(tables: KeyedTable, counts: LabelCounts, missing: str | None) -> Outputs:
    """What runs say of items that are alike, with their number, of tables that have been counted. The engine puts the outputs for
    an item side by side and counts them: no item comes here from a cluster, and none from elsewhere unless runs have several
    outputs for one."""
    (made,) = _joint(tables, counts, missing, [range(len(tables.names))])
    return made


def paired_outputs(
    tables: KeyedTable, counts: LabelCounts, missing: str | None, pairs: Sequence[tuple[str, str]]
) -> tuple[Outputs, ...]:
    """The same of two runs at a time. UsageError for items in clusters, or with several outputs, which are kept in any case."""
    if tables.repeated or tables.has("cluster"):
        hint = say("leave out {--pairs}")
        raise UsageError("items in clusters, or with several outputs, are kept for all runs together", hint=hint)
    return _joint(tables, counts, missing, [positions(pair, tables.names).tolist() for pair in pairs])


def pairs_named(pairs: str | Iterable[Sequence[str]], runs: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of runs in ``A:B,A:C``, or in pairs of names. UsageError for a pair that is not in the data."""
    found: list[tuple[str, str]] = []
    for one in pairs.split(",") if isinstance(pairs, str) else pairs:
        ends = (
            [(one[:place], one[place + 1 :]) for place, sign in enumerate(one) if sign == ":"] if isinstance(one, str) else [one]
        )
        known = [tuple(two) for two in ends if len(two) == 2 and two[0] != two[1] and {*two} <= {*runs}]
        if not known:
            names = [name for two in ends for name in two if name not in runs]
            hint = did_you_mean(names[0], runs) if names else None
            what = say("'{pair}' is no pair of runs", pair=one if isinstance(one, str) else ":".join(map(str, one)))
            example = say("as in {first}:{last}; the runs are {runs}", first=runs[0], last=runs[-1], runs=", ".join(runs))
            raise UsageError(what, hint=hint or example)
        found += [(first, second) for first, second in known[:1] if {first, second} not in [{*two} for two in found]]
    return found


def _joint(tables: KeyedTable, counts: LabelCounts, missing: str | None, groups: Sequence[Sequence[int]]) -> tuple[Outputs, ...]:
    """The joint counts of each group of runs."""
    if isinstance(tables, WideTable) or (tables.repeated and tables.is_here):
        whole = item_outputs(tables, counts, missing)
        return tuple(condensed(_chosen(whole, group)) for group in groups)
    if not tables.has_items:
        raise without_ids()
    scale = counts.scale
    with tables.reading():
        tables = gold_apart(tables)
        assert tables.gold is not None  # noqa: S101 - it is apart now
        codes = codes_in(scale, tables.gold, tables.runs)
        shared = [role for role in _ROLES if tables.has(role) and not (role == "weight" and tables.equal_weights)]
        if tables.repeated:
            return (_of_repeats(tables, counts, missing, codes, shared),)  # all runs together
        beside = _side_by_side(tables, codes, shared, sorted({run for group in groups for run in group}))
        if len(groups) == 1:
            found = [fetch(_counted(beside, shared, len(scale), groups[0]))]
        else:
            with tables.engine.while_kept(beside) as kept:
                found = [fetch(_counted(kept, shared, len(scale), group)) for group in groups]
    each = zip(groups, found, strict=True)
    return tuple(_outputs(tables, counts, missing, group, columns, shared) for group, columns in each)


def _of_repeats(
    tables: KeyedTable, counts: LabelCounts, missing: str | None, codes: dict[Any, int], shared: Sequence[str]
) -> Outputs:
    """The joint counts of all runs, of which some have several outputs for an item."""
    most = int(fetch(tables.runs.select(nw.col("outputs").max()))["outputs"][0])
    found = fetch(_repeats_counted(tables, codes, shared, len(counts.scale), most))
    return _outputs(tables, counts, missing, range(len(tables.names)), found, shared, most)


def _chosen(outputs: Outputs, runs: Sequence[int]) -> Outputs:
    """Some of the runs, with both ends."""
    lower = None if outputs.lower is None else outputs.lower[list(runs)]
    return replace(outputs.of_runs(runs), lower=lower)


def _outputs(
    tables: KeyedTable,
    counts: LabelCounts,
    missing: str | None,
    runs: Sequence[int],
    found: dict[str, Any],
    shared: Sequence[str],
    most: int = 1,
) -> Outputs:
    """Counts that were fetched as outputs of some runs, of which each has so many for an item at most."""
    scale = counts.scale
    labels = _labels(found, len(scale), len(runs) * most).reshape(len(runs), most, -1)
    said = max(1, int((labels >= 0).any(axis=(0, 2)).sum()))  # rows on items that gold lacks may be more
    known = found["gold code"] >= 0
    topics = topics_of(counts, found["topic"].tolist() if "topic" in found else None, len(known))
    made = Outputs(
        scale,
        tuple(tables.names[run] for run in runs),
        np.asarray(found["gold code"], dtype=np.int64)[known],
        labels[:, :said, known].swapaxes(1, 2).reshape(len(runs), -1),
        np.repeat(np.arange(int(known.sum())), said),
        topics[known],
        found["weight"].astype(float)[known] if "weight" in shared else None,
        times=np.asarray(found["times"], dtype=np.int64)[known],
    )
    if "cluster" in shared:
        made = made.with_clusters(clusters_of(tables, found["cluster"][known].tolist(), made.times))
    return condensed(with_stand_ins(made, missing, lower=counts.lower is not None))


def _words(classes: int, runs: int) -> list[range]:
    """Which runs have their codes in each whole number. It holds a code as one more than it is, and nothing as 0."""
    held = _BITS // _bits(classes)
    return [range(first, min(first + held, runs)) for first in range(0, runs, held)]


def _bits(classes: int) -> int:
    """How many bits one of so many classes takes, or none."""
    return classes.bit_length()


def _side_by_side(tables: KeyedTable, codes: dict[Any, int], shared: Sequence[str], runs: Sequence[int]) -> Frame:
    """A row for each item: gold's code, what else is known of it, and the code of each of some runs."""
    keys, said = tables.keys, [f"code {run}" for run in runs]
    own = (nw.when(nw.col("run") == run).then(nw.col("label code")).alias(f"code {run}") for run in runs)
    beside = _coded(tables, codes).select(*keys, *own).group_by(*keys).agg(*(nw.col(name).max() for name in said))
    return _beside_gold(tables, codes, shared, beside).select("gold code", *shared, *said)


def _repeats_counted(tables: KeyedTable, codes: dict[Any, int], shared: Sequence[str], classes: int, most: int) -> Frame:
    """A row for each kind of items, with the codes of all runs, of which each has so many for an item at most, in their order."""
    words, keys = _words(classes, len(tables.names) * most), tables.keys
    held, names = len(words[0]), [f"word {place}" for place in range(len(words))]
    coded = _coded(tables, codes).filter(~nw.col("label code").is_null()).select("run", *keys, "label code")
    place = nw.col("label code").cum_count().over("run", *keys, order_by="label code").cast(nw.Int64)
    digit = nw.col("run").cast(nw.Int64) * most + place - 1
    placed = coded.with_columns((digit % held).alias("digit"), digit.alias("number"))
    units = {"digit": np.arange(held), "unit": np.array([1 << (_bits(classes) * one) for one in range(held)], np.int64)}
    rows = placed.join(tables.engine.frame(units, beside=placed), on="digit", how="inner")
    whole = (nw.col("label code").cast(nw.Int64) + 1) * nw.col("unit")
    nothing = nw.lit(0).cast(nw.Int64)
    own = (
        nw.when((nw.col("number") >= word.start) & (nw.col("number") < word.stop)).then(whole).otherwise(nothing).alias(name)
        for name, word in zip(names, words, strict=True)
    )
    beside = rows.select(*keys, *own).group_by(*keys).agg(*(nw.col(name).sum() for name in names))
    filled = (nw.coalesce(nw.col(name), nw.lit(0)).cast(nw.Int64).alias(name) for name in names)
    items = _beside_gold(tables, codes, shared, beside).select("gold code", *shared, *filled)
    return items.group_by("gold code", *shared, *names).agg(nw.len().cast(nw.Int64).alias("times"))


def _coded(tables: KeyedTable, codes: dict[Any, int]) -> Frame:
    """The runs' rows with the codes of their labels."""
    return tables.engine.looked_up(
        tables.runs, **{"label code": ("label", list(codes), np.array(list(codes.values()), np.int64))}
    )


def _beside_gold(tables: KeyedTable, codes: dict[Any, int], shared: Sequence[str], said: Frame) -> Frame:
    """Gold's items and their codes, -1 for none, beside what is said of them."""
    numbers, keys = np.array(list(codes.values()), np.int64), list(tables.keys)
    gold = tables.engine.looked_up(tables.gold, **{"gold code": ("gold", list(codes), numbers)})
    joined = gold.select(*dict.fromkeys([*keys, *shared]), "gold code").join(said, on=keys, how="left")
    return joined.with_columns(nw.coalesce(nw.col("gold code"), nw.lit(-1)).cast(nw.Int64).alias("gold code"))


def _counted(beside: Frame, shared: Sequence[str], classes: int, runs: Sequence[int]) -> Frame:
    """A row for each kind of items, with the codes of some runs in a few numbers."""
    words = _words(classes, len(runs))
    packed = [_packed([runs[digit] for digit in word], place, _bits(classes)) for place, word in enumerate(words)]
    rows = beside.select("gold code", *shared, *packed)
    by = ["gold code", *shared, *(f"word {place}" for place in range(len(words)))]
    return rows.group_by(*by).agg(nw.len().cast(nw.Int64).alias("times"))


def _packed(word: Sequence[int], place: int, bits: int) -> Any:
    """The codes of some runs in one number, the first in its lowest bits."""
    number = nw.lit(0).cast(nw.Int64)
    for digit, run in enumerate(word):
        code = nw.coalesce(nw.col(f"code {run}"), nw.lit(-1)).cast(nw.Int64) + 1
        number = number + code * nw.lit(1 << (bits * digit)).cast(nw.Int64)
    return number.cast(nw.Int64).alias(f"word {place}")


def _labels(found: dict[str, Any], classes: int, runs: int) -> Codes:
    labels = np.full((runs, len(found["times"])), -1, dtype=code_type(classes))
    for place, word in enumerate(_words(classes, runs)):
        bits, number = _bits(classes), filled(found[f"word {place}"])
        for digit, run in enumerate(word):
            labels[run] = ((number >> (bits * digit)) & ((1 << bits) - 1)) - 1
    return labels


def condensed(outputs: Outputs) -> Outputs:
    """Items that are alike as one, with their number, in an order that depends on nothing but what they are."""
    size = len(outputs.gold)
    columns = [outputs.topic, outputs.gold]
    columns += [] if outputs.cluster is None else [outputs.cluster]
    columns += [] if outputs.weight is None else [outputs.weight.view(np.int64)]
    said = [outputs.labels] if outputs.lower is None else [outputs.labels, outputs.lower]
    columns += [one for labels in said for run in labels for one in run.reshape(size, outputs.each).T]
    _, first, kind = np.unique(np.column_stack(columns), axis=0, return_index=True, return_inverse=True)
    times = np.bincount(kind.ravel(), outputs.times, minlength=len(first)).astype(np.int64)
    return _rows(outputs, first, times)


def _rows(outputs: Outputs, rows: Integers, times: Integers | None) -> Outputs:
    """Some of the rows, which may be repeated, each standing for so many items."""
    each = outputs.each
    columns = (rows[:, None] * each + np.arange(each)).ravel()
    return replace(
        outputs,
        gold=outputs.gold[rows],
        labels=outputs.labels[:, columns],
        item=np.repeat(np.arange(len(rows)), each),
        topic=outputs.topic[rows],
        weight=None if outputs.weight is None else outputs.weight[rows],
        cluster=None if outputs.cluster is None else outputs.cluster[rows],
        lower=None if outputs.lower is None else outputs.lower[:, columns],
        times=times,
    )


def item_by_item(outputs: Outputs) -> Outputs:
    """The same with a row for each item, where items are parts of larger units."""
    if outputs.times is None or not outputs.clustered:
        return outputs
    return _rows(outputs, np.repeat(np.arange(len(outputs.gold)), outputs.times), None)


def added(first: LabelCounts, second: LabelCounts, runs: Sequence[str], topics: Sequence[str]) -> Outputs | None:
    """The joint counts of two parts of the data together. UsageError where one of them has none, or they are of other runs."""
    parts = [(one, one.outputs) for one in (first, second) if one.outputs is not None]
    if not parts:
        return None
    if len(parts) < 2:
        raise UsageError(say("one part was counted with {--for compare}, and the other was not"), hint="count them alike")
    if {*first.runs} != {*second.runs} or {*first.gold_parts} & {*second.gold_parts}:
        raise _counted_apart()
    both = [_in_order(outputs, runs, positions(one.topics, topics)) for one, outputs in parts]
    return _together(*both)


def _counted_apart() -> UsageError:
    hint = "count all runs together, in parts that have other items"
    return UsageError("runs that were counted apart cannot be compared item by item", hint=hint)


def added_pairs(first: LabelCounts, second: LabelCounts, topics: Sequence[str]) -> tuple[Outputs, ...]:
    """The same of pairs of runs. UsageError where they are not of the same ones."""
    if not first.paired and not second.paired:
        return ()
    others = {frozenset(one.runs): one for one in second.paired}
    if {frozenset(one.runs) for one in first.paired} != {*others}:
        raise UsageError(say("the parts were not counted with the same {--pairs}"), hint="count them alike")
    if {*first.gold_parts} & {*second.gold_parts}:
        raise _counted_apart()
    return tuple(
        _together(
            _in_order(one, one.runs, positions(first.topics, topics)),
            _in_order(others[frozenset(one.runs)], one.runs, positions(second.topics, topics)),
        )
        for one in first.paired
    )


def _together(*both: Outputs) -> Outputs:
    """Two parts that have the same runs and topics."""
    names = tuple(sorted({name for one in both for name in one.clusters}))
    moved = [
        one if one.cluster is None else replace(one, clusters=names, cluster=positions(one.clusters, names)[one.cluster])
        for one in both
    ]
    check_clustered_alike(*moved)
    return item_by_item(condensed(_one_below_the_other(*moved)))


def _in_order(outputs: Outputs, runs: Sequence[str], topic: Integers) -> Outputs:
    """The same with runs in that order, and other numbers of topics."""
    order = positions(runs, outputs.runs)
    lower = None if outputs.lower is None else outputs.lower[order]
    return replace(outputs, runs=tuple(runs), labels=outputs.labels[order], lower=lower, topic=topic[outputs.topic])


def _one_below_the_other(first: Outputs, second: Outputs) -> Outputs:
    most = max(first.each, second.each)

    def joined(name: str, kind: Any = np.int64) -> Any:
        """1 for each item of a part that has none."""
        held = ((getattr(one, name), len(one.gold)) for one in (first, second))
        return np.concatenate([np.ones(size, kind) if own is None else own for own, size in held])

    def said(name: str) -> Any:
        wide = []
        for one in (first, second):
            own = getattr(one, name)
            own = (one.labels if own is None else own).reshape(len(one.runs), len(one.gold), -1)
            wide.append(np.pad(own, ((0, 0), (0, 0), (0, most - own.shape[2])), constant_values=-1))
        return np.concatenate(wide, axis=1).reshape(len(first.runs), -1)

    size = len(first.gold) + len(second.gold)
    return replace(
        first,
        gold=joined("gold"),
        labels=said("labels"),
        item=np.repeat(np.arange(size), most),
        topic=joined("topic"),
        weight=None if first.weight is None else joined("weight", float),
        cluster=None if first.cluster is None else joined("cluster"),
        lower=None if first.lower is None and second.lower is None else said("lower"),
        times=joined("times"),
    )


def stored(outputs: Outputs) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file of evidence holds of them: facts for JSON, and arrays."""
    alike = condensed(outputs)
    arrays = {f"joint_{name}": getattr(alike, name) for name in _NAMED if getattr(alike, name) is not None}
    small = {name: array.astype(np.int16) for name, array in arrays.items() if name in ("joint_labels", "joint_lower")}
    return {"clusters": alike.clusters}, arrays | small


def restored(facts: dict[str, Any], arrays: dict[str, Any], runs: tuple[str, ...], scale: Scale) -> Outputs | None:
    """What ``stored`` gave; None where a file holds no joint counts."""
    if "joint_times" not in arrays:
        return None
    held: dict[str, Any] = {name: arrays.get(f"joint_{name}") for name in _NAMED}
    said = {name: held[name] for name in ("labels", "lower") if held[name] is not None}
    small: dict[str, Any] = {name: codes.astype(code_type(len(scale))) for name, codes in said.items()}
    size = len(held["gold"])
    item = np.repeat(np.arange(size), held["labels"].shape[1] // max(1, size))
    made = Outputs(scale, runs, item=item, clusters=tuple(facts.get("clusters", ())), **{**held, **small})
    return item_by_item(made)


def stored_pairs(paired: Sequence[Outputs]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file of evidence holds of pairs, those of one below those of the other."""
    if not paired:
        return {}, {}
    each = [stored(one)[1] for one in paired]
    held = {name for arrays in each for name in arrays}
    arrays = {}
    for name in sorted(held):
        short = name.removeprefix("joint_")
        alike = [own.get(name, own["joint_labels"] if short == "lower" else np.ones(len(own["joint_times"]))) for own in each]
        arrays[f"pairs_{short}"] = np.concatenate(alike, axis=-1)
    arrays["pairs_of"] = np.repeat(np.arange(len(each)), [len(own["joint_times"]) for own in each])
    return {"pairs": [list(one.runs) for one in paired]}, arrays


def restored_pairs(facts: dict[str, Any], arrays: dict[str, Any], scale: Scale) -> tuple[Outputs, ...]:
    """What ``stored_pairs`` gave."""
    found = []
    for place, runs in enumerate(facts.get("pairs", ())):
        own = arrays["pairs_of"] == place
        held = {name: arrays[f"pairs_{name}"][..., own] for name in _NAMED if f"pairs_{name}" in arrays}
        one = restored({}, {f"joint_{name}": array for name, array in held.items()}, tuple(runs), scale)
        found += [] if one is None else [one]
    return tuple(found)
