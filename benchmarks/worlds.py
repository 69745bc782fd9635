"""What the ledger simulates: worlds in which the truth is known, and how each method is asked through the public interface.

Scores of topics reach ``evaluate`` as distributions over two classes: the variation distance of (1 - x, x) from (1, 0) is x, so
that any score from 0 to 1 can be one of a topic. The relative absolute error has no upper end, and takes any score from 0 up.
"""

from __future__ import annotations

import csv
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from ledger import Hits

import metameasure as mm
from metameasure.statistics.across import by_ranks, standardised
from metameasure.statistics.power import field_topics

SHARED = Path(__file__).parents[2] / "shared" / "data"
ALPHA = 0.05
DRAWS = 500
"""Resamples of an interval."""
SWAPS = 200
"""Of a test. With 199 no p-value lies between .045 and .05, and p < .05 would be a test at .045."""
CLUSTER = 5
LARGE = 400_000
"""Items of which the true value of a measure is taken."""
Draw = Callable[..., Any]


def names(number: int, letter: str = "r") -> tuple[str, ...]:
    return tuple(f"{letter}{place:04d}" for place in range(number))


def held(low: Any, high: Any, truth: Any) -> Any:
    """1 where an interval holds the truth, 0 where not, NaN where there is none."""
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    return np.where(np.isnan(low) | np.isnan(high), np.nan, (low - 1e-9 <= truth) & (truth <= high + 1e-9))


# Means over topics.

SMALLEST_SHARE = 1e-3


def as_distributions(scores: Any, measure: str) -> tuple[Any, dict[str, Any]]:
    """Gold and runs (runs, topics) whose scores by the measure are these."""
    if measure == "nvd":
        base, step = 0.0, 1.0
    else:
        base, step = SMALLEST_SHARE, 2 / (1 / SMALLEST_SHARE + 1 / (1 - SMALLEST_SHARE))
    share = base + step * scores
    gold = np.tile([1 - base, base], (scores.shape[1], 1))
    return gold, {run: np.stack([1 - one, one], axis=1) for run, one in zip(names(len(scores)), share, strict=True)}


def over_topics(draw: Draw, topics: int, truth: Any = None, measure: str = "nvd") -> Callable[..., Hits]:
    """Every data set is a run of one evaluation: intervals of means over topics do not look at other runs."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        drawn = draw(rng, number, topics)
        scores, true = drawn if isinstance(drawn, tuple) else (drawn, truth)
        gold, runs = as_distributions(scores, measure)
        how = {"task": "quantification", "classes": "a,b", "measures": measure, "baselines": False, "trials": DRAWS}
        method = "interval/topics/logit-t" if measure == "nvd" else "interval/topics/t"
        made = {
            (method, ""): mm.evaluate(gold, runs, interval="auto", **how),
            ("interval/bootstrap/topics", ""): mm.evaluate(gold, runs, interval="bootstrap", **how),
        }
        return {key: held(one.intervals.topics[0][0], one.intervals.topics[1][0], true) for key, one in made.items()}

    return hits


def beta(a: float, b: float) -> Draw:
    return lambda rng, number, topics: rng.beta(a, b, (number, topics))


def easy_and_hard(rng, number, topics):
    """Three topics of ten are easy, the others hard."""
    return np.where(rng.random((number, topics)) < 0.3, rng.beta(8, 2, (number, topics)), rng.beta(2, 8, (number, topics)))


def shares(items: int, a: float, b: float) -> Draw:
    return lambda rng, number, topics: rng.binomial(items, rng.beta(a, b, (number, topics))) / items


def rare_hits(rng, number, topics):
    return (rng.random((number, topics)) < 0.05).astype(float)


def lognormal(rng, number, topics):
    return np.minimum(rng.lognormal(0, 1, (number, topics)), 400)


def gamma(rng, number, topics):
    return rng.gamma(2, 1, (number, topics))


def shifted_normal(rng, number, topics):
    return 50 + rng.normal(0, 5, (number, topics))


def shifted_t(rng, number, topics):
    return 100 + np.clip(rng.standard_t(3, (number, topics)), -90, 90)


def from_pool(pool: Callable[[], Any]) -> Draw:
    """Topics of a run of a real matrix, drawn with replacement; the truth is the run's mean over all of them."""

    def draw(rng, number, topics):
        scores = pool()
        run = rng.integers(0, scores.shape[1], number)
        return scores[rng.integers(0, len(scores), (number, topics)), run[:, None]], scores.mean(axis=0)[run]

    return draw


# One test set: labels of items.


def labels_of(shares_of_gold: Sequence[float], says: Any) -> Draw:
    """Gold by these shares, and outputs by the row of gold's class."""
    gold_shares, rows = np.array(shares_of_gold), np.cumsum(np.array(says, dtype=float), axis=1)

    def draw(rng, items):
        gold = rng.choice(len(gold_shares), items, p=gold_shares)
        return gold, (rng.random(items)[:, None] > rows[gold]).sum(axis=1).clip(0, rows.shape[1] - 1)

    return draw


def neighbours(classes: int, right: float) -> Any:
    """Right with this chance, otherwise one or two classes off."""
    apart = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes)))
    wrong = np.where((apart == 1) | (apart == 2), 1.0 / np.maximum(apart, 1), 0.0)
    return right * np.eye(classes) + (1 - right) * wrong / wrong.sum(axis=1, keepdims=True)


def of_a_real_run(rng, items):
    """Items of the SICK entailment task with the labels of one of its runs, drawn with replacement."""
    gold, runs = sick_labels()
    chosen = rng.integers(0, len(gold), items)
    return gold[chosen], runs[3][chosen]


ORDERED = "accuracy,kappa_linear,mae_macro,cem_ord,f1_macro,macro_recall"
NOMINAL = "accuracy,kappa,f1_macro,macro_recall,mcc"


def over_items(
    draw: Draw, items: int, classes: int, measures: str, kinds: Sequence[str] = ("auto", "bootstrap", "bayes"), **how: Any
):
    """Each data set is an evaluation of its own, for gold is drawn anew too."""
    methods = {"auto": "interval/items/both", "bootstrap": "interval/bootstrap/items", "bayes": "interval/bayes/items"}
    scale = f"0..{classes - 1}"
    each = measures.split(",")

    @cache
    def truth() -> Any:
        gold, output = draw(np.random.default_rng(1), LARGE)
        made = mm.evaluate(gold, {"run": output}, classes=scale, measures=measures, baselines=False, **how)
        return np.array([*made["run"].values()])

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(methods[kind], id): np.full(number, np.nan) for kind in kinds for id in each}
        for place in range(number):
            gold, output = draw(rng, items)
            for kind in kinds:
                made = mm.evaluate(
                    gold,
                    {"run": output},
                    classes=scale,
                    measures=measures,
                    interval=kind,
                    trials=DRAWS,
                    seed=place,
                    baselines=False,
                    **how,
                )
                for id, one in zip(each, held(*(end[:, 0] for end in made.intervals.items), truth()), strict=True):
                    found[methods[kind], id][place] = one
        return found

    return hits


def mutual_information(draw: Draw, items: int, classes: int, **how: Any) -> Callable[..., Hits]:
    """The corrected value, whose truth is that of the plain one in very many items."""
    scale, id = f"0..{classes - 1}", "mutual_information@corrected"

    @cache
    def truth() -> float:
        gold, output = draw(np.random.default_rng(1), 20 * LARGE)
        return mm.evaluate(gold, {"run": output}, classes=scale, measures="mutual_information", **how)["run"][
            "mutual_information"
        ]

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = np.full(number, np.nan)
        for place in range(number):
            gold, output = draw(rng, items)
            made = mm.evaluate(
                gold, {"run": output}, classes=scale, measures=id, interval="auto", trials=DRAWS, seed=place, baselines=False,
                **how,
            )  # fmt: skip
            found[place] = held(*(end[0, 0] for end in made.intervals.items), truth())
        return {("interval/items/normal", id): found}

    return hits


WEIGHTED = ("mutual_information@rank:corrected", "mutual_information@confidence:corrected")
_JUDGED = {"task": "entailment", "positive": "0", "neutral": "1", "negative": "2"}


def sure_ones(knows: float, sure: bool) -> Draw:
    """Three labels of which so many are known, the rest guessed, with confidences; ``sure``: they tell how far."""

    def draw(rng, items, runs, gold=None):
        gold = rng.choice(3, items, p=[0.5, 0.3, 0.2]) if gold is None else gold
        confidence = rng.random((runs, items))
        known = rng.random((runs, items)) < (2 * knows * confidence if sure else knows)
        return gold, np.where(known, gold, rng.integers(0, 3, (runs, items))), confidence

    return draw


def constant_and_guesses(rng, items, runs):
    """A run that always says the same, and runs that guess: none knows anything."""
    gold, outputs, confidence = sure_ones(0.0, sure=False)(rng, items, runs)
    outputs[0] = 0
    return gold, outputs, confidence


