"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from metameasure.cli.sections import SectionedOption
from metameasure.options import Option
from metameasure.show.table import output_formats

FORMATS = tuple(name for name, format in output_formats().items() if format.offered)

format_option = click.option(
    "--format", "format", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print the answer."
)


def click_option(declared: Option, *, default: Any = None, section: str = "", hidden: bool = False) -> Callable[..., Any]:
    """An option of the command line as it is declared. A default that is given is shown."""
    facts: dict[str, Any] = {"help": declared.help, "metavar": declared.metavar, "hidden": hidden, "multiple": declared.repeated}
    if declared.choices:
        facts |= {"type": click.Choice(declared.choices)}
    elif declared.type is bool:
        facts |= {"is_flag": True, "default": None}
    elif declared.type is int:
        facts |= {"type": click.IntRange(declared.least)}
    elif declared.type is float:
        facts |= {"type": float}
    else:
        facts |= {"type": str, "callback": lambda _, __, text: declared.type(text) if isinstance(text, str) else text}
    if default is not None:
        facts |= {"default": default, "show_default": True}
    if section or declared.section:
        facts |= {"cls": SectionedOption, "section": section or declared.section}
    return click.option(f"--{declared.name}", declared.passed_as, **facts)


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
