"""Notes are held against the numbers that they speak of: what stands below a table, against JSON and the scores themselves."""

import csv
import json
import re

import numpy as np
import pytest

CLASSES = ("--classes", "x,y,z")
ORDERS = ("--task", "entailment", "--positive", "x", "--neutral", "y", "--negative", "z")


def table(folder, name, header, rows):
    path = folder / f"{name}.tsv"
    path.write_text("\n".join("\t".join(map(str, row)) for row in (header, *rows)) + "\n")
    return path


def labels(folder, *, constant=""):
    """Three topics; on topic b gold is constant, and ``constant`` names the runs that are too."""
    gold = {"a": "xyzxyz", "b": "xxxx", "c": "zyxzyx"}
    runs = {"r1": {"a": "xyzxyx", "b": "xxxx", "c": "zzxzyx"}, "r2": {"a": "xxxxyx", "b": "xxxy", "c": "yyxzyx"}}
    for run in constant.split():
        runs[run]["c"] = "xxxxxx"
    files = []
    for name, topics in {"gold": gold, **runs}.items():
        rows = [(f"{topic}{i}", topic, one, i + 1) for topic, row in topics.items() for i, one in enumerate(row)]
        files.append(table(folder, name, ("item", "topic", "label", "rank"), rows))
    return files


def trec(folder):
    """Run r2 does not answer topic 3; nothing is relevant in topic 2."""
    grades = {"1": (2, 0, 1), "2": (0, 0, 0), "3": (0, 1, 1)}
    qrels, files = folder / "qrels.txt", [folder / "r1.txt", folder / "r2.txt"]
    qrels.write_text("".join(f"{topic} 0 d{i} {grade}\n" for topic, row in grades.items() for i, grade in enumerate(row)))
    for place, file in enumerate(files):
        topics = ("1", "2", "3")[: 3 - place]
        file.write_text(
            "".join(f"{topic} Q0 d{i} {i} {(i * (place + 1) + int(topic)) % 3} x\n" for topic in topics for i in range(3))
        )
    return [qrels, *files]


def segments(folder):
    """Gold ties everything in segment b, and r2 ranks one item of segment c only."""
    gold = {"a": (1, 2, 3), "b": (1, 1, 1), "c": (3, 1, 2)}
    runs = {"r1": {"a": (1, 3, 2), "b": (1, 2, 3), "c": (3, 2, 1)}, "r2": {"a": (1, 2, 2), "b": (2, 1, 3), "c": (1, -1, -1)}}
    return [
        table(
            folder,
            name,
            ("segment", "item", "rank"),
            [(s, f"d{i}", one) for s, row in ranks.items() for i, one in enumerate(row)],
        )
        for name, ranks in {"gold": gold, **runs}.items()
    ]


CALLS = {
    "labels": (labels, {}, (*CLASSES, "--measures", "kappa,accuracy,kendall_b,f1@z")),
    "constant run": (labels, {"constant": "r2"}, (*CLASSES, "--measures", "kappa,kendall_b,pearson", "--kind", "ordinal")),
    "zeros": (labels, {"constant": "r2"}, (*CLASSES, "--measures", "kappa,kendall_b,f1@z", "--undefined", "zero")),
    "constant runs": (labels, {"constant": "r1 r2"}, (*CLASSES, "--measures", "kendall_b,gamma", "--ci")),
    "entailment": (
        labels,
        {},
        (*ORDERS, "--measures", "average_precision,confidence_weighted_score,mutual_information@rank,a2_of@z"),
    ),
    "trec": (trec, {}, ("--task", "ranking", "--measures", "ndcg,average_precision,mrr,err,tau@b", "--ci")),
    "trec as ours": (trec, {}, ("--task", "ranking", "--measures", "ndcg,average_precision,mrr,tau@b", "--compat", "none")),
    "trec, zeros": (trec, {}, ("--task", "ranking", "--measures", "ndcg,average_precision,mrr", "--undefined", "zero")),
    "rankings": (segments, {}, ("--task", "ranking", "--measures", "tau@b,tau@wmt12,ndcg,average_precision,pairwise_accuracy")),
}


