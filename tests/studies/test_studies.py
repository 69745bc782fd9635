"""The papers as programs: what must agree agrees, what does not is said, and the status tells."""

import json
import resource
import subprocess
import sys
from math import log2, sqrt

import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.studies import amigo2020
from metameasure.studies.data import DataFolder
from metameasure.studies.study import Compared, Setting, Study, Value, need_not, of_paper, printed, studies
from metameasure.studies.study import found as found_alone


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


EACH_TIME = "bergmair2009"
"""The one that is run with every change: the others take a minute together, and are run every night."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == EACH_TIME else [pytest.mark.slow]) for name in studies()]
)
def test_every_value_that_must_agree_agrees(result, name):
    found = result(name)
    assert not found.failures, "\n".join(map(str, found.failures))
    assert len([value for value in found.values if value.must and value.agrees and value.kind == "program"]) > 15
    assert all(value.note for value in found.values if not value.must), "what need not agree says why"


# The column of all systems, computed by another program from the paper alone.
RECREATED = {"accuracy": 0.783, "kendall_a": 0.832, "mutual_information": 0.851, "cem_ord": 0.894, "cem_flat": 0.876}


@pytest.mark.slow
class TestAmigo:
    @pytest.mark.parametrize("measure", RECREATED)
    def test_the_synthetic_experiment(self, result, measure):
        assert amigo2020.SEEDS >= 5
        assert one(result("amigo2020"), "Table 3: synthetic", measure, "all").ours == pytest.approx(RECREATED[measure], abs=0.02)

    def test_enough_draws_and_the_difference_in_errors_of_one(self, result):
        cells = [value for value in result("amigo2020").values if value.standard_error]
        assert len(cells) == 90
        assert max(value.standard_error for value in cells) / amigo2020.SEEDS**0.5 < 0.005
        assert not any(value.must for value in cells), "no reading of the paper gives them"

    def test_cem_is_first_as_published(self, result):
        value = one(result("amigo2020"), "Table 3: synthetic", "the highest", "all")
        assert (value.published, value.ours, value.must) == ("cem_ord", "cem_ord", True)

    def test_every_column_and_the_rows_in_their_right_places(self, result):
        left = [value for value in result("amigo2020").values if value.where.startswith("Table 3: synthetic")]
        assert {value.column for value in left} == {"all", "rand", "prox", "maj", "tdisp", "odisp"}
        assert one(result("amigo2020"), "Table 3: synthetic", "mae_macro", "all").published == 0.89  # printed as MSE
        assert one(result("amigo2020"), "Table 3: synthetic", "mse", "all").published == 0.74  # printed as MAE^M


@pytest.mark.slow
class TestOtherPapers:
    def test_as_many_values_as_the_tables_have(self, result):
        """147 taus, 96 symbols, 54 percentages of power and 120 of overlap."""
        first = [value.where for value in result("sakai2021").values]
        assert sum(where.endswith("nearest tau-a") for where in first) == 147
        assert sum(where.endswith("beats") for where in first) == 96
        second = [value.where for value in result("sakai2021lq").values]
        assert sum(where.startswith("Table 3: %") for where in second) == 54
        assert sum(where.endswith("SSO in %, from the counts") for where in second) == 120

    def test_the_two_misprinted_cells(self, result):
        """NVD with RNSS and JSD, in part (h): three of NVD's five cells add up to what Table 3 says."""
        value = one(result("sakai2021lq"), "Table 4: cells that add up", "nvd", "dialeval1 S")
        assert (value.published, value.ours, value.must) == (5, 3, False)

    def test_figure_1_is_ordered_by_mrr(self, result):
        mrr = [
            value.ours
            for value in result("avramidis2013").values
            if (value.where, value.column) == ("Figure 1, simulated", "mrr")
        ]
        assert len(mrr) == 78
        assert mrr == sorted(mrr, reverse=True)


def naive_divergence(estimate, gold, *, over):
    """OD item by item: the mean, over these classes, of the distance-weighted squares."""
    classes = [place for place in range(5) if over[place] > 0]
    return sum(abs(i - j) * (estimate[j] - gold[j]) ** 2 for i in classes for j in range(5)) / len(classes)


def naive_information(p, q):
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return sum(a * log2(a / m) for a, m in zip(p, middle, strict=True) if a > 0)


