"""Measures of distributions: the papers' numbers, edges, batches. References and SciPy are in test_quantification_reference."""

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.quantification.rnod import distance_weighted

ESTIMATE, GOLD = (0.2, 0.3, 0.5), (0.5, 0.3, 0.2)
UNIFORM = (0.25,) * 4
# Sakai (LQ 2021), Section 3: two estimates of a uniform gold over four classes.
SYSTEM_A, SYSTEM_B = (0.25, 0.35, 0.15, 0.25), (0.25, 0.25, 0.35, 0.15)


def value(name, predicted, gold, **options):
    return float(mm.measures[name](predicted, gold, **options))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("rnod", 0.3), ("rnod_gold", 0.1710), ("absolute_error", 0.2), ("squared_error", 0.06), ("relative_absolute_error", 0.7),
     ("kld", 0.3966), ("normalised_kld", 0.1366)],
)  # fmt: skip
def test_definitions(name, expected):
    assert value(name, ESTIMATE, GOLD) == pytest.approx(expected, abs=5e-5)


def test_order_aware_divergence_by_gold_mass():
    assert value("rnod_gold", ESTIMATE, GOLD) ** 2 * 2 == pytest.approx(0.0585, abs=5e-5)


def test_sakais_example():
    assert value("od", SYSTEM_A, UNIFORM) == pytest.approx(0.020)
    assert value("od", SYSTEM_B, UNIFORM) == pytest.approx(0.025)
    assert value("nmd", SYSTEM_A, UNIFORM) == pytest.approx(value("nmd", SYSTEM_B, UNIFORM))
    steps = np.abs(np.subtract.outer(range(4), range(4))).astype(float)
    weighted = distance_weighted(np.array([SYSTEM_A, SYSTEM_B]), np.array([UNIFORM, UNIFORM]), steps)
    np.testing.assert_allclose(weighted, [[0.03, 0.01, 0.01, 0.03], [0.05, 0.03, 0.01, 0.01]])


def test_rnod_is_not_bounded_by_1():
    assert value("rnod", (1, 0, 0, 0, 0), (0, 0.9, 0, 0.05, 0.05)) == pytest.approx(1.0028, abs=5e-5)


def test_a_point_mass_gold_hides_the_order_from_distances_by_gold_mass():
    gold = (0, 0, 1, 0)
    assert value("rnod_gold", (1, 0, 0, 0), gold) == pytest.approx(value("rnod_gold", (0, 1, 0, 0), gold))
    assert value("rnod", (1, 0, 0, 0), gold) > value("rnod", (0, 1, 0, 0), gold)


def test_divergences_at_the_edges():
    assert value("kld", (0.5, 0.5), (1, 0)) == math.inf
    assert value("kld", (1, 0), (0.5, 0.5)) == 1
    assert value("normalised_kld", (1, 0), (0.5, 0.5)) == 1
    assert value("jsd", (1, 0), (0, 1)) == 1
    assert value("jsd", (0.1, 0.2, 0.7), (0.1, 0.2, 0.7)) == 0
    assert math.isnan(value("relative_absolute_error", (0.5, 0.5), (1, 0)))


def test_what_is_no_distribution_scores_nan():
    for broken in ((0.5, 0.6), (1.1, -0.1), (math.nan, 1), (0, 0)):
        assert math.isnan(value("nmd", broken, (0.5, 0.5)))
        assert math.isnan(value("jsd", (0.5, 0.5), broken))
    assert value("nvd", (0.5, 0.5 + 5e-7), (0.5, 0.5)) < 1e-6


def test_an_empty_class_shows_that_nmd_assumes_equidistance():
    assert value("emd", (1, 0), (0, 1)) == 1
    assert value("emd", (1, 0, 0), (0, 0, 1)) == 2


def test_class_values_and_the_users_distances():
    classes = {"low": 0, "mid": 1, "high": 4}
    assert value("emd", (1, 0, 0), (0, 0, 1), classes=classes) == 4
    assert value("nmd", (0, 1, 0), (0, 0, 1), classes=classes) == pytest.approx(0.75)
    steps = np.abs(np.subtract.outer([0, 1, 4], [0, 1, 4]))
    for name in ("od", "sod", "nod", "snod", "rnod", "rsnod", "adw", "rnadw"):
        by_value = value(name, (0.1, 0.6, 0.3), GOLD, classes=classes)
        assert value(name, (0.1, 0.6, 0.3), GOLD, distance=steps) == pytest.approx(by_value)
        assert by_value != pytest.approx(value(name, (0.1, 0.6, 0.3), GOLD))


def test_one_estimate_against_many_golds():
    golds = np.random.default_rng(0).dirichlet(np.ones(4), (5, 6))
    scored = mm.measures["rnod"](np.array(UNIFORM), golds)
    assert scored.shape == (5, 6)
    assert scored[2, 3] == pytest.approx(value("rnod", UNIFORM, golds[2, 3]))


def test_labels_are_no_distributions():
    with pytest.raises(mm.UsageError, match="nmd is not a measure of labels"):
        mm.score(["a"], ["b"], "nmd", classes=["a", "b"])
    with pytest.raises(mm.UsageError, match="not a measure of labels"):
        mm.scorer("nmd", classes=["a", "b"])


def test_with_one_class_there_is_nothing_to_be_wrong_about():
    for name in ("rps", "rps_normalised"):
        assert float(mm.measures.of_task("quantification")[name]([1.0], [1.0], classes=["a"])) == 0
