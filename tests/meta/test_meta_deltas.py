"""Deltas of two runs, and coverage of a reference set: constructed cases with known answers."""

import json
import math

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from meta_cases import evidence, matrix, mirrored, noisy, quantification, three_measures
from metameasure.meta.unanimous_coverage import unanimous_improvement
from metameasure.statistics.correlation import fisher_interval, pearson

# Five topics, runs a and b: by accuracy a wins 3, b 1, one tie; by mae (lower is better) a wins 1, b 3, one tie.
ACCURACY = matrix("accuracy", [[0.9, 0.5], [0.8, 0.6], [0.7, 0.6], [0.2, 0.4], [0.5, 0.5]], "ab")
MAE = matrix("mae", [[0.1, 0.3], [0.6, 0.4], [0.5, 0.2], [0.3, 0.3], [0.4, 0.1]], "ab")


class TestDeltas:
    def test_wins_ties_and_quadrants_by_hand(self):
        found = mm.meta.deltas([ACCURACY, MAE], "a", "b")
        np.testing.assert_allclose(found.values, [[0.4, 0.2, 0.1, -0.2, 0], [0.2, -0.2, -0.3, 0, -0.3]])
        assert found.wins().tolist() == [[3, 1, 1], [1, 3, 1]]
        (pair,) = found.pairs
        # Topics t1 and t2 are of strictly opposite signs; a tie disagrees with nobody.
        assert (pair.first_prefers_a, pair.first_prefers_b, pair.disagree) == (2, 0, 2)

    def test_the_interfaces_json(self):
        told = json.loads(mm.meta.deltas([ACCURACY, MAE], runs="a,b").render("json"))
        assert (told["run_a"], told["run_b"]) == ("a", "b")
        assert told["measures"][0] == {"id": "accuracy", "a_wins": 3, "b_wins": 1, "ties": 1}
        assert {"first", "second", "pearson", "low", "high", "disagree"} <= set(told["pairs"][0])
        assert told["pairs"][0]["furthest"][0]["topic"] == "t1"

    def test_changing_places_changes_signs_only(self):
        one, other = (mm.meta.deltas([ACCURACY, MAE], *runs) for runs in ("ab", "ba"))
        np.testing.assert_array_equal(one.values, -other.values)
        assert one.pairs[0].pearson == other.pairs[0].pearson
        assert (one.pairs[0].first_prefers_a, one.pairs[0].disagree) == (other.pairs[0].first_prefers_b, other.pairs[0].disagree)

    def test_mirror_images_never_disagree(self):
        found = mm.meta.deltas(mirrored(noisy()), "r7", "r2")
        (pair,) = found.pairs
        assert pair.pearson == pytest.approx(1)
        assert pair.disagree == 0
        assert found.wins()[0].tolist() == found.wins()[1].tolist()

    def test_rounding_is_a_tie(self):
        near = matrix("accuracy", [[0.1 + 0.2, 0.3], [0.5, 0.4], [0.2, 0.1], [0.2, 0.1]], "ab")
        assert mm.meta.deltas([near, MAE], "a", "b", incomplete="drop-topics").wins()[0].tolist() == [3, 0, 1]

    def test_totals_over_data_sets(self):
        """As in Table 7 of Sakai (LQ 2021): counts add up; names may be patterns that fit one run in each data set."""

        def renamed(scores, prefix):
            return [matrix(part.measure, part.values[0], [prefix + run for run in part.runs]) for part in scores]

        parts = {"A": renamed(three_measures(), "A_"), "E": renamed(three_measures(30, seed=3), "E_")}
        found = mm.meta.deltas(parts, "*_r7", "*_r1")
        np.testing.assert_array_equal(found.wins(), sum(part.wins() for part in found.data))
        assert (found.data[1].run_a, found.run_b) == ("E_r7", "*_r1")
        assert len(found.topics) == 70
        both = np.concatenate([part.values for part in found.data], axis=1)
        assert found.pairs[0].pearson == pytest.approx(stats.pearsonr(both[0], both[1]).statistic)
        assert "total" in str(found)

    def test_distributions_of_the_topics_that_differ_most(self):
        """Sakai (LQ 2021), Figure 3."""
        scores, gold, runs = quantification(topics=30)
        topics = sorted(scores[0].topics)
        shown = evidence(scores, gold, runs)
        found = mm.meta.deltas(scores, "popularity-C", "uniform-C", measures="nmd,rnod", distributions=shown)
        top = found.furthest("nmd", "rnod", 2)
        apart = found.values[0] - found.values[1]
        assert [told["topic"] for told in top] == [topics[place] for place in np.argsort(-np.abs(apart))[:2]]
        place = topics.index(top[0]["topic"])
        assert top[0]["gold"] == gold[place].tolist()
        assert top[0]["b"] == [0.2] * 5
        assert "0.20 0.20 0.20 0.20 0.20" in str(found)

    @pytest.mark.parametrize(
        "runs", [None, "a", "a,a", "a,b,c", "r*,r2"], ids=["none", "one", "twice", "three", "a pattern that fits many"]
    )
    def test_two_runs_have_to_be_named(self, runs):
        data = [matrix("accuracy", noisy(5, 4), "abcr"), matrix("mae", noisy(5, 4), "abcr")]
        with pytest.raises(mm.UsageError, match=r"name two: runs='A,B'|there is no run"):
            mm.meta.deltas(data, runs=runs)


