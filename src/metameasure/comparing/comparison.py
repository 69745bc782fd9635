"""Is the difference real? Runs compared on one measure, over the topics that all of them have scores for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from metameasure.comparing.diagrams import Diagram, critical_chart, letters_chart, matrix_chart
from metameasure.comparing.table import anova_table, comparison_table, comparisons_chart, comparisons_table
from metameasure.core.choices import Across, Better, ComparedInterval, Correction, DrawBy, Test
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import Message, data, note, say, warn
from metameasure.core.notes import counted, first_of, grouped, listed
from metameasure.core.numbers import json_number, json_table, p_alone, p_in_words
from metameasure.core.signature import digest_of_numbers
from metameasure.scores.framed import Framed, stacked
from metameasure.show.table import OutputFormat, Table, json_variance
from metameasure.statistics.anova import Components, TwoWay
from metameasure.statistics.arrays import Booleans, Floats
from metameasure.statistics.groups import compact_letters
from metameasure.statistics.paired import pairs_of_systems
from metameasure.statistics.stepwise import is_exact

if TYPE_CHECKING:
    from metameasure.show.canvas import Figure, Width

Units = Literal["topics", "items", "clusters"]
Variance = Mapping[str, Components]
"""The variance of being right between and within clusters, and between and within items that have several outputs."""
TESTS = {
    "stepwise": "stepwise range test",
    "tukey": "randomised Tukey HSD test",
    "classical": "Tukey HSD test",
    "permutation": "paired permutation test",
    "bootstrap": "paired bootstrap test",
}
CORRECTIONS = {
    "none": "uncorrected",
    "holm": "Holm's correction",
    "bh": "Benjamini-Hochberg correction",
    "maxt": "max-T step-down correction",
}
CORRECTED = ("permutation", "bootstrap")
"""The tests of two runs at a time, whose p-values are corrected for their number."""


@dataclass(frozen=True, eq=False)
class Comparison(Framed):
    """Runs from best to worst by their means, with p-values and effect sizes for every two of them.

    ``units`` are what the test resamples, and ``topics`` is how many of them there are; ``unit`` is the word for them.
    ``against`` is the one run that the others are compared with, if only those pairs were wanted; the others are NaN.
    """

    caption: ClassVar[str] = "Comparison of the runs"

    measure: str
    better: Better
    test: Test
    correction: Correction
    trials: int
    seed: int
    alpha: float
    topics: int
    runs: tuple[str, ...]
    means: Floats
    low: Floats
    high: Floats
    p: Floats
    effect_size: Floats
    residual_variance: float
    level: float = 0.95
    notes: tuple[str, ...] = ()
    unit: str = "topics"
    units: Units = "topics"
    against: str | None = None
    exact: bool = False
    """Whether nothing was drawn for the p-values."""
    difference_low: Floats | None = None
    difference_high: Floats | None = None
    """Intervals of the differences, the row's run less the column's; each pair's own, unless ``simultaneous``."""
    simultaneous: bool = False
    p_alone: Floats | None = None
    """The p-value of each pair compared by itself, uncorrected."""
    smallest_p: float = float("nan")
    """The smallest p-value that the test can give two neighbours."""
    least_p: float = float("nan")
    """The smallest that it can give any two runs."""
    untested: str = ""
    """Why there are no p-values."""
    validity: Mapping[str, str] = field(default_factory=dict)
    """The methods behind the p-values (``p``), the runs' intervals (``interval``) and those of differences (``difference``):
    docs/validity.md has their error rates."""
    interval: ComparedInterval = "auto"
    variance: tuple[Variance, ...] = ()
    """Of each run, where units are clusters or several outputs for an item."""
    called: str = ""
    """The name that somebody typed for the measure, where it has several."""
    anova: TwoWay | None = None
    """The analysis of variance of topics by runs, where it is asked for."""
    clusters: tuple[int, ...] = ()
    """Ranks that runs share which no test tells apart, where such ranks are asked for."""
    draw_by: DrawBy = "data"
    """What was drawn goes by data, whatever topics, items and runs are called, or by their names, as in 0.2."""

    @property
    def significant(self) -> Booleans:
        """Which differences are significant: p under alpha, strictly."""
        return np.asarray(self.p < self.alpha)

    @property
    def able(self) -> bool:
        """Whether any two runs could have differed significantly."""
        return not self.untested and not self.least_p >= self.alpha

    @property
    def reaches(self) -> bool:
        """Whether any two neighbours could have differed significantly."""
        return not self.smallest_p >= self.alpha

    @property
    def alike(self) -> str:
        """What may be said of runs that are not told apart: nothing more where the test could not have told neighbours apart."""
        return "do not differ significantly" if self.reaches else "are not told apart"

    @property
    def apart(self) -> str:
        """What may be said to hold of no two runs where none are told apart."""
        return "differ significantly" if self.reaches else "are told apart"

    def letters(self) -> list[str]:
        """Runs that share a letter do not differ significantly. None where nothing could have been found."""
        return compact_letters(self.significant) if self.able else [""] * len(self.runs)

    def shared_letters(self, more: str = "") -> str:
        """What it means to share a letter; empty where there are none."""
        return say("Runs that share a letter{more} {alike}", more=more, alike=self.alike) if self.able else ""

    def unable(self) -> str:
        """Why no difference could have been found; empty where one could."""
        if self.untested:
            return warn("not tested", "No difference was tested: {why}.", why=self.untested)
        if self.able:
            return ""
        enough = self.exact or is_exact(self.topics, self.trials)  # so that p cannot be smaller for the units
        drawn = {} if enough else {"trials": counted(self.trials, "trial")}
        return warn(
            "cannot differ",
            "No difference could have been significant: with {topics} {unit}"
            + (", {runs} and {trials}" if drawn else " and {runs}")
            + " p is at least {least}.",
            topics=self.topics,
            unit=self.unit,
            runs=counted(len(self.runs), "run"),
            least=p_alone(self.least_p, self.alpha),
            p=self.least_p,
            **drawn,
        )

    def behind_numbers(self, methods: Mapping[str, str]) -> dict[str, str]:
        """Of these methods, those that have given numbers: of p-values only where there are any."""
        return {what: method for what, method in methods.items() if what != "p" or not self.untested}

    def beats(self) -> list[int]:
        """For each run the largest k such that each of the worst k runs is significantly worse."""
        return [count_beaten(row, place) for place, row in enumerate(self.significant)]

    def how(self) -> Message:
        """The test in the words of a paper."""
        if self.test == "classical":
            return say(TESTS[self.test])
        corrected = f", {CORRECTIONS[self.correction]}" if self.test in CORRECTED else ""
        if self.exact:
            return say(f"{TESTS[self.test]}, exact{corrected}")
        return say(f"{TESTS[self.test]} with B = {{trials}} trials{corrected}", trials=self.trials)

    def tested(self) -> Message:
        """The test, its level, and over how many units."""
        if self.untested:
            return say("not tested, {topics} {unit}", topics=self.topics, unit=self.unit)
        template = "{test}, alpha = {alpha:g}, {topics} {unit}"
        return say(template, test=self.how(), alpha=self.alpha, topics=self.topics, unit=self.unit)

    def sentences(self) -> list[str]:
        """A sentence for each claim that the numbers support, ready for a paper: those who beat the same runs share one."""
        beaten = {
            place: tuple(other for other in range(place + 1, len(self.runs)) if self.significant[place, other])
            for place in range(len(self.runs))
        }
        alike = grouped((self._whom(place, others), place) for place, others in beaten.items() if others)
        claims: list[str] = [self._claim(whom, places, beaten) for whom, places in alike.items()]
        found = "No difference is statistically significant." if self.reaches else "No difference was found."
        statements = [*claims, *self._not_told_apart()] if claims else [self.unable() or note("nothing found", found)]
        return [*statements, note("test", "Significance: {test}.", test=self.tested())]

    def _not_told_apart(self) -> list[str]:
        """The best run, or the one that all are compared with, and those that do not differ significantly from it."""
        one = self.reference
        others = [place for place in range(len(self.runs)) if place != one and not self.significant[one, place]]
        if not others:
            return []
        template = (
            "The difference between {run} and {others} is not statistically significant."
            if self.reaches
            else "{run} and {others} are not told apart."
        )
        p = tuple(float(self.p[one, place]) for place in others)
        return [
            note(
                "no difference",
                template,
                run=self.runs[one],
                others=listed([self.runs[place] for place in others]),
                p=p if len(p) > 1 else p[0],
                test=self.tested(),
                measure=self.measure,
            )
        ]

    def _whom(self, place: int, beaten: Sequence[int]) -> str:
        """Whom the run in that place from the top outperforms: the worst k, or those it beats by name."""
        if len(beaten) == self.beats()[place] > 1:
            return "all other runs" if len(beaten) == len(self.runs) - 1 else f"the worst {len(beaten)} runs"
        return listed([self.runs[other] for other in beaten], "and")

    def _claim(self, whom: str, places: Sequence[int], beaten: Mapping[int, Sequence[int]]) -> str:
        """What may be said of runs that outperform the same others."""
        runs = listed([self.runs[place] for place in places], "and", most=None)
        verb = "outperforms" if len(places) == 1 else "outperform"
        pairs = [(place, other) for place in places for other in beaten[place]]
        return note(
            "beats",
            "{runs} significantly " + verb + " {whom} ({p_text}).",
            runs=runs,
            whom=whom,
            others=listed(sorted({self.runs[other] for _, other in pairs}), "and"),
            p_text=self._p_text(pairs),
            p=max(float(self.p[pair]) for pair in pairs),
            test=self.tested(),
            measure=self.measure,
        )

    def _p_text(self, pairs: Sequence[tuple[int, int]]) -> str:
        """The largest of these p-values; below what so many trials can tell, only that."""
        largest = max(float(self.p[pair]) for pair in pairs)
        smallest = 1e-4 if self.test == "classical" else 1 / self.trials if self.test == "tukey" else 0.0
        return p_in_words(largest, self.alpha, least=smallest)

    def to_dict(self) -> dict[str, Any]:
        pairs = {"difference_low": self.difference_low, "difference_high": self.difference_high, "p_alone": self.p_alone}
        return {
            "measure": self.measure,
            "better": self.better,
            "test": self.test,
            "correction": self.correction,
            "units": self.units,
            "exact": self.exact,
            "trials": self.trials,
            "seed": self.seed,
            "alpha": self.alpha,
            self.units: self.topics,
            "against": self.against,
            "runs": list(self.runs),
            "means": [json_number(value) for value in self.means],
            "level": self.level,
            "low": [json_number(value) for value in self.low],
            "high": [json_number(value) for value in self.high],
            "p": json_table(self.p),
            "effect_size": json_table(self.effect_size),
            "difference": json_table(self.means[:, None] - self.means),
            "smallest_p": json_number(self.smallest_p),
            "residual_variance": json_number(self.residual_variance),
            "interval": self.interval,
            "draw_by": self.draw_by,
            "validity": dict(self.validity),
            **({"untested": self.untested} if self.untested else {}),
            "letters": self.letters() if self.against is None else [],
            "beats": self.beats(),
            "sentences": self.sentences(),
            "notes": list(self.notes),
            "findings": data((*self.notes, *self.sentences())),
            **{name: json_table(numbers) for name, numbers in pairs.items() if numbers is not None},
            **({"simultaneous": True} if self.simultaneous else {}),
            **({"variance": [json_variance(one) for one in self.variance]} if self.variance else {}),
            **({"anova": _json_anova(self.anova, self.unit)} if self.anova else {}),
            **self.signed(),
        }

    def numbers(self) -> dict[str, str]:
        """Of the measure: the means with their intervals, and the p-values."""
        means = zip(self.runs, self.means, self.low, self.high, strict=True)
        pairs = combinations(range(len(self.runs)), 2)
        tested = ((*sorted((self.runs[one], self.runs[other])), self.p[one, other]) for one, other in pairs)
        return {self.measure: digest_of_numbers([*means, *tested])}

    def tables(self, format: OutputFormat) -> list[Table]:
        return [comparison_table(self, format), *([anova_table(self, format)] if self.anova else [])]

    @property
    def reference(self) -> int:
        """The run that the others' differences are shown from: the one that was asked for, or the best."""
        return 0 if self.against is None else self.runs.index(self.against)

    def differences(self) -> list[tuple[float, float, float]]:
        """Each run's difference from the reference, with the ends of its interval."""
        none = np.full((len(self.runs), len(self.runs)), np.nan)
        low, high = (none if end is None else end for end in (self.difference_low, self.difference_high))
        one = self.reference
        gaps = self.means - self.means[one]
        return [*zip(gaps.tolist(), low[:, one].tolist(), high[:, one].tolist(), strict=True)]

    def adjusted(self) -> str:
        """What the intervals of differences hold for."""
        return (
            "differences, simultaneous (for all pairs at once)"
            if self.simultaneous
            else "differences, unadjusted (each by itself)"
        )

    @property
    def doubtful(self) -> Booleans:
        """Pairs that differ significantly though their simultaneous interval reaches 0."""
        if not self.simultaneous or self.difference_low is None or self.difference_high is None:
            return np.zeros(self.p.shape, dtype=bool)
        return np.asarray(self.significant & (self.difference_low <= 0) & (self.difference_high >= 0))

    def draw(self, width: float, diagram: Diagram = "means") -> Any:
        return _drawing(diagram)([self], width)

    def chart(
        self,
        path: str | Path | None = None,
        *,
        width: Width = "column",
        diagram: Diagram = "means",
        show: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
    ) -> Figure:
        """The comparison drawn, as a matplotlib figure, and written to a file of that name (.svg, .pdf or .png).

        ``diagram`` is ``"means"`` with their intervals, ``"critical"``, the critical-difference diagram, ``"letters"``, in which
        lines join runs that are not told apart, or ``"matrix"``, the p-values of every two. ``width`` is "column" (3.3 in),
        "page" (6.9 in), or a number of inches; ``show`` are the runs to show, ``rename`` other names for runs."""
        with self._choosing(show, rename):
            return self._drawn(path, width, diagram=diagram)

    def all_runs(self) -> Sequence[str]:
        return self.runs

    def pairs(self) -> dict[str, list[Any]]:
        """One row for each two runs: run_a, which is the better one, run_b, difference, p, effect_size."""
        first, second = pairs_of_systems(len(self.runs), None if self.against is None else self.runs.index(self.against))
        columns: dict[str, list[Any]] = {
            "run_a": [self.runs[i] for i in first],
            "run_b": [self.runs[j] for j in second],
            "difference": (self.means[first] - self.means[second]).tolist(),
            "p": self.p[first, second].tolist(),
            "effect_size": self.effect_size[first, second].tolist(),
        }
        ends = {"low": self.difference_low, "high": self.difference_high}
        return columns | {name: end[first, second].tolist() for name, end in ends.items() if end is not None}

    columns = pairs


