"""What distributions are like: where gold or a run has no mass, and who always says the same."""

from __future__ import annotations

import numpy as np

from metameasure.evidence.distributions import Distributions
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.facts import DataFacts, class_traits, facts_of_classes


def facts_of_distributions(evidence: Distributions) -> DataFacts:
    estimates, gold = evidence.estimates, evidence.gold
    known = ~np.isnan(estimates)
    missed, made_up = (estimates <= TIE) & (gold > TIE), (estimates > TIE) & (gold <= TIE)
    empty_gold = float((gold <= TIE).mean())
    even = np.abs(estimates - 1 / gold.shape[1]) <= TIE
    facts = {
        "task": "quantification",
        **facts_of_classes(evidence.scale),
        "topics": len(evidence.topics),
        "runs": len(evidence.runs),
        "zero_mass": {
            "gold": empty_gold,
            "runs": float((estimates[known] <= TIE).mean()) if known.any() else None,
            "topics_where_only_gold_has_mass": int(missed.any(axis=(0, 2)).sum()),
            "topics_where_only_a_run_has_mass": int(made_up.any(axis=(0, 2)).sum()),
        },
        "topics_with_all_gold_in_one_class": int((gold.max(axis=1) >= 1 - TIE).sum()),
        "uniform_runs": [run for run, flat in zip(evidence.runs, (even | ~known).all(axis=(1, 2)), strict=True) if flat],
    }
    return DataFacts(facts, class_traits(facts, evidence.scale))
