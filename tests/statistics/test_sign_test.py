"""The sign test over data sets."""

import numpy as np
import pytest
from scipy.stats import binomtest

from metameasure.statistics.sign_test import FEWEST, sign_test


@pytest.mark.parametrize(("above", "below"), [(6, 0), (5, 1), (7, 3), (4, 4), (0, 9), (12, 3)])
def test_it_is_the_exact_binomial_test(above, below):
    p = sign_test([0.5] * above + [-0.5] * below + [0.0] * 3)
    assert p == pytest.approx(binomtest(above, above + below).pvalue)


def test_below_six_there_is_none():
    assert sign_test([1.0] * (FEWEST - 1) + [0.0] * 9) is None
    assert sign_test([1.0] * FEWEST) == pytest.approx(2 / 2**FEWEST)


@pytest.mark.parametrize("data_sets", [6, 9, 20])
@pytest.mark.parametrize("scales", ["alike", "of their own"])
def test_how_often_it_errs(data_sets, scales):
    """Measures that are equally good, on data sets with spreads that differ up to a hundredfold, some of them tied."""
    rng = np.random.default_rng(data_sets)
    spread = 1.0 if scales == "alike" else 10 ** rng.uniform(-1, 1, (4000, data_sets))
    gaps = rng.standard_t(3, (4000, data_sets)) * spread * (rng.random((4000, data_sets)) > 0.1)
    found = [sign_test(row) for row in gaps.tolist()]
    errors = np.mean([p is not None and p <= 0.05 for p in found])
    assert errors <= 0.05 + 3 * (0.05 * 0.95 / 4000) ** 0.5
    assert data_sets < 9 or errors > 0.005
