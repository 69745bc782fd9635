"""On an accelerator every measure of tables gives NumPy's values; skips where there is none."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from on_gpu import agreed, libraries


@pytest.mark.parametrize("library", ["PyTorch", "CuPy", "JAX"])
def test_measures_agree_with_numpy(library):
    found = libraries()
    if library not in found:
        pytest.skip(f"{library} finds no accelerator")
    to, back, _ = found[library]
    same, other = agreed(to, back)
    assert same > 30
    assert not other
