"""One verdict on measures: advise, meta all and the page agree; chance is not called worse; the measure that counts ranks."""

import html
import json
import re
import zipfile

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.competition.bundle import competition
from metameasure.core.options import declared_in
from metameasure.meta.verdict import Evidence, Standing, compared, verdicts
from metameasure.statistics.measure_tests import MeasuresApart
from metameasure.tasks.declaration import declaration

CLASSES = "1..4"
RECOMMENDED = ("kappa_linear", "alpha_ordinal", "cem_ord")


def labels(seed, topics=None, items=12):
    """Gold and runs of a small task: some better than others, and now and then runs that are constant, or equal."""
    draw = np.random.default_rng(seed)
    topics = topics or int(draw.integers(8, 25))
    gold = draw.choice([1, 2, 3, 4], p=(0.1, 0.2, 0.4, 0.3), size=topics * items)
    keys = {"topic": np.repeat(np.arange(topics), items), "item": np.arange(len(gold))}
    runs = {}
    for place in range(int(draw.integers(2, 7))):
        off = np.clip(gold + draw.choice((-2, -1, 1), size=len(gold)), 1, 4)
        runs[f"run {place}"] = np.where(draw.random(len(gold)) < draw.uniform(0.1, 0.7), off, gold)
    runs |= {
        f"constant {answer}": np.full(len(gold), answer) for answer in (2, 3, 4)[: int(draw.integers(0, 4)) * (seed % 3 == 0)]
    }
    runs |= {"equal": runs["run 0"], "equal too": runs["run 0"]} if seed % 4 == 1 else {}
    runs = dict.fromkeys(runs, runs["run 0"]) if seed % 25 == 7 else runs
    return frame(keys, gold), {name: frame(keys, given) for name, given in runs.items()}


def frame(keys, given):
    return pl.DataFrame({name: column.tolist() for name, column in {**keys, "label": given}.items()})


def agree(seed, page=True):
    """What advise, meta all and the page say of one task; the measure that is named."""
    gold, runs = labels(seed)
    told = mm.advise(gold, runs, classes=CLASSES).to_dict()
    whole = with_meta_all(told, gold, runs)
    if page:
        on_the_page(told, whole, mm.report(gold, runs, classes=CLASSES))
    return told["primary"]


def with_meta_all(told, gold, runs):
    kinds = {one["id"]: one["verdict"] for one in told["measures"]}
    if kinds:
        scores = mm.evaluate(gold, runs, classes=CLASSES, measures=list(kinds))
        whole = mm.meta.summary(scores, measures=list(kinds), incomplete="drop-topics")
        assert {row.measure: row.verdict.kind for row in whole.rows} == kinds
        assert all(f"{row.advice}." in " ".join(whole.render(notes="all").split()) for row in whole.rows)
        for finding in told["findings"]:
            about = finding["subjects"]
            if finding["kind"] == "worse":
                assert whole.compared(about[0], about[1]).to_dict() == finding
                assert whole.evidence.worse[whole.evidence.place(about[0]), whole.evidence.place(about[1])]
    if told["primary"] is None:
        assert not any(kinds.get(id) == "primary" for id in RECOMMENDED)
    else:
        assert kinds[told["primary"]] == "primary"
    if told["secondary"] is not None:
        assert whole.evidence.standing(told["secondary"]).tells_something
    return whole if kinds else None


def on_the_page(told, whole, made):
    page = " ".join(html.unescape(made.html).split())
    assert all(row.verdict.text in page for row in (whole.rows if whole else ()))
    named = f"speak for {told['primary']}", "papers and these data speak for it"
    assert any(words in page for words in named) == (told["primary"] is not None)
    for reason in told["reasons"]:
        assert "no_distances" in reason or reason[1:] in page
    assert not any("measure to report" in sentence or "speak for" in sentence for sentence in made.answer)


def test_advise_and_meta_all_agree():
    """Some runs, constant ones among them, and runs that are all equal, of which nothing can be told."""
    assert {agree(seed, page=False) for seed in (3, 6, 7)} > {None}


@pytest.mark.parametrize("seed", [1, pytest.param(7, marks=pytest.mark.slow)])
def test_and_so_does_the_page(seed):
    agree(seed)


@pytest.mark.slow
def test_they_agree_on_200_tasks(capsys):
    named = [agree(seed) for seed in range(200)]
    with capsys.disabled():
        print({id: named.count(id) for id in dict.fromkeys(named)})  # noqa: T201


def equal_measures(draw, topics, runs, measures, noise=1.0):
    """Measures of the same runs, with noise of the same size."""
    truth = draw.normal(size=(topics, 1)) + 0.2 * np.arange(runs) + draw.normal(0, 0.5, (topics, runs))
    ids = ("kappa", "mcc", "kappa_quadratic", "cem_ord", "alpha_ordinal")[:measures]
    names = tuple(f"t{topic:02}" for topic in range(topics)), tuple(f"r{run}" for run in range(runs))
    spread = [1.0] * (measures - 1) + [noise]
    return [mm.ScoreMatrix(id, *names, truth + draw.normal(0, one, truth.shape)) for id, one in zip(ids, spread, strict=True)]


