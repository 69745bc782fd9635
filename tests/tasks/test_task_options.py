"""A task's options are declared once, in the task's own folder: the command line, Python and the messages are made of them."""

import dataclasses
import re

import pandas as pd
import pytest

import metameasure as mm
from metameasure.core.errors import UsageError
from metameasure.core.options import declared_in
from metameasure.page.gathering import Request, gather
from metameasure.reading.options import Columns
from metameasure.tasks.base import Task
from metameasure.tasks.declaration import COLUMNS, declaration, declarations

TASKS = list(declarations())


def flags(declared):
    return [f"--{key.shown}-{declared.name}" for key in declared.keys if not key.hidden] or [f"--{declared.name}"]


@pytest.mark.parametrize("name", TASKS)
class TestEveryTask:
    def test_is_a_class_that_knows_its_declaration(self, name):
        task = declaration(name).task
        assert issubclass(task, Task)
        assert task.declared is declaration(name)

    def test_declares_all_its_options(self, name):
        options = declaration(name).options
        assert {field.name for field in dataclasses.fields(options)} - {*declared_in(options)} == {"seed"}

    def test_has_its_options_in_the_help(self, run, name):
        _, out, _ = run("evaluate", "--help-all")
        for declared in declared_in(declaration(name).options).values():
            for flag in flags(declared):
                assert out.count(f"  {flag}") == 1 or out.count(f"  {flag} ") == 1, flag

    def test_has_a_section_for_those_that_are_its_alone(self, run, name):
        _, out, _ = run("evaluate", "--help-all")
        others = [declared_in(declaration(other).options) for other in TASKS if other != name]
        own = [one for key, one in declared_in(declaration(name).options).items() if not any(key in known for known in others)]
        if own:
            sections = {
                one.section: out.partition(f"\n{one.section or name.capitalize()}:\n")[2].partition("\n\n")[0] for one in own
            }
            assert all(f"  {flag}" in sections[one.section] for one in own for flag in flags(one))
        else:
            assert f"\n{name.capitalize()}:\n" not in out


def test_the_keywords_of_a_call_become_one_object():
    made = declaration("ranking").options_of({"gain": "linear", "ties": None, "columns": {}, "seed": 3})
    assert (made.gain, made.ties, made.columns, made.seed, made.tie_epsilon) == ("linear", None, {}, 3, 0.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.gain = "exponential"


def test_options_of_nobody_and_of_other_tasks():
    with pytest.raises(UsageError, match=r"there is no option 'gian'.*did you mean 'gain'"):
        mm.evaluate([1, 2], {"a": [1, 2]}, task="ranking", gian="linear")
    with pytest.raises(UsageError, match=r"gain is not for the task quantification.*it is for ranking"):
        mm.evaluate([1, 2], {"a": [1, 2]}, task="quantification", gain="linear")
    with pytest.raises(UsageError, match=r"score.rank.matrix is not for the task quantification.*classification, entailment"):
        mm.evaluate([1, 2], {"a": [1, 2]}, task="quantification", matrices={"score_rank": "x.csv"})
    with pytest.raises(UsageError, match=r"'repeat'.* is not for the task ranking"):
        mm.evaluate([1, 2], {"a": [1, 2]}, task="ranking", columns={"repeat": "n"})


@pytest.mark.parametrize(
    ("task", "flag", "readers"),
    [
        ("classification", "--class-column", "quantification, probabilities"),
        ("classification", "--gold-segment-column", "ranking"),
        ("classification", "--score-column", "entailment, ranking, outcomes"),
        ("quantification", "--cluster-column", "classification, probabilities, multilabel, entailment, outcomes"),
        ("entailment", "--gold-class-column", "quantification, probabilities"),
        ("ranking", "--topic-column", "classification, quantification, probabilities, multilabel, entailment, outcomes"),
    ],
)
def test_a_column_that_the_task_does_not_read_may_not_be_named(run, task, flag, readers):
    """Those that read it are named, and a task that is added may be among them."""
    status, _, err = run("evaluate", "x.csv", "y.csv", "--task", task, flag, "nosuch")
    said = re.search(f"{flag} is not for the task {task}; it is for (.*) \\(--task\\)", err)
    expected = readers.split(", ")
    assert (status, [one for one in said[1].split(", ") if one in expected]) == (2, expected), err


@pytest.mark.parametrize("name", TASKS)
def test_every_column_that_a_task_reads_is_one(name):
    assert {*declaration(name).options.reads} <= {field.name for field in dataclasses.fields(Columns)}
    assert {key.name for key in COLUMNS} <= {role for task in TASKS for role in declaration(task).options.reads}


def test_wrong_options_are_said_before_files_are_read():
    for task, given, said in (
        ("entailment", {"positive": "yes"}, "negative is not declared"),
        ("classification", {"columns": {"itme": "x"}}, "no column role 'itme'"),
        ("quantification", {"kind": "nominal", "classes": "a,a"}, "class 'a' is named twice"),
        (
            "ranking",
            {"compat": "trec"},
            "compat cannot be 'trec'; choose none, rankeval, trec_eval or mtme; did you mean 'trec_eval'",
        ),
    ):
        with pytest.raises(UsageError, match=said):
            mm.evaluate("there is no such file", task=task, **given)


def test_a_page_applies_them_once(tmp_path):
    """The evidence of a page is read once and used for everything on it; smoothing it must not smooth it again."""
    (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,.5\n1,y,.5\n2,x,1\n")
    (tmp_path / "run.csv").write_text("topic,class,probability\n1,x,1\n2,y,1\n")
    how = {"classes": "x,y", "smooth": 0.1}
    data = str(tmp_path / "gold.csv"), [str(tmp_path / "run.csv")]
    page = gather(*data, Request(task="quantification", measures="rnod", **how))
    scores = mm.evaluate(*data, task="quantification", measures="rnod", ci="topics", **how)
    assert page.scores["run"] == scores["run"]
    assert page.scores.signature == scores.signature


def test_a_page_takes_frames_and_arrays_as_options(tmp_path):
    """They have no truth of their own."""
    gold = pd.DataFrame({"topic": ["x", "y"], "a": [0.5, 1], "b": [0.5, 0]})
    runs = {"r": pd.DataFrame({"topic": ["x", "y"], "a": [1, 0.5], "b": [0, 0.5]})}
    how = {"task": "quantification", "classes": "a,b", "measures": "nvd", "training": gold}
    mm.report(gold, runs, tmp_path / "page.html", **how)
    assert "baseline: training mean" in (tmp_path / "page.html").read_text(encoding="utf-8")