def weighted_information(draw: Draw, items: int, *, runs: int = 2) -> Callable[..., Hits]:
    """Information that is corrected for chance, of items that runs weigh: its interval, whose truth is the value in very many
    items, and two equal runs compared."""

    def given(gold: Any, outputs: Any, confidence: Any) -> tuple[Any, Any, Any]:
        each = names(len(outputs))
        matrices = {"matrices": {"confidence": dict(zip(each, confidence, strict=True))}}
        return gold, dict(zip(each, outputs, strict=True)), _JUDGED | matrices

    @cache
    def truth() -> Any:
        gold, outputs, how = given(*draw(np.random.default_rng(1), LARGE, runs))
        made = mm.evaluate(gold, outputs, measures=",".join(WEIGHTED), baselines=False, **how)
        ids = [measure.id for measure in made.measures]
        return np.maximum(0, made.averages()[[ids.index(id) for id in WEIGHTED], -1])

    def hits(rng: np.random.Generator, number: int) -> Hits:
        methods = ("interval/items/normal", "test/items/swap", "interval/difference/normal")
        found = {(method, id): np.full(number, np.nan) for method in methods for id in WEIGHTED}
        for place in range(number):
            gold, outputs, how = given(*draw(rng, items, runs))
            made = mm.compare(gold, outputs, list(WEIGHTED), trials=SWAPS, seed=place, **how)
            for row, (id, one) in enumerate(zip(WEIGHTED, made.parts, strict=True)):
                run = one.runs.index(names(runs)[-1])
                found["interval/items/normal", id][place] = held(one.low[run], one.high[run], truth()[row])
                found["test/items/swap", id][place] = one.p[0, 1] < ALPHA
                found["interval/difference/normal", id][place] = held(one.difference_low[0, 1], one.difference_high[0, 1], 0.0)
        return found

    return hits


def in_clusters(sizes: Sequence[int], within: float, right: float, classes: int = 3) -> Draw:
    """Outputs that are right together: each cluster has a chance of its own."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)

    def draw(rng, copies=1):
        each = np.concatenate([cluster + copy * len(sizes) for copy in range(copies)])
        spread = rng.beta(right * (1 - within) / within, (1 - right) * (1 - within) / within, int(each[-1]) + 1)
        gold = rng.integers(0, classes, len(each))
        wrong = (gold + rng.integers(1, classes, len(each))) % classes
        return each, gold, np.where(rng.random(len(each)) < spread[each], gold, wrong)

    return draw


def over_clusters(draw: Draw, measures: str = "accuracy,kappa_linear,mae_macro,cem_ord") -> Callable[..., Hits]:
    """The interval that is the default, and the bootstrap's."""
    import pandas as pd  # noqa: PLC0415

    each = measures.split(",")
    methods = {"auto": "interval/clusters/jackknife", "bootstrap": "interval/bootstrap/clusters"}

    @cache
    def truth() -> Any:
        _, gold, output = draw(np.random.default_rng(1), 4000)
        return np.array([*mm.score(gold, output, each, classes="0..2").values()])

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(method, id): np.full(number, np.nan) for method in methods.values() for id in each}
        for place in range(number):
            cluster, gold, output = draw(rng)
            frame = pd.DataFrame({"cluster": cluster, "gold": gold, "run": output})
            for kind, method in methods.items():
                trials = 9 if kind == "auto" else DRAWS  # nothing is drawn for the first
                made = mm.evaluate(
                    frame, classes="0..2", measures=measures, interval=kind, columns={"cluster": "cluster"}, trials=trials,
                    seed=place, baselines=False,
                )  # fmt: skip
                for id, one in zip(each, held(*(end[:, 0] for end in made.intervals.items), truth()), strict=True):
                    found[method, id][place] = one
        return found

    return hits


# Several topics, which are fixed: items, or clusters, are a sample within each.


def of_fixed_topics(topics: int, items: int, lowest: float, highest: float, classes: int = 3) -> Draw:
    """Topics of the same size and of different difficulty, which are the same in every data set; runs that are equal on each."""
    right = np.linspace(lowest, highest, topics)

    def draw(rng, runs=1, copies=1):
        topic = np.repeat(np.arange(topics), items * copies)
        gold = rng.choice(classes, len(topic), p=np.arange(classes, 0, -1) / np.arange(classes, 0, -1).sum())
        wrong = (gold + rng.integers(1, classes, (runs, len(topic)))) % classes
        return topic, gold, np.where(rng.random((runs, len(topic))) < right[topic], gold, wrong)

    return draw


def runs_on(draw: Draw) -> Draw:
    """The same for ``two_runs``, which says how many items there are where that is not known."""
    return lambda rng, _, runs: draw(rng, runs)


def of_clusters_in_topics(topics: int, clusters: int, size: int, lowest: float, highest: float, within: float = 0.3) -> Draw:
    """The same with clusters in each topic, in which outputs are right together."""
    right = np.linspace(lowest, highest, topics)

    def draw(rng, runs=1, copies=1):
        del runs
        topic = np.repeat(np.arange(topics), clusters * size * copies)
        cluster = np.arange(len(topic)) // size
        level = np.repeat(right, clusters * copies)
        chance = rng.beta(level * (1 - within) / within, (1 - level) * (1 - within) / within)
        gold = rng.integers(0, 3, len(topic))
        output = np.where(rng.random(len(topic)) < chance[cluster], gold, (gold + rng.integers(1, 3, len(topic))) % 3)
        return topic, gold, output[None], cluster

    return draw


def over_fixed_topics(draw: Draw, measures: str = "accuracy,kappa_linear,mae_macro,cem_ord") -> Callable[..., Hits]:
    import pandas as pd  # noqa: PLC0415

    each = measures.split(",")

    @cache
    def truth() -> Any:
        topic, gold, outputs, *_ = draw(np.random.default_rng(1), 1, 2000)
        parts = [topic == one for one in range(int(topic[-1]) + 1)]
        values = [[*mm.score(gold[part], outputs[0][part], each, classes="0..2").values()] for part in parts]
        return np.mean(values, axis=0)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            topic, gold, outputs, *cluster = draw(rng)
            frame = pd.DataFrame(
                {"topic": topic, "gold": gold, "run": outputs[0], **({"cluster": cluster[0]} if cluster else {})}
            )
            made = mm.evaluate(
                frame,
                classes="0..2",
                measures=measures,
                interval="auto",
                units="items",
                columns={"cluster": "cluster"} if cluster else {},
                trials=DRAWS,
                seed=place,
                baselines=False,
            )
            methods = made.intervals.shown_methods()
            for id, method, one in zip(each, methods, held(*(end[:, 0] for end in made.intervals.items), truth()), strict=True):
                found.setdefault((method, id), np.full(number, np.nan))[place] = one
        return found

    return hits


# Runs compared.


def equal_runs(draw: Draw, topics: int, runs: int, tests: Sequence[str], *, simultaneous: bool = False, **how: Any):
    """Runs of which all are equal, compared over topics by some tests; every finding is an error, and every difference is 0."""
    called = {"maxt": "test/permutation/max-t"}
    intervals = "interval/difference/simultaneous" if simultaneous else "interval/difference/unadjusted"
    upper = np.triu_indices(runs, 1)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {(called.get(test, f"test/{test}"), ""): np.zeros(number) for test in tests}
        found[intervals, ""] = np.full(number, np.nan)
        for place in range(number):
            matrix = mm.ScoreMatrix("accuracy", names(topics, "t"), names(runs), draw(rng, topics, runs))
            for test in tests:
                named = {"test": "permutation", "correction": "maxt"} if test == "maxt" else {"test": test}
                try:
                    one = mm.compare(matrix, **named, trials=SWAPS, seed=place, threads=1, simultaneous=simultaneous, **how)
                except mm.DataError:  # no run differs from another on any topic: nothing is found, and there is no interval
                    continue
                found[called.get(test, f"test/{test}"), ""][place] = np.any(one.p[upper] < ALPHA)
                holds = held(one.difference_low[upper], one.difference_high[upper], 0.0)
                found[intervals, ""][place] = holds.min() if simultaneous else np.nanmean(holds)
        return found if tests[0] == "stepwise" else {key: one for key, one in found.items() if key[0] != intervals}

    return hits


def true_ranks(levels: Any) -> tuple[Any, Any]:
    """The first and the last rank of runs with these true means: those that tie may have any rank of theirs."""
    truth = np.asarray(levels, dtype=float)
    apart = np.where(np.abs(truth[None, :] - truth[:, None]) > 1e-9, np.sign(truth[None, :] - truth[:, None]), 0.0)
    return 1 + (apart > 0).sum(axis=1), len(truth) - (apart < 0).sum(axis=1)


def all_held(sets: Any, runs: Sequence[str], ends: tuple[Any, Any]) -> bool:
    """Whether possible ranks hold all true ones at once."""
    low, high = np.array([sets[run] for run in runs]).T
    return bool(np.all((low <= ends[0]) & (high >= ends[1])))


RANKED = ("stepwise", "bootstrap", "normal")


def ranked_runs(draw: Draw, topics: int, levels: Sequence[float], methods: Sequence[str] = RANKED) -> Callable[..., Hits]:
    """Runs whose true means are known: are the possible ranks of all of them right at once? Runs that tie may have any rank of
    theirs, and all of these must be held. Beside them the percentiles of ranks that topics drawn anew give, and ranks from
    normal draws of the means."""
    truth, runs = np.asarray(levels, dtype=float), names(len(levels))
    ends = true_ranks(truth)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(f"ranks/{method}", ""): np.zeros(number) for method in methods}
        for place in range(number):
            scores = draw(rng, topics, len(truth)) + truth
            chosen = rng.integers(0, topics, (DRAWS, topics))
            sets = {
                "stepwise": lambda: by_stepwise(scores, runs, place),  # noqa: B023 - called at once
                "bootstrap": lambda: bootstrapped_ranks(scores[chosen].mean(axis=1), runs),  # noqa: B023
                "normal": lambda: ranks_by_normal_draws(scores, runs, np.random.default_rng(place)),  # noqa: B023
            }
            for method in methods:
                found[f"ranks/{method}", ""][place] = all_held(sets[method](), runs, ends)
        return found

    return hits


