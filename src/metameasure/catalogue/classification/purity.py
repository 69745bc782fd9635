"""Purity and inverse purity: the output read as a clustering."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.tables import total, transposed
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import TOGETHER
from metameasure.catalogue.sources import AMIGO_2009, AMIGO_2020


@measure(
    id="purity",
    asks=TOGETHER,
    title="Purity",
    symbol="Purity",
    better="higher",
    formula="Purity = Σ_p max_g c_gp / N",
    source=(AMIGO_2009, AMIGO_2020.at("Section 4.2")),
    use="When it matters which items go together, not what they are called. Read it beside inverse_purity: alone it is never "
    "below the share of the largest gold class.",
)
def purity(counts: Array) -> Array:
    xp = namespace(counts)
    return ratio(xp.sum(xp.max(counts, axis=-2), axis=-1), total(counts))


@measure(
    id="inverse_purity",
    asks=TOGETHER,
    title="Inverse purity",
    symbol="Inverse purity",
    better="higher",
    formula="Inverse purity = Σ_g max_p c_gp / N",
    source=(AMIGO_2009, AMIGO_2020.at("Section 4.2")),
    use="The other half of purity. Alone, a run that always gives one class scores 1.",
)
def inverse_purity(counts: Array) -> Array:
    return purity.function(transposed(counts))
