"""What the program says: a template of ours, and parts.

    say("{run} lacks {items}; choose {--missing drop}", run=name, items=counted(5, "item"))

What comes from files (names of runs, labels, paths) is a part: it stands in the text as it is, and nothing ever searches it. An
option of the command line is a field of the template too, because it has two spellings:

    {--missing drop}         --missing drop           missing='drop'
    {--item-column <name>}   --item-column pair_ID    columns={'item': 'pair_ID'}    with name="pair_ID"
    {evaluate --scores FILE}, {metameasure measures --check}: another call of ours, and a line that only a shell understands

A message is text, written for whoever reads it: people who type commands, or who write Python. It keeps its template, its parts
and its kind, so that JSON has them as data, pages choose by kind, and two notes that count the same add up.
"""

from __future__ import annotations

import dataclasses
import functools
import shlex
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, Self

from metameasure.core.numbers import formatted, json_number

Reader = Literal["command", "python"]
_reader: ContextVar[Reader] = ContextVar("reader", default="python")

SUBJECTS = frozenset(
    {
        "annotator", "annotators", "baseline", "baselines", "class", "classes", "column", "columns", "example",
        "file", "files", "first", "gold", "item", "items", "judge", "judges", "label",
        "labels", "line", "measure", "measures", "name", "names", "other", "others", "run",
        "runs", "second", "segment", "topic", "topics", "whose",
    }
)  # fmt: skip
"""Parts with these names are what a message is about, where they are names; JSON lists them under ``subjects``."""

# Options that go by another name in Python, are yes or no, or are a method there.
NAMES = {"plugin": "registry", "for": "for_"}
FLAGS = (
    "anova",
    "balance",
    "baselines",
    "by-class",
    "by-source",
    "ci",
    "counts",
    "each-topic",
    "fold",
    "groups",
    "no-distances",
    "normalise",
    "possible-ranks",
    "ranks",
    "simultaneous",
    "stacked",
    "skip-broken",
    "unpaired",
    "validity",
)
_MOST_LEGENDS = 3
_MOST_RUNS = 5
METHODS = {"format": "render", "notes": "render", "scores": "save", "chart": "chart"}
_COLUMN = "-column"
_ROLES = {"class": "category"}
_LONGEST_FORMAT = 4  # of what files say: a wide one would fill the memory
_PLACEHOLDERS = ("FILE", "DIR", "A", "D", "K", "N", "X")


@contextmanager
def speaking_to(reader: Reader) -> Iterator[None]:
    """Messages that are made inside are written for this reader."""
    token = _reader.set(reader)
    try:
        yield
    finally:
        _reader.reset(token)


class Message(str):
    """A text that knows what it is made of."""

    __slots__ = ("kind", "parts", "template", "warns")

    template: str
    parts: Mapping[str, Any]
    kind: str
    warns: bool
    """Whether it changes how a number is to be read: such a message is never left out."""

    def __new__(cls, template: str, parts: Mapping[str, Any], kind: str = "note", *, warns: bool = False) -> Self:
        message = super().__new__(cls, _written(template, parts, _reader.get()))
        message.template, message.parts, message.kind, message.warns = template, parts, kind, warns
        return message

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[Any, ...]]:
        return _again, (self.template, dict(self.parts), self.kind, self.warns)

    def on(self, reader: Reader) -> str:
        """The text for that reader."""
        return _written(self.template, self.parts, reader)

    def having(self, **parts: Any) -> Message:
        """The same with other parts."""
        return Message(self.template, {**self.parts, **parts}, self.kind, warns=self.warns)

    def renamed(self, names: Mapping[str, str]) -> Message:
        """The same with other names for what it is about; what one would have to type keeps its own."""
        new, template = dict(self.parts), self.template
        for name, part in self.parts.items():
            called = _called(part, names) if name in SUBJECTS or _says_more(part) else part
            if called == part:
                continue
            new[name] = called
            if f"<{name}>}}" in template:
                template, new[f"{name}_typed"] = template.replace(f"<{name}>}}", f"<{name}_typed>}}"), part
        return Message(template, new, self.kind, warns=self.warns) if new != self.parts else self

    def by_file_names(self) -> Message:
        """The same with files by their names alone, so that it reads alike wherever it is made."""
        files = {name: Path(part).name for name, part in self.parts.items() if name == "file"}
        files |= {
            name: dataclasses.replace(part, file=Path(part.file).name)
            for name, part in self.parts.items()
            if hasattr(part, "file")
        }
        return self.having(**files) if files else self

    @property
    def options(self) -> tuple[str, ...]:
        """The options that the message names, without their values."""
        own = [_option(field)[1] for field, _ in fields(self.template) if _is_option(field)]
        inner = (name for part in self.parts.values() if isinstance(part, Message) for name in part.options)
        return tuple(dict.fromkeys([*own, *inner]))

    @property
    def sentence(self) -> Message:
        """The message with its full stop, and with a capital letter where it opens with a word of ours and not with a name."""
        capital = self._capitalised()
        if self.endswith((".", "?", "!", ":")):
            return capital
        return Message(f"{capital.template}.", capital.parts, self.kind, warns=self.warns)

    def _capitalised(self) -> Message:
        literal, opening, _ = next(iter(_parsed(self.template)), ("", "", ""))
        if literal:
            return Message(self.template[:1].upper() + self.template[1:], self.parts, self.kind, warns=self.warns)
        first = self.parts.get(opening)
        return self.having(**{opening: first._capitalised()}) if isinstance(first, Message) else self  # noqa: SLF001

    def data(self) -> dict[str, Any]:
        """The message as JSON has it: its kind, whom it is about, its numbers, the test behind it, where it names one, and the
        text. What it is made of counts, messages within it too; several numbers of one name are a list, in the order of the
        text."""
        gathered = _Gathered()
        gathered.add(self.parts)
        test = {"test": str(self.parts["test"])} if "test" in self.parts else {}
        return {"kind": self.kind, **gathered.facts(), **test, "text": str(self)}


