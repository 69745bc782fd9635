"""Scores of every measure, topic and run, their averages, and how sure of these one can be."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
