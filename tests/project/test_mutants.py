"""The command that puts faults into the formulas: it finds what has changed, and sees how a fault shows."""

import importlib.util
import json
import os
import signal
import sys

import pytest

from conftest import ROOT

pytestmark = pytest.mark.needs("fork")
SPEC = importlib.util.spec_from_file_location("mutants", ROOT / "tools" / "mutants.py")
mutants = importlib.util.module_from_spec(SPEC)
sys.modules["mutants"] = mutants
SPEC.loader.exec_module(mutants)
FILE = "src/metameasure/catalogue/ranking/mrr.py"


def test_equivalent_mutants_are_of_lines_that_there_are():
    listed = json.loads(mutants.EQUIVALENT.read_text(encoding="utf-8"))
    for one in listed:
        lines = [line.strip() for line in (ROOT / one["file"]).read_text(encoding="utf-8").splitlines()]
        assert one["before"] in lines, f"{one['file']} has no line {one['before']!r} any more"
        assert one["before"] != one["after"]
        assert one["why"]
    assert len({(one["file"], one["before"], one["after"]) for one in listed}) == len(listed)


@pytest.fixture
def formulas(monkeypatch, tmp_path):
    """The one file that faults are put into."""
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "MUTATED", ("formulas",))
    path = tmp_path / "formulas" / "sums.py"
    path.parent.mkdir()
    return path


@pytest.mark.needs("cosmic_ray")
def test_the_same_seed_draws_the_same_faults(formulas):
    formulas.write_text(
        "def mean(x: int | None, n: int) -> float:\n    return (x + 1) / (n - 2) if n > 2 and x != 3 else -x * 4\n"
    )
    first, again, other = (mutants.draw(6, seed) for seed in (0, 0, 1))
    assert first == again != other
    assert len({found.key() for found in first}) == 6
    assert {found.line for found in (*first, *other)} == {2}  # annotations are left alone
    assert all(
        mutants.mutated(formulas.read_text(), found.operator, found.occurrence).splitlines()[1].strip() == found.after
        for found in first
    )


@pytest.mark.needs("cosmic_ray")
def test_an_edit_leaves_the_faults_of_other_lines_as_they_were(formulas):
    """So that what is known of them, and the list of those that change nothing, outlives it."""
    lines = [*(f"a{place} = b{place} + {place} * c" for place in range(12)), "twice = b - 2", "if b:", "    twice = b - 2"]

    def drawn(lines):
        formulas.write_text("\n".join(lines) + "\n")
        return [found.key() for found in mutants.draw(10**6, 0)]

    before = drawn(lines)
    new = ["first = b / c", "if c:"]
    more = drawn([*new, *(f"    {line}" for line in lines)])  # above them; and they stand further right
    assert len(more) > len(before) > 30
    assert [key for key in more if key[1] not in new] == before
    fewer = drawn([line for line in lines if not line.startswith("a5")])
    assert fewer == [key for key in before if not key[1].startswith("a5")]


@pytest.mark.parametrize(
    ("operator", "tells"),
    [
        ("core/ReplaceBinaryOperator_Mul_Div", True),
        ("core/ReplaceBinaryOperator_Mul_BitOr", False),
        ("core/ReplaceBinaryOperator_BitOr_BitAnd", True),
        ("core/ReplaceComparisonOperator_Eq_Is", False),
        ("core/ReplaceComparisonOperator_Is_IsNot", True),
        ("core/ReplaceComparisonOperator_Lt_LtE", True),
        ("core/NumberReplacer", True),
    ],
)
def test_which_faults_may_tell(operator, tells):
    assert mutants.may_tell(operator) is tells


def test_annotations_are_no_part_of_a_program():
    assert mutants.without_annotations("def f(x: int | None) -> int:\n    y: str = 1") == mutants.without_annotations(
        "def f(x: int + None) -> str:\n    y: int = 1"
    )
    assert mutants.without_annotations("def f(x: int): 1") != mutants.without_annotations("def f(x: int): 2")


def fault(before, after, path):
    return mutants.Mutant(path.name, "", 0, 1, before, after)


