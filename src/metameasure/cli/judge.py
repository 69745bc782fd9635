"""``metameasure judge``: may a judge stand in for one of the people?"""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.correction import CORRECT, refuse_without_correction
from metameasure.cli.options import (
    SectionedCommand,
    called,
    click_option,
    format_option,
    input_files,
    options_of,
    page_option,
    part_of,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.tasks.rating_options import CorrectOptions, JudgeOptions, SampledOptions


@click.command(
    "judge",
    cls=SectionedCommand,
    examples=(
        "metameasure judge ratings.csv judge.csv --classes 1..5",
        "metameasure judge people.csv gpt.csv --classes 1..5 --correct --sampled random",
    ),
)
@click.argument("ratings")
@click.argument("judges", nargs=-1, metavar="[JUDGE]...")
@options_of(JudgeOptions)
@click_option(CORRECT)
@options_of(SampledOptions)
@chart_options("Draw judges and people on one axis")
@page_option
@format_option
def command(
    ratings: str,
    judges: tuple[str, ...],
    *,
    format: str,
    chart: str | None,
    width: str | None,
    page: str | None,
    correct: bool | None,
    sampled: str | None,
    strata_column: str | None,
    **options: Any,
) -> None:
    """Test judges: do they agree with people as well as people do with each other?

    RATINGS are people's ratings, as for agree. Each JUDGE is a file with the columns item and label (or the alt-test's JSON), on
    the same items; --judges names the judges among the annotators. Each judge and each person is scored against the same
    other people on the same items.

    With --correct, people have labelled some of the items that a judge labelled: what are the mean label and the share of each
    class, over all items?
    """
    from metameasure.judging.call import judge  # noqa: PLC0415 - engines load when there is something to do
    from metameasure.judging.correcting import correct as corrected  # noqa: PLC0415

    outputs = OutputFiles.of([ratings, *judges, *input_files(options)], chart=chart, width=width, page=page)
    how: dict[str, Any] = {"sampled": sampled, "strata_column": strata_column}
    if correct:
        found = corrected(ratings, list(judges), **part_of(CorrectOptions, called(JudgeOptions, options)), **how)
        outputs.present(found, format, title="Labels corrected")
        return
    refuse_without_correction(how, "--correct")
    judgement = judge(ratings, list(judges), **called(JudgeOptions, options))
    outputs.present(judgement, format, title="Judges on trial")
