"""People's labels on a part of the items and a judge's on all: section 10 of the definitions, ppi-python, and what is refused."""

from __future__ import annotations

import contextlib
import io
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.cli import main
from metameasure.core.scale import Scale
from metameasure.judging.rating_sample import table_value
from metameasure.statistics.corrected import Sampled, correction

ITEMS = 5100


def example() -> tuple[list[int | None], list[int], list[int]]:
    """100 items that people labelled: 60 that people and judge count right, 15 people only, 5 the judge only, 20 neither; of 5000
    others the judge counts 70 % right. The run says 1 throughout."""
    people = [1] * 75 + [0] * 25 + [None] * 5000
    judge = [1] * 60 + [0] * 15 + [1] * 5 + [0] * 20 + [1] * 3500 + [0] * 1500
    return people, judge, [1] * ITEMS


def found(measures: str = "accuracy", **how: object) -> mm.Corrected:
    people, judge, run = example()
    return mm.correct_scores(
        people, {"a": run}, judge, classes=[0, 1], kind="nominal", measures=measures, sampled="random", **how
    )


def halves(sample: Sampled, people: np.ndarray, judge: np.ndarray, run: np.ndarray, classes: int):
    own = np.eye(classes**2)[people[sample.labelled] * classes + run[sample.labelled]]
    return sample.halves(own, judge * classes + run, lambda codes: np.eye(classes**2)[codes])


def test_values_of_the_definitions():
    accuracy = found()["a"]
    assert accuracy.weight == pytest.approx(0.485542, abs=5e-7)
    assert accuracy.corrected.value == pytest.approx(0.774277, abs=5e-7)
    assert accuracy.corrected.se == pytest.approx(0.036452, abs=5e-7)
    assert (accuracy.corrected.low, accuracy.corrected.high) == pytest.approx((0.70283, 0.84572), abs=5e-6)
    assert (accuracy.people.value, accuracy.people.se) == pytest.approx((0.75, 0.04330), abs=5e-6)
    assert accuracy.judge == pytest.approx(3565 / ITEMS)
    assert accuracy.bias.value == pytest.approx(-0.1)
    reach = 1.959964 * math.sqrt((0.2 - 0.1**2) / 100)  # 15 and 5 of 100 differ by one
    assert (accuracy.bias.low, accuracy.bias.high) == pytest.approx((-0.1 - reach, -0.1 + reach), abs=5e-6)
    assert accuracy.worth == pytest.approx((0.0433013 / 0.036452) ** 2, rel=1e-4)


@pytest.mark.needs("ppi-python")
def test_means_and_accuracy_are_ppi_pythons():
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    people, judge, run = example()
    right = [np.array([float(one == said) for one, said in zip(labels, run, strict=True)]) for labels in (people, judge)]
    arrays = (right[0][:100], right[1][:100], right[1][100:])
    sample = Sampled(np.arange(ITEMS) < 100, np.zeros(ITEMS, int))
    value = table_value(mm.measures["accuracy"], Scale.of([0, 1], kind="nominal"))
    data = halves(sample, np.array([0 if one is None else one for one in people]), np.array(judge), np.array(run), 2)
    for weight in (0.0, 0.3, 0.485542, 1.0):
        ours = correction(data, value, (0, 1), weight=weight).corrected
        assert ours.value == pytest.approx(float(ppi_mean_pointestimate(*arrays, lam=weight)[0]), abs=1e-9)
        low, high = (float(end[0]) for end in ppi_mean_ci(*arrays, alpha=0.05, lam=weight))
        assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-9)
    theirs = float(ppi_mean_pointestimate(*arrays)[0])
    assert theirs == pytest.approx(0.776207, abs=5e-7)
    assert [float(end[0]) for end in ppi_mean_ci(*arrays, alpha=0.05)] == pytest.approx([0.70467, 0.84774], abs=5e-6)
    ours = found()["a"].corrected
    assert abs(ours.value - theirs) < 0.1 * ours.se

    labels = {"ann": {place: one for place, one in enumerate(people) if one is not None}}
    mean = mm.correct(labels, {"judge": dict(enumerate(judge))}, classes=[0, 1], sampled="random")["judge", "share of 1"]
    theirs = ppi_mean_pointestimate(np.array(people[:100], float), np.array(judge[:100], float), np.array(judge[100:], float),
                                    lam=mean.weight)  # fmt: skip
    assert mean.corrected.value == pytest.approx(float(theirs[0]), abs=1e-9)


