"""Simulated tasks: systems err as their kind says, files are ordinary, one seed is the same bytes."""

import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.simulation.model import Draw
from metameasure.simulation.shapes import OF_TASK, SHAPES
from metameasure.simulation.simulate import model_of
from metameasure.statistics.streams import stream

SMALL = {"topics": 4, "items": 50}
RUNS = {  # as the papers count them: Sakai (2021), Table 1; Sakai (LQ 2021), Table 2; Amigó et al. (2020), Section 5.4
    "amigo": 50, "sem16t4c": 12, "sem17t4c": 20, "sem16t4e": 12, "sem17t4e": 14, "stc3": 19, "dialeval1": 22, "replab2013": 10,
    "sem14t9a": 48, "sem14t9b": 7, "sem15t10a": 13, "sem15t10b": 51, "sem15t10c": 11, "rte4": 10, "qe78": 78,
    "probable": 12, "tagged": 12,  # our own
}  # fmt: skip


def labels(table):
    return np.array(table["label"]).astype(int)


def drawn(task, kind, amount=0.4, seed=3, first=None, **parts):
    """Gold and one system's output, as arrays."""
    made = mm.simulate(OF_TASK[task], seed=seed, **parts)
    model = model_of(task)
    gold = model.gold(made.shape, stream(seed, 0))
    return made.shape, gold, model.kinds[kind].draw(Draw(made.shape, gold, amount, first, np.random.default_rng(seed)))


class TestShapes:
    @pytest.mark.parametrize("name", SHAPES)
    def test_as_many_runs_as_the_papers_say(self, name):
        small = {part: 3 for part in ("topics", "items") if part in model_of(SHAPES[name].task).options}
        made = mm.simulate(name, **small)
        assert len(made.runs) == RUNS[name]
        assert all(len({len(column) for column in table.values()}) == 1 for table in (made.gold, *made.runs.values()))

    def test_the_gold_of_amigo_et_al(self):
        """100 test cases of 200 items; the majority class is the fourth; the deviation grows from 1 to 3."""
        gold = labels(mm.simulate("amigo").gold).reshape(100, 200)
        assert np.bincount(gold.ravel()).argmax() == 4
        assert (gold.min(), gold.max()) == (1, 11)
        deviation = gold.std(axis=1)
        assert deviation[:10].mean() == pytest.approx(1.1, abs=0.15)
        assert deviation[-10:].mean() == pytest.approx(2.7, abs=0.25)  # cut off at class 1

    def test_shares_and_judges(self):
        made = mm.simulate(classes="neg,neu,pos", shares=(0.1, 0.2, 0.7), topics=1, items=4000, judges=3, kinds="noisy=.1")
        found = [np.mean(made.gold["label"] == label) for label in ("neg", "neu", "pos")]
        assert found == pytest.approx([0.1, 0.2, 0.7], abs=0.06)
        said = np.array([["neg", "neu", "pos"].index(label) for label in made.ratings["label"]]).reshape(3, 4000)
        median = np.sort(said, axis=0)[1]
        assert [("neg", "neu", "pos")[place] for place in median] == made.gold["label"].tolist()

    def test_rte_is_exactly_half_entailments(self):
        made = mm.simulate("rte4", kinds="constant=YES,UNKNOWN,NO")
        assert [int(np.sum(made.gold["label"] == label)) for label in ("YES", "UNKNOWN", "NO")] == [500, 350, 150]
        scores = made.evaluate("a2", baselines=False)
        assert scores.averages().tolist() == [[0.5, 0.5, 0.5]]
        assert made.gold["label"].tolist() != mm.simulate("rte4", kinds="rand", seed=1).gold["label"].tolist()

    def test_exact_shares_that_are_no_whole_numbers(self):
        gold = mm.simulate("rte4", kinds="rand", items=10, shares=(1, 1, 1)).gold["label"]
        assert sorted(np.unique(gold, return_counts=True)[1].tolist()) == [3, 3, 4]

    @pytest.mark.parametrize(
        ("name", "smallest", "largest", "all_of_them"), [("sem16t4c", 100, 313, 20_650), ("sem17t4c", 50, 148, 12_375)]
    )
    def test_topics_of_tweets_differ_in_size(self, name, smallest, largest, all_of_them):
        """About as many tweets as SemEval had: 20,632 and 12,379."""
        made = mm.simulate(name, kinds="noisy=.3")
        _, number = np.unique(made.gold["topic"], return_counts=True)
        assert (number.min(), number.max(), number.sum()) == (smallest, largest, all_of_them)
        assert np.array_equal(made.runs["noisy-0.3"]["item"], made.gold["item"])
        assert len(set(made.gold["item"])) == all_of_them
        assert abs(np.corrcoef(np.arange(len(number)), number)[0, 1]) < 0.1, "their deviation grows from the first topic on"
        assert set(np.unique(mm.simulate(name, kinds="noisy=.3", items=20).gold["topic"], return_counts=True)[1]) == {20}


