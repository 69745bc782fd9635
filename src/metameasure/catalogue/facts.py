"""What may be declared of a measure besides its formula: what it reads, the ends of its range, when it is undefined."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, ClassVar, Literal, Self

from metameasure.catalogue.arrays import Array, Batch, anywhere, constant_of, sharing
from metameasure.catalogue.questions import OTHERS
from metameasure.catalogue.sources import Citation
from metameasure.core.errors import UsageError, by_others, did_you_mean
from metameasure.core.messages import say
from metameasure.core.scale import KINDS, Kind

# What a formula may ask for by keyword besides what its parameter provides.
FROM_SCALE = frozenset({"values", "class_distance"})
DISTANCES = frozenset({"distance", "symmetric_distance"})
_ARRAYS = FROM_SCALE | DISTANCES


class Reads(str):  # noqa: SLOT000 - there is one of each
    """What of the evidence a measure reads. It is equal to its text, ``Reads.COUNTS == "counts"``, and there is one of each text.
    A new task may declare its own: ``Reads("numbers", ("predicted", "gold"), "regression")``."""

    known: ClassVar[dict[str, Reads]] = {}
    arrays: tuple[str, ...]
    """The arrays that a formula is given, in their order."""
    case_axes: int
    """How many axes one case has in each of them, behind those of the batch."""
    class_axes: int
    """How many of these axes, the last ones, are classes (by default as many as another of the task has that is of as many axes);
    where none is, they are items, NaN where there is none."""
    task: str
    """The task whose measures read it."""
    columns: tuple[str, ...]
    """The columns of a run one of which it takes besides labels or ranks."""

    COUNTS: ClassVar[Reads]
    COUNTS_BY_RANK: ClassVar[Reads]
    COUNTS_BY_CONFIDENCE: ClassVar[Reads]
    WEIGHTS_BY_RANK: ClassVar[Reads]
    WEIGHTS_BY_CONFIDENCE: ClassVar[Reads]
    DISTRIBUTIONS: ClassVar[Reads]
    RANKS: ClassVar[Reads]
    PREDICTED_SCORES: ClassVar[Reads]
    GOLD_SCORES: ClassVar[Reads]
    GRADES: ClassVar[Reads]
    JUDGEMENTS: ClassVar[Reads]
    SYSTEMS: ClassVar[Reads]
    CONFIDENCE_ORDER: ClassVar[Reads]
    BELIEF_ORDER: ClassVar[Reads]
    RATINGS: ClassVar[Reads]
    PERSONS: ClassVar[Reads]
    PREDICTIONS: ClassVar[Reads]
    OUTCOMES: ClassVar[Reads]
    SAMPLES: ClassVar[Reads]
    REPEATS: ClassVar[Reads]
    PROBABILITIES: ClassVar[Reads]
    SETS: ClassVar[Reads]

    def __new__(
        cls,
        text: str,
        arrays: tuple[str, ...],
        task: str,
        columns: tuple[str, ...] = (),
        case_axes: int | None = None,
        class_axes: int | None = None,
    ) -> Self:
        """One more kind, as the table below declares it."""
        one = super().__new__(cls, text)
        one.arrays, one.task, one.columns = arrays, task, columns
        tables = arrays[0] == "counts"
        one.case_axes = case_axes or (2 if tables else 1)
        alike = (other for other in cls.known.values() if (other.task, other.case_axes) == (task, one.case_axes))
        usual = 2 if tables else next((other.class_axes for other in alike), 0)
        one.class_axes = usual if class_axes is None else class_axes
        cls.known[text] = one
        return one

    def __reduce__(self) -> tuple[object, ...]:
        return Reads.of, (str(self),)

    @classmethod
    def of(cls, text: str) -> Reads:
        """The one with that text."""
        if text not in cls.known:
            hint = did_you_mean(text, cls.known) or f"choose {', '.join(cls.known)}"
            raise UsageError(f"measures cannot read '{text}'", hint=hint)
        return cls.known[text]

    @property
    def value(self) -> str:
        """Its text, and nothing else."""
        return str(self)

    @property
    def kind(self) -> str:
        """What it is without what stands behind the ``@``: counts, distributions, ranks, an order, ..."""
        return self.partition("@")[0]

    @property
    def of_classes(self) -> bool:
        """Whether the last axes are classes."""
        return self.class_axes > 0


Reads.COUNTS = Reads("counts", ("counts",), "classification")
Reads.COUNTS_BY_RANK = Reads("counts@rank", ("counts",), "entailment", ("confidence", "rank"))
Reads.COUNTS_BY_CONFIDENCE = Reads("counts@confidence", ("counts",), "entailment", ("confidence",))
Reads.WEIGHTS_BY_RANK = Reads("weights@rank", ("counts", "squares"), "entailment", ("confidence", "rank"))
Reads.WEIGHTS_BY_CONFIDENCE = Reads("weights@confidence", ("counts", "squares"), "entailment", ("confidence",))
Reads.DISTRIBUTIONS = Reads("distributions", ("predicted", "gold"), "quantification", class_axes=1)
Reads.RANKS = Reads("ranks", ("predicted", "gold"), "ranking")
Reads.PREDICTED_SCORES = Reads("ranks@scores", ("predicted", "gold"), "ranking")
Reads.GOLD_SCORES = Reads("ranks@gold_scores", ("predicted", "gold"), "ranking")
Reads.GRADES = Reads("ranks@grades", ("predicted", "gold"), "ranking")
Reads.JUDGEMENTS = Reads("ranks@judgements", ("predicted", "gold"), "ranking")
Reads.SYSTEMS = Reads("systems", ("predicted", "gold"), "ranking", case_axes=2)
Reads.CONFIDENCE_ORDER = Reads("order@confidence", ("ranks", "counts"), "entailment", ("confidence", "rank"))
Reads.BELIEF_ORDER = Reads("order@score", ("ranks", "counts"), "entailment", ("score", "score_rank"))
Reads.RATINGS = Reads("ratings", ("ratings",), "agreement", case_axes=2, class_axes=1)
Reads.PERSONS = Reads("persons", ("persons",), "agreement", case_axes=3, class_axes=1)
Reads.PREDICTIONS = Reads("persons@predicted", ("predicted", "persons"), "agreement", case_axes=3, class_axes=1)
Reads.OUTCOMES = Reads("outcomes", ("scores",), "outcomes")
Reads.SAMPLES = Reads("samples", ("passed", "samples"), "outcomes")
Reads.REPEATS = Reads("repeats", ("lowest", "highest", "alike", "outputs"), "outcomes")
Reads.PROBABILITIES = Reads("probabilities", ("predicted", "gold"), "probabilities", case_axes=2, class_axes=1)
Reads.SETS = Reads("sets", ("predicted", "gold"), "multilabel", case_axes=2, class_axes=1)


@dataclass(frozen=True)
class Bound:
    """An end of a measure's range that depends on the number of classes (or items) or on the span of their values."""

    text: str
    at: Callable[[int, float], float]

    def __str__(self) -> str:
        return self.text


