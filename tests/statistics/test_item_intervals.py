"""Intervals of scores over items: credible ones from few items, and whole clusters drawn anew."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import metameasure as mm

DEMO = Path(mm.__file__).parent / "demo"
A = np.array([[5, 1, 4], [5, 50, 5], [7, 8, 15]])  # Amigó et al. (2020), Figure 3, rows gold


def labelled(counts, **columns):
    """Gold and a run whose table these counts are."""
    gold, said = np.repeat(np.indices(counts.shape).reshape(2, -1) + 1, counts.ravel(), axis=1)
    items = np.arange(len(gold))
    return pd.DataFrame({"item": items, "label": gold, **columns}), {"r": pd.DataFrame({"item": items, "label": said})}


class TestCredible:
    @pytest.mark.parametrize(
        ("measure", "ends", "within"),
        [
            ("accuracy", (0.6037, 0.7817), 0.003),
            ("kappa_linear", (0.174, 0.516), 0.005),
            ("cem_ord", (0.629, 0.788), 0.003),
            ("mae_macro", (0.402, 0.814), 0.006),
            ("alpha_interval", (-0.081, 0.425), 0.008),
        ],
    )
    def test_of_a_table(self, measure, ends, within):
        scores = mm.evaluate(*labelled(A), classes="1..3", measures=measure, interval="bayes", trials=20_000)
        low, high = scores.intervals.items
        assert (low[0, 0], high[0, 0]) == pytest.approx(ends, abs=within)
        assert scores.intervals.topics is None

    def test_several_topics_are_refused_unless_they_are_one(self):
        gold, runs = labelled(np.concatenate([A, A]).reshape(2, 3, 3).sum(axis=0))
        topic = np.tile(["a", "b"], len(gold) // 2)  # every cell's items are dealt evenly
        gold, runs = gold.assign(topic=topic), {"r": runs["r"].assign(topic=topic)}
        told = {"classes": "1..3", "measures": "accuracy", "interval": "bayes", "trials": 20_000}
        with pytest.raises(mm.UsageError, match="credible intervals are of one test set"):
            mm.evaluate(gold, runs, **told)
        low, high = mm.evaluate(gold, runs, average="pooled", **told).intervals.shown
        assert (low[0, 0], high[0, 0]) == pytest.approx(stats.beta(140 + 1 / 3, 60 + 2 / 3).ppf([0.025, 0.975]), abs=0.003)

    def test_a_run_without_a_mistake(self, run, tmp_path):
        gold, runs = labelled(np.diag([3, 2, 2]))
        gold.to_csv(tmp_path / "gold.csv", index=False)
        runs["r"].to_csv(tmp_path / "r.csv", index=False)
        call = ("evaluate", tmp_path / "gold.csv", tmp_path / "r.csv", "--classes", "1..3", "--measures", "accuracy")
        _, out, _ = run(*call, "--ci", "--interval", "bayes")
        assert "1.000 [0.6" in out
        assert "[ ]: 95% credible interval (prior of one item), 1000 draws, seed 0." in out
        told = json.loads(run(*call, "--interval", "bayes", "--format", "json")[1])
        assert told["interval"] == "bayes"
        assert 0.5 < told["runs"][0]["intervals"]["accuracy"]["items"][0] < 0.8
        plain = json.loads(run(*call, "--ci", "--interval", "bootstrap", "--format", "json")[1])
        assert (plain["interval"], plain["runs"][0]["intervals"]["accuracy"]["items"]) == ("bootstrap", [1.0, 1.0])

    def test_weights_that_are_all_the_same_change_nothing(self):
        told = {"classes": "1..3", "measures": "accuracy,kappa_linear,alpha_ordinal", "interval": "bayes"}
        plain = mm.evaluate(*labelled(A), **told).intervals.shown
        weighted = mm.evaluate(*labelled(A, weight=np.full(100, 2.5)), **told).intervals.shown
        np.testing.assert_allclose(plain, weighted, atol=1e-9)

    def test_what_has_none(self):
        data, told = labelled(A), {"classes": "1..3", "measures": "accuracy"}
        with pytest.raises(mm.UsageError, match=r"interval cannot be 'bays'; .* did you mean 'bayes'"):
            mm.evaluate(*data, interval="bays", **told)
        clustered = labelled(A, passage=np.arange(100) // 10)
        with pytest.raises(mm.UsageError, match="credible intervals take items to be independent"):
            mm.evaluate(*clustered, interval="bayes", columns={"cluster": "passage"}, **told)
        gold = pd.DataFrame({"segment": list("aabb"), "item": list("1212"), "rank": [1, 2, 1, 2]})
        with pytest.raises(mm.UsageError, match="credible intervals are for measures of counts of labels"):
            mm.evaluate(gold, {"r": gold}, task="ranking", measures="tau@wmt14", interval="bayes")
        roles = {"task": "entailment", "positive": "1", "neutral": "2", "negative": "3"}
        gold, runs = data
        sure = {"r": runs["r"].assign(confidence=np.arange(100))}
        scores = mm.evaluate(gold, sure, measures="a3,confidence_weighted_score", interval="bayes", **roles)
        assert "no interval for confidence_weighted_score: credible intervals are of counts" in scores.notes
        assert np.isnan(scores.intervals.items[0][1, 0])


def clusters(number=40, size=10, within=0.9, seed=0):
    """Items of which nearly all in a cluster are right, or nearly all wrong."""
    rng = np.random.default_rng(seed)
    strength = (1 - within) / within
    share = np.repeat(rng.beta(0.7 * strength, 0.3 * strength, number), size)
    right = rng.random(number * size) < share
    items = np.arange(number * size)
    gold = pd.DataFrame({"item": items, "label": 1, "passage": items // size})
    return gold, {"r": pd.DataFrame({"item": items, "label": np.where(right, 1, 2)})}, right.reshape(number, size)


class TestClusters:
    told = {"classes": "1..2", "measures": "accuracy", "ci": True}  # noqa: RUF012 - read only

    def test_whole_clusters_are_drawn(self):
        gold, runs, right = clusters()
        told = self.told | {"interval": "bootstrap"}
        scores = mm.evaluate(gold, runs, columns={"cluster": "passage"}, trials=4000, **told)
        low, high = scores.intervals.items
        spread = right.mean(axis=1).std() / np.sqrt(len(right))
        assert high[0, 0] - low[0, 0] == pytest.approx(2 * 1.96 * spread, rel=0.08)
        narrow = mm.evaluate(gold, runs, **told).intervals.items
        assert high[0, 0] - low[0, 0] > 2 * (narrow[1][0, 0] - narrow[0][0, 0])
        assert "95% bootstrap interval over clusters" in str(scores)

    def test_json(self):
        gold, runs, right = clusters()
        told = mm.evaluate(gold, runs, columns={"cluster": "passage"}, **self.told).to_dict()["runs"][0]
        assert set(told["intervals"]["accuracy"]) == {"clusters"}
        within = right.var(axis=1, ddof=1).mean()
        parts = told["variance"]["clusters"]
        assert parts["within"] == pytest.approx(within)
        assert parts["between"] == pytest.approx(right.mean(axis=1).var(ddof=1) - within / 10)

    def test_within_topics(self):
        gold, runs, _ = clusters()
        topic = np.where(gold["passage"] < 20, "a", "b")
        gold, runs = gold.assign(topic=topic), {"r": runs["r"].assign(topic=topic)}
        scores = mm.evaluate(gold, runs, columns={"cluster": "passage"}, **self.told)
        told = scores.to_dict()["runs"][0]["intervals"]["accuracy"]
        assert set(told) == {"topics", "clusters"}
        one = mm.evaluate(gold, runs, columns={"cluster": "passage"}, average="pooled", **self.told)
        wide = one.intervals.items[1][0, 0] - one.intervals.items[0][0, 0]
        assert np.diff(told["clusters"])[0] == pytest.approx(wide, rel=0.2)

    def test_every_item_a_cluster_is_like_items(self):
        gold, runs, _ = clusters()
        whole = mm.evaluate(gold.assign(passage=gold["item"]), runs, columns={"cluster": "passage"}, trials=4000, **self.told)
        items = mm.evaluate(gold, runs, trials=4000, **self.told)
        np.testing.assert_allclose(whole.intervals.items, items.intervals.items, atol=0.006)

    def test_weights_and_measures_that_count_items(self):
        gold, runs, _ = clusters()
        gold = gold.assign(label=np.where(gold["item"] % 3, 1, 2), weight=np.where(gold["item"] % 2, 1.0, 3.0))
        told = self.told | {"measures": "alpha_ordinal,kappa"}
        low, high = mm.evaluate(gold, runs, columns={"cluster": "passage"}, **told).intervals.items
        assert np.all(low < high)

    def test_repeats_are_drawn_with_their_item(self):
        gold, runs, right = clusters()
        rows = runs["r"].assign(item=gold["passage"], sample=gold["item"] % 10)
        items = gold.drop_duplicates("passage").assign(item=np.arange(40)).drop(columns="passage")
        scores = mm.evaluate(items, {"r": rows}, columns={"repeat": "sample"}, trials=4000, **self.told)
        low, high = scores.intervals.items
        spread = right.mean(axis=1).std() / np.sqrt(len(right))
        assert high[0, 0] - low[0, 0] == pytest.approx(2 * 1.96 * spread, rel=0.08)
        assert scores.to_dict()["runs"][0]["variance"]["items"]["between"] > 0

    def test_orders_have_no_interval_over_clusters(self):
        gold, runs, _ = clusters()
        sure = {"r": runs["r"].assign(confidence=np.arange(400))}
        roles = {"task": "entailment", "positive": "1", "negative": "2", "columns": {"cluster": "passage"}}
        scores = mm.evaluate(gold, sure, measures="a2,confidence_weighted_score", ci=True, baselines=False, **roles)
        assert "no interval for confidence_weighted_score: items in an order are not drawn in whole clusters" in scores.notes
        assert "variance" in scores.to_dict()["runs"][0]
