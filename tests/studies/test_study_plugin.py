"""``study --plugin``: measures of one's own in the papers' tables, marked as not published."""

import json
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.catalogue.registry import default_registry
from metameasure.cli import main

PLUGIN = """
from metameasure.catalogue.classification.accuracy import accuracy
from metameasure.catalogue.quantification.nvd import nvd
from metameasure.catalogue.ranking.best_vs_human import average_predicted_rank
from metameasure.plugin import DISTRIBUTIONS, RANKS, measure

FACTS = {"title": "The same", "formula": "x", "source": "Nobody (2026)"}


@measure(id="my_accuracy", better="higher", **FACTS)
def my_accuracy(counts):
    return accuracy.function(counts)


@measure(id="my_nvd", better="lower", inputs=DISTRIBUTIONS, **FACTS)
def my_nvd(predicted, gold):
    return nvd.function(predicted, gold)


@measure(id="my_rank", better="lower", inputs=RANKS, **FACTS)
def my_rank(predicted, gold):
    return average_predicted_rank(predicted, gold)
"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    path = tmp_path_factory.mktemp("plugin") / "mine.py"
    path.write_text(PLUGIN, encoding="utf-8")
    return path


def of(result, name, *, by="row"):
    return {(one.where, one.column if by == "row" else one.row): one for one in result.values if getattr(one, by) == name}


@pytest.mark.thorough
def test_rows_of_a_plugin_are_not_published(plugin, capsys):
    assert main(["study", "bergmair2009", "--plugin", str(plugin), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    mine = [one for one in told["values"] if one["column"] == "my_accuracy"]
    assert [(one["published"], one["agrees"], one["kind"]) for one in mine] == [(None, None, "simulated")] * len(mine)
    assert mine
    assert all("plugin" in one["note"] for one in mine)
    theirs = {one["row"]: one["ours"] for one in told["values"] if one["column"] == "a3" and one["where"] == mine[0]["where"]}
    assert {one["row"]: one["ours"] for one in mine} == pytest.approx(theirs)  # the same measure under another name
    alone = mm.study("bergmair2009").to_dict()["values"]
    assert [one for one in told["values"] if one["column"] != "my_accuracy"] == alone
    assert "plugin:mine.py=" in told["signature"]


def test_a_plugin_of_another_task_is_refused(plugin, tmp_path, capsys):
    other = tmp_path / "other.py"
    text = Path(plugin).read_text(encoding="utf-8")
    other.write_text(
        text[: text.index('@measure(id="my_accuracy"')] + text[text.index('@measure(id="my_nvd"') :], encoding="utf-8"
    )
    assert main(["study", "bergmair2009", "--plugin", str(other)]) == 2
    assert "no measure of a plugin scores runs of" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "mine", "theirs", "at_least"),
    [
        ("avramidis2013", "my_rank", "average_predicted_rank", 5),
        ("amigo2020", "my_accuracy", "accuracy", 13),
        ("sakai2021lq", "my_nvd", "nvd", 8),
        ("sakai2021", "my_nvd", "nvd", 15),
    ],
)
def test_every_study_has_rows_for_it(plugin, study, mine, theirs, at_least):
    """The same measure under another name has the same values, wherever its row stands in a table by itself."""
    result = mm.study(study, registry=default_registry().with_plugins([plugin]))
    ours, known = of(result, mine), of(result, theirs)
    assert len(ours) >= at_least
    assert all(one.published is None and "plugin" in one.note for one in ours.values())
    both = [key for key in ours if key in known and key[1] not in (mine, theirs) and known[key].against == "print"]
    assert both
    for key in both:
        assert ours[key].ours == pytest.approx(known[key].ours), key
    assert result.failures == ()