@pytest.fixture(params=CALLS)
def evaluated(request, run, tmp_path):
    """The table, the JSON and the scores, by measure, run and topic."""
    make, how, arguments = CALLS[request.param]
    files = make(tmp_path, **how)
    status, out, err = run("evaluate", *files, *arguments)
    assert status == 0, err
    status, answer, _ = run("evaluate", *files, *arguments, "--format", "json", "--scores", tmp_path / "scores.csv")
    assert status == 0
    scores = {}
    with (tmp_path / "scores.csv").open(newline="") as rows:
        for row in csv.DictReader(rows):
            scores.setdefault(row["measure"], {}).setdefault(row["run"], {})[row["topic"]] = float(row["score"] or "nan")
    return out, json.loads(answer), scores


def by_run(answer, key):
    return {run["run"]: run[key] for run in answer["runs"] if not run.get("baseline")}


@pytest.mark.each_time(2)
def test_how_many_topics_a_mean_is_over(evaluated):
    """The mean in the table is that over so many topics, by whatever note there is; without one, over all."""
    out, answer, scores = evaluated
    common, own = {}, {}
    for ids, number in re.findall(r"^(\S.*): mean over the (\d+) \w+ on which every run is defined\.$", out, re.MULTILINE):
        common |= dict.fromkeys(ids.split(", "), int(number))
    for ids, whom in re.findall(
        r"^(\S.*): each run's mean is over the \w+ on which it is defined itself \((.*)\)\.$", out, re.MULTILINE
    ):
        own |= {(id, run): int(number) for id in ids.split(", ") for run, number in re.findall(r"(\w+) (\d+) of", whom)}
    for measure in answer["measures"]:
        id = measure["id"]
        for run, means in by_run(answer, "scores").items():
            values = np.array(list(scores[id][run].values()))
            defined = ~np.isnan(values)
            if not defined.any() or means[id] is None:
                assert means[id] is None
                continue
            if id in common:
                shared = np.all(
                    [~np.isnan(list(one.values())) for one in scores[id].values() if not np.isnan(list(one.values())).all()],
                    axis=0,
                )
                assert shared.sum() == common[id] == measure["topics_used"]
                used = shared
            else:
                assert defined.sum() == own.get((id, run), answer["topics"])
                used = defined
            expected = values[used].mean() if defined.any() and used.any() else None
            assert means[id] == (None if expected is None else pytest.approx(expected)), (id, run)


@pytest.mark.each_time(2)
def test_what_is_undefined_and_why(evaluated):
    out, answer, _ = evaluated
    undefined = by_run(answer, "undefined")
    said = re.findall(r"^(\S+?(?:, \S+?)*): undefined for (\d+) of (\d+) pairs? of run and \w+ \((.*?)\)(.*)$", out, re.MULTILINE)
    for ids, total, pairs, whom, why in said:
        assert re.fullmatch(r": \S.*\.", why), why
        assert int(pairs) == answer["topics"] * len(undefined)
        runs = {run: int(number) for run, number in re.findall(r"(\w+) (\d+)", whom)}
        assert sum(runs.values()) == int(total)
        if "counted as 0" not in out:
            for id in ids.split(", "):
                assert {run: numbers[id] for run, numbers in undefined.items() if numbers[id]} == runs
    if "counted as 0" not in out and "no value for" not in out:
        told = {id for ids, *_ in said for id in ids.split(", ")}
        assert told == {id for numbers in undefined.values() for id, number in numbers.items() if number}


@pytest.mark.parametrize("evaluated", ["zeros", "trec, zeros"], indirect=True)
def test_zeros_are_those_that_were_undefined(evaluated):
    out, _, scores = evaluated
    said = re.findall(r"^(\S.*): (\d+) undefined scores? counted as 0\.$", out, re.MULTILINE)
    assert said
    for id, number in [(id, number) for ids, number in said for id in ids.split(", ")]:
        assert id in scores, "names stay as they are"
        assert sum(value == 0 for run in scores[id].values() for value in run.values()) >= int(number)
        (told,) = re.findall(rf"^(?:\S+, )*{re.escape(id)}(?:, \S+)*: undefined for (\d+)", out, re.MULTILINE)
        assert told == number


@pytest.mark.each_time(2)
def test_names_open_sentences_as_they_are(evaluated):
    """An id has no capital letter because it comes first."""
    out, answer, _ = evaluated
    capitals = {measure["id"].capitalize() for measure in answer["measures"]} | {"R1", "R2"}
    assert not [line for line in out.splitlines() if re.split(r"[,: ]", line)[0] in capitals]
    assert not [note for note in answer["notes"] if re.split(r"[,: ]", note)[0] in capitals]
    assert not [note for note in answer["notes"] if re.search(r":\s*\.?$", note)]


