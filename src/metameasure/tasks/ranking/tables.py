"""What a run's scores are made of: its pairs of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.core.messages import caption, note, sentence
from metameasure.core.notes import counted
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.rankings import Rankings
from metameasure.scores.segments import pair_counts
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.names import all_named, is_shown, named
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Integers
from metameasure.tasks.ranking.remarks import PAIR_KEYS
from metameasure.tasks.run_tables import RunTables


@dataclass(frozen=True, eq=False)
class PairTables(RunTables):
    """``pairs`` (runs, 5): how many pairs are concordant, discordant, tied by the human only, by the run only, and by both."""

    caption: ClassVar[str] = "Pairs of items"

    runs: tuple[str, ...]
    pairs: Integers
    segments: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        entries = [
            {"run": run, "pairs": dict(zip(PAIR_KEYS, row.tolist(), strict=True))}
            for run, row in zip(self.runs, self.pairs, strict=True)
        ]
        return {
            "segments": self.segments,
            "runs": entries,
            **self.signed_notes(self.notes),
        }

    def all_runs(self) -> Sequence[str]:
        return self.runs

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("run", *(name.replace("_", " ") for name in PAIR_KEYS), "pairs")
        each = zip(self.runs, self.pairs.tolist(), strict=True)
        rows = tuple((named(run), *map(str, row), str(sum(row))) for run, row in each if is_shown(run))
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=tuple(map(sentence, self.notes)))]

    def numbers(self) -> dict[str, str]:
        """Of each run: its pairs."""
        return {run: digest_of_numbers([tuple(row)]) for run, row in zip(self.runs, self.pairs, strict=True)}

    def full_table(self) -> Table:
        return Table.of({"run": list(self.runs), **{name: self.pairs[:, place].tolist() for place, name in enumerate(PAIR_KEYS)}})

    def draw(self, width: float) -> Figure:
        """A heat map: runs down, kinds of pairs across, by their shares."""
        shown = [place for place, run in enumerate(self.runs) if is_shown(run)]
        pairs, runs = self.pairs[shown], all_named([self.runs[place] for place in shown])
        shares = pairs / np.maximum(1, pairs.sum(axis=1, keepdims=True))
        names = [name.replace("_", " ") for name in PAIR_KEYS]
        texts = [list(map(str, row)) for row in pairs.tolist()]
        said = caption("Darker: a larger share of the run's pairs.")
        return heat_maps([HeatMap("", shares, runs, names, texts)], width, notes=[said])


def pair_tables(evidence: Rankings) -> PairTables:
    pairs = pair_counts(evidence).sum(axis=0)
    notes = (
        note(
            "pairs within segments",
            "pairs of items within {segments}",
            segments=counted(len(evidence.topics), evidence.topic_word),
        ),
        *evidence.notes,
    )
    return PairTables(evidence.runs, np.rint(pairs).astype(np.int64), len(evidence.topics), notes)
