"""``metameasure advise``: which measure to report on data like these."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, format_option, how, input_files, label_options, plugin_option
from metameasure.cli.outputs import OutputFiles, chart_options


@click.command(
    "advise",
    cls=SectionedCommand,
    examples=("metameasure advise gold.tsv runs/*.tsv --classes 1..5", "metameasure advise scores.csv"),
)
@label_options
@click.option("--no-distances", is_flag=True, help="Ask for measures that assume no distances between ordered classes.")
@chart_options("Draw how the measures compare")
@plugin_option
@format_option
def command(gold: str, runs: tuple[str, ...], *, chart: str | None, width: str | None, format: str, **options: Any) -> None:
    """Recommend a primary and a secondary measure for your data, with reasons, in at most ten lines.

    Takes GOLD and RUN... as evaluate does, or a file of scores. It names the first measure that papers recommend for such data
    and that 'meta all' calls fit to be the primary one on yours; where your data cannot tell, it recommends nothing.
    """
    from metameasure.advice.advising import advise  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([gold, *runs, *input_files(options)], chart=chart, width=width)
    outputs.present(advise(gold, list(runs) or None, **how(options), **options), format)
