"""``metameasure ranks``: which ranks are real."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    called,
    format_option,
    gold_and_runs,
    input_files,
    listed_names,
    measures_option,
    one_file_per_option,
    options_of,
    scores_of_runs,
    shown_runs_options,
    wanted_measures,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import UsageError
from metameasure.tasks.option_groups import RankOptions


@click.command(
    "ranks",
    cls=SectionedCommand,
    common=(
        "measures",
        "test",
        "units",
        "alpha",
        "better",
        "incomplete",
        "across",
        "average",
        "task",
        "classes",
        "chart",
        "format",
    ),
    examples=(
        "metameasure ranks scores.csv --measures cem_ord",
        "metameasure ranks battles.jsonl --judge-column judge",
    ),
)
@gold_and_runs
@measures_option("The measure to rank by (optional if the scores are of one measure).")
@options_of(RankOptions)
@one_file_per_option
@chart_options("Draw a bar from the first to the last possible rank of each run")
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
    **options: Any,
) -> None:
    """Find out which ranks are real: of each run the ranks that it may truly have, all at once with 95% confidence.

    Takes what compare takes. A run's first rank is 1 + the number of runs that beat it, its last one the number of runs less
    those that it beats. Says which runs may be first and how many neighbouring ranks are separated: for other topics like these,
    and of labels in six topics or more also for other items in these topics. Or takes battles (model_a, model_b, winner), and
    ranks models by how often they won, with judges as a sample (--judge-column).
    """
    from metameasure.comparing.ranks import ranks  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([gold, *runs, *input_files(options)], chart=chart, width=width)
    keywords = called(RankOptions, options)
    if keywords.get("across"):
        outputs.present(ranks(gold, list(runs), listed_names(measures) or None, **keywords), format)
        return
    if one_file_per == "run":
        outputs.present(ranks(scores_of_runs([gold, *runs], measures), **keywords), format)
        return
    named = wanted_measures(measures, gold, runs, keywords)
    if len(named) > 1:
        raise UsageError("runs are ranked by one measure at a time", hint=f"name one, as in --measures {named[0]}")
    outputs.present(ranks(gold, list(runs), named[0] if named else None, **keywords), format)
