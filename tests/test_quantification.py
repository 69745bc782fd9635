"""Measures of distributions: the papers' numbers, references written apart, SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.catalogue.quantification.order_aware import distance_weighted

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
    weighted = distance_weighted(np.array([SYSTEM_B]), np.array([UNIFORM]), steps)[0]
    np.testing.assert_allclose(weighted, [0.05, 0.03, 0.01, 0.01])


def test_rnod_is_not_bounded_by_1():
    assert value("rnod", (1, 0, 0, 0, 0), (0, 0.9, 0, 0.05, 0.05)) == pytest.approx(1.0028, abs=5e-5)


def test_footnote_2_of_sakai_lq_asks_too_little():
    """It says a gold without zeros makes OD symmetric; it takes equal supports."""
    point = (1, 0, 0, 0)
    assert value("od", point, UNIFORM) == pytest.approx(1.0625)
    assert value("od", UNIFORM, point) == pytest.approx(0.375)


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


def naive(name, p, q):
    """Each formula in plain Python, class by class."""
    c, d = len(p), [a - b for a, b in zip(p, q, strict=True)]

    def dw(i, delta):
        return sum(delta(i, j) * d[j] ** 2 for j in range(c))

    def od(gold, delta=lambda i, j: abs(i - j)):
        present = [i for i in range(c) if gold[i] > 0]
        return sum(dw(i, delta) for i in present) / len(present)

    def mass(i, j):
        return sum(q[min(i, j) : max(i, j) + 1]) - (q[i] + q[j]) / 2

    def kl(a, b):
        return (
            math.inf
            if any(x > 0 and y == 0 for x, y in zip(a, b, strict=True))
            else sum(x * math.log2(x / y) for x, y in zip(a, b, strict=True) if x > 0)
        )

    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    emd = sum(abs(sum(d[: i + 1])) for i in range(c))
    adw = sum(dw(i, lambda i, j: abs(i - j)) for i in range(c)) / c
    sod = (od(q) + od(p)) / 2
    k = kl(q, p) * math.log(2)
    return {
        "emd": emd, "nmd": emd / (c - 1), "od": od(q), "sod": sod, "nod": od(q) / (c - 1), "snod": sod / (c - 1),
        "rnod": math.sqrt(od(q) / (c - 1)), "rsnod": math.sqrt(sod / (c - 1)), "adw": adw, "rnadw": math.sqrt(adw / (c - 1)),
        "rnod_gold": math.sqrt(od(q, mass) / (c - 1)), "rnadw_gold": math.sqrt(sum(dw(i, mass) for i in range(c)) / c / (c - 1)),
        "nvd": sum(map(abs, d)) / 2, "rnss": math.sqrt(sum(x * x for x in d) / 2), "absolute_error": sum(map(abs, d)) / c,
        "squared_error": sum(x * x for x in d) / c,
        "relative_absolute_error": math.nan if min(q) == 0 else sum(abs(x) / y for x, y in zip(d, q, strict=True)) / c,
        "kld": kl(p, q), "normalised_kld": 1.0 if math.isinf(k) else 2 * math.exp(k) / (1 + math.exp(k)) - 1,
        "jsd": (kl(p, middle) + kl(q, middle)) / 2,
    }[name]  # fmt: skip


def pairs(classes):
    from metameasure.testing.cases import distributions

    return distributions(classes)


@pytest.mark.parametrize("classes", [2, 3, 5, 11, 50])
@pytest.mark.parametrize("name", [name for name, measure in mm.measures.items() if "quantification" in measure.tasks])
def test_naive(name, classes):
    estimates, golds = pairs(classes)
    expected = [naive(name, p.tolist(), q.tolist()) for p, q in zip(estimates, golds, strict=True)]
    np.testing.assert_allclose(mm.measures[name](estimates, golds), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 5, 50])
def test_scipy(classes):
    distance = pytest.importorskip("scipy.spatial.distance", reason="SciPy is not installed")
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    estimates, golds = pairs(classes)
    with np.errstate(invalid="ignore"):  # SciPy has NaN for some equal pairs
        jsd = np.nan_to_num(distance.jensenshannon(estimates, golds, base=2, axis=1)) ** 2
    np.testing.assert_allclose(mm.measures["jsd"](estimates, golds), jsd, atol=1e-12)
    ranks = np.arange(classes)
    emd = [stats.wasserstein_distance(ranks, ranks, p, q) for p, q in zip(estimates, golds, strict=True)]
    np.testing.assert_allclose(mm.measures["emd"](estimates, golds), emd, atol=1e-9)


shares = st.lists(st.floats(0, 1), min_size=2, max_size=6).filter(lambda values: sum(values) > 0.01)


@given(st.floats(0, 1), st.floats(0, 1))
def test_with_two_classes_nmd_rnod_and_rsnod_are_one(p, q):
    estimate, gold = (p, 1 - p), (q, 1 - q)
    expected = abs(p - q)
    for name in ("nmd", "rnod", "rsnod"):
        assert value(name, estimate, gold) == pytest.approx(expected, abs=1e-9)


@given(shares, st.randoms())
def test_order_aware_divergence_is_symmetric_under_equal_supports(values, random):
    gold = np.array(values) / sum(values)
    other = np.where(gold > 0, [random.random() + 0.01 for _ in values], 0)
    other /= other.sum()
    assert value("od", other, gold) == pytest.approx(value("od", gold, other), abs=1e-12)


def test_labels_are_no_distributions():
    with pytest.raises(mm.UsageError, match="nmd is not a measure of labels"):
        mm.score("nmd", ["a"], ["b"], classes=["a", "b"])
    with pytest.raises(mm.UsageError, match="not a measure of labels"):
        mm.scorer("nmd", classes=["a", "b"])
