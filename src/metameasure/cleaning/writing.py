"""A table written anew, as CSV: its columns under their proper names, its cells repaired where that is certain."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.cleaning.changes import Log
from metameasure.cleaning.table import Found, Known
from metameasure.core.values import repeated

_ROWS_AT_ONCE = 20_000
_MOST_DISTINCT = 100_000
"""Of so many different cells of a column the repair is kept; a column that has more is one of names, whose cells are hardly ever
there twice."""


@dataclass(frozen=True)
class Written:
    """A table that is written: where, and the line of its file that each of its rows comes from."""

    path: Path
    lines: Sequence[int]

    def line(self, line: int) -> int:
        """The line of the submitted file, by that of the written one; 0 where it has none."""
        return self.lines[line - 2] if 2 <= line < len(self.lines) + 2 else 0


def write(found: Found, known: Known, log: Log, path: Path) -> Written:
    """Write the table, and log what is changed in it."""
    writer = _Writer(found, known, log)
    with path.open("w", encoding="utf-8", newline="") as target:
        output = csv.writer(target, lineterminator="\n")
        output.writerow(writer.header)
        hashes = array("q")
        for rows in writer.blocks():
            hashes.extend(map(hash, rows))
            output.writerows(rows)
    lines = _without_identical(path, writer.lines, hashes, log) if known.layout.identical_are_one else writer.lines
    return Written(path, lines)


@dataclass
class _Writer:
    found: Found
    known: Known
    log: Log
    lines: array[int] = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        columns = self.found.columns or tuple(self._invented())
        names = [self.found.names.get(place, name) for place, name in enumerate(columns)]
        twice = {*repeated(names)}
        roles = self.found.roles
        self.kept = [place for place, name in enumerate(names) if name and (place in roles or name not in twice)]
        if self.found.columns and any(not name for name in columns):
            self.log.add("column left out")
        self.width, self.header = len(columns), [names[place] for place in self.kept]
        numbers = self._numbers()
        self.repairs = {place: _Cells(self.known.repair(role, numbers.get(place, ()))) for place, role in roles.items()}

    def _invented(self) -> Iterator[str]:
        """Names for the columns of a table without a header: those that have no role are left out."""
        last = max(self.found.roles)
        width = max(last + 1, max((len(row) for _, row in islice(self.found.body(), 1)), default=0))
        return ("" for _ in range(width))

    def _numbers(self) -> dict[int, set[str]]:
        """The different cells of the columns of numbers, by which it is told what a comma in them is: those of all rows that
        have one, and of the others the first."""
        cells: dict[int, set[str]] = {place: set() for place, role in self.found.roles.items() if self.known.is_number(role)}
        body = self.found.body() if cells else iter(())
        while block := [row for _, row in islice(body, _ROWS_AT_ONCE)]:
            for place, seen in cells.items():
                own = {row[place] for row in block if place < len(row)}
                seen.update({cell for cell in own if "," in cell} if seen else own)
        return cells

    def blocks(self) -> Iterator[list[tuple[str, ...]]]:
        """The rows that are kept, repaired."""
        body = self.found.body()
        while block := list(islice(body, _ROWS_AT_ONCE)):
            sound = list(self._of_equal_width(block))
            if not sound:
                continue
            lines, rows = zip(*sound, strict=True)
            whole = all(len(row) == self.width for row in rows)
            self.lines.extend(lines)
            yield self._by_column(lines, rows) if whole else self._by_row(lines, rows)

    def _of_equal_width(self, block: list[tuple[int, list[str]]]) -> Iterator[tuple[int, Sequence[str]]]:
        """Rows without what is behind the last column, and without those that say nothing."""
        header = [*self.found.columns]
        for line, row in block:
            if len(row) == self.width and any(row):
                if row == header:
                    self.log.add("header again", lines=[line])
                else:
                    yield line, row
            elif not any(cell.strip() for cell in row):
                self.log.add("empty row", lines=[line])
            elif len(row) > self.width and not any(cell.strip() for cell in row[self.width :]):
                self.log.add("extra separator", lines=[line])
                yield line, row[: self.width]
            else:
                yield line, row

    def _by_column(self, lines: Sequence[int], rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        columns = list(zip(*rows, strict=True))
        for place, cells in self.repairs.items():
            columns[place] = cells.of(columns[place], lines, self.found.names[place], self.log)
        return list(zip(*(columns[place] for place in self.kept), strict=True))

    def _by_row(self, lines: Sequence[int], rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """Clean rows one by one, where some have too few or too many cells: those stay as they are, for the check to name."""
        made: list[tuple[str, ...]] = []
        for line, row in zip(lines, rows, strict=True):
            if len(row) == self.width:
                made += self._by_column([line], [row])
            else:  # which must not look right because another column was left out
                made.append((*row, "", "") if len(row) == len(self.header) else (*row,))
        return made


def _without_identical(path: Path, lines: array[int], hashes: array[int], log: Log) -> array[int]:
    """Rows that are there before, the same in every column, taken out again; the lines of those that stay. Few rows have the hash
    of another one: only they are compared."""
    numbers, times = np.unique(np.frombuffer(hashes, np.int64), return_counts=True)
    suspects = {*numbers[times > 1].tolist()}
    if not suspects:
        return lines
    seen: set[tuple[str, ...]] = set()
    kept, again = array("q"), array("q")
    copy = path.with_name(f"{path.name}.part")
    with path.open(encoding="utf-8", newline="") as source, copy.open("w", encoding="utf-8", newline="") as target:
        output, rows = csv.writer(target, lineterminator="\n"), csv.reader(source)
        output.writerow(next(rows))
        for line, number, row in zip(lines, hashes, rows, strict=True):
            if number in suspects and (held := tuple(row)) in seen:
                again.append(line)
                continue
            if number in suspects:
                seen.add(held)
            kept.append(line)
            output.writerow(row)
    copy.replace(path)
    if again:
        log.add("identical row", lines=again)
    return kept


@dataclass
class _Cells:
    """The cells of a column, each repaired once."""

    repair: Any
    changed: dict[str, tuple[str, str]] = field(default_factory=dict)
    right: set[str] = field(default_factory=set)

    def of(self, cells: tuple[str, ...], lines: Sequence[int], column: str, log: Log) -> tuple[str, ...]:
        """The cells as they should be; what is changed is logged."""
        if self.repair is None:
            return cells
        wrong = self._wrong({*cells})
        if not wrong:
            return cells
        where: dict[str, list[int]] = {}
        for line, cell in zip(lines, cells, strict=True):
            if cell in wrong:
                where.setdefault(cell, []).append(line)
        for cell, own in where.items():
            new, kind = wrong[cell]
            log.add(kind, column=column, old=cell, new=new, lines=own)
        return tuple(wrong[cell][0] if cell in wrong else cell for cell in cells)

    def _wrong(self, cells: set[str]) -> dict[str, tuple[str, str]]:
        known: Any = getattr(self.repair, "known", ())
        cells = {cell for cell in cells - self.right if cell and cell not in known}
        wrong: dict[str, tuple[str, str]] = {}
        for cell in cells:
            found = self.changed.get(cell) or self.repair(cell)
            if found[1]:
                wrong[cell] = found
            elif len(self.right) < _MOST_DISTINCT:
                self.right.add(cell)
            if found[1] and len(self.changed) < _MOST_DISTINCT:
                self.changed[cell] = found
        return wrong
