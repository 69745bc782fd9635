"""May we ship? A new run passes where it is certainly no more than a margin worse than the old one, and fails where it
certainly is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.comparing.pairs import Pair, pairs_of
from metameasure.core.choices import Undecided
from metameasure.core.errors import UsageError, deprecated, did_you_mean
from metameasure.core.messages import Counted, Message, about, data, legend, note, say, sentence, warn
from metameasure.core.notes import counted, grouped
from metameasure.core.numbers import headed, interval, json_number, number
from metameasure.core.options import Arguments, with_options
from metameasure.core.signature import digest_of_numbers
from metameasure.core.validity import in_words, named
from metameasure.scores.framed import Framed
from metameasure.show.canvas import COLOURS, Axes, Figure
from metameasure.show.rows import dots, row_chart
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.bounds import (
    AlikeBounds,
    Bounds,
    NoBounds,
    TurnedBounds,
    failing,
    freedom_of_a_unit,
    needed,
    units_to_decide,
)
from metameasure.tasks.option_groups import GateOptions

Verdict = Literal["pass", "fail", "undecided"]
EXIT_STATUS: dict[Verdict, int] = {"pass": 0, "fail": 3, "undecided": 4}
_POWER = 0.8
_FEW_DIFFER, _FEW_CLUSTERS = 10, 10


@dataclass(frozen=True, eq=False)
class Gated:
    """One measure at the gate. ``fails`` says whether the new run is certainly too bad, all measures at once."""

    pair: Pair
    margin: float
    alpha: float
    fails: bool

    @property
    def gain(self) -> Bounds:
        """Of the difference in the direction in which more is better."""
        return _gain(self.pair)

    @property
    def verdict(self) -> Verdict:
        if self.fails:
            return "fail"
        return "pass" if self.gain.at(self.alpha)[0] > -self.margin else "undecided"

    @property
    def ends(self) -> tuple[float, float]:
        """Of the new run's score less the old one's."""
        return self.pair.bounds.at(self.alpha)

    @property
    def validity(self) -> dict[str, str]:
        """The method behind the verdict: docs/validity.md has its error rates."""
        return {"p": self.pair.method}

    @property
    def items_to_decide(self) -> float:
        """How many items, or topics, it takes in all to decide in 80 of 100 cases, if the difference is as it seems: more than
        there are. NaN where it is decided, or nobody knows."""
        if self.verdict != "undecided":
            return math.nan
        enough = units_to_decide(self.gain, self.margin, self.alpha, _POWER)
        return max(enough, self.pair.items + 1) if math.isfinite(enough) else enough

    @property
    def items_if_equal(self) -> float:
        """The same, if the two runs are equally good; NaN also where there are as many, which have not decided it."""
        if self.verdict != "undecided" or self.margin == 0:
            return math.nan
        variance, freedom = self.gain.variance + self.gain.difference**2, freedom_of_a_unit(self.gain)
        enough = needed(variance, self.margin, self.alpha, _POWER, freedom)
        return enough if enough > self.pair.items else math.nan

    def said(self) -> Message:
        """The verdict in words."""
        return self._said() if self.pair.topic is None else about(self._said(), topic=self.pair.topic)

    def _said(self) -> Message:
        pair, (low, high) = self.pair, self.gain.at(self.alpha)
        parts: dict[str, Any] = {"run": pair.new, "other": pair.old, "measure": pair.measure, "margin": self.margin}
        parts |= {"level": round(100 * (1 - self.alpha), 6)}
        if self.verdict == "pass":
            passed = (
                "PASS: {run} is at most {loss:.4f} worse than {other} by {measure}, with {level:g}% confidence; {margin:g} is "
                "allowed."
            )
            better = "PASS: {run} is better than {other} by {measure}, by at least {loss:.4f} with {level:g}% confidence."
            return note("gate", better if low > 0 else passed, loss=abs(low), **parts)
        if self.verdict == "fail":
            failed = (
                "FAIL: {run} is worse than {other} by {measure} by at least {loss:.4f}, with {level:g}% confidence; {margin:g} "
                "is allowed."
            )
            return warn("gate", failed, loss=-high, **parts)
        return warn("gate", "UNDECIDED: {why}", why=self._why(), run=pair.new, other=pair.old, measure=pair.measure)

    def _why(self) -> Message:
        """Why the data do not decide, and how many would."""
        pair, low = self.pair, self.gain.at(self.alpha)[0]
        if isinstance(pair.bounds, NoBounds):
            return say(
                "nothing follows from {units}: it takes two at least.", units=counted(pair.number, pair.unit.removesuffix("s"))
            )
        if isinstance(pair.bounds, AlikeBounds) and math.isnan(low):
            return say("the runs differ by the same on all {number} {unit}, which does not tell how much they vary.",
                       number=pair.number, unit=pair.unit)  # fmt: skip
        seems = say(
            "by {measure}, {run} may be within the {margin:g} that is allowed, or as much as {loss:.4f} worse than {other}.",
            measure=pair.measure, run=pair.new, other=pair.old, loss=-low, margin=self.margin,
        )  # fmt: skip
        return say("{seems} {needed}", seems=seems, needed=self._needed())

    def _needed(self) -> Message:
        enough, word = self.items_to_decide, self.pair.unit.removesuffix("s") if self.pair.units == "topics" else "item"
        if math.isinf(enough):
            return say("The difference that was seen lies on the margin itself, where no number of {word}s decides.", word=word)
        if math.isnan(enough):
            return say("How many {word}s would decide is not known.", word=word)
        told = say(
            "About {needed} ({more:,} more) would decide in {power:.0c} of 100 cases if the difference is as it seems",
            needed=counted(int(enough), word), more=int(enough) - self.pair.items, power=_POWER,
        )  # fmt: skip
        if math.isnan(self.items_if_equal):
            return say("{told}.", told=told)
        return say("{told}, and {equal:,} if the runs are equally good.", told=told, equal=int(self.items_if_equal))

    def facts(self) -> dict[str, Any]:
        """What JSON says of it."""
        pair, (low, high) = self.pair, self.ends
        enough = self.items_to_decide
        return {
            "measure": pair.measure,
            **({} if pair.topic is None else {"topic": pair.topic}),
            "better": pair.better,
            "old": pair.old,
            "new": pair.new,
            "old_score": json_number(pair.scores[0]),
            "new_score": json_number(pair.scores[1]),
            "margin": self.margin,
            "difference": json_number(pair.bounds.difference),
            "low": json_number(low),
            "high": json_number(high),
            "verdict": self.verdict,
            "units": pair.units,
            **({pair.units: pair.number} if pair.units != "items" else {}),
            **({} if pair.effective is None else {"effective_clusters": json_number(pair.effective)}),
            "items": pair.items,
            "items_to_decide": int(enough) if math.isfinite(enough) else json_number(enough),
            "items_to_decide_if_equal": int(self.items_if_equal) if math.isfinite(self.items_if_equal) else None,
            "validity": self.validity,
        }


def _gain(pair: Pair) -> Bounds:
    return pair.bounds if pair.better == "higher" else TurnedBounds(pair.bounds)


@dataclass(frozen=True, eq=False)
class Gate(Framed):
    """Whether the new run may take the place of the old one: it passes by every measure, fails by one, or it is undecided."""

    caption: ClassVar[str] = "Gate"

    parts: tuple[Gated, ...] = ()
    alpha: float = 0.05
    undecided: Undecided | None = None
    named: bool = False
    """Whether the methods are to be named."""

    @property
    def verdict(self) -> Verdict:
        """FAIL where a measure fails, PASS where all pass."""
        each = [part.verdict for part in self.parts]
        return "fail" if "fail" in each else "pass" if all(one == "pass" for one in each) else "undecided"

    @property
    def decision(self) -> Verdict:
        """The verdict, by the team's policy where the data do not decide."""
        return self.undecided if self.verdict == "undecided" and self.undecided is not None else self.verdict

    @property
    def exit_status(self) -> int:
        """0 PASS, 3 FAIL, 4 UNDECIDED."""
        return EXIT_STATUS[self.decision]

    @property
    def notes(self) -> tuple[str, ...]:
        said = [one for part in self.parts for one in part.pair.notes]
        return tuple(dict.fromkeys([*said, *self._limits(), *self._methods()]))

    def _limits(self) -> list[str]:
        """Where bounds are known to be less sure than they say."""
        few = [one for part in self.parts if (one := part.pair).differing is not None and one.differing < _FEW_DIFFER]
        said = (
            "the runs differ on {differing} of {number} {unit} by {measure}: with fewer than {least} the bounds may be too close"
        )
        clusters = [one for part in self.parts if (one := part.pair).effective is not None and one.effective < _FEW_CLUSTERS]
        tell = "few effective clusters: the {number} clusters are worth {effective:.1f} equal-sized ones, so the bounds are wide"
        return [
            *(
                warn("few differ", said, differing=one.differing, number=one.number, unit=one.unit, measure=one.measure,
                     least=_FEW_DIFFER)
                for one in few
            ),
            *(warn("few clusters", tell, number=one.number, effective=one.effective) for one in clusters),
        ]  # fmt: skip

    def _methods(self) -> list[str]:
        methods = {part.pair.method: part.pair.method for part in self.parts}
        return [one for method in methods for one in named({"p": method})] if self.named else []

    def in_words(self) -> list[str]:
        said: list[str] = [part.said() for part in self.parts]
        if len(self.parts) > 1:
            passing = sum(part.verdict == "pass" for part in self.parts)
            together = "{verdict}: {passing} of {number} pass."
            said = [
                warn("gate", together, verdict=self.verdict.upper(), passing=passing, number=self._several()),
                *(part.said() for part in self.parts if part.verdict != "pass"),
            ]
        if self.decision != self.verdict:
            said.append(note("policy", "What is undecided counts as {decision} here ({--undecided <choice>}).",
                             decision=self.decision.upper(), choice=self.decision))  # fmt: skip
        return said

    def _several(self) -> Counted:
        """What has to pass, counted."""
        return counted(len(self.parts), "measure" if self.parts[0].pair.topic is None else "question")

    def to_dict(self) -> dict[str, Any]:
        rows = [part.facts() for part in self.parts]
        common = {
            "alpha": self.alpha,
            "undecided": self.undecided,
            "decision": self.decision,
            "sentences": self.in_words(),
            "notes": list(self.notes),
            "findings": data((*self.notes, *self.in_words())),
            **self.signed(),
        }
        if len(rows) == 1:
            return {**rows[0], **common}
        return {"verdict": self.verdict, "measures": rows, "correction": "holm", **common}

    def numbers(self) -> dict[str, str]:
        rows = grouped((part.pair.measure, (part.pair.topic, *part.pair.scores, *part.ends)) for part in self.parts)
        return {measure: digest_of_numbers(each) for measure, each in rows.items()}

    def columns(self) -> dict[str, list[Any]]:
        """One row for each measure: scores, difference, bounds, verdict."""
        rows = [part.facts() for part in self.parts]
        names = (
            "measure",
            *(["topic"] if "topic" in rows[0] else []),
            "old",
            "new",
            "old_score",
            "new_score",
            "difference",
            "low",
            "high",
            "margin",
            "verdict",
            "items",
            "items_to_decide",
        )
        return {name: [row[name] for row in rows] for name in names}

    def tables(self, format: OutputFormat) -> list[Table]:
        topics = ["topic"] if self.parts[0].pair.topic is not None else []
        headings = ("measure", *topics, self._heading("old"), self._heading("new"), "difference", "bounds", "margin", "verdict")
        rows = tuple(
            (
                headed(measure_name(part.pair.measure, format), part.pair.better),
                *([part.pair.topic or ""] if topics else []),
                *(number(score, 4) for score in part.pair.scores),
                number(part.pair.bounds.difference, 4, sign=True),
                interval(*part.ends, 4, sign=True) or "–",
                f"{part.margin:g}",
                part.verdict.upper(),
            )
            for part in self.parts
        )
        return [Table(headings, rows, right=frozenset({*headings} - {"measure", "topic", "verdict"}), notes=self._below())]

    def _heading(self, side: Literal["old", "new"]) -> str:
        names = {getattr(part.pair, side) for part in self.parts}
        return f"{side}: {names.pop()}" if len(names) == 1 and names != {side} else side

    def _below(self) -> tuple[str, ...]:
        level = round(100 * (1 - self.alpha), 6)
        bounds = legend("bounds: of new minus old, each with {level:g}% confidence.", level=level)
        tests = {part.pair.method: part.pair.unit for part in self.parts}
        lines = [bounds, *(note("test", "Method: {test}.", test=in_words(one, unit)) for one, unit in tests.items())]
        if len(self.parts) > 1:
            corrected = "All must pass, so passing needs no correction; failing is corrected for the {number} by Holm's method."
            lines.append(note("correction", corrected, number=self._several()))
        return (*lines, *map(sentence, self.notes), "", *self.in_words())

    def draw(self, width: float) -> Figure:
        """A line for each measure: how much better the new run is, with both bounds, and the margin."""
        gains = [part.gain for part in self.parts]
        bounds = np.array([gain.at(self.alpha) for gain in gains])
        names = [_name(part.pair) for part in self.parts]
        middle = np.array([gain.difference for gain in gains])
        verdicts = [part.verdict.upper() for part in self.parts]
        panel = dots("new run better by", middle, ends=(bounds[:, 0], bounds[:, 1]), line=0.0, texts=verdicts)
        level = round(100 * (1 - self.alpha), 6)
        words = f"Bars: both bounds, each with {level:g}% confidence. Upright marks: as much worse as is allowed."
        farthest = -max(part.margin for part in self.parts)
        low, high = panel.ends
        ends = (min(low, farthest - 0.05 * (high - farthest)), high)
        return row_chart(names, [replace(panel, ends=ends, draw=partial(self._draw, panel.draw))], width, notes=[words])

    def _draw(self, dots_of: Callable[[Axes, Floats], None], axes: Axes, tops: Floats) -> None:
        """The dots, and on each line where its margin ends."""
        dots_of(axes, tops)
        axes.plot([-part.margin for part in self.parts], tops, "|", markersize=9, markeredgewidth=1.5, color=COLOURS[1])


