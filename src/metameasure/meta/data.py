"""What the questions are asked of: scores of several measures on the same topics and runs, one data set or several."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Better
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparison import Incomplete, complete, direction_of, listed
from metameasure.errors import DataError, UnknownName, UsageError, did_you_mean
from metameasure.formats.paths import check_distinct, expand, run_names, stem
from metameasure.formats.scores import ScoreMatrix, read_scores
from metameasure.scores.baselines import PREFIX
from metameasure.scores.cube import Scores

Floats = npt.NDArray[np.float64]
Names = str | Sequence[str] | None


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


class Selection(TypedDict, total=False):
    """What every question can be told about its scores.

    ``measures`` and ``runs`` choose (names, or patterns such as ``BL-*``); ``incomplete`` says what becomes of holes; ``better``
    is the direction of measures that are not ours, one for all or one each; ``baselines`` keeps the runs called "baseline: ...",
    which are left out otherwise.
    """

    measures: Names
    runs: Names
    incomplete: Incomplete | None
    better: Better | Mapping[str, Better] | None
    baselines: bool
    registry: Registry | None


def data_sets(scores: AnyScores, selection: Selection | None = None) -> list[DataSet]:
    """The data sets in whatever holds scores: an evaluation, matrices (a list of them is one data set, a measure each), score
    files, or several of these in a list or by name. All have the same measures."""
    chosen: Selection = selection or {}
    asked = _names(chosen.get("measures"))
    raw = [_Raw.of(name, source) for name, source in _sources(scores)]
    if not any(part.matrices for part in raw):
        raise UsageError("there are no scores", hint="pass mm.evaluate(...), matrices or score files")
    repeated = [name for name in {part.name for part in raw} if sum(part.name == name for part in raw) > 1]
    if repeated:
        raise UsageError(
            f"two data sets are called '{repeated[0]}'", hint="give each a name of its own: pass {name: scores, ...}"
        )
    measures, notes = _common_measures(raw, asked, chosen)
    found = [_whole(part, measures, chosen) for part in raw]
    return [replace(found[0], notes=(*notes, *found[0].notes)), *found[1:]]


def _names(names: Names) -> list[str]:
    parts = names.split(",") if isinstance(names, str) else list(names or ())
    return [part.strip() for part in parts if part.strip()]


@dataclass(frozen=True, eq=False)
class _Raw:
    """A data set as found: a matrix for each measure, perhaps with holes, and the directions that are known."""

    name: str
    matrices: dict[str, ScoreMatrix]
    known: dict[str, Better | None]
    baselines: frozenset[str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, name: str, source: Any) -> _Raw:
        if isinstance(source, Scores):
            found = [
                ScoreMatrix(measure.id, source.topics, source.runs, values)
                for measure, values in zip(source.measures, source.values, strict=True)
            ]
            known = {measure.id: measure.better for measure in source.measures}
        elif isinstance(source, DataSet):
            found = [
                ScoreMatrix(measure, source.topics, source.runs, values)
                for measure, values in zip(source.measures, source.values, strict=True)
            ]
            known = dict(zip(source.measures, source.better, strict=True))
        else:
            found, known = list(source), {}
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
        runs = frozenset(run for matrix in found for run in matrix.runs if run.startswith(PREFIX))
        return cls(name, matrices, known, runs, source.notes if isinstance(source, DataSet) else ())

    def cube(self, measures: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
        """Topics, runs and scores of the measures; NaN where one lacks what another has."""
        chosen = [self.matrices[measure] for measure in measures]
        topics = tuple(dict.fromkeys(topic for matrix in chosen for topic in matrix.topics))
        runs = tuple(dict.fromkeys(run for matrix in chosen for run in matrix.runs))
        row, column = ({name: place for place, name in enumerate(names)} for names in (topics, runs))
        values = np.full((len(chosen), len(topics), len(runs)), np.nan)
        for place, matrix in enumerate(chosen):
            at = np.ix_([row[topic] for topic in matrix.topics], [column[run] for run in matrix.runs])
            values[place][at] = matrix.values
        return topics, runs, values


def _sources(scores: AnyScores) -> list[tuple[str, Any]]:
    """Each data set's name, and what holds its scores: an evaluation, a data set, or matrices."""
    match scores:
        case Mapping():
            return [(name, held) for name, one in scores.items() for _, held in _one(_sources(one), name)]
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
    raise UsageError(f"cannot ask about {type(scores).__name__}", hint="pass mm.evaluate(...), matrices or score files")


def _listed_sources(parts: list[Any]) -> list[tuple[str, Any]]:
    """Matrices are one data set, a measure each; anything else is a data set each."""
    if all(isinstance(part, ScoreMatrix) for part in parts):
        return [("data", parts)]
    if all(isinstance(part, str | Path) for part in parts):
        return _files(parts)
    if len(parts) == 1:
        return _sources(parts[0])
    named = [(_sources(part), f"data {place + 1}") for place, part in enumerate(parts)]
    return [(held.name if isinstance(held, DataSet) else name, held) for found, name in named for _, held in _one(found, name)]


def _one(found: list[tuple[str, Any]], name: str) -> list[tuple[str, Any]]:
    if len(found) > 1:
        raise UsageError(f"'{name}' holds {len(found)} data sets", hint="name each of them: pass {name: scores, ...}")
    return found


