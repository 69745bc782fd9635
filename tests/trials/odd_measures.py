"""Measures that are wrong in ways that no formula should be: what a trial says of each is in test_trial.py."""

import numpy as np

from metameasure.catalogue.agreement.percent_agreement import percent_agreement
from metameasure.catalogue.agreement.ratings import PAIRS, RATINGS
from metameasure.catalogue.classification.cem import cem_ord
from metameasure.plugin import measure

FACTS = {"title": "Odd", "formula": "x", "source": "Nobody (2026)"}
HIGHER = {**FACTS, "better": "higher", "range": (-9, 9)}


@measure(id="nowhere", **HIGHER)
def nowhere(counts):
    return np.full(np.shape(counts)[0], np.nan)


@measure(id="same", **HIGHER)
def same(counts):
    return np.full(np.shape(counts)[0], 0.5)


@measure(id="turned", **{**HIGHER, "better": "lower"})
def turned(counts):
    return cem_ord.function(counts)


@measure(id="narrow", **{**HIGHER, "range": (0, 0.5)})
def narrow(counts):
    return cem_ord.function(counts)


@measure(id="broken", **HIGHER)
def broken(counts):
    if np.shape(counts)[-1] == 5:
        message = "five is too many"
        raise ValueError(message)
    return cem_ord.function(counts)


@measure(id="says_ordinal", scale="ordinal", inputs=RATINGS, evidence=PAIRS, **HIGHER)
def says_ordinal(paired, *, values):
    return percent_agreement.function(paired, weights="identity", values=values)
