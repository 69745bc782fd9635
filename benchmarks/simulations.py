"""The list of what the ledger simulates: a line for each world and size. What is said of a world's limits is printed with its
rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import worlds as w
from ledger import Simulation

TOPICS = partial(Simulation, task="quantification", units="topics")
ITEMS = partial(Simulation, task="classification", units="items")
SCORED = partial(Simulation, task="outcomes", units="items")
BELIEVED = partial(Simulation, task="probabilities", units="items")
TAGGED = partial(Simulation, task="multilabel", units="items")
CLUSTERS = partial(Simulation, task="classification", units="clusters")
FIELD = partial(Simulation, task="scores", units="topics")
FIXED = partial(Simulation, task="classification", units="items within fixed topics")
META = partial(Simulation, task="meta", units="topics")
REAL = {"needs": w.SHARED}
BY_TOPICS = {"used": ("interval/topics",)}
BY_ITEMS = {"used": ("interval/items",)}
BY_FIELD = {"used": ("test/stepwise", "interval/difference")}
STEPS = ("stepwise",)
ERROR = "relative_absolute_error"
SKEWED_ITEMS = {"interval/items/t": "a skewed score without an upper end and fewer than 100 items: too short"}
OPEN = {"interval/topics/t": "a skewed measure without an upper end and fewer than 100 topics: too short"}
RARE = {"interval/": "rare events, 0 or 1, and few topics: no interval over topics holds; count items instead"}
FEW_A_CELL = {"interval/items/normal": "fewer than 4 items a cell of the table: too short"}
LEVELS = {"test/metrics/perm-both": "scores of systems and of segments averaged: they are swapped apart, and too much is found"}
NOT_EQUALITY = "swaps test whether outputs are exchangeable: runs of equal value that err differently may be told apart"
ZIPF = [0.4, 0.2, 0.13, 0.1, 0.07, 0.06, 0.04]
TWO = [[0.93, 0.07], [0.35, 0.65]]
SURE = 0.95 * np.eye(5) + 0.05 * (1 - np.eye(5)) / 4
EVEN = [0.2] * 5
FEW_OF_A_CLASS = "a measure that weighs a class of fewer than 30 items, as macro errors do: the bounds are too close"
SKEWED = [0.7, 0.15, 0.08, 0.05, 0.02]


def simulations() -> Iterator[Simulation]:
    """All of them: of every method two worlds or more first, then more worlds and sizes."""
    yield from over_topics()
    yield from information()
    yield from weighted_information()
    yield from measures()
    yield from fields()
    yield from ranked()
    yield from ranked_by_items()
    yield from ranked_over_tasks()
    yield from by_battles()
    yield from power()
    yield from gates()
    yield from annotators()
    yield from over_items()
    yield from real_fields()
    yield from item_tests()
    yield from clusters()
    yield from fixed_topics()
    yield from planned()
    yield from judges()
    yield from corrections()
    yield from other_tests()
    yield from design()
    yield from rankings()
    yield from more_item_tests()
    yield from more_of_measures()
    yield from more_items()
    yield from balanced()
    yield from more_fields()
    yield from outcomes()
    yield from probabilities()
    yield from multilabel()


def over_topics() -> Iterator[Simulation]:
    """Means over topics, by t on the logit of the range and by the bootstrap."""
    for topics in (5, 12, 30):
        size = f"{topics} topics"
        yield TOPICS("scores like average precision", size=size, hits=w.over_topics(w.beta(0.8, 1.6), topics, 1 / 3), **BY_TOPICS)
        yield TOPICS("high scores", size=size, hits=w.over_topics(w.beta(9, 1), topics, 0.9), **BY_TOPICS)
        yield TOPICS("all or nothing, mostly", size=size, hits=w.over_topics(w.beta(0.5, 0.5), topics, 0.5))
        yield TOPICS("easy and hard topics", size=size, hits=w.over_topics(w.easy_and_hard, topics, 0.38))
        yield TOPICS("shares of 20 items", size=size, hits=w.over_topics(w.shares(20, 3, 2), topics, 0.6))
    accuracy, cem = w.from_pool(partial(w.sick, "accuracy")), w.from_pool(partial(w.sick, "cem_ord"))
    for topics in (8, 20, 50):
        size = f"{topics} topics"
        yield TOPICS("rare events: 0 or 1", size=size, hits=w.over_topics(w.rare_hits, topics, 0.05), limit=RARE)
        yield TOPICS("SICK, accuracy of real runs", size=size, hits=w.over_topics(accuracy, topics), **REAL)
        yield TOPICS("SICK, CEM of real runs", size=size, hits=w.over_topics(cem, topics), **REAL)
        queries = w.over_topics(w.from_pool(w.llm_judges), topics)
        yield TOPICS("accuracy of real LLM judges by query", size=size, hits=queries, **REAL)
        yield TOPICS("gamma, no upper end", size=size, hits=w.over_topics(w.gamma, topics, 2.0, ERROR))
        yield TOPICS("normal, ends far away", size=size, hits=w.over_topics(w.shifted_normal, topics, 50.0, ERROR))
        yield TOPICS("heavy tails, ends far away", size=size, hits=w.over_topics(w.shifted_t, topics, 100.0, ERROR))
        heavy = w.over_topics(w.lognormal, topics, np.exp(0.5), ERROR)
        yield TOPICS("lognormal, no upper end", size=size, hits=heavy, limit=OPEN, **BY_TOPICS)


def over_items() -> Iterator[Simulation]:
    """One test set: bootstrap and credible interval together, and each alone."""
    two, seven = w.labels_of([0.9, 0.1], TWO), w.labels_of(ZIPF, w.neighbours(7, 0.6))
    yield ITEMS("two classes, one of 10 %", size="30 items", hits=w.over_items(two, 30, 2, w.NOMINAL))
    yield ITEMS("seven classes, errors near by", size="100 items", hits=w.over_items(seven, 100, 7, w.ORDERED))
    yield ITEMS("items of SICK, a real run", size="30 items", hits=w.over_items(w.of_a_real_run, 30, 3, w.ORDERED), **REAL)


def more_items() -> Iterator[Simulation]:
    """The same at other sizes, and a world that the method was chosen by."""
    two, seven = w.labels_of([0.9, 0.1], TWO), w.labels_of(ZIPF, w.neighbours(7, 0.6))
    sure = w.labels_of(SKEWED, SURE)
    yield ITEMS("two classes, one of 10 %", size="100 items", hits=w.over_items(two, 100, 2, w.NOMINAL))
    yield ITEMS("seven classes, errors near by", size="30 items", hits=w.over_items(seven, 30, 7, w.ORDERED))
    yield ITEMS("items of SICK, a real run", size="100 items", hits=w.over_items(w.of_a_real_run, 100, 3, w.ORDERED), **REAL)
    yield ITEMS("accuracy .95, skewed classes", size="30 items", hits=w.over_items(sure, 30, 5, w.ORDERED), **BY_ITEMS)


def outcomes() -> Iterator[Simulation]:
    """Scores of items that somebody else computed: graded, in levels, and shares of repeats."""
    for items in (30, 100):
        size = f"{items} items"
        yield SCORED("graded scores, most of them high", size=size, hits=w.outcomes_of_items(w.beta(4, 1), items, 0.8))
        yield SCORED("shares of 5 repeats", size=size, hits=w.outcomes_of_items(w.shares(5, 0.6, 0.9), items, 0.4))
        yield SCORED("five slices, all alike", size=f"{size} a slice", hits=w.gaps_of_slices([0.7] * 5, items))
        unlike = w.gaps_of_slices([0.45, 0.5, 0.6, 0.7, 0.8, 0.85], items)
        yield SCORED("six slices from 45% to 85%", size=f"{size} a slice", hits=unlike)
        graded = w.gaps_of_slices([0.3, 0.6, 0.65], items, 4)
        yield SCORED("three slices of graded scores", size=f"{size} a slice", hits=graded)
        yield SCORED("graded scores, two equal runs", size=size, hits=w.two_outcomes(w.beta(4, 1), items))
        yield SCORED("shares of 5 repeats, two equal runs", size=size, hits=w.two_outcomes(w.shares(5, 0.6, 0.9), items))


def probabilities() -> Iterator[Simulation]:
    """Probabilities of items: means of items, measures of their order, and calibration."""
    for items in (50, 200):
        size = f"{items} items"
        rare = w.probabilities_of_items([0.8, 0.2], 1.2, 1.0, items, "log_loss,brier,auc@1,average_precision@1")
        yield BELIEVED("two classes, one of 20 %, calibrated", size=size, hits=rare, limit=SKEWED_ITEMS)
        three = w.probabilities_of_items([0.5, 0.3, 0.2], 1.2, 1.6, items, "log_loss,brier,auc,auc_ovo,ece_debiased")
        yield BELIEVED("three classes, too sure", size=size, hits=three)
        equal = w.two_believers([0.5, 0.3, 0.2], 1.0, items, ("brier", "auc"))
        yield BELIEVED("three classes, two runs that are equally good", size=size, hits=equal)


def multilabel() -> Iterator[Simulation]:
    """Sets of labels: averages over decisions, labels and items, and two equal runs."""
    even, rare = [0.4, 0.3, 0.3, 0.2, 0.2], [0.5, 0.3, 0.15, 0.08, 0.04]
    shown = "f1_micro,f1_macro,f1_samples,hamming_loss,subset_accuracy,icm_norm"
    for items in (50, 200):
        size = f"{items} items"
        yield TAGGED("five labels, all of them frequent", size=size, hits=w.averages_of_sets(even, items, shown))
        yield TAGGED("five labels, two of them rare", size=size, hits=w.averages_of_sets(rare, items, shown))
        equal = w.two_taggers(rare, items, ("f1_micro", "f1_macro", "f1_samples"))
        yield TAGGED("five labels, two of them rare, two equal runs", size=size, hits=equal)


def information() -> Iterator[Simulation]:
    """Mutual information less what chance gives."""
    nothing = w.labels_of(EVEN, [EVEN] * 5)
    for items in (30, 100, 400):
        size = f"{items} items"
        for classes, right in ((3, 0.6), (4, 0.4)):
            draw = w.labels_of([1 / classes] * classes, w.neighbours(classes, right))
            limit = FEW_A_CELL if items < 4 * classes**2 else {}
            hits = w.mutual_information(draw, items, classes)
            yield ITEMS(f"{classes} classes, {right:.0%} right", size=size, hits=hits, limit=limit)
        yield ITEMS("output that knows nothing", size=size, hits=w.mutual_information(nothing, items, 5))
    for labels, other in ((1, "a constant"), (2, "guesses of two")):
        tested = w.two_runs(w.guesses(labels), 100, 5, "mutual_information@corrected")
        yield ITEMS(
            f"guesses of five labels and {other}", size="100 items", hits=tested, used=("test/items", "interval/difference")
        )


def weighted_information() -> Iterator[Simulation]:
    """The same of items that weigh as much as a run is sure of them: intervals, and two equal runs."""
    judged = partial(Simulation, task="entailment", units="items")
    for items in (100, 250):
        size = f"{items} items"
        known = w.weighted_information(w.sure_ones(0.4, sure=False), items)
        yield judged("40 % known, confidence that says nothing", size=size, hits=known)
        told = w.weighted_information(w.sure_ones(0.4, sure=True), items)
        yield judged("40 % known, confidence that tells which", size=size, hits=told)
        yield judged("a constant run and one that guesses", size=size, hits=w.weighted_information(w.constant_and_guesses, items))


def balanced() -> Iterator[Simulation]:
    """Classes of gold that weigh the same: every resample, swap and draw is balanced anew."""
    two, seven = w.labels_of([0.9, 0.1], TWO), w.labels_of(ZIPF, w.neighbours(7, 0.6))
    uneven, three = w.labels_of([0.5, 0.35, 0.15], w.neighbours(3, 0.6)), w.alike(3, 0.8)
    for items in (100, 300):
        size, auto = f"{items} items", {"kinds": ("auto",), "balance": True}
        yield ITEMS("two classes, one of 10 %, balanced", size=size, hits=w.over_items(two, items, 2, "accuracy,kappa", **auto))
        ordered = w.over_items(seven, items, 7, "accuracy,cem_ord", **auto)
        yield ITEMS("seven classes, errors near by, balanced", size=size, hits=ordered)
        alike = w.two_runs(three, items, 3, "accuracy,kappa_linear", balance=True)
        yield ITEMS("two runs that err alike, three classes, balanced", size=size, hits=alike)
    information = w.mutual_information(uneven, 400, 3, balance=True)
    yield ITEMS("3 classes of 50, 35 and 15 %, 60% right, balanced", size="400 items", hits=information)


def fixed_topics() -> Iterator[Simulation]:
    """Topics that are fixed: intervals, tests and intervals of differences."""
    for topics, items, lowest, highest in ((5, 40, 0.5, 0.9), (8, 25, 0.4, 0.7)):
        world, size = f"topics from {lowest:.0%} to {highest:.0%} right", f"{topics} topics of {items} items"
        draw = w.of_fixed_topics(topics, items, lowest, highest)
        macro = {"interval/fixed-topics/normal mae_macro": "macro errors over fixed topics with few items of a class: too short"}
        yield FIXED(world, size=size, hits=w.over_fixed_topics(draw), limit=macro)
        compared = w.two_runs(w.runs_on(draw), 0, 3, "accuracy,kappa_linear", 3, "fixed-topics")
        yield FIXED(f"{world}, three equal runs", size=size, hits=compared)


def clusters() -> Iterator[Simulation]:
    """Whole clusters left out."""
    for number in (8, 20):
        equal, unequal = [5] * number, [1 + place % 9 for place in range(number)]
        of = f"{number} clusters of"
        yield CLUSTERS("equal clusters", size=f"{of} 5", hits=w.over_clusters(w.in_clusters(equal, 0.2, 0.7)))
        yield CLUSTERS("unequal clusters", size=f"{of} 1 to 9", hits=w.over_clusters(w.in_clusters(unequal, 0.4, 0.75)))


def fields() -> Iterator[Simulation]:
    """Equal runs compared over topics by the default test; intervals of their differences."""
    three, six = ({"topics": topics, "runs": runs, "tests": STEPS} for runs, topics in ((3, 8), (6, 15)))
    yield FIELD("uniform", size="3 runs, 8 topics", hits=w.equal_runs(w.uniform, **three))
    yield FIELD("like average precision", size="6 runs, 15 topics", hits=w.equal_runs(w.average_precision_like, **six))
    unlike = w.equal_runs(w.with_difficulty(w.laplace), **six)
    yield FIELD("two-sided exponential, spread from 1 to 2", size="6 runs, 15 topics", hits=unlike)
    yield FIELD("uniform, simultaneous", size="6 runs, 15 topics", hits=w.equal_runs(w.uniform, **six, simultaneous=True))
    precision = w.equal_runs(w.average_precision_like, **three, simultaneous=True)
    yield FIELD("like average precision, simultaneous", size="3 runs, 8 topics", hits=precision)
    yield FIELD("shares of 20 items", size="8 runs, 20 topics", hits=w.equal_runs(w.share_scores, 20, 8, STEPS))
    skew = {
        "test/": "two or three runs that are strongly skewed to opposite sides: too many findings",
        "interval/": "strong skew and few topics: the interval of a difference is too short",
    }
    opposite = w.equal_runs(w.opposite, 12, 3, STEPS)
    yield FIELD("lognormal to opposite sides", size="3 runs, 12 topics", hits=opposite, limit=skew, **BY_FIELD)
    rare = {
        "test/": "rare events that few topics show, and 8 to 12 topics: no test holds",
        "interval/": "rare events that few topics show: the interval of a difference is too short, or there is none",
    }
    events = w.equal_runs(w.rare_events, 10, 6, STEPS)
    yield FIELD("rare events in every other run", size="6 runs, 10 topics", hits=events, limit=rare)


def ranked() -> Iterator[Simulation]:
    """Possible ranks of runs that differ, tie, or vary very unequally: are all of them right at once?"""
    rank = partial(Simulation, task="ranks", units="topics")
    apart, pairs = np.linspace(0, 2, 6), np.repeat([0.0, 0.5, 1.0], 2)
    yield rank("six runs, evenly apart, normal", size="17 topics", hits=w.ranked_runs(w.with_difficulty(w.normal), 17, apart))
    yield rank("six runs, evenly apart, normal", size="50 topics", hits=w.ranked_runs(w.with_difficulty(w.normal), 50, apart))
    yield rank("three pairs that tie, normal", size="20 topics", hits=w.ranked_runs(w.with_difficulty(w.normal), 20, pairs))
    yield rank("six equal runs, uniform", size="12 topics", hits=w.ranked_runs(w.uniform, 12, np.zeros(6)))
    yield rank("six runs, a noisy one among them", size="20 topics", hits=w.ranked_runs(w.one_noisy, 20, apart))
    yield rank("ten runs close together, skewed", size="30 topics", hits=w.ranked_runs(w.skewed, 30, np.linspace(0, 0.5, 10)))
    tied, close = np.repeat([0.0, 0.4], 5), np.linspace(0, 0.3, 8)
    yield rank("ten runs, five tie on each of two levels, skewed", size="25 topics", hits=w.ranked_runs(w.skewed, 25, tied))
    yield rank("ten equal runs, a noisy one among them", size="30 topics", hits=w.ranked_runs(w.one_noisy, 30, np.zeros(10)))
    yield rank("eight runs close together, a noisy one", size="50 topics", hits=w.ranked_runs(w.one_noisy, 50, close))
    yield rank("eight runs close together, heavy tails", size="17 topics", hits=w.ranked_runs(w.heavy_tails, 17, close))
    yield rank("five runs, one far ahead, normal", size="10 topics", hits=w.ranked_runs(w.normal, 10, [3, 0, 0, 0, 0]))
    shares = np.array([0.0, 0.0, 0.05, 0.05, 0.1, 0.1])
    yield rank(
        "six runs that tie in pairs, shares of 20 items",
        size="20 topics",
        hits=w.ranked_runs(w.share_scores, 20, shares),
    )
    yield rank("four equal runs, like average precision", size="50 topics",
               hits=w.ranked_runs(w.average_precision_like, 50, np.zeros(4)))  # fmt: skip
    yield rank("twelve runs, evenly apart, uniform", size="30 topics", hits=w.ranked_runs(w.uniform, 30, np.linspace(0, 1, 12)))
    yield rank(
        "twenty runs, spread from 1 to 2, two-sided exponential", size="40 topics",
        hits=w.ranked_runs(w.with_difficulty(w.laplace), 40, np.linspace(0, 2, 20)),
    )  # fmt: skip


def ranked_by_items() -> Iterator[Simulation]:
    """The same where items are a sample."""
    rank = partial(Simulation, task="ranks")
    ties = [0.75, 0.75, 0.65, 0.65]
    easy, hard = w.right_as_often(3, 0.5), w.right_as_often(4, 0.2)
    yield rank("four runs, two pairs that tie", units="items", size="200 items", hits=w.ranked_items(easy, 200, 3, ties))
    yield rank("five equal runs, right or wrong", units="items", size="100 items", hits=w.ranked_items(hard, 100, 4, [0.7] * 5))
    fixed = partial(rank, units="items within fixed topics")
    yield fixed("three equal runs, topics fixed", size="6 topics of 30", hits=w.ranked_items(easy, 30, 3, [0.65] * 3, 6))
    yield fixed("four runs, two pairs that tie, topics fixed", size="4 topics of 50", hits=w.ranked_items(hard, 50, 4, ties, 4))


def ranked_over_tasks() -> Iterator[Simulation]:
    """One decision over several tasks, which some runs suit more than others."""
    rank = partial(Simulation, task="ranks", units="tasks, and questions within them")
    for across in ("standardised", "ranks"):
        apart = w.ranked_across(across, 8, 40, np.linspace(0, 0.6, 4), 0.2)
        yield rank(f"four runs, evenly apart, across by {across}", size="8 tasks of 40 questions", hits=apart)
        suited = w.ranked_across(across, 12, 30, np.zeros(5), 0.3)
        yield rank(f"five equal runs, tasks that suit some, across by {across}", size="12 tasks of 30 questions", hits=suited)
        alike = w.ranked_across(across, 8, 50, np.zeros(5), 0.0)
        yield rank(f"five runs, equal on every task, across by {across}", size="8 tasks of 50 questions", hits=alike)


def by_battles() -> Iterator[Simulation]:
    """Models ranked by battles, before judges with tastes of their own."""
    rank = partial(Simulation, task="ranks", units="judges")
    yield rank("battles, six equal models", size="40 judges of 20", hits=w.battled(np.zeros(6), 40, 20, 0.7))
    yield rank("battles, eight models evenly apart", size="100 judges of 10", hits=w.battled(np.linspace(0, 1, 8), 100, 10, 0.5))
    yield rank("battles, three pairs that tie", size="20 judges of 60", hits=w.battled(np.repeat([0, 0.4, 0.8], 2), 20, 60, 1.0))


def gates() -> Iterator[Simulation]:
    """Runs on the margin, where PASS and FAIL are both wrong; and a drop of five points, of which a test says nothing."""
    gate = partial(Simulation, task="gate", units="items")
    for items, share, margin in ((100, 0.1, 0.05), (400, 0.06, 0.02), (1000, 0.3, 0.02), (60, 0.5, 0.1)):
        hits = w.gated(w.discordant(items, share, margin), margin, "test/gate/score", better="higher")
        yield gate(f"right or wrong, {share:.0%} differ, on a margin of {margin:g}", size=f"{items} items", hits=hits)
    lost = w.not_significant(w.discordant(100, 0.1, 0.05), 0.02)
    yield gate("right or wrong, 10% differ, five points lost, margin .02", size="100 items", hits=lost)
    more = w.not_significant(w.discordant(60, 0.3, 0.1), 0.05)
    yield gate("right or wrong, 30% differ, ten points lost, margin .05", size="60 items", hits=more)
    graded = {"better": "higher", "method": "test/gate/t"}
    for kind, items in (("most items alike", 50), ("most items alike", 300), ("heavy tails", 30), ("few lose all", 200),
                        ("few lose all", 1000)):  # fmt: skip
        hits = w.gated(w.graded_items(items, 0.02, kind), 0.02, **graded)
        yield gate(f"graded, {kind}", size=f"{items} items", hits=hits)
    yield from gates_of_tables(gate)
    skewed = {
        "test/gate/t": "differences that are strongly skewed, and fewer than 50 items: the bound on the far side is too close"
    }
    for items in (30, 100):
        always = w.gated(w.graded_items(items, 0.02, "always a little worse"), 0.02, **graded)
        yield gate("graded, always a little worse", size=f"{items} items", hits=always, limit=skewed)
    clustered = {"measures": "accuracy", "classes": "0..1", "columns": {"cluster": "cluster"}, "run_columns": ["old", "new"]}
    clustered |= {"baseline": "old", "candidate": "new"}
    for number, size, within in ((15, 8, 0.2), (40, 5, 0.4)):
        draw = w.gated_clusters([size] * number, within, 0.05)
        hits = w.gated(draw, 0.05, "test/gate/clusters", **clustered)
        yield gate(f"right together, within {within:g}", units="clusters", size=f"{number} clusters of {size}", hits=hits)
    unequal = w.gated(
        w.gated_clusters([1 + place % 9 for place in range(24)], 0.3, 0.05), 0.05, "test/gate/clusters", **clustered
    )
    yield gate("right together, unequal", units="clusters", size="24 clusters of 1 to 9", hits=unequal)
    for drops, world in (
        ((0.02,) * 5, "five tasks on the margin"),
        ((0.02,) * 3, "three tasks on the margin"),
        ((0.02, 0, 0, 0, 0), "one of five tasks on the margin"),
    ):
        yield gate(world, size="300 items each", hits=w.several_gates(300, 0.08, drops, 0.02))


def gates_of_tables(gate: Callable[..., Simulation]) -> Iterator[Simulation]:
    """The same by measures of a table, of rankings and of orders, and over topics."""
    for draw, classes, items, world in ((w.alike(4, 0.75), 4, 200, "four classes"), (w.alike(3, 0.8), 3, 100, "three classes")):
        for measure in ("kappa_linear", "f1_macro", "mae_macro", "cem_ord"):
            hits, limit = w.gated_labels(draw, items, classes, measure), {"test/gate/jackknife": FEW_OF_A_CLASS}
            yield gate(f"labels, {world}, {measure}", size=f"{items} items", hits=hits, limit=limit)
    for topics, items in ((4, 60), (5, 30)):
        hits, some = w.gated_labels(w.alike(3, 0.8), items, 3, "accuracy", topics), "" if topics == 4 else "five "
        yield gate(
            f"labels, three classes, {some}topics fixed",
            units="items within fixed topics",
            size=f"{topics} topics of {items}",
            hits=hits,
        )
    for topics, draw, world in (
        (20, w.average_precision_like, "like average precision"),
        (50, w.with_difficulty(w.laplace), "heavy"),
    ):
        hits = w.gated(w.gated_topics(draw, topics, 0.1), 0.1, "test/gate/t", better="higher")
        yield gate(f"scores, {world}", units="topics", size=f"{topics} topics", hits=hits)
    for segments in (40, 100):
        hits, many = w.gated_rankings(segments, w.noisier(0.6, 0.8)), "" if segments == 40 else ", many"
        yield gate(f"rankings, more noise{many}", units="topics", size=f"{segments} segments of 5", hits=hits)
    for items, knows, world in ((100, (0.6, 0.5), "confidence that says nothing"), (250, (0.45, 0.4), "confidence that tells")):
        draws = [w.sure_ones(share, sure=items == 250) for share in knows]
        yield gate(f"orders, {world}", size=f"{items} items", hits=w.gated_orders(draws, items))


def more_fields() -> Iterator[Simulation]:
    """The same in other worlds and sizes."""
    three, six = ({"topics": topics, "runs": runs, "tests": STEPS} for runs, topics in ((3, 8), (6, 15)))
    for size, field in (("3 runs, 8 topics", three), ("6 runs, 15 topics", six)):
        yield FIELD("normal", size=size, hits=w.equal_runs(w.with_difficulty(w.normal), **field), **BY_FIELD)
    yield FIELD("uniform", size="6 runs, 15 topics", hits=w.equal_runs(w.uniform, **six))
    yield FIELD("like average precision", size="3 runs, 8 topics", hits=w.equal_runs(w.average_precision_like, **three))
    yield FIELD("skewed", size="6 runs, 20 topics", hits=w.equal_runs(w.with_difficulty(w.skewed), 20, 6, STEPS))
    for name, pool, topics in (("accuracy", "accuracy", 20), ("kappa", "kappa_linear", 12), ("CEM", "cem_ord", 30)):
        hits = w.equal_runs(w.centred(partial(w.sick, pool)), topics, 4, STEPS)
        world, size = f"SICK, {name}, real runs less their means", f"4 runs, {topics} topics"
        yield FIELD(world, size=size, hits=hits, used=("test/stepwise",), **REAL)


def real_fields() -> Iterator[Simulation]:
    """Real matrices, each run less its mean, topics drawn with replacement."""
    pools = {
        "SICK, macro MAE": (partial(w.sick, "mae_macro"), 17, 12),
        "SICK, relatedness": (w.relatedness, 16, 12),
        "WMT13, wins": (w.wmt13, 13, 30),
        "LLM judges, accuracy": (w.llm_judges, 12, 12),
    }
    for name, (pool, runs, topics) in pools.items():
        world, size = f"{name}, real runs less their means", f"{runs} runs, {topics} topics"
        yield FIELD(world, size=size, hits=w.equal_runs(w.centred(pool), topics, runs, STEPS), used=("test/stepwise",), **REAL)


def other_tests() -> Iterator[Simulation]:
    """The tests that may be asked for."""
    others = ("tukey", "permutation", "maxt", "bootstrap", "classical")
    few = {"test/bootstrap": "the bootstrap test with fewer than 50 topics: too many findings"}
    precision = w.equal_runs(w.average_precision_like, 15, 4, others)
    yield FIELD("like average precision", size="4 runs, 15 topics, other tests", hits=precision, limit=few)
    vary = dict.fromkeys(("test/tukey", "test/classical"), "runs that vary unequally: too many findings")
    unlike = w.equal_runs(w.with_difficulty(w.laplace), 30, 4, others)
    world = "two-sided exponential, spread from 1 to 2"
    yield FIELD(world, size="4 runs, 30 topics, other tests", hits=unlike, limit={**few, **vary})


def item_tests() -> Iterator[Simulation]:
    """Equal runs compared item by item."""
    four, three = w.alike(4, 0.75), w.alike(3, 0.8)
    alike = w.two_runs(four, 50, 4, "accuracy,kappa_linear,f1_macro")
    yield ITEMS("two runs that err alike, four classes", size="50 items", hits=alike)
    yield ITEMS(
        "two runs that err alike, three classes", size="200 items", hits=w.two_runs(three, 200, 3, "accuracy,kappa_linear")
    )
    yield ITEMS(
        "three runs that err alike, four classes", size="50 items", hits=w.two_runs(four, 50, 4, "accuracy", 3, correction="maxt")
    )
    several = w.two_runs(three, 200, 3, "kappa_linear", 3, correction="maxt")
    yield ITEMS("three runs that err alike, three classes", size="200 items", hits=several)
    differently = w.two_runs(w.other_errors, 1000, 3, "f1_macro")
    limit = {"test/items": NOT_EQUALITY}
    yield ITEMS("two runs that err on different classes", size="1000 items", hits=differently, limit=limit)
    rare = w.two_runs(w.one_says_the_rare_class, 1000, 3, "f1_macro")
    yield ITEMS("two runs of which one says the rare class too often", size="1000 items", hits=rare, limit=limit)
    for number, world in ((20, "equal runs, right in unequal clusters"), (40, "equal runs, right in equal clusters")):
        sizes = [2 + place % 7 for place in range(number)] if number == 20 else [4] * number
        draw, size = w.clustered_runs(sizes, 0.4), f"{number} clusters"
        yield CLUSTERS(world, size=size, hits=w.two_runs(draw, 0, 3, "accuracy,kappa_linear", unit="clusters"))
        three_runs = w.two_runs(draw, 0, 3, "accuracy", 3, unit="clusters", correction="maxt")
        yield CLUSTERS(f"{world}, three runs", size=size, hits=three_runs)


def more_item_tests() -> Iterator[Simulation]:
    """Tests and intervals over items, clusters and items of fixed topics that have to be asked for."""
    four, three = w.alike(4, 0.75), w.alike(3, 0.8)
    for draw, classes, items in ((four, 4, 100), (three, 3, 200)):
        world, size = f"two runs that err alike, {'four' if classes == 4 else 'three'} classes", f"{items} items"
        tested = w.two_runs(draw, items, classes, "accuracy", test="bootstrap")
        yield ITEMS(f"{world}, bootstrap test", size=size, hits=tested)
        information = w.two_runs(draw, items, classes, "mutual_information@corrected")
        yield ITEMS(f"{world}, mutual information", size=size, hits=information)
    for number, size in ((20, 4), (40, 3)):
        draw = w.clustered_runs([size] * number, 0.4)
        tested = w.two_runs(draw, 0, 3, "accuracy", unit="clusters", test="bootstrap")
        yield CLUSTERS(f"equal runs, right in clusters of {size}, bootstrap test", size=f"{number} clusters", hits=tested)
    for topics, items, lowest, highest in ((5, 40, 0.5, 0.9), (4, 30, 0.4, 0.7)):
        world, size = f"topics from {lowest:.0%} to {highest:.0%} right, two equal runs", f"{topics} topics of {items} items"
        draw = w.runs_on(w.of_fixed_topics(topics, items, lowest, highest))
        for named, how in (("Holm", {"correction": "holm"}), ("bootstrap test", {"test": "bootstrap"})):
            yield FIXED(f"{world}, {named}", size=size, hits=w.two_runs(draw, 0, 3, "accuracy", 2, "fixed-topics", **how))
    for topics, clusters, size, lowest, highest in ((4, 10, 4, 0.5, 0.8), (5, 15, 3, 0.4, 0.7)):
        hits = w.over_fixed_topics(w.of_clusters_in_topics(topics, clusters, size, lowest, highest), "accuracy,cem_ord")
        world = f"clusters in topics from {lowest:.0%} to {highest:.0%} right"
        yield FIXED(
            world, units="clusters within fixed topics", size=f"{topics} topics of {clusters} clusters of {size}", hits=hits
        )


def rankings() -> Iterator[Simulation]:
    """Rankings by all pairs of items as one, and against chance."""
    ranking = partial(Simulation, task="ranking", units="topics")
    for segments, noise, ties in ((20, 1.0, False), (40, 0.6, True)):
        draw, size = w.ranked(noise, ties), f"{segments} segments of 5"
        world = "grades with ties" if ties else "ranks without ties"
        yield ranking(f"{world}, two equal runs", size=size, hits=w.micro_averages(draw, segments))
        yield ranking(f"{world}, a run that knows nothing", size=size, hits=w.against_chance(draw, segments))
    for systems, segments, shared, tails in ((8, 10, 0.8, None), (15, 20, 0.6, None), (12, 12, 0.7, 5.0)):
        world = "two metrics beside people, " + ("normal" if tails is None else "heavy tails within systems")
        hits = w.metrics_and_people(systems, segments, shared, tails)
        yield ranking(world, size=f"{systems} systems, {segments} segments", hits=hits)
    for systems, segments, shared in ((8, 10, 0.8), (15, 20, 0.6)):
        hits = w.metrics_and_people(systems, segments, shared, favour=False)
        size = f"{systems} systems, {segments} segments"
        yield ranking("two metrics beside people, errors from cell to cell", size=size, hits=hits)
    for systems, segments, shared in ((8, 10, 0.8), (12, 15, 0.5)):
        size = f"{systems} systems, {segments} segments"
        yield ranking("two metrics over two language pairs", size=size, hits=w.metrics_over_folders(systems, segments, shared))
    both = w.metrics_over_folders(8, 10, 0.8, 1, levels=True)
    yield ranking("two metrics by systems and by segments", size="8 systems, 10 segments", hits=both, limit=LEVELS)


def more_of_measures() -> Iterator[Simulation]:
    """What is shown of one measure, or of the deltas of two."""
    for runs, topics, draw, noise in ((6, 12, w.normal, "normal"), (8, 20, w.heavy_tails, "heavy tails")):
        yield META(f"one measure, {noise}", size=f"{runs} runs, {topics} topics", hits=w.mean_tau(draw, topics, runs))
    for topics, draw, noise in ((20, w.uniform, "uniform"), (40, w.normal, "normal")):
        hits = w.score_deltas(draw, topics, 0.5)
        yield META(f"deltas of two measures, correlated by .5, {noise}", size=f"{topics} topics", hits=hits)


def measures() -> Iterator[Simulation]:
    """Measures compared by topics."""
    for runs, topics in ((6, 12), (10, 30)):
        size, equally = f"{runs} runs, {topics} topics", "two measures, equally noisy"
        yield META(
            f"{equally}, normal", size=size, hits=w.two_measures(w.normal, topics, runs), used=("test/meta", "interval/meta")
        )
        yield META(f"{equally}, heavy tails", size=size, hits=w.two_measures(w.heavy_tails, topics, runs))
        yield META(f"{equally}, skewed", size=size, hits=w.two_measures(w.skewed, topics, runs))


def planned() -> Iterator[Simulation]:
    """All runs against one."""
    yield FIELD(
        "like average precision, against one", size="5 runs, 12 topics", hits=w.against_one(w.average_precision_like, 12, 5)
    )
    unlike = w.against_one(w.with_difficulty(w.laplace), 20, 6)
    yield FIELD("two-sided exponential, spread from 1 to 2, against one", size="6 runs, 20 topics", hits=unlike)


def design() -> Iterator[Simulation]:
    """What a pilot says."""
    plan = partial(Simulation, task="design", units="topics", nominal={"interval/design/assured": 0.8})
    yield plan("a pilot, normal", size="4 runs, 12 topics", hits=w.pilot(w.narrow_normal, 12, 4, 0.01))
    yield plan("a pilot, uniform", size="8 runs, 20 topics", hits=w.pilot(w.narrow_uniform, 20, 8, 0.16 / 12))


def power() -> Iterator[Simulation]:
    """What is found of what is there: as many topics as ``design`` says."""
    plan = partial(FIELD, task="design", nominal={"power/stepwise": 0.8})
    tests = ("tukey", "permutation", "maxt")
    for draw, variance, world in ((w.narrow_normal, 0.01, "normal"), (w.narrow_uniform, 0.16 / 12, "uniform")):
        for runs in (4, 8):
            hits = w.planned_power(draw, variance, runs, 0.1, tests)
            yield plan(f"a true difference of .1, {world}", size=f"{runs} runs, topics by design", hits=hits)


def annotators() -> Iterator[Simulation]:
    """Coefficients of agreement."""
    agree = partial(Simulation, task="agreement", units="items")
    all_three, without_gwet = ("auto", "bootstrap", "gwet"), ("auto", "bootstrap")
    fifth = w.two_class_ratings(0.05, 0.8, 0.98, 2)
    chosen = {"used": ("interval/agreement/auto",)}
    for items in (30, 100):
        hits = w.agreement(fifth, items, 2, "nominal", all_three)
        yield agree("a class of 5 %, 2 people", size=f"{items} items", hits=hits, **chosen)
    fifteen = w.agreement(w.two_class_ratings(0.15, 0.85, 0.95, 3), 40, 2, "nominal", without_gwet)
    yield agree("a class of 15 %, 3 people", size="40 items", hits=fifteen)
    three = w.agreement(w.two_class_ratings(0.03, 0.9, 0.99, 4), 60, 2, "nominal", without_gwet)
    yield agree("a class of 3 %, 4 people", size="60 items", hits=three)
    grades = w.agreement(w.graded_ratings(2.5, 1.5, 0.7, 3, 5), 25, 5, "ordinal", all_three)
    yield agree("five grades, 3 people", size="25 items", hits=grades)
    newsroom = w.agreement(w.newsroom, 40, 5, "ordinal", without_gwet)
    yield agree("Newsroom, real ratings, 3 people", size="40 items", hits=newsroom, **REAL)


def corrections() -> Iterator[Simulation]:
    """People's labels on a part of the items and a judge's on all."""
    some = partial(Simulation, task="corrected", units="items")
    even, skewed = [0.1, 0.2, 0.4, 0.2, 0.1], [0.04, 0.08, 0.2, 0.38, 0.3]
    few = {
        "interval/corrected mae_macro": "macro errors with few labels of a class: somewhat too short",
        "interval/corrected share": "the share of a class with few labels: somewhat too short",
        "interval/corrected": "50 labels by people: too short",
    }
    for judge, quality in ((0.8, "good"), (0.5, "poor")):
        for labels in (100, 300):
            for shares, kind in ((even, "even grades"), (skewed, "skewed grades")):
                hits = w.corrected(judge, labels, shares)
                yield some(f"a {quality} judge, {kind}", size=f"{labels} labels of {labels + 2000} items", hits=hits, limit=few)
    yield some("a good judge, even grades", size="50 labels of 2050 items", hits=w.corrected(0.8, 50, even), limit=few)
    for judge, quality in ((0.8, "good"), (0.5, "poor")):
        hits = w.corrected_labels(judge, 100, skewed)
        yield some(f"a {quality} judge, skewed grades, the labels", size="100 labels of 2100 items", hits=hits, limit=few)
    together = w.corrected(0.8, 300, even, group=10)
    grouped = "a good judge, even grades, items in groups of 10"
    yield some(grouped, size="300 labels of 2300 items", hits=together, units="clusters")
    chosen = {"chosen": "disagreement"}
    declared = w.corrected(0.8, 300, even, **chosen, said="strata")
    sound = "disagreements labelled four times as often, declared as strata"
    yield some(sound, size="300 labels of 2300 items", hits=declared)
    wrong = {"interval/corrected": "labels that were not drawn at random: nothing holds"}
    hidden = "disagreements labelled four times as often, declared as random"
    yield some(hidden, size="300 labels of 2300 items", hits=w.corrected(0.8, 300, even, **chosen), limit=wrong)
    for labels in (300, 1000):
        hits = w.corrected(0.8, labels, skewed, **chosen)
        yield some(f"{hidden}, skewed grades", size=f"{labels} labels of {labels + 2000} items", hits=hits, limit=wrong)


def judges() -> Iterator[Simulation]:
    """Judges that are people like the others."""
    trial = partial(Simulation, task="judges", units="items")
    grades, skewed = w.judges_like_people(w.graded, 40, 3, 3, 5), w.judges_like_people(w.skewed_grades, 80, 2, 2, 4)
    yield trial("judges like people, five grades", size="40 items, 3 people, 3 judges", hits=grades)
    yield trial("judges like people, skewed grades", size="80 items, 2 people, 2 judges", hits=skewed)
    size, whole = "100 items, 3 people, 2 judges", {"units": "clusters"}
    declared = w.judges_like_people(w.in_groups, 100, 3, 2, 5, declared=True)
    yield trial("judges like people, items in groups of 5", size=size, hits=declared, **whole)
    alone = dict.fromkeys(("test/judges", "interval/judges"), "clusters that are not declared: nothing holds")
    undeclared = w.judges_like_people(w.in_groups, 100, 3, 2, 5)
    yield trial("judges like people, groups of 5 not declared", size=size, hits=undeclared, limit=alone)
