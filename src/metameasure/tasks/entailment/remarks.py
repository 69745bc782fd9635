"""What Bergmair (2009) asks to look at beside the scores: soundness (does a labelling fit its own ranking?), logical symmetry,
degradation, and what a forced threshold costs (the conflict of 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.classification.tables import balanced
from metameasure.catalogue.registry import default_registry
from metameasure.core.messages import note, say, warn
from metameasure.core.numbers import decimals, json_number
from metameasure.evidence.judgements import Judgements, RunItems, dense_ranks, with_ties_settled
from metameasure.scores.scores import Remark
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.rank_correlation import TIE

_ALL_DIGITS = 17
_MERGED = ("accuracy", "kappa", "mutual_information")


@dataclass(frozen=True)
class Merge:
    """One label of a run given another's name: accuracy, kappa and mutual information before and after."""

    label: str
    into: str
    before: tuple[float, ...]
    after: tuple[float, ...]


def degrading_merges(table: Floats, labels: Sequence[str]) -> list[Merge]:
    """Section 5.2: which label could be merged into which, so that accuracy and kappa rise while information falls."""
    measures = [default_registry()[name] for name in _MERGED]
    before = tuple(float(measure(table)) for measure in measures)
    merges = []
    for label, into in permutations(range(len(labels)), 2):
        merged = table.copy()
        merged[:, into] += merged[:, label]
        merged[:, label] = 0
        after = tuple(float(measure(merged)) for measure in measures)
        if after[0] > before[0] + TIE and after[1] > before[1] + TIE and after[2] < before[2] - TIE:
            merges.append(Merge(labels[label], labels[into], before, after))
    return sorted(merges, key=lambda merge: merge.after[2] - merge.before[2])


def negated(table: Floats) -> Floats:
    """The table of the negated judgements, Section 4.2: positive and negative trade places, on both sides."""
    order = np.arange(len(table))
    order[[0, -1]] = order[[-1, 0]]
    return table[np.ix_(order, order)]


def _symmetry(evidence: Judgements, run: int, table: Floats) -> dict[str, Any]:
    """Each measure as it is and on the negated judgements."""
    facts: dict[str, Any] = {}
    for name in ("a3", "mutual_information", "a2"):
        measure = default_registry()[name]
        facts[name] = [json_number(float(measure(side))) for side in (table, negated(table))]
    items = evidence.items[run]
    if items is not None and items.score is not None:
        measure = default_registry()["average_precision"]
        down = items.places("order@score")
        unanswered = int(np.isinf(items.score).sum())  # which come last both ways

        def upwards(column: Any) -> Any:
            return np.concatenate([column[: len(down) - unanswered][::-1], column[len(down) - unanswered :]])

        gold, score = items.gold.astype(np.int8)[down], items.ordered_key("order@score")
        sides = ((score, gold == 0), (upwards(score), upwards(gold) == len(evidence.scale) - 1))
        facts["average_precision"] = [
            json_number(float(measure(dense_ranks(key), counted.astype(float)))) for key, counted in sides
        ]
    return facts


@dataclass(frozen=True)
class Break:
    """Where a labelling leaves its ranking: an item labelled positive stands below one that is not."""

    positive: str
    positive_score: float
    other: str
    other_score: float
    items: int
    """How many items are labelled positive below some other, or not positive above some positive."""


@dataclass(frozen=True)
class Soundness:
    """Whether a run's positive labels are a prefix of its ranking by score."""

    broken: Break | None
    ranked: bool = False
    """Whether the run gives ranks; its scores are their negatives."""

    @property
    def sound(self) -> bool:
        return self.broken is None


def soundness(items: Any, labelled_positive: Booleans, score: Floats, *, ranked: bool = False) -> Soundness:
    """Sound: the lowest score among outputs labelled positive is at least the highest among the others."""
    positive, other = np.flatnonzero(labelled_positive), np.flatnonzero(~labelled_positive)
    if not len(positive) or not len(other) or score[positive].min() >= score[other].max():
        return Soundness(None, ranked)
    lowest, highest = _first(items, positive, score[positive]), _first(items, other, -score[other])
    involved = int((score[positive] < score[highest]).sum() + (score[other] > score[lowest]).sum())
    broken = Break(str(items[lowest]), float(score[lowest]), str(items[highest]), float(score[highest]), involved)
    return Soundness(broken, ranked)


