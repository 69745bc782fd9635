"""What stands behind each interval and each p-value: a name for every method, under which docs/validity.md has its error rates,
and what is to be said where they are known to leave their band. The band: coverage of 95 % intervals at least .92, error of
tests at alpha .05 at most .065."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from metameasure.core.messages import Message, warn
from metameasure.core.notes import counted, grouped

FEWEST_TOPICS = 6
"""From so many topics on they are taken as a sample of topics; with fewer, no sign-flip test can find anything at .05."""
_FEW_TOPICS, _FEW_ITEMS, _FEW_ITEMS_A_TOPIC, _FEW_CLUSTERS, _FEW_OF_A_CLASS = 30, 100, 20, 10, 10
_FEW_TOPICS_OF_SKEWED, _FEW_TOPICS_OF_BOOTSTRAP_TEST, _FEW_SEGMENTS = 100, 50, 20
_SKEWED, _UNEQUAL, _FEW_RUNS = 1.0, 4.0, 3


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
    rarest: int | None = None
    """How many items the rarest class has, where the measure weighs classes and not items alone."""
    runs: int | None = None
    skewness_of_differences: float | None = None
    unequal: float | None = None
    """How far the runs that vary most and least lie apart, in standard errors."""
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
    "interval/bootstrap/segments": "bootstrap interval of a micro average over segments",
    "interval/bootstrap/items": "bootstrap interval over items",
    "interval/bootstrap/clusters": "bootstrap interval over clusters",
    "interval/bayes/items": "credible interval",
    "interval/difference/unadjusted": "paired t interval of each difference by itself",
    "interval/difference/simultaneous": "intervals of all differences at once, over shared sign flips",
    "interval/difference/items": "bootstrap interval of each difference by itself, over items",
    "interval/difference/segments": "bootstrap interval of each difference of micro averages by itself, over segments",
    "interval/difference/normal": "normal interval of each difference by itself, items drawn anew",
    "interval/difference/clusters": "t interval of each difference by itself, by leaving out clusters",
    "interval/difference/fixed-topics": "normal interval of each difference by itself, items drawn within each topic",
    "ranks/stepwise": "possible ranks of all runs at once, by the stepwise range test",
    "ranks/bradley-terry": "possible ranks of all models at once, by battles",
    "test/stepwise": "stepwise range test",
    "test/tukey": "randomised Tukey HSD test",
    "test/classical": "Tukey HSD test",
    "test/permutation": "paired permutation test over topics",
    "test/permutation/max-t": "paired permutation test over {topics}, max-T step-down correction",
    "test/bootstrap": "paired bootstrap test over topics",
    "test/against-holm": "sign-flip tests against one run, Holm's correction",
    "test/segments/swap": "paired permutation test of micro averages over segments",
    "test/segments/chance": "ranks shuffled within each segment",
    "test/items/swap": "items swapped between two runs",
    "test/items/swap-max-t": "items swapped by coins that all pairs share, max-T step-down correction",
    "test/items/bootstrap": "paired bootstrap test over items",
    "test/clusters/swap": "clusters swapped between two runs",
    "test/clusters/swap-max-t": "clusters swapped by coins that all pairs share, max-T step-down correction",
    "test/clusters/bootstrap": "paired bootstrap test over clusters",
    "test/fixed-topics/swap": "items swapped within topics between two runs",
    "test/fixed-topics/swap-max-t": "items swapped within topics by coins that all pairs share, max-T step-down correction",
    "test/fixed-topics/bootstrap": "paired bootstrap test, items drawn within each topic",
    "test/gate/score": "Tango's score interval of two shares on the same {topics}",
    "test/gate/t": "paired t bounds over {topics}",
    "test/gate/jackknife": "t bounds by leaving out {topics}",
    "test/gate/clusters": "t bounds by leaving out clusters",
    "test/gate/fixed-topics": "normal bounds, items or clusters drawn within each topic",
    "test/gate/drawn": "percentiles of the difference on {topics} drawn with replacement",
    "interval/agreement/auto": "the jackknife's t interval and a credible interval together",
    "interval/agreement/bootstrap": "bootstrap interval over items of agreement",
    "interval/agreement/gwet": "t interval with Gwet's variance",
    "interval/judges/difference": "bootstrap interval of a judge's score less the people's own",
    "interval/judges/pairs": "bootstrap interval of the difference of two judges",
    "interval/judges/bias": "t interval of a judge's labels less the people's, over items",
    "interval/corrected": "normal interval of people's value, corrected by a judge's labels, over resampled items",
    "test/judges/max-t": "items swapped between judges by coins that all pairs share, max-T step-down correction",
    "test/judges/people": "jackknife's t tests of a judge and each person, corrected by Benjamini and Yekutieli",
    "test/judges/alt-test": "the alternative annotator test",
    "interval/meta/consistency": "t interval of a mean tau, {topics} drawn with replacement",
    "interval/meta/similarity": "conservative interval of tau between two measures' rankings, {topics} drawn with replacement",
    "interval/meta/deltas": "Fisher's interval of Pearson's r",
    "test/meta/consistency": "consistency of two measures compared by leaving out {topics}",
    "test/meta/power": "power of two measures compared by leaving out {topics}",
    "interval/design/variance": "range of the residual variance that a pilot gives",
    "interval/design/assured": "number of topics that is enough in 80 of 100 pilots",
})  # fmt: skip
"""Every method by its name, in words, with a field for what topics are called. docs/validity.md has a section for each."""


def in_words(method: str, topics: str = "topics") -> str:
    """A method in words, with what topics are called here.

    >>> in_words("interval/topics/t", "segments")
    't interval over segments'
    """
    return METHODS[method].format(topics=topics)


_BEHIND = {
    "p": "p-values",
    "interval": "intervals",
    "difference": "intervals of differences",
    "by_annotator": "intervals of the annotators",
    "people": "tests against people",
    "alt_test": "alt-test",
    "bias": "intervals of bias",
    "p_topics": "p-values over topics",
    "p_measures": "p-values between measures",
    "p_consistency": "differences in consistency",
    "p_power": "differences in power",
    "variance_range": "range of the variance",
    "topics_range": "range of topics",
    "topics_assured": "assured number of topics",
}
"""What a method is behind, by the name that results have for it."""


def named(methods: Mapping[str, str]) -> list[str]:
    """The row of docs/validity.md behind each of a result's numbers: of several that one method is behind, the row once."""
    behind = grouped((method, _BEHIND[key]) for key, method in methods.items())
    said = "validity of the {what}: {method} ({meaning})"
    return [
        warn("validity", said, what=" and ".join(what), method=method, meaning=in_words(method))
        for method, what in behind.items()
    ]


