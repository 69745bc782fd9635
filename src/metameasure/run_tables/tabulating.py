"""Gold and runs in, a table for each run out."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from metameasure.errors import UsageError
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distributions import Distributions
from metameasure.evidence.judgements import Judgements
from metameasure.evidence.rankings import Rankings
from metameasure.run_tables.distributions import DistributionTables, distribution_tables
from metameasure.run_tables.labels import JudgementTables, LabelTables, judgement_tables, label_tables
from metameasure.run_tables.pairs import PairTables, pair_tables
from metameasure.show.table import Presentable
from metameasure.tables.frames import is_frame, is_sequence
from metameasure.tasks.base import task_on


def table(gold: Any, runs: Any = None, *, task: str = "classification", **how: Any) -> Presentable:
    """What each run's scores are made of, all topics as one.

    For labels, the confusion table with its margins, and precision, recall, F1 and support by class; for entailment, the
    two-way table too; for distributions, those of gold and run; for rankings, the pairs of items. ``gold`` and ``runs`` are what
    ``evaluate`` takes; one run needs no name.
    """
    one = is_sequence(runs) and is_sequence(gold)
    if one or (is_frame(runs) and "run" not in [*(how.get("columns") or {}), *runs.columns]):
        runs = {"run": runs}
    return tables_of(task_on(task, gold, runs, how).evidence())


@singledispatch
def tables_of(evidence: Evidence) -> Presentable:
    """The tables of a task's evidence."""
    raise UsageError(f"there are no tables of {evidence.task}", hint="table is for data that evaluate takes")


@tables_of.register
def _(evidence: LabelCounts) -> LabelTables:
    return label_tables(evidence)


@tables_of.register
def _(evidence: Judgements) -> JudgementTables:
    return judgement_tables(evidence)


@tables_of.register
def _(evidence: Distributions) -> DistributionTables:
    return distribution_tables(evidence)


@tables_of.register
def _(evidence: Rankings) -> PairTables:
    return pair_tables(evidence)
