"""How many topics does the next test set need, and what can this one find? Topic set size design from scores at hand.

After T. Sakai, Topic set size design, Information Retrieval Journal 19, 2016, for the test that ``compare`` takes by default: two
runs are told apart in a field of several. The variance comes from the user's own scores, a pilot: the residual variance of
topics by runs where runs are compared on the same topics. Of few scores it is not known well, and neither is the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure.catalogue.measure import Measure, Measures
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.topics import TopicTests, has_items
from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import Message, about, legend, say, sentence, warn
from metameasure.core.notes import CANNOT_DIFFER, counted
from metameasure.core.numbers import json_number, number, p_in_words, percent, significant
from metameasure.core.options import cannot_be, with_options
from metameasure.core.signature import Signature
from metameasure.core.validity import named
from metameasure.meta.data import listed_names, made_of_sources
from metameasure.scores.framed import Framed
from metameasure.scores.scores import Scores
from metameasure.scores.selecting import canonical, check_comparable, complete, without_baselines
from metameasure.scores.sources import AnyScores, as_one, lone_source
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.anova import pooled_freedom, pooled_variance, residual_variance
from metameasure.statistics.arrays import Floats
from metameasure.statistics.power import (
    MOST_TOPICS,
    Residuals,
    detectable_difference,
    fewest_topics,
    field_power,
    field_topics,
    interval_width,
    normal_residuals,
    resampled_residuals,
    simulated_power,
    variance_at,
)
from metameasure.statistics.stepwise import smallest_p
from metameasure.tasks.option_groups import DesignOptions

_ENDS = {
    "variance_range": ("variance_low", "variance_high"),
    "topics_range": ("topics_low", "topics_high"),
    "pair_variance": ("smallest_pair_variance", "largest_pair_variance"),
}
"""What has two ends in JSON, and the columns of these."""
VARIANCES = {"V_E2": "the residual variance of topics by runs", "V_E1": "the variance between topics within a run"}


LEVEL = 0.95
"""Of the range of the variance, and of the topics that follow from it."""
ASSURANCE = 0.8
"""The probability that the assured number of topics is enough, for a pilot of such a size."""


@dataclass(frozen=True)
class Needed:
    """The topics that find a difference with the power asked for: at the variance of the scores, at both ends of its range, at
    the variance that it exceeds with a probability of 20 % only, and where two runs are compared by themselves. None beyond ten
    million."""

    topics: int | None
    range: tuple[int | None, int | None]
    assured: int | None
    of_two: int | None


@dataclass(frozen=True)
class MeasureDesign:
    """What one measure needs, and what the scores at hand can find by it, in a field of ``runs`` runs.

    ``needed`` is None where no difference was asked for; ``detectable`` is the difference that the topics at hand find,
    ``detectable_of_two`` where two runs are compared by themselves. ``simulated`` is the power in simulated data of that
    variance, ``resampled`` in data drawn from the scores' own residuals, ``smallest_p`` the smallest p-value of neighbours: with
    the topics needed, or with those at hand and the detectable difference. ``width`` is that of a confidence interval now,
    ``topics_for_width`` what the width asked for takes. ``pairs`` are the smallest and the largest variance of two runs'
    differences, over the mean.
    """

    id: str
    runs: int
    variance: float
    variance_range: tuple[float, float]
    topics_now: int
    runs_now: int
    needed: Needed | None
    detectable: float
    detectable_of_two: float
    simulated: float
    resampled: float
    smallest_p: float
    width: float
    topics_for_width: int | None
    pairs: tuple[float, float]

    @property
    def topics(self) -> int | None:
        """The topics that find the difference asked for, at the variance of the scores."""
        return None if self.needed is None else self.needed.topics

    def to_dict(self) -> dict[str, Any]:
        """The measure in JSON."""
        needed = self.needed
        return {
            "id": self.id,
            "runs": self.runs,
            "residual_variance": json_number(self.variance),
            "variance_range": [json_number(end) for end in self.variance_range],
            "topics": self.topics,
            "topics_range": None if needed is None else list(needed.range),
            "topics_assured": None if needed is None else needed.assured,
            "topics_of_two": None if needed is None else needed.of_two,
            "detectable": json_number(self.detectable),
            "detectable_of_two": json_number(self.detectable_of_two),
            "simulated_power": json_number(self.simulated),
            "resampled_power": json_number(self.resampled),
            "smallest_p": json_number(self.smallest_p),
            "topics_now": self.topics_now,
            "runs_now": self.runs_now,
            "width_now": json_number(self.width),
            "topics_for_width": self.topics_for_width,
            "pair_variance": [json_number(end) for end in self.pairs],
        }


@dataclass(frozen=True, eq=False)
class Design(Framed):
    """Topic set sizes for each measure; ``runs`` is None where the field has as many runs as the scores."""

    caption: ClassVar[str] = "How many topics are needed"

    measures: tuple[MeasureDesign, ...]
    difference: float | None
    runs: int | None
    power: float
    alpha: float
    wanted_width: float | None
    variance: Literal["V_E2", "V_E1"]
    trials: int
    seed: int
    notes: tuple[str, ...] = ()

    def tables(self, format: OutputFormat) -> list[Table]:
        wanted = [] if self.difference is None and self.wanted_width is None else [_needed_table(self)]
        return [*wanted, _present_table(self), _variance_table(self)]

    def how(self) -> Message:
        """The test in words."""
        fields = {one.runs for one in self.measures}
        template = "the default test of compare (stepwise), to tell {pair} apart"
        if fields == {2}:
            return say(template, pair="two runs")
        field = say("two of a measure's runs") if len(fields) > 1 else say("two of {number} runs", number=max(fields))
        return say(template, pair=field)

    @property
    def validity(self) -> dict[str, str]:
        """The methods behind the ranges and the assured number: docs/validity.md has how often they hold."""
        of_topics = {"topics_range": "interval/design/variance", "topics_assured": "interval/design/assured"}
        return {"variance_range": "interval/design/variance", **({} if self.difference is None else of_topics)}

    def to_dict(self) -> dict[str, Any]:
        return {
            "power": self.power,
            "alpha": self.alpha,
            "difference": self.difference,
            "runs": self.runs,
            "test": "t" if {one.runs for one in self.measures} == {2} else "stepwise",
            "variance": self.variance,
            "width": self.wanted_width,
            "trials": self.trials,
            "seed": self.seed,
            "validity": self.validity,
            "measures": [measure.to_dict() for measure in self.measures],
            **self.signed_notes(self.notes),
        }

    def columns(self) -> dict[str, list[Any]]:
        """One row for each measure."""
        rows = [measure.to_dict() for measure in self.measures]
        table = {name: [row[name] for row in rows] for name in rows[0] if name not in _ENDS}
        for name, ends in _ENDS.items():
            table |= {end: [None if row[name] is None else row[name][side] for row in rows] for side, end in enumerate(ends)}
        return table


@with_options(DesignOptions)
def design(asked: DesignOptions, scores: AnyScores, measures: str | Measure | Sequence[str | Measure] | None = None) -> Design:
    """How many topics it takes to detect a difference, and which difference the present topics can detect.

    Parameters
    ----------
    scores : Scores, path or data frame
        Scores of a pilot, from which the variance of each measure comes.
    measures : str, Measure or sequence of these, optional
        Which measures (default: all that score runs).

    Returns
    -------
    Design
        For each measure how many topics it takes, with a range and a number that is enough with a probability of 80%; beside
        it the number for two runs by themselves.

    Raises
    ------
    UsageError
        If power, alpha, the difference or the width make no sense.
    DataError
        If scores are missing and ``incomplete`` does not say what to do.

    Notes
    -----
    Topic set size design after Sakai (2016): the variance is the residual one of a two-way ANOVA, V_E2; ``unpaired`` takes
    that between topics too, V_E1.

    Examples
    --------
    >>> import metameasure as mm
    >>> import numpy as np
    >>> rows = [[0.1, 0.3], [0.4, 0.5], [0.2, 0.5], [0.6, 0.6], [0.3, 0.6], [0.5, 0.7], [0.2, 0.3], [0.4, 0.6]]
    >>> matrix = mm.ScoreMatrix("kappa", tuple("abcdefgh"), ("first", "second"), np.array(rows))
    >>> [one.id for one in mm.design(matrix, difference=0.1, trials=200).measures]
    ['kappa']

    """
    _check_call(asked.difference, asked.width, asked.power, asked.alpha)
    wanted = (asked.difference, asked.runs, asked.power, asked.alpha, asked.width)
    plan = Design((), *wanted, "V_E1" if asked.unpaired else "V_E2", asked.trials, asked.seed)
    pilot, made = _pilot(scores, measures, asked.registry or default_registry(), baselines=asked.baselines)
    notes, designs = list(pilot.left_out), []
    for one in pilot:
        whole = complete(one, asked.incomplete)
        check_comparable(whole)
        notes += [about(note, measure=one.measure) for note in whole.left_out[len(one.left_out) :]]
        designs.append(_designed(whole, plan))
    known = asked.registry or default_registry()
    notes += [note for one in designs for note in _out_of_reach(one, known.find(one.id), asked.alpha)]
    notes += named(plan.validity) if asked.validity else []
    made = made.having(
        command="design", measures=[one.id for one in designs], difference=asked.difference, field=asked.runs, power=asked.power,
        alpha=asked.alpha, width=asked.width, unpaired=asked.unpaired or None, incomplete=asked.incomplete,
        baselines=asked.baselines or None, trials=asked.trials, seed=asked.seed,
    )  # fmt: skip
    return replace(plan, measures=tuple(designs), notes=tuple(dict.fromkeys(notes)), made=made)


def _check_call(difference: float | None, width: float | None, power: float, alpha: float) -> None:
    """UsageError for arguments that make no sense."""
    for name, value in (("difference", difference), ("width", width)):
        if value is not None and not (value > 0 and math.isfinite(value)):
            raise cannot_be(name, value, "it is above 0, in the measure's own units, as in .05")
    if power <= alpha:
        raise UsageError(f"power cannot be {power:g} where alpha is {alpha:g}", hint="it is above alpha, as .8 is above .05")


def _pilot(scores: AnyScores, measures: Measures | None, registry: Registry, *, baselines: bool) -> tuple[Scores, Signature]:
    """The scores by each measure that is asked for, or by all that score runs, without baselines unless those are kept; and how
    the scores were made."""
    data_set = lone_source(scores, "name the scores of one test set")
    found = as_one(*data_set)
    names = [canonical(name, found.ids, registry) for name in listed_names(measures)]
    unknown = [name for name in names if name not in found.ids]
    if unknown:
        near = did_you_mean(unknown[0], found.ids) or f"choose from {', '.join(found.ids)}"
        raise UsageError(f"there are no scores of '{unknown[0]}'", hint=near)
    known = {name: registry.find(name) for name in found.ids}
    chosen = names or [name for name, measure in known.items() if measure is None or measure.better is not None]
    if not chosen:
        raise DataError("there are no measures that score runs", hint="evaluate with some")
    kept = found.of([found.measures[found.ids.index(name)] for name in chosen])
    return without_baselines(kept, baselines=baselines), made_of_sources([data_set])


def _designed(scores: Scores, plan: Design) -> MeasureDesign:
    values = scores.values[0]
    now, systems = len(values), plan.runs or values.shape[1]
    paired, width = plan.variance == "V_E2", plan.wanted_width
    variance = float((residual_variance if paired else pooled_variance)(values))
    freedom = (now - 1) * (values.shape[1] - 1) if paired else pooled_freedom(values)
    low, high, assured = (variance_at(share, variance, freedom) for share in ((1 + LEVEL) / 2, (1 - LEVEL) / 2, 1 - ASSURANCE))
    needed = None if plan.difference is None else _needed(plan, plan.difference, systems, (variance, low, high, assured))
    detectable, of_two = (
        detectable_difference(field_power(variance, number, plan.alpha), now, plan.power, variance) for number in (systems, 2)
    )
    enough = None if needed is None else needed.topics
    topics, gap = (now, detectable) if enough is None or plan.difference is None else (enough, plan.difference)
    options: dict[str, Any] = {"systems": systems, "alpha": plan.alpha, "trials": plan.trials, "seed": plan.seed}
    return MeasureDesign(
        id=scores.measure,
        runs=systems,
        variance=variance,
        variance_range=(low, high),
        topics_now=now,
        runs_now=values.shape[1],
        needed=needed,
        detectable=detectable,
        detectable_of_two=of_two,
        simulated=simulated_power(normal_residuals(variance), topics, gap, **options),
        resampled=simulated_power(_own_residuals(values, variance, systems, paired=paired), topics, gap, **options),
        smallest_p=smallest_p(topics, systems, TopicTests.trials),
        width=interval_width(variance, now, plan.alpha),
        topics_for_width=None if width is None else fewest_topics(lambda n: interval_width(variance, n, plan.alpha) <= width),
        pairs=_pair_variances(values),
    )


def _needed(plan: Design, difference: float, systems: int, variances: tuple[float, ...]) -> Needed:
    """The topics that find the difference: at the variance of the scores, at both ends of its range, and at the assured one."""
    topics, low, high, assured = (_enough(plan, difference, systems, variance) for variance in variances)
    return Needed(topics, (low, high), assured, _enough(plan, difference, 2, variances[0]))


def _enough(plan: Design, difference: float, systems: int, variance: float) -> int | None:
    """The fewest topics that have the power and with which the default test can find a difference at all."""
    least = _least_topics(systems, plan.alpha)
    powerful = field_topics(variance, systems, difference, plan.power, plan.alpha)
    return None if least is None or powerful is None else max(least, powerful)


def _least_topics(systems: int, alpha: float) -> int | None:
    """The fewest topics with which the default test can tell neighbours apart, however much they differ."""
    return fewest_topics(lambda number: smallest_p(number, systems, TopicTests.trials) < alpha)


def _out_of_reach(one: MeasureDesign, measure: Measure | None, alpha: float) -> Iterator[str]:
    """That neighbours, or any two runs, cannot be told apart by so few topics as there are."""
    neighbours, any_two = (smallest_p(one.topics_now, number, TopicTests.trials) for number in (one.runs, 2))
    if neighbours >= alpha:
        enough = _least_topics(one.runs, alpha)
        two = "neighbours" if any_two < alpha else "two runs"
        least = neighbours if any_two < alpha else any_two
        items = say(", or compare over items ({--units items})") if has_items(measure) else ""
        more = say("use at least {enough} topics{items}", enough=enough, items=items) if enough else say("raise {--trials}")
        yield warn(
            "out of reach",
            CANNOT_DIFFER,
            many=say("{topics}", topics=counted(one.topics_now, "topic")),
            runs=counted(one.runs, "run"),
            two=two,
            smallest=p_in_words(least, alpha),
            p=least,
            more=more,
        )


def _own_residuals(values: Floats, variance: float, systems: int, *, paired: bool) -> Residuals:
    """Residuals drawn from the scores at hand. A paired test sees the same topics for all runs; of more runs than there are,
    each has its own, so that no two are the same."""
    together = paired and systems <= values.shape[1]
    alone = values - values.mean(axis=1, keepdims=True) if paired and not together else values
    return resampled_residuals(alone, variance, same_topics=together)


def _pair_variances(values: Floats) -> tuple[float, float]:
    """The smallest and the largest variance of two runs' differences over the mean of all pairs."""
    first, second = np.triu_indices(values.shape[1], 1)
    each = (values[:, first] - values[:, second]).var(axis=0, ddof=1)
    return float(each.min() / each.mean()), float(each.max() / each.mean())


