"""The same error under different golds: the worst there is, errors in small and large classes, and classes left out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

from metameasure.catalogue.sources import SEBASTIANI_2020
from metameasure.properties.comparing import apart, differ, found_at, looked, together
from metameasure.properties.distributions import Pairs, distribution, gold_and_estimate, random_golds, scored_pairs
from metameasure.properties.estimates import place_of, shifted
from metameasure.properties.property import Looked, Property, Search, Shown
from metameasure.properties.spaces import DISTRIBUTIONS_REACH, Counts, Floats, Integers, distribution_block
from metameasure.properties.trial import CannotTryError, Trial
from metameasure.statistics.resampling import stream


def _maximum(trial: Trial) -> Iterator[Looked]:
    for steps, classes in trial.distribution_sizes(2):
        costs = -trial.sign * trial.distribution_scores(classes, steps)
        defined = np.flatnonzero(~np.isnan(costs).all(axis=1))
        worst = np.nanargmax(costs[defined], axis=1) if len(defined) else np.zeros(0, np.int64)
        highest = costs[defined, worst]
        others = np.flatnonzero(differ(highest, highest[:1])) if len(defined) else np.zeros(0, np.int64)
        undefined = len(costs) - len(defined)
        if not others.size:
            yield Looked(len(defined), undefined)
            continue
        block = distribution_block(classes, steps)
        pair = [0, int(others[0])]
        sides = [
            Pairs(
                gold=block[defined[[at]]],
                estimate=block[worst[[at]]],
                steps=np.array([steps]),
                scores=-trial.sign * highest[[at]],
            )
            for at in pair
        ]
        yield Looked(len(defined), undefined, found_at(sides, 0, _maximum_words))


def _maximum_words(first: Shown, second: Shown) -> str:
    one, other = apart(first.score, second.score)
    golds = [distribution(case.parts["gold"]) for case in (first, second)]
    return f"the worst estimate of gold {golds[0]} scores {one}, the worst of gold {golds[1]} scores {other}"


@lru_cache(maxsize=64)
def _same_error(classes: int, steps: int) -> tuple[Counts, Counts, Counts, Counts]:
    """Two golds without empty classes and the same error in each: some mass more or less in one class, made up for in another.

    The first gold has less of the one class than the second; and either as much of the other class, or nothing else differs and
    the one class is also smaller than the other is in the second gold (Sebastiani's classes are two, where both must differ).
    """
    block = distribution_block(classes, steps)
    golds = block[(block > 0).all(axis=1)]
    one, other = (golds[places.ravel()] for places in np.indices((len(golds), len(golds))))
    found = []
    for error, makes_up in permutations(range(classes), 2):
        rest = [place for place in range(classes) if place not in (error, makes_up)]
        elsewhere = (one[:, rest] == other[:, rest]).all(axis=1) & (one[:, error] < other[:, makes_up])
        kept = (one[:, error] < other[:, error]) & ((one[:, makes_up] == other[:, makes_up]) | elsewhere)
        p, q = one[kept], other[kept]
        for amount in (*range(-steps, 0), *range(1, steps + 1)):
            wrong = [shifted(gold, amount, makes_up, error) for gold in (p, q)]
            valid = (wrong[0] >= 0).all(axis=1) & (wrong[1] >= 0).all(axis=1)
            found.append((p[valid], wrong[0][valid], q[valid], wrong[1][valid]))
    empty = np.zeros((0, classes), np.int64)
    sides = [np.concatenate([part[side] for part in found] or [empty]) for side in range(4)]
    order = np.lexsort([-column for column in np.concatenate(sides, axis=1).T[::-1].astype(np.int64)])
    return sides[0][order], sides[1][order], sides[2][order], sides[3][order]


def _errors(trial: Trial) -> Iterator[tuple[Pairs, Pairs]]:
    """The same error where its class is smaller, and where it is larger."""
    for steps, classes in trial.distribution_sizes(2):
        cases = _same_error(classes, steps)
        scores, size = trial.distribution_scores(classes, steps), np.full(len(cases[0]), steps)
        places = [place_of(case, classes, steps) for case in cases]
        yield (
            Pairs(gold=cases[0], estimate=cases[1], steps=size, scores=scores[places[0], places[1]]),
            Pairs(gold=cases[2], estimate=cases[3], steps=size, scores=scores[places[2], places[3]]),
        )


def _relative(trial: Trial) -> Iterator[Looked]:
    for sides in _errors(trial):
        yield looked(sides, ~trial.better(sides[1].scores, sides[0].scores), _error_words)


def _absolute(trial: Trial) -> Iterator[Looked]:
    for sides in _errors(trial):
        yield looked(sides, differ(sides[0].scores, sides[1].scores), _error_words)


def _random_errors(trial: Trial, seed: int, number: int) -> Iterator[tuple[Pairs, Pairs]]:
    """Random golds, each with one in which a class is larger at the cost of a third one, and the same error in both."""
    for drawn, _, steps in random_golds(trial, seed, number):
        classes = drawn.shape[-1]
        if classes < 3:
            continue
        rng = stream(seed, 83, classes)
        error, makes_up, third = rng.permutation(classes)[:3].tolist()
        gold, size = drawn + 1, steps + classes
        kept = gold[:, third] > 1
        gold, size = gold[kept], size[kept]
        larger = shifted(gold, rng.integers(1, gold[:, third]), third, error)
        amount = rng.integers(-gold[:, error], gold[:, makes_up] + 1)
        wrong = amount != 0
        yield tuple(  # type: ignore[misc]
            scored_pairs(trial, one[wrong], shifted(one, amount, makes_up, error)[wrong], size[wrong]) for one in (gold, larger)
        )


def _random_relative(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for sides in _random_errors(trial, seed, number):
        yield looked(sides, ~trial.better(sides[1].scores, sides[0].scores), _error_words)


def _random_absolute(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for sides in _random_errors(trial, seed, number):
        yield looked(sides, differ(sides[0].scores, sides[1].scores), _error_words)


def _error_words(first: Shown, second: Shown) -> str:
    one, other = apart(first.score, second.score)
    return (
        f"{gold_and_estimate(first)} scores {one}; the same error in a larger class, {gold_and_estimate(second)}, scores {other}"
    )


def _independent(trial: Trial) -> Iterator[Looked]:
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


def _ordered_alike(trial: Trial, classes: int, steps: int, chosen: tuple[int, ...], mass: int) -> Looked:
    golds, parts, estimates = _restricted(classes, steps, chosen, mass)
    within = distribution_block(len(chosen), mass)
    if not len(golds) or len(within) < 2:
        return Looked(0)
    values = tuple(float(place + 1) for place in chosen) if trial.uses_values else None
    shares = within / mass
    alone = trial.score(shares[None, :, :], shares[:, None, :], values=values)[parts]
    whole = trial.distribution_scores(classes, steps)[golds[:, None], estimates]
    one, other = np.triu_indices(len(within), 1)
    signs = [_signs(scores[:, one], scores[:, other]) for scores in (whole, alone)]
    defined = ~np.isnan(signs[0]) & ~np.isnan(signs[1])
    wrong = np.argwhere(defined & (signs[0] != signs[1]))
    cases, undefined = int(defined.sum()), int((~defined).sum())
    if not len(wrong):
        return Looked(cases, undefined)
    gold, pair = map(int, wrong[0])
    block, size = distribution_block(classes, steps), np.array([steps])
    sides = [
        Pairs(gold=block[golds[[gold]]], estimate=block[estimates[gold, [at]]], steps=size, scores=whole[gold, [at]])
        for at in (one[pair], other[pair])
    ]
    sides += [
        Pairs(gold=within[parts[[gold]]], estimate=within[[at]], steps=np.array([mass]), scores=alone[gold, [at]])
        for at in (one[pair], other[pair])
    ]
    return Looked(cases, undefined, found_at(sides, 0, _independent_words))


def _random_independent(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    """Random golds, and two estimates that share out the mass of some classes anew."""
    for gold, _, steps in random_golds(trial, seed, number):
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
        values = tuple(float(place + 1) for place in chosen) if trial.uses_values else None
        sides = [scored_pairs(trial, p, estimate, size) for estimate in whole]
        sides += [scored_pairs(trial, p[:, chosen], part, mass, values=values) for part in parts]
        signs = [_signs(one.scores, other.scores) for one, other in (sides[:2], sides[2:])]
        yield looked(sides, signs[0] != signs[1], _independent_words)


def _signs(one: Floats, other: Floats) -> Floats:
    """-1, 0 or 1; NaN where undefined. Two that are infinite are the same."""
    same = ~differ(one, other)
    return np.where(np.isnan(one) | np.isnan(other), np.nan, np.where(same, 0.0, np.where(one < other, -1.0, 1.0)))


def _independent_words(first: Shown, second: Shown, part: Shown, other_part: Shown) -> str:
    whole, alone = apart(first.score, second.score), apart(part.score, other_part.score)
    estimates = [distribution(case.parts["estimate"]) for case in (first, second, part, other_part)]
    return (
        f"gold {distribution(first.parts['gold'])}: estimate {estimates[0]} scores {whole[0]}, {estimates[1]} scores {whole[1]}; "
        f"on the classes where they err alone, gold {distribution(part.parts['gold'])}, {estimates[2]} scores {alone[0]}, "
        f"{estimates[3]} scores {alone[1]}"
    )


_REACH = DISTRIBUTIONS_REACH
_ALIKE = {"source": (SEBASTIANI_2020,), "outside": True}

PROPERTIES = (
    Property(
        id="maximum",
        title="The same maximum",
        heading="maximum",
        holds_if="The worst estimate costs the same for every gold.",
        formula="max_q D(p, q) is the same for every p",
        directed=True,
        searches={"distributions": Search(_maximum, _REACH)},
        **_ALIKE,  # type: ignore[arg-type]
    ),
    Property(
        id="relative",
        title="Relativity",
        heading="relative",
        holds_if="The same error on one class, made up for on another, costs strictly more where the one class is smaller.",
        formula="p_1 < p'_1, a ≠ 0   ⟹   D(p, p + a(e_1 - e_2)) > D(p', p' + a(e_1 - e_2))",
        condition="no empty gold class",
        directed=True,
        searches={"distributions": Search(_relative, _REACH, _random_relative)},
        note="The two golds have as much of class 2, or they differ in classes 1 and 2 alone and class 1 is in the first gold "
        "smaller than class 2 is in the second: otherwise class 2 could shrink more than class 1 grows. It is the opposite of "
        "absolute: no measure has both.",
        **_ALIKE,  # type: ignore[arg-type]
    ),
    Property(
        id="absolute",
        title="Absoluteness",
        heading="absolute",
        holds_if="The same error on one class, made up for on another, costs the same whatever the size of the one class.",
        formula="p_1 < p'_1   ⟹   D(p, p + a(e_1 - e_2)) = D(p', p' + a(e_1 - e_2))",
        condition="no empty gold class",
        searches={"distributions": Search(_absolute, _REACH, _random_absolute)},
        note="Over the same golds as relative, whose opposite it is.",
        **_ALIKE,  # type: ignore[arg-type]
    ),
    Property(
        id="independent",
        title="Independence",
        heading="independent",
        holds_if="Two estimates that are right outside a set of classes are ordered as they are on that set alone, renormalised.",
        formula="q = q' = p outside S   ⟹   D(p, q) < D(p, q') ⟺ D(p_S, q_S) < D(p_S, q'_S)",
        searches={"distributions": Search(_independent, _REACH, _random_independent)},
        note="Classes keep their values when others are left out.",
        **_ALIKE,  # type: ignore[arg-type]
    ),
)
