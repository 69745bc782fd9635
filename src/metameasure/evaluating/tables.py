"""What a run's scores are made of: its confusion table, its distribution, its pairs. Each task has the tables of its own runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metameasure.reading.frames import is_frame
from metameasure.show.table import Signed
from metameasure.tasks.base import task_on_evidence


def table(gold: Any, runs: Any = None, *, task: str = "classification", **how: Any) -> Signed:
    """What each run's scores are made of, all topics as one.

    For labels, the confusion table with its margins, and precision, recall, F1 and support by class; for entailment, the
    two-way table too; for distributions, those of gold and run; for rankings, the pairs of items. ``gold`` and ``runs`` are what
    ``evaluate`` takes, or evidence; one run needs no name.
    """
    if is_frame(runs) and "run" not in [*(how.get("columns") or {}), *runs.columns]:
        runs = {"run": runs}
    chosen = task_on_evidence(task, gold, runs, how)
    evidence = chosen.evidence()
    return replace(chosen.tables(evidence), made=evidence.signed().having(command="table"))
