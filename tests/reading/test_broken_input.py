"""Broken input of every kind: each problem with its file, line and a hint, exit status 1, no traceback, no file left behind."""

import gzip
import io
import json
import random
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

CLASSES = ("--classes", "neg,neu,pos")
BINS = ("--classes", "1..3", "--bins", "1.5,2.5")
ROWS = [("i1", "neg"), ("i2", "neu"), ("i3", "pos"), ("i4", "neg"), ("i5", "neu"), ("i6", "pos")]


def tsv(*header, rows, line=None, to=None):
    """A table as text; the given line (counted from 1, the header's) replaced by other text."""
    lines = ["\t".join(row) for row in ((header, *rows) if header else rows)]
    if line:
        lines[line - 1 : line] = [] if to is None else [to]
    return "\n".join(lines) + "\n"


def labels(line=None, to=None):
    return tsv("item", "label", rows=ROWS, line=line, to=to)


def comma(text):
    return text.replace("\t", ",")


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def zstandard(text):
    """Text as Zstandard, by the engine that has it."""

    def write(path):
        plain = path.with_suffix(".txt")
        plain.write_text(text)
        lines = duckdb.connect().read_csv(str(plain), sep="\x01", header=False, quotechar="", escapechar="")
        lines.query("lines", f"COPY lines TO '{path}' (FORMAT csv, HEADER false, QUOTE '', DELIMITER '\x01', COMPRESSION zstd)")
        plain.unlink()

    return write


def cut(write):
    """The first half of what is written."""

    def write_half(path):
        write(path)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])

    return write_half


def parquet(query):
    return lambda path: duckdb.connect().sql(query).write_parquet(str(path))


GOLD, RUN = {"gold.tsv": labels()}, {"run.tsv": labels()}
FILES = GOLD | RUN
JSON = jsonl([{"item": "i1", "label": "neg"}])
NUMBERS = tsv("item", "label", rows=[(item, str(1 + row % 3)) for row, (item, _) in enumerate(ROWS)])
WEIGHTED = [(*row, "1.5") for row in ROWS]
WIDE = tsv("item", "gold", "a", "b", rows=[(item, label, label, "neu") for item, label in ROWS])
WIDE_ROWS = [(item, label, label, "neu") for item, label in ROWS]
STACK_ROWS = [(run, item, label, "neu") for run in "ab" for item, label in ROWS]
TOPICS = [(item, topic, label) for topic in "xy" for item, label in ROWS[:3]]
NOISE = random.Random(0)  # noqa: S311 - rows that do not compress, so that half a file is half the rows
MANY = tsv("item", "label", rows=[(f"{NOISE.getrandbits(64):x}", "neg") for _ in range(20_000)])


def run_with(line, to):
    return GOLD | {"run.tsv": labels(line, to)}


def gold_with(line, to):
    return RUN | {"gold.tsv": labels(line, to)}


def weight_with(value):
    return RUN | {"gold.tsv": tsv("item", "label", "weight", rows=WEIGHTED, line=4, to=f"i3\tpos\t{value}")}


def numbers_with(value, *, gold=False):
    broken, whole = ("gold.tsv", "run.tsv") if gold else ("run.tsv", "gold.tsv")
    return {whole: NUMBERS, broken: NUMBERS.replace("i3\t3", f"i3\t{value}")}


def wide_with(line, to):
    return {"gold.tsv": tsv("item", "gold", "a", "b", rows=WIDE_ROWS, line=line, to=to)}


def stack_with(line, to):
    return {"gold.tsv": tsv("run", "item", "gold", "label", rows=STACK_ROWS, line=line, to=to)}


