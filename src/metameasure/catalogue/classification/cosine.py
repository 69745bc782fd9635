"""The cosine of gold and predicted class values."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.correlation import product_sum
from metameasure.catalogue.classification.tables import gold, predicted
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import SAME_ORDER
from metameasure.catalogue.sources import AMIGO_2020, GHOSH_2015


def _length(marginal: Array, values: Array) -> Array:
    """sqrt(Σ_k v_k² n_k), of the values of n_k items in each class."""
    xp = namespace(marginal)
    return xp.sqrt(xp.sum(values**2 * marginal, axis=-1))


@measure(
    id="cosine",
    asks=SAME_ORDER,
    title="Cosine similarity",
    symbol="cos",
    better="higher",
    range=(-1, 1),
    scale="interval",
    formula="cos = Σ_gp v_g v_p c_gp / sqrt(Σ_g v_g² G_g · Σ_p v_p² P_p)",
    source=(GHOSH_2015, AMIGO_2020.at("Section 4.2")),
    undefined=(
        Undefined("every gold value is 0", lambda counts, *, values: _length(gold(counts), values) == 0, of_gold=True),
        Undefined("every predicted value is 0", lambda counts, *, values: _length(predicted(counts), values) == 0),
    ),
    use="Only to compare with work that used it (SemEval-2015 Task 11). It depends on where the scale puts "
    "its zero: class values "
    "are 1..C unless you give others, and a run may move away from gold and gain.",
)
def cosine(counts: Array, *, values: Array) -> Array:
    return ratio(product_sum(counts, values, values), _length(gold(counts), values) * _length(predicted(counts), values))
