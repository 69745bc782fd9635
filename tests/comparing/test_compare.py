"""``compare``: from scores of any tool to what may be claimed."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.comparing.comparison import count_beaten
from metameasure.scores.scores import ScoreMatrix
from metameasure.statistics.paired import corrected
from metameasure.statistics.tukey import classical_tukey_hsd

ROOT = Path(__file__).parents[2]
DEMO = Path(mm.__file__).parent / "demo"
SICK = ROOT.parent / "shared/data/sick2014/entailment_matrix.tsv"
LABELS = (DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2")
NAMES = ("low", "mid", "high", "top")
TESTS = ["stepwise", "tukey", "classical", "permutation", "bootstrap"]


def noisy(topics=40, seed=0):
    """Four runs, one step apart, on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, (topics, 1)) + np.arange(4) * 0.9 + rng.normal(0, 0.5, (topics, 4))


def matrix(values, measure="accuracy", runs=NAMES):
    return ScoreMatrix(measure, tuple(f"t{t}" for t in range(len(values))), tuple(runs[: values.shape[1]]), values)


class TestFindings:
    def test_runs_from_best_to_worst_whatever_the_direction(self):
        values = noisy()
        assert mm.compare(matrix(values)).runs == ("top", "high", "mid", "low")
        assert mm.compare(matrix(values, "mae")).runs == ("low", "mid", "high", "top")

    def test_letters_beats_and_sentences(self):
        found = mm.compare(matrix(noisy()))
        assert found.letters() == ["a", "b", "c", "d"]
        assert found.beats() == [3, 2, 1, 0]
        assert found.sentences()[0] == "top significantly outperforms all other runs (p < 0.001)."
        assert found.sentences()[-1].startswith("Significance: stepwise range test with B = 5000 trials, alpha = 0.05, 40 topics")
        by_tukey = mm.compare(matrix(noisy()), test="tukey").sentences()
        assert by_tukey[-1].startswith("Significance: randomised Tukey HSD test with B = 5000 trials")

    def test_nothing_to_claim(self):
        same = np.random.default_rng(1).normal(0, 1, (30, 4))
        found = mm.compare(matrix(same), alpha=0.001)
        assert found.letters() == ["a"] * 4
        assert found.sentences()[0] == "No difference is statistically significant."

    def test_effect_sizes_are_differences_in_residual_standard_deviations(self):
        found = mm.compare(matrix(noisy()))
        gap = found.means[0] - found.means[3]
        assert found.effect_size[0, 3] == pytest.approx(gap / np.sqrt(found.residual_variance))
        assert found.effect_size[3, 0] == -found.effect_size[0, 3]

    @pytest.mark.parametrize("test", TESTS)
    def test_every_test_sees_what_is_plain(self, test):
        found = mm.compare(matrix(noisy()), test=test)
        assert found.significant[np.triu_indices(4, 1)].all()
        assert (found.p == found.p.T).all()
        assert (np.diag(found.p) == 1).all()

    def test_classical_is_tukeys(self):
        values = noisy(12)
        found = mm.compare(matrix(values), test="classical")
        order = np.argsort(-values.mean(axis=0))
        np.testing.assert_allclose(found.p, classical_tukey_hsd(values[:, order]))

    def test_intervals_hold_the_means(self):
        found = mm.compare(matrix(noisy()))
        assert np.all((found.low < found.means) & (found.means < found.high))

    def test_beats_is_the_largest_k_of_the_worst(self):
        assert count_beaten(np.array([False, True, False, True, True]), 0) == 2
        assert count_beaten(np.array([False, True, True, True, False]), 0) == 0
        assert count_beaten(np.array([False, False, True, True, True]), 1) == 3

    def test_json_frame_and_text(self):
        found = mm.compare(matrix(noisy()), seed=3, trials=700)
        told = json.loads(found.render("json"))
        assert (told["measure"], told["test"], told["trials"], told["seed"]) == ("accuracy", "stepwise", 700, 3)
        assert (told["units"], told["topics"]) == ("topics", 40)
        assert np.array(told["p"]).shape == np.array(told["effect_size"]).shape == (4, 4)
        assert len(told["means"]) == len(told["runs"]) == 4
        pairs = list(csv.DictReader(io.StringIO(found.render("csv"))))
        assert len(pairs) == 6
        assert float(pairs[0]["p"]) == told["p"][0][1]
        assert found.to_frame("pandas").shape == (6, 7)  # with the ends of each difference's interval
        for format in ("table", "markdown", "latex", "tsv", "html"):
            assert "top" in found.render(format)


