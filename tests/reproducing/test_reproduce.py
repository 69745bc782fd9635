"""``reproduce``: a result made again from its signature and its data; what differs is named, and nothing else."""

import json
import random
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

import metameasure as mm

DEMO = Path(str(files("metameasure") / "demo"))
RATINGS = Path(__file__).parents[2] / "examples/summaries.csv"
DATA = [DEMO / "gold.tsv", DEMO / "runs/*.tsv"]
CLASSES = ["--classes", "-2..2"]
FOUR = "cem_ord,kappa_linear,mae_macro,accuracy"
HAS_NUMBERS = re.compile(r"(?<![\w.@])(?:\d+(?:\.\d+)?%|0?\.\d)")
OF_0_2 = "task:classification|classes:-2,-1,0,1,2|kind:ordinal|topics:12|average:topics|counts:f42973dadb2d|version:0.2.0"


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    mm.evaluate(*DATA, classes="-2..2", measures=FOUR).save(path)
    return path


@pytest.fixture
def asked(run):
    """The answer of a command in JSON, with its status."""

    def ask(*arguments):
        status, out, err = run(*arguments, "--format", "json")
        return status, json.loads(out) if out else err

    return ask


def signature_of(asked, *arguments):
    status, answer = asked(*arguments)
    assert status == 0, answer
    assert mm.Signature.parse(answer["signature"]).parts() == answer["signature_parts"]
    is_told_as_data(answer)
    return answer["signature"]


def is_told_as_data(answer):
    """What JSON has of every result besides its numbers: what is said, as texts and as data."""
    assert all(isinstance(one, str) for one in answer["notes"])
    if answer["signature_parts"]["command"] == "meta.summary":  # since 0.2 the answers that it rests on
        findings = answer["verdicts"]
    else:
        findings = answer["findings"]
        assert {*answer["notes"]} <= {one["text"] for one in findings}
    for one in findings:
        assert {"kind", "subjects", "measure", "numbers", "text"} <= {*one}
        assert isinstance(one["subjects"], list)
        assert isinstance(one["numbers"], dict)
        assert one["numbers"] or not HAS_NUMBERS.search(one["text"]), one


