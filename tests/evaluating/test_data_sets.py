"""A folder of data sets: what is understood, and what is named with the reason."""

import shlex
import shutil
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.catalogue.registry import default_registry
from metameasure.cli import main
from metameasure.core.errors import UsageError
from metameasure.evaluating.data_sets import data_sets_in, known_data

DEMO = Path(mm.__file__).parent / "demo"
ACCURACY = [default_registry()["accuracy"]]


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(DEMO, tmp_path / "all" / "tweets")
    return tmp_path / "all"


def write(folder, name, **files):
    for file, text in files.items():
        place = folder / name / file.replace("__", "/").replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def reasons(found):
    return {one.name: one.reason for one in found.left_out}


def test_gold_runs_and_settings_are_a_data_set(folder):
    found = data_sets_in(folder)
    (one,) = found.sets
    assert (one.name, one.task, found.left_out) == ("tweets", "classification", ())
    scores, left_out = one.scores(ACCURACY)
    assert (scores.values.shape, left_out) == ((1, 12, 6), [])
    whole = mm.evaluate(str(DEMO / "gold.tsv"), str(DEMO / "runs/*.tsv"), classes="-2..2", measures="accuracy")
    assert scores["bold"] == whole["bold"]


def test_a_folder_may_be_the_one_data_set_itself(folder):
    (one,) = data_sets_in(folder / "tweets").sets
    assert one.name == "tweets"


def test_side_by_side_and_several_in_one_folder(folder):
    table = "item\ttopic\tgold\ta\tb\n" + "".join(f"{i}\tt{i % 4}\t{i % 3}\t{(i + i % 2) % 3}\t{i % 2}\n" for i in range(40))
    settings = '[[data]]\nname = "first"\ngold = "all.tsv"\nclasses = ["0", "1", "2"]\n'
    settings += '[[data]]\nname = "second"\ngold = "all.tsv"\nkind = "nominal"\nclasses = "0,1,2"\ncolumns = {topic = "topic"}\n'
    write(folder, "both", all_tsv=table, data_toml=settings)
    found = {one.name: one for one in data_sets_in(folder).sets}
    assert [*found] == ["first", "second", "tweets"]
    assert found["first"].scores(ACCURACY)[0].runs == ("a", "b")
    assert "--topic-column topic" in found["second"].command()


def test_the_command_gives_the_scores(folder, capsys):
    (one,) = data_sets_in(folder).sets
    assert main([*shlex.split(one.command())[1:], "--measures", "accuracy", "--format", "csv"]) == 0
    assert "bold" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("no_gold", {"runs__a_tsv": "item\tlabel\n1\ta\n"}, "there are no files whose names begin with gold"),
        ("two", {"gold_tsv": "", "gold_csv": "", "runs__a_tsv": ""}, "there are 2 files whose names begin with gold"),
        ("alone", {"gold_tsv": "item\tlabel\n1\ta\n"}, "there is no folder 'runs' beside gold"),
        ("broken", {"data_toml": "classes = [", "gold_tsv": ""}, "is not TOML"),
        ("typo", {"data_toml": 'clases = "a,b"', "gold_tsv": "", "runs__a_tsv": ""}, "did you mean 'classes'"),
        ("task", {"data_toml": 'task = "rankin"', "gold_tsv": ""}, "there is no task 'rankin'"),
        ("gone", {"data_toml": 'gold = "gone.tsv"'}, "there is no file"),
        ("list", {"data_toml": 'data = "x"', "gold_tsv": ""}, "data is no list of tables"),
        ("sakai-book", {"X_csv": "query_id,ndcg@5\nQ1,0.5\n"}, "another measure cannot score what is not there"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_reason(folder, name, files, said):
    write(folder, name, **files)
    found = data_sets_in(folder)
    assert [one.name for one in found.sets] == ["tweets"]
    assert said in reasons(found)[name]


def test_runs_that_are_broken_are_left_out_and_named(folder):
    with (folder / "tweets/runs/bold.tsv").open("a", encoding="utf-8") as run:
        run.write("9999\tx\n")
    (one,) = data_sets_in(folder).sets
    scores, (left_out,) = one.scores(ACCURACY)
    assert "bold" not in scores.runs
    assert "bold" in left_out.reason


@pytest.mark.parametrize(("make", "said"), [(False, "there is no folder"), (True, "no data set that can be used")])
def test_a_folder_without_any_is_refused(tmp_path, make, said):
    if make:
        (tmp_path / "x/empty").mkdir(parents=True)
    with pytest.raises(UsageError, match=said):
        data_sets_in(tmp_path / "x")


def test_two_of_one_name_are_refused(folder):
    shutil.copytree(folder / "tweets", folder / "again")
    (folder / "again/data.toml").write_text('name = "tweets"\nclasses = "-2..2"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"two data sets in .* are called .tweets."):
        data_sets_in(folder)


def test_real_data_as_they_lie(shared_data):
    found = data_sets_in(shared_data)
    tasks = {one.name: one.task for one in found.sets}
    assert tasks == {
        "LLMJudge": "classification", "RankEval's sample": "ranking", "SICK entailment": "classification",
        "SICK relatedness": "classification", "SICK pairs": "entailment",
    }  # fmt: skip
    assert {*reasons(found)} == {"harness", "ratings", "sakai-book", "wmt13"}
    judges = next(one for one in found.sets if one.name == "LLMJudge")
    scores, (left_out,) = judges.scores(ACCURACY)
    assert scores.values.shape == (1, 25, 11)
    assert "RMITIR-llama70B" in left_out.reason  # two of its labels are off the scale


def test_what_is_known_of_public_data_is_what_evaluate_takes(folder):
    """Every entry names settings that its task has: each is put beside files of the right names."""
    for name, several in known_data().items():
        for one in several:
            for file in (str(one.get("gold", "gold.tsv")), "runs/a.tsv"):
                place = folder / name / file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.touch()
    found = data_sets_in(folder)
    wanted = {one.get("name", name) for name, several in known_data().items() for one in several if "skip" not in one}
    assert wanted <= {one.name for one in found.sets}
