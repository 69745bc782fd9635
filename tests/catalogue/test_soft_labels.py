"""Soft labels against people's ratings, and predictions of each single annotator: LeWiDi's measures."""

import json
import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.cli import main
from rating_cases import by_annotator

P, G = (0.1, 0.2, 0.4, 0.2, 0.1), (0.0, 0.1, 0.3, 0.4, 0.2)


@pytest.mark.parametrize(("rating", "value"), [(1, 1.4), (3, 0.2), (5, 1.4)])
def test_ranked_probability_score_of_one_rating(rating, value):
    one = np.eye(5)[rating - 1]
    assert mm.measures["rps"](P, one) == pytest.approx(value)
    assert mm.measures["rps_normalised"](P, one) == pytest.approx(value / 4)
    steps = np.abs(np.arange(1, 6) - rating) @ np.array(P)
    apart = np.array(P) @ np.abs(np.subtract.outer(np.arange(5), np.arange(5))) @ np.array(P)
    assert mm.measures["rps"](P, one) == pytest.approx(steps - apart / 2)  # E|X - y| - E|X - X'| / 2


def test_distances_between_distributions():
    values = {name: float(mm.measures[name](P, G)) for name in ("manhattan", "wasserstein", "rps", "rps_spread")}
    assert values == {
        "manhattan": pytest.approx(0.6), "wasserstein": pytest.approx(0.7), "rps": pytest.approx(0.64),
        "rps_spread": pytest.approx(0.49),
    }  # fmt: skip
    assert values["rps"] - values["rps_spread"] == pytest.approx(0.15)
    assert mm.measures["nmd"](P, G) == pytest.approx(0.7 / 4)
    assert mm.measures["nvd"](P, G) == pytest.approx(0.3)


def test_wasserstein_counts_steps_whatever_the_values():
    scale = mm.Scale.of("a=1,b=2,c=4,d=8,e=16")
    assert mm.measures["wasserstein"](P, G, classes=scale) == pytest.approx(0.7)
    assert mm.measures["emd"](P, G, classes=scale) > 1


def test_soft_labels_from_the_people_themselves_are_the_best_estimate():
    rng = np.random.default_rng(0)
    people = rng.multinomial(7, [0.1, 0.3, 0.4, 0.2], 30) / 7
    own = mm.measures["rps"](people, people)
    assert np.all(own <= mm.measures["rps"](rng.dirichlet(np.ones(4), 30), people))
    np.testing.assert_allclose(own, mm.measures["rps_spread"](people, people))


PEOPLE = {"a": "1 2 3 4 5", "b": "1 3 . 4 1", "c": "2 2 3 . 5"}
FORETOLD = {"a": "1 2 4 4 5", "b": "1 1 3 4 5", "c": "2 3 3 2 ."}


def test_error_rates_of_predictions_for_each_annotator(tmp_path, capsys):
    """By hand: shares wrong 0, 2/3, 1/2, 0, 1/2; distances 0, (0 + 2 + 1)/3, 1/2, 0, 4/2, in steps of 4."""
    for name, rows in (("people", PEOPLE), ("llm", FORETOLD)):
        (tmp_path / f"{name}.json").write_text(json.dumps(by_annotator(rows)), encoding="utf-8")
    arguments = ["judge", str(tmp_path / "people.json"), str(tmp_path / "llm.json"), "--classes", "1..5", "--minimum", "2"]
    assert main([*arguments, "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["foretold"]
    assert (told["run"], told["items"], told["ratings"]) == ("llm", 5, 12)
    assert told["aer"] == pytest.approx((0 + 2 / 3 + 1 / 2 + 0 + 1 / 2) / 5)
    assert told["anad"] == pytest.approx((0 + 1 + 1 / 2 + 0 + 2) / 5 / 4)
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("predictions  items  ratings  aer ↓  anad ↓\n")
    found = mm.judge(by_annotator(PEOPLE), {"llm": by_annotator(FORETOLD)}, classes="1..5", kind="nominal", minimum=2)
    assert math.isnan(found.foretold[0].anad)


def test_perfect_predictions():
    arrays = np.eye(3)[np.random.default_rng(0).integers(0, 3, (10, 4))]
    assert (mm.measures["aer"](arrays, arrays), mm.measures["anad"](arrays, arrays)) == (0, 0)
    nothing = np.zeros_like(arrays)
    assert np.isnan(mm.measures["aer"](nothing, arrays))


def test_soft_labels_by_evaluate(tmp_path, capsys):
    """Gold as counts of people's ratings, runs as distributions."""
    (tmp_path / "gold.csv").write_text("topic,1,2,3\nx,3,1,0\ny,0,2,2\n", encoding="utf-8")
    (tmp_path / "run.csv").write_text("topic,1,2,3\nx,.5,.5,0\ny,.1,.4,.5\n", encoding="utf-8")
    arguments = ["evaluate", str(tmp_path / "gold.csv"), str(tmp_path / "run.csv"), "--task", "quantification", "--counts"]
    assert main([*arguments, "--classes", "1..3", "--measures", "manhattan,wasserstein,rps", "--format", "json"]) == 0
    scores = json.loads(capsys.readouterr().out)["runs"][0]["scores"]
    assert scores["manhattan"] == pytest.approx((0.5 + 0.2) / 2)
    assert scores["wasserstein"] == pytest.approx((0.25 + 0.1) / 2)
    assert scores["rps"] == pytest.approx((0.25**2 + 0.25 * 0.75 + 0.01 + 0 + 0.25) / 2)


@pytest.mark.parametrize("name", ["aer", "anad"])
def test_errors_of_predictions_counted_in_two_parts_add_up(name):
    rng = np.random.default_rng(3)
    predicted, said = (np.eye(4)[rng.integers(0, 4, (9, 3))] for _ in range(2))
    measure, classes = mm.measures[name], ["1", "2", "3", "4"]
    parts = [measure.evidence_of(predicted[some], said[some], classes=classes) for some in (slice(4), slice(4, None))]
    assert float(measure.of_evidence(sum(parts), classes=classes)) == pytest.approx(
        float(measure(predicted, said, classes=classes)), abs=1e-12
    )
