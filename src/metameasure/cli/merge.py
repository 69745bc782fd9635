"""``metameasure merge``: evidence that was counted apart, as one."""

from __future__ import annotations

import click

from metameasure.cli.options import SectionedCommand, output_option
from metameasure.cli.outputs import OutputFiles


@click.command(
    "merge",
    cls=SectionedCommand,
    examples=("metameasure merge part1.npz part2.npz -o all.npz", "metameasure merge 'part*.npz' -o all.npz"),
)
@click.argument("parts", nargs=-1, required=True, metavar="EVIDENCE...")
@output_option("FILE", "The file to write.")
def command(parts: tuple[str, ...], target: str) -> None:
    """Add up evidence files that metameasure count wrote.

    Parts hold other items, topics or segments of the same runs, or other runs on the same gold. The same part twice is an error,
    and so are parts that were read with different options.
    """
    from metameasure.evaluating.evidence_files import merge  # noqa: PLC0415 - engines load when there is something to do

    OutputFiles.of(parts, output=target)
    whole = merge(parts)
    whole.save(target)
    click.echo(f"{target}: {whole}")
