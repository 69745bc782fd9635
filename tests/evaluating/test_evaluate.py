"""``evaluate``: the cube, its means and ranks, baselines, intervals, tables and files."""

import csv
import hashlib
import io
import itertools
import json
import math
import warnings
from pathlib import Path

import duckdb
import numpy as np
import pytest

import metameasure as mm
from metameasure.core.errors import MetameasureWarning
from metameasure.evaluating.evidence_files import count
from metameasure.reading.inputs import run_names
from metameasure.scores.of_evidence import score_evidence
from metameasure.scores.scores import Scores
from metameasure.show.table import Table

DEMO = Path(mm.__file__).parent / "demo"
SICK = Path(__file__).parents[3] / "shared/data/sick2014"
needs_sick = pytest.mark.needs("shared-data")
CLASSES = "CONTRADICTION,NEUTRAL,ENTAILMENT"
RUNS = ("bold", "careful", "coarse", "neutral", "noisy", "shifted")


@pytest.fixture(scope="module")
def demo():
    with pytest.warns(MetameasureWarning, match="pearson of neutral"):
        return mm.evaluate(
            DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2", measures="mae_macro,cem_ord,kappa_linear,pearson"
        )


def rows(file):
    return list(csv.DictReader(io.StringIO(Path(file).read_text(encoding="utf-8")), delimiter="\t"))


class TestSick:
    @needs_sick
    def test_entailment_as_the_task_published(self, run):
        file = SICK / "entailment_matrix.tsv"
        told = ["--item-column", "pair_ID", "--classes", CLASSES, "--measures", "accuracy", "--format", "json"]
        status, out, err = run("evaluate", file, *told)
        assert (status, err) == (0, "")
        scored = {told["run"]: told["scores"]["accuracy"] for told in json.loads(out)["runs"]}
        assert len(scored) == 17
        for name, published in {"Illinois-LH": 0.84575, "ECNU": 0.83641, "UNAL-NLP": 0.83053}.items():
            assert scored[name] == pytest.approx(published, abs=5e-6)

    @needs_sick
    def test_relatedness_cut_into_classes(self, run):
        told = ["--item-column", "pair_ID", "--classes", "1..5", "--bins", "1.5,2.5,3.5,4.5", "--format", "json"]
        status, out, err = run("evaluate", SICK / "relatedness_matrix.tsv", *told)
        assert (status, err) == (0, "")
        told = json.loads(out)
        assert len(told["runs"]) == 16
        values = [float(row["UTexas"]) for row in rows(SICK / "relatedness_matrix.tsv")]
        beyond = sum(not 1 <= value <= 5 for value in values)
        assert f"UTexas: {beyond:,} labels beyond the ends of the scale counted in the end classes" in told["notes"]


