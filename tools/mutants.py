"""Mutation testing: small faults put into the formulas and the statistics, one at a time. Does a test see each of them?

python tools/mutants.py                    400 mutants, drawn with seed 0; the report goes to .mutants/report.json
python tools/mutants.py --again            those of the last report that survived and are not known to change nothing, once more
python tools/mutants.py --resume           those that the last report lacks, after an interrupt or with a larger --number
python tools/mutants.py --record           first run the tests anew, to see which lines each of them passes

cosmic-ray makes the mutants. It would run one command for each of them, on files changed in place, and this takes a minute each;
so the running is done here. For each mutant a process forks, in which every library is loaded already, takes over the one
changed line, and runs the tests that pass that line, the quickest first, until one fails. A function gets its new code in a
process that has collected the tests; what is done on import is imported anew. Nothing on disk changes.

What is drawn on a line depends on its text alone, so that an edit elsewhere leaves the mutants, what is known of them and the
list of those that change nothing (tools/equivalent_mutants.json) as they were.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import gc
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import json
import os
import resource
import signal
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

import coverage
import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).parents[1]
MUTATED = ("src/metameasure/catalogue", "src/metameasure/statistics")
FOLDER = ROOT / ".mutants"
COVER, REPORT = FOLDER / "cover.json", FOLDER / "report.json"
EQUIVALENT = ROOT / "tools" / "equivalent_mutants.json"
# Tests of arrays, and of files that are quick. Those that start programs or draw pages take longer and see few faults that these
# do not. No file here reads a table while it is collected: the threads that polars starts for that do not live in a fork.
TESTS = [
    str(next((ROOT / "tests").rglob(f"test_{name}.py")).relative_to(ROOT))
    for name in (
        *("agreement", "calibrated_ties", "credible", "entailment_reference", "item_intervals", "item_tests", "judge"),
        *("measure", "metamorphic", "oracles", "paper_values", "peers", "power", "quantification"),
        *("quantification_reference", "ranking_statistics", "rankings", "registry", "scoring", "soft_labels"),
        *("statistics", "statistics_edges", "stepwise", "without_numba", "conformance"),
        *("bounds", "claims", "corrected_information", "measures_people_look_for", "metrics", "multilabel"),
        *("probability_measures", "repeats", "sign_test", "weighted_information"),
        *("across", "aggregating", "balance", "battles", "compare", "corrected", "eval_sets", "gold_chart", "meta_rankings"),
        *("meta_significance", "names_and_order", "outcomes", "progress", "published_significance", "rankeval", "resume"),
        *("design", "documents", "field", "plugins", "undefined"),
    )
]
# Tests of what measures declare pass none of its lines: it is read on import.
OF_DECLARATIONS = tuple(
    f"tests/catalogue/test_{name}.py" for name in ("documents", "measure", "measures_people_look_for", "registry")
)
LEFT_OUT = (  # slow to start
    "not torch and not jax and not jit and not array-api-strict and not spark and not processes and not broken_numba"
)
LIBRARIES = (
    *("array_api_strict", "duckdb", "hypothesis", "jinja2", "krippendorff", "matplotlib.pyplot", "narwhals.stable.v2", "numba"),
    *("numpy", "pandas", "polars", "pyarrow", "scipy.stats", "sklearn.metrics", "click", "statsmodels.api", "pytrec_eval"),
)
OPTIONS = (
    *("-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider", "--no-header", "--tb=short", "-k", LEFT_OUT),
    *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),  # libraries are loaded before pytest starts
)
MOST_SECONDS = 60.0  # of tests for one mutant, as they were timed
# Compiled code leaves no trace of its lines; what calls it does.
SEEN_THROUGH = {"src/metameasure/statistics/compiled.py": "src/metameasure/statistics/kernels.py"}
NOT_ALIVE = "not alive"
ARITHMETIC = {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"}


@dataclass(frozen=True)
class Mutant:
    """One fault: the operator of cosmic-ray that makes it, at which of its places in the file, and the line before and after."""

    file: str
    operator: str
    occurrence: int
    line: int
    before: str
    after: str

    @property
    def path(self) -> Path:
        """Of the file."""
        return ROOT / self.file

    def key(self) -> tuple[str, str, str]:
        """What it is, wherever its line has moved."""
        return self.file, self.before, self.after

    def __str__(self) -> str:
        return f"{self.file}:{self.line}\n  - {self.before}\n  + {self.after}"


def draw(number: int, seed: int) -> list[Mutant]:
    """So many mutants, at places drawn at random; at each place one of the faults that are possible there.

    A place comes as early as a hash of the seed and of what the place is says, and the same hash chooses the fault. What is drawn
    on one line therefore depends on no other line: an edit changes the draw of the lines edited, and adds or pushes out a few at
    its end.
    """
    from cosmic_ray.commands.init import _all_work_items  # noqa: PLC0415 - it has no other way to list them

    places = collections.defaultdict(list)
    paths = sorted(path for folder in MUTATED for path in (ROOT / folder).rglob("*.py"))
    for item in _all_work_items(paths, {}):
        spec = item.mutations[0]
        if may_tell(spec.operator_name):
            places[str(spec.module_path), spec.start_pos, spec.end_pos].append((spec.operator_name, spec.occurrence))
    lines = {str(path): numbered_lines(path.read_text(encoding="utf-8")) for path in paths}
    order = sorted(
        (drawn_by(seed, path, lines[path], start, end), path, sorted(places[path, start, end])) for path, start, end in places
    )
    made = (mutant(path, *faults[chance % len(faults)]) for chance, path, faults in order)
    return list(itertools.islice((found for found in made if found is not None), number))


def drawn_by(seed: int, path: str, lines: list[tuple[str, int]], start: tuple[int, int], end: tuple[int, int]) -> int:
    """The number that says when a place is drawn, and which of its faults. It is made of the seed, the file, the text of the
    line, the columns in it, and which of the file's lines with this text it is; not of the line's number or its indentation."""
    text, repetition = lines[start[0] - 1]
    indentation = len(text) - len(text.lstrip())
    columns = (start[1] - indentation, end[1] - indentation)
    place = (seed, Path(path).relative_to(ROOT).as_posix(), text.strip(), columns, repetition)
    return int.from_bytes(hashlib.sha256(repr(place).encode()).digest(), "big")


def numbered_lines(source: str) -> list[tuple[str, int]]:
    """Each line, and how many before it have the same text."""
    seen: collections.Counter[str] = collections.Counter()
    lines = []
    for line in source.splitlines():
        lines.append((line, seen[line.strip()]))
        seen[line.strip()] += 1
    return lines


def may_tell(operator: str) -> bool:
    """Whether a fault may tell anything. Operations on the bits of floating numbers fail at once, which would flatter the figure;
    and small whole numbers are identical if they are equal."""
    kind, *rest = operator.removeprefix("core/").split("_")
    before, after = (rest[0], rest[-1]) if rest else ("", "")
    if kind == "ReplaceBinaryOperator":
        return (before in ARITHMETIC) == (after in ARITHMETIC)
    return not (kind == "ReplaceComparisonOperator" and after in ("Is", "IsNot") and before not in ("Is", "IsNot"))


def mutant(path: str, operator: str, occurrence: int) -> Mutant | None:
    """The mutant; None where no more than an annotation differs, or it is no program."""
    source = Path(path).read_text(encoding="utf-8")
    changed = mutated(source, operator, occurrence)
    try:
        if changed is None or without_annotations(changed) == without_annotations(source):
            return None
    except SyntaxError:
        return None
    pairs = enumerate(itertools.zip_longest(source.splitlines(), changed.splitlines(), fillvalue=""), start=1)
    line, (before, after) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
    return Mutant(str(Path(path).relative_to(ROOT)), operator, occurrence, line, before.strip(), after.strip())


def mutated(source: str, operator: str, occurrence: int) -> str | None:
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415 - not needed to record the tests
    from cosmic_ray.plugins import get_operator  # noqa: PLC0415

    return mutate_code(source, get_operator(operator)(), occurrence)


def without_annotations(source: str) -> str:
    """The program without its annotations, which are never evaluated."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


