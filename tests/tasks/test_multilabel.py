"""Multilabel: a set of labels per item."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import metameasure as mm

LABELS = list("abcd")
OF_TASK = {"task": "multilabel", "classes": LABELS}
WAYS = ("micro", "macro", "weighted", "samples")
AVERAGES = [f"{kind}_{average}" for kind in ("precision", "recall", "f1", "jaccard") for average in WAYS]
AVERAGES.remove("recall_weighted")  # recall_micro by another name
OF_LABELS = [f"{kind}@{label}" for kind in ("precision", "recall", "f1", "jaccard") for label in LABELS]
ALL = [*AVERAGES, *OF_LABELS, "hamming_loss", "subset_accuracy", "icm", "icm_norm"]


def drawn(seed=1, items=60, shares=(0.5, 0.3, 0.15, 0.05), errors=(0.1, 0.3)):
    """Gold and two runs as indicators."""
    rng = np.random.default_rng(seed)
    gold = (rng.random((items, len(shares))) < shares).astype(int)
    return gold, {
        name: np.where(rng.random(gold.shape) < error, 1 - gold, gold) for name, error in zip(("one", "two"), errors, strict=True)
    }


def sets_of(matrix):
    return [{LABELS[place] for place in np.flatnonzero(row)} for row in matrix]


def of_sklearn(gold, run, **options):
    from sklearn import metrics

    of = {"precision": metrics.precision_score, "recall": metrics.recall_score, "f1": metrics.f1_score}
    of["jaccard"] = metrics.jaccard_score
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {f"{kind}_{average}": score(gold, run, average=average, **options)
                 for kind, score in of.items() for average in WAYS}  # fmt: skip
        for kind, score in of.items():
            each = score(gold, run, average=None, **options)
            found |= {f"{kind}@{label}": float(one) for label, one in zip(LABELS, each, strict=False)}
    assert found.pop("recall_weighted") == pytest.approx(found["recall_micro"])
    return found | {"hamming_loss": metrics.hamming_loss(gold, run), "subset_accuracy": metrics.accuracy_score(gold, run)}


@pytest.mark.each_time(2)
@pytest.mark.parametrize("seed", range(12))
def test_as_scikit_learn_where_every_item_has_a_label(seed):
    """Every label occurs, and no item is empty on both sides: there nothing has to be decided."""
    gold, runs = drawn(seed, items=80, shares=(0.6, 0.5, 0.3, 0.2))
    gold[~gold.any(axis=1), 0] = 1
    scores = mm.evaluate(gold, runs, measures=ALL[:-2], **OF_TASK)
    for name, run in runs.items():
        assert scores[name] == pytest.approx(of_sklearn(gold, run, zero_division=0), abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_as_scikit_learn_but_for_what_nobody_has(seed):
    """Items without labels and labels without items: the differences are those of the page, and nothing else."""
    rng = np.random.default_rng(seed)
    gold = (rng.random((30, 4)) < (0.5, 0.3, 0.1, 0.02)).astype(int)
    gold[rng.random(30) < 0.3] = 0
    run = np.where(rng.random(gold.shape) < 0.15, 1 - gold, gold)
    run[rng.random(30) < 0.2] = 0
    gold[:, rng.integers(1, 4)] = 0
    run[:, rng.integers(1, 4)] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.MetameasureWarning)  # of labels that nobody has
        scores = mm.evaluate(gold, {"run": run}, measures=ALL[:-2], **OF_TASK)["run"]
    theirs = of_sklearn(gold, run, zero_division=0)
    in_gold, in_run = gold.any(axis=0), run.any(axis=0)
    nowhere = ~(gold.any(axis=1) | run.any(axis=1))
    for name, found in theirs.items():
        kind, _, average = name.replace("@", "_").partition("_")
        some, expected = in_gold if kind == "recall" else in_gold | in_run, found
        if average == "samples":  # nothing on both sides is right
            expected = found + nowhere.mean()
        elif average == "macro":  # labels that have no value are out of the mean
            expected = found * len(LABELS) / some.sum()
        elif average in LABELS and not some[LABELS.index(average)]:
            expected = np.nan
        assert scores[name] == pytest.approx(expected, abs=1e-9, nan_ok=True), name


def test_items_without_labels_are_right_where_they_get_none():
    """Gold and run are empty on the first item; gold alone on the second; the run alone on the third."""
    gold, run = [[0, 0], [0, 0], [1, 1], [1, 0]], [[0, 0], [1, 0], [0, 0], [1, 1]]
    names = ["precision_samples", "recall_samples", "f1_samples", "jaccard_samples", "subset_accuracy", "hamming_loss"]
    scores = mm.evaluate(gold, {"run": run}, task="multilabel", classes="a,b", measures=names)["run"]
    assert scores == pytest.approx(
        {"precision_samples": (1 + 0 + 0 + 0.5) / 4, "recall_samples": (1 + 0 + 0 + 1) / 4, "f1_samples": (1 + 2 / 3) / 4,
         "jaccard_samples": 1.5 / 4, "subset_accuracy": 1 / 4, "hamming_loss": 4 / 8}
    )  # fmt: skip
    theirs = of_sklearn(np.array(gold), np.array(run), zero_division=0)
    assert scores["f1_samples"] - theirs["f1_samples"] == pytest.approx(1 / 4)  # zero_division=0 has 0 for the first item


def test_labels_that_nobody_has_are_left_out_of_means_over_labels():
    """c is given though gold lacks it, and d is on neither side."""
    gold, run = [[1, 0, 0, 0], [1, 1, 0, 0]], [[1, 0, 1, 0], [1, 0, 0, 0]]
    names = ["precision_macro", "recall_macro", "f1_macro", "jaccard_macro"]
    scores = mm.evaluate(gold, {"run": run}, measures=names, **OF_TASK)["run"]
    assert scores == pytest.approx({"precision_macro": 1 / 3, "recall_macro": 1 / 2, "f1_macro": 1 / 3, "jaccard_macro": 1 / 3})
    theirs = of_sklearn(np.array(gold), np.array(run), zero_division=0)
    assert theirs["f1_macro"] == pytest.approx(scores["f1_macro"] * 3 / 4)


def test_without_any_label_there_is_no_value_or_nothing_is_wrong():
    empty = np.zeros((3, 2))
    of_two = [name for name in OF_LABELS if name[-1] in "ab"]
    named = [*AVERAGES, *of_two, *ALL[-4:]]
    with pytest.warns(mm.MetameasureWarning):
        scores = mm.evaluate(empty, {"run": empty}, task="multilabel", classes="a,b", measures=named)["run"]
    undefined = {name for name, score in scores.items() if np.isnan(score)}
    assert undefined == {name for name in [*AVERAGES, *of_two] if not name.endswith("samples")} | {"icm_norm"}
    assert scores["f1_samples"] == scores["subset_accuracy"] == 1
    assert scores["hamming_loss"] == scores["icm"] == 0


def test_icm_of_sets_is_that_of_classes_where_items_have_one_label():
    """PyEvALL's ICM of flat classes: definitions of the table, which d is no class of."""
    gold, output = list("aabbca"), list("abbccd")
    scores = mm.evaluate(gold, {"run": output}, measures=["icm", "icm_norm"], **OF_TASK)["run"]
    assert scores["icm"] == pytest.approx(-0.861654, abs=6e-7)
    assert scores["icm"] == pytest.approx(mm.score(gold, output, "icm", classes=LABELS), abs=1e-12)
    assert scores["icm_norm"] == pytest.approx(mm.score(gold, output, "icm_norm", classes=LABELS), abs=1e-12)


