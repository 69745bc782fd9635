"""``metameasure design``: how many topics, from scores at hand."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, measures_option, options_of
from metameasure.tasks.option_groups import DesignOptions


@click.command(
    "design",
    cls=SectionedCommand,
    examples=(
        "metameasure design scores.csv --difference 0.05",
        "metameasure design scores.csv --difference 0.05 --runs 10 --power 0.9",
    ),
)
@click.argument("scores", nargs=-1, required=True, metavar="SCORES...")
@measures_option("Which measures (default: all).")
@options_of(DesignOptions)
@format_option
def command(scores: tuple[str, ...], *, format: str, measures: str | None, **options: Any) -> None:
    """Find out how many topics it takes to detect a difference, and which difference these topics can detect.

    SCORES is a file that evaluate --scores wrote, any table with the columns measure, topic, run, score, or matrices with topics
    down and runs across, one for each measure. The variance of each measure comes from these scores. The more runs are compared,
    the more topics it takes to tell two of them apart.
    """
    from metameasure.advice.design import design  # noqa: PLC0415 - engines load when there is something to do

    sys.stdout.write(design(list(scores), measures, **called(DesignOptions, options)).render(format))
