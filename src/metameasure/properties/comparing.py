"""Cases compared side by side, and the first that decides put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby, product
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.numbers import decimals, significant
from metameasure.properties.cases import Side
from metameasure.properties.property import TOLERANCE, DecidingCase, Outcome, ReadableCase
from metameasure.statistics.arrays import Floats

Decides = npt.NDArray[np.bool_]
Words = Callable[..., str]
_MOST_WRITTEN_OUT = 12
_ALL_DIGITS = 17


def differ(first: Floats, second: Floats) -> Decides:
    """Where two scores are not the same; two that are infinite are."""
    with np.errstate(invalid="ignore"):
        return np.asarray((first != second) & ~(np.abs(first - second) <= TOLERANCE))


def looked(sides: Sequence[Side], decides: Decides, words: Words) -> Outcome:
    """What came of comparing the sides place by place. Places with an undefined score do not count; of several that decide, the
    one with the fewest items is shown, and the first of those."""
    undefined = _undefined(sides)
    deciding = np.flatnonzero(decides if undefined is None else decides & ~undefined)
    example = None
    if deciding.size:
        items = sides[0].items()[deciding]
        smallest = deciding[items == items.min()]
        in_order = items.size == 1 or (sides[0].items() == items[0]).all()
        place = int(smallest[0]) if in_order else min(smallest.tolist(), key=lambda one: _order(sides, one))
        example = found_at(sides, place, words)
    left_out = 0 if undefined is None else int(np.count_nonzero(undefined))
    return Outcome(len(sides[0].scores) - left_out, left_out, example)


def _undefined(sides: Sequence[Side]) -> Decides | None:
    """Where a score is NaN; None where none is, which a sum tells at once."""
    masks = [np.isnan(side.scores) for side in sides if np.isnan(side.scores.sum())]
    return np.logical_or.reduce(masks) if masks else None


def looked_for_difference(first: Side, second: Side, words: Words) -> Outcome:
    """What came of comparing two sides, where a difference decides."""
    return looked((first, second), differ(first.scores, second.scores), words)


def looked_at_changes(first: Side, changes: Iterable[Side], words: Words) -> Outcome:
    """The same for several changes of each case: of those that decide the smallest case is shown, with its first change."""
    parts = [looked_for_difference(first, second, words) for second in changes]
    keys = [(part.example.size[:2], part.example.order[:1], number) for number, part in enumerate(parts) if part.example]
    chosen = parts[min(keys)[-1]].example if keys else None
    return Outcome(sum(part.cases for part in parts), sum(part.undefined for part in parts), chosen)


def together(parts: Iterable[Outcome]) -> Outcome:
    """Several looks as one: of those cases that decide, the smallest and the first in order."""
    known = list(parts)
    example = min((part.example for part in known if part.example), key=lambda one: one.size, default=None)
    against = next((part.against for part in known if part.against), None)
    return Outcome(sum(part.cases for part in known), sum(part.undefined for part in known), example, against)


def _order(sides: Sequence[Side], place: int) -> tuple[Any, ...]:
    """What cases of the same size are sorted by: each side's parts, one after the other."""
    return tuple(tuple(map(tuple, side.shown(place).parts.values())) for side in sides)


def found_at(sides: Sequence[Side], place: int, words: Words) -> DecidingCase:
    """The case in one place, with its order and in words."""
    cases = tuple(side.shown(place) for side in sides)
    return DecidingCase(int(sides[0].items()[place]), sides[0].classes, cases, words(*cases), _order(sides, place))


def sentence(template: str) -> Words:
    """Words that say of cases what the template does: ``{0[case]}`` is all of the first, ``{0[gold]}`` one of its parts,
    ``{0[score]}`` its score."""

    def words(*cases: ReadableCase) -> str:
        scores = apart(*(case.score for case in cases))
        fields = [{**_texts(case), "case": said(case), "score": score} for case, score in zip(cases, scores, strict=True)]
        return template.format(*fields)

    return words


def _texts(case: ReadableCase) -> dict[str, str]:
    """A case's parts as sentences have them."""
    return {name: _text(name, part) for name, part in case.parts.items()}


def _text(name: str, part: Sequence[float]) -> str:
    if name == "values":
        return ", ".join(significant(value) for value in part)
    return distribution(part) if isinstance(part[0], float) else listed(part)


def said(case: ReadableCase) -> str:
    """Gold 1 2, output 2 4."""
    return ", ".join(f"{name} {text}" for name, text in _texts(case).items() if name != "values")


def listed(labels: Sequence[float]) -> str:
    """Labels as a sentence has them: 1 1 2; or how many there are of each, where there are many."""
    if len(labels) <= _MOST_WRITTEN_OUT:
        return " ".join(map(str, labels))
    return " ".join(f"{label}×{len(list(alike))}" for label, alike in groupby(labels))


def distribution(shares: Sequence[float]) -> str:
    """(1, 2, 1, 2)/6."""
    parts = [Fraction(share).limit_denominator(1000) for share in shares]
    whole = int(np.lcm.reduce([part.denominator for part in parts]))
    return f"({', '.join(str(part * whole) for part in parts)})" + (f"/{whole}" if whole > 1 else "")


def apart(*scores: float) -> list[str]:
    """Numbers to as many digits as tell those apart that differ; at least three."""
    for digits in range(decimals(), _ALL_DIGITS):
        texts = [f"{score + 0.0:.{digits}f}" for score in scores]
        pairs = product(zip(texts, scores, strict=True), repeat=2)
        if all(
            (one == other) == (score == another or abs(score - another) <= TOLERANCE) for (one, score), (other, another) in pairs
        ):
            return texts
    return [repr(score) for score in scores]