@dataclasses.dataclass
class _Gathered:
    """The names and numbers in the parts of a message."""

    subjects: list[str] = dataclasses.field(default_factory=list)
    numbers: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    measure: str | None = None

    def add(self, parts: Mapping[str, Any]) -> None:
        """The parts of a message first, then those of the messages within it; a number that both have counts once."""
        within: list[Message] = []
        own = {name: _number_in(part) for name, part in parts.items() if _has_number(part)}
        for name, number in own.items():
            self.numbers.setdefault(name, []).append(number)
        for name, part in parts.items():
            if isinstance(part, Message):
                within.append(part)
            elif isinstance(part, Listed):
                within += [one for one in part.names if isinstance(one, Message)]
                self.subjects += [one for one in part.names if not isinstance(one, Message)]
            elif hasattr(part, "file"):
                self._add_problem(part)
            elif name in own or not isinstance(part, str):
                continue
            elif name == "measure" and self.measure in (None, str(part)):
                self.measure = str(part)
            elif name in SUBJECTS or name == "measure":
                self.subjects.append(str(part))
        for one in within:
            self.add({name: part for name, part in one.parts.items() if name not in own or not _is_same(part, own[name])})

    def _add_problem(self, problem: Any) -> None:
        """The file and the line of a problem, and what it says."""
        self.add({"file": problem.file, **({"line": problem.line} if problem.line else {}), "what": problem.what})

    def facts(self) -> dict[str, Any]:
        """As JSON has them."""
        numbers = {name: many[0] if len(many) == 1 else many for name, many in self.numbers.items()}
        return {"subjects": list(dict.fromkeys(self.subjects)), "measure": self.measure, "numbers": numbers}


def _has_number(part: Any) -> bool:
    """Whether a part is a number, counts something, or is several numbers."""
    if isinstance(part, tuple):
        return bool(part) and all(map(_has_number, part))
    return isinstance(part, Counted) or (isinstance(part, Real) and not isinstance(part, bool))


def _number_in(part: Any) -> Any:
    """The number as JSON can say it."""
    if isinstance(part, tuple):
        return [_number_in(one) for one in part]
    if isinstance(part, Counted):
        return part.number
    return int(part) if isinstance(part, Integral) else json_number(part)


def _is_same(part: Any, number: Any) -> bool:
    return _has_number(part) and _number_in(part) == number


class Counted(str):
    """``6 runs``, which knows its number and what it counts."""

    __slots__ = ("noun", "number")
    number: int
    noun: str

    def __new__(cls, number: int, noun: str) -> Self:
        text = super().__new__(cls, f"{number:,} {noun if number == 1 else f'{noun}s'}")
        text.number, text.noun = int(number), noun
        return text

    def __reduce__(self) -> tuple[type[Counted], tuple[int, str]]:
        return Counted, (self.number, self.noun)


