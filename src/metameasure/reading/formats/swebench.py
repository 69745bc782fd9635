"""Reports of SWE-bench: ``MODEL.RUN_ID.json``, lists of instances by what became of them.

By the benchmark's rule an instance that is not resolved counts 0: also where the patch is empty, where it could not be run, and
where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.messages import say
from metameasure.core.values import in_order, repeated
from metameasure.reading.files import Beginning, read_json
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Rows, Source, text_array

_LISTS = ("completed_ids", "incomplete_ids", "empty_patch_ids", "resolved_ids", "unresolved_ids", "error_ids")
_COUNTS = {"total_instances", "resolved_instances"}


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, _COUNTS)


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    report = read_json(beginning)
    resolved = _ids(beginning, report, "resolved_ids")
    items = in_order({one for name in _LISTS for one in _ids(beginning, report, name)})
    total = report.get("total_instances")
    if not isinstance(total, int):
        raise beginning.error(0, "'total_instances' is not a number", "write the report again")
    if len(items) != total:
        what = say("{items} of {total} instances are named, and those that are not count 0", items=len(items), total=total)
        raise beginning.error(0, what, "write the report again: it lists every instance, incomplete_ids among them")
    name = beginning.file_name.removesuffix(".json")
    values = {
        "run": text_array([name.replace("__", "/")] * len(items)),
        "item": text_array(items),
        "measure": text_array(["resolved"] * len(items)),
        "score": np.isin(items, sorted(resolved)).astype(float),
        "repository": text_array([item.partition("__")[0] for item in items]),
    }
    return Rows(
        beginning.shown, values, np.zeros(len(items), np.int64), better={"resolved": "higher"}, ranges={"resolved": (0.0, 1.0)}
    )


def _ids(beginning: Beginning, report: Mapping[str, Any], name: str) -> set[str]:
    """A list of instances. DataProblems where it is none, or names one twice."""
    listed = report.get(name, [] if name != "resolved_ids" else None)
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise beginning.error(0, say("'{name}' is not a list of instances", name=name), "write the report again")
    if twice := repeated(listed):
        raise beginning.error(0, say("'{name}' has '{one}' twice", name=name, one=twice[0]), "write the report again")
    return set(listed)


FORMAT = Format("swebench", "a report of SWE-bench", ("outcomes",), _recognises, _read, sides=("run",), endings=(".json",))
