"""Measures of probabilities: values computed twice elsewhere, and scikit-learn's on random data with ties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import metameasure as mm

OURS = mm.measures.of_task("probabilities")
CLASSES = ["0", "1", "2"]
GOLD = np.eye(3)[[0, 0, 1, 1, 1, 2, 2, 2, 2, 1]]
BELIEVED = np.array(
    [
        [0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.1, 0.8, 0.1], [0.3, 0.5, 0.2], [0.6, 0.3, 0.1],
        [0.1, 0.2, 0.7], [0.2, 0.2, 0.6], [0.25, 0.5, 0.25], [0, 0.1, 0.9], [0.2, 0.7, 0.1],
    ]
)  # fmt: skip
TIED, POSITIVE = np.array([0.9, 0.8, 0.8, 0.8, 0.3, 0.3]), np.array([1, 0, 1, 0, 1, 0])


def value(name, believed=BELIEVED, gold=GOLD, classes=CLASSES):
    return float(OURS[name](believed, gold, classes=classes))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("log_loss", 0.610906),
        ("brier", 0.3415),
        ("brier@0", 0.10625),
        ("brier@1", 0.141),
        ("brier@2", 0.09425),
        ("rps", 0.2005),
        ("auc@0", 0.9375),
        ("auc@1", 0.895833),
        ("auc@2", 1),
        ("auc", 0.944444),
        ("auc_weighted", 0.945833),
        ("auc_ovo", 0.942708),
        ("average_precision@0", 0.833333),
        ("average_precision@2", 1),
        ("ece@3", 0.16),
        ("ece@5", 0.2),
        ("ece@10", 0.2),
        ("ece", 0.2),
        ("ece@3:by=mass", 0.16),
        ("ece@5:by=mass", 0.2),
        ("ece_classwise", 0.243333),
        ("ece_debiased@3", 0.106833),
        ("ece_squared@3", 0.0020),
        ("ece_squared@3:by=mass", 0.0047),
    ],
)
def test_values_of_the_definitions(name, expected):
    assert value(name) == pytest.approx(expected, abs=5e-7)


def test_squared_error_of_distributions_is_the_brier_score_divided_by_the_classes():
    each = mm.measures["squared_error"](BELIEVED, GOLD)
    assert np.mean(each) * 3 == pytest.approx(value("brier"), abs=1e-12)
    assert np.mean(mm.measures["rps"](BELIEVED, GOLD)) == pytest.approx(value("rps"), abs=1e-12)


def test_ties_of_average_precision_are_broken_in_expectation():
    believed, gold = np.stack([1 - TIED, TIED], axis=1), np.eye(2)[POSITIVE]
    assert value("average_precision@1", believed, gold, ["0", "1"]) == pytest.approx(0.757407, abs=5e-7)
    assert value("auc@1", believed, gold, ["0", "1"]) == pytest.approx(0.611111, abs=5e-7)
    assert value("average_precision@1") == pytest.approx(0.885417, abs=5e-7)  # a tie of .2: scikit-learn has .854167


def test_the_bins_of_five():
    made = mm.table([0, 0, 1, 1, 1, 2, 2, 2, 2, 1], {"run": BELIEVED}, classes=CLASSES)
    rows = made.to_dict()["runs"][0]["bins"]
    by_five = {}
    for row in rows:
        five = math.ceil(row["high"] * 5 - 1e-9)
        items, sure, right = by_five.get(five, (0, 0.0, 0.0))
        by_five[five] = (
            items + row["items"], sure + row["items"] * row["confidence"], right + row["items"] * row["right"],
        )  # fmt: skip
    found = [(items, round(sure / items, 6), round(right / items, 6)) for items, sure, right in by_five.values()]
    assert found == [(1, 0.4, 1), (4, 0.55, 0.5), (4, 0.725, 1), (1, 0.9, 1)]


def _random(rng, classes, items, *, ties):
    believed = rng.dirichlet(np.ones(classes), items)
    if ties:
        steps = rng.multinomial(6, np.full(classes, 1 / classes), items)
        believed = steps / 6
    return believed, rng.permutation(np.arange(items) % classes)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_scikit_learn_has_the_same(classes, ties):
    from sklearn import metrics

    rng = np.random.default_rng(classes)
    labels = [str(place) for place in range(classes)]
    for items in (classes * 2, 57, 400):
        believed, label = _random(rng, classes, items, ties=ties)
        gold = np.eye(classes)[label]

        def ours(name, believed=believed, gold=gold):
            return value(name, believed, gold, labels)

        score = believed if classes > 2 else believed[:, 1]
        for name, how in (
            ("auc", {"multi_class": "ovr"}),
            ("auc_weighted", {"multi_class": "ovr", "average": "weighted"}),
            ("auc_ovo", {"multi_class": "ovo"}),
        ):
            assert ours(name) == pytest.approx(metrics.roc_auc_score(label, score, **how), abs=1e-9), name
        assert ours("brier") == pytest.approx(metrics.brier_score_loss(label, believed, scale_by_half=False), abs=1e-9)
        if not ties:
            assert ours("log_loss") == pytest.approx(metrics.log_loss(label, believed), abs=1e-9)
            expected = metrics.average_precision_score(label == 0, believed[:, 0])
            assert ours("average_precision@0") == pytest.approx(expected, abs=1e-9)
        else:
            assert ours("average_precision@0") == pytest.approx(_in_every_order(label == 0, believed[:, 0], rng), abs=0.02)


def _in_every_order(positive, score, rng):
    """Scikit-learn's average precision with ties broken at random, on average."""
    from sklearn.metrics import average_precision_score

    broken = [average_precision_score(positive, score + rng.random(len(score)) * 1e-6) for _ in range(400)]
    return np.mean(broken)


