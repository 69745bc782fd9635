"""``metameasure meta``: questions about the measures themselves. Each question's file says what its command takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import click

from metameasure.catalogue.registry import default_registry
from metameasure.cli.main import HintingGroup
from metameasure.cli.options import (
    SectionedCommand,
    click_option,
    decorated,
    format_option,
    measures_option,
    plugin_option,
    resume_option,
)
from metameasure.cli.outputs import OutputFiles, chart_options, coloured
from metameasure.core.choices import Better
from metameasure.core.errors import UsageError
from metameasure.core.options import Option
from metameasure.meta.question import Question, questions
from metameasure.tasks.option_groups import BASELINES, BETTER, INCOMPLETE


@click.group("meta", cls=HintingGroup)
def command() -> None:
    """Find out how good the measures themselves are, from their scores.

    SCORES are files that evaluate --scores wrote, or any table with the columns measure, topic, run, score: each is a data set.
    Or they are matrices with topics down and runs across: each is a measure, named after its file, and those in one folder are
    a data set. All questions take the same options, and ignore those that do not apply.
    """


def _better(text: str) -> Any:
    """higher, lower, or bleu=higher,ter=lower."""
    if text in get_args(Better):
        return text
    directions = {name.strip(): better.strip() for name, _, better in (part.rpartition("=") for part in text.split(","))}
    if not all(name and better in get_args(Better) for name, better in directions.items()):
        raise UsageError(f"--better is '{text}'", hint="higher or lower; or one each, as in bleu=higher,ter=lower")
    return directions


# The options that every question has: which scores it is about.
_SELECTION = (
    Option("runs", "Which runs; patterns such as 'BL-*' too (default: all).", metavar="A,B"),
    replace(BASELINES, help="Keep the baselines among the runs (default: leave them out).", negated=False),
    INCOMPLETE,
    replace(
        BETTER,
        help="Which scores are better, for unknown measures; for several, as in bleu=higher,ter=lower.",
        choices=(),
        metavar="higher|lower",
        type=_better,
    ),
)


def _option(option: Option, question: Question, *, own: bool) -> Callable[..., Any]:
    """An option of a question on the command line: its own is shown, with its default; another's is accepted and ignored."""
    default = question.default(option)
    default = ",".join(map(str, default)) if isinstance(default, tuple) else default
    return click_option(option, default=None if default is False or default == "" else default, hidden=not own)


def _command(question: Question, everyone: list[Question]) -> click.Command:
    own = {option.passed_as: (option, question) for option in question.options}
    taken = {*own, "measures", *(option.passed_as for option in _SELECTION)}
    others = {option.passed_as: (option, one) for one in everyone for option in one.options if option.passed_as not in taken}
    writing = {name: option.writes for name, (option, _) in own.items() if option.writes}

    def ask(scores: tuple[str, ...], format: str, plugins: tuple[str, ...], resume: str | None, **options: Any) -> None:
        chart, width = options.pop("chart"), options.pop("width")
        arguments = {name: value for name, value in options.items() if name not in others and value is not None}
        files = {name: arguments.pop(name) for name in writing if name in arguments}
        outputs = OutputFiles.of([*scores, *plugins, resume], **files, chart=chart, width=width)
        answer = question.answer(list(scores), registry=default_registry().with_plugins(plugins), resume=resume, **arguments)
        outputs.present(answer, coloured(format), **{name: getattr(answer, writing[name]) for name in files})

    selecting = [measures_option("Which measures (default: all that every data set has).")]
    selecting += [click_option(option) for option in _SELECTION if option.passed_as not in own]
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
