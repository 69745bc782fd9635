"""``explain``: the influence of an item is what a swap of it does to the difference, and nothing else."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.show.table import output_format

MEASURES = ["accuracy", "cem_ord", "kappa_quadratic", "f1_macro", "mae", "pearson", "mutual_information"]


def drawn(seed, items=24, classes=4):
    made = np.random.default_rng(seed)
    gold = made.integers(0, classes, items)
    return [np.where(made.random(items) < right, gold, made.integers(0, classes, items)) for right in (1, 0.7, 0.5)]


def frame(labels, **more):
    return pl.DataFrame({"item": [f"i{place:02}" for place in range(len(labels))], "label": labels, **more})


def swapped(first, second, place):
    """Both runs, which have swapped one item."""
    one, other = first.copy(), second.copy()
    one[place], other[place] = second[place], first[place]
    return one, other


def difference(gold, first, second, measure, more, average="topics"):
    """By ``evaluate``, of runs by themselves."""
    runs = {"first": frame(first), "second": frame(second)}
    scores = mm.evaluate(frame(gold, **more), runs, classes="0..3", measures=measure, average=average)
    ours = (
        scores.pooled[0] if average == "pooled" else np.nanmean(scores.values[0][~np.isnan(scores.values[0]).any(axis=1)], axis=0)
    )
    return ours[0] - ours[1]


@pytest.mark.each_time(6)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("kind", ["one", "topics", "pooled", "weights"])
def test_influence_is_half_of_what_a_swap_changes(measure, kind):
    gold, first, second = drawn(len(measure))
    topics = {"topic": ["xyz"[place % 3] for place in range(len(gold))]}
    more = {"one": {}, "topics": topics, "pooled": topics, "weights": {"weight": np.arange(1.0, len(gold) + 1) / 4}}[kind]
    average = "pooled" if kind == "pooled" else "topics"
    made = mm.explain(frame(gold, **more), frame(first), frame(second), classes="0..3", measure=measure, average=average, most=99)
    whole = difference(gold, first, second, measure, more, average)
    assert made.difference == pytest.approx(whole)
    rows = {row["item"]: row["influence"] for row in made.rows(None)}
    differs = np.flatnonzero(first != second)
    assert {*rows} == {f"i{place:02}" for place in differs}
    for place in differs[:8]:
        after = difference(gold, *swapped(first, second, place), measure, more, average)
        assert rows[f"i{place:02}"] == pytest.approx((whole - after) / 2, abs=1e-12)


def test_influences_of_a_mean_add_up_to_the_difference():
    gold, first, second = drawn(3)
    made = mm.explain(gold, first, second, classes="0..3", measure="accuracy")
    assert sum(one["influence"] for one in made.by_class()) == pytest.approx(made.difference)
    assert [one["items"] for one in made.by_class()] == np.bincount(gold, minlength=4).tolist()


def test_the_largest_come_first_within_each_class_of_gold():
    gold, first, second = drawn(5, items=200)
    made = mm.explain(frame(gold), frame(first), frame(second), classes="0..3", measure="cem_ord", most=5)
    rows = list(made.rows(5))
    assert [row["gold"] for row in rows] == sorted(row["gold"] for row in rows)
    for label in "0123":
        sizes = [abs(row["influence"]) for row in rows if row["gold"] == label]
        assert sizes == sorted(sizes, reverse=True)
        assert len(sizes) == 5
    assert "more: .explain" not in str(made)
    assert "most=" in str(made)


def test_who_is_favoured_where_lower_is_better():
    made = mm.explain([0, 2], [0, 0], [1, 2], classes="0..2", measure="mae")
    assert {row["item"]: row["favours"] for row in made.rows(None)} == {"1": "first", "2": "second"}


def test_files_texts_and_json(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\nx,a\ny,b\nz,b\n")
    (tmp_path / "one.csv").write_text("item,label\nx,a\ny,b\nz,a\n")
    (tmp_path / "two.csv").write_text("item,label\nx,b\ny,b\nz,b\n")
    (tmp_path / "texts.jsonl").write_text('{"item": "x", "text": "a \\"quoted\\", text"}\n')
    files = [tmp_path / f"{name}.csv" for name in ("gold", "one", "two")]
    asked = ("--classes", "a,b", "--measure", "accuracy", "--texts", tmp_path / "texts.jsonl")
    status, out, err = run("explain", *files, *asked, "--format", "json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert {*answer} == {
        "measure", "better", "average", "units", "runs", "difference", "items", "differ", "classes", "notes", "findings",
        "signature", "signature_parts",
    }  # fmt: skip
    assert (answer["items"], answer["differ"], answer["difference"], answer["units"]) == (3, 2, 0.0, "items")
    first, second = answer["classes"]
    assert first["shown"] == [
        {
            "item": "x",
            "topic": None,
            "gold": "a",
            "first": "a",
            "second": "b",
            "influence": pytest.approx(1 / 3),
            "favours": "one",
            "text": 'a "quoted", text',
        }
    ]
    assert second["shown"][0]["favours"] == "two"
    assert "1 item shown without a text" in answer["notes"]
    rows = list(csv.DictReader(io.StringIO(run("explain", *files, *asked, "--format", "csv")[1])))
    assert [(row["item"], row["gold"], row["first"], row["second"]) for row in rows] == [
        ("x", "a", "a", "b"),
        ("z", "b", "a", "b"),
    ]
    assert run("reproduce", answer["signature"], *files)[0] == 0


def test_side_by_side_and_items_that_are_missing(tmp_path):
    (tmp_path / "wide.csv").write_text("item,gold,one,two\np,a,a,b\nq,b,b,b\n")
    made = mm.explain(tmp_path / "wide.csv", classes="a,b", measure="accuracy")
    assert [(row["item"], row["influence"]) for row in made.rows(None)] == [("p", 0.5)]
    gold, first = frame(["0", "1", "2"]), frame(["0", "1"])
    found = mm.explain(gold, first, frame(["1", "1", "2"]), classes="0..2", measure="accuracy", missing="drop")
    rows = {row["item"]: (row["first"], row["second"]) for row in found.rows(None)}
    assert rows == {"i00": ("0", "1"), "i02": (None, "2")}


def test_entailment_by_its_labels_and_not_by_orders(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,YES\n2,NO\n3,YES\n")
    (tmp_path / "a.csv").write_text("item,label,confidence\n1,YES,.9\n2,YES,.5\n3,YES,.1\n")
    (tmp_path / "b.csv").write_text("item,label,confidence\n1,NO,.9\n2,NO,.5\n3,YES,.1\n")
    files = [tmp_path / f"{name}.csv" for name in ("gold", "a", "b")]
    how = {"task": "entailment", "positive": "YES", "negative": "NO"}
    made = mm.explain(*files, measure="accuracy", **how)
    assert {row["item"]: round(row["influence"], 6) for row in made.rows(None)} == {"1": 0.333333, "2": -0.333333}
    with pytest.raises(mm.UsageError, match="reads an order of all items"):
        mm.explain(*files, measure="confidence_weighted_score", **how)


def test_outcomes_item_by_item(tmp_path):
    (tmp_path / "a.csv").write_text("item,topic,score\nx,p,1\ny,p,0\nz,q,0.5\n")
    (tmp_path / "b.csv").write_text("item,topic,score\nx,p,0\ny,p,1\nz,q,1\n")
    made = mm.explain(tmp_path / "a.csv", tmp_path / "b.csv", task="outcomes", better="higher")
    assert made.difference == pytest.approx(-0.25)
    rows = {row["item"]: row["influence"] for row in made.rows(None)}
    assert rows == pytest.approx({"x": 0.25, "y": -0.25, "z": -0.25})
    pooled = mm.explain(tmp_path / "a.csv", tmp_path / "b.csv", task="outcomes", better="higher", average="pooled")
    assert {row["item"]: row["influence"] for row in pooled.rows(None)} == pytest.approx({"x": 1 / 3, "y": -1 / 3, "z": -1 / 6})


def test_rankings_and_distributions_by_topic(tmp_path):
    (tmp_path / "gold.csv").write_text("segment,item,rank\ns,x,1\ns,y,2\nt,x,1\nt,y,2\n")
    (tmp_path / "a.csv").write_text("segment,item,rank\ns,x,1\ns,y,2\nt,x,2\nt,y,1\n")
    (tmp_path / "b.csv").write_text("segment,item,rank\ns,x,2\ns,y,1\nt,x,2\nt,y,1\n")
    files = [tmp_path / f"{name}.csv" for name in ("gold", "a", "b")]
    made = mm.explain(*files, task="ranking", measure="tau@a")
    assert [(row["item"], row["influence"]) for row in made.rows(None)] == [("s", 1.0)]
    assert made.found.unit == "segment"
    with pytest.raises(mm.UsageError, match="means over its"):
        mm.explain(*files, task="ranking", measure="tau@a", average="pooled")
    for name, share in (("gold", 0.5), ("a", 0.5), ("b", 0.25)):
        (tmp_path / f"{name}.csv").write_text(f"topic,class,probability\nx,0,{share}\nx,1,{1 - share}\ny,0,1\ny,1,0\n")
    found = mm.explain(*files, task="quantification", classes="0,1", measure="nmd")
    assert [(row["item"], row["influence"], row["favours"]) for row in found.rows(None)] == [("x", -0.125, "a")]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"most": 0}, "most cannot be 0"),
        ({"measure": "nonsense"}, "nonsense"),
        ({"measure": "nmd"}, "nmd"),
        ({"missing": "zero"}, "choose"),
        ({"classes": None}, "the labels found are"),
    ],
)
def test_a_call_that_is_wrong(how, said):
    gold, first, second = drawn(1)
    with pytest.raises(mm.UsageError, match=said):
        mm.explain(frame(gold), frame(first), frame(second), **{"classes": "0..3", "measure": "accuracy"} | how)


def test_files_that_are_wrong(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\nx,a\ny,b\n")
    (tmp_path / "one.csv").write_text("item,label\nx,a\ny,b\n")
    (tmp_path / "two.csv").write_text("item,label\nx,a\ny,c\n")
    (tmp_path / "texts.csv").write_text("id,words\nx,a\n")
    gold, one, two, texts = (tmp_path / f"{name}.csv" for name in ("gold", "one", "two", "texts"))
    asked = ("--classes", "a,b", "--measure", "accuracy")
    status, _, err = run("explain", gold, one, two, *asked)
    assert status == 1
    assert "two.csv:3: label 'c' is not one of the classes" in err
    two.write_text("item,label\nx,b\ny,b\n")
    status, _, err = run("explain", gold, one, two, *asked, "--texts", texts)
    assert status == 1
    assert "texts.csv:1: there is no column 'item'" in err
    assert run("explain", gold, one, *asked)[0] == 2
    assert run("explain", gold, one, one, *asked)[0] == 2
    assert run("explain", gold, one, two, *asked, "--texts", tmp_path / "none.csv")[0] == 2


def test_equal_runs_have_nothing_to_explain():
    gold, first, _ = drawn(2)
    made = mm.explain(gold, first, first, classes="0..3", measure="accuracy")
    assert (made.difference, made.to_dict()["differ"]) == (0.0, 0)
    assert "they differ on 0 of 24 items" in str(made)


def test_on_the_page(run, tmp_path):
    gold, first, second = drawn(4, items=60)
    for name, labels in (("gold", gold), ("one", first), ("two", second), ("three", second[::-1])):
        frame(labels).write_csv(tmp_path / f"{name}.csv")
    frame(gold).select("item", text="item").write_csv(tmp_path / "texts.csv")
    files = [tmp_path / f"{name}.csv" for name in ("gold", "one", "two", "three")]
    how = ("--classes", "0..3", "--measures", "accuracy", "--trials", "20", "-o", tmp_path / "page.html")
    assert run("report", *files, *how)[0] == 0
    assert "made the difference" not in (tmp_path / "page.html").read_text()
    status, _, err = run("report", *files, *how, "--explain", "two,one", "--texts", tmp_path / "texts.csv")
    assert status == 0, err
    page = (tmp_path / "page.html").read_text()
    assert "Items that made the difference" in page
    differs = f"i{np.flatnonzero(first != second)[0]:02}"
    assert differs in page[page.index('id="explained"') :]
    assert "there is no run 'tow'; did you mean 'two'?" in run("report", *files, *how, "--explain", "tow,one")[2]
    assert run("report", *files, *how, "--explain", "one")[0] == 2


OF_ITEMS = ["brier", "rps", "auc", "average_precision@b", "ece", "f1_macro", "f1@b", "icm_norm", "f1_samples"]


@pytest.mark.each_time(2)
@pytest.mark.parametrize("measure", OF_ITEMS)
def test_items_of_probabilities_and_of_sets(measure):
    """Half of what the difference loses by the swap, by evaluating both runs with each item swapped."""
    rng = np.random.default_rng(5)
    sets = measure.startswith(("f1", "icm"))
    if sets:
        gold, first, second = ((rng.random((14, 3)) < 0.4).astype(int) for _ in range(3))
        how = {"task": "multilabel", "classes": "a,b,c"}
    else:
        gold, (first, second) = list("abcabcabcaabbc"), rng.dirichlet(np.ones(3), (2, 14))
        second[3] = first[3]
        how = {"task": "probabilities", "classes": "a,b,c"}

    def apart(one, other):
        scores = mm.evaluate(gold, {"one": one, "other": other}, measures=[measure], **how)
        return scores["one"][measure] - scores["other"][measure]

    made = mm.explain(gold, first, second, measure=measure, **how)
    assert made.difference == pytest.approx(apart(first, second), abs=1e-12)
    expected = [(apart(first, second) - apart(*swapped(first, second, item))) / 2 for item in range(14)]
    np.testing.assert_allclose(made.found.influence, expected, atol=1e-12)
    assert made.found.differs.tolist() == [bool((first[item] != second[item]).any()) for item in range(14)]


def test_items_of_sets_are_shown_by_name(tmp_path):
    (tmp_path / "gold.csv").write_text("item,topic,label\nx,t,a|b\ny,t,\nz,u,c\n")
    (tmp_path / "one.csv").write_text("item,topic,label\nz,u,c\ny,t,\nx,t,b\n")
    (tmp_path / "two.csv").write_text("item,topic,label\nx,t,a|b\nz,u,\ny,t,\n")
    made = mm.explain(*(tmp_path / f"{name}.csv" for name in ("gold", "one", "two")), task="multilabel", classes="a,b,c",
                      measure="f1_samples")  # fmt: skip
    shown = [(row["item"], row["topic"], row["gold"], row["first"], row["second"], row["favours"]) for row in made.rows(None)]
    assert shown == [("z", "u", "c", "c", "[]", "one"), ("x", "t", "a | b", "b", "a | b", "two")]


def test_items_with_gold_of_several_classes_show_its_shares(tmp_path):
    (tmp_path / "gold.csv").write_text("item,a,b\nx,0.5,0.5\ny,1,0\n")
    (tmp_path / "one.csv").write_text("item,a,b\nx,0.5,0.5\ny,0.9,0.1\n")
    (tmp_path / "two.csv").write_text("item,a,b\nx,0.2,0.8\ny,0.9,0.1\n")
    made = mm.explain(*(tmp_path / f"{name}.csv" for name in ("gold", "one", "two")), task="probabilities", classes="a,b",
                      measure="brier")  # fmt: skip
    (row,) = made.rows(None)
    assert [row[name] for name in ("item", "gold", "first", "second")] == ["x", "a 0.5, b 0.5", 0.5, 0.2]
    assert "the probability of gold's class" in str(made)


def test_too_many_items_to_swap_are_refused(monkeypatch):
    from metameasure.tasks import influences

    monkeypatch.setattr(influences, "_MOST_SWAPS", 3)
    runs = np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([[0.8, 0.2], [0.3, 0.7]])
    how = {"task": "probabilities", "classes": "a,b"}
    with pytest.raises(mm.UsageError, match="too many to swap each"):
        mm.explain(["a", "b"], *runs, measure="auc", **how)
    assert mm.explain(["a", "b"], *runs, measure="brier", **how).found.influence.shape == (2,)


def test_influences_have_as_many_decimals_all_of_them():
    gold, first, second = [1, 2, 3, 4, 5, 1, 2], [1, 2, 3, 4, 5, 2, 4], [2, 2, 5, 4, 4, 1, 2]
    (table,) = mm.explain(gold, first, second, measure="cem_ord", classes="1..5").presented(output_format("table"))
    shown = [row[table.columns.index("influence")] for row in table.rows]
    assert len({len(one.partition(".")[2]) for one in shown}) == 1
    assert len({*shown}) > 1
