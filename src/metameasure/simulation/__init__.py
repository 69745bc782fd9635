"""Shared tasks made to order: gold, and systems that err in known ways. One file per task; ``shapes.py`` has tasks by name."""
