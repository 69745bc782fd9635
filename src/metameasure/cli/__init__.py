"""The command line: it parses, calls and prints. No logic."""

from metameasure.cli.main import main

__all__ = ["main"]
