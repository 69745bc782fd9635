"""``clean`` repairs what is certain, in copies, names what is not, and trusts nobody who packs an archive."""

import csv
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import messes
import metameasure as mm

C = ("--classes", "-2..2")
HOW = {"classes": "-2..2"}
GOLD = "item,label\na,-1\nb,1\nc,0\nd,2\n"


@pytest.fixture(scope="module")
def forty(tmp_path_factory):
    """Forty submissions in every kind of mess, and what those are which can be understood."""
    folder = tmp_path_factory.mktemp("forty")
    return folder, messes.write_messes(folder)


@pytest.fixture(scope="module")
def done(forty):
    folder, _ = forty
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    cleaned = mm.clean(folder / "gold.csv", folder / "submissions", folder / "out", map=messes.MAP, encoding="latin-1", **HOW)
    assert {path: path.read_bytes() for path in before} == before, "nothing is changed in place"
    return cleaned


@pytest.fixture
def cleaned(tmp_path):
    """Clean one file, and what becomes of it."""
    (tmp_path / "gold.csv").write_text(GOLD)

    def clean(text, name="run.csv", **how):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        result = mm.clean(tmp_path / "gold.csv", tmp_path / name, tmp_path / "out", **HOW | how)
        return result, rows_of(tmp_path / "out", result.runs[0]) if result.runs else None

    return clean


