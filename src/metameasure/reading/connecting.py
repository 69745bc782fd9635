"""A session on a cluster: reached within a time that the user sets, or an error that says where and why not; and what the
cluster's own errors come to."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.notes import listed

USUAL_TIMEOUT = 20.0
_LOCAL = "local[*]"
_CONNECT = "sc://"
_OLDEST = 4
_SHORTEST_PAUSE, _LONGEST_PAUSE, _GROWTH = 100, 2000, 2.0  # milliseconds between attempts
_ASKED_AGAIN = 2.0  # seconds, for the reason why nobody answered
_RELEASED = 5.0  # seconds, for a server to let go of what it has answered: it does so by itself later
_HOME = "SPARK_HOME"
_JVM = re.compile(r"^\([\w.$]+\) ")

_OPEN: dict[str, Any] = {}
"""The sessions that are open, by the cluster's address."""
_OWN: set[str] = set()
"""Those of them that nobody had opened before."""


@dataclass(frozen=True)
class Cluster:
    """Where a cluster is, and how long it may take to reach it."""

    master: str | None = None
    timeout: float = USUAL_TIMEOUT

    @property
    def address(self) -> str:
        return self.master or _LOCAL

    def session(self) -> Any:
        """A session, opened when it is first asked for, and anew where the server has ended it, as it does with one that is idle
        for some time. UsageError if none can be opened."""
        if self.address in _OPEN and _ended(_OPEN[self.address]):
            _forget(self.address)
        if self.address not in _OPEN:
            opened = self._opened()
            if why := _ended(opened):  # one that the user has opened
                hint = "stop it: session.stop(); a new one is opened then"
                raise self._error(f"the session that is open has ended ({why})", hint)
            _OPEN[self.address] = opened
        return _OPEN[self.address]

    def _opened(self) -> Any:
        try:
            import pyspark  # noqa: PLC0415 - only those who have a cluster pay for it
            from pyspark.sql import SparkSession  # noqa: PLC0415
        except ImportError:
            raise UsageError("Spark is not installed", hint="pip install 'metameasure[spark]'") from None
        if _major(pyspark.__version__) < _OLDEST:
            raise UsageError(
                f"pyspark {pyspark.__version__} is installed, and {_OLDEST} is the oldest that will do",
                hint="pip install -U 'metameasure[spark]'",
            )
        from metameasure.statistics.work import said_after  # noqa: PLC0415 - arrays load when there is something to do

        builder: Any = SparkSession.builder
        remote = self.address.startswith(_CONNECT)
        if remote:
            import_client()
            self.reach()
        elif _is_client_alone():
            raise UsageError(
                f"'{self.address}' takes a whole Spark, and only the client of Spark Connect is installed",
                hint=say("name a server, as in {--master sc://host:15002}, or pip install pyspark"),
            )
        silent = say(
            "Spark at {address} is reached, and has not answered within {seconds} s; it is waited for, and Ctrl-C ends it",
            address=self.address,
            seconds=f"{self.timeout:g}",
        )
        try:
            with said_after(self.timeout, silent) if remote else nullcontext():
                before = SparkSession.getActiveSession()
                found = builder.remote(self.address) if remote else builder.master(self.address).appName("metameasure")
                session = found.getOrCreate()
                if remote and session is not before:  # one that the user has opened stays as it is
                    session.client.set_retry_policies([_patience(self.timeout)])
                    _let_go_when_interrupted(session, self.address)
                    _OWN.add(self.address)
                version = str(session.version)
        except Exception as error:  # of pyspark, grpc or py4j, as it happens
            raise self._error(said_by(error), say("check {--master}")) from error
        if _major(version) < _OLDEST:
            raise UsageError(
                f"the server at {self.address} is Spark {version}, and {_OLDEST} is the oldest that will do",
                hint=say("name another one, or leave out {--engine}"),
            )
        return session

    def reach(self) -> None:
        """UsageError where nothing that could be Spark answers in time; an address that cannot be reached is not tried again."""
        import threading  # noqa: PLC0415 - as above

        import grpc  # noqa: PLC0415
        from pyspark.sql.connect.client import DefaultChannelBuilder  # noqa: PLC0415

        try:
            builder: Any = DefaultChannelBuilder(self.address)
            channel = builder.toChannel()
        except ValueError as error:
            raise UsageError(
                f"'{self.address}' is no address of Spark Connect: {said_by(error)}", hint=say("as in {--master sc://host:15002}")
            ) from error
        ended, found = threading.Event(), list[Any]()

        def watch(state: Any) -> None:
            if state in (grpc.ChannelConnectivity.READY, grpc.ChannelConnectivity.TRANSIENT_FAILURE):
                found.append(state)
                ended.set()

        channel.subscribe(watch, try_to_connect=True)
        ended.wait(self.timeout)
        channel.unsubscribe(watch)
        channel.close()
        if not found or found[0] is not grpc.ChannelConnectivity.READY:
            raise self._error(*self._why_not(builder.endpoint, in_time=bool(found), secure=builder.secure))

    def _why_not(self, endpoint: str, *, in_time: bool, secure: bool) -> tuple[str, str]:
        """Why nobody answers as Spark does at HOST:PORT, and what to do."""
        import socket  # noqa: PLC0415 - as above

        host, _, port = endpoint.rpartition(":")
        more_time = say("is it up, and does a firewall let you through? {--connect-timeout <seconds>} waits longer",
                        seconds=f"{3 * self.timeout:g}")  # fmt: skip
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=min(_ASKED_AGAIN, self.timeout)):
                pass
        except socket.gaierror:
            return f"there is no host '{host}'", say("check {--master}")
        except TimeoutError:
            return f"no answer within {self.timeout:g} s", more_time
        except OSError as error:
            return (error.strerror or str(error)).lower(), say("is the server up? check {--master}")
        if not in_time:
            return f"something listens there, but does not answer within {self.timeout:g} s", more_time
        if secure:
            return (
                "what listens there does not speak Spark Connect by TLS",
                say(
                    "check the port, usually 15002; a server without TLS is {--master <address>}, without use_ssl and token",
                    address=_CONNECT + f"{host}:{port}",
                ),
            )
        return (
            "what listens there does not speak Spark Connect",
            say(
                "check the port, usually 15002; a server that wants TLS is {--master <address>}",
                address=_CONNECT + f"{host}:{port}/;use_ssl=true",
            ),
        )

    def _error(self, why: str, hint: str) -> UsageError:
        return UsageError(f"Spark cannot be reached at {self.address}: {why}", hint=hint)