def by_stepwise(scores: Any, runs: Sequence[str], seed: int) -> Any:
    matrix = mm.ScoreMatrix("score", names(len(scores), "t"), runs, scores)
    return mm.ranks(matrix, better="higher", trials=SWAPS, seed=seed, threads=1).possible_ranks()


def bootstrapped_ranks(drawn: Any, runs: Sequence[str]) -> Any:
    """The middle 95 % of each run's ranks in draws (draws, runs) of all means."""
    ranks = 1 + (drawn[:, None, :] > drawn[:, :, None]).sum(axis=2)
    ends = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
    return dict(zip(runs, ends.T, strict=True))


def ranks_by_normal_draws(scores: Any, runs: Sequence[str], rng: np.random.Generator) -> Any:
    """Ranks after Mogstad, Romano, Shaikh and Wilhelm (2024), as the R package csranks has them: all differences at once, their
    largest |difference| / standard error compared with that of normal draws with the covariances of the means, stepped down."""
    topics, number = scores.shape
    means, covariance = scores.mean(axis=0), np.cov(scores.T) / topics
    drawn = rng.multivariate_normal(np.zeros(number), covariance, DRAWS, method="eigh")
    first, second = np.triu_indices(number, 1)
    error = np.sqrt(np.maximum(1e-18, covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]))
    gaps, chance = (means[first] - means[second]) / error, np.abs(drawn[:, first] - drawn[:, second]) / error
    left = np.ones(len(gaps), bool)
    while left.any():
        beyond = left & (np.abs(gaps) > np.quantile(chance[:, left].max(axis=1), 1 - ALPHA))
        if not beyond.any():
            break
        left &= ~beyond
    apart = np.zeros((number, number))
    apart[first, second], apart[second, first] = np.where(left, 0, np.sign(gaps)), np.where(left, 0, -np.sign(gaps))
    return dict(zip(runs, np.stack([1 + (apart < 0).sum(axis=1), number - (apart > 0).sum(axis=1)], axis=1), strict=True))


def ranked_items(draw: Draw, items: int, classes: int, levels: Sequence[float], topics: int = 1) -> Callable[..., Hits]:
    """The same where items are a sample, of one test set or within topics that are fixed, and runs are right as often as their
    levels say."""
    import pandas as pd  # noqa: PLC0415

    ends, runs = true_ranks(levels), names(len(levels))
    topic = np.repeat(names(topics, "t"), items)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            gold, outputs = draw(rng, items * topics, levels)
            data: tuple[Any, Any] = (gold, dict(zip(runs, outputs, strict=True)))
            if topics > 1:
                data = (pd.DataFrame({"topic": topic, "gold": gold, **data[1]}), None)
            units = {"units": "items", "run_columns": list(runs)} if topics > 1 else {}
            made = mm.ranks(*data, "accuracy", classes=f"0..{classes - 1}", trials=SWAPS, seed=place, **units)
            method = made.to_dict()["validity"]["ranks"]
            found.setdefault((method, ""), np.full(number, np.nan))[place] = all_held(made.possible_ranks(), runs, ends)
        return found

    return hits


def right_as_often(classes: int, shared: float) -> Draw:
    """Labels that are right by chances; so many items are as easy for all runs."""

    def draw(rng, items, levels):
        gold, right = rng.integers(0, classes, items), np.asarray(levels, dtype=float)[:, None]
        luck = np.where(rng.random(items) < shared, rng.random(items), rng.random((len(right), items)))
        wrong = (gold + rng.integers(1, classes, (len(right), items))) % classes
        return gold, np.where(luck < right, gold, wrong)

    return draw


def ranked_across(across: str, tasks: int, questions: int, levels: Sequence[float], suits: float) -> Callable[..., Hits]:
    """Several tasks, some of which suit a run more than others: ranks by tasks, which hold for other tasks like these, and by
    questions, which hold for other questions in these very tasks."""
    truth, runs = np.asarray(levels, dtype=float), names(len(levels))
    by_tasks, scale = true_ranks(truth), standardised if across == "standardised" else by_ranks

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(f"ranks/across-{unit}", across): np.zeros(number) for unit in ("tasks", "questions")}
        for place in range(number):
            level = truth + suits * rng.normal(size=(tasks, len(truth)))
            scores = (
                level[:, None, :] + 0.4 * rng.normal(size=(tasks, questions, 1)) + rng.normal(size=(tasks, questions, len(truth)))
            )
            each = {
                f"task {task}": mm.ScoreMatrix("accuracy", names(questions, "q"), runs, one) for task, one in enumerate(scores)
            }
            made = mm.ranks(each, across=across, trials=2 * SWAPS + 1, seed=place)
            here = true_ranks(scale(level).mean(axis=0))
            found["ranks/across-tasks", across][place] = all_held(made.possible_ranks(), runs, by_tasks)
            found["ranks/across-questions", across][place] = all_held(dict(made.other.of_runs().ranks), runs, here)
        return found

    return hits


def battled(truth: Sequence[float], judges: int, each: int, taste: float) -> Callable[..., Hits]:
    """Battles before judges with tastes of their own: are the possible ranks of all models right at once?"""
    import pandas as pd  # noqa: PLC0415

    levels, called = np.asarray(truth, dtype=float), np.array(names(len(truth), "m"))
    ends = true_ranks(levels)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = np.zeros(number)
        for place in range(number):
            judge = np.repeat(np.arange(judges), each)
            seen = levels + taste * rng.normal(size=(judges, len(levels)))
            one = rng.integers(0, len(levels), len(judge))
            other = (one + rng.integers(1, len(levels), len(judge))) % len(levels)
            won = rng.random(len(judge)) < 1 / (1 + np.exp(seen[judge, other] - seen[judge, one]))
            winner = np.where(rng.random(len(judge)) < 0.2, "tie", np.where(won, "model_a", "model_b"))
            table = pd.DataFrame({"model_a": called[one], "model_b": called[other], "winner": winner, "judge": judge})
            found[place] = all_held(mm.ranks(table, trials=SWAPS, seed=place).possible_ranks(), called, ends)
        return {("ranks/bradley-terry", ""): found}

    return hits