_DIAGRAMS: dict[str, Callable[[Sequence[Comparison], float], Any]] = {
    "means": comparisons_chart,
    "critical": critical_chart,
    "letters": letters_chart,
    "matrix": matrix_chart,
}


def _drawing(diagram: str) -> Callable[[Sequence[Comparison], float], Any]:
    if diagram not in _DIAGRAMS:
        raise UsageError(f"there is no diagram '{diagram}'", hint=f"choose {listed([*_DIAGRAMS])}")
    return _DIAGRAMS[diagram]


def _json_anova(found: TwoWay, unit: str) -> dict[str, dict[str, Any]]:
    sources = {"runs": found.systems, unit: found.topics, "residual": found.residual}
    return {
        name: {
            "sum_of_squares": json_number(source.squares),
            "df": source.freedom,
            "mean_square": json_number(source.mean_square),
            **({} if source.f is None or source.p is None else {"f": json_number(source.f), "p": json_number(source.p)}),
        }
        for name, source in sources.items()
    }


def no_interval_between(runs: Sequence[str], alike: Booleans, why: str) -> list[str]:
    """Which pairs of runs have no interval of their difference, where ``alike`` (runs, runs) says so, and why."""
    twos = np.argwhere(np.triu(alike, 1)).tolist()
    pairs = [say("{one} and {other}", one=runs[one], other=runs[other]) for one, other in twos]
    said = "the difference between {pairs} has no interval: {why}"
    return [warn("no interval", said, pairs=first_of(pairs), why=why)] if pairs else []


