"""Measures of entailment judgements: labels read two ways, and orders of confidence or belief."""

from metameasure.moved import keep_old_names

keep_old_names(__name__)
