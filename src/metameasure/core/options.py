"""Options, declared once: what the command line shows and reads, and what a Python function is given by that name.

Options come in groups: frozen dataclasses, whose fields have a type, a default, and in their metadata the declaration. Commands
make their options of a group, and ``with_options`` gives a function the signature and the documentation of one. A question about
measures lists the declarations of its options.
"""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from numbers import Integral, Real
from os import PathLike
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, dataclass_transform

from metameasure.core.errors import MetameasureError, UsageError, deprecated, did_you_mean
from metameasure.core.messages import OptionName, say
from metameasure.core.messages import option as flag
from metameasure.core.notes import listed
from metameasure.core.values import is_truth

_METADATA = "option"
P = ParamSpec("P")
Group = TypeVar("Group")
Part = TypeVar("Part")
Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)


@dataclass(frozen=True)
class Key:
    """A key of an option that is a mapping; the command line has an option for each: ``--item-column`` for ``item``."""

    name: str
    what: str
    """What is under the key, for the help."""
    flag: str = ""
    """What the command line calls the key, where that differs."""
    hidden: bool = False

    @property
    def shown(self) -> str:
        """The key as the command line has it."""
        return self.flag or self.name.replace("_", "-")


@dataclass(frozen=True)
class Option:
    """An argument of a function that is an option of a command too. ``type`` reads its text: int, float, bool for a flag, or a
    function."""

    name: str
    """As the command line has it, without the dashes; of a mapping, what comes behind each key."""
    help: str
    type: Callable[[str], Any] = str
    metavar: str | None = None
    least: int | None = None
    between: tuple[float, float] | None = None
    """The ends between which a number lies, neither of them included."""
    repeated: bool = False
    argument: str = ""
    """The argument, if its name differs from the option's."""
    writes: str = ""
    """The method of the answer that writes the file which this option names, where it is that and no argument."""
    choices: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()
    """Other names for choices, each with the choice."""
    words: tuple[str, ...] = ()
    """What Python may say besides numbers, or yes and no."""
    section: str = ""
    """The section of the help, where it is not that of the task, or the general one."""
    keys: tuple[Key, ...] = ()
    """The keys, where it is a mapping. ``help`` has then a place for what is under a key."""
    is_file: bool = False
    """Whether it names a file that is read."""
    usual: str = ""
    """The value that says the same as leaving it out, where there is one."""
    of_scoring: bool = False
    """Whether it is about scoring, so that it may be said of data that have been read before."""
    also: str = ""
    """Another name that the command line knows it by."""
    negated: bool = False
    """Whether a flag can be turned off too: ``--no-baselines``."""
    shown: bool = False
    """Whether the help shows the default."""
    doc: str = ""
    """What Python's documentation says, where that is more than the help of the command line does."""
    only: Literal["", "command", "python"] = ""
    """Where it is an option of only one of the two."""

    @property
    def passed_as(self) -> str:
        """The argument that it is passed as."""
        return self.argument or self.name.replace("-", "_")

    def flags(self, value: Any) -> list[str]:
        """What a line has where it has this value: a flag for each key of a mapping."""
        if not self.keys:
            return [flag(self.name)]
        shown = {key.name: key.shown for key in self.keys}
        return [flag(f"{shown.get(key, key)}-{self.name}") for key in value]


@dataclass_transform(kw_only_default=True, frozen_default=True)
def option_group(cls: type[Group]) -> type[Group]:
    """A group of options: a frozen dataclass of keywords, each with a default. All are made by the same function, and have no
    ``==`` and no ``repr`` of their own: to write and compile these for each group took a tenth of the start of a command."""
    cls.__init__ = _set_options  # type: ignore[method-assign]
    made = dataclass(frozen=True, kw_only=True, init=False, eq=False, repr=False)(cls)
    for field in fields_of(made):
        if default_of(field) is dataclasses.MISSING:
            raise TypeError(f"{cls.__name__}.{field.name} has no default: write {field.name}: ... = option(...)")
    return made


def option_group_of(name: str, fields: Mapping[str, tuple[Any, Any]]) -> type[Any]:
    """A group of these fields, each with its type."""
    types = {field: type for field, (type, _) in fields.items()}
    return option_group(type(name, (), {"__annotations__": types, **{field: made for field, (_, made) in fields.items()}}))


