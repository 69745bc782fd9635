"""Several matrices, items down and runs across: labels in one, confidences, scores or ranks in others."""

import json

import pytest

import metameasure as mm

TASK = ("--task", "entailment", "--positive", "Y", "--neutral", "U", "--negative", "N", "--no-baselines", "--format", "json")
MEASURES = ("--measures", "a3,confidence_weighted_score,mutual_information@rank,average_precision")
ITEMS = ("1", "2", "3", "4", "5", "6")
GOLD = dict(zip(ITEMS, "YYUUNN", strict=True))
LABELS = {"first": "YUUNNY", "second": "YYYUNU"}
CONFIDENCES = {"first": (0.9, 0.4, 0.8, 0.3, 0.7, 0.2), "second": (0.5, 0.6, 0.1, 0.9, 0.3, 0.2)}
SCORES = {"first": (0.95, 0.5, 0.45, 0.1, 0.05, 0.6), "second": (0.8, 0.9, 0.7, 0.4, 0.1, 0.3)}


def matrix(columns, items=ITEMS, **more):
    """A TSV file of items and columns of runs."""
    columns = {"item": items, **more, **columns}
    return "\n".join("\t".join(map(str, row)) for row in [columns, *zip(*columns.values(), strict=True)]) + "\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "both.tsv").write_text(matrix(LABELS, gold=GOLD.values()))
    (tmp_path / "gold.tsv").write_text(matrix({}, label=GOLD.values()))
    (tmp_path / "labels.tsv").write_text(matrix(LABELS))
    (tmp_path / "sure.tsv").write_text(matrix(CONFIDENCES))
    (tmp_path / "belief.tsv").write_text(matrix(SCORES))
    for run, labels in LABELS.items():
        said = {"label": labels, "confidence": CONFIDENCES[run], "score": SCORES[run]}
        (tmp_path / f"{run}.tsv").write_text(matrix(said))
    return tmp_path


def runs_of(answer):
    status, out, err = answer
    assert status == 0, err
    return {entry["run"]: entry for entry in json.loads(out)["runs"]}


def beside(folder):
    return ("--confidence-matrix", folder / "sure.tsv", "--score-matrix", folder / "belief.tsv")


def test_matrices_say_what_columns_of_long_files_say(run, folder):
    long = runs_of(run("evaluate", folder / "gold.tsv", folder / "first.tsv", folder / "second.tsv", *TASK, *MEASURES))
    assert all(value is not None for entry in long.values() for value in entry["scores"].values())
    wide = runs_of(run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES))
    assert wide == long
    apart = runs_of(
        run("evaluate", folder / "gold.tsv", "--label-matrix", folder / "labels.tsv", *beside(folder), *TASK, *MEASURES)
    )
    assert apart == long


def test_rows_and_columns_in_any_order(run, folder):
    expected = runs_of(run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES))
    turned = {run: values[::-1] for run, values in reversed(CONFIDENCES.items())}
    (folder / "sure.tsv").write_text(matrix(turned, items=ITEMS[::-1]))
    assert runs_of(run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES)) == expected


def test_a_run_may_be_absent_from_a_matrix(run, folder):
    (folder / "belief.tsv").write_text(matrix({"second": SCORES["second"]}))
    found = runs_of(run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES))
    assert found["first"]["scores"]["average_precision"] is None
    assert found["first"]["scores"]["confidence_weighted_score"] is not None
    assert found["second"]["scores"]["average_precision"] == 1


def test_beside_long_files(run, folder):
    """A run's file says what it says, a matrix what the others say."""
    expected = runs_of(run("evaluate", folder / "gold.tsv", folder / "first.tsv", folder / "second.tsv", *TASK, *MEASURES))
    (folder / "second.tsv").write_text(matrix({"label": LABELS["second"], "confidence": CONFIDENCES["second"]}))
    (folder / "belief.tsv").write_text(matrix({"second": SCORES["second"]}))
    files = (
        "evaluate",
        folder / "gold.tsv",
        folder / "first.tsv",
        folder / "second.tsv",
        "--score-matrix",
        folder / "belief.tsv",
    )
    assert runs_of(run(*files, *TASK, *MEASURES)) == expected
    (folder / "belief.tsv").write_text(matrix(SCORES))
    status, _, err = run(*files, *TASK, *MEASURES)
    assert (status, "run 'first' has a score already" in err) == (2, True)


def test_topics_tell_items_apart(run, tmp_path):
    """The same ids in two topics."""
    items, topics = ("1", "2", "1", "2"), "aabb"
    more = {"topic": topics}
    (tmp_path / "both.tsv").write_text(matrix({"r": "YNNY"}, items=items, gold="YNYN", **more))
    (tmp_path / "belief.tsv").write_text(matrix({"r": (0.9, 0.1, 0.3, 0.6)}, items=items, **more))
    flags = (
        "evaluate",
        tmp_path / "both.tsv",
        "--score-matrix",
        tmp_path / "belief.tsv",
        *TASK,
        "--measures",
        "average_precision",
    )
    assert runs_of(run(*flags))["r"]["scores"]["average_precision"] == pytest.approx((1 + 1 / 2) / 2)
    (tmp_path / "belief.tsv").write_text(matrix({"r": (0.9, 0.1, 0.3, 0.6)}, items=items))
    status, _, err = run(*flags)
    assert (status, "there is no column 'topic'" in err) == (1, True)


