"""Multilabel: a set of labels per item."""

from __future__ import annotations

from typing import ClassVar

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.options import option_group
from metameasure.reading.options import Tables
from metameasure.tasks.declaration import LABEL_COLUMNS, Declaration, LabelOptions, Layout

MISSING = ("drop", "empty")


@option_group
class Options(LabelOptions):
    """What may be said of sets of labels."""

    reads: ClassVar[tuple[str, ...]] = (*(role for role in LABEL_COLUMNS if role != "weight"), "cluster")
    tables: ClassVar[Tables] = Tables("multilabel", labels=False)

    def __post_init__(self) -> None:
        """UsageError for a choice that does not exist, or not here."""
        if self.missing not in (None, *MISSING):
            raise UsageError(
                f"there is no policy '{self.missing}' for missing items",
                hint=say("choose {--missing drop}, or {--missing empty} for a set without labels"),
            )
        if self.kind not in (None, "nominal"):
            raise UsageError("labels of a set have no order", hint=say("leave out {--kind}"))


_LAYOUT = Layout(needed=("item", "label"), key="item", names=("item", "topic"), classes=("label", "gold"), wide="item", sets=True)
TASK = Declaration(__name__, "Multilabel", Options, place=27, layout=_LAYOUT)
