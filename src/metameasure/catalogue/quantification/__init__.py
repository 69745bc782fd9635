"""Measures of a distribution over classes per topic: the estimate and gold, each (..., C), adding up to 1."""
