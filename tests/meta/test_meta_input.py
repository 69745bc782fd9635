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


def chosen(scores, selection=None):
    return list(data_sets(scores, selection).values())


def directions(scores, selection):
    return [one.better for one in chosen(scores, selection)[0].measures]


class TestSources:
    def test_an_evaluation(self, scores):
        (found,) = chosen(scores)
        assert found.ids == ("mae_macro", "cem_ord")
        assert [one.better for one in found.measures] == ["lower", "higher"]
        assert not any(run.startswith("baseline: ") for run in found.runs)
        assert "left out because they do not score runs: gold_entropy" in found.left_out
        assert "8 baselines left out; baselines=True keeps them" in found.left_out
        np.testing.assert_array_equal(found.values, scores.values[:2][:, :, scores.own])

    def test_baselines_on_request(self, scores):
        (kept,) = chosen(scores, {"baselines": True})
        assert sum(run.startswith("baseline: ") for run in kept.runs) == 8
        (named,) = chosen(scores, {"runs": "careful,baseline: majority"})
        assert named.runs == ("careful", "baseline: majority")

    def test_oriented_scores_are_higher_for_the_better(self, scores):
        (found,) = chosen(scores)
        np.testing.assert_array_equal(found.oriented_values()[0], -found.values[0])
        np.testing.assert_array_equal(found.oriented_values()[1], found.values[1])
        np.testing.assert_array_equal(found.oriented(), found.oriented_values().mean(axis=1))

    def test_a_long_file_gives_what_the_evaluation_gives(self, scores, tmp_path):
        for name in ("sem.csv", "sem.parquet"):
            scores.save(tmp_path / name)
            ((called, found),) = data_sets(tmp_path / name).items()
            (expected,) = chosen(scores)
            assert (called, found.measures, found.runs) == ("sem", expected.measures, expected.runs)
            np.testing.assert_array_equal(found.values, expected.values)

    def test_matrices_in_a_folder_are_one_data_set(self, tmp_path):
        data = three_measures()
        for year in ("2016", "2017"):
            for part in data:
                wide_file(tmp_path / year / f"{part.measure}.csv", part)
        one = data_sets(sorted((tmp_path / "2016").glob("*.csv")))
        assert {name: part.ids for name, part in one.items()} == {"2016": ("accuracy", "cem_ord", "mae")}
        both = data_sets([tmp_path / "2016/*.csv", tmp_path / "2017/*.csv"])
        assert list(both) == ["2016", "2017"]
        np.testing.assert_array_equal(both["2017"].values[2], data[2].values[0][np.argsort(data[2].topics)])

    def test_long_files_are_a_data_set_each(self, tmp_path):
        files = [long_file(tmp_path / f"{name}.csv", three_measures(seed=seed)) for seed, name in enumerate("xy")]
        assert list(data_sets(files)) == ["x", "y"]
        with pytest.raises(mm.UsageError, match="given twice"):
            data_sets([files[0], files[0]])

    def test_lists_and_names(self):
        one, other = three_measures(), three_measures(seed=1)
        assert list(data_sets([one, other])) == ["data 1", "data 2"]
        assert list(data_sets({"a": one, "b": other})) == ["a", "b"]
        assert [part.ids for part in chosen([one])] == [("accuracy", "cem_ord", "mae")]

    def test_what_was_selected_stays_as_it_is(self, scores):
        ready = data_sets({"a": scores}, {"baselines": True, "measures": "cem_ord"})
        again = data_sets(ready)
        assert (again["a"].runs, again["a"].ids, again["a"].left_out) == (ready["a"].runs, ready["a"].ids, ready["a"].left_out)
        np.testing.assert_array_equal(again["a"].values, ready["a"].values)

    def test_scores_of_a_measure_each_are_one_data_set_unless_a_measure_comes_twice(self):
        one, other = matrix("accuracy", noisy()), matrix("accuracy", noisy(seed=1))
        assert list(data_sets([one, other])) == ["data 1", "data 2"]
        (found,) = chosen([one, matrix("mae", noisy())])
        assert found.ids == ("accuracy", "mae")
        with pytest.raises(mm.UsageError, match="matrix 2 does not say its measure"):
            data_sets([one, matrix("", noisy())])

    def test_what_is_no_scores(self):
        for wrong in (None, 3, [], {}, [3, 4]):
            with pytest.raises(mm.UsageError):
                data_sets(wrong)

    def test_names_that_clash(self):
        with pytest.raises(mm.DataError, match="two runs are called 'a'"):
            data_sets(matrix("accuracy", noisy(3, 2), "aa"))
        with pytest.raises(mm.UsageError, match="'x' holds 2 data sets"):
            data_sets({"x": [matrix("accuracy", noisy())] * 2})


