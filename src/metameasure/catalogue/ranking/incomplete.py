"""Measures that know that not everything was judged: bpref, inferred AP, judged@k."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio, summed
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import HOW_COMPLETE
from metameasure.catalogue.ranking.judged import DOCUMENTS, JUDGED, NOTHING_RELEVANT, Documents, cut_off, from_grade
from metameasure.catalogue.ranking.ranks import before_and_within
from metameasure.catalogue.sources import BUCKLEY_2004, YILMAZ_2006

_measure = partial(measure, inputs=JUDGED, evidence=DOCUMENTS, scale="ordinal")
_EPSILON = 1e-5  # trec_eval's, which keeps an empty list of judged documents from dividing by 0


@_measure(
    id="bpref",
    better="higher",
    title="Binary preference: how many judged irrelevant documents stand before the relevant ones",
    symbol="bpref{}",
    headline={"trec_eval": 5},
    parameter=from_grade(),
    undefined=(NOTHING_RELEVANT,),
    formula="bpref = (1/R) Σ_{relevant, retrieved} (1 - min(b, R) / min(N, R)),   b the judged irrelevant documents before it; "
    "1 where there are none",
    source=(BUCKLEY_2004,),
    use="Where judgements are incomplete: documents that nobody judged are skipped, not counted as irrelevant.",
    note="A grade of -1 is of a document that was pooled but not judged. In a tie, the number of irrelevant documents before a "
    "relevant one is as likely to be any number from 0 to all of them.",
)
def bpref(*documents: Array, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    xp = namespace(found.first)
    most = found.all_relevant[:, None]
    earlier, tied = before_and_within(found.irrelevant * found.retrieved, found.first, found.last)
    room = xp.clip(most - earlier, 0.0 * tied, tied)  # how many of the tied may be counted before there are R
    counted = xp.where(earlier >= most, most * (tied + 1), earlier * (room + 1) + room * (room + 1) / 2 + (tied - room) * most)
    fewest = xp.minimum(summed(found.irrelevant, -1), found.all_relevant)[:, None]
    share = 1 - ratio(counted / (tied + 1), fewest)
    share = xp.where(earlier + tied == 0, 1.0, share)
    return ratio(summed(xp.where(found.hits > 0, share, 0.0), -1), found.all_relevant)


def _has_ties(_: Array, first: Array, last: Array, retrieved: Array) -> Array:
    return namespace(first).any((first < last) & (retrieved > 0), axis=-1)


@_measure(
    id="infap",
    better="higher",
    title="Inferred average precision",
    symbol="infAP{}",
    parameter=from_grade(),
    perfect=None,
    ties="answer",
    undefined=(NOTHING_RELEVANT, Undefined("the run ties documents, and this is no mean over orders", _has_ties)),
    formula="infAP = (1/R) Σ_{relevant at place j+1} 1/(j+1) + (r+s+u)/(j+1) · (r+ε)/(r+s+2ε),   1 where j = 0; before it stand "
    "r relevant, s irrelevant and u pooled but unjudged documents; ε = 1e-5",
    source=(YILMAZ_2006,),
    use="Read as trec_eval does, to compare with its infAP: an estimate of average precision where the judged documents are a "
    "random part of the pool (the others are -1 in the qrels).",
)
def infap(grade: Array, first: Array, last: Array, retrieved: Array, *, rel: float) -> Array:
    found = Documents.of(grade, first, last, retrieved, rel=rel)
    xp = namespace(first)
    pooled = xp.astype(grade == -1, grade.dtype)
    r, s, u = (before_and_within(part * retrieved, first, last)[0] for part in (found.relevant, found.irrelevant, pooled))
    expected = 1 / first + (r + s + u) / first * (r + _EPSILON) / (r + s + 2 * _EPSILON)
    gained = xp.where(first == 1, 1.0, expected)
    value = ratio(summed(xp.where(found.hits > 0, gained, 0.0), -1), found.all_relevant)
    return xp.where(_has_ties(grade, first, last, retrieved), xp.nan, value)


@_measure(
    id="judged@k",
    asks=HOW_COMPLETE,
    better=None,
    range=(0, 1),
    title="The share of the first k documents that are in the judgements",
    symbol="Judged@{}",
    parameter=cut_off(),
    formula="Judged@k = (1/min(k, n)) × the documents of the first k that are in the qrels, with a grade of -1 too",
    source=(BUCKLEY_2004,),
    use="How far to trust the other measures: what nobody judged counts as irrelevant in most of them.",
    note="trec_eval's unj_k is not 1 - Judged@k: it divides by k, and a document with grade -1 is unjudged there.",
)
def judged(*documents: Array, k: int, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    xp = namespace(found.first)
    in_pool = xp.astype(found.grade >= -1, found.grade.dtype) * found.retrieved
    retrieved = summed(found.retrieved, -1)
    return ratio(summed(in_pool * found.within(k), -1), xp.minimum(retrieved, xp.full_like(retrieved, float(k))))