def _set_options(self: Any, **given: Any) -> None:
    fields = fields_of(type(self))
    self.__dict__.update((field.name, given.pop(field.name) if field.name in given else default_of(field)) for field in fields)
    for name in given:
        raise TypeError(f"{type(self).__name__} got an unexpected keyword argument {name!r}")
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def option(declared: str | Option, help: str = "", type: Callable[[str], Any] = str, *, default: Any = None, **facts: Any) -> Any:
    """A field of a group of options, with its declaration: a new one, or a shared one with what differs here."""
    if isinstance(declared, Option):
        made = dataclasses.replace(declared, help=help or declared.help, **facts)
    else:
        made = Option(declared, help, type, **facts)
    if made.keys:
        return dataclasses.field(default_factory=dict, metadata={_METADATA: made})
    return dataclasses.field(default=default, metadata={_METADATA: made})


_found_once = cache(dataclasses.fields)


def fields_of(group: Any) -> tuple[dataclasses.Field[Any], ...]:
    """The fields of a group: every call asks for them."""
    return _found_once(group)


def declared_in(group: type[Any]) -> dict[str, Option]:
    """The declarations in a group of options, by field."""
    return {field.name: field.metadata[_METADATA] for field in fields_of(group) if _METADATA in field.metadata}


def default_of(field: dataclasses.Field[Any]) -> Any:
    """What a field is where nothing is said of it."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def part(group: type[Part], of: Any) -> Part:
    """The fields of a group within a larger one."""
    return group(**{field.name: getattr(of, field.name) for field in fields_of(group)})


def said(options: Any, group: Any) -> dict[str, Any]:
    """The options of a group that are set to something else than their defaults, by field. Arrays and frames have no truth of
    their own."""
    values = ((name, getattr(options, name), default) for name, default in _defaults_of(group))
    return {name: value for name, value, default in values if not _is_default(value, default)}


@cache
def _defaults_of(group: Any) -> tuple[tuple[str, Any], ...]:
    """What each field is where nothing is said of it, to compare with: every call asks for them."""
    return tuple((field.name, default_of(field)) for field in fields_of(group))


def _is_default(value: Any, default: Any) -> bool:
    return is_left_out(value) or _is_usual(value, default)


def _is_usual(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, str | int | float) and bool(value == default))


def is_left_out(value: Any) -> bool:
    """Whether an option was not given: None, or no names at all. Arrays and frames have no truth of their own."""
    return value is None or (isinstance(value, tuple | list | dict) and not value)


# What is given for an option is checked and read once, where it comes in, and refused in the same words whatever the option.


def value_of(option: Option, value: Any, argument: str = "", type: str = "") -> Any:
    """The value that a function is given: a choice by its own name, a number or a truth as Python's, an array as what is in it, a
    text as it is read, a name as text. UsageError for what the option cannot be. ``type`` is the field's, as it is written."""
    name = OptionName(option.name, argument or option.passed_as)
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    if option.choices:
        return chosen(name, dict(option.synonyms).get(value, value) if isinstance(value, str) else value, option.choices)
    if isinstance(value, str) and value in option.words:
        return value
    if option.type in _PLAIN:
        return _plain(option, name, value)
    if option.type in _OF_SEVERAL and getattr(value, "ndim", None) == 1:
        value = tuple(value.tolist())
    if isinstance(value, str) and not option.keys and type not in _NEVER_TEXT:
        return value if option.type is str else read_text(option, value, name)
    return of_type(type, name, value)


def of_type(type: str, name: str, value: Any) -> Any:
    """The value of an argument of this type, as the type is written; UsageError for what it cannot be."""
    return _TYPED[type](name, value) if type in _TYPED else value


def chosen(name: str, value: Any, choices: Sequence[str]) -> str:
    """The value, where it is one of the choices."""
    if isinstance(value, str) and value in choices:
        return value
    near = did_you_mean(value, choices) if isinstance(value, str) else ""
    raise cannot_be(name, value, f"choose {listed(choices, most=None)}{f'; {near}' if near else ''}")


def read_text(option: Option, text: str, name: str = "") -> Any:
    """What the text stands for."""
    try:
        return option.type(text)
    except MetameasureError:
        raise
    except ValueError as error:
        raise cannot_be(name or OptionName(option.name, option.passed_as), text, f"give {error}") from None


