"""Rows of a table as numbers: texts that rows are known by are fetched once each, and the rows by their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.values import NUMBERS_BEGIN, in_order, is_empty
from metameasure.reading.engine import Engine, Frame, fetch
from metameasure.reading.engine import rows as rows_of
from metameasure.reading.joining import Names, code_of, filled, renumbered
from metameasure.reading.names_in_file import NamesInFile
from metameasure.reading.on_disk import sql_name, sql_text
from metameasure.statistics.arrays import Booleans, Integers

_IS_WHOLE = "regexp_full_match(text, '[0-9]{1,15}')"
# The order of ``in_order`` in SQL, where whatever looks like a number is a whole one.
_AS_PEOPLE_DO = f"CASE WHEN {_IS_WHOLE} THEN CAST(text AS BIGINT) END NULLS LAST, text"
_FETCHED = 2**18


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows by number: for each role its different texts, and each row's place among them, -1 where it has none. ``value`` has
    further columns as they are."""

    names: Mapping[str, Sequence[str]]
    code: Mapping[str, Integers]
    value: Mapping[str, Any]
    empties: Mapping[str, Booleans] = field(default_factory=dict)
    """Which texts of a role are nothing but white space, and behind them that no text is nothing, where that is known."""

    @classmethod
    def of(
        cls,
        engine: Engine,
        frame: Frame,
        roles: Sequence[str],
        *,
        as_they_come: Sequence[str] = (),
        as_texts: Sequence[str] = (),
        more: Sequence[str] = (),
    ) -> CodedRows:
        """Those of a frame that is kept. Texts are in their order, numbers by size unless they are to be ``as_texts``, of which
        there may be very many; or in the order of the rows."""
        rows = NumberedRows.of(engine, frame, roles, as_they_come=as_they_come, as_texts=as_texts, more=more)
        return rows.fetched(rows.frame)

    def lacking(self, roles: Sequence[str]) -> CodedRows:
        """The same, and nothing in the columns of roles that it has not."""
        nowhere = np.broadcast_to(np.int64(-1), self.size)  # which takes no room
        none = dict.fromkeys((role for role in roles if role not in self.code), nowhere)
        return replace(self, names={**self.names, **dict.fromkeys(none, ())}, code={**self.code, **none})

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.code["item"])

    def empty(self, role: str) -> int:
        """How many rows have nothing, or white space."""
        if role not in self.code:
            return 0
        nothing = self.empties[role] if role in self.empties else _empties(self.names[role])
        return int(np.count_nonzero(nothing[self.code[role]]))

    def text(self, role: str, row: int) -> str:
        """What a row has."""
        code = int(self.code[role][row])
        return "" if code < 0 else self.names[role][code]

    def numbers(self, role: str) -> Integers:
        """Texts by number, where nothing is a text of its own."""
        names = in_order({"", *self.names[role]})
        place = {name: number for number, name in enumerate(names)}
        return np.array([place[name] for name in (*self.names[role], "")], dtype=np.int64)[self.code[role]]

    def items(self) -> tuple[tuple[str, ...], tuple[str, ...], Integers]:
        """The different items and their topics, where there are any, and the number of each row's item."""
        names, item = self.names["item"], self.code["item"]
        if "topic" not in self.code:
            return tuple(names), (), item
        both, number = renumbered(self.code["topic"] * len(names) + item, len(self.names["topic"]) * len(names))
        topic, which = np.divmod(both, max(1, len(names)))
        return tuple(map(names.__getitem__, which.tolist())), tuple(map(self.names["topic"].__getitem__, topic.tolist())), number


