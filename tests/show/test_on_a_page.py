"""No chart is taller than a page, and what it shows is seen at the width of a column."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.show.canvas import house_style
from metameasure.show.formats.latex import escaped
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.rows import dots, row_chart
from metameasure.show.sheet import TALLEST
from metameasure.show.symbols import marked


def maps(number, classes=3):
    names = [f"A_LONG_NAME_OF_CLASS_{place}" for place in range(classes)]
    values = np.full((classes, classes), 0.3)
    return [HeatMap(f"run {place}", values, names, names, [["1234"] * classes] * classes) for place in range(number)]


def test_a_hundred_rows_are_cut_at_the_end_of_a_page():
    with house_style():
        figure = row_chart([f"run {place}" for place in range(100)], [dots("x", np.arange(100.0))], 3.3)
        assert figure.get_size_inches()[1] <= TALLEST
        shown = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        assert shown == [f"run {place}" for place in range(len(shown))]
        assert any(text.get_text() == f"The first {len(shown)} of 100: a page has no room for more." for text in figure.texts)


@pytest.mark.each_time(1)
@pytest.mark.parametrize("width", [3.3, 6.9])
@pytest.mark.parametrize(("number", "left_out"), [(17, False), (200, True)])
def test_maps_of_many_runs(number, left_out, width):
    with house_style():
        figure = heat_maps(maps(number), width)
        assert figure.get_size_inches()[1] <= TALLEST
        assert (len(figure.axes) < number) is left_out
        assert any("are shown" in text.get_text() for text in figure.texts) is left_out


@pytest.mark.each_time(1)
@pytest.mark.parametrize("width", [3.3, 6.9])
@pytest.mark.parametrize("number", [1, 2, 6])
def test_maps_fill_the_width(number, width):
    with house_style():
        figure = heat_maps(maps(number, 5), width)
        right = max(axes.get_position().x1 for axes in figure.axes) * width
        assert right == pytest.approx(width - 0.04, abs=0.02)


def test_titles_stand_above_the_middle_of_their_maps():
    with house_style():
        figure = heat_maps(maps(1), 3.3)
        (title,) = (text for text in figure.texts if text.get_text() == "run 0")
        box = figure.axes[0].get_position()
        assert title.get_position()[0] == pytest.approx((box.x0 + box.x1) / 2)


def test_the_mark_of_a_score_is_narrower_than_a_short_interval():
    """4,927 items: an interval of .02 on an axis of .4 is 3.4 points long in a panel of .93 inches; a dot would hide it."""
    values = np.array([0.84, 0.49])
    with house_style():
        figure = row_chart(["a", "b"], [dots("x", values, ends=(values - 0.01, values + 0.01))], 3.3)
        marks = [line for line in figure.axes[0].lines if line.get_marker() == "|" and len(line.get_xdata())]
        assert [line.get_markeredgewidth() for line in marks] == [1.2]
        assert not [line for line in figure.axes[0].lines if line.get_marker() == "o" and len(line.get_xdata())]


def test_a_symbol_of_a_plugin_is_set_as_ours(tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from metameasure.plugin import measure\n"
        '@measure(id="halved_of_a_plugin", title="Half", better="higher", symbol="κ_half", formula="x", source="me")\n'
        "def halved(counts):\n    return counts[..., 0, 0] / (2 * counts.sum((-2, -1)))\n"
    )
    registry = mm.measures.with_plugins([plugin])
    gold, runs = ["x", "y"] * 20, {"a": ["x", "y"] * 20, "b": ["x", "x"] * 20}
    found = mm.compare(gold, runs, "halved_of_a_plugin", classes="x,y", registry=registry)
    assert r"$\kappa_{\mathrm{half}}$" in found.render("latex")
    assert any("half" in text.get_text() and "halved" not in text.get_text() for text in found.chart().texts)


def test_measures_are_drawn_by_their_ranges(run, tmp_path):
    chart = tmp_path / "measures.svg"
    status, told, _ = run("measures", "--task", "ranking", "--chart", str(chart))
    assert status == 0
    assert told == run("measures", "--task", "ranking")[1]
    assert "NDCG" in chart.read_text()
    assert run("measures", "--like", "sklearn", "--chart", str(chart))[0] == 2


def test_what_is_raised_or_lowered_in_a_symbol_is_set_so():
    own = {one.id: marked(one.symbol) for one in mm.measures.values() if one.symbol != one.id}
    assert [id for id, symbol in own.items() if {"^", "_"} & {*symbol}] == []
    assert escaped(marked("F_β^M")) == r"$\mathrm{F}_{\beta}^{\mathrm{M}}$"
    assert escaped(marked("τ_b_item")) == r"$\tau_{\mathrm{b,item}}$"
    assert [marked(name) for name in ("my_measure", "F1(NOT_SURE)")] == ["my_measure", "F1(NOT_SURE)"]
