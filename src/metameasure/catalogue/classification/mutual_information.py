"""What the output tells about gold, in bits: entropy, conditional entropy, mutual information."""

from __future__ import annotations

import math
from typing import Any

from metameasure.catalogue.arrays import Array, bits_of_share, log2_or_zero, namespace, select
from metameasure.catalogue.classification.tables import gold, occupied, predicted, total
from metameasure.catalogue.facts import LOG2_CLASSES, Bound, Excess, Recommendation, Undefined
from metameasure.catalogue.measure import NormalInterval, Range, measure
from metameasure.catalogue.parameters import Labels, Weighting
from metameasure.catalogue.questions import INFORMATION
from metameasure.catalogue.sources import AMIGO_2020, BERGMAIR_2009, MILLER_1955

_WHY = "gives bias and guessing nothing; the correction takes off what chance adds on few items"


_SMALL = 0.05
_ARTANH = (1 / 11, 1 / 9, 1 / 7, 1 / 5, 1 / 3)
"""Of artanh(z) = z + z³/3 + z⁵/5 + ..., from the last to the first behind z: for z < 1/39, all that matters."""


def entropy(sizes: Array, items: Array) -> Array:
    """-Σ p log2 p over the last axis, p being the shares of so many items."""
    whole = items[..., None]
    return namespace(sizes).sum(sizes / whole * bits_of_share(sizes, whole), axis=-1)


def _divergence(counts: Array) -> Array:
    """Σ p log2(p / q) of the cells of a table, p being their shares and q what these would be if gold and output were
    independent. Each cell adds p ln(p / q) - p + q, which is never negative, so that nothing cancels out; where p is near q, by
    their difference, which is found from the rest of the table."""
    xp = namespace(counts)
    row, column, items = gold(counts)[..., :, None], predicted(counts)[..., None, :], total(counts)[..., None, None]
    product = row * column
    some = xp.where(product > 0, product, 1.0)
    apart = (counts * (items - row - column + counts) - (row - counts) * (column - counts)) / some  # p / q - 1
    near = xp.abs(apart) < _SMALL
    lift = xp.where(near | (counts <= 0), 1.0, counts / some * items)
    added = xp.where(near, _near(xp.where(near, apart, 0.0)), lift * xp.log(lift) - xp.where(counts > 0, apart, -1.0))
    return xp.sum(xp.where(product > 0, product, 0.0) / items**2 * added, axis=(-2, -1)) / math.log(2)


def _near(apart: Array) -> Array:
    """(1 + d) ln(1 + d) - d for a small d, with z = d / (2 + d): (2 z² + 2 (1 + z) (z³/3 + z⁵/5 + ...)) / (1 - z)."""
    z = apart / (2 + apart)
    square = z * z
    rest = square * 0
    for factor in _ARTANH:
        rest = rest * square + factor
    return 2 * square * (1 + (1 + z) * z * rest) / (1 - z)


@measure(
    id="gold_entropy",
    asks=INFORMATION,
    title="Entropy of gold",
    symbol="H(G)",
    parameter=Weighting(("rank", "confidence")),
    headline={"entailment": 6, "entailment@rank": 11},
    chance="linear",
    better=None,
    range=(0, LOG2_CLASSES),
    formula="H(G) = -Σ_g (G_g/N) log2(G_g/N)",
    source=(BERGMAIR_2009.at("Eq. 5"),),
    use="How hard the task is before looking at any output, and the most that mutual_information can reach: "
    "print it beside that.",
    note="Weighted by the rank or the confidence that a run gives its items (Bergmair 2009, Section 5.3) it differs between "
    "runs: it shows how easy the run has made its task.",
)
def gold_entropy(counts: Array) -> Array:
    return entropy(gold(counts), total(counts))


@measure(
    id="conditional_entropy",
    asks=INFORMATION,
    title="Conditional entropy of gold given the output",
    symbol="H(G|L)",
    better="lower",
    range=(0, LOG2_CLASSES),
    formula="H(G|L) = -Σ_gp (c_gp/N) log2(c_gp/P_p)",
    source=(BERGMAIR_2009.at("Eq. 7"),),
    use="How uncertain gold remains once the output is known. Every constant run leaves all of gold_entropy.",
)
def conditional_entropy(counts: Array) -> Array:
    bits = counts * log2_or_zero(_gold_given_output(counts))
    return -namespace(counts).sum(bits, axis=(-2, -1)) / total(counts)


def _gold_given_output(counts: Array) -> Array:
    """c_gp / P_p; 0 in the column of a class that is never predicted."""
    column = predicted(counts)[..., None, :]
    return counts / namespace(counts).where(column > 0, column, 1.0)


