"""Options of commands that have many, listed by what they are for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class SectionedOption(click.Option):
    """An option that says which section of the help it belongs to."""

    def __init__(self, *args: Any, section: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class SectionedCommand(click.Command):
    """A command whose help has a section for each purpose, plain options first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def option(section: str, *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """An option in a section."""
    return click.option(*args, cls=SectionedOption, section=section, **kwargs)
