"""The scoring program of a bundle. It runs from the wheels beside it, where there are any, and otherwise from what is installed;
it needs no network.

python3 score.py INPUT OUTPUT                                               Codabench, CodaLab: INPUT/ref and INPUT/res
python3 score.py --input-dataset REF --input-run RUN --output OUTPUT        TIRA and others: RUN is a file, or a folder with one
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    """Score a submission, and write its scores into OUTPUT."""
    parser = argparse.ArgumentParser(description="Score a submission.")
    parser.add_argument("folders", nargs="*", metavar="INPUT OUTPUT", help="INPUT has ref and res in it")
    parser.add_argument("--input-dataset", metavar="REF", help="the folder with gold and settings.json")
    parser.add_argument("--input-run", metavar="RUN", help="the file to score, or a folder that has only that file in it")
    parser.add_argument("--output", help="the folder for the scores")
    arguments = parser.parse_args()
    if len(arguments.folders) == 2:
        reference, run, output = Path(arguments.folders[0], "ref"), Path(arguments.folders[0], "res"), arguments.folders[1]
    elif not arguments.folders and arguments.input_dataset and arguments.input_run and arguments.output:
        reference, run, output = arguments.input_dataset, arguments.input_run, arguments.output
    else:
        parser.error("name INPUT and OUTPUT, or --input-dataset, --input-run and --output")
    wheels = Path(__file__).resolve().parent / "wheels"
    if wheels.is_dir():
        place = tempfile.mkdtemp(prefix="metameasure-")
        install = ["-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(wheels), "--target", place, "metameasure"]
        subprocess.run([sys.executable, *install], check=True)  # noqa: S603 - our own words
        sys.path.insert(0, place)
    from metameasure.competition.scoring import score_submission  # noqa: PLC0415 - it may just have been installed

    return score_submission(reference, run, output)


if __name__ == "__main__":
    sys.exit(main())
