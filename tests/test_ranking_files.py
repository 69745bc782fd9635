"""One set of rankings in every form it may come in, and what becomes of ties, judges, and items that nobody or no run ranks."""

import csv
import dataclasses
import io
import itertools
import json
import math
import random
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metameasure.errors import DataError, UsageError
from metameasure.evidence.judges import judge_agreement
from metameasure.evidence.rankings import Rankings, from_files, from_frames
from metameasure.evidence.score_ranks import ranks_of_scores
from metameasure.formats.columns import Columns
from metameasure.formats.rankings import RankingOptions

DATA = Path(__file__).parents[2] / "shared/data"
WMT13, SAMPLE = DATA / "wmt13/newstest2013.fr-en.rankings.csv", DATA / "rankeval2013/sample_with_predictions.jcml"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the data that lies beside a checkout is absent")

# Segment, item, gold, and two runs: ragged, with ties, with items that gold or a run does not rank.
ROWS = [
    ("10", "a", 1, 2, 1), ("10", "b", 2, 1, 1), ("10", "ç, d", 2, 3, -1),
    ("9", "a", 3, 1, 2.5), ("9", "b", -1, 2, 2.5), ("9", "c", 1, 3, 1), ("9", "e", 2, 4, 4),
    ("two words", "b", 1, 1, 2), ("two words", "a", 2, 1, 1),
]  # fmt: skip
RUNS = ("one", "two")
HEAD = ("segment", "item", "rank")
TABLES = "csv tsv jsonl parquet arrow csv.gz tsv.zst jsonl.gz csv+bom csv+crlf".split()  # noqa: SIM905


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


@pytest.fixture
def rankings(tmp_path):
    return read_long(tmp_path)


def test_long_tables_as_they_stand(rankings):
    """By hand from ROWS: segments with numbers first, items by name, -1 as NaN."""
    assert rankings.topics == rankings.sources == ("9", "10", "two words")
    assert rankings.judges == (None, None, None)
    assert rankings.runs == RUNS
    assert rankings.starts.tolist() == [0, 4, 7, 9]
    assert [rankings.item_names[code] for code in rankings.items] == ["a", "b", "c", "e", "a", "b", "ç, d", "a", "b"]
    nan = math.nan
    np.testing.assert_array_equal(rankings.gold, [3, nan, 1, 2, 1, 2, 2, 2, 1])
    np.testing.assert_array_equal(rankings.predicted, [[1, 2, 3, 4, 2, 1, 3, 1, 1], [2.5, 2.5, 1, 4, 1, 1, nan, 1, 2]])
    assert rankings.gold_scores is None
    assert rankings.scores is None


@pytest.mark.parametrize("form", TABLES)
def test_the_same_from_every_table_in_any_order(tmp_path, rankings, form):
    (tmp_path / "other").mkdir()
    other = read_long(tmp_path / "other", form, seed=3)
    assert other.checksum() == rankings.checksum()
    np.testing.assert_array_equal(other.predicted, rankings.predicted)


def test_the_checksum_sees_every_value_and_no_order(tmp_path, rankings):
    gold, *runs = long_files(tmp_path)
    assert from_files(gold, runs[::-1]).checksum() == rankings.checksum()
    for place, row in enumerate(ROWS):
        for run, column in (("gold", 2), ("one", 3)):
            changed = [(*each[:2], each[2] if at != place else row[column] + 7) for at, each in enumerate(rows_of(run))]
            write(tmp_path / f"{run}.csv", HEAD, changed)
            assert from_files(gold, runs).checksum() != rankings.checksum()
            write(tmp_path / f"{run}.csv", HEAD, rows_of(run))


def test_other_names_of_columns(tmp_path, rankings):
    names = Columns(segment="sentence", item="system", rank="place")
    head = (names.segment, names.item, names.rank)
    gold, *runs = (write(tmp_path / f"{run}.tsv", head, rows_of(run)) for run in ("gold", *RUNS))
    assert from_files(gold, runs, RankingOptions(columns=names)).checksum() == rankings.checksum()


