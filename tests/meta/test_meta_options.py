"""Options of the questions: tests, colours and groups, both sizes of splits, the matrix of taus, subsets, runs left out."""

import csv
import json

import numpy as np
import pytest

import metameasure as mm
from meta_cases import long_file, matrix, three_measures
from metameasure.meta.significance_overlap import Shared
from metameasure.meta.split_consistency import split_taus

QUICK = ("--trials", "200", "--splits", "50")


@pytest.fixture
def file(tmp_path):
    return long_file(tmp_path / "scores.csv", three_measures())


def unsigned(told):
    """The answer without its signature, which parts of an answer do not have."""
    return {name: value for name, value in told.items() if not name.startswith("signature")}


class TestTheTestOfDiscrimination:
    @pytest.mark.parametrize("test", ["classical", "permutation", "bootstrap"])
    def test_p_values_are_those_of_compare(self, test):
        data = three_measures(topics=20, runs=5)
        found = mm.meta.discrimination(data, test=test, trials=300, seed=2)
        for part, p in zip(data, found.p, strict=True):
            expected = mm.compare(part, test=test, trials=300, seed=2)
            place = [expected.runs.index(run) for run in found.runs]
            np.testing.assert_array_equal(p, expected.p[np.ix_(place, place)])
        assert found.to_dict()["test"] == test

    def test_on_the_command_line_and_for_what_rests_on_it(self, run, file):
        for question in ("discrimination", "overlap", "contradictions"):
            status, out, err = run("meta", question, file, *QUICK, "--test", "permutation")
            assert (status, err) == (0, "")
            assert "aired permutation test, alpha = 0.05, B = 200" in out
        told = json.loads(run("meta", "all", file, *QUICK, "--test", "classical", "--format", "json")[1])
        assert told["answers"]["discrimination"]["test"] == "classical"
        assert "--test cannot be 'tukee'; choose stepwise, tukey" in run("meta", "discrimination", file, "--test", "tukee")[2]

    @pytest.mark.parametrize("question", ["discrimination", "overlap", "contradictions"])
    @pytest.mark.parametrize(
        ("asked", "drawn"),
        [((), "data"), (("--test", "tukey"), "names"), (("--test", "tukey", "--draw-by", "data"), "data"),
         (("--draw-by", "names"), "names")],
    )  # fmt: skip
    def test_what_draws_go_by_is_told_and_signed(self, run, file, question, asked, drawn):
        told = json.loads(run("meta", question, file, *QUICK, *asked, "--format", "json")[1])
        assert (told["test"], told["draw_by"]) == ("tukey", drawn)
        assert (told["signature_parts"]["test"], told["signature_parts"]["draw_by"]) == ("tukey", drawn)

    def test_all_questions_together_draw_as_the_one_about_runs(self, run, file):
        by_names = json.loads(run("meta", "all", file, *QUICK, "--test", "tukey", "--format", "json")[1])
        alone = json.loads(run("meta", "discrimination", file, *QUICK, "--test", "tukey", "--format", "json")[1])
        assert by_names["signature_parts"]["draw_by"] == "names"
        assert by_names["answers"]["discrimination"]["measures"] == alone["measures"]
        with pytest.raises(mm.UsageError, match="draw_by cannot be 'luck'; choose data or names"):
            mm.meta.overlap(file, draw_by="luck")
        assert "--draw-by cannot be 'luck'" in run("meta", "discrimination", file, "--draw-by", "luck")[2]

    def test_tukey_is_the_default_drawn_by_the_data(self, run, file):
        plain = run("meta", "discrimination", file, *QUICK, "--format", "json")
        named = ("--test", "tukey", "--draw-by", "data")
        assert plain == run("meta", "discrimination", file, *QUICK, *named, "--format", "json")


class TestSimilarity:
    def test_colours(self, run, file):
        """Sakai (2021), Tables 5 and 8: blue from .9, sand from .8."""
        told = run("meta", "similarity", file, "--colours", ".9,.8", "--format", "latex")[1]
        assert r"tau $\geq$ 0.9 (blue), $\geq$ 0.8, below (orange)" in told
        assert "two numbers, the higher first" in run("meta", "similarity", file, "--colours", ".9")[2]
        assert "two numbers, the higher first" in run("meta", "similarity", file, "--colours", ".6,.8")[2]

    def test_groups(self, run, file):
        """All measures are alike at -1, none at 1."""
        groups = [
            json.loads(run("meta", "similarity", file, "--group-at", at, "--format", "json")[1])["groups"] for at in (-1, 1)
        ]
        assert [len(found) for found in groups] == [1, 3]
        told = json.loads(run("meta", "all", file, *QUICK, "--group-at", "-1", "--format", "json")[1])
        assert {row["group"] for row in told["measures"]} == {"A"}
        assert "between -1 and 1" in run("meta", "similarity", file, "--group-at", "8")[2]


