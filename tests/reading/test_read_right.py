"""What was once read silently wrong: each of these gave a number that nobody should have believed, or no answer at all."""

import gzip
import json
import math
import os
import random
import threading
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from pyarrow import feather

import metameasure as mm
from conftest import seeds
from metameasure.core.values import is_empty, number_of
from metameasure.reading.engine import Engine, Picked, fetch
from metameasure.reading.files import File
from metameasure.reading.inputs import open_source
from metameasure.reading.options import ReadOptions

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
GOLD = "item\tlabel\n1\ta\n2\tb\n3\ta\n4\tb\n"
CLASSES = ("--classes", "a,b")


def table(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(params=["duckdb", "spark"])
def run(request, run):
    """The command, on both engines that read files."""
    if request.param == "duckdb":
        return run
    from engines import spark

    there = ("--engine", "spark", "--master", spark().address)
    return lambda name, *arguments: run(name, *arguments, *(there if name in ("check", "evaluate") else ()))


def accuracy(out):
    return json.loads(out)["runs"][0]["scores"]["accuracy"]


@pytest.mark.parametrize("megabytes", [3, 33])
def test_a_last_line_that_is_too_long_is_not_dropped(run, tmp_path, megabytes):
    rows = [f"{place}\ta\ta\tx" for place in range(5)] + [f"5\ta\tb\t{'y' * (megabytes << 20)}"]
    file = table(tmp_path / "all.tsv", "item\tgold\trun\ttext\n" + "\n".join(rows) + "\n")
    status, out, err = run("evaluate", file, "--run-columns", "run", *CLASSES)
    assert (status, out) == (1, "")
    assert err.startswith(f"{file}:7: the line is longer than 2 MB; "), err


@pytest.mark.parametrize("at", [-8, -1], ids=["checksum", "length"])
def test_gzip_whose_checksum_or_length_is_wrong(run, tmp_path, at):
    packed = bytearray(gzip.compress(GOLD.encode()))
    packed[at] ^= 1
    (tmp_path / "run.tsv.gz").write_bytes(packed)
    status, _, err = run("check", table(tmp_path / "gold.tsv", GOLD), tmp_path / "run.tsv.gz", *CLASSES)
    assert status == 1
    assert "run.tsv.gz: the file is damaged" in err


@pytest.mark.parametrize("write", [feather.write_feather, pyarrow.parquet.write_table], ids=["arrow", "parquet"])
def test_columns_that_differ_by_case_only(run, tmp_path, write):
    write(pa.table({"item": ["1", "2"], "Label": ["b", "a"], "label": ["a", "b"]}), tmp_path / "run.bin")
    gold = table(tmp_path / "gold.tsv", "item\tlabel\n1\ta\n2\tb\n")
    for column, expected in (("label", 1), ("Label", 0)):
        arguments = ("--measures", "accuracy", "--format", "json", "--label-column", column)
        if column == "Label":
            gold = table(tmp_path / "gold.tsv", "item\tLabel\n1\ta\n2\tb\n")
        status, out, err = run("evaluate", gold, tmp_path / "run.bin", *CLASSES, *arguments)
        assert status == 0, err
        assert accuracy(out) == expected


@pytest.mark.parametrize("write", [feather.write_feather, pyarrow.parquet.write_table], ids=["arrow", "parquet"])
def test_two_columns_of_one_name(run, tmp_path, write):
    write(
        pa.Table.from_arrays([pa.array(["1"]), pa.array(["a"]), pa.array(["b"])], ["item", "label", "label"]), tmp_path / "r.bin"
    )
    status, _, err = run("check", table(tmp_path / "gold.tsv", GOLD), tmp_path / "r.bin", *CLASSES)
    assert status == 1
    assert "r.bin: two columns are called 'label'; give each column a name of its own" in err


def test_a_json_key_twice(run, tmp_path):
    text = '{"item":"1","label":"a"}\n{"item":"2","label":"b","label":"a"}\n'
    status, _, err = run("check", table(tmp_path / "gold.tsv", GOLD), table(tmp_path / "run.jsonl", text), *CLASSES)
    assert status == 1
    assert "run.jsonl:2: 'label' is there twice; keep one of the two values" in err


class TestMatrices:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("m.csv", "a,b,c\n.1,.2,.3\n.4,.5,.6\n.3,.1,.2\n"),
            ("m.txt", "a b c\n.1 .2 .3\n.4 .5 .6\n.3 .1 .2\n"),
            ("m.csv", "topic,a,b,c\n1,.1,.2,.3\n2,.4,.5,.6\n3,.3,.1,.2\n"),
            ("m.csv", ",a,b,c\nx,.1,.2,.3\ny,.4,.5,.6\nz,.3,.1,.2\n"),
            ("m.txt", "t a b c\nx .1 .2 .3\ny .4 .5 .6\nz .3 .1 .2\n"),
        ],
    )
    def test_no_run_is_taken_for_the_names_of_topics(self, run, tmp_path, name, text):
        status, out, err = run("compare", table(tmp_path / name, text), "--better", "higher", "--format", "json")
        assert status == 0, err
        answer = json.loads(out)
        assert dict(zip(answer["runs"], answer["means"], strict=True)) == pytest.approx(
            {"a": 0.8 / 3, "b": 0.8 / 3, "c": 1.1 / 3}
        )

    def test_bare_numbers_keep_their_first_column(self, run, tmp_path):
        file = table(tmp_path / "m.txt", ".1 .2\n.4 .3\n.3 .1\n")
        status, out, err = run("compare", file, "--better", "higher", "--format", "json")
        assert status == 0, err
        assert sorted(json.loads(out)["means"]) == pytest.approx([0.2, 0.8 / 3])


