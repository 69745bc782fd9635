"""Studies that can fail: what must come out of the frozen scores is computed by other code, and each fault planted in ``meta`` or
``statistics`` turns a study red."""

import ast
import importlib
import inspect
import json
import sys
import textwrap
from pathlib import Path

import pytest

import frozen_reference
from metameasure.studies.frozen import FOLDER, QUESTIONS, frozen
from metameasure.studies.study import studies

# Which study puts which questions to which matrix; the mutation test runs these parts alone.
PARTS = {
    "sakai2021": [
        ("tweets", "similarity", "consistency, half", "consistency, 3", "consistency, by topics", "discrimination"),
        ("dialogues", "similarity", "discrimination", "discrimination, by topics"),
    ],
    "sakai2021lq": [("dialogues", "discrimination", "overlap", "deltas")],
    "amigo2020": [("cases", "coverage", "robustness")],
    "avramidis2013": [("experiments", "similarity")],
}
# Faults: the module and the function, what stands there, what is put instead; and the study's question that sees it.
FAULTS = {
    "tau counts ties as agreement": ("statistics.rank_correlation", "_sign", "(gaps < -TIE)", "(gaps <= TIE)", "sakai2021", 0, 1),
    "tau divides by fewer pairs": ("statistics.rank_correlation", "kendall_tau_a", "/ 2\n", "/ 2 - 1\n", "avramidis2013", 0, 1),
    "tied ranks are not shared": (
        "statistics.rank_correlation", "tied_ranks", "(first + last) / 2 + 1", "first + 1", "amigo2020", 0, 1,
    ),
    "halves overlap": (
        "statistics.splits", "split_halves", "order[:, first : first + second]", "order[:, :second]", "sakai2021", 0, 2,
    ),
    "halves of unequal size": ("statistics.splits", "split_halves", "topics // 2 if", "topics // 3 if", "sakai2021", 0, 2),
    "V_E2 with too many degrees of freedom": (
        "statistics.anova", "residual_variance", "(systems - 1)", "systems", "sakai2021", 0, 2,
    ),
    "p of twice the difference": (
        "statistics.tukey", "_share_reaching", "sums[:, None] -", "2 * sums[:, None] -", "sakai2021", 1, 2,
    ),
    "too small a jackknife": (
        "statistics.measure_tests", "measures_apart", "(topics - 1) / topics", "1 / topics", "sakai2021", 0, 4,
    ),
    "significant is p above alpha": ("meta.discriminative_power", "_one", "pairs < level", "pairs > level", "sakai2021lq", 0, 1),
    "overlap counts either as both": (
        "meta.significance_overlap", "_one", "(one & other).sum(),", "(one | other).sum(),", "sakai2021lq", 0, 2,
    ),
    "contradictions need one significant side": (
        "meta.significance_contradictions", "_one", "significant[i] & significant[j]", "(significant[i] | significant[j])",
        "sakai2021lq", 0, 2,
    ),
    "unanimity of some": ("meta.unanimous_coverage", "unanimous_improvement", "logical_and", "logical_or", "amigo2020", 0, 1),
    "agreement taken for disagreement": ("meta.score_deltas", "_pairs", "(other < -TIE)", "(other > TIE)", "sakai2021lq", 0, 3),
    "Pearson about zero": ("statistics.correlation", "pearson", "x - x.mean(), y - y.mean()", "x, y", "sakai2021lq", 0, 3),
    "topics pair with themselves": (
        "meta.topic_robustness", "mean_rank_correlation", "(total - number)", "total", "amigo2020", 0, 2,
    ),
}  # fmt: skip


def planted(monkeypatch, module, name, before, after):
    """The function with other code, wherever it was imported."""
    function = inspect.unwrap(getattr(importlib.import_module(f"metameasure.{module}"), name))
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(before) >= 1, f"{module}.{name} has no '{before}'"
    namespace = {}
    exec(compile(source.replace(before, after), function.__code__.co_filename, "exec"), function.__globals__, namespace)
    code, old = namespace[name].__code__, function.__code__
    assert (code.co_code, code.co_names, code.co_consts) != (old.co_code, old.co_names, old.co_consts), "in a comment"
    monkeypatch.setattr(function, "__code__", namespace[name].__code__)


def red(matrix, *asked):
    """The values that fail in what a study asks of frozen scores."""
    return [value for value in frozen(matrix, *asked) if value.fails]


def test_all_agree_and_every_question_is_asked():
    assert not [value for part in {part for parts in PARTS.values() for part in parts} for value in red(*part)]
    assert {question for parts in PARTS.values() for _, *asked in parts for question in asked} == set(QUESTIONS)


def test_the_studies_ask_these_questions():
    for study, parts in PARTS.items():
        source = " ".join(inspect.getsource(sys.modules[studies()[study].values.__module__]).split())
        for matrix, *asked in parts:
            call = f"yield from frozen({', '.join(f'{json.dumps(word)}' for word in (matrix, *asked))})"
            assert call in source.replace("( ", "(").replace(", )", ")")


@pytest.mark.each_time(3)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_turns_a_study_red(monkeypatch, fault):
    *what, study, part, question = FAULTS[fault]
    matrix, *asked = PARTS[study][part]
    planted(monkeypatch, *what)
    assert red(matrix, asked[question - 1])


@pytest.mark.parametrize("name", frozen_reference.NAMES)
def test_what_must_come_out_is_what_the_other_code_says(name):
    stored = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for question, rows in frozen_reference.exact(name).items():
        assert [row[:2] for row in stored[question]] == [row[:2] for row in rows]
        assert [row[2] for row in stored[question]] == pytest.approx([row[2] for row in rows], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tweets", "dialogues"])
def test_what_is_drawn_too(name):
    stored = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for question, rows in frozen_reference.drawn(name).items():
        assert stored[question] == rows


def test_the_other_code_knows_nothing_of_ours():
    source = ast.parse(Path(frozen_reference.__file__).read_text(encoding="utf-8"))
    imported = [node for node in ast.walk(source) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert imported
    assert not any("metameasure" in ast.unparse(node) for node in imported)
