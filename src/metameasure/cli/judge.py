"""``metameasure judge``: may a judge stand in for one of the people?"""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    distance_option,
    format_option,
    input_files,
    page_option,
    plugin_option,
    seed_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.cli.ratings import how, rating_options
from metameasure.core.options import names


@click.command(
    "judge",
    cls=SectionedCommand,
    examples=(
        "metameasure judge ratings.csv judge.csv --classes 1..5",
        "metameasure judge ratings.csv --judges gpt --classes 1..5",
    ),
)
@click.argument("ratings")
@click.argument("judges", nargs=-1, metavar="[JUDGE]...")
@click.option("--judges", "among", metavar="A,B", help="Which of the annotators in RATINGS are judges.")
@rating_options
@click.option("--measures", metavar="M,...", help="Which measures of a table (default: kappa_linear; nominal: kappa).")
@click.option(
    "--gold", type=click.Choice(["each", "median", "majority", "mean", "distribution"]), default="each", show_default=True,
    help="What a judge is compared with: each person, or one label made of all.",
)  # fmt: skip
@click.option(
    "--majority-ties", type=click.Choice(["lowest", "drop"]), default="lowest", show_default=True,
    help="How to break a tied majority: take its lowest class, or no gold.",
)  # fmt: skip
@click.option("--margin", type=float, default=0.1, show_default=True, help="By how much a judge may be worse than a person.")
@click.option(
    "--epsilon",
    type=float,
    default=0.2,
    show_default=True,
    help="The epsilon of the alt-test: .2 for experts, .15 for skilled workers, .1 for crowds.",
)
@click.option(
    "--alignment",
    type=click.Choice(["accuracy", "rmse"]),
    help="How the alt-test compares labels (default: rmse; nominal: accuracy).",
)
@click.option(
    "--minimum",
    type=click.IntRange(2),
    default=30,
    show_default=True,
    help="The fewest items that a person must share with others.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option("--level", type=float, default=0.95, show_default=True, help="The level of the intervals.")
@click.option("--trials", type=click.IntRange(1), default=1000, show_default=True, help="How many samples and swaps to draw.")
@seed_option
@chart_options("Draw judges and people on one axis")
@distance_option
@page_option
@plugin_option
@format_option
def command(
    ratings: str,
    judges: tuple[str, ...],
    *,
    format: str,
    chart: str | None,
    width: str | None,
    page: str | None,
    among: str | None,
    **options: Any,
) -> None:
    """Test judges: do they agree with people as well as people do with each other?

    RATINGS are people's ratings, as for agree. Each JUDGE is a file with the columns item and label (or the alt-test's JSON), on
    the same items; --judges names the judges among the annotators. Each judge and each person is scored against the same
    other people on the same items.
    """
    from metameasure.judging.call import judge  # noqa: PLC0415 - engines load when there is something to do

    outputs = OutputFiles.of([ratings, *judges, *input_files(options)], chart=chart, width=width, page=page)
    judgement = judge(ratings, list(judges), among=names(among or ""), **how(options), **options)
    outputs.present(judgement, format, title="Judges on trial")
