"""``design``: how many topics, from scores at hand."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.scores.scores import ScoreMatrix
from metameasure.statistics.anova import residual_variance


def book_matrix(folder):
    columns = [np.loadtxt(folder / f"sakai-book/{name}.csv", delimiter=",", skiprows=1, usecols=1) for name in "XYZ"]
    return ScoreMatrix("ndcg@5", tuple(map(str, range(20))), tuple("XYZ"), np.stack(columns, axis=1))


def made(measures=("accuracy", "mae"), topics=40, runs=5):
    rng = np.random.default_rng(0)
    values = [rng.normal(0, 0.1, (topics, 1)) + rng.normal(0, 0.2, (topics, runs)) for _ in measures]
    names = tuple(f"t{t}" for t in range(topics)), tuple(f"r{r}" for r in range(runs))
    return [ScoreMatrix(measure, *names, one) for measure, one in zip(measures, values, strict=True)]


def pilot(variance, topics, runs):
    """Scores of which the residual variance is as given."""
    values = np.random.default_rng(3).normal(size=(topics, runs))
    scale = np.sqrt(variance / residual_variance(values))
    return ScoreMatrix("accuracy", tuple(map(str, range(topics))), tuple(f"r{run}" for run in range(runs)), values * scale)


def stepwise_power(topics, runs, difference, variance, trials):
    """In how many simulated fields ``compare`` tells the best run from the worst, between which all others lie."""
    rng = np.random.default_rng([topics, runs])
    shift = np.r_[difference / 2, np.zeros(runs - 2), -difference / 2]
    names = tuple(map(str, range(topics))), tuple(f"r{run}" for run in range(runs))
    found = []
    for _ in range(trials):
        values = rng.normal(0, 0.1, (topics, 1)) + rng.normal(0, np.sqrt(variance), (topics, runs)) + shift
        told = mm.compare(ScoreMatrix("accuracy", *names, values), "accuracy", trials=500)
        found.append(told.p[told.runs.index("r0"), told.runs.index(f"r{runs - 1}")] < 0.05)
    return np.mean(found)


def test_the_book_matrix(shared_data):
    matrix = book_matrix(shared_data)
    (found,) = mm.design(matrix, difference=0.1).measures
    assert found.variance == pytest.approx(0.0219, abs=5e-5)
    assert (found.runs, found.topics, found.needed.of_two, found.topics_now) == (3, 46, 37, 20)
    assert found.simulated == pytest.approx(0.8, abs=0.02)
    two = mm.design(matrix, difference=0.1, runs=2)
    assert (two.measures[0].topics, two.to_dict()["test"]) == (37, "t")


@pytest.mark.parametrize(
    ("shape", "low", "high", "assured", "variances"),
    [((12, 6), 47, 97, 77, (0.02843, 0.06044)), ((5, 2), 25, 521, 155, None), ((50, 6), 55, 78, 70, None)],
)
def test_a_small_pilot_leaves_the_number_of_topics_uncertain(shape, low, high, assured, variances):
    told = mm.design(pilot(0.04, *shape), difference=0.1, runs=2, trials=20).to_dict()["measures"][0]
    assert (told["topics"], told["topics_range"], told["topics_assured"]) == (65, [low, high], assured)
    if variances:
        assert told["variance_range"] == pytest.approx(variances, abs=5e-6)


def test_the_more_runs_are_compared_the_more_topics_it_takes():
    scores = pilot(0.005, 30, 8)
    told = {runs: mm.design(scores, difference=0.05, runs=runs, trials=20).measures[0] for runs in (None, 2, 3, 20)}
    assert {runs: one.topics for runs, one in told.items()} == {None: 61, 2: 34, 3: 42, 20: 78}
    assert {one.needed.of_two for one in told.values()} == {34}
    assert told[2].detectable == told[20].detectable_of_two < told[3].detectable < told[20].detectable


def test_the_default_test_has_the_power_that_is_promised():
    """In a field of 8 runs; the 34 topics that do for two by themselves leave the test with less than half of it."""
    assert stepwise_power(61, 8, 0.05, 0.005, 40) == pytest.approx(0.8, abs=0.13)
    assert stepwise_power(34, 8, 0.05, 0.005, 40) == pytest.approx(0.445, abs=0.16)


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "topics"), [(3, 42), (8, 61), (20, 78)])
def test_the_default_test_has_the_power_that_is_promised_in_many_fields(runs, topics):
    assert stepwise_power(topics, runs, 0.05, 0.005, 1000) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("runs", [None, 9])
def test_power_on_residuals_is_that_of_runs_on_the_same_topics(runs):
    """Of runs that have nothing in common but their topics: as many as there are, or more."""
    (found,) = mm.design(pilot(0.04, 60, 6), difference=0.1, runs=runs, trials=2000).measures
    assert found.resampled == pytest.approx(0.8, abs=0.06)


def test_neighbours_that_no_test_could_tell_apart_are_named():
    eight = mm.design(pilot(0.005, 8, 20), difference=0.05, trials=20)
    (note,) = eight.notes
    assert note.startswith("with 8 topics and 20 runs no neighbours can differ significantly (p = 0.075 at best)")
    assert "use at least 9 topics, or compare over items" in note
    assert eight.measures[0].smallest_p < 0.05
    four = mm.design(pilot(0.005, 4, 6), trials=20)
    assert four.notes[0].startswith("with 4 topics and 6 runs no two runs can differ significantly (p = 0.12 at best)")
    assert "or compare over items (units='items')" in str(four)
    assert not mm.design(pilot(0.005, 9, 20), difference=0.05, trials=20).notes


@pytest.mark.parametrize(("runs", "least"), [(2, 6), (3, 6), (20, 9), (50, 10)])
def test_no_number_is_so_small_that_the_test_could_find_nothing(runs, least):
    """1 - (1 - 2^(1-n))^(k/2) is below .05 from so many topics on; the variance alone would ask for two or three."""
    found = mm.design(pilot(0.005, 20, 2), difference=2, runs=runs, trials=20)
    (one,) = found.measures
    assert (one.topics, one.needed.range, one.needed.assured, one.needed.of_two) == (least, (least, least), least, 6)
    assert one.smallest_p < 0.05
    assert f"With fewer than {least} topics no neighbours can differ significantly" in str(found)
    small = mm.design(pilot(0.005, 20, 2), difference=0.05, runs=runs, trials=20)
    assert "can differ significantly, however" not in str(small)


def test_the_reverse_and_the_interval():
    (found,) = mm.design(made(("accuracy",)), width=0.05).measures
    there = mm.design(made(("accuracy",)), difference=found.detectable * 1.0001).measures[0]
    assert there.topics == found.topics_now == 40
    assert found.topics is None
    assert found.simulated == pytest.approx(0.8, abs=0.02)
    assert found.resampled == pytest.approx(0.8, abs=0.06)
    assert found.topics_for_width > 40
    assert found.width > 0.05


def test_the_variance_between_topics_is_not_known_better_for_runs_that_share_them():
    """Six runs that are all but the same say no more of it than one does: the range is that of 39 degrees of freedom."""
    matrix = made(("accuracy",))[0]
    alike = matrix.values[:, :, :1] + matrix.values * 1e-3
    low, high = mm.design(replace(matrix, values=alike), unpaired=True, trials=20).measures[0].variance_range
    assert high / low == pytest.approx(stats.chi2.ppf(0.975, 39) / stats.chi2.ppf(0.025, 39), rel=1e-3)
    low, high = mm.design(matrix, unpaired=True, trials=20).measures[0].variance_range
    ratios = [stats.chi2.ppf(0.975, freedom) / stats.chi2.ppf(0.025, freedom) for freedom in (39, 5 * 39)]
    assert ratios[1] < high / low < ratios[0]


def test_which_variance_is_used():
    matrix = made(("accuracy",))[0]
    paired, unpaired = (mm.design(matrix, unpaired=flag) for flag in (False, True))
    assert (paired.variance, unpaired.variance) == ("V_E2", "V_E1")
    assert paired.measures[0].variance == pytest.approx(float(residual_variance(matrix.values[0])))
    assert unpaired.measures[0].variance == pytest.approx(matrix.values[0].var(axis=0, ddof=1).mean())
    assert "V_E1 is the variance between topics within a run of these scores." in str(unpaired)


def test_pairs_of_runs_differ_from_the_mean_by_a_factor():
    matrix = made(("accuracy",))[0]
    values = matrix.values[0].copy()
    values[:, 0] = values[:, 1] + 0.01 * values[:, 2]
    low, high = mm.design(ScoreMatrix("accuracy", matrix.topics, matrix.runs, values)).measures[0].pairs
    assert low < 0.01
    assert high > 1.2


def test_the_command(run, tmp_path):
    file = tmp_path / "scores.csv"
    rows = [
        f"{matrix.measure},{topic},{name},{score!r}"
        for matrix in made()
        for topic, line in zip(matrix.topics, matrix.values[0].tolist(), strict=True)
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
    assert "For the default test of compare (stepwise), to tell two of 5 runs apart, alpha = 0.05, power 80%." in table
    assert "Add --difference D" in table
    table = run("design", file, "--difference", ".1")[1]
    assert "measure   topics for 0.1      range  assured  two runs\n" in table
    assert max(map(len, (line for line in table.splitlines() if "─" in line))) <= 80
    rows = list(csv.DictReader(io.StringIO(run("design", file, "--measures", "mae", "--format", "csv")[1])))
    assert [row["id"] for row in rows] == ["mae"]
    assert (rows[0]["topics_low"], rows[0]["topics_assured"]) == ("", "")
    assert mm.design(made()).to_frame("pandas").shape[0] == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"difference": 0}, "difference cannot be 0"),
        ({"width": -1}, "width cannot be -1"),
        ({"runs": 1}, "runs cannot be 1"),
        ({"power": 0.01}, "power cannot be 0.01 where alpha is 0.05"),
        ({"trials": 0}, "trials cannot be 0"),
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
    holes.values[0, 0, 0] = np.nan
    with pytest.raises(mm.DataError, match="drop-topics"):
        mm.design(holes)
    assert mm.design(holes, incomplete="drop-topics").measures[0].topics_now == 39
    unlike = mm.design([holes, made(("mae",))[0]], incomplete="drop-runs", trials=20)
    assert [one.runs for one in unlike.measures] == [4, 5]
    assert "to tell two of a measure's runs apart" in str(unlike)


def test_baselines_and_descriptions_stay_out():
    accuracy, entropy = made(("accuracy", "gold_entropy"))
    runs = ("baseline: majority", *accuracy.runs[1:])
    with_baseline = ScoreMatrix("accuracy", accuracy.topics, runs, accuracy.values[0])
    (found,) = mm.design([with_baseline, entropy]).measures
    assert (found.id, found.runs_now) == ("accuracy", 4)
