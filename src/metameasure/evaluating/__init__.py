"""Gold and runs in, an answer out: scores, checks, tables of classes, evidence in files."""
