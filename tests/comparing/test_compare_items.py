"""``compare GOLD RUN...`` on one test set: over items, clusters and repeated outputs, from files and frames."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from engines import ENGINES, made
from metameasure.statistics.item_tests import mcnemar

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
DEMO = Path(mm.__file__).parent / "demo"
TWELVE = ["111", "112", "113", "121", "222", "221", "223", "223", "232", "333", "332", "331"]
CLUSTERS = ["112 111 221 222", "332 331 222", "121 223 333", "223 223", "332 111 112 222", "323 232"]
CLASSES = "1..3"


def frames(words, **columns):
    """Gold and two runs of words such as 123: gold, the first run's label, the second's."""
    items = [f"i{place:02}" for place in range(len(words))]
    gold, *said = (pd.DataFrame({"item": items, "label": [word[place] for word in words]}) for place in range(3))
    return gold.assign(**columns), dict(zip(("first", "second"), said, strict=True))


def clustered():
    words = [word for cluster in CLUSTERS for word in cluster.split()]
    return frames(words, passage=[f"p{place}" for place, cluster in enumerate(CLUSTERS) for _ in cluster.split()])


class TestOneTestSet:
    @pytest.mark.parametrize(
        ("measure", "count"), [("accuracy", 736), ("kappa_linear", 336), ("mae_macro", 352), ("cem_ord", 352)]
    )
    def test_twelve_items(self, measure, count):
        found = mm.compare(*frames(TWELVE), measure, classes=CLASSES)
        assert (found.units, found.topics, found.test, found.exact) == ("items", 12, "permutation", True)
        assert found.p[0, 1] == pytest.approx(count / 4096, abs=1e-12)
        assert found.notes[0] == "There is one test set, so runs are compared over items"
        by = mm.difference(*frames(TWELVE), measure, *found.runs, classes=CLASSES)
        assert by.p == found.p[0, 1]
        assert by.value == pytest.approx(found.means[0] - found.means[1])
        assert (by.low, by.high) == (found.difference_low[0, 1], found.difference_high[0, 1])

    def test_items_worth_nothing_are_no_output(self):
        gold, runs = frames(TWELVE)
        runs["first"] = runs["first"].tail(11)
        for call in (
            lambda: mm.compare(gold, runs, "accuracy", classes=CLASSES, missing="zero"),
            lambda: mm.difference(gold, runs, "accuracy", "first", "second", classes=CLASSES, missing="zero"),
        ):
            with pytest.raises(mm.UsageError, match="not compared item by item with missing='zero'"):
                call()
        worth = mm.evaluate(gold.assign(c=gold["item"].str[:2]), runs, measures="accuracy", classes=CLASSES, missing="zero",
                            columns={"cluster": "c"})  # fmt: skip
        plain = mm.evaluate(gold, runs, measures="accuracy", classes=CLASSES, missing="zero")
        assert (worth.pooled == plain.pooled).all()

    def test_every_shape_of_the_same_data(self, tmp_path):
        gold, runs = frames(TWELVE)
        wide = gold.rename(columns={"label": "gold"}).assign(**{name: run["label"] for name, run in runs.items()})
        stacked = pd.concat([run.assign(run=name, gold=gold["label"]) for name, run in runs.items()])
        files = {}
        for name, frame in {"gold": gold, **runs}.items():
            files[name] = tmp_path / f"{name}.tsv"
            frame.sample(frac=1, random_state=1).to_csv(files[name], sep="\t", index=False)
        told = {"classes": CLASSES, "trials": 100}
        first = mm.compare(gold, runs, "kappa_linear", **told).to_dict()
        paths = [files["second"], files["first"]]
        sequences = {name: run["label"].tolist() for name, run in runs.items()}
        assert mm.compare(files["gold"], paths, "kappa_linear", **told).to_dict() == first
        assert mm.compare(wide, measure="kappa_linear", **told).to_dict() == first
        assert mm.compare(stacked, measure="kappa_linear", **told).to_dict() == first
        assert mm.compare(gold["label"].tolist(), sequences, "kappa_linear", **told).to_dict() == first

    def test_the_command(self, run, tmp_path):
        gold, runs = frames(TWELVE)
        for name, frame in {"gold": gold, **runs}.items():
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
        call = ["compare", *(tmp_path / f"{name}.csv" for name in ("gold", "first", "second")), "--classes", CLASSES]
        status, out, err = run(*call, "--measures", "accuracy,kappa_linear", "--format", "json")
        assert (status, err) == (0, "")
        told = json.loads(out)["measures"]
        assert [(one["units"], one["items"], one["exact"]) for one in told] == [("items", 12, True)] * 2
        assert told[0]["p"][0][1] == pytest.approx(mcnemar(7, 2))
        assert "There is one test set, so runs are compared over items." in run(*call, "--measures", "accuracy")[1]
        against = json.loads(run(*call, "--measures", "accuracy", "--against", "second", "--format", "json")[1])
        assert (against["against"], against["p"]) == ("second", told[0]["p"])
        for test in ("stepwise", "tukey", "classical"):
            status, _, err = run(*call, "--measures", "accuracy", "--test", test)
            assert (status, f"{test} is a test over topics, and there is one test set" in err) == (2, True)

    def test_bootstrap(self):
        rng = np.random.default_rng(0)
        gold = rng.integers(1, 4, 300)
        runs = {name: np.where(rng.random(300) < share, gold, 1) for name, share in (("a", 0.8), ("b", 0.5), ("c", 0.52))}
        found = mm.compare(gold, runs, "accuracy", classes=CLASSES, test="bootstrap", correction="none", trials=2000)
        exact = mm.compare(gold, runs, "accuracy", classes=CLASSES, correction="none")
        assert (found.test, found.exact, found.runs) == ("bootstrap", False, exact.runs)
        assert found.p[0, 2] == pytest.approx(1 / 2001)
        assert found.p[1, 2] == pytest.approx(exact.p[1, 2], abs=0.1)
        with pytest.raises(mm.UsageError, match="maxt correction is for permutation"):
            mm.compare(gold, runs, "accuracy", classes=CLASSES, test="bootstrap", correction="maxt")

    def test_too_few_trials_for_so_many_pairs(self):
        rng = np.random.default_rng(0)
        gold = rng.integers(1, 4, 200)
        runs = {f"r{place}": np.where(rng.random(200) < 0.5, gold, rng.integers(1, 4, 200)) for place in range(6)}
        found = mm.compare(gold, runs, "kappa_linear", classes=CLASSES, trials=200)
        told = "With 15 pairs and 200 trials the smallest corrected p-value of a pair may be 0.075: use trials=599 or more"
        assert any(note.startswith(told) for note in found.notes)
        for measure, trials in (("kappa_linear", 599), ("accuracy", 200)):
            notes = mm.compare(gold, runs, measure, classes=CLASSES, trials=trials).notes
            assert not any("trials" in note for note in notes)

    def test_items_that_a_run_lacks(self):
        gold, runs = frames(TWELVE)
        runs["first"] = runs["first"].iloc[2:]
        with pytest.raises(mm.DataError, match="'i00' is missing"):
            mm.compare(gold, runs, "accuracy", classes=CLASSES)
        dropped = mm.compare(gold, runs, "accuracy", classes=CLASSES, missing="drop")
        assert dropped.topics == 10
        assert "The comparison is over the 10 of 12 items that all runs have" in dropped.notes
        whole = mm.compare(*frames(TWELVE[2:]), "accuracy", classes=CLASSES)
        np.testing.assert_array_equal(dropped.p, whole.p)
        worst = mm.compare(gold, runs, "accuracy", classes=CLASSES, missing="worst")
        np.testing.assert_array_equal(worst.p, mm.compare(*frames(["131", "132", *TWELVE[2:]]), "accuracy", classes=CLASSES).p)

    def test_weighted_items(self):
        words = ["112", "221", "121", "212", "111"]
        gold, runs = frames(words, weight=[1.0, 1.0, 3.0, 1.0, 2.0])
        found = mm.compare(gold, runs, "accuracy", classes="1..2")
        gaps = np.array([1, -1, -3, 1])
        signs = np.array(np.meshgrid(*[[1, -1]] * 4)).reshape(4, -1)
        assert found.p[0, 1] == pytest.approx(np.mean(np.abs(gaps @ signs) >= abs(gaps.sum())))
        assert found.means == pytest.approx([0.75, 0.5])
        with pytest.raises(mm.UsageError, match="alpha_ordinal counts items and cannot use weights"):
            mm.compare(gold, runs, "alpha_ordinal", classes="1..2")

    def test_partitions_are_topics(self):
        found = mm.compare(*frames(TWELVE * 4), "accuracy", classes=CLASSES, partitions=8)
        assert (found.units, found.test, found.topics) == ("topics", "stepwise", 8)


class TestTopicsOrItems:
    def test_topics_where_there_are_several(self):
        found = mm.compare(DEMO / "gold.tsv", DEMO / "runs/*.tsv", "mae_macro", classes="-2..2")
        assert (found.units, found.test) == ("topics", "stepwise")
        scores = mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/*.tsv", measures="mae_macro", classes="-2..2")
        beside = dict.fromkeys(("notes", "findings", "signature", "signature_parts"))
        assert mm.compare(scores).to_dict() | beside == found.to_dict() | beside
        assert found.notes[0].startswith("the 12 topics are a sample of topics")

    def test_all_topics_as_one(self, run):
        call = ("compare", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2", "--measures", "mae_macro")
        told = json.loads(run(*call, "--average", "pooled", "--format", "json", "--trials", "200")[1])
        assert told["units"] == "items"
        assert told["notes"][0] == "All topics are taken as one, so runs are compared over items"
        scores = mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/*.tsv", measures="mae_macro", classes="-2..2")
        pooled = dict(zip(scores.runs, scores.pooled[0], strict=True))
        assert told["means"] == pytest.approx([pooled[name] for name in told["runs"]])

    def test_scores_have_no_items(self, run, tmp_path):
        file = tmp_path / "m.csv"
        file.write_text("topic,a,b\n1,.1,.2\n2,.3,.2\n")
        status, _, err = run("compare", file, "--better", "higher", "--average", "pooled")
        assert (status, "--average is for data to be scored" in err) == (2, True)

    def test_what_cannot_be_asked_of_an_order(self, run, tmp_path):
        gold = pd.DataFrame({"item": range(6), "label": list("ECECEC"), "passage": list("aabbcc")})
        gold.to_csv(tmp_path / "gold.csv", index=False)
        for name in ("a", "b"):
            gold.assign(confidence=range(6)).to_csv(tmp_path / f"{name}.csv", index=False)
        call = ("compare", *(tmp_path / f"{name}.csv" for name in ("gold", "a", "b")), "--task", "entailment")
        roles = ("--positive", "E", "--negative", "C", "--measures")
        for flags, complaint in (
            (("--test", "bootstrap"), "reads an order, and is compared by permutation"),
            (("--missing", "worst"), "reads an order, and missing items have none"),
            (("--cluster-column", "passage"), "reads an order, which is not swapped in whole clusters"),
        ):
            status, _, err = run(*call, *roles, "confidence_weighted_score", *flags)
            assert (status, complaint in err) == (2, True)
        gold.to_csv(tmp_path / "b.csv", index=False)
        status, _, err = run(*call, *roles, "confidence_weighted_score")
        assert (status, "confidence_weighted_score of b has no value: it has no column 'confidence' or 'rank'" in err) == (
            1,
            True,
        )

    def test_calls_that_are_wrong(self):
        data = frames(TWELVE)
        for options, complaint in (
            ({"alpha": 5}, "between 0 and 1"),
            ({"trials": 0}, "trials cannot be 0"),
            ({"correction": "bonferoni"}, "correction cannot be 'bonferoni'; choose none, holm, bh or maxt"),
            ({"test": "tuckey"}, "did you mean 'tukey'"),
            ({"average": "micro"}, "average cannot be 'micro'; choose topics or pooled"),
            ({"better": "lower"}, "better is not for the task classification"),
            ({"against": "frist"}, "did you mean 'first'"),
        ):
            with pytest.raises(mm.UsageError, match=complaint):
                mm.compare(*data, "accuracy", classes=CLASSES, **options)
        with pytest.raises(mm.UsageError, match="no measure was chosen"):
            mm.compare(*data, classes=CLASSES)
        with pytest.raises(mm.UsageError, match="classes is for data to be scored, and these are scores"):
            mm.compare(mm.evaluate(*data, classes=CLASSES, measures="mae"), classes=CLASSES)
        with pytest.raises(mm.UsageError, match="nothing to compare"):
            mm.compare(*data, "gold_entropy", classes=CLASSES)
        assert isinstance(mm.compare(*data, ["mae"], classes=CLASSES)["mae"].means[0], float)


ROLES = {"task": "entailment", "positive": "E", "neutral": "N", "negative": "C"}


def ordered(items=8, seed=0):
    """Gold and two runs that say how sure they are, on scales of their own, and how strongly they believe in E."""
    rng = np.random.default_rng(seed)
    ids, gold = np.arange(items), rng.choice(list("ENC"), items)
    runs = {}
    for name, share, top in (("a", 0.8, 1), ("b", 0.5, 100)):
        label = np.where(rng.random(items) < share, gold, rng.choice(list("ENC"), items))
        sure = rng.integers(1, 6, items) * top
        runs[name] = pd.DataFrame({"item": ids, "label": label, "confidence": sure, "score": rng.random(items) * top})
    return pd.DataFrame({"item": ids, "label": gold}), runs


def mean_ranks(key):
    return np.array([(key > one).sum() + ((key == one).sum() + 1) / 2 for one in key])


class TestOrders:
    @pytest.mark.parametrize("measure", ["confidence_weighted_score", "average_precision"])
    def test_all_swaps_by_hand(self, measure):
        """Outputs take with them the rank that their own run gave them."""
        gold, runs = ordered()
        key = "score" if measure == "average_precision" else "confidence"
        ranks = np.stack([mean_ranks(run[key].to_numpy()) for run in runs.values()])
        labels = np.stack([run["label"].to_numpy() for run in runs.values()])
        truth = gold["label"].to_numpy()

        def value(rank, label):
            counted = truth == "E" if key == "score" else label == truth
            return float(mm.measures[measure](np.unique(rank, return_inverse=True)[1] + 1.0, counted.astype(float)))

        gaps = []
        for swaps in range(2**8):
            first = (swaps >> np.arange(8)) & 1
            at = np.arange(8)
            gaps.append(value(ranks[first, at], labels[first, at]) - value(ranks[1 - first, at], labels[1 - first, at]))
        found = mm.compare(gold, runs, measure, **ROLES)
        assert (found.units, found.topics, found.exact) == ("items", 8, True)
        assert abs(found.means[0] - found.means[1]) == pytest.approx(abs(gaps[0]))
        assert found.p[0, 1] == pytest.approx(np.mean(np.abs(gaps) >= abs(gaps[0]) - 1e-12))

    @pytest.mark.parametrize(
        "measure", ["mutual_information@rank:corrected", "mutual_information@confidence:corrected", "confidence_weighted_score"]
    )
    def test_values_are_those_of_evaluate(self, measure):
        gold, runs = ordered(60)
        found = mm.compare(gold, runs, measure, trials=300, **ROLES)
        scores = mm.evaluate(gold, runs, measures=measure, ci=True, baselines=False, **ROLES)
        wanted = dict(zip(scores.runs, scores.pooled[0], strict=True))
        assert found.means == pytest.approx([wanted[name] for name in found.runs])
        low = dict(zip(scores.runs, scores.intervals.items[0][0], strict=True))
        assert found.low == pytest.approx([low[name] for name in found.runs])
        assert found.difference_low[0, 1] <= found.means[0] - found.means[1] <= found.difference_high[0, 1]

    def test_labels_and_orders_side_by_side(self):
        gold, runs = ordered(40)
        found = mm.compare(gold, runs, ["a3", "confidence_weighted_score"], trials=200, against="b", **ROLES)
        assert [part.units for part in found.parts] == ["items", "items"]

    @pytest.mark.slow
    def test_equal_runs_are_rarely_called_different(self):
        wrong = 0
        for seed in range(100):
            gold, runs = ordered(40, seed)
            rng = np.random.default_rng([seed, 1])
            same = np.where(rng.random(40) < 0.8, gold["label"], rng.choice(list("ENC"), 40))
            runs["b"] = runs["a"].assign(label=same, confidence=rng.integers(1, 6, 40))
            wrong += mm.compare(gold, runs, "confidence_weighted_score", trials=100, **ROLES).p[0, 1] < 0.05
        assert wrong <= 5 + 3 * np.sqrt(100 * 0.05 * 0.95)


class TestClusters:
    @pytest.mark.parametrize(("measure", "count"), [("accuracy", 24), ("kappa_linear", 18), ("mae_macro", 18), ("cem_ord", 18)])
    def test_clusters_are_swapped_whole(self, measure, count):
        found = mm.compare(*clustered(), measure, classes=CLASSES, columns={"cluster": "passage"})
        assert (found.units, found.topics) == ("clusters", 6)
        assert found.p[0, 1] == pytest.approx(count / 64, abs=1e-12)
        assert found.notes[0] == "There is one test set, so runs are compared over clusters"
        by = mm.difference(*clustered(), measure, *found.runs, classes=CLASSES, columns={"cluster": "passage"})
        assert (by.p, by.units) == (found.p[0, 1], "clusters")

    def test_a_cluster_is_golds_under_either_name(self, run):
        told = {"classes": CLASSES, "trials": 100}
        found = [mm.compare(*clustered(), "accuracy", columns={role: "passage"}, **told) for role in ("cluster", "gold_cluster")]
        assert found[1].units == "clusters"
        assert found[1].to_dict() == found[0].to_dict()
        status, _, err = run("evaluate", "x.csv", "y.csv", "--task", "ranking", "--gold-cluster-column", "c")
        assert (status, "--gold-cluster-column is not for the task ranking" in err) == (2, True)

    def test_nothing_is_taken_for_a_cluster_unasked(self):
        gold, runs = clustered()
        found = mm.compare(gold.rename(columns={"passage": "cluster"}), runs, "accuracy", classes=CLASSES)
        assert found.units == "items"

    def test_variance_between_and_within(self):
        told = mm.compare(*clustered(), "accuracy", classes=CLASSES, columns={"cluster": "passage"}).to_dict()
        assert len(told["variance"]) == 2
        assert set(told["variance"][0]) == {"clusters"}
        assert set(told["variance"][0]["clusters"]) == {"between", "within"}
        assert "variance" not in mm.compare(*clustered(), "accuracy", classes=CLASSES).to_dict()

    def test_clusters_that_are_not_there(self, run, tmp_path):
        gold, runs = clustered()
        gold.loc[3, "passage"] = None
        for name, frame in {"gold": gold, **runs}.items():
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
        call = ["compare", *(tmp_path / f"{name}.csv" for name in ("gold", "first", "second")), "--classes", CLASSES]
        status, _, err = run(*call, "--measures", "accuracy", "--cluster-column", "passage")
        assert (status, "gold.csv:5: the row has no cluster; give every row its cluster" in err) == (1, True)
        status, _, err = run(*call, "--measures", "accuracy", "--cluster-column", "pasage")
        assert (status, "gold.csv:1: there is no column 'pasage'; did you mean 'passage'" in err) == (1, True)

    def test_topics_and_clusters(self):
        gold, runs = clustered()
        gold = gold.assign(topic=["a", "b"] * (len(gold) // 2))
        runs = {name: frame.assign(topic=gold["topic"]) for name, frame in runs.items()}
        told = {"classes": CLASSES, "columns": {"cluster": "passage"}}
        found = mm.compare(gold, runs, "accuracy", **told)
        assert found.units == "clusters"  # there are two topics only
        found = mm.compare(gold, runs, "accuracy", units="topics", **told)
        assert found.units == "topics"
        assert "Clusters do not enter a comparison over topics (over clusters: units='items')" in found.notes
        assert mm.compare(gold, runs, "accuracy", average="pooled", **told).p[0, 1] == pytest.approx(24 / 64)

    def test_other_tasks_have_none(self, run):
        status, _, err = run("evaluate", "x.csv", "y.csv", "--task", "ranking", "--cluster-column", "c")
        assert (status, "--cluster-column is not for the task ranking" in err) == (2, True)


def repeated():
    """Two runs, the first with three outputs for each of four items, the second with one."""
    gold = pd.DataFrame({"item": list("abcd"), "label": list("1122")})
    said = {"a": "111", "b": "112", "c": "222", "d": "112"}
    rows = [(item, label, n) for item, labels in said.items() for n, label in enumerate(labels)]
    first = pd.DataFrame(rows, columns=["item", "label", "sample"])
    return gold, {"first": first, "second": pd.DataFrame({"item": list("abcd"), "label": list("1212")})}


REPEATS = {"classes": "1..2", "columns": {"repeat": "sample"}}


class TestRepeats:
    def test_every_item_counts_once(self):
        gold, runs = repeated()
        scores = mm.evaluate(gold, runs, measures="accuracy,kappa", **REPEATS)
        assert scores.pooled[0] == pytest.approx([(1 + 2 / 3 + 1 + 1 / 3) / 4, 0.5])
        table = np.array([[5 / 3, 1 / 3], [2 / 3, 4 / 3]])
        assert scores.pooled[1, 0] == pytest.approx(float(mm.measures["kappa"](table)))
        uneven = runs["first"].drop(index=[1, 2])  # one output for the first item, still right
        again = mm.evaluate(gold, runs | {"first": uneven}, measures="accuracy", **REPEATS)
        assert again.pooled[0] == pytest.approx(scores.pooled[0])

    def test_outputs_for_an_item_are_swapped_together(self):
        gold, runs = repeated()
        found = mm.compare(gold, runs, "accuracy", **REPEATS)
        assert (found.units, found.topics) == ("items", 4)
        gaps = np.array([1 - 1, 2 / 3 - 0, 1 - 0, 1 / 3 - 1])
        signs = np.array(np.meshgrid(*[[1, -1]] * 4)).reshape(4, -1)
        assert found.p[0, 1] == pytest.approx(np.mean(np.abs(gaps @ signs) >= abs(gaps.sum()) - 1e-12))

    def test_variance_between_and_within(self):
        gold, runs = repeated()
        told = mm.compare(gold, runs, "accuracy", **REPEATS).to_dict()
        parts = dict(zip(told["runs"], told["variance"], strict=True))
        right = np.array([[1, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1]])
        within = right.var(axis=1, ddof=1).mean()
        assert parts["first"]["items"]["within"] == pytest.approx(within)
        assert parts["first"]["items"]["between"] == pytest.approx(right.mean(axis=1).var(ddof=1) - within / 3)
        assert parts["second"]["items"] == {"between": None, "within": None}

    @pytest.mark.parametrize("shape", ["stacked", "side by side"])
    def test_other_shapes(self, shape):
        gold, runs = repeated()
        second = runs["first"].assign(label=["1", "2", "1"] * 4)
        truth = gold.set_index("item")["label"]
        if shape == "stacked":
            both = pd.concat([runs["first"].assign(run="first"), second.assign(run="second")])
            data = both.assign(gold=both["item"].map(truth))
        else:
            data = runs["first"].rename(columns={"label": "first"}).assign(second=second["label"])
            data = data.assign(gold=data["item"].map(truth))
        wanted = mm.compare(gold, runs | {"second": second}, "accuracy", **REPEATS).to_dict()
        assert mm.compare(data, measure="accuracy", **REPEATS).to_dict() == wanted

    def test_repeats_for_items_that_gold_lacks(self):
        gold, runs = repeated()
        told = mm.compare(gold, runs, "accuracy", **REPEATS).to_dict()
        name = next(iter(runs))
        more = runs | {name: pd.concat([runs[name], runs[name].tail(1).assign(item="strange")])}
        with pytest.raises(mm.DataError, match="item 'strange' is not in gold"):
            mm.compare(gold, more, "accuracy", **REPEATS)
        found = mm.compare(gold, more, "accuracy", extra="ignore", **REPEATS).to_dict()
        assert f"{name}: 1 row on items that gold does not have left out" in found["notes"]
        beside = dict.fromkeys(("notes", "findings", "signature", "signature_parts"))
        assert found | beside == told | beside

    def test_what_is_wrong_with_repeats(self):
        gold, runs = repeated()
        twice = pd.concat([runs["first"], runs["first"].iloc[:1]])
        with pytest.raises(mm.DataError, match="repeat '0' of item 'a' again"):
            mm.compare(gold, runs | {"first": twice}, "accuracy", **REPEATS)
        with pytest.raises(mm.DataError, match="item 'd' is missing"):
            mm.compare(gold, runs | {"first": runs["first"].iloc[:9]}, "accuracy", **REPEATS)
        with pytest.raises(mm.UsageError, match=r"no run has a column 'smple'; check columns=\{'repeat': ...\}"):
            mm.compare(gold, runs, "accuracy", classes="1..2", columns={"repeat": "smple"})
        with pytest.raises(mm.UsageError, match="missing is not for runs with several outputs"):
            mm.compare(gold, runs, "accuracy", missing="drop", **REPEATS)

    @pytest.mark.parametrize("stacked", [False, True])
    def test_repeats_that_nobody_declared(self, stacked):
        gold, runs = repeated()
        runs["first"] = runs["first"].assign(text=[f"answer {place}" for place in range(12)], model="m")
        told = r"item 'a' again.*keep one row per item; if these are several outputs for one item, numbered by 'sample', add"
        rows = runs["first"].assign(run="first", gold=runs["first"]["item"].map(gold.set_index("item")["label"]))
        data = (rows, None) if stacked else (gold, runs)
        with pytest.raises(mm.DataError, match=told):
            mm.evaluate(*data, measures="accuracy", classes="1..2")
        plain = runs["first"].drop(columns=["sample", "text"])
        with pytest.raises(mm.DataError, match=r"again.*keep one row per item$"):
            mm.evaluate(gold, {"first": plain.iloc[:5]}, measures="accuracy", classes="1..2", missing="drop")


def columns_of(frame):
    return {name: frame[name].astype(str).tolist() for name in frame}


@pytest.mark.each_time(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine(engine, tmp_path):
    """Clusters in gold, and runs with several outputs for an item and without."""
    gold, runs = repeated()
    gold = gold.assign(passage=list("xxyy"))
    told = {"classes": "1..2", "columns": {"repeat": "sample", "cluster": "passage"}, "trials": 100}
    wanted = mm.compare(gold, runs, "kappa", **told).to_dict()
    there = {name: made(engine, columns_of(run), tmp_path, name) for name, run in runs.items()}
    found = mm.compare(made(engine, columns_of(gold), tmp_path, "gold"), there, "kappa", **told)
    assert found.to_dict() == wanted
    assert (found.units, found.topics) == ("clusters", 2)


@pytest.mark.parametrize("engine", ["spark", "parquet"])
def test_stacked_on_every_kind_of_engine(engine, tmp_path):
    gold, runs = frames(TWELVE)
    stacked = pd.concat([run.assign(run=name, gold=gold["label"]) for name, run in runs.items()])
    found = mm.compare(made(engine, columns_of(stacked), tmp_path, "all"), measure="kappa_linear", classes=CLASSES)
    assert found.to_dict() == mm.compare(gold, runs, "kappa_linear", classes=CLASSES).to_dict()


def test_sick(run, shared_data):
    """McNemar's exact p-values of seventeen runs, from the file."""
    call = ("compare", shared_data / "sick2014/entailment_matrix.tsv", "--item-column", "pair_ID", "--measures", "accuracy")
    classes = ("--classes", "CONTRADICTION,NEUTRAL,ENTAILMENT", "--correction", "none", "--format", "json")
    told = json.loads(run(*call, *classes)[1])
    p = {(one, other): told["p"][i][j] for i, one in enumerate(told["runs"]) for j, other in enumerate(told["runs"])}
    assert p["Illinois-LH", "UoW"] == pytest.approx(2.604e-23, rel=1e-3)
    assert p["Illinois-LH", "ECNU"] == pytest.approx(0.0811312, abs=5e-8)
    assert p["CDT", "UIO-Lien"] == pytest.approx(0.905578, abs=5e-7)
    assert (told["units"], told["items"], told["exact"]) == ("items", 4927, True)
