"""``metameasure clean``: submissions as people send them, made into files that can be scored."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, options_of, output_option
from metameasure.cli.outputs import print_checked
from metameasure.tasks.option_groups import CleanOptions


@click.command(
    "clean",
    cls=SectionedCommand,
    common=("target", "map", "encoding", "task", "classes", "bins", "item_column", "label_column", "missing", "format"),
    examples=(
        "metameasure clean gold.tsv submissions/ -o cleaned --classes -2..2",
        "metameasure clean gold.tsv '*.zip' -o cleaned --classes a,b --map 0=a,1=b",
    ),
)
@click.argument("gold")
@click.argument("submissions", nargs=-1, required=True, metavar="SUBMISSION...")
@output_option("DIR", "The folder to make.")
@options_of(CleanOptions)
@format_option
def command(gold: str, submissions: tuple[str, ...], target: str, format: str, **options: Any) -> None:
    """Repair what is wrong with submissions where its meaning is certain, in copies, and name the rest.

    SUBMISSION is a file, a folder or a ZIP archive. DIR then holds gold.csv, runs/ with every run that can be scored, left/ with
    those that still cannot, and the log of all changes by file and line, log.txt and log.json. What is left goes to standard
    error, and the exit status is 1 if there is any. Nothing is changed in place.
    """
    from metameasure.cleaning.clean import clean  # noqa: PLC0415 - engines load when there is something to do

    print_checked(clean(gold, list(submissions), target, **called(CleanOptions, options)), format)
