"""Test bags drawn from labelled items, as those who evaluate quantifiers draw them: the protocols of QuaPy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any, get_args

import numpy as np

from metameasure.core.choices import BagProtocol
from metameasure.core.errors import UsageError
from metameasure.core.messages import option, say
from metameasure.core.notes import listed
from metameasure.core.options import chosen, with_options
from metameasure.core.output import new_folder
from metameasure.core.scale import Scale, require
from metameasure.evidence.counting import audited, class_codes, grouped
from metameasure.evidence.label_reader import LabelReader
from metameasure.evidence.preparing import CountOptions, prepared
from metameasure.reading.engine import fetch
from metameasure.reading.options import ReadOptions, named_columns
from metameasure.show.write import write_table
from metameasure.simulation.model import Columns, evaluate_command, numbered
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.streams import stream
from metameasure.tasks.option_groups import BagOptions

_MOST_ROWS = 50_000_000


@dataclass(frozen=True, eq=False)
class Bags:
    """Bags of items: ``gold`` has a row for each bag with the share of each class, ``members`` a row for each item drawn."""

    scale: Scale
    protocol: BagProtocol
    seed: int
    gold: Columns
    members: Columns

    @property
    def how(self) -> dict[str, Any]:
        """What ``evaluate`` has to be told to read gold."""
        return {"task": "quantification", "classes": list(self.scale.labels)}

    def save(self, folder: str | Path, *, ending: str = ".tsv") -> None:
        """Write ``gold`` and ``items`` into a new folder. The same items and seed, the same bytes."""
        with new_folder(folder) as scratch:
            write_table(self.gold, scratch / f"gold{ending}")
            write_table(self.members, scratch / f"items{ending}")

    def command(self, folder: str | Path) -> str:
        """The command that evaluates a system's distributions against gold in that folder."""
        return evaluate_command(folder, "RUN...", self.how)

    def __repr__(self) -> str:
        return f"<{len(self.gold['topic'])} bags by {self.protocol}, seed {self.seed}>"


@with_options(BagOptions)
def draw_bags(asked: BagOptions, labelled: Any, protocol: BagProtocol) -> Bags:
    """Draw test bags from labelled items, to evaluate quantifiers on.

    Parameters
    ----------
    labelled : path, data frame or array
        The items and their labels, as gold for ``evaluate``.
    protocol : {'app', 'npp', 'upp'}
        How prevalences are chosen: on a grid (``app``, artificial), as they are (``npp``, natural), or uniformly among all
        (``upp``).

    Returns
    -------
    Bags
        The bags' prevalences and items. ``.save(folder)`` writes them as ordinary files.

    Raises
    ------
    UsageError
        If there is no such protocol, or a size makes no sense.
    DataError
        If the labels are wrong, or a class has no items.

    Notes
    -----
    A bag has size * p items of each class, rounded; what is lacking or too much is settled at random. Items are drawn with
    replacement within their class, and gold is what was drawn: its counts over the size.

    References
    ----------
    A. Moreo, A. Esuli and F. Sebastiani. QuaPy: A Python-Based Framework for Quantification. CIKM 2021.

    Examples
    --------
    >>> import metameasure as mm
    >>> bags = mm.draw_bags(["a", "a", "b", "c"], "app", bag_size=10, grid=3, classes="a,b,c")
    >>> bags
    <6 bags by app, seed 0>

    """
    chosen("protocol", protocol, get_args(BagProtocol))
    items, codes, scale = _labelled(labelled, asked)
    present = np.bincount(codes, minlength=len(scale))
    number = comb(asked.grid + len(scale) - 2, len(scale) - 1) * asked.repeats if protocol == "app" else asked.bag_count
    if number * asked.bag_size > _MOST_ROWS:
        what = say("{number:,} bags of {size:,} items are too many", number=number, size=asked.bag_size)
        raise UsageError(what, hint="choose a coarser grid, fewer bags or smaller ones")
    if protocol != "npp" and not present.all():
        lacking = listed([label for label, items_of in zip(scale.labels, present, strict=True) if not items_of])
        raise UsageError(
            say("no item has the label {lacking}, but bags need some", lacking=lacking),
            hint=say("leave the class out ({option}), or draw bags as labels are (npp)", option=option("classes")),
        )
    rng = stream(asked.seed)
    counts = _counts(protocol, present, asked, rng)
    bags = numbered("b", len(counts))
    drawn = _members(counts, codes, rng)
    gold: Columns = {"topic": bags, **{label: counts[:, place] / asked.bag_size for place, label in enumerate(scale.labels)}}
    members: Columns = {"topic": np.repeat(bags, asked.bag_size), "item": items[drawn]}
    return Bags(scale, protocol, asked.seed, gold, members)


