"""Metrics over the language pairs and levels of a folder of mt-metrics-eval, averaged as at WMT.

Values by naive code; the layout, and which systems and scores are chosen, as mt-metrics-eval's README and source have them.
"""

import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.comparing.metrics import AverageComparison
from metameasure.reading.wmt_test_sets import decided

PEOPLE = np.array([[4, 3, 5, 2, 4], [3, 3, 4, 2, 3], [1, 2, 4, 3, 2]], dtype=float)
FIRST = np.array([[9, 6, 8, 4, 7], [7, 6, 9, 3, 6], [3, 5, 7, 5, 2]], dtype=float)
SECOND = np.array([[5, 6, 4, 4, 7], [8, 6, 7, 5, 6], [3, 4, 9, 2, 6]], dtype=float)
SYSTEMS = "ABC"


def blocks(scores, systems=SYSTEMS):
    return "".join(f"{system}\t{score:g}\n" for system, row in zip(systems, scores, strict=True) for score in row)


def put(folder, scores, systems=SYSTEMS, level="seg"):
    """Scores as a file of the folder; those of systems are means."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text(blocks(scores if level == "seg" else scores.mean(axis=1)[:, None], systems))


@pytest.fixture
def folder(tmp_path):
    """A test set that nobody knows, with two language pairs."""
    test = tmp_path / "mini"
    for pair in ("en-de", "zh-en"):
        for level in ("seg", "sys"):
            put(test / f"human-scores/{pair}.mqm.{level}.score", PEOPLE, level=level)
            put(test / f"metric-scores/{pair}/M1-refA.{level}.score", FIRST, level=level)
            put(test / f"metric-scores/{pair}/M2-src.{level}.score", SECOND if pair == "en-de" else FIRST[::-1], level=level)
    return test


class TestRead:
    def test_as_it_lies_on_disk(self, folder, run):
        """One file for each metric; the task and the format need not be said."""
        for asked in ((), ("--task", "ranking", "--format-in", "mtme")):
            measures = ("--measures", "spa,pearson@segment,pearson@item", "--language-pairs", "en-de")
            told = json.loads(run("evaluate", folder, *measures, *asked, "--format", "json")[1])
            assert [one["run"] for one in told["runs"]] == ["M1", "M2[noref]"]
            assert [*told["runs"][0]["scores"].values()] == pytest.approx([0.947917, 0.872278, 0.762187], abs=6e-7)
            assert [*told["runs"][1]["scores"].values()] == pytest.approx([0.609375, 0.389950, 0.113415], abs=6e-7)
        assert "mini/en-de: gold is mqm, people's scores of segments, for 3 systems" in told["notes"]

    def test_scores_of_systems_are_their_own(self, folder):
        """As BLEU's are, which are no means of segments."""
        put(folder / "metric-scores/en-de/M1-refA.sys.score", np.array([[1.0], [2], [3]]))
        found = mm.evaluate(folder, measures="pearson@system", language_pairs=["en-de"])
        expected = np.corrcoef([1, 2, 3], PEOPLE.mean(axis=1))[0, 1]
        assert dict(zip(found.runs, found.averages()[0], strict=True))["M1"] == pytest.approx(expected)
        by_segments = mm.evaluate(folder, measures="pearson@system", language_pairs=["en-de"], score_files="seg")
        assert by_segments["M1"]["pearson@system"] == pytest.approx(np.corrcoef(FIRST.mean(axis=1), PEOPLE.mean(axis=1))[0, 1])

    def test_what_nobody_scored_is_left_out(self, folder):
        path = folder / "human-scores/en-de.mqm.seg.score"
        path.write_text(path.read_text().replace("C\t3\n", "C\tNone\n"))
        found = mm.evaluate(folder, measures="pearson@segment", language_pairs=["en-de"])
        known = PEOPLE.copy()
        known[2, 3] = np.nan
        at = ~np.isnan(known)
        assert found["M1"]["pearson@segment"] == pytest.approx(np.corrcoef(FIRST[at], known[at])[0, 1])

    def test_the_reference_and_outliers_are_no_systems(self, tmp_path, run):
        """As GetCorrelations has it: no main reference, no outlier; other translations by people are systems."""
        test = tmp_path / "wmt23"
        systems = ["A", "B", "refA", "refB", "synthetic_ref"]
        scores = np.arange(15.0).reshape(5, 3) ** 1.5
        put(test / "human-scores/en-de.mqm.seg.score", scores, systems)
        put(test / "human-scores/en-de.wmt.seg.score", scores[::-1], systems)
        put(test / "metric-scores/en-de/M-refA.seg.score", scores[[0, 1, 3, 4]], ["A", "B", "refB", "synthetic_ref"])
        put(test / "metric-scores/en-de/M-refB.seg.score", scores[[0, 1, 2, 4]], ["A", "B", "refA", "synthetic_ref"])
        put(test / "metric-scores/en-de/N-src.seg.score", scores, systems)
        for name in ("refA", "refB"):
            (test / "references").mkdir(exist_ok=True)
            (test / f"references/en-de.{name}.txt").write_text("a\nb\nc\n")
        said = {}
        for systems_asked in ("wmt", "machines", "all"):
            told = json.loads(run("evaluate", test, "--measures", "spa", "--systems", systems_asked, "--format", "json")[1])
            assert [one["run"] for one in told["runs"]] == ["M", "N[noref]"]
            said[systems_asked] = told["notes"][0]
        assert said["wmt"].endswith("for 3 systems; left out: refA (the reference) and synthetic_ref (an outlier)")
        assert "for 2 systems" in said["machines"]
        assert "refB (a translation by people)" in said["machines"]
        assert said["all"].endswith("for 4 systems; left out: refA (the reference)")
        other = mm.evaluate(test, measures="spa", references=["refB"], human_scores="wmt")
        assert "gold is wmt" in other.notes[0]
        assert "left out: refB (the reference)" in other.notes[0]

    def test_metrics_by_name(self, folder):
        found = mm.evaluate(folder, measures="spa", language_pairs=["en-de"], metrics=["M2-src"])
        assert found.runs == ("M2[noref]",)

    def test_what_wmt_decided(self):
        assert decided("wmt22", "en-de").gold == {"sys": "mqm", "seg": "mqm"}
        assert decided("wmt22", "cs-en").gold["seg"] == "wmt"
        assert decided("wmt19", "de-en").gold == {"sys": "wmt-z", "seg": "wmt-raw"}
        assert (decided("wmt24", "en-de").reference, decided("wmt24", "en-de").outliers) == ("refB", ("MSLC",))
        assert decided("wmt24", "cs-uk").gold["seg"] == "esa"
        assert not decided("mine", "en-de").gold

    def test_evidence_is_counted_of_it(self, folder, tmp_path, run):
        asked = ("--language-pairs", "en-de", "-o", tmp_path / "counted.npz")
        assert run("count", folder, "--task", "ranking", *asked)[0] == 0
        told = json.loads(run("evaluate", tmp_path / "counted.npz", "--measures", "spa", "--format", "json")[1])
        assert told["runs"][0]["scores"]["spa"] == pytest.approx(0.947917, abs=6e-7)


