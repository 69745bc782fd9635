"""What ``compare`` shows where there is little room: nothing that is significant is left out."""

import itertools
import re

import numpy as np
import pytest

import metameasure as mm
from meta_cases import three_measures
from metameasure.show.formats.plain import plain_text
from metameasure.show.table import Table, output_format


def matrix(measure, runs, seed=0, apart=1.0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(20, runs)) * 0.3 + apart * np.arange(runs, 0, -1)
    return mm.ScoreMatrix(measure, [f"t{n}" for n in range(20)], [f"run_{n:02d}" for n in range(runs)], values)


def text(found, width):
    (table, *_) = found.presented(output_format("table"))
    return plain_text(table, width=width)


class TestMarks:
    def test_more_than_eight_runs_have_marks_for_p_values(self):
        told = str(mm.compare(matrix("m", 9), better="higher", test="classical"))
        rows = [line.split()[-1] for line in told.splitlines()[2:11]]
        assert rows[0] == "o++++++++"
        assert rows[4] == "----o++++"
        assert "vs 1-9" in told
        assert "vs: the runs in this order (+: significantly better than it, -: significantly worse" in told
        assert "vs 1   " in str(mm.compare(matrix("m", 8), better="higher", test="classical"))

    def test_a_mark_says_what_the_p_value_says(self):
        found = mm.compare(matrix("m", 12, apart=0.1), better="higher", test="classical")
        assert 0 < found.significant.sum() < 12 * 11
        told = str(found)
        rows = [line.split()[-1] for line in told.splitlines()[2:14]]
        expected = [
            "".join(
                "o" if row == other else "." if not found.significant[row, other] else "+" if row < other else "-"
                for other in range(12)
            )
            for row in range(12)
        ]
        assert rows == expected

    @pytest.mark.parametrize("runs", [3, 6, 8, 12, 30])
    def test_eighty_columns_have_letters_and_marks(self, runs):
        told = text(mm.compare(matrix("m", runs), better="higher", test="classical"), 80)
        assert max(map(len, told.splitlines())) <= 80
        assert re.search(r"vs 1", told.splitlines()[0] + told.splitlines()[1])
        left_out = re.search(r"Left out, for want of room: (.*?) \(CSV", told.replace("\n", " "))
        assert not left_out or not re.search(r"vs|group|score", left_out[1])


class TestManyMeasures:
    def test_those_without_a_difference_are_left_out_first_and_the_others_follow_below(self):
        names = [f"a_measure_with_a_name_{n}" for n in range(8)]
        matrices = [matrix(name, 5, seed, apart=0.0 if seed in (1, 2) else 1.0) for seed, name in enumerate(names)]
        found = mm.compare(matrices, names, better="higher", test="classical")
        silent = [part.measure for part in found.parts if not part.significant.any()]
        assert silent == [names[1], names[2]]
        told = text(found, 60)
        assert max(map(len, told.splitlines())) <= 60
        assert told.count("run_00") == 2, "the columns that have no room stand in a second table"
        said = " ".join(told.split())
        assert f"Left out, for want of room: {names[1]} ↑, {names[2]} ↑ (CSV has everything)." in said


def test_columns_to_keep_follow_below_and_the_others_are_left_out():
    names = ("run", *(f"number {n}" for n in range(9)))
    table = Table(names, (("a", *["0.12345"] * 9),), right=frozenset(names[1:]), keep=frozenset({"run", "number 7", "number 8"}))
    told = plain_text(table, width=30)
    assert "number 8" in " ".join(told.split())
    assert "number 7" not in told.partition("Left out")[2]


def test_columns_is_honoured_in_a_pipe(run, tmp_path, monkeypatch):
    scores = tmp_path / "s.csv"
    matrix("m", 6).save(scores)
    call = ("compare", str(scores), "--better", "higher")
    assert max(map(len, run(*call)[1].splitlines())) > 100
    monkeypatch.setenv("COLUMNS", "72")
    assert max(map(len, run(*call)[1].splitlines())) <= 72
    monkeypatch.setenv("COLUMNS", "x")
    assert max(map(len, run(*call)[1].splitlines())) > 100


def test_advice_on_measures_is_broken_once_and_signatures_too(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    found = mm.meta.summary(three_measures(), trials=50, splits=20)
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    advice = lines[next(place for place, line in enumerate(lines) if line.split() == ["measure", "advice"]) + 2 :]
    told = " ".join(" ".join(advice).split())
    for row in found.rows:
        assert f"{row.measure} {row.advice}." in told
    broken = [line for line, after in itertools.pairwise(advice) if line and after[:1] == " " and line[-1] != "."]
    assert min(map(len, broken)) > 60, "a line is broken where the next word has no room"
    advised = mm.advise([1, 2, 3, 1] * 10, {"a": [1, 2, 3, 3] * 10, "b": [1, 3, 3, 1] * 10}, classes="1..3")
    assert max(map(len, str(advised).splitlines())) <= 80
