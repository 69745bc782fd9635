"""A table of text, printed for a terminal or in the formats that papers and programs read."""

from __future__ import annotations

import csv
import html
import io
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of text under headings. ``right`` holds the columns to align to the right, ``bold`` the cells (row, column) to
    stress; ``notes`` are lines below the table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()
    bold: frozenset[tuple[int, str]] = frozenset()
    notes: tuple[str, ...] = ()
    beside: Table | None = None
    """Another table, between this one and the notes."""

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


def _plain(table: Table) -> str:
    widths = [max(map(_width, cells)) for cells in zip(table.columns, *table.rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = (
            _pad(cell, width, right=column in table.right)
            for cell, width, column in zip(cells, widths, table.columns, strict=True)
        )
        return "  ".join(padded).rstrip() + "\n"

    rule = line(["─" * width for width in widths])
    notes = "".join(f"{note}\n" for note in table.notes)
    beside = f"\n{_plain(table.beside)}" if table.beside else ""
    return line(table.columns) + rule + "".join(line(row) for row in table.rows) + beside + (f"\n{notes}" if notes else "")


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    def escape(cell: str) -> str:
        return cell.replace("|", "\\|")

    rule = "|" + "|".join("--:" if column in table.right else "---" for column in table.columns) + "|\n"
    rows = "".join(line(row) for row in table.stressed(lambda cell: f"**{cell}**", escape))
    notes = "".join(f"- {note}\n" for note in table.notes)
    beside = f"\n{_markdown(table.beside)}" if table.beside else ""
    return line([escape(column) for column in table.columns]) + rule + rows + beside + (f"\n{notes}" if notes else "")


_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "→": r"$\rightarrow$",
    }
    | {"κ": r"$\kappa$", "α": r"$\alpha$", "γ": r"$\gamma$", "τ": r"$\tau$", "ρ": r"$\rho$", "μ": r"$\mu$", "∞": r"$\infty$"}
)


_RAISED = re.compile(r"(\w+)\^([A-Za-zμ]+)")


def _upright(text: str) -> str:
    return r"\mu" if text == "μ" else f"\\mathrm{{{text.translate(_LATEX)}}}"


def _latex(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + r" \\" + "\n"

    def escape(cell: str) -> str:
        plain = _RAISED.split(cell)
        # Every third part is a base, followed by what is raised: MAE^M, set as mathematics.
        parts = [part.translate(_LATEX) for part in plain]
        for base in range(1, len(plain), 3):
            parts[base : base + 2] = [f"${_upright(plain[base])}^{{{_upright(plain[base + 1])}}}$", ""]
        return "".join(parts)

    alignment = "".join("r" if column in table.right else "l" for column in table.columns)
    return (
        f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{line([escape(column) for column in table.columns])}\\midrule\n"
        + "".join(line(row) for row in table.stressed(lambda cell: f"\\textbf{{{cell}}}", escape))
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
    def row(cells: Sequence[str], tag: str) -> str:
        aligned = (
            f'<{tag} style="text-align: {"right" if column in table.right else "left"}">{cell}</{tag}>'
            for cell, column in zip(cells, table.columns, strict=True)
        )
        return f"<tr>{''.join(aligned)}</tr>"

    head = row([html.escape(column) for column in table.columns], "th")
    body = "".join(row(cells, "td") for cells in table.stressed(lambda cell: f"<b>{cell}</b>", html.escape))
    notes = "<br>".join(html.escape(note) for note in table.notes)
    beside = _html(table.beside) if table.beside else ""
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{beside}<small>{notes}</small>\n"


RENDERERS: dict[str, Callable[[Table], str]] = {
    "table": _plain,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _separated(","),
    "tsv": _separated("\t"),
    "html": _html,
}
