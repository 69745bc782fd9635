"""What stands beside the scores of rankings: pair counts, ties, chance, agreement of judges, system level, tests."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.ranking import rankeval
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import MetameasureWarning, UsageError
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import in_a_row
from metameasure.core.numbers import json_number
from metameasure.evidence.judges import AgreedPairs, judge_agreement
from metameasure.evidence.rankings import Rankings
from metameasure.scores.scores import Remark, Scores
from metameasure.scores.segments import ScoredRankings, is_free, padded
from metameasure.statistics.arrays import Floats
from metameasure.statistics.segment_tests import soft_pairwise_accuracy, superiority, within_segment_test
from metameasure.tasks.ranking import Options

_INVALID = (
    "RankEval's p is not a valid test (pairs are not independent, and segments' p-values are multiplied): of data without any "
    "association about {error:.0%} come out significant; use {--chance-test} and compare instead"
)
_ERROR_OF_RANKEVAL = 0.3
_NOT_COPIED = (
    "under the keys of RankEval, shares of ties are of all pairs and of all segments, and tau_avg_seg is the mean over all "
    "segments; the program divides by the numbers of its last segment, and leaves out segments whose tau is 0"
)
PAIR_KEYS = ("concordant", "discordant", "tied_human", "tied_predicted", "tied_both")


def remarks(
    evidence: Rankings, scored: ScoredRankings, scores: Scores, used: Mapping[Measure, Measure], options: Options
) -> tuple[list[Remark], list[str], dict[str, Any]]:
    """All that there is to say: remarks on runs, notes, and facts for the JSON."""
    run_remarks = _pair_remarks(scored) + _tau_remarks(scores)
    notes: list[str] = []
    facts: dict[str, Any] = {}
    if scored.calibrated:
        run_remarks += _calibration_remarks(scored)
        notes.append(
            "ε: predictions that differ by no more are tied; of {0} and all observed differences the smallest that does best, "
            "for each run its own"
        )
    if any(judge is not None for judge in evidence.judges):
        facts["agreement"], said = _agreement(evidence)
        notes += said
    run_remarks += [] if any(measure.base == "spa" for measure in scores.measures) else _system_level(evidence, options.seed)
    if options.chance_test:
        run_remarks += _chance_tests(evidence, scores, used, options)
    if options.compat == "rankeval":
        run_remarks += [*_invalid_p(scored), *_as_rankeval(scored, scores, used)]
        invalid = warn("invalid test", _INVALID, error=_ERROR_OF_RANKEVAL)
        notes += [invalid, note("reading of RankEval", _NOT_COPIED)]
        warnings.warn(invalid, MetameasureWarning, stacklevel=2)
    return run_remarks, notes, facts


def _pair_remarks(scored: ScoredRankings) -> list[Remark]:
    if scored.pairs is None:
        return []
    totals = scored.pairs.sum(axis=0)
    facts = tuple(dict(zip(PAIR_KEYS, (int(count) for count in row), strict=True)) for row in totals)
    columns = [
        Remark(title, "", tuple(f"{int(count)}" for count in totals[:, place]))
        for place, title in enumerate(("C", "D", "T human", "T run", "T both"))
    ]
    return [*columns, Remark("", "pairs", (), facts)]


def _tau_remarks(scores: Scores) -> list[Remark]:
    """On how many segments the first tau is exactly 0: they count, whoever leaves them out."""
    row = next((row for row, measure in enumerate(scores.measures) if measure.base == "tau"), None)
    if row is None:
        return []
    zero = (scores.values[row] == 0).sum(axis=0)
    return [Remark(f"{scores.measures[row].id} = 0", "zero_segments", tuple(map(str, zero)), tuple(int(count) for count in zero))]


def _calibration_remarks(scored: ScoredRankings) -> list[Remark]:
    return [
        Remark(
            "ε",
            "tie_epsilon",
            tuple(say("{epsilon:.4g}", epsilon=ties.epsilon) for ties in scored.calibrated),
            tuple(ties.epsilon for ties in scored.calibrated),
        ),
        _numbers("chance of acc_eq", "chance_accuracy", scored.chance),
    ]


def _agreement(evidence: Rankings) -> tuple[dict[str, Any], list[str]]:
    """Of the human side, as organisers publish it."""
    agreement = judge_agreement(evidence)
    facts: dict[str, Any] = {"judges": len(agreement.judges), "judgements": agreement.judgements}
    said = []
    for name, words in (("inter", "between judges"), ("intra", "of judges with themselves")):
        one: AgreedPairs = getattr(agreement, name)
        facts[name] = {
            "compared": one.compared,
            "observed": json_number(one.observed),
            "expected": json_number(one.expected),
            "kappa": json_number(one.kappa),
        }
        if one.compared:
            template = "kappa {kappa:.3f} " + words + " (P(A) {observed:.3f}, P(E) {expected:.3f}, {comparisons} comparisons)"
            shares = {"kappa": one.kappa, "observed": one.observed, "expected": one.expected, "comparisons": one.compared}
            said.append(say(template, **shares))
    return facts, [
        note(
            "agreement of judges",
            "agreement of the {number_of_judges} judges: {agreed}",
            number_of_judges=len(agreement.judges),
            agreed=in_a_row(said, "; "),
        )
    ] if said else []


def _system_level(evidence: Rankings, seed: int) -> list[Remark]:
    """Soft pairwise accuracy, where every item is in every segment, as systems are; documents of topics are no systems."""
    systems = len(evidence.item_names)
    if evidence.topic_word != "segment" or systems < 3 or set(evidence.sizes.tolist()) != {systems} or len(evidence.topics) < 2:
        return []
    predicted, human = evidence.by_system()
    if np.isnan(human).any():
        return []
    certain = superiority(human.T, seed=seed)
    values = [
        np.nan if np.isnan(own).any() else soft_pairwise_accuracy(certain, superiority(own.T, seed=seed)) for own in predicted
    ]
    return [_numbers("SPA (systems)", "soft_pairwise_accuracy", values)]


def _numbers(title: str, key: str, values: Sequence[float]) -> Remark:
    words = tuple(say("{value:.4f}", value=float(value)) for value in values)
    return Remark(title, key, words, tuple(json_number(float(value)) for value in values))


def _p_values(title: str, key: str, values: Sequence[float]) -> Remark:
    words = tuple(say("{p:p}", p=float(value)) for value in values)
    return Remark(title, key, words, tuple(json_number(float(value)) for value in values))


def _chance_tests(evidence: Rankings, scores: Scores, used: Mapping[Measure, Measure], options: Options) -> list[Remark]:
    """Is a run better than its own ranks permuted at random within each segment? By the first measure."""
    measure = scores.measures[0]
    if measure.better is None:
        raise UsageError(
            say("{--chance-test} uses the first measure, and neither direction of {measure} is better", measure=measure.id),
            hint=say("name another measure first, as in {--measures tau@wmt12}"),
        )
    variant, shown = used[measure], measure.id
    if is_free(variant):  # an ε that was chosen to do best proves nothing
        variant = variant.with_options(epsilon=0.0)
        shown = f"{measure.id} with ε = 0"
    sign = -1.0 if measure.better == "lower" else 1.0

    alike = [(segments, inside.shape[1]) for segments, _, inside in evidence.blocks()]

    def statistic(predicted: Floats, gold: Floats) -> Floats:
        # Short segments apart from long ones: pairs of the padding would take most of the time.
        parts = [variant(predicted[:, segments, :size], gold[segments, :size]) for segments, size in alike]
        with np.errstate(invalid="ignore"):
            return np.asarray(sign * np.nanmean(np.concatenate(parts, axis=-1), axis=-1), dtype=float)

    p = [
        within_segment_test(*padded(evidence, variant, run), statistic, trials=options.chance_test, seed=options.seed)
        for run in range(len(evidence.runs))
    ]
    return [_p_values(f"p ({shown} by chance)", "p_chance", p)]


def _invalid_p(scored: ScoredRankings) -> list[Remark]:
    if scored.pairs is None:
        return []
    p = rankeval.invalid_p_value(*_tau(scored.pairs.sum(axis=0)))
    return [_p_values("p of RankEval (invalid)", "invalid_p", p.tolist())]


def _tau(pairs: Floats) -> tuple[Floats, Floats]:
    """What RankEval calls tau, from counts of pairs (..., 5), and the number of pairs that it is of."""
    concordant, discordant, _, predicted, _ = np.moveaxis(pairs, -1, 0)
    tau = default_registry()[rankeval.MEASURES["tau"]].of_evidence(pairs)
    return np.asarray(tau, dtype=float), concordant + discordant + predicted


def _as_rankeval(scored: ScoredRankings, scores: Scores, used: Mapping[Measure, Measure]) -> list[Remark]:
    """What RankEval prints, by its own keys; of ``bph`` a vector of percentages, as far as these measures were asked for."""
    if scored.pairs is None:
        return []
    names = [used.get(measure, measure).id for measure in scores.measures]
    averages = [dict(zip(names, column, strict=True)) for column in scores.averages().T.tolist()]
    runs = range(scored.pairs.shape[1])
    return [Remark("", "rankeval", (), tuple(_keys_of_rankeval(scored.pairs[:, run], averages[run]) for run in runs))]


def _keys_of_rankeval(pairs: Floats, averages: Mapping[str, float]) -> dict[str, Any]:
    """Of one run: counts of pairs (segments, 5), and the averages of the measures that RankEval has."""
    taus, valid = _tau(pairs)
    tau, all_valid = map(float, _tau(pairs.sum(axis=0)))
    total = {name: float(column.sum()) for name, column in zip(PAIR_KEYS, pairs.T, strict=True)}
    every, tied = float(pairs.sum()), pairs[:, 3] + pairs[:, 4]
    defined = ~np.isnan(taus)
    p_of_segments = rankeval.invalid_p_value(taus[defined], valid[defined])
    facts: dict[str, Any] = {
        "tau": json_number(tau),
        "tau_all_pairs": int(every),
        "tau_avg_seg": json_number(float(taus[defined].mean()) if defined.any() else np.nan),
        "tau_avg_seg_prob": json_number(float(np.prod(p_of_segments))),
        "tau_concordant": int(total["concordant"]),
        "tau_discordant": int(total["discordant"] + total["tied_predicted"]),
        "tau_original_ties": int(total["tied_human"] + total["tied_both"]),
        "tau_predicted_ties": int(tied.sum()),
        "tau_predicted_ties_per": json_number(100 * float(tied.sum()) / every if every else np.nan),
        "tau_prob": json_number(float(rankeval.invalid_p_value(tau, all_valid))),
        "tau_sentence_ties": int((tied > 0).sum()),
        "tau_sentence_ties_per": json_number(100 * float((tied > 0).mean())),
        "tau_valid_pairs": int(all_valid),
    }
    facts |= {name: json_number(averages[id]) for name, id in rankeval.MEASURES.items() if name != "tau" and id in averages}
    ranks = [100 * averages[id] for rank in range(1, 100) if (id := rankeval.best_vs_human(rank)) in averages]
    return facts | ({"bph": [json_number(share) for share in ranks]} if ranks else {})