def changed(path, folder, line=1):
    """The file with another label in one line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    *before, label = lines[line].split("\t")
    lines[line] = "\t".join([*before, "-2" if label != "-2" else "2"])
    target = folder / path.name
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target


def verdicts(part):
    """What is not the same, by name."""
    return {one["name"] or one["what"]: one["verdict"] for one in part["parts"] if one["verdict"] != "same"}


ON_DATA = {
    "evaluate": ["evaluate", "--measures", FOUR],
    "evaluate with intervals": ["evaluate", "--measures", "cem_ord", "--ci", "--trials", "50", "--seed", "3", "--level", ".9"],
    "evaluate otherwise": [
        "evaluate",
        "--average",
        "pooled",
        "--undefined",
        "worst",
        "--baselines",
        "--measures",
        "accuracy,mcc",
    ],
    "compare": ["compare", "--measures", "cem_ord,mae_macro", "--trials", "50"],
    "compare with one": ["compare", "--measures", "cem_ord", "--against", "bold", "--test", "permutation", "--trials", "50"],
    "compare items": ["compare", "--measures", "accuracy", "--average", "pooled", "--trials", "50", "--seed", "2"],
    "ranks": ["ranks", "--measures", "cem_ord", "--trials", "50"],
    "ranks by items": ["ranks", "--measures", "accuracy", "--units", "items", "--trials", "50"],
    "gate": [
        "gate",
        "--measures",
        "accuracy,mae",
        "--baseline",
        "bold",
        "--candidate",
        "careful",
        "--margin",
        "accuracy=.9,mae=3",
    ],
    "gate by items": [
        "gate",
        "--measures",
        "kappa",
        "--baseline",
        "bold",
        "--candidate",
        "careful",
        "--margin",
        ".9",
        "--units",
        "items",
    ],
    "gate each topic": [
        "gate",
        "--measures",
        "accuracy",
        "--baseline",
        "bold",
        "--candidate",
        "careful",
        "--margin",
        ".9",
        "--each-topic",
    ],
    "evaluate with possible ranks": ["evaluate", "--measures", "cem_ord", "--possible-ranks"],
    "table": ["table"],
    "check": ["check"],
    "advise": ["advise"],
}
ON_SCORES = {
    "compare": ["compare", "--measures", "cem_ord", "--trials", "50", "--leave-out", "noisy"],
    "ranks": ["ranks", "--measures", "cem_ord", "--trials", "50", "--leave-out", "noisy", "--alpha", ".1"],
    "gate": ["gate", "--measures", "cem_ord", "--baseline", "bold", "--candidate", "careful", "--margin", ".9", "--alpha", ".1"],
    "design": ["design", "--difference", ".05", "--trials", "50", "--measures", "cem_ord,accuracy"],
    "advise": ["advise"],
    "meta similarity": ["meta", "similarity", "--trials", "50", "--measures", "cem_ord,accuracy", "--runs", "b*,careful,noisy"],
    "meta consistency": ["meta", "consistency", "--splits", "20", "--trials", "20", "--size", "4"],
    "meta discrimination": ["meta", "discrimination", "--trials", "50", "--leave-out", "bold", "--seed", "1"],
    "meta overlap": ["meta", "overlap", "--trials", "50"],
    "meta contradictions": ["meta", "contradictions", "--trials", "50"],
    "meta coverage": ["meta", "coverage", "--reference", "accuracy,mae_macro"],
    "meta robustness": ["meta", "robustness"],
    "meta deltas": ["meta", "deltas", "--runs", "bold,careful"],
    "meta all": ["meta", "all", "--splits", "20", "--trials", "20"],
}
ON_RATINGS = {
    "agree": ["agree", "--trials", "50"],
    "judge": ["judge", "--judges", "gpt", "--trials", "50", "--gold", "majority"],
}


@pytest.mark.each_time(3)
@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one == "advise")) for one in ON_DATA])
def test_a_result_of_gold_and_runs_is_made_again(asked, tmp_path, name):
    command, *options = ON_DATA[name]
    signature = signature_of(asked, command, *DATA, *CLASSES, *options)
    status, same = asked("reproduce", signature, *DATA)
    assert (status, same["same"], same["here"]) == (0, True, signature)
    assert [same[part]["same"] for part in ("data", "settings", "numbers")] == [True, True, True]
    gold = changed(DEMO / "gold.tsv", tmp_path)
    status, other = asked("reproduce", signature, gold, DATA[1])
    assert (status, other["same"], other["settings"]["same"]) == (1, False, True)
    assert verdicts(other["data"])["gold"] == "differs"
    assert "differs" not in {**verdicts(other["data"]), "gold": ""}.values(), "runs are counted against gold"


@pytest.mark.each_time(1)
@pytest.mark.parametrize("name", ["evaluate", "compare", "compare items", "table"])
def test_the_run_that_changed_is_named(asked, tmp_path, name):
    command, *options = ON_DATA[name]
    signature = signature_of(asked, command, *DATA, *CLASSES, *options)
    shutil.copytree(DEMO / "runs", tmp_path / "runs")
    changed(DEMO / "runs/bold.tsv", tmp_path / "runs")
    status, other = asked("reproduce", signature, DATA[0], tmp_path / "runs/*.tsv")
    assert (status, other["settings"]["same"], other["numbers"]["same"]) == (1, True, False)
    assert {key: value for key, value in verdicts(other["data"]).items() if key != "items"} == {"bold": "differs"}
    if command == "table":
        assert verdicts(other["numbers"]) == {"bold": "differs"}
    (tmp_path / "runs/bold.tsv").rename(tmp_path / "runs/brave.tsv")
    status, other = asked("reproduce", signature, DATA[0], tmp_path / "runs/*.tsv")
    found = verdicts(other["data"])
    assert (status, found["bold"], found["brave"]) == (1, "missing", "added")


@pytest.mark.each_time(3)
@pytest.mark.parametrize("name", ON_SCORES)
def test_a_result_of_scores_is_made_again(asked, tmp_path, scores, name):
    options = ON_SCORES[name]
    words = 2 if options[0] == "meta" else 1
    signature = signature_of(asked, *options[:words], scores, *options[words:])
    status, same = asked("reproduce", signature, scores)
    assert (status, same["here"]) == (0, signature)
    lines = scores.read_text(encoding="utf-8").splitlines()
    place = next(place for place, line in enumerate(lines) if ",careful," in line)
    lines[place] = lines[place].rpartition(",")[0] + ",0.123"
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, other = asked("reproduce", signature, tmp_path / "scores.csv")
    assert (status, verdicts(other["data"])) == (1, {"careful": "differs"})


@pytest.mark.parametrize("name", ON_RATINGS)
def test_a_result_of_ratings_is_made_again(asked, tmp_path, name):
    command, *options = ON_RATINGS[name]
    signature = signature_of(asked, command, RATINGS, "--classes", "1..5", *options)
    status, same = asked("reproduce", signature, RATINGS)
    assert (status, same["here"]) == (0, signature)
    header, first, *others = RATINGS.read_text(encoding="utf-8").splitlines()
    row = dict(zip(header.split(","), first.split(","), strict=True))
    mended = [header, *reversed(others), ",".join((row | {"ben": "5" if row["ben"] != "5" else "1"}).values())]
    (tmp_path / "ratings.csv").write_text("\n".join(mended) + "\n", encoding="utf-8")
    status, other = asked("reproduce", signature, tmp_path / "ratings.csv")
    assert (status, verdicts(other["data"])) == (1, {"ben": "differs"})


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Labels by people of every other item, by a judge of all, and two runs."""
    folder, draw = tmp_path_factory.mktemp("judged"), random.Random(7)  # noqa: S311 - the same each time
    truth = {f"i{place}": draw.choice("123") for place in range(160)}
    for name, miss in {"people": 0, "judge": 0.2, "a": 0.1, "b": 0.4}.items():
        rows = {item: draw.choice("123") if draw.random() < miss else label for item, label in truth.items()}
        kept = [*rows.items()][:: 2 if name == "people" else 1]
        (folder / f"{name}.tsv").write_text("item\tlabel\n" + "".join(f"{item}\t{label}\n" for item, label in kept))
    return folder


