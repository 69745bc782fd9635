"""Messages are templates and parts: options are written for the reader, and what comes from files is never searched."""

import ast
import importlib.util
import itertools
import json
import pickle
import re
import warnings
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.cli.main import COMMANDS, main
from metameasure.core.errors import MetameasureWarning
from metameasure.core.messages import FLAGS, Message, added_up, fields, note, restored, say, sentence, speaking_to, stored
from metameasure.core.notes import counted, in_a_row, listed

SOURCE = Path(mm.__file__).parent
DEMO = SOURCE / "demo"

SAID = {
    "choose {--missing worst}, drop or class:LABEL": "choose missing='worst', drop or class:LABEL",
    "check {--repeat-column}": "check columns={'repeat': ...}",
    "say {--gold-item-column 'pair ID'}": "say columns={'gold_item': 'pair ID'}",
    "choose with {--class-column}": "choose with columns={'category': ...}",
    "as in {--bins 1.5,2.5}": "as in bins=[1.5, 2.5]",
    "as in {--smooth 0.001}": "as in smooth=0.001",
    "as in {--classes neg,neu,pos} or -2..2": "as in classes='neg,neu,pos' or -2..2",
    "as in {--classes -2..2}": "as in classes='-2..2'",
    "as in {--measures tau@wmt12}": "as in measures='tau@wmt12'",
    "leave out {--better}": "leave out better",
    "{--run-columns} beside gold's": "run_columns beside gold's",
    "2 baselines left out; {--baselines} keeps them": "2 baselines left out; baselines=True keeps them",
    "or choose {--no-baselines}": "or choose baselines=False",
    "add {--format-in evall}; {--average pooled} takes": "add format_in='evall'; average='pooled' takes",
    "{--missing class:LABEL}": "missing='class:LABEL'",
    "{--format csv} or json.": ".render('csv') or json.",
    "or use {--scores FILE}": "or use .save(FILE)",
    "score them first ({evaluate --scores FILE})": "score them first (mm.evaluate(...).save(FILE))",
    "add {--chart FILE}": "add .chart(FILE)",
    "{metameasure measures --check} tries it out": "metameasure measures --check tries it out",
    "a run called svm--tuned, or -2..2": "a run called svm--tuned, or -2..2",
}
SOURCES = [file for file in sorted(SOURCE.rglob("*.py")) if file != SOURCE / "core/messages.py"]
# What is no message: declarations of options and examples of commands, other programs' command lines, style sheets, and the pages
# of studies, which are documents about the command.
NO_MESSAGES = (
    *("cli", "studies", "program.py", "lm_eval.py", "charts.py", "html_page.py"),
    *("declaration.py", "option_groups.py", "rating_options.py", "shared_options.py", "simulate.py"),
)


@pytest.mark.parametrize("written", SAID)
def test_an_option_is_an_argument_in_python(written):
    assert say(written) == SAID[written]
    with speaking_to("command"):
        assert say(written) == written.replace("{", "").replace("}", "")


def test_a_message_made_for_one_reader_can_be_read_by_the_other():
    message = say("{run} lacks it: {--leave-out <run>}", run="bert --epochs 3")
    assert message == "bert --epochs 3 lacks it: leave_out='bert --epochs 3'"
    assert message.on("command") == "bert --epochs 3 lacks it: --leave-out 'bert --epochs 3'"


SAYING = ("say", "legend", "note", "warn")


@cache
def parsed(file):
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes(file):
    """Everything in a file, which several tests go through."""
    return [*ast.walk(parsed(file))]


