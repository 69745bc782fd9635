"""What may be said of measures on the data at hand: the one way from evidence to a verdict, for all who rate or recommend them.

The evidence is what two questions find, how alike a measure ranks the runs on other topics (consistency) and how many of them it
tells apart (power), each tested over topics; what a measure can do at all; and whom it contradicts. A verdict is data before it
is words: ``text`` makes the words, here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from metameasure.core.messages import Listed, Message, note, say
from metameasure.core.notes import counted, in_a_row, listed
from metameasure.core.notes import too_few as too_few_units
from metameasure.core.numbers import number, p_in_words
from metameasure.statistics.arrays import Booleans, Floats
from metameasure.statistics.measure_tests import MeasuresApart
from metameasure.statistics.rank_correlation import TIE

FEWEST_TOPICS = 10
"""With fewer, halves of the topics are too small to tell one measure from another."""
FEWEST_RUNS = 3
Rating = Literal["good", "fair", "poor", "alike"]
Kind = Literal["worse", "not told apart", "primary", "usable", "secondary", "cannot tell"]
TEST = "one topic left out at a time, t test, Holm's correction for all pairs of measures"


@dataclass(frozen=True)
class Verdict:
    """One thing that is said of measures: its kind, whom it is about, the numbers, and the test that stands behind it.

    ``worse``: the first is worse than the second; ``not told apart``: neither is. Of one measure, which is named before those
    that it is worse than: ``primary``: fit to be the primary measure, for those are not; ``usable``; ``secondary``: at most a
    secondary measure; ``cannot tell``: nothing can be said. Of two measures, the second's numbers are called ``other_...``.
    """

    kind: Kind
    subjects: tuple[str, ...]
    numbers: Mapping[str, float]
    ratings: tuple[Rating, Rating] = ("alike", "alike")
    why: str = ""
    test: str = TEST
    against: tuple[str, ...] = ()
    """Why it is at most a secondary measure, whatever the others are."""

    @property
    def text(self) -> Message:
        """The verdict in words, without a full stop; of one measure, they go on behind its name."""
        return _TEXTS[self.kind](self)

    def to_dict(self) -> dict[str, Any]:
        """The verdict in JSON's terms."""
        return self.text.data() | {"against": list(self.against)}


@dataclass(frozen=True)
class Standing:
    """What was seen of one measure: its two counts, and what stands against it as the primary one: what it lacks that others here
    can do, in words that go on behind its name, and that it contradicts most of the others."""

    measure: str
    mean_tau: float
    told_apart: int
    lacking: tuple[str, ...] = ()
    outvoted: bool = False

    @property
    def tells_something(self) -> bool:
        """Where all measures fail alike, none is better."""
        return self.told_apart > 0 and self.mean_tau > 0

    @property
    def eligible(self) -> bool:
        """Whether nothing but another measure stands against it."""
        return not self.against

    @property
    def against(self) -> tuple[str, ...]:
        """What stands against it as the primary measure, in words that go on behind its name."""
        if not self.told_apart:
            return ("finds no significant difference", *self.lacking)
        by_chance = () if self.tells_something else ("ranks the runs by chance",)
        return (*by_chance, *self.lacking, *(("contradicts most of the others",) if self.outvoted else ()))


@dataclass(frozen=True, eq=False)
class Evidence:
    """What verdicts rest on; ``consistency`` and ``power`` have the measures in the order of the standings."""

    standings: tuple[Standing, ...]
    consistency: MeasuresApart
    power: MeasuresApart
    pairs: int
    runs: int
    topics: int
    alpha: float = 0.05
    ratings: Mapping[str, tuple[Rating, Rating]] = field(default_factory=dict)

    @cached_property
    def worse(self) -> Booleans:
        """(measures, measures): the first is worse than the second beyond chance on one count, and not better on the other."""
        better = [apart.higher(self.alpha) for apart in (self.consistency, self.power)]
        return np.asarray((better[0] | better[1]).T & ~(better[0] | better[1]))

    def place(self, measure: str) -> int:
        """Where a measure stands among the others."""
        return [one.measure for one in self.standings].index(measure)

    def standing(self, measure: str) -> Standing:
        """What was seen of a measure."""
        return self.standings[self.place(measure)]

    def cannot_tell(self) -> str:
        """Why these data say nothing about measures; empty where they do."""
        if all(not one.told_apart for one in self.standings):
            alike = say("all runs are alike: no measure finds two that differ significantly")
            return too_few(self.runs, self.topics) or alike
        return too_few(self.runs, self.topics)


