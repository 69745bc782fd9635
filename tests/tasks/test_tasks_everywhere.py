"""Probabilities and sets of labels through the commands that ask more of a task than its scores."""

import zipfile

import numpy as np
import pytest

import metameasure as mm
from engines import spark

TASKS = {"probabilities": "negative,neutral,positive", "multilabel": "a,b,c,d,e,f,g,h"}
MEASURES = {"probabilities": "brier,auc", "multilabel": "f1_macro,f1@b"}


@pytest.fixture(params=TASKS)
def made(request, tmp_path):
    """A simulated task in files: its name, its options, gold and two runs."""
    task = request.param
    folder = tmp_path / "made"
    kinds = ["calibrated=.6", "rand=.5"] if task == "probabilities" else ["noisy=.05", "missing=.4"]
    mm.simulate(task=task, topics=6, items=20, kinds=kinds).save(folder)
    return task, {"task": task, "classes": TASKS[task]}, folder / "gold.tsv", sorted((folder / "runs").glob("*.tsv"))


def test_a_file_of_scores_says_whose_measures_it_has(made, tmp_path):
    task, how, gold, runs = made
    scores = mm.evaluate(gold, runs, measures=MEASURES[task], **how)
    scores.save(tmp_path / "scores.csv")
    again = mm.read_scores(tmp_path / "scores.csv")
    assert [one.tasks for one in again.measures] == [one.tasks for one in scores.measures]
    assert ("task" in (tmp_path / "scores.csv").read_text().splitlines()[0]) == (task == "multilabel")
    assert "imbalance" not in str(mm.meta.summary(tmp_path / "scores.csv", trials=50, splits=10))


def test_names_without_a_task_are_those_of_the_only_one_that_has_them_all(tmp_path):
    rows = [f"{name},{topic},{run},.5\n" for name in ("f1_macro", "hamming_loss") for topic in "xy" for run in "ab"]
    (tmp_path / "scores.csv").write_text("measure,topic,run,score\n" + "".join(rows))
    assert {one.tasks for one in mm.read_scores(tmp_path / "scores.csv").measures} == {("multilabel",)}


def test_a_bundle_for_a_competition(made, tmp_path, run):
    task, how, gold, _ = made
    names = ", ".join(f'"{name}"' for name in MEASURES[task].split(","))
    classes = ", ".join(f'"{name}"' for name in how["classes"].split(","))
    text = (
        f'title = "T"\ngold = "made/{gold.name}"\nmeasures = [{names}]\ntask = "{task}"\nclasses = [{classes}]\nimage = "x/y:1"\n'
    )
    (tmp_path / "task.toml").write_text(text + 'undefined = "worst"\n')
    status, _, errors = run("codabench", str(tmp_path / "task.toml"), "-o", str(tmp_path / "task.zip"))
    assert status == 0, errors
    assert "competition.yaml" in zipfile.ZipFile(tmp_path / "task.zip").namelist()


def test_counted_in_parts(made):
    task, how, gold, runs = made
    whole = mm.evaluate(gold, runs, measures=MEASURES[task], **how)
    parts = [mm.count(gold, [one], **how) for one in runs]
    merged = mm.evaluate(mm.merge(parts), measures=MEASURES[task])
    for name in whole.runs:
        assert merged[name] == pytest.approx(whole[name], abs=1e-12)


@pytest.mark.needs("spark")
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
def test_on_a_cluster_as_here(made):
    task, how, gold, runs = made
    here = mm.evaluate(gold, runs, measures=MEASURES[task], ci=True, **how)
    there = mm.evaluate(gold, runs, measures=MEASURES[task], ci=True, engine="spark", master=spark().address, **how)
    assert there.runs == here.runs
    np.testing.assert_array_equal(there.values, here.values)
    counted = mm.count(gold, runs, engine="spark", master=spark().address, **how)
    assert counted.checksum() == mm.count(gold, runs, **how).checksum()
