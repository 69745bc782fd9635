"""How each kind of result looks. A new kind registers itself here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from metameasure.comparison import Comparison, Comparisons
from metameasure.errors import UsageError
from metameasure.item_comparison import Difference
from metameasure.meta.discriminative_power import Discrimination
from metameasure.meta.measure_summary import Summary
from metameasure.meta.ranking_similarity import Similarity
from metameasure.meta.score_deltas import Deltas
from metameasure.meta.significance_contradictions import Contradictions
from metameasure.meta.significance_overlap import Overlap
from metameasure.meta.split_consistency import Consistency
from metameasure.meta.topic_robustness import Robustness
from metameasure.meta.unanimous_coverage import Coverage
from metameasure.presentable import Presentable
from metameasure.scores.cube import Scores
from metameasure.show.charts import chart
from metameasure.show.comparison import comparison_table, comparisons_table, difference_table
from metameasure.show.coverage import coverage_table, summary_table
from metameasure.show.deltas import deltas_table
from metameasure.show.design import design_table
from metameasure.show.leaderboard import leaderboard
from metameasure.show.rankings import consistency_table, robustness_table, similarity_table
from metameasure.show.significance import contradictions_table, discrimination_table, overlap_table
from metameasure.show.table import RENDERERS, Table
from metameasure.topic_set_size import Design

_TABLES: dict[type, Callable[[Any, str], Table | list[Table]]] = {
    Scores: leaderboard,
    Comparison: comparison_table,
    Comparisons: comparisons_table,
    Design: design_table,
    Difference: difference_table,
    Similarity: similarity_table,
    Consistency: consistency_table,
    Discrimination: discrimination_table,
    Overlap: overlap_table,
    Contradictions: contradictions_table,
    Deltas: deltas_table,
    Coverage: coverage_table,
    Robustness: robustness_table,
    Summary: summary_table,
}


def present(result: Presentable, format: str) -> str:
    """A result in one of the formats of the interface, or as HTML for a notebook."""
    if format == "json":
        return json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if format not in RENDERERS:
        raise UsageError(f"there is no format '{format}'", hint=f"choose one of json, {', '.join(RENDERERS)}")
    shown = _TABLES[type(result)](result, format)
    return "\n".join(table.render(format) for table in ([shown] if isinstance(shown, Table) else shown))


def draw(result: Presentable, path: str | Path | None = None) -> Any:
    """A result as a figure, and in a file where one is named."""
    return chart(result, path)
