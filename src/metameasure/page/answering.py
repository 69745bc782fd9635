"""The answer first, in words: who is first, who does not differ from them, what measures disagree about, and cautions."""

from __future__ import annotations

import math

import numpy as np

from metameasure.comparing.comparison import Comparison, smallest_reachable
from metameasure.core.notes import counted, grouped, listed
from metameasure.core.numbers import number
from metameasure.meta.ranking_similarity import Similarity
from metameasure.meta.significance_contradictions import Contradictions
from metameasure.page.gathering import Board, Content
from metameasure.statistics.rank_correlation import TIE

_MOST_GROUPS = 3


def answer(content: Content) -> list[str]:
    """A few sentences that stand at the top of the page."""
    sentences = _first(content)
    if len(content.board.own) > 1:
        sentences += [*_told_apart(content), *_disagreements(content)]
    return sentences


def careful(content: Content) -> list[str]:
    """What a reader has to be careful of."""
    return list(
        dict.fromkeys([*_not_decisive(content), *_below_baselines(content), *(f"{warning}." for warning in content.warned)])
    )


def _named(board: Board, runs: list[int], joint: str = "and") -> str:
    return listed([board.runs[run] for run in runs], joint)


def _best(board: Board, measure: int) -> list[int]:
    """The runs in the first place."""
    return [run for run, rank in board.ranks(measure).items() if rank == 1]


def _first(content: Content) -> list[str]:
    board, primary = content.board, content.primary
    best = _best(board, 0)
    if not best or all(math.isnan(board.means[0, run]) for run in board.own):
        return [f"No run has a score by {primary.id}."]
    value, low, high = (number(array[0, best[0]]) for array in (board.means, board.low, board.high))
    value += f", interval {low} to {high}" if len(best) == 1 and not math.isnan(board.low[0, best[0]]) else ""
    better = f"; {primary.better} is better" if primary.better else ""
    if len(board.own) == 1:
        return [f"By {primary.id}, {_named(board, best)} scores {value}{better}.", *_averaged_over(content)]
    many = counted(len(board.own), "run")
    verb = "is first" if len(best) == 1 else "share the first place"
    return [f"By {primary.id}, {_named(board, best)} {verb} of {many} ({value}{better})."]


def _averaged_over(content: Content) -> list[str]:
    """On how many topics the means of the only run are."""
    scores = content.scores
    if scores is None or scores.average != "topics" or len(scores.topics) == 1:
        return []
    whole, word = len(scores.topics), scores.topic_word
    used = whole - scores.undefined()[:, content.board.own[0]]
    fewer = grouped((int(number), one.id) for one, number in zip(scores.measures, used, strict=True) if 0 < number < whole)
    short = [f"that of {listed(ids, 'and')} is over the {number} where it is defined" for number, ids in fewer.items()]
    return ["; ".join([f"The mean is over {'all ' * (not fewer)}{counted(whole, word)}", *short]) + "."]


def _told_apart(content: Content) -> list[str]:
    compared = content.comparisons.get(content.primary.id)
    if compared is None:
        reason = content.why_not.get("significance", "")
        return [f"Whether the differences are real could not be tested: {reason}."] if reason else []
    if not compared.able:
        return [compared.unable()]
    alike = [run for place, run in enumerate(compared.runs) if place and not compared.significant[0, place]]
    how = f"{compared.how()}, alpha = {compared.alpha:g}, {compared.topics} {compared.unit}"
    if not alike:
        return [f"It is significantly better than every other run ({how})."]
    if not compared.reaches:
        return [f"It is not told apart from {listed(alike, 'and')} ({how})."]
    if len(alike) == len(compared.runs) - 1:
        return [f"No other run differs significantly from {compared.runs[0]} ({how})."]
    return [f"It does not differ significantly from {listed(alike, 'and')} ({how})."]


