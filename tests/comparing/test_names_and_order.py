"""p-values depend neither on what runs, topics, items and clusters are called nor on the order in which they come, for every test
over every unit: what is drawn goes by the data. Tests of 0.2 that are asked for by name draw by names, and give its numbers."""

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.statistics.by_content import order_by_content, words_of

RUNS = ("first", "second", "third", "fourth")
TRIALS = 150


def renamed(names, seed):
    """Other names for the same things, in another order."""
    return dict(zip(names, np.random.default_rng(seed).permutation([f"{one:03}" for one in range(len(names))]), strict=True))


def p_by_pair(found):
    places = [(one, other) for one in range(len(found.runs)) for other in range(one)]
    return {frozenset((found.runs[one], found.runs[other])): found.p[one, other] for one, other in places}


def check_same_p(first, again, run_names):
    before, after = p_by_pair(first), p_by_pair(again)
    expected = {frozenset(run_names[run] for run in pair): p for pair, p in before.items()}
    assert after.keys() == expected.keys()
    for pair, p in expected.items():
        assert after[pair] == pytest.approx(p, abs=1e-12, nan_ok=True)


def matrix(values, topics, runs):
    return mm.ScoreMatrix("accuracy", tuple(topics), tuple(runs), values)


def scores_of_topics(seed=0, topics=20):
    """Two runs have the same scores on other topics: their means tie, and they cannot be told apart by their own scores."""
    rng = np.random.default_rng(seed)
    values = np.round(0.6 + rng.normal(0, 0.05, (topics, 1)) + rng.normal(0, 0.06, (topics, 4)) - np.linspace(0, 0.06, 4), 2)
    values[:, 1] = np.roll(values[:, 0], 1)
    return values


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"against": "second"},
        {"test": "stepwise", "draw_by": "data"},
        {"test": "tukey", "draw_by": "data"},
        {"test": "classical"},
        {"test": "permutation", "draw_by": "data"},
        {"test": "permutation", "correction": "maxt", "draw_by": "data"},
        {"test": "permutation", "against": "second", "draw_by": "data"},
        {"test": "bootstrap", "draw_by": "data"},
    ],
    ids=str,
)
def test_over_topics(settings):
    values = scores_of_topics()
    topics = [f"t{place}" for place in range(len(values))]
    first = mm.compare(matrix(values, topics, RUNS), trials=TRIALS, **settings)
    for seed in range(3):
        rng, called = np.random.default_rng(seed), renamed(RUNS, seed)
        rows, columns = rng.permutation(len(values)), rng.permutation(len(RUNS))
        more = settings | ({"against": called["second"]} if "against" in settings else {})
        moved = matrix(values[np.ix_(rows, columns)], renamed(topics, seed).values(), [called[RUNS[place]] for place in columns])
        check_same_p(first, mm.compare(moved, trials=TRIALS, **more), called)


@pytest.mark.parametrize("test", ["stepwise", "tukey", "permutation", "bootstrap"])
def test_named_tests_of_topics_do_not_depend_on_the_order_of_rows_and_runs(test):
    values, topics = scores_of_topics(), [f"t{place}" for place in range(20)]
    first = mm.compare(matrix(values, topics, RUNS), trials=TRIALS, test=test)
    assert first.draw_by == "names"
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(20), rng.permutation(4)
    moved = matrix(values[np.ix_(rows, columns)], [topics[row] for row in rows], [RUNS[column] for column in columns])
    check_same_p(first, mm.compare(moved, trials=TRIALS, test=test), {run: run for run in RUNS})


def labels_of_items(seed=0, items=60):
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 5, items)
    table = {"item": [f"i{place}" for place in range(items)], "gold": gold, "topic": [f"t{place % 4}" for place in range(items)]}
    table |= {"passage": [f"c{place // 3}" for place in range(items)], "heavy": rng.integers(1, 4, items)}
    for place, run in enumerate(RUNS):
        table[run] = np.where(rng.random(items) < 0.5 + 0.08 * place, gold, rng.integers(1, 5, items))
    return pd.DataFrame(table)


def moved_labels(table, seed):
    """The same data with rows and columns in another order and everything under another name."""
    called = renamed(RUNS, seed)
    moved = table.sample(frac=1, random_state=seed)
    for column in ("item", "topic", "passage"):
        moved[column] = moved[column].map(renamed(sorted(table[column].unique()), seed + 7))
    names = [called[run] for run in np.random.default_rng(seed).permutation(RUNS)]
    return moved.rename(columns=called)[["item", "gold", "topic", "passage", "heavy", *names]], called


def gold_and_runs(table):
    told = ["item", "topic", "passage", "heavy"]
    runs = {run: table[["item", "topic", run]].rename(columns={run: "label"}) for run in table.columns.drop([*told, "gold"])}
    return table[[*told, "gold"]].rename(columns={"gold": "label"}), runs


