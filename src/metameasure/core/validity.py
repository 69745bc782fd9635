"""What stands behind each interval and each p-value: a name for every method, under which docs/validity.md has its error rates,
and what is to be said where they are known to leave their band. The band: coverage of 95 % intervals at least .92, error of
tests at alpha .05 at most .065."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from metameasure.core.messages import Message, say, warn
from metameasure.core.notes import counted

FEWEST_TOPICS = 6
"""From so many topics on they are taken as a sample of topics; with fewer, no sign-flip test can find anything at .05."""
_FEW_TOPICS, _FEW_ITEMS, _FEW_ITEMS_A_TOPIC, _FEW_CLUSTERS = 30, 100, 20, 10
_LEVEL = 0.95
_SKEWED = 1.0


@dataclass(frozen=True, kw_only=True)
class Case:
    """What a method was used on, as far as its limits depend on it; None where it is not known or does not matter."""

    topics: int | None = None
    items: int | None = None
    """Of one test set."""
    fewest_items: int | None = None
    """In any of the topics that are fixed."""
    clusters: float | None = None
    """How many equal clusters would tell as much."""
    skewness: float | None = None
    rare: bool = False
    """Whether topics score 0 or 1, nearly all of them the same."""
    mean_of_items: bool = True
    """Whether the measure is, with gold as it is, a sum of what single answers are worth: not one that is corrected for chance
    or has F1."""


METHODS: Mapping[str, str] = MappingProxyType({
    "interval/topics/logit-t": "t interval over {topics}, on the logit of the measure's range",
    "interval/topics/t": "t interval over {topics}",
    "interval/items/both": "bootstrap and credible interval together",
    "interval/items/normal": "normal interval with the deviation of resampled items",
    "interval/clusters/jackknife": "t interval by leaving out clusters, on the logit of the measure's range",
    "interval/fixed-topics/normal": "normal interval, items drawn within each topic",
    "interval/fixed-topics/clusters": "t interval, clusters drawn within each topic",
    "interval/bootstrap/topics": "bootstrap interval over {topics}",
    "interval/bootstrap/items": "bootstrap interval over items",
    "interval/bootstrap/clusters": "bootstrap interval over clusters",
    "interval/bayes/items": "credible interval",
    "interval/difference/unadjusted": "paired t interval of each difference by itself",
    "interval/difference/simultaneous": "intervals of all differences at once, over shared sign flips",
    "interval/difference/items": "bootstrap interval of each difference by itself, over items",
    "interval/difference/normal": "normal interval of each difference by itself, items drawn anew",
    "interval/difference/clusters": "t interval of each difference by itself, by leaving out clusters",
    "interval/difference/fixed-topics": "normal interval of each difference by itself, items drawn within each topic",
    "test/stepwise": "stepwise range test",
    "test/tukey": "randomised Tukey HSD test",
    "test/classical": "Tukey HSD test",
    "test/permutation": "paired permutation test over topics",
    "test/bootstrap": "paired bootstrap test over topics",
    "test/against-holm": "sign-flip tests against one run, Holm's correction",
    "test/segments/swap": "paired permutation test of micro averages over segments",
    "test/items/swap": "items swapped between two runs",
    "test/items/swap-max-t": "items swapped by coins that all pairs share, max-T step-down correction",
    "test/items/bootstrap": "paired bootstrap test over items",
    "test/clusters/swap": "clusters swapped between two runs",
    "test/clusters/swap-max-t": "clusters swapped by coins that all pairs share, max-T step-down correction",
    "test/clusters/bootstrap": "paired bootstrap test over clusters",
    "test/fixed-topics/swap": "items swapped within topics between two runs",
    "test/fixed-topics/swap-max-t": "items swapped within topics by coins that all pairs share, max-T step-down correction",
    "test/fixed-topics/bootstrap": "paired bootstrap test, items drawn within each topic",
})  # fmt: skip
"""Every method by its name, in words, with a field for what topics are called. docs/validity.md has a section for each."""


def in_words(method: str, topics: str = "topics") -> str:
    """A method in words, with what topics are called here.

    >>> in_words("interval/topics/t", "segments")
    't interval over segments'
    """
    return METHODS[method].format(topics=topics)


def limits(method: str, case: Case) -> list[str]:
    """What is to be said of a result that falls outside the band in which the method's rates are known to hold."""
    kind, what, *_ = method.split("/")
    if kind == "test":
        return _limits_of_tests(method, case)
    if method.startswith("interval/bootstrap") or method == "interval/bayes/items":
        return _limits_of_old_intervals(what, method, case)
    return _limits_of_intervals(method, case)


