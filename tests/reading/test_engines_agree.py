"""Spark reads a file as DuckDB does, or refuses it in the same words: odd names, bytes, quotes and columns, and damaged files of
every kind."""

import gzip
import random

import narwhals.stable.v2 as nw
import pytest

import fuzzing
import metameasure as mm
from engines import made, spark

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
GOLD = b"item\ttopic\tlabel\n1\tx\ta\n2\tx\tb\n3\ty\ta\n4\ty\tb\n"
CLASSES = ("--classes", "a,b")
TABLES = ("TSV", "CSV", "JSON lines", "TSV in gzip", "TSV in Zstandard", "Parquet", "Parquet, bare", "Arrow", "semeval")


@pytest.fixture(scope="module")
def master():
    return spark().address


@pytest.fixture
def both(run, master):
    """What a command says on DuckDB, having said the same on Spark."""

    def on_both(*arguments):
        here = run(*arguments)
        assert run(*arguments, "--engine", "spark", "--master", master) == here
        return here

    return on_both


def put(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize("name", ["sys[1].csv", "{p,q}.csv", "a*b.csv", "a?b.csv", "a:b.csv", "a b#c%41.csv", "é.csv"])
def test_a_file_whose_name_looks_like_a_pattern(both, tmp_path, name):
    wrong = "item,label\n1,b\n2,a\n"
    for other in ("sys1.csv", "p.csv", "q.csv", "axb.csv"):
        put(tmp_path / other, wrong)
    run = put(tmp_path / name, "item,label\n1,a\n2,b\n")
    gold = put(tmp_path / "gold.csv", "item,label\n1,a\n2,b\n")
    status, out, err = both("evaluate", gold, run, *CLASSES, "--measures", "accuracy", "--format", "csv")
    assert status == 0, err
    assert ",1" in out.splitlines()[-1]


def test_a_pattern_stands_for_runs(both, tmp_path):
    gold = put(tmp_path / "gold.csv", "item,label\n1,a\n2,b\n")
    for name in ("one", "two"):
        put(tmp_path / f"run-{name}.csv", "item,label\n1,a\n2,b\n")
    status, out, err = both("evaluate", gold, tmp_path / "run-*.csv", *CLASSES, "--measures", "accuracy")
    assert status == 0, err
    assert "run-one" in out


RUNS = {
    "bytes that are not UTF-8": ("tsv", b"item\ttopic\tlabel\n1\t\xe9\ta\n2\t\xe8\tb\n3\ty\ta\n4\ty\tb\n"),
    "an unclosed quote": ("csv", b'item,topic,label\n1,x,a\n2,x,"b\n3,y,a\n4,y,b\n'),
    "a quote behind a quote": ("csv", b'item,topic,label\n1,x,a\n2,x,"b"c\n3,y,a\n4,y,b\n'),
    "too many fields": ("csv", b"item,topic,label\n1,x,a\n2,x,b,c\n3,y,a\n4,y,b\n"),
    "too few fields": ("tsv", b"item\ttopic\tlabel\n1\tx\ta\n2\tx\n3\ty\ta\n4\ty\tb\n"),
    "mixed line ends": ("tsv", GOLD.replace(b"a\n", b"a\r\n")),
    "CRLF": ("tsv", GOLD.replace(b"\n", b"\r\n")),
    "a byte order mark": ("tsv", b"\xef\xbb\xbf" + GOLD),
    "blank lines": ("tsv", GOLD.replace(b"3\t", b"\n3\t") + b"\n\n"),
    "no last line end": ("tsv", GOLD[:-1]),
    "the header again": ("tsv", GOLD + b"item\ttopic\tlabel\n"),
    "quotes": ("csv", b'"item","topic","label"\n"1","x","a"\n"2",x,b\n3,y,"a"\n"4","y","b"\n'),
    "quotes that span lines": ("csv", b'item,topic,label,text\n1,x,a,"q\nr"\n2,x,b,\n3,y,a,"s, ""t"""\n4,y,b,\n'),
    "quotes of TSV": ("tsv", GOLD.replace(b"item", b'item"').replace(b"1\t", b'"1\t')),
    "a label twice": ("jsonl", b'{"item":"1","label":"a"}\n{"item":"2","label":"b","label":"a"}\n'),
    "no JSON": ("jsonl", b'{"item":"1","label":"a"}\n{"item":"2","label":"b"} x\n'),
    "escapes": ("jsonl", b"".join(line + b"\n" for line in (
        b'{"item":1,"topic":"\\u0078","label":"a"}',
        b'{"item":"2","topic":"x","label":"\\u0062"}',
        b'{"item":3,"topic":"y","label":"a","text":"\\ud83d\\ude00 \\"q\\", \\"label\\": 1"}',
        b'{"item":4.0,"topic":"y","label":"b"}',
    ))),
    "nested": ("jsonl", b"".join(line + b"\n" for line in (
        b'{"item":1,"label":"a","more":[1,"x"]}',
        b'{"item":2,"label":"b","more":{"y":[2]}}',
        b'{"item":3,"label":"a"}',
        b'{"item":4,"label":"b"}',
    ))),
    "no items": ("jsonl", b'{"item":1,"label":"a"}\n\n{"label":"b"}\n{"item":null,"label":"a"}\n{"item":4,"label":"b"}\n'),
    "a damaged archive": ("tsv.gz", gzip.compress(GOLD)[:-5] + b"12345"),
    "an archive": ("tsv.gz", gzip.compress(GOLD)),
    "an archive that is not called one": ("tsv", gzip.compress(GOLD)),
    "no archive": ("tsv.gz", GOLD),
    "nothing": ("tsv", b""),
    "a header alone": ("tsv", b"item\ttopic\tlabel\n"),
    "one column": ("tsv", b"label\na\n\nb\n"),
    "UTF-16": ("tsv", GOLD.decode().encode("utf-16")),
    "SemEval": ("tsv", GOLD.partition(b"\n")[2]),
    "commas in TSV": ("tsv", GOLD.replace(b"\t", b",")),
    "a workbook": ("csv", b"PK\x03\x04rest"),
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS)
def test_runs(both, tmp_path, what):
    ending, data = RUNS[what]
    both("check", put(tmp_path / "gold.tsv", GOLD), put(tmp_path / f"run.{ending}", data), *CLASSES, "--format", "json")


@pytest.mark.parametrize("what", ["bytes that are not UTF-8", "quotes that span lines", "too many fields", "no JSON", "SemEval"])
def test_golds(both, tmp_path, what):
    ending, data = RUNS[what]
    both("check", put(tmp_path / f"gold.{ending}", data), put(tmp_path / "run.tsv", GOLD), *CLASSES)


def test_a_run_that_is_read_here_beside_others(both, tmp_path):
    names = ("quotes", "quotes that span lines", "CRLF", "an archive that is not called one")
    runs = [put(tmp_path / f"{place}.{RUNS[name][0]}", RUNS[name][1]) for place, name in enumerate(names)]
    status, _, err = both("evaluate", put(tmp_path / "gold.tsv", GOLD), *runs, *CLASSES, "--format", "json")
    assert status == 0, err


IDS = ["9007199254740993", "9007199254740992", "1.0", "1", "1.50", "1e5", "100000.0", "0.10", '"1.50"', "true", '"true"', "-0"]


def test_numbers_as_ids_keep_their_digits(both, tmp_path):
    """In JSONL 9007199254740993 is not 9007199254740992, and 1.0 is not 1."""
    rows = [f'{{"item": {one}, "label": "{"ab"[place % 2]}"}}\n' for place, one in enumerate(IDS)]
    gold = put(tmp_path / "gold.jsonl", "".join(rows[:4]))
    status, out, err = both("check", gold, put(tmp_path / "same.jsonl", "".join(rows[:4])), *CLASSES)
    assert status == 0, err
    assert "4 items" in out
    status, _, err = both("check", gold, put(tmp_path / "run.jsonl", "".join(rows)), *CLASSES)
    assert status == 1
    assert "item '1.5' is not in gold" in err


NAMES = ["gpt-4.1", "a`b", "x*", "a.b.c", "`", "select", 'q"q', "Gpt-4.1", " "]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_columns_of_any_name(both, tmp_path, kind):
    left_out = {"csv": (" ",), "jsonl": ('q"q',), "parquet": ()}[kind]
    columns = {"item": ["1", "2"], "gold": ["a", "b"], **{name: ["a", "b"] for name in NAMES if name not in left_out}}
    columns["gpt-4.1"] = ["a", "a"]
    file = made(kind, columns, tmp_path, "all")
    status, out, err = both("evaluate", file, *CLASSES, "--measures", "accuracy", "--format", "json")
    assert status == 0, err
    assert "gpt-4.1" in out


def test_columns_of_any_name_in_frames(master):
    assert master
    columns = {"item.id": ["1", "2"], "gold": ["a", "b"], "gpt-4.1": ["a", "a"], "a`b": ["a", "b"], "x*": ["b", "b"]}
    how = {"classes": "a,b", "measures": "accuracy", "columns": {"item": "item.id"}}
    expected, found = (mm.evaluate(made(kind, columns, None, "all"), **how) for kind in ("polars", "spark"))
    assert found.runs == expected.runs == ("gpt-4.1", "a`b", "x*")
    assert (found.pooled == expected.pooled).all()


def compared(both, folder, kind, seeds):
    gold, sound = put(folder / "gold.tsv", fuzzing.as_text("\t")), fuzzing.CASES[kind].sound()
    for seed in seeds:
        data = fuzzing.damaged(sound, random.Random(f"{kind}/{seed}"))  # noqa: S311 - no secret
        both("check", gold, put(folder / f"run.{fuzzing.CASES[kind].ending}", data), *CLASSES, "--format", "json")


@pytest.mark.parametrize("kind", TABLES)
def test_damaged_files(both, tmp_path, kind):
    compared(both, tmp_path, kind, range(4))


@pytest.mark.slow
@pytest.mark.parametrize("kind", TABLES)
def test_many_damaged_files(both, tmp_path, kind):
    compared(both, tmp_path, kind, range(4, 200))


def test_no_more_than_the_beginning_is_read_here(run, tmp_path, master, monkeypatch):
    """Of sound files, the cluster reads the rows."""
    from metameasure.reading import engine
    from metameasure.reading.files import File

    monkeypatch.setattr(engine.Engine, "_scan", lambda *_: pytest.fail("a file is read here"))
    monkeypatch.setattr(File, "records", lambda *_: pytest.fail("a file is read here"))
    for ending, data in (("tsv", GOLD), ("csv", RUNS["quotes"][1]), ("jsonl", RUNS["escapes"][1].replace(b"4.0", b"4"))):
        status, _, err = run(
            "check", put(tmp_path / "gold.tsv", GOLD), put(tmp_path / f"run.{ending}", data), *CLASSES, "--engine", "spark",
            "--master", master,
        )  # fmt: skip
        assert status == 0, err


class TestSeenByTheClusterAlone:
    """Files that do not lie here: the cluster reads them, and refuses what it would read otherwise."""

    @pytest.fixture
    def elsewhere(self, monkeypatch):
        monkeypatch.setattr("metameasure.reading.inputs.is_elsewhere", lambda _: True)

    @pytest.mark.parametrize(
        ("ending", "data"),
        [
            ("tsv", GOLD),
            ("csv", RUNS["quotes"][1]),
            ("jsonl", RUNS["escapes"][1].replace(b"4.0", b"4")),
            ("tsv", RUNS["CRLF"][1]),
        ],
    )
    def test_sound(self, run, tmp_path, master, elsewhere, ending, data):
        files = put(tmp_path / "gold.tsv", GOLD), put(tmp_path / f"run.{ending}", data)
        status, _, err = run("check", *files, *CLASSES, "--engine", "spark", "--master", master)
        assert status == 0, err

    @pytest.mark.parametrize(
        "what", ["an unclosed quote", "too many fields", "quotes that span lines", "the header again", "no JSON"]
    )
    def test_odd(self, run, tmp_path, master, elsewhere, what):
        ending, data = RUNS[what]
        files = put(tmp_path / "gold.tsv", GOLD), put(tmp_path / f"run.{ending}", data)
        status, _, err = run("check", *files, *CLASSES, "--engine", "spark", "--master", master)
        assert status == 2
        assert f"Spark does not read '{files[1]}': some of its lines " in err

    def test_faults_have_no_lines(self, run, tmp_path, master, elsewhere):
        files = put(tmp_path / "gold.tsv", GOLD), put(tmp_path / "run.tsv", GOLD + b"4\ty\tb\n")
        status, _, err = run("check", *files, *CLASSES, "--engine", "spark", "--master", master)
        assert status == 1
        assert "item '4' of topic 'y' is there more than once" in err


def test_columns_of_a_source_go_by_place(master):
    from metameasure.reading.frames import ClusterFrame

    frame = ClusterFrame.of("x", nw.from_native(made("spark", {"a.b": ["1"], "A.B": ["2"]}, None, "x")))
    assert master
    assert frame.columns == ("a.b", "A.B")
    assert frame.frame.collect_schema().names() == ["c0", "c1"]