ITEMS = {"classes": "1..4", "trials": TRIALS}
CLUSTERS = {"columns": {"cluster": "passage"}}
WEIGHTS = {"columns": {"weight": "heavy"}}
POOLED = {"average": "pooled"}
FIXED = {"units": "items"}


@pytest.mark.each_time(3)
@pytest.mark.parametrize(
    "settings",
    [
        POOLED,
        POOLED | {"correction": "maxt"},
        POOLED | {"against": "second"},
        POOLED | {"test": "permutation", "draw_by": "data"},
        POOLED | {"test": "bootstrap", "draw_by": "data"},
        POOLED | WEIGHTS,
        POOLED | CLUSTERS,
        POOLED | CLUSTERS | {"correction": "maxt"},
        POOLED | CLUSTERS | {"test": "bootstrap", "draw_by": "data"},
        FIXED,
        FIXED | {"correction": "holm"},
        FIXED | CLUSTERS,
        FIXED | {"test": "bootstrap", "draw_by": "data"},
    ],
    ids=str,
)
def test_over_items_clusters_and_items_of_fixed_topics(settings):
    measure, table = "kappa_linear", labels_of_items()
    if CLUSTERS.items() <= settings.items():
        table["topic"] = [f"t{place // 15}" for place in range(len(table))]
    first = mm.compare(*gold_and_runs(table), measure, **ITEMS, **settings)
    moved, called = moved_labels(table, 1)
    more = settings | ({"against": called["second"]} if "against" in settings else {})
    again = mm.compare(*gold_and_runs(moved), measure, **ITEMS, **more)
    check_same_p(first, again, called)
    pair = [first.runs.index(run) for run in ("first", "third")]
    same = [again.runs.index(called[run]) for run in ("first", "third")]
    if settings.get("correction") != "maxt":
        assert again.difference_low[tuple(same)] == pytest.approx(first.difference_low[tuple(pair)], abs=1e-9, nan_ok=True)


def test_over_clusters_that_lie_in_several_fixed_topics():
    table = labels_of_items()
    first = mm.compare(*gold_and_runs(table), "mae_macro", **ITEMS, **FIXED, **CLUSTERS)
    moved, called = moved_labels(table, 3)
    check_same_p(first, mm.compare(*gold_and_runs(moved), "mae_macro", **ITEMS, **FIXED, **CLUSTERS), called)


def test_the_difference_of_two_runs():
    table = labels_of_items()
    moved, called = moved_labels(table, 4)
    first = mm.difference(*gold_and_runs(table), "kappa_linear", "first", "third", classes="1..4", trials=TRIALS)
    again = mm.difference(*gold_and_runs(moved), "kappa_linear", called["first"], called["third"], classes="1..4", trials=TRIALS)
    other = mm.difference(*gold_and_runs(moved), "kappa_linear", called["third"], called["first"], classes="1..4", trials=TRIALS)
    assert not first.exact
    assert first.p == again.p == other.p
    assert (again.low, again.high) == pytest.approx((first.low, first.high), abs=1e-12)


@pytest.mark.parametrize("measure", ["mutual_information@rank:corrected", "mutual_information@confidence:corrected", "cws", "ap"])
def test_over_items_of_an_order(measure):
    rng = np.random.default_rng(5)
    items, called = 40, renamed(RUNS, 5)
    gold = rng.choice(["YES", "UNKNOWN", "NO"], items)
    rows = []
    for run in RUNS:
        said = np.where(rng.random(items) < 0.6, gold, rng.choice(["YES", "UNKNOWN", "NO"], items))
        numbers = {"confidence": rng.integers(1, 9, items) / 8, "score": rng.integers(0, 9, items) / 8}
        rows.append(pd.DataFrame({"run": run, "item": [f"i{n}" for n in range(items)], "gold": gold, "label": said} | numbers))
    table = pd.concat(rows)
    moved = table.sample(frac=1, random_state=1)
    moved["run"] = moved["run"].map(called)
    moved["item"] = moved["item"].map(renamed([f"i{n}" for n in range(items)], 6))
    settings = {"task": "entailment", "trials": TRIALS, "positive": "YES", "neutral": "UNKNOWN", "negative": "NO"}
    check_same_p(mm.compare(table, None, measure, **settings), mm.compare(moved, None, measure, **settings), called)


def test_over_segments_of_pooled_rankings():
    rng, called = np.random.default_rng(6), renamed(RUNS, 6)
    rows = [
        {"segment": f"s{segment}", "item": item, "gold": place + 1} | {run: rng.integers(1, 4) for run in RUNS}
        for segment in range(25)
        for place, item in enumerate("xyz")
    ]
    table = pd.DataFrame(rows)
    moved = table.rename(columns=called)
    segments = renamed([f"s{n}" for n in range(25)], 7)
    moved["segment"] = moved["segment"].map(segments)
    moved = moved.sample(frac=1, random_state=2)
    settings = {"task": "ranking", "average": "pooled", "gold_are": "ranks", "runs_are": "ranks", "trials": TRIALS}
    check_same_p(mm.compare(table, None, "tau@wmt14", **settings), mm.compare(moved, None, "tau@wmt14", **settings), called)


