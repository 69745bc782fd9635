"""``judge``: from ratings and judges as a user names them to what the trial found."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import Alignment
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import about, note, say, warn
from metameasure.core.notes import first_of, too_few_trials
from metameasure.core.options import is_left_out, part, with_options
from metameasure.core.problems import left_out
from metameasure.core.signature import digest_of_text
from metameasure.core.validity import named
from metameasure.evidence.golds import GOLDS, RULES
from metameasure.evidence.rating_reader import RatingReader
from metameasure.evidence.ratings import Ratings, beside, one_hot, together
from metameasure.judging.agree import OF_A_TABLE, made_of_ratings, no_judge, rating_reader
from metameasure.judging.result import Foretold, JudgeLine, Judgement, JudgePair
from metameasure.judging.trial import JudgeSettings, JudgeTrial
from metameasure.statistics.arrays import mean_of_defined
from metameasure.tasks.rating_options import JudgeOptions

_FEW_ITEMS = 50
_COVERED_WITH_FEW = 0.89, 0.94


@with_options(JudgeOptions)
def judge(asked: JudgeOptions, ratings: Any, judges: Any = None) -> Judgement:
    """May a judge stand in for one of the people, and which judge is better?

    Parameters
    ----------
    ratings : path, data frame or dict
        The people's ratings, as for ``agree``.
    judges : path, list of paths or dict, optional
        Files with the columns item and label, or ``{name: {item: label}}``; or ``among`` names the annotators that are
        judges. Labels under the names of several people are predictions of what each of them says.

    Returns
    -------
    Judgement
        Each judge and each person, scored against the same other people on the same items, with a verdict and the alt-test;
        of several measures, one for each.

    Raises
    ------
    UsageError
        If there is no judge, or an option makes no sense.
    DataError
        If the ratings are wrong, or nobody shares enough items with others.

    Notes
    -----
    The alternative annotator test (alt-test) is that of Calderon, Reichart and Dror (ACL 2025).

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = [1, 2, 3, 2] * 10
    >>> people = {name: dict(enumerate(truth[shift:] + truth[:shift])) for name, shift in {"ann": 0, "bob": 0, "cyd": 4}.items()}
    >>> found = mm.judge(people, {"model": dict(enumerate(truth))}, classes="1..3", trials=100)
    >>> [one.judge for one in found.judges]
    ['model']

    """
    registry = asked.registry or default_registry()
    reader = replace(rating_reader(asked), skip_broken=asked.skip_broken)
    people, tried, foretold = _read(ratings, judges, tuple(asked.among), reader)
    wanted = registry.select(asked.measures or OF_A_TABLE[people.scale.kind])
    usual: Alignment = "accuracy" if people.scale.kind == "nominal" else "rmse"
    settings = part(JudgeSettings, replace(asked, alignment=asked.alignment or usual))
    _check(settings, people, wanted)
    predictions = tuple(_foretold(people, one, registry) for one in foretold)
    parts = tuple(_judgement(JudgeTrial(people, tried, measure, settings, asked.distance), predictions) for measure in wanted)
    if asked.validity:
        parts = tuple(replace(one, notes=(*one.notes, *named(one.validity))) for one in parts)
    found = replace(parts[0], others=parts[1:])
    held = {name: value for name, value in asdict(settings).items() if name != "gold"}
    made = made_of_ratings(people, "judge", wanted, asked.distance).having(
        gold_from=settings.gold,
        judges=list(asked.among) or None,
        skip_broken=asked.skip_broken or None,
        **held,
        runs=_digests(tried, foretold),
    )
    return replace(found, made=made)


def _digests(tried: Ratings, foretold: Sequence[tuple[str, Ratings]]) -> dict[str, Any]:
    """Of each judge, and of each file of predictions."""
    judges: Any = tried.digests()["annotators"]
    return {**judges, **{name: digest_of_text(str(one.digests()["annotators"])) for name, one in foretold}}


def _read(
    ratings: Any, judges: Any, among: tuple[str, ...], reader: RatingReader
) -> tuple[Ratings, Ratings, list[tuple[str, Ratings]]]:
    """The people; the judges on their items; and predictions of what each of the people says, by the names of their sources."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        reader.check_columns(ratings, [] if is_left_out(judges) else judges, Path(scratch))
        everybody = reader.people(ratings, Path(scratch), alone=False)
        people, inside = everybody.split(among) if among else (everybody, None)
        outside, broken = ([], {}) if is_left_out(judges) else reader.judges(judges, people.scale, Path(scratch))
    if inside is None and not outside:
        raise no_judge()
    # Labels in the names of several of the people are no judges' but predictions of what these people say.
    foretold = [(name, beside(people, one)) for name, one in outside if _predicts(people, one)]
    judge_ratings = [
        *([inside] if inside is not None else []),
        *(beside(people, one) for _, one in outside if not _predicts(people, one)),
    ]
    tried = together(judge_ratings) if judge_ratings else people.of_annotators([])
    if "repeat" in reader.declared and max(len(people.rounds), len(tried.rounds)) < 2:
        raise UsageError(
            say("nobody has several ratings of an item by '{column}'", column=reader.columns.repeat),
            hint=say("check {--repeat-column}"),
        )
    names = [*people.annotators, *tried.annotators]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(
            f"'{repeated[0]}' is the name of two annotators or judges",
            hint="give each annotator and each judge a name of its own",
        )
    said = tuple(left_out(name, problem) for name, problem in broken.items())
    return people, replace(tried, counts=np.zeros_like(people.counts), notes=(*tried.notes, *said)), foretold