class TestFisher:
    def test_the_value_in_the_definitions(self):
        assert fisher_interval(0.8, 300) == (pytest.approx(0.7552, abs=5e-5), pytest.approx(0.8374, abs=5e-5))

    def test_against_scipy(self):
        x, y = np.random.default_rng(0).normal(size=(2, 25))
        found = stats.pearsonr(x, y)
        assert pearson(x, y) == pytest.approx(found.statistic)
        assert fisher_interval(pearson(x, y), 25, 0.9) == pytest.approx(tuple(found.confidence_interval(0.9)))

    def test_undefined(self):
        assert math.isnan(pearson(np.ones(4), np.arange(4.0)))
        assert math.isnan(pearson(np.array([0.1 + 0.2, 0.3, 0.3]), np.arange(3.0)))
        assert math.isnan(pearson(np.ones(1), np.ones(1)))
        assert all(map(math.isnan, fisher_interval(0.5, 3)))
        assert fisher_interval(1.0, 10) == (1.0, 1.0)


# definitions.md: two measures, three systems (rows), two cases.
M1, M2 = (
    matrix(name, np.array(rows).T, "123")
    for name, rows in (("m1", [[0.9, 0.8], [0.5, 0.6], [0.5, 0.4]]), ("m2", [[0.7, 0.6], [0.8, 0.5], [0.2, 0.5]]))
)