def world(seed: int, items: int = 3000, labelled: int = 300) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    truth = rng.choice(4, items, p=[0.1, 0.3, 0.4, 0.2])
    judge, first, second = (
        np.where(rng.random(items) < share, truth, np.clip(truth + rng.choice([-1, 1, 2], items), 0, 3))
        for share in (0.7, 0.6, 0.5)
    )
    return truth, judge, first, second, rng.permutation(items) < labelled


def test_any_measure_by_the_definition_with_draws_of_our_own():
    truth, judge, run, _, here = world(1)
    scale, kappa = Scale.of([1, 2, 3, 4]), mm.measures["kappa_linear"]
    value = table_value(kappa, scale)
    ours = correction(halves(Sampled(here, np.zeros(len(here), int)), truth, judge, run, 4), value, (-1, 1), trials=4000)
    rng, draws = np.random.default_rng(2), []
    both, others = np.flatnonzero(here), np.flatnonzero(~here)

    def score(labels: np.ndarray, chosen: np.ndarray) -> float:
        return float(value(np.bincount(labels[chosen] * 4 + run[chosen], minlength=16)[None].astype(float))[0])

    for _ in range(4000):
        some, more = rng.choice(both, len(both)), rng.choice(others, len(others))
        draws.append((score(truth, some), score(judge, some), score(judge, more)))
    a, f, rest = np.array(draws).T
    weight = np.cov(a, f)[0, 1] / (f.var() + rest.var())
    assert ours.weight == pytest.approx(weight, abs=0.04)
    by_hand = score(truth, both) + ours.weight * (score(judge, others) - score(judge, both))
    assert ours.corrected.value == pytest.approx(by_hand, abs=1e-12)
    assert ours.corrected.se == pytest.approx((a + weight * (rest - f)).std(), rel=0.05)
    assert ours.people.se == pytest.approx(a.std(), rel=0.05)
    assert ours.worth > 1.2


def test_strata_count_what_they_are_of_all_items():
    truth, judge, run, _, _ = world(3)
    stratum = (judge != run).astype(int)
    rng = np.random.default_rng(4)
    here = np.zeros(len(truth), bool)
    for number, size in ((0, 80), (1, 120)):
        here[rng.choice(np.flatnonzero(stratum == number), size, replace=False)] = True
    right = [(labels == run).astype(float) for labels in (truth, judge)]
    value = table_value(mm.measures["accuracy"], Scale.of([1, 2, 3, 4]))
    ours = correction(halves(Sampled(here, stratum), truth, judge, run, 4), value, (0, 1), weight=1.0)
    shares, mean, variance = [(stratum == number).mean() for number in (0, 1)], 0.0, 0.0
    for number, share in enumerate(shares):
        own, others = here & (stratum == number), ~here & (stratum == number)
        mean += share * (right[0][own].mean() + right[1][others].mean() - right[1][own].mean())
        variance += share**2 * ((right[0][own] - right[1][own]).var() / own.sum() + right[1][others].var() / others.sum())
    assert ours.corrected.value == pytest.approx(mean, abs=1e-12)
    assert ours.corrected.se == pytest.approx(math.sqrt(variance), abs=1e-12)
    plain = correction(halves(Sampled(here, np.zeros(len(here), int)), truth, judge, run, 4), value, (0, 1))
    true = (truth == run).mean()
    assert abs(ours.corrected.value - true) < 2.5 * ours.corrected.se
    assert abs(plain.people.value - true) > abs(ours.corrected.value - true)


def test_clusters_are_drawn_whole():
    truth, judge, run, _, here = world(5, items=1000, labelled=200)
    value = table_value(mm.measures["kappa"], Scale.of([1, 2, 3, 4]))

    def error(times: int, *, clustered: bool) -> float:
        arrays = [np.repeat(one, times) for one in (truth, judge, run)]
        cluster = np.repeat(np.arange(len(truth)), times) if clustered else None
        sample = Sampled(np.repeat(here, times), np.zeros(len(arrays[0]), int), cluster)
        return correction(halves(sample, *arrays, 4), value, (-1, 1), trials=2000).corrected.se

    single = error(1, clustered=False)
    assert error(4, clustered=True) == pytest.approx(single, rel=0.1)
    assert error(4, clustered=False) == pytest.approx(single / 2, rel=0.1)