@dataclass(frozen=True, eq=False)
class NumberedRows:
    """The same before they are fetched: a frame of numbers, and the texts that they stand for."""

    engine: Engine
    names: Mapping[str, Sequence[str]]
    frame: Frame
    more: tuple[str, ...]

    @classmethod
    def of(
        cls,
        engine: Engine,
        frame: Frame,
        roles: Sequence[str],
        *,
        as_they_come: Sequence[str] = (),
        as_texts: Sequence[str] = (),
        more: Sequence[str] = (),
        most: int | None = None,
    ) -> NumberedRows:
        """As ``CodedRows.of``. Where there are more than ``most`` items, their names are in a file."""
        in_file = [role for role in ("item",) if most is not None and role in roles and _is_many(engine, frame, role, most)]
        names = Names.in_frame(engine, frame, [role for role in roles if role not in (*as_texts, *in_file)])
        if as_they_come:
            names = Names(engine, {**names.of, **{role: engine.as_they_come(frame, role) for role in as_they_come}})
        numbered = {role: (code_of(role), _AS_PEOPLE_DO if role in in_file else "text") for role in (*as_texts, *in_file)}
        placed, many = _with_places(engine, names.coded(frame), numbered, most)
        texts: dict[str, Sequence[str]] = {**names.of, **many}
        return cls(engine, texts, placed.select(*map(code_of, texts), *more), tuple(more))

    def fetched(self, frame: Frame) -> CodedRows:
        """The rows of the frame, or of a part of it."""
        columns = self.engine.fetched(frame.select(*map(code_of, self.names), *self.more))
        codes = {role: filled(columns[code_of(role)]) for role in self.names}
        return CodedRows(self.names, codes, {name: columns[name] for name in self.more}, self._empties)

    @cached_property
    def _empties(self) -> dict[str, Booleans]:
        """Looked for once, of however many parts."""
        return {role: _empties(texts) for role, texts in self.names.items()}


def _empties(texts: Sequence[str]) -> Booleans:
    return np.fromiter(chain(map(is_empty, texts), [True]), bool, len(texts) + 1)


def _is_many(engine: Engine, frame: Frame, role: str, most: int) -> bool:
    """Whether a column of ours has more texts than that, and the engine can put them into the order of ``in_order``."""
    texts = f"SELECT DISTINCT {sql_name(role)} AS text FROM ({frame.to_native().sql_query()})"  # noqa: S608 - names are quoted
    odd = f"count(*) FILTER (contains({sql_text(NUMBERS_BEGIN)}, left(text, 1)) AND NOT {_IS_WHOLE})"
    found = fetch(engine.of_query(f"SELECT count(text) AS number, {odd} AS odd FROM ({texts})"))  # noqa: S608
    return int(found["number"][0]) > most and not int(found["odd"][0])


def _with_places(
    engine: Engine, frame: Frame, places: Mapping[str, tuple[str, str]], most: int | None
) -> tuple[Frame, dict[str, Sequence[str]]]:
    """A frame of ours with the place of each text of some columns among all texts there, under the name and in the order that are
    given; and those texts. There may be very many: the engine numbers them, and they are fetched once, to a file where there are
    more than ``most``."""
    chosen, joins, texts = ["placed.*"], [], dict[str, Sequence[str]]()
    rows = frame.to_native().sql_query()
    for column, (place, order) in places.items():
        named, other = sql_name(column), sql_name(place)
        known = f"SELECT DISTINCT {named} AS text FROM ({rows}) WHERE {named} IS NOT NULL"  # noqa: S608 - names are quoted
        numbered = f"SELECT text, CAST(row_number() OVER (ORDER BY {order}) - 1 AS INTEGER) AS place FROM ({known})"  # noqa: S608
        table = engine.kept(engine.of_query(numbered))
        texts[column] = _texts_of(table, most)
        chosen.append(f"{other}.place AS {other}")
        joins.append(f"LEFT JOIN ({table.to_native().sql_query()}) AS {other} ON {other}.text = placed.{named}")
    return engine.of_query(f"SELECT {', '.join(chosen)} FROM ({rows}) AS placed {' '.join(joins)}"), texts  # noqa: S608


def _texts_of(table: Frame, most: int | None) -> Sequence[str]:
    """The texts of a table, by their places."""
    number = 0 if most is None else rows_of(table)
    if most is None or number <= most:
        return fetch(table.sort("place").select("text"))["text"].tolist()  # type: ignore[no-any-return]
    names, place = NamesInFile(number), nw.col("place")
    for first in range(0, number, _FETCHED):
        names.add(
            fetch(table.filter((place >= first) & (place < first + _FETCHED)).sort("place").select("text"))["text"].tolist()
        )
    return names


def with_number(frame: Frame, column: str, number: str) -> Frame:
    """A frame of ours with a number of 62 bits for each text of a column, the same in every call. What looks like a hash need not
    be hashed once more."""
    text = sql_name(column)
    written = f"CASE WHEN length({text}) >= 32 THEN TRY_CAST('0x' || left({text}, 15) AS BIGINT) END"
    hashed = f"coalesce({written}, CAST(md5_number({text}) & {2**62 - 1} AS BIGINT))"
    return nw.from_native(frame.to_native().project(f"*, {hashed} AS {sql_name(number)}"))