class TestTests:
    @pytest.mark.parametrize("test", TESTS)
    def test_rows_and_columns_in_another_order_give_the_same_p_values(self, test):
        values = np.random.default_rng(3).normal(0, 1, (15, 4)) + np.arange(4) * 0.3
        one = matrix(values)
        rows, columns = np.random.default_rng(4).permutation(15), np.array([2, 0, 3, 1])
        other = ScoreMatrix(
            "accuracy", tuple(one.topics[t] for t in rows), tuple(one.runs[r] for r in columns), values[np.ix_(rows, columns)]
        )
        first, second = (json.loads(mm.compare(scores, test=test, trials=500).render("json")) for scores in (one, other))
        assert first == second

    def test_a_weak_run_that_blinds_tukey_is_named(self):
        rng = np.random.default_rng(0)
        means = np.array([0.75, 0.68, 0.61, 0.05])
        values = np.clip(means + rng.normal(0, 0.08, (50, 1)) + rng.normal(0, 0.09, (50, 4)), 0, 1)
        scores = matrix(values, runs=("best", "good", "fair", "weak"))
        by_steps, by_tukey = (mm.compare(scores, test=test) for test in ("stepwise", "tukey"))
        assert by_steps.p[0, 2] < 0.05 < by_tukey.p[0, 2]
        _, note = by_tukey.notes
        assert note.startswith("Because weak scores so differently, shuffling makes scores vary ")
        assert "tukey tells 3 of 6 pairs apart, test='stepwise' 5 (also best from fair and good from fair)" in note
        assert len(by_steps.notes) == len(mm.compare(matrix(noisy()), test="tukey").notes) == 1

    def test_few_topics_are_pointed_out(self):
        sample, note = mm.compare(matrix(noisy(7))).notes
        assert sample == "the 7 topics are a sample of topics: intervals and tests are about other topics like these"
        said = "with 7 topics the stepwise test gives no p-value below 0.016; use more topics, or compare over items"
        assert note == f"{said} (units='items', from gold and runs)"
        found = mm.compare(matrix(noisy(8)))
        assert len(found.notes) == 1
        assert "stepwise range test, exact, alpha = 0.05, 8 topics." in found.sentences()[-1]

    def test_several_measures(self, run, tmp_path):
        file = tmp_path / "scores.csv"
        assert run("evaluate", *LABELS, "--measures", "mae_macro,cem_ord", "--scores", file)[0] == 0
        status, out, err = run("compare", file, "--measures", "mae_macro,cem_ord", "--format", "json")
        assert (status, err) == (0, "")
        told = json.loads(out)["measures"]
        assert [one["measure"] for one in told] == ["mae_macro", "cem_ord"]
        alone = json.loads(run("compare", file, "--measures", "cem_ord", "--format", "json")[1])
        said = {"notes": None, "findings": None}
        assert told[1] | said == alone | said
        assert told[1]["notes"][:-1] == alone["notes"]
        table = run("compare", file, "--measures", "mae_macro,cem_ord")[1]
        assert "mae_macro ↓" in table
        assert "cem_ord ↑" in table
        rows = list(csv.DictReader(io.StringIO(run("compare", file, "--measures", "mae_macro,cem_ord", "--format", "csv")[1])))
        assert {row["measure"] for row in rows} == {"mae_macro", "cem_ord"}
        both = mm.compare([matrix(noisy()), matrix(noisy(seed=1), "mae")], ["accuracy", "mae"])
        assert both["mae"].better == "lower"
        assert run("compare", file, "--measures", "mae_macro,cem_ord", "--chart", tmp_path / "x.svg")[0] == 0

    @pytest.mark.parametrize("test", TESTS)
    def test_all_runs_against_one(self, test):
        found = mm.compare(matrix(noisy(12)), test=test, against="mid")
        one = found.runs.index("mid")
        tested = ~np.isnan(found.p)
        assert tested[one].all()
        assert tested.sum() == 4 + 2 * 3
        assert len(found.pairs()["p"]) == 3
        assert found.to_dict()["against"] == "mid"
        if test in ("permutation", "bootstrap"):  # fewer questions, a milder correction
            alone = mm.compare(matrix(noisy(12)), test=test, correction="none").p[one]
            np.testing.assert_allclose(np.sort(found.p[one])[:3], corrected(np.sort(alone)[:3], "holm"))

    def test_against_one_as_a_table(self):
        found = mm.compare(matrix(noisy()), against="mid")
        table = str(found)
        assert "p vs mid" in table
        assert "share a letter" not in table
        assert found.sentences()[0] == "top and high significantly outperform mid (p < 0.001)."
        with pytest.raises(mm.UsageError, match="did you mean 'mid'"):
            mm.compare(matrix(noisy()), against="mdi")

    @pytest.mark.parametrize(
        ("p", "shown", "said"),
        [
            (0.0029994, "0.003*", "= 0.003"),
            (0.0496, "0.0496*", "= 0.0496"),
            (0.0504, "0.050", ""),
            (0.0004, "<0.001*", "< 0.001"),
        ],
    )
    def test_p_values_are_rounded_and_never_carried_over_alpha(self, p, shown, said):
        found = mm.compare(matrix(noisy()[:, :2]), test="permutation")
        found = replace(found, p=np.array([[1, p], [p, 1]]))
        assert f"  {shown}" in str(found)
        if said:
            assert f"(p {said})" in found.sentences()[0]


