"""What the papers show besides scores: pairs of deltas, equal runs, unanimous pairs, RankEval's keys, and their figures."""

import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.studies.data import DataFolder
from metameasure.studies.frozen import FOLDER
from metameasure.studies.study import Setting, studies

DIALOGUES = FOLDER / "dialogues.csv"


class TestDeltas:
    def test_pairs_as_they_are_named(self, run, tmp_path):
        words = ("--runs", "popularity-C,uniform-C", "--pairs", "rnod:nmd,nmd:jsd")
        status, out, err = run("meta", "deltas", DIALOGUES, *words, "--chart", tmp_path / "d.svg", "--format", "json")
        assert status == 0, err
        told = json.loads(out)
        assert [(pair["first"], pair["second"]) for pair in told["pairs"]] == [("rnod", "nmd"), ("nmd", "jsd")]
        drawn = (tmp_path / "d.svg").read_text()
        assert drawn.index("Δ RNOD") < drawn.index("Δ NMD"), "the first across"
        every = {(pair.first, pair.second): pair for pair in mm.meta.deltas(str(DIALOGUES), "popularity-C", "uniform-C").pairs}
        first, opposite = told["pairs"][0], every["nmd", "rnod"]
        assert first["pearson"] == pytest.approx(opposite.pearson)
        assert first["first_prefers_a"] == opposite.first_prefers_b

    def test_axes_are_x_and_y_as_named(self):
        found = mm.meta.deltas(str(DIALOGUES), "popularity-C", "uniform-C", pairs=[("rnod", "nmd")])
        assert found.signature.of("pairs") == ("rnod:nmd",)
        assert mm.reproduce(found.signature, str(DIALOGUES)).same
        line = next(line for line in found.chart().axes[0].lines if len(line.get_xdata()) > 2)
        assert np.array_equal(line.get_xdata(), found.values[found.measures.index("rnod")])
        assert np.array_equal(line.get_ydata(), found.values[found.measures.index("nmd")])

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("nmd", "--pairs is 'nmd'; two measures with a colon between them"),
            ("nmd:nmd", "--pairs is 'nmd:nmd'"),
            ("nmd:rnodd", "the measure 'rnodd' has no scores here; did you mean 'rnod'"),
        ],
    )
    def test_pairs_that_are_none(self, run, text, said):
        status, _, err = run("meta", "deltas", DIALOGUES, "--runs", "popularity-C,uniform-C", "--pairs", text)
        assert (status, said in err) == (2, True), err


class TestEqualRuns:
    def test_contradictions_are_listed_once(self, run):
        out = run("meta", "contradictions", DIALOGUES)[1]
        assert "nmd        rnss       popularity-{C,E}     uniform-{C,E}" in out
        assert "8 pairs of runs are listed as 2" in out
        told = json.loads(run("meta", "contradictions", DIALOGUES, "--format", "json")[1])
        assert told["equal_runs"] == [["popularity-C", "popularity-E"], ["uniform-C", "uniform-E"]]
        assert next(pair for pair in told["pairs"] if pair["count"])["count"] == 4, "counts are of runs as submitted"

    @pytest.mark.parametrize("task", ["quantification", "classification"])
    def test_check_names_them(self, run, tmp_path, task):
        kinds = ["uniform=C,E", "noisy=.5"] if task == "quantification" else ["noisy=.5", "copy=0,.5"]
        mm.simulate(task=task, kinds=kinds, topics=3).save(tmp_path / "made")
        words = (tmp_path / "made/gold.tsv", tmp_path / "made/runs/*.tsv", "--task", task)
        words = (*words, "--classes", "-2..2" if task == "quantification" else "1..11")
        equal = ["uniform-C", "uniform-E"] if task == "quantification" else ["copy-0", "noisy-0.5"]
        out = run("check", *words)[1]
        assert f"{equal[0]} and {equal[1]} are equal: every measure scores them alike." in out
        assert json.loads(run("check", *words, "--format", "json")[1])["equal_runs"] == [equal]


def test_unanimous_pairs_of_many_runs_are_a_table(run, tmp_path):
    scores = mm.simulate("amigo", topics=6, items=30, kinds=["rand", "maj=.1,.5,.9"]).evaluate("accuracy,mae,cem_ord")
    scores.save(tmp_path / "scores.csv")
    out = run("meta", "coverage", tmp_path / "scores.csv")[1]
    assert "better run  worse run   UIR" in out
    found = mm.meta.coverage(scores)
    best = np.unravel_index(np.argmax(found.uir), found.uir.shape)
    first = out.split("better run")[1].splitlines()[2].split()
    assert float(first[2]) == pytest.approx(found.uir[best], abs=0.005)


