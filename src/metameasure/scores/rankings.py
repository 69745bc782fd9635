"""Rankings scored: segments of like length together, measures that share evidence in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure, score_together
from metameasure.catalogue.ranking.pairwise_accuracy import TieCalibration, calibrate_over, chance_accuracy
from metameasure.catalogue.registry import default_registry
from metameasure.errors import DataError
from metameasure.evidence.rankings import Rankings
from metameasure.scores.cube import Average, Scores
from metameasure.scores.scored import signature, undefined_notes, without

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoredRankings:
    """Scores (measures, segments, runs), micro averages (measures, runs; NaN where a measure has none), the five pair counts of
    each segment and run, and where ties were calibrated each run's and what chance then gives."""

    values: Floats
    micro: Floats
    pairs: Floats
    calibrated: tuple[TieCalibration, ...]
    chance: tuple[float, ...]
    reasons: tuple[Mapping[str, int], ...]


def score_rankings(
    evidence: Rankings,
    measures: Sequence[Measure],
    used: Mapping[Measure, Measure],
    *,
    average: Average,
    drawn_with: int | None,
) -> tuple[Scores, ScoredRankings]:
    """The cube of scores and what it was made of. ``used`` are the measures with the settings that the task gives them."""
    found = score_segments(evidence, [used[measure] for measure in measures])
    notes = [*evidence.notes]
    for row, measure in enumerate(measures):
        notes += undefined_notes(measure, found.values[row], evidence, found.reasons[row])
        if average == "pooled" and not (measure.evidence and measure.evidence.adds):
            notes.append(f"{measure.id} has no micro average; its mean over segments is there with --average topics")
    cube = Scores(
        evidence.task,
        None,
        tuple(measures),
        evidence.topics,
        evidence.runs,
        found.values,
        found.micro,
        signature(evidence, measures, None, average, drawn_with),
        average,
        notes=tuple(notes),
        without=without(evidence, measures),
        topic_word=evidence.topic_word,
        micro=evidence.micro,
    )
    return cube, found


def score_segments(evidence: Rankings, measures: Sequence[Measure]) -> ScoredRankings:
    """All segments by all measures. A pairwise accuracy without an ε of its own is calibrated for each run."""
    values = np.full((len(measures), len(evidence.topics), len(evidence.runs)), np.nan)
    micro = np.full((len(measures), len(evidence.runs)), np.nan)
    chance = np.full(len(evidence.runs), np.nan)
    reasons: list[dict[str, int]] = [{} for _ in measures]
    groups: dict[str, list[int]] = {}
    free = [number for number, measure in enumerate(measures) if is_free(measure)]
    calibrated = tuple(calibrate_run(evidence, run) for run in range(len(evidence.runs))) if free else ()
    for number, measure in enumerate(measures):
        if number in free:
            for run, ties in enumerate(calibrated):
                scored = _one_run(evidence, _tied(measure, ties), run, reasons[number])
                values[number, :, run], micro[number, run], chance[run] = scored
        elif not evidence.lacking(measure.reads):
            groups.setdefault(measure.reads, []).append(number)
    for positions, cells, inside in evidence.blocks():
        for reads, numbers in groups.items():
            arrays = evidence.arrays(reads, cells, inside)
            nothing = _nothing_found(reads, arrays)
            for number, scored in zip(numbers, score_together([measures[n] for n in numbers], *arrays), strict=True):
                found = np.where(nothing, 0.0, scored)
                values[number][positions] = found.T
                _explain(measures[number], arrays, found, reasons[number])
    for number, of_all in _micro_averages(evidence, measures, [number for numbers in groups.values() for number in numbers]):
        micro[number] = of_all
    pairs = segment_evidence(evidence, default_registry()["tau@wmt12"])
    return ScoredRankings(values, micro, pairs, calibrated, tuple(chance.tolist()), tuple(reasons))


def _nothing_found(reads: str, arrays: tuple[Floats, Floats]) -> Any:
    """Where a run ranks none of what was graded although some is relevant: it gains nothing, which is 0, not undefined."""
    if reads != "ranks@grades":
        return False
    predicted, grades = arrays
    return np.isnan(predicted).all(axis=-1) & (np.nan_to_num(grades).max(axis=-1) > 0)


