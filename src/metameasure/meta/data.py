"""What the questions are asked of: scores of several measures on the same topics and runs, one data set or several; from
evaluations, matrices or files."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

import numpy as np

from metameasure.catalogue.parameters import split_unescaped
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import Better, Incomplete
from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import say, warn
from metameasure.core.notes import counted, listed
from metameasure.core.output import real
from metameasure.core.signature import Signature
from metameasure.core.validity import named
from metameasure.evidence.base import is_saved
from metameasure.reading.frames import is_frame
from metameasure.reading.inputs import check_distinct, expand, run_names, stem
from metameasure.scores.files import ScoreMatrix, frame_scores, read_scores
from metameasure.scores.matrix import complete, direction_of, made_of_scores
from metameasure.scores.run_names import baselines_of, left_out, runs_like
from metameasure.scores.scores import Scores
from metameasure.show.table import Signed
from metameasure.statistics.arrays import Floats
from metameasure.statistics.checkpoint import resuming
from metameasure.statistics.pieces import fingerprint

Names = str | Sequence[str] | None
_NOT_SET = frozenset({
    "registry", "threads", "resume", "runs", "distributions", "gold", "estimates", "classes", "strengths", "run_a", "run_b",
})  # fmt: skip
P = ParamSpec("P")
Answer = TypeVar("Answer", bound=Signed)


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
    baselines: frozenset[str] = frozenset()
    """Which of the runs are baselines, kept because somebody asked for them."""

    def without(self, runs: Container[str]) -> DataSet:
        """The scores of the other runs."""
        kept = [place for place, run in enumerate(self.runs) if run not in runs]
        return replace(self, runs=tuple(self.runs[place] for place in kept), values=self.values[:, :, kept])

    def oriented(self) -> Floats:
        """The scores, so that higher is better."""
        signs = np.array([1.0 if better == "higher" else -1.0 for better in self.better])
        return np.asarray(self.values * signs[:, None, None])

    def means(self) -> Floats:
        """(measures, runs): means over topics, so that higher is better."""
        return np.asarray(self.oriented().mean(axis=1))


ScoresOf = Scores | ScoreMatrix | DataSet | str | Path
AnyScores = ScoresOf | Sequence[Any] | Mapping[str, Any]


class Selection(TypedDict, total=False):
    """The options of every question about its scores.

    ``measures`` and ``runs`` choose (names, or patterns such as ``BL-*``); ``incomplete`` says what becomes of holes; ``better``
    is the direction of measures that are not ours, one for all or one each; ``baselines`` keeps the baselines,
    which are left out otherwise. Where it makes sense, ``leave_out`` has the question answered once more without each of these
    runs, or of the groups of runs that match these patterns; ``validity`` names the rows of docs/validity.md behind its intervals
    and p-values. ``resume`` names a file in which finished pieces of work are kept,
    and from which the same question goes on where it was interrupted.
    """

    measures: Names
    runs: Names
    incomplete: Incomplete | None
    better: Better | Mapping[str, Better] | None
    baselines: bool
    registry: Registry | None
    leave_out: Names
    validity: bool
    resume: str | Path | None


class DataSets(tuple[DataSet, ...]):
    """Data sets that were selected and checked: all have the same measures, and no holes."""

    __slots__ = ()

    def without(self, pattern: str) -> DataSets:
        """The data sets without the runs of that name, or that match the pattern."""
        matched = [set(runs_like(pattern, part.runs)) for part in self]
        if not any(matched):
            chosen_runs([pattern], self[0].runs, self[0].name)  # which says that there are none
        for part, left in zip(self, matched, strict=True):
            _checked(replace(part.without(left), name=f"{part.name} without {pattern}"))
        return DataSets(part.without(left) for part, left in zip(self, matched, strict=True))


def data_sets(scores: AnyScores, selection: Selection | None = None) -> DataSets:
    """The data sets in whatever holds scores: an evaluation, matrices (a list of them is one data set, a measure each), score
    files, or several of these in a list or by name. All have the same measures."""
    chosen: Selection = selection or {}
    if isinstance(scores, DataSets) and not any(chosen.get(name) for name in chosen.keys() - {"registry"}):
        return scores
    if chosen.get("leave_out"):
        raise UsageError(say("{--leave-out} is not for this question"), hint=say("name the runs to keep: {--runs A,B}"))
    raw = [Raw.of(name, source) for name, source in sources(scores)]
    if not any(part.matrices for part in raw):
        raise UsageError("there are no scores", hint="pass mm.evaluate(...), matrices or score files")
    repeated = [name for name in {part.name for part in raw} if sum(part.name == name for part in raw) > 1]
    if repeated:
        raise UsageError(
            f"two data sets are called '{repeated[0]}'", hint="give each a name of its own: pass {name: scores, ...}"
        )
    measures, notes = _common_measures(raw, chosen)
    first, *others = [_whole(part, measures, chosen) for part in raw]
    return DataSets([replace(first, notes=(*notes, *first.notes)), *others])


def listed_names(names: Names) -> list[str]:
    r"""A list of names, or a text with commas between them; a comma within a name is escaped, as in ``f1@a\,b``."""
    parts = split_unescaped(names, ",") if isinstance(names, str) else list(names or ())
    return [part.strip() for part in parts if part.strip()]


def _common_measures(raw: list[Raw], selection: Selection) -> tuple[dict[str, Better], tuple[str, ...]]:
    """The measures that every data set has, with their directions; those asked for, in that order."""
    everywhere = [measure for measure in raw[0].matrices if all(measure in part.matrices for part in raw)]
    anywhere = list(dict.fromkeys(measure for part in raw for measure in part.matrices))
    registry = selection.get("registry") or default_registry()
    names = [canonical(name, anywhere, registry) for name in listed_names(selection.get("measures"))]
    for name in names:
        if name not in everywhere:
            lacking = [f" in '{part.name}'" for part in raw if name not in part.matrices]
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


def canonical(name: str, known: Sequence[str], registry: Registry) -> str:
    """An alias of a measure as the scores call it."""
    measure = None if name in known else registry.find(name)
    return measure.id if measure else name


def _known(measure: str, raw: list[Raw], registry: Registry) -> Better | Literal["neither"] | None:
    """Which scores of a measure are better, neither where it describes the gold; None where nobody here knows the measure."""
    for part in raw:
        if measure in part.known:
            return part.known[measure] or "neither"
    entry = registry.find(measure)
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


def _whole(raw: Raw, measures: Mapping[str, Better], selection: Selection) -> DataSet:
    """The chosen measures and runs, without holes."""
    ids = list(measures)
    topics, runs, values = raw.cube(ids)
    notes = list(raw.notes)
    patterns = listed_names(selection.get("runs"))
    kept = chosen_runs(patterns, runs, raw.name) if patterns else list(runs)
    baselines = [run for run in kept if run in raw.baselines]
    if baselines and not patterns and not selection.get("baselines"):
        kept = [run for run in kept if run not in raw.baselines]
        notes.append(left_out(baselines, by_name=raw.by_name))
    values = values[:, :, [runs.index(run) for run in kept]]
    try:
        # A sum is NaN wherever one of its terms is: a hole in any measure.
        whole, more_notes = complete(ScoreMatrix("", topics, tuple(kept), values.sum(axis=0)), selection.get("incomplete"))
    except DataError as error:
        holed = [measure for measure, one in zip(ids, values, strict=True) if np.isnan(one).any()]
        raise DataError(
            f"{raw.name}: {listed(holed, 'and')}: {error.message}",
            hint=say("{hint}, or leave measures out with {--measures}", hint=error.hint),
        ) from None
    never = [measure for measure, one in zip(ids, values, strict=True) if np.isnan(one).all()]
    if never:
        raise DataError(f"{raw.name}: {listed(never, 'and')}: undefined everywhere", hint=say("leave it out with {--measures}"))
    row, column = ({name: place for place, name in enumerate(names)} for names in (topics, kept))
    at = np.ix_(range(len(ids)), [row[topic] for topic in whole.topics], [column[run] for run in whole.runs])
    all_notes = (*notes, *more_notes)
    among = raw.baselines & {*whole.runs}
    return _checked(
        DataSet(raw.name, tuple(ids), tuple(measures.values()), whole.topics, whole.runs, values[at], all_notes, among)
    )


def chosen_runs(patterns: Sequence[str], runs: Sequence[str], where: str) -> list[str]:
    """The runs of these names, or that match these patterns, in the order asked for."""
    chosen: list[str] = []
    for name in patterns:
        matched = runs_like(name, runs)
        if not matched:
            raise UsageError(
                f"there is no run '{name}' in '{where}'", hint=did_you_mean(name, runs) or f"there are {listed(runs)}"
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
        left = (replace(again(data.without(one), *others, **keywords), name=f"without {one}") for one in patterns)
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
        made = made.having(command=f"meta.{ask.__name__}", **_settings({**defaults, **keywords}, others))
        if path is None:
            return replace(again(held, *others, **keywords), made=made)  # type: ignore[no-any-return]
        data, others = _taken((held, *others), keywords)
        settings = {name: value for name, value in {**defaults, **keywords}.items() if name not in ("registry", "threads")}
        what = f"meta {ask.__name__}"
        with resuming(path, what, data=fingerprint(data), settings=settings | ({"runs": others} if others else {})):
            return replace(again(data, *others, **keywords), made=made)  # type: ignore[no-any-return]

    return asked


def _with_signature(scores: Any) -> tuple[Any, Signature]:
    """What scores are read from, read once; and how they were made. An answer may stand for the scores that it was made of."""
    if isinstance(scores, Signed) and not isinstance(scores, Scores):
        return scores, scores.made
    if isinstance(scores, DataSets):
        return scores, made_of_sources([(one.name, one) for one in scores])
    named = sources(scores)
    return dict(named) if len({name for name, _ in named}) == len(named) else scores, made_of_sources(named)


def made_of_sources(named: Sequence[tuple[str, Any]]) -> Signature:
    """How scores were made; of several data sets, a digest of each."""
    each = {
        name: made_of_scores(source if isinstance(source, Scores) else Raw.of(name, source).matrices.values())
        for name, source in named
    }
    if len(each) == 1:
        return next(iter(each.values()))
    return Signature(data={name: made.short()["digest"] for name, made in each.items()}).signed()


def _settings(keywords: Mapping[str, Any], runs: Sequence[str]) -> dict[str, Any]:
    """The options of a question as a signature has them: without those that change no number, or that are not set."""
    selected = [run for run in runs if run] or listed_names(keywords.get("runs")) or None
    lists = {name: listed_names(keywords[name]) or None for name in ("measures", "reference", "leave_out") if name in keywords}
    others = {name: value for name, value in keywords.items() if name not in (*_NOT_SET, *lists)}
    return {name: None if value is False else value for name, value in others.items()} | lists | {"selected": selected}


def _taken(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[DataSets, list[Any]]:
    """The data that a question is asked of, selected by what is taken out of the arguments; and its other arguments by place."""
    scores, *others = args or [keywords.pop("scores")]
    selecting = [name for name in Selection.__annotations__ if name in keywords and name not in ("registry", "leave_out")]
    selection: Any = {name: keywords.pop(name) for name in selecting}
    return data_sets(scores, {**selection, "registry": keywords.get("registry")}), others  # type: ignore[arg-type]


def _checked(data: DataSet) -> DataSet:
    """The data set, unless no question can work on it."""
    _, topics, runs = data.values.shape
    if runs < 2 or topics < 1:
        raise DataError(
            f"{data.name}: {counted(runs, 'run')} and {counted(topics, 'topic')} with complete scores",
            hint=say("rankings need at least two runs and a topic; leave out measures with many holes ({--measures})"),
        )
    if not np.all(np.isfinite(data.values)):
        measure, topic, run = np.argwhere(~np.isfinite(data.values))[0]
        raise DataError(
            f"{data.name}: {data.measures[measure]} of '{data.runs[run]}' on '{data.topics[topic]}' is infinite",
            hint="leave out the measure, the run or the topic",
        )
    return data


def check_topics(data: Sequence[DataSet], least: int, why: str) -> None:
    """DataError where a data set has too few topics for a question."""
    for part in data:
        if len(part.topics) < least:
            raise DataError(
                f"{part.name}: {counted(len(part.topics), 'topic')}, but at least {least} are needed",
                hint=say("{why} ({--partitions} makes topics of items)", why=why),
            )


@dataclass(frozen=True, eq=False)
class Raw:
    """A data set as found: a matrix for each measure, perhaps with holes, and the directions that are known."""

    name: str
    matrices: dict[str, ScoreMatrix]
    known: dict[str, Better | None]
    baselines: frozenset[str]
    notes: tuple[str, ...]
    by_name: bool = False
    """Whether baselines are known by their names only."""

    @classmethod
    def of(cls, name: str, source: Any) -> Raw:
        match source:
            case Scores():
                known = {measure.id: measure.better for measure in source.measures}
            case DataSet():
                known = dict(zip(source.measures, source.better, strict=True))
            case _:
                known = {}
        score_matrices = (
            list(source)
            if not known
            else [
                ScoreMatrix(measure, source.topics, source.runs, values, source.baselines)
                for measure, values in zip(known, source.values, strict=True)
            ]
        )
        matrices: dict[str, ScoreMatrix] = {}
        for place, matrix in enumerate(score_matrices):
            measure = matrix.measure or ("score" if len(score_matrices) == 1 else "")
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
        baselines = frozenset(run for matrix in score_matrices for run in baselines_of(matrix.runs, matrix.baselines))
        by_name = any(matrix.baselines is None for matrix in score_matrices)
        return cls(name, matrices, known, baselines, source.notes if isinstance(source, DataSet) else (), by_name)

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
    return [
        (held.name if isinstance(held, DataSet) else name, held) for contents, name in named for _, held in _one(contents, name)
    ]


def _one(contents: list[tuple[str, Any]], name: str) -> list[tuple[str, Any]]:
    if len(contents) > 1:
        raise UsageError(f"'{name}' holds {len(contents)} data sets", hint="name each of them: pass {name: scores, ...}")
    return contents


def _files(written: Sequence[str | Path]) -> list[tuple[str, Any]]:
    """A file that names its measures is a data set. Matrices that do not are named after their files, and those in one folder
    are one data set."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        files = expand(written, Path(scratch))
        for shown, path in files:
            if is_saved(path):
                raise UsageError(f"'{shown}' is evidence, not scores", hint=say("score it first: {evaluate --scores FILE}"))
        read = [read_scores(shown, path, Path(scratch)) for shown, path in files]
    check_distinct(None, files)
    sources: dict[Path, list[ScoreMatrix]] = {}
    for (shown, _), matrices in zip(files, read, strict=True):
        place = real(shown)
        if len(matrices) == 1 and not matrices[0].measure:
            sources.setdefault(place.parent / "_", []).append(replace(matrices[0], measure=stem(Path(shown))))
        else:
            sources[place] = matrices
    named = [place.parent if place.name == "_" else place for place in sources]
    return list(zip(run_names([str(place) for place in named]), sources.values(), strict=True))
