"""Which ranks are real: of each run the ranks that it may truly have, all at once with one confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.catalogue.measure import Measure, Measures
from metameasure.comparing.across import over_tasks
from metameasure.comparing.battles import BattleComparison, compared_by_battles
from metameasure.comparing.compare import Read, answered
from metameasure.comparing.comparison import Comparison
from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, caption, data, note, say, sentence, warn
from metameasure.core.notes import listed
from metameasure.core.numbers import headed, json_number, number
from metameasure.core.options import fields_of, is_left_out, said, with_options
from metameasure.core.signature import digest_of_numbers
from metameasure.core.validity import named
from metameasure.evidence.battle_reader import are_battles, read_battles
from metameasure.scores.framed import Framed
from metameasure.scores.leaderboard import ranks_from_best
from metameasure.scores.scores import RankSets
from metameasure.show.canvas import COLOURS, GREY, Axes, Figure
from metameasure.show.names import all_named, is_shown
from metameasure.show.rows import Panel, row_chart
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.rank_sets import beaten, rank_sets
from metameasure.tasks.gold_or_scores import check_only_scores, columns_of
from metameasure.tasks.option_groups import CompareOptions, RankOptions, TopicTestOptions

_OF_PAIRS = ("steady difference",)
"""Kinds of notes that are about single pairs, which ``compare`` has an option for."""


@dataclass(frozen=True, eq=False)
class Field:
    """The ranks that follow from one comparison of all runs."""

    comparison: Comparison

    @cached_property
    def scores(self) -> Floats:
        """The mean scores, turned round where lower is better, so that higher is better."""
        return np.asarray(self.comparison.means * (1.0 if self.comparison.better == "higher" else -1.0))

    @cached_property
    def ends(self) -> tuple[Integers, Integers]:
        """The first and the last rank that each run may have."""
        return rank_sets(self.comparison.p, self.scores, self.comparison.alpha)

    @cached_property
    def ranks(self) -> Integers:
        """The ranks by the scores; runs within 1e-12 share one."""
        return ranks_from_best(self.scores)

    @property
    def may_be_first(self) -> list[str]:
        """The runs that none beats."""
        return [run for run, low in zip(self.comparison.runs, self.ends[0], strict=True) if low == 1]

    @property
    def separated(self) -> int:
        """How many neighbours, by their scores, are told apart."""
        return int(np.diagonal(beaten(self.comparison.p, self.scores, self.comparison.alpha), 1).sum())

    def texts(self) -> list[str]:
        """The possible ranks of each run, as people write them."""
        return [*map(self.of_runs().text, self.comparison.runs)]

    def of_runs(self) -> RankSets:
        """The same by run, for a leaderboard."""
        sets = {run: (int(low), int(high)) for run, low, high in zip(self.comparison.runs, *self.ends, strict=True)}
        return RankSets(self.comparison.measure, sets, 1 - self.comparison.alpha, self.comparison.tested())

    def said(self) -> list[Message]:
        """Who may be first, and which neighbours are told apart."""
        first, neighbours = self.may_be_first, len(self.comparison.runs) - 1
        unlike = note(
            "may be first",
            "{number} of {runs} runs may be first: {names}.",
            number=len(first), runs=neighbours + 1, names=listed(first, "and"), measure=self.comparison.measure,
        )  # fmt: skip
        alone = note(
            "may be first",
            "{run} is first: it beats every other run significantly.",
            run=first[0],
            measure=self.comparison.measure,
        )
        nothing = (
            "None of the {neighbours} neighbouring ranks is separated." if neighbours > 1 else "The two ranks are not separated."
        )
        are = "is" if self.separated == 1 else "are"
        some = "{separated} of {neighbours} neighbouring ranks " + are + " separated."
        apart = note(
            "separated", some if self.separated else nothing, separated=self.separated, neighbours=neighbours,
            measure=self.comparison.measure,
        )  # fmt: skip
        return [alone if len(first) == 1 else unlike, apart]

    def facts(self) -> dict[str, Any]:
        """What JSON says of it."""
        one = self.comparison
        rows = zip(one.runs, one.means, self.ranks, *self.ends, strict=True)
        return {
            "test": one.test,
            "correction": one.correction,
            "units": one.units,
            one.units: one.topics,
            "exact": one.exact,
            **({"untested": one.untested} if one.untested else {}),
            "runs": [
                {"run": run, "score": json_number(mean), "rank": int(rank), "possible_ranks": [int(low), int(high)]}
                for run, mean, rank, low, high in rows
            ],
            "may_be_first": self.may_be_first,
            "separated_neighbours": self.separated,
            "neighbours": len(one.runs) - 1,
            **(one.facts() if isinstance(one, BattleComparison) else {}),
        }


@dataclass(frozen=True, eq=False)
class PossibleRanks(Framed):
    """Of each run the ranks that it may truly have, all at once with confidence 1 - alpha. ``other`` is the same where the other
    unit is a sample: items within fixed topics beside topics."""

    caption: ClassVar[str] = "Possible ranks"

    comparison: Comparison
    other_comparison: Comparison | None = None

    @cached_property
    def field(self) -> Field:
        """The ranks by the first unit."""
        return Field(self.comparison)

    @cached_property
    def other(self) -> Field | None:
        """The ranks by the other unit."""
        return None if self.other_comparison is None else Field(self.other_comparison)

    @property
    def measure(self) -> str:
        return self.comparison.measure

    @property
    def alpha(self) -> float:
        return self.comparison.alpha

    @property
    def runs(self) -> tuple[str, ...]:
        """From best to worst."""
        return self.comparison.runs

    @property
    def may_be_first(self) -> list[str]:
        """The runs that none beats."""
        return self.field.may_be_first

    @property
    def separated_neighbours(self) -> int:
        """How many neighbours, by their scores, are told apart."""
        return self.field.separated

    def possible_ranks(self) -> dict[str, tuple[int, int]]:
        """The first and the last rank that each run may have."""
        return dict(self.field.of_runs().ranks)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said beside the ranks."""
        own = [one for one in self.comparison.notes if not _of_a_pair(one)]
        if self.other_comparison is None:
            return tuple(own)
        single = [one for one in own if not (isinstance(one, Message) and one.kind == "sample")]
        return (*single, _samples(self.comparison, self.other_comparison))

    def in_words(self) -> list[str]:
        unable = self.comparison.unable()
        said: list[str] = [unable] if unable else [*self.field.said()]
        if self.other is not None:
            said += [_by_units(one, self.other.comparison.unit) for one in self.other.said()]
        return said

    def to_dict(self) -> dict[str, Any]:
        notes = (*self.notes, *self.in_words())
        return {
            "measure": self.measure,
            "better": self.comparison.better,
            "alpha": self.alpha,
            **self.field.facts(),
            "trials": self.comparison.trials,
            "seed": self.comparison.seed,
            "other_units": None if self.other is None else self.other.facts(),
            "validity": {**self.comparison.validity, **self._validity()},
            "sentences": self.in_words(),
            "notes": list(self.notes),
            "findings": data(notes),
            **self.signed(),
        }

    def _validity(self) -> dict[str, str]:
        """The methods behind the ranks, by the first unit and by the other, where their rates are known."""
        each = {"ranks": self.comparison, "other_ranks": self.other_comparison}
        return {key: method for key, one in each.items() if one is not None and (method := _method(one))}

    def with_methods(self) -> PossibleRanks:
        """The same, with the rows of docs/validity.md behind the ranks."""
        return replace(self, comparison=replace(self.comparison, notes=(*self.comparison.notes, *named(self._validity()))))

    def numbers(self) -> dict[str, str]:
        fields = [self.field, *([self.other] if self.other else [])]
        rows = [
            (one.comparison.units, *row)
            for one in fields
            for row in zip(one.comparison.runs, one.comparison.means, *one.ends, strict=True)
        ]
        return {self.measure: digest_of_numbers(rows)}

    def columns(self) -> dict[str, list[Any]]:
        """One row for each run: run, score, rank, first and last possible rank; and the latter two by the other unit."""
        found: dict[str, list[Any]] = {"run": [*self.runs], "score": self.comparison.means.tolist()}
        found |= {"rank": self.field.ranks.tolist(), "first": self.field.ends[0].tolist(), "last": self.field.ends[1].tolist()}
        if self.other is not None:
            ends, units = self.other.of_runs().ranks, self.other.comparison.units
            found |= {
                f"first by {units}": [ends[run][0] for run in self.runs],
                f"last by {units}": [ends[run][1] for run in self.runs],
            }
        return found

    def all_runs(self) -> Sequence[str]:
        return self.runs

    def tables(self, format: OutputFormat) -> list[Table]:
        ranks = self.field.ranks.tolist()
        shown = [place for place, run in enumerate(self.runs) if is_shown(run)]
        columns = {
            "rank": [f"{rank}{'=' if ranks.count(rank) > 1 else ''}" for rank in ranks],
            "run": all_named(self.runs),
            headed(measure_name(self.measure, format), self.comparison.better): [number(one, 4) for one in self.comparison.means],
            "may be": self.field.texts(),
        }
        if self.other is not None:
            texts = dict(zip(self.other.comparison.runs, self.other.texts(), strict=True))
            columns[f"by {self.other.comparison.unit}"] = [texts[run] for run in self.runs]
        rows = [*zip(*columns.values(), strict=True)]
        shown_rows = tuple(rows[place] for place in shown)
        return [Table(tuple(columns), shown_rows, right=frozenset(columns) - {"run"}, notes=self._below())]

    def _below(self) -> tuple[str, ...]:
        one = self.comparison
        lines: list[str] = [
            note(
                "legend",
                "may be: the ranks that a run may truly have, all at once with {level:g%} confidence.",
                level=1 - self.alpha,
            )
        ]
        tested = [one.tested(), *([self.other.comparison.tested()] if self.other else [])]
        lines += [note("test", "Test: {test}.", test="; ".join(dict.fromkeys(tested)))]
        return (*lines, *map(sentence, self.notes), "", *self.in_words(), say("Seed {seed}.", seed=one.seed))

    def draw(self, width: float) -> Figure:
        """A bar from the first to the last rank of each run, best run at the top, with a dot at its rank."""
        fields = [self.field, *([self.other] if self.other is not None else [])]
        shown = [run for run in self.runs if is_shown(run)]
        panels = [_panel(one, shown, several=len(fields) > 1) for one in fields]
        said = caption(
            "Bars: the ranks by {measure} that a run may truly have, all at once with {level:g%} confidence. Dots: its rank.",
            measure=symbol_of(self.measure),
            level=1 - self.alpha,
        )
        return row_chart(all_named(shown), panels, width, notes=[said])


