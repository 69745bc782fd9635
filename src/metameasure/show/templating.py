"""The templates that pages and notebooks share: the rows and cells of a table, and their style."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from metameasure.show.grid import sayable

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = "metameasure.show"


def environment(*packages: str) -> Environment:
    """Templates of these packages and those of every table. Every text is escaped; ``inert`` keeps names from doing anything."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - loaded when HTML is made

    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, _HERE)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["inert"] = sayable
    return made


def template_text(name: str, package: str = _HERE) -> str:
    """A file beside the templates as it stands: a style sheet or a script."""
    return (files(package) / "templates" / name).read_text(encoding="utf-8").strip()
