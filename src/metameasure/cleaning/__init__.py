"""Submissions as people send them, made into files that can be scored: what is certain is repaired, the rest is named."""
