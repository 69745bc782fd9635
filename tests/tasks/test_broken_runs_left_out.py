"""``--skip-broken``: every command that reads several runs leaves out the broken ones and says which; unasked, none does."""

import json

import pandas as pd
import pytest

import metameasure as mm

ITEMS = [f"t{topic}-{place}" for topic in range(8) for place in range(6)]
CLASSES = ("--classes", "a,b")
MEASURED = ("--measures", "accuracy")
COMMANDS = {
    "evaluate": MEASURED,
    "compare": MEASURED,
    "ranks": MEASURED,
    "table": (),
    "advise": (),
    "gate": (*MEASURED, "--margin", ".5", "--baseline", "good", "--candidate", "fine"),
}
SAID = "left out, because it is broken: "


def _labels(changed):
    rows = [(item, item.split("-")[0], "ab"[place % 2 if place % changed else 1 - place % 2]) for place, item in enumerate(ITEMS)]
    return pd.DataFrame(rows, columns=["item", "topic", "label"])


@pytest.fixture
def files(tmp_path):
    for name, changed in {"gold": 1000, "good": 7, "fine": 5}.items():
        _labels(changed).to_csv(tmp_path / f"{name}.csv", index=False)
    _labels(3).iloc[:-2].to_csv(tmp_path / "short.csv", index=False)
    (tmp_path / "odd.csv").write_text("nothing\n1\n")
    return [tmp_path / f"{name}.csv" for name in ("gold", "good", "odd", "fine", "short")]


def _left_out(notes):
    return sorted(note.removeprefix(SAID).split(" ")[0] for note in notes if note.startswith(SAID))


@pytest.mark.each_time(1)
@pytest.mark.parametrize("command", COMMANDS)
def test_broken_runs_are_left_out_and_named(run, files, command):
    call = (command, *files, *CLASSES, *COMMANDS[command], "--format", "json")
    status, out, err = run(*call)
    assert (status, out) == (1, ""), "unasked, no run is left out"
    assert "odd.csv:1: " in err
    status, out, err = run(*call, "--skip-broken")
    assert (status, err) == (0, ""), err
    answer = json.loads(out)
    assert _left_out(answer["notes"]) == ["odd", "short"]
    assert {finding["kind"] for finding in answer["findings"]} >= {"broken run left out"}
    assert "|skip_broken:yes|" in answer["signature"]
    whole = json.loads(run(command, files[0], files[1], files[3], *CLASSES, *COMMANDS[command], "--format", "json")[1])
    same = {"runs", "p", "means", "primary", "verdict", "measures"} & {*answer}
    assert same
    assert {name: answer[name] for name in same} == {name: whole[name] for name in same}
    assert _left_out(whole["notes"]) == []
    assert "skip_broken" not in whole["signature"]
    status, out, err = run("reproduce", answer["signature"], *files, "--format", "json")
    assert status == 0, out + err
    assert json.loads(out)["same"]


def test_people_are_told_whatever_else_is_said(run, files):
    for command in ("compare", "advise"):
        _, out, _ = run(command, *files, *CLASSES, *COMMANDS[command], "--skip-broken")
        assert "Left out, because it is broken: odd (" in out, command
        assert "Left out, because it is broken: short (" in out, command


def test_counted_evidence_says_it_too(run, tmp_path, files):
    target = tmp_path / "evidence.npz"
    assert run("count", *files, *CLASSES, "-o", target)[0] == 1
    status, out, err = run("count", *files, *CLASSES, "-o", target, "--skip-broken")
    assert (status, err) == (0, "")
    assert out.count("Left out, because it is broken: ") == 2
    answer = json.loads(run("evaluate", target, *MEASURED, "--format", "json")[1])
    assert _left_out(answer["notes"]) == ["odd", "short"]
    status, _, err = run("count", *files, *CLASSES, "-o", target, "--skip-broken", "--resume")
    assert status == 2
    assert "--skip-broken looks at all runs first, and --resume counts each by itself" in err


