"""The questions work on the scores of every task, from labels, distributions and rankings to the summary."""

import numpy as np
import pytest

import metameasure as mm
from meta_cases import quantification

RUNS = ("good", "fair", "poor")


@pytest.fixture(scope="module")
def pandas():
    return pytest.importorskip("pandas", reason="pandas is not installed")


def whole(scores, **selection):
    """Every question, asked of one evaluation."""
    found = mm.meta.summary(scores, trials=200, splits=50, **selection)
    assert mm.meta.robustness(scores).robustness.shape == (len(found.measures),)
    assert mm.meta.coverage(scores).coverage.shape == (len(found.measures),)
    assert mm.meta.deltas(scores, *scores.runs[:2]).wins().sum(axis=1).tolist() == [len(scores.topics)] * len(found.measures)
    assert all(measure in str(found) for measure in found.measures)
    return found


def test_classification_and_entailment(pandas):
    """Labels that are right for 90, 60 and 30 of 100 items, in the order of the runs."""
    rng = np.random.default_rng(0)
    labels = np.array(["NO", "UNKNOWN", "YES"])
    gold = rng.choice(labels, 240)
    items = [f"i{item:03d}" for item in range(240)]
    frames = {
        name: pandas.DataFrame({"item": items, "label": np.where(rng.random(240) < right, gold, rng.choice(labels, 240))})
        for name, right in zip(RUNS, (0.9, 0.6, 0.3), strict=True)
    }
    gold = pandas.DataFrame({"item": items, "label": gold})
    scores = mm.evaluate(gold, frames, classes="NO,UNKNOWN,YES", measures="accuracy,mae,kappa", partitions=12)
    found = whole(scores)
    assert found.similarity.tau.min() == 1
    assert found.similarity.groups() == [("accuracy", "mae", "kappa")]
    roles = {"positive": "YES", "neutral": "UNKNOWN", "negative": "NO"}
    judged = mm.evaluate(gold, frames, task="entailment", measures="a3,a2,a3_macro", partitions=12, **roles)
    tests = whole(judged).discrimination
    assert tests.significant[:, tests.runs.index("good"), tests.runs.index("poor")].all()
    assert "5 baselines left out; baselines=True keeps them" in tests.notes


def test_quantification(pandas):
    """From distributions: baselines enter where they are asked for, and NMD and RNOD contradict each other about them."""
    _, gold, runs = quantification(topics=100)
    topics = [f"t{topic}" for topic in range(100)]

    def frame(values):
        return pandas.DataFrame(
            {
                "topic": np.repeat(topics, 5),
                "class": np.tile([str(label) for label in range(1, 6)], 100),
                "probability": values.ravel(),
            }
        )

    given = {name: frame(values) for name, values in runs.items() if name.startswith("noisy")}
    scores = mm.evaluate(frame(gold), given, task="quantification", classes="1..5", measures="nmd,rnod,nvd", baselines=True)
    assert not any(run in scores.baselines for run in mm.meta.discrimination(scores, trials=10).runs)
    found = whole(scores, baselines=True)
    assert {"baseline: Popularity", "baseline: Uniform"} <= set(found.discrimination.runs)
    pair = found.contradictions.pairs[0]
    assert ("baseline: Popularity", "baseline: Uniform") in pair.runs
    assert [row.can(found.abilities()[0]) for row in sorted(found.rows, key=lambda row: row.measure)] == [True, False, True]


def test_ranking(pandas):
    """Five items a segment, the judge's ranks with more and more noise."""
    rng = np.random.default_rng(1)
    segments, items = np.repeat([f"s{s:02d}" for s in range(30)], 5), np.tile([f"i{i}" for i in range(5)], 30)
    truth = np.concatenate([rng.permutation(5) + 1 for _ in range(30)])

    def frame(noise):
        noisy = (truth + rng.normal(0, noise, 150)).reshape(30, 5) if noise else truth.reshape(30, 5)
        ranks = noisy.argsort(axis=1).argsort(axis=1) + 1
        return pandas.DataFrame({"segment": segments, "item": items, "rank": ranks.ravel()})

    runs = {name: frame(noise) for name, noise in zip(RUNS, (0.3, 1.5, 8.0), strict=True)}
    scores = mm.evaluate(frame(0), runs, task="ranking", measures="tau@a,ndcg,mrr")
    found = whole(scores)
    assert found.similarity.tau.min() == 1
    assert found.abilities() == []
