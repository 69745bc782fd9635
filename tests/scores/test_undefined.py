"""What an undefined score counts as; which measures an output can make undefined; and what a run that is undefined costs the
others."""

import dataclasses
import json
import re

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.facts import Reads, Undefined
from metameasure.core.scale import Scale
from metameasure.testing import checks
from metameasure.testing.cases import trial

GOLD = {"a": (1, 2, 3), "b": (1, 3, 2), "c": (3, 2, 1), "d": (2, 1, 3)}
GOOD = {"a": (1, 2, 3), "b": (1, 2, 3), "c": (3, 1, 2), "d": (2, 1, 3)}
SLY = {"a": (1, 2, 3), "b": (2, 2, 2), "c": (2, 2, 2), "d": (2, 1, 3)}
"""Right where it is sure, and constant, which is undefined, where it is not."""
ALSO = GOOD | {"c": (1, 1, 1), "d": (3, 3, 3)}

BY_OUTPUT = [one for one in mm.measures.values() if one.reads.task != "agreement" and one.undefined_by_output]


def write(path, labels):
    rows = (f"{topic}{place},{topic},{label}" for topic, own in labels.items() for place, label in enumerate(own))
    path.write_text("\n".join(["item,topic,label", *rows]) + "\n")
    return path


@pytest.fixture
def files(tmp_path):
    named = {"gold": GOLD, "good": GOOD, "sly": SLY, "also": ALSO}
    return {name: write(tmp_path / f"{name}.csv", labels) for name, labels in named.items()}


@pytest.fixture
def evaluated(run, files):
    """The JSON of an evaluation of these runs."""

    def one(*names, command="evaluate", measures="pearson"):
        def with_options(*options):
            paths = [files[name] for name in ("gold", *names)]
            line = (command, *paths, "--classes", "1..3", "--measures", measures, "--format", "json", *options)
            status, out, err = run(*line)
            return json.loads(out) if status == 0 else (status, err)

        return with_options

    return one


class TestChoices:
    """Two topics of four are undefined for the sly run, and the two others are perfect."""

    @pytest.mark.parametrize(("choice", "expected"), [("skip", 1), ("zero", 0.5), ("worst", 0), ("chance", 0.5)])
    def test_the_mean_of_a_run_by_itself(self, evaluated, choice, expected):
        answer = evaluated("sly")("--undefined", choice)
        (sly,) = answer["runs"]
        assert sly["scores"]["pearson"] == pytest.approx(expected)
        assert f"|undefined:{choice}|" in answer["signature"]
        assert answer["measures"][0]["topics_used"] == (2 if choice == "skip" else 4)

    def test_what_it_was_counted_as_is_said(self, evaluated):
        words = {"zero": "as 0", "worst": "as -1, the worse end of the range", "chance": "as 0, the chance level"}
        for choice, said in words.items():
            notes = evaluated("sly", measures="pearson,spearman")("--undefined", choice)["notes"]
            assert f"pearson, spearman: 2 undefined scores counted {said}" in notes

    def test_the_file_of_scores_has_them_too(self, evaluated, tmp_path):
        evaluated("sly")("--undefined", "worst", "--scores", str(tmp_path / "scores.csv"))
        assert (tmp_path / "scores.csv").read_text().count(",-1") == 2

    def test_python_says_it_with_a_keyword(self, files):
        scores = mm.evaluate(str(files["gold"]), [str(files["sly"])], classes="1..3", measures="pearson", undefined="worst")
        assert scores["sly"] == {"pearson": pytest.approx(0)}
        with pytest.raises(mm.UsageError, match="undefined cannot be 'last'; choose skip, zero, worst or chance"):
            mm.evaluate(str(files["gold"]), [str(files["sly"])], classes="1..3", undefined="last")

    @pytest.mark.parametrize(
        ("measures", "choice", "why"),
        [
            ("reliability", "chance", "reliability declares no chance level"),
            ("recall@1", "chance", "what chance gives by recall@1 is no fixed number"),
            ("conditional_entropy@1", "zero", "0 is the best score of conditional_entropy@1"),
            ("gold_entropy", "worst", "gold_entropy describes, and no end of its range is worse"),
        ],
    )
    def test_what_a_measure_does_not_have_is_refused(self, evaluated, measures, choice, why):
        status, err = evaluated("sly", measures=measures)("--undefined", choice)
        assert (status, why in err) == (2, True), err
        assert f"leave out --undefined {choice}, or the measure" in err

    def test_an_infinite_end_of_a_range_is_refused(self, files):
        distance = [[abs(one - other) for one in range(3)] for other in range(3)]
        with pytest.raises(mm.UsageError, match="worse end of the range of alpha_weighted is infinite"):
            mm.evaluate(
                str(files["gold"]), [str(files["sly"])], classes="1..3", measures="alpha_weighted", distance=distance,
                undefined="worst",
            )  # fmt: skip

    def test_a_measure_that_is_never_undefined_needs_no_choice(self, evaluated):
        """0 is the best score of mae, which has a score on every topic."""
        answer = evaluated("sly", measures="pearson,mae")("--undefined", "zero")
        assert answer["runs"][0]["scores"]["pearson"] == pytest.approx(0.5)

    def test_the_worse_end_goes_by_the_classes(self, evaluated):
        """Of three classes: log2 3."""
        answer = evaluated("sly", measures="conditional_entropy@1")("--undefined", "worst")
        assert any("counted as 1.58496, the worse end of the range" in note for note in answer["notes"])

    def test_a_page_takes_the_same_choices(self, run, files, tmp_path):
        line = ("report", files["gold"], files["sly"], "--classes", "1..3", "--measures", "pearson", "-o", tmp_path / "page.html")
        status, out, err = run(*line, "--undefined", "worst")
        assert status == 0, err
        assert re.search("By pearson, sly scores -?0.000[,;] ", out)


