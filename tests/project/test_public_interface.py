"""What ``import metameasure`` offers: one list of names, whole signatures, documentation whose examples run, types that checkers
know, and one order of arguments."""

import dataclasses
import doctest
import inspect
import pickle
import re
import subprocess
import sys
import typing
import warnings
from collections import Counter

import click
import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.cli.main import COMMANDS, cli
from metameasure.core.options import declared_in, keywords_of_keys
from metameasure.tasks import option_groups
from metameasure.tasks.declaration import declarations

FUNCTIONS = [name for name in mm.__all__ if inspect.isfunction(getattr(mm, name))]
OF_META = [f"meta.{name}" for name in dir(mm.meta)]
QUESTIONS = [name for name in OF_META if name != "meta.data_sets"]
WITH_OPTIONS = [name for name in FUNCTIONS if hasattr(getattr(mm, name), "group")]
SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "Examples")
GOLD, OUTPUT = [1, 2, 3] * 4, [1, 2, 2] * 4
TYPED = """
import metameasure as mm
from metameasure import Comparison, Comparisons, Report, Scores

scores: Scores = mm.evaluate("gold.tsv", "runs/*.tsv", classes="1..5", missing="drop", item_column="id")
by_rank: Scores = mm.evaluate("qrels", "run", task="ranking", gain="linear")
one: Comparison = mm.compare(scores, "kappa_linear")
also: Comparison = mm.compare("gold.tsv", "runs/*.tsv", "kappa", classes="1..5")
each: Comparisons = mm.compare("gold.tsv", "runs/*.tsv", ["kappa", "mae"], classes="1..5")
page: Report = mm.report(scores, "page.html")
tables: tuple[str, ...] = mm.table("gold.tsv", "runs/*.tsv", classes="1..5").runs
alike: mm.Similarity = mm.meta.similarity(scores)
passed: mm.Gate = mm.gate("old.csv", "new.csv", margin=0.1, better="higher", incomplete="drop-topics")
papers: mm.Studies = mm.study()
value: float = mm.score([1, 2], [1, 1], "kappa", classes=[1, 2])
"""
WRONG = {
    "a name": 'mm.evaluate("gold.tsv", "run.tsv", clases="1..5")',
    "a word": 'mm.evaluate("gold.tsv", "run.tsv", kind="ordnal")',
    "a type": 'mm.evaluate("gold.tsv", "run.tsv", bins="x")',
    "another task's": 'mm.evaluate("gold.tsv", "run.tsv", task="ranking", classes="1..5")',
    "a policy of another task": 'mm.evaluate("qrels", "run", task="ranking", missing="dorp")',
    "a policy of outcomes": 'mm.evaluate("log.csv", task="outcomes", missing="dorp")',
    "what gold lacks": 'mm.evaluate("gold.tsv", "run.tsv", extra="ignroe")',
    "an engine": 'mm.evaluate("gold.tsv", "run.tsv", engine="sprak")',
    "what runs are called after": 'mm.evaluate("gold.tsv", "run.tsv", name_by="tga")',
    "a gain": 'mm.evaluate("qrels", "run", task="ranking", gain="exponental")',
    "a program": 'mm.evaluate("qrels", "run", task="ranking", compat="trec")',
    "a chart": 'scores.chart().savefg("chart.pdf")',
    "a purpose": 'mm.count("gold.tsv", "run.tsv", for_="comparing")',
    "scores that have classes": 'mm.gate("old.csv", "new.csv", better="higher", classes="1..3")',
    "of no task": 'mm.compare("gold.tsv", "run.tsv", "kappa", gain="linear")',
}


def named(name):
    value = mm
    for part in name.split("."):
        value = getattr(value, part)
    return value


