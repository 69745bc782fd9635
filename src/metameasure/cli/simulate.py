"""``metameasure simulate``: shared tasks made to order, as ordinary files."""

from __future__ import annotations

from typing import Any, get_args

import click

from metameasure.cli.options import SectionedCommand, called, click_option, options_of
from metameasure.core.choices import BagProtocol
from metameasure.core.errors import UsageError
from metameasure.core.messages import option, say
from metameasure.core.notes import counted
from metameasure.core.options import Option, said
from metameasure.tasks.option_groups import BagOptions, SimulateOptions

BAGS = Option(
    "bags",
    "Draw test bags from labelled items instead: prevalences on a grid, as they are, or uniform.",
    choices=get_args(BagProtocol),
)


def _list(context: click.Context, _: click.Parameter, flag: bool) -> None:
    """The shapes, and each task's kinds of systems."""
    if not flag or context.resilient_parsing:
        return
    from metameasure.simulation.shapes import OF_TASK, SHAPES  # noqa: PLC0415 - arrays load when there is something to do
    from metameasure.simulation.simulate import model_of  # noqa: PLC0415

    lines = ["Shapes (--like):", *(_told(name, 12, shape) for name, shape in SHAPES.items())]
    for task in OF_TASK:
        lines += ["", f"Kinds of systems in {task} (--kind):"]
        lines += [_told(kind.name, 15, kind) for kind in model_of(task).kinds.values()]
    click.echo("\n".join(lines))
    context.exit()


def _told(name: str, width: int, what: Any) -> str:
    """A shape or a kind in a line, with its source where it has one."""
    return f"  {name:{width}}{what.about}" + (f" ({what.source})" if what.source else "")


@click.command(
    "simulate",
    cls=SectionedCommand,
    common=(
        "like",
        "task",
        "kinds",
        "runs",
        "classes",
        "topics",
        "items",
        "seed",
        "bags",
        "labelled",
        "bag_size",
        "bag_count",
        "list",
    ),
    examples=(
        "metameasure simulate made --like sem16t4c --runs 8",
        "metameasure simulate bags --bags upp --labelled gold.tsv --classes 1..5",
    ),
)
@click.argument("folder", metavar="DIR")
@click.option("--like", metavar="SHAPE", help="The task to start from (default: amigo, or the usual one of --task); see --list.")
@options_of(SimulateOptions)
@click_option(BAGS)
@click.option("--labelled", metavar="GOLD", help="The labelled items that bags are drawn from.")
@options_of(BagOptions, without=("classes", "seed"))
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the shapes and kinds, then exit."
)
def command(folder: str, like: str | None, bags: str | None, labelled: str | None, **options: Any) -> None:
    """Simulate a shared task: gold and runs, written to the new folder DIR as ordinary files.

    It starts from a task of a known shape; every option changes a part of it. Systems err in known ways, so you can see
    whether a measure is right about them. The same seed gives the same bytes.

    With --bags it draws bags of labelled items instead, to evaluate quantifiers on: the share of each class in each bag
    (gold.tsv), and the items (items.tsv).
    """
    from metameasure.simulation.simulate import simulate  # noqa: PLC0415 - arrays load when there is something to do

    keywords = called(SimulateOptions, options)
    of_bags = called(BagOptions, options)
    if bags is not None or labelled is not None or said(BagOptions(**of_bags), BagOptions):
        _draw_bags(folder, bags, labelled, of_bags, ({} if like is None else {"like": like}) | keywords)
        return
    spread = keywords.get("spread")
    if spread is not None and len(spread) > 2:
        raise UsageError(f"--spread has {len(spread)} numbers", hint="one, or the first topic's and the last's, as in 1..3")
    made = simulate(like, **keywords | ({"spread": (spread[0], spread[-1])} if spread else {}))
    made.save(folder)
    also = " and what each judge said" if made.ratings is not None else ""
    runs = counted(len(made.runs), "run")
    written = f"gold, {runs}{also}" if also else f"gold and {runs}"
    click.echo(f"Wrote {written} to {folder}. Next:\n{made.command(folder)}")


def _draw_bags(folder: str, bags: str | None, labelled: str | None, of_bags: dict[str, Any], of_tasks: dict[str, Any]) -> None:
    from metameasure.simulation.bags import draw_bags  # noqa: PLC0415 - arrays load when there is something to do

    if bags is None or labelled is None:
        raise UsageError(say("bags need a protocol and labelled items"), hint=say("as in {--bags upp} {--labelled gold.tsv}"))
    shared = {name: of_tasks.pop(name) for name in ("classes", "seed") if name in of_tasks}
    if of_tasks:
        name = {"kinds": "kind"}.get(next(iter(of_tasks)), next(iter(of_tasks)))
        raise UsageError(say("{option} is of simulated tasks, not of bags", option=option(name)), hint="leave out one of the two")
    made = draw_bags(labelled, bags, **of_bags, **shared)
    made.save(folder)
    click.echo(f"Wrote {counted(len(made.gold['topic']), 'bag')} to {folder}. Next:\n{made.command(folder)}")
