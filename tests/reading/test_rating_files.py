"""Ratings in every shape are the same ratings, and what is wrong with them is said by file and line."""

import json

import pandas as pd
import polars as pl
import pytest

import metameasure as mm
from metameasure.cli import main
from metameasure.core.errors import DataError
from rating_cases import K, by_annotator

PEOPLE = by_annotator(K)
ITEMS = [f"i{place}" for place in range(12)]


def long_rows():
    return [(item, who, PEOPLE[who][item]) for who in PEOPLE for item in ITEMS if item in PEOPLE[who]]


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def in_shape(shape, folder):  # noqa: PLR0911 - one for each shape
    """The ratings in one of the shapes, and how to read them."""
    wide = {"item": ITEMS} | {who: [PEOPLE[who].get(item) for item in ITEMS] for who in PEOPLE}
    match shape:
        case "long":
            return write(folder / "r.tsv", ["item\tannotator\tlabel", *("\t".join(row) for row in long_rows())]), {}
        case "long, named otherwise":
            rows = ["who;id;score".replace(";", ","), *(f"{who},{item},{label}" for item, who, label in long_rows())]
            return write(folder / "r.csv", rows), {"columns": {"item": "id", "annotator": "who", "label": "score"}}
        case "wide":
            rows = [",".join(cell or "" for cell in row) for row in zip(*wide.values(), strict=True)]
            return write(folder / "r.csv", ["item,A,B,C,D", *rows]), {}
        case "wide, some columns":
            rows = [",".join(cell or "" for cell in row) + ",text" for row in zip(*wide.values(), strict=True)]
            return write(folder / "r.csv", ["item,A,B,C,D,remark", *rows]), {"annotator_columns": list("ABCD")}
        case "alt-test":
            return write(folder / "r.json", [json.dumps(PEOPLE)]), {}
        case "lewidi":
            said = {item: {"annotations": {w: PEOPLE[w][item] for w in PEOPLE if item in PEOPLE[w]}} for item in ITEMS}
            return write(folder / "r.json", [json.dumps(said)]), {}
        case "jsonl":
            rows = [json.dumps({"item": item, "annotator": who, "label": int(label)}) for item, who, label in long_rows()]
            return write(folder / "r.jsonl", rows), {}
        case "pandas":
            return pd.DataFrame(long_rows(), columns=["item", "annotator", "label"]), {}
        case "polars, wide":
            return pl.DataFrame(wide), {}
        case _:
            return PEOPLE, {}


SHAPES = [
    "long", "long, named otherwise", "wide", "wide, some columns", "alt-test", "lewidi", "jsonl", "pandas",
    "polars, wide", "dict",
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_the_same_ratings(shape, tmp_path):
    given, how = in_shape(shape, tmp_path)
    found = mm.agree(given, classes="1..5", measures="alpha_ordinal,conger", trials=50, **how)
    expected = mm.agree(PEOPLE, classes="1..5", measures="alpha_ordinal,conger", trials=50)
    assert found["alpha_ordinal"].value == pytest.approx(0.815388, abs=5e-7)
    assert found["conger"].value == pytest.approx(0.762817, abs=5e-7)
    assert sorted(line.annotator for line in found.by_annotator) == list("ABCD")
    assert {line.annotator: line.value for line in found.by_annotator} == {
        line.annotator: line.value for line in expected.by_annotator
    }


def test_topics_keep_items_apart(tmp_path):
    rows = [f"{topic},{item},{who},{label}" for topic in ("x", "y") for item, who, label in long_rows()]
    path = write(tmp_path / "r.csv", ["topic,item,annotator,label", *rows])
    assert mm.agree(path, classes="1..5", trials=5).items == 24


def complaint(capsys, *arguments):
    status = main(["agree", *map(str, arguments)])
    return status, capsys.readouterr().err


def test_two_ratings_of_an_item_by_one_annotator(tmp_path, capsys):
    path = write(tmp_path / "r.csv", ["item,annotator,label", "x,a,1", "x,b,2", "y,a,1", "x,a,2"])
    status, said = complaint(capsys, path, "--classes", "1..2")
    assert status == 1
    assert said.startswith(f"{path}:5: item 'x' of annotator 'a' again (first in line 2); keep one, or name the column")
    assert "--repeat-column" in said


def test_repeats_are_told_apart_by_a_column(tmp_path):
    rows = [f"{item},{who},{label},1" for item, who, label in long_rows()] + ["i0,A,1,2", "i1,A,3,2"]
    path = write(tmp_path / "r.csv", ["item,annotator,label,time", *rows])
    found = mm.agree(path, classes="1..5", columns={"repeat": "time"}, trials=5)
    assert found["alpha_ordinal"].value == pytest.approx(0.815388, abs=5e-7)  # the first rating counts
    assert {line.annotator: line.repeated for line in found.by_annotator if line.repeated == line.repeated} == {"A": 0.5}
    assert "with oneself" in str(found)


def test_labels_that_are_no_class(tmp_path, capsys):
    path = write(tmp_path / "r.csv", ["item,annotator,label", "x,a,1", "x,b,7", "y,a,1", "y,b,hm"])
    status, said = complaint(capsys, path, "--classes", "1..5")
    assert status == 1
    assert said.splitlines() == [
        f"{path}:3: label '7' is not one of the classes; the classes are 1,2,3,4,5",
        f"{path}:5: label 'hm' is not one of the classes; the classes are 1,2,3,4,5",
    ]


def test_many_wrong_labels_are_counted(tmp_path, capsys):
    rows = [f"x{place},{who},9" for place in range(30) for who in "ab"]
    status, said = complaint(capsys, write(tmp_path / "r.csv", ["item,annotator,label", *rows]), "--classes", "1..5")
    assert (status, len(said.splitlines())) == (1, 21)
    assert said.splitlines()[-1] == "... and 40 more problems"


def test_a_wide_file_says_the_line_too(tmp_path, capsys):
    path = write(tmp_path / "r.csv", ["item,a,b", "x,1,2", "y,2,9"])
    assert complaint(capsys, path, "--classes", "1..5")[1].startswith(f"{path}:3: label '9' is not one of the classes")


def test_classes_are_never_guessed(tmp_path, capsys):
    path = write(tmp_path / "r.csv", ["item,a,b", "x,low,high", "y,high,"])
    status, said = complaint(capsys, path)
    assert (status, "--classes high,low" in said) == (2, True)
    status, said = complaint(capsys, write(tmp_path / "c.csv", ["item,low,high", "x,1,2"]), "--counts")
    assert (status, "--classes high,low" in said) == (2, True)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["item,annotator,label", ",a,1", "x,b,1"], ":2: the row has no item"),
        (["item,annotator,label", "x,,1", "x,b,1"], ":2: the row has no annotator"),
        (["id,annotator,label", "x,a,1"], ":1: there is no column 'item'"),
        (["item,annotator,score", "x,a,1"], ":1: there is no column 'label'"),
        (["item,annotator,label"], ": there are no rows"),
    ],
)
def test_broken_files(lines, said, tmp_path, capsys):
    path = write(tmp_path / "r.csv", lines)
    status, told = complaint(capsys, path, "--classes", "1..5")
    assert status == 1
    assert f"{path}{said}" in told


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["item,1,2", "x,1,-2"], ":2: '-2' is not a number of ratings"),
        (["item,1,2", "x,1,many"], ":2: 'many' is not a number of ratings"),
        (["item,1,3", "x,1,2"], ":1: there is no column '2' for that class"),
        (["item,1,2", "x,1,2", "x,1,2"], ":3: item 'x' again (first in line 2)"),
    ],
)
def test_broken_counts(lines, said, tmp_path, capsys):
    path = write(tmp_path / "r.csv", lines)
    status, told = complaint(capsys, path, "--classes", "1..2", "--counts")
    assert status == 1
    assert f"{path}{said}" in told