CORRECTED = {
    "scores": (["evaluate"], ["people", "a", "b"], {"people": "gold", "judge": "judge", "a": "a"}),
    "shares": (["judge", "--correct"], ["people", "judge"], {"people": "people", "judge": "judge"}),
}


@pytest.mark.parametrize("name", CORRECTED)
def test_what_a_judge_corrected_is_made_again(asked, tmp_path, judged, name):
    (command, *options), files, parts = CORRECTED[name]
    how = ["--classes", "1..3", "--sampled", "random", "--trials", "100", *options]

    def data(place):
        labels = ["--judge-labels", place / "judge.tsv"] if name == "scores" else []
        return [*(place / f"{file}.tsv" for file in files), *labels]

    signature = signature_of(asked, command, *data(judged), *how)
    status, same = asked("reproduce", signature, *data(judged))
    assert (status, same["same"], same["here"]) == (0, True, signature)
    for file, part in parts.items():
        place = tmp_path / file
        shutil.copytree(judged, place)
        (place / f"{file}.tsv").write_text((judged / f"{file}.tsv").read_text().replace("\t1\n", "\t2\n", 1))
        status, other = asked("reproduce", signature, *data(place))
        assert (status, verdicts(other["data"])[part], other["numbers"]["same"]) == (1, "differs", False)
        assert [*verdicts(other["data"]).values()].count("differs") == 1


OF_OUTCOMES = {
    "evaluate": ["evaluate", "--measures", "mean,pass@2", "--ci"],
    "compare": ["compare", "--measures", "mean", "--trials", "50"],
    "ranks": ["ranks", "--measures", "mean", "--trials", "50"],
    "gate": ["gate", "--measures", "mean", "--baseline", "b", "--candidate", "a", "--margin", ".1", "--better", "higher"],
    "table": ["table"],
    "check": ["check"],
    "advise": ["advise"],
}


