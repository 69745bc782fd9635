"""What a run's scores are made of: confusion tables, distributions, pairs."""

import csv
import io
import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.cli.main import main

GOLD = ["a"] * 50 + ["b"] * 36 + ["c"] * 14
# Bergmair (2009), Figure 2: rows gold, columns predicted.
FIGURE_2 = [[20, 25, 5], [9, 18, 9], [1, 7, 6]]
PREDICTED = [label for row in FIGURE_2 for label, times in zip("abc", row, strict=True) for _ in range(times)]


def test_counts_are_rows_of_gold_and_the_keys_are_the_interface_s():
    told = mm.table(GOLD, PREDICTED, classes=["a", "b", "c"]).to_dict()
    assert told["classes"] == ["a", "b", "c"]
    (run,) = told["runs"]
    assert run["run"] == "run"
    assert run["counts"] == FIGURE_2
    assert [set(one) for one in run["by_class"]] == [{"class", "precision", "recall", "f1", "support"}] * 3
    assert [one["support"] for one in run["by_class"]] == [50, 36, 14]
    assert run["by_class"][0]["precision"] == pytest.approx(20 / 30)


@pytest.mark.parametrize("seed", range(5))
def test_precision_recall_and_f1_are_those_of_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(seed)
    gold, predicted = draw.choice(["x", "y", "z"], size=(2, 80))
    report = metrics.classification_report(gold, predicted, output_dict=True)
    found = mm.table(list(gold), {"svm": list(predicted)}, classes=["x", "y", "z"]).to_dict()["runs"][0]
    for one in found["by_class"]:
        expected = report[one["class"]]
        assert [one[name] for name in ("precision", "recall", "f1", "support")] == pytest.approx(
            [expected[name] for name in ("precision", "recall", "f1-score", "support")]
        )
    for name, theirs in (("macro", "macro avg"), ("weighted", "weighted avg")):
        assert [found[name][key] for key in ("precision", "recall", "f1")] == pytest.approx(
            [report[theirs][key] for key in ("precision", "recall", "f1-score")]
        )
    assert found["accuracy"] == pytest.approx(report["accuracy"])


def test_a_class_that_is_never_predicted_has_no_precision_but_0_and_one_that_is_nowhere_has_none():
    found = mm.table(["a", "b"], ["a", "a"], classes=["a", "b", "c"]).to_dict()["runs"][0]["by_class"]
    assert [one["precision"] for one in found] == [0.5, 0.0, None]
    assert [one["recall"] for one in found] == [1.0, 0.0, None]


def test_every_table_is_called_by_its_run():
    shown = mm.table(GOLD, {"svm": PREDICTED, "copy": GOLD}, classes=["a", "b", "c"]).render("latex")
    assert [name for name in ("svm", "copy", "weighted average") if rf"\caption{{{name} by class.}}" in shown] == ["svm", "copy"]


def test_the_table_has_margins_and_says_how_topics_are_taken():
    topics = {"topic": ["1", "1", "2", "2"], "item": list("wxyz")}
    polars = pytest.importorskip("polars")
    gold = polars.DataFrame(topics | {"label": ["a", "b", "a", "b"]})
    run = polars.DataFrame(topics | {"label": ["a", "a", "a", "b"]})
    lines = str(mm.table(gold, run, classes="a,b")).splitlines()
    assert lines[0].split() == ["run", "precision", "recall", "f1", "support"]
    assert "total               3  1      4" in lines
    assert lines[-2] == "All 2 topics as one."


def test_entailment_is_read_two_ways_and_has_figure_2_s_entropies():
    found = mm.table(GOLD, PREDICTED, task="entailment", positive="a", neutral="b", negative="c")
    (run,) = found.to_dict()["runs"]
    assert run["two_way"] == {"classes": ["a", "not a"], "counts": [[20, 30], [10, 40]]}
    assert run["conditional_entropy"] == pytest.approx({"a": 1.0746, "b": 1.4277, "c": 1.5395}, abs=5e-5)
    assert "H(G|L)              1.0746  1.4277  1.5395" in str(found)
    assert "not a" in str(found)


def test_weights_are_shown_as_weights():
    polars = pytest.importorskip("polars")
    gold = polars.DataFrame({"item": [1, 2], "label": ["a", "b"], "weight": [0.5, 2.0]})
    run = polars.DataFrame({"item": [1, 2], "label": ["a", "a"]})
    (told,) = mm.table(gold, run, classes="a,b").to_dict()["runs"]
    assert told["counts"] == [[0.5, 0.0], [2.0, 0.0]]


