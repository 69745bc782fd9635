"""Repeats of the same items: the best, the worst and how often two of them score the same."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import metameasure as mm

NAMES = "best_of,worst_of,consistency"


def drawn(seed=0, *, graded=True, items=30, runs=2):
    """Up to four outputs of each item; some of them without a score."""
    rng = np.random.default_rng(seed)
    rows = [
        (run, item, repeat, rng.integers(0, 5) / 4 if graded else float(rng.integers(0, 2)))
        for run in "abc"[:runs]
        for item in range(items)
        for repeat in range(rng.integers(2, 5))
    ]
    return pd.DataFrame(rows, columns=["run", "item", "repeat", "score"])


def naive(rows):
    """Item by item, pair by pair."""
    each = [own["score"].tolist() for _, own in rows.groupby("item")]
    agree = [[one == other for one, other in itertools.combinations(own, 2)] for own in each]
    return {
        "best_of": np.mean([max(own) for own in each]),
        "worst_of": np.mean([min(own) for own in each]),
        "consistency": np.mean([sum(own) / max(1, len(own)) for own in agree]),
    }


def test_intervals_end_where_the_scores_do():
    rows = pd.DataFrame(
        [
            (run, item, repeat, float(own[repeat]))
            for run in "ab"
            for item, own in enumerate(("01", "10", "11", "00"))
            for repeat in (0, 1)
        ],
        columns=["run", "item", "repeat", "score"],
    )
    told = mm.evaluate(rows, task="outcomes", measures="best_of,worst_of", ci=True).to_dict()["runs"][0]["intervals"]
    assert told["best_of"]["items"] == pytest.approx([0, 1])
    assert told["worst_of"]["items"] == pytest.approx([0, 1])
    assert list(mm.compare(rows, None, "best_of", task="outcomes").high) == [1, 1]


@pytest.mark.parametrize("graded", [True, False])
def test_as_item_by_item(graded):
    rows = drawn(graded=graded)
    scores = mm.evaluate(rows, task="outcomes", measures=NAMES)
    for run in "ab":
        assert scores[run] == pytest.approx(naive(rows[rows.run == run]), abs=1e-12)


def test_worst_of_k_is_the_share_of_ways_to_choose_them():
    """pass^k as tau-bench has it, all choices of three outputs listed."""
    passed = [0, 1, 3, 10, 5, 0, 10, 2]
    ways = [
        np.mean([all(chosen) for chosen in itertools.combinations([place < some for place in range(10)], 3)]) for some in passed
    ]
    assert float(mm.measures["pass_all@3"](passed, [10] * 8)) == pytest.approx(np.mean(ways), abs=1e-12)
    assert float(mm.measures["pass_all@1"](passed, [10] * 8)) == pytest.approx(float(mm.measures["pass@1"](passed, [10] * 8)))


def test_the_interval_of_pass_at_k_is_over_items():
    """definitions of pass@k: t over items, cut at 1."""
    rows = [(item, repeat, int(repeat < some)) for item, some in enumerate([0, 1, 3, 10, 5, 0, 10, 2]) for repeat in range(10)]
    scores = mm.evaluate(
        pd.DataFrame(rows, columns=["item", "repeat", "score"]).assign(run="a"), task="outcomes", measures="pass@5", ci=True
    )
    low, high = (float(end[0, 0]) for end in scores.intervals.shown)
    assert (low, high) == (pytest.approx(0.285815, abs=1e-6), 1.0)


def test_intervals_and_tests_take_the_item_as_the_unit():
    rows = drawn(items=40)
    own = {run: rows[rows.run == run].groupby("item")["score"].max() for run in "ab"}
    scores = mm.evaluate(rows, task="outcomes", measures="best_of", ci=True)
    reach = 2.0226909 * own["a"].std(ddof=1) / np.sqrt(40)  # t of 39 degrees of freedom
    place = scores.runs.index("a")
    assert float(scores.intervals.shown[0][0, place]) == pytest.approx(own["a"].mean() - reach, abs=1e-6)
    compared = mm.compare(rows, None, "best_of", task="outcomes")
    assert compared.to_dict()["units"] == "items"
    assert compared.to_dict()["means"] == pytest.approx(sorted((one.mean() for one in own.values()), reverse=True))


def test_what_is_missing_may_count_as_0():
    rows = pd.DataFrame(
        [
            ("a", 1, 1, 0.5),
            ("a", 1, 2, None),
            ("a", 2, 1, 0.0),
            ("a", 2, 2, None),
            ("b", 1, 1, 1),
            ("b", 2, 1, 1),
            ("b", 3, 1, 1),
        ],
        columns=["run", "item", "repeat", "score"],
    )
    with pytest.warns(mm.MetameasureWarning, match="consistency of b"):
        zero = mm.evaluate(rows, task="outcomes", measures=NAMES, missing="zero")["a"]
    # Item 1 scores 0.5 and 0, item 2 twice 0, and item 3, which has no output, twice 0.
    assert zero == pytest.approx({"best_of": 0.5 / 3, "worst_of": 0, "consistency": 2 / 3})
    with pytest.raises(mm.UsageError, match="the least and the greatest score by consistency are not known"):
        mm.evaluate(rows, task="outcomes", measures="consistency", missing="bounds")


def test_parts_are_merged_to_the_whole(tmp_path):
    """Also where one part has passes and failures only, and the other grades without repeats."""
    several, graded = drawn(graded=False, items=6, runs=1), drawn(items=6, runs=1)
    graded = graded[graded["repeat"] == 0].assign(item=graded["item"] + 6)
    for first, second in ((several, graded), (graded, several)):
        paths = [tmp_path / "first.npz", tmp_path / "second.npz"]
        for path, part in zip(paths, (first, second), strict=True):
            mm.count(part, task="outcomes").save(path)
        merged, whole = mm.merge(paths), mm.count(pd.concat([first, second]), task="outcomes")
        assert merged.checksum() == whole.checksum()
        merged.save(tmp_path / "merged.npz")
        assert mm.evaluate(tmp_path / "merged.npz", measures="best_of")["a"] == pytest.approx(
            {"best_of": naive(pd.concat([first, second]))["best_of"]}
        )


def test_of_several_measures_one_is_named(tmp_path, run):
    rows = pd.concat([drawn().assign(measure="loose"), drawn(1).assign(measure="strict")])
    path = tmp_path / "outcomes.csv"
    rows.to_csv(path, index=False)
    named = mm.evaluate(path, task="outcomes", measures="consistency@of=strict")["a"]
    alone = rows[(rows.measure == "strict") & (rows.run == "a")]
    assert named == pytest.approx({"consistency@of=strict": naive(alone)["consistency"]})
    status, _, errors = run("evaluate", str(path), "--measures", "consistency", "--better", "higher")
    assert (status, "write consistency@of=loose, as there are loose and strict" in errors) == (2, True)


def test_one_output_tells_nothing_of_consistency():
    rows = drawn().query("repeat == 0")
    with pytest.warns(mm.MetameasureWarning, match="consistency of"):
        scores = mm.evaluate(rows, task="outcomes", measures="mean,best_of,consistency")
    assert np.isnan(scores["a"]["consistency"])
    assert scores["a"]["best_of"] == scores["a"]["mean"]
    assert any("an item has one output only" in note for note in scores.notes)


def test_the_best_of_losses_is_not_the_highest():
    rows = drawn().assign(measure="loss")
    with pytest.raises(mm.UsageError, match="the lower scores of loss are the better ones"):
        mm.evaluate(rows, task="outcomes", measures="best_of")
