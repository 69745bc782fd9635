"""One set of labels in every form it may come in: the same scores, to the bit, and what the policies and counts make of it."""

# ruff: noqa: PD011 - scores have values and are no pandas

import csv
import gzip
import io
import json
import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather

from metameasure.comparing.compare import difference
from metameasure.core.errors import UsageError
from metameasure.evaluating.evaluate import evaluate
from metameasure.evaluating.evidence_files import count
from metameasure.evidence.base import load
from metameasure.tasks.classification.task import Classification

DRAW = random.Random(7)  # noqa: S311 - test data
CLASSES = ("-2", "-1", "0", "1", "2")
ODD = '007|07|7|7.0|é ü|日本|two words| lead|it\'s|say "hi"|a,b|NULL|nan|1e3|-|A|a'.split("|")  # noqa: SIM905
ITEMS = ODD + [f"item {number}" for number in range(60 - len(ODD))]
RUNS = ("alpha", "beta", "gamma")
ROWS = [  # item, topic, weight, gold, and each run's label
    (item, ("cats", "10", "9")[place % 3], DRAW.choice([0.1, 1 / 3, 2.0, 0.0, 7.25]), *DRAW.choices(CLASSES, k=4))
    for place, item in enumerate(ITEMS)
]
HOW = {"classes": CLASSES, "measures": "accuracy,mae_macro,cem_ord,kappa_linear,pearson,f1_macro"}
KINDS = ("csv", "tsv", "jsonl", "parquet", "arrow")
TABLES = "csv tsv jsonl parquet arrow csv.gz tsv.gz jsonl.gz csv.zst tsv.zst jsonl.zst tsv+bom jsonl+bom csv+crlf".split()  # noqa: SIM905


def table(shape, *, topics=True, weights=False, order=None, rows=ROWS):
    """Columns and rows of one table: gold, a run by name, wide or stacked. ``order`` is a seed to shuffle by."""
    head = ["item", *["topic"] * topics, *["weight"] * weights]
    keys = [[row[0], *[row[1]] * topics, *[row[2]] * weights] for row in rows]
    if shape == "wide":
        head, cells = [*head, "gold", *RUNS], [[*key, *row[3:]] for key, row in zip(keys, rows, strict=True)]
    elif shape == "stacked":
        head = ["run", *head, "gold", "label"]
        cells = [[name, *key, row[3], row[4 + n]] for n, name in enumerate(RUNS) for key, row in zip(keys, rows, strict=True)]
    else:
        place = 3 if shape == "gold" else 4 + RUNS.index(shape)
        head, cells = [*head, "label"], [[*key, row[place]] for key, row in zip(keys, rows, strict=True)]
    if order is not None:
        random.Random(order).shuffle(cells)  # noqa: S311
    return head, cells


def write(path, head, cells, quirk=""):
    """A table in the format that its name asks for."""
    kind, compression = next((n, c) for c in ("gz", "zst", "") for n in KINDS if path.name.endswith(f".{n}.{c}".rstrip(".")))
    text, delimiter = io.StringIO(), "\t" if kind == "tsv" else ","
    if kind in ("parquet", "arrow") or compression == "zst":
        columns = FRAMES["pyarrow"](head, cells)
        if kind == "arrow":
            feather.write_feather(columns, path)
            return path
        options = {"parquet": "FORMAT parquet", "jsonl": "FORMAT json, COMPRESSION zstd"}
        as_text = f"HEADER, DELIMITER '{delimiter}', QUOTE '{chr(34) * (kind == 'csv')}', COMPRESSION zstd"
        duckdb.connect().from_arrow(columns).query("columns", f"COPY columns TO '{path}' ({options.get(kind, as_text)})")
        return path
    if kind == "jsonl":
        text.writelines(json.dumps(dict(zip(head, row, strict=True))) + "\n" for row in cells)
    elif kind == "tsv":
        text.writelines("\t".join(map(str, row)) + "\n" for row in [head, *cells])
    else:
        csv.writer(text, lineterminator="\r\n" if quirk == "crlf" else "\n").writerows([head, *cells])
    raw = b"\xef\xbb\xbf" * (quirk == "bom") + text.getvalue().encode()
    path.write_bytes(gzip.compress(raw) if compression else raw)
    return path


