"""Options that commands share, those of reading gold and runs among them, and the help that shows them: on one screen the common
options, those of the task at hand and two examples; all options on demand."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import click

from metameasure.catalogue.parameters import split_unescaped
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.numbers import MOST_DIGITS, with_digits
from metameasure.core.options import Key, Option, chosen, declared_in, default_of, is_left_out, read_text
from metameasure.core.shared_options import MEASURES, PLUGIN, RESUME
from metameasure.show.names import choosing, chosen_now, renaming
from metameasure.show.table import output_formats, with_notes
from metameasure.tasks.declaration import declaration, declarations
from metameasure.tasks.option_groups import DataOptions, ReproduceOptions

_GENERAL = "Options"
_LONGEST_NAMES = 26
_MOST_LINES = 40
_ARGUMENTS = "metameasure.cli.arguments"
DIGITS = "metameasure.cli.digits"
"""Under which a click context keeps how many decimals the user wants."""


class SectionedOption(click.Option):
    """An option that says which section of the help it belongs to."""

    def __init__(self, *args: Any, section: str = _GENERAL, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class SectionedCommand(click.Command):
    """A command with two helps. ``--help`` has the options that are ``common``, in that order, those of the task that the line
    names, and ``examples``; ``--help-all`` has every option, in sections, plain ones first."""

    def __init__(self, *args: Any, common: Sequence[str] = (), examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.common, self.examples = tuple(common), tuple(examples)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=self._print_everything,
                help="Show all options.",
            )
        )

    def _print_everything(self, ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(self.full_help(ctx))
            ctx.exit()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def full_help(self, ctx: click.Context) -> str:
        """Every option, by what it is for."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self._format_examples(formatter)
        for title, options in self._sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl([record for one in options if (record := one.get_help_record(ctx)) is not None])
        self.format_epilog(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What fits on a screen: of the common options as many, the first first, as leave room for those of the task."""
        sections = self._sections(ctx)
        known = {str(one.name): one for options in sections.values() for one in options}
        common = [known[name] for name in dict.fromkeys(self.common) if name in known] or sections[_GENERAL]
        common = [one for one in common if one.name != "help_all" and "--help" not in one.opts]
        task = task_at_hand(ctx.meta.get(_ARGUMENTS, ()))
        of_task = [one for title, options in sections.items() if title.lower() == task for one in options if one not in common]
        text = self._short_help(ctx, common, of_task, task)
        while text.count("\n") > _MOST_LINES and len(common) > 1:
            common.pop()
            text = self._short_help(ctx, common, of_task, task)
        formatter.write(text)

    def _short_help(self, ctx: click.Context, common: list[click.Option], of_task: list[click.Option], task: str | None) -> str:
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(" ".join((self.help or "").partition("\n\n")[0].split()))
        self._format_examples(formatter)
        for title, options in ((_GENERAL, common), (f"For the task {task}", of_task)):
            if options:
                with formatter.section(title):
                    formatter.write_dl([_short_record(one, ctx) for one in options], col_max=_LONGEST_NAMES)
        formatter.write_paragraph()
        of_tasks = any(getattr(one, "section", "").lower() in declarations() for one in self.params)
        by_task = not task and of_tasks and any(one.name == "task" for one in self.params)
        formatter.write_text(
            "These are the usual options. "
            + ("--task T --help has those of a task, --help-all every one." if by_task else "--help-all has every one.")
        )
        return formatter.getvalue()

    def _format_examples(self, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")

    def _sections(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        sections: dict[str, list[click.Option]] = {_GENERAL: []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and not parameter.hidden:
                sections.setdefault(getattr(parameter, "section", _GENERAL), []).append(parameter)
        return sections


def task_at_hand(arguments: Sequence[str]) -> str | None:
    """The task that a line of arguments names."""
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--task":
            return value if equals else next(iter(arguments[place + 1 : place + 2]), None)
    return None


def _short_record(one: click.Option, ctx: click.Context) -> tuple[str, str]:
    """An option in a line or two: choices as ..., where they would fill one of their own."""
    record = one.get_help_record(ctx)
    assert record is not None  # noqa: S101 - hidden ones are left out before
    names, text = record
    text = text.replace("  [x>=1]", "").replace("; x>=1]", "]").replace("  [x>=0]", "").replace("; x>=0]", "]")
    choices = "|".join(map(str, one.type.choices)) if isinstance(one.type, click.Choice) else one.metavar or ""
    if not one.is_flag and "|" in choices:
        names = f"{one.opts[-1]} {choices}"
        if len(names) > _LONGEST_NAMES:
            names = one.opts[-1]
            before, default, after = text.partition("  [")
            text = f"{before.rstrip('.')}: {choices.replace('|', ', ')}.{default}{after}"
    return names, text


_KNOWN_FORMATS = output_formats()
FORMATS = tuple(name for name, format in _KNOWN_FORMATS.items() if format.offered)
_FOR_PROGRAMS = tuple(name for name, format in _KNOWN_FORMATS.items() if format.exact or name == "json")


def _ask_for_digits(ctx: click.Context, _: click.Parameter, digits: int | None) -> None:
    """Numbers have so many decimals as long as the command runs; where programs read what it prints, on its page and charts."""
    ctx.meta[DIGITS] = digits
    if digits is not None and ctx.params.get("format") not in _FOR_PROGRAMS:
        ctx.with_resource(with_digits(digits))


digits_option = click.option(
    "--digits",
    type=click.IntRange(0, MOST_DIGITS),
    metavar="N",
    expose_value=False,
    callback=_ask_for_digits,
    help="How many decimals to show (default: 2 to 4, as fits; JSON, CSV and TSV have all).",
)
_notes = click.option(
    "--notes",
    type=click.Choice(("few", "all")),
    default="few",
    show_default=True,
    expose_value=False,
    callback=lambda ctx, _, chosen: ctx.with_resource(with_notes(chosen)),
    help="How much to say below a table: the most important, or all.",
)


def _choose_runs(ctx: click.Context, parameter: click.Parameter, asked: Any) -> None:
    """Tables and charts show these runs, by these names, as long as the command runs."""
    if asked:
        more = {"rename": renaming(asked)} if parameter.name == "rename" else {"show": tuple(dict.fromkeys(listed_names(asked)))}
        ctx.with_resource(choosing(dataclasses.replace(chosen_now(), **more)))


def shown_runs_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which runs are shown, and what they are called where people read."""
    shared: dict[str, Any] = {"expose_value": False, "callback": _choose_runs}
    show = click.option(
        "--show", metavar="A,B", help="Show only these runs, in tables and charts; ranks, letters and tests are of all.", **shared
    )
    rename = click.option(
        "--rename",
        multiple=True,
        metavar="RUN=NAME",
        help="Rename a run in tables and charts. May be repeated.",
        **shared,
    )
    return show(rename(command))


_format = click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    is_eager=True,  # --digits has to know it
    help="How to print the answer.",
)


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """How the answer is printed: in which format, with how many notes and decimals."""
    return _format(_notes(digits_option(command)))