def test_frames(folder):
    pandas = pytest.importorskip("pandas")
    frames = {name: pandas.read_csv(folder / f"{name}.tsv", sep="\t") for name in ("both", "gold", "labels", "sure", "belief")}
    roles = {"positive": "Y", "neutral": "U", "negative": "N", "task": "entailment", "baselines": False}
    options = {"measures": "a3,average_precision,confidence_weighted_score", **roles}
    orders = {"confidence": frames["sure"], "score": frames["belief"]}
    together = mm.evaluate(frames["both"], matrices=orders, **options)
    apart = mm.evaluate(frames["gold"], matrices={"label": frames["labels"], **orders}, **options)
    paths = mm.evaluate(
        folder / "both.tsv", matrices={"confidence": folder / "sure.tsv", "score": folder / "belief.tsv"}, **options
    )
    assert together.averages().tolist() == apart.averages().tolist() == paths.averages().tolist()


def test_classification_takes_a_matrix_of_labels_and_gold_apart(run, folder):
    flags = ("--classes", "Y,U,N", "--measures", "kappa,accuracy", "--format", "json")
    expected = runs_of(run("evaluate", folder / "both.tsv", *flags))
    assert runs_of(run("evaluate", folder / "gold.tsv", "--label-matrix", folder / "labels.tsv", *flags)) == expected
    chosen = ("--run-columns", "second")
    assert [*runs_of(run("evaluate", folder / "gold.tsv", "--label-matrix", folder / "labels.tsv", *flags, *chosen))] == [
        "second"
    ]


WRONG = {
    "a run nobody knows": (matrix({**SCORES, "secund": SCORES["second"]}),
        "belief.tsv:1: there is no run 'secund'; did you mean 'second'?"),
    "no run": (matrix({}), "belief.tsv:1: there is no column with the scores of a run; the runs are first, second"),
    "no items": (matrix(SCORES).replace("item", "pair"), "belief.tsv:1: there is no column 'item'"),
    "an item twice": (matrix(SCORES) + "6\t.1\t.2\n", "belief.tsv:8: item '6' again (first in line 7)"),
    "an item that gold lacks": (matrix(SCORES) + "7\t.1\t.2\n", "belief.tsv:8: item '7' is not in gold"),
    "an item missing": (matrix(SCORES).replace("6\t0.6\t0.3\n", ""), "belief.tsv: item '6' is missing; add a row for it"),
    "an empty cell": (matrix(SCORES).replace("6\t0.6\t0.3", "6\t\t0.3"), "belief.tsv:7: first is empty"),
    "a word": (matrix(SCORES).replace("6\t0.6\t0.3", "6\t0.6\tlow"), "belief.tsv:7: second 'low' is not a finite number"),
    "no id": (matrix(SCORES) + "\t.1\t.2\n", "belief.tsv:8: the row has no item"),
}  # fmt: skip


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_is_said(run, folder, kind):
    text, expected = WRONG[kind]
    (folder / "belief.tsv").write_text(text)
    status, out, err = run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES)
    assert (status, out) == (1, "")
    assert expected in err.replace(f"{folder}/", "")


def test_extra_rows_may_be_ignored(run, folder):
    expected = runs_of(run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES))
    (folder / "belief.tsv").write_text(matrix(SCORES) + "7\t.1\t.2\n")
    found = runs_of(run("evaluate", folder / "both.tsv", *beside(folder), *TASK, *MEASURES, "--extra", "ignore"))
    assert found == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (("both.tsv", "--confidence-matrix", "sure.tsv", "--classes", "Y,U,N"),
         "--confidence-matrix is not for the task classification"),
        (("both.tsv", "--score-matrix", "belief.tsv", "--task", "ranking"), "--score-matrix is not for the task ranking"),
        (("gold.tsv", "first.tsv", "--label-matrix", "labels.tsv", "--classes", "Y,U,N"),
         "there are files of runs and a matrix of their labels"),
    ],
)  # fmt: skip
def test_calls_that_make_no_sense(run, folder, monkeypatch, flags, expected):
    monkeypatch.chdir(folder)
    status, _, err = run("evaluate", *flags)
    assert (status, expected in err) == (2, True), err


def test_sick_with_made_up_confidences(run, shared_data, tmp_path):
    """The 17 runs of SemEval-2014 Task 1: every run is surest of its first items."""
    source = shared_data / "sick2014/entailment_matrix.tsv"
    header, *rows = source.read_text().splitlines()
    runs = header.split("\t")[2:]
    lines = ["\t".join(["pair_ID", *runs])]
    lines += ["\t".join([row.split("\t")[0], *[str(place + 1)] * len(runs)]) for place, row in enumerate(rows)]
    (tmp_path / "ranks.tsv").write_text("\n".join(lines) + "\n")
    flags = (
        "--item-column",
        "pair_ID",
        "--task",
        "entailment",
        "--positive",
        "ENTAILMENT",
        "--neutral",
        "NEUTRAL",
        "--negative",
        "CONTRADICTION",
    )
    shown = ("--measures", "confidence_weighted_score", "--no-baselines", "--format", "json")
    found = runs_of(run("evaluate", source, "--rank-matrix", tmp_path / "ranks.tsv", *flags, *shown))
    assert len(found) == 17
    right = [row.split("\t")[1] == row.split("\t")[2] for row in rows]
    expected = sum(sum(right[: place + 1]) / (place + 1) for place in range(len(rows))) / len(rows)
    assert found[runs[0]]["scores"]["confidence_weighted_score"] == pytest.approx(expected)