class TestRankEval:
    def test_its_keys(self, run, shared_data):
        folder = shared_data / "rankeval2013"
        told = json.loads((folder / "cli.json").read_text())
        measures = "tau@wmt12,mrr,ndcg,err,average_predicted_rank,best_vs_human@1..5"
        words = ("--task", "ranking", "--run-columns", "rank_len,rank_bucket", "--compat", "rankeval", "--measures", measures)
        out = run("evaluate", folder / "sample_with_predictions.jcml", *words, "--format", "json")[1]
        for entry in json.loads(out)["runs"]:
            ours = entry["rankeval"]
            printed = dict(line.split("\t") for line in told[entry["run"]]["stdout"].splitlines())
            known = {key for key in printed if not key.startswith("bph")}
            assert known <= {*ours}, "every key that the program prints"
            # Not definitions: shares by the last segment's numbers, segments with tau 0 left out, ties overwritten.
            defects = {"tau_predicted_ties_per", "tau_sentence_ties_per", "tau_avg_seg", "ndgc", "err"}
            for key in known - defects:
                assert ours[key] == pytest.approx(float(printed[key]), rel=1e-4), key
            assert ours["bph"] == pytest.approx([float(printed[f"bph_{rank}.0"]) for rank in range(1, 6)], abs=0.005)

    def test_a_range_is_every_number_in_it(self):
        assert [one.id for one in mm.measures.select("best_vs_human@2..4")] == [f"best_vs_human@{rank}" for rank in (2, 3, 4)]
        assert [one.id for one in mm.measures.select("ndcg@1..2:relevance=ceiling")] == [
            one.id for one in mm.measures.select("ndcg@1:relevance=ceiling,ndcg@2:relevance=ceiling")
        ]


class TestFigures:
    def test_as_files_and_on_a_page(self, run, tmp_path):
        status, _, err = run("study", "bergmair2009", "--chart", tmp_path / "figures", "--page", tmp_path / "page.html")
        assert status == 0, err
        drawn = sorted(file.name for file in (tmp_path / "figures").iterdir())
        assert drawn
        assert all(f"wrote {tmp_path / 'figures' / name}" in err for name in drawn)
        assert (tmp_path / "page.html").read_text().count("<svg") >= len(drawn)

    def test_published_values_stand_in_them(self):
        drawings = {one.name: one for one in studies()["amigo2020"].drawings(Setting(DataFolder()))}
        texts = {}
        for name, one in drawings.items():
            figure = one.draw(6.9)
            texts[name] = [text.get_text() for part in (figure, *figure.axes) for text in part.texts]
        assert {"6.84", "2.06", "0.23", "4.38"} <= {*texts["figure-1"]}
        assert any("4.32 (4.32)" in text for text in texts["figure-3"])
        assert {"=", ">"} <= {*texts["figure-2"]}

    def test_all_measures_of_78_experiments_in_one_panel(self):
        setting = Setting(DataFolder())
        (drawing,) = studies()["avramidis2013"].drawings(setting)
        figure = drawing.draw(6.9)
        lines = [line for axes in figure.axes for line in axes.lines if len(line.get_xdata()) == 78]
        assert len(lines) == 7, "best_vs_human@1 among them"
        mrr = lines[0].get_ydata()
        assert list(mrr) == sorted(mrr, reverse=True)

    def test_the_folder_must_be_new(self, run, tmp_path):
        (tmp_path / "mine.txt").write_text("precious")
        status, _, err = run("study", "bergmair2009", "--chart", tmp_path)
        assert (status, "exists already; name a new folder" in err) == (2, True)


def test_replab_of_the_authors_has_signs(tmp_path):
    (tmp_path / "replab2013/runs").mkdir(parents=True)
    rows = [("a", "1", "-1"), ("a", "2", "0"), ("b", "3", "1"), ("b", "4", "-1")]
    for name in ("gold.tsv", "runs/x.tsv", "runs/y.tsv"):
        (tmp_path / "replab2013" / name).write_text("topic\titem\tlabel\n" + "".join("\t".join(row) + "\n" for row in rows))
    (scores,) = DataFolder.of(tmp_path).scores("replab2013", ["accuracy"], 0).values()
    assert scores.averages().tolist() == [[1.0, 1.0]]
    assert scores.scale.labels == ("-1", "0", "1")


