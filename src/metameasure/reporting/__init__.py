"""One page about an evaluation: for participants, for reviewers, and for oneself in five years."""
