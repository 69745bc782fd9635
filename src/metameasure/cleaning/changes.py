"""What was changed in a file, each kind of change with the lines it was made in."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.reading.key_faults import visible

_MOST_SHOWN = 5
# What is said of a change, by its kind.
_SAID = {
    "archive": "unpacked from {old}",
    "encoding": "it was {old}: now UTF-8",
    "byte order mark": "the byte order mark is removed",
    "line ends": "lines ended in {old}: now in LF",
    "separator": "columns were separated by {old}: now by commas",
    "separator line": "a line that only names the separator is left out",
    "header": "there was no header: the columns are {new}",
    "column": "column '{old}' is now '{new}'",
    "column left out": "a column without a name is left out",
    "row numbers": "the rows' numbers, which stood before the first column, are left out",
    "identical row": "rows that are there before, the same in every column, are left out",
    "empty row": "rows without anything in them are left out",
    "header again": "the header, which is there again, is left out",
    "extra separator": "separators behind the last column are left out",
}
_OF_CELLS = "{column} '{old}' is now '{new}' ({kind})"


@dataclass(frozen=True)
class Change:
    """One kind of change in a file, or one cell that became another: in which lines, none for the file as a whole."""

    file: str
    kind: str
    column: str = ""
    old: str = ""
    new: str = ""
    lines: Sequence[int] = ()

    @property
    def count(self) -> int:
        """How many times it was made."""
        return len(self.lines) or 1

    @property
    def what(self) -> str:
        """In words."""
        parts = {"old": visible(self.old), "new": visible(self.new)}
        template = _SAID.get(self.kind)
        return say(template, **parts) if template else say(_OF_CELLS, column=self.column, kind=self.kind, **parts)

    def __str__(self) -> str:
        """With its first lines."""
        return self.told_with(self.what, _MOST_SHOWN)

    def whole(self) -> str:
        """With all its lines."""
        return self.told_with(self.what, None)

    def told_with(self, what: str, most: int | None) -> str:
        """In these words, with its file and so many of its lines."""
        file = visible(self.file)
        if not self.lines:
            return f"{file}: {what}"
        spans = list(_spans(self.lines))
        shown = ", ".join(spans[:most])
        more = f", ... ({counted(len(self.lines), 'line')})" if most is not None and len(spans) > most else ""
        return f"{file}: {what}, line{'s' if len(self.lines) > 1 else ''} {shown}{more}"

    def facts(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "change": self.kind,
            "column": self.column or None,
            "from": self.old or None,
            "to": self.new or None,
            "count": self.count,
            "lines": list(self.lines),
            "text": str(self.what),
        }


def in_kinds(changes: Iterable[Change]) -> list[list[Change]]:
    """The changes of a file by their kinds: all cells of a column that became others for the same reason are one."""
    kinds: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes:
        whole = "" if change.kind not in _SAID else change.old
        kinds.setdefault((change.kind, change.column, whole), []).append(change)
    return list(kinds.values())


def told_together(changes: Sequence[Change]) -> list[str]:
    """Changes of one kind in words: one by one where they are few, else the first of them and all their lines."""
    if len(changes) <= _MOST_SHOWN:
        return [*map(str, changes)]
    first = changes[0]
    like = replace(first, lines=sorted(line for change in changes for line in change.lines))
    return [like.told_with(say("{what}, and {more} more like it", what=first.what, more=len(changes) - 1), _MOST_SHOWN)]


def _spans(lines: Sequence[int]) -> Iterator[str]:
    """Lines that follow one another as ``3-5``."""
    for _, run in groupby(enumerate(lines), key=lambda pair: pair[1] - pair[0]):
        together = [line for _, line in run]
        yield str(together[0]) if len(together) == 1 else f"{together[0]}-{together[-1]}"


@dataclass
class Log:
    """The changes of a file as they are made."""

    file: str
    lines: dict[tuple[str, str, str, str], array[int]] = field(default_factory=dict)

    def add(self, kind: str, *, column: str = "", old: str = "", new: str = "", lines: Iterable[int] = ()) -> None:
        """A change; to the file as a whole where there are no lines."""
        self.lines.setdefault((kind, column, old, new), array("q")).extend(lines)

    def changes(self) -> tuple[Change, ...]:
        """All of them, in the order in which they were first made."""
        return tuple(Change(self.file, *what, tuple(lines)) for what, lines in self.lines.items())