def cannot_be(name: str, value: Any, hint: str) -> UsageError:
    """The error for a value that an option cannot have; ``hint`` says which it can."""
    if isinstance(value, str | bool | Real):
        written = repr(value) if isinstance(value, str) else str(value)
        return UsageError(say("{option} cannot be {value}", option=name, value=written), hint=hint)
    return UsageError(say("{option} cannot be of type {type}", option=name, type=type(value).__name__), hint=hint)


def _plain(option: Option, name: str, value: Any) -> Any:
    as_python_has_it = _PLAIN[option.type](value)
    if as_python_has_it is None or not _is_within(option, as_python_has_it):
        near = did_you_mean(value, option.words) if isinstance(value, str) else ""
        raise cannot_be(name, value, f"give {wanted(option)}{f'; {near}' if near else ''}")
    return as_python_has_it


def _is_within(option: Option, number: float) -> bool:
    """Whether a number is as large, or as small, as is declared."""
    if option.between is not None:
        return option.between[0] < number < option.between[1]
    return option.least is None or number >= option.least


def wanted(option: Option) -> str:
    """What an option has to be that is a number, or yes or no."""
    if option.type is bool:
        return listed(["True", "False", *map(repr, option.words)])
    if option.between is not None:
        return "a number between {:g} and {:g}".format(*option.between)
    least = "" if option.least is None else f" from {option.least} up"
    return f"a {'whole number' if option.type is int else 'number'}{least}"


def _whole(value: Any) -> int | None:
    if isinstance(value, Integral) and not is_truth(value):
        return int(value)
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None


def _number(value: Any) -> float | None:
    return None if is_truth(value) or not isinstance(value, Real) else float(value)


def _truth(value: Any) -> bool | None:
    return bool(value) if is_truth(value) or (isinstance(value, Integral) and value in (0, 1)) else None


_PLAIN: dict[Any, Callable[[Any], Any]] = {int: _whole, float: _number, bool: _truth}


def _text(name: str, value: Any) -> str:
    """A name, which may be a number where users count: runs by number, columns of a frame without a header."""
    if isinstance(value, str | Real):
        return str(value)
    raise cannot_be(name, value, "give a text")


def _texts(name: str, value: Any) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return value
    if isinstance(value, Real):
        return (str(value),)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise cannot_be(name, value, "give a list of texts")
    return tuple(_text(name, one) for one in value)


def _texts_by_key(name: str, value: Any) -> dict[str, str]:
    return {key: _text(name, one) for key, one in _by_key(name, value).items()}


