"""What a measure is: a formula on arrays, and everything that is known about it, declared in one place.

    @measure(id="accuracy", title="Accuracy", symbol="Accuracy", better="higher", range=(0, 1), perfect=1, ...)
    def accuracy(counts):
        return ...

The formula gets floating arrays with one leading batch axis and returns one number a case. By keyword-only arguments it
asks for what else it needs: ``values`` (C,), the class values; ``distance`` or ``symmetric_distance`` (C, C), the user's, or
``class_distance``, the user's or else those between the values; and what its parameter provides (``n``, ``chosen``, ...).
Types, batch axes, memory layout and NaN are dealt with here.
"""

from __future__ import annotations

import importlib
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.batch import Batch
from metameasure.catalogue.facts import DISTANCES, FROM_SCALE, Bound, GoldTable, Inputs, Undefined, asked_for, call_formula
from metameasure.catalogue.parameters import Parameter
from metameasure.catalogue.sources import Source
from metameasure.errors import UsageError
from metameasure.scale import Classes, Kind, Scale

Better = Literal["higher", "lower"]
MeasureKind = Literal["score", "description"]
# The expected score of labels given at random: the score of the expected counts, because with gold fixed the measure is linear
# in the counts; or 0, because it is 0 on average over all ways to deal out the same labels.
Chance = Literal["linear", "zero"]

# A result this far outside its range, relative to the range's end, is rounding and is put back; more is a wrong formula.
_ROUNDING = {"float64": 1e-9, "float32": 1e-4}


@dataclass(frozen=True)
class Measure:
    """A measure, with its parameter filled in or (as found in the registry) still open."""

    template: str
    _: KW_ONLY
    title: str
    notation: str
    tasks: tuple[str, ...]
    better: Better | None
    range: tuple[float | Bound, float | Bound]
    perfect: float | None
    scale: Kind
    formula: str
    use: str
    source: tuple[Source, ...]
    undefined: tuple[Undefined, ...]
    inputs: Inputs
    function: Callable[..., Array]
    aliases: tuple[str, ...] = ()
    note: str = ""
    kind: MeasureKind = "score"
    proportional: bool = True
    chance: Chance | None = None
    headline: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Its place among the measures shown unless others are asked for, by task; by ``task@parameter`` with that parameter."""
    cautions: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What whoever reads its scores must be told, by task."""
    on_gold: GoldTable | None = None
    parameter: Parameter | None = None
    argument: Any = None

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

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<measure {self.id}>"

    @property
    def module(self) -> str:
        """The module of the file that declares it."""
        return self.function.__module__

    @property
    def open(self) -> bool:
        """Whether a required parameter is still missing."""
        return self.parameter is not None and self.parameter.required and self.argument is None

    @property
    def reads(self) -> str:
        """What of the evidence it is computed from."""
        evidence = self.inputs.evidence
        return evidence if self.parameter is None else self.parameter.reads(self.argument, evidence)

    def as_read(self, tables: Any, items: Any) -> Any:
        """Weighted tables (..., C, C) as this measure reads them: one that counts items gets them scaled to so many items."""
        if self.proportional:
            return tables
        total = tables.sum(axis=(-2, -1))
        return tables * (items / (total + (total == 0)))[..., None, None]

    @property
    def needs_distance(self) -> bool:
        """Whether the user has to bring distances between classes."""
        return bool(asked_for(self.function) & DISTANCES)

    @property
    def takes_distance(self) -> bool:
        """Whether distances that the user brings change its value."""
        return bool(asked_for(self.function) & (DISTANCES | {"class_distance"}))

    def at(self, text: str) -> Measure:
        """The measure with the parameter that the text stands for: ``accuracy@n`` at ``1`` is ``accuracy@1``."""
        if self.parameter is None:
            raise UsageError(f"{self.base} takes no parameter", hint=f"write '{self.base}'")
        try:
            argument = self.parameter.parse(text)
        except UsageError as error:
            raise UsageError(f"{self.base}@{text}: {error.message}", hint=error.hint or f"it is {self.template}") from None
        return replace(self, argument=argument)

    @property
    def symbol(self) -> str:
        """How papers write it, with the parameter in it."""
        if self.parameter is None:
            return self.notation
        if self.argument is None:
            return self.notation.replace("{}", self.parameter.placeholder)
        text = self.id.partition("@")[2]
        return self.notation.replace("{}", text) if "{}" in self.notation else f"{self.notation}@{text}"

    def __call__(self, *arrays: Array, classes: Classes | None = None, distance: Any = None) -> Array:
        """The measure's value for each case: NaN where it is undefined or the case cannot be scored.

        ``classes`` are needed for class values and class names; ``distance`` where the measure weighs by the user's own.
        """
        batch, scale = self._open_batch(arrays, classes)
        count = self.inputs.classes(batch)
        settings = self._settings(scale, count, distance)
        low, high = self.bounds(scale, count)

        def formula(*block: Array) -> Array:
            xp = namespace(*block)
            value = call_formula(self.function, block, settings)
            value = _put_back(value, low, operator.lt, xp)
            value = _put_back(value, high, operator.gt, xp)
            return xp.where(self.inputs.unusable.when(*block), xp.nan, value + 0.0)  # + 0.0: no negative zero

        return batch.map(formula)

    def why_undefined(self, *arrays: Array, classes: Classes | None = None, distance: Any = None) -> dict[str, Array]:
        """For each documented reason, the cases that are undefined for it."""
        batch, scale = self._open_batch(arrays, classes)
        settings = self._settings(scale, self.inputs.classes(batch), distance)
        return {
            case.reason: batch.map(lambda *block, case=case: call_formula(case.when, block, settings))
            for case in (self.inputs.unusable, *self.undefined)
        }

    def bounds(self, scale: Scale | None, classes: int) -> tuple[float, float]:
        """The range for this many classes and these class values."""
        span = scale.values[-1] - scale.values[0] if scale else classes - 1.0
        low, high = (end.at(classes, span) if isinstance(end, Bound) else float(end) for end in self.range)
        return low, high

    def _open_batch(self, arrays: tuple[Array, ...], classes: Classes | None) -> tuple[Batch, Scale | None]:
        if self.open:
            raise UsageError(f"{self.template} lacks its {self.template.partition('@')[2]}", hint=f"as in {self.example}")
        if len(arrays) != len(self.inputs.arrays):
            raise UsageError(
                f"{self.id} takes {len(self.inputs.arrays)} array(s), not {len(arrays)}",
                hint=f"pass {', '.join(self.inputs.arrays)}: {self.inputs.shape}",
            )
        batch = Batch.of(arrays, self.inputs.case_axes)
        if classes is None or not self.inputs.of_classes:
            return batch, None
        scale = Scale.of(classes)
        count = self.inputs.classes(batch)
        if len(scale) != count:
            raise UsageError(f"{len(scale)} classes are declared, but the arrays have {count}", hint=f"pass {self.inputs.shape}")
        self.check_scale(scale)
        return batch, scale

    def check_scale(self, scale: Scale) -> None:
        """UsageError where the measure assumes an order that the declared classes do not have."""
        if scale.kind == "nominal" and self.scale != "nominal":
            raise UsageError(
                f"{self.id} assumes {self.scale} classes, but they are declared nominal",
                hint="choose a measure for nominal classes, or declare their order",
            )

    @property
    def example(self) -> Measure:
        """The measure itself, or with a plausible parameter where it lacks one."""
        return self.at(self.parameter.example) if self.open and self.parameter else self

    def _settings(self, scale: Scale | None, classes: int, distance: Any) -> dict[str, Any]:
        settings: dict[str, Any] = {}
        if self.parameter is not None:
            settings |= self.parameter.settings(self.argument, scale)
        values = scale.values if scale else tuple(float(rank) for rank in range(1, classes + 1))
        settings["values"] = values
        if "class_distance" in asked_for(self.function):
            steps = [[abs(one - other) for other in values] for one in values]
            settings["class_distance"] = (
                steps if distance is None else _checked_distance(self.id, distance, classes, symmetric=False)
            )
        for name in asked_for(self.function) & DISTANCES:
            settings[name] = _checked_distance(self.id, distance, classes, symmetric=name == "symmetric_distance")
        return settings

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.module, self.function.__name__, self.argument)


