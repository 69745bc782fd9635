"""Rankings of many lengths side by side, and how far their judges agree."""

import itertools
import math
import random
from dataclasses import fields

import numpy as np
import pytest

from metameasure.core.errors import DataError, UsageError
from metameasure.evidence.judges import judge_agreement
from metameasure.evidence.rankings import Rankings
from ranking_tables import HEAD, from_files, read_long, wmt, write


def ragged(lengths, runs=2, seed=0):
    draw = np.random.default_rng(seed)
    gold = [draw.integers(1, length + 1, length).astype(float).tolist() for length in lengths]
    return gold, {f"run{run}": [draw.permutation(ranking).tolist() for ranking in gold] for run in range(runs)}


@pytest.mark.parametrize("lengths", [[1], [5] * 40, [2, 3, 1, 5, 3, 2], [1100, 2, 7], list(range(1, 300, 3)) * 2])
def test_blocks_hold_every_segment_once(lengths):
    gold, runs = ragged(lengths)
    rankings = Rankings.of(gold, runs)
    seen, padding = [], 0
    for segments, cells, inside in rankings.blocks():
        predicted, gold_ranks = rankings.arrays("ranks", cells, inside)
        assert gold_ranks.shape == predicted.shape[1:] == (len(segments), gold_ranks.shape[1])
        for place, segment in enumerate(segments.tolist()):
            size = lengths[segment]
            assert gold_ranks[place, :size].tolist() == gold[segment]
            assert [run[place, :size].tolist() for run in predicted] == [rankings[segment] for rankings in runs.values()]
            assert np.isnan(gold_ranks[place, size:]).all()
            assert np.isnan(predicted[:, place, size:]).all()
            padding += gold_ranks.shape[1] - size
        seen += segments.tolist()
    assert sorted(seen) == list(range(len(lengths)))
    assert padding <= sum(lengths) / 4


def test_scores_stand_in_for_ranks_turned_round(tmp_path):
    gold = write(tmp_path / "gold.csv", HEAD, [("s", "a", 1), ("s", "b", 2)])
    scored = write(tmp_path / "scored.csv", ("segment", "item", "score"), [("s", "a", 0.5), ("s", "b", 0.25)])
    ranked = write(tmp_path / "ranked.csv", HEAD, [("s", "a", 2), ("s", "b", 1)])
    rankings = from_files(gold, [scored, ranked])
    ((_, cells, inside),) = rankings.blocks()
    predicted, human = rankings.arrays("ranks@scores", cells, inside)
    assert human.tolist() == [[1, 2]]
    assert predicted.tolist() == [[[-0.5, -0.25]], [[2, 1]]]


def test_rankings_that_do_not_fit_together():
    good = Rankings.of([[1, 2]], {"r": [[2, 1]]})
    facts = {field.name: getattr(good, field.name) for field in fields(good)}
    for name, value, error in [
        ("starts", np.array([0, 1]), UsageError),
        ("predicted", np.ones((2, 2)), UsageError),
        ("judges", (), UsageError),
        ("gold", np.array([0.0, 1.0]), DataError),
        ("predicted", np.array([[np.inf, 1.0]]), DataError),
        ("topics", (), DataError),
    ]:
        with pytest.raises(error, match="; "):
            Rankings(**facts | {name: value})
    with pytest.raises(UsageError, match="two segments are called 'x'"):
        Rankings.of([[1], [1]], {}, topics=["x", "x"])
    with pytest.raises(DataError, match="other lengths"):
        Rankings.of([[1, 2]], {"r": [[1]]})


def naive_agreement(rankings):
    """Every two rankings of one source, every two items that both rank."""
    counts = {"inter": [0, 0], "intra": [0, 0]}
    judged = []
    for place, (start, end) in enumerate(itertools.pairwise(rankings.starts)):
        ranks = {rankings.items[at]: rankings.gold[at] for at in range(start, end) if not math.isnan(rankings.gold[at])}
        if rankings.judges[place] is not None:
            judged.append((rankings.sources[place], rankings.judges[place], ranks))
    for (source, judge, ranks), (other_source, other, others) in itertools.combinations(judged, 2):
        if source != other_source:
            continue
        for a, b in itertools.combinations(sorted(ranks.keys() & others.keys()), 2):
            kind = counts["intra" if judge == other else "inter"]
            kind[0] += 1
            kind[1] += np.sign(ranks[a] - ranks[b]) == np.sign(others[a] - others[b])
    pairs = [np.sign(x - y) for *_, ranks in judged for x, y in itertools.combinations(ranks.values(), 2)]
    return counts, len(pairs), pairs.count(0)


def test_agreement_of_judges_equals_comparing_all(tmp_path):
    draw = random.Random(4)  # noqa: S311
    rows = [
        (
            str(draw.randint(1, 5)),
            draw.choice(["ann", "bob", "cyd", ""]),
            draw.sample("abcdef", 5),
            draw.choices([-1, 1, 2, 3], k=5),
        )
        for _ in range(60)
    ]
    (tmp_path / "wmt.csv").write_text(wmt(rows, 5), encoding="utf-8")
    rankings = from_files(tmp_path / "wmt.csv")
    found, (counts, judgements, ties) = judge_agreement(rankings), naive_agreement(rankings)
    assert [found.inter.compared, found.inter.agreed] == counts["inter"]
    assert [found.intra.compared, found.intra.agreed] == counts["intra"]
    assert (found.judgements, found.ties) == (judgements, ties)
    own = found.pairs[:, 0] == found.pairs[:, 1]
    assert (found.compared[own].sum(), found.agreed[~own].sum()) == (counts["intra"][0], counts["inter"][1])


def test_kappa_by_hand():
    """Two judges on one pair each of two segments, agreeing once, one judgement of four a tie: P(E) = 1/16 + 9/32."""
    from metameasure.evidence.judges import AgreedPairs

    agreement = AgreedPairs(2, 1, 0.25)
    assert agreement.expected == 11 / 32
    assert agreement.kappa == pytest.approx((1 / 2 - 11 / 32) / (21 / 32))
    assert math.isnan(AgreedPairs(0, 0, 0.25).kappa)
    assert math.isnan(AgreedPairs(3, 3, 1.0).kappa)


def test_no_judges_no_comparisons(tmp_path):
    found = judge_agreement(read_long(tmp_path))
    assert (found.inter.compared, found.intra.compared, found.judgements, len(found.pairs)) == (0, 0, 0, 0)
