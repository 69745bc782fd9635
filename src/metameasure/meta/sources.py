"""Where scores come from: evaluations, matrices and files, one data set or several."""

from __future__ import annotations

import tempfile
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Better, Measure
from metameasure.catalogue.registry import Registry
from metameasure.errors import DataError, UnknownName, UsageError
from metameasure.scores.cube import Scores
from metameasure.scores.run_names import PREFIX
from metameasure.statistics.arrays import Floats
from metameasure.tables.frames import is_frame
from metameasure.tables.inputs import check_distinct, expand, run_names, stem
from metameasure.tables.scores import ScoreMatrix, frame_scores, read_scores


@dataclass(frozen=True, eq=False)
class DataSet:
    """Scores (measures, topics, runs) without holes. ``better`` has the direction of each measure."""

    name: str
    measures: tuple[str, ...]
    better: tuple[Better, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    values: Floats
    notes: tuple[str, ...] = ()

    def without(self, runs: Container[str]) -> DataSet:
        """The scores of the other runs."""
        kept = [place for place, run in enumerate(self.runs) if run not in runs]
        return replace(self, runs=tuple(self.runs[place] for place in kept), values=self.values[:, :, kept])

    def oriented(self) -> Floats:
        """The scores, so that higher is better."""
        signs = np.array([1.0 if better == "higher" else -1.0 for better in self.better])
        turned: Floats = self.values * signs[:, None, None]
        return turned

    def means(self) -> Floats:
        """(measures, runs): means over topics, so that higher is better."""
        means: Floats = self.oriented().mean(axis=1)
        return means


ScoresOf = Scores | ScoreMatrix | DataSet | str | Path
AnyScores = ScoresOf | Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Raw:
    """A data set as found: a matrix for each measure, perhaps with holes, and the directions that are known."""

    name: str
    matrices: dict[str, ScoreMatrix]
    known: dict[str, Better | None]
    baselines: frozenset[str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, name: str, source: Any) -> Raw:
        match source:
            case Scores():
                known = {measure.id: measure.better for measure in source.measures}
            case DataSet():
                known = dict(zip(source.measures, source.better, strict=True))
            case _:
                known = {}
        found = (
            list(source)
            if not known
            else [
                ScoreMatrix(measure, source.topics, source.runs, values)
                for measure, values in zip(known, source.values, strict=True)
            ]
        )
        matrices: dict[str, ScoreMatrix] = {}
        for place, matrix in enumerate(found):
            measure = matrix.measure or ("score" if len(found) == 1 else "")
            if not measure:
                raise UsageError(f"matrix {place + 1} does not say its measure", hint="as in mm.ScoreMatrix('rnod', ...)")
            if measure in matrices:
                raise UsageError(
                    f"there are two matrices of {measure}", hint="name several data sets: pass {'2016': [...], '2017': [...]}"
                )
            for what, names in (("runs", matrix.runs), ("topics", matrix.topics)):
                if len(set(names)) < len(names):
                    twice = next(one for one in names if names.count(one) > 1)
                    raise DataError(f"{name}: two {what} are called '{twice}'", hint="give each a name of its own")
            matrices[measure] = matrix
        named = frozenset(run for matrix in found for run in matrix.runs if run.startswith(PREFIX))
        baselines = source.baselines if isinstance(source, Scores) else named
        return cls(name, matrices, known, baselines, source.notes if isinstance(source, DataSet) else ())

    def cube(self, measures: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
        """Topics, runs and scores of the measures; NaN where one lacks what another has. Topics are in the order of their names,
        so that nothing drawn depends on the order of rows in a file."""
        chosen = [self.matrices[measure] for measure in measures]
        topics = tuple(sorted({topic for matrix in chosen for topic in matrix.topics}))
        runs = tuple(dict.fromkeys(run for matrix in chosen for run in matrix.runs))
        row, column = ({name: place for place, name in enumerate(names)} for names in (topics, runs))
        values = np.full((len(chosen), len(topics), len(runs)), np.nan)
        for place, matrix in enumerate(chosen):
            at = np.ix_([row[topic] for topic in matrix.topics], [column[run] for run in matrix.runs])
            values[place][at] = matrix.values
        return topics, runs, values


def ours(name: str, registry: Registry) -> Measure | None:
    """The measure of that name; None where it is not one of ours."""
    try:
        return registry[name]
    except (UnknownName, UsageError):
        return None


def sources(scores: AnyScores) -> list[tuple[str, Any]]:
    """Each data set's name, and what holds its scores: an evaluation, a data set, or matrices."""
    if is_frame(scores):
        scores = {"data": frame_scores(scores)}
    match scores:
        case Mapping():
            return [(name, held) for name, one in scores.items() for _, held in _one(sources(one), name)]
        case str() | Path():
            return _files([scores])
        case DataSet():
            return [(scores.name, scores)]
        case Scores():
            return [("data", scores)]
        case ScoreMatrix():
            return [("data", [scores])]
        case Iterable():
            return _listed_sources(list(scores))
    raise UsageError(f"cannot read scores from {type(scores).__name__}", hint="pass mm.evaluate(...), matrices or score files")


def _listed_sources(parts: list[Any]) -> list[tuple[str, Any]]:
    """Matrices are one data set, a measure each; anything else is a data set each."""
    if all(isinstance(part, ScoreMatrix) for part in parts):
        return [("data", parts)]
    if all(isinstance(part, str | Path) for part in parts):
        return _files(parts)
    if len(parts) == 1:
        return sources(parts[0])
    named = [(sources(part), f"data {place + 1}") for place, part in enumerate(parts)]
    return [(held.name if isinstance(held, DataSet) else name, held) for found, name in named for _, held in _one(found, name)]


def _one(found: list[tuple[str, Any]], name: str) -> list[tuple[str, Any]]:
    if len(found) > 1:
        raise UsageError(f"'{name}' holds {len(found)} data sets", hint="name each of them: pass {name: scores, ...}")
    return found


def _files(written: Sequence[str | Path]) -> list[tuple[str, Any]]:
    """A file that names its measures is a data set. Matrices that do not are named after their files, and those in one folder
    are one data set."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        files = expand(written, Path(scratch))
        read = [read_scores(shown, path, Path(scratch)) for shown, path in files]
    check_distinct(None, files)
    sources: dict[Path, list[ScoreMatrix]] = {}
    for (shown, _), matrices in zip(files, read, strict=True):
        place = Path(shown).resolve()
        if len(matrices) == 1 and not matrices[0].measure:
            sources.setdefault(place.parent / "_", []).append(replace(matrices[0], measure=stem(Path(shown))))
        else:
            sources[place] = matrices
    named = [place.parent if place.name == "_" else place for place in sources]
    return list(zip(run_names([str(place) for place in named]), sources.values(), strict=True))
