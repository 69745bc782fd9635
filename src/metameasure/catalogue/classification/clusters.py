"""How well the groups that an output makes match gold's, whatever they are called: information, normalised and adjusted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from metameasure.catalogue.arrays import Array, anywhere, log2_or_zero, namespace, ratio, summed
from metameasure.catalogue.classification.mutual_information import entropy, mutual_information
from metameasure.catalogue.classification.pair_counts import GROUPS, NOTHING_TO_ADJUST
from metameasure.catalogue.classification.tables import BOTH_CONSTANT, gold, harmonic_mean, occupied, predicted, total, transposed
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Choice
from metameasure.catalogue.questions import TOGETHER
from metameasure.catalogue.sources import ROSENBERG_2007, STREHL_2002, VINH_2010

_measure = partial(measure, asks=TOGETHER, better="higher")


def _entropy_of_gold(counts: Array) -> Array:
    return entropy(gold(counts), total(counts))


def _entropy_of_output(counts: Array) -> Array:
    return entropy(predicted(counts), total(counts))


def _explained(counts: Array, uncertainty: Array, groups: Array) -> Array:
    """The share of one side's entropy that the other side explains; 1 where there is none to explain."""
    xp = namespace(counts)
    share = xp.where(occupied(groups) < 2, 1.0, ratio(mutual_information.function(counts), uncertainty))
    return xp.where(BOTH_CONSTANT.when(counts), math.nan, share)


@_measure(
    id="homogeneity",
    like={"sklearn": "homogeneity_score()"},
    title="Homogeneity: whether each group of the output has items of one gold class only",
    symbol="Hom",
    formula="Hom = I(G;L) / H(G), and 1 where gold has one class",
    source=(ROSENBERG_2007,),
    undefined=(BOTH_CONSTANT,),
    use="One half of the V-measure. Alone it is 1 for an output that gives each item a class of its own. " + GROUPS,
)
def homogeneity(counts: Array) -> Array:
    return _explained(counts, _entropy_of_gold(counts), gold(counts))


@_measure(
    id="completeness",
    like={"sklearn": "completeness_score()"},
    title="Completeness: whether the items of a gold class are in one group of the output",
    symbol="Com",
    formula="Com = I(G;L) / H(L), and 1 where the output has one class",
    source=(ROSENBERG_2007,),
    undefined=(BOTH_CONSTANT,),
    use="The other half of the V-measure. Alone it is 1 for a constant output. " + GROUPS,
)
def completeness(counts: Array) -> Array:
    return homogeneity.function(transposed(counts))


@_measure(
    id="nmi",
    like={"sklearn": ("v_measure_score()", "normalized_mutual_info_score()")},
    title="Normalised mutual information; with the arithmetic mean, the V-measure",
    symbol="NMI{}",
    parameter=Choice("mean", ("arithmetic", "geometric", "min", "max")),
    aliases=("v_measure", "normalized_mutual_info", "normalised_mutual_information"),
    formula="NMI = I(G;L) / mean(H(G), H(L)),   the mean arithmetic unless another is named; 0 where one of them is 0",
    source=(STREHL_2002, ROSENBERG_2007),
    undefined=(BOTH_CONSTANT,),
    use="How well groups match, from 0 to 1. Name the mean where it is not the arithmetic one (nmi@geometric). More groups raise "
    "it by chance: on few items use ami. " + GROUPS,
)
def nmi(counts: Array, *, mean: str) -> Array:
    if mean == "arithmetic":
        return harmonic_mean(homogeneity.function(counts), completeness.function(counts))
    xp = namespace(counts)
    first, second = _entropy_of_gold(counts), _entropy_of_output(counts)
    between = {"geometric": lambda: xp.sqrt(first * second), "min": lambda: xp.minimum(first, second)}
    share = ratio(mutual_information.function(counts), between.get(mean, lambda: xp.maximum(first, second))())
    constant = (occupied(gold(counts)) < 2) | (occupied(predicted(counts)) < 2)
    return xp.where(constant & ~BOTH_CONSTANT.when(counts), 0.0, xp.minimum(share, xp.ones_like(share)))


@_measure(
    id="ami",
    like={"sklearn": "adjusted_mutual_info_score()"},
    title="Adjusted mutual information: without what chance gives",
    symbol="AMI",
    range=(-math.inf, 1),
    chance="zero",
    proportional=False,
    aliases=("adjusted_mutual_info",),
    formula="AMI = (I(G;L) - E) / ((H(G) + H(L))/2 - E),   E the mean of I over all ways to deal out the same labels",
    source=(VINH_2010,),
    undefined=(NOTHING_TO_ADJUST,),
    use="To compare groupings with different numbers of groups, also on few items: random labels score 0 on average. " + GROUPS,
    note="E is right to about 12 digits for any number of items, and takes no longer for many. scikit-learn gives 1 where all "
    "items have one class on both sides, or each one of its own.",
)
def ami(counts: Array) -> Array:
    by_chance = expected_information(gold(counts), predicted(counts), total(counts))
    most = (_entropy_of_gold(counts) + _entropy_of_output(counts)) / 2
    xp = namespace(counts)
    adjusted = ratio(mutual_information.function(counts) - by_chance, most - by_chance)
    return xp.where(NOTHING_TO_ADJUST.when(counts), math.nan, xp.minimum(adjusted, xp.ones_like(adjusted)))


