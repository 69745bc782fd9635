"""Small sets of ratings from the literature, and how to write ratings down."""

from pathlib import Path

import numpy as np

_HERE = Path(__file__).parents[1]
SHARED = next((one for one in _HERE.parents if (one / "shared/data").is_dir()), _HERE.parent) / "shared/data"
# Krippendorff's 12 units by 4 raters, which are Gwet's cac.raw4raters too.
K = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . .",
    "C": ". 3 3 3 2 3 4 2 2 5 1 3",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}
# Fleiss's counts of 14 raters, 10 items by 5 classes.
F = np.array(
    [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]
)  # fmt: skip
# Shrout and Fleiss's 6 targets by 4 judges.
S = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])


def by_annotator(rows):
    """``{annotator: {item: label}}`` from a line of labels for each annotator, . where there is none."""
    return {who: {f"i{place}": cell for place, cell in enumerate(row.split()) if cell != "."} for who, row in rows.items()}


def persons(labels, classes):
    """(items, annotators, C) from labels (items, annotators) that are 1..C, 0 where there is none."""
    return np.concatenate([np.zeros((1, classes)), np.eye(classes)])[np.asarray(labels)]


def matrix(rows):
    """(items, annotators) from a line of labels for each annotator; 0 where there is none."""
    return np.array([[0 if cell == "." else int(cell) for cell in row.split()] for row in rows.values()]).T
