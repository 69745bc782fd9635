"""The answer first, in words: who is first, who does not differ from them, what measures disagree about, and cautions."""

from __future__ import annotations

import math

import numpy as np

from metameasure.comparing.comparison import Comparison
from metameasure.comparing.topics import smallest_reachable
from metameasure.core.messages import Listed, note, say, sentence, warn
from metameasure.core.notes import counted, grouped, in_a_row, listed
from metameasure.meta.ranking_similarity import Similarity
from metameasure.meta.significance_contradictions import Contradictions, no_contradiction
from metameasure.page.gathering import Content
from metameasure.scores.run_names import without_prefix
from metameasure.statistics.rank_correlation import TIE

_MOST_GROUPS = 3


def answer(content: Content) -> list[str]:
    """A few sentences that stand at the top of the page."""
    sentences = _first(content)
    if len(content.own) > 1:
        sentences += [*_told_apart(content), *_disagreements(content)]
    return sentences


def cautions(content: Content) -> list[str]:
    """What a reader has to be careful of."""
    return list(dict.fromkeys([*_not_decisive(content), *_below_baselines(content), *map(sentence, content.warned)]))


def _named(content: Content, runs: list[int]) -> Listed:
    return listed([content.scores.runs[run] for run in runs], "and")


def _best(content: Content, measure: int) -> list[int]:
    """The runs in the first place."""
    return [run for run, rank in content.ranks(measure).items() if rank == 1]


def _first(content: Content) -> list[str]:
    own, primary = content.own, content.primary
    best, averages = _best(content, 0), content.scores.averages()
    if not best or all(math.isnan(averages[0, run]) for run in own):
        return [warn("no score", "No run has a score by {measure}.", measure=primary.id)]
    value, low, high = (float(array[0, best[0]]) for array in (averages, *content.ends))
    with_ends = len(best) == 1 and not math.isnan(low)
    interval = say(", interval {low:.3f} to {high:.3f}", low=low, high=high) if with_ends else ""
    better = f"; {primary.better} is better" if primary.better else ""
    parts = {"measure": primary.id, "runs": _named(content, best), "value": value, "interval": interval, "better": better}
    if len(own) == 1:
        alone = note("only run", "By {measure}, {runs} scores {value:.3f}{interval}{better}.", **parts)
        return [alone, *_averaged_over(content)]
    verb = "is first" if len(best) == 1 else "share the first place"
    template = "By {measure}, {runs} " + verb + " of {number} ({value:.3f}{interval}{better})."
    return [note("first", template, number=counted(len(own), "run"), **parts)]


def _averaged_over(content: Content) -> list[str]:
    """On how many topics the means of the only run are."""
    scores = content.scores
    if scores.average != "topics" or len(scores.topics) == 1:
        return []
    whole, word = len(scores.topics), scores.topic_word
    used = whole - scores.undefined()[:, content.own[0]]
    fewer = grouped((int(number), one.id) for one, number in zip(scores.measures, used, strict=True) if 0 < number < whole)
    short = [
        say("; that of {measures} is over the {defined} where it is defined", measures=listed(ids, "and"), defined=number)
        for number, ids in fewer.items()
    ]
    template = "The mean is over {topics}{short}." if fewer else "The mean is over all {topics}."
    return [note("averaged over", template, topics=counted(whole, word), short=in_a_row(short, ""))]


def _told_apart(content: Content) -> list[str]:
    compared = content.comparisons.get(content.primary.id)
    if compared is None:
        reason = content.why_not.get("significance", "")
        return [warn("not tested", "Whether the differences are real could not be tested: {why}.", why=reason)] if reason else []
    if not compared.able:
        return [compared.unable()]
    alike = [run for place, run in enumerate(compared.runs) if place and not compared.significant[0, place]]
    parts = {"how": compared.tested(), "run": compared.runs[0], "measure": compared.measure}
    if not alike:
        whom = "the other run" if len(compared.runs) == 2 else "every other run"
        return [note("best beyond chance", "It is significantly better than {whom} ({how}).", whom=whom, **parts)]
    if not compared.reaches:
        return [note("best not told apart", "It is not told apart from {others} ({how}).", others=listed(alike, "and"), **parts)]
    template = "It does not differ significantly from {others} ({how})."
    if len(alike) == len(compared.runs) - 1:
        template = "No other run differs significantly from {run} ({how})."
    return [note("best not told apart", template, others=listed(alike, "and"), **parts)]