class TestCoverage:
    def test_the_values_in_the_definitions(self):
        found = mm.meta.coverage([M1, M2], better="higher")
        assert [found.uir[0, 1], found.uir[0, 2], found.uir[1, 2]] == [0.5, 1, 1]
        assert found.coverage[0] == pytest.approx(0.7945, abs=5e-5)

    def test_ordered_pairs_by_scipy(self):
        """The Spearman correlation over (s, s') and (s', s)."""
        (data,) = mm.meta.data_sets(three_measures(10, 5)).values()
        values, means = data.oriented_values(), data.oriented()
        pairs = [(s, t) for s in range(5) for t in range(5) if s != t]
        better = [(values[:, :, s] >= values[:, :, t]).all(axis=0).sum() for s, t in pairs]
        worse = [(values[:, :, t] >= values[:, :, s]).all(axis=0).sum() for s, t in pairs]
        uir = (np.array(better) - np.array(worse)) / 10
        expected = [stats.spearmanr([means[m, s] - means[m, t] for s, t in pairs], uir).statistic for m in range(3)]
        np.testing.assert_allclose(mm.meta.coverage(data).coverage, expected)

    def test_the_order_of_runs_does_not_matter(self):
        data = three_measures(10, 6)
        turned = [matrix(part.measure, part.values[0][:, ::-1], part.runs[::-1]) for part in data]
        np.testing.assert_allclose(mm.meta.coverage(data).coverage, mm.meta.coverage(turned).coverage)

    def test_a_reference_of_one_measure_covers_it_and_its_mirror_image(self):
        """Where runs are in the same order on every topic, UIR is 1 or -1 and goes with any increasing measure."""
        steady = np.tile(np.arange(4.0), (5, 1))
        found = mm.meta.coverage(mirrored(steady), reference="accuracy")
        np.testing.assert_allclose(found.coverage[0], found.coverage[1])
        signs, gaps = zip(*((np.sign(s - t), s - t) for s in range(4) for t in range(4) if s != t), strict=True)
        assert found.coverage[0] == pytest.approx(stats.spearmanr(signs, gaps).statistic)

    def test_other_reference_sets(self):
        """The objection of Sakai (2021), Section 2.1: with another reference set the outcome may differ."""
        data = three_measures(20, 6)
        found = mm.meta.coverage(data, reference="accuracy")
        assert found.sets == (("cem_ord",), ("mae",))
        for other, row in zip(found.sets, found.others, strict=True):
            np.testing.assert_array_equal(row, mm.meta.coverage(data, reference=other).coverage)
        low, high = found.ranges()
        assert np.all((low <= found.coverage) & (found.coverage <= high))
        assert found.best_under() == {"accuracy": 1, "cem_ord": 1, "mae": 1}

    def test_one_reference_measure_left_out(self):
        data = three_measures(20, 6)
        found = mm.meta.coverage(data, reference="accuracy,mae")
        np.testing.assert_array_equal(found.without["mae"], mm.meta.coverage(data, reference="accuracy").coverage)
        told = found.to_dict()
        assert told["reference"] == ["accuracy", "mae"]
        assert set(told["measures"][0]["without"]) == {"accuracy", "mae"}
        assert np.array(told["uir"]).shape == (6, 6)

    def test_blocks_of_topics_add_up(self, monkeypatch):
        values = np.random.default_rng(0).random((3, 50, 6))
        expected = unanimous_improvement(values, [(0, 1), (2,)])
        halves = [unanimous_improvement(values[:, part], [(0, 1), (2,)]) for part in (slice(0, 20), slice(20, 50))]
        np.testing.assert_allclose(expected, (20 * halves[0] + 30 * halves[1]) / 50)

    def test_many_measures_take_a_sample_of_sets(self):
        data = [matrix(f"m{k}", noisy(4, 4, k)) for k in range(12)]
        found = mm.meta.coverage(data, reference="m0,m1,m2,m3,m4", better="higher")
        assert 100 < len(found.sets) <= 205
        assert found.sets == mm.meta.coverage(data, reference="m0,m1,m2,m3,m4", better="higher").sets

    def test_undefined_and_data_sets(self):
        flat = matrix("cem_ord", np.ones((3, 3)))
        found = mm.meta.coverage([matrix("accuracy", noisy(3, 3)), flat], reference="accuracy")
        assert math.isnan(found.coverage[1])
        assert [part["id"] for part in found.to_dict()["measures"]] == ["accuracy", "cem_ord"]
        parts = {"x": three_measures(10, 5), "y": three_measures(12, 6, seed=2)}
        both = mm.meta.coverage(parts, reference="accuracy")
        np.testing.assert_allclose(both.coverage, np.mean([part.coverage for part in both.data], axis=0))
        assert both.to_dict()["uir"] == []

    def test_unknown_reference(self):
        with pytest.raises(mm.UsageError, match="did you mean 'accuracy'"):
            mm.meta.coverage(three_measures(), reference="acuracy")


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_correlation_of_tiny_and_huge_deltas(size):
    from metameasure.statistics.correlation import pearson

    x, y = np.array([1.0, 2.0, 4.0, 3.0]), np.array([2.0, 1.0, 4.0, 5.0])
    assert pearson(x * size, y / size) == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_distributions_beside_deltas_on_the_command_line(run, tmp_path):
    (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,.6\n1,y,.4\n2,x,.1\n2,y,.9\n3,x,.5\n3,y,.5\n")
    (tmp_path / "mine.csv").write_text("topic,class,probability\n1,x,1\n2,y,1\n3,x,.5\n3,y,.5\n")
    files = (tmp_path / "gold.csv", tmp_path / "mine.csv")
    classes = ("--classes", "x,y")
    flags = ("--task", "quantification", "--baselines", "--measures", "nmd,rnod", "--scores", tmp_path / "scores.csv")
    assert run("evaluate", *files, *classes, *flags)[0] == 0
    asked = ("meta", "deltas", tmp_path / "scores.csv", "--runs", "mine,Uniform")
    status, out, err = run(*asked, "--gold", files[0], "--estimates", files[1], *classes)
    assert (status, err) == (0, "")
    assert "0.10 0.90  0.00 1.00  0.50 0.50" in " ".join(out.split("\n")), "gold, a and b of topic 2"
    status, _, err = run(*asked, "--gold", files[0])
    assert status == 2
    assert "distributions need --gold, --estimates and --classes" in err
