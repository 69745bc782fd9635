"""What a bundle is made of, checked when it is made: settings, files, columns and policies; and the program that scores by it."""

import json
import os
import re
import zipfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from metameasure.competition import bundle as bundles
from metameasure.competition.bundle import competition
from metameasure.competition.scoring import column_key, score_submission
from metameasure.core import output

LABELS = {"a": (1, 2, 3), "b": (1, 3, 2), "c": (3, 2, 1), "d": (2, 1, 3)}
SLY = {"a": (1, 2, 3), "b": (2, 2, 2), "c": (2, 2, 2), "d": (2, 1, 3)}
"""Constant, by which pearson is undefined, on the topics that it is not sure of."""


def table(labels):
    rows = (f"{topic}{place},{topic},{label}" for topic, own in labels.items() for place, label in enumerate(own))
    return "\n".join(["item,topic,label", *rows]) + "\n"


QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 2\n"
RUN = "1 Q0 a 1 .9 t\n1 Q0 b 2 .8 t\n"
"""Nothing of the second topic."""
FILES = {
    "gold.csv": table(LABELS),
    "one.csv": "item,label\n1,1\n2,2\n3,3\n",
    "qrels.txt": QRELS,
    "pairs.csv": "item,topic,label\n1,a,Y\n2,a,N\n3,b,Y\n4,b,N\n",
    "shares.csv": "topic,x,y\na,.5,.5\nb,.2,.8\n",
    "ranks.csv": "segment,item,rank\n1,a,1\n1,b,2\n2,a,1\n2,b,2\n",
}
USUAL = {"title": "T", "gold": "gold.csv", "measures": ["mae"], "classes": "1..3", "image": "an/image:1"}


@pytest.fixture
def made(tmp_path):
    """A bundle with these settings, and what it was written to."""
    folder = tmp_path / "task"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)

    def one(platform="codabench", target="bundle.zip", **settings):
        written = {name: value for name, value in {**USUAL, **settings}.items() if value is not None}
        (folder / "task.toml").write_text("".join(f"{name} = {toml(value)}\n" for name, value in written.items()))
        competition(folder / "task.toml", folder / target, platform)
        return folder / target

    one.folder = folder
    return one


def toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + "}"
    return json.dumps(value)


def scored(bundle, submission, place, name=b"answers.csv"):
    """The exit status, the scores and the page."""
    (place / "res").mkdir(parents=True)
    with zipfile.ZipFile(bundle) as archive, archive.open("reference_data.zip") as inner:
        zipfile.ZipFile(inner).extractall(place / "ref")
    Path(os.fsdecode(os.fsencode(place / "res") + b"/" + name)).write_text(submission)
    status = score_submission(place / "ref", place / "res", place / "out")
    file = place / "out/scores.json"
    return status, json.loads(file.read_text()) if file.exists() else None, (place / "out/detailed_results.html").read_text()


# Labels that a careless key would mix up, and any other text.
LABEL = (
    st.text("ab1-+_ ./\\,:@é", min_size=1, max_size=4) | st.text(min_size=1, max_size=4) | st.sampled_from(["macro", "2d", "40"])
)
OF_LABELS = [one for one in mm.measures.values() if one.template.endswith("@LABEL")]
NUMBER = st.floats(1e-20, 1e20).map(lambda value: f"{value:.3g}")
MEASURES = st.one_of(
    st.sampled_from([one for one in mm.measures.values() if not one.open]),
    st.builds(
        lambda one, labels: one.with_argument(tuple(labels)),
        st.sampled_from(OF_LABELS),
        st.lists(LABEL, min_size=1, max_size=3, unique=True),
    ),
    st.builds("ndcg@{}:gain={}".format, st.integers(1, 99), st.sampled_from(["linear", "exponential"])).map(mm.measures.parse),
    st.builds("accuracy@{}".format, st.integers(1, 99)).map(mm.measures.parse),
    st.builds("oci@beta={}:gamma={}".format, NUMBER, NUMBER).map(mm.measures.parse),
    st.builds("pairwise_accuracy@epsilon={}".format, NUMBER).map(mm.measures.parse),
)


