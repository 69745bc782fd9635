"""LaTeX, to be pasted into a paper; the lines below a table are comments, for its caption."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metameasure.show.symbols import marked, with_scripts
from metameasure.show.table import COLOURS, OutputFormat, Table

_PACKAGES = r"Needs \usepackage{booktabs}, \usepackage[table]{xcolor} and \usepackage{amssymb}."
_MATHEMATICS = {
    "↑": "uparrow", "↓": "downarrow", "→": "rightarrow", "✓": "checkmark", "✗": "times", "∞": "infty", "Δ": "Delta",
    "≥": "geq", "≤": "leq", "≠": "neq",
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
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.$])")


def _upright(text: str) -> str:
    return r"\mu" if text == "μ" else f"\\mathrm{{{text.translate(_LATEX)}}}"


def _escaped(cell: str) -> str:
    """A cell in LaTeX, what is raised or lowered set as mathematics."""
    return with_scripts(cell, lambda text: text.translate(_LATEX), _script)


def _script(base: str, sign: str, raised: str) -> str:
    symbol = _LATEX.get(ord(base)) if len(base) == 1 else None
    return f"${str(symbol).strip('$') if symbol else _upright(base)}{sign}{{{_upright(raised)}}}$"


def _latex(table: Table) -> str:
    table = table.inert()

    def line(cells: Sequence[str]) -> str:
        guard = "{}" if cells[0].startswith(("[", "*")) else ""  # or the row before would take it for an option of its end
        return guard + " & ".join(cells) + r" \\" + "\n"

    alignment = "".join("r" if column in table.right else "l" for column in table.columns)
    rows = [
        [_MINUS.sub("$-$", cell) if column in table.right else cell for cell, column in zip(row, table.columns, strict=True)]
        for row in table.stressed(lambda cell: f"\\textbf{{{cell}}}", _escaped)
    ]
    for (number, column), mark in table.marks.items():  # \cellcolor is colortbl's
        place = table.columns.index(column)
        rows[number][place] = f"\\cellcolor[HTML]{{{COLOURS[mark]}}}{rows[number][place]}"
    return (
        f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{line([_escaped(column) for column in table.columns])}\\midrule\n"
        + "".join(line(row) for row in rows)
        + "\\bottomrule\n\\end{tabular}\n"
        + (f"\n{_latex(table.beside)}" if table.beside else "")
        + "".join(f"% {note}\n" for note in table.below(coloured=True))
    )


FORMAT = OutputFormat("latex", _latex, coloured=True, paper=True, symbol=marked, place=6, ending=f"% {_PACKAGES}\n")
