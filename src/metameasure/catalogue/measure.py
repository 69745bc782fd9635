"""What a measure is: a formula on arrays, and everything that is known about it, declared in one place.

    @measure(id="accuracy", title="Accuracy", better="higher", formula="Σ_g c_gg / N", source="Everybody (1900). Always.")
    def accuracy(counts):
        return ...

Everything else that may be declared has a default. The formula gets floating arrays with one leading batch axis and returns one
number a case. By keyword-only arguments it asks for what else it needs: ``values`` (C,), the class values; ``distance`` or
``symmetric_distance`` (C, C), the user's, or ``class_distance``, the user's or else those between the values; and what its
parameter provides (``n``, ``chosen``, ...). A measure that declares ``evidence`` gets that instead of the arrays. Types, batch
axes, memory layout and NaN are dealt with here.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from metameasure.catalogue.arrays import Array, Batch, leaves, namespace, sharing
from metameasure.catalogue.classification.tables import TABLES, balanced
from metameasure.catalogue.declaring import check_declaration, good_end, settled_facts, symbol_of
from metameasure.catalogue.facts import (
    DISTANCES,
    Bound,
    CalledElsewhere,
    Coverage,
    Excess,
    GoldTable,
    Inputs,
    Reads,
    Recommendation,
    Reduced,
    Reduction,
    Shares,
    Undefined,
    asked_for,
    call_formula,
    checked_distance,
)
from metameasure.catalogue.parameters import Options, Parameter
from metameasure.catalogue.sources import Citation, sources
from metameasure.core.choices import Better
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.core.scale import KINDS, Classes, Kind, Scale
from metameasure.core.values import number_of

# What is foreign is known by its scores only, and has no formula here (catalogue/foreign.py).
MeasureKind = Literal["score", "description", "foreign"]
# The expected score of labels given at random: the score of the expected counts, because with gold fixed the measure is linear
# in the counts; or 0, because it is 0 on average over all ways to deal out the same labels.
Chance = Literal["linear", "zero"]
# What an undefined score may count as: 0, the worse end of the measure's range, or what chance gives.
StandIn = Literal["zero", "worst", "chance"]
# Why a measure has no chance level that is a number, by what it declares.
_NO_CHANCE: dict[Chance | None, str] = {
    "zero": "",
    "linear": "what chance gives by {} is no fixed number: it depends on gold and on how often each label is given",
    None: "{} declares no chance level",
}
# What items that a prediction ties score: the mean over all ways to break the tie; as if all were in the tie's last place; or the
# tie is an answer like any other, as it is to Kendall's tau.
Ties = Literal["expected", "worst", "answer"]

Range = tuple[float | Bound, float | Bound]
_GOOD_END: Final = "the good end of the range"
_TAKEN = DISTANCES | {"class_distance"}  # what distances that the user brings are given to a formula as

# A result this far outside its range, relative to the range's end, is rounding and is put back; more is a wrong formula.
_ROUNDING = {"float64": 1e-9, "float32": 1e-4}


@dataclass(frozen=True)
class NormalInterval:
    """That a measure's interval over items is not the middle share of its draws but its value plus and minus z times the standard
    deviation of another measure over the draws, cut at the least that can be true."""

    deviation_of: Measure
    least: float
    fewest: float = 0
    """Below so many items a cell of the table, counting labels that occur, the interval is too short."""


@dataclass(frozen=True)
class Measure(CalledElsewhere):
    """A measure, with its parameter filled in or (as found in the registry) still open."""

    template: str
    _: KW_ONLY
    title: str
    notation: str
    tasks: tuple[str, ...]
    better: Better | None
    range: Range
    perfect: float | None
    scale: Kind
    formula: str
    source: tuple[Citation, ...]
    inputs: Inputs
    function: Callable[..., Array]
    use: str = ""
    asks: str = field(default="", compare=False)
    """What it is asked, by which the list of all measures is grouped; left out, what measures of its inputs are."""
    undefined: tuple[Undefined, ...] = ()
    evidence: Reduction | None = None
    aliases: tuple[str, ...] = ()
    called: str = field(default="", compare=False)  # the alias that somebody typed, which tables keep
    spellings: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Names of other programs that say settings too, and the settings they say: ``{"ndcg_cut_K": "K:gain=linear"}``. K is any
    whole number, X any number."""
    like: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict, compare=False)
    """What other programs call it, by program: ``{"sklearn": "f1_score(average='macro')"}``; one name, or several."""
    like_at: str = ""
    note: str = ""
    kind: MeasureKind = "score"
    proportional: bool = True
    ties: Ties = "expected"
    chance: Chance | None = None
    headline: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Its place among the measures shown unless others are asked for, by task; by ``task@parameter`` with that parameter. What is
    no task is a set that can be asked for by its name: ``--measures trec_eval``."""
    added_up: bool = False  # its values on several topics are added up, as numbers of things are, and not averaged
    of_logs: bool = False  # its values are logarithms, whose mean over topics is shown as a geometric mean
    of_all: bool = False  # of all segments together, with no value on one of them
    cautions: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What whoever reads its scores must be told, by task."""
    limits: Mapping[str, Coverage] = field(default_factory=dict, compare=False)
    """What whoever reads its intervals must be told, by the method behind them (``validity.METHODS``)."""
    on_ranks: str = field(default="", compare=False)
    """What whoever reads its scores must be told where the ranks of classes stand for their values."""
    companions: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The measure that must stand beside it, by task; with the same parameter."""
    recommended: tuple[Recommendation, ...] = field(default=(), compare=False)
    """Who recommends it, for what."""
    excess: Excess | None = field(default=None, compare=False)
    interval: NormalInterval | None = field(default=None, compare=False)
    on_gold: GoldTable | None = None
    shares: Shares | None = None
    parameter: Parameter | None = None
    facts_at: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    linearised: Callable[..., Any] | None = None
    """What each unit of a case adds to it, linearised. Of a coefficient of agreement (units,), for Gwet's variance; of a measure
    of items that is no mean of theirs (..., items), numbers whose mean is its value, for intervals and tests over items."""
    passes_perfect: bool = False
    """Whether it is an estimate that by chance may be better than what a perfect output has."""
    argument: Any = None
    balances: bool = False
    """Whether the classes of gold weigh the same: the formula then reads tables that are balanced."""

    @property
    def base(self) -> str:
        """The id up to the ``@``."""
        return self.template.partition("@")[0]

    @property
    def id(self) -> str:
        """The name that parses to this measure."""
        if self.argument is None or self.parameter is None:
            return self.template
        return f"{self.base}@{self.parameter.print(self.argument)}"

    def __hash__(self) -> int:
        return hash((self.template, self.argument))

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<measure {self.id}>"

    @property
    def question(self) -> str:
        """What it is asked."""
        return self.asks or self.inputs.asks

    @property
    def module(self) -> str:
        """The module of the file that declares it."""
        return self.function.__module__

    @property
    def open(self) -> bool:
        """Whether a required parameter is still missing."""
        return self.parameter is not None and self.parameter.required and self.argument is None

    @property
    def reads(self) -> Reads:
        """What of the evidence it is computed from."""
        reads = self.inputs.reads
        return reads if self.parameter is None else self.parameter.reads(self.argument, reads)

    def as_read(self, tables: Any, items: Any) -> Any:
        """Weighted tables (..., C, C) as this measure reads them: one that counts items gets them scaled to so many items."""
        if self.proportional:
            return tables
        total = tables.sum(axis=(-2, -1))
        return tables * (items / (total + (total == 0)))[..., None, None]

    def balanced(self) -> Measure:
        """The measure on tables whose gold classes weigh the same; itself where it reads no counts of labels."""
        if self.reads is not Reads.COUNTS or self.balances:
            return self
        interval = self.interval and replace(self.interval, deviation_of=self.interval.deviation_of.balanced())
        return replace(self, balances=True, interval=interval)

    def as_weighed(self, block: tuple[Array, ...]) -> tuple[Array, ...]:
        """The arrays as the formula reads them: with balanced classes, where that is asked for."""
        return tuple(balanced(counts, as_items=not self.proportional) for counts in block) if self.balances else block

    @property
    def resampled(self) -> Measure:
        """The measure that is drawn for its intervals over items: itself, unless it declares another."""
        return self if self.interval is None else self.interval.deviation_of

    @property
    def without_excess(self) -> str:
        """The measure that is without what chance adds to this one, with the same parameter; empty where chance adds nothing."""
        if self.excess is None or self.argument is None or self.parameter is None:
            return "" if self.excess is None else self.excess.corrected
        name, _, variant = self.excess.corrected.partition("@")
        return f"{name}@{self.parameter.print(self.argument)}{f':{variant}' if variant else ''}"

    @property
    def needs_distance(self) -> bool:
        """Whether the user has to bring distances between classes."""
        return bool(asked_for(self.function) & DISTANCES)

    @property
    def takes_distance(self) -> bool:
        """Whether distances that the user brings change its value."""
        return bool(asked_for(self.function) & _TAKEN)

    def at(self, text: str) -> Measure:
        """The measure with the parameter that the text stands for: ``accuracy@n`` at ``1`` is ``accuracy@1``."""
        if self.parameter is None:
            raise UsageError(f"{self.base} takes no parameter", hint=f"write '{self.base}'")
        try:
            argument = self.parameter.parse(text)
        except UsageError as error:
            raise UsageError(f"{self.base}@{text}: {error.message}", hint=error.hint or f"it is {self.template}") from None
        return self.with_argument(argument)

    def with_argument(self, argument: Any) -> Measure:
        """The measure with its parameter filled in, and with what is then no longer so (``facts_at`` of the settings)."""
        if argument is None or self.facts_at is None or self.parameter is None:
            return replace(self, argument=argument)
        return replace(self, argument=argument, **self.facts_at(self.parameter.settings(argument, None)))

    def with_options(self, **values: Any) -> Measure:
        """The measure with these named options of its parameter, beside those that it has already."""
        if not isinstance(self.parameter, Options):
            raise UsageError(f"{self.base} takes no options", hint=f"write '{self.base}'")
        return self.with_argument(self.parameter.argument_of(dict(self.argument or ()) | values))

    @property
    def symbol(self) -> str:
        """How papers write it, with the parameter in it."""
        if self.parameter is None:
            return self.notation
        suffix = self.id.partition("@")[2]
        if not self.parameter.required:
            suffix = f"@{suffix}" if suffix else ""
        return self.notation.replace("{}", suffix) if "{}" in self.notation else self.notation + suffix

    def __call__(self, *arrays: Array, classes: Classes | None = None, distance: Any = None) -> Array:
        """The measure's value for each case: NaN where it is undefined or the case cannot be scored.

        ``classes`` are needed for class values and class names; ``distance`` where the measure weighs by the user's own.
        """
        return score_together([self], *arrays, classes=classes, distance=distance)[0]

    def evidence_of(self, *arrays: Array, classes: Classes | None = None) -> Array:
        """The evidence of each case, which adds: summed over cases, ``of_evidence`` scores them as one."""
        adding = self._adding()
        batch, scale = self._open_batch(arrays, classes)
        settings = self._settings(scale, self.inputs.size(batch), None)

        def reduce(*block: Array) -> Array:
            xp = namespace(*block)
            return xp.where(self.inputs.unusable.when(*block)[:, None], xp.nan, call_formula(adding.function, block, settings)[0])

        return batch.map(reduce)

    def of_evidence(self, evidence: Array, classes: Classes | None = None) -> Array:
        """The measure's value for evidence from ``evidence_of``, or for sums of it (the micro average)."""
        names = self._adding().names
        shape = tuple(Batch.of((evidence,), 1).arrays[0].shape[1:])
        if names and shape != (len(names),):
            raise UsageError(f"evidence of shape {shape}", hint=f"pass (..., {len(names)}): {', '.join(names)}")
        return self.of_reduced(evidence, classes=classes)

    def of_reduced(self, *evidence: Array, classes: Classes | None = None) -> Array:
        """The measure's value for cases that are evidence already, with one axis each."""
        scale = None if classes is None else Scale.of(classes)
        size = 1 if scale is None else len(scale)
        settings = self._settings(scale, size, None)

        def score(*block: Array) -> Array:
            value = self._one_a_case(call_formula(self.function, block, settings), block[0].shape[0])
            return self._in_range(value, self.bounds(scale, size))

        return Batch.of(evidence, 1).map(score)

    def linearised_at(self, array: Any, scale: Scale, distance: Any = None) -> Any:
        """What each unit of one case adds to a coefficient of agreement, linearised (units,). UsageError where there is no such
        formula."""
        if self.linearised is None:
            raise UsageError(f"there is no variance of {self.id} by Gwet's method", hint=say("choose {--interval bootstrap}"))
        return call_formula(self.linearised, (array,), self._settings(scale, len(scale), distance))

    @property
    def is_of_single_items(self) -> bool:
        """Whether each item has a number of its own whose mean is the value: its score, or what it adds, linearised."""
        return self.chance == "linear" or self.linearised is not None

    def of_each_item(self, *arrays: Array, classes: Classes | None = None) -> Array:
        """These numbers (..., items); NaN where an item is not there. Items are the first axis of a case."""
        axes = self.inputs.reads.case_axes
        if self.linearised is None:
            xp = namespace(*arrays)
            return self(*(xp.expand_dims(array, axis=-axes) for array in arrays), classes=classes)
        linearised = self.linearised
        batch, scale = self._open_batch(arrays, classes)
        settings = self._settings(scale, self.inputs.size(batch), None)
        return batch.map(lambda *block: call_formula(linearised, block, settings))

    def _adding(self) -> Reduction:
        if self.evidence is None or not self.evidence.adds:
            raise UsageError(f"{self.id} has no evidence that adds", hint="take the mean of its scores")
        return self.evidence

    def _formula(self, scale: Scale | None, size: int, distance: Any) -> Callable[[Reduced], Array]:
        settings = self._settings(scale, size, distance)
        bounds = self.bounds(scale, size)

        def formula(cases: Reduced) -> Array:
            read = cases.weighed(self.as_weighed, self.proportional) if self.balances else cases
            raw_values = call_formula(self.function, read.evidence(self.evidence, settings), settings)
            value = self._in_range(self._one_a_case(raw_values, cases.block[0].shape[0]), bounds)
            unusable = cases.unusable(self.inputs)
            return value if unusable is None else namespace(*cases.block).where(unusable, math.nan, value)

        return formula

    def _one_a_case(self, value: Array, cases: int) -> Array:
        """The formula's result; UsageError where it is not one number a case, which would be spread over all of them."""
        shape = tuple(getattr(value, "shape", ()))
        if shape == (cases,):
            return value
        axes = tuple(range(-self.inputs.reads.case_axes, 0)) if self.evidence is None else (-1,)
        raise UsageError(
            f"the formula of {self.id} gives {f'an array of shape {shape}' if shape else 'one number'} for {cases} "
            f"case{'s' if cases != 1 else ''}, not an array of shape ({cases},)",
            hint=f"sum over the axes of one case only, axis={axes if len(axes) > 1 else -1}: the first axis is the batch",
        )

    def _in_range(self, value: Array, bounds: tuple[float, float]) -> Array:
        low, high = bounds
        if leaves(value, low, high):
            xp = namespace(value)
            slack = _ROUNDING["float32" if value.dtype == xp.float32 else "float64"]
            if not math.isinf(low):
                value = xp.where((value < low) & (value >= low - slack * max(1.0, abs(low))), low, value)
            if not math.isinf(high):
                value = xp.where((value > high) & (value <= high + slack * max(1.0, abs(high))), high, value)
        return value + 0.0  # no negative zero

    def why_undefined(self, *arrays: Array, classes: Classes | None = None, distance: Any = None) -> dict[str, Array]:
        """For each documented reason, the cases that are undefined for it."""
        batch, scale = self._open_batch(arrays, classes)
        settings = self._settings(scale, self.inputs.size(batch), distance)

        def reasons(*block: Array) -> list[Array]:
            evidence = Reduced(self.as_weighed(block)).evidence(self.evidence, settings)
            return [self.inputs.unusable.when(*block), *(call_formula(case.when, evidence, settings) for case in self.undefined)]

        return dict(zip((case.reason for case in (self.inputs.unusable, *self.undefined)), batch.map_each(reasons), strict=True))

    @property
    def undefined_by_output(self) -> bool:
        """Whether an output of all items can be undefined where another one is not."""
        return any(not case.of_gold for case in self.undefined)

    def in_place_of_undefined(self, choice: StandIn, scale: Scale | None) -> float:
        """What an undefined score counts as: 0, the worse end of the range, or the chance level. UsageError where that is no
        number, or where 0 is the best score."""
        if choice == "zero":
            value, why = 0.0, "0 is the best score of {}" if self.better == "lower" else ""
        elif choice == "chance":
            value, why = 0.0, _NO_CHANCE[self.chance]
        else:
            value, why = self._worse_end(scale)
        if why:
            raise UsageError(why.format(self.id), hint=say("leave out {--undefined <choice>}, or the measure", choice=choice))
        return value

    def _worse_end(self, scale: Scale | None) -> tuple[float, str]:
        """The worse end of the range, and why there is none."""
        if self.better is None:
            return math.nan, "{} describes, and no end of its range is worse"
        end = self.range[self.better == "lower"]
        if isinstance(end, Bound) and scale is None:
            return math.nan, f"the worse end of the range of {{}}, {end}, is not the same everywhere"
        value = self.bounds(scale, len(scale) if scale else 1)[self.better == "lower"]
        return value, "the worse end of the range of {} is infinite" if math.isinf(value) else ""

    def known_range(self, scale: Scale | None) -> tuple[float, float]:
        """The range as far as it is known: an end that depends on classes is infinite where there are none."""
        if scale is not None:
            return self.bounds(scale, len(scale))
        low, high = self.range
        return -math.inf if isinstance(low, Bound) else float(low), math.inf if isinstance(high, Bound) else float(high)

    def bounds(self, scale: Scale | None, classes: int) -> tuple[float, float]:
        """The range for this many classes (or items) and these class values."""
        span = scale.values[-1] - scale.values[0] if scale else classes - 1.0
        low, high = self.range
        return (
            low.at(classes, span) if isinstance(low, Bound) else float(low),
            high.at(classes, span) if isinstance(high, Bound) else float(high),
        )

    def _open_batch(self, arrays: tuple[Array, ...], classes: Classes | None) -> tuple[Batch, Scale | None]:
        self._check_whole()
        self._check_number(arrays)
        batch = Batch.of(arrays, self.inputs.reads.case_axes)
        scale = None if classes is None else Scale.of(classes)
        if scale is not None:
            self._check_classes(batch, scale)
            self.check_scale(scale)
        return batch, scale

    def _check_beside(self, other: Measure, batch: Batch, scale: Scale | None) -> None:
        """UsageError where it cannot be given the arrays of another measure."""
        self._check_whole()
        if self.inputs is not other.inputs:
            self._check_number(batch.arrays)
            self.inputs.size(batch)
            if scale is not None:
                self._check_classes(batch, scale)
        if scale is not None:
            self.check_scale(scale)

    def _check_whole(self) -> None:
        if self.open:
            raise UsageError(f"{self.template} lacks its {self.template.partition('@')[2]}", hint=f"as in {self.example}")

    def _check_number(self, arrays: tuple[Array, ...]) -> None:
        if len(arrays) != len(self.inputs.arrays):
            raise UsageError(
                f"{self.id} takes {counted(len(self.inputs.arrays), 'array')}, not {len(arrays)}",
                hint=f"pass {', '.join(self.inputs.arrays)}: {self.inputs.shape}",
            )

    def _check_classes(self, batch: Batch, scale: Scale) -> None:
        if not self.inputs.reads.of_classes:
            raise UsageError(f"{self.id} knows no classes", hint="leave classes out")
        count = self.inputs.size(batch)
        if len(scale) != count:
            raise UsageError(f"{len(scale)} classes are declared, but the arrays have {count}", hint=f"pass {self.inputs.shape}")

    def check_scale(self, scale: Scale) -> None:
        """UsageError where the measure assumes an order that the declared classes do not have."""
        if scale.kind == "nominal" and self.scale != "nominal":
            raise UsageError(
                f"{self.id} assumes {self.scale} classes, but they are declared nominal",
                hint="choose a measure for nominal classes, or declare their order",
            )

    def said_of_ranks(self, scale: Scale | None) -> str:
        """What must be said of its scores on such a scale: nothing where classes have values, or are called by their ranks."""
        if not self.on_ranks or scale is None or scale.kind == "interval":
            return ""
        return "" if tuple(map(number_of, scale.labels)) == scale.values else self.on_ranks

    @property
    def example(self) -> Measure:
        """The measure itself, or with a plausible parameter where it lacks one."""
        return self.at(self.parameter.example) if self.open and self.parameter else self

    def _settings(self, scale: Scale | None, classes: int, distance: Any) -> dict[str, Any]:
        settings = {} if self.parameter is None else dict(self.parameter.settings(self.argument, scale))
        if not self.inputs.reads.of_classes:
            return settings
        values = scale.values if scale else tuple(float(rank) for rank in range(1, classes + 1))
        settings["values"] = values
        for name in asked_for(self.function) & _TAKEN:
            if name == "class_distance" and distance is None:
                settings[name] = [[abs(one - other) for other in values] for one in values]
            else:
                settings[name] = checked_distance(self.id, distance, classes, symmetric=name == "symmetric_distance")
        return settings

    def worth(self, gold: Any, scale: Scale) -> Any:
        """What an answer is worth (..., C, C), rows gold, columns predicted, where gold's classes have these sizes (..., C).
        UsageError for a measure that is no sum over items."""
        if self.on_gold is None:
            raise UsageError(f"{self.id} is no sum of what single answers are worth", hint="choose accuracy, recall or CEM")
        import numpy as np  # noqa: PLC0415

        return call_formula(self.on_gold.function, (np.asarray(gold, dtype=float),), self._settings(scale, len(scale), None))

    def source_file(self) -> Path | None:
        """The file that declares it; None where it was typed at a prompt."""
        file = inspect.getsourcefile(inspect.unwrap(self.function))
        return Path(file) if file and Path(file).is_file() else None

    def code_digest(self) -> str:
        """Of what it is computed by: its file or, where it has none, its compiled code."""
        file = self.source_file()
        held = file.read_bytes() if file is not None else inspect.unwrap(self.function).__code__.co_code
        return hashlib.sha256(held).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.kind == "foreign":
            return importlib.import_module(self.module).foreign, (self.id, self.better)
        return _restore, (self.module, self.function.__name__, self.argument, self.balances)


