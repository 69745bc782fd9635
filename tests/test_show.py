"""The blocks that results are shown with: tables, the formats they are written in, numbers."""

import subprocess
import sys

import pytest

import metameasure as mm
from meta_cases import long_file, three_measures
from metameasure.notes import Note, sentence
from metameasure.show import formats
from metameasure.show.table import OutputFormat, output_formats

FORMATS = ["table", "json", "csv", "tsv", "markdown", "latex", "html"]
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
    assert "background: #" in out
    assert run("measures", "--format", "html")[1].startswith("<table>")


def test_formats_are_objects_that_say_what_tables_need_to_know():
    known = output_formats()
    assert all(isinstance(format, OutputFormat) for format in known.values())
    assert [name for name, format in known.items() if format.exact] == ["csv", "tsv"]
    assert [name for name, format in known.items() if format.paper] == ["latex"]


def test_a_note_has_its_sentence():
    """A word of ours gets a capital letter; the name of a run, whatever it is, stays as it is."""
    assert sentence(Note("random baselines are simulated")) == "Random baselines are simulated."
    assert sentence("random baselines: 2 missing item(s) dropped") == "random baselines: 2 missing item(s) dropped."


def test_a_run_called_as_a_note_opens(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n3,a\n")
    (tmp_path / "the one.csv").write_text("item,label\n1,a\n2,b\n")
    call = ("evaluate", tmp_path / "gold.csv", tmp_path / "the one.csv", "--classes", "a,b", "--missing", "drop", "--baselines")
    status, out, _ = run(*call)
    assert status == 0
    assert "\nthe one: 1 missing item(s) " in out
    assert "\nThe majority class is a.\n" in out
