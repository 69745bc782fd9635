"""Hamming loss: the share of all decisions about labels that are wrong."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.multilabel.sets import LABELS, SETS
from metameasure.catalogue.sources import SCHAPIRE_2000, TSOUMAKAS_2010


@measure(
    id="hamming_loss",
    title="Hamming loss",
    symbol="HL",
    like={"sklearn": "hamming_loss()"},
    inputs=SETS,
    evidence=LABELS,
    better="lower",
    scale="nominal",
    range=(0, 1),
    perfect=0,
    chance="linear",
    formula="(1/(n L)) Σ_k (p_k + g_k - 2 h_k)",
    source=(SCHAPIRE_2000.at("Section 2"), TSOUMAKAS_2010.at("Section 4.1")),
    headline={"multilabel": 4},
    use="To compare with work that used it. Where items have few of many labels, giving none at all is almost right: read it "
    "beside f1_micro or f1_samples, and beside what giving no label scores, a baseline.",
    note="It depends on which labels are declared: labels that nobody has or gives make it smaller.",
)
def hamming_loss(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return namespace(hits).mean((predicted + gold - 2 * hits) / items, axis=-1)
