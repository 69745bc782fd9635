"""A table of text, printed for a terminal or in the formats that papers and programs read."""

from __future__ import annotations

import csv
import html
import io
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

Mark = Literal["strong", "fair", "weak"]
# Told apart by readers who do not see red and green: blue, sand, orange.
_COLOURS: dict[Mark, str] = {"strong": "BBD7EE", "fair": "F3ECCB", "weak": "F6C59B"}
_TERMINAL: dict[Mark, str] = {"strong": "\033[34m", "fair": "", "weak": "\033[33m"}
_PLAIN = "\033[0m"


@dataclass(frozen=True)
class Table:
    """Rows of text under headings. ``right`` holds the columns to align to the right, ``bold`` the cells (row, column) to
    stress, ``marks`` those to colour (strong, fair or weak); ``notes`` are lines below the table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()
    bold: frozenset[tuple[int, str]] = frozenset()
    notes: tuple[str, ...] = ()
    beside: Table | None = None
    """Another table, between this one and the notes."""
    marks: Mapping[tuple[int, str], Mark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A name that has line ends or tabs in it stays in its row."""
        if any("\n" in cell or "\r" in cell or "\t" in cell for row in self.rows for cell in row):
            object.__setattr__(self, "rows", tuple(tuple(" ".join(cell.split()) for cell in row) for row in self.rows))

    def render(self, format: str) -> str:
        """The table as ``table``, ``markdown``, ``latex``, ``csv`` or ``tsv``, ending in a newline."""
        return RENDERERS[format](self)

    def stressed(self, stress: Callable[[str], str], escape: Callable[[str], str]) -> list[list[str]]:
        """The rows with each cell escaped, and the bold ones stressed."""
        return [
            [
                stress(escape(cell)) if (number, column) in self.bold else escape(cell)
                for cell, column in zip(row, self.columns, strict=True)
            ]
            for number, row in enumerate(self.rows)
        ]


