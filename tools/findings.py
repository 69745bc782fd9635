"""Every kind of note and warning in its renderings, to be read aloud: ``python tools/findings.py --write``.

The kinds are found in the source. Names are hostile on purpose; a test holds the file against what the program would write."""

from __future__ import annotations

import ast
import html
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from metameasure.core.messages import SUBJECTS, Message, fields, speaking_to
from metameasure.core.notes import counted, listed
from metameasure.show.formats.latex import escaped

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "metameasure"
FILE = ROOT / "tests" / "findings.txt"
_NAME = "bert --epochs 3 <b>"


def kinds() -> Iterator[tuple[str, bool, str, dict[str, Any]]]:
    """The kind, whether it warns, the template, and something to say for each part, of every note in the source."""
    for file in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        texts = {
            node.targets[0].id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("note", "warn"):
                kind, template = (_text(argument, texts) for argument in node.args[:2])
                values = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
                yield kind, node.func.id == "warn", template, _parts(template, values)


def _text(node: ast.expr, texts: dict[str, ast.expr]) -> str:
    """A text as far as it is written there; what is decided on the way as dots."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, right=right):
            return _text(left, texts) + _text(right, texts)
        case ast.IfExp(body=body):
            return _text(body, texts)
        case ast.Name(id=name) if name in texts:
            return _text(texts[name], {})
        case _:
            return "..."


def _parts(template: str, values: dict[str, ast.expr]) -> dict[str, Any]:
    samples = {name: _sample(name, value) for name, value in values.items()}
    for field, spec in fields(template):
        name = field.partition("<")[2].removesuffix(">") if "<" in field else field
        if spec:
            samples[name] = 1234 if spec in (",", "d") else 0.01234
        elif "--" not in name:
            samples.setdefault(name, name.upper())
    return samples


def _sample(name: str, value: ast.expr) -> Any:
    """Something of the kind that the value is."""
    match value:
        case ast.Call(func=ast.Name(id="counted"), args=[_, noun]):
            return counted(3, str(noun.value) if isinstance(noun, ast.Constant) else "topic")
        case ast.Call(func=ast.Name(id="listed" | "first_of")) | ast.Call(func=ast.Attribute(attr="join")):
            return listed([_NAME, "b"], "and")
        case ast.Call(func=ast.Name(id="len" | "int" | "sum" | "round")) | ast.BinOp():
            return 7
        case _:
            return _NAME if name in SUBJECTS else name.replace("_", " ").upper()


def renderings() -> str:
    """Every kind as a terminal, Python, a page, LaTeX and JSON have it."""
    blocks = []
    for kind, warns, template, given in sorted(kinds(), key=lambda one: one[:3]):
        python = Message(template, given, kind, warns=warns).sentence
        with speaking_to("command"):
            command = Message(template, given, kind, warns=warns).sentence
        facts = {key: value for key, value in python.data().items() if key != "text"}
        lines = [
            f"{kind}{' (warning)' if warns else ''}",
            f"  terminal  {command}",
            *([f"  python    {python}"] if python != command else []),
            f"  page      {'(left out)' if python.options else html.escape(python)}",
            f"  latex     {'% ' + python if python.options else escaped(python)}",
            f"  json      {json.dumps(facts, ensure_ascii=False)}",
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        FILE.write_text(renderings(), encoding="utf-8")
    else:
        print(renderings(), end="")
