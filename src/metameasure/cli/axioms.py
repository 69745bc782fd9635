"""``metameasure axioms``: which formal properties measures have, found by search."""

from __future__ import annotations

from typing import Any

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.options import (
    SectionedCommand,
    distance_option,
    distance_table,
    format_option,
    page_option,
    plugin_option,
    resume_option,
    seed_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options, coloured


@click.command(
    "axioms",
    cls=SectionedCommand,
    examples=(
        "metameasure axioms cem_ord kappa_linear",
        "metameasure axioms --properties symmetric,bounded --trials 1000",
    ),
)
@click.argument("measures", nargs=-1, metavar="[MEASURE...]")
@click.option("--task", help="Only the measures of one task.")
@click.option("--properties", metavar="P,...", help="Which properties (default: all that apply).")
@click.option("--classes", metavar="C", help="The classes' names, for measures that name one, as recall@positive does.")
@distance_option
@click.option(
    "--trials",
    type=click.IntRange(0),
    default=200_000,
    show_default=True,
    help="How many larger cases to draw where the small ones do not decide.",
)
@seed_option
@click.option("--threads", type=click.IntRange(1), metavar="N", help="How many threads to use.")
@chart_options("Draw the answer too")
@page_option
@resume_option
@plugin_option
@format_option
def command(
    measures: tuple[str, ...],
    *,
    distance: str | None,
    classes: str | None,
    chart: str | None,
    width: str | None,
    page: str | None,
    plugins: tuple[str, ...],
    format: str,
    **options: Any,
) -> None:
    """Find out which formal properties measures have.

    Every property is decided by search: on all small cases, the smallest first, then on larger ones at random. For one that
    fails it shows the smallest counterexample, for one that holds how many cases were tried, and for each what the papers claim.
    Without MEASURE it tries all measures, or with --plugin those of the plugin.
    """
    from metameasure.properties.search import axioms  # noqa: PLC0415 - arrays load when there is something to do

    outputs = OutputFiles.of([distance, options["resume"], *plugins], chart=chart, width=width, page=page)
    registry = default_registry().with_plugins(plugins)
    names = list(measures) or [name for name in registry if plugins and name not in default_registry()]
    table = distance_table(distance, {"classes": classes, "kind": None})
    verdicts = axioms(names or None, classes=classes, distance=table, registry=registry, **options)
    outputs.present(verdicts, coloured(format), title="Properties of measures")
