"""Measures of a distribution over classes per topic: the estimate and gold, each (..., C), adding up to 1."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