def test_many_items_are_counted_by_another_road_to_the_same_value():
    """Above some thousand items, positive and negative ones are sorted apart."""
    rng = np.random.default_rng(1)
    believed, label = _random(rng, 3, 6000, ties=True)
    gold = np.eye(3)[label]
    together = mm.measures.of_task("probabilities")["auc@1"].of_each_item(believed, gold, classes=CLASSES).mean()
    assert value("auc@1", believed, gold) == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize("name", ["auc", "auc@1", "auc_weighted", "auc_ovo", "average_precision@1"])
def test_what_items_add_is_what_the_value_changes_by_without_them(name):
    """Their mean is the value, and they are the jackknife's pseudo-values but for a constant."""
    believed, label = _random(np.random.default_rng(2), 3, 31, ties=True)
    gold, items = np.eye(3)[label], 31
    found = OURS[name].of_each_item(believed, gold, classes=CLASSES)
    without = np.array([value(name, np.delete(believed, one, 0), np.delete(gold, one, 0)) for one in range(items)])
    changes = (items - 1) * (value(name, believed, gold) - without)
    np.testing.assert_allclose(found, value(name, believed, gold) + changes - changes.mean(), atol=1e-12)


@pytest.mark.parametrize("ranked", [(0.5,) * 5, (0.9, 0.8, 0.8, 0.3, 0.2), (0.9, 0.9, 0.6, 0.6, 0.6)])
def test_what_items_add_to_an_average_precision_where_few_stand_before_them(ranked):
    believed, gold = np.stack([1 - np.array(ranked), ranked], axis=1), np.eye(2)[[1, 1, 0, 1, 0]]
    measure = mm.measures.of_task("probabilities")["average_precision@1"]
    whole, *without = (
        float(measure(np.delete(believed, one, 0), np.delete(gold, one, 0), classes=[0, 1])) for one in ([], 0, 1, 2, 3, 4)
    )
    changes = 4 * (whole - np.array(without))
    found = measure.of_each_item(believed, gold, classes=[0, 1])
    np.testing.assert_allclose(found, whole + changes - changes.mean(), atol=1e-12)


@pytest.mark.parametrize("name", ["ece_debiased", "ece_squared", "ece_debiased@8:by=mass"])
def test_what_items_add_to_calibration_is_close_to_that(name):
    rng = np.random.default_rng(3)
    believed, label = _random(rng, 3, 900, ties=False)
    gold, items = np.eye(3)[label], 900
    found = OURS[name].of_each_item(believed, gold, classes=CLASSES)
    assert found.mean() == pytest.approx(value(name, believed, gold), abs=1e-12)
    some = rng.integers(0, items, 60)
    without = np.array([value(name, np.delete(believed, one, 0), np.delete(gold, one, 0)) for one in some])
    changes = (items - 1) * (value(name, believed, gold) - without)
    assert np.corrcoef(found[some], changes)[0, 1] > 0.95


def _slopes(of_bin, number, believed, right):
    """How much what a bin adds changes with the number of its items, the sum of their probabilities and of those right."""
    at, step = np.array([number, believed, right], dtype=float), 1e-4 * np.eye(3)
    return [(of_bin(*(at + one)) - of_bin(*(at - one))) / 2e-4 for one in step]


@pytest.mark.parametrize("name", ["ece_debiased@3", "ece_squared@3"])
def test_what_an_item_adds_to_calibration_is_the_slope_of_the_definition(name):
    """An item is one more of its bin, with its probability, and right or not."""

    def of_bin(number, believed, right):
        gap, share = (believed - right) / number, right / number
        if name.startswith("ece_squared"):
            return number * (gap**2 - share * (1 - share) / (number - 1))
        deviation = math.sqrt(share * (1 - share) / number)
        return number * (2 * abs(gap) - stats.foldnorm.mean(abs(gap) / deviation, scale=deviation))

    believed = np.array([0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.75, 0.85, 0.9, 0.95, 0.8])
    right = np.array([1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1.0])
    bins = np.ceil(believed * 3)
    expected = np.zeros(11)
    for one in np.unique(bins):
        here = bins == one
        by_number, by_believed, by_right = _slopes(of_bin, here.sum(), believed[here].sum(), right[here].sum())
        expected[here] = by_number + by_believed * believed[here] + by_right * right[here]
    rest = (1 - believed) / 2
    probabilities = np.stack([believed, rest, rest], axis=1)
    gold = np.where(right[:, None] == 1, np.eye(3)[0], np.eye(3)[1])
    found = OURS[name].of_each_item(probabilities, gold, classes=CLASSES)
    np.testing.assert_allclose(found - found.mean(), expected - expected.mean(), atol=1e-5)


