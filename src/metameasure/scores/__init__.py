"""Scores: a labelled cube of measure, topic and run, what it averages to, and how sure of it one can be."""