def written(folder, ending="tsv", *, weights=False, **how):
    """A gold file and a file for each run; runs without weights."""
    folder.mkdir(exist_ok=True)
    ending, _, quirk = ending.partition("+")
    paths = [folder / f"{name}.{ending}" for name in ("gold", *RUNS)]
    for path, name in zip(paths, ("gold", *RUNS), strict=True):
        write(path, *table(name, weights=weights and name == "gold", **how), quirk)
    return paths[0], paths[1:]


FRAMES = {
    "pandas": lambda head, cells: pd.DataFrame(cells, columns=head).sample(frac=1, random_state=3),
    "pandas-arrow": lambda head, cells: pd.DataFrame(cells, columns=head).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda head, cells: pl.DataFrame(cells, schema=head, orient="row"),
    "polars-lazy": lambda head, cells: pl.LazyFrame(cells, schema=head, orient="row"),
    "pyarrow": lambda head, cells: pa.table({name: [row[place] for row in cells] for place, name in enumerate(head)}),
    "duckdb": lambda head, cells: duckdb.from_df(pd.DataFrame(cells, columns=head)),
}


def framed(library, *, weights=False, **how):
    make = FRAMES[library]
    return make(*table("gold", weights=weights, **how)), {name: make(*table(name, **how)) for name in RUNS}


def names_of(cells, names):
    head, rows = cells
    return [names.get(name, name) for name in head], rows


def assert_same(scores, expected):
    assert (scores.runs, scores.topics) == (expected.runs, expected.topics)
    assert scores.values.tobytes() == expected.values.tobytes()
    assert scores.pooled.tobytes() == expected.pooled.tobytes()
    assert scores.signature == expected.signature


EACH_TIME, EVERY_NIGHT = ("topics, weights", "no topics"), ("topics", "no topics, weights")


@pytest.fixture(scope="module", params=[*EACH_TIME, *(pytest.param(kind, marks=pytest.mark.slow) for kind in EVERY_NIGHT)])
def data(request, tmp_path_factory):
    """What is there, and the scores of it from TSV."""
    how = {"topics": "no" not in request.param, "weights": "weights" in request.param}
    gold, runs = written(tmp_path_factory.mktemp("labels") / "tsv", **how)
    return how, evaluate(gold, runs, **HOW)


def test_weights_are_what_adding_them_gives(tmp_path):
    gold, runs = written(tmp_path / "a", weights=True)
    counts = count(gold, runs, classes=CLASSES)
    naive = np.zeros((len(RUNS), 3, len(CLASSES), len(CLASSES)))
    for _, topic, weight, label, *predicted in ROWS:
        for run, other in enumerate(predicted):
            naive[run, counts.topics.index(topic), CLASSES.index(label), CLASSES.index(other)] += weight
    np.testing.assert_allclose(counts.tables(), naive, rtol=1e-12, atol=1e-12)
    assert counts.item_tables().sum() == len(ROWS) * len(RUNS)
    accuracy = evaluate(gold, runs, **HOW | {"measures": "accuracy"}).values[0].T
    np.testing.assert_allclose(accuracy, np.trace(naive, axis1=2, axis2=3) / naive.sum(axis=(2, 3)), rtol=1e-12)


@pytest.mark.each_time(6)
@pytest.mark.parametrize("ending", TABLES)
def test_every_format_in_any_order(data, tmp_path, ending):
    how, expected = data
    assert_same(evaluate(*written(tmp_path / "a", ending, **how), **HOW), expected)
    assert_same(evaluate(*written(tmp_path / "b", ending, order=5, **how), **HOW, threads=1), expected)


@pytest.mark.parametrize("library", FRAMES)
def test_every_frame_library(data, library):
    how, expected = data
    gold, runs = framed(library, order=4, **how)
    assert_same(evaluate(gold, runs, **HOW), expected)
    head, cells = table("stacked", order=1, topics=how["topics"])
    kept = [place for place, name in enumerate(head) if name != "gold"]
    assert_same(
        evaluate(gold, FRAMES[library]([head[p] for p in kept], [[row[p] for p in kept] for row in cells]), **HOW), expected
    )


@pytest.mark.each_time(8)
@pytest.mark.parametrize("shape", ["wide", "stacked"])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl.gz", "parquet", *FRAMES])
def test_every_shape(data, tmp_path, form, shape):
    how, expected = data
    cells = table(shape, order=2, **how)
    assert_same(evaluate(FRAMES[form](*cells) if form in FRAMES else write(tmp_path / f"one.{form}", *cells), **HOW), expected)