def _name(pair: Pair) -> str:
    measure = headed(symbol_of(pair.measure), pair.better, kept=True)
    return measure if pair.topic is None else f"{pair.topic}, {measure}"


def _gold_first(args: tuple[Any, ...], keywords: dict[str, Any]) -> Arguments:
    """``gate(gold, old, new)``, and of two or one, which are runs, ``gate(old, new)``; once ``gate(old, new, gold=gold)``."""
    if "gold" in keywords:
        if args:
            deprecated("gold comes first: gate(gold, old, new, margin=...)")
        return (keywords.pop("gold"), *args), keywords
    has_gold = len(args) + len({"old", "new"} & keywords.keys()) == 3
    return (args if has_gold else (None, *args)), keywords


@with_options(GateOptions, former=_gold_first)
def gate(asked: GateOptions, gold: Any = None, old: Any = None, new: Any = None) -> Gate:
    """May we ship? Whether a new run is certainly no more than a margin worse than the old one.

    PASS where the lower bound of the difference is above -margin, FAIL where the upper bound is below it, otherwise UNDECIDED,
    with the number of items that would decide. Of a measure by which lower scores are better, a rise is what counts as worse.

    Parameters
    ----------
    gold : path, data frame or array, optional
        What is right, where outputs are to be scored; ``measures`` says how. It comes first, as in ``gate(gold, old, new)``, or
        in ``gate(gold, runs, baseline="a", candidate="b")``; ``gate(old, new)`` is of scores.
    old, new : path, data frame, array or scores
        The scores of each run: files as ``evaluate`` writes them, or a number for each item. With ``gold``, the outputs of each
        run, as for ``evaluate``. Without ``new``, ``old`` holds several runs, of which ``baseline`` and ``candidate`` are two.

    Returns
    -------
    Gate
        The verdict by every measure, with the difference and its bounds; ``exit_status`` is that of the command.

    Raises
    ------
    UsageError
        If an option makes no sense, or it is not clear which run is the old one.
    DataError
        If a file is wrong; the message says in which line.

    Notes
    -----
    Bounds of scores that are 0 or 1 are Tango's (1998), of others t bounds; where clusters are declared, by leaving out
    clusters; of measures of a table, such as kappa, by leaving out items. "Not significantly worse" is no gate: docs/gate.md
    says why, with simulated error rates.

    Examples
    --------
    >>> import metameasure as mm
    >>> old, new = [1] * 90 + [0] * 10, [1] * 91 + [0] * 9
    >>> found = mm.gate(old, new, margin=.05, better="higher")
    >>> found.verdict, [round(end, 3) for end in found.parts[0].ends]
    ('pass', [-0.017, 0.044])

    """
    _check(asked)
    pairs, made = pairs_of(asked, old, new, gold)
    margins = [_margin_of(pair.measure, asked.margin) for pair in pairs]
    fails = failing([_gain(pair) for pair in pairs], margins, asked.alpha)
    parts = tuple(Gated(pair, margin, asked.alpha, one) for pair, margin, one in zip(pairs, margins, fails, strict=True))
    margin: Any = dict(asked.margin) if isinstance(asked.margin, Mapping) else asked.margin
    drawn = {"trials": asked.trials, "seed": asked.seed} if any(pair.drawn for pair in pairs) else {}
    signed = made.having(
        command="gate", margin=margin, alpha=asked.alpha, undecided=asked.undecided, units=asked.units,
        incomplete=asked.incomplete, **drawn,
    )  # fmt: skip
    return Gate(parts=parts, alpha=asked.alpha, undecided=asked.undecided, named=asked.validity, made=signed)


def _margin_of(measure: str, margin: float | Mapping[str, float] | None) -> float:
    """The margin of the measure; UsageError if none was given for it."""
    if not isinstance(margin, Mapping):
        return float(margin or 0.0)
    if measure not in margin:
        hint = did_you_mean(measure, margin) or say("name one: {--margin <margin>}", margin=f"{measure}=.02")
        raise UsageError(f"there is no margin for {measure}", hint=hint)
    return float(margin[measure])


def _check(asked: GateOptions) -> None:
    """UsageError for settings that make no sense."""
    if asked.margin is None:
        raise UsageError("no margin was chosen", hint=say("say by how much the new run may be worse, as in {--margin .02}"))
    each = asked.margin.values() if isinstance(asked.margin, Mapping) else [asked.margin]
    for one in each:
        if not 0 <= one < math.inf:
            raise UsageError(f"the margin is {one:g}", hint="choose 0 or more, in units of the measure")
