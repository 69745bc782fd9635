"""``metameasure axioms``: which formal properties measures have, found by search."""

from __future__ import annotations

from typing import Any

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.options import SectionedCommand, called, format_option, input_files, options_of, page_option
from metameasure.cli.outputs import OutputFiles, chart_options, coloured
from metameasure.tasks.option_groups import AxiomOptions


@click.command(
    "axioms",
    cls=SectionedCommand,
    examples=(
        "metameasure axioms cem_ord kappa_linear",
        "metameasure axioms --properties symmetric,bounded --trials 1000",
    ),
)
@click.argument("measures", nargs=-1, metavar="[MEASURE...]")
@options_of(AxiomOptions)
@chart_options("Draw the answer too")
@page_option
@format_option
def command(
    measures: tuple[str, ...], *, chart: str | None, width: str | None, page: str | None, format: str, **options: Any
) -> None:
    """Find out which formal properties measures have.

    Every property is decided by search: on all small cases, the smallest first, then on larger ones at random. For one that
    fails it shows the smallest counterexample, for one that holds how many cases were tried, and for each what the papers claim.
    Without MEASURE it tries all measures, or with --plugin those of the plugin.
    """
    from metameasure.properties.search import axioms  # noqa: PLC0415 - arrays load when there is something to do

    outputs = OutputFiles.of([options["resume"], *input_files(options)], chart=chart, width=width, page=page)
    keywords = called(AxiomOptions, options)
    names = list(measures) or [name for name in keywords["registry"] if name not in default_registry()]
    verdicts = axioms(names or None, **keywords)
    outputs.present(verdicts, coloured(format), title="Properties of measures")
