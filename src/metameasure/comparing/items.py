"""One test set: runs compared item by item, or cluster by cluster, on any measure of a table of counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.comparing.comparison import Comparison, Variance, no_interval_between
from metameasure.comparing.comparison import Units as UnitsOf
from metameasure.comparing.topics import INTERVAL_TRIALS, named_methods, without_what_chance_gives
from metameasure.core.choices import DrawBy
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import legend, say, warn
from metameasure.core.notes import first_of, listed, too_few_trials
from metameasure.core.numbers import json_number, number, p_value
from metameasure.core.scale import Scale
from metameasure.core.validity import Case, limits_of_all, sampled
from metameasure.evidence.judgements import Drawn, Judgements
from metameasure.evidence.outputs import Outputs
from metameasure.evidence.swapped import Swapped, mean_of_tables
from metameasure.scores.intervals import Drawing, drawn_orders, intervals, score_drawn
from metameasure.scores.item_intervals import own_intervals
from metameasure.scores.of_evidence import plain_scores
from metameasure.scores.run_names import place_of
from metameasure.scores.scores import Intervals
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.statistics.arrays import Booleans, Floats
from metameasure.statistics.item_tests import (
    SAME,
    ItemComparison,
    PairedTest,
    Spread,
    TopicMean,
    Value,
    both_ends_of_differences,
    compare_units,
    corrected_where_defined,
    draw_interval,
    interval_by_leaving_out,
    interval_of_paired_scores,
    interval_within_topics,
    paired_interval,
    paired_test,
    swap_test,
)
from metameasure.statistics.mean_intervals import Range, clusters_of
from metameasure.statistics.paired import pairs_of_systems, square
from metameasure.statistics.rank_correlation import from_best
from metameasure.statistics.resampling import normal_interval, percentile_interval
from metameasure.statistics.units import Units
from metameasure.tasks.option_groups import TestOptions

ItemTest = Literal["permutation", "bootstrap"]
S = TypeVar("S", bound=Swapped)


@dataclass(frozen=True, kw_only=True)
class PairedTests(TestOptions):
    """How runs are compared by paired tests."""

    test: ItemTest = "permutation"
    named: bool = False
    """Whether the test was asked for by its name."""

    def __post_init__(self) -> None:
        if self.test == "bootstrap" and self.correction == "maxt":
            raise UsageError("the maxt correction is for permutation tests", hint="choose holm or bh")

    @property
    def drawn_by(self) -> DrawBy:
        """What draws go by, where nothing is said: tests and intervals of 0.2, asked for by their names, give its numbers."""
        return self.draw_by or ("data" if not self.named and self.interval == "auto" else "names")

    def outputs(self, outputs: Swapped, measure: Measure, *, distance: Any = None, notes: tuple[str, ...] = ()) -> Comparison:
        """Which differences between runs on the same items are real? Where topics have tables of their own, of means over topics
        that are fixed."""
        check_directed(measure, outputs.runs)
        if outputs.scored() is None and outputs.scale is not None:
            outputs.scale.check_room((outputs.apart or 1) * len(outputs.scale) ** 2)
        outputs, left_out = on_common_items(_by_name(outputs))
        fixed, plain = outputs.apart is not None, value_of(measure, outputs, distance)
        value = TopicMean(plain) if fixed else plain
        # McNemar's test is of items, each counting as much as any other.
        alike = outputs.weight is None and not outputs.clustered and not fixed and self.correction != "maxt"
        comparison = compare_units(
            self._units(outputs), len(outputs.runs), value, test=self.test, correction=self.correction or "holm",
            against=None if self.against is None else place_of(self.against, outputs.runs),
            hits=outputs.hits(plain) if alike else None,
            spread=None if fixed else spread_of(measure, outputs, distance),
            level=self.level, trials=self.trials, interval_trials=INTERVAL_TRIALS, seed=self.seed,
            ends_of=ends_of_differences(measure, outputs, distance, self), own_intervals=self.interval != "auto",
        )  # fmt: skip
        own, units = self._own_intervals(outputs, measure, distance), units_of(outputs)
        if own is not None:
            comparison = replace(comparison, low=own.shown[0][0], high=own.shown[1][0])
        sample = sampled(units, outputs.apart or 1, fixed=fixed, clusters=clusters_of(outputs.cluster))
        left_out += (sample,) if own is None else own.notes
        variance = [outputs.variance(run) for run in range(len(outputs.runs))] if outputs.clustered else []
        methods = self._methods(outputs, measure, own)
        means = measure.chance == "linear" or outputs.scored() is not None
        case = Case(items=outputs.size, mean_of_items=means and not measure.balances)
        told = methods if own is None else {what: method for what, method in methods.items() if what != "interval"}
        made = self.of(
            comparison, measure, outputs.runs, units=units, unit=units, notes=(*notes, *left_out), variance=variance,
            methods=methods,
        )  # fmt: skip
        return self._with_limits(made, comparison, measure, told, case)

    def _with_limits(
        self, made: Comparison, comparison: ItemComparison, measure: Measure, methods: Mapping[str, str], case: Case
    ) -> Comparison:
        """The comparison with what its methods cannot do, as far as they give numbers of this measure."""
        made = without_what_chance_gives(made, measure, named=self.named)
        shown = {} if made.untested and self.interval == "auto" else methods
        few = () if made.untested else self._too_few_trials(comparison)
        limits = limits_of_all(made.behind_numbers(shown), case)
        return replace(made, notes=(*made.notes, *few, *limits, *named_methods(made, self)))

    def _units(self, outputs: Swapped) -> Callable[[Sequence[int]], Units]:
        """The units of some of the runs, in the order in which they are drawn for."""
        return outputs.units if self.drawn_by == "names" else lambda runs: outputs.units(runs).by_content()

    def _own_intervals(self, outputs: Swapped, measure: Measure, distance: Any) -> Intervals | None:
        """The intervals of the runs' own scores, as ``evaluate`` makes them; None where they are those of 0.2."""
        if self.interval != "auto":
            return None
        if (items := outputs.scored()) is not None:
            return own_intervals(items, measure, Drawing(level=self.level, trials=INTERVAL_TRIALS, seed=self.seed, kind="auto"))
        counts, fixed = outputs.counted(), outputs.apart is not None
        assert counts is not None  # noqa: S101 - where there are no scores there are labels
        scores = plain_scores(counts, [measure], distance=distance, average="topics" if fixed else "pooled")
        drawing = Drawing(level=self.level, trials=INTERVAL_TRIALS, seed=self.seed, kind="auto", units="items" if fixed else None)
        return intervals(scores, counts, drawing, distance=distance)

    def _methods(self, outputs: Swapped, measure: Measure, own: Intervals | None) -> dict[str, str]:
        """The methods behind the numbers."""
        units, fixed = units_of(outputs), outputs.apart is not None
        swaps = "swap-max-t" if self.correction == "maxt" else "swap"
        of_items = "items" if measure.interval is None else "normal"
        if outputs.graded and self.interval == "auto":
            of_items = "items-t"
        apart = "fixed-topics" if fixed else "clusters" if units == "clusters" else of_items
        redrawn = units == "clusters" and not fixed and self.interval == "bootstrap"
        return {
            "p": f"test/{'fixed-topics' if fixed else units}/{swaps if self.test == 'permutation' else 'bootstrap'}",
            "interval": f"interval/bootstrap/{units}" if own is None else own.shown_methods()[0],
            "difference": "interval/bootstrap/clusters" if redrawn else f"interval/difference/{apart}",
        }

    def orders(self, evidence: Judgements, measure: Measure, *, notes: tuple[str, ...] = ()) -> Comparison:
        """The same for measures that read an order of the items. Swapped outputs keep the place that their own run gave them."""
        check_directed(measure, evidence.runs)
        self._check_orders(evidence, measure)
        places = sorted(range(len(evidence.runs)), key=evidence.runs.__getitem__)
        names = tuple(evidence.runs[place] for place in places)
        against = None if self.against is None else place_of(self.against, names)
        pairs = pairs_of_systems(len(names), against)
        tests = [self._two_orders(evidence, places[i], places[j], measure) for i, j in zip(*pairs, strict=True)]
        p = corrected_where_defined(np.array([test.p for test, _ in tests]), self.correction or "holm")
        ends = both_ends_of_differences(np.array([ends for _, ends in tests]), pairs, len(names))
        drawn, normal = measure.resampled, measure.interval
        by = Drawing(trials=INTERVAL_TRIALS, seed=self.seed, draw_by="data" if self.interval == "auto" else "names")
        own = [drawn_orders(evidence, run, [drawn], by, pool=True)[0, :, 0] for run in places]
        values = np.array(
            [float(_value(measure, evidence.scale, evidence.reading(measure.reads, [run]).pooled)[0]) for run in places]
        )
        draws = np.stack(own, axis=1)
        low, high = (
            percentile_interval(draws, self.level) if normal is None else normal_interval(values, draws, self.level, normal.least)
        )
        flat = high - low <= SAME
        if self.interval == "auto" and flat.any():
            why = "{measure} has no interval for {runs}: all items score alike, or the score is an end of the range"
            runs = first_of([name for name, one in zip(names, flat.tolist(), strict=True) if one])
            notes = (*notes, warn("no interval", why, measure=measure.id, runs=runs))
            low, high = np.where(flat, np.nan, low), np.where(flat, np.nan, high)
        compared = ItemComparison(
            values, low, high, square(p, len(names), against), *ends,
            units=int(evidence.counts.gold_items.sum()), exact=all(test.exact for test, _ in tests),
        )  # fmt: skip
        methods = {
            "p": "test/items/swap",
            "interval": f"interval/{'bootstrap/items' if normal is None else 'items/normal'}",
            "difference": f"interval/difference/{'items' if normal is None else 'normal'}",
        }
        case = Case(items=compared.units, mean_of_items=False, only_drawn=True)
        notes = (sampled("items", 1), *notes)
        made = self.of(compared, measure, names, units="items", unit="items", notes=notes, methods=methods)
        return self._with_limits(made, compared, measure, methods, case)

    def _two_orders(
        self, evidence: Judgements, first: int, second: int, measure: Measure
    ) -> tuple[PairedTest, tuple[float, float]]:
        """The test of two runs, and the interval of their difference."""
        both = evidence.pair(first, second, measure.reads, by_content=self.drawn_by == "data")
        values, drawn = (partial(both_values, one, evidence.scale) for one in (measure, measure.resampled))
        test = swap_test(lambda which: values(both.swapped(which)), both.items, self.trials, self.seed)
        about = None if measure.interval is None else test.difference
        draws: Any = {"level": self.level, "trials": INTERVAL_TRIALS, "seed": self.seed}
        return test, draw_interval(lambda times: drawn(both.drawn(times)), both.items, about=about, **draws)

    def _check_orders(self, evidence: Judgements, measure: Measure) -> None:
        """UsageError for options that do not apply to an order, DataError for runs that have none."""
        outputs = evidence.counts.outputs
        if self.test != "permutation" or self.correction == "maxt":
            raise UsageError(f"{measure.id} reads an order, and is compared by permutation", hint="choose holm, bh or none")
        if outputs is not None and outputs.clustered:
            raise UsageError(
                f"{measure.id} reads an order, which is not swapped in whole clusters", hint="compare it over topics"
            )
        if dict(evidence.settings).get("missing"):
            raise UsageError(f"{measure.id} reads an order, and missing items have none", hint=say("leave out {--missing}"))
        for run, why in evidence.lacking(measure.reads).items():
            raise DataError(
                say("{measure} of {run} has no value: {why}", measure=measure.id, run=evidence.runs[run], why=why),
                hint="leave the run out",
            )

    def _too_few_trials(self, comparison: ItemComparison) -> tuple[str, ...]:
        """Whether no p-value of so many pairs can be small, because of the number of trials."""
        pairs = int(np.triu(~np.isnan(comparison.p), 1).sum())
        if comparison.exact or self.correction not in (None, "holm", "bh"):
            return ()
        said = too_few_trials(pairs, self.trials, self.alpha, otherwise=say(", or {--correction maxt}"))
        return (said,) if said else ()

    def of(
        self,
        comparison: ItemComparison,
        measure: Measure,
        runs: Sequence[str],
        *,
        units: UnitsOf,
        unit: str,
        notes: tuple[str, ...],
        name: str = "",
        variance: Sequence[Variance] = (),
        methods: Mapping[str, str],
    ) -> Comparison:
        """What was found of every two runs as a comparison, from the best run to the worst."""
        undefined = [run for run, one in zip(runs, comparison.values, strict=True) if np.isnan(one)]
        if undefined:
            raise DataError(
                say("{measure} of {runs} is undefined", measure=measure.id, runs=listed(undefined, "and")),
                hint="leave the run out, or choose another measure",
            )
        assert measure.better is not None  # noqa: S101 - checked before anything was drawn
        order = from_best(comparison.values if measure.better == "higher" else -comparison.values)
        low, high = comparison.difference_low, comparison.difference_high
        alike = (high - low <= SAME) & ~np.eye(len(runs), dtype=bool)
        if self.interval == "auto" and alike.any():
            low, high = np.where(alike, np.nan, low), np.where(alike, np.nan, high)
            notes = (*notes, *no_interval_between(runs, alike, say("all draws give the same")))
        square = np.ix_(order, order)
        correction = self.correction or "holm"
        pairs = int(np.triu(~np.isnan(comparison.p), 1).sum()) if correction == "holm" else 1
        drawn = 0.0 if comparison.exact else 1 / (self.trials + 1)
        least = min(1.0, pairs * max(drawn, 2.0 ** (1 - min(comparison.units, 1000)) if self.test == "permutation" else 0.0))
        return Comparison(
            measure=name or measure.id,
            better=measure.better,
            test=self.test,
            correction=correction,
            trials=self.trials,
            seed=self.seed,
            alpha=self.alpha,
            topics=comparison.units,
            runs=tuple(runs[place] for place in order),
            means=comparison.values[order],
            low=comparison.low[order],
            high=comparison.high[order],
            p=comparison.p[square],
            effect_size=np.full(comparison.p.shape, np.nan),
            residual_variance=np.nan,
            level=self.level,
            notes=notes,
            unit=unit,
            units=units,
            against=self.against,
            exact=comparison.exact,
            difference_low=low[square],
            difference_high=high[square],
            smallest_p=least,
            least_p=least,
            validity=methods,
            interval=self.interval,
            draw_by=self.drawn_by,
            variance=tuple(variance[place] for place in order) if variance else (),
        )


