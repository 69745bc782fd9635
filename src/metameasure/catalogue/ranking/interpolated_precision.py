"""The best precision that a list has once it has found a share of what is relevant."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.ranking.judged import DOCUMENTS, JUDGED, NOTHING_RELEVANT, Documents, Recall
from metameasure.catalogue.ranking.ranks import before_and_within
from metameasure.catalogue.sources import BUCKLEY_2000, VAN_RIJSBERGEN_1979

_STEPS = ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
_TO_ROUND_UP = {"up": 1 - 1e-9, "trec_eval": 0.9}
"""What is added to a number of documents before its fraction is dropped."""


@measure(
    id="iprec@r",
    title="Interpolated precision at recall r",
    symbol="IPrec@{}",
    inputs=JUDGED,
    evidence=DOCUMENTS,
    better="higher",
    scale="ordinal",
    ties="answer",
    headline={f"trec_eval@{recall}": 10 + place for place, recall in enumerate(_STEPS)},
    parameter=Recall(),
    spellings={"iprec_at_recall_X": "X"},
    undefined=(NOTHING_RELEVANT,),
    formula="IPrec@r = max over the places i with Σ_{j ≤ i} g_j ≥ r R of (1/i) Σ_{j ≤ i} g_j, 0 where there is none;\n"
    "with rounding=trec_eval: ≥ ⌊r R + 0.9⌋",
    source=(VAN_RIJSBERGEN_1979, BUCKLEY_2000),
    use="The curve of precision over recall, at 0, 0.1, ..., 1: how much of what is shown is relevant to somebody who wants this "
    "share of all there is.",
    note="trec_eval loses a document where r R + 0.9 is a whole number less what is lost in double precision: 2 of 3 relevant "
    "documents are a recall of 0.7 there. Its rounding is used where files are read as it reads them. Tied documents come "
    "together, so that nobody stops within a tie; trec_eval orders them by name.",
)
def iprec(*documents: Array, r: float, rel: float, rounding: str) -> Array:
    found = Documents.of(*documents, rel=rel)
    xp = namespace(found.first)
    earlier, tied = before_and_within(found.hits, found.first, found.last)
    wanted = xp.floor(r * found.all_relevant + _TO_ROUND_UP[rounding])[:, None]
    precision = (earlier + tied) / found.last
    enough = (found.retrieved > 0) & (earlier + tied >= wanted)
    return xp.where(found.all_relevant > 0, xp.max(xp.where(enough, precision, 0.0), axis=-1), xp.nan)
