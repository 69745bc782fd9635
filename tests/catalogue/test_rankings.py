"""Ranking measures: the values of definitions.md, tie breaks by enumeration, other libraries, and what must hold for all."""

import math
from itertools import permutations, product
from math import comb, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from against_naive import pair_counts as pair_counts_by_hand
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import score_together
from metameasure.catalogue.ranking import ranks
from metameasure.catalogue.ranking.lists import most_in
from metameasure.catalogue.ranking.normalisation import normalise_ranks
from metameasure.catalogue.ranking.pairs import pair_counts
from metameasure.catalogue.ranking.pairwise_accuracy import calibrate_ties, chance_accuracy

NAN = np.nan
TAUS = ("tau@wmt08", "tau@wmt12", "tau@wmt13", "tau@wmt14", "tau@xties", "tau@a", "tau@b", "tau@eq", "pairwise_accuracy")
NOTHING = "no item is relevant (grades of 0 throughout"
LISTS = ("mrr", "ndcg", "err", "dcg")
# Those of judged documents are in test_documents.py, those of systems by segments in tests/comparing/test_metrics.py.
ELSEWHERE = (Reads.JUDGEMENTS, Reads.SYSTEMS)
ALL = [name for name, measure in mm.measures.items() if "ranking" in measure.tasks and measure.reads not in ELSEWHERE]


def score(name, predicted, gold):
    return mm.measures[name](np.asarray(predicted, dtype=float), np.asarray(gold, dtype=float))


def rank_lists(items=6):
    return st.integers(1, items).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(1, n), min_size=n, max_size=n)] * 2).map(np.array)
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("err", 0.8288),
        ("ndcg", 0.9308),
        ("mrr", 0.75),
        ("ndcg@ties=worst:relevance=ceiling", 0.7407),
        ("mrr@ties=worst", 0.5),
    ],
)
def test_values_of_the_definitions(name, value):
    """definitions.md, Ranking: n = 4, human 1, 2, 3, 4, predicted 1, 1, 2, 3."""
    assert score(name, [1, 1, 2, 3], [1, 2, 3, 4]) == pytest.approx(value, abs=5e-5)


def test_tie_calibration_of_the_definitions():
    """definitions.md: human 1, 1, 2, scores .9, .8, .1 (here with their sign changed): epsilon .1, value 1."""
    found = calibrate_ties([-0.9, -0.8, -0.1], [1, 1, 2])
    assert found.epsilon == pytest.approx(0.1)
    assert found.accuracy == 1
    assert mm.measures[f"pairwise_accuracy@epsilon={found.epsilon!r}"]([-0.9, -0.8, -0.1], [1, 1, 2]) == 1


def counts_by_hand(predicted, gold):
    return pair_counts_by_hand(list(zip(gold, predicted, strict=True)))


@given(rank_lists())
def test_taus_from_pairs_counted_by_hand(ranks):
    predicted, gold = ranks
    c, d, h, m, b = found = counts_by_hand(predicted, gold)
    np.testing.assert_array_equal(pair_counts(predicted, gold), found)
    whole = c + d + h + m + b
    fractions = {
        "tau@wmt08": (c, c + d + m),
        "tau@wmt12": (c - d - m, c + d + m),
        "tau@wmt13": (c - d, c + d),
        "tau@wmt14": (c - d, c + d + m),
        "tau@xties": (c - d + b, whole),
        "tau@a": (c - d, whole),
        "tau@b": (c - d, np.sqrt((c + d + m) * (c + d + h))),
        "tau@eq": (c + b - d - h - m, whole),
        "pairwise_accuracy": (c + b, whole),
    }
    for name, (top, bottom) in fractions.items():
        expected = top / bottom if bottom else NAN
        np.testing.assert_allclose(score(name, predicted, gold), expected, atol=1e-12, err_msg=name)


def breaks(predicted):
    """Every order of the items that the predicted ranks allow, each as likely."""
    groups = [np.flatnonzero(predicted == rank) for rank in np.unique(predicted)]
    return [sum(order, ()) for order in product(*(permutations(group.tolist()) for group in groups))]


def floor_ranks(gold):
    return np.array([1 + sum(other < rank for other in gold) for rank in gold])


