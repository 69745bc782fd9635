"""Is the difference real? Runs compared on one measure, over the topics that all of them have scores for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Better
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparison_table import comparison_chart, comparison_table
from metameasure.errors import DataError, UnknownName, UsageError, did_you_mean
from metameasure.formats.frames import is_frame
from metameasure.formats.scores import ScoreMatrix, frame_scores, matrix_of
from metameasure.presentable import Presentable, json_number, json_table
from metameasure.scores.baselines import PREFIX
from metameasure.scores.cube import Scores, frame_of
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.anova import effect_sizes, no_residual, residual_variance
from metameasure.statistics.groups import compact_letters
from metameasure.statistics.paired import Correction, bootstrap_means, bootstrap_test, permutation_test
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.tukey import classical_tukey_hsd, randomised_tukey_hsd

Floats = npt.NDArray[np.float64]
Test = Literal["tukey", "classical", "permutation", "bootstrap"]
Incomplete = Literal["drop-topics", "drop-runs"]
TESTS = {
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
_MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Comparison(Presentable):
    """Runs from best to worst by their means, with p-values and effect sizes for every two of them."""

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

    @property
    def significant(self) -> npt.NDArray[np.bool_]:
        """Which differences are significant: p under alpha, strictly."""
        found: npt.NDArray[np.bool_] = self.p < self.alpha
        return found

    def letters(self) -> list[str]:
        """Runs that share a letter do not differ significantly."""
        return compact_letters(self.significant)

    def beats(self) -> list[int]:
        """For each run the largest k such that each of the worst k runs is significantly worse."""
        return [count_beaten(row, place) for place, row in enumerate(self.significant)]

    def how(self) -> str:
        """The test in the words of a paper."""
        if self.test == "classical":
            return TESTS[self.test]
        corrected = "" if self.test == "tukey" else f", {CORRECTIONS[self.correction]}"
        return f"{TESTS[self.test]} with B = {self.trials} trials{corrected}"

    def sentences(self) -> list[str]:
        """A sentence for each claim that the numbers support, ready for a paper."""
        told = [self._claim(place) for place in range(len(self.runs)) if self.significant[place, place + 1 :].any()]
        top = [run for place, run in enumerate(self.runs) if not self.significant[0, place]]
        if not told:
            told = ["No difference is statistically significant."]
        elif len(top) > 1:
            told.append(f"The difference between {top[0]} and {listed(top[1:])} is not statistically significant.")
        return [*told, f"Significance: {self.how()}, alpha = {self.alpha:g}, {self.topics} {self.unit}."]

    def _claim(self, place: int) -> str:
        """What may be said of the run in that place from the top: the worst k, or by name those it beats."""
        beaten = [other for other in range(place + 1, len(self.runs)) if self.significant[place, other]]
        if len(beaten) == self.beats()[place]:
            worst = "the worst run" if len(beaten) == 1 else f"the worst {len(beaten)} runs"
            whom = "all other runs" if len(beaten) == len(self.runs) - 1 > 1 else worst
        else:
            whom = listed([self.runs[other] for other in beaten], "and")
        largest = _p_text(self.p[place, beaten].max(), self.trials, self.test)
        return f"{self.runs[place]} statistically significantly outperforms {whom} ({largest})."

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "better": self.better,
            "test": self.test,
            "correction": self.correction,
            "trials": self.trials,
            "seed": self.seed,
            "alpha": self.alpha,
            "topics": self.topics,
            "runs": list(self.runs),
            "means": [json_number(value) for value in self.means],
            "level": self.level,
            "low": [json_number(value) for value in self.low],
            "high": [json_number(value) for value in self.high],
            "p": json_table(self.p),
            "effect_size": json_table(self.effect_size),
            "residual_variance": json_number(self.residual_variance),
            "letters": self.letters(),
            "beats": self.beats(),
            "sentences": self.sentences(),
            "notes": list(self.notes),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        return [comparison_table(self)]

    def full_table(self) -> Table:
        return Table.of(self.pairs())

    def draw(self) -> Any:
        return comparison_chart(self)

    def to_frame(self, library: str | None = None) -> Any:
        """One row for each two runs: run_a, run_b, difference, p, effect_size."""
        return frame_of(self.pairs(), library)

    def pairs(self) -> dict[str, list[Any]]:
        """The columns of that frame; the better run of each two is run_a."""
        first, second = np.triu_indices(len(self.runs), 1)
        return {
            "run_a": [self.runs[i] for i in first],
            "run_b": [self.runs[j] for j in second],
            "difference": (self.means[first] - self.means[second]).tolist(),
            "p": self.p[first, second].tolist(),
            "effect_size": self.effect_size[first, second].tolist(),
        }


def count_beaten(significant: npt.NDArray[np.bool_], place: int) -> int:
    """The largest k such that each of the worst k is significantly worse than the one in that place from the top."""
    worse = significant[place + 1 :][::-1]
    return int(len(worse) if worse.all() else np.argmin(worse))


def _p_text(p: float, trials: int, test: str) -> str:
    smallest = 1 / (trials + (test != "tukey")) if test != "classical" else 1e-4
    return f"p < {smallest:.2g}" if p < smallest else f"p = {round_down(p):.2g}"


def round_down(p: float, digits: int = 2) -> float:
    """A p-value to so many significant digits, never rounded up: .0496 must not read as .05."""
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(p))) if p > 0 else 1.0
    return math.floor(p * scale + 1e-9) / scale


def listed(names: Sequence[str], joint: str = "or") -> str:
    """The first few names as a text, and how many more there are."""
    if len(names) > _MOST_NAMED:
        names = [*names[:_MOST_NAMED], f"{len(names) - _MOST_NAMED} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joint} {names[-1]}"


def compare(
    scores: Scores | ScoreMatrix | Any,
    measure: str | None = None,
    *,
    test: Test = "tukey",
    correction: Correction = "holm",
    trials: int = 5000,
    seed: int = 0,
    alpha: float = 0.05,
    level: float = 0.95,
    better: Better | None = None,
    incomplete: Incomplete | None = None,
    registry: Registry | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare runs on one measure: which differences between their means over topics are real?

    ``scores`` come from ``evaluate``, or are a matrix, or a data frame as ``Scores.to_frame`` gives it.
    """
    if not isinstance(scores, Scores | ScoreMatrix) and is_frame(scores):
        scores = matrix_of(frame_scores(scores), measure)
    _check_call(scores, test, correction, better, trials, alpha, level)
    matrix = _matrix_of(scores, measure)
    direction = direction_of(matrix.measure, better, registry or default_registry())
    whole, notes = complete(matrix, incomplete)
    if isinstance(scores, Scores):
        notes = (*scores.notes, *notes)
    _check(whole)
    sign = 1.0 if direction == "higher" else -1.0
    by_name = np.argsort(whole.runs, kind="stable")
    order = by_name[np.argsort(-sign * whole.values.mean(axis=0)[by_name], kind="stable")]
    values = whole.values[:, order]
    options: dict[str, Any] = {"trials": trials, "seed": seed, "threads": threads}
    match test:
        case "tukey":
            p = randomised_tukey_hsd(values, **options)
        case "classical":
            p = classical_tukey_hsd(values)
        case "permutation":
            p = permutation_test(values, correction=correction, **options)
        case "bootstrap":
            p = bootstrap_test(values, correction=correction, **options)
    low, high = percentile_interval(bootstrap_means(values, trials, seed, threads=threads), level)
    runs = tuple(whole.runs[place] for place in order)
    return Comparison(
        matrix.measure or "score",
        direction,
        test,
        correction if test in ("permutation", "bootstrap") else "none",
        trials,
        seed,
        alpha,
        len(values),
        runs,
        values.mean(axis=0),
        low,
        high,
        p,
        effect_sizes(values),
        float(residual_variance(values)),
        level,
        notes,
        f"{scores.topic_word}s" if isinstance(scores, Scores) else "topics",
    )


