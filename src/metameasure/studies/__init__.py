"""The papers as programs, one file each: what is published, what is run, and how the two are compared."""
