"""Names of runs are names, whatever they look like: in print, on pages, in papers, in JSON and in messages."""

import html
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from metameasure.cli.main import main
from metameasure.core.messages import Message, note, say, speaking_to
from metameasure.core.notes import counted, listed
from metameasure.meta.significance_overlap import Shared
from metameasure.meta.verdict import Standing, Verdict
from metameasure.show.formats.latex import escaped
from metameasure.show.sheet import Sheet

HOSTILE = [
    *("x --missing drop", "bert --epochs 3", "--epochs 10", "<b>", "a|b", "%s", "{0}", "{run}", "{--task x}", "naïve Ω ß"),
    *("it's", '"q"'),
]
RNG = np.random.default_rng(5)
GOLD = RNG.integers(1, 4, (8, 12))
LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S"))
NAME = st.one_of(st.sampled_from(HOSTILE), st.text(LETTERS, min_size=1, max_size=12))
NAMES = st.lists(NAME, min_size=3, max_size=3, unique=True)


def compared(names):
    """Three runs, of which the first is right and the last answers at random."""
    wrong = RNG.integers(1, 4, GOLD.shape)
    runs = [GOLD, np.where(RNG.random(GOLD.shape) < 0.3, wrong, GOLD), wrong]
    rows = {"topic": np.repeat(np.arange(8), 12), "item": np.arange(96), "gold": GOLD.ravel()}
    columns = rows | {name: run.ravel() for name, run in zip(names, runs, strict=True)}
    how = {"classes": [1, 2, 3], "gold_column": "gold", "run_columns": list(names)}
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(columns)
    return mm.evaluate(frame, measures=["accuracy", "kappa"], **how), mm.compare(frame, None, "accuracy", **how)


@pytest.mark.each_time(2)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_in_every_rendering(name):
    scores, found = compared([name, "plain", "last one"])
    for reader in ("python", "command"):
        with speaking_to(reader):
            assert f"{name} significantly outperforms" in found.render("table", notes="all")
    assert name in str(scores)
    shown = html.unescape(found.render("html"))
    assert name in shown
    assert escaped(name) in found.render("latex")
    told = json.loads(found.render("json"))
    assert told["runs"][0] == name
    beats = next(one for one in told["findings"] if one["kind"] == "beats" and one["subjects"][0] == name)
    assert {"plain", "last one"} <= {*beats["subjects"]}
    assert beats["numbers"]["p"] < 0.05
    assert beats["measure"] == "accuracy"


@pytest.mark.parametrize(
    "name", [name if name in ("<b>", "{--task x}") else pytest.param(name, marks=pytest.mark.slow) for name in HOSTILE]
)
def test_a_name_on_the_page(name):
    scores, _ = compared([name, "plain", "last one"])
    page = html.unescape(mm.report(scores).html)
    assert f"By accuracy, {name} is first of 3 runs" in page


@settings(max_examples=25)
@given(names=NAMES)
def test_any_names(names):
    scores, found = compared(names)
    told = json.loads(found.render("json"))
    assert {*told["runs"]} == {*names}
    assert all(
        set(one["subjects"]) <= {*names, "accuracy"} for one in told["findings"] if one["kind"] in ("beats", "no difference")
    )
    assert {run["run"] for run in json.loads(scores.render("json"))["runs"]} == {*names}
    assert mm.Signature.parse(str(found.signature)) == found.signature


def test_a_note_about_a_run_that_looks_like_an_option_is_on_the_page():
    """Only what says how to ask is left out there."""
    careful = np.where(RNG.random(GOLD.shape) < 0.1, RNG.integers(1, 4, GOLD.shape), GOLD)
    polars = pytest.importorskip("polars")
    rows = {"topic": np.repeat(np.arange(8), 12), "gold": GOLD.ravel(), "careful": careful.ravel()}
    frame = polars.DataFrame(rows | {"bert --epochs 3": np.roll(careful, 1, axis=0).ravel(), "--epochs 10": careful.ravel()})
    how = {"classes": [1, 2, 3], "gold_column": "gold", "run_columns": ["careful", "bert --epochs 3", "--epochs 10"]}
    scores = mm.evaluate(frame, measures="accuracy", **how)
    said = mm.compare(scores, "accuracy").sentences()[-2]
    assert said.endswith("is not statistically significant.")
    assert "--epochs 10" in said
    assert said in html.unescape(mm.report(scores).html)