def naive(name, order, gold, k, *, linear=False):
    """The textbook measure of one order of the items."""
    items = len(gold)
    relevance = items + 1 - floor_ranks(gold)
    gain = relevance.astype(float) if linear else 2.0**relevance - 1
    dcg = sum(gain[item] / log2(place + 2) for place, item in enumerate(order[:k]))
    if name == "dcg":
        return dcg
    if name == "ndcg":
        return dcg / sum(g / log2(place + 2) for place, g in enumerate(sorted(gain, reverse=True)[:k]))
    if name == "mrr":
        return next((1 / (place + 1) for place, item in enumerate(order[:k]) if relevance[item] == items), 0.0)
    go_on, total = 1.0, 0.0
    for place, item in enumerate(order[:k]):
        stop = gain[item] / (items if linear else 2.0**items)
        total, go_on = total + go_on * stop / (place + 1), go_on * (1 - stop)
    return total


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("k", [None, 1, 3])
@pytest.mark.parametrize("linear", [False, True])
def test_ties_are_the_mean_over_tie_breaks(name, k, linear):
    """Enumerated: all ways to break the predicted ties of up to six items."""
    if name == "mrr" and linear:
        return
    options = [*([str(k)] if k else []), *(["gain=linear"] if linear else [])]
    measure = f"{name}@{':'.join(options)}" if options else name
    rng = np.random.default_rng(0)
    for items in (1, 2, 3, 4, 5, 6):
        for _ in range(6):
            predicted, gold = rng.integers(1, rng.integers(1, items + 1) + 1, (2, items))
            values = [naive(name, order, gold, k or items, linear=linear) for order in breaks(predicted)]
            np.testing.assert_allclose(score(measure, predicted, gold), np.mean(values), atol=1e-12)


def test_reciprocal_rank_of_ties_in_closed_form():
    """definitions.md: sum_k C(t-k, b-1)/C(t, b)/(r0+k), here for r0 = 2, t = 7 and b = 3."""
    predicted, gold = [1, 2] + [3] * 7, [4, 4] + [1] * 3 + [4] * 4
    expected = sum(comb(7 - k, 2) / comb(7, 3) / (2 + k) for k in range(1, 6))
    assert score("mrr", predicted, gold) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("ties", "share"), [("expected", [0.5, 0.5, 0.0]), ("worst", [0.0, 1.0, 0.0])])
def test_best_predicted_against_the_human(ties, share):
    reached = [score(f"best_vs_human@{rank}:ties={ties}", [1, 1, 2, 3], [2, 1, 3, 4]) for rank in (1, 2, 3)]
    assert reached == share
    assert score(f"average_predicted_rank@ties={ties}", [1, 1, 2, 3], [2, 1, 3, 4]) == sum(np.multiply(share, (1, 2, 3)))


@given(rank_lists(), st.sampled_from(["floor", "ceiling", "middle", "minimize"]))
def test_normalisation_is_scipys_rankdata(ranks, how):
    from scipy.stats import rankdata

    method = {"floor": "min", "ceiling": "max", "middle": "average", "minimize": "dense"}[how]
    np.testing.assert_array_equal(normalise_ranks(ranks, how), rankdata(ranks, method, axis=1))


def test_normalisation_leaves_out_what_is_not_ranked():
    np.testing.assert_array_equal(normalise_ranks([[NAN, 7, 3, 7, NAN]], "ceiling"), [[NAN, 3, 1, 3, NAN]])
    with pytest.raises(mm.UsageError, match="cannot be normalised by 'round'"):
        normalise_ranks([1, 2], "round")


