"""Mutual information less what chance gives: its value, its interval over items, its tests, and who is told to use it."""

import json
import math

import numpy as np
import pytest

import metameasure as mm

TABLE = [[10, 3, 2], [2, 8, 5], [1, 2, 7]]
PLAIN, CORRECTED = "mutual_information", "mutual_information@corrected"


def by_both(table):
    return [float(mm.measures[name](table)) for name in (PLAIN, CORRECTED)]


class TestValue:
    def test_it_is_the_information_less_what_chance_gives(self):
        plain, corrected = by_both(TABLE)
        assert plain == pytest.approx(0.304300, abs=5e-7)
        assert plain - corrected == pytest.approx(0.072135, abs=5e-7)
        assert corrected == pytest.approx(0.232166, abs=5e-7)

    def test_only_labels_that_occur_are_counted(self):
        padded = np.zeros((5, 5), dtype=int)
        padded[np.ix_([0, 2, 4], [1, 2, 3])] = TABLE
        assert by_both(padded) == pytest.approx(by_both(TABLE))

    def test_a_constant_run_has_exactly_none(self):
        assert by_both([[7, 0], [5, 0]]) == [0, 0]

    def test_it_can_be_below_zero_where_there_is_less_than_chance_gives(self):
        assert by_both([[5, 5], [5, 5]]) == pytest.approx([0, -1 / (40 * math.log(2))])

    def test_random_labels_have_none_on_average(self):
        rng = np.random.default_rng(1)
        tables = rng.multinomial(100, np.full(25, 1 / 25), size=4000).reshape(-1, 5, 5)
        plain, corrected = (np.asarray(mm.measures[name](tables)).mean() for name in (PLAIN, CORRECTED))
        assert plain == pytest.approx(0.12, abs=0.01)
        assert corrected == pytest.approx(0, abs=0.015)


def files(folder, **columns):
    """Gold and runs of labels as files of items."""
    folder.mkdir(exist_ok=True)
    for name, labels in columns.items():
        rows = "".join(f"{item}\t{label}\n" for item, label in enumerate(labels))
        (folder / f"{name}.tsv").write_text(f"item\tlabel\n{rows}")
    return [folder / f"{name}.tsv" for name in columns]


def listed(table):
    """Gold and output of the items in a table."""
    gold, output = zip(*((g, p) for g, row in enumerate(table) for p, n in enumerate(row) for _ in range(n)), strict=True)
    return np.array(gold), np.array(output)


GOLD, OUTPUT = listed(TABLE)


