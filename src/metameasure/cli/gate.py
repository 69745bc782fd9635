"""``metameasure gate``: may we ship."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, format_option, input_files, options_of
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import UsageError
from metameasure.tasks.option_groups import GateOptions

_MOST_FILES = 3


@click.command(
    "gate",
    cls=SectionedCommand,
    common=(
        "margin", "measures", "baseline", "candidate", "undecided", "alpha", "better", "units", "incomplete", "task", "classes",
        "chart", "format",
    ),
    examples=(
        "metameasure gate old.csv new.csv --margin .02",
        "metameasure gate scores.csv --baseline v1 --candidate v2 --margin .02",
    ),
)  # fmt: skip
@click.argument("files", nargs=-1, required=True, metavar="[GOLD] OLD NEW | FILE")
@options_of(GateOptions)
@chart_options("Draw the difference by each measure, with its bounds and the margin")
@format_option
def command(files: tuple[str, ...], *, format: str, chart: str | None, width: str | None, **options: Any) -> int:
    """Decide whether a new run may take the place of the old one: PASS, FAIL or UNDECIDED.

    PASS (exit status 0): the new run is certainly no more than the margin worse. FAIL (3): it certainly is. UNDECIDED (4): the
    data do not tell; the answer says how many items would. Takes two files of scores, one for each run; or one file with
    several runs and their names; or GOLD first, and the outputs of both.
    """
    from metameasure.comparing.gate import gate  # noqa: PLC0415 - engines load when there is something to do

    keywords = called(GateOptions, options)
    outputs = OutputFiles.of([*files, *input_files(options)], chart=chart, width=width)
    outputs.present(found := gate(*_arranged(files, keywords), **keywords), format)
    return found.exit_status


def _arranged(files: tuple[str, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    """The files as the function takes them. Where the runs are named, those behind gold hold them all."""
    match files:
        case (gold, *runs) if len(runs) > 1 and "baseline" in keywords and "candidate" in keywords:
            return gold, runs, None
        case _ if len(files) <= _MOST_FILES:
            return files
    raise UsageError(f"{len(files)} files, and no names of runs", hint="say which are compared: --baseline A and --candidate B")
