"""Rank-biased precision, and how much of it nobody knows."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, summed
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import HOW_COMPLETE
from metameasure.catalogue.ranking.judged import DOCUMENTS, JUDGED, JUDGED_OR_EMPTY, Documents, Persistence
from metameasure.catalogue.sources import MOFFAT_2008

_measure = partial(measure, inputs=JUDGED, evidence=DOCUMENTS, parameter=Persistence(), scale="ordinal", range=(0, 1))


def _seen(found: Documents, p: float) -> Array:
    """(1 - p) p^(i-1), the mean over the places i of each document's ties."""
    size = found.last - found.first + 1
    return p ** (found.first - 1) * (1 - p**size) / size


@_measure(
    id="rbp@p=NUMBER",
    better="higher",
    title="Rank-biased precision: what a reader gains who goes on to the next document with chance p",
    symbol="RBP({})",
    perfect=None,
    companions={"ranking": "rbp_residual@p=NUMBER"},
    spellings={"rbp(p=X)": "p=X"},
    formula="RBP = (1-p) Σ_i g_i p^(i-1)",
    source=(MOFFAT_2008,),
    use="A model of a reader that is the same for all topics and needs no number of relevant documents: what it does not know, "
    "rbp_residual says. p = .8 is usual in ir_measures and .9 in trec_eval, so it has to be said.",
    note="Predicted ties take the expectation over all ways to break them.",
)
def rbp(*documents: Array, p: float, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    return summed(found.hits * _seen(found, p), -1)


@_measure(
    id="rbp_residual@p=NUMBER",
    asks=HOW_COMPLETE,
    inputs=JUDGED_OR_EMPTY,
    better=None,
    title="How much rank-biased precision could rise if all that nobody judged were relevant",
    symbol="RBP residual({})",
    formula="p^n + (1-p) Σ_{i: unjudged} p^(i-1)",
    source=(MOFFAT_2008,),
    use="Beside rbp: its value lies between RBP and RBP plus this, whatever the missing judgements would say.",
    note="trec_eval 10.0-rc3 gives 0 where all was judged; what lies behind the last document is unknown all the same.",
)
def rbp_residual(*documents: Array, p: float, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    xp = namespace(found.first)
    unjudged = xp.astype(found.grade < 0, found.grade.dtype) * found.retrieved
    return p ** summed(found.retrieved, -1) + summed(unjudged * _seen(found, p), -1)
