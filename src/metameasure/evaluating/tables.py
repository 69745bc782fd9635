"""What a run's scores are made of: its confusion table, its distribution, its pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.classification.f1 import f1_per_class
from metameasure.catalogue.classification.precision import precision_per_class
from metameasure.catalogue.classification.recall import recall_per_class
from metameasure.catalogue.entailment.accuracies import two_way
from metameasure.catalogue.registry import default_registry
from metameasure.core.messages import data, note, sentence
from metameasure.core.notes import counted
from metameasure.core.numbers import json_number, json_table, number, significant
from metameasure.core.scale import Scale
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distributions import Distributions
from metameasure.evidence.judgements import Judgements
from metameasure.evidence.rankings import Rankings
from metameasure.reading.frames import is_frame
from metameasure.scores.segments import segment_evidence
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.base import task_on
from metameasure.tasks.ranking.remarks import PAIR_KEYS

_BY_CLASS = {"precision": precision_per_class, "recall": recall_per_class, "f1": f1_per_class}
_MACRO = {"precision": "macro_precision", "recall": "macro_recall", "f1": "f1_macro"}


def table(gold: Any, runs: Any = None, *, task: str = "classification", **how: Any) -> Signed:
    """What each run's scores are made of, all topics as one.

    For labels, the confusion table with its margins, and precision, recall, F1 and support by class; for entailment, the
    two-way table too; for distributions, those of gold and run; for rankings, the pairs of items. ``gold`` and ``runs`` are what
    ``evaluate`` takes; one run needs no name.
    """
    if is_frame(runs) and "run" not in [*(how.get("columns") or {}), *runs.columns]:
        runs = {"run": runs}
    evidence = task_on(task, gold, runs, how).evidence()
    return replace(tables_of(evidence), made=evidence.signed().having(command="table"))


def tables_of(evidence: Evidence) -> Signed:
    """The tables of a task's evidence."""
    return _TABLES[type(evidence)](evidence)


