"""Tables of text, the results that present themselves by tables, and the formats that both are written in: one file each in
``show/formats``, found by walking it."""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, chosen, data, renamed, say, together
from metameasure.core.notes import counted
from metameasure.core.numbers import MOST_DIGITS, json_number, with_digits
from metameasure.core.signature import UNSIGNED, Signature, digest_of_numbers
from metameasure.show import formats
from metameasure.show.inert import visible, visible_line
from metameasure.show.names import Choice, choosing, chosen_now
from metameasure.show.pieces import number_of

if TYPE_CHECKING:
    from metameasure.show.canvas import Figure, Width
    from metameasure.statistics.anova import Components

_NEGATIVE_ZERO = re.compile(r"(?<![\w.])-(?=0(?:\.0+)?(?![\d.]))")
Mark = Literal["strong", "fair", "weak"]
# Told apart by readers who do not see red and green: blue, sand, orange.
COLOURS: dict[Mark, str] = {"strong": "BBD7EE", "fair": "F3ECCB", "weak": "F6C59B"}


Notes = Literal["few", "all"]
_notes: ContextVar[Notes] = ContextVar("notes", default="few")
_MOST_NOTES = 5
"""As many lines, besides warnings, stand below a table of text unless all are asked for."""


@contextmanager
def with_notes(notes: Notes | None) -> Iterator[None]:
    """Tables of text are written with so many notes; None leaves it as it is."""
    if notes not in (None, "few", "all"):
        raise UsageError(f"notes is '{notes}'", hint="choose few or all")
    token = _notes.set(notes or _notes.get())
    try:
        yield
    finally:
        _notes.reset(token)


def all_notes() -> bool:
    """Whether whoever reads wants everything that there is to say."""
    return _notes.get() == "all"


def few_or_all(notes: Sequence[str]) -> list[str]:
    """The lines below a table of text: all of them where they are asked for, else the most important, and how many there are
    besides."""
    shown, besides = (list(notes), 0) if all_notes() else chosen(notes, _MOST_NOTES)
    if besides <= 1:  # as long as the line that would say so
        return list(notes)
    return [*shown, more_notes(besides)]


def more_notes(number: int) -> Message:
    """How many are left out, and how to see them."""
    return say("... and {notes}: {--notes all}", notes=counted(number, "more note"))


def exact(cell: Any) -> str:
    """A cell at full precision; nothing where there is no value."""
    if isinstance(cell, float):
        return "" if math.isnan(cell) else repr(float(cell) + 0.0)  # + 0.0: no negative zero
    return "" if cell is None else cell if isinstance(cell, str) else repr(cell)


def json_variance(variance: Mapping[str, Components]) -> dict[str, dict[str, float | str | None]]:
    """Variances between and within units, by what the units are, as JSON can say them."""
    return {
        unit: {"between": json_number(parts.between), "within": json_number(parts.within)} for unit, parts in variance.items()
    }


def showing(digits: int | None) -> AbstractContextManager[None]:
    """Numbers that are written inside have so many decimals, where some are asked for; UsageError for a number that cannot be."""
    if digits is None:
        return nullcontext()
    if not isinstance(digits, int) or isinstance(digits, bool) or not 0 <= digits <= MOST_DIGITS:
        raise UsageError(f"numbers cannot have {digits!r} decimals", hint=f"choose from 0 to {MOST_DIGITS}, as in digits=4")
    return with_digits(digits)


class Markup(str):
    """A cell of our own that is written in the format already, as a link in Markdown is: it is neither escaped nor changed."""

    __slots__ = ()


