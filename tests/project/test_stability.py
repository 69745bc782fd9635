"""docs/stability.md is true: ids, JSON keys, the numbers of a seed and evidence files are those of 0.2.0, or more.

python tests/project/test_stability.py    add what is new to tests/stability.json and tests/evidence; nothing is removed
"""

import contextlib
import io
import json
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.catalogue.registry import default_registry
from metameasure.cli import main
from metameasure.cli.main import COMMANDS
from metameasure.evidence.base import load
from metameasure.meta.question import questions
from metameasure.properties.property import properties
from metameasure.reading.formats import format_names
from metameasure.show.table import output_formats

HERE = Path(__file__).parents[1]
RECORD, EVIDENCE = HERE / "stability.json", HERE / "evidence"
DEMO = files("metameasure") / "demo"
RUNS = [str(DEMO / "gold.tsv"), str(DEMO / "runs" / "*.tsv"), "--classes", "-2..2"]
FOUR = ["--measures", "cem_ord,kappa_linear,mae_macro,accuracy"]
RATINGS = [str(HERE.parent / "examples/summaries.csv"), "--classes", "1..5"]
OF_TASK = {"classification": "cem_ord", "quantification": "rnod", "entailment": "a3", "ranking": "tau@wmt13"}
SMALL = {
    "classification": ("rand=.2,.5", {"topics": 3, "items": 20}),
    "quantification": ("noisy=.2,.5", {"topics": 5}),
    "entailment": ("calibrated=.2,.5", {"items": 30}),
    "ranking": ("noisy=.5,2", {"topics": 10}),
}


def ids():
    """What users type or import."""
    known = default_registry()
    return {
        "measures": sorted(known),
        "other names": sorted(name for measure in known.values() for name in (*measure.aliases, *measure.spellings)),
        "commands": sorted(COMMANDS),
        "questions": sorted(question.command for question in questions()),
        "properties": sorted(one.id for one in properties()),
        "formats in": sorted(format_names()),
        "formats out": sorted(output_formats()),
        "Python": sorted(mm.__all__),
    }


