"""Rankings scored: segments of like length together, measures that share evidence in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure, score_together
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.ranking.pairwise_accuracy import TieCalibration, calibrate_over, chance_accuracy
from metameasure.catalogue.registry import default_registry
from metameasure.core.choices import Average
from metameasure.core.errors import DataError
from metameasure.core.messages import about, say
from metameasure.evidence.rankings import Rankings
from metameasure.scores.of_evidence import made_of, scores_of
from metameasure.scores.scores import Scores
from metameasure.scores.undefined import undefined_facts
from metameasure.statistics.arrays import Floats
from metameasure.statistics.work import in_steps

_UNANSWERED = "the run ranks no item there"


@dataclass(frozen=True, eq=False)
class ScoredRankings:
    """Scores (measures, segments, runs), micro averages (measures, runs; NaN where a measure has none), the five pair counts of
    each segment and run (None where no measure is made of pairs and gold has grades), and where ties were calibrated each run's
    and what chance then gives."""

    values: Floats
    micro: Floats
    pairs: Floats | None
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
    """The scores of every measure, segment and run, and what they were made of. ``used`` are the measures with the settings that
    the task gives them."""
    scored = score_segments(evidence, [used[measure] for measure in measures])
    notes = [*evidence.notes]
    for row, measure in enumerate(measures):
        if measure.of_all and not np.isnan(scored.micro[row]).any():
            continue
        facts = undefined_facts(measure, scored.values[row], evidence, scored.reasons[row])
        notes += [about(fact, measure=measure.id) for fact in facts]
        if average == "pooled" and not (measure.evidence and measure.evidence.adds):
            notes.append(
                say("{measure} has no micro average; its mean over segments is there with {--average topics}", measure=measure.id)
            )
    made = made_of(evidence, measures, None, average, drawn_with)
    scores = scores_of(evidence, measures, scored.values, scored.micro, made, average, notes)
    return replace(scores, own_topics=evidence.as_trec_eval), scored


def score_segments(evidence: Rankings, measures: Sequence[Measure]) -> ScoredRankings:
    """All segments by all measures. A pairwise accuracy without an ε of its own is calibrated for each run."""
    values = np.full((len(measures), len(evidence.topics), len(evidence.runs)), np.nan)
    micro = np.full((len(measures), len(evidence.runs)), np.nan)
    reasons: list[dict[str, int]] = [{} for _ in measures]
    groups: dict[tuple[str, bool], list[int]] = {}
    for number, measure in enumerate(measures):
        if evidence.lacking(measure.reads):
            continue
        if measure.of_all:
            arrays = evidence.by_system()
            micro[number] = np.asarray(measure(*arrays), dtype=float)
            _explain(measure, arrays, micro[number], reasons[number])
            continue
        if measure.evidence is None or not measure.evidence.adds:
            groups.setdefault((measure.reads, says_ties(measure)), []).append(number)
            continue
        for runs, tied in _calibrated(evidence, measure):
            counts = segment_evidence(evidence, tied)[:, runs]
            values[number][:, runs] = tied.of_evidence(counts)
            micro[number, runs] = tied.of_evidence(np.nan_to_num(counts).sum(axis=0))
            _explain_counted(evidence, tied, runs, values[number][:, runs], reasons[number])
    for positions, cells, inside in _with_a_bar(evidence):
        for (reads, with_ties), numbers in groups.items():
            arrays = evidence.arrays(reads, cells, inside, with_ties=with_ties)
            nothing = _nothing_found(reads, arrays)
            for number, scored in zip(numbers, score_together([measures[n] for n in numbers], *arrays), strict=True):
                none = _of_nothing(measures[number])
                scores = (
                    _as_trec_eval(arrays[0], scored, none)
                    if evidence.as_trec_eval
                    else np.where(nothing & np.isnan(scored), none, scored)
                )
                values[number][positions] = scores.T
                if evidence.as_trec_eval:
                    reasons[number][_UNANSWERED] = reasons[number].get(_UNANSWERED, 0) + int(np.isnan(scores).sum())
                else:
                    _explain(measures[number], arrays, scores, reasons[number])
    free = [measure for measure in measures if is_free(measure)]
    calibrated = tuple(calibrate_run(evidence, run) for run in range(len(evidence.runs))) if free else ()
    chance = [_chance(evidence, free[0], ties, run) for run, ties in enumerate(calibrated)]
    made_of_pairs = not evidence.graded or any(measure.evidence and measure.evidence.adds for measure in measures)
    pairs = pair_counts(evidence) if made_of_pairs else None
    return ScoredRankings(values, micro, pairs, calibrated, tuple(chance), tuple(reasons))


def _with_a_bar(evidence: Rankings) -> Iterator[tuple[Any, Any, Any]]:
    """Blocks of segments, with a bar of progress where they take long."""
    return in_steps(evidence.blocks(), len(evidence.topics), f"{evidence.topic_word}s", lambda block: len(block[0]))


def _chance(evidence: Rankings, measure: Measure, ties: TieCalibration, run: int) -> float:
    """The mean of what chance gives, with as many ties."""
    tied = measure.with_options(epsilon=ties.epsilon)
    expected = chance_accuracy(np.nan_to_num(segment_evidence(evidence, tied)[:, run]))
    defined = expected[~np.isnan(expected)]
    return float(defined.mean()) if len(defined) else np.nan


def _of_nothing(measure: Measure) -> float:
    """What a list without a relevant document scores: 0, or the logarithm that stands for it."""
    return measure.known_range(None)[0] if measure.of_logs else 0.0


def _as_trec_eval(predicted: Floats, scored: Any, none: float) -> Floats:
    """0 where nothing is relevant; no score where a run has no document of the topic."""
    answered = np.isfinite(predicted).any(axis=-1)
    return np.where(answered, np.where(np.isnan(scored), none, scored), np.nan)


def _nothing_found(reads: str, arrays: tuple[Floats, Floats]) -> Any:
    """Where a run ranks none of what was graded although some is relevant: it gains nothing, which is 0, not undefined."""
    if reads not in ("ranks@grades", "ranks@judgements"):
        return False
    predicted, grades = arrays
    return np.isnan(predicted).all(axis=-1) & (np.nan_to_num(grades).max(axis=-1) > 0)


def _explain(measure: Measure, arrays: tuple[Floats, Floats], scored: Any, reasons: dict[str, int]) -> None:
    """Adds how many cases are undefined for each reason; asked only about those that are."""
    undefined = np.isnan(scored)
    if undefined.any():
        gold = np.broadcast_to(arrays[1], (*undefined.shape, *arrays[1].shape[-measure.reads.case_axes :]))
        for reason, holds in measure.why_undefined(arrays[0][undefined], gold[undefined]).items():
            reasons[reason] = reasons.get(reason, 0) + int(np.sum(holds))


def _explain_counted(evidence: Rankings, measure: Measure, runs: slice, scored: Floats, reasons: dict[str, int]) -> None:
    if np.isnan(scored).any():
        for positions, cells, inside in evidence.blocks():
            predicted, gold = evidence.arrays(measure.reads, cells, inside, runs)
            _explain(measure, (predicted, gold), scored[positions].T, reasons)


def calibrate_run(evidence: Rankings, run: int) -> TieCalibration:
    """The ε that suits a run's scores best, over all segments."""
    if ("ties", run) not in evidence.memory:
        own = slice(run, run + 1)
        parts = (evidence.arrays("ranks@scores", cells, inside, own) for _, cells, inside in evidence.blocks())
        evidence.memory["ties", run] = calibrate_over((predicted[0], gold) for predicted, gold in parts)
    calibration: TieCalibration = evidence.memory["ties", run]
    return calibration