def worse_and_poor(matrices):
    told = mm.meta.summary(matrices, splits=10, trials=100).to_dict()
    rated = {one[count] for one in told["measures"] for count in ("consistency", "discrimination")}
    return any(one["kind"] == "worse" for one in told["verdicts"]), "poor" in rated


@pytest.mark.parametrize("shape", [(12, 6, 3), (30, 8, 5)])
def test_equal_measures_are_rarely_called_worse(shape):
    draw = np.random.default_rng(1)
    found = [worse_and_poor(equal_measures(draw, *shape)) for _ in range(12)]
    assert sum(worse for worse, _ in found) <= 2
    assert sum(poor for _, poor in found) <= 2


def test_a_measure_with_much_more_noise_is_worse():
    assert worse_and_poor(equal_measures(np.random.default_rng(2), 60, 12, 3, noise=8.0)) == (True, True)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(12, 6, 5), (30, 10, 5), (20, 8, 2)])
def test_the_rate_of_equal_measures_called_worse(shape, capsys):
    draw = np.random.default_rng(3)
    found = np.array([worse_and_poor(equal_measures(draw, *shape)) for _ in range(300)])
    with capsys.disabled():
        print(shape, "worse, poor:", found.mean(axis=0))  # noqa: T201
    assert found.mean(axis=0).max() <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(found))


def test_who_is_better_on_each_count_is_not_told_apart_from_the_other():
    """Consistent though blunt, and sharp though fickle, both beyond chance: neither is worse."""

    def apart(first, second):
        gap, p = np.array([[0, first - second], [second - first, 0]]), np.array([[1, 0.01], [0.01, 1]])
        return MeasuresApart(np.array([first, second]), gap, gap, gap, p, p)

    evidence = Evidence((Standing("a", 0.9, 3), Standing("b", 0.5, 9)), apart(0.9, 0.5), apart(0.1, 0.3), 10, 5, 20)
    verdict = compared(evidence, "a", "b")
    assert verdict.kind == "not told apart"
    assert verdict.text.startswith("a and b are each better on one count, beyond chance: mean tau 0.900 against 0.500 (p = 0.01)")
    assert {one.kind for one in verdicts(evidence).values()} == {"primary"}


def usual(task):
    """Every option of a task written with its default value."""
    options = declaration(task).options
    written = {declared.name: declared.usual or getattr(options, name, None) for name, declared in declared_in(options).items()}
    known = {name: value for name, value in written.items() if isinstance(value, str | float) and not isinstance(value, bool)}
    return [word for name, value in known.items() for word in (f"--{name}", str(value))]


def test_an_option_with_its_default_changes_nothing(run, tmp_path):
    gold, runs = labels(3, topics=12)
    gold.write_csv(tmp_path / "gold.csv")
    (tmp_path / "runs").mkdir()
    for name, given in runs.items():
        given.write_csv(tmp_path / "runs" / f"{name}.csv")
    data = tmp_path / "gold.csv", tmp_path / "runs" / "*.csv", "--classes", CLASSES
    assert run("count", *data, "-o", tmp_path / "counts.npz")[0] == 0
    assert run("evaluate", *data, "--scores", tmp_path / "scores.csv")[0] == 0
    written = [*usual("classification"), "--task", "classification", "--seed", "0", "--format", "json"]
    assert {"--kind", "--extra", "--engine", "--name-by"} <= {*written}
    for given in (data, [tmp_path / "scores.csv"], [tmp_path / "counts.npz"]):
        plain, spelt = run("advise", *given, "--format", "json"), run("advise", *given, *written)
        assert plain[0] == 0, plain[2]
        assert spelt == plain
        assert json.loads(plain[1])["primary"] is not None


@pytest.mark.parametrize("task", ["ranking", "entailment", "quantification"])
def test_nor_does_one_of_another_task(task, run, tmp_path):
    draw = np.random.default_rng(0)
    if task == "ranking":
        keys = {"segment": np.repeat(np.arange(12), 4), "item": np.tile(np.arange(4), 12)}
        tables = [
            {**keys, "rank": np.tile(np.arange(1, 5), 12)},
            *({**keys, "rank": draw.permuted(np.tile(np.arange(1, 5), (12, 1)), axis=1).ravel()} for _ in range(3)),
        ]
        more = []
    elif task == "entailment":
        keys = {"item": np.arange(60), "topic": np.arange(60) % 12}
        gold = np.array(["E", "N", "C"])[draw.integers(0, 3, 60)]
        tables = [{**keys, "label": np.where(draw.random(60) < rate, "N", gold)} for rate in (0, 0.1, 0.3, 0.6)]
        more = ["--positive", "E", "--neutral", "N", "--negative", "C"]
    else:
        made = [draw.dirichlet(np.ones(3), 12) for _ in range(4)]
        tables = [{"topic": np.arange(12), **{str(k): one[:, k] for k in range(3)}} for one in made]
        more = ["--classes", "0..2"]
    for place, table in enumerate(tables):
        pl.DataFrame({name: column.tolist() for name, column in table.items()}).write_csv(tmp_path / f"{place}.csv")
    call = ["advise", *(tmp_path / f"{place}.csv" for place in range(4)), "--task", task, *more, "--format", "json"]
    plain, spelt = run(*call), run(*call, *usual(task))
    assert plain[0] == 0, plain[2]
    assert spelt == plain


