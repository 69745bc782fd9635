"""What the trial of measures comes to: a verdict for each measure and property, and how it presents itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from metameasure.catalogue.measure import Measure
from metameasure.core.messages import data, warn
from metameasure.core.numbers import json_number
from metameasure.properties.property import Claim, DecidingCase, Property
from metameasure.scores.framed import Framed
from metameasure.show.table import OutputFormat, Table

_CASES = ("counterexample", "witness")
STORED = {
    "measure": str, "holds": bool | None, "exhaustive": int, "random": int, "undefined": int, "reach": str, "reason": str,
    **dict.fromkeys(_CASES, DecidingCase | None),
}  # fmt: skip
"""What a checkpoint keeps of a verdict, by name and type."""
_FACTS = tuple(name for name in STORED if name not in ("measure", *_CASES))


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """What the search says about one property of one measure, and what a paper says.

    ``holds`` is None where it could not be tried, for the ``reason`` given. A property that one case suffices for has a
    ``witness`` where it holds; any other a ``counterexample`` where it does not.
    """

    asked: Property
    measure: Measure
    holds: bool | None
    exhaustive: int = 0
    random: int = 0
    undefined: int = 0
    reach: str = ""
    counterexample: DecidingCase | None = None
    witness: DecidingCase | None = None
    claim: Claim | None = None
    reason: str = ""

    @property
    def trials(self) -> int:
        """How many cases it was tried on."""
        return self.exhaustive + self.random

    @property
    def differs(self) -> bool:
        """Whether a paper says otherwise."""
        return self.claim is not None and self.holds is not None and self.claim.holds != self.holds

    @property
    def case(self) -> DecidingCase | None:
        """The case that decides: the counterexample, or the witness."""
        return self.counterexample or self.witness

    @property
    def at_random(self) -> bool:
        """Whether the case that decides was met at random, so that there may be a smaller one."""
        return self.case is not None and self.random > 0

    def over(self) -> str:
        """Over which cases it was tried: exhaustively up to N = 6, C = 4, and 200,000 at random."""
        drawn = f", and {self.random:,} at random" if self.random else ""
        undefined = f"; undefined in {self.undefined:,} more" if self.undefined else ""
        condition = f" ({self.asked.condition})" if self.asked.condition else ""
        return f"{self.exhaustive:,} cases{condition}, exhaustively up to {self.reach}{drawn}{undefined}"

    def sentence(self) -> str:
        """The verdict in words."""
        said = {True: "holds", False: "fails", None: "not tried"}
        return f"{said[self.holds]}: {self.why()}"

    def why(self) -> str:
        """What the verdict rests on, in words."""
        if self.holds is None:
            return self.reason
        if self.case is not None:
            return f"{self.case.words}{' (the smallest met at random)' if self.at_random else ''}"
        return self.over() if self.holds else f"in none of {self.over()}"

    def figures(self) -> dict[str, Any]:
        """The numbers that the verdict rests on: how many cases were tried, and the size and scores of the one that decides."""
        if self.case is None:
            return {"trials": self.trials}
        return {"trials": self.trials, "items": self.case.items, "scores": tuple(one.score for one in self.case.cases)}

    def claimed(self) -> str:
        """The claim of a paper, in words; empty if no paper makes one."""
        if self.claim is None:
            return ""
        says = f"{self.claim.source} says that it {'holds' if self.claim.holds else 'does not hold'}"
        return f"{says} (erratum: {self.claim.erratum})" if self.differs and self.claim.erratum else says

    def stored(self) -> dict[str, Any]:
        """What a checkpoint keeps of it."""
        facts = {name: getattr(self, name) for name in _FACTS}
        cases = {name: None if (case := getattr(self, name)) is None else asdict(case) for name in _CASES}
        return {"measure": self.measure.id, **facts, **cases}

    @classmethod
    def restored(cls, stored: dict[str, Any], axiom: Property, measure: Measure, claim: Claim | None) -> Verdict:
        """What ``stored`` gave."""
        facts: dict[str, Any] = {name: stored[name] for name in _FACTS}
        cases: dict[str, Any] = {name: None if stored[name] is None else DecidingCase.restored(stored[name]) for name in _CASES}
        return cls(asked=axiom, measure=measure, claim=claim, **facts, **cases)

    def to_dict(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "trials": self.trials,
            "counterexample": _case(self.counterexample),
            "claimed": None if self.claim is None else self.claim.holds,
            "exhaustive": self.exhaustive,
            "random": self.random,
            "undefined": self.undefined,
            "condition": self.asked.condition or None,
            "witness": _case(self.witness),
            "claimed_by": None if self.claim is None else str(self.claim.source),
            "differs": self.differs,
            "erratum": (self.claim.erratum or None) if self.differs and self.claim else None,
            "words": self.sentence(),
        }


def _case(case: DecidingCase | None) -> dict[str, Any] | None:
    if case is None:
        return None
    cases = [{**one.parts, "score": json_number(one.score)} for one in case.cases]
    return {"items": case.items, "classes": case.classes or None, "cases": cases, "words": case.words}


@dataclass(frozen=True, eq=False, kw_only=True)
class Axioms(Framed):
    """The verdicts on all measures, each measure's together and in the order of the properties."""

    caption: ClassVar[str] = "Properties of measures"

    verdicts: tuple[Verdict, ...]
    trials: int
    seed: int

    @property
    def measures(self) -> tuple[str, ...]:
        """The ids of the measures, in their order."""
        return tuple(dict.fromkeys(one.measure.id for one in self.verdicts))

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that were asked of at least one measure."""
        return tuple(dict.fromkeys(one.asked for one in self.verdicts))

    def of(self, measure: str) -> dict[str, Verdict]:
        """The verdicts on one measure, by property."""
        return {one.asked.id: one for one in self.verdicts if one.measure.id == measure}

    def __getitem__(self, key: tuple[str, str]) -> Verdict:
        measure, name = key
        return self.of(measure)[name]

    def in_words(self) -> list[str]:
        """Which properties each measure lacks."""
        lacking = {measure: [id for id, one in self.of(measure).items() if one.holds is False] for measure in self.measures}
        return [f"{id} lacks {', '.join(names)}." if names else f"{id} has every property." for id, names in lacking.items()]

    def differences(self) -> list[Verdict]:
        """The verdicts that a paper contradicts."""
        return [one for one in self.verdicts if one.differs]

    def to_dict(self) -> dict[str, Any]:
        measures = [{"id": id, "axioms": {name: one.to_dict() for name, one in self.of(id).items()}} for id in self.measures]
        notes = contradicted(self.verdicts)
        said = {"notes": notes, "findings": data(notes)}
        return {"measures": measures, "trials": self.trials, "seed": self.seed, **said, **self.signed()}

    def columns(self) -> dict[str, list[Any]]:
        """The verdicts as columns of a long table."""
        return {
            "measure": [one.measure.id for one in self.verdicts],
            "property": [one.asked.id for one in self.verdicts],
            "holds": [None if one.holds is None else str(one.holds).lower() for one in self.verdicts],
            **{name: [getattr(one, name) for one in self.verdicts] for name in ("trials", "exhaustive", "random", "undefined")},
            "items": [one.counterexample.items if one.counterexample else None for one in self.verdicts],
            "classes": [(one.counterexample.classes or None) if one.counterexample else None for one in self.verdicts],
            "words": [one.sentence() for one in self.verdicts],
            "claimed": [None if one.claim is None else str(one.claim.holds).lower() for one in self.verdicts],
            "claimed_by": [None if one.claim is None else str(one.claim.source) for one in self.verdicts],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        from metameasure.properties.rendering import tables  # noqa: PLC0415 - it knows this class

        return tables(self, "latex" if format.paper else format.name)

    def draw(self, width: float) -> Any:
        """Measures down, properties across."""
        from metameasure.properties.rendering import drawn  # noqa: PLC0415 - as above

        return drawn(self, width)


def contradicted(verdicts: Sequence[Verdict]) -> list[str]:
    """Where a paper says otherwise: what was found, and what the paper says."""
    said = "{measure}, {property} {words}. But {claimed}."
    return [
        warn(
            "paper says otherwise",
            said,
            measure=one.measure.id,
            property=one.asked.id,
            words=one.sentence(),
            claimed=one.claimed(),
            **one.figures(),
        )
        for one in verdicts
        if one.differs
    ]