class TestByClass:
    TABLE = ((5, 1, 4), (5, 50, 5), (7, 8, 15))

    def test_closeness_of_each_class(self):
        from metameasure.catalogue.classification.cem import cem_per_class, ordinal_share, proximity

        counts = np.array(self.TABLE, dtype=float)
        near = np.asarray(proximity(ordinal_share(counts.sum(axis=1))))
        given, having = (np.asarray(side) for side in cem_per_class(counts))
        for place in range(3):
            reached = [counts[true, place] * near[true, place] for true in range(3)]
            most = [counts[true, place] * near[true, true] for true in range(3)]
            assert given[place] == pytest.approx(sum(reached) / sum(most))
            assert having[place] == pytest.approx(sum(counts[place] * near[place]) / (counts[place].sum() * near[place, place]))

    def test_the_whole_is_cem(self):
        """The weighted mean over gold's classes, by what each could reach, is CEM^ORD itself."""
        from metameasure.catalogue.classification.cem import cem_per_class, ordinal_share, proximity

        counts = np.array(self.TABLE, dtype=float)
        sizes = counts.sum(axis=1)
        weights = sizes * np.diag(np.asarray(proximity(ordinal_share(sizes))))
        having = np.asarray(cem_per_class(counts)[1])
        assert (weights * having).sum() / weights.sum() == pytest.approx(float(mm.measures["cem_ord"](counts)))

    def test_the_command(self, run, tmp_path):
        mm.simulate("amigo", topics=1, items=60, classes="a,b,c", kinds="noisy=.3").save(tmp_path / "made")
        words = ("table", tmp_path / "made/gold.tsv", tmp_path / "made/runs/*.tsv", "--classes", "a,b,c")
        told = json.loads(run(*words, "--by-class", "--format", "json")[1])
        assert {"cem_precision", "cem_recall", "precision"} <= {*told["runs"][0]["by_class"][0]}
        assert "cem_recall" not in json.loads(run(*words, "--format", "json")[1])["runs"][0]["by_class"][0]
        mm.simulate("dialeval1", topics=2, kinds="uniform").save(tmp_path / "votes")
        words = (
            "table",
            tmp_path / "votes/gold.tsv",
            tmp_path / "votes/runs/*.tsv",
            "--task",
            "quantification",
            "--classes",
            "-2..2",
        )
        status, _, err = run(*words, "--by-class")
        assert (status, "--by-class is for labels" in err) == (2, True)


class TestCurves:
    def test_precision_down_an_order(self):
        from metameasure.tasks.entailment.curves import precision_recall

        recall, precision = precision_recall(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.8, 0.1]))
        assert recall.tolist() == [0.5, 1.0, 1.0]
        assert precision.tolist() == pytest.approx([1.0, 2 / 3, 0.5]), "tied items come at once"

    def test_random_orders_stay_in_the_band(self):
        from metameasure.tasks.entailment.curves import chance_band, precision_recall

        rng = np.random.default_rng(0)
        positive = np.arange(400) < 200
        inside = []
        for _ in range(300):
            recall, precision = precision_recall(positive, rng.random(400))
            place = int(np.argmax(recall >= 0.5))
            low, high = chance_band(400, 200, recall[[place]])
            inside.append(low[0] <= precision[place] <= high[0])
        assert np.mean(inside) == pytest.approx(0.95, abs=0.04)

    def test_they_are_drawn_below_the_tables(self, tmp_path):
        made = mm.simulate("rte4", kinds=["calibrated=.3", "constant=YES"], items=60)
        roles = {"positive": "YES", "neutral": "UNKNOWN", "negative": "NO"}
        made.save(tmp_path / "task")
        found = mm.table(f"{tmp_path}/task/gold.tsv", f"{tmp_path}/task/runs/*.tsv", task="entailment", **roles)
        assert [one.run for one in found.curves] == ["calibrated-0.3", "constant-YES"]
        assert len(found.chart().axes) == 3


def test_runs_as_points(run, tmp_path):
    made = mm.simulate("rte4", kinds=["calibrated=.3", "uncalibrated=.3"], items=100)
    made.save(tmp_path / "made")
    words = ("evaluate", tmp_path / "made/gold.tsv", tmp_path / "made/runs/*.tsv", "--task", "entailment", "--positive", "YES")
    words = (*words, "--neutral", "UNKNOWN", "--negative", "NO", "--no-baselines", "--measures", "mutual_information@rank")
    plane = "gold_entropy@rank:mutual_information@rank"
    status, _, err = run(*words, "--chart", tmp_path / "plane.svg", "--plane", plane)
    assert status == 0, err
    drawn = (tmp_path / "plane.svg").read_text()
    assert "calibrated-0.3" in drawn
    assert "uncalibrated-0.3" in drawn
    scores = made.evaluate("mutual_information@rank", baselines=False)
    points = [line.get_xydata()[0].tolist() for line in scores.chart(plane=plane).axes[0].lines if line.get_marker() != "None"]
    expected = dict(zip((one.id for one in scores.measures), scores.averages().tolist(), strict=True))
    names = plane.split(":")
    assert points == [list(pair) for pair in zip(expected[names[0]], expected[names[1]], strict=True)]
    for wrong, said in (("a:b", "there are no scores of 'a'"), ("mutual_information@rank", "name two measures")):
        status, _, err = run(*words, "--chart", tmp_path / "p.svg", "--plane", wrong)
        assert (status, said in err) == (2, True), err
    assert run(*words, "--plane", plane)[0] == 2