def test_changed_functions(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    path = tmp_path / "program.py"
    source = (
        "LIMIT = 3\n\ndef f(x):\n    def inner(y):\n        return y + 1\n    return inner(x) * 2\n\nclass A:\n    size = 5\n"
    )
    path.write_text(source)
    scope = {}
    exec(compile(source, str(path), "exec", dont_inherit=True), scope)
    f = scope["f"]
    assert f(1) == 4
    changed = mutants.changed_functions(fault("y + 1", "y - 1", path), source.replace("y + 1", "y - 1"))
    assert sorted(code.co_name for code in changed) == ["f", "inner"]
    assert mutants.take_over(changed)
    assert f(1) == 0
    assert not mutants.take_over(changed)  # nobody has the old code any more
    for text, other in (("LIMIT = 3", "LIMIT = 4"), ("size = 5", "size = 6")):  # these run on import
        assert mutants.changed_functions(fault(text, other, path), source.replace(text, other)) is None


@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # JAX, where another test has loaded it
def test_what_happens_in_a_process_of_its_own():
    assert mutants.in_child(lambda: "test_x", 10) == "test_x"
    assert mutants.in_child(lambda: "", 10) == ""
    assert mutants.in_child(lambda: 1 / 0, 10) == "died"
    assert mutants.in_child(lambda: os.kill(os.getpid(), signal.SIGKILL), 10) == "signal SIGKILL"


def test_a_mutant_is_imported_instead_of_its_module():
    path = ROOT / "src/metameasure/version.py"
    finder = mutants.MutatedFinder(path, "__version__ = 'faulty'")
    assert finder.name == "metameasure.version"
    assert finder.find_spec("metameasure.core.scale", None) is None
    spec = finder.find_spec("metameasure.version", None)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__version__ == "faulty"


def test_an_interrupted_run_goes_on_where_it_was(monkeypatch, tmp_path):
    """What is in the report and what came since are known; what no living function had is tried again."""
    monkeypatch.setattr(mutants, "FOLDER", tmp_path)
    monkeypatch.setattr(mutants, "REPORT", tmp_path / "report.json")
    first, second, third = (mutants.Mutant(FILE, "", 0, line, f"{line}", "") for line in (1, 2, 3))
    assert mutants.told_before() == []
    mutants.Report([first, second, third], {}).tell(first, "t.py::a")
    mutants._append(second, "")
    mutants._append(third, mutants.NOT_ALIVE)
    assert mutants.told_before() == [(first, "t.py::a"), (second, "")]


def test_one_of_each_function_first(monkeypatch, tmp_path):
    tests = ["", "t.py::a[1]", "t.py::a[2]", "t.py::b", "t.py::long"]
    lines = {FILE: {"7": [0], "9": [1, 2, 3, 4], "11": [2]}}
    monkeypatch.setattr(mutants, "COVER", tmp_path / "cover.json")
    mutants.COVER.write_text(json.dumps({"tests": tests, "seconds": [0, 0.1, 0.2, 0.15, 1000], "lines": lines}))
    cover = mutants.Cover()

    def at(line):
        return mutants.Mutant(FILE, "", 0, line, "", "")

    assert cover.tests(at(9)) == ["t.py::a[1]", "t.py::b", "t.py::a[2]"]  # the one that takes too long is left out
    assert cover.tests(at(11)) == ["t.py::a[2]"]
    assert cover.on_import(at(7))
    assert cover.on_import(at(8))
    assert not cover.on_import(at(9))
    assert set(cover.tests(at(7))) == set(cover.tests(at(9)))  # passed on import: the tests of the file


def test_what_is_declared_meets_the_tests_of_declarations(monkeypatch, tmp_path):
    """They pass no line of it. Compiled lines are passed by nobody: their tests are those of what calls them."""
    compiled, kernels = next(iter(mutants.SEEN_THROUGH.items()))
    tests = ["", "t.py::a", "t.py::b", f"{mutants.OF_DECLARATIONS[0]}::c"]
    lines = {FILE: {"7": [0], "8": [0, 1], "9": [1], "10": [2]}, compiled: {"4": [2]}, kernels: {"5": [1]}}
    monkeypatch.setattr(mutants, "COVER", tmp_path / "cover.json")
    mutants.COVER.write_text(json.dumps({"tests": tests, "seconds": [0, 0.1, 0.2, 0.3], "lines": lines}))
    cover = mutants.Cover()

    def chosen(file, line):
        return [test.partition("::")[2] for test in cover.tests(mutants.Mutant(file, "", 0, line, "", ""))]

    assert chosen(FILE, 7) == chosen(FILE, 8) == ["a", "b", "c"]
    assert chosen(FILE, 9) == ["a"]
    assert chosen(compiled, 4) == ["b"]
    assert chosen(compiled, 5) == ["a", "c"]
