"""One call of one peer: prints its value and the seconds of the fastest call; started by agreement.py, in any Python."""

from __future__ import annotations

import importlib.util
import sys
import time

import numpy as np


def call(peer: str, labels: np.ndarray):
    """The peer's coefficient of labels (items, annotators), as a function to be timed; what can be prepared is."""
    if peer == "krippendorff":
        import krippendorff

        data = np.where(labels > 0, labels, np.nan).T
        return lambda: krippendorff.alpha(reliability_data=data, level_of_measurement="ordinal")
    import pandas as pd

    if peer == "crowdkit":
        from crowdkit.aggregation import DawidSkene

        item, worker = np.nonzero(labels > 0)
        ratings = pd.DataFrame({"task": item, "worker": worker, "label": labels[item, worker]})
        return lambda: DawidSkene(n_iter=100, tol=1e-5).fit_predict_proba(ratings).to_numpy().max(axis=1).mean()
    if peer == "irrCAC":
        from irrCAC.raw import CAC

        frame = pd.DataFrame(labels)
        return lambda: CAC(frame, categories=[1, 2, 3, 4, 5], digits=8).gwet()["est"]["coefficient_value"]
    if peer == "inspect_ai":
        from inspect_ai.scorer import SampleScore, Score, krippendorff_alpha

        scores = [SampleScore(score=Score(value=[int(one) for one in row])) for row in labels]
        return lambda: krippendorff_alpha(level="ordinal")(scores)
    import pingouin

    items, annotators = labels.shape
    frame = pd.DataFrame(
        {"item": np.repeat(np.arange(items), annotators), "who": np.tile(np.arange(annotators), items), "label": labels.ravel()}
    )
    return lambda: pingouin.intraclass_corr(frame, targets="item", raters="who", ratings="label")["ICC"].iloc[1]


def main() -> None:
    peer, path, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if importlib.util.find_spec(peer) is None:
        print("none")
        return
    function = call(peer, np.load(path))
    value, taken = 0.0, []
    for _ in range(repeats):
        start = time.perf_counter()
        value = float(function())
        taken.append(time.perf_counter() - start)
    print(value, min(taken))


main()