class TestInterval:
    def test_it_is_the_value_and_z_times_the_spread_of_the_plain_measure(self):
        gold, output = listed(np.multiply(TABLE, 4))
        scores = mm.evaluate(gold, {"a": output}, classes=[0, 1, 2], measures=[CORRECTED], ci=True, trials=4000)
        low, high = scores.to_dict()["runs"][0]["intervals"][CORRECTED]["items"]
        tables = np.random.default_rng(0).multinomial(160, np.ravel(TABLE) / 40, size=20000).reshape(-1, 3, 3)
        value, reach = scores["a"][CORRECTED], 1.959964 * np.std(mm.measures[PLAIN](tables))
        assert value == pytest.approx(0.304300 - 0.072135 / 4, abs=5e-7)
        assert (low, high) == pytest.approx((value - reach, value + reach), abs=0.005)

    def test_it_is_cut_at_0_and_the_value_is_not(self):
        gold, output = listed([[5, 5], [5, 5]])
        scores = mm.evaluate(gold, {"a": output}, classes=[0, 1], measures=[CORRECTED], ci=True)
        (found,) = scores.to_dict()["runs"]
        low, high = found["intervals"][CORRECTED]["items"]
        assert found["scores"][CORRECTED] < 0 == low < high

    def test_the_plain_measure_has_none_but_that_of_0_2(self):
        asked = {"classes": [0, 1, 2], "measures": [PLAIN, CORRECTED]}
        for how in ({}, {"partitions": 8}):
            scores = mm.evaluate(GOLD, {"a": OUTPUT}, ci=True, **asked, **how)
            assert set(map(tuple, scores.to_dict()["runs"][0]["intervals"][PLAIN].values())) == {(None, None)}
            said = f"{PLAIN} has no interval, because it is too high by chance; {CORRECTED} has one"
            assert [note for note in scores.notes if note.startswith(f"{PLAIN} has no interval")] == [said]
        old = mm.evaluate(GOLD, {"a": OUTPUT}, interval="bootstrap", **asked)
        assert old.to_dict()["runs"][0]["intervals"][PLAIN]["items"][0] > 0.1

    def test_few_items_a_cell_are_said(self, run, tmp_path):
        gold, several, one = files(tmp_path / "few", gold=GOLD[:20], several=OUTPUT[:20], one=np.zeros(20, dtype=int))
        status, out, _ = run("evaluate", gold, several, one, "--classes", "0..2", "--measures", CORRECTED, "--ci")
        assert status == 0
        assert f"{CORRECTED}: with fewer than 4 items per cell of the table the interval of several is too short." in out
        status, out, _ = run("compare", gold, several, one, "--classes", "0..2", "--measure", CORRECTED)
        assert (status, "the interval of several is too short" in out) == (0, True)
        gold, several = files(tmp_path / "enough", gold=GOLD, several=OUTPUT)
        assert "too short" not in run("evaluate", gold, several, "--classes", "0..2", "--measures", CORRECTED, "--ci")[1]

    def test_there_is_no_credible_interval(self, run, tmp_path):
        paths = files(tmp_path / "labels", gold=GOLD, a=OUTPUT)
        options = ("--classes", "0..2", "--measures", f"accuracy,{CORRECTED}", "--interval", "bayes")
        status, out, _ = run("evaluate", *paths, *options, "--format", "json")
        told = json.loads(out)
        assert status == 0
        assert told["runs"][0]["intervals"][CORRECTED]["items"] == [None, None]
        assert told["runs"][0]["intervals"]["accuracy"]["items"][0] > 0.4
        assert any(note.startswith(f"no credible interval of {CORRECTED}") for note in told["notes"])

    def test_with_several_topics_there_are_intervals_over_topics_and_over_items(self):
        scores = mm.evaluate(GOLD, {"a": OUTPUT}, classes=[0, 1, 2], measures=[CORRECTED], partitions=4, ci=True)
        found = scores.to_dict()["runs"][0]["intervals"][CORRECTED]
        assert {*found} == {"topics", "items"}
        assert found["topics"][0] < scores["a"][CORRECTED] < found["topics"][1]
        assert 0 <= found["items"][0] < scores["a"][CORRECTED] < found["items"][1]


class TestWhatIsSaid:
    WHY = f"{PLAIN}: too high by chance, here by about 0.036 to 0.072; for tests and intervals use {CORRECTED}"

    def test_evaluate_says_what_chance_gives_beside_the_plain_score(self, run, tmp_path):
        paths = files(tmp_path / "labels", gold=GOLD, three=OUTPUT, two=np.minimum(OUTPUT, 1))
        status, out, _ = run("evaluate", *paths, "--classes", "0..2", "--measures", PLAIN)
        assert (status, f"{self.WHY}." in out) == (0, True)
        assert "by chance" not in run("evaluate", *paths, "--classes", "0..2", "--measures", CORRECTED)[1]

    def test_compare_says_so_too(self, run, tmp_path):
        paths = files(tmp_path / "labels", gold=GOLD, three=OUTPUT, two=np.minimum(OUTPUT, 1))
        for options in ((), ("--partitions", "6")):
            status, out, _ = run("compare", *paths, "--classes", "0..2", "--measure", PLAIN, "--format", "json", *options)
            assert status == 0
            notes = json.loads(out)["notes"]
            assert any(note.startswith(f"{PLAIN}: too high by chance") and CORRECTED in note for note in notes), options

    def test_a_constant_run_has_nothing_by_chance(self):
        scores = mm.evaluate(GOLD, {"a": np.zeros(40, dtype=int)}, classes=[0, 1, 2], measures=[PLAIN])
        assert not any("by chance" in note for note in scores.notes)

    def test_the_line_below_the_table_names_the_interval_that_is_shown(self):
        normal, both = "normal interval with the deviation of resampled items", "bootstrap and credible interval together"
        alone, beside = (
            str(mm.evaluate(GOLD, {"a": OUTPUT}, classes=[0, 1, 2], measures=measures, ci=True, trials=100))
            for measures in ([PLAIN, CORRECTED], [CORRECTED, "accuracy"])
        )
        assert f"[ ]: 95% {normal}, 100 draws" in alone
        assert f"[ ]: 95% {normal} or {both}, 100 draws" in beside

    def test_an_interval_that_is_not_there_has_no_row_of_validity(self):
        scores = mm.evaluate(
            GOLD, {"a": OUTPUT}, classes=[0, 1, 2], measures=[PLAIN, CORRECTED], ci=True, trials=100, validity=True
        )
        assert scores.to_dict()["validity"] == {PLAIN: {}, CORRECTED: {"items": "interval/items/normal"}}
        assert "interval/items/both" not in str(scores)
        none = mm.evaluate(GOLD, {"a": OUTPUT}, classes=[0, 1, 2], measures=[PLAIN], ci=True, trials=100)
        assert "[ ]" not in str(none)

    def test_entailment_says_it_once(self):
        roles = {"positive": "0", "neutral": "1", "negative": "2"}
        scores = mm.evaluate(GOLD, {"a": OUTPUT}, task="entailment", measures=[PLAIN, CORRECTED], **roles)
        notes = [note for note in scores.to_dict()["notes"] if "by chance" in note]
        assert notes == [f"{PLAIN}: too high by chance, here by about 0.072; for tests and intervals use {CORRECTED}"]
        assert scores["a"][CORRECTED] == pytest.approx(0.232166, abs=5e-7)

    def test_a_wrong_parameter_is_told_of_the_corrected_one(self, run):
        assert f"there are {CORRECTED}, " in run("measures", f"{PLAIN}@correct")[2]