# name, files, where, what is said, the hint, and arguments beside all files (gold first) and --classes
BROKEN = [
    ("gold is empty", RUN | {"gold.tsv": ""}, "gold.tsv", "the file is empty", "a header and one row per item"),
    ("run is empty", GOLD | {"run.tsv": ""}, "run.tsv", "the file is empty", "a header and one row per item"),
    ("run is an empty gzip", GOLD | {"run.tsv.gz": gzip.compress(b"")}, "run.tsv.gz", "empty", "column"),
    ("gold has a header only", RUN | {"gold.tsv": "item\tlabel\n"}, "gold.tsv", "there are no items", "one row per item"),
    ("run has a header only", GOLD | {"run.tsv": "item\tlabel\n"}, "run.tsv", "there are no items", "one row per item"),
    ("one run of two has a header only", GOLD | RUN | {"s.tsv": "item\tlabel\n"}, "s.tsv", "there are no items", "one row per"),
    ("side by side, a header only", {"gold.tsv": "item\tgold\ta\n"}, "gold.tsv", "there are no items", "one row per item"),
    ("stacked, a header only", {"gold.tsv": "run\tgold\tlabel\n"}, "gold.tsv", "there are no rows", "one per run and item"),
    ("first line is empty", GOLD | {"run.tsv": "\n" + labels()}, "run.tsv:1", "the first line is empty", "name the columns"),
    ("no column item", GOLD | {"run.tsv": labels(1, "name\tlabel")}, "run.tsv:1", "no column 'item'", "--item-column"),
    ("no column label", GOLD | {"run.tsv": labels(1, "item\tanswer")}, "run.tsv:1", "no column 'label'", "--label-column"),
    ("misspelt column", GOLD | {"run.tsv": labels(1, "item\tlable")}, "run.tsv:1", "no column 'label'", "did you mean 'lable'?"),
    ("misspelt column in gold", gold_with(1, "itme\tlabel"), "gold.tsv:1", "no column 'item'", "did you mean 'itme'?"),
    ("no such column of a run", wide_with(None, None), "gold.tsv:1", "no column 'c'", "item, gold, a, b", "--run-columns", "a,c"),
    ("two columns of one name", run_with(1, "item\titem"), "run.tsv:1", "two columns are called 'item'", "a name of its own"),
    ("line ends mixed", run_with(4, "i3\tpos\r"), "run.tsv:4", "LF and CRLF are mixed", "one kind of line end"),
    ("item twice in gold", gold_with(7, "i2\tneu"), "gold.tsv:7", "item 'i2' again", "keep one row per item"),
    ("item twice in a run", GOLD | {"run.tsv": labels() + "i2\tneu\n"}, "run.tsv:8", "item 'i2' again", "keep one row per item"),
    ("item twice for another", run_with(7, "i3\tpos"), "run.tsv:7", "item 'i3' again", "keep one row per item"),
    ("item for another twice", run_with(7, "i3\tpos"), "run.tsv", "item 'i6' is missing", "--missing worst, drop or"),
    ("item missing", run_with(4, None), "run.tsv", "item 'i3' is missing", "--missing worst, drop or class:LABEL"),
    ("item unknown", run_with(4, "x3\tpos"), "run.tsv:4", "item 'x3' is not in gold", "remove the row"),
    ("item without id", run_with(4, "\tpos"), "run.tsv:4", "the row has no item", "give every row its item"),
    ("item without id in gold", gold_with(4, "\tpos"), "gold.tsv:4", "the row has no item", "give every row its item"),
    ("item without id side by side", wide_with(4, "\tpos\tpos\tneu"),
        "gold.tsv:4", "the row has no item", "give every row its item"),
    ("item twice side by side", wide_with(7, WIDE.split("\n")[1]), "gold.tsv:7", "item 'i1' again", "keep one row per item"),
    ("item of another topic", {"gold.tsv": tsv("item", "topic", "label", rows=TOPICS),
        "run.tsv": tsv("item", "topic", "label", rows=TOPICS, line=3, to="i2\tz\tneu")},
        "run.tsv:3", "item 'i2' of topic 'z' is not in gold", "remove the row"),
    ("topics in gold only", RUN | {"gold.tsv": tsv("item", "topic", "label", rows=TOPICS)},
        "run.tsv:1", "there is no column 'topic'", "gold has item 'i1' in several topics"),
    ("item without topic", RUN | {"gold.tsv": tsv("item", "topic", "label", rows=[(i, "x" * (i != "i2"), l) for i, l in ROWS])},
        "gold.tsv:3", "no topic", "topic"),
    ("label unknown", run_with(4, "i3\tposs"), "run.tsv:4", "label 'poss' is not one of the classes", "did you mean 'pos'?"),
    ("label unknown in gold", gold_with(4, "i3\tgood"), "gold.tsv:4", "label 'good' is not", "the classes are neg,neu,pos"),
    ("label unknown in JSON", GOLD | {"run.jsonl": jsonl({"item": i, "label": l if i != "i3" else True} for i, l in ROWS)},
        "run.jsonl:3", "label 'true' is not", "the classes are neg,neu,pos"),
    ("label unknown in Parquet", GOLD | {"run.parquet": parquet("SELECT 'i' || i AS item, 'x' AS label FROM range(1, 7) t(i)")},
        "run.parquet:1", "label 'x' is not", "the classes are neg,neu,pos"),
    ("label unknown side by side", wide_with(4, "i3\tpos\tpos\tgood"), "gold.tsv:4", "label 'good' is not", "the classes are"),
    ("label unknown stacked", stack_with(13, "b\ti6\tpos\tgood"), "gold.tsv:13", "label 'good' is not", "the classes are"),
    ("label empty", run_with(4, "i3\t"), "run.tsv:4", "no label", "add one, or choose --missing"),
    ("label of JSON empty", GOLD | {"run.jsonl": jsonl({"item": i, "label": l if i != "i3" else None} for i, l in ROWS)},
        "run.jsonl:3", "no label", "add one, or choose --missing"),
    ("label of JSON absent", GOLD | {"run.jsonl": jsonl({"item": i} | ({"label": l} if i != "i3" else {}) for i, l in ROWS)},
        "run.jsonl:3", "no label", "add one, or choose --missing"),
    ("row too short", run_with(4, "i3"), "run.tsv:4", "1 field instead of 2", "is a separator missing"),
    ("row too long", run_with(4, "i3\tpos\tpos"), "run.tsv:4", "3 fields instead of 2", "or one too many?"),
    ("row of gold too short", gold_with(4, "i3"), "gold.tsv:4", "1 field instead of 2", "is a separator missing"),
    ("row too short stacked", stack_with(13, "b\ti6\tpos"), "gold.tsv:13", "3 fields instead of 4", "is a separator missing"),
    ("semicolons", {name: text.replace("\t", ";") for name, text in {"gold.csv": labels(), "run.csv": labels()}.items()},
        "run.csv:1", "no column 'item'", "separator"),
    ("quote left open", {"gold.csv": comma(labels()), "run.csv": comma(labels(4, '"i3\tpos'))}, "run.csv:4", "quote", "close"),
    ("quote left open, long", {"gold.csv": comma(labels()), "run.csv": comma(labels(4, '"i3\tpos') + MANY)},
        "run.csv:4", "quote", "close"),
    ("quote within", {"gold.csv": comma(labels()), "run.csv": comma(labels(4, '"i3"x\tpos'))}, "run.csv:4", "quote", ""),
    ("Latin-1", GOLD | {"run.tsv": labels(4, "ï3\tpos").encode("latin-1")}, "run.tsv:4", "not UTF-8", "save the file as UTF-8"),
    ("Latin-1 in a header", RUN | {"gold.tsv": labels(1, "item\tété").encode("latin-1")}, "gold.tsv:1", "not UTF-8", "save it"),
    ("Latin-1 in JSON", GOLD | {"run.jsonl": (JSON + '{"item":"ï2","label":"neg"}').encode("latin-1")},
        "run.jsonl:2", "not UTF-8", "save the file as UTF-8"),
    ("UTF-16", GOLD | {"run.tsv": labels().encode("utf-16")}, "run.tsv:1", "UTF-16", "save it as UTF-8"),
    ("NUL byte", run_with(4, "i3\tpos\0"), "run.tsv:4", "label 'pos\\x00'", "characters that do not show"),
    ("JSON line broken", GOLD | {"run.jsonl": JSON + '{"item":"i2",\n'}, "run.jsonl:2", "not a JSON object", "one object per"),
    ("JSON line no object", GOLD | {"run.jsonl": JSON + '["i2","neu"]\n'}, "run.jsonl:2", "not a JSON object", "one object per"),
    ("JSON in one array", GOLD | {"run.jsonl": f"[{JSON}]"}, "run.jsonl:1", "this is a JSON list", "one object per line"),
    ("text called Parquet", GOLD | {"run.parquet": labels()}, "run.parquet", "this is not parquet", "write the file again"),
    ("Parquet cut short", GOLD | {"run.parquet": cut(parquet("SELECT 'i' AS item"))}, "run.parquet", "cannot be read", "again"),
    ("text called Arrow", GOLD | {"run.arrow": labels()}, "run.arrow", "this is not arrow", "write the file again"),
    ("Arrow cut short", GOLD | {"run.arrow": b"ARROW1\0\0\x10\0"}, "run.arrow", "cannot be read", "write the file again"),
    ("gzip cut short", GOLD | {"run.tsv.gz": gzip.compress(labels().encode())[:30]}, "run.tsv.gz", "cut short", "again"),
    ("gzip cut short far on", GOLD | {"run.tsv.gz": gzip.compress(MANY.encode())[:100_000]}, "run.tsv.gz", "cut short", "again"),
    ("Zstandard cut short", GOLD | {"run.tsv.zst": cut(zstandard(labels() + MANY))}, "run.tsv.zst", "cut short", "again"),
    ("weight NaN", weight_with("nan"), "gold.tsv:4", "weight 'nan' is not a number from 0 up", "give each item a weight"),
    ("weight infinite", weight_with("inf"), "gold.tsv:4", "weight 'inf' is not", "give each item a weight"),
    ("weight negative", weight_with("-1"), "gold.tsv:4", "weight '-1' is not", "give each item a weight"),
    ("weight missing", weight_with(""), "gold.tsv:4", "weight '' is not", "give each item a weight"),
    ("weight no number", weight_with("heavy"), "gold.tsv:4", "weight 'heavy' is not", "give each item a weight"),
    ("weight no number stacked", {"gold.tsv": tsv("run", "gold", "label", "weight", rows=[("a", "neg", "neg", w) for w in "1x"])},
        "gold.tsv:3", "weight 'x' is not", "give each item a weight"),
    ("weight in later JSON", RUN | {"gold.jsonl": JSON + jsonl({"item": i, "label": l, "weight": 2} for i, l in ROWS[1:])},
        "gold.jsonl:1", "weight", "give each item a weight"),
    ("weights all 0", RUN | {"gold.tsv": tsv("item", "label", "weight", rows=[(*row, "0") for row in ROWS])},
        "gold.tsv", "no weight is above 0", "at least one item must count"),
    ("weight beyond sense", weight_with("1e308"), "gold.tsv", "weight", ""),
    ("label to bin no number", numbers_with("abc"), "run.tsv:4", "'abc' is not a number", "--bins", *BINS),
    ("label of gold to bin no number", numbers_with("2,5", gold=True), "gold.tsv:4", "'2,5' is not a number", "--bins", *BINS),
    ("label to bin NaN", numbers_with("nan"), "run.tsv:4", "no label", "--missing worst, drop or class:LABEL", *BINS),
    ("label to bin empty", numbers_with(""), "run.tsv:4", "no label", "--missing worst, drop or class:LABEL", *BINS),
    ("stacked, other items", stack_with(13, None), "gold.tsv", "run 'b' (5 rows) has other items than run 'a'", "--missing drop"),
    ("stacked, other items of a class", stack_with(13, "b\ti3\tpos\tneu"), "gold.tsv:13", "item 'i3'", "keep one row per item"),
    ("stacked, no run", stack_with(13, "\ti6\tpos\tneu"), "gold.tsv:13", "no run", "run"),
    ("distances no square", FILES, "distances.txt:2", "2 numbers instead of 3", "as many columns as rows", "0 1 2\n1 0\n2 1 0"),
    ("distances no numbers", FILES, "distances.txt:2", "'x' is not a number", "C rows of C distances", "0 1 2\n1 0 x\n2 1 0"),
    ("distances negative", FILES, "distances.txt:2", "'-1' is not a number", "C rows of C distances", "0 1 2\n1 0 -1\n2 1 0"),
    ("distances empty", FILES, "distances.txt", "the file is empty", "C rows of C distances", ""),
    ("distances for other classes", FILES, "distances.txt", "2 rows for 3 classes", "C rows of C distances", "0 1\n1 0\n"),
]  # fmt: skip
CASES = [SimpleNamespace(name=n, files=f, place=p, what=w, hint=h, more=m) for n, f, p, w, h, *m in BROKEN]