class Listed(str):
    """``a, b and 3 more``, which knows all the names; messages may stand among them."""

    __slots__ = ("between", "joint", "most", "names")
    names: tuple[str, ...]
    joint: str
    most: int | None
    between: str

    def __new__(cls, names: Iterable[str], joint: str = " or ", most: int | None = None, between: str = ", ") -> Self:
        every = tuple(names)
        listed = super().__new__(cls, _in_a_row(every, joint, most, between))
        listed.names, listed.joint, listed.most, listed.between = every, joint, most, between
        return listed

    def __reduce__(self) -> tuple[type[Listed], tuple[Any, ...]]:
        return Listed, (self.names, self.joint, self.most, self.between)

    def on(self, reader: Reader) -> str:
        """The text for that reader."""
        return _in_a_row([on(one, reader) for one in self.names], self.joint, self.most, self.between)


class OptionName(str):
    """An option by its name alone: ``--leave-out``, ``leave_out``."""

    __slots__ = ("argument", "option")
    option: str
    argument: str

    def __new__(cls, option: str, argument: str) -> Self:
        text = super().__new__(cls, f"--{option}" if _reader.get() == "command" else argument)
        text.option, text.argument = option, argument
        return text

    def __reduce__(self) -> tuple[type[OptionName], tuple[str, str]]:
        return OptionName, (self.option, self.argument)

    def on(self, reader: Reader) -> str:
        """The text for that reader."""
        return f"--{self.option}" if reader == "command" else self.argument


def _in_a_row(names: Sequence[str], joint: str, most: int | None, between: str) -> str:
    shown = names if most is None or len(names) <= most else [*names[:most], f"{len(names) - most} more"]
    return shown[0] if len(shown) == 1 else f"{between.join(shown[:-1])}{joint}{shown[-1]}" if shown else ""


def say(template: str, /, **parts: Any) -> Message:
    """A message of no particular kind."""
    return Message(template, parts)


def note(kind: str, template: str, /, **parts: Any) -> Message:
    """What is said beside a result, by its kind."""
    return Message(template, parts, kind)


def legend(template: str, /, **parts: Any) -> Message:
    """What explains a table."""
    return Message(template, parts, "legend")


def caption(template: str, /, **parts: Any) -> Message:
    """What stands below a chart."""
    return Message(template, parts, "caption")


def run_on(said: Iterable[str]) -> Message:
    """Sentences one after the other, as what stands below a chart; those that are empty are left out."""
    parts = {f"said_{place}": one for place, one in enumerate(filter(None, said))}
    return Message(" ".join(f"{{{name}}}" for name in parts), parts, "caption")


def warn(kind: str, template: str, /, **parts: Any) -> Message:
    """The same, where it changes how a number is to be read: it is never left out."""
    return Message(template, parts, kind, warns=True)


def about(said: str, **subject: str) -> Message:
    """What is said, with its subject before it: ``about(note, measure="kappa")``."""
    ((name, whom),) = subject.items()
    if isinstance(said, Message) and said.parts.get(name, whom) == whom:
        return Message("{" + name + "}: " + said.template, {name: whom, **said.parts}, said.kind, warns=said.warns)
    kind, warns = (said.kind, said.warns) if isinstance(said, Message) else ("note", False)
    return Message("{" + name + "}: {said}", {name: whom, "said": said}, kind, warns=warns)


def on(text: str, reader: Reader) -> str:
    """A text for that reader; one that is no message is the same for all."""
    return text.on(reader) if isinstance(text, Message | Listed | OptionName) else text


def anew(text: str) -> str:
    """A message for who reads now, with as many decimals as are asked for now; what is no message stays as it is."""
    return text.having() if isinstance(text, Message) else text


def sentence(text: str) -> str:
    """A message or a text as a sentence. A text that is no message may open with a name, so its first letter stays as it is."""
    return text.sentence if isinstance(text, Message) else f"{text}."


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A message with other names for what it is about; a plain text stays as it is, since nothing searches a text."""
    return text.renamed(names) if isinstance(text, Message) else text


def _says_more(part: Any) -> bool:
    """Whether a part of a message is a message itself, or several."""
    return isinstance(part, Message) or (isinstance(part, Listed) and any(isinstance(one, Message) for one in part.names))


def _called(part: Any, names: Mapping[str, str]) -> Any:
    if isinstance(part, Message):
        return part.renamed(names)
    if isinstance(part, Listed):
        return Listed([_called(one, names) for one in part.names], part.joint, part.most, part.between)
    return names.get(part, part) if type(part) is str else part


def data(messages: Iterable[str]) -> list[dict[str, Any]]:
    """Messages as JSON's ``findings``."""
    return [(one if isinstance(one, Message) else say("{text}", text=one)).data() for one in messages]


