"""Letters for symbols, where a terminal has no Unicode."""

from __future__ import annotations

import unicodedata

# Those that stand in tables are one letter each, so that columns stay straight.
_IN_TABLES = str.maketrans("─│↑↓→·–—−×✓✗•♯♭♠♣♡◇‡†…△▽′αβγδεκπρστΔ", "-|^v>.---xyn*87654321~PN'abgdekprstD")
_IN_WORDS = str.maketrans(
    {"Σ": "sum", "Π": "prod", "√": "sqrt", "∞": "inf", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "∈": "in", "²": "^2", "³": "^3"}
)


def look_alikes(error: UnicodeError) -> tuple[str, int]:
    """What is written instead of characters that an encoding lacks: what looks like them, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_IN_TABLES).translate(_IN_WORDS)
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return bare.encode("ascii", "replace").decode("ascii"), error.end
