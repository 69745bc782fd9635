"""Rows of a table as numbers: texts that rows are known by are fetched once each, and the rows by their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.values import in_order, is_empty
from metameasure.reading.engine import Engine, Frame, fetch
from metameasure.reading.joining import Names, code_of, filled, renumbered
from metameasure.reading.on_disk import sql_name
from metameasure.statistics.arrays import Integers


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows by number: for each role its different texts, and each row's place among them, -1 where it has none. ``value`` has
    further columns as they are."""

    names: Mapping[str, Sequence[str]]
    code: Mapping[str, Integers]
    value: Mapping[str, Any]

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
        nothing = np.array([*map(is_empty, self.names[role]), True])
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
    ) -> NumberedRows:
        """As ``CodedRows.of``."""
        names = Names.in_frame(engine, frame, [role for role in roles if role not in as_texts])
        if as_they_come:
            names = Names(engine, {**names.of, **{role: engine.as_they_come(frame, role) for role in as_they_come}})
        placed, many = _with_places(engine, names.coded(frame), {role: code_of(role) for role in roles if role in as_texts})
        texts: dict[str, Sequence[str]] = {**names.of, **many}
        return cls(engine, texts, placed.select(*map(code_of, texts), *more), tuple(more))

    def fetched(self, frame: Frame) -> CodedRows:
        """The rows of the frame, or of a part of it."""
        columns = self.engine.fetched(frame.select(*map(code_of, self.names), *self.more))
        codes = {role: filled(columns[code_of(role)]) for role in self.names}
        return CodedRows(self.names, codes, {name: columns[name] for name in self.more})


def _with_places(engine: Engine, frame: Frame, places: Mapping[str, str]) -> tuple[Frame, dict[str, list[str]]]:
    """A frame of ours with the place of each text of some columns among all texts there, in their order, under the name that is
    given; and those texts. There may be very many: the engine numbers them, and they are fetched once."""
    chosen, joins, texts = ["placed.*"], [], {}
    rows = frame.to_native().sql_query()
    for column, place in places.items():
        named, other = sql_name(column), sql_name(place)
        known = f"SELECT DISTINCT {named} AS text FROM ({rows}) WHERE {named} IS NOT NULL"  # noqa: S608 - names are quoted
        numbered = f"SELECT text, CAST(row_number() OVER (ORDER BY text) - 1 AS INTEGER) AS place FROM ({known})"  # noqa: S608
        table = engine.kept(engine.of_query(numbered))
        texts[column] = fetch(table.sort("place").select("text"))["text"].tolist()
        chosen.append(f"{other}.place AS {other}")
        joins.append(f"LEFT JOIN ({table.to_native().sql_query()}) AS {other} ON {other}.text = placed.{named}")
    return engine.of_query(f"SELECT {', '.join(chosen)} FROM ({rows}) AS placed {' '.join(joins)}"), texts  # noqa: S608


def with_number(frame: Frame, column: str, number: str) -> Frame:
    """A frame of ours with a number of 62 bits for each text of a column, the same in every call. What looks like a hash need not
    be hashed once more."""
    text = sql_name(column)
    written = f"CASE WHEN length({text}) >= 32 THEN TRY_CAST('0x' || left({text}, 15) AS BIGINT) END"
    hashed = f"coalesce({written}, CAST(md5_number({text}) & {2**62 - 1} AS BIGINT))"
    return nw.from_native(frame.to_native().project(f"*, {hashed} AS {sql_name(number)}"))
