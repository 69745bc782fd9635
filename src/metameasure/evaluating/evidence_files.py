"""Gold and runs reduced to what measures need, part by part, and the parts added up."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import option, say
from metameasure.core.options import is_left_out
from metameasure.evidence.base import Evidence, load, merged
from metameasure.reading.inputs import expand
from metameasure.tasks.base import task_on


def count(gold: Any, runs: Any = None, *, task: str = "classification", **how: Any) -> Evidence:
    """Read and check gold and runs, and reduce them to evidence: what measures need.

    ``count(...).save(path)`` writes it to a file, ``merge`` adds up parts, and ``evaluate`` and ``compare`` take it instead of
    gold and runs. The arguments about reading are those of ``evaluate``.
    """
    chosen_task = task_on(task, gold, runs, how)
    later = [name for name in chosen_task.declared.names_of_scoring() if not is_left_out(how.get(name))]
    if later:
        raise UsageError(
            say("{option} is an option for scoring", option=option(later[0].replace("_", "-"))), hint="use it with evaluate"
        )
    evidence: Evidence = chosen_task.evidence()
    return evidence.without_reading_notes()


def merge(parts: Sequence[Any]) -> Evidence:
    """Add up evidence (paths or objects): other items, topics or segments of the same runs, or other runs on the same gold.
    Raises UsageError if parts do not fit together or are the same."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        evidence: list[tuple[str, Evidence]] = []
        for place, part in enumerate(parts, start=1):
            if isinstance(part, Evidence):
                evidence.append((f"part {place}", part))
            else:
                evidence += [(shown, load(path)) for shown, path in expand([part], Path(scratch))]
        return merged(evidence)
