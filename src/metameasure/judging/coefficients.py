"""Coefficients of agreement and the lines of annotators, with their errors and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.agreement.ratings import coincidences
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.core.choices import AgreementInterval
from metameasure.core.messages import warn
from metameasure.evidence.golds import left_out
from metameasure.evidence.ratings import one_hot
from metameasure.judging.agreement import AnnotatorLine, Coefficient
from metameasure.judging.rating_sample import Sample, even_mass, reads_complete, repeated_agreement, table_value
from metameasure.statistics.arrays import Floats
from metameasure.statistics.mean_intervals import effective, t_interval, t_reach
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.sums import ManySums, OfSums, Prior, UnitSums, drawn_together

_MOST_CELLS_AT_ONCE = 2**22  # of what ratings add to the tables of their annotators

Lines = tuple[list[int], Floats, list[tuple[Any, Any]]]
"""Of each annotator: how many items somebody else rated too, the table of the others by the annotator, and an interval."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimator(Sample):
    """A sample of ratings, and what is asked of it."""

    interval: AgreementInterval
    level: float
    trials: int
    seed: int

    def coefficient(self, measure: Measure) -> Coefficient:
        value = self.value(measure)
        if reads_complete(measure) and not len(self.complete):
            return self._told(measure, math.nan, (math.nan,) * 3, why=self._why(measure))
        if measure.reads is Reads.PERSONS and self.too_large(measure, self.ratings.size, len(self.ratings.annotators)):
            whole = float(measure(self._array(measure), classes=self.ratings.scale))
            why = self._why(measure) if math.isnan(whole) else "too many annotators for an interval"
            return self._told(measure, whole, (math.nan,) * 3, why=why)
        estimate = self.whole(measure)
        if math.isnan(estimate):
            return self._told(measure, estimate, (math.nan,) * 3, why=self._why(measure))
        if self.interval == "gwet":
            return self._told(measure, estimate, self._gwet(measure, estimate))
        sums = self.sums(measure)
        if self.interval == "auto":
            return self._told(measure, estimate, self._that_holds(sums, value, self.prior(measure), measure))
        draws = value(self.drawn(measure, self.trials, self.seed))
        ends = percentile_interval(draws, self.level)
        undefined = int(np.isnan(draws).sum())
        return self._told(measure, estimate, (sums.jackknife(value), float(ends[0]), float(ends[1])), undefined=undefined)

    def _that_holds(self, sums: UnitSums, value: OfSums, prior: Prior | None, measure: Measure) -> tuple[float, float, float]:
        """The standard error, and the ends of an interval that holds with few items too: by leaving out one at a time (with
        clusters, as many as equal ones would tell as much) and the credible interval together; the first alone where there is
        no prior."""
        estimate, error = float(value(sums.total[None])[0]), sums.jackknife(value)
        sizes = np.ones(sums.units) if self.ratings.cluster is None else np.bincount(self.ratings.cluster)
        freedom = max(1.0, effective(sizes) - 1)
        low, high = t_interval(estimate, error, freedom, self.level, measure.known_range(self.ratings.scale))
        if prior is None:
            return error, float(low), float(high)
        credible = percentile_interval(value(sums.credible(prior, self.trials, self.seed)), self.level)
        return error, float(np.nanmin([low, credible[0], estimate])), float(np.nanmax([high, credible[1], estimate]))

    def _told(
        self, measure: Measure, value: float, ends: tuple[float, float, float], *, why: str = "", undefined: int = 0
    ) -> Coefficient:
        observed = math.nan if math.isnan(value) else self._observed(measure)
        chance = measure.base != "percent_agreement" and value < 1
        expected = (observed - value) / (1 - value) if chance else math.nan
        return Coefficient(measure.id, measure.symbol, value, *ends, observed, expected, why, undefined)

    def _observed(self, measure: Measure) -> float:
        """The agreement that a coefficient starts from: of pairs of ratings, weighted as the coefficient weights them. NaN where
        it is none of pairs, or where its weights depend on the ratings (ordinal alpha)."""
        registry, scale = default_registry(), self.ratings.scale
        weights = measure.parameter.settings(measure.argument, None).get("weights") if measure.parameter else None
        if weights or measure.base == "ac1":
            return self.whole(registry[f"percent_agreement@{weights or 'identity'}"])
        if measure.id in ("alpha_nominal", "alpha_interval"):  # every rating counts the same, not every item
            pairs = self.sums(measure).total.reshape(len(scale), len(scale))
            if measure.id == "alpha_nominal":
                return float(registry["accuracy"](pairs))
            return 1 - float(registry["mse"](pairs, classes=scale)) / (scale.values[-1] - scale.values[0]) ** 2
        return math.nan

    def _why(self, measure: Measure) -> str:
        pairs = measure.reads is Reads.COUNTS
        array = coincidences(self.ratings.counts) / 2 if pairs else self._array(measure)
        reasons = measure.why_undefined(array[None], classes=self.ratings.scale, distance=self.distance)
        return next((reason for reason, holds in reasons.items() if np.any(holds)), "")

    def _array(self, measure: Measure) -> npt.NDArray[Any]:
        """What the measure reads of all items that it counts: who said what, or how many said it."""
        if measure.reads is not Reads.PERSONS:
            return self.ratings.counts
        if not reads_complete(measure):
            return self.ratings.persons()
        nobody = np.full((1, len(self.ratings.annotators)), -1)  # an item that adds nothing, lest there be none
        return one_hot(self.complete if len(self.complete) else nobody, len(self.ratings.scale))

    def _gwet(self, measure: Measure, value: float) -> tuple[float, float, float]:
        """Gwet's variance, as irrCAC has it: of ratings over one item less, of a table over all of them."""
        each = np.asarray(measure.linearised_at(self._array(measure), self.ratings.scale, self.distance), dtype=float)
        error = float(each.std(ddof=0 if self.ratings.is_table else 1)) / math.sqrt(len(each))
        reach = float(t_reach(len(each) - 1, self.level)) * error
        return error, value - reach, min(1.0, value + reach)

    def lines(self, by: Measure, first: Measure) -> tuple[AnnotatorLine, ...]:
        """A line for each annotator."""
        places, scored = range(len(self.ratings.annotators)), table_value(by, self.ratings.scale)
        sizes, tables, ends = self._one_by_one(by) if self._is_large else self._all_at_once(by)
        values, without = scored(tables).tolist(), self.without_each(first).tolist()
        return tuple(map(self._line, places, sizes, values, ends, without, self._why_alone(by, sizes, tables)))

    @property
    def _is_large(self) -> bool:
        """Whether there are so many ratings that what each of them adds to a table should not be in memory at once."""
        return (
            self.ratings.cluster is None and len(self.ratings.rounds[0].item) * len(self.ratings.scale) ** 2 > _MOST_CELLS_AT_ONCE
        )

    def _one_by_one(self, by: Measure) -> Lines:
        """Of each annotator alone: items of a kind are drawn together, and for each annotator anew."""
        scored, scale = table_value(by, self.ratings.scale), self.ratings.scale
        prior = Prior(np.eye(len(scale) ** 2), even_mass(len(scale))) if self.has_prior else None
        found = []
        for place in range(len(self.ratings.annotators)):
            sums = self.against_others(place)
            ends: tuple[Any, Any] = (math.nan, math.nan)
            if sums.units and self.interval == "auto":
                ends = self._that_holds(sums, scored, prior, by)[1:]
            elif sums.units:
                ends = percentile_interval(scored(sums.resampled(self.trials, self.seed)), self.level)
            found.append((sums.units, sums.total, ends))
        sizes, totals, every = zip(*found, strict=True)
        return list(sizes), np.array(totals), list(every)

    def _all_at_once(self, by: Measure) -> Lines:
        ratings = self.ratings
        others = [left_out(ratings, place) for place in range(len(ratings.annotators))]
        parts = [(ratings.unit[one.item], one.human()) for one in others]
        tables = np.array([adds.sum(axis=0) for _, adds in parts])
        return [one.size for one in others], tables, self._ends_of_lines(by, parts)

    def _ends_of_lines(self, by: Measure, parts: Sequence[tuple[npt.NDArray[np.int64], Floats]]) -> list[tuple[Any, Any]]:
        """The intervals of the annotators' agreement with the others: of each the units and what they add to the table. The same
        units are drawn for all of them."""
        scored, classes = table_value(by, self.ratings.scale), len(self.ratings.scale)
        if self.interval == "auto" and self.has_prior:
            sums = ManySums(np.concatenate([adds for _, adds in parts]), np.array([len(unit) for unit, _ in parts]))
            return self._ends_together(by, sums, Prior(np.eye(classes**2), even_mass(classes)))
        if self.interval == "auto":
            return [
                self._that_holds(UnitSums.of_units(adds, unit), scored, None, by)[1:] if len(unit) else (math.nan, math.nan)
                for unit, adds in parts
            ]
        units = int(self.ratings.unit.max()) + 1
        drawn = [[scored(sums) for sums in some] for some in drawn_together(parts, units, self.trials, self.seed)]
        return [percentile_interval(np.concatenate([some[place] for some in drawn]), self.level) for place in range(len(parts))]

    def _ends_together(self, by: Measure, sums: ManySums, prior: Prior) -> list[tuple[Any, Any]]:
        """The same as of one interval that holds with few items too, of all annotators at once."""
        value, range = table_value(by, self.ratings.scale), by.known_range(self.ratings.scale)
        middle, some = value(sums.totals), sums.sizes > 0
        low, high = t_interval(middle, sums.jackknife(value), np.maximum(1, sums.sizes - 1), self.level, range)
        credible = percentile_interval(sums.credible(value, prior, self.trials, self.seed), self.level)
        ends = np.stack([[low, credible[0], middle], [high, credible[1], middle]])
        ends[:, :, ~some | np.isnan(ends).all(axis=(0, 1))] = 0.0
        lows, highs = np.nanmin(ends[0], axis=0), np.nanmax(ends[1], axis=0)
        return [(low, high) if known else (math.nan, math.nan) for low, high, known in zip(lows, highs, some, strict=True)]

    def _why_alone(self, by: Measure, sizes: Sequence[int], tables: Floats) -> list[str]:
        """Why annotators' agreement with the others has no value, from the tables of both; nothing where it has one."""
        scale = self.ratings.scale
        reasons = by.why_undefined(tables.reshape(len(sizes), len(scale), len(scale)), classes=scale)
        found = ["" if size else "nobody else rated the same items, so there is nothing to agree on" for size in sizes]
        said = "{measure} with the others is undefined: {why}"
        for why, holds in reasons.items():
            for place in np.flatnonzero(np.broadcast_to(holds, len(sizes))).tolist():
                found[place] = found[place] or warn("undefined", said, measure=by.id, why=why)
        return found

    def _line(self, place: int, size: int, value: float, ends: tuple[Any, Any], without: float, why: str) -> AnnotatorLine:
        ratings = self.ratings
        sizes = np.bincount(ratings.own(place)[1], minlength=len(ratings.scale))
        return AnnotatorLine(
            ratings.annotators[place],
            size,
            value,
            float(ends[0]),
            float(ends[1]),
            without,
            tuple((sizes / max(1, sizes.sum())).tolist()),
            repeated_agreement(ratings, place),
            why,
        )
