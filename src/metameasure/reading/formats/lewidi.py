"""The JSON of the Learning with Disagreements tasks: ``{item: {"annotations": {annotator: label}, ...}}``.

The soft labels in these files are rounded to two digits and do not always add up to 1, so they are computed from the ratings.
"""

from __future__ import annotations

from pathlib import Path

from metameasure.reading.files import Beginning, is_json, read_json
from metameasure.reading.formats import Format
from metameasure.reading.formats.alt_test import is_by_item, nested_rows
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return options.task == "agreement" and is_json(beginning) and is_by_item(read_json(beginning))


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    return nested_rows(beginning.shown, read_json(beginning), options.columns)


FORMAT = Format("lewidi", "JSON of Learning with Disagreements", ("agreement",), _recognises, _read, endings=(".json",))
