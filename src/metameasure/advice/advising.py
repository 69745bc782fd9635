"""Which measure to report: recommendations of the papers that fit the data, backed or not by a small meta-evaluation of it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metameasure.advice.warning import assumes_distances, warnings
from metameasure.catalogue.facts import Recommendation, Role
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import Better
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import anew, data, note, say, sentence, warn
from metameasure.core.notes import counted, listed
from metameasure.core.numbers import json_number
from metameasure.core.options import with_options
from metameasure.core.problems import is_left_out
from metameasure.core.scale import Kind
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.base import Evidence
from metameasure.meta.data import made_of_sources
from metameasure.meta.measure_summary import Summary, summary
from metameasure.meta.verdict import FEWEST_TOPICS, Verdict, too_few, what_stands_against
from metameasure.scores.run_names import MARK, left_out
from metameasure.scores.scores import Scores
from metameasure.scores.sources import as_one, lone_source
from metameasure.show.formats.plain import terminal_width, wrapped
from metameasure.show.inert import visible
from metameasure.show.table import OutputFormat, Signed, Table, all_notes, more_notes
from metameasure.tasks.base import Task, can_score, evidence_in, task_on_evidence
from metameasure.tasks.checking import with_sound_runs
from metameasure.tasks.declaration import USUAL_TASK, has_order, told
from metameasure.tasks.facts import DataFacts
from metameasure.tasks.gold_or_scores import check_only_scores, what_is
from metameasure.tasks.option_groups import AdviseOptions

_PARTITIONS = 20
_ITEMS_EACH = 20
_LINES = 10
_WIDE = 120
_UNSEEN = ("classes and their sizes", "constant runs", "orders of confidence", "ties", "judges")


@dataclass(frozen=True, eq=False, kw_only=True)
class Advice(Signed):
    """A primary and a secondary measure (None where the data cannot tell), the reasons, what to be wary of, and what was looked
    at. ``findings`` is the meta-evaluation, where there could be one, and ``verdicts`` what was said from it."""

    primary: Measure | None
    secondary: Measure | None
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    looked_at: Mapping[str, Any]
    findings: Summary | None = None
    verdicts: tuple[Verdict, ...] = ()

    def lines(self) -> list[str]:
        """The advice in words, in at most ten lines unless all notes are asked for."""
        without = [one for one in self.warnings if is_left_out(one)]
        others = (beware(one) for one in self.warnings if one not in without)
        sentences = [self.verdict(), *without, *self.reasons, *others]
        said = [sentence(anew(text)) for text in sentences]
        chosen, lines = 0, 0
        for place, text in enumerate(said):
            lines += len(textwrap.wrap(text, _WIDE, subsequent_indent="  "))
            if not all_notes() and lines > _LINES - (place < len(said) - 1):
                break
            chosen += 1
        wide = min(_WIDE, terminal_width() or _WIDE)
        kept = [line for text in said[:chosen] for line in textwrap.wrap(text, wide, subsequent_indent="  ")]
        return kept if chosen == len(said) else [*kept, more_notes(len(said) - chosen)]

    def verdict(self) -> str:
        """Which measures, in one sentence."""
        if self.primary is None:
            return note("cannot tell", "These data cannot tell which measure is better, so there is no recommendation")
        if self.secondary is None:
            return note("advice", "Primary measure: {measure}", measure=self.primary.id)
        return note("advice", "Primary measure: {measure}. Secondary: {other}", measure=self.primary.id, other=self.secondary.id)

    def _rendered(self, format: OutputFormat) -> str:
        """Sentences for a terminal; tables in the other formats."""
        if format.name != "table":
            return super()._rendered(format)
        return "".join(f"{visible(line)}\n" for line in [*self.lines(), *wrapped(self.signature_line(), terminal_width())])

    def to_dict(self) -> dict[str, Any]:
        rows = self.findings.rows if self.findings else ()
        return {
            "primary": self.primary and self.primary.id,
            "secondary": self.secondary and self.secondary.id,
            "reasons": list(self.reasons),
            "warnings": list(self.warnings),
            "notes": [*self.reasons, *self.warnings],
            "looked_at": dict(self.looked_at),
            "findings": self._said(),
            **self.signed(),
            "measures": [
                {
                    "id": row.measure,
                    "group": row.group,
                    "mean_tau": json_number(row.mean_tau),
                    "consistency": row.consistency,
                    "power": json_number(row.power),
                    "discrimination": row.discrimination,
                    "verdict": row.verdict.kind,
                }
                for row in rows
            ],
        }

    def _said(self) -> list[dict[str, Any]]:
        """The verdicts on measures, and what is said besides; each once."""
        verdicts = {str(verdict.text): verdict.to_dict() for verdict in self.verdicts}
        return [*verdicts.values(), *data(one for one in (*self.reasons, *self.warnings) if str(anew(one)) not in verdicts)]

    def numbers(self) -> dict[str, str]:
        """Of the measures that are recommended, and of what the small meta-evaluation found of each."""
        named = {"primary": self.primary, "secondary": self.secondary}
        rows = self.findings.rows if self.findings else ()
        found = ("mean_tau", "power") if rows else ()
        digests = {role: digest_of_numbers([(measure and measure.id,)]) for role, measure in named.items()}
        return digests | {name: digest_of_numbers((row.measure, getattr(row, name)) for row in rows) for name in found}

    def tables(self, format: OutputFormat) -> list[Table]:
        return [Table(("", "advice"), tuple((what, sentence(anew(text))) for what, text in self._parts()))]

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


@with_options(AdviseOptions, renamed={"data": "gold"})
def advise(asked: AdviseOptions, gold: Any, runs: Any = None) -> Advice:
    """Recommend a primary and a secondary measure for these data, with reasons, sources and numbers.

    ``advise(gold, runs, classes=...)`` takes what ``evaluate`` takes. ``advise(scores)`` takes scores, and says what it could
    not look at.

    Parameters
    ----------
    gold : path, data frame, array, evidence or scores
        What is right, as for ``evaluate``; or scores from ``evaluate``, a frame or a file of them.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.

    Returns
    -------
    Advice
        The measures, in at most ten lines with the reasons; nothing is recommended where the data cannot tell.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    It names the first measure of those that papers recommend for such data which ``meta.summary`` calls fit to be the primary
    one on these: there are enough topics and runs, it ranks the runs alike in two halves of the topics, finds significant
    differences, and is not worse than another beyond chance (Sakai 2021, Sections 5 and 6).

    Examples
    --------
    >>> import metameasure as mm
    >>> advice = mm.advise([1, 2, 2, 1], {"a": [1, 2, 1, 1], "b": [1, 1, 1, 1]}, classes=[1, 2])
    >>> print(advice.primary)
    None

    """
    known = asked.registry or default_registry()
    return advise_beside(
        gold, runs, Asked(asked.task, asked.seed, asked.no_distances, known, skip_broken=asked.skip_broken), asked.told()
    )


@dataclass(frozen=True)
class Asked:
    """What advice is asked for. ``beside`` names measures that are looked at besides those that one would look at anyway,
    ``better`` has the directions of those that are not ours, ``tests`` the options of the tests."""

    task: str
    seed: int
    no_distances: bool
    registry: Registry
    beside: Sequence[str] = ()
    better: Mapping[str, Better] = field(default_factory=dict)
    tests: Mapping[str, Any] = field(default_factory=dict)
    skip_broken: bool = False


def advise_beside(data: Any, runs: Any, asked: Asked, how: Mapping[str, Any]) -> Advice:
    """The advice on gold and runs, on evidence or on scores."""
    keywords = told(how)
    match what_is(data, runs, keywords, asked.task):
        case "scores":
            check_only_scores(data, {**keywords, "skip_broken": asked.skip_broken or None}, asked.task)
            return _of_scores(data, asked)
        case "evidence":
            read = evidence_in(data)
            return _of_data(read, runs, replace(asked, task=read.task) if asked.task == USUAL_TASK else asked, keywords)
        case _:
            return _of_data(data, runs, asked, keywords)


def _of_data(gold: Any, runs: Any, asked: Asked, how: Mapping[str, Any]) -> Advice:
    bound_task, evidence, partitions = _read(gold, runs, asked, how)
    kind = evidence.scale.kind if evidence.scale else None
    looked = _assuming(bound_task.facts(evidence), kind, asked)
    if partitions:
        looked = replace(looked, facts={**looked.facts, "topics": 1, "partitions": partitions})
    measures = _considered(bound_task, evidence, asked)
    task = bound_task.name
    scores = bound_task.score(evidence, measures, distance=None, average="topics", drawn_with=None)
    word = "partition" if partitions else scores.topic_word
    shown = [
        measure
        for measure in measures
        if task in measure.headline or measure.id in asked.beside or _fits(measure, task, kind, looked)
    ]
    usable = [measure.id for measure in shown if _is_defined(measure, scores)]
    findings, why_not = _meta_evaluated(scores, usable, len(scores.runs), len(scores.topics), asked, word)
    beside = None
    if bound_task.blind_baselines:
        beside = bound_task.with_baselines(scores.of(shown), evidence, distance=None, seed=asked.seed)
    warned = [*bound_task.left_out, *warnings(looked, scores, beside, shown)]
    advice = _advice(_Case(task, kind, looked, measures, counted(len(scores.topics), word), findings, why_not), warned)
    made = evidence.signed().having(topics=1, partitions=None) if partitions else evidence.signed()
    told = {"no_distances": asked.no_distances or None, "skip_broken": asked.skip_broken or None}
    return replace(advice, made=made.having(command="advise", seed=asked.seed, **told))


def _of_scores(data: Any, asked: Asked) -> Advice:
    name, source = lone_source(data, "ask about one test set at a time")
    scores = as_one(name, source)
    measures = [
        candidate
        for candidate in (asked.registry.find(id) for id in scores.ids)
        if candidate is not None and candidate.kind == "score"
    ]
    if not measures:
        raise DataError("none of these measures is known here", hint="'metameasure measures' lists those that are")
    first = scores[0]
    tasks = [task for measure in measures for task in measure.tasks]
    task = max(dict.fromkeys(tasks), key=tasks.count)  # what most of the measures are for
    runs = len([run for run in first.runs if run not in scores.baselines])
    facts = {
        "task": task,
        "topics": len(first.topics),
        "runs": runs,
        "measures": [measure.id for measure in measures],
        "could_not_look_at": list(_UNSEEN),
    }
    kind: Kind = "ordinal" if any(measure.scale != "nominal" for measure in measures) else "nominal"
    order = {"ordered": "the classes have an order"} if kind == "ordinal" and has_order(task) else {}
    looked = _assuming(DataFacts(facts, order), kind, asked)
    ids = [id for id in scores.ids if id in asked.better or asked.registry.find(id) in measures]
    usable = [one.measure for one in scores if one.measure in ids and _is_mostly_there(one)]
    findings, why_not = _meta_evaluated({name: source}, usable, runs, len(first.topics), asked)
    topics = counted(len(first.topics), "topic")
    by_name = sorted(scores.baselines) if scores.by_name else []
    keep = f"to keep one, write a column '{MARK}' with false in its rows"
    warned = [left_out(by_name, by_name=True, keep=keep)] if by_name else []
    advice = _advice(_Case(task, kind, looked, measures, topics, findings, why_not), warned)
    return replace(advice, made=made_of_sources([(name, source)]).having(command="advise", seed=asked.seed))


def _read(gold: Any, runs: Any, asked: Asked, how: Mapping[str, Any]) -> tuple[Task[Any, Any], Evidence, int]:
    """The evidence. One test set of many items is divided into partitions, so that there is something to split, unless its items
    have been counted before."""
    bound_task = task_on_evidence(asked.task, gold, runs, {"seed": asked.seed, **how})
    bound_task = with_sound_runs(bound_task) if asked.skip_broken else bound_task
    evidence = bound_task.evidence()
    if bound_task.known_evidence is not None:
        return bound_task, evidence, 0
    items = bound_task.facts(evidence).facts.get("items", 0) if len(evidence.topics) == 1 else 0
    partitions = min(_PARTITIONS, items // _ITEMS_EACH)
    parted = bound_task.parted(partitions, evidence) if partitions >= FEWEST_TOPICS else None
    return (bound_task, evidence, 0) if parted is None else (parted, parted.evidence(), partitions)


def _assuming(looked: DataFacts, kind: Kind | None, asked: Asked) -> DataFacts:
    """What is known of the data, and that no distances between the classes may be assumed where that is asked for."""
    looked = replace(looked, facts={**looked.facts, "no_distances": asked.no_distances})
    if not asked.no_distances or "two_classes" in looked.traits:
        return looked
    if "ordered" not in looked.traits:
        raise UsageError(say("{--no-distances} is about ordered classes, and there are none here"), hint="leave it out")
    if kind == "interval":
        raise UsageError(
            say("{--no-distances} says that classes have no distances, {--kind interval} that they have"),
            hint="leave out one of the two",
        )
    return replace(looked, traits={**looked.traits, "no_distances": "no distances between the classes are assumed"})


def _considered(task: Task[Any, Any], evidence: Evidence, asked: Asked) -> list[Measure]:
    """Every measure of the task that can be scored here as it is; of those that it takes from another task, the ones that are
    shown or recommended; and those that were asked for."""
    measures = []
    for measure in asked.registry.of_task(*task.takes).values():
        own = task.name in measure.tasks
        wanted = task.name in measure.headline or any(one.task == task.name for one in measure.recommended)
        taken = wanted and {*measure.tasks} & {*task.takes}
        ready = measure.kind == "score" and not measure.open and not measure.needs_distance
        if (own or taken) and ready and can_score(measure, evidence):
            measures.append(measure)
    more = [asked.registry[id] for id in asked.beside if id not in {measure.id for measure in measures}]
    return [*measures, *(one for one in more if one.kind == "score" and not one.needs_distance)]


def _fits(measure: Measure, task: str, kind: Kind | None, looked: DataFacts) -> bool:
    """Whether somebody recommends the measure for such data, or asks not to use it."""
    return task in measure.cautions or any(one.fits(task, kind, looked.traits) for one in measure.recommended)


def _is_defined(measure: Measure, scores: Scores) -> bool:
    """Whether all runs have scores by the measure, together on more than half of the topics."""
    common = int(scores.common_topics()[scores.measures.index(measure)].sum())
    return all(id != measure.id for id, _ in scores.without) and 2 * common > len(scores.topics)


def _is_mostly_there(scores: Scores) -> bool:
    """Whether all runs have scores of the one measure in a file, together on more than half of the topics."""
    return bool(2 * (~np.isnan(scores.values[0][:, scores.own])).all(axis=1).sum() > len(scores.topics))


def _meta_evaluated(
    scores: Any, measures: Sequence[str], runs: int, topics: int, asked: Asked, word: str = "topic"
) -> tuple[Summary | None, str]:
    """The measures compared on these runs and topics; and why that says nothing about them, where it does not."""
    why_not = too_few(runs, topics, word)
    if why_not:
        return None, why_not
    how = {"incomplete": "drop-topics", "seed": asked.seed, "registry": asked.registry, "better": asked.better or None}
    try:
        findings = summary(scores, measures=measures, **{**how, **asked.tests})
    except (DataError, UsageError) as error:
        return None, say("the measures cannot be compared here: {why}", why=error.message)
    left = findings.evidence.topics
    if left < topics and (why_not := too_few(runs, left, word, " only")):
        return findings, say("every measure is defined on {why}", why=why_not)
    return findings, findings.evidence.cannot_tell()


@dataclass(frozen=True)
class _Choice:
    """A measure, and who recommends it, if anybody does."""

    id: str
    measure: Measure
    by: Recommendation | None = None


@dataclass(frozen=True)
class _Case:
    """Everything that the advice depends on. ``why_not`` says why these data say nothing about measures, where they do not."""

    task: str
    kind: Kind | None
    looked: DataFacts
    measures: Sequence[Measure]
    topics: str
    findings: Summary | None
    why_not: str

    def assumes_too_much(self, measure: Measure) -> bool:
        """Whether a measure assumes what may not be assumed here. The search takes time: ask only of measures that matter."""
        return "no_distances" in self.looked.traits and assumes_distances(measure)

    def recommended(self, *roles: Role) -> list[_Choice]:
        """What papers recommend for data like these, in turn."""
        fitting = [
            _Choice(measure.id, measure, one)
            for role in roles
            for measure in self.measures
            for one in measure.recommended
            if one.role == role and one.fits(self.task, self.kind, self.looked.traits) and not self.assumes_too_much(measure)
        ]
        ordered = sorted(fitting, key=lambda choice: (roles.index(choice.by.role), choice.by.turn) if choice.by else (0, 0))
        return [*{choice.id: choice for choice in reversed(ordered)}.values()][::-1]

    def verdict(self, id: str) -> Verdict | None:
        """The verdict on a measure, if it was among those that were compared."""
        row = self.findings.row(id) if self.findings and not self.why_not else None
        return row.verdict if row else None

    def is_fit(self, id: str) -> bool:
        verdict = self.verdict(id)
        return verdict is not None and verdict.kind == "primary"

    def primary(self) -> _Choice | None:
        """The first of the recommended measures that is fit; if none is, the first that is better than what is recommended."""
        recommended = self.recommended("primary", "secondary")
        if self.findings is None or self.why_not or not recommended:
            return None
        first = recommended[0].id
        known = {measure.id: measure for measure in self.measures}
        others = [
            _Choice(row.measure, known[row.measure])
            for row in self.findings.rows
            if self.findings.row(first) and row.measure in known and self.findings.is_worse(first, row.measure)
            if not self.assumes_too_much(known[row.measure])
        ]
        return next((choice for choice in (*recommended, *others) if self.is_fit(choice.id)), None)

    def partners(self, primary: _Choice) -> list[_Choice]:
        """What the publication that recommends the primary measure puts beside it."""
        source = primary.by.source.short if primary.by else ""
        choices = [one for one in self.recommended("secondary") if one.by and one.by.source.short == source]
        return [one for one in choices if one.id != primary.id]

    def secondary(self, primary: _Choice) -> _Choice | None:
        """What the same publication puts beside it, or what is recommended otherwise: the first that tells something, contradicts
        no more than half of the others, and is not worse than another of these."""
        wanted = {one.id: one for one in (*self.partners(primary), *self.recommended("primary", "secondary"))}
        backed = [one for id, one in wanted.items() if id != primary.id and self.is_backed(id)]
        findings = self.findings
        assert findings is not None  # noqa: S101 - there is a primary measure
        return next((one for one in backed if not any(findings.is_worse(one.id, other.id) for other in backed)), None)

    def is_backed(self, id: str) -> bool:
        """Whether a measure can stand beside another."""
        if self.findings is None or self.findings.row(id) is None:
            return False
        standing = self.findings.evidence.standing(id)
        return standing.tells_something and not standing.outvoted


def _advice(case: _Case, warned: Sequence[str]) -> Advice:
    primary = case.primary()
    secondary = case.secondary(primary) if primary else None
    named = [choice.id for choice in (primary, secondary) if choice]
    reasons, compared = _reasons(case, primary, secondary) if primary else (_no_reason(case), [])
    return Advice(
        primary=primary.measure if primary else None,
        secondary=secondary.measure if secondary else None,
        reasons=tuple(reasons),
        warnings=tuple(warned),
        looked_at=case.looked.facts,
        findings=case.findings,
        verdicts=(*filter(None, map(case.verdict, named)), *compared),
    )


def _no_reason(case: _Case) -> list[str]:
    """Why nothing is recommended, and what the papers would say."""
    choices = case.recommended("primary")
    if not choices:
        too_much = any(map(case.assumes_too_much, case.measures))
        what = "a measure that assumes no distances between the classes" if too_much else "any of these measures"
        none = note("no paper", "no paper recommends {what} for {task} on such data", what=what, task=case.task)
        elsewhere = case.looked.said("made_elsewhere")
        made = [note("made elsewhere", "{elsewhere}", elsewhere=elsewhere)] if elsewhere else []
        return [*made, none, *_assumed(case), *_unseen(case)]
    if case.why_not:
        untold = "for such data {recommended}, which these data can neither confirm nor refute"
        said = [note("papers alone", untold, recommended=_recommends(one), measure=one.id) for one in choices]
        return [note("cannot tell", "{why}", why=case.why_not), *said, *_unseen(case)]
    return [*(_against_papers(case, choice, "for such data {recommended}; here {why}") for choice in choices), *_unseen(case)]


def _against_papers(case: _Case, choice: _Choice, template: str, why: str = "") -> str:
    """That papers recommend a measure, and what the data say against it."""
    why = why or _unfit(case, choice.id)
    return note("data against papers", template, recommended=_recommends(choice), why=why, measure=choice.id)


def _unfit(case: _Case, id: str) -> str:
    """Why a measure is not fit to be the primary one."""
    verdict = case.verdict(id)
    if verdict is None or case.findings is None:
        return say("it is not defined on enough topics to be compared")
    if verdict.kind == "usable":
        return case.findings.compared(id, verdict.subjects[1]).text
    standing = case.findings.evidence.standing(id)
    pairs = case.findings.evidence.pairs
    numbers = {"mean_tau": standing.mean_tau, "told_apart": standing.told_apart, "pairs": pairs}
    template = "it {against} (mean tau of halves {mean_tau:.3f}, {told_apart} of {pairs} pairs told apart)"
    return say(template, against=what_stands_against(standing.against), **numbers)


def _unseen(case: _Case) -> list[str]:
    """What scores alone do not show."""
    unseen = case.looked.facts.get("could_not_look_at")
    template = "scores alone do not show {what}: pass gold and runs to include them"
    return [note("not looked at", template, what=listed(unseen, "and"))] if unseen else []


def _reasons(case: _Case, primary: _Choice, secondary: _Choice | None) -> tuple[list[str], list[Verdict]]:
    """What papers found, what the data say of it, and what else is recommended; and the verdicts on pairs of measures."""
    findings = case.findings
    assert findings is not None  # noqa: S101 - nothing is recommended without it
    before = _passed_over(case, primary)
    reasons = [*([_because(case, primary)] if primary.by else []), _in_numbers(case, findings, primary)]
    reasons += [_against_papers(case, choice, "{recommended}; here {why}") for choice in before]
    reasons += _beside(case, primary, secondary)
    rivals = [one for one in case.recommended("primary") if one.id != primary.id and one not in before and findings.row(one.id)]
    compared = [findings.compared(choice.id, primary.id) for choice in (*before, *rivals) if findings.row(choice.id)]
    reasons += [
        note(
            "recommended too",
            "{recommended}; here {compared}",
            recommended=_recommends(rival),
            compared=findings.compared(rival.id, primary.id).text,
            measure=rival.id,
        )
        for rival in rivals
    ]
    reasons += _assumed(case)
    seen = {one.id for one in (*before, *rivals)}
    for other in dict.fromkeys((*_ahead(findings, primary), *([secondary.id] if secondary else []))):
        if other not in seen:
            verdict = findings.compared(other, primary.id)
            compared.append(verdict)
            reasons.append(_with_but(findings, other, verdict))
    return [*reasons, *_unseen(case), *_companion(case, primary)], compared


def _beside(case: _Case, primary: _Choice, secondary: _Choice | None) -> list[str]:
    """What a paper found of the secondary measure, and why it is not another that a paper puts beside the primary one."""
    findings = case.findings
    assert findings is not None  # noqa: S101 - nothing is recommended without it
    reasons: list[str] = []
    if secondary:
        tau = findings.similarity.tau_between(primary.id, secondary.id)
        row = findings.row(primary.id)
        opposed = " and contradict each other significantly" if row and secondary.id in row.contradicts else ""
        beside = "{found}; the two rank the runs with tau {tau:.3f}" + opposed
        reasons.append(note("second measure", beside, found=_found(secondary), measure=secondary.id, tau=tau))
    for partner in case.partners(primary):
        if secondary is not None and partner.id == secondary.id:
            break
        worse = secondary is not None and findings.row(partner.id) and findings.is_worse(partner.id, secondary.id)
        why = findings.compared(partner.id, secondary.id).text if worse and secondary else _unfit(case, partner.id)
        reasons.append(_against_papers(case, partner, "{recommended}, as a secondary measure; here {why}", why))
    return reasons


def _passed_over(case: _Case, primary: _Choice) -> list[_Choice]:
    """What papers put before the primary measure and the data do not."""
    choices = case.recommended("primary", "secondary")
    ids = [choice.id for choice in choices]
    before = choices[: ids.index(primary.id)] if primary.id in ids else choices
    return [choice for choice in before if choice.by and choice.by.role == "primary"]


def _ahead(findings: Summary, primary: _Choice) -> list[str]:
    """The measures with the highest mean tau and with the most pairs told apart, where that is not the primary one."""
    standings = findings.evidence.standings
    own = findings.evidence.standing(primary.id)
    steadiest, sharpest = max(standings, key=lambda one: one.mean_tau), max(standings, key=lambda one: one.told_apart)
    ahead = [steadiest.measure] if round(steadiest.mean_tau, 3) > round(own.mean_tau, 3) else []
    ahead += [sharpest.measure] if sharpest.told_apart > own.told_apart else []
    return [*dict.fromkeys(ahead)]


def _with_but(findings: Summary, other: str, verdict: Verdict) -> str:
    """What is said of a measure beside the primary one; and where it is better beyond chance, why it is not that one."""
    if verdict.kind != "worse" or verdict.subjects[1] != other:
        return verdict.text
    standing = findings.evidence.standing(other)
    if not standing.against:
        return verdict.text
    template = "{compared}. But {measure} {against}"
    return note(
        "better, but not fit", template, compared=verdict.text, measure=other, against=what_stands_against(standing.against)
    )


def _assumed(case: _Case) -> list[str]:
    """What was assumed of the distances between ordered classes."""
    if "ordered" not in case.looked.traits:
        return []
    if "no_distances" in case.looked.traits:
        return [note("assumed", "assumed: classes have an order and no distances")]
    if case.kind == "interval":
        return [note("assumed", "assumed: classes have the distances that their values have")]
    return [
        note("assumed", "assumed: neighbouring classes are equally far apart"),
        note("how to ask", "for measures that assume only the order of the classes, use {--no-distances}"),
    ]


def _companion(case: _Case, primary: _Choice) -> list[str]:
    """What is reported beside the primary measure, as the most that it can reach."""
    bound = default_registry().get(primary.measure.companions.get(case.task, ""))
    if bound is None:
        return []
    value = case.looked.facts.get(bound.id)
    bits = "" if value is None else say(" ({value:.3f} bits)", value=value)
    template = "report {bound}{bits}, the most that {measure} can reach, and the baselines too"
    return [note("report beside it", template, bound=bound.id, bits=bits, measure=primary.id)]


def _recommends(choice: _Choice) -> str:
    assert choice.by is not None  # noqa: S101 - only such are asked about
    return say("{measure} is recommended in {source}", measure=choice.id, source=str(choice.by.source))


def _found(choice: _Choice) -> str:
    """What a paper says of a measure, in its own name."""
    if choice.by is None:
        return say("{measure}", measure=choice.id)
    source = str(choice.by.source)
    comma = "," if "," in source else ""
    return say("{source}" + comma + " found that {measure} {why}", source=source, measure=choice.id, why=choice.by.why)


def _because(case: _Case, primary: _Choice) -> str:
    assert primary.by is not None  # noqa: S101 - only such are asked about
    traits = [trait for trait in (*primary.by.where, *primary.by.unless) if trait != "no_distances"]  # which is said apart
    conditions = [words for trait in traits if (words := case.looked.said(trait))]
    if not conditions:
        return note("recommended", "{found}", found=_found(primary), measure=primary.id)
    here = listed(conditions, "and")
    return note("recommended", "{found}; here {conditions}", found=_found(primary), conditions=here, measure=primary.id)


_CONSISTENT = 0.5
"""Below this mean tau more than one pair of runs in four changes its order from one half of the topics to the other."""


def _in_numbers(case: _Case, findings: Summary, primary: _Choice) -> str:
    """How consistent the measure is here, and how many runs it tells apart."""
    one = findings.evidence.standing(primary.id)
    steady = (
        "here, on {topics}, {measure} ranks the runs with mean tau {mean_tau:.3f} in two halves and tells {told_apart} of "
        "{pairs} pairs of runs apart"
    )
    unsteady = (
        "here, on {topics}, {measure} does not rank the runs consistently: the mean tau between two halves is {mean_tau:.3f}, "
        "and {told_apart} of {pairs} pairs of runs are told apart"
    )
    return note(
        "in numbers",
        steady if one.mean_tau >= _CONSISTENT else unsteady,
        topics=case.topics,
        measure=primary.id,
        mean_tau=one.mean_tau,
        told_apart=one.told_apart,
        pairs=findings.evidence.pairs,
    )


def beware(warning: str) -> str:
    """A warning as a sentence of its own."""
    return warn("beware", "Beware: {warning}", warning=warning)
