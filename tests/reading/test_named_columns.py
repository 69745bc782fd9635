"""A column that the user names and no file has is an error, whatever its role: nothing is left out because of a slip."""

import pytest

import metameasure as mm
from engines import made, spark
from metameasure.core.errors import MetameasureError
from metameasure.core.options import declared_in
from metameasure.tasks.declaration import declarations

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
LABELS = "item\ttopic\tlabel\n1\tx\ta\n2\tx\tb\n3\ty\ta\n4\ty\tb\n"
SHAPES = {
    "classification": (("--classes", "a,b"), LABELS, LABELS),
    "classification, side by side": (("--classes", "a,b"), "item\tgold\tr\n1\ta\ta\n2\tb\tb\n", None),
    "classification, stacked": (("--classes", "a,b"), "run\titem\tgold\tlabel\nr\t1\ta\ta\nr\t2\tb\tb\n", None),
    "classification, gold alone": (("--classes", "a,b"), LABELS, None),
    "entailment": (("--task", "entailment", "--classes", "a,b", "--positive", "a", "--negative", "b"), LABELS, LABELS),
    "quantification": (
        ("--task", "quantification", "--classes", "a,b"),
        *("topic\tclass\tprobability\nx\ta\t.5\nx\tb\t.5\n",) * 2,
    ),
    "quantification, wide": (("--task", "quantification", "--classes", "a,b"), *("topic\ta\tb\nx\t.5\t.5\n",) * 2),
    "quantification of labels": (("--task", "quantification", "--classes", "a,b"), LABELS, LABELS),
    "ranking": (("--task", "ranking"), *("segment\titem\trank\n1\ta\t1\n1\tb\t2\n",) * 2),
}


def roles(shape):
    """The options of a task that name columns."""
    options = declarations()[shape.replace(" of", ",").partition(",")[0]].options
    keys = declared_in(options)["columns"].keys
    return [key for key in keys if {key.name, key.name.removeprefix("gold_")} & {*options.reads}]


def written(folder, shape):
    flags, gold, run = SHAPES[shape]
    (folder / "gold.tsv").write_text(gold)
    (folder / "run.tsv").write_text(run or "")
    return [folder / "gold.tsv", *([folder / "run.tsv"] if run else []), *flags]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_option(run, tmp_path, shape):
    call = written(tmp_path, shape)
    assert run("check", *call)[0] == 0
    walked = [key for key in roles(shape) if (key.name, shape) != ("repeat", "classification, gold alone")]  # a run's
    assert len(walked) > 8
    for key in walked:
        status, out, err = run("check", *call, f"--{key.shown}-column", "nosuch")
        assert status in (1, 2), key.shown
        assert "column 'nosuch'" in err, key.shown
        assert f"--{key.shown}-column" in err or f"--{key.shown.removeprefix('gold-')}-column" in err, err
        assert "ok " not in out


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["classification", "quantification"])
def test_on_spark(run, tmp_path, shape):
    call = [*written(tmp_path, shape), "--engine", "spark", "--master", spark().address]
    for role in ("topic", "weight", "gold-topic", *(("class", "probability") if shape == "quantification" else ())):
        status, _, err = run("check", *call, f"--{role}-column", "nosuch")
        assert status == 2
        assert "column 'nosuch'; there are" in err


@pytest.mark.parametrize("kind", ["pandas", "polars", "duckdb", "spark"])
def test_frames(kind):
    columns = {"item": ["1", "2"], "label": ["a", "b"]}
    gold, answer = (made(kind, columns, None, "") for _ in range(2))
    for role in ("topic", "weight", "gold", "gold_weight", "cluster", "repeat", "run"):
        with pytest.raises(MetameasureError, match="column 'nosuch'"):
            mm.evaluate(gold, {"r": answer}, classes="a,b", columns={role: "nosuch"})


def test_some_files_may_have_it(run, tmp_path):
    """As a run without topics beside others, or weights in gold alone."""
    call = written(tmp_path, "classification")
    (tmp_path / "gold.tsv").write_text("item\tquery\tlabel\tw\n1\tx\ta\t1\n2\tx\tb\t2\n3\ty\ta\t3\n4\ty\tb\t4\n")
    (tmp_path / "bare.tsv").write_text("item\tlabel\n1\ta\n2\tb\n3\ta\n4\tb\n")
    for files in (call[:2], [*call[:2], tmp_path / "bare.tsv"]):
        status, _, err = run("check", *files, *call[2:], "--topic-column", "query", "--weight-column", "w")
        assert status == 0, err


@pytest.mark.parametrize("role", ["item", "annotator", "label", "topic", "cluster", "repeat"])
def test_ratings(run, tmp_path, role):
    rows = [(item, who, "ab"[(item + place) % 2]) for item in range(4) for place, who in enumerate("pqr")]
    long, wide, judge = (tmp_path / name for name in ("long.csv", "wide.csv", "judge.csv"))
    long.write_text("item,annotator,label\n" + "".join(f"{item},{who},{label}\n" for item, who, label in rows))
    wide.write_text("item,p,q,r\n0,a,a,b\n1,a,b,b\n2,b,b,a\n3,a,b,a\n")
    judge.write_text("item,label\n0,a\n1,b\n2,a\n3,b\n")
    slip = (f"--{role}-column", "nosuch", "--classes", "a,b")
    for call in (("agree", long), ("agree", wide), ("judge", long, judge), ("judge", wide, judge)):
        status, out, err = run(*call, *slip)
        assert status in (1, 2), call
        assert "'nosuch'" in err
        assert not out