@dataclass(frozen=True)
class Table:
    """Rows of text under headings. ``right`` holds the columns to align to the right, ``bold`` the cells (row, column) to
    stress, ``marks`` those to colour (strong, fair or weak), ``legend`` what these mean, with fields for how the
    strong and the weak ones look; ``notes`` are lines below the table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()
    bold: frozenset[tuple[int, str]] = frozenset()
    notes: tuple[str, ...] = ()
    narrower: Table | None = None
    """What to show instead where there is no room for this one."""
    keep: frozenset[str] = frozenset()
    """Columns that are never left out for want of room: those that do not fit stand in a table of their own below."""
    beside: Table | None = None
    """Another table, between this one and the notes."""
    marks: Mapping[tuple[int, str], Mark] = field(default_factory=dict)
    legend: str = ""
    title: str = ""
    """What a caption calls it; left empty, the title of the result."""
    caption: str = ""
    """The one sentence of its caption on paper; left empty, its title."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    """What its headings call the measures that its notes name, where that is not their ids."""
    label: str = ""
    """What a text refers to it by."""
    signature: str = ""
    """How its numbers were made, in the last line below it."""
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict, repr=False, compare=False)
    """Of a table for programs, what its cells are the text of, by column."""

    def __post_init__(self) -> None:
        """A name that has line ends or tabs in it stays in its row, no number is a negative zero, and what is said of several
        runs is said once."""
        rows = self.rows
        if any("\n" in cell or "\r" in cell or "\t" in cell for row in rows for cell in row):
            rows = tuple(tuple(" ".join(cell.split()) for cell in row) for row in rows)
        numeric = [column in self.right for column in self.columns]
        unsigned = (
            tuple(_NEGATIVE_ZERO.sub("", cell) if number else cell for cell, number in zip(row, numeric, strict=True))
            for row in rows
        )
        object.__setattr__(self, "rows", tuple(unsigned))
        object.__setattr__(self, "notes", tuple(together(self.notes)))

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[Any]]) -> Table:
        """Columns for a program to read: every number at full precision, nothing where there is no value."""
        rows = tuple(zip(*(map(exact, column) for column in columns.values()), strict=True))
        return cls(tuple(columns), rows, values=columns)

    def render(self, format: str) -> str:
        """The table in one of the formats, ending in a newline."""
        return output_format(format).document([self])

    def telling(self, change: Callable[[Sequence[str]], Iterable[str]]) -> Table:
        """The same with its notes changed, in the narrower one too."""
        return replace(self, notes=tuple(change(self.notes)), narrower=self.narrower and self.narrower.telling(change))

    def some_rows(self, start: int, end: int) -> Table:
        """The same of some rows, with what is stressed and coloured in them."""
        if start == 0 and end >= len(self.rows):
            return self
        return replace(
            self,
            rows=self.rows[start:end],
            bold=frozenset((row - start, name) for row, name in self.bold if start <= row < end),
            marks={(row - start, name): mark for (row, name), mark in self.marks.items() if start <= row < end},
        )

    def inert(self, shown: Callable[[str], str] = visible) -> Table:
        """The table for readers: no name in it does anything but be read. ``shown`` is what becomes of each cell."""
        new = {column: shown(column.replace("\n", " ")) for column in self.columns}
        return replace(
            self,
            columns=tuple(new[column] for column in self.columns),
            rows=tuple(tuple(cell if isinstance(cell, Markup) else shown(cell) for cell in row) for row in self.rows),
            right=frozenset(new.get(name, name) for name in self.right),
            bold=frozenset((row, new.get(name, name)) for row, name in self.bold),
            marks={(row, new.get(name, name)): mark for (row, name), mark in self.marks.items()},
            keep=frozenset(new.get(name, name) for name in self.keep),
            narrower=self.narrower and self.narrower.inert(shown),
            notes=tuple(map(_inert, self.notes)),
            title=visible_line(self.title),
            caption=_inert(self.caption),
        )

    def below(self, *, coloured: bool) -> list[str]:
        """The lines below the table; what colours mean, where there are any."""
        return [*self.notes, *([f"Coloured: {self.meaning()}"] if coloured and self.legend else [])]

    def meaning(self, *, coloured: bool = True) -> str:
        """What marks mean, by colours or by type."""
        return self.legend.format(strong="blue" if coloured else "bold", weak="orange" if coloured else "underlined")

    def signed(self) -> list[str]:
        """The very last line, which is never left out: how the table was made, where anybody knows."""
        return [f"Signature: {self.signature}"] if self.signature else []

    def stressed(self, stress: Callable[[str], str], escape: Callable[[str], str]) -> list[list[str]]:
        """The rows with each cell escaped, and the bold ones stressed: of a number with letters behind it the number alone."""

        def written(cell: str, column: str, *, bold: bool) -> str:
            if isinstance(cell, Markup):
                return stress(cell) if bold else cell
            if not bold:
                return escape(cell)
            first = number_of(cell) if column in self.right else cell
            return stress(escape(first)) + escape(cell.removeprefix(first))

        return [
            [written(cell, column, bold=(number, column) in self.bold) for cell, column in zip(row, self.columns, strict=True)]
            for number, row in enumerate(self.rows)
        ]


def _inert(note: str) -> str:
    """A note whose names do nothing but be read."""
    if not isinstance(note, Message):
        return visible_line(note)
    return note.having(**{name: visible_line(part) for name, part in note.parts.items() if type(part) is str})


@dataclass(frozen=True)
class Drawing:
    """One of several charts of a result: what its file is called, its title, and how it is drawn at a width in inches."""

    name: str
    title: str
    draw: Callable[[float], Any]


class Presentable(ABC):
    """A result that presents itself, from the blocks in ``show``."""

    caption: ClassVar[str] = ""
    """What the caption of a table calls such a result."""
    library: str | None = None
    """That of the data frame which the data came in, where it was one."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as the interface's JSON: numbers are numbers, undefined is None, infinite is "inf"."""

    @abstractmethod
    def tables(self, format: OutputFormat) -> Sequence[Table]:
        """The result as tables for reading, made for a format."""

    @abstractmethod
    def full_table(self) -> Table:
        """The result as one table for programs, with every number at full precision."""

    def to_frame(self, library: str | None = None) -> Any:
        """The table for programs as a data frame of the library at hand: the one the data came in, or one that is installed."""
        from metameasure.show.frames import frame_of  # noqa: PLC0415 - only where one is made

        table = self.full_table()
        values = table.values or {name: [row[place] for row in table.rows] for place, name in enumerate(table.columns)}
        return frame_of({name: list(column) for name, column in values.items()}, library or self.library)

    @property
    def title(self) -> str:
        """What a page or the caption of a table calls the result; the words of its class, where nothing better is known."""
        return self.caption or " ".join(re.findall("[A-Z][a-z]*", type(self).__name__)).capitalize()

    def presented(self, format: OutputFormat) -> list[Table]:
        """The tables as they are written in a format."""
        return list(self.tables(format))

    def in_words(self) -> Sequence[str]:
        """The result in a few sentences, for the top of a page; none where its tables say it all."""
        return ()

    def draw(self, width: float) -> Figure:
        """The result as a matplotlib figure, so many inches wide and as high as it has to be."""
        raise UsageError(f"there is no chart of {type(self).__name__}", hint="print it, or convert it by to_dict()")

    def drawings(self) -> Sequence[Drawing]:
        """The charts of a result that has several."""
        return ()

    def all_runs(self) -> Sequence[str]:
        """The runs that it is about, of which some may be shown, under other names."""
        return ()

    def render(
        self,
        format: str = "table",
        *,
        notes: Notes | None = None,
        digits: int | None = None,
        show: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
    ) -> str:
        """The result in one of the formats: ``table``, ``json``, ``csv``, ``tsv``, ``markdown``, ``latex``, ``html``, ...

        ``notes="all"``: everything that there is to say below a table, not only the most important. ``digits`` is how many
        decimals numbers have in the formats for reading; each place has its own, where none are asked for. ``show`` are the
        runs to show in these formats, ``rename`` other names for runs; ranks, letters and tests are of all runs all the same."""
        with with_notes(notes), showing(digits), self._choosing(show, rename):
            return self._rendered(output_format(format))

    @contextmanager
    def _choosing(self, show: Sequence[str], rename: Mapping[str, str] | None) -> Iterator[None]:
        """Inside, the runs that are asked for are shown, if there are such runs."""
        asked = (show,) if isinstance(show, str) else tuple(show)
        with choosing(Choice(asked, dict(rename or {})) if asked or rename else None):
            chosen_now().checked(self.all_runs())
            yield

    def _rendered(self, format: OutputFormat) -> str:
        return format.render(self)

    def chart(
        self,
        path: str | Path | None = None,
        *,
        width: Width = "column",
        show: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
    ) -> Figure:
        """The result drawn, as a matplotlib figure; written to a file of that name too (.svg, .pdf or .png).

        ``width`` is that of a ``"column"`` of a paper (3.3 in), of its ``"page"`` (6.9 in), or a number of inches. At that size
        the type has 8 points. ``show`` are the runs to show, ``rename`` other names for runs."""
        with self._choosing(show, rename):
            return self._drawn(path, width)

    def _drawn(self, path: str | Path | None, width: Width, **how: Any) -> Figure:
        from metameasure.show.canvas import house_style, inches, save, with_inert_text  # noqa: PLC0415 - only where one is drawn

        wide = inches(width)
        with house_style():
            figure = with_inert_text(self.draw(wide, **how))
            if path is not None:
                save(figure, path)
        return figure

    def __init_subclass__(cls, **facts: Any) -> None:
        """A prompt shows a result as ``print`` does; set here, a dataclass leaves it alone."""
        super().__init_subclass__(**facts)
        cls.__repr__ = lambda result: str(result).rstrip("\n")  # type: ignore[method-assign]

    def __str__(self) -> str:
        return self.render("table")

    def _repr_html_(self) -> str:
        format = output_format("html")
        return format.document(self.presented(format))


