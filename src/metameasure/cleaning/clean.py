"""Submissions cleaned: what ``check`` diagnoses is repaired where its meaning is certain, in copies; what is not is named."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from metameasure.cleaning.changes import Log
from metameasure.cleaning.cleaned import Cleaned, CleanRun
from metameasure.cleaning.label_map import label_map
from metameasure.cleaning.repairs import ClassRepair, NameRepair
from metameasure.cleaning.submissions import Submitted, gathered
from metameasure.cleaning.table import STANDARD, Found, Known, found_in, found_in_records
from metameasure.cleaning.text import check_encoding, in_utf8
from metameasure.cleaning.writing import Written, write
from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, say
from metameasure.core.options import with_options
from metameasure.core.output import check_new_folder, new_folder
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.scale import Scale
from metameasure.core.signature import Signature
from metameasure.reading.files import Beginning, look, opens_list, table
from metameasure.reading.formats import formats
from metameasure.reading.inputs import check_distinct, expand, missing_columns, open_source, run_names, stem
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source
from metameasure.statistics.work import in_steps
from metameasure.tasks.base import Task, task_on
from metameasure.tasks.checking import Check, RunCheck, check_task
from metameasure.tasks.declaration import Layout, declaration
from metameasure.tasks.gold_or_scores import guessed_task
from metameasure.tasks.option_groups import CleanOptions

_LONGEST_NAME = 80
_NOT_IN_NAMES = frozenset('/\\:*?"<>|[]')


@with_options(CleanOptions)
def clean(asked: CleanOptions, gold: str | Path, submissions: Any, folder: str | Path) -> Cleaned:
    r"""Repair what is wrong with submissions where its meaning is certain, in copies, and name the rest.

    Encodings, line ends, separators, headers, names of columns, decimal commas, signs, quotes, spaces around labels, rows that
    are there twice; in files, folders and ZIP archives. The folder then holds ``gold.csv``, ``runs`` with every run that can be
    scored, ``left`` with those that still cannot, and the log of all changes, ``log.txt`` and ``log.json``.

    Parameters
    ----------
    gold : path
        What is right, as for ``evaluate``; it is cleaned, too.
    submissions : path or list of paths
        Files, patterns, folders and ZIP archives.
    folder : path
        The folder to make. It appears whole or not at all, and nothing else is written.

    Returns
    -------
    Cleaned
        What was done. ``.ok`` says whether every submission can be scored now, ``.problems()`` what is left.

    Raises
    ------
    DataError
        If gold itself is wrong. Submissions that are wrong raise nothing: they are part of the answer.
    UsageError
        If an option makes no sense, the folder exists, or a file does not.

    Notes
    -----
    What is repaired, and what is only named because its meaning is not certain, is in docs/clean.md.

    Examples
    --------
    >>> import metameasure as mm
    >>> import tempfile, pathlib
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (place / "gold.csv").write_text("item,label\na,-1\nb,1\n")
    >>> _ = (place / "team.txt").write_text("ID;Prediction\r\na;\u22121\r\nb; +1\r\n")
    >>> done = mm.clean(place / "gold.csv", place / "team.txt", place / "cleaned", classes="-1..1")
    >>> done.ok, (place / "cleaned/runs/team.csv").read_text()
    (True, 'item,label\na,-1\nb,1\n')

    """
    check_encoding(asked.encoding)
    check_new_folder(folder)
    written = [submissions] if isinstance(submissions, str | Path) else list(submissions)
    if not written or not all(isinstance(one, str | Path) for one in [gold, *written]):
        raise UsageError("only files can be cleaned", hint="name gold, and the submissions after it")
    how = {name: value for name, value in asked.how().items() if name not in ("engine", "master", "connect_timeout")}
    name = guessed_task(asked.task, gold, written, how)
    layout = declaration(name).layout
    if layout is None:
        raise UsageError(f"clean does not know what files of {name} look like", hint="repair by hand what check finds")
    if how.get("run_columns"):
        raise UsageError(say("{--run-columns} are runs in one table"), hint="clean submissions that have a file each")
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        cleaning = _Cleaning(asked, name, layout, how, Path(scratch))
        with new_folder(folder) as made:
            return cleaning.done(gold, written, made, str(folder))


@dataclass
class _Kept:
    """A file that was written, as a table or as it was, with its log."""

    submitted: Submitted
    path: Path
    log: Log
    table: Written | None = None

    def told(self, problem: Problem) -> Problem:
        """A problem of the written file, told with the file and line of the submitted one."""
        line = problem.line if self.table is None else self.table.line(problem.line)
        what = problem.what
        if self.table is not None and isinstance(what, Message) and isinstance(first := what.parts.get("first"), int):
            what = what.having(first=self.table.line(first))
        return replace(problem, file=self.submitted.shown, line=line, what=what)


@dataclass
class _Cleaning:
    """One call: how files are read, and what is known of them so far."""

    asked: CleanOptions
    name: str
    layout: Layout
    how: Mapping[str, Any]
    scratch: Path
    names: dict[str, NameRepair] = field(default_factory=dict)
    within: tuple[str, ...] = ()
    """What tells rows apart beside the key, where gold has a key several times: topics."""

    def __post_init__(self) -> None:
        self.task: Task[Any, Any] = declaration(self.name).task.on(None, None, self.how)
        self.options: ReadOptions = self.task.options.reading(ReadOptions)
        classes = getattr(self.task.options, "classes", None) or [*getattr(self.task.options, "roles", dict)().values()]
        scale = Scale.of(classes, kind=getattr(self.task.options, "kind", None)) if classes else None
        self.options = replace(self.options, classes=scale.labels if scale else ())
        renamed = label_map(self.asked.map, scale)
        self.classes = ClassRepair(scale, renamed) if scale and self.layout.classes else None

    def done(self, gold: str | Path, written: Sequence[str | Path], made: Path, folder: str) -> Cleaned:
        """The new folder, filled."""
        (made / "runs").mkdir()
        found = gathered([*([] if self.layout.gold else [gold]), *written], self.options, self.scratch)
        kept_gold = None
        if self.layout.gold:
            ((shown, path),) = expand([gold], self.scratch)
            check_distinct([path], [(one.shown, one.path) for one in found.files])
            kept_gold = self._gold(Submitted(shown, path, shown), made)
        kept: dict[str, _Kept] = {}
        for name, submitted in in_steps(_named(found.files), len(found.files), "file", lambda _: 1):
            try:
                kept[name] = self._kept(submitted, "run", made / "runs", name)
            except DataProblems as error:
                found.problems += error.problems
            if not self.layout.gold and kept and not self.names:
                self._learn(next(iter(kept.values())), "run")
        checked = self._checked(kept_gold, kept)
        runs = tuple(self._placed(name, one, checked.runs, made) for name, one in kept.items())
        result = Cleaned(
            folder,
            None if kept_gold is None else _clean_run("gold", kept_gold, "", kept_gold.path.name, ()),
            runs,
            tuple(found.problems),
            tuple(found.ignored),
            Signature(task=self.name).signed() if checked.evidence is None else checked.evidence.signed(),
        )
        (made / "log.txt").write_text("".join(f"{line}\n" for line in result.log()), encoding="utf-8")
        text = json.dumps(result.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)
        (made / "log.json").write_text(f"{text}\n", encoding="utf-8")
        return result

    def _gold(self, submitted: Submitted, made: Path) -> _Kept:
        """Gold, cleaned and checked; DataProblems where it is still wrong."""
        kept = self._kept(submitted, "gold", made, "gold")
        self._learn(kept, "gold")
        problems = check_task(self._task_on(kept.path, None), kept.told).gold_problems
        if problems:
            raise DataProblems(problems)
        return kept

    def _task_on(self, gold: Any, runs: Any) -> Task[Any, Any]:
        """The task on files that are clean: their columns are called as ever."""
        cleaned = {role for layout in self.layout.possible["gold"] for role in layout.roles}
        columns = {role: name for role, name in (self.how.get("columns") or {}).items() if _plain(role) not in cleaned}
        return task_on(self.name, gold, runs, {**self.how, "columns": columns})

    def _kept(self, submitted: Submitted, side: Side, made: Path, name: str) -> _Kept:
        """One file written anew. DataProblems where it cannot be told how it is to be read."""
        log = Log(submitted.shown)
        if submitted.archive:
            log.add("archive", old=submitted.archive)
        beginning = look(submitted.shown, submitted.path)
        beginning.refuse_archive()
        options = self.options.of_gold() if side == "gold" else self.options
        if beginning.format not in ("parquet", "arrow"):
            beginning = in_utf8(beginning, self.asked.encoding, log, self.scratch)
        numeric = bool(getattr(self.task.options, "bins", ()))
        for layout in self._layouts(side):
            known = Known(layout, options.columns, self.names, self.classes, numeric)
            found = self._found(beginning, options, known, log)
            if found is not None:
                break
        if found is None:
            return _Kept(submitted, self._as_it_is(beginning, options, side, made, name, submitted), log)
        path = made / f"{name}.csv"
        return _Kept(submitted, path, log, write(found, known, log, path))

    def _layouts(self, side: Side) -> Iterable[Layout]:
        """What a table may look like: of a run, where gold has a name in several topics, with topics rather than without."""
        if side == "run" and self.within:
            yield replace(self.layout, needed=(*self.layout.needed, *self.within))
        yield from self.layout.possible[side]

    def _found(self, beginning: Beginning, options: ReadOptions, known: Known, log: Log) -> Found | None:
        """How a table is to be read; None if it is not a table, or this is uncertain."""
        if options.format_in is not None:
            return None
        if beginning.format in ("parquet", "arrow") or beginning.format == "jsonl" or beginning.line.lstrip()[:1] == "{":
            if any(format.recognises(beginning, options) for format in formats().values()):
                return None
            return found_in_records(table(beginning, options, self.scratch), known, log)
        return None if opens_list(beginning.line) else found_in(beginning, known, log)

    def _as_it_is(
        self, beginning: Beginning, options: ReadOptions, side: Side, made: Path, name: str, submitted: Submitted
    ) -> Path:
        """A file of a format of the field, whose columns need no names. DataProblems for any other."""
        source = open_source(submitted.shown, beginning.path, options, side, self.scratch)
        if not source.format_name or self._is_mistaken(source, options):
            raise DataProblems(self._unclear(beginning, source, options))
        plain = Path(submitted.named).name.removesuffix(".gz").removesuffix(".zst")
        ending = plain[len(stem(Path(plain))) :] or Path(plain).suffix
        path = made / f"{name}{ending if ending.isascii() else ''}"
        with beginning.stream() as stream, path.open("wb") as target:
            shutil.copyfileobj(stream, target)
        return path

    def _is_mistaken(self, source: Source, options: ReadOptions) -> bool:
        """Whether a file is taken for a format without header by mistake: of the names in it, gold has none."""
        column = getattr(options.columns, self.layout.key)
        if self.layout.key not in self.names or column not in source.columns:
            return False
        repair = self.names[self.layout.key]
        return not any(repair.fits(str(record.values.get(column))) for record in source.records())

    def _unclear(self, beginning: Beginning, source: Source, options: ReadOptions) -> list[Problem]:
        needed = {role: getattr(options.columns, role) for role in self.layout.needed}
        hint = say("name the columns, as in {columns}", columns=", ".join(options.columns.example(self.options.tables)))
        unclear = [beginning.problem(1, "it is not certain which columns are which", hint)]
        return missing_columns(source, needed) or unclear if not source.format_name else unclear

    def _learn(self, kept: _Kept, side: Side) -> None:
        """The names that gold has, or the first of several runs without gold."""
        options = replace(self.options, columns=STANDARD, gold_columns=None)
        source = open_source(kept.submitted.shown, kept.path, options, side, self.scratch)
        wanted = [role for role in self.layout.names if getattr(STANDARD, role) in source.columns]
        wanted = wanted if self.layout.gold else [self.layout.key]
        seen: dict[str, set[str]] = {role: set() for role in wanted}
        rows = 0
        for record in source.records():
            rows += 1
            for role, names in seen.items():
                if (cell := record.values.get(getattr(STANDARD, role))) is not None:
                    names.add(str(cell))
        self.names = {role: NameRepair(frozenset(names)) for role, names in seen.items()}
        again = self.layout.gold and self.layout.key in seen and rows > len(seen[self.layout.key])
        self.within = tuple(role for role in seen if role not in self.layout.needed) if again else ()

    def _checked(self, gold: _Kept | None, kept: Mapping[str, _Kept]) -> Check:
        """What is still wrong with the files that were written, told of those that were submitted."""
        by_path = {str(one.path): one for one in [*kept.values(), *([] if gold is None else [gold])]}

        def told(problem: Problem) -> Problem:
            return by_path[problem.file].told(problem) if problem.file in by_path else problem

        if gold is not None:
            runs = {name: str(one.path) for name, one in kept.items()}
            return check_task(self._task_on(str(gold.path), runs or None), told)
        alone = {name: check_task(self._task_on(str(one.path), None), told) for name, one in kept.items()}
        runs_alone = [
            RunCheck(name, "", one.evidence.size(0) if one.evidence is not None else "", one.gold_problems)
            for name, one in alone.items()
        ]
        return Check("", (), tuple(runs_alone), None)

    def _placed(self, name: str, kept: _Kept, checks: Iterable[RunCheck], made: Path) -> CleanRun:
        """A run where it belongs: among those that can be scored, or those that are left."""
        checked = next(one for one in checks if one.run == name)
        folder = "runs" if checked.ok else "left"
        if not checked.ok:
            (made / folder).mkdir(exist_ok=True)
            kept.path.replace(made / folder / kept.path.name)
        return _clean_run(name, kept, checked.size, f"{folder}/{kept.path.name}", checked.problems)


def _plain(role: str) -> str:
    return role.removeprefix("gold_")


def _clean_run(name: str, kept: _Kept, size: str, written: str, problems: tuple[Problem, ...]) -> CleanRun:
    return CleanRun(name, kept.submitted.shown, written, size, kept.log.changes(), problems)


def _named(files: Sequence[Submitted]) -> list[tuple[str, Submitted]]:
    """Each file with the name of its run, which is a name of a file too; no two are the same, whatever the letters' case."""
    taken: set[str] = set()
    named: list[tuple[str, Submitted]] = []
    for name, file in zip(run_names([one.named for one in files]), files, strict=True):
        plain = own = _harmless(name)
        number = 1
        while own.casefold() in taken:
            number += 1
            own = f"{plain}-{number}"
        taken.add(own.casefold())
        named.append((own, file))
    return named


def _harmless(name: str) -> str:
    """A name that every file system takes, and no pattern passes over."""
    plain = "".join("-" if char in _NOT_IN_NAMES or not char.isprintable() else char for char in name)
    return plain[:_LONGEST_NAME].strip(" .-") or "run"
