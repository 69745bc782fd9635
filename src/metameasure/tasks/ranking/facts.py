"""What rankings are like: sizes of segments, judges, grades, and who ties how much."""

from __future__ import annotations

from metameasure.core.messages import say
from metameasure.evidence.rankings import Rankings
from metameasure.scores.segments import pair_counts
from metameasure.tasks.facts import DataFacts, some_of


def facts_of_rankings(evidence: Rankings) -> DataFacts:
    pairs = pair_counts(evidence).sum(axis=0)
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
        traits["human_ties"] = say("humans tie {tied:.1c}% of the pairs", tied=human)
    if tying:
        most = max(tying, key=lambda run: runs[run] or 0.0)
        traits["run_ties"] = say(
            "{some_runs} pairs, {run} {tied:.1c}% of them",
            some_runs=some_of(tying, evidence.runs, "tie"),
            run=most,
            tied=runs[most] or 0.0,
        )
    return DataFacts(facts, traits, {"human_ties": "humans tie no pair", "grades": "gold has no grades of relevance"})