def test_side_by_side(tmp_path, rankings):
    file = write(tmp_path / "all.csv", ("segment", "item", "rank", *RUNS), ROWS)
    chosen = RankingOptions(columns=Columns(gold="rank"), run_columns=RUNS)
    assert from_files(file, options=chosen).checksum() == rankings.checksum()
    file = write(tmp_path / "gold_column.csv", ("segment", "item", "gold", *RUNS), ROWS)
    assert from_files(file).checksum() == rankings.checksum()
    assert from_files(file, options=RankingOptions(run_columns=("two",))).runs == ("two",)


def test_gold_alone(tmp_path):
    for column in ("rank", "gold"):
        alone = from_files(write(tmp_path / f"{column}.csv", ("segment", "item", column), rows_of("gold")))
        assert (alone.runs, alone.predicted.shape, len(alone.topics)) == ((), (0, 9), 3)


def test_runs_beside_gold_and_in_files(tmp_path, rankings):
    file = write(tmp_path / "all.csv", ("segment", "item", "gold", "one"), [row[:4] for row in ROWS])
    two = write(tmp_path / "two.csv", HEAD, rows_of("two"))
    assert from_files(file, [two], RankingOptions(run_columns=("one",))).checksum() == rankings.checksum()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames(rankings, library):
    def frame(run):
        columns = dict(zip(HEAD, zip(*rows_of(run, seed=1), strict=True), strict=True))
        columns = {name: list(values) for name, values in columns.items()}
        columns["rank"] = [None if rank == -1 else float(rank) for rank in columns["rank"]]
        table = pa.table(columns)
        made = {"pandas": table.to_pandas, "polars": lambda: pl.DataFrame(columns), "pyarrow": lambda: table}
        return duckdb.from_arrow(table) if library == "duckdb" else made[library]()

    assert from_frames(frame("gold"), {run: frame(run) for run in RUNS}).checksum() == rankings.checksum()


def test_a_frame_with_runs_beside_gold(rankings):
    frame = pd.DataFrame(ROWS, columns=["segment", "item", "gold", *RUNS])
    assert from_frames(frame).checksum() == rankings.checksum()


def test_a_frame_that_is_none():
    with pytest.raises(UsageError, match="gold is list, not a data frame"):
        from_frames([1, 2])


JCML = """<?xml version="1.0" encoding="utf-8"?>
<jcml>
  <judgedsentence id="7" segment_id="1" judge_id="ann" document_id="news">
    <src>x &lt; y</src>
    <tgt system="b" rank="2" score="0.5" len="1">text</tgt>
    <tgt system="a" rank="1" score="0.25" len="2"/>
  </judgedsentence>
  <judgedsentence id="7" segment_id="1" judge_id="ann" document_id="news"><tgt system="a" rank="-1" score=".5" len=""/>
    <tgt system="c" rank="1" score="1e-3" len="-1"/></judgedsentence>
  <judgedsentence id="8" segment_id="2" document_id="news"><tgt system="a" rank="1" score="3" len="2"/></judgedsentence>
</jcml>
"""


def test_jcml(tmp_path):
    """By hand from JCML: rankings of one judge on one segment stay apart; attributes are the columns."""
    file = tmp_path / "set.jcml"
    file.write_text(JCML, encoding="utf-8")
    found = from_files(file, options=RankingOptions(run_columns=("len",)))
    assert found.topics == ("1/ann#1", "1/ann#2", "2")
    assert found.sources == ("1", "1", "2")
    assert found.judges == ("ann", "ann", None)
    assert [found.item_names[code] for code in found.items] == ["a", "b", "a", "c", "a"]
    np.testing.assert_array_equal(found.gold, [1, 2, math.nan, 1, 1])
    np.testing.assert_array_equal(found.predicted, [[2, 1, math.nan, math.nan, 2]])
    scored = from_files(file, options=RankingOptions(run_columns=("score",), runs_are="scores"))
    np.testing.assert_array_equal(scored.predicted, [[2, 1, 1, 2, 1]])
    np.testing.assert_array_equal(scored.scores, [[0.25, 0.5, 0.5, 0.001, 3]])
    assert "len" in from_files(file).notes[0]
    assert from_files(file, options=RankingOptions(columns=Columns(segment="id"))).sources == ("7", "7", "8")


