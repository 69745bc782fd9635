"""Whether a block of cases is worth compiled kernels."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import array_api_compat

from metameasure.catalogue.arrays import Array

_WORTH_LOADING = 2**15  # cells below which loading the compiler takes longer than it saves


def compiled_for(array: Array) -> ModuleType | None:
    """The compiled kernels, for large blocks of NumPy's double precision; None where the array API has to do."""
    if not array_api_compat.is_numpy_array(array) or array.dtype != "float64" or array.size < _WORTH_LOADING:
        return None
    try:
        return importlib.import_module("metameasure.statistics.short_lists")
    except Exception:  # numba is not installed, not for this NumPy, or broken in another way
        return None


def item_major(array: Array, *, copy: bool = False) -> Any:
    """A block (cases, items) as kernels take it: (items, cases), contiguous; a copy for kernels that change it."""
    import numpy as np  # noqa: PLC0415

    return np.array(array.T, order="C", copy=True if copy else None)
