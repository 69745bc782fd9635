"""What the questions take: evaluations, matrices, score files, one data set or several, whole or with holes."""

import numpy as np
import pytest

import metameasure as mm
from meta_cases import long_file, matrix, noisy, three_measures, wide_file
from metameasure.core.errors import DataError, UsageError
from metameasure.meta.data import data_sets

DEMO = "src/metameasure/demo"


@pytest.fixture(scope="module")
def scores():
    from conftest import ROOT

    demo = ROOT / DEMO
    return mm.evaluate(
        demo / "gold.tsv", demo / "runs/*.tsv", classes="-2..2", measures="mae_macro,cem_ord,gold_entropy", baselines=True
    )


class TestSources:
    def test_an_evaluation(self, scores):
        (found,) = data_sets(scores)
        assert found.measures == ("mae_macro", "cem_ord")
        assert found.better == ("lower", "higher")
        assert not any(run.startswith("baseline: ") for run in found.runs)
        assert "left out because they do not score runs: gold_entropy" in found.notes
        assert "8 baselines left out; baselines=True keeps them" in found.notes
        np.testing.assert_array_equal(found.values, scores.values[:2][:, :, scores.own])

    def test_baselines_on_request(self, scores):
        (kept,) = data_sets(scores, {"baselines": True})
        assert sum(run.startswith("baseline: ") for run in kept.runs) == 8
        (named,) = data_sets(scores, {"runs": "careful,baseline: majority"})
        assert named.runs == ("careful", "baseline: majority")

    def test_oriented_scores_are_higher_for_the_better(self, scores):
        (found,) = data_sets(scores)
        np.testing.assert_array_equal(found.oriented()[0], -found.values[0])
        np.testing.assert_array_equal(found.oriented()[1], found.values[1])

    def test_a_long_file_gives_what_the_evaluation_gives(self, scores, tmp_path):
        for name in ("sem.csv", "sem.parquet"):
            scores.save(tmp_path / name)
            (found,) = data_sets(tmp_path / name)
            (expected,) = data_sets(scores)
            assert (found.name, found.measures, found.better, found.runs) == (
                "sem", expected.measures, expected.better, expected.runs,
            )  # fmt: skip
            np.testing.assert_array_equal(found.values, expected.values)

    def test_matrices_in_a_folder_are_one_data_set(self, tmp_path):
        data = three_measures()
        for year in ("2016", "2017"):
            for part in data:
                wide_file(tmp_path / year / f"{part.measure}.csv", part)
        one = data_sets(sorted((tmp_path / "2016").glob("*.csv")))
        assert [(part.name, part.measures) for part in one] == [("2016", ("accuracy", "cem_ord", "mae"))]
        both = data_sets([tmp_path / "2016/*.csv", tmp_path / "2017/*.csv"])
        assert [part.name for part in both] == ["2016", "2017"]
        np.testing.assert_array_equal(both[1].values[2], data[2].values[np.argsort(data[2].topics)])

    def test_long_files_are_a_data_set_each(self, tmp_path):
        files = [long_file(tmp_path / f"{name}.csv", three_measures(seed=seed)) for seed, name in enumerate("xy")]
        assert [part.name for part in data_sets(files)] == ["x", "y"]
        with pytest.raises(mm.UsageError, match="given twice"):
            data_sets([files[0], files[0]])

    def test_lists_and_names(self):
        one, other = three_measures(), three_measures(seed=1)
        assert [part.name for part in data_sets([one, other])] == ["data 1", "data 2"]
        assert [part.name for part in data_sets({"a": one, "b": other})] == ["a", "b"]
        ready = data_sets({"a": one, "b": other})
        assert [part.name for part in data_sets(ready)] == ["a", "b"]
        assert data_sets([one])[0].measures == ("accuracy", "cem_ord", "mae")

    def test_what_is_no_scores(self):
        for wrong in (None, 3, [], {}, [3, 4]):
            with pytest.raises(mm.UsageError):
                data_sets(wrong)

    def test_names_that_clash(self):
        part = matrix("accuracy", noisy())
        with pytest.raises(mm.UsageError, match="two matrices of accuracy"):
            data_sets([part, part])
        with pytest.raises(mm.DataError, match="two runs are called 'a'"):
            data_sets(matrix("accuracy", noisy(3, 2), "aa"))
        with pytest.raises(mm.UsageError, match="two data sets are called 'x'"):
            data_sets([mm.meta.DataSet("x", ("mae",), ("lower",), ("t",), ("a", "b"), np.ones((1, 1, 2)))] * 2)


