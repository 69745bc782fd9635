"""``metameasure convert``: rankings of any format as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from metameasure.cli.labels import how, with_conversion_options
from metameasure.cli.sections import SectionedCommand
from metameasure.errors import UsageError
from metameasure.notes import sentence


@click.command("convert", cls=SectionedCommand)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@with_conversion_options
@click.option(
    "--ranks",
    type=click.Choice(["minimize", "floor", "ceiling", "middle"]),
    help="How ties are counted: 1,2,2,3 minimized; 1,2,2,4 by their first place; 1,3,3,4 by the last; 1,2.5,2.5,4 by the middle.",
)
def command(source: str, target: str, ranks: Any, **options: Any) -> None:
    """Write the rankings in IN (WMT's CSV, jcml, TREC's qrels, or a table) to OUT: segment, judge, item, rank, and the runs
    that stand beside them (--run-columns). OUT ends in .csv, .tsv, .jsonl or .parquet."""
    from metameasure.show.write import check_score_path  # noqa: PLC0415
    from metameasure.tasks.ranking import Ranked  # noqa: PLC0415
    from metameasure.tasks.ranking_files import write_rankings  # noqa: PLC0415 - engines load when there is something to do

    check_score_path(target)
    if Path(target).resolve() == Path(source).resolve():
        raise UsageError(f"'{target}' would overwrite itself", hint="choose another name")
    given = {name: value for name, value in how(options).items() if value not in (None, (), {})}
    rankings = Ranked.of(source, None, **given).rankings(alone=True)
    write_rankings(rankings, target, ranks)
    click.echo(f"{len(rankings.topics)} rankings of {len(rankings.gold)} items written to {target}.")
    for note in rankings.notes:
        click.echo(sentence(note))