def answer(*arguments):
    """What a command prints as JSON."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        status = main([*arguments, "--format", "json"])
    assert status == 0, arguments
    return json.loads(printed.getvalue())


@cache
def answers():
    """An answer of each command that has JSON."""
    with tempfile.TemporaryDirectory() as folder:
        scores = str(Path(folder) / "scores.csv")
        drawn = ("--ci", "--interval", "bootstrap")  # by the names of 0.2
        evaluated = answer("evaluate", *RUNS, *FOUR, *drawn, "--groups", "--ranks", "--scores", scores)
        found = {
            "evaluate": evaluated,
            "evaluate auto": answer("evaluate", *RUNS, *FOUR, "--ci"),
            "compare": answer("compare", scores, "--measures", "cem_ord", "--trials", "500", "--test", "stepwise"),
            "compare several": answer(
                "compare", *RUNS, "--measures", "cem_ord,mae_macro", "--trials", "500", "--test", "stepwise"
            ),
            "compare items": answer("compare", *RUNS, "--measures", "cem_ord", "--trials", "100", "--units", "items"),
            "ranks": answer("ranks", *RUNS, "--measures", "cem_ord", "--trials", "100"),
            "gate": answer(
                "gate", *RUNS, "--measures", "accuracy", "--baseline", "bold", "--candidate", "careful", "--margin", ".9"
            ),
            "evaluate possible ranks": answer("evaluate", *RUNS, "--measures", "cem_ord", "--possible-ranks"),
            "table": answer("table", *RUNS),
            "check": answer("check", *RUNS),
            "advise": answer("advise", *RUNS),
            "design": answer("design", scores, "--difference", ".05"),
            "axioms": answer("axioms", "accuracy", "--trials", "0"),
            "agree": answer("agree", *RATINGS),
            "judge": answer("judge", *RATINGS, "--judges", "gpt"),
        }
        few = {"consistency": ["--splits", "50", "--trials", "200"], "all": ["--splits", "50", "--trials", "200"]}
        few |= {name: ["--trials", "200"] for name in ("discrimination", "overlap", "contradictions")}
        few |= {"coverage": ["--reference", "accuracy,mae_macro"], "deltas": ["--runs", "bold,careful"]}
        for question in questions():
            found[f"meta {question.command}"] = answer("meta", question.command, scores, *few.get(question.command, []))
        found["meta discrimination by names"] = answer(
            "meta", "discrimination", scores, *few["discrimination"], "--test", "tukey"
        )
    return found


def keys(found):
    """The keys of an answer, and those of the objects in it, as in runs.scores."""
    listed = [*found]
    for name, value in found.items():
        inner = value[0] if isinstance(value, list) and value else value
        listed += [f"{name}.{key}" for key in inner] if isinstance(inner, dict) else []
    return sorted(listed)


def numbers():
    """What seed 0 gives."""
    careful = next(run for run in answers()["evaluate"]["runs"] if run["run"] == "careful")
    return {
        "interval of evaluate": careful["intervals"]["cem_ord"]["topics"],
        "interval of evaluate, auto": next(run for run in answers()["evaluate auto"]["runs"] if run["run"] == "careful")[
            "intervals"
        ]["cem_ord"],
        "p of compare": answers()["compare"]["p"],
        "p of compare over items of fixed topics": answers()["compare items"]["p"],
        "p of compare, mae_macro": answers()["compare several"]["measures"][1]["p"],
        "mean taus of meta consistency": [one["mean_tau"] for one in answers()["meta consistency"]["measures"]],
        "p of meta discrimination": [one["p"] for one in answers()["meta discrimination by names"]["measures"]],
        "p of meta discrimination, drawn by the data": [one["p"] for one in answers()["meta discrimination"]["measures"]],
        "interval of agree": [
            answer("agree", *RATINGS, "--interval", "bootstrap")["coefficients"][0][end] for end in ("low", "high")
        ],
    }


def simulated(task):
    """Evidence of a small task that seed 0 makes."""
    kinds, shape = SMALL[task]
    made = mm.simulate(task=task, kinds=kinds, seed=0, **shape)
    with tempfile.TemporaryDirectory() as folder:
        made.save(Path(folder) / "made")
        return mm.count(f"{folder}/made/gold.tsv", [f"{folder}/made/runs/*.tsv"], **made.how)


def scores_of(evidence, task):
    return [[run["run"], *run["scores"].values()] for run in mm.evaluate(evidence, measures=OF_TASK[task]).to_dict()["runs"]]


def state():
    """All that is promised, as it is now."""
    return {
        "ids": ids(),
        "keys": {command: keys(found) for command, found in answers().items()},
        "numbers": numbers(),
        "evidence": {task: scores_of(EVIDENCE / f"{task}.npz", task) for task in SMALL},
    }


@pytest.fixture(scope="module")
def promised():
    return json.loads(RECORD.read_text(encoding="utf-8"))


def test_ids_stay(promised):
    for kind, names in ids().items():
        assert {*promised["ids"][kind]} <= {*names}, f"{kind} that are gone"


def test_keys_of_json_stay(promised):
    assert {*promised["keys"]} <= {*answers()}
    for command, names in promised["keys"].items():
        assert {*names} <= {*keys(answers()[command])}, f"keys of {command} that are gone"


def test_a_seed_gives_the_same_numbers(promised):
    for name, values in numbers().items():
        assert flat(values) == pytest.approx(flat(promised["numbers"][name]), abs=1e-9), name


@pytest.mark.parametrize("task", OF_TASK)
def test_evidence_of_an_earlier_version_is_read_and_scores_the_same(promised, task):
    assert scores_of(EVIDENCE / f"{task}.npz", task) == [
        [run, pytest.approx(score, abs=1e-12)] for run, score in promised["evidence"][task]
    ]


# From 0.3.0 on entailment has exactly the shares of its shape: half of RTE-4's pairs are entailments.
CHANGED = {"entailment": "ba887b604594"}


@pytest.mark.parametrize("task", OF_TASK)
def test_a_seed_simulates_the_same_task(task):
    assert simulated(task).checksum() == (CHANGED.get(task) or load(EVIDENCE / f"{task}.npz").checksum())


def test_the_page_names_what_is_tested():
    page = (HERE.parent / "docs/stability.md").read_text(encoding="utf-8")
    assert all(name in page for name in ("tests/stability.json", "tests/evidence", "tests/project/test_stability.py"))
    assert mm.__version__ in (HERE.parent / "CITATION.cff").read_text(encoding="utf-8")


def flat(values):
    values = [values[key] for key in sorted(values)] if isinstance(values, dict) else values
    return [one for value in values for one in flat(value)] if isinstance(values, list) else [values]


def united(before, now):
    """The record with what is new."""
    if isinstance(before, dict) and isinstance(now, dict):
        return {
            name: united(before[name], now[name]) if name in before and name in now else before.get(name, now.get(name))
            for name in sorted({*before, *now})
        }
    names = isinstance(before, list) and all(isinstance(one, str) for one in before)
    return sorted({*before, *now}) if names else before


def record():
    """Add what is new."""
    EVIDENCE.mkdir(exist_ok=True)
    for task in SMALL:
        if not (EVIDENCE / f"{task}.npz").exists():
            simulated(task).save(EVIDENCE / f"{task}.npz")
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    RECORD.write_text(json.dumps(united(before, state()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