def test_the_answer_of_a_page_is_data():
    scores, _ = compared(["x --missing drop", "b", "c"])
    made = mm.report(scores)
    first = made.findings[0]
    assert (first["kind"], first["subjects"], first["measure"]) == ("first", ["x --missing drop"], "accuracy")
    assert first["numbers"]["value"] == pytest.approx(1.0)
    assert [one["text"] for one in made.findings] == [*made.answer, *made.careful]
    assert made.to_dict()["findings"] == list(made.findings)


def test_report_prints_json(tmp_path, capsys):
    demo = Path(mm.__file__).parent / "demo"
    page = tmp_path / "page.html"
    asked = ["report", str(demo / "gold.tsv"), str(demo / "runs/*.tsv"), "--classes", "-2..2", "--measures", "accuracy"]
    assert main([*asked, "--trials", "50", "-o", str(page), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [*told] == ["page", "answer", "careful", "notes", "findings", "signature", "signature_parts"]
    assert told["findings"][0]["kind"] == "first"
    assert main([*asked, "--trials", "50", "-o", str(page), "--format", "csv"]) == 2


def test_what_is_said_within_a_message_is_data_too():
    inner = [say("{judge} ({advantage:.2f})", judge=judge, advantage=value) for judge, value in (("a", 0.7), ("b", 0.75))]
    why = say("{measure} finds {pairs}", measure="kappa", pairs=counted(2, "pair"))
    told = note("test", "{run}: {others}; {why}", run="r", others=listed(inner, "and"), why=why, measure="kappa").data()
    assert told == {
        "kind": "test",
        "subjects": ["r", "a", "b"],
        "measure": "kappa",
        "numbers": {"advantage": [0.7, 0.75], "pairs": 2},
        "text": "r: a (0.70) and b (0.75); kappa finds 2 pairs",
    }


def test_who_is_at_most_a_secondary_measure_is_told_why():
    found = mm.meta.summary(compared(["a", "b", "c"])[0], splits=20, trials=50)
    assert all(row.verdict.against for row in found.rows if row.verdict.kind == "secondary")
    blind = Standing("accuracy", 0.9, 3, lacking=("is blind to the order of the classes",), outvoted=True)
    assert blind.against == ("is blind to the order of the classes", "contradicts most of the others")
    verdict = Verdict("secondary", ("accuracy",), {"mean_tau": 0.9, "told_apart": 3, "pairs": 6}, against=blind.against)
    because = "because it is blind to the order of the classes and contradicts most of the others: "
    assert verdict.text.startswith(f"at most a secondary measure, {because}")
    assert verdict.to_dict()["against"] == list(blind.against)


@pytest.mark.parametrize(("only_first", "said"), [(1, "1 is not among"), (2, "2 are not among")])
def test_differences_are_counted_in_grammar(only_first, said):
    pair = Shared("a", "b", only_first=only_first, both=1, only_second=4, contradicting=0)
    assert said in pair.sentence()


def test_distances_by_the_name_of_a_file_are_refused(tmp_path):
    with pytest.raises(mm.UsageError, match="not a table of numbers"):
        mm.evaluate([1, 2, 3], {"a": [1, 2, 2]}, classes=[1, 2, 3], measures="kappa_weighted", distance=tmp_path / "d.csv")


def test_the_numbers_of_a_limit_are_data():
    """What an interval covers, and from how many topics on it holds, stand in JSON beside the words."""
    scores, _ = compared(["a", "b", "c"])
    told = json.loads(mm.compare(scores, "accuracy", interval="bootstrap").render("json"))
    limit = next(one for one in told["findings"] if one["kind"] == "limit")
    assert limit["numbers"] == {"enough": 30, "low": 0.78, "high": 0.91}
    assert "95% intervals cover 78% to 91%" in limit["text"]


def test_what_is_not_told_apart_has_its_p_and_its_test():
    draw = np.random.default_rng(1)
    near = draw.normal(0.7, 0.05, 12)
    values = np.column_stack([near, near + draw.normal(0, 0.02, 12), near + draw.normal(0, 0.02, 12), near - 0.4])
    found = mm.compare(mm.ScoreMatrix("accuracy", tuple(map(str, range(12))), ("a", "b", "c", "far"), values), "accuracy")
    same = next(one for one in json.loads(found.render("json"))["findings"] if one["kind"] == "no difference")
    assert same["subjects"] == [*found.runs[:3]]
    assert same["numbers"]["p"] == found.p[0, 1:3].tolist()
    assert same["test"] == found.tested()


def test_where_a_paper_says_otherwise_the_scores_are_data():
    told = mm.axioms("cosine", properties=["ordinal_monotonicity"], trials=100).to_dict()["findings"]
    (one,) = (one for one in told if one["kind"] == "paper says otherwise")
    assert one["numbers"]["items"] > 0
    assert len(one["numbers"]["scores"]) == 2
    assert all(f"{score:.3f}" in one["text"] for score in one["numbers"]["scores"])


def test_advice_says_each_thing_once():
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 5, (14, 12))
    runs = {f"run {place}": np.where(rng.random(gold.shape) < 0.1 * place, 5 - gold, gold) for place in range(1, 6)}
    frames = {name: frame(run) for name, run in runs.items()}
    told = mm.advise(frame(gold), frames, classes="1..4").to_dict()
    texts = [one["text"] for one in told["findings"]]
    assert len({*texts}) == len(texts)


def frame(labels):
    polars = pytest.importorskip("polars")
    topics, items = labels.shape
    keys = {"topic": np.repeat(np.arange(topics), items), "item": np.arange(labels.size)}
    return polars.DataFrame({name: column.tolist() for name, column in {**keys, "label": labels.ravel()}.items()})


def test_what_stands_below_a_chart_is_a_message(monkeypatch):
    """So that names in it are parts, and --digits and the reader count there too."""
    written = []
    monkeypatch.setattr(Sheet, "write", lambda _, notes: written.extend(filter(None, notes)))
    name = "bert --epochs 3 {0}"
    scores = mm.evaluate(frame(GOLD), {name: frame(GOLD), "b": frame(np.roll(GOLD, 1)), "c": frame(np.roll(GOLD, 2))},
                         classes=[1, 2, 3], measures=["accuracy", "kappa", "mae"], ci=True, groups=True, trials=50)  # fmt: skip
    results = [
        *(scores, mm.compare(scores, "kappa"), mm.compare(scores, "kappa", against=name), mm.ranks(scores, "kappa")),
        *(mm.meta.similarity(scores), mm.meta.overlap(scores, trials=50), mm.meta.contradictions(scores, trials=50)),
        *(mm.meta.coverage(scores), mm.meta.consistency(scores, splits=10), mm.meta.discrimination(scores, trials=50)),
        *(mm.meta.deltas(scores, name, "b"), mm.meta.summary(scores, splits=10, trials=50)),
    ]
    for one in results:
        one.chart()
    assert len(written) >= len(results)
    assert [one for one in written if not isinstance(one, Message)] == []
    assert any(name in one for one in written)


@pytest.mark.parametrize(("level", "said"), [(0.95, "95%"), (0.999, "99.9%"), (0.9, "90%"), (0.57, "57%")])
def test_the_level_of_an_interval_is_not_rounded_away(level, said):
    assert say("{level:g%} intervals", level=level) == f"{said} intervals"
    scores = mm.evaluate(
        frame(GOLD), {"b": frame(np.roll(GOLD, 1))}, classes=[1, 2, 3], measures="accuracy", ci=True, level=level
    )
    assert f"[ ]: {said} t interval" in str(scores)


def test_items_are_suggested_where_there_are_some():
    """Comparing over items is for measures that count labels: not for rankings, nor for distributions."""
    topics, runs = ("t1", "t2", "t3"), ("a", "b")
    values = RNG.random((3, 2))
    for measure, suggested in {"accuracy": True, "rnod": False, "ndcg@5": False}.items():
        said = str(mm.compare(mm.ScoreMatrix(measure, topics, runs, values), measure))
        assert ("units='items'" in said) == suggested, measure


def test_a_constant_run_is_no_rare_event():
    """Its kappa is 0 on every topic, by definition; where all runs score 0 or 1, the same is a warning."""
    others = RNG.uniform(0.3, 0.7, (12, 2))
    topics, runs = tuple(f"t{place}" for place in range(12)), ("a", "b", "constant")
    graded = mm.ScoreMatrix("kappa", topics, runs, np.column_stack([others, np.zeros(12)]))
    assert "score 0 or 1" not in str(mm.compare(graded, "kappa"))
    rare = np.zeros((12, 3))
    rare[0, 0] = 1
    for measure in ("accuracy", "mae"):
        assert "score 0 or 1" in str(mm.compare(mm.ScoreMatrix(measure, topics, runs, rare), measure))


def results_of(names):
    """What every newer command answers about runs, models, judges, people and slices that are called so."""
    polars = pytest.importorskip("polars")
    draw = np.random.default_rng(3)
    first, second, third = names
    scores, _ = compared(names)
    items = np.arange(60)
    right = {name: (draw.random(60) < share).astype(int) for name, share in zip(names, (0.9, 0.6, 0.3), strict=True)}
    outcomes = polars.DataFrame(
        {
            "run": np.repeat(names, 60).tolist(),
            "item": np.tile(items, 3),
            "score": np.concatenate([*right.values()]),
            "slice": [names[item % 3] for item in np.tile(items, 3)],
        }
    )
    graded = {"task": "outcomes", "better": "higher"}
    met = [
        (names[place % 3], names[(place + 1 + place % 2) % 3], ("model_a", "model_b", "tie")[place % 3]) for place in range(60)
    ]
    truth = draw.integers(1, 4, 300)
    said = {name: np.where(draw.random(300) < 0.2, draw.integers(1, 4, 300), truth).tolist() for name in names}
    people = [int(label) if place < 120 else None for place, label in enumerate(truth)]
    ratings = polars.DataFrame({"item": np.arange(300), **said})
    tasks = {f"task {place}": mm.ScoreMatrix("accuracy", tuple("abcdef"), names, draw.random((6, 3))) for place in range(6)}
    how = {"classes": [1, 2, 3], "trials": 100}
    return {
        "ranks": mm.ranks(scores, "accuracy"),
        "ranks of battles": mm.ranks(polars.DataFrame(met, schema=["model_a", "model_b", "winner"], orient="row")),
        "ranks over tasks": mm.ranks(tasks, across="ranks", trials=100),
        "gate": mm.gate(outcomes, baseline=first, candidate=second, margin=0.1, **graded),
        "outcomes": mm.evaluate(outcomes, **graded, ci=True),
        "outcomes compared": mm.compare(outcomes, **graded),
        "slices": mm.evaluate(outcomes, **graded, by="slice"),
        "corrected scores": mm.correct_scores(people, said, said[third], **how, measures="accuracy", sampled="random"),
        "agree": mm.agree(ratings, **how, annotator_columns=names),
        "judge": mm.judge(ratings, among=[first], **how, annotator_columns=names),
    }


NAMED = {"gate": 2, "judge": 1}
"""How many of the names a result has, where it has not all of them."""


def strings(told):
    """Every text in JSON."""
    if isinstance(told, dict):
        return {*told, *(text for one in told.values() for text in strings(one))}
    return (
        {text for one in told for text in strings(one)} if isinstance(told, list) else {told} if isinstance(told, str) else set()
    )


def check_names(command, result, names):
    """Unchanged in print for either reader, in HTML, in LaTeX and in JSON, and whole wherever a finding is about them."""
    told = json.loads(result.render("json"))
    shown = {reader: spoken(result, reader) for reader in ("python", "command")}
    page, paper = html.unescape(result.render("html")), result.render("latex")
    for name in names:
        assert all(name in text for text in shown.values()), command
        assert name in page, command
        assert escaped(name) in paper, command
        assert name in strings(told), command
    about = [one for one in told["findings"] if one["kind"] in ("may be first", "better run", "gate", "beats", "no difference")]
    assert all({*one["subjects"]} <= {*names, "accuracy", "mean", "score"} for one in about), command


def spoken(result, reader):
    with speaking_to(reader):
        return result.render("table", notes="all")


@pytest.mark.each_time(1)
@pytest.mark.parametrize("place", range(0, len(HOSTILE), 3))
def test_a_name_in_every_newer_result(place):
    names = HOSTILE[place : place + 3]
    for command, result in results_of(names).items():
        check_names(command, result, names[: NAMED.get(command, 3)])


@pytest.mark.slow
@settings(max_examples=15)
@given(names=NAMES)
def test_any_names_in_every_newer_result(names):
    for command, result in results_of(names).items():
        check_names(command, result, names[: NAMED.get(command, 3)])
