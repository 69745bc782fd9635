"""On an accelerator every measure of tables gives NumPy's values; skips where there is none."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from on_gpu import agreed, libraries


@pytest.mark.parametrize(
    "library",
    [
        pytest.param("PyTorch", marks=pytest.mark.needs("torch-gpu")),
        pytest.param("CuPy", marks=pytest.mark.needs("cupy-gpu")),
        pytest.param("JAX", marks=pytest.mark.needs("jax-gpu")),
    ],
)
def test_measures_agree_with_numpy(library):
    to, back, _ = libraries()[library]
    same, other = agreed(to, back)
    assert same > 30
    assert not other
