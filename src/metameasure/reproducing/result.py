"""What has become of a result that is made again: the same data, settings and numbers, or which differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from metameasure.core.messages import data, warn
from metameasure.core.notes import counted, listed
from metameasure.core.signature import Signature
from metameasure.show.table import OutputFormat, Presentable, Table
from metameasure.version import __version__

Verdict = Literal["same", "differs", "missing", "added", "unknown"]
_WORDS: dict[bool | None, str] = {True: "the same", False: "differ", None: "cannot be compared"}
_NOT_HELD = "the signature does not say; a whole one, as in JSON, does"
_MOST_NAMED = 8
_THINGS = {"runs": "run", "annotators": "annotator", "data": "data set"}


@dataclass(frozen=True)
class Compared:
    """One thing that a signature holds, then and now: a digest of a run, a setting, a digest of the numbers of a measure."""

    what: str
    name: str
    then: str | None
    now: str | None
    verdict: Verdict

    def to_dict(self) -> dict[str, Any]:
        """It in JSON's terms."""
        return {"what": self.what, "name": self.name or None, "signature": self.then, "here": self.now, "verdict": self.verdict}


@dataclass(frozen=True, eq=False)
class Reproduction(Presentable):
    """What has become of a result: ``signature`` is the one given, ``here`` that of the result made again."""

    caption: ClassVar[str] = "The result made again"

    signature: Signature
    here: Signature
    data: tuple[Compared, ...]
    settings: tuple[Compared, ...]
    numbers: tuple[Compared, ...]

    @property
    def same(self) -> bool:
        """Whether nothing that could be compared differs."""
        return False not in (_all_same(self.data), _all_same(self.settings), _all_same(self.numbers))

    def to_dict(self) -> dict[str, Any]:
        parts = {"data": self.data, "settings": self.settings, "numbers": self.numbers}
        return {
            "same": self.same,
            "command": command_of(self.signature),
            **{name: {"same": _all_same(part), "parts": [one.to_dict() for one in part]} for name, part in parts.items()},
            "version": {"signature": self.signature.get("version"), "here": __version__},
            "signature": str(self.signature),
            "signature_parts": self.signature.parts(),
            "here": str(self.here),
            "notes": self._notes(),
            "findings": data(self._notes()),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        rows = [
            ("data", _WORDS[_all_same(self.data)], self._said_of_data()),
            ("settings", _WORDS[_all_same(self.settings)], _said_of_settings(self.settings)),
            ("numbers", _WORDS[_all_same(self.numbers)], _said_of_numbers(self.numbers)),
        ]
        return [Table(("what", "verdict", "in detail"), tuple(rows), notes=tuple(self._notes()))]

    def full_table(self) -> Table:
        parts = [("data", self.data), ("settings", self.settings), ("numbers", self.numbers)]
        rows = [(part, one) for part, held in parts for one in held]
        names = ("what", "name", "then", "now", "verdict")
        return Table.of({"part": [part for part, _ in rows], **{name: [getattr(one, name) for _, one in rows] for name in names}})

    def _said_of_data(self) -> str:
        told = _all_same(self.data)
        if told is None:
            return "there are none" if command_of(self.signature) in ("axioms", "study") else _NOT_HELD
        if told:
            numbers = {thing: sum(one.what == part for one in self.data) for part, thing in _THINGS.items()}
            whole = [thing for thing in ("gold", "judge") if any(one.what == thing for one in self.data)]
            said = [
                *("the judge" if thing == "judge" else thing for thing in whole),
                *(counted(number, thing) for thing, number in numbers.items() if number),
            ]
            return listed(said, "and") if said else "one digest of all"
        said = [_said(one) for one in self.data if one.verdict not in ("same", "unknown")]
        unknown = [one.name for one in self.data if one.verdict == "unknown" and one.name]
        said += [f"whether {listed(unknown)} differ cannot be told, because runs are counted against gold"] if unknown else []
        return "; ".join([*said[:_MOST_NAMED], *([f"and {len(said) - _MOST_NAMED} more"] if len(said) > _MOST_NAMED else [])])

    def _notes(self) -> list[str]:
        version = self.signature["version"]
        if version == __version__:
            return []
        words = "The signature is of version {version}, and this is {here}: the changelog lists the numbers that changed."
        return [warn("other version", words, version=version, here=__version__)]


def command_of(given: Signature) -> str:
    return str(given.of("command") or "evaluate")


def _all_same(parts: Sequence[Compared]) -> bool | None:
    """Whether all are the same; None where there is nothing to compare."""
    return all(one.verdict in ("same", "unknown") for one in parts) if parts else None


def _said(one: Compared) -> str:
    """What has become of data, in words."""
    things = {
        "gold": "gold",
        "judge": "what the judge says",
        "items": "what all say of single items",
        "topics": "the number of topics",
    }
    thing = things.get(one.what) or (one.name or "the whole")
    if one.verdict == "differs" and one.what == "topics":
        return f"{one.now} topics instead of {one.then}"
    return {"missing": f"{thing} is missing", "added": f"{thing} was not there"}.get(one.verdict, f"{thing} differs")


def _said_of_settings(parts: Sequence[Compared]) -> str:
    other = [one for one in parts if one.verdict != "same"]
    if other:
        return "; ".join(f"{one.what} is {one.now or 'not set'} instead of {one.then or 'not set'}" for one in other)
    return ", ".join(one.what for one in parts)


def _said_of_numbers(parts: Sequence[Compared]) -> str:
    if not parts:
        return _NOT_HELD
    other = [one.name for one in parts if one.verdict != "same"]
    return ", ".join(other or [one.name for one in parts])
