"""Classification: a label per item."""

from dataclasses import dataclass

from metameasure.tasks.declaration import Declaration, ItemLabelOptions, NumericLabelOptions


@dataclass(frozen=True, kw_only=True)
class Options(ItemLabelOptions, NumericLabelOptions):
    """What may be said of labels."""


TASK = Declaration(__name__, "Classification", Options, place=10)
