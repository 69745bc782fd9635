"""Judges on trial: leave-one-out tables, the alt-test as published, references, golds, and the words of the verdict."""

import json
import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy.special import stdtr

import metameasure as mm
from metameasure.cli import main
from metameasure.core.errors import DataError, UsageError
from metameasure.evidence.golds import gold_of
from metameasure.statistics.alt_test import alt_test, class_costs, contests, one_sided_p
from rating_cases import SHARED, by_annotator

SMALL = {"a": "1 2 3 3 2 1 4 1 2 5 4 3", "b": "1 2 3 4 2 2 4 1 3 5 . 3", "c": "2 3 3 3 2 3 4 2 2 5 1 ."}
X, Y = "1 2 3 3 3 2 4 1 2 4 3 3", "3 3 3 3 3 3 3 3 3 3 3 3"
# Alignment, judge: rho, mean difference, p, advantage.
PUBLISHED = [
    ("rmse", X, (0.833333, 0.818182, 0.818182), (0, 0, -0.272727), (0.137481, 0.159476, 0.037056), 0.823232),
    ("rmse", Y, (0.583333, 0.454545, 0.545455), None, (0.588761, 0.876196, 0.780226), 0.527778),
    ("accuracy", X, None, (0.083333, 0, -0.181818), (0.224555, 0.159476, 0.061272), 0.823232),
    ("accuracy", Y, None, None, (0.753498, 0.617350, 0.691599), 0.618687),
]


def near(value):
    return pytest.approx(value, abs=5e-7)


def one_judge(row):
    return by_annotator({"judge": row})["judge"]


@pytest.mark.parametrize(("alignment", "row", "rho", "gaps", "p", "advantage"), PUBLISHED)
def test_the_alt_test_is_the_authors_own(alignment, row, rho, gaps, p, advantage):
    found = mm.judge(
        by_annotator(SMALL), {"j": one_judge(row)}, classes="1..5", minimum=5, epsilon=0.2, alignment=alignment, trials=20
    )
    test = found["j"].alt_test
    assert [one.p for one in test.by_annotator] == [near(value) for value in p]
    assert (test.advantage, test.winning_rate, test.passes) == (near(advantage), 0, False)
    if rho is not None:
        assert [one.advantage for one in test.by_annotator] == [near(value) for value in rho]
    if gaps is not None:
        assert [one.difference for one in test.by_annotator] == [near(value) for value in gaps]


def test_ties_of_the_alt_test_are_wins_of_both():
    costs = class_costs([1, 2, 3], "accuracy")
    labels = np.array([[0, 0, 1], [1, 1, 1], [2, 0, 0], [1, 0, 2]])
    test = alt_test(contests(labels, costs), labels[:, 0], minimum=2)
    same = test.by_annotator[0]
    assert (same.advantage, same.ties, same.difference) == (1, 1, 0)
    rng = np.random.default_rng(0)
    test = alt_test(contests(rng.integers(3, size=(40, 3)), costs), rng.integers(3, size=40))
    for one in test.by_annotator:  # the judge, the human or both win
        assert one.ties == pytest.approx(2 * one.advantage + one.difference - 1)
        assert 0 < one.ties < one.advantage < 1


def test_edges_of_the_alt_test():
    """All differences equal: p is 0 under epsilon, NaN at it; nobody with enough items: undefined."""
    assert one_sided_p(np.zeros(40), 0.2) == 0
    assert math.isnan(one_sided_p(np.full(40, 0.2), 0.2))
    assert one_sided_p(np.ones(40), 0.2) == 1
    costs = class_costs([1, 2], "accuracy")
    labels = np.zeros((40, 2), dtype=int)
    assert alt_test(contests(labels, costs), np.zeros(40, dtype=int)).winning_rate == 1
    none = alt_test(contests(labels, costs), np.zeros(40, dtype=int), minimum=41)
    assert (math.isnan(none.winning_rate), math.isnan(none.advantage), none.by_annotator) == (True, True, ())


def test_the_alt_test_is_at_five_per_cent():
    """A judge that always loses beats nobody, unless the level is above 1."""
    costs = class_costs([1, 2], "accuracy")
    contested, judge = contests(np.zeros((40, 3), dtype=int), costs), np.ones(40, dtype=int)
    assert alt_test(contested, judge).winning_rate == 0
    assert alt_test(contested, judge, level=1.0).winning_rate == 1


def test_few_items_leave_an_annotator_out_of_the_rate_but_not_of_the_others():
    costs = class_costs([1, 2, 3], "rmse")
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, (60, 3))
    labels[20:, 2] = -1
    judge = rng.integers(0, 3, 60)
    test = alt_test(contests(labels, costs), judge, minimum=30)
    assert [one.annotator for one in test.by_annotator] == [0, 1]
    without = alt_test(contests(labels[:, :2], costs), judge, minimum=30)
    assert test.by_annotator[0].advantage != without.by_annotator[0].advantage