class TestSelection:
    def test_measures_in_the_order_asked_for(self):
        (found,) = chosen(three_measures(), {"measures": "mae,accuracy"})
        assert found.ids == ("mae", "accuracy")
        with pytest.raises(mm.UsageError, match="there are no scores of 'cem_odr'; did you mean 'cem_ord'"):
            data_sets(three_measures(), {"measures": "cem_odr"})

    def test_aliases_are_known(self):
        (found,) = chosen(three_measures(), {"measures": "accuracy,mae_micro"})
        assert found.ids == ("accuracy", "mae")

    def test_runs_by_name_and_by_pattern(self):
        assert chosen(three_measures(), {"runs": "r3,r1"})[0].runs == ("r3", "r1")
        assert chosen(three_measures(runs=12), {"runs": ["r1*"]})[0].runs == ("r1", "r10", "r11")
        with pytest.raises(mm.UsageError, match="there is no run 'q' in 'data'"):
            data_sets(three_measures(), {"runs": "q,r1"})

    def test_measures_that_every_data_set_has(self):
        one, other = three_measures(), three_measures(seed=1)[:2]
        found = data_sets({"a": one, "b": other})
        assert found["a"].ids == found["b"].ids == ("accuracy", "cem_ord")
        assert "left out because not every data set has them: mae" in found["a"].left_out
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
        assert directions(data, {"better": "higher"}) == ["higher", "higher", "lower"]
        mixed = {"better": {"bleu": "higher", "ter": "lower"}}
        assert directions(data, mixed) == ["higher", "lower", "lower"]
        assert mm.meta.similarity(data, **mixed).tau.min() == 1
        with pytest.raises(mm.UsageError, match="lower scores of mae are better"):
            data_sets(data, {"better": {"bleu": "higher", "ter": "lower", "mae": "higher"}})

    def test_a_direction_that_no_measure_needs_and_one_contradicts(self):
        with pytest.raises(mm.UsageError, match="lower scores of mae are better; leave out better"):
            data_sets(three_measures(), {"better": "higher"})
        assert directions(three_measures(), {"better": "higher", "measures": "accuracy"}) == ["higher"]

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
        (found,) = chosen(self.holed(), {"incomplete": "drop-topics"})
        assert (found.topics, len(found.runs)) == (("t0", "t1", "t3", "t4"), 4)
        assert found.left_out == ("1 topic with missing scores left out: t2",)
        (found,) = chosen(self.holed(), {"incomplete": "drop-runs"})
        assert (len(found.topics), found.runs) == (5, ("r0", "r2", "r3"))

    def test_what_was_left_out_is_said_in_every_answer(self):
        for ask in (mm.meta.similarity, mm.meta.summary, mm.meta.robustness):
            found = ask(self.holed(), incomplete="drop-topics")
            assert found.to_dict()["notes"] == ["1 topic with missing scores left out: t2"]
            assert "1 topic with missing scores left out: t2." in str(found)

    def test_a_measure_without_some_runs(self):
        data = [matrix("accuracy", noisy(5, 4)), matrix("cem_ord", noisy(5, 3))]
        (found,) = chosen(data, {"incomplete": "drop-topics"})
        assert found.runs == ("r0", "r1", "r2")
        assert chosen(data, {"measures": "accuracy"})[0].values.shape == (1, 5, 4)

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
            with pytest.raises(mm.DataError, match=r"divide items into topics \(partitions=K\)"):
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
        with pytest.raises(DataError, match=r"40 topics, but a split into two sets of topics takes at least 60"):
            mm.meta.consistency(three_measures(), size=30)


def test_sides_that_differ_between_data_sets_are_null():
    scores = {"large": three_measures(topics=40), "small": three_measures(topics=20)}
    told = mm.meta.consistency(scores, splits=20, trials=50).to_dict()
    assert told["topics"] is None
    assert [part["topics"] for part in told["data"]] == [[20, 20], [10, 10]]
