"""``metameasure design``: how many topics, from scores at hand."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, click_option, format_option, measures_option, options_of
from metameasure.core.errors import UsageError
from metameasure.core.options import Option
from metameasure.tasks.option_groups import DesignOptions

LABELS = Option("labels", "How many labels by people an interval takes, where a judge labels everything.", bool)


@click.command(
    "design",
    cls=SectionedCommand,
    examples=(
        "metameasure design scores.csv --difference 0.05 --runs 10 --power 0.9",
        "metameasure design corrected.json --labels --width 0.05",
    ),
)
@click.argument("scores", nargs=-1, required=True, metavar="SCORES...")
@measures_option("Which measures (default: all).")
@options_of(DesignOptions)
@click_option(LABELS)
@format_option
def command(scores: tuple[str, ...], *, format: str, measures: str | None, labels: bool | None, **options: Any) -> None:
    """Find out how many topics it takes to detect a difference, and which difference these topics can detect.

    SCORES is a file that evaluate --scores wrote, any table with the columns measure, topic, run, score, or matrices with topics
    down and runs across, one for each measure. The variance of each measure comes from these scores. The more runs are compared,
    the more topics it takes to tell two of them apart.

    With --labels, SCORES is the JSON of numbers that a judge's labels corrected (evaluate --judge-labels, judge --correct):
    how many labels by people does an interval of that width take?
    """
    from metameasure.advice.design import design  # noqa: PLC0415 - engines load when there is something to do

    if labels:
        from metameasure.advice.labels import label_design  # noqa: PLC0415

        if len(scores) > 1 or options["difference"] is not None or options["runs"] is not None:
            raise UsageError(
                "--labels takes one file and --width, and nothing else", hint="as in design corrected.json --labels --width .05"
            )
        sys.stdout.write(label_design(scores[0], measures, width=options["width"]).render(format))
        return
    sys.stdout.write(design(list(scores), measures, **called(DesignOptions, options)).render(format))
