"""Tables fit the terminal: nothing wraps at 80 columns, whatever the names, the numbers of runs and of measures."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from conftest import ROOT
from metameasure.show.formats import plain
from metameasure.show.formats.plain import plain_text, shortened_names, shown_width
from metameasure.show.table import Table
from metameasure.statistics.groups import letter_ranges

LONG = "team-with-a-name-of-sixty-characters-or-so-submission-number-"


def widest(text):
    return max(map(shown_width, text.splitlines()))


def scores(runs, measures=5, topics=8, **more):
    """A leaderboard of runs with long names, on made-up labels."""
    rng = np.random.default_rng(0)
    pandas = pytest.importorskip("pandas")
    items = 10 * topics
    gold = pandas.DataFrame({"item": range(items), "topic": [f"t{i % topics}" for i in range(items)]})
    gold["label"] = rng.integers(1, 4, items)
    outputs = {}
    for run in range(runs):
        right = rng.random(items) < 0.2 + 0.7 * run / runs
        outputs[f"{LONG}{run}"] = gold[["item"]].assign(label=np.where(right, gold["label"], rng.integers(1, 4, items)))
    chosen = ["mae_macro", "cem_ord", "kappa_linear", "accuracy", "conditional_entropy"][:measures]
    return mm.evaluate(gold, outputs, classes="1..3", measures=chosen, **more)


@pytest.fixture
def at_80(monkeypatch):
    monkeypatch.setattr(plain, "terminal_width", lambda: 80)


class TestWhatIsPrintedAt80Columns:
    @pytest.mark.parametrize(("runs", "measures"), [(6, 1), (6, 5), (40, 5)])
    def test_leaderboards(self, at_80, runs, measures):
        found = scores(runs, measures, ci=True, trials=20, baselines=True)
        text = str(found)
        assert widest(text) <= 80
        body = text.split("\n\n", maxsplit=1)[0].splitlines()
        assert sum("…" in line for line in body) >= runs, "names are shortened"
        if measures == 5:
            assert any(line.strip().startswith("[0.") for line in body), "intervals stand under the scores"
            assert "Left out, for want of room: accuracy ↑, conditional_entropy ↓ (CSV has" in text
        else:
            assert "Left out" not in text

    @pytest.mark.thorough
    def test_comparisons_of_120_runs_letters_included(self, at_80):
        found = mm.compare(scores(120, 1), "mae_macro", trials=50)
        text = str(found)
        assert widest(text) <= 80
        assert text.count("\n") < 2 * 120 + 60
        letters = found.letters()
        assert max(map(len, letters)) > 8
        assert "Runs that share a letter (a-d: a, b, c, d) are not told apart" in text
        for letter in letters:
            assert letter_ranges(letter) in text

    @pytest.mark.each_time(2)
    @pytest.mark.parametrize(
        "question",
        ["similarity", "consistency", "discrimination", "overlap", "contradictions", "coverage", "robustness", "summary"],
    )
    def test_questions(self, at_80, question):
        few = {"trials": 20} if question in ("discrimination", "overlap", "contradictions", "similarity", "summary") else {}
        few |= {"splits": 10} if question in ("consistency", "summary") else {}
        assert widest(str(getattr(mm.meta, question)(scores(8), **few))) <= 80

    def test_pairs_of_two_runs(self, at_80):
        names = f"{LONG}0,{LONG}5"
        assert widest(str(mm.meta.deltas(scores(6), runs=names))) <= 80
        assert widest(str(mm.compare(scores(20, 1), "mae_macro", against=f"{LONG}0", trials=20))) <= 80


class TestFitting:
    @given(
        st.integers(1, 8),
        st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=60), max_size=5),
        st.integers(48, 130),
        st.booleans(),
    )
    def test_no_line_is_too_long(self, columns, names, width, intervals):
        cell = "0.1234 [0.1000, 0.2000]" if intervals else "0.1234"
        headings = ("rank", "run", *(f"a_measure_with_a_long_name@{place}" for place in range(columns)))
        rows = tuple((str(place), name, *[cell] * columns) for place, name in enumerate(names))
        table = Table(headings, rows, right=frozenset(headings) - {"run"}, notes=("a " * 200, "x|" * 90))
        text = plain_text(table, width=width)
        assert widest(text) <= width
        shown = sum(f"@{place}" in text.split("Left out")[0] for place in range(columns))
        assert (shown < columns) == ("Left out, for want of room" in text)

    def test_what_fits_stays_as_it_is(self):
        table = Table(("run", "x"), (("a", "0.1 [0, 1]"), ("b", "0.2 [0, 1]")), right=frozenset("x"), notes=("A note.",))
        assert plain_text(table, width=40) == plain_text(table)

    def test_long_texts_wrap_in_their_column(self):
        text = "a sentence that says what is wrong with the run, at some length, so that it does not fit into one line"
        table = Table(("run", "problems"), (("first", text), ("second", "none")))
        printed = plain_text(table, width=60)
        assert widest(printed) <= 60
        assert printed.splitlines()[2].startswith("first   a sentence that says")
        assert " ".join(line[8:] for line in printed.splitlines()[2:-1]) == text

    def test_names_stay_apart(self):
        names = [f"{LONG}{letter}{LONG}" for letter in "abc"]
        short = shortened_names([*names, "x", names[0]], 20)
        assert len(set(short)) == 4
        assert short[0] == short[-1], "one name is shortened in one way"
        assert all(shown_width(name) <= 20 for name in short)
        assert short[0].startswith("team-with")
        assert short[3] == "x"

    def test_wide_characters_take_two_columns(self):
        assert all(shown_width(name) <= 11 for name in shortened_names(["漢字" * 20, "é" * 30], 11))

    @pytest.mark.parametrize(
        ("letters", "shown"),
        [("a", "a"), ("abc", "abc"), ("abcd", "a-d"), ("abcdfghij", "a-df-j"), ("xyza1b1", "x-b1"), ("", "")],
    )
    def test_letters(self, letters, shown):
        assert letter_ranges(letters) == shown


def printed_on_a_terminal(columns, *arguments, **environment):
    """What a command prints where standard output is a terminal so wide."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    told = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "metameasure", *map(str, arguments)]
    told |= {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1", **environment}
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=told)
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # that is how a terminal ends
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    with process.stderr as stream:
        complaint = stream.read().decode()
    assert process.wait() == 0, complaint
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_on_a_terminal_and_in_a_pipe(run, tmp_path):
    header = "item\tgold\t" + "\t".join(f"{LONG}{run}" for run in range(4))
    (tmp_path / "both.tsv").write_text(header + "\n" + "".join(f"{i}\ta\ta\tb\ta\tb\n{i}x\tb\tb\tb\ta\ta\n" for i in range(9)))
    call = (
        "evaluate",
        tmp_path / "both.tsv",
        "--classes",
        "a,b",
        "--measures",
        "accuracy,kappa,f1_macro",
        "--ci",
        "--trials",
        20,
    )
    for columns in (80, 100):
        text = printed_on_a_terminal(columns, *call)
        assert widest(text) <= columns
        assert "…" in text
    piped = run(*call)[1]
    assert f"{LONG}0" in piped, "a pipe has no end"
    assert "…" not in piped


def test_two_columns_of_names_are_both_shortened():
    """The second one is no text to be broken into lines."""
    long = [f"a-run-with-a-name-that-is-longer-than-half-of-a-terminal-is-{place}" for place in range(3)]
    table = Table(("judge", "and", "p"), tuple(zip(long, reversed(long), ("0.1", "0.2", "0.3"), strict=True)), frozenset({"p"}))
    lines = plain_text(table, width=80).splitlines()
    assert len(lines) == 2 + 3
    assert max(map(len, lines)) <= 80
    first, second, _ = lines[2].split()
    assert abs(len(first) - len(second)) <= 2
