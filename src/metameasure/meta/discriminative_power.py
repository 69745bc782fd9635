"""How many differences between runs does a measure find significant? Discriminative power, its curve, and pooled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.explain import symbol_of
from metameasure.catalogue.sources import SAKAI_2021, SAKAI_LQ_2021
from metameasure.comparing.topics import TopicTests, has_items, over_items, settled_draws, smallest_reachable
from metameasure.core.choices import DrawBy, Test
from metameasure.core.messages import caption, legend, note, say, warn
from metameasure.core.notes import CANNOT_DIFFER, counted, grouped, in_a_row, listed
from metameasure.core.numbers import json_number, json_table, p_in_words, percent
from metameasure.core.shared_options import VALIDITY
from metameasure.meta.data import AnyScores, Selection, check_topics, data_sets, leaves_out, measures_of, names_methods, resumable
from metameasure.meta.finding import USUAL_TEST, RunsTested, all_notes, not_tested
from metameasure.meta.question import LEAVE_OUT, RUN_TEST_OPTIONS, Question
from metameasure.scores.scores import ScoreMatrix, Scores
from metameasure.show.canvas import COLOURS, GREY, LINES, Figure
from metameasure.show.sheet import EDGE, Box, Sheet, plot
from metameasure.show.table import Mark, OutputFormat, Table
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.by_content import order_by_content, words_of_rows
from metameasure.statistics.mean_intervals import normal_reach
from metameasure.statistics.measure_tests import MeasuresApart, apart_on_all, measures_apart
from metameasure.statistics.rank_correlation import TIE, from_best
from metameasure.statistics.stepwise import is_exact
from metameasure.statistics.tukey import randomised_tukey_hsd

QUESTION = Question(
    __name__,
    id="discrimination",
    title="Discriminative power",
    asks="How many pairs of runs can a measure tell apart?",
    why="One that finds few differences lets few conclusions be drawn.",
    formula=(
        "DP_D = S_D / T_D        PDP = sum over D of S_D / sum over D of T_D\n"
        "T_D: pairs of runs in data set D; S_D: those with p < alpha, by default in a randomised Tukey HSD test with B trials.\n"
        "The measures share their permutations.\n"
        "Measures are compared over topics: a pair of runs has t = |mean difference| / (sd / sqrt n); the smooth power of a\n"
        "measure is the mean over pairs of Phi(t - t(.975, n - 1)), the chance to find the difference again. The difference\n"
        "of two measures' has the standard error of leaving out one topic at a time; t test, n - 1 degrees of freedom, Holm\n"
        "over all pairs of measures. Over several data sets it is the mean by pairs of runs."
    ),
    read=(
        "Higher is better, but a measure that tells runs apart need not be right. The curve has all p-values from the "
        "largest down: the nearer to the origin, the better. The range beside the count is what B leaves open: a difference "
        "is significant if it exceeds one critical value, and that is known to about z sqrt(alpha (1 - alpha) / B) in terms "
        "of p. Other topics would change the counts much more: which measures differ beyond that chance stands below the table "
        "(p_measures in JSON)."
    ),
    source=(
        SAKAI_2021.at("Sections 5.3 and 6.3, Figures 1 to 3"),
        SAKAI_LQ_2021.at("Section 5.1, Eq. 9, Table 3"),
    ),
    several="the pooled power; the ends of the ranges are added up too",
    options=(*RUN_TEST_OPTIONS, VALIDITY, LEAVE_OUT),
    place=3,
)
_LEVEL = 0.95
_ALPHAS = 3.0  # a curve is drawn from p = 0 up to so many alphas
_CURVES_HIGH = 2.1  # inches
_HALF, _LITTLE = 0.5, 0.4  # Sakai (LQ 2021), Table 3: percentages from 50 up are bold, those below 40 underlined
_LEGEND = f"{_HALF:.0%} and over ({{strong}}), {_LITTLE:.0%} and over, below ({{weak}})."


@dataclass(frozen=True, eq=False, kw_only=True)
class Discrimination(RunsTested):
    """p-values for every two runs by every measure (measures, runs, runs); pooled, there are none.

    ``means`` (measures, runs) are turned so that higher is better. ``counts`` (measures,) has the significant pairs, ``fewest``
    and ``most`` what other trials of the same number might have found. ``apart`` compares the measures over topics.
    """

    caption: ClassVar[str] = QUESTION.title

    runs: tuple[str, ...]
    p: Floats
    means: Floats
    counts: Integers
    fewest: Integers
    most: Integers
    pairs: int
    apart: MeasuresApart
    twins: tuple[tuple[int, ...], ...] = ()

    @property
    def validity(self) -> dict[str, str]:
        return {"p": f"test/{self.test}", **({"p_measures": "test/meta/power"} if len(self.measures) > 1 else {})}

    @property
    def significant(self) -> Booleans:
        """(measures, runs, runs): p under alpha, strictly."""
        return np.asarray(self.p < self.alpha)

    def better(self) -> npt.NDArray[np.int8]:
        """(measures, runs, runs): 1 where the first run has the better mean, -1 where the second, 0 where they tie."""
        gaps = self.means[:, :, None] - self.means[:, None, :]
        return (gaps > TIE).astype(np.int8) - (gaps < -TIE).astype(np.int8)

    def power(self) -> Floats:
        """(measures,): the share of pairs that differ significantly."""
        return np.array([pooled_power([int(count)], [self.pairs]) for count in self.counts])

    def curves(self) -> Floats:
        """(measures, pairs): the p-values of all pairs, from the largest down. Sakai (2021), Figures 1 to 3."""
        first, second = np.triu_indices(len(self.runs), 1)
        return -np.sort(-self.p[:, first, second], axis=1)

    def answer(self) -> dict[str, Any]:
        measures = [
            {
                "id": measure,
                "significant": int(self.counts[place]),
                "pairs": self.pairs,
                "power": json_number(self.power()[place]),
                "fewest": int(self.fewest[place]),
                "most": int(self.most[place]),
                "smooth_power": json_number(self.apart.value[place]),
            }
            | ({} if self.data else {"p": json_table(self.p[place])})
            for place, measure in enumerate(self.measures)
        ]
        p_measures = json_table(self.apart.p_corrected)
        return {**self.test_settings(), "runs": list(self.runs), "measures": measures, "p_measures": p_measures}

    def columns(self) -> dict[str, list[Any]]:
        """The curves: every p-value, from the largest down within a measure. Pooled, there are none."""
        first, second = np.triu_indices(len(self.runs), 1)
        order = np.argsort(-self.p[:, first, second], axis=1, kind="stable")
        return {
            "measure": [measure for measure in self.measures for _ in first],
            "run_a": [self.runs[place] for place in first[order].ravel()],
            "run_b": [self.runs[place] for place in second[order].ravel()],
            "p": np.take_along_axis(self.p[:, first, second], order, axis=1).ravel().tolist(),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """One data set: a row for each measure. Several: a row for each of them."""
        explained = legend("Pairs of runs with a significant difference ({how}).", how=self.how_tested())
        return [self._pooled(format, explained) if len(self.blocks()) > 1 else self._alone(format, explained)]

    def said(self) -> list[str]:
        return self.told_apart()

    def told_apart(self) -> list[str]:
        """Which measures tell more runs apart than others beyond chance, in words."""
        if len(self.measures) < 2:
            return []
        if np.isnan(self.apart.p).all():
            return [not_tested()]
        tested = "tested over topics (one left out at a time, t test, Holm's correction)"
        above = grouped(
            (tuple(self.measures[other] for other in np.flatnonzero(row)), one)
            for one, row in zip(self.measures, self.apart.higher(self.alpha), strict=True)
            if row.any()
        )
        if not above:
            return [note("measures apart", "No two measures differ in this beyond chance, {tested}.", tested=tested)]
        said = [
            say(
                "{measures} " + ("tell" if len(ones) > 1 else "tells") + " more runs apart than {others}",
                measures=listed(ones, "and"),
                others=listed(others, "and"),
            )
            for others, ones in above.items()
        ]
        return [note("measures apart", "Beyond chance, {said}: {tested}.", said=in_a_row(said, "; "), tested=tested)]

    def _pooled(self, format: OutputFormat, explained: str) -> Table:
        """Sakai (LQ 2021), Table 3: a row for each data set, and a pooled one."""
        headings = ("data set", "pairs", *self.names(format))
        rows = tuple(
            (
                block.name,
                str(block.pairs),
                *(f"{count} ({percent(share)}%)" for count, share in zip(block.counts, block.power(), strict=True)),
            )
            for block in self.blocks()
        )
        powers = [zip(headings[2:], block.power(), strict=True) for block in self.blocks()]
        marks = {(row, name): _mark(share) for row, power in enumerate(powers) for name, share in power}
        bold = frozenset(place for place, mark in marks.items() if mark == "strong")
        ranges = zip(self.measures, self.fewest, self.most, strict=True)
        between = [
            say("{measure} {fewest} to {most}", measure=measure, fewest=int(fewest), most=int(most))
            for measure, fewest, most in ranges
        ]
        left_open = legend("What B leaves open (fewest to most), all data sets: {measures}.", measures=in_a_row(between))
        notes = self.below(explained, *self.told_apart(), left_open)
        return Table(headings, rows, frozenset(headings[1:]), bold, notes, marks=marks, legend=_LEGEND)

    def _alone(self, format: OutputFormat, explained: str) -> Table:
        headings = ("measure", "significant", "pairs", "power %", "fewest", "most")
        names, power = self.names(format), self.power()
        order = from_best(self.counts.astype(float))
        rows = [
            (
                names[place],
                *map(str, (self.counts[place], self.pairs, percent(power[place]), self.fewest[place], self.most[place])),
            )
            for place in order
        ]
        marks = {(row, "power %"): _mark(power[place]) for row, place in enumerate(order)}
        notes = self.below(
            explained,
            *self.told_apart(),
            legend("Fewest, most: what as many other trials might find (95%)."),
            say("The curve, every p-value from the largest down: {--format csv}, or {--chart FILE}."),
        )
        return Table(headings, tuple(rows), frozenset(headings[1:]), notes=notes, marks=marks, legend=_LEGEND)

    def draw(self, width: float) -> Figure:
        """Sakai (2021), Figures 1 to 3: p-values of pairs of runs from the largest down, where they cross alpha."""
        return self.draw_all(width)

    def draw_all(self, width: float, notes: Sequence[str] = ()) -> Figure:
        """The same, with more to say below."""
        blocks = [*self.parts(), *(part for left in self.left_out for part in left.parts() if not left.data)]
        sheet = Sheet(width)
        for block in blocks:
            sheet.write([self.title_of(block, "" if len(blocks) == 1 else "all runs")])
            sheet.add(_CURVES_HIGH, block.draw_curves)
            order = from_best(block.counts.astype(float))
            labels = [f"{symbol_of(block.measures[row])} ({block.counts[row]})" for row in order]
            sheet.explain([block._curve(row) for row in order], labels)  # noqa: SLF001 - one of us
        brackets = "In brackets: the pairs with p < {alpha:g}, the measure that finds most of them first."
        sheet.write([caption(brackets, alpha=self.alpha), *notes])
        return sheet.figure()

    def draw_curves(self, figure: Figure, box: Box) -> None:
        """The curve of each measure, where the decision is made: from 0 to some alphas."""
        first, last = self._decided()
        high = min(1.02, _ALPHAS * self.alpha)
        axes = plot(
            box, figure, (EDGE, 0.04, box.width - 2 * EDGE, _CURVES_HIGH - 0.08), ((first, last), (0.0, high)),
            (f"pairs of runs ({self.pairs}), from the largest p down", "p"),
        )  # fmt: skip
        for row in range(len(self.measures)):
            axes.add_line(self._curve(row))
        axes.axhline(self.alpha, color=GREY, linewidth=0.8)

    def _decided(self) -> tuple[float, float]:
        """From which pair to which curves are drawn: from where the first comes into sight to where the last has come down."""
        curves = self.curves()
        seen = (curves > _ALPHAS * self.alpha).sum(axis=1).min()
        down = (curves > self.alpha / 10).sum(axis=1).max()
        room = 0.03 * max(1, down - seen)
        return max(0.0, float(seen) - room), min(float(self.pairs) + 0.5, float(down) + 1 + room)

    def _curve(self, row: int) -> Any:
        from matplotlib.lines import Line2D  # noqa: PLC0415 - loaded when something is drawn

        style = LINES[(row // len(COLOURS) if len(self.measures) > len(COLOURS) else row) % len(LINES)]
        look: Any = {"linestyle": style, "color": COLOURS[row % len(COLOURS)], "linewidth": 1.2}
        return Line2D(*_corners(self.curves()[row]), **look)


def _mark(power: float) -> Mark:
    return "strong" if power >= _HALF else "weak" if power < _LITTLE else "fair"


def _corners(curve: Floats) -> tuple[Floats, Floats]:
    """A curve without the points between equal neighbours: tens of thousands of pairs have a few thousand p-values."""
    keep = np.ones(len(curve), dtype=bool)
    keep[1:-1] = (curve[1:-1] != curve[:-2]) | (curve[1:-1] != curve[2:])
    return np.arange(1.0, len(curve) + 1)[keep], curve[keep]


def pooled_power(significant: Iterable[int], pairs: Iterable[int]) -> float:
    """S_D over T_D, each summed: sum of S_D / sum of T_D over data sets: Sakai (LQ 2021), Eq. 9. NaN where there are no pairs."""
    total = sum(pairs)
    return sum(significant) / total if total else math.nan


@names_methods
@resumable
@leaves_out
def discrimination(
    scores: AnyScores,
    *,
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    test: Test | None = None,
    draw_by: DrawBy | None = None,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Discrimination:
    """p-values for every two runs by every measure, and how many are significant; by a randomised Tukey HSD test, or by another
    of ``compare``'s tests. One that is asked for by its name draws by names, as in 0.2, unless ``draw_by`` says otherwise."""
    chosen, drawn_by = test or USUAL_TEST, settled_draws(test, draw_by)
    data = data_sets(scores, selection)
    check_topics(data, 2, "a test")
    tests = TopicTests(test=chosen, trials=trials, seed=seed, better="higher", draw_by=drawn_by, threads=threads)
    parts = [_one(name, part, alpha, tests) for name, part in data.items()]
    if len(parts) == 1:
        return parts[0]
    measures = measures_of(data)
    counts, fewest, most = (np.sum([getattr(part, name) for part in parts], axis=0) for name in ("counts", "fewest", "most"))
    return Discrimination(
        name="pooled",
        measures=measures,
        runs=(),
        p=np.empty((len(measures), 0, 0)),
        means=np.empty((len(measures), 0)),
        counts=counts,
        fewest=fewest,
        most=most,
        pairs=sum(part.pairs for part in parts),
        apart=apart_on_all([part.apart for part in parts], [part.pairs for part in parts]),
        **parts[0].test_settings(),
        notes=all_notes(data),
        data=tuple(parts),
    )