def count_beaten(significant: Booleans, place: int) -> int:
    """The largest k such that each of the worst k is significantly worse than the one in that place from the top."""
    worse = significant[place + 1 :][::-1]
    return int(len(worse) if worse.all() else np.argmin(worse))


@dataclass(frozen=True, eq=False)
class Comparisons(Framed):
    """The same runs compared on several measures."""

    caption: ClassVar[str] = "Comparison of the runs"

    parts: tuple[Comparison, ...]
    across: Across | None = None
    """For what the p-values are corrected besides the pairs of runs."""

    @classmethod
    def of(cls, parts: Sequence[Comparison], across: Across | None) -> Comparisons:
        """The comparisons, corrected for each other where that is wanted, and saying so where it is not."""
        if len(parts) > 1 and across is not None:
            return cls(tuple(_corrected_across(parts)), across)
        if len(parts) > 1:
            uncorrected = "the p-values are corrected for the pairs of runs, not for the {number} measures "
            said = warn("measures not corrected", uncorrected + "({--correction-across measures})", number=len(parts))
            parts = [replace(part, notes=(*part.notes, said)) for part in parts]
        return cls(tuple(parts))

    def __getitem__(self, measure: str) -> Comparison:
        by_measure = {part.measure: part for part in self.parts}
        if measure not in by_measure:
            raise UsageError(
                f"there is no comparison on '{measure}'", hint=did_you_mean(measure, by_measure) or f"on {listed([*by_measure])}"
            )
        return self._signed_part(by_measure[measure])

    def _signed_part(self, part: Comparison) -> Comparison:
        """The comparison on one measure, signed as if it had been made alone."""
        return replace(part, made=self.made.having(measures=[part.measure]) if self.made else self.made)

    def all_runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(run for part in self.parts for run in part.runs))

    def to_dict(self) -> dict[str, Any]:
        signed = [self._signed_part(part).to_dict() for part in self.parts]
        said = {
            "notes": list(dict.fromkeys(note for part in signed for note in part["notes"])),
            "findings": [finding for part in signed for finding in part["findings"]],
        }
        return {"measures": signed, "correction_across": self.across, **said, **self.signed()}

    def numbers(self) -> dict[str, str]:
        return {name: digest for part in self.parts for name, digest in part.numbers().items()}

    def tables(self, format: OutputFormat) -> list[Table]:
        if len(self.parts) == 1:
            return self.parts[0].tables(format)
        return [comparisons_table(self.parts, format), *(anova_table(part, format) for part in self.parts if part.anova)]

    def draw(self, width: float, diagram: Diagram = "means") -> Any:
        return _drawing(diagram)(self.parts, width)

    def chart(
        self,
        path: str | Path | None = None,
        *,
        width: Width = "column",
        diagram: Diagram = "means",
        show: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
    ) -> Figure:
        """The comparisons drawn, by each measure: as of one comparison."""
        with self._choosing(show, rename):
            return self._drawn(path, width, diagram=diagram)

    def pairs(self) -> dict[str, list[Any]]:
        """One row for each two runs and measure."""
        return stacked("measure", ((part.measure, part.pairs()) for part in self.parts))

    columns = pairs