class TestColumns:
    @settings(max_examples=50)
    @given(st.lists(MEASURES, min_size=2, max_size=30, unique_by=lambda measure: measure.id))
    def test_no_two_measures_share_a_key(self, measures):
        keys = [column_key(measure) for measure in measures]
        assert len(set(keys)) == len(keys)
        assert all(re.fullmatch(r"\w+", key) for key in keys)

    @pytest.mark.parametrize("sign", ["-", "+", " ", "_", ".", "−"])
    def test_labels_that_differ_by_a_sign(self, sign):
        recall = mm.measures["recall@LABEL"]
        assert column_key(recall.with_argument((f"{sign}1",))) != column_key(recall.with_argument(("1",)))

    def test_two_labels_are_not_one_with_an_underscore(self):
        f1 = mm.measures["f1@LABEL"]
        assert column_key(f1.with_argument(("a", "b"))) != column_key(f1.with_argument(("a_b",)))
        assert column_key(f1.with_argument(("a", "5f", "b"))) != column_key(f1.with_argument(("a_b",)))

    def test_a_class_may_be_called_as_half_a_measure(self):
        assert column_key(mm.measures["f1@LABEL"].with_argument(("macro",))) != column_key(mm.measures["f1_macro"])

    def test_keys_that_were_clear_are_what_they_were(self):
        usual = {
            "mae_macro": "mae_macro", "recall@1": "recall_1", "f1@pos+neg": "f1_pos_neg", "ndcg@10": "ndcg_10",
            "ndcg@10:gain=linear": "ndcg_10_gain_linear", "tau@wmt13": "tau_wmt13", "accuracy@1": "accuracy_1",
            "pairwise_accuracy@epsilon=0.5": "pairwise_accuracy_epsilon_0_5", "oci@beta=0.5": "oci_beta_0_5",
        }  # fmt: skip
        assert {name: column_key(mm.measures.parse(name)) for name in usual} == usual

    @pytest.mark.parametrize("platform", ["codabench", "codalab"])
    def test_scores_stand_under_their_own_keys(self, made, tmp_path, platform):
        gold = {"a": (-1, -1, 1, 1)}
        (made.folder / "signs.csv").write_text(table(gold))
        how = {"gold": "signs.csv", "classes": "-1,1", "measures": ["recall@-1", "recall@1"]}
        bundle = made(platform, **how)
        with zipfile.ZipFile(bundle) as archive:
            told = yaml.safe_load(archive.read("competition.yaml"))
        columns = (
            {key: one["label"] for key, one in told["leaderboard"]["columns"].items()}
            if platform == "codalab"
            else {one["key"]: one["title"] for one in told["leaderboards"][0]["columns"]}
        )
        _, scores, _ = scored(bundle, table({"a": (-1, -1, 1, -1)}), tmp_path / "run")
        assert {columns[key]: value for key, value in scores.items()} == {"recall@-1": 1, "recall@1": 0.5}

    def test_a_column_of_two_measures_is_refused(self, made, monkeypatch):
        monkeypatch.setattr(bundles, "column_key", lambda _: "same")
        with pytest.raises(mm.UsageError, match="mae and accuracy would share the column 'same'"):
            made(measures=["mae", "accuracy"])


