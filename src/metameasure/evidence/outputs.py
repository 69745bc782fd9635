"""What every run says of every item, in numbers: what questions about items, clusters and repeated outputs are answered from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metameasure.scale import Scale
from metameasure.statistics.anova import Components, variance_components
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.units import Rows, Units

Codes = npt.NDArray[np.int8] | npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Outputs:
    """Classes as places on the scale: of each item in gold, and of each run's outputs, -1 where there is none.

    ``labels`` is (runs, outputs), and ``item`` (outputs,) says which item an output is for: the items themselves, one by one,
    unless runs have several outputs for an item. ``topic``, ``weight`` and ``cluster`` (items,) are the items'; without weights
    or clusters they are None. Items are in the order of their keys, clusters numbered in the order of their names.
    """

    scale: Scale
    runs: tuple[str, ...]
    gold: Integers
    labels: Codes
    item: Integers
    topic: Integers
    weight: Floats | None = None
    cluster: Integers | None = None

    @property
    def repeated(self) -> bool:
        """Whether runs may have several outputs for an item."""
        return len(self.item) > len(self.gold)

    @property
    def clustered(self) -> bool:
        """Whether a unit may be more than one output."""
        return self.cluster is not None or self.repeated

    @property
    def unit(self) -> Integers:
        """(items,): the unit that each item belongs to, which is swapped and drawn whole."""
        return np.arange(len(self.gold)) if self.cluster is None else self.cluster

    def has(self) -> Booleans:
        """(runs, items): whether a run has an output for an item."""
        found = np.zeros((len(self.runs), len(self.gold)), dtype=bool)
        for run, labels in enumerate(self.labels):
            found[run, self.item[labels >= 0]] = True
        return found

    def of_items(self, kept: Booleans) -> Outputs:
        """Some of the items (items,)."""
        number = np.cumsum(kept) - 1
        columns = kept[self.item]
        return replace(
            self,
            gold=self.gold[kept],
            labels=self.labels[:, columns],
            item=number[self.item[columns]],
            topic=self.topic[kept],
            weight=None if self.weight is None else self.weight[kept],
            cluster=None if self.cluster is None else self.cluster[kept],
        )

    def of_runs(self, runs: Sequence[int]) -> Outputs:
        """Some of the runs."""
        return replace(self, runs=tuple(self.runs[run] for run in runs), labels=self.labels[list(runs)])

    def rows(self, run: int, *, weighted: bool = True) -> Rows:
        """A run's outputs one below the other. The outputs for an item share its weight, so that every item counts once."""
        labels = self.labels[run]
        item = self.item[labels >= 0]
        share = 1 / np.bincount(item, minlength=1)[item]
        weight = share if self.weight is None or not weighted else share * self.weight[item]
        return Rows(self.gold[item], labels[labels >= 0], self.unit[item], weight)

    @cached_property
    def _together(self) -> Units:
        return Units.of_rows([self.rows(run) for run in range(len(self.runs))], len(self.scale))

    def units(self, runs: Sequence[int]) -> Units:
        """The items, or clusters of outputs, of some of the runs."""
        if self.clustered:
            return self._together.chosen(list(runs))
        return Units.of_items(self.gold, self.labels[list(runs)], len(self.scale), self.weight)

    def variance(self, run: int) -> dict[str, Components]:
        """Of being right (1 or 0): the variance between clusters and within them, and between items and within them where an
        item has several outputs."""
        labels = self.labels[run]
        item = self.item[labels >= 0]
        right = labels[labels >= 0] == self.gold[item]
        found = {} if self.cluster is None else {"clusters": variance_components(right, self.cluster[item])}
        return found | ({"items": variance_components(right, item)} if self.repeated else {})
