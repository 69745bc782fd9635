"""The trial of a measure: each deliberately bad measure is caught by its fault, and a good one under another name passes."""

import json
from pathlib import Path

import numpy as np
import pytest
from bad_measures import CAUGHT

import metameasure as mm
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.cli import main
from metameasure.trials import call
from metameasure.trials.worlds import GROUNDS, NOISY, USUAL, tried, with_noise

BAD, ODD = (Path(__file__).with_name(f"{name}_measures.py") for name in ("bad", "odd"))

QUICK = ("renamed", "blind", "biased")
"""Those that are tried with every change; the others at night."""


def on_trial(*measures):
    return mm.trial(list(measures), quick=True, registry=default_registry().with_plugins([BAD]))


@pytest.fixture(scope="module")
def found():
    return on_trial(*QUICK)


def faults(found, measure):
    return [name for name, _ in found[measure].faults()]


@pytest.mark.thorough
@pytest.mark.parametrize("measure", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CAUGHT])
def test_each_bad_measure_is_caught(found, measure):
    trial = found if measure in QUICK else on_trial(measure)
    assert CAUGHT[measure] in faults(trial, measure)
    (said,) = [one["text"] for one in trial.to_dict()["findings"] if one["measure"] == measure]
    assert "fault" in said


@pytest.mark.thorough
def test_a_good_measure_under_another_name_passes(found):
    assert faults(found, "renamed") == []
    assert "renamed passes" in str(found["renamed"].verdict())
    told = {one["id"]: one for one in found.to_dict()["criteria"]}
    assert told["renamed"]["right"] == told["cem_ord"]["right"]
    assert told["renamed"]["cost"]["needed"] == pytest.approx(400)


@pytest.mark.thorough
def test_a_fault_of_one_measure_is_not_found_in_another(found):
    assert faults(found, "biased") == ["biased by class sizes"]
    assert faults(found, "blind") == ["blind to order", "gameable by a constant"]


@pytest.mark.thorough
def test_json_has_what_the_table_shows(found):
    told = json.loads(found.render("json"))
    assert {"task", "reference", "established", "measures", "criteria", "notes", "findings", "signature", "signature_parts"} <= {
        *told
    }
    one = told["measures"][1]
    assert {"id", "passes", "faults", "verdict", "properties", "mean_tau", "power"} <= {*one}
    assert not one["passes"]
    assert len(found.to_frame()) == len(told["criteria"])


OF_TASKS = {
    "classification": "kappa_linear",
    "entailment": "kappa",
    "quantification": "nmd",
    "ranking": "ndcg",
    "probabilities": "log_loss",
    "multilabel": "f1_micro",
    "agreement": "alpha_nominal",
}


@pytest.mark.slow
@pytest.mark.parametrize("task", GROUNDS)
def test_every_task_has_a_trial_with_all_that_is_asked(task):
    """A sound measure of each passes, and everything of the page is there."""
    found = mm.trial(OF_TASKS[task], task=task, quick=True)
    (one,), told = found.tried, found.to_dict()
    assert one.faults() == []
    worlds = told["criteria"][0]["right"]
    assert {*GROUNDS[task].worlds, "few topics"} == {*worlds}
    assert worlds[USUAL] >= worlds["few items"]
    (measure,) = told["measures"]
    assert {*measure["similarity"]} == {*told["established"]}
    assert 0.5 < measure["coverage"] <= 1
    assert {seen["verdict"] for seen in told["criteria"][0]["sees"].values()} == {"sees"}
    said = str(one.verdict())
    assert f"difference that {one.reference} finds with 400" in said
    assert "tau" in said
    assert "tabular" in found.render("latex")


def small(monkeypatch):
    """Trials of few topics: of what does not depend on their number."""
    monkeypatch.setattr(call, "QUICK", {**call.QUICK, "topics": 30, "splits": 20, "draws": 199})


def test_raters_are_tried(monkeypatch):
    """Krippendorff's alpha is corrected for chance, and AC1 is not where one class is large (Gwet 2008, by intent)."""
    small(monkeypatch)
    found = mm.trial(["ac1", "alpha_nominal"], task="agreement", quick=True)
    assert "not corrected for chance" in faults(found, "ac1")
    assert "not corrected for chance" not in faults(found, "alpha_nominal")
    told = {one["id"]: one for one in found.to_dict()["criteria"]}
    assert abs(told["fleiss"]["guessing"]) < 0.03 < told["percent_agreement"]["guessing"]
    assert told["alpha_nominal"]["prevalence"] > 0.1 > abs(told["ac1"]["prevalence"])  # the paradox of prevalence
    assert told["ac1"]["sees"]["maj"]["verdict"] == "rewards"
    assert {"two raters", "many raters", "missing ratings"} < {*told["ac1"]["right"]}


