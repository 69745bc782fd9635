"""All measures over the runs, ordered by one of them: Avramidis (2013), Figure 1."""

from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.cli.main import main

DEMO = Path(mm.__file__).parent / "demo"
DATA = [str(DEMO / "gold.tsv"), str(DEMO / "runs/*.tsv"), "--classes", "-2..2"]


@pytest.fixture(scope="module")
def scores():
    chosen = "accuracy,cem_ord,kappa_linear,mae_macro,gold_entropy"
    return mm.evaluate(DATA[0], DATA[1], classes="-2..2", measures=chosen, baselines=True)


def test_the_runs_stand_in_the_order_of_the_measure_and_every_score_is_drawn(scores):
    left, right = scores.chart(order_by="kappa_linear").get_axes()
    names = [tick.get_text() for tick in left.get_yticklabels()]
    assert names == ["careful", "noisy", "bold", "coarse", "shifted", "neutral"]  # by kappa, and no baseline
    assert [len(axes.get_lines()) for axes in (left, right)] == [3, 1]  # what describes gold orders nothing
    for row, line in enumerate([*left.get_lines(), *right.get_lines()]):
        expected = [scores.averages()[row, scores.runs.index(name)] for name in names]
        np.testing.assert_array_equal(line.get_xdata(), expected)
        assert list(line.get_ydata()) == sorted(line.get_ydata())  # from the top down


def test_of_a_measure_that_is_better_when_lower_the_lowest_run_comes_first(scores):
    *_, right = scores.chart(order_by="MAE_MACRO").get_axes()
    (line,) = right.get_lines()
    assert list(line.get_xdata()) == sorted(line.get_xdata())
    assert line.get_linewidth() > 2


def test_one_scale_is_one_panel():
    found = mm.evaluate(DATA[0], DATA[1], classes="-2..2", measures="accuracy,cem_ord")
    assert len(found.chart(order_by="accuracy").get_axes()) == 1


@pytest.mark.parametrize(("name", "why"), [("acuracy", "did you mean 'accuracy'"), ("gold_entropy", "does not order runs")])
def test_a_measure_that_cannot_order_runs_is_refused(scores, name, why):
    with pytest.raises(mm.UsageError, match=why):
        scores.chart(order_by=name)


def test_the_command_draws_it(tmp_path, capsys):
    file = tmp_path / "measures.svg"
    assert main(["evaluate", *DATA, "--chart", str(file), "--order-by", "accuracy"]) == 0
    assert b"<svg" in file.read_bytes()
    capsys.readouterr()
    assert main(["evaluate", *DATA, "--order-by", "accuracy"]) == 2
    assert "add --chart FILE" in capsys.readouterr().err