def import_client() -> None:
    """Import the client of Spark Connect. It takes a ``__main__`` without a file, as that of ``python -c``, for doctests, and
    would then end the process if there is no home of Spark, of which the client alone has none."""
    homeless = _is_client_alone() and _HOME not in os.environ
    if homeless:
        os.environ[_HOME] = "none"
    try:
        import pyspark.sql.connect.client  # noqa: F401, PLC0415 - only those who have a cluster pay for it
    finally:
        if homeless:
            del os.environ[_HOME]


def _is_client_alone() -> bool:
    from pyspark.util import is_remote_only  # noqa: PLC0415

    return bool(is_remote_only())


def _major(version: str) -> int:
    """The first number of a version; of one that has none, as high as any."""
    found = re.match(r"\d+", version)
    return int(found[0]) if found else _OLDEST


def _patience(timeout: float) -> Any:
    """How often a request is sent again to a server that has gone: for about as long as reaching it may take."""
    from pyspark.sql.connect.client.retries import DefaultPolicy  # noqa: PLC0415

    growing = math.log(_LONGEST_PAUSE / _SHORTEST_PAUSE, _GROWTH)
    first = _LONGEST_PAUSE / 1000  # about what the growing pauses come to, twice
    times = max(1, math.ceil(growing + (timeout - 2 * first) / (_LONGEST_PAUSE / 1000)))
    return DefaultPolicy(
        max_retries=times, initial_backoff=_SHORTEST_PAUSE, max_backoff=_LONGEST_PAUSE, backoff_multiplier=_GROWTH
    )


