"""Numbers as people read them: as many decimals as are asked for in every format of every command, p-values on their side of
alpha, one definition of the arrows; and full precision for programs, whatever is asked for."""

import ast
import contextlib
import io
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import metameasure as mm
from metameasure.cli import main
from metameasure.core import numbers
from metameasure.core.errors import UsageError
from metameasure.core.messages import note, sentence
from metameasure.page.sections import _p_grid

SOURCE = Path(numbers.__file__).parents[1]
READ = ("table", "markdown", "latex", "html")
# Neither in a name (noisy-0.3), nor a version, nor an option's value.
NUMBER = re.compile(r"(?<![\w.,#-])[-+]?\d*\.\d+(?:e-?\d+)?(?![\w.]*\w)")
SMALL = ("gold.tsv", "a.tsv", "b.tsv", "c.tsv", "--classes", "1..3")
# What is no result: alpha, thresholds, margins, epsilon, the width of a page, a constant of a formula, sections of papers.
SETTINGS = {"0.05", ".05", "0.8", "0.6", "0.1", "0.2", "6.9", "0.5", "3.1", "5.4"}
# Numbers of any size, whose digits are counted from the first that is not 0; and how wide a table is.
OF_ANY_SIZE = ("p =", "p <", "p is at least", "p-value below", "V_E2 =", "V\\_E2 =", "standard error at most", "% About")
LONG = ("meta all", "meta consistency", "judge", "design", "evaluate with intervals")
OF_ENTAILMENT = ("--task", "entailment", "--positive", "YES", "--neutral", "UNKNOWN", "--negative", "NO")
OF_QUANTIFICATION = ("--task", "quantification", "--classes", "-2..2")
SIMULATED = {
    "ranking": ("--kind", "noisy=.3,.9"),
    "entailment": ("--kind", "calibrated=.3", "--items", "8"),
    "quantification": ("--kind", "noisy=.5,.9"),
}
CORRECTED = ("--classes", "1..3", "--sampled", "random", "--trials", "100")
CALLS = {
    "evaluate": ("evaluate", *SMALL),
    "evaluate with intervals": ("evaluate", *SMALL, "--ci", "--trials", "50", "--baselines", "--groups", "--ranks"),
    "evaluate rankings": ("evaluate", "ranking/gold.tsv", "ranking/runs/*.tsv", "--task", "ranking"),
    "evaluate entailment": ("evaluate", "entailment/gold.tsv", "entailment/runs/*.tsv", *OF_ENTAILMENT),
    "table": ("table", *SMALL),
    "table of judgements": ("table", "entailment/gold.tsv", "entailment/runs/*.tsv", *OF_ENTAILMENT),
    "table of distributions": ("table", "quantification/gold.tsv", "quantification/runs/*.tsv", *OF_QUANTIFICATION),
    "compare": ("compare", *SMALL, "--measures", "cem_ord", "--trials", "99"),
    "compare with one": ("compare", *SMALL, "--measures", "cem_ord", "--against", "a", "--trials", "99"),
    "compare by several": ("compare", *SMALL, "--measures", "cem_ord,mae", "--against", "a", "--trials", "99"),
    "ranks": ("ranks", *SMALL, "--measures", "cem_ord", "--trials", "99"),
    "gate": ("gate", *SMALL, "--measures", "mae", "--baseline", "b", "--candidate", "a", "--margin", ".1"),
    "gate by several": ("gate", *SMALL, "--measures", "mae,accuracy", "--baseline", "b", "--candidate", "a", "--margin", ".1"),
    "gate of outcomes": ("gate", "outcomes.csv", "--baseline", "b", "--candidate", "a", "--margin", ".1", "--better", "higher"),
    "evaluate outcomes": ("evaluate", "outcomes.csv", "--better", "higher", "--ci"),
    "compare outcomes": ("compare", "outcomes.csv", "--better", "higher", "--trials", "99"),
    "slices": ("evaluate", "outcomes.csv", "--better", "higher", "--by", "subject"),
    "possible ranks": ("evaluate", *SMALL, "--measures", "cem_ord", "--possible-ranks", "--trials", "99"),
    "ranks of outcomes": ("ranks", "outcomes.csv", "--better", "higher", "--trials", "99"),
    "ranks of battles": ("ranks", "battles.csv", "--trials", "99"),
    "ranks over tasks": ("ranks", "scores.csv", "--across", "standardised", "--trials", "99"),
    "evaluate corrected": ("evaluate", "people.tsv", "x.tsv", "y.tsv", "--judge-labels", "gpt.tsv", *CORRECTED),
    "judge corrected": ("judge", "people.tsv", "gpt.tsv", "--correct", *CORRECTED),
    "meta all": ("meta", "all", "scores.csv", "--trials", "99"),
    "meta similarity": ("meta", "similarity", "scores.csv", "--trials", "99"),
    "meta consistency": ("meta", "consistency", "scores.csv", "--trials", "99"),
    "meta discrimination": ("meta", "discrimination", "scores.csv", "--trials", "99"),
    "meta overlap": ("meta", "overlap", "scores.csv", "--trials", "99"),
    "meta contradictions": ("meta", "contradictions", "scores.csv", "--trials", "99"),
    "meta deltas": ("meta", "deltas", "scores.csv", "--runs", "a,b"),
    "meta coverage": ("meta", "coverage", "scores.csv"),
    "meta robustness": ("meta", "robustness", "scores.csv"),
    "advise": ("advise", "scores.csv"),
    "agree": ("agree", "ratings.csv", "--classes", "1..3", "--trials", "50"),
    "judge": ("judge", "ratings.csv", "--judges", "d,e", "--classes", "1..3", "--trials", "50"),
    "design": ("design", "scores.csv", "--trials", "20"),
    "measures": ("measures", "cem_ord"),
    "measures of gold": ("measures", "cem_ord", "--gold", "gold.tsv", "--classes", "1..3"),
    "axioms": ("axioms", "mae", "--properties", "bounded,symmetric", "--trials", "20"),
}