class TestUndefined:
    """A submission that is undefined where it is hard is not ranked by what is easy."""

    def test_the_bundle_asks_what_it_counts_as(self, made):
        with pytest.raises(mm.UsageError, match=r"lack a score by pearson on topics .* say what such a score counts as") as error:
            made(measures=["mae", "pearson"])
        assert 'undefined = "zero", "worst"' in str(error.value)
        assert not (made.folder / "bundle.zip").exists()
        with pytest.raises(mm.UsageError, match="say what such a score counts as"):
            made(measures=["pearson"], undefined="skip")

    @pytest.mark.parametrize(("choice", "expected"), [("zero", 0.5), ("worst", 0), ("chance", 0.5)])
    def test_what_a_submission_gets(self, made, tmp_path, choice, expected):
        bundle = made(measures=["pearson", "mae"], undefined=choice)
        status, scores, page = scored(bundle, table(SLY), tmp_path / "run")
        assert (status, scores["pearson"]) == (0, pytest.approx(expected))
        assert "The mean is over all 4 topics." in page
        assert "2 undefined scores counted as " in page

    def test_the_page_of_one_run_says_on_how_many_topics_the_mean_is(self, made):
        (made.folder / "sly.csv").write_text(table(SLY))
        how = {"classes": "1..3", "measures": "mae,pearson"}
        page = mm.report(str(made.folder / "gold.csv"), [str(made.folder / "sly.csv")], **how)
        assert "The mean is over 4 topics; that of pearson is over the 2 where it is defined." in page.answer

    @pytest.mark.parametrize(
        ("measure", "choice", "why"),
        [
            ("reliability", "chance", "declares no chance level"),
            ("conditional_entropy@1", "zero", "0 is the best score"),
            ("pearson", "last", "undefined cannot be 'last'; choose skip, zero, worst or chance"),
        ],
    )
    def test_a_choice_that_a_measure_does_not_have(self, made, measure, choice, why):
        with pytest.raises(mm.UsageError, match=why):
            made(measures=[measure], undefined=choice)

    def test_an_infinite_worse_end(self, made):
        distance = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
        with pytest.raises(mm.UsageError, match="worse end of the range of kappa_weighted is infinite"):
            made(measures=["kappa_weighted"], distance=distance, undefined="worst")
        made(measures=["kappa_weighted"], distance=distance, undefined="chance")

    @pytest.mark.parametrize(
        "settings",
        [
            {"measures": ["mae", "recall@1"]},  # gold alone decides
            {"measures": ["pearson"], "gold": "one.csv"},  # one topic: undefined ranks last
            {"measures": ["pearson"], "average": "pooled"},
        ],
    )
    def test_where_nothing_can_be_gained_nothing_is_asked(self, made, settings):
        made(**settings)

    @pytest.mark.parametrize(
        "settings",
        [
            {"missing": "drop"},
            {"task": "ranking", "gold": "qrels.txt", "measures": ["ndcg"], "classes": None},
            {"task": "ranking", "gold": "ranks.csv", "measures": ["tau@b"], "classes": None},
            {"task": "ranking", "gold": "ranks.csv", "measures": ["tau@a"], "classes": None, "missing": "drop"},
            {"task": "quantification", "gold": "shares.csv", "measures": ["nmd"], "classes": "x,y", "missing": "drop"},
            {"task": "entailment", "gold": "pairs.csv", "measures": ["kappa"], "classes": None, "positive": "Y", "negative": "N"},
        ],
    )
    def test_topics_may_be_left_out_in_other_ways(self, made, settings):
        with pytest.raises(mm.UsageError, match="say what such a score counts as"):
            made(**settings)

    def test_a_run_of_trec_without_a_topic_has_0_there(self, made, tmp_path):
        how = {"task": "ranking", "gold": "qrels.txt", "measures": ["ndcg"], "classes": None}
        _, scores, _ = scored(made(**how, undefined="zero"), RUN, tmp_path / "run", b"run.txt")
        assert scores == {"ndcg": 0.5}

    def test_sources_are_not_averaged_over_what_is_defined(self, made):
        how = {"task": "ranking", "gold": "ranks.csv", "measures": ["tau@b"], "classes": None, "undefined": "zero"}
        with pytest.raises(mm.UsageError, match="by_source leaves out undefined scores"):
            made(**how, by_source=True)


