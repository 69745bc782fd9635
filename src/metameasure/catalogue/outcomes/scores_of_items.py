"""What is known of each item: a score, how many of its samples passed, or how its repeats differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.parameters import Parameter, WholeNumber
from metameasure.catalogue.questions import HIGHER
from metameasure.core.errors import UsageError
from metameasure.core.scale import Scale


def _no_score(scores: Array) -> Array:
    xp = namespace(scores)
    return xp.any(xp.isinf(scores), axis=-1) | xp.all(xp.isnan(scores), axis=-1)


def _no_samples(passed: Array, samples: Array) -> Array:
    xp = namespace(passed, samples)
    apart = passed - samples
    wrong = (passed < 0) | (samples < 1) | (apart > 0) | xp.isinf(passed) | xp.isinf(samples)
    return xp.any(wrong, axis=-1) | xp.all(xp.isnan(apart), axis=-1)


def _no_repeats(lowest: Array, highest: Array, alike: Array, outputs: Array) -> Array:
    xp = namespace(lowest, highest, alike, outputs)
    pairs = outputs * (outputs - 1) / 2
    wrong = (outputs < 1) | (lowest > highest) | (alike < 0) | (alike > pairs) | ((alike < pairs) & (lowest == highest))
    for one in (lowest, highest, alike, outputs):
        wrong = wrong | xp.isinf(one)
    return xp.any(wrong, axis=-1) | xp.all(xp.isnan(lowest + highest + alike + outputs), axis=-1)


SCORES = Inputs(
    asks=HIGHER,
    reads=Reads.OUTCOMES,
    shape="scores of shape (..., n), NaN where an item has none",
    notation="s_i is the score of item i, the mean of its repeats where it has several, and n the number of items that have one",
    unusable=Undefined("no item has a score, or a score is infinite", _no_score),
    example=Example(text="scores 1, 0, 0.5, 1", arrays=((1, 0, 0.5, 1),)),
)
SAMPLES = Inputs(
    asks=HIGHER,
    reads=Reads.SAMPLES,
    shape="passed and samples of shape (..., n), whole numbers, NaN where an item has none",
    notation="item i has n_i samples, c_i of which passed, and there are n items",
    unusable=Undefined("no item has a sample, or more passed than there are", _no_samples),
    example=Example(text="0, 3 and 10 of 10 samples that passed", arrays=((0, 3, 10), (10, 10, 10))),
)
REPEATS = Inputs(
    asks=HIGHER,
    reads=Reads.REPEATS,
    shape="lowest, highest, alike and outputs of shape (..., n), NaN where an item has none",
    notation="item i has n_i outputs; the lowest and the highest of their scores are l_i and h_i, a_i of the n_i (n_i - 1) / 2 "
    "pairs of outputs score the same, and there are n items",
    unusable=Undefined("no item has an output, or its repeats contradict each other", _no_repeats),
    example=Example(
        text="outputs that score 0 and 1, 1 and 1, 0.5, 0.5 and 1", arrays=((0, 1, 0.5), (1, 1, 1), (0, 1, 1), (2, 2, 3))
    ),
)


@dataclass(frozen=True)
class OfMeasure(Parameter):
    """Of which measure, where the data have several: ``of=plus``."""

    placeholder: str = "of=MEASURE"
    example: str = "of=exact_match"
    required: bool = False

    def parse(self, text: str) -> str:
        of = text.removeprefix("of=")
        if of == text or not of:
            raise UsageError(f"cannot read '{text}'", hint=f"name the measure whose outputs these are, as in {self.example}")
        return of

    def print(self, argument: Any) -> str:
        return f"of={argument}"

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        return {}

    def names(self) -> frozenset[str]:
        return frozenset()

    def reads(self, argument: Any, usual: Reads) -> Reads:
        if argument is None:
            return usual
        text = f"{usual} of {argument}"
        return Reads.known.get(text) or Reads(text, usual.arrays, usual.task)


@dataclass(frozen=True)
class OfSamples(Parameter):
    """How many samples, and of which measure where the data have several: ``5`` or ``5:of=plus``."""

    placeholder: str = "k"
    example: str = "1"

    def parse(self, text: str) -> tuple[int, str | None]:
        number, colon, named = text.partition(":")
        of = OfMeasure(example="5:of=exact_match").parse(named) if colon else None
        return WholeNumber("k").parse(number), of

    def print(self, argument: Any) -> str:
        number, of = argument
        return str(number) if of is None else f"{number}:of={of}"

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        return {"k": argument[0]}

    def names(self) -> frozenset[str]:
        return frozenset({"k"})

    def reads(self, argument: Any, usual: Reads) -> Reads:
        return usual if argument is None else OfMeasure().reads(argument[1], usual)