class Recorder:
    """What pytest is told while the tests are recorded: whose lines these are, and how long each test takes."""

    def __init__(self, lines: coverage.Coverage) -> None:
        self.lines = lines
        self.seconds: dict[str, float] = collections.defaultdict(float)
        self.left_out: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.lines.switch_context(item.nodeid)
        yield
        self.lines.switch_context("")

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += report.duration
        if report.outcome != "passed":
            self.left_out.add(report.nodeid)


def record() -> None:
    """Run the tests once and keep which lines each passes. Lines passed on import or collection have a test without a name."""
    lines = coverage.Coverage(data_file=None, include=[f"{ROOT / folder}/*" for folder in MUTATED], config_file=False)
    recorder = Recorder(lines)
    lines.start()
    status = pytest.main([*OPTIONS, *existing()], plugins=[recorder])
    lines.stop()
    data = lines.get_data()
    number = {test: place for place, test in enumerate(["", *recorder.seconds])}
    passed = {
        str(Path(file).relative_to(ROOT)): {
            line: [number[test] for test in tests if test in number and test not in recorder.left_out]
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    FOLDER.mkdir(exist_ok=True)
    COVER.write_text(json.dumps({"tests": list(number), "seconds": [0, *recorder.seconds.values()], "lines": passed}))
    os._exit(int(status))


def existing() -> list[str]:
    return [test for test in TESTS if (ROOT / test).exists()]


class Cover:
    """Which tests pass which lines, and how long they take."""

    def __init__(self) -> None:
        kept = json.loads(COVER.read_text())
        self.names: list[str] = kept["tests"]
        self.lines: dict[str, dict[str, list[int]]] = kept["lines"]
        self.seconds: dict[str, float] = dict(zip(self.names, kept["seconds"], strict=True))

    def on_import(self, found: Mutant) -> bool:
        """Whether the line is passed before any test runs."""
        return 0 in self.lines.get(found.file, {}).get(str(found.line), [0])

    def tests(self, found: Mutant) -> list[str]:
        """The tests to try, one of each function first, the quickest first, then the second of each, and so on: those that pass
        the line; where it is passed on import or by none, also those that pass the file, and those of what measures declare."""
        here = set(self.lines.get(found.file, {}).get(str(found.line), ())) - {0}
        others = self._of_file(found) - here if not here or self.on_import(found) else set()
        chosen, left = [], MOST_SECONDS
        for test in (*self._in_turns(here), *self._in_turns(others)):
            if self.seconds[test] <= left:
                chosen.append(test)
                left -= self.seconds[test]
        return chosen

    def _in_turns(self, places: set[int]) -> list[str]:
        by_function: dict[str, list[str]] = collections.defaultdict(list)
        for test in sorted((self.names[place] for place in places), key=lambda test: (self.seconds[test], test)):
            by_function[test.partition("[")[0]].append(test)
        turns = itertools.zip_longest(*by_function.values())
        return [test for turn in turns for test in sorted(filter(None, turn), key=lambda test: self.seconds[test])]

    def _of_file(self, found: Mutant) -> set[int]:
        lines = self.lines.get(SEEN_THROUGH.get(found.file, found.file), {})
        passing = {place for tests in lines.values() for place in tests} - {0}
        return passing | {place for place, test in enumerate(self.names) if test.startswith(OF_DECLARATIONS)}


def codes(source: str, path: Path) -> dict[tuple[str, ...], types.CodeType]:
    """Every code object of a file, by where it stands."""

    def walk(code: types.CodeType, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], types.CodeType]]:
        yield place, code
        inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        for number, one in enumerate(inner):
            yield from walk(one, (*place, f"{number} {one.co_name}"))

    return dict(walk(compile(source, str(path), "exec", dont_inherit=True), ()))


