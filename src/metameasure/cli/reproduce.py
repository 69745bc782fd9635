"""``metameasure reproduce``: a result made again from its signature."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    distance_option,
    format_option,
    how,
    input_files,
    plugin_option,
    task_options,
)
from metameasure.cli.outputs import OutputFiles
from metameasure.core.options import names


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
@task_options
@click.option("--annotator-column", metavar="NAME", help="The column with who rated, in ratings.")
@click.option("--annotator-columns", metavar="A,B", help="Which columns hold ratings, one per annotator.")
@click.option("--seed", type=click.IntRange(0), help="Another seed than the signature has.")
@distance_option
@plugin_option
@format_option
def command(signature: str, gold: str | None, runs: tuple[str, ...], *, format: str, **options: Any) -> None:
    """Compute a result again from its SIGNATURE and its data, and say what is the same and what differs.

    GOLD and RUN are what the result was made of: gold and runs, ratings and judges, or a file of scores. Measures, classes and
    all other settings come from the signature; say only how the files are to be read. The exit status is 1 if data, settings or
    numbers differ.
    """
    from metameasure.reproducing import reproduce  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([gold, *runs, *input_files(options)])
    distance, plugins = options.pop("distance"), options["plugins"]
    annotator, columns = options.pop("annotator_column"), names(options.pop("annotator_columns") or "")
    arguments = how(options)
    arguments["columns"] |= {"annotator": annotator} if annotator else {}
    registry = arguments.pop("registry")
    arguments |= {"registry": registry if plugins else None, "distance": distance, "annotator_columns": columns, **options}
    found = reproduce(signature, gold, list(runs) or None, **arguments)
    outputs.present(found, format)
    if not found.same:
        sys.exit(1)
