"""A question about measures is one file: the list, the command, the Python function and its page come from it."""

import subprocess
import sys

import pytest

import metameasure as mm
from conftest import ROOT
from meta_cases import long_file, three_measures
from metameasure.meta.question import questions
from project.test_contributing import file_of

SPREAD = file_of("Add a question", "run_spread.py")
IDS = ["similarity", "consistency", "discrimination", "overlap", "contradictions", "deltas", "coverage", "robustness", "summary"]


def test_the_questions_in_the_order_of_reading():
    assert [question.id for question in questions() if question.id in IDS] == IDS
    assert [question.command for question in questions()][-1] == "all"


@pytest.fixture
def with_spread(tmp_path):
    """Run a program in a process in which the folder of questions has one file more."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more/run_spread.py").write_text(SPREAD)
    start = f"import sys, metameasure.meta as meta; meta.__path__.append({str(tmp_path / 'more')!r})\n"

    def run(program):
        told = subprocess.run([sys.executable, "-c", start + program], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        return told.stdout

    return run


class TestANewQuestionIsOneFile:
    def test_in_the_list_and_in_python(self, with_spread, tmp_path):
        scores = long_file(tmp_path / "scores.csv", three_measures())
        program = f"import metameasure as mm; print(dir(mm.meta)); print(mm.meta.spread({str(scores)!r}, times=1).spread)"
        listed, found = with_spread(program).splitlines()
        assert "spread" in listed
        (expected,) = mm.meta.data_sets(scores).values()
        assert found == str(expected.oriented().max(axis=1) - expected.oriented().min(axis=1))

    def test_on_the_command_line(self, with_spread, tmp_path):
        scores, chart = long_file(tmp_path / "scores.csv", three_measures()), tmp_path / "spread.svg"
        calls = [
            ["--help"],
            ["spread", "--help"],
            ["spread", "--help-all"],
            ["spread", str(scores), "--times", "3", "--format", "json", "--chart", str(chart)],
            ["robustness", str(scores), "--times", "3"],  # other questions take its options too, and ignore them
        ]
        program = "from metameasure.cli import main\n"
        program += f"for call in {calls!r}: assert not main(['meta', *call]), call; print('=' * 9)"
        listed, helped, everything, told, other, _ = with_spread(program).split("=========\n")
        assert "spread          How far apart does a measure put the runs?" in listed
        assert "--times N" in helped
        assert "[default: 2]" in helped
        assert "[default: 2; x>=1]" in everything
        assert "Runs that score alike are hard to rank." in " ".join(helped.split())
        assert '"id": "accuracy"' in told
        assert chart.read_text().startswith("<?xml")
        assert other.startswith("measure")

    def test_in_the_documentation(self, with_spread):
        program = f"sys.path.insert(0, {str(ROOT / 'docs')!r}); import generate; pages = generate.texts()\n"
        program += "print(pages[generate.DOCS / 'meta/spread.md']); print(pages[generate.DOCS / 'meta.md'])"
        told = with_spread(program)
        assert "# `meta spread`: Spread of the runs" in told
        assert "mm.meta.spread(scores)" in told
        assert "| How far apart does a measure put the runs? | [`meta spread`](meta/spread.md) | `mm.meta.spread` |" in told