@pytest.mark.parametrize("evaluated", ["trec"], indirect=True)
def test_intervals_are_of_the_means_that_are_shown(evaluated):
    _, answer, scores = evaluated
    intervals = [(one, id, ends) for one in answer["runs"] for id, drawn in one["intervals"].items() for ends in drawn.values()]
    known = [(one, id, ends) for one, id, ends in intervals if None not in ends]
    assert known
    for one, id, (low, high) in known:
        values = [value for value in scores[id][one["run"]].values() if not np.isnan(value)]
        assert low <= one["scores"][id] + 1e-9
        assert one["scores"][id] - 1e-9 <= high
        assert one["scores"][id] == pytest.approx(np.mean(values))


def score_table(folder, name, seed, measures=10):
    """Scores of measures with more and more noise, so that many beat many others."""
    rng = np.random.default_rng(seed)
    rows = [("measure", "topic", "run", "score")]
    level = np.linspace(0, 1, 8)
    for place in range(measures):
        noise = rng.normal(scale=0.02 * 1.9**place, size=(40, 8))
        rows += [(f"m{place}", f"t{t}", f"r{r}", level[r] + noise[t, r]) for t in range(40) for r in range(8)]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return path


@pytest.mark.each_time(1)
@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize("more", [(), ("--size", "half,5")])
def test_the_legend_has_the_symbols_of_the_table(run, tmp_path, sets, more):
    files = [score_table(tmp_path, f"s{seed}", seed) for seed in range(sets)]
    how = ("--better", "higher", "--splits", "60", "--trials", "200", *more)
    status, out, err = run("meta", "consistency", *files, *how)
    assert status == 0, err
    above, _, below = out.partition("random splits")
    used = {symbol for symbol in "†‡◇♡♣♠♭♯" if symbol in above}
    assert used
    legend = re.search(r"^(\S+): significantly outperforms the worst (\S+) measures?\.$", below, re.MULTILINE)
    assert set(legend[1].split("/")) == used
    worth = dict(zip("†‡◇♡♣♠♭♯", range(1, 9), strict=True))
    assert [worth[symbol] for symbol in legend[1].split("/")] == [int(number) for number in legend[2].split("/")]


def test_the_smallest_p_of_judges(run, tmp_path):
    """However many judges there are, p can be as small as one over the trials and one. Fewer than 39 are said to be too few."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)

    def noisy(share):
        return np.where(rng.random(60) < share, rng.integers(0, 3, 60), truth)

    rows = [(i, who, one) for who in "abc" for i, one in enumerate(noisy(0.3))]
    people = table(tmp_path, "people", ("item", "annotator", "label"), rows)
    judges = [table(tmp_path, f"j{j}", ("item", "label"), list(enumerate(noisy(0.2 * j)))) for j in range(5)]
    how = (people, *judges, "--classes", "0..2", "--measures", "accuracy")
    note = "With 19 trials the smallest p-value of a pair may be 0.05: use --trials 39 or more"
    status, out, err = run("judge", *how, "--trials", "19")
    assert status == 0, err
    assert note in " ".join(out.split())
    status, out, _ = run("judge", *how, "--trials", "39", "--format", "json")
    answer = json.loads(out)
    assert min(pair["p"] for pair in answer["pairs"]) == pytest.approx(1 / 40)
    assert not any("trials" in one for one in answer["notes"])


def test_without_a_reason_there_is_no_colon(run, tmp_path):
    """A measure that does not say when it is undefined."""
    plugin = tmp_path / "plugin.py"
    plugin.write_text(
        "from metameasure import measure\n\n\n"
        "@measure(id='nothing', title='Nothing', better='higher', formula='0/0', source='Nobody (2020). Nothing.')\n"
        "def nothing(counts):\n    return counts[:, 0, 0] * float('nan')\n"
    )
    how = (*CLASSES, "--plugin", plugin, "--measures", "accuracy,nothing")
    status, out, err = run("evaluate", *labels(tmp_path), *how)
    assert status == 0, err
    assert "nothing: undefined for 6 of 6 pairs of run and topic (r1 3, r2 3).\n" in out
    assert "mean over the 0" not in out
