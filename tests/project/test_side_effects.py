"""A library leaves the process that imports and calls it as it was."""

import json
import subprocess
import sys

import pytest

# What a host process has loaded before, so that all that changes later is our doing.
HOST = """
import csv, decimal, gc, importlib, io, json, locale, logging, multiprocessing, os, pkgutil, random, signal, sys, threading
import warnings
import duckdb, matplotlib, numba, numpy as np, pandas as pd, polars as pl, sklearn
import matplotlib.pyplot
from pathlib import Path

looked_up = []
sys.addaudithook(lambda event, given: looked_up.append(given[1]) if event == "ctypes.dlsym" else None)
duckdb.sql("CREATE TABLE mine AS SELECT 1 AS x")
duckdb.sql("SET threads = 2")
warnings.simplefilter("ignore", UserWarning)


def state():
    loggers = {name: logger for name, logger in logging.root.manager.loggerDict.items() if isinstance(logger, logging.Logger)}
    return {
        "sys.meta_path": sys.meta_path, "sys.path": sys.path, "sys.path_hooks": sys.path_hooks,
        "hooks": (sys.excepthook, sys.displayhook, sys.unraisablehook, threading.excepthook, sys.gettrace(), sys.getprofile()),
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "limits of Python": (sys.getrecursionlimit(), sys.getswitchinterval(), sys.get_int_max_str_digits()),
        "collector": (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), gc.callbacks),
        "csv": (csv.field_size_limit(), csv.list_dialects()),
        "os.environ": dict(os.environ), "folder": os.getcwd(), "umask": (mask := os.umask(0), os.umask(mask))[0],
        "warnings": (warnings.filters, warnings.showwarning, warnings.formatwarning),
        "locale": locale.setlocale(locale.LC_ALL),
        "decimal": decimal.getcontext(),
        "log levels": {name: (one.level, one.handlers, one.disabled, one.propagate) for name, one in sorted(loggers.items())
                       if name in KNOWN},
        "root logger": (logging.root.level, logging.root.handlers, logging.root.manager.disable),
        "signals": {one: signal.getsignal(one) for one in signal.valid_signals()},
        "random": random.getstate(), "numpy.random": np.random.get_state(),
        "numpy": (np.geterr(), np.geterrcall(), np.get_printoptions()),
        "numba": {name: value for name, value in vars(numba.config).items() if name.isupper()},
        "matplotlib": (dict(matplotlib.rcParams), matplotlib.get_backend(), matplotlib.pyplot.get_fignums()),
        "duckdb tables": duckdb.sql("SHOW ALL TABLES").fetchall(),
        "duckdb settings": duckdb.sql("SELECT name, value FROM duckdb_settings() ORDER BY name").fetchall(),
        "pandas": {key: pd.get_option(key) for key in PANDAS}, "polars": pl.Config.state(),
        "sklearn": sklearn.get_config(),
        "threads": [one.name for one in threading.enumerate() if not one.daemon],
        "start method": multiprocessing.get_start_method(allow_none=True),
        "settings looked up in C": [name for name in looked_up if name in ("mallopt", "setlocale", "setenv", "putenv")],
    }


KNOWN = {"matplotlib", "matplotlib.font_manager", "numba", "asyncio", "concurrent.futures"}
for name in KNOWN:
    logging.getLogger(name)
PANDAS = ("display.precision", "display.max_rows", "display.float_format", "display.width")


def changes(what):
    before = {name: repr(value) for name, value in state().items()}
    what()
    return {name: [before[name][:300], repr(value)[:300]] for name, value in state().items() if repr(value) != before[name]}
"""
IMPORTED = """
def every_module():
    import metameasure
    for module in pkgutil.walk_packages(metameasure.__path__, "metameasure."):
        if module.name not in ("metameasure.__main__", "metameasure.competition.program"):
            importlib.import_module(module.name)


first = changes(every_module)
"""
CALLED = """
import metameasure as mm
from metameasure.cli import main

RUNS = {"a.csv": "yynn", "b.csv": "ynyn"}
for name, labels in {"gold.csv": "yyyn", **RUNS}.items():
    Path(name).write_text("item,label,text\\n" + "".join(f'{topic}{item},{label},"a, b"\\n' for topic in range(6)
                          for item, label in enumerate(labels)))
Path("broken.csv").write_text('item,label,text\\n00,y,"' + 200_000 * "x" + '"\\n00,y,z\\n')


def quiet(*arguments, status=0):
    kept = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = io.StringIO()
    try:
        ended = main(list(arguments))
    finally:
        sys.stdout, sys.stderr = kept
    assert ended == status, arguments


def calls():
    data, classes = ("gold.csv", ["a.csv", "b.csv"]), {"classes": ["n", "y"]}
    scores = mm.evaluate(*data, **classes, measures=["kappa"], ci=True, baselines=True)
    scores.chart("chart.svg")
    str(scores)
    mm.compare(*data, "kappa", **classes, trials=200)
    mm.advise(*data, **classes)
    mm.check(*data, **classes)
    mm.merge([mm.count(*data, **classes)])
    mm.explain("gold.csv", "a.csv", "b.csv", **classes)
    mm.gate("gold.csv", "a.csv", "b.csv", measures="accuracy", margin=0.1, **classes)
    mm.ranks(*data, "accuracy", **classes).chart("ranks.svg")
    mm.table(*data, **classes).to_frame("polars")
    mm.agree({name: {item: "yn"[item % size] for item in range(9)} for name, size in (("p", 1), ("q", 2))}, **classes)
    mm.meta.discrimination(mm.evaluate(*data, **classes, partitions=3, measures=["accuracy"]), trials=20)
    mm.simulate(topics=2, runs=5)
    mm.measures["kappa"](np.ones((50_000, 5, 5)))
    mm.randomised_tukey_hsd(np.random.default_rng(0).random((50, 10)), 100, kernel="numba")
    frame = pd.DataFrame({"item": ["1", "2"], "label": ["n", "y"]})
    mm.evaluate(frame, {"a": pl.DataFrame(frame.to_dict("list"))}, classes=["n", "y"])
    try:
        mm.evaluate("gold.csv", ["broken.csv"], classes=["n", "y"])
    except mm.DataError as error:
        assert "item '00' again" in str(error), error
    quiet("evaluate", "gold.csv", "a.csv", "--classes", "n,y", "--format", "latex")
    quiet("report", "gold.csv", "a.csv", "b.csv", "--classes", "n,y", "-o", "page.html")
    quiet("evaluate", "gold.csv", "broken.csv", "--classes", "n,y", status=1)


second = changes(calls)
"""
PLANTED = """
def faults():
    import ctypes
    ctypes.CDLL(None).mallopt(-3, 32 << 20)
    sys.meta_path.append(type("Finder", (), {"find_spec": staticmethod(lambda *asked: None)}))
    sys.path.append("elsewhere")
    sys.path_hooks.append(lambda path: None)
    sys.excepthook = print
    sys.stderr = io.StringIO()
    sys.setrecursionlimit(2000)
    gc.disable()
    csv.field_size_limit(5)
    os.environ["MINE"] = "1"
    os.chdir("/")
    os.umask(0o077 if os.umask(0o022) != 0o077 else 0o022)
    warnings.simplefilter("ignore", ResourceWarning)
    locale.setlocale(locale.LC_CTYPE, "C" if locale.setlocale(locale.LC_CTYPE) != "C" else "C.UTF-8")
    decimal.getcontext().prec = 5
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    logging.getLogger().setLevel(logging.ERROR)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    random.seed(1)
    np.random.seed(1)
    np.seterr(all="ignore")
    numba.config.CACHE_DIR = "elsewhere"
    matplotlib.rcParams["font.size"] = 1
    duckdb.sql("CREATE TABLE yours AS SELECT 1")
    duckdb.sql("SET threads = 1")
    pd.set_option("display.precision", 2)
    pl.Config.set_tbl_rows(3)
    sklearn.set_config(assume_finite=True)
    threading.Thread(target=threading.Event().wait, args=(60,)).start()
    multiprocessing.set_start_method("spawn", force=True)


print(json.dumps([first, second, changes(faults), sorted(state())]), file=sys.__stdout__, flush=True)
os._exit(0)  # the thread is still waiting
"""


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    """What is no longer as it was, after each step of one process."""
    program = HOST + IMPORTED + CALLED + PLANTED
    folder = tmp_path_factory.mktemp("host")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_an_import_changes_nothing(changes):
    assert changes[0] == {}


def test_calls_change_nothing(changes):
    assert changes[1] == {}


def test_all_that_is_looked_at_would_be_seen(changes):
    assert sorted(changes[2]) == changes[3]


def test_nothing_is_said_at_the_end_of_a_process(tmp_path):
    """A database that was still there when DuckDB was not made it list what was left."""
    (tmp_path / "labels.csv").write_text("gold,run\n1,1\n2,3\n3,3\n")
    script = "import metameasure as mm; mm.evaluate('labels.csv', classes='1..3')"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