def test_items_the_judge_lacks_do_not_count():
    costs = class_costs([1, 2, 3], "rmse")
    rng = np.random.default_rng(1)
    labels, judge = rng.integers(0, 3, (80, 3)), rng.integers(0, 3, 80)
    judge[:30] = -1
    test, cut = alt_test(contests(labels, costs), judge), alt_test(contests(labels[30:], costs), judge[30:])
    assert test == cut


def simulated(seed=0, items=300, people=4, judges=(("good", 0.3, 0.0), ("poor", 2.2, -0.6))):
    """People who see the truth with some noise, and judges who see it with less or more."""
    rng = np.random.default_rng(seed)
    truth = np.clip(rng.normal(3.6, 1, items), 1, 5)

    def said(spread, bias, share=1.0):
        labels = np.clip(np.rint(truth + bias + rng.normal(0, spread, items)), 1, 5).astype(int)
        return {f"i{i}": int(label) for i, label in enumerate(labels) if rng.random() < share}

    humans = {f"p{g}": said(0.9, 0, 0.8) for g in range(people)}
    return humans, {name: said(spread, bias) for name, spread, bias in judges}


def by_hand(humans, labels, measure, classes, minimum=30):
    """The leave-one-out tables with dictionaries and loops."""
    found = {}
    for h, own in humans.items():
        tables = {"judge": np.zeros((classes, classes)), "human": np.zeros((classes, classes))}
        number = 0
        for item, label in own.items():
            others = [rated[item] for g, rated in humans.items() if g != h and item in rated]
            if not others or item not in labels:
                continue
            number += 1
            for other in others:
                tables["judge"][other - 1, labels[item] - 1] += 1 / len(others)
                tables["human"][other - 1, label - 1] += 1 / len(others)
        if number >= minimum:
            found[h] = tuple(float(mm.measures[measure](tables[who])) for who in ("judge", "human"))
    return found


@pytest.mark.parametrize("measure", ["kappa_linear", "accuracy", "mae", "cem_ord", "alpha_ordinal"])
def test_leave_one_out_by_hand(measure):
    humans, judges = simulated()
    found = mm.judge(humans, judges, classes="1..5", measures=measure, trials=50)
    for name, labels in judges.items():
        expected = by_hand(humans, labels, measure, 5)
        line = found[name]
        assert {one.annotator: (one.judge, one.human) for one in line.by_annotator} == {
            h: (pytest.approx(j, abs=1e-12), pytest.approx(p, abs=1e-12)) for h, (j, p) in expected.items()
        }
        assert line.value == pytest.approx(np.mean([j for j, _ in expected.values()]))
        assert line.difference == pytest.approx(np.mean([j - p for j, p in expected.values()]))


def test_a_good_and_a_poor_judge():
    humans, judges = simulated()
    found = mm.judge(humans, judges, classes="1..5")
    good, poor = found["good"], found["poor"]
    assert [line.judge for line in found.judges] == ["good", "poor"]
    assert (good.better, good.worse, good.not_worse, good.undecided) == (4, 0, 4, 0)
    assert (poor.better, poor.worse, poor.not_worse) == (0, 4, 0)
    assert good.low > 0 > poor.high
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("good", "poor")
    assert pair.p < 0.01
    assert pair.low > 0
    said = found.verdict
    assert "good agrees with people better than people do with each other (kappa_linear " in said
    assert "Of 4 people it is better than 4 and worse than none" in said
    assert "poor agrees with people less well than people do with each other" in said
    assert "good agrees with people better than poor does" in said


def test_lower_is_better_too():
    humans, judges = simulated()
    found = mm.judge(humans, judges, classes="1..5", measures="mae", trials=200)
    assert found["good"].difference < 0 < found["poor"].difference
    assert (found["good"].better, found["poor"].worse) == (4, 4)
    assert [line.judge for line in found.judges] == ["good", "poor"]
    assert "poor agrees with people less well" in found.verdict


def pairs_by_hand(humans, judges, measure, classes):
    """Every way to swap items between two judges, the same for all pairs, with dictionaries and loops; the largest statistic of
    the pairs that are no more significant, stepped down."""
    twos, items = list(combinations(judges, 2)), sorted({item for rated in humans.values() for item in rated})

    def score(labels):
        return np.mean([judge for judge, _ in by_hand(humans, labels, measure, classes, 2).values()])

    drawn = np.empty((2 ** len(items), len(twos)))
    for row, coins in enumerate(product((False, True), repeat=len(items))):
        swapped = dict(zip(items, coins, strict=True))
        for column, two in enumerate(twos):
            both = [item for item in items if all(item in judges[name] for name in two)]
            ours, others = ({i: judges[two[own != swapped[i]]][i] for i in both} for own in (False, True))
            drawn[row, column] = score(ours) - score(others)
    statistics = np.abs(drawn) / drawn.std(axis=0)
    order, least = np.argsort(-statistics[0]), 0.0
    p = {}
    for place, pair in enumerate(order):
        largest = statistics[:, order[place:]].max(axis=1)
        least = max(least, float((largest >= statistics[0, pair] - 1e-9).mean()))
        p[twos[pair]] = least
    return p, dict(zip(twos, drawn[0], strict=True))