class TestPrimary:
    @pytest.fixture
    def data(self, tmp_path):
        gold, runs = labels(3, topics=12)
        gold.write_csv(tmp_path / "gold.csv")
        for name, given in runs.items():
            given.write_csv(tmp_path / f"{name}.csv")
        return tmp_path / "gold.csv", *(tmp_path / f"{name}.csv" for name in runs), "--classes", CLASSES

    def test_the_board_is_ranked_by_it_and_says_so(self, run, data):
        for asked, expected in (
            (["--measures", "mae_macro,accuracy"], ["mae_macro", "accuracy"]),
            (["--measures", "mae_macro,accuracy", "--primary", "accuracy"], ["accuracy", "mae_macro"]),
            (["--measures", "mae_macro,accuracy", "--primary", "cem_ord"], ["cem_ord", "mae_macro", "accuracy"]),
        ):
            told = json.loads(run("evaluate", *data, *asked, "--format", "json", "--ranks")[1])
            assert (told["primary"], [one["id"] for one in told["measures"]]) == (expected[0], expected)
            assert [one["ranks"][expected[0]] for one in told["runs"]] == sorted(
                one["ranks"][expected[0]] for one in told["runs"]
            )
            out = run("evaluate", *data, *asked)[1]
            assert re.search(rf"; ranked by {expected[0]}\.$", out, re.MULTILINE)

    def test_it_may_be_one_of_the_usual_measures(self, data):
        scores = mm.evaluate(data[0], list(data[1:-2]), classes=CLASSES, primary="cem_ord")
        usual = mm.evaluate(data[0], list(data[1:-2]), classes=CLASSES)
        assert scores.primary.id == "cem_ord"
        assert {one.id for one in scores.measures} == {one.id for one in usual.measures}

    def test_what_cannot_rank_is_refused_before_files_are_read(self, run, tmp_path):
        for name, said in (
            ("gold_entropy", "--primary names gold_entropy, which describes the gold; name a measure that orders runs"),
            ("acuracy", "did you mean 'accuracy'"),
            ("nmd", "nmd is not a measure of classification"),
        ):
            for command in (["evaluate"], ["report", "-o", tmp_path / "page.html"]):  # both before files are read
                status, _, err = run(*command, tmp_path / "none.csv", tmp_path / "no.csv", "--classes", "1..4", "--primary", name)
                assert (status, said in err) == (2, True), err

    def test_the_page_is_ranked_by_it(self, run, data, tmp_path):
        """From data, from scores and from a file of them; what others recommend does not stand in the answer."""
        asked = ["--measures", "mae_macro,accuracy,kappa_linear", "--trials", "100"]
        status, out, err = run("report", *data, *asked, "--primary", "accuracy", "-o", tmp_path / "page.html")
        assert status == 0, err
        assert out.startswith("By accuracy, ")
        assert "measure to report" not in out
        page = " ".join(html.unescape((tmp_path / "page.html").read_text()).split())
        assert "Ranked by accuracy." in page
        assert '<h2 id="measures">About the measures <a ' in page
        assert "The runs are ranked by accuracy; papers and these data speak for " in page
        scores = mm.evaluate(data[0], list(data[1:-2]), classes=CLASSES, measures="mae_macro,accuracy")
        scores.save(tmp_path / "scores.csv")
        for given in (scores, tmp_path / "scores.csv"):
            assert mm.report(given, primary="accuracy", trials=100).answer[0].startswith("By accuracy, ")
            with pytest.raises(mm.UsageError, match="no scores"):
                mm.report(given, primary="kappa")

    @pytest.mark.parametrize("platform", ["codabench", "codalab"])
    def test_a_competition_is_ranked_by_it(self, data, tmp_path, platform):
        settings = 'title = "T"\ngold = "gold.csv"\nimage = "x"\nclasses = "1..4"\nundefined = "worst"\n'
        settings += 'measures = ["mae_macro", "accuracy"]\n'
        (tmp_path / "task.toml").write_text(settings + 'primary = "accuracy"\n')
        keys = competition(tmp_path / "task.toml", tmp_path / "bundle.zip", platform)
        assert keys == ["accuracy", "mae_macro"]
        with zipfile.ZipFile(tmp_path / "bundle.zip") as bundle:
            page = next(name for name in bundle.namelist() if "evaluation." in name)
            assert "Submissions are ranked by accuracy." in bundle.read(page).decode()
        (tmp_path / "task.toml").write_text(settings + 'primary = ["accuracy"]\n')
        with pytest.raises(mm.UsageError, match="primary cannot be"):
            competition(tmp_path / "task.toml", tmp_path / "bundle.zip", platform)