Cells = dict[str, Callable[[MeasureDesign], str]]
"""How the cells of a column are made, by its heading."""


def _table(plan: Design, cells: Cells, *notes: str) -> Table:
    """A row for each measure."""
    columns: Cells = {"measure": lambda one: one.id, **cells}
    rows = tuple(tuple(cell(one) for cell in columns.values()) for one in plan.measures)
    return Table(tuple(columns), rows, right=frozenset(cells), notes=notes)


def _needed_table(plan: Design) -> Table:
    """What a difference takes, and what an interval of the width asked for does."""
    cells: Cells = {}
    notes: tuple[str, ...] = ()
    if plan.difference is not None:
        cells |= {
            f"topics for {plan.difference:g}": lambda one: _of(one.needed, lambda needed: _topics(needed.topics)),
            "range": lambda one: _of(one.needed, lambda needed: " to ".join(map(_topics, needed.range))),
            "assured": lambda one: _of(one.needed, lambda needed: _topics(needed.assured)),
        }
        notes = (
            _for_the_test(plan),
            legend(
                "Range: at the ends of the variance's {level:g%} interval. Assured: enough with a probability of {assured:.0%}.",
                level=LEVEL,
                assured=ASSURANCE,
            ),
        )
        least = [_least_topics(one.runs, plan.alpha) for one in plan.measures]
        if any(one.needed and one.needed.range[0] == fewest for one, fewest in zip(plan.measures, least, strict=True)):
            notes = (
                *notes,
                legend(
                    "With fewer than {fewest} topics no neighbours can differ significantly, however far apart they are.",
                    fewest=max(filter(None, least)),
                ),
            )
        if _has_field(plan):
            cells["two runs"] = lambda one: _of(one.needed, lambda needed: _topics(needed.of_two))
            notes = (*notes, legend("Two runs: what it takes where only those two are compared."))
    if plan.wanted_width is not None:
        cells[f"topics for width {plan.wanted_width:g}"] = lambda one: _topics(one.topics_for_width)
    return _table(plan, cells, *notes)


