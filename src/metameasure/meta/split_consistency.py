"""Does a measure rank the runs alike on different topics? Rankings on random halves of the topics, or on k and k of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.comparison import count_beaten
from metameasure.errors import UsageError
from metameasure.explaining import measure_name
from metameasure.messages import say
from metameasure.meta.data import AnyScores, DataSet, Selection, check_topics, data_sets, leaves_out, resumable
from metameasure.meta.finding import Tested, all_notes, from_best, json_rows
from metameasure.meta.question import LEAVE_OUT, TEST_OPTIONS, Question
from metameasure.notes import counted
from metameasure.options import Option
from metameasure.scores.cube import stacked
from metameasure.show.canvas import Figure
from metameasure.show.rows import Panel, dots
from metameasure.show.table import OutputFormat, Table, json_number, json_table, number
from metameasure.show.write import check_score_path, write_table
from metameasure.statistics.anova import effect_sizes, no_residual, residual_variance
from metameasure.statistics.arrays import Floats
from metameasure.statistics.measure_tests import measures_apart
from metameasure.statistics.pieces import kept
from metameasure.statistics.rank_correlation import are_taus, kendall_tau_a
from metameasure.statistics.splits import split_halves, split_means
from metameasure.statistics.tukey import randomised_tukey_hsd

Size = Literal["half"] | int


def split_sizes(text: str) -> Size | tuple[Size, ...]:
    """How large the sides of a split are, as a user writes it: half, 10, or several of these."""
    sizes: list[Size] = []
    for part in text.split(","):
        if part != "half" and not (part.isdecimal() and int(part) > 0):
            raise UsageError(
                say("{--size} is '{text}'", text=text), hint="half, or a number of topics such as 10, or both: half,10"
            )
        sizes.append("half" if part == "half" else int(part))
    return sizes[0] if len(sizes) == 1 else tuple(sizes)


def score_path(text: str) -> str:
    """The name of a file to write, checked before the work begins."""
    check_score_path(text)
    return text


SPLIT_OPTIONS = (
    Option("splits", "How many random splits of the topics.", int, least=2),
    Option("size", "Split the topics in half, or K against K; several with commas.", split_sizes, "half|K"),
)
QUESTION = Question(
    __name__,
    id="consistency",
    title="System ranking consistency",
    asks="Would other topics have given the same ranking?",
    why="A measure whose ranking depends on the draw of topics says little.",
    formula=(
        "mean tau = (1/S) sum over splits s of tau(ranking on topics A_s, ranking on topics B_s)\n"
        "A_s, B_s: the topics divided at random into two halves, or k topics each; S = 1000, shared by all measures.\n"
        "p: randomised Tukey HSD test on the S x measures matrix of taus; V_E2: its residual variance (two-way ANOVA);\n"
        "effect size = difference of mean taus / sqrt(V_E2)"
    ),
    read=(
        "Higher is better. A measure beats the worst k if each of those is significantly worse. With a thousand splits small "
        "differences are significant: look at the effect sizes. Splits of one data set are not independent draws of topics: "
        "the test speaks about splitting these topics, not about all topics there are. In JSON, p_topics has p-values by leaving "
        "out one topic at a time, which do speak about other topics: where they are not small, the measures are not told apart."
    ),
    source=(SAKAI_2021.at("Sections 5.2 and 6.2, Tables 3, 6 and 9"),),
    several="the average of the mean taus; the test stacks the data sets' splits",
    options=(
        *SPLIT_OPTIONS,
        *TEST_OPTIONS,
        Option(
            "taus", "Write the taus, split by measure: a CSV, TSV, JSONL or Parquet file.", score_path, "FILE", writes="save_taus"
        ),
        LEAVE_OUT,
    ),
    place=2,
)
_LEVEL = 0.95
_SYMBOLS = "†‡◇♡♣♠♭♯"  # beats the worst 1, 2, ..., 8: Sakai (2021), Table 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Consistency(Tested):
    """Measures from best to worst by their mean tau over splits, with p-values and effect sizes for every two of them.

    ``sides`` are the topics on each side of a split; (0, 0) where they differ between data sets. ``taus`` (splits, measures) are
    what the test is about, ``other_sizes`` the answers for splits of other sizes.
    """

    caption: ClassVar[str] = QUESTION.title

    mean_tau: Floats
    p: Floats
    effect_size: Floats
    residual_variance: float
    splits: int
    size: Size
    sides: tuple[int, int]
    taus: Floats
    p_topics: Floats | None = None
    """Of every two measures, tested by leaving out topics and corrected by Holm: that speaks about other topics too. None for
    several data sets together."""
    other_sizes: tuple[Consistency, ...] = ()

    def beats(self) -> list[int]:
        """For each measure the largest k such that each of the worst k is significantly worse."""
        return [count_beaten(row, place) for place, row in enumerate(self.p < self.alpha)]

    def interval(self) -> tuple[Floats, Floats]:
        """The 95 % interval of each measure's mean tau over random splits of these topics, from the variance of the taus of
        single splits. As the test, it speaks about splitting these topics."""
        reach = NormalDist().inv_cdf((1 + _LEVEL) / 2) * (self.taus.std(axis=0, ddof=1) / math.sqrt(len(self.taus)))
        return self.mean_tau - reach, self.mean_tau + reach

    def how(self) -> str:
        """The split in words: 150 vs. 150."""
        return f"{self.sides[0]} vs. {self.sides[1]}" if all(self.sides) else "halves"

    def answer(self) -> dict[str, Any]:
        sizes = {"sizes": [one.answer() for one in self.by_size()]} if self.other_sizes else {}
        return {
            "splits": self.splits,
            "size": self.size,
            "topics": list(self.sides) if all(self.sides) else None,
            "residual_variance": json_number(self.residual_variance),
            "measures": json_rows(self.columns()),
            "p": json_table(self.p),
            **({"p_topics": json_table(self.p_topics)} if self.p_topics is not None else {}),
            "effect_size": json_table(self.effect_size),
            **self.test_settings(),
            **sizes,
        }

    def long(self) -> dict[str, list[Any]]:
        return (
            stacked("size", {str(one.size): one.long() for one in self.by_size()}.items()) if self.other_sizes else super().long()
        )

    def by_size(self) -> list[Consistency]:
        """The answer for each size by itself."""
        lefts = [(left.name, (replace(left, other_sizes=()), *left.other_sizes)) for left in self.left_out]
        return [
            replace(one, other_sizes=(), left_out=tuple(replace(sizes[place], name=name) for name, sizes in lefts))
            for place, one in enumerate((self, *self.other_sizes))
        ]

    def save_taus(self, path: str | Path) -> None:
        """The taus of each split by each measure as a file; of several data sets and sizes, under one another."""
        parts = [part for one in (self, *self.other_sizes) for part in one.parts()]
        rows = len(parts[0].taus)
        told_by = {
            "data": self.data and [part.name for part in parts],
            "size": self.other_sizes and [str(one.size) for one in parts],
        }
        taus = {measure: [part.taus[:, part.measures.index(measure)] for part in parts] for measure in self.measures}
        columns = {
            "split": np.tile(np.arange(1, rows + 1), len(parts)),
            **{name: np.repeat(np.array(each, dtype=object), rows) for name, each in told_by.items() if each},
            **{measure: np.concatenate(one) for measure, one in taus.items()},
        }
        write_table(columns, path)

    def columns(self) -> dict[str, list[Any]]:
        low, high = self.interval()
        return {
            "measure": list(self.measures),
            "mean_tau": self.mean_tau.tolist(),
            "low": low.tolist(),
            "high": high.tolist(),
            "beats": self.beats(),
            "effect_size_vs_worst": self.effect_size[:, -1].tolist(),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (2021), Tables 3, 6 and 9: measures from best to worst, a block for each data set."""
        sizes, alone = self.by_size(), not self.other_sizes
        named = [f"{one.how()}: {heading}" for one in sizes for heading in ("mean τ", "effect")]
        headings = ("measure", *(("mean τ", "beats worst", "effect vs worst") if alone else named))
        rows: list[tuple[str, ...]] = []
        for blocks in zip(*(one.blocks() for one in sizes), strict=True):
            if len(self.blocks()) > 1:
                variances = [cell for block in blocks for cell in (*[""] * (1 + alone), f"V_E2 {block.variance()}")]
                rows.append((f"({blocks[0].name})" + f" {blocks[0].how()}" * alone, *variances))
            for measure in blocks[0].measures:
                cells = [cell for block in blocks for cell in block.cells(measure, alone=alone)]
                rows.append((measure_name(measure, format), *cells))
        how = " and ".join(one.how() for one in sizes)
        variances_of = " and ".join(one.variance() for one in sizes)
        used = sorted(
            {beaten for one in sizes for block in one.blocks() for beaten in block.beats() if 0 < beaten <= len(_SYMBOLS)}
        )
        symbols, worst = "/".join(map(_symbol, used)), "measure" if used == [1] else f"{'/'.join(map(str, used))} measures"
        notes = [
            f"{self.splits} random splits of the topics ({how}): mean tau between the rankings on both sides.",
            *([f"{symbols}: statistically significantly outperforms the worst {worst}."] if used else []),
            *([f"Significance: {self.how_tested()}."] if len(self.measures) > 1 else []),
            f"Residual variance V_E2 = {variances_of}; effect size = difference of mean taus / sqrt(V_E2), from the worst.",
        ]
        right = frozenset(heading for heading in headings[1:] if "mean τ" not in heading)
        return [Table(headings, tuple(rows), right, notes=self.below(*notes))]

    def cells(self, measure: str, *, alone: bool) -> list[str]:
        """What a table says of a measure, with the number of those it beats where there is room."""
        place = self.measures.index(measure)
        beaten = self.beats()[place]
        count = [str(beaten or "")] if alone else []
        return [f"{self.mean_tau[place]:.3f}{_symbol(beaten)}", *count, number(self.effect_size[place, -1], 2)]

    def variance(self) -> str:
        """The residual variance as tables write it."""
        return "–" if math.isnan(self.residual_variance) else f"{self.residual_variance:.3g}"

    def spread(self) -> tuple[Floats, Floats]:
        """Where the middle 95 % of the taus of single splits lie, for each measure."""
        low, high = np.quantile(self.taus, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
        return low, high

    def draw(self, width: float) -> Figure:
        def one(block: Consistency, title: str) -> Panel:
            place = [block.measures.index(measure) for measure in self.measures]
            (low, high), (least, most), beats = block.interval(), block.spread(), block.beats()
            return dots(
                title,
                block.mean_tau[place],
                ends=(low[place], high[place]),
                reach=(least[place], most[place]),
                texts=[_symbol(beats[at]).strip() for at in place],
            )

        blocks = [block for size in self.by_size() for block in size.blocks()] if self.other_sizes else list(self.blocks())
        used = sorted({beaten for block in blocks for beaten in block.beats() if 0 < beaten <= len(_SYMBOLS)})
        numbers = "/".join(map(str, used))
        notes = [
            f"Bars: {_LEVEL:.0%} intervals of the mean over {self.splits} splits; thin lines: {_LEVEL:.0%} of the single splits.",
            *([f"{'/'.join(map(_symbol, used))}: significantly better than the worst {numbers}."] if used else []),
        ]

        def how(block: Consistency) -> str:
            return ", " + block.how().replace(" ", "\N{NO-BREAK SPACE}")  # to stand behind a title in one line

        return self.dot_chart("mean tau", width, one, blocks=blocks, how=how, notes=[" ".join(notes)])


def _symbol(beaten: int) -> str:
    return f" ({beaten})" if beaten > len(_SYMBOLS) else ("", *_SYMBOLS)[beaten]


@resumable
@leaves_out
def consistency(
    scores: AnyScores,
    *,
    splits: int = 1000,
    size: Size | Sequence[Size] = "half",
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Consistency:
    """Mean tau between the rankings on two random sets of topics, for each measure, and which measures differ in it."""
    if isinstance(size, Sequence) and not isinstance(size, str):
        shared: dict[str, Any] = {"splits": splits, "trials": trials, "alpha": alpha, "seed": seed, "threads": threads}
        data = data_sets(scores, selection)
        first, *others = [consistency(data, size=one, **shared) for one in size]
        return replace(first, other_sizes=tuple(others))
    if splits < 2:
        raise UsageError(f"{counted(splits, 'split')}", hint="choose at least two")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha cannot be {alpha}", hint="choose a number between 0 and 1")
    if size != "half" and not (isinstance(size, int) and size >= 1):
        raise UsageError(f"the size is '{size}'", hint="half, or a number of topics")
    k = size if isinstance(size, int) else None
    data = data_sets(scores, selection)
    check_topics(data, 2 * k if k else 2, "two sets of topics have to fit in")
    fits = partial(are_taus, shape=(splits, len(data[0].measures)))
    taus = [kept(partial(split_taus, part, splits, seed, k), split_taus, part, splits, seed, k, fits=fits) for part in data]
    options: dict[str, Any] = {"splits": splits, "size": size, "trials": trials, "seed": seed, "alpha": alpha}

    def judged(name: str, matrix: Floats, sides: tuple[int, int], **more: Any) -> Consistency:
        return _judged(name, data[0].measures, matrix, threads, sides=sides, **options, **more)

    parts = []
    for part, matrix in zip(data, taus, strict=True):
        one = judged(part.name, matrix, (k or len(part.topics) // 2, k or -(-len(part.topics) // 2)), notes=part.notes)
        places = [part.measures.index(measure) for measure in one.measures]
        tested = len(places) > 1 and len(part.topics) > 2
        p_topics = measures_apart(part.oriented()[places], "consistency").p_corrected if tested else None
        parts.append(replace(one, p_topics=p_topics))
    if len(parts) == 1:
        return parts[0]
    sides = parts[0].sides if len({part.sides for part in parts}) == 1 else (0, 0)
    return judged("mean", np.concatenate(taus), sides, notes=all_notes(data), data=tuple(parts))


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
        taus=taus,
        **options,
    )