def changed_functions(found: Mutant, source: str) -> dict[types.CodeType, types.CodeType] | None:
    """The functions that have new code; None where the code of the module or of a class has changed, which runs on import."""
    before, after = codes(found.path.read_text(encoding="utf-8"), found.path), codes(source, found.path)
    if before.keys() != after.keys():
        return None
    different = [place for place in before if before[place] != after[place]]
    own = [place for place in different if bare(before[place]) != bare(after[place])]
    if any(before[place].co_flags & 0x2 == 0 for place in own):  # no CO_NEWLOCALS: a module or a class
        return None
    return {before[place]: after[place] for place in different if before[place].co_flags & 0x2}


def bare(code: types.CodeType) -> tuple[object, ...]:
    """What a code object does by itself, without the functions in it."""
    constants = tuple((type(one), one) for one in code.co_consts if not isinstance(one, types.CodeType))
    return code.co_code, constants, code.co_names, code.co_varnames


def take_over(changed: dict[types.CodeType, types.CodeType]) -> bool:
    """Give every function that is alive its new code; whether there was any."""
    taken = False
    for one in gc.get_objects():
        if type(one) is types.FunctionType and one.__code__ in changed:
            one.__code__ = changed[one.__code__]
            taken = True
    return taken


class MutatedLoader(importlib.machinery.SourceFileLoader):
    """Loads one module with its fault."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname):
        return compile(self.source, self.path, "exec", dont_inherit=True)


class MutatedFinder(importlib.abc.MetaPathFinder):
    """Finds one module with its fault."""

    def __init__(self, path: Path, source: str) -> None:
        self.name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        self.path, self.source = path, source

    def find_spec(self, fullname, path, target=None):
        if fullname != self.name:
            return None
        folder = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        loader = MutatedLoader(fullname, str(self.path), self.source)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader, submodule_search_locations=folder)


class Collected:
    """What pytest is told in the process that has collected all tests: instead of running them, answer for each mutant."""

    def __init__(
        self, jobs: list[tuple[Mutant, str, dict, list[str]]], cover: Cover, told: Callable[[Mutant, str], None]
    ) -> None:
        self.jobs, self.cover, self.told = jobs, cover, told

    def pytest_runtestloop(self, session):
        items = {item.nodeid: item for item in session.items}
        for found, _, changed, tests in self.jobs:
            known = [items[test] for test in tests if test in items]
            self.told(
                found,
                in_child(lambda known=known, changed=changed: first_failing(known, changed), seconds_for(tests, self.cover)),
            )
        return True


def first_failing(items: list, changed: dict[types.CodeType, types.CodeType]) -> str:
    if not take_over(changed):
        return NOT_ALIVE
    for item in items:
        reports = runtestprotocol(item, log=False, nextitem=None)
        if any(report.failed for report in reports):
            return item.nodeid
    return ""


class Chosen:
    """What pytest is told in a process that imports a mutant: which tests to run, in which order; and which failed."""

    def __init__(self, tests: list[str], finder: MutatedFinder) -> None:
        self.place = {test: place for place, test in enumerate(tests)}
        self.finder = finder
        self.failed = ""

    def pytest_sessionstart(self):
        sys.meta_path.insert(0, self.finder)  # before pytest's own, which takes alt_test.py for a test by its name

    def pytest_collection_modifyitems(self, items):
        items[:] = sorted((item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid])

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed = report.nodeid


def imported(found: Mutant, source: str, tests: list[str]) -> str:
    """Import the mutant and run the tests: what shows it."""
    with tempfile.TemporaryDirectory() as folder:
        if found.file in SEEN_THROUGH:  # what numba keeps on disk is the code without the fault
            import numba  # noqa: PLC0415

            numba.config.CACHE_DIR = folder
        chosen = Chosen(tests, MutatedFinder(found.path, source))
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        status = int(pytest.main([*OPTIONS, "-x", *files], plugins=[chosen]))
    return chosen.failed or ("" if status in (0, 5) else f"pytest ends with {status}")


def stages(tests: list[str]) -> list[list[str]]:
    """First the two files with the most tests among the quickest, because collecting a file takes time too; then the others."""
    files = collections.Counter(test.partition("::")[0] for test in tests[:60])
    likely = {file for file, _ in files.most_common(2)}
    parts = [[test for test in tests if (test.partition("::")[0] in likely) is first] for first in (True, False)]
    return [part for part in parts if part]


def seconds_for(tests: list[str], cover: Cover) -> int:
    return int(5 * sum(cover.seconds[test] for test in tests)) + 60


def in_child(work: Callable[[], str], cpu: int) -> str:
    """What the work says in a process of its own; a process that dies or takes too long has been seen."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        _work_and_die(work, cpu, write)
    os.close(write)
    with os.fdopen(read) as said:
        words = said.read()
    _, status = os.waitpid(process, 0)
    return f"signal {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else words


