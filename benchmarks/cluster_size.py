"""A cluster at the size it is for: stacked labels in parts, runs apart from gold, and outcomes, on Sail and on Spark with two
executors.

The server is a process of its own, and so is each ``metameasure evaluate``, start of Python included. Driver memory is the most
that process held. Processor seconds are those of the client and of the server with its executors. Scores must be DuckDB's, to
the byte. ``--engines spark`` needs Java and a whole Spark in SPARK_HOME; that of the package pyspark will do.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
from harness import machine, print_table, process

SAIL = """
from pysail.spark import SparkConnectServer
server = SparkConnectServer("127.0.0.1", {port})
server.start(background=False)
"""
RIGHT = "(hash(i) % 5)::TINYINT"
LABEL = "(CASE WHEN hash(i, {run}, 7) % 10 < 6 THEN hash(i) % 5 ELSE hash(i, {run}) % 5 END)::TINYINT"
MOST_MEMORY, MOST_GROWTH = 500, 12.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Measured:
    """Wall-clock and processor seconds, MB of the driver, and the scores as they were written."""

    seconds: float
    processor: float
    megabytes: float
    scores: bytes


def write(path: Path, query: str) -> None:
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".tmp")
    duckdb.sql(f"COPY ({query}) TO '{scratch}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 500000)")
    scratch.rename(path)


def stacked(folder: Path, millions: int) -> list[str]:
    """Ten runs below each other, in ten parts."""
    items, rows = millions * 100_000, folder / f"stacked{millions}"
    for part in range(10):
        first, last = part * items // 10, (part + 1) * items // 10
        columns = f"'run' || r AS run, i AS item, {RIGHT} AS gold, {LABEL.format(run='r')} AS label"
        write(rows / f"part-{part}.parquet", f"SELECT {columns} FROM range({first}, {last}) t(i), range(10) s(r)")  # noqa: S608
    return [str(rows)]


def apart(folder: Path, millions: int) -> list[str]:
    """Gold, and twenty runs in files of their own."""
    rows, items = folder / f"apart{millions}", f"range({millions * 1_000_000}) t(i)"
    write(rows / "gold.parquet", f"SELECT i AS item, {RIGHT} AS label FROM {items}")  # noqa: S608
    for run in range(20):
        write(rows / f"runs/run{run:02d}.parquet", f"SELECT i AS item, {LABEL.format(run=run)} AS label FROM {items}")  # noqa: S608
    return [str(rows / "gold.parquet"), str(rows / "runs/*.parquet")]


def outcomes(folder: Path, millions: int) -> list[str]:
    """What twenty runs scored on items, 0 or 1, in a part for each run."""
    rows, items = folder / f"outcomes{millions}", f"range({millions * 1_000_000}) t(i)"
    for run in range(20):
        score = f"(hash(i, {run}, 7) % 10 < 6)::TINYINT"
        write(rows / f"run{run:02d}.parquet", f"SELECT 'run{run:02d}' AS run, i AS item, {score} AS score FROM {items}")  # noqa: S608
    return [str(rows)]


LABELS = ("--classes", "0..4", "--measures", "accuracy,cem_ord,kappa_linear")
SHAPES = {
    "stacked": (stacked, 1_000_000, LABELS),
    "apart": (apart, 20_000_000, LABELS),
    "outcomes": (outcomes, 20_000_000, ("--task", "outcomes", "--ci")),
}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def server(engine: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The address of a Connect server, and the number of its process; none for DuckDB."""
    if engine == "duckdb":
        yield "", 0
        return
    port = free_port()
    environment = os.environ | {"NO_PROXY": "127.0.0.1,localhost", "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-c", SAIL.format(port=port)]
    if engine == "spark":
        home = Path(os.environ["SPARK_HOME"])
        settings = {
            "spark.connect.grpc.binding.port": port, "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": 8,
            "spark.driver.memory": "1g", "spark.driver.host": "127.0.0.1", "spark.executor.memory": "2g",
        }  # fmt: skip
        command = [str(home / "sbin/start-connect-server.sh"), "--master", "local-cluster[2,1,2048]"]
        command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
        environment |= {"SPARK_NO_DAEMONIZE": "1", "SPARK_LOG_DIR": str(folder), "SPARK_WORKER_DIR": str(folder)}
        environment |= {"SPARK_LOCAL_DIRS": str(folder), "SPARK_SCALA_VERSION": "2.13"}
    with (folder / "server.log").open("wb") as log:
        started = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        for _ in range(600):
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if started.poll() is not None:
                raise SystemExit((folder / "server.log").read_text()[-2000:])
            time.sleep(0.5)
        yield f"sc://127.0.0.1:{port}", started.pid
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def worked(session: int) -> float:
    """The processor seconds of all processes of a session that are still there."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat") if session else ():
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) if int(fields[3]) == session else 0
    return total / TICKS


def measured(files: list[str], how: Sequence[str], address: str, session: int, folder: Path, memory: str) -> Measured:
    target = folder / f"scores-{time.monotonic_ns()}.csv"
    asked = ["evaluate", *files, *how, "--scores", str(target)]
    there = (
        ["--engine", "spark", "--master", address, "--connect-timeout", "120"]
        if address
        else ["--memory", memory][: 2 * bool(memory)]
    )
    before = worked(session)
    command = [sys.executable, "-m", "metameasure", *asked, *there]
    ended = process(command, environment={"NO_PROXY": "127.0.0.1,localhost"})
    return Measured(ended.seconds, ended.processor + worked(session) - before, ended.megabytes, target.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default="sail", help="sail, spark, or both with a comma")
    parser.add_argument("--shapes", default="stacked,apart")
    parser.add_argument("--millions", default="", help="sizes, as in 10,100 of stacked rows or 1,10 of items (default: those)")
    parser.add_argument("--alone", action="store_true", help="without DuckDB: nothing says whether the scores are the same")
    parser.add_argument("--memory", default="", help="how much of it DuckDB may use, as in 2GB (default: what it takes)")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "mm_cluster")
    asked = parser.parse_args()
    print(machine("duckdb"))
    rows: list[tuple[str, ...]] = []
    wrong: list[str] = []
    for shape in asked.shapes.split(","):
        make, unit, how = SHAPES[shape]
        sizes = [int(one) for one in (asked.millions or ("10,100" if shape == "stacked" else "1,10")).split(",")]
        files = {size: make(asked.folder, size) for size in sizes}
        expected: dict[int, bytes] = {}
        for engine in (*(() if asked.alone else ("duckdb",)), *asked.engines.split(",")):
            with tempfile.TemporaryDirectory(prefix="mm_cluster-") as scratch, server(engine, Path(scratch)) as (address, pid):
                found = {size: measured(files[size], how, address, pid, Path(scratch), asked.memory) for size in sizes}
            growth = found[sizes[-1]].processor / found[sizes[0]].processor
            for size, one in found.items():
                same = one.scores == expected.setdefault(size, one.scores)
                wrong += [] if same else [f"{engine}, {shape}: other scores than DuckDB's"]
                wrong += (
                    [f"{engine}, {shape}: {one.megabytes:.0f} MB"] if one.megabytes > MOST_MEMORY and engine != "duckdb" else []
                )
                number = f"{size * unit // 1_000_000:,} M"
                shown = f"{growth:.1f} x" if size == sizes[-1] and len(sizes) > 1 else ""
                rows.append((shape, engine, number, f"{one.seconds:.0f} s", f"{one.processor:.0f} s", f"{one.megabytes:.0f} MB",
                             shown, "same" if same else "OTHER"))  # fmt: skip
                print(*rows[-1], flush=True)
            if sizes[-1] == 10 * sizes[0] and growth > MOST_GROWTH:
                wrong.append(f"{engine}, {shape}: {growth:.1f} times as long")
    print_table("Counted on a cluster", ("shape", "engine", "rows", "time", "processor", "driver", "growth", "scores"), rows)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