RIGHT = {"a": 0.7, "b": 0.65, "c": 0.6}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Small files for every task, with some spread in their scores."""
    place, draw = tmp_path_factory.mktemp("digits"), random.Random(7)  # noqa: S311 - the same each time

    def near(label, miss):
        return str(min(3, max(1, label + draw.choice((-1, 1))))) if draw.random() < miss else str(label)

    gold = [(f"i{item}", f"t{item % 6}", draw.choice((1, 2, 2, 3, 3, 3))) for item in range(48)]
    for name, miss in {"gold": 0, "a": 0.1, "b": 0.35, "c": 0.6}.items():
        rows = "".join(f"{item}\t{topic}\t{near(label, miss)}\n" for item, topic, label in gold)
        (place / f"{name}.tsv").write_text(f"item\ttopic\tlabel\n{rows}")
    people = {"a": 0.2, "b": 0.3, "c": 0.4, "d": 0.3, "e": 0.7}
    rows = "".join(f"{item},{','.join(near(label, miss) for miss in people.values())}\n" for item, _, label in gold)
    (place / "ratings.csv").write_text(f"item,{','.join(people)}\n{rows}")
    truth = [draw.choice((1, 2, 2, 3)) for _ in range(160)]
    for name, (number, miss) in {"people": (80, 0), "x": (160, 0.2), "y": (160, 0.5), "gpt": (160, 0.3)}.items():
        rows = "".join(f"{item}\t{near(label, miss)}\n" for item, label in enumerate(truth[:number]))
        (place / f"{name}.tsv").write_text(f"item\tlabel\n{rows}")
    marks = [(run, item, int(draw.random() < share), "xyz"[item % 3]) for run, share in RIGHT.items() for item in range(60)]
    (place / "outcomes.csv").write_text("run,item,score,subject\n" + "".join(f"{','.join(map(str, row))}\n" for row in marks))
    met = [(*draw.sample("abc", 2), draw.choice(("model_a", "model_b", "tie"))) for _ in range(90)]
    (place / "battles.csv").write_text("model_a,model_b,winner\n" + "".join(f"{','.join(row)}\n" for row in met))
    with contextlib.chdir(place), contextlib.redirect_stdout(io.StringIO()):
        for task, how in SIMULATED.items():
            assert main(["simulate", task, "--task", task, "--topics", "5", *how]) == 0
        assert main(["evaluate", *SMALL, "--measures", "cem_ord,accuracy,mae", "--scores", "scores.csv"]) == 0
    return place


@pytest.fixture
def scores(folder):
    return mm.evaluate(folder / "gold.tsv", [folder / f"{run}.tsv" for run in "abc"], classes="1..3", measures="cem_ord,mae")


@pytest.fixture
def compared(folder):
    """Runs whose p-values are to be filled in."""
    return mm.compare(mm.read_scores(folder / "scores.csv"), "cem_ord", trials=50)


def strays(text, digits):
    """Numbers that have another number of decimals."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r"Signature: .*", "", text)
    found = [(match[0], text[: match.start()].rstrip()) for match in NUMBER.finditer(text)]
    return [
        shown
        for shown, before in found
        if len(shown.partition(".")[2]) != digits and shown not in SETTINGS and not before.endswith(OF_ANY_SIZE)
    ]


def is_all_right(run, call, format, digits):
    status, out, err = run(*call, "--format", format, "--digits", digits)
    assert status == 0, err
    left = strays(out, digits)
    if call[0] == "design":  # its last table is of variances, which are of any size
        left = [shown for shown in left if not 0 < float(shown) < 1]
    assert not left, out


