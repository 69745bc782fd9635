"""The papers as programs: what must agree agrees, what does not is said, and the status tells."""

import json

import pytest

import metameasure as mm
from metameasure.studies import amigo2020
from metameasure.studies.study import Compared, Study, Value, erratum, printed, studies


@pytest.fixture(scope="module")
def result():
    """The result of a study, run once."""
    known = {}

    def of(name):
        if name not in known:
            known[name] = mm.study(name)
        return known[name]

    return of


def one(result, where, row, column):
    (value,) = [one for one in result.values if (one.where.startswith(where), one.row, one.column) == (True, row, column)]
    return value


@pytest.mark.parametrize("name", studies())
def test_every_value_that_must_agree_agrees(result, name):
    found = result(name)
    assert not found.failures, "\n".join(map(str, found.failures))
    assert len([value for value in found.values if value.must and value.agrees]) > 20
    assert all(value.note for value in found.values if not value.must), "what need not agree says why"


# The column of all systems, computed by another program from the paper alone.
RECREATED = {"accuracy": 0.783, "kendall_a": 0.832, "mutual_information": 0.851, "cem_ord": 0.894, "cem_flat": 0.876}


class TestAmigo:
    @pytest.mark.parametrize("measure", RECREATED)
    def test_the_synthetic_experiment(self, result, measure):
        assert amigo2020.SEEDS >= 5
        assert one(result("amigo2020"), "Table 3: synthetic", measure, "all").ours == pytest.approx(RECREATED[measure], abs=0.02)

    def test_cem_is_first_as_published(self, result):
        value = one(result("amigo2020"), "Table 3: synthetic", "the highest", "all")
        assert (value.published, value.ours, value.must) == ("cem_ord", "cem_ord", True)

    def test_every_column_and_the_rows_in_their_right_places(self, result):
        left = [value for value in result("amigo2020").values if value.where.startswith("Table 3: synthetic")]
        assert {value.column for value in left} == {"all", "rand", "prox", "maj", "tdisp", "odisp"}
        assert one(result("amigo2020"), "Table 3: synthetic", "mae_macro", "all").published == 0.89  # printed as MSE
        assert one(result("amigo2020"), "Table 3: synthetic", "mse", "all").published == 0.74  # printed as MAE^M


class TestFramework:
    STUDY = Study("made-up", mm.measures["accuracy"].source[0], (), (), lambda _: ())

    def compared(self, *values):
        return Compared(self.STUDY, values)

    def test_a_printed_number_agrees_if_ours_rounds_to_it(self):
        assert printed("T", "r", "c", "0.81", 0.8149).agrees
        assert not printed("T", "r", "c", "0.81", 0.8151).agrees
        assert printed("T", "r", "c", "0.81", 0.8151).fails
        assert not erratum(printed("T", "r", "c", "0.81", 0.9), "misprinted").fails
        assert Value("T", "r", "c", None, 0.5).agrees is None
        assert not Value("T", "r", "c", "=", "<").agrees

    def test_what_is_shown(self):
        found = self.compared(
            printed("Table 1", "a", "x", "0.70", 0.7012), erratum(printed("Table 1", "b", "x", "0.5", 0.9), "a misprint"),
            printed("Table 1", "c", "x", "3", 4.0), Value("Made", "a", "y", None, 0.25),
        )  # fmt: skip
        text = str(found)
        assert "0.70  0.701     +0.0012  ✓" in text
        assert "✗ (1)" in text
        assert "(1) a misprint" in text
        assert "2 values must agree" in text
        assert "1 do NOT" in text
        assert [value.row for value in found.failures] == ["c"]
        assert found.render("csv").splitlines()[0] == "study,where,row,column,published,ours,difference,agrees,must,note"
        for format in ("markdown", "html", "latex", "tsv"):
            assert "a misprint" in found.render(format)
        assert len(found.to_frame("pandas")) == 4

    def test_json(self):
        told = json.loads(self.compared(printed("Table 3", "cem_ord", "all", "0.91", 0.905)).render("json"))
        assert told["study"] == "made-up"
        (value,) = told["values"]
        assert {name: value[name] for name in ("where", "row", "column", "published", "ours", "agrees")} == {
            "where": "Table 3", "row": "cem_ord", "column": "all", "published": 0.91, "ours": 0.905, "agrees": True,
        }  # fmt: skip


class TestCommand:
    def test_several_and_their_json(self, run):
        status, out, err = run("study", "bergmair2009", "--format", "json")
        assert (status, err) == (0, "")
        assert json.loads(out)["study"] == "bergmair2009"

    def test_status_1_where_a_value_that_must_agree_does_not(self, run, monkeypatch):
        from metameasure.studies import bergmair2009

        monkeypatch.setitem(bergmair2009.PRINTED, "gold_entropy", ("1.4300", ""))
        status, _, err = run("study", "bergmair2009")
        assert status == 1
        assert "does not agree: Figure 2 and Section 5, gold_entropy, L: published 1.430, ours 1.428" in err

    def test_no_such_study(self, run):
        status, _, err = run("study", "amigo2021")
        assert status == 2
        assert "there is no study 'amigo2021'; did you mean 'amigo2020'?" in err
