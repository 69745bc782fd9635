"""Parts that a machine may lack: packages that ``.[dev]`` does not install, programs, data.

A test says what it needs, ``@pytest.mark.needs("torch")``, and tests/conftest.py skips it where that is absent. Nothing else may
skip a test, so that ``pytest -m needs`` selects every test that a bare environment leaves out.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared/data"
AXE = ROOT / ".browser/node_modules/axe-core/axe.min.js"
OLDEST = ROOT / ".oldest"


@dataclass(frozen=True)
class Part:
    """Whether it is here, and how to get it. It is asked for only when a test that needs it is about to run."""

    here: Callable[[], bool]
    get: str


def installed(*modules: str) -> bool:
    try:
        return all(importlib.util.find_spec(module) is not None for module in modules)
    except ModuleNotFoundError:  # the package of a submodule
        return False


def chromium() -> str | None:
    """Where Debian's browser is, or the one that the user names."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def spark_home() -> Path | None:
    """Where a whole Spark is, with its server: not the client alone."""
    found = importlib.util.find_spec("pyspark")
    places = [os.environ.get("SPARK_HOME", "none"), *((found.submodule_search_locations or []) if found else [])]
    return next((place for place in map(Path, places) if (place / "sbin/start-connect-server.sh").exists()), None)


def _succeeds(program: str, *arguments: str) -> bool:
    found = shutil.which(program)
    return bool(found) and subprocess.run([found, *arguments], capture_output=True, check=False).returncode == 0


def _finds_accelerator(library: str) -> bool:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from on_gpu import libraries
    finally:
        sys.path.pop(0)
    return library in libraries()


def _package(get: str, *modules: str) -> Part:
    return Part(lambda: installed(*modules), f"pip install {get}")


HEAVY = ("catboost", "mlquantify", "quapy", "ranx")
"""Peers that take long to install or to load."""
AT_NIGHT = (*HEAVY, "build", "cosmic_ray", "inspect_ai", "pingouin")
"""What `.ci/run` does not install. A test that needs one is slow, and runs at night."""
PARTS = {
    "torch": _package("'.[arrays]'", "torch"),
    "jax": _package("'.[arrays]'", "jax"),
    **{
        f"{name}-gpu": Part(lambda library=library: _finds_accelerator(library), f"install {library} on a machine with a GPU")
        for name, library in (("torch", "PyTorch"), ("cupy", "CuPy"), ("jax", "JAX"))
    },
    "spark": Part(
        lambda: installed("pyspark.sql.connect") and bool(os.environ.get("METAMEASURE_SPARK") or installed("pysail")),
        "pip install pysail pyspark-client, or put the address of a Spark into METAMEASURE_SPARK",
    ),
    "java": Part(lambda: shutil.which("java") is not None, "apt-get install default-jre-headless"),
    "spark-server": Part(
        lambda: spark_home() is not None, "pip install pyspark, or put the folder of a whole Spark into SPARK_HOME"
    ),
    "distributed": _package("distributed", "distributed"),
    "ray": _package("ray", "ray"),
    "ir_measures": _package("'.[peers]'", "ir_measures"),
    "pytrec_eval": _package("'.[peers]'", "pytrec_eval"),
    "statsmodels": _package("'.[peers]'", "statsmodels"),
    "ppi-python": _package("ppi-python", "ppi_py"),
    "crowd-kit": _package("'.[crowd]'", "crowdkit"),
    **{name: _package("'.[heavy-peers]'", name) for name in HEAVY},
    **{name: _package("'.[benchmarks]'", name) for name in ("inspect_ai", "pingouin")},
    "build": _package("build", "build.__main__"),
    "cosmic_ray": _package("'.[mutants]'", "cosmic_ray"),
    "mkdocs": _package("'.[docs]'", "material", "mkdocs", "mkdocstrings", "mkdocstrings_handlers.python"),
    "playwright": _package("'.[browser]'", "playwright.sync_api"),
    "chromium": Part(lambda: chromium() is not None, "apt-get install chromium"),
    "axe-core": Part(AXE.exists, "npm install --prefix .browser axe-core@4"),
    "oldest-duckdb": Part(OLDEST.is_dir, "pip install --target .oldest 'duckdb>=1.5,<1.6'"),
    "pdflatex": Part(
        lambda: shutil.which("pdflatex") is not None,
        "apt-get install texlive-latex-base texlive-latex-recommended texlive-latex-extra",
    ),
    "pdftotext": Part(lambda: shutil.which("pdftotext") is not None, "apt-get install poppler-utils"),
    "unshare": Part(lambda: _succeeds("unshare", "-rn", "true"), "use a kernel that allows unshare -rn"),
    "strace": Part(lambda: _succeeds("strace", "-f", "true"), "apt-get install strace, where tracing is allowed"),
    "fork": Part(lambda: hasattr(os, "fork"), "use a system that forks"),
    "/dev/full": Part(Path("/dev/full").exists, "use a system with /dev/full"),
    "shared-data": Part(SHARED.is_dir, "put the project's real data into ../shared/data"),
}
"""By the name that tests use."""


@cache
def here(name: str) -> bool:
    """Whether a part is here, asked once."""
    return PARTS[name].here()