def _first(items: Any, among: npt.NDArray[np.intp], key: Floats) -> int:
    """The one of these with the smallest key, of several the one whose id comes first."""
    smallest = among[key == key.min()]
    if isinstance(items, _Names) and items.are_in_order:
        return int(smallest[0])
    return int(min(smallest, key=lambda place: str(items[place])))


@dataclass(frozen=True)
class Conflict:
    """Section 4.1 on a run: with the threshold forced to the number r of positive items, repairing one error by moving it up
    costs another label, although the ranking has become better."""

    moved: str
    from_rank: int
    to_rank: int
    lost: str
    precision_before: float
    precision_after: float
    accuracy_if_relabelled: float
    accuracy_after: float


def conflict(items: Any, gold_positive: Booleans, score: Floats, average_precision: Any) -> Conflict | None:
    """The first such case in the run's ranking, or None. ``average_precision`` takes ranks and relevance.

    Ties are broken by id, because a threshold needs a strict order.
    """
    order = items.downwards(score) if isinstance(items, _Names) else np.lexsort((np.asarray(items, dtype=str), -score))
    relevant = gold_positive[order]
    r = int(relevant.sum())
    if not 0 < r < len(order) - 1 or not relevant[r - 1]:
        return None
    others = r + np.flatnonzero(~relevant[r:])  # places, counted from 0; what moves up past none of them changes nothing
    below = others[0] + np.flatnonzero(relevant[others[0] :]) if len(others) else others
    if not len(below):
        return None
    source, target = int(below[0]), r - 1
    moved = np.concatenate([relevant[:target], [True], np.delete(relevant[target:], source - target)])
    ranks = np.arange(1.0, len(order) + 1)
    before, after = (float(average_precision(ranks, kept.astype(float))) for kept in (relevant, moved))
    threshold = np.arange(len(order)) < r
    right = float((threshold == relevant).mean())
    return Conflict(
        str(items[order[source]]),
        source + 1,
        r,
        str(items[order[r - 1]]),
        before,
        after,
        right + 1 / len(order),
        float((threshold == moved).mean()),
    )


def own_ranking(run: RunItems | None, topics: Sequence[str]) -> tuple[Soundness | None, Conflict | None]:
    """What a run's own ranking says of its labels, over all topics."""
    if run is None or run.score is None:
        return None, None
    answered = int(run.answered.sum())  # stand-ins for missing answers come behind them and have no name
    if not answered:
        return None, None
    names, score = _Names(run, topics, answered), run.score[:answered]
    precision = default_registry()["average_precision"]
    return (
        soundness(names, run.label[:answered] == 0, score, ranked=run.belief_is_ranked),
        conflict(names, run.gold[:answered] == 0, score, precision),
    )


@dataclass(frozen=True)
class _Names:
    """What the items that a run answers are called, with their topics where there are several."""

    run: RunItems
    topics: Sequence[str]
    answered: int

    def __getitem__(self, place: int) -> str:
        name = self.run.names[place]
        return name if self.are_in_order else f"{self.topics[self.run.topic[place]]}/{name}"

    @property
    def are_in_order(self) -> bool:
        """Whether items stand in the order of their names."""
        return len(self.topics) == 1

    def downwards(self, score: Floats) -> Integers:
        """The items from the highest score down, equal ones in the order of their names."""
        order = self.run.places("order@score")[: self.answered]
        if self.are_in_order:
            return order
        return with_ties_settled(
            order, score[order], lambda tied: [np.array([self[place] for place in tied.tolist()], dtype=str), -score[tied]]
        )


