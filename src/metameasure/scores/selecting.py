"""Which scores are compared: of which measure and which runs, which direction is better, and how holes are treated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import Any

import numpy as np

from metameasure.catalogue.foreign import foreign
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import Better, Incomplete
from metameasure.core.errors import DataError, UsageError, did_you_mean
from metameasure.core.messages import Message, note, say, warn
from metameasure.core.notes import counted, listed, too_few
from metameasure.core.signature import Signature, digest_of_text
from metameasure.evidence.base import digest_of
from metameasure.scores.run_names import left_out, place_of, run_named
from metameasure.scores.scores import Scores, scores_as_read
from metameasure.statistics.anova import no_residual
from metameasure.statistics.arrays import Booleans

_MOST_NAMED = 5


def of_measure(
    scores: Scores, measure: str | None, named: str | None = None, *, baselines: bool = False, registry: Registry | None = None
) -> Scores:
    """The scores of the runs by a measure, without those of baselines but the one that is named, unless ``baselines`` keeps them.
    UsageError where it is not clear which measure."""
    ids = list(scores.ids)
    if ids == [""]:
        scores, ids = replace(scores, measures=(foreign(measure or ""),)), [measure or ""]
    wanted = canonical(measure, ids, registry or default_registry()) if measure is not None else ids[0] if len(ids) == 1 else None
    if wanted not in ids:
        what = f"there are no scores of '{measure}'" if measure else "there are scores of several measures"
        raise UsageError(what, hint=did_you_mean(measure or "", ids) or f"choose one of {', '.join(ids)}")
    return without_baselines(scores[ids.index(wanted)], named, baselines=baselines)


def canonical(name: str, known: Sequence[str], registry: Registry) -> str:
    """An alias of a measure as the scores call it."""
    measure = None if name in known else registry.find(name)
    return measure.id if measure else name


def without_baselines(scores: Scores, named: str | None = None, *, baselines: bool = False) -> Scores:
    """The scores of the runs, and of the one baseline that is named; of all where ``baselines`` keeps them."""
    chosen = None if named is None else run_named(named, scores.runs)
    without = [] if baselines else [run for run in scores.runs if run in scores.baselines and run != chosen]
    said = [left_out(without, by_name=scores.by_name)] if without else []
    return of_runs(scores, [run not in without for run in scores.runs], *said)


def of_runs(scores: Scores, kept: Sequence[bool] | Booleans, *said: str) -> Scores:
    """The scores of the runs that are kept, and what is said of the others."""
    narrowed = scores.at(range(len(scores.topics)), np.flatnonzero(kept).tolist())
    return replace(narrowed, left_out=(*scores.left_out, *said))


def made_of_scores(scores: Scores) -> Signature:
    """How scores were made, as far as they say it: those of an evaluation do, of others there is a digest of each run."""
    if scores.made:
        return scores.made.having(command=None)
    runs: dict[str, list[str]] = {}
    for one in sorted(scores, key=lambda one: one.measure):
        order = sorted(range(len(one.topics)), key=one.topics.__getitem__)
        facts = json.dumps([one.measure, [one.topics[place] for place in order]])
        for place, run in enumerate(one.runs):
            values = one.values[0][order, place] + 0.0
            runs.setdefault(run, []).append(digest_of([np.where(np.isnan(values), np.nan, values)], after=facts))
    digests = {run: digest_of_text("".join(runs[run])) for run in sorted(runs)}
    return Signature(topics=len(scores.topics), runs=digests).signed()


def without_runs(scores: Scores, names: Sequence[str]) -> Scores:
    """The scores of the other runs. UsageError for a run that is not there."""
    places = {place_of(name, scores.runs) for name in names}
    if not places:
        return scores
    said = "left out, as asked: {names}"
    left = note("runs left out", said, names=listed([scores.runs[place] for place in sorted(places)], "and"))
    return of_runs(scores, [place not in places for place in range(len(scores.runs))], left)


def direction_of(measure: str, better: Better | None, registry: Registry) -> Better:
    """Which scores of a measure are better: what the registry knows, or what the caller says of a measure that is not in it."""
    entry = registry.find(measure)
    known = entry.better if entry else None
    if better is not None and known is not None and better != known:
        raise UsageError(f"{known} scores of {measure} are better", hint=say("leave out {--better}"))
    direction = better or known
    if direction is None:
        what = "it is not known which scores of '{measure}' are better" if measure else "it is not known which scores are better"
        raise UsageError(say(what, measure=measure), hint=say("say {--better higher} or {--better lower}"))
    return direction


def complete(scores: Scores, incomplete: Incomplete | None) -> Scores:
    """Scores without holes, with notes on the topics or runs left out: a topic, or a run, with a hole by any of the measures.
    Without a choice, DataError names the holes."""
    holes = np.isnan(scores.values).any(axis=0)
    if not holes.any():
        return scores
    never = np.all(holes, axis=0)
    if incomplete == "drop-topics" and never.any() and not never.all():
        # A run without any score stays out, or it would take every topic with it.
        names = listed([*compress(scores.runs, never)], "and")
        said = warn("runs without scores", "left out because they have no scores: {names}", names=names)
        return complete(of_runs(scores, ~never, said), incomplete)
    topics = [*compress(scores.topics, np.any(holes, axis=1))]
    runs = [*compress(scores.runs, np.any(holes, axis=0))]
    match incomplete:
        case None:
            some = [f"'{scores.runs[run]}' on '{scores.topics[topic]}'" for topic, run in np.argwhere(holes)[:_MOST_NAMED]]
            more = ", ..." if holes.sum() > len(some) else ""
            where = f"{counted(len(runs), 'run')}, {counted(len(topics), scores.topic_word)}"
            raise DataError(
                say(
                    "{scores} ({where}): {some}{more}",
                    scores=counted(int(holes.sum()), "missing or undefined score"),
                    where=where,
                    some=", ".join(some),
                    more=more,
                ),
                hint=say("choose {--incomplete drop-topics} or drop-runs"),
            )
        case "drop-topics":
            left: dict[str, Any] = {"topics": counted(len(topics), scores.topic_word), "names": listed(topics, "and")}
            said = warn("incomplete scores", "{topics} with missing scores left out: {names}", **left)
            whole = np.flatnonzero(~np.any(holes, axis=1)).tolist()
            return replace(scores.at(whole, range(len(scores.runs))), left_out=(*scores.left_out, said))
        case "drop-runs":
            left = {"runs": counted(len(runs), "run"), "names": listed(runs, "and")}
            said = warn("incomplete scores", "{runs} with missing scores left out: {names}", **left)
            return of_runs(scores, ~np.any(holes, axis=0), said)


def with_complete_scores(runs: int, topics: int) -> Message:
    """How many runs and topics are left."""
    return say("{runs} and {topics} with complete scores", runs=counted(runs, "run"), topics=counted(topics, "topic"))


def check_comparable(scores: Scores) -> None:
    """DataError where no test is possible: too few runs or topics, one name for two runs, scores that do not vary."""
    topics, runs = len(scores.topics), len(scores.runs)
    if runs < 2 or topics < 2:
        raise DataError(
            too_few(with_complete_scores(runs, topics), "a comparison", "2 of each"),
            hint=say("give items topics, or divide labels among them ({--partitions K})")
            if runs > 1
            else "give two runs or more",
        )
    repeated = sorted({run for run in scores.runs if scores.runs.count(run) > 1})
    if repeated:
        raise DataError(say("two runs are called '{run}'", run=repeated[0]), hint="give each run a name of its own")
    if not np.all(np.isfinite(scores.values)):
        raise DataError("a score is infinite", hint="leave out the run or the topic")
    if any(map(no_residual, scores.values)):
        raise DataError(
            "the runs differ by the same amount on every topic (constant columns), so their differences cannot be tested",
            hint="check whether the scores are means already",
        )


def by_name(scores: Scores) -> Scores:
    """Topics and runs in the order of their names, so that nothing drawn depends on the order of rows in a file."""
    topics, runs = (sorted(range(len(names)), key=names.__getitem__) for names in (scores.topics, scores.runs))
    return scores.at(topics, runs)


def joined(parts: Sequence[Scores]) -> Scores:
    """Scores of several measures as one, on all topics and of all runs that any of them has."""
    if len(parts) == 1:
        return parts[0]
    topics, runs = (
        tuple(dict.fromkeys(chain.from_iterable(names))) for names in zip(*((p.topics, p.runs) for p in parts), strict=True)
    )
    row, column = ({name: place for place, name in enumerate(names)} for names in (topics, runs))
    values = np.full((sum(len(part.measures) for part in parts), len(topics), len(runs)), np.nan)
    there, first = np.zeros(values.shape, dtype=bool), 0
    for part in parts:
        places = range(first, first + len(part.measures))
        at = np.ix_(places, [row[topic] for topic in part.topics], [column[run] for run in part.runs])
        values[at], there[at], first = part.values, True if part.there is None else part.there, places.stop
    measures = [measure for part in parts for measure in part.measures]
    marked = frozenset().union(*(part.baselines for part in parts))
    made = scores_as_read(measures, topics, runs, values, marked, None if there.all() else there)
    return replace(made, by_name=any(part.by_name for part in parts))
