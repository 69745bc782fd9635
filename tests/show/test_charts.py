"""Charts fit a paper: so many inches wide, type of 8 points, and no text cut off or on top of another, whatever the names are."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import click
import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from meta_cases import evidence, matrix, noisy, quantification
from metameasure.scores.scores import LetterGroups
from metameasure.show.canvas import PAPER, house_style
from metameasure.show.lettering import LINE, fitted, text_width, wrapped
from metameasure.show.sheet import tick_texts
from metameasure.show.symbols import marked

MEASURES = ("cem_ord", "kappa_linear", "mae_macro", "alpha_ordinal", "accuracy")
BETTER = {measure: mm.measures[measure].better for measure in MEASURES}


def long_name(number):
    """A name of 60 characters, as files of shared tasks have them."""
    return f"{f'team-{number:02d}_bert-large-uncased_fine-tuned-on-everything-there-is':.57}-{number:02d}"


def texts_of(figure):
    """Every text that is seen, with its box in inches."""
    from matplotlib.text import Text

    with house_style():
        renderer = figure.canvas.get_renderer()
        figure.canvas.draw()
        found = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
        boxes = np.array([text.get_window_extent(renderer).extents for text in found]) / figure.dpi
    return [text.get_text() for text in found], boxes.reshape(-1, 4)


def misplaced(figure):
    """Texts that leave the figure, and two that stand on each other."""
    texts, boxes = texts_of(figure)
    wide, high = figure.get_size_inches()
    slack = 0.02
    out = [
        text for text, (left, low, right, top) in zip(texts, boxes, strict=True)
        if left < -slack or low < -slack or right > wide + slack or top > high + slack
    ]  # fmt: skip
    left, low, right, top = boxes.T
    across = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    down = np.minimum(top[:, None], top) - np.maximum(low[:, None], low)
    both = np.triu((across > slack) & (down > slack), 1)  # boxes have some room above and below their letters
    return out, [(texts[i], texts[j]) for i, j in zip(*np.nonzero(both), strict=True)]


def labels(runs, items=120, topics=6):
    rng = np.random.default_rng(0)
    keys = {"item": np.arange(items), "topic": [f"t{item % topics}" for item in range(items)]}
    gold = rng.choice(5, p=(0.1, 0.2, 0.4, 0.2, 0.1), size=items) - 2
    moved = [np.clip(gold + rng.choice((-1, 1, 2), size=items), -2, 2) for _ in range(runs)]
    wrong = [rng.random(items) < 0.1 + 0.6 * run / runs for run in range(runs)]
    made = {long_name(run): np.where(wrong[run], moved[run], gold) for run in range(runs)}
    return pd.DataFrame({**keys, "label": gold}), {name: pd.DataFrame({**keys, "label": one}) for name, one in made.items()}


@cache
def scores(runs, measures):
    gold, made = labels(runs)
    found = mm.evaluate(gold, made, classes="-2..2", measures=MEASURES[:measures], baselines=True, ci=True, trials=20)
    tested = mm.compare(found, list(MEASURES[:measures]), trials=20)
    letters = {one.measure: dict(zip(one.runs, one.letters(), strict=True)) for one in tested.parts}
    return replace(found, groups=LetterGroups(letters, dict.fromkeys(letters, "a test")))


def matrices(measures=MEASURES, runs=8, topics=20):
    signs = [-1 if BETTER.get(measure) == "lower" else 1 for measure in measures]
    names = [long_name(run) for run in range(runs)]
    return [
        matrix(measure, sign * noisy(topics, runs, place // 2, 1 + place), names)
        for place, (measure, sign) in enumerate(zip(measures, signs, strict=True))
    ]


@cache
def ratings(annotators):
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, 60)
    rows = [
        {"item": item, "annotator": long_name(one), "label": int(np.clip(truth[item] + rng.integers(-1, 2), 1, 5))}
        for item in range(60)
        for one in range(annotators)
    ]
    return pd.DataFrame(rows)


def judged(measures):
    people, rng = ratings(4), np.random.default_rng(1)
    of_one = people[people["annotator"] == long_name(0)]["label"].to_numpy()
    judges = {
        f"judge-{long_name(one)}": pd.DataFrame({"item": range(60), "label": np.clip(of_one + rng.integers(-1, 2, 60), 1, 5)})
        for one in range(3)
    }
    return mm.judge(people, judges, classes="1..5", trials=20, measures=measures)


def distributions():
    _, gold, runs = quantification(topics=4)

    def frame(shares):
        rows = [
            {"topic": f"t{topic}", "class": label + 1, "probability": shares[topic, label]} for topic, label in np.ndindex(4, 5)
        ]
        return pd.DataFrame(rows)

    named = {long_name(place): frame(shares) for place, shares in enumerate(runs.values())}
    return mm.table(frame(gold), named, task="quantification", classes="1..5")


@cache
def rankings():
    rng = np.random.default_rng(0)
    keys = [{"segment": f"s{segment}", "item": f"i{item}"} for segment in range(20) for item in range(4)]
    gold = pd.DataFrame([key | {"rank": rank + 1} for key, rank in zip(keys, [*rng.permutation(4)] * 20, strict=True)])
    return gold, {long_name(run): pd.DataFrame([key | {"score": rng.random()} for key in keys]) for run in range(4)}


def best_vs_human():
    return mm.evaluate(*rankings(), task="ranking", measures=[f"best_vs_human@{rank}" for rank in (1, 2, 3)])


def with_bars():
    found, gold, runs = quantification(topics=20)
    shown = evidence(found, gold, runs)
    return mm.meta.deltas(found, "popularity-C", "uniform-C", measures="nmd,rnod", distributions=shown)


def two_data_sets():
    return {"a data set with a long name": matrices(), "another": matrices(topics=16)}


OTHERS = tuple(f"a-measure-of-somebody-else-with-a-name-of-sixty-characters-{number:02d}" for number in range(24))
QUICK = {"consistency": {"splits": 20}, "coverage": {}, "robustness": {}, "similarity": {}}
CHARTS = {
    "evaluate": lambda: scores(6, 5),
    "evaluate one measure": lambda: scores(6, 1),
    "evaluate 40 runs": lambda: scores(40, 5),
    "evaluate shares": best_vs_human,
    "compare": lambda: mm.compare(scores(6, 5), list(MEASURES), trials=50),
    "compare one measure": lambda: mm.compare(scores(40, 5), "cem_ord", trials=50),
    "compare against one": lambda: mm.compare(scores(6, 5), list(MEASURES), trials=50, against=long_name(2)),
    "table": lambda: mm.table(*labels(3), classes="-2..2"),
    "table distributions": distributions,
    "table rankings": lambda: mm.table(*rankings(), task="ranking"),
    "agree": lambda: mm.agree(ratings(4), classes="1..5", trials=20),
    "judge": lambda: judged("kappa_linear"),
    "judge five measures": lambda: judged(list(MEASURES)),
    "axioms": lambda: mm.axioms(["kappa_linear", "mae"], trials=0),
    "deltas": lambda: mm.meta.deltas(matrices(), long_name(0), long_name(7)),
    "deltas distributions": with_bars,
    "consistency sizes": lambda: mm.meta.consistency(matrices(), size=["half", 5], splits=20, trials=50),
    "summary": lambda: mm.meta.summary(matrices(OTHERS[:5]), better="higher", trials=50, splits=20),
    "similarity others": lambda: mm.meta.similarity(matrices(OTHERS), better="higher", trials=20),
    "discrimination others": lambda: mm.meta.discrimination(matrices(OTHERS), better="higher", trials=50),
} | {
    f"{question}{' of two data sets' * two}": lambda question=question, two=two: getattr(mm.meta, question)(
        two_data_sets() if two else matrices(), **QUICK.get(question, {"trials": 50})
    )
    for question in ("similarity", "consistency", "discrimination", "overlap", "contradictions", "coverage", "robustness")
    for two in (False, True)
}  # fmt: skip


@pytest.mark.each_time(7)
@pytest.mark.parametrize("width", ["column", pytest.param("page", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CHARTS)
def test_no_text_is_cut_off_or_stands_on_another(name, width):
    figure = _found(name).chart(width=width)
    assert figure.get_size_inches()[0] == {"column": 3.3, "page": 6.9}[width]
    assert misplaced(figure) == ([], [])
    assert {text.get_fontsize() for text in _all_texts(figure)} == {8.0}


@cache
def _found(name):
    return CHARTS[name]()


def _all_texts(figure):
    from matplotlib.text import Text

    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


class TestWidth:
    def test_inches(self):
        assert mm.meta.robustness(matrices()).chart(width=4.5).get_size_inches()[0] == 4.5

    @pytest.mark.parametrize("width", ["wide", "0.5", 1000, "nan"])
    def test_what_is_no_width(self, width):
        with pytest.raises(mm.UsageError, match="column, page, or inches from 2 to 40"):
            mm.meta.robustness(matrices()).chart(width=width)

    def test_on_the_command_line(self, run, tmp_path):
        gold, made = labels(2)
        gold.to_csv(tmp_path / "gold.csv", index=False)
        made[long_name(1)].to_csv(tmp_path / "run.csv", index=False)
        call = ("evaluate", tmp_path / "gold.csv", tmp_path / "run.csv", "--classes", "-2..2", "--measures", "accuracy")
        for written, points in (((), 237.6), (("--width", "page"), 496.8), (("--width", "4"), 288.0)):
            assert run(*call, "--chart", tmp_path / "chart.svg", *written)[0] == 0
            drawn = (tmp_path / "chart.svg").read_text(encoding="utf-8")
            assert re.search(r'<svg [^>]*\bwidth="([\d.]+)pt"', drawn)[1] == f"{points:g}"
        assert (run(*call, "--width", "page")[0], "add --chart FILE" in run(*call, "--width", "page")[2]) == (2, True)
        assert run(*call, "--chart", tmp_path / "other.svg", "--width", "wide")[0] == 2
        assert not (tmp_path / "other.svg").exists()

    def test_every_command_that_draws_has_it(self):
        from metameasure.cli.main import COMMANDS, cli

        context = click.Context(cli)
        commands = [cli.get_command(context, name) for name in COMMANDS]
        commands += [one for group in commands if isinstance(group, click.Group) for one in group.commands.values()]
        drawing = [one for one in commands if any("--chart" in option.opts for option in one.params)]
        assert len(drawing) >= 16
        assert all(any("--width" in option.opts for option in one.params) for one in drawing)


class TestLayout:
    def test_as_high_as_the_runs_need(self):
        few, many = (scores(runs, 1).chart().get_size_inches()[1] for runs in (3, 6))
        assert many - few > 3 * LINE

    def test_measures_have_panels_baselines_stand_apart_and_letters_in_a_column(self):
        figure = scores(6, 5).chart(width="page")
        panels = figure.get_axes()
        assert len(panels) == 5
        for axes in panels:
            runs, baselines = axes.get_lines()[-2:]
            assert len(runs.get_xdata()) == 6
            assert baselines.get_markerfacecolor() == PAPER
            pitches = [np.diff(line.get_ydata())[0] for line in (runs, baselines)]
            assert baselines.get_ydata()[0] - runs.get_ydata()[-1] > np.mean(pitches) + 0.1
            assert {text.get_position()[0] for text in axes.texts} == {0.06 * 72}  # one column, beside the panel
            assert len(axes.texts) == len(baselines.get_xdata()) + 6
        names = [tick.get_text() for axes in panels for tick in axes.get_yticklabels()]
        assert any(name == "majority" for name in names)

    def test_short_names_are_whole_and_long_ones_differ(self):
        assert fitted(["a", "b-c"], 1.0, 1) == ["a", "b-c"]
        names = [f"{'x' * 40}{number}{'y' * 40}" for number in range(3)]
        assert len({*fitted(names, 1.0, 1)}) == 3, "the middle, which differs, has to be left in"
        for name in fitted([long_name(1)], 1.3, 4):
            assert name.replace("\n", "") == long_name(1)
        assert text_width(wrapped("a sentence that has to be broken into lines", 0.8)) <= 0.8

    def test_symbols_as_in_latex(self):
        figure = mm.meta.robustness(matrices()).chart()
        names = [tick.get_text() for tick in figure.get_axes()[0].get_yticklabels()]
        assert {r"$\mathrm{CEM}^{\mathrm{ORD}}$", r"$\mathrm{κ}_{\mathrm{lin}}$", "Accuracy"} <= {*names}
        assert text_width(marked("MAE^M")) < text_width("MAE^M")

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("ends", [(0.41, 0.93), (-0.061, 0.97), (0.0, 2.03), (0.9991, 0.9999), (1e-9, 3e-9), (-1e4, 2e4)])
    @pytest.mark.parametrize("width", [0.34, 0.6, 2.5])
    def test_numbers_below_an_axis_are_round_and_within_it(self, ends, width):
        places, texts = tick_texts(ends, width)
        assert len(places) >= (2 if width > 1 else 1)
        assert all(ends[0] - 1e-9 <= place <= ends[1] + 1e-9 for place in places)
        assert len({*texts}) == len(texts)


class TestCurves:
    def test_zoomed_to_the_decision_with_the_most_powerful_first(self):
        found = mm.meta.discrimination(matrices(), trials=50)
        figure = found.chart()
        (axes,) = figure.get_axes()
        assert axes.get_ylim() == (0.0, pytest.approx(0.15))
        left, right = axes.get_xlim()
        crossings = found.pairs - found.counts
        assert left <= crossings.min()
        assert right >= min(found.pairs, crossings.max())
        assert left > 0
        told = [int(re.search(r"\((\d+)\)$", text.get_text())[1]) for text in figure.legends[0].get_texts()]
        assert told == sorted(found.counts, reverse=True)

    def test_nothing_significant(self):
        found = mm.meta.discrimination(
            [matrix("accuracy", noisy(4, 3, step=0.0)), matrix("mae", noisy(4, 3, 1, step=0.0))], trials=20
        )
        assert misplaced(found.chart()) == ([], [])


class TestHeatMaps:
    def test_scaled_to_their_values_in_the_order_of_the_groups(self):
        found = mm.meta.similarity(matrices(), trials=20)
        (axes,) = found.chart().get_axes()
        image, *lines = axes.collections
        shown = np.ma.filled(image.get_array(), np.nan)
        low, high = image.get_clim()
        assert high == pytest.approx(np.nanmax(shown))
        assert low == pytest.approx(np.nanmin(shown) - 0.1 * (high - np.nanmin(shown)))
        order = [measure for group in found.groups() for measure in group]
        expected = found.tau[found.measures.index(order[1]), found.measures.index(order[0])]
        assert shown[0, 0] == expected
        assert len(lines) == 2 * (len(found.groups()) - 1) - _lines_at_the_rim(found)

    def test_equal_values_and_none(self):
        same = noisy(10, 4)
        found = mm.meta.similarity([matrix("accuracy", same), matrix("cem_ord", same)], trials=5)
        assert misplaced(found.chart()) == ([], [])


def _lines_at_the_rim(found):
    """Lines before the first row and after the last column are left out."""
    ends = np.cumsum([len(group) for group in found.groups()])[:-1]
    return sum(end == 1 for end in ends) + sum(end == len(found.measures) - 1 for end in ends)


class TestConsistency:
    def test_they_are_drawn(self):
        found = mm.meta.consistency(matrices(), splits=50, trials=20)
        (axes,) = found.chart().get_axes()
        thin, thick = axes.collections
        np.testing.assert_allclose([segment[:, 0] for segment in thick.get_segments()], np.stack(found.interval(), axis=1))
        np.testing.assert_allclose([segment[:, 0] for segment in thin.get_segments()], np.stack(found.spread(), axis=1))


def test_svg_has_real_text_and_the_same_bytes_each_time(tmp_path):
    for number in (1, 2):
        scores(6, 1).chart(tmp_path / f"{number}.svg")
    drawn = (tmp_path / "1.svg").read_text(encoding="utf-8")
    assert drawn == (tmp_path / "2.svg").read_text(encoding="utf-8")
    texts = ["".join(one.itertext()).strip() for one in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314
    assert "majority" in texts
    assert "<dc:date>" not in drawn