class TestOtherLibraries:
    """Values of peers on rankings without predicted ties. The human side has ties."""

    rng = np.random.default_rng(1)
    gold = rng.integers(1, 6, (30, 7))
    scores = rng.random((30, 7))
    relevance = 8 - np.array([floor_ranks(row) for row in gold])
    groups = np.repeat(np.arange(30), 7)

    def test_scikit_learn(self):
        metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
        for k, name in ((None, "ndcg@gain=linear"), (3, "ndcg@3:gain=linear")):
            peer = [metrics.ndcg_score([rel], [out], k=k) for rel, out in zip(self.relevance, self.scores, strict=True)]
            np.testing.assert_allclose(score(name, -self.scores, self.gold), peer, atol=1e-12)
        tied = np.round(self.scores, 1)  # scikit-learn averages over ties as well, in NDCG without a cut-off and with one
        peer = [metrics.ndcg_score([rel], [out]) for rel, out in zip(2.0**self.relevance - 1, tied, strict=True)]
        np.testing.assert_allclose(score("ndcg", -tied, self.gold), peer, atol=1e-12)

    @pytest.mark.needs("pytrec_eval")
    def test_pytrec_eval(self):
        """Its gain is linear, and it takes 0/1 relevance for RR. The first three items are judged but not retrieved."""
        import pytrec_eval

        retrieved = np.where(np.arange(7) < 3, NAN, -self.scores)
        best = (self.relevance == 7).astype(int)

        def peer(relevance, measure):
            qrels = {str(row): {str(at): int(grade) for at, grade in enumerate(grades)} for row, grades in enumerate(relevance)}
            run = {str(row): {str(at): float(line[at]) for at in range(3, 7)} for row, line in enumerate(self.scores)}
            found = pytrec_eval.RelevanceEvaluator(qrels, {measure}).evaluate(run)
            return [found[str(row)][measure.replace(".", "_")] for row in range(30)]

        given_grades = score("ndcg@gain=linear:relevance=given", retrieved, self.relevance)
        np.testing.assert_allclose(given_grades, peer(self.relevance, "ndcg"), atol=1e-12)
        np.testing.assert_allclose(
            score("ndcg@3:gain=linear", retrieved, self.gold), peer(self.relevance, "ndcg_cut.3"), atol=1e-12
        )
        np.testing.assert_allclose(score("mrr", retrieved, self.gold), peer(best, "recip_rank"), atol=1e-12)
        np.testing.assert_allclose(score("mrr@relevance=given", retrieved, best), peer(best, "recip_rank"), atol=1e-12)

    @pytest.mark.needs("catboost")
    def test_catboost(self):
        """Its ERR takes the chance to be satisfied for a label, its MRR 0/1 labels."""
        from catboost import utils

        def peer(labels, metric):
            return utils.eval_metric(labels.ravel().astype(float), self.scores.ravel(), metric, group_id=self.groups)[0]

        satisfied = (2.0**self.relevance - 1) / 2**7
        for name, labels, metric in (
            ("ndcg", self.relevance, "NDCG:type=Exp"),
            ("ndcg@3", self.relevance, "NDCG:type=Exp;top=3"),
            ("ndcg@gain=linear", self.relevance, "NDCG:type=Base"),
            ("err", satisfied, "ERR"),
            ("err@2", satisfied, "ERR:top=2"),
            ("mrr", self.relevance == 7, "MRR"),
        ):
            assert score(name, -self.scores, self.gold).mean() == pytest.approx(peer(labels, metric), abs=1e-10), name
        given_chance = score("err@gain=linear:relevance=given:highest=1", -self.scores, satisfied).mean()
        assert given_chance == pytest.approx(peer(satisfied, "ERR"), abs=1e-10)


@given(rank_lists(8))
def test_a_perfect_prediction_scores_one(ranks):
    _, gold = ranks
    assert score("mrr", gold, gold) == 1
    assert score("ndcg", gold, gold) == pytest.approx(1, abs=1e-12)
    assert score("average_predicted_rank", gold, gold) == 1


@given(st.lists(rank_lists(5), min_size=1, max_size=5))
def test_counts_add_and_ragged_segments_need_only_padding(segments):
    longest = max(ranks.shape[1] for ranks in segments)
    padded = np.stack(
        [np.pad(ranks.astype(float), ((0, 0), (0, longest - ranks.shape[1])), constant_values=NAN) for ranks in segments]
    )
    measure = mm.measures["tau@wmt12"]
    summed = sum(np.array(counts_by_hand(*ranks)) for ranks in segments)
    together = measure.evidence_of(padded[:, 0], padded[:, 1]).sum(axis=0)
    np.testing.assert_array_equal(together, summed)
    np.testing.assert_array_equal(measure.of_evidence(together), measure.of_evidence(summed))
    for name in LISTS:
        np.testing.assert_allclose(
            score(name, padded[:, 0], padded[:, 1]), [score(name, *ranks) for ranks in segments], atol=1e-12
        )


