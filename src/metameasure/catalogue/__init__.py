"""The measures: pure functions of arrays, one file each, found by walking this package."""

from metameasure.moved import old_names

__getattr__ = old_names(__name__)
