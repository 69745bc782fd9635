"""Libraries that take a while to import, imported where something of them is first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any


class Lazily:
    """A module that is imported when one of its attributes is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)  # and is there from now on
        return value


if TYPE_CHECKING:
    import duckdb
    import narwhals.stable.v2 as nw
else:
    duckdb, nw = Lazily("duckdb"), Lazily("narwhals.stable.v2")

__all__ = ["duckdb", "nw"]
