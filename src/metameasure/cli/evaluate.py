"""``metameasure evaluate``: a leaderboard, and a file of scores."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from metameasure.cli.options import (
    SectionedCommand,
    distance_option,
    format_option,
    how,
    input_files,
    label_options,
    measures_option,
    plugin_option,
    primary_option,
    units_option,
    validity_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.errors import UsageError


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
@label_options
@measures_option("Which measures, the one to rank by first (default: a few for the task).")
@primary_option
@click.option(
    "--average", type=click.Choice(["topics", "pooled"]), default="topics", show_default=True, help="What the leaderboard shows."
)
@click.option(
    "--baselines/--no-baselines",
    default=None,
    help="Add the scores of constant and random outputs (entailment: always).",
)
@click.option("--skip-broken", is_flag=True, help="Leave out runs that are wrong, and score the others.")
@click.option(
    "--undefined",
    type=click.Choice(["skip", "zero", "worst", "chance"]),
    default="skip",
    show_default=True,
    help="What a score that is undefined counts as; skip leaves the topic out for all runs.",
)
@click.option("--groups", is_flag=True, help="Add letters: runs that share one do not differ significantly by that measure.")
@click.option("--ranks", is_flag=True, help="Add each run's rank by every measure.")
@click.option("--ci", is_flag=True, help="Add intervals.")
@click.option(
    "--interval",
    type=click.Choice(["auto", "bootstrap", "bayes"]),
    help="How to make intervals (default: auto, which hold with few topics, clusters or items too; bootstrap: those of 0.2; "
    "bayes: credible intervals of one test set).",
)
@units_option
@validity_option
@click.option("--level", type=float, default=0.95, show_default=True, help="The intervals' level.")
@click.option("--trials", type=click.IntRange(1), default=1000, show_default=True, help="The intervals' number of draws.")
@distance_option
@click.option(
    "--scores", "score_file", metavar="FILE", help="Write every score (measure, topic, run) to a CSV, TSV, JSONL or Parquet file."
)
@chart_options("Draw the leaderboard, a panel for each measure")
@click.option("--order-by", metavar="M", help="Draw all measures as lines over the runs, ordered by this one (with --chart).")
@plugin_option
@format_option
def command(
    format: str,
    chart: str | None,
    width: str | None,
    order_by: str | None,
    score_file: str | None,
    **options: Any,
) -> None:
    """Score every RUN against GOLD and print a leaderboard.

    GOLD and RUN are files (CSV, TSV, JSONL, Parquet, also compressed, or in a format of the task), patterns, or - for standard
    input. Without RUN, GOLD is one file that holds the runs too, side by side or stacked.
    """
    from metameasure.evaluation import evaluate  # noqa: PLC0415 - engines load when there is something to do

    if order_by and not chart:
        raise UsageError("--order-by needs a chart", hint="add --chart FILE")
    outputs = OutputFiles.of(input_files(options), scores=score_file, chart=chart, width=width)
    scores = evaluate(options.pop("gold"), list(options.pop("runs")), **how(options), **options)
    outputs.present(scores, format, scores=scores.save, chart=partial(scores.chart, order_by=order_by))