class TestSettings:
    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({"mising": "drop"}, "a setting 'mising', which does not exist; did you mean 'missing'"),
            ({"descripton": "x"}, "did you mean 'description'"),
            ({"nonsense": 1}, "a setting 'nonsense', which does not exist; leave it out"),
            ({"groups": True}, "does not take 'groups': a submission is scored by itself"),
            ({"ranks": True}, "does not take 'ranks'"),
            ({"skip_broken": True}, "does not take 'skip_broken'"),
            ({"trials": 10}, "does not take 'trials'"),
            ({"engine": "spark"}, "does not take 'engine'"),
            ({"registry": "x"}, "does not take 'registry'"),
            ({"ci": False}, "ci cannot be False; give true, or leave it out: the page always has intervals"),
            ({"average": "pooled_"}, "average cannot be 'pooled_'; choose topics or pooled"),
            ({"average": ["pooled"]}, r"average cannot be \['pooled'\]; give text"),
            ({"interval": "frequentist"}, "interval cannot be 'frequentist'; choose auto, bootstrap or bayes"),
            ({"level": 95}, "level cannot be 95; give a number between 0 and 1"),
            ({"level": "high"}, "level cannot be 'high'; give a number between 0 and 1"),
            ({"missing": "wrst"}, "missing cannot be 'wrst'; choose worst"),
            ({"missing": 3}, "missing cannot be 3; give text"),
            ({"extra": "drop"}, "extra cannot be 'drop'; give error or ignore"),
            ({"partitions": 1}, "partitions cannot be 1; give a whole number from 2 up"),
            ({"bins": "1.5"}, "bins cannot be '1.5'; give a list of numbers"),
            ({"seed": "x"}, "seed cannot be 'x'; give a whole number from 0 up"),
            ({"distance": "costs.csv"}, "distance cannot be 'costs.csv'; give a table"),
            ({"columns": "id"}, "columns cannot be 'id'; give names"),
            ({"columns": {"nosuch": "id"}}, "nosuch"),
            ({"matrices": {"label": "x.csv"}}, "no file but gold is in a bundle"),
            ({"measures": [1]}, r"measures cannot be \[1\]"),
            ({"measures": ["ndcg"]}, "ndcg is not a measure of classification"),
            ({"measures": ["recall@4"]}, "4"),
            ({"task": "sorting"}, "there is no task 'sorting'"),
            ({"normalise": True}, "--normalise|normalise=True"),
            ({"smooth": 0.1}, "is not for the task classification"),
            ({"classes": "1..2"}, "3"),
            ({"title": 5}, "title cannot be 5; give text"),
            ({"gold": ["a"]}, "gold cannot be"),
            ({"missing": "zero", "measures": ["kappa"], "undefined": "zero"}, "kappa is no sum"),
            (
                {"task": "quantification", "gold": "shares.csv", "classes": "x,y", "measures": ["nmd"], "missing": "worst"},
                "topics that a run lacks can only be dropped",
            ),
            (
                {
                    "task": "entailment", "gold": "pairs.csv", "measures": ["a3"], "classes": None, "positive": "Y",
                    "negative": "N", "rank_weights": "weights.txt",
                },
                "no file but gold is in a bundle",
            ),
        ],
        ids=str,
    )  # fmt: skip
    def test_wrong_ones_are_said_when_the_bundle_is_made(self, made, settings, said):
        with pytest.raises(mm.MetameasureError, match=said):
            made(**settings)
        assert not (made.folder / "bundle.zip").exists()

    def test_they_are_named_as_in_the_file(self, run, made):
        with pytest.raises(mm.UsageError):
            made(undefined="zero")
        status, _, err = run("codabench", made.folder / "task.toml", "-o", made.folder / "bundle.zip")
        assert status == 2
        assert "task.toml': 0 is the best score of mae; leave out undefined='zero', or the measure" in err

    def test_gold_that_is_broken_is_said_then(self, made):
        (made.folder / "gold.csv").write_text(FILES["gold.csv"] + "a0,a,3\n")
        with pytest.raises(mm.DataError, match="a0"):
            made()

    @pytest.mark.parametrize(
        "settings",
        [
            {"task": "quantification", "gold": "shares.csv", "classes": "x,y", "measures": ["rps", "kld"], "smooth": 0.1},
            {"task": "ranking", "gold": "qrels.txt", "classes": None, "measures": ["ndcg", "tau@b"], "undefined": "worst"},
            {"task": "ranking", "gold": "ranks.csv", "classes": None, "measures": ["tau@a", "acc_eq"], "average": "pooled"},
            {
                "task": "entailment", "gold": "pairs.csv", "classes": None, "measures": ["a3", "cws"], "positive": "Y",
                "negative": "N", "rank_weights": "reciprocal",
            },
            {"columns": {"item": "id", "gold_label": "truth"}, "gold": "named.csv", "missing": "worst", "baselines": True},
        ],
        ids=str,
    )  # fmt: skip
    def test_gold_of_every_task_is_scored_against_itself(self, made, settings):
        """Also where gold's file could not be a submission."""
        (made.folder / "named.csv").write_text("id,topic,truth\n1,a,1\n2,a,3\n3,b,2\n")
        assert made(**settings).exists()

    def test_an_average_over_all_items_is_what_the_board_and_the_page_show(self, made, tmp_path):
        (made.folder / "uneven.csv").write_text(table({"a": (1, 2, 3), "b": (2,)}))
        bundle = made(gold="uneven.csv", average="pooled")
        _, scores, page = scored(bundle, table({"a": (1, 2, 3), "b": (3,)}), tmp_path / "run")
        assert scores == {"mae": 0.25}
        assert "submission scores 0.250" in page
        assert "The mean is over" not in page

    def test_the_level_of_the_intervals_is_that_of_the_page(self, made, tmp_path):
        pages = [
            scored(made(**how), table(SLY), tmp_path / name)[2]
            for name, how in (("usual", {"ci": True}), ("other", {"level": 0.5, "interval": "bootstrap"}))
        ]
        assert len({re.search(r"submission scores [^;]*;", page)[0] for page in pages}) == 2