class TestKindsOfLabels:
    @pytest.mark.parametrize("kind", ["maj", "rand", "prox", "tdisp", "odisp", "noisy", "biased"])
    def test_errors_are_as_frequent_and_as_they_are_said_to_be(self, kind):
        shape, gold, output = drawn("classification", kind, topics=20, items=500)
        wrong, true = output != gold.labels, gold.labels
        assert 0.05 < wrong.mean() < 0.42, "an error can hit on the gold label"
        majority = np.bincount(true.ravel()).argmax()
        holds = {
            "maj": output == majority,
            "rand": output >= 0,
            "prox": output >= 0,
            "tdisp": output == true + 1,
            "odisp": output > true,
            "noisy": np.abs(output - true) == 1,
            "biased": output > true,
        }[kind]
        assert holds[wrong].all()
        if kind == "tdisp":
            assert wrong[true < shape.classes - 1].mean() == pytest.approx(0.4, abs=0.02)

    @pytest.mark.parametrize("kind", ["odisp", "prox"])
    def test_displacement_item_by_item(self, kind):
        """As Section 5.3 writes it, with the rate at 1; past the end an item stays as it is."""
        _, gold, output = drawn("classification", kind, 1.0, **SMALL)
        rng = np.random.default_rng(3)
        if kind == "prox":
            other = rng.integers(50, size=(4, 50))
        for topic, given in enumerate(gold.labels.tolist()):
            order = sorted(range(50), key=lambda item: (given[item], item))
            place = {item: number for number, item in enumerate(order)}
            for item in range(50):
                there = place[item] + 5 if kind == "odisp" else (place[item] + other[topic, item]) // 2
                expected = given[order[there]] if there < 50 else given[item]
                assert output[topic, item] == expected

    def test_constant_and_copy(self):
        made = mm.simulate(kinds=["noisy=.3", "constant=1,11", "copy=0,.1"], **SMALL)
        assert list(made.runs) == ["noisy-0.3", "constant-1", "constant-11", "copy-0", "copy-0.1"]
        assert set(made.runs["constant-11"]["label"]) == {"11"}
        assert np.array_equal(made.runs["copy-0"]["label"], made.runs["noisy-0.3"]["label"])
        assert 0.02 < np.mean(made.runs["copy-0.1"]["label"] != made.runs["noisy-0.3"]["label"]) < 0.2


class TestOtherTasks:
    @pytest.mark.parametrize("kind", model_of("quantification").kinds)
    def test_distributions(self, kind):
        _, gold, output = drawn("quantification", kind, 1 if kind == "constant" else 0.3, first=np.full((300, 5), 0.2))
        assert np.allclose(output.sum(axis=1), 1)
        assert output.min() >= 0
        assert np.allclose(gold * 20, np.rint(gold * 20)), "gold is twenty judges' votes"
        if kind == "shifted":
            moved = output @ np.arange(5) - gold @ np.arange(5)
            assert np.allclose(moved, 0.3 * (1 - gold[:, -1]))
        if kind == "smoothed":
            assert np.allclose(output, 0.7 * gold + 0.06)

    def test_confidence_means_something_only_where_it_is_calibrated(self):
        kinds = ["calibrated=.4", "uncalibrated=.4", "overconfident=.4", "unsound=.4"]
        scores = mm.simulate("rte4", kinds=kinds).evaluate("a3,confidence_weighted_score", baselines=False)
        found = {
            run: dict(zip(("a3", "cws"), row, strict=True)) for run, row in zip(scores.runs, scores.averages().T, strict=True)
        }
        for of_run in found.values():
            assert of_run["a3"] == pytest.approx(0.6, abs=0.04)
        assert found["calibrated-0.4"]["cws"] > 0.8
        assert found["uncalibrated-0.4"]["cws"] == pytest.approx(0.6, abs=0.08)
        assert found["overconfident-0.4"]["cws"] < 0.4
        remarks = {run["run"]: run["soundness"]["sound"] for run in scores.to_dict()["runs"]}
        assert remarks == {run: not run.startswith("unsound") for run in found}

    def test_noise_and_ties_of_rankings(self):
        kinds = ["noisy=0,.5,3", "tied=0,.6", "rand=0,1", "top=1", "constant"]
        scores = mm.simulate("qe78", kinds=kinds, ties=0).evaluate("tau@a,mrr")
        tau, mrr = (dict(zip(scores.runs, row, strict=True)) for row in scores.averages())
        assert tau["noisy-0"] == tau["rand-0"] == mrr["top-1"] == 1
        assert 1 > tau["noisy-0.5"] > tau["noisy-3"] > 0
        assert tau["rand-1"] == pytest.approx(0, abs=0.1)
        assert tau["tied-0"] > tau["tied-0.6"] > tau["constant"] == 0
        assert tau["top-1"] == pytest.approx(0.4, abs=0.1), "four of ten pairs"

    def test_several_judges_rank_a_segment(self):
        made = mm.simulate("qe78", kinds="noisy=1", judges=3, topics=10)
        assert len(made.gold["rank"]) == 3 * 10 * 5
        assert set(made.gold["judge"]) == {"j1", "j2", "j3"}
        assert made.evaluate("tau@a").runs == ("noisy-1",)


