"""The row of docs/validity.md behind each interval and p-value, in every command that has any."""

import json

import numpy as np
import pytest

import metameasure as mm
from meta_cases import long_file, matrix, three_measures
from metameasure.core.validity import METHODS, named

PEOPLE = [["item", "annotator", "label"]] + [
    [item, name, 1 + (item + (item % share == 0)) % 3]
    for share, name in ((5, "ann"), (6, "bob"), (7, "cyd"), (4, "gpt"), (9, "llm"))
    for item in range(45)
]
JUDGES = ("--classes", "1..3", "--judges", "gpt,llm", "--trials", "20")


@pytest.fixture
def files(tmp_path):
    table = "".join(",".join(map(str, row)) + "\n" for row in PEOPLE)
    (tmp_path / "ratings.csv").write_text(table, encoding="utf-8")
    long_file(tmp_path / "scores.csv", three_measures())
    return tmp_path


AGREE, META = ("ratings.csv", "--classes", "1..3", "--trials", "20"), ("scores.csv", "--trials", "20")
CALLS = [
    (("agree", *AGREE), {"interval": "interval/agreement/auto", "by_annotator": "interval/agreement/auto"}),
    (
        ("agree", *AGREE, "--interval", "gwet"),
        {"interval": "interval/agreement/gwet", "by_annotator": "interval/agreement/bootstrap"},
    ),
    (
        ("judge", "ratings.csv", *JUDGES),
        {
            "interval": "interval/judges/difference",
            "people": "test/judges/people",
            "alt_test": "test/judges/alt-test",
            "bias": "interval/judges/bias",
            "difference": "interval/judges/pairs",
            "p": "test/judges/max-t",
        },
    ),
    (("meta", "consistency", *META), {"interval": "interval/meta/consistency", "p": "test/meta/consistency"}),
    (
        ("meta", "consistency", *META, "--test", "splits"),
        {"interval": "interval/meta/consistency", "p_topics": "test/meta/consistency"},
    ),
    (("meta", "discrimination", *META), {"p": "test/tukey", "p_measures": "test/meta/power"}),
    (("meta", "discrimination", *META, "--test", "stepwise"), {"p": "test/stepwise", "p_measures": "test/meta/power"}),
    (("meta", "similarity", *META), {"interval": "interval/meta/similarity"}),
    (("meta", "deltas", "scores.csv", "--runs", "r1,r2"), {"interval": "interval/meta/deltas"}),
    (
        ("meta", "all", *META, "--splits", "20"),
        {"p": "test/tukey", "p_consistency": "test/meta/consistency", "p_power": "test/meta/power"},
    ),
    (("design", *META), {"variance_range": "interval/design/variance"}),
    (
        ("design", *META, "--difference", ".3"),
        {
            "variance_range": "interval/design/variance",
            "topics_range": "interval/design/variance",
            "topics_assured": "interval/design/assured",
        },
    ),
]


@pytest.mark.each_time(2)
@pytest.mark.parametrize(("call", "methods"), CALLS, ids=lambda one: " ".join(one) if isinstance(one, tuple) else "")
def test_every_command_names_the_methods_behind_its_numbers(run, files, monkeypatch, call, methods):
    monkeypatch.chdir(files)
    found = json.loads(run(*call, "--format", "json")[1])
    assert found["validity"] == methods
    assert {*methods.values()} <= {*METHODS}
    plain, asked = run(*call)[1], run(*call, "--validity")[1]
    assert "alidity of" not in plain
    assert asked.count("Validity of") == len({*methods.values()})
    spoken = " ".join(asked.split())
    assert all(f": {method} (" in spoken for method in methods.values())
    named_in_json = json.loads(run(*call, "--validity", "--format", "json")[1])
    assert named_in_json["signature"] == found["signature"]  # what is said changes no number
    assert [*named_in_json["notes"][-len({*methods.values()}) :]] == named(methods)


def test_the_questions_behind_the_summary_name_theirs(files):
    inside = mm.meta.summary(str(files / "scores.csv"), trials=20, splits=20).to_dict()["answers"]
    assert inside["similarity"]["validity"] == {"interval": "interval/meta/similarity"}
    assert inside["discrimination"]["validity"] == {"p": "test/tukey", "p_measures": "test/meta/power"}


def test_in_python_too(files):
    found = mm.agree(str(files / "ratings.csv"), classes="1..3", validity=True, trials=20)
    assert found.notes[-1].startswith("validity of the intervals and intervals of the annotators: interval/agreement/auto")
    one = matrix("kappa", np.random.default_rng(0).random((12, 3)))
    assert mm.meta.consistency(one, splits=20).validity == {"interval": "interval/meta/consistency"}  # there are no two measures
    asked = mm.meta.similarity(three_measures(), trials=20, validity=True, leave_out="r1")
    assert [note for note in asked.notes if note.startswith("validity")] == named({"interval": "interval/meta/similarity"})
