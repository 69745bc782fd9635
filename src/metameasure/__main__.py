"""``python -m metameasure``."""

import sys

from metameasure.cli import main

sys.exit(main())