def rows_of(folder, run):
    with (folder / run.written).open(newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def submitted(run):
    """The name of the file that was sent."""
    return Path(run.file.partition(".zip")[0] + (".zip" if ".zip" in run.file else "")).name


def test_every_mess_whose_meaning_is_certain_comes_to_the_run_that_it_was(forty, done):
    folder, clear = forty
    assert len(clear) >= 40
    by_file = {submitted(run): run for run in done.runs if run.ok}
    assert {*by_file} == {*clear}
    for name, run in clear.items():
        rows = rows_of(folder / "out", by_file[name])
        item, label = rows[0].index("item"), rows[0].index("label")
        assert [(row[item], row[label]) for row in rows[1:]] == [(own, str(said)) for own, said in run], name


def test_what_is_uncertain_is_left_and_named(forty, done):
    left = {submitted(run) for run in done.runs if not run.ok} | {Path(problem.file).name for problem in done.left_out}
    named = " ".join(problem.file for problem in done.problems())
    assert not done.ok
    assert all(name in named for name in messes.of_doubt(messes.gold_rows(5)))
    assert {"unknown-label.csv", "two-answers.csv", "short.csv"} <= left
    assert all(path.parent.name == "left" for path in (forty[0] / "out").rglob("*.csv") if path.stem in ("short", "two-answers"))


def test_forty_messes_go_through_every_command_without_a_script(forty, done, run, tmp_path):
    out = forty[0] / "out"
    gold, runs = out / "gold.csv", out / "runs" / "*"
    assert run("check", gold, runs, *C)[0] == 0
    status, table, err = run("evaluate", gold, runs, *C, "--measures", "cem_ord", "--format", "json")
    assert (status, err) == (0, "")
    assert {one["run"] for one in json.loads(table)["runs"]} >= {*done.good()}
    some = [out / one.written for one in done.runs if one.ok][::9]
    assert run("report", gold, *some, *C, "--measures", "mae", "--trials", "20", "-o", tmp_path / "page.html")[0] == 0
    (out / "task.toml").write_text('title = "T"\ngold = "gold.csv"\nclasses = "-2..2"\nmeasures = "cem_ord"\nimage = "x/y:1"\n')
    status, _, err = run("codabench", out / "task.toml", "-o", tmp_path / "bundle.zip")
    assert status == 0, err
    assert zipfile.is_zipfile(tmp_path / "bundle.zip")


def test_every_change_is_logged_by_file_and_line(cleaned, tmp_path):
    result, rows = cleaned("ID;Prediction\r\na;\u22121\r\nb; +1\r\nc;0,0\r\nd;2\r\nd;2\r\n")
    assert rows == [("item", "label"), ("a", "-1"), ("b", "1"), ("c", "0"), ("d", "2")]
    facts = [(one.kind, one.column, one.old, one.new, [*one.lines]) for one in result.runs[0].changes]
    assert facts == [
        ("line ends", "", "CRLF", "", []),
        ("separator", "", "semicolons", "", []),
        ("column", "", "ID", "item", []),
        ("column", "", "Prediction", "label", []),
        ("sign", "label", "\u22121", "-1", [2]),
        ("sign", "label", " +1", "1", [3]),
        ("decimal comma", "label", "0,0", "0", [4]),
        ("identical row", "", "", "", [6]),
    ]
    log = json.loads((tmp_path / "out/log.json").read_text())
    assert log == json.loads(json.dumps(result.to_dict()))
    assert {*log} == {"folder", "gold", "runs", "left_out", "ignored", "notes", "findings", "signature", "signature_parts"}
    assert {*log["runs"][0]} == {"run", "file", "written", "ok", "items", "changes", "left"}
    assert log["runs"][0]["changes"][4] == {
        "change": "sign",
        "column": "label",
        "from": "\u22121",
        "to": "-1",
        "count": 1,
        "lines": [2],
        "text": "label '\u22121' is now '-1' (sign)",
    }
    text = (tmp_path / "out/log.txt").read_text()
    assert all(f"{tmp_path}/run.csv: {one}" in text for one in ("lines ended in CRLF", "label ' +1' is now '1' (sign), line 3"))


def test_the_log_has_every_line_and_the_screen_the_first(cleaned):
    text = "item,label\n" + "".join(f"{item},+1\n\n" for item in "abcd")
    result, _ = cleaned(text)
    (sign,) = [one for one in result.runs[0].changes if one.kind == "sign"]
    assert str(sign).endswith("lines 2, 4, 6, 8")
    (empty,) = [one for one in result.runs[0].changes if one.kind == "empty row"]
    assert [*empty.lines] == [3, 5, 7, 9]
    assert [*result.full_table().columns] == ["run", "file", "line", "change", "column", "from", "to"]
    assert len(result.full_table().rows) == 8


def test_what_is_left_is_told_of_the_file_that_was_sent(cleaned):
    result, rows = cleaned("\n\nitem;label\na;-1\n\nb;maybe\nc;0\nd;2\nd;1\n")
    assert rows is None or not result.ok
    problems = {(Path(one.file).name, one.line) for one in result.problems()}
    assert problems == {("run.csv", 6), ("run.csv", 9)}
    again = next(one for one in result.problems() if one.line == 9)
    assert "first in line 8" in str(again)


@pytest.mark.parametrize(
    ("cells", "becomes"),
    [
        (("0,5", "0,25", "1,5", "2"), ("0.5", "0.25", "1.5", "2")),
        (("1,000", "2,000", "3,000", "4"), ("1,000", "2,000", "3,000", "4")),  # thousands, or not
        (("1,5", "2.5", "1", "1"), ("1,5", "2.5", "1", "1")),  # which of the two is it?
        (("+1", "\u22122,5", " 3", "4"), ("1", "-2.5", "3", "4")),
    ],
)
def test_a_decimal_comma_is_one_where_it_cannot_be_anything_else(cleaned, cells, becomes):
    _, rows = cleaned("item;label;confidence\n" + "".join(f"{item};1;{cell}\n" for item, cell in zip("abcd", cells, strict=True)))
    assert tuple(row[2] for row in rows[1:]) == becomes


def test_columns_that_could_be_either_are_not_chosen(cleaned):
    result, rows = cleaned("id,first,second\n" + "".join(f"{item},1,2\n" for item in "abcd"))
    assert rows is None
    assert "there are no columns" in str(result.problems()[0])


def test_a_first_line_is_no_header_where_it_has_an_item(cleaned):
    _, rows = cleaned("a,no class\nb,1\nc,0\nd,2\n")
    assert rows[1] == ("a", "no class")


def test_ids_and_labels_that_look_alike_are_told_apart(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,2\n2,1\n3,2\n4,1\n")
    (tmp_path / "run.csv").write_text("1;1\n1;2\n2;3\n1;4\n")
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", classes="1..5")
    assert (tmp_path / "out/runs/run.csv").read_text() == "label,item\n1,1\n1,2\n2,3\n1,4\n"
    assert done.ok


def test_gold_is_cleaned_too(tmp_path):
    (tmp_path / "gold.txt").write_bytes("\ufeffID;Gold label\r\na;+1\r\nb;0\r\n".encode("utf-16-le"))
    (tmp_path / "run.csv").write_text("item,label\na,1\nb,1\n")
    done = mm.clean(
        tmp_path / "gold.txt",
        tmp_path / "run.csv",
        tmp_path / "out",
        gold_item_column="ID",
        gold_label_column="Gold label",
        **HOW,
    )
    assert (tmp_path / "out/gold.csv").read_text() == "item,label\na,1\nb,0\n"
    assert done.ok


def test_columns_that_the_user_names_get_the_usual_names(cleaned):
    columns = {"item": "a1", "label": "a2", "gold_item": "item", "gold_label": "label"}
    _, rows = cleaned("a1,a2,other\n" + "".join(f"{item},1,1\n" for item in "abcd"), columns=columns)
    assert rows[0] == ("item", "label", "other")


def test_labels_by_a_map_in_a_file(cleaned, tmp_path):
    (tmp_path / "map.tsv").write_text("good\t1\nbad\t-1\n")
    _, rows = cleaned("item,label\na,bad\nb,good\nc,0\nd,good\n", map=tmp_path / "map.tsv")
    assert [row[1] for row in rows] == ["label", "-1", "1", "0", "1"]


def test_a_map_holds_whatever_the_letters_case_where_that_can_mean_one_class_only(cleaned):
    text = "item,label\na,Bad\nb,GOOD\nc,So\nd,fine\n"
    result, rows = cleaned(text, map={"good": "1", "bad": "-1", "so": "0", "SO": "2", "fine": "2"})
    assert [row[1] for row in rows] == ["label", "-1", "1", "So", "2"]
    assert [change.kind for change in result.runs[0].changes] == ["map"] * 3


def test_records_of_json_with_other_names(cleaned):
    _, rows = cleaned(
        "".join(f'{{"id": "{item}", "answer": {label}}}\n' for item, label in zip("abcd", (1, 0, 2, -1), strict=True)),
        "run.jsonl",
    )
    assert rows == [("item", "label"), ("a", "1"), ("b", "0"), ("c", "2"), ("d", "-1")]


@pytest.mark.parametrize("header", ["", "id,about,said\n", "item,about,label\n"])
def test_topics_are_found_where_gold_has_an_item_in_several(tmp_path, header):
    body = "".join(f"q{item},{topic},{item - 2}\n" for topic in ("cars", "food") for item in range(1, 4))
    (tmp_path / "gold.csv").write_text(f"item,topic,label\n{body}")
    (tmp_path / "run.csv").write_text(f"{header}{body}")
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", **HOW)
    assert done.ok
    assert (tmp_path / done.folder / "runs/run.csv").read_text() == f"item,topic,label\n{body}"


def test_a_readme_beside_a_table_is_no_submission(cleaned):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        made.writestr("run1/predictions.csv", GOLD)
        made.writestr("README", "our best")
        made.writestr("run1/notes.md", "# how")
    result, _ = cleaned(held.getvalue(), "team.zip")
    assert result.ok
    assert result.good() == ["team"]
    assert len(result.ignored) == 2


def test_many_cells_that_changed_alike_are_one_line_on_the_screen(tmp_path):
    items = [f"item-{number}" for number in range(1, 41)]
    (tmp_path / "gold.csv").write_text("item,label\n" + "".join(f"{item},1\n" for item in items))
    (tmp_path / "run.csv").write_text("item,label\n" + "".join(f" {item},1\n" for item in items))
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", **HOW)
    told = "item ' item-1' is now 'item-1' (spaces), and 39 more like it, lines 2-41"
    assert done.lines()[1:3] == ["ok  run: 1 kind of change", f"    {tmp_path}/run.csv: {told}"]
    assert len((tmp_path / "out/log.txt").read_text().splitlines()) == 41


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"map": "good=9"}, "'9' in map is no class"),
        ({"map": "good"}, "'good' is no map of labels, and no file"),
        ({"map": "a=1,a=2"}, "says two things of 'a'"),
        ({"map": {"a": "1"}, "classes": None, "task": "ranking"}, "there are no classes"),
        ({"encoding": "latin-99"}, "there is no encoding 'latin-99'; did you mean 'latin-1'?"),
        ({"encoding": "zip"}, "there is no encoding 'zip'"),
        ({"run_columns": ["a"]}, "are runs in one table"),
        ({"classes": None}, "the labels found are"),
    ],
)
def test_a_call_that_is_wrong(cleaned, tmp_path, how, said):
    with pytest.raises(mm.UsageError) as wrong:
        cleaned("item,label\na,1\n", **how)
    assert said in str(wrong.value)
    assert not (tmp_path / "out").exists()


