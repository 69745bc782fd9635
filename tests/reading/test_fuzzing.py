"""Damaged files of every format: a clean error, or just what a naive reader reads. ``tools/bad_days.py`` tries thousands."""

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fuzzing
from fuzzing import CASES, Fuzzer

pytest.importorskip("pyarrow")
SEEDS = range(6)
"""How many files of each kind are damaged here."""


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory):
    with Fuzzer(tmp_path_factory.mktemp("fuzzing")) as one:
        yield one


@pytest.mark.each_time(4)
@pytest.mark.parametrize("name", CASES)
def test_a_sound_file_is_read_alike(fuzzer, name):
    before = fuzzer.tally.read[name]
    fuzzer.judge(name, CASES[name].sound(), CASES[name].sound())
    assert fuzzer.tally.findings == []
    assert fuzzer.tally.read[name] == before + 1


@pytest.mark.parametrize("name", CASES)
def test_a_damaged_file_is_refused_or_read_alike(fuzzer, name):
    fuzzer.fuzz(name, SEEDS)
    assert fuzzer.tally.findings == []
    assert fuzzer.tally.slowest[0] < fuzzing.SECONDS


class TestTheJudge:
    """A judge that finds nothing may be asleep."""

    def test_sees_other_values(self, fuzzer, monkeypatch):
        monkeypatch.setattr(fuzzer, "tally", fuzzing.Tally())
        monkeypatch.setitem(CASES, "one more", fuzzing.Case("tsv", None, lambda _: [{"item": "1", "label": "a"}]))
        fuzzer.judge("one more", b"item\tlabel\n1\tb\n")
        fuzzer.judge("one more", b"item\tlabel\n1\ta\n")
        assert [what for what, *_ in fuzzer.tally.findings] == ["other values"]

    def test_sees_what_only_one_reads(self, fuzzer, monkeypatch):
        monkeypatch.setattr(fuzzer, "tally", fuzzing.Tally())

        def refuses(_):
            raise fuzzing.Refused("not this")

        monkeypatch.setitem(CASES, "one more", fuzzing.Case("tsv", None, refuses))
        fuzzer.judge("one more", b"item\tlabel\n1\tb\n")
        assert [what for what, *_ in fuzzer.tally.findings] == ["read by ours alone"]

    def test_sees_a_crash(self, tmp_path, monkeypatch):
        """Of a plugin that kills its process; the next file is read by a new one."""
        (tmp_path / "dies.py").write_text("import os\nos.abort()\n")
        call = ("measures", "--plugin", str(tmp_path / "dies.py"))
        monkeypatch.setitem(CASES, "dies", fuzzing.Case("tsv", None, None, call))
        with Fuzzer(tmp_path) as one:
            one.judge("dies", b"")
            one.judge("TSV", CASES["TSV"].sound())
            assert one.tally.findings == [("crash", "dies", "died of 6")]
            assert one.tally.read["TSV"] == 1

    def test_sees_what_takes_too_long(self, tmp_path, monkeypatch):
        (tmp_path / "loops.py").write_text("while True:\n    pass\n")
        monkeypatch.setitem(CASES, "loops", fuzzing.Case("tsv", None, None, ("measures", "--plugin", str(tmp_path / "loops.py"))))
        monkeypatch.setenv("FUZZING_SECONDS", "1")
        with Fuzzer(tmp_path) as one:
            one.judge("loops", b"")
            assert one.tally.findings == [("hang", "loops", "too long")]

    def test_sees_an_internal_error(self, fuzzer, tmp_path):
        answer = {"status": 1, "err": "metameasure: internal error: KeyError: 'x'", "out": "", "seconds": 0}
        assert fuzzer.verdict("TSV", answer, b"", b"", tmp_path / "out")[0] == "internal error"


# Text as people and programs write it, with all that separates cells, lines or values somewhere.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff\ufffd"), max_size=6) | st.sampled_from(
    [
        '"',
        "a,b",
        "a\tb",
        "1.0",
        "007",
        "NaN",
        "null",
        "true",
        " ",
        "é",
        "=1+1",
        "#",
        "'",
        "\\",
        "{}",
        "<b>",
        "1e5",
        "-0",
        "\u2028",
    ]
)
TABLES = st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=TABLES, ends=st.sampled_from(["\n", "\r\n"]))
def test_any_text_in_a_csv_file(fuzzer, rows, ends):
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=ends).writerows([("item", "topic", "label"), *rows])
    fuzzer.judge("CSV", stream.getvalue().encode())
    assert fuzzer.tally.findings == []


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=TABLES)
def test_any_text_in_json_lines(fuzzer, rows):
    lines = [json.dumps({"item": item, "topic": topic, "label": label}) for item, topic, label in rows]
    fuzzer.judge("JSON lines", "\n".join(lines).encode())
    assert fuzzer.tally.findings == []
    assert fuzzer.tally.read["JSON lines"] > 0
