"""Measures of predicted rankings: ranks of a segment's items and gold's, each (..., n), 1 is best, NaN is not ranked."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