def test_jcml_in_another_order_and_compressed(tmp_path):
    import gzip

    first, *others, last = JCML.split("  <judgedsentence")
    *others, tail = [*others, last.removesuffix("</jcml>\n")]
    turned = first + "".join(f"  <judgedsentence{part}" for part in (tail, *others[::-1])) + "</jcml>\n"
    (tmp_path / "set.jcml").write_text(JCML, encoding="utf-8")
    (tmp_path / "turned.jcml.gz").write_bytes(gzip.compress(turned.encode()))
    how = RankingOptions(run_columns=("len",))
    assert (
        from_files(tmp_path / "turned.jcml.gz", options=how).checksum()
        == from_files(tmp_path / "set.jcml", options=how).checksum()
    )


def test_jcml_documents_that_share_segment_names(tmp_path):
    file = tmp_path / "set.jcml"
    file.write_text(JCML.replace('segment_id="2" document_id="news"', 'segment_id="1" document_id="sport"'), encoding="utf-8")
    found = from_files(file)
    assert found.sources == ("news/1", "news/1", "sport/1")
    assert "DOCUMENT/SEGMENT" in found.notes[0]


def test_jcml_attributes_that_only_some_have(tmp_path):
    file = tmp_path / "set.jcml"
    tgt = '<tgt system="{}" rank="1" {}="1"/>'
    sentence = '<jcml><judgedsentence id="1">' + tgt.format("a", "x") + tgt.format("b", "y") + "</judgedsentence></jcml>"
    file.write_text(sentence, encoding="utf-8")
    found = from_files(file, options=RankingOptions(run_columns=("x", "y"), missing="drop"))
    np.testing.assert_array_equal(found.predicted, [[1, math.nan], [math.nan, 1]])
    found = from_files(file, options=RankingOptions(run_columns=("x", "y"), missing="last"))
    np.testing.assert_array_equal(found.predicted, [[1, 2], [2, 1]])


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


def test_wmt_five_way(tmp_path):
    file = tmp_path / "wmt.csv"
    file.write_text(wmt([*FIVE, ("2", "ann", "abcde", (-1,) * 5), ("3", "ann", "aabbc", (1, 1, 2, 2, 3))], 5), encoding="utf-8")
    found = from_files(file)
    assert set(found.topics) == {"1/ann#1", "1/ann#2", "1/bob", "3/ann"}
    assert found.sizes.tolist() == [5, 5, 5, 3]
    by_topic = {
        topic: found.gold[a:b].tolist() for topic, (a, b) in zip(found.topics, itertools.pairwise(found.starts), strict=True)
    }
    assert sorted([by_topic["1/ann#1"], by_topic["1/ann#2"]]) == [[1, 2, 2, 3, 5], [5, 4, 3, 2, 1]]
    np.testing.assert_array_equal(by_topic["1/bob"], [5, 2, math.nan, 3, 1])
    assert by_topic["3/ann"] == [1, 2, 3]
    assert found.notes == (f"{file}: 1 ranking(s) without any rank left out",)
    assert (found.runs, found.predicted.shape) == ((), (0, 18))


def test_wmt_pairs_are_put_together_by_ranking(tmp_path):
    """The five-way rankings taken apart into pairs, as WMT has published them from 2014 on."""
    pairs = [
        (segment, judge, (items[i], items[j]), (ranks[i], ranks[j]), number)
        for number, (segment, judge, items, ranks) in enumerate(FIVE)
        for i, j in itertools.combinations(range(5), 2)
    ]
    random.Random(0).shuffle(pairs)  # noqa: S311
    (tmp_path / "five.csv").write_text(wmt(FIVE, 5), encoding="utf-8")
    (tmp_path / "pairs.csv").write_text(wmt(pairs, 2, ranking_id=True), encoding="utf-8")
    assert from_files(tmp_path / "pairs.csv").checksum() == from_files(tmp_path / "five.csv").checksum()
    (tmp_path / "alone.csv").write_text(wmt([pair[:4] for pair in pairs], 2), encoding="utf-8")
    alone = from_files(tmp_path / "alone.csv")
    assert alone.sizes.tolist() == [2] * 30
    assert "each row is a ranking of its own" in alone.notes[0]