def remarks(evidence: Judgements, *, balance: bool = False) -> tuple[tuple[Remark, ...], tuple[str, ...]]:
    """For each run, in words and as JSON; and notes that explain them."""
    labels = evidence.scale.labels
    checks = [own_ranking(run, evidence.topics) for run in evidence.items]
    sound, conflicts = [one for one, _ in checks], [one for _, one in checks]
    tables = evidence.counts.tables().sum(axis=1)
    tables = balanced(tables) if balance else tables
    merges = [degrading_merges(table, labels) for table in tables]
    symmetry = [_symmetry(evidence, run, table) for run, table in enumerate(tables)]
    run_remarks = [
        Remark("A2 → negated", "symmetry", tuple(_pair(facts["a2"]) for facts in symmetry), tuple(symmetry)),
        Remark(
            "merging raises A3 and κ, lowers I",
            "degradation",
            tuple(map(_merge_words, merges)),
            tuple([_merge_facts(merge) for merge in of_run] for of_run in merges),
        ),
    ]
    trade = f"{labels[0]} and {labels[-1]} trade places"
    over = say(", all {units}s as one", units=evidence.topic_word) if len(evidence.topics) > 1 else ""
    ranking, changed = (", and a ranking turns round", "A2 and AP") if any(sound) else ("", "A2")
    said = (
        "negated{over}: with every judgement turned into its negation {trade}{ranking}; A3 and I(G;L) stay as they are, "
        "{changed} need not"
    )
    notes: list[str] = [note("negated", said, over=over, trade=trade, ranking=ranking, changed=changed)]
    if any(sound):
        ranked = [facts.get("average_precision") for facts in symmetry]
        run_remarks.insert(
            1, Remark("AP → negated", "", tuple(_pair(pair) if pair else "–" for pair in ranked), (None,) * len(ranked))
        )
        words = tuple("–" if one is None else "yes" if one.sound else "no" for one in sound)
        run_remarks.insert(0, Remark("sound", "soundness", words, tuple(_sound_facts(one) for one in sound)))
        notes += [_break_words(run, one) for run, one in zip(evidence.runs, sound, strict=True) if one and one.broken]
        run_remarks.append(Remark("", "conflict", (), tuple(asdict(one) if one else None for one in conflicts)))
        notes += [_conflict_words(run, one) for run, one in zip(evidence.runs, conflicts, strict=True) if one]
    return tuple(run_remarks), tuple(notes)


def _pair(values: Sequence[Any]) -> str:
    first, second = (np.nan if value is None else value for value in values)
    return say("{first:.4f} → {second:.4f}", first=first, second=second)


def _apart(first: float, second: float, style: str = "f", digits: int = 4) -> tuple[str, str]:
    """Two numbers that differ, to so many digits that they look different."""
    pairs = ((f"{first:.{more}{style}}", f"{second:.{more}{style}}") for more in range(max(1, decimals(digits)), _ALL_DIGITS + 1))
    return next((pair for pair in pairs if pair[0] != pair[1]), (repr(first), repr(second)))


def _merge_words(merges: Sequence[Merge]) -> str:
    if not merges:
        return "no"
    merge = merges[0]
    changes = ", ".join(
        f"{name} {' → '.join(_apart(before, after))}"
        for name, before, after in zip(("A3", "κ", "I"), merge.before, merge.after, strict=True)
    )
    return f"{merge.label} into {merge.into}: {changes}"


def _merge_facts(merge: Merge) -> dict[str, Any]:
    values = {name: [before, after] for name, before, after in zip(_MERGED, merge.before, merge.after, strict=True)}
    return {"label": merge.label, "into": merge.into, **values}


def _sound_facts(one: Soundness | None) -> dict[str, Any] | None:
    if one is None or one.broken is None:
        return None if one is None else {"sound": True, "break": None}
    facts = asdict(one.broken)
    if one.ranked:
        facts |= {f"{side}_rank": -facts.pop(f"{side}_score") for side in ("positive", "other")}
    return {"sound": False, "break": facts}


def _break_words(run: str, one: Soundness) -> str:
    broken = one.broken
    assert broken is not None  # noqa: S101 - only asked of unsound runs
    lower, higher = _apart(broken.positive_score, broken.other_score, "g", 6)
    below, above = f"with a score of {lower}", f"with {higher}"
    if one.ranked:
        below, above = (f"at rank {negative.removeprefix('-')}" for negative in (lower, higher))
    return warn(
        "not sound",
        "{run} is not sound: item '{positive}' is labelled positive {below}, item '{other}' is not {above}; items that "
        "contradict another in this way: {items}",
        run=run, positive=broken.positive, below=below, other=broken.other, above=above, items=broken.items,
    )  # fmt: skip


def _conflict_words(run: str, one: Conflict) -> str:
    precision = " to ".join(_apart(one.precision_before, one.precision_after))
    accuracy = " instead of ".join(_apart(one.accuracy_after, one.accuracy_if_relabelled))
    return note(
        "threshold against order",
        "{run}: with the threshold at its right place, rank {to_rank}, moving item '{moved}' from rank {from_rank} to {to_rank} "
        "raises AP from {precision}, but pushes '{lost}' below the threshold: accuracy is {accuracy} "
        "(Bergmair 2009, Section 4.1)",
        run=run, to_rank=one.to_rank, moved=one.moved, from_rank=one.from_rank, precision=precision, lost=one.lost,
        accuracy=accuracy,
    )  # fmt: skip
