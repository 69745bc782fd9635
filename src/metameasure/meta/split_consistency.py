"""Does a measure rank the runs alike on different topics? Rankings on random halves of the topics, or on k and k of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from metameasure.catalogue.explain import measure_name
from metameasure.catalogue.sources import SAKAI_2021
from metameasure.comparing.comparison import count_beaten
from metameasure.core.errors import UsageError
from metameasure.core.messages import caption, legend, note, run_on, say, warn
from metameasure.core.notes import in_a_row
from metameasure.core.numbers import json_number, json_table, number, significant
from metameasure.core.options import Option
from metameasure.core.shared_options import VALIDITY
from metameasure.meta.data import AnyScores, Selection, check_topics, data_sets, leaves_out, measures_of, names_methods, resumable
from metameasure.meta.finding import Tested, all_notes, json_rows, not_tested
from metameasure.meta.question import LEAVE_OUT, TEST_OPTIONS, Question
from metameasure.scores.framed import stacked
from metameasure.show.canvas import Figure
from metameasure.show.rows import Panel, dots
from metameasure.show.table import OutputFormat, Table
from metameasure.show.write import check_score_path, write_table
from metameasure.statistics.anova import effect_sizes, no_residual, residual_variance
from metameasure.statistics.arrays import Floats, mean_of_defined
from metameasure.statistics.mean_intervals import t_reach
from metameasure.statistics.measure_tests import MeasuresApart, apart_on_all, error_of_mean, measures_apart
from metameasure.statistics.pieces import kept, where_kept
from metameasure.statistics.rank_correlation import are_taus, from_best, kendall_tau_a
from metameasure.statistics.splits import redrawn_split_means, redrawn_topics, split_halves, split_means
from metameasure.statistics.tukey import randomised_tukey_hsd

Size = Literal["half"] | int
By = Literal["topics", "splits"]
_BY = {
    "topics": "by leaving out one topic at a time, t test, Holm's correction for all pairs of measures",
    "splits": "randomised Tukey HSD test on the splits",
}
_CAVEAT = (
    "Splits of the same topics overlap, so that their taus are not independent: this test, as in the papers, speaks about "
    "splitting these topics, and calls noise significant. {--test topics} speaks about other topics too"
)


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
    Option(
        "size",
        "Split the topics in half, or K against K; several with commas.",
        split_sizes,
        "half|K",
        doc="Split the topics in ``'half'``, or so many against as many; several in a list.",
    ),
)
BY = Option("test", "Test measures over topics, or over splits of these topics as the papers did.", choices=get_args(By))
QUESTION = Question(
    __name__,
    id="consistency",
    title="System ranking consistency",
    asks="Would other topics have given the same ranking?",
    why="A measure whose ranking depends on the draw of topics says little.",
    formula=(
        "mean tau = (1/S) sum over splits s of tau(ranking on topics A_s, ranking on topics B_s)\n"
        "A_s, B_s: the topics divided at random into two halves, or k topics each; S = 1000, shared by all measures.\n"
        "p, by topics: a pair of runs has t = |mean difference| / (sd / sqrt n) over the n topics; g = mean over pairs of\n"
        "(2 Phi(t / sqrt 2) - 1)^2, how surely two halves order the pair alike. The difference of two measures' g has the\n"
        "standard error of leaving out one topic at a time; t test, n - 1 degrees of freedom, Holm over all pairs of measures.\n"
        "p, by splits, as in the papers: randomised Tukey HSD test on the S x measures matrix of taus.\n"
        "V_E2: the residual variance of that matrix (two-way ANOVA); effect size = difference of mean taus / sqrt(V_E2)\n"
        "interval of a mean tau: +- t(.975, n - 1) times its standard deviation over 100 draws of the topics with replacement;\n"
        "copies of a topic stay on one side of a split"
    ),
    read=(
        "Higher is better. A measure beats the worst k if each of those is significantly worse. By default that is tested over "
        "topics: would other topics have said the same? Papers have tested over splits, which can be chosen. A thousand splits "
        "of the same topics overlap, and taken as independent they call noise significant."
    ),
    source=(SAKAI_2021.at("Sections 5.2 and 6.2, Tables 3, 6 and 9"),),
    several="the average of the mean taus; the test stacks the data sets' splits",
    options=(
        *SPLIT_OPTIONS,
        *TEST_OPTIONS,
        BY,
        Option(
            "taus", "Write the taus, split by measure: a CSV, TSV, JSONL or Parquet file.", score_path, "FILE", writes="save_taus"
        ),
        VALIDITY,
        LEAVE_OUT,
    ),
    place=2,
)
_LEVEL = 0.95
_REDRAWN = 100
_SPLITS_REDRAWN = 100
_SYMBOLS = "†‡◇♡♣♠♭♯"  # beats the worst 1, 2, ..., 8: Sakai (2021), Table 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Consistency(Tested):
    """Measures from best to worst by their mean tau over splits, with p-values and effect sizes for every two of them.

    ``sides`` are the topics on each side of a split; (0, 0) where they differ between data sets. ``taus`` (splits, measures) are
    those of single splits, ``other_sizes`` the answers for splits of other sizes. ``apart`` compares the measures over topics,
    and ``p`` has the p-values of the test that was chosen, ``topics`` or ``splits``.
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
    apart: MeasuresApart
    error: Floats
    """The standard error of each mean tau, over draws of topics, and its degrees of freedom."""
    freedom: Floats
    other_sizes: tuple[Consistency, ...] = ()

    @property
    def validity(self) -> dict[str, str]:
        tested = "p" if self.test == "topics" else "p_topics"  # over splits no test holds, which is said
        compared = {tested: "test/meta/consistency"} if len(self.measures) > 1 else {}
        return {"interval": "interval/meta/consistency", **compared}

    def beats(self) -> list[int]:
        """For each measure the largest k such that each of the worst k is significantly worse."""
        beaten = self.p < self.alpha if self.test == "splits" else self.apart.higher(self.alpha)
        return [count_beaten(row, place) for place, row in enumerate(beaten)]

    def interval(self) -> tuple[Floats, Floats]:
        """The 95 % interval of each measure's mean tau, over draws of topics."""
        reach = t_reach(self.freedom, _LEVEL) * self.error
        return np.maximum(-1.0, self.mean_tau - reach), np.minimum(1.0, self.mean_tau + reach)

    def how_tested(self) -> str:
        by = {"how": _BY[self.test], "alpha": self.alpha}
        if self.test != "splits":
            return say("{how}, alpha = {alpha:g}", **by)
        return say("{how}, alpha = {alpha:g}, B = {trials}, seed {seed}", **by, trials=self.trials, seed=self.seed)

    def how(self) -> str:
        """The split in words: 150 vs. 150."""
        return f"{self.sides[0]} vs. {self.sides[1]}" if all(self.sides) else "halves"

    def answer(self) -> dict[str, Any]:
        sizes = {"sizes": [one.answer() | one.named_methods() for one in self.by_size()]} if self.other_sizes else {}
        return {
            "splits": self.splits,
            "size": self.size,
            "topics": list(self.sides) if all(self.sides) else None,
            "residual_variance": json_number(self.residual_variance),
            "measures": json_rows(self.columns()),
            "p": json_table(self.p),
            **({"p_topics": json_table(self.apart.p_corrected)} if len(self.measures) > 1 else {}),
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
        variances_of = [say("{variance:.3g}", variance=one.residual_variance) for one in sizes]
        used = _numbers_beaten([block for one in sizes for block in one.blocks()])
        symbols, worst = "/".join(map(_symbol, used)), "measure" if used == [1] else f"{'/'.join(map(str, used))} measures"
        split = "{splits} random splits of the topics ({how}): mean tau between the rankings on both sides."
        better = "{symbols}: significantly outperforms the worst {worst}."
        sizes_of = "Residual variance V_E2 = {variances}; effect size = difference of mean taus / sqrt(V_E2), from the worst."
        notes = [
            legend(split, splits=self.splits, how=how),
            *([legend(better, symbols=symbols, worst=worst)] if used else []),
            *([self._significance()] if len(self.measures) > 1 else []),
            legend(sizes_of, variances=in_a_row(variances_of, " and ")),
        ]
        right = frozenset(heading for heading in headings[1:] if "mean τ" not in heading)
        return [Table(headings, tuple(rows), right, notes=self.below(*notes))]

    def _significance(self) -> str:
        if np.isnan(self.p).all():
            return not_tested()
        return note("test", "Significance: {how}.", how=self.how_tested())

    def cells(self, measure: str, *, alone: bool) -> list[str]:
        """What a table says of a measure, with the number of those it beats where there is room."""
        place = self.measures.index(measure)
        beaten = self.beats()[place]
        count = [str(beaten or "")] if alone else []
        return [number(self.mean_tau[place]) + _symbol(beaten), *count, number(self.effect_size[place, -1], 2)]

    def variance(self) -> str:
        """The residual variance as tables write it."""
        return significant(self.residual_variance, 3)

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
        used = _numbers_beaten(blocks)
        bars = "Bars: {level:g%} intervals of the mean over topics; thin lines: {level:g%} of the {splits} single splits."
        signs = {"signs": "/".join(map(_symbol, used)), "worst": "/".join(map(str, used))}
        better = caption("{signs}: significantly better than the worst {worst}.", **signs) if used else ""
        said = run_on((caption(bars, level=_LEVEL, splits=self.splits), better))

        def how(block: Consistency) -> str:
            return ", " + block.how().replace(" ", "\N{NO-BREAK SPACE}")  # to stand behind a title in one line

        return self.dot_chart("mean tau", width, one, blocks=blocks, how=how, notes=[said])


def _numbers_beaten(blocks: Sequence[Consistency]) -> list[int]:
    """How many of the worst measures any measure beats, as far as there are symbols for it."""
    return sorted({beaten for block in blocks for beaten in block.beats() if 0 < beaten <= len(_SYMBOLS)})


def _symbol(beaten: int) -> str:
    return f" ({beaten})" if beaten > len(_SYMBOLS) else ("", *_SYMBOLS)[beaten]


@names_methods
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
    test: By = "topics",
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Consistency:
    """Mean tau between the rankings on two random sets of topics, for each measure, and which measures differ in it: tested over
    topics or, as in the papers, over the splits of these topics."""
    if isinstance(size, Sequence) and not isinstance(size, str):
        shared: dict[str, Any] = {"splits": splits, "trials": trials, "alpha": alpha, "seed": seed, "test": test}
        shared["threads"] = threads
        data = data_sets(scores, selection)
        first, *others = [consistency(data, size=one, **shared) for one in size]
        return replace(first, other_sizes=tuple(others))
    if size != "half" and not (isinstance(size, int) and size >= 1):
        raise UsageError(f"the size is '{size}'", hint="half, or a number of topics")
    k = size if isinstance(size, int) else None
    data = data_sets(scores, selection)
    check_topics(data, 2 * k if k else 2, "a split into two sets of topics")
    measures, values = measures_of(data), [part.oriented_values() for part in data.values()]
    fits = partial(are_taus, shape=(splits, len(measures)))
    taus = [kept(partial(split_taus, one, splits, seed, k), split_taus, one, splits, seed, k, fits=fits) for one in values]
    options: dict[str, Any] = {"splits": splits, "size": size, "trials": trials, "seed": seed, "alpha": alpha, "test": test}
    caveat = (warn("test over splits", _CAVEAT),) if test == "splits" and len(measures) > 1 else ()
    apart = [measures_apart(one, "consistency") for one in values]
    errors = [_tau_error(one, seed, k, splits) for one in values]
    judged: Callable[..., Consistency] = partial(_judged, measures, threads=threads, **options)
    parts = [
        judged(
            *evidence,
            name=name,
            sides=(k or len(part.topics) // 2, k or -(-len(part.topics) // 2)),
            notes=(*part.left_out, *caveat),
        )
        for (name, part), evidence in zip(data.items(), zip(taus, apart, errors, strict=True), strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    even = np.full(len(parts), 1 / len(parts))
    error = error_of_mean(even, *(np.array(each) for each in zip(*errors, strict=True)))
    whole = np.concatenate(taus), apart_on_all(apart, even.tolist()), error
    sides = parts[0].sides if len({part.sides for part in parts}) == 1 else (0, 0)
    notes = (*all_notes(data), *caveat)
    return judged(*whole, name="mean", sides=sides, notes=notes, data=tuple(parts))


def split_taus(values: Floats, splits: int, seed: int, size: int | None) -> Floats:
    """(splits, measures): tau between the rankings on the two sets of topics of each split, of scores of all topics."""
    first, second = split_halves(values.shape[1], splits, seed, size)
    taus = [kendall_tau_a(split_means(one, first), split_means(one, second)) for one in values]
    return np.stack(taus, axis=1)


def _tau_error(values: Floats, seed: int, size: int | None, splits: int) -> tuple[Floats, Floats]:
    """The standard deviation of each measure's mean tau over draws of the topics with replacement, and its degrees of freedom."""
    topics = values.shape[1]
    parts = [values] if where_kept() is None else np.split(values, len(values))  # of a measure that others are beside again
    means = np.concatenate([kept(partial(_redrawn_taus, *one), _redrawn_taus, *one) for one in
                            ((part, seed, size, splits) for part in parts)], axis=1)  # fmt: skip
    spread = np.sqrt(np.nanvar(means, axis=0, ddof=1)) if topics > 1 else np.full(means.shape[1], np.nan)
    return spread, np.full(len(spread), topics - 1.0)


def _redrawn_taus(values: Floats, seed: int, size: int | None, splits: int) -> Floats:
    """(draws, measures): the mean tau of each draw of the topics."""
    topics = values.shape[1]
    first, second = split_halves(topics, min(splits, _SPLITS_REDRAWN), seed, size)
    draws = redrawn_topics(topics, _REDRAWN, seed)
    sides = (redrawn_split_means(values, side, draws) for side in (first, second))
    return np.array([mean_of_defined(kendall_tau_a(*pair), 1) for pair in zip(*sides, strict=True)])


def _judged(
    measures: Sequence[str],
    taus: Floats,
    apart: MeasuresApart,
    error: tuple[Floats, Floats],
    *,
    threads: int | None,
    **options: Any,
) -> Consistency:
    """Measures ordered by their mean tau (splits, measures), and the differences tested."""
    means = taus.mean(axis=0)
    order = from_best(means)
    taus, apart = taus[:, order], apart.of(order)
    if len(measures) > 1:
        by_splits = options["test"] == "splits"
        p = randomised_tukey_hsd(taus, options["trials"], options["seed"], threads=threads) if by_splits else apart.p_corrected
        sizes, variance = effect_sizes(taus), 0.0 if no_residual(taus) else float(residual_variance(taus))
    else:
        p, sizes, variance = np.ones((1, 1)), np.zeros((1, 1)), math.nan
    return Consistency(
        measures=tuple(measures[place] for place in order),
        mean_tau=means[order],
        p=p,
        effect_size=sizes,
        residual_variance=variance,
        taus=taus,
        apart=apart,
        error=error[0][order],
        freedom=error[1][order],
        **options,
    )
