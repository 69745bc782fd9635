"""Names of runs, topics, labels and files are text wherever people read them, whatever is in them."""

import csv
import html.parser
import io
import json
import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.show.formats.markdown import escaped
from metameasure.show.inert import visible
from metameasure.show.table import Table

HOSTILE = (
    "<script>alert(1)</script>",
    "\\<img src=x onerror=alert(1)>",
    "\"><svg onload='x'>",
    "$\\alpha_$",
    "\x1b[31mred\x1b]0;title\x07",
    "\x9b2J",
    "abc\u202efed",
    "x" * 10_000,
    "🏳️‍🌈 日本語 نص",
    "=1+cmd|' /C calc'!A0",
    "a|b*c_d_ `e` [f](g) &lt; ~~h~~ #i",
    "% }\\end{tabular}",
    "{{ 7 * 7 }}{% raw %}",
    "]]>--></style>",
)
MEASURES = ["accuracy", "mae"]


@pytest.fixture(scope="module")
def scores():
    """Runs, topics and a label with names that try to be more than names."""
    labels = ["a", HOSTILE[0]]
    rows = [(f"{item}", topic, labels[item % 2]) for item in range(8) for topic in HOSTILE[:6]]
    gold = pl.DataFrame(rows, schema=["item", "topic", "label"], orient="row")
    runs = {
        name: gold.with_columns(
            pl.Series("label", [labels[drawn] for drawn in np.random.default_rng(place).integers(0, 2, len(rows))])
        )
        for place, name in enumerate(HOSTILE)
    }
    return mm.evaluate(gold, runs, classes=labels, measures=MEASURES)


@pytest.fixture(scope="module")
def comparison(scores):
    return mm.compare(scores, "accuracy", trials=50, incomplete="drop-topics")


def controls(text):
    return [char for char in text if (ord(char) < 32 and char not in "\n\t") or 0x7F <= ord(char) < 0xA0 or char == "\u202e"]


@pytest.mark.each_time(1)
@pytest.mark.parametrize("format", ["table", "terminal", "json", "markdown", "latex", "html"])
def test_no_control_character_is_sent(scores, comparison, format):
    for result in (scores, comparison):
        assert controls(result.render(format)) == []


def test_control_characters_are_shown(scores):
    assert "\\x1b[31mred\\x1b]0;title\\x07" in str(scores)
    assert "abc\\u202efed" in str(scores)
    assert visible("a\tb\n🏳️‍🌈日本") == "a\tb\n🏳️‍🌈日本"


def test_a_table_in_a_terminal_has_lines_that_can_be_read(scores):
    assert max(map(len, str(scores).splitlines())) < 400
    assert "x" * 10_000 in scores.render("csv")


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def test_html_has_no_tag_of_a_name(scores):
    found = Tags()
    found.feed(scores._repr_html_())
    assert found.tags <= {"div", "style", "table", "thead", "tbody", "tr", "th", "td", "b", "ul", "li"}
    assert HOSTILE[0] in found.text


def test_letters_are_those_of_the_page_s_script():
    r"""Its ``\w`` is ASCII's: what is copied there is escaped as here."""
    assert (escaped("é_a"), escaped("a_b"), escaped("&é")) == (r"é\_a", "a_b", "&é")


def test_markdown_has_no_markup_of_a_name(scores):
    text = scores.render("markdown")
    assert "<" not in text.replace("&lt;", "")
    assert "\\\\&lt;img src=x" in text  # the backslash of the name takes nothing from ours
    assert "a\\|b\\*c_d\\_ \\`e\\` [f\\](g) &amp;lt; \\~\\~h\\~\\~ #i" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(row.replace("\\\\", "").replace("\\|", "").split("|")) for row in rows} == {7}


@pytest.mark.parametrize(
    ("note", "written"), [("# not a heading", "\\# not"), ("1. not an item", "1\\. not"), ("- nor this", "\\- nor")]
)
def test_a_note_in_markdown_opens_no_block(note, written):
    assert f"- {written}" in Table(("a",), (("b",),), notes=(note,)).render("markdown")
    assert f"<{note}>" not in escaped(f"<{note}>")


def test_latex_of_a_note_stays_a_comment():
    text = Table(("a\nb",), (("c",),), notes=("% a run\n\\input{/etc/passwd}\r\\x",)).render("latex")
    assert all(
        line.startswith(("%", "\\begin", "\\centering", "\\toprule", "\\midrule", "\\bottomrule", "\\end", "a b", "c"))
        for line in text.splitlines()
    )


