"""How well do annotators agree? Coefficients with their errors, and a line for each annotator."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.agreement.ratings import coincidences
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure, signed_measures
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import AgreementInterval, RatingShape
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import about, data, note, say, sentence, warn
from metameasure.core.notes import counted, first_of, grouped, listed
from metameasure.core.numbers import json_number
from metameasure.core.options import with_options
from metameasure.core.scale import Kind, Scale
from metameasure.core.signature import Signature
from metameasure.core.validity import Case, limits, named
from metameasure.evidence.base import digest_of
from metameasure.evidence.golds import LeftOut, left_out
from metameasure.evidence.rating_reader import RatingReader
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.judging.aggregating import CrowdGold, aggregated, check_aggregate
from metameasure.judging.agreement_table import agreement_chart, annotators_table, coefficients_table, gold_table
from metameasure.reading.options import ReadOptions, named_columns
from metameasure.reading.sources import text_array
from metameasure.scores.scores import frame_of
from metameasure.show.canvas import Figure
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.show.write import write_table
from metameasure.statistics.mean_intervals import effective, t_interval
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.sums import ManySums, OfSums, Prior, UnitSums, drawn_together, times_of_kinds
from metameasure.tasks.option_groups import AgreeOptions, RatingOptions

Floats = npt.NDArray[np.float64]

OF_SCALE: dict[Kind, tuple[str, str]] = {
    "nominal": ("alpha_nominal", "ac1"),
    "ordinal": ("alpha_ordinal", "ac2"),
    "interval": ("alpha_interval", "ac2"),
}
"""For each kind of scale its alpha, and the coefficient of Gwet's that stands beside it."""
OF_A_TABLE: dict[Kind, str] = {"nominal": "kappa", "ordinal": "kappa_linear", "interval": "kappa_linear"}
"""For each kind of scale the measure of one annotator, or a judge, against others."""
_MOST_CELLS = 2**26  # of evidence in memory
_MUCH_HIGHER = 0.1
_MOST_CLASSES_OF_A_PRIOR = 40
_CHANCE = 0.0
_PAIR = 2
_MOST_SENTENCES = 3
_NUMBERS = ("value", "se", "low", "high", "observed", "expected")
T = TypeVar("T")


@dataclass(frozen=True)
class Coefficient:
    """A coefficient, its standard error and interval; where it is a chance-corrected agreement, the observed agreement and that
    expected by chance. ``undefined_draws`` counts the samples in which it had no value."""

    id: str
    symbol: str
    value: float
    se: float
    low: float
    high: float
    observed: float = math.nan
    expected: float = math.nan
    why: str = ""
    undefined_draws: int = 0


@dataclass(frozen=True)
class AnnotatorLine:
    """One annotator: on so many items that others rated too, the agreement with them, with its interval; what the first
    coefficient would be without this annotator; the share of each class; the agreement with his or her own repeated ratings."""

    annotator: str
    items: int
    value: float
    low: float
    high: float
    without: float
    shares: tuple[float, ...]
    repeated: float = math.nan
    why: str = ""
    """Why there is no agreement with the others, where there is none."""


