"""What a newcomer runs into: odd files, odd names, too many labels, results at a prompt and back in again."""

import json
import subprocess
import sys

import numpy as np
import pytest

import metameasure as mm
from conftest import ROOT

DEMO = ROOT / "src/metameasure/demo"
FLAGS = ("--classes", "-2..2")


@pytest.fixture(scope="module")
def scores():
    return mm.evaluate(DEMO / "gold.tsv", str(DEMO / "runs/*.tsv"), classes="-2..2", measures="mae,cem_ord")


def test_numbers_without_bins_are_not_listed_one_by_one(run, tmp_path):
    rows = "".join(f"{item},{item / 1000:.3f},{item / 999:.4f}\n" for item in range(500))
    (tmp_path / "both.csv").write_text("item,gold,run\n" + rows)
    status, out, err = run("evaluate", tmp_path / "both.csv")
    assert (status, out) == (2, "")
    assert "different labels are found (" in err
    assert "--bins" in err
    assert len(err) < 400


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"PK\x03\x04\x14\x00", "a ZIP archive that is damaged or cut short"),
        (b"%PDF-1.4\n", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b'[{"item": 1}]', "a JSON list"),
        (b"[\n  [1, 2]\n]", "a JSON list"),
        (b"[null, true]", "a JSON list"),
        (b"[data]\ngold = 'gold.tsv'\n", "a file of settings (TOML or INI)"),
        (b"[[run]]  # the first\nname = 'a'\n", "a file of settings (TOML or INI)"),
    ],
)
def test_files_that_are_no_tables(run, tmp_path, start, what):
    (tmp_path / "run.tsv").write_bytes(start + (b"" if start.startswith(b"[") else b"\x00" * 20))
    status, out, err = run("evaluate", DEMO / "gold.tsv", tmp_path / "run.tsv", *FLAGS)
    assert (status, out) == (1, "")
    assert f"this is {what}, not a table" in err
    status, _, err = run("compare", tmp_path / "run.tsv", "--better", "higher")
    assert status == 1
    assert "internal error" not in err


def test_a_bracket_opens_no_list_where_a_name_follows(run, tmp_path):
    (tmp_path / "run.csv").write_text("[id],label\na,1\n")
    status, _, err = run("evaluate", DEMO / "gold.tsv", tmp_path / "run.csv", *FLAGS)
    assert status == 1
    assert "its columns are [id], label" in err
    (tmp_path / "settings.toml").write_text("[data]\n")
    _, _, err = run("evaluate", tmp_path / "settings.toml", "--task", "quantification", "--classes", "1..2")
    assert "a file of settings" in err


def test_a_name_that_begins_with_a_tilde(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "~run.tsv").write_bytes((DEMO / "runs/bold.tsv").read_bytes())
    status, out, err = run("evaluate", DEMO / "gold.tsv", "./~run.tsv", *FLAGS, "--measures", "mae")
    assert (status, err) == (0, "")
    assert "~run" in out


@pytest.mark.needs("/dev/full")
def test_a_full_disk_is_said():
    command = [sys.executable, "-m", "metameasure", "evaluate", str(DEMO / "gold.tsv"), str(DEMO / "runs/bold.tsv"), *FLAGS]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode != 0
    assert "internal error" not in done.stderr


def test_a_run_whose_name_has_line_ends(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n")
    (tmp_path / "odd\nname*.csv").write_text("item,label\n1,a\n2,b\n")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "odd\nname[*].csv")]
    _, table, _ = run("evaluate", *files, "--classes", "a,b", "--measures", "accuracy")
    assert "odd name*  " in table
    _, markdown, _ = run("evaluate", *files, "--classes", "a,b", "--measures", "accuracy", "--format", "markdown")
    assert "odd name\\*" in markdown


def test_results_at_a_prompt_look_as_printed(scores):
    assert repr(scores) == str(scores).rstrip("\n")
    assert repr(scores).startswith("rank  run")
    assert repr(mm.compare(scores, "mae", trials=50)).startswith("rank  run")
    assert repr(mm.meta.similarity(scores)).startswith("measure")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_of_scores_goes_back_in(scores, library):
    pytest.importorskip(library)
    frame = scores.to_frame(library)
    again, first = (mm.compare(given, "cem_ord", trials=50) for given in (frame, scores))
    np.testing.assert_array_equal(again.p, first.p)
    assert mm.meta.similarity(frame).to_dict()["tau"] == mm.meta.similarity(scores).to_dict()["tau"]
    with pytest.raises(mm.UsageError, match="scores of several measures"):
        mm.compare(frame)


def test_a_comparison_in_every_format(run, tmp_path):
    files = (DEMO / "gold.tsv", DEMO / "runs/*.tsv")
    flags = (*FLAGS, "--measures", "mae", "--trials", 50)
    _, markdown, _ = run("compare", *files, *flags, "--format", "markdown")
    assert "\n- \n" not in markdown
    _, latex, _ = run("compare", *files, *flags, "--format", "latex")
    table, _, comments = latex.partition(r"\end{table*}")
    assert "Significance: stepwise range test" in table
    assert "significantly outperform" in comments
    status, _, err = run("--quiet", "compare", *files, *flags, "--chart", tmp_path / "chart.svg")
    assert (status, err) == (0, "")
    assert b"</svg>" in (tmp_path / "chart.svg").read_bytes()


def test_whole_ranks_are_written_whole(run, tmp_path):
    (tmp_path / "in.csv").write_text("segment,item,rank\n1,a,1\n1,b,2\n1,c,\n")
    run("convert", tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == ["1,a,1", "1,b,2", "1,c,"]


def test_segments_are_called_so(run, tmp_path):
    (tmp_path / "gold.csv").write_text("segment,item,rank\n1,a,1\n1,b,2\n2,a,1\n2,b,2\n")
    (tmp_path / "run.csv").write_text("segment,item,rank\n1,a,1\n1,b,2\n2,a,1\n2,b,2\n")
    assert "2 segments" in run("check", tmp_path / "gold.csv", tmp_path / "run.csv", "--task", "ranking")[1]


def test_measures_that_find_nothing_are_not_good():
    rng = np.random.default_rng(0)
    matrices = [mm.ScoreMatrix(name, tuple("123"), ("a", "b"), rng.random((3, 2))) for name in ("mae", "accuracy")]
    found = mm.meta.summary(matrices, splits=20, trials=50)
    assert json.loads(found.render("json"))["measures"]
    assert "good 0.0%" not in str(found)
