"""Calling measures: what goes in, what comes out, what is refused."""

import dataclasses
import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue import arrays
from metameasure.catalogue.classification.tables import TABLES
from metameasure.catalogue.entailment.orders import BELIEF, score_totals
from metameasure.catalogue.facts import Bound
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.sources import Citation

TABLE = [[2, 1, 0], [0, 3, 1], [1, 0, 4]]
FACTS = {
    "id": "probe",
    "title": "t",
    "symbol": "s",
    "tasks": ("classification",),
    "inputs": TABLES,
    "better": "higher",
    "range": (0, 1),
    "perfect": 1,
    "scale": "nominal",
    "formula": "f",
    "use": "u",
    "source": (),
    "undefined": (),
}


def test_ten_thousand_tables_at_once():
    counts = np.random.default_rng(0).integers(0, 20, (10_000, 5, 5))
    scored = mm.measures["kappa_linear"](counts)
    assert scored.shape == (10_000,)
    assert scored[1234] == pytest.approx(mm.measures["kappa_linear"](counts[1234]), abs=1e-12)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda counts: counts.sum(), r"probe gives one number for 4 cases, not an array of shape \(4,\); .*axis=\(-2, -1\)"),
        (lambda counts: 0.5, "probe gives one number for 4 cases"),
        (lambda counts: counts.sum(-1), r"an array of shape \(4, 3\) for 4 cases"),
        (lambda counts: counts.sum((-2, -1), keepdims=True), r"an array of shape \(4, 1, 1\)"),
    ],
)
def test_a_formula_that_is_not_one_number_a_case_is_refused(formula, message):
    """Spread over the batch, one number would be every run's score."""
    probe = mm.measure(**FACTS)(formula)
    with pytest.raises(mm.UsageError, match=message):
        probe([TABLE] * 4)
    with pytest.raises(mm.UsageError, match="sum over the axes of one case only"):
        probe(TABLE)


def test_which_axis_of_a_ranking_to_sum_over():
    ranks = dataclasses.replace(
        mm.measures["average_predicted_rank"], function=lambda predicted, gold: predicted.sum(), parameter=None
    )
    with pytest.raises(mm.UsageError, match="axis=-1: the first axis is the batch"):
        ranks([[1, 2], [2, 1]], [[1, 2], [1, 2]])


@pytest.mark.needs("torch")
def test_torch_in_torch_out():
    import torch

    counts = torch.randint(0, 20, (1000, 5, 5))
    scored = mm.measures["kappa_linear"](counts)
    assert isinstance(scored, torch.Tensor)
    assert scored.dtype == torch.float64
    np.testing.assert_allclose(scored.numpy(), mm.measures["kappa_linear"](counts.numpy()), atol=1e-12)


@pytest.mark.needs("torch")
def test_gradients_flow_through_torch():
    import torch

    counts = torch.tensor(TABLE, dtype=torch.float64, requires_grad=True)
    mm.measures["cem_ord"](counts).backward()
    assert torch.all(torch.isfinite(counts.grad))


@pytest.mark.needs("jax")
def test_jax_in_double_precision_under_jit():
    import jax

    tables = np.random.default_rng(0).integers(0, 20, (50, 4, 4))
    with jax.enable_x64(new_val=True):
        for name in ("cem_ord", "alpha_ordinal", "oci", "pearson", "mutual_information"):
            scored = jax.jit(mm.measures[name])(jax.numpy.asarray(tables))
            np.testing.assert_allclose(np.asarray(scored), mm.measures[name](tables), atol=1e-12)


@pytest.mark.needs("jax")
def test_rankings_under_jit():
    import jax

    rng = np.random.default_rng(0)
    with jax.enable_x64(new_val=True):
        for cases, items in ((50, 5), (3, 14)):  # sorted by exchanging neighbours, and by the library; ties of more than 3
            ranks = rng.integers(1, 5, (2, cases, items)).astype(float)
            for name in ("err", "ndcg", "mrr", "tau@b", "average_predicted_rank", "err@ties=worst:relevance=ceiling"):
                scored = jax.jit(mm.measures[name])(*jax.numpy.asarray(ranks))
                np.testing.assert_allclose(np.asarray(scored), mm.measures[name](*ranks), atol=1e-12)


def test_lists_and_tuples_are_tables_too():
    assert mm.measures["accuracy"](TABLE) == pytest.approx(0.75)
    assert isinstance(mm.measures["accuracy"](TABLE), float)


def test_blocks_do_not_show(monkeypatch):
    counts = np.random.default_rng(0).integers(0, 9, (257, 4, 4))
    whole = {name: mm.measures[name](counts) for name in ("cem_ord", "alpha_ordinal", "oci")}
    monkeypatch.setattr(arrays, "_CACHE_CELLS", 100)
    for name, expected in whole.items():
        np.testing.assert_allclose(mm.measures[name](counts), expected, atol=1e-13)


