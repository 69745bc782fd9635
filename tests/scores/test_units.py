"""What is a sample of what: topics, or items within topics that are fixed. Intervals, tests, letters and the page agree on it,
and nothing is called insignificant that could not have been significant."""

import itertools
import json
import math

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.core.validity import METHODS, Case, limits
from metameasure.statistics.mean_intervals import t_interval, within_topics

SHARES = ((8, 10), (9, 10), (5, 10), (7, 8))
ENDS = (0.638022, 0.899478)


def test_the_interval_of_a_mean_over_fixed_topics():
    """Two draws that have the variance of resampled shares."""
    sizes = np.array([size for _, size in SHARES])
    share = np.array([right / size for right, size in SHARES])
    reach = np.sqrt(share * (1 - share) / sizes)
    spread = within_topics(np.stack([share - reach, share + reach]), sizes)
    assert spread.error == pytest.approx(0.066699, abs=5e-7)
    assert t_interval(share.mean(), spread.error, math.inf, 0.95, (0, 1)) == pytest.approx(ENDS, abs=5e-7)


def topics_of(shares, repeat=1):
    """Items with the labels of gold and of a run that has so many of each topic right."""
    rows = [
        (f"t{topic}-{again}", "a", "a" if item < right else "b")
        for again in range(repeat)
        for topic, (right, size) in enumerate(shares)
        for item in range(size)
    ]
    topic, gold, run = zip(*rows, strict=True)
    return pl.DataFrame({"item": range(len(rows)), "topic": topic, "gold": gold, "run": run})


def asked(frame, **options):
    return mm.evaluate(frame, classes="a,b", measures="accuracy", ci=True, **options)


def test_fixed_topics_through_the_interface():
    scores = asked(topics_of(SHARES), units="items", trials=20000)
    told = scores.to_dict()
    assert told["runs"][0]["scores"]["accuracy"] == pytest.approx(0.768750)
    assert told["runs"][0]["intervals"]["accuracy"]["items"] == pytest.approx(ENDS, abs=0.003)
    assert told["units"] == "items"
    assert told["validity"]["accuracy"]["items"] == "interval/fixed-topics/normal"
    assert scores.notes[0].startswith("the 4 topics are fixed, and the items within each are a sample")


@pytest.mark.parametrize(("repeat", "units"), [(1, "items"), (2, "topics")])
def test_from_six_topics_on_they_are_the_sample(repeat, units):
    scores = asked(topics_of(SHARES, repeat))
    assert scores.to_dict()["units"] == units
    assert {*scores.to_dict()["runs"][0]["intervals"]["accuracy"]} == {"topics", "items"}
    asked_for = asked(topics_of(SHARES, repeat), units=units)
    assert scores.render("json") == asked_for.render("json")


def test_a_topic_of_one_item_says_nothing_about_others():
    frame = topics_of((*SHARES, (1, 1)))
    with pytest.raises(mm.DataError, match="topic 't4-0' has one item, which says nothing about others there"):
        asked(frame, units="items")
    assert asked(frame).to_dict()["units"] == "topics"


@pytest.mark.parametrize("units", ["topic", "clusters", ""])
def test_units_that_are_none(units):
    with pytest.raises(mm.UsageError, match=f"units cannot be '{units}'; choose topics or items"):
        asked(topics_of(SHARES), units=units)
    with pytest.raises(mm.UsageError, match=f"units cannot be '{units}'; choose topics or items"):
        mm.compare(matrix(np.zeros((3, 2))), units=units)


def test_one_test_set_has_no_topics_to_be_a_sample(run, tmp_path):
    frame = topics_of(SHARES)
    with pytest.raises(mm.UsageError, match="there is one topic, so that topics are no sample"):
        asked(frame.drop("topic"), units="topics")
    with pytest.raises(mm.UsageError, match="all topics are taken as one"):
        asked(frame, units="topics", average="pooled")
    file = tmp_path / "gold.csv"
    frame.drop("topic").with_columns(other=pl.col("run").reverse()).write_csv(file)
    status, _, err = run("compare", file, "--classes", "a,b", "--measures", "accuracy", "--units", "topics")
    assert (status, "there is one topic" in err) == (2, True)


