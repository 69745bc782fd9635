"""What data are like, as far as the choice of a measure depends on it: class sizes, constant runs, orders, ties, judges."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import UsageError
from metameasure.core.notes import counted, listed
from metameasure.core.numbers import percent
from metameasure.core.scale import Scale
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distributions import Distributions
from metameasure.evidence.judgements import Judgements
from metameasure.evidence.rankings import Rankings
from metameasure.scores.segments import segment_evidence
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.entailment.remarks import degrading_merges, own_ranking

RARE = 0.05
"""A class with a smaller share of the items is rare."""
IMBALANCED = 2.0
"""Classes are imbalanced where the largest is so many times as large as the smallest."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DataFacts:
    """What was seen: facts for the JSON, and the traits that recommendations and warnings depend on, each in words. ``absent``
    has words for traits that a recommendation asks for and that are not there."""

    facts: Mapping[str, Any]
    traits: Mapping[str, str] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)

    def said(self, trait: str) -> str:
        """What there is to say of a trait, whether the data have it or not."""
        return self.traits.get(trait) or self.absent.get(trait, "")


@singledispatch
def look(evidence: Evidence) -> DataFacts:
    """What there is to see in the evidence of a task."""
    raise UsageError(f"there is no advice on {evidence.task}", hint="advise is for data that evaluate takes")


@look.register
def _labels(evidence: LabelCounts) -> DataFacts:
    sizes = evidence.gold_items.sum(axis=0)
    facts = {
        "task": "classification",
        **_of_classes(evidence.scale),
        "items": int(sizes.sum()),
        "topics": len(evidence.topics),
        "runs": len(evidence.runs),
        **_sizes(sizes, evidence.scale),
        "topics_without_some_class": int((evidence.gold_items == 0).any(axis=1).sum()),
        "constant_runs": _constant_runs(evidence),
        "weighted": evidence.weighted,
        "clusters": evidence.clusters,
    }
    traits = _class_traits(facts, evidence.scale)
    words = {"constant_runs": _constant_words(facts["constant_runs"], evidence.runs)}
    several = len(facts["constant_runs"]) > 1
    return DataFacts(facts, traits | words if several else traits, {} if several else words)


@look.register
def _judgements(evidence: Judgements) -> DataFacts:
    counts = evidence.counts
    plain = _labels(counts)
    named = counts.runs
    having = {
        name: [run for place, run in enumerate(named) if place not in evidence.lacking(reads)]
        for name, reads in (("confidence", "order@confidence"), ("score", "order@score"))
    }
    sound = (own_ranking(items, evidence.topics)[0] for items in evidence.items)
    unsound = [run for run, one in zip(named, sound, strict=True) if one is not None and not one.sound]
    merging = [
        run for run, table in zip(named, counts.tables().sum(axis=1), strict=True) if degrading_merges(table, counts.scale.labels)
    ]
    entropy = float(default_registry()["gold_entropy"](np.diag(counts.gold_tables().sum(axis=0))))
    facts = {
        **plain.facts,
        "task": "entailment",
        "ordered_by": having,
        "self_contradictory_runs": unsound,
        "runs_that_gain_by_merging_labels": merging,
        "gold_entropy": entropy,
    }
    traits = {name: words for name, words in plain.traits.items() if name != "ordered"}
    if having["confidence"]:
        traits["confidence"] = f"{_of(having['confidence'], named, 'say')} how sure they are"
    if having["score"]:
        traits["beliefs"] = f"{_of(having['score'], named, 'say')} how strongly they believe in {counts.scale.labels[0]}"
    if merging:
        traits["merging"] = f"{counted(len(merging), 'run')} of {len(named)} would gain by giving one label another's name"
    return DataFacts(facts, traits, {**plain.absent, "confidence": "no run says how sure it is of its labels"})


def _of(some: Sized, runs: Sized, verb: str) -> str:
    """2 of 5 runs say, 1 of 5 runs says."""
    return f"{len(some)} of {counted(len(runs), 'run')} {verb}{'s' if len(some) == 1 else ''}"