@dataclass(frozen=True, eq=False)
class LabelTables(Signed):
    """For each run the counts (runs, C, C), rows gold and columns predicted: numbers of items, or their weights."""

    scale: Scale
    runs: tuple[str, ...]
    counts: Floats
    weighted: bool
    notes: tuple[str, ...] = ()

    @property
    def support(self) -> Floats:
        """(runs, C): how much of each class gold has."""
        return np.asarray(self.counts.sum(axis=2))

    def by_class(self) -> dict[str, Floats]:
        """Precision, recall and F1 of each class, (runs, C)."""
        return {name: np.asarray(function(self.counts)) for name, function in _BY_CLASS.items()}

    def macro(self) -> dict[str, Floats]:
        """The means over the classes that gold has, (runs,)."""
        return {name: np.asarray(default_registry()[id](self.counts)) for name, id in _MACRO.items()}

    def weighted_means(self) -> dict[str, Floats]:
        """The means over classes, weighted by support, (runs,)."""
        shares = self.support / self.support.sum(axis=1, keepdims=True)
        return {name: np.where(shares > 0, shares * values, 0.0).sum(axis=1) for name, values in self.by_class().items()}

    def accuracy(self) -> Floats:
        """(runs,)."""
        return np.asarray(default_registry()["accuracy"](self.counts))

    def to_dict(self) -> dict[str, Any]:
        return {
            "classes": list(self.scale.labels),
            "runs": [self._run(run) for run in range(len(self.runs))],
            "notes": [*self.notes],
            "findings": data(self.notes),
            **self.signed(),
        }

    def _run(self, run: int) -> dict[str, Any]:
        by_class, support = self.by_class(), self._amounts(self.support)[run]
        return {
            "run": self.runs[run],
            "counts": self._amounts(self.counts[run]),
            "by_class": [
                {
                    "class": label,
                    **{name: json_number(float(values[run, place])) for name, values in by_class.items()},
                    "support": support[place],
                }
                for place, label in enumerate(self.scale.labels)
            ],
            "accuracy": json_number(float(self.accuracy()[run])),
            "macro": {name: json_number(float(values[run])) for name, values in self.macro().items()},
            "weighted": {name: json_number(float(values[run])) for name, values in self.weighted_means().items()},
        }

    def _amounts(self, table: Any) -> list[list[Any]]:
        """Counts as whole numbers, weights as they are."""
        return json_table(table) if self.weighted else np.rint(table).astype(int).tolist()

    def numbers(self) -> dict[str, str]:
        """Of each run: its confusion table, from which the rest is computed."""
        return {run: digest_of_numbers([tuple(table.ravel())]) for run, table in zip(self.runs, self.counts, strict=True)}

    def tables(self, format: OutputFormat) -> list[Table]:
        last = len(self.runs) - 1
        return [self._table(run, self._explained() if run == last else ()) for run in range(len(self.runs))]

    def _explained(self) -> tuple[str, ...]:
        return tuple(map(sentence, self.notes))

    def _table(self, run: int, notes: tuple[str, ...]) -> Table:
        """Precision, recall and F1 as scikit-learn's report has them; the confusion table beside it."""
        by_class, support = self.by_class(), self.support[run]
        headings = (self.runs[run], *by_class, "support")
        rows = [
            (label, *(number(values[run, place]) for values in by_class.values()), self._amount(support[place]))
            for place, label in enumerate(self.scale.labels)
        ]
        total = self._amount(support.sum())
        for name, means in (("macro average", self.macro()), ("weighted average", self.weighted_means())):
            rows.append((name, *(number(values[run]) for values in means.values()), total))
        rows.append(("accuracy", "", "", number(self.accuracy()[run]), total))
        right, title = frozenset(headings[1:]), f"{self.runs[run]} by class"
        return Table(headings, tuple(rows), right=right, beside=self._beside(run), notes=notes, title=title)

    def _beside(self, run: int) -> Table:
        """What stands below precision, recall and F1; judgements have more."""
        return _confusion(self.counts[run], self.scale.labels, self._amount)

    def _amount(self, amount: float) -> str:
        return significant(amount) if self.weighted else f"{amount:.0f}"

    def full_table(self) -> Table:
        """A row for each run and gold class: precision, recall, F1, support, and how often each class was predicted."""
        classes, places = self.scale.labels, [(run, place) for run in range(len(self.runs)) for place in range(len(self.scale))]
        counts, support = [self._amounts(table) for table in self.counts], self._amounts(self.support)
        return Table.of(
            {
                "run": [self.runs[run] for run, _ in places],
                "class": [classes[place] for _, place in places],
                **{name: [float(values[at]) for at in places] for name, values in self.by_class().items()},
                "support": [support[run][place] for run, place in places],
                **{f"predicted {name}": [counts[run][place][at] for run, place in places] for at, name in enumerate(classes)},
            }
        )

    def draw(self, width: float) -> Figure:
        """A heat map for each run: of every gold class, which share was called what."""
        maps = []
        for run, name in enumerate(self.runs):
            texts = [[self._amount(cell) if cell else "" for cell in row] for row in self.counts[run]]
            maps.append(HeatMap(name, _shares(self.counts[run]), self.scale.labels, self.scale.labels, texts))
        most = max([0.0, *(float(value) for one in maps for value in one.values[np.isfinite(one.values)])])
        return heat_maps(maps, width, scale=(0.0, most or 1.0), sides=("gold", "predicted"))


def _shares(table: Floats) -> Floats:
    """Of each row; NaN in an empty one."""
    total = table.sum(axis=1, keepdims=True)
    return np.where(total > 0, table / np.where(total > 0, total, 1.0), np.nan)


def _confusion(counts: Floats, labels: Sequence[str], amount: Any) -> Table:
    """Counts with their margins; right answers are stressed."""
    headings = ("gold ↓ predicted →", *labels, "total")
    rows = [(label, *map(amount, row), amount(row.sum())) for label, row in zip(labels, counts, strict=True)]
    rows.append(("total", *map(amount, counts.sum(axis=0)), amount(counts.sum())))
    return Table(headings, tuple(rows), right=frozenset(headings[1:]), bold=frozenset(enumerate(labels)))


