"""``metameasure agree``: how well annotators agree."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, input_files, options_of, page_option
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import UsageError
from metameasure.tasks.rating_options import AgreeOptions


@click.command(
    "agree",
    cls=SectionedCommand,
    examples=(
        "metameasure agree ratings.csv --classes 1..5",
        "metameasure agree crowd.csv --classes 1..5 --aggregate median --gold-out g.csv",
    ),
)
@click.argument("ratings")
@options_of(AgreeOptions)
@click.option(
    "--gold-out", metavar="FILE", help="Write the gold that --aggregate makes: label, how sure, and each class's probability."
)
@click.option("--annotators-out", "--annotators", metavar="FILE", help="Write a row for each annotator.")
@chart_options("Draw the annotators by their agreement")
@page_option
@format_option
def command(
    ratings: str,
    *,
    format: str,
    chart: str | None,
    width: str | None,
    page: str | None,
    gold_out: str | None,
    annotators_out: str | None,
    **options: Any,
) -> None:
    """Measure how well annotators agree, and find who agrees with nobody.

    RATINGS is a table with the columns item, annotator, label; or item and a column for each annotator; or, with --counts, item
    and a column for each class; or, with --table, two annotators' table of counts. JSON of the alt-test and of Learning with
    Disagreements is recognised. A gap is a missing rating.
    """
    from metameasure.judging.agree import agree  # noqa: PLC0415 - engines load when there is something to do

    if gold_out is not None and options["aggregate"] is None:
        raise UsageError("--gold-out writes the gold that ratings make", hint="say how: --aggregate majority, or dawid-skene")
    files = {"chart": chart, "page": page, "gold_out": gold_out, "annotators_out": annotators_out}
    outputs = OutputFiles.of([ratings, *input_files(options)], width=width, **files)
    found = agree(ratings, **called(AgreeOptions, options))
    writers = {"annotators_out": found.save_annotators} | ({} if found.gold is None else {"gold_out": found.gold.save})
    outputs.present(found, format, title="Agreement among annotators", **writers)
