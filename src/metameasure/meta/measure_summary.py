"""All questions in one table: what each measure can do, how it ranks, how stable it is, what it can tell apart, and advice."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Unpack

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.sources import SAKAI_2021
from metameasure.comparing.comparison import TESTS
from metameasure.core.choices import DrawBy, Test
from metameasure.core.messages import about, caption, legend, say
from metameasure.core.notes import in_a_row, listed
from metameasure.core.numbers import number, percent
from metameasure.core.shared_options import VALIDITY
from metameasure.meta.abilities import ORDER_AWARE, Ability, abilities_of_all
from metameasure.meta.data import AnyScores, DataSets, Selection, data_sets, leaves_out, names_methods, resumable
from metameasure.meta.discriminative_power import Discrimination, discrimination
from metameasure.meta.finding import Finding, json_rows
from metameasure.meta.question import LEAVE_OUT, RUN_TEST_OPTIONS, Question
from metameasure.meta.ranking_similarity import ALIKE, GROUP_AT, Similarity, similarity
from metameasure.meta.significance_contradictions import Contradictions, contradictions
from metameasure.meta.significance_overlap import Overlap, overlap
from metameasure.meta.split_consistency import SPLIT_OPTIONS, Consistency, Size, consistency
from metameasure.meta.verdict import TEST as HOW_TESTED
from metameasure.meta.verdict import Evidence, Rating, Standing, Verdict, compared, ratings, verdicts
from metameasure.show.canvas import Figure
from metameasure.show.formats.plain import terminal_width
from metameasure.show.rows import dots, row_chart
from metameasure.show.table import Mark, OutputFormat, Table

QUESTION = Question(
    __name__,
    id="summary",
    title="All of it in one table",
    asks="Which measure should be the primary one, and which adds something beside it?",
    why="One table: what each measure can do, groups, consistency, power, and advice.",
    formula=(
        "good, fair, poor: the upper, middle and lower third of the range from the worst to the best of these measures;\n"
        "alike: the best and the worst do not differ beyond chance. A measure that does not differ from the best is as good.\n"
        "beyond chance: p <= alpha where consistency, or power, is tested over topics (meta consistency, meta discrimination)\n"
        "worse: beyond chance on one count, and not better beyond chance on the other; else two measures are not told apart\n"
        "fit to be the primary measure: one that can do what others here can (see the order, handle imbalance), that ranks\n"
        "better than at random and tells some runs apart, that does not contradict more than half of the others, and that is\n"
        "worse than no other of this kind\n"
        "fewer than 10 topics or 3 runs, or no two runs that differ by any measure: the data cannot tell\n"
        "groups: complete linkage at mean tau >= .8\n"
        "ordinal, constant runs, imbalance, symmetric: found by search on small made-up data, whatever the scores at hand"
    ),
    read=(
        "Ratings compare the measures at hand with one another, on these runs and topics: poor is not bad. A primary measure "
        "should be able to do what the task needs, be stable, tell runs apart, and not contradict most of the others; a "
        "secondary one should come from another group."
    ),
    source=(SAKAI_2021.at("Sections 5.4 and 6.4, Tables 4 and 7"),),
    several="similarity and consistency averaged, discriminative power pooled",
    options=(*SPLIT_OPTIONS, *RUN_TEST_OPTIONS, GROUP_AT, VALIDITY, LEAVE_OUT),
    place=100,
    name="all",
)
_NARROW, _WIDE = 40, 80
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII")
_MARKS: dict[str, Mark] = {"good": "strong", "fair": "fair", "poor": "weak"}
_TICKS = {True: "✓", False: "", None: "?"}
# Runs that always return the same class are rare: a primary measure may do without telling them apart (Sakai 2021, Section 5.4).
_INDISPENSABLE = (ORDER_AWARE, "imbalance_aware")
_ROLES = ("primary", "usable", "secondary", "cannot tell")


@dataclass(frozen=True)
class Row:
    """One measure: what it can do, its group, its values and ratings, and advice."""

    measure: str
    abilities: dict[Ability, bool | None]
    group: str
    mean_tau: float
    consistency: Rating
    power: float
    discrimination: Rating
    verdict: Verdict
    contradicts: tuple[str, ...] = ()
    outvoted: bool = False
    """Whether it contradicts more than half of the other measures."""
    advice: str = ""

    def can(self, ability: Ability) -> bool | None:
        """Whether it has the ability; None where it was not, or could not be, tried."""
        return next((able for tried, able in self.abilities.items() if tried.id == ability.id), None)

    @property
    def fit(self) -> bool:
        """Whether it could be the primary measure."""
        return self.verdict.kind == "primary"


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary(Finding):
    """A row for each measure, and the findings behind them."""

    caption: ClassVar[str] = QUESTION.title

    rows: tuple[Row, ...]
    similarity: Similarity
    consistency: Consistency
    discrimination: Discrimination
    overlap: Overlap
    contradictions: Contradictions
    evidence: Evidence

    @property
    def validity(self) -> dict[str, str]:
        compared = {"p_consistency": "test/meta/consistency", "p_power": "test/meta/power"} if len(self.measures) > 1 else {}
        return {"p": f"test/{self.discrimination.test}", **compared}

    def settled(self) -> dict[str, Any]:
        return self.discrimination.settled()

    def abilities(self) -> list[Ability]:
        """The abilities that at least one of the measures was tried for; what tasks have in common stands once."""
        return list({ability.id: ability for row in self.rows for ability in row.abilities}.values())

    def row(self, measure: str) -> Row | None:
        """The row of a measure, where it was among those asked about."""
        return next((row for row in self.rows if row.measure == measure), None)

    def compared(self, first: str, second: str) -> Verdict:
        """What may be said of two of the measures."""
        return compared(self.evidence, first, second)

    def is_worse(self, first: str, second: str) -> bool:
        """Whether the first of two measures is worse than the second, beyond chance."""
        return bool(self.evidence.worse[self.evidence.place(first), self.evidence.place(second)])

    def verdicts(self) -> list[Verdict]:
        """What is said of each measure, from the best down; then of every two of which one is worse."""
        pairs = [self.compared(one.measure, other.measure) for one, other in combinations(self.rows, 2)]
        return [*(row.verdict for row in self.rows), *(pair for pair in pairs if pair.kind == "worse")]

    def answer(self) -> dict[str, Any]:
        return {
            "measures": [
                entry | {"abilities": {ability.id: able for ability, able in row.abilities.items()}}
                for row, entry in zip(self.rows, json_rows(self._judged()), strict=True)
            ],
            "contradictions": self.contradictions.sentences(),
            "verdicts": [verdict.to_dict() for verdict in self.verdicts()],
            "answers": {
                "similarity": self.similarity.answer() | self.similarity.named_methods(),
                "consistency": self.consistency.answer() | self.consistency.named_methods(),
                "discrimination": self.discrimination.answer() | self.discrimination.named_methods(),
                "overlap": self.overlap.answer(),
                "contradictions": self.contradictions.answer(),
            },
        }

    def said(self) -> list[str]:
        verdicts = [(one, one.subjects[0]) for one in self.verdicts()]
        of_one = [about(one.text, measure=measure) for one, measure in verdicts if one.kind in _ROLES]
        return [*of_one, *(one.text for one, _ in verdicts if one.kind not in _ROLES), *self.contradictions.sentences()]

    def columns(self) -> dict[str, list[Any]]:
        judged = self._judged()
        able = {ability.id: [row.can(ability) for row in self.rows] for ability in self.abilities()}
        return {"measure": judged.pop("measure"), **able, **judged}

    def _judged(self) -> dict[str, list[Any]]:
        names = ("measure", "group", "mean_tau", "consistency", "power", "discrimination", "advice")
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (2021), Tables 4 and 7, with the values behind the ratings and a line of advice for each measure."""
        shown = [*(ability.heading for ability in self.abilities()), "group", "consistency", "power"]
        numbered = [f"({_ROMAN[place]})" if format.paper else heading for place, heading in enumerate(shown)]
        headings = ("measure", *numbered, *(left.name for left in self.left_out), *(["advice"] if format.wide else []))
        without = [{row.measure: f"{number(row.mean_tau)}, {percent(row.power)}%" for row in left.rows} for left in self.left_out]
        rows = tuple(
            (
                measure_name(row.measure, format),
                *(_TICKS[row.can(ability)] for ability in self.abilities()),
                row.group,
                _rated(row.consistency, number(row.mean_tau), format),
                _rated(row.discrimination, f"{percent(row.power)}%", format),
                *(left[row.measure] for left in without),
                *([row.advice] if format.wide else []),
            )
            for row in self.rows
        )
        marks = {
            (place, heading): _MARKS[rating]
            for place, row in enumerate(self.rows)
            for heading, rating in zip(numbered[-2:], (row.consistency, row.discrimination), strict=True)
            if rating in _MARKS
        }
        explained = self.below(*self._explanations(format))
        said = Table(headings, rows, marks=marks, notes=(*explained, *self._conclusions(format)))
        return [said] if format.wide or format.paper else [said, self._advice_table()]

    def _advice_table(self) -> Table:
        """The advice, where it has no column of its own: in lines that fit a terminal."""
        beside = max(len(row.measure) for row in self.rows) + 2
        wide = max(_NARROW, min(_WIDE, (terminal_width() or _WIDE + beside) - beside))
        wrapped = [(row.measure, textwrap.wrap(f"{row.advice}.", wide)) for row in self.rows]
        lines = [(measure * (not place), line) for measure, advice in wrapped for place, line in enumerate(advice)]
        return Table(("measure", "advice"), tuple(lines))

    def _explanations(self, format: OutputFormat) -> list[str]:
        stable, tested, alike = self.consistency, self.discrimination, self.similarity
        power = "power: share of the {pairs} pairs of runs that differ significantly ({test}, alpha = {alpha:g}, B = {trials})."
        test = {"test": say(TESTS[tested.test]), "alpha": tested.alpha, "trials": tested.trials}
        lines = [legend("{heading}: {meaning}.", heading=one.heading, meaning=one.meaning) for one in self.abilities()]
        lines += [
            legend("group: rankings alike, mean tau >= {threshold:g} between every two.", threshold=alike.threshold),
            legend("consistency: mean tau over {splits} splits ({how}).", splits=stable.splits, how=stable.how()),
            legend(power, pairs=tested.pairs, **test),
        ]
        if format.paper:
            lines = [legend("({column}) {line}", column=_ROMAN[place], line=line) for place, line in enumerate(lines)]
        names = listed([part.name for part in self.parts()], "and")
        return [
            *lines,
            legend(
                "good, fair, poor: thirds of the range from the worst to the best of these measures; {alike}: these two do not "
                "differ beyond chance.",
                alike="alike" if format.paper else "a number alone",
            ),
            legend("Chance: {how}, alpha = {alpha:g}.", how=HOW_TESTED, alpha=tested.alpha),
            *([legend("without ...: consistency and power of the other runs.")] if self.left_out else []),
            legend("Seed {seed}; data sets: {names}.", seed=tested.seed, names=names),
        ]

    def _conclusions(self, format: OutputFormat) -> list[str]:
        """Who contradicts whom; and the advice on paper, where a column of sentences has no room."""
        advice = (
            [say("{measure}: {advice}.", measure=row.measure, advice=row.advice) for row in self.rows] if format.paper else []
        )
        return [*self.contradictions.sentences(), *advice]

    def draw(self, width: float) -> Figure:
        """The two values that are rated, side by side; measures from the best down, with their groups."""
        names = [f"{symbol_of(row.measure)} ({row.group})" for row in self.rows]
        taus, powers = (np.array([getattr(row, name) for row in self.rows]) for name in ("mean_tau", "power"))
        panels = [
            dots("consistency", taus, texts=[row.consistency for row in self.rows]),
            dots("power (%)", 100 * powers, texts=[row.discrimination for row in self.rows]),
        ]
        said = caption(
            "Consistency: mean tau. In brackets: groups of measures that rank alike (tau at least {threshold:g}).",
            threshold=self.similarity.threshold,
        )
        return row_chart(names, panels, width, notes=[said])