@dataclass(frozen=True)
class Difference(Signed):
    """By how much the first run scores above the second on one measure, all topics pooled, with an interval over items or
    clusters and the p-value of the paired test."""

    measure: str
    first: str
    second: str
    value: float
    low: float
    high: float
    level: float
    p: float
    exact: bool
    units: UnitsOf

    def tables(self, format: OutputFormat) -> list[Table]:
        made = "bootstrap interval over items" if self.units == "items" else "t interval by leaving out clusters"
        how = legend("{level:g%} {made}; p of the paired permutation test.", level=self.level, made=made)
        *names, difference, low, high, p = self._columns().values()
        row = (*names, *(number(value, 4) for value in (difference, low, high)), p_value(p, round(1 - self.level, 9)))
        headings = tuple(self._columns())
        return [Table(headings, (row,), right=frozenset(headings[3:]), notes=(how,))]

    def full_table(self) -> Table:
        return Table.of({name: [value] for name, value in self._columns().items()})

    def _columns(self) -> dict[str, Any]:
        names = {"measure": self.measure, "first": self.first, "second": self.second}
        return {**names, "difference": self.value, "low": self.low, "high": self.high, "p": self.p}

    def to_dict(self) -> dict[str, Any]:
        facts = {name: getattr(self, name) for name in ("measure", "first", "second", "level", "exact", "units")}
        return facts | {name: json_number(getattr(self, name)) for name in ("value", "low", "high", "p")}


