"""Probabilities of three classes for each of a million items: log loss, Brier score and AUC here and by scikit-learn, each by
itself, all three from arrays, and from two CSV files (items in the same order) to the scores. Seconds of processor time.

python benchmarks/probabilities.py [--items 1000000]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import metrics

import metameasure as mm

CLASSES = ["negative", "neutral", "positive"]
TIMES = 3


def drawn(items: int) -> tuple[Any, Any]:
    """Gold's classes by number, and probabilities, with ties."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 3, items)
    seen = rng.normal(size=(items, 3))
    seen[np.arange(items), label] += 1.5
    odds = np.exp(seen)
    first, second = (odds / odds.sum(axis=1, keepdims=True)).round(5).T[:2]
    return label, np.stack([first, second, np.maximum(0.0, 1 - first - second)], axis=1)


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """The least of several times, and what is found."""
    best, found = np.inf, None
    for _ in range(TIMES):
        start = time.process_time()
        found = function()
        best = min(best, time.process_time() - start)
    return best, found


def from_files(folder: Path) -> list[float]:
    gold, run = pd.read_csv(folder / "gold.csv"), pd.read_csv(folder / "svm.csv")
    both = gold.merge(run, on="item")
    label, believed = both["label"].to_numpy(), both[CLASSES].to_numpy()
    return theirs(label, believed)


def theirs(label: Any, believed: Any) -> list[float]:
    return [
        metrics.log_loss(label, believed),
        metrics.brier_score_loss(label, believed),
        metrics.roc_auc_score(label, believed, multi_class="ovr"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    items = parser.parse_args().items
    label, believed = drawn(items)
    gold, registry = np.eye(3)[label], mm.measures.of_task("probabilities")
    asked: Any = {"classes": "0..2", "measures": "log_loss,brier,auc"}
    mm.evaluate(label[:10], {"svm": believed[:10]}, **asked)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ids = [f"i{place:07d}" for place in range(items)]
        pd.DataFrame({"item": ids, "label": np.array(CLASSES)[label]}).to_csv(folder / "gold.csv", index=False)
        pd.DataFrame({"item": ids, **dict(zip(CLASSES, believed.T, strict=True))}).to_csv(folder / "svm.csv", index=False)
        files: Any = {"task": "probabilities", "classes": CLASSES, "measures": "log_loss,brier,auc"}
        rows = {
            "log_loss": (lambda: registry["log_loss"](believed, gold), lambda: metrics.log_loss(label, believed)),
            "brier": (lambda: registry["brier"](believed, gold), lambda: metrics.brier_score_loss(label, believed)),
            "auc": (
                lambda: registry["auc"](believed, gold),
                lambda: metrics.roc_auc_score(label, believed, multi_class="ovr"),
            ),
            "all three, from arrays": (
                lambda: [*mm.evaluate(label, {"svm": believed}, **asked)["svm"].values()],
                lambda: theirs(label, believed),
            ),
            "all three, from files": (
                lambda: [*mm.evaluate(folder / "gold.csv", [folder / "svm.csv"], **files)["svm"].values()],
                lambda: from_files(folder),
            ),
        }
        print(f"{items:,} items of 3 classes{'':6}metameasure  scikit-learn  ratio")
        for what, (own, other) in rows.items():
            (ours, found), (peer, expected) = seconds(own), seconds(other)
            np.testing.assert_allclose(found, expected, atol=1e-9)
            print(f"{what:30}{ours:9.2f} s  {peer:10.2f} s  {ours / peer:5.2f}")


if __name__ == "__main__":
    main()