def test_too_few_are_left(run, files):
    gold, good, odd, _, short = files
    for command in ("compare", "ranks"):
        status, out, err = run(command, gold, good, odd, short, *CLASSES, *MEASURED, "--skip-broken")
        assert (status, out) == (1, ""), "one run is compared with nothing"
        assert "odd.csv:1: " in err


def test_a_gate_needs_its_two_runs(run, files):
    flags = (*CLASSES, *MEASURED, "--margin", ".5", "--skip-broken")
    status, out, err = run("gate", *files, *flags, "--baseline", "good", "--candidate", "short")
    assert (status, out) == (1, "")
    assert "short.csv: item 't7-4'" in err
    assert "odd.csv" not in err
    status, _, err = run("gate", files[0], files[1], files[2], *flags)
    assert status == 1
    assert "odd.csv:1: " in err
    status, _, err = run("gate", files[1], files[3], "--margin", ".5", "--skip-broken")
    assert status == 2
    assert "--skip-broken is for gold and the outputs of several runs" in err


@pytest.mark.parametrize("command", ["compare", "ranks", "advise", "gate", "report"])
def test_scores_have_no_broken_runs(run, tmp_path, files, command):
    scores = tmp_path / "scores.csv"
    run("evaluate", files[0], files[1], files[3], *CLASSES, *MEASURED, "--scores", scores)
    flags = {"gate": COMMANDS["gate"], "report": ("-o", tmp_path / "page.html")}.get(command, ())
    status, _, err = run(command, scores, "--skip-broken", *flags)
    assert status == 2
    assert "--skip-broken is for " in err


def test_a_broken_judge(run, tmp_path):
    people = pd.DataFrame(
        [(item, person, "ab"[(place + (place % odd == 0)) % 2]) for person, odd in (("ann", 7), ("bob", 11), ("cyd", 5))
         for place, item in enumerate(ITEMS)], columns=["item", "annotator", "label"])  # fmt: skip
    people.to_csv(tmp_path / "people.csv", index=False)
    judge = pd.DataFrame({"item": ITEMS, "label": ["ab"[place % 2] for place in range(len(ITEMS))]})
    judge.to_csv(tmp_path / "judge.csv", index=False)
    (tmp_path / "odd.csv").write_text("nothing\n1\n")
    call = ("judge", tmp_path / "people.csv", tmp_path / "odd.csv", tmp_path / "judge.csv", *CLASSES, "--trials", 50)
    status, _, err = run(*call)
    assert status == 1
    assert "odd.csv:1: " in err
    status, out, err = run(*call, "--skip-broken", "--format", "json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert [one["judge"] for one in answer["judges"]] == ["judge"]
    assert _left_out(answer["notes"]) == ["odd"]
    status, out, _ = run("reproduce", answer["signature"], *call[1:4], "--format", "json")
    assert status == 0, out
    assert run(*call[:3], *CLASSES, "--skip-broken")[0] == 1, "no judge is left"


def test_from_python():
    gold, runs = _labels(1000), {"good": _labels(7), "fine": _labels(5), "short": _labels(3).head(3)}
    with pytest.raises(mm.DataError):
        mm.compare(gold, runs, "accuracy", classes="a,b")
    found = mm.compare(gold, runs, "accuracy", classes="a,b", skip_broken=True)
    assert set(found.runs) == {"good", "fine"}
    assert _left_out(found.notes) == ["short"]


@pytest.mark.parametrize("order", [("a", "odd", "b"), ("odd", "a", "b")])
def test_of_outcomes_the_first_file_is_a_run_too(run, tmp_path, order):
    for place, name in enumerate(("a", "b"), start=3):
        (tmp_path / f"{name}.csv").write_text("item,score\n" + "".join(f"{one},{one % place % 2}\n" for one in range(20)))
    (tmp_path / "odd.csv").write_text("item,score\n1,x\n")
    files = [tmp_path / f"{name}.csv" for name in order]
    status, out, err = run("compare", *files, "--better", "higher", "--skip-broken", "--format", "json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert sorted(answer["runs"]) == ["a", "b"]
    assert _left_out(answer["notes"]) == ["odd"]
