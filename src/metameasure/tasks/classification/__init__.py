"""Classification: a label per item."""

from dataclasses import dataclass

from metameasure.tasks.declaration import LABEL_COLUMNS, Declaration, ItemLabelOptions, NumericLabelOptions


@dataclass(frozen=True, kw_only=True)
class Options(ItemLabelOptions, NumericLabelOptions):
    """What may be said of labels."""

    reads = (*LABEL_COLUMNS, "cluster", "repeat")


TASK = Declaration(__name__, "Classification", Options, place=10)