def written(folder, files):
    """The files' paths, gold first."""
    paths = []
    for name, content in files.items():
        path = folder / name
        paths.append(path)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return sorted(paths, key=lambda path: path.stem != "gold")


def lines_of(err):
    """Every line says where, what and what to do, but for the last, which may count what is left."""
    lines = err.splitlines()
    problems = lines[:-1] if re.fullmatch(r"\.\.\. and \d+ more problems?", lines[-1]) else lines
    assert problems
    assert all(re.fullmatch(r"(\S|standard input)+?(:\d+)?: .+; .+", line) for line in problems), err
    return lines


@pytest.mark.parametrize("command", ["evaluate", "check"])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_broken_input(run, tmp_path, monkeypatch, case, command):
    paths = written(tmp_path, case.files)
    more = list(case.more if "--classes" in case.more else (*CLASSES, *case.more))
    place = f"{tmp_path}/{case.place}"
    if case.place.startswith("distances"):
        if command == "check":
            pytest.skip("does not apply: check takes no distances")
        file = tmp_path / "distances.txt"
        file.write_text(more[-1])
        more = [*CLASSES, "--distance", file, "--measures", "kappa_weighted"]
    before = sorted(tmp_path.iterdir())
    scratch = tmp_path.parent / f"{tmp_path.name}-scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    more += ["--scores", tmp_path / "out.parquet"] if command == "evaluate" else []
    status, out, err = run(command, *paths, *more)
    assert "Traceback" not in err
    assert "internal error" not in err
    assert status == 1, err
    assert not out or (command == "check" and out.startswith("ok  "))
    said = [line.removeprefix(f"{place}: ") for line in lines_of(err) if line.startswith(f"{place}:")]
    assert any(case.what in line and case.hint in line.partition("; ")[2] for line in said), err
    assert sorted(tmp_path.iterdir()) == before
    assert not list(scratch.iterdir())


