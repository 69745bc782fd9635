"""What the questions are asked of: scores of several measures on the same topics and runs, one data set or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TypedDict

import numpy as np

from metameasure.catalogue.measure import Better
from metameasure.catalogue.parameters import split_unescaped
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.errors import DataError, UnknownName, UsageError, did_you_mean
from metameasure.meta.sources import AnyScores, DataSet, Raw, sources
from metameasure.scores.matrix import Incomplete, complete, direction_of, listed
from metameasure.tables.scores import ScoreMatrix

__all__ = ["AnyScores", "DataSet", "Names", "Selection", "canonical", "check_topics", "chosen_runs", "data_sets", "listed_names"]

Names = str | Sequence[str] | None


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
    asked = listed_names(chosen.get("measures"))
    raw = [Raw.of(name, source) for name, source in sources(scores)]
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


def listed_names(names: Names) -> list[str]:
    r"""A list of names, or a text with commas between them; a comma within a name is escaped, as in ``f1@a\,b``."""
    parts = split_unescaped(names, ",") if isinstance(names, str) else list(names or ())
    return [part.strip() for part in parts if part.strip()]


def _common_measures(raw: list[Raw], asked: list[str], selection: Selection) -> tuple[list[tuple[str, Better]], tuple[str, ...]]:
    """The measures that every data set has, with their directions; those asked for, in that order."""
    everywhere = [measure for measure in raw[0].matrices if all(measure in part.matrices for part in raw)]
    anywhere = list(dict.fromkeys(measure for part in raw for measure in part.matrices))
    registry = selection.get("registry") or default_registry()
    asked = [canonical(name, anywhere, registry) for name in asked]
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
    directed = [(measure, _direction(measure, raw, selection, registry)) for measure in chosen]
    _check_told(directed, raw, selection, registry)
    return directed, tuple(notes)


def canonical(name: str, known: Sequence[str], registry: Registry) -> str:
    """An alias of a measure as the scores call it."""
    if name in known:
        return name
    try:
        return registry[name].id
    except (UnknownName, UsageError):
        return name


def _is_description(measure: str, raw: list[Raw], registry: Registry) -> bool:
    for part in raw:
        if measure in part.known:
            return part.known[measure] is None
    try:
        return registry[measure].better is None
    except (UnknownName, UsageError):
        return False


def _direction(measure: str, raw: list[Raw], selection: Selection, registry: Registry) -> Better:
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


def _check_told(measures: list[tuple[str, Better]], raw: list[Raw], selection: Selection, registry: Registry) -> None:
    """A direction that no measure needed, and that one contradicts, is a mistake."""
    told = selection.get("better")
    if isinstance(told, Mapping):
        _check_named(told, list(dict.fromkeys(measure for part in raw for measure in part.matrices)), registry)
    if told not in ("higher", "lower"):
        return
    without: Selection = {"better": None}
    for measure, _ in measures:
        try:
            _direction(measure, raw, without, registry)
        except UsageError:
            return
    for measure, better in measures:
        if better != told:
            raise UsageError(f"of {measure}, {better} is better", hint="leave out --better")


def _check_named(told: Mapping[str, Better], known: list[str], registry: Registry) -> None:
    """A direction of a measure that has no scores is a mistyped name."""
    for name in told:
        if canonical(name, known, registry) not in known:
            near = did_you_mean(name, known) or f"choose from {', '.join(known)}"
            raise UsageError(f"--better names '{name}', which has no scores", hint=near)


def _whole(raw: Raw, measures: list[tuple[str, Better]], selection: Selection) -> DataSet:
    """The chosen measures and runs, without holes."""
    ids = [measure for measure, _ in measures]
    topics, runs, values = raw.cube(ids)
    notes = list(raw.notes)
    asked = listed_names(selection.get("runs"))
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
    never = [measure for measure, one in zip(ids, values, strict=True) if np.isnan(one).all()]
    if never:
        raise DataError(f"{raw.name}: {listed(never, 'and')}: undefined everywhere", hint="leave it out with --measures")
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
            f"{data.name}: {runs} run(s) and {topics} topic(s) with complete scores",
            hint="rankings need at least two runs and a topic; leave out measures with many holes (--measures)",
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
            raise DataError(
                f"{part.name}: {len(part.topics)} topic(s), but {least} needed",
                hint=f"{why} (--partitions makes topics of items)",
            )
