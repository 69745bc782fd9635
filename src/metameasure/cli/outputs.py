"""The files that a command writes beside what it prints: checked before anything is read, and written together or not at all."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from metameasure.cli.main import QUIET
from metameasure.cli.options import DIGITS
from metameasure.core.errors import UsageError
from metameasure.core.numbers import with_digits
from metameasure.core.output import final_target, real, whole_file
from metameasure.show.inert import visible
from metameasure.show.names import chosen_now
from metameasure.show.write import check_score_path


@dataclass(frozen=True)
class OutputFiles:
    """Where a command writes, by the option that says so."""

    paths: Mapping[str, str]
    width: str = "column"
    """How wide a chart is."""

    @classmethod
    def of(cls, inputs: Iterable[Any], *, width: str | None = None, **named: str | None) -> OutputFiles:
        """UsageError for a file that could not be written: of no known format, in no folder, an input, or named twice; and for a
        width that is none, or where nothing is drawn. Options called ``chart`` name charts, ``page`` pages, ``output`` a file of
        any name, all others tables."""
        paths = {option: path for option, path in named.items() if path is not None}
        read = {target for source in inputs if source for target in _files(str(source))}
        seen: dict[Path, str] = {}
        for option, path in paths.items():
            shown = f"--{option.replace('_', '-')}"
            if not path:
                raise UsageError(f"{shown} names no file", hint="name the file to write, or leave the option out")
            if option == "chart":
                from metameasure.show.canvas import check_chart_path  # noqa: PLC0415 - only where a chart is asked for

                check_chart_path(path)
            elif option == "page":
                from metameasure.page.report import check_page_path  # noqa: PLC0415 - only where a page is asked for

                check_page_path(path)
            elif option != "output":
                check_score_path(path)
            target = real(final_target(path))
            if target in read:
                raise UsageError(f"{shown} would overwrite '{path}', which is an input", hint="choose another name")
            if target in seen:
                raise UsageError(f"{seen[target]} and {shown} name the same file, '{path}'", hint="choose another name")
            seen[target] = shown
        check_width(width, "chart" in paths)
        return cls(paths, width or "column")

    def present(self, result: Any, format: str, *, title: str = "", **writers: Callable[..., Any]) -> None:
        """Print a result, once its files are written: its chart, its page under a title, and others by their writers. They take
        their places together, and are named on standard error, unless the user wants nothing there."""
        context = click.get_current_context()
        chosen_now().checked(result.all_runs())
        text = result.render(format)
        writers = {"chart": result.chart, "page": partial(_write_page, result, title), **writers}
        with ExitStack() as stack, with_digits(context.meta.get(DIGITS)):
            for option, path in self.paths.items():
                how = {"width": self.width} if option == "chart" else {}
                writers[option](stack.enter_context(whole_file(path)), **how)
        if not context.meta.get(QUIET):
            for path in self.paths.values():
                click.echo(f"metameasure: wrote {path}", err=True)
        sys.stdout.write(text)


def check_width(width: str | None, drawn: bool) -> None:
    """UsageError for what is no width, and for a width where nothing is drawn."""
    if width is None:
        return
    if not drawn:
        raise UsageError("--width only applies to a chart", hint="add --chart FILE")
    from metameasure.show.canvas import inches  # noqa: PLC0415 - only where a chart is asked for

    inches(width)


def width_option(default: str) -> Callable[..., Any]:
    """``--width``; of the two widths that have names, which is the default."""
    said = {"column": "column (3.3 in)", "page": "page (6.9 in)"}
    said[default] = f"{said[default][:-1]}, the default)"
    return click.option(
        "--width",
        metavar="column|page|INCHES",
        help=f"How wide the chart is: {said['column']}, {said['page']}, or INCHES.",
    )


def chart_options(help: str) -> Callable[..., Any]:
    """``--chart``, of which ``help`` says what is drawn, and ``--width``."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        drawn: Callable[..., Any] = width_option("column")(command)
        return click.option("--chart", metavar="FILE", help=f"{help}: an SVG, PDF or PNG file.")(drawn)

    return decorate


def _files(written: str) -> list[Path]:
    """The files that an argument stands for."""
    matched = glob.glob(written, recursive=True)  # noqa: PTH207 - as the shell does
    return [Path(os.path.realpath(match)) for match in matched or [written]]


def _write_page(result: Any, title: str, path: Path) -> None:
    from metameasure.page.report import page_of_result  # noqa: PLC0415 - only where a page is asked for

    page_of_result(result, title).save(path)


def print_checked(found: Any, format: str) -> None:
    """Print what was checked, a line for each file that is right, and problems to standard error; the exit status is 1 if there
    are any. Formats for programs have both in one."""
    if format == "table":
        print_lines(found.lines(), sys.stdout)
        print_lines(found.problems(), sys.stderr)
    else:
        sys.stdout.write(found.render(format))
    if not found.ok:
        sys.exit(1)


def print_lines(lines: Iterable[Any], stream: TextIO) -> None:
    """Lines in which no name does anything but be read."""
    stream.write(visible("".join(f"{line}\n" for line in lines)))


def coloured(format: str) -> str:
    """The format, in colours where a table goes to a terminal that takes them."""
    return "terminal" if format == "table" and sys.stdout.isatty() and "NO_COLOR" not in os.environ else format
