"""``correct`` and ``correct_scores``: from people's labels on a part of the items and a judge's on all to what is true."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.catalogue.signed import signed_measures
from metameasure.core.choices import Sampling
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import counted, first_of, grouped
from metameasure.core.options import is_left_out, with_options
from metameasure.core.scale import Kind, Scale
from metameasure.core.signature import Signature
from metameasure.core.validity import named as named_methods
from metameasure.evidence.base import digest_of
from metameasure.evidence.counting import count_prepared
from metameasure.evidence.outputs import Outputs, item_outputs
from metameasure.evidence.preparing import prepared
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.judging.agree import made_of_ratings, no_judge, rating_reader
from metameasure.judging.corrected import MEAN_LABEL, SHARE_OF, Corrected, CorrectedLine
from metameasure.judging.rating_sample import table_value
from metameasure.reading.frames import is_sequence
from metameasure.reading.inputs import library_of
from metameasure.reading.options import OF_GOLD, Columns
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.corrected import Correction, Estimate, Halves, Sampled, correction
from metameasure.statistics.mean_intervals import Range
from metameasure.statistics.sums import OfSums
from metameasure.tasks.base import count_options, label_reader
from metameasure.tasks.declaration import declaration
from metameasure.tasks.option_groups import CorrectScoresOptions
from metameasure.tasks.rating_options import CorrectOptions

FEWEST_LABELS, FEW_LABELS = 50, 100
_FEWEST_OF_A_STRATUM, _FEWEST_CLUSTERS = 5, 20
_FEW_DIFFERENT, _RARE = 5, 10
_NEAR = 1e-9
_USUAL: dict[Kind, str] = {
    "nominal": "accuracy,kappa,f1_macro",
    "ordinal": "accuracy,kappa_linear,cem_ord,mae_macro",
    "interval": "accuracy,kappa_linear,cem_ord,mae_macro",
}
_WHY_UNKNOWN = (
    "nothing is corrected, because nobody knows how the items were chosen that people labelled: the correction takes them for a "
    "random draw. Where people label what judge and system disagree on four times as often, 95% intervals hold the truth in as "
    "little as {least:.0%} of cases (kappa_linear, 1,000 labels of 3,000 items). Draw items at random ({--sampled random}), or "
    "at random within strata ({--sampled strata})"
)
LEAST_HELD = 0.43
"""Of 2,000 simulated data sets (benchmarks/simulations.py)."""


@with_options(CorrectScoresOptions)
def correct_scores(asked: CorrectScoresOptions, gold: Any, runs: Any, judge: Any) -> Corrected:
    """Score runs by people's labels on a part of the items and a judge's on all of them.

    The estimates are right whatever errors the judge makes, and their intervals are shorter than those of people's labels
    alone, the more so the better the judge is.

    Parameters
    ----------
    gold : path, data frame or array
        People's labels: of some items. In an array the others are None.
    runs : path, list of paths, dict, data frame or array
        The outputs, of all items, as for ``evaluate``.
    judge : path, data frame or array
        The judge's labels, of all items.

    Returns
    -------
    Corrected
        For each measure and run the score by people alone, by the judge alone with its bias, and corrected; and the same of
        the differences between runs.

    Raises
    ------
    UsageError
        If nobody says how the items were chosen that people labelled, or an option makes no sense.
    DataError
        If people labelled fewer than 50 items, or the data are wrong.

    Notes
    -----
    After prediction-powered inference (Angelopoulos, Duchi and Zrnic, 2023), for any measure of a table: both parts are
    resampled, and lambda is what makes the variance smallest.

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = [1, 2, 3, 2, 1] * 60
    >>> judge = [label if place % 5 else 2 for place, label in enumerate(truth)]
    >>> people = [label if place < 100 else None for place, label in enumerate(truth)]
    >>> run = [label if place % 4 else 1 for place, label in enumerate(truth)]
    >>> found = mm.correct_scores(people, {"a": run}, judge, classes="1..3", measures="accuracy", sampled="random")
    >>> round(found["a"].people.value, 2), found.labelled
    (0.85, 100)

    """
    sampling = _sampling(asked)
    registry = asked.registry or default_registry()
    known = registry.select(asked.measures) if asked.measures is not None else []
    data = _Systems.read(asked, gold, runs, judge, sampling)
    wanted = known or registry.select(_USUAL[data.scale.kind])
    _check_measures(wanted, data.scale)
    notes = (*data.notes, *_checked(data.sample, sampling, data.strata))
    lines = tuple(data.lines(wanted))
    made = data.signature().having(**signed_measures(wanted), **_settings(asked, sampling))
    found = Corrected(
        data.scale, lines, tuple(data.differences(wanted)), sampling, data.sample.items, data.sample.number, data.units,
        asked.level, asked.trials, asked.seed, _name_of(judge), (*notes, *_limits(data, lines, sampling)), made=made,
    )  # fmt: skip
    return _with_methods(replace(found, library=library_of(gold)), asked.validity)


def _with_methods(found: Corrected, validity: bool) -> Corrected:
    return replace(found, notes=(*found.notes, *named_methods(found.validity))) if validity else found


def _settings(asked: CorrectOptions | CorrectScoresOptions, sampling: Sampling) -> dict[str, Any]:
    """What a signature says of how the numbers were made."""
    return {
        "sampled": sampling,
        "strata_column": asked.strata_column,
        "level": asked.level,
        "draws": asked.trials,
        "seed": asked.seed,
    }


def _name_of(judge: Any) -> str:
    return Path(judge).name.partition(".")[0] if isinstance(judge, str | Path) else "the judge"


def _sampling(asked: CorrectOptions | CorrectScoresOptions) -> Sampling:
    """How items were chosen; UsageError where nobody says, or what is said makes no sense."""
    if asked.sampled is None:
        raise UsageError(
            "nobody says how the items were chosen that people labelled",
            hint=say(
                "a correction takes them for a random draw: declare {--sampled random}, {--sampled strata} with "
                "{--strata-column C}, or {--sampled unknown}"
            ),
        )
    if asked.sampled == "strata" and not asked.strata_column:
        raise UsageError("there are no strata", hint=say("name the column that has them: {--strata-column C}"))
    if asked.sampled != "strata" and asked.strata_column:
        raise UsageError("strata are named, but items were not chosen within them", hint=say("choose {--sampled strata}"))
    return asked.sampled


def _check_measures(measures: Sequence[Measure], scale: Scale) -> None:
    for measure in measures:
        if measure.reads is not Reads.COUNTS:
            raise UsageError(f"{measure.id} is not a measure of a table of labels", hint="choose accuracy, kappa, mae_macro, ...")
        measure.check_scale(scale)


def _checked(sample: Sampled, sampling: Sampling, strata: Sequence[str]) -> list[str]:
    """What is to be said of how many labels there are; DataError where there are too few of them."""
    here, others = (int(which.sum()) for which in (sample.labelled, ~sample.labelled))
    if not others:
        raise DataError("people labelled every item, so there is nothing to correct", hint="evaluate by their labels alone")
    if sampling == "unknown":
        return [warn("not corrected", _WHY_UNKNOWN, least=LEAST_HELD)]
    if here < FEWEST_LABELS:
        raise DataError(
            say(
                "people labelled {items}, too few to correct by: {fewest} are the least",
                items=counted(here, "item"),
                fewest=FEWEST_LABELS,
            ),
            hint="label more items, drawn at random",
        )
    notes = []
    if here < FEW_LABELS:
        notes.append(
            warn(
                "few labels",
                "with fewer than {enough} labels by people, corrected intervals are too short: "
                "95% intervals hold {low:.0%} to {high:.0%}",
                enough=FEW_LABELS,
                low=0.88,
                high=0.93,
            )
        )
    labelled, _ = sample.sizes()
    if sampling == "strata" and (short := [strata[place] for place in np.flatnonzero(labelled < _FEWEST_OF_A_STRATUM).tolist()]):
        raise DataError(
            say(
                "people labelled fewer than {fewest} items of {strata}",
                fewest=_FEWEST_OF_A_STRATUM,
                strata=first_of([f"stratum '{name}'" for name in short], 3),
            ),
            hint="label more of them, or join strata",
        )
    return notes + _said_of_clusters(sample, sampling)


def _said_of_clusters(sample: Sampled, sampling: Sampling) -> list[str]:
    if sample.cluster is None:
        return []
    if sampling == "strata" and len(np.unique(np.stack([sample.cluster, sample.stratum]), axis=1).T) > sample.cluster.max() + 1:
        raise DataError("a cluster has items of several strata", hint="clusters are drawn whole, each within one stratum")
    clusters = len(np.unique(sample.cluster[sample.labelled]))
    if clusters < _FEWEST_CLUSTERS:
        raise DataError(
            say(
                "people labelled items of {clusters}, too few to correct by: {fewest} are the least",
                clusters=counted(clusters, "cluster"),
                fewest=_FEWEST_CLUSTERS,
            ),
            hint="label items of more clusters",
        )
    return [note("clusters", "{clusters} are drawn whole", clusters=counted(int(sample.cluster.max()) + 1, "cluster"))]


@dataclass(frozen=True, eq=False)
class _Systems:
    """Labels of all items by number: people's (-1 for items that they did not label), the judge's and the runs' (runs, items)."""

    with_rare_classes: ClassVar[tuple[str, float, float]] = (
        "measures that weigh classes hold {low:.0%} to {high:.0%} (mae_macro with 100 labels: 88% to 92%)", 0.88, 0.94
    )  # fmt: skip
    """How often intervals hold where people gave a class few labels."""
    scale: Scale
    runs: tuple[str, ...]
    people: Integers
    judge: Integers
    labels: Integers
    sample: Sampled
    strata: tuple[str, ...]
    asked: CorrectScoresOptions
    notes: tuple[str, ...]

    @classmethod
    def read(cls, asked: CorrectScoresOptions, gold: Any, runs: Any, judge: Any, sampling: Sampling) -> _Systems:
        """UsageError or DataProblems for what is wrong with any of the three."""
        if asked.task != "classification":
            raise UsageError(f"scores of {asked.task} are not corrected", hint="it is done for classification")
        piped = any(isinstance(one, str) and one == "-" for one in (gold, judge))
        if piped or is_left_out(runs):
            raise UsageError("people's labels, runs and the judge's labels are three inputs", hint="name files for each")
        systems, strata, notes = _outputs(asked, judge, runs, _columns(asked, of_people=False), asked.missing)
        people, _, _ = _outputs(asked, judge, {"people": gold}, _columns(asked, of_people=True), "drop")
        if systems.repeated or people.repeated:
            raise UsageError("an item has several outputs", hint="correct by one label of each run for an item")
        if systems.weight is not None:
            raise UsageError("items have weights", hint="leave out the column of weights: items count the same here")
        labels = people.labels[0].astype(np.int64)
        stratum = systems.topic if sampling == "strata" else np.zeros(len(labels), dtype=np.int64)
        sample = Sampled(labels >= 0, stratum, systems.cluster)
        every = systems.labels.astype(np.int64)
        return cls(systems.scale, systems.runs, labels, systems.gold, every, sample, strata, asked, notes)

    @property
    def units(self) -> str:
        return "items" if self.sample.cluster is None else "clusters"

    @property
    def different(self) -> int:
        """On how many items people and the judge differ."""
        return int((self.people != self.judge)[self.sample.labelled].sum())

    @property
    def rarest(self) -> int:
        """How many labels by people the class has that has fewest, of those that occur."""
        return int(np.unique(self.people[self.sample.labelled], return_counts=True)[1].min())

    def signature(self) -> Signature:
        asked, sample = self.asked, self.sample
        groups = [sample.stratum, *([] if sample.cluster is None else [sample.cluster])]
        return Signature(
            command="correct_scores",
            task="classification",
            classes=self.scale.signed(),
            kind=self.scale.kind,
            missing=asked.missing,
            extra=asked.extra,
            clusters=True if sample.cluster is not None else None,
            distance=None if asked.distance is None else digest_of([asked.distance], digits=8),
            gold=digest_of([self.people]),
            judge=digest_of([self.judge]),
            items=digest_of(groups),
            runs={name: digest_of([labels]) for name, labels in zip(self.runs, self.labels, strict=True)},
        ).signed()

    def lines(self, measures: Sequence[Measure]) -> Iterator[CorrectedLine]:
        """The runs by each measure, best first."""
        made = [self._lines(measures, run) for run in range(len(self.runs))]
        for measure, of_runs in zip(measures, zip(*made, strict=True), strict=True):
            sign = -1 if measure.better == "lower" else 1
            yield from sorted(of_runs, key=lambda line: -sign * np.nan_to_num(line.best.value, nan=-sign * np.inf))

    def differences(self, measures: Sequence[Measure]) -> Iterator[CorrectedLine]:
        """Every two runs by each measure that orders them."""
        ordering = [measure for measure in measures if measure.better is not None]
        made = [self._lines(ordering, *two) for two in combinations(range(len(self.runs)), 2)]
        for of_pairs in zip(*made, strict=True):
            yield from of_pairs

    def _lines(self, measures: Sequence[Measure], *runs: int) -> list[CorrectedLine]:
        """One run, or the first less the second, by each measure: all of them from the same draws."""
        halves, cells = self._halves(runs), len(self.scale) ** 2
        name, *other = (self.runs[run] for run in runs)
        lines = []
        for measure in measures:
            value, (low, high) = table_value(measure, self.scale, self.asked.distance), measure.known_range(self.scale)
            found = (
                corrected_or_not(halves, _between(value, cells), (low - high, high - low), self.asked)
                if other
                else corrected_or_not(halves, value, (low, high), self.asked)
            )
            lines.append(CorrectedLine(measure.id, measure.better, name, other[0] if other else "", found))
        return lines

    def _halves(self, runs: Sequence[int]) -> Halves:
        """What items add to the tables of these runs, side by side."""
        chosen = list(runs)
        classes = len(self.scale)
        has = np.asarray((self.labels[chosen] >= 0).all(axis=0))
        said = self.labels[chosen][:, has]
        code = self.judge[has]
        for labels in said:
            code = code * classes + labels

        def adds(codes: Integers) -> Floats:
            rows = np.zeros((len(codes), len(chosen), classes**2))
            rest = codes
            for place in reversed(range(len(chosen))):
                rest, label = np.divmod(rest, classes)
                rows[np.arange(len(codes)), place, codes // classes ** len(chosen) * classes + label] = 1
            return rows.reshape(len(codes), -1)

        sample = self.sample.of_items(has)
        own = self.people[has][sample.labelled]
        for labels in said[:, sample.labelled]:
            own = own * classes + labels
        return sample.halves(adds(own), code, adds)


def corrected_or_not(halves: Halves, value: OfSums, ends: Range, asked: CorrectOptions | CorrectScoresOptions) -> Correction:
    """The correction; people and the judge alone, where nobody knows how items were chosen: then people's interval says nothing
    either."""
    found = correction(halves, value, ends, level=asked.level, trials=asked.trials, seed=asked.seed)
    if asked.sampled != "unknown":
        return found
    people, bias = Estimate(found.people.value), Estimate(found.bias.value)
    return Correction(people, found.judge, bias, why=found.why)


def _between(value: OfSums, cells: int) -> OfSums:
    """The value of the first table less that of the second."""
    return lambda sums: np.asarray(value(sums[..., :cells]) - value(sums[..., cells:]))


def _columns(asked: CorrectScoresOptions, *, of_people: bool) -> dict[str, str]:
    """What columns are called where the judge's labels stand in gold's place: those of gold are people's. Strata are topics."""
    plain = {role: name for role, name in asked.columns.items() if not role.startswith(OF_GOLD)}
    if asked.strata_column:
        plain["topic"] = asked.strata_column
    own = {role.removeprefix(OF_GOLD): name for role, name in asked.columns.items() if role.startswith(OF_GOLD)}
    if not of_people or not own:
        return plain
    return {**plain, **own, **{f"{OF_GOLD}{role}": plain.get(role, getattr(Columns(), role)) for role in own}}


def _outputs(
    asked: CorrectScoresOptions, judge: Any, runs: Any, columns: Mapping[str, str], missing: str | None
) -> tuple[Outputs, tuple[str, ...], tuple[str, ...]]:
    """What runs say of the items that the judge labelled, in an order that is the same for all runs; the strata's names; and what
    there is to say of the reading."""
    how = {**asked.told(), "columns": columns, "missing": missing}
    options: Any = declaration("classification").options_of(how)
    reader = label_reader(options, numeric=bool(options.bins), matrices=options.matrices)
    count = count_options(options, options.bins)
    one = not isinstance(judge, str | Path) and is_sequence(judge) and is_sequence(runs)
    with replace(reader, gold_is="the judge's labels").opened(judge, {"run": runs} if one else runs) as tables:
        ready, unit = prepared(tables, count)
        counts = count_prepared(ready, unit, count)
        return item_outputs(ready, counts, count.missing), counts.topics, counts.notes


def _limits(data: _Systems | _Labels, lines: Sequence[CorrectedLine], sampling: Sampling) -> Iterator[str]:
    """What changes how the intervals are to be read."""
    if sampling == "unknown":
        return
    undefined = grouped((line.found.why, f"{line.measure} of {line.name}") for line in lines if line.found.why)
    for why, which in undefined.items():
        yield warn("not corrected", "{which}: not corrected, because {why}", which=first_of(which, 3), why=why)
    if data.different < _FEW_DIFFERENT:
        yield warn(
            "few differences",
            "people and the judge differ on {different} of {number} labels: mistakes of the judge that are too rare to be seen "
            "there are not in the intervals; up to {share:.1%} of its labels may be wrong",
            different=data.different,
            number=data.sample.number,
            share=_most(data.different) / data.sample.number,
        )
    if data.rarest < _RARE:
        known, low, high = data.with_rare_classes
        said = "with a class of fewer than {rare} labels by people, 95% intervals of " + known
        yield warn("limit", said, rare=_RARE, low=low, high=high)


def _most(seen: int) -> float:
    """The most mistakes that so few are seen of in one sample of 20."""
    from scipy.special import gammaincinv  # noqa: PLC0415 - loaded when first used

    return float(gammaincinv(seen + 1, 0.95))


@with_options(CorrectOptions)
def correct(asked: CorrectOptions, ratings: Any, judges: Any = None) -> Corrected:
    """Find the mean label and the share of each class from people's labels on a part of the items and a judge's on all.

    The estimates are right whatever errors the judge makes, and their intervals are shorter than those of people's labels
    alone, the more so the better the judge is.

    Parameters
    ----------
    ratings : path, data frame or dict
        People's labels of some items: item and label, or several people's ratings, as for ``agree``.
    judges : path, list of paths or dict, optional
        Files with the columns item and label, of all items; or ``among`` names the annotators that are judges.

    Returns
    -------
    Corrected
        For each judge the mean label and the shares, by people alone, by the judge alone with its bias, and corrected.

    Raises
    ------
    UsageError
        If nobody says how the items were chosen that people labelled, or an option makes no sense.
    DataError
        If people labelled fewer than 50 items, or the data are wrong.

    Notes
    -----
    After prediction-powered inference (Angelopoulos, Duchi and Zrnic, 2023). Where several people rated an item, its label is
    the mean of their ratings.

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = dict(enumerate([1, 2, 3, 2, 1] * 60))
    >>> judge = {place: label if place % 5 else 2 for place, label in truth.items()}
    >>> people = {"ann": {place: label for place, label in truth.items() if place < 100}}
    >>> found = mm.correct(people, {"model": judge}, classes="1..3", sampled="random")
    >>> found.measures
    ['mean label', 'share of 1', 'share of 2', 'share of 3']

    """
    sampling = _sampling(asked)
    people, tried = _read_ratings(asked, ratings, judges)
    made = made_of_ratings(people, "correct", (), None).having(judges=list(asked.among) or None, **_settings(asked, sampling))
    parts = [_Labels.of(people, one, place, asked) for one in tried for place in range(len(one.annotators))]
    notes = [*people.notes, *(said for one in tried for said in one.notes)]
    lines: list[CorrectedLine] = []
    for part in parts:
        notes += [*part.notes, *_checked(part.sample, sampling, part.strata)]
        lines += part.lines()
        notes += _limits(part, lines, sampling)
    first = parts[0]
    runs = {part.name: digest_of([part.said]) for part in parts}
    found = Corrected(
        people.scale, tuple(lines), (), sampling, first.sample.items, first.sample.number, first.units, asked.level, asked.trials,
        asked.seed, "", tuple(dict.fromkeys(notes)), made=made.having(runs=runs),
    )  # fmt: skip
    return _with_methods(found, asked.validity)


def _read_ratings(asked: CorrectOptions, ratings: Any, judges: Any) -> tuple[Ratings, list[Ratings]]:
    """People's ratings, and those of the judges on all their items."""
    reader = rating_reader(asked)
    if asked.strata_column:
        options = replace(reader.options, columns=replace(reader.options.columns, stratum=asked.strata_column))
        reader = replace(reader, options=options, declared=reader.declared | {"stratum"})
    some = not is_left_out(judges)
    if not some and not asked.among:
        raise no_judge()
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        everybody = reader.people(ratings, Path(scratch), alone=False, grouped=not some)
        people, inside = everybody.split(asked.among) if asked.among else (everybody, None)
        outside = [one for _, one in reader.judges(judges, people.scale, Path(scratch), grouped=True)[0]] if some else []
    return people, [*([] if inside is None else [inside]), *outside]


@dataclass(frozen=True, eq=False)
class _Labels:
    """A judge's labels of all its items, as shares of the classes (items, C), and people's of those that they labelled."""

    with_rare_classes: ClassVar[tuple[str, float, float]] = ("its share hold {low:.0%} to {high:.0%}", 0.9, 0.93)
    name: str
    scale: Scale
    own: Floats
    said: Floats
    sample: Sampled
    strata: tuple[str, ...]
    asked: CorrectOptions
    notes: tuple[str, ...]

    @classmethod
    def of(cls, people: Ratings, judges: Ratings, place: int, asked: CorrectOptions) -> _Labels:
        """One of the judges; DataError where it has none of the items that people labelled."""
        name, classes = judges.annotators[place], len(people.scale)
        said = one_hot(judges.repeats(place), classes).sum(axis=1)
        has = said.sum(axis=1) > 0
        with_topic = bool(people.topic and judges.topic)
        where = {key: number for number, key in enumerate(people.keys(with_topic=with_topic))}
        keys = judges.keys(with_topic=with_topic)
        known = np.array([where.get(key, -1) for key, kept in zip(keys, has.tolist(), strict=True) if kept], dtype=np.int64)
        counts = np.where(known[:, None] >= 0, people.counts[known], 0.0)
        labelled = counts.sum(axis=1) > 0
        if not labelled.any():
            raise DataError(
                say("{name} has none of the items that people labelled", name=name),
                hint=say("check the ids, and {--item-column}"),
            )
        lacking = int((people.counts.sum(axis=1) > 0).sum()) - int(labelled.sum())
        without = note("items without a judge's label", "left out: {items} that {judge} has no label for",
                       items=counted(lacking, "labelled item"), judge=name)  # fmt: skip
        stratum = np.zeros(len(known), dtype=np.int64) if judges.stratum is None else judges.stratum[has]
        sample = Sampled(labelled, stratum, None if judges.cluster is None else judges.cluster[has])
        shares = said[has] / said[has].sum(axis=1, keepdims=True)
        own = counts[labelled] / counts[labelled].sum(axis=1, keepdims=True)
        return cls(name, people.scale, own, shares, sample, judges.strata, asked, (without,) if lacking else ())

    @property
    def units(self) -> str:
        return "items" if self.sample.cluster is None else "clusters"

    @property
    def different(self) -> int:
        """On how many items people and the judge differ."""
        return int((np.abs(self.own - self.said[self.sample.labelled]).max(axis=1) > _NEAR).sum())

    @property
    def rarest(self) -> int:
        """How many labels by people the class has that has fewest, of those that occur."""
        labels = self.own.sum(axis=0)
        return int(labels[labels > 0].min())

    def lines(self) -> list[CorrectedLine]:
        """The mean label, where classes have an order, and the share of each class."""
        kinds, code = np.unique(self.said, axis=0, return_inverse=True)
        halves = self.sample.halves(self.own, code.ravel(), lambda codes: kinds[codes])
        values = np.array(self.scale.values)
        wanted: list[tuple[str, Floats, Range]] = []
        if self.scale.kind != "nominal":
            wanted.append((MEAN_LABEL, values, (float(values[0]), float(values[-1]))))
        classes = np.eye(len(values))
        wanted += [(f"{SHARE_OF}{label}", classes[place], (0.0, 1.0)) for place, label in enumerate(self.scale.labels)]
        return [
            CorrectedLine(what, None, self.name, "", corrected_or_not(halves, _mean_of(worth), ends, self.asked))
            for what, worth, ends in wanted
        ]


def _mean_of(worth: Floats) -> OfSums:
    """The mean of what classes are worth (C,), from sums of their shares (..., C)."""
    return lambda sums: np.asarray((sums @ worth) / sums.sum(axis=-1))
