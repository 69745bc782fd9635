"""The measures: pure functions of arrays, one file each, found by walking this package."""

import sys

from metameasure.catalogue.moved import MovedModules

sys.meta_path.append(MovedModules())
