"""The methods behind intervals and p-values: a name for each, under which docs/validity.md has its error rates, and the warnings
for the cases in which these are known to leave their band. The band: coverage of 95 % intervals at least .92, error of
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
_SKEWED, _VERY_SKEWED, _UNEQUAL, _FEW_RUNS = 1.0, 1.5, 4.0, 3


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
    skewness_of_items: float | None = None
    """Of the scores of items, whose mean the measure is."""
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
    only_drawn: bool = False
    """Whether the bootstrap is the only interval there is, as of measures that read an order."""


METHODS: Mapping[str, str] = MappingProxyType({
    "interval/topics/logit-t": "t interval over {topics}, on the logit of the measure's range",
    "interval/topics/t": "t interval over {topics}",
    "interval/items/both": "bootstrap and credible interval together",
    "interval/items/t": "t interval over items",
    "interval/items/left-out": "t interval by leaving out items, on the logit of the measure's range",
    "interval/items/normal": "normal interval with the deviation of resampled items",
    "interval/clusters/jackknife": "t interval by leaving out clusters, on the logit of the measure's range",
    "interval/fixed-topics/normal": "normal interval, items drawn within each topic",
    "interval/fixed-topics/clusters": "t interval, clusters drawn within each topic",
    "interval/bootstrap/topics": "bootstrap interval over {topics}",
    "interval/bootstrap/segments": "bootstrap interval of a micro average over segments",
    "interval/bootstrap/items": "bootstrap interval over items",
    "interval/bootstrap/clusters": "bootstrap interval over clusters",
    "interval/bayes/items": "credible interval",
    "interval/systems/fisher": "Fisher's interval over systems",
    "interval/slices/gap": "interval of the largest difference between slices, all pairs at once",
    "interval/difference/unadjusted": "paired t interval of each difference by itself",
    "interval/difference/simultaneous": "intervals of all differences at once, over shared sign flips",
    "interval/difference/items": "bootstrap interval of each difference by itself, over items",
    "interval/difference/items-t": "paired t interval of each difference by itself, over items",
    "interval/difference/segments": "bootstrap interval of each difference of micro averages by itself, over segments",
    "interval/difference/normal": "normal interval of each difference by itself, items drawn anew",
    "interval/difference/clusters": "t interval of each difference by itself, by leaving out clusters",
    "interval/difference/fixed-topics": "normal interval of each difference by itself, items drawn within each topic",
    "ranks/stepwise": "possible ranks of all runs at once, by the stepwise range test",
    "ranks/items": "possible ranks of all runs at once, items or clusters swapped",
    "ranks/across-tasks": "possible ranks of all runs at once, by the stepwise range test over tasks",
    "ranks/across-questions": "possible ranks of all runs at once, questions drawn or swapped within each task",
    "ranks/bradley-terry": "possible ranks of all models at once, by battles",
    "test/stepwise": "stepwise range test",
    "test/tukey": "randomised Tukey HSD test",
    "test/classical": "Tukey HSD test",
    "test/permutation": "paired permutation test over topics",
    "test/permutation/max-t": "paired permutation test over {topics}, max-T step-down correction",
    "test/bootstrap": "paired bootstrap test over topics",
    "test/against-holm": "sign-flip tests against one run, Holm's correction",
    "test/segments/swap": "paired permutation test of micro averages over segments",
    "test/metrics/perm-both": "scores of cells swapped between two metrics (PERM-BOTH)",
    "test/metrics/williams": "Williams' test of two correlations",
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
    "test/gate/jackknife": "t bounds by leaving out {topics}, corrected for skew",
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
    "ranks": "possible ranks",
    "other_ranks": "possible ranks by the other unit",
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
    said = next(chain(_of_tests(method, case), _of_intervals(method, case), _of_old_intervals(method, case)), None)
    return [] if said is None else [said]


def limits_of_all(methods: Mapping[str, str], case: Case) -> list[str]:
    """The same for all methods behind a result; keys say what each is for."""
    return list(dict.fromkeys(said for method in methods.values() for said in limits(method, case)))


_COVER = "95% intervals cover {low:.0%} to {high:.0%}"
_COVER_ONLY = "95% intervals cover {low:.0%}"
_AS_LITTLE = "cover as little as {low:.0%}"
_FOUND = "(in {low:.0%} to {high:.0%} of the cases instead of 5%)"
_FEW_AND_RARE = "with fewer than {enough} topics that score 0 or 1, nearly all the same, "
_BETTER = "{--interval auto} holds its level"


def limit(template: str, /, **parts: float | str | None) -> Message:
    """What is known to fail, with the rates that were measured."""
    return warn("limit", template, **parts)


def _few(number: float | None, enough: int) -> bool:
    return number is not None and number < enough


def _skewed(case: Case) -> bool:
    return _few(case.topics, _FEW_TOPICS_OF_SKEWED) and (case.skewness or 0) > _SKEWED


def _of_intervals(method: str, case: Case) -> Iterator[Message]:
    rare = case.rare and _few(case.topics, _FEW_TOPICS)
    match method:
        case "interval/topics/t" if _skewed(case):
            yield limit(
                "with fewer than {enough} topics, intervals of scores that are as skewed as these and have no upper end are too "
                f"short ({_COVER})",
                enough=_FEW_TOPICS_OF_SKEWED,
                low=0.82,
                high=0.89,
            )
        case "interval/topics/logit-t" if rare:
            too_short = f"{_FEW_AND_RARE}intervals are too short ({_COVER}): count items instead of topics"
            yield limit(too_short, enough=_FEW_TOPICS, low=0.39, high=0.71)
        case "interval/difference/unadjusted" if rare:
            too_short = f"{_FEW_AND_RARE}intervals of differences are too short, or there are none ({_COVER_ONLY})"
            yield limit(too_short, enough=_FEW_TOPICS, low=0.58)
        case "interval/items/both" if _few(case.items, _FEW_ITEMS):
            few = f"with fewer than {{enough}} items, {_COVER}, depending on the measure and the classes"
            yield limit(few, enough=_FEW_ITEMS, low=0.9, high=0.97)
        case "interval/items/both" if _few(case.rarest, _FEW_OF_A_CLASS):
            few = "with a class of fewer than {enough} items, 95% intervals of measures that weigh classes "
            yield limit(few + "cover {low:.0%} to {high:.0%}", enough=_FEW_OF_A_CLASS, low=0.9, high=0.97)
        case "interval/items/t" if _few(case.items, _FEW_ITEMS) and (case.skewness_of_items or 0) > _VERY_SKEWED:
            skewed = f"with fewer than {{enough}} items, intervals of scores that are as skewed as these are too short ({_COVER})"
            yield limit(skewed, enough=_FEW_ITEMS, low=0.85, high=0.92)
        case "interval/bootstrap/segments" if _few(case.topics, _FEW_SEGMENTS):
            yield limit("with fewer than {enough} segments, bootstrap intervals are too short", enough=_FEW_SEGMENTS)
        case "interval/clusters/jackknife" if _few(case.clusters, _FEW_CLUSTERS):
            wide = "few effective clusters ({clusters:.1f}): the intervals over clusters are wide, and no shorter ones hold"
            yield limit(wide, clusters=case.clusters)
        case "interval/fixed-topics/normal" if _few(case.fewest_items, _FEW_ITEMS_A_TOPIC) and not case.mean_of_items:
            yield limit(
                "with fewer than {enough} items a topic, measures that are corrected for chance, or made of F1, are too low, and "
                f"their 95% intervals {_AS_LITTLE}",
                enough=_FEW_ITEMS_A_TOPIC,
                low=0.73,
            )


def _of_old_intervals(method: str, case: Case) -> Iterator[Message]:
    """Of those that hold less often than the default does."""
    few_items, few_of_a_class = _few(case.items, _FEW_ITEMS), _few(case.rarest, _FEW_OF_A_CLASS)
    either = {"enough": _FEW_ITEMS, "enough_of_a_class": _FEW_OF_A_CLASS, "low": 0.53, "high": 0.92}
    few_of_either = "with fewer than {enough} items, or a class of fewer than {enough_of_a_class} items, "
    few_topics = "with fewer than {enough} topics, bootstrap intervals "
    match method:
        case "interval/bayes/items" if few_items:
            few = f"with fewer than {{enough}} items, 95% credible intervals {_AS_LITTLE}: {_BETTER}"
            yield limit(few, enough=_FEW_ITEMS, low=0.73)
        case "interval/bayes/items" if few_of_a_class:
            few = "with a class of fewer than {enough} items, 95% credible intervals of measures that weigh classes "
            yield limit(f"{few}{_AS_LITTLE}: {_BETTER}", enough=_FEW_OF_A_CLASS, low=0.84)
        case "interval/bootstrap/topics" if _few(case.topics, _FEW_TOPICS):
            too_short = f"{few_topics}are too short ({_COVER}): {_BETTER}"
            yield limit(too_short, enough=_FEW_TOPICS, low=0.78, high=0.91)
        case "interval/bootstrap/topics" if _skewed(case):
            too_short = f"{few_topics}of scores as skewed as these are too short ({_COVER})"
            yield limit(too_short, enough=_FEW_TOPICS_OF_SKEWED, low=0.87, high=0.89)
        case "interval/bootstrap/items" if few_items:
            too_short = f"with fewer than {{enough}} items, bootstrap intervals are too short ({_COVER})"
            yield limit(too_short if case.only_drawn else f"{too_short}: {_BETTER}", enough=_FEW_ITEMS, low=0.46, high=0.92)
        case "interval/bootstrap/clusters":
            yield limit(f"bootstrap intervals over clusters are too short ({_COVER}): {_BETTER}", low=0.77, high=0.94)
        case "interval/agreement/bootstrap" if few_items or few_of_a_class:
            yield limit(f"{few_of_either}bootstrap intervals are too short ({_COVER}): {_BETTER}", **either)
        case "interval/agreement/gwet" if few_items or few_of_a_class:
            yield limit(f"{few_of_either}intervals by Gwet's variance are too short ({_COVER}): {_BETTER}", **either)


def _of_tests(method: str, case: Case) -> Iterator[Message]:
    few_and_skewed = _few(case.runs, _FEW_RUNS + 1) and (case.skewness_of_differences or 0) > _SKEWED
    match method.split("/"):
        case "test", "items" | "clusters" | "fixed-topics", "swap" | "swap-max-t" if not case.mean_of_items:
            yield limit(
                "swaps test whether outputs could have come from either run, which is more than equal scores: runs with other "
                "kinds of mistakes and equal scores may be told apart (f1_macro: in up to {error:.0%} of the cases instead of "
                "5%)",
                error=0.22,
            )
        case "test", "stepwise" if case.rare and _few(case.topics, _FEW_TOPICS):
            told = f"{_FEW_AND_RARE}no test over topics holds its level: equal runs are told apart {_FOUND}"
            yield limit(told, enough=_FEW_TOPICS, low=0.21, high=0.47)
        case "test", "stepwise" if few_and_skewed and _few(case.topics, _FEW_TOPICS):
            skewed = "with two or three runs and differences as skewed as these, equal runs are told apart too often "
            yield limit(skewed + _FOUND, low=0.06, high=0.16)
        case "test", "bootstrap" if _few(case.topics, _FEW_TOPICS_OF_BOOTSTRAP_TEST):
            few = "with fewer than {enough} topics, the bootstrap test tells equal runs apart too often "
            yield limit(few + _FOUND, enough=_FEW_TOPICS_OF_BOOTSTRAP_TEST, low=0.07, high=0.28)
        case "test", "tukey" | "classical" if (case.unequal or 0) > _UNEQUAL:
            unequal = "where runs vary as unequally as these, this test tells equal runs apart too often "
            yield limit(unequal + _FOUND, low=0.07, high=0.14)


def sampled(
    units: str, topics: int, topic_word: str = "topic", *, fixed: bool = False, clusters: tuple[int, float] | None = None
) -> Message:
    """One sentence on what was sampled, and so what the intervals and tests are about. ``clusters``: how many there are, and
    how many equal ones would tell as much."""
    number, effective = clusters or (None, None)
    about = "intervals and tests are about other {units} like these"
    if fixed:
        said = (
            "the {topics} are fixed, and the {units} within each are a sample: intervals and tests are about other {units} in "
            "these {word}s, not about other {word}s"
        )
    elif units == "topics":
        said = "the {topics} are a sample of {word}s: intervals and tests are about other {word}s like these"
    elif number is None or effective is None:
        said = "the {units} are a sample of {units}: " + about
    elif effective < number - 0.05:
        said = "the {number} {units}, which are worth {effective:.1f} equal-sized ones, are a sample of {units}: " + about
    else:
        said = "the {number} {units} are a sample of {units}: " + about
    return warn(
        "sample", said, topics=counted(topics, topic_word), units=units, word=topic_word, number=number, effective=effective
    )
