"""``metameasure evaluate``: a leaderboard, and a file of scores."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from metameasure.cli.correction import check_part_of, refuse_without_correction
from metameasure.cli.options import (
    SectionedCommand,
    called,
    click_option,
    format_option,
    gold_and_runs,
    input_files,
    options_of,
    shown_runs_options,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import UsageError
from metameasure.core.options import default_of
from metameasure.tasks.option_groups import CorrectScoresOptions, EvaluateOptions
from metameasure.tasks.rating_options import JUDGE_LABELS, SampledOptions


@click.command(
    "evaluate",
    cls=SectionedCommand,
    common=(
        "task",
        "classes",
        "measures",
        "primary",
        "average",
        "baselines",
        "ci",
        "missing",
        "skip_broken",
        "score_file",
        "chart",
        "format",
    ),
    examples=(
        "metameasure evaluate gold.tsv 'runs/*.tsv' --classes neg,neu,pos --ci",
        "metameasure evaluate qrels.txt run.txt --task ranking --measures ndcg@10",
    ),
)
@gold_and_runs
@options_of(EvaluateOptions)
@click_option(JUDGE_LABELS)
@options_of(SampledOptions)
@click.option(
    "--scores", "score_file", metavar="FILE", help="Write every score (measure, topic, run) to a CSV, TSV, JSONL or Parquet file."
)
@chart_options("Draw the leaderboard, a panel for each measure")
@click.option("--order-by", metavar="M", help="Draw all measures as lines over the runs, ordered by this one (with --chart).")
@click.option("--plane", metavar="X:Y", help="Draw runs as points, measure X across and measure Y up (with --chart).")
@shown_runs_options
@format_option
def command(
    gold: str,
    runs: tuple[str, ...],
    format: str,
    chart: str | None,
    width: str | None,
    order_by: str | None,
    plane: str | None,
    score_file: str | None,
    judge_labels: str | None,
    sampled: str | None,
    strata_column: str | None,
    **options: Any,
) -> None:
    """Score every RUN against GOLD and print a leaderboard.

    GOLD and RUN are files (CSV, TSV, JSONL, Parquet, also compressed, or in a format of the task), patterns, or - for standard
    input. Without RUN, GOLD is one file that holds the runs too, side by side or stacked.
    """
    from metameasure.evaluating.evaluate import evaluate  # noqa: PLC0415 - engines load when there is something to do

    if (order_by or plane) and not chart:
        raise UsageError(f"--{'order-by' if order_by else 'plane'} needs a chart", hint="add --chart FILE")
    if order_by and plane:
        raise UsageError("--order-by and --plane are two charts", hint="draw one of them")
    inputs = [gold, *runs, judge_labels, *input_files(options)]
    outputs = OutputFiles.of(inputs, scores=score_file, chart=chart, width=width)
    how: dict[str, Any] = {"sampled": sampled, "strata_column": strata_column}
    if judge_labels is not None:
        from metameasure.judging.correcting import correct_scores  # noqa: PLC0415

        if score_file or order_by or plane:
            raise UsageError("corrected scores have intervals, and no topics", hint="print them: --format csv or json")
        usual = {name: default_of(field) for name, field in EvaluateOptions.__dataclass_fields__.items()}
        asked = check_part_of(CorrectScoresOptions, called(EvaluateOptions, options), usual)
        outputs.present(correct_scores(gold, list(runs), judge_labels, **asked, **how), format)
        return
    if sampled or strata_column:
        refuse_without_correction(how, "--judge-labels FILE")
    scores = evaluate(gold, list(runs), **called(EvaluateOptions, options))
    outputs.present(scores, format, scores=scores.save, chart=partial(scores.chart, order_by=order_by, plane=plane))
