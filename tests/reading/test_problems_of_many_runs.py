"""Problems of many runs are found together: the same as run by run, counted to the end, and with a sign of life."""

from __future__ import annotations

import io
import random
import sys

import pytest

from metameasure.core.problems import MOST_SHOWN, DataProblems
from metameasure.evaluating.evaluate import evaluate
from metameasure.evidence import counting, label_audit
from metameasure.reading.files import File
from metameasure.statistics import work

ITEMS = [f"i{number}" for number in range(8)]


def written(path, rows, header="item\tlabel"):
    path.write_text("\n".join([header, *("\t".join(row) for row in rows)]) + "\n")
    return path


def sound():
    return [[item, "a"] for item in ITEMS]


def problems_of(tmp_path, runs, **options):
    gold = written(tmp_path / "gold.tsv", sound())
    paths = [written(tmp_path / f"{name}.tsv", rows) for name, rows in runs.items()]
    with pytest.raises(DataProblems) as raised:
        evaluate(gold, paths, classes="a,b", **options)
    return raised.value


def told(error, tmp_path):
    return [(problem.file.removeprefix(f"{tmp_path}/"), problem.line, problem.what) for problem in error.problems]


@pytest.mark.parametrize(
    ("header", "nameless", "what"), [("item\tlabel", ["", "a"], "item"), ("topic\titem\tlabel", ["", "i9", "a"], "topic")]
)
def test_a_row_of_gold_without_a_key_is_no_problem_of_the_runs(tmp_path, header, nameless, what):
    def rows(items):
        return [["t", item, "a"][-len(nameless) :] for item in items]

    gold = written(tmp_path / "gold.tsv", [*rows(ITEMS), nameless], header)
    whole, short = (written(tmp_path / f"run{size}.tsv", rows(ITEMS[:size]), header) for size in (8, 7))
    with pytest.raises(DataProblems) as raised:
        evaluate(gold, [whole, short], classes="a,b")
    missing = "item 'i7' is missing" if what == "item" else "item 'i7' of topic 't' is missing"
    assert told(raised.value, tmp_path) == [("gold.tsv", 10, f"the row has no {what}"), ("run7.tsv", 0, missing)]
    assert raised.value.total == 2


@pytest.mark.parametrize("rows_at_once", [1, 20, 2**24])
def test_each_kind_of_problem_is_found_in_its_run(tmp_path, monkeypatch, rows_at_once):
    monkeypatch.setattr(label_audit, "_ROWS_AT_ONCE", rows_at_once)
    more = [*sound(), ["x9", "a"], ["x1", "a"]]
    twice = [*sound()[1:], ["i3", "b"], ["i3", "a"]]
    nameless = [*sound(), ["", "a"]]
    wrong = [["i0", ""], ["i1", "c"], *sound()[2:]]
    found = problems_of(tmp_path, {"more": more, "sound": sound(), "twice": twice, "nameless": nameless, "wrong": wrong})
    assert told(found, tmp_path) == [
        ("more.tsv", 10, "item 'x9' is not in gold"),
        ("more.tsv", 11, "item 'x1' is not in gold"),
        ("twice.tsv", 9, "item 'i3' again (first in line 4)"),
        ("twice.tsv", 10, "item 'i3' again (first in line 4)"),
        ("twice.tsv", 0, "item 'i0' is missing"),
        ("nameless.tsv", 10, "the row has no item"),
        ("wrong.tsv", 2, "the item has no label"),
        ("wrong.tsv", 3, "label 'c' is not one of the classes"),
    ]
    assert found.total == 8


def test_what_is_not_shown_is_counted(tmp_path):
    many = [*([item, "c"] for item in ITEMS), *([f"x{number}", "a"] for number in range(30))]
    few = [*sound()[2:], ["i5", "a"], ["y", "c"]]
    found = problems_of(tmp_path, {"few": few, "many": many, "again": few, "more": [*sound(), ["z", "a"]]})
    # few: a label, an unknown item, a repeated one, two missing; more: an unknown item
    assert found.total == 5 + 38 + 5 + 1
    assert [file for file, *_ in told(found, tmp_path)[:5]] == ["few.tsv"] * 5
    shown = str(found).splitlines()
    assert len(shown) == MOST_SHOWN + 1
    assert shown[-1] == f"... and {found.total - MOST_SHOWN:,} more problems"