def _one(name: str, data: Scores, alpha: float, tests: TopicTests) -> Discrimination:
    values, test, trials = data.oriented_values(), tests.chosen, tests.trials
    p = _p_values(data, tests)
    pairs = p[:, *np.triu_indices(len(data.runs), 1)]
    # p < alpha is "the difference exceeds the critical value". Over new trials the share that reaches any given value varies
    # by its binomial standard error, so the critical value moves between those whose p is so far from alpha.
    exact = test == "classical" or (test == "stepwise" and is_exact(len(data.topics), trials))
    reach = 0.0 if exact else normal_reach(_LEVEL) * math.sqrt(alpha * (1 - alpha) / trials)
    counts, fewest, most = ((pairs < level).sum(axis=1) for level in (alpha, alpha - reach, alpha + reach))
    return Discrimination(
        name=name,
        measures=data.ids,
        runs=data.runs,
        p=p,
        means=data.oriented(),
        counts=counts,
        fewest=fewest,
        most=most,
        pairs=pairs.shape[1],
        apart=measures_apart(values, "power"),
        alpha=alpha,
        trials=trials,
        seed=tests.seed,
        test=test,
        draw_by=tests.drawn_by,
        notes=(*data.left_out, *_out_of_reach(data, test, trials, alpha)),
        twins=_twins(values),
    )


