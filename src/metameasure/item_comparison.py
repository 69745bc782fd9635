"""One test set: runs compared item by item, or cluster by cluster, on any measure of a table of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.comparison import Comparison, Units
from metameasure.errors import DataError, UsageError
from metameasure.scale import Scale
from metameasure.scores.matrix import listed, place_of
from metameasure.statistics.item_tests import compare_items, share_of_cells
from metameasure.statistics.paired import Correction

Floats = npt.NDArray[np.float64]


def compare_outputs(
    gold: npt.ArrayLike,
    outputs: npt.ArrayLike,
    runs: Sequence[str],
    scale: Scale,
    measure: Measure,
    *,
    weights: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    distance: Any = None,
    correction: Correction = "holm",
    against: str | None = None,
    trials: int = 5000,
    seed: int = 0,
    alpha: float = 0.05,
    level: float = 0.95,
    notes: tuple[str, ...] = (),
) -> Comparison:
    """Which differences between runs on the same items are real?

    ``gold`` (items,) and ``outputs`` (runs, items) are places of classes on the scale, -1 where there is none; ``clusters``
    (items,) says which items belong together, and are swapped and drawn together.
    """
    if measure.better is None or len(runs) < 2:
        raise UsageError("there is nothing to compare", hint="name two runs or more, and a measure with a better direction")
    if weights is not None and not measure.proportional:
        raise UsageError(
            f"{measure.id} counts items, which weights do not", hint="choose another measure, or leave out the weights"
        )
    by_name = sorted(range(len(runs)), key=runs.__getitem__)
    names = [runs[place] for place in by_name]
    labels = np.asarray(outputs)[by_name]

    def value(tables: Floats) -> Floats:
        return np.asarray(measure(tables, classes=scale, distance=distance), dtype=float)

    # McNemar's test is of items, each counting as much as any other.
    hits = share_of_cells(value, len(scale)) if weights is None and clusters is None and correction != "maxt" else None
    found = compare_items(
        gold, labels, len(scale), value, weights=weights, clusters=clusters, correction=correction,
        against=None if against is None else place_of(against, names), hits=hits, level=level, trials=trials, seed=seed,
    )  # fmt: skip
    undefined = [name for name, one in zip(names, found.values, strict=True) if np.isnan(one)]
    if undefined:
        raise DataError(
            f"{measure.id} of {listed(undefined, 'and')} is undefined", hint="leave the run out, or choose another measure"
        )
    order = np.argsort((-1 if measure.better == "higher" else 1) * found.values.round(12), kind="stable")
    units: Units = "items" if clusters is None else "clusters"
    square = np.ix_(order, order)
    return Comparison(
        measure=measure.id,
        better=measure.better,
        test="permutation",
        correction=correction,
        trials=trials,
        seed=seed,
        alpha=alpha,
        topics=found.units,
        runs=tuple(names[place] for place in order),
        means=found.values[order],
        low=found.low[order],
        high=found.high[order],
        p=found.p[square],
        effect_size=np.full(found.p.shape, np.nan),
        residual_variance=np.nan,
        level=level,
        notes=notes,
        unit=units,
        units=units,
        against=against,
        exact=found.exact,
        difference_low=found.difference_low[square],
        difference_high=found.difference_high[square],
    )
