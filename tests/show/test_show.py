"""The blocks that results are shown with: tables, the formats they are written in, numbers."""

import re
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest

import metameasure as mm
from meta_cases import long_file, matrix, noisy, three_measures
from metameasure.core.errors import did_you_mean
from metameasure.core.messages import say
from metameasure.show import formats
from metameasure.show.table import OutputFormat, Table, output_format, output_formats

FORMATS = ["table", "json", "csv", "tsv", "markdown", "latex", "html", "latex-print"]
WIKI = """
from metameasure.show.table import OutputFormat


def wiki(table):
    rows = "".join("|-\\n| " + " || ".join(row) + "\\n" for row in table.rows)
    return "{|\\n! " + " !! ".join(table.columns) + "\\n" + rows + "|}\\n"


FORMAT = OutputFormat("wiki", wiki)
"""


def test_the_formats_of_the_interface():
    assert [name for name, format in output_formats().items() if format.offered] == FORMATS


class TestANewFormatIsOneFile:
    def test_in_python(self, tmp_path, monkeypatch):
        (tmp_path / "wiki.py").write_text(WIKI)
        monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
        assert (
            mm.meta.similarity(three_measures()).render("wiki").startswith("{|\n! measure !! cem_ord !! mae\n|-\n| accuracy || ")
        )
        sys.modules.pop("metameasure.show.formats.wiki")

    def test_on_the_command_line(self, tmp_path):
        (tmp_path / "formats").mkdir()
        (tmp_path / "formats/wiki.py").write_text(WIKI)
        scores = long_file(tmp_path / "scores.csv", three_measures())
        program = (
            f"import metameasure.show.formats as formats; formats.__path__.append({str(tmp_path / 'formats')!r})\n"
            f"from metameasure.cli import main; main(['meta', 'robustness', {str(scores)!r}, '--format', 'wiki'])"
        )
        told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert told.stdout.startswith("{|\n! measure !! robustness\n|-\n"), told.stderr


def test_a_format_that_does_not_exist():
    with pytest.raises(mm.UsageError, match="there is no format 'word'; choose one of table, json, csv"):
        mm.meta.robustness(three_measures()).render("word")


def test_html_on_the_command_line(run, tmp_path):
    scores = long_file(tmp_path / "scores.csv", three_measures())
    status, out, err = run("meta", "similarity", scores, "--format", "html")
    assert (status, err) == (0, "")
    assert out == mm.meta.similarity([scores]).render("html")
    assert re.search(r'<td class="n (strong|fair|weak)">', out)
    assert out.count("<style>") == 1
    listed = run("measures", "--format", "html")[1]
    assert listed.count("<style>") == listed.count("<h3>")  # a table for each question, each of which may be taken out


def test_a_notebook_has_the_tables_of_the_page():
    found = mm.meta.similarity(three_measures())
    table = re.compile(r"<thead>.*?</table>", re.DOTALL)
    page = re.sub(
        r' data-(m|better)="[^"]*"|&nbsp;<a class="def".*?</a>', "", mm.report(found).html
    )  # which lead to its definitions
    assert table.findall(found._repr_html_())[0] == table.findall(page)[0]


def test_a_notebook_speaks_of_arguments_and_leaves_its_style_sheet_alone():
    found = mm.meta.similarity(three_measures())
    table = replace(found.tables(output_format("html"))[0], notes=(say("choose {--missing drop}"),), beside=None)
    shown = output_format("html").document([table])
    assert "<li>choose missing=&#39;drop&#39;</li>" in shown
    assert "var(--rule)" in found._repr_html_()


def test_formats_are_objects_that_say_what_tables_need_to_know():
    known = output_formats()
    assert all(isinstance(format, OutputFormat) for format in known.values())
    assert [name for name, format in known.items() if format.exact] == ["csv", "tsv"]
    assert [name for name, format in known.items() if format.paper] == ["latex", "latex-print"]