@dataclass(frozen=True, eq=False, kw_only=True)
class Signed(Presentable):
    """A result that says how it was made, so that it can be made again."""

    made: Signature = field(default=UNSIGNED, repr=False)
    """Its signature but for the numbers, which are there only once they are asked for."""

    @property
    def signature(self) -> Signature:
        """How it was made, and of what; with digests of its numbers."""
        return self.made.having(numbers=self.numbers()) if self.made else self.made

    def numbers(self) -> dict[str, str]:
        """Digests of its numbers, by what they are: of each column of numbers in the table for programs. What comes before the
        first of them names the rows."""
        table = self.full_table()
        if not table.rows:
            return {"rows": digest_of_numbers([])}
        columns = dict(zip(table.columns, zip(*table.rows, strict=True), strict=False))
        numeric = {name: read for name, cells in columns.items() if (read := _read(cells)) is not None}
        names = list(columns)[: next((place for place, name in enumerate(columns) if name in numeric), 0)]
        rows: Any = [*zip(*(columns[name] for name in names), strict=True)] or [()] * len(table.rows)
        return {name: digest_of_numbers(zip(rows, read, strict=True)) for name, read in numeric.items()}

    def signed(self) -> dict[str, Any]:
        """What JSON says of it, where anybody knows."""
        signature = self.signature
        return {"signature": str(signature), "signature_parts": signature.parts()} if signature else {}

    def signed_notes(self, notes: Sequence[str]) -> dict[str, Any]:
        """What JSON says last: notes, as sentences and as data, and how the result was made."""
        return {"notes": [*notes], "findings": data(notes), **self.signed()}

    def presented(self, format: OutputFormat) -> list[Table]:
        tables = list(self.tables(format))
        signature = str(self.signature if format.paper or all_notes() else self.made.short())
        return [*tables[:-1], *(replace(last, signature=signature) for last in tables[-1:])]

    def signature_line(self) -> list[str]:
        """The line below the sentences of a result that prints no table, where anybody knows how it was made."""
        return [f"Signature: {self.signature if all_notes() else self.made.short()}"] if self.made else []