@dataclass(frozen=True, eq=False)
class JudgementTables(LabelTables):
    """The same of judgements, and the table of the positive class against the others: Bergmair (2009), Sections 2 and 5."""

    @property
    def sides(self) -> tuple[str, str]:
        """What the two classes of the two-way reading are called."""
        return self.scale.labels[0], f"not {self.scale.labels[0]}"

    def two_way(self) -> Floats:
        """(runs, 2, 2)."""
        return np.asarray(two_way(self.counts))

    def uncertainty(self) -> list[Floats]:
        """H(G|L=l) for each label, (runs,): how uncertain gold remains where the run answers it."""
        measures = (default_registry()["conditional_entropy@LABEL"].with_argument((label,)) for label in self.scale.labels)
        return [np.asarray(measure(self.counts, classes=self.scale)) for measure in measures]

    def _run(self, run: int) -> dict[str, Any]:
        bits = zip(self.scale.labels, self.uncertainty(), strict=True)
        return super()._run(run) | {
            "two_way": {"classes": list(self.sides), "counts": self._amounts(self.two_way()[run])},
            "conditional_entropy": {label: json_number(float(values[run])) for label, values in bits},
        }

    def _beside(self, run: int) -> Table:
        """A last line as in Bergmair's Figure 2, and the two-way table."""
        table = super()._beside(run)
        bits = ("H(G|L)", *(number(float(values[run]), 4) for values in self.uncertainty()), "")
        both = _confusion(self.two_way()[run], self.sides, self._amount)
        return replace(table, rows=(*table.rows, bits), beside=both)

    def _explained(self) -> tuple[str, ...]:
        return (
            "H(G|L): how uncertain gold remains, in bits, where the run gives that label (Bergmair 2009, Figure 2).",
            *super()._explained(),
        )


@dataclass(frozen=True, eq=False)
class DistributionTables(Signed):
    """``gold`` and ``estimates`` (runs, C) are of all topics that a run has, as one; ``evidence`` has every topic."""

    caption: ClassVar[str] = "Distributions over the classes"

    evidence: Distributions
    gold: Floats
    estimates: Floats
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        labels = self.evidence.scale.labels
        return {
            "classes": list(labels),
            "topics": len(self.evidence.topics),
            "runs": [
                {
                    "run": run,
                    "gold": [json_number(float(share)) for share in gold],
                    "estimate": [json_number(float(share)) for share in estimate],
                    "by_class": [
                        {
                            "class": label,
                            "gold": json_number(float(g)),
                            "estimate": json_number(float(e)),
                            "difference": json_number(float(e - g)),
                        }
                        for label, g, e in zip(labels, gold, estimate, strict=True)
                    ],
                }
                for run, gold, estimate in zip(self.evidence.runs, self.gold, self.estimates, strict=True)
            ],
            "notes": list(self.notes),
            "findings": data(self.notes),
            **self.signed(),
        }

    def numbers(self) -> dict[str, str]:
        """Of each run: its distribution over all topics, and gold's."""
        each = zip(self.evidence.runs, self.gold, self.estimates, strict=True)
        return {run: digest_of_numbers([(*gold, *estimate)]) for run, gold, estimate in each}

    def rows(self) -> list[tuple[str, Floats]]:
        """Gold and the runs, each with its distribution; gold again where a run lacks topics."""
        shown = [("gold", self.gold[0])] if len(self.gold) else []
        for run, gold, estimate in zip(self.evidence.runs, self.gold, self.estimates, strict=True):
            if np.abs(gold - self.gold[0]).max() > TIE:
                shown.append((f"gold of {run}'s topics", gold))
            shown.append((run, estimate))
        return shown

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("", *self.evidence.scale.labels)
        rows = tuple((name, *(number(float(share), 4) for share in shares)) for name, shares in self.rows())
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=tuple(map(sentence, self.notes)))]

    def full_table(self) -> Table:
        evidence = self.evidence
        places = [
            (run, topic, label)
            for run in range(len(evidence.runs))
            for topic in range(len(evidence.topics))
            for label in range(len(evidence.scale))
        ]
        return Table.of(
            {
                "run": [evidence.runs[run] for run, _, _ in places],
                "topic": [evidence.topics[topic] for _, topic, _ in places],
                "class": [evidence.scale.labels[label] for _, _, label in places],
                "gold": [float(evidence.gold[topic, label]) for _, topic, label in places],
                "estimate": [float(evidence.estimates[at]) for at in places],
            }
        )

    def draw(self, width: float) -> Figure:
        """A heat map: gold and the runs down, classes across."""
        names, shares = zip(*self.rows(), strict=True)
        texts = [[number(float(share), 2) for share in row] for row in shares]
        return heat_maps([HeatMap("", np.array(shares), names, self.evidence.scale.labels, texts)], width)