def test_rankings_and_distributions_have_no_items():
    ranked = pl.DataFrame({"segment": [1, 1, 2, 2], "item": list("abab"), "gold": [1, 2, 1, 2], "x": [1, 2, 2, 1]})
    with pytest.raises(mm.UsageError, match="ranking has no items that could be drawn within a segment"):
        mm.evaluate(ranked, task="ranking", ci=True, units="items")


def test_credible_intervals_over_several_topics_are_refused(run, tmp_path):
    with pytest.raises(mm.UsageError, match="credible intervals are of one test set"):
        asked(topics_of(SHARES), interval="bayes")
    assert asked(topics_of(SHARES), interval="bayes", average="pooled").to_dict()["validity"] == {
        "accuracy": {"items": "interval/bayes/items"}
    }
    file = tmp_path / "both.csv"
    topics_of(SHARES).write_csv(file)
    status, _, err = run("evaluate", file, "--classes", "a,b", "--measures", "accuracy", "--interval", "bayes")
    assert (status, "choose --interval auto" in err) == (2, True)


@pytest.mark.parametrize("units", ["topics", "items"])
def test_no_interval_of_width_0_without_a_word(units):
    perfect = topics_of(((5, 5), (6, 6), (4, 4)))
    assert any("accuracy has no interval for run: all" in note for note in asked(perfect, units=units).notes)
    old = asked(perfect, units=units, interval="bootstrap")
    assert any("accuracy has an interval of width 0 for run" in note for note in old.notes)


def test_old_intervals_warn_where_they_fail():
    few = asked(topics_of(SHARES), interval="bootstrap").notes
    assert any("fewer than 30 topics, bootstrap intervals are too short" in note for note in few)
    many = asked(topics_of(SHARES, 8), interval="bootstrap").notes
    assert not any("too short" in note for note in many)
    few = asked(topics_of(SHARES).drop("topic"), interval="bootstrap").notes
    assert any("fewer than 100 items, bootstrap intervals are too short" in note for note in few)


def matrix(values, names=None, topics=None):
    values = np.asarray(values, dtype=float)
    names = names or [f"run{place}" for place in range(values.shape[1])]
    return mm.ScoreMatrix("accuracy", tuple(topics or (f"t{n:02}" for n in range(len(values)))), tuple(names), values)


def labels(topics=3, items=40, runs=3, seed=0, clusters=False):
    """Runs of unequal accuracy on items in topics, or in clusters within them."""
    rng = np.random.default_rng(seed)
    number = topics * items
    gold = rng.integers(1, 4, number)
    columns = {"item": np.arange(number), "topic": [f"t{n // items}" for n in range(number)], "gold": gold}
    if clusters:
        columns["cluster"] = [f"c{n // 4}" for n in range(number)]
    for run in range(runs):
        right = rng.random(number) < 0.85 - 0.15 * run
        columns[f"r{run}"] = np.where(right, gold, gold % 3 + 1)
    return pl.DataFrame(columns)


def compared(frame, measure="accuracy", names=None, **options):
    names = names or [name for name in frame.columns if name.startswith("r")]
    return mm.compare(frame, None, measure, classes="1..3", run_columns=names, **options)


def by_pair(found, called=None):
    names = [run if called is None else called[run] for run in found.runs]
    return {frozenset((names[i], names[j])): found.p[i, j] for i, j in itertools.combinations(range(len(names)), 2)}


@pytest.mark.parametrize("clusters", [False, True])
def test_items_are_swapped_within_topics(clusters):
    """All ways of swapping, by hand: the mean over topics of each topic's kappa."""
    frame = labels(2, 8 if clusters else 4, 2, seed=3, clusters=clusters)
    found = compared(frame, "kappa", units="items", **({"columns": {"cluster": "cluster"}} if clusters else {}))
    gold, first, second = (frame[name].to_numpy() for name in ("gold", "r0", "r1"))
    topic = frame["topic"].to_numpy()
    unit = frame["cluster" if clusters else "item"].cast(pl.String).to_numpy()
    units = np.unique(unit)

    def gap(one, other):
        scores = [[mm.score(gold[topic == t], run[topic == t], "kappa", classes="1..3") for t in np.unique(topic)]
                  for run in (one, other)]  # fmt: skip
        return np.mean(scores[0]) - np.mean(scores[1])

    observed, reached = abs(gap(first, second)), []
    for coins in itertools.product((False, True), repeat=len(units)):
        swapped = np.isin(unit, units[list(coins)])
        drawn = gap(np.where(swapped, second, first), np.where(swapped, first, second))
        reached.append(not abs(drawn) < observed - 1e-12)
    assert found.exact
    assert found.units == ("clusters" if clusters else "items")
    assert found.p[0, 1] == pytest.approx(np.mean(reached), abs=1e-12)