def _width(text: str) -> int:
    """Columns of a terminal that the text takes: wide characters two, combining ones none."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _plain(table: Table, *, coloured: bool = False) -> str:
    widths = [max(map(_width, cells)) for cells in zip(table.columns, *table.rows, strict=True)]

    def line(cells: Sequence[str], number: int = -1) -> str:
        padded = [
            _pad(cell, width, right=column in table.right)
            for cell, width, column in zip(cells, widths, table.columns, strict=True)
        ]
        if coloured:
            padded = [_coloured(cell, table.marks.get((number, name))) for cell, name in zip(padded, table.columns, strict=True)]
        return "  ".join(padded).rstrip() + "\n"

    rule = line(["─" * width for width in widths])
    notes = "".join(f"{note}\n" for note in table.notes)
    beside = f"\n{_plain(table.beside, coloured=coloured)}" if table.beside else ""
    body = "".join(line(row, number) for number, row in enumerate(table.rows))
    return line(table.columns) + rule + body + beside + (f"\n{notes}" if notes else "")


def _coloured(text: str, mark: Mark | None) -> str:
    return f"{_TERMINAL[mark]}{text}{_PLAIN}" if mark and _TERMINAL[mark] else text


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    def escape(cell: str) -> str:
        return re.sub(r"([|*<])", r"\\\1", cell)

    rule = "|" + "|".join("--:" if column in table.right else "---" for column in table.columns) + "|\n"
    rows = "".join(line(row) for row in table.stressed(lambda cell: f"**{cell}**", escape))
    notes = "".join(f"- {note}\n" for note in table.notes if note)
    beside = f"\n{_markdown(table.beside)}" if table.beside else ""
    return line([escape(column) for column in table.columns]) + rule + rows + beside + (f"\n{notes}" if notes else "")


_MATHEMATICS = {
    "↑": "uparrow", "↓": "downarrow", "→": "rightarrow", "✓": "checkmark", "∞": "infty", "Δ": "Delta", "≥": "geq", "≤": "leq",
    "♯": "sharp", "♭": "flat", "♠": "spadesuit", "♣": "clubsuit", "♡": "heartsuit", "◇": "diamondsuit",
    "†": "dagger", "‡": "ddagger",
    "α": "alpha", "γ": "gamma", "ε": "varepsilon", "κ": "kappa", "μ": "mu", "ρ": "rho", "τ": "tau",
}  # fmt: skip
_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {symbol: f"$\\{name}$" for symbol, name in _MATHEMATICS.items()}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",  # these three are other characters in LaTeX's usual fonts
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


# MAE^M and τ_wmt12: a base, and what is raised or lowered.
_SCRIPTS = re.compile(r"(\w+)(\^)([A-Za-zμ]+)|([κατρ])(_)([A-Za-z0-9]+)")


def _upright(text: str) -> str:
    return r"\mu" if text == "μ" else f"\\mathrm{{{text.translate(_LATEX)}}}"


def _escaped(cell: str) -> str:
    """A cell in LaTeX, what is raised or lowered set as mathematics."""
    parts, end = [], 0
    for found in _SCRIPTS.finditer(cell):
        base, sign, script = (group for group in found.groups() if group is not None)
        symbol = _LATEX.get(ord(base)) if len(base) == 1 else None
        set_base = str(symbol).strip("$") if symbol else _upright(base)
        parts += [cell[end : found.start()].translate(_LATEX), f"${set_base}{sign}{{{_upright(script)}}}$"]
        end = found.end()
    return "".join([*parts, cell[end:].translate(_LATEX)])


def _latex(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        guard = "{}" if cells[0].startswith(("[", "*")) else ""  # or the row before would take it for an option of its end
        return guard + " & ".join(cells) + r" \\" + "\n"

    alignment = "".join("r" if column in table.right else "l" for column in table.columns)
    rows = table.stressed(lambda cell: f"\\textbf{{{cell}}}", _escaped)
    for (number, column), mark in table.marks.items():  # \cellcolor is colortbl's
        place = table.columns.index(column)
        rows[number][place] = f"\\cellcolor[HTML]{{{_COLOURS[mark]}}}{rows[number][place]}"
    return (
        f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{line([_escaped(column) for column in table.columns])}\\midrule\n"
        + "".join(line(row) for row in rows)
        + "\\bottomrule\n\\end{tabular}\n"
        + (f"\n{_latex(table.beside)}" if table.beside else "")
        + "".join(f"% {note}\n" for note in table.notes)
    )


def _separated(delimiter: str) -> Callable[[Table], str]:
    def render(table: Table) -> str:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)
        return text.getvalue()

    return render


def _html(table: Table) -> str:
    def row(cells: Sequence[str], tag: str, number: int = -1) -> str:
        aligned = (
            f'<{tag} style="text-align: {"right" if column in table.right else "left"}{_background(table, number, column)}">'
            f"{cell}</{tag}>"
            for cell, column in zip(cells, table.columns, strict=True)
        )
        return f"<tr>{''.join(aligned)}</tr>"

    head = row([html.escape(column) for column in table.columns], "th")
    stressed = table.stressed(lambda cell: f"<b>{cell}</b>", html.escape)
    body = "".join(row(cells, "td", number) for number, cells in enumerate(stressed))
    notes = "<br>".join(html.escape(note) for note in table.notes)
    beside = _html(table.beside) if table.beside else ""
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{beside}<small>{notes}</small>\n"


def _background(table: Table, number: int, column: str) -> str:
    mark = table.marks.get((number, column))
    return f"; background: #{_COLOURS[mark]}; color: #000000" if mark else ""


RENDERERS: dict[str, Callable[[Table], str]] = {
    "table": _plain,
    "terminal": partial(_plain, coloured=True),
    "markdown": _markdown,
    "latex": _latex,
    "csv": _separated(","),
    "tsv": _separated("\t"),
    "html": _html,
}
