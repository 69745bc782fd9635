"""What the papers claim about measures, and what holds on a data set: one list, each claim with its paper and place and with a
function that decides it.

A claim about an order of measures is decided three ways: it *holds* where the numbers are so; it is *within chance* where they
are not, and no difference against it is beyond chance; it is *refuted* where one is. A claim about a number (alike, contradicts)
holds or does not. Where a data set has too few runs or topics, it cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal

import numpy as np

from metameasure.catalogue.registry import Registry
from metameasure.catalogue.sources import AMIGO_2020, AVRAMIDIS_2013, BERGMAIR_2009, SAKAI_2021, SAKAI_LQ_2021, Citation
from metameasure.core.errors import MetameasureError
from metameasure.evaluating.data_sets import flagged
from metameasure.meta.measure_summary import Summary, summary
from metameasure.meta.ranking_similarity import ALIKE
from metameasure.meta.topic_robustness import robustness
from metameasure.meta.unanimous_coverage import coverage
from metameasure.scores.scores import Scores
from metameasure.statistics.rank_correlation import TIE

Outcome = Literal["held", "within chance", "refuted", "cannot tell"]


@dataclass(frozen=True, eq=False)
class Panel:
    """The measures of a claim on one data set, compared with one another."""

    scores: Scores
    found: Summary

    @classmethod
    def of(cls, scores: Scores, measures: Sequence[str], registry: Registry, seed: int) -> Panel | None:
        """These measures among the scores; None where one of them is not there, or they cannot be compared."""
        chosen: Any = {"measures": list(measures), "incomplete": "drop-topics", "registry": registry, "seed": seed}
        try:
            return cls(scores, summary(scores, **chosen)) if {*measures} <= {*scores.ids} else None
        except MetameasureError:
            return None

    def values(self, quality: str) -> dict[str, float]:
        """Each measure's mean tau over splits, its share of pairs told apart, or the sum of both."""
        of_row: dict[str, Callable[[Any], float]] = {
            "consistency": lambda row: row.mean_tau, "power": lambda row: row.power, "both": lambda row: row.mean_tau + row.power,
        }  # fmt: skip
        return {row.measure: float(of_row[quality](row)) for row in self.found.rows}

    def surely(self, better: str, worse: str, quality: str) -> bool:
        """Whether one measure is better than another beyond chance."""
        if quality == "both":
            return self.found.is_worse(worse, better)
        evidence = self.found.evidence
        return bool(getattr(evidence, quality).higher(evidence.alpha)[evidence.place(better), evidence.place(worse)])

    def tau(self, first: str, second: str) -> float:
        """How alike two measures rank the runs."""
        return self.found.similarity.tau_between(first, second)


Decide = Callable[[Panel], Outcome]


@dataclass(frozen=True)
class PaperClaim:
    """Something that a paper says of measures on data."""

    paper: str
    """The number by which the project knows the paper."""
    source: Citation
    says: str
    task: str
    measures: tuple[str, ...]
    decide: Decide
    question: str = "all"
    """The question of ``meta`` whose answer decides it."""

    @property
    def id(self) -> str:
        """A name for links and files: the paper, the place in the list of its claims."""
        of_paper = [one for one in CLAIMS if one.paper == self.paper]
        return f"{self.paper}-{of_paper.index(self) + 1}"

    def on(self, panel: Panel | None) -> Outcome:
        """What holds of it on a data set."""
        return "cannot tell" if panel is None or panel.found.evidence.cannot_tell() else self.decide(panel)


def _ordered(pairs: Sequence[tuple[str, str]], quality: str) -> Decide:
    """The first of every two is at least as good as the second."""

    def decide(panel: Panel) -> Outcome:
        values = panel.values(quality)
        wrong = [(first, second) for first, second in pairs if values[first] < values[second] - TIE]
        if not wrong:
            return "held"
        return "refuted" if any(panel.surely(second, first, quality) for first, second in wrong) else "within chance"

    return decide


