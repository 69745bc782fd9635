"""The scoring program of a bundle: python3 score.py INPUT OUTPUT. It runs from the wheels beside it, where there are any, and
otherwise from what is installed; it needs no network."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    """Score the submission in INPUT, and write the scores into OUTPUT."""
    given, target = sys.argv[1:3]
    wheels = Path(__file__).resolve().parent / "wheels"
    if wheels.is_dir():
        place = tempfile.mkdtemp(prefix="metameasure-")
        install = ["-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(wheels), "--target", place, "metameasure"]
        subprocess.run([sys.executable, *install], check=True)  # noqa: S603 - our own words
        sys.path.insert(0, place)
    from metameasure.competition.scoring import score_submission  # noqa: PLC0415 - it may just have been installed

    return score_submission(given, target)


if __name__ == "__main__":
    sys.exit(main())
