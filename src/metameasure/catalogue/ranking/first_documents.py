"""What is among the first documents of a list: precision, recall and success at a cut-off, R-precision."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio, summed
from metameasure.catalogue.measure import measure
from metameasure.catalogue.ranking.judged import DOCUMENTS, JUDGED, NOTHING_RELEVANT, Documents, cut_off, from_grade
from metameasure.catalogue.ranking.lists import most_in
from metameasure.catalogue.sources import BUCKLEY_2000, MCSHERRY_2008, VAN_RIJSBERGEN_1979

_measure = partial(measure, inputs=JUDGED, evidence=DOCUMENTS, better="higher", scale="ordinal")
_TIES = "Predicted ties take the expectation over all ways to break them; trec_eval orders tied documents by name."


@_measure(
    id="precision@k",
    title="Precision of the first k documents",
    symbol="P@{}",
    headline={f"trec_eval@{k}": k + 100 for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
    parameter=cut_off(),
    perfect=None,
    spellings={"p@K": "K", "p_K": "K"},
    formula="P@k = (1/k) Σ_{i ≤ k} g_i, also where fewer than k documents were retrieved",
    source=(VAN_RIJSBERGEN_1979, MCSHERRY_2008),
    use="Where a reader looks at k documents and no more. With fewer than k relevant documents even the best list stays below 1, "
    "so that topics with many count most.",
    note=_TIES,
)
def precision(*documents: Array, k: int, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    return summed(found.hits * found.within(k), -1) / k


@_measure(
    id="recall@k",
    title="Recall of the first k documents",
    symbol="R@{}",
    parameter=cut_off(),
    perfect=None,
    spellings={"r@K": "K", "recall_K": "K"},
    undefined=(NOTHING_RELEVANT,),
    formula="R@k = (1/R) Σ_{i ≤ k} g_i",
    source=(VAN_RIJSBERGEN_1979, MCSHERRY_2008),
    use="For a first stage whose k documents a better system looks at again: how much of what there is it passes on.",
    note=_TIES,
)
def recall(*documents: Array, k: int, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    return ratio(summed(found.hits * found.within(k), -1), found.all_relevant)


@_measure(
    id="success@k",
    title="Success: whether one of the first k documents is relevant",
    symbol="Success@{}",
    parameter=cut_off(),
    perfect=None,
    aliases=(),
    spellings={"success_K": "K", "hit_rate@K": "K"},
    formula="Success@k = 1 if Σ_{i ≤ k} g_i > 0, else 0;\n"
    "in a tie of t documents with b relevant ones, m of whose places are up to k: 1 - C(t-b, m) / C(t, m)",
    source=(MCSHERRY_2008,),
    use="Where one relevant document is enough: known-item search, question answering.",
    note=_TIES,
)
def success(*documents: Array, k: int, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    xp = namespace(found.first)
    certain = xp.any((found.hits > 0) & (found.last <= k), axis=-1)
    across = found.hits * xp.astype((found.first <= k) & (found.last > k), found.hits.dtype)
    good = summed(across, -1)
    size = xp.max(across * (found.last - found.first + 1), axis=-1)
    shown = xp.where(good > 0, k - (xp.max(across * found.first, axis=-1) - 1), 0.0)
    missed = xp.ones_like(size)
    for place in range(most_in(good, found.first.shape[-1])):  # C(t-b, m) / C(t, m), one relevant document after the other
        left = xp.where(size > place, size - place, 1.0)
        outside = xp.where(size - shown > place, size - shown - place, 0.0)
        missed = missed * xp.where(place < good, outside / left, 1.0)
    return xp.where(certain, 1.0, 1 - missed)


@_measure(
    id="r_precision",
    title="R-precision: the precision of as many documents as are relevant",
    symbol="RPrec{}",
    headline={"trec_eval": 4},
    parameter=from_grade(),
    aliases=("rprec", "r-prec", "r_prec"),
    undefined=(NOTHING_RELEVANT,),
    formula="RPrec = (1/R) Σ_{i ≤ R} g_i",
    source=(BUCKLEY_2000, MCSHERRY_2008),
    use="Where topics differ in how much is relevant: the cut-off is at the place where precision and recall are equal, and "
    "every topic can reach 1.",
    note=_TIES,
)
def r_precision(*documents: Array, rel: float) -> Array:
    found = Documents.of(*documents, rel=rel)
    return ratio(summed(found.hits * found.within(found.all_relevant[:, None]), -1), found.all_relevant)