NAIVE = {
    "nmd": lambda p, q: sum(abs(sum(p[: i + 1]) - sum(q[: i + 1])) for i in range(5)) / 4,
    "rnod": lambda p, q: sqrt(naive_divergence(p, q, over=q) / 4),
    "rsnod": lambda p, q: sqrt((naive_divergence(p, q, over=q) + naive_divergence(p, q, over=p)) / 2 / 4),
    "nvd": lambda p, q: sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2,
    "rnss": lambda p, q: sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) / 2),
    "jsd": lambda p, q: (naive_information(p, q) + naive_information(q, p)) / 2,
}


@pytest.fixture(scope="module")
def dialogues():
    """Simulated distributions of gold, from the files' own columns; and Popularity, made of them by hand."""
    column = mm.simulate("dialeval1", seed=0).gold["probability"].tolist()
    gold = [column[start : start + 5] for start in range(0, len(column), 5)]
    modes = [[place for place in range(5) if row[place] > max(row) - 1e-12] for row in gold]
    return gold, [[(place in best) / len(best) for place in range(5)] for best in modes]


@pytest.mark.slow
class TestPopularityAndUniform:
    """Sakai (LQ 2021), Section 5.3, on simulated data with the shape of DialEval-1, seed 0."""

    @pytest.mark.parametrize("measure", NAIVE)
    def test_the_topics_that_each_wins(self, result, dialogues, measure):
        wins = {"uniform": 0, "popularity": 0}
        for gold, popularity in zip(*dialogues, strict=True):
            difference = NAIVE[measure](popularity, gold) - NAIVE[measure]([0.2] * 5, gold)
            if abs(difference) > 1e-12:
                wins["popularity" if difference < 0 else "uniform"] += 1
        for name, number in wins.items():
            value = one(result("sakai2021lq"), "Table 7: topics won, simulated", f"{measure}, {name}", "dialeval1 A")
            assert value.ours == number

    def test_nmd_and_rnod_disagree_about_the_two(self, result):
        def won(measure, name):
            return one(result("sakai2021lq"), "Table 7: topics won", f"{measure}, {name}", "dialeval1 A").ours

        assert won("nmd", "popularity") > 1.3 * won("nmd", "uniform")
        assert won("rnod", "uniform") > 1.3 * won("rnod", "popularity")
        assert one(result("sakai2021lq"), "Table 5: dialeval1 A, contradictions", "nmd", "rnod").ours >= 4, (
            "both differences are significant"
        )


