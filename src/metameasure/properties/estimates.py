"""What estimates of a distribution should cost: nothing where they are right and only there, more the more mass is in the wrong
place, and the same error as much or less under other golds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations, permutations, product

import numpy as np

from metameasure.catalogue.sources import SEBASTIANI_2020
from metameasure.properties.cases import PAIRS, Cases, Pairs, drawn_distributions, every_two, known_pairs, place_of, scored_pairs
from metameasure.properties.comparing import apart, differ, found_at, looked, looked_for_difference, said, sentence, together
from metameasure.properties.property import Outcome, Property, ReadableCase, Search
from metameasure.properties.spaces import Counts, distribution_block, distributions_reach
from metameasure.properties.trial import CannotTryError, Trial
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.streams import stream

Sides = tuple[Pairs, Pairs]
_ERROR_WORDS = sentence("{0[case]} scores {0[score]}; the same error in a larger class, {1[case]}, scores {1[score]}")


def _perfect(trial: Trial, pairs: Pairs) -> Pairs:
    """The same golds as estimates of themselves, with the score of a perfect estimate: 0 unless another is declared."""
    wanted = np.full(len(pairs.gold), float(trial.measure.perfect or 0))
    return Pairs(gold=pairs.gold, estimate=pairs.gold, steps=pairs.steps, scores=wanted)


def _identical(trial: Trial, pairs: Pairs) -> Outcome:
    perfect = _perfect(trial, pairs)
    same = (pairs.gold == pairs.estimate).all(axis=1)
    return looked((pairs, perfect), differ(pairs.scores, perfect.scores) == same, _identity_words)


def _identity_words(case: ReadableCase, perfect: ReadableCase) -> str:
    has, wanted = apart(case.score, perfect.score)
    return f"{said(case)} scores {has}" + ("" if has == wanted else f" and not {wanted}")


def _not_negative(trial: Trial, pairs: Pairs) -> Outcome:
    perfect = _perfect(trial, pairs)
    words = sentence("{0[case]} scores {0[score]}, better than the {1[score]} of a perfect estimate")
    return looked((pairs, perfect), trial.better(pairs.scores, perfect.scores), words)


def _shifted(shares: Counts, amount: Integers | int, source: int, target: int) -> Counts:
    """Distributions with some mass moved from one class to another."""
    moved = shares.astype(np.int64)
    moved[:, source] -= amount
    moved[:, target] += amount
    return moved


def _in_full(classes: int, steps: int) -> Counts:
    """All golds without empty classes."""
    block = distribution_block(classes, steps)
    return np.asarray(block[(block > 0).all(axis=1)])


@lru_cache(maxsize=64)
def _more_moved(classes: int, steps: int) -> tuple[Counts, ...]:
    """Each estimate that has too little or just enough of one class and too much or just enough of another, and the same with
    more moved from the one to the other. No gold class is empty."""
    golds, block = _in_full(classes, steps), distribution_block(classes, steps)
    gold, estimate = every_two(len(golds), len(block))
    p, q = golds[gold], block[estimate]
    batches = []
    for source, target in permutations(range(classes), 2):
        fits = (q[:, source] <= p[:, source]) & (q[:, target] >= p[:, target])
        for amount in range(1, steps + 1):
            kept = fits & (q[:, source] >= amount)
            batches.append((p[kept], q[kept], p[kept], _shifted(q[kept], amount, source, target)))
    return _in_order(batches)


@lru_cache(maxsize=64)
def _either_way(classes: int, steps: int) -> tuple[Counts, ...]:
    """Each gold with the same mass moved from one class to another, and back."""
    block = distribution_block(classes, steps)
    batches = []
    for (source, target), amount in product(combinations(range(classes), 2), range(1, steps + 1)):
        p = block[(block[:, source] >= amount) & (block[:, target] >= amount)]
        batches.append((p, _shifted(p, amount, target, source), p, _shifted(p, amount, source, target)))
    return _in_order(batches)


@lru_cache(maxsize=64)
def _same_error(classes: int, steps: int) -> tuple[Counts, ...]:
    """Two golds without empty classes and the same error in each: some mass more or less in one class, made up for in another.

    The first gold has less of the one class than the second; and either as much of the other class, or nothing else differs and
    the one class is also smaller than the other is in the second gold (Sebastiani's classes are two, where both must differ).
    """
    golds = _in_full(classes, steps)
    one, other = (golds[places] for places in every_two(len(golds), len(golds)))
    batches = []
    for error, makes_up in permutations(range(classes), 2):
        rest = [place for place in range(classes) if place not in (error, makes_up)]
        elsewhere = (one[:, rest] == other[:, rest]).all(axis=1) & (one[:, error] < other[:, makes_up])
        kept = (one[:, error] < other[:, error]) & ((one[:, makes_up] == other[:, makes_up]) | elsewhere)
        p, q = one[kept], other[kept]
        for amount in (*range(-steps, 0), *range(1, steps + 1)):
            wrong = [_shifted(gold, amount, makes_up, error) for gold in (p, q)]
            valid = (wrong[0] >= 0).all(axis=1) & (wrong[1] >= 0).all(axis=1)
            batches.append((p[valid], wrong[0][valid], q[valid], wrong[1][valid]))
    return _in_order(batches)


def _in_order(batches: Sequence[tuple[Counts, ...]]) -> tuple[Counts, ...]:
    """All of them, in lexicographic order of gold and then of the estimates: more of the first class comes first."""
    sides = [np.concatenate(parts) for parts in zip(*batches, strict=True)]
    order = np.lexsort([-column for column in np.concatenate(sides, axis=1).T[::-1].astype(np.int64)])
    return tuple(side[order] for side in sides)


def _two_sides(
    compared: Callable[[int, int], tuple[Counts, ...]], at_random: Callable[[Trial, int, int], Iterator[Sides]]
) -> Cases[Sides]:
    """A gold with an estimate, and the same or another gold with another estimate."""

    def small(trial: Trial) -> Iterator[Sides]:
        for steps, classes in trial.distribution_sizes(2):
            gold, estimate, other_gold, other = compared(classes, steps)
            yield known_pairs(trial, gold, estimate, steps), known_pairs(trial, other_gold, other, steps)

    return Cases(small, distributions_reach, at_random)


def _two_classes(seed: int, classes: int) -> tuple[int, int]:
    """Between which classes mass is moved in the random cases."""
    source, target = stream(seed, 71, classes).permutation(classes)[:2].tolist()
    return source, target


def _random_moved(trial: Trial, seed: int, number: int) -> Iterator[Sides]:
    """Random golds without empty classes, estimates turned so that they fit, and more moved."""
    for drawn, estimate, steps in drawn_distributions(trial, seed, number):
        classes = drawn.shape[-1]
        source, target = _two_classes(seed, classes)
        gold, q, size = drawn + 1, estimate + 1, steps + classes
        for one, sign in ((source, 1), (target, -1)):  # too much of the source, or too little of the target, goes to the other
            excess = np.maximum(0, sign * (q[:, one] - gold[:, one]))
            q = _shifted(q, sign * excess, source, target)
        kept = (q[:, source] <= gold[:, source]) & (q[:, target] >= gold[:, target]) & (q[:, source] > 0) & (q >= 0).all(axis=1)
        gold, q, size = gold[kept], q[kept], size[kept]
        amount = stream(seed, 73, classes).integers(1, q[:, source] + 1) if len(q) else q[:, source]
        more = _shifted(q, amount, source, target)
        yield scored_pairs(trial, gold, q, size), scored_pairs(trial, gold, more, size)


def _random_either_way(trial: Trial, seed: int, number: int) -> Iterator[Sides]:
    for drawn, _, steps in drawn_distributions(trial, seed, number):
        source, target = _two_classes(seed, drawn.shape[-1])
        most = np.minimum(drawn[:, source], drawn[:, target])
        gold, size, most = drawn[most > 0], steps[most > 0], most[most > 0]
        amount = stream(seed, 79, drawn.shape[-1]).integers(1, most + 1)
        over, under = _shifted(gold, amount, target, source), _shifted(gold, amount, source, target)
        yield scored_pairs(trial, gold, over, size), scored_pairs(trial, gold, under, size)


def _random_errors(trial: Trial, seed: int, number: int) -> Iterator[Sides]:
    """Random golds, each with one in which a class is larger at the cost of a third one, and the same error in both."""
    for drawn, _, steps in drawn_distributions(trial, seed, number):
        classes = drawn.shape[-1]
        if classes < 3:
            continue
        rng = stream(seed, 83, classes)
        error, makes_up, third = rng.permutation(classes)[:3].tolist()
        kept = drawn[:, third] > 0
        gold, size = drawn[kept] + 1, steps[kept] + classes
        larger = _shifted(gold, rng.integers(1, gold[:, third]), third, error)
        amount = rng.integers(-gold[:, error], gold[:, makes_up] + 1)
        wrong = amount != 0
        gold, larger, size, amount = gold[wrong], larger[wrong], size[wrong], amount[wrong]
        first, second = _shifted(gold, amount, makes_up, error), _shifted(larger, amount, makes_up, error)
        yield scored_pairs(trial, gold, first, size), scored_pairs(trial, larger, second, size)


def _costs_more(trial: Trial, sides: Sides) -> Outcome:
    words = sentence(
        "{0[case]} scores {0[score]}; with more moved from an underestimated class to an overestimated one, estimate "
        "{1[estimate]} scores {1[score]}"
    )
    return looked(sides, ~trial.better(sides[0].scores, sides[1].scores), words)


def _costs_the_same(_: Trial, sides: Sides) -> Outcome:
    words = sentence("{0[case]} scores {0[score]}; the opposite error, {1[estimate]}, scores {1[score]}")
    return looked_for_difference(*sides, words)


def _relative(trial: Trial, sides: Sides) -> Outcome:
    return looked(sides, ~trial.better(sides[1].scores, sides[0].scores), _ERROR_WORDS)


def _absolute(_: Trial, sides: Sides) -> Outcome:
    return looked_for_difference(*sides, _ERROR_WORDS)


def _maximum(trial: Trial) -> Iterator[Outcome]:
    words = sentence("the worst estimate of gold {0[gold]} scores {0[score]}, the worst of gold {1[gold]} scores {1[score]}")
    for steps, classes in trial.distribution_sizes(2):
        costs = -trial.sign * trial.distribution_scores(classes, steps)
        defined = np.flatnonzero(~np.isnan(costs).all(axis=1))
        worst = np.nanargmax(costs[defined], axis=1) if len(defined) else defined
        highest = costs[defined, worst]
        others = np.flatnonzero(differ(highest, highest[:1]))
        example = None
        if others.size:
            block = distribution_block(classes, steps)
            sides = [known_pairs(trial, block[defined[at]], block[worst[at]], steps) for at in ([0], others[:1])]
            example = found_at(sides, 0, words)
        yield Outcome(len(defined), len(costs) - len(defined), example)


def _independent(trial: Trial) -> Iterator[Outcome]:
    if trial.distance is not None or trial.named:
        raise CannotTryError("it is bound to its classes: some of them without the others are not for it")
    for steps, classes in trial.distribution_sizes(3):
        subsets = (chosen for size in range(2, classes) for chosen in combinations(range(classes), size))
        yield together(_ordered_alike(trial, classes, steps, chosen, mass) for chosen in subsets for mass in range(1, steps + 1))


@lru_cache(maxsize=2048)
def _restricted(classes: int, steps: int, chosen: tuple[int, ...], mass: int) -> tuple[Integers, Integers, Integers]:
    """The golds with so much mass in the chosen classes; the place of that part of each gold among all distributions of that
    mass; and for each gold and each such distribution, the estimate that has it there and is right elsewhere."""
    block = distribution_block(classes, steps)
    within = distribution_block(len(chosen), mass)
    golds = np.flatnonzero(block[:, chosen].sum(axis=1) == mass)
    estimates = np.repeat(block[golds][:, None, :], len(within), axis=1)
    estimates[:, :, chosen] = within[None, :, :]
    return golds, place_of(block[golds][:, chosen], len(chosen), mass), place_of(estimates, classes, steps)


def _values(trial: Trial, chosen: Sequence[int]) -> tuple[float, ...] | None:
    """Classes keep their values when others are left out."""
    return tuple(float(place + 1) for place in chosen) if trial.uses_values else None


def _ordered_alike(trial: Trial, classes: int, steps: int, chosen: tuple[int, ...], mass: int) -> Outcome:
    golds, parts, estimates = _restricted(classes, steps, chosen, mass)
    within = distribution_block(len(chosen), mass)
    if not len(golds) or len(within) < 2:
        return Outcome(0)
    shares = within / mass
    alone = trial.score(shares[None, :, :], shares[:, None, :], values=_values(trial, chosen))[parts]
    whole = trial.distribution_scores(classes, steps)[golds[:, None], estimates]
    one, other = np.triu_indices(len(within), 1)
    signs = [_signs(scores[:, one], scores[:, other]) for scores in (whole, alone)]
    defined = ~np.isnan(signs[0]) & ~np.isnan(signs[1])
    wrong = np.argwhere(defined & (signs[0] != signs[1]))
    example = None
    if len(wrong):
        gold, pair = wrong[0].tolist()
        block, two = distribution_block(classes, steps), (one[[pair]], other[[pair]])
        sides = [known_pairs(trial, block[golds[[gold]]], block[estimates[gold, at]], steps) for at in two]
        sides += [
            Pairs(gold=within[parts[[gold]]], estimate=within[at], steps=np.array([mass]), scores=alone[gold, at]) for at in two
        ]
        example = found_at(sides, 0, _independent_words)
    return Outcome(int(defined.sum()), int((~defined).sum()), example)


def _random_independent(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    """Random golds, and two estimates that share out the mass of some classes anew."""
    for gold, _, steps in drawn_distributions(trial, seed, number):
        classes = gold.shape[-1]
        if classes < 3:
            continue
        rng = stream(seed, 89, classes)
        chosen = sorted(rng.permutation(classes)[: rng.integers(2, classes)].tolist())
        mass = gold[:, chosen].sum(axis=1)
        p, size, mass = gold[mass > 0], steps[mass > 0], mass[mass > 0]
        parts = [rng.multinomial(mass, rng.dirichlet(np.ones(len(chosen)), len(mass))) for _ in range(2)]
        whole = [p.copy(), p.copy()]
        for estimate, part in zip(whole, parts, strict=True):
            estimate[:, chosen] = part
        sides = [scored_pairs(trial, p, estimate, size) for estimate in whole]
        sides += [scored_pairs(trial, p[:, chosen], part, mass, values=_values(trial, chosen)) for part in parts]
        signs = [_signs(one.scores, other.scores) for one, other in (sides[:2], sides[2:])]
        yield looked(sides, signs[0] != signs[1], _independent_words)


def _signs(one: Floats, other: Floats) -> Floats:
    """-1, 0 or 1; NaN where undefined. Two that are infinite are the same."""
    same = ~differ(one, other)
    return np.where(np.isnan(one) | np.isnan(other), np.nan, np.where(same, 0.0, np.where(one < other, -1.0, 1.0)))


def _independent_words(first: ReadableCase, second: ReadableCase, part: ReadableCase, other_part: ReadableCase) -> str:
    whole = sentence("gold {0[gold]}: estimate {0[estimate]} scores {0[score]}, {1[estimate]} scores {1[score]}")
    alone = sentence("gold {0[gold]}, {0[estimate]} scores {0[score]}, {1[estimate]} scores {1[score]}")
    return f"{whole(first, second)}; on the classes where they err alone, {alone(part, other_part)}"


_ERRORS = _two_sides(_same_error, _random_errors)
_property = partial(Property, source=(SEBASTIANI_2020,), outside=True)

PROPERTIES = (
    _property(
        id="identity",
        title="Identity of indiscernibles",
        heading="identity",
        holds_if="The divergence is 0 if the estimate equals gold, and only then.",
        formula="D(p, q) = 0   ⟺   q = p",
        searches={"distributions": PAIRS.search(_identical)},
    ),
    _property(
        id="non_negative",
        title="Non-negativity",
        heading="non-negative",
        holds_if="The divergence is never below 0.",
        formula="D(p, q) ≥ 0",
        directed=True,
        searches={"distributions": PAIRS.search(_not_negative)},
    ),
    _property(
        id="monotonic",
        title="Strict monotonicity",
        heading="monotonic",
        holds_if="Where an estimate has at most as much of one class as gold and at least as much of another, moving more from "
        "the one to the other strictly costs.",
        formula="q_1 ≤ p_1, q_2 ≥ p_2, a > 0   ⟹   D(p, q - a e_1 + a e_2) > D(p, q)",
        condition="no empty gold class",
        directed=True,
        searches={"distributions": _two_sides(_more_moved, _random_moved).search(_costs_more)},
        note="Errors that cancel along the scale are why NMD fails: gold (1, 2, 1, 2)/6, estimate (2, 2, 1, 1)/6 costs .1667, "
        "and (2, 1, 2, 1)/6 only .1111.",
    ),
    _property(
        id="impartial",
        title="Impartiality",
        heading="impartial",
        holds_if="Overestimating one class at the cost of another is as bad as underestimating it by as much.",
        formula="D(p, p + a(e_1 - e_2)) = D(p, p - a(e_1 - e_2))",
        condition="both are distributions",
        searches={"distributions": _two_sides(_either_way, _random_either_way).search(_costs_the_same)},
    ),
    _property(
        id="maximum",
        title="The same maximum",
        heading="maximum",
        holds_if="The worst estimate costs the same for every gold.",
        formula="max_q D(p, q) is the same for every p",
        directed=True,
        searches={"distributions": Search(_maximum, distributions_reach)},
    ),
    _property(
        id="relative",
        title="Relativity",
        heading="relative",
        holds_if="The same error on one class, made up for on another, costs strictly more where the one class is smaller.",
        formula="p_1 < p'_1, a ≠ 0   ⟹   D(p, p + a(e_1 - e_2)) > D(p', p' + a(e_1 - e_2))",
        condition="no empty gold class",
        directed=True,
        searches={"distributions": _ERRORS.search(_relative)},
        note="The two golds have as much of class 2, or they differ in classes 1 and 2 alone and class 1 is in the first gold "
        "smaller than class 2 is in the second: otherwise class 2 could shrink more than class 1 grows. It is the opposite of "
        "absolute: no measure has both.",
    ),
    _property(
        id="absolute",
        title="Absoluteness",
        heading="absolute",
        holds_if="The same error on one class, made up for on another, costs the same whatever the size of the one class.",
        formula="p_1 < p'_1   ⟹   D(p, p + a(e_1 - e_2)) = D(p', p' + a(e_1 - e_2))",
        condition="no empty gold class",
        searches={"distributions": _ERRORS.search(_absolute)},
        note="Over the same golds as relative, whose opposite it is.",
    ),
    _property(
        id="independent",
        title="Independence",
        heading="independent",
        holds_if="Two estimates that are right outside a set of classes are ordered as they are on that set alone, renormalised.",
        formula="q = q' = p outside S   ⟹   D(p, q) < D(p, q') ⟺ D(p_S, q_S) < D(p_S, q'_S)",
        searches={"distributions": Search(_independent, distributions_reach, _random_independent)},
        note="Classes keep their values when others are left out.",
    ),
)
