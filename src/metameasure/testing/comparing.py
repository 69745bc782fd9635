"""What the conformance tests share: the sizes of cases, and when two results are the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.testing.cases import Trial, trial

EQUAL = 1e-12
_SIZES = (2, 3, 5, 8)  # classes, or items


def same(actual: Any, expected: Any, what: str, tolerance: float = EQUAL) -> None:
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance, equal_nan=True, err_msg=what)


def trials(measure: Measure) -> list[Trial]:
    return [trial(measure, size) for size in _SIZES]