def _by_key(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {_text(name, key): one for key, one in value.items()}
    raise cannot_be(name, value, "give a dictionary")


def _several_numbers(name: str, value: Any) -> tuple[float, ...]:
    found = [_number(one) for one in value] if isinstance(value, Iterable) else [_number(value)]
    sound = tuple(one for one in found if one is not None)
    if len(sound) < len(found):
        raise cannot_be(name, value, "give numbers, as in [1.5, 2.5]")
    return sound


def _number_or_two(name: str, value: Any) -> float | tuple[float, ...]:
    found = _several_numbers(name, value)
    if isinstance(value, Iterable) and len(found) != 2:
        raise cannot_be(name, value, "give a number, or two")
    return found if isinstance(value, Iterable) else found[0]


def _two_numbers(name: str, value: Any) -> tuple[float, ...]:
    found = _several_numbers(name, value)
    if len(found) != 2:
        raise cannot_be(name, value, "give two numbers, as in (0.8, 0.6)")
    return found


def _number_or_by_key(name: str, value: Any) -> float | dict[str, float]:
    if isinstance(value, Mapping):
        return {key: _number_or_by_key(name, one) for key, one in _by_key(name, value).items()}  # type: ignore[misc]
    number = _number(value)
    if number is None:
        raise cannot_be(name, value, "give a number, or one for each measure, as in {'accuracy': .02, 'mae': .1}")
    return number


def _file(name: str, value: Any) -> Any:
    if isinstance(value, str | PathLike):
        return value
    raise cannot_be(name, value, "give the name of a file")


def _map_or_file(name: str, value: Any) -> Any:
    return value if isinstance(value, Mapping) else _file(name, value)


def _corrected(name: str, value: Any) -> Any:
    return value if hasattr(value, "to_dict") else _file(name, value)


def _several(name: str, value: Any) -> Any:
    if isinstance(value, Iterable) or hasattr(value, "__array__"):
        return value
    raise cannot_be(name, value, "give a list")


def _having(method: str, hint: str) -> Callable[[str, Any], Any]:
    """Something of a class that is not imported here, told by a method that it has."""

    def read(name: str, value: Any) -> Any:
        if hasattr(value, method):
            return value
        raise cannot_be(name, value, hint)

    return read


def _measure(_: str, value: Any) -> Any:
    if isinstance(value, str) or hasattr(value, "template"):
        return value
    raise UsageError(f"a measure cannot be of type {type(value).__name__}", hint="give its name, or mm.measures[...]")


def _measures(name: str, value: Any) -> Any:
    several = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    return [_measure(name, one) for one in value] if several else _measure(name, value)


def _of_plain(type: Callable[[str], Any]) -> Callable[[str, Any], Any]:
    return lambda name, value: _plain(Option(name, "", type), name, value)


_TYPED: dict[str, Callable[[str, Any], Any]] = {
    "int": _of_plain(int),
    "float": _of_plain(float),
    "bool": _of_plain(bool),
    "str": _text,
    "Names": _texts,
    "Sequence[str]": _texts,
    "str | Sequence[str]": _texts,
    "Sequence[float]": _several_numbers,
    "float | tuple[float, float]": _number_or_two,
    "tuple[float, float]": _two_numbers,
    "float | Mapping[str, float]": _number_or_by_key,
    "Mapping[str, str]": _texts_by_key,
    "Mapping[str, Any]": _by_key,
    "str | Path": _file,
    "Mapping[str, str] | str | Path": _map_or_file,
    "Corrected | str | Path": _corrected,
    "Iterable[Any]": _several,
    "Iterable[float]": _several,
    "Sequence[Any]": _several,
    "Executor": _having("submit", "give an executor of concurrent.futures"),
    "Registry": _having("of_task", "give a registry of measures, such as mm.measures"),
    "str | Measure": _measure,
    "Measures": _measures,
    "str | Measure | Sequence[str | Measure]": _measures,
}
"""How a value is read that is no text, by the type of its field."""
_TYPED |= {f"{type} | None": read for type, read in _TYPED.items()}
_NEVER_TEXT = ("Registry", "Registry | None")


# Texts are read by these, which raise a ValueError that says what would be right.


def names(text: str) -> tuple[str, ...]:
    """A,B as names."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def numbers(text: str) -> tuple[float, ...]:
    """1.5,2.5 as numbers."""
    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("numbers, as in 1.5,2.5,3.5") from None


def margins(text: str) -> float | dict[str, float]:
    """.02 as a number; accuracy=.02,mae=.1 as one for each measure."""
    parts = names(text)
    try:
        if len(parts) == 1 and "=" not in parts[0]:
            return float(parts[0])
        return {name.strip(): float(one) for name, _, one in (part.rpartition("=") for part in parts)}
    except ValueError:
        raise ValueError("a number, or one for each measure, as in accuracy=.02,mae=.1") from None


def range_or_list(text: str) -> tuple[float, ...]:
    """.2,.5,.3 or 1..3 as numbers."""
    try:
        return tuple(float(part) for part in text.replace("..", ",").split(","))
    except ValueError:
        raise ValueError("numbers, as in .2,.5,.3 or 1..3") from None


_OF_SEVERAL: tuple[Any, ...] = (names, numbers, range_or_list)


class Call(Protocol[P, Answer_co]):
    """A function that takes data by place, and the options of a group by name."""

    def __call__(
        self, first: Any = ..., second: Any = ..., third: Any = ..., /, *args: P.args, **options: P.kwargs
    ) -> Answer_co: ...


Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def with_options(
    group: Callable[P, Group],
    *,
    former: Callable[[tuple[Any, ...], dict[str, Any]], Arguments] = lambda *given: given,
    renamed: Mapping[str, str] | None = None,
) -> Callable[[Callable[Concatenate[Group, ...], Answer]], Call[P, Answer]]:
    """A function with the options of a group as its keywords: it is given the group first, and then what stands before them.
    ``former`` puts the arguments of a call as it was once written into their present order; ``renamed`` has the present names of
    arguments that had others."""

    def decorate(function: Callable[Concatenate[Group, ...], Answer]) -> Call[P, Answer]:
        data = list(inspect.signature(function).parameters.values())[1:]
        names = frozenset(one.name for one in data)

        @wraps(function)
        def call(*args: Any, **keywords: Any) -> Answer:
            for old, new in (renamed or {}).items():
                if old in keywords:
                    deprecated(f"{old} is called {new}", stacklevel=2)
                    keywords[new] = keywords.pop(old)
            args, keywords = former(args, keywords)
            by_name = {name: keywords.pop(name) for name in names & keywords.keys()}
            return function(options_of(group, keywords), *as_declared(data, args), **as_declared_by_name(data, by_name))

        del call.__wrapped__  # whose parameters are not those of the call
        call.group = group  # type: ignore[attr-defined]
        call.__signature__ = signature_of(data, group, function)  # type: ignore[attr-defined]
        call.__doc__ = documented(inspect.getdoc(function) or "", group)
        call.__annotations__ = {one.name: one.annotation for one in call.__signature__.parameters.values()}  # type: ignore[attr-defined]
        return call

    return decorate


def checked(function: Callable[P, Answer]) -> Callable[P, Answer]:
    """A function whose arguments are read by their types where it is called; UsageError for what one cannot be."""
    declared = list(inspect.signature(function).parameters.values())

    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> Answer:
        return function(*as_declared(declared, args), **as_declared_by_name(declared, keywords))

    return call


def as_declared(declared: Iterable[inspect.Parameter], given: Sequence[Any]) -> Sequence[Any]:
    """The arguments by place, each as its type reads it."""
    declared = [*declared]
    return [*map(_argument, declared, given), *given[len(declared) :]]


def as_declared_by_name(declared: Sequence[inspect.Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    known = {one.name: one for one in declared}
    return {name: _argument(known[name], value) if name in known else value for name, value in given.items()}


def _argument(declared: inspect.Parameter, value: Any) -> Any:
    return value if value is declared.default else of_type(str(declared.annotation), declared.name, value)


def options_of(group: Callable[..., Group], keywords: Mapping[str, Any]) -> Group:
    """The group that the keywords of a call stand for; UsageError for an option that does not exist."""
    said_of = with_keys(group, {name: value for name, value in keywords.items() if value is not None})
    check_known(said_of, names_in(group))
    return group(**settled_in(group, said_of))


def names_in(group: Any) -> list[str]:
    """The names that the options of a group go by: its fields, and the keys of mappings by themselves."""
    return [*(field.name for field in fields_of(group)), *_names_of_keys(group)]


def check_known(given: Iterable[str], known: Collection[str]) -> None:
    """UsageError for an option that does not exist."""
    for name in given:
        if name not in known:
            raise no_option(name, known)


def no_option(name: str, known: Iterable[str]) -> UsageError:
    """The error for an option that does not exist."""
    return UsageError(f"there is no option '{name}'", hint=did_you_mean(name, known) or "see the documentation")


def settled_in(group: Any, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords as a group has them."""
    return settled(declared_in(group), dict(_defaults_of(group)), keywords, _types_in(group))


@cache
def _types_in(group: Any) -> Mapping[str, str]:
    return {field.name: type_of(field) for field in fields_of(group)}


def settled(
    declared: Mapping[str, Option], usual: Mapping[str, Any], keywords: Mapping[str, Any], types: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The keywords, each as its option is read; UsageError for a value that one cannot have. What is usual may stand."""
    types = types or {}
    found: dict[str, Any] = {}
    for name, value in keywords.items():
        if value is None:
            found[name] = usual.get(name)
        elif _is_usual(value, usual.get(name)):
            found[name] = value
        elif name in declared:
            found[name] = value_of(declared[name], value, name, types.get(name, ""))
        else:
            found[name] = of_type(types.get(name, ""), name, value)
    return found


def with_keys(group: Any, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords, those that name one key of a mapping (``gold_column``, as the command line has it) within it."""
    found = dict(keywords)
    if _names_of_keys(group).isdisjoint(keywords):
        return found
    for field, key, keyword in keywords_of_keys(group):
        if keyword not in keywords:
            continue
        if keywords[keyword] is None:
            del found[keyword]
            continue
        value, whole = found.pop(keyword), dict(found.get(field) or {})
        if whole.get(key, value) is not value and whole[key] != value:
            raise UsageError(
                f"the {keyword.rpartition('_')[2]} of {key} is named twice", hint=f"leave out one of '{whole[key]}' and '{value}'"
            )
        found[field] = {**whole, key: value}
    return found


@cache
def keywords_of_keys(group: Any) -> tuple[tuple[str, str, str], ...]:
    """For each key of the mappings in a group: the field, the key, and the keyword that sets it alone."""
    return tuple(
        (field, key.name, f"{key.shown.replace('-', '_')}_{declared.name}")
        for field, declared in declared_in(group).items()
        for key in declared.keys
    )


@cache
def _names_of_keys(group: Any) -> frozenset[str]:
    return frozenset(keyword for _, _, keyword in keywords_of_keys(group))


def signature_of(data: list[inspect.Parameter], group: Any, function: Callable[..., Any]) -> inspect.Signature:
    """What a function takes: its data, and the options of a group."""
    fields = [field for field in dataclasses.fields(group) if _of_python(field)]
    options = {field.name: (type_of(field), default_of(field)) for field in fields}
    values = {field.name: "Any" if "Any" in type_of(field) else "str | None" for field in fields}
    options |= {keyword: (values[name], None) for name, _, keyword in keywords_of_keys(group)}
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, keyword_only, annotation=type, default=usual) for name, (type, usual) in options.items()]
    return inspect.Signature([*data, *more], return_annotation=inspect.signature(function).return_annotation)


