"""Scores: a labelled cube of measure, topic and run, what it averages to, and how sure of it one can be."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
