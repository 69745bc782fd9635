"""What a file of evidence must look like: the facts and arrays of each task. A checksum shows that a file is damaged; it does not
show who wrote the file. So what a file says is looked at before anything is computed from it: types, shapes, signs and codes, and
whether the parts agree with each other. A layout is data, so that a new version of the file is a new entry."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.messages import restored
from metameasure.core.values import repeated
from metameasure.evidence.weights import MOST_BITS
from metameasure.reading.no_tables import FACTS

_INTEGERS, _NUMBERS, _BOOLEANS, _TEXTS = np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.bool_), "U"
_CODES = np.dtype(np.int16)
# More items than this cannot be told apart in floating point. Weights are counted in units, of which there may be far more.
_MOST_ITEMS, _MOST_WEIGHT, _LARGEST_UNIT = 2.0**53, 10**300, 2**1100
_MOST_DIGITS = 1000
# Distributions were read with a tolerance of 1e-6.
_SUM_TOLERANCE = 2e-6
# An archive that claims to hold more than this, and so many times its own length, is a bomb.
_LARGE, _MOST_TIMES = 2**30, 200


class UnfitError(ValueError):
    """A file does not hold what its task needs. The text says what is wrong with it."""


@dataclass(frozen=True)
class Fact:
    """One entry of the JSON object: ``fits`` says whether it is what ``words`` say."""

    words: str
    fits: Callable[[Any], bool]
    optional: bool = False
    """Whether files of earlier versions do not say it."""


@dataclass(frozen=True)
class Form:
    """What an array must be like. ``shape`` is given in sizes with a name; a size that no fact gives is free, and the same
    wherever it stands. ``below`` is for codes: the size that they lie below, or one for each column."""

    dtype: npt.DTypeLike
    shape: tuple[str | int, ...]
    least: float = -math.inf
    below: str | tuple[str, ...] = ""
    gaps: bool = False
    """Whether NaN stands for what is not there."""
    behind: bool = False
    """Whether minus infinity stands for what is behind everything else."""
    optional: bool = False
    or_digits: bool = False
    """Whether whole numbers may be texts too, as those are that have more than 62 bits."""

    def has_type(self, dtype: np.dtype[Any]) -> bool:
        """Whether an array may be of that type."""
        texts = self.dtype == _TEXTS or self.or_digits
        return (texts and dtype.kind == _TEXTS) or (self.dtype != _TEXTS and dtype.newbyteorder("=") == self.dtype)


@dataclass(frozen=True)
class Layout:
    """The file of one task. ``more`` are arrays that depend on facts. ``agree`` says what does not fit together in arrays that
    fit by themselves: nothing where all does."""

    facts: Mapping[str, Fact]
    sizes: Mapping[str, Callable[[Mapping[str, Any]], int]]
    arrays: Mapping[str, Form]
    agree: Callable[[Mapping[str, Any], Mapping[str, Any]], str]
    more: Callable[[Mapping[str, Any]], Mapping[str, Form]] = lambda _: {}
    among_facts: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """What does not fit together in facts that fit by themselves."""

    def forms(self, facts: Mapping[str, Any]) -> dict[str, Form]:
        return {**self.arrays, **self.more(facts)}

    def check_facts(self, facts: Mapping[str, Any]) -> None:
        """UnfitError for a fact that is not there, or is something else."""
        for name, fact in self.facts.items():
            if name not in facts:
                if fact.optional:
                    continue
                raise UnfitError(f"it does not say '{name}'")
            if not fact.fits(facts[name]):
                raise UnfitError(f"'{name}' is not {fact.words}")
        if wrong := self.among_facts(facts):
            raise UnfitError(wrong)

    def check_shapes(self, facts: Mapping[str, Any], found: Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> None:
        """UnfitError for an array that is not there, that nobody knows, or of another type or shape."""
        forms = self.forms(facts)
        for name in (*(name for name, form in forms.items() if not form.optional), *found):
            if name not in found or name not in forms:
                raise UnfitError(f"the array '{name}' is {'missing' if name in forms else 'not part of such a file'}")
        sizes = {name: size(facts) for name, size in self.sizes.items()}
        for name, (shape, dtype) in found.items():
            form = forms[name]
            if not form.has_type(dtype):
                raise UnfitError(f"the array '{name}' has the type {dtype}")
            wanted = [size if isinstance(size, int) else sizes.get(size) for size in form.shape]
            if len(shape) != len(wanted) or any(size not in (None, length) for size, length in zip(wanted, shape, strict=True)):
                raise UnfitError(f"the array '{name}' has the shape {shape} and not ({', '.join(map(str, form.shape))})")
            sizes |= {size: length for size, length in zip(form.shape, shape, strict=True) if isinstance(size, str)}

    def check_values(self, facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        """UnfitError for values that an array of known shape cannot have."""
        sizes = {name: size(facts) for name, size in self.sizes.items()}
        for name, array in arrays.items():
            form = self.forms(facts)[name]
            if array.dtype == _NUMBERS:
                sound = np.isfinite(array) | (np.isnan(array) & form.gaps) | ((array == -np.inf) & form.behind)
                if not sound.all():
                    raise UnfitError(f"the array '{name}' has values that are not finite")
            if array.dtype.kind in "if" and (array < form.least).any():
                raise UnfitError(f"the array '{name}' has values below {form.least:g}")
            if form.or_digits and array.dtype == _INTEGERS and (array >= 2**MOST_BITS).any():
                raise UnfitError(f"the array '{name}' has numbers that are too large")
            if form.or_digits and array.dtype.kind == _TEXTS and not all(map(_is_digits, array.ravel().tolist())):
                raise UnfitError(f"the array '{name}' has texts that are no whole numbers")
            if form.below:
                limits = [sizes[size] for size in ([form.below] if isinstance(form.below, str) else form.below)]
                if (array >= np.array(limits)).any():
                    raise UnfitError(f"the array '{name}' has codes that stand for nothing")


def read_arrays(archive: zipfile.ZipFile, check: Callable[[Mapping[str, Any]], None]) -> dict[str, Any]:
    """The arrays of a file, but for its facts. Types and shapes are checked before any of them is given room."""
    members = [info for info in archive.infolist() if info.filename != FACTS]
    found = {}
    for info in members:
        with archive.open(info) as stream:
            shape, _, dtype = _header(stream)
            if stream.tell() + math.prod(shape) * dtype.itemsize != info.file_size:
                raise UnfitError(f"the array '{info.filename}' is shorter or longer than it says")
        found[info.filename.removesuffix(".npy")] = (shape, dtype)
    check(found)
    return {info.filename.removesuffix(".npy"): _array(archive, info) for info in members}


def check_length(archive: zipfile.ZipFile, length: int) -> None:
    """UnfitError for an archive that claims to hold far more than its length allows."""
    total = sum(info.file_size for info in archive.infolist())
    if total > max(_LARGE, _MOST_TIMES * length):
        raise UnfitError(f"its arrays would take {total / 2**20:.0f} MiB, more than {_MOST_TIMES} times its length")


def _header(stream: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)
    return np.lib.format.read_array_header_2_0(stream)


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Any:
    with archive.open(info) as stream:
        array = np.lib.format.read_array(stream, allow_pickle=False)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def whole_numbers(array: Any) -> Any:
    """An array of whole numbers, which may be texts."""
    if array.dtype.kind != _TEXTS:
        return array
    return np.array([int(text) for text in array.ravel().tolist()], dtype=object).reshape(array.shape)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _is_note(value: Any) -> bool:
    try:
        restored(value)
    except ValueError:
        return False
    return True


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_text, value))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_names(value: Any) -> bool:
    return _list_of(_is_text)(value) and not repeated(value)


def _is_unit(value: Any) -> bool:
    return _is_whole(value) and 1 <= value <= _LARGEST_UNIT and value & (value - 1) == 0


_NAMES = Fact("a list of names, each of them once", _are_names)
_TEXTS_LISTED = Fact("a list of names", _list_of(_is_text))
_SOME_NAMES = Fact("a list of names, at least one and each of them once", lambda value: bool(value) and _are_names(value))
_FLAG = Fact("true or false", lambda value: isinstance(value, bool))
_SHARED = {
    "runs": _SOME_NAMES,
    "topics": _SOME_NAMES,
    "notes": Fact("a list of notes", _list_of(_is_note)),
    "settings": Fact("a list of pairs of texts", _list_of(_is_pair)),
    "checksum": Fact("a text", _is_text),
}
_CLASSES = {
    "labels": _SOME_NAMES,
    "kind": Fact("a kind of scale", _is_text),
    "values": Fact("a list of numbers", _list_of(lambda value: _is_whole(value) or isinstance(value, float))),
}
_SIZES = {"runs": lambda facts: len(facts["runs"]), "topics": lambda facts: len(facts["topics"])}
_SIZES_WITH_CLASSES = {**_SIZES, "classes": lambda facts: len(facts["labels"])}


def _of_runs(values: Any, cells: Any, runs: int) -> Any:
    """Sums of each run's cells."""
    return np.bincount(cells[:, 0], weights=values, minlength=runs)


