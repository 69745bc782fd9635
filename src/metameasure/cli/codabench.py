"""``metameasure codabench``: a competition to upload, made from the settings of an evaluation."""

from __future__ import annotations

import click

from metameasure.cli.options import output_option


@click.command("codabench")
@click.argument("config")
@output_option("BUNDLE.zip", "The bundle to write.")
@click.option(
    "--platform",
    type=click.Choice(["codabench", "codalab"]),
    default="codabench",
    show_default=True,
    help="Where it is uploaded: Codabench, or CodaLab (1.5 and later).",
)
def command(config: str, target: str, platform: str) -> None:
    """Write a competition bundle for Codabench or CodaLab: scoring program, gold, leaderboard and pages.

    CONFIG is a TOML file: title, gold and measures (the primary one first); how to read and score submissions, with the options
    of evaluate (task, classes, missing, undefined, ...); and where the program runs: image, a Docker image that has metameasure,
    or wheels, a folder of wheels that the bundle carries. Optional: description, logo, terms and start.

    The files that CONFIG names are in its own folder. Gold is scored against itself before the bundle is written, so that what
    cannot work is said at once.
    """
    from metameasure.competition.bundle import competition  # noqa: PLC0415 - loaded when there is something to do

    columns = competition(config, target, platform)
    click.echo(f"Wrote {target}. Its leaderboard has {', '.join(columns)}; {columns[0]} is the primary measure.")
