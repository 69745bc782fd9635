"""Everything that a page is made of, computed once: scores, comparisons, questions about the measures, advice. If one of them
fails, the error's message is kept as the reason."""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from metameasure.advice.advising import Advice, Asked, advise_beside
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.compare import compare, compare_over_topics, compare_pooled, is_over_topics
from metameasure.comparing.comparison import Comparison
from metameasure.core.choices import Better
from metameasure.core.errors import MetameasureError, MetameasureWarning, UsageError, did_you_mean
from metameasure.core.messages import Message, say
from metameasure.core.signature import UNSIGNED, Signature, digest_of_numbers
from metameasure.evaluating.evaluate import Evaluation, with_sound_runs
from metameasure.evidence.base import Evidence
from metameasure.meta.data import DataSets, Raw, canonical, data_sets, made_of_sources, sources
from metameasure.meta.finding import Finding
from metameasure.meta.measure_summary import Summary, summary
from metameasure.meta.topic_robustness import robustness
from metameasure.meta.unanimous_coverage import coverage
from metameasure.properties.result import Axioms
from metameasure.properties.search import axioms
from metameasure.reading.inputs import expand, is_once
from metameasure.scores.matrix import direction_of
from metameasure.scores.mean_topics import common_topics
from metameasure.scores.scores import Scores
from metameasure.statistics.arrays import mean_of_defined
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.base import named, named_primary, task_on_evidence
from metameasure.tasks.option_groups import ReportOptions
from metameasure.tasks.what_is import are_scores, check_only_scores, what_is

Floats = npt.NDArray[np.float64]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class PageMeasure:
    """A measure as the page shows it; ``measure`` is None where it is not one of ours."""

    id: str
    better: Better | None
    measure: Measure | None


@dataclass(frozen=True)
class FileRead:
    """A file that was read, by its name and the beginning of its SHA-256."""

    name: str
    checksum: str


