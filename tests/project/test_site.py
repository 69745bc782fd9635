"""The documentation as a site: it builds without a warning (links and anchors are checked), has a page for everything, and no
line of it scrolls sideways. Skips where the tools are absent."""

import os
import re
import subprocess
import sys

import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.meta.question import questions

pytestmark = pytest.mark.needs("mkdocs")
# Pages with the widest tables and blocks, and one of each kind.
WIDEST = ("index", "tutorial", "comparisons", "catalogue", "axioms", "commands", "api", "benchmarks", "shared-task")
TOO_WIDE = """() => {
  const column = document.querySelector(".md-content__inner").getBoundingClientRect();
  const blocks = [...document.querySelectorAll("article :is(pre, pre code, pre .printed, table, img)")];
  const wide = blocks.filter(one => one.getBoundingClientRect().right > column.right + 1
    || (one.matches("pre, pre code, pre .printed") && one.scrollWidth > one.clientWidth + 1));
  const page = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
  return [...page, ...wide.map(one => one.innerText.slice(0, 80))];
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_of_the_documentation_is_there(site):
    pages = {*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").glob("*.ipynb")}
    wanted = {page.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for page in pages}
    wanted |= {"benchmarks.html", "benchmarks-history.html", "changelog.html", "contributing.html"}
    assert wanted <= {page.relative_to(site).as_posix() for page in site.rglob("*.html")}
    assert not [*site.rglob("*.py"), *site.rglob("*.ipynb")]


def test_every_public_name_is_in_the_reference(site):
    page = (site / "api.html").read_text(encoding="utf-8")
    named = {name for name in mm.__all__ if name not in ("__version__", "measures", "meta")}
    named |= {f"meta.{question.id}" for question in questions()}
    assert named <= {*re.findall(r'<h3 id="metameasure\.([\w.]+)"', page)}


def test_notebooks_and_files_in_blocks_are_shown(site):
    assert 'alt="The chart that this cell draws"' in (site / "shared-task.html").read_text(encoding="utf-8")
    assert '<span class="filename">gold.txt</span>' in (site / "contributing.html").read_text(encoding="utf-8")


def test_formulas_are_mathematics(site):
    pages = [page.read_text(encoding="utf-8") for page in (site / "measures").glob("*.html")]
    assert len(pages) > 100
    assert all('<p class="formula">' in page for page in pages)
    assert "<munder><mo" in (site / "measures" / "cem_ord.html").read_text(encoding="utf-8")
    assert not [*site.rglob("*mathjax*"), *site.rglob("*katex*")]


def test_measures_are_listed_by_task(site):
    page = (site / "measures" / "cem_ord.html").read_text(encoding="utf-8")
    listed = re.findall(r'<span class="md-ellipsis">\s*([^<]+?)\s*</span>', page)
    places = [listed.index(name) for name in ("Agreement", "Classification", "kappa_linear", "Quantification")]
    assert places == sorted(places)


def test_examples_in_the_reference_are_code(site):
    assert "<blockquote>" not in (site / "api.html").read_text(encoding="utf-8")


@pytest.fixture
def window(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def too_wide(window, page):
    window.goto(page.as_uri())
    return window.evaluate(TOO_WIDE)


@pytest.mark.needs("playwright", "chromium")
@pytest.mark.xdist_group("browser")
def test_no_line_scrolls(site, window):
    assert {page: found for page in WIDEST if (found := too_wide(window, site / f"{page}.html"))} == {}


@pytest.mark.needs("playwright", "chromium")
@pytest.mark.xdist_group("browser")
def test_tables_that_commands_print_stay_whole(site, window):
    window.goto((site / "comparisons.html").as_uri())
    heights = "() => [...document.querySelectorAll('pre .printed')].map(one => [one.innerText.trimEnd().split('\\n').length, \
        one.getClientRects()[0].height / parseFloat(getComputedStyle(one).lineHeight)])"
    tables = window.evaluate(heights)
    assert len(tables) > 3
    assert [lines for lines, high in tables if abs(lines - high) > 0.5] == []


@pytest.mark.needs("playwright", "chromium")
@pytest.mark.xdist_group("browser")
def test_no_page_is_wider_than_a_phone(site, browser):
    phone = browser.new_page(viewport={"width": 390, "height": 844})
    too_wide = []
    for page in WIDEST:
        phone.goto((site / f"{page}.html").as_uri())
        too_wide += [page] if phone.evaluate("document.documentElement.scrollWidth > innerWidth") else []
    phone.close()
    assert too_wide == []


@pytest.mark.slow
@pytest.mark.needs("playwright", "chromium")
def test_no_line_of_any_page_scrolls(site, window):
    pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > 150
    assert {page.name: found for page in pages if (found := too_wide(window, page))} == {}