def test_what_only_the_prediction_leaves_out_gains_nothing():
    """Gold's ideal keeps it; it is in no pair."""
    assert score("ndcg", [1, NAN], [1, 2]) == pytest.approx(3 / (3 + 1 / log2(3)))
    assert score("mrr", [1, NAN], [2, 1]) == 0
    np.testing.assert_array_equal(pair_counts([1, NAN, 2], [1, 2, 3]), [1, 0, 0, 0, 0])
    assert np.isnan(score("ndcg", [NAN, NAN], [1, 2]))


@pytest.mark.parametrize("name", ALL)
def test_one_item_and_all_tied(name):
    name = str(mm.measures[name].example)
    one, tied = score(name, [3], [7]), score(name, [1, 1, 1], [2, 2, 2])
    expected = {"mrr": (1, 1), "ndcg": (1, 1), "best_vs_human@1": (1, 1), "average_predicted_rank": (1, 1), "dcg": (1, None)}
    expected |= {"nerr": (1, 1), "q_measure": (1, 1)}
    expected |= {"err": (0.5, None), "tau@xties": (NAN, 1), "tau@eq": (NAN, 1), "tau@a": (NAN, 0), "pairwise_accuracy": (NAN, 1)}
    for value, wanted in zip((one, tied), expected.get(name, (NAN, NAN)), strict=True):
        if wanted is not None:
            np.testing.assert_equal(value, wanted)


def test_eleven_hundred_items_do_not_overflow():
    ranks = np.arange(1.0, 1101)
    for predicted, ndcg, err in ((ranks, 1.0, 1.0), (ranks[::-1], None, None), (np.ones(1100), None, None)):
        found = [score(name, predicted, ranks) for name in ("ndcg", "err", "mrr", "tau@b", "ndcg@gain=linear")]
        assert np.all(np.isfinite(found) | np.isnan(found))
        if ndcg:
            assert found[:3] == pytest.approx([ndcg, err, 1.0])
    # All tied, each place is as likely: the mean gain at every place; and the first of 1,100 items is somewhere.
    discounts = 1 / np.log2(np.arange(2, 1102))
    gains = 2.0 ** -np.arange(1100)
    assert score("ndcg", np.ones(1100), ranks) == pytest.approx(gains.mean() * discounts.sum() / (gains @ discounts))
    assert score("mrr", np.ones(1100), ranks) == pytest.approx(np.mean(1 / ranks))


@pytest.mark.parametrize("name", ["mrr@relevance=given", "mrr@1:ties=worst:relevance=given", "ndcg@relevance=given"])
def test_where_nothing_is_relevant_there_is_no_value(name):
    predicted, grades = [[1, 2], [1, 2], [2, 1]], [[0, 0], [0, 1], [0, 1]]
    found = score(name, predicted, grades)
    assert np.isnan(found[0]), "all grades are 0"
    assert found[1] < found[2] == 1
    (nothing,) = (there for why, there in mm.measures[name].why_undefined(predicted, grades).items() if why.startswith(NOTHING))
    assert np.asarray(nothing).tolist() == [True, False, False]


def test_gains_of_grades_by_hand():
    """Grades 2, 1, 0, of which the second stands before the first. ERR: R is 1/3, 2/3 and 0 with linear gains, 1/4, 3/4 and 0
    with exponential ones. Q: the gains are 1 and 2, or 1 and 3; those of the ideal list 2 and 3, or 3 and 4."""
    ranks, grades = [2, 1, 3], [2, 1, 0]
    graded = "relevance=given:highest=2"
    assert score(f"nerr@gain=linear:{graded}", ranks, grades) == pytest.approx((1 / 3 + 2 / 9) / (2 / 3 + 1 / 18))
    assert score(f"nerr@{graded}", ranks, grades) == pytest.approx((1 / 4 + 9 / 32) / (3 / 4 + 1 / 32))
    assert score("q_measure@relevance=given", ranks, grades) == pytest.approx((2 / 3 + 5 / 5) / 2)
    assert score("q_measure@gain=exponential:relevance=given", ranks, grades) == pytest.approx((2 / 4 + 6 / 6) / 2)


def test_grades_and_their_highest():
    assert np.isnan(score("ndcg@relevance=given", [1, 2], [0, 0]))
    assert score("err@relevance=given:highest=4", [1, 2], [4, 0]) == pytest.approx(15 / 16)
    assert np.isnan(score("err@relevance=given:highest=3", [1, 2], [4, 0]))
    with pytest.raises(mm.UsageError, match="needs the highest grade"):
        score("err@relevance=given", [1, 2], [4, 0])


