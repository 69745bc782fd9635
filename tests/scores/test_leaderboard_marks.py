"""A leaderboard that is ready for the paper: letters, ranks by every measure, several measures compared at once."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
import metameasure.core.errors
from metameasure.cli.main import main

DEMO = Path(mm.__file__).parent / "demo"
FILES = DEMO / "gold.tsv", DEMO / "runs/*.tsv"
DATA = [str(FILES[0]), str(FILES[1]), "--classes", "-2..2"]


@pytest.fixture(scope="module")
def scores():
    chosen = "cem_ord,mae_macro,gold_entropy"
    return mm.evaluate(*FILES, classes="-2..2", measures=chosen, groups=True, ranks=True, baselines=True)


class TestGroups:
    @pytest.mark.parametrize("measure", ["cem_ord", "mae_macro"])
    def test_the_letters_are_those_of_compare(self, scores, measure):
        compared = mm.compare(*FILES, measure, classes="-2..2")
        expected = dict(zip(compared.runs, compared.letters(), strict=True))
        told = {run["run"]: run["groups"][measure] for run in scores.to_dict()["runs"]}
        assert {run: letters for run, letters in told.items() if letters is not None} == expected
        assert told["baseline: majority"] is None

    def test_on_one_test_set_too_where_items_are_compared(self):
        draw = [1, 2, 3, 2, 1, 3, 2, 2] * 10
        worse = [label if place % 3 else 1 for place, label in enumerate(draw)]
        found = mm.evaluate(draw, {"good": draw, "worse": worse}, classes=[1, 2, 3], measures="accuracy", groups=True)
        compared = mm.compare(draw, {"good": draw, "worse": worse}, "accuracy", classes=[1, 2, 3])
        assert found.groups.letters["accuracy"] == dict(zip(compared.runs, compared.letters(), strict=True))
        assert "paired permutation test" in found.groups.tests["accuracy"]
        assert "80 items" in found.groups.tests["accuracy"]

    def test_the_note_names_the_test(self, scores):
        assert (
            "Runs that share a letter do not differ significantly by that measure "
            "(stepwise range test, exact, alpha = 0.05, 12 topics)."
        ) in str(scores)
        assert re.search(r"careful +0\.7984 \(1\) a ", str(scores))

    def test_letters_stand_beside_intervals(self):
        found = mm.evaluate(*FILES, classes="-2..2", measures="cem_ord", groups=True, ci=True)
        assert re.search(r"careful +0\.798 \[0\.767, 0\.826\] a ", str(found))

    def test_a_measure_by_which_runs_cannot_be_compared_says_why(self):
        gold, runs = ["a", "b", "a", "b"] * 3, {"one": ["a", "a", "a", "a"] * 3, "other": ["a", "b", "a", "a"] * 3}
        with pytest.warns(mm.MetameasureWarning, match="recall@c of one and other is defined on 0 of 1 topic only"):
            found = mm.evaluate(gold, runs, classes=["a", "b", "c"], measures="accuracy,recall@c", groups=True)
        assert list(found.groups.letters) == ["accuracy"]
        assert any(note.startswith("recall@c has no letters: ") for note in found.notes)

    def test_programs_get_a_column_for_each(self, scores):
        rows = list(csv.DictReader(io.StringIO(scores.render("csv"))))
        careful = next(row for row in rows if row["run"] == "careful")
        assert (careful["cem_ord group"], careful["cem_ord rank"]) == ("a", "1")
        assert "gold_entropy group" not in careful


class TestRanks:
    def test_ranks_by_every_measure(self, scores):
        told = {run["run"]: run["ranks"] for run in scores.to_dict()["runs"]}
        assert told["shifted"] == {"cem_ord": 5, "mae_macro": 2, "gold_entropy": None}
        assert told["baseline: majority"]["cem_ord"] is None  # baselines are not ranked, and nobody ranks behind them
        assert told["neutral"]["cem_ord"] == 6

    def test_equal_scores_share_a_rank(self):
        gold = [1, 2, 1, 2]
        found = mm.evaluate(gold, {"a": gold, "b": gold, "c": [1, 1, 1, 1]}, classes=[1, 2], measures="accuracy", ranks=True)
        assert found.own_ranks(0) == [1, 1, 3]

    def test_without_the_option_there_are_none(self):
        found = mm.evaluate(*FILES, classes="-2..2", measures="cem_ord")
        assert "ranks" not in found.to_dict()["runs"][0]
        assert "(1)" not in str(found)


def test_the_pooled_column_says_what_it_is(scores):
    shown = str(scores)
    assert "cem_ord pooled" in shown.splitlines()[0]
    assert "means over topics; pooled: all topics as one; ranked by cem_ord." in shown


class TestSeveralMeasures:
    def test_one_table_with_letters_for_each_measure(self):
        shown = str(mm.compare(*FILES, ["cem_ord", "mae_macro"], classes="-2..2"))
        assert shown.splitlines()[0].split() == ["run", "cem_ord", "↑", "mae_macro", "↓"]
        assert re.search(r"^bold +0\.7625 ab +0\.6453 b$", shown, re.MULTILINE)
        assert shown.count("Significance: ") == 1

    def test_against_one_run_the_table_has_p_values_for_each(self):
        found = mm.compare(*FILES, ["cem_ord", "mae_macro"], classes="-2..2", against="careful")
        line = next(line for line in str(found).splitlines() if line.startswith("coarse"))
        ours = [part.p[part.runs.index("careful"), part.runs.index("coarse")] for part in found.parts]
        assert re.findall(r"\(([^*)]+)\*\)", line) == [f"{p:.3f}" for p in ours]
        assert "( ): p-values against careful" in str(found)

    def test_a_run_that_a_measure_does_not_compare_has_a_dash(self):
        values = np.array([[0.1, 0.2], [0.2, 0.4], [0.3, 0.3], [0.1, 0.5]])
        matrix = mm.ScoreMatrix("accuracy", ("1", "2", "3", "4"), ("a", "b"), values)
        other = mm.ScoreMatrix("cem_ord", ("1", "2", "3", "4"), ("a", "c"), values)
        shown = str(mm.compare([matrix, other], ["accuracy", "cem_ord"]))
        assert re.search(r"^b .* –$", shown, re.MULTILINE)

    def test_json_has_an_object_for_each(self, capsys):
        assert main(["compare", *DATA, "--measures", "cem_ord,mae_macro", "--against", "careful", "--format", "json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert [one["measure"] for one in told["measures"]] == ["cem_ord", "mae_macro"]
        assert {one["against"] for one in told["measures"]} == {"careful"}


@pytest.mark.each_time(1)
@pytest.mark.parametrize("command", ["evaluate", "compare", "design", "meta similarity"])
def test_measure_and_measures_are_the_same_word(command, tmp_path, capsys):
    scores = str(tmp_path / "scores.csv")
    assert main(["evaluate", *DATA, "--measures", "cem_ord,mae_macro,accuracy", "--scores", scores]) == 0
    capsys.readouterr()
    on = DATA if command in ("evaluate", "compare") else [scores]
    printed = []
    for option in ("--measure", "--measures"):
        assert main([*command.split(), *on, option, "cem_ord,mae_macro"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_the_command_line_has_both(capsys):
    assert main(["evaluate", *DATA, "--measures", "cem_ord", "--groups", "--ranks"]) == 0
    assert re.search(r"careful +0\.7984 \(1\) a ", capsys.readouterr().out)
