"""Which measure to report: what the papers recommend for data like these, as far as the data back it."""