class TestCube:
    def test_every_score_is_the_measure_of_that_topics_labels(self, demo):
        gold = {row["item"]: row for row in rows(DEMO / "gold.tsv")}
        for name in RUNS:
            for topic in ("coffee", "train"):
                answers = [
                    (gold[row["item"]]["label"], row["label"]) for row in rows(DEMO / f"runs/{name}.tsv") if row["topic"] == topic
                ]
                for m, measure in enumerate(demo.measures):
                    expected = mm.score(*zip(*answers, strict=True), measure, classes="-2..2")
                    got = demo.values[m, demo.topics.index(topic), demo.runs.index(name)]
                    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)

    def test_a_run_that_is_never_defined_stays_out_of_the_common_topics(self, demo):
        pearson = [m.id for m in demo.measures].index("pearson")
        neutral = demo.runs.index("neutral")
        assert demo.common_topics()[pearson].all()
        assert math.isnan(demo.topic_means()[pearson, neutral])
        assert demo.undefined()[pearson, neutral] == 12
        assert demo.ranks()[pearson, neutral] == 6

    def test_means_are_over_the_topics_on_which_every_run_is_defined(self):
        nan = math.nan
        values = np.array([[[0.9, 0.1, nan], [nan, 0.5, nan], [0.7, 0.3, nan]]])
        scores = cube(values)
        assert scores.common_topics().tolist() == [[True, False, True]]
        np.testing.assert_allclose(scores.topic_means(), [[0.8, 0.2, nan]])
        assert scores.warnings() == ["accuracy of r3 is defined on 0 of 3 topics only"]

    def test_no_topic_in_common(self):
        nan = math.nan
        scores = cube(np.array([[[0.9, nan], [nan, 0.5]]]))
        assert np.isnan(scores.topic_means()).all()

    def test_ranks_with_ties_and_undefined_last(self):
        scores = cube(np.array([[[0.5, 0.7, math.nan, 0.7 + 1e-14]]]))
        assert scores.ranks().tolist() == [[3, 1, 4, 1]]
        assert [line.split()[:2] for line in scores.render("table").splitlines()[2:6]] == [
            ["1=", "r2"], ["1=", "r4"], ["3", "r1"], ["4", "r3"],
        ]  # fmt: skip

    def test_lower_is_better_ranks_the_other_way(self, demo):
        assert demo.order()[0] == demo.runs.index("careful")
        assert np.argmin(demo.averages()[0]) == demo.order()[0]

    def test_counts_and_scores_are_the_same_to_the_bit_on_every_machine_and_engine(self, demo):
        """Recorded once; DuckDB 1.5 and 2.0 both give these."""
        evidence = mm.count(DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2")
        assert evidence.checksum() == "f42973dadb2d"
        assert (demo.signature["gold"], demo.signature.of("runs")["careful"]) == ("54bde246cb4c", "03d8879f1843")
        fair = demo.values[[m.id for m in demo.measures].index("mae_macro")]
        assert hashlib.sha256(fair.tobytes()).hexdigest()[:12] == "c232aea89891"

    def test_signature_tells_version_settings_and_data(self, demo):
        assert f"version:{mm.__version__}" in demo.signature
        assert "topics:12" in demo.signature
        changed = mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/[a-m]*.tsv", classes="-2..2", missing="drop")
        assert "missing:drop" in changed.signature
        assert changed.signature["gold"] == demo.signature["gold"]
        assert changed.signature["runs"] != demo.signature["runs"]

    def test_a_run_undefined_on_most_topics_is_named_in_a_warning(self, run):
        with pytest.warns(MetameasureWarning, match="pearson of neutral is defined on 0 of 12"):
            mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2", measures="pearson")
        status, out, err = run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2", "--measures", "pearson")
        assert status == 0
        assert err == "metameasure: warning: pearson of neutral is defined on 0 of 12 topics only\n"
        assert "pearson: undefined for 12 of 72 pairs of run and topic (neutral 12): the output is constant." in out


def cube(values):
    measures, topics, runs = values.shape
    assert measures == 1
    return Scores(
        "classification", mm.Scale(("a", "b")), (mm.measures["accuracy"],), tuple(f"t{t}" for t in range(topics)),
        tuple(f"r{r + 1}" for r in range(runs)), values, values.mean(axis=1),
    )  # fmt: skip


class TestTables:
    def test_json(self, demo):
        told = json.loads(demo.render("json"))
        assert set(told) >= {"task", "classes", "topics", "measures", "runs", "signature"}
        assert told["measures"][0] == {"id": "mae_macro", "symbol": "MAE^M", "better": "lower", "topics_used": 12}
        neutral = next(entry for entry in told["runs"] if entry["run"] == "neutral")
        assert neutral["scores"]["pearson"] is None
        assert neutral["undefined"] == {"mae_macro": 0, "cem_ord": 0, "kappa_linear": 0, "pearson": 12}
        assert neutral["pooled"]["mae_macro"] == pytest.approx(1.2)

    def test_csv_has_every_number_at_full_precision(self, demo):
        read = {row["run"]: row for row in csv.DictReader(io.StringIO(demo.render("csv")))}
        for r, name in enumerate(demo.runs):
            assert float(read[name]["cem_ord"]) == demo.topic_means()[1, r]
            assert float(read[name]["cem_ord pooled"]) == demo.pooled[1, r]
        assert read["neutral"]["pearson"] == ""

    def test_latex_of_what_its_fonts_or_its_rows_read_otherwise(self):
        table = Table(("run", "H(G|L)"), (("[a]", "< ε"), ("*b", "> 0")))
        head, body = table.render("latex").split("\\midrule\n")
        assert head.splitlines()[-1] == r"run & H(G\textbar{}L) \\"
        assert body.splitlines()[:2] == [r"{}[a] & \textless{} $\varepsilon$ \\", r"{}*b & \textgreater{} 0 \\"]

    def test_markdown_and_latex_stress_the_best(self, demo):
        best = next(line for line in demo.render("markdown").splitlines() if "careful" in line)
        assert best.count("**") == 6  # all but pearson, which does not mind the level
        latex = demo.render("latex")
        assert r"\textbf{0.3658}" in latex
        assert r"$\mathrm{MAE}^{\mathrm{M}}$ $\downarrow$" in latex

    def test_a_notebook_gets_a_table(self, demo):
        assert demo._repr_html_().startswith('<div class="metameasure-result">')
        assert str(demo) == demo.render("table")

    def test_unknown_format(self, demo):
        with pytest.raises(mm.UsageError, match="no format 'yaml'"):
            demo.render("yaml")

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_frames(self, demo, library):
        module = pytest.importorskip(library, reason=f"{library} is not installed")
        frame = demo.to_frame(library)
        assert type(frame).__module__.partition(".")[0] == module.__name__
        assert frame.shape == (4 * 12 * 6, 4)

    def test_the_frame_comes_in_the_library_of_the_labels(self):
        polars = pytest.importorskip("polars", reason="polars is not installed")
        frame = polars.DataFrame({"item": [1, 2], "gold": ["a", "b"], "one": ["a", "a"]})
        assert isinstance(mm.evaluate(frame, classes="a,b", measures="accuracy").to_frame(), polars.DataFrame)


class TestScoreFiles:
    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "csv.gz", "tsv.zst"])
    def test_every_format_at_full_precision(self, run, tmp_path, demo, ending):
        file = tmp_path / f"scores.{ending}"
        arguments = ["--classes", "-2..2", "--measures", "mae_macro,cem_ord,kappa_linear,pearson", "--scores", file]
        assert run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", *arguments)[0] == 0
        reader = {"parquet": "read_parquet", "jsonl": "read_json"}.get(ending, "read_csv")
        read = duckdb.sql(f"SELECT measure, topic, run, score FROM {reader}('{file}')").fetchall()  # noqa: S608
        expected = {key[:3]: key[3] for key in zip(*demo.long().values(), strict=True)}
        assert len(read) == len(expected)
        for measure, topic, name, score in read:
            wanted = expected[measure, topic, name]
            assert (score is None and math.isnan(wanted)) or score == wanted
        assert list(tmp_path.iterdir()) == [file]

    @pytest.mark.parametrize("name", ["scores", "scores.xlsx", "scores.parquet.gz"])
    def test_a_name_without_a_format_is_refused_before_anything_is_read(self, run, tmp_path, name):
        status, out, err = run("evaluate", "nowhere.tsv", "--scores", tmp_path / name)
        assert (status, out) == (2, "")
        assert "does not say which format to write" in err

    def test_a_folder_that_is_not_there(self, run, tmp_path):
        arguments = ["--classes", "-2..2", "--scores", tmp_path / "no/scores.csv"]
        status, out, err = run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", *arguments)
        assert (status, out) == (2, "")
        assert "cannot write" in err