@pytest.mark.parametrize("clusters", [False, True])
def test_between_judges(clusters):
    rng = np.random.default_rng(8)
    items, truth = [f"i{n}" for n in range(40)], rng.integers(1, 6, 40)
    people, judges = ["ann", "bob", "eve"], ["gpt", "llama", "qwen"]
    rows = [
        {"item": item, "annotator": who, "label": int(np.clip(label + rng.integers(-1, 2), 1, 5)), "passage": f"p{place // 4}"}
        for place, (item, label) in enumerate(zip(items, truth, strict=True))
        for who in (*people, *judges)
    ]
    table = pd.DataFrame(rows)
    called = renamed([*people, *judges], 9)
    moved = table.sample(frac=1, random_state=3)
    moved["annotator"] = moved["annotator"].map(called)
    moved["item"] = moved["item"].map(renamed(items, 10))
    moved["passage"] = moved["passage"].map(renamed(sorted(table["passage"].unique()), 11))
    settings = {"classes": "1..5", "trials": TRIALS, "measures": "kappa_linear"}
    settings |= {"columns": {"cluster": "passage"}} if clusters else {}
    first = mm.judge(table, among=judges, **settings)
    again = mm.judge(moved, among=[called[judge] for judge in judges], **settings)
    before = {frozenset((called[pair.first], called[pair.second])): pair.p for pair in first.pairs}
    assert {frozenset((pair.first, pair.second)): pytest.approx(pair.p, abs=1e-12) for pair in again.pairs} == before
    shuffled = {called[one.judge]: one.p for one in first.references if one.kind == "shuffled"}
    assert {one.judge: one.p for one in again.references if one.kind == "shuffled"} == shuffled


def test_an_order_by_content_is_that_of_what_stands_in_a_table():
    values = scores_of_topics(2)
    rng = np.random.default_rng(0)
    rows, columns = order_by_content(words_of(values))
    for _ in range(5):
        some, others = rng.permutation(values.shape[0]), rng.permutation(values.shape[1])
        moved = values[np.ix_(some, others)]
        again = order_by_content(words_of(moved))
        assert np.array_equal(moved[np.ix_(*again)], values[np.ix_(rows, columns)])


def ends_by_run(scores):
    low, high = scores.intervals.shown
    return {run: (low[:, place].tolist(), high[:, place].tolist()) for place, run in enumerate(scores.runs)}


def with_twins(runs):
    """The runs in another order and under other names, each twice."""
    return {f"{place}{run}": one for place in "21" for run, one in reversed(runs.items())}


@pytest.mark.each_time(1)
@pytest.mark.parametrize(
    "settings", [POOLED, POOLED | WEIGHTS, POOLED | CLUSTERS, FIXED, FIXED | WEIGHTS, FIXED | CLUSTERS], ids=str
)
def test_equal_runs_have_equal_intervals(settings):
    """Each of them is what it was before there were others; those of 0.2, which are named, are drawn for each run by its name."""
    gold, runs = gold_and_runs(labels_of_items().drop(columns=["second", "third"]))
    asked = {"measures": "kappa_linear,mae_macro", "classes": "1..4", "ci": True, "baselines": False, "trials": 200} | settings
    before, after = (ends_by_run(mm.evaluate(gold, some, **asked)) for some in (runs, with_twins(runs)))
    for run, ends in after.items():
        assert ends == before[run[1:]]
    compared = mm.compare(gold, with_twins(runs), "kappa_linear", **ITEMS, **settings)
    for run, low, high in zip(compared.runs, compared.low, compared.high, strict=True):
        twin = compared.runs.index(("1" if run[0] == "2" else "2") + run[1:])
        assert (low, high) == (compared.low[twin], compared.high[twin])
    if "units" not in settings:
        named = ends_by_run(mm.evaluate(gold, with_twins(runs), **asked, interval="bootstrap"))
        assert named["1first"] != named["2first"]


@pytest.mark.parametrize("measure", ["mutual_information@rank:corrected", "cws"])
def test_equal_runs_have_equal_intervals_by_measures_of_an_order(measure):
    rng, items = np.random.default_rng(5), 40
    gold, said = rng.choice(["YES", "NO"], (2, items))
    one = pd.DataFrame({"item": range(items), "gold": gold, "label": said, "confidence": rng.integers(1, 9, items) / 8})
    table = pd.concat([one.assign(run=run) for run in ("one", "two")])
    how = {"task": "entailment", "positive": "YES", "negative": "NO"}
    first, second = ends_by_run(mm.evaluate(table, None, measures=measure, ci=True, baselines=False, **how)).values()
    assert first == second
    compared = mm.compare(table, None, measure, **how)
    assert compared.low[0] == compared.low[1]
    assert np.isfinite(compared.low).all()
