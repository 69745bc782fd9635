"""Submissions in every kind of mess that people send, made of runs that are known: what a cleaned one must come to."""

from __future__ import annotations

import gzip
import io
import json
import random
import stat
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

Run = Sequence[tuple[str, int]]
"""Items and their labels, from -2 to 2."""
WORDS = {-2: "awful", -1: "bad", 0: "so-so", 1: "good", 2: "great"}
MAP = ",".join(f"{word}={label}" for label, word in WORDS.items())


def gold_rows(items: int = 60, seed: int = 0) -> list[tuple[str, int]]:
    drawn = random.Random(seed)  # noqa: S311 - no secret
    return [(f"tweet-{number:03}", drawn.randint(-2, 2)) for number in range(items)]


def _table(run: Run, separator: str = ",", header: str = "item{0}label\n", label: Callable[[int], str] = str) -> str:
    return header.format(separator) + "".join(f"{item}{separator}{label(own)}\n" for item, own in run)


def _plus(label: int) -> str:
    return f"+{label}" if label > 0 else str(label)


def _zipped(*files: tuple[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return held.getvalue()


def _with_link() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        link = zipfile.ZipInfo("run.csv")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return held.getvalue()


@cache
def bomb() -> bytes:
    """A small archive of a very large file."""
    return _zipped(("bomb.csv", b"item,label\n" + b"0" * 260_000_000))


def _from_r(run: Run) -> str:
    """As ``write.table`` writes it: quotes, spaces, and the rows' numbers, which have no name."""
    return '"item" "label"\n' + "".join(f'"{place}" "{item}" {label}\n' for place, (item, label) in enumerate(run, 1))


def _encoded(run: Run) -> bytes:
    return ("item,label,note\n" + "".join(f"{item},{label},naïve café\n" for item, label in run)).encode("latin-1")


def _wordy(run: Run) -> str:
    rows = "".join(f'{item},"says ""so"", and\nmore",{label}\n' for item, label in run)
    return f"item,text,label\n{rows}"


def of_text(run: Run) -> dict[str, str | bytes]:
    """What is certain, by the name of the file."""
    rows = _table(run)
    lines = rows.splitlines(keepends=True)
    return {
        "plain.csv": rows,
        "tabs.tsv": _table(run, "\t"),
        "wrong-ending.csv": _table(run, "\t"),
        "utf16le.csv": b"\xff\xfe" + rows.encode("utf-16-le"),
        "utf16be.tsv": b"\xfe\xff" + _table(run, "\t").encode("utf-16-be"),
        "utf32.csv": rows.encode("utf-32"),
        "mark.csv": b"\xef\xbb\xbf" + rows.encode(),
        "windows.csv": rows.replace("\n", "\r\n"),
        "old-mac.csv": rows.replace("\n", "\r"),
        "semicolons.csv": _table(run, ";"),
        "bars.txt": _table(run, "|"),
        "blanks.txt": _table(run, "   "),
        "from-r.txt": _from_r(run),
        "from-pandas.csv": ",item,label\n" + "".join(f"{place},{item},{own}\n" for place, (item, own) in enumerate(run)),
        "plus.csv": _table(run, label=_plus),
        "typographic.csv": _table(run, label=lambda own: str(own).replace("-", "\u2212")),
        "decimal-commas.csv": _table(run, ";", label=lambda own: f"{own},0"),
        "floats.csv": _table(run, label=lambda own: f"{own}.0"),
        "spaces.csv": "item , label\n" + "".join(f" {item} ,  {own} \n" for item, own in run),
        "unseen.csv": _table(run, label=lambda own: f"\u00a0{own}\u200b"),
        "words.csv": _table(run, label=WORDS.__getitem__),
        "loud-words.csv": _table(run, label=lambda own: f" {WORDS[own]} "),
        "no-header.tsv": _table(run, "\t", ""),
        "no-header.csv": _table(run, ",", ""),
        "turned.csv": "".join(f"{own};{item}\n" for item, own in run),
        "renamed.csv": _table(run, ",", "tweet_id{0}Prediction\n"),
        "capitals.csv": _table(run, ",", "ITEM{0}Label\n"),
        "quoted.tsv": _table(run, "\t", label=lambda own: f'"{own}"'),
        "all-quoted.csv": "".join(f'"{left}","{right}"\n' for left, _, right in (one.strip().partition(",") for one in lines)),
        "curly.csv": _table(run, label=lambda own: f"\u201c{own}\u201d"),
        "twice.csv": rows + "".join(lines[5:12]),
        "holes.csv": "".join(f"{line}\n,\n" for line in lines),
        "commas-behind.csv": lines[0] + "".join(line.replace("\n", ",,\n") for line in lines[1:]),
        "excel.csv": "sep=;\r\n" + _table(run, ";").replace("\n", "\r\n"),
        "joined.csv": "".join([*lines[:20], lines[0], *lines[20:]]),
        "rows.jsonl": "".join(json.dumps({"item": item, "label": own}) + "\n" for item, own in run),
        "keys.jsonl": "\ufeff" + "".join(json.dumps({"Item": f"{item} ", "LABEL": _plus(own)}) + "\n" for item, own in run),
        "text.csv": _wordy(run),
        "latin.csv": _encoded(run),
        "packed.csv.gz": gzip.compress(rows.encode()),
        "one.zip": _zipped(("answer.csv", rows.encode())),
        "mac.zip": _zipped(("out/run.tsv", _table(run, "\t").encode()), ("__MACOSX/._run.tsv", b"\1"), ("out/.DS_Store", b"\0")),
        "windows.zip": _zipped(("a\\b\\Ergebnis.csv", b"\xff\xfe" + _table(run, ";").encode("utf-16-le"))),
        "mixed.zip": _zipped(("x.txt", ("\ufeff" + _table(run, ";", "", _plus)).replace("\n", "\r\n").encode())),
    }  # fmt: skip


def of_doubt(run: Run) -> dict[str, str | bytes]:
    """What is not, or is an attack."""
    rows = _table(run)
    first, other = run[0][0], (run[0][1] + 3) % 5 - 2
    return {
        "unknown-label.csv": rows.replace(f"{first},{run[0][1]}", f"{first},maybe"),
        "two-answers.csv": f"{rows}{first},{other}\n",
        "short.csv": "".join(rows.splitlines(keepends=True)[:-3]),
        "labels-only.txt": "".join(f"{own}\n" for _, own in run),
        "two-columns-fit.csv": "id;a;b\n" + "".join(f"{item};{own};{own}\n" for item, own in run),
        "not-utf8.csv": b"item,label\n" + "".join(f"{item},{own}\xe9\n" for item, own in run).encode("cp037"),
        "book.xlsx": _zipped(("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", b"<x/>")),
        "paper.pdf": b"%PDF-1.7 ...",
        "nothing.csv": b"",
        "bomb.zip": bomb(),
        "slip.zip": _zipped(("../../slipped.csv", rows.encode())),
        "link.zip": _with_link(),
        "nested.zip": _zipped(("inner.zip", _zipped(("run.csv", rows.encode())))),
        "cut.zip": _zipped(("run.csv", rows.encode()))[:-40],
    }


def write_messes(folder: Path, *, items: int = 60) -> dict[str, list[tuple[str, int]]]:
    """Gold and forty submissions in a folder; the runs that those are which can be understood, by the names of their files."""
    gold = gold_rows(items)
    (folder / "gold.csv").write_text(_table(gold))
    (folder / "submissions").mkdir()
    clear = {}
    for made in (of_text, of_doubt):
        for place, name in enumerate(made(gold)):
            drawn = random.Random(f"{made.__name__} {place}")  # noqa: S311 - as above
            run = [(item, label if drawn.random() < 0.6 else drawn.randint(-2, 2)) for item, label in gold]
            text = made(run)[name]
            (folder / "submissions" / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            if made is of_text:
                clear[name] = run
    return clear