def test_gold_that_is_wrong_writes_nothing(run, tmp_path):
    (tmp_path / "run.csv").write_text("item,label\na,1\n")
    for text, said in (
        ("item,label\na,1\na,2\n", "gold.csv:3: item 'a' again (first in line 2)"),
        ("item,label\n\na,maybe\n", "gold.csv:3: label 'maybe' is not one of the classes"),
        ("", "gold.csv: the file is empty"),
        ("x,y\n1,1\n1,1\n", "there are no columns 'item' and 'label'"),
    ):
        (tmp_path / "gold.csv").write_text(text)
        status, out, err = run("clean", tmp_path / "gold.csv", tmp_path / "run.csv", *C, "-o", tmp_path / "out")
        assert (status, out) == (1, ""), text
        assert said in err
        assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.csv", "run.csv"]


def test_where_it_may_not_write(run, tmp_path):
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "run.csv").write_text(GOLD)
    files = tmp_path / "gold.csv", tmp_path / "run.csv"
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine").write_text("mine")
    for target in (tmp_path / "full", tmp_path / "gold.csv"):
        status, _, err = run("clean", *files, *C, "-o", target)
        assert status == 2
        assert "exists already" in err
    assert run("clean", files[0], files[0], *C, "-o", tmp_path / "out")[0] == 2  # gold would score as perfect
    assert run("clean", files[0], tmp_path / "none.csv", *C, "-o", tmp_path / "out")[0] == 2
    assert (tmp_path / "full/mine").read_text() == "mine"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["../out.csv", "/root/out.csv", "C:/out.csv", "..\\out.csv", "a/../../out.csv"])