@pytest.mark.each_time(1)
@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize("correction", [None, "holm"])
def test_p_values_over_fixed_topics_depend_neither_on_names_nor_on_order(clusters, correction):
    frame = labels(4, 20, 4, clusters=clusters)
    columns = {"columns": {"cluster": "cluster"}} if clusters else {}
    first = by_pair(compared(frame, units="items", trials=300, correction=correction, **columns))
    rng = np.random.default_rng(5)
    for _ in range(3):
        names, topics = rng.permutation(list("vwxy")).tolist(), rng.permutation(list("klmn")).tolist()
        called = {f"r{place}": name for place, name in enumerate(names)}
        other = frame.rename(called).with_columns(
            topic=pl.col("topic").replace(dict(zip(["t0", "t1", "t2", "t3"], topics, strict=True)))
        )
        other = other[rng.permutation(len(other))].with_columns(item=pl.Series(rng.permutation(len(other))))
        order = rng.permutation(names).tolist()
        found = compared(other, names=order, units="items", trials=300, correction=correction, **columns)
        back = {name: run for run, name in called.items()}
        assert by_pair(found, back) == pytest.approx(first, abs=1e-12 if correction is None else 0.08)


@pytest.mark.parametrize("test", ["stepwise", "tukey", "classical", "permutation", "bootstrap", None])
@pytest.mark.parametrize("against", [None, "a"])
def test_p_values_over_topics_do_not_depend_on_the_order_of_rows(test, against):
    rng = np.random.default_rng(2)
    values = rng.normal(0.5, 0.1, (15, 4))
    topics = [f"t{n:02}" for n in range(15)]
    first = by_pair(mm.compare(matrix(values, list("abcd"), topics), test=test, against=against, trials=300))
    rows, columns = rng.permutation(15), rng.permutation(4)
    again = matrix(values[rows][:, columns], [list("abcd")[place] for place in columns], [topics[row] for row in rows])
    assert by_pair(mm.compare(again, test=test, against=against, trials=300)) == pytest.approx(first, nan_ok=True)
    renamed = matrix(values, list("abcd"), rng.permutation(topics).tolist())
    drawn = by_pair(mm.compare(renamed, test=test, against=against, trials=30000))
    many = by_pair(mm.compare(matrix(values, list("abcd"), topics), test=test, against=against, trials=30000))
    assert drawn == pytest.approx(many, abs=0.05, nan_ok=True)


def test_fewer_than_six_topics_are_compared_by_their_items():
    frame = labels()
    found = compared(frame)
    assert found.render("json") == compared(frame, units="items").render("json")
    assert (found.units, found.correction) == ("items", "maxt")
    assert found.validity == {
        "p": "test/fixed-topics/swap-max-t",
        "interval": "interval/fixed-topics/normal",
        "difference": "interval/difference/fixed-topics",
    }
    assert compared(labels(6, 20)).units == "topics"


def test_asked_for_few_topics_have_no_p_values_and_say_why():
    found = compared(labels(), units="topics")
    told = found.to_dict()
    assert {value for row in told["p"] for value in row if value != 1} == {None}
    assert told["untested"].startswith("with 3 topics a sign-flip test gives no p-value below 0.25")
    assert told["letters"] == ["", "", ""]
    assert len(told["sentences"]) == 2
    assert "significant" not in found.sentences()[1]
    assert "do not differ" not in str(found)
    assert len(found.to_frame()) == 3
    assert mm.compare(matrix(np.random.default_rng(0).normal(size=(5, 3)))).untested
    named = mm.compare(matrix(np.random.default_rng(0).normal(size=(5, 3))), test="stepwise")
    assert not np.isnan(named.p).any()
    assert "No difference could have been significant: with 5 topics and 3 runs p is at least 0.062." in named.sentences()


