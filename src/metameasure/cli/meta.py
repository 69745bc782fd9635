"""``metameasure meta``: questions about the measures themselves. Each question's file says what its command takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.main import HintingGroup
from metameasure.cli.options import (
    SectionedCommand,
    click_option,
    decorated,
    format_option,
    plugin_option,
    resume_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options, coloured
from metameasure.core.options import Option
from metameasure.core.shared_options import PLUGIN, RESUME
from metameasure.meta.question import SELECTION, Question, questions


@click.group("meta", cls=HintingGroup)
def command() -> None:
    """Find out how good the measures themselves are, from their scores.

    SCORES are files that evaluate --scores wrote, or any table with the columns measure, topic, run, score: each is a data set.
    Or they are matrices with topics down and runs across: each is a measure, named after its file, and those in one folder are
    a data set. All questions take the same options, and ignore those that do not apply.
    """


# Those of a selection that the line has before the question's own.
_SELECTING = tuple(option for option in SELECTION if option.name not in (PLUGIN.name, RESUME.name))


def _option(option: Option, question: Question, *, own: bool) -> Callable[..., Any]:
    """An option of a question on the command line: its own is shown, with its default; another's is accepted and ignored."""
    default = question.default(option)
    default = ",".join(map(str, default)) if isinstance(default, tuple) else default
    return click_option(option, default=None if default is False or default == "" else default, hidden=not own)


def _command(question: Question, everyone: list[Question]) -> click.Command:
    own = {option.passed_as: (option, question) for option in question.options}
    taken = {*own, *(option.passed_as for option in _SELECTING)}
    others = {option.passed_as: (option, one) for one in everyone for option in one.options if option.passed_as not in taken}
    writing = {name: option.writes for name, (option, _) in own.items() if option.writes}

    def ask(scores: tuple[str, ...], format: str, plugins: tuple[str, ...], resume: str | None, **options: Any) -> None:
        chart, width = options.pop("chart"), options.pop("width")
        arguments = {name: value for name, value in options.items() if name not in others and value is not None}
        files = {name: arguments.pop(name) for name in writing if name in arguments}
        outputs = OutputFiles.of([*scores, *plugins, resume], **files, chart=chart, width=width)
        answer = question.answer(list(scores), registry=default_registry().with_plugins(plugins), resume=resume, **arguments)
        outputs.present(answer, coloured(format), **{name: getattr(answer, writing[name]) for name in files})

    selecting = [click_option(option) for option in _SELECTING if option.passed_as not in own]
    asking = [_option(option, one, own=name in own) for name, (option, one) in (own | others).items()]
    drawing = chart_options("Draw the answer too")
    argument = click.argument("scores", nargs=-1, required=True, metavar="SCORES...")
    options = [argument, *selecting, *asking, drawing, resume_option, plugin_option, format_option]
    return click.command(
        question.command,
        cls=SectionedCommand,
        help=f"{question.asks} {question.why}",
        short_help=question.asks,
        common=(*own, "measures", "runs", "better", "incomplete", "chart", "format"),
        examples=_examples(question),
    )(decorated(ask, options))


def _examples(question: Question) -> tuple[str, str]:
    runs = " --runs first,second" if question.command == "deltas" else ""
    example = f"metameasure meta {question.command} scores.csv{runs}"
    return example, f"{example} --format latex" if question.command == "all" else f"{example} --chart {question.command}.pdf"


_QUESTIONS = questions()
for _question in _QUESTIONS:
    command.add_command(_command(_question, _QUESTIONS))