def difference_of(
    outputs: Outputs,
    first: str,
    second: str,
    measure: Measure,
    *,
    distance: Any = None,
    level: float = 0.95,
    trials: int = 5000,
    seed: int = 0,
) -> Difference:
    """Two runs on the items that both have; as ``compare`` has it of two runs, without a correction."""
    outputs, _ = on_common_items(outputs.of_runs([place_of(run, outputs.runs) for run in (first, second)]))
    value = value_of(measure, outputs, distance)
    units = outputs.units([0, 1]).by_content()
    alike = outputs.weight is None and not outputs.clustered
    test = paired_test(units, value, trials, seed, hits=outputs.hits(value) if alike else None)
    ends_of = ends_of_differences(measure, outputs, distance, PairedTests(level=level, seed=seed))
    low, high = (
        paired_interval(units, value, level, INTERVAL_TRIALS, seed, spread=spread_of(measure, outputs, distance))
        if ends_of is None
        else ends_of(units)
    )
    return Difference(measure.id, first, second, test.difference, low, high, level, test.p, test.exact, units_of(outputs))


def value_of(measure: Measure, outputs: Swapped, distance: Any) -> Value:
    """The measure as a function of tables; UsageError for one that is none of the outputs'."""
    if outputs.scored() is not None:
        return mean_of_tables
    if measure.reads != "counts":
        raise UsageError(f"{measure.id} reads an order of the items, not counts", hint="use compare, or a measure of labels")
    if outputs.weight is not None and not measure.proportional:
        raise UsageError(
            f"{measure.id} counts items and cannot use weights", hint="choose another measure, or leave out the weights"
        )
    return lambda tables: np.asarray(measure(tables, classes=outputs.scale, distance=distance), dtype=float)