def test_nothing_is_insignificant_that_could_not_have_been_significant():
    values = np.random.default_rng(0).normal(size=(8, 20)) + np.r_[np.zeros(10), np.full(10, 9.0)]
    said = str(mm.compare(matrix(values)))
    assert "no neighbours can differ significantly (p = 0.075 at best)" in said
    assert "do not differ significantly" not in said
    assert "is not statistically significant" not in said


def test_intervals_of_a_run_are_the_same_wherever_they_are_shown():
    """In evaluate and compare, over topics, over fixed topics, over clusters and of one test set."""
    ways = [
        (labels(6, 20), {}),
        (labels(), {}),
        (labels(clusters=True), {"columns": {"cluster": "cluster"}}),
        (labels(1, 60), {}),
        (labels(1, 60, clusters=True), {"columns": {"cluster": "cluster"}}),
    ]
    for frame, how in ways:
        scores = mm.evaluate(frame, classes="1..3", measures="kappa", run_columns=["r0", "r1", "r2"], ci=True, **how)
        found = compared(frame, "kappa", **how)
        places = [scores.runs.index(run) for run in found.runs]
        low, high = scores.intervals.shown
        np.testing.assert_allclose(found.low, low[0, places], atol=1e-12)
        np.testing.assert_allclose(found.high, high[0, places], atol=1e-12)
        assert scores.validity()["kappa"][scores.to_dict()["units"]] == found.validity["interval"]


def test_differences_over_clusters_are_those_of_the_definitions():
    items = "112 111 221 222|332 331 222|121 223 333|223 223|332 111 112 222|323 232"
    rows = [(cluster, *map(int, item)) for cluster, own in enumerate(items.split("|")) for item in own.split()]
    cluster, gold, first, second = zip(*rows, strict=True)
    frame = pl.DataFrame({"item": range(len(rows)), "cluster": map(str, cluster), "gold": gold, "r0": first, "r1": second})
    found = compared(frame, columns={"cluster": "cluster"})
    assert (found.difference_low[0, 1], found.difference_high[0, 1]) == pytest.approx((-0.195858, 0.862524), abs=5e-7)
    assert found.low == pytest.approx((0.326736, 0.275604), abs=5e-7)


def test_clusters_that_lie_in_several_topics_are_drawn_whole():
    """Passages translated into three languages: the topics vary together, and the interval is wider."""
    frame = labels(3, 40, 2).with_columns(cluster=pl.Series([f"p{n % 40}" for n in range(120)]))
    frame = frame.with_columns(r0=pl.Series(np.tile(frame["r0"].to_numpy()[:40] == frame["gold"].to_numpy()[:40], 3)))
    frame = frame.with_columns(r0=pl.when(pl.col("r0")).then("gold").otherwise(pl.col("gold") % 3 + 1))
    wide, narrow = (
        mm.evaluate(frame, classes="1..3", measures="accuracy", run_columns=["r0", "r1"], ci=True, units="items", **how)
        for how in ({"columns": {"cluster": "cluster"}}, {})
    )
    width = [float(np.subtract(*scores.intervals.shown[::-1])[0, 0]) for scores in (wide, narrow)]
    assert width[0] > 1.5 * width[1]


def test_the_page_does_not_deny_what_compare_finds(run, tmp_path):
    """Three tasks as three topics, with clusters."""
    frame = labels(3, 60, 3, clusters=True)
    file = tmp_path / "all.csv"
    frame.write_csv(file)
    asked_for = ("--classes", "1..3", "--run-columns", "r0,r1,r2", "--cluster-column", "cluster")
    told = json.loads(run("compare", file, "--measures", "accuracy", *asked_for, "--format", "json")[1])
    page = tmp_path / "page.html"
    status, out, err = run("report", file, "--measures", "accuracy", *asked_for, "--trials", "500", "-o", page)
    assert status == 0, err
    assert told["p"][0][2] < 0.05
    assert "significantly" in out
    assert "no two runs differ" not in page.read_text()
    assert "the clusters within each are a sample" in page.read_text()
    status, out, err = run(
        "report", file, "--measures", "accuracy", *asked_for, "--units", "topics", "--trials", "100", "-o", page
    )
    assert status == 0, err
    assert "No difference was tested: with 3 topics" in out
    assert "do not differ significantly" not in page.read_text()


