"""Every option of every public function refuses what it cannot be, in the same words; what programs have for numbers is fine."""

import inspect
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.core.messages import OptionName, on, speaking_to
from metameasure.core.options import Option, declared_in, margins, names, numbers, range_or_list, value_of
from metameasure.core.shared_options import TEST, TRIALS
from metameasure.meta.question import questions

GOLD, RUNS = [1, 2, 3] * 4, {"a": [1, 2, 2] * 4, "b": [1, 1, 3] * 4}
FUNCTIONS = {name: getattr(mm, name) for name in mm.__all__ if hasattr(getattr(mm, name), "group")}
DECLARED = {name: declared_in(function.group) for name, function in FUNCTIONS.items()}
DECLARED |= {f"meta.{one.id}": one.declared for one in questions()}
CALLS = FUNCTIONS | {f"meta.{one.id}": one.answer for one in questions()}
TAKEN = [
    (name, argument, option)
    for name, declared in DECLARED.items()
    for argument, option in declared.items()
    if argument in inspect.signature(CALLS[name]).parameters
]
OF_CHOICES = [one for one in TAKEN if one[2].choices]
OF_NUMBERS = [one for one in TAKEN if one[2].type in (int, float)]
OF_TRUTH = [one for one in TAKEN if one[2].type is bool]
READ = [one for one in TAKEN if one[2].type in (numbers, margins, range_or_list)]


def cases(taken):
    return [pytest.param(name, argument, option, id=f"{name} {argument}") for name, argument, option in taken]


def test_there_are_functions_of_all_kinds_to_ask():
    assert {"evaluate", "gate", "judge", "design", "meta.similarity", "meta.overlap"} <= {*DECLARED}
    assert len(OF_CHOICES) > 150
    assert len(OF_NUMBERS) > 150
    assert {argument for _, argument, _ in READ} == {"bins", "weights", "margin", "spread", "shares"}


@pytest.mark.parametrize(("name", "argument", "option"), cases(OF_CHOICES))
def test_a_wrong_word_is_refused_with_the_choices(name, argument, option):
    for wrong in (f"{option.choices[0]}x", 7, True):
        with pytest.raises(mm.UsageError) as refused:
            CALLS[name](**{argument: wrong})
        assert refused.value.message == f"{argument} cannot be {wrong!r}"
        for choice in option.choices:
            assert choice in refused.value.hint
    with pytest.raises(mm.UsageError, match=f"^{argument} cannot be of type list; choose"):
        CALLS[name](**{argument: []})
    with pytest.raises(mm.UsageError, match=f"did you mean .*'{option.choices[0]}'"):
        CALLS[name](**{argument: f"{option.choices[0]}x"})


@pytest.mark.parametrize(("name", "argument", "option"), cases(OF_NUMBERS))
def test_what_is_no_number_is_refused_by_name(name, argument, option):
    for wrong in ("x", "5"):
        with pytest.raises(mm.UsageError, match=f"^{argument} cannot be {wrong!r}; give a (whole )?number"):
            CALLS[name](**{argument: wrong})
    for wrong in ([1, 2], []):
        with pytest.raises(mm.UsageError, match=f"^{argument} cannot be of type list; give a "):
            CALLS[name](**{argument: wrong})
    if option.least is not None:
        with pytest.raises(mm.UsageError, match=f"^{argument} cannot be -1; give a whole number from {option.least} up$"):
            CALLS[name](**{argument: -1})
    if option.between is not None:
        for wrong in (*option.between, float("nan")):
            with pytest.raises(mm.UsageError, match=f"^{argument} cannot be {wrong}; give a number between "):
                CALLS[name](**{argument: wrong})


def test_every_level_has_its_ends():
    levels = [option for _, argument, option in OF_NUMBERS if argument in ("alpha", "level")]
    assert len(levels) > 20
    assert all(option.between in ((0, 1), (0, 0.5)) for option in levels)


@pytest.mark.parametrize(("name", "argument", "option"), cases(OF_TRUTH))
def test_what_is_neither_true_nor_false_is_refused_by_name(name, argument, option):
    with pytest.raises(mm.UsageError, match=f"^{argument} cannot be 'x'; give True(,| or) False{'' if option.words else '$'}"):
        CALLS[name](**{argument: "x"})


@pytest.mark.parametrize(("name", "argument"), [(name, argument) for name, argument, _ in READ])
def test_a_text_that_cannot_be_read_is_refused_by_name(name, argument):
    with pytest.raises(mm.UsageError, match=f"^{argument} cannot be 'x'; give .*number"):
        CALLS[name](**{argument: "x"})


def test_intervals_may_leave_out_those_of_items_and_no_other_word():
    scored = {"classes": "1..3", "measures": "accuracy"}
    assert mm.evaluate(GOLD, RUNS, ci="topics", **scored).to_dict() == mm.evaluate(GOLD, RUNS, ci="topics", **scored).to_dict()
    with pytest.raises(mm.UsageError, match=r"^ci cannot be 'topic'; give True, False or 'topics'; did you mean 'topics'\?$"):
        mm.evaluate(GOLD, RUNS, ci="topic", **scored)