def _out_of_reach(data: Scores, test: Test, trials: int, alpha: float) -> list[str]:
    """That so few topics cannot show a difference between so many runs, or between neighbours."""
    topics, runs = len(data.topics), len(data.runs)
    neighbours, any_two = smallest_reachable(test, topics, runs, trials, "holm")
    if neighbours < alpha:
        return []
    whom, least = ("neighbours", neighbours) if any_two < alpha else ("two runs", any_two)
    counting = next(filter(has_items, data.measures), None)
    return [
        warn(
            "cannot differ",
            CANNOT_DIFFER,
            many=say("{topics}", topics=counted(topics, "topic")),
            runs=counted(runs, "run"),
            two=whom,
            smallest=p_in_words(least, alpha),
            p=least,
            more=say("use more topics{over_items}", over_items=over_items(counting)),
        )
    ]


def _p_values(data: Scores, tests: TopicTests) -> Floats:
    """(measures, runs, runs). Tukey's test draws the same permutations for all measures; other tests are ``compare``'s."""
    p = np.empty((len(data.measures), len(data.runs), len(data.runs)))
    values = data.oriented_values()
    if tests.chosen == "tukey":
        topics, runs = _drawn_in_order(data, tests.drawn_by)
        drawn = randomised_tukey_hsd(values[:, topics][:, :, runs], tests.trials, tests.seed, threads=tests.threads)
        p[:, runs[:, None], runs] = drawn
        return p
    for row, own in enumerate(values):
        matrix = ScoreMatrix("", data.topics, data.runs, own, baselines=frozenset())  # who takes part has been decided
        one = tests.on(matrix, None)
        place = [one.runs.index(run) for run in data.runs]
        p[row] = one.p[np.ix_(place, place)]
    return p


def _drawn_in_order(data: Scores, draw_by: DrawBy) -> tuple[Integers, Integers]:
    """The places of topics and runs in the order in which permutations are drawn for them: one made of the scores, whatever
    anything is called and in which order it, or a measure, comes; or that of their names (topics come in theirs), as in 0.2."""
    if draw_by == "names":
        return np.arange(len(data.topics)), np.argsort(np.array(data.runs))
    by_id = np.argsort(np.array(data.ids))
    return order_by_content(words_of_rows(np.moveaxis(data.oriented_values()[by_id], 0, -1)))


def _twins(values: Floats) -> tuple[tuple[int, ...], ...]:
    """Runs whose scores are the same by all measures on all topics, within 1e-12; each run is in one group."""
    columns = values.reshape(-1, values.shape[2]).T
    groups: list[list[int]] = []
    for run, column in enumerate(columns):
        for group in groups:
            if np.abs(columns[group[0]] - column).max() <= TIE:
                group.append(run)
                break
        else:
            groups.append([run])
    return tuple(map(tuple, groups))