def test_a_difference_has_a_lambda_of_its_own():
    truth, judge, first, second, here = world(6)
    people = [int(label) + 1 if known else None for label, known in zip(truth, here, strict=True)]
    runs = {"a": (first + 1).tolist(), "b": (second + 1).tolist()}
    ours = mm.correct_scores(people, runs, (judge + 1).tolist(), classes="1..4", measures="accuracy", sampled="random")
    apart = ours["a - b"]
    gap = [(labels == first).astype(float) - (labels == second) for labels in (truth, judge)]
    cov = np.cov(gap[0][here], gap[1][here], ddof=0) / here.sum()
    weight = cov[0, 1] / (cov[1, 1] + gap[1][~here].var() / (~here).sum())
    assert apart.weight == pytest.approx(weight, abs=1e-9)
    assert apart.corrected.value == pytest.approx(gap[0][here].mean() + weight * (gap[1][~here].mean() - gap[1][here].mean()))
    assert "a is better than b" in str(ours)


def files(folder: Path, labelled: int = 120, *, strata: bool = False) -> list[str]:
    truth, judge, first, second, here = world(7, items=1000, labelled=labelled)
    every = range(1000)
    for name, labels, items in (("people", truth, np.flatnonzero(here)), ("a", first, every), ("b", second, every)):
        (folder / f"{name}.csv").write_text("item,label\n" + "".join(f"i{item},{labels[item] + 1}\n" for item in items))
    kinds = [f",{'easy' if item % 3 else 'hard'}" if strata else "" for item in every]
    rows = [f"i{item},{judge[item] + 1}{kinds[item]}\n" for item in every]
    (folder / "judge.csv").write_text(f"item,label{',kind' if strata else ''}\n" + "".join(rows))
    return [str(folder / f"{name}.csv") for name in ("people", "a", "b")]


def run(*line: str) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        status = main(list(line))
    return status, out.getvalue()


def test_the_command_for_systems_and_its_json(tmp_path: Path):
    paths = files(tmp_path)
    line = [
        "evaluate",
        *paths,
        "--judge-labels",
        str(tmp_path / "judge.csv"),
        "--classes",
        "1..4",
        "--measures",
        "accuracy,mae_macro",
    ]
    status, text = run(*line, "--sampled", "random", "--format", "json")
    assert status == 0, text
    answer = json.loads(text)
    assert (answer["labelled"], answer["items"]) == (120, 1000)
    assert [one["run"] for one in answer["runs"]] == ["a", "b"]
    line_a = answer["corrected"][0]
    assert (line_a["measure"], line_a["run"]) == ("accuracy", "a")
    assert answer["runs"][0]["scores"]["accuracy"] == line_a["corrected"]["value"]
    assert line_a["corrected"]["se"] < line_a["people"]["se"]
    assert [one["against"] for one in answer["differences"]] == ["b", "b"]
    status, text = run("reproduce", answer["signature"], *paths, "--judge-labels", str(tmp_path / "judge.csv"))
    assert status == 0
    assert "differ" not in text


def test_the_command_for_labels(tmp_path: Path):
    files(tmp_path)
    people, judge = str(tmp_path / "people.csv"), str(tmp_path / "judge.csv")
    status, text = run("judge", people, judge, "--classes", "1..4", "--correct", "--sampled", "random", "--format", "json")
    assert status == 0, text
    answer = json.loads(text)
    assert [one["measure"] for one in answer["corrected"]] == ["mean label", *(f"share of {label}" for label in range(1, 5))]
    assert sum(one["people"]["value"] for one in answer["corrected"][1:]) == pytest.approx(1)
    assert run("reproduce", answer["signature"], people, judge)[0] == 0


def test_judges_among_the_annotators():
    truth, judge, _, _, here = world(8, items=600)
    rows = {"item": list(range(600)), "ann": [int(one) + 1 if known else None for one, known in zip(truth, here, strict=True)]}
    frame = pd.DataFrame({**rows, "bob": rows["ann"], "gpt": judge + 1})
    ours = mm.correct(frame, among=["gpt"], classes="1..4", sampled="random")
    theirs = {place: int(label) + 1 for place, label in enumerate(judge)}
    ann = {place: int(label) + 1 for place, label in enumerate(truth) if here[place]}
    apart = mm.correct({"ann": ann}, {"gpt": theirs}, classes="1..4", sampled="random")
    assert ours["gpt"].corrected == apart["gpt"].corrected
    assert ours.labelled == int(here.sum())


def test_strata_in_a_file(tmp_path: Path):
    paths = files(tmp_path, strata=True)
    line = ["evaluate", *paths, "--judge-labels", str(tmp_path / "judge.csv"), "--classes", "1..4", "--measures", "accuracy"]
    status, text = run(*line, "--sampled", "strata", "--strata-column", "kind")
    assert status == 0, text
    assert "at random within strata" in text
    status, text = run("judge", paths[0], str(tmp_path / "judge.csv"), "--classes", "1..4", "--correct", "--sampled", "strata",
                       "--strata-column", "kind")  # fmt: skip
    assert status == 0, text
    assert "at random within strata" in text


