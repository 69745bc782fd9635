"""What may be said of a measure after its trial: what speaks against it, with the evidence, in one paragraph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from metameasure.core.messages import Message, note, say
from metameasure.core.notes import counted, in_a_row, listed
from metameasure.core.numbers import number, percent
from metameasure.meta.measure_summary import Summary
from metameasure.meta.unanimous_coverage import Coverage
from metameasure.properties.result import Verdict as Axiom
from metameasure.statistics.measure_tests import MeasuresApart
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.declaration import has_order
from metameasure.trials.criteria import OF_ITEMS, Criteria
from metameasure.trials.order import TOPICS

ORDER = "order_aware"
"""The formal property that every measure is asked for where classes have an order."""
INDISCRIMINATE = "indiscriminate"
_TAU, _POWER, _COST, _GAP, _UNDEFINED, _CHANCE = 0.05, 0.1, 1.5, 0.05, 0.1, 0.05
"""What makes a difference large enough to matter: in mean tau, in the share of pairs told apart, in items, in pairs of systems
that are ordered rightly, in topics on which a measure is undefined, and in what raters score who guess."""
_LITTLE = 0.25
"""What a system that knows something must be better by than constant ones, in standard deviations between topics."""
_SURE = 3.0
"""A fault is named where a difference is this many standard errors beyond what matters: of a measure at the very limit, one time
in several hundred."""


@dataclass(frozen=True)
class Tried:
    """All that was found out about one measure."""

    task: str
    measure: str
    reference: str
    established: tuple[str, ...]
    properties: dict[str, Axiom]
    criteria: Criteria
    better: str
    range: tuple[float, float]
    beside: Summary | None
    """None where the measure has no value to be compared."""
    coverage: Coverage | None

    def faults(self) -> list[tuple[str, Message]]:
        """What speaks against the measure: a name for it, and the evidence. Where a measure cannot be used at all, that alone:
        everything else follows from it."""
        useless = [(name, said) for name, fault in USELESS.items() if (said := fault(self)) is not None]
        return useless or [(name, said) for name, fault in FAULTS.items() if (said := fault(self)) is not None]

    def verdict(self) -> Message:
        """The verdict in a paragraph."""
        faults = self.faults()
        beside = in_a_row(self._told_besides(faults), " ")
        if not faults:
            said = "{measure} passes: it has none of the faults that this trial looks for. {beside}"
            return note("measure passes", said, measure=self.measure, beside=beside)
        sentences = in_a_row([message for _, message in faults], " ")
        said = "{measure} has {faults}. {sentences} {beside}" if beside else "{measure} has {faults}. {sentences}"
        parts = {"beside": beside} if beside else {}
        number_of_faults = counted(len(faults), "fault")
        return note("measure has faults", said, measure=self.measure, faults=number_of_faults, sentences=sentences, **parts)

    def _told_besides(self, faults: Sequence[tuple[str, Message]]) -> list[Message]:
        """What it costs, which measure it is most like, and which are better: of a measure that can be used."""
        if self.beside is None or {name for name, _ in faults} & {*USELESS}:
            return []
        told = [] if self.criteria.cost is None or self._costly(faults) else [cost_in_words(self)]
        return [*told, self._most_like(), self._stronger_in_words()]

    def _costly(self, faults: Sequence[tuple[str, Message]]) -> bool:
        """Whether a fault has said what it costs."""
        return any(name == INDISCRIMINATE and "items" in said.parts for name, said in faults)

    def _most_like(self) -> Message:
        tau, other = self.similarity()[0]
        covered = self.covered
        if np.isnan(covered):
            return say(
                "It ranks {systems} most like {other} (tau {tau}).", systems=self.criteria.systems, other=other, tau=number(tau)
            )
        said = (
            "It ranks {systems} most like {other} (tau {tau}), and its correlation with what the established measures agree on "
            "(coverage) is {covered}."
        )
        return say(said, systems=self.criteria.systems, other=other, tau=number(tau), covered=number(covered))

    def similarity(self) -> list[tuple[float, str]]:
        """The established measures with their tau, the most similar first."""
        if self.beside is None:
            return []
        found = [(self.beside.similarity.tau_between(self.measure, other), other) for other in self.established]
        return sorted(found, key=lambda pair: -pair[0])

    @property
    def covered(self) -> float:
        """Its correlation with what the established measures agree on; NaN where that is unknown."""
        return (
            float("nan") if self.coverage is None else float(self.coverage.coverage[self.coverage.measures.index(self.measure)])
        )

    def _stronger_in_words(self) -> Message:
        """How it stands beside the established measures."""
        better = self.stronger()
        if better:
            said = "Beyond chance, {measures} {are} more consistent or {tell} more {systems} apart."
            one = len(better) == 1
            return say(said, measures=listed(better, "and"), are="is" if one else "are", tell="tells" if one else "tell",
                       systems=self.criteria.systems)  # fmt: skip
        said = "No established measure is more consistent or tells more {systems} apart, beyond chance."
        return say(said, systems=self.criteria.systems)

    def stronger(self) -> list[str]:
        """The established measures that are more consistent or tell more apart, beyond chance."""
        if self.beside is None:
            return []
        evidence = self.beside.evidence
        place = evidence.place(self.measure)
        above = evidence.consistency.higher(evidence.alpha)[:, place] | evidence.power.higher(evidence.alpha)[:, place]
        return [one.measure for one, is_above in zip(evidence.standings, above, strict=True) if is_above]

    def contradicted(self) -> list[str]:
        """The established measures that say the opposite of some pair of systems, both significantly."""
        row = None if self.beside is None else self.beside.row(self.measure)
        return [] if row is None else list(row.contradicts)


def cost_in_words(tried: Tried, said: str = "To find a") -> Message:
    """How many items it needs to find what the reference finds with 400."""
    cost = tried.criteria.cost
    assert cost is not None  # noqa: S101 - asked only where it is known
    said += " difference that {reference} finds with {of} {unit} it needs {items} ({low} to {high})."
    ends = {"items": round(cost.items), "low": round(cost.low), "high": round(cost.high)}
    return say(said, reference=tried.reference, of=OF_ITEMS, unit=tried.criteria.unit, **ends)


def _never_defined(tried: Tried) -> Message | None:
    return None if tried.criteria.defined else say("It has no value for any output: it is undefined on every simulated topic.")


def _always_the_same(tried: Tried) -> Message | None:
    if tried.criteria.only is None:
        return None
    return say("It says nothing: every output scores {value}.", value=number(tried.criteria.only))


def _wrong_way(tried: Tried) -> Message | None:
    if not tried.criteria.reversed:
        return None
    said = (
        "Its direction is declared the wrong way round: {better} is said to be better, and every kind of error makes it {better}."
    )
    return say(said, better=tried.better)


def _outside(tried: Tried) -> Message | None:
    if tried.criteria.beyond is None:
        return None
    low, high = tried.range
    said = "It leaves the range that it declares, from {low} to {high}: some output scores {value}."
    return say(said, low=f"{low:g}", high=f"{high:g}", value=number(tried.criteria.beyond))


def _blind(tried: Tried) -> Message | None:
    asked = tried.properties.get(ORDER)
    if tried.criteria.order is False:
        said = "It is blind to the order of the classes, which it says it uses: permuting them changes no score on {topics}."
        return say(said, topics=counted(TOPICS, "simulated topic"))
    if not has_order(tried.task) or asked is None or asked.holds is not False:
        return None
    if asked.case is not None:
        return say("It does not always see how far off an estimate is. An example: {why}.", why=asked.why())
    return say("It is blind to the order of the classes: permuting them changes the score {why}.", why=asked.why())


def _ignores(tried: Tried) -> Message | None:
    rewarded = [seen.about for seen in tried.criteria.seen if seen.verdict == "rewards"]
    ignored = [seen.about for seen in tried.criteria.seen if seen.verdict == "ignores"]
    if not rewarded and not ignored:
        return None
    said = [say("{verdict} {abouts}", verdict=verdict, abouts=listed(abouts, "and"))
            for verdict, abouts in (("it ignores", ignored), ("it rewards", rewarded)) if abouts]  # fmt: skip
    return say("It does not see all errors: {said}.", said=in_a_row(said, "; "))


def _unstable(tried: Tried) -> Message | None:
    if tried.beside is None:
        return None
    return _below(
        tried, tried.beside, tried.beside.evidence.consistency, [row.mean_tau for row in tried.beside.rows], _TAU,
        "It is unstable: mean tau between rankings of the {systems} by two halves of the topics is {own}; with {measures} it is "
        "{others} or more.",
        number,
    )  # fmt: skip


def _indiscriminate(tried: Tried) -> Message | None:
    told = None if tried.beside is None else _below(
        tried, tried.beside, tried.beside.evidence.power, [row.power for row in tried.beside.rows], _POWER,
        "It tells few {systems} apart: {own}% of the pairs, against {others}% or more with {measures}.", percent,
    )  # fmt: skip
    cost = tried.criteria.cost
    if told is None and cost is not None and cost.low > _COST * OF_ITEMS:
        return cost_in_words(tried, "It is costly: to find a")
    return told


def _below(
    tried: Tried,
    beside: Summary,
    apart: MeasuresApart,
    shown: Sequence[float],
    gap: float,
    template: str,
    written: Callable[[float], str],
) -> Message | None:
    """What is said where more than half of the established measures are better by surely more than a gap."""
    values = {row.measure: value for row, value in zip(beside.rows, shown, strict=True)}
    own = values[tried.measure]
    place = beside.evidence.place(tried.measure)
    surely = apart.difference[:, place] - _SURE * apart.error[:, place] > gap
    better = [one.measure for one, is_above in zip(beside.evidence.standings, surely, strict=True)
              if is_above and values[one.measure] > own + gap]  # fmt: skip
    if 2 * len(better) <= len(tried.established):
        return None
    least = min(values[one] for one in better)
    systems = tried.criteria.systems
    return say(template, systems=systems, own=written(own), measures=listed(better, "and"), others=written(least))


def _gameable(tried: Tried) -> Message | None:
    share = tried.criteria.constant
    better = share.value < -_SURE * share.error
    if np.isnan(share.value) or not (better or share.is_small(_LITTLE)):
        return None
    said = (
        "A constant output can game it: where classes are of unequal size, the best one scores {what} a system that knows "
        "something about every item."
    )
    return say(said, what="better than" if better else "as well as")


def _uncorrected(tried: Tried) -> Message | None:
    share = tried.criteria.guessing
    if not abs(share.value) - _SURE * share.error > _CHANCE:
        return None
    said = "It is not corrected for chance: where one class is large, raters who guess each as often as it occurs score {value}."
    return say(said, value=number(share.value))


def _biased(tried: Tried) -> Message | None:
    share = tried.criteria.sizes
    if not (share.value <= -TIE and share.value <= -_SURE * share.error):
        return None
    said = (
        "It is biased by class sizes: where these differ, {systems} with few errors score {gap} worse than others with more than "
        "twice as many."
    )
    return say(said, systems=tried.criteria.systems, gap=number(abs(share.value)))


def _undefined(tried: Tried) -> Message | None:
    share = tried.criteria.undefined
    if not share.value - _SURE * share.error > _UNDEFINED:
        return None
    said = "It is undefined on few items: on {share}% of the topics of {items}."
    return say(said, share=percent(share.value), items=counted(tried.criteria.undefined_at, "item"))


def _fragile(tried: Tried) -> Message | None:
    """Where it orders systems rightly much less often than the reference does: the world in which that is worst."""
    found = tried.criteria
    worse = [name for name, gap in found.gaps.items() if gap.value - _SURE * gap.error > _GAP]
    if not worse:
        return None
    worst = max(worse, key=lambda name: found.gaps[name].value)
    said = (
        "It is fragile: in {number} of {worlds} it puts the better of two {systems} first less often than {reference} does, at "
        "worst ({world}) for {own}% of the pairs instead of {other}%."
    )
    own = found.right[worst].value
    worlds = counted(len(found.gaps), "simulated world")
    return say(
        said, number=len(worse), worlds=worlds, systems=found.systems, reference=tried.reference, world=worst, own=percent(own),
        other=percent(own + found.gaps[worst].value),
    )  # fmt: skip


USELESS: dict[str, Callable[[Tried], Message | None]] = {
    "never defined": _never_defined,
    "always the same": _always_the_same,
    "wrong direction": _wrong_way,
}
"""What makes a measure useless as it is declared, by its name."""
FAULTS: dict[str, Callable[[Tried], Message | None]] = {
    "blind to order": _blind,
    "does not see all errors": _ignores,
    "unstable": _unstable,
    INDISCRIMINATE: _indiscriminate,
    "gameable by a constant": _gameable,
    "not corrected for chance": _uncorrected,
    "biased by class sizes": _biased,
    "undefined on few items": _undefined,
    "fragile": _fragile,
    "outside its range": _outside,
}
"""Each fault by its name; what finds it says so, or nothing."""
