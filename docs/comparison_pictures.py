"""The pictures and the table of docs/comparisons.md: what one weak run does to two tests, and how often each test is wrong."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from metameasure.statistics.stepwise import stepwise_test
from metameasure.statistics.tukey import randomised_tukey_hsd

RESULTS = Path(__file__).parent / "error_rates.csv"
_COLOURS = ("#0072B2", "#D55E00", "#E69F00", "#009E73", "#56B4E9", "#CC79A7")
_FONT = 'font-family="Helvetica, Arial, sans-serif"'
_WEAK = np.linspace(0.6, 0.0, 13)


def _svg(width: int, height: int, parts: list[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" {_FONT}>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, text: str, *, anchor: str = "middle", size: int = 12, colour: str = "#1b1b1b") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{text}</text>'


def _line(points: list[tuple[float, float]], colour: str, *, width: float = 2.0, dash: str = "") -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def weak_run() -> str:
    """The p-value of the two best of six runs, as the sixth becomes weaker."""
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 0.1, (50, 1)) + rng.normal(0, 0.1, (50, 6))
    p: dict[str, list[float]] = {"tukey": [], "stepwise": []}
    for weak in _WEAK:
        scores = np.array([0.74, 0.66, 0.6, 0.6, 0.6, weak]) + noise
        p["tukey"].append(float(randomised_tukey_hsd(scores, 5000)[0, 1]))
        p["stepwise"].append(float(stepwise_test(scores, 5000)[0, 1]))
    left, top, wide, high = 70, 30, 430, 220
    xs = [left + wide * (0.6 - weak) / 0.6 for weak in _WEAK]
    parts = [_line([(left, top), (left, top + high), (left + wide, top + high)], "#1b1b1b", width=1)]
    alpha = top + high * 0.95
    parts.append(_line([(left, alpha), (left + wide, alpha)], "#999999", width=1, dash="4 3"))
    parts.append(_text(left + wide - 6, alpha - 5, "alpha = .05", anchor="end", size=11, colour="#666666"))
    parts += [
        _text(left - 8, top + high * (1 - value) + 4, f"{value:g}", anchor="end", size=11) for value in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts += [_text(left + wide * (0.6 - weak) / 0.6, top + high + 18, f"{weak:g}", size=11) for weak in (0.6, 0.4, 0.2, 0.0)]
    parts.append(_text(left + wide / 2, top + high + 38, "mean score of the sixth run"))
    parts.append(_text(left - 40, top - 12, "p-value of the two best runs", anchor="start"))
    for (name, values), colour in zip(p.items(), _COLOURS[1::-1], strict=True):
        parts.append(_line([(x, top + high * (1 - value)) for x, value in zip(xs, values, strict=True)], colour, width=2.5))
        parts.append(_text(left + wide + 8, top + high * (1 - values[-1]) + 4, name, anchor="start", colour=colour))
    return _svg(600, 310, parts)


def _results() -> dict[str, dict[str, tuple[float, float]]]:
    """Setting, test: the familywise error and the power."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    with RESULTS.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            found.setdefault(row["setting"], {})[row["test"]] = (float(row["error"]), float(row["power"]))
    return found


def error_rates() -> str:
    """A row for each setting, a dot for each test: the familywise error on the left, the power on the right."""
    found = _results()
    tests = list(next(iter(found.values())))
    left, top, row, wide, gap = 330, 60, 24, 250, 40
    bottom = top + row * len(found)
    panels = ((left, 0, 0.2, "familywise error (should be .05 at most)"), (left + wide + gap, 1, 1.0, "power"))
    parts = [_text(left + wide * 0.25, bottom + 16, ".05", size=11), _text(left, bottom + 16, "0", size=11)]
    parts += [_text(left + wide, bottom + 16, ".2", size=11), _text(left + wide + gap, bottom + 16, "0", size=11)]
    parts.append(_text(left + 2 * wide + gap, bottom + 16, "1", size=11))
    parts.append(_line([(left + wide * 0.25, top - 8), (left + wide * 0.25, bottom)], "#999999", width=1, dash="4 3"))
    for place, name in enumerate(tests):
        x = 20 + place * 145
        parts.append(f'<circle cx="{x}" cy="18" r="5" fill="{_COLOURS[place]}"/>')
        parts.append(_text(x + 9, 22, name, anchor="start"))
    for start, _, _, title in panels:
        parts.append(_text(start, top - 14, title, anchor="start", colour="#666666"))
    for number, (setting, rates) in enumerate(found.items()):
        y = top + row * (number + 0.5)
        parts.append(_text(left - 12, y + 4, setting, anchor="end", size=11))
        for start, side, most, _ in panels:
            parts.append(_line([(start, y), (start + wide, y)], "#e5e5e5", width=1))
            for place, name in reversed(list(enumerate(tests))):  # the default on top
                value = rates[name][side]
                if value == value:  # noqa: PLR0124 - not NaN
                    x = start + wide * min(value / most, 1.0)
                    parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{_COLOURS[place]}" fill-opacity="0.85"/>')
    return _svg(left + 2 * wide + gap + 20, bottom + 30, parts)


def error_table() -> str:
    """The same numbers as a table in Markdown: the familywise error, and the power where some runs differ."""
    found = _results()
    tests = list(next(iter(found.values())))
    lines = ["| setting | " + " | ".join(tests) + " |", "|---|" + "---|" * len(tests)]
    for setting, rates in found.items():
        lines.append(f"| {setting} | " + " | ".join(_cell(*rates[name]) for name in tests) + " |")
    return "\n".join(lines) + "\n"


def _cell(error: float, power: float) -> str:
    shown = [] if error != error else [f"{error:.3f}"]  # noqa: PLR0124 - not NaN
    if power == power:  # noqa: PLR0124
        shown.append(f"power {power:.2f}")
    text = ", ".join(shown)
    return f"**{text}**" if error > 0.07 else text