def test_frames_are_what_files_are(tmp_path: Path):
    paths = files(tmp_path, strata=True)
    how = {"classes": "1..4", "measures": "accuracy", "sampled": "strata", "strata_column": "kind"}
    by_file = mm.correct_scores(paths[0], paths[1:], tmp_path / "judge.csv", **how)
    frames = {name: pd.read_csv(tmp_path / f"{name}.csv") for name in ("people", "a", "b", "judge")}
    by_frame = mm.correct_scores(frames.pop("people"), {"a": frames["a"], "b": frames["b"]}, frames["judge"], **how)
    assert by_file["a"].corrected == by_frame["a"].corrected
    assert by_file["a - b"] == by_frame["a - b"]


def test_unknown_sampling_corrects_nothing_and_says_why(tmp_path: Path):
    paths = files(tmp_path)
    line = ["evaluate", *paths, "--judge-labels", str(tmp_path / "judge.csv"), "--classes", "1..4", "--sampled", "unknown"]
    status, text = run(*line)
    assert status == 0
    rows = json.loads((Path(__file__).parents[2] / "benchmarks/error_rates.json").read_text())["rows"]
    least = min(row["rate"] for row in rows if "declared as random" in row["world"])
    assert f"hold the truth in as little as {least:.0%} of cases" in " ".join(text.split())
    assert "worth" not in text
    answer = json.loads(run(*line, "--format", "json")[1])
    assert answer["corrected"][0]["corrected"]["value"] is None
    assert answer["findings"][0]["kind"] == "not corrected"


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ([], 2, "nobody says how the items were chosen that people labelled"),
        (["--sampled", "strata"], 2, "--strata-column C"),
        (["--sampled", "random", "--strata-column", "kind"], 2, "choose --sampled strata"),
        (["--sampled", "strata", "--strata-column", "kind"], 2, "a column 'kind'"),
        (["--sampled", "random", "--groups"], 2, "--groups is not for scores that a judge's labels correct"),
        (["--sampled", "random", "--measures", "mrr"], 2, "mrr is not a measure of a table"),
        (["--sampled", "random", "--scores", "x.csv"], 2, "--format csv"),
        (["--sampled", "random", "--task", "ranking"], 2, "scores of ranking are not corrected"),
        (["--sampled", "random", "--trials", "5"], 2, "--trials cannot be 5; give a whole number from 100 up"),
    ],
)
def test_what_is_wrong_with_a_call(tmp_path: Path, more: list[str], status: int, said: str):
    paths = files(tmp_path)
    line = ["evaluate", *paths, "--judge-labels", str(tmp_path / "judge.csv"), "--classes", "1..4", *more]
    assert run(*line)[0] == status, run(*line)
    assert said in run(*line)[1]


def test_a_correction_that_nobody_asks_for(tmp_path: Path):
    paths = files(tmp_path)
    status, text = run("judge", paths[0], paths[1], "--classes", "1..4", "--sampled", "random")
    assert (status, "add --correct" in text) == (2, True)
    status, text = run("evaluate", *paths, "--classes", "1..4", "--sampled", "random")
    assert (status, "add --judge-labels FILE" in text) == (2, True)


def test_too_few_labels(tmp_path: Path):
    line = ["--judge-labels", str(tmp_path / "judge.csv"), "--classes", "1..4", "--sampled", "random"]
    status, text = run("evaluate", *files(tmp_path, labelled=49), *line)
    assert status == 1
    assert "people labelled 49 items, too few to correct by: 50 are the least" in text
    status, text = run("evaluate", *files(tmp_path, labelled=50), *line)
    assert status == 0
    assert "fewer than 100 labels" in text
    assert "fewer than 100 labels" not in run("evaluate", *files(tmp_path, labelled=100), *line)[1]


def test_wrong_items_are_named_with_file_and_line(tmp_path: Path):
    paths = files(tmp_path)
    line = ["evaluate", *paths, "--judge-labels", str(tmp_path / "judge.csv"), "--classes", "1..4", "--sampled", "random"]
    people = tmp_path / "people.csv"
    right = people.read_text()
    people.write_text(right + "strange,2\n")
    status, text = run(*line)
    assert status == 1
    assert "people.csv:122: item 'strange' is not in the judge's labels" in text
    people.write_text(right.replace(",2\n", ",9\n", 1))
    assert "'9'" in run(*line)[1]
    people.write_text(right)
    short = tmp_path / "a.csv"
    short.write_text("\n".join(short.read_text().splitlines()[:-1]) + "\n")
    status, text = run(*line)
    assert status == 1
    assert "a.csv: item 'i999' is missing" in text
    (tmp_path / "judge.csv").write_text(right)
    assert run(*line)[0] == 1