def test_no_name_in_an_archive_leads_out_of_it(cleaned, tmp_path, name):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        made.writestr(name, GOLD)
        made.writestr("run.csv", GOLD)
    result, rows = cleaned(held.getvalue(), "team.zip")
    assert [one.run for one in result.runs] == ["team"]
    assert rows[0] == ("item", "label")
    assert "leads out of the archive" in str(result.left_out[0])
    assert not list(tmp_path.parent.glob("out.csv"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.csv", "out", "team.zip"]


def test_names_of_files_are_harmless(cleaned, tmp_path):
    hostile = [
        "a" * 300 + ".csv",
        "x\x1b[31m.csv",
        "-rf.csv",
        ".hidden.csv",
        "a/b/CON.csv",
        "c/con.csv",
        "*[x].csv",
        "\u202e.csv",
    ]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for name in hostile:
            made.writestr(name, GOLD)
    result, _ = cleaned(held.getvalue(), "team.zip")
    assert len(result.runs) == len(hostile)
    written = sorted(path.name for path in (tmp_path / "out/runs").iterdir())
    assert len({name.casefold() for name in written}) == len(hostile)
    assert all(name.isprintable() and not name.startswith((".", "-")) and len(name) < 100 and "*" not in name for name in written)
    assert result.ok
    assert "\x1b" not in (tmp_path / "out/log.txt").read_text()


def test_an_archive_of_very_many_files(cleaned):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for number in range(10_001):
            made.writestr(str(number), b"")
    result, _ = cleaned(held.getvalue(), "many.zip")
    assert "more than 10,000 files" in str(result.left_out[0])


def test_links_in_a_folder_are_not_followed(tmp_path):
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "secret.csv").write_text(GOLD)
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent/link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "sent/up").symlink_to(tmp_path)
    (tmp_path / "sent/run.csv").write_text(GOLD)
    os.mkfifo(tmp_path / "sent/pipe")
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "sent", tmp_path / "out", **HOW)
    assert done.good() == ["run"]
    assert sorted((Path(one.file).name, str(one.what)) for one in done.left_out) == [
        ("link.csv", "this is a link"),
        ("pipe", "this is a pipe or a device, not a file"),
        ("up", "this is a link"),
    ]


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "run.csv").write_text(GOLD)
    program = """
import metameasure.cleaning.clean as c, metameasure as mm, sys
def stop(*_): raise KeyboardInterrupt
c.check_task = stop
mm.clean(sys.argv[1], sys.argv[2], sys.argv[3], classes="-2..2")
"""
    paths = [str(tmp_path / name) for name in ("gold.csv", "run.csv", "out")]
    done = subprocess.run([sys.executable, "-c", program, *paths], capture_output=True, check=False)
    assert done.returncode != 0
    assert b"KeyboardInterrupt" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.csv", "run.csv"]