@pytest.mark.each_time(6)
@pytest.mark.parametrize("name", [name for name in CALLS if name not in LONG])
def test_a_command_shows_so_many_decimals(run, folder, monkeypatch, name):
    monkeypatch.chdir(folder)
    is_all_right(run, CALLS[name], "table", 5)


@pytest.mark.slow
@pytest.mark.parametrize("format", READ)
@pytest.mark.parametrize("digits", [1, 5])
@pytest.mark.parametrize("name", CALLS)
def test_every_command_shows_so_many_decimals_in_every_format(run, folder, monkeypatch, name, digits, format):
    monkeypatch.chdir(folder)
    is_all_right(run, CALLS[name], format, digits)


@pytest.mark.slow
def test_a_study_has_our_values_with_so_many_decimals_and_the_papers_as_printed(run):
    status, out, err = run("study", "avramidis2013", "--format", "markdown", "--digits", 7)
    assert status == 0, err
    assert "| 0.7333 | 0.7333333 |" in out


def test_programs_read_the_same_whatever_is_asked_for(run, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for call in (CALLS["evaluate rankings"], CALLS["compare"]):
        for format in ("json", "csv"):
            assert run(*call, "--format", format, "--digits", 1) == run(*call, "--format", format)
    with_page = run(*CALLS["agree"], "--digits", 1, "--format", "json", "--page", "page.html")[1]
    assert with_page == run(*CALLS["agree"], "--format", "json")[1]
    page = re.sub(r"<(style|script|svg).*?</\1>", "", (folder / "page.html").read_text(), flags=re.DOTALL)
    cells = re.findall(r"<td[^>]*>([^<]*\.\d[^<]*)</td>", page)
    assert cells
    assert not [cell for cell in cells if strays(cell, 1)]


def test_python_asks_for_decimals_too(scores, folder):
    text = scores.render("table", digits=5)
    assert not strays(text, 5)
    assert re.search(r"\d\.\d{5}\b", text)
    assert str(scores) == scores.render() == scores.render(digits=None) != text
    assert scores.render("json", digits=1) == scores.render("json")
    made = mm.agree(folder / "ratings.csv", classes="1..3", trials=50)
    assert not strays(made.render("table", digits=6), 6)  # what was said before it was asked for has them too
    page = mm.report(made, digits=6)
    assert not [sentence for sentence in page.answer if strays(sentence, 6)]


def test_a_note_keeps_its_numbers_until_it_is_read():
    said = note("kind", "the mean is {mean:.3f}, p = {p:.2g}, {runs} runs of {share:.0%}", mean=2 / 3, p=1 / 7, runs=2, share=0.5)
    assert said == "the mean is 0.667, p = 0.14, 2 runs of 50%"
    with numbers.with_digits(5):
        assert sentence(said) == "The mean is 0.66667, p = 0.14286, 2 runs of 50%."


@pytest.mark.parametrize("asked", ["-1", "16", "x", "1.5", ""])
def test_what_is_no_number_of_decimals_is_refused(run, folder, asked):
    status, out, err = run("evaluate", folder / "gold.tsv", folder / "a.tsv", "--classes", "1..3", "--digits", asked)
    assert (status, out) == (2, "")
    assert "'--digits'" in err


@pytest.mark.parametrize("asked", [-1, 16, "3", 1.5, True])
def test_python_refuses_it_too(scores, asked):
    with pytest.raises(UsageError, match="decimals; choose from 0 to 15"):
        scores.render("table", digits=asked)
    with pytest.raises(UsageError, match=r"decimals; choose from 0 to 15|digits cannot be .*; give a whole number"):
        mm.report(scores, digits=asked)


def test_no_decimals_at_all(run, folder, monkeypatch):
    monkeypatch.chdir(folder)
    status, out, _ = run(*CALLS["evaluate"], "--digits", 0)
    assert status == 0
    assert not NUMBER.search(out)


LEVELS = st.one_of(st.sampled_from([0.05, 0.01, 0.001, 0.1]), st.floats(1e-9, 1, exclude_max=True))


@st.composite
def cases(draw):
    """A level and a p-value, often next to each other."""
    alpha = draw(LEVELS)
    near = st.sampled_from([alpha, np.nextafter(alpha, 0), np.nextafter(alpha, 1), alpha * 0.996, min(1, alpha * 1.004)])
    return float(draw(st.one_of(st.floats(0, 1), near))), alpha


def is_below(shown, alpha):
    """What a reader makes of a p-value: < 0.001 is below every level that is not below 0.001."""
    return float(shown[1:]) <= alpha if shown.startswith("<") else float(shown) < alpha


@given(cases(), st.one_of(st.none(), st.integers(0, 15)))
@example((0.04979, 0.05), None)
@example((0.0004, 0.0001), None)
@example((0.04, 0.05), 1)
@example((0.3, 0.05), 0)
def test_a_p_value_is_shown_on_its_side_of_alpha(case, digits):
    p, alpha = case
    with numbers.with_digits(digits):
        in_words = numbers.p_in_words(p, alpha).removeprefix("p ").removeprefix("= ").replace("< ", "<")
        for shown in (numbers.p_value(p, alpha), in_words, numbers.p_alone(p, alpha)):
            assert is_below(shown, alpha) == (p < alpha)
            assert p == 0 or shown.startswith("<") or float(shown) > 0


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cases())
@example((0.04979, 0.05))
def test_every_format_and_the_page_show_the_same_p_value(compared, case):
    p, alpha = case
    matrix = np.where(np.eye(len(compared.runs), dtype=bool), np.nan, p)
    made = replace(compared, p=matrix, alpha=alpha)
    shown = numbers.p_value(p, alpha) + "*" * (p < alpha)
    cells = {format: re.sub(r"&lt;|\\textless\{\}|\$<\$|&#60;", "<", made.render(format)).replace("\\", "") for format in READ}
    cells["latex"] = re.sub(r"(?:phantom\{\d+\})? & \*", "*", cells["latex"])  # a star has a column of its own
    for format, text in cells.items():
        assert shown in text, (format, shown)
    assert shown in {cell.text for row in _p_grid(made).rows for cell in row}


