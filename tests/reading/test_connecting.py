"""Reaching a cluster: every address that leads nowhere, a server of another make, one that dies in mid-query; each has a message
of its own that names the address, and none keeps the user waiting."""

import http.server
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent import futures
from contextlib import nullcontext
from pathlib import Path

import duckdb
import pytest

import metameasure as mm
from engines import spark
from metameasure.cli import main
from metameasure.core.errors import UsageError
from metameasure.reading import connecting
from metameasure.reading.connecting import Cluster, import_client, said_by
from metameasure.statistics.work import without_progress

pytestmark = [
    pytest.mark.needs("spark"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning"),
]
QUICK = 3.0


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def refusal(address, timeout=QUICK):
    """What is said of an address, and how long that took."""
    start = time.monotonic()
    with pytest.raises(UsageError) as raised:
        Cluster(address, timeout).session()
    assert address in str(raised.value)
    return str(raised.value), time.monotonic() - start


@pytest.mark.parametrize("address", ["sc://", "sc://host:abc", "sc://host:15002/path", "sc://host:15002/;user"])
def test_what_is_no_address(address):
    said, took = refusal(address)
    assert "is no address of Spark Connect" in said
    assert "sc://host:15002" in said
    assert took < QUICK


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost,nowhere.invalid")


def test_a_host_that_is_not_there():
    said, took = refusal("sc://nowhere.invalid:15002")
    assert "there is no host 'nowhere.invalid'" in said
    assert took < QUICK


def test_a_port_where_nothing_listens():
    said, took = refusal(f"sc://127.0.0.1:{free_port()}")
    assert "connection refused; is the server up? check master" in said
    assert took < QUICK


def test_a_server_of_another_kind():
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        said, took = refusal(f"sc://127.0.0.1:{server.server_port}")
        server.shutdown()
    assert "does not speak Spark Connect; check the port" in said
    assert f"sc://127.0.0.1:{server.server_port}/;use_ssl=true" in said
    assert took < QUICK


@pytest.mark.parametrize("more", ["use_ssl=true", "token=abc", "use_ssl=true;token=abc"])
def test_a_server_without_tls(more):
    """Nobody is told to give what he has given."""
    server, address = served(None)
    said, took = refusal(f"{address}/;{more}")
    server.stop(None)
    assert "does not speak Spark Connect by TLS" in said
    assert f"a server without TLS is master='{address}', without use_ssl and token" in said
    assert took < QUICK


def test_a_server_that_says_nothing():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        said, took = refusal(f"sc://127.0.0.1:{silent.getsockname()[1]}", timeout=0.4)
    assert "does not answer within 0.4 s" in said
    assert "connect_timeout" in said
    assert took < QUICK


def served(answer):
    """A server that speaks Spark Connect as far as ``answer``, a request's name to its answer, goes."""
    import grpc
    from pyspark.sql.connect.proto import AnalyzePlanRequest, AnalyzePlanResponse, ConfigRequest, ConfigResponse

    kinds = {"AnalyzePlan": (AnalyzePlanRequest, AnalyzePlanResponse), "Config": (ConfigRequest, ConfigResponse)}

    def method(name):
        request, response = kinds[name]
        return grpc.unary_unary_rpc_method_handler(
            lambda asked, _: answer(name, asked), request.FromString, response.SerializeToString
        )

    server = grpc.server(futures.ThreadPoolExecutor(2))
    handlers = {name: method(name) for name in kinds} if answer else {}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("spark.connect.SparkConnectService", handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, f"sc://127.0.0.1:{port}"


@pytest.fixture
def no_session_yet(monkeypatch):
    """A client without a session, which it would take for the one that is asked for."""
    import_client()
    from pyspark.sql.connect.session import SparkSession

    monkeypatch.setattr(SparkSession, "_default_session", None)
    monkeypatch.setattr(SparkSession, "_active_session", threading.local())


def of_an_older_version(name, asked):
    from pyspark.sql.connect.proto import AnalyzePlanResponse, ConfigResponse

    made = AnalyzePlanResponse() if name == "AnalyzePlan" else ConfigResponse()
    made.session_id = asked.session_id
    if name == "AnalyzePlan":
        made.spark_version.version = "3.5.4"
    return made


@pytest.mark.usefixtures("no_session_yet")
def test_a_server_of_an_older_version():
    server, address = served(of_an_older_version)
    said, _ = refusal(address)
    server.stop(None)
    assert "is Spark 3.5.4, and 4 is the oldest that will do; name another one, or leave out engine" in said


@pytest.mark.usefixtures("no_session_yet")
@pytest.mark.parametrize("quiet", [False, True])
def test_a_server_that_takes_its_time_is_waited_for(capsys, quiet):
    """For its first answer there is no limit, but a word."""

    def answer(name, asked):
        time.sleep(1)
        return of_an_older_version(name, asked)

    server, address = served(answer)
    with without_progress() if quiet else nullcontext():
        said, _ = refusal(address, timeout=0.5)
    server.stop(None)
    assert "is Spark 3.5.4" in said
    word = f"Spark at {address} is reached, and has not answered within 0.5 s; it is waited for, and Ctrl-C ends it\n"
    assert capsys.readouterr().err == ("" if quiet else word)


@pytest.mark.usefixtures("no_session_yet")
def test_a_server_of_something_else_by_the_same_protocol():
    server, address = served(None)
    said, took = refusal(address)
    server.stop(None)
    assert f"Spark cannot be reached at {address}: Method not found!" in said
    assert took < QUICK


WITHOUT_A_FILE = """
import os, sys
from metameasure.core.errors import UsageError
from metameasure.reading.connecting import Cluster
before = dict(os.environ)
try:
    Cluster(sys.argv[1]).session()
except UsageError as error:
    print(error)
assert os.environ == before
"""


def test_a_program_that_is_in_no_file():
    """Of which the client thinks that it runs doctests, for which it wants a home of Spark, or ends the process."""
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_HOME"}
    command = [sys.executable, "-c", WITHOUT_A_FILE, f"sc://127.0.0.1:{free_port()}"]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "SPARK_HOME" not in ended.stderr
    assert "connection refused; is the server up?" in ended.stdout


def test_a_client_of_an_older_version(monkeypatch):
    import pyspark

    monkeypatch.setattr(pyspark, "__version__", "3.5.4")
    with pytest.raises(UsageError, match=r"pyspark 3\.5\.4 is installed, and 4 is the oldest"):
        Cluster("sc://127.0.0.1:1").session()


@pytest.mark.parametrize("address", ["local[*]", "spark://host:7077", "nonsense"])
def test_a_master_that_takes_a_whole_spark(address, monkeypatch):
    monkeypatch.setattr("pyspark.util.is_remote_only", lambda: True)
    said, _ = refusal(address)
    assert "takes a whole Spark, and only the client of Spark Connect is installed" in said


class Mortal:
    """The stub of a client whose server is killed just before its n-th query."""

    def __init__(self, stub, server, queries):
        self.stub, self.server, self.left = stub, server, queries

    def __getattr__(self, name):
        method = getattr(self.stub, name)

        def call(request, **more):
            if name == "ExecutePlan":
                self.left -= 1
                if not self.left:
                    self.server.kill()
                    self.server.wait()
            return method(request, **more)

        return call


def sail(port):
    """A process with a server of Sail."""
    code = (
        "import sys\nfrom pysail.spark import SparkConnectServer\n"
        "server = SparkConnectServer('127.0.0.1', int(sys.argv[1]))\nserver.start(background=False)\n"
    )
    server = subprocess.Popen([sys.executable, "-c", code, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(400):
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.05)
    raise AssertionError("the server does not start")


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.parquet" for name in ("gold", "run")]
    for path in paths:
        duckdb.sql(f"COPY (SELECT 'i' || i AS item, i % 3 AS label FROM range(1000) t(i)) TO '{path}'")  # noqa: S608
    return [str(path) for path in paths]


@pytest.mark.usefixtures("no_session_yet")
@pytest.mark.parametrize("queries", [1, 3])
def test_a_server_that_dies_in_mid_query_and_comes_back(files, capsys, queries):
    port = free_port()
    address, server = f"sc://127.0.0.1:{port}", sail(port)
    call = ["evaluate", *files, "--classes", "0..2", "--measures", "accuracy", "--engine", "spark", "--master", address]
    try:
        client = Cluster(address, 1).session().client
        client._stub = Mortal(client._stub, server, queries)
        start = time.monotonic()
        assert main([*call, "--connect-timeout", "1", "--debug"]) == 2
        assert time.monotonic() - start < 12
        told = capsys.readouterr().err
        assert f"metameasure: Spark at {address} no longer answers: failed to connect to all addresses" in told
        assert "when the server is up, ask again" in told
        assert "StatusCode.UNAVAILABLE" in told  # all of it, as --debug promises
        assert main(call) == 2
        assert f"cannot be reached at {address}: connection refused" in capsys.readouterr().err
        server = sail(port)
        assert main([*call, "--format", "json"]) == 0
        assert '"accuracy": 1.0' in capsys.readouterr().out
    finally:
        server.kill()
        server.wait()
        connecting._OPEN.pop(address, None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*RETRIES_EXCEEDED")
@pytest.mark.usefixtures("no_session_yet")
def test_a_server_that_is_gone_is_not_waited_for_again():
    """The client would let go of the query that was lost, and try as long as it tried to ask."""
    port = free_port()
    address, server = f"sc://127.0.0.1:{port}", sail(port)
    try:
        session = Cluster(address, 10).session()
        threading.Timer(1, server.kill).start()
        with pytest.raises(Exception, match="failed to connect") as raised:
            session.range(10**12).selectExpr("sum(hash(id))").collect()
        start = time.monotonic()
        assert "no longer answers" in str(connecting.complaint(raised.value))
        assert time.monotonic() - start < 5
        assert address not in connecting._OPEN
    finally:
        server.kill()
        server.wait()
        connecting._OPEN.pop(address, None)


@pytest.mark.usefixtures("no_session_yet")
def test_a_session_that_the_server_has_ended_is_opened_anew(files, capsys, monkeypatch):
    """Servers end sessions that nobody has used for some time: Sail's after a quarter of an hour, Spark's after an hour."""
    from pyspark.sql import SparkSession

    monkeypatch.setenv("SAIL_SPARK__SESSION_TIMEOUT_SECS", "1")
    port = free_port()
    address, server = f"sc://127.0.0.1:{port}", sail(port)
    call = ["evaluate", *files, "--classes", "0..2", "--measures", "accuracy", "--engine", "spark", "--master", address]
    try:
        assert main(call) == 0
        time.sleep(2.5)
        assert main(call) == 0
        connecting._OWN.discard(address)  # as if the user had opened it
        time.sleep(2.5)
        capsys.readouterr()
        assert main(call) == 2
        told = capsys.readouterr().err
        assert f"Spark cannot be reached at {address}: the session that is open has ended" in told
        assert "stop it: session.stop(); a new one is opened then" in told
        SparkSession.getActiveSession().stop()
        assert main(call) == 0
    finally:
        server.kill()
        server.wait()
        connecting._OPEN.pop(address, None)


INTERRUPTED = """
import os, signal, sys
from metameasure.cli.main import main
from metameasure.reading import connecting

connecting._ASKED_AGAIN = 0.2
address, server, *call = sys.argv[1:]
client = connecting.Cluster(address, 1).session().client
ask = client._stub.ExecutePlan

def to_one_that_stops(request, **more):
    os.kill(int(server), signal.SIGSTOP)
    print("asked", flush=True)
    return ask(request, **more)

client._stub.ExecutePlan = to_one_that_stops
status = main([*call, "--master", address])
print(status, client.is_closed, address in connecting._OPEN)
"""


def test_one_interrupt_is_enough_where_the_server_no_longer_answers(files):
    """The client would tell the server, and wait for its answer. In a process of its own, because other tests have servers in
    this one, which a signal would end."""
    port = free_port()
    address, server = f"sc://127.0.0.1:{port}", sail(port)
    call = ["evaluate", *files, "--classes", "0..2", "--measures", "accuracy", "--engine", "spark"]
    command = [sys.executable, "-c", INTERRUPTED, address, str(server.pid), *call]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as asking:
            assert asking.stdout.readline() == "asked\n"
            time.sleep(0.5)
            start = time.monotonic()
            asking.send_signal(signal.SIGINT)
            try:
                assert asking.communicate(timeout=20)[0] == "130 True False\n"
            finally:
                asking.kill()
            assert time.monotonic() - start < 5
    finally:
        server.kill()
        server.wait()


def test_a_session_of_the_user_stays_as_it_is():
    own = spark()
    policies = own.client.get_retry_policies()
    assert Cluster(own.address).session() is own
    assert own.client.get_retry_policies() == policies


@pytest.mark.parametrize("name", ["nowhere.parquet", "nowhere.csv", "nowhere.jsonl", "nowhere"])
def test_a_file_that_is_not_there(tmp_path, name):
    (tmp_path / "empty.csv").touch()
    how = {"classes": "0,1", "engine": "spark", "master": spark().address}
    absent = r"(there is no such file|\[PATH_NOT_FOUND\].*)"  # in the words of Sail or of Spark
    with pytest.raises(UsageError, match=f"cannot read '.*{name}': {absent}; is it where the cluster can read it"):
        mm.evaluate((tmp_path / name).as_uri(), **how)
    with pytest.raises(UsageError, match=r"empty\.csv': it finds no lines"):
        mm.evaluate((tmp_path / "empty.csv").as_uri(), **how)


def test_what_the_server_says_itself_is_said():
    """Nothing of the client's wrapping, and no guess about types."""
    frame = spark().sql("SELECT 'a' AS item, raise_error('no space left on node 7') AS label")
    with pytest.raises(UsageError, match=r"the cluster says: .*no space left on node 7") as raised:
        mm.evaluate(frame, {"run": frame}, classes="0..2", measures="accuracy")
    assert "types" not in str(raised.value)
    assert raised.value.__cause__ is not None


def test_a_damaged_file_that_only_the_cluster_sees_is_named(files):
    gold, run = map(Path, files)
    damaged = bytearray(run.read_bytes())
    damaged[40:400] = bytes(360)
    run.write_bytes(damaged)
    how = {"classes": "0..2", "measures": "accuracy", "engine": "spark", "master": spark().address}
    with pytest.raises(UsageError, match=r"the cluster says: .*; it was reading .*run\.parquet") as raised:
        mm.evaluate(gold.as_uri(), [run.as_uri()], **how)
    assert "types" not in str(raised.value)


def test_wrapped_errors_are_unwrapped():
    """What the client makes of a message that is too large for it."""

    class Inner(Exception):
        def details(self):
            return "Sent message larger than max (163889725 vs. 134217728)."

    outer = RuntimeError("<_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.RESOURCE_EXHAUSTED")
    outer.__cause__ = Inner("<_InactiveRpcError of RPC that terminated with:")
    assert said_by(outer) == "Sent message larger than max (163889725 vs. 134217728)"


def test_a_time_that_is_none(tmp_path):
    for more, why in (
        ({"connect_timeout": 5}, "about a cluster"),
        ({"engine": "spark", "connect_timeout": 0}, "no time to wait"),
    ):
        with pytest.raises(UsageError, match=why):
            mm.evaluate(str(tmp_path / "gold.csv"), [str(tmp_path / "run.csv")], classes="0,1", **more)