def _counts_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """The answers; and those with missing ones at the lower of two ends, where they are."""
    others = {name: arrays[f"lower_{name}"] for name in ("cells", "items", "weights") if f"lower_{name}" in arrays}
    wrong = _answers_agree(facts, arrays) or (_answers_agree(facts, {**arrays, **others}) if others else "")
    return wrong or _joint_counts_agree(facts, arrays)


def _joint_counts_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """Whether the items that are compared are those that are counted: of all runs, or of pairs."""
    if wrong := _items_agree("joint", arrays, facts, [*range(len(facts["runs"]))]):
        return wrong
    for place, pair in enumerate(facts.get("pairs", ())):
        if len({*pair}) < 2 or not {*pair} <= {*facts["runs"]} or "pairs_of" not in arrays:
            return "'pairs' does not name runs"
        own = {name: array[..., arrays["pairs_of"] == place] for name, array in arrays.items() if name.startswith("pairs_")}
        if wrong := _items_agree("pairs", {**arrays, **own}, facts, [facts["runs"].index(run) for run in pair]):
            return wrong
    return ""


def _items_agree(kind: str, arrays: Mapping[str, Any], facts: Mapping[str, Any], runs: Sequence[int]) -> str:
    held = [name for name in arrays if name.startswith(f"{kind}_")]
    if not held:
        return ""
    names = [f"{kind}_{name}" for name in ("times", "topic", "gold", "labels")]
    if lacking := [name for name in names if name not in held]:
        return f"the array '{lacking[0]}' is missing"
    times, topic, gold, labels = (arrays[name] for name in names)
    if labels.shape[1] % max(1, len(times)) or times.sum(dtype=float) > _MOST_ITEMS:
        return "the joint counts do not belong together"
    if labels.shape[1] != len(times):
        return ""  # the outputs for an item share what it counts
    shape = (len(facts["runs"]), len(facts["topics"]), len(facts["labels"]), len(facts["labels"]))
    run, row = np.nonzero(labels >= 0)
    places = (np.array(runs, dtype=np.int64)[run], topic[row], gold[row], labels[run, row].astype(np.int64))
    found = np.bincount(np.ravel_multi_index(places, shape), times[row], minlength=math.prod(shape)).reshape(shape)
    counted = np.zeros(shape)
    counted[tuple(arrays["cells"].T)] = arrays["items"]
    return "" if np.array_equal(found[runs], counted[runs]) else "the joint counts are not of the items that are counted"