def _predicts(people: Ratings, labels: Ratings) -> bool:
    return len(labels.annotators) > 1 and set(labels.annotators) <= set(people.annotators)


def _foretold(people: Ratings, predictions: tuple[str, Ratings], registry: Registry) -> Foretold:
    """How well single people's ratings are predicted."""
    name, labels = predictions
    places = [people.annotators.index(one) for one in labels.annotators]
    said, foretold = people.first[:, places], labels.first
    both = (said >= 0) & (foretold >= 0)
    arrays = [one_hot(one, len(people.scale)) for one in (foretold, said)]
    values = [
        math.nan
        if people.scale.kind == "nominal" and registry[id].scale != "nominal"
        else float(registry[id](*arrays, classes=people.scale))
        for id in ("aer", "anad")
    ]
    return Foretold(name, int(both.any(axis=1).sum()), int(both.sum()), *values)


def _check(settings: JudgeSettings, people: Ratings, measures: Sequence[Measure]) -> None:
    """UsageError for settings that make no sense, DataError where there is nobody to compare with."""
    if settings.gold in ("median", "mean") and people.scale.kind == "nominal":
        raise UsageError(f"nominal classes have no {settings.gold}", hint=say("choose {--gold each}, majority or distribution"))
    if not 0 <= settings.margin < math.inf:
        raise UsageError(f"the margin {settings.margin:g} is not a number from 0 up", hint=say("as in {--margin .1}"))
    if not 0 <= settings.epsilon < 1:
        raise UsageError(f"epsilon {settings.epsilon:g} is not from 0 to 1", hint=say("as in {--epsilon .2}"))
    for measure in measures:
        if measure.reads is not Reads.COUNTS or measure.better is None:
            raise UsageError(f"{measure.id} is not a score of a table of labels", hint="choose kappa_linear, accuracy, mae, ...")
        measure.check_scale(people.scale)
    if not np.any(people.counts.sum(axis=1) > 1):
        raise DataError(
            "no item has ratings by two people, so there is nobody to compare a judge with",
            hint="with one label per item, score judges as runs: 'metameasure evaluate'",
        )


def _judgement(trial: JudgeTrial, foretold: tuple[Foretold, ...]) -> Judgement:
    settings, measure = trial.settings, trial.measure
    human = trial.human_values()
    lines = [trial.judge(place) for place in range(len(trial.judges.annotators))]
    lines.sort(key=lambda line: -trial.sign * line.value)
    assert measure.better is not None  # noqa: S101 - checked before
    pairs = tuple(trial.pairs())
    return Judgement(
        measure.id,
        measure.better,
        settings.gold,
        trial.people.scale,
        int((trial.people.counts.sum(axis=1) > 1).sum()),
        human,
        tuple(lines),
        tuple(trial.references()),
        pairs,
        tuple(map(trial.by_gold, GOLDS)),
        foretold,
        settings.alignment,
        settings.epsilon,
        settings.margin,
        settings.alpha,
        settings.level,
        "items" if trial.people.cluster is None else "clusters",
        _notes(trial, lines, human, pairs),
        trial.judges.outside,
        settings.trials,
        settings.seed,
    )


