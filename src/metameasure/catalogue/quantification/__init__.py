"""Measures of a distribution over classes per topic: the estimate and gold, each (..., C), adding up to 1."""

from metameasure.moved import keep_old_names

keep_old_names(__name__)
