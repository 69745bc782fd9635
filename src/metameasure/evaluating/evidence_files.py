"""Gold and runs reduced to what measures need, part by part, and the parts added up."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import option, say
from metameasure.core.options import checked, with_options
from metameasure.evidence.base import Evidence, load, merged
from metameasure.reading.apart import Part, parts_of
from metameasure.reading.inputs import expand
from metameasure.reading.options import ReadOptions
from metameasure.tasks.base import Task, task_on
from metameasure.tasks.checking import with_sound_runs
from metameasure.tasks.option_groups import CountingOptions
from metameasure.version import __version__


@with_options(CountingOptions)
def count(asked: CountingOptions, gold: Any, runs: Any = None) -> Evidence:
    """Read and check gold and runs, and reduce them to evidence: what measures need.

    ``count(...).save(path)`` writes it to a file, ``merge`` adds up parts, and ``evaluate`` and ``compare`` take it instead
    of gold and runs.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.

    Returns
    -------
    Evidence
        For labels the counts of gold and predicted classes by topic and run, for rankings those of pairs and ranks, and so
        on.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Measures are functions of evidence alone, as Amigó et al. (2020) and Sakai (2021) define theirs: of counts of gold and
    predicted classes, of distributions, of ranks. It is added up exactly, so that parts may be counted on different machines
    (docs/scale.md).

    Examples
    --------
    >>> import metameasure as mm
    >>> evidence = mm.count([1, 2, 2], {"first": [1, 2, 1]}, classes=[1, 2])
    >>> mm.evaluate(evidence, measures="accuracy")["first"]["accuracy"].__round__(3)
    0.667

    """
    chosen_task = task_on(asked.task, gold, runs, asked.how())
    later = [name for name in chosen_task.declared.names_of_scoring() if name in asked.told()]
    if later:
        raise UsageError(
            say("{option} is an option for scoring", option=option(later[0].replace("_", "-"))), hint="use it with evaluate"
        )
    if asked.pairs is not None and asked.for_ != "compare":
        raise UsageError(say("{--pairs} says which runs are to be compared"), hint=say("add {--for compare}"))
    if asked.for_ == "compare":
        chosen_task = chosen_task.for_comparison(asked.pairs)
    if asked.skip_broken and asked.resume is not None:
        raise UsageError(
            say("{--skip-broken} looks at all runs first, and {--resume} counts each by itself"),
            hint="leave out one or the other",
        )
    if asked.skip_broken:
        chosen_task = with_sound_runs(chosen_task)
    if asked.resume is not None:
        return _part_by_part(chosen_task, asked, Path(asked.resume))
    return _counted(chosen_task)


def _part_by_part(task: Task[Any, Any], asked: CountingOptions, folder: Path) -> Evidence:
    """The evidence of each part, added up. A part that has been counted before is taken from the folder."""
    if getattr(task.options, "partitions", None):
        raise UsageError(
            say("{--partitions} deals out all items at once, and {--resume} counts parts by themselves"),
            hint="leave out one or the other",
        )
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        parts = parts_of(task.gold, task.runs, task.options.reading(ReadOptions), Path(scratch))
        if asked.for_ == "compare" and any(part.of_one_run for part in parts):
            raise UsageError(
                "runs that are counted apart cannot be compared item by item",
                hint=say("leave out {--resume}, or count parts that have all runs on some of the items"),
            )
        folder.mkdir(parents=True, exist_ok=True)
        return merged([(part.shown, _one_part(task, asked, part, folder)) for part in parts])


def _one_part(task: Task[Any, Any], asked: CountingOptions, part: Part, folder: Path) -> Evidence:
    facts = [__version__, task.name, asked.for_, repr(asked.pairs), repr(sorted(asked.how().items())), *part.known_by()]
    kept = folder / f"{hashlib.sha256(repr(facts).encode()).hexdigest()[:20]}.npz"
    with suppress(DataError):  # what is damaged is counted anew
        if kept.exists():
            return load(kept)
    _counted(replace(task, gold=part.gold, runs=part.runs or None)).save(kept)
    return load(kept)


def _counted(task: Task[Any, Any]) -> Evidence:
    evidence: Evidence = task.evidence().whole()
    return evidence.without_reading_notes()


@checked
def merge(parts: Sequence[Any]) -> Evidence:
    """Add up evidence that was counted in parts.

    Parameters
    ----------
    parts : sequence of paths or evidence
        Other items, topics or segments of the same runs, or other runs on the same gold.

    Returns
    -------
    Evidence
        That of the whole: the same as if it had been counted at once.

    Raises
    ------
    UsageError
        If parts do not fit together, were read with different options, or are the same.

    Notes
    -----
    Counts are whole numbers and weights are added without rounding, so that the result is the same however the data were split
    (docs/scale.md).

    Examples
    --------
    >>> import metameasure as mm
    >>> first = mm.count([1, 2, 2], {"a": [1, 2, 1]}, classes=[1, 2])
    >>> second = mm.count([1, 2, 2], {"b": [1, 1, 1]}, classes=[1, 2])
    >>> mm.merge([first, second]).runs
    ('a', 'b')

    """
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        evidence: list[tuple[str, Evidence]] = []
        for place, part in enumerate(parts, start=1):
            if isinstance(part, str | Path):
                evidence += [(shown, load(path)) for shown, path in expand([part], Path(scratch))]
            else:
                evidence.append((f"part {place}", part))
        return merged(evidence)