class TestInput:
    def test_scores_of_an_evaluation(self):
        scores = mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2", measures="mae_macro,cem_ord")
        assert mm.compare(scores, "mae_macro").runs[0] == "careful"
        with pytest.raises(mm.UsageError, match="did you mean 'cem_ord'"):
            mm.compare(scores, "cem_odr")
        with pytest.raises(mm.UsageError, match="several measures; choose one of mae_macro, cem_ord"):
            mm.compare(scores)

    @pytest.mark.parametrize("ending", ["parquet", "tsv", "csv.gz", "jsonl"])
    def test_a_score_file_gives_what_the_labels_give(self, run, tmp_path, ending):
        file = tmp_path / f"scores.{ending}"
        assert run("evaluate", *LABELS, "--measures", "mae_macro,cem_ord", "--scores", file)[0] == 0
        from_file = run("compare", file, "--measures", "mae_macro", "--format", "json")
        assert from_file[::2] == (0, "")
        from_labels = json.loads(run("compare", *LABELS, "--measures", "mae_macro", "--format", "json")[1])
        assert from_labels.pop("notes")[0].startswith("the 12 topics are a sample of topics")
        told = json.loads(from_file[1])
        # The range of mae_macro is that of the classes, which a file of scores does not have.
        other = dict.fromkeys(("notes", "findings", "low", "high", "validity", "signature", "signature_parts"))
        assert {**told, **other} == {**from_labels, **other}

    def test_a_matrix_of_another_tool(self, run, tmp_path):
        values = noisy()
        wide, bare = tmp_path / "ndcg.csv", tmp_path / "ndcg.txt"
        wide.write_text(
            "query,"
            + ",".join(NAMES)
            + "\n"
            + "".join(f"q{t}," + ",".join(map(repr, row)) + "\n" for t, row in enumerate(values.tolist()))
        )
        bare.write_text("\n".join(" ".join(map(repr, row)) for row in values.tolist()))
        status, out, err = run("compare", wide, "--measures", "nDCG", "--better", "higher", "--format", "json")
        assert (status, err) == (0, "")
        assert json.loads(out)["runs"] == ["top", "high", "mid", "low"]
        same = json.loads(run("compare", bare, "--better", "higher", "--format", "json")[1])
        assert same["runs"] == ["4", "3", "2", "1"]
        assert same["p"] == json.loads(out)["p"]

    def test_direction_must_be_known(self, run, tmp_path):
        file = tmp_path / "m.csv"
        file.write_text("topic,a,b\n1,.1,.2\n2,.3,.2\n")
        assert "say --better higher or --better lower" in run("compare", file)[2]
        assert "say --better" in run("compare", file, "--measures", "bleu")[2]
        status, _, err = run("compare", file, "--measures", "mae", "--better", "higher")
        assert (status, "lower scores of mae are better" in err) == (2, True)

    def test_the_same_seed_gives_the_same_bytes_whatever_the_threads(self, run):
        calls = [
            run("compare", *LABELS, "--measures", "mae_macro", "--threads", str(threads), "--format", "json")
            for threads in (1, 2, 5)
        ]
        assert calls[0] == calls[1] == calls[2]
        assert run("compare", *LABELS, "--measures", "mae_macro", "--seed", "1", "--format", "json") != calls[0]

    @pytest.mark.needs("shared-data")
    def test_sick_reads_well(self, run):
        told = ["--item-column", "pair_ID", "--classes", "CONTRADICTION,NEUTRAL,ENTAILMENT", "--partitions", "20"]
        status, out, err = run("compare", SICK, *told, "--measures", "kappa_linear")
        assert (status, err) == (0, "")
        assert "Illinois-LH significantly outperforms the worst" in out
        assert out.splitlines()[2].split()[:2] == ["1", "Illinois-LH"]