def test_a_run_called_as_a_note_opens(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n3,a\n")
    (tmp_path / "the one.csv").write_text("item,label\n1,a\n2,b\n")
    call = ("evaluate", tmp_path / "gold.csv", tmp_path / "the one.csv", "--classes", "a,b", "--missing", "drop", "--baselines")
    status, out, _ = run(*call)
    assert status == 0
    assert "\nthe one: 1 missing item " in out
    assert "\nThe majority class is a.\n" in out


class TestSigns:
    def test_no_negative_zero(self):
        """-0.0001 is 0.000, in an interval too; -0.05 stays, and so does a run that is called -0.0."""
        table = Table(("run", "x"), (("-0.0", "-0.000 [-0.05, -0.00]"), ("b", "-10.0"), ("c", "-0")), right=frozenset("x"))
        assert [row[1] for row in table.rows] == ["0.000 [-0.05, 0.00]", "-10.0", "0"]
        assert table.rows[0][0] == "-0.0"
        scores = [matrix("accuracy", [[0.1, 0.2], [0.2, 0.1 + 1e-5]]), matrix("cem_ord", [[0.3, 0.1], [0.2, 0.3]])]
        assert "-0.000" not in str(mm.meta.deltas(scores))

    def test_minus_signs_in_latex(self):
        """Numbers have minus signs, names have hyphens; the dash of an empty cell stays."""
        table = Table(("run", "x"), (("BL-2", "-0.20 [-1, 0.4]"), ("-3", "-")), right=frozenset("x"))
        _, body = table.render("latex").split("\\midrule\n")
        assert body.splitlines()[:2] == [r"BL-2 & $-$0.20 [$-$1, 0.4] \\", r"-3 & - \\"]

    def test_names_are_not_read_as_mathematics_in_latex(self, run, tmp_path):
        """A measure's symbol has a superscript; a run called #1_a^b does not, nor one called like a symbol."""
        names = ("#1_a^b", "MAE^M", "κ_LIN", "d")
        scores = long_file(
            tmp_path / "scores.csv", [matrix("mae_macro", noisy(8, 4), names), matrix("tau@wmt12", noisy(8, 4, 1), names)]
        )
        told = run("meta", "deltas", scores, "--runs", "#1_a^b,MAE^M", "--format", "latex")[1]
        assert r"$\mathrm{MAE}^{\mathrm{M}}$" in told
        assert r"$\tau_{\mathrm{wmt12}}$" in told
        told = run("meta", "coverage", scores, "--format", "latex")[1]
        for name in (r"\#1\_a\textasciicircum{}b", r"MAE\textasciicircum{}M", r"$\kappa$\_LIN"):
            assert f"\n{name} & " in told
        (tmp_path / "gold.csv").write_text("item,label\n1,1\n2,2\n")
        (tmp_path / "a^b.csv").write_text("item,label\n1,1\n2,1\n")
        call = ("evaluate", tmp_path / "gold.csv", tmp_path / "a^b.csv", "--classes", "1..2", "--measures", "mae_macro")
        told = run(*call, "--format", "latex")[1]
        assert r"$\mathrm{MAE}^{\mathrm{M}}$ $\downarrow$" in told
        assert r"a\textasciicircum{}b & \textbf{0.5" in told


class TestHints:
    def test_numbers_are_not_misspelt(self):
        """Of classes -2 to 1, 2 is not a slip of -2."""
        with pytest.raises(mm.UsageError, match=r"there is no class '2'; the classes are -2,-1,0,1"):
            mm.Scale.of("-2..1").index(2)
        with pytest.raises(mm.UsageError, match="did you mean 'positive'"):
            mm.Scale.of("negative,positive").index("positve")

    def test_a_label_with_an_apostrophe(self, run, tmp_path):
        """The classes are ready to paste into a shell, whatever the labels are called."""
        assert did_you_mean("its ok", ["it's ok", "no"]) == 'did you mean "it\'s ok"?'
        for label, pasted in (
            ("it's ok", '"it\'s ok,no"'),
            ("not so", "'no,not so'"),
            ("yes", "no,yes"),
            ("it's $5", "'it'\"'\"'s $5,no'"),
        ):
            (tmp_path / "gold.csv").write_text(f"item,label\n1,{label}\n2,no\n")
            (tmp_path / "run.csv").write_text(f"item,label\n1,{label}\n2,no\n")
            err = run("evaluate", tmp_path / "gold.csv", tmp_path / "run.csv")[2]
            assert f"--classes {pasted}: order them" in err
            assert shlex.split(pasted) == [",".join(sorted((label, "no")))]
