"""The page in a real browser: Debian's Chromium, driven by Playwright, from disk. Skips where one of them is absent."""

import re
import warnings
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.page.report import report
from metameasure.simulation.simulate import simulate
from optional import AXE

pytestmark = [pytest.mark.needs("playwright", "chromium"), pytest.mark.xdist_group("browser")]
DEMO = files("metameasure") / "demo"
SUMMARIES = Path(__file__).parents[2] / "examples" / "summaries.csv"
TAKES = "document.title='taken'"
HOSTILE = (
    f"<script>{TAKES}</script>", f'<img src=x onerror="{TAKES}">', f"</script><script>{TAKES}//", "\x1b[31m\u202e$a_b$", "=1+1",
    "x" * 10_000, "🏳️‍🌈 日本語", "{{ 7 * 7 }}", "'\"><b>",
)  # fmt: skip
FEW = {"trials": 100}


def _demo(path):
    measures = ["mae_macro", "cem_ord", "accuracy"]
    report(
        str(DEMO / "gold.tsv"), [str(DEMO / "runs" / "*.tsv")], path, classes="-2..2", measures=measures, baselines=True, **FEW
    )


def _simulated(path, task, kinds, **shape):
    made = simulate(task=task, kinds=kinds, seed=0, **shape)
    folder = path.parent / task
    made.save(folder)
    report(str(folder / "gold.tsv"), [str(folder / "runs" / "*.tsv")], path, **made.how, **FEW)


def _hostile(path):
    rng = np.random.default_rng(0)
    labels = ["a", HOSTILE[0]]
    rows = [(str(item), HOSTILE[topic], labels[item % 2]) for topic in range(5) for item in range(12)]
    columns = ("item", "topic", "label")
    import polars as pl

    gold = pl.DataFrame(rows, schema=columns, orient="row")
    runs = {
        name: gold.with_columns(pl.Series("label", [labels[one] for one in rng.integers(0, 2, len(rows))])) for name in HOSTILE
    }
    report(gold, runs, path, classes=labels, measures=["accuracy", f"recall@{labels[1]}"], title=HOSTILE[0], **FEW)


