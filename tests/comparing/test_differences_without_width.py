"""No interval of width 0 without a word, where runs are compared over topics; noisy runs are named with what they hide."""

import numpy as np
import pandas as pd
import pytest

import metameasure as mm


def field(columns):
    values = np.column_stack([*columns.values()])
    return mm.ScoreMatrix("accuracy", tuple(f"t{place:02}" for place in range(len(values))), tuple(columns), values)


def uneven(seed=0, topics=12, level=0.5, spread=0.1):
    return level + np.random.default_rng(seed).normal(0, spread, topics)


STEADY = {"a": uneven(1), "b": uneven(2), "ones": np.ones(12), "a more": uneven(1) + 0.05, "twin": uneven(1)}
APART = "the difference between a more and a, a more and twin, a and twin has no interval: it is the same on all topics"


@pytest.mark.parametrize("how", [{}, {"simultaneous": True}, {"test": "tukey", "trials": 50}])
def test_runs_and_differences_that_never_vary_have_no_interval_and_that_is_said(how):
    found = mm.compare(field(STEADY), **how)
    assert "accuracy has no interval for ones: all topics score alike, or the mean is an end of the range" in found.notes
    assert APART in found.notes
    first, second = found.runs.index("a"), found.runs.index("twin")
    assert np.isnan(found.difference_low[first, second])
    assert np.isnan(found.low[found.runs.index("ones")])


def test_the_bootstrap_of_an_earlier_version_has_width_0_and_that_is_said():
    found = mm.compare(field(STEADY), interval="bootstrap")
    assert (
        "accuracy has an interval of width 0 for ones: all topics score alike, or the mean is an end of the range" in found.notes
    )
    assert APART in found.notes


def test_of_planned_pairs_only_those_that_were_planned_are_named():
    notes = mm.compare(field(STEADY), against="a").notes
    assert "the difference between a more and a, a and twin has no interval: it is the same on all topics" in notes


def test_where_everything_varies_nothing_is_said():
    notes = mm.compare(field({run: uneven(seed) for seed, run in enumerate("abc")})).notes
    assert not any("no interval" in note for note in notes)


@pytest.mark.parametrize(
    ("wild", "said"),
    [(("wild",), "wild varies "), (("wild", "wilder"), "wilder and wild vary ")],
)
def test_noisy_runs_are_named_with_what_they_hide(wild, said):
    others = {run: uneven(seed, 20, 0.5 - 0.07 * seed, 0.05) for seed, run in enumerate("abcd")}
    noisy = {run: uneven(20 + place, 20, 0.45, 0.4) for place, run in enumerate(wild)}
    notes = [note for note in mm.compare(field(others | noisy)).notes if "times as much as the median run" in note]
    (note,) = notes
    assert note.startswith(said)
    quiet = mm.compare(field(others))
    hidden = int((quiet.p[np.triu_indices(4, 1)] < 0.05).sum())
    assert f"of their 6 pairs differ significantly, and {hidden} without " in note


@pytest.mark.parametrize("topics", [2, 3, 5])
def test_few_topics_have_no_intervals_that_hold_at_once(topics):
    """Of five topics' 32 patterns of signs the two most extreme are more than 5 %: they were shorter than single ones."""
    few = field({run: uneven(seed, topics) for seed, run in enumerate("abc")})
    with pytest.raises(
        mm.UsageError, match=f"{topics} topics, but a set of intervals that hold all at once takes at least"
    ) as refused:
        mm.compare(few, simultaneous=True)
    assert "use more topics" in str(refused.value)
    six = mm.compare(field({run: uneven(seed, 6) for seed, run in enumerate("abc")}), simultaneous=True)
    assert np.isfinite(six.difference_low[0, 1])


@pytest.mark.parametrize("simultaneous", [False, True])
def test_the_page_has_intervals_of_all_differences_at_once(tmp_path, simultaneous):
    scores = field({run: uneven(seed) for seed, run in enumerate("abc")})
    page = tmp_path / "page.html"
    made = mm.report(scores, None, page, simultaneous=simultaneous, trials=100)
    wanted = mm.compare(scores, simultaneous=simultaneous, trials=100)
    shown = page.read_text(encoding="utf-8")
    assert ("differences, simultaneous (for all pairs at once)" in shown) is simultaneous
    assert f"{wanted.difference_low[1, 0]:+.4f}" in shown
    assert ("simultaneous" in made.to_dict()["signature_parts"]) is simultaneous


@pytest.mark.parametrize("how", [{"units": "items"}, {}])
def test_a_page_over_items_has_none_at_once_and_is_not_written(tmp_path, how):
    page, rows = tmp_path / "page.html", 40
    gold, outputs = np.arange(rows) % 2, {run: np.arange(rows) % place for place, run in enumerate("ab", 2)}
    with pytest.raises(mm.UsageError, match="simultaneous=True is for scores over topics"):
        mm.report(gold, outputs, page, classes="0..2", simultaneous=True, **how)
    assert not page.exists()


def test_too_few_trials_are_not_blamed_on_the_topics():
    columns = {run: uneven(seed, 7, 0.2 + 0.3 * seed, 0.02) for seed, run in enumerate("abc")}
    few = "with 7 topics and 3 runs no neighbours can differ significantly (p = 0.091 at best): raise trials"
    found = mm.compare(field(columns), trials=10)
    assert any(note.startswith(few) for note in found.notes)
    assert "with 7 topics, 3 runs and 10 trials p is at least 0.091" in str(found)
    assert any("use more topics" in note for note in mm.compare(field({f"r{n}": uneven(n, 8) for n in range(20)})).notes)


def test_runs_of_which_none_has_an_interval_are_shown():
    gold = pd.DataFrame({"item": range(12), "label": list("ab" * 6), "cluster": list("111122223333")})
    runs = {name: pd.DataFrame({"item": range(12), "label": list(labels)}) for name, labels in (("x", "ab" * 6), ("y", "a" * 12))}
    shown = str(mm.compare(gold, runs, "accuracy", classes=["a", "b"], cluster_column="cluster"))
    assert "No difference could have been significant: with 3 clusters and 2 runs p is at least 0.25" in shown
