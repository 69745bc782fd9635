"""The trial on real data, and the open trial of all measures as a site."""

import csv
import importlib.util
import json
import re
import shlex
import shutil
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.registry import default_registry
from metameasure.cli import main
from metameasure.properties.search import chosen_properties
from metameasure.trials.claims import CLAIMS, Panel, alike, first_among, last_among
from metameasure.trials.on_data import Across, OnData
from metameasure.trials.open_trial import SMALL, command_for, held_in_words, open_trial, p_over
from metameasure.trials.worlds import GROUNDS

ROOT = Path(__file__).parents[2]
DEMO = Path(mm.__file__).parent / "demo"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trial") / "data"
    shutil.copytree(DEMO, place / "tweets")
    (place / "nothing").mkdir()
    return place


@pytest.fixture(scope="module", autouse=True)
def few():
    """Trials of few topics, draws and formal properties."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metameasure.trials.call.QUICK", {"topics": 25, "cases": 0, "splits": 20, "draws": 200})
        patch.setattr("metameasure.trials.call.properties", lambda: chosen_properties("order_aware,symmetric"))
        yield


@pytest.fixture(scope="module")
def on_data(folder):
    return mm.trial("accuracy", quick=True, data=folder)


def test_a_trial_on_data_says_how_a_measure_stands(on_data):
    told = json.loads(on_data.render("json"))
    (data,) = told["data"]
    assert (data["name"], data["topics"], data["runs"], data["simulated"]) == ("tweets", 12, 6, False)
    own = data["measures"][0]
    assert (own["id"], own["tried"]) == ("accuracy", True)
    assert {*own["better_than"], *own["worse_than"], *own["equally_good"]} == {*told["measures"][0]["similarity"]}
    assert [one["name"] for one in told["left_out"]] == ["nothing"]
    assert {one["other"] for one in told["across"]} == {*own["similarity"]}
    assert all(one["p_power"] is None for one in told["across"])  # of one data set
    assert any("On data set 'tweets', accuracy is" in one for one in told["notes"])


def test_what_is_said_on_data_is_what_meta_says(on_data):
    scores = mm.evaluate(str(DEMO / "gold.tsv"), str(DEMO / "runs/*.tsv"), classes="-2..2",
                         measures=["accuracy", *on_data.tried[0].established], baselines=False)  # fmt: skip
    asked = {"trials": 200, "splits": 20, "incomplete": "drop-topics"}
    row = mm.meta.summary(scores, **asked).row("accuracy")
    (data,) = on_data.to_dict()["data"]
    assert (data["measures"][0]["mean_tau"], data["measures"][0]["power"]) == pytest.approx((row.mean_tau, row.power))


def test_tables_and_page_show_the_data_set(on_data, tmp_path):
    text = on_data.render("table")
    assert re.search(r"^tweets +tau +power +coverage", text, re.MULTILINE)
    assert "nothing is left out" in text
    mm.report(on_data, tmp_path / "trial.html")
    assert "On data set &#39;tweets&#39;" in (tmp_path / "trial.html").read_text(encoding="utf-8")


class Standing:
    """A measure that is surely better on data sets of an even number."""

    def __init__(self, place):
        self.better_than, self.worse_than, self.equal_to = (["other"], [], []) if place % 2 == 0 else ([], [], ["other"])
        self.others, self.cannot_tell, self.measure = ["other"], "", "mine"

    def gap(self, _, quality):
        return 1.0 if quality == "power" else 0.0


class Sets:
    def __init__(self, place, simulated=False):
        self.name, self.data, self.standing = f"set {place}", type("Data", (), {"simulated": simulated}), Standing(place)

    def __getitem__(self, measure):
        return self.standing if measure == "mine" else None


@pytest.mark.parametrize(("number", "p"), [(5, None), (6, 0.03125), (8, 0.0078125)])
def test_over_data_sets_it_is_counted_named_and_tested_from_six_on(number, p):
    over = OnData("", tuple(Sets(place) for place in range(number)), ()).across("mine", "other")
    assert over.better == tuple(f"set {place}" for place in range(0, number, 2))
    assert (over.p_power, over.p_consistency) == (p, None)
    said = str(over.in_words())
    assert f"over {number} data sets" in said
    assert ("too few for a test" in said) == (p is None)


def test_simulated_data_sets_do_not_count_as_data():
    sets = (Sets(0), *(Sets(place, simulated=True) for place in range(1, 9)))
    assert OnData("", sets, ()).across("mine", "other").number == 1
    assert isinstance(OnData("", sets, ()).across("mine", "other"), Across)


@pytest.fixture(scope="module")
def site(folder):
    place = folder.parent / "site"
    spec = importlib.util.spec_from_file_location("run", ROOT / "trials/run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    assert run.main([str(folder), "-o", str(place), "--small"]) == 0
    return place


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.cells, self.codes, self._in = [], [], [], ""

    def handle_starttag(self, tag, attributes):
        self._in = tag
        self.links += [value for name, value in attributes if name == "href"]

    def handle_data(self, text):
        if self._in in ("td", "th", "a"):
            self.cells.append(text.strip())
        if self._in == "code":
            self.codes.append(text)


def parsed(file):
    found = Links()
    found.feed(file.read_text(encoding="utf-8"))
    return found


def leads(page, link):
    """Whether a link of a page leads to a file that is there, and to a place in it."""
    file, _, place = link.partition("#")
    target = page.with_name(file) if file else page
    return target.is_file() and (not place or f'id="{place}"' in target.read_text(encoding="utf-8"))


def rows_of(file):
    with file.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.thorough
def test_every_link_of_the_site_leads_somewhere(site):
    pages = sorted(site.glob("*.html"))
    assert {
        "index.html",
        "claims.html",
        "task-classification.html",
        "measure-classification-accuracy.html",
        "data-tweets.html",
    } == {page.name for page in pages}
    reached = set()
    for page in pages:
        for link in parsed(page).links:
            assert leads(page, link), f"{page.name}: {link}"
            reached.add(link.partition("#")[0])
    assert {page.name for page in pages} <= reached
    assert {file.name for file in site.glob("*.csv")} <= reached


@pytest.mark.thorough
def test_numbers_of_the_pages_are_those_of_the_csv(site):
    (row,) = rows_of(site / "data.csv")
    cells = parsed(site / "data-tweets.html").cells
    assert f"{float(row['mean_tau']):.3f}" in cells
    assert f"{100 * float(row['power']):.1f}" in cells
    criteria = {one["criterion"]: one["value"] for one in rows_of(site / "criteria.csv")}
    cells = parsed(site / "task-classification.html").cells
    for name in ("right: usual", "right: few items"):
        assert f"{100 * float(criteria[name]):.1f}" in cells
    outcomes = {(one["claim"], one["data"]): one["outcome"] for one in rows_of(site / "claims.csv")}
    assert len(outcomes) == sum(one.task == "classification" for one in CLAIMS)
    assert {*outcomes.values()} <= {"held", "within chance", "refuted", "cannot tell"}


@pytest.mark.thorough
def test_what_is_left_out_stands_on_the_index(site):
    assert "nothing" in parsed(site / "index.html").cells


@pytest.mark.thorough
@pytest.mark.parametrize("question", ["similarity", "robustness", "coverage"])
def test_commands_of_claims_run_and_decide(site, question, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    codes = [code for code in parsed(site / "claims.html").codes if f"meta {question}" in code]
    for line in codes[0].splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
    assert "cem_ord" in capsys.readouterr().out


@pytest.mark.thorough
def test_the_command_of_a_measure_parses(site, folder):
    assert command_for("accuracy", "classification", str(folder)) in "".join(
        parsed(site / "measure-classification-accuracy.html").codes
    )


@pytest.mark.thorough
def test_finished_work_is_not_done_again(site, folder, monkeypatch):
    def fail(*_args, **_more):
        raise AssertionError("it is done again")

    monkeypatch.setattr("metameasure.trials.open_trial._tried", fail)
    monkeypatch.setattr("metameasure.trials.open_trial._on", fail)
    told = []
    found = open_trial(folder, site.with_name("site.work"), size=SMALL, say_on=told.append)
    assert [*found.tasks["classification"]] == ["accuracy"]
    assert len(told) == 2
    with pytest.raises(AssertionError, match="done again"):  # another seed is other work
        open_trial(folder, site.with_name("site.work"), size=SMALL, seed=1)


def test_claims_name_measures_of_their_task():
    for one in CLAIMS:
        known = default_registry().of_task(one.task, "classification" if one.task == "entailment" else one.task)
        assert all(known.find(name) is not None for name in one.measures), one.says
        assert one.task in GROUNDS
    assert len({one.id for one in CLAIMS}) == len(CLAIMS)
    assert {one.paper for one in CLAIMS} == {"000", "001", "002", "003", "004"}


def panel(noise):
    """Three measures of the same truth with more and more noise, as foreign scores."""
    rng = np.random.default_rng(0)
    truth = np.linspace(0, 1, 8)[None, :]
    topics, runs = ([f"{what}{place}" for place in range(number)] for what, number in (("t", 60), ("r", 8)))
    return [mm.ScoreMatrix(name, topics, runs, truth + rng.normal(0, sd, (60, 8))) for name, sd in noise.items()]


def test_claims_are_decided_as_the_data_are():
    found = mm.meta.summary(panel({"sharp": 0.2, "blunt": 3.0, "also": 0.25}), splits=50, trials=500, better="higher")
    one = Panel(None, found)
    measures = ("sharp", "blunt", "also")
    assert first_among(("sharp",), measures, "consistency")(one) in ("held", "within chance")
    assert first_among(("blunt",), measures, "consistency")(one) == "refuted"
    assert last_among(("blunt",), measures, "power")(one) == "held"
    assert last_among(("sharp",), measures, "power")(one) == "refuted"
    assert alike(("sharp", "also"))(one) == "held"


def test_what_held_is_counted_and_named():
    outcomes = {"A": "held", "B": "held", "C": "within chance", "D": "refuted", "E": "cannot tell"}
    assert held_in_words(outcomes) == "held on 2 of 4 (A, B); within chance on 1 (C); refuted on 1 (D)"
    assert held_in_words({}) == "no data set"
    assert held_in_words({"E": "cannot tell"}) == "no data set can tell"
    assert p_over(outcomes) is None
    assert p_over({str(place): "held" for place in range(6)}) == pytest.approx(0.03125)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("cem_ord", "--data", "nowhere"), "there is no folder 'nowhere'"),
        (("nmd", "--data", "demo"), "has no data set of quantification"),
    ],
)
def test_a_folder_that_is_of_no_use_is_refused(call, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DEMO, tmp_path / "demo")
    assert main(["trial", *call, "--quick"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_every_measure_of_a_task_on_simulated_shapes(tmp_path, folder):
    """The whole of it for one task that is soon done, with its claims."""
    from metameasure.page.site import write_site
    from metameasure.trials.open_trial import Size

    found = open_trial(folder, tmp_path / "work", size=Size(("ranking",)))
    write_site(found, tmp_path / "site")
    assert len(found.tasks["ranking"]) > 20
    assert all(one["simulated"] for one in found.claims)
    for page in (tmp_path / "site").glob("*.html"):
        assert all(leads(page, link) for link in parsed(page).links), page


def test_commands_of_a_data_set_give_the_numbers_of_its_first_measure(site, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scored, asked, covered = parsed(site / "data-tweets.html").codes[0].splitlines()
    (row,) = rows_of(site / "data.csv")
    assert main(shlex.split(scored)[1:]) == 0
    capsys.readouterr()
    for command, column in ((asked, "mean_tau"), (asked, "power"), (covered, "coverage")):
        assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
        told = {one["id"]: one for one in json.loads(capsys.readouterr().out)["measures"]}
        assert told["accuracy"][column] == pytest.approx(float(row[column]))
