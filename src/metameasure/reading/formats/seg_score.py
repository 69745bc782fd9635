"""Scores of segments as metrics write them for WMT, separated by tabs: metric, language pair, test set, system, segment and
score; or, as in mt-metrics-eval, system and score alone, with the segments of each system in the same order. The systems are the
items, and each metric is a run. Files of the second kind may be gold too: scores that people gave."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.core.problems import ProblemsOfFile
from metameasure.core.values import is_finite, number_of
from metameasure.reading.files import Beginning, table
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Record, Rows, Source, text_array

_COLUMNS = ("metric", "pair", "set", "system", "segment", "score")
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_ENDING = ".seg.score"
_NONE = "None"
"""What stands for a score that nobody gave."""


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    cells = beginning.line.split("\t")
    if len(cells) == 2:
        return beginning.name.endswith(_ENDING) or (
            options.task == "ranking" and beginning.format in (None, "tsv") and _is_score(cells[1]) and _recurs(beginning)
        )
    return len(cells) >= 6 and bool(_PAIR.fullmatch(cells[1].strip())) and number_of(cells[5]) is not None


def _recurs(beginning: Beginning) -> bool:
    """Whether a system has more than one segment: a list of names and numbers may be anything."""
    return len({row[0] for row in beginning.rows}) < len(beginning.rows)


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    if len(beginning.line.split("\t")) == 2:
        return _in_order(beginning, options, side)
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


def _in_order(beginning: Beginning, options: ReadOptions, side: Side) -> Rows:
    """System and score: a segment is called by its place among those of its system, counted from 1."""
    problems = ProblemsOfFile(beginning.shown)
    seen, last = Counter[str](), dict[str, int]()
    rows: list[tuple[str, str, float, int]] = []
    with beginning.stream() as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as text:
        for line, written in enumerate(text, start=1):
            cells = written.rstrip("\r\n").split("\t")
            if not written.strip():
                continue
            if (wrong := _wrong(cells)) is not None:
                problems.add(line, *wrong)
            system = cells[0]
            seen[system] += 1
            last[system] = line
            score = number_of(cells[-1])
            if score is not None:
                rows.append((str(seen[system]), system, score, line))
    _check_lengths(seen, last, problems)
    problems.raise_any()
    segments, systems, scores, lines = zip(*rows, strict=True) if rows else ((), (), (), ())
    columns = options.columns
    values = {columns.segment: text_array(segments), columns.item: text_array(systems), columns.score: np.array(scores, float)}
    dropped = sum(seen.values()) - len(rows)
    notes = (
        (
            note(
                "reading",
                "{file}: {scores} that nobody gave (None) left out",
                file=beginning.shown,
                scores=counted(dropped, "score"),
            ),
        )
        if dropped
        else ()
    )
    partial = side == "gold" and dropped > 0  # metrics have scores there
    return Rows(beginning.shown, values, np.array(lines, np.int64), header=False, partial=partial, notes=notes)


def _wrong(cells: Sequence[str]) -> tuple[str, str] | None:
    """What is wrong with a line, and what to do."""
    if len(cells) != 2:
        return f"{counted(len(cells), 'field')} instead of 2", "a line has a system and a score, separated by a tab"
    if "\ufffd" in cells[0]:
        return "bytes that are not UTF-8", "save the file as UTF-8"
    if not cells[0].strip():
        return "the line has no system", "a line has a system and a score, separated by a tab"
    return None if _is_score(cells[1]) else (f"'{cells[1]}' is not a finite number", f"a score is a number, or {_NONE}")


def _is_score(cell: str) -> bool:
    return cell.strip() == _NONE or is_finite(cell)


def _check_lengths(seen: Counter[str], last: dict[str, int], problems: ProblemsOfFile) -> None:
    """Systems that have more or fewer segments than most."""
    usual = Counter(seen.values()).most_common(1)[0][0] if seen else 0
    for system, number in seen.items():
        if number != usual:
            example = next(other for other, many in seen.items() if many == usual)
            problems.add(
                last[system],
                say(
                    "system '{system}' has {segments}, but '{example}' has {usual}",
                    system=system,
                    segments=counted(number, "segment"),
                    example=example,
                    usual=usual,
                ),
                "give every system the same segments in the same order",
            )


FORMAT = Format(
    "seg.score",
    "a file of segment scores of WMT's metrics task",
    ("ranking",),
    _recognises,
    _read,
    sides=("run",),
    endings=(_ENDING, ".score"),
)