class TestNumbers:
    @pytest.mark.parametrize("odd", ["1_0", "１", "0x1", "true", "1,5"])
    def test_what_is_no_number_in_a_file(self, run, tmp_path, odd):
        gold = table(tmp_path / "gold.csv", "segment,item,score\n1,a,1\n1,b,2\n")
        status, _, err = run(
            "check", gold, table(tmp_path / "run.tsv", f"segment\titem\tscore\n1\ta\t{odd}\n1\tb\t2\n"), "--task", "ranking"
        )
        assert status == 1
        assert f"run.tsv:2: score '{odd}' is not a number" in err

    def test_every_short_text_is_a_number_or_none_by_the_same_rule(self, tmp_path):
        """The engine by itself takes 1_0, +-1 and a vertical tab behind a number."""
        texts = ["".join(one) for length in (1, 2, 3) for one in product("01.eE+-_ \v\finaxfd%１", repeat=length)]
        texts += ["+-10", "1_000", "infinity", "-Infinity", "+inf", "NaN", "1e+5", "1e400", "0x1A", "1__0", " 12 ", "12e3_4"]
        file = table(tmp_path / "all.tsv", "text\n" + "\n".join(texts) + "\n")
        source = open_source(str(file), file, ReadOptions(), "gold", tmp_path)
        read = fetch(Engine(ordered=True).scan([Picked(source, {"number": ("text", "number")})]), masks=True)["number"]
        expected = [None if is_empty(text) else number_of(text) for text in texts]
        wrong = [
            (text, found, number)
            for text, found, missing, number in zip(texts, read.data, np.ma.getmaskarray(read), expected, strict=True)
            if (is_empty(text) != missing) or (not missing and repr(float(found)) != repr(math.nan if number is None else number))
        ]
        assert not wrong

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
    def test_booleans_are_no_numbers_in_a_frame(self, tmp_path, library):
        from engines import made

        gold = made(library, {"segment": ["1", "1"], "item": ["a", "b"], "rank": [1, 2]}, tmp_path, "")
        run = made(library, {"segment": ["1", "1"], "item": ["a", "b"], "score": [True, False]}, tmp_path, "")
        with pytest.raises(mm.DataError, match="number"):
            mm.evaluate(gold, {"r": run}, task="ranking")

    def test_a_single_at_a_bins_edge_falls_as_from_a_file(self, tmp_path):
        """0.7 in single precision is 0.69999999: written to a file, it is 0.7."""
        gold = pd.DataFrame({"item": ["1", "2"], "label": np.array([0.7, 0.2], np.float32)})
        for path in (tmp_path / "gold.csv", tmp_path / "gold.parquet"):
            gold.to_csv(path, index=False) if path.suffix == ".csv" else gold.to_parquet(path)
        framed = mm.evaluate(gold, {"r": gold}, classes="1..2", bins=(0.7,), measures="gold_entropy").pooled
        filed = [
            mm.evaluate(
                path, {"r": tmp_path / f"gold2{path.suffix}"}, classes="1..2", bins=(0.7,), measures="gold_entropy"
            ).pooled
            for path in (tmp_path / "gold.csv", tmp_path / "gold.parquet")
            if (tmp_path / f"gold2{path.suffix}").write_bytes(path.read_bytes())
        ]
        assert framed.item() == 1
        assert [found.item() for found in filed] == [1, 1]


