"""What is wrong with gold and runs, run by run; and a task on the runs that are right."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import note, sentence, together
from metameasure.core.notes import counted
from metameasure.core.notes import listed as names
from metameasure.core.problems import DataProblems, Problem, left_out
from metameasure.core.values import repeated
from metameasure.evidence.base import Evidence
from metameasure.reading.inputs import called, is_once, listed, matching, open_source, run_names, tag_of
from metameasure.reading.options import ReadOptions
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.tasks.base import E, O, Task, task_on_evidence
from metameasure.tasks.option_groups import SoundRunsOptions

_MOST_LINES = 5


@dataclass(frozen=True)
class RunCheck:
    """One run: how much there is of it, and what is wrong, one problem for each kind."""

    run: str
    source: str
    size: str
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


@dataclass(frozen=True, eq=False)
class Check(Signed):
    """What was found. ``evidence`` is that of the runs that are right, None where gold is wrong or no run is right."""

    gold: str
    gold_problems: tuple[Problem, ...]
    runs: tuple[RunCheck, ...]
    evidence: Evidence | None

    @property
    def ok(self) -> bool:
        return not self.problems()

    def problems(self) -> list[Problem]:
        """Everything that is wrong, gold's first, one problem for each kind and file."""
        return [*self.gold_problems, *(problem for run in self.runs for problem in run.problems)]

    def good(self) -> list[str]:
        """The runs that are right."""
        return [run.run for run in self.runs if run.ok]

    def chosen(self, runs: Any) -> Any:
        """Of the runs given, those that are right."""
        good = set(self.good())
        if isinstance(runs, Mapping):
            return {name: run for name, run in runs.items() if str(name) in good}
        return {run.run: run.source for run in self.runs if run.ok}

    def lines(self) -> list[str]:
        """What is right, in words."""
        # Where gold is wrong, runs have not been compared with it.
        lines = [f"ok  {run.run}: {run.size}" for run in self.runs if run.ok and run.size]
        evidence = self.evidence
        if evidence is None:
            return lines
        word = evidence.topic_word
        topics = f"{len(evidence.topics)} {word}s" if len(evidence.topics) > 1 else f"one {word}"
        classes = f", {len(evidence.scale)} classes" if evidence.scale else ""
        if self.ok:
            whom = counted(len(self.runs), "run") if self.runs else "gold alone"
            lines.append(f"{whom}, {topics}{classes}: nothing is wrong.")
        return [*lines, *map(sentence, together(self.said()))]

    def equal_runs(self) -> list[list[str]]:
        """Runs that every measure scores alike: their counts, distributions or rankings are the same."""
        digests = {} if self.evidence is None else self.evidence.digests().get("runs")
        groups: dict[str, list[str]] = {}
        for run, digest in (digests if isinstance(digests, dict) else {}).items():
            groups.setdefault(digest, []).append(run)
        return [runs for runs in groups.values() if len(runs) > 1]

    def said(self) -> list[str]:
        """What there is to say about the data: what the evidence has noted, and which runs are equal."""
        equal = [
            note("equal runs", "{runs} are equal: every measure scores them alike", runs=names(runs, "and"))
            for runs in self.equal_runs()
        ]
        return [*(() if self.evidence is None else self.evidence.notes), *equal]

    def tables(self, format: OutputFormat) -> list[Table]:
        rows = [(run.run, "yes" if run.ok else "no", run.size, "; ".join(one.what for one in run.problems)) for run in self.runs]
        return [Table(("run", "ok", "size", "problems"), tuple(rows), notes=tuple(map(str, self.gold_problems)))]

    def full_table(self) -> Table:
        named = [("", problem) for problem in self.gold_problems]
        named += [(run.run, problem) for run in self.runs for problem in run.problems]
        return Table.of(
            {
                "run": [run for run, _ in named],
                **{name: [getattr(problem, name) for _, problem in named] for name in ("file", "line", "what", "hint", "count")},
            }
        )

    def to_dict(self) -> dict[str, Any]:
        evidence = self.evidence
        return {
            "gold": {
                "file": self.gold,
                "ok": not self.gold_problems,
                "topics": None if evidence is None else len(evidence.topics),
                "classes": list(evidence.scale.labels) if evidence is not None and evidence.scale else [],
                "problems": [facts_of(problem) for problem in self.gold_problems],
            },
            "runs": [
                {"run": run.run, "ok": run.ok, "items": run.size, "problems": [facts_of(problem) for problem in run.problems]}
                for run in self.runs
            ],
            "equal_runs": self.equal_runs(),
            **self.signed_notes(self.said()),
        }


def facts_of(problem: Problem) -> dict[str, Any]:
    """A problem as JSON has it."""
    return {
        "file": problem.file,
        "line": problem.line or None,
        "problem": str(problem.what),
        "hint": str(problem.hint),
        "count": problem.count,
    }


