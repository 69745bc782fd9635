"""Is the difference real? Runs compared over topics, or on one test set item by item, from scores or from gold and runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

import numpy as np

from metameasure.catalogue.measure import Measure, Measures
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.comparison import Comparison, Comparisons
from metameasure.comparing.items import Difference, ItemTest, PairedTests, check_directed, difference_of, units_of
from metameasure.comparing.metrics import METRIC_TESTS, compare_metrics
from metameasure.comparing.topics import TopicTests, named_methods, scores_of_one
from metameasure.core.choices import Average, Correction, SampleUnits, Test
from metameasure.core.errors import MetameasureWarning, UsageError, deprecated
from metameasure.core.messages import about, note, say, together, warn
from metameasure.core.messages import option as flag
from metameasure.core.notes import listed
from metameasure.core.options import Arguments, said, with_options
from metameasure.core.signature import Signature
from metameasure.core.validity import FEWEST_TOPICS, Case, limits_of_all, sampled
from metameasure.evidence.base import CaseEvidence, Evidence, positions
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.outputs import Outputs
from metameasure.evidence.swapped import Swapped
from metameasure.reading.eval_sets import is_eval_folder
from metameasure.scores.intervals import topics_are_no_sample, units_of_scores
from metameasure.scores.item_intervals import item_table
from metameasure.scores.of_evidence import lower_is_worse, made_of, plain_scores, said_of_balance, said_of_chance
from metameasure.scores.run_names import place_of
from metameasure.scores.scores import Scores
from metameasure.scores.segments import Sums
from metameasure.scores.selecting import complete, made_of_scores, of_measure, without_runs
from metameasure.statistics.by_content import order_by_content, words_of_rows
from metameasure.statistics.item_tests import ItemComparison, corrected_where_defined
from metameasure.statistics.paired import pairs_of_systems, square
from metameasure.statistics.rank_correlation import from_best
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.segment_tests import bootstrap_evidence, paired_evidence_test
from metameasure.tasks.base import named, task_of, task_on
from metameasure.tasks.checking import sound_task
from metameasure.tasks.gold_or_scores import check_only_scores, what_is
from metameasure.tasks.option_groups import CompareOptions, DifferenceOptions, TopicTestOptions

Compared = TypeVar("Compared", Comparison, Comparisons)


@with_options(CompareOptions, renamed={"data": "gold"})
def compare(asked: CompareOptions, gold: Any, runs: Any = None, measure: Measures | None = None) -> Comparison | Comparisons:
    """Compare runs on a measure, or on each of several: which differences between them are real?

    ``compare(scores, measure)`` takes scores, and compares means over topics. ``compare(gold, runs, measure, classes=...)``
    takes what ``evaluate`` takes: it compares means over topics if there are several, and one test set item by item (or
    cluster by cluster, ``columns={"cluster": ...}``).

    Parameters
    ----------
    gold : path, data frame, array, evidence or scores
        What is right, as for ``evaluate``; or scores from ``evaluate``, matrices, a data frame as ``Scores.to_frame`` gives
        it or with topics down and runs across, or a file of scores.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    measure : str, Measure or sequence of these, optional
        The measure, or several. Scores of one measure need none. After scores it is the second argument.

    Returns
    -------
    Comparison or Comparisons
        The runs from best to worst, with p-values, effect sizes and intervals for every two of them; of several measures, a
        comparison for each.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    With fewer than six topics no sign-flip test can find a difference at .05: items are compared within the topics instead,
    which are then fixed. Error rates of each test are in docs/validity.md. The randomised Tukey HSD test is that of Sakai
    (2021), Sections 5.2 and 5.3.

    Examples
    --------
    >>> import metameasure as mm
    >>> gold, runs = [1, 2, 3] * 4, {"a": [1, 2, 3] * 4, "b": [1, 2, 2] * 4}
    >>> found = mm.compare(gold, runs, "accuracy", classes="1..3")
    >>> found.runs, found.p[0, 1].item()
    (('a', 'b'), 0.125)

    """
    return answered(asked, gold, runs, measure)[0]


def answered(
    asked: CompareOptions, gold: Any, runs: Any, measure: Measures | None, *, keep_items: bool = False
) -> tuple[Comparison | Comparisons, Read | None]:
    """The comparison; and the data behind it, to be compared in another way, where it was made of gold and runs. ``keep_items``
    keeps the items of many topics too."""
    test_settings, reading = _about_tests(asked), asked.told()
    if measure is None and _are_measures(gold, runs, reading, asked.task, asked.registry or default_registry()):
        runs, measure = None, runs
    if what_is(gold, runs, reading, asked.task) == "scores":
        scoring = {"average": asked.average, "distance": None if asked.distance is None else True}
        told = {name: value for name, value in scoring.items() if value not in (None, "topics")}
        check_only_scores(gold, asked.of_data() | told, asked.task)
        return _of_scores(gold, measure, test_settings, format_in=asked.format_in), None
    if is_eval_folder(gold) and measure is not None and asked.task in ("classification", "ranking"):
        from metameasure.comparing.eval_sets import compare_eval_sets  # noqa: PLC0415 - only where there are metrics

        if (over_sets := compare_eval_sets(asked, gold, measure, test_settings)) is not None:
            averaged, made = over_sets
            return _signed(averaged, made, [averaged], test_settings), None
    read = read_data(gold, runs, measure, test_settings, asked, keep_items=keep_items)
    comparisons = read.compared(test_settings)
    if asked.anova and any(one.anova is None for one in comparisons):
        template = "an analysis of variance needs a score of each run on each topic, and {unit} were compared"
        raise UsageError(say(template, unit=comparisons[0].unit), hint=say("choose {--units topics}, or leave out {--anova}"))
    if (measure is None or isinstance(measure, str | Measure)) and len(comparisons) == 1:
        return _signed(comparisons[0], read.made, comparisons, test_settings), read
    across = test_settings.get("correction_across")
    made = read.made.having(correction_across=across)
    return _signed(Comparisons.of(comparisons, across), made, comparisons, test_settings), read


def _of_scores(
    data: Any, measure: Measures | None, test_settings: dict[str, Any], *, format_in: str | None
) -> Comparison | Comparisons:
    scores = scores_of_one(data, format_in)
    tests, made = _topic_tests(test_settings), made_of_scores(scores)
    if measure is None or isinstance(measure, str | Measure):
        found = tests.on(scores, None if measure is None else str(measure))
        return _signed(found, made.having(measures=[found.measure]), [found], test_settings)
    compared = tests.on_each(scores, [str(one) for one in measure])
    return _signed(compared, made.having(measures=[one.measure for one in compared.parts]), compared.parts, test_settings)


def _are_measures(data: Any, runs: Any, reading: dict[str, Any], task: str, registry: Registry) -> bool:
    """Whether what stands in the place of the runs names measures: scores and evidence need no runs, and a table that holds them
    need not either."""
    each = [runs] if isinstance(runs, str | Measure) else runs
    if not isinstance(each, list | tuple) or not each or not all(isinstance(one, str | Measure) for one in each):
        return False
    if what_is(data, None, reading, task) != "data":
        return True
    return all(isinstance(one, Measure) or (registry.find(one) is not None and not Path(one).exists()) for one in each)


def _signed(found: Compared, made: Signature, parts: Sequence[Comparison], test_settings: dict[str, Any]) -> Compared:
    """The comparison with how it was made: of what, by which test."""
    one = parts[0]
    asked = {name: test_settings.get(name) or None for name in ("incomplete", "better", "leave_out", "simultaneous", "baselines")}
    return replace(
        found,
        made=made.having(
            command="compare", test=None if one.untested else one.test, correction=one.correction, trials=one.trials,
            seed=one.seed, draw_by=None if one.exact or one.untested else one.draw_by,
            alpha=one.alpha, level=one.level, units=one.units, against=one.against, **asked,
        ),
    )  # fmt: skip


@with_options(CompareOptions)
def compare_micro(asked: CompareOptions, gold: Any, runs: Any, measure: str | Measure) -> Comparison:
    """Compare runs by the micro average of a ranking measure.

    .. deprecated:: 0.3
        Use ``compare`` with ``task="ranking", average="pooled"``, which is the same.

    Parameters
    ----------
    gold, runs : path, data frame or dict
        As for ``compare``.
    measure : str or Measure
        A measure of rankings that has a micro average.

    Returns
    -------
    Comparison
        As from ``compare``.

    Raises
    ------
    UsageError
        If the measure has no micro average.

    Notes
    -----
    Two runs swap all that is counted from their outputs for a segment; intervals are bootstrapped over segments. Micro and macro
    averages are those of Avramidis (2013).

    Examples
    --------
    >>> import metameasure as mm
    >>> ranks = {"segment": [1, 1, 2, 2], "item": ["x", "y"] * 2, "gold": [1, 2, 1, 2], "a": [1, 2, 2, 1], "b": [1, 2, 1, 2]}
    >>> import pandas as pd
    >>> how = {"task": "ranking", "average": "pooled", "gold_are": "ranks", "runs_are": "ranks"}
    >>> found = mm.compare(pd.DataFrame(ranks), None, "tau@wmt14", **how)
    >>> found.runs
    ('b', 'a')

    """
    deprecated("compare_micro is compare(..., task='ranking', average='pooled')")
    test_settings = _about_tests(asked)
    pooled = replace(asked, task="ranking", average="pooled")
    read = read_data(gold, runs, measure, test_settings, pooled)
    parts = read.compared(test_settings)
    return _signed(parts[0], read.made, parts, test_settings)


def _measure_last(args: tuple[Any, ...], keywords: dict[str, Any]) -> Arguments:
    """As in 0.2, ``difference(gold, runs, first, second, measure)``."""
    by_name = [keywords.pop("measure")] if "measure" in keywords and len(args) > 2 else []
    given = (*args, *by_name)
    if not by_name and (len(given) != 5 or _is_measure(given[2], keywords) or not _is_measure(given[4], keywords)):
        return args, keywords
    deprecated("the measure comes before the two runs: difference(gold, runs, measure, first, second)")
    gold, runs, *two, measure = given
    return (gold, runs, measure, *two), keywords


def _is_measure(value: Any, keywords: dict[str, Any]) -> bool:
    known = keywords.get("registry") or default_registry()
    return isinstance(value, Measure) or (isinstance(value, str) and known.find(value) is not None)


@with_options(DifferenceOptions, former=_measure_last)
def difference(asked: DifferenceOptions, gold: Any, runs: Any, measure: str | Measure, first: str, second: str) -> Difference:
    """The difference between two runs on the same items, all topics as one.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array
        The outputs, as for ``evaluate``.
    measure : str or Measure
        A measure of labels.
    first, second : str
        The names of the two runs.

    Returns
    -------
    Difference
        The score of the first run less that of the second, a bootstrap interval over items (or clusters), and the p-value of
        the paired test, as in ``compare``.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Two runs swap their outputs for an item, or for a cluster, at random; the interval is over the same units
    (docs/comparisons.md).

    Examples
    --------
    >>> import metameasure as mm
    >>> gold, runs = [1, 2, 3] * 4, {"a": [1, 2, 3] * 4, "b": [1, 2, 2] * 4}
    >>> found = mm.difference(gold, runs, "accuracy", "a", "b", classes="1..3")
    >>> round(found.value, 3), found.p
    (0.333, 0.125)

    """
    bound_task = task_on(asked.task, gold, runs, asked.how())
    (wanted,) = named([measure], asked.registry or default_registry(), bound_task)
    evidence = bound_task.keeping_items("pooled").evidence()
    counts = evidence.label_counts()
    if counts is None:
        raise UsageError("difference compares runs that label items", hint="use compare")
    drawn: dict[str, Any] = {"level": asked.level, "trials": asked.trials}
    found = difference_of(
        outputs_of(counts, (first, second)), first, second, wanted, distance=asked.distance, seed=asked.seed, **drawn
    )
    made = made_of(evidence, [wanted], asked.distance, "pooled", asked.seed)
    return replace(found, made=made.having(command="difference", first=first, second=second, **drawn))


def _about_tests(asked: CompareOptions) -> dict[str, Any]:
    """What is said about tests."""
    return said(asked, TopicTestOptions)


def _topic_tests(test_settings: dict[str, Any]) -> TopicTests:
    if test_settings.get("test") in METRIC_TESTS:
        raise UsageError(
            say("{test} compares metrics with what people say of systems", test=test_settings["test"]),
            hint=say("pass people's scores and the metrics' files with {--task ranking}, not scores"),
        )
    return TopicTests(**{name: value for name, value in test_settings.items() if value is not None})


@dataclass(frozen=True, eq=False)
class Read:
    """Gold and runs, read once, and how they are scored. ``scores`` are of each topic, where means over topics are compared."""

    evidence: Evidence
    wanted: Sequence[Measure]
    scores: Scores | None
    distance: Any
    average: Average
    made: Signature
    known: Registry

    def compared(self, test_settings: dict[str, Any]) -> list[Comparison]:
        """The runs compared by each measure: over topics where there are several, otherwise over items."""
        test_settings = {**test_settings, "registry": self.known}
        if test_settings.get("test") in METRIC_TESTS or self.wanted[0].of_all:
            return [compare_metrics(self.evidence, one, test_settings) for one in self.wanted]
        if self.scores is None:
            found = [compare_pooled(self.evidence, one, test_settings, self.distance, self.average) for one in self.wanted]
        else:
            found = [compare_over_topics(self.evidence, self.scores, one, test_settings, self.distance) for one in self.wanted]
        return [replace(one, called=measure.called) for one, measure in zip(found, self.wanted, strict=True)]

    def has_both_units(self, measure: Measure) -> bool:
        """Whether topics may be a sample, and the items within each as well."""
        return (
            self.scores is not None
            and len(self.evidence.topics) >= FEWEST_TOPICS
            and _has_units(self.evidence, measure)
            and not self.evidence.lone_units()
        )


def read_data(
    gold: Any,
    runs: Any,
    measure: Measures | None,
    test_settings: dict[str, Any],
    asked: CompareOptions,
    *,
    keep_items: bool = False,
    needed: Collection[str] = (),
) -> Read:
    """Gold and runs, read once. ``needed`` are runs that may not be broken."""
    average, distance = asked.average, asked.distance
    if test_settings.get("baselines"):
        raise UsageError(say("{--baselines} is for scores"), hint=say("evaluate with {--baselines}, and compare those scores"))
    reading = sound_task(asked, gold, runs, needed=needed, least=2)
    known = reading.known(test_settings.get("registry") or default_registry())
    wanted = reading.directed(named(reading.only_measures(known) if measure is None else measure, known, reading))
    if not wanted:
        raise UsageError("no measure was chosen", hint="choose one or more")
    reading = reading.keeping_items(average, "items" if keep_items else test_settings.get("units")).for_measures(wanted)
    evidence = reading.evidence()
    made = made_of(evidence, wanted, distance, average, None).having(skip_broken=asked.skip_broken or None)
    if not is_over_topics(evidence, average):
        return Read(evidence, wanted, None, distance, average, made, known)
    chosen = reading.chosen(wanted, known, evidence)
    scores = reading.score(evidence, chosen, distance=distance, average="topics", drawn_with=None)
    for warning in together(scores.warnings()):
        warnings.warn(warning, MetameasureWarning, stacklevel=5)
    return Read(evidence, wanted, scores, distance, average, made, known)


def is_over_topics(evidence: Evidence, average: Average) -> bool:
    """Whether means over topics are compared; otherwise all topics as one test set."""
    return average == "topics" and (len(evidence.topics) > 1 or not evidence.has_items)


def _has_units(evidence: Evidence, measure: Measure) -> bool:
    """Whether the items that a measure is of are there, and can be swapped."""
    if evidence.single_items() is not None:
        return measure.is_of_single_items
    counts = evidence.label_counts()
    known = counts is not None and (counts.outputs is not None or bool(counts.paired))
    return known and counts is not None and not counts.missing_are_zero and measure.reads == counts.name


def compare_over_topics(
    evidence: Evidence, scores: Scores, measure: Measure, test_settings: dict[str, Any], distance: Any
) -> Comparison:
    """Means over several topics, which are a sample of topics, or fixed with a sample of items each."""
    if units_of_comparison(evidence, scores, measure, test_settings) == "items":
        return _within_topics(evidence, scores, measure, test_settings, distance)
    scores = replace(scores, notes=(*scores.notes, *_beside_topics(evidence)))
    return _topic_tests(test_settings).on(scores, measure.id)


def units_of_comparison(evidence: Evidence, scores: Scores, measure: Measure, test_settings: dict[str, Any]) -> SampleUnits:
    """What is a sample of more: what is asked for, or else what ``evaluate`` takes, as far as runs can be compared by it."""
    asked = test_settings.get("units")
    units = units_of_scores(replace(scores, average="topics"), evidence, asked)
    if asked is not None or units == "topics":
        return units
    of_topics = test_settings.get("test") not in (None, *get_args(ItemTest)) or test_settings.get("simultaneous")
    return "items" if _has_units(evidence, measure) and not of_topics else "topics"


def _beside_topics(evidence: Evidence) -> list[str]:
    """What is left out of a comparison over topics (or partitions)."""
    if not evidence.clustered:
        return []
    said = "Clusters do not enter a comparison over {word}s (over clusters: {--units items})"
    return [warn("clusters ignored", said, word=evidence.topic_word)]


def _within_topics(
    evidence: Evidence, scores: Scores, measure: Measure, test_settings: dict[str, Any], distance: Any
) -> Comparison:
    """Means over topics that are fixed, by items or clusters that are swapped and drawn within each."""
    scored: CaseEvidence
    if (items := evidence.single_items()) is not None:
        scored = items
    else:
        counts = evidence.label_counts()
        assert counts is not None  # noqa: S101 - it has items
        if measure.reads != LabelCounts.name:
            raise UsageError(
                f"{measure.id} reads an order, which is not swapped within topics", hint=say("choose {--units topics}")
            )
        scored = counts
    if (counts := evidence.label_counts()) is not None and counts.paired:
        part = partial(_within_topics, scores=scores, measure=measure, distance=distance)
        return _of_pairs(counts, measure, test_settings, lambda own, settings: part(own, test_settings=settings))
    tests = _paired_tests(test_settings, fixed=True)
    values = plain_scores(scored, [measure], distance=distance, average="topics")
    compared = without_runs(of_measure(values, measure.id), test_settings.get("leave_out") or ())
    compared = complete(compared, test_settings.get("incomplete"))
    outputs = _swapped(evidence, measure, distance, "topics", apart=True)
    outputs = outputs.of_runs([scored.runs.index(run) for run in compared.runs])
    outputs = outputs.with_topics_apart([scored.topics.index(topic) for topic in compared.topics])
    return tests.outputs(outputs, measure, distance=distance, notes=(*scores.notes, *compared.left_out))


def _swapped(evidence: Evidence, measure: Measure, distance: Any, average: Average, *, apart: bool = False) -> Swapped:
    """What runs did on each item, by the measure; ``apart`` where topics are."""
    if (items := evidence.single_items()) is not None:
        return item_table(items, measure, apart=apart, common=True)
    counts = evidence.label_counts()
    assert counts is not None  # noqa: S101 - it has items
    lower = lower_is_worse(evidence, [measure], distance=distance, average=average)[0]
    return outputs_of(counts).at_lower_end(lower)


def compare_pooled(
    evidence: Evidence, measure: Measure, test_settings: dict[str, Any], distance: Any, average: Average
) -> Comparison:
    """All topics as one test set: labels item by item, rankings segment by segment."""
    if test_settings.get("units") == "topics" and evidence.has_items:
        raise topics_are_no_sample(len(evidence.topics), evidence.topic_word)
    tests, counts = _paired_tests(test_settings), evidence.label_counts()
    if counts is not None and counts.paired:
        part = partial(compare_pooled, measure=measure, distance=distance, average=average)
        return _of_pairs(counts, measure, test_settings, lambda own, settings: part(own, test_settings=settings))
    if not evidence.has_items:
        return _by_sums(evidence, task_of(evidence).sums(evidence, measure), measure, tests, test_settings.get("threads"))
    outputs = _without(_swapped(evidence, measure, distance, "pooled"), test_settings.get("leave_out") or ())
    order = evidence.orders() if counts is not None and measure.reads != counts.name else None
    why = "All topics are taken as one" if average == "pooled" and len(evidence.topics) > 1 else "There is one test set"
    chosen = note("units", "{why}, so runs are compared over {units_of}", why=why, units_of=units_of(outputs))
    if order is not None:
        return tests.orders(order, measure, notes=(*evidence.notes, chosen))
    chance = said_of_chance(measure, evidence, "pooled")
    said = [*said_of_balance([measure], evidence), *([about(chance, measure=measure.id)] if chance else [])]
    return tests.outputs(outputs, measure, distance=distance, notes=(*evidence.notes, chosen, *said))


def _of_pairs(
    counts: LabelCounts,
    measure: Measure,
    test_settings: dict[str, Any],
    compared: Callable[[LabelCounts, dict[str, Any]], Comparison],
) -> Comparison:
    """Runs of which evidence has the joint counts two by two: one with each of the others that it is paired with."""
    if measure.reads != counts.name or test_settings.get("correction") == "maxt":
        what = measure.id if measure.reads != counts.name else say("{--correction maxt}")
        raise UsageError(
            say("{what} needs all runs at once, and {--pairs} kept them two by two", what=what),
            hint=say("count it without {--pairs}, or compare the files"),
        )
    left_out = {counts.runs[place_of(name, counts.runs)] for name in test_settings.get("leave_out") or ()}
    pairs = [one for one in counts.paired if not left_out & {*one.runs}]
    shared = [run for run in counts.runs if pairs and all(run in one.runs for one in pairs)]
    told = test_settings.get("against")
    against = shared[0] if told is None and shared else None if told is None else counts.runs[place_of(told, counts.runs)]
    chosen = [one for one in pairs if against in one.runs]
    if against is None or not chosen:
        runs = [run for one in pairs for run in one.runs]
        most = max(runs, key=runs.count, default="")
        raise UsageError(_kept_only(counts), hint=say("compare with one of these runs: {--against <run>}", run=most))
    settings = {**test_settings, "against": told if len(chosen) == 1 else None, "leave_out": None}
    parts = [compared(replace(counts.of_runs(one.runs), outputs=one), settings) for one in chosen]
    others = [run for run in counts.runs if run not in left_out and not any(run in one.runs for one in chosen)]
    said = "joint counts were kept of {pairs} only, so that {runs} {are} not compared here"
    are = "is" if len(others) == 1 else "are"
    names = listed([":".join(one.runs) for one in chosen], "and")
    notes = (note("pairs kept", said, pairs=names, runs=listed(others, "and"), are=are),) if others else ()
    return _with_one(parts, against, test_settings.get("correction") or "holm", notes)


def _kept_only(counts: LabelCounts) -> str:
    return say("joint counts were kept of {pairs} only", pairs=listed([":".join(one.runs) for one in counts.paired], "and"))


def _with_one(parts: Sequence[Comparison], against: str, correction: Correction, notes: tuple[str, ...]) -> Comparison:
    """Comparisons of one run with one other each as one, corrected for their number."""
    notes = tuple(dict.fromkeys(one for part in parts for one in part.notes)) + notes
    if len(parts) == 1:
        return replace(parts[0], notes=notes)
    of_run = {run: (part, place) for part in reversed(parts) for place, run in enumerate(part.runs)}
    names = sorted(of_run)
    values = np.array([part.means[place] for part, place in map(of_run.__getitem__, names)])
    order = from_best(values if parts[0].better == "higher" else -values)
    runs = [names[place] for place in order]
    low, high = (np.array([getattr(part, end)[at] for part, at in map(of_run.__getitem__, runs)]) for end in ("low", "high"))
    size = len(runs)
    p, effect = np.full((2, size, size), np.nan)
    np.fill_diagonal(p, 1.0)
    ends = np.where(np.eye(size, dtype=bool), 0.0, np.full((2, size, size), np.nan))
    corrected = corrected_where_defined(np.array([part.p[0, 1] for part in parts]), correction)
    for part, own in zip(parts, corrected.tolist(), strict=True):
        at = positions(part.runs, runs)
        p[at[0], at[1]] = p[at[1], at[0]] = own
        for matrix, theirs in zip(ends, (part.difference_low, part.difference_high), strict=True):
            if theirs is not None:
                matrix[np.ix_(at, at)] = theirs
    least = min(1.0, (len(parts) if correction == "holm" else 1) * max(part.least_p for part in parts))
    return replace(
        parts[0], runs=tuple(runs), means=values[order], low=low, high=high, p=p, effect_size=effect, notes=notes,
        against=against, correction=correction, exact=all(part.exact for part in parts), difference_low=ends[0],
        difference_high=ends[1], smallest_p=least, least_p=least, topics=min(part.topics for part in parts),
    )  # fmt: skip


def _without(outputs: Swapped, names: Sequence[str]) -> Swapped:
    """The outputs of the other runs."""
    places = {place_of(name, outputs.runs) for name in names}
    return outputs.of_runs([run for run in range(len(outputs.runs)) if run not in places]) if places else outputs


def _paired_tests(test_settings: dict[str, Any], *, fixed: bool = False) -> PairedTests:
    for option in ("simultaneous", *(() if fixed else ("incomplete",))):
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
        for name in ("correction", "against", "trials", "seed", "alpha", "level", "interval", "validity", "draw_by")
        if test_settings.get(name) is not None
    }
    if fixed and test == "permutation":
        known.setdefault("correction", "maxt")
    return PairedTests(test=cast("ItemTest", test), named=bool(test_settings.get("test")), **known)


def outputs_of(counts: LabelCounts, between: tuple[str, str] | None = None) -> Outputs:
    """What runs say of items; of two runs, where no others are asked for. UsageError where nobody knows it."""
    if between is not None and counts.paired:
        if found := [one for one in counts.paired if {*one.runs} == {*between}]:
            return found[0]
        raise UsageError(_kept_only(counts), hint=say("count it with {--pairs <pair>}", pair=":".join(between)))
    if counts.outputs is None:
        raise UsageError(
            "runs are compared item by item here, and evidence has no items",
            hint=say("count it with {--for compare}, compare the files themselves, or compare over topics"),
        )
    if counts.missing_are_zero:
        raise UsageError(
            say("runs are not compared item by item with {--missing zero}: an item without an output has none to swap"),
            hint=say("choose {--missing worst}, drop or class:LABEL"),
        )
    return counts.outputs


def _by_sums(evidence: Evidence, sums: Sums, measure: Measure, tests: PairedTests, threads: int | None) -> Comparison:
    """All topics as one, as rankings by all their pairs: runs swap what is counted of them topic by topic."""
    check_directed(measure, evidence.runs)
    if tests.test != "permutation" or tests.correction == "maxt":
        raise UsageError("all pairs as one are compared by permutation", hint=say("choose {--test permutation}, with holm or bh"))
    counts, value = sums.counts, sums.statistic
    if tests.drawn_by == "data":
        counts = counts[order_by_content(words_of_rows(counts))[0]]
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