class TestConsistency:
    def test_both_sizes_in_one_table(self, run, file):
        """Sakai (2021), Table 3: full splits, and 10 topics against 10."""
        status, out, err = run("meta", "consistency", file, *QUICK, "--size", "half,10")
        assert (status, err) == (0, "")
        assert "20 vs. 20: mean τ" in out
        assert "10 vs. 10: mean τ" in out
        told = json.loads(run("meta", "consistency", file, *QUICK, "--size", "half,10", "--format", "json")[1])
        alone = [
            json.loads(run("meta", "consistency", file, *QUICK, "--size", size, "--format", "json")[1]) for size in ("half", 10)
        ]
        plain = [{name: value for name, value in unsigned(one).items() if name not in ("notes", "findings")} for one in alone]
        assert told["sizes"] == plain
        assert {key: told[key] for key in plain[0]} == plain[0]
        rows = list(
            csv.DictReader(run("meta", "consistency", file, *QUICK, "--size", "half,10", "--format", "csv")[1].splitlines())
        )
        assert [row["size"] for row in rows] == ["half"] * 3 + ["10"] * 3

    def test_sizes_without_some_runs(self, run, file):
        call = ("meta", "consistency", file, *QUICK, "--size", "half,5", "--leave-out", "r7")
        assert "(without r7)" in run(*call)[1]
        rows = list(csv.DictReader(run(*call, "--format", "csv")[1].splitlines()))
        assert [(row["size"], row["without"]) for row in rows[::3]] == [("half", ""), ("half", "r7"), ("5", ""), ("5", "r7")]
        told = json.loads(run(*call, "--format", "json")[1])["left_out"][0]
        assert [one["size"] for one in told["sizes"]] == ["half", 5]

    def test_sizes_over_several_data_sets(self):
        parts = {"x": three_measures(), "y": three_measures(seed=3)}
        found = mm.meta.consistency(parts, splits=30, trials=100, size=("half", 5))
        (small,) = found.other_sizes
        assert (found.how(), small.how()) == ("20 vs. 20", "5 vs. 5")
        rows = {line.split()[0]: line.split() for line in str(found).splitlines() if line.startswith(("(x)", "(y)", "(mean)"))}
        assert set(rows) == {"(x)", "(y)", "(mean)"}
        assert f"{small.mean_tau[small.measures.index(found.measures[0])]:.3f}" in str(found)

    def test_the_matrix_of_taus(self, run, tmp_path, file):
        """Split by measure, as the test sees it."""
        taus = tmp_path / "taus.csv"
        assert run("meta", "consistency", file, *QUICK, "--taus", taus)[0] == 0
        rows = list(csv.DictReader(taus.read_text().splitlines()))
        assert list(rows[0]) == ["split", *mm.meta.consistency(file, splits=50, trials=10).measures]
        (data,) = mm.meta.data_sets(file).values()
        expected = split_taus(data.oriented_values(), 50, 0, None)
        for column, measure in enumerate(data.ids):
            assert [float(row[measure]) for row in rows] == expected[:, column].tolist()

    def test_the_matrix_of_several(self, run, tmp_path, file):
        other = long_file(tmp_path / "other.csv", three_measures(seed=4))
        taus = tmp_path / "taus.parquet"
        assert run("meta", "consistency", file, other, *QUICK, "--size", "half,5", "--taus", taus)[0] == 0
        frame = pytest.importorskip("pandas").read_parquet(taus)
        assert frame.groupby(["data", "size"]).size().to_dict() == {
            (name, size): 50 for name in ("scores", "other") for size in ("half", "5")
        }
        status, out, err = run("meta", "consistency", file, "--taus", tmp_path / "taus.doc")
        assert (status, out) == (2, "")
        assert "does not say which format to write" in err


class TestSubsets:
    @pytest.mark.parametrize(
        ("counts", "relation", "sentence"),
        [
            ((0, 5, 0), "same", "x and y find the same 5 differences."),
            ((0, 5, 3), "first_within_second", "All 5 differences that x finds, y finds too (of 8)."),
            ((3, 5, 0), "second_within_first", "All 5 differences that y finds, x finds too (of 8)."),
            ((2, 5, 4), "others", "Of the 7 differences that x finds, 2 are not among the 9 of y."),
            ((4, 5, 2), "others", "Of the 7 differences that y finds, 2 are not among the 9 of x."),
            ((0, 0, 4), "none", "x finds no difference."),
            ((0, 0, 0), "none", "Neither x nor y finds a difference."),
        ],
    )
    def test_a_part_or_others(self, counts, relation, sentence):
        pair = Shared("x", "y", *counts, contradicting=0)
        assert (pair.relation, pair.sentence()) == (relation, sentence)

    def test_the_papers_outlier(self):
        """Sakai (LQ 2021), Section 5.2: of DialEval-1 DQ-S, NMD finds 11 differences that RNOD does not."""
        assert (
            Shared("nmd", "rnod", 11, 71, 54, 0).sentence()
            == "Of the 82 differences that nmd finds, 11 are not among the 125 of rnod."
        )

    def test_it_is_printed(self, run, file):
        found = mm.meta.overlap([file], trials=200)
        told = run("meta", "overlap", file, *QUICK)[1]
        assert all(pair.sentence() in told for pair in found.pairs)
        assert json.loads(run("meta", "overlap", file, *QUICK, "--format", "json")[1])["pairs"][0]["relation"]


