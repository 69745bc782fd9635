"""The picture in the README: two systems with the same accuracy, and what other measures say of them."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from metameasure.catalogue.registry import default_registry

EXAMPLE = Path(__file__).parents[1] / "examples" / "two_systems.py"
MEASURES = ("accuracy", "f1_macro", "kappa_linear", "mae_macro", "alpha_ordinal", "cem_ord", "mutual_information")
_CELL, _LEFT, _TOP, _GAP = 62, 96, 92, 88
_FONT = 'font-family="Helvetica, Arial, sans-serif"'


def two_systems() -> str:
    """The picture as SVG, computed from the example's counts."""
    example = runpy.run_path(str(EXAMPLE))
    classes, systems = example["CLASSES"], example["SYSTEMS"]
    parts: list[str] = []
    for number, (name, counts) in enumerate(systems.items()):
        parts += _table(name, counts, classes, left=_LEFT + number * (3 * _CELL + _GAP))
    parts += _scores(systems, classes, left=_LEFT + 2 * (3 * _CELL + _GAP) - 20)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 310" width="960" height="310" {_FONT}>\n'
        f'<rect width="960" height="310" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _text(
    x: float, y: float, text: str, *, size: int = 14, anchor: str = "middle", colour: str = "#1b1b1b", bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>{text}</text>'


def _table(name: str, counts: list[list[int]], classes: list[str], *, left: float) -> list[str]:
    parts = [_text(left + 1.5 * _CELL, 34, f"System {name}", size=18, bold=True)]
    parts.append(_text(left + 1.5 * _CELL, _TOP - 26, "predicted", size=12, colour="#666666"))
    largest = max(map(sum, counts))
    for row, label in enumerate(classes):
        parts.append(_text(left + (row + 0.5) * _CELL, _TOP - 8, label, size=12))
        parts.append(_text(left - 8, _TOP + (row + 0.5) * _CELL + 4, label, size=12, anchor="end"))
        for column, count in enumerate(counts[row]):
            hue = "33, 102, 172" if row == column else "178, 24, 43"
            shade = 0.1 + 0.8 * (count / largest) ** 0.5
            x, y = left + column * _CELL, _TOP + row * _CELL
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{_CELL - 3}" height="{_CELL - 3}" rx="4" fill="rgba({hue}, {shade:.3f})"/>'
            )
            parts.append(
                _text(x + _CELL / 2 - 1, y + _CELL / 2 + 5, str(count), size=16, colour="#ffffff" if shade > 0.5 else "#1b1b1b")
            )
    return parts


def _scores(systems: dict[str, Any], classes: list[str], *, left: float) -> list[str]:
    columns = (left + 186, left + 256)
    parts = [_text(x, 34, name, size=18, bold=True) for x, name in zip(columns, systems, strict=True)]
    for row, name in enumerate(MEASURES):
        measure = default_registry()[name]
        values = [float(measure(counts, classes=classes)) for counts in systems.values()]
        best = max(values) if measure.better == "higher" else min(values)
        y = 68 + 32 * row
        parts.append(_text(left, y, f"{name} {'↑' if measure.better == 'higher' else '↓'}", anchor="start"))
        for x, value in zip(columns, values, strict=True):
            wins = value == best and values[0] != values[1]
            parts.append(_text(x, y, f"{value:.3f}", colour="#2166ac" if wins else "#1b1b1b", bold=wins))
    return parts
