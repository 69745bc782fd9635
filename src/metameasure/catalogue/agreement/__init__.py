"""Coefficients of agreement between many annotators, from the counts of each item's ratings or from who said what."""
