"""``metameasure explain``: which items made the difference between two runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, options_of
from metameasure.tasks.option_groups import ExplainOptions


@click.command(
    "explain",
    cls=SectionedCommand,
    common=("measure", "texts", "most", "average", "task", "classes", "missing", "item_column", "label_column", "format"),
    examples=(
        "metameasure explain gold.tsv a.tsv b.tsv --classes 1..5 --measure cem_ord",
        "metameasure explain gold.tsv a.tsv b.tsv --classes 1..5 --texts items.csv",
    ),
)
@click.argument("gold")
@click.argument("first", metavar="[A]", required=False)
@click.argument("second", metavar="[B]", required=False)
@options_of(ExplainOptions)
@format_option
def command(gold: str, first: str | None, second: str | None, format: str, **options: Any) -> None:
    """Show the items on which runs A and B differ: those that moved the measure most first, by gold's class.

    The influence of an item is half of what the difference A - B loses where the two runs swap their outputs for it. Rankings and
    distributions are explained by topics. Outcomes have no gold: name A and B alone, or one file that holds both runs, as a file
    of labels may hold them beside gold (--run-columns A,B).
    """
    from metameasure.evaluating.explain import explain  # noqa: PLC0415 - engines load when there is something to do

    sys.stdout.write(explain(gold, first, second, **called(ExplainOptions, options)).render(format))