def first_among(best: Sequence[str], measures: Sequence[str], quality: str = "both") -> Decide:
    """These are before all others."""
    return _ordered([*product(best, [one for one in measures if one not in best])], quality)


def last_among(worst: Sequence[str], measures: Sequence[str], quality: str) -> Decide:
    """These are behind all others."""
    return _ordered([*product([one for one in measures if one not in worst], worst)], quality)


def alike(measures: Sequence[str]) -> Decide:
    """Every two rank the runs alike: tau is at least .8."""
    return lambda panel: "held" if all(panel.tau(*pair) >= ALIKE - TIE for pair in combinations(measures, 2)) else "refuted"


def apart(one: str, others: Sequence[str]) -> Decide:
    """It ranks the runs like none of the others: tau is below .8."""
    return lambda panel: "held" if all(panel.tau(one, other) < ALIKE for other in others) else "refuted"


def nearer(within: Sequence[str], outside: Sequence[str]) -> Decide:
    """Measures of a family are on average more alike than they are like those outside it."""

    def decide(panel: Panel) -> Outcome:
        own = np.mean([panel.tau(*pair) for pair in combinations(within, 2)])
        other = np.mean([panel.tau(*pair) for pair in product(within, outside)])
        return "held" if own > other else "refuted"

    return decide


def contradicts(one: str, others: Sequence[str]) -> Decide:
    """It and one of the others find opposite differences between the same runs, both significant."""
    return lambda panel: (
        "held" if {*others} & {*next(row for row in panel.found.rows if row.measure == one).contradicts} else "refuted"
    )


def covers_most(one: str, others: Sequence[str], reference: Sequence[str]) -> Decide:
    """It captures more of what the reference measures agree on than the others do."""

    def decide(panel: Panel) -> Outcome:
        names = list(dict.fromkeys((one, *others, *reference)))
        found = coverage(panel.scores, measures=names, reference=list(reference), incomplete="drop-topics")
        values = dict(zip(found.measures, found.coverage.tolist(), strict=True))
        return "held" if all(values[one] >= values[other] - TIE for other in others) else "refuted"

    return decide


def most_robust(best: Sequence[str], others: Sequence[str]) -> Decide:
    """Rankings by one topic are like those by another more than by the others' scores."""

    def decide(panel: Panel) -> Outcome:
        found = robustness(panel.scores, measures=list(dict.fromkeys((*best, *others))), incomplete="drop-topics")
        values = dict(zip(found.measures, found.robustness.tolist(), strict=True))
        return "held" if all(values[one] >= values[other] - TIE for one, other in product(best, others)) else "refuted"

    return decide


_NINE = ("alpha_ordinal", "alpha_interval", "hmpr", "f1_macro", "mae_macro", "kappa_linear", "cem_ord", "accuracy", "mae")
_SIX = ("rnss", "rsnod", "rnod", "nvd", "jsd", "nmd")
_OF_TABLE_3 = ("cem_ord", "cem_flat", "accuracy", "mae", "mae_macro", "mse", "kendall_a", "mutual_information", "f1_macro")
_REFERENCE = ("accuracy", "kendall_a", "mutual_information")
_GROUP_A = ("alpha_interval", "alpha_ordinal", "f1_macro", "hmpr", "kappa_linear", "mae_macro")
_OC, _OQ = "classification", "quantification"
_COVERED = f"coverage {flagged('reference')} {','.join(_REFERENCE)}"
_RANKINGS = ("mrr", "ndcg", "err", "tau@wmt12", "tau@wmt14")