@measure(
    id="conditional_entropy@LABEL",
    asks=INFORMATION,
    title="Entropy of gold where the output is one class",
    symbol="H(G|L={})",
    better="lower",
    range=(0, LOG2_CLASSES),
    parameter=Labels(several=False),
    formula="H(G|L=p) = -Σ_g (c_gp/P_p) log2(c_gp/P_p)",
    source=(BERGMAIR_2009.at("Eq. 6"),),
    undefined=(
        Undefined(
            "the class is never predicted",
            lambda counts, *, chosen: namespace(counts).any(select(predicted(counts), chosen) == 0, axis=-1),
        ),
    ),
    use="Which of a run's labels carry information: a label under which gold is as uncertain as overall says nothing.",
)
def conditional_entropy_given(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    items = select(predicted(counts), chosen)[..., 0]
    return entropy(select(counts, chosen)[..., 0], namespace(counts).where(items > 0, items, math.nan))


def information_by_chance(classes: int, items: float) -> float:
    """About how many bits a random labelling of so many items seems to have: (C-1)² / (2 N ln 2)."""
    return float(_bits(classes, classes, items))


CORRECTED: Range = (
    Bound("-(C-1)² / (2 C ln 2)", lambda classes, span: -information_by_chance(classes, classes)),
    LOG2_CLASSES,
)
"""From where to where information less what chance gives may be: where r labels occur there are r items or more, and their
information is at least 0."""


def _by_chance(counts: Array) -> Array:
    """The same where so many gold and output labels occur: (r-1)(s-1) / (2 N ln 2)."""
    return _bits(occupied(gold(counts)), occupied(predicted(counts)), total(counts))


def _bits(gold_labels: Any, output_labels: Any, items: Any) -> Any:
    return (gold_labels - 1) * (output_labels - 1) / (2 * math.log(2) * items)


@measure(
    id="mutual_information",
    asks=INFORMATION,
    title="Mutual information of gold and output",
    symbol="I(G;L)",
    parameter=Weighting(("rank", "confidence")),
    headline={"entailment": 5, "entailment@rank": 10},
    companions={"entailment": "gold_entropy"},  # they are two dimensions of one result
    better="higher",
    range=(0, LOG2_CLASSES),
    perfect=None,
    aliases=("mi",),
    formula="I(G;L) = H(G) - H(G|L) = Σ_gp (c_gp/N) log2(c_gp N / (G_g P_p))",
    source=(BERGMAIR_2009.at("Eq. 8"), AMIGO_2020.at("Section 5")),
    use="What the output tells about gold, whatever it calls its labels: biased, constant and random runs have none, and merging "
    "labels never helps. A perfect run reaches gold_entropy, so report both. Permuted labels score as "
    "well as right ones, and order "
    "is not seen.",
    excess=Excess(_by_chance, "mutual_information@corrected"),
    note="A random labelling has about (C-1)² / (2 N ln 2) bits by chance, not 0: mutual_information@corrected is without them, "
    "and is the one for tests and intervals; of weighted items, mutual_information@rank:corrected and "
    "mutual_information@confidence:corrected are. Weighted by rank, an item at rank r of N "
    "counts (N + 1 - r) / (N (N+1) / 2) and tied items share their mean (Bergmair 2009, Section 5.3); weighted by confidence, as "
    "much as the run itself says. Either way the run chooses what it is tested on: gold_entropy with the same weights tells how "
    "easy it has made it.",
)
def mutual_information(counts: Array) -> Array:
    return _divergence(counts)


@measure(
    id="mutual_information@corrected",
    asks=INFORMATION,
    title="Mutual information of gold and output, less what chance gives",
    symbol="I^corr(G;L)",
    recommended=(
        Recommendation("entailment", "primary", _WHY, BERGMAIR_2009.at("Section 6")),
        Recommendation("classification", "primary", _WHY, BERGMAIR_2009.at("Section 5"), scales=("nominal",)),
    ),
    companions={"entailment": "gold_entropy"},
    better="higher",
    range=CORRECTED,
    perfect=None,
    proportional=False,
    interval=NormalInterval(mutual_information, least=0, fewest=4),
    formula="I(G;L) - (r-1)(s-1) / (2 N ln 2),   r and s the numbers of gold and output labels that occur",
    source=(MILLER_1955, BERGMAIR_2009.at("Eq. 8")),
    use="What the output tells about gold beyond what chance gives: random labels have about 0 on average, however many there "
    "are, so that runs can be compared and tested by it. A perfect run comes close to gold_entropy, so report both. Permuted "
    "labels score as well as right ones, and order is not seen. It reads the table as counts of items: pass counts, not "
    "proportions.",
    note="It can be below 0, which information cannot be: the data then show none. The interval over items is the value ± z "
    "times the standard deviation of mutual_information over resampled items, cut at 0; with fewer than 4 items a cell (N < 4 r "
    "s) it is too short. The correction is right for many items: with few items a label it can rise when labels are merged.",
)
def corrected_information(counts: Array) -> Array:
    return mutual_information.function(counts) - _by_chance(counts)
