"""Sets of labels, by default a million items and 20 labels: the five measures that are shown first, here and by scikit-learn,
from indicators in memory and from files with a set such as ``l1|l7`` for each item. Each in a process of its own, files warm;
seconds of processor time, and the most memory.

python benchmarks/multilabel.py [--items 1000000] [--labels 20]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from harness import process

OURS_ARRAYS = """
import sys, time
import numpy as np
import metameasure as mm
gold, run = np.load(sys.argv[1]), np.load(sys.argv[2])
names = [f"l{place}" for place in range(gold.shape[1])]
mm.evaluate(gold[:9], {"run": run[:9]}, task="multilabel", classes=names)
start = time.process_time()
found = mm.evaluate(gold, {"run": run}, task="multilabel", classes=names)["run"]
print(*(found[name] for name in sys.argv[3:]), time.process_time() - start)
"""
PEER_ARRAYS = """
import sys, time
import numpy as np
from sklearn.metrics import accuracy_score, f1_score, hamming_loss
gold, run = np.load(sys.argv[1]), np.load(sys.argv[2])
start = time.process_time()
found = [f1_score(gold, run, average=average, zero_division=1.0 if average == "samples" else 0.0)
         for average in ("micro", "macro", "samples")]
found += [hamming_loss(gold, run), accuracy_score(gold, run)]
print(*found, time.process_time() - start)
"""
OURS_FILES = """
import sys, time
import metameasure as mm
labels = sys.argv[3].split(",")
mm.evaluate([labels[:1]], {"run": [labels[:1]]}, task="multilabel", classes=labels)
start = time.process_time()
found = mm.evaluate(sys.argv[1], [sys.argv[2]], task="multilabel", classes=labels)["run"]
print(*(found[name] for name in sys.argv[4:]), time.process_time() - start)
"""
PEER_FILES = """
import sys, time
import pandas as pd
from sklearn.metrics import accuracy_score, f1_score, hamming_loss
from sklearn.preprocessing import MultiLabelBinarizer
start = time.process_time()
both = [pd.read_csv(path, sep="\\t", dtype=str, keep_default_na=False).set_index("item")["label"] for path in sys.argv[1:3]]
made = MultiLabelBinarizer(classes=sys.argv[3].split(","))
gold, run = (made.fit_transform([one.split("|") if one else [] for one in side]) for side in (both[0], both[1][both[0].index]))
found = [f1_score(gold, run, average=average, zero_division=1.0 if average == "samples" else 0.0)
         for average in ("micro", "macro", "samples")]
found += [hamming_loss(gold, run), accuracy_score(gold, run)]
print(*found, time.process_time() - start)
"""
MEASURES = ("f1_micro", "f1_macro", "f1_samples", "hamming_loss", "subset_accuracy")


def made_up(folder: Path, items: int, labels: int) -> None:
    """Gold and a run, as indicators and as files."""
    rng = np.random.default_rng(0)
    gold = rng.random((items, labels)) < np.linspace(0.4, 0.02, labels)
    run = np.where(rng.random(gold.shape) < 0.05, ~gold, gold)
    names = [f"l{place}" for place in range(labels)]
    for name, matrix in (("gold", gold), ("run", run)):
        np.save(folder / f"{name}.npy", matrix.astype(np.int8))
        with (folder / f"{name}.tsv").open("w", encoding="utf-8") as file:
            file.write("item\tlabel\n")
            for item, row in enumerate(matrix):
                file.write(f"{item}\t{'|'.join(names[place] for place in np.flatnonzero(row))}\n")


def measured(program: str, *arguments: str | Path) -> tuple[list[float], float, float]:
    """The scores, the seconds and the megabytes of a program."""
    done = process([sys.executable, "-c", program, *map(str, arguments)])
    *found, seconds = map(float, done.printed.split())
    return found, seconds, done.megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--labels", type=int, default=20)
    asked = parser.parse_args()
    names = ",".join(f"l{place}" for place in range(asked.labels))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        made_up(folder, asked.items, asked.labels)
        arrays, files = (folder / "gold.npy", folder / "run.npy"), (folder / "gold.tsv", folder / "run.tsv")
        for what, ours, peer in (
            ("arrays", (OURS_ARRAYS, *arrays, *MEASURES), (PEER_ARRAYS, *arrays)),
            ("files", (OURS_FILES, *files, names, *MEASURES), (PEER_FILES, *files, names)),
        ):
            (found, seconds, room), (theirs, their_seconds, their_room) = measured(*ours), measured(*peer)
            assert np.allclose(found, theirs, atol=1e-9), (found, theirs)  # noqa: S101
            print(
                f"{what:8}{asked.items:,} x {asked.labels}: {seconds:.2f} s, {room:.0f} MB; scikit-learn {their_seconds:.2f} s, "
                f"{their_room:.0f} MB; ratio {seconds / their_seconds:.2f}"
            )


if __name__ == "__main__":
    main()
