"""Does a measure rank the runs alike on different topics? Rankings on random halves of the topics, or on k and k of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.comparison import count_beaten
from metameasure.errors import UsageError
from metameasure.meta.data import AnyScores, DataSet, Selection, check_topics, data_sets
from metameasure.meta.finding import Floats, Tested, all_notes, from_best, json_rows, measure_name
from metameasure.meta.question import TEST_OPTIONS, Option, Question
from metameasure.presentable import json_number, json_table
from metameasure.show.canvas import dots
from metameasure.show.numbers import number
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.anova import effect_sizes, no_residual, residual_variance
from metameasure.statistics.rank_correlation import kendall_tau_a
from metameasure.statistics.splits import split_halves, split_means
from metameasure.statistics.tukey import randomised_tukey_hsd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Size = Literal["half"] | int


def split_size(text: str) -> Size:
    """How large the sides of a split are, as a user writes it."""
    if text == "half":
        return "half"
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise UsageError(f"--size is '{text}'", hint="half, or a number of topics such as 10")


SPLIT_OPTIONS = (
    Option("splits", "How many random splits of the topics.", int, least=2),
    Option("size", "Split the topics in half, or K against K.", split_size, "half|K"),
)
QUESTION = Question(
    __name__,
    id="consistency",
    title="System ranking consistency",
    asks="Would other topics have given the same ranking?",
    why="A measure whose ranking depends on the draw of topics says little.",
    formula=(
        "mean tau = (1/S) sum over splits s of tau(ranking on topics A_s, ranking on topics B_s)\n"
        "A_s, B_s: the topics dealt at random into two halves, or k topics each (--size k); S = 1000, shared by all measures.\n"
        "p: randomised Tukey HSD test on the S x measures matrix of taus; V_E2: its residual variance (two-way ANOVA);\n"
        "effect size = difference of mean taus / sqrt(V_E2)"
    ),
    read=(
        "Higher is better. A measure beats the worst k if each of those is significantly worse. With a thousand splits small "
        "differences are significant: look at the effect sizes. Splits of one data set are not independent draws of topics: "
        "the test speaks about splitting these topics, not about all topics there are."
    ),
    source=(SAKAI_2021.at("Sections 5.2 and 6.2, Tables 3, 6 and 9"),),
    several="the average of the mean taus; the test stacks the data sets' splits",
    options=(*SPLIT_OPTIONS, *TEST_OPTIONS),
    place=2,
)
_SYMBOLS = "†‡◇♡♣♠♭♯"  # beats the worst 1, 2, ..., 8: Sakai (2021), Table 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Consistency(Tested):
    """Measures from best to worst by their mean tau over splits, with p-values and effect sizes for every two of them.

    ``sides`` are the topics on each side of a split; (0, 0) where they differ between data sets.
    """

    mean_tau: Floats
    p: Floats
    effect_size: Floats
    residual_variance: float
    splits: int
    size: Size
    sides: tuple[int, int]

    def beats(self) -> list[int]:
        """For each measure the largest k such that each of the worst k is significantly worse."""
        significant = self.p < self.alpha
        return [count_beaten(row, place) for place, row in enumerate(significant)]

    def how(self) -> str:
        """The split in words: 150 vs. 150."""
        return f"{self.sides[0]} vs. {self.sides[1]}" if all(self.sides) else "halves"

    def answer(self) -> dict[str, Any]:
        return {
            "splits": self.splits,
            "size": self.size,
            "topics": list(self.sides) if all(self.sides) else None,
            "residual_variance": json_number(self.residual_variance),
            "measures": json_rows(self.columns()),
            "p": json_table(self.p),
            "effect_size": json_table(self.effect_size),
            **self.test_settings(),
        }

    def columns(self) -> dict[str, list[Any]]:
        return {
            "measure": list(self.measures),
            "mean_tau": self.mean_tau.tolist(),
            "beats": self.beats(),
            "effect_size_vs_worst": self.effect_size[:, -1].tolist(),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (2021), Tables 3, 6 and 9: measures from best to worst, a block for each data set."""
        headings = ("measure", "mean τ", "beats worst", "effect vs worst")
        rows: list[tuple[str, ...]] = []
        for block in self.blocks():
            if self.data:
                rows.append((f"({block.name}) {block.how()}", "", "", f"V_E2 {block.variance()}"))
            for measure, tau, beaten, size in zip(*block.columns().values(), strict=True):
                rows.append((measure_name(measure, format), f"{tau:.3f}{_symbol(beaten)}", str(beaten or ""), number(size, 2)))
        used = sorted({beaten for block in self.parts() for beaten in block.beats() if 0 < beaten <= len(_SYMBOLS)})
        meaning = "/".join(map(_symbol, used)), "/".join(map(str, used))
        notes = [
            f"{self.splits} random splits of the topics ({self.how()}): mean tau between the rankings on both sides.",
            *([f"{meaning[0]}: statistically significantly outperforms the worst {meaning[1]} measure(s)."] if used else []),
            *([f"Significance: {self.how_tested()}."] if len(self.measures) > 1 else []),
            f"Residual variance V_E2 = {self.variance()}; effect size = difference of mean taus / sqrt(V_E2).",
        ]
        return [Table(headings, tuple(rows), frozenset(headings[2:]), notes=self.below(*notes))]

    def variance(self) -> str:
        """The residual variance as tables write it."""
        return "–" if math.isnan(self.residual_variance) else f"{self.residual_variance:.3g}"

    def draw(self) -> Figure:
        def one(block: Consistency, axes: Any) -> None:
            dots(axes, block.measures, block.mean_tau, texts=[f"beats {k}" if k else "" for k in block.beats()])

        return self.dot_chart("System ranking consistency", "mean tau", one, lambda block: f", {block.how()}")


