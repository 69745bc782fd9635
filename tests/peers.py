"""Other programs that compute what we compute: which function of theirs is which measure or statistic of ours, and where the two
are known to differ.

One row is one function of a peer. Every row is tried on every case of its kind, random ones and the awkward ones; a known
deviation is a kind of case in which the numbers differ, and why. What differs elsewhere is a fault, and so is a deviation that
shows in no case any more. ``python tests/peers.py`` writes docs/peers.md, which the tests compare with this table.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import metameasure as mm
from metameasure.catalogue.explain import page_name
from metameasure.statistics.alt_test import one_sided_p
from metameasure.statistics.anova import residual_variance
from metameasure.statistics.correlation import fisher_interval, pearson
from metameasure.statistics.item_tests import mcnemar
from metameasure.statistics.paired import corrected, permutation_test
from metameasure.statistics.power import field_power
from metameasure.statistics.rank_correlation import kendall_tau_a, tied_ranks
from metameasure.statistics.studentised_range import studentised_range_sf
from metameasure.statistics.tukey import classical_tukey_hsd
from naive import cases, distances, table

MODULES = {
    "CatBoost": "catboost",
    "ir_measures": "ir_measures",
    "krippendorff": "krippendorff",
    "mlquantify": "mlquantify",
    "pytrec_eval": "pytrec_eval",
    "QuaPy": "quapy",
    "ranx": "ranx",
    "scikit-learn": "sklearn",
    "SciPy": "scipy",
    "statsmodels": "statsmodels",
}
PARTS = (
    *("catboost.utils", "mlquantify.metrics", "quapy.error", "scipy.spatial.distance", "scipy.stats", "sklearn.metrics"),
    *("sklearn.metrics.cluster", "statsmodels.regression.linear_model", "statsmodels.stats.contingency_tables"),
    *("statsmodels.stats.inter_rater", "statsmodels.stats.multitest", "statsmodels.stats.power"),
)
"""Modules of peers that are not loaded with them."""
DOCS = Path(__file__).parents[1] / "docs" / "peers.md"


@dataclass(frozen=True)
class Deviation:
    """Where a peer gives another number, in words and as a condition on a case; and why ours is what it is."""

    where: str
    when: Callable[[Any], bool]
    why: str


@dataclass(frozen=True)
class Row:
    """One function of a peer. ``ours`` is an id, or the name of a function in ``STATISTICS``; ``call`` says how theirs is called;
    ``theirs`` is given their top module and a case. A ValueError of theirs is taken for "undefined"."""

    ours: str
    peer: str
    call: str
    cases: str
    theirs: Callable[[Any, Any], Any]
    deviations: tuple[Deviation, ...] = ()
    tolerance: float = 1e-10

    def __str__(self) -> str:
        return f"{self.ours} by {self.peer}: {self.call}"

    def value(self, case: Any) -> Any:
        """Our value of the case."""
        return STATISTICS[self.ours](case) if self.ours in STATISTICS else KINDS[self.cases].score(self.ours, case)


@dataclass(frozen=True)
class Kind:
    """A kind of cases: how they are drawn, and how a measure of ours scores one."""

    draw: Callable[[], Iterator[Any]]
    score: Callable[[str, Any], Any] | None = None


# Labels: gold's and the output's classes, from 0, of so many declared ones.


@dataclass(frozen=True)
class Labels:
    gold: np.ndarray
    output: np.ndarray
    size: int

    @property
    def both(self) -> set[int]:
        return {*self.gold.tolist(), *self.output.tolist()}

    @property
    def constant(self) -> bool:
        return len(set(self.gold.tolist())) < 2 or len(set(self.output.tolist())) < 2


def draw_labels() -> Iterator[Labels]:
    """Corners first (one item, constant sides, reversal), then classes that gold or the output lacks, skewed ones, ..."""
    for size in (2, 3, 5):
        for gold, output in cases(size, seed=2)[1:]:
            yield Labels(np.array(gold), np.array(output), size)


def score_labels(name: str, case: Labels) -> Any:
    if name == "f1@1+3" and case.size < 3:
        return math.nan
    given = {"distance": distances(case.size)} if name.endswith("_weighted") and name[0] in "ak" else {}
    classes = [str(number) for number in range(1, case.size + 1)]
    return mm.measures[name](table(case.gold, case.output, case.size), classes=classes, **given)


# Distributions: the estimate and gold.


def draw_distributions() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Dense ones, with classes that one side lacks, point masses, equal ones."""
    rng = np.random.default_rng(3)
    for size in (2, 3, 5):
        dense, sparse = rng.dirichlet(np.ones(size), 16), rng.multinomial(4, np.full(size, 1 / size), 16) / 4
        points = np.eye(size)
        yield from zip(dense[:8], dense[8:], strict=True)
        yield from zip(sparse[:8], sparse[8:], strict=True)
        yield from zip(dense[:8], sparse[:8], strict=True)
        yield from zip(sparse[:8], dense[:8], strict=True)
        yield from zip(points, points[::-1], strict=True)
        yield from zip(dense[:4], dense[:4], strict=True)


def score_distributions(name: str, case: tuple[np.ndarray, np.ndarray]) -> Any:
    return mm.measures[name](*case)


# Rankings: the output's scores, higher is better, and gold's grades, 0 is not relevant.


@dataclass(frozen=True)
class Ranking:
    scores: np.ndarray
    grades: np.ndarray

    @property
    def tied(self) -> bool:
        return len(np.unique(self.scores)) < len(self.scores)

    @property
    def binary(self) -> np.ndarray:
        return (self.grades > 0).astype(int)

    def trec(self, grades: np.ndarray | None = None) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
        """Qrels and run of one topic, as programs of TREC take them."""
        names = [f"d{place:02}" for place in range(len(self.scores))]
        judged = (self.grades if grades is None else grades).tolist()
        return {"t": dict(zip(names, judged, strict=True))}, {"t": dict(zip(names, self.scores.tolist(), strict=True))}