SPAN = Bound("largest distance", lambda classes, span: span)
SPAN_SQUARED = Bound("largest distance squared", lambda classes, span: span**2)
STEPS = Bound("C - 1", lambda classes, span: classes - 1.0)
LOG2_CLASSES = Bound("log2 C", lambda classes, span: math.log2(classes))


@dataclass(frozen=True)
class Coverage:
    """Where 95% intervals of a measure cover less often than they should, and how often they do."""

    where: str
    low: float
    high: float
    fewest: int | None = None
    """Only where the rarest class has fewer items than these; None: wherever the measure is shown."""


@dataclass(frozen=True)
class Undefined:
    """A case in which a measure has no value: the reason in words, and the formula that recognises it. Where gold alone decides
    (``of_gold``), no output of all items brings it about or avoids it."""

    reason: str
    when: Callable[..., Array]
    of_gold: bool = False


@dataclass(frozen=True)
class Excess:
    """What chance adds to a measure on average, by a formula of the same arrays, and the measure that is without it. Tests and
    intervals are for that one."""

    function: Callable[..., Array]
    corrected: str


@dataclass(frozen=True)
class Shares:
    """That a measure's values for all its parameters are parts of a whole, which are drawn side by side: what is shared out, and
    what a part is called, with ``{}`` for the parameter."""

    of: str
    part: str


Role = Literal["primary", "secondary"]
# What data may be like, as far as a recommendation depends on it: several runs always give the same class; no distances between
# the classes may be assumed; there are two classes; runs say how sure they are; gold has grades of relevance; humans tie items.
Trait = Literal["constant_runs", "no_distances", "two_classes", "confidence", "grades", "human_ties"]


