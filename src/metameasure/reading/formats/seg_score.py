"""Scores of segments as metrics write them for WMT, separated by tabs: metric, language pair, test set, system, segment and
score. The systems are the items, and each metric is a run. Files of system and score alone are those of mt-metrics-eval
(``mtme``), which this name stands for too."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from metameasure.core.problems import ProblemsOfFile
from metameasure.core.values import number_of
from metameasure.reading.files import Beginning, table
from metameasure.reading.formats import Format
from metameasure.reading.formats.mtme import read_blocks
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Record, Rows, Source, text_array

_COLUMNS = ("metric", "pair", "set", "system", "segment", "score")
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    cells = beginning.line.split("\t")
    return len(cells) >= 6 and bool(_PAIR.fullmatch(cells[1].strip())) and number_of(cells[5]) is not None


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    if len(beginning.line.split("\t")) == 2:
        return read_blocks(beginning).source(options, side)
    if side == "gold":
        hint = "gold comes first: human rankings or scores, then the metrics' files"
        raise beginning.error(1, "these are scores of metrics, not gold", hint)
    file = table(
        beginning, options, scratch, columns=_COLUMNS + tuple(f"more {n}" for n in range(len(beginning.line.split("\t")) - 6))
    )
    problems = ProblemsOfFile(beginning.shown)
    rows = list(file.sound(problems))
    problems.raise_any()
    several = len({(record.values["pair"], record.values["set"]) for record in rows}) > 1
    columns = options.columns
    return Rows(
        beginning.shown,
        {
            columns.run: text_array([record.values["metric"] for record in rows]),
            columns.segment: text_array([_segment(record, several=several) for record in rows]),
            columns.item: text_array([record.values["system"] for record in rows]),
            columns.score: text_array([record.values["score"] for record in rows]),
        },
        lines=np.array([record.line for record in rows], np.int64),
    )


def _segment(record: Record, *, several: bool) -> str:
    """Its number; with the language pair, where there is more than one."""
    return f"{record.values['pair']}/{record.values['segment']}" if several else str(record.values["segment"])


FORMAT = Format(
    "seg.score",
    "a file of segment scores of WMT's metrics task",
    ("ranking",),
    _recognises,
    _read,
    sides=("run",),
    endings=(".score",),
)