def test_gold_is_no_run(run, tmp_path):
    file = table(tmp_path / "all.csv", "item,gold,x\n1,a,b\n2,b,b\n")
    status, _, err = run("evaluate", file, "--run-columns", "gold", *CLASSES)
    assert status == 2
    assert "the column 'gold' is gold and a run; it would score as perfect" in err


def test_masked_arrays_keep_their_mask():
    gold = np.array([1, 2, 1, 2])
    with pytest.raises(mm.DataError, match="no label"):
        mm.evaluate(gold, {"r": np.ma.MaskedArray([1, 2, 1, 1], [0, 0, 0, 1])}, classes=[1, 2])
    found = mm.evaluate(
        gold, {"r": np.ma.MaskedArray([1, 2, 1, 1], [0, 0, 0, 1])}, classes=[1, 2], missing="drop", measures="accuracy"
    )
    assert found.pooled.item() == 1


def test_plain_sequences():
    found = mm.evaluate(["a", "b", "a"], {"svm": ["a", "a", "a"], "nn": ("b", "b", "a")}, classes=["a", "b"], measures="accuracy")
    assert dict(zip(found.runs, found.pooled[0], strict=True)) == pytest.approx({"svm": 2 / 3, "nn": 2 / 3})
    with pytest.raises(mm.UsageError, match="3 gold labels but 2 of 'svm'"):
        mm.evaluate(["a", "b", "a"], {"svm": ["a", "a"]}, classes=["a", "b"])


def test_an_na_in_a_ranking_is_an_item_that_is_not_ranked():
    gold = pd.DataFrame({"segment": ["1"] * 3, "item": list("abc"), "rank": [1, 2, 3]}).convert_dtypes()
    run = gold.copy()
    run.loc[1, "rank"] = pd.NA
    found = mm.evaluate(gold, {"r": run}, task="ranking", measures="tau@a")
    assert found.averages().item() == 1


def test_ids_that_a_gap_has_made_floats():
    """pandas makes 1.0 of 1 in a column with a gap; the id stays 1."""
    gold = pd.DataFrame({"item": [1, 2], "label": ["a", "b"]})
    run = pd.DataFrame({"item": [1.0, 2.0], "label": ["a", "b"]})
    assert mm.evaluate(gold, {"r": run}, classes="a,b", measures="accuracy").pooled.item() == 1


def test_a_pipe_is_read_once(run, tmp_path):
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(GOLD,))
    writer.start()
    status, out, err = run(
        "evaluate", table(tmp_path / "gold.tsv", GOLD), pipe, *CLASSES, "--measures", "accuracy", "--format", "json"
    )
    writer.join()
    assert status == 0, err
    assert accuracy(out) == 1


def test_a_device_is_refused(run, tmp_path):
    status, _, err = run("check", table(tmp_path / "gold.tsv", GOLD), "/dev/zero", *CLASSES)
    assert status == 2
    assert "'/dev/zero' is a device, not a file" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 Q0 d 1 2.5 tag\n", "this is a file of TREC; add --task ranking"),
        ("<jcml></jcml>\n", "this is jcml, the XML of RankEval; add --task ranking"),
        ("srclang,srcIndex,system1Id,system1rank\n", "this is a WMT file of rankings; add --task ranking"),
    ],
)
def test_a_file_of_another_task_says_so(run, tmp_path, text, said):
    status, _, err = run("check", table(tmp_path / "gold.tsv", GOLD), table(tmp_path / "run.txt", text), *CLASSES)
    assert status == 1
    assert said in err


FORMAT = """
from metameasure.reading.formats import Format
from metameasure.reading.sources import Rows, text_array

def read(beginning, options, side, scratch):
    pairs = [line.split("::") for line in beginning.path.read_text().splitlines()]
    columns = options.columns
    items, labels = (text_array(list(part)) for part in zip(*pairs))
    return Rows(beginning.shown, {columns.item: items, columns.label: labels})

FORMAT = Format("colons", "a file of colons", ("classification",), lambda beginning, options: "::" in beginning.line, read)
"""


