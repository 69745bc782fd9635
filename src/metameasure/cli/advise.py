"""``metameasure advise``: which measure to report on data like these."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, gold_and_runs, input_files, options_of
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.tasks.option_groups import AdviseOptions


@click.command(
    "advise",
    cls=SectionedCommand,
    examples=("metameasure advise gold.tsv runs/*.tsv --classes 1..5", "metameasure advise scores.csv"),
)
@gold_and_runs
@options_of(AdviseOptions)
@chart_options("Draw how the measures compare")
@format_option
def command(gold: str, runs: tuple[str, ...], *, chart: str | None, width: str | None, format: str, **options: Any) -> None:
    """Recommend a primary and a secondary measure for your data, with reasons, in at most ten lines.

    Takes GOLD and RUN... as evaluate does, or a file of scores. It names the first measure that papers recommend for such data
    and that 'meta all' calls fit to be the primary one on yours; where your data cannot tell, it recommends nothing.
    """
    from metameasure.advice.advising import advise  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([gold, *runs, *input_files(options)], chart=chart, width=width)
    outputs.present(advise(gold, list(runs) or None, **called(AdviseOptions, options)), format)
