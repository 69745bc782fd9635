"""The command ``metameasure``: its subcommands, loaded when called, and what becomes of errors."""

from __future__ import annotations

import codecs
import gc
import importlib
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from metameasure.cli.ascii import look_alikes
from metameasure.core.errors import MetameasureError, MetameasureWarning, did_you_mean
from metameasure.core.messages import speaking_to
from metameasure.core.problems import DataProblems
from metameasure.show.inert import guarded, visible
from metameasure.version import __version__

QUIET = "metameasure.cli.quiet"
"""Under which a click context keeps whether the user wants nothing but errors on standard error."""
OWN_PROCESS = "the command's own process"
"""What a click context says where nobody else's objects are about."""

# Each command's module in this package and its line in --help, so that help imports none of them.
COMMANDS = {
    "evaluate": "Score runs against gold: a leaderboard and a file of scores.",
    "table": "Show what each run's scores are made of: confusion tables, F1.",
    "compare": "Find out which differences between runs are real.",
    "explain": "Find the items that made the difference between two runs.",
    "ranks": "Find out which ranks each run may truly have.",
    "gate": "Decide whether a new run may ship: PASS, FAIL or UNDECIDED.",
    "meta": "Find out how good the measures themselves are on your data.",
    "advise": "Recommend a measure to report on your data, and say why.",
    "agree": "Measure how well annotators agree, and find who agrees with nobody.",
    "judge": "Test judges against people: may one stand in for a person?",
    "design": "Find out how many topics it takes to detect a difference.",
    "report": "Write a page about an evaluation, to read in a browser.",
    "reproduce": "Compute a result again from its signature: same data, same settings, same numbers?",
    "axioms": "Find out which formal properties measures have.",
    "trial": "Put measures on trial, and give a verdict on each.",
    "check": "Find everything that is wrong with a submission.",
    "clean": "Repair submissions where their meaning is certain.",
    "count": "Reduce gold and runs to an evidence file, to merge later.",
    "merge": "Add up evidence files that were counted separately.",
    "convert": "Convert a file of any format to a plain table.",
    "measures": "List the measures, or explain one.",
    "simulate": "Simulate a shared task, as ordinary files.",
    "study": "Run the papers as programs: published numbers beside ours.",
    "codabench": "Make a competition bundle for Codabench or CodaLab.",
    "demo": "See it all on data that comes with the package.",
}

# Of errors that are not ours, but for 1.
_STATUSES = {click.ClickException: 2, click.Abort: 130, BrokenPipeError: 0}


class HintingGroup(click.Group):
    """A group in the order of its declaration, which knows what a mistyped command was meant to be."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            near = did_you_mean(args[0], known) or f"the commands are {', '.join(known)}"
            raise click.UsageError(f"there is no command '{args[0]}'; {near}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(HintingGroup):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"metameasure.cli.{cmd_name}").command
        if ctx.obj is OWN_PROCESS:
            gc.freeze()  # what is loaded stays: to look through it again for garbage takes a tenth of a short call
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="metameasure")
@click.option("--debug", is_flag=True, help="Show the traceback of an error. Works anywhere in the line.")
@click.option("--quiet", is_flag=True, help="Nothing but errors on standard error. Works anywhere in the line.")
@click.pass_context
def cli(ctx: click.Context, debug: bool, quiet: bool) -> None:  # noqa: ARG001 - main() has seen to --debug
    """Score systems against gold, and put the measures themselves to the test."""
    ctx.meta[QUIET] = quiet


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 done, 1 the data is wrong, 2 the call is wrong; of ``gate`` alone 3 FAIL,
    4 UNDECIDED."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    quiet = "--quiet" in arguments
    arguments = ["--quiet"] * quiet + [argument for argument in arguments if argument not in ("--debug", "--quiet")]
    _prepare_streams()
    with speaking_to("command"), _guarded_streams(), _plain_warnings(quiet=quiet), _progress(shown=not quiet):
        try:
            whose = OWN_PROCESS if argv is None else None
            status = cli.main(args=arguments, prog_name="metameasure", standalone_mode=False, obj=whose)
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except KeyboardInterrupt:
            return _report(click.Abort())
        except Exception as error:
            if debug:
                traceback.print_exc()
            return _report(click.Abort() if _is_interrupt(error) else error)
    return status if isinstance(status, int) else 0


def _is_interrupt(error: Exception) -> bool:
    """Whether this is how an engine says that it was interrupted."""
    return type(error).__name__ == "InterruptException" or "Query interrupted" in str(error)


def _report(error: Exception) -> int:
    """Say what went wrong, in one line or one line per problem; the exit status."""
    match error:
        case DataProblems():
            click.echo(visible(error.on("command")), err=True)  # each line starts with its file and line number
        case MetameasureError():
            _say(error.on("command"))
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        case click.ClickException():
            _say(error.format_message())
        case click.Abort():  # Ctrl-C, as click passes it on
            _say("interrupted")
        case BrokenPipeError():
            # The reader (head, less) has seen enough. Python would complain once more when it flushes at exit.
            sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it stays open to the end
        case OSError() if error.errno is not None:
            _say(f"cannot read or write{f' {error.filename}' if error.filename else ''}: {error.strerror}")
        case _:
            _say(_unexpected(error))
    if isinstance(error, MetameasureError):
        return error.exit_status
    return next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 1)


def _unexpected(error: Exception) -> str:
    """What to say of an error that nobody has foreseen."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory{f' ({error})' if str(error) else ''}; use fewer runs, topics or classes at once"
    if _is_damage(error):
        return f"the data cannot be read ({str(error).strip().partition(chr(10))[0]}); is a file damaged?"
    return f"internal error: {type(error).__name__}: {error}; please report it, with what --debug prints"


def _is_damage(error: Exception) -> bool:
    """Whether a reader's library raises it, where nobody knew which file it was reading."""
    from metameasure.reading.on_disk import is_damage  # noqa: PLC0415 - only where something went wrong

    return is_damage(error)


def _say(message: str) -> None:
    click.echo(visible(f"metameasure: {message}"), err=True)


def _prepare_streams() -> None:
    """Where symbols cannot be shown, letters that look like them stand instead. What is written to a closed stream is lost."""
    codecs.register_error(look_alikes.__name__, look_alikes)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - it stays open to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=look_alikes.__name__)


@contextmanager
def _guarded_streams() -> Iterator[None]:
    """Nothing that a file holds is obeyed by a terminal."""
    plain = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = ours = guarded(sys.stdout), guarded(sys.stderr)
    try:
        yield
    finally:
        if sys.stdout is ours[0]:  # or it is what a broken pipe was replaced by
            sys.stdout = plain[0]
        sys.stderr = plain[1]


def _progress(*, shown: bool) -> AbstractContextManager[None]:
    """Bars of progress, unless the user wants none."""
    if shown:
        return nullcontext()
    from metameasure.statistics.work import without_progress  # noqa: PLC0415 - arrays load when there is something to do

    return without_progress()


@contextmanager
def _plain_warnings(*, quiet: bool) -> Iterator[None]:
    """Our warnings in one line each, unless the user wants none; other libraries' are for their developers."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        _say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("ignore" if quiet else "always", MetameasureWarning)
        warnings.showwarning = show
        yield
