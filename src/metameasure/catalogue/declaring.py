"""The facts that a measure's file declares: what may be one or several, what has a default, and what is refused at once because
it would only fail later, in front of a user."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from metameasure.catalogue.facts import DISTANCES, FROM_SCALE, Bound, Inputs, Recommendation, Undefined, asked_for
from metameasure.catalogue.parameters import Parameter
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.notes import listed

if TYPE_CHECKING:
    from metameasure.catalogue.measure import Measure

# One of a family: ``tau@wmt13``, ``mutual_information@rank:corrected``. What follows the ``@`` of a parameter in an id is a
# placeholder, so it never looks so.
_VARIANT = re.compile(r"[a-z_]+@[a-z][a-z0-9]*(:[a-z]+)?")
_SEVERAL = {"tasks": str, "aliases": str, "undefined": Undefined, "recommended": Recommendation}
"""Facts of which there may be several, and what one of them is."""
_KINDS: dict[str, tuple[type[Any], str]] = {
    "inputs": (Inputs, "pass TABLES, DISTRIBUTIONS, RANKS or others of metameasure.plugin"),
    "parameter": (Parameter, 'pass one, as in WholeNumber("n")'),
    "headline": (Mapping, 'say which place it has, as in {"classification": 3}'),
}


def settled_facts(
    id: str, facts: Mapping[str, Any], known: Collection[str], choices: Mapping[str, Iterable[Any]]
) -> dict[str, Any]:
    """The facts that are declared (those that are None are left out), one of several as a tuple. UsageError for a fact that no
    measure has, or that cannot be what it is."""
    declared = {name: value for name, value in facts.items() if value is not None}
    for name, value in declared.items():
        if name not in known:
            hint = did_you_mean(name, known) or "docs/add-a-measure.md has all facts"
            raise UsageError(f"measure {id}: there is no fact '{name}'", hint=hint)
        allowed = [*choices.get(name, ())]
        if allowed and value not in allowed:
            raise UsageError(f"measure {id}: {name} is {value!r}", hint=f"say {listed([repr(one) for one in allowed], 'or')}")
        kind, hint = _KINDS.get(name, (object, ""))
        if not isinstance(value, kind):
            raise UsageError(f"measure {id}: {name} is {value!r}", hint=hint)
    settled = {name: _several(id, name, value) if name in _SEVERAL else value for name, value in declared.items()}
    _check_range(id, settled.get("range"))
    return settled


def _several(id: str, name: str, value: Any) -> tuple[Any, ...]:
    kind = _SEVERAL[name]
    several = (value,) if isinstance(value, kind) or not isinstance(value, Iterable) else tuple(value)
    wrong = next((one for one in several if not isinstance(one, kind)), None)
    if wrong is not None:
        what = "a text" if kind is str else kind.__name__
        raise UsageError(f"measure {id}: {name} has {wrong!r}, which is not {what}", hint="docs/add-a-measure.md has all facts")
    return several


def _check_range(id: str, span: Any) -> None:
    ends = span if isinstance(span, tuple) else ()
    if span is not None and (len(ends) != 2 or not all(isinstance(end, int | float | Bound) for end in ends)):
        raise UsageError(f"measure {id}: range is {span!r}", hint="say the least and the greatest value, as in (0, 1)")


def symbol_of(id: str, parameter: Parameter | None) -> str:
    """The id, with the parameter in it."""
    base = id.partition("@")[0]
    return id if parameter is None else f"{base}@{{}}" if parameter.required else f"{base}{{}}"


def good_end(better: str | None, range: tuple[float | Bound, float | Bound]) -> float | None:
    """Where perfect outputs are, if that is a number."""
    if better is None:
        return None
    end = range[1] if better == "higher" else range[0]
    return None if isinstance(end, Bound) or math.isinf(end) else end


def check_declaration(declared: Measure) -> None:
    """UsageError for a formula that asks for what nothing provides, and for an id that is none."""
    provided = FROM_SCALE | DISTANCES | (declared.parameter.names() if declared.parameter else frozenset())
    reduction = (declared.evidence.function,) if declared.evidence else ()
    for formula in (declared.function, *reduction, *(case.when for case in declared.undefined)):
        unknown = asked_for(formula) - provided - (formula.__kwdefaults__ or {}).keys()
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
    if declared.template != expected and (declared.parameter or not _VARIANT.fullmatch(declared.template)):
        raise UsageError(f"measure id '{declared.template}' does not fit its parameter", hint=f"call it '{expected}'")
    if declared.kind == "score" and declared.better is None:
        raise UsageError(
            f"measure {declared.template} is a score but not better in any direction", hint="say better='higher' or 'lower'"
        )
