"""Every kind of note and warning in its renderings, to be read aloud: ``python tools/findings.py --write``.

The kinds are found in the source, the examples in what the program says of the calls in ``tools/calls_for_findings.py``: a kind
needs a call there. Names of runs are hostile on purpose. A test holds the file against both."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from metameasure.core import messages
from metameasure.core.messages import Message, speaking_to
from metameasure.show.table import Table

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "metameasure"
FILE = ROOT / "tests" / "findings.txt"
SAYING = ("caption", "legend", "note", "warn")
_AS_THEY_ARE = ("caption", "legend")  # they open with a column's heading, or are whole sentences
_DIGITS = 4  # of numbers in JSON: the others may be another machine's
Site = tuple[str, str, bool]
"""Where a message is made: the file, the kind, and whether it warns."""


def sites() -> set[Site]:
    """Every place in the source where something is said beside a result."""
    found: set[Site] = set()
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
                kind = node.func.id if node.func.id in _AS_THEY_ARE else _kind(node.args[0], file)
                found.add((file.relative_to(SOURCE).as_posix(), kind, node.func.id == "warn"))
    return found


def _kind(node: ast.expr, file: Path) -> str:
    """The kind, which is written where the message is made."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"{file}:{node.lineno}: write the kind of the message here")


def heard() -> dict[Site, dict[str, Message]]:
    """What the program says of the calls: by where it is made, the first message of each template."""
    said: dict[Site, dict[str, Message]] = {}
    made = Message.__new__

    def recording(cls: type[Message], template: str, parts: Any, kind: str = "note", *, warns: bool = False) -> Message:
        message = made(cls, template, parts, kind, warns=warns)
        caller = sys._getframe(1).f_code  # noqa: SLF001 - who says it
        if caller.co_filename == messages.__file__ and caller.co_name in SAYING:
            file = Path(sys._getframe(2).f_code.co_filename)  # noqa: SLF001
            if file.is_relative_to(SOURCE):
                said.setdefault((file.relative_to(SOURCE).as_posix(), kind, warns), {}).setdefault(template, message)
        return message

    Message.__new__ = recording  # type: ignore[method-assign,assignment]
    try:
        _calls()
    finally:
        Message.__new__ = made  # type: ignore[method-assign]
    return said


def _calls() -> None:
    spec = importlib.util.spec_from_file_location("calls_for_findings", Path(__file__).with_name("calls_for_findings.py"))
    assert spec is not None  # noqa: S101 - the file lies beside this one
    assert spec.loader is not None  # noqa: S101
    calls = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(calls)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            calls.make()
        finally:
            os.chdir(before)


def examples() -> Iterator[tuple[Site, Message]]:
    """A message of every kind from every place where one is made, as the program said it."""
    everything = heard()
    if unheard := sites() - everything.keys():
        raise ValueError(f"no call of tools/calls_for_findings.py brings these about: {sorted(unheard)}")
    for site in sorted(sites()):
        yield from ((site, message) for message in [*everything[site].values()][:_MOST])


_MOST = 4  # of one kind from one place: the others differ in a word


def renderings() -> str:
    """Every kind as a terminal, Python, HTML, LaTeX and JSON have it."""
    return "\n\n".join(sorted({_rendered(*one) for one in examples()})) + "\n"


def _rendered(site: Site, message: Message) -> str:
    _, kind, warns = site
    python = _whole(Message(message.template, message.parts, kind, warns=warns))
    with speaking_to("command"):
        command = _whole(Message(message.template, message.parts, kind, warns=warns))
    table = Table(("a",), (("b",),), notes=(python,))
    facts = {key: value for key, value in python.data().items() if key != "text"}
    facts["numbers"] = {name: _shorter(value) for name, value in facts["numbers"].items()}
    return "\n".join(
        [
            f"{kind}{' (warning)' if warns else ''}",
            f"  terminal  {command}",
            f"  python    {python}",
            f"  html      {_between(table.render('html'), '<li>', '</li>')}",
            f"  latex     {_between(table.render('latex'), '% ', chr(10))}",
            f"  json      {json.dumps(facts, ensure_ascii=False)}",
        ]
    )


def _whole(message: Message) -> Message:
    return message if message.kind in _AS_THEY_ARE else message.sentence


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]


def _shorter(value: Any) -> Any:
    if isinstance(value, list):
        return [_shorter(one) for one in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


if __name__ == "__main__":
    if "--write" in sys.argv:
        FILE.write_text(renderings(), encoding="utf-8")
    elif "--missing" in sys.argv:
        print(*sorted(sites() - heard().keys()), sep="\n")
    else:
        print(renderings(), end="")