def _restore(module: str, attribute: str, argument: Any) -> Measure:
    declared: Measure = getattr(importlib.import_module(module), attribute)
    return replace(declared, argument=argument)


def measure(*, id: str, symbol: str, **facts: Any) -> Callable[[Callable[..., Array]], Measure]:
    """Declare the function below as a measure. The facts are the fields of ``Measure``; a ``{}`` in the symbol is where
    the parameter goes."""

    def declare(function: Callable[..., Array]) -> Measure:
        declared = Measure(id, notation=symbol, function=function, **facts)
        _check_declaration(declared)
        return declared

    return declare


def _check_declaration(declared: Measure) -> None:
    """Refuse what would only fail later, in front of a user."""
    provided = FROM_SCALE | DISTANCES | (declared.parameter.names() if declared.parameter else frozenset())
    for formula in (declared.function, *(case.when for case in declared.undefined)):
        unknown = asked_for(formula) - provided
        if unknown:
            raise UsageError(
                f"measure {declared.template}: its formula asks for '{min(unknown)}', which nothing provides",
                hint=f"it can have {', '.join(sorted(provided))}",
            )
    if declared.base != declared.base.lower() or not declared.base.replace("_", "").isalnum():
        raise UsageError(f"measure id '{declared.template}' is not lower-case letters, digits and '_'")
    expected = declared.base + (
        f"@{declared.parameter.placeholder}" if declared.parameter and declared.parameter.required else ""
    )
    if declared.template != expected:
        raise UsageError(f"measure id '{declared.template}' does not fit its parameter", hint=f"call it '{expected}'")
    if declared.kind == "score" and declared.better is None:
        raise UsageError(
            f"measure {declared.template} is a score but not better in any direction", hint="say better='higher' or 'lower'"
        )


def _put_back(value: Array, end: float, beyond: Callable[[Array, float], Array], xp: Any) -> Array:
    if math.isinf(end):
        return value
    slack = _ROUNDING["float32" if value.dtype == xp.float32 else "float64"] * max(1.0, abs(end))
    return xp.where(beyond(value, end) & (xp.abs(value - end) <= slack), end, value)


def _checked_distance(id: str, distance: Any, classes: int, *, symmetric: bool) -> list[list[float]]:
    import numpy as np  # noqa: PLC0415 - only for measures that take distances

    if distance is None:
        raise UsageError(f"{id} needs distances between the classes", hint="pass distance=, a C x C table (--distance FILE)")
    table = np.asarray(distance, dtype=float)
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
            raise UsageError(f"{id}: the distances {fault} (row {row}, column {column})")
    return table.tolist()  # type: ignore[no-any-return]