def test_wmt_with_runs_that_score_every_system(tmp_path):
    (tmp_path / "wmt.csv").write_text(wmt([("1", "ann", "abc", (1, 2, 3)), ("2", "bob", "bcd", (1, 1, 2))], 3), encoding="utf-8")
    scores = {"a": 0.1, "b": 0.5, "c": 0.5, "d": 0.9}
    run = write(tmp_path / "run.csv", ("segment", "item", "score"), [(s, i, v) for s in "123" for i, v in scores.items()])
    found = from_files(tmp_path / "wmt.csv", [run])
    np.testing.assert_array_equal(found.predicted, [[3, 1, 1, 2, 2, 1]])
    assert found.notes == ("run: 6 row(s) on items that gold does not have left out",)


def test_wmt_with_other_columns_for_segments_and_judges(tmp_path):
    text = wmt(FIVE, 5).replace("srclang", "ranker").replace("trglang", "sentence")
    (tmp_path / "wmt.csv").write_text(text, encoding="utf-8")
    found = from_files(tmp_path / "wmt.csv", options=RankingOptions(columns=Columns(judge="ranker", segment="sentence")))
    assert (set(found.judges), set(found.sources)) == ({"French"}, {"English"})


def test_wmt_several_pairs_of_languages(tmp_path):
    other = wmt(FIVE[:1], 5, languages="German,English").splitlines()[1]
    (tmp_path / "wmt.csv").write_text(wmt(FIVE[:1], 5) + other + "\n", encoding="utf-8")
    assert from_files(tmp_path / "wmt.csv").sources == ("French-English/1", "German-English/1")


QRELS = "t1 0 d1 2\nt1 0 d2 0\nt1 0 d3 -1\nt2 0 d1 1\n"
TREC = "t1 Q0 d2 1 7.5 tag\nt1\tQ0\td9\t2\t7.5\ttag\nt1 Q0 d1 3 1e-1 tag\nt3 Q0 d1 1 1 tag\n"


