"""Coefficients of agreement: published values, and what other programs print; each number computed by two of them."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.agreement.ratings import coincidences, weight_table
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError
from metameasure.core.scale import Scale
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.judging import coefficients, rating_sample
from metameasure.judging.agree import agreement_of, rating_reader
from metameasure.judging.rating_sample import Sample, distinct_rows
from metameasure.tasks.rating_options import RatingOptions
from rating_cases import SHARED, F, K, S, by_annotator, matrix, persons

FIVE = Scale.of("1..5")
OF_K = persons(matrix(K), 5)
WEIGHTS = ("identity", "linear", "quadratic", "ordinal")
VALUES = {
    "percent_agreement": (0.818182, 0.939394, 0.975379, 0.968182),
    "fleiss": (0.761169, 0.817945, 0.864935, 0.850206),
    "ac2": (0.775444, 0.858739, 0.914001, 0.898940),
    "brennan_prediger": (0.772727, 0.848485, 0.901515, 0.886364),
    "conger": (0.762817, 0.813776, 0.857711, 0.843660),
    "alpha_weighted": (0.743421, 0.800384, 0.849107, 0.833638),
}
ERRORS = {
    "percent_agreement": (0.125609, 0.093679, 0.090616, 0.090857),
    "fleiss": (0.153019, 0.148504, 0.146034, 0.147036),
    "ac2": (0.142950, 0.117329, 0.103962, 0.106904),
    "brennan_prediger": (0.144717, 0.123356, 0.110894, 0.113906),
    "conger": (0.149168, 0.145085, 0.143671, 0.144100),
    "alpha_weighted": (0.145574, 0.135478, 0.129130, 0.131073),
}


def near(value):
    return pytest.approx(value, abs=5e-7)


def of_counts(name, counts, classes=None):
    """A coefficient of counts (items, C)."""
    measure = mm.measures[name]
    array = coincidences(np.asarray(counts, dtype=float)) / 2 if measure.reads is Reads.COUNTS else counts
    return float(measure(array, classes=classes or [str(place + 1) for place in range(np.shape(counts)[1])]))


def gwets_error(measure, array, scale, distance=None):
    each = measure.linearised_at(np.asarray(array, dtype=float), scale, distance)
    return float(each.std(ddof=1) / np.sqrt(len(each)))


@pytest.mark.parametrize("name", [name for name in VALUES if name != "alpha_weighted"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_gwets_four_raters(name, weights):
    measure = mm.measures[f"{name}@{weights}"]
    array = OF_K if measure.reads is Reads.PERSONS else OF_K.sum(axis=1)
    place = WEIGHTS.index(weights)
    assert float(measure(array, classes=FIVE)) == near(VALUES[name][place])
    assert gwets_error(measure, array, FIVE) == near(ERRORS[name][place])
    assert measure.linearised_at(np.asarray(array, dtype=float), FIVE).mean() == near(VALUES[name][place])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_alpha_with_any_weights(weights):
    """Gwet's ordinal weights are not Krippendorff's ordinal distances."""
    distance = np.sqrt(1 - weight_table(weights, np.arange(1.0, 6.0)))
    measure, place = mm.measures["alpha_weighted"], WEIGHTS.index(weights)
    found = measure(coincidences(OF_K.sum(axis=1)) / 2, classes=FIVE, distance=distance)
    assert float(found) == near(VALUES["alpha_weighted"][place])
    assert gwets_error(measure, OF_K.sum(axis=1), FIVE, distance) == near(ERRORS["alpha_weighted"][place])


@pytest.mark.parametrize(
    ("name", "value"),
    [("alpha_nominal", 0.743421), ("alpha_ordinal", 0.815388), ("alpha_interval", 0.849107), ("alpha_ratio", 0.797403)],
)
def test_krippendorffs_alphas(name, value):
    assert of_counts(name, OF_K.sum(axis=1)) == near(value)
    assert mm.agree(by_annotator(K), classes="1..5", measures=name)[name].value == near(value)


def test_jackknife_errors_over_items():
    wanted = {
        "percent_agreement": 0.102062, "ac1": 0.125224, "fleiss": 0.139141, "brennan_prediger": 0.127578,
        "alpha_nominal": 0.146942, "alpha_ordinal": 0.148655, "alpha_interval": 0.141463, "ac2": 0.064772,
    }  # fmt: skip
    found = mm.agree(by_annotator(K), classes="1..5", measures=list(wanted), trials=10)
    assert {one.id: one.se for one in found.coefficients} == {name: near(value) for name, value in wanted.items()}


def test_intraclass_correlations_of_the_four_raters():
    counts, complete = OF_K.sum(axis=1), OF_K.sum(axis=(1, 2)) == 4
    assert of_counts("icc1", counts) == near(0.849680)
    assert of_counts("icc1", counts[counts.sum(axis=1) > 1]) == near(0.853296)
    ours = [of_counts("icc1", counts[complete]), of_counts("icc1k", counts[complete])]
    assert ours == [near(0.698925), near(0.902778)]
    wanted = {
        "icc2": 0.700658, "icc3": 0.717172, "icc2k": 0.903499, "icc3k": 0.910256,
        "kendall_w": 0.794314, "kendall_w@uncorrected": 0.706845,
    }  # fmt: skip
    for name, value in wanted.items():
        assert float(mm.measures[name](OF_K, classes=FIVE)) == near(value)
        assert float(mm.measures[name](OF_K[complete], classes=FIVE)) == near(value)


def test_fleisss_example():
    wanted = {
        "percent_agreement": 0.378022, "fleiss": 0.20993070, "ac1": 0.225614, "brennan_prediger": 0.222527,
        "alpha_nominal": 0.215574, "alpha_ordinal": 0.540750, "alpha_interval": 0.543740, "alpha_ratio": 0.452625,
        "fleiss@quadratic": 0.540457, "ac2@quadratic": 0.600693, "brennan_prediger@quadratic": 0.581593,
        "fleiss@linear": 0.392906, "ac2@linear": 0.437223, "brennan_prediger@linear": 0.423764, "icc1": 0.567976,
    }  # fmt: skip
    assert {name: of_counts(name, F) for name in wanted} == {name: near(value) for name, value in wanted.items()}
    errors = {"fleiss": 0.092371, "ac1": 0.093324, "brennan_prediger": 0.092898, "alpha_nominal": 0.092371}
    assert {name: gwets_error(mm.measures[name], F, FIVE) for name in errors} == {n: near(value) for n, value in errors.items()}


def test_fleisss_example_from_a_file_of_counts(tmp_path):
    lines = ["item,a,b,c,d,e", *(f"{place},{','.join(map(str, row))}" for place, row in enumerate(F))]
    (tmp_path / "counts.csv").write_text("\n".join(lines), encoding="utf-8")
    names = ["fleiss", "alpha_nominal", "alpha_ordinal"]
    found = mm.agree(tmp_path / "counts.csv", classes="a,b,c,d,e", counts=True, measures=names, trials=10)
    assert [one.se for one in found.coefficients] == [near(0.100557), near(0.099759), near(0.159220)]
    assert (found.items, found.ratings, found.annotators, found.by_annotator) == (10, 140, 14, ())


def test_shrout_and_fleisss_example():
    scale = Scale.of("1..10")
    whole = persons(S, 10)
    ours = {name: float(mm.measures[name](whole, classes=scale)) for name in ("icc2", "icc3", "icc2k", "icc3k", "kendall_w")}
    ours |= {name: of_counts(name, whole.sum(axis=1)) for name in ("icc1", "icc1k")}
    wanted = {
        "icc1": 0.165742, "icc2": 0.289764, "icc3": 0.714841, "icc1k": 0.442797, "icc2k": 0.620051, "icc3k": 0.909316,
        "kendall_w": 0.887037,
    }  # fmt: skip
    assert ours == {name: near(value) for name, value in wanted.items()}
    assert float(mm.measures["kendall_w@uncorrected"](whole, classes=scale)) == near(0.855357)
    alphas = [of_counts(f"alpha_{kind}", whole.sum(axis=1)) for kind in ("interval", "ordinal", "nominal")]
    assert alphas == [near(0.147308), near(0.109059), near(-0.064815)]


def test_order_of_classes_is_the_declared_one():
    """Other programs put low, mid and high into alphabetical order."""
    said = ["low low mid", "mid high mid", "high high high", "low mid low", "mid mid low"]
    rows = {f"r{place}": " ".join(row.split()[place] for row in said) for place in range(3)}
    declared = mm.agree(by_annotator(rows), classes="low,mid,high", measures="ac2,alpha_ordinal", trials=5)
    assert [one.value for one in declared.coefficients] == [near(0.610390), near(0.563502)]
    assert mm.agree(by_annotator(rows), classes="high,low,mid", measures="ac2", trials=5)["ac2"].value == near(0.318182)


def test_number_of_declared_classes_counts():
    """1, 2 and 5 are used of 1..5."""
    rows = {"a": "1 1 2 2 5 5 1 2 5 1", "b": "1 2 2 5 5 5 1 2 1 1", "c": "1 2 2 2 5 1 5 2 5 2"}
    declared, used = (mm.agree(by_annotator(rows), classes=c, measures="ac1", trials=5)["ac1"].value for c in ("1..5", "1,2,5"))
    assert used < declared


def test_undefined_with_the_reason():
    one_class = by_annotator({"a": "1 1 1", "b": "1 1 1"})
    names = ["alpha_nominal", "fleiss", "conger", "ac1", "brennan_prediger"]
    found = mm.agree(one_class, classes="1..2", kind="nominal", measures=names, trials=5)
    assert [np.isnan(found[name].value) for name in names] == [True, True, True, False, False]
    assert found["ac1"].value == found["brennan_prediger"].value == 1
    assert found["fleiss"].why == found["conger"].why == "all ratings are of one class"
    assert found["alpha_nominal"].why
    assert found.to_dict()["coefficients"][1]["value"] is None
    with pytest.raises(mm.DataError, match="no item has two ratings"):
        mm.agree({"a": {"x": 1}, "b": {"y": 2}}, classes="1..2")


def beside_two(**others):
    """Two annotators of 60 items, and others."""
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 4, 60)
    said = {name: {str(i): int(t) if rng.random() < 0.8 else 2 for i, t in enumerate(truth)} for name in ("a", "b")}
    return said | others


@pytest.mark.each_time(2)
@pytest.mark.parametrize("kind", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("interval", ["auto", "bootstrap", "gwet"])
def test_an_annotator_who_shares_no_item(kind, interval, tmp_path):
    found = mm.agree(beside_two(new={"x": 1, "y": 3}), classes="1..3", kind=kind, interval=interval, trials=20)
    line = found.by_annotator[-1]
    assert (line.annotator, line.items, np.isnan(line.value), np.isnan(line.low)) == ("new", 0, True, True)
    assert "new: nobody else rated the same items, so there is nothing to agree on" in found.notes
    told = found.to_dict()["by_annotator"][-1]
    assert (told["value"], told["why"]) == (None, "nobody else rated the same items, so there is nothing to agree on")
    assert all("why" not in one for one in found.to_dict()["by_annotator"][:2])
    assert "new" in str(found)
    found.chart(tmp_path / "chart.svg")
    alone = mm.agree(beside_two(), classes="1..3", kind=kind, interval=interval, trials=20)
    assert found.by_annotator[0].value == alone.by_annotator[0].value
    assert found.coefficients[0].value == near(alone.coefficients[0].value)


def test_groups_that_share_no_item():
    other = {name: {f"x{item}": label for item, label in said.items()} for name, said in beside_two().items()}
    found = mm.agree(beside_two(c=other["a"], d=other["b"], new={"z": 1}, newer={"w": 1}), classes="1..3", trials=20)
    assert [line.items for line in found.by_annotator] == [60, 60, 60, 60, 0, 0]
    assert "new, newer: nobody else rated the same items, so there is nothing to agree on" in found.notes


def test_one_item_alone():
    """Of which nothing can be told apart: undefined with the reason, and not "no better than chance"."""
    found = mm.agree({"a": {"x": 1}, "b": {"x": 1}}, classes="1..3", trials=20)
    assert [line.why for line in found.by_annotator] == [
        "kappa_linear with the others is undefined: all of gold and all of the output are one and the same class"
    ] * 2
    assert not any("chance" in note or "nan" in note for note in found.notes)


def test_a_ratio_needs_values():
    """Ranks have no natural zero: said on a scale without values, unless the classes are called by their ranks."""
    words = {"a": {"1": "low", "2": "high", "3": "mid"}, "b": {"1": "low", "2": "high", "3": "high"}}
    found = mm.agree(words, classes="low,mid,high", measures="alpha_ratio,alpha_interval", trials=5)
    said = [note for note in found.notes if "natural zero" in note]
    assert len(said) == 1
    assert said[0].startswith("alpha_ratio: the classes have no values, so their ranks 1, 2, ... stand for")
    values = mm.agree(words, classes={"low": 1, "mid": 2, "high": 5}, measures="alpha_ratio", trials=5)
    ranks = mm.agree(beside_two(), classes="1..3", measures="alpha_ratio", trials=5)
    assert not any("natural zero" in note for note in (*values.notes, *ranks.notes))
    shifted = mm.agree(beside_two(), classes="0..3", measures="alpha_ratio", trials=5)
    assert any("natural zero" in note for note in shifted.notes)


def test_a_ratio_needs_values_of_runs_too(run, tmp_path):
    (tmp_path / "gold.tsv").write_text("item\tlabel\n1\tlow\n2\thigh\n3\tmid\n", encoding="utf-8")
    (tmp_path / "run.tsv").write_text("item\tlabel\n1\tlow\n2\thigh\n3\thigh\n", encoding="utf-8")
    files = [str(tmp_path / "gold.tsv"), str(tmp_path / "run.tsv"), "--measures", "alpha_ratio", "--classes"]
    status, out, err = run("evaluate", *files, "low,mid,high")
    assert status == 0
    assert "alpha_ratio: the classes have no values" in out + err
    status, out, err = run("evaluate", *files, "low=1,mid=2,high=5", "--kind", "interval")
    assert status == 0
    assert "natural zero" not in out + err


def test_persons_are_needed_for_some():
    with pytest.raises(UsageError, match="conger needs to know who said what"):
        mm.agree(_frame(), classes="no,yes", counts=True, measures="conger")


def _frame():
    import pandas as pd

    return pd.DataFrame({"item": [1, 2], "yes": [3, 1], "no": [0, 2]})


def test_resampling_is_a_matrix_product():
    """Sums over items, each as often as it is drawn, give the coefficient of the items drawn."""
    rng = np.random.default_rng(1)
    ratings = rating_reader(RatingOptions(classes="1..5")).people(by_annotator(K), None)
    sample = Sample(ratings)
    drawn = rng.integers(0, 12, 12)
    for name in ("ac2", "fleiss@linear", "alpha_ordinal", "conger", "icc2", "kendall_w", "icc1"):
        measure = mm.measures[name]
        again = ratings.of_items(np.ones(12, dtype=bool))
        again = Ratings.of_labels(again.scale, tuple(map(str, range(12))), again.annotators, again.labels[drawn])
        whole = Sample(again).sums(measure)
        direct = sample.sums(measure)
        first = ratings.first if measure.reads is Reads.PERSONS else ratings.counts
        rows = {tuple(row): place for place, row in enumerate(_rows_of(direct, first))}
        times = np.zeros(len(direct.number))
        for item in drawn:
            times[rows[tuple(first[item])]] += 1
        ours = sample.value(measure)((times @ direct.adds)[None])
        np.testing.assert_allclose(ours, Sample(again).value(measure)(whole.total[None]), rtol=1e-12)


def _rows_of(sums, first):
    """The rows behind each kind of unit, in their order."""
    found, _ = distinct_rows([first])
    assert len(found) == len(sums.adds)
    return found


OF_PERSONS = ("conger", "conger@quadratic", "icc2", "icc2k", "icc3", "icc3k", "kendall_w", "kendall_w@uncorrected")


def _rated_by_all_or_some(gaps, annotators=4, items=30):
    """Labels 1..4 of annotators who see the truth with some noise, with a share of gaps among them."""
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 4, (items, 1))
    labels = np.where(rng.random((items, annotators)) < 0.7, truth, rng.integers(0, 4, (items, annotators)))
    labels[rng.random(labels.shape) < gaps] = -1
    names = tuple(f"a{place}" for place in range(annotators))
    return Ratings.of_labels(Scale.of("1..4"), tuple(map(str, range(items))), names, labels[:, :, None])


def _without_each(sample, measure):
    """The same as of everybody else's ratings alone."""
    return [Sample(sample.ratings.without(place)).whole(measure) for place in range(len(sample.ratings.annotators))]


