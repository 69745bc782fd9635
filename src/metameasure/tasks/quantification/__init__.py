"""Quantification: a distribution over classes per topic."""

from __future__ import annotations

from typing import Any, ClassVar

from metameasure.core.options import option, option_group
from metameasure.reading.options import Tables
from metameasure.tasks.declaration import LABEL_COLUMNS, NORMALISE, SMOOTH, Declaration, LabelOptions, Layout, NumericLabelOptions


@option_group
class Options(LabelOptions, NumericLabelOptions):
    """What may be said of distributions, and of labels that are reduced to them."""

    reads: ClassVar[tuple[str, ...]] = (*LABEL_COLUMNS, "category", "probability")
    tables: ClassVar[Tables] = Tables("quantification", ("topic", "category", "probability"), labels=False)

    counts: bool = option("counts", "The files hold counts.", bool, default=False)
    normalise: bool = option(NORMALISE, default=False)
    smooth: float | None = option(SMOOTH)
    aspect: str | None = option("aspect", "Which quality of an NTCIR file.", metavar="A|S|E")
    training: Any = option(
        "training", "A file whose mean distribution becomes a baseline.", metavar="FILE", is_file=True, of_scoring=True
    )


_LAYOUT = Layout(
    needed=("topic", "category", "probability"),
    key="category",
    names=("topic",),
    classes=("category",),
    numbers=("probability",),
    wide="topic",
)
TASK = Declaration(__name__, "Quantification", Options, place=20, layout=_LAYOUT, ordered=True)