@dataclass(frozen=True, eq=False)
class PairTables(Signed):
    """``pairs`` (runs, 5): how many pairs are concordant, discordant, tied by the human only, by the run only, and by both."""

    caption: ClassVar[str] = "Pairs of items"

    runs: tuple[str, ...]
    pairs: Integers
    segments: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        entries = [
            {"run": run, "pairs": dict(zip(PAIR_KEYS, row.tolist(), strict=True))}
            for run, row in zip(self.runs, self.pairs, strict=True)
        ]
        return {
            "segments": self.segments,
            "runs": entries,
            "notes": list(self.notes),
            "findings": data(self.notes),
            **self.signed(),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("run", *(name.replace("_", " ") for name in PAIR_KEYS), "pairs")
        rows = tuple((run, *map(str, row), str(sum(row))) for run, row in zip(self.runs, self.pairs.tolist(), strict=True))
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=tuple(map(sentence, self.notes)))]

    def numbers(self) -> dict[str, str]:
        """Of each run: its pairs."""
        return {run: digest_of_numbers([tuple(row)]) for run, row in zip(self.runs, self.pairs, strict=True)}

    def full_table(self) -> Table:
        return Table.of({"run": list(self.runs), **{name: self.pairs[:, place].tolist() for place, name in enumerate(PAIR_KEYS)}})

    def draw(self, width: float) -> Figure:
        """A heat map: runs down, kinds of pairs across, by their shares."""
        shares = self.pairs / np.maximum(1, self.pairs.sum(axis=1, keepdims=True))
        names = [name.replace("_", " ") for name in PAIR_KEYS]
        texts = [list(map(str, row)) for row in self.pairs.tolist()]
        return heat_maps(
            [HeatMap("", shares, self.runs, names, texts)], width, notes=["Darker: a larger share of the run's pairs."]
        )


def _label_tables(evidence: LabelCounts) -> LabelTables:
    return LabelTables(evidence.scale, evidence.runs, evidence.tables().sum(axis=1), evidence.weighted, _pooled(evidence))


def _judgement_tables(evidence: Judgements) -> JudgementTables:
    counts = evidence.counts
    return JudgementTables(counts.scale, counts.runs, counts.tables().sum(axis=1), counts.weighted, _pooled(evidence))


def _distribution_tables(evidence: Distributions) -> DistributionTables:
    estimates, gold = evidence.reading(evidence.name, range(len(evidence.runs))).pooled
    return DistributionTables(evidence, gold, estimates, _pooled(evidence))


def _pooled(evidence: Evidence) -> tuple[str, ...]:
    """The notes on tables of all topics."""
    pooled = (
        [note("topics as one", "all {topics} as one", topics=counted(len(evidence.topics), "topic"))]
        if len(evidence.topics) > 1
        else []
    )
    return (*pooled, *evidence.notes)


def _pair_tables(evidence: Rankings) -> PairTables:
    pairs = np.nan_to_num(segment_evidence(evidence, default_registry()["tau@wmt12"])).sum(axis=0)
    notes = (
        note("pairs within segments", "pairs of items within {segments}", segments=counted(len(evidence.topics), "segment")),
        *evidence.notes,
    )
    return PairTables(evidence.runs, np.rint(pairs).astype(np.int64), len(evidence.topics), notes)


_TABLES: dict[type[Evidence], Callable[[Any], Signed]] = {
    LabelCounts: _label_tables,
    Judgements: _judgement_tables,
    Distributions: _distribution_tables,
    Rankings: _pair_tables,
}
