"""Rankings in every format of the interface, read, joined and brought into one order, whatever the order of the files."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import note, option, say, warn
from metameasure.core.notes import counted
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.values import in_order
from metameasure.evidence.missing import said_of_extra
from metameasure.evidence.ranking_columns import RankingOptions, Values, gold_values, run_values
from metameasure.evidence.ranking_rows import (
    APART,
    GoldRows,
    Joining,
    Layout,
    RunRows,
    coded_gold,
    numbers_in,
    placed_rows,
    slots_of,
)
from metameasure.evidence.rankings import Rankings, places
from metameasure.evidence.room import Room, Spool, bounds
from metameasure.evidence.score_ranks import ranks_of_scores, ranks_without_ties
from metameasure.reading.engine import Engine, Frame, Picked, distinct, fetch, reading
from metameasure.reading.engine import rows as number_of_rows
from metameasure.reading.eval_sets import MTME, EvalFolder, is_eval_folder
from metameasure.reading.inputs import GoldAndRuns, listed, open_inputs
from metameasure.reading.joining import Names, Places, code_of, filled, here_together, runs_of, texts_in
from metameasure.reading.key_faults import NONE, Faults, together
from metameasure.reading.options import Holds, check_names
from metameasure.reading.ranks import unranked_as_nan
from metameasure.reading.sources import Source
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.work import in_steps

_TIES = "documents with equal scores stay tied (trec_eval orders them by id)"
_AS_TREC_EVAL = (
    "read as trec_eval does ({--compat none} for our own reading): linear gain and equal scores ordered by document id unless a "
    "measure or an option says how gains and ties are read, means over the topics that a run answers, 0 where no document is "
    "relevant"
)


def read_rankings(gold: Any, runs: Any, options: RankingOptions) -> Rankings:
    """Rankings from files of any format that we know, or from data frames; runs may also stand beside gold. UsageError for
    options that do not fit, DataProblems for data that is wrong."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        inputs = _folder_opened(gold, runs, options) or open_inputs(gold, runs, options, Path(scratch))
        if options.memory is not None:
            return _in_blocks(inputs, options, Room.of(options.memory), Path(scratch))
        reader = _Reader.of(inputs, options, keep=True)
        with reading([inputs.gold, *inputs.runs]):
            of_gold, of_runs = reader.coded
            return reader.part(of_gold, of_runs, of_runs)[0]