class TestSelection:
    def test_measures_in_the_order_asked_for(self):
        (found,) = data_sets(three_measures(), {"measures": "mae,accuracy"})
        assert found.measures == ("mae", "accuracy")
        with pytest.raises(mm.UsageError, match="there are no scores of 'cem_odr'; did you mean 'cem_ord'"):
            data_sets(three_measures(), {"measures": "cem_odr"})

    def test_aliases_are_known(self):
        (found,) = data_sets(three_measures(), {"measures": "accuracy,mae_micro"})
        assert found.measures == ("accuracy", "mae")

    def test_runs_by_name_and_by_pattern(self):
        assert data_sets(three_measures(), {"runs": "r3,r1"})[0].runs == ("r3", "r1")
        assert data_sets(three_measures(runs=12), {"runs": ["r1*"]})[0].runs == ("r1", "r10", "r11")
        with pytest.raises(mm.UsageError, match="there is no run 'q' in 'data'"):
            data_sets(three_measures(), {"runs": "q,r1"})

    def test_measures_that_every_data_set_has(self):
        one, other = three_measures(), three_measures(seed=1)[:2]
        found = data_sets({"a": one, "b": other})
        assert found[0].measures == found[1].measures == ("accuracy", "cem_ord")
        assert "left out because not every data set has them: mae" in found[0].notes
        with pytest.raises(mm.UsageError, match="there are no scores of 'mae' in 'b'"):
            data_sets({"a": one, "b": other}, {"measures": "mae"})
        with pytest.raises(mm.UsageError, match="no measure has scores in all data sets"):
            data_sets({"a": one[:1], "b": other[1:]})

    def test_descriptions_are_refused_by_name(self, scores):
        with pytest.raises(mm.UsageError, match="gold_entropy describes the gold"):
            data_sets(scores, {"measures": "gold_entropy"})

    def test_directions_of_measures_that_are_not_ours(self):
        data = [matrix("bleu", noisy()), matrix("ter", -noisy()), matrix("mae", -noisy())]
        with pytest.raises(mm.UsageError, match="which scores of 'bleu' are better"):
            data_sets(data)
        assert data_sets(data, {"better": "higher"})[0].better == ("higher", "higher", "lower")
        mixed = {"better": {"bleu": "higher", "ter": "lower"}}
        assert data_sets(data, mixed)[0].better == ("higher", "lower", "lower")
        assert mm.meta.similarity(data, **mixed).tau.min() == 1
        with pytest.raises(mm.UsageError, match="lower scores of mae are better"):
            data_sets(data, {"better": {"bleu": "higher", "ter": "lower", "mae": "higher"}})

    def test_a_direction_that_no_measure_needs_and_one_contradicts(self):
        with pytest.raises(mm.UsageError, match="lower scores of mae are better; leave out better"):
            data_sets(three_measures(), {"better": "higher"})
        assert data_sets(three_measures(), {"better": "higher", "measures": "accuracy"})[0].better == ("higher",)

    def test_user_measures_know_their_direction(self, tmp_path):
        plugin = tmp_path / "mine.py"
        plugin.write_text(PLUGIN)
        registry = mm.measures.with_plugins([plugin])
        data = [matrix("my_error", -noisy()), matrix("accuracy", noisy())]
        assert mm.meta.similarity(data, registry=registry).tau[0, 1] == 1


PLUGIN = """
from metameasure.catalogue.classification.accuracy import accuracy
from dataclasses import replace


def my_error(counts):
    return 1 - accuracy.function(counts)


mine = replace(accuracy, template="my_error", better="lower", perfect=0, aliases=(), function=my_error)
"""


