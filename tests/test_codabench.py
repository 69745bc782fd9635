"""The bundle of a competition, unpacked and run as the platform does."""

import json
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

import metameasure as mm

DEMO = Path(str(files("metameasure") / "demo"))
CONFIG = """
title = "Tweets <b>"
description = "Sentiment of tweets"
gold = "gold.tsv"
measures = ["mae_macro", "cem_ord", "kappa_linear"]
classes = "-2..2"
image = "example.org/metameasure:1"
"""


@pytest.fixture
def bundle(run, tmp_path):
    (tmp_path / "gold.tsv").write_bytes((DEMO / "gold.tsv").read_bytes())
    (tmp_path / "task.toml").write_text(CONFIG)
    status, out, err = run("codabench", tmp_path / "task.toml", "-o", tmp_path / "bundle.zip")
    assert (status, err) == (0, "")
    assert "mae_macro is the primary measure" in out
    folder = tmp_path / "bundle"
    zipfile.ZipFile(tmp_path / "bundle.zip").extractall(folder)
    return folder


def scored(bundle, submission, place, python=sys.executable, **more):
    """What the platform does: reference data, submission and program unpacked, then the program's command, in a folder of its own
    without network settings or our environment."""
    for name, target in (("reference_data.zip", "input/ref"), ("scoring_program.zip", "program")):
        zipfile.ZipFile(bundle / name).extractall(place / target)
    (place / "input/res").mkdir(parents=True)
    (place / "input/res" / "answers.tsv").write_text(submission)
    (place / "output").mkdir()
    command = (place / "program/metadata.yaml").read_text().removeprefix("command: python3 ").replace("/app", str(place)).split()
    path = {"PYTHONPATH": str(Path(mm.__file__).parents[1]), "PATH": "/usr/bin:/bin", "HOME": str(place)} | more
    return subprocess.run([python, *command], cwd=place, env=path, capture_output=True, text=True, check=False, timeout=600)


def test_a_submission_gets_the_scores_of_evaluate_and_the_page(bundle, tmp_path):
    done = scored(bundle, (DEMO / "runs/careful.tsv").read_text(), tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads((tmp_path / "run/output/scores.json").read_text())
    scores = mm.evaluate(
        str(DEMO / "gold.tsv"),
        [str(DEMO / "runs/careful.tsv")],
        classes="-2..2",
        measures=["mae_macro", "cem_ord", "kappa_linear"],
    )
    assert told == dict(zip(("mae_macro", "cem_ord", "kappa_linear"), scores.averages()[:, 0].tolist(), strict=True))
    assert (tmp_path / "run/output/scores.txt").read_text().splitlines()[0] == f"mae_macro: {told['mae_macro']!r}"
    page = (tmp_path / "run/output/detailed_results.html").read_text()
    assert "By mae_macro, submission scores 0.366, interval 0.304 to 0.427; lower is better." in page


def test_a_broken_submission_is_told_what_check_says(bundle, tmp_path):
    done = scored(bundle, "item\tlabel\n1\tterrible\n", tmp_path / "run")
    assert done.returncode == 1
    assert "answers.tsv" in done.stderr
    assert "terrible" in done.stderr
    assert "Traceback" not in done.stderr
    assert "terrible" in (tmp_path / "run/output/detailed_results.html").read_text()
    assert not (tmp_path / "run/output/scores.json").exists()


def test_undefined_scores_rank_last(bundle, tmp_path):
    gold = (DEMO / "gold.tsv").read_text().splitlines()
    place = tmp_path / "run"
    one_class = [gold[0], *(line.rsplit("\t", 1)[0] + "\t0" for line in gold[1:])]
    with zipfile.ZipFile(bundle / "reference_data.zip") as archive:
        settings = archive.read("settings.json")
    with zipfile.ZipFile(bundle / "reference_data.zip", "w") as archive:
        archive.writestr("settings.json", settings)
        archive.writestr("gold.tsv", "\n".join(one_class) + "\n")
    done = scored(bundle, "\n".join(one_class) + "\n", place)
    told = json.loads((place / "output/scores.json").read_text())
    assert told["kappa_linear"] == -1_000_000  # nothing to agree about beyond chance
    assert "kappa_linear is undefined for this submission; -1e+06 ranks it last" in done.stderr


def test_the_leaderboard_knows_directions_and_the_primary_measure(bundle):
    told = json.loads((bundle / "competition.yaml").read_text())
    (board,) = told["leaderboards"]
    assert [(column["key"], column["sorting"], column["index"]) for column in board["columns"]] == [
        ("mae_macro", "asc", 0), ("cem_ord", "desc", 1), ("kappa_linear", "desc", 2),
    ]  # fmt: skip
    assert told["docker_image"] == "example.org/metameasure:1"
    assert told["version"] == 2
    for name in (told["image"], told["terms"], *(page["file"] for page in told["pages"])):
        assert (bundle / name).stat().st_size
    assert "ranked by mae_macro" in (bundle / "pages/evaluation.md").read_text()


def test_the_same_settings_give_the_same_bytes(run, tmp_path):
    (tmp_path / "gold.tsv").write_bytes((DEMO / "gold.tsv").read_bytes())
    (tmp_path / "task.toml").write_text(CONFIG)
    for name in ("a.zip", "b.zip"):
        run("codabench", tmp_path / "task.toml", "-o", tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (CONFIG.replace("title", "titel"), "has no 'title'"),
        (CONFIG.replace('image = "example.org/metameasure:1"', ""), "where the program runs"),
        (CONFIG.replace("gold.tsv", "nowhere.tsv"), "there is no file 'nowhere.tsv'"),
        (CONFIG.replace('"mae_macro"', '"mae_makro"'), "did you mean 'mae_macro'"),
        (CONFIG.replace('image = "example.org/metameasure:1"', 'wheels = "."'), "no wheel of metameasure"),
        ("title = ", "is not TOML"),
    ],
)
def test_wrong_settings_are_said(run, tmp_path, config, said):
    (tmp_path / "gold.tsv").write_bytes((DEMO / "gold.tsv").read_bytes())
    (tmp_path / "task.toml").write_text(config)
    status, _, err = run("codabench", tmp_path / "task.toml", "-o", tmp_path / "bundle.zip")
    assert status == 2
    assert said in err
    assert not (tmp_path / "bundle.zip").exists()


@pytest.mark.slow
def test_the_wheels_that_a_bundle_carries_are_enough_in_a_fresh_environment(run, tmp_path):
    """Everything from the archive: an environment that has nothing, and no network for pip."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", tmp_path / "wheels", Path(mm.__file__).parents[2]],
        check=True,
    )
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "fresh"], check=True)
    (tmp_path / "gold.tsv").write_bytes((DEMO / "gold.tsv").read_bytes())
    (tmp_path / "task.toml").write_text(CONFIG.replace('image = "example.org/metameasure:1"', 'wheels = "wheels"'))
    assert run("codabench", tmp_path / "task.toml", "-o", tmp_path / "bundle.zip")[0] == 0
    zipfile.ZipFile(tmp_path / "bundle.zip").extractall(tmp_path / "bundle")
    submission = (DEMO / "runs/careful.tsv").read_text()
    done = scored(tmp_path / "bundle", submission, tmp_path / "run", python=tmp_path / "fresh/bin/python", PYTHONPATH="")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "run/output/scores.json").read_text())["cem_ord"] == pytest.approx(0.798, abs=5e-4)