def draw_rankings() -> Iterator[Ranking]:
    """Without ties and with, one item, all tied, nothing relevant, everything relevant."""
    rng = np.random.default_rng(4)
    for items in (2, 5, 12):
        for _ in range(8):
            yield Ranking(rng.permutation(items) / 4, rng.integers(0, 4, items))
            yield Ranking(rng.integers(0, max(2, items // 2), items) / 4, rng.integers(0, 4, items))
        yield Ranking(np.ones(items), rng.permutation(items))
        yield Ranking(rng.permutation(items) / 4, np.zeros(items, dtype=int))
        yield Ranking(rng.permutation(items) / 4, np.full(items, 2))
    yield Ranking(np.array([0.5]), np.array([2]))


def score_rankings(name: str, case: Ranking) -> Any:
    if name.startswith("tau"):  # gold's ranks, 1 is best
        return mm.measures[name](-case.scores, -case.grades)
    return mm.measures[name](-case.scores, case.binary if name.startswith(("average_precision", "mrr")) else case.grades)


# Ratings: classes (items, annotators), from 1, 0 where there is none; q declared ones.


@dataclass(frozen=True)
class Ratings:
    labels: np.ndarray
    size: int

    @property
    def persons(self) -> np.ndarray:
        return (self.labels[..., None] == np.arange(1, self.size + 1)).astype(int)

    @property
    def counts(self) -> np.ndarray:
        return self.persons.sum(axis=1)

    @property
    def gaps(self) -> bool:
        return bool((self.labels == 0).any())

    @property
    def constant(self) -> bool:
        return len(np.unique(self.labels[self.labels > 0])) < 2


def draw_ratings() -> Iterator[Ratings]:
    """With and without gaps, two and more annotators, all in one class, all agreed."""
    rng = np.random.default_rng(5)
    for annotators in (2, 4):
        for items in (3, 12, 40):
            truth = rng.integers(1, 5, items)
            noisy = np.where(rng.random((items, annotators)) < 0.6, truth[:, None], rng.integers(1, 5, (items, annotators)))
            yield Ratings(noisy, 4)
            yield Ratings(np.where(rng.random(noisy.shape) < 0.2, 0, noisy), 4)
            yield Ratings(np.where(noisy == 2, 1, noisy), 4)
            yield Ratings(np.repeat(truth[:, None], annotators, axis=1), 4)
        yield Ratings(np.full((6, annotators), 3), 4)


def score_ratings(name: str, case: Ratings) -> Any:
    found = mm.measures[name]
    if name.startswith("alpha"):
        from metameasure.catalogue.agreement.ratings import coincidences

        return found(coincidences(case.counts.astype(float)) / 2, classes=[str(k) for k in range(1, case.size + 1)])
    return found(case.persons if found.reads == "persons" else case.counts, classes=[str(k) for k in range(1, case.size + 1)])


# Scores of systems on topics, p-values, numbers.


def draw_matrices() -> Iterator[np.ndarray]:
    rng = np.random.default_rng(6)
    for topics, systems in ((3, 2), (8, 2), (10, 3), (8, 5)):
        yield rng.random((topics, 1)) + rng.random((topics, systems)) / 4
        yield rng.integers(0, 3, (topics, systems)).astype(float)


def draw_pairs_of_systems() -> Iterator[np.ndarray]:
    yield from (matrix[:, :2] for matrix in draw_matrices())
    yield np.array([[0.5, 0.25], [0.75, 0.5], [0.5, 0.25]])  # the same difference on every topic


def draw_p_values() -> Iterator[np.ndarray]:
    rng = np.random.default_rng(7)
    yield from (rng.random(number) ** 3 for number in (1, 2, 10, 30))
    yield np.array([0.01, 0.01, 0.04, 1.0, 0.04])


def draw_wins() -> Iterator[tuple[int, int]]:
    yield from ((0, 1), (1, 0), (3, 3), (2, 7), (7, 2), (10, 40), (356, 310))


def draw_ranges() -> Iterator[tuple[float, int, int]]:
    yield from ((0.5, 2, 5), (3.0, 3, 12), (4.2, 10, 60), (2.0, 5, 8))


def draw_power() -> Iterator[tuple[float, float, int]]:
    """Variance, difference and topics."""
    yield from ((0.04, 0.1, 20), (0.0219, 0.1, 37), (0.04, 0.02, 8), (0.01, 0.0, 12), (0.04, 0.3, 60))


def draw_vectors() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(8)
    for number in (1, 2, 3, 4, 9, 30):
        yield rng.random(number), rng.random(number)
        yield rng.integers(0, 3, number).astype(float), rng.integers(0, 3, number).astype(float)
    yield np.ones(5), rng.random(5)


KINDS = {
    "labels": Kind(draw_labels, score_labels),
    "distributions": Kind(draw_distributions, score_distributions),
    "rankings": Kind(draw_rankings, score_rankings),
    "ratings": Kind(draw_ratings, score_ratings),
    "scores of systems": Kind(draw_matrices),
    "scores of two systems": Kind(draw_pairs_of_systems),
    "p-values": Kind(draw_p_values),
    "wins": Kind(draw_wins),
    "ranges": Kind(draw_ranges),
    "designs": Kind(draw_power),
    "vectors": Kind(draw_vectors),
}


def _fisher(case: tuple[np.ndarray, np.ndarray]) -> list[float]:
    return list(fisher_interval(pearson(*case), len(case[0])))


STATISTICS: dict[str, Callable[[Any], Any]] = {
    "Holm's correction": lambda p: corrected(p, "holm"),
    "Benjamini and Hochberg's correction": lambda p: corrected(p, "bh"),
    "Benjamini and Yekutieli's correction": lambda p: corrected(p, "by"),
    "McNemar's exact test": lambda wins: mcnemar(*wins),
    "studentised range": lambda case: studentised_range_sf(*case),
    "Tukey's HSD test": lambda scores: classical_tukey_hsd(scores)[np.triu_indices(scores.shape[1], 1)],
    "permutation test": lambda scores: permutation_test(scores, trials=20_000)[0, 1],
    "residual variance": residual_variance,
    "power of a t test": lambda case: field_power(case[0])(case[2], case[1]),
    "Pearson's correlation": lambda case: pearson(*case),
    "Fisher's interval": _fisher,
    "tied ranks": lambda case: tied_ranks(case[1]),
    "Kendall's tau-a": lambda case: kendall_tau_a(*case),
    "one-sided t test": lambda case: one_sided_p(case[0] - case[1], 0.2),
}


# How peers are called.


def _unique_gold(function: str, **options: Any) -> Callable[[Any, Labels], Any]:
    def call(sklearn: Any, case: Labels) -> Any:
        return getattr(sklearn.metrics, function)(case.gold, case.output, average="macro", zero_division=0, **options)

    return call


def _of_first(function: str, labels: tuple[int, ...] = (0,)) -> Callable[[Any, Labels], Any]:
    def call(sklearn: Any, case: Labels) -> Any:
        if max(labels) >= case.size:
            return math.nan
        return getattr(sklearn.metrics, function)(case.gold, case.output, labels=list(labels), average="macro", zero_division=0)

    return call


def _per_class(function: str) -> Callable[[Any, Labels], Any]:
    def call(sklearn: Any, case: Labels) -> Any:
        return getattr(sklearn.metrics, function)(case.gold, case.output, sample_weight=1 / np.bincount(case.gold)[case.gold])

    return call


def _sk(function: str, **options: Any) -> Callable[[Any, Labels], Any]:
    return lambda sklearn, case: getattr(sklearn.metrics, function)(case.gold, case.output, **options)


def _contingency(axis: int) -> Callable[[Any, Labels], Any]:
    def call(sklearn: Any, case: Labels) -> Any:
        return sklearn.metrics.cluster.contingency_matrix(case.gold, case.output).max(axis).sum() / len(case.gold)

    return call


def _correlation(function: str) -> Callable[[Any, Labels], Any]:
    return lambda scipy, case: getattr(scipy.stats, function)(case.gold, case.output).statistic


def _statsmodels_kappa(weights: str | None) -> Callable[[Any, Labels], Any]:
    def call(statsmodels: Any, case: Labels) -> Any:
        return statsmodels.stats.inter_rater.cohens_kappa(table(case.gold, case.output, case.size), wt=weights).kappa

    return call


def _alpha(level: Any, first: int = 0) -> Callable[[Any, Labels], Any]:
    def call(krippendorff: Any, case: Labels) -> Any:
        domain = range(first, case.size + first)
        return krippendorff.alpha([case.gold + first, case.output + first], value_domain=domain, level_of_measurement=level)

    return call


def _by_matrix(*_: Any, i1: Any, i2: Any, n_v: Any, **__: Any) -> Any:
    return np.array(distances(len(n_v)))[i1, i2] ** 2


def _alpha_of_ratings(level: str) -> Callable[[Any, Ratings], Any]:
    def call(krippendorff: Any, case: Ratings) -> Any:
        data = np.where(case.labels > 0, case.labels, np.nan).astype(float).T
        return krippendorff.alpha(data, level_of_measurement=level, value_domain=range(1, case.size + 1))

    return call


def _catboost_labels(metric: str) -> Callable[[Any, Labels], Any]:
    def call(catboost: Any, case: Labels) -> Any:
        several = (case.output[:, None] == np.arange(case.size)).astype(float)
        return catboost.utils.eval_metric(case.gold.astype(float), case.output - 0.5 if case.size == 2 else several, metric)[0]

    return call


def _catboost_ranking(metric: str, labels: Callable[[Ranking], Any]) -> Callable[[Any, Ranking], Any]:
    def call(catboost: Any, case: Ranking) -> Any:
        group = np.zeros(len(case.scores), dtype=int)
        return catboost.utils.eval_metric(labels(case).astype(float), case.scores, metric, group_id=group)[0]

    return call


def _quapy(function: str, **options: Any) -> Callable[[Any, Any], Any]:
    def call(quapy: Any, case: Any) -> Any:
        return getattr(quapy.error, function)(case[1], case[0], **options)

    return call


def _mlquantify(function: str) -> Callable[[Any, Any], Any]:
    def call(mlquantify: Any, case: Any) -> Any:
        return getattr(mlquantify.metrics, function)(case[1], case[0])

    return call


def _pytrec(measure: str) -> Callable[[Any, Ranking], Any]:
    def call(pytrec_eval: Any, case: Ranking) -> Any:
        qrels, run = case.trec()
        return pytrec_eval.RelevanceEvaluator(qrels, {measure}).evaluate(run)["t"][measure.replace(".", "_")]

    return call


def _ir_measures(measure: str) -> Callable[[Any, Ranking], Any]:
    def call(ir_measures: Any, case: Ranking) -> Any:
        asked = ir_measures.parse_measure(measure)
        return ir_measures.calc_aggregate([asked], *case.trec())[asked]

    return call


def _ranx(metric: str) -> Callable[[Any, Ranking], Any]:
    def call(ranx: Any, case: Ranking) -> Any:
        qrels, run = case.trec()
        return ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metric)

    return call


def _average_precision(sklearn: Any, case: Ranking) -> Any:
    return sklearn.metrics.average_precision_score(case.binary, case.scores)


def _gain(function: str, **options: Any) -> Callable[[Any, Ranking], Any]:
    return lambda sklearn, case: getattr(sklearn.metrics, function)([case.grades], [case.scores], **options)


def _fleiss(method: str) -> Callable[[Any, Ratings], Any]:
    def call(statsmodels: Any, case: Ratings) -> Any:
        return statsmodels.stats.inter_rater.fleiss_kappa(case.counts, method=method)

    return call


def _friedman(scipy: Any, case: Ratings) -> Any:
    """Chi-squared over its largest value. The items are its treatments."""
    items, annotators = case.labels.shape
    return scipy.stats.friedmanchisquare(*case.labels).statistic / (annotators * (items - 1))


def _two_annotators(sklearn: Any, case: Ratings) -> Any:
    if case.labels.shape[1] != 2:
        return math.nan
    return sklearn.metrics.cohen_kappa_score(*case.labels.T)


def _multipletests(method: str) -> Callable[[Any, Any], Any]:
    def call(statsmodels: Any, p: Any) -> Any:
        return statsmodels.stats.multitest.multipletests(p, method=method)[1]

    return call


def _statsmodels_mcnemar(statsmodels: Any, wins: tuple[int, int]) -> Any:
    return statsmodels.stats.contingency_tables.mcnemar([[5, wins[0]], [wins[1], 9]], exact=True).pvalue


def _two_way_residual(statsmodels: Any, scores: np.ndarray) -> Any:
    topics, systems = scores.shape
    of_topic, of_system = np.eye(topics).repeat(systems, axis=0), np.tile(np.eye(systems), (topics, 1))[:, 1:]
    return statsmodels.regression.linear_model.OLS(scores.ravel(), np.hstack([of_topic, of_system])).fit().mse_resid


def _t_power(statsmodels: Any, case: tuple[float, float, int]) -> Any:
    variance, difference, topics = case
    return statsmodels.stats.power.TTestPower().power(difference / math.sqrt(2 * variance), topics, 0.05)


def _tukey(scipy: Any, scores: np.ndarray) -> Any:
    return scipy.stats.tukey_hsd(*scores.T).pvalue[np.triu_indices(scores.shape[1], 1)]


def _exact_permutations(scipy: Any, scores: np.ndarray) -> Any:
    def gap(first: Any, second: Any, axis: int) -> Any:
        return (first - second).mean(axis=axis)

    return scipy.stats.permutation_test(tuple(scores.T), gap, permutation_type="samples", vectorized=True).pvalue


def _interval(scipy: Any, case: Any) -> Any:
    low, high = scipy.stats.pearsonr(*case).confidence_interval()
    return [low, high]


# What deviations have in common.

LACKS = Deviation(
    "the output has a class that gold lacks",
    lambda case: bool(set(case.output.tolist()) - set(case.gold.tolist())),
    "they average over all classes of gold and of the output, we average over gold's, so that a run cannot change them",
)
UNSEEN = Deviation(
    "a declared class is on neither side",
    lambda case: len(case.both) < case.size,
    "they take the classes from the data, so that the classes around a gap become neighbours; we use the declared scale. With "
    "labels=range(C) they give our value",
)
CONSTANT_IS_ZERO = Deviation("gold or the output is constant", lambda case: case.constant, "they give 0, we say undefined")


def _lacks_first(*sides: str) -> Callable[[Labels], bool]:
    return lambda case: all(0 not in getattr(case, side) for side in sides)


ONE_OF_TWO = Deviation(
    "neither side has one of the classes",
    lambda case: case.size > 2 and not {0, 2} <= case.both,
    "they give that class an F1 of 0, we say undefined",
)
ONE_ITEM = Deviation("there is one item", lambda case: len(case.scores) == 1, "they refuse, we score it")
AS_ONE_STEP = Deviation(
    "scores are tied",
    lambda case: case.tied,
    "they treat a tie as one step of the curve, with the precision at its end; we take the mean over all orders",
)
TIES_LAST = Deviation(
    "scores are tied", lambda case: case.tied, "they put the worst of tied items first; we take the mean over all orders"
)
NOTHING_IS_PERFECT = Deviation("nothing is relevant", lambda case: not case.grades.any(), "they give 1, we say undefined")
AGREED_ON_ONE = Deviation(
    "gold and the output have only one class, the same",
    lambda case: len(case.both) == 1,
    "they give -1, we say undefined",
)
FEW = Deviation("there are two or three cases", lambda case: len(case[0]) in (2, 3), "they give -1 to 1, we say undefined")
TIED_VECTORS = Deviation(
    "a value is tied",
    lambda case: any(len(np.unique(side)) < len(side) for side in case),
    "theirs is tau-b, which leaves ties out of the denominator; tau-a is what the field uses to compare rankings of systems",
)
ALL_EQUAL = Deviation(
    "all differences are equal",
    lambda case: np.ptp(case[0] - case[1]) == 0,
    "they say undefined; the alt-test regards a difference that is the same on every item as certain",
)
ABSOLUTE_LOGARITHM = Deviation(
    "the estimate is not gold, or a side lacks a class",
    lambda case: not np.allclose(*case) or bool((np.array(case) == 0).any()),
    "they take the absolute value of each class's logarithm and normalise class by class, which is not the measure they cite",
)
MORE_THAN_TWO = Deviation(
    "there are more than two annotators", lambda case: case.labels.shape[1] > 2, "theirs is for two; conger is for any number"
)
TIES_BY_NAME = Deviation(
    "scores are tied",
    lambda case: case.tied,
    "they order tied documents by name; we take the mean over all orders (--compat trec_eval gives their value)",
)
TIES_AS_THEY_COME = Deviation(
    "scores are tied",
    lambda case: case.tied,
    "the order of tied documents depends on their sorting algorithm; we take the mean over all orders",
)
NOTHING_RELEVANT = Deviation(
    "nothing is relevant",
    lambda case: not case.grades.any(),
    "they give 0, we say undefined (--undefined zero gives their value)",
)


def _gaps(why: str) -> Deviation:
    return Deviation("a rating is missing", lambda case: case.gaps, why)


REFUSED_GAPS = _gaps("they refuse; we take each item's own ratings")
NO_GAPS = _gaps("to them a gap is a rating like any other; we leave items with one out")
EMPTY_GOLD = Deviation("gold lacks a class", lambda case: (case[1] == 0).any(), "they give infinity, we say undefined")
EMPTY = Deviation(
    "a side lacks a class",
    lambda case: (np.array(case) == 0).any(),
    "without smoothing 0 log 0 is undefined to them; to us it is 0",
)
UNPAIRED = Deviation(
    "always",
    lambda scores: True,
    "theirs is for independent groups, ours is paired by topic: what is hard for all systems does not count as noise",
)


def _row(ours: str, peer: str, call: str, theirs: Any, *deviations: Deviation, cases: str = "labels", **more: Any) -> Row:
    return Row(ours, peer, call, cases, theirs, deviations, **more)


BOTH_CONSTANT = Deviation(
    "gold and the output have one class each",
    lambda case: len(set(case.gold)) == len(set(case.output)) == 1,
    "they give 1, we say undefined",
)
ALL_ALONE = Deviation(
    "each item has a class of its own on both sides",
    lambda case: len(case.gold) == len(set(case.gold)) == len(set(case.output)),
    "they give 1, we say undefined",
)
ONE_LABEL = Deviation("there is one item", lambda case: len(case.gold) == 1, "they give 1, we say undefined")
NO_PAIR = Deviation(
    "in gold no two items are together",
    lambda case: len(case.gold) == len(set(case.gold)),
    "they give 0, we say undefined",
)
SKLEARN = (
    ("accuracy", "accuracy_score", _sk("accuracy_score")),
    ("macro_recall", "balanced_accuracy_score", _sk("balanced_accuracy_score")),
    ("macro_precision", "precision_score(average='macro')", _unique_gold("precision_score"), LACKS),
    ("f1_macro", "f1_score(average='macro')", _unique_gold("f1_score"), LACKS),
    ("f1_weighted", "f1_score(average='weighted')", _sk("f1_score", average="weighted")),
    ("fbeta_macro@beta=2", "fbeta_score(beta=2, average='macro')", _unique_gold("fbeta_score", beta=2), LACKS),
    ("fbeta_weighted@beta=0.5", "fbeta_score(beta=0.5, average='weighted')", _sk("fbeta_score", beta=0.5, average="weighted")),
    (
        *("precision_weighted", "precision_score(average='weighted')"),
        _sk("precision_score", average="weighted", zero_division=0),
    ),
    ("jaccard_macro", "jaccard_score(average='macro')", _unique_gold("jaccard_score"), LACKS),
    ("jaccard_weighted", "jaccard_score(average='weighted')", _sk("jaccard_score", average="weighted", zero_division=0)),
    ("jaccard_micro", "jaccard_score(average='micro')", _sk("jaccard_score", average="micro")),
    (
        *("adjusted_balanced_accuracy", "balanced_accuracy_score(adjusted=True)"),
        _sk("balanced_accuracy_score", adjusted=True),
        Deviation("gold has one class", lambda case: len(set(case.gold)) == 1, "they divide by 0, we say undefined"),
    ),
    ("homogeneity", "homogeneity_score", _sk("homogeneity_score"), BOTH_CONSTANT),
    ("completeness", "completeness_score", _sk("completeness_score"), BOTH_CONSTANT),
    ("nmi", "v_measure_score", _sk("v_measure_score"), BOTH_CONSTANT),
    *(
        (
            *(f"nmi@{mean}", f"normalized_mutual_info_score(average_method='{mean}')"),
            _sk("normalized_mutual_info_score", average_method=mean),
            BOTH_CONSTANT,
        )
        for mean in ("geometric", "min", "max")
    ),
    ("ami", "adjusted_mutual_info_score", _sk("adjusted_mutual_info_score"), BOTH_CONSTANT, ALL_ALONE),
    ("ari", "adjusted_rand_score", _sk("adjusted_rand_score"), BOTH_CONSTANT, ALL_ALONE),
    ("rand", "rand_score", _sk("rand_score"), ONE_LABEL),
    ("fowlkes_mallows", "fowlkes_mallows_score", _sk("fowlkes_mallows_score"), NO_PAIR),
    (
        *("precision@1", "precision_score(labels=[0])", _of_first("precision_score")),
        Deviation("neither side has the class", _lacks_first("gold", "output"), "they give 0, we say undefined"),
    ),
    (
        *("recall@1", "recall_score(labels=[0])", _of_first("recall_score")),
        Deviation("gold lacks the class", _lacks_first("gold"), "they give 0, we say undefined"),
    ),
    (
        *("f1@1", "f1_score(labels=[0])", _of_first("f1_score")),
        Deviation("neither side has the class", _lacks_first("gold", "output"), "they give 0, we say undefined"),
    ),
    ("mcc", "matthews_corrcoef", _sk("matthews_corrcoef"), CONSTANT_IS_ZERO),
    ("kappa", "cohen_kappa_score", _sk("cohen_kappa_score")),
    ("kappa_linear", "cohen_kappa_score(weights='linear')", _sk("cohen_kappa_score", weights="linear"), UNSEEN),
    ("kappa_quadratic", "cohen_kappa_score(weights='quadratic')", _sk("cohen_kappa_score", weights="quadratic"), UNSEEN),
    ("mae", "mean_absolute_error", _sk("mean_absolute_error")),
    ("mse", "mean_squared_error", _sk("mean_squared_error")),
    ("rmse", "root_mean_squared_error", _sk("root_mean_squared_error")),
    ("mae_macro", "mean_absolute_error(sample_weight=1 / class size)", _per_class("mean_absolute_error")),
    ("mse_macro", "mean_squared_error(sample_weight=1 / class size)", _per_class("mean_squared_error")),
    (
        "mutual_information",
        "mutual_info_score / log(2)",
        lambda sk, c: sk.metrics.mutual_info_score(c.gold, c.output) / math.log(2),
    ),
    ("f1@1+3", "f1_score(labels=[0, 2], average='macro')", _of_first("f1_score", labels=(0, 2)), ONE_OF_TWO),
    ("purity", "cluster.contingency_matrix, largest of each column", _contingency(0)),
    ("inverse_purity", "cluster.contingency_matrix, largest of each row", _contingency(1)),
)
SKLEARN_RANKINGS = (
    ("ndcg@gain=linear:relevance=given", "ndcg_score", _gain("ndcg_score"), NOTHING_RELEVANT, ONE_ITEM),
    ("ndcg@3:gain=linear:relevance=given", "ndcg_score(k=3)", _gain("ndcg_score", k=3), NOTHING_RELEVANT, ONE_ITEM),
    ("dcg@gain=linear:relevance=given", "dcg_score", _gain("dcg_score"), ONE_ITEM),
    ("average_precision", "average_precision_score", _average_precision, NOTHING_RELEVANT, AS_ONE_STEP),
)
SCIPY = (
    ("pearson", "stats.pearsonr", _correlation("pearsonr")),
    ("spearman", "stats.spearmanr", _correlation("spearmanr")),
    ("kendall_b", "stats.kendalltau", _correlation("kendalltau")),
    ("cosine", "1 - spatial.distance.cosine", lambda scipy, c: 1 - scipy.spatial.distance.cosine(c.gold + 1, c.output + 1)),
    (
        *("conditional_entropy@1", "stats.entropy(base=2) of gold where the output is the class"),
        lambda scipy, c: scipy.stats.entropy(np.bincount(c.gold[c.output == 0]), base=2) if 0 in c.output else math.nan,
    ),
    ("gold_entropy", "stats.entropy(base=2)", lambda scipy, c: scipy.stats.entropy(np.bincount(c.gold), base=2)),
)
SCIPY_RANKINGS = (("tau@b", "kendalltau", lambda scipy, c: scipy.stats.kendalltau(c.scores, c.grades).statistic),)
SCIPY_DISTRIBUTIONS = (
    (
        "jsd",
        "spatial.distance.jensenshannon(base=2) ** 2",
        lambda scipy, c: scipy.spatial.distance.jensenshannon(*c, base=2) ** 2,
    ),
    ("kld", "stats.entropy(estimate, gold, base=2)", lambda scipy, c: scipy.stats.entropy(*c, base=2)),
    (
        *("emd", "stats.wasserstein_distance"),
        lambda scipy, c: scipy.stats.wasserstein_distance(range(len(c[0])), range(len(c[0])), *c),
    ),
)
KRIPPENDORFF = (
    ("alpha_nominal", "alpha(level_of_measurement='nominal')", _alpha("nominal")),
    ("alpha_ordinal", "alpha(level_of_measurement='ordinal')", _alpha("ordinal")),
    ("alpha_interval", "alpha(level_of_measurement='interval')", _alpha("interval")),
    ("alpha_ratio", "alpha(level_of_measurement='ratio')", _alpha("ratio", first=1)),
    ("alpha_weighted", "alpha(level_of_measurement=own function)", _alpha(_by_matrix)),
)
STATSMODELS = (
    ("kappa", "stats.inter_rater.cohens_kappa", _statsmodels_kappa(None)),
    ("kappa_linear", "stats.inter_rater.cohens_kappa(wt='linear')", _statsmodels_kappa("linear")),
    ("kappa_quadratic", "stats.inter_rater.cohens_kappa(wt='quadratic')", _statsmodels_kappa("quadratic")),
)
CATBOOST = (
    ("accuracy", "Accuracy", _catboost_labels("Accuracy")),
    ("kappa", "Kappa", _catboost_labels("Kappa"), AGREED_ON_ONE),
    ("kappa_quadratic", "WKappa", _catboost_labels("WKappa"), AGREED_ON_ONE),
    ("mcc", "MCC", _catboost_labels("MCC"), CONSTANT_IS_ZERO),
    ("f1_weighted", "TotalF1", _catboost_labels("TotalF1")),
)
CATBOOST_RANKINGS = (
    (
        "ndcg@relevance=given",
        "NDCG:type=Exp",
        _catboost_ranking("NDCG:type=Exp", lambda c: c.grades),
        TIES_LAST,
        NOTHING_IS_PERFECT,
    ),
    (
        "ndcg@3:gain=linear:relevance=given",
        "NDCG:type=Base;top=3",
        _catboost_ranking("NDCG:type=Base;top=3", lambda c: c.grades),
        TIES_LAST,
        NOTHING_IS_PERFECT,
    ),
    (
        "err@relevance=given:highest=3",
        "ERR of (2^grade - 1) / 2^3",
        _catboost_ranking("ERR", lambda c: (2.0**c.grades - 1) / 8),
        TIES_LAST,
    ),
    ("mrr@relevance=given", "MRR", _catboost_ranking("MRR", lambda c: c.binary), TIES_LAST, NOTHING_RELEVANT),
)
QUAPY = (
    ("absolute_error", "error.ae", _quapy("ae")),
    ("squared_error", "error.se", _quapy("se")),
    ("relative_absolute_error", "error.rae(eps=0)", _quapy("rae", eps=0), EMPTY_GOLD),
    ("normalised_absolute_error", "error.nae", _quapy("nae")),
    ("normalised_relative_absolute_error", "error.nrae(eps=0)", _quapy("nrae", eps=0), EMPTY_GOLD),
    ("kld_of_gold", "error.kld(eps=0)", _quapy("kld", eps=0), EMPTY),
    ("normalised_kld", "error.nkld(eps=0)", _quapy("nkld", eps=0), EMPTY),
    (
        "kld",
        "error.kld(eps=0) / log(2), the two exchanged",
        lambda quapy, c: _quapy("kld", eps=0)(quapy, c[::-1]) / math.log(2),
        EMPTY,
    ),
    ("nmd", "error.nmd", _quapy("nmd")),
    ("wasserstein", "error.md", _quapy("md")),
)
MLQUANTIFY = (
    ("absolute_error", "MAE", _mlquantify("MAE")),
    ("squared_error", "SE", _mlquantify("SE")),
    ("relative_absolute_error", "RAE", _mlquantify("RAE"), EMPTY_GOLD),
    ("normalised_kld", "NKLD, summed", lambda module, c: np.sum(_mlquantify("NKLD")(module, c)), ABSOLUTE_LOGARITHM),
    ("nmd", "NMD", _mlquantify("NMD")),
    ("rnod", "RNOD", _mlquantify("RNOD")),
)
PYTREC = (
    ("ndcg@gain=linear:relevance=given", "ndcg", _pytrec("ndcg"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("ndcg@3:gain=linear:relevance=given", "ndcg_cut.3", _pytrec("ndcg_cut.3"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("average_precision", "map", _pytrec("map"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("mrr@relevance=given", "recip_rank", _pytrec("recip_rank"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("average_precision@3", "map_cut.3", _pytrec("map_cut.3"), TIES_BY_NAME, NOTHING_RELEVANT),
)
IR_MEASURES = (
    ("ndcg@gain=linear:relevance=given", "nDCG", _ir_measures("nDCG"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("ndcg@3:gain=linear:relevance=given", "nDCG@3", _ir_measures("nDCG@3"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("mrr@relevance=given", "RR", _ir_measures("RR"), TIES_BY_NAME, NOTHING_RELEVANT),
    ("average_precision", "AP", _ir_measures("AP"), TIES_BY_NAME, NOTHING_RELEVANT),
)
RANX = (
    ("ndcg@gain=linear:relevance=given", "ndcg", _ranx("ndcg"), TIES_AS_THEY_COME, NOTHING_RELEVANT),
    ("ndcg@relevance=given", "ndcg_burges", _ranx("ndcg_burges"), TIES_AS_THEY_COME, NOTHING_RELEVANT),
    ("ndcg@3:gain=linear:relevance=given", "ndcg@3", _ranx("ndcg@3"), TIES_AS_THEY_COME, NOTHING_RELEVANT),
    ("average_precision", "map", _ranx("map"), TIES_AS_THEY_COME, NOTHING_RELEVANT),
    ("mrr@relevance=given", "mrr", _ranx("mrr"), TIES_AS_THEY_COME, NOTHING_RELEVANT),
)
RATINGS = (
    *(
        _row(
            f"alpha_{level}", "krippendorff", f"alpha(level_of_measurement='{level}')", _alpha_of_ratings(level), cases="ratings"
        )
        for level in ("nominal", "ordinal", "interval", "ratio")
    ),
    _row("fleiss", "statsmodels", "stats.inter_rater.fleiss_kappa", _fleiss("fleiss"), REFUSED_GAPS, cases="ratings"),
    _row(
        "brennan_prediger",
        "statsmodels",
        "stats.inter_rater.fleiss_kappa(method='randolph')",
        _fleiss("randolph"),
        REFUSED_GAPS,
        cases="ratings",
    ),
    _row("kendall_w", "SciPy", "stats.friedmanchisquare / (R (n - 1))", _friedman, NO_GAPS, cases="ratings"),
    _row(
        "conger",
        "scikit-learn",
        "metrics.cohen_kappa_score of two annotators",
        _two_annotators,
        NO_GAPS,
        MORE_THAN_TWO,
        cases="ratings",
    ),
)
OF_STATISTICS = (
    _row(
        "Holm's correction",
        "statsmodels",
        "stats.multitest.multipletests(method='holm')",
        _multipletests("holm"),
        cases="p-values",
    ),
    _row(
        "Benjamini and Hochberg's correction",
        "statsmodels",
        "stats.multitest.multipletests(method='fdr_bh')",
        _multipletests("fdr_bh"),
        cases="p-values",
    ),
    _row(
        "Benjamini and Yekutieli's correction",
        "statsmodels",
        "stats.multitest.multipletests(method='fdr_by')",
        _multipletests("fdr_by"),
        cases="p-values",
    ),
    _row(
        "Benjamini and Hochberg's correction",
        "SciPy",
        "stats.false_discovery_control",
        lambda scipy, p: scipy.stats.false_discovery_control(p),
        cases="p-values",
    ),
    _row(
        "Benjamini and Yekutieli's correction",
        "SciPy",
        "stats.false_discovery_control(method='by')",
        lambda scipy, p: scipy.stats.false_discovery_control(p, method="by"),
        cases="p-values",
    ),
    _row(
        "McNemar's exact test",
        "SciPy",
        "stats.binomtest",
        lambda scipy, n: scipy.stats.binomtest(n[0], sum(n)).pvalue,
        cases="wins",
    ),
    _row(
        "McNemar's exact test", "statsmodels", "stats.contingency_tables.mcnemar(exact=True)", _statsmodels_mcnemar, cases="wins"
    ),
    _row(
        "studentised range",
        "SciPy",
        "stats.studentized_range.sf",
        lambda scipy, c: scipy.stats.studentized_range.sf(*c),
        cases="ranges",
        tolerance=1e-6,
    ),
    _row(
        "Tukey's HSD test",
        "SciPy",
        "stats.ttest_rel of two systems",
        lambda scipy, s: scipy.stats.ttest_rel(*s.T).pvalue,
        cases="scores of two systems",
        tolerance=1e-6,
    ),
    _row("Tukey's HSD test", "SciPy", "stats.tukey_hsd", _tukey, UNPAIRED, cases="scores of systems"),
    _row(
        "permutation test",
        "SciPy",
        "stats.permutation_test(permutation_type='samples')",
        _exact_permutations,
        cases="scores of two systems",
        tolerance=0.02,
    ),
    _row(
        "residual variance", "statsmodels", "OLS of topics and systems, mse_resid", _two_way_residual, cases="scores of systems"
    ),
    _row("power of a t test", "statsmodels", "stats.power.TTestPower", _t_power, cases="designs", tolerance=1e-6),
    _row(
        "Pearson's correlation", "SciPy", "stats.pearsonr", lambda scipy, c: scipy.stats.pearsonr(*c).statistic, cases="vectors"
    ),
    _row("Fisher's interval", "SciPy", "stats.pearsonr().confidence_interval()", _interval, FEW, cases="vectors"),
    _row("tied ranks", "SciPy", "stats.rankdata", lambda scipy, c: scipy.stats.rankdata(c[1]), cases="vectors"),
    _row(
        "Kendall's tau-a",
        "SciPy",
        "stats.kendalltau",
        lambda scipy, c: scipy.stats.kendalltau(*c).statistic,
        TIED_VECTORS,
        cases="vectors",
    ),
    _row(
        "one-sided t test",
        "SciPy",
        "stats.ttest_1samp(popmean=0.2, alternative='less')",
        lambda scipy, c: scipy.stats.ttest_1samp(c[0] - c[1], 0.2, alternative="less").pvalue,
        ALL_EQUAL,
        cases="vectors",
    ),
)


def _rows(peer: str, prefix: str, rows: Any, cases: str) -> tuple[Row, ...]:
    return tuple(_row(ours, peer, prefix + call, theirs, *known, cases=cases) for ours, call, theirs, *known in rows)


TABLE: tuple[Row, ...] = (
    *_rows("scikit-learn", "metrics.", SKLEARN, "labels"),
    *_rows("scikit-learn", "metrics.", SKLEARN_RANKINGS, "rankings"),
    *_rows("SciPy", "", SCIPY, "labels"),
    *_rows("SciPy", "stats.", SCIPY_RANKINGS, "rankings"),
    *_rows("SciPy", "", SCIPY_DISTRIBUTIONS, "distributions"),
    *_rows("krippendorff", "", KRIPPENDORFF, "labels"),
    *_rows("statsmodels", "", STATSMODELS, "labels"),
    *_rows("CatBoost", "utils.eval_metric: ", CATBOOST, "labels"),
    *_rows("CatBoost", "utils.eval_metric: ", CATBOOST_RANKINGS, "rankings"),
    *_rows("QuaPy", "", QUAPY, "distributions"),
    *_rows("mlquantify", "metrics.", MLQUANTIFY, "distributions"),
    *_rows("pytrec_eval", "", PYTREC, "rankings"),
    *_rows("ir_measures", "", IR_MEASURES, "rankings"),
    *_rows("ranx", "", RANX, "rankings"),
    *RATINGS,
    *OF_STATISTICS,
)


# The page.

_INTRODUCTION = """# Peers

This page lists functions of other programs that compute the same as ours, and the cases in which the numbers differ. Every row is
tested on random data and on special cases: one item, a class that gold lacks, a constant output, ties, gaps, nothing relevant.
The numbers are the same except for the deviations listed. The test fails if a listed deviation no longer occurs, or if there is
another.

```sh
python -m pytest tests/catalogue/test_peers.py            # after pip install -e '.[dev,peers]'
python -m pytest tests/catalogue/test_peers.py -m slow    # the heavy ones, every night, after pip install -e '.[dev,heavy-peers]'
```

Peers are not dependencies, and a peer that is not installed is skipped. `python tests/peers.py` writes this page from the table
in that file.
"""


def page() -> str:
    """docs/peers.md."""
    parts = [_INTRODUCTION]
    for peer in sorted(MODULES, key=str.lower):
        rows = [row for row in TABLE if row.peer == peer]
        lines = [f"| {_ours(row)} | {_code(row.call)} | {_told(row)} |" for row in rows]
        parts.append("\n".join([f"## {peer}", "", "| ours | theirs | where they differ |", "|---|---|---|", *lines, ""]))
    return "\n".join(parts)


def _ours(row: Row) -> str:
    if row.ours in STATISTICS:
        return row.ours
    found = mm.measures[row.ours].template
    return f"[`{row.ours}`](measures/{page_name(mm.measures[found])})"


def _code(text: str) -> str:
    return f"`{text}`"


def _told(row: Row) -> str:
    return "; ".join(f"*{known.where}*: {known.why}" for known in row.deviations) or "nowhere"


if __name__ == "__main__":
    DOCS.write_text(page(), encoding="utf-8")