@dataclass(frozen=True, eq=False)
class Agreement(Signed):
    """Coefficients of agreement, and a line for each annotator where it is known who rated what."""

    caption: ClassVar[str] = "Agreement among annotators"

    scale: Scale
    items: int
    ratings: int
    annotators: int
    coefficients: tuple[Coefficient, ...]
    by_annotator: tuple[AnnotatorLine, ...]
    by_measure: str
    interval: AgreementInterval
    level: float
    units: Literal["items", "clusters"]
    notes: tuple[str, ...] = ()
    trials: int = 0
    seed: int = 0
    gold: CrowdGold | None = None
    """Gold made of the ratings, where that is asked for."""

    def __getitem__(self, id: str) -> Coefficient:
        """A coefficient by its id."""
        for one in self.coefficients:
            if one.id == id:
                return one
        raise UsageError(f"'{id}' is not among the coefficients", hint=f"there are {', '.join(c.id for c in self.coefficients)}")

    @property
    def validity(self) -> dict[str, str]:
        """The methods behind the intervals of the coefficients and of the annotators: docs/validity.md has their error rates."""
        of_lines = "bootstrap" if self.interval == "gwet" else self.interval  # a line is no coefficient that has a variance
        people = {"by_annotator": f"interval/agreement/{of_lines}"} if self.by_annotator else {}
        return {"interval": f"interval/agreement/{self.interval}", **people}

    def in_words(self) -> list[str]:
        first = self.coefficients[0]
        interval = "" if math.isnan(first.low) else say(", interval {low:.3f} to {high:.3f}", low=first.low, high=first.high)
        return [
            note(
                "ratings",
                "{measure} of {ratings} of {items} is {value:.3f}{interval}.",
                measure=first.id,
                ratings=counted(self.ratings, "rating"),
                items=counted(self.items, "item"),
                value=first.value,
                interval=interval,
            ),
            *map(sentence, self.notes),
        ]

    def tables(self, format: OutputFormat) -> list[Table]:
        gold = [] if self.gold is None else [gold_table(self.gold)]
        return [coefficients_table(self, format), *([annotators_table(self)] if self.by_annotator else []), *gold]

    def annotator_columns(self) -> dict[str, Any]:
        """A row for each annotator: agreement with the others, the share of each class, and by the gold that all made, where that
        is asked for, how often right, bias and flag."""
        names = ("annotator", "items", "value", "low", "high", "without")
        columns = {name: [getattr(one, name) for one in self.by_annotator] for name in names}
        columns |= {
            f"share {label}": [one.shares[place] for one in self.by_annotator] for place, label in enumerate(self.scale.labels)
        }
        if self.gold is not None:
            crowd = {one.annotator: one for one in self.gold.annotators}
            for name in ("accuracy", "bias", "bias_low", "bias_high", "flag"):
                columns[name] = [getattr(crowd[one.annotator], name) for one in self.by_annotator]
        return columns

    def save_annotators(self, path: str | Path) -> None:
        """The annotators as a file, one row each."""
        columns = self.annotator_columns()
        if not self.by_annotator:
            raise UsageError("nobody knows who rated what", hint="give ratings with their annotators, not counts")
        arrays = {
            name: text_array(column) if name in ("annotator", "flag") else np.array(column) for name, column in columns.items()
        }
        write_table(arrays, path)

    def full_table(self) -> Table:
        names = ("annotator", "items", "value", "low", "high", "without")
        people = {name: [getattr(one, name) for one in self.by_annotator] for name in names}
        coefficients = self._columns()
        return Table.of(
            {
                "kind": ["coefficient"] * len(self.coefficients) + ["annotator"] * len(self.by_annotator),
                "name": [*coefficients["id"], *people["annotator"]],
                "items": [self.items] * len(self.coefficients) + people["items"],
                **{name: [*coefficients[name], *people.get(name, [math.nan] * len(self.by_annotator))] for name in _NUMBERS},
                "without": [math.nan] * len(self.coefficients) + people["without"],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "ratings": self.ratings,
            "annotators": self.annotators,
            "classes": list(self.scale.labels),
            "interval": self.interval,
            "level": self.level,
            "units": self.units,
            "validity": self.validity,
            "coefficients": [
                {
                    "id": one.id,
                    **{name: json_number(getattr(one, name)) for name in _NUMBERS},
                    **({"why": one.why} if one.why else {}),
                }
                for one in self.coefficients
            ],
            "by_annotator": [
                {
                    "annotator": one.annotator,
                    "items": one.items,
                    "measure": self.by_measure,
                    **{name: json_number(getattr(one, name)) for name in ("value", "low", "high", "without")},
                    "shares": dict(zip(self.scale.labels, one.shares, strict=True)),
                    **({} if math.isnan(one.repeated) else {"repeated": one.repeated}),
                    **({"why": one.why} if one.why else {}),
                }
                for one in self.by_annotator
            ],
            **({} if self.gold is None else {"aggregated": self.gold.to_dict()}),
            "notes": list(self.notes),
            "findings": data(self.notes),
            **self.signed(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """One row for each coefficient."""
        return frame_of(self._columns(), library)

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(one, name) for one in self.coefficients] for name in ("id", *_NUMBERS)}

    def draw(self, width: float) -> Figure:
        return agreement_chart(self, width)


@dataclass(frozen=True, eq=False)
class Sample:
    """Ratings made ready for coefficients: what each item, or cluster, adds to the sums that they are functions of."""

    ratings: Ratings
    distance: Any = None
    _kept: dict[Any, Any] = field(default_factory=dict)

    def sums(self, measure: Measure) -> UnitSums:
        """What units add. Items that were rated alike are one kind, unless clusters keep them apart."""
        return self._once(("sums", measure.reads, measure.evidence), lambda: self._made(measure))

    def drawn(self, measure: Measure, trials: int, seed: int) -> Floats:
        """The sums of units drawn with replacement (trials, K): drawn once for all measures that are made of the same."""
        sums = self.sums(measure)
        if trials * len(sums.number) > _MOST_CELLS:
            return sums.resampled(trials, seed)
        key = ("times", measure.reads is Reads.PERSONS, trials, seed)
        times = self._once(key, lambda: np.concatenate(list(times_of_kinds(sums.number, trials, seed))))
        return self._once((*key, measure.reads, measure.evidence), lambda: np.asarray(times @ sums.adds))

    def _once(self, key: Any, made: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = made()
        kept: T = self._kept[key]
        return kept

    def _made(self, measure: Measure) -> UnitSums:
        of_persons, classes = measure.reads is Reads.PERSONS, len(self.ratings.scale)
        rows, number = self._rows(of_persons=of_persons)
        adds = self._adds(measure, one_hot(rows, classes) if of_persons else rows)
        if self.ratings.cluster is not None:
            return UnitSums.of_units(adds, self.ratings.cluster)
        return UnitSums(adds, number)

    def _adds(self, measure: Measure, items: npt.NDArray[Any]) -> Floats:
        """What items add to the sums (items, K)."""
        cases = items[:, None]  # every item a case of its own
        if measure.reads is Reads.COUNTS:
            return np.asarray(coincidences(np.asarray(cases, dtype=float)).reshape(len(cases), -1))
        return np.asarray(measure.evidence_of(cases, classes=self.ratings.scale))

    @property
    def has_prior(self) -> bool:
        return self.ratings.cluster is None and len(self.ratings.scale) <= _MOST_CLASSES_OF_A_PRIOR

    def prior(self, measure: Measure) -> Prior | None:
        """One item more, with two ratings, which may be any two classes. There is none of persons, of whole clusters, and
        of so many classes that it would be large."""
        classes = len(self.ratings.scale)
        if measure.reads is Reads.PERSONS or not self.has_prior:
            return None
        first, second = np.divmod(np.arange(classes**2), classes)
        return Prior(self._adds(measure, one_hot(np.stack([first, second], axis=1), classes).sum(axis=1)), _even(classes))

    def _rows(self, *, of_persons: bool) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """The items' ratings, and how often each occurs."""
        rows = self.ratings.first if of_persons else self.ratings.counts
        if self.ratings.cluster is not None:
            return rows, np.ones(len(rows), dtype=np.int64)
        return self._once(("rows", of_persons), lambda: _distinct(rows))

    def value(self, measure: Measure) -> Callable[[Floats], Floats]:
        """The coefficient as a function of the sums (..., K)."""
        scale = self.ratings.scale
        if measure.reads is not Reads.COUNTS:
            return lambda sums: np.asarray(measure.of_evidence(sums, classes=scale), dtype=float)

        of_table = table_value(measure, scale, self.distance)
        return lambda sums: of_table(sums / 2)

    def whole(self, measure: Measure) -> float:
        """The coefficient of all ratings."""
        return float(self.value(measure)(self.sums(measure).total[None])[0])

    def without_each(self, measure: Measure) -> Floats:
        """(annotators,): the coefficient without each of them; NaN where nobody is left to agree. Only what the items that one
        has rated add is computed anew."""
        ratings, counts = self.ratings, self.ratings.counts
        totals, places = counts.sum(axis=1), range(len(ratings.annotators))
        own = [ratings.first[:, place] for place in places]
        items = [np.flatnonzero(labels >= 0) for labels in own]
        pairs = np.count_nonzero(totals > 1)
        left = np.array([pairs > np.count_nonzero(totals[item] == _PAIR) for item in items])
        if measure.reads is Reads.PERSONS:
            rest = [Sample(ratings.without(place), self.distance).whole(measure) if left[place] else math.nan for place in places]
            return np.array(rest)
        changes = []
        for labels, item in zip(own, items, strict=True):
            after = counts[item] - one_hot(labels[item], len(ratings.scale))
            changes.append(self._adds(measure, after).sum(axis=0) - self._adds(measure, counts[item]).sum(axis=0))
        return np.where(left, self.value(measure)(self.sums(measure).total + np.array(changes)), np.nan)


def _even(classes: int) -> Floats:
    """The mass of the prior in each cell of two ratings: 1 in all."""
    return np.full(classes**2, 1 / classes**2)


def _distinct(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The different rows (kinds, ...), and how often each occurs."""
    low = rows.min(initial=0)
    base = int(rows.max(initial=0) - low) + 1
    width = rows.shape[1]
    if base**width < 2**62:  # a number for each row sorts much faster than rows do
        keys = (rows - low).astype(np.int64) @ (base ** np.arange(width, dtype=np.int64))
        _, first, number = np.unique(keys, return_index=True, return_counts=True)
        return rows[first], number
    distinct_rows, number = np.unique(rows, axis=0, return_counts=True)
    return distinct_rows, number


def rating_reader(asked: RatingOptions, shape: RatingShape = "ratings") -> RatingReader:
    """How ratings are read, from what a user says about them."""
    named = dict(asked.columns)
    options = ReadOptions(
        "agreement",
        named_columns(named),
        asked.format_in,
        named=tuple(named.items()),
        threads=asked.threads,
        memory=asked.memory,
    )
    declared = frozenset({"cluster", "repeat"} & named.keys())
    return RatingReader(options, asked.classes, asked.kind, tuple(asked.annotator_columns), shape, declared)


@with_options(AgreeOptions)
def agree(asked: AgreeOptions, ratings: Any) -> Agreement:
    """Measure how well annotators agree on the same items.

    Parameters
    ----------
    ratings : path, data frame or dict
        A table with the columns item, annotator, label; or item and a column for each annotator; or ``{annotator: {item:
        label}}``. With ``table``, how many items two annotators put into each pair of classes, as a table or an array.

    Returns
    -------
    Agreement
        The coefficients with their intervals, and each annotator's agreement with the others.

    Raises
    ------
    UsageError
        If the classes are not declared, or a measure is not one of agreement.
    DataError
        If the ratings are wrong, or no item has two.

    Notes
    -----
    By default Krippendorff's alpha for the scale, percent agreement and Gwet's coefficient. Each has its formula and its
    source on it: ``print(mm.measures["alpha_nominal"])``.

    Examples
    --------
    >>> import metameasure as mm
    >>> ratings = {"ann": {1: "yes", 2: "no", 3: "no"}, "bob": {1: "yes", 2: "no", 3: "yes"}}
    >>> found = mm.agree(ratings, classes="no,yes", kind="nominal", measures="percent_agreement")
    >>> round(found["percent_agreement"].value, 3)
    0.667

    """
    shape = _shape(asked)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        people = rating_reader(asked, shape).people(ratings, Path(scratch))
    drawn: dict[str, Any] = {"interval": asked.interval, "level": asked.level}
    if asked.aggregate is not None:
        check_aggregate(asked.aggregate, people.scale)
    found = agreement_of(
        people,
        asked.measures,
        **drawn,
        trials=asked.trials,
        seed=asked.seed,
        distance=asked.distance,
        registry=asked.registry,
    )
    measured = [(asked.registry or default_registry())[one.id] for one in found.coefficients]
    made = made_of_ratings(people, "agree", measured, asked.distance, shape)
    notes = (*found.notes, *(named(found.validity) if asked.validity else ()))
    made = made.having(**drawn, draws=asked.trials, seed=asked.seed, aggregate=asked.aggregate)
    if asked.aggregate is None:
        return replace(found, notes=notes, made=made)
    chance = {line.annotator: _by_chance(line) for line in found.by_annotator}
    return replace(found, notes=notes, made=made, gold=aggregated(people, asked.aggregate, chance))


def _shape(asked: AgreeOptions) -> RatingShape:
    """What a row of the ratings is. UsageError where two things are said of it."""
    if asked.counts and asked.table:
        raise UsageError(
            "ratings are either counts or a table", hint="counts have a row for each item, a table one for each class"
        )
    if asked.table and asked.aggregate is not None:
        raise UsageError("a table of two annotators does not say which item is which", hint="give ratings with their items")
    return "counts" if asked.counts else "table" if asked.table else "ratings"


def made_of_ratings(
    people: Ratings, command: str, measures: Sequence[Measure], distance: Any, shape: RatingShape = "ratings"
) -> Signature:
    """How people's ratings were read, and by what they are measured."""
    return Signature(
        command=command,
        classes=people.scale.signed(),
        kind=people.scale.kind,
        counts=True if shape == "counts" else None,
        table=True if shape == "table" else None,
        clusters=True if people.cluster is not None else None,
        **signed_measures(measures),
        distance=None if distance is None else digest_of([distance], digits=8),
        **people.digests(),
    ).signed()


def agreement_of(
    ratings: Ratings,
    measures: str | Sequence[str] | None = None,
    *,
    interval: AgreementInterval = "auto",
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 0,
    distance: Any = None,
    registry: Registry | None = None,
) -> Agreement:
    """The same of ratings that are read."""
    if interval not in get_args(AgreementInterval):
        raise UsageError(f"there is no interval '{interval}'", hint=f"choose {listed(get_args(AgreementInterval))}")
    if not 0 < level < 1 or trials < 1:
        raise UsageError(
            f"an interval cannot have level {level:g} and {counted(trials, 'sample')}",
            hint="choose a level between 0 and 1 and at least one sample",
        )
    registry = registry or default_registry()
    ratings, notes = _rated(ratings)
    alpha, gwet = OF_SCALE[ratings.scale.kind]
    wanted = registry.select(measures or [alpha, "percent_agreement", gwet])
    for measure in wanted:
        _check(measure, ratings, interval)
    estimator = _Asked(ratings, distance, interval=interval, level=level, trials=trials, seed=seed)
    coefficients = tuple(estimator.coefficient(measure) for measure in wanted)
    by_measure = registry[OF_A_TABLE[ratings.scale.kind]]
    lines = estimator.lines(by_measure, wanted[0]) if ratings.known else ()
    notes += _said(ratings, wanted, coefficients, lines, by_measure)
    rated = (ratings.counts > 0).sum(axis=0)
    notes += tuple(limits(f"interval/agreement/{interval}", Case(items=ratings.size, rarest=int(rated[rated > 0].min()))))
    return Agreement(
        ratings.scale,
        ratings.size,
        int(ratings.counts.sum()),
        len(ratings.annotators) if ratings.known else int(ratings.counts.sum(axis=1).max()),
        coefficients,
        lines,
        by_measure.id,
        interval,
        level,
        "items" if ratings.cluster is None else "clusters",
        notes,
        trials,
        seed,
    )


def _rated(ratings: Ratings) -> tuple[Ratings, tuple[str, ...]]:
    """The items that somebody rated; DataError where there is nothing to agree on."""
    totals = ratings.counts.sum(axis=1)
    if not np.any(totals > 1):
        hint = "score against that one annotator with 'metameasure evaluate'" if totals.any() else "check the columns"
        raise DataError("no item has two ratings, so nobody can agree", hint=hint)
    if np.all(totals > 0):
        return ratings, ratings.notes
    empty = int((totals == 0).sum())
    return ratings.of_items(totals > 0), (
        *ratings.notes,
        note("ratings", "{empty} of {size} items have no rating and are left out", empty=empty, size=ratings.size),
    )


def _check(measure: Measure, ratings: Ratings, interval: AgreementInterval) -> None:
    """UsageError for a measure that is not of agreement, or that these ratings do not allow."""
    if "agreement" not in measure.tasks or measure.reads is Reads.PREDICTIONS:
        raise UsageError(
            f"{measure.id} is not a coefficient of agreement", hint=say("{metameasure measures --task agreement} lists them")
        )
    measure.check_scale(ratings.scale)
    if measure.reads is Reads.PERSONS and not ratings.known:
        raise UsageError(
            f"{measure.id} needs to know who said what, which counts do not show", hint="choose fleiss, alpha or icc1"
        )
    if interval == "gwet" and measure.linearised is None:
        raise UsageError(f"there is no variance of {measure.id} by Gwet's method", hint=say("choose {--interval auto}"))
    if interval == "gwet" and ratings.cluster is not None:
        raise UsageError("Gwet's variance is of single items, not of clusters", hint=say("choose {--interval auto}"))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Asked(Sample):
    """A sample of ratings, and what is asked of it."""

    interval: AgreementInterval
    level: float
    trials: int
    seed: int

    def coefficient(self, measure: Measure) -> Coefficient:
        value = self.value(measure)
        if measure.reads is Reads.PERSONS and self._too_large(measure):
            whole = float(measure(self.ratings.persons(), classes=self.ratings.scale))
            return self._told(measure, whole, (math.nan,) * 3, why="too many annotators for an interval")
        estimate = self.whole(measure)
        if math.isnan(estimate):
            return self._told(measure, estimate, (math.nan,) * 3, why=self._why(measure))
        if self.interval == "gwet":
            return self._told(measure, estimate, self._gwet(measure, estimate))
        sums = self.sums(measure)
        if self.interval == "auto":
            low, high = self._that_holds(sums, value, self.prior(measure), measure)
            return self._told(measure, estimate, (sums.jackknife(value), low, high))
        draws = value(self.drawn(measure, self.trials, self.seed))
        ends = percentile_interval(draws, self.level)
        undefined = int(np.isnan(draws).sum())
        return self._told(measure, estimate, (sums.jackknife(value), float(ends[0]), float(ends[1])), undefined=undefined)

    def _that_holds(self, sums: UnitSums, value: OfSums, prior: Prior | None, measure: Measure) -> tuple[float, float]:
        """The ends of an interval that holds with few items too: by leaving out one at a time (with clusters, as many as equal
        ones would tell as much) and the credible interval together; the first alone where there is no prior."""
        estimate, error = float(value(sums.total[None])[0]), sums.jackknife(value)
        sizes = np.ones(sums.units) if self.ratings.cluster is None else np.bincount(self.ratings.cluster)
        freedom = max(1.0, effective(sizes) - 1)
        low, high = t_interval(estimate, error, freedom, self.level, measure.known_range(self.ratings.scale))
        if prior is None:
            return float(low), float(high)
        credible = percentile_interval(value(sums.credible(prior, self.trials, self.seed)), self.level)
        return float(np.nanmin([low, credible[0], estimate])), float(np.nanmax([high, credible[1], estimate]))

    def _too_large(self, measure: Measure) -> bool:
        """Whether the joint table of all annotators, as Kendall's W needs it for each item, would not fit into memory."""
        cells = (len(self.ratings.annotators) * len(self.ratings.scale)) ** 2
        return measure.base == "kendall_w" and cells * self.ratings.size > _MOST_CELLS

    def _told(
        self, measure: Measure, value: float, ends: tuple[float, float, float], *, why: str = "", undefined: int = 0
    ) -> Coefficient:
        observed = math.nan if math.isnan(value) else self._observed(measure)
        chance = measure.base != "percent_agreement" and value < 1
        expected = (observed - value) / (1 - value) if chance else math.nan
        return Coefficient(measure.id, measure.symbol, value, *ends, observed, expected, why, undefined)

    def _observed(self, measure: Measure) -> float:
        """The agreement that a coefficient starts from: of pairs of ratings, weighted as the coefficient weights them. NaN where
        it is none of pairs, or where its weights depend on the ratings (ordinal alpha)."""
        registry, scale = default_registry(), self.ratings.scale
        weights = measure.parameter.settings(measure.argument, None).get("weights") if measure.parameter else None
        if weights or measure.base == "ac1":
            return self.whole(registry[f"percent_agreement@{weights or 'identity'}"])
        if measure.id in ("alpha_nominal", "alpha_interval"):  # every rating counts the same, not every item
            pairs = self.sums(measure).total.reshape(len(scale), len(scale))
            if measure.id == "alpha_nominal":
                return float(registry["accuracy"](pairs))
            return 1 - float(registry["mse"](pairs, classes=scale)) / (scale.values[-1] - scale.values[0]) ** 2
        return math.nan

    def _why(self, measure: Measure) -> str:
        pairs = measure.reads is Reads.COUNTS
        array = coincidences(self.ratings.counts) / 2 if pairs else self._array(measure)
        reasons = measure.why_undefined(array[None], classes=self.ratings.scale, distance=self.distance)
        return next((reason for reason, holds in reasons.items() if np.any(holds)), "")

    def _array(self, measure: Measure) -> npt.NDArray[Any]:
        """What the measure reads of all items: who said what, or how many said it."""
        return self.ratings.persons() if measure.reads is Reads.PERSONS else self.ratings.counts

    def _gwet(self, measure: Measure, value: float) -> tuple[float, float, float]:
        """Gwet's variance, as irrCAC has it: of ratings over one item less, of a table over all of them."""
        from scipy.special import stdtrit  # noqa: PLC0415 - loaded when first used

        each = np.asarray(measure.linearised_at(self._array(measure), self.ratings.scale, self.distance), dtype=float)
        error = float(each.std(ddof=0 if self.ratings.is_table else 1)) / math.sqrt(len(each))
        reach = float(stdtrit(len(each) - 1, (1 + self.level) / 2)) * error
        return error, value - reach, min(1.0, value + reach)

    def lines(self, by: Measure, first: Measure) -> tuple[AnnotatorLine, ...]:
        """A line for each annotator."""
        ratings, scored = self.ratings, table_value(by, self.ratings.scale)
        others = [left_out(ratings, place) for place in range(len(ratings.annotators))]
        parts = [(ratings.unit[one.item], one.human()) for one in others]
        ends = self._ends_of_lines(by, parts)
        tables = np.array([adds.sum(axis=0) for _, adds in parts])
        values, without = scored(tables).tolist(), self.without_each(first).tolist()
        whys = self._why_alone(by, others, tables)
        return tuple(map(self._line, others, values, ends, without, whys))

    def _ends_of_lines(self, by: Measure, parts: Sequence[tuple[npt.NDArray[np.int64], Floats]]) -> list[tuple[Any, Any]]:
        """The intervals of the annotators' agreement with the others: of each the units and what they add to the table. The same
        units are drawn for all of them."""
        scored, classes = table_value(by, self.ratings.scale), len(self.ratings.scale)
        if self.interval == "auto" and self.has_prior:
            sums = ManySums(np.concatenate([adds for _, adds in parts]), np.array([len(unit) for unit, _ in parts]))
            return self._ends_together(by, sums, Prior(np.eye(classes**2), _even(classes)))
        if self.interval == "auto":
            return [
                self._that_holds(UnitSums.of_units(adds, unit), scored, None, by) if len(unit) else (math.nan, math.nan)
                for unit, adds in parts
            ]
        units = int(self.ratings.unit.max()) + 1
        drawn = [[scored(sums) for sums in some] for some in drawn_together(parts, units, self.trials, self.seed)]
        return [percentile_interval(np.concatenate([some[place] for some in drawn]), self.level) for place in range(len(parts))]

    def _ends_together(self, by: Measure, sums: ManySums, prior: Prior) -> list[tuple[Any, Any]]:
        """The same as of one interval that holds with few items too, of all annotators at once."""
        value, range = table_value(by, self.ratings.scale), by.known_range(self.ratings.scale)
        middle, some = value(sums.totals), sums.sizes > 0
        low, high = t_interval(middle, sums.jackknife(value), np.maximum(1, sums.sizes - 1), self.level, range)
        credible = percentile_interval(sums.credible(value, prior, self.trials, self.seed), self.level)
        ends = np.stack([[low, credible[0], middle], [high, credible[1], middle]])
        ends[:, :, ~some | np.isnan(ends).all(axis=(0, 1))] = 0.0
        lows, highs = np.nanmin(ends[0], axis=0), np.nanmax(ends[1], axis=0)
        return [(low, high) if known else (math.nan, math.nan) for low, high, known in zip(lows, highs, some, strict=True)]

    def _why_alone(self, by: Measure, others: Sequence[LeftOut], tables: Floats) -> list[str]:
        """Why annotators' agreement with the others has no value, from the tables of both; nothing where it has one."""
        scale = self.ratings.scale
        reasons = by.why_undefined(tables.reshape(len(others), len(scale), len(scale)), classes=scale)
        found = ["" if one.size else "nobody else rated the same items, so there is nothing to agree on" for one in others]
        said = "{measure} with the others is undefined: {why}"
        for why, holds in reasons.items():
            for place in np.flatnonzero(np.broadcast_to(holds, len(others))).tolist():
                found[place] = found[place] or warn("undefined", said, measure=by.id, why=why)
        return found

    def _line(self, one: LeftOut, value: float, ends: tuple[Any, Any], without: float, why: str) -> AnnotatorLine:
        ratings = self.ratings
        place, own = one.place, ratings.first[:, one.place]
        sizes = np.bincount(own[own >= 0], minlength=len(ratings.scale))
        return AnnotatorLine(
            ratings.annotators[place],
            one.size,
            value,
            float(ends[0]),
            float(ends[1]),
            without,
            tuple((sizes / max(1, sizes.sum())).tolist()),
            repeated_agreement(ratings.labels[:, place]),
            why,
        )


def _by_chance(line: AnnotatorLine) -> bool:
    """Whether an annotator is not shown to agree with the others better than chance would."""
    return not line.why and not line.low > _CHANCE


def table_value(measure: Measure, scale: Scale, distance: Any = None) -> Callable[[Floats], Floats]:
    """A measure of C x C tables as a function of flat ones (..., C x C)."""

    def value(flat: Floats) -> Floats:
        tables = flat.reshape(*flat.shape[:-1], len(scale), len(scale))
        return np.asarray(measure(tables, classes=scale, distance=distance), dtype=float)

    return value


def repeated_agreement(labels: npt.NDArray[np.int64]) -> float:
    """How often two ratings of one item by the same annotator are the same (items, repeats); NaN where there are none."""
    same = pairs = 0
    for first, second in combinations(labels.T, 2):
        both = (first >= 0) & (second >= 0)
        pairs += int(both.sum())
        same += int((first == second)[both].sum())
    return same / pairs if pairs else math.nan


def _said(
    ratings: Ratings,
    measures: Sequence[Measure],
    coefficients: Sequence[Coefficient],
    lines: Sequence[AnnotatorLine],
    by: Measure,
) -> tuple[str, ...]:
    """What there is to say about it, most important first."""
    undefined = grouped((line.why, line.annotator) for line in lines if line.why)
    return (
        *_said_of_chance([line for line in lines if _by_chance(line)], coefficients[0], by),
        *(warn("undefined", "{annotators}: {why}", annotators=first_of(names, 3), why=why) for why, names in undefined.items()),
        *_why_higher(ratings, coefficients),
        *(about(said, measure=measure.id) for measure in measures if (said := measure.said_of_ranks(ratings.scale))),
        *_said_of_gaps(ratings, measures),
        *(said for one in coefficients for said in _said_of(one)),
    )


def _said_of_chance(by_chance: Sequence[AnnotatorLine], first: Coefficient, by: Measure) -> Iterator[str]:
    """Who is not shown to agree with the others better than chance, and what the first coefficient would be without them."""
    if len(by_chance) > _MOST_SENTENCES:
        yield warn(
            "no better than chance",
            "{number} are not shown to agree with the others better than chance would: {annotators} ({--annotators-out FILE} lists "
            "all)",
            number=counted(len(by_chance), "annotator"),
            annotators=listed([line.annotator for line in by_chance], "and", 5),
        )
        return
    for line in by_chance:
        without = "; without that annotator {first} would be {without:.3f} instead of {with_all:.3f}"
        ends = "{measure} {value:.3f}, from {low:.3f} to {high:.3f}"
        yield warn(
            "no better than chance",
            "{annotator} is not shown to agree with the others better than chance would ({ends}){change}",
            annotator=line.annotator,
            ends=say(ends, measure=by.id, value=line.value, low=line.low, high=line.high),
            change="" if math.isnan(line.without) else say(without, first=first.id, without=line.without, with_all=first.value),
        )


def _said_of_gaps(ratings: Ratings, measures: Sequence[Measure]) -> Iterator[str]:
    """What missing ratings mean: coefficients of complete items only, and items with a single rating."""
    complete = int(np.all(ratings.first >= 0, axis=1).sum())
    of_complete = any(measure.base[:4] in ("icc2", "icc3") or measure.base == "kendall_w" for measure in measures)
    if of_complete and complete < ratings.size:
        yield warn(
            "complete items only",
            "{measures} are over the {complete} of {size} items that all annotators rated"
            if complete
            else "{measures} have no value: no item was rated by all annotators",
            measures=listed(["icc2", "icc3", "kendall_w"], "and"),
            complete=complete,
            size=ratings.size,
        )
    single = int((ratings.counts.sum(axis=1) == 1).sum())
    if single:
        yield note(
            "ratings",
            "{single} of {size} items {part} one rating, with which nobody can agree",
            single=single,
            size=ratings.size,
            part="have" if single > 1 else "has",
        )


def _said_of(one: Coefficient) -> Iterator[str]:
    """Why a coefficient has no value, or no interval, or one of fewer samples."""
    if one.why:
        yield about(one.why, measure=one.id)
    elif math.isnan(one.low):
        why = "{measure} has no interval, because leaving out any one changes nothing"
        yield note("no interval", why, measure=one.id)
    if one.undefined_draws:
        yield warn(
            "undefined draws",
            "{measure} had no value in {undefined_draws} of the samples, which are left out of its interval",
            measure=one.id,
            undefined_draws=one.undefined_draws,
        )


def _why_higher(ratings: Ratings, coefficients: Sequence[Coefficient]) -> list[str]:
    """Why Gwet's coefficient is higher than alpha, where it is by much."""
    alpha = next((one for one in coefficients if one.id.startswith("alpha_")), None)
    gwet = next((one for one in coefficients if one.id.startswith(("ac1", "ac2"))), None)
    if alpha is None or gwet is None or not gwet.value > alpha.value + _MUCH_HIGHER:
        return []
    shares = ratings.counts.sum(axis=0) / ratings.counts.sum()
    most = np.argsort(-shares, kind="stable")[: 1 if shares.max() > 0.5 else 2]
    near = "the same" if gwet.id == "ac1" else "the same or near"
    classes = listed([ratings.scale.labels[place] for place in sorted(most)], "or")
    cause = note("ratings", "{share:.0%} of the ratings are {classes}", share=float(shares[most].sum()), classes=classes)
    asks = "{measure} asks how often two ratings of an item are " + near + ", {other} whether they tell items apart"
    return [
        note(
            "coefficients differ",
            "{measure} is higher than {other} ({value:.3f}, {other_value:.3f}) because {cause}: " + asks,
            measure=gwet.id,
            other=alpha.id,
            value=gwet.value,
            other_value=alpha.value,
            cause=cause,
        )
    ]
