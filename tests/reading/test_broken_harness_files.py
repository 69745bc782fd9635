"""Damaged and foreign files of evaluation harnesses: each gets an error that names what it is."""

from __future__ import annotations

import json
import zipfile

import pytest

import harnesses


def copied(sample, folder, name=""):
    path = folder / (name or sample.name)
    path.write_bytes(sample.read_bytes())
    return path


HEADER, SAMPLES = harnesses.inspect_header(), harnesses.inspect_samples([(1, 1, "C"), (2, 1, "I"), (3, 1, "P")])
MAKERS = {
    "lm-eval": lambda folder: harnesses.lm_eval(folder, "m", "sums", {"acc": [1, 0, 1]}),
    "inspect": lambda folder: harnesses.inspect_json(folder / "log.json", HEADER, SAMPLES),
    "archive": lambda folder: harnesses.inspect_archive(folder / "log.eval", HEADER, SAMPLES),
    "helm": lambda folder: harnesses.helm(folder, "org/m", [("id1", 0, {"em": (1, 1)}), ("id2", 0, {"em": (1, 0)})]),
    "eee": lambda folder: harnesses.eee(
        folder, "m", [("1", "a", 1.0, True), ("2", "a", 0.0, False)], {"a": {"metric_name": "acc"}}
    ),
    "swebench": lambda folder: harnesses.swebench(folder / "m.r.json", resolved=["x__1"], error=["x__2"]),
    "evalplus": lambda folder: harnesses.evalplus(folder / "m_eval_results.json", {"H/0": [("pass", "fail")]}),
    "nemo": lambda folder: harnesses.nemo(folder / "m", [(0, 0, 1.0), (1, 0, 0.0)]),
    "opencompass": harnesses.opencompass,
    "promptfoo": harnesses.promptfoo,
    "mteb": lambda folder: copied(harnesses.SAMPLES / "mteb/mteb__baseline-random-encoder/2/MockSTSTask.json", folder),
    "lighteval": lambda folder: copied(harnesses.SAMPLES / "lighteval.parquet", folder, "details_sums_1.parquet"),
}
NOT_AN_OBJECT = "this is not a JSON object; JSONL has one object per line"
CUT = {
    "lm-eval": f":3: {NOT_AN_OBJECT}",
    "inspect": "this is a log of Inspect that is damaged or cut short",
    "archive": "this log of Inspect is damaged or cut short",
    "helm": "this is a file of HELM's statistics of instances that is damaged or cut short",
    "eee": f":2: {NOT_AN_OBJECT}",
    "swebench": "this is not JSON (",
    "evalplus": "this is a file of results of EvalPlus that is damaged or cut short",
    "nemo": f":2: {NOT_AN_OBJECT}",
    "opencompass": "this is a file of results of OpenCompass that is damaged or cut short",
    "promptfoo": "this is a file of results of promptfoo that is damaged or cut short",
    "mteb": "this is not JSON (",
    "lighteval": "cannot be read as Parquet",
}
CHANGED = {
    "lm-eval, a score of text": ("lm-eval", '"acc": 0', '"acc": "good"', ":2: acc is good, which is no score of an item"),
    "lm-eval, no document": ("lm-eval", '"doc_id": 1,', "", ":2: the row has no item"),
    "lm-eval, no score": ("lm-eval", '"metrics": ["acc"]', '"metrics": []', ":1: the line has no score; lm_eval writes samples"),
    "Inspect, a word": ("inspect", '"value": "C"', '"value": "great"', "match is great, which is no score of an item"),
    "Inspect, samples": ("inspect", '"samples": [', '"samples": "x", "others": [', "something in it is not as it should be"),
    "HELM, a count of text": ("helm", '"count": 1', '"count": "x"', "HELM's statistics of instances, but something in it is not"),
    "EEE, an evaluation of text": (
        "eee",
        '"evaluation": {',
        '"evaluation": "x", "e": {',
        "samples of Every Eval Ever, but something",
    ),
    "SWE-bench, no list": ("swebench", '"resolved_ids"', '"others"', "'resolved_ids' is not a list of instances"),
    "SWE-bench, no total": ("swebench", '"total_instances": 2', '"total_instances": "2"', "'total_instances' is not a number"),
    "EvalPlus, a status": ("evalplus", '"plus_status": "fail"', '"plus_status": "?"', "plus is left out, because it is"),
    "OpenCompass, no verdict": ("opencompass", '"correct"', '"corrected"', "do not say which items are correct"),
    "OpenCompass, a word": ("opencompass", '"correct": true', '"correct": "sure"', "accuracy is sure, which is no score"),
    "OpenCompass, details": (
        "opencompass",
        '"details": {',
        '"details": "GEN", "type": {',
        "something in it is not as it should be",
    ),
    "promptfoo, a word": ("promptfoo", '"success": true', '"success": "yes"', "success is left out, because it is"),
    "promptfoo, no rows": ("promptfoo", '"results": [', '"results": "x", "r": [', "something in it is not as it should be"),
    "NeMo, a reward of text": ("nemo", "1.0", '"good"', ":1: reward is good, which is no score of an item"),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_file_that_is_cut_short(run, tmp_path, name):
    path = MAKERS[name](tmp_path)
    assert run("evaluate", path, "--task", "outcomes")[0] == 0
    path.write_bytes(path.read_bytes()[:-30])
    status, out, err = run("evaluate", path, "--task", "outcomes")
    assert (status, out) == (1, ""), err
    assert str(path) in err
    assert CUT[name] in err


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_wrong_in_it(run, tmp_path, name):
    maker, old, new, said = CHANGED[name]
    path = MAKERS[maker](tmp_path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    status, out, err = run("evaluate", path, "--task", "outcomes")
    assert said in out + err
    assert status == ("left out" not in said)


@pytest.mark.parametrize("name", MAKERS)
def test_another_task_says_which_task_it_is_for(run, tmp_path, name):
    path = MAKERS[name](tmp_path)
    status, _, err = run("evaluate", path, path, "--task", "quantification", "--classes", "a,b")
    assert status in (1, 2)
    assert "add --task outcomes" in err or "given twice" in err or "gold file itself" in err
    status, _, err = run("check", path, "--task", "quantification", "--classes", "a,b")
    assert status == 1
    assert "; add --task outcomes" in err


@pytest.mark.parametrize(
    ("name", "members", "said"),
    [
        ("log.eval", {"x.txt": "hello"}, "this is no log of Inspect, although its name says so"),
        ("log.zip", {"x.txt": "hello"}, "this is a ZIP archive, not a table; unpack it"),
        ("log.csv", {"[Content_Types].xml": "hello"}, "this is an Excel workbook, not a table; export it as CSV"),
        ("log.eval", {"header.json": "{no", "summaries.json": "[]"}, "this is a log of Inspect that is damaged"),
        ("log.eval", {"header.json": json.dumps(HEADER)}, "this log of Inspect holds no samples"),
        ("log.eval", {"header.json": json.dumps(HEADER), "summaries.json": "[]"}, "this log of Inspect holds no scores"),
    ],
)
def test_archives(run, tmp_path, name, members, said):
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    status, out, err = run("evaluate", tmp_path / name, "--task", "outcomes")
    assert (status, out) == (1, "")
    assert said in err


@pytest.mark.needs("shared-data")
def test_damaged_zstandard(run, tmp_path, shared_data):
    whole = shared_data / "harness/inspect/mock_epochs3.eval"
    with zipfile.ZipFile(whole) as archive:
        place = archive.getinfo("summaries.json").header_offset
    content = whole.read_bytes()
    (tmp_path / "log.eval").write_bytes(content[: place + 300] + bytes(20) + content[place + 320 :])
    status, out, err = run("evaluate", tmp_path / "log.eval", "--task", "outcomes")
    assert (status, out) == (1, "")
    assert "this is a log of Inspect that is damaged or cut short" in err


def test_what_lies_beside_is_named_too(run, tmp_path):
    path = MAKERS["lm-eval"](tmp_path)
    beside = path.with_name(f"results_{harnesses.DATE}.json")
    beside.write_text("{no")
    status, _, err = run("evaluate", path, "--task", "outcomes")
    assert status == 1
    assert f"{beside}: results_{harnesses.DATE}.json, which lies beside, is not JSON" in err


def test_folders_without_such_files(run, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    status, _, err = run("evaluate", tmp_path, "--task", "outcomes")
    assert status == 2
    name_them = f"name its files, as in '{tmp_path}/*.txt'"
    assert f"'{tmp_path}' is a folder without files of an evaluation harness that are known; {name_them}" in err
    status, _, err = run("evaluate", tmp_path, "--classes", "0,1")
    assert status == 2
    assert f"'{tmp_path}' is a folder, and its files have no column 'gold'; {name_them}" in err
