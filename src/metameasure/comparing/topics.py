"""Runs compared over the topics that all of them have scores for: the tests, and what is said of topics that are too few."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.comparison import (
    CORRECTED,
    Comparison,
    Comparisons,
    no_interval_between,
)
from metameasure.core.choices import Correction, DrawBy, Test
from metameasure.core.errors import UsageError
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import CANNOT_DIFFER, NO_SMALLER_P, counted, first_of, listed, too_few
from metameasure.core.numbers import p_alone, p_in_words, significant
from metameasure.core.scale import Scale
from metameasure.core.validity import FEWEST_TOPICS as FEWEST_SAMPLED
from metameasure.core.validity import Case, limits_of_all, named, sampled
from metameasure.scores.files import read_scores
from metameasure.scores.intervals import t_method
from metameasure.scores.run_names import place_of
from metameasure.scores.scores import Scores
from metameasure.scores.selecting import by_name, check_comparable, complete, direction_of, of_measure, without_runs
from metameasure.scores.sources import lone_source
from metameasure.statistics.anova import effect_sizes, residual_variance, shuffling_inflation, two_way
from metameasure.statistics.arrays import Floats
from metameasure.statistics.by_content import order_by_content, words_of
from metameasure.statistics.field import (
    NOISY,
    alone,
    difference_intervals,
    hidden,
    is_rare,
    noise,
    simultaneous_intervals,
    skewness_of,
    topics_by_content,
    unequal_spread,
)
from metameasure.statistics.mean_intervals import Range, mean_interval
from metameasure.statistics.paired import bootstrap_means, bootstrap_test, corrected, pairs_of_systems, permutation_test, square
from metameasure.statistics.rank_correlation import from_best
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.stepwise import FEWEST_TOPICS, is_exact, smallest_p, stepwise_test
from metameasure.statistics.tukey import classical_tukey_hsd, randomised_tukey_hsd
from metameasure.tasks.option_groups import TestOptions, TopicTestOptions

INTERVAL_TRIALS = 1000
"""As many as ``evaluate`` draws, of the same topics on the same streams, so that a run has one interval."""
_MOST_STEADY = 3
_FLAT = 1e-12
_UNLIMITED = 10**12  # trials, so that topics alone limit p
_INFLATED = 1.5  # shuffling that overstates the variance by less hardly matters


def has_items(measure: Measure | None) -> bool:
    """Whether runs can be compared over items by a measure, from gold and runs: it counts labels, not an order or a ranking."""
    return measure is not None and measure.reads == Reads.COUNTS


def over_items(measure: Measure | None) -> str:
    """What else may be done where topics are too few; nothing where there are no items."""
    return say(", or compare over items ({--units items}, from gold and runs)") if has_items(measure) else ""


def _too_few(comparison: Comparison, measure: Measure | None) -> list[str]:
    """Whether there are so few topics for so many runs that neighbours cannot differ significantly, or hardly."""
    many = say("{topics} {unit}", topics=comparison.topics, unit=comparison.unit)
    more = say("use more {unit}{over_items}", unit=comparison.unit, over_items=over_items(measure))
    if comparison.smallest_p >= comparison.alpha:
        return [
            warn(
                "cannot differ",
                CANNOT_DIFFER,
                many=many,
                runs=counted(len(comparison.runs), "run"),
                two="two runs" if comparison.against is not None or len(comparison.runs) == 2 else "neighbours",
                smallest=p_in_words(comparison.smallest_p, comparison.alpha),
                p=comparison.smallest_p,
                more=say("raise {--trials}") if _limited_by_trials(comparison) else more,
            )
        ]
    if comparison.test != "stepwise" or comparison.topics >= FEWEST_TOPICS:
        return []
    least = 2.0 ** (1 - comparison.topics)
    smallest = p_alone(least, comparison.alpha)
    return [warn("few topics", NO_SMALLER_P, many=many, test="the stepwise test", smallest=smallest, least=least, more=more)]


def _without_width(comparison: Comparison) -> list[str]:
    """Which runs, and which differences, have no interval because they are the same on all topics."""
    width, unit, low = comparison.high - comparison.low, comparison.unit, comparison.difference_low
    flat = np.isnan(width) if comparison.interval == "auto" else width <= _FLAT
    runs = first_of([run for run, one in zip(comparison.runs, flat.tolist(), strict=True) if one])
    what = "no interval" if comparison.interval == "auto" else "an interval of width 0"
    own = "{measure} has {what} for {runs}: all {unit} score alike, or the mean is an end of the range"
    said: list[str] = []
    if flat.any():
        said = [warn("no interval", own, measure=comparison.measure, what=what, runs=runs, unit=unit)]
    if low is None:
        return said
    compared = np.ones(low.shape, dtype=bool) if comparison.against is None else ~np.isnan(comparison.p)
    why = say("it is the same on all {unit}", unit=unit)
    return [*said, *no_interval_between(comparison.runs, np.isnan(low) & compared, why)]


def _limited_by_trials(comparison: Comparison) -> bool:
    """Whether it is not for the topics that p cannot be smaller."""
    runs = len(comparison.runs)
    pairs = None if comparison.against is None else runs - 1
    least = smallest_reachable(comparison.test, comparison.topics, runs, _UNLIMITED, comparison.correction, pairs=pairs)
    return least[0] < comparison.alpha


def smallest_reachable(
    test: str, topics: int, runs: int, trials: int, correction: Correction = "none", *, pairs: int | None = None
) -> tuple[float, float]:
    """The smallest p-values that a test over so many topics can give: to two neighbours, and to any two of the runs."""
    match test:
        case "stepwise":
            return smallest_p(topics, runs, trials), smallest_p(topics, 2, trials)
        case "permutation" | "bootstrap":
            least = max(2.0 ** (1 - topics) if test == "permutation" else 0.0, 1 / (trials + 1))
            number = runs * (runs - 1) // 2 if pairs is None else pairs
            one = min(1.0, least * (number if correction == "holm" else 1))
            return one, one
        case "tukey":  # a pair stays as it is in one of the runs' k (k - 1) ways on each topic, whichever pair it is
            one = (runs * (runs - 1.0)) ** (1 - topics)
            return one, one
    return 0.0, 0.0


def _steady(comparison: Comparison, values: Floats) -> list[str]:
    """Pairs with a difference that their own test finds, and that the spread of the whole field hides."""
    if comparison.p_alone is None or comparison.against is not None or len(comparison.runs) < 3:
        return []
    pairs = np.argwhere(hidden(comparison.p, comparison.p_alone, comparison.alpha)).tolist()
    notes = []
    for first, second in pairs[:_MOST_STEADY]:
        better, other = comparison.runs[first], comparison.runs[second]
        gaps = values[:, first] - values[:, second]
        alike = gaps.std(ddof=1) <= abs(gaps.mean()) / 2
        wins = int((gaps > 1e-12).sum())
        alone_p = p_in_words(comparison.p_alone[first, second], comparison.alpha)
        notes.append(
            warn(
                "steady difference",
                "{run} beats {other} on {wins} of {topics} {unit}"
                + (" by nearly the same" if alike else ", which the spread of the field hides")
                + " (compared alone {alone_p}); to claim it, plan the pair: {--against <other>}",
                run=better,
                other=other,
                wins=wins,
                topics=comparison.topics,
                unit=comparison.unit,
                alone_p=alone_p,
                p_alone=float(comparison.p_alone[first, second]),
                measure=comparison.measure,
            )
        )
    more = len(pairs) - len(notes)
    besides = "The same holds for {more} more " + ("pair" if more == 1 else "pairs") + " (p_alone in {--format json})"
    return [*notes, *([note("steady difference", besides, more=more)] if more else [])]


def why_untested(topics: int, word: str, test: Test | None, measure: Measure | None) -> str:
    """Why so few topics are not tested, unless a test is named."""
    if topics >= FEWEST_SAMPLED or test is not None:
        return ""
    least = 2.0 ** (1 - topics)
    more = say("use at least {enough} {word}s{over_items}", enough=FEWEST_SAMPLED, word=word, over_items=over_items(measure))
    smallest = p_alone(least, 0.05)
    return say(
        NO_SMALLER_P,
        many=say("{topics}", topics=counted(topics, word)),
        test="a sign-flip test",
        smallest=smallest,
        least=least,
        more=more,
    )


def check_simultaneous(topics: int, word: str, level: float) -> None:
    """UsageError where topics are so few that all signs of their differences are too few for intervals that hold at once."""
    if 2.0 ** (1 - topics) > 1 - level:
        raise UsageError(
            too_few(counted(topics, word), "a set of intervals that hold all at once", enough_signs(level)),
            hint=say("leave out {--simultaneous}, or use more {word}s", word=word),
        )


def enough_signs(level: float) -> int:
    """The fewest topics with which intervals of that level can hold all at once."""
    return 1 + math.ceil(-math.log2(1 - level))


def without_what_chance_gives(comparison: Comparison, measure: Measure | None, *, named: bool) -> Comparison:
    """The comparison without p-values (unless a test is named) and without intervals (unless they are those of 0.2), where the
    measure is too high by chance: the corrected measure has both."""
    if measure is None or measure.excess is None:
        return comparison
    corrected = measure.without_excess
    if comparison.interval == "auto":
        none = np.full(len(comparison.runs), np.nan)
        comparison = replace(comparison, low=none, high=none, difference_low=None, difference_high=None)
    if named or comparison.untested:
        return comparison
    why = say("{measure} is too high by chance, by more for some runs than for others; compare {corrected}",
              measure=measure.id, corrected=corrected)  # fmt: skip
    p = np.where(np.eye(len(comparison.runs), dtype=bool), comparison.p, np.nan)
    return replace(comparison, p=p, p_alone=None, smallest_p=np.nan, least_p=np.nan, untested=why)


def named_methods(comparison: Comparison, tests: TestOptions) -> list[str]:
    """The rows of docs/validity.md behind the numbers, where they are asked for."""
    return named(comparison.behind_numbers(comparison.validity)) if tests.validity else []


def range_of_scores(measure: str | None, values: Floats, registry: Registry, scale: Scale | None = None) -> Range:
    """The ends of the measure's range, as far as they are known here; none where scores of that name leave it."""
    known = registry.find(measure or "")
    low, high = (-math.inf, math.inf) if known is None else known.known_range(scale)
    inside = low <= values.min() and values.max() <= high
    return (low, high) if inside else (-math.inf, math.inf)


