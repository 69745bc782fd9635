"""One decision over several tasks, each with its own measure: accuracy here, F1 there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.comparison import Comparison
from metameasure.comparing.topics import scores_of_one, smallest_reachable, why_untested
from metameasure.core.choices import AcrossTasks, Better, Incomplete, Test
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import Message, note, say, warn
from metameasure.core.notes import counted, listed
from metameasure.core.validity import sampled
from metameasure.reading.inputs import run_names
from metameasure.scores.scores import Scores
from metameasure.scores.selecting import complete, direction_of, joined, made_of_scores, of_measure, without_runs
from metameasure.statistics.across import TaskMeans, by_ranks, standardised
from metameasure.statistics.arrays import Floats
from metameasure.statistics.by_content import order_by_content, words_of
from metameasure.statistics.mean_intervals import mean_interval
from metameasure.statistics.paired import square
from metameasure.statistics.rank_correlation import from_best
from metameasure.statistics.stepwise import is_exact, stepwise_test

WORDS = {
    "standardised": (
        "a run's score on each is its distance from the mean of all runs, in standard deviations over runs, and the mean of "
        "these is shown"
    ),
    "ranks": "a run's score is the mean over tasks of how many runs it is better than, ties counted half",
}


@dataclass(frozen=True, eq=False)
class ByQuestions(Comparison):
    """The same runs with tasks that are fixed, and questions within each that are a sample."""

    def how(self) -> Message:
        how = "drawn within each task" if self.measure == "standardised" else "swapped between two runs within each task"
        return say("questions {how}, max-T step-down over all pairs, B = {trials} draws", how=how, trials=self.trials)


@dataclass(frozen=True)
class _Task:
    """The scores of all runs on one task, and the sign that turns them so that higher is better."""

    name: str
    measure: str
    scores: Scores
    sign: float

    @property
    def values(self) -> Floats:
        """(questions, runs)."""
        return np.asarray(self.sign * self.scores.values[0])


def over_tasks(
    data: Any,
    across: AcrossTasks,
    measures: Sequence[str],
    *,
    better: Better | None,
    incomplete: Incomplete | None,
    leave_out: Sequence[str],
    baselines: bool,
    registry: Registry | None,
    alpha: float,
    trials: int,
    seed: int,
    threads: int | None,
) -> tuple[Comparison, Comparison | None]:
    """The runs compared over tasks, which are a sample; and over the questions of these tasks, which are fixed."""
    known = registry or default_registry()
    tasks = [
        _Task(name, one.measure, complete(without_runs(one, [run for run in leave_out if run in one.runs]), incomplete),
              1.0 if direction_of(one.measure, better, known) == "higher" else -1.0)
        for name, one in _tasks(data, measures, baselines=baselines)
    ]  # fmt: skip
    tasks, dropped = _of_common_runs(tasks)
    if len(tasks[0].scores.runs) < 3:
        what = "a decision over tasks needs three runs or more, and there are two"
        raise UsageError(what, hint="compare the two on each task (compare, gate)")
    values, places = _by_content([task.values for task in tasks])
    means = TaskMeans(values, standardised if across == "standardised" else by_ranks)
    said = [*dropped, *_said(tasks, across), *(one for task in tasks for one in task.scores.left_out)]
    made = made_of_scores(joined([replace(task.scores, measures=_named(task)) for task in tasks]))
    made = made.having(across=across, alpha=alpha, trials=trials, seed=seed, measures=[task.measure for task in tasks])
    settings: dict[str, Any] = {"alpha": alpha, "trials": trials, "seed": seed, "made": made, "notes": tuple(said)}
    settings["measure"] = across if across == "standardised" else "mean rank"
    settings["order"] = from_best(means.scores())
    runs = [tasks[0].scores.runs[place] for place in places]
    return _by_tasks(means, runs, threads, **settings), _by_questions(means, runs, **settings)


def _by_content(values: Sequence[Floats]) -> tuple[tuple[Floats, ...], list[int]]:
    """The scores of each task with tasks, questions and runs in an order made of the scores alone, by which is drawn; and the
    places of the runs."""
    task = np.repeat(np.arange(len(values)), [len(one) for one in values])
    question = np.concatenate([np.arange(len(one)) for one in values])
    rows, runs = order_by_content(words_of(np.concatenate(values)), groups=task)
    own: dict[int, list[int]] = {}
    for row in rows.tolist():
        own.setdefault(int(task[row]), []).append(int(question[row]))
    return tuple(values[one][places][:, runs] for one, places in own.items()), runs.tolist()


def _by_tasks(means: TaskMeans, runs: Sequence[str], threads: int | None, *, order: Any, **settings: Any) -> Comparison:
    """Tasks are a sample."""
    values = means.each()[:, order]
    tasks, trials, seed = len(values), settings["trials"], settings["seed"]
    untested = why_untested(tasks, "task", None, None)
    p = square(np.nan, len(runs)) if untested else stepwise_test(values, trials, seed, threads=threads)
    least = (np.nan, np.nan) if untested else smallest_reachable("stepwise", tasks, len(runs), trials, "none", pairs=None)
    low, high = mean_interval(values, 0.95)
    return Comparison(
        better="higher", test="stepwise", correction="none", topics=tasks, runs=tuple(runs[place] for place in order),
        means=values.mean(axis=0), low=low, high=high, p=p, effect_size=np.full(p.shape, np.nan), residual_variance=np.nan,
        unit="tasks", exact=is_exact(tasks, trials), smallest_p=least[0], least_p=least[1], untested=untested,
        validity={"ranks": "ranks/across-tasks"},
        **{**settings, "notes": (*settings["notes"], sampled("topics", tasks, "task"))},
    )  # fmt: skip


def _by_questions(means: TaskMeans, runs: Sequence[str], *, order: Any, **settings: Any) -> Comparison | None:
    """Tasks are fixed, and questions within each a sample; None where a task has one question only."""
    if min(map(len, means.values)) < 2:
        return None
    settings["trials"] = means.affordable(settings["trials"])
    p = means.p(settings["trials"], settings["seed"])[np.ix_(order, order)]
    nothing = np.full(len(runs), np.nan)
    return ByQuestions(
        better="higher", test=cast("Test", "questions"), correction="maxt", topics=sum(map(len, means.values)),
        runs=tuple(runs[place] for place in order), means=means.scores()[order], low=nothing, high=nothing, p=p,
        effect_size=np.full(p.shape, np.nan), residual_variance=np.nan, unit="questions", units="items",
        validity={"ranks": "ranks/across-questions"},
        **{**settings, "notes": ()},
    )  # fmt: skip


def _named(task: _Task) -> Any:
    from metameasure.catalogue.foreign import foreign  # noqa: PLC0415 - for a signature alone

    return (foreign(f"{task.name} {task.measure}"),)


def _tasks(data: Any, measures: Sequence[str], *, baselines: bool) -> list[tuple[str, Scores]]:
    """The name and the scores of each task: of a file each, or of the measures of one."""
    if isinstance(data, Mapping):
        parts = [(str(name), scores_of_one(one)) for name, one in data.items()]
    elif isinstance(data, list | tuple) and len(data) > 1:
        paths = all(isinstance(one, str | Path) for one in data)
        names = run_names([str(one) for one in data]) if paths else [f"task {place}" for place in range(1, len(data) + 1)]
        parts = list(zip(names, map(scores_of_one, data), strict=True))
    else:
        whole = scores_of_one(data[0] if isinstance(data, list | tuple) else data)
        chosen = [*measures] or list(whole.ids)
        return [(one, of_measure(whole, one, baselines=baselines)) for one in chosen]
    if measures and len(measures) not in (1, len(parts)):
        raise UsageError(f"{len(measures)} measures for {len(parts)} tasks", hint="name one for all, or one for each task")
    each = [*measures] * (len(parts) if len(measures) == 1 else 1) if measures else [None] * len(parts)
    return [(name, of_measure(one, wanted, baselines=baselines)) for (name, one), wanted in zip(parts, each, strict=True)]


def _of_common_runs(tasks: Sequence[_Task]) -> tuple[list[_Task], list[Message]]:
    """The tasks with the runs that all of them have, in one order."""
    if len(tasks) < 2:
        raise UsageError(f"{counted(len(tasks), 'task')}, and a decision over tasks needs two or more", hint="name several files")
    common = [run for run in tasks[0].scores.runs if all(run in task.scores.runs for task in tasks)]
    others = sorted({run for task in tasks for run in task.scores.runs} - {*common})
    if len(common) < 2:
        raise DataError("fewer than two runs are in all tasks", hint="name tasks that share their runs")
    kept = [
        replace(task, scores=task.scores.at(range(len(task.scores.topics)), [task.scores.runs.index(run) for run in common]))
        for task in tasks
    ]
    said = "left out because they are not in all tasks: {names}"
    return kept, [warn("runs not in all tasks", said, names=listed(others, "and"))] if others else []


def _said(tasks: Sequence[_Task], across: AcrossTasks) -> list[Message]:
    """What the decision means."""
    each = listed(
        [f"{task.name} ({task.measure})" if task.measure not in ("", task.name) else task.name for task in tasks], "and"
    )
    return [
        note("across", "every task counts the same: {words}", words=WORDS[across]),
        note("across", "the tasks are {names}", names=each),
    ]
