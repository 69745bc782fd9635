"""How many topics and documents there are: retrieved, relevant, and both. Of several topics they are added up."""

from __future__ import annotations

import math
from functools import partial

from metameasure.catalogue.arrays import Array, namespace, summed
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import HOW_COMPLETE
from metameasure.catalogue.ranking.judged import DOCUMENTS, JUDGED_OR_EMPTY, Documents, from_grade
from metameasure.catalogue.sources import BUCKLEY_2000

_measure = partial(
    measure,
    asks=HOW_COMPLETE,
    inputs=JUDGED_OR_EMPTY,
    evidence=DOCUMENTS,
    better=None,
    range=(0, math.inf),
    scale="ordinal",
    parameter=from_grade(),
    added_up=True,
    source=(BUCKLEY_2000,),
)


@_measure(
    id="num_q",
    title="The number of topics",
    symbol="NumQ{}",
    aliases=("numq",),
    headline={"trec_eval": 1999},
    formula="NumQ = Σ_topics 1",
    use="Beside means over topics: how many they are over.",
    note="As trec_eval and ir_measures count, the topics that the run answers; all of gold's where files are not read as "
    "trec_eval reads them.",
)
def num_q(*documents: Array, rel: float) -> Array:
    retrieved = Documents.of(*documents, rel=rel).retrieved
    return namespace(retrieved).ones_like(retrieved[:, 0])


@_measure(
    id="num_ret",
    title="The number of documents retrieved, of all topics together",
    symbol="NumRet{}",
    aliases=("numret",),
    headline={"trec_eval": 2000},
    formula="NumRet = Σ_topics n",
    use="Beside the scores of a run: how much it answers at all.",
)
def num_ret(*documents: Array, rel: float) -> Array:
    return summed(Documents.of(*documents, rel=rel).retrieved, -1)


@_measure(
    id="num_rel",
    title="The number of relevant documents, of all topics together",
    symbol="NumRel{}",
    aliases=("numrel",),
    headline={"trec_eval": 2001},
    formula="NumRel = Σ_topics R",
    use="What there is to be found.",
    note="As trec_eval and ir_measures count, of the topics that the run answers; of all of gold's where files are not read as "
    "trec_eval reads them.",
)
def num_rel(*documents: Array, rel: float) -> Array:
    return Documents.of(*documents, rel=rel).all_relevant


@_measure(
    id="num_rel_ret",
    title="The number of relevant documents retrieved, of all topics together",
    symbol="NumRelRet{}",
    aliases=("numrelret",),
    headline={"trec_eval": 2002},
    formula="NumRelRet = Σ_topics Σ_i g_i",
    use="What was found, wherever in the lists.",
)
def num_rel_ret(*documents: Array, rel: float) -> Array:
    return summed(Documents.of(*documents, rel=rel).hits, -1)