def chosen(notes: Iterable[str], most: int) -> tuple[list[str], int]:
    """The notes for a reader with little time, in their order, and how many there are besides: all that change how a number is to
    be read, and so many of the others. What was found comes before what explains, and that before how to ask for more; of
    many columns only the first few are explained, so that what was found has room."""
    every = list(dict.fromkeys(notes))
    others = [one for one in every if one and not _warns(one)]
    columns = [one for one in others if _weight(one) == 0][_MOST_LEGENDS:]
    by_weight = sorted(others, key=lambda one: 2 if one in columns else _weight(one))
    kept = {*by_weight[:most], *(one for one in every if _warns(one))}
    shown = [one for one in every if one in kept]
    return shown, sum(map(bool, every)) - len(shown)


def _warns(text: str) -> bool:
    return isinstance(text, Message) and text.warns


def _weight(text: str) -> int:
    """What the table shows and how it was tested; what was found; what explains the rest; how to ask for more."""
    if not isinstance(text, Message):
        return 2
    return 0 if text.kind in ("legend", "test") else 3 if text.options else 1 if text.kind != "note" else 2


def without_asides(text: str) -> str:
    """A message without what stands in brackets about how to ask for something else."""
    if not isinstance(text, Message):
        return text
    kept = text.template
    while (field := kept.find("{--")) >= 0:
        opens, closes = kept.rfind(" (", 0, field), kept.find(")", field)
        if opens < 0 or closes < 0:
            return text
        kept = kept[:opens] + kept[closes + 1 :]
    return Message(kept, text.parts, text.kind, warns=text.warns)


def names_an_option(text: str) -> bool:
    """Whether a text says how to ask for something: of use to those who ask, not to those who read a paper or a page."""
    return isinstance(text, Message) and bool(text.options)


