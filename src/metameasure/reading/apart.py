"""Data in files as parts that can be counted by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.reading.files import File
from metameasure.reading.frames import ClusterFrame, on_this_machine
from metameasure.reading.inputs import is_once, listed, open_inputs
from metameasure.reading.options import ReadOptions
from metameasure.reading.parts import Parts
from metameasure.reading.sources import Source


@dataclass(frozen=True)
class Part:
    """A part of the data that can be counted by itself: some of the items with all runs, or a run on all of them."""

    shown: str
    gold: Any
    runs: list[Path]
    files: tuple[Path, ...]
    of_one_run: bool

    def known_by(self) -> list[str]:
        """What tells it from other parts, and from itself when it has changed."""
        stats = [(file, file.stat()) for file in self.files]
        said = [str(sorted(one.items())) for one in self.gold.folders] if isinstance(self.gold, Parts) else []
        return [*said, *(f"{file.absolute()} {one.st_size} {one.st_mtime_ns}" for file, one in stats)]


def parts_of(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> list[Part]:
    """The parts of data in files: each file of a table that is several, or else each run, all files of which stand in folders
    that name it where gold stands beside its labels. UsageError where they are not files that can be read again."""
    written = [gold, *listed(runs)]
    if not all(isinstance(one, str | Path) for one in written) or is_once(written) or isinstance(runs, Mapping):
        raise UsageError(say("{--resume} is for files, which can be read again"), hint="leave it out")
    inputs = open_inputs(gold, runs, options, scratch)
    if isinstance(inputs.gold, Parts) and not inputs.runs:
        run = options.columns.run
        return [
            Part(one.shown, one, [], tuple(file.path for file in one.files), of_one_run=run in one.folders[0])
            for one in inputs.gold.counted_apart(run)
        ]
    if isinstance(inputs.gold, ClusterFrame) and not inputs.runs:
        raise UsageError(say("{--resume} counts files that are here, one by one"), hint=say("leave out {--resume} or {--engine}"))
    files = [path for source in inputs.runs for path in _paths(source)]
    if not files or not _paths(inputs.gold) or inputs.stacked or len(files) > len(inputs.runs):
        what = say("there are no parts that {--resume} could count by themselves")
        raise UsageError(what, hint="name several files of one table, or several runs")
    return [
        Part(run.shown, gold, [path], (*_paths(inputs.gold), path), of_one_run=True)
        for run, path in zip(inputs.runs, files, strict=True)
    ]


def _paths(source: Source) -> list[Path]:
    """The files here that a source is read from."""
    here = on_this_machine(source)
    return [file.path for file in (here.files if isinstance(here, Parts) else (here,)) if isinstance(file, File)]