Measures = str | Measure | Sequence[str | Measure]
"""One or more, by their names or themselves."""


def score_together(
    measures: Sequence[Measure], *arrays: Array, classes: Classes | None = None, distance: Any = None
) -> tuple[Array, ...]:
    """Each measure's values, as from calling it; what measures share (evidence, checks) is computed once. They take the same
    arrays."""
    first = measures[0]
    batch, scale = first._open_batch(arrays, classes)  # noqa: SLF001 - the rest of the class below
    size = first.inputs.size(batch)
    formulas = []
    for measure in measures:
        if measure is not first:
            measure._check_beside(first, batch, scale)  # noqa: SLF001
        formulas.append(measure._formula(scale, size, distance))  # noqa: SLF001

    def each(*block: Array) -> list[Array]:
        cases = Reduced(block)
        with sharing():
            return [formula(cases) for formula in formulas]

    return batch.map_each(each)


def _restore(module: str, attribute: str, argument: Any, balances: bool = False) -> Measure:
    declared: Measure = getattr(importlib.import_module(module), attribute)
    found = declared.with_argument(argument)
    return found.balanced() if balances else found


def measure(
    *,
    id: str,
    title: str,
    better: Better | None,
    formula: str,
    source: str | Citation | Iterable[str | Citation],
    symbol: str | None = None,
    inputs: Inputs = TABLES,
    tasks: str | tuple[str, ...] | None = None,
    scale: Kind | None = None,
    range: Range | None = None,
    perfect: float | Literal["the good end of the range"] | None = _GOOD_END,
    kind: MeasureKind | None = None,
    parameter: Parameter | None = None,
    **more: Any,
) -> Callable[[Callable[..., Array]], Measure]:
    """Declare the function below as a measure.

    Unless said otherwise, it is a measure of tables of counts, for nominal classes (of rankings: of their order), from 0 to 1
    if higher is better and otherwise from 0 up, and a perfect output reaches the good end of the range.

    Parameters
    ----------
    id, title : str
        What it is called.
    better : {'higher', 'lower'} or None
        Which values are better; None of a description.
    formula : str
        The formula, in mathematics.
    source : str, Citation or several
        Where it comes from, with the number of the equation.
    symbol : str, optional
        The symbol in tables; a ``{}`` in it is where the parameter goes.
    inputs : Inputs, optional
        What the function is given (default: tables of counts).
    tasks : str or tuple of str, optional
        The tasks that it is for (default: those of its inputs).
    scale : {'nominal', 'ordinal', 'interval'}, optional
        What it assumes of the classes.
    range : tuple, optional
        The least and the greatest value.
    perfect : float, optional
        What a perfect output scores.
    kind : {'score', 'description'}, optional
        Whether it scores outputs or describes the data.
    parameter : Parameter, optional
        What may stand behind its ``@``.
    **more
        The other fields of ``Measure``; of those that may have several values, one will do.

    Returns
    -------
    callable
        A decorator, which makes a ``Measure`` of a function.

    Raises
    ------
    UsageError
        If there is no such fact, or it cannot be what it is.

    Notes
    -----
    The declaration is checked at once. docs/add-a-measure.md makes one from the beginning.

    Examples
    --------
    >>> import metameasure as mm
    >>> @mm.measure(id="error_rate", title="Error rate", better="lower", range=(0, 1), formula="1 - A", source="You (2026)")
    ... def error_rate(counts):
    ...     return 1 - mm.measures["accuracy"].function(counts)
    >>> mm.score([1, 2, 2, 1], [1, 2, 1, 1], error_rate, classes=[1, 2])
    0.25

    """
    if better not in _RANGES:
        raise UsageError(f"measure {id}: better is '{better}'", hint="say 'higher' or 'lower', or None of a description")
    asked = {"inputs": inputs, "tasks": tasks, "scale": scale, "range": range, "kind": kind, "parameter": parameter, **more}
    facts = settled_facts(id, asked, _FACTS, _CHOICES)
    span = facts.setdefault("range", _RANGES[better])

    def declare(function: Callable[..., Array]) -> Measure:
        usual = {
            "tasks": (inputs.reads.task,),
            "scale": "nominal" if inputs.reads.of_classes else "ordinal",
            "kind": "score" if better else "description",
        }
        declared = Measure(
            id,
            title=title,
            better=better,
            formula=formula,
            source=sources(source),
            notation=symbol_of(id, parameter) if symbol is None else symbol,
            perfect=good_end(better, span) if perfect == _GOOD_END else perfect,
            function=function,
            **{**usual, **facts},
        )
        check_declaration(declared)
        return declared

    return declare


_FACTS = frozenset(one.name for one in fields(Measure))
_CHOICES: dict[str, tuple[Any, ...]] = {
    "scale": KINDS,
    "kind": ("score", "description"),
    "ties": get_args(Ties),
    "chance": get_args(Chance),
}
_RANGES: dict[Better | None, Range] = {"higher": (0, 1), "lower": (0, math.inf), None: (-math.inf, math.inf)}