def test_letters_of_evaluate_are_those_of_compare():
    frame = labels()
    scores = mm.evaluate(frame, classes="1..3", measures="accuracy", run_columns=["r0", "r1", "r2"], groups=True)
    found = compared(frame)
    assert scores.to_dict()["groups"]["tests"] == {"accuracy": found.tested()}
    assert scores.groups.letters["accuracy"] == dict(zip(found.runs, found.letters(), strict=True))
    without = mm.evaluate(frame, classes="1..3", measures="accuracy", run_columns=["r0", "r1", "r2"], groups=True, units="topics")
    assert without.groups.letters == {}
    assert any(note.startswith("accuracy has no letters. No difference was tested") for note in without.notes)


def test_against_one_run_is_holm_over_sign_flips():
    values = np.random.default_rng(4).normal(0.5, 0.1, (10, 4)) + np.array([0.2, 0.1, 0, 0])
    found = mm.compare(matrix(values, list("abcd")), against="d", trials=20000)
    place = found.runs.index("d")
    signs = np.array(list(itertools.product((-1, 1), repeat=10)))
    exact = {}
    for run in "abc":
        gaps = values[:, "abcd".index(run)] - values[:, 3]
        exact[run] = float(np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9))
    ordered = sorted(exact, key=exact.get)
    holm = np.maximum.accumulate([exact[run] * (3 - rank) for rank, run in enumerate(ordered)]).clip(max=1)
    for run, p in zip(ordered, holm, strict=True):
        assert found.p[found.runs.index(run), place] == pytest.approx(p, abs=0.015)
    assert (found.test, found.correction, found.validity["p"]) == ("permutation", "holm", "test/against-holm")
    assert math.isnan(found.p[found.runs.index("a"), found.runs.index("b")])


def test_several_measures_are_not_corrected_for_each_other_unless_asked():
    frame = labels(1, 80, 2)
    plain = compared(frame, ["accuracy", "kappa", "mae"])
    note = "the p-values are corrected for the pairs of runs, not for the 3 measures (correction_across='measures')"
    assert all(note in part.notes for part in plain.parts)
    assert "not for the 3 measures (correction_across='measures')" in str(plain)
    across = compared(frame, ["accuracy", "kappa", "mae"], correction_across="measures")
    p = np.array([part.p[0, 1] for part in plain.parts])
    order = np.argsort(p, kind="stable")
    holm = np.empty(3)
    holm[order] = np.maximum.accumulate(p[order] * np.array([3, 2, 1])).clip(max=1)
    assert [part.p[0, 1] for part in across.parts] == pytest.approx(holm, abs=1e-12)
    assert across.to_dict()["correction_across"] == "measures"
    with pytest.raises(mm.UsageError, match="correction_across cannot be 'runs'; choose measures"):
        compared(frame, ["accuracy", "kappa"], correction_across="runs")


def test_across_measures_of_many_pairs_a_measure_passes_on_its_share_when_all_its_pairs_are_found():
    clear = np.random.default_rng(0).normal(0, 0.01, (20, 3)) + np.array([0.9, 0.5, 0.1])
    noisy = np.random.default_rng(1).normal(0.5, 0.1, (20, 3)) + np.array([0.08, 0.0, 0.0])
    scores = [mm.ScoreMatrix(name, tuple(map(str, range(20))), tuple("abc"), values)
              for name, values in (("accuracy", clear), ("kappa", noisy))]  # fmt: skip
    plain, across = (mm.compare(scores, ["accuracy", "kappa"], correction_across=one) for one in (None, "measures"))
    np.testing.assert_allclose(across["accuracy"].p[0, 1], 2 * plain["accuracy"].p[0, 1])
    upper = np.triu_indices(3, 1)
    np.testing.assert_allclose(across["kappa"].p[upper], np.maximum(plain["kappa"].p[upper], across["accuracy"].p[upper].max()))


@pytest.mark.parametrize(("measure", "said"), [("f1_macro", True), ("accuracy", False), ("cem_ord", False)])
def test_what_swaps_test_is_said(measure, said):
    notes = compared(labels(1, 60), measure).notes
    assert any("more than equal scores" in note for note in notes) is said


