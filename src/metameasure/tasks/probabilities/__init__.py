"""Probabilities: a distribution over classes per item, beside the item's class."""

from __future__ import annotations

from typing import ClassVar, get_args

from metameasure.core.choices import MissingProbabilities
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.options import option, option_group
from metameasure.core.scale import Classes, Kind
from metameasure.reading.options import Tables
from metameasure.tasks.declaration import CLASSES, KIND, MISSING, NORMALISE, SMOOTH, Declaration, Layout, TaskOptions


@option_group
class Options(TaskOptions):
    """What may be said of probabilities of items."""

    reads: ClassVar[tuple[str, ...]] = ("item", "topic", "label", "gold", "run", "category", "probability", "cluster")
    tables: ClassVar[Tables] = Tables("probabilities", ("item", "category", "probability"), labels=False)

    classes: Classes | None = option(CLASSES)
    kind: Kind | None = option(KIND)
    normalise: bool = option(NORMALISE, default=False)
    smooth: float | None = option(SMOOTH)

    missing: MissingProbabilities | None = option(MISSING, choices=get_args(MissingProbabilities))

    def __post_init__(self) -> None:
        """UsageError for what is not for distributions."""
        if self.run_columns:
            raise UsageError(say("{--run-columns} is for labels, but these are distributions"), hint="leave it out")


_LAYOUT = Layout(
    needed=("item", "category", "probability"),
    key="category",
    names=("item", "topic"),
    classes=("category",),
    numbers=("probability",),
    wide="item",
    of_gold=Layout(needed=("item", "label"), key="item", names=("item", "topic"), classes=("label",)),
)
TASK = Declaration(__name__, "ProbabilitiesTask", Options, place=25, layout=_LAYOUT)
