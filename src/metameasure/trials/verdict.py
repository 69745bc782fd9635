"""What may be said of a measure after its trial: what speaks against it, with the evidence, in one paragraph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from metameasure.core.messages import Message, note, say
from metameasure.core.notes import counted, in_a_row, listed
from metameasure.core.numbers import number, percent
from metameasure.meta.measure_summary import Summary
from metameasure.properties.result import Verdict as Axiom
from metameasure.statistics.measure_tests import MeasuresApart
from metameasure.statistics.rank_correlation import TIE
from metameasure.trials.criteria import OF_ITEMS, Criteria

ORDER = "order_aware"
_TAU, _POWER, _COST, _GAP, _UNDEFINED = 0.05, 0.1, 1.5, 0.05, 0.1
"""What makes a difference large enough to matter: in mean tau, in the share of pairs told apart, in items, in pairs of systems
that are ordered rightly, and in topics on which a measure is undefined."""
_SURE = 3.0


@dataclass(frozen=True)
class Tried:
    """All that was found out about one measure."""

    measure: str
    reference: str
    established: tuple[str, ...]
    properties: dict[str, Axiom]
    criteria: Criteria
    beside: Summary

    def faults(self) -> list[tuple[str, Message]]:
        """What speaks against the measure: a name for it, and the evidence."""
        return [(name, said) for name, fault in FAULTS.items() if (said := fault(self)) is not None]

    def verdict(self) -> Message:
        """The verdict in a paragraph."""
        faults = self.faults()
        if not faults:
            said = "{measure} passes: it has none of the faults that this trial looks for{beside}."
            return note("measure passes", said, measure=self.measure, beside=self._beside())
        sentences = in_a_row([message for _, message in faults], " ")
        said = "{measure} has {faults}. {sentences}"
        return note("measure has faults", said, measure=self.measure, faults=counted(len(faults), "fault"), sentences=sentences)

    def _beside(self) -> Message:
        """How it stands beside the established measures."""
        better = self.stronger()
        if better:
            said = "; beyond chance, {measures} {are} more consistent or {tell} more systems apart"
            one = len(better) == 1
            return say(said, measures=listed(better, "and"), are="is" if one else "are", tell="tells" if one else "tell")
        return say("; no established measure is more consistent or tells more systems apart, beyond chance")

    def stronger(self) -> list[str]:
        """The established measures that are more consistent or tell more apart, beyond chance."""
        evidence = self.beside.evidence
        place = evidence.place(self.measure)
        above = evidence.consistency.higher(evidence.alpha)[:, place] | evidence.power.higher(evidence.alpha)[:, place]
        return [one.measure for one, is_above in zip(evidence.standings, above, strict=True) if is_above]


def _blind(tried: Tried) -> Message | None:
    asked = tried.properties.get(ORDER)
    if asked is None or asked.holds is not False:
        return None
    return say("It is blind to the order of the classes: permuting them changes no score ({why}).", why=asked.why())


def _ignores(tried: Tried) -> Message | None:
    rewarded = [seen.about for seen in tried.criteria.seen if seen.verdict == "rewards"]
    ignored = [seen.about for seen in tried.criteria.seen if seen.verdict == "ignores"]
    if not rewarded and not ignored:
        return None
    said = [say("{verdict} those where {abouts}", verdict=verdict, abouts=in_a_row(abouts, "; or "))
            for verdict, abouts in (("it ignores", ignored), ("it rewards", rewarded)) if abouts]  # fmt: skip
    return say("It does not see all errors: {said}.", said=in_a_row(said, "; "))


def _unstable(tried: Tried) -> Message | None:
    return _below(
        tried, tried.beside.evidence.consistency, [row.mean_tau for row in tried.beside.rows], _TAU,
        "It is unstable: two halves of the topics rank the systems with mean tau {own}, by {measures} with {others} or more.",
        number,
    )  # fmt: skip


def _indiscriminate(tried: Tried) -> Message | None:
    told = _below(
        tried, tried.beside.evidence.power, [row.power for row in tried.beside.rows], _POWER,
        "It tells few systems apart: {own}% of the pairs, {measures} {others}% or more.", percent,
    )  # fmt: skip
    found, cost = tried.criteria, tried.criteria.cost
    if told is None and cost is not None and cost.low > _COST * OF_ITEMS:
        said = "It is costly: to find a difference that {reference} finds with {of} {unit} it needs {items} ({low} to {high})."
        ends = {"items": round(cost.items), "low": round(cost.low), "high": round(cost.high)}
        return say(said, reference=tried.reference, of=OF_ITEMS, unit=found.unit, **ends)
    return told


def _below(
    tried: Tried, apart: MeasuresApart, shown: Sequence[float], gap: float, template: str, written: Callable[[float], str]
) -> Message | None:
    """What is said where more than half of the established measures are better, beyond chance and by more than a gap."""
    rows = tried.beside.rows
    values = {row.measure: value for row, value in zip(rows, shown, strict=True)}
    own = values[tried.measure]
    evidence = tried.beside.evidence
    above = apart.higher(evidence.alpha)[:, evidence.place(tried.measure)]
    better = [
        one.measure
        for one, is_above in zip(evidence.standings, above, strict=True)
        if is_above and values[one.measure] > own + gap
    ]
    if 2 * len(better) <= len(tried.established):
        return None
    least = min(values[one] for one in better)
    return say(template, own=written(own), measures=listed(better, "and"), others=written(least))


def _gameable(tried: Tried) -> Message | None:
    share = tried.criteria.constant
    if np.isnan(share.value) or share.value > _SURE * share.error:
        return None
    said = (
        "A constant output games it: where classes are of unequal size, the best constant run scores {what} a system that "
        "knows something about every item."
    )
    return say(said, what="better than" if share.value < -_SURE * share.error else "as well as")


def _biased(tried: Tried) -> Message | None:
    share = tried.criteria.sizes
    if np.isnan(share.value) or share.value > -TIE or share.value > -_SURE * share.error:
        return None
    said = (
        "It is biased by class sizes: where these differ, a system with few errors scores {gap} worse than one with more than "
        "twice as many."
    )
    return say(said, gap=number(abs(share.value)))


def _undefined(tried: Tried) -> Message | None:
    if tried.criteria.undefined <= _UNDEFINED:
        return None
    said = "It is undefined on few items: on {share}% of the topics of {items}."
    return say(said, share=percent(tried.criteria.undefined), items=counted(tried.criteria.undefined_at, "item"))


def _fragile(tried: Tried) -> Message | None:
    """Where it orders systems rightly much less often than the reference does: the world in which that is worst."""
    found = tried.criteria
    worse = [name for name, t in found.beside_reference.items() if t < -_SURE and found.gaps[name] > _GAP]
    if not worse:
        return None
    worst = max(worse, key=found.gaps.__getitem__)
    said = (
        "It is fragile: in {worlds} it orders fewer pairs of systems rightly than {reference} does, in the worst case ({world}) "
        "{own}% instead of {other}%."
    )
    own = found.right[worst].value
    return say(
        said, worlds=counted(len(worse), "world"), reference=tried.reference, world=worst, own=percent(own),
        other=percent(own + found.gaps[worst]),
    )  # fmt: skip


FAULTS: dict[str, Callable[[Tried], Message | None]] = {
    "blind to order": _blind,
    "does not see all errors": _ignores,
    "unstable": _unstable,
    "indiscriminate": _indiscriminate,
    "gameable by a constant": _gameable,
    "biased by class sizes": _biased,
    "undefined on few items": _undefined,
    "fragile": _fragile,
}
"""Each fault by its name; what finds it says so, or nothing."""
