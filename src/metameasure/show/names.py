"""Which runs the reader wants to see, and under which names: in tables and charts for people. What programs
read has all runs, by their own names; ranks, letters and tests are of all runs whoever is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import Message, legend, say
from metameasure.core.notes import counted, listed


@dataclass(frozen=True)
class Choice:
    """The runs to show, all where none is named; and other names for some of them."""

    show: tuple[str, ...] = ()
    rename: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.show or self.rename)

    def checked(self, runs: Sequence[str]) -> None:
        """UsageError for a name that no run has, and for one that two would have."""
        if not runs and self:
            raise UsageError(say("this result has no runs to choose from"), hint=say("leave out {--show} and {--rename}"))
        for run in (*self.show, *self.rename):
            if run not in runs:
                raise UsageError(
                    say("there is no run '{run}' to show or rename", run=run),
                    hint=did_you_mean(run, runs) or say("the runs are {runs}", runs=listed(runs, "and")),
                )
        called = [self.rename.get(run, run) for run in runs if not self.show or run in self.show]
        twice = next((name for name in called if called.count(name) > 1), None)
        if twice is not None:
            raise UsageError(say("two runs would be called '{name}'", name=twice), hint=say("give each a name of its own"))
        if any(not name.strip() for name in self.rename.values()):
            raise UsageError(say("a run would have no name"), hint=say("write {--rename <both>}", both="RUN=NAME"))

    def words(self, runs: Sequence[str]) -> Message | None:
        """That not all runs are shown, where that is so."""
        if not self.show or len({*self.show}) == len(runs):
            return None
        template = "{shown} of {runs} are shown; ranks, letters and tests are of all."
        return legend(template, shown=len({*self.show}), runs=counted(len(runs), "run"))


_EVERYTHING = Choice()
_choice: ContextVar[Choice] = ContextVar("choice", default=_EVERYTHING)


@contextmanager
def choosing(choice: Choice | None) -> Iterator[None]:
    """Tables and charts that are made inside show these runs, by these names; None leaves it as it is."""
    token = _choice.set(choice or _choice.get())
    try:
        yield
    finally:
        _choice.reset(token)


def chosen_now() -> Choice:
    """What is to be shown here."""
    return _choice.get()


def is_shown(run: str) -> bool:
    """Whether whoever reads wants to see the run."""
    show = _choice.get().show
    return not show or run in show


def named(run: str) -> str:
    """What the run is called where people read."""
    return _choice.get().rename.get(run, run)


def all_named(runs: Sequence[str]) -> list[str]:
    """What runs are called where people read."""
    return [named(run) for run in runs]


def renaming(texts: Sequence[str]) -> dict[str, str]:
    """Other names for runs from ``RUN=NAME``, one a text or several with commas between them; UsageError for anything else. A
    comma belongs to the name before it where no other pair follows.

    >>> renaming(["a=First, 2020", "b=B,c=C"])
    {'a': 'First, 2020', 'b': 'B', 'c': 'C'}
    """
    pairs: list[str] = []
    for text in texts:
        first, *others = text.split(",")
        pairs.append(first)
        for other in others:
            if "=" in other:
                pairs.append(other)
            else:
                pairs[-1] += f",{other}"
    names: dict[str, str] = {}
    for pair in pairs:
        run, equals, name = pair.partition("=")
        if not equals or not run:
            raise UsageError(say("{--rename} is '{pair}'", pair=pair), hint=say("write {--rename <both>}", both="RUN=NAME"))
        if names.setdefault(run, name) != name:
            raise UsageError(say("run '{run}' gets two names", run=run), hint=say("give it one"))
    return names
