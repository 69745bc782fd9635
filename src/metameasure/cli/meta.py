"""``metameasure meta``: questions about the measures themselves."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.main import HintingGroup
from metameasure.cli.options import format_option, plugin_option
from metameasure.errors import UsageError

# What each option is for; a question shows those that concern it and accepts the others, so that one line serves them all.
_FOR = {
    "alpha": ("consistency", "discrimination", "overlap", "contradictions", "all"),
    "trials": ("similarity", "consistency", "discrimination", "overlap", "contradictions", "all"),
    "seed": ("similarity", "consistency", "discrimination", "overlap", "contradictions", "coverage", "all"),
    "splits": ("consistency", "all"),
    "size": ("consistency", "all"),
    "reference": ("coverage",),
    "fold": ("contradictions",),
    "threads": ("similarity", "consistency", "discrimination", "overlap", "contradictions", "all"),
}


@click.group("meta", cls=HintingGroup)
def command() -> None:
    """Ask how good the measures themselves are, from the scores they gave.

    SCORES are files that evaluate --scores wrote, or any table with the columns measure, topic, run, score: each is a data set.
    Or they are matrices with topics down and runs across: each is a measure, called as its file is, and those in one folder are
    a data set. All questions take the same options; those that do not concern a question change nothing.
    """


def _size(_: click.Context, __: click.Parameter, text: str) -> str | int:
    if text == "half":
        return text
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise UsageError(f"--size is '{text}'", hint="half, or a number of topics such as 10")


def _better(_: click.Context, __: click.Parameter, text: str | None) -> Any:
    """higher, lower, or bleu=higher,ter=lower."""
    if text is None or text in ("higher", "lower"):
        return text
    told = {name.strip(): better.strip() for name, _, better in (part.rpartition("=") for part in text.split(","))}
    if not all(name and better in ("higher", "lower") for name, better in told.items()):
        raise UsageError(f"--better is '{text}'", hint="higher or lower; or one each, as in bleu=higher,ter=lower")
    return told


def _chart_path(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    from metameasure.show.canvas import check_chart_path  # noqa: PLC0415 - only where a chart is asked for

    if path is not None:
        check_chart_path(path)
    return path


def _options(question: str) -> list[Callable[..., Any]]:
    def option(name: str, **facts: Any) -> Callable[..., Any]:
        return click.option(f"--{name}", hidden=question not in _FOR[name], **facts)

    number = {"show_default": True}
    return [
        click.argument("scores", nargs=-1, required=True, metavar="SCORES..."),
        click.option("--measures", metavar="M,...", help="Which measures (default: all that every data set has)."),
        click.option(
            "--runs",
            metavar="A,B",
            help="The two runs, a and b." if question == "deltas" else "Which runs; patterns such as 'BL-*' too (default: all).",
        ),
        click.option("--baselines", is_flag=True, help="Keep the runs called 'baseline: ...' (left out otherwise)."),
        option("alpha", type=float, default=0.05, help="The level of significance.", **number),
        option(
            "trials",
            type=click.IntRange(1),
            default=None if question == "similarity" else 5000,
            help="Bootstrap draws for the intervals (default 1000)." if question == "similarity" else "How many random trials.",
            **({} if question == "similarity" else number),
        ),
        option("seed", type=click.IntRange(0), default=0, help="For everything that is drawn at random.", **number),
        option("splits", type=click.IntRange(2), default=1000, help="How many random splits of the topics.", **number),
        option(
            "size", metavar="half|K", default="half", callback=_size, help="Split the topics in half, or K against K.", **number
        ),
        option("reference", metavar="M,...", help="The reference measures (default: all)."),
        option("fold", is_flag=True, help="Take runs with the same scores as one."),
        click.option(
            "--incomplete", type=click.Choice(["drop-topics", "drop-runs"]), help="What to do about missing or undefined scores."
        ),
        click.option(
            "--better",
            metavar="higher|lower",
            callback=_better,
            help="Which scores are better, of measures that are not ours; also one each, as in bleu=higher,ter=lower.",
        ),
        option("threads", type=click.IntRange(1), metavar="N", help="How many threads to use."),
        *(_evidence_options() if question == "deltas" else []),
        click.option("--chart", metavar="FILE", callback=_chart_path, help="Draw the answer too, as SVG, PDF or PNG."),
        plugin_option,
        format_option,
    ]


def _evidence_options() -> list[Callable[..., Any]]:
    """Where the distributions are that the scores of quantification were made of."""
    return [
        click.option("--gold", metavar="FILE", help="Gold's distributions, to show on the topics that differ most."),
        click.option("--estimates", metavar="FILE", multiple=True, help="The runs' distributions; a pattern, or several times."),
        click.option("--classes", metavar="C", help="The classes of the distributions."),
    ]


def _distributions(gold: str | None, estimates: tuple[str, ...], classes: str | None) -> dict[str, Any]:
    from metameasure.evaluation import distributions  # noqa: PLC0415

    if gold is None and not estimates:
        return {}
    if gold is None or not estimates or not classes:
        raise UsageError("distributions need --gold, --estimates and --classes", hint="or leave out all three")
    return {"distributions": distributions(gold, list(estimates), classes=classes, baselines=True)}


# Each question, and what it asks.
_QUESTIONS = {
    "similarity": "Do two measures rank the runs alike? Kendall's tau, groups.",
    "consistency": "Does a measure rank the runs alike on different topics? Random splits.",
    "discrimination": "How many differences between runs does a measure find? Discriminative power.",
    "overlap": "Do two measures find the same differences significant?",
    "contradictions": "Do two measures come to opposite conclusions? About which runs?",
    "deltas": "Two runs, topic by topic: where do measures disagree about which is better?",
    "coverage": "How much of what a set of measures agrees on does one measure capture?",
    "robustness": "Do single topics rank the runs alike?",
    "all": "One table: what each measure can do, groups, consistency, power, and advice.",
}


def _command(question: str, asks: str) -> click.Command:
    def ask(scores: tuple[str, ...], chart: str | None, format: str, plugins: tuple[str, ...], **options: Any) -> None:
        from metameasure import meta  # noqa: PLC0415 - engines load when there is something to do

        shown = {name: options.pop(name) for name in ("gold", "estimates", "classes") if name in options}
        own = {name: value for name, value in options.items() if question in _FOR.get(name, (question,)) and value is not None}
        registry = default_registry().with_plugins(plugins)
        evidence = _distributions(**shown) if shown else {}
        found = getattr(meta, "summary" if question == "all" else question)(list(scores), registry=registry, **own, **evidence)
        if chart:
            found.chart(chart)
        sys.stdout.write(found.render("terminal" if format == "table" and _takes_colour() else format))

    for option in reversed(_options(question)):
        ask = option(ask)
    return click.command(question, help=asks, short_help=asks)(ask)


def _takes_colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


for _question, _asks in _QUESTIONS.items():
    command.add_command(_command(_question, _asks))
