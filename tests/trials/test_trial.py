"""The trial of a measure: each deliberately bad measure is caught by its fault, and a good one under another name passes."""

import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.cli import main
from metameasure.trials.worlds import GROUNDS, NOISY, USUAL, tried, with_noise

BAD = """
import numpy as np
from metameasure.catalogue.classification.cem import cem_ord
from metameasure.plugin import measure

FACTS = {"title": "One fault", "better": "higher", "range": (-9, 9), "formula": "x", "source": "Nobody (2026)"}


def sums(counts):
    counts = np.asarray(counts, float)
    return counts, counts.sum((-2, -1))[..., None]


@measure(id="renamed", **FACTS)
def renamed(counts):
    return cem_ord.function(counts)


@measure(id="blind", **FACTS)
def blind(counts):
    counts, total = sums(counts)
    return np.trace(counts, axis1=-2, axis2=-1) / total[..., 0]


@measure(id="unstable", **FACTS)
def unstable(counts):
    counts, _ = sums(counts)
    weights = np.arange(1.0, counts.shape[-1] ** 2 + 1).reshape(counts.shape[-2:])
    return cem_ord.function(counts) + 0.6 * np.modf(np.sin((counts * weights).sum((-2, -1))) * 9973)[0]


@measure(id="indiscriminate", **FACTS)
def indiscriminate(counts):
    return np.round(3 * cem_ord.function(counts)) / 3


@measure(id="gameable", **FACTS)
def gameable(counts):
    counts, total = sums(counts)
    return cem_ord.function(counts) + (counts.sum(-2) / total).max(-1)


@measure(id="biased", **FACTS)
def biased(counts):
    counts, total = sums(counts)
    return cem_ord.function(counts) - 2 * (counts.sum(-1) / total).max(-1)


@measure(id="undefined", **FACTS)
def undefined(counts):
    counts, _ = sums(counts)
    return np.where((counts.sum(-1) == 0).any(-1), np.nan, cem_ord.function(counts))
"""
CAUGHT = {
    "blind": "blind to order",
    "unstable": "unstable",
    "indiscriminate": "indiscriminate",
    "gameable": "gameable by a constant",
    "biased": "biased by class sizes",
    "undefined": "undefined on few items",
}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    path = tmp_path_factory.mktemp("bad") / "bad.py"
    path.write_text(BAD, encoding="utf-8")
    return path


QUICK = ("renamed", "blind", "biased")
"""Those that are tried with every change; the others at night."""


def on_trial(plugin, *measures):
    return mm.trial(list(measures), quick=True, registry=default_registry().with_plugins([plugin]))


@pytest.fixture(scope="module")
def found(plugin):
    return on_trial(plugin, *QUICK)


def faults(found, measure):
    return [name for name, _ in found[measure].faults()]


@pytest.mark.parametrize("measure", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CAUGHT])
def test_each_bad_measure_is_caught(found, plugin, measure):
    trial = found if measure in QUICK else on_trial(plugin, measure)
    assert CAUGHT[measure] in faults(trial, measure)
    (said,) = [one["text"] for one in trial.to_dict()["findings"] if one["measure"] == measure]
    assert "fault" in said


def test_a_good_measure_under_another_name_passes(found):
    assert faults(found, "renamed") == []
    assert "renamed passes" in str(found["renamed"].verdict())
    told = {one["id"]: one for one in found.to_dict()["criteria"]}
    assert told["renamed"]["right"] == told["cem_ord"]["right"]
    assert told["renamed"]["cost"]["needed"] == pytest.approx(400)


def test_a_fault_of_one_measure_is_not_found_in_another(found):
    assert faults(found, "biased") == ["biased by class sizes"]
    assert faults(found, "blind") == ["blind to order", "gameable by a constant"]


def test_json_has_what_the_table_shows(found):
    told = json.loads(found.render("json"))
    assert {"task", "reference", "established", "measures", "criteria", "notes", "findings", "signature", "signature_parts"} <= {
        *told
    }
    one = told["measures"][1]
    assert {"id", "passes", "faults", "verdict", "properties", "mean_tau", "power"} <= {*one}
    assert not one["passes"]
    assert len(found.to_frame()) == len(told["criteria"])


@pytest.mark.slow
@pytest.mark.parametrize("task", ["entailment", "quantification", "ranking"])
def test_other_tasks_have_a_trial(task):
    tried_measure = {"entailment": "a3", "quantification": "nmd", "ranking": "ndcg"}[task]
    told = mm.trial(tried_measure, task=task, quick=True)
    worlds = told.to_dict()["criteria"][0]["right"]
    assert {*GROUNDS[task].worlds, "few topics"} == {*worlds}
    assert worlds[USUAL] >= worlds["few items"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(capsys):
    printed = []
    for _ in range(2):
        assert main(["trial", "nmd", "--quick", "--format", "json"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert main(["trial", "nmd", "--quick", "--seed", "1", "--format", "json"]) == 0
    assert capsys.readouterr().out != printed[0]


def test_noise_in_gold_keeps_its_class_sizes():
    made = mm.simulate("amigo", kinds=["rand=.2"], topics=5, items=40, classes="1..5")
    noisy = with_noise(made, 0.2)
    assert sorted(noisy.gold["label"]) == sorted(made.gold["label"])
    changed = np.mean(noisy.gold["label"] != made.gold["label"])
    assert 0.05 < changed <= 0.2


def test_fewer_errors_are_better_in_every_world():
    """By accuracy, the truth of each world comes out: systems of one kind in the order of their errors."""
    measure = default_registry()["accuracy"]
    for world in (USUAL, NOISY):
        outcome = tried("classification", world, [measure], topics=200, seed=3, registry=Registry([measure]))
        means = [outcome.run("rand", amount).mean() for amount in GROUNDS["classification"].kinds["rand"]]
        assert means == sorted(means, reverse=True), world


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("gold_entropy",), "describes the data"),
        (("recall@LABEL",), "needs what stands behind its @"),
        (("cem_ord", "nmd"), "there is no trial of cem_ord, nmd"),
        (("fleiss",), "there is no trial of fleiss"),
        (("cem_odr",), "did you mean"),
        (("cem_ord", "-o", "page.txt"), ".html"),
    ],
)
def test_what_cannot_be_tried_is_said(call, said, capsys):
    assert main(["trial", *call, "--quick"]) == 2
    assert said in capsys.readouterr().err


def test_page_and_chart(tmp_path):
    assert main(["trial", "nmd", "--quick", "-o", str(tmp_path / "trial.html"), "--chart", str(tmp_path / "trial.svg")]) == 0
    page = (tmp_path / "trial.html").read_text(encoding="utf-8")
    assert "nmd" in page
    assert "few topics" in page
    assert (tmp_path / "trial.svg").stat().st_size > 1000
