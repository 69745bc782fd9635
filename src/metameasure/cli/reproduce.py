"""``metameasure reproduce``: a result made again from its signature."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, input_files, options_of
from metameasure.cli.outputs import OutputFiles
from metameasure.tasks.option_groups import ReproduceOptions


@click.command(
    "reproduce",
    cls=SectionedCommand,
    common=("item_column", "topic_column", "label_column", "format_in", "plugins", "distance", "format"),
    examples=(
        "metameasure reproduce 'task:...|version:0.3.0' gold.tsv 'runs/*.tsv'",
        "metameasure reproduce 'command:design|...|version:0.3.0' scores.csv",
    ),
)
@click.argument("signature")
@click.argument("gold", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@options_of(ReproduceOptions)
@format_option
def command(signature: str, gold: str | None, runs: tuple[str, ...], *, format: str, **options: Any) -> None:
    """Compute a result again from its SIGNATURE and its data, and say what is the same and what differs.

    GOLD and RUN are what the result was made of: gold and runs, ratings and judges, or a file of scores. Measures, classes and
    all other settings come from the signature; say only how the files are to be read. The exit status is 1 if data, settings or
    numbers differ.
    """
    from metameasure.reproducing.reproduce import reproduce  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([gold, *runs, *input_files(options)])
    distance, plugins = options.pop("distance"), options["plugins"]
    keywords = called(ReproduceOptions, options) | {"distance": distance}
    registry = keywords.pop("registry")
    found = reproduce(signature, gold, list(runs) or None, registry=registry if plugins else None, **keywords)
    outputs.present(found, format)
    if not found.same:
        sys.exit(1)
