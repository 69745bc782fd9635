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
    empty. A judge's second ranking of a source segment is by JUDGE#2: a table has nothing else to keep the two apart.
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
    judges = judges_apart(rankings)
    if any(judges):
        columns["judge"] = np.repeat(np.array(judges, dtype=object), sizes)
    columns["item"] = np.array(rankings.item_names, dtype=object)[rankings.items]
    columns["rank"] = gold
    taken = [name for name in rankings.runs if name in columns]
    if taken:
        raise UsageError(f"the run '{taken[0]}' is called like a column of the table", hint="give it another name")
    columns |= dict(zip(rankings.runs, predicted, strict=True))
    write_table(columns, path, whole=True)


def judges_apart(rankings: Rankings) -> list[str]:
    """Who made each ranking, empty for nobody; with a number from the second ranking of the same source segment on."""
    given = [judge or "" for judge in rankings.judges]
    known, times = set(given), Counter[tuple[str, str]]()
    for place, (source, judge) in enumerate(zip(rankings.sources, given, strict=True)):
        times[source, judge] += 1
        if times[source, judge] > 1:
            name = f"{judge}#{times[source, judge]}"
            while name in known:
                name += "'"
            given[place] = name
    return given