def test_direct_assessment_keeps_pairs_far_apart():
    """Human scores 90, 80, 40, 60: the pairs 80-60 and 40-60 and 90-80 are closer than 25."""
    human, outputs = -np.array([90.0, 80, 40, 60]), np.array([1.0, 1, 2, 1])
    np.testing.assert_array_equal(mm.measures["tau@darr"].evidence_of(outputs, human), [2, 0, 0, 1, 0])
    assert score("tau@darr", outputs, human) == pytest.approx(1 / 3)
    assert score("tau@darr", [1, 2], [-75, -50]) == 1  # 25 is far enough


def test_chance_level_is_that_of_random_orders():
    """t_h t_m + (1 - t_h)(1 - t_m) / 2 over all deals of the same predicted ranks."""
    predicted, gold = [1, 1, 2, 3], [1, 2, 2, 3]
    dealt = np.array(list(permutations(predicted)))
    chance = chance_accuracy(pair_counts(np.array([predicted, predicted]), np.array([gold, gold])))
    assert score("pairwise_accuracy", dealt, np.array([gold])).mean() == pytest.approx(chance[0])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3)), min_size=8, max_size=8), st.booleans())
def test_tie_calibration_tries_every_epsilon(values, macro):
    outputs, human = np.reshape([v[0] / 4 for v in values], (2, 4)), np.reshape([v[1] for v in values], (2, 4))
    steps = np.unique([0, *np.abs(outputs[:, :, None] - outputs[:, None, :]).ravel()])
    reached = []
    for step in steps:
        counts = pair_counts(outputs, human, epsilon=step)
        found = mm.measures["pairwise_accuracy"].of_evidence(counts if macro else counts.sum(axis=0))
        reached.append(np.mean(found))
    best = calibrate_ties(outputs, human, macro=macro)
    assert best.accuracy == pytest.approx(max(reached))
    assert best.epsilon == steps[np.flatnonzero(np.isclose(reached, max(reached), rtol=0, atol=1e-12))[0]]


def test_places_of_short_and_of_long_lists_agree(monkeypatch):
    """Found by comparing all items, or by sorting them."""
    rng = np.random.default_rng(2)
    measures = [mm.measures[name] for name in (*LISTS, "err@3", "ndcg@ties=worst", "average_predicted_rank@ranks=middle")]
    for items in (1, 4, 9, 13):
        predicted, gold = rng.integers(1, 5, (2, 300, items)).astype(float)
        predicted[rng.random(predicted.shape) < 0.1] = NAN
        compared = score_together(measures, predicted, gold)
        with monkeypatch.context() as patched:
            patched.setattr(ranks, "_SHORT", 0)
            for one, two in zip(compared, score_together(measures, predicted, gold), strict=True):
                np.testing.assert_allclose(one, two, atol=1e-12)


def test_evidence_is_refused_where_there_is_none():
    with pytest.raises(mm.UsageError, match="no evidence that adds"):
        mm.measures["ndcg"].evidence_of([1, 2], [1, 2])
    with pytest.raises(mm.UsageError, match=r"pass \(\.\.\., 5\): concordant"):
        mm.measures["tau@a"].of_evidence([1, 2])
    with pytest.raises(mm.UsageError, match="knows no classes"):
        mm.measures["ndcg"]([1, 2], [1, 2], classes=["a", "b"])


@pytest.mark.parametrize("items", [256, 257, 400])
def test_pairs_of_many_items_are_counted_in_wide_enough_numbers(items):
    order = np.arange(items)
    assert score("tau@a", order, order) == 1
    assert score("tau@a", order, order[::-1]) == -1
    assert score("tau@wmt13", order, np.where(order == 1, 0.5, order)) == 1


def test_positive_items_without_a_place_stay_in_the_denominator():
    """A relevant document that is not retrieved gains nothing, and average precision is over it too."""
    assert score("average_precision", [1, 2, math.inf], [1, 0, 1]) == pytest.approx(1 / 2)
    assert score("average_precision", [1, 2, 3], [1, 0, 1]) == pytest.approx((1 + 2 / 3) / 2)


def test_sums_over_ties_go_as_far_as_the_largest_group():
    assert most_in(np.array([1.0, 3, 2]), 9) == 3
    assert most_in(np.zeros(0), 9) == 9
