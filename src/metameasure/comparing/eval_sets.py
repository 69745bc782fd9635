"""Metrics compared over the language pairs and levels of a test set of mt-metrics-eval, averaged as WMT does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.comparing.metrics import METRIC_TESTS, Judged, MetricComparison, compare_average, compared_on
from metameasure.core.signature import DATA, Signature, digest_of_text
from metameasure.evidence.base import Evidence
from metameasure.reading.eval_sets import EvalFolder, Level, Selection
from metameasure.scores.of_evidence import made_of
from metameasure.tasks.base import named, task_on
from metameasure.tasks.option_groups import CompareOptions
from metameasure.tasks.ranking.task import level_read_by


def compare_eval_sets(
    asked: CompareOptions, folder: str | Path, measures: Any, test_settings: dict[str, Any]
) -> tuple[MetricComparison, Signature] | None:
    """The metrics of the folder, and how they were compared; None where this is one data set, or where no metrics are tested."""
    task = task_on("ranking", folder, None, asked.how())
    known = task.known(asked.registry or default_registry())
    wanted = task.directed(named([measures] if isinstance(measures, str | Measure) else measures, known, task))
    sets = EvalFolder.of(folder, Selection.of(task.options))
    pairs = sets.pairs()
    tested = asked.test in METRIC_TESTS or any(measure.of_all for measure in wanted)
    if not tested or len(pairs) * len(wanted) < 2:
        return None
    evidence: dict[tuple[str, Level], Evidence] = {}
    judged: list[Judged] = []
    for pair in pairs:
        for measure in wanted:
            level = sets.level_of(pair, task.options.score_files or level_read_by(measure))
            if (pair, level) not in evidence:
                options = replace(task.options, language_pairs=(pair,), score_files=level)
                evidence[pair, level] = replace(task, options=options).evidence()
            place = [*evidence].index((pair, level))
            name = " ".join([*([pair] if len(pairs) > 1 else []), *([measure.id] if len(wanted) > 1 else [])])
            judged.append(
                Judged.of(evidence[pair, level], measure, test_settings, name=name, source=pair, seed=_seed(asked.seed, place))
            )
    names = [measure.id for _ in pairs for measure in wanted]
    found = compare_average(judged, asked.weights, test_settings, names)
    if len(wanted) > 1:
        by_measure = [_by(judged[place :: len(wanted)], measure, test_settings) for place, measure in enumerate(wanted)]
        found = replace(found, by_measure=tuple(by_measure))
    return found, _made(evidence, wanted, asked)


def _by(judged: list[Judged], measure: Measure, test_settings: dict[str, Any]) -> MetricComparison:
    """The comparison by one measure: on the one language pair, or averaged over several."""
    if len(judged) == 1:
        return compared_on(judged[0], test_settings, measure.id)
    return replace(compare_average(judged, None, test_settings, [measure.id] * len(judged)), measure=measure.id)


def _seed(seed: int, place: int) -> int:
    """That of the swaps of the scores in that place."""
    return seed if place == 0 else int(np.random.SeedSequence((seed, place)).generate_state(1)[0])


def _made(evidence: dict[tuple[str, Level], Evidence], wanted: list[Measure], asked: CompareOptions) -> Signature:
    """How the comparison was made: of what, by which measures."""
    digests = {f"{pair}.{level}": digest_of_text(str(one.digests())) for (pair, level), one in evidence.items()}
    first = made_of(next(iter(evidence.values())), wanted, None, asked.average, None)
    without: dict[str, Any] = dict.fromkeys(("topics", *DATA))
    said = {"language_pairs": ",".join(asked.language_pairs), "score_files": asked.score_files,
            "weights": ",".join(f"{one:g}" for one in asked.weights)}  # fmt: skip
    return first.having(**{**without, "data": digests, **{name: value or None for name, value in said.items()}})