@pytest.mark.parametrize("whole", [np.int64(20), np.uint8(20), np.float32(20), 20.0, Fraction(20)])
def test_numbers_of_other_libraries_are_numbers(whole):
    plain = mm.compare(GOLD, RUNS, "accuracy", classes="1..3", trials=20, alpha=0.5)
    assert str(mm.compare(GOLD, RUNS, "accuracy", classes="1..3", trials=whole, alpha=np.float32(0.5))) == str(plain)
    assert type(value_of(TRIALS, whole)) is int
    with pytest.raises(mm.UsageError, match=r"^trials cannot be 20\.5; give a whole number from 1 up$"):
        value_of(TRIALS, 20.5)


@pytest.mark.parametrize("truth", [True, np.True_, 1, np.int64(1)])
def test_a_truth_of_another_library_is_one(truth):
    assert value_of(Option("ci", "", bool), truth) is True


def test_nothing_is_a_value_where_it_is_the_default():
    assert mm.evaluate(GOLD, RUNS, classes="1..3", measures="accuracy", units=None, threads=None, kind=None).runs == ("a", "b")
    assert mm.evaluate(GOLD, RUNS, classes="1..3", measures="accuracy", chance_test=0).runs == ("a", "b")
    assert DECLARED["evaluate"]["chance_test"].least == 1
    scores = mm.evaluate(GOLD, RUNS, classes="1..3", measures="accuracy,mae", partitions=4)
    assert mm.meta.similarity(scores, trials=5, incomplete=None, threads=None).measures == ("accuracy", "mae")


def test_a_text_of_names_is_several(tmp_path):
    table = tmp_path / "side.csv"
    table.write_text("item,gold,svm,bert,other\n" + "".join(f"{n},{n % 2},{n % 2},1,0\n" for n in range(8)))
    several, listed = (
        mm.evaluate(table, classes="0,1", measures="accuracy", run_columns=one) for one in ("svm,bert", ["svm", "bert"])
    )
    assert several.runs == listed.runs == ("svm", "bert")
    assert mm.evaluate(table, classes="0,1", measures="accuracy", run_columns="svm").runs == ("svm",)
    with pytest.raises(mm.UsageError, match=r"^threads cannot be 'x'; give a whole number"):
        mm.evaluate(table, classes="0,1", threads="x")
    assert value_of(Option("run-columns", "", names), ["s,v"]) == ["s,v"]


def test_an_array_is_what_is_in_it():
    scored = {"classes": "1..3", "measures": "accuracy"}
    plain = mm.evaluate(GOLD, RUNS, bins=(1.5, 2.5), **scored)
    assert str(mm.evaluate(GOLD, RUNS, bins=np.array([1.5, 2.5]), **scored)) == str(plain)
    scores = mm.evaluate(GOLD, RUNS, classes="1..3", measures="accuracy,mae", partitions=4)
    assert mm.meta.consistency(scores, size=np.int64(2), splits=9).size == 2
    assert mm.meta.similarity(scores, trials=5, correlation=np.str_("rbo")).correlation == "rbo"


OF_TEXT = [one for one in TAKEN if inspect.signature(CALLS[one[0]]).parameters[one[1]].annotation in ("str", "str | None")]
OF_TEXT = [one for one in OF_TEXT if not one[0].startswith("meta.")]
OF_KEYS = [one for one in TAKEN if one[2].keys]


@pytest.mark.parametrize(("name", "argument"), [(name, argument) for name, argument, _ in OF_TEXT])
def test_what_is_no_text_is_refused_by_name(name, argument):
    with pytest.raises(mm.UsageError, match=f"^{argument} cannot be of type list; give a text"):
        CALLS[name](**{argument: ["x"]})


@pytest.mark.parametrize(("name", "argument"), [(name, argument) for name, argument, _ in OF_KEYS])
def test_what_is_no_dictionary_is_refused_by_name(name, argument):
    for wrong in ("x", ["x"], 3):
        with pytest.raises(mm.UsageError, match=f"^{argument} cannot be .*; give a dictionary"):
            CALLS[name](**{argument: wrong})


def test_a_number_names_the_run_or_the_column_that_is_called_so():
    runs = dict(enumerate(RUNS.values()))
    scores = mm.evaluate(GOLD, runs, classes="1..3", measures="accuracy", partitions=6)
    assert str(mm.compare(scores, against=1, trials=20)) == str(mm.compare(scores, against="1", trials=20))
    assert str(mm.gate(scores, baseline=0, candidate=1, margin=0.1)) == str(
        mm.gate(scores, baseline="0", candidate="1", margin=0.1)
    )
    frame = pd.DataFrame(zip(range(12), GOLD, *RUNS.values(), strict=True))
    found = mm.evaluate(frame, classes="1..3", item_column=0, gold_column=1, run_columns=[2, 3], measures="accuracy")
    assert found.runs == ("2", "3")
    assert mm.evaluate(frame, classes="1..3", columns={"item": 0, "gold": 1}, measures="accuracy").runs == ("2", "3")