@pytest.mark.each_time(1)
@pytest.mark.parametrize("name", OF_OUTCOMES)
def test_a_result_of_outcomes_is_made_again(asked, tmp_path, name):
    draw, file = random.Random(3), tmp_path / "outcomes.csv"  # noqa: S311 - the same each time
    rows = [f"{run},i{item},t{item % 12},{again},{int(draw.random() < rate)}\n"
            for run, rate in {"a": 0.8, "b": 0.5, "c": 0.4}.items() for item in range(24) for again in (1, 2)]  # fmt: skip
    file.write_text("run,item,topic,repeat,score\n" + "".join(rows))
    command, *options = OF_OUTCOMES[name]
    signature = signature_of(asked, command, file, *options)
    status, same = asked("reproduce", signature, file)
    assert (status, same["same"], same["here"]) == (0, True, signature)
    first, _, score = rows[0].rstrip().rpartition(",")
    file.write_text("run,item,topic,repeat,score\n" + "".join([f"{first},{1 - int(score)}\n", *rows[1:]]))
    status, other = asked("reproduce", signature, file)
    assert (status, {**verdicts(other["data"]), "items": "unknown"}) == (1, {"a": "differs", "items": "unknown"})


def test_a_gate_between_two_files_of_outcomes_is_made_again(asked, tmp_path):
    files = [tmp_path / "before.csv", tmp_path / "after.csv"]
    for file, scores in zip(files, ("0110", "1110"), strict=True):
        file.write_text("run,item,score\n" + "".join(f"model,i{item},{score}\n" for item, score in enumerate(scores * 8)))
    signature = asked("gate", *files, "--margin", ".1")[1]["signature"]
    status, same = asked("reproduce", signature, *files)
    assert (status, same["same"], same["here"]) == (0, True, signature)


def test_another_version_is_named_beside_numbers_that_are_the_same(asked, scores):
    """Of every kind of data that a signature may be of."""
    for call, data in [(["table", *DATA, *CLASSES], DATA), (["meta", "robustness", scores], [scores]),
                       (["agree", RATINGS, "--classes", "1..5", "--trials", "50"], [RATINGS])]:  # fmt: skip
        signature = signature_of(asked, *call)
        status, other = asked("reproduce", signature.replace(f"version:{mm.__version__}", "version:0.2.9"), *data)
        assert (status, other["same"], [one["kind"] for one in other["findings"]]) == (0, True, ["other version"])


def test_axioms_are_found_again(asked):
    signature = signature_of(asked, "axioms", "accuracy", "--trials", "0", "--properties", "bounded,symmetric")
    status, same = asked("reproduce", signature)
    assert (status, same["same"], same["data"]["same"]) == (0, True, None)


@pytest.mark.parametrize(
    ("measure", "how"),
    [("a3", {"task": "entailment", "classes": "a,b,c"}), ("mae", {"classes": "a=1,b=2,c=5"}), ("accuracy", {"classes": "1..3"})],
)
def test_axioms_of_declared_classes_are_found_again(measure, how):
    found = mm.axioms(measure, properties="symmetric", trials=0, **how)
    assert mm.reproduce(found.signature).same


@pytest.mark.slow
def test_a_page_is_made_again(tmp_path):
    page = mm.report(*DATA, tmp_path / "page.html", classes="-2..2", measures="cem_ord,accuracy", trials=50)
    assert str(page.signature) in page.html
    is_told_as_data(page.to_dict())
    again = mm.reproduce(page.signature, *DATA)
    assert (again.same, again.here) == (True, page.signature)
    assert not mm.reproduce(page.signature, changed(DEMO / "gold.tsv", tmp_path), DATA[1]).same
    of_scores = mm.report(mm.evaluate(*DATA, classes="-2..2", measures="cem_ord,accuracy"), trials=50)
    assert mm.reproduce(of_scores.signature, *DATA).here == of_scores.signature


