"""The trial: each judge and each person scored against the same others on the same items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.core.choices import Alignment, Gold
from metameasure.core.errors import DataError
from metameasure.core.messages import say
from metameasure.evidence.golds import LeftOut, gold_of, left_out, tied_majorities
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.judging.agree import OF_SCALE
from metameasure.judging.rating_sample import Sample, repeated_agreement, table_value
from metameasure.judging.result import AgainstPerson, Bias, ByGold, JudgeConsistency, JudgeLine, JudgePair, Reference
from metameasure.statistics.alt_test import (
    AltTest,
    Contest,
    alt_test,
    class_costs,
    contests,
    person_in_its_place,
    rates_and_advantages,
)
from metameasure.statistics.arrays import Booleans, Floats, Integers, mean_of_defined
from metameasure.statistics.by_content import order_by_content, words_of, words_of_rows
from metameasure.statistics.item_tests import swap_tests
from metameasure.statistics.mean_intervals import t_reach
from metameasure.statistics.paired import corrected
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.streams import stream
from metameasure.statistics.sums import UnitSums, drawn_together, jackknife_error
from metameasure.tasks import rating_options

_SHUFFLES = 200
_DEALS = 12  # a stream of its own
_NEAR = 1e-12


@dataclass(frozen=True, kw_only=True)
class JudgeSettings(rating_options.JudgeSettings):
    """What a trial is held by, once it is known how labels are compared."""

    alignment: Alignment = "rmse"


@dataclass(frozen=True, eq=False)
class JudgeTrial:
    """People, judges on the same items, a measure of tables, and the settings."""

    people: Ratings
    judges: Ratings
    measure: Measure
    settings: JudgeSettings
    distance: Any = None

    @property
    def classes(self) -> int:
        return len(self.people.scale)

    @cached_property
    def value(self) -> Any:
        """The measure of flat tables (..., C x C)."""
        return table_value(self.measure, self.people.scale, self.distance)

    @property
    def sign(self) -> int:
        """1 where higher is better."""
        return 1 if self.measure.better == "higher" else -1

    @cached_property
    def left_out(self) -> list[LeftOut]:
        """Each person who has enough items that somebody else rated too; DataError where nobody has."""
        settings = self.settings
        every = [
            left_out(self.people, place, settings.gold, settings.majority_ties) for place in range(len(self.people.annotators))
        ]
        eligible = [one for one in every if one.size >= settings.minimum]
        if not eligible:
            most = max((one.size for one in every), default=0)
            lower = (
                say(", or lower the minimum ({--minimum <most>})", most=most) if most >= 2 else ""
            )  # a minimum of one item is refused
            raise DataError(
                say(
                    "nobody has {minimum} items that somebody else rated too; the most is {most}",
                    minimum=settings.minimum,
                    most=most,
                ),
                hint=say("rate more{lower}", lower=lower),
            )
        return eligible

    @cached_property
    def said(self) -> Floats:
        """(judges, items, C): the shares of the classes among a judge's outputs for an item; all 0 where it has none."""
        counts = one_hot(self.judges.labels.transpose(1, 0, 2), self.classes).sum(axis=2)
        totals = counts.sum(axis=2, keepdims=True)
        return np.asarray(counts / np.where(totals > 0, totals, 1))

    @cached_property
    def _by_content(self) -> Integers:
        """The items in an order that depends on what people and judges say alone, and not on what anything is called: labels are
        swapped and dealt out in it."""
        cells = np.hstack([words_of(self.people.first), words_of_rows(self.said).T])
        judging = np.arange(cells.shape[1]) >= len(self.people.annotators)
        return order_by_content(cells, columns=words_of(judging), groups=self.people.unit)[0]

    def human_values(self) -> dict[str, float]:
        """Each person's score against the others; NaN for those with too few items."""
        values = {one.place: float(self.value(one.human().sum(axis=0)[None])[0]) for one in self.left_out}
        return {name: values.get(place, math.nan) for place, name in enumerate(self.people.annotators)}

    def _both(self, one: LeftOut, said: Floats) -> tuple[Integers, Floats]:
        """The items of a person that a judge has labels for, and what they add to the judge's table and to the person's (n, 2
        C²)."""
        kept = said[one.item].sum(axis=1) > 0
        return one.item[kept], np.hstack([one.adds(said[one.item]), one.human()])[kept]

    def _gap(self, sums: Floats) -> Floats:
        """The judge's score less the person's, from both tables (..., 2 C²)."""
        cells = self.classes**2
        both = self.value(np.stack([sums[..., :cells], sums[..., cells:]]))
        return np.asarray(both[0] - both[1])

    def judge(self, place: int) -> JudgeLine:
        """One judge against every person."""
        said = self.said[place]
        parts = [(one, *self._both(one, said)) for one in self.left_out]
        parts = [(one, item, adds) for one, item, adds in parts if len(item) >= self.settings.minimum]
        name = self.judges.annotators[place]
        if not parts:
            raise DataError(
                say("{name} has labels for fewer than {minimum} items of everybody", name=name, minimum=self.settings.minimum),
                hint=say("leave that judge out, or lower the minimum ({--minimum})"),
            )
        lines = self._against_people(parts)
        gaps = np.array([one.difference for one in lines])
        low, high = percentile_interval(self._drawn([(item, adds) for _, item, adds in parts]), self.settings.level)
        error = self._error(parts, gaps, self.people.unit)
        single = error if self.people.cluster is None else self._error(parts, gaps, np.arange(self.people.size))
        first = self.judges.rounds[0].column(place, self.people.size)
        return JudgeLine(
            judge=name,
            items=int((first >= 0).sum()),
            value=float(mean_of_defined(np.array([one.judge for one in lines]), 0)),
            human=float(mean_of_defined(np.array([one.human for one in lines]), 0)),
            difference=float(mean_of_defined(np.array(gaps), 0)),
            low=float(low),
            high=float(high),
            se=error,
            design_effect=(error / single) ** 2 if single > 0 else math.nan,
            by_annotator=tuple(lines),
            alt_test=self.alt_test(first),
            bias=self._bias(said),
            consistency=self._consistency(place),
        )

    def _against_people(self, parts: Sequence[tuple[LeftOut, Integers, Floats]]) -> list[AgainstPerson]:
        """Person by person, with a jackknife over items or clusters; both questions are each corrected for all people."""
        cells, rows = self.classes**2, []
        for one, item, adds in parts:
            sums = UnitSums.of_units(adds, None if self.people.cluster is None else self.people.cluster[item])
            judged, human = (float(self.value(half[None])[0]) for half in (sums.total[:cells], sums.total[cells:]))
            rows.append((one.place, len(item), human, judged, judged - human, sums.jackknife(self._gap), sums.units - 1))
        ahead = [(self.sign * gap, se, freedom) for *_, gap, se, freedom in rows]
        unequal = [2 * min(0.5, _above(abs(gap), se, freedom)) for gap, se, freedom in ahead]
        not_worse = [_above(gap + self.settings.margin, se, freedom) for gap, se, freedom in ahead]
        # Each a family of tests that depend on each other in any way (Benjamini and Yekutieli). Better and worse are one
        # question, so that both together are wrong no more often than alpha says.
        differs, close = (corrected(np.array(p), "by") <= self.settings.alpha for p in (unequal, not_worse))
        above = np.array([gap for gap, *_ in ahead]) > 0
        findings = [found.tolist() for found in (differs & above, differs & ~above, close)]
        return [
            AgainstPerson(self.people.annotators[place], items, human, judged, gap, se, *flags)
            for (place, items, human, judged, gap, se, _), *flags in zip(rows, *findings, strict=True)
        ]

    def _drawn(self, parts: Sequence[tuple[Integers, Floats]]) -> Floats:
        """The mean difference over people in samples of items, or clusters, drawn with replacement (trials,): of each person the
        items, and what they add to both tables."""
        units, settings = int(self.people.unit.max()) + 1, self.settings
        rows = [(self.people.unit[item], adds) for item, adds in parts]
        drawn = drawn_together(rows, units, settings.trials, settings.seed)
        return np.concatenate([mean_of_defined(np.array([self._gap(sums) for sums in some]), 0) for some in drawn])

    def _error(self, parts: Sequence[tuple[LeftOut, Integers, Floats]], gaps: Floats, unit: Integers) -> float:
        """The jackknife error of the mean difference, leaving out each unit, which may be an item of several people, in turn."""
        units = int(unit.max()) + 1
        without = np.tile(gaps, (units, 1))
        for column, (_, item, adds) in enumerate(parts):
            names, place = np.unique(unit[item], return_inverse=True)
            together = _by_unit(adds, place, len(names))
            without[names, column] = self._gap(together.sum(axis=0) - together)
        return jackknife_error(mean_of_defined(np.asarray(without), 1), np.ones(units, dtype=np.int64))

    @cached_property
    def _contests(self) -> list[Contest]:
        return contests(self.people.first, class_costs(self.people.scale.values, self.settings.alignment))

    def alt_test(self, labels: Integers) -> AltTest:
        """The alt-test of a judge's labels (items,)."""
        return alt_test(self._contests, labels, **self._of_alt_test())

    def _of_alt_test(self) -> dict[str, Any]:
        return {"epsilon": self.settings.epsilon, "minimum": self.settings.minimum, "level": self.settings.alpha}

    def _bias(self, said: Floats) -> Bias:
        scale, counts = self.people.scale, self.people.counts
        kept = (said.sum(axis=1) > 0) & (counts.sum(axis=1) > 0)
        people = counts[kept] / counts[kept].sum(axis=1, keepdims=True)
        shares = (tuple(said[kept].mean(axis=0).tolist()), tuple(people.mean(axis=0).tolist()))
        if scale.kind == "nominal":
            return Bias(math.nan, math.nan, math.nan, *shares)
        gaps = (said[kept] - people) @ np.array(scale.values)
        unit = None if self.people.cluster is None else self.people.cluster[kept]
        sums = UnitSums.of_units(np.stack([gaps, np.ones(len(gaps))], axis=1), unit)

        def mean(of: Floats) -> Floats:
            return np.asarray(of[..., 0] / of[..., 1])

        reach = float(t_reach(max(1, sums.units - 1), self.settings.level)) * sums.jackknife(mean)
        middle = float(gaps.mean())
        return Bias(middle, middle - reach, middle + reach, *shares)

    def _consistency(self, place: int) -> JudgeConsistency | None:
        """What several outputs for an item have in common, and what their mean or majority scores."""
        labels = self.judges.repeats(place)
        if labels.shape[1] < 2 or not np.any(labels[:, 1] >= 0):
            return None
        scale = self.people.scale
        counts = one_hot(labels, self.classes).sum(axis=1)
        alpha = default_registry()[OF_SCALE[scale.kind][0]]
        combined = gold_of(counts, "majority" if scale.kind == "nominal" else "mean", scale.values)
        return JudgeConsistency(
            int((labels >= 0).sum(axis=1).max()),
            repeated_agreement(self.judges, place),
            Sample(Ratings(scale, self.people.items, counts)).whole(alpha),
            self.mean_value(self.said[place]),
            self.mean_value(combined),
        )

    def mean_value(self, said: Floats) -> float:
        """The mean over people of the score of labels, as shares of the classes (items, C)."""
        cells, values = self.classes**2, []
        for one in self.left_out:
            item, adds = self._both(one, said)
            if len(item) >= self.settings.minimum:
                values.append(float(self.value(adds[:, :cells].sum(axis=0)[None])[0]))
        known = [value for value in values if not math.isnan(value)]
        return float(np.mean(known)) if known else math.nan

    def references(self) -> list[Reference]:
        """The best judge that always says the same, each judge's labels shuffled, and a person in a judge's place."""
        constants = [self._constant(place) for place in range(self.classes)]
        by_test = max(constants, key=lambda one: (np.nan_to_num(one.winning_rate, nan=-1), np.nan_to_num(one.advantage, nan=-1)))
        by_measure = max(constants, key=lambda one: np.nan_to_num(self.sign * one.value, nan=-math.inf))
        references = [by_test]
        if self.sign * by_measure.value > self.sign * by_test.value + _NEAR:
            references.append(replace(by_measure, kind="constant by measure"))
        references += [self._shuffled(place) for place in range(len(self.judges.annotators))]
        costs = class_costs(self.people.scale.values, self.settings.alignment)
        person = person_in_its_place(self.people.first, costs, **self._of_alt_test())
        human = [value for value in self.human_values().values() if not math.isnan(value)]
        value = float(np.mean(human)) if human else math.nan
        return [*references, Reference("a person in its place", "person", value, person.winning_rate, person.advantage)]

    def _constant(self, place: int) -> Reference:
        labels = np.full(self.people.size, place)
        test = self.alt_test(labels)
        value = self.mean_value(one_hot(labels, self.classes))
        return Reference(f"always {self.people.scale.labels[place]}", "constant", value, test.winning_rate, test.advantage)

    def _shuffled(self, place: int) -> Reference:
        """A judge's labels assigned to its items at random: how they score by the measure in expectation of the table, and in
        the alt-test on average over assignments."""
        labels, name = self.judges.rounds[0].column(place, self.people.size), self.judges.annotators[place]
        has = labels >= 0
        shares = np.bincount(labels[has], minlength=self.classes) / has.sum()
        value = self.mean_value(np.where(has[:, None], shares, 0.0))
        own, rng = self.alt_test(labels).advantage, stream(self.settings.seed, _DEALS)
        dealt, items = np.tile(labels, (_SHUFFLES, 1)), self._by_content[has[self._by_content]]
        dealt[:, items] = np.stack([rng.permutation(labels[items]) for _ in range(_SHUFFLES)])
        rates, advantages = rates_and_advantages(self._contests, dealt, **self._of_alt_test())
        p = (1 + int((advantages >= own - _NEAR).sum())) / (1 + _SHUFFLES)
        means = float(rates.mean()), float(advantages.mean())
        return Reference(f"{name} shuffled", "shuffled", value, *means, judge=name, p=p)

    def pairs(self) -> list[JudgePair]:
        """Every two judges on the items that both have: their labels change places on units swapped at random, the same units for
        all pairs, and p-values are corrected for all pairs by their largest statistic."""
        twos = list(combinations(range(len(self.judges.annotators)), 2))
        if not twos:
            return []
        moving, settings, names = self._moving(), self.settings, self.judges.annotators

        def gaps(which: Booleans) -> Floats:
            return np.stack([self._swapped(*two, moving, which) for two in twos], axis=1)

        tests = swap_tests(gaps, len(moving), settings.trials, settings.seed)
        found = []
        for (first, second), gap, p in zip(twos, tests.difference.tolist(), tests.p.tolist(), strict=True):
            low, high = percentile_interval(self._drawn(self._between(self.said[first], self.said[second])), settings.level)
            p_value = 1.0 if math.isnan(p) else p
            found.append(JudgePair(names[first], names[second], gap, float(low), float(high), p_value, tests.exact))
        return found

    def _moving(self) -> Integers:
        """The units with an item that several people rated and that two judges label differently, in an order that depends on
        what is said of them alone."""
        has = self.said.sum(axis=2) > 0
        highest = np.where(has[..., None], self.said, -1.0).max(axis=0)
        lowest = np.where(has[..., None], self.said, 2.0).min(axis=0)
        differ = np.any(highest > lowest, axis=1) & (self.people.counts.sum(axis=1) > 1)
        units, first = np.unique(self.people.unit[self._by_content], return_index=True)
        in_order = units[np.argsort(first)]
        return in_order[np.isin(in_order, self.people.unit[differ])]

    def _swapped(self, first: int, second: int, moving: Integers, which: Booleans) -> Floats:
        """The difference of two judges' scores (trials,) where their labels change places on some of the moving units."""
        cells, place = self.classes**2, np.full(int(self.people.unit.max()) + 1, -1)
        place[moving] = np.arange(len(moving))
        ours, others = [], []
        for item, adds in self._between(self.said[first], self.said[second]):
            at = place[self.people.unit[item]]
            together = _by_unit(adds[at >= 0], at[at >= 0], len(moving))
            moved = which.astype(float) @ (together[:, cells:] - together[:, :cells])
            total = adds.sum(axis=0)
            ours.append(self.value(total[:cells] + moved))
            others.append(self.value(total[cells:] - moved))
        return np.asarray(mean_of_defined(np.array(ours), 0) - mean_of_defined(np.array(others), 0))

    def _between(self, one: Floats, other: Floats) -> list[tuple[Integers, Floats]]:
        """For each person the items that two judges both have, and what they add to the tables of one and the other."""
        both = (one.sum(axis=1) > 0) & (other.sum(axis=1) > 0)
        added = [(person.item, [person.adds(said[person.item]) for said in (one, other)]) for person in self.left_out]
        return [(item[both[item]], np.hstack(adds)[both[item]]) for item, adds in added]

    def by_gold(self, gold: Gold) -> ByGold:
        """The judges' scores against one kind of gold made of all people."""
        names, scale, counts = self.judges.annotators, self.people.scale, self.people.counts
        judged = (self.said.sum(axis=(0, 2)) > 0) if names else np.ones(len(counts), dtype=bool)
        ties = int(tied_majorities(counts[judged]).sum()) if gold == "majority" else 0
        items = int((counts[judged].sum(axis=1) > 1).sum())
        if scale.kind == "nominal" and gold in ("median", "mean"):
            return ByGold(gold, dict.fromkeys(names, math.nan), None, ties, "the classes have no order", items)
        if not names:
            return ByGold(gold, {}, None, ties, items=items)
        if gold == "each":
            each = self if self.settings.gold == "each" else replace(self, settings=replace(self.settings, gold="each"))
            values = [each.mean_value(said) for said in self.said]
        else:
            made = gold_of(counts, gold, scale.values, self.settings.majority_ties)
            values = [float(self.value((made.T @ said).reshape(1, -1))[0]) for said in self.said]
        known = not np.isnan(values).all()
        best = names[int(np.nanargmax(self.sign * np.array(values)))] if known else None
        return ByGold(gold, dict(zip(names, values, strict=True)), best, ties, items=items)

    def containing(self) -> float:
        """The mean over people of their score against a gold that contains their own ratings, which flatters them."""
        made = gold_of(self.people.counts, self.settings.gold, self.people.scale.values, self.settings.majority_ties)
        tables = [made[one.item].T @ one_hot(one.own, self.classes) for one in self.left_out]
        return float(mean_of_defined(np.array([self.value(table.reshape(1, -1))[0] for table in tables]), 0))


def _by_unit(adds: Floats, unit: Integers, units: int) -> Floats:
    together = np.zeros((units, adds.shape[1]))
    np.add.at(together, unit, adds)
    return together


def _above(gap: float, se: float, freedom: int) -> float:
    """The p-value of a one-sided t test that a gap is above 0. Without any variation it is decided by the gap itself."""
    from scipy.special import stdtr  # noqa: PLC0415 - loaded when first used

    if math.isnan(gap) or math.isnan(se) or freedom < 1:
        return 1.0
    if se < _NEAR:
        return 0.0 if gap > _NEAR else 1.0
    return float(stdtr(freedom, -gap / se))
