"""Distributions from every kind of file and frame give the same scores; sums are checked; baselines are runs."""

import json

import numpy as np
import pytest

import metameasure as mm

CLASSES = ("-2", "-1", "0", "1", "2")
FLAGS = ("--task", "quantification", "--classes", "-2..2")
GOLD = {"coffee": (0.1, 0.2, 0.4, 0.2, 0.1), "tea": (0, 0, 0, 0.5, 0.5), "train": (0.5, 0.25, 0.25, 0, 0)}
RUN = {"coffee": (0.2, 0.2, 0.2, 0.2, 0.2), "tea": (0, 0, 0.25, 0.25, 0.5), "train": (1, 0, 0, 0, 0)}


def long(data, separator=","):
    rows = [(topic, name, value) for topic, values in data.items() for name, value in zip(CLASSES, values, strict=True)]
    return "\n".join(separator.join(map(str, row)) for row in [("topic", "class", "probability"), *rows]) + "\n"


def wide(data, *, header=True, order=range(5)):
    names = [("topic", *(CLASSES[place] for place in order))] if header else []
    rows = [(topic, *(values[place] for place in order)) for topic, values in data.items()]
    return "\n".join("\t".join(map(str, row)) for row in [*names, *rows]) + "\n"


def lines(data):
    return "".join(
        json.dumps({"topic": topic, "class": name, "probability": value}) + "\n"
        for topic, values in data.items()
        for name, value in zip(CLASSES, values, strict=True)
        if value  # what a distribution does not mention is 0
    )


def dialogues(data):
    return json.dumps(
        [{"id": topic, "quality": {quality: dict(zip(CLASSES, values, strict=True)) for quality in "ASE"}}
         for topic, values in data.items()]
    )  # fmt: skip


def annotated(data):
    """Twenty annotators whose votes have gold's shares."""
    votes = {topic: [name for name, share in zip(CLASSES, values, strict=True) for _ in range(round(20 * share))]
             for topic, values in data.items()}  # fmt: skip
    return json.dumps(
        [
            {"id": topic, "annotations": [{"quality": {"A": int(vote), "S": 0, "E": 1}} for vote in cast]}
            for topic, cast in votes.items()
        ]
    )


@pytest.fixture
def expected():
    pairs = np.array([list(RUN.values())]), np.array([list(GOLD.values())])
    return {name: float(mm.measures[name](*pairs).mean()) for name in ("nmd", "rnod", "rnadw_gold")}


def scores_of(answer):
    return answer["runs"][0]["scores"]


