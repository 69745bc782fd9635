"""What the commands that read gold and runs share: their arguments and options, and the call they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import click

from metameasure.cli.sections import option
from metameasure.errors import UsageError
from metameasure.formats.options import ENGINES, Columns
from metameasure.scale import KINDS, Scale

_ROLES = {
    "item": "the items' ids",
    "topic": "topics",
    "label": "labels",
    "gold": "gold, side by side or stacked",
    "run": "runs' names, stacked",
    "weight": "items' weights, in gold",
    "confidence": "how sure a run is of its label",
    "rank": "ranks: 1 is the surest label, or the best item",
    "score": "scores: belief in the positive class, or how good an item is",
    "score_rank": "ranks of belief in the positive class: 1 is the strongest",
    "probability": "probabilities of classes, or counts",
    "segment": "segments, whose items are ranked",
    "judge": "who ranked a segment",
    "cluster": "clusters of items that belong together, in gold",
    "repeat": "the number of an output, where a run has several for an item",
}
_MATRICES = {
    "label": "labels, where gold is apart",
    "confidence": "how sure runs are of their labels",
    "rank": "the same as ranks",
    "score": "belief in the positive class",
    "score_rank": "the same as ranks",
}
# Each option of one task, as it is called in Python: its section of the help, its flag, and click's settings for it.
_OF_TASKS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "category_column": ("Columns", "--class-column", {"metavar": "NAME", "help": "The column with classes."}),
    "counts": ("Quantification", "--counts", {"is_flag": True, "default": None, "help": "The files hold counts."}),
    "normalise": (
        "Quantification",
        "--normalise",
        {"is_flag": True, "default": None, "help": "Divide distributions that do not add up to 1 by their sum."},
    ),
    "smooth": (
        "Quantification",
        "--smooth",
        {"type": float, "metavar": "EPS", "help": "Add EPS to every probability, and divide by the sum."},
    ),
    "aspect": ("Quantification", "--aspect", {"metavar": "A|S|E", "help": "Which quality of an NTCIR file."}),
    "training": (
        "Quantification",
        "--training",
        {"metavar": "FILE", "help": "A file whose mean distribution becomes a baseline."},
    ),
    "positive": ("Entailment", "--positive", {"metavar": "LABEL", "help": "The label of entailment."}),
    "neutral": ("Entailment", "--neutral", {"metavar": "LABEL", "help": "The label of what is unknown."}),
    "negative": ("Entailment", "--negative", {"metavar": "LABEL", "help": "The label of contradiction."}),
    "gold_are": ("Ranking", "--gold-are", {"type": click.Choice(["ranks", "scores"]), "help": "What gold's column holds."}),
    "runs_are": ("Ranking", "--runs-are", {"type": click.Choice(["ranks", "scores"]), "help": "What the runs' columns hold."}),
    "tie_epsilon": (
        "Ranking",
        "--tie-epsilon",
        {"type": float, "metavar": "X", "help": "Scores that differ by no more are tied."},
    ),
    "gold_tie_epsilon": ("Ranking", "--gold-tie-epsilon", {"type": float, "metavar": "X", "help": "The same for gold's scores."}),
    "by_source": (
        "Ranking",
        "--by-source",
        {"is_flag": True, "default": None, "help": "Average a source segment's rankings first."},
    ),
    "gain": ("Ranking", "--gain", {"type": click.Choice(["exponential", "linear"]), "help": "The gain of DCG, NDCG and ERR."}),
    "ties": ("Ranking", "--ties", {"type": click.Choice(["expected", "worst"]), "help": "How predicted ties are read."}),
    "compat": (
        "Ranking",
        "--compat",
        {
            "type": click.Choice(["none", "rankeval", "trec_eval"]),
            "help": "Compute as another program does (default for TREC files: trec_eval).",
        },
    ),
    "chance_test": (
        "Ranking",
        "--chance-test",
        {"type": click.IntRange(1), "metavar": "B", "help": "Test each run against chance by B permutations."},
    ),
    "rank_weights": (
        "Entailment",
        "--rank-weights",
        {
            "metavar": "SERIES",
            "help": "Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.",
        },
    ),
}


task_option = click.option(
    "--task",
    metavar="T",
    default="classification",
    show_default=True,
    help="What is compared: classification, quantification, entailment or ranking.",
)


def label_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """GOLD RUN... and how to read and count them."""
    return _decorated(command, [task_option, *_label_options(), *reading_options(), *map(_of_task, _OF_TASKS)])


def label_or_score_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same, where GOLD may also be a file of scores."""
    return label_options(command)


def _of_task(name: str) -> Callable[..., Any]:
    """An option of one task, in the section of that task."""
    section, flag, told = _OF_TASKS[name]
    return option(section, flag, name, **told)


