"""A number keeps its sign, whatever the sign is written with: a minus of typography and a plus are read as what they are."""

import json

import pandas as pd
import pytest

import metameasure as mm
from engines import spark
from metameasure.core.errors import UsageError, did_you_mean

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")

MINUS = "\N{MINUS SIGN}"
ITEMS = "item\tlabel\n"
PLAIN = {"gold": ("-1", "-1", "1", "1", "-1"), "run": ("-1", "-1", "1", "1", "0")}
OTHER = {"gold": (f"{MINUS}1", "-1", "+1", "1", f"{MINUS}1"), "run": ("-1", f"{MINUS}1", "1", "+1", "0")}
COUNTED = {"gold": 3, "run": 2}


@pytest.fixture(params=["duckdb", "spark"])
def engine(request):
    return {} if request.param == "duckdb" else {"engine": "spark", "master": spark().address}


def labels(folder, written):
    for name, column in written.items():
        text = ITEMS + "".join(f"{place}\t{label}\n" for place, label in enumerate(column))
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    return folder / "gold.tsv", [folder / "run.tsv"]


def counts_in(notes):
    """What the notes count, by whose labels they are."""
    said = [note for note in notes if "with another sign" in note]
    return {note.partition(":")[0]: int(note.split()[1]) for note in said}


@pytest.mark.parametrize(
    "how", [{}, {"task": "entailment", "positive": "1", "neutral": "0", "negative": "-1"}, {"kind": "interval"}]
)
def test_files(tmp_path, engine, how):
    how = how if "task" in how else {"classes": "-2..2", **how}
    found, expected = (mm.evaluate(*labels(tmp_path, one), **how, **engine) for one in (OTHER, PLAIN))
    assert found.signature == expected.signature
    assert found.to_dict()["runs"] == expected.to_dict()["runs"]
    assert counts_in(found.notes) == COUNTED
    assert counts_in(expected.notes) == {}


def test_numbers_that_are_cut_into_classes(tmp_path, engine):
    """Numbers of any column are read alike."""
    how = {"classes": "-2..2", "bins": (-1.5, -0.5, 0.5, 1.5), **engine}
    found, expected = (mm.evaluate(*labels(tmp_path, one), **how) for one in (OTHER, PLAIN))
    assert found.signature == expected.signature


def test_frames_and_sequences():
    frames = {name: pd.DataFrame({"item": range(5), "label": column}) for name, column in OTHER.items()}
    scores = mm.evaluate(frames["gold"], {"run": frames["run"]}, classes=[-2, -1, 0, 1, 2], measures="accuracy")
    assert scores["run"]["accuracy"] == 0.8
    assert counts_in(scores.notes) == COUNTED
    assert mm.score(OTHER["gold"], OTHER["run"], "accuracy", classes="-2..2") == 0.8


def test_the_table_the_json_and_check_say_so(run, tmp_path):
    gold, runs = labels(tmp_path, OTHER)
    for command in (("evaluate", "--measures", "accuracy"), ("check",)):
        arguments = (command[0], gold, *runs, "--classes", "-2..2", *command[1:])
        status, out, _ = run(*arguments)
        assert status == 0
        assert f"gold: 3 labels with another sign read as the same number ('+1' as '1', '{MINUS}1' as '-1'" in out
        status, out, _ = run(*arguments, "--format", "json")
        assert counts_in(json.loads(out)["notes"]) == COUNTED


def test_side_by_side(tmp_path):
    rows = zip(range(5), OTHER["gold"], OTHER["run"], strict=True)
    (tmp_path / "both.tsv").write_text("item\tgold\trun\n" + "".join(f"{i}\t{g}\t{r}\n" for i, g, r in rows), encoding="utf-8")
    scores = mm.evaluate(tmp_path / "both.tsv", classes="-2..2", measures="accuracy")
    assert scores["run"]["accuracy"] == 0.8
    assert counts_in(scores.notes) == COUNTED


@pytest.mark.parametrize("memory", [None, "1GB"])
def test_distributions(tmp_path, engine, memory):
    (tmp_path / "wide.tsv").write_text(f"topic\t{MINUS}1\t+1\na\t.5\t.5\nb\t.1\t.9\n", encoding="utf-8")
    (tmp_path / "long.tsv").write_text(f"topic\tclass\tprobability\na\t{MINUS}1\t.5\na\t1\t.5\nb\t-1\t.1\nb\t1\t.9\n", "utf-8")
    how = {"task": "quantification", "classes": "-1,1", "measures": "nmd", "memory": memory, **engine}
    if memory and engine:
        pytest.skip("does not apply: memory is DuckDB's")
    scores = mm.evaluate(tmp_path / "wide.tsv", [tmp_path / "long.tsv"], **how)
    assert scores["long"]["nmd"] == 0
    assert counts_in(scores.notes) == {"gold": 4, "long": 1}


def test_ratings(run, tmp_path):
    rows = [
        (f"{MINUS}1", "-1", "-1"),
        ("+1", "1", "0"),
        ("0", "1", "0"),
        ("-1", "0", "1"),
        *[("1", "1", "1"), ("0", "0", "0")] * 15,
    ]
    people = tmp_path / "people.tsv"
    judge = tmp_path / "judge.tsv"
    lines = (f"{item}\t{who}\t{label}\n" for item, both in enumerate(rows) for who, label in zip("abc", both, strict=True))
    people.write_text("item\tannotator\tlabel\n" + "".join(lines), encoding="utf-8")
    judge.write_text(ITEMS + "".join(f"{item}\t{first}\n" for item, (first, *_) in enumerate(rows)), encoding="utf-8")
    status, out, _ = run("agree", people, "--classes", "-1..1", "--format", "json")
    assert status == 0
    assert list(counts_in(json.loads(out)["notes"]).values()) == [2]
    status, out, _ = run("judge", people, judge, "--classes", "-1..1", "--format", "json")
    assert status == 0
    assert list(counts_in(json.loads(out)["notes"]).values()) == [2, 2]


def test_classes_are_declared_with_any_sign():
    assert mm.measures["accuracy"]([[1, 0], [0, 1]], classes=f"{MINUS}1..0") == 1
    assert mm.score(["-1", "1"], [f"{MINUS}1", "+1"], "accuracy", classes=f"{MINUS}1,0,+1") == 1
    assert mm.score(["-1", "1"], [f"{MINUS}1", "-1"], "mae", classes=f"-1={MINUS}1,1=+1") == 1


def test_two_classes_with_their_own_signs_stay_two():
    """What is declared comes first."""
    assert mm.score(["+1", "1"], ["1", "1"], "accuracy", classes=["1", "+1"]) == 0.5


@pytest.mark.each_time(1)
@pytest.mark.parametrize("sign", [MINUS, "\N{EN DASH}", "\N{NON-BREAKING HYPHEN}", "\N{FULLWIDTH HYPHEN-MINUS}", "- ", "+-"])
def test_no_hint_changes_a_sign(run, tmp_path, sign):
    gold, runs = labels(tmp_path, PLAIN | {"run": ("-1", "-1", "1", "1", f"{sign}7")})
    status, _, err = run("evaluate", gold, *runs, "--classes", "-2..7")
    assert status == 1
    assert "did you mean" not in err
    assert "the classes are" in err
    assert did_you_mean(f"{sign}7", ["7"]) == ""
    with pytest.raises(UsageError, match="the classes are"):
        mm.evaluate(*labels(tmp_path, PLAIN), classes="-2..7", measures="accuracy", missing=f"class:{sign}7")