def test_everything_labelled_is_nothing_to_correct():
    labels = [1, 2] * 40
    with pytest.raises(mm.DataError, match="people labelled every item"):
        mm.correct_scores(labels, {"a": labels}, labels, classes=[1, 2], sampled="random")


def test_rare_mistakes_are_spoken_of():
    labels = [1, 2] * 200
    people = [label if place < 100 else None for place, label in enumerate(labels)]
    said = str(mm.correct_scores(people, {"a": [1] * 400}, labels, classes=[1, 2], measures="accuracy", sampled="random"))
    assert "differ on 0 of 100 labels" in said
    assert "up to 3.0% of its labels" in said


def test_a_measure_without_a_value_is_named():
    people = [1] * 100 + [None] * 100
    ours = mm.correct_scores(people, {"a": [1] * 200}, [1] * 200, classes=[1, 2], measures="kappa", sampled="random")
    assert math.isnan(ours["a"].corrected.value)
    assert "kappa of a: not corrected" in str(ours)


def test_labels_for_a_width(tmp_path: Path):
    pilot = found()
    one = mm.label_design(pilot, width=0.1).needs[0]
    # People alone: (2 z sd / width)²; with the judge the same formula as the interval's, at so many labels.
    assert one.labels_alone == math.ceil((2 * 1.959964 / 0.1) ** 2 * 0.75 * 0.25)
    weight = [0.01125 * 100 / labels / (0.2275 / labels + 0.21 / 5000) / 10 for labels in (one.labels, one.labels - 1)]
    widths = [
        2 * 1.959964 * math.sqrt(0.1875 / n + w**2 * (0.2275 / n + 0.21 / 5000) - 2 * w * 0.1125 / n)
        for w, n in zip(weight, (one.labels, one.labels - 1), strict=True)
    ]
    assert widths[0] <= 0.1 < widths[1]
    assert one.labels < one.labels_assured < one.labels_alone
    assert one.width_now == pytest.approx(2 * 1.959964 * 0.036452, abs=1e-5)
    path = tmp_path / "pilot.json"
    path.write_text(pilot.render("json"))
    status, text = run("design", str(path), "--labels", "--width", "0.1", "--format", "json")
    assert status == 0, text
    assert json.loads(text)["measures"][0]["labels"] == one.labels
    assert run("reproduce", json.loads(text)["signature"], str(path))[0] == 0
    assert "of that width there are too few items" in run("design", str(path), "--labels", "--width", "0.001")[1]


def test_what_is_wrong_with_a_design_of_labels(tmp_path: Path):
    path = tmp_path / "pilot.json"
    path.write_text(found().render("json"))
    for line, said in (
        ([str(path), "--labels"], "no width"),
        ([str(path), "--labels", "--width", "-1"], "a width of -1"),
        ([str(path), str(path), "--labels", "--width", ".1"], "one file"),
        ([str(path), "--labels", "--width", ".1", "--measures", "acuracy"], "did you mean 'accuracy'"),
        ([str(tmp_path / "none.json"), "--labels", "--width", ".1"], "is not the JSON of corrected numbers"),
    ):
        status, text = run("design", *line)
        assert status in (1, 2)
        assert said in text
    path.write_text("[1]")
    assert run("design", str(path), "--labels", "--width", ".1")[0] == 1


def test_what_varies_together_is_taken_from_the_draws():
    """Of kappa, which is no mean over items: variances and covariances of the values in all draws, few as they are."""
    rng = np.random.default_rng(8)
    people, judge, run = rng.integers(0, 2, (3, 90))
    value = table_value(mm.measures["kappa"], Scale.of([0, 1], kind="nominal"))
    for clusters in (None, np.arange(90) // 3):
        data = halves(Sampled(np.arange(90) % 3 < 2, np.zeros(90, int), clusters), people, judge, run, 2)
        moments = correction(data, value, (-1, 1), trials=5).moments
        covariances = np.cov(value(data.draws(5, 0)), bias=True)
        assert (moments.people, moments.judged, moments.others) == pytest.approx(tuple(np.diag(covariances)))
        together = (moments.people_judged, moments.people_others, moments.judged_others)
        expected = covariances[[0, 0, 1], [1, 2, 2]] * ([1, 0, 0] if clusters is None else [1, 1, 1])
        assert together == pytest.approx(tuple(expected))
