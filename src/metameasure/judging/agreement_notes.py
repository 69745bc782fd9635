"""What there is to say about the agreement of annotators."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.core.messages import about, note, say, warn
from metameasure.core.notes import counted, first_of, grouped, listed
from metameasure.evidence.ratings import Ratings
from metameasure.judging.agreement import AnnotatorLine, Coefficient

_MUCH_HIGHER = 0.1
_CHANCE = 0.0
_MOST_SENTENCES = 3
_FEW_ITEMS = 10


def said_of_agreement(
    ratings: Ratings,
    measures: Sequence[Measure],
    coefficients: Sequence[Coefficient],
    lines: Sequence[AnnotatorLine],
    by: Measure,
) -> tuple[str, ...]:
    """What there is to say about it, most important first."""
    undefined = grouped((line.why, line.annotator) for line in lines if line.why)
    return (
        *_said_of_chance([line for line in lines if agrees_by_chance(line)], coefficients[0], by),
        *(warn("undefined", "{annotators}: {why}", annotators=first_of(names, 3), why=why) for why, names in undefined.items()),
        *_why_higher(ratings, coefficients),
        *(about(said, measure=measure.id) for measure in measures if (said := measure.said_of_ranks(ratings.scale))),
        *_said_of_gaps(ratings, measures),
        *(said for one in coefficients for said in _said_of(one)),
        *_said_of_rare(ratings, coefficients),
    )


def _said_of_rare(ratings: Ratings, coefficients: Sequence[Coefficient]) -> Iterator[str]:
    """That intervals of alpha are somewhat too short where all but a handful of items have one class (docs/validity.md)."""
    given = ratings.counts > 0
    usual = int(ratings.counts.sum(axis=0).argmax())
    otherwise = int(np.delete(given, usual, axis=1).any(axis=1).sum())
    alphas = [one.id for one in coefficients if one.id.startswith("alpha_") and not math.isnan(one.low)]
    if 0 < otherwise < _FEW_ITEMS and alphas:
        yield warn(
            "limit",
            "fewer than {few} items were rated anything but {usual}: the interval of {measures} may hold the truth in 85 to 90% "
            "of such data only",
            few=_FEW_ITEMS,
            usual=ratings.scale.labels[usual],
            measures=listed(alphas, "and"),
        )


def _said_of_chance(by_chance: Sequence[AnnotatorLine], first: Coefficient, by: Measure) -> Iterator[str]:
    """Who is not shown to agree with the others better than chance, and what the first coefficient would be without them."""
    if len(by_chance) > _MOST_SENTENCES:
        yield warn(
            "no better than chance",
            "{number} are not shown to agree with the others better than chance would: {annotators} (all: "
            "{--annotators-out FILE})",
            number=counted(len(by_chance), "annotator"),
            annotators=listed([line.annotator for line in by_chance], "and", 5),
        )
        return
    for line in by_chance:
        without = "; without that annotator {first} would be {without:.3f} instead of {with_all:.3f}"
        ends = "{measure} {value:.3f}, from {low:.3f} to {high:.3f}"
        yield warn(
            "no better than chance",
            "{annotator} is not shown to agree with the others better than chance would ({ends}){change}",
            annotator=line.annotator,
            ends=say(ends, measure=by.id, value=line.value, low=line.low, high=line.high),
            change="" if math.isnan(line.without) else say(without, first=first.id, without=line.without, with_all=first.value),
        )


def _said_of_gaps(ratings: Ratings, measures: Sequence[Measure]) -> Iterator[str]:
    """What missing ratings mean: coefficients of complete items only, and items with a single rating."""
    complete = int((ratings.counts.sum(axis=1) == len(ratings.annotators)).sum())
    of_complete = any(measure.base[:4] in ("icc2", "icc3") or measure.base == "kendall_w" for measure in measures)
    if of_complete and complete < ratings.size:
        yield warn(
            "complete items only",
            "{measures} are over the {complete} of {size} items that all annotators rated"
            if complete
            else "{measures} have no value: no item was rated by all annotators",
            measures=listed(["icc2", "icc3", "kendall_w"], "and"),
            complete=complete,
            size=ratings.size,
        )
    single = int((ratings.counts.sum(axis=1) == 1).sum())
    if single:
        yield note(
            "ratings",
            "{single} of {size} items {part} one rating, with which nobody can agree",
            single=single,
            size=ratings.size,
            part="have" if single > 1 else "has",
        )


def _said_of(one: Coefficient) -> Iterator[str]:
    """Why a coefficient has no value, or no interval, or one of fewer samples."""
    if one.why:
        yield about(one.why, measure=one.id)
    elif math.isnan(one.low):
        why = "{measure} has no interval, because leaving out any one item changes nothing"
        yield note("no interval", why, measure=one.id)
    if one.undefined_draws:
        yield warn(
            "undefined draws",
            "{measure} had no value in {undefined_draws} of the samples, which are left out of its interval",
            measure=one.id,
            undefined_draws=one.undefined_draws,
        )


def _why_higher(ratings: Ratings, coefficients: Sequence[Coefficient]) -> list[str]:
    """Why Gwet's coefficient is higher than alpha, where it is by much."""
    alpha = next((one for one in coefficients if one.id.startswith("alpha_")), None)
    gwet = next((one for one in coefficients if one.id.startswith(("ac1", "ac2"))), None)
    if alpha is None or gwet is None or not gwet.value > alpha.value + _MUCH_HIGHER:
        return []
    shares = ratings.counts.sum(axis=0) / ratings.counts.sum()
    most = np.argsort(-shares, kind="stable")[: 1 if shares.max() > 0.5 else 2]
    near = "the same" if gwet.id == "ac1" else "the same or near"
    classes = listed([ratings.scale.labels[place] for place in sorted(most)], "or")
    cause = note("ratings", "{share:.0%} of the ratings are {classes}", share=float(shares[most].sum()), classes=classes)
    asks = "{measure} asks how often two ratings of an item are " + near + ", {other} whether they tell items apart"
    return [
        note(
            "coefficients differ",
            "{measure} is higher than {other} ({value:.3f}, {other_value:.3f}) because {cause}: " + asks,
            measure=gwet.id,
            other=alpha.id,
            value=gwet.value,
            other_value=alpha.value,
            cause=cause,
        )
    ]


def agrees_by_chance(line: AnnotatorLine) -> bool:
    """Whether an annotator is not shown to agree with the others better than chance would."""
    return not line.why and not line.low > _CHANCE