def test_formats_may_be_mixed_and_come_by_standard_input(data, tmp_path, monkeypatch, run):
    how, expected = data
    gold, _ = written(tmp_path / "a", "csv.gz", **how)
    endings = zip(RUNS, ("jsonl.gz", "csv", "tsv.zst"), strict=True)
    runs = [write(tmp_path / f"{name}.{ending}", *table(name, topics=how["topics"])) for name, ending in endings]
    assert_same(evaluate(gold, runs, **HOW), expected)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gold.read_bytes())))
    status, out, err = run("evaluate", "-", *runs, "--classes=-2..2", "--measures", HOW["measures"], "--format", "json")
    assert (status, err, json.loads(out)["signature"]) == (0, "", expected.signature)


def test_other_names_of_columns(data, tmp_path):
    how, expected = data
    names = {"item": "pair_ID", "topic": "the topic", "label": "judgment", "weight": 'w"', "gold": "Ġ", "run": "system"}

    def there(name):
        return {role: other for role, other in names.items() if role in table(name, **how)[0]}

    paths = [write(tmp_path / f"{name}.csv", *names_of(table(name, **how), names)) for name in ("gold", *RUNS)]
    assert_same(evaluate(paths[0], paths[1:], columns=there("gold"), **HOW), expected)
    for shape in ("wide", "stacked"):
        path = write(tmp_path / f"{shape}.tsv", *names_of(table(shape, **how), names))
        assert_same(evaluate(path, columns=there(shape), **HOW), expected)


def test_other_columns_do_no_harm(tmp_path):
    extra = {"confidence": ".5", "rank": "1", "score": ".1", "": "0", "file_index": "9", "filename": "x", "Item": "other"}
    expected = evaluate(*written(tmp_path / "plain"), **HOW)
    for place, name in enumerate(("gold", *RUNS)):
        head, cells = table(name)
        some = dict(list(extra.items())[: None if place % 2 else 3])
        write(tmp_path / f"{name}.csv", [*some, *head], [[*some.values(), *row] for row in cells])
    assert_same(evaluate(tmp_path / "gold.csv", [tmp_path / f"{name}.csv" for name in RUNS], **HOW), expected)


def test_semeval_without_header(tmp_path, run):
    expected = evaluate(*written(tmp_path / "plain"), **HOW)
    for name in ("gold", *RUNS):
        (tmp_path / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in table(name, order=1)[1]))
    gold, runs = tmp_path / "gold.tsv", [tmp_path / f"{name}.tsv" for name in RUNS]
    for format_in in (None, "semeval"):
        assert_same(evaluate(gold, runs, format_in=format_in, **HOW), expected)
    assert run("check", gold, *runs, "--classes=-2..2")[::2] == (0, "")


def test_ids_that_repeat_across_topics(tmp_path):
    rows = [(f"i{place // 3}", *row[1:]) for place, row in enumerate(ROWS)]
    expected = evaluate(*written(tmp_path / "plain", rows=rows), **HOW)
    assert_same(evaluate(*framed("duckdb", rows=rows), **HOW), expected)
    for shape in ("stacked", "wide"):
        assert_same(evaluate(write(tmp_path / f"{shape}.tsv", *table(shape, rows=rows)), **HOW), expected)
        assert_same(evaluate(FRAMES["pandas"](*table(shape, rows=rows)), **HOW), expected)


def test_quirks_of_text(tmp_path):
    gold, runs = written(tmp_path / "plain")
    expected = evaluate(gold, runs, **HOW)
    plain = runs[1].read_bytes()
    blank = plain.replace(b"\n", b"\n\n", 2)
    for text in (plain.rstrip(), plain + b"\n\n", plain.replace(b"\n", b"\r\n").rstrip(), blank):
        runs[1].write_bytes(text)
        assert_same(evaluate(gold, runs, **HOW), expected)


