"""What the commands that read gold and runs share: their arguments, the options that tasks declare, and the call they make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import click

from metameasure.cli.options import click_option
from metameasure.errors import UsageError
from metameasure.options import SEED, Key, Option, declared_in
from metameasure.scale import Scale
from metameasure.tasks.declaration import declaration, declarations
from metameasure.tasks.options import COLUMNS

_NAMES = tuple(declarations())

task_option = click.option(
    "--task",
    metavar="T",
    default="classification",
    show_default=True,
    help=f"What is compared: {', '.join(_NAMES[:-1])} or {_NAMES[-1]}.",
)


def label_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """GOLD RUN... and how to read and count them."""
    arguments = [click.argument("gold"), click.argument("runs", nargs=-1, metavar="[RUN]...")]
    options = [each for name in _declared() for each in _click_options(name)]
    return _decorated(command, [task_option, *arguments, *options, click_option(SEED, default=0)])


def label_or_score_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same, where GOLD may also be a file of scores."""
    return label_options(command)


def with_reading_options(*, without: Collection[str] = ()) -> Callable[..., Any]:
    """The options for reading labels, but for some."""
    wanted = [name for name in declared_in(declaration("classification").options) if name not in without]
    return lambda command: _decorated(command, [each for name in wanted for each in _click_options(name)])


def with_conversion_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for reading rankings that are to be converted."""
    wanted = ("gold_are", "runs_are", "tie_epsilon", "gold_tie_epsilon")
    options = [each for name in wanted for each in _click_options(name)]
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
    keys, declared = {key.name: key for key in COLUMNS}, _declared()
    options += [_of_key(replace(declared["columns"], section=""), keys[role]) for role in roles]
    beside = {
        "run_columns": "The columns of runs beside gold's.",
        "format_in": "The format (wmt, jcml, trec), if it is not recognised.",
    }
    options += [click_option(replace(declared[name], help=help)) for name, help in beside.items()]
    return _decorated(command, options)


@cache
def _declared() -> dict[str, Option]:
    """The options of all tasks, by argument."""
    found: dict[str, Option] = {}
    for task in declarations().values():
        found = found | {name: option for name, option in declared_in(task.options).items() if name not in found}
    return found


def _click_options(name: str) -> Iterator[Callable[..., Any]]:
    """An option on the command line: in the section of a task, if it is of no other; one for each key, if it is a mapping."""
    declared = _declared()[name]
    of = [task.name for task in declarations().values() if task.knows(name)]
    section = of[0].capitalize() if len(of) == 1 else ""
    if not declared.keys:
        yield click_option(declared, section=section)
    for key in declared.keys:
        yield _of_key(declared, key)


def _of_key(declared: Option, key: Key) -> Callable[..., Any]:
    name = f"{key.shown}-{declared.name}"
    one = replace(declared, name=name, argument=_argument(declared, key), help=declared.help.format(key.what), keys=())
    return click_option(one, hidden=key.hidden)


def _argument(declared: Option, key: Key) -> str:
    return f"{key.name}_{declared.name}"


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
    """The options of tasks as the arguments of ``evaluate``; what is none stays in ``options``."""
    told: dict[str, Any] = {}
    for name, declared in _declared().items():
        if declared.keys:
            values = {key.name: options.pop(_argument(declared, key), None) for key in declared.keys}
            told[name] = {key: value for key, value in values.items() if value}
        else:
            told[name] = options.pop(name, None)
    return told


def flags(name: str, value: Any) -> list[str]:
    """What the line has where an argument has this value."""
    declared = _declared().get(name)
    if declared is None or not declared.keys:
        return [f"--{name.replace('_', '-')}"]
    return [f"--{key.shown}-{declared.name}" for key in declared.keys if key.name in value]


def input_files(options: dict[str, Any]) -> list[Any]:
    """The files that the options and arguments of a line name to be read."""
    beside = [
        options.get(argument)
        for name, declared in _declared().items()
        if declared.is_file
        for argument in ([_argument(declared, key) for key in declared.keys] or [name])
    ]
    return [options.get("gold"), *options.get("runs", ()), options.get("distance"), *beside]
