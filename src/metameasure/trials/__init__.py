"""The trial of a measure: everything that can be asked of one, in one call."""
