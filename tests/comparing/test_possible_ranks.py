"""Which ranks are real: values, both units, holes, ties, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import metameasure as mm
from metameasure.statistics.rank_sets import rank_sets

SCORES = {
    "A": [0.80, 0.72, 0.55, 0.90, 0.61, 0.77, 0.68, 0.83],
    "B": [0.78, 0.70, 0.50, 0.88, 0.62, 0.70, 0.66, 0.80],
    "C": [0.60, 0.66, 0.40, 0.75, 0.45, 0.58, 0.61, 0.70],
    "D": [0.55, 0.60, 0.42, 0.66, 0.47, 0.50, 0.55, 0.58],
    "E": [0.30, 0.41, 0.20, 0.52, 0.25, 0.33, 0.39, 0.36],
}


def matrix(scores=SCORES, measure="accuracy"):
    values = np.array(list(scores.values()), dtype=float).T
    return mm.ScoreMatrix(measure, [f"t{place}" for place in range(len(values))], list(scores), values)


@pytest.mark.parametrize(
    ("alpha", "sets", "first", "separated"),
    [
        (0.05, [(1, 1), (2, 2), (3, 4), (3, 4), (5, 5)], ["A"], 3),
        (0.01, [(1, 3), (1, 4), (1, 5), (2, 5), (3, 5)], ["A", "B", "C"], 0),
    ],
)
def test_the_published_values(alpha, sets, first, separated):
    found = mm.ranks(matrix(), alpha=alpha)
    assert list(found.possible_ranks().values()) == sets
    assert (found.may_be_first, found.separated_neighbours) == (first, separated)
    published = {0.038606: "AB", 0.012987: "AC BD CE", 0.007812: "AD AE BE", 0.019417: "BC DE", 0.076304: "CD"}
    for value, pairs in published.items():
        for one, other in pairs.split():
            assert found.comparison.p["ABCDE".index(one), "ABCDE".index(other)] == pytest.approx(value, abs=1e-6)


def test_the_row_of_validity_is_named_where_it_is_asked_for():
    asked, plain = (str(mm.ranks(matrix(), validity=validity)) for validity in (True, False))
    assert "Validity of the possible ranks: ranks/stepwise (" in asked
    assert "Validity" not in plain


def test_lower_is_better_turns_everything_around():
    errors = {run: [1 - one for one in values] for run, values in SCORES.items()}
    found = mm.ranks(matrix(errors, "mae"))
    assert found.possible_ranks() == mm.ranks(matrix()).possible_ranks()


def test_a_p_value_of_alpha_counts_and_one_without_any_does_not():
    p = np.array([[np.nan, 0.05, np.nan], [0.05, np.nan, 0.0500001], [np.nan, 0.0500001, np.nan]])
    low, high = rank_sets(p, np.array([3.0, 2.0, 1.0]), 0.05)
    assert (low.tolist(), high.tolist()) == ([1, 2, 1], [2, 3, 3])


def test_runs_that_tie_share_a_rank_and_do_not_beat_each_other():
    tied = mm.ranks(matrix({**SCORES, "F": SCORES["A"]}))
    assert tied.may_be_first == ["A", "F"]
    assert [row["rank"] for row in tied.to_dict()["runs"]][:3] == [1, 1, 3]
    assert "1=" in str(tied)


def test_holes_are_refused_or_left_out():
    holes = {**SCORES, "B": [*SCORES["B"][:-1], np.nan]}
    with pytest.raises(mm.DataError, match="'B' on 't7'"):
        mm.ranks(matrix(holes))
    shared = mm.ranks(matrix(holes), incomplete="drop-topics")
    assert shared.comparison.topics == 7
    assert any("left out: t7" in one for one in shared.notes)
    without = mm.ranks(matrix(holes), incomplete="drop-runs")
    assert without.runs == ("A", "C", "D", "E")
    assert next(iter(without.possible_ranks().values())) == (1, 1)


def test_too_few_topics_leave_every_rank_possible():
    few = mm.ranks(matrix({run: values[:5] for run, values in SCORES.items()}))
    assert {*few.possible_ranks().values()} == {(1, 5)}
    assert few.in_words()[0].startswith("No difference was tested: with 5 topics")


def test_a_single_pair_is_no_matter_of_ranks():
    steady = {"A": np.linspace(0, 1, 20), "B": np.linspace(0, 1, 20) + 0.05, "C": np.linspace(1, 0, 20) ** 2}
    assert any("plan the pair" in one for one in mm.compare(matrix(steady)).notes)
    assert not any("plan the pair" in one for one in mm.ranks(matrix(steady)).notes)


def labels(tasks=8, each=60):
    """Runs that differ clearly item by item, each with tasks that suit it."""
    rng = np.random.default_rng(1)
    gold = rng.integers(1, 4, tasks * each)
    suits = {"large": 0.80, "medium": 0.74, "small": 0.62}
    right = {run: np.repeat(np.clip(share + rng.normal(0, 0.07, tasks), 0, 1), each) for run, share in suits.items()}
    answers = {run: np.where(rng.random(len(gold)) < share, gold, gold % 3 + 1) for run, share in right.items()}
    topic = np.repeat([f"task {number}" for number in range(tasks)], each)
    return pd.DataFrame({"item": range(len(gold)), "topic": topic, "gold": gold, **answers})


HOW = {"classes": "1..3", "run_columns": ["large", "medium", "small"], "trials": 499}


def test_both_units_where_there_are_both():
    table = labels()
    both = mm.ranks(table, None, "accuracy", **HOW)
    told = both.to_dict()
    assert (told["units"], told["other_units"]["units"]) == ("topics", "items")
    for units, part in (("topics", told), ("items", told["other_units"])):
        alone = mm.ranks(table, None, "accuracy", units=units, **HOW)
        assert alone.other is None
        assert [one["possible_ranks"] for one in part["runs"]] == [list(one) for one in alone.possible_ranks().values()]
        compared = mm.compare(table, None, "accuracy", units=units, **HOW)
        np.testing.assert_array_equal(compared.p, alone.comparison.p)
    assert "by items" in str(both)
    assert mm.ranks(labels(tasks=4), None, "accuracy", **HOW).to_dict()["units"] == "items"
    assert mm.ranks(table, None, "accuracy", **HOW, test="tukey").other is None


def test_evaluate_has_the_same_ranks():
    table = labels()
    scores = mm.evaluate(table, classes="1..3", run_columns=HOW["run_columns"], measures="accuracy,kappa", possible_ranks=True)
    expected = mm.ranks(table, None, "accuracy", units="topics", classes="1..3", run_columns=HOW["run_columns"])
    found = {run["run"]: tuple(run["possible_ranks"]) for run in scores.to_dict()["runs"]}
    assert found == expected.possible_ranks()
    assert "may be" in str(scores)
    assert scores.full_table().columns[2:4] == ("first rank", "last rank")
    assert "possible_ranks" not in mm.evaluate(table, classes="1..3", run_columns=HOW["run_columns"]).to_dict()["runs"][0]


def test_the_command(run, tmp_path):
    file = tmp_path / "scores.csv"
    pd.DataFrame({"topic": [f"t{place}" for place in range(8)], **SCORES}).to_csv(file, index=False)
    status, out, _ = run("ranks", file, "--better", "higher", "--format", "json", "--chart", tmp_path / "ranks.svg")
    told = json.loads(out)
    assert status == 0
    assert [one["possible_ranks"] for one in told["runs"]] == [[1, 1], [2, 2], [3, 4], [3, 4], [5, 5]]
    assert (told["may_be_first"], told["separated_neighbours"], told["alpha"], told["units"]) == (["A"], 3, 0.05, "topics")
    assert {one["kind"] for one in told["findings"]} >= {"may be first", "separated"}
    assert (tmp_path / "ranks.svg").exists()
    rows = run("ranks", file, "--better", "higher", "--format", "csv")[1].splitlines()
    assert rows[0] == "run,score,rank,first,last"
    assert rows[3].endswith(",3,3,4")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "it is not known which scores are better"),
        (["--better", "higher", "--correction", "bh"], "--correction cannot be 'bh'; choose holm or maxt"),
        (["--better", "higher", "--alpha", "2"], "--alpha cannot be 2.0; give a number between 0 and 1"),
        (["--better", "higher", "--leave-out", "Z"], "there is no run 'Z'"),
        (["--better", "higher", "--units", "items"], "scores have no items"),
        (["--measures", "accuracy,kappa", "--better", "higher"], "one measure"),
    ],
)
def test_what_is_refused(run, tmp_path, options, said):
    file = tmp_path / "scores.csv"
    pd.DataFrame({"topic": [f"t{place}" for place in range(8)], **SCORES}).to_csv(file, index=False)
    status, _, err = run("ranks", file, *options)
    assert status == 2
    assert said in err


@pytest.mark.parametrize(("runs", "shown"), [(40, 40), (84, 42)])
def test_a_chart_has_a_line_for_every_run_that_a_page_has_room_for(runs, shown):
    rng = np.random.default_rng(0)
    many = mm.ranks(matrix({f"model {number:02d}": rng.random(10) + number / 40 for number in range(runs)}))
    figure = many.chart()
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert labels == list(many.runs[:shown])
    lines, (bottom, top) = figure.axes[0].collections[0], sorted(figure.axes[0].get_ylim())
    assert lines.get_clip_on()
    assert sum(bottom < line[0, 1] < top for line in lines.get_segments()) == shown
    said = " ".join(text.get_text().replace("\n", " ") for text in figure.findobj(Text))
    assert (f"The first {shown} of {runs}: a page has no room for more." in said) == (shown < runs)


def test_the_page_says_which_ranks_are_real():
    page = str(mm.report(matrix(), trials=300).html)
    assert "Which ranks by accuracy are real" in page
    assert "A is first: it beats every other run significantly." in page


def test_no_correction_that_holds_for_single_pairs_only():
    with pytest.raises(mm.UsageError, match="correction cannot be 'none'; choose holm or maxt"):
        mm.ranks(matrix(), test="permutation", correction="none")