class TestRealFiles:
    def test_folders_are_recognised_by_name(self, tmp_path):
        for name in (
            "SemEval-2016-Task4-C",
            "sem17t4e",
            "NTCIR15 DialEval-1",
            "RepLab_2013",
            "SemEval2014-Task9-SubtaskB",
            "other",
        ):
            (tmp_path / name).mkdir()
        assert sorted(DataFolder.of(tmp_path).folders) == ["dialeval1", "replab2013", "sem14t9b", "sem16t4c", "sem17t4e"]

    def test_ntcir_json_has_three_qualities(self, tmp_path):
        folder = tmp_path / "dialeval1"
        (folder / "runs").mkdir(parents=True)
        votes = [{"quality": {"A": 1, "E": 0, "S": -2}}, {"quality": {"A": 2, "E": 0, "S": -2}}]
        (folder / "gold.json").write_text(json.dumps([{"id": "d1", "annotations": votes}, {"id": "d2", "annotations": votes}]))
        flat = {str(label): 0.2 for label in range(-2, 3)}
        said = [{"id": name, "quality": dict.fromkeys("AES", flat)} for name in ("d1", "d2")]
        for run in ("BL-uniform-C", "BL-uniform-E"):
            (folder / "runs" / f"{run}.json").write_text(json.dumps(said))
        scores = DataFolder.of(tmp_path).scores("dialeval1", ["nvd"], 0)
        assert list(scores) == ["dialeval1 A", "dialeval1 E", "dialeval1 S"]
        assert [float(one.averages()[0, 0]) for one in scores.values()] == pytest.approx([0.6, 0.8, 0.8])

    def test_headerless_files_of_semeval(self, tmp_path):
        (tmp_path / "sem16t4c/runs").mkdir(parents=True)
        (tmp_path / "sem16t4c/gold.txt").write_text("1\tbank\t-2\n2\tbank\t1\n3\tfilm\t0\n")
        (tmp_path / "sem16t4c/runs/team.txt").write_text("1\tbank\t-1\n2\tbank\t1\n3\tfilm\t0\n")
        scores = DataFolder.of(tmp_path).scores("sem16t4c", ["mae"], 0)["sem16t4c"]
        assert scores.values[0].tolist() == [[0.5], [0.0]]

    @pytest.mark.slow
    def test_made_up_files_do_not_pass_for_real_ones(self, run, tmp_path):
        for task in ("sem16t4e", "sem17t4e", "stc3", "dialeval1"):
            for place, quality in enumerate("AES" if task in ("stc3", "dialeval1") else [""]):
                mm.simulate(task, seed=place).save(tmp_path / task / quality)
        status, out, err = run("study", "sakai2021lq", "--data", tmp_path, "--format", "json")
        assert status == 1
        assert "does not agree: Table 7: topics won, nmd, uniform, stc3 A: published 175, ours 152" in err
        values = [value for value in json.loads(out)["values"] if value["where"] == "Table 3: significant pairs"]
        assert {value["column"] for value in values} >= {"sem16t4e", "stc3 S", "dialeval1 E", "pooled %"}
        assert all(value["published"] is not None for value in values)

    @pytest.mark.thorough
    def test_each_data_set_is_judged_by_itself(self, run, tmp_path):
        """One of them is as large as the paper's, one is smaller, the others are simulated."""
        mm.simulate("sem16t4e").save(tmp_path / "sem16t4e")
        kinds = ["noisy=.5,.6,.7,.8", "popularity=C,E", "uniform=C,E", "smoothed=.5,.7,.9", "shifted=.5,.8", "biased=.6,.8,.9"]
        for place, quality in enumerate("AES"):
            mm.simulate("stc3", kinds=kinds, seed=place).save(tmp_path / "stc3" / quality)
        values = json.loads(run("study", "sakai2021lq", "--data", tmp_path, "--format", "json")[1])["values"]
        kinds_of = {}
        for value in values:
            if value["where"].endswith("from the counts"):  # of what is printed
                continue
            for data in ("sem16t4e", "stc3 A", "dialeval1 A"):
                if f"{data}, SSO" in value["where"] or ("significant pairs" in value["where"] and value["column"] == data):
                    kinds_of.setdefault(data, set()).add((value["where"].rpartition(", ")[2], value["published"] is None))
        assert {kind for kind, _ in kinds_of["sem16t4e"]} == {"SSO in %", "Table 3: significant pairs"}
        assert {alone for _, alone in kinds_of["sem16t4e"]} == {False}
        assert kinds_of["stc3 A"] == {("other data", True)}
        assert kinds_of["dialeval1 A"] == {("simulated", True)}
        (why,) = {value["note"] for value in values if value["where"] == "Table 4: stc3 A, SSO in %, other data"}
        assert why == (
            "stc3 A has 16 runs (120 pairs) on 390 topics here and 19 runs (171 pairs) on 390 topics in the paper: "
            "nothing here can be compared with the paper."
        )
        pooled = [value for value in values if value["column"] == "pooled %" and "significant pairs, " in value["where"]]
        assert {value["where"] for value in pooled} == {"Table 3: significant pairs, partly simulated"}
        assert all(value["published"] is None and "sem17t4e" in value["note"] for value in pooled)
        assert all("stc3" not in value["note"] for value in pooled)

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize(
        ("task", "options", "said"),
        [
            ("sem14t9b", {}, ""),
            (
                "sem14t9b",
                {"kinds": ["noisy=.2,.4"]},
                "sem14t9b has 2 runs (1 pair) on 10 topics here and 7 runs (21 pairs) on 10",
            ),
            ("replab2013", {"items": 20, "kinds": ["noisy=.2,.4"]}, ""),
            (
                "replab2013",
                {"items": 20, "topics": 5},
                "replab2013 has 10 runs (45 pairs) on 5 topics here and 61 topics in the paper",
            ),
        ],
    )
    def test_sizes_come_first(self, tmp_path, task, options, said):
        mm.simulate(task, **options).save(tmp_path / task)
        setting = Setting(DataFolder.of(tmp_path))
        basis = setting.basis(setting.scores(task, ["accuracy"]))
        assert bool(basis.kind) == bool(said)
        assert said in basis.why

    @pytest.mark.thorough
    def test_the_sample_of_rankeval(self, run, shared_data):
        status, out, err = run("study", "avramidis2013", "--data", shared_data, "--format", "json")
        assert status == 0, err
        sample = [value for value in json.loads(out)["values"] if value["where"] == "RankEval's sample"]
        assert len(sample) == 20
        assert sum(value["agrees"] for value in sample if value["must"]) == 16

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("nowhere", "there is no folder"),
            ("unknown", "has no folder of a known task"),
            ("empty", "has 0 files called gold"),
            ("tables", "does not say of which quality its tables are; put them into folders A, E and S"),
        ],
    )
    def test_errors(self, run, tmp_path, name, said):
        (tmp_path / "unknown/mine").mkdir(parents=True)
        (tmp_path / "empty/stc3").mkdir(parents=True)
        mm.simulate("stc3", topics=3).save(tmp_path / "tables/stc3")
        status, _, err = run("study", "sakai2021lq", "--data", tmp_path / name)
        assert status == 2
        assert said in err


