"""``metameasure design``: how many topics, from scores at hand."""

from __future__ import annotations

import sys
from typing import Any

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.options import SectionedCommand, format_option, measures_option, plugin_option, seed_option


@click.command(
    "design",
    cls=SectionedCommand,
    examples=(
        "metameasure design scores.csv --difference 0.05",
        "metameasure design scores.csv --difference 0.05 --runs 10 --power 0.9",
    ),
)
@click.argument("scores", nargs=-1, required=True, metavar="SCORES...")
@measures_option("Which measures (default: all).")
@click.option("--difference", type=float, metavar="D", help="The difference between two runs that you want to detect.")
@click.option(
    "--runs", type=click.IntRange(2), metavar="K", help="How many runs will be compared (default: as many as in SCORES)."
)
@click.option("--power", type=float, default=0.8, show_default=True, help="The probability of detecting it.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option("--width", type=float, metavar="W", help="The full width that an interval of a difference should have.")
@click.option("--unpaired", is_flag=True, help="For runs on different topics: take the variance between topics too.")
@click.option(
    "--incomplete", type=click.Choice(["drop-topics", "drop-runs"]), help="What to do about missing or undefined scores."
)
@click.option("--baselines", is_flag=True, help="Keep the baselines among the runs (default: leave them out).")
@click.option("--trials", type=click.IntRange(1), default=5000, show_default=True, help="How many data sets to simulate.")
@seed_option
@plugin_option
@format_option
def command(scores: tuple[str, ...], *, format: str, plugins: tuple[str, ...], **options: Any) -> None:
    """Find out how many topics it takes to detect a difference, and which difference these topics can detect.

    SCORES is a file that evaluate --scores wrote, any table with the columns measure, topic, run, score, or matrices with topics
    down and runs across, one for each measure. The variance of each measure comes from these scores. The more runs are compared,
    the more topics it takes to tell two of them apart.
    """
    from metameasure.advice.design import design  # noqa: PLC0415 - engines load when there is something to do

    sys.stdout.write(design(list(scores), registry=default_registry().with_plugins(plugins), **options).render(format))