def added_up(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """The notes on two parts of the data: those that count the same of the same as one, and each of the others once.

    >>> def lacking(items):
    ...     return say("{run}: {items} left out", run="a", items=Counted(items, "missing item"))
    >>> added_up([lacking(1), "2 rows"], [lacking(1000), "2 rows"])
    ('a: 1,001 missing items left out', '2 rows')
    """
    whole: dict[Any, str] = {}
    for one in (*first, *second):
        if not isinstance(one, Message):
            whole[one] = one
            continue
        counts = {name: part for name, part in one.parts.items() if isinstance(part, Counted)}
        rest = tuple((name, str(part)) for name, part in one.parts.items() if name not in counts)
        key = (one.template, rest, tuple((name, part.noun) for name, part in counts.items()))
        before = whole.get(key)
        if isinstance(before, Message):
            sums = {name: Counted(before.parts[name].number + part.number, part.noun) for name, part in counts.items()}
            whole[key] = one.having(**sums)
        else:
            whole[key] = one
    return tuple(whole.values())


def together(notes: Iterable[str]) -> list[str]:
    """Notes that say the same of several runs as one, in the place of the first: ``a, b and c: 60 missing items``. Only those
    that put the run where several may stand, at the beginning or behind "of".

    >>> together([say("{run}: {items} missing", run=run, items=5) for run in "abc"])
    ['a, b and c: 5 missing']
    """
    alike: dict[Any, list[str]] = {}
    for place, one in enumerate(notes):
        alike.setdefault(_but_for_the_run(one) or place, []).append(one)
    return [_of_all(same) for same in alike.values()]


def _but_for_the_run(note: str) -> Any:
    """What a note says, whichever run it says it of; None where it may not be said of several."""
    if not isinstance(note, Message) or type(note.parts.get("run")) is not str or "<run>" in note.template:
        return None
    if not note.template.startswith("{run}: ") and " of {run} " not in note.template:
        return None
    others = tuple((name, str(part)) for name, part in note.parts.items() if name != "run")
    return note.template, others, note.kind, note.warns


def _of_all(same: Sequence[str]) -> str:
    first = same[0]
    if len(same) == 1 or not isinstance(first, Message):
        return first
    runs = [one.parts["run"] for one in same if isinstance(one, Message)]
    return first.having(run=Listed(dict.fromkeys(runs), " and ", _MOST_RUNS))


def stored(text: str) -> Any:
    """A note as a file of evidence holds it: what it is made of, so that it can be added up when it is read."""
    if not isinstance(text, Message):
        return str(text)
    parts = {
        name: {"number": part.number, "noun": part.noun} if isinstance(part, Counted) else _plain(part)
        for name, part in text.parts.items()
    }
    return {"template": text.template, "parts": parts, "kind": text.kind, "warns": text.warns}


def restored(held: Any) -> str:
    """The note that a file holds; ValueError if it is not a note."""
    if isinstance(held, str):
        return held
    try:
        parts = {
            name: Counted(part["number"], part["noun"]) if isinstance(part, Mapping) else part
            for name, part in held["parts"].items()
        }
        if any(len(spec) > _LONGEST_FORMAT for _, spec in fields(held["template"])):
            raise ValueError(held)
        return Message(held["template"], parts, str(held["kind"]), warns=bool(held["warns"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(held) from error


def fields(template: str) -> Iterator[tuple[str, str]]:
    """The fields of a template, each with how it is formatted."""
    return ((field, spec) for _, field, spec in _parsed(template) if field)


@functools.lru_cache(maxsize=4096)
def _parsed(template: str) -> tuple[tuple[str, str, str], ...]:
    """The template in pieces: a text, the field behind it, which may be an option with its value, and how that is formatted."""
    pieces = []
    for literal, field, spec, _ in string.Formatter().parse(template):
        is_option = field is not None and _is_option(field)
        pieces.append((literal, f"{field}:{spec}" if spec and is_option else field or "", "" if is_option else spec or ""))
    return tuple(pieces)


def _written(template: str, parts: Mapping[str, Any], reader: Reader) -> str:
    text = []
    for literal, field, spec in _parsed(template):
        text.append(literal)
        if not field:
            continue
        if _is_option(field):
            text.append(_setting(field, parts, reader))
            continue
        part = parts[field]
        text.append(formatted(part, spec) if spec else on(part, reader) if isinstance(part, str) else str(part))
    return "".join(text)


def _is_option(field: str) -> bool:
    return "--" in field


def _option(field: str) -> tuple[str, str, str]:
    """The command, the name of the option and its value in ``evaluate --scores FILE``; empty where there is none."""
    command, _, rest = field.partition("--")
    name, _, value = rest.partition(" ")
    return command.strip(), name, value


def option(name: str) -> Message:
    """An option whose name is found out on the way."""
    return Message("{--" + name + "}", {})


def _setting(field: str, parts: Mapping[str, Any], reader: Reader) -> str:
    command, name, written = _option(field)
    value = parts[written[1:-1]] if written.startswith("<") else None
    if reader == "command" or " " in command:  # a line for a shell is one in Python too
        shown = (
            written
            if value is None
            else _for_a_shell(",".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
        )
        return " ".join(filter(None, (command, f"--{name}", shown)))
    literal = repr(value) if value is not None else _literal(written) if written else ""
    if name in METHODS:
        keyword = "notes=" if name == "notes" else ""
        return f"{f'mm.{command}(...)' if command else ''}.{METHODS[name]}({keyword}{literal or '...'})"
    argument = _argument(name, literal)
    return f"mm.{command}(..., {argument})" if command else argument


def _argument(name: str, literal: str) -> str:
    if name.endswith(_COLUMN):
        role = name.removesuffix(_COLUMN).replace("-", "_")
        return f"columns={{'{_ROLES.get(role, role)}': {literal or '...'}}}"
    if name in FLAGS:
        return f"{name.replace('-', '_')}=True"
    if name.removeprefix("no-") in FLAGS:
        return f"{name.removeprefix('no-').replace('-', '_')}=False"
    argument = NAMES.get(name, name).replace("-", "_")
    return f"{argument}={literal}" if literal else argument


def _literal(value: str) -> str:
    """Numbers and placeholders as they are, a list of numbers in brackets, anything else as text."""
    if value[0] in "'\"" or value in _PLACEHOLDERS or _is_number(value):
        return value
    if all(map(_is_number, value.split(","))):
        return f"[{value.replace(',', ', ')}]"
    return f"'{value}'"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _for_a_shell(text: str) -> str:
    """The text as one word of a command, in double quotes where it has an apostrophe and nothing else that a shell would read."""
    return f'"{text}"' if "'" in text and not set(text) & set('"$`\\!') else shlex.quote(text)


def _plain(part: Any) -> Any:
    if isinstance(part, str) or hasattr(part, "on"):  # a text, or what is written for its reader
        return str(part)
    return part.item() if hasattr(part, "item") else part


def _again(template: str, parts: Mapping[str, Any], kind: str, warns: bool) -> Message:
    return Message(template, parts, kind, warns=warns)