def test_distributions(tmp_path):
    (tmp_path / "gold.csv").write_text("topic,class,probability\nx,a,.5\nx,b,.5\ny,a,1\ny,b,0\n")
    (tmp_path / "long.csv").write_text("Topic;Class;Probability\r\n x;A;0,25\r\nx;b;0,75\r\ny;a;1\r\ny;b;0\r\n")
    (tmp_path / "wide.csv").write_text("Topic;A;b\nx;0,25;0,75\ny;1;0\n")
    (tmp_path / "bare.csv").write_text("x|a|.25\nx|b|.75\ny|a|1\ny|b|0\n")
    files = [tmp_path / f"{name}.csv" for name in ("long", "wide", "bare")]
    done = mm.clean(tmp_path / "gold.csv", files, tmp_path / "out", task="quantification", classes="a,b")
    assert done.good() == ["long", "wide", "bare"], done.problems()
    scores = mm.evaluate(
        tmp_path / "out/gold.csv", tmp_path / "out/runs/*.csv", task="quantification", classes="a,b", measures="nmd"
    )
    assert {*scores.values[0].mean(axis=0).round(6).tolist()} == {0.125}


P_GOLD = "item,label\nx,a\ny,b\nz,a\n"
P_ROWS = (("x", "0.25", "0.75"), ("y", "0.5", "0.5"), ("z", "1", "0"))


@pytest.mark.parametrize(
    "text",
    [
        "Item;A; b \r\nx;0,25;0,75\r\ny;0,5;0,5\r\nz;1;0\r\n",
        "ID\tp_a\tp_b\n" + "".join("\t".join(row) + "\n" for row in P_ROWS),
        "doc,P(b),P(a)\n" + "".join(f"{item},{b},{a}\n" for item, a, b in P_ROWS),
        "a_prob|item|b_prob\n" + "".join(f"{a}|{item}|{b}\n" for item, a, b in P_ROWS),
        "item,a,b\n" + "".join(f'"{item}"," {a}","{b} "\n' for item, a, b in P_ROWS),
    ],
)
def test_probabilities(tmp_path, text):
    (tmp_path / "gold.csv").write_text(P_GOLD)
    (tmp_path / "run.txt").write_text(text, newline="")
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.txt", tmp_path / "out", task="probabilities", classes="a,b")
    assert done.good() == ["run"], done.problems()
    scores = mm.evaluate(
        tmp_path / "out/gold.csv", tmp_path / "out/runs/*", task="probabilities", classes="a,b", measures="brier"
    )
    assert scores["run"]["brier"] == pytest.approx((2 * 0.75**2 + 2 * 0.5**2) / 3)


