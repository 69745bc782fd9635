"""Measures of a label per item, from the counts of gold class by predicted class: rows gold, columns predicted."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
