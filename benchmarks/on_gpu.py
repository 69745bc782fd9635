"""Measures on arrays that live on an accelerator: the same values as NumPy's, and how much faster; and sign-flip tests, which are
a matrix product. For each of PyTorch, CuPy and JAX that is installed and finds a device.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from harness import machine, print_table

from metameasure.catalogue.registry import default_registry
from metameasure.statistics.kernels import flipped_sums
from metameasure.statistics.streams import signs, trial_keys

CLASSES = 5
WITHIN = 1e-9
TIMED = ("kappa", "cem_ord")


def libraries() -> dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], Callable[[Any], Any]]]:
    """For each library with a device: NumPy's array to it, back, and waiting until all is done."""
    found: dict[str, Any] = {}
    if find_spec("torch"):
        import torch  # noqa: PLC0415 - each library only where it is installed

        if torch.cuda.is_available():
            found["PyTorch"] = (
                lambda array: torch.asarray(array, device="cuda"),
                lambda array: array.cpu().numpy(),
                lambda _: torch.cuda.synchronize(),
            )
    if find_spec("cupy"):
        import cupy  # noqa: PLC0415

        if cupy.is_available():
            found["CuPy"] = (cupy.asarray, cupy.asnumpy, lambda _: cupy.cuda.runtime.deviceSynchronize())
    if find_spec("jax"):
        import jax  # noqa: PLC0415

        if jax.default_backend() == "gpu":
            jax.config.update("jax_enable_x64", True)  # noqa: FBT003 - its own signature
            found["JAX"] = (jax.numpy.asarray, np.asarray, lambda array: array.block_until_ready())
    return found


def agreed(to: Callable[[Any], Any], back: Callable[[Any], Any]) -> tuple[int, list[str]]:
    """How many classification measures give NumPy's values, and the ids of those that do not."""
    tables = np.random.default_rng(0).integers(0, 20, (200, CLASSES, CLASSES)).astype(float)
    same, other = 0, []
    for measure in default_registry().values():
        if "classification" not in measure.tasks or measure.open or measure.needs_distance or measure.reads != "counts":
            continue
        expected, found = np.asarray(measure(tables)), back(measure(to(tables)))
        if np.allclose(found, expected, rtol=WITHIN, atol=WITHIN, equal_nan=True):
            same += 1
        else:
            other.append(measure.id)
    return same, other


def seconds(call: Callable[[], Any], wait: Callable[[Any], Any], repeats: int) -> float:
    wait(call())
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        wait(call())
        best = min(best, time.perf_counter() - start)
    return float(best)


def tables(options: argparse.Namespace) -> None:
    counts = np.random.default_rng(1).integers(0, 20, (options.tables, CLASSES, CLASSES)).astype(float)
    registry = default_registry()
    plain = {name: seconds(lambda name=name: registry[name](counts), lambda _: None, 1) for name in TIMED}
    rows: list[tuple[str, ...]] = [("NumPy", "-", *(f"{plain[name] * 1e3:.0f}" for name in TIMED), *("-" for _ in TIMED))]
    for library, (to, back, wait) in libraries().items():
        same, other = agreed(to, back)
        if other:
            raise SystemExit(f"{library}: {', '.join(other)} are not what NumPy gives")
        there = to(counts)
        taken = {name: seconds(lambda name=name, there=there: registry[name](there), wait, options.repeat) for name in TIMED}
        shown = (f"{taken[name] * 1e3:.1f}" for name in TIMED)
        rows.append((library, str(same), *shown, *(f"{plain[name] / taken[name]:.0f} x" for name in TIMED)))
    print_table(
        f"{options.tables:,} tables of {CLASSES} classes; measures that give NumPy's values within {WITHIN:g}",
        ("library", "measures", *(f"{name} (ms)" for name in TIMED), *(f"{name}, faster" for name in TIMED)),
        rows,
    )


def sign_flips(options: argparse.Namespace) -> None:
    scores = np.random.default_rng(2).integers(-(2**20), 2**20, (options.topics, options.systems))
    expected = flipped_sums(scores, 0, 0, options.trials)
    plain = seconds(lambda: flipped_sums(scores, 0, 0, options.trials), lambda _: None, 1)
    drawn = signs(trial_keys(0, 0, options.trials), options.topics).astype(np.float64)
    rows: list[tuple[str, ...]] = [("NumPy, signs drawn too", f"{plain * 1e3:.0f}", "-")]
    for library, (to, back, wait) in libraries().items():
        flips, there = to(drawn), to(scores.astype(np.float64))
        if not np.array_equal(back(flips @ there).astype(np.int64), expected):  # whole numbers below 2^53: exact in any order
            raise SystemExit(f"{library}: other sums than NumPy's")
        taken = seconds(lambda flips=flips, there=there: flips @ there, wait, options.repeat)
        rows.append((f"{library}, signs there already", f"{taken * 1e3:.2f}", f"{plain / taken:.0f} x"))
    print_table(
        f"Sign flips: {options.trials:,} trials, {options.topics:,} topics, {options.systems} systems; equal to the last digit",
        ("library", "ms", "faster"),
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=2_000_000, help="to score (default: %(default)s)")
    parser.add_argument("--trials", type=int, default=50_000, help="of the sign-flip test (default: %(default)s)")
    parser.add_argument("--topics", type=int, default=2_000, help="of the sign-flip test (default: %(default)s)")
    parser.add_argument("--systems", type=int, default=50, help="of the sign-flip test (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=5, help="the best of so many counts (default: %(default)s)")
    options = parser.parse_args()
    print(machine())
    if not libraries():
        print("No library finds a device: NumPy alone is timed.")
    tables(options)
    sign_flips(options)


if __name__ == "__main__":
    main()
