"""The scores of one measure that are compared: which of them, which direction is better, and how holes are treated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from metameasure.catalogue.registry import Registry
from metameasure.core.choices import Better, Incomplete
from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import counted, listed
from metameasure.core.signature import Signature, digest_of_text
from metameasure.evidence.base import digest_of
from metameasure.scores.files import ScoreMatrix
from metameasure.scores.run_names import baselines_of, left_out, run_named
from metameasure.scores.scores import Scores
from metameasure.statistics.anova import no_residual

_MOST_NAMED = 5


def matrix_of_measure(
    scores: Scores | ScoreMatrix, measure: str | None, named: str | None = None, *, baselines: bool = False
) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """The scores of the runs by a measure, without those of baselines but the one that is named, unless ``baselines`` keeps them;
    and a note on those left out."""
    chosen = None if named is None else run_named(named, scores.runs)
    known = frozenset[str]() if baselines else baselines_of(scores.runs, scores.baselines)
    without = [run for run in scores.runs if run in known and run != chosen]
    kept = [place for place, run in enumerate(scores.runs) if run not in without]
    runs = tuple(scores.runs[place] for place in kept)
    notes = (left_out(without, by_name=scores.baselines is None),) if without else ()
    if isinstance(scores, ScoreMatrix):
        if measure and scores.measure and measure != scores.measure:
            raise UsageError(
                f"the scores are of {scores.measure}, not of {measure}", hint=f"leave out the measure, or name {scores.measure}"
            )
        return ScoreMatrix(scores.measure or measure or "", scores.topics, runs, scores.values[:, kept]), notes
    ids = [known.id for known in scores.measures]
    if measure is None and len(ids) == 1:
        measure = ids[0]
    if measure not in ids:
        what = f"there are no scores of '{measure}'" if measure else "there are scores of several measures"
        raise UsageError(what, hint=did_you_mean(measure or "", ids) or f"choose one of {', '.join(ids)}")
    return ScoreMatrix(measure, scores.topics, runs, scores.values[ids.index(measure)][:, kept]), notes


def made_of_scores(scores: Any) -> Signature:
    """How scores were made, as far as they say it: those of an evaluation do, of others there is a digest of each run."""
    if isinstance(scores, Scores):
        return scores.made.having(command=None)
    matrices = [scores] if isinstance(scores, ScoreMatrix) else list(scores)
    runs: dict[str, list[str]] = {}
    for matrix in sorted(matrices, key=lambda one: one.measure):
        order = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
        facts = json.dumps([matrix.measure, [matrix.topics[place] for place in order]])
        for place, run in enumerate(matrix.runs):
            values = matrix.values[order, place] + 0.0
            runs.setdefault(run, []).append(digest_of([np.where(np.isnan(values), np.nan, values)], after=facts))
    topics = len({topic for matrix in matrices for topic in matrix.topics})
    return Signature(topics=topics, runs={run: digest_of_text("".join(runs[run])) for run in sorted(runs)}).signed()


def without_runs(matrix: ScoreMatrix, names: Sequence[str]) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """The scores of the other runs, and a note on those left out. UsageError for a run that is not there."""
    places = {place_of(name, matrix.runs) for name in names}
    if not places:
        return matrix, ()
    kept = [place for place in range(len(matrix.runs)) if place not in places]
    runs = tuple(matrix.runs[place] for place in kept)
    said = note(
        "runs left out", "left out, as asked: {names}", names=listed([matrix.runs[place] for place in sorted(places)], "and")
    )
    return replace(matrix, runs=runs, values=matrix.values[:, kept]), (said,)


def direction_of(measure: str, better: Better | None, registry: Registry) -> Better:
    """Which scores of a measure are better: what the registry knows, or what the caller says of a measure that is not in it."""
    entry = registry.find(measure)
    known = entry.better if entry else None
    if better is not None and known is not None and better != known:
        raise UsageError(f"{known} scores of {measure} are better", hint=say("leave out {--better}"))
    direction = better or known
    if direction is None:
        raise UsageError(
            f"which scores of '{measure or 'this matrix'}' are better?", hint=say("say {--better higher} or {--better lower}")
        )
    return direction


def complete(matrix: ScoreMatrix, incomplete: Incomplete | None) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """A matrix without holes, and notes on the topics or runs left out. Without a choice, DataError names the holes."""
    holes = np.isnan(matrix.values)
    if not holes.any():
        return matrix, ()
    never = np.all(holes, axis=0)
    if incomplete == "drop-topics" and never.any() and not never.all():
        # A run without any score stays out, or it would take every topic with it.
        left = ScoreMatrix(matrix.measure, matrix.topics, tuple(compress(matrix.runs, ~never)), matrix.values[:, ~never])
        rest, notes = complete(left, incomplete)
        return rest, (
            warn(
                "runs without scores",
                "left out because they have no scores: {names}",
                names=listed([*compress(matrix.runs, never)], "and"),
            ),
            *notes,
        )
    topics = [*compress(matrix.topics, np.any(holes, axis=1))]
    runs = [*compress(matrix.runs, np.any(holes, axis=0))]
    match incomplete:
        case None:
            some = [f"'{matrix.runs[run]}' on '{matrix.topics[topic]}'" for topic, run in np.argwhere(holes)[:_MOST_NAMED]]
            more = ", ..." if holes.sum() > len(some) else ""
            where = f"{counted(len(runs), 'run')}, {counted(len(topics), 'topic')}"
            raise DataError(
                f"{counted(int(holes.sum()), 'missing or undefined score')} ({where}): {', '.join(some)}{more}",
                hint=say("choose {--incomplete drop-topics} or drop-runs"),
            )
        case "drop-topics":
            kept = ~np.any(holes, axis=1)
            left = ScoreMatrix(matrix.measure, tuple(compress(matrix.topics, kept)), matrix.runs, matrix.values[kept])
            return left, (
                warn(
                    "incomplete scores",
                    "{topics} with missing scores left out: {names}",
                    topics=counted(len(topics), "topic"),
                    names=listed(topics, "and"),
                ),
            )
        case "drop-runs":
            kept = ~np.any(holes, axis=0)
            left = ScoreMatrix(matrix.measure, matrix.topics, tuple(compress(matrix.runs, kept)), matrix.values[:, kept])
            return left, (
                warn(
                    "incomplete scores",
                    "{runs} with missing scores left out: {names}",
                    runs=counted(len(runs), "run"),
                    names=listed(runs, "and"),
                ),
            )
        case _:
            raise UsageError(f"there is no policy '{incomplete}'", hint="choose drop-topics or drop-runs")


def check_comparable(matrix: ScoreMatrix) -> None:
    """DataError where no test is possible: too few runs or topics, one name for two runs, scores that do not vary."""
    topics, runs = matrix.values.shape
    if runs < 2 or topics < 2:
        raise DataError(
            f"{counted(runs, 'run')} and {counted(topics, 'topic')} with complete scores",
            hint=say("a comparison needs at least two of each ({--partitions} makes topics)"),
        )
    repeated = sorted({run for run in matrix.runs if matrix.runs.count(run) > 1})
    if repeated:
        raise DataError(f"two runs are called '{repeated[0]}'", hint="give each run a name of its own")
    if not np.all(np.isfinite(matrix.values)):
        raise DataError("a score is infinite", hint="leave out the run or the topic")
    if no_residual(matrix.values):
        raise DataError(
            "the runs differ by the same amount on every topic (constant columns), so their differences cannot be tested",
            hint="check whether the scores are means already",
        )


def by_name(matrix: ScoreMatrix) -> ScoreMatrix:
    """Topics and runs in the order of their names, so that nothing drawn depends on the order of rows in a file."""
    topics, runs = (sorted(range(len(names)), key=names.__getitem__) for names in (matrix.topics, matrix.runs))
    return ScoreMatrix(
        matrix.measure,
        tuple(matrix.topics[place] for place in topics),
        tuple(matrix.runs[place] for place in runs),
        matrix.values[np.ix_(topics, runs)],
    )


def place_of(run: str, runs: Sequence[str]) -> int:
    named = run_named(run, runs)
    if named is None:
        raise UsageError(f"there is no run '{run}'", hint=did_you_mean(run, runs) or f"the runs are {listed(runs, 'and')}")
    return runs.index(named)
