"""Rankings small enough to work out by hand, and ways to write them down: what the tests of their readers share."""

import csv
import functools
import io
import json
import random

import duckdb
import pyarrow as pa

from metameasure.evidence import ranking_columns
from metameasure.evidence.ranking_reader import read_rankings
from metameasure.tasks.ranking import Options

RankingOptions = functools.partial(ranking_columns.RankingOptions, tables=Options.tables)

# Segment, item, gold, and two runs: ragged, with ties, with items that gold or a run does not rank.
ROWS = [
    ("10", "a", 1, 2, 1), ("10", "b", 2, 1, 1), ("10", "ç, d", 2, 3, -1),
    ("9", "a", 3, 1, 2.5), ("9", "b", -1, 2, 2.5), ("9", "c", 1, 3, 1), ("9", "e", 2, 4, 4),
    ("two words", "b", 1, 1, 2), ("two words", "a", 2, 1, 1),
]  # fmt: skip
RUNS = ("one", "two")
HEAD = ("segment", "item", "rank")


def from_files(gold, runs=None, options=None):
    return read_rankings(gold, runs, options or RankingOptions())


def rows_of(run, *, seed=None):
    """Segment, item and rank of gold or a run; -1 is not ranked."""
    place = {"gold": 2, "one": 3, "two": 4}[run]
    rows = [(row[0], row[1], row[place]) for row in ROWS]
    if seed is not None:
        random.Random(seed).shuffle(rows)  # noqa: S311
    return rows


def write(path, head, rows, quirk=""):
    """A table in the format that its name asks for; not ranked is -1 or, in every second row of text, nothing."""
    kind = path.name.split(".")[1]
    if kind in ("parquet", "arrow"):
        table = pa.table({name: [row[place] for row in rows] for place, name in enumerate(head)})
        if kind == "arrow":
            from pyarrow import feather

            feather.write_feather(table, path)
        else:
            duckdb.from_arrow(table).write_parquet(str(path))
        return path
    if kind == "jsonl":
        text = "".join(json.dumps(dict(zip(head, row, strict=True))) + "\n" for row in rows)
    else:
        stream = io.StringIO()
        end = "\r\n" if quirk == "crlf" else "\n"
        writer = csv.writer(stream, delimiter="\t" if kind == "tsv" else ",", lineterminator=end)
        writer.writerows([head, *rows])
        text = stream.getvalue()
    raw = (b"\xef\xbb\xbf" if quirk == "bom" else b"") + text.encode()
    if path.name.endswith(".gz"):
        import gzip

        raw = gzip.compress(raw)
    elif path.name.endswith(".zst"):
        raw = zstandard(text)
    path.write_bytes(raw)
    return path


def zstandard(text):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(text.encode())
    return sink.getvalue().to_pybytes()


def long_files(folder, form="csv", seed=None):
    kind, _, quirk = form.partition("+")
    return [write(folder / f"{run}.{kind}", HEAD, rows_of(run, seed=seed), quirk) for run in ("gold", *RUNS)]


def read_long(folder, form="csv", seed=None, **options):
    gold, *runs = long_files(folder, form, seed)
    return from_files(gold, runs, RankingOptions(**options))


def wmt(rows, systems, *, ranking_id=False, languages="French,English"):
    """A WMT file: rows of segment, judge, items, ranks and perhaps the ranking's id."""
    numbers = range(1, systems + 1)
    head = ["srclang", "trglang", "srcIndex", "segmentId", "judgeId", *(f"system{n}Id" for n in numbers)]
    head += [f"system{n}rank" for n in numbers] + ["rankingID"] * ranking_id
    lines = [
        f"{languages},{segment},{segment},{judge},{','.join(items)},{','.join(map(str, ranks))}" + "".join(f",{i}" for i in more)
        for segment, judge, items, ranks, *more in rows
    ]
    return "\n".join([",".join(head), *lines]) + "\n"


FIVE = [("1", "ann", "abcde", (1, 2, 2, 3, 5)), ("1", "bob", "ebcda", (1, 2, -1, 3, 5)), ("1", "ann", "abcde", (5, 4, 3, 2, 1))]
