"""Every score of the page as 16-bit numbers: what its explorer reads."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
STEPS = 65000
UNDEFINED, INFINITE, MINUS_INFINITE = 65535, 65534, 65533


def packed(values: Floats) -> dict[str, Any]:
    """An array (measures, ...) as text, each measure from its lowest to its highest score in 65,000 steps."""
    flat = values.reshape(len(values), -1)
    finite = np.isfinite(flat)
    low = np.where(finite, flat, np.inf).min(axis=1, initial=np.inf)
    high = np.where(finite, flat, -np.inf).max(axis=1, initial=-np.inf)
    some = np.isfinite(low)
    low, high = np.where(some, low, 0.0), np.where(some, high, 1.0)
    span = np.where(high > low, high - low, 1.0)
    steps = np.rint((np.where(finite, flat, low[:, None]) - low[:, None]) / span[:, None] * STEPS)
    coded = np.select(
        [np.isnan(flat), flat == np.inf, flat == -np.inf], [UNDEFINED, INFINITE, MINUS_INFINITE], default=steps
    ).astype("<u2")
    ends = [[float(f"{end:.9g}") for end in pair] for pair in zip(low, low + span, strict=True)]
    return {"ends": ends, "steps": STEPS, "codes": base64.b64encode(coded.tobytes()).decode()}


def unpacked(packed_values: dict[str, Any], shape: tuple[int, ...]) -> Floats:
    """What ``packed`` made, within half a step."""
    codes = np.frombuffer(base64.b64decode(packed_values["codes"]), dtype="<u2").reshape(shape)
    low, high = (np.array(end).reshape(-1, *[1] * (len(shape) - 1)) for end in zip(*packed_values["ends"], strict=True))
    values = low + codes / packed_values["steps"] * (high - low)
    special = {UNDEFINED: np.nan, INFINITE: np.inf, MINUS_INFINITE: -np.inf}
    return np.select([codes == code for code in special], list(special.values()), default=values)