def _corrected_across(parts: Sequence[Comparison]) -> Iterator[Comparison]:
    """p-values that hold for all pairs of runs by all measures together.

    Holm's method over measures, each of which is a family that is corrected already: a measure has a share of alpha, and once all
    of its pairs are found to differ its share goes to the others. So the measure with the smallest largest p-value is multiplied
    by the number M of measures, the next by M - 1, but not below what the one before takes to be found whole."""
    measures = len(parts)
    largest = [float(np.nanmax(part.p[np.triu_indices(len(part.p), 1)], initial=0.0)) if part.able else 1.0 for part in parts]
    found: dict[int, Floats] = {}
    before = 0.0
    for place, number in enumerate(sorted(range(measures), key=largest.__getitem__)):
        p = parts[number].p
        apart = ~np.eye(len(p), dtype=bool)
        corrected_p = np.minimum(measures * p, np.maximum(before, (measures - place) * p))
        found[number] = np.where(apart, np.minimum(1.0, corrected_p), p)
        before = max(before, min(1.0, (measures - place) * largest[number]))
    said = note(
        "measures corrected", "the p-values are corrected for the {number} measures too, by Holm's method", number=measures
    )
    for number, part in enumerate(parts):
        least = [min(1.0, measures * one) for one in (part.smallest_p, part.least_p)]
        yield replace(part, p=found[number], smallest_p=least[0], least_p=least[1], notes=(*part.notes, said))