@pytest.fixture(scope="module")
def scored():
    names = "accuracy,macro_recall,mae,cem_ord,kappa,f1_macro,mutual_information"
    return mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2", measures=names, baselines=True)


class TestBaselines:
    def of(self, scored, name, measure):
        m = [known.id for known in scored.measures].index(measure)
        return scored.topic_means()[m, scored.runs.index(f"baseline: {name}")]

    def test_constant_runs_score_what_such_a_run_scores(self, scored):
        constant = {row["item"]: 0 for row in rows(DEMO / "gold.tsv")}
        assert len(constant) == 480
        for m in range(len(scored.measures)):
            np.testing.assert_allclose(
                scored.values[m, :, scored.runs.index("baseline: always 0")], scored.values[m, :, scored.runs.index("neutral")]
            )
        assert self.of(scored, "majority", "accuracy") == self.of(scored, "always 0", "accuracy")

    def test_expectations_in_closed_form(self, scored):
        assert self.of(scored, "random, uniform", "accuracy") == pytest.approx(1 / 5)
        assert self.of(scored, "random, uniform", "kappa") == 0
        gold = [row["label"] for row in rows(DEMO / "gold.tsv")]
        share = {label: gold.count(label) / len(gold) for label in set(gold)}
        as_gold = sum(value**2 for value in share.values())
        pooled = scored.pooled[0, scored.runs.index("baseline: random, as gold")]
        assert pooled == pytest.approx(as_gold)  # Bergmair (2009): .5^2 + .35^2 + .15^2 on RTE-4, not a uniform guess's 1/3

    def test_closed_forms_and_simulations_agree_with_enumeration(self):
        """Every one of the 27 outputs on three items, each equally likely."""
        gold = [1, 1, 2]
        outputs = list(itertools.product([1, 2, 3], repeat=3))
        frame = {"item": [1, 2, 3], "gold": gold, "any": [1, 2, 3]}
        pandas = pytest.importorskip("pandas", reason="pandas is not installed")
        names = ("accuracy", "mae_macro", "cem_ord", "kappa", "f1_macro")
        scored = mm.evaluate(pandas.DataFrame(frame), classes="1..3", measures=names, baselines=True)
        for m, name in enumerate(names):
            each = [mm.score(gold, output, name, classes="1..3") for output in outputs]
            column = scored.runs.index("baseline: random, uniform")
            error = scored.simulated[m, column]
            assert scored.pooled[m, column] == pytest.approx(np.nanmean(each), abs=1e-12 + 4 * error)
            assert (error == 0) == (mm.measures[name].chance is not None)

    def test_simulated_ones_carry_their_error(self, scored):
        told = next(entry for entry in scored.to_dict()["runs"] if entry["run"] == "baseline: random, uniform")
        assert told["baseline"] is True
        assert told["standard_error"]["accuracy"] == 0
        assert 0 < told["standard_error"]["f1_macro"] < 0.01
        assert any("mutual_information are simulated" in note for note in scored.notes)