def _files(written: Sequence[str | Path]) -> list[tuple[str, Any]]:
    """A file that names its measures is a data set. Matrices that do not are called as their files are, and those in one folder
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


def _common_measures(raw: list[_Raw], asked: list[str], selection: Selection) -> tuple[list[tuple[str, Better]], tuple[str, ...]]:
    """The measures that every data set has, with their directions; those asked for, in that order."""
    everywhere = [measure for measure in raw[0].matrices if all(measure in part.matrices for part in raw)]
    anywhere = list(dict.fromkeys(measure for part in raw for measure in part.matrices))
    registry = selection.get("registry") or default_registry()
    asked = [_canonical(name, anywhere, registry) for name in asked]
    for name in asked:
        if name not in everywhere:
            lacking = next(part.name for part in raw if name not in part.matrices)
            where = f" in '{lacking}'" if len(raw) > 1 else ""
            near = did_you_mean(name, everywhere) or f"choose from {', '.join(everywhere)}"
            raise UsageError(f"there are no scores of '{name}'{where}", hint=near)
    if not everywhere:
        raise UsageError("no measure has scores in all data sets", hint="evaluate them by the same measures")
    notes = []
    partial = [measure for measure in anywhere if measure not in everywhere]
    if partial and not asked:
        notes.append(f"measure(s) that not every data set has left out: {listed(partial, 'and')}")
    descriptions = [measure for measure in asked or everywhere if _is_description(measure, raw, registry)]
    if descriptions and asked:
        raise UsageError(f"{descriptions[0]} describes the gold; it does not score runs", hint="leave it out of --measures")
    if descriptions:
        notes.append(f"left out, as they score no run: {listed(descriptions, 'and')}")
    chosen = [measure for measure in dict.fromkeys(asked or everywhere) if measure not in descriptions]
    if not chosen:
        raise UsageError("there are no measures that score runs", hint="evaluate by some")
    return [(measure, _direction(measure, raw, selection, registry)) for measure in chosen], tuple(notes)


def _canonical(name: str, known: list[str], registry: Registry) -> str:
    """An alias of a measure as the scores call it."""
    if name in known:
        return name
    try:
        return registry[name].id
    except (UnknownName, UsageError):
        return name


def _is_description(measure: str, raw: list[_Raw], registry: Registry) -> bool:
    for part in raw:
        if measure in part.known:
            return part.known[measure] is None
    try:
        return registry[measure].better is None
    except (UnknownName, UsageError):
        return False


def _direction(measure: str, raw: list[_Raw], selection: Selection, registry: Registry) -> Better:
    told = selection.get("better")
    for part in raw:
        known = part.known.get(measure)
        if known is not None:
            return known
    if isinstance(told, Mapping):
        return direction_of(measure, told.get(measure), registry)
    if told not in (None, "higher", "lower"):
        raise UsageError(f"better is '{told}'", hint="choose higher or lower")
    # One word is about the measures that are not ours; ours know better.
    try:
        return direction_of(measure, None, registry)
    except UsageError:
        return direction_of(measure, told, registry)


def _whole(raw: _Raw, measures: list[tuple[str, Better]], selection: Selection) -> DataSet:
    """The chosen measures and runs, without holes."""
    ids = [measure for measure, _ in measures]
    topics, runs, values = raw.cube(ids)
    notes = list(raw.notes)
    asked = _names(selection.get("runs"))
    kept = chosen_runs(asked, runs, raw.name) if asked else list(runs)
    baselines = [run for run in kept if run in raw.baselines]
    if baselines and not asked and not selection.get("baselines"):
        kept = [run for run in kept if run not in raw.baselines]
        notes.append(f"{len(baselines)} baseline(s) left out; --baselines keeps them")
    values = values[:, :, [runs.index(run) for run in kept]]
    try:
        # A sum is NaN wherever one of its terms is: a hole in any measure.
        whole, told = complete(ScoreMatrix("", topics, tuple(kept), values.sum(axis=0)), selection.get("incomplete"))
    except DataError as error:
        holed = [measure for measure, one in zip(ids, values, strict=True) if np.isnan(one).any()]
        raise DataError(
            f"{raw.name}: {listed(holed, 'and')}: {error.message}", hint=f"{error.hint}, or leave measures out with --measures"
        ) from None
    row, column = ({name: place for place, name in enumerate(names)} for names in (topics, kept))
    at = np.ix_(range(len(ids)), [row[topic] for topic in whole.topics], [column[run] for run in whole.runs])
    found = DataSet(
        raw.name, tuple(ids), tuple(better for _, better in measures), whole.topics, whole.runs, values[at], (*notes, *told)
    )
    _check(found)
    return found


def chosen_runs(asked: Sequence[str], runs: Sequence[str], where: str) -> list[str]:
    """The runs of these names, or that match these patterns, in the order asked for."""
    found: list[str] = []
    for name in asked:
        matched = [name] if name in runs else [run for run in runs if fnmatchcase(run, name)]
        if not matched:
            raise UsageError(
                f"there is no run '{name}' in '{where}'", hint=did_you_mean(name, runs) or f"there are {listed(runs)}"
            )
        found += [run for run in matched if run not in found]
    return found


def _check(data: DataSet) -> None:
    """What no question can work on."""
    _, topics, runs = data.values.shape
    if runs < 2 or topics < 1:
        raise DataError(
            f"{data.name}: {runs} run(s) and {topics} topic(s) with complete scores", hint="rankings need at least two runs"
        )
    if not np.all(np.isfinite(data.values)):
        measure, topic, run = np.argwhere(~np.isfinite(data.values))[0]
        raise DataError(
            f"{data.name}: {data.measures[measure]} of '{data.runs[run]}' on '{data.topics[topic]}' is infinite",
            hint="leave out the measure, the run or the topic",
        )


def check_topics(data: Sequence[DataSet], least: int, why: str) -> None:
    """DataError where a data set has too few topics for a question."""
    for part in data:
        if len(part.topics) < least:
            raise DataError(f"{part.name}: {len(part.topics)} topic(s)", hint=f"{why} (--partitions makes topics of items)")
