"""``metameasure check``: everything that is wrong with a submission, before it is scored."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, gold_and_runs, options_of
from metameasure.show.inert import visible
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
    first line and the number of times. The exit status is 1 if there are any.
    """
    from metameasure.evaluating.check import check  # noqa: PLC0415 - engines load when there is something to do

    report = check(gold, list(runs), **called(DataOptions, options))
    if format == "table":
        sys.stdout.write(visible("".join(f"{line}\n" for line in report.lines())))
        sys.stderr.write(visible("".join(f"{problem}\n" for problem in report.problems())))
    else:
        sys.stdout.write(report.render(format))
    if not report.ok:
        sys.exit(1)
