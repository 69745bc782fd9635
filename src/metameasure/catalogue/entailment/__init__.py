"""Measures of entailment judgements: labels read two ways, and orders of confidence or belief."""