def test_a_measure_by_itself_or_by_another_name_is_that_measure():
    measure = mm.measures["kappa_quadratic"]
    many = {name: run * 9 for name, run in RUNS.items()}
    scores = mm.evaluate(GOLD * 9, many, classes="1..3", measures=measure, partitions=6)
    assert scores.ids == ("kappa_quadratic",)
    for ask in (mm.compare, mm.ranks, mm.design):
        assert str(ask(scores, "qwk", trials=20)) == str(ask(scores, measure, trials=20))
    gated = [mm.gate(scores, measures=one, baseline="a", candidate="b", margin=0.1) for one in ("qwk", measure)]
    assert str(gated[0]) == str(gated[1])
    assert mm.meta.discrimination(scores, measures=measure, trials=9).measures
    with pytest.raises(mm.UsageError, match="a measure cannot be of type int; give its name"):
        mm.evaluate(GOLD, RUNS, classes="1..3", measures=3)


def test_a_run_that_is_left_out_is_named_by_a_text():
    scores = mm.evaluate(GOLD, RUNS | {"c": GOLD}, classes="1..3", measures="accuracy", partitions=6)
    assert mm.compare(scores, leave_out="c", trials=20).runs == mm.compare(scores, leave_out=["c"], trials=20).runs


def test_another_name_for_a_choice_is_one():
    assert value_of(TEST, "hsd") == "tukey"


def test_an_option_is_named_as_its_reader_knows_it():
    named = OptionName("leave-out", "leave_out")
    assert (str(named), on(named, "command"), on(named, "python")) == ("leave_out", "--leave-out", "leave_out")
    with speaking_to("command"):
        assert OptionName("leave-out", "leave_out") == "--leave-out"
    assert on(pickle.loads(pickle.dumps(named)), "command") == "--leave-out"
    with pytest.raises(mm.UsageError) as refused:
        value_of(TRIALS, "x")
    assert refused.value.on("command") == "--trials cannot be 'x'; give a whole number from 1 up"


def test_a_task_says_which_policies_it_has():
    for task, policy, choices in (("ranking", "worst", "drop or last"), ("multilabel", "worst", "drop or empty")):
        with pytest.raises(mm.UsageError, match=f"^missing cannot be '{policy}'; choose {choices}$"):
            mm.evaluate(GOLD, RUNS, task=task, missing=policy)
    with pytest.raises(
        mm.UsageError, match=r"^missing cannot be 'dorp'; choose worst, drop, .* or class:LABEL; did you mean 'drop'\?"
    ):
        mm.evaluate(GOLD, RUNS, classes="1..3", missing="dorp")


def test_what_is_no_registry_is_refused_by_name():
    taking = [call for call in CALLS.values() if "registry" in inspect.signature(call).parameters]
    assert len(taking) > 20
    for call in taking:
        with pytest.raises(mm.UsageError, match=r"^registry cannot be 'x'; give a registry of measures"):
            call(registry="x")


SCORES = mm.evaluate(GOLD, RUNS, classes="1..3", measures="accuracy,mae", partitions=6)
WRONG = {
    "difference": lambda: mm.difference(GOLD, RUNS, "accuracy", None, "b", classes="1..3"),
    "difference of runs by number": lambda: mm.difference(GOLD, RUNS, "accuracy", 1, 2, classes="1..3"),
    "compare": lambda: mm.compare(SCORES, measure=3),
    "primary": lambda: mm.evaluate(GOLD, RUNS, classes="1..3", primary=""),
    "meta": lambda: mm.meta.similarity(SCORES, strengths=0.8),
    "meta, by place": lambda: mm.meta.deltas(SCORES, ["a"], "b"),
    "resume": lambda: mm.meta.similarity(SCORES, resume=3),
    "margin": lambda: mm.gate(GOLD, RUNS["a"], RUNS["b"], classes="1..3", margin=["x"]),
    "report": lambda: mm.report(SCORES, path=3),
    "reproduce": lambda: mm.reproduce(3),
    "score": lambda: mm.score(GOLD, 3, "accuracy", classes="1..3"),
    "weights": lambda: mm.score(GOLD, GOLD, "accuracy", classes="1..3", weights="x"),
    "counts": lambda: mm.counts(None, GOLD, classes="1..3"),
    "scorer": lambda: mm.scorer(None, classes="1..3"),
    "merge": lambda: mm.merge(3),
    "trials": lambda: mm.randomised_tukey_hsd(np.eye(3), "x"),
    "simulate": lambda: mm.simulate(kinds=3),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_a_wrong_argument_ends_in_an_error_with_a_hint(call):
    with pytest.raises(mm.MetameasureError) as refused:
        call()
    assert refused.value.hint


def test_none_stands_for_what_is_usual_and_arrays_for_lists():
    assert str(mm.meta.coverage(SCORES, seed=None, measures=np.array(["accuracy", "mae"]))) == str(mm.meta.coverage(SCORES))
    assert mm.score(iter(GOLD), pd.Series(GOLD), "accuracy", classes="1..3", weights=(1 for _ in GOLD)) == 1
