"""Write src/metameasure/__init__.pyi: what type checkers and editors know of ``import metameasure``, made of the options' groups.

python tools/stub.py            # print it
python tools/stub.py --write    # write it
python tools/stub.py --check    # the status is 1 if it is out of date

A function that takes gold and runs has an overload for each task, with the options of that task and no others.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import metameasure as mm
from metameasure.core.options import declared_in, keywords_of_keys, type_of
from metameasure.tasks.declaration import Declaration, declarations
from metameasure.tasks.option_groups import DataOptions, GateOptions, RankTestOptions, ReportOptions, TopicTestOptions

_GROUPS = ("metameasure.tasks.option_groups", "metameasure.tasks.rating_options")
STUB = Path(mm.__file__).with_suffix(".pyi")
_HEAD = '''# Written by tools/stub.py from the groups of options. Change those, and write it anew.
# fmt: off
"""Score systems against gold, and put the measures themselves to the test."""

'''
_KNOWN = {"Any", "Literal", "overload", "Optional", "Union", "str", "int", "float", "bool", "None", "tuple", "dict", "list"}
_WORDS = re.compile(r"\"[^\"]*\"|'[^']*'|[A-Za-z_]\w*")
_ONE, _MANY = "str | Measure", "Sequence[str | Measure]"


def _said_besides(group: Any) -> list[str]:
    """The options of a group that are not those of all data."""
    return [name for name, made in declared_in(group).items() if made is not declared_in(DataOptions).get(name)]


# What is returned where that depends on an argument: the parameters before the options, and the type.
_VARIANTS: dict[str, list[tuple[dict[str, str], str]]] = {
    "compare": [
        ({"gold": "Any", "runs": "Any", "measure": _ONE}, "Comparison"),
        ({"gold": "Any", "runs": "Any", "measure": _MANY}, "Comparisons"),
    ],
    "gate": [
        ({"old": "Any", "new": "Any = None"}, "Gate"),
        ({"gold": "Any", "old": "Any", "new": "Any = None"}, "Gate"),
    ],
    "study": [
        ({"names": "str"}, "Compared"),
        ({"names": "None = None"}, "Studies"),
        ({"names": "Sequence[str]"}, "Compared | Studies"),
    ],
}
# The same of scores that stand instead of gold and runs, with the options that scores have a use for.
_OF_SCORES: dict[str, list[tuple[str, str, Collection[str]]]] = {
    "compare": [
        (f"scores: Any, /, measure: {_ONE} | None = None", "Comparison", declared_in(TopicTestOptions)),
        (f"scores: Any, /, measure: {_MANY} = ...", "Comparisons", declared_in(TopicTestOptions)),
    ],
    "ranks": [(f"scores: Any, /, measure: {_ONE} | None = None", "PossibleRanks", declared_in(RankTestOptions))],
    "report": [("scores: Any, /, path: str | Path | None = None", "Report", declared_in(ReportOptions))],
    "gate": [("old: Any, new: Any = None", "Gate", {*_said_besides(GateOptions), "format_in"})],
}


def stub() -> str:
    """The text of the file."""
    imports: dict[str, str] = {}
    lines: list[str] = []
    for name in mm.__all__:
        value = getattr(mm, name)
        group = getattr(value, "group", None)
        if name == "__version__":
            lines.append("__version__: str")
        elif name == "measures":
            lines.append(f"measures: {_named('Registry', _GROUPS[0], imports)}")
        elif name == "meta":
            imports["meta"] = "metameasure"
        elif group is None:
            imports[name] = mm._HOMES[name]  # noqa: SLF001 - ours
        else:
            lines += ["", *_function(name, value, group, imports)]
    froms: dict[str, list[str]] = {}
    for name, home in imports.items():
        froms.setdefault(home, []).append(f"{name} as {name}" if name in mm.__all__ else name)
    standard = ["from collections.abc import Callable, Mapping, Sequence", "from pathlib import Path"]
    standard += ["from typing import Any, Literal, Optional, Union, overload", ""]
    ours = [f"from {home} import {', '.join(sorted(names))}" for home, names in sorted(froms.items())]
    exported = ["", f"__all__ = {list(mm.__all__)!r}".replace("'", '"')]
    return _HEAD + "\n".join([*standard, *ours, *exported, *lines]) + "\n"


def _function(name: str, function: Any, group: Any, imports: dict[str, str]) -> Iterator[str]:
    """The definitions of one function: one for each task and each type that is returned."""
    signature = inspect.signature(function)
    data = [one for one in signature.parameters.values() if one.kind is not one.KEYWORD_ONLY]
    usual = {one.name: _parameter(one).partition(": ")[2] for one in data}
    home = function.__module__
    tasks: list[Declaration | None] = [*declarations().values()] if issubclass(group, DataOptions) else [None]
    made = []
    for parameters, answer in _VARIANTS.get(name, [(usual, str(signature.return_annotation))]):
        for task in tasks:
            leading = ", ".join(f"{one}: {type}" for one, type in parameters.items())
            made.append((leading, _options(signature, group, task), answer))
    for leading, answer, own in _OF_SCORES.get(name, []):
        options = _options(signature, group, None, own)
        made.append((leading, options, answer))
    for place, (leading, options, answer) in enumerate(made):
        if len(made) > 1:
            yield "@overload"
        parameters = [*leading.split(", "), "*", *options] if options else leading.split(", ")
        types = [one.partition(": ")[2].partition(" = ")[0] for one in parameters]
        for found in _WORDS.findall(" ".join([*types, answer])):
            _named(found, home, imports)
        wrapped = _filled(parameters)
        body = _docstring(function) if place == 0 else "    ..."
        yield f"def {name}(\n" + textwrap.indent("\n".join(wrapped), "    ") + f"\n) -> {answer}:\n{body}"


def _filled(parameters: list[str]) -> list[str]:
    """As many parameters to a line as fit."""
    lines = [""]
    for one in parameters:
        if len(lines[-1]) + len(one) > 118:
            lines.append("")
        lines[-1] += f"{', ' if lines[-1] else ''}{one}"
    return [f"{line}," for line in lines]


def _options(
    signature: inspect.Signature, group: Any, task: Declaration | None, only: Collection[str] | None = None
) -> list[str]:
    """The options as they stand in a definition: of a task, or only some."""
    keys = {keyword: (field, key) for field, key, keyword in keywords_of_keys(group)}
    of_tasks = {name for one in declarations().values() for name in declared_in(one.options)}
    found = []
    for one in signature.parameters.values():
        if one.kind is not one.KEYWORD_ONLY:
            continue
        field, key = keys.get(one.name, (one.name, ""))
        if only is not None and (field not in only or key):
            continue
        if task is None:
            found.append(_parameter(one))
        elif field == "task":
            default = f' = "{task.name}"' if one.default == task.name else ""
            found.append(f'task: Literal["{task.name}"]{default}')
        elif field not in of_tasks or field not in _fields(group) or _takes(task, field, key, group):
            as_task_has_it = not key and declared_in(group).get(field) is declared_in(DataOptions).get(field)
            found.append(_parameter(one.replace(annotation=_type(task, field, one.annotation)) if as_task_has_it else one))
    return found


def _type(task: Declaration, field: str, otherwise: str) -> str:
    """The type of an option as the task has it, which may know fewer words than all tasks together."""
    return next((type_of(one) for one in dataclasses.fields(task.options) if one.name == field), otherwise)


def _fields(group: Any) -> set[str]:
    return {field.name for field in dataclasses.fields(group)}


def _takes(task: Declaration, field: str, key: str, group: Any) -> bool:
    """Whether an option, or one key of it, is for a task."""
    if not task.knows(field):
        return field in declared_in(group) and not any(one.knows(field) for one in declarations().values())
    if field != "columns" or not key:
        return True
    readers = [one for one in declarations().values() if key.removeprefix("gold_") in one.options.reads]
    return task in readers or not readers


def _parameter(one: inspect.Parameter) -> str:
    type = "Any" if one.annotation is one.empty else str(one.annotation)
    if one.default is one.empty:
        return f"{one.name}: {type}"
    plain = one.default is None or isinstance(one.default, str | int | float) or one.default == ()
    return f"{one.name}: {type} = {one.default!r}" if plain else f"{one.name}: {type} = ..."


def _docstring(function: Any) -> str:
    text = (inspect.getdoc(function) or "").replace("\\", "\\\\")
    return textwrap.indent(f'"""{text}\n"""', "    ", lambda line: bool(line.strip()))


def _named(name: str, home: str, imports: dict[str, str]) -> str:
    """A name that a definition needs, and where it comes from."""
    if name[0] in "\"'" or name in _KNOWN or name in ("Callable", "Mapping", "Sequence", "Path") or name in imports:
        return name
    tasks = (one.package for one in declarations().values())
    for module in (home, *_GROUPS, "metameasure.tasks.declaration", *tasks):
        if name in (known := _names_in(module)):
            imports[name] = known[name]
            break
    return name


@cache
def _names_in(module: str) -> dict[str, str]:
    """The names that a module imports or defines, and the modules that they are from."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {one.asname or one.name: node.module for one in node.names if one.asname in (None, one.name)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = module
        elif isinstance(node, ast.Assign):
            found |= {one.id: module for one in node.targets if isinstance(one, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = module
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write it")
    parser.add_argument("--check", action="store_true", help="only say whether it is out of date")
    asked = parser.parse_args()
    text = stub()
    if asked.check:
        stale = not STUB.exists() or STUB.read_text(encoding="utf-8") != text
        print(f"{STUB} is {'out of date: python tools/stub.py --write' if stale else 'as it should be'}")
        return int(stale)
    if asked.write:
        STUB.write_text(text, encoding="utf-8", newline="\n")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
