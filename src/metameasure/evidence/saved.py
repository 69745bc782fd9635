"""Evidence as a file: reduced anywhere, part by part, merged anywhere, scored later.

A file is NumPy's npz: arrays, and a JSON object of facts with the task, the settings and a checksum. Parts add up to the whole:
items of labels, topics of distributions, segments of rankings, or runs on the same gold.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.errors import DataError, MetameasureError, UsageError
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distributions import Distributions
from metameasure.evidence.judgements import Judgements
from metameasure.evidence.rankings import Rankings
from metameasure.formats.output import whole_file
from metameasure.scale import Scale
from metameasure.version import __version__

FORMAT = 2
_KINDS: dict[str, type[Evidence]] = {kind.task: kind for kind in (LabelCounts, Judgements, Distributions, Rankings)}
_FACTS = "facts.npy"

# What becomes of an archive that is whole, where what it holds does not fit together.
_UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, MetameasureError)


def is_saved(path: Any) -> bool:
    """Whether there is such a file, and it holds evidence."""
    if not isinstance(path, str | Path) or not Path(path).is_file() or not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return _FACTS in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def save(evidence: Evidence, path: str | Path) -> None:
    """Write evidence to a file."""
    facts, arrays = evidence.stored()
    shared = {"format": FORMAT, "version": __version__, "task": evidence.task, "checksum": evidence.checksum()}
    shared |= {"runs": evidence.runs, "topics": evidence.topics, "settings": evidence.settings, "notes": evidence.notes}
    if evidence.scale is not None:
        shared |= {"labels": evidence.scale.labels, "kind": evidence.scale.kind, "values": evidence.scale.values}
    described = np.frombuffer(json.dumps({**shared, **facts}).encode(), dtype=np.uint8)
    with whole_file(path) as scratch, scratch.open("wb") as stream:
        np.savez_compressed(stream, facts=described, **arrays)


def load(path: str | Path) -> Evidence:
    """Evidence from a file. DataError where the file is none, is damaged, or was written by a later version."""
    try:
        with Path(path).open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            facts = json.loads(np.asarray(stored["facts"]).tobytes())
            arrays = {name: stored[name] for name in stored.files if name != "facts"}
    except FileNotFoundError:
        raise UsageError(f"there is no file '{path}'", hint="check the path") from None
    except Exception as error:  # whatever NumPy or zipfile raise is the file's fault
        raise DataError(
            f"{path}: this is not a readable file of evidence ({error})", hint="write it with metameasure count"
        ) from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT or facts.get("task") not in _KINDS:
        version = facts.get("version") if isinstance(facts, dict) else None
        raise DataError(f"{path}: this is evidence of another version ({version})", hint="count the data again")
    try:
        found = _restored(facts, arrays)
        sound = found.checksum() == facts["checksum"]
    except _UNFIT:
        sound = False
    if not sound:
        raise DataError(f"{path}: the checksum does not match the contents", hint="the file is damaged: count the data again")
    return found


def _restored(facts: dict[str, Any], arrays: dict[str, Any]) -> Evidence:
    scale = None
    if "labels" in facts:
        values = tuple(facts["values"]) if facts["kind"] == "interval" else ()
        scale = Scale(tuple(facts["labels"]), facts["kind"], values)
    for name in ("runs", "topics", "notes"):
        facts[name] = tuple(facts[name])
    facts["settings"] = tuple((name, value) for name, value in facts["settings"])
    return _KINDS[facts["task"]].restored(facts, arrays, scale)


def merged(parts: Sequence[tuple[str, Evidence]]) -> Evidence:
    """All parts, by name, as one. UsageError for two that do not fit together, or are the same."""
    if not parts:
        raise UsageError("there is nothing to merge", hint="name files of evidence, as metameasure count writes them")
    (_, whole), *rest = parts
    for name, part in rest:
        if part.task != whole.task:
            raise UsageError(f"{name} is evidence of {part.task}, and the others of {whole.task}", hint="merge each by itself")
        try:
            whole = whole.plus(part)
        except UsageError as error:
            raise UsageError(f"{name}: {error.message}", hint=error.hint) from None
    return whole