def _symbol(beaten: int) -> str:
    if beaten > len(_SYMBOLS):
        return f" ({beaten})"
    return _SYMBOLS[beaten - 1] if beaten else ""


def consistency(
    scores: AnyScores,
    *,
    splits: int = 1000,
    size: Size = "half",
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Consistency:
    """Mean tau between the rankings on two random sets of topics, for each measure, and which measures differ in it."""
    if splits < 2:
        raise UsageError(f"{splits} split(s)", hint="at least two")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha}", hint="between 0 and 1")
    k = _topics_a_side(size)
    data = data_sets(scores, selection)
    check_topics(data, 2 * k if k else 2, "two sets of topics have to fit in")
    taus = [split_taus(part, splits, seed, k) for part in data]
    options: dict[str, Any] = {"splits": splits, "size": size, "trials": trials, "seed": seed, "alpha": alpha}

    def judged(name: str, matrix: Floats, sides: tuple[int, int], **more: Any) -> Consistency:
        return _judged(name, data[0].measures, matrix, threads, sides=sides, **options, **more)

    parts = [
        judged(part.name, matrix, (k or len(part.topics) // 2, k or -(-len(part.topics) // 2)), notes=part.notes)
        for part, matrix in zip(data, taus, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    sides = parts[0].sides if len({part.sides for part in parts}) == 1 else (0, 0)
    return judged("mean", np.concatenate(taus), sides, notes=all_notes(data), data=tuple(parts))


def _topics_a_side(size: Size) -> int | None:
    if size == "half":
        return None
    if not isinstance(size, int) or size < 1:
        raise UsageError(f"the size is '{size}'", hint="half, or a number of topics")
    return size


def split_taus(data: DataSet, splits: int, seed: int, size: int | None) -> Floats:
    """(splits, measures): tau between the rankings on the two sets of topics of each split."""
    first, second = split_halves(len(data.topics), splits, seed, size)
    taus = [kendall_tau_a(split_means(values, first), split_means(values, second)) for values in data.oriented()]
    return np.stack(taus, axis=1)


def _judged(name: str, measures: Sequence[str], taus: Floats, threads: int | None, **options: Any) -> Consistency:
    """Measures ordered by their mean tau (splits, measures), and the differences tested."""
    means = taus.mean(axis=0)
    order = from_best(means)
    taus = taus[:, order]
    if len(measures) > 1:
        p = randomised_tukey_hsd(taus, options["trials"], options["seed"], threads=threads)
        sizes, variance = effect_sizes(taus), 0.0 if no_residual(taus) else float(residual_variance(taus))
    else:
        p, sizes, variance = np.ones((1, 1)), np.zeros((1, 1)), math.nan
    return Consistency(
        name=name,
        measures=tuple(measures[place] for place in order),
        mean_tau=means[order],
        p=p,
        effect_size=sizes,
        residual_variance=variance,
        **options,
    )
