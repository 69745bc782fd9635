"""The modules that one plain `evaluate` passes through, in the order in which it first enters them.

python tools/walk.py           # prints them, with the first function of each and their number
python tools/walk.py --write   # and puts them into docs/architecture.md

Of a family, such as the measures, a newcomer reads one file: it counts as one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import re
import sys
from importlib.resources import as_file, files
from pathlib import Path
from types import FrameType
from typing import Any

import metameasure
from metameasure.catalogue.registry import default_registry
from metameasure.cli import main as run

PAGE = Path(__file__).parents[1] / "docs/architecture.md"
PACKAGE = Path(metameasure.__file__).parent
_BETWEEN = re.compile(r"(?<=<!-- tools/walk.py -->\n).*?(?=<!-- to here -->)", re.DOTALL)
_END = re.compile(r"[.:;](?=\s|$)")  # of what a docstring says first


def entered(arguments: list[str]) -> dict[str, str]:
    """The files of the package in which functions are called, and the first function in each. The command runs once before: what
    is loaded and found out once only is not on the way."""
    found: dict[str, str] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            name = code.co_qualname.partition(".<")[0]
            if found.get(code.co_filename, "<").startswith("<"):
                found[code.co_filename] = name

    for profile in (None, note):
        with contextlib.redirect_stdout(io.StringIO()):
            sys.setprofile(profile)
            try:
                status = run(arguments)
            finally:
                sys.setprofile(None)
        if status:
            raise SystemExit(status)
    return {Path(file).relative_to(PACKAGE).as_posix(): function for file, function in found.items()}


def family(file: str) -> str:
    """The file as the list names it: a measure, a format of the field and an output format by their family."""
    folder, _, name = file.rpartition("/")
    module = f"metameasure.{file.removesuffix('.py').replace('/', '.')}"
    if any(measure.module == module for measure in default_registry().values()):
        return f"{folder}/MEASURE.py"
    return f"{folder}/NAME.py" if folder in ("reading/formats", "show/formats") and name != "__init__.py" else file


def purpose(file: str) -> str:
    """What the module says first of itself."""
    text = " ".join((ast.get_docstring(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))) or "").split())
    return _END.split(text, maxsplit=1)[0].replace("``", "`")


def walk() -> tuple[str, int]:
    """The list as a table in Markdown, and how many modules it has."""
    with as_file(files("metameasure") / "demo") as folder:
        found = entered(["evaluate", str(folder / "gold.tsv"), str(folder / "runs" / "*.tsv"), "--classes", "-2..2"])
    rows: dict[str, list[str]] = {}
    for file in found:
        rows.setdefault(family(file), []).append(file)
    lines = ["| | module | enters by | what it is |", "|---|---|---|---|"]
    for number, (named, (first, *others)) in enumerate(rows.items(), start=1):
        shown, what = (named, f"{len(others) + 1} files, such as `{Path(first).name}`") if others else (first, purpose(first))
        lines.append(f"| {number} | `{shown}` | `{found[first]}` | {what} |")
    lines.append(f"\n{len(rows)} modules, a family counted as one; {len(found)} files in all.")
    return "\n".join(lines) + "\n", len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the list into docs/architecture.md")
    write = parser.parse_args().write
    listed, _ = walk()
    print(listed, end="")
    if write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(_BETWEEN.sub(lambda _: f"\n{listed}\n", page), encoding="utf-8")


if __name__ == "__main__":
    main()