class TestFiles:
    @pytest.mark.parametrize("name", ["gold", "logo", "terms", "wheels"])
    @pytest.mark.parametrize("outside", ["../secret", "/etc", "link"])
    def test_nothing_from_outside_the_folder_is_carried(self, made, name, outside):
        secret = made.folder.parent / "secret"
        if name == "wheels":
            secret.mkdir()
        else:
            secret.write_text("password")
        (made.folder / "link").symlink_to(secret)
        with pytest.raises(mm.UsageError, match=rf"'{outside}' \({name} in '.*task.toml'\) is not in the folder of"):
            made(**{name: outside})

    def test_nor_is_a_wheel_that_is_a_link(self, made):
        (made.folder / "wheels").mkdir()
        (made.folder / "wheels/metameasure-1-py3-none-any.whl").symlink_to("/etc/passwd")
        with pytest.raises(mm.UsageError, match="is a link that leads out of the folder"):
            made(wheels="wheels")

    @pytest.mark.parametrize("name", ["settings.json", "Settings.JSON"])
    def test_gold_is_not_called_as_its_settings(self, made, name):
        (made.folder / name).write_text(FILES["gold.csv"])
        with pytest.raises(mm.UsageError, match="gold cannot be called"):
            made(gold=name)

    def test_files_in_folders_below_are_fine(self, made):
        (made.folder / "data").mkdir()
        (made.folder / "data/gold.csv").write_text(FILES["gold.csv"])
        with zipfile.ZipFile(made(gold="data/gold.csv")) as archive:
            assert "reference_data.zip" in archive.namelist()

    @pytest.mark.parametrize("what", ["gold", "logo", "config", "link to gold"])
    def test_what_the_bundle_is_made_of_is_not_overwritten(self, run, made, what):
        kept = made.folder / ("task.zip" if what == "config" else "kept.zip")
        kept.write_text(FILES["gold.csv"])
        made(**{what: "kept.zip"} if what in ("gold", "logo") else {})
        (made.folder / "task.toml").rename(made.folder / "task.zip") if what == "config" else None
        target, config = kept, made.folder / ("task.zip" if what == "config" else "task.toml")
        if what == "link to gold":
            target = made.folder / "link.zip"
            target.symlink_to(made.folder / "gold.csv")
        before = {path: path.read_bytes() for path in made.folder.iterdir()}
        status, _, err = run("codabench", config, "-o", target)
        assert (status, "which the bundle is made of" in err) == (2, True), err
        assert {path: path.read_bytes() for path in made.folder.iterdir()} == before

    def test_settings_that_are_a_folder(self, run, made):
        status, _, err = run("codabench", made.folder, "-o", made.folder / "bundle.zip")
        assert status == 2
        assert "cannot read" in err


