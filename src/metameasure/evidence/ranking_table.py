"""Rankings in every format of the interface, read, joined and brought into one order, whatever the order of the files."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.lazily import nw
from metameasure.core.messages import Message, note, option, say, warn
from metameasure.core.notes import counted
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.values import in_order, repeated
from metameasure.evidence.rankings import Rankings, places
from metameasure.evidence.room import Room, Spool, bounds
from metameasure.evidence.score_ranks import ranks_of_scores, ranks_without_ties
from metameasure.reading.engine import Engine, Frame, Kind, Picked, distinct, fetch, reading
from metameasure.reading.engine import rows as number_of_rows
from metameasure.reading.formats import format_names
from metameasure.reading.inputs import GoldAndRuns, check_names, missing_columns, open_inputs
from metameasure.reading.keyed import Names, Places, check_run_columns, code_of, filled, renumbered, runs_of, texts_in
from metameasure.reading.lines import NONE, Faults, Found, Key, Keys, Standing, located, nearest, together
from metameasure.reading.options import Columns, Holds, ReadOptions
from metameasure.reading.ranks import HINTS, read, unranked_as_nan, wrong
from metameasure.reading.sources import Source, text_array
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.work import in_steps

POLICIES = ("drop", "last")
_STANDARD = Columns()
_APART = ("judge", "ranking")  # what tells rankings of one segment apart
_ONE_ROW = "keep one row per {segment} and {item}"
_TIES = "documents with equal scores stay tied (trec_eval orders them by id)"
_AS_TREC_EVAL = (
    "read as trec_eval does ({--compat none} for our own reading): linear gain and equal scores ordered by document id unless a "
    "measure or an option says how gains and ties are read, means over the topics that a run answers, 0 where no document is "
    "relevant"
)


@dataclass(frozen=True)
class RankingOptions(ReadOptions):
    """How rankings are read.

    Scores nearer than ``tie_epsilon`` (gold's: ``gold_tie_epsilon``) tie. ``missing`` is what becomes of items of gold that a run
    lacks: left out (``drop``) or behind all others, tied (``last``); by default an error. ``extra`` is what becomes of items that
    gold lacks: ``error`` or ``ignore``; by default an error, but not where gold is of WMT, whose judges see a few systems each.
    ``compat`` is the program whose reading is wanted; TREC's files are read as trec_eval does unless it is ``none``.
    """

    task: str = "ranking"
    tie_epsilon: float = 0.0
    gold_tie_epsilon: float = 0.0
    extra: str | None = None
    compat: str | None = None

    def __post_init__(self) -> None:
        choices = {
            "format": (self.format_in, tuple(format_names("ranking"))),
            "policy for missing items": (self.missing, POLICIES),
            "policy for items that gold lacks": (self.extra, ("error", "ignore")),
            "kind of gold values": (self.gold_are, ("ranks", "scores")),
            "kind of run values": (self.runs_are, ("ranks", "scores")),
        }
        for what, (chosen, known) in choices.items():
            if chosen is not None and chosen not in known:
                raise UsageError(f"there is no {what} '{chosen}'", hint=f"choose {' or '.join(known)}")
        for epsilon in (self.tie_epsilon, self.gold_tie_epsilon):
            if not 0 <= epsilon < np.inf:
                raise UsageError(f"{epsilon} is not a distance for ties", hint="give a number from 0 up")
        twice = repeated(self.run_columns)
        if twice:
            raise UsageError(f"the run column '{twice[0]}' is named twice", hint="name each run once")
        super().__post_init__()


@dataclass(frozen=True)
class _Values:
    """Which columns of a source hold ranks or scores, gold's or the run's own first."""

    source: Source
    columns: Columns
    holds: Mapping[str, Holds]

    @property
    def first(self) -> str:
        return next(iter(self.holds))

    @property
    def beside(self) -> tuple[str, ...]:
        return tuple(self.holds)[1:]

    @property
    def tells_rankings_apart(self) -> bool:
        """Whether a judge may have ranked a segment more than once."""
        return self.columns.ranking in self.source.columns

    def picked(self, more: Sequence[str] = ()) -> Picked:
        """Keys and values of the source, the values by their place."""
        keys: dict[str, tuple[str | None, Kind]] = {
            role: (name if (name := getattr(self.columns, role)) in self.source.columns else None, "text")
            for role in ("segment", "item", *more)
        }
        return Picked(self.source, keys | {f"value {place}": (name, "number") for place, name in enumerate(self.holds)})

    def faults(self, total: int, of: Callable[[Mapping[str, Any]], bool] = lambda _: True) -> Faults:
        """Cells that are no rank or score, line by line."""
        if not total:
            return NONE

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            if not of(record):
                return None
            for name, holds in self.holds.items():
                try:
                    read(record.get(name), holds, "grade" if self.source.graded else None)
                except ValueError as error:
                    what: Message = error.args[0]
                    return say("{column}: {what}", column=name, what=what) if len(self.holds) > 1 else what
            return None

        hint = "a grade is a number, 0 for irrelevant" if self.source.graded else HINTS[self.holds[self.first]]
        hints = {name: HINTS[holds] for name, holds in self.holds.items()}
        what = say("a value of {names} is not a number that may stand there", names=", ".join(self.holds))
        return located(self.source, reason, None, total, lambda said: hints.get(said.parts.get("column", ""), hint), [what])


def gold_values(source: Source, options: RankingOptions, *, alone: bool) -> _Values:
    """Which columns of gold to read: with runs beside gold where the user names some, or where gold is ``alone``."""
    columns = options.gold_columns or options.columns
    problems = _missing_keys(source, columns)
    if columns.gold != _STANDARD.gold or columns.gold in source.columns:
        problems += missing_columns(source, {"gold": columns.gold})
        first = (columns.gold, options.gold_are or ("scores" if columns.gold == columns.score else "ranks"))
    else:
        first, faults = _rank_or_score(source, options.gold_are, columns)
        problems += faults
    names = options.run_columns
    if not names and alone and columns.gold in source.columns and not source.partial:
        roles = {columns.segment, columns.item, columns.judge, columns.ranking, first[0]}
        names = tuple(name for name in source.columns if name not in roles)
    hint = say("its columns are {names}", names=", ".join(source.columns))
    problems += [
        source.problem(1, say("there is no column '{name}'", name=name), did_you_mean(name, source.columns) or hint)
        for name in names
        if name not in source.columns and not source.partial and not source.graded
    ]
    if problems:
        raise DataProblems(problems)
    if any(name not in source.columns for name in names):
        raise UsageError("this format has no columns of runs", hint=say("name the runs' files instead of {--run-columns}"))
    check_run_columns(names, first[0])
    return _Values(source, columns, dict([first, *((name, options.runs_are or "ranks") for name in names)]))


def run_values(source: Source, name: str, options: RankingOptions) -> tuple[_Values, list[str]]:
    """Which columns of a run to read, and what to say about the choice."""
    columns = options.columns
    held, problems = _rank_or_score(source, options.runs_are, columns)
    problems = _missing_keys(source, columns) + problems
    if problems:
        raise DataProblems(problems)
    both = options.runs_are is None and {columns.rank, columns.score} <= set(source.columns)
    read = "{run}: has '{rank}' and '{score}'; the ranks are read"
    said: list[str] = [note("ranks and scores", read, run=name, rank=columns.rank, score=columns.score)] if both else []
    return _Values(source, columns, dict([held])), said


def _missing_keys(source: Source, columns: Columns) -> list[Problem]:
    roles = {"segment": columns.segment, "item": columns.item}
    if source.header and not {*roles.values(), columns.rank, columns.score, columns.gold} & set(source.columns):
        hint = f"name the columns, as in {columns.segment}, {columns.item}, {columns.rank}"
        near = any(did_you_mean(name, source.columns) for name in roles.values())
        if not near:
            return [source.problem(1, "the first line names no column that is known", hint)]
    return missing_columns(source, roles)


def _rank_or_score(source: Source, holds: Holds | None, columns: Columns) -> tuple[tuple[str, Holds], list[Problem]]:
    choices: list[tuple[str, Holds]] = [(columns.rank, "ranks"), (columns.score, "scores")]
    if source.graded:
        choices.insert(0, (columns.grade, "scores"))
    wanted = [choice for choice in choices if holds in (None, choice[1])]
    for choice in wanted:
        if choice[0] in source.columns:
            return choice, []
    names = "' or '".join(name for name, _ in wanted)
    near = [hint for name, _ in wanted if (hint := did_you_mean(name, source.columns))]
    hint = (
        near[0]
        if near
        else say("its columns are {names}: choose with {--rank-column} or {--score-column}", names=", ".join(source.columns))
    )
    return wanted[0], [source.problem(1, say("there is no column '{names}'", names=names), hint)]


def read_rankings(gold: Any, runs: Any = None, options: RankingOptions | None = None) -> Rankings:
    """Rankings from files of any format that we know, or from data frames; runs may also stand beside gold. UsageError for
    options that do not fit, DataProblems for data that is wrong."""
    chosen = options or RankingOptions()
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        inputs = open_inputs(gold, runs, chosen, Path(scratch))
        if chosen.memory is not None:
            return _in_blocks(inputs, chosen, Room.of(chosen.memory), Path(scratch))
        reader = _Reader.of(inputs, chosen, keep=True)
        with reading([inputs.gold, *inputs.runs]):
            of_gold, of_runs = reader.coded
            return reader.part(of_gold, of_runs, of_runs)[0]


def _in_blocks(inputs: GoldAndRuns, options: RankingOptions, room: Room, scratch: Path) -> Rankings:
    """The same in blocks of segments, for what is larger than memory. What is wrong is said after the last block."""
    reader = _Reader.of(inputs, options, keep=False)
    sources = [inputs.gold, *inputs.runs]
    with reading(sources):
        blocks = _Blocks.of(reader, room.rows_at_once)
        of_gold, of_runs = reader.coded
        gold = reader.engine.apart(blocks.numbered(of_gold), "block", scratch / "gold")
        runs = None if of_runs is None else reader.engine.apart(blocks.numbered(of_runs), "block", scratch / "runs")
    parts, tallies, wrong = list[Rankings](), list[_Tally](), NONE
    with Spool(room) as predicted, Spool(room) as scores:
        for number in in_steps(range(blocks.number), len(blocks.of_segments), "segments", blocks.size):
            try:
                with reading(sources):
                    rows = None if of_runs is None else blocks.chosen(of_runs, number)
                    part, tally = reader.part(gold(number), None if runs is None else runs(number), rows)
            except DataProblems as error:
                wrong = together(wrong, ([*error.problems], error.total))
            if wrong[0]:
                continue
            predicted.add(part.predicted)
            if part.scores is not None:
                scores.add(part.scores)
            parts.append(replace(part, runs=(), predicted=part.predicted[:0], scores=None))
            tallies.append(tally)
        if wrong[0]:
            raise DataProblems(*wrong)
        values = (predicted.side_by_side(), scores.side_by_side() if scores.shapes else None)
    segments = tuple(segment for one in parts for segment in one.sources)
    judges = tuple(judge for one in parts for judge in one.judges)
    scored = parts[0].gold_scores is not None
    return replace(
        parts[0],
        runs=part.runs,
        topics=_topics(segments, judges),
        sources=segments,
        judges=judges,
        starts=np.append(0, np.cumsum(np.concatenate([one.sizes for one in parts]))),
        items=np.concatenate([one.items for one in parts]),
        gold=np.concatenate([one.gold for one in parts]),
        gold_scores=np.concatenate([one.gold_scores for one in parts if one.gold_scores is not None]) if scored else None,
        predicted=values[0],
        scores=values[1],
        notes=reader.notes_on(tallies),
    )


@dataclass(frozen=True)
class _Reader:
    """Rankings about to be read: all of them, or block by block."""

    inputs: GoldAndRuns
    options: RankingOptions
    of_gold: _Values
    notes: tuple[str, ...]
    engine: Engine
    gold: Frame
    runs: Frame | None
    names: tuple[str, ...]
    values: Sequence[_Values]

    @classmethod
    def of(cls, inputs: GoldAndRuns, options: RankingOptions, *, keep: bool) -> _Reader:
        """``keep`` reads files once, and keeps their rows."""
        of_gold = gold_values(inputs.gold, options, alone=not inputs.runs)
        _check_policies(inputs.gold, options)
        chosen, notes = _chosen_runs(inputs, options)
        engine = Engine(threads=options.threads, memory=options.memory)
        with reading([inputs.gold]):
            gold = engine.here(engine.scan([of_gold.picked(("judge", "ranking"))]).drop("source"))
            gold = engine.kept(gold) if keep else gold
        with reading([*inputs.runs]):
            runs, names, values = _run_rows(engine, inputs, chosen, of_gold)
            runs = None if runs is None else engine.here(runs, run=len(names))
            runs = engine.kept(runs) if keep and runs is not None else runs
        check_names((*of_gold.beside, *names))
        return cls(inputs, options, of_gold, tuple(notes), engine, gold, runs, names, values)

    @cached_property
    def keys(self) -> Names:
        """What rows are known by: gold's segments, its judges and rankings where it has them, and its items; where documents are
        graded, those of its segments that runs have beside them too."""
        items = self.gold.select("item")
        if self.inputs.gold.graded and self.runs is not None:
            segments = distinct(self.gold, "segment")
            items = nw.concat([items, self.runs.join(segments, on="segment", how="semi").select("item")])
        apart = [role for role in _APART if getattr(self.of_gold.columns, role) in self.inputs.gold.columns]
        texts = {role: texts_in(self.gold, role) for role in apart}
        if "judge" in texts:
            texts["judge"] = in_order(texts["judge"])
        known = {"segment": in_order(texts_in(self.gold, "segment")), "item": in_order(texts_in(items, "item"))}
        return Names(self.engine, {**known, **{role: ("", *named) for role, named in texts.items()}})

    @cached_property
    def coded(self) -> tuple[Frame, Frame | None]:
        """Gold and runs with their keys by number."""
        return self._coded(self.gold), None if self.runs is None else self._coded(self.runs)

    def _coded(self, frame: Frame) -> Frame:
        had = frame.collect_schema().names()
        named = [nw.coalesce(nw.col(role), nw.lit("")).alias(role) for role in _APART if role in self.keys.of and role in had]
        return self.keys.of_roles(had).coded(frame.with_columns(*named) if named else frame)

    @property
    def as_trec_eval(self) -> bool:
        return self.options.compat == "trec_eval" or (self.inputs.gold.graded and self.options.compat is None)

    def part(self, gold: Frame, runs: Frame | None, rows: Frame | None) -> tuple[Rankings, _Tally]:
        """Rows that are coded, joined and checked, as evidence, and what was counted on the way. ``rows`` are those of the runs
        with their names, for error messages."""
        placed = _placed(self.keys, runs, len(self.names)) if runs is not None else []
        coded = _coded_gold(self.keys, gold, self.of_gold, placed)
        problems = coded.problems()
        if problems[0]:
            raise DataProblems(*problems)
        values, missing, extra = ([], [], []) if rows is None else self._joined(rows, placed, coded)
        tally = _Tally(coded.negative, coded.added, missing, extra)
        stacked = [*coded.beside[:, coded.layout.order], *values]
        return self._ranked(coded, np.array(stacked).reshape(len(stacked), len(coded.value)), tally), tally

    def _joined(self, rows: Frame, placed: Sequence[_RunRows], gold: _GoldRows) -> tuple[list[Floats], list[int], list[int]]:
        """Each run's values where gold has items, how many items it lacks, and how many of its rows gold lacks. DataProblems with
        what is wrong with any run."""
        graded, layout = self.inputs.gold.graded, gold.layout
        partial = (self.inputs.gold.partial or graded) and not self.of_gold.beside
        may_add = self.options.extra == "ignore" if self.options.extra else partial
        may_lack = self.options.missing is not None or graded
        faults: Faults = NONE
        joined, lacking, strange = list[Floats](), list[int](), list[int]()
        for number, (own, run) in enumerate(zip(self.values, placed, strict=True)):
            held = own.holds[own.first]
            numbers, bad = _numbers(run.value, held)
            by_ranking = own.tells_rankings_apart and gold.values.tells_rankings_apart
            slot, needed, place = _slots(run, gold, by_ranking=by_ranking)
            known = place >= 0
            places = Places.of_side(place, len(needed))
            pair = np.empty(len(needed), np.int64)
            pair[slot] = layout.pairs
            missing, extra = np.flatnonzero(needed & (places.times[0] == 0)), int(places.outside.sum())
            name = self.names[number] if self.inputs.stacked else None
            one = _Joining(own, gold, rows.filter(nw.col("run") == number), name, may_add=may_add, may_lack=may_lack)
            problems = one.problems(int(bad.sum()), pair[places.again()], extra, pair[missing])
            faults = together(faults, problems)
            if problems[0]:
                continue
            column = np.full(len(needed), np.nan)
            column[place[known]] = unranked_as_nan(numbers, held)[known]
            joined.append(column[slot])
            lacking.append(len(missing))
            strange.append(extra)
        if faults[0]:
            raise DataProblems(*faults)
        return joined, lacking, strange

    def _ranked(self, gold: _GoldRows, values: Floats, tally: _Tally) -> Rankings:
        """``values`` (runs, items) are those of the runs, in the order of gold's rows."""
        beside, own = self.of_gold.beside, [values.holds[values.first] for values in self.values]
        held = [*(self.of_gold.holds[name] for name in beside), *own]
        truth = gold.value[gold.layout.order]
        return ranked(
            self.options, (*beside, *self.names), gold.layout, tuple(self.keys.of["item"]),
            (truth, self.of_gold.holds[self.of_gold.first]), (values, held),
            as_trec_eval=self.as_trec_eval, graded=self.inputs.gold.graded, notes=self.notes_on([tally]),
        )  # fmt: skip

    def notes_on(self, tallies: Sequence[_Tally]) -> tuple[str, ...]:
        """What is said of rankings of which so much was counted, part by part."""
        return (*self.inputs.notes, *self._said_of_gold(tallies), *self.notes, *self._said_of_runs(tallies))

    def _said_of_gold(self, tallies: Sequence[_Tally]) -> list[str]:
        """What is said of grades."""
        source = self.inputs.gold
        if not source.graded:
            return []
        negative, added = sum(tally.negative for tally in tallies), sum(tally.added for tally in tallies)
        said = list[str]()
        if negative:
            grades = counted(negative, "negative grade")
            said.append(
                note("rows read otherwise", "{file}: {grades} counted as 0, as in trec_eval", file=source.shown, grades=grades)
            )
        if self.runs is not None:
            said.append(note("reading of ties", _AS_TREC_EVAL if self.as_trec_eval else _TIES))
        if added:
            said.append(
                note(
                    "unjudged documents",
                    "{documents} that nobody judged counted as irrelevant",
                    documents=counted(added, "retrieved document"),
                )
            )
        return said

    def _said_of_runs(self, tallies: Sequence[_Tally]) -> list[str]:
        missing, extra = (
            map(sum, zip(*(getattr(tally, name) for tally in tallies), strict=True)) for name in ("missing", "extra")
        )
        counts = zip(self.names, missing, extra, strict=True)
        return [note for name, lacking, strange in counts for note in _counted(name, lacking, strange, self.options)]


def ranked(
    options: RankingOptions,
    runs: tuple[str, ...],
    layout: Layout,
    names: tuple[str, ...],
    gold: tuple[Floats, Holds],
    of_runs: tuple[Floats, Sequence[Holds]],
    *,
    as_trec_eval: bool,
    graded: bool = False,
    notes: tuple[str, ...] = (),
) -> Rankings:
    """Scores become ranks with ties, and what a run lacks is ranked as the options say. Values are those of gold (items,) and of
    the runs (runs, items), each with what they are; ``names`` are the items'."""
    starts, (truth, truth_holds), (values, held) = layout.starts, gold, of_runs
    scored = [holds == "scores" for holds in held]
    predicted = values.copy()
    by_name = _by_name(names, layout.items, starts) if as_trec_eval and not options.tie_epsilon else None
    for run in np.flatnonzero(scored).tolist():
        if by_name is not None:
            predicted[run, by_name] = ranks_without_ties(values[run, by_name], starts)
        else:
            predicted[run] = ranks_of_scores(values[run], starts, options.tie_epsilon)
    gold_scores = truth if truth_holds == "scores" else None
    chosen = {"missing": options.missing, "tie_epsilon": options.tie_epsilon, "gold_tie_epsilon": options.gold_tie_epsilon}
    return Rankings(
        runs=runs,
        topics=_topics(layout.sources, layout.judges),
        sources=layout.sources,
        judges=layout.judges,
        starts=starts,
        items=layout.items,
        item_names=names,
        gold=truth if gold_scores is None else ranks_of_scores(gold_scores, starts, options.gold_tie_epsilon),
        predicted=_last(predicted, starts) if options.missing == "last" else predicted,
        gold_scores=gold_scores,
        scores=np.where(np.array(scored)[:, None], values, np.nan) if any(scored) else None,
        settings=tuple(
            (name, f"{setting:g}" if isinstance(setting, float) else setting) for name, setting in chosen.items() if setting
        ),
        notes=notes,
        graded=graded,
        as_trec_eval=as_trec_eval,
    )


@dataclass(frozen=True)
class _Tally:
    """How many grades are ``negative``, how many items are ``added`` to those of gold, and for each run the items that it lacks
    and the rows that gold lacks."""

    negative: int
    added: int
    missing: Sequence[int]
    extra: Sequence[int]


def _by_name(names: tuple[str, ...], items: Integers, starts: Integers) -> Any:
    """The items of each segment in the order of their names as text; numbers are read in the order of their size."""
    if len(names) > len(items):  # a block has a few of the items
        few, items = np.unique(items, return_inverse=True)
        names = tuple(names[item] for item in few.tolist())
    place = places(names)[items]
    segment = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rising = (np.diff(place) >= 0) | (np.diff(segment) > 0)
    return slice(None) if rising.all() else np.lexsort((place, segment))


def _last(predicted: Floats, starts: Integers) -> Floats:
    """Items without a rank behind all others of their segment, tied."""
    ranked = ~np.isnan(predicted)
    behind = np.maximum.reduceat(np.where(ranked, predicted, 0.0), starts[:-1], axis=1)
    behind = np.maximum(behind, np.add.reduceat(ranked.astype(float), starts[:-1], axis=1)) + 1
    return np.where(ranked, predicted, np.repeat(behind, np.diff(starts), axis=1))


@dataclass(frozen=True)
class _Blocks:
    """Segments in blocks that fit into memory, by the numbers of the segments and of the blocks."""

    engine: Engine
    of_segments: Integers
    number: int

    @classmethod
    def of(cls, reader: _Reader, rows_at_once: int) -> _Blocks:
        sizes, code = np.zeros(len(reader.keys.of["segment"]), np.int64), code_of("segment")
        for frame in reader.coded:
            if frame is not None:
                counts = fetch(frame.group_by(code).agg(nw.len().cast(nw.Int64).alias("rows")))
                np.add.at(sizes, np.maximum(filled(counts[code]), 0), counts["rows"])
        ends = list(bounds(sizes, rows_at_once)) or [(0, 0)]
        return cls(reader.engine, np.repeat(np.arange(len(ends)), [last - first for first, last in ends]), len(ends))

    def size(self, number: int) -> int:
        """How many segments a block has."""
        return int((self.of_segments == number).sum())

    def numbered(self, frame: Frame) -> Frame:
        """A frame with the ``block`` of each row; those whose segment is not known are in the first."""
        known = {code_of("segment"): np.arange(len(self.of_segments)), "block": self.of_segments}
        joined = frame.join(self.engine.frame(known, beside=frame), on=code_of("segment"), how="left")
        return joined.drop("segment", "item").with_columns(nw.col("block").fill_null(0))

    def chosen(self, frame: Frame, number: int) -> Frame:
        """The rows of a block with their names."""
        first, last = np.searchsorted(self.of_segments, [number, number + 1]).tolist()
        code = nw.col(code_of("segment")).fill_null(0)
        return frame.filter((code >= first) & (code < last))


def _check_policies(gold: Source, options: RankingOptions) -> None:
    if gold.graded and (options.missing == "last" or options.extra):
        raise UsageError(
            say("{option} is not for TREC's files", option=option("missing last" if options.missing == "last" else "extra")),
            hint="what a run does not retrieve has no rank, and what nobody judged is irrelevant: leave it out",
        )


def _chosen_runs(inputs: GoldAndRuns, options: RankingOptions) -> tuple[list[_Values], list[str]]:
    """The columns of each run. DataProblems with those that lack some, all together."""
    chosen, notes, problems = list[_Values](), list[str](), list[Problem]()
    for source, name in zip(inputs.runs, inputs.names, strict=True):
        try:
            values, said = run_values(source, name, options)
        except DataProblems as error:
            problems += error.problems
            continue
        chosen.append(values)
        notes += said
    if problems:
        raise DataProblems(problems)
    return chosen, notes


def _run_rows(
    engine: Engine, inputs: GoldAndRuns, chosen: Sequence[_Values], of_gold: _Values
) -> tuple[Frame | None, tuple[str, ...], list[_Values]]:
    """All runs' rows, by number: their names, and the columns that each was read from."""
    if not chosen:
        return None, (), []
    if not inputs.stacked:
        apart = of_gold.tells_rankings_apart and any(one.tells_rankings_apart for one in chosen)
        rows = engine.scan([one.picked(("judge", "ranking") if apart else ()) for one in chosen]).rename({"source": "run"})
        return rows, inputs.names, list(chosen)
    (one,) = chosen
    frame, names = runs_of(engine, Picked(one.source, {"run": (one.columns.run, "text"), **one.picked().columns}))
    nameless = fetch(frame.filter(nw.col("run").is_null()).select(nw.len().alias("rows")))["rows"][0] if names else 0
    if nameless or not names:
        raise UsageError(f"a row of the runs has nothing in the column '{one.columns.run}'", hint="name the run of every row")
    return frame, names, [one] * len(names)


def _coded_gold(keys: Names, rows: Frame, of_gold: _Values, placed: Sequence[_RunRows]) -> _GoldRows:
    """Gold by numbers: where names stand in their order. Documents of gold's topics that some run has retrieved and nobody has
    judged are irrelevant, as in trec_eval."""
    values = [f"value {place}" for place in range(len(of_gold.holds))]
    columns = fetch(rows.select(*map(code_of, keys.of), *values), masks=True)
    numbers, bad = zip(
        *(_numbers(columns[name], holds) for name, holds in zip(values, of_gold.holds.values(), strict=True)), strict=True
    )
    code, size = {role: filled(columns[code_of(role)]) for role in keys.of}, len(keys.of["item"])
    added = np.zeros((2, 0), np.int64)
    if of_gold.source.graded and placed:
        judged = code["segment"] * size + code["item"]
        retrieved = np.sort(np.concatenate([run.key[run.key >= 0] for run in placed]))  # np.unique is ten times slower
        retrieved = retrieved[np.diff(retrieved, prepend=-1) > 0]
        unjudged = np.ones(len(retrieved), bool)
        place = np.minimum(np.searchsorted(retrieved, judged), max(0, len(retrieved) - 1))  # several times faster than np.isin
        unjudged[place[retrieved[place] == judged] if len(retrieved) else []] = False
        added = np.array(np.divmod(retrieved[unjudged], size))
    nobody = np.zeros(len(code["item"]) + added.shape[1], np.int64)
    apart = {role: np.append(code[role], np.zeros(added.shape[1], np.int64)) if role in code else nobody for role in _APART}
    return _GoldRows(
        of_gold, keys, np.append(code["segment"], added[0]), np.append(code["item"], added[1]), apart["judge"], apart["ranking"],
        list(numbers), np.any(bad, axis=0), added.shape[1],
    )  # fmt: skip


def _numbers(column: Any, holds: Holds) -> tuple[Floats, Booleans]:
    """Values, NaN where there is none, and which cells hold something else."""
    numbers = np.asarray(np.ma.filled(column, np.nan), float)
    return numbers, wrong(numbers, np.ma.getmaskarray(column), holds)


def _placed(keys: Names, runs: Frame, number: int) -> list[_RunRows]:
    """The coded rows of every run by numbers, from one query."""
    had = runs.collect_schema().names()
    apart = [code_of(role) for role in _APART if code_of(role) in had]
    columns = [code_of("segment"), code_of("item"), "value 0", *(["run"] if number > 1 else []), *apart]
    arrays = fetch(runs.select(*columns), masks=True)
    rankings = np.column_stack([filled(arrays[name]) for name in apart]) if apart else None
    segment, item = filled(arrays[code_of("segment")]), filled(arrays[code_of("item")])
    key = np.where((segment >= 0) & (item >= 0), segment * len(keys.of["item"]) + item, -1)
    if number == 1:
        return [_RunRows(key, arrays["value 0"], rankings)]
    run = np.asarray(arrays["run"], np.int64)
    order = np.argsort(run, kind="stable")
    parts = np.split(order, np.searchsorted(run[order], np.arange(1, number)))
    return [_RunRows(key[mine], arrays["value 0"][mine], None if rankings is None else rankings[mine]) for mine in parts]


@dataclass(frozen=True, eq=False)
class _RunRows:
    """The rows of one run: segment and item as one number (-1: not among the names), and the value, masked where it is empty;
    and the judge and the ranking that each row is meant for, where gold tells rankings apart and a run does too."""

    key: Integers
    value: Any
    rankings: Integers | None = None


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows in order: by source segment, judge, what the ranking says, item. ``order`` are positions in the rows given.

    ``repeated`` are the rows whose item stands in the same ranking already. ``pairs`` numbers each (source segment, item), by
    which runs are joined; ``pair_keys`` are what the numbers mean.
    """

    sources: tuple[str, ...]
    judges: tuple[str | None, ...]
    starts: Integers
    order: Integers
    items: Integers
    repeated: Integers
    pairs: Integers
    pair_keys: Integers

    @classmethod
    def of_places(cls, sources: tuple[str, ...], starts: Integers, items: Integers) -> Layout:
        """Rows that are in order already, of segments that nobody ranks twice."""
        rows = np.arange(len(items))
        return cls(sources, (None,) * len(sources), starts, rows, items, rows[:0], rows, rows)

    def place(self, keys: Integers) -> Integers:
        """Where segments and items, each two as one number, stand among the pairs; -1 for those that do not."""
        order = np.argsort(keys, kind="stable")  # looking up keys in order is several times faster
        places = np.empty(len(keys), np.int64)
        places[order] = np.minimum(np.searchsorted(self.pair_keys, keys[order]), len(self.pair_keys) - 1)
        return np.where(self.pair_keys[places] == keys, places, -1)


@dataclass(frozen=True, eq=False)
class _GoldRows:
    """Gold, one row per item of a ranking. ``ranking`` tells rankings apart where the source does; otherwise a ranking is all
    that one judge says of a source segment. ``bad`` rows hold something that is no value. The last rows, as many as
    are ``added``, are the segments and items that only runs have."""

    values: _Values
    keys: Names
    segment: Integers
    item: Integers
    judge: Integers
    """From 1 on; 0 is nobody."""
    own_ranking: Integers
    """From 1 on; 0 where a row does not say which."""
    numbers: list[Floats]
    bad: Booleans
    added: int

    @property
    def graded(self) -> bool:
        return self.values.source.graded

    @cached_property
    def ranking(self) -> Integers:
        """The rankings by number."""
        judges, rankings = (len(self.keys.of.get(role, "0")) for role in _APART)
        by_judge = self.segment * judges + self.judge
        return renumbered(by_judge * rankings + self.own_ranking, len(self.keys.of["segment"]) * judges * rankings)[1]

    @cached_property
    def value(self) -> Floats:
        first = unranked_as_nan(self.numbers[0], self.values.holds[self.values.first])
        if not self.graded:
            return first
        return np.concatenate([np.maximum(first, 0.0), np.zeros(self.added)])

    @cached_property
    def beside(self) -> Floats:
        columns = zip(self.numbers[1:], self.values.beside, strict=True)
        rows = [unranked_as_nan(column, self.values.holds[name]) for column, name in columns]
        return np.array(rows).reshape(len(rows), len(self.value))

    @property
    def negative(self) -> int:
        """How many grades count as 0."""
        return int((self.numbers[0] < 0).sum()) if self.graded else 0

    def _keys(self) -> Keys:
        present, columns = self.values.source.columns, self.values.columns
        more = [role for role in ("judge", "ranking") if getattr(columns, role) in present]
        return Keys(("segment", *more, "item"), columns)

    def problems(self) -> Faults:
        """What is wrong with gold: no rows, rows without keys, values that are none, items again, segments without any rank."""
        source, keys = self.values.source, self._keys()
        if not len(self.bad):
            return [source.problem(0, "there are no items", "it needs one row per segment and item")], 1
        nameless = {"segment": self.segment < 0, "item": self.item < 0}
        problems = together(
            *(keys.empty(source, role, int(lacking.sum())) for role, lacking in nameless.items()),
            self.values.faults(int(self.bad.sum())),
        )
        if any(lacking.any() for lacking in nameless.values()):
            return problems
        layout = self.layout
        again = [self._key(row, keys) for row in layout.repeated[:MOST_SHOWN].tolist()]
        one_row = _ONE_ROW.format(**{"segment": "segment", "item": "item", **source.words})
        hint = (
            one_row
            if keys.roles != ("segment", "item") or source.graded
            else say("{one_row}, or name the column of judges ({--judge-column})", one_row=one_row)
        )
        problems = together(problems, keys.repeated(source, again, len(layout.repeated), hint))
        return problems if problems[0] else self._unranked(layout, keys)

    def _key(self, row: int, keys: Keys) -> Key:
        code = {"segment": self.segment, "item": self.item, "judge": self.judge, "ranking": self.own_ranking}
        return tuple(self.keys.of[role][code[role][row]] for role in keys.roles)

    def _unranked(self, layout: Layout, keys: Keys) -> Faults:
        """Rankings that rank nothing."""
        ranked = np.add.reduceat(~np.isnan(self.value[layout.order]), layout.starts[:-1])
        nothing = np.flatnonzero(ranked == 0)
        if not len(nothing):
            return NONE
        heads = layout.order[layout.starts[nothing]]
        empty = {
            self._key(row, keys)[:-1]: layout.sources[place] for row, place in zip(heads.tolist(), nothing.tolist(), strict=True)
        }
        seen: set[Key] = set()

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            key = keys.of(record)[:-1]
            if key not in empty or key in seen:
                return None
            seen.add(key)
            return say("no item of segment '{empty}' is ranked", empty=empty[key])

        said = [say("no item of segment '{source}' is ranked", source=source) for source in empty.values()]
        return located(self.values.source, reason, None, len(nothing), "rank some of its items, or remove it", said)

    @cached_property
    def layout(self) -> Layout:
        """The one order of the same rankings, whatever the order of the file."""
        ranking, item = self.ranking, self.item
        by_ranking = np.argsort(ranking * len(self.keys.of["item"]) + item, kind="stable")
        again = (np.diff(ranking[by_ranking]) == 0) & (np.diff(item[by_ranking]) == 0)
        starts = np.flatnonzero(np.diff(ranking[by_ranking], prepend=-1))
        bounds = np.append(starts, len(item))
        heads = by_ranking[starts]
        segments = self._in_order(heads, by_ranking, bounds)
        sizes = np.diff(bounds)
        place = np.empty(len(segments), np.int64)
        place[segments] = np.arange(len(segments))
        order = by_ranking[np.argsort(np.repeat(place, sizes), kind="stable")]
        keys = self.segment[order] * len(self.keys.of["item"]) + item[order]
        pairs = np.arange(len(keys))
        if (np.diff(keys) <= 0).any():  # where several judges rank a segment
            keys, pairs = np.unique(keys, return_inverse=True)
        sources = [self.keys.of["segment"][code] for code in self.segment[heads[segments]].tolist()]
        judges = [self.keys.of["judge"][code] if code else None for code in self.judge[heads[segments]].tolist()]
        return Layout(
            sources=tuple(sources),
            judges=tuple(judges),
            starts=np.append(0, np.cumsum(sizes[segments])),
            order=order,
            items=item[order],
            repeated=by_ranking[1:][again],
            pairs=pairs,
            pair_keys=keys,
        )

    def names_of(self, places: Integers) -> list[Key]:
        """The first of some segments and items, by name."""
        segments, items = np.divmod(self.layout.pair_keys[places[:MOST_SHOWN]], len(self.keys.of["item"]))
        named = zip(segments.tolist(), items.tolist(), strict=True)
        return [(self.keys.of["segment"][segment], self.keys.of["item"][item]) for segment, item in named]

    def _in_order(self, heads: Integers, by_ranking: Integers, bounds: Integers) -> Integers:
        """Rankings by source and judge; those of one judge on one source by what they say: nothing else tells them apart."""
        source, judge = self.segment[heads], self.judge[heads]
        order = np.lexsort((judge, source))
        same = (np.diff(source[order]) == 0) & (np.diff(judge[order]) == 0)
        if not same.any():
            return order
        said = np.zeros(len(order), np.int64)
        alike = order[np.append(False, same) | np.append(same, False)].tolist()
        content = {}
        for ranking in alike:
            members = by_ranking[bounds[ranking] : bounds[ranking + 1]]
            content[ranking] = (self.item[members].tobytes(), self.value[members].tobytes(), self.beside[:, members].tobytes())
        said[sorted(alike, key=content.__getitem__)] = np.arange(len(alike))
        return np.lexsort((said, judge, source))


def _topics(sources: Sequence[str], judges: Sequence[str | None]) -> tuple[str, ...]:
    """A name for each ranking: its source segment; with judges also the judge; and a number where that is not enough."""
    names = [f"{source}/{judge}" if judge else source for source, judge in zip(sources, judges, strict=True)]
    times = Counter(names)
    taken, seen = set(times), Counter[str]()
    for place, name in enumerate(names):
        if times[name] == 1:
            continue
        seen[name] += 1
        names[place] = f"{name}#{seen[name]}"
        while names[place] in taken:
            names[place] += "'"
        taken.add(names[place])
    return tuple(names)


def _slots(run: _RunRows, gold: _GoldRows, *, by_ranking: bool) -> tuple[Integers, Booleans, Integers]:
    """What a run has one value for: a segment and item, or where its ranks hold within one ranking, each row of gold.

    The slot of each row of gold, in order; at which slots some judge ranks an item, for only there does a run have to answer; and
    the slots of the run's rows, -1 where gold has none.
    """
    layout = gold.layout
    of_row = np.arange(len(layout.order)) if by_ranking else layout.pairs
    needed = np.zeros(len(of_row) if by_ranking else len(layout.pair_keys), bool)
    needed[of_row[~np.isnan(gold.value[layout.order])]] = True
    if not by_ranking or run.rankings is None:
        return of_row, needed, layout.place(run.key)
    judges, rankings = (len(gold.keys.of.get(role, "0")) for role in _APART)
    own = (gold.segment * len(gold.keys.of["item"]) + gold.item)[layout.order] * judges + gold.judge[layout.order]
    own = own * rankings + gold.own_ranking[layout.order]
    judge, ranking = run.rankings.T
    said = np.where((run.key >= 0) & (judge >= 0) & (ranking >= 0), (run.key * judges + judge) * rankings + ranking, -1)
    by_key = np.argsort(own, kind="stable")
    found = by_key[np.minimum(np.searchsorted(own[by_key], said), len(own) - 1)]
    return of_row, needed, np.where(own[found] == said, found, -1)


@dataclass(frozen=True)
class _Joining:
    """A run being joined to gold: its columns and rows, its name in a source that holds several, and whether it may have items
    that gold lacks, and lack some that gold has."""

    values: _Values
    gold: _GoldRows
    rows: Frame
    name: str | None
    may_add: bool
    may_lack: bool

    def problems(self, bad: int, again: Integers, outside: int, missing: Integers) -> Faults:
        """Values that are none, items again, rows without keys, items that gold lacks, items that the run lacks."""
        source, columns = self.values.source, self.values.columns
        keys = Keys(("segment", "item"), columns, columns.run if self.name is not None else None)
        one_row = _ONE_ROW.format(**{"segment": "segment", "item": "item", **source.words})
        nameless, lacking = 0, dict[str, int]()
        if outside:
            empty = [nw.col(role).is_null() for role in keys.roles]
            lacking = {role: number_of_rows(self.rows.filter(one)) for role, one in zip(keys.roles, empty, strict=True)}
            nameless = number_of_rows(self.rows.filter(empty[0] | empty[1])) if any(lacking.values()) else 0
        standing = Standing(
            lacking,
            Found(len(again), lambda: self.gold.names_of(np.unique(again))),
            lacking=Found(0 if self.may_lack else len(missing), lambda: self.gold.names_of(missing)),
        )
        hint = say("add it, or choose {--missing drop} or last")
        unknown = outside > nameless and not self.may_add
        return together(
            self.values.faults(bad, lambda record: keys.is_of(record, self.name)),
            standing.problems(keys, source, self.name, again=one_row, lacking=hint),
            self._unknown(keys, outside - nameless) if unknown else NONE,
        )

    def _unknown(self, keys: Keys, total: int) -> Faults:
        """Items that gold lacks, said of the segment where gold does not have that either."""
        known, source = self.gold.keys.of, self.values.source
        listed = self._unknown_keys()
        if not listed:
            what = say("{rows} of rankings that gold does not have", rows=counted(total, "row"))
            return [source.problem(0, what, say("check its judges and rankings, or choose {--extra ignore}"))], 1
        segments = set(known["segment"])
        of_segments = [(segment,) for segment, _ in listed if segment not in segments]
        of_items = [key for key in listed if key[0] in segments]

        def near(key: Key) -> str:
            own = self.gold.item[self.gold.segment == known["segment"].index(key[0])]
            return nearest(
                key[1], [known["item"][item] for item in own.tolist()], say("remove the row, or choose {--extra ignore}")
            )

        outer = Keys(("segment",), keys.columns, keys.run_column)
        here = "check that this run is for this gold"
        there = len(of_segments)
        return together(
            outer.unknown(source, of_segments, there, lambda key: nearest(key[0], known["segment"], here), self.name),
            keys.unknown(source, of_items, total - there, near, self.name) if of_items else ([], total - there),
        )

    def _unknown_keys(self) -> list[Key]:
        """The first rows of the run that gold does not know."""
        keys = self.gold.keys
        known = {
            "segment": text_array([keys.of["segment"][code] for code in self.gold.segment.tolist()]),
            "item": text_array([keys.of["item"][code] for code in self.gold.item.tolist()]),
        }
        sound = self.rows.filter(~nw.col("segment").is_null() & ~nw.col("item").is_null())
        others = sound.join(keys.engine.frame(known, beside=sound), on=["segment", "item"], how="anti")
        listed = fetch(others.select("segment", "item").sort("segment", "item").head(MOST_SHOWN))
        return list(zip(listed["segment"].tolist(), listed["item"].tolist(), strict=True))


def _counted(name: str, lacking: int, extra: int, options: RankingOptions) -> list[str]:
    done = "ranked behind all others" if options.missing == "last" else "not ranked"
    items = counted(lacking, "missing item")
    notes: list[str] = [warn("missing items", "{run}: {items} {done}", run=name, items=items, done=done)] if lacking else []
    return notes + (
        [
            note(
                "rows read otherwise",
                "{name}: {rows} on items that gold does not have left out",
                name=name,
                rows=counted(extra, "row"),
            )
        ]
        if extra
        else []
    )
