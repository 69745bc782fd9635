"""Measures of outcomes: numbers that somebody else computed, one for each item."""