class TestSameSeedSameBytes:
    def test_files(self, run, tmp_path):
        for folder, seed in (("a", 5), ("b", 5), ("c", 6)):
            status, out, err = run("simulate", tmp_path / folder, "--topics", 3, "--items", 20, "--judges", 2, "--seed", seed)
            assert status == 0, err
            assert f"metameasure evaluate {tmp_path / folder}/gold.tsv" in out
        bytes_of = {
            folder: {str(file.relative_to(tmp_path / folder)): file.read_bytes() for file in (tmp_path / folder).rglob("*.tsv")}
            for folder in "abc"
        }
        assert bytes_of["a"] == bytes_of["b"]
        assert len(bytes_of["a"]) == 52  # gold, ratings, 50 runs
        assert bytes_of["a"]["gold.tsv"] != bytes_of["c"]["gold.tsv"]

    def test_a_run_does_not_depend_on_the_others(self):
        few, many = mm.simulate(kinds="rand=.5", **SMALL), mm.simulate(**SMALL)
        assert np.array_equal(few.runs["rand-0.5"]["label"], many.runs["rand-0.5"]["label"])

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("task", OF_TASK)
    def test_what_is_written_is_found_right_and_evaluated(self, run, tmp_path, task):
        status, out, err = run("simulate", tmp_path / "made", "--task", task, "--runs", 5, *small_kinds(task))
        assert status == 0, err
        command = out.splitlines()[1].split()[2:]
        command = [word.strip("'") for word in command]
        for asked in ("check", "evaluate"):
            status, out, err = run(asked, *command, "--format", "json")
            assert status == 0, err
        named = [entry["run"] for entry in json.loads(out)["runs"] if "baseline" not in entry]
        assert len(named) == 5


def small_kinds(task):
    names = [name for name, kind in model_of(task).kinds.items() if kind.takes == "rate" and name != "copy"]
    return [word for name in names[:2] for word in ("--kind", name)]


class TestErrors:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--like", "amigos"], "there is no shape 'amigos'; did you mean 'amigo'?"),
            (["--task", "ranks"], "there is no task 'ranks'"),
            (["--like", "amigo", "--task", "ranking"], "'amigo' is a task of classification, not of ranking"),
            (["--kind", "ran"], "there is no kind of system 'ran' in classification; did you mean 'rand'"),
            (["--kind", "rand=2"], "'2' is no amount for 'rand'; give a rate from 0 to 1, as in rand=0.5"),
            (["--kind", "rand=x"], "'x' is no amount for 'rand'"),
            (["--kind", "rand=.1,.1"], "there are two runs 'rand-0.1'"),
            (["--kind", "constant=12"], "there is no class '12'"),
            (["--kind", "copy"], "'copy' copies the first run"),
            (["--ties", ".5"], "--ties means nothing in classification"),
            (["--shares", ".5,.5"], "2 shares for 11 classes"),
            (["--topics", "0"], "0 topics; at least 1"),
            (["--runs", "3"], "3 runs cannot be shared among 5 kinds"),
            (["--kind", "constant", "--runs", "12"], "12 constant runs for 11 classes"),
            (["--spread", "a"], "--spread cannot be 'a'; give numbers, as in"),
            (["--spread", "1,2,3"], "--spread has 3 numbers"),
            (["--spread", "-1"], "a deviation is negative"),
            (["--centre", "nan"], "a number is not finite"),
            (["--classes", "one"], "1 class in classification; name at least two"),
            (["--task", "entailment", "--classes", "a,b,c,d"], "4 classes in entailment; name 2 to 3"),
            (["--task", "quantification", "--kind", "uniform=../x"], "'uniform-../x' cannot be the name of a file"),
        ],
    )
    def test_the_call_is_wrong(self, run, tmp_path, words, said):
        status, _, err = run("simulate", tmp_path / "made", *words)
        assert status == 2
        assert said in err
        assert not (tmp_path / "made").exists()

    def test_nothing_is_written_over(self, run, tmp_path):
        (tmp_path / "mine.tsv").write_text("precious")
        status, _, err = run("simulate", tmp_path, "--kind", "rand=.1")
        assert status == 2
        assert "exists already; name a new folder" in err
        assert [file.name for file in tmp_path.iterdir()] == ["mine.tsv"]

    def test_an_empty_folder_is_filled(self, run, tmp_path):
        (tmp_path / "made").mkdir()
        assert run("simulate", tmp_path / "made", "--kind", "rand=.1", "--topics", 2, "--items", 5)[0] == 0
        assert (tmp_path / "made/runs/rand-0.1.tsv").exists()

    def test_list(self, run):
        status, out, _ = run("simulate", "--list")
        assert status == 0
        assert all(name in out for name in (*SHAPES, "popularity", "calibrated", "tdisp"))


