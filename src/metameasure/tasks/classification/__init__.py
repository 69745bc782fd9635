"""Classification: a label per item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from metameasure.tasks.declaration import LABEL_COLUMNS, LABELS, Declaration, ItemLabelOptions, NumericLabelOptions


@dataclass(frozen=True, kw_only=True)
class Options(ItemLabelOptions, NumericLabelOptions):
    """What may be said of labels."""

    reads: ClassVar[tuple[str, ...]] = (*LABEL_COLUMNS, "cluster", "repeat")


TASK = Declaration(__name__, "Classification", Options, place=10, layout=LABELS)