def test_pairs_of_judges_share_their_coins_by_hand():
    rng = np.random.default_rng(4)
    humans = {name: {f"i{i}": int(label) for i, label in enumerate(rng.integers(1, 4, 7))} for name in "ab"}
    judges = {name: {f"i{i}": int(label) for i, label in enumerate(rng.integers(1, 4, 7))} for name in "xyz"}
    judges["x"] = {**humans["a"], "i0": humans["b"]["i0"]}
    del judges["z"]["i3"]
    expected, differences = pairs_by_hand(humans, judges, "accuracy", 3)
    found = mm.judge(humans, judges, classes="1..3", measures="accuracy", minimum=2)
    for pair in found.pairs:
        assert pair.exact
        assert pair.p == pytest.approx(expected[pair.first, pair.second], abs=1e-9)
        assert pair.difference == pytest.approx(differences[pair.first, pair.second], abs=1e-12)
    assert len({*expected.values()}) > 1


@pytest.mark.thorough
def test_eleven_judges_can_be_told_apart():
    """55 pairs and 1,000 trials: Holm's method has p = 55/1001 at best, more than alpha."""
    humans, judges = simulated(items=150, people=3, judges=[("good", 0.2, 0), *((f"poor{j}", 3, 0) for j in range(10))])
    found = mm.judge(humans, judges, classes="1..5", trials=1000)
    assert len(found.pairs) == 55
    assert min(pair.p for pair in found.pairs) == pytest.approx(1 / 1001)
    assert {pair.first for pair in found.pairs if pair.p <= 0.05} == {"good"}
    assert "corrected for all pairs (max-T)" not in str(found)  # 55 pairs are in JSON alone
    two = mm.judge(humans, {name: judges[name] for name in ("good", "poor0", "poor1")}, classes="1..5", trials=99)
    assert "corrected for all pairs (max-T)" in str(two)


def test_half_of_the_people_are_not_most():
    """One of two people is as a rule no better or worse than a judge that is worse than the other."""
    humans, judges = simulated(items=200, people=2, judges=[("fair", 1.1, 0)])
    rng = np.random.default_rng(1)
    humans["p0"] = {item: int(rng.integers(1, 6)) for item in humans["p0"]}
    (line,) = mm.judge(humans, judges, classes="1..5").judges
    assert (line.better, line.worse, line.people) == (1, 0, 2)
    assert "most people" not in mm.judge(humans, judges, classes="1..5").verdict


@pytest.mark.parametrize(("items", "short"), [(45, True), (60, False)])
def test_intervals_over_few_items_are_said_to_be_short(items, short):
    humans, judges = simulated(items=items, people=2, judges=[("good", 0.3, 0)])
    found = mm.judge(humans, judges, classes="1..5", trials=20, minimum=10)
    told = "with fewer than 50 items the intervals of differences are somewhat too short (95% intervals cover 89% to 94%)"
    assert (told in found.notes) == short


def test_better_and_worse_are_one_question():
    """Both together are wrong in one data set of 20, so that a person's p-value is two-sided."""
    humans, judges = simulated(18, items=80, people=2, judges=[("fair", 0.6, 0)])
    (line,) = mm.judge(humans, judges, classes="1..5", trials=9).judges
    one_sided = np.sort([stdtr(one.items - 1, -one.difference / one.se) for one in line.by_annotator])
    corrected = min(one_sided * (2 / np.arange(1, 3)) * (1 + 1 / 2))  # Benjamini and Yekutieli
    assert corrected < 0.05 < 2 * corrected
    assert (line.better, line.worse) == (0, 0)


def test_the_jackknife_error_is_that_of_leaving_out_items():
    humans, judges = simulated(items=40, people=3)
    line = mm.judge(humans, judges, classes="1..5", minimum=5, trials=20)["good"]
    one = line.by_annotator[0]
    own = humans["p0"]
    gaps = []
    for item in own:
        left = {h: ({i: label for i, label in rated.items() if i != item} if h == "p0" else rated) for h, rated in humans.items()}
        if not any(item in rated for h, rated in humans.items() if h != "p0"):
            continue
        judge, human = by_hand(left, judges["good"], "kappa_linear", 5, 2)["p0"]
        gaps.append(judge - human)
    n = len(gaps)
    assert one.se == pytest.approx(np.sqrt((n - 1) / n * np.sum((gaps - np.mean(gaps)) ** 2)), rel=1e-9)