@look.register
def _distributions(evidence: Distributions) -> DataFacts:
    estimates, gold = evidence.estimates, evidence.gold
    known = ~np.isnan(estimates)
    missed, made_up = (estimates <= TIE) & (gold > TIE), (estimates > TIE) & (gold <= TIE)
    empty_gold = float((gold <= TIE).mean())
    even = np.abs(estimates - 1 / gold.shape[1]) <= TIE
    facts = {
        "task": "quantification",
        **_of_classes(evidence.scale),
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
    return DataFacts(facts, _class_traits(facts, evidence.scale))


@look.register
def _rankings(evidence: Rankings) -> DataFacts:
    pairs = np.nan_to_num(segment_evidence(evidence, default_registry()["tau@wmt12"])).sum(axis=0)
    total = pairs.sum(axis=1)
    by_human, by_run = pairs[:, 2] + pairs[:, 4], pairs[:, 3] + pairs[:, 4]
    human = float(by_human.sum() / total.sum()) if total.sum() else 0.0
    runs = {run: float(tied / all_of) if all_of else None for run, tied, all_of in zip(evidence.runs, by_run, total, strict=True)}
    sizes, judges = evidence.sizes, {judge for judge in evidence.judges if judge is not None}
    tying = [run for run, share in runs.items() if share]
    facts = {
        "task": "ranking",
        "topics": len(evidence.topics),
        "runs": len(evidence.runs),
        "items_per_segment": [int(sizes.min()), int(sizes.max())],
        "judges": len(judges),
        "gold_is": "grades" if evidence.graded else "ranks" if evidence.gold_scores is None else "scores",
        "runs_are": "ranks" if evidence.scores is None else "scores",
        "pairs_tied_by_humans": human,
        "pairs_tied_by_runs": runs,
    }
    traits = {"grades": "gold has grades of relevance"} if evidence.graded else {}
    if human and not evidence.graded:
        traits["human_ties"] = f"humans tie {percent(human)} % of the pairs"
    if tying:
        most = max(tying, key=lambda run: runs[run] or 0.0)
        traits["run_ties"] = f"{_of(tying, evidence.runs, 'tie')} pairs, {most} {percent(runs[most] or 0.0)} % of them"
    return DataFacts(facts, traits, {"human_ties": "humans tie no pair", "grades": "gold has no grades of relevance"})


def _of_classes(scale: Scale) -> dict[str, Any]:
    return {"classes": list(scale.labels), "kind": scale.kind}


def _sizes(sizes: npt.NDArray[np.int64], scale: Scale) -> dict[str, Any]:
    """Class sizes of gold, and which classes are rare or empty."""
    shares = sizes / max(1, sizes.sum())
    return {
        "class_sizes": dict(zip(scale.labels, sizes.tolist(), strict=True)),
        "largest_share": float(shares.max()),
        "smallest_share": float(shares.min()),
        "rare_classes": [label for label, share in zip(scale.labels, shares, strict=True) if 0 < share < RARE],
        "empty_classes": [label for label, size in zip(scale.labels, sizes, strict=True) if not size],
    }


def _class_traits(facts: Mapping[str, Any], scale: Scale) -> dict[str, str]:
    """What the classes and their sizes are like."""
    traits = {}
    if len(scale) == 2:
        traits["two_classes"] = "there are two classes"
    elif scale.kind != "nominal":
        traits["ordered"] = f"the {len(scale)} classes have an order"
    sizes = facts.get("class_sizes")
    if sizes and facts["largest_share"] >= IMBALANCED * facts["smallest_share"]:
        largest, smallest = max(sizes, key=sizes.__getitem__), min(sizes, key=sizes.__getitem__)
        shares = f"{percent(facts['largest_share'])} %", f"{percent(facts['smallest_share'])} %"
        traits["imbalanced"] = f"{largest} has {shares[0]} of the items, {smallest} {shares[1]}"
    if sizes and facts["empty_classes"]:
        traits["empty_classes"] = f"gold has no item of {listed(facts['empty_classes'], 'and')}"
    return traits


def _constant_runs(counts: LabelCounts) -> dict[str, str]:
    """The runs that give every item the same class, with that class."""
    answers = np.zeros((len(counts.runs), len(counts.scale)))
    np.add.at(answers, (counts.cells[:, 0], counts.cells[:, 3]), counts.items)
    return {
        run: counts.scale.labels[int(row.argmax())] for run, row in zip(counts.runs, answers, strict=True) if (row > 0).sum() == 1
    }


def _constant_words(constant: Mapping[str, str], runs: Sized) -> str:
    """How many runs are constant."""
    if not constant:
        return "no run always gives the same class"
    return f"{_of(constant, runs, 'always give')} the same class ({listed(list(constant), 'and')})"