class TestProgram:
    def test_the_scores_are_written_last(self, made, tmp_path, monkeypatch):
        """A program that is ended half-way has left no scores that the platform would take for its answer."""
        bundle, written = made(), []
        whole_file = output.whole_file

        def noted(path):
            written.append(Path(path).name)
            return whole_file(path)

        for module in ("metameasure.competition.scoring", "metameasure.page.report"):
            monkeypatch.setattr(f"{module}.whole_file", noted)
        scored(bundle, table(SLY), tmp_path / "run")
        assert written == ["detailed_results.html", "scores.txt", "evaluation.prototext", "scores.json"]

    @pytest.mark.parametrize("name", [b"r\xe9sultats.csv", b"\x1b[31m.csv"])
    def test_the_name_of_a_submission_need_not_be_text(self, made, tmp_path, name):
        try:
            status, scores, _ = scored(made(), table(SLY), tmp_path / "run", name)
        except OSError:
            pytest.skip("does not apply: no such name can be written here")
        assert (status, scores) == (0, {"mae": pytest.approx(1 / 3)})

    @pytest.mark.parametrize("name", [b"r\xe9sultats.csv", b"x.csv"])
    def test_nor_where_it_is_broken(self, made, tmp_path, capsys, name):
        try:
            status, scores, page = scored(made(), "item,topic,label\na0,a,terrible\n", tmp_path / "run", name)
        except OSError:
            pytest.skip("does not apply: no such name can be written here")
        assert (status, scores) == (1, None)
        assert "terrible" in page
        assert "terrible" in capsys.readouterr().err

    def test_several_files_whose_names_are_not_text(self, made, tmp_path, capsys):
        reference = self._reference(made, tmp_path)
        (tmp_path / "res").mkdir()
        for name in (b"\xe9.csv", b"\xe8.csv"):
            Path(os.fsdecode(os.fsencode(tmp_path / "res") + b"/" + name)).write_text("x")
        assert score_submission(reference, tmp_path / "res", tmp_path / "out") == 1
        assert "the submission holds 2 files" in capsys.readouterr().err
        assert "the submission holds 2 files" in (tmp_path / "out/detailed_results.html").read_text()

    @staticmethod
    def _reference(made, place):
        with zipfile.ZipFile(made()) as archive, archive.open("reference_data.zip") as inner:
            zipfile.ZipFile(inner).extractall(place / "ref")
        return place / "ref"

    def test_scores_of_an_earlier_submission_do_not_stay(self, made, tmp_path):
        reference = self._reference(made, tmp_path)
        for text, status in ((table(SLY), 0), ("item,topic,label\na0,a,terrible\n", 1)):
            (tmp_path / "run.csv").write_text(text)
            assert score_submission(reference, tmp_path / "run.csv", tmp_path / "out") == status
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["detailed_results.html"]

    def test_a_link_to_gold_is_no_submission(self, made, tmp_path, capsys):
        reference = self._reference(made, tmp_path)
        (tmp_path / "res").mkdir()
        (tmp_path / "res/answers.csv").symlink_to(reference / "gold.csv")
        assert score_submission(reference, tmp_path / "res", tmp_path / "out") == 1
        assert "a link to what it is scored against" in capsys.readouterr().err
        assert not (tmp_path / "out/scores.json").exists()