def crowd(seed=0, items=400, people=6):
    """Ratings that are nearly all 4: where a judge that always says 4 passes the alt-test."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([3, 4, 5], items, p=[0.12, 0.76, 0.12])

    def said(share):
        noise = rng.choice([2, 3, 4, 5], items, p=[0.1, 0.2, 0.4, 0.3])
        return np.where(rng.random(items) < share, truth, noise)

    humans = {f"p{g}": {f"i{i}": int(x) for i, x in enumerate(said(0.45))} for g in range(people)}
    return humans, {"llm": {f"i{i}": int(x) for i, x in enumerate(said(0.5))}}


def test_a_constant_judge_that_passes_is_said_behind_the_decision():
    humans, judges = crowd()
    found = mm.judge(humans, judges, classes="1..5", trials=100)
    constant = found.references[0]
    assert (constant.name, constant.kind) == ("always 4", "constant")
    assert constant.winning_rate >= 0.5
    assert constant.value == pytest.approx(0, abs=1e-12)  # kappa is not taken in
    assert found.in_words()[0].startswith("llm agrees with people")
    assert found.in_words()[2].startswith("'always 4' passes the alt-test here (6 of 6 people beaten, advantage ")
    assert "do not rely on it." in found.verdict


def test_the_constant_is_the_alt_test_of_that_constant():
    humans, judges = crowd()
    constant = mm.judge(humans, judges, classes="1..5", trials=20).references[0]
    labels = {f"i{i}": 4 for i in range(400)}
    as_judge = mm.judge(humans, {"four": labels}, classes="1..5", trials=20)["four"]
    assert (as_judge.alt_test.winning_rate, as_judge.alt_test.advantage) == (constant.winning_rate, constant.advantage)
    assert as_judge.value == pytest.approx(constant.value)


def test_shuffled_labels_are_told_from_a_judge_and_not_from_themselves():
    humans, judges = simulated()
    rng = np.random.default_rng(9)
    labels = np.array(list(judges["good"].values()))
    judges["dealt"] = {item: int(label) for item, label in zip(judges["good"], rng.permutation(labels), strict=True)}
    found = mm.judge(humans, judges, classes="1..5", trials=50)
    shuffled = {one.judge: one for one in found.references if one.kind == "shuffled"}
    assert shuffled["good"].p < 0.05 < shuffled["dealt"].p
    assert shuffled["dealt"].advantage == pytest.approx(found["dealt"].alt_test.advantage, abs=0.06)
    assert shuffled["good"].value == pytest.approx(0, abs=1e-12)
    assert "Shuffling dealt's labels over the items leaves its advantage in the alt-test as it is" in found.verdict
    assert "Shuffling good's" not in found.verdict


def test_a_person_in_its_place_by_hand():
    """On items with three ratings or more, the others being neither that person nor the one compared with."""
    rng = np.random.default_rng(2)
    labels = np.clip(np.rint(rng.normal(3, 1, (60, 1)) + rng.normal(0, 0.7, (60, 4))), 1, 5).astype(int)
    labels[rng.random(labels.shape) < 0.15] = 0
    humans = {f"p{g}": {str(i): int(x) for i, x in enumerate(labels[:, g]) if x} for g in range(4)}
    found = mm.judge(humans, {"j": {str(i): 3 for i in range(60)}}, classes="1..5", minimum=5, trials=20)
    rates = []
    for g in range(4):
        rho = []
        for h in range(4):
            won = []
            for row in labels:
                others = [row[o] for o in range(4) if o not in (g, h) and row[o]]
                if g != h and row[g] and row[h] and others:
                    mine, theirs = (sum((row[who] - other) ** 2 for other in others) for who in (g, h))
                    won.append(mine <= theirs)
            if g != h:
                rho.append(np.mean(won))
        rates.append(np.mean(rho))
    person = found.references[-1]
    assert (person.kind, person.advantage) == ("person", pytest.approx(np.mean(rates)))
    assert person.value == pytest.approx(found.human)


def test_golds():
    counts = np.array([[1, 1, 0, 0], [0, 2, 0, 1], [1, 0, 0, 1], [0, 0, 0, 0], [2, 0, 2, 0]], dtype=float)
    values = (1.0, 2.0, 3.0, 4.0)

    def places(how, **more):
        made = gold_of(counts, how, values, **more)
        return [int(row.argmax()) + 1 if row.any() else None for row in made]

    assert places("median") == [1, 2, 1, None, 1]  # the lower of the two in the middle
    assert places("majority") == [1, 2, 1, None, 1]
    assert places("majority", ties="drop") == [None, 2, None, None, None]
    assert places("mean") == [2, 3, 3, None, 2]  # 1.5, 2.67, 2.5 and 2: halves up
    assert gold_of(counts, "distribution", values)[1].tolist() == pytest.approx([0, 2 / 3, 0, 1 / 3])


def test_five_golds_side_by_side():
    humans, judges = simulated()
    found = mm.judge(humans, judges, classes="1..5", trials=20)
    told = found.to_dict()["by_gold"]
    assert list(told) == ["each", "median", "majority", "mean", "distribution"]
    assert told["each"]["scores"] == {line.judge: pytest.approx(line.value) for line in found.judges}
    items = sorted({item for rated in humans.values() for item in rated})
    counts = {item: np.bincount([rated[item] - 1 for rated in humans.values() if item in rated], minlength=5) for item in items}
    ties = sum(int((c == c.max()).sum() > 1) for c in counts.values())
    assert told["majority"]["ties"] == ties > 0
    median = [np.sort(np.repeat(np.arange(1, 6), counts[item]))[(counts[item].sum() - 1) // 2] for item in items]
    expected = mm.score(median, [judges["good"][item] for item in items], "kappa_linear", classes="1..5")
    assert told["median"]["scores"]["good"] == pytest.approx(expected)
    assert {one["best"] for one in told.values()} == {"good"}


def test_tied_majorities_are_of_the_judges_items():
    """Ties on items that no judge has labels for are none of its business."""
    humans, judges = simulated(people=2)
    items = sorted({item for rated in humans.values() for item in rated})
    some = set(items[::3])
    part = {name: {item: label for item, label in said.items() if item in some} for name, said in judges.items()}
    tied = {item for item in items if len({rated[item] for rated in humans.values() if item in rated}) == 2}
    judged = {item for item in some if all(item in rated for rated in humans.values())}
    assert tied - some
    found = mm.judge(humans, part, classes="1..5", trials=20)
    told = found.to_dict()["by_gold"]["majority"]
    assert (told["ties"], told["items"]) == (len(tied & some), len(judged))
    assert f"Majority: {len(tied & some)} of {len(judged)} items are tied." in str(found)


def test_people_that_cannot_be_compared():
    """Somebody who shares no item, and somebody whose score is undefined: each with the reason that holds."""
    humans, judges = simulated()
    found = mm.judge({**humans, "new": {"elsewhere": 1}}, judges, classes="1..5", trials=20)
    assert "new: fewer than 30 items that somebody else rated too, so not compared" in found.notes
    alike = {name: {str(item): 1 for item in range(40)} for name in ("a", "b")}
    flat = mm.judge(alike, {"j": {str(item): 1 + item % 2 for item in range(40)}}, classes="1..2", trials=20)
    assert "a, b: kappa_linear against the others is undefined, so not compared" in flat.notes
    assert not any("fewer than" in note for note in flat.notes)
    with pytest.raises(mm.DataError) as caught:
        mm.judge({"a": {"x": 1}, "b": {"x": 2}}, {"j": {"x": 1}}, classes="1..2", minimum=2)
    assert caught.value.hint == "rate more"


def test_gold_that_contains_the_person_flatters():
    humans, judges = simulated(people=3)
    each, median = (mm.judge(humans, judges, classes="1..5", gold=gold, trials=20) for gold in ("each", "median"))
    (note,) = [note for note in median.notes if "contains their own ratings" in note]
    assert not [note for note in each.notes if "contains their own ratings" in note]
    flattered, honest = (float(part) for part in note.rpartition("would score ")[2].split(" instead of "))
    assert flattered > honest + 0.1
    assert honest == pytest.approx(median.human, abs=0.005)
    assert any("the lower of the two in the middle" in note for note in median.notes)


def test_which_judge_is_best_may_depend_on_gold():
    humans, _ = simulated(seed=4, items=200, people=2)
    items = sorted(humans["p0"].keys() & humans["p1"].keys())
    low = {item: min(humans["p0"][item], humans["p1"][item]) for item in items}
    high = {item: max(humans["p0"][item], humans["p1"][item]) for item in items}
    both = {h: {item: rated[item] for item in items} for h, rated in humans.items()}
    found = mm.judge(both, {"low": low, "high": high}, classes="1..5", trials=20)
    best = {one.gold: one.best for one in found.by_gold}
    assert (best["median"], best["mean"]) == ("low", "high")
    assert "Which judge is best depends on what gold is: " in found.verdict


def test_bias_and_shares():
    humans = {f"p{g}": {str(i): 2 + (i + g) % 2 for i in range(60)} for g in range(2)}
    found = mm.judge(humans, {"high": {str(i): 4 if i % 2 else 3 for i in range(60)}}, classes="1..5", trials=20)
    bias = found["high"].bias
    assert bias.mean == pytest.approx(1.0)
    assert bias.low < 1 < bias.high
    assert bias.judge == (0, 0, 0.5, 0.5, 0)
    assert bias.people == pytest.approx((0, 0.5, 0.5, 0, 0))
    told = found.to_dict()["judges"][0]["bias"]
    assert told["shares"]["4"] == {"judge": 0.5, "people": 0}


def test_positions_of_pairwise_labels():
    """Which of two texts is better: a judge that favours the first one shows in the shares."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 100)
    humans = {f"p{g}": {str(i): "AB"[t if rng.random() < 0.9 else 1 - t] for i, t in enumerate(truth)} for g in range(3)}
    found = mm.judge(
        humans,
        {"first": {str(i): "A" if rng.random() < 0.9 else "B" for i in range(100)}},
        classes="A,B",
        kind="nominal",
        trials=20,
    )
    assert found.measure == "kappa"
    assert found.alignment == "accuracy"
    assert math.isnan(found["first"].bias.mean)
    assert found["first"].bias.judge[0] > found["first"].bias.people[0] + 0.2


