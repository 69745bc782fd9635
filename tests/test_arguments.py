"""Messages speak of options on the command line and of arguments in Python."""

import ast
import re
import warnings
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.arguments import as_arguments
from metameasure.cli.main import main
from metameasure.errors import MetameasureWarning

SOURCE = Path(mm.__file__).parent
DEMO = SOURCE / "demo"

SAID = {
    "choose --missing worst, drop or class:LABEL": "choose missing='worst', drop or class:LABEL",
    "check --repeat-column": "check columns={'repeat': ...}",
    "say --gold-item-column 'pair ID'": "say columns={'gold_item': 'pair ID'}",
    "choose with --class-column": "choose with columns={'category': ...}",
    "as in --bins 1.5,2.5": "as in bins=[1.5, 2.5]",
    "as in --smooth 0.001": "as in smooth=0.001",
    "as in --classes neg,neu,pos or -2..2": "as in classes='neg,neu,pos' or -2..2",
    "as in --classes -2..2": "as in classes='-2..2'",
    "as in --measures tau@wmt12": "as in measures='tau@wmt12'",
    "leave out --better": "leave out better",
    "it is for ranking (--task)": "it is for ranking (task)",
    "--run-columns beside gold's": "run_columns beside gold's",
    "2 baselines left out; --baselines keeps them": "2 baselines left out; baselines=True keeps them",
    "or choose --no-baselines": "or choose baselines=False",
    "leave out --name-by tag: files have names": "leave out name_by='tag': files have names",
    "add --format-in evall; --average pooled takes": "add format_in='evall'; average='pooled' takes",
    "--format csv or json.": ".render('csv') or json.",
    "or use --scores FILE": "or use .save(FILE)",
    "score them first (evaluate --scores FILE)": "score them first (.save(FILE))",
    "add --chart FILE": "add .chart(FILE)",
    "Add --difference D for the topics": "Add difference=D for the topics",
    "a run called svm--tuned, or -2..2": "a run called svm--tuned, or -2..2",
}


@pytest.mark.parametrize("written", SAID)
def test_an_option_is_an_argument_in_python(written):
    assert as_arguments(written) == SAID[written]


def texts():
    """Every text in the package, without the command line and the documentation in it."""
    for file in sorted(SOURCE.rglob("*.py")):
        if "cli" in file.parts or file.name == "arguments.py":
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
                yield file.name, node.value


def test_no_option_of_any_message_is_left():
    told = [(file, as_arguments(text)) for file, text in texts() if re.search(r"--[a-z]", text)]
    assert len(told) > 50
    assert [one for one in told if re.search(r"(?<![\w-])--[a-z]", one[1])] == []


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
    assert "average='pooled'" in str(mm.compare(*data, "cem_ord", classes="-2..2"))
    assert main(["compare", *data, "--classes", "-2..2", "--measures", "cem_ord"]) == 0
    assert "--average pooled" in capsys.readouterr().out


def test_warnings_do_so():
    with pytest.warns(MetameasureWarning, match="^use chance_test and compare$"):
        warnings.warn("use --chance-test and compare", MetameasureWarning, stacklevel=1)