def _let_go_when_interrupted(session: Any, address: str) -> None:
    """Who is interrupted tells the server to end the query, for which the client would wait for ever. One that does not answer is
    left to itself, and forgotten. Nor does the end of the process wait for it to let go of results, or of models, which we never
    make. The client has no public way to say so; one that is built otherwise is left as it is."""
    import atexit  # noqa: PLC0415 - as below
    import threading  # noqa: PLC0415 - only those who have a cluster pay for it

    client, ask = session.client, session.client.interrupt_operation

    def tell(operation: str) -> None:
        with suppress(Exception):  # of pyspark or grpc: the query is given up anyway
            ask(operation)

    def interrupt(operation: str) -> None:
        telling = threading.Thread(target=tell, args=(operation,), daemon=True)
        telling.start()
        telling.join(_ASKED_AGAIN)
        if telling.is_alive():
            _OPEN.pop(address, None)
            _OWN.discard(address)
            _give_up(session)

    client.interrupt_operation = interrupt
    with suppress(AttributeError):
        stub = client._stub  # noqa: SLF001
        stub.ReleaseExecute = partial(stub.ReleaseExecute, timeout=_RELEASED)
    with suppress(AttributeError):
        atexit.unregister(client._cleanup_ml_cache)  # noqa: SLF001 - of older clients; newer ones call it as they end
        client._cleanup_ml_cache = lambda: None  # noqa: SLF001


def _give_up(session: Any) -> None:
    """End a session whose server no longer answers, which is not told."""
    with suppress(AttributeError):  # or what else has been asked, results to be let go of, would be waited for
        session.client._channel.close()  # noqa: SLF001
    session.release_session_on_close = False
    session.stop()


def is_of_cluster(error: BaseException) -> bool:
    """Whether the error comes from the cluster's client."""
    return type(error).__module__.partition(".")[0] in ("pyspark", "grpc", "py4j")


def said_by(error: BaseException) -> str:
    """What the cluster says itself: the first line of its own text, not that of the client's wrapping, without a full stop."""
    texts = [str(one) for one in _chain(error)] + [str(one.details()) for one in _chain(error) if hasattr(one, "details")]
    lines = [line.strip() for text in texts if not text.startswith("<_") for line in text.splitlines()[:1] if line.strip()]
    return _JVM.sub("", lines[0]).removesuffix(".") if lines else type(error).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and those that brought it about."""
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__ or following.__context__


def is_lost(error: BaseException) -> bool:
    """Whether the server is gone."""
    codes = (one.code() for one in _chain(error) if hasattr(one, "code") and callable(one.code))
    return any(getattr(code, "name", "") == "UNAVAILABLE" for code in codes)


def complaint(error: BaseException, sources: Sequence[str] = ()) -> UsageError:
    """A cluster's error as ours, where it read these sources. A server that is gone is forgotten, so that another call may find
    it again."""
    if not is_lost(error):
        hint = "its log may say more"
        hint = say("it was reading {sources}; {hint}", sources=listed(sources, "and"), hint=hint) if sources else hint
        return UsageError(say("the cluster says: {why}", why=said_by(error)), hint=hint)
    gone = next((address for address in _OPEN if address.startswith(_CONNECT) and not _answers(address)), "")
    if gone:
        _forget(gone)
    return UsageError(
        say("Spark{where} no longer answers: {why}", where=f" at {gone}" if gone else "", why=said_by(error)),
        hint="what it was doing is lost: when the server is up, ask again",
    )


def _ended(session: Any) -> str:
    """Why a session can no longer be asked anything; nothing where it can."""
    if getattr(session, "is_stopped", False):
        return "it was stopped"
    try:
        session.conf.get("spark.sql.session.timeZone")
    except Exception as error:
        if not is_of_cluster(error):
            raise
        return said_by(error)
    return ""


def _answers(address: str) -> bool:
    try:
        Cluster(address, _ASKED_AGAIN).reach()
    except UsageError:
        return False
    return True


def _forget(address: str) -> None:
    session = _OPEN.pop(address)
    if address not in _OWN:
        return
    _OWN.remove(address)
    try:
        _give_up(session)
    except Exception as error:
        if not is_of_cluster(error):
            raise
