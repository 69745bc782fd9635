"""Comparisons drawn by their groups, and the analysis of variance behind them."""

import json
import re

import numpy as np
import pytest

import metameasure as mm
from metameasure.core.errors import UsageError
from metameasure.statistics.anova import two_way
from metameasure.statistics.tukey import critical_difference

# Montgomery (2017), Design and Analysis of Experiments, Example 4.1: strength of vascular grafts, four pressures on six batches
# of resin. Sums of squares 178.17, 192.25, 109.89; F = 8.11, p = .0019.
GRAFTS = np.array([
    [90.3, 92.5, 85.5, 82.5], [89.2, 89.5, 90.8, 89.5], [98.2, 90.6, 89.6, 85.6],
    [93.9, 94.7, 86.2, 87.4], [87.4, 87.0, 88.0, 78.9], [97.9, 95.8, 93.4, 90.7],
])  # fmt: skip


def grafts():
    return mm.ScoreMatrix("strength", [f"batch {n}" for n in range(6)], ["8500", "8700", "8900", "9100"], GRAFTS)


class TestAnova:
    def test_example_of_a_text_book(self):
        found = two_way(GRAFTS)
        assert [round(one.squares, 2) for one in (found.systems, found.topics, found.residual)] == [178.17, 192.25, 109.89]
        assert [one.freedom for one in (found.systems, found.topics, found.residual)] == [3, 5, 15]
        assert (round(found.systems.f, 2), round(found.systems.p, 4)) == (8.11, 0.0019)
        assert round(found.squares, 2) == 480.31

    @pytest.mark.needs("statsmodels")
    def test_as_statsmodels(self):
        import pandas as pd
        from statsmodels.formula.api import ols
        from statsmodels.stats.anova import anova_lm

        scores = np.random.default_rng(4).normal(size=(9, 5)) + np.arange(5) / 4
        topics, runs = np.indices(scores.shape)
        frame = pd.DataFrame({"y": scores.ravel(), "t": topics.ravel(), "r": runs.ravel()})
        peer = anova_lm(ols("y ~ C(r) + C(t)", frame).fit())
        found = two_way(scores)
        assert found.systems.p == pytest.approx(peer.loc["C(r)", "PR(>F)"], rel=1e-9)
        assert found.topics.f == pytest.approx(peer.loc["C(t)", "F"], rel=1e-9)
        assert found.residual.squares == pytest.approx(peer.loc["Residual", "sum_sq"], rel=1e-9)

    def test_in_the_table_and_in_json(self):
        found = mm.compare(grafts(), better="higher", test="classical", anova=True)
        told = found.render("table")
        assert re.search(r"^runs +178\.2 +3 +59\.39 +8\.11 +0\.002\*$", told, re.MULTILINE)
        assert re.search(r"^total +480\.3 +23$", told, re.MULTILINE)
        data = found.to_dict()["anova"]
        assert [*data] == ["runs", "topics", "residual"]
        assert data["residual"]["mean_square"] == pytest.approx(found.residual_variance)
        assert "anova" not in mm.compare(grafts(), better="higher", test="classical").to_dict()
        assert r"\caption{Two-way analysis of variance of strength: topics by runs.}" in found.render("latex")

    def test_runs_that_differ_by_the_same_on_every_topic_have_no_f(self):
        flat = np.arange(4.0)[:, None] + np.array([0.0, 1.0])
        found = two_way(flat)
        assert np.isnan(found.systems.f)
        assert np.isnan(found.systems.p)

    def test_needs_topics(self, run, tmp_path):
        (tmp_path / "g.csv").write_text("item,gold,a,b\n" + "".join(f"{n},x,x,y\n{n}b,y,y,y\n" for n in range(9)))
        status, told, errors = run("compare", str(tmp_path / "g.csv"), "--classes", "x,y", "--measures", "accuracy", "--anova")
        assert (status, told) == (2, "")
        assert "an analysis of variance needs a score of each run on each topic" in errors


def test_the_critical_difference_is_where_the_test_turns_significant():
    found = mm.compare(grafts(), better="higher", test="classical")
    distance = critical_difference(found.residual_variance, 6, 4, 0.05)
    # q(.05; 4, 15) = 4.08 in tables of the studentised range; s / sqrt(n) = sqrt(7.33 / 6)
    assert distance == pytest.approx(4.08 * np.sqrt(7.326 / 6), abs=0.01)
    gaps = np.abs(found.means[:, None] - found.means)
    assert ((gaps > distance) == found.significant).all()


def drawn(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts] + [text.get_text() for text in figure.texts]


class TestDiagrams:
    def test_critical(self):
        found = mm.compare(grafts(), better="higher", test="classical")
        figure = found.chart(diagram="critical")
        texts = drawn(figure)
        assert {"8500", "8700", "8900", "9100"} <= {*texts}
        assert any(text.startswith("CD = ") for text in texts)
        assert figure.get_size_inches()[0] == pytest.approx(3.3)
        (axes,) = figure.axes
        bars = [one for one in axes.collections if one.get_linewidths()[0] == 2.4]
        groups = {
            letter for letters in found.letters() for letter in letters if sum(letter in one for one in found.letters()) > 1
        }
        assert len(bars) == len(groups)
        ends = sorted(bars[0].get_segments()[0][:, 0])
        shared = [mean for mean, letters in zip(found.means, found.letters(), strict=True) if "a" in letters]
        assert ends == pytest.approx([min(shared), max(shared)])

    def test_no_critical_difference_where_none_holds_for_all_pairs(self):
        found = mm.compare(grafts(), better="higher", test="stepwise", trials=100)
        assert not any("CD" in text for text in drawn(found.chart(diagram="critical")))

    def test_letters(self):
        found = mm.compare(grafts(), better="higher", test="classical")
        means, groups = found.chart(diagram="letters").axes
        assert [label.get_text() for label in means.get_yticklabels()] == list(found.runs)
        assert [label.get_text() for label in groups.get_xticklabels()] == sorted({*"".join(found.letters())})

    @pytest.mark.thorough
    def test_forty_runs_by_six_measures_fit_a_page(self):
        rng = np.random.default_rng(0)
        runs = [f"a run with a long name {place}" for place in range(40)]
        cube = [
            mm.ScoreMatrix(f"m{m}", [*map(str, range(12))], runs, rng.normal(size=(12, 40)) + np.arange(40)) for m in range(6)
        ]
        found = mm.compare(cube, [f"m{m}" for m in range(6)], better="higher", test="classical")
        for diagram in ("critical", "letters", "means"):
            for width in ("column", "page"):
                assert found.chart(diagram=diagram, width=width).get_size_inches()[1] <= 9.2

    def test_no_groups_to_draw(self):
        with pytest.raises(UsageError, match="no groups to draw"):
            mm.compare(grafts(), better="higher", against="8500").chart(diagram="critical")
        with pytest.raises(UsageError, match="there is no diagram 'x'"):
            mm.compare(grafts(), better="higher").chart(diagram="x")

    def test_on_the_command_line(self, run, tmp_path):
        scores, chart = tmp_path / "s.csv", tmp_path / "c.svg"
        grafts().save(scores)
        status, told, _ = run(
            "compare", str(scores), "--better", "higher", "--test", "classical", "--chart", str(chart), "--diagram", "critical",
            "--format", "json",
        )  # fmt: skip
        assert status == 0
        assert json.loads(told)["test"] == "classical"
        assert ">CD = " in chart.read_text()
        assert run("compare", str(scores), "--better", "higher", "--diagram", "letters")[0] == 2
