"""Numba absent, broken, or without a place to keep what it compiles: the same numbers from NumPy."""

import os
import subprocess
import sys

import numpy as np
import pytest

import metameasure as mm
from metameasure.statistics import compiled, kernels
from metameasure.statistics.stepwise import stepwise_test

SCORES = np.random.default_rng(0).random((20, 4))
PROGRAM = """
import numpy as np
import metameasure as mm
from metameasure.statistics import kernels
from metameasure.statistics.stepwise import stepwise_test
scores = np.random.default_rng(0).random((20, 4))
kernels._WORTH_LOADING = 0
print(mm.randomised_tukey_hsd(scores, 300).sum(), stepwise_test(scores, 300).sum())
try:
    mm.randomised_tukey_hsd(scores, 300, kernel="numba")
except mm.UsageError as error:
    print(error)
"""


@pytest.mark.each_time(1)
@pytest.mark.parametrize(
    ("numba", "complaint"),
    [
        ("raise ImportError('no such library')", "no such library"),
        ("raise AttributeError('np.bool')", "np.bool"),
        ("raise SystemError('initialization of _internal failed')", "_internal failed"),
        ("def njit(*_, **__):\n    return lambda f: (lambda *a: 1 / 0)", "division by zero"),
    ],
)
def test_broken_numba(tmp_path, numba, complaint):
    (tmp_path / "numba.py").write_text(numba)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
    )
    sums, error = done.stdout.splitlines()
    expected = [mm.randomised_tukey_hsd(SCORES, 300).sum(), stepwise_test(SCORES, 300).sum()]
    assert [float(number) for number in sums.split()] == expected
    assert complaint in error
    assert "leave it out to have one chosen" in error


@pytest.fixture
def fresh(monkeypatch):
    """As in a process that has drawn nothing yet."""
    monkeypatch.setattr(kernels, "_so_far", {"by NumPy": 0})
    kernels._loaded.cache_clear()
    yield
    kernels._loaded.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_few_trials_do_not_load_numba():
    """Loading takes as long as NumPy takes for a few calls of the usual size; from then on it is loaded."""
    calls = [kernels._compiled("auto", 2**22) for _ in range(5)]
    assert calls == [None, None, None, compiled, compiled]
    assert kernels._compiled("auto", 1) is compiled


def test_a_folder_of_ones_own(tmp_path):
    folder = compiled.private_folder(tmp_path)
    assert folder is not None
    assert compiled.private_folder(tmp_path) == folder
    if os.name != "nt":
        folder.chmod(0o777)  # somebody else could put a compiled kernel there
        assert compiled.private_folder(tmp_path) is None
        folder.rmdir()
        folder.symlink_to(tmp_path)
        assert compiled.private_folder(tmp_path) is None
    assert compiled.private_folder(tmp_path / "nowhere") is None


def test_nowhere_to_keep_kernels(monkeypatch, tmp_path):
    """Then few trials are done by NumPy, and many are worth compiling."""

    def njit(cache=False, **_):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(compiled.numba, "njit", njit)
    monkeypatch.setattr(compiled.tempfile, "gettempdir", lambda: str(tmp_path / "nowhere"))
    assert compiled.kept_in.__wrapped__() is None
    monkeypatch.setattr(compiled.tempfile, "gettempdir", lambda: str(tmp_path))
    assert compiled.kept_in.__wrapped__().startswith(str(tmp_path))
    monkeypatch.setattr(compiled, "kept_on_disk", lambda: False)
    assert kernels._compiled("auto", 2**30) is compiled
    assert kernels._compiled("auto", 1000) is None
    assert kernels._compiled("numba", 1000) is compiled


def test_a_folder_for_kernels_is_no_setting_of_the_process(monkeypatch, tmp_path):
    """Numba is told where to keep ours, and nothing of it stays."""
    usual = compiled.numba.config.CACHE_DIR
    monkeypatch.setattr(compiled, "kept_in", lambda: str(tmp_path))
    successor = compiled.jit(lambda number: number + 1)
    assert usual == compiled.numba.config.CACHE_DIR
    assert successor(1) == 2
    assert list(tmp_path.rglob("*.nbi"))
