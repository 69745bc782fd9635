"""NTCIR's JSON of dialogue quality: a list of dialogues with ``id`` and, in gold, ``annotations`` with one label per annotator
and quality; in runs, ``quality`` with a distribution for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.problems import ProblemsOfFile
from metameasure.reading.files import Beginning, is_json, opens_list, read_json
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Rows, Source, text_array


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    if options.task == "agreement":
        return False
    dialogues = not beginning.keys or bool({"id", "annotations", "quality"} & set(beginning.keys))
    if options.task == "quantification":
        return dialogues and (is_json(beginning) or opens_list(beginning.line))
    return dialogues and is_json(beginning) and opens_list(beginning.line)


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    dialogues = read_json(beginning)
    if not isinstance(dialogues, list) or not all(isinstance(one, dict) for one in dialogues) or not dialogues:
        raise beginning.error(0, "this is not a list of dialogues", "NTCIR's files are one JSON list of objects")
    cells: list[tuple[str, Any, Any]] = []
    problems = ProblemsOfFile(beginning.shown)
    seen: set[str] = set()
    counted = False
    for number, dialogue in enumerate(dialogues, start=1):
        name = str(dialogue.get("id", ""))
        who = f"dialogue {number} ('{name}')"
        if name in seen:
            problems.add(0, say("{who} is there twice", who=who), "keep one")
        seen.add(name)
        votes = dialogue.get("annotations") or []
        if not isinstance(votes, list) or not all(isinstance(vote, dict) for vote in votes):
            problems.add(0, say("the annotations of {who} are not a list of objects", who=who), "see NTCIR's format")
            continue
        qualities = [vote.get("quality") for vote in votes] or [dialogue.get("quality")]
        counted = counted or bool(votes)
        for quality in qualities:
            said = quality.get(_aspect(beginning, quality, options)) if isinstance(quality, dict) and quality else None
            if votes and said is not None and not isinstance(said, dict):
                cells.append((name, said, 1))
            elif not votes and isinstance(said, dict):
                cells += [(name, label, value) for label, value in said.items()]
            else:
                problems.add(0, say("{who} lacks a quality", who=who), "give it one, from every annotator")
    problems.raise_any()
    topics, labels, values = zip(*cells, strict=True)
    columns = options.columns
    return Rows(
        beginning.shown,
        {
            columns.topic: text_array([topic or None for topic in topics]),
            columns.category: text_array([None if label is None else str(label) for label in labels]),
            columns.probability: text_array([None if value is None else str(value) for value in values]),
        },
        lines=np.zeros(len(cells), np.int64),
        counted=counted,
    )


def _aspect(beginning: Beginning, quality: dict[str, Any], options: ReadOptions) -> str:
    known = list(quality)
    if options.aspect is None and len(known) > 1:
        raise UsageError(
            f"there are several qualities, {', '.join(known)}", hint=say("choose one, as in {--aspect <known>}", known=known[0])
        )
    chosen = options.aspect or known[0]
    if chosen not in known:
        hint = did_you_mean(chosen, known) or f"it has {', '.join(known)}"
        raise UsageError(f"there is no quality '{chosen}' in '{beginning.shown}'", hint=hint)
    return chosen


FORMAT = Format("ntcir-dq", "NTCIR's JSON of dialogue quality", ("quantification",), _recognises, _read, endings=(".json",))
