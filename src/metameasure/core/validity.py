"""What stands behind each interval and each p-value: a name for every method, under which docs/validity.md has its error rates,
and what is to be said where they are known to leave their band. The band: coverage of 95 % intervals at least .92, error of
tests at alpha .05 at most .065."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from metameasure.core.messages import Message, warn
from metameasure.core.notes import counted

FEWEST_TOPICS = 6
"""From so many topics on they are taken as a sample of topics; with fewer, no sign-flip test can find anything at .05."""
_FEW_TOPICS, _FEW_ITEMS, _FEW_ITEMS_A_TOPIC, _FEW_CLUSTERS = 30, 100, 20, 10
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
    said = {
        "interval/topics/t": _few(case.topics, _FEW_TOPICS) and (case.skewness or 0) > _SKEWED and (
            f"with fewer than {_FEW_TOPICS} topics, intervals of scores that are as skewed as these and have no upper end are "
            "too short (95 % intervals cover 84 to 89 %)"),
        "interval/topics/logit-t": _few(case.topics, _FEW_TOPICS) and case.rare and (
            f"with fewer than {_FEW_TOPICS} topics that score 0 or 1, nearly all the same, intervals are too short (95 % "
            "intervals cover 39 to 71 %): count items instead of topics"),
        "interval/items/both": _few(case.items, _FEW_ITEMS) and (
            f"with fewer than {_FEW_ITEMS} items, 95 % intervals cover 90 to 97 %, depending on the measure and the classes"),
        "interval/clusters/jackknife": _few(case.clusters, _FEW_CLUSTERS) and (
            "few effective clusters ({clusters:.1f}): the intervals over clusters are wide, and no shorter ones hold"),
        "interval/fixed-topics/normal": _few(case.fewest_items, _FEW_ITEMS_A_TOPIC) and not case.mean_of_items and (
            f"with fewer than {_FEW_ITEMS_A_TOPIC} items a topic, measures that are corrected for chance, or made of F1, are too "
            "low, and their 95 % intervals cover as little as 73 %"),
    }.get(method)  # fmt: skip
    return [warn("limit", said, clusters=case.clusters)] if said else []


def _few(number: float | None, enough: int) -> bool:
    return number is not None and number < enough


def _limits_of_old_intervals(what: str, method: str, case: Case) -> list[str]:
    better = "{--interval auto} holds its level"
    if method == "interval/bayes/items":
        few = f"with fewer than {_FEW_ITEMS} items, 95 % credible intervals cover as little as 75 %: {better}"
        return [warn("limit", few)] if _few(case.items, _FEW_ITEMS) else []
    if method.endswith("topics"):
        few = (
            f"with fewer than {_FEW_TOPICS} topics, bootstrap intervals are too short (95 % intervals cover 81 to 91 %): {better}"
        )
        return [warn("limit", few)] if _few(case.topics, _FEW_TOPICS) else []
    if method.endswith("clusters"):
        return [warn("limit", f"bootstrap intervals over clusters are too short (95 % intervals cover 77 to 94 %): {better}")]
    few = f"with fewer than {_FEW_ITEMS} items, bootstrap intervals are too short (95 % intervals cover 46 to 92 %): {better}"
    return [warn("limit", few)] if what == "bootstrap" and _few(case.items, _FEW_ITEMS) else []


def _limits_of_tests(method: str, case: Case) -> list[str]:
    said = []
    if "/swap" in method and not case.mean_of_items:
        said.append(
            "swaps test whether outputs could have come from either run, which is more than equal scores: runs with other kinds "
            "of mistakes and equal scores may be told apart (f1_macro: in 10 % instead of 5 %)"
        )
    if method == "test/stepwise" and case.rare and _few(case.topics, _FEW_TOPICS):
        said.append("scores of 0 and 1 that few topics show: no test over so few topics holds its level (error .28 to .47)")
    return [warn("limit", one) for one in said]


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
