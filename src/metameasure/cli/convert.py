"""``metameasure convert``: a file of any format as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, click_option, with_conversion_options
from metameasure.core.errors import UsageError
from metameasure.core.messages import sentence
from metameasure.core.output import final_target, real
from metameasure.show.write import check_score_path
from metameasure.tasks.option_groups import TASK, DataOptions


@click.command(
    "convert",
    cls=SectionedCommand,
    common=("task", "ranks", "run_columns", "gold_are", "tie_epsilon", "aspect", "format_in"),
    examples=(
        "metameasure convert rankings.csv ranks.tsv --ranks middle",
        "metameasure convert gold.json votes.csv --task quantification --aspect A",
    ),
)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click_option(replace(TASK, help="The task of the data (default: recognised by format and columns)."))
@with_conversion_options
@click.option(
    "--ranks",
    type=click.Choice(["minimize", "floor", "ceiling", "middle"]),
    help="How ties are counted: 1,2,2,3 minimized; 1,2,2,4 by their first place; 1,3,3,4 by the last; 1,2.5,2.5,4 by the middle.",
)
def command(source: str, target: str, task: str | None, ranks: Any, **options: Any) -> None:
    """Convert IN, in any format, to a plain table that evaluates to the same numbers.

    Labels become item, topic, label, ...; distributions topic, class, probability; rankings segment, judge, item, rank, and the
    runs in the same file (--run-columns); a run segment, item, score; scores measure, topic, run, score. OUT ends in .csv,
    .tsv, .jsonl or .parquet.
    """
    from metameasure.tasks.conversion import convert  # noqa: PLC0415 - engines load when there is something to do

    if real(final_target(target)) == real(source):
        raise UsageError(f"'{target}' would overwrite itself", hint="choose another name")
    check_score_path(target)
    arguments = called(DataOptions, options)
    done = convert(source, target, task=task, ranks=ranks, **arguments)
    click.echo(f"{done.what} written to {target}.")
    for note in done.notes:
        click.echo(sentence(note))
