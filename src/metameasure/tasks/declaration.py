"""Which tasks there are, and the options of each: known before anything heavy is imported."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from metameasure import tasks
from metameasure.errors import UsageError, did_you_mean
from metameasure.options import declared_in, is_left_out
from metameasure.tasks.options import TaskOptions

if TYPE_CHECKING:
    from metameasure.tasks.base import Task


@dataclass(frozen=True)
class Declaration:
    """A task: a folder here whose package has this as ``TASK``, and the class itself in ``task.py``."""

    package: str
    """The folder's name as a package: ``__name__``."""
    class_name: str
    options: type[TaskOptions] = TaskOptions
    takes: tuple[str, ...] = ()
    """The other tasks whose measures it can score."""
    place: int = 50
    """Its place where tasks are listed."""

    @property
    def name(self) -> str:
        """What users call it."""
        return self.package.rpartition(".")[2]

    @property
    def task(self) -> type[Task[Any, Any]]:
        """The task's class, which is only now imported."""
        found: type[Task[Any, Any]] = getattr(importlib.import_module(f"{self.package}.task"), self.class_name)
        return found

    def knows(self, option: str) -> bool:
        """Whether it has such an option."""
        return option in {field.name for field in dataclasses.fields(self.options)}

    def options_of(self, how: Mapping[str, Any]) -> TaskOptions:
        """The options that the keywords of a call stand for; UsageError for one that is not this task's."""
        told = {name: value for name, value in how.items() if not is_left_out(value)}
        for name, value in told.items():
            if not self.knows(name):
                raise self._not_mine(name, value)
        for role in self.options.not_for:
            if role in told.get("columns", {}):
                others = [task.name for task in declarations().values() if role not in task.options.not_for]
                raise UsageError(
                    f"--{role.replace('_', '-')}-column is not for the task {self.name}",
                    hint=f"it is for labels: {', '.join(others)}",
                )
        return self.options(**told)

    def _not_mine(self, name: str, value: Any) -> UsageError:
        others = [task for task in declarations().values() if task.knows(name)]
        if not others:
            known = [field.name for field in dataclasses.fields(self.options)]
            return UsageError(f"there is no option '{name}'", hint=did_you_mean(name, known) or "see the documentation")
        declared = declared_in(others[0].options)[name]
        shown = f"{next(iter(value)).replace('_', '-')}-{declared.name}" if declared.keys else declared.name
        hint = f"it is for {', '.join(task.name for task in others)} (--task)"
        return UsageError(f"--{shown} is not for the task {self.name}", hint=hint)

    def options_of_scoring(self, how: Mapping[str, Any]) -> TaskOptions:
        """The same where the data have been read already; UsageError for an option that is about reading."""
        later = {*self.names_of_scoring(), "seed", "threads", "memory"}
        for name, value in how.items():
            if name not in later and not is_left_out(value):
                raise UsageError(
                    f"--{name.replace('_', '-')} is an option for reading files, and evidence has been read already",
                    hint="use it with metameasure count",
                )
        return self.options_of(how)

    def names_of_scoring(self) -> tuple[str, ...]:
        """The options that are about scoring."""
        return tuple(name for name, option in declared_in(self.options).items() if option.of_scoring)


@cache
def declarations() -> dict[str, Declaration]:
    """All tasks, by name."""
    names = [found.name for found in pkgutil.iter_modules(tasks.__path__, f"{tasks.__name__}.") if found.ispkg]
    found: list[Declaration] = [importlib.import_module(name).TASK for name in names]
    return {one.name: one for one in sorted(found, key=lambda one: (one.place, one.name))}


def declaration(name: str) -> Declaration:
    """The task of that name; UsageError where there is none."""
    known = declarations()
    if name not in known:
        raise UsageError(f"there is no task '{name}'", hint=did_you_mean(name, known) or f"the tasks are {', '.join(known)}")
    return known[name]
