"""What a trial of judges comes to, in words; what must not be relied on comes first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from metameasure.core import numbers
from metameasure.core.notes import listed

if TYPE_CHECKING:
    from metameasure.judging.result import JudgeLine, Judgement

_listed = partial(listed, joint="and", most=None)

_SHUFFLED_AS_GOOD = 0.05


def verdict(judgement: Judgement) -> list[str]:
    """Sentences, each with its full stop."""
    return [
        *_constant_judges(judgement),
        *(_of_judge(judgement, line) for line in judgement.judges),
        *_shuffled(judgement),
        *_pairs(judgement),
        *_golds(judgement),
    ]


def short(value: float) -> str:
    """A number as papers write it: .30."""
    return "undefined" if math.isnan(value) else numbers.short(value)


def _constant_judges(judgement: Judgement) -> Iterator[str]:
    """Whether always giving the same label passes the alt-test, or beats a judge."""
    constant = next((one for one in judgement.references if one.kind == "constant"), None)
    if constant is None:
        return
    beaten = round(constant.winning_rate * _tested(judgement)) if not math.isnan(constant.winning_rate) else 0
    if constant.winning_rate >= 0.5:
        yield (
            f"'{constant.name}' passes the alt-test here ({beaten} of {_tested(judgement)} people beaten, advantage "
            f"{short(constant.advantage)}): do not rely on it."
        )
    worse = [line for line in judgement.judges if line.alt_test.advantage < constant.advantage]
    if worse:
        yield (
            f"'{constant.name}' has a higher advantage probability in the alt-test ({short(constant.advantage)}) than "
            f"{_listed([f'{line.judge} ({short(line.alt_test.advantage)})' for line in worse])}."
        )
    by_measure = next((one for one in judgement.references if one.kind == "constant by measure"), constant)
    sign = 1 if judgement.better == "higher" else -1
    below = [line.judge for line in judgement.judges if not sign * line.value > sign * by_measure.value]
    if below:
        yield (
            f"By {judgement.measure} '{by_measure.name}' ({short(by_measure.value)}) does as well as {_listed(below)} or better: "
            f"{'these judges say' if len(below) > 1 else 'this judge says'} nothing about single items that this measure can see."
        )


def _tested(judgement: Judgement) -> int:
    return max((len(line.alt_test.by_annotator) for line in judgement.judges), default=0)


def _of_judge(judgement: Judgement, line: JudgeLine) -> str:
    both = f"{judgement.measure} {short(line.value)}, people {short(line.human)}"
    tally = f"Of {line.people} people it is better than {_count(line.better)} and worse than {_count(line.worse)}"
    undecided = f", {line.undecided} undecided" if line.undecided else ""
    margin = f"it is shown to be at most {judgement.margin:g} worse than {_count(line.not_worse)} of them"
    return f"{line.judge} {_compared(judgement, line)} ({both}). {tally}{undecided}; {margin}."


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
        "agrees with people about as well as most people do with each other": 2 * line.not_worse > line.people,
    }
    undecided = "may or may not agree with people as well as people do with each other"
    return next((phrase for phrase, holds in phrases.items() if holds), undecided)


def _shuffled(judgement: Judgement) -> Iterator[str]:
    """Judges whose advantage in the alt-test is that of their own labels, assigned at random."""
    for one in judgement.references:
        if one.kind == "shuffled" and one.p > _SHUFFLED_AS_GOOD:
            own = judgement[one.judge].alt_test.advantage
            yield (
                f"Shuffling {one.judge}'s labels over the items leaves its advantage in the alt-test as it is "
                f"({short(own)}, shuffled {short(one.advantage)})."
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
            verb = "do" if len(others) > 1 else "does"
            yield f"{line.judge} agrees with people better than {_listed(others)} {verb} (paired tests over {judgement.units})."
    if judgement.pairs and not beaten:
        yield "No judge is shown to be better than another."


def _golds(judgement: Judgement) -> Iterator[str]:
    """Whether the choice of gold chooses the judge."""
    best = {one.gold: one.best for one in judgement.by_gold if one.best is not None}
    if len(set(best.values())) > 1:
        chosen = [f"{judge} by {_listed([one for one in best if best[one] == judge])}" for judge in dict.fromkeys(best.values())]
        yield f"Which judge is best depends on what gold is: {'; '.join(chosen)}."
