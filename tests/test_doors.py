"""What comes in and goes out in ways that nobody would choose: names, frames, plugins, outputs, signals and sizes."""

import json
import time

import pandas as pd
import pyarrow as pa
import pytest

import metameasure as mm
from metameasure.errors import DataError
from metameasure.scale import Scale
from metameasure.statistics.item_tests import share_of_cells

ROWS = [("1", "a"), ("2", "b"), ("3", "a")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with gold.tsv and two runs."""
    monkeypatch.chdir(tmp_path)
    for name, last in (("gold", "a"), ("one", "a"), ("two", "b")):
        rows = [*ROWS[:2], ("3", last)]
        (tmp_path / f"{name}.tsv").write_text("item\tlabel\n" + "".join(f"{item}\t{label}\n" for item, label in rows))
    return tmp_path


TWICE = {
    "gold": ("evaluate", ["item", "label", "label"], {}),
    "of no use": ("evaluate", ["item", "label", "x", "x"], {}),
    "a number and its text": ("evaluate", ["item", "label", 1, "1"], {}),
    "distributions": ("evaluate", ["topic", "a", "b", "b"], {"task": "quantification"}),
    "rankings": ("evaluate", ["segment", "item", "rank", "rank"], {"task": "ranking"}),
    "check": ("check", ["item", "label", "label"], {}),
}


class TestColumns:
    @pytest.mark.parametrize(
        "name", ['a"b', '"', "*", "a*", "a'b", "a.b", "a`b", "a/b", "~1", "$", "$.item", "[0]", "\\", "a b", "é"]
    )
    def test_of_any_name_in_json_lines(self, run, folder, name):
        """As a run, as a label and as a column that nobody asks for."""
        rows = [{"item": item, "gold": label, name: label} for item, label in ROWS]
        (folder / "all.jsonl").write_text("\n".join(map(json.dumps, rows)))
        status, out, err = run("evaluate", "all.jsonl", "--classes", "a,b", "--measures", "accuracy", "--format", "json")
        assert (status, err) == (0, "")
        (found,) = json.loads(out)["runs"]
        assert (found["run"], found["scores"]["accuracy"]) == (name, 1)
        labels = [{"item": item, name: label} for item, label in ROWS]
        for file in ("g.jsonl", "r.jsonl"):
            (folder / file).write_text("\n".join(map(json.dumps, labels)))
        call = ("evaluate", "g.jsonl", "r.jsonl", "--classes", "a,b", "--measures", "accuracy", "--format", "csv")
        assert run(*call, "--label-column", name)[0] == 0

    @pytest.mark.parametrize("case", TWICE)
    def test_twice_in_a_frame(self, case):
        question, names, how = TWICE[case]
        frame = pd.DataFrame([["1"] * len(names), ["2"] * len(names)], columns=names)
        how = {"classes": ["a", "b"], **how} if how.get("task") != "ranking" else how
        with pytest.raises(DataError, match=f"gold: two columns are called '{names[-1]}'; give each column a name of its own"):
            getattr(mm, question)(frame, {"r": frame}, **how)

    def test_twice_in_frames_of_other_questions(self):
        ratings = pd.DataFrame([["1", "x", "a", "a"]], columns=["item", "annotator", "label", "label"])
        with pytest.raises(DataError, match="two columns are called 'label'"):
            mm.agree(ratings, classes=["a", "b"])
        scores = pd.DataFrame([["m", "t", "r", 1, 2]], columns=["measure", "topic", "run", "score", "score"])
        with pytest.raises(DataError, match="two columns are called 'score'"):
            mm.meta.discrimination(scores)
        table = pa.table([["1"], ["a"], ["b"]], names=["item", "label", "label"])
        with pytest.raises(DataError, match="two columns are called 'label'"):
            mm.evaluate(table, {"r": table}, classes=["a", "b"])


MEASURE = """
from metameasure.plugin import measure

@measure(id="mine", title="Mine", better="lower", formula="1", source="Nobody (2026). Nothing.")
def mine(counts):
    {}
"""


class TestPlugins:
    @pytest.mark.parametrize("raised", ["SystemExit('x')", "SystemExit(0)", "SystemExit", "GeneratorExit", "BaseException('x')"])
    def test_that_end_the_program(self, run, folder, raised):
        """While they are loaded, and while they score."""
        (folder / "mine.py").write_text(f"raise {raised}\n")
        call = ("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b", "--plugin", "mine.py")
        status, out, err = run(*call)
        assert (status, out) == (2, "")
        assert err.startswith(f"metameasure: mine.py: {raised.partition('(')[0]}")
        assert err.endswith("; it must be importable on its own\n")
        (folder / "mine.py").write_text(MEASURE.format(f"raise {raised}"))
        status, out, err = run(*call, "--measures", "mine")
        assert (status, out) == (2, "")
        assert err.startswith(f"metameasure: the formula mine of a plugin: {raised.partition('(')[0]}")

    def test_whose_formula_fails(self, run, folder):
        (folder / "mine.py").write_text(MEASURE.format("return 1 / 0"))
        status, _, err = run("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b", "--plugin", "mine.py", "--measures", "mine")
        assert status == 2
        assert "the formula mine of a plugin: ZeroDivisionError: division by zero; mend it: " in err

    def test_ctrl_c_passes(self, run, folder):
        (folder / "mine.py").write_text("raise KeyboardInterrupt\n")
        assert run("measures", "--plugin", "mine.py")[0] == 130


class TestManyClasses:
    LABELS = tuple(f"c{number}" for number in range(20_000))

    @pytest.fixture
    def many(self, folder):
        for name, step in (("many", 1), ("first", 7), ("second", 11)):
            rows = (f"{place}\t{self.LABELS[place * step]}\n" for place in range(50))
            (folder / f"{name}.tsv").write_text("item\tlabel\n" + "".join(rows))
        ratings = (f"{place}\t{who}\t{self.LABELS[place]}\n" for place in range(50) for who in range(400))
        (folder / "ratings.tsv").write_text("item\tannotator\tlabel\n" + "".join(ratings))
        return ("--classes", ",".join(self.LABELS))

    @pytest.mark.parametrize(
        "call",
        [
            ("evaluate", "many.tsv", "first.tsv"),
            ("table", "many.tsv", "first.tsv"),
            ("compare", "many.tsv", "first.tsv", "second.tsv", "--measures", "accuracy"),
            ("advise", "many.tsv", "first.tsv"),
            ("report", "many.tsv", "first.tsv", "-o", "x.html"),
            ("agree", "ratings.tsv"),
        ],
        ids=lambda call: call[0],
    )
    def test_make_no_dense_table(self, run, many, call):
        status, out, err = run(*call, *many)
        assert (status, out) == (2, "")
        assert "20,000 classes make tables of " in err
        assert "are these labels classes at all?" in err

    def test_may_be_checked_and_counted(self, run, many):
        started = time.monotonic()
        assert run("check", "many.tsv", "first.tsv", *many)[0] == 0
        assert run("count", "many.tsv", "first.tsv", "-o", "x.npz", *many)[0] == 0
        assert time.monotonic() - started < 20

    def test_are_looked_up(self):
        scale, started = Scale(self.LABELS), time.monotonic()
        assert [scale.find(label) for label in self.LABELS] == list(range(20_000))
        assert time.monotonic() - started < 2

    def test_of_two_hundred_a_comparison_needs_no_table_of_all_tables(self, run, folder):
        """A measure's share of cells is tried out on as many tables as there are cells: not on all at once."""
        assert share_of_cells(lambda tables: pytest.fail("not tried"), 200) is None
        tried = []
        share_of_cells(lambda tables: tried.append(tables.size) or tables.trace(axis1=1, axis2=2) / tables.sum(axis=(1, 2)), 60)
        assert max(tried) <= 2**23

    def test_where_memory_runs_out(self, run, folder, monkeypatch):
        def full(*_args, **_more):
            raise MemoryError("Unable to allocate 2.98 GiB")

        monkeypatch.setattr("metameasure.evaluation.evaluate", full)
        monkeypatch.setattr("metameasure.evidence.counts.LabelCounts._dense", full)
        status, _, err = run("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b")
        assert (status, err) == (
            1,
            "metameasure: there is not enough memory (Unable to allocate 2.98 GiB); use fewer runs, topics or classes at once\n",
        )