def settled_draws(test: Test | None, draw_by: DrawBy | None) -> DrawBy:
    """What draws go by, where nothing is said: the tests of 0.2, asked for by their names, give the numbers of 0.2."""
    return draw_by or ("data" if test is None else "names")


def scores_of_one(scores: Any, format_in: str | None = None) -> Scores:
    """The scores of one data set, in whatever holds them. A matrix in a file need not say of which measure its scores are."""
    if isinstance(scores, str | Path):
        return read_scores(scores, format_in=format_in)
    return lone_source(scores, say("compare the runs on one at a time; {ranks --across standardised} decides over several"))[1]


@dataclass(frozen=True, kw_only=True)
class TopicTests(TopicTestOptions):
    """How runs are compared by their means over topics."""

    def on_each(self, scores: Any, measures: Sequence[str]) -> Comparisons:
        """The runs compared on each of several measures."""
        if not measures:
            raise UsageError("no measure was chosen", hint="choose one or more")
        scores = scores_of_one(scores)
        return Comparisons.of([self.on(scores, name) for name in measures], self.correction_across)

    @property
    def drawn_by(self) -> DrawBy:
        """What draws go by."""
        return settled_draws(self.test, self.draw_by)

    @property
    def chosen(self) -> Test:
        """The test, where none is named."""
        return self.test or ("stepwise" if self.against is None else "permutation")

    def on(self, scores: Any, measure: str | None) -> Comparison:
        """The runs compared on one measure, from best to worst."""
        scores = scores_of_one(scores)
        if self.units == "items":
            raise UsageError("scores have no items to compare over", hint=say("pass gold and runs, or leave out {--units items}"))
        chosen = of_measure(scores, measure, self.against, baselines=self.baselines, registry=self.registry)
        direction = direction_of(chosen.measure, self.better, self.registry or default_registry())
        whole = complete(without_runs(chosen, self.leave_out), self.incomplete)
        notes = (*scores.notes, *whole.left_out)
        check_comparable(whole)
        if self.simultaneous:
            check_simultaneous(len(whole.topics), scores.topic_word, self.level)
        whole = by_name(whole)
        sign = 1.0 if direction == "higher" else -1.0
        order = from_best(sign * whole.values[0].mean(axis=0))
        values, runs = whole.values[0][:, order], tuple(whole.runs[place] for place in order)
        span, word = self._range(whole, values), scores.topic_word
        place = None if self.against is None else place_of(self.against, runs)
        by_data = topics_by_content(sign * values)
        in_order = values[by_data] if self.drawn_by == "data" else values
        each = alone(sign * values[by_data], self.trials, self.seed, self.threads)
        known = (self.registry or default_registry()).find(whole.measure)
        untested = why_untested(len(values), word, self.test, known)
        p = square(np.nan, len(runs)) if untested else self._tested(sign * in_order, place, each)
        least = (np.nan, np.nan) if untested else self._smallest_p(len(values), len(runs))
        low, high = self._own_ends(values, span)
        ends = (
            simultaneous_intervals(values[by_data], self.level, span, self.seed)
            if self.simultaneous
            else difference_intervals(values, self.level, span)
        )
        comparison = Comparison(
            measure=whole.measure or "score",
            better=direction,
            test=self.chosen,
            correction=(self.correction or "holm") if self.chosen in CORRECTED else "none",
            trials=self.trials,
            seed=self.seed,
            alpha=self.alpha,
            topics=len(values),
            runs=runs,
            means=values.mean(axis=0),
            low=low,
            high=high,
            p=p,
            effect_size=effect_sizes(values),
            residual_variance=float(residual_variance(values)),
            level=self.level,
            notes=notes,
            unit=f"{word}s",
            against=None if place is None else runs[place],
            exact=self.chosen == "classical" or (self.chosen == "stepwise" and is_exact(len(values), self.trials)),
            difference_low=ends[0],
            difference_high=ends[1],
            simultaneous=self.simultaneous,
            p_alone=None if untested else each,
            smallest_p=least[0],
            least_p=least[1],
            untested=untested,
            validity=self._validity(span),
            interval=self.interval,
            draw_by=self.drawn_by,
            anova=two_way(values) if self.anova else None,
        )
        flat = [] if known is not None and known.excess is not None else _without_width(comparison)
        comparison = without_what_chance_gives(comparison, known, named=self.test is not None)
        said = [*self._limits(comparison, sign * in_order, known), *flat]
        return replace(comparison, notes=(*notes, *said, *named_methods(comparison, self)))

    def _own_ends(self, values: Floats, span: Range) -> tuple[Floats, Floats]:
        """The intervals of the runs' means."""
        if self.interval == "auto":
            return mean_interval(values, self.level, span)
        return percentile_interval(bootstrap_means(values, INTERVAL_TRIALS, self.seed, threads=self.threads), self.level)

    def _validity(self, span: Range) -> dict[str, str]:
        planned = self.test is None and self.against is not None and self.correction != "maxt"
        together = "/max-t" if self.chosen == "permutation" and self.correction == "maxt" else ""
        return {
            "p": f"test/{'against-holm' if planned else self.chosen}{together}",
            "interval": t_method(span) if self.interval == "auto" else "interval/bootstrap/topics",
            "difference": f"interval/difference/{'simultaneous' if self.simultaneous else 'unadjusted'}",
        }

    def _tested(self, values: Floats, place: int | None, each: Floats) -> Floats:
        """The p-values of every two runs, or of every run and the one in that place; ``each`` has those of pairs alone."""
        options: dict[str, Any] = {"trials": self.trials, "seed": self.seed, "threads": self.threads}
        correction = self.correction or "holm"
        if self.test is None and place is not None and correction != "maxt":
            return square(corrected(each[pairs_of_systems(len(each), place)], correction), len(each), place)
        match self.chosen:
            case "permutation":
                return permutation_test(values, correction=correction, against=place, **options)
            case "bootstrap":
                return bootstrap_test(values, correction=correction, against=place, **options)
            case "tukey":
                p = self._shuffled(values, **options)
            case "classical":
                p = classical_tukey_hsd(values)
            case "stepwise":
                p = stepwise_test(values, **options)
        if place is None:
            return p
        others = np.arange(len(p)) != place
        return np.where(others[:, None] & others[None, :] & ~np.eye(len(p), dtype=bool), np.nan, p)

    def _shuffled(self, values: Floats, **options: Any) -> Floats:
        """Tukey's test, whose shuffles are drawn for topics and runs in their order."""
        runs = order_by_content(words_of(values))[1] if self.drawn_by == "data" else np.arange(values.shape[1])
        p = np.empty((len(runs), len(runs)))
        p[runs[:, None], runs] = randomised_tukey_hsd(values[:, runs], **options)
        return p

    def _range(self, scores: Scores, values: Floats) -> Range:
        return range_of_scores(scores.measure, values, self.registry or default_registry(), scores.scale)

    def _smallest_p(self, topics: int, runs: int) -> tuple[float, float]:
        """The smallest p-value of two neighbours, however much they differ, and of any two."""
        pairs = None if self.against is None else runs - 1
        trials = self.trials
        if self.test is None and self.against is not None:
            trials = 2**62  # where a run is better on every topic, its p-value is known exactly
        return smallest_reachable(self.chosen, topics, runs, trials, self.correction or "holm", pairs=pairs)

    def _limits(self, comparison: Comparison, values: Floats, measure: Measure | None) -> list[str]:
        """What the test cannot show on such scores."""
        upper = np.triu_indices(values.shape[1], 1)
        case = Case(
            topics=len(values),
            runs=values.shape[1],
            rare=is_rare(np.abs(values), shown=False),
            skewness=skewness_of(values),
            skewness_of_differences=max(skewness_of(gap[:, None]) for gap in (values[:, upper[0]] - values[:, upper[1]]).T),
            unequal=unequal_spread(values),
        )
        about: list[str] = [sampled("topics", len(values), comparison.unit.removesuffix("s"))]
        if measure is not None and measure.of_logs:
            logs = "means and differences are of logarithms: {factor:.3f} is a factor of 2, and exp of a mean is {measure}"
            about.append(warn("logarithms", logs, factor=math.log(2), measure=measure.id))
        methods = comparison.behind_numbers(comparison.validity)
        if comparison.untested:
            return [*about, *limits_of_all(methods, case)]
        said = [*about, *_too_few(comparison, measure), *limits_of_all(methods, case)]
        if self.chosen == "tukey":
            return [*said, *self._blinded(comparison, values)]
        if self.chosen != "stepwise":
            return said
        return [*said, *self._noisy(comparison, values), *_steady(comparison, values)]

    def _noisy(self, comparison: Comparison, values: Floats) -> list[str]:
        """The run whose scores vary so much that differences between the others drown in it."""
        ratio = noise(values)
        noisy = [int(place) for place in np.argsort(-ratio, kind="stable") if ratio[place] > NOISY]
        others = [place for place in range(len(comparison.runs)) if place not in noisy]
        if not noisy or len(others) < 2 or comparison.against is not None:
            return []
        without = stepwise_test(values[:, others], trials=self.trials, seed=self.seed, threads=self.threads)
        upper = np.triu_indices(len(others), 1)
        before, after = (int((p[upper] < self.alpha).sum()) for p in (comparison.p[np.ix_(others, others)], without))
        if after <= before:
            return []
        hides = "which hides differences between the others: {before} of their {pairs} pairs differ significantly, and {after} "
        counts = {"before": before, "pairs": len(upper[0]), "after": after, "measure": comparison.measure}
        if len(noisy) == 1:
            (place,) = noisy
            return [
                warn(
                    "noisy run",
                    "{run} varies {times} times as much as the median run, " + hides + "without it ({--leave-out <run>})",
                    run=comparison.runs[place],
                    times=significant(ratio[place], 2),
                    ratio=float(ratio[place]),
                    **counts,
                )
            ]
        return [
            warn(
                "noisy run",
                "{runs} vary {times} times as much as the median run, " + hides + "without them ({--leave-out} for each)",
                runs=listed([comparison.runs[place] for place in noisy], "and"),
                times=listed([significant(ratio[place], 2) for place in noisy], "and"),
                ratios=[float(ratio[place]) for place in noisy],
                **counts,
            )
        ]

    def _blinded(self, comparison: Comparison, values: Floats) -> list[str]:
        """Whether one run is so far from the others that shuffling hides what the stepwise test finds."""
        inflation = float(shuffling_inflation(values))
        if len(comparison.runs) < 3 or not inflation > _INFLATED:
            return []
        stepwise = np.where(np.isnan(comparison.p), np.nan, stepwise_test(values, self.trials, self.seed, threads=self.threads))
        upper = np.triu(~np.isnan(comparison.p), 1)
        missed = upper & (stepwise < self.alpha) & (comparison.p >= self.alpha)
        by_tukey, by_steps = (int((upper & (p < self.alpha)).sum()) for p in (comparison.p, stepwise))
        if by_steps <= by_tukey:
            return []
        means = values.mean(axis=0)
        far = comparison.runs[int(np.argmax(np.abs(means - np.median(means))))]
        pairs = [(comparison.runs[i], comparison.runs[j]) for i, j in np.argwhere(missed)]
        also = listed([say("{first} from {second}", first=first, second=second) for first, second in pairs], "and")
        return [
            warn(
                "blinded by a run",
                "Because {run} scores so differently, shuffling makes scores vary {times} times as much as they do, which hides "
                "differences: tukey tells {by_tukey} of {pairs} pairs apart, {--test stepwise} {by_steps} (also {also})",
                run=far,
                times=significant(inflation, 2),
                inflation=inflation,
                by_tukey=by_tukey,
                pairs=int(upper.sum()),
                by_steps=by_steps,
                also=also,
                measure=comparison.measure,
            )
        ]
