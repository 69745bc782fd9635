"""The ledger of every interval and every test: how often do they hold what they promise?

Data sets are simulated, or drawn from real score matrices, and go through the same functions that users call. An interval should
hold the truth in 95 of 100 data sets; a test at alpha .05 should find a difference that is not there in 5. The rows are in
benchmarks/error_rates.json; docs/generate.py makes docs/validity.md of them. benchmarks/simulations.py lists what is simulated.

python benchmarks/error_rates.py                        rows that are not there yet, about an hour on one core for all of them
python benchmarks/error_rates.py --only judges          those whose name contains this, made anew
python benchmarks/error_rates.py --check                every night: a tenth of the data sets again; ends with 1 where a rate has
                                                        left its band, or is not what the ledger says
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import ledger
from simulations import simulations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only simulations whose name contains this, made anew")
    parser.add_argument("--check", action="store_true", help="compare the ledger with fewer data sets made again")
    parser.add_argument("--repetitions", type=int, help=f"data sets for each (default: {ledger.ENOUGH}; --check: 200)")
    parser.add_argument("-o", "--output", type=Path, default=ledger.LEDGER, help="the ledger (default: %(default)s)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # what a user is warned of is what is measured here
    wanted = [one for one in simulations() if options.only in one.name]
    if not options.check:
        ledger.make(wanted, options.output, repetitions=options.repetitions, anew=bool(options.only))
        return
    problems = ledger.check(wanted, options.repetitions or 200, options.output)
    if options.only:
        problems = [one for one in problems if "nothing makes it" not in one]
    print(*problems, f"{len(ledger.read(options.output))} rows, {len(problems)} problems", sep="\n")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
