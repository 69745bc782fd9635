"""``metameasure report``: everything about an evaluation on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    digits_option,
    distance_option,
    how,
    input_files,
    label_options,
    plugin_option,
    primary_option,
    units_option,
)
from metameasure.cli.outputs import OutputFiles
from metameasure.show.formats.json_text import json_text
from metameasure.show.inert import visible


@click.command(
    "report",
    cls=SectionedCommand,
    examples=(
        "metameasure report gold.tsv 'runs/*.tsv' --classes 1..5 -o page.html",
        "metameasure report scores.csv -o page.html",
    ),
)
@label_options
@click.option("-o", "--output", "target", required=True, metavar="PAGE.html", help="The page to write.")
@click.option("--title", metavar="TEXT", default="", help="The title of the page.")
@click.option("--measures", metavar="M,...", help="Which measures, the one to rank by first (default: a few for the task).")
@primary_option
@click.option("--baselines/--no-baselines", default=None, help="Add the scores of constant and random outputs.")
@click.option("--skip-broken", is_flag=True, help="Leave out runs that are wrong, and say so.")
@click.option(
    "--undefined",
    type=click.Choice(["skip", "zero", "worst", "chance"]),
    default="skip",
    show_default=True,
    help="What a score that is undefined counts as; skip leaves the topic out for all runs.",
)
@click.option("--trials", type=click.IntRange(1), default=5000, show_default=True, help="How many random trials the tests make.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option(
    "--better",
    type=click.Choice(["higher", "lower"]),
    help="Which scores are better, for measures that metameasure does not know.",
)
@units_option
@click.option("--properties", is_flag=True, help="Search for formal properties of the measures too: some seconds for each.")
@distance_option
@plugin_option
@digits_option
@click.option(
    "--format",
    "written_as",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the answer at the top of the page is printed: json has its findings, with their kinds and numbers.",
)
def command(gold: str, runs: tuple[str, ...], target: str, written_as: str, **options: Any) -> None:
    """Write a page about an evaluation: who is best, whether that is real, and how good the measures are.

    Takes GOLD and RUN... as evaluate does, a file of evidence, or a file of scores; from scores, it leaves out what needs
    gold. The page is one file that loads nothing: it opens from disk, and can be mailed.
    """
    from metameasure.page.report import check_page_path, report  # noqa: PLC0415 - engines load when there is something to do

    check_page_path(target)
    OutputFiles.of([gold, *runs, *input_files(options)], output=target)
    made = report(gold, target, list(runs) or None, **how(options), **options)
    if written_as == "json":
        click.echo(json_text({"page": target, **made.to_dict()}), nl=False)
        return
    click.echo(visible(str(made)))
    click.echo(f"Wrote {target} ({Path(target).stat().st_size / 1000:,.0f} kB).")
