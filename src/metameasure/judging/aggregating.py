"""Gold from a crowd: one label for each item, with how sure it is, and each annotator measured by it."""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.choices import Aggregate
from metameasure.core.errors import UsageError, by_others
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import counted, listed
from metameasure.core.numbers import json_number
from metameasure.core.scale import Scale
from metameasure.evidence.golds import FINER_RULES, gold_of, tied_majorities
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.reading.sources import text_array
from metameasure.show.frames import frame_of
from metameasure.show.write import write_table
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.dawid_skene import DawidSkene, dawid_skene

# crowd-kit's, by the name of their class.
OF_CROWD_KIT: dict[str, str] = {"one-coin": "OneCoinDawidSkene", "glad": "GLAD", "mmsr": "MMSR"}
_FEW_ITEMS = 10
_UNSURE = 0.7
_ALPHA = 0.05


@dataclass(frozen=True)
class CrowdLine:
    """An annotator by the gold that all made: how often right, in expectation; by how much too high, with its interval (NaN where
    classes have no order); and a flag, where something is odd."""

    annotator: str
    items: int
    accuracy: float
    bias: float
    bias_low: float
    bias_high: float
    flag: str


@dataclass(frozen=True, eq=False)
class CrowdGold:
    """Gold made of all ratings: of each item the label (a place on the scale, -1 where there is none), how probable each class is
    (items, C), and how many rated it."""

    how: Aggregate
    scale: Scale
    items: tuple[str, ...]
    topic: tuple[str, ...]
    label: Integers
    posterior: Floats
    ratings: Integers
    annotators: tuple[CrowdLine, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def sure(self) -> Floats:
        """(items,): how probable the label is."""
        return np.where(self.label >= 0, self.posterior[np.arange(len(self.label)), self.label], np.nan)

    def columns(self) -> dict[str, Any]:
        """A row for each item that has a label: the label, how sure it is, and a column for each class with its probability:
        soft labels, as ``evaluate`` reads them."""
        kept = np.flatnonzero(self.label >= 0)
        names = {"item": self.items, **({"topic": self.topic} if self.topic else {})}
        said = [self.scale.labels[place] for place in self.label[kept].tolist()]
        return {
            **{name: text_array([column[place] for place in kept.tolist()]) for name, column in names.items()},
            "label": text_array(said),
            "sure": self.sure[kept],
            "ratings": self.ratings[kept],
            **{label: self.posterior[kept, place] for place, label in enumerate(self.scale.labels)},
        }

    def save(self, path: str | Path) -> None:
        """Gold as a file: item, label, sure, ratings, and a column for each class."""
        write_table(self.columns(), path)

    def to_frame(self, library: str | None = None) -> Any:
        """One row for each item."""
        return frame_of({name: column.tolist() for name, column in self.columns().items()}, library)

    def to_dict(self) -> dict[str, Any]:
        """In JSON: what it comes to; the items are in the file."""
        sure = self.sure[self.label >= 0]
        return {
            "how": self.how,
            "items": len(sure),
            "sure": json_number(float(sure.mean())) if len(sure) else None,
            "unsure": int((sure < _UNSURE).sum()),
            "shares": dict(zip(self.scale.labels, np.nanmean(self.posterior, axis=0).tolist(), strict=True)),
            "annotators": [_told(one) for one in self.annotators],
        }


def _told(line: CrowdLine) -> dict[str, Any]:
    numbers = {name: json_number(getattr(line, name)) for name in ("accuracy", "bias", "bias_low", "bias_high")}
    return {"annotator": line.annotator, "items": line.items, **numbers, "flag": line.flag or None}


def check_aggregate(how: Aggregate, scale: Scale | None = None) -> None:
    """UsageError for a way that the scale does not allow, or that needs what is not installed."""
    if how == "median" and scale is not None and scale.kind == "nominal":
        raise UsageError("nominal classes have no median", hint=say("choose {--aggregate majority} or dawid-skene"))
    if how in OF_CROWD_KIT and importlib.util.find_spec("crowdkit") is None:
        raise UsageError(f"'{how}' is one of crowd-kit's, which is not installed", hint="pip install 'metameasure[crowd]'")


def aggregated(ratings: Ratings, how: Aggregate, chance: Mapping[str, bool]) -> CrowdGold:
    """Gold of ratings. ``chance`` says of annotators whether they agree with the others no better than chance would."""
    check_aggregate(how, ratings.scale)
    if how not in ("majority", "median") and not ratings.known:
        raise UsageError(f"{how} needs to know who said what, which counts do not show", hint="choose majority or median")
    totals = ratings.counts.sum(axis=1)
    shares = ratings.counts / np.where(totals > 0, totals, 1)[:, None]
    notes: list[str] = []
    if how in ("majority", "median"):
        made = gold_of(ratings.counts, "median" if how == "median" else "majority", ratings.scale.values)
        label, posterior = np.where(totals > 0, made.argmax(axis=1), -1), shares
        notes += _of_ties(ratings, how)
    else:
        posterior, notes = _modelled(ratings, how)
        label = np.where(totals > 0, np.nan_to_num(posterior, nan=-1.0).argmax(axis=1), -1)
    lines = _lines(ratings, posterior, chance) if ratings.known else ()
    notes += _flagged(lines)
    return CrowdGold(
        how, ratings.scale, tuple(ratings.items), ratings.topic, label, posterior, totals.astype(np.int64), lines, tuple(notes)
    )


def _of_ties(ratings: Ratings, how: Aggregate) -> list[str]:
    if how == "median":
        return [note("what gold is", "gold is the median: {rule}", rule=FINER_RULES["median"])]
    ties = int(tied_majorities(ratings.counts).sum())
    said = "the majority of {ties} of {items} items is tied: their gold is the lowest of the classes that tie"
    return [warn("tied majorities", said, ties=ties, items=ratings.size)] if ties else []


def _coordinates(ratings: Ratings) -> tuple[Integers, Integers, Integers]:
    """Each rating's item, annotator and label by number, by item."""
    first = ratings.rounds[0]
    order = np.argsort(first.item, kind="stable")
    annotator = np.repeat(np.arange(first.annotators), np.diff(first.start))
    return np.asarray(first.item[order], np.int64), annotator[order], np.asarray(first.label[order], np.int64)


def _modelled(ratings: Ratings, how: Aggregate) -> tuple[Floats, list[str]]:
    """The probabilities of the classes by a model of how annotators err."""
    notes: list[str] = []
    if ratings.scale.kind != "nominal":
        unordered = "{how} knows no order of the classes: a label that is one class off is as wrong as any other"
        notes.append(warn("order not used", unordered, how=how))
    if how != "dawid-skene":
        return _by_crowd_kit(ratings, how), notes
    sizes = (ratings.size, len(ratings.annotators), len(ratings.scale))
    found: DawidSkene = dawid_skene(*_coordinates(ratings), sizes)
    said = "Dawid and Skene's model, {iterations} of EM"
    notes.append(note("model", said, iterations=counted(found.iterations, "iteration")))
    if not found.converged:
        notes.append(warn("not converged", "EM had not converged after {iterations} iterations", iterations=found.iterations))
    return found.posterior, notes


def _by_crowd_kit(ratings: Ratings, how: str) -> Floats:
    """One of crowd-kit's aggregators; a label alone, where it gives no probabilities."""
    import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415 - crowd-kit needs it
    from crowdkit import aggregation  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - an extra

    item, annotator, label = _coordinates(ratings)
    frame = pd.DataFrame({"task": item, "worker": annotator, "label": label})
    posterior = np.full((ratings.size, len(ratings.scale)), np.nan)
    failed = f"crowd-kit's {OF_CROWD_KIT[how]} failed"
    with by_others(failed, "choose another way, such as dawid-skene"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what it uses of others
        model = getattr(aggregation, OF_CROWD_KIT[how])()
        if hasattr(model, "fit_predict_proba"):
            found = model.fit_predict_proba(frame)
            posterior[found.index.to_numpy()] = 0.0
            posterior[np.ix_(found.index.to_numpy(), found.columns.to_numpy())] = found.to_numpy()
        else:
            labels = model.fit_predict(frame)
            posterior[labels.index.to_numpy()] = one_hot(labels.to_numpy().astype(np.int64), len(ratings.scale))
    return posterior


def _lines(ratings: Ratings, posterior: Floats, chance: Mapping[str, bool]) -> tuple[CrowdLine, ...]:
    """Each annotator by the probabilities of the classes, which his or her own ratings are part of."""
    from scipy.special import stdtrit  # noqa: PLC0415 - loaded when first used

    item, annotator, label = _coordinates(ratings)
    number, values = len(ratings.annotators), np.array(ratings.scale.values)
    items = np.bincount(annotator, minlength=number)
    some = np.maximum(1, items)
    right = np.bincount(annotator, np.nan_to_num(posterior[item, label]), minlength=number) / some
    away = values[label] - np.nan_to_num(posterior[item]) @ values
    bias = np.bincount(annotator, away, minlength=number) / some
    spread = np.bincount(annotator, (away - bias[annotator]) ** 2, minlength=number) / np.maximum(1, items - 1)
    error = np.sqrt(spread / some)
    ordered = ratings.scale.kind != "nominal"
    reach, strict = (stdtrit(np.maximum(1, items - 1), 1 - level / 2) * error for level in (_ALPHA, _ALPHA / max(1, number)))
    classes = np.bincount(annotator * len(values) + label, minlength=number * len(values)).reshape(number, -1)
    lines = []
    for place, name in enumerate(ratings.annotators):
        few = items[place] < _FEW_ITEMS
        flags = {
            "few items": few,
            "always one class": np.count_nonzero(classes[place]) == 1,
            "no better than chance": chance.get(name, False),
            "too high" if bias[place] > 0 else "too low": ordered and abs(bias[place]) > strict[place] > 0,
        }
        middle = float(bias[place]) if ordered else math.nan
        wide = float(reach[place]) if not few else math.nan
        flag = next((name for name, holds in flags.items() if holds), "")
        lines.append(CrowdLine(name, int(items[place]), float(right[place]), middle, middle - wide, middle + wide, flag))
    return tuple(lines)


def _flagged(lines: Sequence[CrowdLine]) -> list[str]:
    flags = dict.fromkeys(line.flag for line in lines if line.flag and line.flag != "few items")
    return [
        warn(
            "flagged annotators",
            "{number}: {flag} ({annotators})",
            number=counted(sum(line.flag == flag for line in lines), "annotator"),
            flag=flag,
            annotators=listed([line.annotator for line in lines if line.flag == flag], "and", 3),
        )
        for flag in flags
    ]