def _answers_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    cells, items, gold_items = (arrays[name] for name in ("cells", "items", "gold_items"))
    if len(np.unique(cells, axis=0)) < len(cells):
        return "a cell is counted twice"
    if wrong := _amounts_agree(facts, arrays):
        return wrong
    if any(name == "missing" for name, _ in facts["settings"]):
        return ""  # where gold stands in each run's own rows, a run may have items that the first one lacks
    if "joint_times" in arrays and arrays["joint_labels"].shape[1] > len(arrays["joint_times"]):
        return ""  # several outputs for an item are counted as such
    of_gold, place = np.unique(cells[:, :3], axis=0, return_inverse=True)
    answered = np.bincount(place.ravel(), weights=items, minlength=len(of_gold))
    return "a run has more items than gold" if (answered > gold_items[of_gold[:, 1], of_gold[:, 2]]).any() else ""


def _amounts_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    cells, items, gold_items = (arrays[name] for name in ("cells", "items", "gold_items"))
    weights, gold = (whole_numbers(arrays[name]) for name in ("weights", "gold"))
    if max(gold_items.sum(dtype=float), *_of_runs(items, cells, len(facts["runs"]))) > _MOST_ITEMS:
        return "there are more items than can be counted"
    if max(sum(weights.tolist()), sum(gold.ravel().tolist())) > _MOST_WEIGHT * facts["unit"]:
        return "the weights cannot be added up"
    if facts["unit"] == 1 and not (np.array_equal(items, weights) and np.array_equal(gold, gold_items)):
        return "items without weights have other weights than 1"
    if (weights[items == 0] > 0).any() or (gold[gold_items == 0] > 0).any():
        return "items that are not there have a weight"
    return ""


