"""What measures can do as Sakai (ACL 2021) prints it; and the finding of Sakai (LQ 2021) about baselines, on data made here."""

import numpy as np
import pytest

import metameasure as mm
from meta_cases import BASELINES, quantification
from metameasure.meta.abilities import abilities_of
from metameasure.meta.measure_summary import ratings

# Sakai (ACL 2021), Table 4, columns I to III, and Table 7, columns I and II.
TABLE_4_OC = {
    "kappa_linear": (True, False, True),
    "alpha_ordinal": (True, True, True),
    "alpha_interval": (True, True, True),
    "cem_ord": (True, True, True),
    "mae_macro": (True, True, True),
    "f1_macro": (False, True, True),
    "hmpr": (False, True, True),
    "mae": (True, True, False),
    "accuracy": (False, True, False),
}
TABLE_7_OQ = {
    "nmd": (True, True),
    "rsnod": (True, True),
    "rnod": (True, False),
    "nvd": (False, True),
    "rnss": (False, True),
    "jsd": (False, True),
}


@pytest.mark.parametrize(("measure", "ticks"), [*TABLE_4_OC.items(), *TABLE_7_OQ.items()])
def test_what_measures_can_do_as_printed(measure, ticks):
    assert tuple(abilities_of(mm.measures[measure]).values()) == ticks


def test_abilities_that_cannot_be_tried():
    """One that needs distances, one that names a class, one that is not ours."""
    assert set(abilities_of(mm.measures["kappa_weighted"]).values()) == {None}
    assert set(abilities_of(mm.measures["recall@positive"]).values()) == {None}
    assert abilities_of(None) == {}


def test_point_mass_distances_of_eq_11_ignore_order():
    """ERRATA: the distance of Eq. 11 ignores order when gold is a point mass, so it is no ordinal measure here."""
    assert not next(iter(abilities_of(mm.measures["rnod_gold"]).values()))


def test_ratings_are_thirds_of_the_range():
    assert ratings([0.9, 0.79, 0.71, 0.6, 0.8]) == ["good", "fair", "fair", "poor", "good"]
    assert ratings([0.5, 0.5]) == ["alike", "alike"]


def test_ratings_do_not_depend_on_the_order_of_measures_that_tie():
    """Two are best; one of them differs from the worst, the other does not: the best and the worst are not told apart."""
    values, apart = [0.9, 0.9, 0.1], np.zeros((3, 3), dtype=bool)
    apart[0, 2] = apart[2, 0] = True
    assert ratings(values, apart) == ratings(values, apart[np.ix_([1, 0, 2], [1, 0, 2])]) == ["alike"] * 3
    apart[1, 2] = apart[2, 1] = True
    assert ratings(values, apart) == ["good", "good", "poor"]


def test_ratings_are_given_beyond_chance_only():
    """definitions.md: none where best and worst do not differ beyond chance; who is within chance of the best is as good."""
    values = [0.9, 0.79, 0.71, 0.6]
    nobody = np.zeros((4, 4), dtype=bool)
    assert ratings(values, nobody) == ["alike"] * 4
    ends = nobody.copy()
    ends[0, 3] = ends[3, 0] = True
    assert ratings(values, ends) == ["good", "good", "good", "poor"]
    ends[0, 2] = ends[2, 0] = True
    assert ratings(values, ends) == ["good", "good", "fair", "poor"]


@pytest.fixture(scope="module")
def scores():
    return quantification()[0]


class TestPopularityAndUniform:
    """Sakai (LQ 2021), Sections 5.2 and 5.3: NMD prefers Popularity, RNOD prefers Uniform, both significantly."""

    def test_nmd_and_rnod_contradict_each_other_about_the_baselines(self, scores):
        found = mm.meta.contradictions(scores)
        (pair,) = [pair for pair in found.pairs if (pair.first, pair.second) == ("nmd", "rnod")]
        expected = {(f"popularity-{one}", f"uniform-{other}") for one in "CE" for other in "CE"}
        assert {runs for runs in pair.runs if set(runs) <= set(BASELINES)} == expected

    def test_folded_it_is_one_contradiction_and_the_report_says_so(self, scores):
        found = mm.meta.contradictions(scores, fold=True, measures="nmd,rnod")
        assert ("popularity-{C,E}", "uniform-{C,E}") in found.pairs[0].runs
        assert "popularity-{C,E} > uniform-{C,E} by nmd, the opposite by rnod" in found.sentences()[0]
        assert "popularity-{C,E}" in str(found)
        whole = mm.meta.summary(scores, measures="nmd,rnod", trials=1000, splits=100)
        assert "nmd contradicts rnod" in str(whole)
        assert "contradicts rnod" in next(row.advice for row in whole.rows if row.measure == "nmd")

    def test_the_overlap_is_smaller_without_them(self, scores):
        pair = mm.meta.overlap(scores, measures="nmd,rnod").pairs[0]
        assert pair.contradicting >= 4
        assert pair.overlap_agreeing < pair.overlap

    def test_topic_by_topic(self, scores):
        found = mm.meta.deltas(scores, "popularity-C", "uniform-C", measures="nmd,rnod")
        wins = found.wins()
        assert wins[0, 0] > wins[0, 1]
        assert wins[1, 0] < wins[1, 1]
        (pair,) = found.pairs
        assert pair.first_prefers_a > 0.2 * len(found.topics)
        assert pair.first_prefers_b == 0
        assert wins.sum(axis=1).tolist() == [150, 150]

    def test_rsnod_lies_between(self, scores):
        """Sakai (LQ 2021), Section 5.3: its property lies somewhere between NMD and RNOD."""
        found = mm.meta.deltas(scores, "popularity-C", "uniform-C", measures="nmd,rsnod,rnod")
        assert np.all(np.diff(found.wins()[:, 0]) <= 0)