class TestIntervals:
    def evaluated(self, ci=True, **options):
        return mm.evaluate(
            DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2", measures="accuracy,mae_macro", ci=ci, **options
        )

    def test_over_topics_and_over_items(self):
        scores = self.evaluated(trials=2000)
        for low, high in (scores.intervals.topics, scores.intervals.items):
            assert np.all((low <= scores.averages()) & (scores.averages() <= high))
        # For accuracy over items the normal approximation is known: topics are equally large, so the mean is a share of 480.
        r = scores.runs.index("careful")
        share = scores.averages()[0, r]
        low, high = (end[0, r] for end in scores.intervals.items)
        assert high - low == pytest.approx(2 * 1.96 * math.sqrt(share * (1 - share) / 480), rel=0.15)

    def test_over_topics_alone_where_that_is_enough(self):
        both, topics = self.evaluated(), self.evaluated(ci="topics")
        np.testing.assert_array_equal(topics.intervals.topics, both.intervals.topics)
        assert topics.intervals.items is None
        assert topics.signature == both.signature
        assert self.evaluated(ci="topics", average="pooled").intervals.items is not None

    def test_the_same_seed_gives_the_same_bytes_and_other_runs_do_not_matter(self):
        first, again, other = self.evaluated(), self.evaluated(), self.evaluated(seed=1)
        assert first.render("json") == again.render("json")
        assert first.render("json") != other.render("json")
        alone = mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/careful.tsv", classes="-2..2", measures="accuracy,mae_macro", ci=True)
        careful = first.intervals.items[0][:, first.runs.index("careful")]
        np.testing.assert_allclose(alone.intervals.items[0][:, 0], careful, rtol=0, atol=1e-15)

    def test_pooled(self):
        scores = self.evaluated(average="pooled")
        assert scores.intervals.topics is None
        low, high = scores.intervals.items
        assert np.all((low <= scores.pooled) & (scores.pooled <= high))

    def test_a_million_times_the_items_costs_the_same_and_narrows_the_interval(self):
        counts = count(DEMO / "gold.tsv", DEMO / "runs/*.tsv", classes="-2..2")
        from dataclasses import replace

        from metameasure.scores.intervals import Drawing, intervals

        many = replace(counts, items=counts.items * 10**6, weights=counts.weights * 10**6)
        measure = [mm.measures["accuracy"]]
        few_low, few_high = intervals(score_evidence(counts, measure), counts, Drawing(trials=200)).items
        low, high = intervals(score_evidence(many, measure), many, Drawing(trials=200)).items
        moving = few_high > few_low
        assert np.all((high - low)[moving] < (few_high - few_low)[moving] / 500)

    def test_differences_resample_the_joint_table(self):
        found = mm.difference(DEMO / "gold.tsv", DEMO / "runs/*.tsv", "mae_macro", "careful", "bold", classes="-2..2")
        scores = self.evaluated()
        pooled = dict(zip(scores.runs, scores.pooled[1], strict=True))
        assert found.value == pytest.approx(pooled["careful"] - pooled["bold"], abs=1e-12)
        assert found.low < found.value < found.high < 0
        same = mm.difference(DEMO / "gold.tsv", DEMO / "runs/*.tsv", "mae_macro", "bold", "bold", classes="-2..2")
        assert (same.low, same.value, same.high) == (0, 0, 0)
        with pytest.raises(mm.UsageError, match="did you mean 'careful'"):
            mm.difference(DEMO / "gold.tsv", DEMO / "runs/*.tsv", "mae", "carefull", "bold", classes="-2..2")