class _Choice(click.Choice[str]):
    """A choice that may go by other names too."""

    def __init__(self, choices: Sequence[str], synonyms: Mapping[str, str]) -> None:
        super().__init__(choices)
        self.synonyms = synonyms

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return chosen(str(param.opts[0] if param else value), self.synonyms.get(value, value), self.choices)


def click_option(
    declared: Option, argument: str = "", *, default: Any = None, section: str = "", hidden: bool = False
) -> Callable[..., Any]:
    """An option of the command line as it is declared. A default that is given is shown."""
    facts: dict[str, Any] = {"help": declared.help, "metavar": declared.metavar, "hidden": hidden, "multiple": declared.repeated}
    kinds: dict[Any, dict[str, Any]] = {
        bool: {"is_flag": True, "default": None},
        int: {
            "type": int if declared.least is None else click.IntRange(declared.least),
            "metavar": declared.metavar or "N",
        },
        float: {"type": float, "metavar": declared.metavar or "X"},
    }
    text = {"type": str, "callback": lambda _, __, text: read_text(declared, text) if isinstance(text, str) else text}
    facts |= {"type": _Choice(declared.choices, dict(declared.synonyms))} if declared.choices else kinds.get(declared.type, text)
    if default is not None:
        facts |= {"default": default, "show_default": True}
    if section or declared.section:
        facts |= {"cls": SectionedOption, "section": declared.section or section}
    also = [f"--{declared.also}"] if declared.also else []
    flag = f"--{declared.name}/--no-{declared.name}" if declared.negated else f"--{declared.name}"
    return click.option(flag, *also, declared.argument or argument or declared.passed_as, **facts)


