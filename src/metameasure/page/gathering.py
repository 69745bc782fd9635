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
from metameasure.catalogue.foreign import foreign
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.compare import compare, compare_over_topics, compare_pooled, is_over_topics
from metameasure.comparing.comparison import Comparison
from metameasure.comparing.topics import check_simultaneous
from metameasure.core.choices import Better
from metameasure.core.errors import MetameasureError, MetameasureWarning, UsageError, did_you_mean
from metameasure.core.messages import Message, say
from metameasure.core.signature import UNSIGNED, Signature, digest_of_numbers
from metameasure.evaluating.evaluate import Evaluation
from metameasure.evaluating.explain import Explanation, explain_pair
from metameasure.evidence.base import Evidence
from metameasure.meta.data import DataSets, data_sets, made_of_sources
from metameasure.meta.finding import Finding
from metameasure.meta.measure_summary import Summary, summary
from metameasure.meta.topic_robustness import robustness
from metameasure.meta.unanimous_coverage import coverage
from metameasure.properties.result import Axioms
from metameasure.properties.search import axioms
from metameasure.reading.folders import walked
from metameasure.reading.inputs import expand, is_once
from metameasure.reading.options import ReadOptions
from metameasure.scores.scores import Intervals, Scores
from metameasure.scores.selecting import canonical, direction_of
from metameasure.scores.sources import as_one, lone_source
from metameasure.tasks.base import Task, named, named_primary, task_on_evidence
from metameasure.tasks.checking import with_sound_runs
from metameasure.tasks.gold_or_scores import are_scores, check_only_scores, what_is
from metameasure.tasks.option_groups import ExplainOptions, ReportOptions

Floats = npt.NDArray[np.float64]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class FileRead:
    """A file that was read, by its name and the beginning of its SHA-256."""

    name: str
    checksum: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Content:
    """What the page says, before it is written."""

    scores: Scores
    seed: int
    registry: Registry
    evidence: Evidence | None = None
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    findings: Mapping[str, Finding] = field(default_factory=dict)
    advice: Advice | None = None
    properties: Axioms | None = None
    against_humans: Scores | None = None
    explained: Explanation | None = None
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
        scores, parts = self.scores, (self.scores.averages(), *self.ends)
        rows = {id: zip(scores.runs, *(part[row] for part in parts), strict=True) for row, id in enumerate(scores.ids)}
        return self.made.having(numbers={id: digest_of_numbers(each) for id, each in rows.items()})

    @property
    def own(self) -> list[int]:
        """The places of the runs that are no baselines."""
        return list(map(int, np.flatnonzero(self.scores.own)))

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """(measures, runs): the ends of each run's interval; NaN where there is none."""
        none = np.full((len(self.scores.measures), len(self.scores.runs)), np.nan)
        low, high = self.scores.intervals.shown if self.scores.intervals is not None else (none, none)
        return np.where(self.scores.own, low, np.nan), np.where(self.scores.own, high, np.nan)

    def ranks(self, measure: int = 0) -> dict[int, int]:
        """The rank of each run that is no baseline. By what does not order runs, or where none has a score, all are first."""
        ranks = self.scores.own_ranks(measure)
        return {run: ranks[run] or 1 for run in self.own}

    @property
    def primary(self) -> Measure:
        """The measure that runs are ranked by."""
        return self.scores.measures[0]

    def known(self, measure: Measure) -> Measure | None:
        """A measure with its formula; None for one that is not ours."""
        return self.registry.find(measure.id) if measure.kind == "foreign" else measure

    @property
    def looked_at(self) -> list[Measure]:
        """The measures of the page, and those that were compared with them."""
        whole, own = self.findings.get("summary"), self.scores.ids
        known = default_registry()
        others = [known.find(id) for id in (whole.measures if whole is not None else ()) if id not in own]
        return [*self.scores.measures, *(one for one in others if one is not None)]

    @property
    def defined(self) -> list[tuple[str, Measure | None]]:
        """Every measure whose numbers are on the page; None for one that is not ours."""
        humans = self.against_humans.measures if self.against_humans is not None else ()
        return [*((one.id, self.known(one)) for one in self.looked_at), *((one.id, one) for one in humans)]

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
        said = {"simultaneous": self.simultaneous, "validity": self.validity}
        return {"registry": self.registry, "units": self.units, **said, **self.tests}


