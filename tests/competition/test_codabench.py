"""The bundle of a competition, unpacked and run as the platforms do; and the same program elsewhere."""

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

import metameasure as mm
from metameasure.competition import scoring
from metameasure.competition.scoring import score_submission

DEMO = Path(str(files("metameasure") / "demo"))
CONFIG = """
title = "Tweets <b>"
description = "Sentiment of tweets"
gold = "gold.tsv"
measures = ["mae_macro", "cem_ord", "kappa_linear"]
classes = "-2..2"
undefined = "chance"
image = "example.org/metameasure:1"
"""


OURS = {"PYTHONPATH": str(Path(mm.__file__).parents[1]), "PATH": "/usr/bin:/bin"}


@pytest.fixture
def unpacked(run, tmp_path):
    """The bundle for a platform in a folder of its own."""

    def one(platform="codabench"):
        (tmp_path / "gold.tsv").write_bytes((DEMO / "gold.tsv").read_bytes())
        (tmp_path / "task.toml").write_text(CONFIG)
        status, out, err = run("codabench", tmp_path / "task.toml", "-o", tmp_path / "bundle.zip", "--platform", platform)
        assert (status, err) == (0, "")
        assert "mae_macro is the primary measure" in out
        zipfile.ZipFile(tmp_path / "bundle.zip").extractall(tmp_path / "bundle")
        return tmp_path / "bundle"

    return one


@pytest.fixture
def bundle(unpacked):
    return unpacked()


def laid_out(bundle, submission, place):
    """What both platforms do first: reference data, submission and program unpacked, in a folder of their own."""
    for name, target in (("reference_data.zip", "input/ref"), ("scoring_program.zip", "program")):
        zipfile.ZipFile(bundle / name).extractall(place / target)
    (place / "input/res").mkdir(parents=True)
    (place / "input/res" / "answers.tsv").write_text(submission)
    (place / "output").mkdir()


def executed(command, place, python=sys.executable, **more):
    """A command of ``python3``, without network settings or our environment."""
    assert command[0] == "python3"
    path = OURS | {"HOME": str(place)} | more
    return subprocess.run([python, *command[1:]], cwd=place, env=path, capture_output=True, text=True, check=False, timeout=600)


def scored(bundle, submission, place, **how):
    """As Codabench runs the program: the command is in metadata.yaml, and everything lies in /app."""
    laid_out(bundle, submission, place)
    command = yaml.safe_load((place / "program/metadata.yaml").read_text())["command"].replace("/app", str(place))
    return executed(shlex.split(command), place, **how)