def test_charts_are_xml_with_the_name_in_them(scores, tmp_path):
    with pytest.warns(UserWarning, match="Glyph"):  # the font has neither flags nor Japanese
        scores.chart(tmp_path / "chart.svg")
    text = (tmp_path / "chart.svg").read_text()
    ET.fromstring(text)  # noqa: S314 - our own file
    assert "\\x1b[31mred" in text
    with pytest.warns(UserWarning, match="Glyph"):
        scores.chart(tmp_path / "lines.svg", order_by="mae")
    ET.parse(tmp_path / "lines.svg")  # noqa: S314


def test_csv_and_json_hold_names_as_they_are(scores):
    rows = list(csv.DictReader(io.StringIO(scores.render("csv"))))
    assert {row["run"] for row in rows} == {*HOSTILE}
    assert {run["run"] for run in json.loads(scores.render("json"))["runs"]} == {*HOSTILE}


def test_messages_show_what_a_name_holds(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n")
    (tmp_path / "bad\x1b[31m.csv").write_text("item,label\n1,a\n\x1b[2Jx,b\n")
    for command in ("evaluate", "check"):
        status, _, err = run(command, tmp_path / "gold.csv", tmp_path / "bad\x1b[[]31m.csv", "--classes", "a,b")
        assert status == 1
        assert controls(err) == []
        assert "\\x1b" in err


def test_nothing_reaches_a_terminal_as_a_command(tmp_path):
    """Whatever the format: to a terminal, CSV is shown too."""
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n")
    (tmp_path / "run\x1b]0;title\x07.csv").write_text("item,label\n1,a\n2,b\n")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run*.csv")]
    command = [
        sys.executable,
        "-m",
        "metameasure",
        "evaluate",
        *files,
        "--classes",
        "a,b",
        "--measures",
        "accuracy",
        "--format",
        "csv",
    ]
    ours, theirs = pty.openpty()
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    sent = os.read(ours, 10_000)
    os.close(ours)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"run\\x1b]0;title\\x07,1.0" in sent
    assert b"\x1b" not in sent
    piped = subprocess.run(command, capture_output=True, check=True).stdout
    assert b"run\x1b]0;title\x07,1.0" in piped


def test_clean_shows_what_files_hold(run, tmp_path):
    """Names of files, columns and labels, in what is printed, in the log and in the JSON of a folder that is cleaned."""
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n")
    sent = tmp_path / "sent"
    sent.mkdir()
    for place, name in enumerate(HOSTILE):
        plain = name.replace("/", "").encode()[:80].decode("utf-8", "ignore")
        (sent / f"{plain}{place}.csv").write_text(f"item;label\n1; a\n2;{plain}\n", encoding="utf-8")
    for format in ("table", "json", "markdown", "latex", "html"):
        asked = ("--classes", "a,b", "-o", tmp_path / format, "--format", format)
        status, out, err = run("clean", tmp_path / "gold.csv", sent, *asked)
        assert status == 1
        assert controls(out) == controls(err) == []
        assert controls((tmp_path / format / "log.txt").read_text(encoding="utf-8")) == []
    names = [path.name for path in (tmp_path / "json/left").iterdir()]
    left_out = {one["file"] for one in json.loads((tmp_path / "json/log.json").read_text())["left_out"]}
    assert len(names) + len(left_out) == len(HOSTILE)
    assert len(names) > 10
    assert all(name.isprintable() for name in names)


@pytest.fixture(scope="module")
def explained():
    """Names of items, of classes and of topics, and texts."""
    items = pl.DataFrame(
        {"item": HOSTILE, "topic": HOSTILE[::-1], "label": [HOSTILE[place % 2] for place in range(len(HOSTILE))]}
    )
    other = items.with_columns(label=pl.lit(HOSTILE[0]))
    texts = pl.DataFrame({"item": HOSTILE, "text": HOSTILE})
    return mm.explain(items, items, other, classes=[*HOSTILE[:2]], measure="accuracy", texts=texts)


@pytest.mark.parametrize("format", ["table", "terminal", "json", "markdown", "latex", "html"])
def test_explain_shows_what_items_are_called(explained, format):
    text = explained.render(format)
    assert controls(text) == []
    assert explained.to_dict()["differ"] == len(HOSTILE) // 2
    if format == "html":
        found = Tags()
        found.feed(text)
        assert not found.tags & {"script", "img", "svg"}