def too_few(runs: int, topics: int, word: str = "topic", only: str = "") -> str:
    """That there are too few runs or topics to say anything about measures; empty where there are enough."""
    if runs < FEWEST_RUNS:
        return too_few_units(counted(runs, "run"), "a comparison of measures", FEWEST_RUNS)
    if topics < FEWEST_TOPICS:
        there = say("{topics}{only}", topics=counted(topics, word), only=only) if only else counted(topics, word)
        return too_few_units(there, "a test of whether rankings are stable", FEWEST_TOPICS)
    return ""


def compared(evidence: Evidence, first: str, second: str) -> Verdict:
    """What may be said of two measures: that one is worse, which is named first, or that they are not told apart."""
    if evidence.worse[evidence.place(second), evidence.place(first)]:
        first, second = second, first
    i, j = evidence.place(first), evidence.place(second)
    one, other = evidence.standings[i], evidence.standings[j]
    numbers = {
        "mean_tau": one.mean_tau,
        "other_mean_tau": other.mean_tau,
        "told_apart": one.told_apart,
        "other_told_apart": other.told_apart,
        "pairs": evidence.pairs,
        "smooth_consistency": float(evidence.consistency.value[i]),
        "other_smooth_consistency": float(evidence.consistency.value[j]),
        "smooth_power": float(evidence.power.value[i]),
        "other_smooth_power": float(evidence.power.value[j]),
        "p_consistency": float(evidence.consistency.p_corrected[i, j]),
        "p_power": float(evidence.power.p_corrected[i, j]),
        "alpha": evidence.alpha,
    }
    return Verdict("worse" if evidence.worse[i, j] else "not told apart", (first, second), numbers)


def verdicts(evidence: Evidence) -> dict[str, Verdict]:
    """The verdict on each measure."""
    why = evidence.cannot_tell()
    found = {}
    for place, one in enumerate(evidence.standings):
        betters = [other for other, worse in zip(evidence.standings, evidence.worse[place], strict=True) if worse]
        rivals = [other for other in betters if other.eligible]
        kind: Kind = "cannot tell" if why else "secondary" if not one.eligible else "usable" if rivals else "primary"
        named = tuple(sorted(other.measure for other in rivals or betters))
        numbers = {"mean_tau": one.mean_tau, "told_apart": one.told_apart, "pairs": evidence.pairs}
        rated = evidence.ratings.get(one.measure, ("alike", "alike"))
        against = one.against if kind == "secondary" else ()
        found[one.measure] = Verdict(kind, (one.measure, *named), numbers, rated, why, against=against)
    return found


def ratings(values: Sequence[float], apart: Booleans | None = None) -> list[Rating]:
    """good, fair or poor: thirds of the range from worst to best; alike where these two do not differ beyond chance. ``apart``
    says which two do (by default all that are not equal). Who does not differ from the best is as good."""
    numbers: Floats = np.asarray(values)
    apart = np.abs(numbers[:, None] - numbers) > TIE if apart is None else apart
    high, low = numbers.max(), numbers.min()
    best, worst = numbers >= high - TIE, numbers <= low + TIE  # which may be several
    if not apart[np.ix_(best, worst)].all():
        return ["alike"] * len(values)
    third = (high - low) / 3
    upper = (numbers >= high - third - TIE) | ~apart[best].all(axis=0)
    return ["good" if up else "fair" if value >= low + third - TIE else "poor" for up, value in zip(upper, numbers, strict=True)]


# The words. They open with a measure, or go on behind one.

_STABLE: dict[Rating, str] = {
    "good": "among the most stable",
    "fair": "fairly stable",
    "poor": "among the least stable",
    "alike": "no other is shown to be more stable",
}
_SHARP: dict[Rating, str] = {
    "good": "among the best at telling runs apart",
    "fair": "tells fewer runs apart",
    "poor": "among the worst at telling runs apart",
    "alike": "no other is shown to tell more runs apart",
}