def _read(cells: Sequence[str]) -> list[float] | None:
    """The cells of a column as numbers, NaN for an empty cell; None if they are not numbers."""
    try:
        read = [float(cell) if cell else math.nan for cell in cells]
    except ValueError:
        return None
    return read if any(cells) else None


@dataclass(frozen=True)
class OutputFormat:
    """A format by name, and how a table is written in it; and what those who make tables have to know of it."""

    name: str
    table: Callable[[Table], str]
    exact: bool = False
    """Read by programs: one table with every number at full precision in a column of its own."""
    coloured: bool = False
    """Cells can have colours."""
    wide: bool = False
    """Long cells wrap, so that a sentence has room in a column."""
    paper: bool = False
    """Set on a page: as narrow as can be, with the symbols of measures that papers use."""
    symbol: Callable[[str], str] = str
    """How the symbol of a measure is written."""
    around: Callable[[str], str] = str
    """Puts around the tables of a result what they need besides."""
    place: int = 50
    """Its place where formats are listed."""
    offered: bool = True
    """Whether it is a choice of --format; otherwise programs choose it."""

    def render(self, result: Presentable) -> str:
        """The result in this format."""
        if self.exact:
            return self.document([result.full_table()])
        return self.document(_as_chosen(titled(result.presented(self), result.title), result.all_runs()))

    def document(self, tables: Sequence[Table]) -> str:
        """Tables one after the other, with what they need besides."""
        return self.around("\n".join(map(self.table, tables)))


def _as_chosen(tables: list[Table], runs: Sequence[str]) -> list[Table]:
    """The tables with notes that call runs as whoever reads wants them called, and that say how many are shown."""
    choice = chosen_now()
    if not choice or not tables:
        return tables
    *before, last = [one.telling(lambda notes: [renamed(said, choice.rename) for said in notes]) for one in tables]
    words = choice.words(runs)
    return [*before, last.telling(lambda notes: [words, *notes]) if words else last]


def titled(tables: Sequence[Table], title: str) -> list[Table]:
    """The tables with a title and a label each; those that have no title of their own get that of the result."""
    new_tables: list[Table] = []
    for one in tables:
        named = one.title or title
        label = re.sub(r"[^a-z0-9]+", "-", named.lower()).strip("-")
        number = sum(before.title == named for before in new_tables)
        new_tables.append(replace(one, title=named, label=f"{label}-{number + 1}" if number else label))
    return new_tables


def output_formats() -> dict[str, OutputFormat]:
    """Every format by its name, in the order of their places."""
    modules = (importlib.import_module(entry.name) for entry in pkgutil.iter_modules(formats.__path__, f"{formats.__name__}."))
    by_name = {one.name: one for module in modules for one in vars(module).values() if isinstance(one, OutputFormat)}
    return {one.name: one for one in sorted(by_name.values(), key=lambda one: (one.place, one.name))}


def output_format(name: str) -> OutputFormat:
    """The format of that name; UsageError if it is unknown."""
    known = output_formats()
    if name not in known:
        raise UsageError(f"there is no format '{name}'", hint=f"choose one of {', '.join(known)}")
    return known[name]