@pytest.mark.parametrize("form", ["tsv", "parquet", "pandas", "polars", "pyarrow", "duckdb"])
def test_bins(tmp_path, form):
    numbers = [(*row[:3], *(f"{int(label) * 1.3 + 0.3:.2f}" for label in row[3:])) for row in ROWS]
    edges = (-1.5, -0.5, 0.5, 1.5)
    cut = [(*row[:3], *(CLASSES[sum(float(label) >= edge for edge in edges)] for label in row[3:])) for row in numbers]
    numbers = [(*row[:3], *map(float, row[3:])) for row in numbers] if form != "tsv" else numbers
    expected = count(*written(tmp_path / "cut", rows=cut), classes=CLASSES)
    asked = framed(form, rows=numbers) if form in FRAMES else written(tmp_path / "n", form, rows=numbers)
    found = count(*asked, classes=CLASSES, bins=edges)
    assert found.checksum() == expected.checksum()
    for place, name in enumerate(("gold", *RUNS), start=3):
        beyond = sum(abs(float(row[place])) > 2 for row in numbers)
        assert any(note.startswith(f"{name}: {beyond:,} labels beyond") for note in found.notes)


def lacking(kind, tmp_path):
    """The labels without some of beta's, absent or empty."""
    some = [row if place % 4 else (*row[:5], "", row[6]) for place, row in enumerate(ROWS)]
    beta = table("beta", rows=[row for row in some if row[5]])
    if kind in ("wide", "stacked"):
        return write(tmp_path / f"{kind}.csv", *table(kind, rows=some)), None
    if kind in FRAMES:
        gold, runs = framed(kind)
        return gold, runs | {"beta": FRAMES[kind](*beta)}
    gold, runs = written(tmp_path / "files")
    write(runs[1], *(beta if kind == "absent" else table("beta", rows=some)))
    return gold, runs


@pytest.mark.parametrize("kind", ["absent", "empty", "wide", "stacked", "pandas", "polars", "duckdb"])
@pytest.mark.parametrize("policy", ["worst", "drop", "class:1"])
def test_missing(tmp_path, policy, kind):
    worst = {"-2": "2", "-1": "2", "0": "2", "1": "-2", "2": "-2"}
    cells = Counter()
    for place, row in enumerate(ROWS):
        for run, label in zip(RUNS, row[4:], strict=True):
            gone = run == "beta" and place % 4 == 0
            filled = {"worst": worst[row[3]], "drop": None, "class:1": "1"}[policy] if gone else label
            cells[run, row[1], row[3], filled] += filled is not None
    counts = count(*lacking(kind, tmp_path), classes=CLASSES, missing=policy)
    names = (counts.runs, counts.topics, CLASSES, CLASSES)
    found = [tuple(named[place] for named, place in zip(names, cell, strict=True)) for cell in counts.cells]
    assert dict(zip(found, counts.items, strict=True)) == +cells
    assert any(note.startswith("beta: 15 missing items") for note in counts.notes)


def test_partitions(tmp_path):
    how = HOW | {"partitions": 7}
    gold, runs = written(tmp_path / "a", topics=False)
    first = evaluate(gold, runs, seed=3, **how)
    assert first.topics == tuple(f"part {part}" for part in range(1, 8))
    sizes = count(gold, runs, classes=CLASSES, partitions=7, seed=3).item_tables()[0].sum(axis=(1, 2))
    assert set(sizes) == {8, 9}
    assert evaluate(gold, runs, seed=4, **how).values.tobytes() != first.values.tobytes()
    forms = [written(tmp_path / ending, ending, topics=False, order=8) for ending in ("jsonl", "parquet", "csv.gz")]
    forms += [framed(library, topics=False, order=8) for library in FRAMES]
    for cells in (table(shape, topics=False, order=8) for shape in ("wide", "stacked")):
        forms += [(FRAMES["pandas"](*cells),), (write(tmp_path / f"{cells[0][0]}.csv", *cells),)]
    for form in forms:
        assert_same(evaluate(*form, seed=3, **how), first)
    with pytest.raises(UsageError, match="topics already"):
        evaluate(*written(tmp_path / "b"), **how)


def test_counts_merge_and_are_kept(tmp_path):
    whole = count(*written(tmp_path / "a"), classes=CLASSES)
    for halves in ((ROWS[:25], ROWS[25:]), (ROWS[::3], ROWS[1::3], ROWS[2::3])):
        parts = [count(*framed("polars", rows=rows), classes=CLASSES) for rows in halves]
        merged = sum(parts[1:], parts[0])
        assert merged.checksum() == sum(parts[-2::-1], parts[-1]).checksum() == whole.checksum()
    whole.save(tmp_path / "counts.any")
    assert load(tmp_path / "counts.any").checksum() == whole.checksum()
    with pytest.raises(UsageError, match="cannot be added"):
        whole + count(*written(tmp_path / "a"), classes=CLASSES[::-1])


