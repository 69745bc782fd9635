"""What users pass, files and frames alike, as one keyed table: joined, audited, with file and line of what is wrong."""