def _work_and_die(work: Callable[[], str], cpu: int, write: int) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    said = "died"
    with contextlib.suppress(BaseException):
        said = work()
    os.write(write, said.encode())
    os._exit(0)


class Report:
    """What came of each mutant, kept as it comes."""

    def __init__(self, asked: list[Mutant], seen: dict[tuple[str, str, str], str]) -> None:
        self.asked, self.seen, self.started = asked, dict(seen), time.monotonic()

    def tell(self, found: Mutant, killer: str) -> None:
        self.seen[found.key()] = killer
        if not killer:
            print(f"survived: {found}", flush=True)
        if len(self.seen) % 20 == 0:
            print(f"{len(self.seen)} of {len(self.asked)}, {time.monotonic() - self.started:.0f} s", flush=True)
        self.keep()

    def keep(self) -> None:
        told = [{"mutant": asdict(one), "killer": self.seen[one.key()]} for one in self.asked if one.key() in self.seen]
        REPORT.write_text(json.dumps(told, indent=1))

    def summary(self) -> tuple[str, float]:
        same = known_to_change_nothing()
        alive = [one for one in self.asked if not self.seen[one.key()]]
        equivalent = sum(one.key() in same for one in alive)
        killed, survived = len(self.asked) - len(alive), len(alive) - equivalent
        share = killed / max(1, killed + survived)  # of those that change anything
        words = f"{len(self.asked)} mutants: {killed} killed, {equivalent} equivalent, {survived} survived"
        return f"{words}; of those that change anything, {share:.1%} are killed", share


