"""The open trial: every measure of the catalogue, on simulated systems and on every data set of a folder, as a static site.

python trials/run.py DATA -o site            all of it: some minutes of one core
python trials/run.py DATA -o site --small    one measure, in some seconds

What is finished is kept in SITE.work, and is not done again where the work goes on after an interruption.
"""

import argparse
import os
import sys
from pathlib import Path

# The products of matrices are small: threads that wait for a core that somebody else has take ten times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from metameasure.core.errors import MetameasureError
from metameasure.core.output import check_new_folder
from metameasure.page.site import write_site
from metameasure.trials.open_trial import SMALL, WHOLE, open_trial, to_standard_error


def main(arguments: list[str] | None = None) -> int:
    """Try them, and write the site; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", metavar="DATA", help="a folder that holds a folder for each data set (docs/trial.md)")
    parser.add_argument("-o", "--output", metavar="SITE", default="site", help="the new folder of the site (default: site)")
    parser.add_argument("--small", action="store_true", help="one measure, in some seconds")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn at random (default: 0)")
    asked = parser.parse_args(arguments)
    site = Path(asked.output)
    try:
        check_new_folder(site)
        found = open_trial(
            asked.data, site.with_name(f"{site.name}.work"), size=SMALL if asked.small else WHOLE, seed=asked.seed,
            say_on=to_standard_error,
        )  # fmt: skip
        write_site(found, site)
    except MetameasureError as error:
        sys.stderr.write(f"trials/run.py: {error}\n")
        return error.exit_status
    sys.stderr.write(f"wrote {site / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
