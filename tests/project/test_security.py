"""What the package does not do: open the network, unpickle, evaluate text as code, start other programs. SECURITY.md says so."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

SOURCES = sorted((ROOT / "src").rglob("*.py"))
# Modules that run what they are given, or talk to other machines and programs.
MODULES = {
    "pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "subprocess", "pty", "multiprocessing", "socket", "ssl",
    "http", "urllib", "ftplib", "smtplib", "socketserver", "xmlrpc", "requests", "httpx", "asyncio", "ctypes", "cffi", "runpy",
    "code", "codeop", "webbrowser", "yaml", "telnetlib",
}  # fmt: skip
CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
ATTRIBUTES = {
    "os": ("system", "popen", "fork", "execv", "execve", "spawnv", "posix_spawn"),
    "importlib.util": ("spec_from_file_location",),
}  # fmt: skip
# Where one of these is needed all the same, and why.
ALLOWED = {
    ("competition/program.py", "subprocess"): "the program in a competition's bundle installs the wheels that lie beside it",
    ("testing/conformance.py", "pickle"): "a measure can be sent to a worker process: what is unpickled was pickled before",
    ("catalogue/registry.py", "importlib.util.spec_from_file_location"): "--plugin",
    ("reading/connecting.py", "socket"): "whether anything answers at the address of the cluster that the user names",
}  # fmt: skip


def uses(tree):
    """The names of MODULES that are imported, of CALLS that are called, and of ATTRIBUTES that are reached for."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (one.name.partition(".")[0] for one in names if one.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module), level=0) if module.partition(".")[0] in MODULES:
                yield module.partition(".")[0]
            case ast.ImportFrom(module=str(module), names=names) if module in ATTRIBUTES:
                yield from (f"{module}.{one.name}" for one in names if one.name in ATTRIBUTES[module])
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield name
            case ast.Attribute(value=value, attr=name):
                whole = ast.unparse(value)
                if name in ATTRIBUTES.get(whole, ()):
                    yield f"{whole}.{name}"
            case ast.keyword(arg="shell" | "allow_pickle", value=ast.Constant(value=True)):
                yield f"{node.arg}=True"


def test_no_pickle_no_eval_no_shell_no_network():
    package = ROOT / "src/metameasure"
    found = {
        (str(path.relative_to(package)), use) for path in SOURCES for use in uses(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    "text",
    ["import pickle", "from urllib import request", "eval('1')", "os.system('ls')", "f(shell=True)", "f(x, allow_pickle=True)"],
)  # fmt: skip
def test_the_search_finds_what_it_looks_for(text):
    assert list(uses(ast.parse(text)))


def test_loaded_arrays_are_never_pickles():
    """np.load and read_array say so wherever they are called."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("load", "read_array"):
                if node.func.attr == "load" and ast.unparse(node.func.value) not in ("np", "numpy"):
                    continue
                said = {one.arg: one.value for one in node.keywords}
                assert isinstance(said.get("allow_pickle"), ast.Constant), (path, node.lineno)
                assert said["allow_pickle"].value is False


def test_entry_points_and_plugins_are_the_only_code_that_is_loaded():
    """Modules are imported by names that stand in the package; what comes from outside comes by these two ways."""
    ways = {}
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for way in ("entry_points(group=", "spec_from_file_location("):
            if way in text:
                ways.setdefault(way, []).append(path.name)
    assert ways == {"entry_points(group=": ["offers.py"], "spec_from_file_location(": ["registry.py"]}
    told = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "--plugin" in told
    for group in ("metameasure.measures", "metameasure.formats"):
        assert group in told


def test_help_says_that_a_plugin_is_run(run):
    status, out, _ = run("evaluate", "--help-all")
    assert status == 0
    assert "which is run" in " ".join(out.split())


# The main commands, one after the other, in one process.
COMMANDS = """
import sys
from metameasure.cli import main
classes = ("--classes", "a,b")
for call in (
    ("evaluate", "both.tsv", *classes, "--scores", "s.csv", "--chart", "c.svg"),
    ("evaluate", "http://127.0.0.1:9/x.tsv", *classes),
    ("compare", "both.tsv", *classes, "--measures", "accuracy", "--trials", "20"),
    ("meta", "discrimination", "s.csv", "--measures", "accuracy", "--trials", "20"),
    ("report", "both.tsv", *classes, "--trials", "20", "-o", "p.html"),
    ("convert", "both.tsv", "o.parquet"),
    ("count", "both.tsv", *classes, "-o", "e.npz"),
    ("axioms", "accuracy", "--properties", "symmetric", "--trials", "10"),
    ("simulate", "task", "--topics", "2", "--runs", "10"),
    ("advise", "both.tsv", *classes),
    ("measures",),
    ("check", "both.tsv", *classes),
):
    print(main(list(call)), *call[:2], file=sys.stderr)
"""


@pytest.fixture
def folder(tmp_path):
    rows = "".join(f"{n}\tt{n % 6}\t{'ab'[n % 2]}\t{'ab'[n * 7 % 3 % 2]}\ta\n" for n in range(60))
    (tmp_path / "both.tsv").write_text("item\ttopic\tgold\tfirst\tsecond\n" + rows)
    return tmp_path


def in_python(folder, *before):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [*before, sys.executable, "-c", COMMANDS], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    statuses = [line.split(" ", 1) for line in done.stderr.splitlines() if line[:2] in ("0 ", "1 ", "2 ")]
    return {call: int(status) for status, call in statuses}, done.stderr


def expected(statuses):
    return {call for call, status in statuses.items() if status} == {"evaluate http://127.0.0.1:9/x.tsv"}


@pytest.mark.slow
@pytest.mark.needs("unshare")
def test_everything_works_without_a_network(folder):
    """In a network namespace of its own, where there is none; a path that is an address is no file."""
    statuses, said = in_python(folder, "unshare", "-rn")
    assert expected(statuses), said
    assert len(statuses) == COMMANDS.count("\n    (")
    assert "there is no file 'http://127.0.0.1:9/x.tsv'" in said


@pytest.mark.slow
@pytest.mark.needs("strace")
def test_no_connection_is_even_tried(folder):
    """By strace: no socket of the internet's is opened by any library."""
    trace = folder / "trace"
    statuses, said = in_python(folder, "strace", "-f", "-e", "trace=network", "-o", str(trace))
    assert expected(statuses), said
    assert [line for line in trace.read_text().splitlines() if "AF_INET" in line] == []


class TestDependencies:
    def test_their_licences_allow_to_use_them(self):
        """All that is installed with the package: none is copyleft."""
        sys.path.insert(0, str(ROOT / "tools"))
        try:
            import dependencies
        finally:
            sys.path.pop(0)
        licences = dependencies.licences()
        assert {"numpy", "duckdb", "click", "numba"} <= set(licences)
        assert dependencies.refused(licences) == {}
        assert dependencies.refused({"krippendorff": "GNU General Public License v3 (GPLv3)"}) != {}

    def test_every_requirement_has_a_lowest_version(self):
        sys.path.insert(0, str(ROOT / "tools"))
        try:
            import oldest
        finally:
            sys.path.pop(0)
        assert "numpy==2.1.0" in oldest.lowest(["dev"])


def test_the_nightly_command_has_every_part():
    told = Path(ROOT / ".ci/nightly").read_text(encoding="utf-8")
    for part in ("pytest -m slow", "benchmarks/guard.py", "tools/bad_days.py", "tools/oldest.py", "tools/dependencies.py"):
        assert part in told
    assert ".ci/nightly" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
