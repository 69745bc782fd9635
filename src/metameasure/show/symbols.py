"""Symbols of measures, such as MAE^M and τ_wmt12: which part of one is raised or lowered, wherever it is set."""

from __future__ import annotations

import re
from collections.abc import Callable

# Only the symbols of measures have raised and lowered parts, so their signs are replaced by two that no name has.
_MARKS = {"^": "\ue000", "_": "\ue001"}
_SIGNS = {mark: sign for sign, mark in _MARKS.items()}
_SIGN = re.compile(r"(?<=\w)\^(?=[A-Za-zμ])|(?<=[κατρ])_(?=[A-Za-z0-9])")
_SCRIPTS = re.compile(r"(\w+)([\ue000\ue001])([A-Za-z0-9μ]+)")


def marked(symbol: str) -> str:
    """The symbol of a measure, so marked that what is raised or lowered in it is recognised wherever it stands in a text."""
    return _SIGN.sub(lambda match: _MARKS[match[0]], symbol)


def has_marks(text: str) -> bool:
    """Whether a text has a symbol with a raised or lowered part in it."""
    return _SCRIPTS.search(text) is not None


def with_scripts(text: str, plain: Callable[[str], str], script: Callable[[str, str, str], str]) -> str:
    """The text with ``script(base, "^" or "_", what is raised or lowered)`` for each such part, and ``plain`` of the rest."""
    parts, end = [], 0
    for match in _SCRIPTS.finditer(text):
        base, mark, raised = match.groups()
        parts += [plain(text[end : match.start()]), script(base, _SIGNS[mark], raised)]
        end = match.end()
    return "".join([*parts, plain(text[end:])])
