"""Formal properties of measures, found by search and not by declaration. One file per property, or per tight family."""
