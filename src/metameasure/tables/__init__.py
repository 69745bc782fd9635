"""Any files, frames or sequences of any task as one keyed table: keys, gold's values, each run's values; joined and audited."""