@pytest.mark.parametrize("name", OF_PERSONS)
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_without_a_person_it_is_as_if_there_were_none(name, gaps, monkeypatch):
    sample, measure = Sample(_rated_by_all_or_some(gaps)), mm.measures[name]
    expected = _without_each(sample, measure)
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(sample.without_each(measure), expected, rtol=0, atol=1e-12)
    clustered = Sample(replace(sample.ratings, cluster=np.arange(30) // 3))
    np.testing.assert_allclose(clustered.without_each(measure), expected, rtol=0, atol=1e-12)
    monkeypatch.setattr(rating_sample, "MOST_CELLS", 1)
    np.testing.assert_allclose(sample.without_each(measure), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["conger", "icc2", "kendall_w"])
def test_without_a_person_by_a_measure_of_which_nothing_is_known(name):
    """As a plugin declares it."""
    measure, sample = mm.measures[name], Sample(_rated_by_all_or_some(0.2))
    plain = replace(measure, evidence=replace(measure.evidence, persons=""))
    np.testing.assert_allclose(sample.without_each(plain), sample.without_each(measure), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", OF_PERSONS)
def test_a_crowd_is_not_looked_at_anew_for_each_annotator(name, monkeypatch):
    """300 items by three each of 40: all annotators' labels of all items are looked at once, those of the rest of the crowd not
    again for everybody who is left out."""
    rng = np.random.default_rng(8)
    labels = np.full((300, 40, 1), -1)
    np.put_along_axis(labels[:, :, 0], np.argsort(rng.random((300, 40)), axis=1)[:, :3], rng.integers(0, 5, (300, 3)), axis=1)
    ratings = Ratings.of_labels(FIVE, tuple(map(str, range(300))), tuple(f"w{place:02d}" for place in range(40)), labels)
    cells, evidence_of = [], Measure.evidence_of

    def counted(measure, *arrays, **more):
        made = evidence_of(measure, *arrays, **more)
        cells.extend([*map(np.size, arrays), made.size])
        return made

    monkeypatch.setattr(Measure, "evidence_of", counted)
    found = agreement_of(ratings, name, trials=10)
    assert sum(cells) < 3 * 300 * 40 * 5
    assert math.isnan(found[name].value) == (not name.startswith("conger"))


def test_kendalls_w_of_too_many_annotators_has_no_interval(monkeypatch):
    ratings = _rated_by_all_or_some(0.0)
    usual = agreement_of(ratings, "kendall_w", trials=10)
    monkeypatch.setattr(rating_sample, "MOST_CELLS", 1)
    found = agreement_of(ratings, "kendall_w", trials=10)
    assert found["kendall_w"].value == usual["kendall_w"].value
    assert [one.without for one in found.by_annotator] == [one.without for one in usual.by_annotator]
    assert math.isnan(found["kendall_w"].low)
    assert found["kendall_w"].why == "too many annotators for an interval"


@pytest.mark.parametrize("most", [1, 2**26])
def test_where_nobody_rates_all_that_is_why_there_is_no_w(most, monkeypatch):
    ratings = _rated_by_all_or_some(0.0)
    labels = ratings.labels.copy()
    labels[np.arange(30), np.arange(30) % 4] = -1
    monkeypatch.setattr(rating_sample, "MOST_CELLS", most)
    found = agreement_of(Ratings.of_labels(ratings.scale, ratings.items, ratings.annotators, labels), "kendall_w", trials=10)
    assert math.isnan(found["kendall_w"].value)
    assert found["kendall_w"].why == "fewer than two items are rated by all annotators"


@pytest.mark.parametrize("interval", ["auto", "bootstrap"])
def test_lines_of_many_ratings_are_those_of_few(interval, monkeypatch):
    """Where there are so many that each annotator is looked at alone: the same values, and intervals as wide."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 5, 400)
    labels = np.where(rng.random((400, 3)) < 0.7, truth[:, None], rng.integers(0, 5, (400, 3)))
    labels[rng.random((400, 3)) < 0.2] = -1
    ratings = Ratings.of_labels(Scale.of("1..5"), tuple(map(str, range(400))), ("a", "b", "c"), labels[:, :, None])
    few = agreement_of(ratings, interval=interval, trials=2000)
    monkeypatch.setattr(coefficients, "_MOST_CELLS_AT_ONCE", 1)
    many = agreement_of(ratings, interval=interval, trials=2000)
    for one, other in zip(few.by_annotator, many.by_annotator, strict=True):
        assert (one.items, one.without, one.shares) == (other.items, other.without, other.shares)
        assert math.isclose(one.value, other.value, rel_tol=1e-12)
        assert abs(one.low - other.low) < 0.008
        assert abs(one.high - other.high) < 0.008
        assert other.high - other.low > 0.05


@pytest.mark.parametrize("interval", ["auto", "bootstrap"])
def test_clusters_are_drawn_whole(interval, tmp_path):
    """Every item five times, as five of a cluster: the interval must not become narrower."""
    labels = matrix(K)
    rows = ["item,cluster,annotator,label"]
    for item, row in enumerate(labels):
        for copy in range(5):
            rows += [f"{item}-{copy},c{item},{who},{label}" for who, label in zip("ABCD", row, strict=True) if label]
    (tmp_path / "r.csv").write_text("\n".join(rows), encoding="utf-8")
    how = {"classes": "1..5", "measures": "ac2", "interval": interval}
    plain = mm.agree(by_annotator(K), **how)["ac2"]
    naive = mm.agree(tmp_path / "r.csv", **how)["ac2"]
    found = mm.agree(tmp_path / "r.csv", **how, columns={"cluster": "cluster"})
    whole = found["ac2"]
    assert found.units == "clusters"
    assert whole.value == naive.value == near(plain.value)
    assert whole.se == near(plain.se)
    assert naive.se < plain.se / 2
    assert whole.value - whole.low > 1.3 * (naive.value - naive.low)
    assert whole.high - whole.low > 1.2 * (naive.high - naive.low)


def test_somebody_who_agrees_with_nobody():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 120)
    people = {f"p{g}": {str(i): int(np.clip(t + rng.integers(-1, 2), 1, 5)) for i, t in enumerate(truth)} for g in range(4)}
    people["odd"] = {str(i): int(label) for i, label in enumerate(rng.integers(1, 6, 120))}
    found = mm.agree(people, classes="1..5")
    odd = next(line for line in found.by_annotator if line.annotator == "odd")
    assert odd.low <= 0 < odd.high
    assert odd.without > found.coefficients[0].value + 0.1
    warned = [note for note in found.notes if "better than chance" in note]
    assert len(warned) == 1
    assert warned[0].startswith("odd is not shown to agree with the others better than chance would (kappa_linear ")
    assert f"would be {odd.without:.3f} instead of {found.coefficients[0].value:.3f}" in warned[0]


def test_an_annotators_line_is_kappa_against_the_others():
    """Two annotators: Cohen's kappa itself, whoever is left out."""
    rng = np.random.default_rng(5)
    first, second = rng.integers(1, 5, 80), rng.integers(1, 5, 80)
    second = np.where(rng.random(80) < 0.6, first, second)
    rows = {name: {str(place): int(label) for place, label in enumerate(row)} for name, row in (("a", first), ("b", second))}
    found = mm.agree(rows, classes="1..4", trials=20)
    kappa = mm.score(first, second, "kappa_linear", classes="1..4")
    assert [line.value for line in found.by_annotator] == [near(kappa), near(kappa)]
    assert all(np.isnan(line.without) for line in found.by_annotator)
    assert found.by_annotator[0].shares == tuple((np.bincount(first, minlength=5)[1:] / 80).tolist())


def two_people(*pairs):
    """Items that two people rated so, and how many of them."""
    rows = [ratings for ratings, number in pairs for _ in range(number)]
    return {who: {f"i{i}": row[place] for i, row in enumerate(rows)} for place, who in enumerate("ab")}


def test_an_interval_that_holds_with_a_rare_class():
    """One yes among 60 ratings says next to nothing about agreement on yes: resampling the items does not see it."""
    rare = two_people((("no", "no"), 29), (("yes", "no"), 1))
    found, resampled = (
        mm.agree(rare, classes="no,yes", kind="nominal", measures="alpha_nominal", interval=interval)["alpha_nominal"]
        for interval in ("auto", "bootstrap")
    )
    assert found.value == resampled.value == near(0)
    assert (resampled.low, resampled.high) == (near(-3 / 56), near(0))  # four copies of the one item, or one
    assert found.high > 0.5


def test_an_interval_contains_that_of_leaving_out_items():
    found = mm.agree(by_annotator(K), classes="1..5", measures="alpha_nominal")["alpha_nominal"]
    reach = 2.200985 * 0.146942  # t with 11 degrees of freedom, the jackknife's error of the definitions
    assert found.low <= found.value - reach + 1e-6
    assert found.high >= min(1, found.value + reach) - 1e-6


@pytest.mark.parametrize("measures", ["alpha_nominal", "percent_agreement", "ac1"])
def test_perfect_agreement_has_an_interval_too(measures):
    found = mm.agree(two_people((("no", "no"), 7), (("yes", "yes"), 5)), classes="no,yes", kind="nominal", measures=measures)
    (one,) = found.coefficients
    assert (one.value, one.se, one.high) == (1, 0, 1)
    assert 0.3 < one.low < 0.95


def test_where_there_is_no_interval_the_reason_is_said(run, tmp_path):
    """Whole clusters that agree perfectly: nothing can be left out that would change that."""
    rows = ["item,cluster,annotator,label", *(f"{i},c{i // 3},{who},{i % 2}" for i in range(12) for who in "ab")]
    (tmp_path / "r.csv").write_text("\n".join(rows), encoding="utf-8")
    status, out, err = run("agree", tmp_path / "r.csv", "--classes", "0,1", "--kind", "nominal", "--cluster-column", "cluster")
    assert status == 0, err
    assert "alpha_nominal has no interval, because leaving out any one item changes nothing." in out
    assert "[" not in out.splitlines()[2]


def test_gwets_interval_is_a_t_interval_cut_at_1():
    found = mm.agree(by_annotator(K), classes="1..5", measures="ac1,alpha_nominal", interval="gwet")
    assert (found["ac1"].se, found["ac1"].high) == (near(0.142950), 1.0)
    assert found["ac1"].low == pytest.approx(0.775444 - 2.200985 * 0.142950, abs=1e-5)  # 11 degrees of freedom
    assert found["alpha_nominal"].low == pytest.approx(0.743421 - 2.228139 * 0.145574, abs=1e-5)  # units with two ratings: 10
    with pytest.raises(UsageError, match="no variance of icc1"):
        mm.agree(by_annotator(K), classes="1..5", measures="icc1", interval="gwet")


def test_why_gwets_coefficient_is_higher():
    people = {f"p{g}": {str(i): 5 if (i + g) % 9 else 4 for i in range(90)} for g in range(3)}
    found = mm.agree(people, classes="1..5")
    (note,) = [note for note in found.notes if "is higher than" in note]
    assert "of the ratings are 5: ac2 asks how often two ratings of an item are the same or near" in note


def test_same_seed_same_bytes_and_other_seed_other_interval():
    once, again, other = (mm.agree(by_annotator(K), classes="1..5", seed=seed).render("json") for seed in (0, 0, 1))
    assert once == again != other


@pytest.mark.needs("shared-data")
class TestPublicSets:
    def test_dices(self):
        path = SHARED / "ratings" / "dices350_counts.tsv"
        names = ["alpha_nominal", "ac1", "percent_agreement"]
        found = mm.agree(path, classes="Yes,No,Unsure", kind="nominal", counts=True, measures=names, trials=20)
        assert [one.value for one in found.coefficients] == [near(0.160860), near(0.415878), near(0.566688)]
        assert (found.items, found.annotators) == (350, 123)

    @pytest.mark.parametrize(
        ("aspect", "value"),
        [("Informativeness", 0.284873), ("Relevance", 0.115121), ("Fluency", -0.015808), ("Coherence", 0.064972)],
    )
    def test_newsroom(self, aspect, value, tmp_path):
        lines = (SHARED / "ratings" / "newsroom.tsv").read_text(encoding="utf-8").splitlines()
        chosen = [lines[0], *(line for line in lines[1:] if line.startswith(aspect))]
        (tmp_path / "one.tsv").write_text("\n".join(chosen), encoding="utf-8")
        found = mm.agree(
            tmp_path / "one.tsv", classes="1..5", columns={"annotator": "rating"}, measures="alpha_ordinal", trials=20
        )
        assert found["alpha_ordinal"].value == near(value)


def test_json_has_the_interfaces_keys():
    told = json.loads(mm.agree(by_annotator(K), classes="1..5", trials=20).render("json"))
    assert {"items", "ratings", "annotators", "classes", "coefficients", "by_annotator", "notes"} <= told.keys()
    assert {"id", "value", "se", "low", "high", "observed", "expected"} <= told["coefficients"][0].keys()
    assert {"annotator", "items", "value", "low", "high", "without", "shares"} <= told["by_annotator"][0].keys()


def test_observed_and_expected_agreement():
    """(observed - expected) / (1 - expected) is the coefficient."""
    names = ["fleiss", "ac1", "ac2", "conger@linear", "alpha_nominal", "alpha_interval"]
    found = mm.agree(by_annotator(K), classes="1..5", measures=names, trials=5)
    for one in found.coefficients:
        assert (one.observed - one.expected) / (1 - one.expected) == near(one.value)
    assert found["fleiss"].observed == near(0.818182)
    pairs = coincidences(OF_K.sum(axis=1))
    assert found["alpha_nominal"].observed == near(np.trace(pairs) / pairs.sum())
    assert np.isnan(mm.agree(by_annotator(K), classes="1..5", trials=5)["alpha_ordinal"].observed)


def test_a_frame_of_coefficients():
    frame = mm.agree(by_annotator(K), classes="1..5", trials=5).to_frame("pandas")
    assert frame.set_index("id").loc["alpha_ordinal", "value"] == near(0.815388)


def test_gwets_error_takes_single_ratings_for_disagreement():
    """Half of 200 items rated once: Gwet's error is too large, the jackknife's is about right."""
    rng = np.random.default_rng(0)
    scale = Scale.of("1..3", kind="nominal")
    ac1 = mm.measures["ac1"]
    values, gwet, jackknife = [], [], []
    for _ in range(150):
        truth = rng.integers(0, 3, (200, 1))
        labels = np.where(rng.random((200, 3)) < 0.75, truth, rng.integers(0, 3, (200, 3)))
        labels[:100, 1:] = -1
        ratings = Ratings(scale, tuple(map(str, range(200))), one_hot(labels, 3).sum(axis=1))
        sample = Sample(ratings)
        sums, value = sample.sums(ac1), sample.value(ac1)
        values.append(float(value(sums.total[None])[0]))
        jackknife.append(sums.jackknife(value))
        gwet.append(gwets_error(ac1, ratings.counts, scale))
    truth = np.std(values, ddof=1)
    assert np.mean(jackknife) == pytest.approx(truth, rel=0.2)
    assert np.mean(gwet) > 1.15 * np.mean(jackknife)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic", "ordinal"])
def test_on_a_scale_of_one_class_all_agree(weights):
    assert of_counts(f"percent_agreement@{weights}", [[3], [2]]) == 1


# irrCAC 0.4.4, CAC(..., weights=...) of K: value and standard error.
OTHER_WEIGHTS = {
    "radical": {"fleiss": (0.789924, 0.150036), "ac2": (0.819812, 0.128356), "brennan_prediger": (0.812627, 0.132779),
                "conger": (0.78834, 0.146365), "percent_agreement": (0.897269, None)},
    "ratio": {"fleiss": (0.821338, 0.152386), "ac2": (0.857368, 0.122071), "brennan_prediger": (0.840237, 0.132209),
              "conger": (0.811965, 0.148601), "percent_agreement": (0.954115, None)},
    "bipolar": {"fleiss": (0.853073, 0.144632), "ac2": (0.900373, 0.105816), "brennan_prediger": (0.888149, 0.112456),
                "conger": (0.844872, 0.142139), "percent_agreement": (0.968362, None)},
    "circular": {"fleiss": (0.8072, 0.148944), "ac2": (0.830195, 0.132651), "brennan_prediger": (0.823547, 0.136956),
                 "conger": (0.805349, 0.147478), "percent_agreement": (0.902459, None)},
}  # fmt: skip


@pytest.mark.parametrize("weights", OTHER_WEIGHTS)
def test_gwets_other_weights_are_irrcacs(weights):
    ids = [f"{name}@{weights}" for name in OTHER_WEIGHTS[weights]]
    found = mm.agree(by_annotator(K), classes="1..5", measures=ids, interval="gwet")
    for name, (value, error) in OTHER_WEIGHTS[weights].items():
        assert found[f"{name}@{weights}"].value == pytest.approx(value, abs=1.5e-6), name
        if error is not None:
            assert found[f"{name}@{weights}"].se == pytest.approx(error, abs=1.5e-6), name


def test_a_class_of_a_handful_of_items_limits_alphas_interval(tmp_path):
    """In the ledger it held the truth in .903 of data sets with a class of 3 % and 60 items; the limit is printed there alone."""

    def said(rare):
        rows = [f"{item},{1 + (item < rare)},{1 + (item < rare)}" for item in range(60)]
        (tmp_path / "ratings.csv").write_text("\n".join(["item,a,b", *rows]) + "\n")
        found = mm.agree(tmp_path / "ratings.csv", classes="1..2", kind="nominal", trials=50)
        return [one for one in found.to_dict()["findings"] if one["kind"] == "limit"]

    assert said(rare=10) == []
    (limit,) = said(rare=9)
    assert "fewer than 10 items were rated anything but 1" in limit["text"]
    assert "alpha_nominal" in limit["text"]


def test_two_annotators_are_enough_for_an_intraclass_correlation():
    said = persons(S, 10)
    for annotators, one in ((1, True), (2, False), (4, False)):
        why = mm.measures["icc2"].why_undefined(said[:, :annotators], classes=[str(value) for value in range(1, 11)])
        assert bool(why["there is one annotator"]) is one


def test_items_of_one_mean_have_no_reliability_of_it():
    """Ratings .1 .1 .5 and .1 .2 .4 have the same mean, but not to the last bit."""
    counts = np.array([[2, 0, 0, 0, 1, 0, 0], [1, 1, 0, 1, 0, 0, 0]])
    scale = Scale.of([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], kind="interval")
    assert math.isnan(mm.measures["icc1k"](counts, classes=scale))