def _panel(field: Field, runs: Sequence[str], *, several: bool) -> Panel:
    places = [field.comparison.runs.index(run) for run in runs]
    low, high = (ends[places] for ends in field.ends)
    ranks, texts = field.ranks[places], field.texts()

    def draw(axes: Axes, tops: Floats) -> None:
        axes.hlines(tops, low - 0.35, high + 0.35, color=GREY, linewidth=3.0)
        axes.plot(ranks, tops, "o", markersize=3.5, color=COLOURS[0])

    title = f"rank, by {field.comparison.unit}" if several else "rank"
    last = len(field.comparison.runs)
    room = max(0.5, 0.05 * last)
    return Panel(title, (1 - room, last + room), draw, [texts[place] for place in places])


def _of_a_pair(said: str) -> bool:
    return isinstance(said, Message) and said.kind in _OF_PAIRS


def _samples(first: Comparison, second: Comparison) -> Message:
    """What each of the two columns is about: one takes topics as a sample, the other the items within these topics."""
    by_topics, by_items = (second, first) if second.units == "topics" else (first, second)
    template = (
        "the ranks below 'may be' are about other {topics} like these {number}, those below 'by {items}' about other {items} in "
        "these same {topics}"
        if second is by_items
        else "the ranks below 'may be' are about other {items} in these {number} {topics}, those below 'by {topics}' about other "
        "{topics} like these"
    )
    return warn("sample", template, topics=by_topics.unit, number=by_topics.topics, items=by_items.unit)