def span_of(measure: Measure, outputs: Swapped) -> Range:
    """The ends of the measure's range."""
    return measure.known_range(outputs.scale if measure.reads.of_classes else None)


def ends_of_differences(
    measure: Measure, outputs: Swapped, distance: Any, tests: TestOptions
) -> Callable[[Units], tuple[float, float]] | None:
    """What makes the interval of the difference between two runs, where it is not bootstrapped."""
    span, whole = span_of(measure, outputs), outputs.clustered
    if outputs.apart is not None:
        value = TopicMean(value_of(measure, outputs, distance))
        drawn = value_of(measure.resampled, outputs, distance)
        settings: Any = {"level": tests.level, "trials": INTERVAL_TRIALS, "seed": tests.seed, "range": span, "whole": whole}
        return partial(interval_within_topics, value=value, drawn=drawn, **settings)
    if whole and tests.interval == "auto":
        value_of_all = value_of(measure, outputs, distance)
        return partial(interval_by_leaving_out, value=value_of_all, level=tests.level, range=span)
    if outputs.graded and tests.interval == "auto":
        return partial(interval_of_paired_scores, level=tests.level, range=span)
    return None


def spread_of(measure: Measure, outputs: Swapped, distance: Any) -> Spread | None:
    """What is drawn for its intervals, where that is another measure."""
    if measure.interval is None:
        return None
    return Spread(value_of(measure.resampled, outputs, distance), measure.interval.least)