@pytest.mark.thorough
def test_a_submission_gets_the_scores_of_evaluate_and_the_page(bundle, tmp_path):
    done = scored(bundle, (DEMO / "runs/careful.tsv").read_text(), tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads((tmp_path / "run/output/scores.json").read_text())
    scores = mm.evaluate(
        str(DEMO / "gold.tsv"),
        [str(DEMO / "runs/careful.tsv")],
        classes="-2..2",
        measures=["mae_macro", "cem_ord", "kappa_linear"],
        undefined="chance",
    )
    assert told == dict(zip(("mae_macro", "cem_ord", "kappa_linear"), scores.averages()[:, 0].tolist(), strict=True))
    assert (tmp_path / "run/output/scores.txt").read_text().splitlines()[0] == f"mae_macro: {told['mae_macro']!r}"
    page = (tmp_path / "run/output/detailed_results.html").read_text()
    assert "By mae_macro, submission scores 0.366, interval 0.300 to 0.444; lower is better." in page


@pytest.mark.parametrize("left", ["__MACOSX/._answers.tsv", "Thumbs.db", "inside/desktop.ini", ".DS_Store", "metadata"])
def test_what_systems_leave_in_an_archive_is_no_submission(left, tmp_path):
    (tmp_path / left).parent.mkdir(exist_ok=True)
    for name in (left, "answers.tsv"):
        (tmp_path / name).touch()
    assert scoring._only_file(tmp_path, tmp_path / "reference") == tmp_path / "answers.tsv"


class TestCodaLab:
    """What CodaLab reads of version 1.5: phases by number, boards and their columns, pages in HTML."""

    @pytest.mark.thorough
    def test_the_program_runs_as_the_platform_runs_it(self, unpacked, tmp_path):
        bundle, place = unpacked("codalab"), tmp_path / "run"
        phase = yaml.safe_load((bundle / "competition.yaml").read_text())["phases"][1]
        assert {phase["reference_data"], phase["scoring_program"]} <= {path.name for path in bundle.iterdir()}
        laid_out(bundle, (DEMO / "runs/careful.tsv").read_text(), place)
        (place / "input/res/metadata").write_text("description: a submission\n")  # CodaLab leaves one there
        command = yaml.safe_load((place / "program/metadata").read_text())["command"]
        for name, folder in (("$program", "program"), ("$input", "input"), ("$output", "output")):
            command = command.replace(name, str(place / folder))
        done = executed(shlex.split(command), place)
        assert (done.returncode, done.stderr) == (0, "")
        told = dict(line.split(": ") for line in (place / "output/scores.txt").read_text().splitlines())
        assert list(told) == ["mae_macro", "cem_ord", "kappa_linear"]
        assert float(told["mae_macro"]) == pytest.approx(0.366, abs=5e-4)
        assert "By mae_macro, submission scores 0.366" in (place / "output/detailed_results.html").read_text()

    def test_the_leaderboard_and_the_pages(self, unpacked):
        bundle = unpacked("codalab")
        told = yaml.safe_load((bundle / "competition.yaml").read_text())
        assert (told["title"], told["competition_docker_image"]) == ("Tweets <b>", "example.org/metameasure:1")
        (board,) = told["leaderboard"]["leaderboards"].values()
        columns = told["leaderboard"]["columns"]
        assert {key: (one["rank"], one["sort"]) for key, one in columns.items()} == {
            "mae_macro": (1, "asc"), "cem_ord": (2, "desc"), "kappa_linear": (3, "desc"),
        }  # fmt: skip
        assert all(one["leaderboard"] == board for one in columns.values())
        assert [key for key, one in columns.items() if one.get("selection_default")] == ["mae_macro"]
        assert told["phases"][1]["phasenumber"] == 1
        for name in (told["image"], *told["html"].values()):
            assert (bundle / name).stat().st_size
        assert "<h1>Tweets &lt;b&gt;</h1>" in (bundle / told["html"]["overview"]).read_text()
        assert "ranked by mae_macro" in (bundle / told["html"]["evaluation"]).read_text()


def blocks(language):
    """The commands that the documentation shows in a language."""
    text = (Path(__file__).parents[2] / "docs/codabench.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.thorough
def test_the_command_line_for_tira_as_it_is_documented(bundle, tmp_path):
    (line,) = [line for block in blocks("sh") for line in block.splitlines() if "$inputRun" in line]
    laid_out(bundle, (DEMO / "runs/careful.tsv").read_text(), tmp_path / "run")
    folders = {"$inputDataset": "input/ref", "$inputRun": "input/res", "$outputDir": "output", "score.py": "program/score.py"}
    for name, folder in folders.items():
        line = line.replace(name, str(tmp_path / "run" / folder))
    done = executed(shlex.split(line, comments=True), tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    found = re.findall(
        r'measure \{\n  key: "(\w+)"\n  value: "([^"]+)"\n\}', (tmp_path / "run/output/evaluation.prototext").read_text()
    )
    assert {key: float(value) for key, value in found} == json.loads((tmp_path / "run/output/scores.json").read_text())
    wrong = executed(["python3", str(tmp_path / "run/program/score.py"), "--input-run", "x"], tmp_path / "run")
    assert wrong.returncode == 2
    assert "name INPUT and OUTPUT, or --input-dataset" in wrong.stderr


@pytest.mark.slow
def test_the_action_scores_the_run_files_of_a_pull_request(bundle, tmp_path):
    """Its step as it is documented, in a repository with a pull request; nothing is installed or uploaded."""
    (workflow,) = map(yaml.safe_load, blocks("yaml"))
    (job,) = workflow["jobs"].values()
    assert "pull_request" in workflow[True]  # YAML reads the key `on` so
    assert job["permissions"] == {"contents": "read"}
    (step,) = [step for step in job["steps"] if "score.py" in step.get("run", "")]
    here = tmp_path / "repository"
    (here / "runs").mkdir(parents=True)
    for name in ("scoring_program.zip", "reference_data.zip"):
        (here / name).write_bytes((bundle / name).read_bytes())
    (here / "runs/old.tsv").write_bytes((DEMO / "runs/bold.tsv").read_bytes())
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]

    def did(*command):
        subprocess.run([*git, *command], cwd=here, check=True, capture_output=True)

    did("init", "--initial-branch=main")
    did("add", "."), did("commit", "-m", "before"), did("checkout", "-b", "mine")
    (here / "runs/my $(touch taken) run.tsv").write_bytes((DEMO / "runs/careful.tsv").read_bytes())
    (here / "runs/broken.tsv").write_text("item\tlabel\n1\tterrible\n")
    did("add", "."), did("commit", "-m", "my runs")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "bin/python3").chmod(0o755)
    variables = OURS | {"HOME": str(tmp_path), "BASE": "main", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    variables["PATH"] = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(shell, cwd=here, env=variables, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 1  # for one of the two runs is broken
    assert "terrible" in done.stderr
    assert sorted(path.name for path in (here / "scores").iterdir()) == ["broken.tsv", "my $(touch taken) run.tsv"]
    told = json.loads((here / "scores/my $(touch taken) run.tsv/scores.json").read_text())
    assert told["mae_macro"] == pytest.approx(0.366, abs=5e-4)
    assert '"mae_macro": 0.36' in (tmp_path / "summary.md").read_text()
    assert not (here / "taken").exists()


def test_a_broken_submission_is_told_what_check_says(bundle, tmp_path):
    done = scored(bundle, "item\tlabel\n1\tterrible\n", tmp_path / "run")
    assert done.returncode == 1
    assert "answers.tsv" in done.stderr
    assert "terrible" in done.stderr
    assert "Traceback" not in done.stderr
    assert "terrible" in (tmp_path / "run/output/detailed_results.html").read_text()
    assert not (tmp_path / "run/output/scores.json").exists()


def test_undefined_scores_rank_last(bundle, tmp_path, capsys):
    gold = (DEMO / "gold.tsv").read_text().splitlines()
    place = tmp_path / "run"
    one_class = [gold[0], *(line.rsplit("\t", 1)[0] + "\t0" for line in gold[1:])]
    with zipfile.ZipFile(bundle / "reference_data.zip") as archive:
        settings = json.loads(archive.read("settings.json"))
    del settings["undefined"]
    with zipfile.ZipFile(bundle / "reference_data.zip", "w") as archive:
        archive.writestr("settings.json", json.dumps(settings))
        archive.writestr("gold.tsv", "\n".join(one_class) + "\n")
    laid_out(bundle, "\n".join(one_class) + "\n", place)
    with pytest.warns(UserWarning, match="kappa_linear of submission is defined on 0 of 12 topics only"):
        assert score_submission(place / "input/ref", place / "input/res", place / "output") == 0
    told = json.loads((place / "output/scores.json").read_text())
    assert told["kappa_linear"] == -1_000_000  # nothing to agree about beyond chance
    assert "kappa_linear is undefined for this submission; -1e+06 ranks it last" in capsys.readouterr().err


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
        (CONFIG.replace('image = "example.org/metameasure:1"', ""), "does not say where the program runs"),
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


def test_wheels_without_an_image_run_in_the_python_that_they_are_for(run, tmp_path):
    (tmp_path / "gold.tsv").write_bytes((DEMO / "gold.tsv").read_bytes())
    for name in ("metameasure-0.1-py3-none-any.whl", "numpy-2.3-cp313-cp313-manylinux_2_28_x86_64.whl"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "task.toml").write_text(CONFIG.replace('image = "example.org/metameasure:1"', 'wheels = "."'))
    for platform, key in (("codabench", "docker_image"), ("codalab", "competition_docker_image")):
        assert run("codabench", tmp_path / "task.toml", "-o", tmp_path / "bundle.zip", "--platform", platform)[0] == 0
        with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
            assert yaml.safe_load(archive.read("competition.yaml"))[key] == "python:3.13-slim"


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
