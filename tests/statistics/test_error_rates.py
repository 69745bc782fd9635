"""The simulations behind docs/comparisons.md: that they are of the tests and settings they say, and a small part done again."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from metameasure.statistics.tukey import classical_tukey_hsd

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import tests_side_by_side

    yield tests_side_by_side
    sys.modules.pop("tests_side_by_side")


def published():
    with (BENCHMARKS.parent / "docs/error_rates.csv").open(encoding="utf-8", newline="") as stream:
        return {(row["setting"], row["test"]): (float(row["error"]), float(row["power"])) for row in csv.DictReader(stream)}


def test_the_results_are_of_all_settings_and_tests(benchmark):
    assert list(published()) == [(setting.name, test) for setting in benchmark.SETTINGS for test in benchmark.TESTS]


def test_stepwise_holds_its_level_and_finds_more():
    found = published()
    errors = [error for (_, test), (error, _) in found.items() if test == "stepwise" and not np.isnan(error)]
    assert max(errors) < 0.062
    weak = "two good runs, three fair ones and a weak one, normal"
    assert found[weak, "stepwise"][1] > found[weak, "tukey"][1] + 0.3
    assert found["three groups, normal", "stepwise"][1] > found["three groups, normal", "tukey"][1] + 0.1


def test_the_short_cut_of_the_classical_test(benchmark):
    for number in range(5):
        scores = benchmark.SETTINGS[12].scores(np.random.default_rng(number))
        np.testing.assert_array_equal(benchmark.classical(scores) < 0.05, classical_tukey_hsd(scores) < 0.05)


@pytest.mark.parametrize(
    "name", ["all equal, unequal variances", pytest.param("two groups of four, normal", marks=pytest.mark.slow)]
)
def test_a_small_part_done_again(benchmark, name):
    (setting,) = [setting for setting in benchmark.SETTINGS if setting.name == name]
    again = benchmark.rates(setting, 200, 499, seed=1)
    error, power = again["stepwise"]
    assert error < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    for test in ("stepwise", "tukey"):
        expected = published()[name, test]
        assert again[test][0] == pytest.approx(expected[0], abs=4 * np.sqrt(max(expected[0], 0.02) / 200))
        if not np.isnan(power):
            assert again[test][1] == pytest.approx(expected[1], abs=0.1)
