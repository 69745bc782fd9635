"""``metameasure check``: everything that is wrong with a submission, before it is scored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, gold_and_runs, options_of
from metameasure.cli.outputs import print_checked, print_lines
from metameasure.core.errors import UsageError
from metameasure.tasks.option_groups import DataOptions


@click.command(
    "check",
    cls=SectionedCommand,
    common=("task", "classes", "missing", "extra", "bins", "item_column", "label_column", "topic_column", "format_in", "format"),
    examples=(
        "metameasure check gold.tsv 'runs/*.tsv' --classes neg,neu,pos",
        "metameasure check gold.tsv --classes 1..5 --format json",
    ),
)
@gold_and_runs
@options_of(DataOptions)
@format_option
def command(gold: str, runs: tuple[str, ...], format: str, **options: Any) -> None:
    """Check every RUN against GOLD, or GOLD alone: items, labels, encoding, columns.

    Prints a line for each run that is right. Problems go to standard error, one line for each kind and run, with the file, the
    first line and the number of times. The exit status is 1 if there are any. Where GOLD and RUN are folders, each with a file
    gold... and a folder runs, it prints a table of data sets: classes, topics, items and runs.
    """
    from metameasure.evaluating.check import check, check_data_sets  # noqa: PLC0415 - engines load when there is something to do

    if Path(gold).is_dir():
        if not all(Path(one).is_dir() for one in runs):
            raise UsageError(
                f"'{gold}' is a folder, but not all that follow are", hint="name folders only, for a table of data sets"
            )
        data_sets = check_data_sets([gold, *runs], **called(DataOptions, options))
        sys.stdout.write(data_sets.render(format))
        print_lines(data_sets.problems(), sys.stderr)
        sys.exit(1 if data_sets.problems() else 0)
    print_checked(check(gold, list(runs), **called(DataOptions, options)), format)