def _disagreements(content: Content) -> list[str]:
    scores, values = content.scores, content.scores.averages()
    ordering = [row for row, one in enumerate(scores.measures) if one.better and np.isfinite(values[row, scores.own]).any()]
    if len(ordering) < 2:
        return []
    firsts = grouped((tuple(_best(content, row)), scores.ids[row]) for row in ordering)
    if len(firsts) == 1:
        runs = _named(content, list(next(iter(firsts))))
        agree = "All {number_of_measures} measures put {runs} first."
        said = note("measures agree who is first", agree, number_of_measures=len(ordering), runs=runs)
    else:
        named = [(_named(content, list(best)), listed(ids, "and")) for best, ids in firsts.items()]
        by = [say("{runs} by {measures}", runs=runs, measures=ids) for runs, ids in named]
        differ = "The measures do not agree who is first: {firsts}."
        said = note("measures disagree who is first", differ, firsts=in_a_row(by, "; "))
    return [said, *_most_different(content), *_contradictions(content)]


def _most_different(content: Content) -> list[str]:
    alike = content.findings.get("similarity")
    if not isinstance(alike, Similarity):
        return []
    own = [place for place, measure in enumerate(alike.measures) if measure in content.scores.ids]
    if len(own) < 3:
        return []
    tau = np.where(np.triu(np.ones((len(own), len(own)), dtype=bool), 1), alike.tau[np.ix_(own, own)], np.inf)
    first, second = np.unravel_index(int(np.nanargmin(tau)), tau.shape)
    least = float(tau[first, second])
    if least > 1 - TIE:
        return [note("rankings alike", "They all rank the runs alike.")]
    template = "{first} and {second} rank the runs most differently (Kendall's tau {tau:.2f})."
    names = {"first": alike.measures[own[first]], "second": alike.measures[own[second]]}
    return [note("most different rankings", template, **names, tau=least)]


def _contradictions(content: Content) -> list[str]:
    opposed = content.findings.get("contradictions")
    if not isinstance(opposed, Contradictions):
        return []
    pairs = [pair for pair in opposed.pairs if pair.runs and {pair.first, pair.second} <= {*content.scores.ids}]
    if not pairs:
        least = smallest_reachable(opposed.test, len(content.scores.topics), len(content.own), opposed.trials, "holm")[1]
        return [no_contradiction()] if least < opposed.alpha else []
    most = max(pairs, key=lambda pair: len(pair.runs))
    return [
        note(
            "contradiction of measures",
            "Measures contradict each other, both significantly: {first} and {second} about {pairs} of runs{end}",
            first=most.first,
            second=most.second,
            pairs=counted(len(most.runs), "pair"),
            end=" most of all." if len(pairs) > 1 else ".",
        )
    ]


def _not_decisive(content: Content) -> list[str]:
    """The runs whose ranks could as well be others."""
    compared = content.comparisons.get(content.primary.id)
    if compared is None or compared.against is not None or not compared.able:
        return []
    groups = [group for group in _groups(compared) if len(group) > 1]
    if any(len(group) == len(compared.runs) for group in groups):
        none = "The ranks by {measure} are not decisive: no two runs {apart}."
        return [note("ranks not decisive", none, measure=compared.measure, apart=compared.apart)]
    alike = "The ranks of {runs} are not decisive."
    sentences = [
        note("ranks not decisive", alike, runs=listed(group, "and"), measure=compared.measure) for group in groups[:_MOST_GROUPS]
    ]
    more = len(groups) - _MOST_GROUPS
    others = "Nor are those of {groups} of runs (see the letters)."
    return [*sentences, *([note("ranks not decisive", others, groups=counted(more, "more group"))] if more > 0 else [])]


def _groups(compared: Comparison) -> list[list[str]]:
    """Runs that share a letter; the group with the best run first."""
    letters = compared.letters()
    alphabet = sorted({letter for one in letters for letter in one})
    groups = [[run for run, one in zip(compared.runs, letters, strict=True) if letter in one] for letter in alphabet]
    return sorted(groups, key=lambda group: compared.runs.index(group[0]))


def _below_baselines(content: Content) -> list[str]:
    """Runs that score no better than an output that does not look at the data."""
    scores, values = content.scores, content.scores.oriented()[0]
    baselines = [place for place, own in enumerate(scores.own) if not own and np.isfinite(values[place])]
    if not baselines:
        return []
    best = max(baselines, key=lambda place: values[place])
    below = [run for run in content.own if not values[run] > values[best] + TIE]
    if not below:
        return []
    template = "By {measure}, {runs} " + ("scores" if len(below) == 1 else "score") + " no better than the baseline '{called}'."
    parts = {"measure": content.primary.id, "runs": _named(content, below), "baseline": scores.runs[best]}
    called, value = without_prefix(scores.runs[best]), float(scores.averages()[0, best])
    return [warn("no better than a baseline", template, **parts, called=called, value=value)]
