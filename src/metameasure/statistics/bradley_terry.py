"""The Bradley-Terry model of battles: the log odds that the first of two wins are its strength less the other's.

Ties count half a win for each. Strengths are those of maximum likelihood and add up to 0: Bradley and Terry (1952), Biometrika
39, 324-345. Ford (1957): they are finite if a chain of wins leads from every player to every other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.paired import pairs_of_systems, square, step_down
from metameasure.statistics.streams import stream

_CLOSE, _MOST_STEPS = 1e-13, 100


@dataclass(frozen=True, eq=False)
class Battles:
    """Who met whom: places among ``players``, what the first won (1, .5 or 0), and who judged (places), where that is known."""

    players: int
    first: Integers
    second: Integers
    won: Floats
    judge: Integers | None = None

    def wins(self) -> Floats:
        """(players, players): how often the row's player won against the column's, ties counted half."""
        found = np.zeros((self.players, self.players))
        for one, other, share in ((self.first, self.second, self.won), (self.second, self.first, 1 - self.won)):
            found += np.bincount(one * self.players + other, share, minlength=self.players**2).reshape(found.shape)
        return found


def groups(reach: Floats) -> Integers:
    """(players,): the number of each player's group, within which everybody reaches everybody by the steps that are > 0."""
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - loaded when first used

    return np.asarray(connected_components(reach > 0, directed=True, connection="strong")[1])


def strengths(wins: Floats) -> Floats:
    """The strengths of maximum likelihood, by Newton's method."""
    played, own = wins + wins.T, wins.sum(axis=1)
    theta = np.zeros(len(wins))
    for _ in range(_MOST_STEPS):
        chance = _chances(theta)
        slope = own - (played * chance).sum(axis=1)
        step = np.linalg.solve(_information(played, chance) + 1.0, slope)  # adding a constant keeps the sum of steps 0
        largest = float(np.abs(step).max())
        theta = theta + step * min(1.0, 2.0 / max(largest, 1e-300))
        if largest < _CLOSE * max(1.0, float(np.abs(theta).max())):
            break
    return np.asarray(theta - theta.mean())


def _chances(theta: Floats) -> Floats:
    """(players, players): that the row's player beats the column's."""
    return 1 / (1 + np.exp(theta[None, :] - theta[:, None]))


def _information(played: Floats, chance: Floats) -> Floats:
    known = played * chance * (1 - chance)
    return np.diag(known.sum(axis=1)) - known


@dataclass(frozen=True, eq=False)
class Fitted:
    """Strengths with their covariance: what a judge says hangs together. ``units`` is how many judges, or battles, there are."""

    theta: Floats
    covariance: Floats
    units: int

    def errors(self) -> Floats:
        """(players, players): the standard error of each difference."""
        own = np.diag(self.covariance)
        return np.sqrt(np.maximum(own[:, None] + own - 2 * self.covariance, 0.0))

    def p(self, trials: int, seed: int) -> Floats:
        """(players, players): p-values of all differences, which hold for all pairs together: the step-down of the largest of
        all |difference| / error, drawn from the t distribution that strengths have about the truth."""
        first, second = pairs_of_systems(len(self.theta))
        rng, error = stream(seed), self.errors()[first, second]
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        drawn = rng.standard_normal((trials, len(self.theta))) @ root.T
        freedom = self.units - 1
        drawn /= np.sqrt(rng.chisquare(freedom, trials) / freedom)[:, None]
        observed = np.abs(self.theta[first] - self.theta[second]) / error

        def statistic(pair: int) -> Floats:
            return np.asarray(np.abs(drawn[:, first[pair]] - drawn[:, second[pair]]) / error[pair])

        return square(step_down(observed, statistic, np.zeros(len(first))), len(self.theta))


def fit(battles: Battles) -> Fitted:
    """The strengths, and their covariance by the sandwich: each judge's battles together, or every battle by itself."""
    wins = battles.wins()
    theta = strengths(wins)
    chance, played = _chances(theta), wins + wins.T
    bread = np.linalg.pinv(_information(played, chance), hermitian=True)
    left = battles.won - chance[battles.first, battles.second]
    if battles.judge is None:
        meat, units = _meat_of_battles(battles, left), len(left)
    else:
        meat, units = _meat_of_judges(battles, left)
    return Fitted(theta, bread @ meat @ bread * (units / max(1, units - 1)), units)


def _meat_of_battles(battles: Battles, left: Floats) -> Floats:
    size = battles.players
    pairs = np.bincount(battles.first * size + battles.second, left**2, minlength=size**2).reshape(size, size)
    both = pairs + pairs.T
    return np.asarray(np.diag(both.sum(axis=1)) - both)


def _meat_of_judges(battles: Battles, left: Floats) -> tuple[Floats, int]:
    from scipy.sparse import coo_array  # noqa: PLC0415 - loaded when first used

    assert battles.judge is not None  # noqa: S101 - asked for
    judges = int(battles.judge.max()) + 1
    rows, columns = np.tile(battles.judge, 2), np.concatenate([battles.first, battles.second])
    scores = coo_array((np.concatenate([left, -left]), (rows, columns)), shape=(judges, battles.players)).tocsr()
    return np.asarray((scores.T @ scores).todense()), len(np.unique(battles.judge))


def elo(theta: Floats) -> Floats:
    """Strengths as leaderboards write them: 400 points are odds of 10 to 1, and the mean is 1000."""
    return 1000 + 400 / math.log(10) * theta
