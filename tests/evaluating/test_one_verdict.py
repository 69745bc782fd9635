"""A run gets the same verdict whatever runs stand beside it: from check, from evaluate, with --skip-broken and on a platform."""

import json
import random
from itertools import chain, combinations

import pytest

import metameasure as mm
from metameasure.competition.scoring import SETTINGS, score_submission
from metameasure.core.problems import DataProblems

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
ROWS = [(str(item), "xy"[item % 2], "ab"[item // 2 % 2]) for item in range(1, 31)]
CLASSES = ("--classes", "a,b")


def tsv(rows, header=("item", "topic", "label")):
    return "".join("\t".join(row) + "\n" for row in (header, *rows)).encode()


def without_topics(rows):
    return tsv([(item, label) for item, _, label in rows], ("item", "label"))


FILES = {
    "sound.tsv": tsv(ROWS),
    "topicless.tsv": without_topics(ROWS),
    "wrong-topic.tsv": tsv([("1", "x", "a"), *ROWS[1:]]),
    "latin-1.tsv": tsv(ROWS).replace(b"1\ty\ta", b"1\t\xe9\ta", 1),
    "latin-1-text.tsv": tsv([(*row, "text") for row in ROWS], ("item", "topic", "label", "note")).replace(b"text", b"t\xe9xt"),
    "topicless-and-wrong.tsv": without_topics([*ROWS[:-2], ("99", "", "a"), ("98", "", "b"), ("1", "", "a"), ("", "", "b")]),
    "labels.tsv": tsv([(item, topic, "z") for item, topic, _ in ROWS]),
    "fields.csv": tsv(ROWS).replace(b"\t", b",").replace(b"7,y,", b"7,y,,"),
    "header.tsv": tsv(ROWS, ("item", "topic", "answer")),
    "empty.tsv": b"",
}
SOUND = {"sound.tsv", "topicless.tsv", "latin-1-text.tsv"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "gold.tsv").write_bytes(tsv(ROWS))
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def verdicts(folder, names):
    """What ``check`` says of each of some runs."""
    check = mm.check(folder / "gold.tsv", [folder / name for name in names], classes="a,b")
    assert not check.gold_problems
    return {name: tuple(map(str, run.problems)) for name, run in zip(names, check.runs, strict=True)}


def subsets(sizes):
    return chain.from_iterable(combinations(FILES, size) for size in sizes)


def agree(folder, chosen):
    alone = {name: verdicts(folder, [name])[name] for name in FILES}
    assert {name for name, problems in alone.items() if not problems} == SOUND
    for names in chosen:
        assert verdicts(folder, names) == {name: alone[name] for name in names}


@pytest.mark.thorough
def test_beside_others(folder):
    some = random.Random(0).sample([*subsets(range(2, len(FILES)))], 2)  # noqa: S311 - no secret
    agree(folder, [*some, tuple(FILES), tuple(FILES)[::-1]])


@pytest.mark.slow
def test_in_every_subset(folder):
    agree(folder, subsets(range(2, len(FILES) + 1)))


def test_a_full_list_cuts_nothing_short(folder):
    """Ten wrong labels and ten items missing, behind a run with fifteen problems of its own."""
    first = tsv([(item, topic, label if place >= 15 else "z") for place, (item, topic, label) in enumerate(ROWS)])
    second = tsv([(item, topic, label if place >= 10 else "z") for place, (item, topic, label) in enumerate(ROWS[:20])])
    for name, data in (("first.tsv", first), ("second.tsv", second)):
        (folder / name).write_bytes(data)
    alone = {name: verdicts(folder, [name])[name] for name in ("first.tsv", "second.tsv")}
    assert len(alone["second.tsv"]) == 2
    assert verdicts(folder, ["first.tsv", "second.tsv"]) == alone


@pytest.mark.thorough
def test_evaluate_and_platforms_say_the_same(run, folder):
    reference = folder / "reference"
    reference.mkdir()
    (reference / "gold.tsv").write_bytes(tsv(ROWS))
    (reference / SETTINGS).write_text(json.dumps({"gold": "gold.tsv", "classes": "a,b", "measures": "accuracy"}))
    for name in FILES:
        call = "evaluate", folder / "gold.tsv", folder / name, *CLASSES, "--measures", "accuracy"
        expected = (0 if name in SOUND else 1,) * 3
        found = (
            run(*call)[0],
            run(*call, "--skip-broken")[0],
            score_submission(reference, folder / name, folder / "output"),
        )
        assert found == expected, name


@pytest.mark.thorough
def test_skip_broken_leaves_out_what_check_finds(run, folder):
    rng = random.Random(0)  # noqa: S311 - no secret
    for _ in range(4):
        names = rng.sample(sorted(FILES), rng.randint(2, len(FILES)))
        if SOUND.isdisjoint(names):
            continue
        files = [folder / name for name in names]
        status, out, err = run(
            "evaluate", folder / "gold.tsv", *files, *CLASSES, "--skip-broken", "--measures", "accuracy", "--format", "json"
        )
        assert status == 0, err
        answer = json.loads(out)
        assert {one["run"] for one in answer["runs"]} == {name.partition(".")[0] for name in SOUND.intersection(names)}
        assert all(one["scores"]["accuracy"] == 1 for one in answer["runs"])


def test_topics_of_gold_for_runs_without(run, folder):
    """The same scores with topics of the run's own, with gold's, and beside each other."""
    outs = []
    for names in (["sound.tsv"], ["topicless.tsv"], ["sound.tsv", "topicless.tsv"]):
        files = [folder / name for name in names]
        status, out, err = run("evaluate", folder / "gold.tsv", *files, *CLASSES, "--measures", "kappa", "--format", "json")
        assert status == 0, err
        outs += [one["scores"] for one in json.loads(out)["runs"]]
    assert all(one == outs[0] for one in outs)


def test_ids_that_repeat_across_topics_need_topics_in_the_run(run, tmp_path):
    """The run that has none is broken, not gold and not the other run."""
    rows = [("1", "x", "a"), ("1", "y", "b")]
    for name, data in (("gold", tsv(rows)), ("good", tsv(rows)), ("bad", without_topics(rows))):
        (tmp_path / f"{name}.tsv").write_bytes(data)
    for others in ((), ("good.tsv",)):
        status, out, err = run("check", *(tmp_path / name for name in ("gold.tsv", "bad.tsv", *others)), *CLASSES)
        assert status == 1
        assert f"{tmp_path / 'bad.tsv'}:1: there is no column 'topic'; add the column: gold has item '1' in several topics" in err
        assert "gold.tsv:" not in err
        assert ("ok  good: 2 items" in out) == bool(others)


@pytest.mark.parametrize("engine", ["pandas", "spark"])
def test_frames(engine):
    from engines import made

    def frame(rows, *names):
        places = [("item", "topic", "label").index(name) for name in names]
        return made(engine, {name: [row[place] for row in rows] for name, place in zip(names, places, strict=True)}, None, "")

    gold, wrong = frame(ROWS, "item", "topic", "label"), frame([("1", "x", "a"), *ROWS[1:]], "item", "topic", "label")
    bare = frame(ROWS, "item", "label")
    found = mm.check(gold, {"wrong": wrong, "bare": bare}, classes="a,b")
    assert [one.run for one in found.runs if one.ok] == ["bare"]
    with pytest.raises(DataProblems, match="item '1' of topic 'x' is not in gold"):
        mm.evaluate(gold, {"wrong": wrong, "bare": bare}, classes="a,b")
    scores = mm.evaluate(gold, {"sound": gold, "bare": bare}, classes="a,b", measures="accuracy")
    assert scores.averages().tolist() == [[1, 1]]
    assert len(scores.topics) == 2
