"""What the benchmarks share: timing, checking that values agree, printing. Nothing here judges a time."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import platform
import subprocess
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

TABLES_TO = "METAMEASURE_BENCHMARK_TABLES"
"""The environment variable that names a file to which tables are written too, a line of JSON each, for guard.py."""


def peer(module: str) -> ModuleType:
    """A library to compare with, or an end with one line that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SystemExit(not_installed(module)) from None


def installed(module: str) -> bool:
    """Whether a library is there; not imported."""
    return importlib.util.find_spec(module) is not None


def not_installed(module: str) -> str:
    return f"{module.partition('.')[0]} is not installed: pip install -e '.[benchmarks]'"


@dataclass(frozen=True)
class Process:
    """What a command took, from its start to its end: seconds, those of all processors together, which say more where others use
    the machine too, and the most MB that it held; and what it printed."""

    seconds: float
    processor: float
    megabytes: float
    printed: str


def process(command: Sequence[str], *, status: int = 0, **options: Any) -> Process:
    """A command run in a process of its own, or an end where its exit status is another. Python keeps what it compiles of our
    modules, as it does for every package that is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= options.pop("environment", {})
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, **options)
    # Read one after the other: none of ours prints more to standard error than a pipe holds.
    printed = child.stdout.read() if child.stdout else ""
    complaint = child.stderr.read() if child.stderr else ""
    _, ended, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(ended)
    for stream in (child.stdout, child.stderr):
        if stream:
            stream.close()
    if child.returncode != status:
        raise SystemExit(f"{' '.join(map(str, command))[:400]} ended with {child.returncode}: {complaint[-400:]}")
    return Process(
        seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6, printed + complaint if status else printed
    )


def settle_memory() -> None:
    """Free one large block, after which C libraries keep freed memory instead of handing it back after every call.
    Otherwise whoever is timed first pays for fresh pages."""
    np.empty(3_500_000)


def best_of(repeats: int, function: Callable[[], Any], *, at_least: float = 0.2) -> float:
    """The fewest seconds a call took, of so many calls and of as many more as fit into ``at_least`` seconds."""
    taken: list[float] = []
    # On a busy machine a long call waits longer than a short one, which would change the ratios that guard.py compares.
    clock = time.process_time if TABLES_TO in os.environ else time.perf_counter
    collecting = gc.isenabled()
    gc.disable()
    try:
        while len(taken) < repeats or sum(taken) < at_least:
            start = clock()
            function()
            taken.append(clock() - start)
    finally:
        if collecting:
            gc.enable()
    return min(taken)


def peak_memory(function: Callable[[], Any]) -> float:
    """The most MB that a call had allocated at once, on top of what its inputs hold."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def agree(what: str, ours: Any, theirs: Any, *, within: float) -> None:
    """End the run where values differ: times of different results say nothing."""
    difference = float(np.max(np.abs(np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)), initial=0.0))
    if not difference <= within:
        raise SystemExit(f"{what}: ours and the peer's differ by {difference:.3g}, more than {within:g}")


def machine(*packages: str) -> str:
    """One line: cores, Python, and the versions of the packages timed. An end with one line where one is not installed."""
    try:
        libraries = ", ".join(f"{package} {version(package)}" for package in ("metameasure", "numpy", *packages))
    except PackageNotFoundError as error:
        raise SystemExit(not_installed(str(error.name))) from None
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {libraries}"


def seconds(value: float) -> str:
    return f"{value:.4f}" if value < 10 else f"{value:.1f}"


def compared(ours: float, theirs: float) -> tuple[str, str, str]:
    """Both times, and how many times faster ours is."""
    ratio = theirs / ours
    digits = 0 if ratio >= 10 else 1 if ratio >= 1 else 2
    return seconds(ours), seconds(theirs), f"{ratio:,.{digits}f} x"


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Columns aligned: the first to the left, the others to the right."""
    lines = [tuple(header), *map(tuple, rows)]
    if TABLES_TO in os.environ:
        with Path(os.environ[TABLES_TO]).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"title": title, "header": lines[0], "rows": lines[1:]}) + "\n")
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    print(f"\n{title}")
    lines.insert(1, tuple("-" * width for width in widths))
    for first, *others in lines:
        print("  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]).rstrip())