def _by_units(said: Message, units: str) -> Message:
    """What is said, of the other unit."""
    return Message("By {units}: " + said.template, {**said.parts, "units": units}, said.kind, warns=said.warns)


@with_options(RankOptions)
def ranks(asked: RankOptions, gold: Any, runs: Any = None, measure: Measures | None = None) -> PossibleRanks:
    """Which ranks are real? Of each run the ranks that it may truly have, all at once with 95% confidence.

    A run's first rank is 1 + the number of runs that beat it, its last one the number of runs less those that it beats, by the
    p-values of ``compare``, which hold for all pairs together.

    Parameters
    ----------
    gold : path, data frame, array, evidence or scores
        What is right, as for ``evaluate``; or scores, as for ``compare``; or battles (``model_a``, ``model_b``, ``winner``).
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    measure : str, Measure or sequence of these, optional
        The measure. Scores of one measure need none. After scores it is the second argument. Several, one for each task, are for
        ``across``.

    Returns
    -------
    PossibleRanks
        The runs from best to worst with their possible ranks, who may be first, and how many neighbours are told apart. Of labels
        in six topics or more, the same with items as a sample too.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Percentiles of bootstrapped ranks are not this: docs/ranks.md says why, and how often all ranks are held.

    Examples
    --------
    >>> import metameasure as mm
    >>> import pandas as pd
    >>> scores = {"a": [.8, .7, .6, .9, .6, .8], "b": [.6, .7, .4, .8, .5, .6], "c": [.3, .4, .2, .5, .3, .3]}
    >>> long = [("accuracy", f"t{place}", run, one) for run, each in scores.items() for place, one in enumerate(each)]
    >>> mm.ranks(pd.DataFrame(long, columns=["measure", "topic", "run", "score"])).possible_ranks()
    {'a': (1, 2), 'b': (1, 2), 'c': (3, 3)}

    """
    found = _ranks(asked, gold, runs, measure)
    return found.with_methods() if asked.validity else found


