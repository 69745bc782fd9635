"""Models ranked by battles: who was judged better in each, and how sure that makes their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from metameasure.comparing.comparison import Comparison
from metameasure.core.choices import Test
from metameasure.core.errors import DataError
from metameasure.core.messages import Message, note, say, warn
from metameasure.core.notes import counted, listed
from metameasure.core.signature import Signature
from metameasure.evidence.base import digest_of
from metameasure.evidence.battle_reader import ReadBattles
from metameasure.statistics.arrays import Floats
from metameasure.statistics.bradley_terry import Fitted, elo, fit, groups
from metameasure.statistics.mean_intervals import t_interval
from metameasure.statistics.rank_correlation import from_best

MEASURE = "bradley_terry"
_OPEN = (-np.inf, np.inf)
_FEW_JUDGES = 10


@dataclass(frozen=True, eq=False)
class BattleComparison(Comparison):
    """Models from the strongest to the weakest, told apart by what judges said."""

    errors: Floats = field(default_factory=lambda: np.zeros(0))
    """The standard error of each model's strength."""
    battles: int = 0
    ties: int = 0

    def how(self) -> Message:
        return say("Bradley-Terry model, max-T step-down over all pairs with B = {trials} draws", trials=self.trials)

    def facts(self) -> dict[str, Any]:
        """What JSON says of battles."""
        strengths = zip(self.runs, self.means, self.errors, elo(self.means), strict=True)
        return {
            "battles": self.battles,
            "ties": self.ties,
            "strengths": [{"run": run, "strength": float(one), "se": float(error), "elo": float(points)}
                          for run, one, error, points in strengths],
        }  # fmt: skip


def compared_by_battles(read: ReadBattles, *, alpha: float, trials: int, seed: int) -> BattleComparison:
    """The models, strongest first. DataError where the battles do not say how strong each is."""
    _check(read)
    fitted = fit(read.battles)
    judges = read.battles.judge is not None
    if fitted.units < 2:
        raise DataError("one judge said everything, which does not tell how judges differ", hint="leave out the column of judges")
    order = from_best(fitted.theta)
    theta, error = fitted.theta[order], np.sqrt(np.diag(fitted.covariance))[order]
    low, high = t_interval(theta, error, fitted.units - 1, 1 - alpha, _OPEN)
    grid = np.ix_(order, order)
    gaps, errors = theta[:, None] - theta, fitted.errors()[grid]
    ends = t_interval(gaps, errors, fitted.units - 1, 1 - alpha, _OPEN)
    battles = len(read.battles.won)
    unit = f"{read.judged_by}s" if judges and read.judged_by in ("judge", "user") else "judges" if judges else "battles"
    return BattleComparison(
        measure=MEASURE, better="higher", test=cast("Test", "bradley-terry"), correction="maxt", trials=trials, seed=seed,
        alpha=alpha, topics=fitted.units, runs=tuple(read.models[place] for place in order), means=theta, low=low, high=high,
        p=fitted.p(trials, seed)[grid], effect_size=np.full(gaps.shape, np.nan), residual_variance=np.nan, level=1 - alpha,
        notes=tuple(_notes(read, fitted, unit)), unit=unit, units="clusters" if judges else "items", difference_low=ends[0],
        difference_high=ends[1], errors=error, battles=battles, ties=read.ties, made=_made(read, alpha, trials, seed),
    )  # fmt: skip


def _notes(read: ReadBattles, fitted: Fitted, unit: str) -> list[Message]:
    said = note(
        "battles", "{battles} of {models}, {ties} of them ties, which count half a win for each",
        battles=counted(len(read.battles.won), "battle"), models=counted(len(read.models), "model"), ties=read.ties,
    )  # fmt: skip
    apart = (
        note("sample", "the {unit} are a sample; what one of them says is not independent", unit=unit)
        if read.battles.judge is not None
        else warn("sample", "every battle counts by itself; where judges are known, name their column: {--judge-column judge}")
    )
    few = "the {units} {unit} are few: ranks are less sure than they seem with fewer than {least}"
    small = [warn("few judges", few, units=fitted.units, unit=unit, least=_FEW_JUDGES)] if fitted.units < _FEW_JUDGES else []
    return [said, apart, *small]


def _made(read: ReadBattles, alpha: float, trials: int, seed: int) -> Signature:
    own = read.battles
    judge = np.zeros(0) if own.judge is None else own.judge
    digest = digest_of([own.first, own.second, own.won, judge], after=",".join(read.models))
    return Signature(format_in="battles", judge=read.judged_by, alpha=alpha, trials=trials, seed=seed, items=digest).signed()


def _check(read: ReadBattles) -> None:
    """DataError where there is no maximum of the likelihood, with who is to blame."""
    if len(read.models) < 2:
        raise DataError(
            say("{models} in all battles", models=counted(len(read.models), "model")), hint="ranks need two models or more"
        )
    wins = read.battles.wins()
    met = groups(wins + wins.T)
    if met.max() > 0:
        parts = [
            listed([read.models[place] for place in np.flatnonzero(met == one)], "and") for one in range(min(3, met.max() + 1))
        ]
        raise DataError(
            say(
                "the battles fall into {number} parts that never met: {parts}", number=int(met.max()) + 1, parts="; ".join(parts)
            ),
            hint="rank each part by itself, or add battles between them",
        )
    apart = groups(wins)
    if apart.max() == 0:
        return
    for one in np.argsort(np.bincount(apart), kind="stable"):  # the smallest group first
        inside = apart == one
        names = listed([read.models[place] for place in np.flatnonzero(inside)], "and")
        for beaten, verb in (
            (wins[np.ix_(inside, ~inside)].sum() == 0, "never won"),
            (wins[np.ix_(~inside, inside)].sum() == 0, "never lost"),
        ):
            if beaten:
                raise DataError(
                    say(
                        "{names} {verb} against the others, not even half of a tie, so that no strength is the most likely",
                        names=names,
                        verb=verb,
                    ),
                    hint="leave out such models, or add battles",
                )
