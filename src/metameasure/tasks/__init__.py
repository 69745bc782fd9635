"""What can be compared: one file per task, from what a user names to evidence, baselines and remarks."""
