"""Write the data that ``metameasure demo`` runs on: 480 made-up tweets about 12 topics on a five-point scale, and six runs.

Each run errs in a way of its own, so that measures disagree about them. The same seed gives the same files.
"""

from pathlib import Path

import numpy as np

DEMO = Path(__file__).parents[1] / "src" / "metameasure" / "demo"
CLASSES = np.arange(-2, 3)
TOPICS = (
    "airline",
    "bank",
    "budget",
    "coffee",
    "election",
    "film",
    "football",
    "museum",
    "phone",
    "recycling",
    "school",
    "train",
)


def clipped(labels):
    return np.clip(labels, -2, 2)


def main():
    rng = np.random.default_rng(2016)
    topics = np.repeat(TOPICS, 40)
    leaning = np.repeat(rng.normal(0.3, 0.5, len(TOPICS)), 40)
    gold = clipped(np.rint(rng.normal(leaning, 0.95)).astype(int))
    right = {
        name: rng.random(len(gold)) < share
        for name, share in {"careful": 0.62, "bold": 0.6, "shifted": 0.35, "coarse": 0.5, "noisy": 0.55}.items()
    }
    step = rng.choice([-1, 1], len(gold))
    runs = {
        # Right most of the time, otherwise one step off.
        "careful": np.where(right["careful"], gold, clipped(gold + step)),
        # As often right, but its errors go anywhere.
        "bold": np.where(right["bold"], gold, rng.choice(CLASSES, len(gold))),
        # The order of the tweets is right, the level is not.
        "shifted": np.where(right["shifted"], gold, clipped(gold + 1)),
        # Never the ends of the scale.
        "coarse": np.where(right["coarse"], np.clip(gold, -1, 1), 0),
        # Right or neutral.
        "noisy": np.where(right["noisy"], gold, np.where(rng.random(len(gold)) < 0.6, 0, rng.permutation(gold))),
        # Always neutral.
        "neutral": np.zeros_like(gold),
    }
    ids = [f"{topic}-{number:02}" for topic in TOPICS for number in range(1, 41)]
    for name, labels in {"gold": gold, **runs}.items():
        rows = "".join(f"{item}\t{topic}\t{label}\n" for item, topic, label in zip(ids, topics, labels, strict=True))
        file = DEMO / "gold.tsv" if name == "gold" else DEMO / "runs" / f"{name}.tsv"
        file.write_text("item\ttopic\tlabel\n" + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