def test_probabilities_line_by_line(tmp_path):
    (tmp_path / "gold.csv").write_text(P_GOLD)
    lines = [f"{item}|{label}|{p}\n" for item, *row in P_ROWS for label, p in zip("AB", row, strict=True)]
    (tmp_path / "run.csv").write_text("".join(lines))
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", task="probabilities", classes="a,b")
    assert done.good() == ["run"], done.problems()
    assert (tmp_path / "out/runs/run.csv").read_text().startswith("item,class,probability\nx,a,0.25\nx,b,0.75\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,a,b\nx,.3,.6\ny,.5,.5\nz,1,0\n", "run.csv:2: the probabilities of item 'x' add up to 0.9, not 1; --normalise"),
        ("item,a,b\nx,25,75\ny,50,50\nz,100,0\n", "run.csv:2: the probabilities of item 'x' add up to 100, not 1"),
        ("x,0.25,0.75\ny,0.5,0.5\nz,1,0\n", "run.csv:1: there are no columns 'item', 'class' and 'probability'"),
        ("item,a\nx,0.25\ny,0.5\nz,1\n", "run.csv:1: there are no columns 'class' and 'probability'"),
        ("item,p_a,prob_b,p_b\nx,1,0,0\ny,0,1,1\nz,1,0,0\n", "run.csv:1: there are no columns 'class' and 'probability'"),
    ],
)
def test_probabilities_that_are_uncertain_are_left(tmp_path, run, text, said):
    (tmp_path / "gold.csv").write_text(P_GOLD)
    (tmp_path / "run.csv").write_text(text)
    status, out, errors = run("clean", str(tmp_path / "gold.csv"), str(tmp_path / "run.csv"), "-o", str(tmp_path / "out"),
                              "--task", "probabilities", "--classes", "a,b")  # fmt: skip
    assert status == 1
    assert said in (out + errors).replace(f"{tmp_path}/", "")


def test_probabilities_that_are_rounded_are_taken_where_somebody_says_so(tmp_path):
    (tmp_path / "gold.csv").write_text("item,a,b\nx,0.5,0.5\ny,0,1\nz,1,0\n")  # gold with shares
    (tmp_path / "run.csv").write_text("ITEM;a;b\nx;0,3;0,6\ny;0,5;0,5\nz;1;0\n")
    how = {"task": "probabilities", "classes": "a,b", "normalise": True}
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", **how)
    assert done.good() == ["run"], done.problems()
    assert (tmp_path / "out/runs/run.csv").read_text() == "item,a,b\nx,0.3,0.6\ny,0.5,0.5\nz,1,0\n"


M_GOLD = "item,label\nx,politics|sport\ny,\nz,sport\nw,politics\n"


@pytest.mark.parametrize(
    "text",
    [
        "item,label\nx,politics;sport\ny,\nz,sport\nw,politics\n",
        "item\tlabel\nx\tPolitics, SPORT\ny\t\nz\tsport,\nw\t politics \n",
        "ID\tTags\nx\t['sport', 'Politics']\ny\t[]\nz\t['sport']\nw\t{'politics'}\n",
        'item\tlabel\nx\t["politics", "sport"]\ny\t[]\nz\t["Sport"]\nw\t["politics"]\n',
        "x\tpolitics sport\nz\tsport\nw\tpolitics\ny\t\n",
        "item,label\nx,politics / sport\ny,\nz,sport\nw,politics\n",
        "Doc;Sport;Politics\nx;yes;YES\ny;no;No\nz;1,0;0\nw;false; 1\n",
    ],
)
def test_sets_of_labels(tmp_path, text):
    (tmp_path / "gold.csv").write_text(M_GOLD)
    (tmp_path / "run.txt").write_text(text)
    how = {"task": "multilabel", "classes": "politics,sport"}
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.txt", tmp_path / "out", **how)
    assert done.good() == ["run"], done.problems()
    scores = mm.evaluate(tmp_path / "out/gold.csv", tmp_path / "out/runs/*", measures="subset_accuracy", **how)
    assert scores["run"]["subset_accuracy"] == 1


@pytest.mark.parametrize("cell", ["none", "politics;weather", "politics;;x", "x"])
def test_sets_that_are_uncertain_are_left(tmp_path, cell):
    (tmp_path / "gold.csv").write_text(M_GOLD)
    (tmp_path / "run.csv").write_text(f"item,label\nx,{cell}\ny,\nz,sport;politics\nw,politics\n")
    how = {"task": "multilabel", "classes": "politics,sport"}
    done = mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", **how)
    assert not done.ok
    assert "run.csv:2: label" in str(done.problems()[0])
    assert (tmp_path / "out/left/run.csv").read_text() == f"item,label\nx,{cell}\ny,\nz,sport|politics\nw,politics\n"


