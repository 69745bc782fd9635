"""From what a user typed to files, and from files to the names of runs."""

from __future__ import annotations

import glob
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from metameasure.errors import UsageError, did_you_mean

_COMPRESSIONS = (".gz", ".zst")


def expand(written: Iterable[str | Path], scratch: Path) -> list[tuple[str, Path]]:
    """How each file is called in messages, and where it lies. A pattern stands for all it matches, ``-`` for standard input."""
    found: list[tuple[str, Path]] = []
    for text in map(str, written):
        path = Path(text)
        if text == "-":
            if any(scratch.glob("standard-input-*")):
                raise UsageError("standard input is named twice", hint="it can only be read once")
            if sys.stdin is None:
                raise UsageError("standard input is closed", hint="name a file instead of -")
            found.append(("standard input", _spooled(sys.stdin.buffer, scratch, "standard-input-")))
        elif not path.exists() and glob.has_magic(text):
            matches = sorted(match for match in glob.glob(text, recursive=True) if Path(match).is_file())  # noqa: PTH207 - as the shell does, absolute patterns included
            if not matches:
                raise UsageError(f"no file matches '{text}'", hint="check the folder and the pattern")
            found += [(_shown(match), _in_utf8(Path(match), scratch)) for match in matches]
        elif path.is_dir():
            raise UsageError(f"'{text}' is a folder", hint=f"name its files, as in '{text.rstrip('/')}/*.tsv'")
        elif not path.exists():
            raise UsageError(f"there is no file '{text}'", hint=_nearest(path))
        else:
            found.append((_shown(text), _in_utf8(_regular(text, path, scratch), scratch)))
    return found


def _shown(text: str) -> str:
    """A path as text, whatever bytes its name is made of."""
    return os.fsencode(text).decode("utf-8", "replace")


def _in_utf8(path: Path, scratch: Path) -> Path:
    """The file under a name that engines understand, which take names to be UTF-8."""
    if _shown(str(path.absolute())) == str(path.absolute()):
        return path
    link = scratch / f"named-{len(list(scratch.iterdir()))}{''.join(suffix for suffix in path.suffixes if suffix.isascii())}"
    link.symlink_to(path.absolute())
    return link


def _regular(text: str, path: Path, scratch: Path) -> Path:
    """The file itself, or what a pipe gives, which can be read once only. UsageError for a device."""
    if path.is_file():
        return path
    if not path.is_fifo() and not path.is_socket():
        raise UsageError(f"'{text}' is a device, not a file", hint="name a file, or - for standard input")
    with path.open("rb") as stream:
        return _spooled(stream, scratch, "pipe-")


def _nearest(path: Path) -> str:
    if not path.parent.is_dir():
        return f"there is no folder '{path.parent}' either"
    near = did_you_mean(path.name, [other.name for other in path.parent.iterdir()])
    return near or "check the spelling and the folder"


def _spooled(stream: IO[bytes], scratch: Path, prefix: str) -> Path:
    """What only gives itself once as a file: engines read files more than once."""
    with tempfile.NamedTemporaryFile(dir=scratch, prefix=prefix, delete=False) as file:
        while block := stream.read(1 << 20):
            file.write(block)
    return Path(file.name)


def is_once(written: Iterable[str | Path]) -> bool:
    """Whether something among these can be read once only: standard input, or a pipe."""
    return any(str(text) == "-" or Path(text).is_fifo() for text in written)


def check_distinct(gold: Path | None, runs: Sequence[tuple[str, Path]]) -> None:
    """Refuse gold among the files, as a careless pattern puts it there, and a file named twice."""
    seen: dict[Path, str] = {}
    for shown, path in runs:
        place = path.resolve()
        if gold is not None and place == gold.resolve():
            raise UsageError(f"'{shown}' is the gold file itself", hint="leave it out of the runs: it would score as perfect")
        if place in seen:
            raise UsageError(f"'{shown}' is given twice", hint=f"it is the same file as '{seen[place]}'")
        seen[place] = shown


def run_names(shown: Sequence[str]) -> list[str]:
    """The stem of each file (``x.tsv.gz`` is ``x``); where stems collide, the shortest suffix of the path that is unique."""
    parts = [(*Path(text).parent.parts, stem(Path(text))) for text in shown]
    depth = [1] * len(parts)
    while True:
        names = ["/".join(part[-take:]) for part, take in zip(parts, depth, strict=True)]
        count = Counter(names)
        deeper = [
            take + 1 if count[name] > 1 and take < len(part) else take
            for name, take, part in zip(names, depth, parts, strict=True)
        ]
        if deeper == depth:
            return [text if count[name] > 1 else name for name, text in zip(names, shown, strict=True)]
        depth = deeper


def stem(path: Path) -> str:
    """The name without compression and extension."""
    name = path.name
    for ending in _COMPRESSIONS:
        name = name.removesuffix(ending)
    return Path(name).stem if not name.startswith(".") else name