_REACH = 8.0  # standard deviations on either side: beyond lies a share of 1e-15
_STEPS = 40  # of a wide bell, which so few points sum to 1e-14
_NARROW = 130  # the most values of a cell whose bell reaches an end


def expected_information(gold_sizes: Array, output_sizes: Array, items: Array) -> Array:
    """The mean mutual information, in bits, of labels with these class sizes (..., C) dealt out at random: Vinh et al. (2010),
    Theorem 1. The number of items in a cell has a hypergeometric distribution. It is summed value by value where it reaches an
    end, as all narrow ones do; a wider one is so smooth a bell that a sum over a few of its values has the same mean."""
    xp = namespace(gold_sizes, output_sizes)
    n = items[..., None, None]
    a = gold_sizes[..., :, None] + xp.zeros_like(output_sizes)[..., None, :]
    b = output_sizes[..., None, :] + xp.zeros_like(gold_sizes)[..., :, None]
    mean = a * b / n
    spread = xp.sqrt(mean * (n - a) * (n - b) / (n * xp.where(n > 1, n - 1, 1.0)))
    least, most = xp.maximum(a + b - n, xp.zeros_like(a)), xp.minimum(a, b)
    wide = (mean - _REACH * spread > least) & (mean + _REACH * spread < most)
    cell = _Cell(a, b, n)
    narrow = cell.value_by_value(xp.maximum(least, xp.floor(mean - _REACH * spread)), xp.where(wide, -1.0, most))
    smooth = cell.in_steps(mean, spread, wide) if anywhere(wide) else narrow
    return summed(xp.where(wide, smooth, narrow), (-2, -1))


@dataclass(frozen=True)
class _Cell:
    """The number of items x in a cell of a table with such a row sum, column sum and total (..., C, C)."""

    a: Array
    b: Array
    n: Array

    def bits(self, x: Array) -> Array:
        """What x items in the cell add to the information, times their number."""
        xp = namespace(x)
        return x * log2_or_zero(xp.where(x > 0, x * self.n / xp.where(self.a * self.b > 0, self.a * self.b, 1.0), 1.0))

    def value_by_value(self, low: Array, high: Array) -> Array:
        """The mean of ``bits`` / N over the values from low to high, each value's chance from the one before it."""
        xp = namespace(low)
        chance = xp.ones_like(low)
        chances = bits = xp.zeros_like(low)
        for step in range(2 * _NARROW):
            x = low + step
            inside = x <= high + 1e-6  # sums of weights are not quite whole
            if not anywhere(inside):
                break
            chance = xp.where(inside, chance, 0.0)
            chances, bits = chances + chance, bits + chance * self.bits(xp.where(inside, x, 0.0))
            chance = chance * ratio((self.a - x) * (self.b - x), (x + 1) * (self.n - self.a - self.b + x + 1))
        return ratio(bits, xp.where(chances > 0, chances, 1.0) * self.n)

    def in_steps(self, mean: Array, spread: Array, wide: Array) -> Array:
        """The same for a bell that reaches no end."""
        xp = namespace(mean)
        chances = bits = xp.zeros_like(mean)
        usual = [xp.where(wide, cell, 1.0) for cell in self._cells(mean)]
        for step in range(_STEPS + 1):
            x = mean + (2 * step / _STEPS - 1) * _REACH * spread
            cells = (xp.where(wide, cell, 1.0) for cell in self._cells(x))
            chance = xp.exp(-sum(_surprise(cell, at) for cell, at in zip(cells, usual, strict=True)))
            chances, bits = chances + chance, bits + chance * self.bits(xp.where(wide, x, 0.0))
        return ratio(bits, chances * self.n)

    def _cells(self, x: Array) -> tuple[Array, ...]:
        return x, self.a - x, self.b - x, self.n - self.a - self.b + x


def _surprise(cell: Array, usual: Array) -> Array:
    """The logarithm of Γ(x + 1) by Stirling's formula, but for what the margins decide: e φ(x/e - 1) and the series, so that
    nothing large is subtracted from anything large. For cells from 64 items or so."""
    xp = namespace(cell)
    apart = (cell - usual) / usual
    near = apart > -0.5
    logarithm = xp.where(near, xp.log1p(xp.where(near, apart, 0.0)), xp.log(cell / usual))
    return (
        usual * ((1 + apart) * logarithm - apart)
        + xp.log(cell) / 2
        + 1 / (12 * cell)
        - 1 / (360 * cell**3)
        + 1 / (1260 * cell**5)
    )
