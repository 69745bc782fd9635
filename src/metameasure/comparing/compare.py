"""Is the difference real? Runs compared over topics, or on one test set item by item, from scores or from gold and runs."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.comparison import Comparison, Comparisons, TopicTests, check_test, named_methods
from metameasure.comparing.items import Difference, ItemTest, PairedTests, check_directed, difference_of, units_of
from metameasure.core.choices import Average, SampleUnits, Test
from metameasure.core.errors import MetameasureWarning, UsageError
from metameasure.core.messages import about, note, say, warn
from metameasure.core.messages import option as flag
from metameasure.core.signature import Signature
from metameasure.core.validity import Case, limits_of_all, sampled
from metameasure.evidence.base import Evidence, is_saved
from metameasure.evidence.counts import LabelCounts, LabelEvidence
from metameasure.evidence.judgements import Judgements
from metameasure.evidence.outputs import Outputs
from metameasure.evidence.rankings import Rankings
from metameasure.reading.frames import is_frame
from metameasure.scores.cube import Scores, lower_is_worse, made_of, plain_scores, said_of_chance
from metameasure.scores.files import ScoreMatrix, frame_scores
from metameasure.scores.intervals import units_of_scores
from metameasure.scores.matrix import complete, made_of_scores, matrix_of_measure, place_of, without_runs
from metameasure.scores.saved import read_scores
from metameasure.scores.segments import micro_statistic, segment_evidence
from metameasure.statistics.item_tests import ItemComparison, corrected_where_defined
from metameasure.statistics.paired import pairs_of_systems, square
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.segment_tests import bootstrap_evidence, paired_evidence_test
from metameasure.tasks.base import E, LabelTask, O, Task, named, task_on, task_on_evidence

Measures = str | Measure | Sequence[str | Measure]


def compare(data: Any, runs: Any = None, measure: Measures | None = None, **options: Any) -> Any:
    """Compare runs on a measure, or on each of a list of measures: which differences between them are real?

    ``compare(scores, measure)`` takes scores from ``evaluate``, a matrix or several, a data frame as ``Scores.to_frame`` gives
    it, or a file of scores, and compares means over topics. ``compare(gold, runs, measure, classes=...)`` takes what ``evaluate``
    takes: it compares means over topics if there are several, and one test set item by item (or cluster by cluster,
    ``columns={"cluster": ...}``). ``average="pooled"`` takes all topics as one test set.

    ``units`` says what is a sample of more: ``"topics"``, or ``"items"`` (or clusters) within topics that are fixed; by default
    topics from six on, and items with fewer. ``test`` is by default ``stepwise`` over topics and ``permutation`` over items.
    ``correction`` is for permutation and bootstrap tests: by default ``holm``, and ``maxt`` over items of several topics. With
    ``against``, all runs are compared with that one only, over topics by sign-flip tests. ``correction_across="measures"``
    corrects for the number of measures too. ``interval`` is how the runs' intervals are made, ``"auto"`` or as in 0.2
    ``"bootstrap"``, and ``validity`` names the method behind each number. Further arguments are ``trials``, ``seed``, ``alpha``,
    ``level``, ``better``, ``incomplete``, ``registry`` and ``threads``; ``leave_out``, a list of runs that are not compared;
    ``simultaneous``, for intervals of the differences that hold for all pairs at once; and ``baselines``, which keeps the
    baselines among scores.
    """
    test_settings = _about_tests(options)
    if not _is_evidence(data) and _are_scores(data, runs, measure, options):
        if "average" in options and options.pop("average") == "pooled":
            raise UsageError("scores have no items to pool", hint="pass gold and runs")
        if options:
            raise UsageError(f"'{next(iter(options))}' is for gold and runs, not for scores", hint="leave it out")
        chosen = measure if measure is not None else runs
        scores = read_scores(data) if isinstance(data, str | Path) else data
        scores = frame_scores(scores) if is_frame(scores) else scores
        tests, made = _topic_tests(test_settings), made_of_scores(scores)
        if chosen is None or isinstance(chosen, str | Measure):
            found = tests.on(scores, None if chosen is None else str(chosen))
            return _signed(found, made.having(measures=[found.measure]), [found], test_settings)
        compared = tests.on_each(scores, [str(one) for one in chosen])
        return _signed(compared, made.having(measures=[one.measure for one in compared.parts]), compared.parts, test_settings)
    if measure is None and _is_evidence(data):
        runs, measure = None, runs
    if measure is None:
        raise UsageError("no measure was chosen", hint="choose one, as in compare(gold, runs, 'kappa_linear', classes=...)")
    comparisons, made = _compare_data(data, runs, measure, test_settings, **options)
    if isinstance(measure, str | Measure) and len(comparisons) == 1:
        return _signed(comparisons[0], made, comparisons, test_settings)
    across = _topic_tests(test_settings).correction_across
    return _signed(Comparisons.of(comparisons, across), made.having(correction_across=across), comparisons, test_settings)


def _signed(found: Any, made: Signature, parts: Sequence[Comparison], test_settings: dict[str, Any]) -> Any:
    """The comparison with how it was made: of what, by which test."""
    one = parts[0]
    asked = {name: test_settings.get(name) or None for name in ("incomplete", "better", "leave_out", "simultaneous", "baselines")}
    return replace(
        found,
        made=made.having(
            command="compare", test=None if one.untested else one.test, correction=one.correction, trials=one.trials,
            seed=one.seed, alpha=one.alpha, level=one.level, units=one.units, against=one.against, **asked,
        ),
    )  # fmt: skip


def compare_micro(gold: Any, runs: Any, measure: str | Measure, **options: Any) -> Comparison:
    """Compare runs by the micro average of a ranking measure: ``compare`` with ``task="ranking", average="pooled"``.

    Two runs swap all that is counted from their outputs for a segment; intervals are bootstrapped over segments.
    """
    test_settings = _about_tests(options)
    parts, made = _compare_data(gold, runs, measure, test_settings, task="ranking", average="pooled", **options)
    return cast("Comparison", _signed(parts[0], made, parts, test_settings))


def difference(
    gold: Any,
    runs: Any,
    first: str,
    second: str,
    measure: str | Measure,
    *,
    task: str = "classification",
    distance: Any = None,
    level: float = 0.95,
    trials: int = 5000,
    seed: int = 0,
    registry: Registry | None = None,
    **how: Any,
) -> Difference:
    """The difference between two runs on the same items, all topics as one, with a bootstrap interval over items (or clusters)
    and the p-value of the paired test, as in ``compare``."""
    bound_task = task_on(task, gold, runs, {"seed": seed, **how})
    if not isinstance(bound_task, LabelTask):
        raise UsageError("difference compares runs that label items", hint="use compare")
    (wanted,) = named([measure], registry or default_registry(), bound_task)
    evidence = replace(bound_task, outputs_of="all").evidence()
    found = difference_of(_outputs(evidence), first, second, wanted, distance=distance, level=level, trials=trials, seed=seed)
    made = made_of(evidence, [wanted], distance, "pooled", seed)
    return replace(found, made=made.having(command="difference", first=first, second=second, level=level, trials=trials))


def _about_tests(options: dict[str, Any]) -> dict[str, Any]:
    """The options that are about tests, taken out of all."""
    test_settings = {one.name: options.pop(one.name) for one in fields(TopicTests) if one.name in options}
    if test_settings.get("test") is not None:
        check_test(test_settings["test"])
    return test_settings


def _is_evidence(data: Any) -> bool:
    return isinstance(data, Evidence) or is_saved(data)


def _are_scores(data: Any, runs: Any, measure: Any, options: dict[str, Any]) -> bool:
    """Whether scores are compared, not gold and runs: by what they are, or by what is said of them."""
    matrices = isinstance(data, list | tuple) and data and all(isinstance(one, ScoreMatrix) for one in data)
    if matrices or isinstance(data, Scores | ScoreMatrix):
        return True
    option_names = {name for name, value in options.items() if value is not None and name != "average"}
    names = runs is None or isinstance(runs, str) or (isinstance(runs, list | tuple) and all(isinstance(r, str) for r in runs))
    if isinstance(data, str | Path) or is_frame(data):
        return not option_names and (runs is None or (measure is None and names))
    if not hasattr(data, "__len__"):
        raise UsageError(
            f"cannot compare {type(data).__name__}", hint="pass mm.evaluate(...), mm.ScoreMatrix(...), or gold and runs"
        )
    return False


def _topic_tests(test_settings: dict[str, Any]) -> TopicTests:
    return TopicTests(**{name: value for name, value in test_settings.items() if value is not None})


def _compare_data(
    gold: Any,
    runs: Any,
    measure: Measures,
    test_settings: dict[str, Any],
    *,
    task: str = "classification",
    average: Average = "topics",
    distance: Any = None,
    **how: Any,
) -> tuple[list[Comparison], Signature]:
    """Gold and runs, read once: over topics where there are several, otherwise over items. And how they are scored."""
    if average not in get_args(Average):
        raise UsageError(f"there is no average '{average}'", hint="choose topics or pooled")
    if test_settings.get("baselines"):
        raise UsageError(say("{--baselines} is for scores"), hint=say("evaluate with {--baselines}, and compare those scores"))
    each = [measure] if isinstance(measure, str | Measure) else [*measure]
    reading = task_on_evidence(
        task, gold, runs, {"seed": test_settings.get("seed", 0), "threads": test_settings.get("threads"), **how}
    )
    wanted = named(each, test_settings.get("registry") or default_registry(), reading)
    if not wanted:
        raise UsageError("no measure was chosen", hint="choose one or more")
    reading = keeping_outputs(reading, average, test_settings.get("units"))
    evidence = reading.evidence()
    made = made_of(evidence, wanted, distance, average, None)
    if not is_over_topics(evidence, average):
        return [compare_pooled(evidence, one, test_settings, distance, average) for one in wanted], made
    chosen = reading.chosen(wanted, test_settings.get("registry") or default_registry(), evidence)
    scores = reading.score(evidence, chosen, distance=distance, average="topics", drawn_with=None)
    for warning in scores.warnings():
        warnings.warn(warning, MetameasureWarning, stacklevel=3)
    return [compare_over_topics(evidence, scores, one, test_settings, distance) for one in wanted], made


def keeping_outputs(task: Task[E, O], average: Average, units: SampleUnits | None = None) -> Task[E, O]:
    """The task, which keeps the outputs for single items where runs are to be compared by them."""
    if not isinstance(task, LabelTask):
        return task
    if average == "pooled" or units == "items":
        return replace(task, outputs_of="all")
    return replace(task, outputs_of="one topic" if units == "topics" else "few topics")


def is_over_topics(evidence: Evidence, average: Average) -> bool:
    """Whether means over topics are compared; otherwise all topics as one test set."""
    return average == "topics" and (len(evidence.topics) > 1 or not isinstance(evidence, LabelEvidence))


def compare_over_topics(
    evidence: Evidence, scores: Scores, measure: Measure, test_settings: dict[str, Any], distance: Any
) -> Comparison:
    """Means over several topics, which are a sample of topics, or fixed with a sample of items each."""
    if units_of_comparison(evidence, scores, measure, test_settings) == "items":
        return _within_topics(evidence, scores, measure, test_settings, distance)
    if isinstance(evidence, LabelEvidence):
        scores = replace(scores, notes=(*scores.notes, *_beside_topics(evidence)))
    return _topic_tests(test_settings).on(scores, measure.id)


def units_of_comparison(evidence: Evidence, scores: Scores, measure: Measure, test_settings: dict[str, Any]) -> SampleUnits:
    """What is a sample of more: what is asked for, or else what ``evaluate`` takes, as far as runs can be compared by it."""
    asked = test_settings.get("units")
    units = units_of_scores(replace(scores, average="topics"), evidence, asked)
    if asked is not None or units == "topics" or not isinstance(evidence, LabelEvidence):
        return units
    counts = evidence.label_counts()
    of_topics = test_settings.get("test") not in (None, *get_args(ItemTest)) or test_settings.get("simultaneous")
    able = counts.outputs is not None and not counts.missing_are_zero and measure.reads == counts.name
    return "items" if able and not of_topics else "topics"


def _beside_topics(evidence: LabelEvidence) -> list[str]:
    """What is left out of a comparison over topics (or partitions)."""
    outputs = evidence.label_counts().outputs
    if outputs is None or outputs.cluster is None:
        return []
    said = "Clusters do not enter a comparison over {word}s (over clusters: {--units items})"
    return [warn("clusters ignored", said, word=evidence.topic_word)]


def _within_topics(
    evidence: Evidence, scores: Scores, measure: Measure, test_settings: dict[str, Any], distance: Any
) -> Comparison:
    """Means over topics that are fixed, by items or clusters that are swapped and drawn within each."""
    assert isinstance(evidence, LabelEvidence)  # noqa: S101 - it has items
    if measure.reads != LabelCounts.name:
        raise UsageError(f"{measure.id} reads an order, which is not swapped within topics", hint=say("choose {--units topics}"))
    tests = _paired_tests(test_settings, fixed=True)
    counts = evidence.label_counts()
    values = plain_scores(counts, [measure], distance=distance, average="topics")
    matrix, left_out = without_runs(matrix_of_measure(values, measure.id)[0], test_settings.get("leave_out") or ())
    matrix, holes = complete(matrix, test_settings.get("incomplete"))
    lower = lower_is_worse(evidence, [measure], distance=distance, average="topics")[0]
    outputs = _outputs(counts).at_lower_end(lower).of_runs([counts.runs.index(run) for run in matrix.runs])
    outputs = outputs.with_topics_apart([counts.topics.index(topic) for topic in matrix.topics])
    return tests.outputs(outputs, measure, distance=distance, notes=(*scores.notes, *left_out, *holes))


def compare_pooled(
    evidence: Evidence, measure: Measure, test_settings: dict[str, Any], distance: Any, average: Average
) -> Comparison:
    """All topics as one test set: labels item by item, rankings segment by segment."""
    if test_settings.get("units") == "topics" and isinstance(evidence, LabelEvidence):
        why = say("all topics are taken as one ({--average pooled})") if len(evidence.topics) > 1 else "there is one topic"
        raise UsageError(f"{why}, so that topics are no sample", hint=say("choose {--units items}, or leave it out"))
    tests = _paired_tests(test_settings)
    if isinstance(evidence, Rankings):
        return _micro(evidence, measure, tests, test_settings.get("threads"))
    if not isinstance(evidence, LabelEvidence):
        raise UsageError(say("{--average pooled} is for labels and rankings"), hint=say("choose {--average topics}"))
    lower = lower_is_worse(evidence, [measure], distance=distance, average="pooled")[0]
    outputs = _without(_outputs(evidence.label_counts()).at_lower_end(lower), test_settings.get("leave_out") or ())
    order = evidence if isinstance(evidence, Judgements) and measure.reads != "counts" else None
    why = "All topics are taken as one" if average == "pooled" and len(evidence.topics) > 1 else "There is one test set"
    chosen = note("units", "{why}, so runs are compared over {units_of}", why=why, units_of=units_of(outputs))
    if order is not None:
        return tests.orders(order, measure, notes=(*evidence.notes, chosen))
    chance = said_of_chance(measure, evidence, "pooled")
    said = [about(chance, measure=measure.id)] if chance else []
    return tests.outputs(outputs, measure, distance=distance, notes=(*evidence.notes, chosen, *said))


def _without(outputs: Outputs, names: Sequence[str]) -> Outputs:
    """The outputs of the other runs."""
    places = {place_of(name, outputs.runs) for name in names}
    return outputs.of_runs([run for run in range(len(outputs.runs)) if run not in places]) if places else outputs


def _paired_tests(test_settings: dict[str, Any], *, fixed: bool = False) -> PairedTests:
    for option in ("better", "simultaneous", *(() if fixed else ("incomplete",))):
        if test_settings.get(option):
            raise UsageError(
                say("{option} is for scores over topics", option=flag(option.replace("_", "-"))), hint="leave it out"
            )
    test: Test = test_settings.get("test") or "permutation"
    if test not in get_args(ItemTest):
        where = "items are compared" if fixed else "there is one test set"
        divide = say("choose {--units topics}") if fixed else say("divide the items into topics with {--partitions}")
        raise UsageError(f"{test} is a test over topics, and {where}", hint=say("leave out {--test}, or {divide}", divide=divide))
    known = {
        name: test_settings[name]
        for name in ("correction", "against", "trials", "seed", "alpha", "level", "interval", "validity")
        if test_settings.get(name) is not None
    }
    if fixed and test == "permutation":
        known.setdefault("correction", "maxt")
    return PairedTests(test=cast("ItemTest", test), named=bool(test_settings.get("test")), **known)


def _outputs(counts: LabelCounts) -> Outputs:
    if counts.outputs is None:
        raise UsageError(
            "runs are compared item by item here, and evidence has no items",
            hint="compare the files themselves, or over topics",
        )
    if counts.missing_are_zero:
        raise UsageError(
            say("runs are not compared item by item with {--missing zero}: an item without an output has none to swap"),
            hint=say("choose {--missing worst}, drop or class:LABEL"),
        )
    return counts.outputs


def _micro(evidence: Rankings, measure: Measure, tests: PairedTests, threads: int | None) -> Comparison:
    """Rankings by all their pairs as one: paired permutation over segments."""
    if measure.evidence is None or not measure.evidence.adds:
        raise UsageError(f"{measure.id} has no micro average", hint=say("choose {--average topics}"))
    check_directed(measure, evidence.runs)
    if tests.test != "permutation" or tests.correction == "maxt":
        raise UsageError("all pairs as one are compared by permutation", hint=say("choose {--test permutation}, with holm or bh"))
    counts = np.nan_to_num(segment_evidence(evidence, measure))
    value = micro_statistic(measure)
    means = value(counts.sum(axis=0))
    against = None if tests.against is None else place_of(tests.against, evidence.runs)
    first, second = pairs_of_systems(len(evidence.runs), against)
    each = paired_evidence_test(counts, value, tests.trials, tests.seed, threads=threads)
    p = square(corrected_where_defined(each[first, second], tests.correction or "holm"), len(evidence.runs), against)
    drawn = bootstrap_evidence(counts, value, tests.trials, tests.seed, threads=threads)
    low, high = percentile_interval(drawn, tests.level)
    ends = percentile_interval(drawn[:, :, None] - drawn[:, None, :], tests.level)
    comparison = ItemComparison(np.asarray(means), low, high, p, *ends, units=len(counts), exact=False)
    unit = f"{evidence.topic_word}s"
    methods = {
        "p": "test/segments/swap",
        "interval": "interval/bootstrap/segments",
        "difference": "interval/difference/segments",
    }
    notes = (
        *evidence.notes,
        sampled("topics", len(counts), evidence.topic_word),
        *limits_of_all(methods, Case(topics=len(counts), runs=len(evidence.runs))),
    )
    made = tests.of(
        comparison, measure, evidence.runs, units="topics", unit=unit, notes=notes, name=f"{measure.id} micro", methods=methods
    )
    return replace(made, notes=(*made.notes, *named_methods(made, tests)))