CLAIMS: tuple[PaperClaim, ...] = (
    PaperClaim("000", SAKAI_2021.at("Section 5.4"), "kappa_linear first among nine for ordinal classes", _OC, _NINE,
               first_among(("kappa_linear",), _NINE)),
    PaperClaim("000", SAKAI_2021.at("Section 5.2"), "kappa_linear and the two alphas are the three most consistent of nine", _OC,
               _NINE, first_among(("kappa_linear", "alpha_ordinal", "alpha_interval"), _NINE, "consistency")),
    PaperClaim("000", SAKAI_2021.at("Section 5.2"), "cem_ord and accuracy are the two least consistent of nine", _OC, _NINE,
               last_among(("cem_ord", "accuracy"), _NINE, "consistency")),
    PaperClaim("000", SAKAI_2021.at("Table 4 (IV)"), "six of the nine rank runs alike (Group A)", _OC, _NINE, alike(_GROUP_A),
               "similarity"),
    PaperClaim("000", SAKAI_2021.at("Table 4 (IV)"), "accuracy and mae rank runs alike (Group B)", _OC, _NINE,
               alike(("accuracy", "mae")), "similarity"),
    PaperClaim("000", SAKAI_2021.at("Section 6.2"), "nmd and rsnod are the two least consistent of six", _OQ, _SIX,
               last_among(("nmd", "rsnod"), _SIX, "consistency")),
    PaperClaim("000", SAKAI_2021.at("Section 6.3"), "rnod tells more runs apart than rsnod", _OQ, _SIX,
               _ordered([("rnod", "rsnod")], "power")),
    PaperClaim("000", SAKAI_2021.at("Section 6.4"), "rnod first among six for ordinal distributions", _OQ, _SIX,
               first_among(("rnod",), _SIX)),
    PaperClaim("000", SAKAI_2021.at("Section 6.4"), "nmd ranks runs like no other of the six", _OQ, _SIX,
               apart("nmd", [one for one in _SIX if one != "nmd"]), "similarity"),
    PaperClaim("001", BERGMAIR_2009.at("Section 6"), "mutual_information adds to accuracy: it ranks runs otherwise", "entailment",
               ("a3", "mutual_information"), apart("mutual_information", ("a3",)), "similarity"),
    PaperClaim("002", AVRAMIDIS_2013.at("Section 5"), "measures of one family correlate with each other: mrr, ndcg and err",
               "ranking", _RANKINGS, nearer(("mrr", "ndcg", "err"), ("tau@wmt12", "tau@wmt14")), "similarity"),
    PaperClaim("002", AVRAMIDIS_2013.at("Section 5"), "measures of one family correlate with each other: the two taus",
               "ranking", _RANKINGS, nearer(("tau@wmt12", "tau@wmt14"), ("mrr", "ndcg", "err")), "similarity"),
    PaperClaim("003", AMIGO_2020.at("Section 5.3"), "cem_ord covers accuracy, kendall_a and mutual_information best", _OC,
               _OF_TABLE_3, covers_most("cem_ord", [one for one in _OF_TABLE_3 if one != "cem_ord"], _REFERENCE), _COVERED),
    PaperClaim("003", AMIGO_2020.at("Section 5.3"), "cem_ord covers them better than cem_flat, without the logarithm", _OC,
               _OF_TABLE_3, covers_most("cem_ord", ("cem_flat",), _REFERENCE), _COVERED),
    PaperClaim("003", AMIGO_2020.at("Section 5.4"), "cem_ord, accuracy and f1_macro are the most robust", _OC, _OF_TABLE_3,
               most_robust(("cem_ord", "accuracy", "f1_macro"),
                           [one for one in _OF_TABLE_3 if one not in ("cem_ord", "accuracy", "f1_macro")]), "robustness"),
    PaperClaim("003", AMIGO_2020.at("Section 5.4"), "cem_ord is more robust than cem_flat", _OC, _OF_TABLE_3,
               most_robust(("cem_ord",), ("cem_flat",)), "robustness"),
    PaperClaim("004", SAKAI_LQ_2021.at("Section 5.1"), "rnod tells most runs apart of six", _OQ, _SIX,
               first_among(("rnod",), _SIX, "power")),
    PaperClaim("004", SAKAI_LQ_2021.at("Section 5.2"), "nmd contradicts rnod, nvd, rnss or jsd", _OQ, _SIX,
               contradicts("nmd", ("rnod", "nvd", "rnss", "jsd")), "contradictions"),
)  # fmt: skip
"""What was found on data. What is claimed of formal properties stands in ``properties``, who recommends a measure in its own
file."""
