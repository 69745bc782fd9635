"""``metameasure agree``: how well annotators agree."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    distance_option,
    format_option,
    input_files,
    page_option,
    plugin_option,
    seed_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.cli.ratings import how, rating_options


@click.command(
    "agree",
    cls=SectionedCommand,
    examples=("metameasure agree ratings.csv --classes 1..5", "metameasure agree ratings.csv --classes a,b,c --kind nominal"),
)
@click.argument("ratings")
@rating_options
@click.option("--counts", is_flag=True, help="A column for each class says how many annotators chose it.")
@click.option("--measures", metavar="M,...", help="Which coefficients (default: alpha for the scale, and two others).")
@click.option(
    "--interval", type=click.Choice(["auto", "bootstrap", "gwet"]), default="auto", show_default=True,
    help="How to make intervals: that hold with few items, by resampling items, or from Gwet's variance.",
)  # fmt: skip
@click.option("--level", type=float, default=0.95, show_default=True, help="The level of the intervals.")
@click.option("--trials", type=click.IntRange(1), default=1000, show_default=True, help="How many samples to draw.")
@seed_option
@chart_options("Draw the annotators by their agreement")
@distance_option
@page_option
@plugin_option
@format_option
def command(ratings: str, *, format: str, chart: str | None, width: str | None, page: str | None, **options: Any) -> None:
    """Measure how well annotators agree, and find who agrees with nobody.

    RATINGS is a table with the columns item, annotator, label; or item and a column for each annotator; or, with --counts, item
    and a column for each class. JSON of the alt-test and of Learning with Disagreements is recognised. A gap is a missing rating.
    """
    from metameasure.judging.agree import agree  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([ratings, *input_files(options)], chart=chart, width=width, page=page)
    outputs.present(agree(ratings, **how(options), **options), format, title="Agreement among annotators")
