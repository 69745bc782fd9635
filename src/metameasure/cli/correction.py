"""What ``judge --correct`` and ``evaluate --judge-labels`` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metameasure.cli.options import flags, part_of
from metameasure.core.errors import UsageError
from metameasure.core.options import Option

_SECTION = "Corrected by a judge"
CORRECT = Option("correct", "Correct the judge's labels by those that people gave some of the items.", bool, section=_SECTION)


def check_part_of(group: type[Any], keywords: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords that a group has too; UsageError for one that it lacks, unless that says what is usual."""
    known = part_of(group, keywords)
    for name, value in keywords.items():
        if name not in known and value != usual.get(name):
            raise UsageError(
                f"{flags(name, value)[0]} is not for scores that a judge's labels correct",
                hint="leave it out, or leave out --judge-labels",
            )
    return known


def refuse_without_correction(said: Mapping[str, Any], flag: str) -> None:
    """UsageError for an option that says something of a correction, where none is asked for."""
    for name in (name for name, value in said.items() if value is not None):
        raise UsageError(f"--{name.replace('_', '-')} is about a correction, and none is asked for", hint=f"add {flag}")
