"""Rows of a table as numbers: texts that rows are known by are fetched once each, and the rows by their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metameasure.core.values import in_order, is_empty
from metameasure.reading.engine import Engine, Frame
from metameasure.reading.joining import Names, code_of, filled, renumbered, texts_in
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
        names = Names.in_frame(engine, frame, [role for role in roles if role not in as_texts])
        names = Names(engine, {**names.of, **{role: texts_in(frame, role) for role in roles if role in as_texts}})
        if as_they_come:
            names = Names(engine, {**names.of, **{role: engine.as_they_come(frame, role) for role in as_they_come}})
        columns = engine.fetched(names.coded(frame).select(*map(code_of, names.of), *more))
        return cls(names.of, {role: filled(columns[code_of(role)]) for role in names.of}, {name: columns[name] for name in more})

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