@pytest.mark.slow
def test_all_five_in_under_three_minutes_and_as_the_pages_say():
    """Minutes of one processor: a busy machine changes them little."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [sys.executable, "-m", "metameasure", "study", "--format", "json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 180
    for told in json.loads(done.stdout)["studies"]:
        assert told["summary"] in (ROOT / f"docs/studies/{told['study']}.md").read_text(encoding="utf-8")


class TestFramework:
    STUDY = Study("made-up", mm.measures["accuracy"].source[0], (), (), lambda _: ())

    def compared(self, *values):
        return Compared(self.STUDY, values)

    def test_a_printed_number_agrees_if_ours_rounds_to_it(self):
        assert printed("T", "r", "c", "0.81", 0.8149).agrees
        assert not printed("T", "r", "c", "0.81", 0.8151).agrees
        assert printed("T", "r", "c", "0.81", 0.8151).fails
        assert not need_not(printed("T", "r", "c", "0.81", 0.9), "misprinted").fails
        assert Value("T", "r", "c", None, 0.5).agrees is None
        assert Value("T", "r", "c", "=", None).fails, "what could not be computed does not agree"
        assert printed("T", "r", "c", "0.81", float("nan")).fails
        assert not Value("T", "r", "c", "=", "<").agrees

    def test_what_is_shown(self):
        found = self.compared(
            printed("Table 1", "a", "x", "0.70", 0.7012), need_not(printed("Table 1", "b", "x", "0.5", 0.9), "a misprint"),
            printed("Table 1", "c", "x", "3", 4.0), Value("Made", "a", "y", None, 0.25),
        )  # fmt: skip
        text = str(found)
        assert "0.70  0.701     +0.0012  0.005 (2)  program  ✓" in text
        assert "(2) Tolerance: rounding of the print." in text
        assert "✗ (1)" in text
        assert "(1) a misprint" in text
        assert "2 values of the program must agree" in text
        assert "1 do NOT" in text
        assert [value.row for value in found.failures] == ["c"]
        assert found.render("csv").splitlines()[0] == (
            "study,where,row,column,published,ours,difference,agrees,must,note,kind,against,tolerance,why,standard_error,in_errors"
        )
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
        assert (value["kind"], value["tolerance"], value["why"]) == ("program", 0.005, "rounding of the print")

    def test_three_kinds_and_only_the_program_in_the_headline(self):
        found = self.compared(
            printed("Table 1", "a", "x", "0.70", 0.7012),
            of_paper(printed("Table 1", "a", "y", "0.5", 0.5)),
            of_paper(printed("Table 1", "b", "y", "0.5", 0.7)),
            Value("Frozen", "a", "x", 1.0, 1.0, against="code"),
            found_alone("Made", "a", "y", 0.25),
        )
        assert found.summary() == (
            "made-up: 1 values of the program must agree with Sakai (2021), and all do; 1 values must agree with independent "
            "code, and all do; 2 hold the paper against itself, and 1 of them agrees; 1 are of simulated data."
        )
        assert [value["kind"] for value in found.to_dict()["values"]] == ["program", "paper", "paper", "program", "simulated"]
        assert [value.row for value in found.failures] == ["b"]

    def test_a_tolerance_has_a_reason(self):
        with pytest.raises(ValueError, match="a tolerance without a reason"):
            Value("T", "r", "c", 1.0, 1.0, tolerance=0.1)

    def test_a_difference_in_standard_errors_of_one_draw(self):
        value = printed("T", "r", "c", "0.81", 0.783, tolerance=0.01, why="drawn", standard_error=0.009)
        assert value.in_errors == pytest.approx(-3)
        assert "-0.027 (-3 s.e.)" in str(self.compared(value))


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
        status, _, err = run("study", "amigo220")
        assert status == 2
        assert "there is no study 'amigo220'; did you mean 'amigo2020'?" in err