HOLES = "topic,a,b,c\n1,.1,.2,.3\n2,.3,,.1\n3,.2,.4,.5\n"


class TestBadScores:
    def compare(self, run, tmp_path, text, *arguments, name="m.csv"):
        file = tmp_path / name
        file.write_text(text)
        return run("compare", file, "--better", "higher", *arguments)

    def test_holes_are_named(self, run, tmp_path):
        status, out, err = self.compare(run, tmp_path, HOLES)
        assert (status, out) == (1, "")
        assert "1 missing or undefined score (1 run, 1 topic): 'b' on '2'; choose --incomplete drop-topics or drop-runs" in err

    def test_holes_left_out(self, run, tmp_path):
        told = json.loads(self.compare(run, tmp_path, HOLES, "--incomplete", "drop-topics", "--format", "json")[1])
        assert (told["topics"], len(told["runs"])) == (2, 3)
        assert told["notes"][0] == "1 topic with missing scores left out: 2"
        told = json.loads(self.compare(run, tmp_path, HOLES, "--incomplete", "drop-runs", "--format", "json")[1])
        assert (told["topics"], sorted(told["runs"])) == (3, ["a", "c"])

    def test_undefined_scores_of_an_evaluation_are_holes_too(self, run):
        status, _, err = run("compare", *LABELS, "--measures", "pearson")
        assert status == 1
        assert "12 missing or undefined scores (1 run, 12 topics): 'neutral' on 'airline'" in err

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            (
                "topic,a\n1,.1\n2,.3\n",
                "1 run and 2 topics with complete scores, but a comparison takes at least 2 of each; give two runs or more",
            ),
            ("topic,a,b\n1,.1,.2\n", "takes at least 2 of each; give items topics, or divide labels among them (--partitions K)"),
            ("topic,a,a\n1,.1,.2\n2,.1,.3\n", "m.csv:1: two columns are called 'a'"),
            ("topic,a,b\n1,.1,.2\n1,.3,.1\n", "m.csv:3: topic '1' again"),
            ("topic,a,b\n1,.1,.2\n2,x,.1\n", "m.csv:3: 'x' is not a number"),
            ("topic,a,b\n1,.1,.2\n2,inf,.1\n", "a score is infinite"),
            ("topic,a,b\n1,.1,.2\n2,.3\n", "m.csv:3: 2 fields instead of 3"),
            ("topic,a,b\n1,.1,.2\n2,.1,.2\n", "constant columns"),
            ("topic,a,b\n", "there are no scores"),
            ("topic\n1\n", "one column only"),
            ("", "the file is empty"),
            ("measure,topic,run,score\nm,1,a,.1\nm,1,a,.2\n", "m.csv:3: a second score of run 'a' on topic '1'"),
            ("measure,topic,run,score\nm,1,a,.1\nm,1,b,x\n", "m.csv:3: 'x' is not a number"),
            ("1 2 3\n1 2\n", "m.csv:2: 2 scores instead of 3"),
            ("1 2 3\n1 2 x\n", "m.csv:2: 'x' is not a number"),
        ],
    )
    def test_clear_errors(self, run, tmp_path, text, complaint):
        status, out, err = self.compare(run, tmp_path, text)
        assert (status, out) == (1, "")
        assert complaint in err

    def test_calls_that_are_wrong(self, run, tmp_path):
        long = "measure,topic,run,score\n" + "".join(
            f"{m},{t},{r},{t + ord(r) % 3}\n" for m in ("x", "y") for t in (1, 2) for r in "ab"
        )
        assert "choose one of x, y" in self.compare(run, tmp_path, long)[2]
        assert "there are no scores of 'z'" in self.compare(run, tmp_path, long, "--measures", "z")[2]
        assert run("compare", tmp_path / "nowhere.csv")[0] == 2
        assert "as in --measures cem_ord" in run("compare", *LABELS)[2]
        assert run("compare", *LABELS, "--measures", "mae", "--alpha", "5")[0] == 2
        with pytest.raises(mm.UsageError, match="did you mean 'tukey'"):
            mm.compare(matrix(noisy()), test="tuckey")


