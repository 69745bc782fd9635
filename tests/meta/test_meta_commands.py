"""``metameasure meta``: from score files to tables, JSON and charts."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

import metameasure as mm
from conftest import ROOT
from meta_cases import evidence, long_file, matrix, noisy, quantification, three_measures, wide_file

QUESTIONS = ("similarity", "consistency", "discrimination", "overlap", "contradictions", "coverage", "robustness", "all")
QUICK = ("--trials", "200", "--splits", "50")
FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")
SICK = ROOT.parent / "shared/data/sick2014/relatedness_matrix.tsv"
KEYS = {
    "similarity": {"measures", "tau"},
    "consistency": {"splits", "size", "residual_variance", "measures", "p"},
    "discrimination": {"alpha", "trials", "runs", "measures"},
    "overlap": {"pairs"},
    "contradictions": {"pairs"},
    "coverage": {"reference", "measures", "runs", "uir"},
    "robustness": {"measures"},
    "deltas": {"run_a", "run_b", "measures", "pairs"},
    "all": {"measures", "findings"},
}
INNER = {
    "consistency": ("measures", {"id", "mean_tau", "beats"}),
    "discrimination": ("measures", {"id", "significant", "pairs", "power", "p"}),
    "overlap": ("pairs", {"first", "second", "only_first", "both", "only_second", "overlap", "overlap_agreeing"}),
    "contradictions": ("pairs", {"first", "second", "count", "runs"}),
    "coverage": ("measures", {"id", "coverage"}),
    "robustness": ("measures", {"id", "robustness"}),
    "deltas": ("pairs", {"first", "second", "pearson", "low", "high", "disagree"}),
}


def runs_for(question):
    return ("--runs", "r7,r1") if question == "deltas" else ()


@pytest.fixture
def files(tmp_path):
    return [long_file(tmp_path / f"{name}.csv", three_measures(seed=seed)) for seed, name in enumerate(("one", "two"))]


@pytest.mark.parametrize("question", [*QUESTIONS, "deltas"])
class TestEveryQuestion:
    def test_json_has_the_interfaces_keys(self, run, files, question):
        status, out, err = run("meta", question, files[0], *QUICK, *runs_for(question), "--format", "json")
        assert (status, err) == (0, "")
        told = json.loads(out)
        assert KEYS[question] <= set(told)
        assert "data" not in told
        if question in INNER:
            place, keys = INNER[question]
            assert all(keys <= set(entry) for entry in told[place])

    @pytest.mark.each_time(2)
    def test_several_data_sets(self, run, files, question):
        status, out, err = run("meta", question, *files, *QUICK, *runs_for(question), "--format", "json")
        assert (status, err) == (0, "")
        told = json.loads(out)
        assert KEYS[question] <= set(told)
        assert [part["name"] for part in told["data"]] == ["one", "two"]
        assert all(KEYS[question] <= set(part) for part in told["data"])
        # A data set's part is what it is alone.
        alone = json.loads(run("meta", question, files[1], *QUICK, *runs_for(question), "--format", "json")[1])
        assert "runs" in alone.pop("signature_parts")  # the whole has a digest of each data set
        assert alone.pop("signature")
        assert [*told["signature_parts"]["data"]] == ["one", "two"]
        assert {"name": "two"} | alone == told["data"][1]

    @pytest.mark.each_time(2)
    @pytest.mark.parametrize("number", [pytest.param(1, marks=pytest.mark.slow), 2])
    def test_every_format(self, run, files, question, number):
        for format in FORMATS:
            status, out, err = run("meta", question, *files[:number], *QUICK, *runs_for(question), "--format", format)
            assert (status, err) == (0, "")
            assert "accuracy" in out.lower()
            assert "\033" not in out
            if format == "csv":
                assert next(csv.reader(io.StringIO(out)))

    def test_the_same_bytes_whatever_the_threads(self, run, files, question):
        told = [
            run("meta", question, *files, *QUICK, *runs_for(question), "--threads", threads, "--format", "json")
            for threads in (1, 5)
        ]
        assert told[0] == told[1]

    @pytest.mark.parametrize("ending", ["svg", *(pytest.param(ending, marks=pytest.mark.slow) for ending in ("pdf", "png"))])
    def test_the_same_chart_each_time(self, run, files, question, tmp_path, ending):
        """Each question twice in PDF and PNG, every night; in SVG one of them twice, and the others once."""
        drawn = []
        for number in (1, 2) if ending != "svg" or question == "consistency" else (1,):
            chart = tmp_path / f"{number}.{ending}"
            status, _, err = run("--quiet", "meta", question, *files, *QUICK, *runs_for(question), "--chart", chart)
            assert (status, err) == (0, "")
            drawn.append(chart.read_bytes())
        assert drawn[0] == drawn[-1]
        assert drawn[0][:5] in (b"<?xml", b"%PDF-", b"\x89PNG\r")
        assert not list(tmp_path.glob(".*"))

    def test_frames(self, files, question):
        name = "summary" if question == "all" else question
        quick = {"trials": 100} if question in ("all", "consistency", "discrimination", "overlap", "contradictions") else {}
        given = {"runs": "r7,r1"} if question == "deltas" else {}
        for part in (files[:1], files):
            frame = getattr(mm.meta, name)(part, **quick, **given).to_frame("pandas")
            assert ("data" in frame.columns) == (len(part) == 2)


class TestOptions:
    def test_seed_trials_and_splits_change_the_answer(self, run, files):
        plain = run("meta", "consistency", files[0], *QUICK, "--format", "json")[1]
        assert run("meta", "consistency", files[0], *QUICK, "--seed", "1", "--format", "json")[1] != plain
        told = json.loads(run("meta", "consistency", files[0], *QUICK, "--size", "5", "--format", "json")[1])
        assert (told["size"], told["topics"], told["splits"]) == (5, [5, 5], 50)

    def test_alpha_is_obeyed(self, run, files):
        counts = [
            json.loads(run("meta", "discrimination", files[0], *QUICK, "--alpha", alpha, "--format", "json")[1])["measures"][0]
            for alpha in (0.01, 0.5)
        ]
        assert counts[0]["significant"] < counts[1]["significant"]

    def test_selection(self, run, files):
        told = json.loads(
            run("meta", "discrimination", files[0], *QUICK, "--measures", "mae", "--runs", "r1,r2,r3", "--format", "json")[1]
        )
        assert (told["runs"], [measure["id"] for measure in told["measures"]]) == (["r1", "r2", "r3"], ["mae"])

    def test_matrices_of_another_tool(self, run, tmp_path):
        for name, sign in (("bleu", 1), ("ter", -1)):
            wide_file(tmp_path / "mt" / f"{name}.csv", matrix("", sign * noisy()))
        pattern = tmp_path / "mt" / "*.csv"
        status, _, err = run("meta", "similarity", pattern)
        assert status == 2
        assert "it is not known which scores of 'bleu' are better; say --better higher or --better lower" in err
        status, out, _ = run("meta", "similarity", pattern, "--better", "bleu=higher,ter=lower", "--format", "json")
        assert (status, json.loads(out)["tau"]) == (0, [[1.0, 1.0], [1.0, 1.0]])

    def test_fold_and_reference(self, run, tmp_path):
        file = long_file(tmp_path / "dq.csv", quantification(topics=80)[0])
        folded = json.loads(run("meta", "contradictions", file, "--measures", "nmd,rnod", "--fold", "--format", "json")[1])
        assert ["popularity-{C,E}", "uniform-{C,E}"] in folded["pairs"][0]["runs"]
        covered = json.loads(run("meta", "coverage", file, "--reference", "nmd,rnod", "--format", "json")[1])
        assert covered["reference"] == ["nmd", "rnod"]

    def test_standard_input(self, run, files, monkeypatch):
        class Stdin:
            buffer = io.BytesIO(files[0].read_bytes())

        monkeypatch.setattr(sys, "stdin", Stdin)
        piped = run("meta", "similarity", "-", "--format", "json")
        assert piped == run("meta", "similarity", files[0], "--format", "json")

    @pytest.mark.parametrize(
        ("arguments", "status", "complaint"),
        [
            (("simlarity",), 2, "did you mean 'similarity'"),
            (("similarity",), 2, "Missing argument 'SCORES...'"),
            (("similarity", "nowhere.csv"), 2, "there is no file 'nowhere.csv'"),
            (("similarity", "FILE", "--chart", "x.jpg"), 2, "let it end in .svg, .pdf or .png"),
            (("similarity", "FILE", "--better", "up"), 2, "higher or lower; or one each"),
            (("similarity", "FILE", "--measures", "cem_odr"), 2, "did you mean 'cem_ord'"),
            (("consistency", "FILE", "--size", "21"), 1, "40 topics"),
            (("consistency", "FILE", "--size", "some"), 2, "half, or a number of topics"),
            (("discrimination", "FILE", "--alpha", "5"), 2, "alpha cannot be 5.0"),
            (("deltas", "FILE"), 2, "name two: --runs A,B"),
            (("deltas", "FILE", "--runs", "r1"), 2, "name two: --runs A,B"),
            (("coverage", "FILE", "--reference", "bleu"), 2, "the reference measure 'bleu' has no scores here"),
        ],
    )
    def test_calls_that_are_wrong(self, run, files, arguments, status, complaint):
        told = run("meta", *(files[0] if word == "FILE" else word for word in arguments))
        assert told[:2] == (status, "")
        assert complaint in told[2]

    def test_a_chart_that_cannot_be_written_leaves_nothing(self, run, files, tmp_path):
        status, out, err = run("meta", "similarity", files[0], "--chart", tmp_path / "nowhere" / "x.svg")
        assert (status, out) == (2, "")
        assert "cannot write" in err

    def test_irrelevant_options_change_nothing(self, run, files):
        plain = run("meta", "robustness", files[0])
        assert run("meta", "robustness", files[0], "--seed", "5", "--trials", "3", "--alpha", ".1", "--reference", "mae") == plain


class TestLooks:
    def test_symbols_count_the_worst_that_are_beaten(self):
        found = mm.meta.consistency(three_measures(topics=60), splits=1000, test="splits")
        assert found.beats() == [2, 1, 0]
        rows = str(found).splitlines()[2:5]
        assert [row.split()[1][-1] for row in rows][:2] == ["‡", "†"]
        assert r"$\ddagger$" in found.render("latex")

    def test_colours_in_a_notebook_in_latex_and_on_a_terminal_only(self):
        found = mm.meta.similarity(three_measures())
        assert re.search(r'<td class="n (strong|fair|weak)"', found._repr_html_())
        assert r"\cellcolor[HTML]{" in found.render("latex")
        assert "\033[" in found.render("terminal")
        assert "Coloured" not in str(found)

    def test_latex_has_the_papers_symbols(self):
        assert r"$\mathrm{CEM}^{\mathrm{ORD}}$" in mm.meta.similarity(three_measures()).render("latex")

    @pytest.mark.parametrize("question", ["similarity", "overlap", "coverage"])
    def test_notes_in_latex_have_them_too(self, question):
        found = getattr(mm.meta, question)(three_measures()).render("latex")
        assert r"$\mathrm{CEM}^{\mathrm{ORD}}$" in found.partition(r"\parbox")[2]
        assert r"cem\_ord" not in found

    def test_the_summary_advises_every_measure(self):
        found = mm.meta.summary(three_measures(), trials=300, splits=100)
        text = str(found)
        told = " ".join(text.split())
        assert all(f"{row.measure} {row.advice}." in told for row in found.rows)
        assert "blind to class imbalance" in next(row.advice for row in found.rows if row.measure == "mae")
        assert not any(row.advice.startswith("fit") for row in found.rows if row.measure == "accuracy")

    def test_measures_of_several_tasks_and_of_none(self):
        """What tasks have in common is one column; what cannot be tried, or is not ours, has a question mark."""
        data = [matrix(measure, noisy(seed=seed)) for seed, measure in enumerate(("accuracy", "rnod", "bleu"))]
        found = mm.meta.summary(data, better="higher", trials=100, splits=20)
        assert {ability.heading for ability in found.abilities()} == {"ordinal", "constant runs", "imbalance", "symmetric"}
        assert [row.can(ability) for row in found.rows if row.measure == "bleu" for ability in found.abilities()] == [None] * 4
        for format in ("table", "latex", "csv", "markdown", "json"):
            assert found.render(format)

    def test_charts_of_comparisons_and_leaderboards(self, tmp_path):
        mm.compare(matrix("accuracy", noisy(20, 100))).chart(tmp_path / "runs.svg")
        demo = ROOT / "src/metameasure/demo"
        scores = mm.evaluate(demo / "gold.tsv", demo / "runs/*.tsv", classes="-2..2", measures="cem_ord")
        assert scores.chart().get_axes()
        assert b"<svg" in (tmp_path / "runs.svg").read_bytes()

    def test_distributions_beside_the_deltas(self, tmp_path):
        scores, gold, runs = quantification(topics=30)
        shown = evidence(scores, gold, runs)
        found = mm.meta.deltas(scores, "popularity-C", "uniform-C", measures="nmd,rnod", distributions=shown)
        assert len(found.chart(tmp_path / "deltas.svg").get_axes()) == 1 + 2

    def test_names_are_not_read_as_mathematics(self, tmp_path):
        """matplotlib takes what stands between two dollars for a formula, and this one has an error."""
        names = ("$a_$", "b", "100% & <c>", "_d")
        scores = [matrix(measure, noisy(10, 4, seed), names) for seed, measure in enumerate(("accuracy", "$x_$"))]
        better = {"$x_$": "higher"}
        for found in (mm.meta.similarity(scores, better=better), mm.meta.deltas(scores, "$a_$", "b", better=better)):
            found.chart(tmp_path / "names.svg")
            assert b"</svg>" in (tmp_path / "names.svg").read_bytes()

    def test_hundreds_of_runs_make_a_small_chart(self, tmp_path):
        """Some 45,000 pairs, but few p-values: the curve is drawn by its corners."""
        found = mm.meta.discrimination(matrix("accuracy", noisy(8, 300, step=0.02)), trials=50)
        found.chart(tmp_path / "curve.svg")
        assert (tmp_path / "curve.svg").stat().st_size < 100_000

    def test_one_measure_has_no_chart_of_pairs(self):
        for ask in (mm.meta.similarity, mm.meta.overlap, mm.meta.contradictions):
            found = ask(matrix("accuracy", noisy()))
            assert "accuracy" in found.render("json") or found.to_dict()["pairs"] == []
            with pytest.raises(mm.UsageError, match="needs two of them"):
                found.chart()

    def test_the_users_settings_come_back(self):
        import matplotlib as mpl

        before = dict(mpl.rcParams)
        mm.meta.similarity(three_measures()).chart()
        assert dict(mpl.rcParams) == before


def test_nothing_heavy_is_loaded_before_a_question_is_asked():
    program = "import sys, metameasure as mm; mm.meta; print('numpy' in sys.modules, 'matplotlib' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "False"]
    program = "import sys, metameasure as mm; mm.meta.similarity; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split() == ["False"]


def test_names_are_the_questions_not_their_files():
    assert {name for name in mm.meta.__all__ if not hasattr(mm.meta, name)} == set()
    assert callable(mm.meta.similarity)
    with pytest.raises(AttributeError, match="no attribute 'similarities'"):
        mm.meta.similarities  # noqa: B018


@pytest.mark.needs("shared-data")
def test_sick_reads_well(run, tmp_path):
    scores = tmp_path / "sick.csv"
    labels = ("--item-column", "pair_ID", "--classes", "1..5", "--bins", "1.5,2.5,3.5,4.5", "--partitions", "20")
    measures = "mae,mae_macro,cem_ord,kappa_linear,kappa_quadratic,accuracy,pearson"
    assert run("evaluate", SICK, *labels, "--measures", measures, "--scores", scores)[0] == 0
    status, out, err = run("meta", "all", scores)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["measure", "ordinal", "constant", "runs", "imbalance", "group", "consistency", "power"]
    assert len(lines) < 60
    assert max(len(line) for line in lines if not line.startswith("Signature")) < 120
    roles = ("  fit to be the primary", "  usable, but worse than", "  at most a secondary measure")
    assert [line.split()[0] for line in lines if any(role in line for role in roles)] == [line.split()[0] for line in lines[2:9]]
