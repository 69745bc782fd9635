"""Draws the pictures of docs/charts.md from the data that comes with the package: ``python docs/chart_pictures.py``."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import metameasure as mm

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Write the pictures."""
    measures = "cem_ord,kappa_linear,mae_macro,accuracy"
    with as_file(files("metameasure") / "demo") as demo:
        given: dict[str, str] = {"classes": "-2..2", "measures": measures}
        scores = mm.evaluate(demo / "gold.tsv", demo / "runs/*.tsv", ci=True, groups=True, baselines=True, **given)
    scores.chart(IMAGES / "leaderboard.svg", width="page")
    mm.compare(scores, "cem_ord", test="classical").chart(IMAGES / "critical.svg", diagram="critical")
    mm.meta.discrimination(scores).chart(IMAGES / "discrimination.svg")


if __name__ == "__main__":
    main()
