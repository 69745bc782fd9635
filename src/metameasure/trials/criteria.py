"""How a measure does in a simulated world: which errors it sees, how often it orders two systems rightly, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.statistics.arrays import Floats
from metameasure.statistics.rank_correlation import TIE
from metameasure.trials import raters
from metameasure.trials.worlds import ABSENT, FEW, GROUNDS, SKEWED, USUAL, Ground, Outcome, abouts

FEW_TOPICS = "few topics"
_TOGETHER = 5
"""How many topics are few."""
_SURE = 3.0
"""How many standard errors make a difference that is there, whatever else is looked at."""
_LIKELY = 2.0
"""How many standard errors make it likely."""
_SMALL = 0.5
"""A difference between few and many errors that is small, in standard deviations between topics."""
OF_ITEMS = 400
"""The items of which the cost is told."""


@dataclass(frozen=True)
class Share:
    """A mean over topics, with its standard error."""

    value: float
    error: float
    number: int = 0
    """Of how many topics."""

    def is_small(self, small: float) -> bool:
        """Whether it is likely to be less than so many standard deviations between topics."""
        return abs(self.value) <= TIE or self.value + _LIKELY * self.error < small * self.error * self.number**0.5


NOTHING = Share(float("nan"), float("nan"))


@dataclass(frozen=True)
class Seen:
    """What a measure makes of one kind of error: by how much few errors score better than many."""

    kind: str
    about: str
    apart: Share

    @property
    def t(self) -> float:
        """The difference in standard errors: 0 where it is nothing, infinite where it never varies."""
        share = self.apart
        if np.isnan(share.value) or abs(share.value) <= TIE:
            return 0.0
        return share.value / share.error if share.error > TIE else float(np.sign(share.value)) * float("inf")

    @property
    def effect(self) -> float:
        """The same in standard deviations between topics."""
        return self.t / float(np.sqrt(max(1, self.apart.number)))

    @property
    def verdict(self) -> str:
        """Whether it sees such errors. What is ignored is likely to be less than half a standard deviation."""
        if self.t < -_SURE:
            return "rewards"
        if np.isnan(self.apart.value) or self.apart.is_small(_SMALL):
            return "ignores"
        return "sees" if self.t > _SURE else "unclear"


@dataclass(frozen=True)
class Cost:
    """How many items or topics a measure needs to find what the reference finds with 400, with a 95 % interval."""

    items: float
    low: float
    high: float


@dataclass(frozen=True)
class Criteria:
    """What the simulated worlds say of one measure."""

    measure: str
    seen: tuple[Seen, ...]
    right: dict[str, Share]
    """By world: how often, of two systems that err in one way, the one that errs less is put first."""
    gaps: dict[str, Share]
    """By world: how much less often than the reference, as a share of pairs."""
    constant: Share
    """By how much a system that knows something beats the best constant one, where classes are of unequal size."""
    guessing: Share
    """What raters score who guess, where classes are of unequal size: 0 for a coefficient that is corrected for chance."""
    sizes: Share
    """By how much few errors beat many where class sizes differ between the two: the smaller of both ways round."""
    prevalence: Share
    """By how much the same errors score better where classes are of equal size than where they are not."""
    undefined: Share
    """The share of topics of a few items on which it is undefined."""
    undefined_at: int
    cost: Cost | None
    unit: str
    """What the cost is counted in."""
    systems: str
    """What is put in an order."""
    only: float | None
    """The one number that every system has on every topic, where the measure never says anything else."""
    beyond: float | None
    """The number that is furthest outside the range that the measure declares, where one is."""
    order: bool | None = None
    """Whether permuting the classes changes a score, where no formal property says so; None where the classes have no order."""

    @property
    def defined(self) -> bool:
        """Whether it has a value for any system in the usual world."""
        return not np.isnan(self.right[USUAL].value)

    @property
    def reversed(self) -> bool:
        """Whether every kind of error makes it better."""
        return all(seen.verdict == "rewards" for seen in self.seen)


@np.errstate(invalid="ignore")  # two infinite scores have no difference
def criteria(task: str, worlds: dict[str, Outcome], measure: Measure, reference: str, order: bool | None = None) -> Criteria:
    """Of a measure beside the reference. ``order`` says whether it sees that of the classes."""
    ground, kinds, usual = GROUNDS[task], abouts(task), worlds[USUAL]
    place, reference_place = usual.place(measure.id), usual.place(reference)
    right = {name: _right(ground, world, place) for name, world in worlds.items()}
    other = {name: _right(ground, world, reference_place) for name, world in worlds.items()}
    right[FEW_TOPICS], other[FEW_TOPICS] = (_in_groups(ground, worlds[FEW], one) for one in (place, reference_place))
    few = worlds.get(ABSENT, worlds[FEW])
    there = np.array([few.run(kind, amount)[place] for kind, amounts in ground.kinds.items() for amount in amounts])
    nothing = np.isnan(usual.values[place]).all()
    every = np.concatenate([world.scores.values[place].ravel() for world in worlds.values()])
    return Criteria(
        measure.id,
        tuple(_seen(ground, usual, place, kind, kinds[kind]) for kind in ground.kinds),
        {name: NOTHING if nothing else _share(values) for name, values in right.items()},
        {name: _share(other[name] - right[name]) for name in right},
        NOTHING if ground.guessing else _against_constants(ground, worlds.get(SKEWED, usual), place),
        _share(worlds[SKEWED].values[place, :, worlds[SKEWED].scores.runs.index(raters.GUESS)]) if ground.guessing else NOTHING,
        _across_sizes(ground, worlds, place),
        _prevalence(ground, worlds, place),
        _share(np.isnan(there).mean(axis=0)),
        int(ground.worlds[few.world].get("items") or ground.worlds[few.world]["judges"]),
        _cost(ground, usual, place, reference_place),
        ground.unit,
        ground.systems,
        _only(every),
        _beyond(every, measure, usual),
        order,
    )


def _only(every: Any) -> float | None:
    there = every[~np.isnan(every)]
    return float(there[0]) if len(there) and float(np.ptp(there)) <= TIE else None


def _beyond(every: Any, measure: Measure, usual: Outcome) -> float | None:
    low, high = measure.known_range(usual.scores.scale)
    there = every[np.isfinite(every)]
    outside = there[(there < low - TIE) | (there > high + TIE)]
    return float(outside[np.argmax(np.maximum(low - outside, outside - high))]) if len(outside) else None


def _prevalence(ground: Ground, worlds: dict[str, Outcome], place: int) -> Share:
    """Topics of the two worlds have nothing to do with each other: their errors' squares add up."""
    if SKEWED not in worlds:
        return NOTHING
    amount = ground.kinds[ground.plain][len(ground.kinds[ground.plain]) // 2]
    even, uneven = (_share(worlds[name].run(ground.plain, amount)[place]) for name in (USUAL, SKEWED))
    return Share(even.value - uneven.value, float(np.hypot(even.error, uneven.error)))


def _right(ground: Ground, world: Outcome, place: int) -> Floats:
    """(topics,): the share of neighbouring amounts of error that are put in the right order. A tie counts half, and so does a
    score that is undefined."""
    found = [
        _ordered(world.run(kind, less)[place] - world.run(kind, more)[place])
        for kind, amounts in ground.kinds.items()
        for less, more in pairwise(amounts)
    ]
    return np.asarray(np.mean(found, axis=0))


def _ordered(difference: Any) -> Floats:
    return np.where(difference > TIE, 1.0, np.where(difference < -TIE, 0.0, 0.5))


def _in_groups(ground: Ground, world: Outcome, place: int) -> Floats:
    """(groups,): the same by means over five topics."""
    topics = world.values.shape[1] // _TOGETHER * _TOGETHER
    grouped = world.values[:, :topics].reshape(len(world.values), -1, _TOGETHER, world.values.shape[2])
    held = Outcome(world.world, world.scores, np.where(np.isnan(grouped), 0.0, grouped).mean(axis=2))
    return _right(ground, held, place)


def _seen(ground: Ground, usual: Outcome, place: int, kind: str, about: str) -> Seen:
    least, most = ground.kinds[kind][0], ground.kinds[kind][-1]
    return Seen(kind, about, _share(usual.run(kind, least)[place] - usual.run(kind, most)[place]))


def _against_constants(ground: Ground, world: Outcome, place: int) -> Share:
    knowing = world.run(ground.plain, ground.knowing)[place]
    constant = world.constants(ground.constants)[place]
    defined = ~np.isnan(constant).all(axis=0)
    if not defined.any():
        return NOTHING
    means = np.where(defined, np.nansum(constant, axis=0) / np.maximum(1, (~np.isnan(constant)).sum(axis=0)), np.nan)
    return _share(knowing - constant[:, int(np.nanargmax(means))])


def _across_sizes(ground: Ground, worlds: dict[str, Outcome], place: int) -> Share:
    if SKEWED not in worlds:
        return NOTHING
    amounts = ground.kinds[ground.plain]
    few, many = amounts[0], amounts[len(amounts) // 2]
    ways = [(USUAL, SKEWED), (SKEWED, USUAL)]
    found = [
        _share(worlds[one].run(ground.plain, few)[place] - worlds[other].run(ground.plain, many)[place]) for one, other in ways
    ]
    return min(found, key=lambda share: share.value)


def _cost(ground: Ground, usual: Outcome, place: int, reference: int) -> Cost | None:
    """Items for a given power grow with the square of the noise of a difference beside its size."""
    amounts = ground.kinds[ground.plain]
    middle = len(amounts) // 2
    differences = usual.run(ground.plain, amounts[middle - 1]) - usual.run(ground.plain, amounts[middle + 1])
    both = differences[[place, reference]]
    both = both[:, ~np.isnan(both).any(axis=0)]
    if both.shape[1] < _TOGETHER or (both.std(axis=1, ddof=1) == 0).any() or (both.mean(axis=1) <= 0).any():
        return None
    logs, each = _log_ratio(both), np.array([_log_ratio(np.delete(both, topic, axis=1)) for topic in range(both.shape[1])])
    if np.isnan(each).any():  # without one topic there may be no difference left
        return None
    error = float(np.sqrt((len(each) - 1) / len(each) * np.sum((each - each.mean()) ** 2)))
    ends = [OF_ITEMS * float(np.exp(logs + sign * 1.96 * error)) for sign in (0, -1, 1)]
    return Cost(*ends)


def _log_ratio(both: Any) -> float:
    signal = both.mean(axis=1) / both.std(axis=1, ddof=1)
    return float(2 * np.log(signal[1] / signal[0]))


def _share(values: Any) -> Share:
    there = values[~np.isnan(values)]
    if len(there) < 2:  # one number has no spread
        return NOTHING
    return Share(float(there.mean()), float(there.std(ddof=1) / np.sqrt(len(there))), len(there))
