"""The arrays that numbers come in, by name; and the mean of what is defined in them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
ArrayLike = npt.ArrayLike


def mean_of_defined(values: Floats, axis: int, counted: Booleans | None = None) -> Floats:
    """The mean along an axis of what is defined, or of what is counted; NaN where that is nothing."""
    which = ~np.isnan(values) if counted is None else counted
    number = which.sum(axis=axis)
    return np.where(number > 0, np.where(which, values, 0).sum(axis=axis) / np.maximum(number, 1), np.nan)