def edited(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


class TestDamaged:
    """Every fault is said with its file, and the line where there is one."""

    METRIC, GOLD = "metric-scores/en-de/M1-refA.seg.score", "human-scores/en-de.mqm.seg.score"

    @pytest.fixture
    def asked(self, folder, run):
        return lambda *more: run("evaluate", folder, "--measures", "spa", "--language-pairs", "en-de", *more)

    @pytest.mark.parametrize(
        ("file", "old", "new", "said"),
        [
            (METRIC, "C\t3\nC\t5\nC\t7\nC\t5\nC\t2\n", "", ".score: there is no score of system 'C', which people scored"),
            (METRIC, "C\t2\n", "", ".score:14: system 'C' has 4 segments, but 'A' has 5"),
            (METRIC, "C\t2\n", "C\tgood\n", ".score:15: 'good' is not a finite number"),
            (METRIC, "C\t2\n", "C 2\n", ".score:15: 1 field instead of 2"),
            (GOLD, "A\t5\n", "A\tinf\n", ".score:3: 'inf' is not a finite number"),
            (GOLD, "A\t2\nA\t4\n", "A\t2\n", ".score:4: system 'A' has 4 segments, but 'B' has 5"),
        ],
    )
    def test_a_file(self, folder, asked, file, old, new, said):
        edited(folder / file, old, new)
        status, _, errors = asked()
        assert (status, file.rpartition("/")[2].removesuffix(".score") + said in errors) == (1, True), errors

    @pytest.mark.parametrize("file", [METRIC, GOLD])
    def test_an_empty_file(self, folder, asked, file):
        (folder / file).write_text("")
        status, _, errors = asked()
        assert (status, f"{file}: the file is empty" in errors) == (1, True), errors

    def test_fewer_segments_than_people_scored(self, folder, asked):
        put(folder / self.METRIC, FIRST[:, :4])
        status, _, errors = asked()
        assert status == 1
        assert "M1-refA.seg.score:4: every system has 4 scores instead of 5; as many as in" in errors

    def test_two_lines_for_a_system(self, folder, run):
        put(folder / "metric-scores/en-de/M1-refA.sys.score", FIRST[:, :2])
        status, _, errors = run("evaluate", folder, "--measures", "pearson@system", "--language-pairs", "en-de")
        assert (status, "M1-refA.sys.score:2: every system has 2 scores instead of 1" in errors) == (1, True), errors

    def test_a_system_without_outputs(self, folder, asked):
        (folder / "system-outputs/en-de").mkdir(parents=True)
        for system in "AB":
            (folder / f"system-outputs/en-de/{system}.txt").write_text("x\n")
        status, _, errors = asked()
        assert (status, ":15: there is no output of system 'C' in" in errors) == (1, True), errors

    def test_several_faults_at_once(self, folder, asked):
        edited(folder / self.METRIC, "C\t2\n", "C\tgood\n")
        edited(folder / self.GOLD, "A\t5\n", "A\tbad\n")
        _, _, errors = asked()
        assert "good" in errors
        assert "bad" in errors

    def test_no_metric_for_the_language_pair(self, folder, asked):
        for file in (folder / "metric-scores/en-de").iterdir():
            file.unlink()
        status, _, errors = asked()
        assert (status, "metric-scores/en-de: there is no metric for the language pair en-de" in errors) == (1, True), errors

    def test_no_scores_of_people(self, folder, asked):
        for file in (folder / "human-scores").iterdir():
            file.unlink()
        assert "human-scores: there are no scores of people" in asked()[2]

    def test_which_scores_are_gold_has_to_be_said(self, folder, asked):
        put(folder / "human-scores/en-de.esa.seg.score", PEOPLE)
        status, _, errors = asked()
        assert status == 2
        assert "choose --human-scores NAME: there are esa or mqm" in errors
        assert asked("--human-scores", "esa")[0] == 0
        assert "no scores 'eas' of people" in asked("--human-scores", "eas")[2]

    def test_which_reference_has_to_be_said(self, folder, asked):
        put(folder / "metric-scores/en-de/M3-refB.seg.score", FIRST)
        status, _, errors = asked()
        assert (status, "read the references refA and refB; choose one with --references" in errors) == (2, True), errors
        assert asked("--references", "refB")[0] == 0
        assert "no metric for en-de reads the reference 'refC'" in asked("--references", "refC")[2]

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("--language-pairs", "en-fr"), "no scores of people for the language pair en-fr"),
            (("--metrics", "BLUE"), "there is no metric 'BLUE' for en-de"),
            (("--systems", "none"), "--systems cannot be 'none'; choose wmt, machines or all"),
        ],
    )
    def test_what_is_not_there(self, asked, more, said):
        status, _, errors = asked(*more)
        assert (status, said in errors) == (2, True), errors

    def test_other_folders(self, folder, run):
        several = run("evaluate", folder.parent, "--task", "ranking", "--format-in", "mtme", "--measures", "spa")
        assert (several[0], "is a folder of several test sets; name one of its test sets" in several[2]) == (2, True)
        other = run("evaluate", folder / "human-scores", "--task", "ranking", "--format-in", "mtme", "--measures", "spa")
        assert (other[0], "is no folder of mt-metrics-eval" in other[2]) == (2, True)
        assert "mini' has 2 language pairs; choose one with --language-pairs" in run("evaluate", folder, "--measures", "spa")[2]
        beside = run("evaluate", folder, folder / self.METRIC, "--task", "ranking", "--measures", "spa")
        assert (beside[0], "put the files of other metrics into its metric-scores" in beside[2]) == (2, True)

    def test_options_of_folders_are_of_rankings(self, run, tmp_path):
        (tmp_path / "g.csv").write_text("item,label\na,1\n")
        status, _, errors = run("evaluate", tmp_path / "g.csv", tmp_path / "g.csv", "--classes", "1..2", "--references", "refA")
        assert (status, "--references is not for the task classification" in errors) == (2, True)


