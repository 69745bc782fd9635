"""Rankings written as a table, one row per item, whatever format they came in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.ranking.normalisation import Normalisation, normalise_ranks
from metameasure.errors import UsageError
from metameasure.evidence.rankings import Rankings
from metameasure.show.write import write_table


def write_rankings(rankings: Rankings, path: str | Path, ranks: Normalisation | None) -> None:
    """segment, judge, item, rank, and a column for each run; the format by the ending of the name.

    ``ranks`` says how ties are counted: minimize, floor, ceiling or middle; None leaves ranks as they are. What is not ranked is
    empty. Where a judge has ranked a segment more than once, a column ``ranking`` keeps the rankings apart. Grades of relevance
    stay grades, in a column ``grade``.
    """
    gold, predicted = rankings.gold, rankings.predicted
    if ranks is not None:
        gold, predicted = np.empty_like(gold), np.empty_like(predicted)
        for _, cells, inside in rankings.blocks():
            of_runs, of_gold = rankings.arrays("ranks", cells, inside)
            gold[cells[inside]] = np.asarray(normalise_ranks(of_gold, ranks))[inside]
            predicted[:, cells[inside]] = np.asarray(normalise_ranks(of_runs, ranks))[:, inside]
    sizes = rankings.sizes
    columns: dict[str, Any] = {"segment": np.repeat(np.array(rankings.sources, dtype=object), sizes)}
    if any(judge is not None for judge in rankings.judges):
        columns["judge"] = np.repeat(np.array([judge or "" for judge in rankings.judges], dtype=object), sizes)
    number = _numbers(rankings)
    if number.max() > 1:
        columns["ranking"] = np.repeat(number, sizes)
    columns["item"] = np.array(rankings.item_names, dtype=object)[rankings.items]
    if rankings.gold_scores is not None and ranks is None:
        columns["grade" if rankings.graded else "score"] = rankings.gold_scores
    else:
        columns["rank"] = gold
    taken = [name for name in rankings.runs if name in columns]
    if taken:
        raise UsageError(f"the run '{taken[0]}' has the same name as a column of the table", hint="give it another name")
    columns |= dict(zip(rankings.runs, predicted, strict=True))
    write_table(columns, path, whole=True)


def _numbers(rankings: Rankings) -> Any:
    """Which ranking of its source segment by its judge each is, from 1."""
    times = Counter[tuple[str, str | None]]()
    numbers = []
    for key in zip(rankings.sources, rankings.judges, strict=True):
        times[key] += 1
        numbers.append(times[key])
    return np.array(numbers)