def test_every_problem_up_to_twenty_then_a_count(run, tmp_path):
    for rows, hint in ((25, "... and 5 more problems"), (20, "")):
        paths = written(tmp_path, GOLD | {"run.tsv": labels() + "".join(f"x{row:02}\tneg\n" for row in range(rows))})
        status, _, err = run("evaluate", *paths, *CLASSES)
        lines = err.splitlines()
        assert (status, len(lines)) == (1, 20 + bool(hint))
        expected = [f"{paths[1]}:{8 + row}: item 'x{row:02}' is not in gold" for row in range(20)]
        assert all(line.startswith(wanted) for line, wanted in zip(lines, expected, strict=False))
        assert lines[-1].endswith(hint)


@pytest.mark.parametrize("label", ["", "good"])
def test_the_same_fault_is_named_at_each_of_its_lines(run, tmp_path, label):
    broken = labels(3, f"i2\t{label}").replace("i5\tneu", f"i5\t{label}")
    paths = written(tmp_path, GOLD | {"run.tsv": broken})
    _, _, err = run("evaluate", *paths, *CLASSES)
    assert [line.split(": ")[0] for line in err.splitlines()] == [f"{paths[1]}:3", f"{paths[1]}:6"]
    (line,) = run("check", *paths, *CLASSES)[2].splitlines()
    assert line.startswith(f"{paths[1]}:3: ")
    assert ", and 1 more like it (line 6); " in line


