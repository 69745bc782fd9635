"""``metameasure measures``: what there is, and one measure explained."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import click

from metameasure.catalogue.explain import catalogue_text, explanation_markdown, explanation_text, facts, names_elsewhere
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.measure_list import MeasureList
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.cli.options import SectionedCommand, called, click_option, format_option, options_of, plugin_option
from metameasure.cli.outputs import OutputFiles, chart_options
from metameasure.core.errors import DataError, UsageError, no_task
from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.show.formats.json_text import json_text
from metameasure.tasks.declaration import declaration
from metameasure.tasks.option_groups import OF_ONE_TASK, DataOptions


@click.command(
    "measures",
    cls=SectionedCommand,
    common=("task", "like", "gold", "classes", "chart", "checked", "plugins", "format"),
    examples=(
        "metameasure measures kappa_linear",
        "metameasure measures cem_ord --gold gold.tsv --classes 1..5",
    ),
)
@click.argument("name", required=False)
@click_option(OF_ONE_TASK)
@click.option("--like", metavar="PROGRAM", help="List measures beside their names in another program: sklearn, quapy.")
@click.option("--gold", metavar="FILE", help="Show what the measure makes of this gold (with --classes).")
@options_of(declaration("classification").options, without=("run_columns", "missing", "extra", "partitions", "name_by"))
@chart_options(
    "Draw the range of each measure; with --gold, what the measure makes of it: the classes with their sizes, and the table"
)
@plugin_option
@format_option
@click.option("--check", "checked", is_flag=True, help="Put the measure (or all of the plugins') through the conformance tests.")
def command(
    name: str | None,
    task: str | None,
    *,
    like: str | None,
    gold: str | None,
    chart: str | None,
    width: str | None,
    plugins: tuple[str, ...],
    format: str,
    checked: bool,
    **options: Any,
) -> None:
    """List the measures, or explain the one called NAME; with --gold, show the table that it derives from a gold file."""
    registry = default_registry().with_plugins(plugins)
    of_task = registry if task is None else registry.of_task(task)
    named_measure = of_task.parse(name) if name else None
    if chart and (checked or like):
        raise UsageError("--chart draws measures", hint=f"leave out --{'check' if checked else 'like'}")
    if gold:
        _show_on_gold(named_measure, gold, called(DataOptions, options), format, chart, width)
    elif checked:
        _check([named_measure] if named_measure else _of_plugins(registry))
    elif chart:
        listed = MeasureList([named_measure] if named_measure else _of_task(registry, task))
        OutputFiles.of([], chart=chart, width=width).present(listed, format)
    elif named_measure and name:
        explained = registry.called(name) if task is None and format == "table" else [named_measure]
        sys.stdout.write("\n\n".join(_explanation(one, name, format) for one in explained))
    elif like:
        sys.stdout.write(names_elsewhere(_of_task(registry, task), like, format))
    else:
        measures = _of_task(registry, task)
        sys.stdout.write(MeasureList(measures).render(format))


def _show_on_gold(
    measure: Measure | None, gold: str, arguments: dict[str, Any], format: str, chart: str | None, width: str | None
) -> None:
    from metameasure.catalogue.gold_worth import GoldWorth  # noqa: PLC0415 - arrays load when there is something to do
    from metameasure.tasks.classification.task import gold_sizes  # noqa: PLC0415 - engines load when there is something to read

    if measure is None or measure.on_gold is None:
        able = ", ".join(name for name, known in default_registry().items() if known.on_gold)
        raise UsageError(
            "this measure shows nothing about gold alone" if measure else "no measure was chosen", hint=f"these do: {able}"
        )
    outputs = OutputFiles.of([gold], chart=chart, width=width)
    sizes, scale = gold_sizes(gold, **arguments)
    outputs.present(GoldWorth.of(measure, sizes, scale), format)


def _of_task(registry: Registry, task: str | None) -> list[Measure]:
    tasks = sorted({known for measure in registry.all for known in measure.tasks})
    if task is not None and task not in tasks:
        raise no_task(task, tasks)
    return [measure for measure in registry.all if task is None or task in measure.tasks]


def _of_plugins(registry: Registry) -> list[Measure]:
    added = [measure for name, measure in registry.items() if name not in default_registry()]
    if not added:
        raise UsageError("no measure to check", hint="name one, or add --plugin FILE")
    return added


def _explanation(measure: Measure, name: str, format: str) -> str:
    match format:
        case "json":
            return json_text(facts(measure))
        case "table":
            return explanation_text(measure, name=name, width=min(100, shutil.get_terminal_size().columns))
        case "markdown":
            return explanation_markdown(measure)
        case _:
            return catalogue_text([measure], format)


def _check(measures: list[Measure]) -> None:
    from metameasure.testing import checks  # noqa: PLC0415 - only for those who ask

    failed = 0
    for measure in measures:
        for check in checks(measure):
            problem = check.problem()
            failed += problem is not None
            sys.stdout.write(f"{'ok' if problem is None else 'FAILED':7}{check}" + (f": {problem}\n" if problem else "\n"))
    if failed:
        raise DataError(
            say("{tests} failed", tests=counted(failed, "conformance test")), hint="the lines above say on which input"
        )