def check_task(task: Task[Any, Any], told: Callable[[Problem], Problem] = lambda problem: problem) -> Check:
    """What is wrong with the gold and the runs of a task. ``told`` rewrites a problem for who has not seen these files."""
    gold, runs = task.gold, task.runs
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        shown_runs, paths = given_runs(task, Path(scratch))
    shown_gold = called(str(gold)) if isinstance(gold, str | Path) else "gold"
    left, problems_by_file = dict(shown_runs), dict[str, list[Problem]]()
    evidence: Evidence | None = None
    once = is_once([*_written(gold), *_written(runs)])
    while True:
        try:
            evidence = replace(task, runs=_given(runs, {name: paths[name] for name in left})).evidence_or_gold()
            break
        except DataProblems as error:
            is_last = once or any(problem.file == shown_gold for problem in error.problems)
            for problem in error.problems if is_last else _whole(error):
                problems_by_file.setdefault(problem.file, []).append(problem)
            broken = [name for name, shown in left.items() if shown in problems_by_file]
            left = {name: shown for name, shown in left.items() if name not in broken}
            if not broken or not left or shown_gold in problems_by_file or once:
                break
    sizes = {run: evidence.size(place) for place, run in enumerate(evidence.runs)} if evidence is not None else {}
    of_runs = shown_runs or dict.fromkeys(sizes, "")
    checks = [
        RunCheck(name, shown, sizes.get(name, ""), _grouped(map(told, problems_by_file.get(shown, ()))))
        for name, shown in of_runs.items()
    ]
    known = set(of_runs.values())
    others = [problem for file, problems in problems_by_file.items() if file not in known for problem in problems]
    return Check(shown_gold, _grouped(map(told, others)), tuple(checks), evidence)


def sound_task(asked: SoundRunsOptions, gold: Any, runs: Any, *, needed: Collection[str] = (), least: int = 1) -> Task[Any, Any]:
    """The task on the data that a user names, evidence among them; without broken runs, where those are to be left out."""
    task = task_on_evidence(asked.task, gold, runs, asked.how())
    return with_sound_runs(task, needed=needed, least=least) if asked.skip_broken else task


def with_sound_runs(task: Task[E, O], *, needed: Collection[str] = (), least: int = 1) -> Task[E, O]:
    """The task on the runs that are right, and what to say of the others. DataProblems where gold is wrong, where one of the runs
    that are needed is, or where fewer are left than there must be."""
    found = check_task(task)
    if found.gold_problems and (first := _without_first(task, found.gold_problems)) is not None:
        name, others = first
        if name in needed:
            raise DataProblems(found.problems())
        sound = with_sound_runs(others, needed=needed, least=least)
        return replace(sound, left_out=(left_out(name, found.gold_problems[0]), *sound.left_out))
    broken = [run for run in found.runs if not run.ok]
    left = 0 if found.evidence is None else len(found.evidence.runs)
    if found.gold_problems or (broken and left < least):
        raise DataProblems(found.problems())
    if lacking := [problem for run in broken if run.run in needed for problem in run.problems]:
        raise DataProblems(lacking)
    said = tuple(left_out(run.run, run.problems[0]) for run in broken)
    return replace(task, runs=found.chosen(task.runs), left_out=said) if broken else task


def _without_first(task: Task[E, O], problems: Sequence[Problem]) -> tuple[str, Task[E, O]] | None:
    """Where there is no gold, the first file is a run like the others: its name, and the task without it. None where it is not
    the one that is broken, or where nothing would be left."""
    written = [*_written(task.gold), *_written(task.runs)]
    layout = task.declared.layout
    if layout is None or layout.gold or isinstance(task.runs, Mapping) or is_once(written):
        return None
    shown, paths = zip(*matching(written), strict=True)
    broken = next((place for place, file in enumerate(shown) if file == problems[0].file), None)
    left = [path for place, path in enumerate(paths) if place != broken]
    if broken is None or not left:
        return None
    return run_names(shown)[broken], replace(task, gold=left[0], runs=left[1:] or None)


def _whole(error: DataProblems) -> list[Problem]:
    """The problems of the files whose problems are all listed, as far as they ever are. Where the list is full, that of the last
    file may be cut short by those before it: its turn comes again."""
    files = list(dict.fromkeys(problem.file for problem in error.problems))
    is_cut = error.total > len(error.problems) and len(files) > 1
    return [problem for problem in error.problems if not is_cut or problem.file != files[-1]]


def _written(runs: Any) -> list[Any]:
    return [run for run in listed(runs) if isinstance(run, str | Path)]


def given_runs(task: Task[Any, Any], scratch: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """By each run's name what messages call its file or frame, and the file or frame itself."""
    runs = task.runs
    if isinstance(runs, Mapping):
        named = {str(name): str(run) if isinstance(run, str | Path) else f"run '{name}'" for name, run in runs.items()}
        return named, {str(name): run for name, run in runs.items()}
    written = _written(runs)
    if not written or is_once(written):
        return {}, {}
    shown, paths = zip(*matching(written), strict=True)
    names = run_names(shown)
    options = task.options.reading(ReadOptions)
    if options.name_by == "tag":
        tags = [_tag(*file, options, scratch) for file in zip(shown, paths, names, strict=True)]
        names = names if repeated(tags) else tags
    return dict(zip(names, shown, strict=True)), dict(zip(names, paths, strict=True))


def _tag(shown: str, path: str, name: str, options: ReadOptions, scratch: Path) -> str:
    """The tag of a run's file; the file's name where it has none, which is reported when the file is read."""
    try:
        return tag_of(open_source(shown, Path(path), options, "run", scratch), options)
    except (DataProblems, UsageError):
        return name


def _given(runs: Any, left: Mapping[str, Any]) -> Any:
    """The runs that are left, as the user gave them."""
    return dict(left) if left else runs


def _grouped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """One problem for each kind: the first, with how many there are and in which lines."""
    kinds: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault((problem.file, problem.kind), []).append(problem)
    return tuple(_one(alike) for alike in kinds.values())


def _one(alike: list[Problem]) -> Problem:
    first = alike[0]
    count = max(len(alike), first.count)
    if count == 1:
        return first
    lines = [str(problem.line) for problem in alike[1 : _MOST_LINES + 1] if problem.line]
    word = "line" if count == 2 else "lines"
    where = f" ({word} {', '.join(lines)}{', ...' if count > len(lines) + 1 else ''})" if lines else ""
    return replace(first, what=f"{first.what}, and {count - 1} more like it{where}", count=count)
