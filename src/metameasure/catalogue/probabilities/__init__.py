"""Measures of probabilities: what a run believes of the classes of each item, set against the item's class."""
