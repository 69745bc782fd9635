"""``metameasure report``: everything about an evaluation on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from metameasure.cli.options import SectionedCommand, called, digits_option, gold_and_runs, input_files, options_of, output_option
from metameasure.cli.outputs import OutputFiles
from metameasure.show.formats.json_text import json_text
from metameasure.show.inert import visible
from metameasure.tasks.option_groups import ReportOptions


@click.command(
    "report",
    cls=SectionedCommand,
    examples=(
        "metameasure report gold.tsv 'runs/*.tsv' --classes 1..5 -o page.html",
        "metameasure report scores.csv -o page.html",
    ),
)
@gold_and_runs
@output_option("PAGE.html", "The page to write.")
@options_of(ReportOptions)
@digits_option
@click.option(
    "--format",
    "written_as",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the answer at the top of the page is printed: json has its findings, with their kinds and numbers.",
)
def command(gold: str, runs: tuple[str, ...], target: str, written_as: str, **options: Any) -> None:
    """Write a page about an evaluation: who is best, whether that is real, and how good the measures are.

    Takes GOLD and RUN... as evaluate does, a file of evidence, or a file of scores; from scores, it leaves out what needs
    gold. The page is one file that loads nothing: it opens from disk, and can be mailed.
    """
    from metameasure.page.report import check_page_path, report  # noqa: PLC0415 - engines load when there is something to do

    check_page_path(target)
    OutputFiles.of([gold, *runs, *input_files(options)], output=target)
    made = report(gold, list(runs) or None, target, **called(ReportOptions, options))
    if written_as == "json":
        click.echo(json_text({"page": target, **made.to_dict()}), nl=False)
        return
    click.echo(visible(str(made)))
    click.echo(f"Wrote {target} ({Path(target).stat().st_size / 1000:,.0f} kB).")
