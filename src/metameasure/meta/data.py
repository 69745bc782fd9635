"""What the questions are asked of: scores of several measures on the same topics and runs, of one data set or several."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

import numpy as np

from metameasure.catalogue.foreign import foreign
from metameasure.catalogue.measure import Measures
from metameasure.catalogue.parameters import split_unescaped
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import Better, Incomplete
from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import say, warn
from metameasure.core.notes import counted, listed, too_few
from metameasure.core.signature import Signature
from metameasure.core.validity import named
from metameasure.scores.run_names import runs_like
from metameasure.scores.scores import Scores
from metameasure.scores.selecting import (
    canonical,
    complete,
    direction_of,
    made_of_scores,
    of_runs,
    with_complete_scores,
    without_baselines,
)
from metameasure.scores.sources import AnyScores as AnyScores  # noqa: PLC0414 - questions take it from here
from metameasure.scores.sources import as_one, sources
from metameasure.show.table import Signed
from metameasure.statistics.checkpoint import resuming
from metameasure.statistics.pieces import fingerprint

Names = str | Sequence[str] | None
_NOT_SET = frozenset({
    "registry", "threads", "resume", "runs", "distributions", "gold", "estimates", "classes", "strengths", "run_a", "run_b",
})  # fmt: skip
P = ParamSpec("P")
Answer = TypeVar("Answer", bound=Signed)

DataSets = Mapping[str, Scores]
"""Data sets by name. Those that were selected and checked have the same measures, which all order runs, and no holes."""


class Selection(TypedDict, total=False):
    """The options of every question about its scores.

    ``measures`` and ``runs`` choose (names, or patterns such as ``BL-*``); ``incomplete`` says what becomes of holes; ``better``
    is the direction of measures that are not ours, one for all or one each; ``baselines`` keeps the baselines,
    which are left out otherwise. Where it makes sense, ``leave_out`` has the question answered once more without each of these
    runs, or of the groups of runs that match these patterns; ``validity`` names the rows of docs/validity.md behind its intervals
    and p-values. ``resume`` names a file in which finished pieces of work are kept,
    and from which the same question goes on where it was interrupted.
    """

    measures: Measures | None
    runs: Names
    incomplete: Incomplete | None
    better: Better | Mapping[str, Better] | None
    baselines: bool
    registry: Registry | None
    leave_out: Names
    validity: bool
    resume: str | Path | None


def data_sets(scores: AnyScores, selection: Selection | None = None) -> dict[str, Scores]:
    """The data sets that the questions are asked of, in whatever holds scores.

    Parameters
    ----------
    scores : Scores, path, list or dict
        An evaluation, scores of one measure each (a list of them is one data set), score files, or several of these in a list or
        by name. What was selected before stays as it is.
    selection : dict, optional
        The options that all questions have, by name: ``measures``, ``runs``, ``incomplete``, ``better``, ``baselines`` and
        ``registry``.

    Returns
    -------
    dict
        The scores of each data set by its name, without holes, by the measures that all of them have.

    Raises
    ------
    UsageError
        If there are no such measures or runs.
    DataError
        If scores are missing and ``incomplete`` does not say what to do.

    Notes
    -----
    Measures that describe the gold do not order runs, and are left out. Every question takes what this gives.

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.ScoreMatrix("kappa", ["a", "b"], ["first", "second"], [[0.1, 0.3], [0.4, 0.5]])
    >>> found = mm.meta.data_sets({"2016": scores, "2017": scores}, {"runs": ["second", "first"]})
    >>> [(name, one.runs) for name, one in found.items()]
    [('2016', ('second', 'first')), ('2017', ('second', 'first'))]

    """
    chosen: Selection = selection or {}
    if chosen.get("leave_out"):
        raise UsageError(say("{--leave-out} is not for this question"), hint=say("name the runs to keep: {--runs A,B}"))
    raw = named_sources(scores)
    if not any(part.measures for part in raw.values()):
        raise UsageError("there are no scores", hint="pass mm.evaluate(...), matrices or score files")
    measures, notes = _common_measures(raw, chosen)
    whole = {name: _whole(name, part, measures, chosen) for name, part in raw.items()}
    first = next(iter(whole))
    return whole | {first: replace(whole[first], left_out=(*notes, *whole[first].left_out))}


def without_matching(data: DataSets, pattern: str) -> dict[str, Scores]:
    """The data sets without the runs of that name, or that match the pattern."""
    matched = {name: set(runs_like(pattern, part.runs)) for name, part in data.items()}
    if not any(matched.values()):
        name, part = next(iter(data.items()))
        chosen_runs([pattern], part.runs, name)  # which says that there are none
    left = {name: of_runs(part, [run not in matched[name] for run in part.runs]) for name, part in data.items()}
    for name, part in left.items():
        _check(f"{name} without {pattern}", part)
    return left


def measures_of(data: DataSets) -> tuple[str, ...]:
    """The ids of the measures that all data sets have."""
    return next(iter(data.values())).ids


def listed_names(names: Names | Measures) -> list[str]:
    r"""A list of names, or a text with commas between them; a comma within a name is escaped, as in ``f1@a\,b``."""
    if isinstance(names, str):
        parts: list[Any] = split_unescaped(names, ",")
    else:
        parts = list(names or ()) if names is None or isinstance(names, Iterable) else [names]  # one, such as a measure
    return [name for part in parts if (name := str(part).strip())]


def _common_measures(raw: DataSets, selection: Selection) -> tuple[dict[str, Better], tuple[str, ...]]:
    """The measures that every data set has, with their directions; those asked for, in that order."""
    anywhere = list(dict.fromkeys(measure for part in raw.values() for measure in part.ids))
    everywhere = [measure for measure in anywhere if all(measure in part.ids for part in raw.values())]
    registry = selection.get("registry") or default_registry()
    names = [canonical(name, anywhere, registry) for name in listed_names(selection.get("measures"))]
    for name in names:
        if name not in everywhere:
            lacking = [f" in '{part}'" for part, held in raw.items() if name not in held.ids]
            near = did_you_mean(name, everywhere) or f"choose from {', '.join(everywhere)}"
            raise UsageError(f"there are no scores of '{name}'{lacking[0] if len(raw) > 1 else ''}", hint=near)
    if not everywhere:
        raise UsageError("no measure has scores in all data sets", hint="evaluate them with the same measures")
    known = {measure: _known(measure, raw, registry) for measure in dict.fromkeys(names or everywhere)}
    descriptions = [measure for measure, better in known.items() if better == "neither"]
    if descriptions and names:
        raise UsageError(
            f"{descriptions[0]} describes the gold; it does not score runs", hint=say("leave it out of {--measures}")
        )
    if len(descriptions) == len(known):
        raise UsageError("there are no measures that score runs", hint="evaluate with some")
    partial = [] if names else [measure for measure in anywhere if measure not in everywhere]
    left_out = {"not every data set has them": partial, "they do not score runs": descriptions}
    notes = tuple(
        warn("measures left out", "left out because {why}: {names}", why=why, names=listed(ids, "and"))
        for why, ids in left_out.items()
        if ids
    )
    scoring = {measure: better for measure, better in known.items() if better != "neither"}
    return _directions(scoring, selection.get("better"), anywhere, registry), notes


def with_scores(name: str, measures: Sequence[str], registry: Registry, what: str = "measure") -> str:
    """The measure that a user names, as the scores call it; UsageError where there are no scores of it."""
    id = canonical(name, measures, registry)
    if id not in measures:
        hint = did_you_mean(id, measures) or f"choose from {', '.join(measures)}"
        raise UsageError(f"the {what} '{id}' has no scores here", hint=hint)
    return id


def _known(measure: str, raw: DataSets, registry: Registry) -> Better | Literal["neither"] | None:
    """Which scores of a measure are better, or "neither" if it describes the gold; None if the measure is unknown."""
    declared = (one for part in raw.values() for one in part.measures if one.id == measure)
    entry = next((one for one in declared if one.kind != "foreign" or one.better), None) or registry.find(measure)
    return (entry.better or "neither") if entry else None


def _directions(
    known: Mapping[str, Better | None], better: Better | Mapping[str, Better] | None, names: list[str], registry: Registry
) -> dict[str, Better]:
    """The direction of each measure. One word is about the measures that nobody knows, or about all if there are none: then it
    can be a mistake."""
    if isinstance(better, Mapping):
        said = {canonical(name, names, registry): one for name, one in better.items()}
        for name in said:
            if name not in names:
                near = did_you_mean(name, names) or f"choose from {', '.join(names)}"
                raise UsageError(say("{--better} names '{name}', which has no scores", name=name), hint=near)
    elif better in (None, "higher", "lower"):
        unknown = [measure for measure, direction in known.items() if direction is None]
        said = dict.fromkeys(unknown or known, better) if better else {}
    else:
        raise UsageError(f"better is '{better}'", hint="choose higher or lower")
    for measure, direction in known.items():
        if direction and said.get(measure, direction) != direction:
            raise UsageError(f"{direction} scores of {measure} are better", hint=say("leave out {--better}"))
    return {measure: direction or direction_of(measure, said.get(measure), registry) for measure, direction in known.items()}


def _whole(name: str, scores: Scores, measures: Mapping[str, Better], selection: Selection) -> Scores:
    """The chosen measures and runs, without holes, topics in the order of their names: nothing drawn depends on the order of rows
    in a file. Baselines that are kept are runs like the others."""
    scores = scores.of([scores.measures[scores.ids.index(id)] for id in measures])
    there = np.ones(scores.values.shape, dtype=bool) if scores.there is None else scores.there
    topics, runs = (np.flatnonzero(there.any(axis=axes)).tolist() for axes in ((0, 2), (0, 1)))
    scores = scores.at(sorted(topics, key=scores.topics.__getitem__), runs)
    patterns = listed_names(selection.get("runs"))
    if patterns:
        chosen = [scores.runs.index(run) for run in chosen_runs(patterns, scores.runs, name)]
        scores = scores.at(range(len(scores.topics)), chosen)
    else:
        scores = without_baselines(scores, baselines=bool(selection.get("baselines")))
    holed = [id for id, one in zip(measures, scores.values, strict=True) if np.isnan(one).any()]
    never = [id for id, one in zip(measures, scores.values, strict=True) if np.isnan(one).all()]
    try:
        whole = complete(scores, selection.get("incomplete"))
    except DataError as error:
        raise DataError(
            say("{name}: {measures}: {message}", name=name, measures=listed(holed, "and"), message=error.message),
            hint=say("{hint}, or leave measures out with {--measures}", hint=error.hint),
        ) from None
    if never:
        raise DataError(
            say("{name}: {measures}: undefined everywhere", name=name, measures=listed(never, "and")),
            hint=say("leave it out with {--measures}"),
        )
    directed = [
        one if one.better else foreign(one.id, better) for one, better in zip(whole.measures, measures.values(), strict=True)
    ]
    whole = replace(whole, measures=tuple(directed), baselines=frozenset(), by_name=False)
    _check(name, whole)
    return whole


def chosen_runs(patterns: Sequence[str], runs: Sequence[str], where: str) -> list[str]:
    """The runs of these names, or that match these patterns, in the order asked for."""
    chosen: list[str] = []
    for name in patterns:
        matched = runs_like(name, runs)
        if not matched:
            raise UsageError(
                say("there is no run '{run}' in '{where}'", run=name, where=where),
                hint=did_you_mean(name, runs) or say("there are {runs}", runs=listed(runs)),
            )
        chosen += [run for run in matched if run not in chosen]
    return chosen


def leaves_out(ask: Callable[P, Answer]) -> Callable[P, Answer]:
    """A question that is asked once more without each group of runs that ``leave_out`` names."""

    @wraps(ask)
    def asked(*args: P.args, **options: P.kwargs) -> Answer:
        keywords: dict[str, Any] = dict(options)
        patterns = listed_names(keywords.pop("leave_out", None))
        if not patterns:
            return ask(*args, **options)
        again: Any = ask
        data, others = _taken(args, keywords)
        left = (replace(again(without_matching(data, one), *others, **keywords), name=f"without {one}") for one in patterns)
        finding: Answer = replace(again(data, *others, **keywords), left_out=tuple(left))
        return finding

    return asked


def names_methods(ask: Callable[P, Answer]) -> Callable[P, Answer]:
    """A question whose answer names the rows of docs/validity.md behind its numbers where ``validity`` asks for that."""

    @wraps(ask)
    def asked(*args: P.args, **options: P.kwargs) -> Answer:
        keywords: dict[str, Any] = dict(options)
        wanted = keywords.pop("validity", False)
        again: Any = ask
        finding = again(*args, **keywords)
        return replace(finding, notes=(*finding.notes, *named(finding.validity))) if wanted else finding  # type: ignore[no-any-return]

    return asked


def resumable(ask: Callable[P, Answer]) -> Callable[P, Answer]:
    """A question whose finished pieces of work are kept in the file that ``resume`` names, and taken from there."""
    defaults = {one.name: one.default for one in inspect.signature(ask).parameters.values() if one.kind is one.KEYWORD_ONLY}

    @wraps(ask)
    def asked(*args: P.args, **options: P.kwargs) -> Answer:
        keywords: dict[str, Any] = dict(options)
        path = keywords.pop("resume", None)
        again: Any = ask
        given: tuple[Any, ...] = args or (keywords.pop("scores"),)
        scores, *others = given
        held, made = _with_signature(scores)
        how = {"command": f"meta.{ask.__name__}", **_settings({**defaults, **keywords}, others)}
        if path is None:
            return _signed(again(held, *others, **keywords), made, how)  # type: ignore[no-any-return]
        data, others = _taken((held, *others), keywords)
        settings = {name: value for name, value in {**defaults, **keywords}.items() if name not in ("registry", "threads")}
        what = f"meta {ask.__name__}"
        with resuming(
            path,
            what,
            data=fingerprint({name: cells(part) for name, part in data.items()}),
            settings=settings | ({"runs": others} if others else {}),
        ):
            return _signed(again(data, *others, **keywords), made, how)  # type: ignore[no-any-return]

    return asked


def _signed(finding: Any, made: Signature, how: Mapping[str, Any]) -> Any:
    """An answer with its signature. What was settled on the way stands where it does when it is asked for."""
    return replace(finding, made=made.having(**{**how, **finding.settled()}))


def cells(scores: Scores) -> tuple[Any, ...]:
    """What the answers of questions depend on."""
    return scores.ids, scores.topics, scores.runs, scores.oriented_values()


def _with_signature(scores: Any) -> tuple[Any, Signature]:
    """What scores are read from, read once; and how they were made. An answer may stand for the scores that it was made of."""
    if isinstance(scores, Signed) and not isinstance(scores, Scores):
        return scores, scores.made
    named = sources(scores)
    return dict(named) if len({name for name, _ in named}) == len(named) else scores, made_of_sources(named)


def made_of_sources(named: Sequence[tuple[str, Scores]]) -> Signature:
    """How scores were made; of several data sets, a digest of each."""
    each = {name: made_of_scores(held) for name, held in named}
    if len(each) == 1:
        return next(iter(each.values()))
    return Signature(data={name: made.short()["digest"] for name, made in each.items()}).signed()


def _settings(keywords: Mapping[str, Any], runs: Sequence[str]) -> dict[str, Any]:
    """The options of a question as a signature has them: without those that change no number, or that are not set."""
    selected = [run for run in runs if run] or listed_names(keywords.get("runs")) or None
    lists = {name: listed_names(keywords[name]) or None for name in ("measures", "reference", "leave_out") if name in keywords}
    if keywords.get("pairs"):  # of measures, as a user writes them
        pairs = keywords["pairs"]
        each = (":".join(re.sub(r"(?<!\\):", r"\:", name) for name in pair) for pair in pairs)
        lists["pairs"] = split_unescaped(pairs, ",") if isinstance(pairs, str) else [*each]
    others = {name: value for name, value in keywords.items() if name not in (*_NOT_SET, *lists)}
    return {name: None if value is False else value for name, value in others.items()} | lists | {"selected": selected}


def _taken(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[dict[str, Scores], list[Any]]:
    """The data that a question is asked of, selected by what is taken out of the arguments; and its other arguments by place."""
    scores, *others = args or [keywords.pop("scores")]
    selecting = [name for name in Selection.__annotations__ if name in keywords and name not in ("registry", "leave_out")]
    selection: Any = {name: keywords.pop(name) for name in selecting}
    return data_sets(scores, {**selection, "registry": keywords.get("registry")}), others  # type: ignore[arg-type]


def _check(name: str, data: Scores) -> None:
    """DataError for a data set that no question can work on."""
    _, topics, runs = data.values.shape
    if runs < 2 or topics < 1:
        raise DataError(
            too_few(with_complete_scores(runs, topics), "a ranking", "2 runs and 1 topic", name),
            hint=say("leave out measures with many holes ({--measures})") if data.left_out else "give scores of several runs",
        )
    if not np.all(np.isfinite(data.values)):
        measure, topic, run = np.argwhere(~np.isfinite(data.values))[0]
        raise DataError(
            say(
                "{name}: {measure} of '{run}' on '{topic}' is infinite",
                name=name,
                measure=data.ids[measure],
                run=data.runs[run],
                topic=data.topics[topic],
            ),
            hint="leave out the measure, the run or the topic",
        )


def check_topics(data: DataSets, least: int, what: str) -> None:
    """DataError where a data set has too few topics for a question."""
    for name, part in data.items():
        if len(part.topics) < least:
            raise DataError(
                too_few(counted(len(part.topics), "topic"), what, least, name),
                hint=say("divide items into topics ({--partitions K})"),
            )


def named_sources(scores: AnyScores) -> dict[str, Scores]:
    """Each data set's scores by its name, as found, perhaps with holes; every measure has a name."""
    found = sources(scores)
    names = [name for name, _ in found]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise UsageError(
            f"two data sets are called '{repeated[0]}'", hint="give each a name of its own: pass {name: scores, ...}"
        )
    return {name: as_one(name, held) for name, held in found}
