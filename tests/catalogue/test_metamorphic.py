"""What must not change a score, for every measure of every task where it applies: the classes in reverse, every item twice,
items and annotators in another order, topics split and merged, runs in another order, weights in another unit.

What a measure declares of itself says what to expect. Exceptions that no declared fact explains stand in ``EXCEPTIONS``, with the
reason; one that is no exception fails.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.facts import Reads
from metameasure.core.scale import Scale
from metameasure.testing.cases import trial
from metameasure.testing.conformance import same

SIZES = (2, 3, 5)
TABLES = (Reads.COUNTS, Reads.COUNTS_BY_RANK, Reads.COUNTS_BY_CONFIDENCE)
RATINGS = (Reads.RATINGS, Reads.PERSONS, Reads.PREDICTIONS)
EXCEPTIONS = {
    "classes in reverse": {
        "cosine": "it is about values, of which 1 is nearer to 0 than 2 is",
        "alpha_ratio": "it is about ratios of values: 1 and 2 are further apart than 4 and 5",
    },
    "every item twice": {
        **dict.fromkeys(("icc1", "icc1k", "icc2", "icc2k"), "its mean squares have different degrees of freedom"),
    },
}


@dataclass(frozen=True)
class Relation:
    """A change of the data; which measures it is about; and what a measure declares that makes it change the score."""

    name: str
    applies: Callable
    scores: Callable
    declared: Callable = lambda measure: ""

    def reason(self, measure):
        """Why the score may change; empty where it may not."""
        return self.declared(measure) or EXCEPTIONS.get(self.name, {}).get(measure.template, "")


def in_reverse(case):
    scale = Scale(case.scale.labels[::-1])
    distance = None if case.distance is None else case.distance[::-1, ::-1]
    arrays = case.reordered(np.arange(len(scale))[::-1])
    return case.measure(*arrays, classes=scale, distance=distance)


def twice(case):
    if case.measure.reads in TABLES:
        return case(2 * case.arrays[0])
    return case(*case.each(lambda array: np.repeat(array, 2, axis=1)))


def items_in_another_order(case):
    axis = 1
    order = np.random.default_rng(0).permutation(case.arrays[0].shape[axis])
    return case(*case.each(lambda array: np.take(array, order, axis=axis)))


def annotators_in_another_order(case):
    order = np.random.default_rng(0).permutation(case.arrays[0].shape[2])
    return case(*case.each(lambda array: np.take(array, order, axis=2)))


RELATIONS = (
    Relation(
        "classes in reverse",
        lambda measure: measure.reads.of_classes,
        in_reverse,
        lambda measure: "the first class has a meaning of its own" if measure.inputs.first_is_special else "",
    ),
    Relation(
        "every item twice",
        lambda measure: measure.reads in (*TABLES, *RATINGS),
        twice,
        lambda measure: "" if measure.proportional else "the number of items enters as such",
    ),
    Relation(
        "items in another order", lambda measure: not measure.reads.of_classes or measure.reads in RATINGS, items_in_another_order
    ),
    Relation(
        "annotators in another order",
        lambda measure: measure.reads in (Reads.PERSONS, Reads.PREDICTIONS),
        annotators_in_another_order,
    ),
)
AT = {"oci": "oci@gamma=2"}  # with gamma 1 the number of items cancels
ALL = [
    pytest.param(relation, mm.measures[AT.get(id, id)], id=f"{relation.name}: {id}")
    for relation in RELATIONS
    for id, measure in mm.measures.items()
    if relation.applies(measure)
]


@pytest.mark.parametrize(("relation", "measure"), ALL)
def test_relation(relation, measure):
    pairs = [(np.asarray(relation.scores(case)), case()) for case in (trial(measure, size) for size in SIZES)]
    reason = relation.reason(measure)
    if not reason:
        for changed, score in pairs:
            same(changed, score, relation.name)
    else:
        assert not all(np.allclose(changed, score, equal_nan=True) for changed, score in pairs), (
            f"it does not change, though {reason}"
        )


def test_exceptions_are_of_known_measures_and_relations():
    names = {relation.name: relation for relation in RELATIONS}
    for relation, excepted in EXCEPTIONS.items():
        assert all(names[relation].applies(mm.measures[id]) and not names[relation].declared(mm.measures[id]) for id in excepted)


# What happens to data before a measure sees it.


def made_up(task):
    """Gold and two runs of a task, as columns; and what else ``evaluate`` must be told."""
    rng = np.random.default_rng(11)
    if task == "quantification":
        topics, classes = np.repeat([f"t{n}" for n in range(6)], 3), ["bad", "fair", "good"]

        def distributions():
            return {"topic": topics, "class": classes * 6, "probability": rng.dirichlet(np.ones(3), 6).ravel()}

        return distributions(), {"a": distributions(), "b": distributions()}, {"classes": classes}
    if task == "ranking":
        keys = {"segment": np.repeat([f"s{n}" for n in range(8)], 5), "item": [f"i{n}" for n in range(5)] * 8}
        ranks = [np.concatenate([rng.permutation(5) + 1 for _ in range(8)]) for _ in range(3)]
        gold, *runs = ({**keys, "rank": rank} for rank in ranks)
        return gold, dict(zip("ab", runs, strict=True)), {}
    classes = ["yes", "unknown", "no"] if task == "entailment" else ["1", "2", "3", "4"]
    keys = {"item": [f"i{n}" for n in range(60)], "topic": np.repeat(["t1", "t2", "t3"], 20)}

    def labels(**more):
        return {**keys, "label": rng.choice(classes, 60), **more}

    runs = {
        name: labels(**({"confidence": rng.random(60), "score": rng.random(60)} if task == "entailment" else {})) for name in "ab"
    }
    roles = {"positive": "yes", "neutral": "unknown", "negative": "no"}
    return labels(weight=rng.integers(1, 6, 60) / 4), runs, roles if task == "entailment" else {"classes": classes}


def evaluated(task, gold, runs, **more):
    pandas = pytest.importorskip("pandas")
    measures = [
        measure for measure in mm.measures.values() if task in measure.tasks and not measure.needs_distance and not measure.open
    ]
    frames = {name: pandas.DataFrame(run) for name, run in runs.items()}
    return mm.evaluate(pandas.DataFrame(gold), frames, task=task, measures=measures, **more)


TASKS = ("classification", "entailment", "quantification", "ranking")


@pytest.mark.parametrize("task", TASKS)
def test_runs_and_rows_in_another_order(task):
    gold, runs, more = made_up(task)
    order = np.random.default_rng(1).permutation(len(gold["topic"] if "topic" in gold else gold["item"]))
    found = evaluated(task, gold, runs, **more)
    moved = evaluated(task, gold, {name: {k: np.asarray(v)[order] for k, v in runs[name].items()} for name in "ba"}, **more)
    assert list(moved.runs)[:2] == ["b", "a"]  # baselines may follow
    same(moved.averages()[:, 1::-1], found.averages()[:, :2], "runs from last to first, their rows shuffled")


@pytest.mark.parametrize("task", ["classification", "entailment"])
@pytest.mark.parametrize("factor", [3, 0.1])
def test_weights_in_another_unit(task, factor):
    gold, runs, more = made_up(task)
    found, scaled = (evaluated(task, gold | {"weight": gold["weight"] * times}, runs, **more) for times in (1, factor))
    same(scaled.averages(), found.averages(), f"weights times {factor}")
    without = {k: v for k, v in gold.items() if k != "weight"}
    same(
        evaluated(task, without | {"weight": np.full(60, factor)}, runs, **more).averages(),
        evaluated(task, without, runs, **more).averages(),
        "equal weights",
    )
    assert not np.allclose(found.averages(), evaluated(task, without, runs, **more).averages(), equal_nan=True)


@pytest.mark.parametrize("task", ["classification", "entailment"])
def test_topics_split_and_merged(task):
    """All items as one topic score what the topics score pooled; and so they do however the topics are cut."""
    gold, runs, more = made_up(task)
    cut = {
        name: np.repeat([f"{name}{n}" for n in range(parts)], 60 // parts) for name, parts in (("t", 3), ("half", 2), ("one", 1))
    }

    def pooled(name):
        return evaluated(
            task, gold | {"topic": cut[name]}, {run: runs[run] | {"topic": cut[name]} for run in runs}, average="pooled", **more
        )

    whole = pooled("one").averages()[:, :2]  # orders of baselines are drawn topic by topic
    same(pooled("half").averages()[:, :2], whole, "two topics, pooled")
    same(pooled("t").averages()[:, :2], whole, "three topics, pooled")
