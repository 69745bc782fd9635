"""The picture of the page in the README: the demo's, as Chromium shows it. Run by hand: python docs/page_picture.py

It needs a browser (Debian: apt-get install chromium) and Playwright (pip install -e '.[browser]').
"""

from __future__ import annotations

import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from playwright.sync_api import sync_playwright

import metameasure as mm

PICTURE = Path(__file__).parent / "images" / "page.png"
MEASURES = ["mae_macro", "cem_ord", "kappa_linear", "accuracy"]
_WIDE, _HIGH = 1000, 1160


def main() -> None:
    """Make the page of the demo, and its picture: the answer, and the leaderboard below it."""
    with tempfile.TemporaryDirectory() as scratch, as_file(files("metameasure") / "demo") as demo, sync_playwright() as driver:
        page = Path(scratch) / "page.html"
        mm.report(demo / "gold.tsv", [demo / "runs" / "*.tsv"], page, classes="-2..2", measures=MEASURES, baselines=True)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": _WIDE, "height": _HIGH}, color_scheme="light")
        shown.goto(page.as_uri())
        # The settings stand between the answer and the leaderboard; a picture shows the two.
        shown.evaluate("document.getElementById('evaluated-section').hidden = true")
        shown.check("#no-baselines")
        shown.mouse.move(0, 0)
        shown.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