def options_of(group: type[Any], *, without: Collection[str] = ()) -> Callable[..., Any]:
    """The options of a group, in the order of its fields."""
    wanted = [field for field in dataclasses.fields(group) if field.name not in without]
    return lambda command: decorated(command, [each for field in wanted for each in _of_field(field, group)])


def _of_field(field: dataclasses.Field[Any], group: type[Any]) -> Iterator[Callable[..., Any]]:
    """An option on the command line: in the section of a task, if it is of no other; one for each key, if it is a mapping."""
    declared = declared_in(group).get(field.name)
    if declared is None or declared.only == "python":
        return
    section = _section(field.name) if issubclass(group, DataOptions | ReproduceOptions) else ""
    if not declared.keys:
        yield click_option(declared, field.name, section=section, default=default_of(field) if declared.shown else None)
    for key in declared.keys:
        yield _of_key(declared, key)


def _section(name: str) -> str:
    """The task that an option is of, if it is of no other."""
    of = [task.name for task in declarations().values() if name in declared_in(task.options)]
    return of[0].capitalize() if len(of) == 1 else ""


def called(group: type[Any], options: dict[str, Any]) -> dict[str, Any]:
    """What the line says of a group, as the keywords of a function; what is not of the group stays in ``options``."""
    keywords: dict[str, Any] = {}
    for name, declared in declared_in(group).items():
        if declared.keys:
            values = {key.name: options.pop(_argument(declared, key), None) for key in declared.keys}
            keywords[name] = {key: value for key, value in values.items() if value}
        elif declared.name not in _LOADED:
            keywords[name] = options.pop(declared.argument or name, None)
    keywords = {name: value for name, value in keywords.items() if not is_left_out(value)}
    return keywords | of_measures(options, keywords)


_LOADED = ("plugin", "distance")


def measures_option(help: str) -> Callable[..., Any]:
    """Which measures, under either name, where a function takes them by place."""
    return click_option(dataclasses.replace(MEASURES, help=help))


plugin_option = click_option(PLUGIN)
resume_option = click_option(RESUME)
page_option = click.option("--page", metavar="PAGE.html", help="Write the answer as a page too, to be read in a browser.")


def output_option(metavar: str, help: str) -> Callable[..., Any]:
    """The file that a command is called for."""
    return click.option("-o", "--output", "target", metavar=metavar, required=True, help=help)


def gold_and_runs(command: Callable[..., Any]) -> Callable[..., Any]:
    """GOLD RUN..."""
    return decorated(command, [click.argument("gold"), click.argument("runs", nargs=-1, metavar="[RUN]...")])