def script(name, *arguments):
    done = subprocess.run([sys.executable, ROOT / "tools" / name, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_reference_lists_the_same_names():
    listed = re.findall(r"^::: metameasure\.([\w.]+)$", (ROOT / "docs/api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert {*listed} == {*mm.__all__, *OF_META} - {"__version__", "measures", "meta"}


def test_the_stub_is_as_the_options_are():
    assert script("stub.py", "--check")[0] == 0, "python tools/stub.py --write"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_are_whole(name):
    signature = inspect.signature(getattr(mm, name))
    assert signature.return_annotation not in (signature.empty, "Any", typing.Any)
    kinds = {one.kind for one in signature.parameters.values()}
    assert name == "measure" or not kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}


@pytest.mark.parametrize("name", [*FUNCTIONS, *OF_META])
def test_documentation_has_all_sections_and_every_parameter(name):
    text = inspect.getdoc(named(name))
    assert [one for one in SECTIONS if f"\n{one}\n{'-' * len(one)}\n" not in text] == []
    parameters = text.partition("\nParameters\n")[2].partition("\nReturns\n")[0]
    heads = [line for line in parameters.splitlines() if " : " in line or line.startswith("**")]
    assert {*inspect.signature(named(name)).parameters} <= {word for line in heads for word in re.findall(r"\w+", line)}
    in_words = re.sub(r"``.*?``", "", parameters, flags=re.DOTALL)  # a call of the command line may stand in those
    assert re.findall(r"--[a-z][\w-]*|[Rr]epeat\w* the option|be repeated", in_words) == []


@pytest.mark.parametrize("name", [*FUNCTIONS, *OF_META])
@pytest.mark.filterwarnings("ignore::metameasure.MetameasureWarning")
def test_examples_run(name):
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(named(name)), {"__name__": "example"}, name, None, 0)
    assert example.examples
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0


@pytest.mark.parametrize("name", [*FUNCTIONS, *QUESTIONS])
def test_functions_can_be_sent_to_another_process(name):
    assert pickle.loads(pickle.dumps(named(name))) is named(name)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_knows_its_options_and_wants_scores(name):
    with pytest.raises(mm.UsageError, match=r"there is no option 'measurs'; did you mean 'measures'"):
        named(name)([], measurs="kappa")
    with pytest.raises(TypeError, match="scores"):
        named(name)()


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_help_and_command_line_have_the_same_options(name):
    """Each option of the command line that is one of the group is a parameter, and the other way round."""
    group, taken = getattr(mm, name).group, inspect.signature(getattr(mm, name)).parameters
    declared = declared_in(group)
    assert {field for field, one in declared.items() if one.only != "command"} <= {*taken}
    command = cli.get_command(click.Context(cli), name) if name in COMMANDS else None
    if command is None:
        return
    shown = {flag for one in command.params if isinstance(one, click.Option) for flag in one.opts}
    plain = {f"--{one.name}" for one in declared.values() if not one.keys and one.only != "python"}
    keyed = {f"--{word.replace('_', '-')}" for *_, word in keywords_of_keys(group) if not word.startswith("gold_")}
    assert plain | keyed <= shown


# One name for several things, each of which is declared: how often, and what they are.
DIFFERENT = {
    "chart": (2, "an option of all results; of a study, the charts in a folder"),
    "counts": (2, "files of distributions that hold counts; ratings with a column for each class"),
    "data": (2, "the folders of data sets of a trial; real files of a study"),
    "digits": (2, "an argument of a page; on the line, of whatever is printed"),
    "format": (2, "of what is printed; of a report, which has two"),
    "gold": (3, "what a judge is compared with; distributions to show; the gold that a measure is explained on"),
    "judges": (2, "which annotators are judges; how many there are in a simulation"),
    "kind": (2, "what classes are; a kind of simulated system"),
    "leave-out": (2, "runs that are not compared; runs without which a question is answered once more"),
    "like": (2, "another program's names; the shape of a simulation"),
    "margin": (2, "of a judge, a number; of a gate, perhaps one for each measure"),
    "output": (3, "a file, the folder of a demo, the site of a trial"),
    "pairs": (2, "pairs of runs; pairs of measures"),
    "properties": (2, "a section of a page; which properties are looked for"),
    "ranks": (2, "ranks by every measure; how ties are counted in ranks"),
    "resume": (3, "a file; of count, a folder, and on the line a flag, for the parts lie beside the file that it writes"),
    "runs": (4, "how many, of a design and of a simulation; which; the two of deltas"),
    "test": (2, "between runs; between measures, over topics or splits"),
    "ties": (2, "how predicted ties are read; how often a simulated ranking ties"),
    "width": (2, "of an interval; of a chart"),
}


def test_a_shared_option_is_declared_once():
    """No two places make an option of the same name, but for those that are different things."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src/metameasure").rglob("*.py")]
    by_call = r'(?:\boption|\bOption|click\.option)\(\s*(?:"-\w", )?"(?:--)?([\w-]+)(?:/--[\w-]+)?",'
    made = Counter(re.findall(by_call, "\n".join(texts)))
    assert {name: times for name, times in made.items() if times > 1} == {name: times for name, (times, _) in DIFFERENT.items()}


def test_the_options_of_any_task_are_those_of_all():
    static = {field.name for field in dataclasses.fields(option_groups.DataOptions)}
    every = {name for task in declarations().values() for name in declared_in(task.options)}
    assert static == {*every, "task", "seed"}


@pytest.mark.parametrize(
    ("now", "once", "said"),
    [
        (("score", GOLD, OUTPUT, "accuracy"), ("score", "accuracy", GOLD, OUTPUT), "the measure comes last"),
        (("score", GOLD, OUTPUT, ["mae"]), ("score", ["mae"], GOLD, OUTPUT), "the measure comes last"),
        (
            ("difference", GOLD, {"a": GOLD, "b": OUTPUT}, "accuracy", "a", "b"),
            ("difference", GOLD, {"a": GOLD, "b": OUTPUT}, "a", "b", "accuracy"),
            "the measure comes before the two runs",
        ),
        (("score", GOLD, OUTPUT, "mae"), ("score", "mae", GOLD, {"predicted": OUTPUT}), "the measure comes last"),
        (("score", GOLD, OUTPUT, ["mae"]), ("score", ["mae"], {"gold": GOLD, "predicted": OUTPUT}), "the measure comes last"),
        (
            ("difference", GOLD, {"a": GOLD, "b": OUTPUT}, "accuracy", "a", "b"),
            ("difference", GOLD, {"a": GOLD, "b": OUTPUT}, "a", "b", {"measure": "accuracy"}),
            "the measure comes before the two runs",
        ),
        (
            ("compare", GOLD, {"a": GOLD, "b": OUTPUT}, "accuracy"),
            ("compare", {"data": GOLD, "runs": {"a": GOLD, "b": OUTPUT}, "measure": "accuracy"}),
            "data is called gold",
        ),
        (
            ("advise", GOLD, {"a": GOLD, "b": OUTPUT}),
            ("advise", {"data": GOLD, "runs": {"a": GOLD, "b": OUTPUT}}),
            "data is called gold",
        ),
        (("gate", GOLD, GOLD, OUTPUT), ("gate", GOLD, OUTPUT, {"gold": GOLD}), "gold comes first"),
        (("gate", GOLD, {"a": GOLD, "b": OUTPUT}, None), ("gate", {"a": GOLD, "b": OUTPUT}, {"gold": GOLD}), "gold comes first"),
    ],
)
def test_the_order_of_0_2_works_and_warns(now, once, said):
    def called(name, *data):
        known = data[-1] if isinstance(data[-1], dict) and {*data[-1]} & {"gold", "data", "predicted", "measure"} else {}
        named = {"baseline": "a", "candidate": "b"} if any(isinstance(one, dict) and "a" in one for one in data) else {}
        gated = {"margin": 0.5, "measures": "accuracy", **named} if name == "gate" else {}
        return getattr(mm, name)(*(data[:-1] if known else data), **known, classes="1..3", **gated)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = called(*now)
    with pytest.warns(DeprecationWarning, match=said) as warned:
        assert str(called(*once)) == str(result)
    assert warned[0].filename == __file__


def test_a_gate_takes_gold_first_and_two_runs_without_it():
    how = {"margin": 0.5, "measures": "accuracy", "classes": "1..3"}
    first = mm.gate(GOLD, GOLD, OUTPUT, **how).to_dict()
    assert mm.gate(GOLD, old=GOLD, new=OUTPUT, **how).to_dict() == first
    assert mm.gate(GOLD, GOLD, new=OUTPUT, **how).to_dict() == first
    assert mm.gate(gold=GOLD, old=GOLD, new=OUTPUT, **how).to_dict() == first
    named = mm.gate(GOLD, {"b": OUTPUT, "a": GOLD}, baseline="a", candidate="b", **how).to_dict()
    assert (named["low"], named["old"], named["new"]) == (first["low"], "a", "b")
    right = [float(one == other) for one, other in zip(GOLD, OUTPUT, strict=True)]
    two = mm.gate([1.0] * len(right), right, margin=0.5, better="higher")
    assert mm.gate(old=[1.0] * len(right), new=right, margin=0.5, better="higher").to_dict() == two.to_dict()
    assert two.to_dict()["low"] == first["low"]


def test_labels_that_are_called_as_measures_are_stay_labels():
    assert mm.score(["kappa", "mae"], ["kappa", "kappa"], "accuracy", classes="kappa,mae") == 0.5
    assert mm.score(["kappa", "mae"], ["kappa", "kappa"], ["accuracy"], classes="kappa,mae") == {"accuracy": 0.5}


def test_a_page_of_scores_or_of_runs(tmp_path):
    page, runs = tmp_path / "page.html", {"a": GOLD, "b": OUTPUT}
    how = {"classes": "1..3", "measures": "accuracy", "trials": 20}
    made = mm.report(GOLD, runs, page, **how)
    assert page.read_text(encoding="utf-8") == made.html
    scores = mm.evaluate(GOLD, runs, classes="1..3", measures="accuracy")
    assert mm.report(scores, page, trials=20).html == page.read_text(encoding="utf-8")
    for data, more in (((GOLD, page, runs), {}), ((GOLD, page), {"runs": runs}), ((GOLD, None, runs), {})):
        with pytest.warns(DeprecationWarning, match="the runs come before the page"):
            assert mm.report(*data, **more, **how).html == made.html


def test_a_result_is_of_an_exported_type():
    runs = {"a": GOLD, "b": OUTPUT}
    scores = mm.evaluate(GOLD, runs, classes="1..3", measures="accuracy,mae")
    assert type(scores) is mm.Scores
    assert type(mm.compare(GOLD, runs, "accuracy", classes="1..3")) is mm.Comparison
    assert type(mm.compare(GOLD, runs, ["accuracy", "mae"], classes="1..3")) is mm.Comparisons
    assert type(mm.check(GOLD, runs, classes="1..3")) is mm.Check
    evidence = mm.count(GOLD, runs, classes="1..3")
    assert isinstance(evidence, mm.Evidence)
    assert repr(evidence) == "<evidence of classification: 2 runs, 1 topic>"
    made = mm.table(GOLD, runs, classes="1..3")
    assert isinstance(made, mm.RunTables)
    assert made.runs == ("a", "b")


@pytest.mark.parametrize("name", [*FUNCTIONS, *OF_META])
def test_what_is_returned_is_of_an_exported_type(name):
    answer = inspect.signature(named(name)).return_annotation
    words = re.findall(r"[A-Z]\w+", answer if isinstance(answer, str) else getattr(answer, "__name__", str(answer)))
    assert {*words} - {"Any", "Array", "Callable", "Floats", "None"} <= {*mm.__all__}


def test_an_option_that_there_is_not_is_named_with_the_nearest():
    for call in (mm.evaluate, mm.check, mm.count, mm.table, mm.advise, mm.report):
        with pytest.raises(mm.UsageError, match=r"there is no option 'clases'; did you mean 'classes'"):
            call(GOLD, {"a": OUTPUT}, clases="1..3")
    with pytest.raises(mm.UsageError, match=r"there is no option 'trails'; did you mean 'trials'"):
        mm.agree({}, trails=3)


@pytest.mark.parametrize("name", ["evaluate", "agree", "report"])
def test_every_option_is_the_nearest_to_itself_misspelt(name):
    """Those too that are one key of a mapping, such as ``item_column``."""
    taken = inspect.signature(getattr(mm, name)).parameters.values()
    for option in [one.name for one in taken if one.kind is one.KEYWORD_ONLY and len(one.name) > 3]:
        middle = len(option) // 2
        with pytest.raises(mm.UsageError, match=rf"there is no option .* did you mean .*'{option}'"):
            getattr(mm, name)(**{option[:middle] + option[middle + 1 :]: 1})


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_takes_what_its_signature_says(name):
    """What it does not take is refused, not ignored."""
    taken = inspect.signature(named(name)).parameters
    scores = mm.evaluate(GOLD, {"a": GOLD, "b": OUTPUT}, classes="1..3", measures="accuracy,mae")
    for option, value in (("validity", True), ("leave_out", "a")):
        if option not in taken:
            with pytest.raises(mm.UsageError, match=rf"{option}(=True)? is not for this question"):
                named(name)(scores, **{option: value})


@pytest.mark.slow
def test_type_checkers_know_the_options(tmp_path):
    right = tmp_path / "right.py"
    right.write_text(TYPED)
    checked = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*checked, str(right)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    lines = TYPED.count("\n") + 1
    wrong = tmp_path / "wrong.py"
    wrong.write_text(TYPED + "\n".join(WRONG.values()))
    done = subprocess.run([*checked, str(wrong)], cwd=ROOT, capture_output=True, text=True, check=False)
    found = {int(number) for number in re.findall(r"wrong\.py:(\d+): error", done.stdout)}
    assert found == {*range(lines, lines + len(WRONG))}
