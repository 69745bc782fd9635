"""Two-way analysis of variance without replication: topics by systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Booleans, Floats


def residuals(scores: Floats) -> Floats:
    """What is left of (..., topics, systems) without what belongs to the topic, to the system and to all."""
    without_topics = scores - scores.mean(axis=-1, keepdims=True)
    return np.asarray(without_topics - scores.mean(axis=-2, keepdims=True) + scores.mean(axis=(-2, -1), keepdims=True))


def residual_variance(scores: Floats) -> Floats:
    """V_E2, the residual mean square of (..., topics, systems): Sakai (2021), Tables 3, 6 and 9."""
    topics, systems = scores.shape[-2:]
    return np.asarray((residuals(scores) ** 2).sum(axis=(-2, -1)) / ((topics - 1) * (systems - 1)))


@dataclass(frozen=True)
class Source:
    """A source of variance: its sum of squares and degrees of freedom, and how it compares with the residual, which has neither F
    nor p itself."""

    squares: float
    freedom: int
    f: float | None = None
    p: float | None = None

    @property
    def mean_square(self) -> float:
        return self.squares / self.freedom


@dataclass(frozen=True)
class TwoWay:
    """Two-way analysis of variance without replication."""

    systems: Source
    topics: Source
    residual: Source

    @property
    def squares(self) -> float:
        return self.systems.squares + self.topics.squares + self.residual.squares

    @property
    def freedom(self) -> int:
        return self.systems.freedom + self.topics.freedom + self.residual.freedom


def two_way(scores: Floats) -> TwoWay:
    """The analysis of variance of (topics, systems), both at least two."""
    from scipy.special import fdtrc  # noqa: PLC0415 - it takes long to load

    topics, systems = scores.shape
    grand = scores.mean()
    freedom = (topics - 1) * (systems - 1)
    residual = float(residual_variance(scores))
    without = bool(no_residual(scores))

    def source(squares: float, degrees: int) -> Source:
        if without:
            return Source(squares, degrees, float("nan"), float("nan"))
        f = squares / degrees / residual
        return Source(squares, degrees, f, float(fdtrc(degrees, freedom, f)))

    return TwoWay(
        source(float(topics * ((scores.mean(axis=0) - grand) ** 2).sum()), systems - 1),
        source(float(systems * ((scores.mean(axis=1) - grand) ** 2).sum()), topics - 1),
        Source(residual * freedom, freedom),
    )


def pooled_variance(scores: Floats) -> Floats:
    """V_E1, the mean over systems of the variance between topics of (..., topics, systems): what is left without pairing."""
    return np.asarray(scores.var(axis=-2, ddof=1).mean(axis=-1))


def pooled_freedom(scores: Floats) -> float:
    """The degrees of freedom of V_E1 by Satterthwaite: fewer than each system's together, since all have the same topics."""
    covariance = np.atleast_2d(np.cov(scores, rowvar=False))
    return (len(scores) - 1) * float(np.trace(covariance) ** 2 / (covariance**2).sum())


def shuffling_inflation(scores: Floats) -> Floats:
    """By what factor shuffling the systems within each topic overstates the variance of a score: the mean variance between a
    topic's systems, real differences between systems included, over the residual variance of (..., topics, systems)."""
    within = scores.var(axis=-1, ddof=1).mean(axis=-1)
    residual = residual_variance(scores)
    return np.where(residual > 0, within / np.where(residual > 0, residual, 1.0), np.inf)


@dataclass(frozen=True)
class Components:
    """Estimated variances of one score: between units, and within them, as between repeated outputs for one item."""

    between: float
    within: float


def variance_components(values: ArrayLike, units: ArrayLike) -> Components:
    """Variances between and within units of values (rows,), from a one-way analysis of variance with random effects; units may be
    of unequal size. NaN where no unit has two rows, or there is one unit only."""
    scores = np.asarray(values, dtype=float)
    _, place, sizes = np.unique(np.asarray(units), return_inverse=True, return_counts=True)
    rows, groups = len(scores), len(sizes)
    if groups < 2 or rows == groups:
        return Components(float("nan"), float("nan"))
    means = np.bincount(place, scores) / sizes
    within = float(((scores - means[place]) ** 2).sum() / (rows - groups))
    mean_square = float((sizes * (means - scores.mean()) ** 2).sum() / (groups - 1))
    typical = (rows - float((sizes**2).sum()) / rows) / (groups - 1)  # the size of a unit, where they are equal
    return Components(max(0.0, (mean_square - within) / typical), within)


def no_residual(scores: Floats) -> Booleans:
    """Whether the systems differ by the same on every topic, but for rounding."""
    largest = np.max(np.abs(scores), axis=(-2, -1))
    return np.asarray(residual_variance(scores) <= (8 * np.finfo(float).eps * largest) ** 2)


def effect_sizes(scores: Floats) -> Floats:
    """(mean_i - mean_j) / sqrt(V_E2) for each pair of systems; NaN where there is no residual variance and the means differ."""
    means = scores.mean(axis=-2)
    gaps = means[..., :, None] - means[..., None, :]
    none = no_residual(scores)
    spread = np.where(none, np.nan, np.sqrt(np.where(none, 1.0, residual_variance(scores))))[..., None, None]
    return np.where(gaps == 0, 0.0, gaps / spread)