def test_many_cases_are_computed_in_few_calls():
    """Of 50,000 small tables each call of the formula has thousands."""
    calls = []

    def formula(counts):
        calls.append(len(counts))
        return counts[..., 0, 0] * 0 + 1

    mm.measure(**FACTS)(formula)(np.ones((50_000, 3, 3)))
    assert sum(calls) == 50_000
    assert min(calls) > 1000


@pytest.mark.parametrize("shape", [(3, 2), (0, 0), (3,), (), (5, 3, 4)])
def test_shapes_that_are_no_table(shape):
    with pytest.raises(mm.UsageError, match=r"axes|shape"):
        mm.measures["accuracy"](np.ones(shape))


def test_complex_counts():
    with pytest.raises(mm.UsageError, match="complex"):
        mm.measures["accuracy"](np.ones((2, 2)) * 1j)


def test_wrong_number_of_arrays():
    with pytest.raises(mm.UsageError, match=r"takes 1 array, not 2"):
        mm.measures["accuracy"](TABLE, TABLE)


def test_a_parameter_still_missing():
    with pytest.raises(mm.UsageError, match=r"accuracy@n lacks its n; as in accuracy@1"):
        mm.measures["accuracy@n"](TABLE)


def test_class_names_need_classes():
    with pytest.raises(mm.UsageError, match="class 'a' is named, but not which classes there are; pass classes="):
        mm.measures["recall@a+b"](TABLE)
    assert mm.measures["recall@a"](TABLE, classes=["a", "b", "c"]) == pytest.approx(2 / 3)


def test_wrong_number_of_classes():
    with pytest.raises(mm.UsageError, match="2 classes are declared, but the arrays have 3"):
        mm.measures["accuracy"](TABLE, classes=["a", "b"])


def test_ordinal_measures_refuse_nominal_classes():
    nominal = mm.Scale(("a", "b", "c"), "nominal")
    assert mm.measures["accuracy"](TABLE, classes=nominal) == pytest.approx(0.75)
    with pytest.raises(mm.UsageError, match="declared nominal"):
        mm.measures["mae"](TABLE, classes=nominal)


@pytest.mark.parametrize(
    ("name", "distance", "complaint"),
    [
        ("kappa_weighted", None, "needs distances"),
        ("kappa_weighted", np.ones((2, 2)), "shape"),
        ("kappa_weighted", np.full((3, 3), np.nan), "finite"),
        ("kappa_weighted", np.ones((3, 3)) * -1, "negative"),
        ("kappa_weighted", np.ones((3, 3)), "to itself"),
        ("alpha_weighted", np.triu(np.ones((3, 3)), 1), r"by direction \(row 1, column 2\)"),
    ],
)
def test_distances_that_are_wrong(name, distance, complaint):
    with pytest.raises(mm.UsageError, match=complaint):
        mm.measures[name](TABLE, distance=distance)


def test_distances_of_the_user_generalise_the_built_in_ones():
    steps = np.abs(np.subtract.outer(range(3), range(3)))
    for weighted, distance, built_in in [
        ("kappa_weighted", steps, "kappa_linear"),
        ("kappa_weighted", steps**2, "kappa_quadratic"),
        ("kappa_weighted", steps > 0, "kappa"),
        ("alpha_weighted", steps, "alpha_interval"),
        ("alpha_weighted", steps > 0, "alpha_nominal"),
    ]:
        assert mm.measures[weighted](TABLE, distance=distance) == pytest.approx(mm.measures[built_in](TABLE), abs=1e-12)


def test_why_undefined_names_the_reason():
    constant = np.array([[0, 3], [0, 2]])
    why = mm.measures["pearson"].why_undefined(np.stack([constant, constant.T, np.eye(2, dtype=int), constant * 0]))
    assert why["the output is constant"].tolist() == [True, False, False, True]
    assert why["the gold is constant"].tolist() == [False, True, False, True]
    assert why["there are no items, or counts that are negative or not finite"].tolist() == [False, False, False, True]


def test_rounding_is_put_back_into_the_range_but_a_wrong_formula_is_not():
    just_over = mm.measure(**FACTS)(lambda counts: counts[..., 0, 0] * 0 + 1 + 1e-15)
    far_over = mm.measure(**FACTS)(lambda counts: counts[..., 0, 0] * 0 + 1.1)
    assert just_over(TABLE) == 1
    assert far_over(TABLE) == pytest.approx(1.1)


@pytest.mark.parametrize(("bounds", "end"), [((-1, 0), 1e-15), ((0, 1), -1e-15)])
def test_rounding_is_put_back_where_the_range_ends_at_0(bounds, end):
    probe = mm.measure(**FACTS | {"range": bounds, "perfect": bounds[1]})(lambda counts: counts[..., 0, 0] * 0 + end)
    assert probe(TABLE) == 0


def test_a_measure_that_was_typed_has_no_file():
    typed = {}
    exec("def formula(counts):\n    return counts[..., 0, 0]", typed)
    assert mm.measure(**FACTS)(typed["formula"]).source_file() is None
    assert mm.measures["accuracy"].source_file().name == "accuracy.py"


