"""The files that submissions are made of: named one by one, in folders, and in ZIP archives. Whoever packed an archive is not
trusted: nothing is written under a name that it chooses, and what it says of its sizes is not believed."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from typing import IO

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems, Problem
from metameasure.reading.files import look
from metameasure.reading.formats import formats
from metameasure.reading.inputs import called, expand
from metameasure.reading.on_disk import check_expansion, is_damage, refuse_lakes
from metameasure.reading.options import ReadOptions

_MOST_MEMBERS = 10_000
_LONGEST_NAME = 1_000
_BLOCK = 1 << 20
_SYSTEM = frozenset({"__macosx", ".ds_store", "thumbs.db", "desktop.ini"})
"""What file systems leave in folders and archives, and nobody means to submit."""
_FOR_PEOPLE = frozenset({"readme", "license", "licence"})
_NO_ARCHIVE = (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True)
class Submitted:
    """A file that may be a run: how messages call it, where it lies, by what path it is named, and the archive it was in."""

    shown: str
    path: Path
    named: str
    archive: str = ""


@dataclass
class Gathered:
    """The files found, those that cannot be taken, with the reason, and those that are no runs: a system's own, and READMEs."""

    files: list[Submitted] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    def refuse(self, shown: str, what: str, hint: str) -> None:
        """A file that is not taken."""
        self.problems.append(Problem(shown, 0, what, hint))


def gathered(written: Iterable[str | Path], options: ReadOptions, scratch: Path) -> Gathered:
    """All files that paths, patterns and folders stand for, archives unpacked. UsageError for a path that leads nowhere."""
    found = Gathered()
    for one in written:
        if Path(one).is_dir():
            _add_folder(Path(one), found, options, scratch)
        else:
            for shown, path in expand([one], scratch):
                _add_file(shown, path, found, options, scratch)
    return found


def _add_folder(folder: Path, found: Gathered, options: ReadOptions, scratch: Path) -> None:
    """Every file below a folder. Links are not followed: who packed the folder may have let them lead anywhere."""
    refuse_lakes([folder])
    for parent, folders, files in os.walk(folder, onerror=_refuse_folder):
        folders.sort()
        for name in [one for one in folders if (Path(parent) / one).is_symlink()]:
            folders.remove(name)
            files.append(name)
        for name in sorted(files):
            path = Path(parent) / name
            shown = called(str(path))
            if _is_no_run(path.relative_to(folder)):
                found.ignored.append(shown)
            elif path.is_symlink():
                found.refuse(shown, "this is a link", "put the file itself there")
            elif not path.is_file():
                found.refuse(shown, "this is a pipe or a device, not a file", "put a file there")
            else:
                ((shown, file),) = expand([path], scratch)
                _add_file(shown, file, found, options, scratch)


def _refuse_folder(error: OSError) -> None:
    raise UsageError(f"cannot read '{error.filename}': {error.strerror}", hint="check who may read it")


def is_of_system(path: PurePath) -> bool:
    """Whether it is what a file system leaves in folders and archives, by its path there."""
    return any(part.lower() in _SYSTEM or part.startswith("._") for part in path.parts)


def _is_no_run(path: PurePath) -> bool:
    """Whether a file is a system's own, or tells people about the others."""
    return is_of_system(path) or path.suffix.lower() == ".md" or path.stem.lower() in _FOR_PEOPLE


def _add_file(shown: str, path: Path, found: Gathered, options: ReadOptions, scratch: Path) -> None:
    try:
        beginning = look(shown, path, whole=False)
        if not beginning.is_archive or any(format.recognises(beginning, options) for format in formats().values()):
            found.files.append(Submitted(shown, path, shown))
            return
    except DataProblems as error:
        found.problems += error.problems
        return
    try:
        _add_members(shown, path, found, scratch)
    except (*_NO_ARCHIVE, OSError, EOFError) as error:
        found.files[:] = [one for one in found.files if one.archive != shown]
        found.refuse(
            shown, say("the archive cannot be read ({why})", why=str(error) or type(error).__name__), "pack and send it again"
        )


def _add_members(shown: str, path: Path, found: Gathered, scratch: Path) -> None:
    """The files in an archive. One that is alone goes by the archive's name, which tells submissions apart."""
    unpacked: list[tuple[str, Path]] = []
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.infolist() if not one.is_dir()]
        if len(members) > _MOST_MEMBERS:
            raise ValueError(f"it holds more than {_MOST_MEMBERS:,} files")
        size = 0
        for member in members:
            name = member.filename.replace("\\", "/")
            inside = called(f"{shown}/{name}")
            if _is_no_run(PurePosixPath(name)):
                found.ignored.append(inside)
            elif refused := _refused(member, name):
                found.refuse(inside[:_LONGEST_NAME], *refused)
            else:
                target = scratch / f"member-{len(list(scratch.iterdir()))}{_ending(name)}"
                try:
                    size = _unpack(archive, member, target, path, size)
                except Exception as error:
                    if isinstance(error, OSError) or not (isinstance(error, _NO_ARCHIVE) or is_damage(error)):
                        raise  # a bomb among them: then nothing of the archive is taken
                    target.unlink(missing_ok=True)
                    found.refuse(inside, say("the file is damaged ({why})", why=str(error)), "pack and send it again")
                else:
                    unpacked.append((name, target))
    _name_members(shown, unpacked, found)


def _name_members(shown: str, unpacked: list[tuple[str, Path]], found: Gathered) -> None:
    tables: list[tuple[str, Path]] = []
    for name, path in unpacked:
        inside = called(f"{shown}/{name}")
        try:
            if look(inside, path, whole=False).is_archive:
                found.refuse(inside, "this is an archive in an archive", "pack the files themselves")
                continue
        except DataProblems as error:
            found.problems += error.problems
            continue
        tables.append((name, path))
    stem = str(Path(shown).with_suffix(""))
    for name, path in tables:
        named = f"{stem}{_ending(name)}" if len(tables) == 1 else f"{stem}/{name}"
        found.files.append(Submitted(called(f"{shown}/{name}"), path, named, shown))
    if not tables and not any(problem.file.startswith(shown) for problem in found.problems):
        found.refuse(shown, "there is no file in the archive", "pack the files themselves")


def _refused(member: zipfile.ZipInfo, name: str) -> tuple[str, str] | None:
    """Why a member of an archive is not unpacked."""
    path = PurePosixPath(name)
    if len(name) > _LONGEST_NAME:
        return "the name is too long", "give it a short one"
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return "the name leads out of the archive", "pack the files by their names alone"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "this is a link", "pack the file itself"
    if member.flag_bits & 1:
        return "it is encrypted", "pack it without a password"
    return None


def _ending(name: str) -> str:
    """The endings of a name, as far as they are plain."""
    endings = [one for one in PurePosixPath(name).suffixes[-2:] if one[1:].isascii() and one[1:].isalnum() and len(one) <= 10]
    return "".join(endings)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, path: Path, size: int) -> int:
    """Write a member to a file of ours; how much has been unpacked by then. OSError for a bomb."""
    with archive.open(member) as stream, target.open("wb") as file:
        for block in _blocks(stream):
            size += len(block)
            check_expansion(path, size)
            file.write(block)
    return size


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block