def _check_call(scores: object, test: str, correction: str, better: str | None, trials: int, alpha: float, level: float) -> None:
    """UsageError for arguments that make no sense."""
    if test not in TESTS:
        raise UsageError(f"there is no test '{test}'", hint=did_you_mean(test, TESTS) or f"choose one of {', '.join(TESTS)}")
    if better not in (None, "higher", "lower"):
        raise UsageError(f"better is '{better}'", hint="choose higher or lower")
    if correction not in CORRECTIONS:
        raise UsageError(f"there is no correction '{correction}'", hint=f"choose one of {', '.join(CORRECTIONS)}")
    if trials < 1:
        raise UsageError(f"{trials} trials", hint="at least one")
    if not isinstance(scores, Scores | ScoreMatrix):
        raise UsageError(f"cannot compare {type(scores).__name__}", hint="pass mm.evaluate(...) or mm.ScoreMatrix(...)")
    if not 0 < alpha < 1 or not 0 < level < 1:
        raise UsageError("alpha and level lie between 0 and 1", hint="as in alpha .05, level .95")


def _matrix_of(scores: Scores | ScoreMatrix, measure: str | None) -> ScoreMatrix:
    if isinstance(scores, ScoreMatrix):
        if measure and scores.measure and measure != scores.measure:
            raise UsageError(f"the scores are of {scores.measure}, not of {measure}", hint="name no measure, or the right one")
        kept = [place for place, run in enumerate(scores.runs) if not run.startswith(PREFIX)]
        runs = tuple(scores.runs[place] for place in kept)
        return ScoreMatrix(scores.measure or measure or "", scores.topics, runs, scores.values[:, kept])
    ids = [known.id for known in scores.measures]
    if measure is None and len(ids) == 1:
        measure = ids[0]
    if measure not in ids:
        what = f"there are no scores of '{measure}'" if measure else "there are scores of several measures"
        raise UsageError(what, hint=did_you_mean(measure or "", ids) or f"choose one of {', '.join(ids)}")
    row, own = ids.index(measure), scores.own
    runs = tuple(run for run, is_run in zip(scores.runs, own, strict=True) if is_run)
    return ScoreMatrix(measure, scores.topics, runs, scores.values[row][:, own])


