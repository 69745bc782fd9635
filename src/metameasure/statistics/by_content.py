"""Orders made of data alone: what is drawn for topics, items or clusters in such an order does not depend on what they and the
runs are called, nor on the order in which they come.

Rows (topics, units) and columns (runs) of a table are told apart by what stands in them: the colour of a column is a sum over its
cells, each mixed with the colour of its row, and the other way round, until no further row or column becomes distinct (the
refinement of Weisfeiler and Leman). Rows that stay alike have the same cells, so that either may come first.
"""

from __future__ import annotations

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Integers
from metameasure.statistics.streams import GOLDEN, Words, mixed

_DECIMALS = 12  # numbers that differ only behind these are the same but for rounding


def words_of(values: ArrayLike) -> Words:
    """Numbers as words that are equal where those are, but for rounding."""
    rounded = np.round(np.asarray(values, dtype=np.float64), _DECIMALS) + 0.0
    return mixed(np.ascontiguousarray(rounded).view(np.uint64))


def words_of_rows(values: ArrayLike) -> Words:
    """(..., numbers) as a word for each row of numbers, which depends on their order."""
    each = words_of(values)
    with np.errstate(over="ignore"):
        return np.asarray(mixed(each + np.arange(each.shape[-1], dtype=np.uint64) * GOLDEN).sum(axis=-1, dtype=np.uint64))


def order_by_content(
    cells: Words, *, rows: Words | None = None, columns: Words | None = None, groups: Integers | None = None
) -> tuple[Integers, Integers]:
    """The places of the rows, and of the columns, of a table (rows, columns) in an order that depends on its content alone.

    ``rows`` and ``columns`` are what is known of each besides its cells. Rows of one of the ``groups`` (rows,), whatever its
    number, are told by the others of their group too.
    """
    row = np.zeros(cells.shape[0], dtype=np.uint64) if rows is None else rows.astype(np.uint64)
    column = np.zeros(cells.shape[1], dtype=np.uint64) if columns is None else columns.astype(np.uint64)
    row, column = _told_apart(cells, row, column, groups)
    while (alike := _first_alike(cells, column)) is not None:
        column[alike] ^= GOLDEN
        row, column = _told_apart(cells, row, column, groups)
    return np.argsort(row, kind="stable"), np.argsort(column, kind="stable")


def _told_apart(cells: Words, row: Words, column: Words, groups: Integers | None) -> tuple[Words, Words]:
    """The colours of rows and columns that take part in telling each other apart, until that tells no more of them apart."""
    distinct = 0
    with np.errstate(over="ignore"):
        while True:
            column = mixed(column + mixed(cells ^ mixed(row)[:, None]).sum(axis=0, dtype=np.uint64))
            row = mixed(row + mixed(cells ^ mixed(column + GOLDEN)).sum(axis=1, dtype=np.uint64))
            if groups is not None:
                together = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.uint64)
                np.add.at(together, groups, mixed(row))
                row = mixed(row + together[groups])
            now = len(np.unique(row)) + len(np.unique(column))
            if now == distinct:
                return row, column
            distinct = now


def _first_alike(cells: Words, column: Words) -> int | None:
    """A column with the same colour as another one whose cells differ; None if there is no such column."""
    order = np.argsort(column, kind="stable")
    for place in np.flatnonzero(np.diff(column[order]) == 0).tolist():
        if not np.array_equal(cells[:, order[place]], cells[:, order[place + 1]]):
            return int(order[place])
    return None
