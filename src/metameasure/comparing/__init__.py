"""Which run is better, and may it be said: over topics, over items, in a table."""
