"""``metameasure table``: what each run's scores are made of."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.labels import how, label_options
from metameasure.cli.options import format_option
from metameasure.cli.sections import SectionedCommand


@click.command("table", cls=SectionedCommand)
@label_options
@click.option("--chart", metavar="FILE", help="Draw heat maps: an SVG, PDF or PNG file.")
@format_option
def command(gold: str, runs: tuple[str, ...], *, chart: str | None, format: str, **options: Any) -> None:
    """Print a table for each RUN: precision, recall, F1 and support by class, and the confusion table.

    Entailment judgements are also read two ways; of distributions the table shows gold's and the runs', of rankings the pairs of
    items that a run orders as humans do, the other way, or ties. All topics are taken as one.
    """
    from metameasure.run_tables.tabulating import table  # noqa: PLC0415 - engines load when there is something to do

    found = table(gold, list(runs), **how(options), **options)
    if chart:
        found.chart(chart)
    sys.stdout.write(found.render(format))