class TestProbabilities:
    def test_probabilities_of_a_calibrated_system_come_true(self):
        made = mm.simulate(task="probabilities", items=20_000, kinds=["calibrated=.7", "overconfident=.7", "underconfident=.7"])
        scores = made.evaluate(["ece_debiased"])
        assert abs(scores["calibrated-0.7"]["ece_debiased"]) < 0.01
        assert scores["overconfident-0.7"]["ece_debiased"] > 0.05 < scores["underconfident-0.7"]["ece_debiased"]

    def test_every_kind_gives_distributions(self):
        made = mm.simulate(task="probabilities", items=200, kinds=[*model_of("probabilities").kinds])
        for table in made.runs.values():
            rows = np.stack([table[label] for label in made.shape.scale.labels])
            assert rows.sum(axis=0) == pytest.approx(1, abs=1e-9)
            assert rows.min() >= 0

    def test_noise_and_no_noise(self):
        scores = mm.simulate(task="probabilities", items=2000, kinds=["calibrated=0,.3,1,3"]).evaluate(["brier"])
        found = [scores[f"calibrated-{noise}"]["brier"] for noise in ("0", "0.3", "1", "3")]
        assert found[0] == 0
        assert found == sorted(found)

    def test_judges_make_shares(self):
        made = mm.simulate(task="probabilities", items=50, topics=2, judges=4, kinds=["uniform"])
        shares = np.stack([made.gold[label] for label in made.shape.scale.labels])
        assert set(np.unique(shares * 4)) <= {0, 1, 2, 3, 4}
        assert len(made.ratings["label"]) == 400
        assert made.evaluate(["brier"])["uniform"]["brier"] == pytest.approx(2 / 3)


class TestMultilabel:
    def test_kinds_err_as_they_say(self):
        kinds = ["noisy=.1", "missing=.4", "extra=.05", "blind=.5", "single=1", "nothing", "constant=b"]
        made = mm.simulate(task="multilabel", items=4000, kinds=kinds)
        names = ["hamming_loss", "recall_micro", "precision_micro", *(f"f1@{label}" for label in "adeh")]
        scores = made.evaluate(names)
        assert scores["noisy-0.1"]["hamming_loss"] == pytest.approx(0.1, abs=0.01)
        assert scores["missing-0.4"]["recall_micro"] == pytest.approx(0.6, abs=0.03)
        assert scores["missing-0.4"]["precision_micro"] == scores["extra-0.05"]["recall_micro"] == 1
        assert [scores["blind-0.5"][f"f1@{label}"] for label in "adeh"] == [1, 1, 0, 0]
        assert scores["single-1"]["precision_micro"] == 1
        assert max(text.count("|") for text in made.runs["single-1"]["label"]) == 0
        assert set(made.runs["nothing"]["label"]) == {""}
        assert set(made.runs["constant-b"]["label"]) == {"b"}

    def test_labels_are_as_frequent_as_asked(self):
        made = mm.simulate(task="multilabel", classes="x|y,z", shares=(0.5, 0.1), items=4000, kinds=["missing=0"])
        sets = [json.loads(text) for text in made.gold["label"]]  # a label with a bar in it is written in a list
        assert np.mean(["x|y" in one for one in sets]) == pytest.approx(0.5, abs=0.03)
        assert np.mean(["z" in one for one in sets]) == pytest.approx(0.1, abs=0.02)
        assert made.evaluate(["subset_accuracy"])["missing-0"]["subset_accuracy"] == 1
        with pytest.raises(mm.UsageError, match=r"cannot be on 1.5 of the items"):
            mm.simulate(task="multilabel", classes="x,z", shares=(1.5, 0.1))
