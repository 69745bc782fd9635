"""JSON: of a result the object that the interface promises, of a table an object for each row."""

from __future__ import annotations

import json
from typing import Any

from metameasure.core.numbers import with_digits
from metameasure.show.inert import ACTIVE
from metameasure.show.table import OutputFormat, Presentable, Table


def json_text(answer: Any) -> str:
    """What is made of objects, lists and numbers, as JSON writes it. Characters that do something are escaped, all of them."""
    text = json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False)
    return ACTIVE.sub(lambda match: json.dumps(match[0])[1:-1], text) + "\n"


class _Json(OutputFormat):
    def render(self, result: Presentable) -> str:
        with with_digits(None):  # full precision, and notes that do not depend on what is asked for
            return json_text(result.to_dict())


def _rows(table: Table) -> str:
    return json_text([dict(zip(table.columns, row, strict=True)) for row in table.rows])


FORMAT = _Json("json", _rows, place=2)
