"""Avramidis (2013): normalisation, RankEval's measures on its own example and sample, and Figure 1 on simulated experiments."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.ranking import rankeval
from metameasure.catalogue.ranking.normalisation import Normalisation, normalise_ranks
from metameasure.catalogue.registry import default_registry
from metameasure.catalogue.sources import AVRAMIDIS_2013
from metameasure.evaluating.evaluate import evaluate
from metameasure.meta.ranking_similarity import similarity
from metameasure.scores.scores import Scores
from metameasure.show.table import Drawing
from metameasure.show.write import write_table
from metameasure.simulation.simulate import simulate
from metameasure.studies.drawings.lines import ordered_lines
from metameasure.studies.frozen import beside, frozen
from metameasure.studies.study import MADE_UP, Setting, Study, Value, found, need_not, printed

# Section 3.6: one ranking as it may be written, and as each normalisation has it.
WRITTEN = ("1 2 2 3 4", "1 2 2 4 5", "1 3 3 4 5", "1 2.5 2.5 4 5")
NORMALISED: dict[Normalisation, str] = {
    "minimize": "1 2 2 3 4",
    "floor": "1 2 2 4 5",
    "ceiling": "1 3 3 4 5",
    "middle": "1 2.5 2.5 3 4",
}
_MIDDLE = "the bullet prints 3 and 4 for the last two; the paragraph above it has 4 and 5, which is right (erratum)"
# A comment in the released program has this example: predicted ranks of five sentences, and the humans'; and what it prints.
EXAMPLE = (
    ([1, 2, 3, 4], [2, 3, 1, 4]),
    ([2, 3, 1, 4], [1, 2, 3, 4]),
    ([1, 2, 3, 4], [1, 2, 3, 4]),
    ([2, 3, 1, 4], [2, 3, 1, 4]),
    ([1, 2, 3, 4], [1, 2, 3, 4]),
)
EXAMPLE_SCORES = {"tau": "0.7333", "mrr": "0.7667", "ndgc": "0.9112", "err": "0.8142", "avg_predicted_ranked": "1.6"}
# Predicted and human ranks of three sentences: with ties of the prediction, of the human and of both, no two taus are the same.
TIED = (((1, 3, 1, 4, 1, 4), (2, 2, 3, 1, 4, 1)), ((2, 1, 3, 3, 3, 1), (4, 3, 1, 1, 3, 1)), ((1, 1, 4, 1), (1, 2, 2, 4)))
# What the program prints of the sample that comes with it: two ways to predict the ranks, by their attributes in the file.
SAMPLE_SCORES = {
    "rank_len": {"tau": "0.04", "mrr": "0.5578", "ndgc": "0.7355", "err": "0.5409", "avg_predicted_ranked": "3.1176"},
    "rank_bucket": {"tau": "-0.28", "mrr": "0.4382", "ndgc": "0.6312", "err": "0.3038", "avg_predicted_ranked": "3.6471"},
}
BEST_PREDICTED = {"rank_len": "41.18 11.76 23.53 17.65 5.88", "rank_bucket": "29.41 5.88 23.53 35.29 5.88"}
_OVERWRITTEN = "in the program tied predictions overwrite one another; here each keeps its gain"
# Figure 1: all measures, the experiments ordered by the first.
FIGURE_1 = ("mrr", "tau@wmt12", "tau@wmt14", "ndcg", "err", "best_vs_human@1", "average_predicted_rank")


def values(setting: Setting) -> Iterator[Value]:
    """What the paper prints, what its program prints, and Figure 1 on simulated experiments."""
    yield from _normalisation()
    yield from _example()
    yield from _ties()
    yield from frozen("experiments", "similarity")
    if "rankeval2013" in setting.data:
        yield from _sample(setting)
    yield from _figure_1(setting)


def _normalisation() -> Iterator[Value]:
    for how, text in NORMALISED.items():
        for written in WRITTEN:
            ours = normalise_ranks([float(rank) for rank in written.split()], how)
            value = Value("Section 3.6: normalisation", how, f"of {written}", text, " ".join(f"{rank:g}" for rank in ours))
            yield need_not(value, _MIDDLE) if how == "middle" else value


def _example() -> Iterator[Value]:
    """Every measure as RankEval defines it, over the sentences; tau over all their pairs."""
    predicted, human = (np.array(side, dtype=float) for side in zip(*EXAMPLE, strict=True))
    for name, text in EXAMPLE_SCORES.items():
        measure = default_registry()[rankeval.MEASURES[name]]
        # No sentence has ties and all are as long, so that tau over all pairs is the mean.
        yield printed("RankEval's own example", name, measure.id, text, np.mean(measure(predicted, human)))


def _ties() -> Iterator[Value]:
    """Sections 3.1.2 and 3.1.3: every way to count ties, over the pairs of all sentences."""
    taus = [name for name in default_registry() if name.startswith("tau@") and name != "tau@darr"]
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        for place, name in enumerate(("run", "gold")):
            rows = [(sentence, item, rank) for sentence, both in enumerate(TIED) for item, rank in enumerate(both[place])]
            columns = dict(zip(("segment", "item", "rank"), zip(*rows, strict=True), strict=True))
            write_table({name: np.array(cells) for name, cells in columns.items()}, Path(scratch) / f"{name}.csv")
        scores = evaluate(f"{scratch}/gold.csv", f"{scratch}/run.csv", task="ranking", measures=taus)
    pooled = scores.to_dict()["runs"][0]["pooled"]
    ours = {(measure, "all pairs"): value for measure, value in pooled.items()}
    yield from beside("examples", "ties", "Section 3.1: three sentences with ties", ours)


def _sample(setting: Setting) -> Iterator[Value]:
    """The sample that comes with the program, in jcml."""
    file = next(iter(sorted(setting.data.folders["rankeval2013"].glob("*.jcml"))), None)
    if file is None:
        return
    names = [*rankeval.MEASURES.values(), *(rankeval.best_vs_human(rank) for rank in range(1, 6))]
    scores = evaluate(str(file), task="ranking", run_columns=list(SAMPLE_SCORES), measures=names, compat="rankeval")
    entries: dict[str, dict[str, Any]] = {entry["run"]: entry for entry in scores.to_dict()["runs"]}
    for run, expected in SAMPLE_SCORES.items():
        for name, text in expected.items():
            which = "pooled" if name == "tau" else "scores"
            value = printed("RankEval's sample", name, run, text, entries[run][which][rankeval.MEASURES[name]])
            yield need_not(value, _OVERWRITTEN) if name in ("ndgc", "err") else value
        for rank, text in enumerate(BEST_PREDICTED[run].split(), start=1):
            ours = 100 * entries[run]["scores"][rankeval.best_vs_human(rank)]
            yield printed("RankEval's sample", f"bph_{rank}, in %", run, text, ours)


def experiments(setting: Setting) -> Scores:
    """The simulated experiments of Figure 1, which are drawn too."""
    return setting.once("experiments", lambda: simulate("qe78", seed=setting.seed).evaluate(list(FIGURE_1)))


def with_plugins(setting: Setting, added: Sequence[Measure]) -> Iterator[Value]:
    """Measures of plugins over the experiments of Figure 1, and how alike they and the others order them."""
    scores = simulate("qe78", seed=setting.seed).evaluate([*FIGURE_1, *added])
    alike = similarity(scores, trials=1, incomplete="drop-topics")
    for measure, line in zip(scores.measures, scores.averages(), strict=True):
        if measure not in added:
            continue
        for run, ours in zip(scores.runs, line.tolist(), strict=True):
            yield found("Figure 1, simulated", run, measure.id, ours, MADE_UP)
        place = alike.measures.index(measure.id)
        for other, tau in zip(alike.measures, alike.tau[place], strict=True):
            if other != measure.id:
                yield found("Section 5: tau between measures, simulated", measure.id, other, tau, MADE_UP)


def drawings(setting: Setting) -> Iterator[Drawing]:
    """Figure 1."""
    yield ordered_lines("figure-1", experiments(setting), "mrr", MADE_UP)


def _figure_1(setting: Setting) -> Iterator[Value]:
    """78 experiments in the order of their MRR, and how far the measures agree about that order."""
    scores = experiments(setting)
    means = scores.averages()
    for place in np.argsort(-means[0], kind="stable").tolist():
        for measure, ours in zip(FIGURE_1, means[:, place], strict=True):
            yield found("Figure 1, simulated", scores.runs[place], measure, ours, MADE_UP)
    alike = similarity(scores, trials=1, incomplete="drop-topics")
    for i, j in combinations(range(len(alike.measures)), 2):
        yield found("Section 5: tau between measures, simulated", alike.measures[i], alike.measures[j], alike.tau[i, j], MADE_UP)


STUDY = Study(
    "avramidis2013",
    AVRAMIDIS_2013,
    runs=(
        "Section 3.6: every way to write a ranking, in every normalisation.",
        "Every measure, as the released program defines it, on the example in its code; and on its sample, where that is there.",
        "Sections 3.1.2 and 3.1.3: three sentences with ties, on which every tau comes to something else.",
        "Figure 1: all measures over 78 simulated experiments, ordered by MRR; and how far they order them alike.",
    ),
    cannot=(
        (
            "Figure 1 with its own experiments",
            "the 78 experiments, and the predictions they made, were never published; the figure prints no numbers",
        ),
        (
            "the program's sample",
            "it is not in this package. A copy of the program has it, as jcml: put it into a folder `rankeval2013` (`--data`)",
        ),
    ),
    values=values,
    reads=("rankeval2013",),
    tasks=("ranking",),
    with_plugins=with_plugins,
    drawings=drawings,
)
