"""Outcomes: a number per run and item that somebody else computed."""

from __future__ import annotations

from typing import ClassVar, get_args

from metameasure.core.choices import Better, MissingOutcomes
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.options import option, option_group
from metameasure.core.shared_options import BETTER
from metameasure.reading.options import Tables
from metameasure.tasks.declaration import MISSING, Declaration, Layout, TaskOptions


@option_group
class Options(TaskOptions):
    """What may be said of outcomes."""

    reads: ClassVar[tuple[str, ...]] = ("run", "item", "score", "measure", "topic", "cluster", "repeat", "hash")
    tables: ClassVar[Tables] = Tables("outcomes", ("run", "item", "score"), labels=False)

    missing: MissingOutcomes | None = option(
        MISSING,
        "What to do with items that a run has no score for (default: drop).",
        choices=get_args(MissingOutcomes),
        usual="drop",
        of_scoring=True,
    )
    better: Better | None = option(
        BETTER,
        "Which scores are better (default: as the data say, or the names of measures).",
        of_scoring=True,
    )

    filter: str | None = option(
        "filter", "Which of lm-eval's filters of answers counts, where a task has several.", metavar="NAME"
    )

    def __post_init__(self) -> None:
        """UsageError for what is not for outcomes."""
        if self.extra is not None:
            raise UsageError(say("{--extra} is about items that gold lacks, and outcomes have no gold"), hint="leave it out")


_LAYOUT = Layout(
    needed=("item", "score"),
    key="item",
    names=("item", "topic", "run", "measure"),
    numbers=("score",),
    identical_are_one=False,
    gold=False,
)
TASK = Declaration(__name__, "OutcomesTask", Options, place=50, layout=_LAYOUT, brings_measures=True)