@names_methods
@resumable
@leaves_out
def summary(
    scores: AnyScores,
    *,
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    splits: int = 1000,
    size: Size = "half",
    test: Test | None = None,
    draw_by: DrawBy | None = None,
    threshold: float = ALIKE,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Summary:
    """Similarity, consistency, discrimination, overlap and contradictions, put together in one table with advice."""
    data = data_sets(scores, selection)
    alike = similarity(data, seed=seed, threshold=threshold, threads=threads)
    stable = consistency(data, splits=splits, size=size, trials=trials, alpha=alpha, seed=seed, threads=threads)
    tested = discrimination(data, trials=trials, alpha=alpha, seed=seed, test=test, draw_by=draw_by, threads=threads)
    shared, opposed = overlap(tested), contradictions(tested, fold=True)
    registry = selection.get("registry") or default_registry()
    findings = [alike, stable, tested, shared, opposed]
    each = zip(data.items(), *(finding.data for finding in findings), strict=True) if len(data) > 1 else ()
    parts = [_summarised(part, {name: one}, registry) for (name, one), *part in each]
    return _summarised(findings, data, registry, tuple(parts))


def _rated(rating: Rating, value: str, format: OutputFormat) -> str:
    """The rating with its value; on paper the rating alone. Where no measure differs from another, no word says that it does."""
    return rating if format.paper else value if rating == "alike" else f"{rating} {value}"


def _summarised(findings: Sequence[Any], of: DataSets, registry: Registry, data: tuple[Summary, ...] = ()) -> Summary:
    alike, stable, tested, shared, opposed = findings
    able = dict(zip(alike.measures, abilities_of_all([_known(id, of, registry) for id in alike.measures]), strict=True))
    evidence = _evidence(stable, tested, opposed, able, of)
    return Summary(
        name="all" if data else alike.name,
        measures=alike.measures,
        rows=_rows(alike, tested, opposed, able, evidence),
        similarity=alike,
        consistency=stable,
        discrimination=tested,
        overlap=shared,
        contradictions=opposed,
        evidence=evidence,
        notes=alike.notes,
        data=data,
    )


def _known(id: str, data: DataSets, registry: Registry) -> Measure | None:
    """The measure that scores are of; None for one that nobody here knows."""
    scored = (one for part in data.values() for one in part.measures if one.id == id and one.kind != "foreign")
    return next(scored, None) or registry.find(id)


def _evidence(
    stable: Consistency,
    tested: Discrimination,
    opposed: Contradictions,
    able: Mapping[str, Mapping[Ability, bool | None]],
    data: DataSets,
) -> Evidence:
    """What verdicts on the measures rest on. An ability that no measure here has cannot be asked for."""
    measures = tested.measures
    place = [stable.measures.index(measure) for measure in measures]
    steadiness = stable.apart.of(place)
    had = {ability.id for one in able.values() for ability, can in one.items() if can}
    needed = had & {*_INDISPENSABLE}
    standings = tuple(
        Standing(
            measure,
            float(stable.mean_tau[stable.measures.index(measure)]),
            int(count),
            tuple(ability.lacking for ability, can in able[measure].items() if can is False and ability.id in needed),
            2 * len(_opponents(measure, opposed)) > len(measures) - 1,
        )
        for measure, count in zip(measures, tested.counts, strict=True)
    )
    powers = tested.counts.astype(float) / max(1, tested.pairs)
    steady = ratings(stable.mean_tau[place].tolist(), steadiness.as_shown(stable.mean_tau[place], stable.alpha))
    sharp = ratings(powers.tolist(), tested.apart.as_shown(powers, tested.alpha))
    return Evidence(
        standings,
        steadiness,
        tested.apart,
        pairs=tested.pairs,
        runs=max(len(one.runs) for one in data.values()),
        topics=sum(len(one.topics) for one in data.values()),
        alpha=tested.alpha,
        ratings=dict(zip(measures, zip(steady, sharp, strict=True), strict=True)),
    )


def _rows(
    alike: Similarity,
    tested: Discrimination,
    opposed: Contradictions,
    able: Mapping[str, dict[Ability, bool | None]],
    evidence: Evidence,
) -> tuple[Row, ...]:
    """Measures from the best to the worst."""
    groups, found = alike.group_of(), verdicts(evidence)
    judged = [
        Row(
            one.measure,
            able[one.measure],
            groups[one.measure],
            one.mean_tau,
            evidence.ratings[one.measure][0],
            float(power),
            evidence.ratings[one.measure][1],
            found[one.measure],
            _opponents(one.measure, opposed),
            one.outvoted,
        )
        for one, power in zip(evidence.standings, tested.power(), strict=True)
    ]
    beaten = dict(zip(tested.measures, evidence.worse.sum(axis=1).tolist(), strict=True))

    def key(row: Row) -> tuple[Any, ...]:
        both = -round(row.mean_tau + row.power, 12)
        return _ROLES.index(row.verdict.kind), row.outvoted, beaten[row.measure], both, row.measure

    ordered = sorted(judged, key=key)
    return tuple(replace(one, advice=_advice(one, ordered)) for one in ordered)


def _advice(one: Row, ordered: Sequence[Row]) -> str:
    lacking = [ability.lacking for ability, can in one.abilities.items() if can is False and ability.lacking]
    if len(ordered) == 1:
        return in_a_row([say("the only measure here: there is nothing to rate it against"), *map(say, lacking)], "; ")
    lacks = [say(words) for words in lacking if words not in one.verdict.against]
    opposed = [say("contradicts {measures}", measures=listed(one.contradicts, "and"))] if one.contradicts else []
    return in_a_row([one.verdict.text, _company(one, ordered), *lacks, *opposed], "; ")


def _company(one: Row, ordered: Sequence[Row]) -> str:
    mates = [other for other in ordered if other.group == one.group]
    if len(mates) == 1:
        says = one.verdict.numbers["told_apart"] and one.mean_tau > 0
        return say("ranks like no other, so it adds a view of its own" if says else "ranks like no other")
    if one is mates[0]:
        return say("can stand for group {group}", group=one.group)
    return say("ranks much as {measure} does", measure=mates[0].measure)


def _opponents(measure: str, opposed: Contradictions) -> tuple[str, ...]:
    pairs = [(pair.first, pair.second) for pair in opposed.pairs if pair.runs]
    return tuple(second if first == measure else first for first, second in pairs if measure in (first, second))
