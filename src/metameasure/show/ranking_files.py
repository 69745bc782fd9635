"""Rankings written as a table, one row per item, whatever format they came in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.ranking.normalisation import Normalisation, normalise
from metameasure.evidence.rankings import Rankings
from metameasure.show.write import write_table


def write_rankings(rankings: Rankings, path: str | Path, ranks: Normalisation | None) -> None:
    """segment, judge, item, rank, and a column for each run; the format by the ending of the name.

    ``ranks`` says how ties are counted: minimize, floor, ceiling or middle; None leaves ranks as they are. What is not ranked is
    empty.
    """
    gold, predicted = rankings.gold, rankings.predicted
    if ranks is not None:
        gold, predicted = np.empty_like(gold), np.empty_like(predicted)
        for _, cells, inside in rankings.blocks():
            of_runs, of_gold = rankings.arrays("ranks", cells, inside)
            gold[cells[inside]] = np.asarray(normalise(of_gold, ranks))[inside]
            predicted[:, cells[inside]] = np.asarray(normalise(of_runs, ranks))[:, inside]
    sizes = rankings.sizes
    columns: dict[str, Any] = {"segment": np.repeat(np.array(rankings.sources, dtype=object), sizes)}
    if any(judge is not None for judge in rankings.judges):
        columns["judge"] = np.repeat(np.array([judge or "" for judge in rankings.judges], dtype=object), sizes)
    columns["item"] = np.array(rankings.item_names, dtype=object)[rankings.items]
    columns["rank"] = gold
    columns |= dict(zip(rankings.runs, predicted, strict=True))
    write_table(columns, path)