PAGES = {
    "classification": _demo,
    "quantification": lambda path: _simulated(path, "quantification", ["smoothed=.5,.7", "noisy=.5"], topics=12),
    "entailment": lambda path: _simulated(path, "entailment", ["calibrated=.3,.5", "unsound=.4"], items=120),
    "ranking": lambda path: _simulated(path, "ranking", ["noisy=.3,1.5", "rand=.2"], topics=12),
    "hostile": _hostile,
}
RESULTS = {
    "judge": lambda: mm.judge(SUMMARIES, among=["gpt", "mistral"], classes="1..5"),
    "agree": lambda: mm.agree(SUMMARIES, classes="1..5"),
    "study": lambda: mm.study("bergmair2009"),
    "axioms": lambda: mm.axioms(["accuracy", "cem_ord"], trials=0),
}
MADE = [*PAGES, *RESULTS]


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Each page, made when it is first asked for."""
    made = {}

    def one(name):
        if name not in made:
            path = tmp_path_factory.mktemp(name) / "page.html"
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="Glyph")  # the font of charts has neither flags nor Japanese
                PAGES[name](path) if name in PAGES else report(RESULTS[name](), path)
            made[name] = path
        return made[name]

    return one


@pytest.fixture
def opened(browser, pages):
    """Opens a page from disk; every complaint of the browser and every request besides the page itself is kept."""
    contexts = []

    def one(name, **how):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
        contexts.append(context)
        page = context.new_page()
        page.complaints, page.requests = [], []
        page.on("console", lambda message: page.complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(pages(name).as_uri())
        return page

    yield one
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", MADE)
def test_it_loads_without_a_complaint_or_a_request(opened, name):
    page = opened(name)
    page.wait_for_timeout(200)
    assert page.complaints == []
    assert len(page.requests) == 1
    assert page.requests[0].startswith("file://")
    assert page.locator("h1").count() == 1


def runs_shown(page):
    return page.locator("#leaderboard-table tbody tr:visible th").all_inner_texts()


def test_sorting(opened):
    page = opened("classification")
    heading = page.locator("#leaderboard-table thead th", has_text="accuracy")
    heading.locator("button.sort").click()
    assert heading.get_attribute("aria-sort") == "descending"  # higher is better
    assert runs_shown(page)[0] == "noisy"
    heading.locator("button.sort").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert runs_shown(page)[0] == "baseline: always -2"
    lower = page.locator("#leaderboard-table thead th", has_text="mae_macro")
    lower.locator("button.sort").focus()
    page.keyboard.press("Enter")
    assert lower.get_attribute("aria-sort") == "ascending"  # lower is better
    assert heading.get_attribute("aria-sort") is None
    assert runs_shown(page)[0] == "careful"
    assert page.locator("#live").inner_text().startswith("Sorted by mae_macro")


def test_filtering(opened):
    page = opened("classification")
    page.fill("#filter", "CA")
    assert runs_shown(page) == ["careful"]
    page.fill("#filter", "")
    page.check("#no-baselines")
    assert sorted(runs_shown(page)) == ["bold", "careful", "coarse", "neutral", "noisy", "shifted"]
    assert page.locator("#filtered").inner_text() == "6 shown"


def test_exploring_two_runs(opened):
    page = opened("classification")
    assert page.locator("#x-summary").inner_text().startswith("careful is better on ")
    rows = page.locator("#x-table tbody tr")
    assert rows.count() == 12
    page.select_option("#x-first", label="neutral")
    page.select_option("#x-second", label="careful")
    assert page.locator("#x-summary").inner_text() == "neutral is better on 0, careful on 12, they tie on 0 of 12 topics."
    gaps = [float(row.locator("td").last.inner_text()) for row in rows.all()]
    assert gaps == sorted(gaps, reverse=True)  # mae_macro: lower is better, so the largest difference is the worst
    first, second, gap = (float(text) for text in rows.first.locator("td").all_inner_texts())
    assert gap == pytest.approx(first - second, abs=0.0021)
    page.fill("#x-filter", "film")
    assert page.locator("#x-table tbody th").all_inner_texts() == ["film"]


def test_p_values_by_another_measure_are_those_of_its_own_table(opened):
    page = opened("classification")
    before = page.locator("#p-values-table tbody").inner_text()
    page.select_option("#p-measure", label="accuracy")
    assert "by accuracy" in page.locator("#p-values-table caption").inner_text()
    assert page.locator("#p-values-table tbody").inner_text() != before
    page.select_option("#p-measure", label="mae_macro")
    assert page.locator("#p-values-table tbody").inner_text() == before


@pytest.mark.parametrize(
    ("format", "opening"),
    [
        ("csv", "rank,run,mae_macro ↓,cem_ord ↑,accuracy ↑,topics\n1,careful,"),
        ("md", "| rank | run | mae_macro ↓ | cem_ord ↑ | accuracy ↑ | topics |\n|---|---|---|---|---|---|\n| 1 | careful | "),
        ("tex", "\\begin{tabular}{lrrrrr}\n\\toprule\nrank & run & mae\\_macro $\\downarrow$ & "),
    ],
)
def test_copying(opened, format, opening):
    page = opened("classification", permissions=["clipboard-read", "clipboard-write"])
    table = page.locator(".table", has=page.locator("#leaderboard-table"))
    table.locator(f"[data-copy={format}]").click()
    page.wait_for_function("document.getElementById('live').textContent.startsWith('Copied')")
    assert page.evaluate("navigator.clipboard.readText()").startswith(opening)


def test_the_theme(opened):
    page = opened("classification", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.click("#theme")
    assert page.locator("#theme").inner_text() == "Theme: dark"
    assert page.evaluate(paper) != light
    page.reload()
    assert page.locator("#theme").inner_text() == "Theme: dark"
    dark = opened("classification", color_scheme="dark")
    assert dark.evaluate(paper) == page.evaluate(paper)


def test_definitions_by_pointer_by_focus_and_by_tap(opened):
    page = opened("classification")
    tip = page.locator("#tip")
    assert not tip.is_visible()
    page.locator("#leaderboard-table tbody td", has_text="0.366").hover()
    assert tip.is_visible()
    assert "lower is better" in tip.inner_text()
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    page.locator("#leaderboard-table a.def").nth(1).focus()
    assert tip.is_visible()
    assert "higher is better" in tip.inner_text()
    page.locator("#hardest-table td.n").first.hover()
    assert "MAE^M" in tip.inner_text()
    page.locator("#hardest-table caption a.def").focus()
    assert "MAE^M" in tip.inner_text()
    page.locator("#summary-table tbody a.def").first.focus()
    assert "better" in tip.inner_text()
    page.select_option("#x-measure", label="accuracy")
    page.select_option("#p-measure", label="accuracy")
    for cells in ("#x-table td.n", "#p-values-table td.n"):
        page.locator(cells).nth(1).hover()
        assert tip.inner_text().startswith("Accuracy")
    phone = opened("classification", has_touch=True, viewport={"width": 360, "height": 740})
    phone.locator("#summary-table tbody th", has_text="cem_ord").tap()
    assert "higher is better" in phone.locator("#tip").inner_text()


@pytest.mark.parametrize("name", MADE)
def test_a_phone_scrolls_down_only(opened, name):
    page = opened(name, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("main table").first.is_visible()


def test_a_phone_shows_each_caption_whole_and_each_name_on_one_line(opened):
    page = opened("classification", viewport={"width": 390, "height": 844})
    edges = page.locator("caption").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(edges) <= 390
    heights = page.locator("#similarity-table tbody th").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert max(heights) < 40


def test_the_name_of_a_run_stays_beside_its_scores(opened):
    page = opened("classification", viewport={"width": 360, "height": 740})
    page.locator(".scroll", has=page.locator("#leaderboard-table")).evaluate("e => { e.scrollLeft = 300 }")
    assert page.locator("#leaderboard-table tbody th").first.bounding_box()["x"] >= 0


def test_print(opened):
    page = opened("classification")
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type /Page\b", printed)) <= 6
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()


def test_what_is_folded_is_printed(opened):
    page = opened("hostile")
    assert not page.locator("details table").first.is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details table").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_notebook_shows_hostile_names_and_does_nothing(browser, scheme):
    """A result as a notebook puts it on its page, in its own colours."""
    topics, runs = tuple(f"t{place}" for place in range(6)), HOSTILE[:4]
    scores = np.random.default_rng(0).random((6, 4))
    matrices = [mm.ScoreMatrix(id, topics, runs, scores**power) for id, power in (("accuracy", 1), ("f1_macro", 2))]
    shown = mm.meta.similarity(matrices)
    compared = mm.compare(matrices[0], trials=50)
    page = browser.new_page(color_scheme=scheme)
    page.set_content(f"<title>notebook</title><body>{shown._repr_html_()}{compared._repr_html_()}")
    assert page.title() == "notebook"
    assert page.locator("script, img").count() == 0
    assert HOSTILE[0] in page.locator("table").last.inner_text()
    page.close()


@pytest.mark.needs("axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", MADE)
def test_axe_finds_nothing_serious(opened, name, scheme):
    page = opened(name, color_scheme=scheme)
    page.evaluate(AXE.read_text())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
    serious = [
        (one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"] if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_hostile_names_do_nothing(opened):
    page = opened("hostile")
    page.locator("#leaderboard-table button.sort").nth(1).click()
    page.select_option("#x-second", index=4)
    page.locator("#leaderboard-table tbody td.n").first.hover()
    page.wait_for_timeout(100)
    assert page.complaints == []
    assert page.title() == HOSTILE[0]
    assert page.evaluate("document.body.scrollHeight") < 15_000
    assert page.locator("main img, main b >> text=script").count() == 0
    assert page.locator("script").count() == 2
    shown = runs_shown(page)
    assert HOSTILE[0] in shown
    assert "\\x1b[31m\\u202e$a_b$" in shown
    assert "{{ 7 * 7 }}" in shown


def test_without_scripts_everything_is_there_to_read(opened):
    page = opened("classification", java_script_enabled=False)
    assert page.locator("#leaderboard-table tbody tr").count() == 14
    assert page.locator("noscript").inner_text() == "The explorer needs a script, which this browser does not run."
    assert not page.locator("#filter").is_visible()
    assert not page.locator(".copy").first.is_visible()


def test_filters_ignore_accents_and_a_figure_is_saved_as_a_file(browser, tmp_path):
    gold, runs = np.array([1, 2] * 8), {"café": [1, 2] * 8, "cafeteria": [1, 1] * 8, "other": [2, 1] * 8}
    report(gold, {name: np.array(run) for name, run in runs.items()}, tmp_path / "page.html", classes="1..2", **FEW)
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.fill("#filter", "CAFÉ")
    assert page.inner_text("#filtered") == "2 shown"
    with page.expect_download() as started:
        page.locator("[data-save]").first.click()
    assert started.value.suggested_filename == "leaderboard.svg"
    started.value.save_as(tmp_path / "figure.svg")
    saved = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert saved.startswith("<svg")
    assert 'width="' in saved.partition(">")[0]
    assert "var(" not in saved
    assert "currentColor" not in saved
    context.close()


def test_on_a_phone_the_heading_of_the_names_stays_above_them(browser, tmp_path):
    _demo(tmp_path / "page.html")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((tmp_path / "page.html").as_uri())
    lefts = (
        "[...document.querySelectorAll('#leaderboard-table :is(thead th.k, tbody th)')].map(e => e.getBoundingClientRect().left)"
    )
    page.evaluate("document.querySelector('#leaderboard-table').closest('.scroll').scrollLeft = 150")
    assert len({*map(round, page.evaluate(lefts))}) == 1
    page.close()


def test_on_paper_confusion_tables_stand_beside_each_other(browser, tmp_path):
    _demo(tmp_path / "page.html")
    page = browser.new_page(viewport={"width": 700, "height": 1000})
    page.goto((tmp_path / "page.html").as_uri())
    page.emulate_media(media="print")
    boxes = page.evaluate("[...document.querySelectorAll('.side .table')].map(e => e.getBoundingClientRect().top)")
    assert len(boxes) == 6
    assert len({*map(round, boxes)}) == 2
    page.close()
