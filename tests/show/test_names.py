"""Which runs are shown, and what they are called where people read: ``--show A,B`` and ``--rename RUN=NAME``."""

import json
import re

import pytest

import metameasure as mm
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.show.names import renaming

CALL = ("--classes", "1..3", "--measures", "accuracy")


@pytest.fixture
def files(tmp_path):
    """Thirty items; a has all of them right, b two thirds, c none."""
    gold = [str(1 + number % 3) for number in range(30)]
    outputs = {
        "a": gold,
        "b": ["1" if label == "2" else label for label in gold],
        "c": ["2" if one == "1" else "1" for one in gold],
    }
    for name, labels in {"gold": gold, **outputs}.items():
        lines = "".join(f"{place}\t{label}\n" for place, label in enumerate(labels))
        (tmp_path / f"{name}.tsv").write_text("item\tlabel\n" + lines)
    return [str(tmp_path / f"{name}.tsv") for name in ("gold", "a", "b", "c")]


def test_evaluate_shows_some_runs_by_other_names_with_the_ranks_of_all(run, files):
    status, told, _ = run("evaluate", *files, *CALL, "--show", "a,c", "--rename", "c=Wrong", "--rename", "a=Ours (2026)")
    assert status == 0
    rows = [line.split("  ") for line in told.splitlines()]
    assert re.search(r"^ +1 +Ours \(2026\) +1\.0000", told, re.MULTILINE)
    assert re.search(r"^ +3 +Wrong +0\.0000", told, re.MULTILINE)
    assert "2 of 3 runs are shown; ranks, letters and tests are of all." in told
    assert not any("b" in row for row in rows)


def test_what_programs_read_has_all_runs_by_their_own_names(run, files):
    asked = ("--show", "a", "--rename", "a=Ours")
    told = json.loads(run("evaluate", *files, *CALL, *asked, "--format", "json")[1])
    assert [one["run"] for one in told["runs"]] == ["a", "b", "c"]
    assert run("evaluate", *files, *CALL, *asked, "--format", "csv") == run("evaluate", *files, *CALL, "--format", "csv")


@pytest.mark.parametrize("command", ["evaluate", "compare", "ranks", "table"])
def test_every_command_draws_them_too(run, files, tmp_path, command):
    chart = tmp_path / "chart.svg"
    measures = CALL if command != "table" else CALL[:2]
    status, told, _ = run(
        command, *files, *measures, "--show", "b,c", "--rename", "c=Wrong", "--chart", str(chart), "--format", "latex"
    )
    assert status == 0
    drawn = chart.read_text()
    assert ">Wrong<" in drawn
    assert not re.search(r">a<", drawn)
    assert "Wrong" in told.partition("% ")[0]


def test_sentences_call_them_so_and_commands_do_not(run, files):
    told = run("compare", *files, *CALL, "--rename", "a=Ours,b=Second", "--notes", "all")[1]
    assert re.search(r"Ours significantly outperforms", told)
    said = say("{run} varies ({--leave-out <run>}), unlike {others}", run="a", others=listed(["a", "b"]))
    assert said.renamed({"a": "A B"}).on("command") == "A B varies (--leave-out a), unlike A B or b"


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        (("--show", "x"), "there is no run 'x' to show or rename; the runs are a, b and c"),
        (("--rename", "x=X"), "there is no run 'x'"),
        (("--rename", "a"), "--rename is 'a'; write --rename RUN=NAME"),
        (("--rename", "a=b"), "two runs would be called 'b'"),
        (("--rename", "a="), "a run would have no name"),
        (("--rename", "a=x", "--rename", "a=y"), "run 'a' gets two names"),
    ],
)
def test_names_that_make_no_sense(run, files, tmp_path, asked, wrong):
    chart = tmp_path / "chart.svg"
    status, told, errors = run("evaluate", *files, *CALL, *asked, "--chart", str(chart))
    assert (status, told) == (2, "")
    assert wrong in errors
    assert not chart.exists()


def test_python():
    scores = mm.evaluate(["x", "y"], {"a": ["x", "y"], "b": ["x", "x"]}, classes="x,y", measures="accuracy")
    assert "Ours" in scores.render("markdown", show=["a"], rename={"a": "Ours"})
    assert "b" not in [cell.strip() for cell in scores.render("markdown", show=["a"]).splitlines()[2].split("|")]
    assert scores.chart(show=["b"]) is not None
    with pytest.raises(UsageError, match="no runs to choose from"):
        mm.axioms(["kappa"], properties="symmetric", trials=0).render(show=["a"])


def test_commas_in_names():
    assert renaming(["a=First, 2020", "b=B,c=C"]) == {"a": "First, 2020", "b": "B", "c": "C"}
