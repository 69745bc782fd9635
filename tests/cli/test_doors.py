"""What comes in and goes out in ways that nobody would choose: names, frames, plugins, outputs, signals and sizes."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time

import pandas as pd
import pyarrow as pa
import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.core.errors import DataError
from metameasure.core.scale import Scale
from metameasure.show.formats import latex, markdown, plain
from metameasure.show.table import Table
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

        monkeypatch.setattr("metameasure.evaluating.evaluate.evaluate", full)
        monkeypatch.setattr("metameasure.evidence.counts.LabelCounts._dense", full)
        status, _, err = run("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b")
        assert (status, err) == (
            1,
            "metameasure: there is not enough memory (Unable to allocate 2.98 GiB); use fewer runs, topics or classes at once\n",
        )


KILLED = """
import os, signal, sys, time
import metameasure.core.output as output
from metameasure import __main__
real, number = output._mode, int(sys.argv.pop())
signal.signal(number, signal.SIG_DFL)  # tests that were started by nohup ignore one of them

def mode(*args):
    os.kill(os.getpid(), number)
    time.sleep(5)
    return real(*args)

output._mode = mode
sys.exit(__main__.main())
"""
CALL = ("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b")
EMPTY = {
    "scores": (*CALL, "--scores", ""),
    "chart": (*CALL, "--chart", ""),
    "page": ("axioms", "kappa", "--page", ""),
    "resume": ("axioms", "kappa", "--resume", ""),
    "report": ("report", *CALL[1:], "-o", ""),
    "count": ("count", *CALL[1:], "-o", ""),
    "merge": ("merge", "x.npz", "-o", ""),
    "convert": ("convert", "gold.tsv", ""),
    "simulate": ("simulate", ""),
    "demo": ("demo", "-o", ""),
}
WRITING = {
    "scores": (*CALL, "--scores", "{}.csv"),
    "chart": (*CALL, "--chart", "{}.svg"),
    "count": ("count", *CALL[1:], "-o", "{}.npz"),
    "report": ("report", *CALL[1:], "--trials", "10", "-o", "{}.html"),
    "convert": ("convert", "gold.tsv", "{}.csv"),
}


class TestOutputs:
    @pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGHUP])
    def test_a_command_that_is_asked_to_end_leaves_nothing(self, folder, kind):
        before = sorted(folder.iterdir())
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
        call = [sys.executable, "-c", KILLED, "convert", "gold.tsv", "x.csv", str(int(kind))]
        done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.strip()) == (-kind, "metameasure: interrupted")
        assert sorted(folder.iterdir()) == before

    def test_what_is_being_written_is_hidden(self, run, folder):
        """Whatever a kill leaves: no pattern matches it."""
        rows = "".join(f"{place}\ta\n" for place in range(300_000))
        (folder / "big.tsv").write_text(f"item\tlabel\n{rows}")
        seen, over = set(), threading.Event()

        def watch():
            while not over.is_set():
                seen.update(path.name for path in folder.iterdir())

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            assert run("convert", "big.tsv", "x.csv")[0] == 0
        finally:
            over.set()
            watcher.join()
        assert {name for name in seen if not name.startswith(".")} <= {"gold.tsv", "one.tsv", "two.tsv", "big.tsv", "x.csv"}
        assert any(name.startswith(".") for name in seen)

    @pytest.mark.parametrize("case", EMPTY)
    def test_without_a_name(self, run, folder, case):
        before = sorted(folder.iterdir())
        status, out, err = run(*EMPTY[case])
        assert (status, out) == (2, ""), err
        assert sorted(folder.iterdir()) == before

    @pytest.mark.parametrize("case", WRITING)
    def test_a_link_to_itself(self, run, folder, case):
        call = [part.format("loop") for part in WRITING[case]]
        (folder / call[-1]).symlink_to(call[-1])
        status, out, err = run(*call)
        assert (status, out) == (2, "")
        assert f"'{call[-1]}' is a link that leads to itself; remove it, or choose another name" in err

    @pytest.mark.parametrize(
        "call", [("evaluate", "loop", "one.tsv"), ("check", "gold.tsv", "loop"), ("convert", "loop", "x.csv")]
    )
    def test_a_link_to_itself_that_is_read(self, run, folder, call):
        (folder / "loop").symlink_to("loop")
        status, _, err = run(*(("convert", "loop", "x.csv") if call[0] == "convert" else (*call, "--classes", "a,b")))
        assert (status, "'loop' is a link to a file that is not there" in err) == (2, True), err

    def test_simulate_into_a_linked_folder(self, run, folder):
        (folder / "real").mkdir()
        (folder / "link").symlink_to("real")
        (folder / "new").symlink_to("not-yet")
        (folder / "loop").symlink_to("loop")
        for name, where in (("link", "real"), ("new", "not-yet")):
            assert run("simulate", name)[0] == 0
            assert (folder / where / "gold.tsv").is_file()
            assert (folder / name).is_symlink()
        assert run("simulate", "loop")[0] == 2

    @pytest.mark.parametrize("case", WRITING)
    def test_permissions_of_what_is_replaced_stay(self, run, folder, case):
        call = [part.format("x") for part in WRITING[case]]
        (folder / call[-1]).write_text("old")
        (folder / call[-1]).chmod(0o640)
        assert run(*call)[0] == 0
        assert (folder / call[-1]).read_bytes() != b"old"
        assert stat.S_IMODE((folder / call[-1]).stat().st_mode) == 0o640

    @pytest.mark.parametrize(
        "case", [pytest.param(case, marks=[pytest.mark.slow] if place > 1 else []) for place, case in enumerate(WRITING)]
    )
    def test_a_full_disk_names_the_file(self, folder, case):
        call = [part.format("x") for part in WRITING[case]]
        before = {path.name for path in folder.iterdir()}
        program = "import resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (9, 9)); "
        program += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from metameasure.cli import main; sys.exit(main())"
        environment = os.environ | {
            "PYTHONPATH": str(ROOT / "src"),
            "MPLCONFIGDIR": str(folder / "mpl"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", program, *call], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (1, f"metameasure: cannot read or write {call[-1]}: File too large\n")
        assert {path.name for path in folder.iterdir()} - {"mpl"} == before

    @pytest.mark.parametrize("command", ["check", "evaluate", "report"])
    def test_names_that_are_not_utf_8(self, run, folder, command):
        gold, one = (os.fsdecode(name) for name in (b"gold-\xe9.tsv", b"one-\xe9.tsv"))
        (folder / "gold.tsv").rename(gold)
        (folder / "one.tsv").rename(one)
        how = ("-o", os.fsdecode(b"x-\xe9.html"), "--trials", "10") if command == "report" else ()
        status, _, err = run(command, gold, one, "--classes", "a,b", *how)
        assert (status, err) == (0, "")
        if command == "check":
            (folder / one).write_text("item\tlabel\n1\tz\n")
            status, _, err = run(command, gold, one, "--classes", "a,b")
            assert (status, "one-\\ufffd.tsv:2: label 'z' is not one of the classes" in err) == (1, True), err


class TestManyRows:
    def test_widths_are_computed_once(self, monkeypatch):
        """A table of twice the rows takes twice the steps."""
        steps = []
        measured = plain.shown_width
        monkeypatch.setattr(plain, "shown_width", lambda text: steps.append(1) or measured(text))

        def number(rows):
            steps.clear()
            Table(("run", "score"), tuple((f"run {row}", ".5") for row in range(rows))).render("table")
            return len(steps)

        assert number(2000) < 2.2 * number(1000)

    @pytest.mark.parametrize("task", ["classification", "quantification"])
    def test_parts_with_many_topics_are_merged(self, task):
        parts = []
        for part in "ab":
            columns = {"topic": [f"{part}{place}" for place in range(10_000)]}
            if task == "classification":
                frame = pd.DataFrame(columns | {"item": columns["topic"], "label": "x"})
            else:
                frame = pd.DataFrame(columns | {"x": 0.5, "y": 0.5})
            parts.append(mm.count(frame, {"r": frame}, task=task, classes=["x", "y"]))
        started = time.monotonic()
        assert len(mm.merge(parts).topics) == 20_000
        assert time.monotonic() - started < 5

    def test_wrong_labels_that_are_all_different(self, run, folder):
        rows = "".join(f"{place}\tx{place}\n" for place in range(50_000))
        (folder / "gold.tsv").write_text("item\tlabel\n" + "".join(f"{place}\ta\n" for place in range(50_000)))
        (folder / "one.tsv").write_text(f"item\tlabel\n{rows}")
        started = time.monotonic()
        status, _, err = run("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b")
        assert status == 1
        assert err.startswith("one.tsv:2: label 'x0' is not one of the classes")
        assert err.endswith("... and 49,980 more problems\n")
        assert time.monotonic() - started < 9


NAMES = (
    "bert--large",
    "x>=3",
    "a<=b",
    "?`what!`",
    "''q''",
    "``r``",
    "<<s>>",
    "✓ τ † Σ",
    "[x]",
    "*y*",
    "a_b & 50 % #1 ~ ^ \\\\ {z}",
    "−1",
)
PAPER = r"""\documentclass{article}
%s
\usepackage{booktabs,amssymb}\usepackage[table]{xcolor}
\IfFileExists{adjustbox.sty}{\usepackage{adjustbox}}{\newenvironment{adjustbox}[1]{}{}}
\begin{document}
%s
\end{document}
"""


class TestLatex:
    def test_what_would_run_together_is_kept_apart(self):
        told = Table(("run", "score"), tuple((name, ".5") for name in NAMES)).render("latex")
        for kept in (
            "bert-{}-large", r"x\textgreater{}=3", r"a\textless{}=b", "?{}`what!{}`", "'{}'q'{}'", "`{}`r`{}`", "{}[x]", "{}*y*",
            r"$\checkmark$ $\tau$ $\dagger$ $\Sigma$", "$-$1",
        ):  # fmt: skip
            assert kept in told, kept

    @pytest.mark.slow
    @pytest.mark.needs("pdflatex", "pdftotext")
    @pytest.mark.parametrize("encoding", ["", r"\usepackage[T1]{fontenc}"])
    def test_it_is_printed_as_it_is(self, folder, encoding):
        told = Table(("run", "score"), tuple((name, ".5") for name in NAMES)).render("latex")
        (folder / "x.tex").write_text(PAPER % (encoding, told))
        call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        printed = subprocess.run(
            ["pdftotext", "-layout", "x.pdf", "-"], cwd=folder, capture_output=True, text=True, check=True
        ).stdout
        for name in ("bert--large", "x>=3", "a<=b", "[x]", "*y*"):
            assert name in printed.replace("∗", "*"), printed

    def test_the_page_copies_by_the_same_rules(self, run, folder):
        """The script does with these rules what is done here."""
        (folder / "gold.tsv").write_text(
            "item\tgold\t" + "\t".join(NAMES) + "\n1\ta" + "\ta" * len(NAMES) + "\n2\tb" + "\tb" * len(NAMES) + "\n"
        )
        call = ("report", "gold.tsv", "--classes", "a,b", "--measures", "accuracy", "--trials", "10", "-o", "x.html")
        assert run(*call)[0] == 0
        found = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', (folder / "x.html").read_text(), re.DOTALL)
        rules = json.loads(found[1])["escape"]
        for name in NAMES:
            marked = re.sub(rules["markup"], lambda match: f"\\{match[0]}", name)
            assert re.sub(rules["entities"], lambda match: rules["names"][match[0]], marked) == markdown.escaped(name)
            parts = re.split(rules["apart"], name)
            assert "{}".join("".join(rules["letters"].get(char, char) for char in part) for part in parts) == latex._letters(name)


class TestDuplicates:
    @pytest.mark.parametrize("broken", ["gold.tsv", "one.tsv"])
    def test_are_all_counted(self, run, folder, broken):
        rows = "".join(f"{place % 5}\ta\n" for place in range(1004))
        for name in ("gold.tsv", "one.tsv"):
            (folder / name).write_text("item\tlabel\n" + "".join(f"{place}\ta\n" for place in range(5)))
        (folder / broken).write_text(f"item\tlabel\n{rows}")
        status, _, err = run("evaluate", "gold.tsv", "one.tsv", "--classes", "a,b")
        assert status == 1
        assert err.endswith("... and 979 more problems\n"), err
        status, _, err = run("check", "gold.tsv", "one.tsv", "--classes", "a,b")
        assert "and 998 more like it" in err

    def test_in_rankings_too(self, run, folder):
        rows = "".join(f"s\t{place % 5}\t{place % 5 + 1}\n" for place in range(1004))
        (folder / "gold.tsv").write_text("segment\titem\trank\n" + "".join(f"s\t{place}\t{place + 1}\n" for place in range(5)))
        (folder / "one.tsv").write_text(f"segment\titem\trank\n{rows}")
        status, _, err = run("evaluate", "gold.tsv", "one.tsv", "--task", "ranking")
        assert (status, err.endswith("... and 979 more problems\n")) == (1, True), err
