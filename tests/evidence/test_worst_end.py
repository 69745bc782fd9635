"""``--missing worst``: of two ends of the scale that are equally far from gold, a missing answer is at the one that is worse, by
each measure."""

import json

import numpy as np
import pytest

import metameasure as mm

MEASURES = ("cem_ord", "mae", "kappa_linear", "accuracy", "recall@2", "precision@-2", "pearson", "macro_recall", "mse_macro")
CLASSES = "-2..2"
LABELS = np.array(["-2", "-1", "0", "1", "2"])


def drawn(seed, items=30, topics=2):
    """Gold and two runs, of which each lacks some answers, many of them to the middle class."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(5, items, p=[0.2, 0.1, 0.35, 0.1, 0.25])
    topic = np.array([f"t{place % topics}" for place in range(items)])
    runs = {}
    for name, lean in (("r1", 1), ("r2", -1)):
        labels = np.clip(gold + rng.integers(-1, 2, items) + lean * (rng.random(items) < 0.3), 0, 4)
        runs[name] = np.where(rng.random(items) < 0.3, -1, labels)
    return gold, topic, runs


def written(folder, topic, name, labels):
    rows = zip(range(len(labels)), topic, labels.tolist(), strict=True)
    path = folder / f"{name}.tsv"
    path.write_text("item\ttopic\tlabel\n" + "".join(f"{i}\t{t}\t{LABELS[one]}\n" for i, t, one in rows if one >= 0))
    return path


def at_end(gold, labels, end):
    """Missing answers at the end that is farther, those to the middle class at one end."""
    return np.where(labels >= 0, labels, np.select([gold < 2, gold > 2], [4, 0], end))


def files(folder, seed, **how):
    gold, topic, runs = drawn(seed, **how)
    return [written(folder, topic, name, labels) for name, labels in {"gold": gold, **runs}.items()]


def value(measure, gold, labels):
    counts = np.zeros((5, 5))
    np.add.at(counts, (gold, labels), 1)
    return float(mm.measures[measure](counts, classes=CLASSES))


def worse(measure, gold, labels):
    ends = [value(measure, gold, at_end(gold, labels, end)) for end in (0, 4)]
    return (np.fmax if mm.measures[measure].better == "lower" else np.fmin)(*ends)


@pytest.mark.parametrize("seed", range(6))
def test_each_measure_takes_the_worse_end(tmp_path, seed):
    gold, topic, runs = drawn(seed)
    scores = mm.evaluate(*_both(files(tmp_path, seed)), classes=CLASSES, measures=MEASURES, missing="worst")
    for row, measure in enumerate(MEASURES):
        for column, labels in enumerate(runs.values()):
            found = [worse(measure, gold[topic == one], labels[topic == one]) for one in ("t0", "t1")]
            assert scores.values[row, :, column] == pytest.approx(found, nan_ok=True), measure
            assert scores.pooled[row, column] == pytest.approx(worse(measure, gold, labels), nan_ok=True), measure


def _both(paths):
    return paths[0], paths[1:]


def test_the_shortest_case(run, tmp_path):
    """One answer is missing, and gold is in the middle; most items are at the lower end."""
    (tmp_path / "gold.tsv").write_text("item\tlabel\n" + "".join(f"{i}\t{one}\n" for i, one in enumerate([1, 1, 1, 2, 3])))
    (tmp_path / "run.tsv").write_text("item\tlabel\n" + "".join(f"{i}\t{one}\n" for i, one in [(0, 1), (1, 1), (2, 1), (4, 3)]))
    for end in (1, 3):
        (tmp_path / f"end{end}.tsv").write_text((tmp_path / "run.tsv").read_text() + f"3\t{end}\n")
    names = ("run", "end1", "end3")
    how = ("--classes", "1..3", "--measures", "cem_ord", "--missing", "worst", "--format", "json")
    status, out, _ = run("evaluate", tmp_path / "gold.tsv", *(tmp_path / f"{name}.tsv" for name in names), *how)
    assert status == 0
    answer = json.loads(out)
    scores = {one["run"]: one["scores"]["cem_ord"] for one in answer["runs"]}
    assert scores["run"] == min(scores["end1"], scores["end3"])
    assert scores["end1"] != scores["end3"]
    assert answer["notes"] == [
        "run: 1 missing item counted as worst",
        "run: both ends are as far from 1 missing item, and each measure takes the worse",
    ]


def test_parts_counted_apart_are_the_whole(tmp_path):
    gold, topic, runs = drawn(1)
    (tmp_path / "parts").mkdir()
    how = {"classes": CLASSES, "missing": "worst"}
    whole = mm.count(*_both(files(tmp_path, 1)), **how)
    parts = []
    for part in (0, 1):
        kept = np.arange(len(gold)) % 3 == part if part else np.arange(len(gold)) % 3 != 1
        paths = []
        for name, labels in {"gold": gold, **runs}.items():
            rows = [f"{i}\t{topic[i]}\t{LABELS[labels[i]]}\n" for i in np.flatnonzero(kept) if labels[i] >= 0]
            paths.append(tmp_path / "parts" / f"{name}.tsv")
            paths[-1].write_text("item\ttopic\tlabel\n" + "".join(rows))
        mm.count(*_both(paths), **how).save(tmp_path / f"part{part}")
        parts.append(tmp_path / f"part{part}")
    merged = mm.merge(parts)
    merged.save(tmp_path / "merged")
    found, expected = (mm.evaluate(one, measures=MEASURES) for one in (tmp_path / "merged", whole))
    assert np.array_equal(found.values, expected.values, equal_nan=True)
    assert found.signature == expected.signature


@pytest.mark.each_time(1)
@pytest.mark.parametrize("how", [{}, {"interval": "bayes"}, {"average": "pooled"}])
def test_intervals_are_those_at_the_worse_end(tmp_path, how):
    """As of runs that give those answers themselves."""
    topics = 2 if "average" in how else 1
    gold, topic, runs = drawn(2, topics=topics)
    paths = files(tmp_path, 2, topics=topics)
    shared = {"classes": CLASSES, "ci": True, "trials": 50, **how}
    for measure in MEASURES[:4]:
        found = mm.evaluate(*_both(paths), measures=measure, missing="worst", **shared).to_dict()
        (tmp_path / "filled").mkdir(exist_ok=True)
        filled = []
        for name, labels in runs.items():
            ends = [at_end(gold, labels, end) for end in (4, 0)]
            sign = -1 if mm.measures[measure].better == "lower" else 1
            chosen = min(ends, key=lambda one: sign * value(measure, gold, one))
            filled.append(written(tmp_path / "filled", topic, name, chosen))
        expected = mm.evaluate(paths[0], filled, measures=measure, **shared).to_dict()
        shown = ("run", "pooled", "intervals") if "average" in how else found["runs"][0]  # each topic takes its own worse end
        assert [{key: one[key] for key in shown} for one in found["runs"]] == [
            {key: one[key] for key in shown} for one in expected["runs"]
        ]


def test_comparisons_item_by_item(tmp_path):
    gold, _, runs = drawn(3, topics=1)
    paths = files(tmp_path, 3, topics=1)
    for measure in MEASURES[:4]:
        found = mm.compare(*_both(paths), measure, classes=CLASSES, missing="worst", trials=200)
        means = dict(zip(found.to_dict()["runs"], found.to_dict()["means"], strict=True))
        assert means == {name: pytest.approx(worse(measure, gold, labels)) for name, labels in runs.items()}


def test_entailment_and_distributions(tmp_path):
    """Orders and shares of classes are read at both ends too."""
    gold, given = "EENNNCCN", "ENNN-C-C"
    (tmp_path / "gold.tsv").write_text("item\ttopic\tlabel\n" + "".join(f"{i}\ta\t{one}\n" for i, one in enumerate(gold)))
    outputs = {
        "run": given.replace("-", ""),
        "low": given.replace("-", "C", 1).replace("-", "E"),
        "high": given.replace("-", "E"),
    }
    for name, labels in outputs.items():
        answered = [i for i, one in enumerate(given) if one != "-"] if name == "run" else range(len(gold))
        lacking = [one == "-" for one in given]
        order = {int(i): place + 1 for place, i in enumerate(np.argsort(lacking, kind="stable"))}
        rows = [f"{i}\ta\t{label}\t{order[i]}\n" for i, label in zip(answered, labels, strict=True)]
        (tmp_path / f"{name}.tsv").write_text("item\ttopic\tlabel\trank\n" + "".join(rows))
    paths = [tmp_path / f"{name}.tsv" for name in outputs]
    roles = {"positive": "E", "neutral": "N", "negative": "C"}
    for task, measures, more in (
        ("entailment", "a3,a2,mutual_information,kappa_linear,confidence_weighted_score", roles),
        ("quantification", "nmd,rnod,absolute_error", {"classes": ["E", "N", "C"]}),
    ):
        scores = mm.evaluate(tmp_path / "gold.tsv", paths, task=task, measures=measures, missing="worst", **more)
        for row, measure in enumerate(scores.measures):
            ends = [scores.averages()[row, scores.position(end)] for end in ("low", "high")]
            expected = max(ends) if measure.better == "lower" else min(ends)
            if measure.better is not None:
                assert scores.averages()[row, scores.position("run")] == pytest.approx(expected), measure.id


def test_gold_and_runs_side_by_side_are_compared_as_apart(tmp_path):
    """An empty cell is an item that the run lacks."""
    gold, topic, runs = drawn(5, items=60, topics=1)
    said = [[LABELS[one] if one >= 0 else "" for one in labels] for labels in (gold, *runs.values())]
    rows = ["\t".join(map(str, row)) for row in zip(range(len(gold)), topic, *said, strict=True)]
    (tmp_path / "wide.tsv").write_text("\n".join(["item\ttopic\tgold\t" + "\t".join(runs), *rows]) + "\n")
    shared = {"classes": CLASSES, "missing": "worst", "trials": 200, "units": "items"}
    wide = mm.compare(tmp_path / "wide.tsv", None, "f1_macro", **shared).to_dict()
    apart = mm.compare(*_both(files(tmp_path, 5, items=60, topics=1)), "f1_macro", **shared).to_dict()
    assert {key: wide[key] for key in ("runs", "p", "low", "high")} == {key: apart[key] for key in ("runs", "p", "low", "high")}
