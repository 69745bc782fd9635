"""The help of commands: on one screen the common options, those of the task at hand and two examples; all options on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from metameasure.tasks.declaration import declarations

_GENERAL = "Options"
_LONGEST_NAMES = 26
_MOST_LINES = 40
_ARGUMENTS = "metameasure.cli.arguments"


class SectionedOption(click.Option):
    """An option that says which section of the help it belongs to."""

    def __init__(self, *args: Any, section: str = _GENERAL, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class SectionedCommand(click.Command):
    """A command with two helps. ``--help`` has the options that are ``common``, in that order, those of the task that the line
    names, and ``examples``; ``--help-all`` has every option, in sections, plain ones first."""

    def __init__(self, *args: Any, common: Sequence[str] = (), examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.common, self.examples = tuple(common), tuple(examples)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=self._print_everything,
                help="Show all options.",
            )
        )

    def _print_everything(self, ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(self.full_help(ctx))
            ctx.exit()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def full_help(self, ctx: click.Context) -> str:
        """Every option, by what it is for."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self._format_examples(formatter)
        for title, options in self._sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl([record for one in options if (record := one.get_help_record(ctx)) is not None])
        self.format_epilog(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What fits on a screen: of the common options as many, the first first, as leave room for those of the task."""
        sections = self._sections(ctx)
        known = {str(one.name): one for options in sections.values() for one in options}
        common = [known[name] for name in self.common if name in known] or sections[_GENERAL]
        common = [one for one in common if one.name != "help_all" and "--help" not in one.opts]
        task = task_at_hand(ctx.meta.get(_ARGUMENTS, ()))
        of_task = [one for title, options in sections.items() if title.lower() == task for one in options if one not in common]
        text = self._short_help(ctx, common, of_task, task)
        while text.count("\n") > _MOST_LINES and len(common) > 1:
            common.pop()
            text = self._short_help(ctx, common, of_task, task)
        formatter.write(text)

    def _short_help(self, ctx: click.Context, common: list[click.Option], of_task: list[click.Option], task: str | None) -> str:
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(" ".join((self.help or "").partition("\n\n")[0].split()))
        self._format_examples(formatter)
        for title, options in ((_GENERAL, common), (f"For the task {task}", of_task)):
            if options:
                with formatter.section(title):
                    formatter.write_dl([_short_record(one, ctx) for one in options], col_max=_LONGEST_NAMES)
        formatter.write_paragraph()
        by_task = not task and any(getattr(one, "section", "").lower() in declarations() for one in self.params)
        formatter.write_text(
            "These are the usual options. "
            + ("--task T --help has those of a task, --help-all every one." if by_task else "--help-all has every one.")
        )
        return formatter.getvalue()

    def _format_examples(self, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")

    def _sections(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        sections: dict[str, list[click.Option]] = {_GENERAL: []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and not parameter.hidden:
                sections.setdefault(getattr(parameter, "section", _GENERAL), []).append(parameter)
        return sections


def task_at_hand(arguments: Sequence[str]) -> str | None:
    """The task that a line of arguments names."""
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--task":
            return value if equals else next(iter(arguments[place + 1 : place + 2]), None)
    return None


def _short_record(one: click.Option, ctx: click.Context) -> tuple[str, str]:
    """An option in a line or two: choices as ..., where they would fill one of their own."""
    record = one.get_help_record(ctx)
    assert record is not None  # noqa: S101 - hidden ones are left out before
    names, text = record
    text = text.replace("  [x>=1]", "").replace("; x>=1]", "]").replace("  [x>=0]", "").replace("; x>=0]", "]")
    choices = "|".join(map(str, one.type.choices)) if isinstance(one.type, click.Choice) else one.metavar or ""
    if not one.is_flag and "|" in choices:
        names = f"{one.opts[-1]} {choices}"
        if len(names) > _LONGEST_NAMES:
            names = one.opts[-1]
            before, default, after = text.partition("  [")
            text = f"{before.rstrip('.')}: {choices.replace('|', ', ')}.{default}{after}"
    return names, text


def option(section: str, *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """An option in a section."""
    return click.option(*args, cls=SectionedOption, section=section, **kwargs)
