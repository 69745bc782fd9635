"""Agreement among many annotators: seven coefficients with bootstrap intervals, beside programs that have one of them; and a
crowd, 60,000 ratings of 400 annotators, beside krippendorff's one coefficient and crowd-kit's Dawid and Skene.

A peer has no resampling, or a slow one, so that it is called once and the time of so many calls is what an interval would take.
Each peer runs in a process of its own, by ``--peers-python``: irrCAC wants an older SciPy than ours, so it needs an environment
of its own (pip install irrCAC krippendorff pingouin inspect_ai crowd-kit).

python benchmarks/agreement.py --peers-python other/bin/python
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from harness import agree, best_of, machine, print_table, process, seconds, settle_memory

from metameasure.core.scale import Scale
from metameasure.evidence.ratings import Ratings
from metameasure.judging.aggregating import aggregated
from metameasure.judging.agree import agreement_of

OF_PERSONS = ("conger", "icc2", "icc3", "kendall_w")
COEFFICIENTS = ("percent_agreement", "fleiss", "ac1", "ac2", "brennan_prediger", "alpha_nominal", "alpha_ordinal")
# What each peer computes, and the coefficient of ours that must be the same.
PEERS = {"krippendorff": "alpha_ordinal", "irrCAC": "ac1", "inspect_ai": "alpha_ordinal", "pingouin": "icc2"}


def made_up(items: int, annotators: int) -> np.ndarray:
    """Labels 1..5 (items, annotators) of annotators who see the truth with some noise."""
    rng = np.random.default_rng(0)
    truth = rng.normal(3, 1.2, (items, 1))
    return np.clip(np.rint(truth + rng.normal(0, 0.8, (items, annotators))), 1, 5).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--annotators", type=int, default=5)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peers-python", default=sys.executable, help="The Python that has the peers.")
    options = parser.parse_args()
    settle_memory()
    labels = made_up(options.items, options.annotators)
    names = tuple(f"a{place}" for place in range(options.annotators))
    codes = labels - 1
    known = Ratings.of_labels(Scale.of("1..5"), tuple(map(str, range(len(codes)))), names, codes[:, :, None])
    counted = Ratings(known.scale, known.items, known.counts)
    print(machine())
    print(f"{labels.size:,} ratings, {options.trials:,} resamples")
    coefficients = best_of(options.repeats, lambda: agreement_of(counted, COEFFICIENTS, trials=options.trials))
    lines = best_of(options.repeats, lambda: agreement_of(known, COEFFICIENTS, trials=options.trials))
    rows = [
        ("ours: seven coefficients, intervals and errors", seconds(coefficients)),
        ("ours: the same, and a line for each annotator", seconds(lines)),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.npy"
        np.save(path, labels)
        for peer, ours in PEERS.items():
            script = str(Path(__file__).with_name("agreement_peers.py"))
            said = process([options.peers_python, script, peer, str(path), str(options.repeats)]).printed.strip()
            if " " not in said:
                rows.append((f"{peer} is not installed there", ""))
                continue
            value, taken = map(float, said.split()[-2:])
            agree(peer, agreement_of(known, ours, trials=1)[ours].value, value, within=1e-4)
            rows.append((f"{peer}: {ours} alone, one call x {options.trials:,}", seconds(taken * options.trials)))
    print_table("Agreement", ("what", "seconds"), rows)
    print_table("A crowd", ("what", "seconds"), list(crowd(options)))


def crowd_ratings(items: int, annotators: int, each: int = 3) -> Ratings:
    """Each item rated 1..5 by three of many annotators, a tenth of whom know nothing."""
    rng = np.random.default_rng(1)
    truth, know = rng.integers(0, 5, items), rng.uniform(0.4, 0.9, annotators)
    know[: annotators // 10] = 0
    who = np.argsort(rng.random((items, annotators)), axis=1)[:, :each]
    said = np.where(rng.random((items, each)) < know[who], truth[:, None], rng.integers(0, 5, (items, each)))
    labels = np.full((items, annotators, 1), -1, dtype=np.int64)
    np.put_along_axis(labels[:, :, 0], who, said, axis=1)
    names = tuple(f"w{place:03d}" for place in range(annotators))
    return Ratings.of_labels(Scale.of("1..5"), tuple(map(str, range(items))), names, labels)


def crowd(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """What 10,000 and 60,000 ratings of 400 annotators take, and one coefficient or one model of a peer's."""
    for items in (3_333, 20_000):
        ratings = crowd_ratings(items, 400)
        shown = f"{3 * items:,} ratings of 400 annotators"
        all_of_it = best_of(options.repeats, lambda ratings=ratings: agreement_of(ratings))
        yield f"ours: {shown}: three coefficients, a line for each annotator", seconds(all_of_it)
        for name in OF_PERSONS:
            alone = best_of(options.repeats, lambda ratings=ratings, name=name: agreement_of(ratings, name))
            yield f"ours: {shown}: {name}, a line for each annotator", seconds(alone)
        model = best_of(options.repeats, lambda ratings=ratings: aggregated(ratings, "dawid-skene", {}))
        yield f"ours: {shown}: Dawid and Skene, and each annotator by it", seconds(model)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "labels.npy"
            np.save(path, ratings.first + 1)
            for peer, what in (("krippendorff", "ordinal alpha alone, without its error"), ("crowdkit", "Dawid and Skene alone")):
                script = str(Path(__file__).with_name("agreement_peers.py"))
                said = process([options.peers_python, script, peer, str(path), "1"]).printed.strip()
                known = " " in said
                yield f"{peer}: {shown}: {what}", seconds(float(said.split()[-1])) if known else "not installed there"


if __name__ == "__main__":
    main()