def test_a_set_that_can_mean_two_sets_is_left():
    """Where a label has a space in it, nobody knows whether a space stands between labels."""
    from metameasure.cleaning.repairs import ClassRepair, SetRepair
    from metameasure.core.scale import Scale

    repair = SetRepair(ClassRepair(Scale.of(["a", "b", "c", "b c", "c/d", "x|y"], kind="nominal")))
    assert repair("a;b c") == ("a|b c", "set")
    assert repair("a b c") == ("a b c", "")
    assert repair("b c") == ("b c", "")
    assert repair("a/c/d") == ("a/c/d", "")  # c and d, or c/d
    assert repair("a;c/d") == ("a|c/d", "set")
    assert repair("a;x|y") == ('["a", "x|y"]', "set")


def test_rankings(tmp_path):
    (tmp_path / "gold.csv").write_text("segment,item,rank\ns,x,1\ns,y,2\nt,x,2\nt,y,1\n")
    (tmp_path / "run.txt").write_text("Segment;Item;Score\r\ns;x;0,5\r\ns; y;0,25\r\nt;x;+1,5\r\nt;y;\u22121,5\r\n")
    (tmp_path / "trec.run").write_bytes(b"s Q0 x 1 2.0 tag\r\ns Q0 y 2 1.0 tag\r\n")
    done = mm.clean(tmp_path / "gold.csv", [tmp_path / "run.txt", tmp_path / "trec.run"], tmp_path / "out", task="ranking")
    assert (tmp_path / "out/runs/run.csv").read_text() == "segment,item,score\ns,x,0.5\ns,y,0.25\nt,x,1.5\nt,y,-1.5\n"
    assert done.runs[0].ok
    assert (tmp_path / "out" / done.runs[1].written).read_bytes() == b"s Q0 x 1 2.0 tag\ns Q0 y 2 1.0 tag\n"


def test_outcomes_have_no_gold(tmp_path):
    (tmp_path / "a.csv").write_text("Item;Score\r\nx;0,5\r\ny;1\r\n")
    (tmp_path / "b.csv").write_text("item,score\n x,1\ny,0\ny,0\n")
    done = mm.clean(tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "out", task="outcomes")
    assert (tmp_path / "out/runs/a.csv").read_text() == "item,score\nx,0.5\ny,1\n"
    assert [run.ok for run in done.runs] == [True, False]  # two rows that are equal may be two attempts
    assert done.to_dict()["gold"] is None


def test_numbers_that_are_cut_into_classes(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\na,1.5\nb,4.5\n")
    (tmp_path / "run.csv").write_text("item;label\na;1,5\nb;\u22124,25\n")
    mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", classes="lo,hi", bins=[3])
    assert (tmp_path / "out/runs/run.csv").read_text() == "item,label\na,1.5\nb,-4.25\n"


def test_entailment_by_the_roles_of_its_labels(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\na,YES\nb,NO\n")
    (tmp_path / "run.csv").write_text("item;label;confidence\na;yes;0,5\nb; NO;1\n")
    how = {"task": "entailment", "positive": "YES", "negative": "NO"}
    mm.clean(tmp_path / "gold.csv", tmp_path / "run.csv", tmp_path / "out", **how)
    assert (tmp_path / "out/runs/run.csv").read_text() == "item,label,confidence\na,YES,0.5\nb,NO,1\n"


def test_formats_and_status(run, tmp_path):
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "run.csv").write_text(GOLD.replace(",", ";"))
    files = tmp_path / "gold.csv", tmp_path / "run.csv"
    for number, format in enumerate(("table", "json", "csv", "markdown", "latex", "html")):
        status, out, err = run("clean", *files, *C, "-o", tmp_path / f"out{number}", "--format", format)
        assert (status, err) == (0, "")
        assert out
    assert "1 submission can be scored now, 1 of them changed; 0 cannot." in run("clean", *files, *C, "-o", tmp_path / "t")[1]