def limits(method: str, case: Case) -> list[str]:
    """What is to be said of a result that falls outside the band in which the method's rates are known to hold."""
    said = next(chain(_of_tests(method, case), _of_intervals(method, case), _of_old_intervals(method, case)), "")
    return [warn("limit", said, clusters=case.clusters)] if said else []


def limits_of_all(methods: Mapping[str, str], case: Case) -> list[str]:
    """The same of all methods behind a result, by what they are for."""
    return list(dict.fromkeys(said for method in methods.values() for said in limits(method, case)))


def _few(number: float | None, enough: int) -> bool:
    return number is not None and number < enough


def _skewed(case: Case) -> bool:
    return _few(case.topics, _FEW_TOPICS_OF_SKEWED) and (case.skewness or 0) > _SKEWED


def _of_intervals(method: str, case: Case) -> Iterator[str]:
    rare = case.rare and _few(case.topics, _FEW_TOPICS)
    nearly_all_the_same = f"with fewer than {_FEW_TOPICS} topics that score 0 or 1, nearly all the same, intervals"
    match method:
        case "interval/topics/t" if _skewed(case):
            yield (
                f"with fewer than {_FEW_TOPICS_OF_SKEWED} topics, intervals of scores that are as skewed as these and have no "
                "upper end are too short (95 % intervals cover 82 to 89 %)"
            )
        case "interval/topics/logit-t" if rare:
            yield f"{nearly_all_the_same} are too short (95 % intervals cover 39 to 71 %): count items instead of topics"
        case "interval/difference/unadjusted" if rare:
            yield f"{nearly_all_the_same} of differences are too short, or there are none (95 % intervals cover 58 %)"
        case "interval/items/both" if _few(case.items, _FEW_ITEMS):
            yield (
                f"with fewer than {_FEW_ITEMS} items, 95 % intervals cover 90 to 97 %, depending on the measure and the classes"
            )
        case "interval/items/both" if _few(case.rarest, _FEW_OF_A_CLASS):
            few = f"with a class of fewer than {_FEW_OF_A_CLASS} items"
            yield f"{few}, 95 % intervals of measures that weigh classes cover 90 to 97 %"
        case "interval/bootstrap/segments" if _few(case.topics, _FEW_SEGMENTS):
            yield f"with fewer than {_FEW_SEGMENTS} segments, bootstrap intervals are too short"
        case "interval/clusters/jackknife" if _few(case.clusters, _FEW_CLUSTERS):
            yield "few effective clusters ({clusters:.1f}): the intervals over clusters are wide, and no shorter ones hold"
        case "interval/fixed-topics/normal" if _few(case.fewest_items, _FEW_ITEMS_A_TOPIC) and not case.mean_of_items:
            yield (
                f"with fewer than {_FEW_ITEMS_A_TOPIC} items a topic, measures that are corrected for chance, or made of F1, are "
                "too low, and their 95 % intervals cover as little as 73 %"
            )


