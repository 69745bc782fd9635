"""Measures of entailment judgements: labels read two ways, and orders of confidence or belief."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