def test_icm_of_sets_item_by_item():
    """2 I(P) + 2 I(G) - 3 I(P ∪ G), the information of a set being the sum over its labels."""
    gold, runs = drawn(3)
    share = gold.mean(axis=0)
    worth = np.where(share > 0, -np.log2(np.where(share > 0, share, 1)), np.log2(len(gold)))

    def information(sets):
        return (sets * worth).sum(axis=1)

    expected = np.mean(2 * information(runs["one"]) + 2 * information(gold) - 3 * information(gold | runs["one"]))
    assert mm.evaluate(gold, runs, measures="icm", **OF_TASK)["one"]["icm"] == pytest.approx(expected, abs=1e-12)


def written(folder, kind, gold, runs, **more):
    """Files in one of the shapes: the paths of gold and of the runs."""
    paths = []
    for name, matrix in {"gold": gold, **runs}.items():
        path = folder / f"{name}.{kind.partition(' ')[0]}"
        sets, ids = sets_of(matrix), [f"i{place}" for place in range(len(matrix))]
        others = more if name == "gold" else {}
        if kind == "tsv":
            frame = pd.DataFrame({"item": ids, **others, "label": ["|".join(sorted(one)) for one in sets]})
            frame.to_csv(path, sep="\t", index=False)
        elif kind == "csv wide":
            pd.concat([pd.DataFrame({"item": ids, **others}), pd.DataFrame(matrix, columns=LABELS)], axis=1).to_csv(
                path, index=False
            )
        else:
            frame = pd.DataFrame({"item": ids, **others, "label": [sorted(one) for one in sets]})
            if kind == "jsonl":
                frame.to_json(path, orient="records", lines=True)
            else:
                frame.to_parquet(path)
        paths.append(path)
    return paths[0], paths[1:]