def one_noisy(rng, topics, runs):
    """The run in the middle varies eight times as much as the others."""
    return rng.normal(size=(topics, runs)) * np.where(np.arange(runs) == runs // 2, 8.0, 1.0)


def with_difficulty(noise: Draw, spread: float = 1.0) -> Draw:
    return lambda rng, topics, runs: spread * rng.normal(size=(topics, 1)) + noise(rng, topics, runs)


def normal(rng, topics, runs):
    return rng.normal(size=(topics, runs))


def uniform(rng, topics, runs):
    return rng.random((topics, runs))


def laplace(rng, topics, runs):
    """Runs that vary the more, the later they come."""
    return rng.laplace(size=(topics, runs)) * np.linspace(1, 2, runs)


def skewed(rng, topics, runs):
    return rng.exponential(size=(topics, runs))


def opposite(rng, topics, runs):
    return (rng.lognormal(0, 1, (topics, runs)) - np.exp(0.5)) * np.where(np.arange(runs) % 2, -1.0, 1.0)


def heavy_tails(rng, topics, runs):
    return rng.standard_t(4, (topics, runs))


def narrow_normal(rng, topics, runs):
    return 0.5 + 0.1 * rng.normal(size=(topics, runs))


def narrow_uniform(rng, topics, runs):
    return 0.4 * rng.random((topics, runs))


def share_scores(rng, topics, runs):
    chance = 1 / (1 + np.exp(-(0.5 + 0.7 * rng.normal(size=(topics, 1)))))
    return rng.binomial(20, np.broadcast_to(chance, (topics, runs))) / 20


def average_precision_like(rng, topics, runs):
    """Topics differ in difficulty, and runs in which topics they find hard."""
    centre = 1 / (1 + np.exp(-(-0.6 + 0.9 * rng.normal(size=(topics, 1)))))
    return rng.beta(6 * centre, 6 * (1 - centre), (topics, runs))


def rare_events(rng, topics, runs):
    """Every other run lives on one topic of twenty; the others score the same on average, on all topics alike."""
    steady = 0.05 + 0.01 * rng.normal(size=(topics, runs))
    return np.where(np.arange(runs) % 2, rng.random((topics, runs)) < 0.05, steady)


def centred(pool: Callable[[], Any]) -> Draw:
    """A real matrix, each run less its mean, topics drawn with replacement: equal runs, as unlike as the real ones."""

    def draw(rng, topics, runs):
        scores = pool()
        level = scores - scores.mean(axis=0)
        return level[rng.integers(0, len(level), topics)][:, :runs]

    return draw


def two_runs(draw: Draw, items: int, classes: int, measures: str, runs: int = 2, unit: str = "items", **how: Any):
    """Runs that are equal in expectation, compared item by item (or by clusters, or within topics): findings, and differences
    held. ``draw`` gives what items belong to, gold, and the outputs."""
    import pandas as pd  # noqa: PLC0415

    upper, each = np.triu_indices(runs, 1), measures.split(",")
    column = {"clusters": "cluster", "fixed-topics": "topic"}.get(unit)
    how |= {"columns": {"cluster": "cluster"}} if unit == "clusters" else {"units": "items"} if unit == "fixed-topics" else {}

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            belongs, gold, outputs = draw(rng, items, runs)
            data: tuple[Any, Any] = (gold, dict(zip(names(runs), outputs, strict=True)))
            if column:
                data = (pd.DataFrame({column: belongs, "gold": gold, **data[1]}), None)
            made = mm.compare(*data, each, classes=f"0..{classes - 1}", trials=SWAPS, seed=place, **how)
            for id, one in zip(each, made.parts, strict=True):
                held_by = np.nanmean(held(one.difference_low[upper], one.difference_high[upper], 0.0))
                for what, hit in (("p", np.any(one.p[upper] < ALPHA)), ("difference", held_by)):
                    found.setdefault((one.validity[what], id), np.full(number, np.nan))[place] = hit
        return found

    return hits


def outcomes_of_items(draw: Draw, items: int, truth: float) -> Callable[..., Hits]:
    """Every data set is a run of one evaluation: intervals of mean scores of items do not look at other runs."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        scores = draw(rng, number, items)
        made = mm.evaluate(dict(zip(names(number), scores, strict=True)), task="outcomes", ci=True, trials=DRAWS)
        (method,) = made.validity()["mean"].values()
        return {(method, "mean"): held(made.intervals.items[0][0], made.intervals.items[1][0], truth)}

    return hits


def gaps_of_slices(right: Sequence[float], items: int, levels: int = 1) -> Callable[..., Hits]:
    """Every data set is a run of one evaluation by slices of so many items, that have these shares right."""
    import pandas as pd  # noqa: PLC0415

    def hits(rng: np.random.Generator, number: int) -> Hits:
        share = np.repeat(right, items)
        scores = rng.binomial(levels, share, (number, len(share))) / levels
        frame = pd.DataFrame({"item": np.arange(len(share)), **dict(zip(names(number), scores, strict=True))})
        table = pd.DataFrame({"item": frame["item"], "subject": np.repeat(np.arange(len(right)), items)})
        made = mm.evaluate(frame, task="outcomes", by="subject", by_table=table, trials=DRAWS).slices
        held_by = np.full(number, np.nan)
        for (_, run), gap in made.gaps.items():
            held_by[run] = gap.low <= max(right) - min(right) <= gap.high
        return {("interval/slices/gap", "mean"): held_by}

    return hits


def two_outcomes(draw: Draw, items: int) -> Callable[..., Hits]:
    """Two runs whose items score the same in expectation, half of it by how easy an item is."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            shared, own = draw(rng, 1, items), draw(rng, 2, items)
            scores = np.where(rng.random((2, items)) < 0.5, shared, own)
            one = mm.compare(dict(zip(names(2), scores, strict=True)), None, "mean", task="outcomes", trials=SWAPS, seed=place)
            within = held(one.difference_low[0, 1], one.difference_high[0, 1], 0.0)
            for what, hit in (("p", one.p[0, 1] < ALPHA), ("difference", within)):
                found.setdefault((one.validity[what], "mean"), np.full(number, np.nan))[place] = hit
        return found

    return hits


def against_one(draw: Draw, topics: int, runs: int) -> Callable[..., Hits]:
    """All runs compared with one that was planned."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = np.zeros(number)
        for place in range(number):
            matrix = mm.ScoreMatrix("accuracy", names(topics, "t"), names(runs), draw(rng, topics, runs))
            found[place] = np.nanmin(mm.compare(matrix, against=names(runs)[0], trials=SWAPS, seed=place, threads=1).p) < ALPHA
        return {("test/against-holm", ""): found}

    return hits


def alike(classes: int, right: float) -> Draw:
    """Runs that err alike, on different items; half of the items are easy for all."""

    def draw(rng, items, runs):
        gold = rng.choice(classes, items, p=np.arange(classes, 0, -1) / np.arange(classes, 0, -1).sum())
        easy = rng.random(items) < 0.5
        right_ones = easy | (rng.random((runs, items)) < 2 * right - 1)
        wrong = np.clip(gold + rng.choice([-1, 1], (runs, items)), 0, classes - 1)
        return None, gold, np.where(right_ones, gold, wrong)

    return draw


def guesses(labels: int) -> Draw:
    """A run that guesses among five labels and one that guesses among fewer, or always says the same: neither knows anything."""

    def draw(rng, items, runs):
        del runs
        return None, rng.integers(0, 5, items), (rng.integers(0, 5, items), rng.integers(0, labels, items))

    return draw


def other_errors(rng, items, runs):
    """Two runs of the same macro F1 that err on different classes: one says the first class too often, the other the second."""
    del runs
    gold = rng.choice(3, items, p=[0.4, 0.4, 0.2])
    first = np.where((gold == 1) & (rng.random(items) < 0.3), 0, gold)
    second = np.where((gold == 0) & (rng.random(items) < 0.3), 1, gold)
    return None, gold, np.stack([first, second])


RARE_ONE = (0.7, 0.26, 0.04)
TAKES_FOR_COMMON = ((0.6, 0.4, 0.0), (0.25, 0.75, 0.0), (0.2, 0.5, 0.3))
TAKES_FOR_RARE = ((0.50718042, 0.0, 0.49281958), (0.20534149, 0.79465851, 0.0), (0.16427319, 0.0, 0.83572681))


def one_says_the_rare_class(rng, items, runs):
    """Two runs of the same macro F1: one hardly says the rare class, the other says it much too often."""
    del runs
    gold = rng.choice(3, items, p=RARE_ONE)
    return None, gold, np.stack([says(rng, gold, np.array(table)) for table in (TAKES_FOR_COMMON, TAKES_FOR_RARE)])


def clustered_runs(sizes: Sequence[int], within: float) -> Draw:
    """Equal runs, each right together within a cluster."""

    def draw(rng, items, runs):
        del items
        cluster = np.repeat(np.arange(len(sizes)), sizes)
        gold = rng.integers(0, 3, len(cluster))
        chance = rng.beta(0.7 * (1 - within) / within, 0.3 * (1 - within) / within, (runs, len(sizes)))
        right = rng.random((runs, len(cluster))) < chance[:, cluster]
        return cluster, gold, np.where(right, gold, (gold + rng.integers(1, 3, (runs, len(cluster)))) % 3)

    return draw


# Rankings of the items of segments.


def ranked(noise: float, ties: bool = False) -> Draw:
    """Gold's ranks (segments, items) and those of runs that see the same with noise; ``ties``: both in three grades only."""

    def draw(rng, segments, items, runs):
        quality = rng.normal(size=(segments, items))
        seen = quality + noise * rng.normal(size=(runs, segments, items))
        if ties:
            return tuple(3.0 - np.digitize(one, (-0.5, 0.5)) for one in (quality, seen))
        return tuple((-one).argsort(axis=-1).argsort(axis=-1) + 1.0 for one in (quality, seen))

    return draw


def micro_averages(draw: Draw, segments: int, items: int = 5, measure: str = "tau@wmt14") -> Callable[..., Hits]:
    """Two equal runs compared by all pairs of items as one."""
    asked = {"task": "ranking", "average": "pooled"}

    @cache
    def truth() -> float:
        gold, (run,) = draw(np.random.default_rng(1), LARGE // 20, items, 1)
        return float(mm.evaluate(gold, {"run": run}, measures=measure, **asked).averages()[0, 0])

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            gold, runs = draw(rng, segments, items, 2)
            made = mm.compare(
                gold, dict(zip(names(2), runs, strict=True)), measure, test="permutation", trials=SWAPS, seed=place, **asked
            )
            told = {
                "p": made.p[0, 1] < ALPHA,
                "interval": held(made.low, made.high, truth()).mean(),
                "difference": held(made.difference_low[0, 1], made.difference_high[0, 1], 0.0),
            }
            for what, hit in told.items():
                found.setdefault((made.validity[what], measure), np.full(number, np.nan))[place] = hit
        return found

    return hits


def against_chance(draw: Draw, segments: int, items: int = 5, measure: str = "tau@wmt14", together: int = 25):
    """Runs that know nothing of the segments that they rank: some of them are runs of one evaluation."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        p: list[float] = []
        while len(p) < number:
            gold, _ = draw(rng, segments, items, 1)
            runs = np.concatenate([draw(rng, segments, items, 1)[1] for _ in range(min(together, number - len(p)))])
            named = dict(zip(names(len(runs)), runs, strict=True))
            made = mm.evaluate(gold, named, task="ranking", measures=measure, chance_test=SWAPS, seed=len(p))
            p += [run["p_chance"] for run in made.to_dict()["runs"]]
        return {("test/segments/chance", measure): np.array(p) < ALPHA}

    return hits


def metrics_and_people(
    systems: int, segments: int, shared: float, tails: float | None = None, *, favour: bool = True
) -> Callable[..., Hits]:
    """Two metrics that are equally good at judging systems; ``shared`` is how much of a system's quality both sides see. They
    ``favour`` some systems as people do, or err from cell to cell only. The tests ask whether the first is better, which was
    planned."""
    how = {"task": "ranking", "gold_are": "scores", "runs_are": "scores"}
    spread_of_metric = (1.0 if favour else shared) + 1 / segments
    true = shared / np.sqrt((1 + 1 / segments) * spread_of_metric)
    truths = {"pearson": true, "spearman": 6 / np.pi * np.arcsin(true / 2), "kendall": 2 / np.pi * np.arcsin(true)}

    def cells(rng: np.random.Generator) -> Any:
        if tails is None:
            return rng.normal(size=(segments, systems))
        return rng.standard_t(tails, (segments, systems)) / np.sqrt(tails / (tails - 2))

    def side(rng: np.random.Generator, quality: Any, *, favour: bool = True) -> Any:
        own = rng.normal(size=systems) * np.sqrt(1 - shared) if favour else 0.0
        return np.sqrt(shared) * quality + own + cells(rng)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        measures = [f"{name}@system" for name in truths]
        found = {("interval/systems/fisher", measure): np.zeros(number) for measure in measures}
        tested = {"perm-both": "pearson@segment", "williams": "pearson@system"}
        found |= {(f"test/metrics/{test}", measure): np.zeros(number) for test, measure in tested.items()}
        for place in range(number):
            quality = rng.normal(size=systems)
            gold = side(rng, quality)
            runs = {name: side(rng, quality, favour=favour) for name in ("first", "second")}
            low, high = mm.evaluate(gold, runs, measures=measures, ci=True, **how).intervals.shown
            for row, (measure, truth) in enumerate(zip(measures, truths.values(), strict=True)):
                found["interval/systems/fisher", measure][place] = held(low[row, 0], high[row, 0], truth)
            for test, measure in tested.items():
                made = mm.compare(gold, runs, measure, test=test, trials=SWAPS, seed=place, **how)
                found[f"test/metrics/{test}", measure][place] = made.runs[0] == "first" and made.p[0, 1] < ALPHA
        return found

    return hits


def metrics_over_folders(
    systems: int, segments: int, shared: float, pairs: int = 2, *, levels: bool = False
) -> Callable[..., Hits]:
    """Two metrics that err from cell to cell and are equally good, in a folder as mt-metrics-eval has them: over language pairs,
    or over both levels of one. The test asks whether the first is better by the average, which was planned."""
    names = [f"{chr(ord('A') + place)}" for place in range(systems)]
    measures = ["pearson@segment", "pearson@system"] if levels else ["pearson@segment"]

    def written(path: Path, scores: Any) -> None:
        """Scores (systems, segments), and their means where both levels are asked for."""
        path.parent.mkdir(parents=True, exist_ok=True)
        files = {"seg": scores, "sys": scores.mean(axis=1, keepdims=True)} if levels else {"seg": scores}
        for level, cells in files.items():
            lines = "".join(f"{name}\t{score!r}\n" for name, own in zip(names, cells.tolist(), strict=True) for score in own)
            path.with_name(f"{path.name}.{level}.score").write_text(lines, encoding="utf-8")

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = np.zeros(number)
        for place in range(number):
            with tempfile.TemporaryDirectory() as folder:
                for pair in [f"en-x{letter}" for letter in "abcdefgh"[:pairs]]:
                    quality = np.sqrt(shared) * rng.normal(size=(systems, 1))
                    own = np.sqrt(1 - shared) * rng.normal(size=(systems, 1))
                    written(Path(folder) / f"human-scores/{pair}.mqm", quality + own + rng.normal(size=(systems, segments)))
                    for metric in ("first", "second"):
                        cells = quality + rng.normal(size=(systems, segments))
                        written(Path(folder) / f"metric-scores/{pair}/{metric}-src", cells)
                made = mm.compare(folder, measure=measures, trials=SWAPS, seed=place)
            found[place] = made.runs[0] == "first[noref]" and made.p[0, 1] < ALPHA
        return {("test/metrics/perm-both", "average"): found}

    return hits


# Measures compared, design, annotators and judges.


def two_measures(draw: Draw, topics: int, runs: int) -> Callable[..., Hits]:
    """Two measures that are equally noisy, so that neither is the more consistent or powerful, and whose true rankings are the
    same: the tau of both is 1."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        keys = ("test/meta/consistency", "test/meta/power", "interval/meta/similarity")
        found = {(key, ""): np.zeros(number) for key in keys}
        for place in range(number):
            quality = np.linspace(-0.5, 0.5, runs)
            both = [
                mm.ScoreMatrix(id, names(topics, "t"), names(runs), quality + draw(rng, topics, runs))
                for id in ("accuracy", "kappa_linear")
            ]
            how = {"seed": place, "threads": 1}
            consistency = mm.meta.consistency(both, splits=2, trials=1, **how).to_dict()["p_topics"][0][1]
            power = mm.meta.discrimination(both, trials=1, **how).to_dict()["p_measures"][0][1]
            similarity = mm.meta.similarity(both, trials=SWAPS, **how).to_dict()
            told = (consistency < ALPHA, power < ALPHA, similarity["low"][0][1] <= 1 <= similarity["high"][0][1] + 1e-9)
            for key, one in zip(keys, told, strict=True):
                found[key, ""][place] = one
        return found

    return hits


def mean_tau(draw: Draw, topics: int, runs: int, splits: int = 20) -> Callable[..., Hits]:
    """The interval of a measure's mean tau between halves, whose truth is the mean over very many data sets."""

    def scores(rng: np.random.Generator, number: int) -> Any:
        return np.linspace(-0.5, 0.5, runs) + np.stack([draw(rng, topics, runs) for _ in range(number)])

    @cache
    def truth() -> float:
        rng, taus = np.random.default_rng(1), []
        for one in scores(rng, LARGE // 20):
            order = rng.permutation(topics)
            halves = [one[part].mean(axis=0) for part in (order[: topics // 2], order[topics // 2 :])]
            gaps = [np.sign(half[:, None] - half[None, :])[np.triu_indices(runs, 1)] for half in halves]
            taus.append(np.mean(gaps[0] * gaps[1]))
        return float(np.mean(taus))

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = np.full(number, np.nan)
        for place, one in enumerate(scores(rng, number)):
            matrix = mm.ScoreMatrix("accuracy", names(topics, "t"), names(runs), one)
            made = mm.meta.consistency(matrix, splits=splits, trials=1, seed=place, threads=1).to_dict()["measures"][0]
            found[place] = held(made["low"], made["high"], truth())
        return {("interval/meta/consistency", ""): found}

    return hits


def score_deltas(draw: Draw, topics: int, correlation: float) -> Callable[..., Hits]:
    """Two runs by two measures whose deltas are correlated: the interval of Pearson's r."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = np.full(number, np.nan)
        for place in range(number):
            shared, own, other = (draw(rng, topics, 2) for _ in range(3))
            both = [np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * one for one in (own, other)]
            matrices = [
                mm.ScoreMatrix(id, names(topics, "t"), names(2), one)
                for id, one in zip(("accuracy", "kappa_linear"), both, strict=True)
            ]
            (pair,) = mm.meta.deltas(matrices, run_a=names(2)[0], run_b=names(2)[1]).to_dict()["pairs"]
            found[place] = held(pair["low"], pair["high"], correlation)
        return {("interval/meta/deltas", ""): found}

    return hits


def pilot(draw: Draw, topics: int, runs: int, variance: float) -> Callable[..., Hits]:
    """What a pilot says of the variance: does its range hold the truth, and is the assured number of topics enough?"""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(f"interval/design/{what}", ""): np.zeros(number) for what in ("variance", "assured")}
        enough = field_topics(variance, runs, 0.1, 0.8)
        for place in range(number):
            matrix = mm.ScoreMatrix("accuracy", names(topics, "t"), names(runs), draw(rng, topics, runs))
            (one,) = mm.design(matrix, difference=0.1, trials=1, seed=place).measures
            low, high = one.variance_range
            found["interval/design/variance", ""][place] = low <= variance <= high
            found["interval/design/assured", ""][place] = one.needed.assured >= enough
        return found

    return hits


def planned_power(draw: Draw, variance: float, runs: int, difference: float, others: Sequence[str] = ()) -> Callable[..., Hits]:
    """As many topics as ``design`` says of a field of so many runs: how often is the difference that it was made for found, that
    of the best run and the worst, with the others between? Beside the default test others on the same scores."""
    topics = field_topics(variance, runs, difference, 0.8)
    level = np.zeros(runs)
    level[0], level[-1] = difference / 2, -difference / 2
    called = {"maxt": {"test": "permutation", "correction": "maxt"}}

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(f"power/{test}", ""): np.zeros(number) for test in ("stepwise", *others)}
        for place in range(number):
            matrix = mm.ScoreMatrix("accuracy", names(topics, "t"), names(runs), draw(rng, topics, runs) + level)
            for test in ("stepwise", *others):
                how = {} if test == "stepwise" else called.get(test, {"test": test})
                one = mm.compare(matrix, trials=SWAPS, seed=place, threads=1, **how)
                pair = one.runs.index(names(runs)[0]), one.runs.index(names(runs)[-1])
                found[f"power/{test}", ""][place] = one.p[pair] < ALPHA
        return found

    return hits


def two_class_ratings(share: float, finds: float, passes: float, people: int) -> Draw:
    """A class of this share, which each person finds with one chance and leaves alone where it is not with another."""

    def draw(rng, items):
        there = rng.random(items) < share
        return (rng.random((items, people)) < np.where(there, finds, 1 - passes)[:, None]).astype(int)

    return draw


def graded_ratings(mean: float, spread: float, noise: float, people: int, classes: int) -> Draw:
    def draw(rng, items):
        seen = rng.normal(mean, spread, (items, 1)) + rng.normal(0, noise, (items, people))
        return np.clip(np.rint(seen), 0, classes - 1).astype(int)

    return draw


def newsroom(rng, items):
    """Items of the Newsroom ratings of informativeness, drawn with replacement."""
    rated = newsroom_ratings()
    return rated[rng.integers(0, len(rated), items)]


def agreement(draw: Draw, items: int, classes: int, kind: str, intervals: Sequence[str] = ("auto", "bootstrap", "gwet")):
    import pandas as pd  # noqa: PLC0415

    measures = (
        ["alpha_nominal", "percent_agreement", "ac1"] if kind == "nominal" else ["alpha_ordinal", "percent_agreement", "ac2"]
    )

    def counted(labels: Any, numbers: Any) -> Any:
        table = (labels[:, :, None] == np.arange(classes)).sum(axis=1)
        return pd.DataFrame({"item": numbers, **{str(one): table[:, one] for one in range(classes)}})

    def asked(frame: Any, **how: Any) -> Any:
        return mm.agree(frame, counts=True, classes=f"0..{classes - 1}", kind=kind, measures=measures, **how)

    @cache
    def truth() -> list[float]:
        labels = draw(np.random.default_rng(1), LARGE // 4)
        found = asked(counted(labels, np.arange(len(labels))), interval="bootstrap", trials=1)
        return [one.value for one in found.coefficients]

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = {(f"interval/agreement/{one}", id): np.full(number, np.nan) for one in intervals for id in measures}
        for place in range(number):
            frame = counted(draw(rng, items), np.arange(items))
            for interval in intervals:
                for one, true in zip(
                    asked(frame, interval=interval, trials=DRAWS, seed=place).coefficients, truth(), strict=True
                ):
                    found[f"interval/agreement/{interval}", one.id][place] = held(one.low, one.high, true)
        return found

    return hits


def judges_like_people(seen: Draw, items: int, people: int, judges: int, classes: int, declared: bool = False):
    """Judges that are people like the others, so that none is better or worse than anybody."""
    import pandas as pd  # noqa: PLC0415

    everybody = [*names(people, "p"), *names(judges, "j")]
    how = {"columns": {"cluster": "cluster"}} if declared else {}

    def hits(rng: np.random.Generator, number: int) -> Hits:
        keys = ("max-t", "people", "alt-test"), ("difference", "pairs", "bias")
        tests, ends = ([f"{kind}/judges/{one}" for one in own] for kind, own in zip(("test", "interval"), keys, strict=True))
        found = {(key, "kappa_linear"): np.zeros(number) for key in (*tests, *ends)}
        for place in range(number):
            labels = seen(rng, items, people + judges)
            rows = {"item": np.tile(np.arange(items), len(everybody)), "annotator": np.repeat(everybody, items)}
            frame = pd.DataFrame({**rows, "label": labels.T.ravel(), "cluster": rows["item"] // CLUSTER})
            made = mm.judge(
                frame if declared else frame.drop(columns="cluster"), among=everybody[people:], classes=f"0..{classes - 1}",
                trials=2 * SWAPS + 1, seed=place, minimum=10, epsilon=0.0, **how,
            )  # fmt: skip
            first = made[everybody[people]]
            told = (
                any(pair.p <= ALPHA for pair in made.pairs),
                first.better + first.worse > 0,
                first.alt_test.winning_rate > 0,
                first.low <= 0 <= first.high,
                np.mean([pair.low <= 0 <= pair.high for pair in made.pairs]),
                first.bias.low <= 0 <= first.bias.high,
            )
            for key, one in zip((*tests, *ends), told, strict=True):
                found[key, "kappa_linear"][place] = one
        return found

    return hits


CORRECTED = "accuracy,kappa_linear,cem_ord,mae_macro"


def confusion(right: float, up: float, classes: int = 5) -> Any:
    """(C, C): what is said of items of each class: so often right, otherwise one or two classes away, so often upwards."""
    table = np.zeros((classes, classes))
    for gold in range(classes):
        for steps, share in ((1, 0.75), (2, 0.25)):
            for sign, towards in ((1, up), (-1, 1 - up)):
                table[gold, min(max(gold + sign * steps, 0), classes - 1)] += (1 - right) * share * towards
        table[gold, gold] += right
    return table


def says(rng, truth, table):
    """What somebody with that table says of items."""
    return (rng.random(len(truth))[:, None] > np.cumsum(table, axis=1)[truth]).sum(axis=1).clip(0, len(table) - 1)


def corrected(
    judge: float,
    labels: int,
    shares: Sequence[float],
    *,
    chosen: str = "random",
    said: str = "random",
    others: int = 2000,
    group: int = 1,
):
    """People label some items, a judge all: a system's scores by several measures, and its differences from another.
    ``chosen``: at random, or four times as often where judge and system disagree; ``said``: what
    is declared of it. Items come in groups of so many, which systems find easy or hard together and people label whole."""
    easy, hard = [confusion(0.82, 0.6), confusion(0.7, 0.4)], [confusion(0.42, 0.6), confusion(0.3, 0.4)]
    tables = [(one + other) / 2 for one, other in zip(easy, hard, strict=True)]
    gold, ids = np.array(shares), CORRECTED.split(",")
    cells = [gold[:, None] * table for table in tables]
    true = {id: [float(mm.measures[id](1e6 * cell, classes=range(1, 6))) for cell in cells] for id in ids}
    told = {("a", id): two[0] for id, two in true.items()} | {("a - b", id): two[0] - two[1] for id, two in true.items()}

    def drawn(rng: np.random.Generator) -> Any:
        truth = rng.choice(5, labels + others, p=gold)
        judged = says(rng, truth, confusion(judge, 0.75))
        if group == 1:
            systems = [says(rng, truth, table) for table in tables]
        else:
            is_easy = np.repeat(rng.random(len(truth) // group) < 0.5, group)
            both = [[says(rng, truth, one), says(rng, truth, other)] for one, other in zip(easy, hard, strict=True)]
            systems = [np.where(is_easy, *two) for two in both]
        apart = (judged != systems[0]).astype(int)
        odds = 1 + 3 * apart[::group] if chosen == "disagreement" else np.ones(len(truth) // group)
        here = np.zeros(len(odds), bool)
        here[rng.choice(len(odds), labels // group, replace=False, p=odds / odds.sum())] = True
        return truth + 1, judged + 1, [one + 1 for one in systems], apart, np.repeat(here, group)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            made = _corrected_once(*drawn(rng), said, group, place)
            for (run, measure), value in told.items():
                one, name = made[run, measure], f"difference of {measure}" if run == "a - b" else measure
                for key, hit in (("", held(one.corrected.low, one.corrected.high, value)), ("/worth", one.worth)):
                    found.setdefault((f"interval/corrected{key}", name), np.full(number, np.nan))[place] = hit
        return found

    return hits


def _corrected_once(truth, judge, systems, strata, here, said, group, seed):
    """The corrections of one data set by the function that users call; arrays are read fastest."""
    import pandas as pd  # noqa: PLC0415

    how = {"classes": "1..5", "measures": CORRECTED, "trials": DRAWS, "seed": seed, "sampled": said}
    if said != "strata" and group == 1:
        people = [label if known else None for label, known in zip(truth.tolist(), here.tolist(), strict=True)]
        runs = {name: one.tolist() for name, one in zip("ab", systems, strict=True)}
        return mm.correct_scores(people, runs, judge.tolist(), **how)
    items = np.arange(len(judge))
    frames = {name: pd.DataFrame({"item": items, "label": one}) for name, one in zip("ab", systems, strict=True)}
    labelled = pd.DataFrame({"item": items, "label": truth})[here]
    whole = pd.DataFrame({"item": items, "label": judge, "stratum": strata, "group": items // group})
    how |= {"strata_column": "stratum"} if said == "strata" else {}
    how |= {"columns": {"cluster": "group"}} if group > 1 else {}
    return mm.correct_scores(labelled, frames, whole, **how)


def corrected_labels(judge: float, labels: int, shares: Sequence[float], others: int = 2000):
    """The same of the labels themselves: their mean, and the shares of the classes."""
    gold = np.array(shares)
    true = {"mean label": float(gold @ np.arange(1, 6))} | {f"share of {place + 1}": one for place, one in enumerate(shares)}

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            truth = rng.choice(5, labels + others, p=gold)
            judged = says(rng, truth, confusion(judge, 0.75)) + 1
            people = {"people": dict(enumerate((truth[:labels] + 1).tolist()))}
            made = mm.correct(people, {"judge": dict(enumerate(judged.tolist()))}, classes="1..5", sampled="random", trials=DRAWS)
            for measure, value in true.items():
                one = made["judge", measure]
                for key, hit in (("", held(one.corrected.low, one.corrected.high, value)), ("/worth", one.worth)):
                    found.setdefault((f"interval/corrected{key}", measure), np.full(number, np.nan))[place] = hit
        return found

    return hits


def in_groups(rng, items, people):
    """Everybody sees a whole group of items too high or too low together."""
    group = np.arange(items) // CLUSTER
    seen = rng.normal(2.2, 1.1, (items, 1)) + rng.normal(0, 0.9, (items, people))
    return np.clip(np.rint(seen + rng.normal(0, 0.9, (group[-1] + 1, people))[group]), 0, 4).astype(int)


def graded(rng, items, people):
    return graded_ratings(2.2, 1.1, 0.9, people, 5)(rng, items)


def skewed_grades(rng, items, people):
    return graded_ratings(2.9, 0.7, 0.5, people, 4)(rng, items)


# Real data.


@cache
def sick_labels() -> tuple[Any, list[Any]]:
    with (SHARED / "sick2014/entailment_matrix.tsv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t")
    order = {"CONTRADICTION": 0, "NEUTRAL": 1, "ENTAILMENT": 2}
    columns = [np.array([order[cell] for cell in column]) for column in list(zip(*rows, strict=True))[1:]]
    assert header[1] == "gold"  # noqa: S101
    return columns[0], columns[1:]


@cache
def sick(measure: str) -> Any:
    """(100 partitions, 17 runs) of the SICK entailment task."""
    gold, runs = sick_labels()
    made = mm.evaluate(
        gold, dict(zip(names(len(runs)), runs, strict=True)), classes="0..2", measures=measure, partitions=100, baselines=False
    )
    return made.values[0][~np.isnan(made.values[0]).any(axis=1)]  # noqa: PD011 - no frame


@cache
def relatedness() -> Any:
    """(100 partitions, 16 runs): 1 less the mean absolute error of SICK's relatedness over 4."""
    with (SHARED / "sick2014/relatedness_matrix.tsv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t")
    numbers = np.array([[float(cell) for cell in row[1:]] for row in rows])
    errors = np.abs(numbers[:, 1:] - numbers[:, :1])
    return np.array(
        [1 - part.mean(axis=0) / 4 for part in np.array_split(errors[np.random.default_rng(0).permutation(len(errors))], 100)]
    )


@cache
def llm_judges() -> Any:
    """(25 queries, judges): accuracy of the LLMs' labels of relevance, by query."""

    def labels(path: Path) -> dict[tuple[str, str], str]:
        with path.open(encoding="utf-8", newline="") as file:
            return {(row["topic"], row["item"]): row["label"] for row in csv.DictReader(file, delimiter="\t")}

    gold = labels(SHARED / "llmjudge/gold.tsv")
    queries = sorted({query for query, _ in gold})
    columns = []
    for path in sorted((SHARED / "llmjudge/judges").glob("*.tsv")):
        said = labels(path)
        right = {query: [] for query in queries}
        for (query, item), label in gold.items():
            right[query].append(said.get((query, item)) == label)
        columns.append([np.mean(right[query]) for query in queries])
    return np.array(columns).T


@cache
def wmt13() -> Any:
    """(60 groups of sentences, systems): the share of comparisons that a system wins."""
    wins: dict[tuple[int, str], list[float]] = {}
    with (SHARED / "wmt13/newstest2013.fr-en.rankings.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ranked = [(row[f"system{k}Id"].split(".")[2], int(row[f"system{k}rank"])) for k in range(1, 6)]
            for name, rank in ranked:
                if rank > 0:
                    others = [other for one, other in ranked if one != name and other > 0 and other != rank]
                    wins.setdefault((int(row["srcIndex"]) % 60, name), []).extend(float(rank < other) for other in others)
    systems = sorted({name for _, name in wins})
    return np.array([[np.mean(wins[group, name]) for name in systems] for group in range(60)])


@cache
def newsroom_ratings() -> Any:
    """(items, 3): ratings of informativeness from 0 to 4."""
    rated: dict[str, list[int]] = {}
    with (SHARED / "ratings/newsroom.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["aspect"] == "Informativeness":
                rated.setdefault(row["item"], []).append(int(row["label"]) - 1)
    return np.array([labels for labels in rated.values() if len(labels) == 3])


# A gate: runs whose true difference is the margin, or known otherwise. PASS and FAIL are both wrong at the margin.


def gated(draw: Draw, margin: float, method: str, **how: Any) -> Callable[..., Hits]:
    """How often a gate says PASS, and FAIL, of what ``draw`` makes: the arguments of ``mm.gate``."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        verdicts = []
        for place in range(number):
            found = mm.gate(*draw(rng), margin=margin, seed=place, **how)
            assert all(part.pair.method == method for part in found.parts), found  # noqa: S101
            verdicts.append(found.verdict)
        return {(method, said.upper()): np.array([one == said for one in verdicts], dtype=float) for said in ("pass", "fail")}

    return hits


def discordant(items: int, share: float, drop: float) -> Draw:
    """Right or wrong: two runs that differ on that share of the items, the new one worse by so much."""

    def draw(rng):
        kind = rng.choice(3, items, p=[(share + drop) / 2, (share - drop) / 2, 1 - share])
        easy = rng.random(items) < 0.7
        return np.where(kind == 2, easy, kind == 0).astype(float), np.where(kind == 2, easy, kind == 1).astype(float)

    return draw


def not_significant(draw: Draw, margin: float) -> Callable[..., Hits]:
    """What is often done instead, beside a gate: the new run passes where it is not significantly worse, by McNemar's exact
    one-sided test."""
    gate = gated(draw, margin, "test/gate/score", better="higher")

    def hits(rng: np.random.Generator, number: int) -> Hits:
        from metameasure.statistics.item_tests import mcnemar  # noqa: PLC0415

        passed = np.zeros(number)
        state = rng.bit_generator.state
        for place in range(number):
            old, new = draw(rng)
            old_only, new_only = int((old > new).sum()), int((new > old).sum())
            passed[place] = new_only >= old_only or mcnemar(old_only, new_only) / 2 > ALPHA
        rng.bit_generator.state = state
        ours = gate(rng, number)["test/gate/score", "PASS"]
        return {("test/gate/score", "PASS"): ours, ("test/not-significant", "PASS"): passed}

    return hits


def graded_items(items: int, drop: float, kind: str) -> Draw:
    """A score between 0 and 1 for each item, or without ends; the new run's is lower by so much in the mean."""

    def draw(rng):
        old = rng.beta(2, 1, items)
        if kind == "heavy tails":
            return old, old - drop + 0.1 * rng.standard_t(4, items)
        if kind == "always a little worse":
            return old, old - rng.exponential(drop, items)
        if kind == "few lose all":
            return np.full(items, 0.9), np.where(rng.random(items) < drop / 0.9, 0.0, 0.9)
        other = rng.beta(2 * (1 - 4 * drop), 1 + 8 * drop, items)  # of mean 2/3 - 8/3 drop, in 3 of 8 items
        return old, np.where(rng.random(items) < 0.375, other, old)

    return draw


def gated_clusters(sizes: Sequence[int], within: float, drop: float) -> Draw:
    """Labels in clusters that are right together; the new run's chance is lower by so much."""
    import pandas as pd  # noqa: PLC0415

    cluster = np.repeat(np.arange(len(sizes)), sizes)

    def draw(rng):
        right = []
        for share in (0.7, 0.7 - drop):
            chance = rng.beta(share * (1 - within) / within, (1 - share) * (1 - within) / within, len(sizes))
            right.append((rng.random(len(cluster)) < chance[cluster]).astype(int))
        return (pd.DataFrame({"item": range(len(cluster)), "cluster": cluster, "gold": 1, "old": right[0], "new": right[1]}),)

    return draw


def gated_labels(draw: Draw, items: int, classes: int, measure: str, topics: int = 1) -> Callable[..., Hits]:
    """A measure of a table: the margin is what the new run truly loses, found on many items."""
    import pandas as pd  # noqa: PLC0415

    topic = np.repeat(names(topics, "t"), items)

    def table(rng, number):
        _, gold, outputs = draw(rng, number, 2)
        worse = np.where(rng.random(number) < 0.1, rng.integers(0, classes, number), outputs[1])
        return gold, outputs[0], worse

    @cache
    def truth() -> float:
        gold, old, new = table(np.random.default_rng(1), 2_000_000)
        scores = [mm.score(gold, one, measure, classes=f"0..{classes - 1}") for one in (old, new)]
        return abs(scores[0] - scores[1])

    def one(rng):
        gold, old, new = table(rng, items)
        return old, new, gold

    def in_topics(rng):
        gold, old, new = table(rng, items * topics)
        return (pd.DataFrame({"item": range(len(gold)), "topic": topic, "gold": gold, "old": old, "new": new}),)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        draw, method, how = one, "test/gate/jackknife", {"measures": measure, "classes": f"0..{classes - 1}"}
        if topics > 1:
            how |= {"baseline": "old", "candidate": "new", "run_columns": ["old", "new"]}
            draw, method = in_topics, "test/gate/fixed-topics"
        made = gated(draw, truth(), method, **how)(rng, number)
        return {(method, f"{measure}, {said}"): found for (method, said), found in made.items()}

    return hits


def gated_topics(draw: Draw, topics: int, drop: float) -> Draw:
    """Scores over topics that are a sample."""

    def matrices(rng):
        old, new = draw(rng, topics, 2).T
        return tuple(mm.ScoreMatrix("score", names(topics, "t"), ["run"], one[:, None]) for one in (old, new - drop))

    return matrices


def gated_rankings(segments: int, margin_of: Callable[[np.random.Generator, int], Any]) -> Callable[..., Hits]:
    """Micro averages of rankings: the new run sees with more noise, and the margin is what it truly loses."""
    import pandas as pd  # noqa: PLC0415

    def table(rng, number):
        gold, runs = margin_of(rng, number)
        ids = {"segment": np.repeat(np.arange(number), gold.shape[1]), "item": np.tile(names(gold.shape[1], "i"), number)}
        return pd.DataFrame({**ids, "gold": gold.ravel(), "old": runs[0].ravel(), "new": runs[1].ravel()})

    how = {"task": "ranking", "average": "pooled", "measures": "tau@wmt14", "gold_are": "ranks", "runs_are": "ranks"}
    how |= {"baseline": "old", "candidate": "new"}

    @cache
    def truth() -> float:
        found = mm.gate(table(np.random.default_rng(1), 60_000), margin=1.0, trials=10, **how)
        return -found.parts[0].pair.bounds.difference

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found = gated(lambda rng: (table(rng, segments),), truth(), "test/gate/jackknife", **how)(rng, number)
        return {(method, f"tau@wmt14, {said}"): one for (method, said), one in found.items()}

    return hits


def gated_orders(draws: Sequence[Draw], items: int, measure: str = "confidence_weighted_score") -> Callable[..., Hits]:
    """A measure of an order: the new run knows less, and the margin is what it truly loses."""
    how = _JUDGED | {"measures": measure}

    def table(rng, number):
        gold, *_ = draws[0](rng, number, 1)
        outputs, sure = [], []
        for draw in draws:
            _, (output,), (confidence,) = draw(rng, number, 1, gold)
            outputs.append(output)
            sure.append(confidence)
        return gold, outputs, {"matrices": {"confidence": {"old": sure[0], "new": sure[1]}}}

    @cache
    def truth() -> float:
        gold, (old, new), sure = table(np.random.default_rng(1), LARGE)
        made = mm.evaluate(gold, {"old": old, "new": new}, **how, **sure, baselines=False)
        return abs(float(np.subtract(*made.averages()[0, :2])))

    def hits(rng: np.random.Generator, number: int) -> Hits:
        verdicts = []
        for place in range(number):
            gold, (old, new), sure = table(rng, items)
            found = mm.gate(gold, old, new, margin=truth(), seed=place, trials=DRAWS, **how, **sure)
            assert found.parts[0].pair.method == "test/gate/drawn", found  # noqa: S101
            verdicts.append(found.verdict)
        return {
            ("test/gate/drawn", f"{measure}, {said.upper()}"): np.array([one == said for one in verdicts], dtype=float)
            for said in ("pass", "fail")
        }

    return hits


def noisier(first: float, second: float, items: int = 5) -> Draw:
    """Gold's ranks, and those of two runs, of which the second sees with more noise."""

    def draw(rng, segments):
        quality = rng.normal(size=(segments, items))
        seen = quality + np.array([first, second])[:, None, None] * rng.normal(size=(2, segments, items))
        return tuple((-one).argsort(axis=-1).argsort(axis=-1) + 1 for one in (quality, seen))

    return draw


def several_gates(items: int, share: float, drops: Sequence[float], margin: float) -> Callable[..., Hits]:
    """Several tasks at once, the new run worse by so much on each; beside the gate, one that takes each FAIL as it is."""

    def hits(rng: np.random.Generator, number: int) -> Hits:
        passed, failed, each = np.zeros((3, number))
        for place in range(number):
            both = [discordant(items, share, drop)(rng) for drop in drops]
            sides = [
                [
                    mm.ScoreMatrix(f"task {task}", names(items, "t"), ["run"], pair[side][:, None])
                    for task, pair in enumerate(both)
                ]
                for side in (0, 1)
            ]
            found = mm.gate(*sides, margin=margin, better="higher")
            passed[place], failed[place] = found.verdict == "pass", found.verdict == "fail"
            each[place] = any(part.gain.at(ALPHA)[1] < -margin for part in found.parts)
        found = {("test/gate/score", "PASS, all"): passed}
        if all(drop == margin for drop in drops):
            found |= {("test/gate/score", "FAIL, any"): failed, ("test/gate-uncorrected", "FAIL, any"): each}
        return found

    return hits


def beliefs(shares: Sequence[float], apart: float, sure: float = 1.0) -> Callable[..., tuple[Any, Any]]:
    """Items of classes with these shares, and a run's probabilities of them: what is seen of an item stands ``apart`` from that
    of other classes, and a run that is more than 1 ``sure`` makes too much of it."""
    prior = np.log(np.asarray(shares))

    def draw(rng: np.random.Generator, items: int, runs: int = 1) -> tuple[Any, Any]:
        gold = rng.choice(len(shares), items, p=shares)
        seen = rng.normal(0, 1, (runs, items, len(shares)))
        if runs > 1:  # half of what is seen is the item's own
            seen = (seen + rng.normal(0, 1, (1, items, len(shares)))) / math.sqrt(2)
        seen[:, np.arange(items), gold] += apart
        logit = sure * (prior + apart * seen)
        odds = np.exp(logit - logit.max(axis=-1, keepdims=True))
        return gold, odds / odds.sum(axis=-1, keepdims=True)

    return draw


def _classes(shares: Sequence[float]) -> list[str]:
    return [str(place) for place in range(len(shares))]


def probabilities_of_items(shares: Sequence[float], apart: float, sure: float, items: int, measures: str) -> Callable[..., Hits]:
    """Every data set is an evaluation of one run; the truth is what very many items give."""
    draw, classes = beliefs(shares, apart, sure), _classes(shares)

    @cache
    def truth() -> Mapping[str, float]:
        gold, believed = draw(np.random.default_rng(0), LARGE)
        return mm.evaluate(gold, {"run": believed[0]}, classes=classes, kind="nominal", measures=measures)["run"]

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            gold, believed = draw(rng, items)
            made = mm.evaluate(
                gold, {"run": believed[0]}, classes=classes, kind="nominal", measures=measures, ci=True, trials=DRAWS
            )
            for row, measure in enumerate(made.ids):
                for method in made.validity().get(measure, {}).values():
                    low, high = (ends[row] for ends in made.intervals.items)
                    found.setdefault((method, measure), np.full(number, np.nan))[place] = held(low, high, truth()[measure])[0]
        return found

    return hits


def two_believers(shares: Sequence[float], apart: float, items: int, measures: Sequence[str]) -> Callable[..., Hits]:
    """Two runs that are equally good, by half of what they see the same."""
    draw, classes = beliefs(shares, apart), _classes(shares)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            gold, believed = draw(rng, items, 2)
            for measure in measures:
                try:
                    one = mm.compare(
                        gold, dict(zip(names(2), believed, strict=True)), measure, classes=classes, kind="nominal",
                        trials=SWAPS, seed=place,
                    )  # fmt: skip
                except mm.DataError:  # a class has one item: nothing can be said of others
                    continue
                within = held(one.difference_low[0, 1], one.difference_high[0, 1], 0.0)
                for what, hit in (("p", one.p[0, 1] < ALPHA), ("difference", within)):
                    found.setdefault((one.validity[what], measure), np.full(number, np.nan))[place] = hit
        return found

    return hits


def sets_of_labels(shares: Sequence[float], miss: float, wrong: float, runs: int = 1) -> Callable[..., tuple[Any, Any]]:
    """Items with labels of these shares, more on some items than on others, and runs that miss labels and give wrong ones,
    half of them on the same items."""

    def draw(rng: np.random.Generator, items: int) -> tuple[Any, Any]:
        rich = rng.uniform(0.5, 1.5, (items, 1))
        gold = rng.random((items, len(shares))) < np.asarray(shares) * rich
        hard = rng.random(gold.shape)
        luck = np.where(rng.random((runs, *gold.shape)) < 0.5, hard, rng.random((runs, *gold.shape)))
        return gold, np.where(gold, luck >= miss, luck < wrong * np.asarray(shares) * 4)

    return draw


def averages_of_sets(shares: Sequence[float], items: int, measures: str) -> Callable[..., Hits]:
    """Every data set is an evaluation of one run; the truth is what very many items give."""
    draw, classes = sets_of_labels(shares, 0.25, 0.1), _names_of(shares)

    @cache
    def truth() -> Any:
        gold, said = draw(np.random.default_rng(0), LARGE)
        return mm.evaluate(gold, {"run": said[0]}, task="multilabel", classes=classes, measures=measures)["run"]

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            gold, said = draw(rng, items)
            made = mm.evaluate(
                gold, {"run": said[0]}, task="multilabel", classes=classes, measures=measures, ci=True, trials=DRAWS
            )
            for row, measure in enumerate(made.ids):
                for method in made.validity().get(measure, {}).values():
                    low, high = (ends[row] for ends in made.intervals.items)
                    found.setdefault((method, measure), np.full(number, np.nan))[place] = held(low, high, truth()[measure])[0]
        return found

    return hits


def two_taggers(shares: Sequence[float], items: int, measures: Sequence[str]) -> Callable[..., Hits]:
    """Two runs that are equally good."""
    draw, classes = sets_of_labels(shares, 0.25, 0.1, runs=2), _names_of(shares)

    def hits(rng: np.random.Generator, number: int) -> Hits:
        found: dict[tuple[str, str], Any] = {}
        for place in range(number):
            gold, said = draw(rng, items)
            runs = dict(zip(names(2), said, strict=True))
            for measure in measures:
                one = mm.compare(gold, runs, measure, task="multilabel", classes=classes, trials=SWAPS, seed=place)
                within = held(one.difference_low[0, 1], one.difference_high[0, 1], 0.0)
                for what, hit in (("p", one.p[0, 1] < ALPHA), ("difference", within)):
                    found.setdefault((one.validity[what], measure), np.full(number, np.nan))[place] = hit
        return found

    return hits


def _names_of(shares: Sequence[float]) -> list[str]:
    return [f"l{place}" for place in range(len(shares))]
