"""All taus, MRR, NDCG and ERR of many short segments in one pass, beside SciPy's kendalltau in a loop and ranx's evaluate.

Human ranks have ties; predictions are scores without ties, and in a second table scores with many. SciPy computes tau-b alone,
ranx MRR and NDCG alone (its objects are built beforehand); ours computes nine measures of pairs and three of lists.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import numpy as np
from harness import agree, best_of, compared, installed, machine, not_installed, peak_memory, peer, print_table, settle_memory

import metameasure as mm
from metameasure.catalogue.measure import score_together
from metameasure.catalogue.ranking.normalisation import normalise_ranks

TAUS = ("tau@wmt08", "tau@wmt12", "tau@wmt13", "tau@wmt14", "tau@xties", "tau@a", "tau@b", "tau@eq", "pairwise_accuracy")
MEASURES = (*TAUS, "mrr", "ndcg", "err")
ITEMS = 5
GOALS = {"SciPy": ">= 500 x", "ranx": ">= 20 x"}


def made_up(segments: int, seed: int, *, tied: bool) -> tuple[Any, Any]:
    """Human ranks 1 to 5, and predictions of which the lowest is best."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, ITEMS + 1, (segments, ITEMS)).astype(float)
    scores = gold + rng.normal(0, 2, gold.shape)
    return (np.round(scores) if tied else scores), gold


def ours(predicted: Any, gold: Any) -> dict[str, Any]:
    measures = [mm.measures[name] for name in MEASURES]
    return dict(zip(MEASURES, score_together(measures, predicted, gold), strict=True))


def scipy_loop(predicted: Any, gold: Any) -> list[float]:
    kendalltau = peer("scipy.stats").kendalltau
    return [kendalltau(output, human).statistic for output, human in zip(predicted, gold, strict=True)]


def ranx_objects(predicted: Any, gold: Any) -> tuple[Any, Any, Any]:
    """Relevance as ours makes it of ranks; for MRR the best items alone are relevant."""
    ranx = peer("ranx")
    relevance = (ITEMS + 1 - normalise_ranks(gold, "floor")).astype(int)
    items = [f"item {number}" for number in range(ITEMS)]
    graded, best, run = ({}, {}, {})
    for number, (grades, output) in enumerate(zip(relevance.tolist(), (-predicted).tolist(), strict=True)):
        name = f"segment {number}"
        graded[name] = dict(zip(items, grades, strict=True))
        best[name] = {item: 1 for item, grade in graded[name].items() if grade == ITEMS}
        run[name] = dict(zip(items, output, strict=True))
    return ranx.Qrels(graded), ranx.Qrels(best), ranx.Run(run)


def ranx_time(predicted: Any, gold: Any, found: dict[str, Any], repeats: int, *, tied: bool) -> float:
    """The seconds of ranx, whose values agree with ours."""
    evaluate = peer("ranx").evaluate
    graded, best, run = ranx_objects(predicted, gold)
    if not tied:  # ranx breaks ties by the order of the items
        agree("NDCG", found["ndcg"].mean(), evaluate(graded, run, "ndcg_burges"), within=1e-10)
        agree("MRR", found["mrr"].mean(), evaluate(best, run, "mrr"), within=1e-10)
    return best_of(repeats, lambda: evaluate(graded, run, ["mrr", "ndcg_burges"]))


def compare(options: argparse.Namespace, *, tied: bool) -> None:
    predicted, gold = made_up(options.segments, options.seed, tied=tied)
    some = slice(options.peer_segments)
    found = ours(predicted, gold)
    # Where the human ties all items both are undefined.
    agree("tau-b", np.nan_to_num(found["tau@b"][some]), np.nan_to_num(scipy_loop(predicted[some], gold[some])), within=1e-10)
    own = best_of(options.repeats, lambda: ours(predicted, gold))
    loop = best_of(1, lambda: scipy_loop(predicted[some], gold[some])) * options.segments / len(predicted[some])
    times = {"SciPy tau-b": loop}
    if installed("ranx"):
        times["ranx MRR, NDCG"] = ranx_time(predicted, gold, found, options.repeats, tied=tied)
    print_table(
        f"{options.segments:,} segments of {ITEMS} items, predictions {'with' if tied else 'without'} ties "
        f"(SciPy: timed on {len(predicted[some]):,} and scaled up)",
        ("peer", "all of ours (s)", "peer (s)", "ratio", "goal"),
        [(name, *compared(own, time), GOALS[name.split()[0]]) for name, time in times.items()],
    )


def long_lists(options: argparse.Namespace) -> None:
    rng = np.random.default_rng(options.seed)
    predicted, gold = rng.random((100, 1100)), rng.integers(1, 5, (100, 1100)).astype(float)
    rows = []
    for name in ("tau@b", "mrr", "ndcg", "err"):
        measure = mm.measures[name]
        taken = best_of(1, lambda measure=measure: measure(predicted, gold))
        rows.append((name, f"{taken:.4f}", f"{peak_memory(lambda measure=measure: measure(predicted, gold)):.1f}"))
    print_table("100 segments of 1,100 items", ("measure", "ours (s)", "peak memory (MB)"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segments", type=int, default=100_000, help="segments to score (default: %(default)s)")
    parser.add_argument("--peer-segments", type=int, default=2_000, help="segments that SciPy scores (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=7, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up ranks (default: %(default)s)")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", module="ranx")  # numba's, about its own casts
    print(machine("scipy", *(["ranx"] if installed("ranx") else [])))
    if not installed("ranx"):
        print(not_installed("ranx"))
    settle_memory()
    for tied in (False, True):
        compare(options, tied=tied)
    long_lists(options)


if __name__ == "__main__":
    main()