def _disagreements(content: Content) -> list[str]:
    board = content.board
    ordering = [row for row, one in enumerate(board.measures) if one.better and np.isfinite(board.oriented(row)[board.own]).any()]
    if len(ordering) < 2:
        return []
    firsts: dict[str, list[str]] = {}
    for row in ordering:
        firsts.setdefault(_named(board, _best(board, row)), []).append(board.measures[row].id)
    if len(firsts) == 1:
        sentences = [f"All {len(ordering)} measures put {next(iter(firsts))} first."]
    else:
        sentences = ["The measures do not agree who is first: " + "; ".join(
            f"{runs} by {listed(ids, 'and')}" for runs, ids in firsts.items()) + "."]  # fmt: skip
    return [*sentences, *_most_different(content), *_contradictions(content)]


def _most_different(content: Content) -> list[str]:
    alike = content.findings.get("similarity")
    if not isinstance(alike, Similarity):
        return []
    own = [place for place, measure in enumerate(alike.measures) if measure in content.of_the_board]
    if len(own) < 3:
        return []
    tau = np.where(np.triu(np.ones((len(own), len(own)), dtype=bool), 1), alike.tau[np.ix_(own, own)], np.inf)
    first, second = np.unravel_index(int(np.nanargmin(tau)), tau.shape)
    if tau[first, second] > 1 - TIE:
        return ["They all rank the runs alike."]
    names = f"{alike.measures[own[first]]} and {alike.measures[own[second]]}"
    return [f"{names} rank the runs most differently (Kendall's tau {number(float(tau[first, second]), 2)})."]


def _contradictions(content: Content) -> list[str]:
    opposed = content.findings.get("contradictions")
    if not isinstance(opposed, Contradictions):
        return []
    pairs = [pair for pair in opposed.pairs if pair.runs and {pair.first, pair.second} <= content.of_the_board]
    if not pairs:
        board = content.board
        least = smallest_reachable(opposed.test, len(board.topics), len(board.own), opposed.trials, "holm")[1]
        return ["No two measures contradict each other significantly about any two runs."] if least < opposed.alpha else []
    most = max(pairs, key=lambda pair: len(pair.runs))
    about = f"{most.first} and {most.second} about {counted(len(most.runs), 'pair')} of runs"
    return [f"Measures contradict each other, both significantly: {about}" + (" most of all." if len(pairs) > 1 else ".")]


def _not_decisive(content: Content) -> list[str]:
    """The runs whose ranks could as well be others."""
    compared = content.comparisons.get(content.primary.id)
    if compared is None or compared.against is not None or not compared.able:
        return []
    groups = [group for group in _groups(compared) if len(group) > 1]
    if any(len(group) == len(compared.runs) for group in groups):
        return [f"The ranks by {compared.measure} are not decisive: no two runs {compared.apart}."]
    sentences = [f"The ranks of {listed(group, 'and')} are not decisive." for group in groups[:_MOST_GROUPS]]
    more = len(groups) - _MOST_GROUPS
    return [*sentences, *([f"Nor are those of {counted(more, 'more group')} of runs (see the letters)."] if more > 0 else [])]


def _groups(compared: Comparison) -> list[list[str]]:
    """Runs that share a letter; the group with the best run first."""
    letters = compared.letters()
    alphabet = sorted({letter for one in letters for letter in one})
    groups = [[run for run, one in zip(compared.runs, letters, strict=True) if letter in one] for letter in alphabet]
    return sorted(groups, key=lambda group: compared.runs.index(group[0]))


def _below_baselines(content: Content) -> list[str]:
    """Runs that score no better than an output that does not look at the data."""
    board = content.board
    values = board.oriented(0)
    baselines = [place for place, run in enumerate(board.runs) if run in board.baselines and np.isfinite(values[place])]
    if not baselines:
        return []
    best = max(baselines, key=lambda place: values[place])
    below = [run for run in board.own if values[run] <= values[best] + TIE]
    if not below:
        return []
    verb = "scores" if len(below) == 1 else "score"
    return [f"By {content.primary.id}, {_named(board, below)} {verb} no better than {board.runs[best].replace(': ', ' ', 1)}."]