class _Attempts:
    """Answers, or why there is none."""

    def __init__(self) -> None:
        self.why_not: dict[str, str] = {}

    def at(self, section: str, ask: Callable[[], Answer]) -> Answer | None:
        try:
            return ask()
        except MetameasureError as error:
            said = say("{what}; {hint}", what=error.message, hint=error.hint) if error.hint else error.message
            self.why_not[section] = said
            return None


def gather(data: Any, runs: Any, request: Request) -> Content:
    """Everything about gold and runs, evidence, or scores alone."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MetameasureWarning)
        content = _gathered(data, runs, request)
    asked = {"skip_broken": request.skip_broken or None, "simultaneous": request.simultaneous or None}
    made = content.made.having(command="report", **request.tests, **asked)
    content = replace(content, made=made.having(measures=list(content.scores.ids), better=request.better))
    said = (one.message for one in caught if isinstance(one.message, MetameasureWarning))
    warned = dict.fromkeys(_by_file_names(warning.args[0]) for warning in said)
    scores = replace(content.scores, notes=tuple(map(_by_file_names, content.scores.notes)))
    comparisons = {id: replace(one, notes=tuple(map(_by_file_names, one.notes))) for id, one in content.comparisons.items()}
    return replace(content, scores=scores, comparisons=comparisons, warned=tuple(warned))


def _by_file_names(text: str) -> str:
    """Files in notes and warnings by their names alone: a page says the same wherever it is made."""
    return text.by_file_names() if isinstance(text, Message) else text


def _gathered(data: Any, runs: Any, request: Request) -> Content:
    if what_is(data, runs, request.told(), request.task) != "scores":
        return _of_data(data, runs, request)
    if request.explain:
        raise UsageError("items are explained of gold and runs, and these are scores", hint=say("leave out {--explain}"))
    check_only_scores(data, request.of_data(), "classification" if are_scores(data) else request.task)
    return _of_scores(data, request)


def _of_data(gold: Any, runs: Any, request: Request) -> Content:
    how = request.told()
    if any(is_once([one]) for one in _paths(gold, runs)):
        raise UsageError("a page reads its files more than once", hint="name files, not standard input")
    task = task_on_evidence(request.task, gold, runs, {"seed": request.seed, **how})
    named(request.measures, request.known, task)  # a wrong name is said before files are read
    named_primary(request.primary, request.known, task)
    task = with_sound_runs(task) if request.skip_broken else task
    kept = runs if task.known_evidence is not None else task.runs
    task = task.keeping_items(request.average, request.units)
    read = task.evidence_as_read()
    task = replace(task, known_evidence=read)  # so that nothing is read again
    evidence = task.evidence()
    scoring = {name: how[name] for name in task.declared.names_of_scoring() if name in how}
    scores = Evaluation(
        measures=request.measures, primary=request.primary, average=request.average, baselines=request.baselines, ci="topics",
        interval=request.interval, units=request.units, level=request.level, distance=request.distance, registry=request.registry,
        seed=request.seed, undefined=request.undefined, by=request.by, by_table=request.by_table,
    ).of(task)  # fmt: skip
    explained = _explained(replace(task, known_evidence=None), scores, request) if request.explain else None
    attempts = _Attempts()
    over_topics = len(scores.topics) > 1
    comparisons = _compared_as_read(scores, evidence, request, attempts)
    several = over_topics or what_is(gold, kept) == "evidence"  # one test set is split into parts, and so read again
    asked = _asked(scores, request)
    advice = attempts.at(
        "advice", lambda: advise_beside(read, None, asked, scoring) if several else advise_beside(gold, kept, asked, how)
    )
    ranks = task.ranks_of_humans
    humans = attempts.at("humans", lambda: Evaluation(measures=ranks).of(task)) if ranks else None
    settings = (*evidence.settings, *([] if request.undefined == "skip" else [("undefined", str(request.undefined))]))
    content = Content(
        scores=scores, seed=request.seed, registry=request.known, evidence=evidence, comparisons=comparisons, advice=advice,
        against_humans=humans, files=_files(_paths(gold, kept)), settings=settings, made=scores.made,
        explained=explained,
    )  # fmt: skip
    return _with_findings(content, scores, request, attempts)


def _explained(task: Task[Any, Any], scores: Scores, request: Request) -> Explanation:
    """The items behind the difference of the two runs that are named, by the measure that runs are ranked by."""
    asked = ExplainOptions(
        task=task.name,
        measure=scores.measures[0],
        average=request.average,
        texts=request.texts,
        distance=request.distance,
        registry=request.registry,
    )
    return explain_pair(task, request.explain, asked)


def _of_scores(data: Any, request: Request) -> Content:
    attempts = _Attempts()
    name, source = lone_source(data, "make a page for each")
    scores = as_one(name, source)
    if not scores.made:  # nothing says in which order topics come
        topics = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
        scores = _directed(scores.at(topics, range(len(scores.runs))), request)
    scores = _ranked_by(request.primary, scores, request.known)
    comparisons = _compared(scores, request, attempts)
    advice = attempts.at("advice", lambda: advise_beside({name: scores}, None, _asked(scores, request), {}))
    content = Content(
        scores=scores if scores.intervals is not None else _with_intervals(scores, comparisons), seed=request.seed,
        registry=request.known, comparisons=comparisons, advice=advice, files=_files(_paths(data, None)),
        made=made_of_sources([(name, source)]),
    )  # fmt: skip
    return _with_findings(content, {name: scores}, request, attempts)


def _asked(scores: Scores, request: Request) -> Asked:
    """That advice is to look at the measures of the page too, by the same tests: there is one verdict on a page."""
    ordering = [one for one in scores.measures if one.better]
    ours = {one.id for one in ordering if one.kind != "foreign" or request.known.find(one.id) is not None}
    beside = [one.id for one in ordering if one.id in ours]
    better = {one.id: one.better for one in ordering if one.better and one.id not in ours}
    return Asked(
        request.task, request.seed, no_distances=False, registry=request.known, beside=beside, better=better, tests=request.tests
    )


def _ranked_by(primary: str | None, scores: Scores, registry: Registry) -> Scores:
    """Scores with the measure first that runs are to be ranked by."""
    if primary is None:
        return scores
    id = canonical(primary, scores.ids, registry)
    if id not in scores.ids:
        near = did_you_mean(primary, scores.ids) or f"choose from {', '.join(scores.ids)}"
        raise UsageError(say("{--primary} names '{name}', which has no scores", name=primary), hint=near)
    return scores.ranked_by(id)


def _compared_as_read(scores: Scores, evidence: Evidence, request: Request, attempts: _Attempts) -> dict[str, Comparison]:
    """Runs compared as ``compare`` does it: over topics by every measure that orders them, item by item by the first, since one
    measure may take a minute there."""
    if request.simultaneous:
        _check_topics_sampled(scores, request, over_topics=is_over_topics(evidence, scores.average))
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


def _compared(scores: Scores, request: Request, attempts: _Attempts) -> dict[str, Comparison]:
    """Runs compared over topics by every measure that orders them."""
    if request.simultaneous:
        _check_topics_sampled(scores, request, over_topics=True)
    options = {"incomplete": "drop-topics", **request.comparing, "units": None}
    asks = {one.id: partial(compare, scores, one.id, better=one.better, **options) for one in scores.measures if one.better}
    tried = {id: attempts.at("significance", ask) for id, ask in asks.items()}
    comparisons = {id: one for id, one in tried.items() if isinstance(one, Comparison)}
    if comparisons:
        attempts.why_not.pop("significance", None)
    return comparisons


def _check_topics_sampled(scores: Scores, request: Request, *, over_topics: bool) -> None:
    """UsageError where runs are not compared over topics that are a sample, and many enough for intervals of all differences."""
    if not over_topics or request.units == "items":
        raise UsageError(say("{--simultaneous} is for scores over topics"), hint="leave it out")
    check_simultaneous(len(scores.topics), scores.topic_word, request.level)


def _with_findings(content: Content, scores: Any, request: Request, attempts: _Attempts) -> Content:
    """The questions about the measures, answered as far as they can be, and why others are not."""
    directions = {one.id: one.better for one in content.scores.measures if one.better and content.known(one) is None}
    selection: dict[str, Any] = {"incomplete": "drop-topics", "registry": request.registry, "better": directions or None}
    chosen = attempts.at("measures", lambda: data_sets(scores, _usable(content.scores, selection)))
    seen = content.advice.findings if content.advice is not None and len(content.scores.topics) > 1 else None
    answers = {} if chosen is None else _answers(chosen, seen, request, attempts)
    ids = [known for one in content.scores.measures if one.better and (known := content.known(one)) is not None]
    search = partial(axioms, ids, trials=0, seed=request.seed, registry=request.registry)
    properties = attempts.at("properties", search) if request.properties and chosen is not None else None
    return replace(content, findings=answers, properties=properties, why_not=attempts.why_not)


def _usable(scores: Scores, selection: dict[str, Any]) -> Any:
    """Questions need measures that order runs and are defined for all of them on most topics: one that is not would cost all the
    topics."""
    whole = ~np.isnan(scores.values[:, :, scores.own])
    ever: Any = whole.any(axis=1)
    shares = (whole | ~ever[:, None, :]).all(axis=2).mean(axis=1)
    ids = [
        one.id
        for one, share, some in zip(scores.measures, shares, ever, strict=True)
        if one.better and share > 0.5 and some.all()
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


def _directed(scores: Scores, request: Request) -> Scores:
    """Scores of which it is known which are better, by our own measures or by what was said."""

    def directed(one: Measure) -> Measure:
        found = request.known.find(one.id) if one.kind == "foreign" else one
        better = direction_of(one.id, request.better, request.known) if found is None else found.better
        return foreign(one.id, better) if one.kind == "foreign" else one

    return replace(scores, measures=tuple(map(directed, scores.measures)))


def _with_intervals(scores: Scores, comparisons: Mapping[str, Comparison]) -> Scores:
    """The scores with the intervals of the comparisons, where they came without."""
    if not comparisons:
        return scores
    low, high = (np.full((len(scores.measures), len(scores.runs)), np.nan) for _ in range(2))
    for id, compared in comparisons.items():
        row, columns = scores.ids.index(id), [scores.runs.index(run) for run in compared.runs]
        low[row, columns], high[row, columns] = compared.low, compared.high
    one = next(iter(comparisons.values()))
    methods = [{"topics": comparisons[id].validity["interval"]} if id in comparisons else {} for id in scores.ids]
    made = Intervals(one.level, one.trials, one.seed, (low, high), None, kind=one.interval, methods=tuple(methods))
    return replace(scores, intervals=made)


def _paths(gold: Any, runs: Any) -> list[str]:
    """The files among what was given."""
    listed = list(runs.values()) if isinstance(runs, Mapping) else list(runs) if isinstance(runs, list | tuple) else [runs]
    both = [*(gold if isinstance(gold, list | tuple) else [gold]), *listed]
    return [str(one) for one in both if isinstance(one, str | Path)]


def _files(paths: Sequence[str]) -> tuple[FileRead, ...]:
    """Each file by its name, not by where it lies: a page says the same wherever it is made."""
    if not paths:
        return ()
    read = [
        one for path in paths for one in (walked(path, ReadOptions(task="outcomes")).paths if Path(path).is_dir() else [path])
    ]
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        return tuple(FileRead(Path(shown).name, _checksum(path)) for shown, path in expand(read, Path(scratch)))


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
