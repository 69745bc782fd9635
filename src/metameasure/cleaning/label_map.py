"""What labels stand for that are no classes, as a user says it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from metameasure.cleaning.repairs import bare
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.scale import Scale, text_of
from metameasure.reading.files import look

_HINT = "as in {--map positive=2,negative=-2}, or a file with two columns"


def label_map(written: Mapping[str, str] | str | Path | None, scale: Scale | None) -> dict[str, str]:
    """Each label by the class that it stands for. UsageError for what is no map, or leads to no class."""
    if written is None:
        return {}
    pairs = [*written.items()] if isinstance(written, Mapping) else _written(written)
    if scale is None:
        raise UsageError(say("{--map} says which classes labels are, and there are no classes"), hint=say("add {--classes}"))
    found: dict[str, str] = {}
    for old, new in ((bare(text_of(old))[0], bare(text_of(new))[0]) for old, new in pairs):
        place = scale.find(new)
        if place is None:
            near = did_you_mean(new, scale.labels) or say("the classes are {scale}", scale=scale)
            raise UsageError(say("'{label}' in {--map} is no class", label=new), hint=near)
        if found.setdefault(old, scale.labels[place]) != scale.labels[place]:
            raise UsageError(say("{--map} says two things of '{label}'", label=old), hint="keep one of the two")
    return found


def _written(written: str | Path) -> list[tuple[str, str]]:
    if Path(written).is_file():
        return _in_file(Path(written))
    parts = [part for part in str(written).split(",") if part.strip()]
    if not parts or not all("=" in part for part in parts):
        raise UsageError(say("'{map}' is no map of labels, and no file", map=str(written)), hint=say(_HINT))
    return [(old, new) for old, _, new in (part.rpartition("=") for part in parts)]


def _in_file(path: Path) -> list[tuple[str, str]]:
    """Two columns, between tabs or commas: a label, and the class that it stands for."""
    pairs: list[tuple[str, str]] = []
    with look(str(path), path).stream() as stream:
        text = stream.read().decode("utf-8-sig", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.split("\t" if "\t" in line else "=" if "," not in line else ",")
        if line.strip() and len(cells) != 2:
            raise DataProblems(
                [Problem(str(path), number, "this is not a label and a class", "give two columns, without a header")]
            )
        if line.strip():
            pairs.append((cells[0], cells[1]))
    return pairs
