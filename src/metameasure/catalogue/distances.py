"""Distances between classes that a user brings."""

from __future__ import annotations

from typing import Any

from metameasure.errors import UsageError


def checked_distance(id: str, distance: Any, classes: int, *, symmetric: bool) -> list[list[float]]:
    """The distances as a C x C table of finite numbers, 0 on the diagonal; UsageError where they are not."""
    import numpy as np  # noqa: PLC0415 - only for measures that take distances

    if distance is None:
        raise UsageError(f"{id} needs distances between the classes", hint="pass distance=, a C x C table (--distance FILE)")
    table = np.asarray(distance, dtype=float)
    if table.shape != (classes, classes):
        raise UsageError(f"the distances have shape {table.shape} for {classes} classes", hint=f"pass {classes} x {classes}")
    faults = {
        "are not all finite": ~np.isfinite(table),
        "are negative in places": table < 0,
        "are not 0 from each class to itself": np.diag(np.diag(table) != 0),
        "differ by direction": (table != table.T) if symmetric else np.zeros_like(table, bool),
    }
    for fault, where in faults.items():
        if where.any():
            row, column = np.argwhere(where)[0] + 1
            raise UsageError(f"{id}: the distances {fault} (row {row}, column {column})")
    return table.tolist()  # type: ignore[no-any-return]
