"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from metameasure.show.table import output_formats

FORMATS = tuple(name for name, format in output_formats().items() if format.offered)

format_option = click.option(
    "--format", "format", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print the answer."
)


def measures_option(help: str) -> Callable[..., Any]:
    """Which measures, under either name."""
    return click.option("--measures", "--measure", "measures", metavar="M,...", help=help)


plugin_option = click.option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="FILE",
    help="A Python file with measures of your own, which is run. May be repeated.",
)


resume_option = click.option(
    "--resume", metavar="FILE", help="Keep finished pieces of work in FILE; an interrupted run goes on from there."
)

page_option = click.option("--page", metavar="PAGE.html", help="Write the answer as a page too, to be read in a browser.")