def test_the_page_and_the_terminal_write_p_values_alike():
    assert numbers.p_value(0.04979, 0.05) == "0.0498"
    assert numbers.p_value(np.nan, 0.05) == "–"
    assert [numbers.p_value(p, 0.05) for p in (0.5, 0.0004, 0.0)] == ["0.500", "<0.001", "<0.001"]


def test_p_values_in_words():
    assert [numbers.p_in_words(p, 0.05) for p in (1.0, 0.04979, 0.00049, 0.0)] == [
        "p = 1",
        "p = 0.0498",
        "p < 0.001",
        "p < 0.001",
    ]
    assert numbers.p_in_words(0.0003, 0.0001) == "p = 0.0003"
    assert numbers.p_in_words(0.0, 0.05, least=0.02) == "p < 0.02"
    with numbers.with_digits(4):
        assert numbers.p_in_words(0.00049, 0.05) == "p = 0.00049"


BY_HAND = (
    r"\bp(?:-value)? (?:[=<]|is at least|below) \{[^{}]*:\.\d[efg]\}",  # a number with a format of its own, called p
    r"\{(?:\w+\.)*(?:p|p_\w+|\w+_p)(?:\[[^{}]*\])?:\.\d[efg]\}",  # one whose name says so
    r"\bp < 0?\.\d",  # one that is a part of the text (p = .8 is of a measure)
)


def p_values_by_hand(text):
    return [found[0] for pattern in BY_HAND for found in re.finditer(pattern, text)]


def said_in(path):
    """All texts of a module but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    explained = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in explained:
            yield node.value


@pytest.mark.parametrize(
    "text",
    ["p = {least:.2g}", "(p is at least {least:.2g})", "a p-value below {one:.2g}", "{p:.3f}", "{one.p[0]:.2g}", "p < 0.001"],
)
def test_p_values_that_are_written_by_hand_are_found(text):
    assert p_values_by_hand(text)


def test_p_values_are_written_in_one_place():
    """Only ``core/numbers.py`` knows how: a template has the text that it makes."""
    modules = (path for path in SOURCE.rglob("*.py") if path != SOURCE / "core/numbers.py")
    found = {path: by_hand for path in modules if (by_hand := [one for text in said_in(path) for one in p_values_by_hand(text)])}
    assert found == {}


def test_arrows_are_defined_once():
    """But where another alphabet has to say them: that of LaTeX, and that of a terminal without Unicode."""
    known = {SOURCE / "core/numbers.py", SOURCE / "cli/ascii.py", SOURCE / "show/formats/latex.py"}
    assert {path for path in SOURCE.rglob("*.py") if "↑" in path.read_text()} == known


def test_numbers_are_written_in_one_place():
    """No other module has an f-string that rounds to decimals, but where a width of paper or an option of a call is written."""
    known = {"core/numbers.py", "show/formats/latex.py", "simulation/shapes.py", "statistics/work.py"}
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(r"\.[1-9]f\}", path.read_text())
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FormattedValue)
        and node.format_spec is not None
        and re.fullmatch(r"f'[^']*\.[1-9]f'", ast.unparse(node.format_spec))
    }
    assert found <= known
