"""``metameasure compare``: which differences between runs are real."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    called,
    format_option,
    gold_and_runs,
    input_files,
    measures_option,
    one_file_per_option,
    options_of,
    scores_of_runs,
    shown_runs_options,
    wanted_measures,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import UsageError
from metameasure.tasks.option_groups import CompareOptions


@click.command(
    "compare",
    cls=SectionedCommand,
    common=(
        "measures",
        "against",
        "test",
        "units",
        "trials",
        "alpha",
        "better",
        "average",
        "task",
        "classes",
        "chart",
        "format",
    ),
    examples=(
        "metameasure compare scores.csv --measures cem_ord",
        "metameasure compare gold.tsv a.tsv b.tsv --classes 1..5 --measures kappa",
    ),
)
@gold_and_runs
@measures_option("The measures to compare by (optional if the scores are of one measure).")
@options_of(CompareOptions)
@one_file_per_option
@chart_options("Draw the comparison, a panel for each measure")
@click.option(
    "--diagram",
    type=click.Choice(("means", "critical", "letters", "matrix")),
    help="What to draw: means with intervals (the default), the critical-difference diagram, lines that join the runs of a "
    "letter, or the matrix of p-values (with --chart).",
)
@shown_runs_options
@format_option
def command(
    gold: str,
    runs: tuple[str, ...],
    *,
    format: str,
    measures: str | None,
    one_file_per: str,
    chart: str | None,
    width: str | None,
    diagram: Any,
    **options: Any,
) -> None:
    """Compare runs by one or more measures: means, p-values, effect sizes, and which differences you may claim.

    Takes a file of scores (as written by evaluate --scores, or a matrix of another tool with topics down and runs across), or
    GOLD and RUN... as evaluate does, or an evidence file. If there are six topics or more, it compares means over topics; with
    fewer, means over these topics by their items; one test set item by item, or cluster by cluster.
    """
    from metameasure.comparing.compare import compare  # noqa: PLC0415 - engines load when there is something to do

    if diagram and not chart:
        raise UsageError("--diagram needs a chart", hint="add --chart FILE")
    outputs = OutputFiles.of([gold, *runs, *input_files(options)], chart=chart, width=width)
    keywords = called(CompareOptions, options)
    if one_file_per == "run":
        found = compare(scores_of_runs([gold, *runs], measures), **keywords)
    else:
        named = wanted_measures(measures, gold, runs, keywords)
        found = compare(gold, list(runs), named if len(named) > 1 else named[0] if named else None, **keywords)
    outputs.present(found, format, chart=partial(found.chart, diagram=diagram or "means"))
