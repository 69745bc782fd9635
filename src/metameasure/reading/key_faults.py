"""What is wrong with keys and values, said in one voice for every task: file, line, what is wrong, what to do.

Lines are found by a second pass over the source, once the engine has said what to look for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar

from metameasure.core.errors import did_you_mean
from metameasure.core.messages import Message, say
from metameasure.core.problems import MOST_SHOWN, Problem
from metameasure.core.scale import text_of
from metameasure.core.values import is_missing
from metameasure.reading.options import Columns
from metameasure.reading.sources import Source

Faults = tuple[list[Problem], int]
"""The problems to show, and how many there are in all."""
NONE: Faults = ([], 0)
Key = tuple[str, ...]
Record = Mapping[str, Any]


def together(*parts: Faults) -> Faults:
    return [problem for problems, _ in parts for problem in problems], sum(total for _, total in parts)


@dataclass(frozen=True)
class Keys:
    """What a row is known by: roles from the outermost in, such as topic and item, and the names of their columns.

    ``run_column`` and ``run`` pick the rows of one run in a source that holds several.
    """

    roles: tuple[str, ...]
    columns: Columns
    run_column: str | None = None

    def of(self, record: Record) -> Key:
        return tuple(_text(record.get(getattr(self.columns, role))) for role in self.roles)

    def name(self, key: Sequence[Any], words: Mapping[str, str]) -> str:
        """A key in words: item 'x' of topic 't'."""
        said = [
            f"{words.get(role, 'class' if role == 'category' else role)} '{visible(_text(part))}'"
            for role, part in zip(self.roles, key, strict=True)
            if role not in ("judge", "ranking")
        ]
        judges = [part for role, part in zip(self.roles, key, strict=True) if role == "judge" and _text(part)]
        return " of ".join(reversed(said)) + "".join(f" by judge '{visible(_text(judge))}'" for judge in judges)

    def again(self, key: Sequence[Any], words: Mapping[str, str], first: int | str) -> Message:
        """A key that has been there before, in line ``first`` where the source has lines."""
        return say("{name} again" + (" (first in line {first})" if first else ""), name=self.name(key, words), first=first)

    def is_of(self, record: Record, run: str | None) -> bool:
        """Whether a record belongs to a run; in a source of one run all do."""
        return run is None or self.run_column is None or _text(record.get(self.run_column)) == run

    def repeated(
        self, source: Source, keys: Sequence[Key], total: int, hint: str, run: str | None = None, *, lines: int = MOST_SHOWN
    ) -> Faults:
        """Rows whose key has been there before: ``total`` keys, on so many ``lines`` at most."""
        if not total:
            return NONE
        wanted, seen = {tuple(map(_text, key)) for key in keys}, dict[Key, int]()

        def again(record: Record, line: int) -> Message | None:
            key = self.of(record)
            if key not in wanted or not self.is_of(record, run):
                return None
            first = seen.setdefault(key, line)
            if first == line:
                return None
            return self.again(key, source.words, source.line_shown(first))

        unlocated = [say("{name} is there more than once", name=self.name(key, source.words)) for key in keys]
        return located(source, again, [key[-1] for key in wanted], total, hint, unlocated, lines=lines)

    def unknown(
        self,
        source: Source,
        keys: Sequence[Key],
        total: int,
        hint: Callable[[Key], str],
        run: str | None = None,
        *,
        lines: int = MOST_SHOWN,
    ) -> Faults:
        """Rows whose key gold does not have, on so many ``lines`` at most."""
        if not total:
            return NONE
        wanted = {tuple(map(_text, key)): hint(key) for key in keys}

        def absent(key: Key) -> Message:
            name, gold = self.name(key, source.words), source.words.get("gold", "gold")
            return say("{name} is not in {gold}", name=name, gold=gold)

        def reason(record: Record, line: int) -> str | None:
            key = self.of(record)
            return absent(key) if key in wanted and self.is_of(record, run) else None

        unlocated: list[str] = [absent(key) for key in wanted]
        hints = dict(zip(unlocated, wanted.values(), strict=True))
        problems, number = located(source, reason, [key[-1] for key in wanted], total, "", unlocated, lines=lines)
        return [replace(one, hint=hints[one.what]) for one in problems], number

    def missing(self, source: Source, keys: Sequence[Key], total: int, hint: str, run: str | None = None) -> Faults:
        """Keys of gold that a run lacks."""
        of = f" of run '{run}'" if run is not None else ""
        problems = [
            source.problem(0, say("{name}{of} is missing", name=self.name(key, source.words), of=of), hint) for key in keys
        ]
        return _counted(problems[:MOST_SHOWN], total)

    def empty(self, source: Source, role: str, total: int, run: str | None = None) -> Faults:
        """Rows without a key."""
        if not total:
            return NONE
        column = getattr(self.columns, role)
        word = source.words.get(role, role)
        what = say("the row has no {word}", word=word)

        def reason(record: Record, line: int) -> str | None:
            return what if not _text(record.get(column)) and self.is_of(record, run) else None

        return located(source, reason, [""], total, f"give every row its {word}", [f"{what} ({total} times)"], lines=total)


@dataclass(frozen=True)
class Found:
    """So many rows, and the first of their keys where somebody wants to see them."""

    total: int = 0
    keys: Callable[[], Sequence[Key]] = tuple

    def first(self) -> Sequence[Key]:
        return self.keys() if self.total else ()


@dataclass(frozen=True)
class Standing:
    """How the rows of a source, or of one run of it, stand to the keys that they should have: how many lack each role, those that
    name a key again, those whose key is not known, and the keys that none names."""

    empty: Mapping[str, int] = field(default_factory=dict)
    again: Found = Found()
    unknown: Found = Found()
    lacking: Found = Found()

    @property
    def total(self) -> int:
        """How many problems that makes."""
        return sum(self.empty.values()) + self.again.total + self.unknown.total + self.lacking.total

    def problems(
        self, keys: Keys, source: Source, run: str | None = None, *, again: str, unknown: str = "", lacking: str = ""
    ) -> Faults:
        """Each of them with its line, and the hint for its kind. Lines are looked for up to the number of faults."""
        return together(
            *(keys.empty(source, role, total, run) for role, total in self.empty.items()),
            keys.repeated(source, self.again.first(), self.again.total, again, run, lines=self.again.total),
            keys.unknown(source, self.unknown.first(), self.unknown.total, lambda _: unknown, run, lines=self.unknown.total),
            keys.missing(source, self.lacking.first(), self.lacking.total, lacking, run),
        )


def _counted(problems: list[Problem], total: int) -> Faults:
    """Problems of one kind, each with how many there are of it."""
    return [replace(one, count=total) for one in problems], total


Said = TypeVar("Said", bound=str)


def located(
    source: Source,
    reason: Callable[[Record, int], Said | None],
    texts: Sequence[str] | None,
    total: int,
    hint: str | Callable[[Said], str],
    unlocated: Sequence[Said],
    *,
    lines: int = MOST_SHOWN,
) -> Faults:
    """The first lines with something wrong, found by a second pass over the source; each of them contains one
    of the ``texts``, the empty text being an empty cell. The pass ends when so many ``lines`` are found. A source without lines
    (a cluster's frame) gets what is known without them."""
    said = hint if callable(hint) else lambda _: hint
    records = source.matching(None if texts is None else list(texts))
    reasons = ((record.line, reason(record.values, record.line)) for record in records)
    faults = islice(((line, what) for line, what in reasons if what), min(lines, MOST_SHOWN))
    problems = [source.problem(line, what, said(what)) for line, what in faults]
    problems = problems or [source.problem(0, what, said(what)) for what in unlocated[:MOST_SHOWN]]
    return _counted(problems, max(total, len(problems)))


def visible(text: str) -> str:
    """A text with what does not show, such as a NUL byte, written out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    """A hint with the nearest of the known names; many names are not gone through."""
    return (did_you_mean(name, known) if len(known) <= 1000 else "") or otherwise


def _text(cell: Any) -> str:
    """A cell as the engine writes it."""
    if isinstance(cell, str):
        return cell
    return "" if is_missing(cell) else text_of(cell)