class TestLeaveOut:
    def test_a_column_each(self, run, file):
        for question in ("coverage", "robustness"):
            heading = run("meta", question, file, "--leave-out", "r[01]", "--leave-out", "r7")[1].splitlines()[0]
            assert "without r[01]  without r7" in heading
            told = json.loads(run("meta", question, file, "--leave-out", "r[01]", "--format", "json")[1])
            alone = json.loads(run("meta", question, file, "--runs", "r[2-7]", "--format", "json")[1])
            assert told["left_out"] == [{"without": "r[01]"} | unsigned(alone)]

    @pytest.mark.parametrize("question", ["similarity", "consistency", "discrimination", "overlap", "contradictions"])
    def test_for_the_other_questions(self, run, file, tmp_path, question):
        status, out, err = run("--quiet", "meta", question, file, *QUICK, "--leave-out", "r[01]", "--chart", tmp_path / "x.svg")
        assert (status, err) == (0, "")
        assert "without r[01]" in out
        told = json.loads(run("meta", question, file, *QUICK, "--leave-out", "r[01]", "--format", "json")[1])
        alone = json.loads(run("meta", question, file, *QUICK, "--runs", "r[2-7]", "--format", "json")[1])
        assert told["left_out"] == [{"without": "r[01]"} | unsigned(alone)]
        rows = list(
            csv.DictReader(run("meta", question, file, *QUICK, "--leave-out", "r[01]", "--format", "csv")[1].splitlines())
        )
        assert {row["without"] for row in rows} <= {"", "r[01]"}
        assert "without" not in run("meta", question, file, *QUICK, "--format", "csv")[1].splitlines()[0]

    def test_several_data_sets(self):
        parts = {"x": three_measures(), "y": three_measures(runs=6, seed=3)}
        found = mm.meta.robustness(parts, leave_out=["r0", "r5"])
        assert str(found).splitlines()[0].split() == ["measure", "x", "y", "mean", "without", "r0", "without", "r5"]
        alone = mm.meta.robustness(parts, runs="r[1-7]")
        assert found.left_out[0].robustness.tolist() == alone.robustness.tolist()

    def test_in_the_summary(self, run, file):
        status, out, err = run("meta", "all", file, *QUICK, "--leave-out", "r[01]")
        assert (status, err) == (0, "")
        told = json.loads(run("meta", "all", file, *QUICK, "--leave-out", "r[01]", "--format", "json")[1])
        alone = json.loads(run("meta", "all", file, *QUICK, "--runs", "r[2-7]", "--format", "json")[1])
        assert told["left_out"] == [{"without": "r[01]"} | unsigned(alone)]
        assert out.splitlines()[0].endswith("without r[01]")
        for row in alone["measures"]:
            assert f"{row['mean_tau']:.3f}, {100 * row['power']:.1f}%" in next(
                line for line in out.splitlines() if line.startswith(f"{row['id']} ")
            )

    def test_not_of_two_runs(self):
        with pytest.raises(mm.UsageError, match="leave_out is not for this question"):
            mm.meta.deltas(three_measures(), "r0", "r1", leave_out="r7")

    def test_what_is_wrong(self, run, file):
        assert "there is no run 'maj*' in 'scores'" in run("meta", "robustness", file, "--leave-out", "maj*")[2]
        status, _, err = run("meta", "robustness", file, "--leave-out", "r*")
        assert status == 1
        assert "without r*: 0 runs" in err


def test_robustness_without_constant_runs_is_another():
    """Runs that always tie pull robustness down; without them the other runs are in the same order on every topic."""
    values = np.tile([1.0, 2.0, 3.0, 9.0], (5, 1))
    values[:, 3] = [0, 9, 0, 9, 0]
    found = mm.meta.robustness(matrix("accuracy", values, ("a", "b", "c", "odd")), leave_out="odd")
    assert found.robustness[0] < 1
    assert found.left_out[0].robustness[0] == pytest.approx(1)