def segment_evidence(evidence: Rankings, measure: Measure) -> Floats:
    """What adds, of each segment and run (segments, runs, counts), counted once; NaN where a segment cannot be scored. Ties are
    calibrated for each run as when it is scored."""
    key = (measure.reads, measure.evidence, measure.argument)
    if key not in evidence.memory:
        evidence.memory[key] = _counted(evidence, measure)
    counts: Floats = evidence.memory[key]
    return counts


def pair_counts(evidence: Rankings) -> Floats:
    """(segments, runs, 5): how many pairs are concordant, discordant, tied by the human only, by the run only, and by both."""
    return np.nan_to_num(segment_evidence(evidence, default_registry()["tau@wmt12"]))


def _counted(evidence: Rankings, measure: Measure) -> Floats:
    lacking = evidence.lacking(measure.reads)
    if lacking:
        raise DataError(
            say("there is no {measure}: {why}", measure=measure.id, why=next(iter(lacking.values()))),
            hint="choose another measure",
        )
    names = measure.evidence.names if measure.evidence else ()
    counts = np.zeros((len(evidence.topics), len(evidence.runs), len(names)))
    for runs, tied in _calibrated(evidence, measure):
        for positions, cells, inside in _with_a_bar(evidence):
            predicted, gold = evidence.arrays(measure.reads, cells, inside, runs)
            counts[positions, runs] = np.asarray(tied.evidence_of(predicted, gold)).swapaxes(0, 1)
    return counts


def _calibrated(evidence: Rankings, measure: Measure) -> Iterator[tuple[slice, Measure]]:
    """The measure as it is used on which runs: on each with an ε of its own if it has none, and otherwise on all alike."""
    if not is_free(measure):
        yield slice(None), measure
        return
    for run in range(len(evidence.runs)):
        yield slice(run, run + 1), measure.with_options(epsilon=calibrate_run(evidence, run).epsilon)


def is_free(measure: Measure) -> bool:
    """Whether ties are to be calibrated."""
    return measure.reads == "ranks@scores" and measure.argument is None


def says_ties(measure: Measure) -> bool:
    """Whether it says itself how ties are read, so that no program's way to break them comes before."""
    return isinstance(measure.parameter, Options) and "ties" in dict(measure.argument or ())


def padded(evidence: Rankings, measure: Measure, run: int) -> tuple[Floats, Floats]:
    """All segments of a run in one array (segments, n) as the measure reads them, NaN behind the ends."""
    width = int(evidence.sizes.max())
    arrays = np.full((2, len(evidence.topics), width), np.nan)
    for positions, cells, inside in evidence.blocks():
        # A block may be wider than all segments.
        part = cells[:, :width], inside[:, :width]
        predicted, gold = evidence.arrays(measure.reads, *part, with_ties=says_ties(measure))
        arrays[0, positions, : gold.shape[-1]], arrays[1, positions, : gold.shape[-1]] = predicted[run], gold
    return arrays[0], arrays[1]


@dataclass(frozen=True, eq=False)
class Sums:
    """Counts (topics, runs, ...) that add up over topics, and a measure of their sums (..., counts)."""

    counts: Floats
    statistic: Callable[[Floats], Floats]


def micro_statistic(measure: Measure) -> Callable[[Floats], Floats]:
    """A measure of sums of what adds."""
    return lambda evidence: np.asarray(measure.of_evidence(evidence), dtype=float)
