"""``metameasure table``: what each run's scores are made of."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    called,
    format_option,
    gold_and_runs,
    input_files,
    options_of,
    shown_runs_options,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.tasks.option_groups import TableOptions


@click.command(
    "table",
    cls=SectionedCommand,
    examples=(
        "metameasure table gold.tsv 'runs/*.tsv' --classes neg,neu,pos",
        "metameasure table gold.tsv run.tsv --classes 1..5 --chart table.svg",
    ),
)
@gold_and_runs
@options_of(TableOptions)
@chart_options("Draw heat maps")
@shown_runs_options
@format_option
def command(gold: str, runs: tuple[str, ...], *, chart: str | None, width: str | None, format: str, **options: Any) -> None:
    """Print a table for each RUN: precision, recall, F1 and support by class, and the confusion table.

    For entailment it adds the two-way table, for distributions it shows those of gold and runs, and for rankings how many pairs
    of items a run orders as humans do, the other way, or not at all. All topics are taken as one.
    """
    from metameasure.evaluating.tables import table  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([gold, *runs, *input_files(options)], chart=chart, width=width)
    outputs.present(table(gold, list(runs), **called(TableOptions, options)), format)
