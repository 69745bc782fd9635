"""Multilabel: a set of labels per item."""

from __future__ import annotations

from typing import ClassVar, get_args

from metameasure.core.choices import MissingSets
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.options import option, option_group
from metameasure.reading.options import Tables
from metameasure.tasks.declaration import LABEL_COLUMNS, MISSING, Declaration, LabelOptions, Layout


@option_group
class Options(LabelOptions):
    """What may be said of sets of labels."""

    reads: ClassVar[tuple[str, ...]] = (*(role for role in LABEL_COLUMNS if role != "weight"), "cluster")
    tables: ClassVar[Tables] = Tables("multilabel", labels=False)

    missing: MissingSets | None = option(MISSING, choices=get_args(MissingSets))

    def __post_init__(self) -> None:
        """UsageError for what is not for sets."""
        if self.kind not in (None, "nominal"):
            raise UsageError("labels of a set have no order", hint=say("leave out {--kind}"))


_LAYOUT = Layout(needed=("item", "label"), key="item", names=("item", "topic"), classes=("label", "gold"), wide="item", sets=True)
TASK = Declaration(__name__, "Multilabel", Options, place=27, layout=_LAYOUT)
