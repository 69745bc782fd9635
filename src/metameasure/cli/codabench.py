"""``metameasure codabench``: a competition to upload, made from the settings of an evaluation."""

from __future__ import annotations

import click


@click.command("codabench")
@click.argument("config")
@click.option("-o", "--output", "target", required=True, metavar="BUNDLE.zip", help="The bundle to write.")
def command(config: str, target: str) -> None:
    """Write the bundle of a Codabench competition: scoring program, gold, leaderboard and pages.

    CONFIG is a TOML file: title, gold and measures (the primary one first); how submissions are read, as evaluate takes it
    (task, classes, missing, ...); and where the program runs: image, a Docker image that has metameasure, or wheels, a folder
    of wheels that the bundle carries. Perhaps also description, logo, terms and start.
    """
    from metameasure.competition.bundle import competition  # noqa: PLC0415 - loaded when there is something to do

    columns = competition(config, target)
    click.echo(f"Wrote {target}. Its leaderboard has {', '.join(columns)}; {columns[0]} is the primary measure.")