def test_trec(tmp_path):
    """By hand: grades as scores, unjudged d9 as 0, d3's -1 as 0, d3 not retrieved, topic t2 not answered, t3 not asked."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "run.txt").write_text(TREC)
    found = from_files(tmp_path / "qrels.txt", [tmp_path / "run.txt"])
    assert found.topics == ("t1", "t2")
    assert [found.item_names[code] for code in found.items] == ["d1", "d2", "d3", "d9", "d1"]
    assert found.gold_scores.tolist() == [2, 0, 0, 0, 1]
    assert found.gold.tolist() == [1, 2, 2, 2, 1]
    nan = math.nan
    np.testing.assert_array_equal(found.scores, [[0.1, 7.5, nan, 7.5, nan]])
    np.testing.assert_array_equal(found.predicted, [[3, 1, nan, 1, nan]])
    assert any("trec_eval orders them by id" in note for note in found.notes)
    assert any("1 retrieved document(s) that nobody judged" in note for note in found.notes)
    asked = from_files(tmp_path / "qrels.txt", [tmp_path / "run.txt"], RankingOptions(format_in="trec", missing="last"))
    np.testing.assert_array_equal(asked.predicted, [[3, 1, 4, 1, 1]])


def test_scores_of_gold_and_runs_as_ranks(tmp_path):
    head = ("segment", "item", "score")
    gold = write(tmp_path / "gold.csv", head, [("s", "a", 70), ("s", "b", -1), ("s", "c", 70), ("s", "d", "")])
    run = write(tmp_path / "run.csv", head, [("s", "a", 0.9), ("s", "b", 0.8), ("s", "c", 0.7), ("s", "d", 5)])
    found = from_files(gold, [run])
    np.testing.assert_array_equal(found.gold, [1, 3, 1, math.nan])
    np.testing.assert_array_equal(found.gold_scores, [70, -1, 70, math.nan])
    assert found.predicted.tolist() == [[2, 3, 4, 1]]
    tied = from_files(gold, [run], RankingOptions(tie_epsilon=0.1))
    assert tied.predicted.tolist() == [[2, 2, 4, 1]]
    assert tied.scores.tolist() == found.scores.tolist() == [[0.9, 0.8, 0.7, 5]]
    assert dict(tied.settings) == {"tie_epsilon": "0.1"}
    tied = from_files(gold, [run], RankingOptions(gold_tie_epsilon=71))
    np.testing.assert_array_equal(tied.gold, [1, 1, 1, math.nan])


def test_a_run_with_ranks_and_scores(tmp_path):
    gold = write(tmp_path / "gold.csv", HEAD, [("s", "a", 1), ("s", "b", 2)])
    run = write(tmp_path / "run.csv", (*HEAD, "score"), [("s", "a", 1, 5), ("s", "b", 2, 5)])
    found = from_files(gold, [run])
    assert (found.predicted.tolist(), found.scores) == ([[1, 2]], None)
    assert found.notes == ("run: has 'rank' and 'score'; the ranks are read",)
    assert from_files(gold, [run], RankingOptions(runs_are="scores")).predicted.tolist() == [[1, 1]]


def naive_ranks(scores, epsilon):
    """The rule as it is written: from the top, a leader takes in all that is at most epsilon below it."""
    ranks, left = {}, sorted(range(len(scores)), key=lambda place: -scores[place])
    while left:
        group = [place for place in left if scores[left[0]] - scores[place] <= epsilon]
        ranks |= dict.fromkeys(group, len(scores) - len(left) + 1)
        left = left[len(group) :]
    return [ranks[place] for place in range(len(scores))]


# Sixteenths are exact in binary, so that the naive rule needs no tolerance.
@given(st.lists(st.lists(st.integers(-20, 20), min_size=1, max_size=7), min_size=1, max_size=6), st.integers(0, 8))
def test_ranks_of_scores_follow_the_rule(segments, epsilon):
    flat = np.array([score / 16 for segment in segments for score in segment])
    starts = np.append(0, np.cumsum([len(segment) for segment in segments]))
    expected = [rank for segment in segments for rank in naive_ranks([score / 16 for score in segment], epsilon / 16)]
    assert ranks_of_scores(flat, starts, epsilon / 16).tolist() == expected


def test_decimal_scores_that_differ_by_epsilon_tie():
    """.8 - .7 is a little more than .1 in binary."""
    assert 0.8 - 0.7 > 0.1
    assert ranks_of_scores(np.array([0.8, 0.7, np.nan]), np.array([0, 3]), 0.1).tolist()[:2] == [1, 1]


def test_missing_items(tmp_path):
    gold, one, two = long_files(tmp_path)
    write(one, HEAD, [row for row in rows_of("one") if row[:2] not in (("9", "a"), ("9", "b"), ("10", "b"))])
    dropped = from_files(gold, [one, two], RankingOptions(missing="drop"))
    nan = math.nan
    np.testing.assert_array_equal(dropped.predicted[0], [nan, nan, 3, 4, 2, nan, 3, 1, 1])
    assert dropped.notes == ("one: 2 missing item(s) not ranked",)  # gold does not rank b of segment 9
    last = from_files(gold, [one, two], RankingOptions(missing="last"))
    np.testing.assert_array_equal(last.predicted[0], [5, 5, 3, 4, 2, 4, 3, 1, 1])
    np.testing.assert_array_equal(last.predicted[1], [2.5, 2.5, 1, 4, 1, 1, 3, 1, 2])
    assert last.checksum() != dropped.checksum()


def test_extra_items(tmp_path, rankings):
    gold, one, two = long_files(tmp_path)
    write(one, HEAD, [*rows_of("one"), ("9", "z", 1), ("99", "a", 1)])
    found = from_files(gold, [one, two], RankingOptions(extra="ignore"))
    assert found.checksum() == rankings.checksum()
    assert found.notes == ("one: 2 row(s) on items that gold does not have left out",)


def test_long_tables_with_judges(tmp_path):
    head = ("segment", "judge", "item", "rank")
    rows = [("1", "ann", "a", 1), ("1", "ann", "b", 2), ("1", "bob", "b", 1), ("1", "bob", "c", 2), ("2", "", "a", 1)]
    gold = write(tmp_path / "gold.csv", head, rows)
    run = write(tmp_path / "run.csv", HEAD, [("1", "a", 3), ("1", "b", 2), ("1", "c", 1), ("2", "a", 1)])
    found = from_files(gold, [run])
    assert (found.topics, found.sources, found.judges) == (("1/ann", "1/bob", "2"), ("1", "1", "2"), ("ann", "bob", None))
    assert found.predicted.tolist() == [[3, 2, 2, 1, 1]]
    names, codes = found.source_codes()
    assert (names, codes.tolist()) == (("1", "2"), [0, 0, 1])


def ragged(lengths, runs=2, seed=0):
    draw = np.random.default_rng(seed)
    gold = [draw.integers(1, length + 1, length).astype(float).tolist() for length in lengths]
    return gold, {f"run{run}": [draw.permutation(ranking).tolist() for ranking in gold] for run in range(runs)}


@pytest.mark.parametrize("lengths", [[1], [5] * 40, [2, 3, 1, 5, 3, 2], [1100, 2, 7], list(range(1, 300, 3)) * 2])
def test_buckets_hold_every_segment_once(lengths):
    gold, runs = ragged(lengths)
    rankings = Rankings.of(gold, runs)
    seen, padding = [], 0
    for segments, gold_ranks, predicted in rankings.buckets():
        assert gold_ranks.shape == predicted.shape[1:] == (len(segments), gold_ranks.shape[1])
        for place, segment in enumerate(segments.tolist()):
            size = lengths[segment]
            assert gold_ranks[place, :size].tolist() == gold[segment]
            assert [run[place, :size].tolist() for run in predicted] == [rankings[segment] for rankings in runs.values()]
            assert np.isnan(gold_ranks[place, size:]).all()
            assert np.isnan(predicted[:, place, size:]).all()
            padding += gold_ranks.shape[1] - size
        seen += segments.tolist()
    assert sorted(seen) == list(range(len(lengths)))
    assert padding <= sum(lengths) / 4


def test_score_buckets_stand_beside_the_others(tmp_path):
    gold = write(tmp_path / "gold.csv", HEAD, [("s", "a", 1), ("s", "b", 2)])
    scored = write(tmp_path / "scored.csv", ("segment", "item", "score"), [("s", "a", 0.5), ("s", "b", 0.25)])
    ranked = write(tmp_path / "ranked.csv", HEAD, [("s", "a", 2), ("s", "b", 1)])
    (bucket,) = from_files(gold, [scored, ranked]).score_buckets()
    assert bucket.gold.tolist() == [[-1, -2]]
    assert bucket.predicted.tolist() == [[[0.5, 0.25]], [[-2, -1]]]


def test_rankings_that_do_not_fit_together():
    good = Rankings.of([[1, 2]], {"r": [[2, 1]]})
    facts = {field.name: getattr(good, field.name) for field in dataclasses.fields(good)}
    for name, value, error in [
        ("starts", np.array([0, 1]), UsageError),
        ("predicted", np.ones((2, 2)), UsageError),
        ("judges", (), UsageError),
        ("gold", np.array([0.0, 1.0]), DataError),
        ("predicted", np.array([[np.inf, 1.0]]), DataError),
        ("topics", (), DataError),
    ]:
        with pytest.raises(error, match="; "):
            Rankings(**facts | {name: value})
    with pytest.raises(UsageError, match="two segments are called 'x'"):
        Rankings.of([[1], [1]], {}, topics=["x", "x"])
    with pytest.raises(DataError, match="other lengths"):
        Rankings.of([[1, 2]], {"r": [[1]]})


def naive_agreement(rankings):
    """Every two rankings of one source, every two items that both rank."""
    counts = {"inter": [0, 0], "intra": [0, 0]}
    judged = []
    for place, (start, end) in enumerate(itertools.pairwise(rankings.starts)):
        ranks = {rankings.items[at]: rankings.gold[at] for at in range(start, end) if not math.isnan(rankings.gold[at])}
        if rankings.judges[place] is not None:
            judged.append((rankings.sources[place], rankings.judges[place], ranks))
    for (source, judge, ranks), (other_source, other, others) in itertools.combinations(judged, 2):
        if source != other_source:
            continue
        for a, b in itertools.combinations(sorted(ranks.keys() & others.keys()), 2):
            kind = counts["intra" if judge == other else "inter"]
            kind[0] += 1
            kind[1] += np.sign(ranks[a] - ranks[b]) == np.sign(others[a] - others[b])
    pairs = [np.sign(x - y) for *_, ranks in judged for x, y in itertools.combinations(ranks.values(), 2)]
    return counts, len(pairs), pairs.count(0)


def test_agreement_of_judges_equals_comparing_all(tmp_path):
    draw = random.Random(4)  # noqa: S311
    rows = [
        (
            str(draw.randint(1, 5)),
            draw.choice(["ann", "bob", "cyd", ""]),
            draw.sample("abcdef", 5),
            draw.choices([-1, 1, 2, 3], k=5),
        )
        for _ in range(60)
    ]
    (tmp_path / "wmt.csv").write_text(wmt(rows, 5), encoding="utf-8")
    rankings = from_files(tmp_path / "wmt.csv")
    found, (counts, judgements, ties) = judge_agreement(rankings), naive_agreement(rankings)
    assert [found.inter.compared, found.inter.agreed] == counts["inter"]
    assert [found.intra.compared, found.intra.agreed] == counts["intra"]
    assert (found.judgements, found.ties) == (judgements, ties)
    own = found.pairs[:, 0] == found.pairs[:, 1]
    assert (found.compared[own].sum(), found.agreed[~own].sum()) == (counts["intra"][0], counts["inter"][1])


def test_kappa_by_hand():
    """Two judges on one pair each of two segments, agreeing once, one judgement of four a tie: P(E) = 1/16 + 9/32."""
    from metameasure.evidence.judges import Agreement

    agreement = Agreement(2, 1, 0.25)
    assert agreement.expected == 11 / 32
    assert agreement.kappa == pytest.approx((1 / 2 - 11 / 32) / (21 / 32))
    assert math.isnan(Agreement(0, 0, 0.25).kappa)
    assert math.isnan(Agreement(3, 3, 1.0).kappa)


def test_no_judges_no_comparisons(rankings):
    found = judge_agreement(rankings)
    assert (found.inter.compared, found.intra.compared, found.judgements, len(found.pairs)) == (0, 0, 0, 0)


def pair_counts(rankings):
    """Concordant, discordant, tied by the human only, by the run only, by both; pairs that both rank."""
    counts = np.zeros(5, int)
    for _, gold, predicted in rankings.buckets():
        one, other = np.triu_indices(gold.shape[1], 1)
        human, run = np.sign(gold[:, one] - gold[:, other]), np.sign(predicted[0][:, one] - predicted[0][:, other])
        product = human * run
        kinds = [
            product > 0,
            product < 0,
            (human == 0) & (abs(run) == 1),
            (abs(human) == 1) & (run == 0),
            (human == 0) & (run == 0),
        ]
        counts += [int(kind.sum()) for kind in kinds]
    return counts.tolist()


@needs_data
def test_wmt13_with_the_scores_of_its_systems(tmp_path):
    """C, D and Th of effects.json, from the organisers' CSV and a file of scores by segment and system."""
    inputs = json.loads((DATA / "rankeval2013/wmt13_fr-en_inputs.json").read_text())
    wins = inputs["system_expected_wins"]
    human = from_files(WMT13)
    known = {
        (source, item)
        for source, (a, b) in zip(human.sources, itertools.pairwise(human.starts), strict=True)
        for item in human.items[a:b].tolist()
    }
    rows = [(s, human.item_names[i], wins.get(human.item_names[i].removeprefix("newstest2013.fr-en."), 0.5)) for s, i in known]
    run = write(tmp_path / "wins.csv", ("segment", "item", "score"), rows)
    rankings = from_files(WMT13, [run])
    assert len(rankings.topics) == 9996
    expected = json.loads((DATA / "rankeval2013/effects.json").read_text())["predicted"]["counts"]
    assert pair_counts(rankings) == [expected[kind] for kind in ("C", "D", "Th", "Tm", "Thm")]
    assert sorted(sorted(map(float, ranks)) for ranks in inputs["human"]) == sorted(
        sorted(rankings.gold[a:b].tolist()) for a, b in itertools.pairwise(rankings.starts)
    )
    agreement = judge_agreement(rankings)
    assert (agreement.judgements, agreement.ties) == (99960, expected["Th"])
    assert 0 < agreement.inter.kappa < agreement.intra.kappa < 1


@needs_data
@pytest.mark.parametrize(("run", "concordant", "others"), [("rank_len", 78, 72), ("rank_bucket", 54, 96), ("rank", 150, 0)])
def test_the_sample_of_rankeval(run, concordant, others):
    """cli.json: tau_concordant and tau_discordant (which counts predicted ties), tau_original_ties 20."""
    rankings = from_files(SAMPLE, options=RankingOptions(run_columns=(run,)))
    counts = pair_counts(rankings)
    assert (len(rankings.topics), counts[0], counts[1] + counts[3], counts[2] + counts[4]) == (17, concordant, others, 20)
