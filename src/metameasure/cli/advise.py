"""``metameasure advise``: which measure to report on data like these."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.options import SectionedCommand, format_option, how, input_files, label_options, plugin_option
from metameasure.cli.outputs import Outputs, chart_options


@click.command(
    "advise",
    cls=SectionedCommand,
    examples=("metameasure advise gold.tsv runs/*.tsv --classes 1..5", "metameasure advise scores.csv"),
)
@label_options
@chart_options("Draw how the measures compare")
@plugin_option
@format_option
def command(
    gold: str,
    runs: tuple[str, ...],
    *,
    task: str,
    seed: int,
    chart: str | None,
    width: str | None,
    plugins: tuple[str, ...],
    format: str,
    **options: Any,
) -> None:
    """Recommend a primary and a secondary measure for your data, with reasons, in at most ten lines.

    Takes GOLD and RUN... as evaluate does, or a file of scores. It follows the papers' recommendations if a
    small meta-evaluation of your data supports them; otherwise it recommends nothing. With --kind ordinal, no distances between
    the classes are assumed.
    """
    from metameasure.advice.advising import advise  # noqa: PLC0415 - engines load when there is something to do

    outputs = Outputs.of([gold, *runs, *input_files(options), *plugins], chart=chart, width=width)
    found = advise(
        gold, list(runs) or None, task=task, seed=seed, registry=default_registry().with_plugins(plugins), **how(options)
    )
    text = found.render(format)
    outputs.write(chart=found.chart)
    sys.stdout.write(text)
