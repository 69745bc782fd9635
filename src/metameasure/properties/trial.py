"""A measure on trial: ready to be called on any cases, its scores on the small ones kept for all properties."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from metameasure.catalogue.facts import FROM_SCALE, asked_for, distance_table
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import Labels
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.scale import Scale
from metameasure.properties.property import TOLERANCE
from metameasure.properties.spaces import (
    MOST_CLASSES,
    MOST_ITEMS,
    MOST_STEPS,
    Counts,
    distribution_block,
    most_items,
    most_steps,
    random_tables,
    table_block,
)
from metameasure.statistics.arrays import Floats

_KINDS = ("counts", "distributions", "ranks", "order")


class CannotTryError(UsageError):
    """The measure cannot be put to this trial; the message says why."""


class Trial:
    """A measure with its parameter filled in, and what is known about its classes: their names, or the distances between them.

    Where neither is given, there are as many classes as a case has, called 1, 2, ...
    """

    def __init__(self, measure: Measure, *, scale: Scale | None = None, distance: Any = None) -> None:
        self.named = isinstance(measure.parameter, Labels)
        self.measure = self._filled_in(measure, scale)
        self.scale = scale
        if self.measure.needs_distance and distance is None:
            raise CannotTryError(f"{measure.id} needs distances between the classes", hint=say("give them by {--distance FILE}"))
        self.distance = distance_table(distance) if distance is not None and measure.takes_distance else None
        if scale is not None and self.distance is not None and self.distance.shape != (len(scale), len(scale)):
            raise UsageError(f"{len(scale)} classes, but distances of shape {self.distance.shape}")
        self.sign = {"higher": 1.0, "lower": -1.0, None: 1.0}[self.measure.better]
        self._kept: dict[Hashable, Floats] = {}

    def _filled_in(self, measure: Measure, scale: Scale | None) -> Measure:
        """The measure with its parameter: of classes, the first where none is named."""
        if not self.named:
            return measure.example
        filled = measure.at((scale.labels if scale else ("1",))[0]) if measure.open else measure
        known = scale.labels if scale else tuple(str(number) for number in range(1, MOST_CLASSES + 1))
        if not set(filled.argument) <= set(known):
            raise CannotTryError(
                f"{measure.id} names a class, but not which classes there are", hint=say("give them by {--classes}")
            )
        return filled

    @property
    def kind(self) -> str:
        """What the measure reads: counts, distributions, ranks or an order."""
        kind = self.measure.inputs.reads.kind
        if kind not in _KINDS:
            raise CannotTryError(f"there is no trial for measures of {kind}")
        return kind

    @property
    def fixed(self) -> int | None:
        """The number of classes, where names or distances fix it."""
        if self.distance is not None:
            return len(self.distance)
        return len(self.scale) if self.scale is not None else None

    def sizes(self, least: int = 1, most: int = MOST_CLASSES) -> list[int]:
        """The numbers of classes to try, of those asked for."""
        if self.fixed is not None:
            return [self.fixed] if least <= self.fixed else []
        named = max((int(label) for label in self.measure.argument), default=1) if self.named else 1
        return list(range(max(least, named), most + 1))

    def table_sizes(self, least: int = 1) -> Iterator[tuple[int, int]]:
        """The numbers of items and classes of which all tables are tried, the smallest first."""
        every = product(range(1, MOST_ITEMS + 1), self.sizes(least))
        return ((items, classes) for items, classes in every if items <= most_items(classes))

    def distribution_sizes(self, least: int = 1) -> Iterator[tuple[int, int]]:
        """The numbers of steps and classes of which all pairs of distributions are tried, the smallest first."""
        every = product(range(1, MOST_STEPS + 1), self.sizes(least))
        return ((steps, classes) for steps, classes in every if steps <= most_steps(classes))

    @property
    def uses_values(self) -> bool:
        """Whether class values can change its score."""
        functions = [self.measure.function, *([self.measure.evidence.function] if self.measure.evidence else [])]
        return self.distance is None and any(asked_for(function) & FROM_SCALE for function in functions)

    def admits(self, cases: Counts) -> bool:
        """Whether arrays of so many classes, which are last, can be tried."""
        return self.fixed in (None, cases.shape[-1])

    def labels(self, classes: int) -> tuple[str, ...]:
        """The names of so many classes."""
        return self.scale.labels if self.scale is not None else tuple(str(number) for number in range(1, classes + 1))

    def labels_in(self, order: tuple[int, ...]) -> tuple[str, ...] | None:
        """The names of classes in another order, for measures that go by names."""
        names = self.labels(len(order))
        return tuple(names[place] for place in order) if self.named else None

    def score(self, *arrays: Any, labels: tuple[str, ...] | None = None, values: tuple[float, ...] | None = None) -> Floats:
        """The scores of cases, NaN where undefined. ``labels`` and ``values`` are the classes' where they are not the usual."""
        size = arrays[0].shape[-1]
        if values is None and self.own_values and size == len(self.own_values):
            values = self.own_values
        classes = None
        if self.measure.reads.of_classes and (self.named or values is not None):
            names = labels or (self.labels(size) if self.named else tuple(str(number) for number in range(1, size + 1)))
            classes = Scale(names) if values is None else Scale(names, "interval", values)
        return np.asarray(self.measure(*arrays, classes=classes, distance=self.distance), dtype=float)

    @property
    def own_values(self) -> tuple[float, ...]:
        """The class values that the user declares; none where classes count by their ranks."""
        return self.scale.values if self.scale is not None and self.scale.kind == "interval" else ()

    def _once(self, key: Hashable, scores: Callable[[], Floats]) -> Floats:
        if key not in self._kept:
            self._kept[key] = scores()
        return self._kept[key]

    def table_scores(self, classes: int, items: int) -> Floats:
        """The scores of all tables with so many classes and items, in their order; computed once."""
        return self._once((classes, items), lambda: self.score(table_block(classes, items).tables))

    def random_scores(self, number: int, seed: int) -> Iterator[tuple[Counts, Floats]]:
        """Random tables that may have empty classes, and their scores; computed once."""
        for tables in filter(self.admits, random_tables(number, seed, empty=True)):
            yield tables, self._once(("random", number, seed, tables.shape[-1]), partial(self.score, tables))

    def distribution_scores(self, classes: int, steps: int) -> Floats:
        """The scores of all pairs of distributions in so many steps: rows gold, columns estimate; computed once."""
        shares = distribution_block(classes, steps) / steps
        return self._once(("distributions", classes, steps), lambda: self.score(shares[None, :, :], shares[:, None, :]))

    def better(self, first: Floats, second: Floats) -> Any:
        """Where the first of two scores is better, by more than the tolerance."""
        with np.errstate(invalid="ignore"):
            return first > second + TOLERANCE if self.sign > 0 else first < second - TOLERANCE
