"""``metameasure check``: everything that is wrong with a submission, before it is scored."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.labels import how, label_options


@click.command("check")
@label_options
def command(gold: str, runs: tuple[str, ...], seed: int, **options: Any) -> None:
    """Check every RUN against GOLD: items, labels, encoding, columns.

    Prints what there is and exits with 0, or names every problem with its file and line and exits with 1.
    """
    from metameasure.evaluation import labels  # noqa: PLC0415 - engines load when there is something to do

    counts = labels(gold, list(runs), seed=seed, **how(options)).counts()
    items = counts.item_tables().sum(axis=(1, 2, 3))
    for run, number in zip(counts.runs, items, strict=True):
        click.echo(f"ok  {run}: {int(number)} items")
    topics = f"{len(counts.topics)} topics" if len(counts.topics) > 1 else "one topic"
    click.echo(f"{len(counts.runs)} run(s), {topics}, {len(counts.scale)} classes: nothing is wrong.")
    for note in counts.notes:
        click.echo(f"{note}.")