def test_a_format_is_one_file(run, tmp_path, monkeypatch):
    """A package with one module and an entry point: its files are recognised, and can be asked for."""
    from metameasure.reading import formats as field

    (tmp_path / "colons.py").write_text(FORMAT)
    info = tmp_path / "colons-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: colons\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[metameasure.formats]\ncolons = colons:FORMAT\nno_format = colons:Format\n")
    monkeypatch.syspath_prepend(tmp_path)
    field.formats.cache_clear()
    try:
        gold = table(tmp_path / "gold.txt", "1::a\n2::b\n")
        answer = table(tmp_path / "run.txt", "1::a\n2::a\n")
        for flags in ((), ("--format-in", "colons")):
            status, out, err = run("evaluate", gold, answer, *CLASSES, *flags, "--measures", "accuracy", "--format", "json")
            assert status == 0, err
            assert accuracy(out) == 0.5
            assert flags or "the format colons:Format cannot be loaded: TypeError: <class " in err
    finally:
        field.formats.cache_clear()


@pytest.mark.parametrize(
    ("gold", "answer", "flags"),
    [
        (
            "id\tsentiment\n1\ta\n2\tb\n",
            "item\tlabel\n1\ta\n2\tb\n",
            ("--gold-item-column", "id", "--gold-label-column", "sentiment", "--measures", "accuracy", *CLASSES),
        ),
        (
            "query\tclass\tshare\nx\ta\t.5\nx\tb\t.5\n",
            "topic\tclass\tprobability\nx\ta\t.5\nx\tb\t.5\n",
            ("--task", "quantification", "--gold-topic-column", "query", "--gold-probability-column", "share", *CLASSES),
        ),
        (
            "sentence\tsystem\trank\n1\ta\t1\n1\tb\t2\n",
            "segment\titem\trank\n1\ta\t1\n1\tb\t2\n",
            ("--task", "ranking", "--gold-segment-column", "sentence", "--gold-item-column", "system", "--measures", "tau@a"),
        ),
    ],
)
def test_columns_that_gold_names_otherwise(run, tmp_path, gold, answer, flags):
    files = table(tmp_path / "gold.tsv", gold), table(tmp_path / "run.tsv", answer)
    status, out, err = run("evaluate", *files, *flags, "--format", "json")
    assert status == 0, err
    assert next(iter(json.loads(out)["runs"][0]["scores"].values())) in (0, 1)
    pairs = [(flag, value) for flag, value in zip(flags[::2], flags[1::2], strict=True) if flag in ("--task", "--classes")]
    status, _, err = run("check", *files, *(part for pair in pairs for part in pair))
    assert status == 1, "without them the columns are missing"
    assert "gold.tsv:1: " in err


def test_tsv_is_written_as_it_is_read(run, tmp_path):
    """Quotes and marks in names stay as they are; what TSV cannot hold is refused."""
    for name in ("sys#1", 'say "hi"', "it's"):
        table(tmp_path / f"{name}.tsv", GOLD)
    files = (table(tmp_path / "gold.tsv", GOLD), *(tmp_path / f"{name}.tsv" for name in ("sys#1", 'say "hi"', "it's")))
    status, _, err = run("evaluate", *files, *CLASSES, "--scores", tmp_path / "scores.tsv", "--measures", "accuracy")
    assert status == 0, err
    found = {line.split("\t")[2] for line in (tmp_path / "scores.tsv").read_text().splitlines()[1:]}
    assert found == {"sys#1", 'say "hi"', "it's"}