@pytest.mark.thorough
def test_every_result_names_the_methods_behind_it(run, tmp_path):
    file = tmp_path / "all.csv"
    labels(6, 20).write_csv(file)
    asked_for = ("--classes", "1..3", "--run-columns", "r0,r1,r2", "--measures", "accuracy")
    for more in ((), ("--units", "items"), ("--average", "pooled"), ("--test", "permutation"), ("--interval", "bootstrap")):
        told = json.loads(run("compare", file, *asked_for, *more, "--format", "json")[1])
        assert {*told["validity"].values()} <= {*METHODS}, more
        out = run("compare", file, *asked_for, *more, "--validity")[1]
        assert all(method in out for method in told["validity"].values())
        assert "alidity of" not in run("compare", file, *asked_for, *more)[1]
    for more in ((), ("--units", "items"), ("--average", "pooled"), ("--interval", "bootstrap")):
        told = json.loads(run("evaluate", file, *asked_for, "--ci", *more, "--format", "json")[1])
        assert {*told["validity"]["accuracy"].values()} <= {*METHODS}, more
        assert "Validity of the intervals: interval/" in run("evaluate", file, *asked_for, "--ci", *more, "--validity")[1]


def test_limits_are_printed_with_results_outside_the_band():
    """Each method that has a limit says it where it applies, and only there."""
    outside = {
        "interval/topics/t": (Case(topics=50, skewness=2), Case(topics=12, skewness=0.5), Case(topics=100, skewness=2)),
        "interval/bootstrap/topics": (Case(topics=50, skewness=2), Case(topics=50, skewness=0.5), Case(topics=100, skewness=2)),
        "interval/bootstrap/segments": (Case(topics=10), Case(topics=20)),
        "interval/difference/unadjusted": (Case(topics=12, rare=True), Case(topics=12), Case(topics=40, rare=True)),
        "interval/agreement/bootstrap": (Case(items=300, rarest=4), Case(items=300, rarest=40)),
        "interval/agreement/gwet": (Case(items=30, rarest=15), Case(items=300, rarest=40)),
        "interval/agreement/auto": (None, Case(items=30, rarest=2)),
        "interval/topics/logit-t": (Case(topics=12, rare=True), Case(topics=12), Case(topics=40, rare=True)),
        "interval/items/both": (Case(items=300, rarest=5), Case(items=300), Case(items=300, rarest=15)),
        "interval/clusters/jackknife": (Case(clusters=5.5862), Case(clusters=40)),
        "interval/fixed-topics/normal": (
            Case(fewest_items=10, mean_of_items=False),
            Case(fewest_items=10),
            Case(fewest_items=30, mean_of_items=False),
        ),
        "interval/bootstrap/clusters": (Case(), ),
        "interval/bayes/items": (Case(items=300, rarest=5), Case(items=300), Case(items=300, rarest=15)),
        "test/items/swap": (Case(mean_of_items=False), Case()),
        "test/stepwise": (Case(topics=10, rare=True), Case(topics=10), Case(topics=50, rare=True),
                          Case(topics=10, runs=4, skewness_of_differences=2)),
        "test/bootstrap": (Case(topics=30), Case(topics=50)),
        "test/tukey": (Case(topics=30, unequal=5), Case(topics=30, unequal=3)),
    }  # fmt: skip
    for method, (where, *elsewhere) in outside.items():
        assert where is None or len(limits(method, where)) == 1, method
        assert not any(limits(method, case) for case in elsewhere), method
    few = mm.evaluate(labels(3, 10), classes="1..3", measures="kappa,mae_macro", run_columns=["r0", "r1", "r2"], ci=True).notes
    assert any(note.startswith("kappa: with fewer than 20 items a topic") for note in few)
    assert any(note.startswith("mae_macro: where classes are rare in a topic") for note in few)


def test_questions_about_measures_say_what_cannot_be_found(run, tmp_path):
    file = tmp_path / "scores.csv"
    rows = [f"accuracy,t{n},{run},{value}" for n, row in enumerate(np.random.default_rng(0).random((4, 2)))
            for run, value in zip("ab", row, strict=True)]  # fmt: skip
    file.write_text("\n".join(["measure,topic,run,score", *rows]) + "\n")
    out = run("meta", "discrimination", file)[1]
    assert "With 4 topics and 2 runs no two runs can differ significantly (p = 0.12 at best)" in out
    told = json.loads(run("meta", "discrimination", file, "--test", "stepwise", "--format", "json")[1])
    assert any("no two runs can differ" in note for note in told["notes"])
    status, _, err = run("compare", file, "--units", "items")
    assert (status, "scores have no items to compare over" in err) == (2, True)


