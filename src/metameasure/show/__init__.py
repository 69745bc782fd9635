"""Findings, tables and facts as people read them: terminal, Markdown, LaTeX, CSV, JSON."""