@dataclass(frozen=True)
class Recommendation:
    """That a publication recommends the measure for a task, and why: the words go on from "it ...".

    It is for data that have the traits in ``where`` and none of those in ``unless``, with classes of one of the ``scales``. Where
    several publications recommend several primary measures and the data do not decide, the one with the lowest ``turn`` is taken.
    """

    task: str
    role: Role
    why: str
    source: Citation
    scales: tuple[Kind, ...] = KINDS
    where: tuple[Trait, ...] = ()
    unless: tuple[Trait, ...] = ()
    turn: int = 1

    def fits(self, task: str, kind: Kind | None, traits: Collection[str]) -> bool:
        """Whether it is for such data; classes of no kind are all the same to it."""
        return (
            self.task == task
            and (kind is None or kind in self.scales)
            and all(trait in traits for trait in self.where)
            and not any(trait in traits for trait in self.unless)
        )


ORDERED: tuple[Kind, ...] = ("ordinal", "interval")
WORTH = "worth of an answer"


@dataclass(frozen=True)
class GoldTable:
    """What a measure makes of gold alone: what an answer is worth, for each gold class and predicted class, from gold's class
    sizes (..., C). The measure is the worth of all answers over that of a perfect output."""

    title: str
    function: Callable[..., Array]


@dataclass(frozen=True)
class Example:
    """One small case to show a measure on: in words, as arrays, and its classes where there are any."""

    text: str
    arrays: tuple[Any, ...]
    classes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inputs:
    """What a measure's formula is given, in words, and which cases can be scored at all."""

    reads: Reads
    shape: str
    notation: str
    unusable: Undefined
    example: Example
    asks: str = OTHERS
    """What measures of it are asked, unless they say so themselves."""
    of_nothing: bool = False
    """Whether an output of nothing at all is a case like any other."""
    first_is_special: bool = False
    """Whether the first class is not a class like the others."""
    cases: Callable[[int], tuple[Any, ...]] | None = None
    """A batch of arrays to try its measures on (``measures --check``), with cases of so many items or classes; no case is empty.
    Inputs of a new task need it, unless they are two arrays of items, predicted and gold."""
    perfect: Callable[..., tuple[Any, ...]] | None = None
    """The same arrays where the output is all right; left out, gold's, which is the last, stands for each of them."""

    def __post_init__(self) -> None:
        """The text of what is read does as well."""
        object.__setattr__(self, "reads", Reads.of(self.reads))

    def __hash__(self) -> int:
        return hash(self.reads)

    @property
    def arrays(self) -> tuple[str, ...]:
        """The names of the arrays."""
        return self.reads.arrays

    def size(self, batch: Batch) -> int:
        """The number of classes, or of items, of the cases; UsageError where their shape makes no sense."""
        shape = batch.arrays[0].shape[-max(1, self.reads.class_axes) :]
        if not shape or not shape[0] or shape[0] != shape[-1]:
            raise UsageError(f"the last axes have shape {tuple(batch.arrays[0].shape[1:])}", hint=f"pass {self.shape}")
        return int(shape[0])


class CalledElsewhere:
    """What has names in other programs: by program (``like``), and the settings with which it is what they compute
    (``like_at``)."""

    template: str
    aliases: tuple[str, ...]
    spellings: Mapping[str, str]
    like: Mapping[str, str | tuple[str, ...]]
    like_at: str

    @property
    def other_names(self) -> tuple[str, ...]:
        """What else it goes by."""
        spelled = (f"{name} ({self.template.partition('@')[0]}@{settings})" for name, settings in self.spellings.items())
        return (*self.aliases, *spelled, *(f"{call} in {program}" for program in self.like for call in self.called_in(program)))

    def called_in(self, program: str) -> tuple[str, ...]:
        """What another program calls it."""
        names = self.like.get(program, ())
        return (names,) if isinstance(names, str) else names

    @property
    def as_elsewhere(self) -> Self:
        """As other programs compute it under the names that it has there."""
        own: Any = self
        return own.at(self.like_at) if self.like_at else own  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Reduction:
    """How a case's arrays are reduced to its evidence before the formula sees them. Evidence that ``adds`` is one array: that of
    several cases, summed, is the evidence of all of them together. Measures with the same reduction share it. ``names`` are those
    of the numbers; empty where the number of classes decides how many there are."""

    names: tuple[str, ...]
    function: Callable[..., tuple[Array, ...]]
    adds: bool = False
    persons: Literal["", "sizes", "complete"] = ""
    """What is known of the evidence of persons, so that leaving one out need not begin anew. "sizes": it is what numbers of
    ratings in each class add, whoever gave them, and behind that how many each annotator has in each class. "complete": only
    items that all annotators have rated add anything."""


Evidence = Reduction  # the name that it had, which plugins import


