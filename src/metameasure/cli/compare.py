"""``metameasure compare``: which differences between runs are real."""

from __future__ import annotations

from typing import Any

import click

from metameasure.catalogue.parameters import split_unescaped
from metameasure.cli.options import (
    SectionedCommand,
    distance_option,
    flags,
    format_option,
    how,
    input_files,
    label_options,
    measures_option,
    plugin_option,
    units_option,
    validity_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import UsageError
from metameasure.core.options import is_left_out

_OF_SCORES_TOO = ("format_in", "memory")


@click.command(
    "compare",
    cls=SectionedCommand,
    common=(
        "measures",
        "against",
        "test",
        "units",
        "trials",
        "alpha",
        "better",
        "average",
        "task",
        "classes",
        "chart",
        "format",
    ),
    examples=(
        "metameasure compare scores.csv --measures cem_ord",
        "metameasure compare gold.tsv a.tsv b.tsv --classes 1..5 --measures kappa",
    ),
)
@label_options
@measures_option("The measures to compare by (optional if the scores are of one measure).")
@click.option("--against", metavar="RUN", help="Compare all runs with this one only.")
@click.option(
    "--test",
    type=click.Choice(["stepwise", "tukey", "classical", "permutation", "bootstrap"]),
    help="The test (default: stepwise over topics, with --against sign flips; permutation over items and of pooled rankings).",
)
@click.option(
    "--correction",
    type=click.Choice(["none", "holm", "bh", "maxt"]),
    help="For permutation and bootstrap tests of many pairs (default: holm; over items of several topics maxt).",
)
@click.option(
    "--correction-across",
    type=click.Choice(["measures"]),
    help="Correct p-values for the number of measures too (default: for the pairs of runs only).",
)
@units_option
@validity_option
@click.option(
    "--interval",
    type=click.Choice(["auto", "bootstrap"]),
    default="auto",
    show_default=True,
    help="How to make the runs' intervals: as evaluate does, or as in 0.2.",
)
@click.option("--trials", type=click.IntRange(1), default=5000, show_default=True, help="How many random trials.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option(
    "--better",
    type=click.Choice(["higher", "lower"]),
    help="Which scores are better, for a measure that metameasure does not know.",
)
@click.option(
    "--incomplete", type=click.Choice(["drop-topics", "drop-runs"]), help="What to do about missing or undefined scores."
)
@click.option("--leave-out", metavar="RUN", multiple=True, help="A run that is not compared. May be repeated.")
@click.option("--simultaneous", is_flag=True, help="Intervals of the differences that hold for all pairs at once.")
@click.option("--baselines", is_flag=True, default=None, help="Keep the baselines among scores (default: leave them out).")
@click.option(
    "--average", type=click.Choice(["topics", "pooled"]), default="topics", show_default=True,
    help="Compare means over topics, or pool all topics: labels item by item, rankings by all pairs.",
)  # fmt: skip
@chart_options("Draw the comparison, a panel for each measure")
@distance_option
@plugin_option
@format_option
def command(
    gold: str,
    runs: tuple[str, ...],
    *,
    format: str,
    measures: str | None,
    chart: str | None,
    width: str | None,
    **options: Any,
) -> None:
    """Compare runs by one or more measures: means, p-values, effect sizes, and which differences you may claim.

    Takes a file of scores (as written by evaluate --scores, or a matrix of another tool with topics down and runs across), or
    GOLD and RUN... as evaluate does, or an evidence file. If there are six topics or more, it compares means over topics; with
    fewer, means over these topics by their items; one test set item by item, or cluster by cluster.
    """
    from metameasure.comparing.compare import compare  # noqa: PLC0415 - engines load when there is something to do
    from metameasure.evidence.base import is_saved  # noqa: PLC0415

    outputs = OutputFiles.of([gold, *runs, *input_files(options)], chart=chart, width=width)
    arguments = how(options)
    task, average = options.pop("task"), options.pop("average")
    named = [part.strip() for part in split_unescaped(measures or "", ",") if part.strip()]
    wanted = named if len(named) > 1 else named[0] if named else None
    test_settings = options | {"registry": arguments.pop("registry"), "threads": arguments.pop("threads")}
    if runs or arguments["classes"] or task != "classification" or is_saved(gold):
        if wanted is None:
            raise UsageError("no measure was chosen", hint="choose one, as in --measures kappa_linear")
        comparison = compare(gold, list(runs), wanted, **test_settings, **arguments, task=task, average=average)
    else:
        scores = _scores(gold, arguments | {"average": average if average != "topics" else None})
        comparison = compare(scores, wanted, **test_settings)
    outputs.present(comparison, format)


def _scores(gold: str, arguments: dict[str, Any]) -> Any:
    """A file of scores."""
    from metameasure.scores.saved import read_scores  # noqa: PLC0415

    used = {name: value for name, value in arguments.items() if name not in _OF_SCORES_TOO and not is_left_out(value)}
    used_flags = [flag for name, value in used.items() for flag in flags(name, value)]
    if used_flags:
        raise UsageError(
            f"{used_flags[0]} is for data to be scored, but no classes are declared",
            hint="add --classes or --task, or leave it out for a file of scores",
        )
    return read_scores(gold, format_in=arguments["format_in"])