@pytest.mark.parametrize("kind", ["tsv", "jsonl", "csv wide", "parquet"])
def test_sets_come_in_every_shape(tmp_path, kind):
    gold, runs = drawn()
    expected = mm.evaluate(gold, runs, measures=ALL, **OF_TASK)
    files = mm.evaluate(*written(tmp_path, kind, gold, runs), measures=ALL, **OF_TASK)
    for run in runs:
        assert files[run] == pytest.approx(expected[run], abs=1e-12)


def test_sets_come_in_python_as_they_are():
    gold, runs = drawn()
    expected = mm.evaluate(gold, runs, **OF_TASK)
    named = {"item": [f"i{place}" for place in range(len(gold))]}
    frames = [pd.DataFrame({**named, "label": sets_of(one)}) for one in (gold, *runs.values())]
    wide = [pd.DataFrame({**named, **dict(zip(LABELS, one.T, strict=True))}) for one in (gold, *runs.values())]
    stacked = pd.concat([frame.assign(run=name) for name, frame in zip(runs, frames[1:], strict=True)])
    for given in (
        (sets_of(gold), {name: sets_of(one) for name, one in runs.items()}),
        ([sorted(one) for one in sets_of(gold)], {name: ["|".join(some) for some in sets_of(one)] for name, one in runs.items()}),
        (gold.astype(bool), {name: one.tolist() for name, one in runs.items()}),
        (frames[0], dict(zip(runs, frames[1:], strict=True))),
        (wide[0], dict(zip(runs, wide[1:], strict=True))),
        (frames[0], stacked),
    ):
        found = mm.evaluate(*given, **OF_TASK)
        for run in runs:
            assert found[run] == pytest.approx(expected[run], abs=1e-12)


def test_a_database_and_python_write_lists_in_their_own_ways():
    from metameasure.evidence.set_reader import labels_in

    assert labels_in('["a", "b"]') == labels_in("['a', 'b']") == labels_in("[a, b]") == labels_in(" a | b|") == ["a", "b"]
    assert labels_in("[a, 'c, d']") == labels_in('["a", "c, d"]') == ["a", "c, d"]
    assert labels_in("{'a'}") == ["a"]
    assert labels_in("[1, 2]") == ["1", "2"]
    assert labels_in("") == labels_in("[]") == labels_in("set()") == []


GOLD = "item\tlabel\n1\ta|b\n2\t\n3\tc\n"