def test_distributions_stand_side_by_side_topics_as_one():
    polars = pytest.importorskip("polars")
    gold = polars.DataFrame({"topic": ["1", "2"], "a": [0.5, 0.1], "b": [0.5, 0.9]})
    run = polars.DataFrame({"topic": ["1", "2"], "a": [1.0, 0.0], "b": [0.0, 1.0]})
    told = mm.table(gold, {"svm": run}, task="quantification", classes="a,b").to_dict()
    (one,) = told["runs"]
    assert one["gold"] == pytest.approx([0.3, 0.7])
    assert one["estimate"] == pytest.approx([0.5, 0.5])
    assert [each["difference"] for each in one["by_class"]] == pytest.approx([0.2, -0.2])
    assert told["topics"] == 2


def test_every_topic_s_distribution_is_there_for_programs():
    polars = pytest.importorskip("polars")
    gold = polars.DataFrame({"topic": ["1", "2"], "a": [0.5, 0.1], "b": [0.5, 0.9]})
    found = mm.table(gold, {"svm": gold}, task="quantification", classes="a,b").render("csv")
    rows = list(csv.DictReader(io.StringIO(found)))
    assert rows[2] == {"run": "svm", "topic": "2", "class": "a", "gold": "0.1", "estimate": "0.1"}


def test_a_run_that_lacks_topics_is_shown_beside_gold_of_its_own():
    polars = pytest.importorskip("polars")
    gold = polars.DataFrame({"topic": ["1", "2"], "a": [0.5, 0.1], "b": [0.5, 0.9]})
    runs = {"whole": gold, "half": gold.filter(polars.col("topic") == "1")}
    shown = str(mm.table(gold, runs, task="quantification", classes="a,b", missing="drop"))
    assert "gold of half's topics  0.5000  0.5000" in shown


def test_rankings_show_their_pairs():
    polars = pytest.importorskip("polars")
    gold = polars.DataFrame({"segment": [1] * 4, "item": list("wxyz"), "rank": [1, 2, 2, 3]})
    run = polars.DataFrame({"segment": [1] * 4, "item": list("wxyz"), "rank": [2, 1, 1, 2]})
    (told,) = mm.table(gold, {"model": run}, task="ranking").to_dict()["runs"]
    # w-x, w-y: the other way; w-z: tied by the run; x-y: tied by both; x-z, y-z: right.
    assert told["pairs"] == {"concordant": 2, "discordant": 2, "tied_human": 0, "tied_predicted": 1, "tied_both": 1}


@pytest.mark.parametrize("format", ["json", "csv", "tsv", "markdown", "latex", "html", "table"])
def test_every_format_has_the_counts(format):
    shown = mm.table(GOLD, {"svm": PREDICTED, "nb": GOLD}, classes=["a", "b", "c"]).render(format)
    for part in ("svm", "nb", "25", "precision"):
        assert part in shown


def test_the_chart_is_a_heat_map_for_each_run(tmp_path):
    figure = mm.table(GOLD, {"svm": PREDICTED, "nb": GOLD}, classes=["a", "b", "c"]).chart(tmp_path / "table.svg")
    first, second = figure.get_axes()
    assert [text.get_text() for text in figure.texts if text.get_text() in ("svm", "nb")] == ["svm", "nb"]
    np.testing.assert_allclose(first.collections[0].get_array()[0], [0.4, 0.5, 0.1])
    assert {text.get_text() for text in second.texts} == {"50", "36", "14", ""}


def test_the_command_reads_files_and_writes_json(tmp_path, capsys):
    for name, labels in (("gold", GOLD), ("svm", PREDICTED)):
        rows = "".join(f"{item},{label}\n" for item, label in enumerate(labels))
        (tmp_path / f"{name}.csv").write_text(f"item,label\n{rows}", encoding="utf-8")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "svm.csv")]
    assert main(["table", *files, "--classes", "a,b,c", "--format", "json", "--chart", str(tmp_path / "t.pdf")]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["counts"] == FIGURE_2
    assert (tmp_path / "t.pdf").stat().st_size > 1000
    assert main(["table", *files]) == 2
    assert "--classes a,b,c" in capsys.readouterr().err
