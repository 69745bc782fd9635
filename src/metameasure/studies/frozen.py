"""Frozen score matrices: small ones, made once by ``simulate``, that every question of ``meta`` is put to. What must come out was
computed once by other code, which stands in ``tests/frozen_reference.py`` and knows nothing of this package: a wrong tau, test or
split makes the study fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from metameasure.meta.discriminative_power import discrimination
from metameasure.meta.ranking_similarity import similarity
from metameasure.meta.score_deltas import deltas
from metameasure.meta.significance_contradictions import contradictions
from metameasure.meta.significance_overlap import overlap
from metameasure.meta.split_consistency import Size, consistency
from metameasure.meta.topic_robustness import robustness
from metameasure.meta.unanimous_coverage import coverage
from metameasure.statistics.arrays import Floats
from metameasure.studies.study import Value

FOLDER = Path(__file__).parent / "frozen_scores"
REFERENCE = ("accuracy", "kendall_a", "mutual_information")
BASELINES = ("uniform-C", "popularity-C")
_ERRORS = 4
_EXACT, _EXACTLY = 1e-9, "nothing is drawn at random: rounding of floating point alone"
_DRAWN = f"{_ERRORS} standard errors of two draws, of splits or permutations: the program's and the reference's"
_OPEN = "as many pairs have a p so near .05 that another draw of permutations may decide otherwise"
Cells = dict[tuple[str, str], float]


def _between(measures: Sequence[str], table: Floats) -> Cells:
    """The upper triangle of a table of measures."""
    return {(measures[i], measures[j]): float(table[i, j]) for i, j in combinations(range(len(measures)), 2)}


def _similarity(scores: str) -> Cells:
    found = similarity(scores, trials=1)
    return _between(found.measures, found.tau)


def _consistency(size: Size) -> Callable[[str], Cells]:
    def asked(scores: str) -> Cells:
        found = consistency(scores, size=size)
        means = zip(found.measures, found.mean_tau.tolist(), strict=True)
        return {**{(measure, "mean tau"): mean for measure, mean in means}, ("all measures", "V_E2"): found.residual_variance}

    return asked


def _consistency_by_topics(scores: str) -> Cells:
    found = consistency(scores, splits=2)
    return _both_ways(_between(found.measures, found.apart.p_corrected))


def _both_ways(cells: Cells) -> Cells:
    return cells | {(second, first): value for (first, second), value in cells.items()}


def _discrimination(scores: str) -> Cells:
    found = discrimination(scores)
    cells = {(measure, "significant pairs"): float(count) for measure, count in zip(found.measures, found.counts, strict=True)}
    for measure, table in zip(found.measures, found.p, strict=True):
        cells |= _both_ways({(f"{measure}: {one}", other): p for (one, other), p in _between(found.runs, table).items()})
    return cells


def _discrimination_by_topics(scores: str) -> Cells:
    found = discrimination(scores, trials=1)
    values = {(measure, "by topics"): float(value) for measure, value in zip(found.measures, found.apart.value, strict=True)}
    return values | _between(found.measures, found.apart.p_corrected)


def _overlap(scores: str) -> Cells:
    tested = discrimination(scores)
    cells: Cells = {}
    for pair, opposed in zip(overlap(tested).pairs, contradictions(tested).pairs, strict=True):
        facts = (pair.only_first, pair.both, pair.only_second, pair.overlap, len(opposed.runs))
        columns = ("a", "b", "c", "SSO", "contradictions")
        cells |= {(f"{pair.first}, {pair.second}", column): float(fact) for column, fact in zip(columns, facts, strict=True)}
    return cells


def _deltas(scores: str) -> Cells:
    found = deltas(scores, *BASELINES)
    cells = {
        (measure, f"{side} wins"): float(wins)
        for measure, each in zip(found.measures, found.wins(), strict=True)
        for side, wins in zip("ab", each, strict=False)
    }
    for pair in found.pairs:
        facts = {"Pearson": pair.pearson, "low": pair.low, "high": pair.high, "disagree": float(pair.disagree)}
        cells |= {(f"{pair.first}, {pair.second}", column): fact for column, fact in facts.items()}
    return cells


def _coverage(scores: str) -> Cells:
    found = coverage(scores, reference=REFERENCE)
    cells = {(f"UIR of {one}", other): value for (one, other), value in _between(found.runs, found.uir).items()}
    return cells | {(measure, "coverage"): float(value) for measure, value in zip(found.measures, found.coverage, strict=True)}


def _robustness(scores: str) -> Cells:
    found = robustness(scores)
    return {(measure, "robustness"): float(value) for measure, value in zip(found.measures, found.robustness, strict=True)}


QUESTIONS: dict[str, Callable[[str], Cells]] = {
    "similarity": _similarity,
    "consistency, half": _consistency("half"),
    "consistency, 3": _consistency(3),
    "consistency, by topics": _consistency_by_topics,
    "discrimination": _discrimination,
    "discrimination, by topics": _discrimination_by_topics,
    "overlap": _overlap,
    "deltas": _deltas,
    "coverage": _coverage,
    "robustness": _robustness,
}


def frozen(name: str, *questions: str) -> Iterator[Value]:
    """These questions, put to one of the matrices: what must come out, and what comes out."""
    for question in questions:
        ours = QUESTIONS[question](str(FOLDER / f"{name}.csv"))
        yield from beside(name, question, f"Frozen scores '{name}': {question}", ours)


def beside(name: str, question: str, where: str, ours: Cells) -> Iterator[Value]:
    """What independent code has computed, and ours; what is missing here does not agree."""
    for row, column, value, error in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))[question]:
        drawn = _OPEN if column == "significant pairs" else _DRAWN
        tolerance, why = (_ERRORS * error, drawn) if error else (_EXACT, _EXACTLY)
        yield Value(where, row, column, value, ours.get((row, column)), tolerance, against="code", why=why)
