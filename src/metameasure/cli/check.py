"""``metameasure check``: everything that is wrong with a submission, before it is scored."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.labels import how, label_options
from metameasure.cli.sections import SectionedCommand


@click.command("check", cls=SectionedCommand)
@label_options
def command(gold: str, runs: tuple[str, ...], seed: int, task: str, **options: Any) -> None:
    """Check every RUN against GOLD: items, labels, encoding, columns.

    Prints what there is and exits with 0, or names every problem with its file and line and exits with 1.
    """
    from metameasure.tasks.base import set_up  # noqa: PLC0415 - engines load when there is something to do

    evidence = set_up(task, gold, list(runs), {"seed": seed, **how(options)}).evidence()
    for place, run in enumerate(evidence.runs):
        click.echo(f"ok  {run}: {evidence.size(place)}")
    topics = f"{len(evidence.topics)} {evidence.topic_word}s" if len(evidence.topics) > 1 else f"one {evidence.topic_word}"
    classes = f", {len(evidence.scale)} classes" if evidence.scale else ""
    click.echo(f"{len(evidence.runs)} run(s), {topics}{classes}: nothing is wrong.")
    for note in evidence.notes:
        click.echo(f"{note}.")
