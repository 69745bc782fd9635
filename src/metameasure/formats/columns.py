"""The columns of files, and the names that a user's files give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from metameasure.errors import UsageError, did_you_mean

_OF_GOLD = "gold_"


@dataclass(frozen=True)
class Columns:
    """The name of each column in the files at hand; by default the interface's own."""

    item: str = "item"
    topic: str = "topic"
    label: str = "label"
    gold: str = "gold"
    run: str = "run"
    weight: str = "weight"
    confidence: str = "confidence"
    rank: str = "rank"
    score: str = "score"
    score_rank: str = "score_rank"
    category: str = "class"
    probability: str = "probability"
    segment: str = "segment"
    judge: str = "judge"
    ranking: str = "ranking"
    grade: str = "grade"
    cluster: str = "cluster"
    repeat: str = "repeat"
    annotator: str = "annotator"

    def example(self, task: str) -> tuple[str, ...]:
        """A header that a task's files may have."""
        match task:
            case "ranking":
                return (self.segment, self.item, self.rank)
            case "quantification":
                return (self.topic, self.category, self.probability)
            case "agreement":
                return (self.item, self.annotator, self.label)
            case _:
                return (self.item, self.label)

    def names(self) -> frozenset[str]:
        """All the names, to tell a header from data."""
        return frozenset(getattr(self, field.name) for field in fields(self))


def gold_columns(names: Mapping[str, str]) -> Columns:
    """Gold's columns, where some are named otherwise there: by ``gold_item``, ``gold_label``, ..."""
    roles = _roles()
    shared = {role: name for role, name in names.items() if role in roles}
    own = {role.removeprefix(_OF_GOLD): name for role, name in names.items() if role not in roles}
    return named_columns(shared | own)


def _roles() -> set[str]:
    return {field.name for field in fields(Columns)}


def named_columns(names: Mapping[str, str]) -> Columns:
    """The columns under a user's names for them, by role; UsageError for a role that there is not. What is said of gold alone is
    left aside."""
    known = _roles()
    names = {role: name for role, name in names.items() if role in known or role.removeprefix(_OF_GOLD) not in known}
    for role in names:
        if role not in known:
            raise UsageError(
                f"there is no column role '{role}'", hint=did_you_mean(role, known) or f"the roles are {', '.join(sorted(known))}"
            )
    return Columns(**names)
