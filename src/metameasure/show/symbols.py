"""Symbols of measures, such as MAE^M, τ_wmt12 and F_β^M: which part of one is raised or lowered, wherever it is set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

# Only the symbols of measures have raised and lowered parts, so their signs are replaced by two that no name has.
_MARKS = {"^": "\ue000", "_": "\ue001"}
_SIGNS = {mark: sign for sign, mark in _MARKS.items()}
# A name in small letters is a name, not a symbol: its underscores stay, but for those of acc_eq, p_a, r_item and the like.
_SIGN = re.compile(
    r"(?<=\w)\^(?=[A-Za-zμ])|(?<=[A-Zκατρ])_(?=[A-Za-z0-9β])|(?<=^[pr])_(?=[a-z])|(?<=^acc)_(?=eq$)|(?<=^τ_b)_(?=[a-z])"
)
_SCRIPTS = re.compile(r"(\w+)((?:[\ue000\ue001][A-Za-z0-9μβ]+)+)")
_SCRIPT = re.compile(r"([\ue000\ue001])([^\ue000\ue001]+)")
_PARAMETERS = re.compile(r"[(@]")


def marked(symbol: str) -> str:
    """The symbol of a measure, so marked that what is raised or lowered in it is recognised wherever it stands in a text. What
    stands in brackets or behind @ is of the user."""
    start = found.start() if (found := _PARAMETERS.search(symbol)) else len(symbol)
    return _SIGN.sub(lambda match: _MARKS[match[0]], symbol[:start]) + symbol[start:]


def has_marks(text: str) -> bool:
    """Whether a text has a symbol with a raised or lowered part in it."""
    return _SCRIPTS.search(text) is not None


def with_scripts(text: str, plain: Callable[[str], str], script: Callable[[str, Mapping[str, str]], str]) -> str:
    """The text with ``script(base, what is raised by "^" and lowered by "_")`` for each such part, and ``plain`` of the rest."""
    parts, end = [], 0
    for match in _SCRIPTS.finditer(text):
        base, behind = match.groups()
        scripts: dict[str, str] = {}
        for mark, said in _SCRIPT.findall(behind):
            before = scripts.get(_SIGNS[mark])
            scripts[_SIGNS[mark]] = f"{before},{said}" if before else said
        parts += [plain(text[end : match.start()]), script(base, scripts)]
        end = match.end()
    return "".join([*parts, plain(text[end:])])
