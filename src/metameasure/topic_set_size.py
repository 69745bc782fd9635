"""How many topics does the next test set need, and what can this one find? Topic set size design from scores at hand.

After T. Sakai, Topic set size design, Information Retrieval Journal 19, 2016. The variance comes from the user's own scores: the
residual variance of topics by runs where runs are compared on the same topics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure.catalogue.registry import Registry, default_registry
from metameasure.errors import DataError, UsageError, did_you_mean
from metameasure.meta.data import AnyScores, Raw, sources
from metameasure.notes import counted, sentence
from metameasure.scores.cube import frame_of
from metameasure.scores.matrix import Incomplete, check_comparable, complete
from metameasure.scores.run_names import left_out
from metameasure.show.table import OutputFormat, Presentable, Table, json_number, percent
from metameasure.statistics.anova import pooled_variance, residual_variance
from metameasure.statistics.arrays import Floats
from metameasure.statistics.power import (
    Residuals,
    anova_power,
    detectable_difference,
    fewest_topics,
    interval_width,
    normal_residuals,
    resampled_residuals,
    simulated_power,
    t_test_power,
)
from metameasure.statistics.work import check_trials
from metameasure.tables.scores import ScoreMatrix

VARIANCES = {"V_E2": "the residual variance of topics by runs", "V_E1": "the variance between topics within a run"}


@dataclass(frozen=True)
class MeasureDesign:
    """What one measure needs, and what the scores at hand can find by it.

    ``topics`` finds the difference asked for with the power asked for, None where none was asked for or no number does;
    ``detectable`` is the difference that the topics at hand find. ``simulated`` is the power in simulated data of that variance,
    ``resampled`` in data drawn from the scores' own residuals: with ``topics`` topics, or with those at hand and the detectable
    difference. ``width`` is that of a confidence interval now, ``topics_for_width`` what the width asked for takes. ``pairs`` are
    the smallest and the largest variance of two runs' differences, over the mean.
    """

    id: str
    variance: float
    topics_now: int
    runs_now: int
    topics: int | None
    detectable: float
    simulated: float
    resampled: float
    width: float
    topics_for_width: int | None
    pairs: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Design(Presentable):
    """Topic set sizes for each measure; ``runs`` is None for a paired t test of two runs."""

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
        return [_table(self)]

    def full_table(self) -> Table:
        return Table.of(self.columns())

    def how(self) -> str:
        """The test in words."""
        return "paired t test of two runs" if self.runs is None else f"one-way analysis of variance of {self.runs} runs"

    def to_dict(self) -> dict[str, Any]:
        return {
            "power": self.power,
            "alpha": self.alpha,
            "difference": self.difference,
            "runs": self.runs,
            "test": "t" if self.runs is None else "anova",
            "variance": self.variance,
            "width": self.wanted_width,
            "trials": self.trials,
            "seed": self.seed,
            "measures": [
                {
                    "id": measure.id,
                    "residual_variance": json_number(measure.variance),
                    "topics": measure.topics,
                    "detectable": json_number(measure.detectable),
                    "simulated_power": json_number(measure.simulated),
                    "resampled_power": json_number(measure.resampled),
                    "topics_now": measure.topics_now,
                    "runs_now": measure.runs_now,
                    "width_now": json_number(measure.width),
                    "topics_for_width": measure.topics_for_width,
                    "pair_variance": [json_number(end) for end in measure.pairs],
                }
                for measure in self.measures
            ],
            "notes": list(self.notes),
        }

    def columns(self) -> dict[str, list[Any]]:
        """The columns of the frame: a row for each measure."""
        rows: list[dict[str, Any]] = self.to_dict()["measures"]
        table = {name: [row[name] for row in rows] for name in rows[0] if name != "pair_variance"}
        low, high = ([row["pair_variance"][side] for row in rows] for side in (0, 1))
        return table | {"smallest_pair_variance": low, "largest_pair_variance": high}

    def to_frame(self, library: str | None = None) -> Any:
        """One row for each measure."""
        return frame_of(self.columns(), library)


def design(
    scores: AnyScores,
    measures: str | Sequence[str] | None = None,
    *,
    difference: float | None = None,
    runs: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    width: float | None = None,
    unpaired: bool = False,
    incomplete: Incomplete | None = None,
    baselines: bool = False,
    trials: int = 5000,
    seed: int = 0,
    registry: Registry | None = None,
) -> Design:
    """How many topics it takes to detect a difference, and which difference the present topics can detect, for each measure.

    ``difference`` is the smallest difference between two runs to be detected by a paired t test; with ``runs``, by an
    analysis of variance of so many runs, as the difference between the best and the worst. ``width`` is the full width that a
    confidence interval of a difference should have. ``unpaired`` takes the variance between topics too, for runs that are
    compared on different topics. ``baselines`` keeps the baselines among the runs, which are left out otherwise.
    """
    _check_call(difference, runs, width, power, alpha, trials)
    plan = Design((), difference, runs, power, alpha, width, "V_E1" if unpaired else "V_E2", trials, seed)
    matrices, notes = _matrices(scores, measures, registry or default_registry(), baselines=baselines)
    designs = []
    for matrix in matrices:
        whole, remarks = complete(matrix, incomplete)
        check_comparable(whole)
        notes += [f"{matrix.measure}: {note}" for note in remarks]
        designs.append(_designed(whole, plan))
    return replace(plan, measures=tuple(designs), notes=tuple(dict.fromkeys(notes)))


def _check_call(difference: float | None, runs: int | None, width: float | None, power: float, alpha: float, trials: int) -> None:
    """UsageError for arguments that make no sense."""
    for name, value in (("difference", difference), ("width", width)):
        if value is not None and not (value > 0 and math.isfinite(value)):
            raise UsageError(f"a {name} of {value}", hint="a number above 0, in the measure's own units, as in .05")
    if runs is not None and runs < 2:
        raise UsageError(counted(runs, "run"), hint="an analysis of variance compares two or more")
    if not 0 < alpha < power < 1:
        raise UsageError(f"power {power:g} at alpha {alpha:g}", hint="0 < alpha < power < 1, as in power .8, alpha .05")
    check_trials(trials)


def _matrices(
    scores: AnyScores, measures: str | Sequence[str] | None, registry: Registry, *, baselines: bool
) -> tuple[list[ScoreMatrix], list[str]]:
    """The scores of each measure that is asked for, or of all that score runs, without baselines unless those are kept; and a
    note on those left out."""
    data_sets = sources(scores)
    if len(data_sets) != 1:
        raise UsageError(f"there are {len(data_sets)} data sets", hint="name the scores of one test set")
    raw = Raw.of(*data_sets[0])
    names = [part.strip() for part in measures.split(",")] if isinstance(measures, str) else list(measures or ())
    unknown = [name for name in names if name not in raw.matrices]
    if unknown:
        near = did_you_mean(unknown[0], raw.matrices) or f"choose from {', '.join(raw.matrices)}"
        raise UsageError(f"there are no scores of '{unknown[0]}'", hint=near)
    known = {name: registry.find(name) for name in raw.matrices}
    chosen = names or [name for name, measure in known.items() if measure is None or measure.better is not None]
    if not chosen:
        raise DataError("there are no measures that score runs", hint="evaluate with some")
    unwanted = frozenset[str]() if baselines else raw.baselines
    without = list(dict.fromkeys(run for name in chosen for run in raw.matrices[name].runs if run in unwanted))
    notes = [left_out(without, by_name=raw.by_name)] if without else []
    return [_without(raw.matrices[name], unwanted, name) for name in chosen], notes


def _without(matrix: ScoreMatrix, baselines: frozenset[str], name: str) -> ScoreMatrix:
    kept = [place for place, run in enumerate(matrix.runs) if run not in baselines]
    return ScoreMatrix(name, matrix.topics, tuple(matrix.runs[place] for place in kept), matrix.values[:, kept])


def _designed(matrix: ScoreMatrix, plan: Design) -> MeasureDesign:
    values = matrix.values
    now = len(values)
    wanted = plan.difference
    width = plan.wanted_width
    variance = float((residual_variance if plan.variance == "V_E2" else pooled_variance)(values))
    power = t_test_power(variance, plan.alpha) if plan.runs is None else anova_power(variance, plan.runs, plan.alpha)
    needed = None if wanted is None else fewest_topics(lambda topics: power(topics, wanted) >= plan.power)
    detectable = detectable_difference(power, now, plan.power, variance)
    topics, gap = (now, detectable) if needed is None or wanted is None else (needed, wanted)
    options: dict[str, Any] = {"systems": plan.runs, "alpha": plan.alpha, "trials": plan.trials, "seed": plan.seed}
    return MeasureDesign(
        id=matrix.measure,
        variance=variance,
        topics_now=now,
        runs_now=values.shape[1],
        topics=needed,
        detectable=detectable,
        simulated=simulated_power(normal_residuals(variance), topics, gap, **options),
        resampled=simulated_power(_own_residuals(values, variance, plan), topics, gap, **options),
        width=interval_width(variance, now, plan.alpha),
        topics_for_width=None if width is None else fewest_topics(lambda n: interval_width(variance, n, plan.alpha) <= width),
        pairs=_pair_variances(values),
    )


def _own_residuals(values: Floats, variance: float, plan: Design) -> Residuals:
    """Residuals drawn from the scores at hand: a paired test sees the same topics for both runs."""
    paired = plan.variance == "V_E2"
    several = paired and plan.runs is not None
    left = values - values.mean(axis=1, keepdims=True) if several else values
    return resampled_residuals(left, variance, same_topics=paired and not several)


def _pair_variances(values: Floats) -> tuple[float, float]:
    """The smallest and the largest variance of two runs' differences over the mean of all pairs."""
    first, second = np.triu_indices(values.shape[1], 1)
    each = (values[:, first] - values[:, second]).var(axis=0, ddof=1)
    return float(each.min() / each.mean()), float(each.max() / each.mean())