def test_problems_of_all_files_and_kinds_at_once(run, tmp_path):
    files = {"gold.tsv": labels(7, "i2\tneu"), "a.tsv": labels(3, "i2\tgood"), "b.tsv": labels(2, "x1\tneg")}
    _, _, err = run("check", *written(tmp_path, files), *CLASSES)
    for place in ("gold.tsv:7", "a.tsv:3", "b.tsv:2"):
        assert f"{tmp_path}/{place}: " in err


def test_gold_without_a_label_is_not_helped_by_missing(run, tmp_path):
    _, _, err = run("check", *written(tmp_path, gold_with(4, "i3\t")), *CLASSES)
    assert err.startswith(f"{tmp_path}/gold.tsv:4: ")
    assert "--missing" not in err


def test_the_runs_are_not_blamed_for_gold(run, tmp_path):
    for files, blame in ((gold_with(4, "\tpos"), "item ''"), (RUN | {"gold.tsv": "item\tlabel\n"}, "run.tsv")):
        _, _, err = run("check", *written(tmp_path, files), *CLASSES)
        assert blame not in err


def test_a_header_taken_for_data_is_explained(run, tmp_path):
    _, _, err = run("check", *written(tmp_path, GOLD | {"run.tsv": labels(1, "id\tsentiment")}), *CLASSES)
    assert re.search("run.tsv:1: .*; .*--item-column", err)


