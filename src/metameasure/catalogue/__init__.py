"""The measures: pure functions of arrays, one file each, found by walking this package."""

from metameasure.moved import keep_old_names

keep_old_names(__name__)
