"""Classification: a label per item."""

from __future__ import annotations

from typing import ClassVar

from metameasure.core.options import option_group
from metameasure.tasks.declaration import LABEL_COLUMNS, LABELS, Declaration, ItemLabelOptions, NumericLabelOptions


@option_group
class Options(ItemLabelOptions, NumericLabelOptions):
    """What may be said of labels."""

    reads: ClassVar[tuple[str, ...]] = (*LABEL_COLUMNS, "cluster", "repeat")


TASK = Declaration(__name__, "Classification", Options, place=10, layout=LABELS, ordered=True)