@pytest.mark.parametrize("how", [{}, {"missing": "drop"}])
def test_rows_that_every_stacked_run_has_twice_are_counted_in_each(tmp_path, how):
    path = tmp_path / "all.tsv"
    rows = [[run, item, "a", "a"] for run in ("one", "two", "three") for item in [*ITEMS, *ITEMS[:2]]]
    with pytest.raises(DataProblems) as raised:
        evaluate(written(path, [*rows, ["three", "i7", "a", "a"]], "run\titem\tgold\tlabel"), classes="a,b", **how)
    assert raised.value.total == 2 + 2 + 3


def test_a_run_with_rows_without_id_and_more_unknown_ones_than_are_shown(tmp_path):
    first = [*sound(), *([f"x{number}", "a"] for number in range(15))]
    second = [*sound(), *([f"y{number}", "a"] for number in range(40)), ["", "a"]]
    found = problems_of(tmp_path, {"first": first, "second": second})
    assert found.total == 15 + 41
    assert not [what for _, line, what in told(found, tmp_path) if "no item" in what and line != 50]


def test_problems_come_with_a_sign_of_life_on_a_terminal(tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(work, "_SILENT_SECONDS", -1.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    problems_of(tmp_path, {"one": sound()[1:], "two": sound()[1:]})
    assert "] 50%" in sys.stderr.getvalue()
    assert "] 100%" in sys.stderr.getvalue()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_lines_with_an_empty_cell_are_found(tmp_path, end, last):
    draw = random.Random(0)  # noqa: S311 - made-up cells
    lines = ["\t".join(draw.choice(["", "a", "bc"]) for _ in range(3)) for _ in range(200)]
    path = tmp_path / "cells.tsv"
    path.write_bytes((end.join(["x\ty\tz", *lines]) + (end if last else "")).encode())
    file = File(path, "cells.tsv", "tsv", "", ("x", "y", "z"))
    expected = [record.line for record in file.records() if "" in record.values.values()]
    assert [record.line for record in file.matching([""])] == expected
    either = [record.line for record in file.records() if "" in record.values.values() or "bc" in record.values.values()]
    assert [record.line for record in file.matching(["bc", ""])] == either


@pytest.mark.parametrize("shape", ["a run", "gold", "stacked"])
def test_a_column_of_ids_is_not_looked_at_label_by_label(tmp_path, monkeypatch, shape):
    """A label column that is none has as many labels as rows: all of them would be brought here, to show twenty."""
    monkeypatch.setattr(counting, "_MOST_GROUPS", 12)
    monkeypatch.setattr(counting, "_MOST_LABELS", 10)
    ids = [[f"i{number}", "a"] for number in range(40)]
    plain, other = written(tmp_path / "plain.tsv", ids), written(tmp_path / "other.tsv", ids, "label\titem")
    stacked = written(tmp_path / "stacked.tsv", [["x", *row, "a"] for row in ids], "run\tlabel\titem\tgold")
    with pytest.raises(DataProblems) as raised:
        evaluate(*{"a run": (plain, [other]), "gold": (other, [plain]), "stacked": (stacked,)}[shape], classes="a,b")
    wrong = "stacked.tsv" if shape == "stacked" else "other.tsv"
    assert told(raised.value, tmp_path) == [(wrong, 0, "column 'label' has more than 10 different labels")]


def test_many_groups_of_few_labels_are_counted(tmp_path, monkeypatch):
    """They are of many topics."""
    rows = [[f"t{number % 15}", f"i{number}", "ab"[number % 2]] for number in range(60)]
    files = [written(tmp_path / f"{name}.tsv", rows, "topic\titem\tlabel") for name in ("gold", "run")]
    usual = evaluate(*files, classes="a,b", measures="accuracy,kappa")
    monkeypatch.setattr(counting, "_MOST_GROUPS", 12)
    monkeypatch.setattr(counting, "_MOST_LABELS", 10)
    assert str(evaluate(*files, classes="a,b", measures="accuracy,kappa")) == str(usual)