def test_the_brier_score_of_one_class_is_of_one():
    assert value("brier@0") < value("brier")
    with pytest.raises(mm.UsageError, match=r"no class '0\+1'"):
        value("brier@0+1")


def test_the_interval_of_an_area_is_that_of_delong():
    """The standard error of DeLong et al. (1988), by its own formula, but for m / (m - 1)."""
    rng = np.random.default_rng(4)
    label = (rng.random(300) < 0.3).astype(int)
    score = 1 / (1 + np.exp(-(rng.normal(size=300) + label)))
    believed, gold = np.stack([1 - score, score], axis=1), np.eye(2)[label]
    won = (score[label == 1][:, None] > score[label == 0]) + 0.5 * (score[label == 1][:, None] == score[label == 0])
    delong = won.mean(axis=1).var(ddof=1) / won.shape[0] + won.mean(axis=0).var(ddof=1) / won.shape[1]
    found = OURS["auc@1"].of_each_item(believed, gold, classes=["0", "1"])
    assert found.var(ddof=1) / 300 == pytest.approx(delong, rel=0.02)


def test_gold_of_several_classes_is_an_expectation():
    """The mean over all ways in which the items may have classes, each with its chance."""
    believed, gold = BELIEVED[:4], np.array([[0.5, 0.5, 0], [1, 0, 0], [0.25, 0.25, 0.5], [0, 1, 0]])
    for name in ("log_loss", "brier", "brier@1", "rps"):
        expected = 0.0
        for places in np.ndindex(3, 3, 3, 3):
            chance = math.prod(gold[item, place] for item, place in enumerate(places))
            expected += chance * value(name, believed, np.eye(3)[list(places)]) if chance else 0.0
        assert value(name, believed, gold) == pytest.approx(expected, abs=1e-12), name
    won = pairs = 0.0
    for one in range(4):
        for other in range(4):
            weight = gold[one, 1] * (1 - gold[other, 1]) * (one != other)
            won += weight * ((believed[one, 1] > believed[other, 1]) + (believed[one, 1] == believed[other, 1]) / 2)
            pairs += weight
    assert value("auc@1", believed, gold) == pytest.approx(won / pairs, abs=1e-12)
    assert math.isnan(value("average_precision@1", believed, gold))


def test_where_there_is_no_value():
    one_class = np.eye(3)[[1, 1, 1]]
    believed = BELIEVED[:3]
    for name in ("auc", "auc_weighted", "auc_ovo", "auc@0", "auc@1", "average_precision@0"):
        assert math.isnan(value(name, believed, one_class)), name
    why = OURS["auc@0"].why_undefined(believed, one_class, classes=CLASSES)
    assert [reason for reason, there in why.items() if there] == ["no positive"]
    why = OURS["auc@1"].why_undefined(believed, one_class, classes=CLASSES)
    assert [reason for reason, there in why.items() if there] == ["no negative"]
    alone = np.ones((3, 1))
    assert math.isnan(value("auc", alone, alone, classes=["0"]))
    two = np.eye(3)[[0, 0, 1]]  # class 2 is out of the mean
    assert value("auc", believed, two) == pytest.approx((value("auc@0", believed, two) + value("auc@1", believed, two)) / 2)


def test_probability_zero_of_what_happens_is_infinitely_bad():
    assert value("log_loss", np.array([[1.0, 0, 0]]), np.eye(3)[[1]]) == math.inf
    assert value("log_loss", np.array([[1.0, 0, 0]]), np.eye(3)[[0]]) == 0
    assert math.isnan(value("log_loss", np.array([[0.5, 0.2, 0]]), np.eye(3)[[0]]))


def test_names_of_scikit_learn():
    for name, ours in (("roc_auc", "auc"), ("roc_auc_ovo", "auc_ovo"), ("neg_log_loss", "log_loss"), ("brier_score", "brier")):
        assert OURS[name].id == ours
    assert OURS["roc_auc_score(multi_class='ovo')"].id == "auc_ovo"
    assert mm.measures["rps"].tasks == ("quantification",)
    assert {measure.tasks[0] for measure in mm.measures.called("rps")} == {"quantification", "probabilities"}
