"""Which measure to report: recommendations of the papers that fit the data, backed or not by a small meta-evaluation of it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metameasure.advice.looking import DataFacts, look
from metameasure.advice.warning import warnings
from metameasure.catalogue.facts import Recommendation, Role
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.errors import DataError, UsageError
from metameasure.evidence.base import Evidence, is_saved, load
from metameasure.messages import say
from metameasure.meta.data import Raw, sources
from metameasure.meta.measure_summary import Row, Summary, summary
from metameasure.notes import counted, listed
from metameasure.options import is_left_out
from metameasure.scale import Kind
from metameasure.scores.cube import Scores
from metameasure.scores.run_names import left_out
from metameasure.show.inert import visible
from metameasure.show.table import Notes, OutputFormat, Presentable, Table, all_notes, json_number, with_notes
from metameasure.tables.frames import is_frame
from metameasure.tables.scores import MARK, ScoreMatrix
from metameasure.tasks.base import LabelTask, Task, task_on, task_on_evidence

FEWEST_TOPICS = 10
"""With fewer, halves of the topics are too small to tell one measure from another."""
FEWEST_RUNS = 3
_PARTITIONS = 20
_ITEMS_EACH = 20
_LINES = 10
_WIDE = 120
_UNSEEN = ("classes and their sizes", "constant runs", "orders of confidence", "ties", "judges")


@dataclass(frozen=True, eq=False, kw_only=True)
class Advice(Presentable):
    """A primary and a secondary measure (None where the data cannot tell), the reasons, what to be wary of, and what was looked
    at. ``findings`` is the small meta-evaluation, where there could be one."""

    primary: Measure | None
    secondary: Measure | None
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    looked_at: Mapping[str, Any]
    findings: Summary | None = None

    def lines(self) -> list[str]:
        """The advice in words, in at most ten lines unless all notes are asked for."""
        sentences = [self.verdict(), *self.reasons, *(f"Beware: {warning}" for warning in self.warnings)]
        wrapped = [textwrap.wrap(f"{capitalised(text)}.", _WIDE, subsequent_indent="  ") for text in sentences]
        kept: list[str] = []
        for place, lines in enumerate(wrapped):
            last = place == len(wrapped) - 1
            if not all_notes() and len(kept) + len(lines) > _LINES - (not last):
                return [*kept, say("{remarks} with {--notes all}.", remarks=counted(len(wrapped) - place, "more remark"))]
            kept += lines
        return kept

    def verdict(self) -> str:
        """Which measures, in one sentence."""
        if self.primary is None:
            return "These data cannot tell which measure is better, so there is no recommendation"
        return f"Primary measure: {self.primary.id}" + (f". Secondary: {self.secondary.id}" if self.secondary else "")

    def render(self, format: str = "table", *, notes: Notes | None = None) -> str:
        """Sentences for a terminal; tables in the other formats."""
        if format != "table":
            return super().render(format, notes=notes)
        with with_notes(notes):
            return "".join(f"{visible(line)}\n" for line in self.lines())

    def to_dict(self) -> dict[str, Any]:
        rows = self.findings.rows if self.findings else ()
        return {
            "primary": self.primary and self.primary.id,
            "secondary": self.secondary and self.secondary.id,
            "reasons": list(self.reasons),
            "warnings": list(self.warnings),
            "looked_at": dict(self.looked_at),
            "measures": [
                {
                    "id": row.measure,
                    "group": row.group,
                    "mean_tau": json_number(row.mean_tau),
                    "consistency": row.consistency,
                    "power": json_number(row.power),
                    "discrimination": row.discrimination,
                }
                for row in rows
            ],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        return [Table(("", "advice"), tuple((what, f"{capitalised(text)}.") for what, text in self._parts()))]

    def full_table(self) -> Table:
        parts = self._parts()
        return Table.of({"part": [what for what, _ in parts], "text": [text for _, text in parts]})

    def _parts(self) -> list[tuple[str, str]]:
        named = [("primary", self.primary.id)] if self.primary else [("primary", self.verdict())]
        named += [("secondary", self.secondary.id)] if self.secondary else []
        return [*named, *(("reason", text) for text in self.reasons), *(("warning", text) for text in self.warnings)]

    def draw(self, width: float) -> Any:
        """The consistency and the power of the measures that were looked at."""
        if self.findings is None:
            raise UsageError("there is no meta-evaluation to draw", hint="the advice says what the data lack")
        return self.findings.draw(width)


def advise(
    data: Any,
    runs: Any = None,
    *,
    task: str = "classification",
    seed: int = 0,
    registry: Registry | None = None,
    **how: Any,
) -> Advice:
    """Recommend a primary and a secondary measure for these data, with reasons, sources and numbers.

    ``advise(gold, runs, classes=...)`` takes what ``evaluate`` takes, or evidence from ``count``. ``advise(scores)`` takes scores
    from ``evaluate``, a frame or a file, and says what it could not look at. It follows the papers' recommendations if a small
    meta-evaluation on these data supports them: there are enough topics and runs, and the measure ranks the runs alike in two
    halves of the topics and finds significant differences. ``kind="ordinal"`` declares that no distances between the classes may
    be assumed.
    """
    known = registry or default_registry()
    data = load(data) if is_saved(data) else data
    if isinstance(data, Evidence) and task == "classification":
        return _of_data(data, runs, data.task, seed, known, how)
    if runs is None and task == "classification" and all(map(is_left_out, how.values())) and _are_scores(data):
        return _of_scores(data, known, seed)
    return _of_data(data, runs, task, seed, known, how)


def _are_scores(data: Any) -> bool:
    """Without classes or a task, a file or a frame holds scores."""
    several = isinstance(data, list | tuple) and all(isinstance(one, ScoreMatrix | str | Path) for one in data)
    return isinstance(data, Scores | ScoreMatrix | str | Path) or is_frame(data) or several


def _of_data(gold: Any, runs: Any, task: str, seed: int, registry: Registry, how: dict[str, Any]) -> Advice:
    bound_task, evidence, partitions = _read(gold, runs, task, seed, how)
    looked = _with_distances(look(evidence), how.get("kind"))
    if partitions:
        looked = replace(looked, facts={**looked.facts, "topics": 1, "partitions": partitions})
    measures = _considered(bound_task, evidence, registry)
    task = bound_task.name
    scores = bound_task.score(evidence, measures, distance=None, average="topics", drawn_with=None)
    word = "partition" if partitions else scores.topic_word
    kind = evidence.scale.kind if evidence.scale else None
    shown = [measure for measure in measures if task in measure.headline or _fits(measure, task, kind, looked)]
    usable = [measure.id for measure in shown if _is_defined(measure, scores)]
    findings, why_not = _meta_evaluated(scores, usable, len(scores.runs), len(scores.topics), seed, word)
    beside = None
    if isinstance(bound_task, LabelTask):
        beside = bound_task.with_baselines(scores.of(shown), evidence, distance=None, seed=seed)
    warned = warnings(looked, scores, beside, shown)
    return _advice(_Case(task, kind, looked, measures, counted(len(scores.topics), word), findings, why_not), warned)


def _of_scores(data: Any, registry: Registry, seed: int) -> Advice:
    (name, source), *more = sources(data)
    if more:
        raise UsageError(f"there are {len(more) + 1} data sets", hint="ask about one test set at a time")
    raw = Raw.of(name, source)
    measures = [
        candidate
        for candidate in (registry.find(id) for id in raw.matrices)
        if candidate is not None and candidate.kind == "score"
    ]
    if not measures:
        raise DataError("none of these measures is known here", hint="'metameasure measures' lists those that are")
    matrix = next(iter(raw.matrices.values()))
    tasks = [task for measure in measures for task in measure.tasks]
    task = max(dict.fromkeys(tasks), key=tasks.count)  # what most of the measures are for
    runs = len([run for run in matrix.runs if run not in raw.baselines])
    facts = {
        "task": task,
        "topics": len(matrix.topics),
        "runs": runs,
        "measures": [measure.id for measure in measures],
        "could_not_look_at": list(_UNSEEN),
    }
    held = source if isinstance(source, Scores) else {name: source}
    findings, why_not = _meta_evaluated(held, [measure.id for measure in measures], runs, len(matrix.topics), seed)
    kind: Kind = "ordinal" if any(measure.scale != "nominal" for measure in measures) else "nominal"
    topics = counted(len(matrix.topics), "topic")
    by_name = sorted(raw.baselines) if raw.by_name else []
    keep = f"to keep one, write a column '{MARK}' with false in its rows"
    warned = [left_out(by_name, by_name=True, keep=keep)] if by_name else []
    return _advice(_Case(task, kind, DataFacts(facts), measures, topics, findings, why_not), warned)


def _read(gold: Any, runs: Any, task: str, seed: int, how: dict[str, Any]) -> tuple[Task[Any, Any], Evidence, int]:
    """The evidence. One test set of many items is divided into partitions, so that there is something to split, unless its items
    have been counted before."""
    if isinstance(gold, Evidence):
        bound_task = task_on_evidence(task, gold, runs, {"seed": seed, **how, "kind": None})
        return bound_task, bound_task.evidence(), 0
    bound_task = task_on(task, gold, runs, {"seed": seed, **how})
    evidence = bound_task.evidence()
    if not isinstance(bound_task, LabelTask) or len(evidence.topics) > 1 or bound_task.options.partitions:
        return bound_task, evidence, 0
    partitions = min(_PARTITIONS, look(evidence).facts["items"] // _ITEMS_EACH)
    if partitions < FEWEST_TOPICS:
        return bound_task, evidence, 0
    bound_task = replace(bound_task, options=replace(bound_task.options, partitions=partitions))
    return bound_task, bound_task.evidence(), partitions


def _with_distances(looked: DataFacts, kind: Kind | None) -> DataFacts:
    """A scale that the user calls ordinal has no distances; one that is called nothing may have."""
    if kind != "ordinal" or "two_classes" in looked.traits:
        return looked
    words = "the classes are declared ordinal, so that no distances between them may be assumed"
    return replace(looked, traits={**looked.traits, "no_distances": words})


def _considered(task: Task[Any, Any], evidence: Evidence, registry: Registry) -> list[Measure]:
    """Every measure of the task that can be scored here as it is; of those that it takes from another task, the ones that are
    shown or recommended."""
    measures = []
    for measure in registry.values():
        own = task.name in measure.tasks
        wanted = task.name in measure.headline or any(one.task == task.name for one in measure.recommended)
        taken = wanted and {*measure.tasks} & {*task.takes}
        fits = evidence.scale is None or evidence.scale.kind != "nominal" or measure.scale == "nominal"
        had = measure.reads in evidence.offers and len(evidence.lacking(measure.reads)) < max(1, len(evidence.runs))
        ready = measure.kind == "score" and not measure.open and not measure.needs_distance
        if (own or taken) and fits and had and ready:
            measures.append(measure)
    return measures


def _fits(measure: Measure, task: str, kind: Kind | None, looked: DataFacts) -> bool:
    """Whether somebody recommends the measure for such data, or asks not to use it."""
    return task in measure.cautions or any(one.fits(task, kind, looked.traits) for one in measure.recommended)


def _is_defined(measure: Measure, scores: Scores) -> bool:
    """Whether all runs have scores by the measure, together on more than half of the topics."""
    common = int(scores.common_topics()[scores.measures.index(measure)].sum())
    return all(id != measure.id for id, _ in scores.without) and 2 * common > len(scores.topics)


def _meta_evaluated(
    scores: Any, measures: Sequence[str], runs: int, topics: int, seed: int, word: str = "topic"
) -> tuple[Summary | None, str]:
    """The measures compared on these runs and topics; and why that backs none of them, where it does not."""
    if runs < FEWEST_RUNS:
        return None, f"{counted(runs, 'run')}: it takes {FEWEST_RUNS} or more to compare measures"
    too_few = f"it takes {FEWEST_TOPICS} or more to see whether rankings are stable"
    if topics < FEWEST_TOPICS:
        return None, f"{counted(topics, word)}: {too_few}"
    try:
        findings = summary(scores, measures=measures, incomplete="drop-topics", splits=200, trials=1000, seed=seed)
    except (DataError, UsageError) as error:
        return None, f"the measures cannot be compared here: {error.message}"
    left = sum(findings.consistency.sides)
    if left < FEWEST_TOPICS:
        return findings, f"every measure is defined on {counted(left, word)} only: {too_few}"
    if not any(row.power for row in findings.rows):
        return findings, "all runs are alike: no measure finds two that differ significantly"
    return findings, ""


@dataclass(frozen=True)
class _Choice:
    """A measure, and who recommends it."""

    measure: Measure
    by: Recommendation

    @property
    def id(self) -> str:
        return self.measure.id


@dataclass(frozen=True)
class _Case:
    """Everything that the advice depends on. ``why_not`` says why these data cannot back any measure, where they cannot."""

    task: str
    kind: Kind | None
    looked: DataFacts
    measures: Sequence[Measure]
    topics: str
    findings: Summary | None
    why_not: str

    def recommended(self, role: Role) -> list[_Choice]:
        """What fits these data, in turn."""
        fitting = [
            _Choice(measure, one)
            for measure in self.measures
            for one in measure.recommended
            if one.role == role and one.fits(self.task, self.kind, self.looked.traits)
        ]
        return sorted(fitting, key=lambda choice: choice.by.turn)

    def backed(self, measure: Measure) -> Row | None:
        """What the small meta-evaluation says of a measure, unless that is nothing."""
        row = self.findings.row(measure.id) if self.findings and not self.why_not else None
        return row if row and row.tells_something else None

    def primary(self) -> _Choice | None:
        """The first recommendation that the data back; another takes its place if it is better in both respects."""
        backed = [choice for choice in self.recommended("primary") if self.backed(choice.measure)]
        if not backed or self.findings is None:
            return None
        first, *others = backed
        return next((other for other in others if self.findings.surpasses(other.id, first.id)), first)

    def secondary(self, primary: _Choice) -> _Choice | None:
        """What the same publication puts beside it, or what another one recommends instead."""
        partners = [choice for choice in self.recommended("secondary") if choice.by.source.short == primary.by.source.short]
        others = [choice for choice in (*partners, *self.recommended("primary")) if choice.id != primary.id]
        return others[0] if others else None


def _advice(case: _Case, warned: Sequence[str]) -> Advice:
    primary = case.primary()
    secondary = case.secondary(primary) if primary else None
    reasons = _reasons(case, primary, secondary) if primary else _no_reason(case)
    return Advice(
        primary=primary.measure if primary else None,
        secondary=secondary.measure if secondary else None,
        reasons=tuple(reasons),
        warnings=tuple(warned),
        looked_at=case.looked.facts,
        findings=case.findings,
    )


def _no_reason(case: _Case) -> list[str]:
    """Why nothing is recommended, and what the papers would say."""
    choices = case.recommended("primary")
    if not choices:
        return [f"no paper recommends any of these measures for {case.task} on such data", *_unseen(case)]
    why = case.why_not or f"{choices[0].id} tells no runs apart here, or ranks them by chance"
    said = listed([f"{choice.id} is recommended in {choice.by.source}" for choice in choices], "and")
    return [why, f"for such data {said}, which these data can neither confirm nor refute", *_unseen(case)]


def _unseen(case: _Case) -> list[str]:
    """What scores alone do not show."""
    unseen = case.looked.facts.get("could_not_look_at")
    return [f"scores alone do not show {listed(unseen, 'and')}: pass gold and runs to include them"] if unseen else []


def _reasons(case: _Case, primary: _Choice, secondary: _Choice | None) -> list[str]:
    """Who recommends it and why, what the data say of it, and what else is recommended."""
    findings = case.findings
    assert findings is not None  # noqa: S101 - nothing is recommended without it
    reasons = [_because(case, primary), _in_numbers(case, findings, primary)]
    if secondary:
        opposed = " and contradict each other significantly" if secondary.id in _row(findings, primary).contradicts else ""
        reasons.append(f"{_reason(secondary)}; the two rank the runs with tau {_tau(findings, primary, secondary)}{opposed}")
    reasons += _unseen(case)
    bound = default_registry().get(primary.measure.companions.get(case.task, ""))
    if bound is not None:
        value = case.looked.facts.get(bound.id)
        bits = f" ({value:.3f} bits)" if value is not None else ""
        reasons.append(f"report {bound.id}{bits}, the most that {primary.id} can reach, and the baselines too")
    rivals = [one for one in case.recommended("primary") if one.id != primary.id and findings.row(one.id)]
    return reasons + [_rival(findings, primary, rival) for rival in rivals]


def _reason(choice: _Choice) -> str:
    return f"{choice.id} {choice.by.why}: {choice.by.source}"


def _because(case: _Case, primary: _Choice) -> str:
    conditions = [words for trait in (*primary.by.where, *primary.by.unless) if (words := case.looked.said(trait))]
    return _reason(primary) + (f"; {listed(conditions, 'and')}" if conditions else "")


def _in_numbers(case: _Case, findings: Summary, primary: _Choice) -> str:
    """How consistent the measure is here and how many runs it tells apart, beside the best."""
    row, pairs = _row(findings, primary), findings.discrimination.pairs
    steadiest, sharpest = max(findings.rows, key=lambda one: one.mean_tau), max(findings.rows, key=lambda one: one.power)
    taus = f"best: {steadiest.measure} {steadiest.mean_tau:.3f}" if steadiest is not row else "the best"
    powers = f"most: {sharpest.measure} {_told_apart(findings, sharpest)}" if sharpest.power > row.power else "the most"
    return (
        f"here, on {case.topics}: mean tau of halves {row.mean_tau:.3f} ({taus}), {_told_apart(findings, row)} of {pairs} pairs "
        f"of runs told apart ({powers})"
    )


def _row(findings: Summary, choice: _Choice) -> Row:
    row = findings.row(choice.id)
    assert row is not None  # noqa: S101 - only such are chosen
    return row


def _told_apart(findings: Summary, row: Row) -> int:
    return round(row.power * findings.discrimination.pairs)


def _tau(findings: Summary, first: _Choice, second: _Choice) -> str:
    known = findings.row(first.id) and findings.row(second.id)
    return f"{findings.similarity.tau_between(first.id, second.id):.3f}" if known else "unknown here"


def _rival(findings: Summary, primary: _Choice, rival: _Choice) -> str:
    """What another publication recommends instead, and what the data say to that."""
    row = _row(findings, rival)
    numbers = f"tau {row.mean_tau:.3f}, {_told_apart(findings, row)} pairs"
    verdict = "worse on both counts" if findings.surpasses(primary.id, rival.id) else "not better on both counts"
    return f"instead, {rival.id} is recommended in {rival.by.source} ({numbers}): here {verdict}"


def capitalised(text: str) -> str:
    """A sentence opens with a capital letter, unless it opens with a measure's id."""
    first = text.split(" ", 1)[0].rstrip(",:;")
    return text if "_" in first or "@" in first or first in default_registry() else text[:1].upper() + text[1:]
