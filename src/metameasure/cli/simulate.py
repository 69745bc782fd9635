"""``metameasure simulate``: shared tasks made to order, as ordinary files."""

from __future__ import annotations

from typing import Any

import click

from metameasure.cli.options import seed_option
from metameasure.core.errors import UsageError


def _numbers(_: click.Context, parameter: click.Parameter, text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.replace("..", ",").split(","))
    except ValueError:
        raise UsageError(f"--{parameter.name} is '{text}'", hint="numbers, as in .2,.5,.3 or 1..3") from None


def _list(context: click.Context, _: click.Parameter, flag: bool) -> None:
    """The shapes, and each task's kinds of systems."""
    if not flag or context.resilient_parsing:
        return
    from metameasure.simulation.shapes import OF_TASK, SHAPES  # noqa: PLC0415 - arrays load when there is something to do
    from metameasure.simulation.simulate import model_of  # noqa: PLC0415

    lines = ["Shapes (--like):", *(f"  {name:12}{shape.about} ({shape.source})" for name, shape in SHAPES.items())]
    for task in OF_TASK:
        lines += ["", f"Kinds of systems in {task} (--kind):"]
        kinds = model_of(task).kinds.values()
        lines += [f"  {kind.name:14}{kind.about}" + (f" ({kind.source})" if kind.source else "") for kind in kinds]
    click.echo("\n".join(lines))
    context.exit()


@click.command("simulate")
@click.argument("folder", metavar="DIR")
@click.option("--like", metavar="SHAPE", help="The task to start from (default: amigo, or the usual one of --task); see --list.")
@click.option("--task", help="classification, quantification, entailment or ranking.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND[=A,B]",
    help="A kind of system, perhaps with how much each of its runs errs, as in rand=.1,.5. May be repeated.",
)
@click.option("--runs", type=click.IntRange(1), metavar="N", help="How many runs to share among the kinds without amounts.")
@click.option("--classes", metavar="C", help="The classes from lowest to highest, as in neg,neu,pos or -2..2.")
@click.option("--topics", type=int, metavar="N", help="How many topics (segments, in rankings).")
@click.option("--items", type=int, metavar="N", help="How many items a topic has.")
@click.option("--judges", type=int, metavar="N", help="How many judges gold is made from.")
@click.option("--centre", type=float, metavar="X", help="The most frequent class, counted from 1.")
@click.option("--spread", metavar="LOW..HIGH", callback=_numbers, help="How far labels spread, from the first topic to the last.")
@click.option("--wander", type=float, metavar="X", help="How far the topics' centres differ.")
@click.option(
    "--shares", metavar="S,...", callback=_numbers, help="How frequent each class is, instead of --centre and --spread."
)
@click.option("--ties", type=float, metavar="P", help="How often neighbours in a human ranking tie.")
@seed_option
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the shapes and kinds, then exit."
)
def command(folder: str, **options: Any) -> None:
    """Simulate a shared task: gold and runs, written to the new folder DIR as ordinary files.

    It starts from a task of a known shape; every option changes a part of it. Systems err in known ways, so you can see
    whether a measure is right about them. The same seed gives the same bytes.
    """
    from metameasure.simulation.simulate import simulate  # noqa: PLC0415 - arrays load when there is something to do

    spread = options.pop("spread")
    if spread is not None and len(spread) > 2:
        raise UsageError(f"--spread has {len(spread)} numbers", hint="one, or the first topic's and the last's, as in 1..3")
    options["spread"] = (spread[0], spread[-1]) if spread else None
    made = simulate(**options)
    made.save(folder)
    also = " and what each judge said" if made.ratings is not None else ""
    click.echo(f"Wrote gold, {len(made.runs)} runs{also} to {folder}. Next:\n{made.command(folder)}")
