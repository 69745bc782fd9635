"""Several files that are one table: what a pattern matches, or a folder of parts, with what its folders say (``run=a/``)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.notes import counted, first_of
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.signature import unquoted
from metameasure.reading.files import ENDINGS, File
from metameasure.reading.on_disk import refuse_files_of_lakes, refuse_lakes, without_compression
from metameasure.reading.sources import Record, Source

_NOTHING = "__HIVE_DEFAULT_PARTITION__"
# More lines than any file has: the line of a part is known by the part's number and its line in it.
_LINES = 1 << 40
_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Parts(Source):
    """Files of the same columns, one below the other. ``folders`` has, for each file, what the names of its folders say."""

    shown: str
    files: tuple[File, ...]
    columns: tuple[str, ...]
    folders: tuple[Mapping[str, str | None], ...]

    def records(self) -> Iterator[Record]:
        for place, file in enumerate(self.files):
            yield from (self._of_part(place, record) for record in file.records())

    def matching(self, texts: list[str] | None) -> Iterator[Record]:
        for place, file in enumerate(self.files):
            # What folders say stands in no line.
            named = texts is not None and any((value or "") in texts for value in self.folders[place].values())
            yield from (self._of_part(place, record) for record in file.matching(None if named else texts))

    def _of_part(self, place: int, record: Record) -> Record:
        return replace(record, line=place * _LINES + record.line, values={**record.values, **self.folders[place]})

    @property
    def header_line(self) -> int:
        return 1 if self.header and self.files[0].is_text else 0

    def problem(self, line: int, what: str, hint: str = "") -> Problem:
        place, own = divmod(line, _LINES)
        if own == 0 or line == self.header_line:
            return Problem(self.shown, 0, what, hint)
        return Problem(self.files[place].shown, own, what, hint)

    def counted_apart(self, run: str) -> list[Parts]:
        """What can be counted by itself: each file with rows, or all such files of a run where folders say which run they are."""
        together = dict[Any, list[int]]()
        for place in [place for place, file in enumerate(self.files) if file.has_rows()] or [0]:
            said = self.folders[place]
            together.setdefault((said[run],) if run in said else place, []).append(place)
        found = []
        for places in together.values():
            files, folders = (tuple(self.files[place] for place in places), tuple(self.folders[place] for place in places))
            found.append(replace(self, shown=shown_together(files), files=files, folders=folders))
        return found

    def by_name(self) -> str:
        """How a user names the files one by one, where they are not what a table in parts is."""
        return say("name its files, as in '{pattern}'", pattern=f"{self.shown}/*{Path(self.files[0].shown).suffix}")

    def line_shown(self, line: int) -> int | str:
        place, own = divmod(line, _LINES)
        return say("{line} of '{file}'", line=own, file=self.files[place].shown)


def in_folder(folder: Path) -> list[Path]:
    """The tables in a folder and below it, in the order of their names. UsageError where there is none, or where only a log tells
    which of them are still part of the table."""
    found = []
    for where, below, names in os.walk(folder):
        refuse_lakes([Path(where)])
        below[:] = sorted(name for name in below if not _is_hidden(name))
        found += [Path(where) / name for name in sorted(names) if not _is_hidden(name) and _is_table(name)]
    if not found:
        hint = f"its files end in {', '.join(ENDINGS[:4])} or the like; or name them, as in '{str(folder).rstrip('/')}/*'"
        raise UsageError(f"'{folder}' is a folder without tables", hint=hint)
    refuse_files_of_lakes(found)
    return found


def is_left_by_programs(path: Path) -> bool:
    """Whether it is what programs leave beside the parts that they write, such as _SUCCESS."""
    return _is_hidden(path.name) and not _is_table(path.name)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _is_table(name: str) -> bool:
    return without_compression(name.lower()).endswith(ENDINGS)


def said_by_folders(path: Path, below: Path) -> dict[str, str | None]:
    """What the folders between one and a file say: ``run=a/part.parquet`` is of the run a."""
    named = [part.partition("=") for part in path.relative_to(below).parts[:-1] if "=" in part]
    return {unquoted(name): None if value == _NOTHING else unquoted(value) for name, _, value in named}


def as_one(shown: str, sources: Sequence[Source], folders: Sequence[Mapping[str, str | None]]) -> Parts:
    """Files as one table. DataProblems for one that is no plain table, or has other columns than most."""
    files = [source for source in sources if isinstance(source, File) and not source.format_name]
    if others := [source for source in sources if source not in files]:
        what, hint = say("this is no plain table, of which several can be one"), "name one such file, and the runs after it"
        raise DataProblems([source.problem(0, what, hint) for source in others])
    named = [frozenset((*file.columns, *said)) for file, said in zip(files, folders, strict=True)]
    usual = named.index(max(named, key=Counter(named).__getitem__))
    if problems := [one for file, said in zip(files, folders, strict=True)
                    for one in _unlike(file, said, files[usual], folders[usual])]:  # fmt: skip
        raise DataProblems(problems)
    columns = dict.fromkeys(name for file, said in zip(files, folders, strict=True) for name in (*file.columns, *said))
    facts = {name: getattr(files[0], name) for name in ("header", "graded", "counted", "partial", "words")}
    return Parts(shown, tuple(files), tuple(columns), tuple(folders), **facts)


def _unlike(file: File, said: Mapping[str, str | None], first: File, first_said: Mapping[str, str | None]) -> list[Problem]:
    """What is wrong with a part beside one that is like most, the first of them."""
    line = 1 if file.header and not file.is_binary else 0
    if twice := [name for name in said if name in file.columns]:
        what = say("'{column}' is a column and the name of a folder", column=twice[0])
        return [file.problem(line, what, "leave out the one or the other")]
    both = {*file.columns, *said}, {*first.columns, *first_said}
    if both[0] == both[1] or (file.format == first.format == "jsonl" and said.keys() == first_said.keys()):
        return []
    lacking, more = (sorted(one - other) for one, other in (both[::-1], both))
    if lacking:
        what = say("there is no column '{column}', which '{first}' has", column=lacking[0], first=first.shown)
    else:
        what = say("there is a column '{column}', which '{first}' lacks", column=more[0], first=first.shown)
    return [file.problem(line, what, say("parts of one table have the same columns"))]


def shown_together(sources: Sequence[Source]) -> str:
    """How messages call several sources that are one."""
    first, *others = sources
    return f"{first.shown} and {counted(len(others), 'more file')}" if others else first.shown


def named_in_a_row(files: Sequence[str]) -> str:
    """The number of files, and the first of them."""
    return f"{counted(len(files), 'file')} ({first_of(files, _MOST_NAMED)})"