def _of_old_intervals(method: str, case: Case) -> Iterator[str]:
    """Of those that hold less often than the default does."""
    better = "{--interval auto} holds its level"
    few_items, few_of_a_class = _few(case.items, _FEW_ITEMS), _few(case.rarest, _FEW_OF_A_CLASS)
    few, rare = f"with fewer than {_FEW_ITEMS} items", f"a class of fewer than {_FEW_OF_A_CLASS} items"
    match method:
        case "interval/bayes/items" if few_items:
            yield f"{few}, 95 % credible intervals cover as little as 73 %: {better}"
        case "interval/bayes/items" if few_of_a_class:
            yield f"with {rare}, 95 % credible intervals of measures that weigh classes cover as little as 84 %: {better}"
        case "interval/bootstrap/topics" if _few(case.topics, _FEW_TOPICS):
            short = "bootstrap intervals are too short (95 % intervals cover 78 to 91 %)"
            yield f"with fewer than {_FEW_TOPICS} topics, {short}: {better}"
        case "interval/bootstrap/topics" if _skewed(case):
            short = "are too short (95 % intervals cover 87 to 89 %)"
            yield f"with fewer than {_FEW_TOPICS_OF_SKEWED} topics, bootstrap intervals of scores as skewed as these {short}"
        case "interval/bootstrap/items" if few_items:
            yield f"{few}, bootstrap intervals are too short (95 % intervals cover 46 to 92 %): {better}"
        case "interval/bootstrap/clusters":
            yield f"bootstrap intervals over clusters are too short (95 % intervals cover 77 to 94 %): {better}"
        case "interval/agreement/bootstrap" if few_items or few_of_a_class:
            yield f"{few}, or {rare}, bootstrap intervals are too short (95 % intervals cover 53 to 92 %): {better}"
        case "interval/agreement/gwet" if few_items or few_of_a_class:
            yield f"{few}, or {rare}, intervals by Gwet's variance are too short (95 % intervals cover 53 to 92 %): {better}"


def _of_tests(method: str, case: Case) -> Iterator[str]:
    too_much = "too much is found"
    few_and_skewed = _few(case.runs, _FEW_RUNS + 1) and (case.skewness_of_differences or 0) > _SKEWED
    match method.split("/"):
        case "test", "items" | "clusters" | "fixed-topics", "swap" | "swap-max-t" if not case.mean_of_items:
            yield (
                "swaps test whether outputs could have come from either run, which is more than equal scores: runs with other "
                "kinds of mistakes and equal scores may be told apart (f1_macro: in 10 % instead of 5 %)"
            )
        case "test", "stepwise" if case.rare and _few(case.topics, _FEW_TOPICS):
            yield "scores of 0 and 1 that few topics show: no test over so few topics holds its level (error .21 to .47)"
        case "test", "stepwise" if few_and_skewed and _few(case.topics, _FEW_TOPICS):
            yield f"with two or three runs and differences as skewed as these, {too_much} (in 6 to 16 % instead of 5 %)"
        case "test", "bootstrap" if _few(case.topics, _FEW_TOPICS_OF_BOOTSTRAP_TEST):
            few = f"with fewer than {_FEW_TOPICS_OF_BOOTSTRAP_TEST} topics"
            yield f"{few}, {too_much} by the bootstrap test (in 7 to 28 % instead of 5 %)"
        case "test", "tukey" | "classical" if (case.unequal or 0) > _UNEQUAL:
            yield f"with runs that vary as unequally as these, {too_much} by this test (in 7 to 14 % instead of 5 %)"


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