def test_results_of_scores_in_python_go_back_to_gold():
    """Scores that were evaluated say how, and so do all results that are made of them."""
    evaluated = mm.evaluate(*DATA, classes="-2..2", measures=FOUR, undefined="worst")
    results = [
        mm.compare(evaluated, "cem_ord", trials=50),
        mm.compare(evaluated, ["cem_ord", "accuracy"], trials=50),
        mm.meta.similarity(evaluated, trials=50),
        mm.design(evaluated, trials=50),
        mm.advise(evaluated),
    ]
    for result in results:
        again = mm.reproduce(str(result.signature), *DATA)
        assert again.same, again
        assert again.here == result.signature
    part = mm.compare(evaluated, ["cem_ord", "accuracy"], trials=50)["accuracy"]
    assert mm.reproduce(part.signature, *DATA).same


TASKS = {
    "quantification": ("noisy=.2,.5", {"topics": 5}, {"smooth": 0.01, "measures": "rnod,kld"}),
    "entailment": ("calibrated=.2,.5", {"items": 30}, {"measures": "a3,average_precision", "rank_weights": "reciprocal"}),
    "balanced entailment": ("calibrated=.2,.5", {"items": 30}, {"measures": "mutual_information,kappa", "balance": True}),
    "ranking": ("noisy=.5,2", {"topics": 10}, {"measures": "tau@wmt13,ndcg@5", "gain": "linear"}),
}


@pytest.mark.each_time(1)
@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_made_again(tmp_path, task):
    kinds, shape, options = TASKS[task]
    made = mm.simulate(task=task.removeprefix("balanced "), kinds=kinds, seed=0, **shape)
    made.save(tmp_path / "made")
    data = [tmp_path / "made/gold.tsv", [tmp_path / "made/runs/*.tsv"]]
    how = {name: value for name, value in made.how.items() if name == "columns"}
    evaluated = mm.evaluate(*data, **made.how, **options)
    again = mm.reproduce(str(evaluated.signature), *data, **how)
    assert again.same, again
    assert again.here == evaluated.signature
    first = min((tmp_path / "made/runs").iterdir())
    first.unlink()
    other = mm.reproduce(evaluated.signature, *data, **how)
    assert not other.same
    assert {one.name: one.verdict for one in other.data if one.what == "runs" and one.verdict != "same"} == {
        first.stem: "missing"
    }


def test_another_seed_gives_other_numbers(asked):
    options = ["--measures", "cem_ord,accuracy", "--ci", "--interval", "bootstrap", "--trials", "50"]
    signature = signature_of(asked, "evaluate", *DATA, *CLASSES, *options)
    status, other = asked("reproduce", signature.replace("seed:0", "seed:1"), *DATA)
    assert (status, other["data"]["same"], other["settings"]["same"], other["numbers"]["same"]) == (1, True, True, False)
    assert verdicts(other["numbers"]) == {"cem_ord": "differs", "accuracy": "differs"}
    status, other = asked("reproduce", signature, *DATA, "--seed", "1")
    assert (status, verdicts(other["settings"])) == (1, {"seed": "differs"})


def test_the_measure_whose_numbers_differ_is_named(asked):
    signature = signature_of(asked, "evaluate", *DATA, *CLASSES, "--measures", "cem_ord,accuracy")
    numbers = mm.Signature.parse(signature).of("numbers")
    status, other = asked("reproduce", signature.replace(numbers["accuracy"], "00000000"), *DATA)
    assert (status, verdicts(other["numbers"]), other["data"]["same"]) == (1, {"accuracy": "differs"}, True)


def test_signatures_of_another_version_are_compared_on_what_they_hold(run, tmp_path):
    status, out, err = run("reproduce", OF_0_2, *DATA)
    assert (status, err) == (0, "")
    assert "of version 0.2.0" in out
    assert "data      the same" in out
    assert run("reproduce", OF_0_2, changed(DEMO / "gold.tsv", tmp_path), DATA[1])[0] == 1
    again = mm.reproduce(OF_0_2, *DATA)
    assert [one.what for one in again.settings] == ["task", "classes", "kind", "average"]
    assert again.numbers == ()
    assert again.to_dict()["version"] == {"signature": "0.2.0", "here": mm.__version__}
    drop = OF_0_2.replace("|counts", "|missing:drop|undefined:zero|counts")
    assert mm.reproduce(drop, *DATA).same


