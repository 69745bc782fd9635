"""Battles: two models met, and somebody said which was better. Tables with the columns model_a, model_b and winner, or Kaggle's
three columns of flags."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import NoRuns
from metameasure.core.messages import Message, say
from metameasure.core.problems import DataProblems
from metameasure.core.values import is_empty
from metameasure.reading.coded_rows import CodedRows
from metameasure.reading.engine import Engine, Picked, reading
from metameasure.reading.inputs import one_source, require
from metameasure.reading.key_faults import Faults, located
from metameasure.reading.options import ReadOptions
from metameasure.reading.sources import Source
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.bradley_terry import Battles

MODELS = ("model_a", "model_b")
WINNER = "winner"
FLAGS = {"winner_model_a": 1.0, "winner_model_b": 0.0, "winner_tie": 0.5}
"""Kaggle's columns, of which one is true in a row."""
WON = {
    "model_a": 1.0, "model_b": 0.0, "a": 1.0, "b": 0.0, "tie": 0.5, "tie (bothbad)": 0.5, "tie (both bad)": 0.5, "bothbad": 0.5,
    "both bad": 0.5, "both_bad": 0.5, "both are bad": 0.5,
}  # fmt: skip
"""What the first model won, by what stands in the column."""
JUDGES = ("judge", "user")
_TRUE, _FALSE = ("1", "1.0", "true"), ("0", "0.0", "false")
_HINT = "a winner is model_a, model_b, tie or tie (bothbad)"


@dataclass(frozen=True, eq=False)
class ReadBattles:
    """Battles with the models' names, and the column that says who judged."""

    models: tuple[str, ...]
    battles: Battles
    ties: int
    judged_by: str | None


def are_battles(columns: Any) -> bool:
    """Whether these are the columns of battles."""
    return {*MODELS} <= {*columns}


def read_battles(data: Any, judge: str | None = None) -> ReadBattles:
    """The battles in a file or a data frame. ``judge`` names the column of judges. DataProblems for what is wrong."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        source = one_source(data, "the frame", ReadOptions(task="scores"), Path(scratch), plain=True)
        flags = WINNER not in source.columns and {*FLAGS} <= {*source.columns}
        judged_by = judge or next((name for name in JUDGES if name in source.columns), None)
        wanted = [*MODELS, *(FLAGS if flags else [WINNER]), *([judged_by] if judged_by else [])]
        require(source, {"judge" if name == judged_by else name: name for name in wanted})
        with reading([source]):
            engine = Engine(ordered=True)
            frame = engine.kept(
                engine.here(engine.scan([Picked(source, {name: (name, "text") for name in wanted})]).drop("source"))
            )
            rows = CodedRows.of(engine, frame, wanted)
        return _battles(source, rows, flags=flags, judged_by=judged_by)


def _battles(source: Source, rows: CodedRows, *, flags: bool, judged_by: str | None) -> ReadBattles:
    if not len(rows.code[MODELS[0]]):
        raise NoRuns("there are no battles", hint="it needs a row for each battle")
    models = tuple(sorted({name for role in MODELS for name in rows.names[role] if not is_empty(name)}))
    place = {name: number for number, name in enumerate(models)}
    first, second = (_placed(rows, role, place) for role in MODELS)
    won = _by_flags(rows) if flags else _by_winner(rows)
    judge = None if judged_by is None else rows.code[judged_by]
    wrong = (
        (first < 0)
        | (second < 0)
        | (first == second)
        | np.isnan(won)
        | (np.zeros(len(won), bool) if judge is None else judge < 0)
    )
    if wrong.any():
        raise DataProblems(*_wrong(source, int(wrong.sum()), flags=flags, judged_by=judged_by))
    return ReadBattles(models, Battles(len(models), first, second, won, judge), int((won == 0.5).sum()), judged_by)


def _placed(rows: CodedRows, role: str, place: Mapping[str, int]) -> Integers:
    return np.array([*(place.get(name, -1) for name in rows.names[role]), -1], dtype=np.int64)[rows.code[role]]


def _by_winner(rows: CodedRows) -> Floats:
    """What the first model won; NaN where nobody says."""
    known = [WON.get(name.strip().lower(), np.nan) for name in rows.names[WINNER]]
    return np.array([*known, np.nan])[rows.code[WINNER]]


def _by_flags(rows: CodedRows) -> Floats:
    shares, said = np.zeros(len(rows.code[MODELS[0]])), np.zeros(len(rows.code[MODELS[0]]))
    for name, share in FLAGS.items():
        texts = [text.strip().lower() for text in rows.names[name]]
        flag = np.array([*(1.0 if text in _TRUE else 0.0 if text in _FALSE else np.nan for text in texts), np.nan])[
            rows.code[name]
        ]
        shares, said = shares + share * flag, said + flag
    return np.where(said == 1, shares, np.nan)


def _wrong(source: Source, total: int, *, flags: bool, judged_by: str | None) -> Faults:
    """The lines that are wrong."""

    def reason(record: Mapping[str, Any], line: int) -> Message | None:
        for role in (*MODELS, *([judged_by] if judged_by else [])):
            if is_empty(record.get(role)):
                return say("no {role}", role=role)
        if str(record[MODELS[0]]) == str(record[MODELS[1]]):
            return say("'{name}' meets itself", name=str(record[MODELS[0]]))
        if flags:
            told = [str(record.get(name)).strip().lower() for name in FLAGS]
            return None if sum(one in _TRUE for one in told) == 1 else say("not one of {names} is true", names=", ".join(FLAGS))
        cell = record.get(WINNER)
        return None if str(cell).strip().lower() in WON else say("winner '{cell}'", cell="" if is_empty(cell) else cell)

    return located(source, reason, None, total, _HINT, [say("a battle is not complete")])