def repeated_rows(labels, times, rng):
    rows = ["item\tlabel\tsample"]
    for item, label in labels.items():
        rows += [f"{item}\t{int(np.clip(label + rng.integers(-1, 2), 1, 5))}\t{time}" for time in range(times)]
    return rows


def test_repeated_outputs(tmp_path):
    humans, judges = simulated()
    rng = np.random.default_rng(0)
    path = tmp_path / "llm.tsv"
    path.write_text("\n".join(repeated_rows(judges["good"], 5, rng)), encoding="utf-8")
    with pytest.raises(mm.DataError, match="again"):
        mm.judge(humans, [path], classes="1..5", trials=20)
    line = mm.judge(humans, [path], classes="1..5", columns={"repeat": "sample"}, trials=20)["llm"]
    same = line.consistency
    assert same.outputs == 5
    assert 0.2 < same.agreement < 0.6
    assert same.single == pytest.approx(line.value)  # shares of the outputs: the expectation of one of them
    assert same.gain == pytest.approx(same.averaged - same.single)
    assert same.gain > 0.02
    with pytest.raises(UsageError, match="nobody has several ratings of an item by 'time'"):
        mm.judge(humans, judges, classes="1..5", columns={"repeat": "time"})
    plain = mm.judge(humans, judges, classes="1..5", trials=20)["good"]
    assert plain.consistency is None
    assert plain.value > line.value