class TestARunThatNarrowsTheMeansOfAll:
    ALONE = "pearson: sly alone is undefined on 2 topics; the means of all runs are over 2 of 4 topics"

    def test_it_is_named(self, evaluated):
        assert self.ALONE in evaluated("good", "sly")()["notes"]

    def test_only_what_it_costs_alone_is_put_down_to_it(self, evaluated):
        """One topic is undefined for both, and one for each by itself."""
        answer = evaluated("good", "sly", "also")()
        said = (
            "pearson: sly alone is undefined on 1 topic, also alone is undefined on 1 topic; the means of all runs are over 1 of "
        )
        assert f"{said}4 topics" in answer["notes"]
        assert answer["measures"][0]["topics_used"] == 1

    def test_nothing_is_said_where_nobody_loses(self, evaluated):
        both = ("good", "sly")
        for names, options in ((("sly",), ()), (both, ("--undefined", "zero")), (both, ("--average", "pooled"))):
            assert not [note for note in evaluated(*names)(*options)["notes"] if "alone" in note]

    def test_a_run_without_any_value_costs_nothing(self, run, files, tmp_path):
        never = write(tmp_path / "never.csv", dict.fromkeys(GOLD, (2, 2, 2)))
        line = ("evaluate", files["gold"], files["good"], never, "--classes", "1..3", "--measures", "pearson")
        status, out, _ = run(*line)
        assert status == 0
        assert "alone" not in out


class TestWhoDecides:
    """Whether gold alone decides that a measure is undefined, as it declares."""

    @pytest.mark.parametrize("measure", BY_OUTPUT, ids=str)
    def test_some_output_makes_it_undefined_and_another_does_not(self, measure):
        """Who says that the output may decide, or says nothing, is right: else a choice is asked for in vain."""
        cases = [trial(measure, size) for size in (2, 3, 5)]
        assert any(map(_differs, [*cases, *map(_with_a_class_of_value_0, cases)]))

    def test_a_declaration_that_is_wrong_is_seen(self):
        pearson = mm.measures["pearson"]
        wrong = tuple(dataclasses.replace(case, of_gold=True) for case in pearson.undefined)
        broken = dataclasses.replace(pearson, undefined=wrong)
        assert "depends on the output on counts [[0, 1], [0, 1]]" in _problem(broken, "gold alone decides where it says so")

    def test_a_chance_level_that_is_wrong_is_seen(self):
        broken = dataclasses.replace(mm.measures["tau@wmt12"], chance="zero")
        assert _problem(broken, "expected score of random orders is as declared")

    def test_unless_declared_the_output_may(self):
        assert not Undefined("why", lambda counts: counts).of_gold

    def test_examples(self):
        by_output = {name for name in ("pearson", "kappa", "f1@a", "tau@b", "tau@wmt13") if mm.measures[name].undefined_by_output}
        assert by_output == {"pearson", "kappa", "f1@a", "tau@b", "tau@wmt13"}
        for name in ("mae", "recall@a", "sensitivity", "tau@a", "ndcg@3", "relative_absolute_error", "kendall_a"):
            assert not mm.measures[name].undefined_by_output


def _problem(measure, name):
    return next(check for check in checks(measure) if check.name == name).problem()


def _differs(case):
    """Whether an output is undefined where another of the same gold is not."""
    assert case.measure.reads is not Reads.CONFIDENCE_ORDER
    return any(np.any(np.isnan(case(*arrays)) != np.isnan(case())) for arrays in case.other_outputs())


def _with_a_class_of_value_0(case):
    if case.scale is None:
        return case
    values = tuple(float(place) for place in range(len(case.scale)))
    return dataclasses.replace(case, scale=Scale(case.scale.labels, "interval", values))