@pytest.mark.parametrize(
    "moments", [(1.0,), pytest.param((0.9, 1.2, 1.5), marks=pytest.mark.slow)], ids=["one moment", "several"]
)
def test_an_interrupt_is_one(tmp_path, moments):
    """Ctrl-C while files are read: status 130, one word, nothing left behind. At the last moment all may be written already."""
    import signal
    import subprocess
    import sys
    import time

    rows = "\n".join(f"{place}\ta" for place in range(400_000))
    files = [table(tmp_path / f"{name}.tsv", f"item\tlabel\n{rows}\n") for name in ("gold", *"abcdefgh")]
    before = sorted(tmp_path.iterdir())
    command = [sys.executable, "-m", "metameasure", "evaluate", *map(str, files), *CLASSES, "--scores", str(tmp_path / "s.csv")]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "scratch")}
    (tmp_path / "scratch").mkdir()
    for seconds in moments:
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        assert not list((tmp_path / "scratch").iterdir())
        if (tmp_path / "s.csv").exists():  # it was faster: the scores are whole, and so is the table if it was printed
            assert process.returncode in (0, 130, -signal.SIGINT), err
            assert len((tmp_path / "s.csv").read_text().splitlines()) == 1 + 8 * 7
            assert out == "" or out.endswith("|version:" + mm.__version__ + "\n")
            (tmp_path / "s.csv").unlink()
            continue
        assert process.returncode in (130, -signal.SIGINT), err  # a shell shows both as 130
        assert out == ""
        assert err.strip().endswith("metameasure: interrupted") or process.returncode == -signal.SIGINT, err  # still importing
        assert sorted(path for path in tmp_path.iterdir() if path.name != "scratch") == before


class TestSeparators:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("run.tsv", GOLD.replace("\t", ",")),
            ("run.csv", GOLD),
            ("run.tsv", "\n".join("\t".join(f'"{cell}"' for cell in line.split("\t")) for line in GOLD.splitlines()) + "\n"),
            ("run.csv", "\n".join(",".join(f'"{cell}"' for cell in line.split("\t")) for line in GOLD.splitlines()) + "\n"),
        ],
        ids=["commas in .tsv", "tabs in .csv", "quoted TSV, as R writes it", "quoted CSV"],
    )
    def test_what_stands_there_counts(self, run, tmp_path, name, text):
        gold = table(tmp_path / "gold.tsv", GOLD)
        status, out, err = run(
            "evaluate", gold, table(tmp_path / name, text), *CLASSES, "--measures", "accuracy", "--format", "json"
        )
        assert status == 0, err
        assert accuracy(out) == 1

    def test_spaces_are_named_for_what_they_are(self, run, tmp_path):
        text = '"item" "label"\n' + "".join(f'"{row}" "{row}" "a"\n' for row in range(4))
        status, _, err = run("check", table(tmp_path / "gold.tsv", GOLD), table(tmp_path / "run.tsv", text), *CLASSES)
        assert status == 1
        assert "run.tsv:1: the columns are separated by spaces; use tabs" in err


@pytest.mark.parametrize(
    ("gold", "answer", "flags"),
    [
        (GOLD, GOLD + "9\ta\n", CLASSES),
        ("topic\ta\tb\nx\t.5\t.5\n", "topic\ta\tb\nx\t.5\t.5\ny\t0\t1\n", ("--task", "quantification", *CLASSES)),
        ("segment\titem\trank\n1\ta\t1\n", "segment\titem\trank\n1\ta\t1\n1\tz\t2\n", ("--task", "ranking")),
    ],
)
def test_what_gold_lacks_can_be_ignored(run, tmp_path, gold, answer, flags):
    files = table(tmp_path / "gold.tsv", gold), table(tmp_path / "run.tsv", answer)
    assert run("check", *files, *flags)[0] == 1
    status, out, err = run("check", *files, *flags, "--extra", "ignore")
    assert status == 0, err
    assert "run: 1 " in out
    assert "left out" in out


@pytest.mark.parametrize("seed", seeds(40, each_time=12))
def test_looking_for_lines_finds_what_reading_all_of_them_finds(tmp_path, seed):
    """The quick look through a file's bytes, for texts and for empty cells, beside every record read one by one."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(20):
        separator, end = rng.choice("\t,"), rng.choice(["\n", "\r\n"])
        columns = ("item", "label", "topic")[: rng.randint(2, 3)]
        rows = [[rng.choice(["", "a", "ab", "b", "xx", "1"]) for _ in columns] for _ in range(rng.randint(1, 8))]
        header = [columns] if rng.random() < 0.7 else []
        text = end.join(separator.join(row) for row in [*header, *rows]) + rng.choice(["", end])
        path = tmp_path / "run.txt"
        path.write_bytes(text.encode())
        file = File(path, "run", "csv" if separator == "," else "tsv", "", columns, header=bool(header))
        for texts in (["a"], ["xx", "1"], [""], ["", "b"], ["absent"]):
            found, expected = (
                [record for record in records if not set(texts).isdisjoint(dict(record.values).values())]
                for records in (file.matching(texts), file.records())
            )
            assert found == expected, (text, texts)