def test_broken_standard_input(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(labels(4, "i3").encode())))
    status, out, err = run("check", *written(tmp_path, GOLD), "-", *CLASSES)
    assert (status, out) == (1, "")
    assert err.startswith("standard input:4: 1 field instead of 2; ")


BOTH, NUMBERED = ("{}/gold.tsv", "{}/run.tsv"), ("{}/1.tsv", "{}/2.tsv")
WRONG_CALLS = {  # arguments, with {} for the folder, and what is said
    "no such file": (["{}/gold.tsv", "{}/rnu.tsv"], "there is no file '{}/rnu.tsv'; did you mean 'run.tsv'"),
    "no such folder": (["{}/gold.tsv", "{}/no/run.tsv"], "there is no folder '{}/no' either"),
    "no match": (["{}/gold.tsv", "{}/*.csv"], "no file matches '{}/*.csv'; check"),
    "a folder with gold in it": (["{}/gold.tsv", "{}"], "'{}/gold.tsv' is the gold file itself; leave it out"),
    "a catalogue's table": (["table:db.x", "{}/run.tsv"], "'table:db.x' is a table of a cluster's catalogue; choose --engine"),
    "gold among the runs": (["{}/gold.tsv", "{}/*.tsv"], "'{}/gold.tsv' is the gold file itself; leave it out"),
    "gold is a pattern": (["{}/*.tsv"], "'{}/*.tsv'"),
    "a run twice": ([*BOTH, "{}/./run.tsv"], "given twice"),
    "standard input twice": (["-", "-"], "twice"),
    "no classes": ([*BOTH, "--classes="], "class"),
    "policy": ([*BOTH, "--missing", "best"], "--missing cannot be 'best'"),
    "policy's class": ([*BOTH, "--missing", "class:good"], "no class 'good'; the classes are"),
    "worst of nominal": ([*BOTH, "--missing", "worst", "--kind", "nominal"], "no worst class; choose --missing drop"),
    "partitions": ([*BOTH, "--partitions", "7"], "6 items cannot be divided into 7 partitions"),
    "bins no numbers": ([*NUMBERED, "--bins", "a,b"], "--bins cannot be 'a,b'; give numbers"),
    "bins too few": ([*NUMBERED, "--bins", "1"], "1 bin edges make 2 classes, not 3"),
    "bins unordered": ([*NUMBERED, "--bins", "2,1"], "the bin edges do not increase"),
    "bins not finite": ([*NUMBERED, "--bins", "1,nan"], "bin edge"),
    "format": ([*BOTH, "--format-in", "odd"], "semeval"),
    "memory": ([*BOTH, "--memory", "lots"], "'lots' is not an amount of memory; as in 2GB"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_calls(run, tmp_path, monkeypatch, name):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(labels().encode())))
    written(tmp_path, FILES | {"1.tsv": NUMBERS, "2.tsv": NUMBERS})
    arguments, said = WRONG_CALLS[name]
    status, out, err = run("check", *CLASSES, *(argument.replace("{}", str(tmp_path)) for argument in arguments))
    assert (status, out) == (2, ""), err
    assert said.replace("{}", str(tmp_path)) in err
    assert re.fullmatch(r"metameasure: .+\n", err)


@pytest.mark.parametrize("target", ["out.txt", "out", "no/out.parquet", "out.parquet.gz"])
def test_no_scores_where_they_cannot_be_written(run, tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    paths = written(tmp_path, FILES)
    status, out, err = run("evaluate", *paths, *CLASSES, "--scores", target)
    assert (status, out) == (2, "")
    assert err.startswith("metameasure: ")
    assert sorted(Path().iterdir()) == sorted(Path(path.name) for path in paths)


def test_partitions_do_not_ask_for_topics(run, tmp_path):
    """A row without an id is in no partition, which is no second fault of it."""
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n,b\n3,a\n")
    (tmp_path / "run.csv").write_text("item,label\n1,a\n3,a\n")
    status, _, err = run("check", tmp_path / "gold.csv", tmp_path / "run.csv", "--classes", "a,b", "--partitions", "2")
    assert status == 1
    assert "gold.csv:3: the row has no item" in err
    assert "topic" not in err
