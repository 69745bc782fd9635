"""How files and frames are read: what a user may say about them, for any task, and what their columns are called."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.values import repeated
from metameasure.reading.connecting import USUAL_TIMEOUT, Cluster

Side = Literal["gold", "run"]
Holds = Literal["ranks", "scores"]
CATALOGUE = "table:"
"""What the name of a table in a cluster's catalogue begins with."""
OF_GOLD = "gold_"
"""What the role of a column begins with that is named otherwise in gold."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Tables:
    """What the tables of a task are like, as far as it matters to reading them."""

    task: str = "classification"
    """The task whose formats of the field they may be in."""
    example: tuple[str, ...] = ("item", "label")
    """The roles of the columns in a header that they may have."""
    labels: bool = True
    """Whether they say something of each item by itself in a column, as labels do: a sequence may then stand for each, and one
    table for gold and all runs."""


@dataclass(frozen=True)
class Columns:
    """The name of each column in the files at hand; by default the interface's own."""

    item: str = "item"
    topic: str = "topic"
    label: str = "label"
    gold: str = "gold"
    run: str = "run"
    weight: str = "weight"
    confidence: str = "confidence"
    rank: str = "rank"
    score: str = "score"
    score_rank: str = "score_rank"
    category: str = "class"
    probability: str = "probability"
    segment: str = "segment"
    judge: str = "judge"
    ranking: str = "ranking"
    grade: str = "grade"
    cluster: str = "cluster"
    repeat: str = "repeat"
    annotator: str = "annotator"
    stratum: str = "stratum"
    measure: str = "measure"
    hash: str = "hash"

    def example(self, tables: Tables) -> tuple[str, ...]:
        """A header that a task's files may have."""
        return tuple(getattr(self, role) for role in tables.example)

    def names(self) -> frozenset[str]:
        """All the names, to tell a header from data."""
        return frozenset(getattr(self, role) for role in _ROLES)


_ROLES = frozenset(field.name for field in fields(Columns))
_STANDARD = Columns()


def gold_columns(names: Mapping[str, str]) -> Columns:
    """Gold's columns, where some are named otherwise there: by ``gold_item``, ``gold_label``, ..."""
    own = {role.removeprefix(OF_GOLD): name for role, name in names.items() if role not in _ROLES}
    return named_columns({role: name for role, name in names.items() if role in _ROLES} | own)


def named_columns(names: Mapping[str, str]) -> Columns:
    """The columns under a user's names for them, by role; UsageError for a role that does not exist. What is said of gold alone
    is left aside."""
    if not names:
        return _STANDARD
    names = {role: name for role, name in names.items() if role in _ROLES or role.removeprefix(OF_GOLD) not in _ROLES}
    unknown = [role for role in names if role not in _ROLES]
    if unknown:
        hint = did_you_mean(unknown[0], sorted(_ROLES)) or f"the roles are {', '.join(sorted(_ROLES))}"
        raise UsageError(say("there is no column role '{role}'", role=unknown[0]), hint=hint)
    return Columns(**names)


def check_names(names: Sequence[str]) -> None:
    """UsageError where one name stands for two."""
    if twice := repeated(names):
        raise UsageError(say("two runs are called '{run}'", run=min(twice)), hint="give each run a name of its own")


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
    named: tuple[tuple[str, str], ...] = ()
    """The columns that the user names, by role."""
    threads: int | None = None
    memory: str | None = None
    engine: str | None = None
    """``duckdb``, the default, or ``spark``, which reads the files where they are; ``master`` is then its address."""
    master: str | None = None
    connect_timeout: float | None = None
    """How many seconds it may take to reach the cluster."""
    gold_format: str = ""
    """The format of gold's file: a run that could be of this format or of another is taken to be of this one."""
    stacked: bool = False
    """Whether several files are parts of one table, whose column says of which run a row is."""
    name_by: str | None = None
    """What runs are called after where nobody names them: their files, or what each file says its run is called."""

    filter: str | None = None
    """Which of lm-eval's filters of answers counts."""
    metadata: tuple[str, ...] = ()
    """Columns of a harness's metadata that are wanted besides those that the user names."""
    tables: Tables = field(default_factory=Tables)
    """What the task's tables are like."""

    def __post_init__(self) -> None:
        if self.master is not None and self.engine != "spark":
            raise UsageError(say("{--master} is the address of a cluster"), hint=say("choose {--engine spark}"))
        if self.connect_timeout is not None and self.engine != "spark":
            raise UsageError(say("{--connect-timeout} is about a cluster"), hint=say("choose {--engine spark}"))
        if self.connect_timeout is not None and not 0 < self.connect_timeout < math.inf:
            raise UsageError(f"{self.connect_timeout:g} seconds are no time to wait", hint=say("as in {--connect-timeout 20}"))

    @property
    def cluster(self) -> Cluster:
        """Where the cluster is, and how long it may take to reach it."""
        return Cluster(self.master, USUAL_TIMEOUT if self.connect_timeout is None else self.connect_timeout)

    def need_no_more(self, columns: Sequence[str]) -> bool:
        """Whether no other column has to be known before a table's rows are read. A large file is then read once."""
        needed = {self.columns.item, self.columns.score, *self.metadata, *(name for _, name in self.named)}
        return self.task == "outcomes" and not self.run_columns and needed <= set(columns)

    def of_gold(self) -> ReadOptions:
        """The same for gold."""
        return self if self.gold_columns in (None, self.columns) else replace(self, columns=self.gold_columns or self.columns)


def bytes_of(size: str) -> float:
    """2GB, 512 MB, ...

    >>> bytes_of("2GB")
    2000000000.0
    """
    match = _SIZE.fullmatch(size.strip())
    if not match or not float(match[1]):
        raise UsageError(f"'{size}' is not an amount of memory", hint="as in 2GB")
    return float(match[1]) * _UNITS[match[2].upper()]
