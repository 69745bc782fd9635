"""What the commands that read many annotators' ratings share: their options, and the call they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from metameasure.cli.options import SectionedOption, decorated, of_measures
from metameasure.core.options import names
from metameasure.core.scale import KINDS

_ROLES = {
    "item": "the items' ids",
    "annotator": "who rated",
    "label": "the ratings",
    "topic": "topics, where ids are the same in each",
    "cluster": "clusters of items that belong together, which are drawn whole",
    "repeat": "the number of a rating, where somebody rated an item several times",
}


def rating_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How ratings are read."""
    options = [
        click.option(
            "--classes",
            metavar="C",
            help="The classes from lowest to highest: neg,neu,pos or 1..5, or low=1,high=5 with values.",
        ),
        click.option("--kind", type=click.Choice(KINDS), help="What the classes are (default: ordinal)."),
        click.option(
            "--annotator-columns", metavar="A,B", help="Which columns hold ratings, one per annotator (default: all others)."
        ),
        *(
            click.option(
                f"--{role}-column", cls=SectionedOption, section="Columns", metavar="NAME", help=f"The column with {what}."
            )
            for role, what in _ROLES.items()
        ),
        click.option("--format-in", metavar="NAME", help="The format, if it is not recognised: alt-test or lewidi."),
        click.option("--threads", type=click.IntRange(1), metavar="N", help="How many threads the engine may use."),
        click.option("--memory", metavar="2GB", help="About how much memory to use."),
    ]
    return decorated(command, options)


def how(options: dict[str, Any]) -> dict[str, Any]:
    """The options as the arguments of ``agreement.rating_reader``; what is not about reading stays in ``options``."""
    named = {role: options.pop(f"{role}_column") for role in _ROLES}
    plain = ("classes", "kind", "format_in", "threads", "memory")
    arguments = {name: options.pop(name) for name in plain} | {
        "counts": options.pop("counts", False),
        "columns": {role: name for role, name in named.items() if name},
        "annotator_columns": names(options.pop("annotator_columns") or ""),
    }
    return arguments | of_measures(options, arguments)
