"""Scores from a file, of our own measures or of any others."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.messages import legend
from metameasure.core.numbers import json_number, number
from metameasure.reading.inputs import expand
from metameasure.scores.files import ScoreMatrix, marks
from metameasure.scores.files import read_scores as read_file
from metameasure.scores.matrix import place_of
from metameasure.scores.scores import frame_of
from metameasure.show.table import OutputFormat, Presentable, Table
from metameasure.show.write import write_table
from metameasure.statistics.arrays import mean_of_defined


class SavedScores(tuple[ScoreMatrix, ...], Presentable):
    """A matrix for each measure. ``saved["svm"]`` has a run's means over topics, by measure."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """A run's means, by measure; or by its place the matrix of a measure."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        run = self.runs[place_of(key, self.runs)]
        return {matrix.measure: _means(matrix)[run] for matrix in self if run in matrix.runs}

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(matrix.measure for matrix in self)

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(run for matrix in self for run in matrix.runs))

    @property
    def baselines(self) -> frozenset[str] | None:
        """Which of the runs are baselines, where the scores say so."""
        marked = [matrix.baselines for matrix in self if matrix.baselines is not None]
        return frozenset().union(*marked) if marked else None

    def to_dict(self) -> dict[str, Any]:
        known = self.baselines or frozenset()
        return {
            "measures": [{"id": matrix.measure, "topics": len(matrix.topics)} for matrix in self],
            "runs": [
                {
                    "run": run,
                    "scores": {id: json_number(mean) for id, mean in self[run].items()},
                    **({"baseline": True} if run in known else {}),
                }
                for run in self.runs
            ],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("run", *(measure or "score" for measure in self.measures))
        rows = tuple((run, *(number(self[run].get(measure, np.nan), 4) for measure in self.measures)) for run in self.runs)
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=(legend("Means over topics."),))]

    def full_table(self) -> Table:
        return Table.of({name: column.tolist() for name, column in self.long().items()})

    def long(self) -> dict[str, Any]:
        """All scores as columns: measure, topic, run, score; and baseline, where they say so."""
        parts = [(m.measure, topic, run) for m in self for topic in m.topics for run in m.runs]
        names = {
            name: np.array([part[place] for part in parts], dtype=object)
            for place, name in enumerate(("measure", "topic", "run"))
        }
        scores = {"score": np.concatenate([matrix.values.ravel() for matrix in self])}
        return names | scores | marks(names["run"], self.baselines)

    def to_frame(self, library: str | None = None) -> Any:
        """All scores in a data frame: measure, topic, run, score."""
        return frame_of({name: column.tolist() for name, column in self.long().items()}, library)

    def save(self, path: str | Path) -> None:
        """All scores as a file of the columns measure, topic, run, score; the format goes by the ending of the name."""
        write_table(self.long(), path)


def _means(matrix: ScoreMatrix) -> dict[str, float]:
    """Each run's mean over the topics on which it has a score; NaN where it has none."""
    return dict(zip(matrix.runs, mean_of_defined(matrix.values, 0).tolist(), strict=True))


def read_scores(file: str | Path, *, format_in: str | None = None) -> SavedScores:
    """The scores in a file. ``compare``, ``design`` and all of ``meta`` take them.

    Parameters
    ----------
    file : path
        What ``Scores.save`` and ``evaluate --scores`` write, any table with the columns measure, topic, run, score, or a
        matrix of another tool with topics down and runs across.
    format_in : str, optional
        The format, if it is not recognised.

    Returns
    -------
    SavedScores
        The matrices, one for each measure.

    Raises
    ------
    DataError
        If a cell is wrong; the message says in which line.

    Examples
    --------
    >>> import metameasure as mm, tempfile
    >>> scores = mm.evaluate([1, 2, 2], {"a": [1, 2, 1]}, classes=[1, 2], measures="accuracy,mae")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     scores.save(f"{folder}/scores.csv")
    ...     [matrix.measure for matrix in mm.read_scores(f"{folder}/scores.csv")]
    ['accuracy', 'mae']

    """
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        (shown, path), *more = expand([file], Path(scratch))
        if more:
            raise UsageError(f"'{file}' matches {len(more) + 1} files", hint="name one file of scores")
        return SavedScores(read_file(shown, path, Path(scratch), format_in=format_in))
