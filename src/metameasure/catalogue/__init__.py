"""The measures: pure functions of arrays, one file each, found by walking this package."""