class TestAveraged:
    ONE = ("--language-pairs", "en-de", "--measures", "pearson@segment,pairwise_accuracy@epsilon=0", "--trials", "200")

    @pytest.mark.parametrize(
        ("weights", "expected"), [((), (0.868070, 0.580821)), (("--weights", ".75,.25"), (0.902104, 0.637898))]
    )
    def test_over_levels(self, folder, run, weights, expected):
        told = json.loads(run("compare", folder, *self.ONE, *weights, "--format", "json")[1])
        assert told["runs"] == ["M1", "M2[noref]"]
        assert told["means"] == pytest.approx(expected, abs=6e-7)
        assert [one["name"] for one in told["data"]] == ["pearson@segment", "pairwise_accuracy@epsilon=0.0"]
        assert [one["measure"] for one in told["measures"]] == [one["measure"] for one in told["data"]]
        assert told["data"][0]["p"][0][1] == pytest.approx(0.016693, abs=6e-7)  # of all swaps
        assert told["data"][1]["means"] == pytest.approx((0.8, 0.466667), abs=6e-7)

    def test_p_values_are_of_the_sum_of_draws(self, folder):
        """By hand: the same swaps for measures of the same scores, drawn again."""
        measures = ["pearson@segment", "pearson@item"]
        found = mm.compare(folder, measure=measures, language_pairs=["en-de"], trials=500, seed=3, weights=[3, 1])
        assert isinstance(found, AverageComparison)
        cells = 15
        from metameasure.statistics.metric_tests import _drawn_swaps

        swaps = _drawn_swaps(3, 0, 500, cells).reshape(500, 3, 5)
        one, other = ((side - side.mean()) / side.std() for side in (FIRST, SECOND))

        def average(metrics):
            values = [np.asarray(mm.measures[name](metrics, np.broadcast_to(PEOPLE, metrics.shape))) for name in measures]
            return 0.75 * (values[0] + 1) / 2 + 0.25 * (values[1] + 1) / 2

        observed = average(one[None])[0] - average(other[None])[0]
        drawn = average(np.where(swaps, other, one)) - average(np.where(swaps, one, other))
        assert found.p[0, 1] == pytest.approx(((drawn >= observed - 1e-9).sum() + 1) / 501)
        assert found.means[0] - found.means[1] == pytest.approx(observed)

    def test_over_language_pairs_and_levels(self, folder, run):
        asked = ("--measures", "pearson@system,pearson@segment,pearson@item,spa", "--trials", "50", "--test", "perm-both")
        told = json.loads(run("compare", folder, *asked, "--format", "json")[1])
        names = [one["name"] for one in told["data"]]
        assert names[:2] == ["en-de pearson@system", "en-de pearson@segment"]
        assert len(names) == 8
        ends = {"spa": (0, 1)}
        scaled = [
            (np.array(one["means"])[np.argsort(one["runs"])] - low) / (high - low)
            for one in told["data"]
            for low, high in [ends.get(one["measure"], (-1, 1))]
        ]
        ours = np.array(told["means"])[np.argsort(told["runs"])]
        assert ours == pytest.approx(np.mean(scaled, axis=0))
        assert told["measure"] == "average"
        assert told["clusters"][0] == 1
        by_measure = told["measures"]
        assert [one["measure"] for one in by_measure] == ["pearson@system", "pearson@segment", "pearson@item", "spa"]
        assert [one["name"] for one in by_measure[1]["data"]] == names[1::4]
        assert told["signature_parts"]["data"].keys() == {"en-de.sys", "en-de.seg", "zh-en.sys", "zh-en.seg"}
        assert any("swapped apart" in note for note in told["notes"])

    def test_one_measure_over_language_pairs(self, folder, run):
        out = run("compare", folder, "--measures", "pearson@segment", "--trials", "50")[1]
        assert "average ↑" in out
        assert "cluster" in out
        assert "en-de" in out
        assert "0.8723 (1)" in out
        for format, said in (("latex", r"\toprule"), ("markdown", "| metric"), ("csv", "run_a,run_b")):
            assert said in run("compare", folder, "--measures", "pearson@segment", "--trials", "50", "--format", format)[1]

    def test_metrics_that_not_all_have_are_left_out(self, folder):
        put(folder / "metric-scores/en-de/M3-src.seg.score", FIRST + 1)
        found = mm.compare(folder, measure="pearson@segment", trials=50)
        assert found.runs == ("M1", "M2[noref]")
        assert len(found.data[0].runs) == 3
        assert any("not all data sets have them: M3" in note for note in found.notes)

    def test_one_of_each_is_no_average(self, folder):
        found = mm.compare(folder, measure="spa", language_pairs=["en-de"], compat="mtme")
        assert (found.measure, found.p[0, 1]) == ("spa", pytest.approx(0.055481, abs=6e-7))

    def test_it_does_not_matter_how_metrics_are_called(self, folder):
        first = mm.compare(folder, measure="pearson@segment", trials=200)
        for pair in ("en-de", "zh-en"):
            for level in ("seg", "sys"):
                where = folder / f"metric-scores/{pair}"
                (where / f"M2-src.{level}.score").rename(where / f"A2-src.{level}.score")
        assert mm.compare(folder, measure="pearson@segment", trials=200).p[0, 1] == first.p[0, 1]

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("--weights", "1,2"), "2 weights for 4 data sets; give one for each, in this order: en-de pearson@segment"),
            (("--weights", "1,-2,1,1"), "weights are numbers from 0 up"),
            (("--test", "williams"), "Williams' test is of one data set"),
            (("--leave-out", "M1"), "there is one metric"),
        ],
    )
    def test_what_cannot_be_averaged(self, folder, run, more, said):
        status, _, errors = run("compare", folder, "--measures", "pearson@segment,pearson@system", "--trials", "20", *more)
        assert (status, said in errors) == (2, True), errors

    def test_it_is_made_again(self, folder, run):
        asked = ("--measures", "pearson@segment,spa", "--trials", "50", "--weights", "2,1,2,1")
        signature = json.loads(run("compare", folder, *asked, "--format", "json")[1])["signature"]
        status, out, _ = run("reproduce", signature, folder)
        assert status == 0, out

    def test_charts(self, folder, tmp_path):
        found = mm.compare(folder, measure=["pearson@segment", "spa"], trials=50)
        for diagram in ("means", "letters", "matrix"):
            found.chart(tmp_path / f"{diagram}.png", diagram=diagram)
            assert (tmp_path / f"{diagram}.png").stat().st_size > 2000


@pytest.mark.slow
def test_equal_metrics_are_told_apart_as_often_as_alpha_says(tmp_path):
    """Two metrics whose errors are independent from cell to cell, over two language pairs."""
    rng, number, found = np.random.default_rng(5), 200, 0
    for world in range(number):
        test = tmp_path / f"test{world}"
        for pair in ("en-de", "zh-en"):
            quality = rng.normal(size=(6, 1))
            put(test / f"human-scores/{pair}.mqm.seg.score", quality + rng.normal(size=(6, 6)), "ABCDEF")
            for name in ("first", "second"):
                put(test / f"metric-scores/{pair}/{name}-src.seg.score", quality + rng.normal(size=(6, 6)), "ABCDEF")
        made = mm.compare(test, measure="pearson@segment", trials=99, seed=world)
        found += made.runs[0] == "first[noref]" and made.p[0, 1] < 0.05
    assert found / number <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / number)
