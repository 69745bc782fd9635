"""How well do annotators agree? Coefficients with their errors, and a line for each annotator."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure, Measures
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.signed import signed_measures
from metameasure.core.choices import AgreementInterval, RatingShape
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import note, say
from metameasure.core.options import with_options
from metameasure.core.scale import Kind
from metameasure.core.signature import Signature
from metameasure.core.validity import Case, limits, named
from metameasure.evidence.base import digest_of
from metameasure.evidence.rating_reader import RatingReader
from metameasure.evidence.ratings import Ratings
from metameasure.evidence.room import release
from metameasure.judging.aggregating import aggregated, check_aggregate
from metameasure.judging.agreement import Agreement
from metameasure.judging.agreement_notes import agrees_by_chance, said_of_agreement
from metameasure.judging.coefficients import Estimator
from metameasure.reading.options import ReadOptions, Tables, named_columns
from metameasure.tasks.rating_options import AgreeOptions, RatingOptions

OF_SCALE: dict[Kind, tuple[str, str]] = {
    "nominal": ("alpha_nominal", "ac1"),
    "ordinal": ("alpha_ordinal", "ac2"),
    "interval": ("alpha_interval", "ac2"),
}
"""For each kind of scale its alpha, and the coefficient of Gwet's that stands beside it."""
_TABLES = Tables("agreement", ("item", "annotator", "label"), labels=False)
OF_A_TABLE: dict[Kind, str] = {"nominal": "kappa", "ordinal": "kappa_linear", "interval": "kappa_linear"}
"""For each kind of scale the measure of one annotator, or a judge, against others."""


def rating_reader(asked: RatingOptions, shape: RatingShape = "ratings") -> RatingReader:
    """How ratings are read, from what a user says about them."""
    named = dict(asked.columns)
    options = ReadOptions(
        "agreement",
        named_columns(named),
        asked.format_in,
        tables=_TABLES,
        named=tuple(named.items()),
        threads=asked.threads,
        memory=asked.memory,
    )
    declared = frozenset({"cluster", "repeat"} & named.keys())
    return RatingReader(options, asked.classes, asked.kind, tuple(asked.annotator_columns), shape, declared)


def no_judge() -> UsageError:
    """That nobody is named whose labels are held against people's."""
    hint = say("name the judges' files after the ratings, or {--judges A,B} among the annotators")
    return UsageError("there is no judge", hint=hint)


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
    By default Krippendorff's alpha for the scale, percent agreement and Gwet's coefficient. Each has its formula and its source
    on it: ``print(mm.measures["alpha_nominal"])``. Krippendorff (2018) and Gwet (2014) are their sources.

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
    chance = {line.annotator: agrees_by_chance(line) for line in found.by_annotator}
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
    """How people's ratings were read, and the coefficients of agreement to compute."""
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
    measures: Measures | None = None,
    *,
    interval: AgreementInterval = "auto",
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 0,
    distance: Any = None,
    registry: Registry | None = None,
) -> Agreement:
    """How well annotators agree, from ratings that have been read."""
    registry = registry or default_registry()
    ratings, notes = _rated(ratings)
    alpha, gwet = OF_SCALE[ratings.scale.kind]
    wanted = registry.select(measures or [alpha, "percent_agreement", gwet])
    for measure in wanted:
        _check(measure, ratings, interval)
    estimator = Estimator(ratings, distance, interval=interval, level=level, trials=trials, seed=seed)
    coefficients = tuple(estimator.coefficient(measure) for measure in wanted)
    by_measure = registry[OF_A_TABLE[ratings.scale.kind]]
    lines = estimator.lines(by_measure, wanted[0]) if ratings.known else ()
    notes += said_of_agreement(ratings, wanted, coefficients, lines, by_measure)
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
    release(ratings.counts)
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