def _value(measure: Measure, scale: Scale, arrays: Sequence[Any]) -> Floats:
    return np.asarray(measure(*arrays, **({"classes": scale} if measure.reads.of_classes else {})), dtype=float)


def both_values(measure: Measure, scale: Scale, both: tuple[Drawn, Drawn]) -> tuple[Floats, Floats]:
    """Of both runs; a measure that reads less than was drawn reads the first of it."""
    number = len(measure.inputs.arrays)
    one, other = (score_drawn(measure, drawn[:number], scale) for drawn in both)
    return one, other


def check_directed(measure: Measure, runs: Sequence[str]) -> None:
    """UsageError where there is nothing to compare."""
    if measure.better is None or len(runs) < 2:
        raise UsageError("there is nothing to compare", hint="name two runs or more, and a measure with a better direction")


def units_of(outputs: Swapped) -> UnitsOf:
    """What is swapped and drawn whole."""
    return "items" if outputs.cluster is None else "clusters"


def on_common_items(outputs: S) -> tuple[S, tuple[str, ...]]:
    """The items that all runs have an output for, and how many are left out."""
    kept: Booleans = np.all(outputs.has(), axis=0)
    if kept.all():
        return outputs, ()
    if not kept.any():
        raise DataError(
            "there is no item that all runs have", hint=say("leave out the runs that lack most, or choose {--missing worst}")
        )
    note = warn(
        "incomplete runs",
        "The comparison is over the {complete} of {items} items that all runs have",
        complete=outputs.number(kept),
        items=outputs.size,
    )
    return outputs.of_items(kept), (note,)


def _by_name(outputs: S) -> S:
    """Runs in the order of their names, so that nothing drawn depends on the order in which they were named."""
    return outputs.of_runs(sorted(range(len(outputs.runs)), key=outputs.runs.__getitem__))
