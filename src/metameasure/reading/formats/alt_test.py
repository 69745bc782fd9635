"""The JSON of the alt-test: people's ratings as ``{annotator: {item: label}}``, a judge's as ``{item: label}``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.reading.files import Beginning, is_json, read_json
from metameasure.reading.formats import Format
from metameasure.reading.options import Columns, ReadOptions, Side
from metameasure.reading.sources import Rows, Source, as_texts, text_array


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return options.task == "agreement" and is_json(beginning) and not is_by_item(read_json(beginning))


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    ratings = read_json(beginning)
    if not isinstance(ratings, Mapping) or not ratings:
        hint = 'write {annotator: {item: label}}, {item: {"annotations": {annotator: label}}} or, of a judge, {item: label}'
        raise beginning.error(0, "these are no ratings", hint)
    return nested_rows(beginning.shown, ratings, options.columns)


def is_by_item(ratings: Any) -> bool:
    """Whether it is ``{item: {"annotations": {annotator: label}}}``."""
    return (
        isinstance(ratings, Mapping)
        and bool(ratings)
        and all(isinstance(one, Mapping) and isinstance(one.get("annotations"), Mapping) for one in ratings.values())
    )


def nested_rows(shown: str, ratings: Mapping[Any, Any], columns: Columns) -> Rows:
    """Ratings nested either way, or one judge's labels, as rows of item, annotator (where there is one) and label."""
    if is_by_item(ratings):
        cells = [(item, who, label) for item, one in ratings.items() for who, label in one["annotations"].items()]
    elif all(isinstance(one, Mapping) for one in ratings.values()):
        cells = [(item, who, label) for who, one in ratings.items() for item, label in one.items()]
    else:
        cells = [(item, None, label) for item, label in ratings.items()]
    items, people, labels = zip(*cells, strict=True) if cells else ((), (), ())
    values = {columns.item: text_array([str(item) for item in items])}
    if any(who is not None for who in people):
        values[columns.annotator] = text_array([str(who) for who in people])
    values[columns.label] = as_texts(labels)
    return Rows(shown, values, lines=np.zeros(len(cells), np.int64))


FORMAT = Format("alt-test", "JSON of the alt-test", ("agreement",), _recognises, _read, endings=(".json",))
