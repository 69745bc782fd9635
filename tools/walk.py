"""The modules that one plain `evaluate` passes through, in the order in which it first enters them; and for `evaluate` of each
task, `compare` and `report`, how many functions run, and how often one calls another of another module.

python tools/walk.py           # prints both
python tools/walk.py --write   # and puts them into docs/architecture.md
python tools/walk.py --list    # the modules only, which takes less

Of a family, such as the measures, a newcomer reads one file: it counts as one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import metameasure
from metameasure.catalogue.registry import default_registry
from metameasure.cli import main as run

PAGE = Path(__file__).parents[1] / "docs/architecture.md"
PACKAGE = Path(metameasure.__file__).parent
_BETWEEN = re.compile(r"(?<=<!-- tools/walk.py -->\n).*?(?=<!-- to here -->)", re.DOTALL)
_COUNTED = re.compile(r"(?<=<!-- tools/walk.py: counts -->\n).*?(?=<!-- end of counts -->)", re.DOTALL)
DISTRIBUTIONS = "topic,neg,neu,pos\nx,{},{},{}\ny,.2,.3,.5\n"
JUDGEMENTS = "item\tlabel\tscore\n1\t{}\t.9\n2\t{}\t.7\n3\tUNKNOWN\t.5\n4\tNO\t.2\n"
PROBABILITIES = "item,label,neg,neu,pos\n1,neg,{},{},{}\n2,pos,.2,.3,.5\n"
SETS = "item,label\n1,{}\n2,{}\n3,\n"
OUTCOMES = "item,score\n1,{}\n2,{}\n3,1\n"
RANKS = "segment,item,rank\n1,a,{}\n1,b,{}\n1,c,3\n2,a,1\n2,b,2\n2,c,3\n"
_PARTS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")  # of a function, for who reads it
SMALL = {
    "quantification": (DISTRIBUTIONS, ((".5", ".3", ".2"), (".4", ".4", ".2"), (".2", ".2", ".6")), ("--classes", "neg,neu,pos")),
    "entailment": (
        JUDGEMENTS,
        (("YES", "NO"), ("YES", "YES"), ("NO", "NO")),
        ("--positive", "YES", "--neutral", "UNKNOWN", "--negative", "NO"),
    ),
    "probabilities": (
        PROBABILITIES,
        ((".5", ".3", ".2"), (".4", ".4", ".2"), (".2", ".2", ".6")),
        ("--classes", "neg,neu,pos", "--kind", "nominal"),
    ),
    "multilabel": (SETS, (("a|b", "c"), ("a", "c"), ("b", "a|c")), ("--classes", "a,b,c", "--kind", "nominal")),
    "outcomes": (OUTCOMES, (("1", "0"), ("0", "0"), ("1", "1")), ()),
    "ranking": (RANKS, (("1", "2"), ("2", "1"), ("1", "1")), ()),
}
"""For each task but the demo's: a small file, what stands in gold and in two runs, and the options."""
_END = re.compile(r"[.:;](?=\s|$)")  # of what a docstring says first


@dataclass
class Walked:
    """What one command called of the package: its files with the first function of each, all functions, and how often one called
    another of another file, whatever libraries lay between the two."""

    files: dict[str, str] = field(default_factory=dict)
    functions: set[CodeType] = field(default_factory=set)
    changes: int = 0

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not _is_ours(frame) or code.co_name in _PARTS:
            return
        self.functions.add(code)
        if self.files.get(code.co_filename, "<").startswith("<"):
            self.files[code.co_filename] = code.co_qualname.partition(".<")[0]
        caller = frame.f_back
        while caller is not None and not _is_ours(caller):
            caller = caller.f_back
        self.changes += caller is not None and caller.f_code.co_filename != code.co_filename


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(str(PACKAGE))


def walked(arguments: list[str]) -> Walked:
    """The command, followed. It runs once before: what is loaded and found out once only is not on the way."""
    followed = Walked()
    for profile in (None, followed.note):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as complaint:
            sys.setprofile(profile)
            try:
                status = run(arguments)
            finally:
                sys.setprofile(None)
        if status:
            raise SystemExit(complaint.getvalue())
    return followed


def entered(arguments: list[str]) -> dict[str, str]:
    """The files of the package in which functions are called, and the first function in each."""
    return {Path(file).relative_to(PACKAGE).as_posix(): function for file, function in walked(arguments).files.items()}


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
    with demo() as data:
        found = entered(["evaluate", *data])
    rows: dict[str, list[str]] = {}
    for file in found:
        rows.setdefault(family(file), []).append(file)
    lines = ["| | module | enters by | what it is |", "|---|---|---|---|"]
    for number, (named, (first, *others)) in enumerate(rows.items(), start=1):
        shown, what = (named, f"{len(others) + 1} files, such as `{Path(first).name}`") if others else (first, purpose(first))
        lines.append(f"| {number} | `{shown}` | `{found[first]}` | {what} |")
    lines.append(f"\n{len(rows)} modules, a family counted as one; {len(found)} files in all.")
    return "\n".join(lines) + "\n", len(rows)


@contextlib.contextmanager
def demo() -> Iterator[list[str]]:
    """The words that name the data of `metameasure demo`."""
    with as_file(files("metameasure") / "demo") as folder:
        yield [str(folder / "gold.tsv"), str(folder / "runs" / "*.tsv"), "--classes", "-2..2"]


def small(task: str, folder: Path) -> list[str]:
    """The words that name small files of a task, which are written into the folder."""
    text, contents, options = SMALL[task]
    named = [folder / f"{name}.{'tsv' if chr(9) in text else 'csv'}" for name in ("gold", "one", "two")]
    for file, held in zip(named, contents, strict=True):
        file.write_text(text.format(*held), encoding="utf-8")
    return [*map(str, named), "--task", task, *options]


def counts() -> str:
    """How many modules and functions each command runs, and how often it changes from one module to another, as a table in
    Markdown."""
    lines = ["| call | modules | functions | changes of module |", "|---|---|---|---|"]
    with demo() as data, tempfile.TemporaryDirectory() as scratch:
        calls = {"`evaluate`": ["evaluate", *data]}
        for task in SMALL:
            folder = Path(scratch) / task
            folder.mkdir()
            calls[f"`evaluate --task {task}`"] = ["evaluate", *small(task, folder)]
        calls["`compare`"] = ["compare", *data, "--measures", "cem_ord"]
        calls["`report`"] = ["report", *data, "-o", str(Path(scratch) / "page.html")]
        for shown, arguments in calls.items():
            found = walked(arguments)
            lines.append(f"| {shown} | {len(found.files)} | {len(found.functions):,} | {found.changes:,} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the list and the counts into docs/architecture.md")
    parser.add_argument("--list", action="store_true", help="the modules only")
    chosen = parser.parse_args()
    listed, _ = walk()
    print(listed, end="")
    counted = "" if chosen.list else counts()
    print(f"\n{counted}" if counted else "", end="")
    if chosen.write:
        page = _BETWEEN.sub(lambda _: f"\n{listed}\n", PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(_COUNTED.sub(lambda match: f"\n{counted}\n" if counted else match[0], page), encoding="utf-8")


if __name__ == "__main__":
    main()