def _rated(verdict: Verdict) -> str:
    """How stable it is and what it tells apart, behind a colon; the latter not where it finds nothing, which is said before.
    Where another measure is better, nothing says that none is shown to be."""
    steady, sharp = verdict.ratings
    beaten, finds = len(verdict.subjects) > 1, verdict.numbers["told_apart"] > 0
    if steady == sharp == "alike" and finds and not beaten:
        return say(": no other is shown to be more stable or to tell more runs apart")
    rated = [*([_STABLE[steady]] if steady != "alike" or not beaten else []),
             *([_SHARP[sharp]] if finds and (sharp != "alike" or not beaten) else [])]  # fmt: skip
    return say(": {qualities}", qualities=in_a_row(rated)) if rated else ""


def what_stands_against(against: Sequence[str]) -> Listed:
    """What stands against a measure, in a row."""
    return listed([say(one) for one in against], "and")


_THOUGH = ", though worse than {others}, which {verb} not"
_COUNTS = (
    "mean tau {mean_tau:.3f} against {other_mean_tau:.3f} ({steadiness}), {told_apart} against {other_told_apart} of {pairs} "
    "pairs of runs told apart ({sharpness})"
)


def _of_one(verdict: Verdict) -> dict[str, Any]:
    """The parts of what is said of one measure."""
    measure, *others = verdict.subjects
    parts: dict[str, Any] = {"measure": measure, "rated": _rated(verdict), "why": verdict.why, "though": "", **verdict.numbers}
    parts["test"] = verdict.test
    if verdict.against:
        parts["against"] = what_stands_against(verdict.against)
    if not others:
        return parts
    named = listed(others, "and")
    return {**parts, "others": named, "though": say(_THOUGH, others=named, verb="is" if len(others) == 1 else "are")}


def _of_two(verdict: Verdict) -> dict[str, Any]:
    """The parts of what is said of two measures, with their counts side by side and the p-values."""
    numbers, (first, second) = verdict.numbers, verdict.subjects
    steadiness, sharpness = _tested(numbers, "mean_tau", "consistency"), _tested(numbers, "told_apart", "power")
    counts = say(_COUNTS, **numbers, steadiness=steadiness, sharpness=sharpness)
    return {"first": first, "second": second, "counts": counts, "test": verdict.test, **numbers}


def _tested(numbers: Mapping[str, float], shown: str, quality: str) -> str:
    """The p-value of a count. What is tested is smoother than what is shown: where they point in opposite directions, and the
    test finds a difference, its own numbers are there too."""
    p, one, other = numbers[f"p_{quality}"], numbers[f"smooth_{quality}"], numbers[f"other_smooth_{quality}"]
    written = p_in_words(p, numbers["alpha"])
    opposed = (one - other) * (numbers[shown] - numbers[f"other_{shown}"]) < 0 and p <= numbers["alpha"]
    return f"smooth {quality} {number(one)} against {number(other)}, {written}" if opposed else written


def _not_told_apart(verdict: Verdict) -> Message:
    numbers, parts = verdict.numbers, _of_two(verdict)
    gaps = [round(numbers[name], 3) - round(numbers[f"other_{name}"], 3) for name in ("mean_tau", "told_apart")]  # as shown
    if max(numbers["p_consistency"], numbers["p_power"]) <= numbers["alpha"]:
        return note("not told apart", "{first} and {second} are each better on one count, beyond chance: {counts}", **parts)
    if min(gaps) >= -TIE and max(gaps) > TIE:
        return note("not told apart", "{first} is better than {second}, but not beyond chance: {counts}", **parts)
    if max(gaps) <= TIE and min(gaps) < -TIE:
        return note("not told apart", "{first} is worse than {second}, but not beyond chance: {counts}", **parts)
    return note("not told apart", "{first} and {second} are not told apart: {counts}", **parts)


_TEXTS: dict[Kind, Callable[[Verdict], Message]] = {
    "worse": lambda one: note("worse", "{first} is worse than {second}: {counts}", **_of_two(one)),
    "not told apart": _not_told_apart,
    "primary": lambda one: note("primary", "fit to be the primary measure{though}{rated}", **_of_one(one)),
    "usable": lambda one: note("usable", "usable, but worse than {others}{rated}", **_of_one(one)),
    "secondary": lambda one: note("secondary", "at most a secondary measure, because it {against}{rated}", **_of_one(one)),
    "cannot tell": lambda one: note("cannot tell", "these data cannot tell ({why})", **_of_one(one)),
}
