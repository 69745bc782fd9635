"""Everything that is wrong with gold and runs, run by run, before anything is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from metameasure.core.errors import UsageError
from metameasure.core.options import with_options
from metameasure.core.problems import Problem
from metameasure.core.signature import Signature
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.tasks.base import task_on
from metameasure.tasks.checking import Check, check_task
from metameasure.tasks.option_groups import DataOptions


@dataclass(frozen=True, eq=False)
class CheckedFolders(Signed):
    """Several data sets, each by its folder's name with what was found: Sakai (2021), Table 1, and Sakai (LQ 2021), Table 2."""

    caption: ClassVar[str] = "Data sets"

    checks: Mapping[str, Check]

    def problems(self) -> list[Problem]:
        """Everything that is wrong with any of them."""
        return [problem for one in self.checks.values() for problem in one.problems()]

    def rows(self) -> list[dict[str, Any]]:
        """Of each data set: classes, topics, items or distributions, runs."""
        return [_described(name, one) for name, one in self.checks.items()]

    def to_dict(self) -> dict[str, Any]:
        return {"data_sets": self.rows(), "notes": [], "findings": [], **self.signed()}

    def tables(self, format: OutputFormat) -> list[Table]:
        rows = self.rows()
        headings = tuple(rows[0])
        return [Table(headings, tuple(tuple(map(_cell, row.values())) for row in rows), frozenset(headings[2:]))]

    def full_table(self) -> Table:
        rows = self.rows()
        return Table.of({name: [row[name] for row in rows] for name in rows[0]})


def _cell(value: Any) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _described(name: str, one: Check) -> dict[str, Any]:
    evidence = one.evidence
    if evidence is None:
        return {"data set": name, "task": None, "classes": None, "topics": None, "items": None, "runs": len(one.runs)}
    size = evidence.size(0).partition(" ")[0].replace(",", "") if evidence.runs else ""
    return {
        "data set": name,
        "task": evidence.task,
        "classes": len(evidence.scale) if evidence.scale else None,
        "topics": len(evidence.topics),
        "items": int(size) if size.isdecimal() else None,
        "runs": len(one.runs),
    }


def gold_files(folder: Path) -> list[Path]:
    """The files of a folder whose names begin with ``gold``."""
    return sorted(one for one in folder.iterdir() if one.is_file() and one.name.lower().startswith("gold"))


def check_data_sets(folders: Sequence[str | Path], **how: Any) -> CheckedFolders:
    """A table of data sets that lie in a folder each: a file whose name begins with ``gold``, and ``runs`` with a file for each
    run. ``how`` is what ``check`` takes, the same for all."""
    found = {}
    for folder in map(Path, folders):
        golds = gold_files(folder)
        if len(golds) != 1:
            raise UsageError(f"'{folder}' has {len(golds)} files called gold...", hint="let there be one, and the runs in 'runs'")
        found[str(folder) if folder.name in found else folder.name] = check(str(golds[0]), str(folder / "runs" / "*"), **how)
    return CheckedFolders(found)


@with_options(DataOptions)
def check(asked: DataOptions, gold: Any, runs: Any = None) -> Check:
    """Check gold and every run, and report all problems at once.

    Files that cannot be read, wrong headers and wrong contents: a broken run does not hide the problems of the others.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``; without them, gold is checked alone.

    Returns
    -------
    Check
        What was found. ``.ok`` says whether all is right, ``.problems()`` what is not.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task. Wrong data raise nothing: they are the answer.

    Notes
    -----
    What a file has to be like is in docs/formats.md. Nothing is scored: what is wrong with one run does not hide what is wrong
    with the next.

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.check(["a", "b", "b"], {"first": ["a", "b", "b"], "second": ["a", "c", "b"]}, classes="a,b")
    >>> found.ok, found.good()
    (False, ['first'])

    """
    found = check_task(task_on(asked.task, gold, runs, asked.how()))
    made = Signature(task=asked.task).signed() if found.evidence is None else found.evidence.signed()
    return replace(found, made=made.having(command="check"))
