"""What a run's scores are made of: its confusion table, its distribution, its pairs. Each task has the tables of its own runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metameasure.core.options import with_options
from metameasure.reading.frames import is_frame
from metameasure.tasks.checking import sound_task
from metameasure.tasks.option_groups import TableOptions
from metameasure.tasks.run_tables import RunTables


@with_options(TableOptions)
def table(asked: TableOptions, gold: Any, runs: Any = None) -> RunTables:
    """What each run's scores are made of, all topics as one.

    For labels, the confusion table with its margins, and precision, recall, F1 and support by class; for entailment, the
    two-way table too; for distributions, those of gold and run; for rankings, the pairs of items.

    Parameters
    ----------
    gold : path, data frame, array or evidence
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.

    Returns
    -------
    RunTables
        The tables of each run.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Of labels the confusion table with precision, recall and F1 of each class, as scikit-learn's classification_report has them;
    of other tasks what docs/commands.md lists.

    Examples
    --------
    >>> import metameasure as mm
    >>> made = mm.table(["a", "b", "b"], {"first": ["a", "b", "a"]}, classes="a,b")
    >>> made.to_dict()["runs"][0]["counts"]
    [[1, 0], [1, 1]]

    """
    if is_frame(runs) and "run" not in [*asked.columns, *runs.columns]:
        runs = {"run": runs}
    chosen = sound_task(asked, gold, runs)
    evidence = chosen.evidence()
    tables = chosen.tables(evidence)
    if asked.by_class:
        tables = tables.by_each_class()
    return replace(tables, made=evidence.signed().having(command="table", skip_broken=asked.skip_broken or None))
