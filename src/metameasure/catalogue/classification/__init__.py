"""Measures of a label per item, from the counts of gold class by predicted class: rows gold, columns predicted."""

from metameasure.moved import keep_old_names

keep_old_names(__name__)