def test_a_json_that_is_no_ratings(tmp_path, capsys):
    path = write(tmp_path / "r.json", ["[1, 2]"])
    status, told = complaint(capsys, path, "--classes", "1..2")
    assert (status, "these are no ratings" in told) == (1, True)


def test_a_column_that_is_not_there(tmp_path, capsys):
    path = write(tmp_path / "r.csv", ["item,anna,bert", "x,1,2"])
    status, told = complaint(capsys, path, "--classes", "1..2", "--annotator-columns", "ana,bert")
    assert (status, "there is no column 'ana'; did you mean 'anna'?" in told) == (1, True)
    status, told = complaint(capsys, path, "--classes", "1..2", "--cluster-column", "article")
    assert (status, "there is no column 'article'" in told) == (1, True)


def test_an_item_in_two_clusters(tmp_path, capsys):
    path = write(tmp_path / "r.csv", ["item,annotator,label,doc", "x,a,1,d1", "x,b,2,d2", "y,a,1,d1"])
    status, told = complaint(capsys, path, "--classes", "1..2", "--cluster-column", "doc")
    assert (status, "item 'x' is in two clusters" in told) == (1, True)


def test_the_command_prints_every_format(tmp_path, capsys):
    path = write(tmp_path / "r.tsv", ["item\tannotator\tlabel", *("\t".join(row) for row in long_rows())])
    for format in ("table", "json", "csv", "markdown", "latex", "html"):
        assert main(["agree", str(path), "--classes", "1..5", "--trials", "20", "--format", format]) == 0
        assert "0.815" in capsys.readouterr().out
    assert main(["agree", str(path), "--classes", "1..5", "--trials", "20", "--chart", str(tmp_path / "c.svg")]) == 0
    assert (tmp_path / "c.svg").stat().st_size > 1000


def test_gwet_and_nominal_from_the_command(tmp_path, capsys):
    path = write(tmp_path / "r.tsv", ["item\tannotator\tlabel", *("\t".join(row) for row in long_rows())])
    assert main(["agree", str(path), "--classes", "1..5", "--kind", "nominal", "--interval", "gwet"]) == 0
    out = capsys.readouterr().out
    assert "alpha_nominal" in out
    assert "Gwet's variance" in out
    assert main(["agree", str(path), "--classes", "1..5", "--kind", "nominal", "--measures", "ac2"]) == 2
    assert "declared nominal" in capsys.readouterr().err


def test_a_table_of_labels_without_a_column_of_annotators_is_not_taken_for_a_wide_one(tmp_path):
    path = tmp_path / "ratings.tsv"
    path.write_text("item\trater\tlabel\na\tr1\t1\na\tr2\t2\n", encoding="utf-8")
    with pytest.raises(DataError, match="there is no column 'annotator'; its columns are item, rater, label"):
        mm.agree(path, classes="1..2")