def direction_of(measure: str, better: Better | None, registry: Registry) -> Better:
    """Which scores of a measure are better: what the registry knows, or what the caller says of a measure that is not in it."""
    try:
        known = registry[measure].better if measure else None
    except (UnknownName, UsageError):
        known = None
    if better is not None and known is not None and better != known:
        raise UsageError(f"of {measure}, {known} is better", hint="leave out --better")
    if better is None and known is None:
        raise UsageError(
            f"which scores of '{measure or 'this matrix'}' are better?", hint="say --better higher or --better lower"
        )
    direction = better or known
    assert direction is not None  # noqa: S101 - one of them is
    return direction


def complete(matrix: ScoreMatrix, incomplete: Incomplete | None) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """A matrix without holes: DataError that names the holes, or topics or runs with holes left out and said."""
    holes = np.isnan(matrix.values)
    if not holes.any():
        return matrix, ()
    never = np.all(holes, axis=0)
    if incomplete == "drop-topics" and never.any() and not never.all():
        # A run without any score stays out, or it would take every topic with it.
        left = ScoreMatrix(matrix.measure, matrix.topics, _kept(matrix.runs, ~never), matrix.values[:, ~never])
        rest, notes = complete(left, incomplete)
        return rest, (f"run(s) without any score left out: {listed(_kept(matrix.runs, never), 'and')}", *notes)
    topics = [topic for topic, row in zip(matrix.topics, holes, strict=True) if row.any()]
    runs = [run for run, column in zip(matrix.runs, holes.T, strict=True) if column.any()]
    match incomplete:
        case None:
            some = [f"'{matrix.runs[run]}' on '{matrix.topics[topic]}'" for topic, run in np.argwhere(holes)[:_MOST_NAMED]]
            more = ", ..." if holes.sum() > len(some) else ""
            where = f"{len(runs)} run(s), {len(topics)} topic(s)"
            raise DataError(
                f"{holes.sum()} score(s) are missing or undefined ({where}): {', '.join(some)}{more}",
                hint="choose --incomplete drop-topics or drop-runs",
            )
        case "drop-topics":
            kept = ~np.any(holes, axis=1)
            left = ScoreMatrix(matrix.measure, _kept(matrix.topics, kept), matrix.runs, matrix.values[kept])
            return left, (f"{len(topics)} topic(s) with missing scores left out: {listed(topics, 'and')}",)
        case "drop-runs":
            kept = ~np.any(holes, axis=0)
            left = ScoreMatrix(matrix.measure, matrix.topics, _kept(matrix.runs, kept), matrix.values[:, kept])
            return left, (f"{len(runs)} run(s) with missing scores left out: {listed(runs, 'and')}",)
        case _:
            raise UsageError(f"there is no policy '{incomplete}'", hint="choose drop-topics or drop-runs")


def _kept(names: Sequence[str], kept: Any) -> tuple[str, ...]:
    return tuple(name for name, keep in zip(names, kept, strict=True) if keep)


def _check(matrix: ScoreMatrix) -> None:
    """What no test can work on: too few runs or topics, one name for two runs, scores that do not vary."""
    topics, runs = matrix.values.shape
    if runs < 2 or topics < 2:
        raise DataError(
            f"{runs} run(s) and {topics} topic(s) with complete scores",
            hint="a comparison needs at least two of each (--partitions makes topics)",
        )
    repeated = sorted({run for run in matrix.runs if matrix.runs.count(run) > 1})
    if repeated:
        raise DataError(f"two runs are called '{repeated[0]}'", hint="give each run a name of its own")
    if not np.all(np.isfinite(matrix.values)):
        raise DataError("a score is infinite", hint="leave out the run or the topic")
    if no_residual(matrix.values):
        raise DataError(
            "the runs differ by the same on every topic (constant columns), so there is no variation to judge a difference by",
            hint="check the scores: are they means already?",
        )
