"""Average precision whose mean over topics is geometric: the topics that a system fails on count most."""

from __future__ import annotations

import math

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.entailment.average_precision import average_precision
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.sources import ROBERTSON_2006

_LEAST = 1e-5
"""What an average precision of 0 counts as, in trec_eval."""


@measure(
    id="gm_map",
    asks=RELEVANT_FIRST,
    title="Average precision, the geometric mean over topics",
    symbol="GMAP",
    tasks=("ranking",),
    inputs=average_precision.inputs,
    evidence=average_precision.evidence,
    better="higher",
    range=(math.log(_LEAST), 0),
    perfect=0.0,
    scale="nominal",
    ties="answer",
    aliases=("gmap",),
    headline={"trec_eval": 3},
    of_logs=True,
    undefined=average_precision.undefined,
    formula="GMAP = exp((1/topics) Σ_topics ln max(AP, 0.00001))",
    source=(ROBERTSON_2006,),
    use="To see whether a system has become better on the topics that it fails on: there twice as much counts as twice as much "
    "anywhere else.",
    note="The value of a topic is ln max(AP, 0.00001), as in trec_eval: comparisons and what is written of single topics are on "
    "that scale, and a difference of ln 2 = .69 is a factor of 2. Tied predictions have the logarithm of their expected AP.",
)
def gm_map(ends: Array, total: Array) -> Array:
    precision = average_precision.function(ends, total, k=None)
    return namespace(ends).log(namespace(ends).clip(precision, _LEAST, 1.0))
