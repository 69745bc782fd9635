"""The scores that a user passed, data set by data set: one rule for whatever holds scores, for every function that takes them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from metameasure.catalogue.foreign import foreign, known_or_foreign
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import say
from metameasure.core.output import real
from metameasure.evidence.base import is_saved
from metameasure.reading.frames import is_frame
from metameasure.reading.inputs import check_distinct, expand, run_names, stem
from metameasure.scores.files import frame_scores, scores_in
from metameasure.scores.scores import Scores
from metameasure.scores.selecting import joined

AnyScores = Scores | str | Path | Sequence[Any] | Mapping[str, Any]


def lone_source(scores: AnyScores, hint: str) -> tuple[str, Scores]:
    """The name and the scores of the one data set that there is; UsageError with this hint where there are several."""
    found = sources(scores)
    if len(found) != 1:
        raise UsageError(f"there are {len(found)} data sets", hint=hint)
    return found[0]


def as_one(name: str, scores: Scores) -> Scores:
    """The scores of a data set, whose one measure without a name is called score. DataError for a name that comes twice."""
    for what, names in (("runs", scores.runs), ("topics", scores.topics)):
        if len(set(names)) < len(names):
            twice = next(one for one in names if names.count(one) > 1)
            raise DataError(
                say("{name}: two {what} are called '{twice}'", name=name, what=what, twice=twice),
                hint="give each a name of its own",
            )
    return replace(scores, measures=(foreign("score"),)) if scores.ids == ("",) else scores


def sources(scores: AnyScores) -> list[tuple[str, Scores]]:
    """Each data set's name, and its scores."""
    match scores:
        case _ if is_frame(scores):
            return [("data", frame_scores(scores))]
        case Scores():
            return [("data", scores)]
        case Mapping():
            return [(name, held) for name, one in scores.items() for _, held in _one(sources(one), name)]
        case str() | Path():
            return _files([scores])
        case Iterable():
            return _listed_sources(list(scores))
    raise UsageError(f"cannot read scores from {type(scores).__name__}", hint="pass mm.evaluate(...), matrices or score files")


def _listed_sources(parts: list[Any]) -> list[tuple[str, Scores]]:
    """Scores of a measure each, no two of the same, are one data set; anything else is a data set each."""
    if parts and all(isinstance(part, Scores) and len(part.measures) == 1 for part in parts):
        ids = [part.measure for part in parts]
        if len(ids) > 1 and "" in ids:
            hint = "as in mm.ScoreMatrix('rnod', ...)"
            raise UsageError(f"matrix {ids.index('') + 1} does not say its measure", hint=hint)
        if len({*ids}) == len(ids):
            return [("data", joined(parts))]
    if parts and all(isinstance(part, str | Path) for part in parts):
        return _files(parts)
    if len(parts) == 1:
        return sources(parts[0])
    named = [(sources(part), f"data {place + 1}") for place, part in enumerate(parts)]
    return [(name, held) for contents, name in named for _, held in _one(contents, name)]


def _one(contents: list[tuple[str, Scores]], name: str) -> list[tuple[str, Scores]]:
    if len(contents) > 1:
        raise UsageError(f"'{name}' holds {len(contents)} data sets", hint="name each of them: pass {name: scores, ...}")
    return contents


def _files(written: Sequence[str | Path]) -> list[tuple[str, Scores]]:
    """A file that names its measures is a data set. Matrices that do not are named after their files, and those in one folder
    are one data set."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        files = expand(written, Path(scratch))
        for shown, path in files:
            if is_saved(path):
                raise UsageError(f"'{shown}' is evidence, not scores", hint=say("score it first: {evaluate --scores FILE}"))
        read = [scores_in(shown, path, Path(scratch)) for shown, path in files]
    check_distinct((), files)
    found: dict[Path, list[Scores]] = {}
    for (shown, _), held in zip(files, read, strict=True):
        place = real(shown)
        if held.ids == ("",):
            measure = known_or_foreign(stem(Path(shown)), default_registry())
            found.setdefault(place.parent / "_", []).append(replace(held, measures=(measure,)))
        else:
            found[place] = [held]
    named = [place.parent if place.name == "_" else place for place in found]
    return list(zip(run_names([str(place) for place in named]), map(joined, found.values()), strict=True))
