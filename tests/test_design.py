"""``design``: how many topics, from scores at hand."""

import csv
import io
import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.statistics.anova import residual_variance
from metameasure.tables.scores import ScoreMatrix


def book_matrix(folder):
    columns = [np.loadtxt(folder / f"sakai-book/{name}.csv", delimiter=",", skiprows=1, usecols=1) for name in "XYZ"]
    return ScoreMatrix("ndcg@5", tuple(map(str, range(20))), tuple("XYZ"), np.stack(columns, axis=1))


def made(measures=("accuracy", "mae"), topics=40, runs=5):
    rng = np.random.default_rng(0)
    values = [rng.normal(0, 0.1, (topics, 1)) + rng.normal(0, 0.2, (topics, runs)) for _ in measures]
    names = tuple(f"t{t}" for t in range(topics)), tuple(f"r{r}" for r in range(runs))
    return [ScoreMatrix(measure, *names, one) for measure, one in zip(measures, values, strict=True)]


def test_the_book_matrix(shared_data):
    matrix = book_matrix(shared_data)
    (found,) = mm.design(matrix, difference=0.1).measures
    assert found.variance == pytest.approx(0.0219, abs=5e-5)
    assert (found.topics, found.topics_now) == (37, 20)
    assert found.simulated == pytest.approx(0.8, abs=0.02)
    (found,) = mm.design(matrix, difference=0.1, runs=3).measures
    assert found.topics == 44


def test_the_reverse_and_the_interval():
    (found,) = mm.design(made(("accuracy",)), width=0.05).measures
    there = mm.design(made(("accuracy",)), difference=found.detectable * 1.0001).measures[0]
    assert there.topics == found.topics_now == 40
    assert found.topics is None
    assert found.simulated == pytest.approx(0.8, abs=0.02)
    assert found.resampled == pytest.approx(0.8, abs=0.06)
    assert found.topics_for_width > 40
    assert found.width > 0.05


def test_which_variance_is_used():
    matrix = made(("accuracy",))[0]
    paired, unpaired = (mm.design(matrix, unpaired=flag) for flag in (False, True))
    assert (paired.variance, unpaired.variance) == ("V_E2", "V_E1")
    assert paired.measures[0].variance == pytest.approx(float(residual_variance(matrix.values)))
    assert unpaired.measures[0].variance == pytest.approx(matrix.values.var(axis=0, ddof=1).mean())
    assert "V_E1 is the variance between topics within a run of these scores." in str(unpaired)


def test_pairs_of_runs_differ_from_the_mean_by_a_factor():
    matrix = made(("accuracy",))[0]
    values = matrix.values.copy()
    values[:, 0] = values[:, 1] + 0.01 * values[:, 2]
    low, high = mm.design(ScoreMatrix("accuracy", matrix.topics, matrix.runs, values)).measures[0].pairs
    assert low < 0.01
    assert high > 1.2


def test_the_command(run, tmp_path):
    file = tmp_path / "scores.csv"
    rows = [
        f"{matrix.measure},{topic},{name},{score!r}"
        for matrix in made()
        for topic, line in zip(matrix.topics, matrix.values.tolist(), strict=True)
        for name, score in zip(matrix.runs, line, strict=True)
    ]
    file.write_text("\n".join(["measure,topic,run,score", *rows]))
    status, out, err = run("design", file, "--difference", ".1", "--power", ".9", "--format", "json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert (told["power"], told["alpha"]) == (0.9, 0.05)
    assert [one["id"] for one in told["measures"]] == ["accuracy", "mae"]
    assert {"residual_variance", "topics", "detectable", "simulated_power"} <= told["measures"][0].keys()
    expected = mm.design(made(), difference=0.1, power=0.9).to_dict()
    assert [one["topics"] for one in told["measures"]] == [one["topics"] for one in expected["measures"]]
    table = run("design", file, "--runs", "5")[1]
    assert "one-way analysis of variance of 5 runs" in table
    assert "Add --difference D" in table
    rows = list(csv.DictReader(io.StringIO(run("design", file, "--measures", "mae", "--format", "csv")[1])))
    assert [row["id"] for row in rows] == ["mae"]
    assert mm.design(made()).to_frame("pandas").shape[0] == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"difference": 0}, "a difference of 0"),
        ({"width": -1}, "a width of -1"),
        ({"runs": 1}, "1 run"),
        ({"power": 0.01}, "power 0.01 at alpha 0.05"),
        ({"trials": 0}, "0 trials"),
        ({"measures": "acuracy"}, "did you mean 'accuracy'"),
    ],
)
def test_calls_that_are_wrong(options, complaint):
    with pytest.raises(mm.UsageError, match=complaint):
        mm.design(made(), **options)


def test_scores_that_do_not_do():
    with pytest.raises(mm.UsageError, match="2 data sets"):
        mm.design({"a": made(), "b": made()})
    holes = made(("accuracy",))[0]
    holes.values[0, 0] = np.nan
    with pytest.raises(mm.DataError, match="drop-topics"):
        mm.design(holes)
    assert mm.design(holes, incomplete="drop-topics").measures[0].topics_now == 39


def test_baselines_and_descriptions_stay_out():
    accuracy, entropy = made(("accuracy", "gold_entropy"))
    runs = ("baseline: majority", *accuracy.runs[1:])
    with_baseline = ScoreMatrix("accuracy", accuracy.topics, runs, accuracy.values)
    (found,) = mm.design([with_baseline, entropy]).measures
    assert (found.id, found.runs_now) == ("accuracy", 4)