class TestHoles:
    def holed(self):
        values = noisy(5, 4)
        values[2, 1] = np.nan
        return [matrix("accuracy", noisy(5, 4)), matrix("cem_ord", values)]

    def test_are_named(self):
        with pytest.raises(mm.DataError, match=r"data: cem_ord: 1 missing or undefined score .* 'r1' on 't2'.*out with measures"):
            mm.meta.similarity(self.holed())

    def test_topics_or_runs_left_out_of_all_measures(self):
        (found,) = data_sets(self.holed(), {"incomplete": "drop-topics"})
        assert (found.topics, len(found.runs)) == (("t0", "t1", "t3", "t4"), 4)
        assert found.notes == ("1 topic with missing scores left out: t2",)
        (found,) = data_sets(self.holed(), {"incomplete": "drop-runs"})
        assert (len(found.topics), found.runs) == (5, ("r0", "r2", "r3"))

    def test_what_was_left_out_is_said_in_every_answer(self):
        for ask in (mm.meta.similarity, mm.meta.summary, mm.meta.robustness):
            found = ask(self.holed(), incomplete="drop-topics")
            assert found.to_dict()["notes"] == ["1 topic with missing scores left out: t2"]
            assert "1 topic with missing scores left out: t2." in str(found)

    def test_a_measure_without_some_runs(self):
        data = [matrix("accuracy", noisy(5, 4)), matrix("cem_ord", noisy(5, 3))]
        (found,) = data_sets(data, {"incomplete": "drop-topics"})
        assert found.runs == ("r0", "r1", "r2")
        assert data_sets(data, {"measures": "accuracy"})[0].values.shape == (1, 5, 4)

    def test_nothing_left(self):
        with pytest.raises(mm.DataError, match=r"1 run and 5 topics with complete scores"):
            data_sets(matrix("accuracy", noisy(5, 1)))
        with pytest.raises(mm.DataError, match="is infinite"):
            data_sets(matrix("accuracy", [[1, np.inf], [0, 1]]))

    def test_one_topic_has_a_ranking_but_nothing_to_test(self):
        data = [matrix("accuracy", noisy(1, 4)), matrix("cem_ord", noisy(1, 4, 1))]
        found = mm.meta.similarity(data)
        assert found.to_dict()["low"][0][1] is None
        for ask in (mm.meta.consistency, mm.meta.discrimination, mm.meta.robustness):
            with pytest.raises(mm.DataError, match="partitions makes topics"):
                ask(data)


class TestNames:
    def test_a_direction_of_a_measure_without_scores_is_a_typing_error(self):
        scores = [matrix("bleu", noisy()), matrix("ter", noisy(seed=1))]
        assert mm.meta.similarity(scores, better={"bleu": "higher", "ter": "lower"}).measures == ("bleu", "ter")
        with pytest.raises(UsageError, match=r"'blue'.*did you mean 'bleu'"):
            mm.meta.similarity(scores, better={"bleu": "higher", "ter": "lower", "blue": "lower"})

    def test_a_reference_measure_may_go_by_its_alias(self):
        """mae_micro is mae: one formula, two names."""
        assert mm.meta.coverage(three_measures(), reference="accuracy,mae_micro").reference == ("accuracy", "mae")


class TestTooLittle:
    def test_a_measure_that_is_never_defined_is_named(self):
        scores = [*three_measures(), matrix("kappa", np.full((40, 8), np.nan))]
        for incomplete in ("drop-topics", "drop-runs"):
            with pytest.raises(DataError, match="kappa: undefined everywhere"):
                mm.meta.similarity(scores, incomplete=incomplete)

    def test_splits_that_do_not_fit_say_how_many_topics_they_need(self):
        with pytest.raises(DataError, match=r"40 topics, but at least 60 are needed"):
            mm.meta.consistency(three_measures(), size=30)


def test_sides_that_differ_between_data_sets_are_null():
    scores = {"large": three_measures(topics=40), "small": three_measures(topics=20)}
    told = mm.meta.consistency(scores, splits=20, trials=50).to_dict()
    assert told["topics"] is None
    assert [part["topics"] for part in told["data"]] == [[20, 20], [10, 10]]
