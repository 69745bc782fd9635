"""Entailment: a label per item, read three ways and two ways, with an order of confidence or of belief."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from metameasure.core.options import option, option_group
from metameasure.tasks.declaration import LABEL_COLUMNS, LABELS, Declaration, ItemLabelOptions


@option_group
class Options(ItemLabelOptions):
    """What may be said of labels that have roles, and of orders."""

    reads: ClassVar[tuple[str, ...]] = (*LABEL_COLUMNS, "cluster", "repeat", "confidence", "rank", "score", "score_rank")

    positive: str | None = option("positive", "The label of entailment.", metavar="LABEL")
    neutral: str | None = option("neutral", "The label of what is unknown.", metavar="LABEL")
    negative: str | None = option("negative", "The label of contradiction.", metavar="LABEL")
    rank_weights: Any = option(
        "rank-weights",
        "Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.",
        metavar="SERIES",
        is_file=True,
        of_scoring=True,
        default="linear",
    )

    @classmethod
    def declaring(cls, labels: Sequence[str]) -> dict[str, Any]:
        """Their roles, from positive to negative."""
        neutral = {"neutral": labels[1]} if len(labels) == 3 else {}
        return {"positive": labels[0], **neutral, "negative": labels[-1]}

    def roles(self) -> dict[str, str]:
        """The label of each role that is declared."""
        said = {"positive": self.positive, "neutral": self.neutral, "negative": self.negative}
        return {role: str(label) for role, label in said.items() if label is not None}


TASK = Declaration(__name__, "Entailment", Options, takes=("classification",), place=30, layout=LABELS)