@pytest.mark.thorough
def test_the_verdict_on_a_measure_does_not_depend_on_what_else_is_tried(monkeypatch):
    small(monkeypatch)
    alone, together = (mm.trial(measures, quick=True) for measures in ("nmd", ["rnod", "nmd", "jsd"]))
    assert alone["nmd"].verdict() == together["nmd"].verdict()
    assert alone["nmd"].reference == "rnod"
    assert together["rnod"].reference == "nmd"
    assert "of rnod, that nmd finds" in together.render("table").replace("\n", " ") or together.reference == "nmd"


SAID_OF_ODD = {
    "nowhere": ("never defined", "undefined on every simulated topic"),
    "same": ("always the same", "every output scores 0.500"),
    "turned": ("wrong direction", "lower is said to be better, and every kind of error makes it lower"),
    "narrow": ("outside its range", "from 0 to 0.5: some output scores 1.000"),
}


@pytest.mark.thorough
def test_odd_measures_are_named_for_what_they_are(monkeypatch):
    small(monkeypatch)
    found = mm.trial(list(SAID_OF_ODD), quick=True, registry=default_registry().with_plugins([ODD]))
    for measure, (fault, said) in SAID_OF_ODD.items():
        assert faults(found, measure)[-1:] == [fault]
        assert said in str(found[measure].verdict())
    told = {one["id"]: one for one in json.loads(found.render("json"))["measures"]}
    assert told["nowhere"]["mean_tau"] is None
    assert told["nowhere"]["similarity"] == {}


@pytest.mark.thorough
def test_a_coefficient_that_says_that_it_is_ordinal_is_asked_whether_it_sees_the_order(monkeypatch):
    small(monkeypatch)
    found = mm.trial(["says_ordinal", "fleiss@linear"], quick=True, registry=default_registry().with_plugins([ODD]))
    assert "blind to order" in faults(found, "says_ordinal")
    assert "blind to order" not in faults(found, "fleiss@linear")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(capsys, tmp_path):
    """Twice, on one thread and on three, and continued from a file that is whole already."""
    kept = ["--resume", str(tmp_path / "kept.zip")]
    printed = []
    for more in ([], ["--threads", "1"], ["--threads", "3"], kept, kept):
        assert main(["trial", "nmd", "--quick", "--format", "json", *more]) == 0
        printed.append(capsys.readouterr().out)
    assert len(set(printed)) == 1
    assert main(["trial", "nmd", "--quick", "--seed", "1", "--format", "json"]) == 0
    assert capsys.readouterr().out != printed[0]


def test_noise_in_gold_keeps_its_class_sizes():
    made = mm.simulate("amigo", kinds=["rand=.2"], topics=5, items=40, classes="1..5")
    noisy = with_noise(made, 0.2)
    assert sorted(noisy.gold["label"]) == sorted(made.gold["label"])
    changed = np.mean(noisy.gold["label"] != made.gold["label"])
    assert 0.05 < changed <= 0.2


@pytest.mark.thorough
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
        (("cem_ord", "nmd"), "cem_ord and nmd are of different tasks"),
        (("mean",), "mean only averages what somebody else has scored"),
        (("aer",), "no coefficient of agreement"),
        (("kappa_weighted",), "distances, which a trial does not have"),
        (("cem_ord", "--task", "ranking"), "no trial of cem_ord as measures of ranking; cem_ord is of classification"),
        (("cem_ord", "--task", "clasification"), "did you mean 'classification'"),
        (("broken", "--plugin", str(ODD)), "ValueError: five is too many"),
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


@pytest.mark.slow
def test_infinite_scores_are_no_evidence(monkeypatch):
    """KLD is infinite where an estimate misses a class: that is said of its order, not of class sizes, and nothing warns."""
    small(monkeypatch)
    with np.errstate(all="raise", under="ignore"):
        found = mm.trial("kld", quick=True)
    assert "biased by class sizes" not in faults(found, "kld")
    assert "∞" not in str(found["kld"].verdict())
