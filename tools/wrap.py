"""Wrap the prose of the pages that people write at 100 columns. Code, tables, headings, comments and what a program writes stay.

python tools/wrap.py            wrap them
python tools/wrap.py --check    only say which have longer lines (exit status 1)
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WIDTH = 100
PLACES = ("*.md", "docs/*.md", "docs/walks/*.md", "benchmarks/*.md")
_WRITTEN = "<!-- Written by docs/generate.py"
_FENCE = re.compile(r"^ *(```|~~~)")
_MARKED = re.compile(r"^<!--(?! end| to here)")
_END = re.compile(r"^<!-- (end|to here)")
_APART = re.compile(r"^ *(\||#|<|!\[|:::|---)|^ {4,}\S|^\s*$")
_ITEM = re.compile(r"^( *)([-*+]|\d+[.)]) +")
_OPENS = re.compile(r" (?=(?:[-+*>#|=]|\d+[.)])(?: |$))")  # what would begin a list or a heading at the start of a line
_KEPT = "\x00"


def pages() -> list[Path]:
    """The pages that people write."""
    found = [page for place in PLACES for page in sorted(ROOT.glob(place))]
    made = ROOT / "docs/peers.md"  # by tests/peers.py
    return [page for page in found if page != made and not page.read_text(encoding="utf-8").startswith(_WRITTEN)]


def wrapped(text: str) -> str:
    """A page with its prose wrapped."""
    return "\n".join(line for block, is_prose in _blocks(text.split("\n")) for line in (_filled(block) if is_prose else block))


def _blocks(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Paragraphs and items of lists, and everything else line by line."""
    held: list[str] = []
    fenced = written = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        written = (written or bool(_MARKED.match(line))) and not _END.match(line)
        apart = (
            fenced or written or bool(_FENCE.match(line)) or (bool(_APART.match(line)) and not (held and line.startswith("    ")))
        )
        if held and (apart or _ITEM.match(line)):
            yield held, True
            held = []
        if apart or line.startswith("<!--"):
            yield [line], False
        else:
            held.append(line)
    if held:
        yield held, True


def _filled(lines: list[str]) -> list[str]:
    if all(len(line) <= WIDTH for line in lines):
        return lines
    item = _ITEM.match(lines[0])
    first = item[0] if item else re.match(r" *", lines[0])[0]  # type: ignore[index] - it always matches
    rest = " " * len(first)
    text = " ".join([lines[0][len(first) :], *lines[1:]])
    text = _OPENS.sub(_KEPT, re.sub(r"\s+", " ", text).strip())
    filled = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_KEPT, " ") for line in filled]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    stale = {
        page: text for page in pages() if (text := wrapped(page.read_text(encoding="utf-8"))) != page.read_text(encoding="utf-8")
    }
    for page, text in stale.items():
        print(page.relative_to(ROOT))
        if not options.check:
            page.write_text(text, encoding="utf-8")
    sys.exit(1 if stale and options.check else 0)


if __name__ == "__main__":
    main()
