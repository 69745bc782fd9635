"""Deliberately bad measures, one for each fault of docs/trial.md, and cem_ord under other names, which has none."""

import numpy as np

from metameasure.catalogue.classification.cem import cem_ord
from metameasure.plugin import measure

CAUGHT = {
    "blind": "blind to order",
    "unstable": "unstable",
    "indiscriminate": "indiscriminate",
    "gameable": "gameable by a constant",
    "biased": "biased by class sizes",
    "undefined": "undefined on few items",
}
"""The fault of each, in the words of the verdict."""
FACTS = {"title": "One fault", "better": "higher", "range": (-9, 9), "formula": "x", "source": "Nobody (2026)"}


def sums(counts):
    counts = np.asarray(counts, float)
    return counts, counts.sum((-2, -1))[..., None]


@measure(id="renamed", **FACTS)
def renamed(counts):
    return cem_ord.function(counts)


@measure(id="squared", **FACTS)
def squared(counts):
    return cem_ord.function(counts) ** 2


@measure(id="blind", **FACTS)
def blind(counts):
    counts, total = sums(counts)
    return np.trace(counts, axis1=-2, axis2=-1) / total[..., 0]


@measure(id="unstable", **FACTS)
def unstable(counts):
    counts, _ = sums(counts)
    weights = np.arange(1.0, counts.shape[-1] ** 2 + 1).reshape(counts.shape[-2:])
    return cem_ord.function(counts) + 0.6 * np.modf(np.sin((counts * weights).sum((-2, -1))) * 9973)[0]


@measure(id="indiscriminate", **FACTS)
def indiscriminate(counts):
    return np.round(3 * cem_ord.function(counts)) / 3


@measure(id="gameable", **FACTS)
def gameable(counts):
    counts, total = sums(counts)
    return cem_ord.function(counts) + (counts.sum(-2) / total).max(-1)


@measure(id="biased", **FACTS)
def biased(counts):
    counts, total = sums(counts)
    return cem_ord.function(counts) - 2 * (counts.sum(-1) / total).max(-1)


@measure(id="undefined", **FACTS)
def undefined(counts):
    counts, _ = sums(counts)
    return np.where((counts.sum(-1) == 0).any(-1), np.nan, cem_ord.function(counts))