@pytest.mark.parametrize(
    ("run_text", "said"),
    [
        ("item\tlabel\n1\ta|x\n2\t\n3\tc\n", "run.tsv:2: label 'a|x' is not one of the classes; the classes are a,b,c,d"),
        ("item\tlabel\n1\ta\n2\tb\n", "run.tsv: item '3' is missing; add it, or choose --missing drop"),
        ("item\tlabel\n1\ta\n1\tb\n2\t\n3\tc\n", "run.tsv:3: item '1' again (first in line 2)"),
        ("item\tlabel\n1\ta\n2\t\n3\tc\n4\ta\n", "run.tsv:5: item '4' is not in gold"),
        ("item\tlabel\n\ta\n2\t\n3\tc\n", "run.tsv:2: the row has no item"),
        ("item\ta\tb\tc\td\n1\t1\t2\t0\t0\n2\t0\t0\t0\t0\n3\t0\t0\t1\t0\n", "run.tsv:2: label 'b' is '2', neither 0 nor 1"),
        ("item\ta\tb\tc\td\n1\t1\t0\t0\t0\n2\t0\t\t0\t0\n3\t0\t0\t1\t0\n", "run.tsv:3: label 'b' is '', neither 0 nor 1"),
        (
            "item\ta\tb\tc\te\n1\t1\t0\t0\t0\n2\t0\t0\t0\t0\n3\t0\t0\t1\t0\n",
            "run.tsv:1: there is no column for label 'd'; its columns",
        ),
        (
            "item\tlabels\n1\ta\n2\t\n3\tc\n",
            "its columns are item, labels: choose with --label-column labels",
        ),
        ("item\tx\n1\ta\n", "run.tsv:1: there is no column 'label', and none for a label"),
        ("item\tlabel\n", "run.tsv: there are no items; it needs one row per item of gold"),
        ("", "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, run, run_text, said):
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "run.tsv").write_text(run_text)
    status, out, errors = run(
        "evaluate", str(tmp_path / "gold.tsv"), str(tmp_path / "run.tsv"), "--task", "multilabel", "--classes", "a,b,c,d"
    )
    assert (status, out) == (1, "")
    assert said in errors.replace(f"{tmp_path}/", "")


@pytest.mark.parametrize(
    ("given", "how", "said"),
    [
        (([{"a"}], {"run": [{"x"}]}), {}, "label 'x' is not one of the classes"),
        (([{"a"}], {"run": [{"a"}, {"b"}]}), {}, "1 items of gold but 2 of run 'run'"),
        (([[1, 0]], {"run": [[1, 0]]}), {}, "gold has 2 columns for 4 labels"),
        ((np.array([[1, 0, 0, 2]]), {"run": np.eye(4)[:1]}), {}, "cells that are neither 0 nor 1"),
        (([{"a"}, None], {"run": [{"a"}, {"b"}]}), {}, "a set of labels is missing"),
        (([{"a"}], {"run": [{"a"}]}), {"classes": None}, "never guessed"),
        (([{"a"}], {"run": [{"a"}]}), {"missing": "worst"}, "missing cannot be 'worst'; choose drop or empty"),
        (([{"a"}], {"run": [{"a"}]}), {"kind": "ordinal"}, "labels of a set have no order"),
        (([{"a"}], {"run": [{"a"}]}), {"measures": "mae"}, "mae is not a measure of multilabel"),
    ],
)
def test_what_is_wrong_in_python(given, how, said):
    with pytest.raises(mm.MetameasureError, match=said):
        mm.evaluate(*given, **{**OF_TASK, **how})


def test_items_that_a_run_lacks_are_left_out_or_without_labels(tmp_path):
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "run.tsv").write_text("item\tlabel\n1\ta|b\n2\t\n")
    given = (tmp_path / "gold.tsv", [tmp_path / "run.tsv"])
    dropped = mm.evaluate(*given, missing="drop", measures="f1_micro,subset_accuracy", **OF_TASK)
    assert dropped["run"] == {"f1_micro": 1.0, "subset_accuracy": 1.0}
    assert dropped.to_dict()["runs"][0]["scored"]["f1_micro"] == 2
    empty = mm.evaluate(*given, missing="empty", measures="f1_micro,subset_accuracy", **OF_TASK)
    assert empty["run"] == pytest.approx({"f1_micro": 0.8, "subset_accuracy": 2 / 3})
    assert "missing:empty" in str(empty.signature)


def test_intervals_are_of_leaving_out_each_item():
    """The jackknife by a loop over items; means over items by t."""
    from scipy.stats import t
    from sklearn.metrics import f1_score

    gold, runs = drawn(5, items=40)
    scores = mm.evaluate(gold, runs, measures="f1_macro,jaccard_samples", ci=True, **OF_TASK)
    place, number = scores.runs.index("one"), len(gold)

    def value(kept):
        return f1_score(gold[kept], runs["one"][kept], average="macro", zero_division=np.nan)

    whole = value(np.ones(number, dtype=bool))
    without = np.array([value(np.arange(number) != one) for one in range(number)])
    error = np.sqrt((number - 1) / number * ((without - without.mean()) ** 2).sum())
    reach = t.ppf(0.975, number - 1) * error / (whole * (1 - whole))
    low, high = (1 / (1 + np.exp(-(np.log(whole / (1 - whole)) + side * reach))) for side in (-1, 1))
    assert [float(end[0, place]) for end in scores.intervals.shown] == pytest.approx([low, high], abs=1e-9)
    assert scores.intervals.shown_methods()[0] == "interval/items/left-out"


def test_runs_are_compared_over_items_clusters_and_topics(tmp_path):
    gold, runs = drawn(7, items=90)
    topics, clusters = [f"t{place % 9}" for place in range(90)], [f"c{place // 3}" for place in range(90)]
    files = written(tmp_path, "tsv", gold, runs, topic=topics, cluster=clusters)
    plain = mm.compare(gold, runs, "f1_macro", **OF_TASK)
    assert (plain.units, plain.runs[0]) == ("items", "one")
    whole = mm.compare(*files, "f1_macro", columns={"cluster": "cluster"}, average="pooled", **OF_TASK)
    assert whole.units == "clusters"
    assert whole.means == pytest.approx(plain.means)
    assert mm.compare(*files, "f1_macro", **OF_TASK).units == "topics"
    again = mm.evaluate(*files, measures="f1_samples", columns={"cluster": "cluster"}, ci=True, average="pooled", **OF_TASK)
    assert again.intervals.units == "clusters"


def test_gates_ranks_and_pages(tmp_path, run):
    gold, runs = drawn(9)
    files = written(tmp_path, "tsv", gold, runs)
    asked = ("--task", "multilabel", "--classes", "a,b,c,d", "--baseline", "one", "--candidate", "two", "--margin", "0.01")
    status, out, _ = run("gate", str(files[0]), *map(str, files[1]), *asked, "--measures", "f1_micro")
    assert (status, "FAIL: two is worse than one by f1_micro" in out) == (3, True)
    assert mm.ranks(gold, runs, "f1_micro", **OF_TASK).to_dict()["may_be_first"] == ["one"]
    mm.report(gold, runs, tmp_path / "page.html", **OF_TASK)
    assert "f1_samples" in (tmp_path / "page.html").read_text()


def test_parts_add_up_to_the_whole(tmp_path):
    gold, runs = drawn(11)
    frames = {
        name: pd.DataFrame({"item": [f"i{place:02}" for place in range(60)], "label": sets_of(one)})
        for name, one in {"gold": gold, **runs}.items()
    }
    whole = mm.count(frames["gold"], {name: frames[name] for name in runs}, **OF_TASK)
    by_run = [mm.count(frames["gold"], {name: frames[name]}, **OF_TASK) for name in ("two", "one")]
    halves = [
        mm.count(frames["gold"][part], {name: frames[name][part] for name in runs}, **OF_TASK)
        for part in (slice(0, 25), slice(25, 60))
    ]
    for parts in (by_run, halves):
        paths = [tmp_path / f"{place}.npz" for place in range(2)]
        for path, part in zip(paths, parts, strict=True):
            part.save(path)
        merged = mm.merge(paths)
        assert merged.checksum() == whole.checksum()
        assert mm.evaluate(merged, measures=ALL)["one"] == pytest.approx(mm.evaluate(whole, measures=ALL)["one"], abs=1e-15)
        with pytest.raises(mm.UsageError, match=r"is in both on the same items|overlap"):
            mm.merge([paths[0], paths[0]])


def test_the_table_has_each_label(tmp_path, run):
    from sklearn.metrics import multilabel_confusion_matrix, precision_recall_fscore_support

    gold, runs = drawn(13)
    found = mm.table(gold, runs, **OF_TASK).to_dict()["runs"][0]
    np.testing.assert_array_equal(found["counts"], multilabel_confusion_matrix(gold, runs["one"]))
    expected = precision_recall_fscore_support(gold, runs["one"], zero_division=np.nan)
    for place, label in enumerate(LABELS):
        row = found["by_class"][place]
        assert row["class"] == label
        own = [row[name] for name in ("precision", "recall", "f1", "support")]
        assert own == pytest.approx([column[place] for column in expected])
    files = written(tmp_path, "tsv", gold, runs)
    status, out, _ = run("table", str(files[0]), str(files[1][0]), "--task", "multilabel", "--classes", "a,b,c,d")
    assert (status, "support: how many items have the label in gold" in out) == (0, True)


def test_baselines_give_all_items_the_same_labels():
    gold, runs = drawn(15)
    scores = mm.evaluate(gold, runs, baselines=True, measures="f1_micro,hamming_loss", **OF_TASK)
    assert scores["baseline: no label"] == pytest.approx({"f1_micro": 0, "hamming_loss": gold.mean()})
    assert scores["baseline: all labels"]["hamming_loss"] == pytest.approx(1 - gold.mean())


def test_what_advise_looks_at():
    gold, runs = drawn(17)
    seen = mm.advise(gold, runs, **OF_TASK).to_dict()["looked_at"]
    assert seen["items_without_labels"] == int((~gold.any(axis=1)).sum())
    assert seen["labels_per_item"] == pytest.approx(gold.sum(axis=1).mean())


def test_columns_of_labels_are_converted(tmp_path, run):
    gold, runs = drawn(19)
    files = written(tmp_path, "csv wide", gold, runs)
    status, _, _ = run("convert", str(files[0]), str(tmp_path / "plain.jsonl"), "--task", "multilabel")
    assert status == 0
    first = json.loads((tmp_path / "plain.jsonl").read_text().splitlines()[0])
    assert json.loads(first["label"]) == sorted(sets_of(gold)[0])


def test_slices(tmp_path):
    gold, runs = drawn(21)
    files = written(tmp_path, "tsv", gold, runs, subject=["x" if place % 2 else "y" for place in range(60)])
    scores = mm.evaluate(*files, measures="f1_micro", by="subject", **OF_TASK)
    own = mm.evaluate(gold[1::2], {name: one[1::2] for name, one in runs.items()}, measures="f1_micro", **OF_TASK)
    shown = scores.to_dict()["by"]
    assert str(own["one"]["f1_micro"])[:8] in json.dumps(shown)


@pytest.mark.parametrize(("items", "said"), [(9, True), (10, False)])
def test_a_rare_label_is_a_limit_of_means_over_labels(items, said):
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 2, (60, 4))
    gold[:, 0] = np.arange(60) < items
    runs = {"one": gold ^ (rng.random((60, 4)) < 0.2), "two": gold ^ (rng.random((60, 4)) < 0.3)}
    scores = mm.evaluate(gold, runs, measures="f1_micro,f1_macro", ci=True, **OF_TASK)
    limit = "with a label of fewer than 10 items, 95% intervals cover 88% to 96%"
    assert (f"f1_macro: {limit}" in scores.notes) == said
    assert (limit in mm.compare(gold, runs, "f1_macro", **OF_TASK).notes) == said
    assert limit not in mm.compare(gold, runs, "f1_micro", **OF_TASK).notes
