"""The page of an evaluation: what it says, what it weighs, and that it is the same each time."""

import base64
import html.parser
import json
import re
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.cli import main
from metameasure.page.report import INFINITE, MINUS_INFINITE, UNDEFINED, packed, report
from metameasure.show.grid import spark

DEMO = Path(str(files("metameasure") / "demo"))
GOLD, RUNS = str(DEMO / "gold.tsv"), [str(DEMO / "runs" / "*.tsv")]
MEASURES = ["mae_macro", "cem_ord", "kappa_linear", "accuracy"]
FEW = {"trials": 200, "measures": MEASURES}


@pytest.fixture(scope="module")
def page():
    return report(GOLD, RUNS, classes="-2..2", baselines=True, **FEW)


class Found(html.parser.HTMLParser):
    """The page as a browser would take it apart."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.ids, self.attributes, self.open, self.headings, self.cells = [], [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h2", "h3"):
            self.headings.append(data.strip())
        if self.open and self.open[-1] in ("th", "td", "b"):
            self.cells.append(data.strip())


def test_the_rows_of_validity_are_named_where_they_are_asked_for(page):
    asked = report(GOLD, RUNS, classes="-2..2", trials=50, measures=["accuracy"], validity=True)
    for row in ("test/stepwise", "interval/topics/logit-t", "interval/difference/unadjusted"):
        assert (f": {row} (" in asked.html, f": {row} (" in page.html) == (True, False)


def test_the_answer_comes_first_in_words(page):
    first, apart, *others = page.answer
    assert first == "By mae_macro, careful is first of 6 runs (0.366, interval 0.300 to 0.444; lower is better)."
    assert apart.startswith("It is significantly better than every other run (stepwise range test")
    assert any("careful by mae_macro, cem_ord and kappa_linear; noisy by accuracy" in one for one in others)
    assert "The ranks of shifted, noisy, bold and coarse are not decisive." in page.careful
    assert any("neutral scores no better than the baseline 'always 0'" in one for one in page.careful)
    headings = [f'<h2 id="{one}">' for one in ("leaderboard", "definitions", "evaluated")]
    at = [page.html.index(text) for text in (">The answer<", first, *headings)]
    assert at == sorted(at)
    assert page.html.index("<h2 id=", at[1]) == at[2], "nothing stands between the answer and the leaderboard"


def test_letters_of_several_measures_are_not_corrected_for_each_other_and_the_page_says_so(page):
    assert "The tests are corrected for the pairs of runs, not for the 4 measures." in page.html
    alone = report(GOLD, RUNS, classes="-2..2", trials=200, measures=["mae_macro"])
    assert "corrected for the pairs of runs" not in alone.html


def test_every_section_is_there(page):
    headings = Found(page.html).headings
    for title in (
        "What was evaluated", "Leaderboard", "The runs", "Gold and predicted classes", "The topics", "Significance",
        "System ranking consistency", "Discriminative power", "Statistical significance overlap", "Formal properties",
        "About the measures", "Which measure to report", "Definitions", "How to cite",
    ):  # fmt: skip
        assert title in headings
    assert "task:classification|classes:-2,-1,0,1,2" in page.html
    assert "found that kappa_linear sees order and imbalance" in page.html
    assert re.search("<li>(cem_ord|accuracy|alpha_ordinal) (is|and) ", page.html)  # names of measures stay as they are


def test_numbers_are_those_of_the_evaluation(page):
    scores = mm.evaluate(GOLD, RUNS, classes="-2..2", measures=MEASURES)
    cells = Found(page.html).cells
    for value in scores.averages().ravel():
        assert f"{value:.3f}" in cells
    table = re.search(r'id="confusion-0-table".*?</table>', page.html, re.DOTALL)[0]
    counts = [int(cell) for cell in re.findall(r'class="n heat"[^>]*>(\d+)<', table)]
    labels = mm.count(GOLD, RUNS, classes="-2..2")
    careful = labels.tables([labels.runs.index("careful")])[0].sum(axis=0)
    assert counts == careful.astype(int).ravel().tolist()


def test_nothing_is_asked_for_and_names_of_elements_differ(page):
    found = Found(page.html)
    assert len(found.ids) == len(set(found.ids))
    assert not {"link", "img", "iframe", "object", "base", "form"} & set(found.tags)
    loads = [value for _, name, value in found.attributes if name in ("src", "href", "xlink:href") and not value.startswith("#")]
    assert loads == []
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page.html))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_one_script_of_at_most_10_kb_that_the_page_vouches_for(page):
    script = re.search(r"<script>(.*?)</script>", page.html, re.DOTALL)[1]
    assert len(script.encode()) <= 10_000
    assert page.html.count("<script") == 2  # the other one holds data
    assert "script-src 'sha256-" in page.html


def test_charts_are_drawings_with_text(page):
    drawings = re.findall(r"<figure[^>]*>(<svg.*?</svg>)", page.html, re.DOTALL)
    assert len(drawings) >= 4
    for drawing in drawings:
        ET.fromstring(drawing)  # noqa: S314 - our own
        assert "<text" in drawing
        assert "<title" in drawing


def test_every_reference_within_the_page_leads_somewhere(page):
    found = Found(page.html)
    targets = {value[1:] for _, name, value in found.attributes if name in ("href", "xlink:href") and value.startswith("#")}
    targets |= set(re.findall(r"url\(#([^)]+)\)", page.html))
    assert targets <= set(found.ids)


def test_the_same_seed_gives_the_same_bytes(page, tmp_path):
    again = report(GOLD, RUNS, tmp_path / "page.html", classes="-2..2", baselines=True, **FEW)
    assert again.html == page.html
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html


def test_scores_alone_say_what_is_missing(tmp_path):
    mm.evaluate(GOLD, RUNS, classes="-2..2", measures=MEASURES).save(tmp_path / "scores.csv")
    made = mm.report(tmp_path / "scores.csv", tmp_path / "page.html", trials=200)
    assert made.answer[0].startswith("By mae_macro, careful is first of 6 runs (0.366, interval 0.294 to 0.438")
    assert "This section needs gold and runs; the page was made from scores." in made.html
    assert "scores.csv" in made.html
    cube = mm.evaluate(GOLD, RUNS, classes="-2..2", measures=MEASURES)
    assert (
        mm.report(cube, trials=200).answer[1] == made.answer[1]
    )  # the classes, and so the range of mae_macro, are not in a file


def test_measures_of_others_need_a_direction(run, tmp_path):
    scores = tmp_path / "scores.csv"
    rows = [f"bleurt,t{topic},r{run},{(topic * 7 + run * 3) % 11}" for topic in range(6) for run in range(3)]
    scores.write_text("measure,topic,run,score\n" + "\n".join(rows) + "\n")
    status, _, err = run("report", scores, "-o", tmp_path / "page.html")
    assert status == 2
    assert "which scores of 'bleurt' are better;" in err
    status, out, err = run("report", scores, "-o", tmp_path / "page.html", "--better", "higher", "--trials", 100)
    assert (status, err) == (0, "")
    assert "By bleurt, " in out
    assert "not a measure of this program" in (tmp_path / "page.html").read_text()


def test_one_test_set_is_compared_item_by_item():
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 3, 300)
    runs = {f"run {share}": np.where(rng.random(300) < share, gold, 1).tolist() for share in (0.5, 0.9)}
    made = report(gold.tolist(), runs, classes=[0, 1, 2], measures=["accuracy"], trials=200)
    assert "significantly better than the other run (paired permutation test" in made.answer[1]
    assert "Not answered: " in made.html or "Not computed: " in made.html
    assert "There is one topic." in made.html


def test_the_chart_of_the_leaderboard_is_of_one_measure(page):
    """A panel for each of twelve measures of forty runs would weigh half a megabyte."""
    drawing = re.search(r'<svg[^>]*aria-labelledby="c-leaderboard-title".*?</svg>', page.html, re.DOTALL)[0]
    assert 'id="c-leaderboard-axes_1"' in drawing
    assert 'id="c-leaderboard-axes_2"' not in drawing


@pytest.mark.slow
def test_forty_runs_three_hundred_topics_twelve_measures_weigh_less_than_a_megabyte():
    rng = np.random.default_rng(0)
    ids = [
        "mae", "mae_macro", "mse", "mse_macro", "cem_ord", "kappa_linear", "kappa_quadratic", "accuracy", "f1_macro",
        "macro_recall", "alpha_ordinal", "spearman",
    ]  # fmt: skip
    topics, runs = tuple(f"topic {place}" for place in range(300)), tuple(f"team-{place}" for place in range(40))
    quality = rng.normal(size=(300, 40)) + np.linspace(0, 1, 40)
    cube = [mm.ScoreMatrix(id, topics, runs, (quality + rng.normal(size=(300, 40))) / 10) for id in ids]
    made = report(cube, trials=20)
    assert len(made.html.encode()) < 1_000_000
    facts = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', made.html, re.DOTALL)[1])
    assert len(facts["cube"]["codes"]) == 40 * 300 * 12 * 2 * 4 / 3


def unpacked(packed_values, shape):
    """What ``packed`` made, within half a step."""
    codes = np.frombuffer(base64.b64decode(packed_values["codes"]), dtype="<u2").reshape(shape)
    low, high = (np.array(end).reshape(-1, *[1] * (len(shape) - 1)) for end in zip(*packed_values["ends"], strict=True))
    values = low + codes / packed_values["steps"] * (high - low)
    special = {UNDEFINED: np.nan, INFINITE: np.inf, MINUS_INFINITE: -np.inf}
    return np.select([codes == code for code in special], list(special.values()), default=values)


class TestCube:
    def test_scores_come_back_within_half_a_step(self):
        values = np.random.default_rng(0).normal(size=(3, 50, 7))
        values[0, 0] = np.nan
        values[1, 3, 2], values[1, 3, 3] = np.inf, -np.inf
        values[2] = 4.0
        again = unpacked(packed(values), values.shape)
        span = np.ptp(values[0][1:])
        np.testing.assert_allclose(again[0], values[0], atol=0.51 * span / 65000)
        np.testing.assert_array_equal(again[2], values[2])
        np.testing.assert_array_equal(again[1, 3, 2:4], [np.inf, -np.inf])

    def test_a_measure_without_any_score(self):
        assert np.isnan(unpacked(packed(np.full((1, 2, 2), np.nan)), (1, 2, 2))).all()


def test_a_line_of_topics_has_a_gap_where_there_is_no_score():
    assert spark([0.0, 1.0], 0, 1) == "M0 15L96 1"
    assert spark([0.0, 1.0, float("nan"), 1.0, 0.0], 0, 1).count("M") == 2
    assert spark([float("nan")] * 5, 0, 1) == ""
    assert spark(list(range(1000)), 0, 999).count("L") < 50


def test_the_page_is_not_written_over_what_is_read(run, tmp_path):
    status, _, err = run("report", GOLD, *RUNS, "--classes", "-2..2", "-o", tmp_path / "page.txt")
    assert (status, "let it end in .html" in err) == (2, True)
    status, _, err = run("report", GOLD, *RUNS, "--classes", "-2..2", "-o", tmp_path / "nowhere" / "page.html")
    assert (status, "there is no folder" in err) == (2, True)
    (tmp_path / "gold.html").write_text("item,label\n1,a\n")
    status, _, err = run("report", tmp_path / "gold.html", *RUNS, "--classes", "a,b", "-o", tmp_path / "gold.html")
    assert (status, "would overwrite" in err) == (2, True)


def test_broken_runs_are_left_out_and_said(run, tmp_path):
    (tmp_path / "broken.tsv").write_text("item\tlabel\n1\tnowhere\n")
    files = [GOLD, str(DEMO / "runs" / "careful.tsv"), str(DEMO / "runs" / "bold.tsv"), tmp_path / "broken.tsv"]
    flags = ["--classes", "-2..2", "--measures", "mae", "--trials", 100, "-o", tmp_path / "page.html"]
    status, _, _ = run("report", *files, *flags)
    assert status == 1
    status, out, err = run("report", *files, *flags, "--skip-broken")
    assert (status, err) == (0, "")
    assert "first of 2 runs" in out
    page = (tmp_path / "page.html").read_text()
    assert "Left out, because it is broken: broken (broken.tsv:2: label" in page
    assert str(tmp_path) not in page


class TestPagesOfOtherResults:
    def results(self):
        ratings = Path(__file__).parents[2] / "examples" / "summaries.csv"
        yield mm.judge(ratings, among=["gpt", "mistral"], classes="1..5")
        yield mm.agree(ratings, classes="1..5")
        yield mm.study("bergmair2009")
        yield mm.axioms("accuracy", trials=0)

    def test_the_words_first_then_every_table(self, tmp_path):
        for result in self.results():
            made = mm.report(result, tmp_path / "page.html", title="<A> title")
            found = Found((tmp_path / "page.html").read_text(encoding="utf-8"))
            assert len(found.ids) == len(set(found.ids))
            assert found.tags.count("table") >= 1
            assert "&lt;A&gt; title" in made.html
            assert made.answer == tuple(result.in_words())
            assert made.html == mm.report(result, title="<A> title").html

    def test_the_command(self, tmp_path, capsys):
        page = tmp_path / "page.html"
        assert main(["axioms", "accuracy", "--trials", "0", "--page", str(page)]) == 0
        assert f"wrote {page}" in capsys.readouterr().err
        assert "<table" in page.read_text(encoding="utf-8")
        assert main(["axioms", "accuracy", "--trials", "0", "--page", "page.txt"]) == 2
        assert "'page.txt' is not the name of a page" in capsys.readouterr().err


def test_a_page_shows_the_tables_of_tasks_that_it_does_not_know(tmp_path):
    for name, sets in {"gold": ("a|b", "a", ""), "one": ("a", "a|b", "")}.items():
        rows = "".join(f"{item},{labels}\n" for item, labels in zip("xyz", sets, strict=True))
        (tmp_path / f"{name}.csv").write_text(f"item,label\n{rows}")
    made = mm.report(tmp_path / "gold.csv", tmp_path / "one.csv", task="multilabel", classes="a,b", kind="nominal")
    section = made.html.partition('id="runs"')[2].partition("</section>")[0]
    assert "one, label by label" in section
    assert "nothing more to show" not in section


def test_a_page_shows_the_tables_of_many_runs_best_first_and_says_how_many_it_leaves_out():
    classes, items = ["a", "b"], [f"i{place}" for place in range(8)]
    labels = classes * 4
    gold = pl.DataFrame({"item": items, "label": labels})
    runs = {}
    for run in range(60):  # the later, the better
        right = [0.4 + run / 100 if label == "a" else 0.6 - run / 100 for label in labels]
        runs[f"run{run:02d}"] = pl.DataFrame({"item": items, "a": right, "b": [1 - share for share in right]})
    made = mm.report(gold, runs, task="probabilities", classes=classes, kind="nominal", measures="brier", trials=20)
    section = made.html.partition('id="runs"')[2].partition("</section>")[0]
    shown = re.findall(r"(run\d+), bins of", section.replace("&#39;", "'"))
    assert list(dict.fromkeys(shown)) == [f"run{run:02d}" for run in range(59, 9, -1)]
    assert "run59, class by class" in section
    assert "The tables of 42 more runs" in section
    assert "10 runs further down are left out" in section
