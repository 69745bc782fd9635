"""What a run's scores are made of: its confusion table, its distribution, its pairs; one file for each kind of evidence."""
