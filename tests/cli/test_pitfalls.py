"""Options together, and data that is not like the rest: each of these once gave a number that nobody should have believed."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.evaluating.evidence_files import count
from metameasure.reading.numbers import read_distance

GOLD = pd.DataFrame({"item": range(5), "topic": list("xxyyy"), "label": list("aaabc")})
RUNS = {"r": list("abaab"), "s": list("cbabc")}


def runs(**answers):
    return {name: GOLD[["item"]].assign(label=given) for name, given in (answers or RUNS).items()}


def scored(measures, gold=GOLD, answers=None, **options):
    return mm.evaluate(gold, answers or runs(), classes="a,b,c", measures=measures, **options)


def test_baselines_do_not_change_the_runs_scores():
    """A constant baseline is undefined on topic x; the runs are not, and their means are over both topics."""
    plain, beside = scored("kappa_linear"), scored("kappa_linear", baselines=True)
    np.testing.assert_array_equal(plain.averages(), beside.averages()[:, :2])
    assert beside.warnings() == []


def test_baselines_judge_by_gold_itself_not_by_what_runs_answered():
    gold = pd.DataFrame({"item": range(5), "label": list("aaabb")})
    only_b = {"r": pd.DataFrame({"item": [3, 4], "label": list("bb")})}
    found = mm.evaluate(gold, only_b, classes="a,b", measures="accuracy", missing="drop", baselines=True)
    assert "the majority class is a" in found.notes
    assert found.pooled[0, found.runs.index("baseline: majority")] == pytest.approx(0.6)


def test_a_run_may_not_be_called_like_a_baseline():
    with pytest.raises(mm.UsageError, match="which is the name of a baseline"):
        scored("accuracy", answers=runs(**{"baseline: majority": list("aaaaa")}), baselines=True)


def test_random_baselines_of_weighted_gold_weigh_items_not_rounded_weights():
    items = pd.DataFrame({"item": range(60), "label": list("aabbcc") * 10, "weight": [0.1, 0.3] * 30})
    run = {"r": items[["item", "label"]]}
    found = mm.evaluate(items, run, classes="a,b,c", measures="f1_macro,kappa,accuracy", baselines=True)
    column = found.runs.index("baseline: random, uniform")
    rng = np.random.default_rng(0)
    draws = [
        [
            mm.score(items.label, rng.choice(list("abc"), 60), m, classes="a,b,c", weights=items.weight)
            for m in ("f1_macro", "kappa")
        ]
        for _ in range(400)
    ]
    assert found.pooled[:2, column] == pytest.approx(np.mean(draws, axis=0), abs=0.02)
    assert found.pooled[2, column] == pytest.approx(1 / 3)


def test_zero_is_no_expectation_where_there_is_no_value():
    constant = pd.DataFrame({"item": range(4), "label": list("aaaa")})
    answers = {"r": constant.assign(label=list("abca"))}
    with pytest.warns(UserWarning, match="pearson of r is defined on 0 of 1"):
        found = mm.evaluate(constant, answers, classes="a,b,c", measures="pearson", baselines=True)
    assert np.isnan(found.pooled).all()


@pytest.mark.parametrize("measure", ["alpha_nominal", "kendall_a", "alpha_ordinal"])
def test_measures_that_count_items_do_so_with_weights_too(measure):
    """Equal weights of any size are no weights."""
    plain = scored(measure, average="pooled").pooled
    light = scored(measure, gold=GOLD.assign(weight=0.1), average="pooled").pooled
    np.testing.assert_allclose(light, plain, atol=1e-12)


def test_item_intervals_hold_their_estimate_though_draws_are_undefined():
    rng = np.random.default_rng(1)
    gold = pd.DataFrame(
        {"item": range(180), "topic": np.repeat([f"t{t}" for t in range(60)], 3), "label": rng.choice([1, 2], 180)}
    )
    answers = {"r": gold[["item"]].assign(label=np.where(rng.random(180) < 0.7, gold.label, 3 - gold.label))}
    found = mm.evaluate(gold, answers, classes="1..2", measures="f1@1,accuracy", ci=True)
    low, high = (end[:, 0] for end in found.intervals.items)
    assert np.all((low < found.averages()[:, 0]) & (found.averages()[:, 0] < high))


class TestStacked:
    ROWS = [("A", 1, "a", "a"), ("A", 2, "b", "b"), ("A", 3, "c", "c"), ("B", 1, "a", "a")]  # noqa: RUF012

    def frame(self, *drop):
        return pd.DataFrame(self.ROWS, columns=["run", "item", "gold", "label"]).drop(columns=list(drop))

    @pytest.mark.parametrize(("missing", "accuracy"), [("worst", 1 / 3), ("class:b", 2 / 3), ("drop", 1)])
    def test_rows_that_are_absent_are_missing(self, tmp_path, missing, accuracy):
        file = tmp_path / "stacked.csv"
        self.frame().to_csv(file, index=False)
        for source in (self.frame(), file):
            found = mm.evaluate(source, classes="a,b,c", measures="accuracy", missing=missing)
            assert found.pooled[0].tolist() == [1, pytest.approx(accuracy)]
            assert any(note.startswith("B: 2 missing items") for note in found.notes)

    def test_without_ids_nothing_can_stand_in(self):
        with pytest.raises(mm.UsageError, match="needs the items' ids"):
            mm.evaluate(self.frame("item"), classes="a,b,c", measures="accuracy", missing="worst")

    def test_partitions_deal_all_items(self):
        found = count(self.frame(), classes="a,b,c", partitions=2, missing="drop")
        assert found.topics == ("part 1", "part 2")


def test_an_empty_topic_is_wrong_in_every_shape():
    beside = pd.DataFrame({"item": [1, 2, 3], "topic": ["x", None, "y"], "gold": list("abb"), "r": list("aab")})
    with pytest.raises(mm.DataError, match="no topic"):
        mm.evaluate(beside, classes="a,b", measures="accuracy")


def test_names_of_runs_are_unique(tmp_path):
    for folder in ("p", "q"):
        (tmp_path / folder).mkdir()
        for ending, separator in (("tsv", "\t"), ("csv", ",")):
            GOLD[["item", "label"]].to_csv(tmp_path / folder / f"x.{ending}", sep=separator, index=False)
    GOLD.to_csv(tmp_path / "gold.csv", index=False)
    found = count(tmp_path / "gold.csv", [str(tmp_path / "*/x.*")], classes="a,b,c")
    assert len(set(found.runs)) == 4
    with pytest.raises(mm.UsageError, match="two runs are called '1'"):
        mm.evaluate(GOLD, {1: runs()["r"], "1": runs()["s"]}, classes="a,b,c")


def test_the_order_of_runs_does_not_change_the_signature():
    there, back = scored("accuracy"), scored("accuracy", answers=dict(reversed(runs().items())))
    assert there.signature == back.signature


def test_distances_by_name_in_any_order(tmp_path):
    scale = mm.Scale(("a", "b", "c"))
    plain, named = tmp_path / "plain.txt", tmp_path / "named.csv"
    plain.write_text("0 1 4\n1 0 2\n4 2 0\n")
    named.write_text("class,c,a,b\nc,0,4,2\na,4,0,1\nb,2,1,0\n")
    assert read_distance(plain, scale) == read_distance(named, scale) == [[0, 1, 4], [1, 0, 2], [4, 2, 0]]
    numbers = tmp_path / "numbers.csv"
    numbers.write_text(",-1,0,1\n-1,0,1,2\n0,1,0,1\n1,2,1,0\n")
    assert read_distance(numbers, mm.Scale.of("-1..1")) == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    named.write_text("class,c,a,d\nc,0,4,2\na,4,0,1\nd,2,1,0\n")
    with pytest.raises(mm.DataError, match="are not the classes"):
        read_distance(named, scale)


def test_distances_are_in_the_signature():
    near, far = (scored("kappa_weighted", distance=np.abs(np.subtract.outer(range(3), range(3))) ** power) for power in (1, 2))
    assert "distance:" in near.signature
    assert near.signature != far.signature


@pytest.mark.parametrize("missing", ["worst", "class:b"])
def test_differences_count_stand_ins_as_scores_do(missing):
    some = {"r": runs()["r"].iloc[1:], "s": runs()["s"].iloc[:-1]}
    scores = mm.evaluate(GOLD, some, classes="a,b,c", missing=missing, measures="mae")
    found = mm.difference(GOLD, some, "mae", "r", "s", classes="a,b,c", missing=missing)
    assert found.value == pytest.approx(scores.pooled[0, 0] - scores.pooled[0, 1])


def test_a_difference_presents_itself():
    found = mm.difference(GOLD, runs(), "accuracy", "r", "s", classes="a,b,c")
    assert found.to_dict()["first"] == "r"
    assert "bootstrap interval over items" in str(found)
    assert found.to_dict()["units"] == "items"


def test_scores_never_overwrite_what_is_read(run, tmp_path):
    gold, answers = tmp_path / "gold.tsv", tmp_path / "r.tsv"
    GOLD.to_csv(gold, sep="\t", index=False)
    runs()["r"].to_csv(answers, sep="\t", index=False)
    for target in (gold, answers):
        before = target.read_bytes()
        status, _, err = run("evaluate", gold, tmp_path / "r*.tsv", "--classes", "a,b,c", "--scores", target)
        assert (status, "would overwrite" in err) == (2, True)
        assert target.read_bytes() == before


def test_a_gold_column_that_is_named_is_used(run, tmp_path):
    gold, answers = tmp_path / "gold.tsv", tmp_path / "r.tsv"
    GOLD.assign(adjudicated=list("cccbc")).to_csv(gold, sep="\t", index=False)
    GOLD[["item", "label"]].to_csv(answers, sep="\t", index=False)
    told = ["evaluate", gold, answers, "--classes", "a,b,c", "--measures", "accuracy", "--average", "pooled", "--format", "json"]
    assert json.loads(run(*told)[1])["runs"][0]["pooled"]["accuracy"] == 1
    assert json.loads(run(*told, "--gold-column", "adjudicated")[1])["runs"][0]["pooled"]["accuracy"] == 0.4


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--classes", "3..1", "--bins", "1.5,2.5"], "are in descending order, but bins are ascending"),
        (["--classes", "a=1,b=2,c=5", "--kind", "nominal"], "class values on a nominal scale"),
        (["--classes", "a,b,c", "--measures", "oci@gamma=0"], "gamma cannot be 0"),
        (["--classes", "a,b,c", "--measures", "oci@beta=nan"], "beta cannot be nan"),
        (["--classes", "a,b,c", "--memory", "1MB"], "allow more with --memory"),
    ],
)
def test_calls_that_would_mislead(run, tmp_path, arguments, complaint):
    GOLD.to_csv(tmp_path / "gold.csv", index=False)
    runs()["r"].to_csv(tmp_path / "r.csv", index=False)
    status, out, err = run("evaluate", tmp_path / "gold.csv", tmp_path / "r.csv", *arguments)
    assert (status, out) == (2, "")
    assert complaint in err


def test_gold_alone_may_have_ids_that_repeat_across_topics(run, tmp_path):
    file = tmp_path / "gold.csv"
    GOLD.assign(item=[1, 2, 1, 2, 3]).to_csv(file, index=False)
    assert run("measures", "cem_ord", "--classes", "a,b,c", "--gold", file)[0] == 0
    assert run("measures", "cem_ord", "--classes", "a,b,c", "--gold", tmp_path / "*")[0] == 0


def test_one_reading_of_labels_everywhere():
    assert mm.score(["1.0", "2"], [1, 2.0], "accuracy", classes=[1, 2]) == 1
    with pytest.raises(mm.DataError):
        mm.score(["1_0"], ["10"], "accuracy", classes=[1, 10])
    polars = pytest.importorskip("polars", reason="polars is not installed")
    for library in (pd, polars):
        frame = library.DataFrame({"item": [1, 2], "gold": [True, False], "r": [True, True]})
        assert mm.evaluate(frame, classes=[False, True], measures="accuracy").pooled[0, 0] == 0.5


def test_names_must_fit_the_files(tmp_path):
    GOLD.to_csv(tmp_path / "gold.csv", index=False)
    for name in "rs":
        runs()[name].to_csv(tmp_path / f"{name}1.csv", index=False)
    with pytest.raises(mm.UsageError, match="1 runs are named, but there are 2 files"):
        mm.evaluate(tmp_path / "gold.csv", {"one": str(tmp_path / "?1.csv")}, classes="a,b,c")


def test_nothing_is_left_undefined_by_rounding():
    assert not math.isnan(scored("pearson", average="pooled").pooled[0, 0])


def test_gold_is_counted_once_in_whatever_order_parts_are_added():
    """Two runs on two halves of the data, counted apart."""
    halves = [GOLD[:2], GOLD[2:]]
    a1, a2, b1, b2 = (
        count(half, {name: half[["item"]].assign(label=list(RUNS[name])[half.index[0] : half.index[-1] + 1])}, classes="a,b,c")
        for name in "rs"
        for half in halves
    )
    whole = count(GOLD, runs(), classes="a,b,c")
    for total in ((a1 + a2) + (b1 + b2), (a1 + b1) + (a2 + b2)):
        assert total.checksum() == whole.checksum()
        assert total.gold_items.sum() == 5


def test_baselines_are_not_compared():
    plain, beside = (scored("accuracy", baselines=baselines) for baselines in (False, True))
    assert mm.compare(beside).runs == mm.compare(plain).runs
    np.testing.assert_array_equal(mm.compare(beside).p, mm.compare(plain).p)


def test_label_files_are_not_read_as_scores_and_scores_not_as_labels(run, tmp_path):
    file = tmp_path / "side.csv"
    file.write_text("item,gold,r1,r2\n1,1,2,1\n2,3,3,2\n3,2,2,2\n")
    status, out, err = run("compare", file, "--measures", "mae")
    assert (status, out) == (2, "")
    assert "the classes and their order are never guessed" in err
    assert "--classes 1,2,3" in err
    assert "holds labels, not scores; score them first" in run("meta", "all", file)[2]
    (tmp_path / "scores.csv").write_text("topic,r1,r2\n1,.1,.2\n2,.3,.2\n")
    _, _, err = run("compare", tmp_path / "scores.csv", "--measures", "mae", "--partitions", "2")
    assert "--partitions is for data to be scored, and" in err


def test_bare_numbers_with_commas_are_refused(run, tmp_path):
    file = tmp_path / "bare.csv"
    file.write_text("0.1,0.2,0.3\n0.2,0.1,0.4\n0.3,0.3,0.3\n")
    status, _, err = run("compare", file, "--better", "higher")
    assert (status, "bare.csv:1: the first line has numbers" in err) == (1, True)


def test_differences_are_claimed_by_name_where_they_are_not_with_the_worst():
    rng = np.random.default_rng(0)
    base = rng.normal(0, 1, (60, 1))
    values = np.hstack(
        [base + 1 + rng.normal(0, 0.1, (60, 1)), base + 0.8 + rng.normal(0, 0.1, (60, 1)), rng.normal(0.5, 9, (60, 1))]
    )
    found = mm.compare(mm.ScoreMatrix("accuracy", tuple(map(str, range(60))), ("a", "b", "c"), values), test="permutation")
    assert (found.runs, found.beats()) == (("a", "b", "c"), [0, 0, 0])
    assert found.sentences()[0].startswith("a significantly outperforms b (p")


@pytest.mark.parametrize("change", [{"better": "high"}, {"correction": "zzz"}, {"trials": 0}, {"measure": "mae"}])
def test_arguments_of_compare_are_checked(change):
    matrix = mm.ScoreMatrix("accuracy", ("1", "2", "3"), ("a", "b"), np.array([[0.1, 0.2], [0.3, 0.1], [0.2, 0.6]]))
    with pytest.raises(mm.UsageError):
        mm.compare(matrix, **change)


def test_small_variation_on_large_scores_is_variation():
    values = 1e6 + np.random.default_rng(0).normal(0, 0.005, (50, 3)) + np.arange(3) * 0.05
    found = mm.compare(mm.ScoreMatrix("accuracy", tuple(map(str, range(50))), ("a", "b", "c"), values))
    assert found.beats() == [2, 1, 0]