def of_many_tasks():
    """Two runs on a handful of items, by a measure of each kind that is compared over items."""
    rng = np.random.default_rng(4)
    gold, first, second = rng.integers(1, 3, (3, 30))
    beliefs = {run: np.stack([1.1 - said / 2, said / 2 - 0.1], axis=1) for run, said in (("a", first), ("b", second))}
    right = {"item": range(30), "a": (first == gold).astype(float), "b": (second == gold).astype(float)}
    orders = pl.concat(
        pl.DataFrame({"item": range(30), "gold": gold, "label": said, "confidence": rng.random(30), "run": run})
        for run, said in (("a", first), ("b", second))
    )
    yield "outcomes", (pl.DataFrame(right), None), None, {"better": "higher"}
    yield "outcomes", (pl.DataFrame(right).with_columns(a=rng.random(30)), None), None, {"better": "higher"}
    yield "probabilities", (gold, beliefs), "brier", {"classes": "1..2"}
    yield "entailment", (orders, None), "cws", {"positive": "1", "negative": "2"}
    yield "classification", (gold, {"a": first, "b": second}), "accuracy", {"classes": "1..2", "interval": "bootstrap"}


@pytest.mark.each_time(1)
@pytest.mark.parametrize("case", [*of_many_tasks()], ids=lambda case: f"{case[0]} {case[2]}")
def test_what_is_a_sample_is_said_once_of_every_task_over_items(case):
    task, data, measure, how = case
    said = "the items are a sample of items: intervals and tests are about other items like these"
    plain = {name: value for name, value in how.items() if name != "interval"}
    for found in (mm.compare(*data, measure, task=task, **how), mm.ranks(*data, measure, task=task, **plain)):
        assert [one["text"] for one in found.to_dict()["findings"] if one["kind"] == "sample"] == [said]


def test_with_few_items_the_limits_of_intervals_are_said_by_compare_too():
    """As ``evaluate`` says them: a run has one interval."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"item": range(40), "a": rng.integers(0, 2, 40) * 1.0, "b": rng.integers(0, 2, 40) * 1.0})
    how = {"task": "outcomes", "better": "higher"}
    limited = [
        {one["text"] for one in found.to_dict()["findings"] if one["kind"] == "limit"}
        for found in (mm.evaluate(frame, **how, ci=True), mm.compare(frame, **how))
    ]
    assert (
        limited[0]
        == limited[1]
        == {"with fewer than 100 items, 95% intervals cover 90% to 97%, depending on the measure and the classes"}
    )


def in_clusters(sizes):
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(2)
    gold, first, second = rng.integers(1, 3, (3, len(cluster)))
    return pl.DataFrame({"item": range(len(cluster)), "passage": cluster, "gold": gold, "first": first, "second": second})


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([3, 4, 2, 1, 4, 4], "the 6 clusters, which are worth 5.2 equal-sized ones, are a sample of clusters"),
        ([3] * 6, "the 6 clusters are a sample of clusters"),
    ],
)
def test_clusters_are_counted_and_weighed_wherever_they_are_a_sample(run, tmp_path, sizes, said):
    """(sum m)^2 / sum m^2 = 18^2 / 62; the page says it once, below its leaderboard."""
    path = tmp_path / "table.csv"
    in_clusters(sizes).write_csv(path)
    how = ["--classes", "1..2", "--cluster-column", "passage", "--run-columns", "first,second"]
    calls = ("evaluate --ci", "compare", "ranks", "gate --margin .1 --baseline first --candidate second")
    for call in calls:
        name, *more = call.split()
        _, out, _ = run(name, path, *how, "--measures", "accuracy", *more)
        assert out.count(f"{said[0].upper()}{said[1:]}: intervals and tests are about other clusters like these.") == 1
    page = mm.report(str(path), classes="1..2", columns={"cluster": "passage"}, run_columns=["first", "second"], trials=200).html
    below = page[page.index('<h2 id="leaderboard">') : page.index('<h2 id="runs">')]
    assert page.count(said[1:]) == below.count(said[1:]) == 1
