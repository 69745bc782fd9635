"""May we ship: verdicts, exit statuses, every kind of data, and what is refused."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import metameasure as mm
from metameasure.cli.main import main


def right(old_only, new_only, items):
    """Two runs that are right or wrong on each item."""
    both = items - old_only - new_only
    return [1] * both + [1] * old_only + [0] * new_only, [1] * both + [0] * old_only + [1] * new_only


def labels(path, values, topic=None, **columns):
    frame = pd.DataFrame({"item": range(len(values)), "label": values, **columns})
    if topic is not None:
        frame["topic"] = topic
    frame.to_csv(path, index=False)
    return str(path)


@pytest.fixture
def files(tmp_path):
    """Gold and two runs, of which the second is a little better."""
    rng = np.random.default_rng(3)
    gold = rng.integers(1, 4, 400)
    old = np.where(rng.random(400) < 0.7, gold, gold % 3 + 1)
    new = np.where(rng.random(400) < 0.1, gold, old)
    return [labels(tmp_path / f"{name}.csv", values) for name, values in (("gold", gold), ("v1", old), ("v2", new))]


def test_a_corrected_measure_is_named_with_its_parameter():
    """Who asked for weights by rank is not sent to the measure without them."""
    truth = ["yes", "no", "unknown", "yes"] * 3
    runs = {name: pd.DataFrame({"item": range(12), "label": truth, "rank": range(1, 13)}) for name in "ab"}
    gold = pd.DataFrame({"item": range(12), "label": truth})
    how = {"task": "entailment", "positive": "yes", "neutral": "unknown", "negative": "no"}
    with pytest.raises(mm.UsageError, match=r"too high by chance.*choose mutual_information@rank:corrected"):
        mm.gate(gold, runs["a"], runs["b"], margin=0.1, measures="mutual_information@rank", **how)


@pytest.mark.parametrize(
    ("counts", "verdict", "status", "needed"),
    [((12, 8, 100), "undecided", 4, 3067), ((30, 40, 1319), "pass", 0, None), ((60, 20, 400), "fail", 3, None)],
)
def test_the_three_verdicts(tmp_path, capsys, counts, verdict, status, needed):
    paths = []
    for name, scores in zip(("old", "new"), right(*counts), strict=True):
        paths.append(str(tmp_path / f"{name}.csv"))
        pd.DataFrame({"topic": range(len(scores)), "score": scores}).to_csv(paths[-1], index=False)
    assert main(["gate", *paths, "--margin", ".02", "--better", "higher", "--format", "json"]) == status
    answer = json.loads(capsys.readouterr().out)
    assert {"measure", "margin", "difference", "low", "high", "verdict", "items", "items_to_decide"} <= answer.keys()
    assert (answer["verdict"], answer["items"], answer["items_to_decide"]) == (verdict, counts[2], needed)
    assert (answer["old"], answer["new"]) == ("old", "new")
    again = mm.gate(*right(*counts), margin=0.02, better="higher")
    assert (again.verdict, again.exit_status) == (verdict, status)
    assert again.to_dict()["low"] == pytest.approx(answer["low"], abs=1e-12)
    assert main(["gate", *paths, "--margin", ".02", "--better", "higher"]) == status
    assert verdict.upper() in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "alpha", "needed"),
    [([0.5, 0.6], [0.9, 0.92], 0.01, 3), ([0.5, 0.6], [0.9, 0.72], 0.05, 5), ([1, 1], [0, 0], 0.05, 3)],
)
def test_what_has_not_been_decided_takes_more_than_there_is(old, new, alpha, needed):
    """Of two items t bounds are wide, and a further one already makes them much closer."""
    found = mm.gate(old, new, margin=0.05, better="higher", alpha=alpha)
    assert found.to_dict()["items_to_decide"] == needed
    assert f"About {needed} items ({needed - 2} more) would decide" in str(found)


def test_nothing_is_said_of_equal_runs_where_there_are_as_many_items_as_would_do():
    seen = mm.gate([0.6, 0.4, 0.5, 0.3] * 5, [0.3, 0.4, 0.4, 0.2] * 5, margin=0.12, better="higher")
    assert seen.verdict == "undecided"
    assert seen.to_dict()["items_to_decide_if_equal"] is None
    assert "if the runs are equally good" not in str(seen)


@pytest.mark.parametrize(("policy", "status"), [("pass", 0), ("fail", 3)])
def test_what_is_undecided_is_the_teams_policy(policy, status):
    found = mm.gate(*right(12, 8, 100), margin=0.02, better="higher", undecided=policy)
    assert (found.verdict, found.decision, found.exit_status) == ("undecided", policy, status)
    assert mm.gate(*right(60, 20, 400), margin=0.02, better="higher", undecided="pass").exit_status == 3


def test_lower_is_better_turns_the_margin_around():
    old, new = (np.array(one, dtype=float) for one in right(20, 60, 400))  # the new run has more errors
    found = mm.gate(old, new, margin=0.02, better="lower")
    assert found.verdict == "fail"
    assert found.to_dict()["difference"] == pytest.approx(0.1)
    assert "at least 0.0645" in str(found)
    assert mm.gate(new, old, margin=0.02, better="lower").verdict == "pass"


@pytest.mark.parametrize("items", [0, 1])
def test_too_few_items_never_pass(items):
    found = mm.gate([1.0] * items, [1.0] * items, margin=0.5, better="higher")
    assert found.verdict == "undecided"
    assert found.to_dict()["low"] is None
    assert f"nothing follows from {items} item" in str(found)


def test_one_cluster_never_passes(files, tmp_path):
    gold = pd.read_csv(files[0]).assign(cluster="one")
    gold.to_csv(tmp_path / "clustered.csv", index=False)
    how = {"margin": 0.2, "measures": "accuracy", "classes": "1..3", "columns": {"cluster": "cluster"}}
    found = mm.gate(str(tmp_path / "clustered.csv"), files[1], files[2], **how)
    assert (found.verdict, found.to_dict()["units"]) == ("undecided", "clusters")


def test_clusters_are_left_out_whole(files, tmp_path):
    gold, old, new = map(pd.read_csv, files)
    gold["cluster"] = gold["item"] // 8
    gold.to_csv(tmp_path / "clustered.csv", index=False)
    how = {"margin": 0.02, "measures": "accuracy", "classes": "1..3"}
    found = mm.gate(str(tmp_path / "clustered.csv"), files[1], files[2], columns={"cluster": "cluster"}, **how).to_dict()
    gaps = ((new["label"] == gold["label"]).astype(float) - (old["label"] == gold["label"])).groupby(gold["cluster"]).sum()
    mean, clusters = gaps.sum() / 400, len(gaps)
    left = (gaps.sum() - gaps) / (400 - 8)
    error = np.sqrt((clusters - 1) / clusters * ((left - mean) ** 2).sum())
    assert found["low"] == pytest.approx(mean - 1.676551 * error, abs=1e-6)  # t with 49 degrees of freedom
    assert (found["clusters"], found["items"]) == (50, 400)


def test_labels_by_accuracy_are_tangos_and_by_kappa_the_jackknifes(files):
    gold, old, new = (pd.read_csv(file)["label"].to_numpy() for file in files)
    found = mm.gate(files[0], files[1], files[2], margin=0.02, measures="accuracy,kappa", classes="1..3")
    accuracy, kappa = found.parts
    assert accuracy.pair.method == "test/gate/score"
    assert (accuracy.pair.bounds.old_only, accuracy.pair.bounds.new_only) == (
        ((old == gold) & (new != gold)).sum(), ((new == gold) & (old != gold)).sum(),
    )  # fmt: skip

    def gap(kept):
        return float(np.subtract(*(mm.score(gold[kept], one[kept], "kappa", classes="1..3") for one in (new, old))))

    every = np.ones(400, dtype=bool)
    without = []
    for place in range(400):
        every[place] = False
        without.append(gap(every))
        every[place] = True
    error = np.sqrt(399 / 400 * np.sum((np.array(without) - gap(every)) ** 2))
    assert kappa.pair.bounds.of_errors.error == pytest.approx(error, rel=1e-9)
    added = gap(every) * 400 - 399 * np.array(without)
    assert kappa.pair.bounds.shape.skewness == pytest.approx(stats.skew(added), rel=1e-9)
    assert kappa.pair.bounds.shape.tails == pytest.approx(stats.kurtosis(added, fisher=False), rel=1e-9)
    assert kappa.pair.bounds.difference == pytest.approx(gap(every))


def test_every_door_gives_the_same(files, tmp_path, capsys):
    line = ["--margin", ".03", "--measures", "accuracy", "--classes", "1..3", "--format", "json"]
    named = ["--baseline", "v1", "--candidate", "v2"]
    gold, old, new = map(pd.read_csv, files)
    wide = gold.rename(columns={"label": "gold"}).assign(v1=old["label"], v2=new["label"], v3=old["label"])
    wide.to_csv(tmp_path / "wide.csv", index=False)
    answers = []
    for call in (
        files,
        [*files, *named],
        [files[0], files[2], files[1], *named],
        [str(tmp_path / "wide.csv"), *named],
    ):
        assert main(["gate", *call, *line]) == 0
        answers.append({key: one for key, one in json.loads(capsys.readouterr().out).items() if not key.startswith("signature")})
    arrays = mm.gate(gold["label"], old["label"], new["label"], margin=0.03, measures="accuracy", classes="1..3").to_dict()
    assert all(answer == answers[0] for answer in answers[1:])
    assert (arrays["low"], arrays["high"]) == (answers[0]["low"], answers[0]["high"])
    right_or_wrong = [(one["label"] == gold["label"]).astype(int) for one in (old, new)]
    assert mm.gate(*right_or_wrong, margin=0.03, better="higher").to_dict()["low"] == answers[0]["low"]


def test_scores_of_several_topics_and_measures(files, tmp_path, capsys):
    scores = tmp_path / "scores.csv"
    assert main(["evaluate", *files, "--classes", "1..3", "--measures", "accuracy,mae", "--partitions", "20", "--scores",
                 str(scores), "--no-baselines"]) == 0  # fmt: skip
    capsys.readouterr()
    line = ["--baseline", "v1", "--candidate", "v2", "--margin", "accuracy=.02,mae=.05", "--format", "json"]
    assert main(["gate", str(scores), *line]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(one["measure"], one["margin"], one["units"], one["topics"]) for one in answer["measures"]] == [
        ("accuracy", 0.02, "topics", 20), ("mae", 0.05, "topics", 20),
    ]  # fmt: skip
    long = pd.read_csv(scores).query("measure == 'accuracy'").pivot_table(index="topic", columns="run", values="score")
    gaps = long["v2"] - long["v1"]
    low = gaps.mean() - 1.729133 * gaps.std() / np.sqrt(20)  # t with 19 degrees of freedom
    assert answer["measures"][0]["low"] == pytest.approx(low, abs=1e-6)
    for run in ("v1", "v2"):
        pd.read_csv(scores).query("run == @run").to_csv(tmp_path / f"{run}-scores.csv", index=False)
    two = [str(tmp_path / f"{run}-scores.csv") for run in ("v1", "v2")]
    assert main(["gate", *two, "--margin", "accuracy=.02,mae=.05", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"] == answer["measures"]


def test_each_topic_by_itself(tmp_path):
    rng = np.random.default_rng(0)
    topic, gold = np.repeat(["easy", "hard"], 300), rng.integers(0, 2, 600)
    old = np.where(rng.random(600) < 0.9, gold, 1 - gold)
    new = np.where((topic == "hard") & (rng.random(600) < 0.3), 1 - gold, old)
    paths = [labels(tmp_path / f"{name}.csv", one, topic) for name, one in (("gold", gold), ("a", old), ("b", new))]
    how = {"margin": 0.05, "measures": "accuracy", "classes": "0..1"}
    found = mm.gate(paths[0], paths[1], paths[2], each_topic=True, **how)
    assert [(part.pair.topic, part.verdict) for part in found.parts] == [("easy", "pass"), ("hard", "fail")]
    assert found.verdict == "fail"
    alone = mm.gate(
        old[topic == "hard"] == gold[topic == "hard"], new[topic == "hard"] == gold[topic == "hard"], margin=0.05, better="higher"
    )
    assert found.parts[1].ends == pytest.approx(alone.parts[0].ends)
    assert [row["topic"] for row in found.to_dict()["measures"]] == ["easy", "hard"]
    with pytest.raises(mm.UsageError, match="no items within topics"):
        mm.gate([1, 0], [1, 0], margin=0.1, better="higher", each_topic=True)


def test_few_topics_are_fixed_and_rankings_are_compared_over_topics():
    rng = np.random.default_rng(1)
    topic, gold = np.repeat(["a", "b", "c"], 50), rng.integers(0, 2, 150)
    runs = {name: np.where(rng.random(150) < share, gold, 1 - gold) for name, share in (("old", 0.8), ("new", 0.82))}
    table = pd.DataFrame({"item": range(150), "topic": topic, "gold": gold, **runs})
    how = {"baseline": "old", "candidate": "new", "margin": 0.1}
    fixed = mm.gate(table, measures="accuracy", classes="0..1", run_columns=["old", "new"], **how)
    assert (fixed.parts[0].pair.method, fixed.to_dict()["units"]) == ("test/gate/fixed-topics", "items")
    compared = mm.compare(table, None, "accuracy", classes="0..1", run_columns=["old", "new"], level=0.9)
    order = [compared.runs.index(run) for run in ("new", "old")]
    assert fixed.to_dict()["low"] == pytest.approx(compared.difference_low[order[0], order[1]])
    ranks = {"segment": np.repeat(range(12), 4), "item": ["w", "x", "y", "z"] * 12}
    ranks |= {name: np.concatenate([rng.permutation(4) + 1 for _ in range(12)]) for name in ("gold", "old", "new")}
    for average, method in (("topics", "test/gate/t"), ("pooled", "test/gate/jackknife")):
        found = mm.gate(
            pd.DataFrame(ranks), measures="tau@wmt14", task="ranking", gold_are="ranks", runs_are="ranks", average=average, **how
        )
        assert found.parts[0].pair.method == method
        assert re.search(r"About [\d,]+ segments \(", str(found))


@pytest.mark.parametrize("kind", ["files", "evidence", "one file of evidence", "standard input"])
def test_outcomes_of_few_topics_are_of_items_in_topics_that_are_fixed(tmp_path, capsys, monkeypatch, kind):
    rng = np.random.default_rng(4)
    paths = []
    for name, share in (("old", 0.7), ("new", 0.72)):
        paths.append(str(tmp_path / f"{name}.csv"))
        frame = pd.DataFrame({"item": range(150), "topic": np.arange(150) % 3, "score": (rng.random(150) < share).astype(int)})
        frame.to_csv(paths[-1], index=False)
    said = ["--margin", ".1", "--format", "json"]
    assert main(["gate", *paths, *said]) in (0, 3, 4)
    plain = json.loads(capsys.readouterr().out)
    if kind == "evidence":
        for place, path in enumerate(paths):
            mm.count(path, task="outcomes").save(tmp_path / f"{place}.evidence")
        paths = [str(tmp_path / f"{place}.evidence") for place in range(2)]
    elif kind == "one file of evidence":
        mm.count(paths[0], paths[1:], task="outcomes").save(tmp_path / "both.evidence")
        paths, said = [str(tmp_path / "both.evidence")], [*said, "--baseline", "old", "--candidate", "new"]
    elif kind == "standard input":
        with Path(paths[0]).open() as file:
            monkeypatch.setattr("sys.stdin", file)
            assert main(["gate", "-", paths[1], *said]) in (0, 3, 4)
        answer = json.loads(capsys.readouterr().out)
    if kind != "standard input":
        assert main(["gate", *paths, *said]) in (0, 3, 4)
        answer = json.loads(capsys.readouterr().out)
    assert (answer["units"], answer["validity"]) == ("items", {"p": "test/gate/fixed-topics"})
    assert (answer["low"], answer["high"]) == (plain["low"], plain["high"])


def test_measures_of_an_order_are_drawn(tmp_path):
    rng = np.random.default_rng(2)
    gold = rng.choice(["yes", "no"], 60)
    runs = {name: np.where(rng.random(60) < 0.8, gold, np.where(gold == "yes", "no", "yes")) for name in ("old", "new")}
    for name, values in runs.items():
        labels(tmp_path / f"{name}.csv", values, confidence=rng.permutation(60) / 60)
    paths = [labels(tmp_path / "gold.csv", gold), *(str(tmp_path / f"{name}.csv") for name in runs)]
    how = {"task": "entailment", "positive": "yes", "negative": "no", "measures": "confidence_weighted_score", "margin": 0.3}
    found = mm.gate(paths[0], paths[1], paths[2], **how)
    assert found.parts[0].pair.method == "test/gate/drawn"
    low, high = found.parts[0].ends
    assert low < found.parts[0].pair.bounds.difference < high


def test_topics_that_one_run_lacks(tmp_path):
    old = pd.DataFrame({"topic": range(30), "score": np.linspace(0, 1, 30)})
    old.to_csv(tmp_path / "old.csv", index=False)
    old[2:].assign(score=lambda table: table["score"] + 0.01).to_csv(tmp_path / "new.csv", index=False)
    paths = str(tmp_path / "old.csv"), str(tmp_path / "new.csv")
    with pytest.raises(mm.DataError, match="2 missing or undefined scores"):
        mm.gate(*paths, margin=0.1, better="higher")
    found = mm.gate(*paths, margin=0.1, better="higher", incomplete="drop-topics")
    assert found.to_dict()["items"] == 28
    assert found.verdict == "undecided"  # they differ by the same everywhere, in a range that nobody knows
    assert "does not tell how much they vary" in str(found)


LABELS = "gold.csv v1.csv v2.csv --classes 1..3"
NAMED = "both.csv --better higher --baseline a --candidate"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("v1.csv v2.csv --margin .1", "holds outputs, which need gold"),
        (f"{LABELS} --margin .1", "no measure was chosen"),
        (f"{LABELS} --measures accuracy", "no margin was chosen"),
        (f"{LABELS} --measures mutual_information --margin .1", "too high by chance"),
        (f"{LABELS} --measures gold_entropy --margin .1", "has no better direction"),
        ("old.csv new.csv --margin .1", "it is not known which scores are better"),
        ("old.csv new.csv --margin x", "--margin cannot be 'x'; give a number"),
        ("old.csv new.csv --margin -1 --better higher", "the margin is -1"),
        ("old.csv new.csv --margin nan --better higher", "the margin is nan"),
        ("old.csv new.csv --margin .1 --alpha .7 --better higher", "--alpha cannot be 0.7; give a number between 0 and 0.5"),
        ("old.csv new.csv --margin .1 --better higher --units items", "scores have no items"),
        ("old.csv new.csv both.csv old.csv --margin .1", "4 files, and no names of runs"),
        ("old.csv --margin .1 --better higher", "which run is old"),
        ("both.csv --margin .1 --better higher", "which run is old, and which is new? (there are a and b)"),
        (f"{NAMED} a --margin .1", "both the old run and the new"),
        (f"{NAMED} c --margin .1", "there is no run 'c'"),
        (f"{NAMED} b --margin mae=.1", "there is no margin for score"),
    ],
)
@pytest.mark.usefixtures("files")
def test_what_is_refused(tmp_path, capsys, monkeypatch, line, said):
    monkeypatch.chdir(tmp_path)
    for name in ("old", "new"):
        pd.DataFrame({"topic": range(9), "score": [0, 1, 1] * 3}).to_csv(f"{name}.csv", index=False)
    pd.DataFrame({"topic": range(9), "a": [0, 1, 1] * 3, "b": [1, 1, 1] * 3}).to_csv("both.csv", index=False)
    assert main(["gate", *line.split()]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert not shown.out


def test_the_chart_and_the_other_formats(files, tmp_path, capsys):
    chart = tmp_path / "gate.svg"
    line = ["gate", *files, "--classes", "1..3", "--measures", "accuracy,mae", "--margin", ".03", "--chart", str(chart)]
    for format in ("csv", "markdown", "latex", "html"):
        assert main([*line, "--format", format]) == 0
        assert "v1" in capsys.readouterr().out
    assert "PASS" in chart.read_text()
    frame = mm.gate(files[0], files[1], files[2], margin=0.03, measures="accuracy", classes="1..3").to_frame()
    assert list(frame["verdict"]) == ["pass"]


def outcomes(path, scores, run="model", **columns):
    pd.DataFrame({"run": run, "item": range(len(scores)), "score": scores, **columns}).to_csv(path, index=False)
    return str(path)


def test_two_files_of_outcomes(tmp_path, capsys):
    """The commonest use: the same system before and after a change, under one name."""
    paths = [
        outcomes(tmp_path / f"{name}.csv", scores) for name, scores in zip(("main", "branch"), right(12, 8, 100), strict=True)
    ]
    assert main(["gate", *paths, "--margin", ".02", "--format", "json"]) == 4
    answer = json.loads(capsys.readouterr().out)
    assert (answer["old"], answer["new"], answer["units"], answer["items_to_decide"]) == ("main", "branch", "items", 3067)
    assert (answer["low"], answer["high"]) == pytest.approx((-0.116795, 0.035154), abs=1e-6)
    both = tmp_path / "both.csv"
    pd.concat([pd.read_csv(path).assign(run=name) for name, path in zip("ab", paths, strict=True)]).to_csv(both, index=False)
    assert main(["gate", str(both), "--baseline", "a", "--candidate", "b", "--margin", ".02", "--format", "json"]) == 4
    assert json.loads(capsys.readouterr().out)["low"] == answer["low"]
    assert main(["gate", str(both), "--margin", ".02"]) == 2
    frames = [pd.read_csv(path) for path in paths]
    assert mm.gate(*frames, margin=0.02).to_dict()["low"] == answer["low"]


@pytest.mark.parametrize("repeated", [False, True])
def test_one_run_of_each_of_two_files_of_outcomes(tmp_path, capsys, repeated):
    """Files of several runs, each with its own: the runs that are named are compared, also where outputs are repeated."""
    rng, paths, means = np.random.default_rng(7), [], []
    for name in ("before", "after"):
        scores = rng.random((2, 30))
        runs = [pd.DataFrame({"run": f"v{run}", "item": range(30), "score": own}) for run, own in enumerate(scores, 1)]
        if repeated:
            runs = [pd.concat([one.assign(repeat=1), one.assign(repeat=2, score=1 - one["score"] / 2)]) for one in runs]
        means.append([one["score"].mean() for one in runs])
        paths.append(str(tmp_path / f"{name}.csv"))
        pd.concat(runs).to_csv(paths[-1], index=False)
    how = ["--baseline", "v1", "--candidate", "v2", "--margin", ".3"]
    main(["gate", *paths, *how, "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["difference"] == pytest.approx(means[1][1] - means[0][0])
    assert mm.gate(*paths, baseline="v1", candidate="v2", margin=0.3).to_dict() == answer


def test_outcomes_with_clusters_topics_repeats_and_gaps(tmp_path):
    gaps, cluster = [0, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1, -1], [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4]
    old, new = [1 if gap < 0 else 0 for gap in gaps], [1 if gap > 0 else 0 for gap in gaps]
    paths = [outcomes(tmp_path / f"{name}.csv", one, cluster=cluster) for name, one in (("old", old), ("new", new))]
    found = mm.gate(*paths, margin=0.02, task="outcomes")
    assert found.parts[0].ends == pytest.approx((-0.677070, 0.343737), abs=1e-6)
    answer = found.to_dict()
    assert (answer["units"], answer["clusters"], answer["items"]) == ("clusters", 5, 12)
    assert answer["effective_clusters"] == pytest.approx(4.8)
    assert "effective clusters" in str(found)
    graded = [0.02, -0.05, 0, 0.03, -0.01, 0.04, -0.02, 0.01, 0, -0.03]
    halves = [[0.5] * 10, [0.5 + gap for gap in graded]]
    plain = [outcomes(tmp_path / f"{name}-graded.csv", one) for name, one in zip(("old", "new"), halves, strict=True)]
    assert mm.gate(*plain, margin=0.02).parts[0].ends == pytest.approx((-0.017039, 0.015039), abs=1e-6)
    twice = pd.concat([pd.read_csv(plain[1]).assign(repeat=one, score=lambda table, sign=sign: table["score"] + sign * 0.1)
                       for one, sign in ((1, -1), (2, 1))])  # fmt: skip
    twice.to_csv(tmp_path / "repeated.csv", index=False)
    repeated = mm.gate(plain[0], str(tmp_path / "repeated.csv"), margin=0.02)
    assert repeated.parts[0].ends == pytest.approx((-0.017039, 0.015039), abs=1e-6)
    pd.read_csv(plain[1])[:-1].to_csv(tmp_path / "short.csv", index=False)
    short = mm.gate(plain[0], str(tmp_path / "short.csv"), margin=0.02)
    assert short.to_dict()["items"] == 9
    assert "9 of 10 items" in str(short)


def test_outcomes_of_topics(tmp_path):
    rng = np.random.default_rng(5)
    old = rng.random(240)
    new = old + rng.normal(0, 0.1, 240)
    for number, method, units in ((3, "fixed-topics", "items"), (8, "t", "topics")):
        topic = np.arange(240) % number
        paths = [outcomes(tmp_path / f"{name}{number}.csv", one, topic=topic) for name, one in (("old", old), ("new", new))]
        found = mm.gate(*paths, margin=0.02)
        assert (found.parts[0].pair.method, found.to_dict()["units"]) == (f"test/gate/{method}", units)
        gaps = pd.Series(new - old).groupby(topic)
        error = np.sqrt((gaps.var() / gaps.size()).sum()) / number if units == "items" else gaps.mean().std() / np.sqrt(number)
        assert found.parts[0].pair.bounds.error == pytest.approx(error)
        assert found.parts[0].pair.bounds.difference == pytest.approx(gaps.mean().mean())
    each = mm.gate(*paths, margin=0.02, each_topic=True)
    assert [part.pair.topic for part in each.parts] == [str(one) for one in range(8)]
    assert len(mm.gate(*paths, margin=0.02, average="pooled").parts) == 1


def test_several_measures_of_outcomes_and_those_that_one_file_lacks(tmp_path):
    rows = [
        {"run": "m", "item": item, "measure": name, "score": float(item % 3 > 0)} for item in range(30) for name in ("em", "f1")
    ]
    table = pd.DataFrame(rows)
    table.to_csv(tmp_path / "old.csv", index=False)
    table.query("measure == 'em'").to_csv(tmp_path / "new.csv", index=False)
    paths = str(tmp_path / "old.csv"), str(tmp_path / "new.csv")
    assert [part.pair.measure for part in mm.gate(paths[0], paths[0], margin=0.2).parts] == ["em", "f1"]
    assert mm.gate(*paths, margin=0.2, measures="em").verdict == "pass"
    undecided = mm.gate(*paths, margin=0.2)
    assert [part.verdict for part in undecided.parts] == ["pass", "undecided"]
