"""``metameasure count``: gold and runs reduced to evidence, which is merged and scored later."""

from __future__ import annotations

import shutil
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, gold_and_runs, input_files, options_of, output_option
from metameasure.cli.outputs import OutputFiles
from metameasure.core.messages import sentence
from metameasure.core.problems import is_left_out
from metameasure.show.inert import visible
from metameasure.tasks.option_groups import CountingOptions


@click.command(
    "count",
    cls=SectionedCommand,
    examples=(
        "metameasure count gold.tsv run.tsv --classes 1..5 -o part1.npz",
        "metameasure count 'parts/*.parquet' --classes 1..5 --resume -o all.npz",
    ),
)
@gold_and_runs
@options_of(CountingOptions)
@click.option("--resume", is_flag=True, help="Count part by part, and keep each; an interrupted call goes on from there.")
@output_option("FILE", "The file to write, as in part1.npz.")
def command(gold: str, runs: tuple[str, ...], target: str, *, resume: bool, **options: Any) -> None:
    """Read, check and count RUNs against GOLD, and write what measures need to a file.

    Count parts of the data where they are (other items with their gold, other topics, or other runs), add them up with
    metameasure merge, and pass the file to evaluate or compare instead of GOLD and RUN.
    """
    from metameasure.evaluating.evidence_files import count  # noqa: PLC0415 - engines load when there is something to do

    OutputFiles.of([gold, *runs, *input_files(options)], output=target)
    folder = f"{target}.parts"
    evidence = count(gold, list(runs), **called(CountingOptions, options), resume=folder if resume else None)
    evidence.save(target)
    if resume:
        shutil.rmtree(folder, ignore_errors=True)
    click.echo(f"{target}: {evidence}")
    for said in filter(is_left_out, evidence.notes):
        click.echo(visible(sentence(said)))
