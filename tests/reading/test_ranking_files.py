"""One set of rankings in every table it may come in, and what becomes of ties and of items that nobody or no run ranks."""

import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metameasure.core.errors import UsageError
from metameasure.evidence.score_ranks import ranks_of_scores
from metameasure.reading.options import Columns
from ranking_tables import HEAD, ROWS, RUNS, RankingOptions, from_files, long_files, read_long, rows_of, write

TABLES = "csv tsv jsonl parquet arrow csv.gz tsv.zst jsonl.gz csv+bom csv+crlf".split()  # noqa: SIM905


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

    assert from_files(frame("gold"), {run: frame(run) for run in RUNS}).checksum() == rankings.checksum()


@pytest.mark.parametrize("library", ["pandas", "polars", "lazy polars", "pyarrow", "duckdb"])
def test_a_frame_of_all_runs(rankings, library):
    rows = [(run, *row) for run in RUNS for row in rows_of(run, seed=2)]
    table = pa.table({name: [row[place] for row in rows] for place, name in enumerate(("run", *HEAD))})
    made = {"pandas": table.to_pandas, "duckdb": lambda: duckdb.from_arrow(table), "pyarrow": lambda: table}
    made |= {"polars": lambda: pl.from_arrow(table), "lazy polars": lambda: pl.from_arrow(table).lazy()}
    gold = pd.DataFrame(rows_of("gold"), columns=HEAD)
    assert from_files(gold, made[library]()).checksum() == rankings.checksum()


def test_runs_that_are_not_named():
    gold = pd.DataFrame(rows_of("gold"), columns=HEAD)
    with pytest.raises(UsageError, match="the runs are list, not data frames"):
        from_files(gold, [gold])
    with pytest.raises(UsageError, match="the frame of runs has no column 'run'"):
        from_files(gold, gold)
    with pytest.raises(UsageError, match="nothing in the column 'run'"):
        from_files(gold, gold.assign(run=[None, *["one"] * (len(gold) - 1)]))


def test_a_frame_with_runs_beside_gold(rankings):
    frame = pd.DataFrame(ROWS, columns=["segment", "item", "gold", *RUNS])
    assert from_files(frame).checksum() == rankings.checksum()


def test_a_frame_that_is_none():
    with pytest.raises(UsageError, match="gold cannot be of type list; pass a path, or a pandas"):
        from_files([1, 2])


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
    assert dropped.notes == ("one: 2 missing items not ranked",)  # gold does not rank b of segment 9
    last = from_files(gold, [one, two], RankingOptions(missing="last"))
    np.testing.assert_array_equal(last.predicted[0], [5, 5, 3, 4, 2, 4, 3, 1, 1])
    np.testing.assert_array_equal(last.predicted[1], [2.5, 2.5, 1, 4, 1, 1, 3, 1, 2])
    assert last.checksum() != dropped.checksum()


def test_extra_items(tmp_path, rankings):
    gold, one, two = long_files(tmp_path)
    write(one, HEAD, [*rows_of("one"), ("9", "z", 1), ("99", "a", 1)])
    found = from_files(gold, [one, two], RankingOptions(extra="ignore"))
    assert found.checksum() == rankings.checksum()
    assert found.notes == ("one: 2 rows on items that gold does not have left out",)


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