def type_of(field: dataclasses.Field[Any]) -> str:
    """The type of a field, as it is written."""
    return field.type if isinstance(field.type, str) else inspect.formatannotation(field.type)


def _of_python(field: dataclasses.Field[Any]) -> bool:
    return _METADATA not in field.metadata or field.metadata[_METADATA].only != "command"


_AFTER_PARAMETERS = ("Returns", "Raises", "See Also", "Notes", "References", "Examples")


def documented(text: str, group: Any) -> str:
    """The documentation of a function, with the options of a group behind its other parameters."""
    heads = (f"\n{title}\n{'-' * len(title)}\n" for title in _AFTER_PARAMETERS)
    ends = [place for place in (text.find(head) for head in heads) if place >= 0]
    end = min(ends, default=len(text))
    before, after = text[:end].rstrip("\n"), text[end:]
    if "\nParameters\n" not in before:
        before += "\n\nParameters\n----------"
    return f"{before}\n{parameters(group)}\n{after}"


def parameters(group: Any) -> str:
    """The options of a group, as the section Parameters of a docstring has them."""
    lines: list[str] = []
    for field in filter(_of_python, dataclasses.fields(group)):
        declared: Option | None = field.metadata.get(_METADATA)
        if declared is None:
            continue
        type = type_in_words(type_of(field), default_of(field), declared)
        lines += [f"{field.name} : {type}", *_indented(declared.doc or _in_python(declared))]
        if declared.keys:
            keywords = [keyword for name, _, keyword in keywords_of_keys(group) if name == field.name]
            lines += [f"{', '.join(keywords)} : str, optional", *_indented(f"One key of ``{field.name}`` by itself.")]
    return "\n".join(lines)


def type_in_words(type: str, default: Any, declared: Option) -> str:
    """What an option is, as the section Parameters of a docstring says it."""
    type = type.removesuffix(" | None").replace(" | None", "").replace(" | ", " or ")
    type = "{" + ", ".join(map(repr, declared.choices)) + "}" if declared.choices else type
    return f"{type}, optional" if is_left_out(default) or default is False else f"{type}, default {default!r}"


def _in_python(declared: Option) -> str:
    """The help of the command line, with the keys of a mapping."""
    if not declared.keys:
        return declared.help
    shown = "; ".join(f"``{key.name}``: {key.what}" for key in declared.keys if not key.hidden)
    return f"{declared.help.format('each role').rstrip('.')}, by role. {shown}."


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, 116, initial_indent="    ", subsequent_indent="    ")