def test_weighted_counts_merge():
    whole = count(*framed("polars", weights=True), classes=CLASSES)
    parts = [count(*framed("polars", weights=True, rows=ROWS[n::4]), classes=CLASSES) for n in range(4)]
    np.testing.assert_allclose(sum(parts[1:], parts[0]).tables(), whole.tables(), rtol=1e-12, atol=1e-12)
    one = pl.DataFrame({"item": list("abcd"), "label": ["1"] * 4, "weight": [1.0] * 4})
    more = [one.with_columns(item=pl.col("item") + str(part)) for part in range(3)]
    heavy, plain, heavier = (count(gold, {"r": gold}, classes="1..2") for gold in (more[0], more[1].drop("weight"), more[2]))
    assert [(heavy + other).tables().sum() for other in (plain, heavier, heavier + plain)] == [8, 8, 12]
    with pytest.raises(UsageError, match="run 'r' is in both"):
        heavy + heavy


@pytest.mark.parametrize("form", ["tsv", "wide", "stacked", "pandas", "duckdb"])
def test_outputs(tmp_path, form):
    gold, runs = framed(form) if form in FRAMES else written(tmp_path / "a")
    if form in ("wide", "stacked"):
        gold, runs = write(tmp_path / "one.tsv", *table(form)), None
    counts = replace(Classification.on(gold, runs, {"classes": CLASSES}), outputs_of="all").evidence()
    topics, outputs = counts.topics, counts.outputs
    names = [CLASSES[code] for code in outputs.gold]
    found = Counter(
        (topics[topic], name, *(CLASSES[code] for code in said))
        for topic, name, said in zip(outputs.topic, names, outputs.labels.T, strict=True)
    )
    assert found == Counter((topic, gold, *said) for _, topic, _, gold, *said in ROWS)
    assert outputs.labels.dtype == np.int8
    by = difference(gold, runs, "accuracy", "alpha", "gamma", classes=CLASSES, trials=9)
    assert by.value == pytest.approx(np.subtract(*evaluate(gold, runs, **HOW).pooled[0, [0, 2]]))


def test_names_of_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gold, _ = written(Path("g"))
    wanted = {
        "a/x/r.tsv": "a/x/r",
        "b/x/r.tsv": "b/x/r",
        "b/y/r.csv": "y/r",
        "b/it's é.v2.tsv.gz": "it's é.v2",
        "r[1].tsv": "r[1]",
    }
    for name in wanted:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write(Path(name), *table("alpha"))
    write(Path("r1.tsv"), *table("beta"))  # what r[1].tsv would match as a pattern
    scores = evaluate(gold, list(wanted), **HOW)
    assert scores.runs == tuple(wanted.values())
    assert np.ptp(scores.pooled, axis=1).max() == 0
    write(Path("b/y/r.jsonl"), *table("beta"))
    assert len(set(evaluate(gold, ["b/y/r.csv", "b/y/r.jsonl", "a/x/r.tsv"], **HOW).runs)) == 3
    assert evaluate(gold, {"mine": "a/x/r.tsv"}, **HOW).runs == ("mine",)
    with pytest.raises(UsageError, match=r"g/gold.tsv' is the gold file itself"):
        evaluate(gold, ["g/*.tsv"], **HOW)
    Path("link.tsv").symlink_to(gold)
    with pytest.raises(UsageError, match=r"link.tsv' is the gold file itself"):
        evaluate(gold, ["link.tsv"], **HOW)


def test_runs_that_differ_by_case_only(tmp_path):
    expected = evaluate(*written(tmp_path / "a"), **HOW)
    head, cells = names_of(table("wide"), {"alpha": "BERT", "beta": "bert", "gamma": "Bert"})
    for one in (FRAMES["polars"](head, cells), *(write(tmp_path / f"one.{kind}", head, cells) for kind in ("tsv", "jsonl"))):
        scores = evaluate(one, **HOW)
        assert scores.runs == ("BERT", "bert", "Bert")
        assert scores.values.tobytes() == expected.values.tobytes()
