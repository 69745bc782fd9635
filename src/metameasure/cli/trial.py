"""``metameasure trial``: everything that can be asked of a measure, in one command."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, input_files, options_of
from metameasure.cli.outputs import OutputFiles, chart_options, coloured
from metameasure.tasks.option_groups import TrialOptions


@click.command(
    "trial",
    cls=SectionedCommand,
    examples=(
        "metameasure trial cem_ord --quick",
        "metameasure trial my_measure --plugin my.py -o trial.html",
    ),
)
@click.argument("measures", nargs=-1, required=True, metavar="MEASURE...")
@options_of(TrialOptions)
@click.option("-o", "--output", "page", metavar="FILE", help="Write the trial as a page, to read in a browser.")
@chart_options("Draw how often each measure orders systems rightly")
@format_option
def command(
    measures: tuple[str, ...], *, chart: str | None, width: str | None, page: str | None, format: str, **options: Any
) -> None:
    """Put measures on trial, and give a verdict on each.

    Formal properties are searched for counterexamples. Systems are simulated that err in known ways, so that it is known which of
    two is better: how often does the measure say so, with few items, few topics, classes of unequal size and noise in gold? It is
    held against the established measures of its task: is it as stable, and does it tell as many systems apart?
    """
    from metameasure.trials.call import trial  # noqa: PLC0415 - arrays load when there is something to do

    outputs = OutputFiles.of([options["resume"], *input_files(options)], chart=chart, width=width, page=page)
    outputs.present(trial(list(measures), **called(TrialOptions, options)), coloured(format), title="The trial of a measure")
