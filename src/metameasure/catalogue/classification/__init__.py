"""Measures of a label per item, from the counts of gold class by predicted class: rows gold, columns predicted."""
