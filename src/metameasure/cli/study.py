"""``metameasure study``: the papers as programs."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import called, format_option, options_of, page_option
from metameasure.cli.outputs import OutputFiles
from metameasure.tasks.option_groups import StudyOptions


@click.command("study")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@options_of(StudyOptions)
@click.option("--chart", metavar="DIR", help="Draw the papers' figures into the new folder DIR, as SVG files.")
@page_option
@format_option
def command(names: tuple[str, ...], chart: str | None, page: str | None, format: str, **options: Any) -> int:
    """Run the papers as programs: published values, ours, and the difference.

    NAME is amigo2020, avramidis2013, bergmair2009, sakai2021 or sakai2021lq; without NAME all are run, in about two minutes.
    The exit status is 1 if a value that must agree does not. For values that need not agree (an erratum, data that is not public)
    the reason is given. Tasks whose files are not in --data are simulated.
    """
    from metameasure.core.output import check_new_folder  # noqa: PLC0415 - as below
    from metameasure.studies.study import study  # noqa: PLC0415 - arrays load when there is something to do

    outputs = OutputFiles.of([options["data"], options["resume"]], page=page)
    if chart is not None:
        check_new_folder(chart)
    result = study(list(names) or None, **called(StudyOptions, options))
    for path in [] if chart is None else result.charts(chart):
        click.echo(f"metameasure: wrote {path}", err=True)
    outputs.present(result, format, title="Papers as programs")
    for value in result.failures:
        click.echo(f"metameasure: does not agree: {value}", err=True)
    return 1 if result.failures else 0