class Reduced:
    """One block of cases on its way to several formulas: whatever they share is computed once."""

    def __init__(self, block: tuple[Array, ...]) -> None:
        self.block = block
        self._evidence: dict[Any, tuple[Array, ...]] = {}
        self._unusable: dict[int, Array | None] = {}  # by which Undefined it is
        self._weighed: dict[Any, Reduced] = {}

    def evidence(self, kind: Reduction | None, settings: Mapping[str, Any]) -> tuple[Array, ...]:
        """What the formula is given: the evidence, or the arrays themselves where there is none to make."""
        if kind is None:
            return self.block
        key = (kind, *sorted(_chosen(kind.function, settings).items()))
        if key not in self._evidence:
            self._evidence[key] = call_formula(kind.function, self.block, settings)
        return self._evidence[key]

    def weighed(self, how: Callable[[tuple[Array, ...]], tuple[Array, ...]], kind: Any) -> Reduced:
        """The cases weighed in some way, once for all formulas that read them so."""
        if kind not in self._weighed:
            self._weighed[kind] = Reduced(how(self.block))
        return self._weighed[kind]

    def unusable(self, inputs: Inputs) -> Array | None:
        """Which cases cannot be scored at all; None where all can."""
        case = id(inputs.unusable)
        if case not in self._unusable:
            found = inputs.unusable.when(*self.block)
            self._unusable[case] = found if anywhere(found) else None
        return self._unusable[case]


def distance_table(distance: Any) -> Any:
    """Distances as an array; UsageError where they are no table of numbers, as the name of a file is not."""
    import numpy as np  # noqa: PLC0415 - only for measures that take distances

    try:
        return np.asarray(distance, dtype=float)
    except (TypeError, ValueError) as error:
        hint = "pass them as a table of numbers, a row for each class; only the command line reads them from a file"
        raise UsageError(f"the distances are {type(distance).__name__}, not a table of numbers", hint=hint) from error


def checked_distance(id: str, distance: Any, classes: int, *, symmetric: bool) -> list[list[float]]:
    """The distances as a C x C table of finite numbers, 0 on the diagonal; UsageError where they are not."""
    import numpy as np  # noqa: PLC0415 - only for measures that take distances

    if distance is None:
        raise UsageError(f"{id} needs distances between the classes", hint=say("give them as a C x C table: {--distance FILE}"))
    table = distance_table(distance)
    if table.shape != (classes, classes):
        raise UsageError(f"the distances have shape {table.shape} for {classes} classes", hint=f"pass {classes} x {classes}")
    faults = {
        "are not all finite": ~np.isfinite(table),
        "are negative in places": table < 0,
        "are not 0 from each class to itself": np.diag(np.diag(table) != 0),
        "differ by direction": (table != table.T) if symmetric else np.zeros_like(table, bool),
    }
    for fault, where in faults.items():
        if where.any():
            row, column = np.argwhere(where)[0] + 1
            raise UsageError(
                say(
                    "{measure}: the distances {fault} (row {row}, column {column})",
                    measure=id,
                    fault=fault,
                    row=row,
                    column=column,
                )
            )
    return table.tolist()  # type: ignore[no-any-return]


@lru_cache(maxsize=1024)
def asked_for(function: Callable[..., Any]) -> frozenset[str]:
    """The names of a function's keyword-only arguments."""
    code = function.__code__
    return frozenset(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])


def call_formula(function: Callable[..., Any], block: tuple[Array, ...], settings: Mapping[str, Any]) -> Any:
    if function.__module__.startswith("metameasure."):
        return function(*block, **_chosen_arrays(function, block, settings))
    where, hint = f"the formula {function.__qualname__} of a plugin", say("mend it: {metameasure measures --check} tries it out")
    with by_others(where, hint), sharing(off=True):  # it may write into what it is given
        return function(*block, **_chosen_arrays(function, block, settings))


def _chosen_arrays(function: Callable[..., Any], block: tuple[Array, ...], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the function asks for, numbers of classes as arrays."""
    chosen = _chosen(function, settings)
    for name in chosen.keys() & _ARRAYS:
        chosen[name] = constant_of(chosen[name], like=block[0])
    return chosen


def _chosen(function: Callable[..., Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the function asks for, from the settings or else its own defaults."""
    defaults = function.__kwdefaults__ or {}
    return {name: settings[name] if name in settings else defaults[name] for name in asked_for(function)}


def either(*conditions: Array) -> Array:
    """True where any of the conditions is."""
    return reduce(operator.or_, conditions)
