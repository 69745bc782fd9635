"""``metameasure agree``: how well annotators agree."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, input_files, options_of, page_option
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.tasks.option_groups import AgreeOptions


@click.command(
    "agree",
    cls=SectionedCommand,
    examples=("metameasure agree ratings.csv --classes 1..5", "metameasure agree ratings.csv --classes a,b,c --kind nominal"),
)
@click.argument("ratings")
@options_of(AgreeOptions)
@chart_options("Draw the annotators by their agreement")
@page_option
@format_option
def command(ratings: str, *, format: str, chart: str | None, width: str | None, page: str | None, **options: Any) -> None:
    """Measure how well annotators agree, and find who agrees with nobody.

    RATINGS is a table with the columns item, annotator, label; or item and a column for each annotator; or, with --counts, item
    and a column for each class. JSON of the alt-test and of Learning with Disagreements is recognised. A gap is a missing rating.
    """
    from metameasure.judging.agree import agree  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([ratings, *input_files(options)], chart=chart, width=width, page=page)
    outputs.present(agree(ratings, **called(AgreeOptions, options)), format, title="Agreement among annotators")