def test_labels_outside_the_scale_are_said_by_file_and_line(tmp_path, capsys):
    humans, judges = simulated()
    (tmp_path / "people.json").write_text(json.dumps(humans), encoding="utf-8")
    rows = ["item\tlabel", *(f"{item}\t{label}" for item, label in judges["good"].items())]
    rows[4], rows[9] = rows[4].split("\t")[0] + "\t7", rows[9].split("\t")[0] + "\tgood!"
    (tmp_path / "llm.tsv").write_text("\n".join(rows), encoding="utf-8")
    arguments = ["judge", str(tmp_path / "people.json"), str(tmp_path / "llm.tsv"), "--classes", "1..5", "--trials", "20"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert f"{tmp_path}/llm.tsv:5: label '7' is not one of the classes" in out
    assert f"{tmp_path}/llm.tsv:10: label 'good!' is not one of the classes" in out
    assert main([*arguments, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["line"] for one in told["outside"]] == [5, 10]
    many = [*rows[:10], *(f"{row.split(chr(9))[0]}\t8" for row in rows[10:50]), *rows[50:]]
    (tmp_path / "llm.tsv").write_text("\n".join(many), encoding="utf-8")
    assert main(arguments) == 0
    assert "llm.tsv: 22 more labels are outside the scale." in capsys.readouterr().out
    assert told["judges"][0]["items"] == len({item for rated in humans.values() for item in rated}) - 2


def test_clusters_widen_the_interval(tmp_path):
    """Articles in which judge and people go wrong together."""
    rng = np.random.default_rng(0)
    rows = ["item,doc,annotator,label"]
    for doc in range(30):
        shift = rng.normal(0, 0.9, 4)  # for the judge and each person
        for part in range(10):
            truth = rng.normal(3, 1)
            for who, name in enumerate(("llm", "p1", "p2", "p3")):
                label = int(np.clip(np.rint(truth + shift[who] + rng.normal(0, 0.4)), 1, 5))
                rows.append(f"{doc}-{part},d{doc},{name},{label}")
    (tmp_path / "r.csv").write_text("\n".join(rows), encoding="utf-8")
    plain = mm.judge(tmp_path / "r.csv", among=["llm"], classes="1..5", trials=300)
    whole = mm.judge(tmp_path / "r.csv", among=["llm"], classes="1..5", trials=300, columns={"cluster": "doc"})
    one, other = plain["llm"], whole["llm"]
    assert (one.value, one.difference) == (pytest.approx(other.value), pytest.approx(other.difference))
    assert (plain.units, whole.units) == ("items", "clusters")
    assert other.high - other.low > 1.2 * (one.high - one.low)
    assert other.design_effect == pytest.approx((other.se / one.se) ** 2)
    assert other.design_effect > 1.4
    assert one.design_effect == 1
    assert any("30 clusters are drawn and left out whole; design effect" in note for note in whole.notes)
    alone = "the alt-test takes each item by itself"
    assert [any(alone in note for note in found.notes) for found in (plain, whole)] == [False, True]


def test_judges_among_the_annotators():
    humans, judges = simulated()
    inside = mm.judge({**humans, **judges}, among=["good", "poor"], classes="1..5", trials=20)
    outside = mm.judge(humans, judges, classes="1..5", trials=20)
    assert [line.value for line in inside.judges] == [pytest.approx(line.value) for line in outside.judges]
    with pytest.raises(UsageError, match="no ratings by a judge 'god'; did you mean 'good'"):
        mm.judge({**humans, **judges}, among=["god"], classes="1..5")
    with pytest.raises(UsageError, match="every annotator is a judge"):
        mm.judge(humans, among=list(humans), classes="1..5")


def test_a_judge_like_a_person_is_not_worse():
    """The same person twice: no difference at all."""
    humans, _ = simulated(people=3)
    found = mm.judge(humans, {"twin": dict(humans["p0"])}, classes="1..5", trials=20)
    against = {one.annotator: one for one in found["twin"].by_annotator}
    assert (against["p0"].difference, against["p0"].se) == (0, pytest.approx(0, abs=1e-12))
    assert (against["p0"].better, against["p0"].worse, against["p0"].not_worse) == (False, False, True)


def test_several_measures():
    humans, judges = simulated()
    found = mm.judge(humans, judges, classes="1..5", measures="kappa_linear,mae", trials=20)
    assert [part["measure"] for part in found.to_dict()["measures"]] == ["kappa_linear", "mae"]
    assert found.by("mae")["good"].better == 4
    with pytest.warns(DeprecationWarning, match=r"found.by\('mae'\)"):
        assert found["mae"]["good"].better == 4
    assert "kappa_linear" in found.render("csv")


def test_what_cannot_be_asked():
    humans, judges = simulated()
    with pytest.raises(UsageError, match="there is no judge"):
        mm.judge(humans, classes="1..5")
    with pytest.raises(DataError, match="nobody has 30 items that somebody else rated too; the most is 12"):
        mm.judge(by_annotator(SMALL), {"x": one_judge(X)}, classes="1..5")
    with pytest.raises(DataError, match=r"no item has ratings by two people.*metameasure evaluate"):
        mm.judge({"gold": humans["p0"]}, judges, classes="1..5")
    with pytest.raises(UsageError, match="'p0' is the name of two annotators or judges"):
        mm.judge(humans, {"p0": judges["good"]}, classes="1..5")
    with pytest.raises(UsageError, match="nominal classes have no median"):
        mm.judge(humans, judges, classes="1..5", kind="nominal", gold="median")
    with pytest.raises(UsageError, match="ndcg is not a score of a table"):
        mm.judge(humans, judges, classes="1..5", measures="ndcg")
    with pytest.raises(UsageError, match="none of the items that people rated"):
        mm.judge(humans, {"x": {"other": 1}}, classes="1..5")


def test_json_has_the_interfaces_keys():
    humans, judges = simulated()
    told = json.loads(mm.judge(humans, judges, classes="1..5", trials=20).render("json"))
    assert {"measure", "gold", "human", "judges", "references", "by_gold", "verdict"} <= told.keys()
    assert {"mean", "by_annotator"} <= told["human"].keys()
    one = told["judges"][0]
    assert {"judge", "items", "value", "difference", "low", "high", "better", "worse", "undecided", "not_worse"} <= one.keys()
    assert {"epsilon", "alignment", "winning_rate", "advantage", "ties", "by_annotator"} <= one["alt_test"].keys()
    assert {"mean", "shares"} <= one["bias"].keys()
    assert "consistency" in one


def test_the_command_prints_every_format_and_draws(tmp_path, capsys):
    humans, judges = simulated()
    (tmp_path / "people.json").write_text(json.dumps(humans), encoding="utf-8")
    for name, labels in judges.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(labels), encoding="utf-8")
    arguments = ["judge", str(tmp_path / "people.json"), *(str(tmp_path / f"{n}.json") for n in judges), "--classes", "1..5"]
    for format in ("table", "json", "csv", "markdown", "latex", "html"):
        assert main([*arguments, "--trials", "20", "--format", format]) == 0
        assert "good" in capsys.readouterr().out
    assert main([*arguments, "--trials", "20", "--chart", str(tmp_path / "c.png")]) == 0
    assert (tmp_path / "c.png").stat().st_size > 5000
    out = capsys.readouterr().out
    assert out.startswith("verdict\n")
    said = out.partition("\n\n")[0].splitlines()
    assert max(map(len, said)) <= 80


def test_same_seed_same_bytes():
    humans, judges = simulated()
    once, again, other = (mm.judge(humans, judges, classes="1..5", seed=seed, trials=50).render("json") for seed in (0, 0, 1))
    assert once == again != other


@pytest.mark.needs("shared-data")
def test_judges_as_runs_of_one_gold():
    """LLMJudge has one label per item, so that its judges are runs: accuracy and macro MAE rank them differently."""
    files = sorted((SHARED / "llmjudge" / "judges").glob("*.tsv"))
    gold = SHARED / "llmjudge" / "gold.tsv"
    sound = [file for file in files if file.stem != "RMITIR-llama70B"]
    scores = mm.evaluate(gold, sound, classes="0..3", measures=["accuracy", "mae_macro"])
    assert mm.meta.similarity(scores).to_dict()["tau"][0][1] == pytest.approx(0.345455, abs=5e-7)
    with pytest.raises(mm.DataError, match=r"RMITIR-llama70B.tsv:\d+: label '.*' is not one of the classes"):
        mm.evaluate(gold, files, classes="0..3", measures=["accuracy"])


def test_a_frame_of_judges():
    humans, judges = simulated()
    frame = mm.judge(humans, judges, classes="1..5", trials=20).to_frame("polars")
    assert frame["judge"].to_list() == ["good", "poor"]
    several = mm.judge(humans, judges, classes="1..5", measures="mae,kappa_linear", trials=20).to_frame("pandas")
    assert several["measure"].tolist() == ["mae", "mae", "kappa_linear", "kappa_linear"]


def test_topics_tell_items_apart_where_both_sides_have_them(tmp_path):
    """Two aspects of the same summaries, as SummEval has them; a judge without topics fits only where ids are unique."""
    humans, judges = simulated()
    rows, mine = ["topic,item,annotator,label"], ["topic,item,label"]
    for topic, shift in (("fluency", 0), ("coherence", 1)):
        rows += [f"{topic},{i},{who},{max(1, label - shift)}" for who, rated in humans.items() for i, label in rated.items()]
        mine += [f"{topic},{i},{max(1, label - shift)}" for i, label in judges["good"].items()]
    (tmp_path / "people.csv").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "good.csv").write_text("\n".join(mine), encoding="utf-8")
    found = mm.judge(tmp_path / "people.csv", [tmp_path / "good.csv"], classes="1..5", trials=20)
    assert found["good"].items == 2 * len({i for rated in humans.values() for i in rated})
    assert found["good"].better == 4
    with pytest.raises(UsageError, match="people's items have topics, but the judges' labels have none"):
        mm.judge(tmp_path / "people.csv", {"good": judges["good"]}, classes="1..5")
    one = ["topic,item,annotator,label", *(row for row in rows if row.startswith("fluency"))]
    (tmp_path / "one.csv").write_text("\n".join(one), encoding="utf-8")
    plain = mm.judge(humans, {"good": judges["good"]}, classes="1..5", trials=20)
    unique = mm.judge(tmp_path / "one.csv", {"good": judges["good"]}, classes="1..5", trials=20)
    assert unique["good"].value == pytest.approx(plain["good"].value)


def test_the_verdict_decides_first_then_speaks_of_bias_then_of_the_alt_test():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 300)

    def sees(noise, shift=0.0):
        return dict(enumerate(np.clip(np.rint(truth + shift + rng.normal(0, noise, 300)), 1, 5).astype(int).tolist()))

    people = {name: sees(0.6) for name in ("ann", "bob", "cyd")}
    found = mm.judge(people, {"gpt": sees(0.9, 0.4)}, classes="1..5", trials=300, margin=0.01)
    line, said = found["gpt"], found.in_words()
    assert line.high < 0
    assert "less well than people do with each other" in said[0]
    assert "may or may not" not in " ".join(said)
    assert said[1].startswith("gpt's labels are ")
    assert "higher than people's on average" in said[1]
    loose = mm.judge(people, {"gpt": sees(0.9, 0.4)}, classes="1..5", trials=300, margin=0.01, epsilon=0.6)
    assert loose["gpt"].alt_test.passes
    assert loose.in_words()[2].startswith("The alt-test says otherwise: gpt passes it")
    assert "Best:" not in found.render("table", notes="all")
