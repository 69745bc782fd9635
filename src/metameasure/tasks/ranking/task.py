"""Ranking: a rank or score per item of a segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from metameasure.catalogue import parameters
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.ranking import rankeval
from metameasure.catalogue.ranking.normalisation import normalise_ranks
from metameasure.catalogue.registry import Registry
from metameasure.core.choices import Average
from metameasure.core.errors import NoRuns, UsageError
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import counted, in_a_row
from metameasure.evidence.ranking_arrays import rankings_of_arrays
from metameasure.evidence.ranking_columns import RankingOptions
from metameasure.evidence.ranking_reader import read_rankings
from metameasure.evidence.rankings import Rankings
from metameasure.reading.eval_sets import Level, Selection, is_eval_folder
from metameasure.reading.frames import is_matrix
from metameasure.scores.intervals import Drawing, both_ends, over_topics, t_over_topics, units_of_scores, with_limits
from metameasure.scores.label_baselines import Baselines
from metameasure.scores.scores import Intervals, Scores
from metameasure.scores.segments import Sums, micro_statistic, score_rankings, segment_evidence
from metameasure.scores.system_intervals import is_of_systems, system_intervals
from metameasure.statistics.arrays import Floats
from metameasure.statistics.segment_tests import bootstrap_evidence
from metameasure.tasks.base import Task
from metameasure.tasks.facts import DataFacts
from metameasure.tasks.ranking import TASK, Options
from metameasure.tasks.ranking.facts import facts_of_rankings
from metameasure.tasks.ranking.remarks import remarks
from metameasure.tasks.ranking.tables import PairTables, pair_tables

_ROUNDED = "iprec"
"""The measure whose other setting is that of trec_eval, of which reading as trec_eval does has a note already."""


@dataclass(frozen=True)
class Ranking(Task[Rankings, Options]):
    """Rankings as a user names them, and how they are to be read and scored."""

    declared = TASK
    without_distances = "is between classes, and rankings have none"
    ranks_of_humans = tuple(f"best_vs_human@{rank}" for rank in range(1, 6))

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self.read

    @cached_property
    def read(self) -> RankingOptions:
        """How rankings are read."""
        options, columns = self.options, dict(self.options.columns)
        if options.run_columns and "gold" in columns:  # side by side gold's column is named as such
            columns.setdefault("rank" if (options.gold_are or "ranks") == "ranks" else "score", columns.pop("gold"))
        return replace(options, columns=columns).reading(
            RankingOptions,
            named=tuple(options.columns.items()),
            gold_are=options.gold_are,
            runs_are=options.runs_are,
            tie_epsilon=options.tie_epsilon,
            gold_tie_epsilon=options.gold_tie_epsilon,
            extra=options.extra,
            compat=options.compat,
            of_folder=Selection.of(options),
        )

    def for_measures(self, measures: Sequence[Measure]) -> Ranking:
        """Of a folder that has scores of systems too, these are read for measures of systems."""
        levels = {level_read_by(measure) for measure in measures}
        if self.options.score_files is not None or levels != {"sys"} or not is_eval_folder(self.gold):
            return self
        return replace(self, options=replace(self.options, score_files="sys"))

    def reduced(self) -> Rankings:
        rankings = self._rankings()
        if not rankings.runs:
            raise NoRuns(
                "there are no runs",
                hint=say("name the runs' files after gold, or their columns with {--run-columns} beside gold's"),
            )
        return rankings

    def evidence(self) -> Rankings:
        return self._as_asked(super().evidence())

    def gold_alone(self) -> Rankings:
        return self._as_asked(self._rankings())

    def _rankings(self) -> Rankings:
        if is_matrix(self.gold):
            return rankings_of_arrays(self.gold, self.runs, self.read)
        return read_rankings(self.gold, self.runs, self.read)

    def right(self) -> Rankings:
        alone = self.gold_alone()
        scores = None if alone.counted_scores is None else alone.counted_scores[None]
        return replace(alone, runs=("gold",), predicted=alone.gold[None], scores=scores)

    @classmethod
    def tables(cls, evidence: Rankings) -> PairTables:
        return pair_tables(evidence)

    @classmethod
    def facts(cls, evidence: Rankings) -> DataFacts:
        return facts_of_rankings(evidence)

    @classmethod
    def sums(cls, evidence: Rankings, measure: Measure) -> Sums:
        if measure.evidence is None or not measure.evidence.adds:
            raise UsageError(f"{measure.id} has no micro average", hint=say("choose {--average topics}"))
        return Sums(np.nan_to_num(segment_evidence(evidence, measure)), micro_statistic(measure))

    def undefined_by_run(self, measure: Measure, evidence: Rankings) -> bool:
        """A run in TREC's format need not rank what was judged, nor have every topic."""
        silent = evidence.as_trec_eval or (
            evidence.graded and measure.reads not in (Reads.GRADES, Reads.JUDGEMENTS, Reads.BELIEF_ORDER)
        )
        return silent or super().undefined_by_run(measure, evidence)

    def _as_asked(self, rankings: Rankings) -> Rankings:
        """Rankings whose signature says how they are scored."""
        program = self.options.compat or ("trec_eval" if rankings.as_trec_eval else None)
        settings = {**self.options.settings(), **({"compat": program} if program else {})}
        settings |= {"averaged": "by source"} if self.options.by_source else {}
        settings |= self.options.of_folder()
        return replace(rankings, settings=tuple({**dict(rankings.settings), **settings}.items()))

    def chosen(self, measures: Sequence[Measure] | None, registry: Registry, evidence: Rankings) -> list[Measure]:
        if measures is not None or self.options.compat != "rankeval":
            return super().chosen(measures, registry, evidence)
        gold = (evidence.arrays("ranks", cells, inside)[1] for _, cells, inside in evidence.blocks())
        most = max(int(np.nanmax(np.asarray(normalise_ranks(ranks, "minimize")))) for ranks in gold)
        names = [*rankeval.MEASURES.values(), *(rankeval.best_vs_human(rank) for rank in range(1, most + 1))]
        return [registry[name] for name in names]

    def score(
        self, evidence: Rankings, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        self.check_distance(distance)
        used = {measure: self._as_told(measure, evidence) for measure in measures}
        scores, scored = score_rankings(evidence, measures, used, average=average, drawn_with=drawn_with)
        said, notes, facts = remarks(evidence, scored, scores, used, self.options)
        scores = replace(
            scores,
            remarks=tuple(said),
            remark_notes=tuple(notes),
            notes=(*scores.notes, *_variant_notes(used)),
            more=facts,
        )
        return _by_source(scores, evidence) if self.options.by_source else scores

    def _as_told(self, measure: Measure, evidence: Rankings) -> Measure:
        """The measure with the settings of the call, where it has them and does not say itself what they are."""
        if not isinstance(measure.parameter, parameters.Options):
            return measure
        highest = _highest_grade(evidence)
        settings = {
            **(rankeval.settings_of(measure.base) if self.options.compat == "rankeval" else {}),
            **({"gain": "linear"} if evidence.as_trec_eval and measure.base in ("dcg", "ndcg") else {}),
            **({"relevance": "given"} if highest is not None else {}),
            **({"rounding": "trec_eval"} if evidence.as_trec_eval else {}),
            **({"compat": "mtme"} if self.options.compat == "mtme" else {}),
            **self.options.settings(),
        }
        more: dict[str, Any] = {name: value for name, value in settings.items() if name in measure.parameter.choices}
        said, usual = dict(measure.argument or ()), measure.parameter.settings(measure.argument, None)
        if "highest" in measure.parameter.numbers and said.get("relevance", "given") == "given" and highest is not None:
            more["highest"] = highest
        # trec_eval orders ties by document, unless somebody says how they are to be read.
        telling = {"ties"} if evidence.as_trec_eval and self.options.ties else set()
        told = {name: value for name, value in more.items() if name not in said and (value != usual[name] or name in telling)}
        return measure.with_options(**told)

    def intervals(self, scores: Scores, evidence: Rankings, drawing: Drawing, *, distance: Any) -> Intervals:
        """Segments (or sources) drawn with replacement, the same draws for all measures and runs."""
        level, trials, seed = drawing.level, drawing.trials, drawing.seed
        units_of_scores(scores, evidence, drawing.units)
        if drawing.kind == "bayes":
            raise UsageError("credible intervals are for measures of counts of labels", hint=say("choose {--interval bootstrap}"))
        if drawing.kind == "auto" and scores.average != "pooled":
            return with_limits(_with_systems(t_over_topics(scores, drawing), scores, evidence), scores, evidence)
        if scores.average == "pooled":
            measures = [self._as_told(measure, evidence) for measure in scores.measures]
            ends = both_ends([_micro_draws(evidence, measure, trials, seed) for measure in measures], level)
        else:
            ends = over_topics(scores, level, trials, seed)
        return with_limits(Intervals(level, trials, seed, ends, None), scores, evidence)

    def baselines(
        self, evidence: Rankings, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int
    ) -> Baselines:
        raise UsageError("there are no baselines of rankings", hint="the chance level of pairwise_accuracy is always shown")


def level_read_by(measure: Measure) -> Level:
    """The level of the scores that a measure reads of a folder of mt-metrics-eval."""
    return "sys" if is_of_systems(measure) else "seg"


def _with_systems(made: Intervals, scores: Scores, evidence: Rankings) -> Intervals:
    """The intervals with those of correlations over systems; other measures of all segments together have none."""
    rows = [row for row, measure in enumerate(scores.measures) if measure.of_all]
    if not rows or made.topics is None:
        return made
    predicted, gold = evidence.by_system()
    low, high = made.topics
    for row in rows:
        low[row], high[row] = system_intervals(scores.measures[row], predicted, gold, made.level)
    without = [scores.measures[row].id for row in rows if np.isnan(low[row]).all()]
    over_systems = [scores.measures[row].id for row in rows if not np.isnan(low[row]).all()]
    said = "no interval of {measures}: none is known to hold, or there are too few systems"
    systems = "{measures}: Fisher's interval over {systems}, which are taken as a sample of systems"
    notes = (
        *([warn("no interval", said, measures=in_a_row(without))] if without else []),
        *([note("intervals over systems", systems, measures=in_a_row(over_systems),
                systems=counted(len(evidence.item_names), "system"))] if over_systems else []),
    )  # fmt: skip
    return replace(made, notes=(*made.notes, *notes))


def _highest_grade(evidence: Rankings) -> float | None:
    """Of relevance, where gold has grades."""
    if not evidence.graded or evidence.gold_scores is None:
        return None
    return max(1.0, float(np.nanmax(evidence.gold_scores)))


def _micro_draws(evidence: Rankings, measure: Measure, trials: int, seed: int) -> Floats:
    """Micro averages of segments drawn with replacement: (trials, runs)."""
    if measure.evidence is None or not measure.evidence.adds or evidence.lacking(measure.reads):
        return np.full((trials, len(evidence.runs)), np.nan)
    return bootstrap_evidence(np.nan_to_num(segment_evidence(evidence, measure)), micro_statistic(measure), trials, seed)


def _variant_notes(used: Mapping[Measure, Measure]) -> list[str]:
    changed = [
        say("{first} is scored as {second}", first=measure.id, second=variant.id)
        for measure, variant in used.items()
        if variant != measure and measure.base != _ROUNDED
    ]
    return (
        [
            warn(
                "other settings",
                "not the usual settings: {measures}",
                measures=in_a_row(changed),
            )
        ]
        if changed
        else []
    )


def _by_source(scores: Scores, evidence: Rankings) -> Scores:
    """The mean over the rankings of each source segment, so that one that many judges ranked weighs no more than others."""
    names, codes = evidence.source_codes()
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(names)))
    defined = ~np.isnan(scores.values)
    totals, numbers = (
        np.add.reduceat(part[:, order], starts, axis=1) for part in (np.where(defined, scores.values, 0.0), defined.astype(float))
    )
    means = np.where(numbers > 0, totals / np.maximum(numbers, 1), np.nan)
    return replace(scores, topics=names, values=means, made=scores.made.having(topics=len(names)))