def _table(plan: Design) -> Table:
    """A row for each measure: what a difference takes, and what the topics at hand can find."""
    wanted = plan.wanted_width
    columns: dict[str, Callable[[MeasureDesign], str]] = {
        "measure": lambda one: one.id,
        plan.variance: lambda one: f"{one.variance:.4g}",
        **({} if plan.difference is None else {f"topics for {plan.difference:g}": lambda one: _topics(one.topics)}),
        "simulated %": lambda one: percent(one.simulated),
        "on residuals %": lambda one: percent(one.resampled),
        "topics now": lambda one: str(one.topics_now),
        "finds now": lambda one: f"{one.detectable:.4f}",
        "interval now": lambda one: f"{one.width:.4f}",
        **({} if wanted is None else {f"topics for width {wanted:g}": lambda one: _topics(one.topics_for_width)}),
        "pairs of runs": lambda one: f"{one.pairs[0]:.2f} to {one.pairs[1]:.2f}",
    }
    rows = tuple(tuple(cell(one) for cell in columns.values()) for one in plan.measures)
    return Table(tuple(columns), rows, right=frozenset(columns) - {"measure"}, notes=_notes(plan))


def _topics(number: int | None) -> str:
    return "more than 10,000,000" if number is None else f"{number:,}"


def _notes(plan: Design) -> tuple[str, ...]:
    more = " Add --difference D for the topics that D takes." if plan.difference is None else ""
    departs = "by what factors the variance of two runs' difference departs from the mean of all pairs"
    return (
        f"For a {plan.how()}, alpha = {plan.alpha:g}, power {plan.power:.0%}.",
        f"Finds now: the smallest difference that these topics can detect.{more}",
        f"{plan.variance} is {VARIANCES[plan.variance]} of these scores.",
        "Simulated: the power in normal data of that variance; on residuals: in data drawn from these scores' own residuals.",
        "Interval now: the full width of a confidence interval of a difference.",
        f"Pairs of runs: {departs}. A pair of factor 2 needs twice as many topics.",
        *map(sentence, plan.notes),
        f"{plan.trials} simulated data sets, seed {plan.seed}.",
    )
