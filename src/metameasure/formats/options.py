"""How files and frames are read: what a user may say about them, for any task."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from metameasure.errors import UsageError
from metameasure.formats.columns import Columns

Side = Literal["gold", "run"]
ENGINES = ("duckdb", "spark")
Holds = Literal["ranks", "scores"]


@dataclass(frozen=True)
class ReadOptions:
    """``classes`` are the declared ones, where they are. ``aspect`` chooses a quality of NTCIR's files. ``gold_are`` and
    ``runs_are`` say what a column of a ranking holds where its name does not. ``missing`` is the policy for what a run lacks."""

    task: str = "classification"
    columns: Columns = field(default_factory=Columns)
    format_in: str | None = None
    run_columns: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    aspect: str | None = None
    gold_are: Holds | None = None
    runs_are: Holds | None = None
    missing: str | None = None
    gold_columns: Columns | None = None
    """Where gold's columns are named otherwise than the runs'."""
    threads: int | None = None
    memory: str | None = None
    engine: str | None = None
    """``duckdb``, the default, or ``spark``, which reads the files where they are; ``master`` is then its address."""
    master: str | None = None

    def __post_init__(self) -> None:
        if self.engine not in (None, *ENGINES):
            raise UsageError(f"there is no engine '{self.engine}'", hint=f"choose {' or '.join(ENGINES)}")
        if self.master is not None and self.engine != "spark":
            raise UsageError("--master is the address of a cluster", hint="choose --engine spark")

    def of_gold(self) -> ReadOptions:
        """The same for gold."""
        return self if self.gold_columns is None else replace(self, columns=self.gold_columns)