def test_the_short_signature_of_a_table_is_enough(run, tmp_path):
    _, out, _ = run("evaluate", *DATA, *CLASSES, "--measures", "cem_ord")
    short = next(line for line in out.splitlines() if line.startswith("Signature: "))
    status, out, _ = run("reproduce", short, *DATA)
    assert status == 0
    assert "one digest of all" in out
    assert run("reproduce", short, changed(DEMO / "gold.tsv", tmp_path), DATA[1])[0] == 1


def test_columns_are_named_as_for_evaluate(asked, tmp_path):
    for path in DEMO.rglob("*.tsv"):
        target = tmp_path / path.relative_to(DEMO)
        target.parent.mkdir(exist_ok=True)
        target.write_text(path.read_text(encoding="utf-8").replace("item\t", "pair\t", 1), encoding="utf-8")
    signature = signature_of(asked, "evaluate", *DATA, *CLASSES, "--measures", "cem_ord")
    status, same = asked("reproduce", signature, tmp_path / "gold.tsv", tmp_path / "runs/*.tsv", "--item-column", "pair")
    assert (status, same["same"]) == (0, True)


def test_broken_runs_are_left_out_again(asked, tmp_path):
    (tmp_path / "broken.tsv").write_text("item\ttopic\tlabel\nnowhere\tairline\t7\n", encoding="utf-8")
    data = [*DATA, tmp_path / "broken.tsv"]
    signature = signature_of(asked, "evaluate", *data, *CLASSES, "--measures", "cem_ord", "--skip-broken")
    status, same = asked("reproduce", signature, *data)
    assert (status, same["here"]) == (0, signature)


def test_distances_are_needed_again(asked, tmp_path):
    rows = "\n".join(" ".join(str(abs(one - other) ** 2) for other in range(5)) for one in range(5))
    (tmp_path / "distance.txt").write_text(rows, encoding="utf-8")
    options = ["--measures", "kappa_weighted", "--distance", tmp_path / "distance.txt"]
    signature = signature_of(asked, "evaluate", *DATA, *CLASSES, *options)
    assert asked("reproduce", signature, *DATA, "--distance", tmp_path / "distance.txt")[1]["same"]
    assert asked("reproduce", signature, *DATA) == (
        2, "metameasure: it was made with distances between the classes; add --distance FILE\n",
    )  # fmt: skip


def test_a_plugin_is_needed_again_and_must_be_the_same(asked, tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from metameasure.plugin import hits, measure, namespace, ratio, total\n\n\n"
        '@measure(id="right", title="Right", better="higher", formula="x", source="You (2026). A Paper.")\n'
        "def right(counts):\n    return ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))\n",
        encoding="utf-8",
    )
    signature = signature_of(asked, "evaluate", *DATA, *CLASSES, "--measures", "right", "--plugin", plugin)
    assert asked("reproduce", signature, *DATA, "--plugin", plugin)[1]["same"]
    assert asked("reproduce", signature, *DATA) == (2, "metameasure: it was made with measures of mine.py; add --plugin FILE\n")
    with plugin.open("a", encoding="utf-8") as stream:
        stream.write("# another one\n")
    status, other = asked("reproduce", signature, *DATA, "--plugin", plugin)
    assert (status, verdicts(other["settings"]), other["numbers"]["same"]) == (1, {"plugin": "differs"}, True)


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("garbage", "'garbage' is no part of a signature"),
        ("", "'' is no part of a signature"),
        ("task:classification|version:0.3.0", "no digest of data or numbers"),
        (OF_0_2[:-15], "it ends before the version"),
        (f"command:cook|{OF_0_2}", "there is no result 'cook'"),
        (f"command:meta.cook|{OF_0_2}", "there is no question 'cook'"),
        (
            OF_0_2.replace("average:topics", "average:topics|interval:bootstrap|draws:many"),
            "'many' in the signature is not a number",
        ),
        (
            OF_0_2.replace("average:topics", "average:topics|level:high|interval:bootstrap"),
            "'high' in the signature is not a number",
        ),
        (OF_0_2.replace("topics|", "topics|partitions:x/seed:y|", 1), "'x' in the signature is not a number"),
        (OF_0_2.replace("topics|", "topics|measures:acuracy|", 1), "did you mean"),
        (OF_0_2.replace("task:classification", "task:cooking"), "there is no task 'cooking'"),
        (OF_0_2.replace("-2,-1,0,1,2", "a,b"), "is not one of the classes"),
    ],
)
def test_what_cannot_be_made_again_is_said(run, signature, said):
    status, out, err = run("reproduce", signature, *DATA)
    assert status in (1, 2)
    assert (out, "internal error" in err, "Traceback" in err) == ("", False, False)
    assert said in err


