"""What a trial of judges comes to, in words; what must not be relied on comes first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from metameasure.core.messages import note, say, warn
from metameasure.core.notes import grouped, in_a_row, listed
from metameasure.core.numbers import number

if TYPE_CHECKING:
    from metameasure.judging.result import JudgeLine, Judgement

_listed = partial(listed, joint="and", most=None)

_SHUFFLED_AS_GOOD = 0.05


def verdict(judgement: Judgement) -> list[str]:
    """Sentences, each with its full stop."""
    return [
        *(said for line in judgement.judges for said in _of_judge(judgement, line)),
        *_constant_judges(judgement),
        *_shuffled(judgement),
        *_pairs(judgement),
        *_golds(judgement),
    ]


def _to_two_places(value: float) -> str:
    return "undefined" if math.isnan(value) else number(value, 2)


def _constant_judges(judgement: Judgement) -> Iterator[str]:
    """Whether always giving the same label passes the alt-test, or beats a judge."""
    constant = next((one for one in judgement.references if one.kind == "constant"), None)
    if constant is None:
        return
    beaten = round(constant.winning_rate * _tested(judgement)) if not math.isnan(constant.winning_rate) else 0
    if constant.winning_rate >= 0.5:
        yield warn(
            "alt-test passed by a constant",
            "'{name}' passes the alt-test here ({beaten} of {people} people beaten, advantage {advantage:.2f}): do not "
            "rely on it.",
            name=constant.name,
            beaten=beaten,
            people=_tested(judgement),
            advantage=constant.advantage,
        )
    judges = ((line.judge, line.alt_test.advantage) for line in judgement.judges)
    worse = [(judge, advantage) for judge, advantage in judges if advantage < constant.advantage]
    if worse:
        yield warn(
            "alt-test prefers a constant",
            "'{name}' has a higher advantage probability in the alt-test ({advantage:.2f}) than {whom}.",
            name=constant.name,
            advantage=constant.advantage,
            whom=_listed([say("{judge} ({judges_advantage:.2f})", judge=judge, judges_advantage=its) for judge, its in worse]),
        )
    by_measure = next((one for one in judgement.references if one.kind == "constant by measure"), constant)
    sign = 1 if judgement.better == "higher" else -1
    below = [line.judge for line in judgement.judges if not sign * line.value > sign * by_measure.value]
    if below:
        yield warn(
            "no better than a constant",
            "By {measure} '{name}' ({shown}) does as well as {judges} or better: "
            + ("these judges say" if len(below) > 1 else "this judge says")
            + " nothing about single items that this measure can see.",
            measure=judgement.measure,
            name=by_measure.name,
            shown=_to_two_places(by_measure.value),
            value=by_measure.value,
            judges=_listed(below),
        )


def _tested(judgement: Judgement) -> int:
    return max((len(line.alt_test.by_annotator) for line in judgement.judges), default=0)


def _of_judge(judgement: Judgement, line: JudgeLine) -> Iterator[str]:
    """The decision; the bias, where classes have an order; and the alt-test, where it says otherwise."""
    yield _decision(judgement, line)
    bias = line.bias
    if not math.isnan(bias.mean):
        clear = bias.low > 0 or bias.high < 0
        shown = "{judge}'s labels are {size} {higher} than people's on average ({level:.0%} interval {low} to {high})."
        nothing = "{judge}'s labels are not shown to be higher or lower than people's on average ({mean:.2f}, {level:.0%} "
        nothing += "interval {low} to {high})."
        size = {"size": _to_two_places(abs(bias.mean)), "higher": "higher" if bias.mean > 0 else "lower"} if clear else {}
        ends = {"low": _to_two_places(bias.low), "high": _to_two_places(bias.high)}
        told = {"judge": line.judge, "level": judgement.level, "mean": bias.mean}
        yield note("bias of a judge", shown if clear else nothing, **told, **ends, **size)
    behind, ahead = _is_behind(judgement, line), _is_ahead(judgement, line)
    if line.alt_test.passes and behind:
        said = "The alt-test says otherwise: {judge} passes it (winning rate {rate}), for it looks at one item at a time."
    elif not line.alt_test.passes and not math.isnan(line.alt_test.winning_rate) and (ahead or line.not_worse == line.people):
        said = "The alt-test says otherwise: {judge} does not pass it (winning rate {rate})."
    else:
        return
    yield note(
        "alt-test says otherwise",
        said,
        judge=line.judge,
        rate=_to_two_places(line.alt_test.winning_rate),
        winning_rate=line.alt_test.winning_rate,
    )


def _is_behind(judgement: Judgement, line: JudgeLine) -> bool:
    """Whether a judge is shown to agree with people less well than they do with each other."""
    return line.worse == line.people or (line.high < 0 if judgement.better == "higher" else line.low > 0)


def _is_ahead(judgement: Judgement, line: JudgeLine) -> bool:
    """Whether it is shown to agree with them better."""
    return line.better == line.people or (line.low > 0 if judgement.better == "higher" else line.high < 0)


def _decision(judgement: Judgement, line: JudgeLine) -> str:
    return note(
        "judge beside people",
        "{judge} {compared} ({measure} {its}, people {theirs}). Of {people} people it is better than {less_good} and worse than "
        "{better_ones}"
        + (", {undecided} undecided" if line.undecided else "")
        + "; it is shown to be at most {margin:g} worse than {matched} of them.",
        judge=line.judge,
        compared=_compared(judgement, line),
        measure=judgement.measure,
        its=_to_two_places(line.value),
        theirs=_to_two_places(line.human),
        less_good=_count(line.better),
        better_ones=_count(line.worse),
        matched=_count(line.not_worse),
        **{name: getattr(line, name) for name in ("value", "human", "people", "better", "worse", "undecided", "not_worse")},
        margin=judgement.margin,
    )


def _count(number: int) -> str:
    return str(number) if number else "none"


def _compared(judgement: Judgement, line: JudgeLine) -> str:
    ahead = (line.difference if judgement.better == "higher" else -line.difference) >= 0
    none_worse = line.not_worse == line.people and not line.worse
    phrases = {
        "agrees with people better than people do with each other": line.better == line.people,
        "agrees with people at least as well as people do with each other": none_worse and ahead,
        "agrees with people about as well as people do with each other": none_worse,
        "agrees with people less well than people do with each other": line.worse == line.people,
        "agrees with people less well than most people do with each other": 2 * line.worse > line.people,
        "agrees with people better than most people do with each other": 2 * line.better > line.people,
        # What the interval of the difference shows is never left open.
        "agrees with people less well than people do with each other, on average": _is_behind(judgement, line),
        "agrees with people better than people do with each other, on average": _is_ahead(judgement, line),
        "agrees with people about as well as most people do with each other": 2 * line.not_worse > line.people,
    }
    undecided = "may or may not agree with people as well as people do with each other"
    return next((phrase for phrase, holds in phrases.items() if holds), undecided)


def _shuffled(judgement: Judgement) -> Iterator[str]:
    """Judges whose advantage in the alt-test is that of their own labels, assigned at random."""
    for one in judgement.references:
        if one.kind == "shuffled" and one.p > _SHUFFLED_AS_GOOD:
            own = judgement[one.judge].alt_test.advantage
            yield warn(
                "as good when shuffled",
                "Shuffling {judge}'s labels over the items leaves its advantage in the alt-test as it is ({its}, shuffled "
                "{random}).",
                judge=one.judge,
                its=_to_two_places(own),
                random=_to_two_places(one.advantage),
                own=own,
                shuffled=one.advantage,
            )


def _pairs(judgement: Judgement) -> Iterator[str]:
    """Which judges are better than which."""
    sign = 1 if judgement.better == "higher" else -1
    beaten: dict[str, list[str]] = {}
    for one in judgement.pairs:
        if one.p <= judgement.alpha:
            first, second = (one.first, one.second) if sign * one.difference > 0 else (one.second, one.first)
            beaten.setdefault(first, []).append(second)
    for line in judgement.judges:
        others = beaten.get(line.judge, [])
        if others:
            yield note(
                "better judge",
                "{judge} agrees with people better than {judges} {verb} (paired tests over {units}).",
                judge=line.judge,
                judges=_listed(others),
                verb="do" if len(others) > 1 else "does",
                units=judgement.units,
                measure=judgement.measure,
            )
    if judgement.pairs and not beaten:
        yield note("no better judge", "No judge is shown to be better than another.")


def _golds(judgement: Judgement) -> Iterator[str]:
    """Whether the choice of gold chooses the judge."""
    best = {one.gold: one.best for one in judgement.by_gold if one.best is not None}
    if len(set(best.values())) > 1:
        by_judge = grouped((judge, gold) for gold, judge in best.items())
        chosen = [say("{judge} by {golds}", judge=judge, golds=_listed(golds)) for judge, golds in by_judge.items()]
        said = "Which judge is best depends on what gold is: {chosen}."
        yield warn("gold chooses the judge", said, chosen=in_a_row(chosen, "; "))
