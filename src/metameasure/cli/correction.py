"""What ``judge --correct`` and ``evaluate --judge-labels`` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metameasure.cli.options import flags
from metameasure.core.errors import UsageError
from metameasure.core.options import Option, declared_in

_SECTION = "Corrected by a judge"
CORRECT = Option("correct", "Correct the judge's labels by those that people gave some of the items.", bool, section=_SECTION)
JUDGE_LABELS = Option(
    "judge-labels",
    "Correct the scores by a judge's labels of all items: GOLD is people's, of some.",
    metavar="FILE",
    section=_SECTION,
    is_file=True,
)


def part_of(group: type[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords that a group has too."""
    return {name: value for name, value in keywords.items() if name in declared_in(group)}


def check_part_of(group: type[Any], keywords: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The same; UsageError for one that the group lacks, unless it says what is usual."""
    known = part_of(group, keywords)
    for name, value in keywords.items():
        if name not in known and value != usual.get(name):
            raise UsageError(
                f"{flags(name, value)[0]} is not for scores that a judge's labels correct",
                hint="leave it out, or leave out --judge-labels",
            )
    return known


def about_no_correction(name: str, flag: str) -> UsageError:
    """What is wrong with an option that says something of a correction, where none is asked for."""
    return UsageError(f"--{name.replace('_', '-')} is about a correction, and none is asked for", hint=f"add {flag}")
