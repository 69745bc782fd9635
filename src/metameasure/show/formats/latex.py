"""LaTeX, to be pasted into a paper: tables with caption and label that fit the page. ``latex`` has colours; ``latex-print`` is
set as in Sakai (ACL and LQ 2021), with bold and underlined cells instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from metameasure.core.messages import Message, names_an_option, renamed, say, sentence
from metameasure.show.pieces import Pieces
from metameasure.show.symbols import marked, with_scripts
from metameasure.show.table import COLOURS, Markup, OutputFormat, Table

_PACKAGES = r"Needs \usepackage{booktabs,adjustbox,amssymb} and \usepackage[table]{xcolor}."
_PACKAGES_OF_PRINT = r"Needs \usepackage{booktabs,adjustbox,amssymb}."
_COLUMN, _PAGE = 3.6, 6.9  # inches; what is a little wider than a column is made to fit it
_LETTER, _GAP = 0.066, 0.167  # inches of a letter, and between columns, in type of 10 points
_POINTS, _SMALLEST = 10, 6.0
_MOST_ROWS = 50  # as many as a page has
_LONGEST_NOTES = 600
_PIECES = {"mark": "@{}l", "interval": r"@{\ }r", "bracket": r"@{\ }r", "letters": r"@{\ }l"}
"""How what stands behind a number is set."""
_MATHEMATICS = {
    "↑": "uparrow", "↓": "downarrow", "→": "rightarrow", "✓": "checkmark", "✗": "times", "∞": "infty", "Δ": "Delta",
    "≥": "geq", "≤": "leq", "≠": "neq",
    "♯": "sharp", "♭": "flat", "♠": "spadesuit", "♣": "clubsuit", "♡": "heartsuit", "◇": "diamondsuit",
    "†": "dagger", "‡": "ddagger",
    "×": "times", "±": "pm", "≈": "approx", "∈": "in", "√": "surd",
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Θ": "Theta",
    "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
LETTERS: dict[str, str] = (
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {symbol: f"$\\{name}$" for symbol, name in _MATHEMATICS.items()}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",  # these three are other characters in LaTeX's usual fonts
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "−": "$-$",
    }
)
"""What stands for a letter that LaTeX would take for something else, or does not have."""
_LATEX = str.maketrans(LETTERS)
# Two hyphens are a dash, two apostrophes a quotation mark, ?` and !` marks upside down; braces between them keep them apart.
LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=`)(?=`)|(?<=,)(?=,)|(?<=[?!])(?=`)|(?<=<)(?=<)|(?<=>)(?=>)")
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.$])")


def _upright(text: str) -> str:
    return LETTERS[text].strip("$") if text in ("μ", "β") else f"\\mathrm{{{text.translate(_LATEX)}}}"


def escaped(cell: str) -> str:
    """A cell in LaTeX, what is raised or lowered set as mathematics."""
    return with_scripts(cell, _letters, _script)


def _letters(text: str) -> str:
    """A text letter by letter, in which nothing runs together."""
    return "{}".join(part.translate(_LATEX) for part in LIGATURES.split(text))


def _script(base: str, scripts: Mapping[str, str]) -> str:
    symbol = _LATEX.get(ord(base)) if len(base) == 1 else None
    behind = "".join(f"{sign}{{{_upright(said)}}}" for sign, said in scripts.items())
    return f"${str(symbol).strip('$') if symbol else _upright(base)}{behind}$"


def _latex(table: Table, *, coloured: bool) -> str:
    """The table with its caption, or several of them where it has more rows than a page."""
    table = table.inert()
    caption = escaped(sentence(table.caption or table.title)) if table.title else ""
    notes, comments = _below(table, coloured=coloured)
    parts = [table.some_rows(start, start + _MOST_ROWS) for start in range(0, max(1, len(table.rows)), _MOST_ROWS)]
    bodies = [_tabular(part, coloured=coloured) for part in parts]
    if table.beside:
        bodies[-1] += "\n\\medskip\n" + _tabular(table.beside.inert(), coloured=coloured)
    if notes:
        bodies[-1] += f"\\par\\smallskip\n\\parbox{{\\linewidth}}{{\\footnotesize {' '.join(map(escaped, notes))}}}\n"
    wide = max(_inches(table), _inches(table.beside) if table.beside else 0.0)
    floats = [_float(body, table, caption, place, wide) for place, body in enumerate(bodies)]
    return "\n".join(floats) + "".join(f"% {line}\n" for line in comments)


def _float(body: str, table: Table, caption: str, place: int, wide: float) -> str:
    """A table that floats: it spans both columns of a page where it is wider than one."""
    kind = "table" if wide <= _COLUMN else "table*"
    label = f"\\label{{tab:{table.label}{f'-{place + 1}' if place else ''}}}\n" if table.label else ""
    if caption and place:
        caption = f"{escaped(table.title)} (continued)."
    above = f"\\caption{{{caption}}}\n{label}\\smallskip\n" if caption else ""
    return f"{_how_wide(wide)}\\begin{{{kind}}}[tb]\n\\centering\n{above}{body}\\end{{{kind}}}\n"


def _how_wide(wide: float) -> str:
    """What to do about a table that would be set in small type."""
    size = _POINTS * min(1.0, _PAGE / wide)
    if size >= _SMALLEST:
        return ""
    return say(
        "% About {wide} in wide at {points} pt: on a page of {page} in, adjustbox sets it in "
        "{size:.0f} pt. For larger\n% type leave out columns (as with {--measures} or {--runs}), or turn "
        "the page: \\usepackage{{rotating}}, sidewaystable*.\n",
        wide=f"{wide:.1f}",
        points=_POINTS,
        page=_PAGE,
        size=size,
    )


def _inches(table: Table) -> float:
    """How wide a table is in type of 10 points, roughly."""
    widths = [max(map(len, (name, *(row[place] for row in table.rows)))) for place, name in enumerate(table.columns)]
    return sum(_LETTER * width + _GAP for width in widths)


def _below(table: Table, *, coloured: bool) -> tuple[list[str], list[str]]:
    """What explains the table, for a paragraph below it; and what is left for comments: words about the command line,
    conclusions, and whatever would make the paragraph longer than a reader has patience for."""
    if not table.title:
        return [], [*table.below(coloured=coloured), *table.signed()]
    said, comments = list[str](), list[str]()
    explains = True
    for note in table.notes:
        explains = explains and bool(note)
        wanted = _explains(note) or (explains and sum(map(len, said)) + len(note) <= _LONGEST_NOTES)
        if wanted and not names_an_option(note):
            said.append(renamed(note, table.symbols))  # as the headings call measures; a comment has what one types
        else:
            comments.append(note)
    if table.legend and table.marks:
        said.append(f"{'Coloured' if coloured else 'Set'}: {table.meaning(coloured=coloured)}")
    return said, [*filter(None, comments), *table.signed()]


def _explains(note: str) -> bool:
    """Whether a reader cannot do without it: what a column means, and by which test."""
    return isinstance(note, Message) and note.kind in ("legend", "test")


def _tabular(table: Table, *, coloured: bool) -> str:
    def line(cells: Iterable[str]) -> str:
        text = " & ".join(cells)
        guard = "{}" if text.startswith(("[", "*")) else ""  # or the row before would take it for an option of its end
        return guard + text + r" \\" + "\n"

    if not coloured:
        table = replace(table, bold=table.bold | {cell for cell, mark in table.marks.items() if mark == "strong"})
    columns = [_column(table, place, coloured=coloured) for place in range(len(table.columns))]
    return (
        "\\begin{adjustbox}{max width=\\linewidth}\n"
        f"\\begin{{tabular}}{{{''.join(column.alignment for column in columns)}}}\n\\toprule\n"
        f"{line(column.heading for column in columns)}\\midrule\n"
        + "".join(line(column.cells[row] for column in columns) for row in range(len(table.rows)))
        + "\\bottomrule\n\\end{tabular}\n\\end{adjustbox}\n"
    )


@dataclass(frozen=True)
class _Column:
    """A column of a table as LaTeX has it; where its cells have several pieces, several columns under one heading."""

    alignment: str
    heading: str
    cells: list[str]


def _column(table: Table, place: int, *, coloured: bool) -> _Column:
    name, cells = table.columns[place], [row[place] for row in table.rows]
    marks = {row: mark for (row, column), mark in table.marks.items() if column == name}
    bold = {row for row, column in table.bold if column == name}
    pieces = Pieces.of(cells) if name in table.right and not marks else None
    if pieces:
        return _aligned(name, pieces, bold)
    written = [cell if isinstance(cell, Markup) else escaped(cell) for cell in cells]
    if name in table.right:
        written = [_MINUS.sub("$-$", cell) for cell in written]
    written = [_bold(cell) if row in bold else cell for row, cell in enumerate(written)]
    for row, mark in marks.items():  # \cellcolor is colortbl's
        if coloured:
            written[row] = f"\\cellcolor[HTML]{{{COLOURS[mark]}}}{written[row]}"
        elif mark == "weak":
            written[row] = f"\\underline{{{written[row]}}}"
    return _Column("r" if name in table.right else "l", escaped(name), written)


def _aligned(name: str, pieces: Pieces, bold: set[int]) -> _Column:
    """Numbers one below the other by their points, only they in bold; what stands behind them each in a column of its own."""
    rows = []
    for number, (cell, missing) in enumerate(zip(pieces.cells, pieces.missing(), strict=True)):
        first, *others = (_MINUS.sub("$-$", escaped(piece)) for piece in cell)
        padding = f"\\phantom{{{missing}}}" if missing else ""
        rows.append(" & ".join([f"{_bold(first) if number in bold else first}{padding}", *others]))
    heading = escaped(name) if len(pieces.names) == 1 else f"\\multicolumn{{{len(pieces.names)}}}{{c}}{{{escaped(name)}}}"
    return _Column("r" + "".join(_PIECES[piece] for piece in pieces.names[1:]), heading, rows)


def _bold(cell: str) -> str:
    return f"\\textbf{{{cell}}}"


_SHARED: dict[str, Any] = {"paper": True, "symbol": marked}
FORMAT = OutputFormat(
    "latex", partial(_latex, coloured=True), coloured=True, place=6, around=lambda tables: f"{tables}% {_PACKAGES}\n", **_SHARED
)
PRINT = OutputFormat(
    "latex-print", partial(_latex, coloured=False), place=8, around=lambda tables: f"{tables}% {_PACKAGES_OF_PRINT}\n", **_SHARED
)
