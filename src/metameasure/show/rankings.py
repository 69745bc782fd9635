"""Findings about rankings as tables: similarity, consistency, robustness."""

from __future__ import annotations

import math

from metameasure.meta.ranking_similarity import Similarity, group_letter
from metameasure.meta.split_consistency import Consistency
from metameasure.meta.topic_robustness import Robustness
from metameasure.show.findings import Cell, below, how_tested, long_table, measure_name, triangle
from metameasure.show.numbers import number
from metameasure.show.table import OutputFormat, Table

_SYMBOLS = "†‡◇♡♣♠♭♯"  # beats the worst 1, 2, ..., 8: Sakai (2021), Table 3
_FEW = 6


def similarity_table(found: Similarity, format: OutputFormat) -> Table:
    """Sakai (2021), Tables 2, 5 and 8, with intervals where there is room."""
    if format.exact:
        return long_table(found)
    roomy = len(found.measures) <= _FEW and not format.paper

    def cell(block: Similarity, i: int, j: int) -> Cell:
        tau, low, high = (matrix[i, j] for matrix in (block.tau, block.low, block.high))
        interval = f" [{low:.2f}, {high:.2f}]" if roomy and not math.isnan(low) else ""
        return f"{tau:.3f}{interval}", block.strength(tau), False

    strong, fair = found.strengths
    groups = ", ".join(f"{group_letter(place)} = {{{', '.join(group)}}}" for place, group in enumerate(found.groups()))
    mean = "mean tau" if found.data else "tau"
    intervals = f"[ ]: {found.level:.0%} bootstrap interval over topics, {found.trials} draws, seed {found.seed}."
    notes = [
        "Kendall's tau (tau-a) between the rankings of the runs by every two measures.",
        intervals if roomy else f"Bootstrap intervals over topics ({found.level:.0%}): --format csv or json.",
        f"Groups at {mean} >= {found.threshold:g}: {groups}.",
    ]
    return triangle(found, format, cell, notes, f"tau >= {strong:g} (blue), >= {fair:g}, below (orange).")


def consistency_table(found: Consistency, format: OutputFormat) -> Table:
    """Sakai (2021), Tables 3, 6 and 9: measures from best to worst, a block for each data set."""
    if format.exact:
        return long_table(found)
    headings = ("measure", "mean τ", "beats worst", "effect vs worst")
    rows: list[tuple[str, ...]] = []
    for block in (*found.data, found):
        if found.data:
            rows.append((f"({block.name}) {block.how()}", "", "", f"V_E2 {_variance(block)}"))
        for place, (measure, tau, beaten) in enumerate(zip(block.measures, block.mean_tau, block.beats(), strict=True)):
            size = block.effect_size[place, -1]
            rows.append((measure_name(measure, format), f"{tau:.3f}{_symbol(beaten)}", str(beaten or ""), number(size, 2)))
    used = sorted({beaten for block in found.parts() for beaten in block.beats() if 0 < beaten <= len(_SYMBOLS)})
    meaning = "/".join(_symbol(beaten) for beaten in used), "/".join(map(str, used))
    notes = [
        f"{found.splits} random splits of the topics ({found.how()}): mean tau between the rankings on both sides.",
        *([f"{meaning[0]}: statistically significantly outperforms the worst {meaning[1]} measure(s)."] if used else []),
        *([f"Significance: {how_tested(found)}."] if len(found.measures) > 1 else []),
        f"Residual variance V_E2 = {_variance(found)}; effect size = difference of mean taus / sqrt(V_E2).",
    ]
    return Table(headings, tuple(rows), frozenset(headings[2:]), notes=below(found, notes))


def _variance(found: Consistency) -> str:
    return "–" if math.isnan(found.residual_variance) else f"{found.residual_variance:.3g}"


def _symbol(beaten: int) -> str:
    if beaten > len(_SYMBOLS):
        return f" ({beaten})"
    return _SYMBOLS[beaten - 1] if beaten else ""


def robustness_table(found: Robustness, format: OutputFormat) -> Table:
    """Measures from the most robust down, a column for each data set."""
    if format.exact:
        return long_table(found)
    columns = [(block.name if found.data else "robustness", block) for block in (*found.data, found)]
    headings = ("measure", *(name for name, _ in columns))
    rows = tuple(
        (measure_name(found.measures[place], format), *(number(block.robustness[place]) for _, block in columns))
        for place in found.order()
    )
    notes = ["Mean Spearman correlation between the scores of the runs on every two topics."]
    flat = {measure: count for measure, count in zip(found.measures, found.flat, strict=True) if count}
    if flat:
        listed = ", ".join(f"{measure} {count}" for measure, count in flat.items())
        notes.append(f"Topics left out because all runs tie: {listed}.")
    return Table(headings, rows, frozenset(headings[1:]), notes=below(found, notes))
