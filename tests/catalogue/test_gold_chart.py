"""``measures MEASURE --gold FILE --chart``: the classes with their sizes, and what every two of them are to each other."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.gold_worth import GoldWorth
from metameasure.core.scale import Scale

CLASSES = ("reject", "weak reject", "undecided", "weak accept", "accept")
SIZES = (7, 105, 193, 90, 7)  # Amigó et al. (2020), Figure 1, left


@pytest.fixture
def gold(tmp_path):
    labels = [label for label, size in zip(CLASSES, SIZES, strict=True) for _ in range(size)]
    file = tmp_path / "gold.tsv"
    file.write_text("item\tlabel\n" + "".join(f"{place}\t{label}\n" for place, label in enumerate(labels)))
    return file


def test_sizes_and_proximities_are_drawn(run, gold, tmp_path):
    status, out, err = run("measures", "cem_ord", "--gold", gold, "--classes", ",".join(CLASSES), "--chart", tmp_path / "one.svg")
    assert status == 0, err
    drawn = (tmp_path / "one.svg").read_text()
    for printed in ("6.84", "2.06", "0.23"):  # as the paper prints them
        assert f">{printed}<" in drawn
        assert printed in out
    for size in map(str, SIZES):
        assert f">{size}<" in drawn


def test_bars_are_as_high_as_classes_are_large():
    worth = GoldWorth.of(mm.measures["cem_ord"], np.array(SIZES, dtype=float), Scale.of(",".join(CLASSES)))
    bars = worth.chart(width="page").axes[0].patches
    assert [bar.get_height() for bar in bars] == list(SIZES)
    assert worth.to_dict()["table"][2][2] == pytest.approx(2.06, abs=0.005)
    assert len(worth.full_table().rows) == 25


def test_without_gold_a_chart_is_of_the_measures_range(run, tmp_path):
    assert run("measures", "cem_ord", "--chart", tmp_path / "range.svg")[0] == 0
    drawn = (tmp_path / "range.svg").read_text(encoding="utf-8")
    assert not [size for size in SIZES if f">{size}<" in drawn]


def test_a_chart_of_gold_needs_a_measure_that_shows_something(run, gold, tmp_path):
    status, _, err = run("measures", "pearson", "--gold", gold, "--classes", ",".join(CLASSES), "--chart", tmp_path / "one.svg")
    assert (status, "shows nothing about gold alone" in err) == (2, True)
    assert not (tmp_path / "one.svg").exists()