def _ranks(asked: RankOptions, gold: Any, runs: Any, measure: Measures | None) -> PossibleRanks:
    if asked.across is not None:
        return _over_tasks(asked, gold, runs, measure)
    if is_of_battles(asked, gold, runs):
        return _of_battles(asked, gold)
    compared = CompareOptions(
        **{field.name: getattr(asked, field.name) for field in fields_of(RankOptions) if field.name not in ("across", "validity")}
    )
    both = asked.units is None and asked.test is None and asked.correction is None and asked.average == "topics"
    found, read = answered(compared, gold, runs, measure, keep_items=both)
    if not isinstance(found, Comparison):
        raise UsageError("runs are ranked by one measure at a time", hint="name one measure")
    other = _by_other_units(read, found, said(compared, TopicTestOptions)) if both and read is not None else None
    correction = None if found.correction == "none" else found.correction  # the stepwise test needs none
    made = found.made.having(command="ranks", level=None, units=None if other else found.units, correction=correction)
    return PossibleRanks(replace(found, made=made), other, made=made)


def _method(comparison: Comparison) -> str | None:
    """The method behind possible ranks; none for tests that have to be asked for."""
    if isinstance(comparison, BattleComparison):
        return "ranks/bradley-terry"
    if "ranks" in comparison.validity:
        return comparison.validity["ranks"]
    _, unit, *how = comparison.validity.get("p", "/").split("/")
    if unit == "stepwise":
        return "ranks/stepwise"
    return "ranks/items" if unit in ("items", "clusters", "fixed-topics") and "bootstrap" not in how else None


def _over_tasks(asked: RankOptions, data: Any, others: Any, measure: Measures | None) -> PossibleRanks:
    """Several tasks: files that stand where gold and runs do, or scores in a list or by name."""
    check_only_scores(data, asked.of_data(), asked.task)
    if asked.units == "items" or asked.test is not None or asked.correction is not None:
        raise UsageError(
            say("{--across} has its own tests over tasks and questions"), hint="leave out units, test and correction"
        )
    more = [] if others is None else list(others) if isinstance(others, list | tuple) else [others]
    several = data if isinstance(data, Mapping | list | tuple) and not more else [data, *more]
    measures = [] if measure is None else [measure] if isinstance(measure, str | Measure) else list(measure)
    names = ("better", "incomplete", "leave_out", "baselines", "registry", "alpha", "trials", "seed", "threads")
    found, other = over_tasks(
        several, asked.across or "ranks", [str(one) for one in measures], **{n: getattr(asked, n) for n in names}
    )
    made = found.made.having(command="ranks", incomplete=asked.incomplete, better=asked.better)
    return PossibleRanks(replace(found, made=made), None if asked.units == "topics" else other, made=made)


def is_of_battles(asked: RankOptions, data: Any, runs: Any) -> bool:
    """Whether it is a table of battles: by the format that the user names, or by its columns."""
    if asked.format_in == "battles":
        return True
    return is_left_out(runs) and asked.format_in is None and are_battles(columns_of(data, asked.told()) or ())


def _of_battles(asked: RankOptions, data: Any) -> PossibleRanks:
    read = read_battles(data, asked.columns.get("judge"))
    found = compared_by_battles(read, alpha=asked.alpha, trials=asked.trials, seed=asked.seed)
    made = found.made.having(command="ranks")
    return PossibleRanks(replace(found, made=made), made=made)


def _by_other_units(read: Read, found: Comparison, settings: dict[str, Any]) -> Comparison | None:
    """The same runs with the other unit as a sample, where there is one."""
    if not read.has_both_units(read.wanted[0]):
        return None
    (other,) = read.compared({**settings, "units": "items" if found.units == "topics" else "topics"})
    return other