def _orders_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    cells = arrays["cells"]
    for run in facts["ordered"]:
        mine = cells[:, 0] == run
        rows = np.column_stack([arrays[f"{name} {run}"] for name in ("topic", "gold", "label")])
        found, times = np.unique(rows, axis=0, return_counts=True)
        listed = np.lexsort(cells[mine, 1:].T[::-1])
        expected, items = cells[mine, 1:][listed], arrays["items"][mine][listed]
        if not (np.array_equal(found, expected[items > 0]) and np.array_equal(times, items[items > 0])):
            return f"the items of run '{facts['runs'][run]}' are not those that are counted"
        for name in ("sureness", "score"):
            said = arrays.get(f"{name} {run}", np.zeros(0))
            if (np.isinf(said) & arrays[f"answered {run}"][: len(said)]).any():
                return f"the array '{name} {run}' has values that are not finite"
    return _counts_agree(facts, arrays)


def _distributions_agree(_: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    gold, mass = arrays["gold"], arrays["gold_mass"]
    if (np.isnan(gold).any(axis=-1) & (mass > 0)).any():
        return "gold lacks a distribution on a topic that counts"
    return _add_up({name: side for name, side in arrays.items() if name != "gold_mass"})


def _add_up(arrays: Mapping[str, Any]) -> str:
    """Which of the arrays has a distribution that does not add up to 1."""
    for name, side in arrays.items():
        there = ~np.isnan(side).all(axis=-1)
        if not (np.abs(side[there].sum(axis=-1) - 1) <= _SUM_TOLERANCE).all():
            return f"distributions of the array '{name}' do not add up to 1"
    return ""


def _rankings_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    starts, total = arrays["starts"], len(arrays["gold"])
    if starts[0] or starts[-1] != total or any(first >= last for first, last in pairwise(starts.tolist())):
        return "the array 'starts' does not divide the items into segments"
    segment = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    if len(np.unique(np.column_stack([segment, arrays["items"]]), axis=0)) < total:
        return "an item is in a segment twice"
    if facts["graded"] and "gold_scores" not in arrays:
        return "there are no grades"
    return ""


def _by_topic(arrays: Mapping[str, Any]) -> str:
    return "items are not in the order of their topics" if (np.diff(arrays["topic"]) < 0).any() else ""


def _outcomes_agree(_: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    if wrong := _by_topic(arrays):
        return wrong
    if (arrays["number"] > arrays["outputs"]).any():
        return "more outputs have a score than there are"
    if (arrays["total"][arrays["number"] == 0] != 0).any():
        return "outputs without a score have one"
    if "repeats" not in arrays:
        return ""
    lowest, highest, alike, zeros = arrays["repeats"]
    number = arrays["number"]
    impossible = (lowest > highest) | (alike < 0) | (2 * alike > number * (number - 1)) | (zeros < 0) | (zeros > number)
    return "repeats of an item contradict each other" if impossible.any() else ""


def _probabilities_agree(facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    return _by_topic(arrays) or _add_up({name: arrays[name] for name in ("gold", "estimates")})


def _sets_agree(_: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    return _by_topic(arrays) or ("something is neither 0 nor 1" if (arrays["sets"] > 1).any() else "")


def _measures_fit(facts: Mapping[str, Any]) -> str:
    """What is wrong with what is said of the measures."""
    number = len(facts["measures"])
    return next(
        (f"'{name}' is not one for each measure" for name in ("better", "ranges", "binary") if len(facts[name]) != number), ""
    )


def _is_range(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(end is None or isinstance(end, int | float) for end in value)


def _orders(facts: Mapping[str, Any]) -> dict[str, Form]:
    """What the runs that order their items say of each."""
    forms: dict[str, Form] = {}
    for run in facts["ordered"]:
        each = (f"items of run {run}",)
        columns = {
            "topic": Form(_INTEGERS, each, least=0, below="topics"),
            "gold": Form(_INTEGERS, each, least=0, below="classes"),
            "label": Form(_INTEGERS, each, least=0, below="classes"),
            "sureness": Form(_NUMBERS, each, behind=True, optional=True),
            "weight": Form(_NUMBERS, each, optional=True),
            "score": Form(_NUMBERS, each, behind=True, optional=True),
            "answered": Form(_BOOLEANS, each),
            "ids": Form(_TEXTS, each),
        }
        forms |= {f"{name} {run}": form for name, form in columns.items()}
    return forms


def _ordering_runs(facts: Mapping[str, Any]) -> str:
    """What is wrong with the numbers of the runs that order their items."""
    for name, among in (("ordered", range(len(facts["runs"]))), ("ranked", facts["ordered"])):
        if repeated(facts[name]) or not {*facts[name]} <= {*among}:
            return f"'{name}' does not name runs by their numbers"
    return ""


_COUNTS = {
    "cells": Form(_INTEGERS, ("cells", 4), least=0, below=("runs", "topics", "classes", "classes")),
    "items": Form(_INTEGERS, ("cells",), least=0),
    "weights": Form(_INTEGERS, ("cells",), least=0, or_digits=True),
    "gold": Form(_INTEGERS, ("topics", "classes"), least=0, or_digits=True),
    "gold_items": Form(_INTEGERS, ("topics", "classes"), least=0),
}
_COUNTS |= {
    f"lower_{name}": replace(_COUNTS[name], shape=("lower cells", *_COUNTS[name].shape[1:]), optional=True)
    for name in ("cells", "items", "weights")
}
_COUNTS |= {
    "joint_times": Form(_INTEGERS, ("joint rows",), least=1, optional=True),
    "joint_topic": Form(_INTEGERS, ("joint rows",), least=0, below="topics", optional=True),
    "joint_gold": Form(_INTEGERS, ("joint rows",), least=0, below="classes", optional=True),
    "joint_labels": Form(_CODES, ("runs", "joint outputs"), least=-1, below="classes", optional=True),
    "joint_lower": Form(_CODES, ("runs", "joint outputs"), least=-1, below="classes", optional=True),
    "joint_weight": Form(_NUMBERS, ("joint rows",), least=0, optional=True),
    "joint_cluster": Form(_INTEGERS, ("joint rows",), least=0, below="clusters", optional=True),
}
"""Items that are alike, where a file is to be compared: how many, their topic and gold, and what all runs say of them."""
_COUNTS |= {
    name.replace("joint", "pairs"): replace(form, shape=(2, "pair rows") if "runs" in form.shape else ("pair rows",))
    for name, form in _COUNTS.items()
    if name.startswith("joint") and name != "joint_cluster"
}
_COUNTS |= {"pairs_of": Form(_INTEGERS, ("pair rows",), least=0, below="pairs", optional=True)}
"""The same of two runs each, those of one pair below those of the other."""
_COUNTS_FACTS = _SHARED | _CLASSES | {"gold_parts": _NAMES, "unit": Fact("a power of two", _is_unit)}
_COUNTS_FACTS |= {"clusters": replace(_NAMES, optional=True)}
_COUNTS_FACTS |= {"pairs": Fact("a list of pairs of names", _list_of(_is_pair), optional=True)}
_SIZES_OF_COUNTS = {
    **_SIZES_WITH_CLASSES,
    "clusters": lambda facts: len(facts.get("clusters", ())),
    "pairs": lambda facts: len(facts.get("pairs", ())),
}
_NUMBERS_OF_RUNS = Fact("a list of whole numbers", _list_of(_is_whole))
LAYOUTS = {
    "classification": Layout(_COUNTS_FACTS, _SIZES_OF_COUNTS, _COUNTS, _counts_agree),
    "entailment": Layout(
        _COUNTS_FACTS | {"ordered": _NUMBERS_OF_RUNS, "ranked": _NUMBERS_OF_RUNS},
        _SIZES_OF_COUNTS,
        _COUNTS,
        _orders_agree,
        more=_orders,
        among_facts=_ordering_runs,
    ),
    "quantification": Layout(
        _SHARED | _CLASSES,
        _SIZES_WITH_CLASSES,
        {
            "gold": Form(_NUMBERS, ("topics", "classes"), least=0, gaps=True),
            "estimates": Form(_NUMBERS, ("runs", "topics", "classes"), least=0, gaps=True),
            "lower_estimates": Form(_NUMBERS, ("runs", "topics", "classes"), least=0, gaps=True, optional=True),
            "gold_mass": Form(_NUMBERS, ("topics",), least=0),
        },
        _distributions_agree,
    ),
    "outcomes": Layout(
        _SHARED
        | {
            "items": _TEXTS_LISTED,
            "clusters": _NAMES,
            "measures": _SOME_NAMES,
            "better": Fact("a list of directions", _list_of(lambda value: value in (None, "higher", "lower"))),
            "ranges": Fact("a list of ranges", _list_of(_is_range)),
            "binary": Fact("a list of true or false", _list_of(lambda value: isinstance(value, bool))),
        },
        {
            **_SIZES,
            "items": lambda facts: len(facts["items"]),
            "measures": lambda facts: len(facts["measures"]),
            "clusters": lambda facts: len(facts["clusters"]),
        },
        {
            "topic": Form(_INTEGERS, ("items",), least=0, below="topics"),
            "cluster": Form(_INTEGERS, ("items",), least=0, below="clusters", optional=True),
            "hashes": Form(_INTEGERS, ("items",), least=-1, optional=True),
            "total": Form(_NUMBERS, ("measures", "runs", "items")),
            "number": Form(_INTEGERS, ("measures", "runs", "items"), least=0),
            "outputs": Form(_INTEGERS, ("measures", "runs", "items"), least=0),
            "repeats": Form(_NUMBERS, (4, "measures", "runs", "items"), optional=True),
        },
        _outcomes_agree,
        among_facts=_measures_fit,
    ),
    "probabilities": Layout(
        _SHARED | _CLASSES | {"items": _TEXTS_LISTED, "clusters": _NAMES},
        {
            **_SIZES_WITH_CLASSES,
            "items": lambda facts: len(facts["items"]),
            "clusters": lambda facts: len(facts["clusters"]),
        },
        {
            "topic": Form(_INTEGERS, ("items",), least=0, below="topics"),
            "cluster": Form(_INTEGERS, ("items",), least=0, below="clusters", optional=True),
            "gold": Form(_NUMBERS, ("items", "classes"), least=0),
            "estimates": Form(_NUMBERS, ("runs", "items", "classes"), least=0, gaps=True),
        },
        _probabilities_agree,
    ),
    "multilabel": Layout(
        _SHARED | _CLASSES | {"gold_parts": _NAMES, "sets": Fact("a whole number", _is_whole)},
        {**_SIZES_WITH_CLASSES, "sets": lambda facts: facts["sets"]},
        {
            "sets": Form(_INTEGERS, ("sets", "classes"), least=0),
            "gold": Form(_INTEGERS, ("items",), least=0, below="sets"),
            "said": Form(_INTEGERS, ("runs", "items"), least=-1, below="sets"),
            "topic": Form(_INTEGERS, ("items",), least=0, below="topics"),
        },
        _sets_agree,
    ),
    "ranking": Layout(
        _SHARED
        | {
            "sources": _TEXTS_LISTED,
            "judges": Fact("a list of names or null", _list_of(lambda value: value is None or _is_text(value))),
            "item_names": _NAMES,
            "graded": _FLAG,
            "judged": replace(_FLAG, optional=True),
            "as_trec_eval": _FLAG,
        },
        {**_SIZES, "item names": lambda facts: len(facts["item_names"]), "ends": lambda facts: len(facts["topics"]) + 1},
        {
            "starts": Form(_INTEGERS, ("ends",), least=0),
            "items": Form(_INTEGERS, ("items",), least=0, below="item names"),
            "gold": Form(_NUMBERS, ("items",), least=1, gaps=True),
            "predicted": Form(_NUMBERS, ("runs", "items"), least=1, gaps=True),
            "gold_scores": Form(_NUMBERS, ("items",), gaps=True, optional=True),
            "scores": Form(_NUMBERS, ("runs", "items"), gaps=True, optional=True),
        },
        _rankings_agree,
    ),
}
"""By the task. Evidence of another task says itself which arrays are kept."""


def layout_of(kept: Mapping[str, tuple[str, ...]], *, with_classes: bool) -> Layout:
    """The file of evidence that is arrays of numbers, by the names of their axes; NaN where there is none."""
    arrays = {name: Form(_NUMBERS, axes, gaps=True) for name, axes in kept.items()}
    facts, sizes = (_SHARED | _CLASSES, _SIZES_WITH_CLASSES) if with_classes else (_SHARED, _SIZES)
    return Layout(facts, sizes, arrays, lambda *_: "")
