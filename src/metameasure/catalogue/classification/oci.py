"""The Ordinal Classification Index: the best path through the table that a consistent output could have taken."""

from __future__ import annotations

from functools import reduce

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.classification.tables import rank_distances, total, weighted_sum
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Settings
from metameasure.catalogue.questions import CLOSEST
from metameasure.catalogue.sources import AMIGO_2020, CARDOSO_2011


def _cheapest_path(cost: Array) -> Array:
    """The least sum of costs from the first cell to the last, stepping right, down or both."""
    xp = namespace(cost)
    classes = cost.shape[-1]
    above: list[Array] = []
    for row in range(classes):
        here: list[Array] = []
        for column in range(classes):
            before = [*here[-1:], *above[max(0, column - 1) : column + 1]]
            cell = cost[..., row, column]
            here.append(cell + reduce(xp.minimum, before) if before else cell)
        above = here
    return above[-1]


@measure(
    id="oci",
    asks=CLOSEST,
    title="Ordinal Classification Index",
    symbol="OC",
    better="lower",
    range=(0, 1),
    scale="interval",
    proportional=False,  # for γ = 1 it is
    parameter=Settings(beta=0.75, gamma=1.0, positive=("gamma",)),
    formula="OC = min over paths from (1,1) to (C,C), steps right, down or both, of\n"
    "     1 - Σ_path c / (N + (Σ_all c |g-p|^γ)^(1/γ)) + b Σ_path c |g-p|^γ,   b = β / (N (C-1)),   β = 0.75, γ = 1",
    source=(CARDOSO_2011, AMIGO_2020.at("Section 4.2")),
    use="Ordinal classes, when both the size of errors and the consistency of their direction matter. Its "
    "parameters are yours to "
    "set (oci@beta=0.5:gamma=2); say which you used. Distance is counted in steps along the scale.",
    note="With γ other than 1 the value depends on the number of items, not only on proportions.",
)
def oci(counts: Array, *, beta: float, gamma: float) -> Array:
    steps = max(1, counts.shape[-1] - 1)
    far = rank_distances(counts) ** gamma
    n = total(counts)
    size = (n + weighted_sum(counts, far) ** (1 / gamma))[..., None, None]
    penalty = (beta / (n * steps))[..., None, None]
    return 1 + _cheapest_path(counts * far * penalty - counts / size)