def with_conversion_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for reading rankings that are to be converted."""
    wanted = ("gold_are", "runs_are", "tie_epsilon", "gold_tie_epsilon")
    options = [_of_task(name) for name in wanted]
    roles = (
        "segment",
        "judge",
        "item",
        "rank",
        "score",
        "gold",
        "topic",
        "label",
        "run",
        "weight",
        "confidence",
        "score_rank",
        "probability",
    )
    options += [click.option(_column_flag(role), metavar="NAME", help=f"The column with {_ROLES[role]}.") for role in roles]
    options += [
        click.option("--run-columns", metavar="A,B", help="The columns of runs beside gold's."),
        click.option("--format-in", metavar="NAME", help="The format (wmt, jcml, trec), if it is not recognised."),
    ]
    return _decorated(command, options)


def _label_options() -> list[Callable[..., Any]]:
    return [
        click.argument("gold"),
        click.argument("runs", nargs=-1, metavar="[RUN]..."),
        click.option("--run-columns", metavar="A,B", help="Side by side: which columns are runs (default: all others)."),
        click.option(
            "--missing",
            metavar="worst|drop|zero|class:LABEL|last",
            help="What to do with items that a run lacks (default: an error).",
        ),
        click.option(
            "--extra", type=click.Choice(["error", "ignore"]), help="What to do with items that gold lacks (default: an error)."
        ),
        click.option(
            "--partitions", type=click.IntRange(2), metavar="K", help="Split items without topics into K partitions at random."
        ),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of the random numbers."),
    ]


def reading_options() -> list[Callable[..., Any]]:
    """How gold is read."""
    return [
        click.option(
            "--classes",
            metavar="C",
            help="The classes from lowest to highest: neg,neu,pos or -2..2, or low=1,high=5 with values.",
        ),
        click.option("--kind", type=click.Choice(KINDS), help="What the classes are (default: ordinal)."),
        click.option("--bins", metavar="X,Y,...", help="Edges that cut numeric labels into the classes."),
        *(
            option("Columns", _column_flag(role), metavar="NAME", help=f"The column with {what}.")
            for role, what in _ROLES.items()
        ),
        *(
            option(
                "Columns",
                f"--{role.replace('_', '-')}-matrix",
                metavar="FILE",
                help=f"A file with {what}, a column for each run.",
            )
            for role, what in _MATRICES.items()
        ),
        *(
            click.option(_column_flag(f"gold_{role}"), hidden=True, metavar="NAME", help=f"The column of gold with {what}.")
            for role, what in _ROLES.items()
            if role not in ("gold", "run", "repeat")
        ),
        click.option("--format-in", metavar="NAME", help="The format, if it is not recognised: semeval, trec, wmt, ..."),
        click.option("--threads", type=click.IntRange(1), metavar="N", help="How many threads the engine may use."),
        click.option("--memory", metavar="2GB", help="About how much memory to use."),
        click.option(
            "--engine", type=click.Choice(ENGINES), help="The engine that reads and counts (default: duckdb, on this machine)."
        ),
        click.option("--master", metavar="ADDRESS", help="With --engine spark: sc://HOST:PORT, or a master such as local[*]."),
    ]


def _column_flag(role: str) -> str:
    return f"--{role.replace('_', '-')}-column"


def with_reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    return _decorated(command, reading_options())


def _decorated(command: Callable[..., Any], options: list[Callable[..., Any]]) -> Callable[..., Any]:
    for decorate in reversed(options):
        command = decorate(command)
    return command


distance_option = click.option(
    "--distance", metavar="FILE", help="Distances between the classes, C x C, for measures that take them."
)


def distance_table(distance: str | None, given: dict[str, Any]) -> list[list[float]] | None:
    """The distances in the file that a user names, in the order of the declared classes."""
    from metameasure.formats.matrix import read_distance  # noqa: PLC0415

    if distance is None:
        return None
    classes = given["classes"] or [given[role] for role in ("positive", "neutral", "negative") if given.get(role)]
    if not classes:
        raise UsageError("distances are between classes, but no classes are declared", hint="declare them with --classes")
    return read_distance(distance, Scale.of(classes, kind=given["kind"]))


def how(options: dict[str, Any]) -> dict[str, Any]:
    """The options as the arguments of ``evaluation.labels``; what is not about labels stays in ``options``."""
    roles = [field.name for field in fields(Columns)]
    named = {role: options.pop(f"{role}_column", None) for role in (*roles, *(f"gold_{role}" for role in roles))}
    of_tasks = (name for name in _OF_TASKS if not name.endswith("_column"))
    plain = ("classes", "kind", "missing", "extra", "partitions", "format_in", "threads", "memory", "engine", "master", *of_tasks)
    told = {name: options.pop(name, None) for name in plain}
    return told | {
        "columns": {role: name for role, name in named.items() if name},
        "matrices": {role: file for role in _MATRICES if (file := options.pop(f"{role}_matrix", None))} or None,
        "bins": numbers(options.pop("bins", None)),
        "run_columns": tuple(part.strip() for part in (options.pop("run_columns", None) or "").split(",") if part.strip()),
    }


def input_files(options: dict[str, Any]) -> list[Any]:
    """The files that the options and arguments of a line name to be read."""
    beside = [options.get(name) for name in ("training", "rank_weights", "distance", *(f"{role}_matrix" for role in _MATRICES))]
    return [options.get("gold"), *options.get("runs", ()), *beside]


def numbers(text: str | None) -> tuple[float, ...]:
    """1.5,2.5 as numbers."""
    try:
        return tuple(float(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        raise UsageError(f"'{text}' are not numbers", hint="as in --bins 1.5,2.5,3.5") from None
