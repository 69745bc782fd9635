"""Measures of sets of labels: an item may have several labels, one, or none."""
