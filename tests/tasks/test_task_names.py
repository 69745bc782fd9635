"""What depends on the task is asked of the task: nobody outside compares its name, and one more task needs no edit there."""

import ast

from conftest import ROOT
from metameasure.tasks.declaration import declarations

PACKAGE = ROOT / "src/metameasure"
THEIR_OWN = ("tasks", "evidence", "studies")
"""Rooms where tasks answer for themselves, and where a paper's study is of one."""
ALLOWED = {
    "reading/inputs.py": (2, "ranking alone reads grades, and runs that one file names in a column"),
    "reading/options.py": (1, "only of outcomes' tables is known beforehand that no more columns are needed"),
    "reading/key_faults.py": (1, "the role of a column, which is called as the task is"),
    "reading/formats/__init__.py": (1, "formats of harnesses, which write outcomes and nothing else"),
    "reading/formats/evall.py": (1, "a file of one format that is read otherwise for distributions"),
    "reading/formats/semeval.py": (2, "a file of one format that is read otherwise for distributions"),
    "reading/formats/ntcir_dq.py": (1, "a file of one format that is read otherwise for distributions"),
    "reading/formats/mtme.py": (1, "a file without a header is of this format only where rankings are asked for"),
    "catalogue/registry.py": (1, "folders in the order in which they came, with a place for new ones"),
    "judging/correcting.py": (1, "the method is of labels, a judge's and people's"),
    "comparing/compare.py": (1, "a folder of metrics, whose scores are rankings"),
    "meta/abilities.py": (1, "names of abilities that only measures of entailment have"),
    "properties/search.py": (2, "which formal properties the papers ask of measures of which task"),
    "testing/cases.py": (1, "cases of a measure whose data have no gold"),
    "trials/call.py": (1, "outcomes have no gold, and so no trial"),
    "trials/order.py": (1, "a simulation of its own, of beliefs"),
}
"""In how many lines of a file a name may be compared, and why."""


def words(node, known):
    """The texts that an expression is or holds, by itself or under the name of a constant."""
    if isinstance(node, ast.Name):
        node = known.get(node.id)
    holding = ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)} if isinstance(node, holding) else set()


def constants(tree):
    """What stands at the head of a module, by name."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                parts = zip(target.elts, node.value.elts, strict=False) if several else [(target, node.value)]
                found |= {one.id: value for one, value in parts if isinstance(one, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node.value
    return {name: value for name, value in found.items() if not isinstance(value, ast.Dict)}


def names_compared(text, names):
    """The lines in which something is compared with one of these names, or sought among them."""
    tree = ast.parse(text)
    known = constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            sides = [node.value]
        elif isinstance(node, ast.Subscript | ast.Call):  # {"ranking": 1}[task], {"ranking": 1}.get(task)
            held = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
            held = node.value if isinstance(node, ast.Subscript) else held
            sides = [held] if isinstance(held, ast.Dict) else []
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.Sub):
            sides = [one for one in (node.left, node.right) if isinstance(one, ast.Set)]
        else:
            continue
        if names & set().union(*(words(one, known) for one in sides)):
            yield node.lineno if hasattr(node, "lineno") else node.value.lineno


def found_in(folder):
    names = {*declarations()}
    for path in sorted(folder.rglob("*.py")):
        file = path.relative_to(folder).as_posix()
        room, _, name = file.rpartition("/")
        if room.partition("/")[0] in THEIR_OWN or (room == "simulation" and name.removesuffix(".py") in names):
            continue
        for line in names_compared(path.read_text(encoding="utf-8"), names):
            yield file, line


def test_nobody_outside_compares_the_name_of_a_task():
    lines = {}
    for file, line in found_in(PACKAGE):
        lines.setdefault(file, set()).add(line)
    allowed = {file: number for file, (number, _) in ALLOWED.items()}
    assert {file: sorted(found) for file, found in lines.items() if len(found) != allowed.get(file, 0)} == {}
    assert {*allowed} <= {*lines}, "allowed, and no longer needed"


def test_what_a_comparison_is():
    text = """
TASKS, other = ("ranking", "entailment"), 1
HOW: str = "outcomes"
if task == "ranking": pass
if task not in ("a", "ranking"): pass
if task in TASKS: pass
if task != HOW: pass
if (name, task) == ("task", "ranking"): pass
if {*tasks} & {"ranking"}: pass
{"ranking": 1}[task]
{"ranking": 1}.get(task, 2)
match task:
    case "ranking": pass
read(task="ranking")
if task == other: pass
"""
    names = {"ranking", "entailment", "outcomes"}
    assert sorted(names_compared(text, names)) == [4, 5, 6, 7, 8, 9, 10, 11, 13]
