"""How numbers are written for people: scores, intervals, shares, p-values, counts and directions; and for JSON.

    number(0.8226)             0.823, or with as many decimals as are asked for: inside ``with_digits(4)`` it is 0.8226
    p_value(0.04979, 0.05)     0.0498: rounding never carries it over alpha

Each place knows how many decimals it usually has; who asks for some (``--digits``, ``render("table", digits=4)``) gets them in
all places. What programs read (JSON, CSV) has full precision, whatever is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any

MOST_DIGITS = 15
"""More than that, and the last ones would be noise."""
ARROWS = {"higher": "↑", "lower": "↓", None: ""}
"""Which scores are better: the arrow beside a measure."""
NO_BREAK = "\N{NO-BREAK SPACE}"
_USUAL_ALPHA = 0.05
_asked: ContextVar[int | None] = ContextVar("digits", default=None)


@contextmanager
def with_digits(digits: int | None) -> Iterator[None]:
    """Numbers that are written inside have so many decimals; None leaves each place its own."""
    token = _asked.set(digits)
    try:
        yield
    finally:
        _asked.reset(token)


def decimals(usual: int = 3) -> int:
    """How many decimals are asked for, or else the usual ones."""
    asked = _asked.get()
    return usual if asked is None else asked


def number(value: float, usual: int = 3, *, sign: bool = False) -> str:
    """A score: so many decimals, a dash where there is no value. ``sign`` is for differences: +0.012."""
    if math.isfinite(value):
        return f"{value:{'+' if sign else 'z'}.{decimals(usual)}f}"
    return "–" if math.isnan(value) else "∞" if value > 0 else "-∞"


def significant(value: float, usual: int = 4) -> str:
    """A number of any size, as a variance is: so many digits that count; where decimals are asked for, below 1 so many digits."""
    asked = _asked.get()
    if not math.isfinite(value) or (asked is not None and abs(value) >= 1):
        return number(value)
    return f"{value:.{usual if asked is None else max(1, asked)}g}"


def percent(share: float, usual: int = 1) -> str:
    """A share in %, without the sign."""
    return number(100 * share, usual)


def level_in_percent(level: float) -> str:
    """The level of an interval: 95%, 99.9%."""
    return f"{round(100 * level, 6):g}%"


def amount(value: float) -> str:
    """How many: 1,204 items; where they have weights, 0.25 of one."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"


def interval(low: float, high: float, usual: int = 3, *, sign: bool = False) -> str:
    """[0.712, 0.804]; nothing where there is none."""
    return "" if math.isnan(low) else f"[{number(low, usual, sign=sign)}, {number(high, usual, sign=sign)}]"


def with_interval(value: float, low: float, high: float, usual: int = 3, *, sign: bool = False) -> str:
    """0.758 [0.712, 0.804], or the value alone."""
    return f"{number(value, usual, sign=sign)} {interval(low, high, usual, sign=sign)}".rstrip()


def p_value(p: float, alpha: float) -> str:
    """A p-value to three decimals, or as many as are asked for; to more, where rounding would carry it over alpha or make it 0.

    >>> [p_value(p, 0.05) for p in (0.5, 0.04979, 0.00001)]
    ['0.500', '0.0498', '<0.001']
    """
    if math.isnan(p):
        return "–"
    places = decimals()
    shown = f"{p:.{places}f}"
    if tiny := _tiny(p, alpha, places):
        return f"<{tiny}"
    misleads = (p < alpha) != (float(shown) < alpha) or (float(shown) == 0 < p)
    return _to_its_side(p, alpha, 2) if misleads else shown


def p_in_words(p: float, alpha: float, *, least: float = 0.0) -> str:
    """A p-value in a sentence, where none below ``least`` can be told from it.

    >>> [p_in_words(p, 0.05) for p in (0.5, 0.04979, 0.00001)]
    ['p = 0.5', 'p = 0.0498', 'p < 0.001']
    >>> p_in_words(0.0, 0.05, least=0.02)
    'p < 0.02'
    """
    tiny = _tiny(p, alpha, max(3, decimals()))
    if p < least and not (tiny and least <= float(tiny)):
        return f"p < {least:.2g}"
    return f"p < {tiny}" if tiny else f"p = {p_alone(p, alpha)}"


def p_alone(p: float, alpha: float) -> str:
    """The same without "p =", as of the least p-value there can be: two digits that count, or as many as are asked for, or as
    many as keep it on its side of alpha.

    >>> [p_alone(p, 0.05) for p in (0.5, 0.04979, 0.00001)]
    ['0.5', '0.0498', '1e-05']
    """
    return "–" if math.isnan(p) else _to_its_side(p, alpha, max(1, decimals(2)))


def _tiny(p: float, alpha: float, places: int) -> str:
    """The smallest number of so many decimals, where a p-value below alpha would be rounded to 0; empty where it would not."""
    least = 10.0**-places
    return f"{least:.{places}f}" if p < least / 2 and p < alpha and least <= alpha else ""


def _to_its_side(p: float, alpha: float, fewest: int) -> str:
    written = (f"{p:.{digits}g}" for digits in count(fewest))
    return next(text for text in written if (p < alpha) == (float(text) < alpha))


def headed(name: str, better: str | None, *, kept: bool = False) -> str:
    """A measure with its arrow; ``kept`` together, where lines break."""
    return f"{name}{NO_BREAK if kept else ' '}{ARROWS[better]}" if better else name


def unheaded(heading: str) -> str:
    """The name without its arrow."""
    return heading.removesuffix(ARROWS["higher"]).removesuffix(ARROWS["lower"])


def formatted(value: Any, spec: str) -> str:
    """A part of a message by its format: ``.3f`` has as many decimals as are asked for, ``.2g`` as many digits that count;
    ``.1c`` is a share in %, ``g%`` the level of an interval, ``p`` a p-value as in tables, at the usual alpha. What is whole
    (``.0f``, ``.0c``), or a share in % (``.0%``), stays so."""
    if spec == ".0c":
        return f"{100 * value:.0f}"
    if spec == "g%":
        return level_in_percent(value)
    if spec == "p":
        return p_value(value, _USUAL_ALPHA)
    writers = {"f": number, "g": significant, "c": percent}
    usual = spec[1:-1]
    if spec[:1] == "." and usual.isdecimal() and usual != "0" and spec[-1] in writers:
        return writers[spec[-1]](value, int(usual))
    return format(value, spec)


def json_cell(value: Any) -> Any:
    """A number as JSON can say it, and what is no float as it is."""
    return json_number(value) if isinstance(value, float) else value


def json_number(value: float) -> float | str | None:
    """A number as JSON can say it."""
    if math.isfinite(value):
        return float(value)
    return None if math.isnan(value) else "inf" if value > 0 else "-inf"


def json_table(matrix: Any) -> list[list[float | str | None]]:
    """A matrix of numbers as JSON can say it."""
    return [[json_number(value) for value in row] for row in matrix]