def _micro_averages(evidence: Rankings, measures: Sequence[Measure], numbers: Iterable[int]) -> Iterator[tuple[int, Floats]]:
    """Of those measures that have one; what they share is summed once."""
    sums: dict[Any, Floats] = {}
    for number in numbers:
        measure = measures[number]
        if measure.evidence is not None and measure.evidence.adds:
            key = (measure.reads, measure.evidence, measure.argument)
            if key not in sums:
                sums[key] = segment_evidence(evidence, measure).sum(axis=0)
            yield number, np.asarray(measure.of_evidence(sums[key]), dtype=float)


def _explain(measure: Measure, arrays: tuple[Floats, Floats], scored: Any, reasons: dict[str, int]) -> None:
    if np.isnan(scored).any():
        for reason, holds in measure.why_undefined(*arrays).items():
            reasons[reason] = reasons.get(reason, 0) + int(np.sum(holds))


def calibrate_run(evidence: Rankings, run: int) -> TieCalibration:
    """The ε that suits a run's scores best, over all segments."""
    parts = (evidence.arrays("ranks@scores", cells, inside) for _, cells, inside in evidence.blocks())
    return calibrate_over((predicted[run], gold) for predicted, gold in parts)


def _one_run(evidence: Rankings, measure: Measure, run: int, reasons: dict[str, int]) -> tuple[Floats, float, float]:
    """A run's scores on each segment, its micro average, and the mean of what chance gives with as many ties."""
    values, chance, total = np.full(len(evidence.topics), np.nan), np.full(len(evidence.topics), np.nan), np.zeros(5)
    for positions, cells, inside in evidence.blocks():
        predicted, gold = evidence.arrays(measure.reads, cells, inside)
        pairs = np.nan_to_num(np.asarray(measure.evidence_of(predicted[run], gold)))
        values[positions], chance[positions] = measure(predicted[run], gold), chance_accuracy(pairs)
        _explain(measure, (predicted[run], gold), values[positions], reasons)
        total += pairs.sum(axis=0)
    defined = chance[~np.isnan(chance)]
    return values, float(measure.of_evidence(total)), float(defined.mean()) if len(defined) else np.nan


def segment_evidence(evidence: Rankings, measure: Measure) -> Floats:
    """What adds, of each segment and run (segments, runs, counts). Ties are calibrated for each run as when it is scored."""
    lacking = evidence.lacking(measure.reads)
    if lacking:
        raise DataError(f"there is no {measure.id}: {next(iter(lacking.values()))}", hint="choose another measure")
    names = measure.evidence.names if measure.evidence else ()
    found = np.zeros((len(evidence.topics), len(evidence.runs), len(names)))
    for runs, tied in _calibrated(evidence, measure):
        for positions, cells, inside in evidence.blocks():
            predicted, gold = evidence.arrays(measure.reads, cells, inside)
            found[positions, runs] = np.nan_to_num(np.asarray(tied.evidence_of(predicted[runs], gold))).swapaxes(0, 1)
    return found


def _calibrated(evidence: Rankings, measure: Measure) -> Iterator[tuple[slice, Measure]]:
    """The measure as it is used on which runs: on each with an ε of its own if it has none, and otherwise on all alike."""
    if not is_free(measure):
        yield slice(None), measure
        return
    for run in range(len(evidence.runs)):
        yield slice(run, run + 1), _tied(measure, calibrate_run(evidence, run))


def is_free(measure: Measure) -> bool:
    """Whether ties are to be calibrated."""
    return measure.reads == "ranks@scores" and measure.argument is None


def _tied(measure: Measure, ties: TieCalibration) -> Measure:
    return measure.at(f"epsilon={ties.epsilon!r}")


def padded(evidence: Rankings, reads: str, run: int) -> tuple[Floats, Floats]:
    """All segments of a run in one array (segments, n), NaN behind the ends."""
    width = int(evidence.sizes.max())
    arrays = np.full((2, len(evidence.topics), width), np.nan)
    for positions, cells, inside in evidence.blocks():
        predicted, gold = evidence.arrays(reads, cells[:, :width], inside[:, :width])  # a block may be wider than all segments
        arrays[0, positions, : gold.shape[-1]], arrays[1, positions, : gold.shape[-1]] = predicted[run], gold
    return arrays[0], arrays[1]


def micro_statistic(measure: Measure) -> Callable[[Floats], Floats]:
    """A measure of sums of what adds."""
    return lambda evidence: np.asarray(measure.of_evidence(evidence), dtype=float)