def with_conversion_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for reading rankings that are to be converted."""
    fields, declared = DataOptions.__dataclass_fields__, declared_in(DataOptions)
    wanted = ("aspect", "filter", "gold_are", "runs_are", "tie_epsilon", "gold_tie_epsilon")
    options = [each for name in wanted for each in _of_field(fields[name], DataOptions)]
    keys = {key.name: key for key in declared["columns"].keys}
    options += [_of_key(dataclasses.replace(declared["columns"], section=""), keys[role]) for role in _CONVERTED]
    beside = {
        "run_columns": "The columns of runs beside gold's.",
        "format_in": "The format (wmt, jcml, trec), if it is not recognised.",
    }
    options += [click_option(dataclasses.replace(declared[name], help=help), name) for name, help in beside.items()]
    return decorated(command, options)


_CONVERTED = (
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


def _of_key(declared: Option, key: Key) -> Callable[..., Any]:
    name = f"{key.shown}-{declared.name}"
    one = dataclasses.replace(
        declared, name=name, argument=_argument(declared, key), help=declared.help.format(key.what), keys=()
    )
    return click_option(one, hidden=key.hidden)


def _argument(declared: Option, key: Key) -> str:
    return f"{key.name}_{declared.name}"


def decorated(command: Callable[..., Any], options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """The command with these options, in this order."""
    for decorate in reversed(options):
        command = decorate(command)
    return command


def distance_table(distance: str | None, arguments: dict[str, Any]) -> list[list[float]] | None:
    """The distances in the file that a user names, in the order of the declared classes."""
    from metameasure.reading.numbers import distances_between  # noqa: PLC0415

    if distance is None:
        return None
    if "task" in arguments:
        declaration(arguments["task"]).task.check_distance(distance)
    classes = arguments.get("classes") or [arguments[role] for role in ("positive", "neutral", "negative") if arguments.get(role)]
    return distances_between(distance, classes, arguments.get("kind"))


def of_measures(options: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """The measures and the distances that the options name, as arguments."""
    from metameasure.catalogue.registry import default_registry  # noqa: PLC0415 - for commands that score something

    additions: dict[str, Any] = {}
    if "plugins" in options:
        additions["registry"] = default_registry().with_plugins(options.pop("plugins"))
    if "distance" in options:
        additions["distance"] = distance_table(options.pop("distance"), arguments)
    return additions


def flags(name: str, value: Any) -> list[str]:
    """What the line has where an argument has this value."""
    declared = declared_in(DataOptions).get(name)
    return [f"--{name.replace('_', '-')}"] if declared is None else declared.flags(value)


def listed_names(text: str | None) -> list[str]:
    """The measures or runs that a line names, with commas between them."""
    return [part.strip() for part in split_unescaped(text or "", ",") if part.strip()]


def part_of(group: type[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords that a group has too."""
    return {name: value for name, value in keywords.items() if name in declared_in(group)}


def how_read(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords that say how data are read, whatever the task."""
    return {name: value for name, value in part_of(DataOptions, keywords).items() if name not in ("task", "seed")}


def one_file_per_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--one-file-per``, for commands that take scores."""
    return click.option(
        "--one-file-per",
        type=click.Choice(["measure", "run"]),
        default="measure",
        show_default=True,
        help="What a file of scores holds: one measure (topics down, runs across), or one run (a topic and a score on each "
        "line, or a score).",
    )(command)


def scores_of_runs(files: Sequence[str], measures: str | None) -> Any:
    """The scores of runs that have a file each."""
    from metameasure.scores.run_files import run_files  # noqa: PLC0415 - engines load when there is something to do

    named = listed_names(measures)
    if len(named) > 1:
        raise UsageError("files of runs are compared by one measure", hint="name one, as in --measures ndcg@5")
    return run_files(files, named[0] if named else None)


def wanted_measures(measures: str | None, gold: str, runs: Sequence[str], keywords: dict[str, Any]) -> list[str]:
    """The same, to compare runs by: scores may need none, UsageError where gold and runs are given and no measure."""
    from metameasure.catalogue.registry import default_registry  # noqa: PLC0415 - for commands that score something
    from metameasure.tasks.gold_or_scores import guessed_task, scored_by, what_is  # noqa: PLC0415 - engines load when there is something to do

    named, about = listed_names(measures), how_read(keywords)
    if scored := scored_by(gold, runs, about, keywords["task"]):
        each = "if each run has a file of scores, add {--one-file-per run}"
        raise UsageError(say("'{file}' holds scores of {measure}, not gold", file=gold, measure=scored), hint=say(each))
    task = keywords["task"] if named else guessed_task(keywords["task"], gold, runs, about)  # outcomes bring their own
    if not named and not declaration(task).brings_measures and what_is(gold, runs, about, task) == "data":
        raise default_registry().none_chosen(task)
    return named


def input_files(options: dict[str, Any]) -> list[Any]:
    """The files that the options of a line name to be read."""
    beside = [
        options.get(argument)
        for name, declared in declared_in(DataOptions).items()
        if declared.is_file
        for argument in ([_argument(declared, key) for key in declared.keys] or [name])
    ]
    return [options.get("distance"), *options.get("plugins", ()), *beside]