def _folder_opened(gold: Any, runs: Any, options: RankingOptions) -> GoldAndRuns | None:
    """A folder of mt-metrics-eval, with its metrics as runs; None for anything else. UsageError where runs are beside it."""
    named = options.format_in == MTME and isinstance(gold, str | Path) and Path(gold).is_dir()
    if not named and not is_eval_folder(gold):
        return None
    folder = EvalFolder.of(gold, options.of_folder)
    if listed(runs):
        what = say("'{folder}' has the metrics that are runs, and there are others beside it", folder=gold)
        raise UsageError(what, hint="put the files of other metrics into its metric-scores, or name the file of people's scores")
    return folder.opened(options)


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
    of_gold: Values
    notes: tuple[str, ...]
    engine: Engine
    gold: Frame
    runs: Frame | None
    names: tuple[str, ...]
    values: Sequence[Values]

    @classmethod
    def of(cls, inputs: GoldAndRuns, options: RankingOptions, *, keep: bool) -> _Reader:
        """``keep`` reads files once, and keeps their rows."""
        of_gold = gold_values(inputs.gold, options, alone=not inputs.runs)
        _check_policies(inputs.gold, options)
        chosen, notes = _chosen_runs(inputs, options)
        engine = Engine.of(options)
        with reading([inputs.gold]):
            gold = engine.scan([of_gold.picked(("judge", "ranking"))]).drop("source")
            gold = engine.kept(gold) if keep else gold
        with reading([*inputs.runs]):
            runs, names, values = _run_rows(engine, inputs, chosen, of_gold)
            runs = engine.kept(runs) if keep and runs is not None else runs
        with reading([inputs.gold, *inputs.runs]):
            gold, *brought = here_together(engine, [gold] if runs is None else [gold, runs], run=len(names))
        check_names((*of_gold.beside, *names))
        return cls(inputs, options, of_gold, tuple(notes), engine, gold, brought[0] if brought else None, names, values)

    @cached_property
    def keys(self) -> Names:
        """What rows are known by: gold's segments, its judges and rankings where it has them, and its items; where documents are
        graded, those of its segments that runs have beside them too."""
        items = self.gold.select("item")
        if self.inputs.gold.graded and self.runs is not None:
            segments = distinct(self.gold, "segment")
            items = nw.concat([items, self.runs.join(segments, on="segment", how="semi").select("item")])
        apart = [role for role in APART if getattr(self.of_gold.columns, role) in self.inputs.gold.columns]
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
        named = [nw.coalesce(nw.col(role), nw.lit("")).alias(role) for role in APART if role in self.keys.of and role in had]
        return self.keys.of_roles(had).coded(frame.with_columns(*named) if named else frame)

    @property
    def as_trec_eval(self) -> bool:
        return self.options.compat == "trec_eval" or (self.inputs.gold.graded and self.options.compat is None)

    def part(self, gold: Frame, runs: Frame | None, rows: Frame | None) -> tuple[Rankings, _Tally]:
        """Rows that are coded, joined and checked, as evidence, and what was counted on the way. ``rows`` are those of the runs
        with their names, for error messages."""
        placed = placed_rows(self.keys, runs, len(self.names)) if runs is not None else []
        coded = coded_gold(self.keys, gold, self.of_gold, placed)
        problems = coded.problems()
        if problems[0]:
            raise DataProblems(*problems)
        values, missing, extra = ([], [], []) if rows is None else self._joined(rows, placed, coded)
        tally = _Tally(coded.negative, coded.added, missing, extra)
        stacked = [*coded.beside[:, coded.layout.order], *values]
        return self._ranked(coded, np.array(stacked).reshape(len(stacked), len(coded.value)), tally), tally

    def _joined(self, rows: Frame, placed: Sequence[RunRows], gold: GoldRows) -> tuple[list[Floats], list[int], list[int]]:
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
            numbers, bad = numbers_in(run.value, held)
            by_ranking = own.tells_rankings_apart and gold.values.tells_rankings_apart
            slot, needed, place = slots_of(run, gold, by_ranking=by_ranking)
            known = place >= 0
            places = Places.of_side(place, len(needed))
            pair = np.empty(len(needed), np.int64)
            pair[slot] = layout.pairs
            missing, extra = np.flatnonzero(needed & (places.times[0] == 0)), int(places.outside.sum())
            name = self.names[number] if self.inputs.stacked else None
            one = Joining(own, gold, rows.filter(nw.col("run") == number), name, may_add=may_add, may_lack=may_lack)
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

    def _ranked(self, gold: GoldRows, values: Floats, tally: _Tally) -> Rankings:
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
            grades = counted(negative, "document")
            said.append(
                note(
                    "rows read otherwise",
                    "{file}: {grades} with a grade below 0, which nobody judged; irrelevant to measures that know only relevance",
                    file=source.shown,
                    grades=grades,
                )
            )
        if self.runs is not None:
            said.append(note("reading of ties", _AS_TREC_EVAL if self.as_trec_eval else _TIES))
        if added:
            said.append(
                note(
                    "unjudged documents",
                    "{documents} that nobody judged; irrelevant to measures that know only relevance",
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
    counted_scores = gold_scores if gold_scores is None or not graded else np.maximum(gold_scores, 0.0)
    chosen = {"missing": options.missing, "tie_epsilon": options.tie_epsilon, "gold_tie_epsilon": options.gold_tie_epsilon}
    return Rankings(
        runs=runs,
        topics=_topics(layout.sources, layout.judges),
        sources=layout.sources,
        judges=layout.judges,
        starts=starts,
        items=layout.items,
        item_names=names,
        gold=truth if counted_scores is None else ranks_of_scores(counted_scores, starts, options.gold_tie_epsilon),
        predicted=_last(predicted, starts) if options.missing == "last" else predicted,
        gold_scores=gold_scores,
        scores=np.where(np.array(scored)[:, None], values, np.nan) if any(scored) else None,
        settings=tuple(
            (name, f"{setting:g}" if isinstance(setting, float) else setting) for name, setting in chosen.items() if setting
        ),
        notes=notes,
        graded=graded,
        judged=graded,
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


def _chosen_runs(inputs: GoldAndRuns, options: RankingOptions) -> tuple[list[Values], list[str]]:
    """The columns of each run. DataProblems with those that lack some, all together."""
    chosen, notes, problems = list[Values](), list[str](), list[Problem]()
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
    engine: Engine, inputs: GoldAndRuns, chosen: Sequence[Values], of_gold: Values
) -> tuple[Frame | None, tuple[str, ...], list[Values]]:
    """All runs' rows, by number: their names, and the columns that each was read from."""
    if not chosen:
        return None, (), []
    if not inputs.stacked:
        apart = of_gold.tells_rankings_apart and any(one.tells_rankings_apart for one in chosen)
        rows = engine.scan([one.picked(("judge", "ranking") if apart else ()) for one in chosen]).rename({"source": "run"})
        return rows, inputs.names, list(chosen)
    (one,) = chosen
    frame, names = runs_of(engine, Picked(one.source, {"run": (one.columns.run, "text"), **one.picked().columns}))
    if not names or number_of_rows(frame.filter(nw.col("run").is_null())):
        raise UsageError(
            say("a row of the runs has nothing in the column '{column}'", column=one.columns.run),
            hint="name the run of every row",
        )
    return frame, names, [one] * len(names)


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


def _counted(name: str, lacking: int, extra: int, options: RankingOptions) -> list[str]:
    done = "ranked behind all others" if options.missing == "last" else "not ranked"
    items = counted(lacking, "missing item")
    notes: list[str] = [warn("missing items", "{run}: {items} {done}", run=name, items=items, done=done)] if lacking else []
    return [*notes, said_of_extra(name, extra)] if extra else notes
