"""What a user passed, gold and runs, evidence or scores, is found out by one rule: a table of inputs by functions."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.evaluating.evidence_files import count
from metameasure.tasks.gold_or_scores import what_is

CLASSES = [1, 2, 3]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """The same small data as a side-by-side table, apart, stacked, as evidence and as scores."""
    folder = tmp_path_factory.mktemp("passed")
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 4, 60)
    topic = np.repeat(list("abcdef"), 10)
    said = {
        name: np.where(rng.random(60) < right, gold, 1 + gold % 3) for name, right in (("svm", 0.8), ("bert", 0.6), ("nb", 0.4))
    }
    side = pd.DataFrame({"item": np.arange(60), "topic": topic, "gold": gold, **said})
    side.to_csv(folder / "side.csv", index=False)
    side.rename(columns={"gold": "truth"}).to_csv(folder / "renamed.csv", index=False)
    side[["item", "topic", "gold"]].rename(columns={"gold": "label"}).to_csv(folder / "gold.csv", index=False)
    for name, labels in said.items():
        pd.DataFrame({"item": np.arange(60), "label": labels}).to_csv(folder / f"{name}.csv", index=False)
    evidence = count(side, classes=CLASSES)
    evidence.save(folder / "evidence")
    scores = mm.evaluate(side, classes=CLASSES, measures=["accuracy", "mae"])
    scores.save(folder / "scores.csv")
    scores.save(folder / "scores.parquet")
    of_accuracy = np.asarray(scores.values)[0]
    matrix = pd.DataFrame(of_accuracy, columns=scores.runs).assign(topic=scores.topics)[["topic", *scores.runs]]
    matrix.to_csv(folder / "matrix.csv", index=False)
    (folder / "segments.txt").write_text("".join(f"{' '.join(f'{x:.3f}' for x in row)}\n" for row in of_accuracy))
    (folder / "run.trec").write_text("q1 Q0 d1 1 9.5 tag\nq1 Q0 d2 2 7.5 tag\n")
    (folder / "ranks.csv").write_text("segment,item,rank\ns1,a,1\ns1,b,2\n")
    (folder / "votes.csv").write_text("topic,class,probability\na,1,1\n")
    paths = {file.name: str(file) for file in folder.iterdir()}
    return paths | {
        "frame side by side": side,
        "frame of scores": scores.to_frame("pandas"),
        "evidence itself": evidence,
        "an evaluation": scores,
        "a matrix": mm.ScoreMatrix("accuracy", scores.topics, scores.runs, of_accuracy),
        "frame of a matrix": matrix,
        "matrices": [mm.ScoreMatrix("accuracy", scores.topics, scores.runs, of_accuracy)],
        "scores from a file": mm.read_scores(folder / "scores.csv"),
        "data sets by name": {"2016": scores},
        "files of scores": [paths["scores.csv"], paths["matrix.csv"]],
        "labels": gold.tolist(),
        "an array": gold,
    }  # fmt: skip


KINDS = {
    "data": ["side.csv", "gold.csv", "frame side by side", "labels", "an array", "run.trec", "ranks.csv", "votes.csv"],
    "evidence": ["evidence", "evidence itself"],
    "scores": ["scores.csv", "scores.parquet", "matrix.csv", "segments.txt", "frame of scores", "an evaluation", "a matrix",
               "frame of a matrix", "matrices", "scores from a file", "data sets by name", "files of scores"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in KINDS.items() for name in names])
def test_what_stands_alone_is_told_by_its_type_or_its_columns(inputs, kind, name):
    assert what_is(inputs[name]) == kind


@pytest.mark.parametrize("name", ["gold.csv", "scores.csv", "matrix.csv", "labels", "frame of scores"])
def test_what_has_runs_beside_it_is_data(inputs, name):
    assert what_is(inputs[name], [inputs["svm.csv"]]) == "data"
    assert what_is(inputs[name], {"svm": inputs["an array"]}) == "data"


def test_gold_s_column_goes_by_the_user_s_name_for_it(inputs):
    assert what_is(inputs["renamed.csv"]) == "scores"
    assert what_is(inputs["renamed.csv"], None, {"gold_column": "truth"}) == "data"
    assert what_is(inputs["renamed.csv"], None, {"columns": {"gold": "truth"}}) == "data"
    assert what_is(inputs["renamed.csv"], None, {"run_columns": ["svm"]}) == "data"


def test_no_runs_are_no_runs(inputs):
    for none in (None, [], (), {}):
        assert what_is(inputs["scores.csv"], none) == "scores"


def test_standard_input_is_told_by_what_is_said_of_it():
    assert what_is("-") == "scores"
    assert what_is("-", None, {"threads": 1, "memory": "1GB"}) == "scores"
    assert what_is("-", None, {"classes": [1, 2]}) == "data"
    assert what_is("-", task="ranking") == "data"


def test_a_file_that_is_not_there_is_said_to_be_so():
    with pytest.raises(mm.UsageError, match="there is no file 'nosuch"):
        what_is("nosuch.csv")
    with pytest.raises(mm.UsageError, match="cannot read int"):
        what_is(3)


FUNCTIONS = {
    "compare": lambda data, **how: mm.compare(data, "accuracy", trials=100, **how),
    "compare by name": lambda data, **how: mm.compare(data, measure="accuracy", trials=100, **how),
    "advise": mm.advise,
    "report": lambda data, **how: mm.report(data, trials=100, **how),
}
OF_SCORES = {
    "design": lambda data: mm.design(data, trials=50),
    "similarity": mm.meta.similarity,
}
UNDECLARED, FOR_DATA = "the classes and their order are never guessed", "classes is for data to be scored, and .* scores"
# Each input without classes, and with: what every function answers, nothing where it answers.
ANSWERS = {
    "side.csv": (UNDECLARED, ""),
    "frame side by side": (UNDECLARED, ""),
    "evidence": ("", "classes is an option for reading files, and evidence has been read already"),
    "evidence itself": ("", "classes is an option for reading files, and evidence has been read already"),
    "scores.csv": ("", FOR_DATA),
    "scores.parquet": ("", FOR_DATA),
    "frame of scores": ("", FOR_DATA),
    "an evaluation": ("", FOR_DATA),
    "scores from a file": ("", FOR_DATA),
    "gold.csv": (UNDECLARED + "|it has no column 'gold'", "it has no column 'gold'"),
}


def answer(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
        except mm.MetameasureError as error:
            return str(error)
    return ""


@pytest.mark.each_time(6)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_function_takes_the_same_for_the_same(inputs, name, function):
    """A page takes a second or two, so one answer of each kind does."""
    for classes, expected in zip(({}, {"classes": CLASSES}), ANSWERS[name], strict=True):
        if function == "report" and not expected and name not in ("side.csv", "scores.csv"):
            continue
        said = answer(lambda classes=classes: FUNCTIONS[function](inputs[name], **classes))
        assert bool(said) == bool(expected), said
        if expected:
            with pytest.raises(mm.MetameasureError, match=expected):
                FUNCTIONS[function](inputs[name], **classes)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_how_the_machine_works_says_nothing_of_the_data(inputs, function):
    assert answer(lambda: FUNCTIONS[function](inputs["scores.csv"], threads=1)) == ""


@pytest.mark.parametrize("function", OF_SCORES)
def test_what_takes_scores_only_says_what_else_it_was_given(inputs, function):
    for name in ("scores.csv", "frame of scores", "an evaluation", "a matrix", "scores from a file", "data sets by name"):
        assert answer(lambda name=name: OF_SCORES[function](inputs[name])) == ""
    assert "holds labels, not scores; score them first" in answer(lambda: OF_SCORES[function](inputs["side.csv"]))
    assert "is evidence, not scores; score it first" in answer(lambda: OF_SCORES[function](inputs["evidence"]))


@pytest.mark.parametrize("function", [mm.evaluate, mm.table, mm.check])
def test_what_takes_data_only_says_so_of_scores(inputs, function):
    for name in ("an evaluation", "a matrix"):
        assert "these are scores, and gold and runs are needed here" in answer(lambda name=name: function(inputs[name]))
    if function is not mm.check:
        for name in ("scores.csv", "frame of scores"):
            assert "scores are for compare, ranks, report, advise and meta" in answer(lambda name=name: function(inputs[name]))


@pytest.mark.parametrize("function", [mm.check, mm.count, mm.explain])
def test_what_takes_data_only_says_so_of_evidence(inputs, function):
    assert "this is evidence, and gold and runs are needed here" in answer(lambda: function(inputs["evidence itself"]))


def test_a_matrix_is_the_same_in_a_file_and_in_a_frame(inputs):
    of_file, of_frame = (mm.compare(inputs[name], "accuracy", trials=100) for name in ("matrix.csv", "frame of a matrix"))
    assert of_file.signature == of_frame.signature
    assert "holds labels, not scores" in answer(lambda: mm.compare(pd.DataFrame({"item": [1, 2], "truth": "x", "svm": "y"})))


OF_ONE_DATA_SET = {
    "compare": lambda data: mm.compare(data, "accuracy", trials=100),
    "compare by several": lambda data: mm.compare(data, ["accuracy"], trials=100),
    "ranks": lambda data: mm.ranks(data, "accuracy", trials=100),
    "gate": lambda data: mm.gate(data, measures="accuracy", baseline="svm", candidate="nb", margin=0.1),
    "design": lambda data: mm.design(data, trials=50),
    "advise": mm.advise,
    "report": lambda data: mm.report(data, trials=100),
}


@pytest.mark.parametrize("function", OF_ONE_DATA_SET)
def test_of_several_data_sets_none_is_left_out_in_silence(inputs, function):
    scores, matrix = inputs["an evaluation"], inputs["a matrix"]
    (values,) = np.asarray(matrix.values)
    other = mm.ScoreMatrix("accuracy", [f"other {topic}" for topic in matrix.topics], matrix.runs, values)
    for several in ([scores, scores], [matrix, other], {"2016": scores, "2017": scores}):
        assert "there are 2 data sets" in answer(lambda several=several: OF_ONE_DATA_SET[function](several))


def test_one_data_set_in_a_list_or_by_name_is_that_data_set(inputs):
    said = mm.compare(inputs["an evaluation"], "mae", trials=100).signature
    for one in ([inputs["an evaluation"]], {"2016": inputs["an evaluation"]}):
        assert mm.compare(one, "mae", trials=100).signature == said


def test_runs_come_in_whatever_gives_paths_one_by_one(inputs, tmp_path):
    for name in ("svm", "nb"):
        (tmp_path / f"{name}.csv").write_bytes(Path(inputs[f"{name}.csv"]).read_bytes())
    paths = dict.fromkeys(map(str, sorted(tmp_path.iterdir())))
    for runs in (lambda: tmp_path.glob("*.csv"), lambda: (path for path in paths), paths.keys, lambda: list(paths)):
        assert {*mm.check(inputs["gold.csv"], runs(), classes=CLASSES).good()} == {"nb", "svm"}
        assert {*mm.evaluate(inputs["gold.csv"], runs(), classes=CLASSES, skip_broken=True).runs} == {"nb", "svm"}
        assert mm.advise(inputs["gold.csv"], runs(), classes=CLASSES).signature


def test_runs_without_names_are_said_to_need_some(inputs):
    for runs in ([inputs["labels"], inputs["labels"]], [inputs["an array"], inputs["an array"]]):
        assert "pass runs by name" in answer(lambda runs=runs: mm.evaluate(inputs["labels"], runs, classes=CLASSES))


def test_tables_are_made_of_evidence_too(inputs):
    assert mm.table(inputs["evidence"]).to_dict()["runs"] == mm.table(inputs["side.csv"], classes=CLASSES).to_dict()["runs"]
