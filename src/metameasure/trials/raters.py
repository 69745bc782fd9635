"""Simulated raters: groups that err in one way, some more and some less, and coefficients of agreement of what they say."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.agreement.ratings import coincidences
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.scale import Scale
from metameasure.evidence.ratings import one_hot
from metameasure.scores.scores import Scores
from metameasure.simulation.classification import MODEL, GoldLabels
from metameasure.simulation.model import Draw, Shape, numbered
from metameasure.statistics.streams import stream

Labels = npt.NDArray[np.int64]
GUESS = "guess"
"""The group that knows nothing."""
SCALE = Scale.of("1..5")
GAP = -1
"""No rating."""


@dataclass(frozen=True)
class RaterKind:
    """A way in which raters err: the kind of system that each of them is, or only every second."""

    about: str
    system: str
    every: int = 1


KINDS: Mapping[str, RaterKind] = {
    "rand": RaterKind("raters who give some items any class at random", "rand"),
    "noisy": RaterKind("raters who are one class off on some items", "noisy"),
    "maj": RaterKind("raters who fall back on the most frequent class on some items", "maj"),
    "lean": RaterKind("raters of whom every second is one class up on some items", "tdisp", every=2),
}
ESTABLISHED: Mapping[str, tuple[str, ...]] = {
    "nominal": ("alpha_nominal", "fleiss", "conger", "ac1", "brennan_prediger", "percent_agreement"),
    "ordered": ("alpha_ordinal", "fleiss@linear", "conger@linear", "ac2", "brennan_prediger@linear", "percent_agreement@linear"),
}
"""The coefficients that stand beside one on trial, by whether it uses the order of the classes."""


def established(measure: Measure) -> tuple[str, ...]:
    """The coefficients that stand beside this one."""
    return ESTABLISHED["nominal" if measure.scale == "nominal" else "ordered"]


def check(measure: Measure) -> None:
    """UsageError for a measure of ratings that is no coefficient of agreement."""
    if measure.reads not in (Reads.COUNTS, Reads.RATINGS, Reads.PERSONS):
        raise UsageError(
            say("{measure} is no coefficient of agreement: it scores predictions of single annotators", measure=measure.id),
            hint="there is no trial of such measures",
        )


def shape_of(items: int, shares: tuple[float, ...], topics: int) -> Shape:
    """What raters rate."""
    return Shape(name="raters", about="", task="classification", scale=SCALE, topics=topics, items=items, shares=shares)


def scored(
    measures: Sequence[Measure], kinds: Mapping[str, tuple[float, ...]], world: Mapping[str, Any], *, topics: int, seed: int
) -> Scores:
    """The coefficients of every group of raters: a topic is one sample of items, a run a group."""
    shape = shape_of(world["items"], world["shares"], topics)
    scale = SCALE
    gold = MODEL.gold(shape, stream(seed, 0))
    groups = {f"{kind}-{amount:g}": (kind, amount) for kind, amounts in kinds.items() for amount in amounts} | {
        GUESS: (GUESS, 0.0)
    }
    values = np.stack(
        [
            values_of(
                measures, _with_gaps(said_by(shape, gold, world["raters"], group, seed), world.get("gaps", 0.0), seed), scale
            )
            for group in groups.items()
        ],
        axis=-1,
    )
    return Scores(task="agreement", scale=scale, measures=tuple(measures), topics=tuple(numbered("t", topics).tolist()),
                  runs=tuple(groups), values=values)  # fmt: skip


def said_by(shape: Shape, gold: GoldLabels, raters: int, group: tuple[str, tuple[str, float]], seed: int) -> Labels:
    """(raters, topics, items): what each rater of a group says, each with random numbers of their own."""
    name, (kind, amount) = group
    said = []
    for rater in range(raters):
        rng = stream(seed, 1, zlib.crc32(f"{name}/{rater}".encode()))
        if kind == GUESS:
            said.append(rng.permuted(gold.labels.ravel()).reshape(gold.labels.shape))
            continue
        how = KINDS[kind]
        errs = amount if rater % how.every == how.every - 1 else 0.0
        said.append(MODEL.kinds[how.system].draw(Draw(shape, gold, errs, None, rng)))
    return np.array(said)


def _with_gaps(said: Labels, share: float, seed: int) -> Labels:
    """So many ratings left out, of each item all but two at most: the same whoever the raters are."""
    if not share:
        return said
    rank = stream(seed, 2).random(said.shape).argsort(axis=0).argsort(axis=0)
    return np.where((rank < 2) | (stream(seed, 3).random(said.shape) >= share), said, GAP)


def values_of(measures: Sequence[Measure], said: Labels, scale: Scale) -> npt.NDArray[np.float64]:
    """(measures, topics) of what raters said."""
    persons = one_hot(np.moveaxis(said, 0, -1), len(scale)).astype(float)
    counts = persons.sum(axis=-2)
    read: dict[Reads, Any] = {Reads.COUNTS: coincidences(counts) / 2, Reads.RATINGS: counts, Reads.PERSONS: persons}
    return np.array([np.asarray(one(read[one.reads], classes=scale), dtype=np.float64) for one in measures])
