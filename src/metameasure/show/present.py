"""How each kind of result looks. A new kind registers itself here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from metameasure.show.charts import chart_of
from metameasure.show.coverage import coverage_table, summary_table
from metameasure.show.deltas import deltas_table
from metameasure.show.rankings import consistency_table, robustness_table, similarity_table
from metameasure.show.significance import contradictions_table, discrimination_table, overlap_table
from metameasure.show.table import OutputFormat, Table

_TABLES: dict[type, Callable[[Any, OutputFormat], Table | list[Table]]] = {
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


def tables_of(result: Presentable, format: OutputFormat) -> list[Table]:
    """The tables that show a result."""
    shown = _TABLES[type(result)](result, format)
    return [shown] if isinstance(shown, Table) else shown


def draw(result: Presentable) -> Any:
    """A result as a figure."""
    return chart_of(result)