def test_a_score_file_in_another_encoding(run, tmp_path):
    (tmp_path / "scores.csv").write_bytes("topic,a,b\n1,.1,.2\ncafé,.3,.1\n".encode("latin-1"))
    status, out, err = run("compare", tmp_path / "scores.csv", "--better", "higher")
    assert (status, out) == (1, "")
    assert "scores.csv:3: bytes that are not UTF-8" in err


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (("--smooth", ".1"), "--smooth is for data to be scored"),
        (("--item-column", "id"), "--item-column is for data to be scored"),
        (("--class-column", "id"), "--class-column is for data to be scored"),
        (("--bins", "1,2"), "--bins is for data to be scored"),
        (("--task", "entailment"), "which label means what is never guessed"),
    ],
)
def test_how_to_read_data_is_not_ignored(run, tmp_path, flags, complaint):
    """A file of scores has no use for it, and of labels with roles no classes are declared."""
    file = tmp_path / "data.tsv"
    labels = "item\tgold\trun\n1\tE\tE\n2\tC\tC\n3\tN\tC\n"
    file.write_text(labels if "--task" in flags else "topic\tA\tB\n1\t.1\t.2\n2\t.3\t.1\n3\t.3\t.2\n")
    status, out, err = run("compare", file, "--measures", "a3", *flags)
    assert (status, out) == (2, "")
    assert complaint in err


def test_evaluate_and_compare_give_a_run_the_same_interval():
    """The same topics, 1,000 draws, the same stream; whatever the number of trials of the test."""
    from importlib.resources import files

    folder = files("metameasure") / "demo"
    scores = mm.evaluate(folder / "gold.tsv", str(folder / "runs" / "*.tsv"), classes="-2..2", measures="cem_ord", ci=True)
    found = mm.compare(scores, "cem_ord", trials=100)
    low, high = (dict(zip(scores.runs, end[0], strict=True)) for end in scores.intervals.topics)
    np.testing.assert_allclose(found.low, [low[run] for run in found.runs], atol=1e-9)
    np.testing.assert_allclose(found.high, [high[run] for run in found.runs], atol=1e-9)
