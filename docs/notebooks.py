"""Run the notebooks as Jupyter does, each from its first cell to its last, and keep what they show in them.

python docs/notebooks.py    run all of them anew and write their outputs

They are plain files of JSON: nothing of Jupyter is needed for that. The tests run every cell too.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted(Path(__file__).parent.glob("*.ipynb"))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells, run in one namespace in an empty folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    with _elsewhere():
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                cells.append({**cell, "execution_count": number, "outputs": _run("".join(cell["source"]), names, number)})
            else:
                cells.append(cell)
    return {**notebook, "cells": cells}


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _run(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last line where that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {number}>", "exec"), names)  # noqa: S102 - that is what a notebook is
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), names)  # noqa: S307
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": _shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    """A value as a notebook shows it: as text, and as HTML or a picture where it can be."""
    shown: dict[str, Any] = {"text/plain": repr(value).splitlines(keepends=True)}
    html = getattr(value, "_repr_html_", lambda: None)()
    if html:
        shown["text/html"] = html.splitlines(keepends=True)
    if hasattr(value, "savefig"):
        picture = io.BytesIO()
        value.savefig(picture, format="png", dpi=80, metadata={"Software": None})
        shown["image/png"] = base64.b64encode(picture.getvalue()).decode()
        shown["text/plain"] = ["<Figure>"]
    return shown


def main() -> None:
    for file in NOTEBOOKS:
        found = executed(json.loads(file.read_text(encoding="utf-8")))
        file.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(file.name)


if __name__ == "__main__":
    main()