def random_labels(seed, items=100, classes=5):
    """Gold and random labels, which know nothing of it."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, classes, items), rng.integers(0, classes, items)


class TestComparing:
    def test_random_labels_are_no_better_than_a_constant(self):
        gold, random = random_labels(3)
        runs = {"random": random, "constant": np.zeros(100, dtype=int)}
        how = {"classes": [0, 1, 2, 3, 4], "trials": 300}
        plain = mm.compare(gold, runs, PLAIN, test="permutation", interval="bootstrap", **how)
        corrected = mm.compare(gold, runs, CORRECTED, **how)
        assert plain.p[0, 1] < 0.05 < corrected.p[0, 1]
        assert plain.difference_low[0, 1] > 0, "its draws lie beside it, and above"
        assert corrected.difference_low[0, 1] < 0 < corrected.difference_high[0, 1]
        assert corrected.low[corrected.runs.index("random")] >= 0
        assert any("has no interval for constant" in note for note in corrected.notes)

    @pytest.mark.parametrize("how", [{}, {"partitions": 8}])
    def test_the_plain_measure_is_not_tested_unless_a_test_is_named(self, how):
        runs = {"a": OUTPUT, "b": np.minimum(OUTPUT, 1)}
        told = mm.compare(GOLD, runs, PLAIN, classes=[0, 1, 2], **how).to_dict()
        assert told["p"] == [[1, None], [None, 1]]
        assert told["untested"].endswith(f"compare {CORRECTED}")
        assert (told["low"], told["high"]) == ([None, None], [None, None])
        assert "difference_low" not in told
        assert told["letters"] == ["", ""]
        named = mm.compare(GOLD, runs, PLAIN, classes=[0, 1, 2], test="permutation", **how).to_dict()
        assert named["p"][0][1] is not None
        assert any(note.startswith(f"{PLAIN}: too high by chance") for note in named["notes"])
        corrected = mm.compare(GOLD, runs, CORRECTED, classes=[0, 1, 2], **how).to_dict()
        assert corrected["p"][0][1] is not None
        assert corrected["low"][0] is not None

    @pytest.mark.parametrize("test", ["permutation", "bootstrap"])
    def test_a_run_that_knows_something_is_told_from_one_that_does_not(self, test):
        gold, random = random_labels(4)
        runs = {"knows": np.where(np.arange(100) < 60, gold, random), "random": random}
        found = mm.compare(gold, runs, CORRECTED, classes=[0, 1, 2, 3, 4], trials=300, test=test)
        assert found.runs == ("knows", "random")
        assert found.p[0, 1] < 0.05
        assert 0 < found.difference_low[0, 1] < found.means[0] - found.means[1] < found.difference_high[0, 1]

    def test_the_bootstrap_test_is_not_drawn_off_its_value_either(self):
        gold, random = random_labels(3)
        runs = {"random": random, "constant": np.zeros(100, dtype=int)}
        found = mm.compare(gold, runs, CORRECTED, classes=[0, 1, 2, 3, 4], trials=300, test="bootstrap")
        assert found.p[0, 1] > 0.05

    def test_the_difference_of_two_runs_has_the_same_interval(self):
        gold, random = random_labels(4)
        runs = {"knows": np.where(np.arange(100) < 60, gold, random), "random": random}
        compared = mm.compare(gold, runs, CORRECTED, classes=[0, 1, 2, 3, 4], trials=300)
        alone = mm.difference(gold, runs, CORRECTED, "knows", "random", classes=[0, 1, 2, 3, 4], trials=300)
        assert (alone.low, alone.high) == pytest.approx((compared.difference_low[0, 1], compared.difference_high[0, 1]))


def simulated(repetitions, items=100, classes=5):
    """How often the interval of a random run holds 0, and how often it is called better than a constant, by each measure: by the
    plain one as in 0.2."""
    scale = [*range(classes)]
    covers, errs = dict.fromkeys((PLAIN, CORRECTED), 0), dict.fromkeys((PLAIN, CORRECTED), 0)
    for seed in range(repetitions):
        gold, random = random_labels(seed, items, classes)
        runs = {"random": random, "constant": np.zeros(items, dtype=int)}
        for name, interval in ((PLAIN, "bootstrap"), (CORRECTED, "auto")):
            scores = mm.evaluate(gold, runs, classes=scale, measures=[name], interval=interval, trials=200).to_dict()
            (found,) = (one["intervals"] for one in scores["runs"] if one["run"] == "random")
            covers[name] += found[name]["items"][0] <= 0 <= found[name]["items"][1]
            errs[name] += mm.compare(gold, runs, name, classes=scale, trials=199, test="permutation").p[0, 1] < 0.05
    return covers, errs


class TestHowOftenItIsRight:
    def test_on_random_labels(self):
        covers, errs = simulated(20)
        assert covers == {PLAIN: 0, CORRECTED: 20}
        assert errs[PLAIN] > 5
        assert errs[CORRECTED] <= 1

    @pytest.mark.slow
    def test_on_many_random_labels(self):
        """Coverage of the true 0: none and all; random labels called different from a constant: more than half, and .03."""
        covers, errs = simulated(400)
        assert (covers[PLAIN], covers[CORRECTED]) == (0, pytest.approx(400, abs=4))
        assert errs[PLAIN] / 400 == pytest.approx(0.575, abs=0.1)
        assert errs[CORRECTED] / 400 <= 0.05


PLUGIN = """
from metameasure.plugin import Excess, NormalInterval, hits, measure, namespace, ratio, total

