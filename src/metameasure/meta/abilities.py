"""What a measure can do at all, whatever the data: the first columns of Sakai (2021), Tables 4 and 7, by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from metameasure.catalogue.measure import Measure
from metameasure.properties.search import applies, chosen_properties, verdicts

ORDER_AWARE = "order_aware"


@dataclass(frozen=True)
class Ability:
    """A property that a summary shows: its id, the heading of its column, and what is said of measures that have or lack it."""

    id: str
    heading: str
    meaning: str
    lacking: str


OF_COUNTS = (
    Ability(ORDER_AWARE, "ordinal", "uses the order of the classes", "is blind to the order of the classes"),
    Ability(
        "constant_runs",
        "constant runs",
        "can tell runs that always return the same class from one another",
        "cannot tell constant runs apart",
    ),
    Ability("imbalance_aware", "imbalance", "handles class imbalance", "is blind to class imbalance"),
)
OF_DISTRIBUTIONS = (
    Ability(ORDER_AWARE, "ordinal", "uses the order of the classes", "does not always grow with the distance between classes"),
    Ability("symmetric", "symmetric", "gold and estimate can change places", ""),
)
_BY_EVIDENCE = {"counts": OF_COUNTS, "distributions": OF_DISTRIBUTIONS}


def abilities_of(measure: Measure | None) -> dict[Ability, bool | None]:
    """What a measure can do; empty for one that is not ours, None where it cannot be tried without more facts."""
    if measure is None:
        return {}
    shown = _BY_EVIDENCE.get(measure.inputs.reads.partition("@")[0], ())
    return {ability: holds(measure, ability.id) for ability in shown if applies(chosen_properties(ability.id)[0], measure)}


@lru_cache(maxsize=1024)
def holds(measure: Measure, name: str) -> bool | None:
    """Whether a measure has a property, as far as all small cases say."""
    (verdict,) = verdicts(measure, chosen_properties(name), trials=0)
    return verdict.holds


def abilities_of_all(measures: Sequence[Measure | None]) -> list[dict[Ability, bool | None]]:
    """What each of the measures of one evaluation can do. Entailment's classes have no order that a measure could miss: beside a
    measure of that task alone, no measure is asked for it."""
    abilities = [abilities_of(measure) for measure in measures]
    if not any(measure and set(measure.tasks) == {"entailment"} for measure in measures):
        return abilities
    return [{ability: able for ability, able in one.items() if ability.id != ORDER_AWARE} for one in abilities]