def _for_the_test(plan: Design) -> Message:
    """The test that topics are computed for, with its level and its power."""
    return legend("For {test}, alpha = {alpha:g}, power {power:.0%}.", test=plan.how(), alpha=plan.alpha, power=plan.power)


def _present_table(plan: Design) -> Table:
    """What the topics at hand can find."""
    two: Cells = {"two runs": lambda one: number(one.detectable_of_two, 4)} if _has_field(plan) else {}
    cells: Cells = {
        "topics now": lambda one: str(one.topics_now),
        "finds now": lambda one: number(one.detectable, 4),
        **two,
        "interval now": lambda one: number(one.width, 4),
        "pairs of runs": lambda one: " to ".join(number(factor, 2) for factor in one.pairs),
    }
    alone = say(" Two runs: the same where only those two are compared.") if two else ""
    return _table(
        plan,
        cells,
        *((_for_the_test(plan),) if plan.difference is None else ()),
        legend("Finds now: the smallest difference that these topics can detect.{alone}", alone=alone),
        *((say("Add {--difference D} for the topics that D takes."),) if plan.difference is None else ()),
        legend("Interval now: the full width of a confidence interval of a difference."),
        legend(
            "Pairs of runs: by what factors the variance of two runs' difference departs from the mean of all pairs. "
            "A pair of factor 2 needs twice as many topics."
        ),
    )