@cache
def calls():
    """Every message that the package makes: its file, the call, and its template where that is written there."""
    found = []
    for file in SOURCES:
        for node in nodes(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
                place = 0 if node.func.id in ("say", "legend") else 1
                found.append((file, node, node.args[place] if len(node.args) > place else None))
    return found


@cache
def declared():
    """Every option of every command."""
    names = {"help"}
    for command in COMMANDS:
        for parameter in every_parameter(importlib.import_module(f"metameasure.cli.{command}").command):
            names |= {name.removeprefix("--") for name in (*parameter.opts, *parameter.secondary_opts)}
    return names


def every_parameter(command):
    yield from command.params
    for one in getattr(command, "commands", {}).values():
        yield from every_parameter(one)


@pytest.mark.thorough
def test_every_option_that_a_message_names_is_declared():
    templates = [(file, template.value) for file, _, template in calls() if isinstance(template, ast.Constant)]
    assert len(templates) > 200
    named = {
        (name, file.name)
        for file, template in templates
        for name in Message(template, Anything()).options
        if "pip" not in template
    }
    assert {one for one in named if one[0] not in declared()} == set()


def test_flags_are_what_the_commands_declare_as_flags():
    """In Python ``--ci`` is ``ci=True`` and ``--missing`` takes a value: messages know it as the commands do."""
    takes_none, takes_one = set(), set()
    for command in COMMANDS:
        for parameter in every_parameter(importlib.import_module(f"metameasure.cli.{command}").command):
            names = {name.removeprefix("--") for name in parameter.opts}
            (takes_none if getattr(parameter, "is_flag", False) else takes_one).update(names)
    named = {
        name
        for _, _, template in calls()
        if isinstance(template, ast.Constant)
        for name in Message(template.value, Anything()).options
    }
    for_a_shell = {"check"}  # `metameasure measures --check` has no twin in Python
    assert (named & takes_none) - takes_one - for_a_shell <= set(FLAGS)
    assert set(FLAGS) <= takes_none


class Anything(dict):
    def __missing__(self, name):
        return 1


def test_every_message_has_the_parts_of_its_template():
    """It may have more, for JSON: a number at full precision beside its text."""
    for file, call, template in calls():
        if isinstance(template, ast.Constant) and not any(keyword.arg is None for keyword in call.keywords):
            wanted = {name for name, _ in fields(template.value) if "--" not in name}
            wanted |= {name.partition("<")[2].removesuffix(">") for name, _ in fields(template.value) if "<" in name}
            assert wanted <= {keyword.arg for keyword in call.keywords}, (file.name, call.lineno)


def test_no_message_is_made_before_anybody_reads():
    """At the level of a module, or as the default of a parameter, it would be written for the first reader and shown to all."""
    early = []
    for file in SOURCES:
        inside = {id(node) for function in nodes(file) if isinstance(function, FUNCTIONS) for node in within(function)}
        early += [
            f"{file.name}:{node.lineno}"
            for node in nodes(file)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAYING and id(node) not in inside
        ]
    assert early == []


FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def within(function):
    bodies = function.body if isinstance(function.body, list) else [function.body]
    return (node for body in bodies for node in ast.walk(body))


def texts():
    """Every text in the package that no message is made of, without the documentation in it."""
    for file in SOURCES:
        if {*file.parts} & {*NO_MESSAGES}:
            continue
        known = {id(node.value) for node in nodes(file) if isinstance(node, ast.Expr)}
        for node in nodes(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in known:
                yield f"{file.name}:{node.lineno}", node.value


def test_an_option_in_a_text_is_a_field():
    """A text that names an option outside of braces would read the same to everybody."""
    bare = [(where, text) for where, text in texts() if re.search(r"(?<![\w{<-])--[a-z]", re.sub(r"\{[^}]*\}", "", text))]
    assert bare == []


OF_DATA, OF_CALLS = ("DataError", "Problem", "error", "problem", "add"), ("UsageError", "UnknownName", "NoRuns")
A_NAME = re.compile(r"\b(runs?|columns?|labels?|topics?|items?|judges?|annotators?|segments?)( \w+){0,3}:? '?$")


def made_up(node):
    """The f-strings that a text is, or may be."""
    match node:
        case ast.JoinedStr():
            yield node
        case ast.BoolOp(values=values):
            yield from (text for value in values for text in made_up(value))
        case ast.IfExp(body=body, orelse=other):
            yield from (*made_up(body), *made_up(other))


def errors(kinds):
    """The f-strings that errors of these kinds are made of, whether they are written there or named before."""
    for file in SOURCES:
        for function in (node for node in nodes(file) if isinstance(node, ast.FunctionDef)):
            raised = [call for call in ast.walk(function) if isinstance(call, ast.Call) and called(call) in kinds]
            texts = [text for call in raised for text in (*call.args, *(keyword.value for keyword in call.keywords))]
            whole = [text for text in texts if isinstance(text, ast.Name | ast.BoolOp | ast.IfExp)]
            names = {node.id for text in whole for node in ast.walk(text) if isinstance(node, ast.Name)}
            assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
            texts += [node.value for node in assigned if getattr(node.targets[0], "id", "") in names]
            yield from ((f"{file.name}:{one.lineno}", one) for text in texts for one in made_up(text))


def called(call):
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def test_what_is_wrong_with_data_is_a_message():
    """Problems are grouped by their templates, and JSON has them in parts."""
    assert {where for where, _ in errors(OF_DATA)} == set()


def is_number(value):
    """Or a type."""
    if isinstance(value, ast.BinOp):
        return is_number(value.left) or is_number(value.right)
    counted = isinstance(value, ast.Call) and called(value) in ("len", "counted")
    return counted or isinstance(value, ast.Constant) or getattr(value, "attr", "") in ("shape", "size", "__name__")


def test_an_error_that_names_what_is_in_the_data_is_a_message():
    """A run, a column, a label, a topic, an item, a judge: what a caller has written may stand in an f-string."""
    named = [
        where
        for where, text in errors(OF_CALLS)
        for before, part in itertools.pairwise(text.values)
        if isinstance(before, ast.Constant) and isinstance(part, ast.FormattedValue) and A_NAME.search(before.value)
        if not is_number(part.value)
    ]
    assert named == []


def test_a_template_is_made_of_our_words():
    """Of literals and of names of them: what is computed, or is an attribute of something, is a part."""
    found = []
    for file, call, template in calls():
        choosing = [one for one in ast.walk(template or call) if isinstance(one, ast.Subscript | ast.IfExp)]
        chosen_by = {id(node) for one in choosing for node in ast.walk(one.slice if isinstance(one, ast.Subscript) else one.test)}
        computed = [node for node in ast.walk(template or call) if isinstance(node, ast.Call | ast.Attribute)]
        if template is not None and any(id(node) not in chosen_by for node in computed):
            found.append(f"{file.name}:{call.lineno}")
    assert found == []


def expressions(file):
    """How many regular expressions a file has."""
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr != "escape"
        for node in nodes(file)
    )


def test_nothing_searches_what_we_say():
    """Regular expressions read what files hold and what other programs write; none reads a message."""
    assert not [file for file in SOURCES if "from re import" in file.read_text(encoding="utf-8")]
    found = {file.relative_to(SOURCE).as_posix(): number for file in SOURCES if (number := expressions(file))}
    assert found == READ_BY_EXPRESSIONS, "say what the expression reads, and count it where it is not our own prose"


READ_BY_EXPRESSIONS = {
    # numbers, labels, names, paths and signatures that users write
    "core/values.py": 2,
    "core/scale.py": 2,
    "core/errors.py": 1,
    "catalogue/parameters.py": 3,
    "catalogue/directions.py": 2,
    "catalogue/registry.py": 7,
    "catalogue/declaring.py": 1,
    "competition/config.py": 1,
    "competition/scoring.py": 1,
    "studies/data.py": 1,
    "evaluating/data_sets.py": 1,
    "trials/open_trial.py": 1,
    "page/site.py": 1,
    "statistics/groups.py": 1,
    "catalogue/sources.py": 1,
    "core/signature.py": 3,
    "meta/data.py": 1,
    "meta/question.py": 1,  # types, as the code has them
    # files and engines
    "cleaning/repairs.py": 2,
    "cleaning/table.py": 5,
    "reading/files.py": 3,
    "reading/on_disk.py": 1,
    "reading/harness.py": 1,
    "reading/formats/rte.py": 2,
    "reading/formats/helm.py": 1,
    "reading/formats/lighteval.py": 1,
    "reading/formats/lm_eval.py": 1,
    "reading/formats/opencompass.py": 2,
    "reading/formats/wmt.py": 1,
    "reading/formats/seg_score.py": 1,
    "reading/cluster.py": 4,
    "reading/connecting.py": 2,  # versions, and the class that Java puts before what it says
    "reading/options.py": 1,
    "reading/joining.py": 1,
    # what is drawn or escaped: SVG, markup, symbols, control characters, cells of numbers
    "page/charts.py": 5,
    "show/symbols.py": 4,
    "show/grid.py": 2,
    "show/formats/latex.py": 2,
    "show/formats/plain.py": 2,
    "show/formats/markdown.py": 3,
    "show/lettering.py": 1,
    "show/inert.py": 3,
    "show/table.py": 3,
    "show/pieces.py": 1,
}


def test_no_sentence_is_cut_to_find_out_what_it_says():
    """What a message is about stands in its parts: nothing takes a label, a name or a hint out of finished words."""
    cut = []
    for file in SOURCES:
        for node in nodes(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING and node.args:
                sought = "".join(
                    one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant) and one.value == str(one.value)
                )
                if re.search(r"[a-z]{2,} ?'?$|[a-z] [a-z]|[a-z]? [=>] |^: $", sought, re.IGNORECASE) and " " in sought:
                    cut.append((file.relative_to(SOURCE).as_posix(), sought))
    assert cut == NAMES_OF_OURS


CUTTING = (
    "partition",
    "rpartition",
    "split",
    "rsplit",
    "removeprefix",
    "removesuffix",
    "replace",
    "startswith",
    "endswith",
    "find",
)
# A type in an annotation; what a measure of outcomes reads ("samples of NAME", a key); the prefix of answers without some
# runs, which are parts of a result and have that name.
NAMES_OF_OURS = [*[("core/options.py", " | None")] * 2, ("evidence/outcomes.py", " of "), *[("meta/finding.py", "without ")] * 2]


HOSTILE = [
    "x --missing drop",
    "--epochs 10",
    "<b>",
    "a|b",
    "%s",
    "{0}",
    "{run}",
    "{--task x}",
    "naïve Ω",
    "it's",
    'say "no"',
    "a\\b",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_never_read_as_part_of_the_template(name):
    message = note("test", "{run} and {runs}: {--leave-out <run>}", run=name, runs=listed([name, "b"], "and"))
    assert message.startswith(f"{name} and {name} and b: leave_out=")
    found = message.data()
    assert found["subjects"] == [name, "b"]
    assert found["text"] == message
    assert restored(json.loads(json.dumps(stored(message)))) == message
    assert pickle.loads(pickle.dumps(message)) == message


@given(name=st.text(), other=st.text())
def test_any_text_is_a_part(name, other):
    message = say("{first}/{second:}: {--against <first>}", first=name, second=other)
    assert message == f"{name}/{other}: against={name!r}"


WIDE = {"template": "{a:99999999}", "parts": {"a": 1}, "kind": "k", "warns": False}


@pytest.mark.parametrize("held", [WIDE, {"template": "{b}"}, 5, None])
def test_what_a_file_calls_a_note_and_is_none(held):
    with pytest.raises(ValueError, match=r"."):
        restored(held)


def test_notes_that_count_the_same_add_up():
    def lacking(run, items):
        return note("rows", "{run}: {items} left out", run=run, items=counted(items, "missing item"))

    added = added_up([lacking("a", 1), lacking("3 rows", 2)], [lacking("a", 1000), lacking("b", 1)])
    assert added == ("a: 1,001 missing items left out", "3 rows: 2 missing items left out", "b: 1 missing item left out")
    assert added_up(added, added)[0] == "a: 2,002 missing items left out"


def test_a_sentence_opens_with_a_capital_letter_unless_it_opens_with_a_name():
    assert note("k", "random baselines are simulated").sentence == "Random baselines are simulated."
    assert note("k", "{run}: left out", run="random").sentence == "random: left out."
    assert note("k", "is it?").sentence == "Is it?"
    assert sentence("random baselines: 2 dropped") == "random baselines: 2 dropped."


def test_errors_do_so():
    with pytest.raises(mm.UsageError, match=r"choose one of|missing='drop'|class:LABEL") as caught:
        mm.evaluate(["a", "b"], {"svm": ["a", None]}, classes="a,b", missing="wors")
    assert "--" not in str(caught.value)
    with pytest.raises(mm.UsageError, match="aspect is for NTCIR's files; leave it out"):
        mm.evaluate(DEMO / "gold.tsv", [DEMO / "runs/bold.tsv"], classes="-2..2", task="quantification", aspect="A")


def test_and_on_the_command_line_the_same_error_has_options(capsys):
    data = [str(DEMO / "gold.tsv"), str(DEMO / "runs/bold.tsv"), "--classes", "-2..2"]
    assert main(["evaluate", *data, "--task", "quantification", "--aspect", "A"]) == 2
    assert "--aspect is for NTCIR's files" in capsys.readouterr().err


def test_data_problems_do_so(tmp_path, capsys):
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n", encoding="utf-8")
    (tmp_path / "run.csv").write_text("item,label\n1,a\n", encoding="utf-8")
    files = tmp_path / "gold.csv", tmp_path / "run.csv"
    with pytest.raises(mm.DataError, match="choose missing='worst', drop or class:LABEL"):
        mm.evaluate(files[0], [files[1]], classes="a,b")
    assert main(["evaluate", *map(str, files), "--classes", "a,b"]) == 1
    assert "choose --missing worst, drop or class:LABEL" in capsys.readouterr().err


def test_undeclared_classes_are_ready_to_paste_on_either_side(tmp_path, capsys):
    with pytest.raises(mm.UsageError, match=r"classes=\['a', 'b'\]"):
        mm.evaluate(["a", "b"], {"svm": ["a", "b"]})
    (tmp_path / "side.csv").write_text("item,gold,svm\n1,a,b\n2,b,b\n", encoding="utf-8")
    assert main(["evaluate", str(tmp_path / "side.csv")]) == 2
    assert "--classes a,b" in capsys.readouterr().err


def test_results_print_arguments_in_python_and_options_on_the_command_line(capsys):
    data = str(DEMO / "gold.tsv"), str(DEMO / "runs/*.tsv")
    both = ["cem_ord", "mae_macro"]
    assert "correction_across='measures'" in mm.compare(*data, both, classes="-2..2").render(notes="all")
    assert main(["compare", *data, "--classes", "-2..2", "--measures", ",".join(both), "--notes", "all"]) == 0
    assert "--correction-across measures" in capsys.readouterr().out


def test_warnings_do_so():
    with pytest.warns(MetameasureWarning, match="^use chance_test and compare$"):
        warnings.warn(say("use {--chance-test} and compare"), MetameasureWarning, stacklevel=1)


def findings():
    spec = importlib.util.spec_from_file_location("findings", Path(__file__).parents[2] / "tools/findings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.thorough
def test_every_kind_of_finding_is_in_the_golden_file():
    """In all five renderings, and none of them with dots in place of words."""
    tool = findings()
    blocks = [block.splitlines() for block in tool.FILE.read_text(encoding="utf-8").rstrip("\n").split("\n\n")]
    assert all([line[2:12].strip() for line in block[1:]] == ["terminal", "python", "html", "latex", "json"] for block in blocks)
    written = {block[0] for block in blocks}
    assert {f"{kind}{' (warning)' if warns else ''}" for _, kind, warns in tool.sites()} == written
    assert [block for block in blocks if "..." in block[1]] == []


@pytest.mark.slow
def test_every_kind_of_finding_reads_as_it_did():
    """Change a note, then read the file aloud: python tools/findings.py --write. A kind that no call brings about is an error."""
    tool = findings()
    assert tool.renderings() == tool.FILE.read_text(encoding="utf-8")


def test_messages_in_a_row_get_other_names_too():
    tests = in_a_row([say("{measures}: exact", measures="mae"), say("{measures}: drawn", measures="mse")], "; ")
    told = say("Runs that share a letter do not differ ({tests}); {how}.", tests=tests, how=in_a_row(["mae"]))
    assert told.renamed({"mae": "MAE"}) == "Runs that share a letter do not differ (MAE: exact; mse: drawn); mae."