class TestCommands:
    def test_standard_error_is_empty_on_success(self, run):
        assert run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2")[::2] == (0, "")
        assert run("check", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2")[::2] == (0, "")

    def test_demo(self, run, tmp_path):
        status, out, err = run("demo", "-o", tmp_path / "page.html")
        assert (status, err) == (0, "")
        assert "nothing is wrong" in out
        assert "1  careful" in out
        assert "proximity in bits" in out
        assert f"The page is {(tmp_path / 'page.html').as_uri()}" in out
        assert "By mae_macro, careful is first of 6 runs" in (tmp_path / "page.html").read_text(encoding="utf-8")

    def test_proximities_of_the_users_gold(self, run):
        status, out, err = run("measures", "cem_ord", "--classes", "-2..2", "--gold", DEMO / "gold.tsv", "--format", "json")
        assert (status, err) == (0, "")
        told = json.loads(out)
        assert sum(told["gold"]) == 480
        assert told["table"][0][0] == pytest.approx(-math.log2(told["gold"][0] / 2 / 480))
        for name in ("cem_nom", "cem_int", "cem_flat"):
            assert run("measures", name, "--classes", "-2..2", "--gold", DEMO / "gold.tsv")[0] == 0
        assert (
            "these do: accuracy, accuracy@n, cem_ord"
            in run("measures", "mae", "--classes", "-2..2", "--gold", DEMO / "gold.tsv")[2]
        )

    def test_classes_left_out(self, run):
        status, out, err = run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv")
        assert (status, out) == (2, "")
        assert "--classes -2,-1,0,1,2: order them from lowest to highest" in err

    def test_nominal_classes_get_nominal_measures(self, run):
        out = run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2", "--kind", "nominal")[1]
        assert "f1_macro" in out.splitlines()[0]
        assert "mae_macro" not in out.splitlines()[0]
        status, _, err = run(
            "evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2", "--kind", "nominal", "--measures", "mae"
        )
        assert status == 2
        assert "mae assumes interval classes, but they are declared nominal" in err

    def test_the_users_distances(self, run, tmp_path):
        steps = tmp_path / "steps.csv"
        steps.write_text("\n".join(",".join(str(abs(i - j)) for j in range(5)) for i in range(5)))
        arguments = ["--classes", "-2..2", "--measures", "kappa_weighted,kappa_linear", "--distance", steps, "--format", "csv"]
        read = csv.DictReader(io.StringIO(run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", *arguments)[1]))
        for row in read:
            assert float(row["kappa_weighted"]) == pytest.approx(float(row["kappa_linear"]), abs=1e-12)

    def test_a_plugin_is_a_measure_like_any_other(self, run, tmp_path):
        from catalogue.test_plugins import PORTABLE

        plugin = tmp_path / "mine.py"
        plugin.write_text(PORTABLE)
        arguments = ["--classes", "-2..2", "--measures", "error_rate,accuracy", "--plugin", plugin, "--format", "json"]
        for told in json.loads(run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", *arguments)[1])["runs"]:
            assert told["pooled"]["error_rate"] == pytest.approx(1 - told["pooled"]["accuracy"], abs=1e-12)

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--task", "cooking"], "there is no task 'cooking'"),
            (["--measures", "cem_rod"], "did you mean 'cem_ord'"),
            (["--measures", "recall@LABEL"], "recall@LABEL lacks its LABEL"),
            (["--measures", "recall@9"], "there is no class '9'"),
            (["--average", "median"], "--average cannot be 'median'; choose topics or pooled"),
            (["--bins", "1,x"], "--bins cannot be '1,x'; give numbers"),
            (["--bins", "1,2"], "2 bin edges make 3 classes, not 5"),
            (["--bins", "4,3,2,1"], "do not increase"),
            (["--missing", "ignore"], "choose worst, drop, zero, bounds or class:LABEL"),
            (["--missing", "class:9"], "there is no class '9'"),
            (["--partitions", "5"], "the data has topics already"),
            (["--memory", "lots"], "'lots' is not an amount of memory"),
            (["--level", "95"], "--level cannot be 95.0; give a number between 0 and 1"),
        ],
    )
    def test_calls_that_are_wrong(self, run, arguments, complaint):
        status, out, err = run("evaluate", DEMO / "gold.tsv", DEMO / "runs/*.tsv", "--classes", "-2..2", *arguments)
        assert (status, out) == (2, "")
        assert complaint in err

    def test_paths_and_frames_do_not_mix(self):
        pandas = pytest.importorskip("pandas", reason="pandas is not installed")
        frame = pandas.DataFrame({"item": ["a"], "label": ["x"]})
        for gold, runs in ((frame, ["run.tsv"]), (DEMO / "gold.tsv", {"one": frame})):
            with pytest.raises(mm.UsageError, match="both as paths or both as data frames"):
                mm.evaluate(gold, runs, classes="x,y")


def test_run_names_are_the_shortest_suffixes_that_differ():
    assert run_names(["runs/a.tsv", "runs/b.tsv.gz"]) == ["a", "b"]
    assert run_names(["x/one/run.tsv", "x/two/run.tsv", "other.tsv"]) == ["one/run", "two/run", "other"]
    assert run_names(["a/x/run.tsv", "b/x/run.tsv"]) == ["a/x/run", "b/x/run"]


def test_no_warning_where_there_is_none(recwarn):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mm.evaluate(DEMO / "gold.tsv", DEMO / "runs/careful.tsv", classes="-2..2")
    assert len(recwarn) == 0