@dataclass(frozen=True, eq=False)
class Board:
    """Scores (measures, topics, runs), and of each run its average and the ends of its interval (measures, runs); NaN where there
    is none."""

    measures: tuple[PageMeasure, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    baselines: frozenset[str]
    values: Floats
    means: Floats
    low: Floats
    high: Floats
    topic_word: str = "topic"

    @property
    def own(self) -> list[int]:
        """The places of the runs that are no baselines."""
        return [place for place, run in enumerate(self.runs) if run not in self.baselines]

    def oriented(self, measure: int) -> Floats:
        """Averages by a measure, so that higher is better; what is undefined is worst."""
        sign = -1.0 if self.measures[measure].better == "lower" else 1.0
        return np.where(np.isnan(self.means[measure]), -np.inf, sign * self.means[measure])

    def order(self, measure: int = 0) -> list[int]:
        """All runs from best to worst by a measure, then by name."""
        values = self.oriented(measure)
        return sorted(range(len(self.runs)), key=lambda run: (-values[run], self.runs[run]))

    def ranks(self, measure: int = 0) -> dict[int, int]:
        """The rank of each run that is no baseline, shared by those within rounding."""
        values = self.oriented(measure)
        return {run: 1 + sum(bool(values[other] > values[run] + TIE) for other in self.own) for run in self.own}


@dataclass(frozen=True, eq=False, kw_only=True)
class Content:
    """What the page says, before it is written."""

    board: Board
    seed: int
    scores: Scores | None = None
    evidence: Evidence | None = None
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    findings: Mapping[str, Finding] = field(default_factory=dict)
    advice: Advice | None = None
    properties: Axioms | None = None
    against_humans: Scores | None = None
    why_not: Mapping[str, str] = field(default_factory=dict)
    """By section, why it has nothing to show."""
    files: tuple[FileRead, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    warned: tuple[str, ...] = ()
    made: Signature = UNSIGNED
    """How it was made, but for the numbers."""

    @property
    def signature(self) -> Signature:
        """How the page was made; its numbers are the averages with their intervals, by measure."""
        board = self.board
        ends = (board.means, board.low, board.high)
        rows = {one.id: zip(board.runs, *(part[row] for part in ends), strict=True) for row, one in enumerate(board.measures)}
        return self.made.having(numbers={id: digest_of_numbers(each) for id, each in rows.items()})

    @property
    def primary(self) -> PageMeasure:
        """The measure that runs are ranked by."""
        return self.board.measures[0]

    @property
    def of_the_board(self) -> frozenset[str]:
        """The measures that the organisers chose."""
        return frozenset(one.id for one in self.board.measures)

    @property
    def looked_at(self) -> list[PageMeasure]:
        """The measures of the page, and those that were compared with them."""
        whole, own = self.findings.get("summary"), self.of_the_board
        known = default_registry()
        others = [known.find(id) for id in (whole.measures if whole is not None else ()) if id not in own]
        return [*self.board.measures, *(PageMeasure(one.id, one.better, one) for one in others if one is not None)]

    @property
    def defined(self) -> list[tuple[str, Measure | None]]:
        """Every measure whose numbers are on the page; None for one that is not ours."""
        humans = self.against_humans.measures if self.against_humans is not None else ()
        return [*((one.id, one.measure) for one in self.looked_at), *((one.id, one) for one in humans)]

    @property
    def better(self) -> dict[str, Better | None]:
        """Of each measure, which scores are better."""
        return {one.id: one.better for one in self.looked_at}


@dataclass(frozen=True, kw_only=True)
class Request(ReportOptions):
    """The options of a page, besides the data."""

    @property
    def known(self) -> Registry:
        return self.registry or default_registry()

    @property
    def tests(self) -> dict[str, Any]:
        """The options of every test of significance."""
        return {"trials": self.trials, "alpha": self.alpha, "seed": self.seed}

    @property
    def comparing(self) -> dict[str, Any]:
        """The options of comparisons of runs."""
        return {"registry": self.registry, "units": self.units, **self.tests}


class _Attempts:
    """Answers, or why there is none."""

    def __init__(self) -> None:
        self.why_not: dict[str, str] = {}

    def at(self, section: str, ask: Callable[[], Answer]) -> Answer | None:
        try:
            return ask()
        except MetameasureError as error:
            self.why_not[section] = str(error)
            return None


def gather(data: Any, runs: Any, request: Request) -> Content:
    """Everything about gold and runs, evidence, or scores alone."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MetameasureWarning)
        content = _gathered(data, runs, request)
    tests = {"trials": request.trials, "alpha": request.alpha, "seed": request.seed}
    made = content.made.having(command="report", **tests, skip_broken=request.skip_broken or None)
    content = replace(content, made=made.having(measures=[one.id for one in content.board.measures], better=request.better))
    said = (one.message for one in caught if isinstance(one.message, MetameasureWarning))
    warned = dict.fromkeys(_by_file_names(warning.args[0]) for warning in said)
    scores = content.scores
    if scores is not None:
        scores = replace(scores, notes=tuple(map(_by_file_names, scores.notes)))
    comparisons = {id: replace(one, notes=tuple(map(_by_file_names, one.notes))) for id, one in content.comparisons.items()}
    return replace(content, scores=scores, comparisons=comparisons, warned=tuple(warned))


def _by_file_names(text: str) -> str:
    """Files in notes and warnings by their names alone: a page says the same wherever it is made."""
    return text.by_file_names() if isinstance(text, Message) else text


def _gathered(data: Any, runs: Any, request: Request) -> Content:
    if what_is(data, runs, request.told(), request.task) != "scores":
        return _of_data(data, runs, request)
    check_only_scores(data, request.told(), "classification" if are_scores(data) else request.task)
    return _of_scores(data, request)


def _of_data(gold: Any, runs: Any, request: Request) -> Content:
    how = request.told()
    if any(is_once([one]) for one in _paths(gold, runs)):
        raise UsageError("a page reads its files more than once", hint="name files, not standard input")
    task = task_on_evidence(request.task, gold, runs, {"seed": request.seed, **how})
    named(request.measures, request.known, task)  # a wrong name is said before files are read
    named_primary(request.primary, request.known, task)
    task, left_out = with_sound_runs(task) if request.skip_broken else (task, [])
    kept = runs if task.known_evidence is not None else task.runs
    task = task.keeping_items(request.average, request.units)
    read = task.reduced() if task.known_evidence is None else task.known_evidence
    task = replace(task, known_evidence=read)  # so that nothing is read again
    evidence = task.evidence()
    scoring = {name: how[name] for name in task.declared.names_of_scoring() if name in how}
    scores = Evaluation(
        measures=request.measures, primary=request.primary, average=request.average, baselines=request.baselines, ci="topics",
        interval=request.interval, units=request.units, level=request.level, distance=request.distance, registry=request.registry,
        seed=request.seed, undefined=request.undefined,
    ).of(task, left_out)  # fmt: skip
    attempts = _Attempts()
    board = _board(scores)

    over_topics = len(scores.topics) > 1
    comparisons = _compared_as_read(scores, evidence, request, attempts)
    several = over_topics or what_is(gold, kept) == "evidence"  # one test set is split into parts, and so read again
    asked = _asked(board, request)
    advice = attempts.at(
        "advice", lambda: advise_beside(read, None, asked, scoring) if several else advise_beside(gold, kept, asked, how)
    )
    ranks = task.ranks_of_humans
    humans = attempts.at("humans", lambda: Evaluation(measures=ranks).of(task)) if ranks else None
    settings = (*evidence.settings, *([] if request.undefined == "skip" else [("undefined", str(request.undefined))]))
    content = Content(
        board=board, seed=request.seed, scores=scores, evidence=evidence, comparisons=comparisons, advice=advice,
        against_humans=humans, files=_files(_paths(gold, kept)), settings=settings, made=scores.made,
    )  # fmt: skip
    return _with_findings(content, scores, request, attempts)


def _of_scores(data: Any, request: Request) -> Content:
    attempts = _Attempts()
    (name, source), *more = sources(data)
    if more:
        raise UsageError(f"there are {len(more) + 1} data sets", hint="make a page for each")
    if isinstance(source, Scores):
        source = source.ranked_by(request.primary)
        board: Board = _board(source)
        comparisons = _compared(source, board, request, attempts)
        board = board if source.intervals is not None else _with_intervals(board, comparisons)
        content = Content(board=board, seed=request.seed, scores=source, comparisons=comparisons)
    else:
        raw = _ranked_by(request.primary, Raw.of(name, source), request.known)
        source = list(raw.matrices.values())
        board = _raw_board(raw, request)
        comparisons = _compared(source, board, request, attempts)
        content = Content(board=_with_intervals(board, comparisons), seed=request.seed, comparisons=comparisons)
    advice = attempts.at("advice", lambda: advise_beside(source, None, _asked(board, request), {}))
    content = replace(content, advice=advice, files=_files(_paths(data, None)), made=made_of_sources([(name, source)]))
    return _with_findings(content, source if isinstance(source, Scores) else {name: source}, request, attempts)


def _asked(board: Board, request: Request) -> Asked:
    """That advice is to look at the measures of the page too, by the same tests: there is one verdict on a page."""
    beside = [one.id for one in board.measures if one.measure is not None and one.better]
    better = {one.id: one.better for one in board.measures if one.measure is None and one.better}
    return Asked(
        request.task, request.seed, no_distances=False, registry=request.known, beside=beside, better=better, tests=request.tests
    )


def _ranked_by(primary: str | None, raw: Raw, registry: Registry) -> Raw:
    """Scores from a file with the measure first that runs are to be ranked by."""
    if primary is None:
        return raw
    id = canonical(primary, list(raw.matrices), registry)
    if id not in raw.matrices:
        near = did_you_mean(primary, raw.matrices) or f"choose from {', '.join(raw.matrices)}"
        raise UsageError(say("{--primary} names '{name}', which has no scores", name=primary), hint=near)
    known = registry.find(id)
    if known is not None and known.better is None:
        raise UsageError(f"{id} describes the gold; it does not order runs", hint="choose another measure")
    return replace(raw, matrices={id: raw.matrices[id], **raw.matrices})


def _compared_as_read(scores: Scores, evidence: Evidence, request: Request, attempts: _Attempts) -> dict[str, Comparison]:
    """Runs compared as ``compare`` does it: over topics by every measure that orders them, item by item by the first, since one
    measure may take a minute there."""
    options = {"incomplete": "drop-topics", **request.comparing}
    plain = replace(scores, notes=())  # the page says these once
    comparisons: dict[str, Comparison] = {}
    for measure in scores.measures:
        if measure.better is None:
            continue
        if is_over_topics(evidence, scores.average):
            ask = partial(compare_over_topics, evidence, plain, measure, options, request.distance)
        else:
            ask = partial(compare_pooled, evidence, measure, request.comparing, request.distance, scores.average)
        compared = attempts.at("significance", ask)
        if compared is not None:
            comparisons[measure.id] = compared
        if compared is None or compared.validity["p"].split("/")[1] in ("items", "clusters", "fixed-topics"):
            break
    if comparisons:
        attempts.why_not.pop("significance", None)
    return comparisons


def _compared(scores: Any, board: Board, request: Request, attempts: _Attempts) -> dict[str, Comparison]:
    """Runs compared over topics by every measure that orders them."""
    options = {"incomplete": "drop-topics", "registry": request.registry, **request.tests}
    asks = {one.id: partial(compare, scores, one.id, better=one.better, **options) for one in board.measures if one.better}
    tried = {id: attempts.at("significance", ask) for id, ask in asks.items()}
    comparisons = {id: one for id, one in tried.items() if isinstance(one, Comparison)}
    if comparisons:
        attempts.why_not.pop("significance", None)
    return comparisons


def _with_findings(content: Content, scores: Any, request: Request, attempts: _Attempts) -> Content:
    """The questions about the measures, answered as far as they can be, and why others are not."""
    directions = {one.id: one.better for one in content.board.measures if one.better and one.measure is None}
    selection: dict[str, Any] = {"incomplete": "drop-topics", "registry": request.registry, "better": directions or None}
    chosen = attempts.at("measures", lambda: data_sets(scores, _usable(content.board, selection)))
    seen = content.advice.findings if content.advice is not None and len(content.board.topics) > 1 else None
    answers = {} if chosen is None else _answers(chosen, seen, request, attempts)
    ids = [one.measure for one in content.board.measures if one.measure is not None and one.better]
    search = partial(axioms, ids, trials=0, seed=request.seed, registry=request.registry)
    properties = attempts.at("properties", search) if request.properties and chosen is not None else None
    return replace(content, findings=answers, properties=properties, why_not=attempts.why_not)


def _usable(board: Board, selection: dict[str, Any]) -> Any:
    """Questions need measures that order runs and are defined for all of them on most topics: one that is not would cost all the
    topics."""
    whole = ~np.isnan(board.values[:, :, board.own])
    ever: Any = whole.any(axis=1)
    shares = (whole | ~ever[:, None, :]).all(axis=2).mean(axis=1)
    ids = [
        one.id for one, share, some in zip(board.measures, shares, ever, strict=True) if one.better and share > 0.5 and some.all()
    ]
    return {**selection, "measures": ids} if ids else selection


def _answers(chosen: DataSets, seen: Summary | None, request: Request, attempts: _Attempts) -> dict[str, Finding]:
    """What the advice rests on, and more; where it could not compare measures, the page's own are tried."""
    whole = seen or attempts.at("summary", lambda: summary(chosen, registry=request.registry, **request.tests))
    findings: dict[str, Finding | None] = {} if whole is None else {
        "summary": whole, "similarity": whole.similarity, "consistency": whole.consistency,
        "discrimination": whole.discrimination, "overlap": whole.overlap, "contradictions": whole.contradictions,
    }  # fmt: skip
    findings["coverage"] = attempts.at("coverage", lambda: coverage(chosen, seed=request.seed, registry=request.registry))
    findings["robustness"] = attempts.at("robustness", lambda: robustness(chosen))
    return {name: answer for name, answer in findings.items() if answer is not None}


def _board(scores: Scores) -> Board:
    """The scores of an evaluation, with its intervals."""
    none = np.full(scores.pooled.shape, np.nan)
    low, high = scores.intervals.shown if scores.intervals is not None else (none, none)
    baselines = np.array([run in scores.baselines for run in scores.runs], dtype=bool)
    return Board(
        measures=tuple(PageMeasure(one.id, one.better, one) for one in scores.measures),
        topics=scores.topics,
        runs=scores.runs,
        baselines=scores.baselines,
        values=scores.values,
        means=scores.averages(),
        low=np.where(baselines, np.nan, low),
        high=np.where(baselines, np.nan, high),
        topic_word=scores.topic_word,
    )


def _raw_board(raw: Raw, request: Request) -> Board:
    """Scores from a file or matrices: means over the topics on which every run has a score."""
    topics, runs, values = raw.cube(list(raw.matrices))
    own = np.array([run not in raw.baselines for run in runs], dtype=bool)
    means = mean_of_defined(values, 1, ~np.isnan(values) & common_topics(values[:, :, own])[:, :, None])
    none = np.full(means.shape, np.nan)
    return Board(tuple(_shown(id, request) for id in raw.matrices), topics, runs, raw.baselines, values, means, none, none)


def _shown(id: str, request: Request) -> PageMeasure:
    """A measure by its name in a file, ours or not."""
    measure = request.known.find(id)
    describes = measure is not None and measure.better is None
    return PageMeasure(id, None if describes else direction_of(id, None if measure else request.better, request.known), measure)


def _with_intervals(board: Board, comparisons: Mapping[str, Comparison]) -> Board:
    """The intervals of the comparisons, where the scores came without."""
    low, high = board.low.copy(), board.high.copy()
    rows = {one.id: row for row, one in enumerate(board.measures)}
    for id, compared in comparisons.items():
        columns = [board.runs.index(run) for run in compared.runs]
        low[rows[id], columns], high[rows[id], columns] = compared.low, compared.high
    return replace(board, low=low, high=high)


def _paths(gold: Any, runs: Any) -> list[str]:
    """The files among what was given."""
    listed = list(runs.values()) if isinstance(runs, Mapping) else list(runs) if isinstance(runs, list | tuple) else [runs]
    both = [*(gold if isinstance(gold, list | tuple) else [gold]), *listed]
    return [str(one) for one in both if isinstance(one, str | Path)]


def _files(paths: Sequence[str]) -> tuple[FileRead, ...]:
    """Each file by its name, not by where it lies: a page says the same wherever it is made."""
    if not paths:
        return ()
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        return tuple(FileRead(Path(shown).name, _checksum(path)) for shown, path in expand(paths, Path(scratch)))


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
