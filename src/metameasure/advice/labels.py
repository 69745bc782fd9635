"""How many labels by people does an interval of a given width take, where a judge labels everything? From corrected numbers at
hand, as ``design`` finds the number of topics from scores."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from metameasure.advice.design import ASSURANCE
from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import legend, say, sentence, warn
from metameasure.core.notes import counted
from metameasure.core.numbers import json_number, number
from metameasure.core.options import with_options
from metameasure.core.signature import Signature, digest_of_text
from metameasure.judging.corrected import Corrected
from metameasure.meta.data import listed_names
from metameasure.scores.framed import Framed
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.corrected import Moments
from metameasure.statistics.mean_intervals import normal_reach
from metameasure.statistics.power import fewest_topics, variance_at
from metameasure.tasks.option_groups import LabelDesignOptions

_COLUMNS = ("measure", "run", "against", "width_now", "labels", "labels_assured", "labels_alone")
_HINT = "write one with {metameasure evaluate --judge-labels FILE --sampled random --format json}"


@dataclass(frozen=True)
class LabelNeed:
    """What one number takes: ``labels`` by people where the judge labels everything, ``labels_assured`` so that they are enough
    with a probability of 80 %, and ``labels_alone`` without the judge. ``width_now`` is that of its interval now."""

    measure: str
    run: str
    against: str | None
    width_now: float
    labels: int | None
    labels_assured: int | None
    labels_alone: int | None

    @property
    def name(self) -> str:
        return f"{self.run} - {self.against}" if self.against else self.run


@dataclass(frozen=True, eq=False)
class LabelDesign(Framed):
    """How many labels by people an interval of a given width takes, for each number that was corrected."""

    caption: ClassVar[str] = "How many labels are needed"

    needs: tuple[LabelNeed, ...]
    width: float
    level: float
    labels_now: int
    items: int
    notes: tuple[str, ...] = ()

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("number", "measure", "width now", f"labels for width {self.width:g}", "assured", "people alone")
        rows = tuple(
            (one.name, one.measure, number(one.width_now), *map(_labels, (one.labels, one.labels_assured, one.labels_alone)))
            for one in self.needs
        )
        notes = (
            legend(
                "{labels:,} labels by people now, of {items:,} items; full widths of {level:.0%} intervals.",
                labels=self.labels_now,
                items=self.items,
                level=self.level,
            ),
            legend("Assured: enough with a probability of {assured:.0%}. People alone: without the judge.", assured=ASSURANCE),
            *map(sentence, self.notes),
        )
        return [Table(headings, rows, right=frozenset(headings[2:]), notes=notes)]

    def columns(self) -> dict[str, list[Any]]:
        """One row for each number."""
        return {name: [getattr(one, name) for one in self.needs] for name in _COLUMNS}

    def to_dict(self) -> dict[str, Any]:
        return {
            "width": self.width,
            "level": self.level,
            "labels_now": self.labels_now,
            "items": self.items,
            "assured": ASSURANCE,
            "measures": [
                {name: getattr(one, name) for name in _COLUMNS} | {"width_now": json_number(one.width_now)} for one in self.needs
            ],
            **self.signed_notes(self.notes),
        }


@with_options(LabelDesignOptions)
def label_design(
    asked: LabelDesignOptions, corrected: Corrected | str | Path, measures: str | Sequence[str] | None = None
) -> LabelDesign:
    """How many labels by people an interval of a given width takes, where a judge labels everything.

    Parameters
    ----------
    corrected : Corrected or path
        Corrected numbers of a pilot, or the JSON of some.
    measures : str or sequence of str, optional
        Which measures (default: all).

    Returns
    -------
    LabelDesign
        For each number how many labels it takes with the judge, and without.

    Raises
    ------
    UsageError
        If there is no width, or it makes no sense.
    DataError
        If the file is not one of corrected numbers.

    Notes
    -----
    The interval is that of prediction-powered inference (Angelopoulos, Duchi and Zrnic, 2023), as ``correct`` makes it;
    docs/judges.md has how often it holds.

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = [1, 2, 3, 2, 1] * 60
    >>> judge = [label if place % 5 else 2 for place, label in enumerate(truth)]
    >>> people = [label if place < 100 else None for place, label in enumerate(truth)]
    >>> run = [label if place % 4 else 1 for place, label in enumerate(truth)]
    >>> pilot = mm.correct_scores(people, {"a": run}, judge, classes="1..3", measures="accuracy", sampled="random")
    >>> [need.labels for need in mm.label_design(pilot, width=0.1).needs]
    [161]

    """
    if asked.width is None or not (asked.width > 0 and math.isfinite(asked.width)):
        shown = "no width" if asked.width is None else f"a width of {asked.width:g}"
        raise UsageError(shown, hint=say("name the full width that an interval should have, above 0, as in {--width .05}"))
    answer = corrected.to_dict() if isinstance(corrected, Corrected) else _read(corrected)
    lines = _chosen([*answer["corrected"], *answer["differences"]], measures)
    now, items, level = int(answer["labelled"]), int(answer["items"]), float(answer["level"])
    known = [(line, moments) for line in lines if (moments := _moments(line)) is not None]
    if not known:
        raise DataError("nothing is corrected there", hint="correct a pilot first, with items that were chosen at random")
    needs = tuple(_need(line, moments, now, asked.width, level) for line, moments in known)
    made = Signature(command="label_design", width=asked.width, data={"corrected": digest_of_text(str(answer["signature"]))})
    return LabelDesign(needs, asked.width, level, now, items, tuple(_said(needs, items)), made=made.signed())


def _read(path: str | Path) -> Mapping[str, Any]:
    """The JSON of corrected numbers; DataError where it is something else."""
    try:
        answer = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            say("'{path}' is not the JSON of corrected numbers: {error}", path=path, error=error), hint=say(_HINT)
        ) from error
    needed = ("corrected", "differences", "labelled", "items", "level", "signature")
    if not isinstance(answer, dict) or any(name not in answer for name in needed):
        raise DataError(say("'{path}' is not the JSON of corrected numbers", path=path), hint=say(_HINT))
    return answer


def _chosen(lines: Sequence[Mapping[str, Any]], measures: str | Sequence[str] | None) -> list[Mapping[str, Any]]:
    """The lines of some measures; UsageError for a measure that has none."""
    names = listed_names(measures)
    known = list(dict.fromkeys(line["measure"] for line in lines))
    for name in names:
        if name not in known:
            raise UsageError(
                f"there are no numbers of '{name}'", hint=did_you_mean(name, known) or f"there are {', '.join(known)}"
            )
    return [line for line in lines if not names or line["measure"] in names]


def _moments(line: Mapping[str, Any]) -> Moments | None:
    held = line.get("moments")
    if held is None or not held.get("people"):
        return None
    return Moments(**{field.name: float(held[field.name]) for field in fields(Moments)})


def _need(line: Mapping[str, Any], moments: Moments, now: int, width: float, level: float) -> LabelNeed:
    """The fewest labels, at the variances found, and at those that they exceed with a probability of 20 % only."""
    reach = 2 * normal_reach(level)
    wider = variance_at(1 - ASSURANCE, 1.0, now - 1)

    def width_of(labels: int, *, worse: float = 1.0, alone: bool = False) -> float:
        found = moments.with_labels(labels / now)
        return reach * math.sqrt(worse * (found.people if alone else found.corrected(found.best())))

    return LabelNeed(
        line["measure"],
        line["run"],
        line["against"],
        width_of(now),
        fewest_topics(lambda labels: width_of(labels) <= width),
        fewest_topics(lambda labels: width_of(labels, worse=wider) <= width),
        fewest_topics(lambda labels: width_of(labels, alone=True) <= width),
    )


def _said(needs: Sequence[LabelNeed], items: int) -> list[str]:
    beyond = [one for one in needs if one.labels is None or one.labels > items]
    if not beyond:
        return []
    return [
        warn(
            "more labels than items",
            "for {intervals} of that width there are too few items ({items:,}) to label: choose a larger width",
            intervals=counted(len(beyond), "interval"),
            items=items,
        )
    ]


def _labels(needed: int | None) -> str:
    return "–" if needed is None else f"{needed:,}"