def _variance_table(plan: Design) -> Table:
    """What all of it is computed from, and whether it holds in simulated data."""
    cells: Cells = {
        plan.variance: lambda one: significant(one.variance),
        "its range": lambda one: " to ".join(significant(end, 3) for end in one.variance_range),
        "simulated %": lambda one: percent(one.simulated),
        "on residuals %": lambda one: percent(one.resampled),
    }
    return _table(
        plan,
        cells,
        legend(
            "{variance} is {meaning} of these scores. Its range is a {level:g%} interval.",
            variance=plan.variance,
            meaning=VARIANCES[plan.variance],
            level=LEVEL,
        ),
        legend("Simulated: the power of Tukey's test, by which topics are computed, in normal data of that variance."),
        legend("On residuals: the same in data drawn from these scores' own residuals."),
        *map(sentence, plan.notes),
        say("{trials} simulated data sets, seed {seed}.", trials=plan.trials, seed=plan.seed),
    )


def _has_field(plan: Design) -> bool:
    """Whether more than two runs are compared, so that two alone are another matter."""
    return any(one.runs > 2 for one in plan.measures)


def _of(needed: Needed | None, cell: Callable[[Needed], str]) -> str:
    return "" if needed is None else cell(needed)


def _topics(number: int | None) -> str:
    return f"over {MOST_TOPICS:,}" if number is None else f"{number:,}"