def _notes(
    trial: JudgeTrial, lines: Sequence[JudgeLine], human: Mapping[str, float], pairs: Sequence[JudgePair]
) -> tuple[str, ...]:
    people, settings = trial.people, trial.settings
    ranks = trial.measure.said_of_ranks(people.scale)
    trials = "" if all(pair.exact for pair in pairs) else too_few_trials(1, settings.trials, settings.alpha)
    return (
        *people.notes,
        *trial.judges.notes,
        *_not_compared(trial, human),
        *([about(ranks, measure=trial.measure.id)] if ranks else []),
        *_without_labels(lines, people.size),
        *([] if settings.gold == "each" else _said_of_gold(trial, human)),
        *_said_of_units(people, lines),
        *([trials] if trials else []),
    )


def _not_compared(trial: JudgeTrial, human: Mapping[str, float]) -> Iterator[str]:
    """The people with whom no judge is compared."""
    enough = {trial.people.annotators[one.place] for one in trial.left_out}
    few = [name for name in human if name not in enough]
    if few:
        yield warn(
            "too few items to compare",
            "{names}: fewer than {minimum} items that somebody else rated too, so not compared",
            names=first_of(few, 3),
            minimum=trial.settings.minimum,
        )
    undefined = [name for name in human if name in enough and math.isnan(human[name])]
    if undefined:
        yield warn(
            "undefined against the others",
            "{names}: {measure} against the others is undefined, so not compared",
            names=first_of(undefined, 3),
            measure=trial.measure.id,
        )


def _without_labels(lines: Sequence[JudgeLine], items: int) -> Iterator[str]:
    """The judges that lack labels."""
    lacking = [
        say("{judge} ({without_label})", judge=line.judge, without_label=items - line.items)
        for line in lines
        if line.items < items
    ]
    if lacking:
        yield note(
            "items without a judge's label",
            "items without a label by a judge are left out for that judge: {judges}",
            judges=first_of(lacking, 5),
        )


def _said_of_gold(trial: JudgeTrial, human: Mapping[str, float]) -> Iterator[str]:
    """What one gold made of several people is, and what people are compared with."""
    gold = trial.settings.gold
    yield note(
        "what people are compared with",
        "people are compared with the {rule} of the others; with a gold that contains their own ratings they would score "
        "{containing:.2f} instead of {human:.2f}",
        rule=gold,
        containing=trial.containing(),
        human=float(mean_of_defined(np.array([*human.values()]), 0)),
    )
    yield note("what gold is", "gold is {rule}", rule=RULES[gold])


def _said_of_units(people: Ratings, lines: Sequence[JudgeLine]) -> Iterator[str]:
    """What a sample is, and whether there are enough of them."""
    effects = [line.design_effect for line in lines if line.design_effect == line.design_effect]
    if people.cluster is None:
        yield warn(
            "sample",
            "each item is taken as a sample by itself: declare items that come in groups, as answers to one question do "
            "({--cluster-column}), or equal judges are told apart too often (groups of five: in {error:.0%} of the cases "
            "instead of 5%)",
            error=0.1,
        )
    elif effects:
        ends = {"design_effect": min(effects)} | ({"to": max(effects)} if len(effects) > 1 else {})
        yield note(
            "clusters",
            "{clusters} clusters are drawn and left out whole; design effect {design_effect:.1f}"
            + (" to {to:.1f}" if "to" in ends else ""),
            clusters=int(people.cluster.max()) + 1,
            **ends,
        )
    if people.cluster is not None and any(not math.isnan(line.alt_test.winning_rate) for line in lines):
        alone = (
            "the alt-test takes each item by itself, as it was published, whatever clusters are declared: with items in groups "
            "of five it says in {error:.0%} of the cases instead of 5% that a judge beats somebody who is as good"
        )
        yield warn("limit", alone, error=0.08)
    fewest = min((line.items for line in lines if not math.isnan(line.low)), default=_FEW_ITEMS)
    if fewest < _FEW_ITEMS:
        too_short = (
            "with fewer than {enough} items the intervals of differences are somewhat too short ({level:g%} intervals cover "
            "{low:.0%} to {high:.0%})"
        )
        low, high = _COVERED_WITH_FEW
        yield warn("few items", too_short, enough=_FEW_ITEMS, level=0.95, low=low, high=high)