def known_to_change_nothing() -> set[tuple[str, str, str]]:
    listed = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {(one["file"], one["before"], one["after"]) for one in listed}


def try_all(found: list[Mutant], cover: Cover, told: Callable[[Mutant, str], None]) -> None:
    quick, slow = [], []
    for one in found:
        source = str(mutated(one.path.read_text(encoding="utf-8"), one.operator, one.occurrence))
        tests = cover.tests(one)
        changed = None if cover.on_import(one) or one.file in SEEN_THROUGH else changed_functions(one, source)
        (slow if not changed else quick).append((one, source, changed, tests))
    if quick and (process := os.fork()):
        os.waitpid(process, 0)
    elif quick:
        pytest.main([*OPTIONS, *existing()], plugins=[Collected(quick, cover, _append)])
        os._exit(0)
    answered = dict(_appended())
    for job in quick:
        if answered.get(job[0], NOT_ALIVE) == NOT_ALIVE:  # no function had that code: it is imported instead
            slow.append(job)
        else:
            told(job[0], answered[job[0]])
    for one, source, _, tests in slow:
        said = ""
        for part in stages(tests):
            said = said or in_child(
                lambda part=part, one=one, source=source: imported(one, source, part), seconds_for(part, cover)
            )
        told(one, said)


def told_before() -> list[tuple[Mutant, str]]:
    """What the last report says of each mutant, and what had come since when it was interrupted."""
    kept = json.loads(REPORT.read_text()) if REPORT.exists() else []
    since = [(found, killer) for found, killer in _appended() if killer != NOT_ALIVE]
    return [*((Mutant(**one["mutant"]), one["killer"]) for one in kept), *since]


def _append(found: Mutant, killer: str) -> None:
    with (FOLDER / "quick.jsonl").open("a") as file:
        file.write(json.dumps([asdict(found), killer]) + "\n")


def _appended() -> list[tuple[Mutant, str]]:
    file = FOLDER / "quick.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return [(Mutant(**found), killer) for found, killer in map(json.loads, lines)]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--number", type=int, default=400, help="of mutants (400)")
    asked.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    asked.add_argument("--again", action="store_true", help="those that survived and may change something, once more")
    asked.add_argument("--resume", action="store_true", help="those that the last report lacks")
    asked.add_argument("--record", action="store_true", help="record the tests anew")
    asked.add_argument("--least", type=float, default=0.9, help="share that must be killed (0.9)")
    given = asked.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    for library in LIBRARIES:
        if importlib.util.find_spec(library.partition(".")[0]):
            importlib.import_module(library)
    if given.record or not COVER.exists():
        in_own_process(record)
    found, seen = draw(given.number, given.seed), {}
    if given.again or given.resume:
        same = known_to_change_nothing()
        seen = {one.key(): killer for one, killer in told_before() if killer or given.resume or one.key() in same}
    report = Report(found, seen)
    try_all([one for one in found if one.key() not in seen], Cover(), report.tell)
    words, share = report.summary()
    print(words)
    return 0 if share >= given.least else 1


def in_own_process(work: Callable[[], None]) -> None:
    process = os.fork()
    if process == 0:
        work()
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit("the tests cannot be recorded: they fail as they are")


if __name__ == "__main__":
    sys.exit(main())