def _limits_of_intervals(method: str, case: Case) -> list[str]:
    few_topics, few_items = _few(case.topics, _FEW_TOPICS), _few(case.items, _FEW_ITEMS)
    match method:
        case "interval/topics/t" if few_topics and (case.skewness or 0) > _SKEWED:
            return [
                _covering(
                    "with fewer than {topics} topics, intervals of scores that are as skewed as these and have no upper end are "
                    "too short ({covered})",
                    0.84,
                    0.89,
                    topics=_FEW_TOPICS,
                )
            ]
        case "interval/topics/logit-t" if few_topics and case.rare:
            return [
                _covering(
                    "with fewer than {topics} topics that score 0 or 1, nearly all the same, intervals are too short "
                    "({covered}): count items instead of topics",
                    0.39,
                    0.71,
                    topics=_FEW_TOPICS,
                )
            ]
        case "interval/items/both" if few_items:
            return [
                _covering(
                    "with fewer than {items} items, {covered}, depending on the measure and the classes",
                    0.90,
                    0.97,
                    items=_FEW_ITEMS,
                )
            ]
        case "interval/clusters/jackknife" if _few(case.clusters, _FEW_CLUSTERS):
            wide = "few effective clusters ({clusters:.1f}): the intervals over clusters are wide, and no shorter ones hold"
            return [warn("limit", wide, clusters=case.clusters)]
        case "interval/fixed-topics/normal" if _few(case.fewest_items, _FEW_ITEMS_A_TOPIC) and not case.mean_of_items:
            low = (
                "with fewer than {items} items a topic, measures that are corrected for chance, or made of F1, are too low, and "
                "their {level:.0c} % intervals cover as little as {low:.0c} %"
            )
            return [warn("limit", low, items=_FEW_ITEMS_A_TOPIC, level=_LEVEL, low=0.73)]
        case _:
            return []


def _covering(template: str, low: float, high: float, **parts: int) -> Message:
    """What is said where intervals do not hold their level, with the shares that they were seen to cover."""
    covered = say("{level:.0c} % intervals cover {low:.0c} to {high:.0c} %", level=_LEVEL, low=low, high=high)
    return warn("limit", template, covered=covered, **parts)


def _few(number: float | None, enough: int) -> bool:
    return number is not None and number < enough


def _limits_of_old_intervals(what: str, method: str, case: Case) -> list[str]:
    better = "{--interval auto} holds its level"
    if method == "interval/bayes/items":
        few = "with fewer than {items} items, {level:.0c} % credible intervals cover as little as {low:.0c} %: " + better
        return [warn("limit", few, items=_FEW_ITEMS, level=_LEVEL, low=0.75)] if _few(case.items, _FEW_ITEMS) else []
    if method.endswith("topics"):
        few = "with fewer than {topics} topics, bootstrap intervals are too short ({covered}): " + better
        return [_covering(few, 0.81, 0.91, topics=_FEW_TOPICS)] if _few(case.topics, _FEW_TOPICS) else []
    if method.endswith("clusters"):
        return [_covering("bootstrap intervals over clusters are too short ({covered}): " + better, 0.77, 0.94)]
    few = "with fewer than {items} items, bootstrap intervals are too short ({covered}): " + better
    return [_covering(few, 0.46, 0.92, items=_FEW_ITEMS)] if what == "bootstrap" and _few(case.items, _FEW_ITEMS) else []


def _limits_of_tests(method: str, case: Case) -> list[str]:
    said: list[str] = []
    if "/swap" in method and not case.mean_of_items:
        more = (
            "swaps test whether outputs could have come from either run, which is more than equal scores: runs with other kinds "
            "of mistakes and equal scores may be told apart ({measure}: in {error:.0c} % instead of {alpha:.0c} %)"
        )
        said.append(warn("limit", more, measure="f1_macro", error=0.1, alpha=0.05))
    if method == "test/stepwise" and case.rare and _few(case.topics, _FEW_TOPICS):
        none = (
            "scores of 0 and 1 that few topics show: no test over so few topics holds its level (error {low:.2p} to {high:.2p})"
        )
        said.append(warn("limit", none, low=0.28, high=0.47))
    return said


def sampled(units: str, topics: int, topic_word: str = "topic", *, fixed: bool = False) -> Message:
    """What is a sample of what, in one sentence: what the intervals and tests are about."""
    if fixed:
        said = (
            "the {topics} are fixed, and the {units} within each are a sample: intervals and tests are about other {units} in "
            "these {word}s, not about other {word}s"
        )
    elif units == "topics":
        said = "the {topics} are a sample of {word}s: intervals and tests are about other {word}s like these"
    else:
        said = "the {units} are a sample of {units}: intervals and tests are about other {units} like these"
    return warn("sample", said, topics=counted(topics, topic_word), units=units, word=topic_word)
