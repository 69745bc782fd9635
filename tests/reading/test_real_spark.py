"""A real Spark with two executors and a Connect server: the tests of Sail pass on it too, an executor that dies in mid-query
changes nothing, and neither does the number of partitions.

Part of the nightly command. It needs Java (Debian: apt-get install default-jre-headless) and a whole Spark in SPARK_HOME;
that of the package pyspark will do. The server is started and stopped here.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest
from test_one_reader import seen

import metameasure as mm
from optional import spark_home

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("spark", "spark-server", "java"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning"),
]
ROOT = Path(__file__).parents[2]
ITEMS, RUNS = 250_000, 12


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a Connect server with two executors, and the server's process."""
    home = spark_home()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.connect.grpc.binding.port": port, "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": 8,
        "spark.driver.memory": "1g", "spark.driver.host": "127.0.0.1",
    }  # fmt: skip
    command = [str(home / "sbin/start-connect-server.sh"), "--master", "local-cluster[2,1,1024]"]
    command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    more = {"SPARK_HOME": str(home), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOG_DIR": str(folder), "SPARK_WORKER_DIR": str(folder)}
    more |= {"SPARK_LOCAL_DIRS": str(folder), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_SCALA_VERSION": "2.13"}
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command, env=os.environ | more, cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        for _ in range(240):
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, (folder / "server.log").read_text()[-2000:]
            time.sleep(0.5)
        yield f"sc://127.0.0.1:{port}", server
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@pytest.mark.parametrize(
    ("name", "which"),
    [
        ("test_spark_files.py", "partitions_change"),
        ("test_spark_files.py", "not partitions_change"),
        ("test_one_reader.py", "spark"),
        ("test_engine_traps.py", "spark or cluster"),
        ("test_engines_agree.py", "not many_damaged"),
        ("test_cluster_size.py", ""),
        ("test_lakes.py", "cluster or parts_is_read"),
        ("test_parts.py", "luster"),
        ("test_connecting.py", "not_there or damaged or server_says"),
    ],
)
def test_the_tests_of_spark_pass(cluster, name, which):
    """Every shape, fault and file, and 1, 7 and 64 partitions."""
    address, _ = cluster
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-k", which, str(next((ROOT / "tests").rglob(name)))]
    environment = os.environ | {"METAMEASURE_SPARK": address}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Runs and gold in one file, with topics and weights, in 64 parts that the executors share."""
    path = tmp_path_factory.mktemp("rows") / "stacked.parquet"
    query = (
        "SELECT 'run' || r AS run, 'item' || i AS item, 't' || i % 50 AS topic, 1 / (1 + i % 7) AS weight, hash(i) % 5 AS gold, "  # noqa: S608
        f"hash(i, r) % 5 AS label FROM range({ITEMS}) t(i), range({RUNS}) s(r)"
    )
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE {ITEMS * RUNS // 64})")
    return path


def executors(server):
    """The processes of the executors, which the server has started."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command, group = (place / "cmdline").read_bytes(), os.getpgid(int(place.name))
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and group == server.pid:
            found.append(int(place.name))
    return found


def test_an_executor_that_dies_in_mid_query_changes_nothing(cluster, file):
    address, server = cluster
    how = {"classes": "0..4", "measures": "accuracy,cem_ord"}
    expected = seen(mm.evaluate(file, **how))
    assert seen(mm.evaluate(file, engine="spark", master=address, **how)) == expected
    before = executors(server)
    assert len(before) == 2
    found = []
    query = threading.Thread(target=lambda: found.append(seen(mm.evaluate(file, engine="spark", master=address, **how))))
    query.start()
    time.sleep(1.5)
    os.kill(before[0], signal.SIGKILL)
    assert query.is_alive(), "the query was over before the executor died: give it more rows"
    query.join()
    assert found == [expected]
    assert before[0] not in executors(server)