def test_files_that_are_not_there_and_data_of_another_kind(run, asked, scores):
    signature = signature_of(asked, "evaluate", *DATA, *CLASSES, "--measures", "cem_ord")
    assert run("reproduce", signature, "nowhere.tsv")[0] == 2
    assert "name gold and the runs" in run("reproduce", signature)[2]
    of_scores = signature_of(asked, "meta", "robustness", scores)
    status, out, err = run("reproduce", of_scores, *DATA)
    assert (status, out) == (2, "")
    assert "name the file of scores alone" in err


def test_the_answer_in_every_format(run):
    for form in ("table", "json", "csv", "tsv", "markdown", "latex", "html"):
        status, out, err = run("reproduce", OF_0_2, *DATA, "--format", form)
        assert (status, err) == (0, "")
        assert "data" in out


def calls(scores):
    """A call of every command that has a result."""
    on_scores = {name: 2 if options[0] == "meta" else 1 for name, options in ON_SCORES.items()}
    return {
        **{f"{name} on data": [one, *DATA, *CLASSES, *options] for name, (one, *options) in ON_DATA.items() if one != "check"},
        **{name: [*ON_SCORES[name][:words], scores, *ON_SCORES[name][words:]] for name, words in on_scores.items()},
        **{name: [one, RATINGS, "--classes", "1..5", *options] for name, (one, *options) in ON_RATINGS.items()},
        "axioms": ["axioms", "accuracy", "--trials", "0", "--properties", "bounded"],
    }


QUICK = ("evaluate on data", "compare", "table on data", "meta deltas", "agree", "axioms")


@pytest.mark.each_time(1)
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in calls(Path("scores.csv"))]
)
def test_every_result_is_signed_in_table_latex_and_page(run, tmp_path, scores, name):
    call = calls(scores)[name]
    assert run(*call)[1].count("Signature: ") == 1
    assert run(*call, "--format", "latex")[1].count("% Signature: command:") == 1
    if name in ("agree", "judge", "axioms"):
        assert run(*call, "--page", tmp_path / "page.html")[0] == 0
        assert "Signature: command:" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_difference():
    files = {"bold": DEMO / "runs/bold.tsv", "noisy": DEMO / "runs/noisy.tsv"}
    found = mm.difference(DEMO / "gold.tsv", files, "cem_ord", "bold", "noisy", classes="-2..2", trials=50)
    assert mm.reproduce(found.signature, DEMO / "gold.tsv", files).same
    other = mm.reproduce(found.signature, DEMO / "gold.tsv", files | {"noisy": DEMO / "runs/coarse.tsv"})
    assert not other.same
    assert verdicts(other.to_dict()["data"])["noisy"] == "differs"


def test_a_study():
    found = mm.study("avramidis2013")
    again = mm.reproduce(found.signature)
    assert again.same
    assert found.to_dict()["signature_parts"]["studies"] == ["avramidis2013"]
    is_told_as_data(found.to_dict())
    assert "there are none" in str(again)