@measure(id="hit_rate", title="Hits", better="higher", formula="Σ_g c_gg / N", source="You (2026). A Paper.",
         excess=Excess(lambda counts: {excess}, "hit_rate@corrected"))
def hit_rate(counts):
    return ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))

@measure(id="hit_rate@corrected", title="Hits less chance", better="higher", formula="Σ_g c_gg / N - 1/C", range=(-1, 1),
         perfect=None, source="You (2026). A Paper.", interval=NormalInterval(hit_rate, least=0))
def corrected(counts):
    return hit_rate.function(counts) - 1 / counts.shape[-1]
"""


class TestOfYourOwn:
    def evaluate(self, run, folder, excess):
        paths = files(folder / "labels", gold=GOLD, a=OUTPUT)
        (folder / "mine.py").write_text(PLUGIN.format(excess=excess))
        options = ("--classes", "0..2", "--measures", "hit_rate,hit_rate@corrected", "--plugin", folder / "mine.py", "--ci")
        return run("evaluate", *paths, *options)

    def test_a_measure_can_declare_what_chance_adds_and_how_its_interval_is_made(self, run, tmp_path):
        status, out, _ = self.evaluate(run, tmp_path, "total(counts) * 0 + 1 / counts.shape[-1]")
        assert status == 0
        assert "hit_rate: too high by chance, here by about 0.33; for tests and intervals use hit_rate@corrected." in out

    def test_a_formula_that_fails_is_named(self, run, tmp_path):
        status, _, err = self.evaluate(run, tmp_path, "counts.nothing")
        assert status == 2
        assert "of a plugin" in err
        assert "nothing" in err
