"""Entailment: the numbers of Bergmair (2009) and of the definitions, and what the task says beside its scores."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import metameasure as mm
from metameasure.evidence.judgements import rank_weights
from metameasure.studies import bergmair2009
from metameasure.tasks.entailment.remarks import conflict, degrading_merges, negated, soundness

YES, UNKNOWN, NO = "YES", "UNKNOWN", "NO"
ROLES = {"positive": YES, "neutral": UNKNOWN, "negative": NO}
FLAGS = ("--task", "entailment", "--positive", YES, "--neutral", UNKNOWN, "--negative", NO)
# Figure 2: rows gold, columns output, both in the order of the roles.
FIGURE_2 = np.array(bergmair2009.FIGURE_2)


def value(name, *arrays, **options):
    return float(mm.measures[name](*arrays, **options))


def linear(n):
    return np.arange(n, 0, -1.0) / (n * (n + 1) / 2)


def items_of(table):
    """A frame with as many items as the table counts, and their gold."""
    labels = [YES, UNKNOWN, NO]
    pairs = [(gold, label) for g, gold in enumerate(labels) for p, label in enumerate(labels) for _ in range(table[g][p])]
    return {"item": list(map(str, range(len(pairs))))}, [gold for gold, _ in pairs], [label for _, label in pairs]


def frames(table, **columns):
    pandas = pytest.importorskip("pandas")
    item, gold, label = items_of(table)
    return pandas.DataFrame({**item, "label": gold}), {"run": pandas.DataFrame({**item, "label": label, **columns})}


class TestDefinitions:
    def test_confidence_weighted_score(self):
        right = [1, 0, 1, 1]
        assert value("confidence_weighted_score", [1, 2, 3, 4], right) == pytest.approx(0.7292, abs=5e-5)
        assert value("confidence_weighted_score", [1, 1, 3, 4], right) == pytest.approx(0.6042, abs=5e-5)

    def test_average_precision_up_to_a_place(self):
        """All three positive items stay in the denominator; of the tie that straddles the place, one of two is before it."""
        assert value("average_precision@2", [1, 2, 3, 4], [1, 0, 1, 1]) == pytest.approx(1 / 3)
        assert value("average_precision@3", [1, 2, 3, 4], [1, 0, 1, 1]) == pytest.approx((1 + 2 / 3) / 3)
        assert value("average_precision@2", [1, 2, 2, 4], [1, 0, 1, 1]) == pytest.approx((1 + 1 / 2 * 1) / 3)
        assert value("average_precision@9", [1, 2], [0, 1]) == value("average_precision", [1, 2], [0, 1]) == 0.5
        assert mm.measures["average_precision@2"].symbol == "AP@2"

    def test_average_precision_of_tied_items(self):
        assert value("average_precision", [1, 1, 2], [1, 0, 1]) == pytest.approx(0.7083, abs=5e-5)

    @pytest.mark.parametrize(("ranks", "information"), [([1, 2, 3, 4], 0.6713), ([1, 1, 3, 4], 0.6367)])
    def test_rank_weights(self, ranks, information):
        """E1: gold 1,1,2,3, output 1,2,2,3."""
        table = np.zeros((3, 3))
        np.add.at(table, ([0, 0, 1, 2], [0, 1, 1, 2]), rank_weights(-np.array(ranks, dtype=float), linear))
        assert value("mutual_information@rank", table) == pytest.approx(information, abs=5e-5)
        if ranks == [1, 2, 3, 4]:
            assert value("gold_entropy@rank", table) == pytest.approx(1.1568, abs=5e-5)

    @pytest.mark.parametrize("column", ["rank", "confidence"])
    def test_the_same_from_data(self, column):
        pandas = pytest.importorskip("pandas")
        said = {"rank": [1, 2, 3, 4], "confidence": [0.9, 0.8, 0.2, 0.1]}[column]
        gold = pandas.DataFrame({"item": list("abcd"), "label": ["1", "1", "2", "3"]})
        run = pandas.DataFrame({"item": list("dcba"), "label": ["3", "2", "2", "1"], column: said[::-1]})
        roles = {"positive": "1", "neutral": "2", "negative": "3"}
        measures = "mutual_information@rank,confidence_weighted_score"
        scores = mm.evaluate(gold, {"run": run}, task="entailment", measures=measures, **roles).to_dict()
        found = scores["runs"][[run["run"] for run in scores["runs"]].index("run")]["scores"]
        assert found["mutual_information@rank"] == pytest.approx(0.6713, abs=5e-5)
        assert found["gold_entropy@rank"] == pytest.approx(1.1568, abs=5e-5), "H(G) stands beside I unasked"
        assert found["confidence_weighted_score"] == pytest.approx(0.7292, abs=5e-5)


class TestPaper:
    def test_accuracies_of_figure_2(self):
        assert value("a3", FIGURE_2) == pytest.approx(0.44)
        assert value("a2", FIGURE_2) == pytest.approx((20 + 18 + 9 + 7 + 6) / 100)
        assert value("a2_given@YES", FIGURE_2, classes=[YES, UNKNOWN, NO]) == pytest.approx(20 / 50)
        assert value("a2_given@NO", FIGURE_2, classes=[YES, UNKNOWN, NO]) == pytest.approx(40 / 50)
        assert value("a2_of@YES", FIGURE_2, classes=[YES, UNKNOWN, NO]) == pytest.approx(20 / 30)
        assert value("a3_of@NO", FIGURE_2, classes=[YES, UNKNOWN, NO]) == pytest.approx(6 / 20)
        assert value("a2_macro", FIGURE_2) == pytest.approx((20 / 50 + 40 / 50) / 2)

    def test_degradation(self):
        """Section 5.2: UNKNOWN merged into YES. Erratum: it prints a fall of information *to* .0262 bits; by Figure 2's own
        H(G|L') it is a fall *by* .0262, to .0574. Kappa is printed truncated, .1433."""
        merges = degrading_merges(FIGURE_2, [YES, UNKNOWN, NO])
        found = next(merge for merge in merges if (merge.label, merge.into) == (UNKNOWN, YES))
        np.testing.assert_allclose(found.before, [0.44, 0.1277, 0.0836], atol=5e-5)
        np.testing.assert_allclose(found.after, [0.51, 0.1434, 0.0574], atol=5e-5)
        assert round(found.before[2], 4) - round(found.after[2], 4) == pytest.approx(0.0262)

    def test_baselines_of_section_3_1(self):
        """RTE-4's shares. Erratum: it gives the uniform random system .394; that is, up to rounding, a guess drawn from gold's
        own distribution (.395). A uniform guess has 1/3, and any guess that does not look has an A'3 of 1/3."""
        gold, runs = frames([[500, 0, 0], [0, 350, 0], [0, 0, 150]])
        scores = mm.evaluate(gold, runs, task="entailment", measures="a3,a3_macro,a2", **ROLES).to_dict()
        a3 = {run["run"]: run["scores"]["a3"] for run in scores["runs"]}
        assert a3["baseline: always YES"] == pytest.approx(0.5)
        assert a3["baseline: always UNKNOWN"] == pytest.approx(0.35)
        assert a3["baseline: always NO"] == pytest.approx(0.15)
        assert a3["baseline: random, as gold"] == pytest.approx(0.395)
        assert a3["baseline: random, uniform"] == pytest.approx(1 / 3)
        assert {round(run["scores"]["a3_macro"], 12) for run in scores["runs"] if "baseline" in run} == {round(1 / 3, 12)}
        a2 = {run["run"]: run["scores"]["a2"] for run in scores["runs"]}
        assert a2["baseline: always YES"] == a2["baseline: always NO"] == pytest.approx(0.5)

    @given(hnp.arrays(np.int64, (3, 3), elements=st.integers(0, 9)).filter(lambda table: table.sum() > 0))
    def test_logical_symmetry(self, table):
        """Section 4.2: A3 and I stay under negation; and I is symmetric in gold and output."""
        for name in ("a3", "mutual_information"):
            assert value(name, negated(table)) == pytest.approx(value(name, table), abs=1e-12)
        assert value("mutual_information", table.T) == pytest.approx(value("mutual_information", table), abs=1e-12)

    def test_two_way_accuracy_is_not_symmetric(self):
        assert value("a2", FIGURE_2) == pytest.approx(0.60)
        assert value("a2", negated(FIGURE_2)) == pytest.approx(1 - (5 + 9 + 1 + 7) / 100)

    def test_conflict_of_section_4_1(self):
        """Two positives; the item at rank 2 is one, the other stands at rank 4, below the threshold."""
        found = conflict(list("abcd"), np.array([False, True, False, True]), np.array([0.9, 0.8, 0.7, 0.6]), mm.measures["ap"])
        assert found is not None
        assert (found.moved, found.from_rank, found.to_rank, found.lost) == ("d", 4, 2, "b")
        assert found.precision_before == pytest.approx((1 / 2 + 2 / 4) / 2)
        assert found.precision_after == pytest.approx((1 / 2 + 2 / 3) / 2)
        assert (found.accuracy_if_relabelled, found.accuracy_after) == (0.75, 0.5)
        perfect = conflict(list("abcd"), np.array([True, True, False, False]), np.array([4.0, 3, 2, 1]), mm.measures["ap"])
        assert perfect is None


class TestSoundness:
    def test_a_prefix_is_sound_ties_included(self):
        assert soundness(list("abc"), np.array([True, True, False]), np.array([0.9, 0.5, 0.5])).sound
        assert soundness(list("abc"), np.array([True, True, True]), np.array([0.1, 0.5, 0.5])).sound

    def test_where_it_breaks(self):
        found = soundness(list("abcd"), np.array([True, False, True, False]), np.array([0.9, 0.8, 0.3, 0.1])).broken
        assert found is not None
        assert (found.positive, found.other, found.items) == ("c", "b", 2)


def write_files(folder):
    rows = [("a", YES, YES, 0.9, 0.9), ("b", YES, UNKNOWN, 0.3, 0.6), ("c", UNKNOWN, YES, 0.6, 0.5),
            ("d", UNKNOWN, UNKNOWN, 0.8, 0.1), ("e", NO, NO, 0.7, 0.35), ("f", NO, UNKNOWN, 0.2, 0.3)]  # fmt: skip
    lines = {"gold": ["item\tlabel"], "full": ["item\tlabel\tconfidence\tscore"], "bare": ["item\tlabel"]}
    for item, gold, label, confidence, score in rows:
        lines["gold"].append(f"{item}\t{gold}")
        lines["full"].append(f"{item}\t{label}\t{confidence}\t{score}")
        lines["bare"].append(f"{item}\t{gold}")
    for name, text in lines.items():
        (folder / f"{name}.tsv").write_text("\n".join(text) + "\n")
    return [str(folder / f"{name}.tsv") for name in ("gold", "full", "bare")]


class TestCommand:
    def test_a_run_without_the_column_lacks_the_measure(self, run, tmp_path):
        asked = "confidence_weighted_score,mutual_information@rank,average_precision"
        status, out, err = run("evaluate", *write_files(tmp_path), *FLAGS, "--measures", asked, "--format", "json")
        assert status == 0, err
        answer = json.loads(out)
        scores = {entry["run"]: entry["scores"] for entry in answer["runs"]}
        assert scores["bare"]["confidence_weighted_score"] is None
        assert scores["full"]["confidence_weighted_score"] is not None
        notes = "\n".join(answer["notes"])
        assert "mutual_information@rank, gold_entropy@rank: no value for bare: it has no column 'confidence' or 'rank'" in notes
        assert "average_precision: no value for bare: it has no column 'score' or 'score_rank'" in notes
        assert "asks not to report it for entailment" in notes
        assert "by chance a random labelling of 6 items has about 0.48 bits" in notes

    def test_average_precision_is_not_among_the_default_columns(self, run, tmp_path):
        """Bergmair (2009), Section 6.3, asks not to report it."""
        answer = json.loads(run("evaluate", *write_files(tmp_path), *FLAGS, "--format", "json")[1])
        shown = [measure["id"] for measure in answer["measures"]]
        assert "confidence_weighted_score" in shown
        assert "average_precision" not in shown

    def test_checks_are_reported_per_run(self, run, tmp_path):
        _, out, _ = run("evaluate", *write_files(tmp_path), *FLAGS, "--format", "json")
        full = next(entry for entry in json.loads(out)["runs"] if entry["run"] == "full")
        assert full["soundness"] == {
            "sound": False,
            "break": {"positive": "c", "positive_score": 0.5, "other": "b", "other_score": 0.6, "items": 2},
        }
        assert full["symmetry"]["a3"][0] == full["symmetry"]["a3"][1]
        assert full["symmetry"]["average_precision"][0] != full["symmetry"]["average_precision"][1]
        _, table, _ = run("evaluate", *write_files(tmp_path), *FLAGS)
        assert "full is not sound: item 'c' is labelled positive with a score of 0.5" in table

    def test_other_series_of_rank_weights(self, run, tmp_path):
        files = write_files(tmp_path)
        (tmp_path / "weights.txt").write_text("1\n0\n0\n0\n0\n0\n")
        of_one = (
            "--measures",
            "gold_entropy@rank",
            "--rank-weights",
            str(tmp_path / "weights.txt"),
            "--no-baselines",
            "--format",
            "json",
        )
        _, out, err = run("evaluate", *files[:2], *FLAGS, *of_one)
        assert json.loads(out)["runs"][0]["scores"] == {"gold_entropy@rank": 0}, err
        assert "rank_weights:file:weights.txt" in json.loads(out)["signature"]
        (tmp_path / "weights.txt").write_text("1\n1\n0\n0\n0\n0\n")
        _, other, _ = run("evaluate", *files[:2], *FLAGS, *of_one)
        assert json.loads(other)["signature"] != json.loads(out)["signature"], "other weights, other numbers"
        for series in ("linear", "reciprocal", "logarithmic"):
            _, out, _ = run("evaluate", *files[:2], *FLAGS, *of_one[:2], "--rank-weights", series, "--format", "json")
            assert json.loads(out)["runs"][0]["scores"]["gold_entropy@rank"] > 1

    def test_orders_need_the_task(self, run, tmp_path):
        status, _, err = run(
            "evaluate", *write_files(tmp_path), "--classes", f"{YES},{UNKNOWN},{NO}", "--measures", "mutual_information@rank"
        )
        assert status == 2
        assert "choose --task entailment" in err

    def test_roles_are_never_guessed(self, run, tmp_path):
        status, out, err = run("evaluate", *write_files(tmp_path), "--task", "entailment")
        assert (status, out) == (2, "")
        assert f"--positive {NO} --neutral {UNKNOWN} --negative {YES}" in err

    def test_sick(self, run, shared_data):
        """SemEval-2014 Task 1's published accuracies, and the baselines beside them."""
        matrix = shared_data / "sick2014" / "entailment_matrix.tsv"
        roles = ("--positive", "ENTAILMENT", "--neutral", "NEUTRAL", "--negative", "CONTRADICTION", "--item-column", "pair_ID")
        status, out, err = run("evaluate", str(matrix), "--task", "entailment", *roles, "--format", "json")
        assert (status, err) == (0, "")
        scores = {entry["run"]: entry["scores"] for entry in json.loads(out)["runs"]}
        assert scores["Illinois-LH"]["a3"] == pytest.approx(0.8457, abs=5e-5)
        assert scores["baseline: always NEUTRAL"]["a3"] == pytest.approx(0.5669, abs=5e-5)
        assert scores["UNAL-NLP"]["mutual_information"] > scores["ECNU"]["mutual_information"], "information ranks them otherwise"
        assert {entry["gold_entropy"] for name, entry in scores.items()} == {scores["CNGL"]["gold_entropy"]}


class TestFoundByTrying:
    def test_the_order_of_rows_changes_nothing(self, run, tmp_path):
        """Not even the last digit, nor what is drawn."""
        rng = np.random.default_rng(0)
        labels = np.array([YES, UNKNOWN, NO])
        rows = [f"{item}\t{labels[rng.integers(3)]}\t{rng.random():.3f}\t{rng.random():.3f}" for item in range(200)]
        gold = [f"{item}\t{labels[rng.integers(3)]}" for item in range(200)]
        (tmp_path / "gold.tsv").write_text("item\tlabel\n" + "\n".join(gold) + "\n")
        outputs = []
        for order in (range(200), rng.permutation(200)):
            text = "\n".join(["item\tlabel\tconfidence\tscore", *(rows[place] for place in order)]) + "\n"
            (tmp_path / "run.tsv").write_text(text)
            outputs.append(
                run("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *FLAGS, "--ci", "--trials", 5, "--format", "json")
            )
        assert outputs[0] == outputs[1]
        assert outputs[0][0] == 0

    def test_rank_weights_may_be_arrays(self):
        gold, runs = frames([[1, 0, 0], [0, 1, 0], [0, 0, 1]], confidence=[3.0, 2.0, 1.0])
        options = {"task": "entailment", "measures": "gold_entropy@rank", "baselines": False, **ROLES}
        scores = mm.evaluate(gold, runs, rank_weights=np.array([1.0, 1.0, 0.0]), **options)
        assert scores.averages()[0, 0] == pytest.approx(1.0)
        for broken in (["a", 1, 2], 3, [1.0], lambda n: -np.ones(n), lambda n: np.ones(n + 1)):
            with pytest.raises(mm.UsageError):
                mm.evaluate(gold, runs, rank_weights=broken, **options)

    def test_proportional_columns_do_not_degrade(self):
        """Merging them loses no information, whatever rounding says."""
        assert not [merge for merge in degrading_merges(np.array([[2, 6, 4], [1, 3, 5], [2, 6, 0]]), [YES, UNKNOWN, NO])
                    if {merge.label, merge.into} == {YES, UNKNOWN}]  # fmt: skip

    def test_what_is_not_answered_comes_last_in_both_directions(self, run, tmp_path):
        (tmp_path / "gold.tsv").write_text(f"item\tlabel\na\t{YES}\nb\t{NO}\nc\t{NO}\nd\t{UNKNOWN}\n")
        (tmp_path / "run.tsv").write_text(f"item\tlabel\tscore\na\t{YES}\t.9\nb\t{NO}\t.5\nd\t{UNKNOWN}\t.1\n")
        _, out, err = run(
            "evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *FLAGS, "--missing", f"class:{UNKNOWN}", "--format", "json"
        )
        found = next(entry for entry in json.loads(out)["runs"] if entry["run"] == "run")
        assert found["symmetry"]["average_precision"] == pytest.approx([1.0, (1 / 2 + 2 / 4) / 2]), err


class TestNotes:
    ROLES = {"task": "entailment", "positive": "E", "neutral": "N", "negative": "C", "baselines": False}  # noqa: RUF012 - read only
    GOLD = {"item": [1, 2, 3, 4], "topic": ["a", "a", "b", "b"], "label": [*"ENCN"]}  # noqa: RUF012

    def notes(self, runs, **more):
        pandas = pytest.importorskip("pandas")
        frames = {name: pandas.DataFrame(columns) for name, columns in runs.items()}
        scores = mm.evaluate(pandas.DataFrame(self.GOLD), frames, **self.ROLES, **more)
        return scores.notes, scores.render("table")

    def test_what_is_true_of_several_measures_is_said_once(self):
        short = {name: column[:2] for name, column in self.GOLD.items()}
        notes, table = self.notes({"whole": self.GOLD, "short": short}, missing="drop", measures="a3,kappa")
        why = "there are no items, or none that weighs anything"
        assert f"a3, kappa: undefined for 1 of 4 pairs of run and topic (short 1): {why}" in notes
        assert "\na3, kappa: mean over the 1 topic on which every run is defined.\n" in table

    def test_a_run_without_the_column_gives_no_reason_to_others(self):
        """Topic b has no positive item; 'plain' has no score anywhere."""
        notes, _ = self.notes({"scored": {**self.GOLD, "score": [4, 3, 2, 1]}, "plain": self.GOLD}, measures="average_precision")
        assert "average_precision: no value for plain: it has no column 'score' or 'score_rank'" in notes
        assert "average_precision: undefined for 1 of 4 pairs of run and topic (scored 1): no item is positive" in notes


class TestDeclaredClasses:
    ROLES = {"task": "entailment", "positive": "0", "neutral": "1", "negative": "2", "baselines": False}  # noqa: RUF012 - read only

    def evaluate(self, **more):
        pandas = pytest.importorskip("pandas")
        gold, run = pandas.DataFrame({"item": [1, 2], "label": [0, 2]}), pandas.DataFrame({"item": [1, 2], "label": [1, 2]})
        return mm.evaluate(gold, {"run": run}, measures="mae", **{**self.ROLES, **more}).averages().item()

    def test_their_values_count(self):
        """One of two items is one class off: 1 step, or the 5 between the classes' values."""
        assert self.evaluate() == 0.5
        assert self.evaluate(classes={"0": 0, "1": 5, "2": 6}) == 2.5

    def test_their_order_is_that_of_the_roles(self):
        """Otherwise distances in a file, which has the order of --classes, would be between other classes."""
        with pytest.raises(mm.UsageError, match=r"1,0,2 are not those of the roles.*classes=\['0', '1', '2'\]"):
            self.evaluate(classes="1,0,2")

    def test_a_label_may_be_the_number_0(self):
        assert self.evaluate(positive=0) == 0.5


class TestBeliefAsRanks:
    """A rank of belief in the positive class (1 is the strongest) orders items as a score does."""

    GOLD = (YES, YES, UNKNOWN, NO, NO)
    LABELS = (YES, UNKNOWN, YES, NO, NO)
    MEASURES = "average_precision,a3"

    def evaluate(self, measures=MEASURES, columns=None, **orders):
        pandas = pytest.importorskip("pandas")
        item = [*"abcde"]
        gold = pandas.DataFrame({"item": item, "label": self.GOLD})
        runs = {"run": pandas.DataFrame({"item": item, "label": self.LABELS, **orders})}
        return mm.evaluate(gold, runs, task="entailment", measures=measures, baselines=False, columns=columns, **ROLES)

    def test_orders_as_scores_do(self):
        by_score = self.evaluate(score=[0.9, 0.4, 0.7, 0.2, 0.2])
        by_rank = self.evaluate(score_rank=[1, 3, 2, 4, 4])
        assert by_score.averages().tolist() == by_rank.averages().tolist()
        assert by_rank.averages()[0, 0] == pytest.approx((1 + 2 / 3) / 2)

    def test_says_ranks_where_a_labelling_breaks_its_ranking(self):
        found = self.evaluate(score_rank=[1, 2, 3, 4, 5])
        assert "item 'c' is labelled positive at rank 3, item 'b' is not at rank 2" in found.render("table")
        broken = found.to_dict()["runs"][0]["soundness"]["break"]
        assert (broken["positive_rank"], broken["other_rank"]) == (3, 2)
        assert "positive_score" not in broken

    def test_the_column_may_have_any_name_even_one_of_ours(self):
        """Where `rank` is said to order belief, it does not order confidence too."""
        found = self.evaluate("average_precision,confidence_weighted_score", {"score_rank": "rank"}, rank=[1, 3, 2, 4, 5])
        assert found.averages()[0, 0] == pytest.approx((1 + 2 / 3) / 2)
        assert np.isnan(found.averages()[1, 0])
        assert ("confidence_weighted_score", "run") in found.without

    def test_both_are_not_one_too_many(self):
        found = self.evaluate(score=[0.1, 0.2, 0.3, 0.4, 0.5], score_rank=[1, 3, 2, 4, 4])
        assert found.averages()[0, 0] == pytest.approx((1 + 2 / 3) / 2)
        assert "run: score_rank orders the items, score is not read" in found.notes

    def test_is_a_rank(self, run, tmp_path):
        (tmp_path / "gold.tsv").write_text(f"item\tlabel\na\t{YES}\nb\t{NO}\n")
        (tmp_path / "run.tsv").write_text(f"item\tlabel\tplace\na\t{YES}\t0\nb\t{NO}\t2\n")
        status, _, err = run("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *FLAGS, "--score-rank-column", "place")
        assert (status, "run.tsv:2: place '0' is not a number from 1 up" in err) == (1, True), err