@pytest.mark.parametrize(
    ("gold", "run_file", "flags"),
    [
        (("gold.csv", long(GOLD)), ("run.csv", long(RUN)), ()),
        (("gold.tsv", long(GOLD, "\t")), ("run.tsv", wide(RUN)), ()),
        (("gold.tsv", wide(GOLD, order=[4, 0, 2, 1, 3])), ("run.jsonl", lines(RUN)), ()),
        (("gold.tsv", wide(GOLD, header=False)), ("run.tsv", wide(RUN, header=False)), ()),
        (("gold.txt", wide(GOLD, header=False)), ("run.txt", wide(RUN, header=False)), ("--format-in", "semeval")),
        (("gold.json", annotated(GOLD)), ("run.json", dialogues(RUN)), ("--aspect", "A")),
        (("gold.json", annotated(GOLD)), ("run.csv", long(RUN)), ("--aspect", "A")),
        (("gold.csv", long({topic: tuple(20 * value for value in values) for topic, values in GOLD.items()})),
         ("run.csv", long({topic: tuple(4 * value for value in values) for topic, values in RUN.items()})), ("--counts",)),
        (("gold.csv", long({topic: tuple(0.99 * value for value in values) for topic, values in GOLD.items()})),
         ("run.csv", long(RUN)), ("--normalise",)),
    ],
)  # fmt: skip
def test_every_shape_gives_the_same(run, tmp_path, expected, gold, run_file, flags):
    for folder, (name, text) in (("gold", gold), ("runs", run_file)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    files = [str(tmp_path / "gold" / gold[0]), str(tmp_path / "runs" / run_file[0])]
    status, out, err = run("evaluate", *files, *FLAGS, "--measures", ",".join(expected), *flags, "--format", "json")
    assert status == 0, err
    assert scores_of(json.loads(out)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames_give_the_same(library, expected):
    pandas, module = pytest.importorskip("pandas"), pytest.importorskip(library)

    def frame(data, **more):
        columns = {
            "topic": [topic for topic in data for _ in CLASSES],
            "class": [*CLASSES] * len(data),
            "probability": [float(value) for values in data.values() for value in values],
        }
        columns |= {name: [value] * len(columns["topic"]) for name, value in more.items()}
        match library:
            case "pandas":
                return pandas.DataFrame(columns)
            case "polars":
                return module.DataFrame(columns)
            case "pyarrow":
                return module.table(columns)
            case _:
                return module.sql("SELECT * FROM given", connection=_connection(module, pandas.DataFrame(columns)))

    options = {"task": "quantification", "classes": [*CLASSES], "measures": [*expected]}
    named = mm.evaluate(frame(GOLD), {"mine": frame(RUN)}, **options).to_dict()
    assert scores_of(named) == pytest.approx(expected, abs=1e-12)
    stacked = mm.evaluate(frame(GOLD), frame(RUN, run="mine"), **options).to_dict()
    assert scores_of(stacked) == pytest.approx(expected, abs=1e-12)
    assert stacked["signature"] == named["signature"]


def _connection(duckdb, columns):
    connection = duckdb.connect()
    connection.register("given", columns)
    return connection


def test_labels_are_reduced_to_distributions(run, tmp_path):
    labels = {"gold": ["a\tt\tx", "b\tt\ty", "c\tt\ty", "d\tu\tx"], "run": ["d\tu\tx", "c\tt\tx", "b\tt\ty", "a\tt\ty"]}
    for name, rows in labels.items():
        (tmp_path / f"{name}.tsv").write_text("item\ttopic\tlabel\n" + "\n".join(rows) + "\n")
    files = [str(tmp_path / "gold.tsv"), str(tmp_path / "run.tsv")]
    flags = ("--task", "quantification", "--classes", "x,y", "--measures", "nmd", "--format", "json")
    status, out, err = run("evaluate", *files, *flags)
    assert status == 0, err
    assert scores_of(json.loads(out)) == {"nmd": 0}, "the labels are wrong, their shares are right"
    (tmp_path / "run.tsv").write_text("item\ttopic\tlabel\na\tt\ty\nb\tt\ty\nc\tt\ty\n")
    status, out, err = run("evaluate", *files, *flags)
    assert (status, out) == (1, "")
    assert "item 'd' of topic 'u' is missing" in err, "items are audited as for classification"


def test_all_topics_as_one(run, tmp_path):
    """Probabilities: the mean distribution. Counts: the summed counts."""
    (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,8\n1,y,0\n2,x,0\n2,y,2\n")
    (tmp_path / "run.csv").write_text("topic,class,probability\n1,x,4\n1,y,4\n2,x,1\n2,y,1\n")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    flags = ("--task", "quantification", "--classes", "x,y", "--measures", "nmd", "--format", "json")
    _, out, _ = run("evaluate", *files, *flags, "--counts")
    assert json.loads(out)["runs"][0]["pooled"]["nmd"] == pytest.approx(0.3), "(8, 2) against 8 and 2 halves"


class TestBaselines:
    def test_they_are_runs_like_any_other(self, run, tmp_path):
        (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,.5\n1,y,.5\n1,z,0\n2,x,.2\n2,y,.2\n2,z,.6\n")
        (tmp_path / "run.csv").write_text("topic,class,probability\n1,x,1\n2,z,1\n")
        (tmp_path / "train.csv").write_text("topic,class,probability\nold,x,1\nolder,y,.5\nolder,z,.5\n")
        files = [str(tmp_path / name) for name in ("gold.csv", "run.csv")]
        flags = ("--task", "quantification", "--classes", "x,y,z", "--measures", "nvd", "--baselines")
        scores = tmp_path / "scores.csv"
        status, out, err = run(
            "evaluate", *files, *flags, "--training", str(tmp_path / "train.csv"), "--format", "json", "--scores", str(scores)
        )
        assert status == 0, err
        answer = json.loads(out)
        found = {entry["run"]: entry["scores"]["nvd"] for entry in answer["runs"]}
        assert found == pytest.approx(
            {
                "run": (0.5 + 0.4) / 2,
                "baseline: Popularity": (0 + 0.4) / 2,  # mass split over the tied modes of topic 1
                "baseline: Uniform": (1 / 3 + (0.6 - 1 / 3)) / 2,
                "baseline: always x": (0.5 + 0.8) / 2,
                "baseline: always y": (0.5 + 0.8) / 2,
                "baseline: always z": (1 + 0.4) / 2,
                "baseline: training mean": (0.25 + 0.35) / 2,
            }
        )
        assert "Popularity reads the gold" in " ".join(answer["notes"])
        assert [entry["run"] for entry in answer["runs"] if entry.get("baseline")] == [run for run in found if run != "run"]
        status, out, err = run("compare", str(scores), "--measures", "nvd", "--format", "json", "--against", "Popularity")
        assert json.loads(out)["runs"] == ["baseline: Popularity", "run"], err
        status, out, err = run("compare", str(scores), "--measures", "nvd", "--format", "json")
        assert status == 1
        assert "1 run and 2 topics" in err

    def test_a_run_of_that_name(self, run, tmp_path):
        (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,.5\n1,y,.5\n")
        (tmp_path / "baseline: Uniform.csv").write_text("topic,class,probability\n1,x,1\n")
        status, _, err = run(
            "evaluate",
            tmp_path / "gold.csv",
            tmp_path / "baseline: Uniform.csv",
            "--task",
            "quantification",
            "--classes",
            "x,y",
            "--baselines",
        )
        assert status == 2
        assert "a run is called 'baseline: Uniform', which is the name of a baseline" in err


def test_smoothing(run, tmp_path):
    """Gold has no z: KLD is infinite and the relative error undefined, unless both sides are smoothed."""
    (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,.5\n1,y,.5\n1,z,0\n")
    (tmp_path / "run.csv").write_text("topic,class,probability\n1,x,.5\n1,y,.25\n1,z,.25\n")
    files = [str(tmp_path / name) for name in ("gold.csv", "run.csv")]
    flags = ("--task", "quantification", "--classes", "x,y,z", "--measures", "kld,relative_absolute_error", "--format", "json")
    _, out, _ = run("evaluate", *files, *flags)
    assert scores_of(json.loads(out)) == {"kld": "inf", "relative_absolute_error": None}
    _, out, _ = run("evaluate", *files, *flags, "--smooth", "0.1")
    p, q = (np.array(side) + 0.1 for side in ((0.5, 0.25, 0.25), (0.5, 0.5, 0)))
    p, q = p / 1.3, q / 1.3
    assert scores_of(json.loads(out)) == pytest.approx(
        {"kld": float((p * np.log2(p / q)).sum()), "relative_absolute_error": float((abs(p - q) / q).mean())}
    )
    assert "smooth:0.1" in json.loads(out)["signature"]


def test_distances_of_the_user(run, tmp_path):
    (tmp_path / "gold.csv").write_text(long(GOLD))
    (tmp_path / "run.csv").write_text(long(RUN))
    steps = np.abs(np.subtract.outer(range(5), range(5))) ** 2.0
    (tmp_path / "far.csv").write_text("\n".join(",".join(map(str, row)) for row in steps))
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    _, out, err = run("evaluate", *files, *FLAGS, "--measures", "rnod", "--distance", tmp_path / "far.csv", "--format", "json")
    pairs = np.array(list(RUN.values())), np.array(list(GOLD.values()))
    assert scores_of(json.loads(out))["rnod"] == pytest.approx(mm.measures["rnod"](*pairs, distance=steps).mean()), err
    assert "distance:" in json.loads(out)["signature"]
    assert json.loads(out)["notes"] == []
    _, out, _ = run("evaluate", *files, *FLAGS, "--measures", "rnod,nmd", "--distance", tmp_path / "far.csv", "--format", "json")
    assert json.loads(out)["notes"] == ["the distances are used by rnod only"]
    status, _, err = run("evaluate", *files, *FLAGS, "--measures", "nmd,jsd", "--distance", tmp_path / "far.csv")
    assert status == 2
    assert "distances are given, but are not used by nmd, jsd" in err


def test_a_perfect_run_is_perfect_with_all_topics_as_one(run, tmp_path):
    """Whatever gold's votes weigh, and though the run has none."""
    votes = [
        {"id": topic, "annotations": [{"quality": {"A": name}} for name in cast]} for topic, cast in (("1", "xxy"), ("2", "y"))
    ]
    (tmp_path / "gold.json").write_text(json.dumps(votes))
    (tmp_path / "run.csv").write_text("topic,class,probability\n1,x,0.6666666666666666\n1,y,0.3333333333333333\n2,y,1\n")
    files = [str(tmp_path / "gold.json"), str(tmp_path / "run.csv")]
    _, out, err = run(
        "evaluate", *files, "--task", "quantification", "--classes", "x,y", "--measures", "rnod", "--format", "json"
    )
    assert json.loads(out)["runs"][0]["pooled"]["rnod"] == pytest.approx(0, abs=1e-9), err


def test_training_data_ask_for_baselines(run, tmp_path):
    (tmp_path / "gold.csv").write_text("topic,class,probability\n1,x,.5\n1,y,.5\n")
    (tmp_path / "run.csv").write_text("topic,class,probability\n1,x,1\n")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    flags = ("--task", "quantification", "--classes", "x,y", "--training")
    assert "baseline: training mean" in run("evaluate", *files, *flags, files[0])[1]
    assert run("evaluate", *files, *flags, str(tmp_path / "nowhere.csv"))[0] == 2


def test_a_signature_names_the_seed_only_where_something_is_drawn():
    pandas = pytest.importorskip("pandas")
    shares = pandas.DataFrame({"topic": ["s", "s", "t", "t"], "class": ["x", "y"] * 2, "probability": [0.25, 0.75] * 2})
    told = {"task": "quantification", "classes": ["x", "y"], "measures": "nmd", "baselines": True}
    signed = [mm.evaluate(shares, {"run": shares}, ci=ci, **told).signature for ci in (False, True)]
    assert ["|seed:0|" in signature for signature in signed] == [False, True]
    labels = mm.evaluate(["x", "y"], {"run": ["x", "y"]}, classes=["x", "y"], measures="accuracy", baselines=True)
    assert "|seed:0|" in labels.signature


class TestFrames:
    OPTIONS = {"task": "quantification", "classes": ["x", "y"], "measures": "nmd"}  # noqa: RUF012 - read only
    LABELS = {"item": [1, 2], "topic": ["t", "t"], "label": ["x", "y"]}  # noqa: RUF012
    SHARES = {"topic": ["t", "t"], "class": ["x", "y"], "probability": [0.25, 0.75]}  # noqa: RUF012

    def test_gold_of_labels_and_runs_of_distributions(self):
        """As of files: half x in gold, a quarter in the run."""
        pandas = pytest.importorskip("pandas")
        found = mm.evaluate(pandas.DataFrame(self.LABELS), {"run": pandas.DataFrame(self.SHARES)}, **self.OPTIONS)
        assert found.averages().item() == pytest.approx(0.25)

    @pytest.mark.parametrize("columns", [LABELS, SHARES])
    @pytest.mark.filterwarnings("error")
    def test_lazy_ones_are_read_without_a_warning(self, columns):
        polars = pytest.importorskip("polars")
        frame = polars.DataFrame(columns).lazy()
        assert mm.evaluate(frame, {"run": frame}, **self.OPTIONS).averages().item() == 0

    @pytest.mark.parametrize("nothing", [None, float("nan"), "NA"])
    def test_a_run_without_a_name(self, nothing):
        pandas = pytest.importorskip("pandas")
        missing = pandas.NA if nothing == "NA" else nothing
        stacked = pandas.DataFrame(self.SHARES).assign(run=["a", missing])
        with pytest.raises(mm.UsageError, match="a run has no name"):
            mm.evaluate(pandas.DataFrame(self.SHARES), stacked, **self.OPTIONS)

    @pytest.mark.parametrize("column", ["topic", "probability"])
    def test_what_pandas_calls_missing(self, column):
        pandas = pytest.importorskip("pandas")
        run = pandas.DataFrame(self.SHARES).convert_dtypes()
        run.loc[0, column] = pandas.NA
        with pytest.raises(mm.DataError, match=r"has no (topic|number)"):
            mm.evaluate(pandas.DataFrame(self.SHARES), {"run": run}, **self.OPTIONS)

    def test_no_runs(self):
        pandas = pytest.importorskip("pandas")
        with pytest.raises(mm.UsageError, match="there are no runs"):
            mm.evaluate(pandas.DataFrame(self.SHARES), None, **self.OPTIONS)

    @pytest.mark.parametrize("columns", [LABELS, SHARES])
    def test_qualities_are_those_of_ntcirs_files(self, columns):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(columns)
        with pytest.raises(mm.UsageError, match="aspect is for NTCIR's files"):
            mm.evaluate(frame, {"run": frame}, aspect="A", **self.OPTIONS)


class TestTheNumberOfTweets:
    """SemEval-2017 Task 4 D: topic, positive, negative, and the number of tweets of the topic."""

    GOLD = "coffee\t0.75\t0.25\t40\ntrain\t0.5\t0.5\t12\n"
    RUN = "coffee\t0.5\t0.5\ntrain\t0.25\t0.75\n"

    def evaluate(self, run, tmp_path, gold, output, *flags):
        files = [tmp_path / "gold.txt", tmp_path / "run.txt"]
        for path, text in zip(files, (gold, output), strict=True):
            path.write_text(text)
        task = ("--task", "quantification", "--classes", "positive,negative", "--measures", "nmd,kld", "--format", "json")
        return run("evaluate", *files, *task, *flags)

    @pytest.mark.parametrize("flags", [(), ("--format-in", "semeval")])
    def test_is_left_out_and_said_so(self, run, tmp_path, flags):
        status, out, err = self.evaluate(run, tmp_path, self.GOLD, self.RUN, *flags)
        assert status == 0, err
        plain = self.GOLD.replace("\t40", "").replace("\t12", "")
        _, without, _ = self.evaluate(run, tmp_path, plain, self.RUN, *flags)
        assert (
            scores_of(json.loads(out)) == scores_of(json.loads(without)) == pytest.approx({"nmd": 0.25, "kld": 0.19812}, abs=1e-5)
        )
        assert any("gold.txt: the last column, the number of items of each topic" in note for note in json.loads(out)["notes"])
        assert not any("last column" in note for note in json.loads(without).get("notes", []))

    def test_is_no_third_probability(self, run, tmp_path):
        status, _, err = self.evaluate(run, tmp_path, "coffee\t0.5\t0.25\t0.25\n", self.RUN)
        assert (status, "4 columns for a topic and 2 classes" in err) == (2, True)


class TestSignaturesOfBaselines:
    """Two scores with the same signature are the same."""

    GOLD = "topic,neg,pos\nx,0.2,0.8\ny,1,0\n"

    def signed(self, run, tmp_path, *flags):
        (tmp_path / "gold.csv").write_text(self.GOLD)
        (tmp_path / "run.csv").write_text("topic,neg,pos\nx,0.5,0.5\ny,0.4,0.6\n")
        (tmp_path / "other.csv").write_text("topic,neg,pos\nz,0.9,0.1\n")
        files = [str(tmp_path / name) for name in ("gold.csv", "run.csv")]
        status, out, err = run(
            "evaluate", *(files[:1] if "alone" in flags else files), "--task", "quantification", "--classes", "neg,pos",
            *(flag.format(tmp_path) for flag in flags if flag != "alone"), "--measures", "nvd", "--format", "json",
        )  # fmt: skip
        assert status == 0, err
        answer = json.loads(out)
        return answer["signature"], {one["run"]: one["scores"]["nvd"] for one in answer["runs"]}

    def test_another_training_file_is_another_signature(self, run, tmp_path):
        first, one = self.signed(run, tmp_path, "--training", "{}/run.csv")
        second, other = self.signed(run, tmp_path, "--training", "{}/other.csv")
        assert one["baseline: training mean"] != other["baseline: training mean"]
        assert first != second
        assert "|training:" in first

    def test_gold_alone_is_smoothed_as_with_runs(self, run, tmp_path):
        alone, smoothed = self.signed(run, tmp_path, "alone", "--baselines", "--smooth", "0.1")
        plain, _ = self.signed(run, tmp_path, "alone", "--baselines")
        _, beside = self.signed(run, tmp_path, "--baselines", "--smooth", "0.1")
        assert alone != plain
        assert {name: beside[name] for name in smoothed} == smoothed