@pytest.mark.parametrize(
    ("change", "formula", "complaint"),
    [
        ({}, lambda counts, *, wobble: counts, "asks for 'wobble'"),
        ({"id": "Probe"}, lambda counts: counts, "not lower-case"),
        ({"id": "probe@LABEL"}, lambda counts: counts, "does not fit its parameter; call it 'probe'"),
        ({"parameter": Labels()}, lambda counts: counts, "call it 'probe@LABEL'"),
        ({"better": None, "kind": "score"}, lambda counts: counts, "not better in any direction"),
        ({"better": "up"}, lambda counts: counts, "better is 'up'; say 'higher' or 'lower'"),
    ],
)
def test_declarations_that_are_refused(change, formula, complaint):
    with pytest.raises(mm.UsageError, match=complaint):
        mm.measure(**FACTS | change)(formula)


def test_a_measure_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        mm.measures["mae"].better = "higher"


def test_weights_and_proportions_are_tables_too():
    """0 log 0 = 0: on proportions the max{0.5, K} guard of Sakai (2021), Eq. 3, would give another value."""
    counts = np.array(TABLE)
    assert mm.measures["cem_ord"](counts / counts.sum()) == pytest.approx(mm.measures["cem_ord"](counts), abs=1e-12)


def test_one_declared_class():
    assert mm.measures["accuracy"]([[4]]) == 1
    assert mm.measures["oci"]([[4]]) == 0
    assert math.isnan(mm.measures["kappa"]([[4]]))


def test_perfect_is_the_good_end_of_the_range_where_that_is_a_number():
    facts = {name: fact for name, fact in FACTS.items() if name != "perfect"}
    longest = Bound("C", lambda classes, span: classes)
    for better, ends, perfect in (
        ("higher", (0, 1), 1),
        ("lower", (0, 1), 0),
        ("higher", (0, longest), None),
        ("lower", (0, longest), 0),
        ("higher", (0, math.inf), None),
    ):
        probe = mm.measure(**facts | {"better": better, "range": ends})(lambda counts: counts[..., 0, 0] * 0.0)
        assert probe.perfect == perfect


def test_the_range_of_the_threshold_loss_ends_where_every_item_is_at_the_other_end():
    measure = mm.measures["threshold_loss"]
    for classes in (2, 3, 5):
        worst = np.zeros((classes, classes))
        worst[0, -1] = 7
        assert measure(worst) == measure.range[1].at(classes, classes - 1) == classes * (classes - 1)


def test_reliability_and_sensitivity_where_only_the_output_is_constant():
    f = mm.measures["reliability_sensitivity_f"]
    assert f([[3, 0, 0], [2, 0, 0], [0, 0, 0]]) == 0
    assert f([[3, 2, 0], [0, 0, 0], [0, 0, 0]]) == 0
    assert math.isnan(f([[3, 0, 0], [0, 0, 0], [0, 0, 0]]))


def test_one_class_or_several():
    assert Labels().parse("low+high") == ("low", "high")
    assert Labels(several=False).parse("low+high") == ("low+high",)
    for template, measure in mm.measures.items():
        if isinstance(measure.parameter, Labels):
            assert measure.parameter.several == template.startswith(("precision", "recall", "f1", "jaccard")), template


def test_a_source_by_its_authors_and_year():
    assert Citation.of("You (2026). A Paper.") == Citation("You (2026)", "A Paper.")
    assert Citation.of("A paper of yours.") == Citation("A paper of yours.", "A paper of yours.")


@pytest.mark.parametrize("count", [-0.5, 1.5])
def test_an_item_of_an_order_counts_from_0_to_1(count):
    measure = mm.measures.of_task("entailment")["average_precision"]
    assert float(measure([1, 2, 3], [1, 0.5, 1])) > 0
    assert math.isnan(measure([1, 2, 3], [1, count, 1]))


def test_where_a_measure_is_shown_does_not_make_another_of_it():
    accuracy = mm.measures["accuracy"]
    assert dataclasses.replace(accuracy, headline={"ranking": 1}) == accuracy
    assert dataclasses.replace(accuracy, better="lower") != accuracy


def test_orders_given_by_totals_are_scored_as_item_by_item():
    """For measures whose formula takes no totals; two orders of five items in groups of ties."""
    ends, total = np.array([[2.0, 3.0, 5.0], [1.0, 4.0, 5.0]]), np.array([[1.0, 1.0, 3.0], [0.0, 2.0, 3.0]])
    seen = []
    facts = {"inputs": BELIEF, "tasks": ("entailment",), "scale": "nominal"}
    probe = mm.measure(**FACTS | facts)(lambda ranks, counts: seen.append((ranks, counts)) or counts[..., 0])
    np.testing.assert_array_equal(score_totals(probe, ends, total), [1, 0])
    ranks, counts = seen[0]
    np.testing.assert_array_equal(ranks, [[1, 1, 2, 3, 3], [1, 2, 2, 2, 3]])
    np.testing.assert_array_equal(counts, [[1, 0, 0, 1, 1], [0, 1, 1, 0, 1]])