def _labelled(labelled: Any, asked: BagOptions) -> tuple[Any, Integers, Scale]:
    """Each item's id, or its number where there is none, and its class."""
    reader = LabelReader(ReadOptions(columns=named_columns(asked.columns), format_in=asked.format_in))
    how = CountOptions(classes=asked.classes)
    with reader.opened(labelled, None, alone=True) as table:
        tables, _ = prepared(table, how)
        gold, groups = grouped(tables)
        scale = require(how.classes, {*gold.gold, *groups.gold, *groups.label} - {None}, kind=None)
        audited(tables, gold, groups, scale, how)
        with tables.reading():
            names = ["item", "label"] if tables.has_items else ["label"]
            rows = fetch(tables.runs.select(*names))
    labels = rows["label"]
    place = class_codes(scale, labels.tolist())
    codes = np.array([place[label] for label in labels.tolist()], dtype=np.int64)
    items = rows["item"] if "item" in rows else np.array([str(number) for number in range(1, len(codes) + 1)], dtype=object)
    order = np.argsort(items.astype(str), kind="stable")  # engines return rows in an order of their own
    return items[order], codes[order], scale


def _counts(protocol: BagProtocol, present: Integers, asked: BagOptions, rng: np.random.Generator) -> Integers:
    """(bags, C): how many items of each class a bag has."""
    size, classes = asked.bag_size, len(present)
    match protocol:
        case "npp":
            return np.asarray(rng.multinomial(size, present / present.sum(), asked.bag_count), dtype=np.int64)
        case "upp":
            shares = from_uniform(rng.random((asked.bag_count, classes - 1)))
        case "app":
            shares = np.repeat(np.array([*_on_grid(classes, asked.grid)]), asked.repeats, axis=0)
    return np.array([_rounded(one, size, rng) for one in shares], dtype=np.int64)


def from_uniform(numbers: Floats) -> Floats:
    """(bags, C - 1) numbers between 0 and 1 as shares that are uniform among all: the gaps between them, sorted."""
    bounds = np.concatenate([np.zeros((len(numbers), 1)), np.sort(numbers, axis=1), np.ones((len(numbers), 1))], axis=1)
    return np.asarray(np.diff(bounds, axis=1))


def _on_grid(classes: int, points: int) -> Iterator[list[float]]:
    """All shares that are multiples of 1 / (points - 1) and add up to 1."""
    steps = points - 1
    for bars in combinations(range(steps + classes - 1), classes - 1):
        edges = [-1, *bars, steps + classes - 1]
        yield [(after - before - 1) / steps for before, after in pairwise(edges)]


def _rounded(shares: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Size * shares as whole numbers, half to even; what lacks or is too much goes by chance, in proportion to the shares."""
    counts = np.rint(size * shares).astype(np.int64)
    lacking = size - int(counts.sum())
    if lacking > 0:
        return np.asarray(counts + rng.multinomial(lacking, shares / shares.sum()))
    for _ in range(-lacking):
        chance = np.where(counts > 0, shares, 0.0)
        counts[rng.choice(len(counts), p=chance / chance.sum())] -= 1
    return counts


def _members(counts: Integers, codes: Integers, rng: np.random.Generator) -> Integers:
    """The places of the items drawn, bag after bag, class after class."""
    of_class = [np.flatnonzero(codes == place) for place in range(counts.shape[1])]
    wanted = np.repeat(np.tile(np.arange(counts.shape[1]), len(counts)), counts.ravel())
    drawn = np.zeros(len(wanted), dtype=np.int64)
    for place, items in enumerate(of_class):
        here = wanted == place
        if here.any():
            drawn[here] = items[rng.integers(len(items), size=int(here.sum()))]
    return drawn
